// SPDX-License-Identifier: MIT
// Elements: between which bodies, at which points, by which law.

#include "model/compile.h"

#include <string.h>

static const double off_axle = 1e-6; // how far from an axle counts as on it [m]

void *kane_compile_parameters(kane_compiler *c, const kane_schema *schema, kane_prepare_function *prepare,
                              const kane_block *block, const void *parameters)
{
    const size_t size = schema && parameters ? schema->size : sizeof *block;
    if (prepare)
        return prepare(parameters ? parameters : block, c->model->arena, c->errors);
    void *copy = kane_arena_alloc(c->model->arena, 1, size);
    if (copy)
        memcpy(copy, parameters ? parameters : block, size);
    return copy;
}

kane_fixed_marker kane_compile_point(const kane_model *model, int body, kane_vec3 at)
{
    return (kane_fixed_marker){
        .body = body, .point = kv3_sub(at, model->bodies[body].position), .axes = km3_identity()};
}

// One end: a body, the frame of the body at the other end, or a frame by its name. The road under a wheel is where the
// wheel is, whatever frame that is described in.
static kane_fixed_marker make_element_end(const kane_compiler *c, const int holder[2], int which, kane_vec3 at,
                                          kane_mat3 axes, int rolls)
{
    kane_model *model = c->model;
    const int body = holder[which] >= 0 ? holder[which] : -1, named = kane_compile_held_frame(holder[which]);
    const int own       = model->bodies[body >= 0 ? body : holder[1 - which] >= 0 ? holder[1 - which] : 0].track_frame;
    kane_fixed_marker e = {.body = body, .frame = named >= 0 ? named : own, .axes = axes};
    if (rolls && which == 0 && body < 0 && model->frames[e.frame].kind == KANE_FRAME_TRACK)
        e.frame = kane_compile_line_frame(c, at.x);
    e.point       = kv3_sub(at, body >= 0 ? model->bodies[body].position : model->frames[e.frame].drawn);
    e.is_spinning = rolls && which == 1 && body >= 0;
    return e;
}

static int find_ends(kane_compiler *c, const kane_element_definition *d, int holder[2])
{
    for (int i = 0; i < 2; i++)
        holder[i] = kane_compile_holder(c, d->between[i], kane_block_place(&d->block, "between", i));
    const int on_frame = holder[0] < 0 && holder[1] < 0;
    if (holder[0] == KANE_NOWHERE || holder[1] == KANE_NOWHERE)
        return 0;
    if (!on_frame && holder[0] != holder[1])
        return 1;
    const kane_place place = kane_block_place(&d->block, "between", -1);
    if (on_frame && holder[0] != holder[1])
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                              "both ends are on frames; an element acts between two bodies, or a body and a frame");
    else
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                              "both ends are on '%s'; an element acts between two bodies, or a body and \"track\"",
                              d->between[0] ? d->between[0] : "track");
    return 0;
}

// Both ends: points, or markers. Axes that were not given are those of a's marker, or the vehicle's. Returns 0 with an
// error.
static int set_ends(kane_compiler *c, const kane_element_definition *d, kane_element *element)
{
    kane_vec3 at[2] = {d->at[0], d->at[1]};
    kane_mat3 axes  = kane_compile_has_axes(d->axes) ? d->axes : km3_identity();
    int holder[2];
    if (!find_ends(c, d, holder))
        return 0;
    for (int i = 0; i < 2; i++) {
        const kane_drawn *marker = NULL;
        if (!d->marker[i])
            continue;
        marker = kane_compile_marker(c, d->marker[i], holder[i], "this end of the element",
                                     kane_block_place(&d->block, "markers", i));
        if (!marker)
            return 0;
        at[i] = marker->at;
        if (holder[i] == -1)
            holder[i] = marker->body;
        if (i == 0 && !kane_compile_has_axes(d->axes))
            axes = marker->axes;
    }
    element->a = make_element_end(c, holder, 0, at[0], axes, d->law->rolls != NULL);
    element->b = make_element_end(c, holder, 1, at[1], axes, d->law->rolls != NULL);
    return 1;
}

// A body that spins shows no other direction and no other points than those of its axle.
static void check_wheel(kane_compiler *c, const kane_element_definition *d, const kane_element *element)
{
    const int j        = element->b.body;
    const kane_place p = kane_block_place(&d->block, "to", -1);
    kane_vec3 axle;
    (void)element->law->rolls(element->data, &axle);
    if (j < 0) {
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, "between", -1),
                              "the second end of a '%s' is a wheel, a body; the first is the road", d->law->name);
        return;
    }
    const kane_mat3 turned = km3_sub(element->a.axes, km3_identity());
    if (element->a.body < 0 && c->model->frames[element->a.frame].kind == KANE_FRAME_TRACK &&
        kv3_norm(turned.x) + kv3_norm(turned.y) + kv3_norm(turned.z) > 1e-9) {
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, "orientation", -1),
                              "a '%s' has the axes of the road: x along the line, z up; \"axle\" turns the wheel",
                              d->law->name);
        return;
    }
    if (c->vehicle->bodies[j].kind != KANE_BODY_SPINNING)
        return;
    axle = km3_mulv(element->b.axes, axle);
    if (hypot(element->b.point.x, element->b.point.z) > off_axle)
        kane_errors_add_input(
            c->errors, KANE_BAD_INPUT, p,
            "'%s' spins about its y axis through its mass centre: the wheel's centre must be on that, "
            "[%g, ..., %g]",
            c->model->bodies[j].name, c->model->bodies[j].position.x, c->model->bodies[j].position.z);
    if (hypot(axle.x, axle.z) > 1e-9)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, "axle", -1),
                              "'%s' spins about its y axis; the axle must be [0, 1, 0]", c->model->bodies[j].name);
}

static int can_carry(const kane_law *law, const void *data)
{
    const kane_vec3 axes = law->preload_axes ? law->preload_axes(data) : kv3(1.0, 1.0, 1.0);
    return law->preload != KANE_PRELOAD_NONE && kv3_norm(axes) > 0.0;
}

// States that its law has.
static void name_states(kane_compiler *c, kane_element *element)
{
    kane_model *model                      = c->model;
    kane_law_state states[KANE_LAW_STATES] = {{NULL, NULL, NULL, 0.0, 0}};
    element->state_count                   = element->law->states ? element->law->states(element->data, states) : 0;
    if (element->state_count == 0)
        return;
    if (element->state_count < 0 || element->state_count > KANE_LAW_STATES || !element->law->rates) {
        kane_errors_add(c->errors, KANE_BAD_ARGUMENT, "the law '%s' has %d states; possible are 0 to %d, with rates",
                        element->law->name, element->state_count, KANE_LAW_STATES);
        element->state_count = 0;
        return;
    }
    kane_law_state *kept = kane_arena_alloc(model->arena, (size_t)element->state_count, sizeof *kept);
    if (kept)
        memcpy(kept, states, (size_t)element->state_count * sizeof *kept);
    element->states                          = kept;
    model->stateful[model->stateful_count++] = element->index;
}

// Inputs that its law has.
static void name_element_inputs(kane_compiler *c, kane_element *element)
{
    kane_law_input inputs[KANE_LAW_INPUTS] = {{NULL, NULL, NULL, 0.0}};
    element->input_count                   = element->law->inputs ? element->law->inputs(element->data, inputs) : 0;
    if (element->input_count == 0)
        return;
    if (element->input_count < 0 || element->input_count > KANE_LAW_INPUTS) {
        kane_errors_add(c->errors, KANE_BAD_ARGUMENT, "the law '%s' has %d inputs; possible are 0 to %d",
                        element->law->name, element->input_count, KANE_LAW_INPUTS);
        element->input_count = 0;
        return;
    }
    kane_law_input *kept = kane_arena_alloc(c->model->arena, (size_t)element->input_count, sizeof *kept);
    if (kept)
        memcpy(kept, inputs, (size_t)element->input_count * sizeof *kept);
    element->inputs = kept;
}

void kane_compile_elements(kane_compiler *c)
{
    kane_model *model    = c->model;
    model->element_count = c->vehicle->element_count;
    for (int i = 0; i < model->element_count; i++) {
        const kane_element_definition *d = &c->vehicle->elements[i];
        kane_element *element            = &model->elements[i];

        element->name     = kane_compile_text(c, d->block.name);
        element->index    = i;
        element->law      = d->law;
        element->mirrored = d->mirrored;
        element->on_axle  = d->on_axle || d->law->rolls;
        element->load     = d->load;
        if (!set_ends(c, d, element))
            continue;
        element->data = kane_compile_parameters(c, d->law->schema, d->law->prepare, &d->block, d->parameters);
        if (!element->data)
            continue;
        name_states(c, element);
        if (d->law->rolls)
            check_wheel(c, d, element);
        name_element_inputs(c, element);
        element->turns       = d->law->turns ? d->law->turns(element->data) : 1;
        element->absolute    = d->law->absolute && d->law->absolute(element->data);
        element->is_spinning = element->absolute && d->law->spins && d->law->spins(element->data);
        element->on_axle     = element->on_axle || element->is_spinning;
        element->solved      = d->preload == KANE_PRELOAD_SOLVED && can_carry(d->law, element->data);
    }
}

// === Accelerometers: on which bodies, at which points.

static int check_place(kane_compiler *c, const kane_sensor_definition *d, const kane_body *body, kane_vec3 point)
{
    if (body->kind != KANE_BODY_SPINNING || hypot(point.x, point.z) <= off_axle)
        return 1;
    kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, "at", -1),
                          "a sensor on the wheelset '%s' must be on its axle: [%g, ..., %g]", body->name,
                          body->position.x, body->position.z);
    return 0;
}

static int check_name(kane_compiler *c, const kane_sensor_definition *d, int index)
{
    const kane_names before = {c->vehicle->sensors, index, sizeof *c->vehicle->sensors};
    const char *other       = NULL;
    const int holder        = kane_names_find(c->holders, d->block.name);
    if (holder >= 0)
        other = holder < c->vehicle->body_count ? "there is a body" : "there is a frame";
    else if (kane_names_find(before, d->block.name) >= 0)
        other = "there is another sensor";
    if (other)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, NULL, -1),
                              "%s called '%s'; channels would have the same name", other, d->block.name);
    return !other;
}

void kane_compile_sensors(kane_compiler *c)
{
    kane_model *model   = c->model;
    model->sensor_count = c->vehicle->sensor_count;
    for (int i = 0; i < model->sensor_count; i++) {
        const kane_sensor_definition *d = &c->vehicle->sensors[i];
        const int body                  = kane_names_resolve(kane_compile_body_names(c), "body", d->on,
                                                             kane_block_place(&d->block, "on", -1), c->errors);
        if (body < 0 || !check_name(c, d, i))
            continue;
        const kane_fixed_marker at = kane_compile_point(model, body, d->at);
        if (check_place(c, d, &model->bodies[body], at.point))
            model->sensors[i] = (kane_sensor){kane_compile_text(c, d->block.name), at};
    }
}
