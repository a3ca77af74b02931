// SPDX-License-Identifier: MIT
// Inertia of a deformable body beyond that of the rigid one and its modes' own, written once for numbers and for
// numbers with changes (tree/change.h, chosen by the including file). Axes of the carrier, about its origin.
//
// With the sums over masses m at b, displacements S q (kane/deformable.h):
//
//   sigma = sum C_i q_i + 1/2 sum Z_ij q_i q_j       J = sum J1_i q_i + sum J2_ij q_i q_j
//   c_i   = sum m b x b_i = c0_i + sum_j (g_ji + y_ij) q_j       h = sum c_i q_i'
//
// with Z, y: momentum_second, turning_second, symmetric; b_i = db/dq_i. g is antisymmetric, g_ji = -g_ij, and cancels
// in sum c_i' q_i'; y cancels in  c_i' - dh/dq_i = 2 sum_j g_ji q_j'.
//
// Derived from d'Alembert's sums; the same by Lagrange's equations of  T = 1/2 w J w + w.h + v.(w x sigma + sigma')
// (docs/theory.md).

#ifndef KANE_TREE_FLEX_INERTIA_H
#define KANE_TREE_FLEX_INERTIA_H

#include "tree/change.h"
#include "tree/flex.h"

// Wrench on the carrier and forces on the modes.
typedef struct flex_wrench {
    kane_scalar3 n, f;
    kane_scalar *mode;             // [count]
    kane_vec3 *turning, *momentum; // values of c_i, and of sum m b_i; NULL: not wanted, both [count]
} flex_wrench;

// Sums over the modes at q, q'.
typedef struct flex_sums {
    kane_scalar3 sigma, sigma_dot, h;
    kane_scalar3 shakes, twirls; // sum Z_ij q_i' q_j', sum y_ij q_i' q_j'
    kane_scalar J[6], J_dot[6];
} flex_sums;

// J a, J = xx yy zz xy xz yz.
static inline kane_scalar3 flex_sym_mulv(const kane_scalar J[6], kane_scalar3 a)
{
    const kane_scalar3 x = ks3(J[0], J[3], J[4]), y = ks3(J[3], J[1], J[5]), z = ks3(J[4], J[5], J[2]);
    return ks3(ks3_dot(x, a), ks3_dot(y, a), ks3_dot(z, a));
}

// What one mode has at q, q': sum m b_i, c_i, sum_j g_ji q_j', and dJ/dq_i; sum_j Z_ij q_j', sum_j y_ij q_j'.
typedef struct flex_mode {
    kane_scalar3 momentum, turning, gyration, shakes, twirls;
    kane_scalar J[6];
} flex_mode;

#ifdef KANE_TREE_CHANGES
static inline void flex_set_tangent(kane_scalar *to, int lane, double value)
{
    if (lane < 2)
        to->t.a[lane] = value;
    else
        to->t.b[lane - 2] = value;
}

static inline void flex_set_tangents(kane_scalar3 *to, int lane, kane_vec3 a)
{
    flex_set_tangent(&to->x, lane, a.x);
    flex_set_tangent(&to->y, lane, a.y);
    flex_set_tangent(&to->z, lane, a.z);
}

// Tangents by the modes' coordinates and speeds of a batch: it is linear in these, so they are tables.
static inline void flex_mode_set_tangents(const kane_flex *flex, const kane_flex_changes *changes, int i, flex_mode *m)
{
    for (int lane = 0; lane < KANE_CHANGES; lane++) {
        const int j = changes->mode[lane], at = i * flex->count + j;
        if (j < 0)
            continue;
        const int second  = flex->momentum_second != NULL;
        const kane_vec3 g = flex->gyration[j * flex->count + i], none = kv3_zero();
        const kane_vec3 Z = second ? flex->momentum_second[at] : none, y = second ? flex->turning_second[at] : none;
        if (changes->is_speed[lane]) {
            flex_set_tangents(&m->gyration, lane, g);
            flex_set_tangents(&m->shakes, lane, Z);
            flex_set_tangents(&m->twirls, lane, y);
            continue;
        }
        flex_set_tangents(&m->turning, lane, kv3_add(g, y));
        flex_set_tangents(&m->momentum, lane, Z);
        for (int k = 0; k < 6 && flex->second; k++)
            flex_set_tangent(&m->J[k], lane, 2.0 * flex->second[at][k]);
    }
}
#endif

static inline flex_mode flex_mode_at(const kane_flex *flex, int i, const double *q,
                                     const double *v WITH_CHANGE(, const kane_flex_changes *changes))
{
    kane_vec3 momentum = flex->momentum[i], turning = flex->turning[i], gyration = kv3_zero();
    kane_vec3 shakes = gyration, twirls = gyration;
    double J[6];
    for (int k = 0; k < 6; k++)
        J[k] = flex->inertia[i][k];
    for (int j = 0; j < flex->count; j++) {
        const kane_vec3 g = flex->gyration[j * flex->count + i];
        turning           = kv3_add_scaled(turning, q[j], g);
        gyration          = kv3_add_scaled(gyration, v[j], g);
    }
    for (int j = 0; j < flex->count && flex->second; j++)
        for (int k = 0; k < 6; k++)
            J[k] += 2.0 * flex->second[i * flex->count + j][k] * q[j];
    for (int j = 0; j < flex->count && flex->momentum_second; j++) {
        const kane_vec3 Z = flex->momentum_second[i * flex->count + j], y = flex->turning_second[i * flex->count + j];
        momentum = kv3_add_scaled(momentum, q[j], Z);
        turning  = kv3_add_scaled(turning, q[j], y);
        shakes   = kv3_add_scaled(shakes, v[j], Z);
        twirls   = kv3_add_scaled(twirls, v[j], y);
    }
    flex_mode m = {.momentum = ks3_constant(momentum),
                   .turning  = ks3_constant(turning),
                   .gyration = ks3_constant(gyration),
                   .shakes   = ks3_constant(shakes),
                   .twirls   = ks3_constant(twirls)};
    for (int k = 0; k < 6; k++)
        m.J[k] = ks_constant(J[k]);
    WITH_CHANGE(flex_mode_set_tangents(flex, changes, i, &m);)
    return m;
}

// Adds s a to the value of a sum.
static inline void flex_add_value(kane_scalar3 *sum, double s, kane_vec3 a)
{
    sum->x.v += s * a.x;
    sum->y.v += s * a.y;
    sum->z.v += s * a.z;
}

#ifdef KANE_TREE_CHANGES
// Changes of the sums with the coordinate or the speed of mode i, in a lane:
//   by q_i    sigma: C_i,   sigma': sum Z_ij q_j',   h: sum (g_ij + y_ij) q_j',   J: dJ/dq_i,   J': 2 sum J2_ij q_j'
//   by q_i'   sigma': C_i,   h: c_i,   shakes: 2 sum Z_ij q_j',   twirls: 2 sum y_ij q_j',   J': dJ/dq_i
static inline void flex_sums_set_tangents(const kane_flex *flex, int i, const flex_mode *m, const double *v, int lane,
                                          int is_speed, flex_sums *s)
{
    kane_vec3 h     = ks3_value(m->twirls);
    double J_dot[6] = {0.0};
    for (int k = 0; k < 6; k++)
        flex_set_tangent(is_speed ? &s->J_dot[k] : &s->J[k], lane, ks_value(m->J[k]));
    flex_set_tangents(is_speed ? &s->sigma_dot : &s->sigma, lane, ks3_value(m->momentum));
    if (is_speed) {
        flex_set_tangents(&s->h, lane, ks3_value(m->turning));
        flex_set_tangents(&s->shakes, lane, kv3_scale(2.0, ks3_value(m->shakes)));
        flex_set_tangents(&s->twirls, lane, kv3_scale(2.0, ks3_value(m->twirls)));
        return;
    }
    for (int j = 0; j < flex->count; j++) {
        h = kv3_add_scaled(h, v[j], flex->gyration[i * flex->count + j]);
        for (int k = 0; k < 6 && flex->second; k++)
            J_dot[k] += 2.0 * flex->second[i * flex->count + j][k] * v[j];
    }
    flex_set_tangents(&s->sigma_dot, lane, ks3_value(m->shakes));
    flex_set_tangents(&s->h, lane, h);
    for (int k = 0; k < 6; k++)
        flex_set_tangent(&s->J_dot[k], lane, J_dot[k]);
}
#endif

// Adds what mode i has to the sums.
static inline void flex_add(const kane_flex *flex, int i, const flex_mode *m, const double *q, const double *v,
                            flex_sums *s WITH_CHANGE(, const kane_flex_changes *changes))
{
    const kane_vec3 C = ks3_value(m->momentum);
    flex_add_value(&s->sigma, 0.5 * q[i], kv3_add(C, flex->momentum[i])); // C q + q Z q/2: half of (C + C + Z q) q
    flex_add_value(&s->sigma_dot, v[i], C);
    flex_add_value(&s->h, v[i], ks3_value(m->turning));
    flex_add_value(&s->shakes, v[i], ks3_value(m->shakes));
    flex_add_value(&s->twirls, v[i], ks3_value(m->twirls));
    for (int k = 0; k < 6; k++) { // J1 q + q J2 q is half of (J1 + dJ/dq) q
        s->J[k].v += 0.5 * (ks_value(m->J[k]) + flex->inertia[i][k]) * q[i];
        s->J_dot[k].v += ks_value(m->J[k]) * v[i];
    }
    WITH_CHANGE(for (int lane = 0; lane < KANE_CHANGES; lane++) if (changes->mode[lane] == i)
                    flex_sums_set_tangents(flex, i, m, v, lane, changes->is_speed[lane], s);)
}

static inline flex_sums flex_nothing(void)
{
    const kane_scalar3 none = ks3_constant(kv3_zero());
    flex_sums s             = {.sigma = none, .sigma_dot = none, .h = none, .shakes = none, .twirls = none};
    for (int k = 0; k < 6; k++)
        s.J[k] = s.J_dot[k] = ks_constant(0.0);
    return s;
}

static inline flex_sums flex_sum(const kane_flex *flex, const double *q,
                                 const double *v WITH_CHANGE(, const kane_flex_changes *changes))
{
    flex_sums s = flex_nothing();
    for (int i = 0; i < flex->count; i++) {
        const flex_mode m = flex_mode_at(flex, i, q, v WITH_CHANGE(, changes));
        flex_add(flex, i, &m, q, v, &s WITH_CHANGE(, changes));
    }
    return s;
}

// Wrench (n, f) on the carrier and generalised forces on the modes that deformation needs. With C_i = sum m b_i at q,
// and J_i = dJ/dq_i:
//   f      = al x sigma + w x (w x sigma) + 2 w x sigma' + sum Z_ij q_i' q_j' + sum C_i q_i''
//   n      = sigma x a + J al + w x (J w + h) + J' w + sum y_ij q_i' q_j' + sum c_i q_i''
//   mode_i = C_i.a + c_i.al + w.(2 sum_j g_ji q_j' - J_i w/2)
//   w; a, al  motion of the carrier's origin;   q_ddot NULL: q'' = 0
static inline void flex_need(const kane_flex *flex, kane_scalar3 w, kane_scalar3 a, kane_scalar3 al, const double *q,
                             const double *v, const double *q_ddot,
                             flex_wrench *out WITH_CHANGE(, const kane_flex_changes *changes))
{
    flex_sums s    = flex_nothing();
    kane_scalar3 n = ks3_constant(kv3_zero()), f = n; // by q''
    for (int i = 0; i < flex->count; i++) {
        const flex_mode m  = flex_mode_at(flex, i, q, v WITH_CHANGE(, changes));
        kane_scalar3 turns = ks3_by(-0.5, flex_sym_mulv(m.J, w));
        flex_add(flex, i, &m, q, v, &s WITH_CHANGE(, changes));
        turns        = ks3_add(turns, ks3_by(2.0, m.gyration));
        out->mode[i] = ks_add(ks_add(ks3_dot(a, m.momentum), ks3_dot(m.turning, al)), ks3_dot(w, turns));
        if (out->turning) {
            out->turning[i]  = ks3_value(m.turning);
            out->momentum[i] = ks3_value(m.momentum);
        }
        if (q_ddot) {
            f = ks3_add(f, ks3_by(q_ddot[i], m.momentum));
            n = ks3_add(n, ks3_by(q_ddot[i], m.turning));
        }
    }
    out->f = ks3_add(f, ks3_add(ks3_cross(al, s.sigma), ks3_cross(w, ks3_cross(w, s.sigma))));
    out->f = ks3_add(out->f, ks3_add(s.shakes, ks3_by(2.0, ks3_cross(w, s.sigma_dot))));
    n      = ks3_add(n, s.twirls);
    out->n = ks3_add(n, ks3_add(ks3_cross(s.sigma, a), flex_sym_mulv(s.J, al)));
    out->n = ks3_add(out->n, ks3_cross(w, ks3_add(flex_sym_mulv(s.J, w), s.h)));
    out->n = ks3_add(out->n, flex_sym_mulv(s.J_dot, w));
}

// Imaginary forces of a frame (a_o, omega o, epsilon e) on the carrier, whose origin is at r and moves with v, w
// relative to it, and on the modes: translation, centrifugal, rotation, gyroscopic; C_i, c_i, J_i as above.
static inline void flex_imaginary(const kane_flex *flex, kane_scalar3 a_o, kane_scalar3 o, kane_scalar3 e,
                                  kane_scalar3 r, kane_scalar3 v, kane_scalar3 w, const double *q, const double *q_dot,
                                  flex_wrench out[4] WITH_CHANGE(, const kane_flex_changes *changes))
{
    enum { TRANSLATION, CENTRIFUGAL, ROTATION, GYROSCOPIC };
    const kane_scalar3 there = ks3_cross(o, ks3_cross(o, r)), turns = ks3_cross(e, r), moves = ks3_cross(o, v);
    flex_sums s = flex_nothing();
    for (int i = 0; i < flex->count; i++) {
        const flex_mode m    = flex_mode_at(flex, i, q, q_dot WITH_CHANGE(, changes));
        const kane_scalar3 c = m.turning, C = m.momentum, Ji = flex_sym_mulv(m.J, o);
        const kane_scalar shakes = ks_add(ks3_dot(moves, C), ks3_dot(o, m.gyration));
        flex_add(flex, i, &m, q, q_dot, &s WITH_CHANGE(, changes));
        out[TRANSLATION].mode[i] = ks_neg(ks3_dot(a_o, C));
        out[CENTRIFUGAL].mode[i] = ks_sub(ks_scale(0.5, ks3_dot(o, Ji)), ks3_dot(there, C));
        out[ROTATION].mode[i]    = ks_neg(ks_add(ks3_dot(turns, C), ks3_dot(c, e)));
        out[GYROSCOPIC].mode[i]  = ks_sub(ks_sub(ks3_dot(w, Ji), ks3_dot(c, ks3_cross(o, w))), ks_scale(2.0, shakes));
    }
    const kane_scalar trace = ks_add(ks_add(s.J[0], s.J[1]), s.J[2]);
    const kane_scalar3 Jo   = flex_sym_mulv(s.J, o);
    const kane_scalar3 gyro = ks3_sub(ks3_scale(trace, o), ks3_by(2.0, Jo));
    const kane_scalar3 rest = ks3_add(flex_sym_mulv(s.J_dot, o), ks3_cross(o, s.h));
    out[TRANSLATION].f      = ks3_constant(kv3_zero());
    out[TRANSLATION].n      = ks3_cross(a_o, s.sigma);
    out[CENTRIFUGAL].f      = ks3_neg(ks3_cross(o, ks3_cross(o, s.sigma)));
    out[CENTRIFUGAL].n      = ks3_sub(ks3_cross(there, s.sigma), ks3_cross(o, Jo));
    out[ROTATION].f         = ks3_cross(s.sigma, e);
    out[ROTATION].n         = ks3_sub(ks3_cross(turns, s.sigma), flex_sym_mulv(s.J, e));
    out[GYROSCOPIC].f       = ks3_by(-2.0, ks3_cross(o, ks3_add(ks3_cross(w, s.sigma), s.sigma_dot)));
    out[GYROSCOPIC].n       = ks3_sub(ks3_sub(ks3_by(2.0, ks3_cross(moves, s.sigma)), ks3_cross(gyro, w)), rest);
}

#ifdef KANE_TREE_CHANGES
// A vector of the axes R, which turn, in those of the frame.
static inline kane_scalar3 flex_in_frame(kane_mat3 R, const kane_link_changes *t, kane_scalar3 a)
{
    const cm turned = cm_turned(R, &t->turn);
    return cm_mulv(&turned, a);
}
#endif

#endif
