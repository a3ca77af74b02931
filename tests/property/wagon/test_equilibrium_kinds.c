// SPDX-License-Identifier: MIT
// Equilibrium of every kind of vehicle: with joints and constraints of both forms, guided wheels, flexible track,
// driven, with states in elements; and starts from it.

#include "runs.h"
#include "stand.h"

#define CONSTRAINT "vehicle.patterns.wheelset.contact.model=constraint"
#define TABLES     "vehicle.patterns.wheelset.contact.model=table"

static void check_found(const char *run, const char *const *settings, double speed, double radius, double cant)
{
    CHECK_FREED(stand) s = stand_at(run, settings, speed, radius, cant);
    const double left    = kane_steady_equilibrium(s.steady)->residual;
    if (getenv("KANE_SHOW"))
        print_message("%s: %d steps, %g left\n", run, kane_steady_equilibrium(s.steady)->iterations, left);
    check_below(left, 1e-7);
}

CHECK_TEST(vehicles_with_joints_and_constraints_have_one)
{
    const char *const multipliers[] = {"form=multipliers", NULL};
    check_found("wagon-four-bar", NULL, 15.0, 600.0, 0.1);
    check_found("wagon-four-bar", multipliers, 15.0, 600.0, 0.1);
    check_found("motor-wagon", NULL, 15.0, 600.0, 0.1);
    check_found("motor-wagon", multipliers, 15.0, 600.0, 0.1);
    check_found("coach-curve", NULL, 15.0, 300.0, 0.15);
}

// Rigid wheels that run into a flange on the way may want to be held down there for a moment.
CHECK_TEST(flanges_in_tight_curves_are_found_too)
{
    const char *const tables[] = {TABLES, NULL};
    check_found("wagon-transition", NULL, 10.0, 300.0, 0.15);
    check_found("wagon-transition", tables, 10.0, 300.0, 0.15);
    check_found("motor-wagon", NULL, 20.0, 300.0, 0.15);
    check_found("motor-wagon", NULL, 20.0, -300.0, 0.15);
}

// Wheels that stand so far beside their running circles that they would slide at the spin guessed at first roll
// nevertheless: a cone touches a head of 300 mm where that is inclined as much, and rolls with its radius there.
CHECK_TEST(cones_roll_where_they_touch)
{
    const char *const settings[][2] = {{"vehicle.patterns.wheelset.conicity=0.06", NULL},
                                       {"vehicle.patterns.wheelset.conicity=0.2", NULL}};
    static const double conicity[]  = {0.06, 0.2};
    for (int i = 0; i < 2; i++) {
        double q[6], rates[6];
        CHECK_FREED(stand) s = stand_at("cooperrider-bogie", settings[i], 60.0, (double)INFINITY, 0.0);
        kane_get_relative(s.model, kane_steady_work(s.steady), LEADING, q, rates);
        const kane_wheels *wheels = &s.model->wheels[s.model->bodies[LEADING].wheels];
        const double inward       = 0.3 * sin(atan(conicity[i]));
        const double place        = wheels->rail_distance[0] - inward - wheels->wheel_distance[0];
        check_near(60.0 / rates[KANE_PITCH], 0.425 - conicity[i] * place, 2e-5);
    }
}

// Both forms of constraints say the same.
CHECK_TEST(forms_of_constraints_agree)
{
    const char *const multipliers[] = {"form=multipliers", NULL};
    CHECK_FREED(stand) a            = stand_at("wagon-four-bar", NULL, 20.0, -500.0, 0.1);
    CHECK_FREED(stand) b            = stand_at("wagon-four-bar", multipliers, 20.0, -500.0, 0.1);
    for (int j = 0; j < kane_model_body_count(a.model); j++) {
        double p[6], q[6];
        stand_place(&a, j, p);
        stand_place(&b, j, q);
        for (int c = 0; c < 6; c++)
            check_near(p[c], q[c], 1e-9);
    }
}

// Wheels on rigid contact stand where elastic ones do, less what these press in.
CHECK_TEST(ways_of_contact_agree)
{
    const char *const ways[][2] = {
        {"vehicle.patterns.wheelset.contact.model=elastic", NULL}, {CONSTRAINT, NULL}, {TABLES, NULL}};
    double q[3][3][6];
    for (int i = 0; i < 3; i++) {
        CHECK_FREED(stand) s = stand_at("wagon-transition", ways[i], 30.0, 3000.0, 0.12);
        for (int j = 0; j < 3; j++)
            stand_place(&s, j, q[i][j]);
        if (getenv("KANE_SHOW"))
            for (int j = 0; j < 3; j++)
                print_message("%d: y %g z %g yaw %g roll %g\n", i, q[i][j][1], q[i][j][2], q[i][j][3], q[i][j][4]);
    }
    for (int j = 0; j < 3; j++)
        for (int c = 1; c < 5; c++) {
            check_near(q[2][j][c], q[1][j][c], 2e-5);
            check_near(q[1][j][c], q[0][j][c], 4e-4);
        }
}

// The track gives way by what the wheels push more or less than at rest.
CHECK_TEST(flexible_track_gives_way_as_the_forces_say)
{
    CHECK_FREED(stand) s = stand_at("wagon-flexible", NULL, 20.0, 600.0, 0.1);
    const kane_panel *p  = s.model->bodies[LEADING + 2].panel;
    double q[6];
    kane_vec3 sum = kv3_zero();
    assert_non_null(p);
    stand_place(&s, LEADING + 2, q);
    for (int side = 0; side < 2; side++) {
        const kane_wheels_state *w = &kane_steady_work(s.steady)->wheels[0];
        sum                        = kv3_add(sum, km3_mulv(w->rail[side].R, w->result[side].on_wheel.force));
    }
    check_near(-sum.y - p->stiffness[0] * q[KANE_Y], 0.0, 1e-3);
    check_near(-sum.z - p->load[1] - p->stiffness[1] * q[KANE_Z], 0.0, 1e-3);
    assert_true(fabs(q[KANE_Y]) > 1e-5);
}

// Which way a vehicle is driven is no matter: its guide stays where it is.
CHECK_TEST(a_driven_vehicle_stands_the_same)
{
    stand a = stand_at("wagon-transition", NULL, 15.0, 600.0, 0.1),
          b = stand_at("wagon-driven", NULL, 15.0, 600.0, 0.1);
    for (int j = 0; j < 3; j++) {
        double p[6], q[6];
        stand_place(&a, j, p);
        stand_place(&b, j, q);
        for (int c = 0; c < 5; c++)
            check_near(p[c], q[c], 1e-12);
    }
    stand_free(&a);
    stand_free(&b);
}

// --- starts of runs ---

// Largest acceleration of any body but along the track at the start of a run at constant speed.
static double unrest(const char *run, const char *const *settings)
{
    CHECK_FREED(wagon) w = wagon_read(run, settings);
    wagon_start(&w);
    const kane_work *work = kane_simulation_work(w.simulation);
    double most           = 0.0;
    for (int j = 0; j < kane_model_body_count(w.model); j++) {
        kane_vec3 a, alpha;
        kane_get_absolute(w.model, work, j, NULL, NULL, &a, &alpha);
        most = fmax(most, fmax(fmax(fabs(a.y), fabs(a.z)), kv3_norm(alpha)));
    }
    return most;
}

CHECK_TEST(runs_start_in_equilibrium)
{
    const char *const constant[] = {"speed=[]", NULL};
    const char *const fixed[]    = {"speed=[]", "formulation=fixed", NULL};
    const char *const held[]     = {"speed=[]", "form=multipliers", NULL};
    assert_true(unrest("wagon-transition", constant) < check_tolerance(1e-9));
    assert_true(unrest("wagon-transition", fixed) < check_tolerance(1e-9));
    assert_true(unrest("wagon-four-bar", constant) < check_tolerance(1e-9));
    assert_true(unrest("wagon-four-bar", fixed) < check_tolerance(1e-9));
    assert_true(unrest("wagon-four-bar", held) < check_tolerance(1e-8));
    assert_true(unrest("wagon-flexible", constant) < check_tolerance(1e-9));
    assert_true(unrest("coach-straight", constant) < check_tolerance(1e-9));
}

// The drive accelerates from the start on: the equilibrium is that of constant speed.
CHECK_TEST(the_drive_is_ignored)
{
    const char *const constant[] = {"speed=[]", NULL}, *const drives[] = {"speed=[{\"acceleration\": 0.8}]", NULL};
    double a[18], b[18];
    CHECK_FREED(wagon) w = wagon_open("wagon-transition", constant), v = wagon_read("wagon-transition", drives);
    wagon_start(&v);
    wagon_coordinates(&w, a);
    wagon_coordinates(&v, b);
    for (int i = 0; i < 18; i++)
        check_near(b[i], a[i], 1e-12);
    double s, speed, acceleration;
    kane_get_travel(kane_simulation_work(v.simulation), &s, &speed, &acceleration);
    check_near(acceleration, 0.8, 1e-15);
}

// A run that is told to begins in a curve as it will go on there.
CHECK_TEST(runs_start_in_equilibrium_in_curves)
{
    double before[18], after[18];
    CHECK_FREED(wagon) w = wagon_open_with("wagon-transition", "speed=[]", "start.at=200", "start.equilibrium=true");
    wagon_coordinates(&w, before);
    assert_true(wagon_go(&w, 2.0));
    wagon_coordinates(&w, after);
    for (int i = 0; i < 18; i++)
        if (i % 6 != KANE_PITCH) // of wheelsets it is their spin angle
            check_near(after[i], before[i], 1e-9);
    assert_true(fabs(before[6 * LEADING + KANE_Y]) > 1e-3);
}

static void check_refused(const char *const *settings, const char *what)
{
    CHECK_ERRORS errors = {0};
    char text[1200];
    CHECK_FREED(wagon) w         = wagon_read("wagon-transition", settings);
    const kane_run_definition *d = &w.definition;
    w.model                      = run_model(d);
    assert_null(kane_simulation_create(w.model, &d->settings, &d->conditions, &errors));
    assert_int_equal(errors.count, 1);
    (void)kane_error_format(kane_errors_get(&errors, 0), sizeof text, text);
    assert_non_null(strstr(text, what));
}

CHECK_TEST(starts_that_cannot_be_are_refused)
{
    const char *const ramp[]  = {"start.at=80", "start.equilibrium=true", NULL};
    const char *const fixed[] = {"start.at=200", "start.equilibrium=true", "formulation=fixed", NULL};
    const char *const fast[]  = {"start.at=200", "start.equilibrium=true", "start.speed=70", "speed=[]", NULL};
    check_refused(ramp, "the line changes under the vehicle");
    check_refused(fixed, "in fixed axes nothing rests in a curve");
    check_refused(fast, "no equilibrium at 70 m/s on a curve of radius 600 m with a cant of 0.1 m: ");
}

// Who wants to start off the static position does.
CHECK_TEST(a_start_aside_stays_aside)
{
    double q[18];
    CHECK_FREED(wagon) w =
        wagon_open_with("wagon-transition", "speed=[]", "vehicle.wheelsets.leading.start={\"y\": \"2 mm\"}");
    wagon_coordinates(&w, q);
    check_near(q[6 * LEADING + KANE_Y], 2e-3, 1e-15);
}

// A motor that makes its wheels slip has no equilibrium: the wagon starts as it stands, and says why. With less it has
// one.
CHECK_TEST(what_has_no_equilibrium_starts_as_it_stands)
{
    const char *why;
    double start[KANE_COORDINATES], rates[KANE_COORDINATES];
    wagon w = wagon_with("wagon-driven", "drive.\"leading motor\".torque=[60000,60000]");
    wagon_start(&w);
    assert_int_equal(kane_simulation_began(w.simulation, &why), KANE_START_UNBALANCED);
    if (!strstr(why, "no equilibrium at 15 m/s on a straight") || !strstr(why, "'leading' still accelerates"))
        fail_msg("%s", why);
    kane_get_relative(w.model, kane_simulation_work(w.simulation), 0, start, rates);
    check_near(start[KANE_Y], 0.0, 0.0); // the static position, not where the search has stopped
    check_near(start[KANE_PITCH], 0.0, 0.0);
    assert_true(wagon_go(&w, 0.01));
    wagon_free(&w);

    w = wagon_read("wagon-driven", NULL);
    wagon_start(&w);
    assert_int_equal(kane_simulation_began(w.simulation, &why), KANE_START_EQUILIBRIUM);
    assert_string_equal(why, "");
    double *y = calloc((size_t)kane_model_state_count(w.model), sizeof *y);
    memcpy(y, kane_simulation_state(w.simulation), (size_t)kane_model_state_count(w.model) * sizeof *y);
    assert_int_equal(kane_simulation_start_from(w.simulation, 0.0, y, NULL), KANE_OK);
    assert_int_equal(kane_simulation_began(w.simulation, NULL), KANE_START_GIVEN);
    free(y);
    wagon_free(&w);
}

CHECK_MAIN(NULL, NULL)
