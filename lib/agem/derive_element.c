// SPDX-License-Identifier: MIT
// Derivatives of elements: laws know their own, the rest is geometry, exact and the same for all laws.
//
// From the inside out: the law (relative motion in the axes of a, absolute motion in those of A) -> markers (world
// axes) -> bodies -> wrenches at the mass centres of both.

#include "agem/element.h"
#include "agem/work.h"
#include "math/dense.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// --- the law, in world axes ---

// Inverse of the left Jacobian of a rotation vector: d(phi) = (1 - [phi]/2 + c [phi]^2) (small rotation of b seen in
// a).
static kane_mat3 rotation_vector_slope(kane_vec3 phi)
{
    const double angle2 = kv3_dot(phi, phi), angle = sqrt(angle2);
    const double c =
        angle < 1e-3 ? 1.0 / 12.0 + angle2 / 720.0 : (1.0 - 0.5 * angle * sin(angle) / (1.0 - cos(angle))) / angle2;
    const kane_mat3 skew = km3_skew(phi);
    return km3_add(km3_sub(km3_identity(), km3_scale(0.5, skew)), km3_scale(c, kg_skew_times(phi, skew)));
}

// A block of the law's derivative as seen in the world: R A R'. An element of the other side shows its law the mirror
// image: S A S, where polar and axial vectors differ in sign.
static kane_mat3 to_world(const kane_element *element, kane_mat3 R, kane_mat3 A, double parity)
{
    if (element->mirrored)
        A = km3_scale(parity, kane_mirror_matrix(A));
    return km3_mul(km3_mul(R, A), km3_transpose(R));
}

// d(force, torque on b)/d(relative motion), world axes, the axes of a held.
static void turn_law(const kane_element *element, const kane_element_motion *m, const kane_law_derivative *l,
                     kane_gradient *K)
{
    *K                     = (kane_gradient){0};
    K->force[KANE_MOVES]   = to_world(element, m->a.R, l->force_d, 1.0);
    K->force[KANE_SPEEDS]  = to_world(element, m->a.R, l->force_v, 1.0);
    K->torque[KANE_MOVES]  = to_world(element, m->a.R, l->torque_d, -1.0);
    K->torque[KANE_SPEEDS] = to_world(element, m->a.R, l->torque_v, -1.0);
    if (!element->turns)
        return;
    const kane_mat3 slope = rotation_vector_slope(m->relative.phi);
    K->force[KANE_TURNS]  = to_world(element, m->a.R, km3_mul(l->force_phi, slope), -1.0);
    K->force[KANE_SPINS]  = to_world(element, m->a.R, l->force_w, -1.0);
    K->torque[KANE_TURNS] = to_world(element, m->a.R, km3_mul(l->torque_phi, slope), 1.0);
    K->torque[KANE_SPINS] = to_world(element, m->a.R, l->torque_w, 1.0);
}

// The same of the rates of its states: a row each.
static void turn_rates(const kane_element *element, const kane_element_motion *m, const kane_law_derivative *l,
                       kane_gradient *K)
{
    const kane_mat3 slope = element->turns ? rotation_vector_slope(m->relative.phi) : km3_identity();
    *K                    = (kane_gradient){0};
    for (int i = 0; i < element->state_count; i++) {
        const kane_law_state_derivative *state = &l->state[i];
        kane_mat3 *const G                     = i < 3 ? K->force : K->torque;
        kane_vec3 row[KANE_MOTIONS]            = {
                       [KANE_MOVES]  = state->rate_d,
                       [KANE_TURNS]  = km3_tmulv(slope, state->rate_phi),
                       [KANE_SPEEDS] = state->rate_v,
                       [KANE_SPINS]  = state->rate_w,
        };
        for (int k = 0; k < KANE_MOTIONS; k++) {
            const int polar = k == KANE_MOVES || k == KANE_SPEEDS;
            if (element->mirrored)
                row[k] = polar ? kane_mirror_polar(row[k]) : kane_mirror_axial(row[k]);
            if (polar || element->turns) // a row: e_i (R row)'
                kg_add(&G[k], km3_outer(kv3_unit(i % 3), km3_mulv(m->a.R, row[k])));
        }
    }
}

// --- markers ---

// Everything about one element that its blocks share.
typedef struct element_state {
    const kane_element *element;
    kane_element_motion m;
    kane_wrench on_b;         // world axes
    const kane_body *body[2]; // a, b; NULL: the track
    const kane_body_state *state[2];
    kane_boxes boxes[2];
    kane_vec3 arm[2]; // of the markers from their bodies' mass centres [m]
    kane_mat3 to_A;   // world axes to those of A, of a law that looks at absolute motion
} element_state;

// From relative motion to the motion of marker b: d = P, v = V - w_a x P, phi = Phi, w = W.
static void of_marker_b(const kane_mat3 K[KANE_MOTIONS], const element_state *e, kane_mat3 G[KANE_MOTIONS])
{
    G[KANE_MOVES]  = km3_sub(K[KANE_MOVES], kg_times_skew(K[KANE_SPEEDS], e->m.a.omega));
    G[KANE_TURNS]  = K[KANE_TURNS];
    G[KANE_SPEEDS] = K[KANE_SPEEDS];
    G[KANE_SPINS]  = K[KANE_SPINS];
}

// To the motion of marker a, which carries the axes: everything against it, and what was seen in its axes turns.
static void of_marker_a(const kane_mat3 K[KANE_MOTIONS], const element_state *e, kane_vec3 exerted,
                        kane_mat3 G[KANE_MOTIONS])
{
    const kane_marker *a = &e->m.a, *b = &e->m.b;
    const kane_vec3 rho   = kv3_sub(b->position, a->position);
    const kane_vec3 rho_v = kv3_sub(kv3_sub(b->velocity, a->velocity), kv3_cross(a->omega, rho));
    const kane_vec3 w_ab  = kv3_sub(b->omega, a->omega);

    G[KANE_MOVES]  = km3_sub(kg_times_skew(K[KANE_SPEEDS], a->omega), K[KANE_MOVES]);
    G[KANE_SPEEDS] = km3_scale(-1.0, K[KANE_SPEEDS]);
    G[KANE_SPINS]  = km3_sub(kg_times_skew(K[KANE_SPEEDS], rho), K[KANE_SPINS]);
    G[KANE_TURNS]  = km3_add(kg_times_skew(K[KANE_MOVES], rho), kg_times_skew(K[KANE_SPEEDS], rho_v));
    kg_add(&G[KANE_TURNS], kg_times_skew(K[KANE_SPINS], w_ab));
    kg_sub(&G[KANE_TURNS], K[KANE_TURNS]);
    kg_sub(&G[KANE_TURNS], km3_skew(exerted));
}

// Adds a block by absolute motion: the law gives in the axes of a and sees in those of A.
static void add_block(const element_state *e, kane_mat3 B, double parity, kane_mat3 *G)
{
    if (e->element->mirrored)
        B = km3_scale(parity, kane_mirror_matrix(B));
    kg_add(G, km3_mul(km3_mul(e->m.a.R, B), e->to_A));
}

// Whether the law sees how a body itself turns, not its boxes: what it makes of that does not go through the marker.
static int sees_spin(const element_state *e, int end)
{
    return e->element->is_spinning && e->boxes[end].spinning;
}

// Adds what the law makes of the absolute motion of a marker.
static void add_absolute(const element_state *e, int end, const kane_law_point_derivative *l, kane_gradient *G)
{
    add_block(e, l->force_position, 1.0, &G->force[KANE_MOVES]);
    add_block(e, l->force_turn, -1.0, &G->force[KANE_TURNS]);
    add_block(e, l->force_velocity, 1.0, &G->force[KANE_SPEEDS]);
    add_block(e, l->torque_position, -1.0, &G->torque[KANE_MOVES]);
    add_block(e, l->torque_turn, 1.0, &G->torque[KANE_TURNS]);
    add_block(e, l->torque_velocity, -1.0, &G->torque[KANE_SPEEDS]);
    if (sees_spin(e, end))
        return;
    add_block(e, l->force_omega, -1.0, &G->force[KANE_SPINS]);
    add_block(e, l->torque_omega, 1.0, &G->torque[KANE_SPINS]);
}

// The rest of it, when G belongs to the body.
static void add_spin(const element_state *e, int end, const kane_law_point_derivative *l, kane_gradient *G)
{
    if (!sees_spin(e, end))
        return;
    add_block(e, l->force_omega, -1.0, &G->force[KANE_SPINS]);
    add_block(e, l->torque_omega, 1.0, &G->torque[KANE_SPINS]);
}

// The same of the rates of its states: a row each.
static void add_rate_rows(const element_state *e, int k, const kane_vec3 *rows, kane_gradient *G)
{
    for (int i = 0; i < e->element->state_count; i++) {
        kane_vec3 row = rows[i];
        if (e->element->mirrored)
            row = k == KANE_MOVES || k == KANE_SPEEDS ? kane_mirror_polar(row) : kane_mirror_axial(row);
        kg_add(i < 3 ? &G->force[k] : &G->torque[k], km3_outer(kv3_unit(i % 3), km3_tmulv(e->to_A, row)));
    }
}

static void add_absolute_rates(const element_state *e, int end, const kane_law_point_derivative *l, kane_gradient *G)
{
    add_rate_rows(e, KANE_MOVES, l->rate_position, G);
    add_rate_rows(e, KANE_TURNS, l->rate_turn, G);
    add_rate_rows(e, KANE_SPEEDS, l->rate_velocity, G);
    if (!sees_spin(e, end))
        add_rate_rows(e, KANE_SPINS, l->rate_omega, G);
}

// --- bodies ---

// Torque at the mass centre of a spinning body: T - level (axle.T), and how that map changes when the boxes turn.
static void remove_axle_torque(const element_state *e, int row, int own, kane_vec3 torque, kane_gradient *g)
{
    const kane_boxes *boxes  = &e->boxes[row];
    const kane_body_state *b = e->state[row];
    const kane_mat3 passes   = km3_transpose(boxes->P);
    for (int k = 0; k < KANE_MOTIONS; k++)
        g->torque[k] = km3_mul(passes, g->torque[k]);
    if (!own)
        return;
    kane_mat3 turned = km3_outer(b->level, kv3_cross(b->axle, torque));
    kg_add(&turned, km3_scale(kv3_dot(b->axle, torque), boxes->level_turn));
    kg_sub(&g->torque[KANE_TURNS], km3_mul(turned, boxes->P));
}

// Wrench at the mass centre of body `row`: the force acts in b's point, on a reversed.
static kane_gradient of_row(const element_state *e, int row, int column, const kane_gradient *G)
{
    const double sign     = row == 1 ? 1.0 : -1.0;
    const kane_vec3 arm   = kv3_sub(e->m.b.position, e->state[row]->r_w);
    const kane_vec3 force = kv3_scale(sign, e->on_b.force);
    kane_gradient g;
    for (int k = 0; k < KANE_MOTIONS; k++) {
        g.force[k]  = km3_scale(sign, G->force[k]);
        g.torque[k] = km3_add(km3_scale(sign, G->torque[k]), kg_skew_times(arm, g.force[k]));
    }
    // the arm changes: its end with marker b, its beginning with the row's own mass centre
    const kane_mat3 lever = km3_skew(force);
    if (column == 1) {
        kg_sub(&g.torque[KANE_MOVES], lever);
        kg_add(&g.torque[KANE_TURNS], km3_mul(kg_times_skew(lever, e->arm[1]), e->boxes[1].P));
    }
    if (column == row)
        kg_add(&g.torque[KANE_MOVES], lever);
    if (e->boxes[row].spinning && !e->element->on_axle)
        remove_axle_torque(e, row, column == row, kv3_add(kv3_scale(sign, e->on_b.torque), kv3_cross(arm, force)), &g);
    return g;
}

// --- states ---

// Wrench at the mass centre of the body at one end for a wrench that the law exerts on b.
static kane_wrench at_body(const element_state *e, int end, kane_wrench on_b)
{
    const double sign    = end == 1 ? 1.0 : -1.0;
    const kane_wrench on = {kv3_scale(sign, on_b.force), kv3_scale(sign, on_b.torque)};
    kane_wrench w        = kane_marker_wrench(e->state[end], e->m.b.position, on);
    if (e->boxes[end].spinning && !e->element->on_axle)
        w.torque = km3_mulv(km3_transpose(e->boxes[end].P), w.torque);
    return w;
}

static void derive_states(const element_state *e, const kane_law_derivative *l, kane_state_gradient *out)
{
    kane_gradient K;
    turn_rates(e->element, &e->m, l, &K);
    for (int end = 0; end < 2; end++) {
        if (!e->body[end])
            continue;
        kane_gradient *G = &out->rates[end];
        if (end == 0) {
            of_marker_a(K.force, e, kv3_zero(), G->force);
            of_marker_a(K.torque, e, kv3_zero(), G->torque);
        } else {
            of_marker_b(K.force, e, G->force);
            of_marker_b(K.torque, e, G->torque);
        }
        if (e->element->absolute)
            add_absolute_rates(e, end, end == 0 ? &l->absolute->a : &l->absolute->b, G);
        kane_marker_gradient(&e->boxes[end], e->arm[end], G->force);
        kane_marker_gradient(&e->boxes[end], e->arm[end], G->torque);
        if (sees_spin(e, end))
            add_rate_rows(e, KANE_SPINS, end == 0 ? l->absolute->a.rate_omega : l->absolute->b.rate_omega, G);
        for (int i = 0; i < e->element->state_count; i++)
            out->by_state[end][i] = at_body(
                e, end,
                kane_element_to_world(e->element, &e->m.a, (kane_wrench){l->state[i].force, l->state[i].torque}));
    }
    for (int i = 0; i < e->element->state_count; i++)
        for (int k = 0; k < e->element->state_count; k++)
            out->own[i][k] = l->state[i].rate_state[k];
}

// --- all of it ---

static void observe_ends(const kane_model *model, const kane_work *work, element_state *e)
{
    const kane_fixed_marker *ends[2] = {&e->element->a, &e->element->b};
    kane_element_observe(model, work, e->element, &e->m);
    e->on_b = kane_element_to_world(e->element, &e->m.a, work->element[e->element->index].on_b);
    if (e->element->absolute)
        e->to_A = kane_work_world(model, work).R;
    for (int i = 0; i < 2; i++) {
        e->body[i] = NULL;
        if (ends[i]->body < 0)
            continue;
        e->body[i]  = &model->bodies[ends[i]->body];
        e->state[i] = &work->body[ends[i]->body];
        e->boxes[i] = ends[i]->is_spinning ? kane_boxes_none(e->state[i]) : kane_boxes_of(e->body[i], e->state[i]);
        e->arm[i]   = kv3_sub(i == 0 ? e->m.a.position : e->m.b.position, e->state[i]->r_w);
    }
}

kane_status kane_element_derive(const kane_model *model, const kane_work *work, int index, kane_gradient *pairs,
                                kane_state_gradient *states)
{
    element_state e;
    kane_law_absolute_derivative absolute;
    kane_law_derivative law;
    kane_gradient K, G[2];
    e.element    = &model->elements[index];
    law.absolute = &absolute;
    observe_ends(model, work, &e);
    const kane_status status = kane_element_derive_law(e.element, &e.m, &law);
    if (status != KANE_OK)
        return status;
    turn_law(e.element, &e.m, &law, &K);
    of_marker_a(K.force, &e, e.on_b.force, G[0].force);
    of_marker_a(K.torque, &e, e.on_b.torque, G[0].torque);
    of_marker_b(K.force, &e, G[1].force);
    of_marker_b(K.torque, &e, G[1].torque);
    for (int i = 0; i < 2; i++) {
        if (!e.body[i])
            continue;
        if (e.element->absolute)
            add_absolute(&e, i, i == 0 ? &absolute.a : &absolute.b, &G[i]);
        kane_marker_gradient(&e.boxes[i], e.arm[i], G[i].force);
        kane_marker_gradient(&e.boxes[i], e.arm[i], G[i].torque);
        if (e.element->absolute)
            add_spin(&e, i, i == 0 ? &absolute.a : &absolute.b, &G[i]);
    }
    for (int column = 0; column < 2; column++) {
        for (int row = 0; row < 2; row++) {
            if (!e.body[column] || !e.body[row])
                continue;
            const kane_gradient g = of_row(&e, row, column, &G[column]);
            kg_add_all(&pairs[e.element->pair[row][column]], &g);
        }
    }
    if (e.element->state_count > 0)
        derive_states(&e, &law, states);
    return KANE_OK;
}

// === The derivative of a force law by all that it sees of the motion, relative and absolute, and by its states: its own, or by
// central differences.

// Variables of a law: d, phi, v, w; position, turn, velocity, omega of a, the same of b; its states.
enum { BY_MOTION, BY_A = 3 * KANE_MOTIONS, BY_B = 2 * BY_A, BY_STATES = 3 * BY_A };
enum { LAW_VARIABLES = BY_STATES + KANE_LAW_STATES, LAW_RESULTS = 6 + KANE_LAW_STATES };

typedef struct law_point {
    const kane_element *element;
    const kane_element_motion *motion;
} law_point;

// Turns the axes of a point about an axis of A.
static kane_mat3 rotate_about_axis(kane_mat3 R, int axis, double angle)
{
    const double s = sin(angle), c = cos(angle);
    const kane_mat3 one  = km3_identity();
    const kane_mat3 turn = axis == 0   ? km3_turn_x(one, s, c)
                           : axis == 1 ? km3_turn_y(one, s, c)
                                       : km3_turn_z(one, s, c);
    return km3_mul(turn, R);
}

// Moves a point a little. Returns by how much, which is a little off where positions are large.
static double move_point(kane_marker *m, int k, double h)
{
    kane_vec3 *const moved[KANE_MOTIONS] = {&m->position, NULL, &m->velocity, &m->omega};
    if (k / 3 == KANE_TURNS) {
        m->R = rotate_about_axis(m->R, k % 3, h);
        return h;
    }
    const kane_vec3 before = *moved[k / 3];
    *moved[k / 3]          = kv3_add_scaled(before, h, kv3_unit(k % 3));
    return kv3_get(kv3_sub(*moved[k / 3], before), k % 3);
}

// What a law gives with one of its variables moved: force and torque on b, axes of a, and the rates of its states. Of
// absolute motion the relative one is held.
static int eval_varied_law(const void *data, int k, double h, double *moved, double *f)
{
    const law_point *at           = data;
    kane_element_motion m         = *at->motion;
    kane_vec3 *const relative[]   = {&m.relative.d, &m.relative.phi, &m.relative.v, &m.relative.w};
    double state[KANE_LAW_STATES] = {0.0};
    kane_wrench on_b;
    if (k < BY_A) {
        *relative[k / 3] = kv3_add_scaled(*relative[k / 3], h, kv3_unit(k % 3));
    } else if (k < BY_STATES) {
        *moved = move_point(k < BY_B ? &m.absolute.a : &m.absolute.b, k % BY_A, h);
    } else {
        memcpy(state, m.relative.state, (size_t)at->element->state_count * sizeof *state);
        state[k - BY_STATES] += h;
        m.relative.state = state;
    }
    for (int i = 0; i < LAW_RESULTS; i++)
        f[i] = 0.0; // of rates that it has not
    m.relative.absolute = at->element->absolute ? &m.absolute : NULL;
    kane_status status  = kane_element_eval(at->element, &m, &on_b);
    if (status == KANE_OK && at->element->state_count > 0)
        status = kane_element_rates(at->element, &m, f + 6);
    for (int i = 0; i < 3 && status == KANE_OK; i++) {
        f[i]     = kv3_get(on_b.force, i);
        f[3 + i] = kv3_get(on_b.torque, i);
    }
    return status;
}

// Steps [m], [rad], [m/s], [rad/s]. A point 100 km from the origin is known to 1e-11 m; one that the track carries
// along depends on no body, and is not moved.
static int list_variables(const kane_element *element, const kane_element_motion *m, kane_varied *list)
{
    static const double step[KANE_MOTIONS] = {1e-7, 1e-7, 1e-6, 1e-6};
    const kane_vec3 at[]                   = {kv3_zero(), m->absolute.a.position, m->absolute.b.position};
    const int is_moved[] = {1, element->absolute && element->a.body >= 0, element->absolute && element->b.body >= 0};
    int count            = 0;
    for (int k = BY_MOTION; k < BY_STATES; k++) {
        const int of = k / BY_A, kind = k % BY_A / 3, is_place = of > 0 && kind == KANE_MOVES;
        if (is_moved[of])
            list[count++] = (kane_varied){k, is_place ? 1e-6 * fmax(1.0, 1e-3 * kv3_norm(at[of])) : step[kind]};
    }
    for (int k = 0; k < element->state_count; k++)
        list[count++] =
            (kane_varied){BY_STATES + k, 1e-7 * (element->states[k].size > 0.0 ? element->states[k].size : 1.0)};
    return count;
}

// Slopes by one variable to where they belong.
static void put_law_slope(const kane_element *element, int k, const double *slope, kane_law_derivative *out)
{
    const int kind = k % BY_A / 3, c = k % 3, n = element->state_count;
    const kane_vec3 force = kv3(slope[0], slope[1], slope[2]), torque = kv3(slope[3], slope[4], slope[5]);
    const double *rate = slope + 6;
    if (k < BY_A) {
        kane_mat3 *const of_force[]  = {&out->force_d, &out->force_phi, &out->force_v, &out->force_w};
        kane_mat3 *const of_torque[] = {&out->torque_d, &out->torque_phi, &out->torque_v, &out->torque_w};
        km3_set_column(of_force[kind], c, force);
        km3_set_column(of_torque[kind], c, torque);
        for (int i = 0; i < n; i++) {
            kane_law_state_derivative *state = &out->state[i];
            kane_vec3 *const row[]           = {&state->rate_d, &state->rate_phi, &state->rate_v, &state->rate_w};
            *row[kind]                       = kv3_add_scaled(*row[kind], rate[i], kv3_unit(c));
        }
    } else if (k < BY_STATES) {
        kane_law_point_derivative *p = k < BY_B ? &out->absolute->a : &out->absolute->b;
        kane_mat3 *const of_force[]  = {&p->force_position, &p->force_turn, &p->force_velocity, &p->force_omega};
        kane_mat3 *const of_torque[] = {&p->torque_position, &p->torque_turn, &p->torque_velocity, &p->torque_omega};
        kane_vec3 *const row[]       = {p->rate_position, p->rate_turn, p->rate_velocity, p->rate_omega};
        km3_set_column(of_force[kind], c, force);
        km3_set_column(of_torque[kind], c, torque);
        for (int i = 0; i < n; i++)
            row[kind][i] = kv3_add_scaled(row[kind][i], rate[i], kv3_unit(c));
    } else {
        out->state[k - BY_STATES].force  = force;
        out->state[k - BY_STATES].torque = torque;
        for (int i = 0; i < n; i++)
            out->state[i].rate_state[k - BY_STATES] = rate[i];
    }
}

// The law's derivative, its own or, where it brings none, by central differences.
kane_status kane_element_derive_law(const kane_element *element, const kane_element_motion *m, kane_law_derivative *out)
{
    kane_law_absolute_derivative *absolute = out->absolute;
    memset(out, 0, offsetof(kane_law_derivative, state) + (size_t)element->state_count * sizeof *out->state);
    out->absolute = element->absolute ? absolute : NULL;
    if (element->absolute)
        *out->absolute = (kane_law_absolute_derivative){0};
    if (element->law->derive) {
        element->law->derive(element->data, &m->relative, out);
        return KANE_OK;
    }
    const law_point at = {element, m};
    kane_varied list[LAW_VARIABLES];
    double slopes[LAW_VARIABLES][LAW_RESULTS];
    const int count    = list_variables(element, m, list);
    kane_status status = kane_central_difference(count, list, eval_varied_law, &at, LAW_RESULTS, slopes[0]);
    for (int k = 0; k < count && status == KANE_OK; k++)
        put_law_slope(element, list[k].variable, slopes[k], out);
    return status;
}

// === Derivatives of actuators.

// A force along the track in a point of the body: only its lever turns.
static void derive_force(const kane_body_state *b, const kane_boxes *boxes, kane_vec3 point, kane_vec3 force,
                         kane_gradient *g)
{
    const kane_mat3 lever = kg_times_skew(km3_skew(force), km3_mulv(b->R_w, point));
    kg_add(&g->torque[KANE_TURNS], km3_mul(lever, boxes->P));
}

// A torque about the axle: it turns with the axle; a brake's changes with the spin.
static void derive_torque(const kane_model *model, const kane_work *work, const kane_actuator *actuator, double torque,
                          kane_gradient *g)
{
    const kane_body_state *b = &work->body[actuator->on];
    const kane_boxes boxes   = kane_boxes_of(&model->bodies[actuator->on], b);
    kane_mat3 turns          = km3_scale(-torque, kg_skew_times(b->axle, boxes.P));
    kane_mat3 spins          = km3_zero();

    if (actuator->kind == KANE_ACTUATOR_BRAKE) {
        const double spin  = kv3_dot(b->level, kv3_sub(b->w_w, b->w_box));
        const double t     = tanh(spin / KANE_BRAKE_SPIN);
        const double slope = -kane_actuator_value(actuator, work->t, work->input) * (1.0 - t * t) / KANE_BRAKE_SPIN;
        // spin = level.(w - w_frame)
        const kane_vec3 w_rel   = kv3_sub(b->w_w, b->w_frame);
        const kane_vec3 by_turn = km3_tmulv(boxes.P, km3_tmulv(boxes.level_turn, w_rel));
        kg_add(&turns, km3_scale(slope, km3_outer(b->axle, by_turn)));
        spins = km3_scale(slope, km3_outer(b->axle, b->level));
    }
    kg_add(&g->torque[KANE_TURNS], turns);
    kg_add(&g->torque[KANE_SPINS], spins);
}

void kane_actuator_derive(const kane_model *model, const kane_work *work, int index, kane_gradient *pairs)
{
    const kane_actuator *actuator = &model->actuators[index];
    const kane_body_state *b      = &work->body[actuator->on];
    kane_gradient g               = {0};
    kane_wrench on, reaction;
    if (actuator->kind == KANE_ACTUATOR_JOINT || (actuator->directed && actuator->kind == KANE_ACTUATOR_TORQUE))
        return; // depends on no motion
    kane_actuator_wrench(model, work, actuator, &on, &reaction);

    if (actuator->kind == KANE_ACTUATOR_FORCE) {
        const kane_boxes boxes = kane_boxes_of(&model->bodies[actuator->on], b);
        derive_force(b, &boxes, actuator->at.point, on.force, &g);
    } else {
        derive_torque(model, work, actuator, kv3_dot(on.torque, b->axle), &g);
    }
    kg_add_all(&pairs[actuator->on], &g);
    if (actuator->pair >= 0) {
        for (int k = 0; k < KANE_MOTIONS; k++)
            kg_sub(&pairs[actuator->pair].torque[k], g.torque[k]);
    }
}
