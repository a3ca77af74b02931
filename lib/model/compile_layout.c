// SPDX-License-Identifier: MIT
// The layout of the state, and which bodies the Jacobian couples.

#include "model/compile.h"

// In the fixed formulation a body with all its freedoms is described in A; one with removed freedoms stays in its track
// frame, whose motion then enters through V = A u + C instead of through imaginary forces. A tree goes where its root
// does; a joint to the track frame keeps it there.
static int is_described_in_A(const kane_compiler *c, int j)
{
    const kane_model *model = c->model;
    const kane_body *body   = &model->bodies[j];
    if (model->formulation != KANE_FIXED || model->frames[body->track_frame].kind == KANE_FRAME_REST)
        return 0;
    return body->freedoms == KANE_ALL_FREEDOMS && !body->follows && (body->link < 0 || !c->hinges[j].joint);
}

static int frame_at_rest(kane_model *model)
{
    for (int f = 1; f < model->frame_count; f++)
        if (model->frames[f].kind == KANE_FRAME_REST)
            return f;
    model->frames[model->frame_count] = (kane_frame){.kind = KANE_FRAME_REST};
    return model->frame_count++;
}

// Imaginary terms one by one where they are asked for, or where some are left out.
static void choose_terms(kane_compiler *c, kane_body *body)
{
    const int at_rest = c->model->frames[body->track_frame].kind == KANE_FRAME_REST;
    body->absolute    = c->model->formulation == KANE_FIXED || at_rest;
    body->separate    = c->options->separate && !body->absolute;
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        for (int term = 0; term < KANE_IMAGINARY_TERMS; term++)
            for (int axis = 0; axis < 3; axis++)
                if (kv3_get(body->keep[kind][term], axis) == 0.0)
                    body->separate = 1;
}

// What a tree's bodies share: the frame of the root, and the way of their imaginary terms.
static void share(kane_compiler *c)
{
    kane_model *model = c->model;
    for (int i = 0, root = 0; i < model->tree.link_count; i++) {
        const int j = model->link_body[i];
        if (c->hinges[j].parent < 0) {
            root = j;
            continue;
        }
        model->bodies[j].frame = model->bodies[root].frame;
        model->bodies[root].separate |= model->bodies[j].separate;
    }
    for (int i = 0, root = 0; i < model->tree.link_count; i++) {
        const int j               = model->link_body[i];
        root                      = c->hinges[j].parent < 0 ? j : root;
        model->bodies[j].separate = model->bodies[root].separate;
    }
}

void kane_compile_descriptions(kane_compiler *c)
{
    kane_model *model = c->model;
    for (int j = 0; j < model->body_count; j++) {
        kane_body *body = &model->bodies[j];
        if (is_described_in_A(c, j))
            body->frame = frame_at_rest(model);
        choose_terms(c, body);
    }
    share(c);
}

static int find_pair(kane_model *model, int row, int column)
{
    for (int p = 0; p < model->pair_count; p++)
        if (model->pairs[p].row == row && model->pairs[p].column == column)
            return p;
    model->pairs[model->pair_count] = (kane_pair){row, column};
    return model->pair_count++;
}

// Index of the cluster that a link belongs to, -1: none.
static int cluster_of(const kane_model *model, int link)
{
    for (int i = 0; i < model->cluster_count; i++)
        for (int k = 0; k < model->clusters[i].link_count; k++)
            if (model->clusters[i].links[k] == link)
                return i;
    return -1;
}

// y = (s, v | coordinates of all bodies | speeds of bodies that no constraint couples | independent speeds of clusters)
static void place_state(kane_model *model)
{
    int next = model->travel_count;
    for (int j = 0; j < model->body_count; j++) {
        kane_body *body = &model->bodies[j];
        body->q         = next;
        body->q_count   = body->link >= 0 ? model->tree.links[body->link].q_count : (int)KANE_COORDINATES;
        next += body->q_count;
    }
    model->u_begin = next;
    for (int j = 0; j < model->body_count; j++) {
        kane_body *body = &model->bodies[j];
        body->u         = next;
        if (body->link >= 0)
            body->u_count = cluster_of(model, body->link) < 0 ? model->tree.links[body->link].v_count : 0;
        next += body->u_count;
    }
    for (int i = 0; i < model->cluster_count; i++) {
        model->cluster_u[i] = next;
        for (int k = 0; k < model->clusters[i].link_count; k++)
            model->bodies[model->link_body[model->clusters[i].links[k]]].u = next;
        next += model->clusters[i].u_count;
    }
    model->state_count = next;
}

// Only bodies that stand alone have Jacobian blocks of their own; those of joined bodies go through their trees.
static int is_alone(const kane_model *model, int body)
{
    return body >= 0 && model->bodies[body].link < 0;
}

void kane_compile_layout(kane_compiler *c)
{
    kane_model *model = c->model;
    place_state(model);

    for (int j = 0; j < model->body_count; j++)
        (void)find_pair(model, j, j);
    for (int e = 0; e < model->element_count; e++) {
        kane_element *element = &model->elements[e];
        const int end[2]      = {element->a.body, element->b.body};
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 2; k++)
                element->pair[i][k] =
                    is_alone(model, end[i]) && is_alone(model, end[k]) ? find_pair(model, end[i], end[k]) : -1;
    }
    for (int i = 0; i < model->wheels_count; i++) {
        kane_wheels *wheels = &model->wheels[i];
        wheels->pair[0] = wheels->pair[1] = -1;
        if (wheels->panel >= 0 && is_alone(model, wheels->body)) {
            wheels->pair[0] = find_pair(model, wheels->body, wheels->panel);
            wheels->pair[1] = find_pair(model, wheels->panel, wheels->body);
        }
    }
    for (int i = 0; i < model->actuator_count; i++) {
        kane_actuator *actuator = &model->actuators[i];
        const int is_pair       = is_alone(model, actuator->reaction) && is_alone(model, actuator->on);
        actuator->pair          = is_pair ? find_pair(model, actuator->reaction, actuator->on) : -1;
    }
}
