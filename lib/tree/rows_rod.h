// SPDX-License-Identifier: MIT
// Rods: the distance of two points; and the forces of a rod with mass on its two links (docs/mechanisms.md, section 4).
//
// Its points move as those of a straight line, so that its kinetic energy depends on the velocities of its ends only,
// by three constants (kane_rod). With p the accelerations of the ends less that of gravity, as bases have them:
//
//   F_1 = -m_11 p_1 - m_12 p_2      F_2 = -m_22 p_2 - m_12 p_1
//
// Imaginary terms (kane_rod.imaginary_as_forces) are the same with the parts X of the frame's motion in place of p,
// term by term. As those of a body they are a force at the mass centre and a torque, with d from the second end to the
// first:
//
//   F = -m ((1 - g) X_1 + g X_2)    T = -J/L^2 d x (X_1 - X_2)      F_1 = (1 - g) F + T x d/L^2 + a force along the rod
//
// so that omitting a term removes a force and a torque.

#ifndef KANE_TREE_ROWS_ROD_H
#define KANE_TREE_ROWS_ROD_H

#include "tree/rows_sides.h"

// Two points and the line between them, in the first one's frame.
typedef struct rod_ends {
    side_motion end[2];   // as links move, each in its own frame
    kane_scalar3 d, v, a; // from the first to the second, and its derivatives in axes that do not turn
    kane_scalar3 arm[2];  // second point from the origins of the two links
    marker_pair frames;   // box, apart, R_21 of it
} rod_ends;

// d does not depend on the observer: points of one frame are compared in it, those of two frames are made absolute.
static inline void rod_ends_see(const row_scene *scene, const kane_constraint_row_set *c, rod_ends *e)
{
    const kane_side_marker *one = &c->side[0], *two = &c->side[1];
    side_motion a = side_carrier(scene, one), b = side_carrier(scene, two);
    marker_pair_set_carriers(scene, one, two, &e->frames, &a, &b);
    if (c->motion)
        side_reach_moving(scene, one, marker_box(&e->frames, 0), c->motion, &a);
    else
        side_reach_point(scene, one, marker_box(&e->frames, 0), &a);
    side_reach_point(scene, two, marker_box(&e->frames, 1), &b);
    e->end[0] = a;
    e->end[1] = b;
    if (e->frames.apart)
        side_carry_over(&scene->frames[one->frame], &scene->frames[two->frame], &e->frames, &b);
    e->d      = ks3_sub(b.p, a.p);
    e->arm[0] = ks3_sub(b.p, a.r);
    e->arm[1] = ks3_sub(b.p, b.r);
    e->v      = ks3_sub(b.v, a.v);
    e->a      = ks3_sub(b.a, a.a);
}

// Phi = (d.d - L^2)/(2 L): metres, smooth, and its multiplier is the rod's force.
//   Phi' = d.v/L      Phi'' = (d.a + v.v)/L
// With L(t) in addition Phi_t = -L' (d.d/L^2 + 1)/2, and its derivative.
static inline void put_length(const row_scene *scene, const kane_constraint_row_set *c, const rod_ends *e, rows *out)
{
    double f[4] = {c->length};
    if (c->length_given)
        kane_tree_given(scene->work, c->length_given, f);
    const double L         = f[0];
    const kane_scalar half = ks_constant(0.5);
    jet3 along             = {.v = ks3_by(1.0 / L, e->d)};
    out->value[0]          = ks_mul(half, ks_sub(ks3_dot(e->d, along.v), ks_constant(L)));
    rows_add_direction_pair(out, 0, &c->side[0], &c->side[1], &e->frames, along.v, ks3_cross(e->arm[0], along.v),
                            ks3_cross(e->arm[1], along.v));
    along.d              = ks3_sub(ks3_by(1.0 / L, e->v), ks3_by(f[1] / (L * L), e->d));
    out->rate[0]         = ks3_dot(along.v, e->v);
    out->acceleration[0] = ks_add(ks3_dot(along.v, e->a), ks3_dot(along.d, e->v));
    if (c->length_given) {
        const jet by_time =
            jet_mul(jet_given(-0.5 * f[1], -0.5 * f[2]), jet_add(jet3_dot(along, along), jet_given(1.0, 0.0)));
        out->rate[0]         = ks_add(out->rate[0], by_time.v);
        out->acceleration[0] = ks_add(out->acceleration[0], by_time.d);
    }
}

typedef struct rod_scene {
    const kane_rod *rod;
    side_motion end[2];
    kane_mat3 R_21, R_12; // axes of the second's frame to those of the first's, and back
    int apart;            // 1: they are two frames
    double over_length;   // 1/L^2
    kane_scalar3 d;       // from the second end to the first, axes of the first's frame
} rod_scene;

// Components in the other frame, if there are two.
static inline kane_scalar3 rod_turn(const rod_scene *r, kane_mat3 R, kane_scalar3 a)
{
    return r->apart ? ks3_turn(R, a) : a;
}

// Ends and d of a rod. known: its ends, of one frame; NULL: not yet.
static inline void rod_see(const row_scene *scene, const kane_constraint_row_set *c, const side_motion *known,
                           rod_scene *r)
{
    const kane_transport *first = &scene->frames[c->side[0].frame], *second = &scene->frames[c->side[1].frame];
    for (int i = 0; i < 2 && known; i++)
        r->end[i] = known[i];
    for (int i = 0; i < 2 && !known; i++) {
        r->end[i] = side_carrier(scene, &c->side[i]);
        side_reach_point(scene, &c->side[i], NULL, &r->end[i]);
    }
    r->rod         = &c->rod;
    r->over_length = 1.0 / (c->length * c->length);
    r->apart       = c->side[0].frame != c->side[1].frame;
    r->d           = r->end[1].p;
    if (r->apart) {
        r->R_21 = km3_tmul(first->R, second->R);
        r->R_12 = km3_transpose(r->R_21);
        r->d    = ks3_add(ks3_turn(r->R_21, r->d), ks3_constant(km3_tmulv(first->R, kv3_sub(second->r_o, first->r_o))));
    }
    r->d = ks3_sub(r->end[0].p, r->d);
}

// Adds a force on each end, axes of its frame, as a wrench about the origin of its link.
static inline void rod_place_loads(const rod_scene *r, const kane_scalar3 force[2], rows_load load[2])
{
    for (int i = 0; i < 2; i++) {
        load[i].force  = ks3_add(load[i].force, force[i]);
        load[i].torque = ks3_add(load[i].torque, ks3_cross(ks3_sub(r->end[i].p, r->end[i].r), force[i]));
    }
}

// F_i = -m_ii a_i - m_12 a_other, a: accelerations of the ends, each in the axes of its frame.
static inline void rod_resist(const rod_scene *r, const kane_scalar3 a[2], rows_load load[2])
{
    const kane_scalar3 other[2] = {rod_turn(r, r->R_21, a[1]), rod_turn(r, r->R_12, a[0])};
    const double own[2]         = {r->rod->first, r->rod->second};
    kane_scalar3 force[2];
    for (int i = 0; i < 2; i++)
        force[i] = ks3_add(ks3_by(-own[i], a[i]), ks3_by(-r->rod->shared, other[i]));
    rod_place_loads(r, force, load);
}

// v - v_o - omega x p: velocity of an end relative to its frame.
static inline kane_scalar3 rod_velocity(const kane_moving_frame *base, const side_motion *end)
{
    const kane_scalar3 carried = ks3_add(ks3_constant(base->v), ks3_cross(ks3_constant(base->w), end->p));
    return ks3_sub(end->v, carried);
}

// X of an end: a_o,  omega x (omega x p),  epsilon x p,  2 omega x v'.
static inline void rod_frame(const kane_transport *T, const kane_moving_frame *base, const side_motion *end,
                             kane_scalar3 X[KANE_IMAGINARY_TERMS])
{
    const kane_scalar3 w = ks3_constant(T->omega);
    X[KANE_TRANSLATION]  = ks3_constant(T->a_o);
    X[KANE_CENTRIFUGAL]  = ks3_cross(w, ks3_cross(w, end->p));
    X[KANE_ROTATION]     = ks3_cross(ks3_constant(T->epsilon), end->p);
    X[KANE_GYROSCOPIC]   = ks3_cross(ks3_constant(kv3_scale(2.0, T->omega)), rod_velocity(base, end));
}

// One term of a body: force at the mass centre and torque, axes of the first's frame.
static inline void rod_term(const rod_scene *r, kane_scalar3 X_1, kane_scalar3 X_2, kane_scalar3 *force,
                            kane_scalar3 *torque)
{
    const kane_rod *rod = r->rod;
    *force              = ks3_add(ks3_by(-rod->mass * (1.0 - rod->centre), X_1), ks3_by(-rod->mass * rod->centre, X_2));
    *torque             = ks3_cross(r->d, ks3_by(-rod->inertia * r->over_length, ks3_sub(X_1, X_2)));
}

// Adds a force at the mass centre and a torque, times `sign`, as forces on the ends.
static inline void rod_spread(const rod_scene *r, double sign, kane_scalar3 force, kane_scalar3 torque,
                              rows_load load[2])
{
    const double g          = r->rod->centre;
    const kane_scalar3 pair = ks3_by(sign * r->over_length, ks3_cross(torque, r->d));
    const kane_scalar3 one  = ks3_add(ks3_by(sign * (1.0 - g), force), pair);
    const kane_scalar3 two  = ks3_sub(ks3_by(sign * g, force), pair);
    const kane_scalar3 on[] = {one, rod_turn(r, r->R_12, two)};
    rod_place_loads(r, on, load);
}

// Adds what is omitted, `sign` times, of accelerations of the ends by term.
static inline void rod_omit(const rod_scene *r, double sign, kane_scalar3 X[2][KANE_IMAGINARY_TERMS], rows_load load[2])
{
    static const kane_vec3 whole = {1.0, 1.0, 1.0};
    kane_scalar3 force, torque;
    for (int t = 0; t < KANE_IMAGINARY_TERMS; t++) {
        const kane_vec3 no_force  = kv3_sub(whole, r->rod->keep.term[KANE_FORCE][t]);
        const kane_vec3 no_torque = kv3_sub(whole, r->rod->keep.term[KANE_TORQUE][t]);
        rod_term(r, X[0][t], rod_turn(r, r->R_21, X[1][t]), &force, &torque);
        rod_spread(r, sign, ks3_mul(no_force, force), ks3_mul(no_torque, torque), load);
    }
}

// Accelerations of the ends by term, and all of them added to a (NULL: not).
static inline void rod_imagine(const row_scene *scene, const kane_constraint_row_set *c, const rod_scene *r,
                               kane_scalar3 X[2][KANE_IMAGINARY_TERMS], kane_scalar3 *a)
{
    for (int i = 0; i < 2; i++) {
        rod_frame(&scene->frames[c->side[i].frame], &scene->bases[c->side[i].frame], &r->end[i], X[i]);
        for (int t = 0; t < KANE_IMAGINARY_TERMS && a; t++)
            a[i] = ks3_add(a[i], X[i][t]);
    }
}

static inline void rod_clear(rows_load load[2])
{
    for (int i = 0; i < 2; i++)
        load[i] = (rows_load){ks3_constant(kv3_zero()), ks3_constant(kv3_zero())};
}

// F_1, F_2 as wrenches on the links, each in the axes of its own frame; unit vectors along the rod; p of the ends.
static inline void rod_load(const row_scene *scene, const kane_constraint_row_set *c, const side_motion *known,
                            rows *out)
{
    rod_scene r;
    kane_scalar3 X[2][KANE_IMAGINARY_TERMS];
    rod_see(scene, c, known, &r);
    kane_scalar3 a[2] = {r.end[0].a, r.end[1].a};
    rod_clear(out->load);
    if (c->rod.imaginary_as_forces) {
        rod_imagine(scene, c, &r, X, a);
        rod_omit(&r, -1.0, X, out->load);
    }
    rod_resist(&r, a, out->load);
    out->along[0] = kv3_scale(-1.0 / c->length, ks3_value(r.d));
    out->along[1] = r.apart ? km3_mulv(r.R_12, out->along[0]) : out->along[0];
    for (int i = 0; i < 2; i++)
        out->end[i] = ks3_value(a[i]);
}

// Row of its length, and forces of its mass.
static inline void put_rod(const row_scene *scene, const kane_constraint_row_set *c, rows *out)
{
    rod_ends e;
    rod_ends_see(scene, c, &e);
    put_length(scene, c, &e, out);
    if (c->rod.mass > 0.0)
        rod_load(scene, c, e.frames.apart ? NULL : e.end, out);
}

#endif
