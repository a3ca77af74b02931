// SPDX-License-Identifier: MIT
// Derivatives of elements: laws know their own, the rest is geometry, exact and the same for all laws.
//
// From the inside out: the law (relative motion in the axes of a, absolute motion in those of A) -> markers (world axes)
// -> bodies -> wrenches at the mass centres of both.

#include "agem/boxes.h"
#include "agem/element.h"
#include "agem/gradient.h"

// --- the law, in world axes ---

// Inverse of the left Jacobian of a rotation vector: d(phi) = (1 - [phi]/2 + c [phi]^2) (small rotation of b seen in a).
static kane_mat3 rotation_vector_slope(kane_vec3 phi)
{
    const double angle2 = kv3_dot(phi, phi), angle = sqrt(angle2);
    const double c =
        angle < 1e-3 ? 1.0 / 12.0 + angle2 / 720.0 : (1.0 - 0.5 * angle * sin(angle) / (1.0 - cos(angle))) / angle2;
    const kane_mat3 skew = km3_skew(phi);
    return km3_add(km3_sub(km3_identity(), km3_scale(0.5, skew)), km3_scale(c, km3_mul(skew, skew)));
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

// Adds what the law makes of the absolute motion of a marker.
static void add_absolute(const element_state *e, const kane_law_point_derivative *l, kane_gradient *G)
{
    add_block(e, l->force_position, 1.0, &G->force[KANE_MOVES]);
    add_block(e, l->force_turn, -1.0, &G->force[KANE_TURNS]);
    add_block(e, l->force_velocity, 1.0, &G->force[KANE_SPEEDS]);
    add_block(e, l->force_omega, -1.0, &G->force[KANE_SPINS]);
    add_block(e, l->torque_position, -1.0, &G->torque[KANE_MOVES]);
    add_block(e, l->torque_turn, 1.0, &G->torque[KANE_TURNS]);
    add_block(e, l->torque_velocity, -1.0, &G->torque[KANE_SPEEDS]);
    add_block(e, l->torque_omega, 1.0, &G->torque[KANE_SPINS]);
}

// The same of the rates of its states: a row each.
static void add_absolute_rates(const element_state *e, const kane_law_point_derivative *l, kane_gradient *G)
{
    const kane_vec3 *const rows[KANE_MOTIONS] = {l->rate_position, l->rate_turn, l->rate_velocity, l->rate_omega};
    for (int i = 0; i < e->element->state_count; i++)
        for (int k = 0; k < KANE_MOTIONS; k++) {
            kane_vec3 row = rows[k][i];
            if (e->element->mirrored)
                row = k == KANE_MOVES || k == KANE_SPEEDS ? kane_mirror_polar(row) : kane_mirror_axial(row);
            kg_add(i < 3 ? &G->force[k] : &G->torque[k], km3_outer(kv3_unit(i % 3), km3_tmulv(e->to_A, row)));
        }
}

// --- bodies ---

// From the motion of a marker to that of its body: P = r + Phi x arm, V = v + W x arm + w_box x (Phi x arm), and what the
// boxes make of phi and w.
static void of_body(const element_state *e, int end, kane_mat3 G[KANE_MOTIONS])
{
    const kane_boxes *boxes = &e->boxes[end];
    const kane_vec3 arm     = e->arm[end];
    const kane_mat3 reach   = km3_mul(km3_skew(e->state[end]->w_box), km3_skew(arm));

    kg_sub(&G[KANE_SPINS], kg_times_skew(G[KANE_SPEEDS], arm));
    kg_sub(&G[KANE_TURNS], kg_times_skew(G[KANE_MOVES], arm));
    kg_sub(&G[KANE_TURNS], km3_mul(G[KANE_SPEEDS], reach));
    if (boxes->spinning) {
        kg_add(&G[KANE_TURNS], km3_mul(G[KANE_SPINS], boxes->spin_turn));
        G[KANE_TURNS] = km3_mul(G[KANE_TURNS], boxes->P);
        G[KANE_SPINS] = km3_mul(G[KANE_SPINS], boxes->P);
    }
}

// Torque at the mass centre of a spinning body: T - level (axle.T), and how that map changes when the boxes turn.
static void unbox(const element_state *e, int row, int own, kane_vec3 torque, kane_gradient *g)
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
        g.torque[k] = km3_add(km3_scale(sign, G->torque[k]), km3_mul(km3_skew(arm), g.force[k]));
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
        unbox(e, row, column == row, kv3_add(kv3_scale(sign, e->on_b.torque), kv3_cross(arm, force)), &g);
    return g;
}

// --- states ---

// Wrench at the mass centre of the body at one end for a wrench that the law exerts on b.
static kane_wrench at_body(const element_state *e, int end, kane_wrench on_b)
{
    const double sign        = end == 1 ? 1.0 : -1.0;
    const kane_body_state *b = e->state[end];
    const kane_vec3 arm      = kv3_sub(e->m.b.position, b->r_w);
    kane_wrench w            = {kv3_scale(sign, on_b.force), kv3_scale(sign, on_b.torque)};
    w.torque                 = kv3_add(w.torque, kv3_cross(arm, w.force));
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
            add_absolute_rates(e, end == 0 ? &l->absolute->a : &l->absolute->b, G);
        of_body(e, end, G->force);
        of_body(e, end, G->torque);
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
    const kane_element_end *ends[2] = {&e->element->a, &e->element->b};
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
        e->boxes[i] = kane_boxes_of(e->body[i], e->state[i]);
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
            add_absolute(&e, i == 0 ? &absolute.a : &absolute.b, &G[i]);
        of_body(&e, i, G[i].force);
        of_body(&e, i, G[i].torque);
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
