// SPDX-License-Identifier: MIT
// States of elements in the Jacobian:
//
//   d(u_dot)/d(state) = B d(wrench)/d(state)      d(rate)/d(q, u) = d(rate)/d(motion) d(motion)/d(q, u)      d(rate)/d(state)
//
// The same walk counts the entries, names them and gives them values.

#include "agem/derive_states.h"

typedef struct walk {
    const kane_model *model;
    const kane_work *work;                          // NULL: values are not wanted
    kane_guided_column (*guided)[KANE_BODY_STATES]; //
    kane_state_entries *out;
    int next;
} walk;

static void emit(walk *w, int row, int column, double value)
{
    if (w->work)
        w->out->values[w->next] = value;
    else if (w->out->entries)
        w->out->entries[w->next] = (kane_entry){row, column};
    w->next++;
}

// Accelerations of a body by the states.
static void walk_responses(walk *w, const kane_element *element, int j, const kane_wrench *by_state)
{
    const kane_body *body = &w->model->bodies[j];
    for (int i = 0; i < element->state_count; i++) {
        double u_dot[6] = {0.0};
        if (w->work) {
            const kane_mat3 R      = kane_derive_axes(w->work, body);
            const kane_wrench here = {km3_tmulv(R, by_state[i].force), km3_tmulv(R, by_state[i].torque)};
            kane_derive_respond(w->model, w->work, j, here, u_dot);
        }
        for (int k = 0; k < body->u_count; k++)
            emit(w, body->u + k, element->state + i, u_dot[k]);
    }
}

// Rates of the states by the states of a body.
static void walk_rates(walk *w, const kane_element *element, int j, const kane_gradient *rates)
{
    const kane_body *body                = &w->model->bodies[j];
    kane_wrench column[KANE_BODY_STATES] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    if (w->work)
        kane_derive_quantities(w->model, w->work, j, rates, w->guided, column);
    for (int c = 0; c < KANE_COORDINATES + body->u_count; c++)
        for (int i = 0; i < element->state_count && kane_derive_matters(body, c); i++)
            emit(w, element->state + i, kane_derive_state_index(body, c),
                 i < 3 ? kv3_get(column[c].force, i) : kv3_get(column[c].torque, i - 3));
}

static void walk_all(walk *w, const kane_state_gradient *states)
{
    for (int r = 0; r < w->model->remembering_count; r++) {
        const kane_element *element  = &w->model->elements[w->model->remembering[r]];
        const kane_state_gradient *g = states ? &states[r] : NULL;
        const int body[2]            = {element->a.body, element->b.body};
        for (int end = 0; end < 2; end++) {
            if (body[end] < 0 || w->model->bodies[body[end]].link >= 0)
                continue;
            walk_responses(w, element, body[end], g ? g->by_state[end] : NULL);
            walk_rates(w, element, body[end], g ? &g->rates[end] : NULL);
        }
        for (int i = 0; i < element->state_count; i++)
            for (int k = 0; k < element->state_count; k++)
                emit(w, element->state + i, element->state + k, g ? g->own[i][k] : 0.0);
    }
}

kane_state_entries *kane_state_entries_create(const kane_model *model, kane_arena *arena)
{
    kane_state_entries *out = kane_arena_alloc(arena, 1, sizeof *out);
    walk w                  = {.model = model, .out = out};
    if (!out)
        return NULL;
    walk_all(&w, NULL);
    out->count   = w.next;
    out->entries = kane_arena_alloc(arena, (size_t)out->count, sizeof *out->entries);
    out->values  = kane_arena_alloc(arena, (size_t)out->count, sizeof *out->values);
    if (kane_arena_failed(arena))
        return NULL;
    w.next = 0;
    walk_all(&w, NULL);
    return out;
}

void kane_states_derive(const kane_model *model, const kane_work *work, const kane_state_gradient *states,
                        kane_guided_column (*guided)[KANE_BODY_STATES], kane_state_entries *out)
{
    walk w = {model, work, guided, out, 0};
    if (out)
        walk_all(&w, states);
}
