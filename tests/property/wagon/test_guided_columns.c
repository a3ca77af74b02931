// SPDX-License-Identifier: MIT
// What guided wheelsets get from their rails changes with their motion as it says: against differences, extrapolated,
// by single states on straight track, in transitions and curves with cant, on irregular rails, and with a flange at its
// rail.

#include "property/wagon/wagon.h"

#include "agem/rail_constraint.h"

#define CONTACT "vehicle.patterns.wheelset.contact."

enum { STATES = 64, NUMBERS = 6 + 2, ALL = NUMBERS + 2 * KANE_COORDINATES };

// The wrench of the rails while the normal forces N stay, what the gaps accelerate while the accelerations of the body
// do, and its coordinates and speeds.
static void look(const kane_model *model, const kane_work *work, int i, const double N[2], kane_wrench acceleration,
                 double out[ALL])
{
    const kane_wheels *wheels  = &model->wheels[i];
    const kane_wheels_state *w = &work->wheels[i];
    const kane_link *link      = &model->tree.links[model->bodies[wheels->body].link];
    kane_wrench sum            = {kv3_zero(), kv3_zero()};
    for (int k = 0; k < 2; k++) {
        const kane_wrench direction = w->guidance.direction[k];
        sum                         = kw_add(sum, kane_rail_constraint_creep(wheels, w, (kane_side)k, N[k]));
        sum.force                   = kv3_add_scaled(sum.force, N[k], direction.force);
        sum.torque                  = kv3_add_scaled(sum.torque, N[k], direction.torque);
    }
    memcpy(out, &sum, sizeof sum);
    for (int k = 0; k < 2; k++)
        out[6 + k] = w->guidance.bias[k] + kv3_dot(w->guidance.direction[k].force, acceleration.force) +
                     kv3_dot(w->guidance.direction[k].torque, acceleration.torque);
    memcpy(out + NUMBERS, work->tree.q + link->q, KANE_COORDINATES * sizeof *out);
    memcpy(out + NUMBERS + KANE_COORDINATES, work->tree.v + link->v, KANE_COORDINATES * sizeof *out);
}

typedef struct place {
    wagon *w;
    kane_work *work;
    double t, y[STATES];
    int wheels;
} place;

// Central differences with steps h, h/2, h/4, extrapolated.
static void difference(const place *p, int state, double h, const double N[2], kane_wrench acceleration,
                       double out[ALL])
{
    double d[3][ALL], y[STATES], ydot[STATES];
    for (int i = 0; i < 3; i++, h *= 0.5) {
        double side[2][ALL];
        for (int k = 0; k < 2; k++) {
            memcpy(y, p->y, sizeof y);
            y[state] += k ? h : -h;
            assert_int_equal(kane_eval(p->w->model, p->work, p->t, y, ydot), KANE_OK);
            look(p->w->model, p->work, p->wheels, N, acceleration, side[k]);
        }
        for (int n = 0; n < ALL; n++)
            d[i][n] = (side[1][n] - side[0][n]) / (2.0 * h);
    }
    for (int n = 0; n < ALL; n++) {
        const double a = (4.0 * d[1][n] - d[0][n]) / 3.0, b = (4.0 * d[2][n] - d[1][n]) / 3.0;
        out[n] = (16.0 * b - a) / 15.0;
    }
}

static double along_motion(const kane_vec3 row[KANE_MOTIONS], const kane_vec3 motion[KANE_MOTIONS])
{
    double sum = 0.0;
    for (int m = 0; m < KANE_MOTIONS; m++)
        sum += kv3_dot(row[m], motion[m]);
    return sum;
}

// What the slopes say of changes d of its coordinates and speeds. Its axes leave the spin angle out.
static void expect_column(const kane_rail_constraint_slopes *slopes, const kane_axis_state *turn, const double *d,
                          double out[NUMBERS])
{
    kane_wrench w                        = {kv3_zero(), kv3_zero()};
    const kane_vec3 turns                = kv3_add_scaled(kv3_scale(d[KANE_YAW], turn[0].e), d[KANE_ROLL], turn[1].e);
    const kane_vec3 motion[KANE_MOTIONS] = {[KANE_MOVES]  = kv3(d[0], d[1], d[2]),
                                            [KANE_TURNS]  = turns,
                                            [KANE_SPEEDS] = kv3(d[6], d[7], d[8]),
                                            [KANE_SPINS]  = kv3(d[9], d[10], d[11])};
    for (int m = 0; m < KANE_MOTIONS; m++) {
        w.force =
            kv3_add(w.force, km3_mulv(slopes->wrench[KANE_RAIL_WHEELSET][KANE_RAIL_WHEELSET].force[m], motion[m]));
        w.torque =
            kv3_add(w.torque, km3_mulv(slopes->wrench[KANE_RAIL_WHEELSET][KANE_RAIL_WHEELSET].torque[m], motion[m]));
    }
    memcpy(out, &w, sizeof w);
    for (int side = 0; side < 2; side++)
        out[6 + side] = along_motion(slopes->bias[KANE_RAIL_WHEELSET][side], motion);
}

// Forces and torques are of one kind each, and so are both gaps.
static int kind_of(int n)
{
    return n < 6 ? n / 3 : 2;
}

// States of one kind, and the steps of differences by them: along the line everything changes little, across it much.
enum { ALONG, ACROSS, SPEEDS };

static int class_of(int c)
{
    return c == KANE_X ? ALONG : c < KANE_COORDINATES ? ACROSS : SPEEDS;
}

// Second derivatives of the gap have corners where a place of the wheel goes from one cell of the rail's spline to the
// next: of four steps, down to a quarter, the difference counts that is nearest. At 3.1, 3.12 and 3.14 s all are
// off, in proportion to the step, as at a corner.
enum { STEPS = 4 };
static const double steps[]      = {[ALONG] = 1e-4, [ACROSS] = 1.5e-6, [SPEEDS] = 2e-4};
static const double tolerances[] = {[ALONG] = 1e-5, [ACROSS] = 5e-6, [SPEEDS] = 1e-6};

// Whether a state of the body moves it on its rails: not its spin angle, nor what follows.
static int state_moves(const kane_body *body, int c)
{
    return c != KANE_PITCH && !(body->is_tabulated && (c == KANE_Z || c == KANE_ROLL));
}

// Each number against the largest of its kind by states of a kind. What changes by rounding alone has a floor.
static void check_columns(const place *p, const char *what)
{
    const kane_model *model = p->w->model;
    const kane_body *body   = &model->bodies[model->wheels[p->wheels].body];
    kane_rail_constraint_slopes slopes;
    double ydot[STATES], d[STEPS][KANE_BODY_STATES][ALL], exact[STEPS][KANE_BODY_STATES][NUMBERS], size[3][3] = {{0.0}};
    assert_int_equal(kane_eval(model, p->work, p->t, p->y, ydot), KANE_OK);
    assert_int_equal(kane_rail_constraint_derive(model, p->work, p->wheels, &slopes), KANE_OK);
    const kane_body_state *b = &p->work->body[model->wheels[p->wheels].body];
    const kane_wrench a      = {b->a, b->e};
    const double N[2]        = {p->work->wheels[p->wheels].guidance.N[0], p->work->wheels[p->wheels].guidance.N[1]};
    const int count          = KANE_COORDINATES + body->u_count;
    kane_axis_state turn[3];
    memcpy(turn, p->work->tree.axis + model->tree.links[body->link].v + 3, sizeof turn);
    for (int c = 0; c < count; c++) {
        if (!state_moves(body, c))
            continue;
        const double h = steps[class_of(c)]; // what settles on tables is rounded more
        for (int i = 0; i < STEPS; i++) {
            difference(p, c < KANE_COORDINATES ? body->q + c : body->u + c - KANE_COORDINATES,
                       (c == KANE_X && body->is_tabulated ? 8.0 * h : h) / (1.0 + i), N, a, d[i][c]);
            expect_column(&slopes, turn, d[i][c] + NUMBERS, exact[i][c]);
        }
        for (int n = 0; n < NUMBERS; n++)
            size[class_of(c)][kind_of(n)] = fmax(size[class_of(c)][kind_of(n)], fabs(d[0][c][n]));
    }
    for (int c = 0; c < count; c++)
        for (int n = 0; n < NUMBERS && state_moves(body, c); n++) {
            const double of = size[class_of(c)][kind_of(n)] + 1e-3;
            double near     = HUGE_VAL;
            for (int i = 0; i < STEPS; i++)
                near = fmin(near, fabs(exact[i][c][n] - d[i][c][n]) / of);
            check_figure(near, class_of(c) == SPEEDS ? "by speeds" : class_of(c) == ALONG ? "along" : "across");
            if (!(near <= check_tolerance(tolerances[class_of(c)]))) {
                print_error("%s, %g s, number %d by state %d: %.12g, differences %.12g, of %.3g: %.2g\n", what, p->t, n,
                            c, exact[0][c][n], d[0][c][n], of, near);
                fail();
            }
        }
}

// Along a run (between nodes of the tables, where their third derivatives leap); then with the leading wheelset moved
// aside until its flange is at the rail, turned, and at other speeds. least: sine of the contact angle that it then has
// at some place.
static void check_run(const char *run, const char *const *settings, double least)
{
    static const double times[] = {0.5, 3.11, 3.9, 5.2};
    CHECK_FREED(wagon) w        = wagon_open(run, settings);
    place p                     = {.w = &w, .work = kane_work_create(w.model, NULL)};
    const int n                 = kane_model_state_count(w.model);
    double ydot[STATES], steepest = 0.0;
    assert_true(n <= STATES);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        for (int moved = 0; moved < 3; moved++) {
            p.t = times[i];
            (void)wagon_go(&w, p.t);
            memcpy(p.y, kane_simulation_state(w.simulation), (size_t)n * sizeof *p.y);
            const kane_body *body = &w.model->bodies[w.model->wheels[0].body];
            if (moved) {
                p.y[body->q + KANE_Y] += moved == 1 ? 6.223e-3 : -5.018e-3;
                p.y[body->q + KANE_YAW] += moved == 1 ? 8e-3 : -4e-3;
                for (int u = 0; u < body->u_count; u++)
                    p.y[body->u + u] += 0.03 * (u % 3 - 1);
            }
            kane_work_locate(w.model, p.work, p.t, p.y);
            if (kane_project(w.model, p.work, p.t, p.y) != KANE_OK ||
                kane_eval(w.model, p.work, p.t, p.y, ydot) != KANE_OK) {
                assert_true(moved); // too far for the tables, from where it was
                continue;
            }
            for (int side = 0; side < 2; side++)
                steepest = fmax(steepest, fabs(p.work->wheels[0].guidance.contact_point[side].normal.y));
            for (p.wheels = 0; p.wheels < (moved ? 1 : 2); p.wheels++)
                check_columns(&p, settings[0]);
        }
    if (!(steepest > least))
        fail_msg("%s, %s: the steepest contact is that of %g", run, settings[0], steepest);
    kane_work_free(p.work);
}

#define SHARED "vehicle.wheelsets.leading.frame=body", "vehicle.wheelsets.trailing.frame=body"
#define CONES  "vehicle.patterns.wheelset.profile=cone", "track.rail.profile=round"

// With other tolerances the states would be others, some of them too near to nodes of the tables.
#define FINE                                                                                                           \
    "integrator.rtol=1e-6", "integrator.atol_position=1e-8 m", "integrator.atol_angle=1e-8 rad",                       \
        "integrator.atol_velocity=1e-6 m/s", "integrator.atol_angular_velocity=1e-6 rad/s"

static void check_way(const char *way)
{
    const char *const moving[] = {way, FINE, NULL}, *const fixed[] = {way, FINE, "formulation=fixed", NULL},
                      *const shared[] = {way, FINE, SHARED, "track.cant_axis=inner_rail", NULL};
    check_run("wagon-transition", moving, 0.4);
    check_run("wagon-transition", fixed, 0.4);
    check_run("wagon-transition", shared, 0.4);
    check_run("wagon-irregular", moving, 0.4);
}

// Also with cones, which have no flange that would keep them on the tables.
CHECK_TEST(constraints_have_their_columns)
{
    const char *const cones[] = {CONTACT "model=constraint", CONES, NULL};
    check_way(CONTACT "model=constraint");
    check_run("wagon-transition", cones, 0.0);
}

CHECK_TEST(tables_have_their_columns)
{
    check_way(CONTACT "model=table");
}

// Places in y of the coordinates and speeds of the leading wheelset, and of the panel under it. Returns how many.
static int list_states(const kane_model *model, int places[2 * KANE_BODY_STATES])
{
    const int bodies[2] = {model->wheels[0].body, model->wheels[0].panel};
    int count           = 0;
    for (int i = 0; i < 2 && bodies[i] >= 0; i++) {
        const kane_body *body = &model->bodies[bodies[i]];
        for (int q = 0; q < body->q_count; q++)
            if (i == 0 || q == KANE_Y || q == KANE_Z || q == KANE_ROLL)
                places[count++] = body->q + q;
        for (int u = 0; u < body->u_count; u++)
            places[count++] = body->u + u;
    }
    return count;
}

// Projection back onto the rails: against differences, from states on the rails.
static void check_projection(const char *const *settings)
{
    static const double times[] = {0.5, 3.1, 5.2};
    const double h              = 1e-6;
    int places[2 * KANE_BODY_STATES];
    CHECK_FREED(wagon) w = wagon_read("wagon-irregular", settings);
    double y[STATES], ydot[STATES], moved[2][STATES], P[STATES * STATES];
    wagon_start(&w);
    CHECK_OWNED(kane_work) *work = kane_work_create(w.model, NULL);
    const size_t n = (size_t)kane_model_state_count(w.model), size = n * sizeof *y;
    CHECK_OWNED(kane_jacobian) *jacobian = kane_jacobian_create(w.model, (int)n);
    CHECK_MEMORY double *values          = calloc((size_t)kane_jacobian_pattern(jacobian)->count, sizeof *values);
    const int count                      = list_states(w.model, places);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        (void)wagon_go(&w, times[i]);
        memcpy(y, kane_simulation_state(w.simulation), size);
        kane_work_locate(w.model, work, times[i], y);
        assert_int_equal(kane_project(w.model, work, times[i], y), KANE_OK);
        assert_int_equal(kane_jacobian_eval(jacobian, w.model, work, times[i], y, ydot, values), KANE_OK);
        for (size_t k = 0; k < n * n; k++)
            P[k] = k % (n + 1) == 0;
        assert_int_equal(kane_jacobian_project(jacobian, P), KANE_OK);
        for (int c = 0; c < count; c++) {
            for (int k = 0; k < 2; k++) {
                memcpy(moved[k], y, size);
                moved[k][places[c]] += k ? h : -h;
                assert_int_equal(kane_project(w.model, work, times[i], moved[k]), KANE_OK);
            }
            for (int row = 0; row < count; row++) {
                const int at = places[row];
                check_near(P[(size_t)places[c] * n + (size_t)at], (moved[1][at] - moved[0][at]) / (2.0 * h), 2e-7);
            }
        }
    }
}

CHECK_TEST(projections_have_their_columns)
{
    check_projection((const char *const[]){CONTACT "model=constraint", NULL});
    check_projection((const char *const[]){CONTACT "model=constraint", FLEXIBLE, NULL});
}

CHECK_MAIN(NULL, NULL)
