// SPDX-License-Identifier: MIT
// The layout of the state, and which bodies the Jacobian couples.

#include "model/compile.h"

// In the fixed formulation a body with all its freedoms is described in A; one with removed freedoms stays in its track
// frame, whose motion then enters through V = A u + C instead of through imaginary forces.
static void describe(kane_model *model, const kane_model_options *options)
{
    int rest = -1;
    for (int j = 0; j < model->body_count; j++) {
        kane_body *body    = &model->bodies[j];
        const int at_rest  = model->frames[body->track_frame].kind == KANE_FRAME_REST;
        const int is_fixed = model->formulation == KANE_FIXED;

        body->absolute = is_fixed || at_rest;
        if (is_fixed && !at_rest && body->freedoms == KANE_ALL_FREEDOMS && !body->follows) {
            if (rest < 0) {
                rest                = model->frame_count++;
                model->frames[rest] = (kane_frame){.kind = KANE_FRAME_REST};
            }
            body->frame = rest;
        }
        body->separate = options->separate && !body->absolute;
        for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
            for (int term = 0; term < KANE_IMAGINARY_TERMS; term++)
                for (int axis = 0; axis < 3; axis++)
                    if (kv3_get(body->keep[kind][term], axis) == 0.0)
                        body->separate = 1;
    }
}

static int find_pair(kane_model *model, int row, int column)
{
    for (int p = 0; p < model->pair_count; p++)
        if (model->pairs[p].row == row && model->pairs[p].column == column)
            return p;
    model->pairs[model->pair_count] = (kane_pair){row, column};
    return model->pair_count++;
}

void kane_compile_layout(kane_compiler *c)
{
    kane_model *model = c->model;
    describe(model, c->options);

    int next = model->travel_count;
    for (int j = 0; j < model->body_count; j++) {
        model->bodies[j].q = next;
        next += KANE_COORDINATES;
    }
    model->u_begin = next;
    for (int j = 0; j < model->body_count; j++) {
        model->bodies[j].u = next;
        next += model->bodies[j].u_count;
    }
    model->state_count = next;

    for (int j = 0; j < model->body_count; j++)
        (void)find_pair(model, j, j);
    for (int e = 0; e < model->element_count; e++) {
        kane_element *element = &model->elements[e];
        const int end[2]      = {element->a.body, element->b.body};
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 2; k++)
                element->pair[i][k] = end[i] >= 0 && end[k] >= 0 ? find_pair(model, end[i], end[k]) : -1;
    }
    for (int i = 0; i < model->wheels_count; i++) {
        kane_wheels *wheels = &model->wheels[i];
        if (wheels->panel >= 0) {
            wheels->pair[0] = find_pair(model, wheels->body, wheels->panel);
            wheels->pair[1] = find_pair(model, wheels->panel, wheels->body);
        }
    }
    for (int i = 0; i < model->actuator_count; i++) {
        kane_actuator *actuator = &model->actuators[i];
        actuator->pair          = actuator->reaction >= 0 ? find_pair(model, actuator->reaction, actuator->on) : -1;
    }
}
