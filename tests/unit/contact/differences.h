// SPDX-License-Identifier: MIT
// Differences of the contact's wrench, to compare derivatives with.

#ifndef KANE_TESTS_CONTACT_DIFFERENCES_H
#define KANE_TESTS_CONTACT_DIFFERENCES_H

#include "unit/contact/rig.h"

// Displaces a motion by h in one of the twelve directions.
static inline void displace(kane_wheel_motion *m, int direction, double h)
{
    const double u[3] = {direction % 3 == 0 ? h : 0.0, direction % 3 == 1 ? h : 0.0, direction % 3 == 2 ? h : 0.0};
    const kane_vec3 d = kv3(u[0], u[1], u[2]);
    switch (direction / 3) {
    case 0: m->centre = kv3_add(m->centre, d); break;
    case 1: { // an exact rotation
        const double sine = sin(h) / h, cosine = (1.0 - cos(h)) / (h * h);
        const kane_vec3 once = kv3_cross(d, m->axle), twice = kv3_cross(d, once);
        m->axle = kv3_add(m->axle, kv3_add(kv3_scale(sine, once), kv3_scale(cosine, twice)));
        break;
    }
    case 2: m->velocity = kv3_add(m->velocity, d); break;
    default: m->omega = kv3_add(m->omega, d);
    }
}

static inline void rows_at(const kane_contact *c, kane_side side, kane_wheel_motion m, int direction, double h,
                           double rows[6])
{
    displace(&m, direction, h);
    const kane_contact_result r = rig_eval(c, side, &m);
    memcpy(rows, &r.on_wheel, 6 * sizeof *rows);
}

static inline double norm(const double *v)
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Central differences for steps that shrink by 1.7, extrapolated to zero (Ridders, Adv. Eng. Softw. 4, 1982). Returns
// the best column; *doubt: what it may be off.
static inline void extrapolate(const kane_contact *c, kane_side side, const kane_wheel_motion *m, int direction,
                               double h, double column[6], double *doubt)
{
    enum { STEPS = 8 };
    double table[STEPS][STEPS][6], best = 1e300;
    for (int i = 0; i < STEPS; i++, h /= 1.7) {
        double up[6], down[6], power = 1.7 * 1.7;
        rows_at(c, side, *m, direction, h, up);
        rows_at(c, side, *m, direction, -h, down);
        for (int k = 0; k < 6; k++)
            table[0][i][k] = (up[k] - down[k]) / (2.0 * h);
        for (int j = 1; j <= i; j++, power *= 1.7 * 1.7) {
            double change = 0.0;
            for (int k = 0; k < 6; k++) {
                table[j][i][k] = (power * table[j - 1][i][k] - table[j - 1][i - 1][k]) / (power - 1.0);
                change         = fmax(change, fabs(table[j][i][k] - table[j - 1][i][k]));
                change         = fmax(change, fabs(table[j][i][k] - table[j - 1][i - 1][k]));
            }
            if (change < best) {
                best = change;
                memcpy(column, table[j][i], 6 * sizeof *column);
            }
        }
    }
    *doubt = best;
}

// The largest error of the columns y to yaw, in parts of the column, of 3e-4 of that of z and, for pitch and yaw, of 33
// times the forces (per radian); negative where the differences do not know better than `doubtful` of it.
static inline double worst_error(const kane_contact *c, kane_side side, const kane_wheel_motion *m, double approach,
                                 double doubtful)
{
    static const double steps[6] = {0.0, 0.05, 0.02, 0.03, 0.5, 0.3};
    const kane_contact_result r  = rig_eval(c, side, m);
    double d[6][12], worst = 0.0;
    assert_int_equal(kane_contact_derive(c, side, m, d), KANE_OK);
    for (int k = 1; k < 6; k++) {
        double expected[6] = {0.0}, error[6], by_z[6], doubt;
        extrapolate(c, side, m, k, fmin(steps[k] * approach, 3e-6), expected, &doubt);
        for (int i = 0; i < 6; i++) {
            error[i] = d[i][k] - expected[i];
            by_z[i]  = d[i][2];
        }
        const double more   = k > 3 ? 33.0 * kv3_norm(r.on_wheel.force) : 0.0;
        const double force  = norm(expected) + 3e-4 * norm(by_z) + more,
                     torque = norm(expected + 3) + 3e-4 * norm(by_z + 3) + more;
        if (doubt > doubtful * fmin(force, torque))
            return -1.0;
        worst = fmax(worst, fmax(norm(error) / force, norm(error + 3) / torque));
    }
    return worst;
}

// For qsort.
static inline int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
