// SPDX-License-Identifier: MIT
// Small motions of the two-axle wagon: its runs decay as its modes say, sides are mirror images, and formulations and
// ways of guiding the wheels agree.

#include "wagon.h"

enum { STATES_MOST = 80, BODIES = 3 };

// Modes of a run at constant speed where it starts, on straight level track, and the simulation there.
typedef struct straight {
    wagon w;
    kane_linear *linear;
    kane_modes *modes;
} straight;

static straight straight_find(const char *run, const char *const *settings, kane_formulation formulation)
{
    straight s                          = {.w = wagon_read(run, settings)};
    CHECK_ERRORS errors                 = {0};
    s.w.definition.drive.pieces         = NULL;
    s.w.definition.drive.piece_count    = 0;
    s.w.definition.drive.speed          = 20.0;
    s.w.definition.drive.actuator_count = 0;
    s.w.definition.model.formulation    = formulation;
    s.w.definition.conditions           = (kane_conditions){.time = 100.0};
    wagon_start(&s.w);
    CHECK_OWNED(kane_work) *work = kane_work_create(s.w.model, &errors);
    const double *y              = kane_simulation_state(s.w.simulation);
    assert_true(kane_model_state_count(s.w.model) <= STATES_MOST);
    kane_work_locate(s.w.model, work, 0.0, y);
    s.linear = kane_linear_create(s.w.model, work, 0.0, y, &errors);
    check_no_errors(&errors);
    s.modes = CHECK_GOOD(kane_modes_create, s.linear, KANE_MODES_COMPLETE);
    return s;
}

static void straight_free(straight *s)
{
    kane_modes_free(s->modes);
    kane_linear_free(s->linear);
    wagon_free(&s->w);
}

static void read_coordinates(const kane_model *model, kane_simulation *simulation, double q[6 * BODIES])
{
    double rates[6];
    for (int j = 0; j < BODIES; j++)
        kane_get_relative(model, kane_simulation_work(simulation), j, q + 6 * j, rates);
}

// From coordinates to others nearby: displacement, and turns about z, x, y of the frame in the order of the angles.
static void difference(const double to[6], const double from[6], double d[6])
{
    kane_mat3 R = km3_turn_z(km3_identity(), sin(from[KANE_YAW]), cos(from[KANE_YAW]));
    R           = km3_turn_x(R, sin(from[KANE_ROLL]), cos(from[KANE_ROLL]));
    for (int c = 0; c < 6; c++)
        d[c] = to[c] - from[c];
    const kane_vec3 turn = kv3_add_scaled(kv3_scale(d[KANE_ROLL], R.x), d[KANE_PITCH], R.y);
    d[KANE_YAW] += turn.z;
    d[KANE_ROLL]  = turn.x;
    d[KANE_PITCH] = turn.y;
}

// Half the difference of two runs that start a little off the equilibrium to either side, in the shape of one mode
// (what is quadratic drops out), and the mode's own course, compared in all coordinates.
static void follow_mode(const kane_model *model, kane_simulation *simulation, const kane_modes *modes, int mode)
{
    const double size = 1e-5, time = 0.6;
    const kane_mode *m = kane_modes_get(modes, mode);
    const int n        = kane_model_state_count(model);
    double at[STATES_MOST], y[STATES_MOST], re[STATES_MOST], im[STATES_MOST], after[2][6 * BODIES];
    CHECK_ERRORS errors = {0};
    memcpy(at, kane_simulation_state(simulation), (size_t)n * sizeof *at);
    kane_modes_state(modes, mode, re, im);
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < n; i++)
            y[i] = at[i] + (side ? size : -size) * re[i];
        assert_int_equal(kane_simulation_start_from(simulation, 0.0, y, &errors), KANE_OK);
        assert_int_equal(kane_simulation_advance(simulation, time, &errors), KANE_OK);
        read_coordinates(model, simulation, after[side]);
    }
    const double factor = size * exp(m->re * time), phase = m->im * time;
    for (int j = 0; j < BODIES; j++) {
        double a[6], b[6], moved[6];
        kane_modes_shape(modes, mode, j, a, b);
        difference(after[1] + 6 * j, after[0] + 6 * j, moved);
        for (int c = 0; c < 6; c++)
            check_near(0.5 * moved[c], factor * (a[c] * cos(phase) - b[c] * sin(phase)), 1e-4 * factor);
    }
    assert_int_equal(kane_simulation_start_from(simulation, 0.0, at, &errors), KANE_OK);
}

// Follows all modes below 4 Hz; returns how many.
static int follow_modes(const kane_model *model, kane_simulation *simulation, const kane_modes *modes)
{
    int followed = 0;
    for (int i = 0; i < kane_modes_count(modes); i++) {
        const kane_mode *m = kane_modes_get(modes, i);
        if (m->kind != KANE_MODE_OSCILLATES || m->natural > 4.0)
            continue;
        follow_mode(model, simulation, modes, i);
        followed++;
    }
    return followed;
}

CHECK_TEST(a_run_decays_as_its_modes)
{
    static const char *const settings[] = {TIGHTER, "integrator.order=5", NULL};
    CHECK_FREED(straight) s             = straight_find("wagon-transition", settings, KANE_MOVING);
    assert_int_equal(follow_modes(s.w.model, s.w.simulation, s.modes), 7);
}

// The same in a canted curve, about the equilibrium there.
CHECK_TEST(so_it_does_in_a_curve)
{
    static const char *const settings[] = {TIGHTER, "integrator.order=5", NULL};
    const kane_steady_definition where  = {.speed = 15.0, .curvature = 1.0 / 600.0, .superelevation = 0.05};
    const kane_conditions until         = {.time = 100.0};
    CHECK_ERRORS errors                 = {0};
    CHECK_FREED(wagon) w                = wagon_read("wagon-transition", settings);
    CHECK_OWNED(kane_steady) *steady    = CHECK_GOOD(kane_steady_create, &w.definition, &where);
    const kane_model *model             = kane_steady_model(steady);
    CHECK_OWNED(kane_linear) *linear =
        CHECK_GOOD(kane_linear_create, model, kane_steady_work(steady), 0.0, kane_steady_state(steady));
    CHECK_OWNED(kane_modes) *modes = CHECK_GOOD(kane_modes_create, linear, KANE_MODES_COMPLETE);
    CHECK_OWNED(kane_simulation) *simulation =
        CHECK_GOOD(kane_simulation_create, model, &w.definition.settings, &until);
    assert_int_equal(kane_simulation_start_from(simulation, 0.0, kane_steady_state(steady), &errors), KANE_OK);
    assert_int_equal(follow_modes(model, simulation, modes), 5);
}

// Left and right are the same: a mode moves along, up and down and pitches, or it moves sideways, yaws and rolls.
CHECK_TEST(modes_are_symmetric_or_antisymmetric)
{
    static const unsigned sideways      = KANE_DOF(KANE_Y) | KANE_DOF(KANE_YAW) | KANE_DOF(KANE_ROLL);
    static const char *const settings[] = {NULL};
    int kinds[2]                        = {0, 0};
    CHECK_FREED(straight) s             = straight_find("wagon-transition", settings, KANE_MOVING);
    for (int i = 0; i < kane_modes_count(s.modes); i++) {
        double most[2] = {0.0, 0.0};
        for (int j = 0; j < BODIES; j++) {
            double a[6], b[6];
            kane_modes_shape(s.modes, i, j, a, b);
            for (int c = 0; c < 6; c++) {
                const int k = (KANE_DOF(c) & sideways) != 0;
                most[k]     = fmax(most[k], hypot(a[c], b[c]));
            }
        }
        check_near(fmin(most[0], most[1]), 0.0, 1e-6 * fmax(most[0], most[1]));
        kinds[most[1] > most[0]]++;
    }
    assert_true(kinds[0] > 5 && kinds[1] > 5);
}

// The greatest displacement, turns times the radius of gyration, is 1 m at phase 0.
CHECK_TEST(shapes_have_their_scale)
{
    static const char *const settings[] = {NULL};
    static const int axis[]             = {0, 0, 0, 2, 0, 1}; // of turns: yaw about z, roll about x, pitch about y
    CHECK_FREED(straight) s             = straight_find("wagon-transition", settings, KANE_MOVING);
    for (int i = 0; i < kane_modes_count(s.modes); i++) {
        double largest = 0.0, re = 0.0, im = 0.0;
        for (int j = 0; j < BODIES; j++) {
            const kane_body_definition *body = &s.w.definition.vehicle->bodies[j];
            double a[6], b[6];
            kane_modes_shape(s.modes, i, j, a, b);
            for (int c = 0; c < 6; c++) {
                const double lever = c < KANE_YAW ? 1.0 : sqrt(body->inertia[axis[c]] / body->mass);
                if (hypot(a[c], b[c]) * lever > largest) {
                    largest = hypot(a[c], b[c]) * lever;
                    re      = lever * a[c];
                    im      = lever * b[c];
                }
            }
        }
        check_near(largest, 1.0, 1e-5);
        check_near(fabs(re), 1.0, 1e-3); // of two that are equal either may be the one
        check_near(im, 0.0, 2e-2);
    }
}

// Oscillating modes of `b` below a natural frequency are those of `a`.
static void check_same(const straight *a, const straight *b, double highest, double tolerance)
{
    int compared = 0;
    for (int i = 0; i < kane_modes_count(a->modes); i++) {
        const kane_mode *m = kane_modes_get(a->modes, i);
        double nearest     = HUGE_VAL;
        if (m->kind != KANE_MODE_OSCILLATES || m->natural > highest)
            continue;
        for (int k = 0; k < kane_modes_count(b->modes); k++) {
            const kane_mode *other = kane_modes_get(b->modes, k);
            nearest                = fmin(nearest, hypot(other->re - m->re, other->im - m->im));
        }
        check_near(nearest, 0.0, tolerance * hypot(m->re, m->im));
        compared++;
    }
    assert_true(compared > 8);
}

CHECK_TEST(moving_and_fixed_frames_have_the_same_modes)
{
    static const char *const settings[] = {NULL};
    straight moving                     = straight_find("wagon-transition", settings, KANE_MOVING),
             fixed                      = straight_find("wagon-transition", settings, KANE_FIXED);
    check_same(&moving, &fixed, 1000.0, 1e-9);
    assert_int_equal(kane_modes_count(moving.modes), kane_modes_count(fixed.modes));
    straight_free(&moving);
    straight_free(&fixed);
}

// Wheels on constraints leave no spurious modes, and those that they leave are those of tables of the same contact,
// which solves height and roll beforehand: exact but for the tables' interpolation.
CHECK_TEST(constraints_and_tables_have_the_same_modes)
{
    static const char *const tracks[] = {"track.name=rigid", FLEXIBLE};
    for (int i = 0; i < 2; i++) {
        const char *const constraint[] = {"vehicle.patterns.wheelset.contact.model=constraint", tracks[i], NULL};
        const char *const tables[]     = {"vehicle.patterns.wheelset.contact.model=table", tracks[i], NULL};
        straight a                     = straight_find("wagon-transition", constraint, KANE_MOVING),
                 b                     = straight_find("wagon-transition", tables, KANE_MOVING);
        check_same(&a, &b, i ? 1000.0 : 100.0, 1e-4);
        assert_int_equal(kane_linear_count(a.linear), kane_linear_count(b.linear));
        assert_int_equal(kane_modes_count(a.modes), kane_modes_count(b.modes));
        straight_free(&a);
        straight_free(&b);
    }
}

// A vehicle that nothing drives rolls on: to those of a prescribed speed come its own speed, which nothing holds, and
// the way that its frames follow it: p^3 + 2 l p^2 + 2 l^2 p + l^3 = (p + l)(p^2 + l p + l^2), l = 10 1/s.
CHECK_TEST(a_rolling_wagon_has_its_speed_as_a_mode)
{
    static const char *const settings[] = {NULL};
    int follows = 0, rolls = 0, found = 0, count = 0;
    CHECK_FREED(straight) a = straight_find("wagon-transition", settings, KANE_MOVING);
    CHECK_FREED(straight) b = straight_find("wagon-driven", settings, KANE_MOVING);
    for (int i = 0; i < kane_modes_count(b.modes); i++) {
        const kane_mode *m = kane_modes_get(b.modes, i);
        follows += hypot(m->re + 10.0, m->im) < 1e-3 || hypot(m->re + 5.0, m->im - 10.0 * sqrt(0.75)) < 1e-3;
        rolls += m->kind == KANE_MODE_INDIFFERENT;
    }
    assert_int_equal(follows, 2);
    assert_int_equal(rolls, 1);
    for (int i = 0; i < kane_modes_count(a.modes); i++) {
        const kane_mode *m = kane_modes_get(a.modes, i);
        double nearest     = HUGE_VAL;
        if (m->kind != KANE_MODE_OSCILLATES)
            continue;
        for (int k = 0; k < kane_modes_count(b.modes); k++) {
            const kane_mode *other = kane_modes_get(b.modes, k);
            nearest                = fmin(nearest, hypot(other->re - m->re, other->im - m->im));
        }
        found += nearest < 1e-5 * hypot(m->re, m->im);
        count++;
    }
    assert_int_equal(found, count - 2); // all but pitch and the wheelsets along the track together: the body gives way
    assert_int_equal(kane_linear_count(b.linear), kane_linear_count(a.linear) + 4);
}

CHECK_MAIN(NULL, NULL)
