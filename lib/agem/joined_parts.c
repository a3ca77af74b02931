// SPDX-License-Identifier: MIT
// What moves a link, how it moves then, and what a wrench does to any body.

#include "agem/joined_parts.h"

#include "agem/derive.h"

#include <string.h>

// --- states that move a link ---

// Whether a coordinate of a link can change.
static int can_change(const kane_link *link, int coordinate)
{
    return link->kind == KANE_LINK_BALL || link->step[coordinate].mode == KANE_STEP_FREE;
}

// Whether the speeds of what carries a link move it.
static int is_carried(const kane_link *link)
{
    return link->kind != KANE_LINK_BODY;
}

int kane_joined_next_state(const kane_joined_derivative *d, int i, kane_joined_state *state)
{
    const kane_link *links = d->model->tree.links;
    if (state->link < 0) {
        *state = (kane_joined_state){.link = i, .index = -1};
    }
    for (;;) {
        const kane_link *link = &links[state->link];
        state->index++;
        if (!state->is_speed && state->index >= link->q_count) {
            int body = 0; // a body with all freedoms between here and there
            for (int k = i; k != state->link; k = links[k].parent)
                body = body || !is_carried(&links[k]);
            if (!body) {
                state->is_speed = 1;
                state->index    = 0;
            }
        }
        if (state->is_speed ? state->index >= link->v_count : state->index >= link->q_count) {
            if (link->parent < 0)
                return 0;
            *state = (kane_joined_state){.link = link->parent, .index = -1};
            continue;
        }
        if (state->is_speed || can_change(link, state->index))
            return 1;
    }
}

int kane_joined_place(const kane_joined_derivative *d, kane_joined_state state)
{
    const kane_link *link = &d->model->tree.links[state.link];
    return state.is_speed ? d->v_place[link->v + state.index] : d->q_place[link->q + state.index];
}

// --- tangents ---

void kane_joined_tangent(kane_joined_derivative *d, int link, kane_joined_state state)
{
    const kane_tree *tree = &d->model->tree;
    const kane_link *from = &tree->links[state.link];
    const int index       = state.is_speed ? tree->q_count + from->v + state.index : from->q + state.index;
    kane_tree_tangent(d->map, d->sweep, &d->work->tree, d->work->base, index, 1, &link, d->tangent);
}

void kane_joined_motion(const kane_joined_derivative *d, int i, kane_vec3 motion[KANE_MOTIONS])
{
    const kane_link *link      = &d->model->tree.links[i];
    const kane_link_state *s   = &d->work->tree.link[i];
    const kane_link_tangent *t = &d->tangent[i];
    const kane_transport *T    = &d->work->transport[link->frame];
    const kane_vec3 arm = km3_mulv(s->R, link->c), darm = kv3_cross(t->turn, arm);
    const kane_vec3 moves = kv3_add(t->shift, darm);
    kane_vec3 speeds      = kv3_add(t->v, kv3_add(kv3_cross(t->w, arm), kv3_cross(s->w, darm)));
    if (d->model->joined_separate) // links know relative velocities
        speeds = kv3_add(speeds, kv3_cross(T->omega, moves));
    motion[KANE_MOVES]  = km3_mulv(T->R, moves);
    motion[KANE_TURNS]  = km3_mulv(T->R, t->turn);
    motion[KANE_SPEEDS] = km3_mulv(T->R, speeds);
    motion[KANE_SPINS]  = km3_mulv(T->R, t->w);
}

// --- responses ---

// Speeds of links in the group of a link: those that a wrench on it accelerates.
static void respond_run(kane_joined_derivative *d, int i, kane_wrench w, int column)
{
    const kane_tree *tree = &d->model->tree;
    const kane_links run  = d->model->runs[d->run_of[i]];
    if (d->values) {
        memset(d->push + run.first, 0, (size_t)(run.end - run.first) * sizeof *d->push);
        const kane_vec3 arm = km3_mulv(d->work->tree.link[i].R, tree->links[i].c);
        d->push[i]          = (kane_wrench){w.force, kv3_add(w.torque, kv3_cross(arm, w.force))};
        kane_tree_respond(tree, run, &d->work->tree, d->push, d->answer, d->v_dot);
    }
    for (int k = run.first; k < run.end; k++)
        for (int v = tree->links[k].v; v < tree->links[k].v + tree->links[k].v_count && d->root_of[k] == d->root_of[i];
             v++)
            kane_joined_emit(d, d->v_place[v], column, d->values ? d->v_dot[v] : 0.0);
}

void kane_joined_respond(kane_joined_derivative *d, int j, kane_wrench w, int column)
{
    const kane_body *body = &d->model->bodies[j];
    if (body->link >= 0) {
        respond_run(d, body->link, w, column);
        return;
    }
    double u_dot[6] = {0.0};
    if (d->values)
        kane_derive_respond(d->model, d->work, j, w, u_dot);
    for (int i = 0; i < body->u_count; i++)
        kane_joined_emit(d, body->u + i, column, u_dot[i]);
}
