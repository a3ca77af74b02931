// SPDX-License-Identifier: MIT
// Sweeps: a wheel on a straight way through its poses, and where its force jumps there.

#ifndef KANE_TESTS_CONTACT_SWEEP_H
#define KANE_TESTS_CONTACT_SWEEP_H

#include "unit/contact/rig.h"

enum { Y, Z, ROLL, YAW };

static inline void set(rig_pose *p, int variable, double value)
{
    double *const values[4] = {&p->y, &p->z, &p->roll, &p->yaw};
    *values[variable]       = value;
}

static inline double get(const rig_pose *p, int variable)
{
    const double values[4] = {p->y, p->z, p->roll, p->yaw};
    return values[variable];
}

// The place t in [0, 1] of a straight way through the poses.
static inline rig_pose on_the_way(const rig_pose *from, const rig_pose *to, double t)
{
    rig_pose p;
    for (int v = 0; v < 4; v++)
        set(&p, v, get(from, v) + (get(to, v) - get(from, v)) * t);
    return p;
}

static inline double lift(const kane_contact *c, const rig_pose *from, const rig_pose *to, double t)
{
    const kane_wheel_motion m   = rig_motion(c, 0.46, KANE_LEFT, on_the_way(from, to, t), 0.0, 0.0);
    const kane_contact_result r = rig_eval(c, KANE_LEFT, &m);
    return r.on_wheel.force.z;
}

// What is left of the vertical force's change over a step that is halved thirty times, each time to the half that
// changes more than `slope` says: a jump.
static inline double halve(const kane_contact *c, const rig_pose *from, const rig_pose *to, double low, double high,
                           double slope)
{
    double f_low = lift(c, from, to, low), f_high = lift(c, from, to, high);
    for (int i = 0; i < 30; i++) {
        const double middle = 0.5 * (low + high), f = lift(c, from, to, middle), expected = slope * (middle - low);
        if (fabs(f - f_low - expected) > fabs(f_high - f - expected)) {
            high   = middle;
            f_high = f;
        } else {
            low   = middle;
            f_low = f;
        }
    }
    return fabs(f_high - f_low);
}

// The largest jump of the vertical force, looked for in steps that are less like their neighbours than those are like
// theirs.
static inline double true_jump(const kane_contact *c, const rig_pose *from, const rig_pose *to)
{
    enum { STEPS = 1600 };
    double odd[STEPS] = {0.0}, step[STEPS], largest = 0.0, before = lift(c, from, to, 0.0);
    for (int i = 0; i < STEPS; i++) {
        const double here = lift(c, from, to, (i + 1.0) / STEPS);
        step[i]           = here - before;
        before            = here;
    }
    for (int i = 1; i + 1 < STEPS; i++)
        odd[i] = fabs(step[i] - 0.5 * (step[i - 1] + step[i + 1]));
    for (int i = 1; i + 1 < STEPS; i++)
        if (odd[i] > 2e-4 && odd[i] >= odd[i - 1] && odd[i] >= odd[i + 1])
            largest = fmax(largest, halve(c, from, to, (double)i / STEPS, (i + 1.0) / STEPS,
                                          0.5 * (step[i - 1] + step[i + 1]) * STEPS));
    return largest;
}

// The way of one variable over its span from a wheel that carries the load; the height keeps the load at both ends,
// unless it is what varies.
static inline void sweep_ends(const kane_contact *c, int variable, double load, rig_pose *from, rig_pose *to)
{
    static const double span[4] = {0.5e-3, 1.5e-5, 1e-3, 2e-3};
    from->z                     = rig_height(c, 0.46, KANE_LEFT, *from, load);
    *to                         = *from;
    set(to, variable, get(to, variable) + span[variable]);
    if (variable != Z)
        to->z = rig_height(c, 0.46, KANE_LEFT, *to, load);
}

#endif
