// SPDX-License-Identifier: MIT
// The Manchester coach as tests use it.

#ifndef KANE_TESTS_COACH_H
#define KANE_TESTS_COACH_H

#include "property/wagon/wagon.h"

enum { CAR, LEADING_BOGIE, TRAILING_BOGIE, FIRST_WHEELSET, BODIES = 7, COORDINATES = 6 * BODIES };
enum { FIRST_SPRING = 8 }; // of the secondary suspension, after the axle boxes

static inline void coach_coordinates(wagon *w, double q[COORDINATES])
{
    double rates[6];
    const kane_work *work = kane_simulation_work(w->simulation);
    for (int j = 0; j < BODIES; j++)
        kane_get_relative(w->model, work, j, q + 6 * j, rates);
}

// Two runs side by side; b is the mirror image of a, or the same. Wheel loads in newtons, coordinates of all bodies
// from the first one on within `near`.
static inline void coach_check_bodies_alike(int first, const char *const *settings_a, const char *const *settings_b,
                                            int mirrored, double near, double near_Q)
{
    CHECK_FREED(wagon) a = wagon_open("coach-curve", settings_a), b = wagon_read("coach-curve", settings_b);
    wagon_start(&b);
    for (int i = 1;; i++) {
        double qa[COORDINATES], qb[COORDINATES];
        if (!wagon_go(&a, 0.25 * i) || !wagon_go(&b, 0.25 * i))
            break;
        coach_coordinates(&a, qa);
        coach_coordinates(&b, qb);
        for (int k = 6 * first; k < COORDINATES; k++) {
            const int c       = k % 6;
            const double sign = mirrored && (c == KANE_Y || c == KANE_YAW || c == KANE_ROLL) ? -1.0 : 1.0;
            if (c != KANE_PITCH || k < 6 * FIRST_WHEELSET)
                check_near(qb[k], sign * qa[k], near);
        }
        for (int j = FIRST_WHEELSET; j < BODIES; j++)
            check_near(wagon_Q(&a, j, KANE_LEFT), wagon_Q(&b, j, mirrored ? KANE_RIGHT : KANE_LEFT), near_Q);
    }
    assert_true(kane_simulation_time(a.simulation) > 6.0);
}

static inline void coach_check_alike(const char *const *settings_a, const char *const *settings_b, int mirrored,
                                     double near, double near_Q)
{
    coach_check_bodies_alike(CAR, settings_a, settings_b, mirrored, near, near_Q);
}

#endif
