// SPDX-License-Identifier: MIT
// User-defined rows: one formula, evaluated in numbers with all derivatives (kane/number.h; docs/mechanisms.md, section
// 4).
//
// A formula is evaluated once for every state whose change is needed, because its numbers have one change each. Slopes
// of a number are derivatives in six directions: a formula is evaluated once for every six. Directions are, of each
// marker after the first, displacements along the first's axes and small turns about them, and then the coordinates. In
// rows of speeds they are the velocities instead, so that slopes are always the directions of a multiplier.

#ifndef KANE_TREE_ROWS_USER_H
#define KANE_TREE_ROWS_USER_H

#include "tree/rows_terms.h"

#ifdef KANE_TREE_CHANGES
enum { OWN_PASSES = KANE_CHANGES }; // evaluations of a formula at most, a state each

static inline int own_passes(const row_scene *scene)
{
    return scene->count;
}

static inline double own_change(kane_scalar a, int state)
{
    return state < 2 ? a.t.a[state & 1] : a.t.b[state & 1];
}
#else
enum { OWN_PASSES = 1 };

static inline int own_passes(const row_scene *scene)
{
    (void)scene;
    return OWN_PASSES;
}
#endif

// A number and its derivatives in time, without slopes; with its changes by one state.
static inline kane_number own_number(int state, kane_scalar v, kane_scalar d, kane_scalar dd)
{
    kane_number n = {.part = {v.v, d.v, dd.v}};
    WITH_CHANGE(n.changes = 1; n.change[0] = own_change(v, state); n.change[1] = own_change(d, state);
                n.change[2]                                                    = own_change(dd, state);)
    (void)state;
    return n;
}

static inline kane_number *own_component(kane_number3 *a, int axis)
{
    return axis == 0 ? &a->x : axis == 1 ? &a->y : &a->z;
}

static inline void own_vector(int state, kane_number3 *out, kane_scalar3 v, kane_scalar3 d, kane_scalar3 dd)
{
    for (int c = 0; c < 3; c++)
        *own_component(out, c) = own_number(state, ks3_get(v, c), ks3_get(d, c), ks3_get(dd, c));
}

static inline void own_slope(int state, kane_number *n, int k, kane_scalar slope)
{
    n->part[3 + k] = slope.v;
    WITH_CHANGE(n->change[3 + k] = own_change(slope, state);)
    (void)state;
}

// Relative motion of its markers, and its coordinates.
typedef struct own_scene {
    int markers; // beside the first one
    marker_pair meet[KANE_SIDES_MOST - 1];
    row_coordinate coordinate[KANE_TERMS_MOST];
} own_scene;

// Room for an evaluation: too large for the stack of a small thread.
typedef struct own_room {
    own_scene scene;
    kane_rows_input in;
    kane_number number[OWN_PASSES][KANE_ROWS_MOST]; // by state
} own_room;

// One marker. of_rates: for rows of speeds; sloped: its six directions are the slopes.
static inline void own_marker(int state, const marker_pair *m, int of_rates, int sloped, kane_rows_marker *out)
{
    const kane_scalar one = ks_constant(1.0), none = ks_constant((double)NAN);
    own_vector(state, &out->position, m->x.v, m->x.d, m->rate.d);
    for (int i = 0; i < 3; i++) // e'' = W' x e + W x e'
        own_vector(state, &out->axis[i], m->axis[i].v, m->axis[i].d,
                   ks3_add(ks3_cross(m->W.d, m->axis[i].v), ks3_cross(m->W.v, m->axis[i].d)));
    for (int c = 0; c < 3; c++) {
        const kane_scalar zero            = ks_constant(0.0);
        *own_component(&out->velocity, c) = of_rates
                                                ? own_number(state, ks3_get(m->rate.v, c), ks3_get(m->rate.d, c), zero)
                                                : own_number(state, none, none, none);
        *own_component(&out->turning, c)  = of_rates ? own_number(state, ks3_get(m->W.v, c), ks3_get(m->W.d, c), zero)
                                                     : own_number(state, none, none, none);
    }
    for (int c = 0; c < 3 && sloped; c++) {
        own_slope(state, own_component(of_rates ? &out->velocity : &out->position, c), c, one);
        if (of_rates)
            own_slope(state, own_component(&out->turning, c), 3 + c, one);
        for (int i = 0; i < 3 && !of_rates; i++) { // a small turn moves an axis e by turn x e
            const kane_scalar3 moved = ks3_cross(ks3_constant(kv3_unit(c)), m->axis[i].v);
            for (int k = 0; k < 3; k++)
                own_slope(state, own_component(&out->axis[i], k), 3 + c, ks3_get(moved, k));
        }
    }
}

// The input of one pass: slopes are directions 6 pass and the next five.
static inline void own_input(const row_scene *scene, const kane_constraint_row_set *closure, const own_scene *own,
                             int of_rates, int pass, int state, kane_rows_input *in)
{
    const kane_scalar zero = ks_constant(0.0), none = ks_constant((double)NAN);
    in->time = own_number(state, ks_constant(scene->work->t), ks_constant(scene->work->frozen ? 0.0 : 1.0), zero);
    in->marker_count     = own->markers;
    in->coordinate_count = closure->term_count;
    for (int i = 0; i < own->markers; i++)
        own_marker(state, &own->meet[i], of_rates, i == pass, &in->marker[i]);
    for (int i = 0; i < closure->term_count; i++) {
        const row_coordinate *c   = &own->coordinate[i];
        const double factor       = closure->term[i].factor;
        const int k               = i - KANE_NUMBER_TANGENTS * (pass - own->markers);
        kane_rows_coordinate *out = &in->coordinate[i];
        kane_number *to           = of_rates ? &out->rate : &out->value;
        out->value                = kn_scale(factor, own_number(state, c->value, c->rate, c->acceleration));
        out->rate                 = of_rates ? kn_scale(factor, own_number(state, c->rate, c->acceleration, zero))
                                             : own_number(state, none, none, none);
        if (k >= 0 && k < KANE_NUMBER_TANGENTS)
            own_slope(state, to, k, ks_constant(factor));
    }
}

// A part of a row's number, with its changes by all states.
static inline kane_scalar own_part(const own_room *room, int row, int part)
{
    double change[OWN_PASSES];
    for (int state = 0; state < OWN_PASSES; state++) {
        const kane_number *n = &room->number[state][row];
        change[state]        = n->changes ? n->change[part] : 0.0;
    }
    (void)change;
    return with_change(room->number[0][row].part[part], change);
}

static inline kane_scalar3 own_slopes(const own_room *room, int row, int first)
{
    return ks3(own_part(room, row, 3 + first), own_part(room, row, 4 + first), own_part(room, row, 5 + first));
}

// Directions of the rows in one pass.
static inline void user_directions(const kane_constraint_row_set *closure, const own_room *room, int pass, int first,
                                   int count, rows *out)
{
    const own_scene *own = &room->scene;
    const int begin      = KANE_NUMBER_TANGENTS * (pass - own->markers);
    for (int row = 0; row < count; row++) {
        if (pass < own->markers) {
            rows_add_direction_both(out, first + row, &closure->side[0], &closure->side[1 + pass], &own->meet[pass],
                                    own_slopes(room, row, 0), own_slopes(room, row, 3));
            continue;
        }
        for (int i = begin; i < closure->term_count && i < begin + KANE_NUMBER_TANGENTS; i++)
            coordinate_put(out, first + row, &own->coordinate[i], own_part(room, row, 3 + i - begin));
    }
}

// phi = v - H(u, t); a number that H receives to choose its branch by has no derivatives.
static inline void own_closed_rows(const kane_constraint_row_set *closure, const kane_rows_input *in, kane_number *phi)
{
    const int dependents = closure->own->dependents;
    kane_number u[KANE_TERMS_MOST];
    for (int i = 0; i < closure->term_count; i++)
        if (i < dependents)
            phi[i] = kn_constant(kn_value(in->coordinate[i].value));
        else
            u[i - dependents] = in->coordinate[i].value;
    closure->own->closed(closure->own_data, in->time, u, phi);
    for (int i = 0; i < dependents; i++)
        phi[i] = kn_sub(in->coordinate[i].value, phi[i]);
}

// Rows of one sort, from `first` on.
static inline void own_rows(const row_scene *scene, const kane_constraint_row_set *closure, own_room *room,
                            int of_rates, int first, int count, rows *out)
{
    const own_scene *own = &room->scene;
    const int passes     = own->markers + (closure->term_count + KANE_NUMBER_TANGENTS - 1) / KANE_NUMBER_TANGENTS;
    for (int pass = 0; pass < passes; pass++) {
        for (int state = 0; state < own_passes(scene); state++) {
            own_input(scene, closure, own, of_rates, pass, state, &room->in);
            if (of_rates)
                closure->own->rate(closure->own_data, &room->in, room->number[state]);
            else if (closure->own->position)
                closure->own->position(closure->own_data, &room->in, room->number[state]);
            else
                own_closed_rows(closure, &room->in, room->number[state]);
        }
        for (int row = 0; row < count && pass == 0; row++) {
            out->value[first + row]        = of_rates ? ks_constant(0.0) : own_part(room, row, 0);
            out->rate[first + row]         = own_part(room, row, of_rates ? 0 : 1);
            out->acceleration[first + row] = own_part(room, row, of_rates ? 1 : 2);
        }
        user_directions(closure, room, pass, first, count, out);
    }
}

// Markers, coordinates, then rows of positions and rows of rates.
static inline void put_own(const row_scene *scene, const kane_constraint_row_set *closure, own_room *room, rows *out)
{
    const kane_rows_kind *kind = closure->own;
    own_scene *own             = &room->scene; // large: only what there is of it is written
    own->markers               = closure->side_count > 0 ? closure->side_count - 1 : 0;
    for (int i = 0; i < own->markers; i++)
        marker_pair_see(scene, &closure->side[0], &closure->side[1 + i], NULL, SEE_ALL, &own->meet[i]);
    for (int i = 0; i < closure->term_count; i++)
        coordinate_see(scene, &closure->term[i], &own->coordinate[i]);
    if (kind->positions > 0)
        own_rows(scene, closure, room, 0, 0, kind->positions, out);
    if (kind->rates > 0)
        own_rows(scene, closure, room, 1, kind->positions, kind->rates, out);
}

#endif
