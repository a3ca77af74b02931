// SPDX-License-Identifier: MIT
// A deformable body that only tests know: masses that two modes move.

#ifndef KANE_TESTS_DEFORMED_BODY_H
#define KANE_TESTS_DEFORMED_BODY_H

#include <kane/deformable.h>

enum { DEFORMED_MASSES = 8, DEFORMED_MODES = 2, DEFORMED_POINTS = 2 };

// A body of masses without any symmetry; its modes are no mean axes.
typedef struct deformed {
    kane_deformable shape;
    kane_deformable_point points[DEFORMED_POINTS];
    double S[DEFORMED_POINTS][3 * DEFORMED_MODES], Psi[DEFORMED_POINTS][3 * DEFORMED_MODES];
    double M[DEFORMED_MODES * DEFORMED_MODES], K[DEFORMED_MODES * DEFORMED_MODES], D[DEFORMED_MODES * DEFORMED_MODES];
    kane_vec3 momentum[DEFORMED_MODES], turning[DEFORMED_MODES], gyration[DEFORMED_MODES * DEFORMED_MODES];
    double inertia[DEFORMED_MODES][6], second[DEFORMED_MODES * DEFORMED_MODES][6];
    // of the rigid body
    double mass, J[6];
    // its masses: where they are and how modes move them
    double m[DEFORMED_MASSES];
    kane_vec3 x[DEFORMED_MASSES], s[DEFORMED_MASSES][DEFORMED_MODES];
    // deformed_shorten: second derivatives of their displacements
    kane_vec3 z[DEFORMED_MASSES][DEFORMED_MODES * DEFORMED_MODES];
    kane_vec3 momentum_second[DEFORMED_MODES * DEFORMED_MODES], turning_second[DEFORMED_MODES * DEFORMED_MODES];
} deformed;

static inline kane_vec3 deformed_vector(int seed, double size)
{
    return kv3(size * ((seed * 7 + 3) % 11 - 5.0), size * ((seed * 5 + 1) % 13 - 6.0),
               size * ((seed * 3 + 7) % 11 - 5.0));
}

// b1 b2' + b2 b1' as inertia has it: 2 (b1.b2) E - b1 b2' - b2 b1', half of it.
static inline void deformed_add_inertia(double m, kane_vec3 a, kane_vec3 b, double J[6])
{
    const double along = kv3_dot(a, b);
    J[0] += m * (along - a.x * b.x);
    J[1] += m * (along - a.y * b.y);
    J[2] += m * (along - a.z * b.z);
    J[3] -= 0.5 * m * (a.x * b.y + a.y * b.x);
    J[4] -= 0.5 * m * (a.x * b.z + a.z * b.x);
    J[5] -= 0.5 * m * (a.y * b.z + a.z * b.y);
}

// The sums that kane/deformable.h asks for.
static inline void deformed_sum(deformed *d)
{
    kane_vec3 centre = kv3_zero();
    for (int k = 0; k < DEFORMED_MASSES; k++) {
        d->mass += d->m[k];
        centre = kv3_add_scaled(centre, d->m[k], d->x[k]);
    }
    for (int k = 0; k < DEFORMED_MASSES; k++) {
        const double m    = d->m[k];
        const kane_vec3 x = d->x[k] = kv3_add_scaled(d->x[k], -1.0 / d->mass, centre);
        deformed_add_inertia(m, x, x, d->J);
        for (int i = 0; i < DEFORMED_MODES; i++) {
            const kane_vec3 s = d->s[k][i];
            d->momentum[i]    = kv3_add_scaled(d->momentum[i], m, s);
            d->turning[i]     = kv3_add_scaled(d->turning[i], m, kv3_cross(x, s));
            deformed_add_inertia(2.0 * m, x, s, d->inertia[i]);
            for (int j = 0; j < DEFORMED_MODES; j++) {
                const int at    = j * DEFORMED_MODES + i;
                d->gyration[at] = kv3_add_scaled(d->gyration[at], m, kv3_cross(d->s[k][j], s));
                d->M[at] += m * kv3_dot(d->s[k][j], s);
                deformed_add_inertia(m, d->s[k][j], s, d->second[at]);
            }
        }
    }
}

static inline void deformed_build(deformed *d, double hz)
{
    static const char *const names[DEFORMED_POINTS] = {"near", "far"};
    static const double K[]                         = {1.0, -0.3, -0.3, 2.5};
    const double omega                              = 2.0 * 3.14159265358979 * hz;
    *d = (deformed){.shape = {.mode_count = DEFORMED_MODES, .point_count = DEFORMED_POINTS}};
    for (int k = 0; k < DEFORMED_MASSES; k++) {
        d->m[k] = 15.0 + 5.0 * (k % 4);
        d->x[k] = deformed_vector(k + 1, 0.15);
        for (int i = 0; i < DEFORMED_MODES; i++)
            d->s[k][i] = deformed_vector(5 * k + 3 * i + 2, 0.01);
    }
    deformed_sum(d);
    for (int i = 0; i < DEFORMED_MODES * DEFORMED_MODES; i++) {
        d->K[i] = omega * omega * K[i];
        d->D[i] = 0.1 * omega * K[i];
    }
    for (int p = 0; p < DEFORMED_POINTS; p++) {
        for (int k = 0; k < 3 * DEFORMED_MODES; k++) {
            d->S[p][k]   = 0.05 * ((double)((5 * k + 3 * p + 2) % 7) / 3.0 - 1.0);
            d->Psi[p][k] = 0.08 * ((double)((3 * k + 4 * p + 1) % 7) / 3.0 - 1.0);
        }
        d->points[p] = (kane_deformable_point){
            .name = names[p], .at = {0.9 * p - 0.4, 0.2 - 0.3 * p, 0.15 * p}, .S = d->S[p], .Psi = d->Psi[p]};
    }
    d->shape.mass      = d->M;
    d->shape.stiffness = d->K;
    d->shape.damping   = d->D;
    d->shape.points    = d->points;
    d->shape.momentum  = d->momentum;
    d->shape.turning   = d->turning;
    d->shape.gyration  = d->gyration;
    d->shape.inertia   = (const double(*)[6])d->inertia;
    d->shape.second    = (const double(*)[6])d->second;
}

// Its masses also move by the squares of the coordinates.
static inline void deformed_shorten(deformed *d)
{
    for (int k = 0; k < DEFORMED_MASSES; k++)
        for (int i = 0; i < DEFORMED_MODES; i++)
            for (int j = 0; j < DEFORMED_MODES; j++) {
                const int at      = j * DEFORMED_MODES + i;
                const kane_vec3 z = d->z[k][at] = deformed_vector(4 * k + 3 * (i + j) + 1, 0.008);
                d->momentum_second[at]          = kv3_add_scaled(d->momentum_second[at], d->m[k], z);
                d->turning_second[at]           = kv3_add_scaled(d->turning_second[at], d->m[k], kv3_cross(d->x[k], z));
                deformed_add_inertia(d->m[k], d->x[k], z, d->second[at]);
            }
    d->shape.momentum_second = d->momentum_second;
    d->shape.turning_second  = d->turning_second;
}

#endif
