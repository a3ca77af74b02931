// SPDX-License-Identifier: MIT
// Names in a vehicle of a train, searched in the vehicle alone: what its file has wrong is said once and with the
// names that stand there, before they get the names of vehicles in front.

#include "vehicles/train_file.h"

typedef struct checker {
    kane_names bodies, frames;
    kane_errors *errors;
} checker;

static void check_body(const checker *c, const char *name, kane_place place)
{
    if (name && !kane_word_is_frame(name))
        (void)kane_names_resolve(c->bodies, "body", name, place, c->errors);
}

// A body, or a frame by its name.
static void check_holder(const checker *c, const char *name, kane_place place)
{
    if (name && kane_names_find(c->frames, name) < 0)
        check_body(c, name, place);
}

static void check_bodies(const checker *c, const kane_vehicle_definition *d)
{
    for (int j = 0; j < d->body_count; j++) {
        const kane_body_definition *body   = &d->bodies[j];
        const kane_joint_definition *joint = body->joint;
        check_holder(c, body->frame, kane_block_place(&body->block, "frame", -1));
        if (joint)
            check_holder(c, joint->parent, kane_block_place(&joint->block, "parent", -1));
    }
}

static void check_constraint(const checker *c, const kane_constraint_definition *d)
{
    for (int i = 0; i < d->term_count; i++)
        check_body(c, d->terms[i].body, kane_block_place(&d->block, "terms", i));
    for (int i = 0; i < d->side_count; i++)
        check_holder(c, d->sides[i].body, d->sides[i].place);
    for (int i = 0; i < 2 && d->term_count == 0 && d->side_count == 0; i++)
        check_holder(c, d->between[i], kane_block_place(&d->block, "between", i));
}

static void check_input(const checker *c, const kane_vehicle_definition *d, const kane_input_definition *input)
{
    const kane_names elements = {d->elements, d->element_count, sizeof *d->elements};
    const kane_place place    = kane_block_place(&input->block, "on", -1);
    if (input->kind == KANE_INPUT_ELEMENT)
        (void)kane_names_resolve(elements, "element", input->on, place, c->errors);
    else
        check_body(c, input->on, place);
    check_body(c, input->reaction, kane_block_place(&input->block, "reaction", -1));
}

void kane_train_check_names(const kane_vehicle_definition *vehicle, kane_errors *errors)
{
    const kane_vehicle_definition *d = vehicle;
    const checker c                  = {.bodies = {d->bodies, d->body_count, sizeof *d->bodies},
                                        .frames = {d->given_frames, d->given_frame_count, sizeof *d->given_frames},
                                        .errors = errors};
    check_body(&c, d->guide, kane_block_place(&d->block, "reference_body", -1));
    for (int i = 0; i < d->given_frame_count; i++)
        check_holder(&c, d->given_frames[i].relative, kane_block_place(&d->given_frames[i].block, "relative_to", -1));
    check_bodies(&c, d);
    for (int i = 0; i < d->marker_count; i++)
        check_holder(&c, d->markers[i].on, kane_block_place(&d->markers[i].block, "on", -1));
    for (int e = 0; e < d->element_count; e++)
        for (int i = 0; i < 2; i++)
            check_holder(&c, d->elements[e].between[i], kane_block_place(&d->elements[e].block, "between", i));
    for (int i = 0; i < d->sensor_count; i++)
        check_body(&c, d->sensors[i].on, kane_block_place(&d->sensors[i].block, "on", -1));
    for (int i = 0; i < d->input_count; i++)
        check_input(&c, d, &d->inputs[i]);
    for (int i = 0; i < d->constraint_count; i++)
        check_constraint(&c, &d->constraints[i]);
}
