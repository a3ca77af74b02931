// SPDX-License-Identifier: MIT
// Rows of all kinds of constraints, with their changes or without (change.h).

#ifndef KANE_TREE_ROWS_KINDS_H
#define KANE_TREE_ROWS_KINDS_H

#include "tree/rows_user.h"
#include "tree/rows_rod.h"
#include "tree/rows_sides.h"
#include "tree/rows_terms.h"

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
    case KANE_CONSTRAINT_KINDS: break; // rows_rod.h, rows_terms.h, rows_user.h
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
