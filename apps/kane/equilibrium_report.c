// SPDX-License-Identifier: MIT
// An equilibrium as a table for people.

#include "equilibrium.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

static const double degrees = 57.29577951308232; // a radian

// Rounding of the solution shows as 0, and so does -0.
static double tidy(double value, double largest)
{
    return fabs(value) <= 1e-9 * largest ? 0.0 : value;
}

// What cant leaves of the centrifugal acceleration c = v^2 |k| and of weight g along the track plane, which rolls by theta, and what cant u lacks
// for it to vanish by the rule of small angles. width: of the running points.
//
//   c cos(theta) - g sin(theta),  sin(theta) = u/width          width c/g - u
static void print_excess(const app_analysis *analysis, double g, double width)
{
    const double c    = analysis->where.speed * analysis->where.speed * fabs(analysis->where.curvature);
    const double sine = analysis->cant / width;
    (void)kane_fprintf(stdout, "lateral acceleration in the track plane %.4g m/s^2",
                       c * sqrt(1.0 - sine * sine) - g * sine);
    if (g > 0.0)
        (void)kane_fprintf(stdout, ", cant deficiency %.4g mm", 1e3 * (width * c / g - analysis->cant));
    (void)printf("\n");
}

static void print_place(const app_analysis *analysis, const kane_steady *steady, const equilibrium_values *v)
{
    char title[200], name[128];
    const kane_run_definition *run = kane_run_get_definition(analysis->run);
    app_analysis_title(analysis, sizeof title, title);
    (void)printf("%s%s%s\n", run->vehicle->name, title[0] ? ": " : "", title);
    if (run->track)
        print_excess(analysis, run->vehicle->gravity, kane_track_get_definition(run->track)->running_distance);
    kane_state_name(v->model, v->found->worst, sizeof name, name);
    (void)printf("found in %d steps; what is left is %.2g at %s\n", v->found->iterations, v->found->residual, name);
    app_analysis_print_rates(stdout, steady, "");
}

static void print_bodies(const equilibrium_values *v)
{
    (void)printf("\nbodies: displacement from the static position\n  %-28s %10s %10s %10s %10s %10s %10s\n", "",
                 "x [mm]", "y [mm]", "z [mm]", "yaw [mrad]", "roll", "pitch");
    for (int j = 0; j < v->body_count; j++) {
        (void)printf("  %-28s", kane_model_body_name(v->model, j));
        for (int c = 0; c < 6; c++)
            (void)printf(" %10.4f", tidy(1e3 * v->displacement[j][c], 1e3));
        (void)printf("\n");
    }
}

static void print_wheels(const equilibrium_values *v)
{
    static const char *const sides[] = {"left", "right"};
    int count                        = 0;
    for (int j = 0; j < v->vehicle->body_count; j++) {
        if (!equilibrium_has_wheels(v, j))
            continue;
        if (count++ == 0)
            (void)printf("\nwheels: on the rail Q down and Y to the left, on the wheel T forward; contact angle and "
                         "pressure of the largest patch\n  %-28s %9s %9s %9s %8s %8s %10s %10s %8s\n",
                         "", "Q [kN]", "Y [kN]", "T [kN]", "Y/Q", "Q/static", "angle [deg]", "lift [mm]", "patches");
        for (int side = 0; side < 2; side++) {
            const equilibrium_wheel *w = &v->wheel[j][side];
            char name[128];
            (void)snprintf(name, sizeof name, "%s.%s", kane_model_body_name(v->model, j), sides[side]);
            (void)printf("  %-28s %9.3f %9.3f %9.3f %8.4f %8.4f %10.3f %10.4f %8d\n", name, 1e-3 * w->Q,
                         tidy(1e-3 * w->Y, 1e-3 * w->Q), tidy(1e-3 * w->T, 1e-3 * w->Q), tidy(w->Y / w->Q, 1.0),
                         w->Q / w->load, degrees * w->angle, 1e3 * w->lift, w->patches);
        }
    }
    if (count == 0)
        return;
    (void)printf(
        "\nwheelsets: shift to the left, angle of attack (yaw against the track, positive to the left), sum of Y\n"
        "  %-28s %10s %10s %10s\n",
        "", "y [mm]", "[mrad]", "Y [kN]");
    for (int j = 0; j < v->vehicle->body_count; j++) {
        double q[6], rates[6];
        if (!equilibrium_has_wheels(v, j))
            continue;
        kane_get_relative(v->model, v->work, j, q, rates);
        (void)printf("  %-28s %10.4f %10.4f %10.3f\n", kane_model_body_name(v->model, j), tidy(1e3 * q[KANE_Y], 1e3),
                     tidy(1e3 * q[KANE_YAW], 1e3), tidy(1e-3 * (v->wheel[j][0].Y + v->wheel[j][1].Y), 1e2));
    }
}

static void print_wrench(const char *name, kane_wrench w, double largest)
{
    (void)printf("  %-28s %12.6g %12.6g %12.6g %12.6g %12.6g %12.6g\n", name, tidy(w.force.x, largest),
                 tidy(w.force.y, largest), tidy(w.force.z, largest), tidy(w.torque.x, largest),
                 tidy(w.torque.y, largest), tidy(w.torque.z, largest));
}

static void print_elements(const equilibrium_values *v)
{
    double largest = 0.0;
    kane_wrench w;
    kane_relative relative;
    for (int i = 0; i < v->vehicle->element_count; i++) {
        kane_get_element(v->model, v->work, i, &w, &relative);
        largest = fmax(largest, kv3_norm(w.force));
    }
    if (v->vehicle->element_count > 0)
        (void)printf("\nelements: on the second body, axes of the law\n  %-28s %12s %12s %12s %12s %12s %12s\n", "",
                     "x [N]", "y", "z", "x [N m]", "y", "z");
    for (int i = 0; i < v->vehicle->element_count; i++) {
        kane_get_element(v->model, v->work, i, &w, &relative);
        print_wrench(v->vehicle->elements[i].block.name, w, largest);
    }
}

static void print_joints(const equilibrium_values *v)
{
    int count = 0, undetermined = 0;
    for (int j = 0; j < v->vehicle->body_count; j++) {
        if (!v->vehicle->bodies[j].joint)
            continue;
        const kane_wrench w = kane_get_joint_reaction(v->model, v->work, j);
        if (count++ == 0)
            (void)printf(
                "\njoints: on the body, at the joint, axes of the joint\n  %-28s %12s %12s %12s %12s %12s %12s\n", "",
                "x [N]", "y", "z", "x [N m]", "y", "z");
        print_wrench(kane_model_body_name(v->model, j), w, fmax(kv3_norm(w.force), kv3_norm(w.torque)));
        undetermined |= !isfinite(kv3_norm(w.force) + kv3_norm(w.torque));
    }
    for (int i = 0; i < v->vehicle->constraint_count; i++) {
        double multiplier[6];
        const int rows = kane_get_constraint(v->model, v->work, i, multiplier);
        if (i == 0)
            (void)printf("\nconstraints: multipliers [N], [N m]\n");
        (void)printf("  %-28s", v->vehicle->constraints[i].block.name);
        for (int k = 0; k < rows; k++) {
            (void)printf(" %12.6g", multiplier[k] + 0.0);
            undetermined |= !isfinite(multiplier[k]);
        }
        (void)printf("\n");
    }
    if (undetermined)
        (void)printf("  nan: not determined, redundant constraints and joints share that load\n");
}

// Reactions of removed freedoms; the guide's along the track is the traction.
static void print_reactions(const equilibrium_values *v)
{
    int count = 0;
    for (int j = 0; j < v->vehicle->body_count; j++)
        for (int c = 0; c < 6; c++) {
            const int guides =
                c == KANE_X && v->vehicle->guide && kane_model_find_body(v->model, v->vehicle->guide) == j;
            if (v->vehicle->bodies[j].freedoms & KANE_FREEDOM(c) && !guides)
                continue;
            if (v->vehicle->bodies[j].joint)
                continue;
            if (count++ == 0)
                (void)printf("\nreactions\n");
            char name[160];
            (void)snprintf(name, sizeof name, "%s.%s%s", kane_model_body_name(v->model, j),
                           kane_coordinate_name((kane_coordinate)c), guides ? " (traction)" : "");
            (void)printf("  %-40s %14.6g %s\n", name, kane_get_reaction(v->model, v->work, j, (kane_coordinate)c) + 0.0,
                         c < 3 ? "N" : "N m");
        }
}

static void print_balance(const equilibrium_values *v)
{
    const equilibrium_balance *b = &v->balance;
    const kane_vec3 left         = kv3_add(kv3_add(b->rails, b->body), b->held);
    double Q = 0.0, Y = 0.0;
    for (int j = 0; j < v->vehicle->body_count; j++)
        for (int side = 0; side < 2 && equilibrium_has_wheels(v, j); side++) {
            Q += v->wheel[j][side].Q;
            Y += v->wheel[j][side].Y;
        }
    if (!kv3_norm(b->rails))
        return;
    (void)printf("\nsums: Q %.6g kN, Y %.6g kN, %.6g t\n", 1e-3 * Q, tidy(1e-3 * Y, 1e-3 * Q), 1e-3 * b->mass);
    if (b->elements > 0)
        (void)printf("%d %s the track\n", b->elements,
                     app_plural(b->elements, (app_noun){"element holds on to", "elements hold on to"}));
    else
        (void)printf("rails, gravity, motion and traction leave %.2g N of %.6g kN\n", kv3_norm(left),
                     1e-3 * kv3_norm(b->rails));
}

int equilibrium_print(const app_analysis *analysis, kane_steady *steady, kane_errors *errors)
{
    equilibrium_values v;
    if (!equilibrium_values_get(analysis, steady, &v, errors))
        return 0;
    print_place(analysis, steady, &v);
    print_bodies(&v);
    print_wheels(&v);
    print_elements(&v);
    print_joints(&v);
    print_reactions(&v);
    print_balance(&v);
    equilibrium_values_clear(&v);
    app_stability stability;
    if (!app_analysis_stability(steady, &stability, errors))
        return 0;
    app_analysis_print_stability(stdout, "\n", steady, &stability);
    kane_modes_free(stability.growing);
    return 1;
}
