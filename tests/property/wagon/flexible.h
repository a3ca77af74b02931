// SPDX-License-Identifier: MIT
// The wagon on flexible track: its panels' numbers, and states that are set by hand.

#ifndef KANE_TESTS_FLEXIBLE_H
#define KANE_TESTS_FLEXIBLE_H

#include "property/wagon/wagon.h"

enum { PANEL = 3, Y_OF = 0, Z_OF = 1, ROLL_OF = 2 }; // panels stand behind the three bodies

#define CONES "vehicle.patterns.wheelset.profile=cone", "track.rail.profile=round"

static const double g = 9.81, m_wheelset = 1250.0, load = 36500.0 * 9.81 / 2.0; // of one wheelset on the rails [N]
static const double inertia[3] = {900.0, 850.0, 450.0}, stiffness[3] = {20e6, 140e6, 80e6},
                    damping[3] = {80e3, 260e3, 150e3};

static inline int state_of(const wagon *w, int panel, int which)
{
    static const int coordinate[3] = {KANE_Y, KANE_Z, KANE_ROLL};
    return w->model->bodies[PANEL + panel].q + coordinate[which];
}

static inline int speed_of(const wagon *w, int panel, int which)
{
    return w->model->bodies[PANEL + panel].u + which;
}

static inline void copy_state(const wagon *w, double *y)
{
    memcpy(y, kane_simulation_state(w->simulation), (size_t)kane_model_state_count(w->model) * sizeof *y);
}

static inline void evaluate(wagon *w, kane_work *work, const double *y, double *ydot)
{
    kane_work_locate(w->model, work, 0.0, y);
    assert_int_equal(kane_eval(w->model, work, 0.0, y, ydot), KANE_OK);
}

static inline kane_work *make_work(const wagon *w)
{
    return CHECK_GOOD(kane_work_create, w->model);
}

#endif
