// SPDX-License-Identifier: MIT
// Small motions of the two-axle wagon: its runs decay as its modes say, sides are mirror images, and formulations and ways of
// guiding the wheels agree.

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
    kane_errors errors                  = {0};
    s.w.definition.drive.pieces         = NULL;
    s.w.definition.drive.piece_count    = 0;
    s.w.definition.drive.speed          = 20.0;
    s.w.definition.drive.actuator_count = 0;
    s.w.definition.model.formulation    = formulation;
    s.w.definition.conditions           = (kane_conditions){.time = 100.0};
    wagon_start(&s.w);
    kane_work *work = kane_work_create(s.w.model, &errors);
    const double *y = kane_simulation_state(s.w.simulation);
    assert_true(kane_model_state_count(s.w.model) <= STATES_MOST);
    kane_work_locate(s.w.model, work, 0.0, y);
    s.linear = kane_linear_create(s.w.model, work, 0.0, y, &errors);
    check_no_errors(&errors);
    s.modes = kane_modes_create(s.linear, KANE_MODES_COMPLETE, &errors);
    check_no_errors(&errors);
    kane_work_free(work);
    return s;
}

static void straight_free(straight *s)
{
    kane_modes_free(s->modes);
    kane_linear_free(s->linear);
    wagon_free(&s->w);
}

// A run that starts a little off the equilibrium, in the shape of one mode, and the mode's own course, compared in all
// coordinates. A displacement ten times as large would show what is not linear about the contacts.
static void follow_mode(straight *s, int mode)
{
    const double size = 1e-5, time = 0.6;
    const kane_mode *m = kane_modes_get(s->modes, mode);
    const int n        = kane_model_state_count(s->w.model);
    double at[STATES_MOST], y[STATES_MOST], re[STATES_MOST], im[STATES_MOST], before[6 * BODIES], after[6 * BODIES];
    kane_errors errors = {0};
    memcpy(at, kane_simulation_state(s->w.simulation), (size_t)n * sizeof *at);
    wagon_coordinates(&s->w, before);
    kane_modes_state(s->modes, mode, re, im);
    for (int i = 0; i < n; i++)
        y[i] = at[i] + size * re[i];
    assert_int_equal(kane_simulation_start_from(s->w.simulation, 0.0, y, &errors), KANE_OK);
    assert_true(wagon_go(&s->w, time));
    wagon_coordinates(&s->w, after);
    const double factor = size * exp(m->re * time), phase = m->im * time;
    for (int j = 0; j < BODIES; j++) {
        double a[6], b[6];
        kane_modes_shape(s->modes, mode, j, a, b);
        for (int c = 0; c < 6; c++) {
            if (j > 0 && c == KANE_PITCH) // spins
                continue;
            const double expected = factor * (a[c] * cos(phase) - b[c] * sin(phase)),
                         moved    = after[6 * j + c] - before[6 * j + c];
            check_near(moved, expected, 1e-4 * factor);
        }
    }
    assert_int_equal(kane_simulation_start_from(s->w.simulation, 0.0, at, &errors), KANE_OK);
}

static void a_run_decays_as_its_modes(void **state)
{
    static const char *const settings[] = {TIGHTER, "integrator.order=5", NULL};
    int followed                        = 0;
    (void)state;
    straight s = straight_find("wagon-transition", settings, KANE_MOVING);
    for (int i = 0; i < kane_modes_count(s.modes); i++) {
        const kane_mode *m = kane_modes_get(s.modes, i);
        if (m->kind != KANE_MODE_OSCILLATES || m->natural > 4.0)
            continue;
        follow_mode(&s, i);
        followed++;
    }
    assert_int_equal(followed, 7);
    straight_free(&s);
}

// Left and right are the same: a mode moves along, up and down and pitches, or it moves sideways, yaws and rolls.
static void modes_are_symmetric_or_antisymmetric(void **state)
{
    static const unsigned sideways      = KANE_FREEDOM(KANE_Y) | KANE_FREEDOM(KANE_YAW) | KANE_FREEDOM(KANE_ROLL);
    static const char *const settings[] = {NULL};
    int kinds[2]                        = {0, 0};
    (void)state;
    straight s = straight_find("wagon-transition", settings, KANE_MOVING);
    for (int i = 0; i < kane_modes_count(s.modes); i++) {
        double most[2] = {0.0, 0.0};
        for (int j = 0; j < BODIES; j++) {
            double a[6], b[6];
            kane_modes_shape(s.modes, i, j, a, b);
            for (int c = 0; c < 6; c++) {
                const int k = (KANE_FREEDOM(c) & sideways) != 0;
                most[k]     = fmax(most[k], hypot(a[c], b[c]));
            }
        }
        check_near(fmin(most[0], most[1]), 0.0, 1e-6 * fmax(most[0], most[1]));
        kinds[most[1] > most[0]]++;
    }
    assert_true(kinds[0] > 5 && kinds[1] > 5);
    straight_free(&s);
}

// The greatest displacement, turns times the radius of gyration, is 1 m at phase 0.
static void shapes_have_their_scale(void **state)
{
    static const char *const settings[] = {NULL};
    static const int axis[]             = {0, 0, 0, 2, 0, 1}; // of turns: yaw about z, roll about x, pitch about y
    (void)state;
    straight s = straight_find("wagon-transition", settings, KANE_MOVING);
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
    straight_free(&s);
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

static void moving_and_fixed_frames_have_the_same_modes(void **state)
{
    static const char *const settings[] = {NULL};
    (void)state;
    straight moving = straight_find("wagon-transition", settings, KANE_MOVING),
             fixed  = straight_find("wagon-transition", settings, KANE_FIXED);
    check_same(&moving, &fixed, 1000.0, 1e-9);
    assert_int_equal(kane_modes_count(moving.modes), kane_modes_count(fixed.modes));
    straight_free(&moving);
    straight_free(&fixed);
}

// Wheels on constraints leave no spurious modes, and those that they leave are those of tables of the same contact, which
// solves height and roll beforehand: exact but for the tables' interpolation.
static void constraints_and_tables_have_the_same_modes(void **state)
{
    static const char *const constraint[] = {"vehicle.patterns.wheelset.contact.way=constraint", NULL};
    static const char *const tables[]     = {"vehicle.patterns.wheelset.contact.way=tables", NULL};
    (void)state;
    straight a = straight_find("wagon-transition", constraint, KANE_MOVING),
             b = straight_find("wagon-transition", tables, KANE_MOVING);
    check_same(&a, &b, 100.0, 1e-4);
    assert_int_equal(kane_linear_count(a.linear), kane_linear_count(b.linear));
    assert_int_equal(kane_modes_count(a.modes), kane_modes_count(b.modes));
    straight_free(&a);
    straight_free(&b);
}

// A vehicle that nothing drives rolls on: to those of a prescribed speed come its own speed, which nothing holds, and the way
// that its frames follow it, x'' = -4 x' - 4 x.
static void a_rolling_wagon_has_its_speed_as_a_mode(void **state)
{
    static const char *const settings[] = {NULL};
    int follows = 0, rolls = 0, found = 0, count = 0;
    (void)state;
    straight a = straight_find("wagon-transition", settings, KANE_MOVING);
    straight b = straight_find("wagon-driven", settings, KANE_MOVING);
    for (int i = 0; i < kane_modes_count(b.modes); i++) {
        const kane_mode *m = kane_modes_get(b.modes, i);
        follows += hypot(m->re + 2.0, m->im) < 1e-3; // a double one
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
    assert_int_equal(kane_linear_count(b.linear), kane_linear_count(a.linear) + 3);
    straight_free(&a);
    straight_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_decays_as_its_modes),
        cmocka_unit_test(modes_are_symmetric_or_antisymmetric),
        cmocka_unit_test(shapes_have_their_scale),
        cmocka_unit_test(moving_and_fixed_frames_have_the_same_modes),
        cmocka_unit_test(a_rolling_wagon_has_its_speed_as_a_mode),
        cmocka_unit_test(constraints_and_tables_have_the_same_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
