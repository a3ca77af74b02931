// SPDX-License-Identifier: MIT
// Inertia of a body or of several about one point: symmetric 3x3 matrices by six numbers, and kane_spatial.

#ifndef KANE_TREE_SPATIAL_H
#define KANE_TREE_SPATIAL_H

#include "tree/tree.h"

// A turned about its own axis by an angle.
static inline kane_mat3 matrix_turned(kane_mat3 A, int axis, double angle)
{
    const double s = sin(angle), c = cos(angle);
    return axis == 0 ? km3_turn_x(A, s, c) : axis == 1 ? km3_turn_y(A, s, c) : km3_turn_z(A, s, c);
}

// Symmetric matrices: xx yy zz xy xz yz.
static inline kane_vec3 ksym_mulv(const double S[6], kane_vec3 x)
{
    return kv3(S[0] * x.x + S[3] * x.y + S[4] * x.z, S[3] * x.x + S[1] * x.y + S[5] * x.z,
               S[4] * x.x + S[5] * x.y + S[2] * x.z);
}

// R S R'
static inline void ksym_turn(kane_mat3 R, const double S[6], double out[6])
{
    // columns of R S
    const kane_vec3 x = kv3_add_scaled(kv3_add_scaled(kv3_scale(S[0], R.x), S[3], R.y), S[4], R.z);
    const kane_vec3 y = kv3_add_scaled(kv3_add_scaled(kv3_scale(S[3], R.x), S[1], R.y), S[5], R.z);
    const kane_vec3 z = kv3_add_scaled(kv3_add_scaled(kv3_scale(S[4], R.x), S[5], R.y), S[2], R.z);
    out[0]            = x.x * R.x.x + y.x * R.y.x + z.x * R.z.x;
    out[1]            = x.y * R.x.y + y.y * R.y.y + z.y * R.z.y;
    out[2]            = x.z * R.x.z + y.z * R.y.z + z.z * R.z.z;
    out[3]            = x.x * R.x.y + y.x * R.y.y + z.x * R.z.y;
    out[4]            = x.x * R.x.z + y.x * R.y.z + z.x * R.z.z;
    out[5]            = x.y * R.x.z + y.y * R.y.z + z.y * R.z.z;
}

// S^-1; not finite if S is singular
static inline void ksym_inverse(const double S[6], double out[6])
{
    const double xx = S[1] * S[2] - S[5] * S[5], xy = S[4] * S[5] - S[3] * S[2], xz = S[3] * S[5] - S[4] * S[1];
    const double d = 1.0 / (S[0] * xx + S[3] * xy + S[4] * xz);
    out[0]         = d * xx;
    out[1]         = d * (S[0] * S[2] - S[4] * S[4]);
    out[2]         = d * (S[0] * S[1] - S[3] * S[3]);
    out[3]         = d * xy;
    out[4]         = d * xz;
    out[5]         = d * (S[3] * S[4] - S[0] * S[5]);
}

// S -= a b', where a is parallel to b
static inline void ksym_sub_outer(double S[6], kane_vec3 a, kane_vec3 b)
{
    S[0] -= a.x * b.x;
    S[1] -= a.y * b.y;
    S[2] -= a.z * b.z;
    S[3] -= a.x * b.y;
    S[4] -= a.x * b.z;
    S[5] -= a.y * b.z;
}

// A -= a b'
static inline void ksp_sub_outer(kane_mat3 *A, kane_vec3 a, kane_vec3 b)
{
    A->x = kv3_add_scaled(A->x, -b.x, a);
    A->y = kv3_add_scaled(A->y, -b.y, a);
    A->z = kv3_add_scaled(A->z, -b.z, a);
}

// Adds an inertia that is about a point at rho from that of the sum:
//   M, H + [rho] M, J - H [rho] + [rho] (H + [rho] M)'
static inline void ksp_add_shifted(kane_spatial *sum, const kane_spatial *I, kane_vec3 rho)
{
    const double *M = I->M;
    kane_mat3 G; // H + [rho] M
    G.x = kv3_add(I->H.x, kv3_cross(rho, kv3(M[0], M[3], M[4])));
    G.y = kv3_add(I->H.y, kv3_cross(rho, kv3(M[3], M[1], M[5])));
    G.z = kv3_add(I->H.z, kv3_cross(rho, kv3(M[4], M[5], M[2])));

    for (int i = 0; i < 6; i++)
        sum->M[i] += M[i];
    sum->H = km3_add(sum->H, G);

    // column j of -H [rho] is H (e_j x rho); column j of [rho] G' is rho x (row j of G)
    const kane_vec3 gx = kv3(G.x.x, G.y.x, G.z.x), gy = kv3(G.x.y, G.y.y, G.z.y), gz = kv3(G.x.z, G.y.z, G.z.z);
    const kane_mat3 *H = &I->H;
    sum->J[0] += I->J[0] + (H->z.x * rho.y - H->y.x * rho.z) + (rho.y * gx.z - rho.z * gx.y);
    sum->J[1] += I->J[1] + (H->x.y * rho.z - H->z.y * rho.x) + (rho.z * gy.x - rho.x * gy.z);
    sum->J[2] += I->J[2] + (H->y.z * rho.x - H->x.z * rho.y) + (rho.x * gz.y - rho.y * gz.x);
    sum->J[3] += I->J[3] + (H->x.x * rho.z - H->z.x * rho.x) + (rho.y * gy.z - rho.z * gy.y);
    sum->J[4] += I->J[4] + (H->y.x * rho.x - H->x.x * rho.y) + (rho.y * gz.z - rho.z * gz.y);
    sum->J[5] += I->J[5] + (H->y.y * rho.x - H->x.y * rho.y) + (rho.z * gz.x - rho.x * gz.z);
}

// Rigid inertia of a link, about its origin.
static inline kane_spatial ksp_of_link(const kane_link *link, kane_mat3 R)
{
    const double m = link->mass;
    kane_spatial I = {.M = {m, m, m, 0.0, 0.0, 0.0}};
    ksym_turn(R, link->J, I.J);
    I.H = kane_link_has_arm(link) ? km3_skew(km3_mulv(R, kv3_scale(m, link->c))) : km3_zero();
    return I;
}

// J al + H a
static inline kane_vec3 ksp_torque(const kane_spatial *I, kane_vec3 al, kane_vec3 a)
{
    return kv3_add(ksym_mulv(I->J, al), km3_mulv(I->H, a));
}

// H' al + M a
static inline kane_vec3 ksp_force(const kane_spatial *I, kane_vec3 al, kane_vec3 a)
{
    return kv3_add(km3_tmulv(I->H, al), ksym_mulv(I->M, a));
}

// The inverse of an inertia by blocks: with K = H M^-1,
//   al = S (n - K f),   a = M^-1 f - M^-1 H' al,   S = (J - K H')^-1
typedef struct kane_spatial_inverse {
    double M[6], S[6]; // M^-1; S
    kane_mat3 K;       // by rows
} kane_spatial_inverse;

// K = H M^-1,   S = (J - H M^-1 H')^-1
static inline kane_spatial_inverse ksp_inverse(const kane_spatial *I)
{
    const kane_mat3 Ht = km3_transpose(I->H); // columns: rows of H
    kane_spatial_inverse out;
    ksym_inverse(I->M, out.M);
    out.K             = (kane_mat3){ksym_mulv(out.M, Ht.x), ksym_mulv(out.M, Ht.y), ksym_mulv(out.M, Ht.z)};
    const double S[6] = {I->J[0] - kv3_dot(out.K.x, Ht.x), I->J[1] - kv3_dot(out.K.y, Ht.y),
                         I->J[2] - kv3_dot(out.K.z, Ht.z), I->J[3] - kv3_dot(out.K.x, Ht.y),
                         I->J[4] - kv3_dot(out.K.x, Ht.z), I->J[5] - kv3_dot(out.K.y, Ht.z)};
    ksym_inverse(S, out.S);
    return out;
}

// Accelerations (torque: al, force: a) under a wrench.
static inline kane_wrench ksp_accelerate(const kane_spatial *I, const kane_spatial_inverse *inverse, kane_wrench w)
{
    const kane_vec3 al = ksym_mulv(inverse->S, kv3_sub(w.torque, km3_tmulv(inverse->K, w.force)));
    return (kane_wrench){ksym_mulv(inverse->M, kv3_sub(w.force, km3_tmulv(I->H, al))), al};
}

// === Wrench of a composite body under the acceleration of one of its speeds: columns of Theta.

// Whether the wrench of a link and all beyond it is transmitted to its parent.
static inline int composite_loads_parent(const kane_link *link)
{
    return link->kind != KANE_LINK_BODY && link->parent >= 0;
}

// Rows of a wrench along the speeds of a link: of a KANE_LINK_BODY along the axes of the frame.
static inline void composite_project(const kane_link *link, const kane_tree_work *work, kane_wrench w, double out[6])
{
    if (link->kind == KANE_LINK_BODY) {
        out[0] = w.force.x;
        out[1] = w.force.y;
        out[2] = w.force.z;
        out[3] = w.torque.x;
        out[4] = w.torque.y;
        out[5] = w.torque.z;
        return;
    }
    for (int k = 0; k < link->v_count; k++) {
        const kane_axis_state *x = &work->axis[link->v + k];
        out[k]                   = kv3_dot(x->e, w.torque) + kv3_dot(x->l, w.force);
    }
}

// How its speed k moves it: velocity of its origin as force, angular velocity as torque.
static inline kane_wrench composite_motion(const kane_link *link, const kane_tree_work *work, int k)
{
    if (link->kind == KANE_LINK_BODY)
        return (kane_wrench){k < 3 ? kv3_unit(k) : kv3_zero(), k < 3 ? kv3_zero() : kv3_unit(k - 3)};
    return (kane_wrench){work->axis[link->v + k].l, work->axis[link->v + k].e};
}

// The wrench that accelerates an inertia so, about the same point.
static inline kane_wrench composite_needs(const kane_spatial *I, kane_wrench motion)
{
    return (kane_wrench){ksp_force(I, motion.torque, motion.force), ksp_torque(I, motion.torque, motion.force)};
}

#endif
