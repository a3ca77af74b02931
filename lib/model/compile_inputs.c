// SPDX-License-Identifier: MIT
// Inputs: numbers that a program sets during a simulation. One that acts on a body is the value of an actuator,
// which is added to those of the drive; one of an element is a number that its law lets change.

#include "model/compile.h"

#include <string.h>

static kane_names names_of(const kane_compiler *c)
{
    return (kane_names){c->inputs, c->model->input_count, sizeof *c->inputs};
}

int kane_compile_find_input(kane_compiler *c, const char *name, kane_place place)
{
    return kane_names_resolve(names_of(c), "input", name, place, c->errors);
}

// The actuator that follows an input; its kind is among the first ones.
static kane_actuator_definition follower_of(const kane_input_definition *d)
{
    return (kane_actuator_definition){.block      = d->block,
                                      .kind       = (kane_actuator_kind)d->kind,
                                      .on         = d->on,
                                      .reaction   = d->reaction,
                                      .coordinate = d->coordinate,
                                      .at         = d->at,
                                      .at_centre  = d->at_centre,
                                      .direction  = d->direction,
                                      .input      = d->block.name};
}

static void add_followers(kane_compiler *c)
{
    const int before                    = c->drive->actuator_count;
    const size_t most                   = (size_t)before + (size_t)c->model->input_count;
    kane_actuator_definition *actuators = kane_arena_alloc(c->model->arena, most, sizeof *actuators);
    kane_drive_definition *drive        = kane_arena_alloc(c->model->arena, 1, sizeof *drive);
    if (!actuators || !drive)
        return;
    *drive           = *c->drive;
    drive->actuators = actuators;
    for (int i = 0; i < before; i++)
        actuators[i] = c->drive->actuators[i];
    for (int i = 0; i < c->model->input_count; i++)
        if (c->inputs[i].kind != KANE_INPUT_ELEMENT)
            actuators[drive->actuator_count++] = follower_of(&c->inputs[i]);
    c->drive = drive;
}

void kane_compile_name_inputs(kane_compiler *c)
{
    const int of_vehicle = c->vehicle->input_count, count = of_vehicle + c->drive->input_count;
    if (count == 0)
        return;
    c->inputs = kane_arena_alloc(c->model->arena, (size_t)count, sizeof *c->inputs);
    if (!c->inputs)
        return;
    for (int i = 0; i < count; i++) {
        c->inputs[i] = i < of_vehicle ? c->vehicle->inputs[i] : c->drive->inputs[i - of_vehicle];
        if (kane_names_find(names_of(c), c->inputs[i].block.name) >= 0)
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&c->inputs[i].block, NULL, -1),
                                  "there are two inputs called '%s'", c->inputs[i].block.name);
        c->model->input_count = i + 1;
    }
    add_followers(c);
}

// --- what they are of ---

static const char *text_of(kane_compiler *c, const char *before, const char *name, const char *after)
{
    const size_t size = strlen(before) + strlen(name) + strlen(after) + 1;
    char *text        = kane_arena_alloc(c->model->arena, size, 1);
    if (!text)
        return "";
    (void)strcpy(text, before);
    (void)strcat(text, name);
    (void)strcat(text, after);
    return text;
}

// Whether the coordinate of a joint slides.
static int is_sliding_coordinate(const kane_compiler *c, const kane_input_definition *d)
{
    static const char *const names[]   = {"x", "y", "z", "travel"};
    const int body                     = kane_names_find(kane_compile_body_names(c), d->on);
    const kane_joint_definition *joint = body >= 0 ? c->vehicle->bodies[body].joint : NULL;
    const char *coordinate             = d->coordinate;
    if (!coordinate && joint && kane_joint_coordinate_count(joint) == 1)
        coordinate = kane_joint_coordinate_name(joint, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names && coordinate; i++)
        if (strcmp(names[i], coordinate) == 0)
            return 1;
    return 0;
}

static void describe_input(kane_compiler *c, const kane_input_definition *d, kane_input *input)
{
    const int is_force = d->kind == KANE_INPUT_FORCE || (d->kind == KANE_INPUT_JOINT && is_sliding_coordinate(c, d));
    const char *before = d->kind == KANE_INPUT_BRAKE ? "brake torque on '"
                         : d->kind == KANE_INPUT_JOINT
                             ? (is_force ? "force in the joint of '" : "torque in the joint of '")
                             : (is_force ? "force on '" : "torque on '");
    input->unit        = is_force ? "N" : "N m";
    input->help        = text_of(c, before, d->on, "'");
    input->start       = d->value ? *d->value : 0.0;
}

// The number of an element's law.
static void find_slot(kane_compiler *c, const kane_input_definition *d, kane_input *input)
{
    const kane_model *model = c->model;
    const kane_place place  = kane_block_place(&d->block, d->parameter ? "parameter" : "on", -1);
    const kane_names names  = {model->elements, model->element_count, sizeof *model->elements};
    const int found = kane_names_resolve(names, "element", d->on, kane_block_place(&d->block, "on", -1), c->errors);
    const kane_element *e    = found >= 0 ? &model->elements[found] : NULL;
    const kane_names numbers = {e ? e->inputs : NULL, e ? e->input_count : 0, sizeof *e->inputs};
    if (!e || !e->data) // what is wrong with the element has been said
        return;
    if (e->input_count == 0) {
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, "on", -1),
                              "'%s' is a %s, which has no number that may be changed from outside", e->name,
                              e->law->name);
        return;
    }
    int slot = 0;
    if (d->parameter)
        slot = kane_names_resolve(numbers, "input of this law", d->parameter, place, c->errors);
    else if (e->input_count > 1) {
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                              "'%s' has several numbers that may be changed: give \"parameter\": \"%s\" or another",
                              e->name, e->inputs[0].name);
        return;
    }
    if (slot < 0)
        return;
    input->element = found;
    input->slot    = slot;
    input->unit    = e->inputs[slot].unit;
    input->start   = d->value ? *d->value : e->inputs[slot].value;
    input->help    = text_of(c, e->inputs[slot].help, ", of ", e->name);
}

void kane_compile_inputs(kane_compiler *c)
{
    for (int i = 0; i < c->model->input_count; i++) {
        const kane_input_definition *d = &c->inputs[i];
        kane_input *input              = &c->model->inputs[i];
        *input = (kane_input){.name = kane_compile_text(c, d->block.name), .unit = "1", .help = "", .element = -1};
        if (d->kind == KANE_INPUT_ELEMENT)
            find_slot(c, d, input);
        else
            describe_input(c, d, input);
        if (!isfinite(input->start))
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, "value", -1),
                                  "the input '%s' begins with %g", d->block.name, input->start);
        for (int k = 0; k < i && input->element >= 0; k++)
            if (c->model->inputs[k].element == input->element && c->model->inputs[k].slot == input->slot)
                kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, NULL, -1),
                                      "'%s' sets the same number of '%s' already", c->model->inputs[k].name, d->on);
    }
}

// === What can be asked of them.

int kane_model_input_count(const kane_model *model)
{
    return model->input_count;
}

kane_input_info kane_model_input_info(const kane_model *model, int input)
{
    const kane_input *in = &model->inputs[input];
    return (kane_input_info){in->name, in->unit, in->help, in->start};
}

int kane_model_find_input(const kane_model *model, const char *name, kane_errors *errors)
{
    const kane_names names = {model->inputs, model->input_count, sizeof *model->inputs};
    const int found        = kane_names_find(names, name);
    char text[400];
    kane_text hint = kane_text_start(sizeof text, text);
    if (found >= 0)
        return found;
    kane_names_hint(&hint, names, name);
    kane_errors_add(errors, KANE_BAD_ARGUMENT, "no input is called '%s'%s", name, text);
    return -1;
}
