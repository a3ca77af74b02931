// SPDX-License-Identifier: MIT
// The layout of the state, and which bodies the Jacobian couples.

#include "model/compile.h"

// In the fixed formulation a body with all its freedoms is described in A; one with removed freedoms stays in its track
// frame, whose motion its link's base has. A tree goes where its root
// does; a joint to the track frame keeps it there, and so does a relation of its coordinates, which are those against
// the frame.
static int is_described_in_A(const kane_compiler *c, int j)
{
    const kane_model *model = c->model;
    const kane_body *body   = &model->bodies[j];
    if (model->formulation != KANE_FIXED || model->frames[body->track_frame].kind == KANE_FRAME_REST)
        return 0;
    return body->dof == KANE_ALL_DOF && !body->is_tabulated && !c->hinges[j].joint && !c->hinges[j].is_related;
}

static int is_incomplete(kane_vec3 keep[KANE_WRENCH_KINDS][KANE_IMAGINARY_TERMS])
{
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        for (int term = 0; term < KANE_IMAGINARY_TERMS; term++)
            for (int axis = 0; axis < 3; axis++)
                if (kv3_get(keep[kind][term], axis) == 0.0)
                    return 1;
    return 0;
}

// Imaginary terms one by one where they are asked for, or where some are left out.
static void choose_terms(kane_compiler *c, kane_body *body)
{
    const int at_rest = c->model->frames[body->track_frame].kind == KANE_FRAME_REST;
    body->absolute    = c->model->formulation == KANE_FIXED || at_rest;
    c->model->imaginary_as_forces |= c->options->imaginary_as_forces && !body->absolute;
    c->model->imaginary_as_forces |= !body->panel && is_incomplete(body->keep); // a panel has none to keep
}

// A tree's bodies share the frame of its root.
static void share_frame(kane_compiler *c)
{
    kane_model *model = c->model;
    for (int i = 0, root = 0; i < model->tree.link_count; i++) {
        const int j = model->link_body[i];
        if (c->hinges[j].parent < 0)
            root = j;
        else
            model->bodies[j].frame = model->bodies[root].frame;
    }
}

void kane_compile_descriptions(kane_compiler *c)
{
    kane_model *model = c->model;
    for (int j = 0; j < model->body_count; j++) {
        kane_body *body = &model->bodies[j];
        if (is_described_in_A(c, j))
            body->frame = kane_compile_frame_in_A(model);
        choose_terms(c, body);
    }
    for (int k = 0; k < model->closure_count; k++)
        model->imaginary_as_forces |=
            model->closures[k].rod.mass > 0.0 && is_incomplete(model->closures[k].rod.keep.term);
    for (int k = 0; k < model->closure_count; k++)
        model->closures[k].rod.imaginary_as_forces = model->imaginary_as_forces;
    share_frame(c);
}

// Pairs of a row hang in a chain, so that finding one does not take longer the more bodies there are.
typedef struct pair_list {
    kane_model *model;
    int *first; // pair of every row, -1: none [body_count]
    int *next;  // of every pair in its row
} pair_list;

static int find_pair(pair_list *list, int row, int column)
{
    kane_model *model = list->model;
    int *end          = &list->first[row];
    for (; *end >= 0; end = &list->next[*end])
        if (model->pairs[*end].column == column)
            return *end;
    *end                            = model->pair_count;
    list->next[model->pair_count]   = -1;
    model->pairs[model->pair_count] = (kane_pair){row, column};
    return model->pair_count++;
}

int kane_compile_cluster_of(const kane_model *model, int link)
{
    for (int i = 0; i < model->cluster_count; i++)
        for (int k = 0; k < model->clusters[i].link_count; k++)
            if (model->clusters[i].links[k] == link)
                return i;
    return -1;
}

// y = (s, v, b | coordinates of all bodies | speeds of bodies that no constraint couples | independent speeds of
// clusters | states of elements)
static void place_state(kane_compiler *c)
{
    kane_model *model = c->model;
    int next          = model->travel_count;
    for (int j = 0; j < model->body_count; j++) {
        kane_body *body = &model->bodies[j];
        body->q         = next;
        body->q_count   = body->part == KANE_PART_POINT ? 0 : model->tree.links[body->link].q_count;
        for (int k = 0; k < model->tree.links[body->link].q_count; k++)
            body->coordinate[k] = kane_joint_coordinate_name(c->hinges[j].joint, k);
        next += body->q_count;
    }
    model->u_begin = next;
    for (int j = 0; j < model->body_count; j++) {
        kane_body *body = &model->bodies[j];
        body->u         = next;
        if (body->part == KANE_PART_POINT || kane_compile_cluster_of(model, body->link) >= 0)
            body->u_count = 0;
        else if (!body->is_free_body && !body->is_tabulated)
            body->u_count = model->tree.links[body->link].v_count;
        const int by_map =
            body->is_free_body && model->tree.links[body->link].kind == KANE_LINK_BODY; // of its freedoms
        for (int k = 0; k < body->u_count && !by_map && !body->is_tabulated; k++)
            body->component[k] = k;
        next += body->u_count;
    }
    for (int i = 0; i < model->cluster_count; i++) {
        model->cluster_u[i] = next;
        for (int k = 0; k < model->clusters[i].link_count; k++)
            model->bodies[model->link_body[model->clusters[i].links[k]]].u = next;
        next += model->clusters[i].u_count;
    }
    model->u_end = next;
    for (int i = 0; i < model->stateful_count; i++) {
        kane_element *element = &model->elements[model->stateful[i]];
        element->state        = next;
        next += element->state_count;
    }
    model->state_count = next;
}

// Bodies whose motion something outside of their joints asks for in every evaluation. Constraints push links, not
// bodies.
static void find_idle(kane_model *model, const int *seen)
{
    for (int j = 0; j < model->body_count; j++) {
        kane_link *link = &model->tree.links[model->bodies[j].link];
        link->idle      = model->bodies[j].part == KANE_PART_POINT && !seen[j] && link->mass == 0.0;
    }
    for (int i = 0; i < model->tree.link_count; i++)
        if (model->tree.links[i].parent >= 0)
            model->tree.links[model->tree.links[i].parent].idle = 0;
    for (int k = 0; k < model->closure_count; k++) {
        const kane_constraint_row_set *closure = &model->closures[k];
        for (int side = 0; side < closure->side_count; side++)
            if (closure->side[side].link >= 0)
                model->tree.links[closure->side[side].link].idle = 0;
        for (int t = 0; t < closure->term_count; t++)
            model->tree.links[closure->term[t].link].idle = 0;
    }
}

static void list_loaded_links(kane_model *model)
{
    int *seen     = kane_arena_alloc(model->arena, (size_t)model->body_count, sizeof *seen);
    model->loaded = kane_arena_alloc(model->arena, (size_t)model->tree.link_count, sizeof *model->loaded);
    if (!seen || !model->loaded)
        return;
    for (int e = 0; e < model->element_count; e++) {
        const int end[2] = {model->elements[e].a.body, model->elements[e].b.body};
        for (int i = 0; i < 2; i++)
            if (end[i] >= 0)
                seen[end[i]] = 1;
    }
    for (int k = 0; k < model->actuator_count; k++) {
        seen[model->actuators[k].on] = 1;
        if (model->actuators[k].reaction >= 0)
            seen[model->actuators[k].reaction] = 1;
    }
    find_idle(model, seen);
    for (int i = 0; i < model->tree.link_count; i++) {
        const int j = model->link_body[i];
        if (model->tree.links[i].idle || model->bodies[j].part == KANE_PART_MODE)
            continue;
        if (model->imaginary_as_forces || model->bodies[j].wheels >= 0 || model->bodies[j].is_free_body || seen[j])
            model->loaded[model->loaded_count++] = i;
    }
}

// The speed that a motor in a joint drives.
static void find_speed(kane_compiler *c, int i)
{
    kane_actuator *actuator = &c->model->actuators[i];
    actuator->speed         = -1;
    if (actuator->kind != KANE_ACTUATOR_JOINT)
        return;
    const kane_body *body = &c->model->bodies[actuator->on];
    const kane_link *link = &c->model->tree.links[body->link];
    if (kane_link_has_steps(link))
        actuator->speed = link->step[actuator->coordinate].v;
    if (actuator->speed < 0)
        kane_errors_add_input(
            c->errors, KANE_BAD_INPUT, kane_block_place(&c->drive->actuators[i].block, "coordinate", -1),
            "'%s' has no motor along this coordinate: it needs a joint with less than six freedoms that "
            "leaves it free",
            body->name);
}

static void list_coupled_pairs(kane_compiler *c, pair_list *list)
{
    kane_model *model = c->model;
    for (int j = 0; j < model->body_count; j++)
        list->first[j] = -1;
    for (int j = 0; j < model->body_count; j++)
        (void)find_pair(list, j, j);
    for (int e = 0; e < model->element_count; e++) {
        kane_element *element = &model->elements[e];
        const int end[2]      = {element->a.body, element->b.body};
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 2; k++)
                element->pair[i][k] = end[i] >= 0 && end[k] >= 0 ? find_pair(list, end[i], end[k]) : -1;
    }
    for (int i = 0; i < model->wheels_count; i++) {
        kane_wheels *wheels = &model->wheels[i];
        if (wheels->panel >= 0) {
            wheels->pair[0] = find_pair(list, wheels->body, wheels->panel);
            wheels->pair[1] = find_pair(list, wheels->panel, wheels->body);
        }
    }
    for (int i = 0; i < model->actuator_count; i++) {
        kane_actuator *actuator = &model->actuators[i];
        find_speed(c, i);
        actuator->pair = actuator->reaction >= 0 ? find_pair(list, actuator->reaction, actuator->on) : -1;
    }
}

void kane_compile_layout(kane_compiler *c)
{
    kane_model *model = c->model;
    place_state(c);
    list_loaded_links(model);
    const size_t bodies = (size_t)model->body_count;
    const size_t most   = 4 * bodies + 2 * (size_t)model->element_count + (size_t)model->actuator_count;
    pair_list list      = {.model = model};
    list.first          = kane_arena_alloc(model->arena, bodies, sizeof *list.first);
    list.next           = kane_arena_alloc(model->arena, most, sizeof *list.next);
    if (list.first && list.next)
        list_coupled_pairs(c, &list);
}
