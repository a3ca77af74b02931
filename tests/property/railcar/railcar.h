// SPDX-License-Identifier: MIT
// The railcar whose axles carry boxes and a motor, and hang on yokes, as tests use it.

#ifndef KANE_TESTS_RAILCAR_H
#define KANE_TESTS_RAILCAR_H

#include "property/wagon/wagon.h"

enum { RAILCAR_BODIES = 15, RAILCAR_AXLES = 4 };

static inline int railcar_axle(const wagon *w, int i)
{
    static const char *const names[RAILCAR_AXLES] = {"wheelset 1", "wheelset 2", "wheelset 3", "wheelset 4"};
    return kane_model_find_body(w->model, names[i]);
}

// The same body on the other side.
static inline int railcar_mirrored(const wagon *w, int j)
{
    static const char *const pairs[][2] = {{"box 1 left", "box 1 right"}, {"box 2 left", "box 2 right"}};
    for (int k = 0; k < 4; k++)
        if (strcmp(kane_model_body_name(w->model, j), pairs[k / 2][k % 2]) == 0)
            return kane_model_find_body(w->model, pairs[k / 2][1 - k % 2]);
    return j;
}

// Two runs side by side; b is the mirror image of a, or the same. Wheel loads in newtons, coordinates within `near`;
// left_out: names of bodies whose coordinates count from another place, NULL: none.
static inline void railcar_check_alike(const char *const *settings_a, const char *const *settings_b, int mirrored,
                                       const char *left_out, double near, double near_Q)
{
    CHECK_FREED(wagon) a = wagon_open("railcar", settings_a), b = wagon_read("railcar", settings_b);
    wagon_start(&b);
    for (int i = 1;; i++) {
        if (!wagon_go(&a, 0.5 * i) || !wagon_go(&b, 0.5 * i))
            break;
        const kane_work *work[2] = {kane_simulation_work(a.simulation), kane_simulation_work(b.simulation)};
        for (int j = 0; j < RAILCAR_BODIES; j++) {
            if (left_out && strstr(left_out, kane_model_body_name(a.model, j)))
                continue;
            const int other = mirrored ? railcar_mirrored(&a, j) : j;
            const int turns =
                a.model->bodies[j].kind == KANE_BODY_SPINNING || strcmp(a.model->bodies[j].name, "rotor") == 0;
            double qa[6], qb[6], rates[6];
            kane_get_relative(a.model, work[0], j, qa, rates);
            kane_get_relative(b.model, work[1], other, qb, rates);
            for (int k = 0; k < 6; k++) {
                const double sign = mirrored && (k == KANE_Y || k == KANE_YAW || k == KANE_ROLL) ? -1.0 : 1.0;
                if (k != KANE_PITCH || !turns)
                    check_near(qb[k], sign * qa[k], near);
            }
        }
        for (int k = 0; k < RAILCAR_AXLES; k++)
            check_near(wagon_Q(&a, railcar_axle(&a, k), KANE_LEFT),
                       wagon_Q(&b, railcar_axle(&b, k), mirrored ? KANE_RIGHT : KANE_LEFT), near_Q);
    }
    assert_true(kane_simulation_time(a.simulation) > 5.0);
}

#endif
