// SPDX-License-Identifier: MIT
// Rows of all kinds of constraints, with their changes or without (change.h).

#ifndef KANE_TREE_ROWS_KINDS_H
#define KANE_TREE_ROWS_KINDS_H

#include "tree/rows_sides.h"
#include "tree/rows_terms.h"

// === Rods: the distance of two points; and the forces of a rod with mass on its links (docs/mechanisms.md, section 4).
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

// === What each kind of constraint between two markers asks for, as rows of relative motion in the axes of the first.

// Adds Phi_t and its derivative in time to the rate and the second derivative of a row.
static inline void put_given(rows *out, int row, jet by_time)
{
    out->rate[row]         = ks_add(out->rate[row], by_time.v);
    out->acceleration[row] = ks_add(out->acceleration[row], by_time.d);
}

// x . e_axis = 0. Direction: force e on both sides (arms from the links' origins); zero torque between the markers.
static inline int put_slide(rows *out, int row, const kane_constraint_row_set *closure, const marker_pair *m, int axis)
{
    out->value[row]        = ks3_get(m->x.v, axis);
    out->rate[row]         = ks3_get(m->rate.v, axis);
    out->acceleration[row] = ks3_get(m->rate.d, axis);
#ifdef KANE_TREE_CHANGES
    (void)closure;
    out->g = ks3_add(out->g, ks3_constant(kv3_scale(out->multiplier[row], kv3_unit(axis))));
#else
    const kane_scalar3 force = cm_column(&m->first.E, axis);
    rows_add_direction_pair(out, row, &closure->side[0], &closure->side[1], m, force, ks3_cross(m->arm[0], force),
                            ks3_cross(m->arm[1], force));
#endif
    return row + 1;
}

// The first `count` components of x.
static inline int put_slides(rows *out, int row, const kane_constraint_row_set *closure, const marker_pair *m,
                             int count)
{
    for (int axis = 0; axis < count; axis++)
        row = put_slide(out, row, closure, m, axis);
    return row;
}

// e_i . g_j = 0, axis i of the first and axis j of the second:  Phi' = W . (g_j x e_i),  W: relative angular velocity.
// Direction: a moment g_j x e_i.
static inline int put_square(rows *out, int row, const kane_constraint_row_set *closure, const marker_pair *m, int i,
                             int j)
{
    const jet3 around      = jet3_cross(m->axis[j], jet3_constant(kv3_unit(i)));
    const jet rate         = jet3_dot(around, m->W);
    out->value[row]        = ks3_get(m->axis[j].v, i);
    out->rate[row]         = rate.v;
    out->acceleration[row] = rate.d;
#ifdef KANE_TREE_CHANGES
    (void)closure;
    out->m = ks3_add(out->m, ks3_by(out->multiplier[row], around.v));
#else
    const kane_scalar3 moment = cm_mulv(&m->first.E, around.v);
    rows_add_direction_pair(out, row, &closure->side[0], &closure->side[1], m, ks3_constant(kv3_zero()), moment,
                            moment);
#endif
    return row + 1;
}

// e_x.g_z = e_y.g_z = 0: z axes parallel or opposite, which the rows do not distinguish (docs/mechanisms.md, section
// 4).
static inline int put_parallel(rows *out, int row, const kane_constraint_row_set *closure, const marker_pair *m)
{
    row = put_square(out, row, closure, m, 0, 2);
    return put_square(out, row, closure, m, 1, 2);
}

// x_y - f(x_x) = 0,   x_z - g(x_x) = 0;   with `along`:  x_x - x(t) = 0.
static inline void put_curve(const row_scene *scene, rows *out, const kane_constraint_row_set *closure,
                             const marker_pair *m)
{
    const jet x = jet3_get(m->x, 0);
    for (int i = 0; i < 2; i++) {
        double f[4] = {0.0};
        if (closure->curve[i])
            kane_line_function_eval(closure->curve[i], x.v.v, f);
        const kane_scalar value = ks_sub(ks3_get(m->x.v, 1 + i), ks_chain(x.v, f[0], f[1]));
        const jet3 slope        = jet3_scale(jet_chain(x, f[1], f[2], f[3]), jet3_constant(kv3_unit(0)));
        rows_put(out, i, closure, m, value, jet3_sub(jet3_constant(kv3_unit(1 + i)), slope), jet3_constant(kv3_zero()));
    }
    if (closure->along) {
        double f[4];
        kane_tree_given(scene->work, closure->along, f);
        (void)put_slide(out, 2, closure, m, 0);
        out->value[2] = ks_sub(out->value[2], ks_constant(f[0]));
        put_given(out, 2, jet_given(-f[1], -f[2]));
    }
}

// x' . g_y = 0: the second's origin does not move along the second's y.
static inline void put_knife(rows *out, const kane_constraint_row_set *closure, const marker_pair *m)
{
    rows_put(out, 0, closure, m, ks_constant(0.0), m->axis[1], jet3_constant(kv3_zero()));
}

// A disc of radius r about the axis n on the plane z = 0. From its centre to its lowest point
//   rho = -r (z - n_z n)/s,   s = sqrt(1 - n_z^2)
// Rows:  x_z - r s = 0;   (x' + W x rho) . e_x = (x' + W x rho) . e_y = 0,  its material there at rest. The height's
// rate is the z component of the same velocity. A flat disc, s = 0, has no lowest point.
static inline void put_rolling(rows *out, const kane_constraint_row_set *closure, const marker_pair *m)
{
    const double r = closure->radius;
    const jet3 z = jet3_constant(kv3_unit(2)), n = m->axis[2];
    const jet n_z   = jet3_get(n, 2);
    const double s2 = 1.0 - n_z.v.v * n_z.v.v, s = sqrt(s2);
    // -r/s as a function of n_z
    const jet scale =
        jet_chain(n_z, -r / s, -r * n_z.v.v / (s * s2), -r * (1.0 + 2.0 * n_z.v.v * n_z.v.v) / (s * s2 * s2));
    const jet3 rho           = jet3_scale(scale, jet3_sub(z, jet3_scale(n_z, n)));
    const kane_scalar height = ks_sub(ks3_get(m->x.v, 2), ks_chain(n_z.v, r * s, -r * n_z.v.v / s));

    rows_put(out, 0, closure, m, height, z, jet3_cross(rho, z));
    for (int i = 0; i < 2; i++) {
        const jet3 e = jet3_constant(kv3_unit(i));
        rows_put(out, 1 + i, closure, m, ks_constant(0.0), e, jet3_cross(rho, e));
    }
}

// What the rows of a kind look at, beside places (marker_pair_see).
static inline unsigned see_for(kane_constraint_kind kind)
{
    switch (kind) {
    case KANE_CONSTRAINT_SPHERICAL: return 0;
    case KANE_CONSTRAINT_CURVE: return SEE_TURNING;
    case KANE_CONSTRAINT_UNIVERSAL:
    case KANE_CONSTRAINT_KNIFE: return SEE_Y;
    case KANE_CONSTRAINT_REVOLUTE:
    case KANE_CONSTRAINT_CYLINDRICAL:
    case KANE_CONSTRAINT_PLANAR:
    case KANE_CONSTRAINT_ROLLING: return SEE_Z;
    default: return SEE_ALL;
    }
}

static inline void put_closure(const row_scene *scene, rows *out, const kane_constraint_row_set *c,
                               const marker_pair *m)
{
    int row = 0;
    WITH_CHANGE(out->g = out->m = ks3_constant(kv3_zero());)
    switch (c->kind) {
    case KANE_CONSTRAINT_SPHERICAL: put_slides(out, row, c, m, 3); break;
    case KANE_CONSTRAINT_REVOLUTE: put_parallel(out, put_slides(out, row, c, m, 3), c, m); break;
    case KANE_CONSTRAINT_CYLINDRICAL: put_parallel(out, put_slides(out, row, c, m, 2), c, m); break;
    case KANE_CONSTRAINT_PRISMATIC:
        row = put_parallel(out, put_slides(out, row, c, m, 2), c, m);
        put_square(out, row, c, m, 0, 1);
        break;
    case KANE_CONSTRAINT_UNIVERSAL: put_square(out, put_slides(out, row, c, m, 3), c, m, 0, 1); break;
    case KANE_CONSTRAINT_PLANAR: put_parallel(out, put_slide(out, row, c, m, 2), c, m); break;
    case KANE_CONSTRAINT_WELD:
        row = put_parallel(out, put_slides(out, row, c, m, 3), c, m);
        put_square(out, row, c, m, 0, 1);
        break;
    case KANE_CONSTRAINT_CURVE: put_curve(scene, out, c, m); break;
    case KANE_CONSTRAINT_KNIFE: put_knife(out, c, m); break;
    case KANE_CONSTRAINT_ROLLING: put_rolling(out, c, m); break;
    case KANE_CONSTRAINT_ROD:
    case KANE_CONSTRAINT_DISTANCE:
    case KANE_CONSTRAINT_LINEAR:
    case KANE_CONSTRAINT_FUNCTION:
    case KANE_CONSTRAINT_RATES:
    case KANE_CONSTRAINT_USER:
    case KANE_CONSTRAINT_KINDS: break; // put_rod, rows_terms.h
    }
    WITH_CHANGE(rows_add_direction_both(out, ROWS_ALL, &c->side[0], &c->side[1], m, out->g, out->m);)
}

// === All rows of one constraint, with their changes or without (change.h).

//   room  of user-defined rows; NULL for other kinds
static inline void rows_find(const row_scene *scene, const kane_constraint_row_set *closure, own_room *room, rows *out)
{
    out->direction_count = out->frame_direction_count = out->entry_count = 0;
    switch (closure->kind) {
    case KANE_CONSTRAINT_LINEAR:
    case KANE_CONSTRAINT_RATES: put_linear(scene, closure, out); return;
    case KANE_CONSTRAINT_FUNCTION: put_function(scene, closure, out); return;
    case KANE_CONSTRAINT_USER: put_own(scene, closure, room, out); return;
    case KANE_CONSTRAINT_DISTANCE:
    case KANE_CONSTRAINT_ROD: put_rod(scene, closure, out); return;
    default: break;
    }
    marker_pair meet;
    marker_pair_see(scene, &closure->side[0], &closure->side[1], closure->motion, see_for(closure->kind), &meet);
    put_closure(scene, out, closure, &meet);
}

#endif
