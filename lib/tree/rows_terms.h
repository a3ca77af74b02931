// SPDX-License-Identifier: MIT
// Relations of coordinates: value and derivatives of a joint's coordinate, and its direction for a multiplier; and
// user-defined rows.

#ifndef KANE_TREE_ROWS_TERMS_H
#define KANE_TREE_ROWS_TERMS_H

#include "tree/rows_sides.h"

typedef struct row_coordinate {
    kane_scalar value, rate, acceleration;
    int v;            // its speed; -1: none of its own
    int spin;         // speed of a joint that lets its carrier spin; -1: there is none
    double spin_sign; // which counts so
    // of a body with all six freedoms, and of a link on its axle: rate = g . (rate of x) + m . W between seat and joint
    // point of that body
    int is_relative;
    kane_side_marker side[2];
    marker_pair meet;
    kane_scalar3 g, m;
} row_coordinate;

// A coordinate of a joint: with its own speed, prescribed, or constant.
static inline void coordinate_see_step(const row_scene *scene, const kane_step *step, row_coordinate *c)
{
    c->v = c->spin  = -1;
    c->is_relative  = 0;
    c->value        = ks_constant(scene->work->q[step->q]);
    c->rate         = ks_constant(0.0);
    c->acceleration = ks_constant(0.0);
    WITH_CHANGE(c->value.t = changes_load(scene->dq[step->q]);)
    if (step->mode == KANE_STEP_GIVEN) {
        double f[4];
        kane_step_given(scene->work, step, f);
        c->value        = ks_constant(f[0]);
        c->rate         = ks_constant(f[1]);
        c->acceleration = ks_constant(f[2]);
    } else if (step->mode == KANE_STEP_FREE) {
        c->v            = step->v;
        c->rate         = ks_constant(scene->work->v[step->v]);
        c->acceleration = ks_constant(scene->beyond ? scene->work->v_dot[step->v] : 0.0);
        WITH_CHANGE(c->rate.t = changes_load(scene->dv[step->v]);)
    }
}

// Turns by angles q about moving axes a1, a2, a3 have  W = a1 q1' + a2 q2' + a3 q3';  a2 is square to
// both others, along
//   n = a3 x a1.  So   q1' = (n x a3) . W/n^2,   q3' = (a1 x n) . W/n^2,   q2' = (n or -n) . W/|n|
// first: a1, which stays with the first side; last: a3, which stays with the second, also where its axes leave the last
// turn out (a spinning wheelset). Not finite where a1 and a3 are parallel: there the angles have no rates.
static inline jet3 turn_row(const kane_link *link, int turn, double first_angle, const marker_pair *meet)
{
    const kane_step *steps = link->step + link->slide_count;
    const kane_vec3 e1 = kv3_unit(steps[0].axis), e2 = kv3_unit(steps[1].axis);
    const jet3 a1 = jet3_constant(e1), a3 = meet->axis[steps[2].axis], n = jet3_cross(a3, a1);
    const jet nn     = jet3_dot(n, n);
    const double one = 1.0 / nn.v.v, root = sqrt(one);
    if (turn != 1) {
        const jet3 across = turn == 0 ? jet3_cross(n, a3) : jet3_cross(a1, n);
        return jet3_scale(jet_chain(nn, one, -one * one, 2.0 * one * one * one), across);
    }
    const kane_vec3 a2 = kv3_add_scaled(kv3_scale(cos(first_angle), e2), sin(first_angle), kv3_cross(e1, e2));
    const double sign  = kv3_dot(ks3_value(n.v), a2) < 0.0 ? -1.0 : 1.0;
    return jet3_scale(jet_chain(nn, sign * root, -0.5 * sign * root * one, 0.75 * sign * root * one * one), n);
}

// A coordinate of a body with all six freedoms. Its speeds are not coordinate rates, so the rate follows from the
// relative motion of two markers: the joint on the parent, and the joint point with the body's axes.
static inline void coordinate_see_relative(const row_scene *scene, const kane_link *link, const kane_term *term,
                                           row_coordinate *c)
{
    const kane_step *step = &link->step[term->coordinate];
    const double *q       = scene->work->q;
    jet3 g = jet3_constant(kv3_zero()), m = g;

    c->v = c->spin = -1;
    c->is_relative = 1;
    c->side[0] =
        (kane_side_marker){.link = link->parent, .frame = link->frame, .point = link->seat, .axes = link->seat_R};
    c->side[1] =
        (kane_side_marker){.link = term->link, .frame = link->frame, .point = link->at, .axes = km3_identity()};
    marker_pair_see(scene, &c->side[0], &c->side[1], NULL, SEE_ALL, &c->meet);
    if (term->coordinate < link->slide_count)
        g = jet3_constant(kv3_unit(step->axis));
    else
        m = turn_row(link, term->coordinate - link->slide_count, q[link->step[link->slide_count].q], &c->meet);

    const jet rate  = rows_rate(&c->meet, g, m);
    c->value        = ks_constant(q[step->q]);
    c->rate         = rate.v;
    c->acceleration = rate.d;
    c->g            = g.v;
    c->m            = m.v;
    WITH_CHANGE(c->value.t = changes_load(scene->dq[step->q]);)
}

// The first turn of a link on an axle: its own speed, and the spin of the carrier,  rate = s + sign spin.
static inline void coordinate_see_on_axle(const row_scene *scene, const kane_link *link, const kane_term *term,
                                          row_coordinate *c)
{
    const kane_link *carrier = &scene->tree->links[link->parent];
    const kane_term spins    = {.link = link->parent, .coordinate = kane_link_spin(carrier)};
    const kane_scalar sign   = ks_constant(link->on_axle);
    row_coordinate own;
    coordinate_see_step(scene, &link->step[term->coordinate], &own);
    if (carrier->kind == KANE_LINK_BODY) {
        coordinate_see_relative(scene, carrier, &spins, c);
        c->g = ks3_scale(sign, c->g);
        c->m = ks3_scale(sign, c->m);
    } else {
        coordinate_see_step(scene, &carrier->step[spins.coordinate], c);
        c->spin      = c->v;
        c->spin_sign = link->on_axle;
    }
    c->v            = own.v;
    c->value        = own.value;
    c->rate         = ks_add(own.rate, ks_mul(sign, c->rate));
    c->acceleration = ks_add(own.acceleration, ks_mul(sign, c->acceleration));
}

// By the kind of its link.
static inline void coordinate_see(const row_scene *scene, const kane_term *term, row_coordinate *c)
{
    const kane_link *link = &scene->tree->links[term->link];
    if (link->kind == KANE_LINK_BODY)
        coordinate_see_relative(scene, link, term, c);
    else if (link->on_axle && term->coordinate == link->slide_count)
        coordinate_see_on_axle(scene, link, term, c);
    else
        coordinate_see_step(scene, &link->step[term->coordinate], c);
}

// Coefficient of one speed in a row.
static inline void coordinate_put_speed(rows *out, int row, int v, kane_scalar value)
{
    const int i         = out->entry_count++;
    out->entry[i].row   = row;
    out->entry[i].v     = v;
    out->entry[i].value = value;
}

// Directions of `scale` times a coordinate in a row; not inlined, which would take .7 kB of stack in derivatives.
static __attribute__((noinline)) void coordinate_put(rows *out, int row, const row_coordinate *c, kane_scalar scale)
{
    if (c->is_relative)
        rows_add_direction_both(out, row, &c->side[0], &c->side[1], &c->meet, ks3_scale(scale, c->g),
                                ks3_scale(scale, c->m));
    if (c->v >= 0)
        coordinate_put_speed(out, row, c->v, scale);
    if (c->spin >= 0)
        coordinate_put_speed(out, row, c->spin, ks_mul(ks_constant(c->spin_sign), scale));
}

// A number of a relation with its derivatives in time, constant or given.
typedef struct row_number {
    kane_scalar v, d, dd;
} row_number;

// Value and two derivatives in time of a number, constant or prescribed.
static inline row_number number_see(const row_scene *scene, double constant, const kane_line_function *given)
{
    double f[4] = {constant};
    if (given)
        kane_tree_given(scene->work, given, f);
    return (row_number){ks_constant(f[0]), ks_constant(f[1]), ks_constant(f[2])};
}

// Product of a factor k and a quantity q (a coordinate, or a function of one), less an offset that is in `out` already:
//   k q     k q' + k' q     k q'' + 2 k' q' + k'' q
// of_rates: the row has no value, and its rate is k q'.
static inline void number_add(rows *out, const row_number *k, int is_given, kane_scalar q, kane_scalar rate,
                              kane_scalar acceleration, int of_rates)
{
    const kane_scalar two = ks_constant(of_rates ? 1.0 : 2.0);
    if (!of_rates)
        out->value[0] = ks_add(out->value[0], ks_mul(k->v, q));
    out->rate[0]         = ks_add(out->rate[0], ks_mul(k->v, rate));
    out->acceleration[0] = ks_add(out->acceleration[0], ks_mul(k->v, acceleration));
    if (!is_given)
        return;
    out->acceleration[0] = ks_add(out->acceleration[0], ks_mul(ks_mul(two, k->d), rate));
    if (of_rates)
        return;
    out->rate[0]         = ks_add(out->rate[0], ks_mul(k->d, q));
    out->acceleration[0] = ks_add(out->acceleration[0], ks_mul(k->dd, q));
}

// Starts the row with -offset; of_rates: as its rate.
static inline void number_begin(const row_scene *scene, const kane_constraint_row_set *closure, int of_rates, rows *out)
{
    const row_number offset = number_see(scene, closure->offset, closure->offset_given);
    const kane_scalar zero = ks_constant(0.0), less = ks_constant(-1.0);
    out->value[0]        = of_rates ? zero : ks_mul(less, offset.v);
    out->rate[0]         = of_rates ? ks_mul(less, offset.v) : zero;
    out->acceleration[0] = zero;
    if (!closure->offset_given)
        return;
    out->rate[0]         = of_rates ? out->rate[0] : ks_mul(less, offset.d);
    out->acceleration[0] = ks_mul(less, of_rates ? offset.d : offset.dd);
}

// sum factor coordinate = offset, or the same of rates
static inline void put_linear(const row_scene *scene, const kane_constraint_row_set *closure, rows *out)
{
    const int of_rates = closure->kind == KANE_CONSTRAINT_RATES;
    number_begin(scene, closure, of_rates, out);
    for (int i = 0; i < closure->term_count; i++) {
        const kane_line_function *given = closure->factor_given[i];
        const row_number factor         = number_see(scene, closure->term[i].factor, given);
        row_coordinate c;
        coordinate_see(scene, &closure->term[i], &c);
        number_add(out, &factor, given != NULL, c.value, c.rate, c.acceleration, of_rates);
        coordinate_put(out, 0, &c, factor.v);
    }
}

// p - k f(q) - offset, with  f(q)' = f' q',  f(q)'' = f'' q'^2 + f' q''
static inline void put_function(const row_scene *scene, const kane_constraint_row_set *closure, rows *out)
{
    const kane_line_function *given = closure->factor_given[1];
    row_number k                    = number_see(scene, closure->term[1].factor, given);
    row_coordinate p, q;
    double f[4];
    coordinate_see(scene, &closure->term[0], &p);
    coordinate_see(scene, &closure->term[1], &q);
    kane_line_function_eval(closure->curve[0], q.value.v, f);

    const kane_scalar less = ks_constant(-1.0), slope = ks_chain(q.value, f[1], f[2]),
                      second = ks_chain(q.value, f[2], f[3]);
    const kane_scalar curved = ks_add(ks_mul(second, ks_mul(q.rate, q.rate)), ks_mul(slope, q.acceleration));
    const row_number one     = {.v = ks_constant(1.0)};
    k                        = (row_number){ks_mul(less, k.v), ks_mul(less, k.d), ks_mul(less, k.dd)};
    number_begin(scene, closure, 0, out);
    number_add(out, &one, 0, p.value, p.rate, p.acceleration, 0);
    number_add(out, &k, given != NULL, ks_chain(q.value, f[0], f[1]), ks_mul(slope, q.rate), curved, 0);
    coordinate_put(out, 0, &p, ks_constant(1.0));
    coordinate_put(out, 0, &q, ks_mul(k.v, slope));
}

// === User-defined rows: one formula, evaluated in numbers with all derivatives (kane/number.h; docs/mechanisms.md,
// section 4).
//
// A formula is evaluated once for every state whose change is needed, because its numbers have one change each. Slopes
// of a number are derivatives in six directions: a formula is evaluated once for every six. Directions are, of each
// marker after the first, displacements along the first's axes and small turns about them, and then the coordinates. In
// rows of speeds they are the velocities instead, so that slopes are always the directions of a multiplier.

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
