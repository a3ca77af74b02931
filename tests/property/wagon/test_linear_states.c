// SPDX-License-Identifier: MIT
// Vehicles whose elements have states of both sorts, dampers in series and dry friction: equilibrium, and modes that
// show friction that sticks as a spring.

#include "stand.h"

// 6 kN over 2 mm of stick, and a spring of as much.
#define RUBS                                                                                                           \
    "vehicle.elements.rub={\"law\": \"friction\", \"between\": [\"body\", \"leading\"], \"at\": [4.5, 0, 0.46], "      \
    "\"directions\": \"y\", \"force\": 6000, \"stick_displacement\": 2e-3}"
#define SPRINGS                                                                                                        \
    "vehicle.elements.rub={\"law\": \"bushing\", \"between\": [\"body\", \"leading\"], \"at\": [4.5, 0, 0.46], "       \
    "\"stiffness\": [0, 3e6, 0]}"
#define DAMPS                                                                                                          \
    "vehicle.elements.damper={\"law\": \"maxwell\", \"between\": [\"body\", \"leading\"], \"at\": [4.5, 0.9, 0.7], "   \
    "\"to\": [4.5, 0.2, 0.7], \"stiffness\": 2e6, \"damping\": 3e4}"

static kane_modes *modes_of(stand *s, kane_modes_kind kind, int *stuck)
{
    CHECK_OWNED(kane_linear) *linear =
        CHECK_GOOD(kane_linear_create, s->model, kane_steady_work(s->steady), 0.0, kane_steady_state(s->steady));
    kane_modes *modes = CHECK_GOOD(kane_modes_create, linear, kind);
    *stuck            = 0;
    for (int i = 0; i < kane_linear_left_out_count(linear); i++) {
        kane_left_out why;
        (void)kane_linear_left_out(linear, i, &why);
        *stuck += why == KANE_LEFT_STUCK;
    }
    return modes;
}

static void check_springs(kane_modes_kind kind)
{
    const char *const rubs[] = {RUBS, DAMPS, NULL}, *const springs[] = {SPRINGS, DAMPS, NULL};
    int stuck, none;
    CHECK_FREED(stand) a       = stand_at("wagon-transition", rubs, 15.0, (double)INFINITY, 0.0);
    CHECK_FREED(stand) b       = stand_at("wagon-transition", springs, 15.0, (double)INFINITY, 0.0);
    CHECK_OWNED(kane_modes) *p = modes_of(&a, kind, &stuck), *q = modes_of(&b, kind, &none);
    assert_int_equal(stuck, 1);
    assert_int_equal(none, 0);
    assert_int_equal(kane_modes_count(p), kane_modes_count(q));
    for (int i = 0; i < kane_modes_count(p); i++) {
        const kane_mode *m = kane_modes_get(p, i), *n = kane_modes_get(q, i);
        assert_int_equal(m->kind, n->kind);
        if (m->kind == KANE_MODE_INDIFFERENT)
            continue;
        check_near(m->re, n->re, 1e-7 * hypot(n->re, n->im));
        check_near(m->im, n->im, 1e-7 * hypot(n->re, n->im));
    }
}

CHECK_TEST(friction_that_sticks_is_a_spring)
{
    check_springs(KANE_MODES_COMPLETE);
    check_springs(KANE_MODES_UNDAMPED);
}

// In a curve friction keeps the force that it has, none, and dampers in series let go.
CHECK_TEST(states_rest_in_a_curve)
{
    const char *const settings[] = {RUBS, DAMPS, NULL};
    int stuck;
    CHECK_FREED(stand) s           = stand_at("wagon-transition", settings, 15.0, 500.0, 0.1);
    CHECK_FREED(stand) bare        = stand_at("wagon-transition", NULL, 15.0, 500.0, 0.1);
    CHECK_OWNED(kane_modes) *modes = modes_of(&s, KANE_MODES_COMPLETE, &stuck);
    const kane_model *model        = s.model;
    assert_int_equal(model->stateful_count, 2);
    for (int k = 0; k < 2; k++) {
        const kane_element *e = &model->elements[model->stateful[k]];
        const double value    = kane_steady_state(s.steady)[e->state];
        if (e->states[0].memory)
            check_near(value, 0.0, 0.0);
        else
            assert_true(fabs(value) > 1e-4); // the damper has given way by what the bodies have moved
    }
    for (int j = 0; j < 3; j++) {
        double q[6], there[6];
        stand_place(&s, j, q);
        stand_place(&bare, j, there);
        for (int c = 0; c < 5; c++)
            check_near(q[c], there[c], 1e-8);
    }
    assert_int_equal(stuck, 1);
    for (int i = 0; i < kane_modes_count(modes); i++)
        assert_int_not_equal(kane_modes_get(modes, i)->kind, KANE_MODE_INDIFFERENT);
}

CHECK_MAIN(NULL, NULL)
