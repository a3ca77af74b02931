// SPDX-License-Identifier: MIT
// A model from a definition, and what can be asked of it.

#include "model/statics.h"

#include "model/compile.h"
#include "model/model.h"

kane_model_options kane_model_options_default(void)
{
    return (kane_model_options){.formulation = KANE_MOVING};
}

static kane_model *allocate_model(const kane_vehicle_definition *vehicle, const kane_drive_definition *drive,
                                  kane_errors *errors)
{
    const int parts = kane_compile_count_parts(vehicle);
    kane_arena *arena;
    kane_model *model = kane_arena_object(&arena, sizeof *model, errors);
    if (!model)
        return NULL;
    const size_t bodies    = (size_t)(vehicle->body_count + parts);
    const size_t given     = (size_t)vehicle->given_frame_count;
    const size_t elements  = (size_t)vehicle->element_count;
    const size_t inputs    = (size_t)(vehicle->input_count + drive->input_count);
    const size_t actuators = (size_t)drive->actuator_count + inputs;
    model->arena           = arena;
    model->frames          = kane_arena_alloc(arena, 2 * bodies + given + elements + 3, sizeof *model->frames);
    model->bodies          = kane_arena_alloc(arena, 2 * bodies, sizeof *model->bodies);
    model->elements        = kane_arena_alloc(arena, elements, sizeof *model->elements);
    model->stateful        = kane_arena_alloc(arena, elements, sizeof *model->stateful);
    model->wheels          = kane_arena_alloc(arena, bodies, sizeof *model->wheels);
    model->sensors         = kane_arena_alloc(arena, (size_t)vehicle->sensor_count, sizeof *model->sensors);
    model->panels          = kane_arena_alloc(arena, bodies, sizeof *model->panels);
    model->deformations    = kane_arena_alloc(arena, bodies, sizeof *model->deformations);
    model->pieces          = kane_arena_alloc(arena, (size_t)drive->piece_count + 2, sizeof *model->pieces);
    model->actuators       = kane_arena_alloc(arena, actuators, sizeof *model->actuators);
    model->inputs          = kane_arena_alloc(arena, inputs, sizeof *model->inputs);
    model->pairs           = kane_arena_alloc(arena, 4 * bodies + 2 * elements + actuators, sizeof *model->pairs);
    return model;
}

static int is_good(const kane_compiler *c, int before)
{
    return c->errors->count == before && !kane_arena_failed(c->model->arena);
}

// First everything that was typed, so that all its errors are reported together; then what needs it to be right.
static int compile_model(kane_compiler *c)
{
    const int before = c->errors->count;
    kane_compile_name_inputs(c);
    kane_compile_parts(c);
    if (!is_good(c, before))
        return 0;
    kane_compile_frames(c);
    kane_compile_bodies(c);
    kane_compile_mark_parts(c);
    kane_compile_markers(c);
    kane_compile_joints(c);
    kane_compile_constraints(c);
    kane_compile_trees(c);
    kane_compile_drop_frames(c);
    kane_compile_given_frames(c);
    kane_compile_drive(c);
    kane_compile_wheels(c);
    kane_compile_elements(c);
    kane_compile_place(c);
    kane_compile_inputs(c);
    kane_compile_sensors(c);
    kane_compile_omissions(c);
    kane_compile_panels(c);
    if (!is_good(c, before))
        return 0;
    kane_compile_descriptions(c);
    kane_compile_links(c);
    kane_compile_flexes(c);
    kane_compile_closures(c);
    if (!is_good(c, before))
        return 0;
    kane_compile_statics(c);
    kane_compile_panel_loads(c);
    kane_compile_start(c);
    if (!is_good(c, before))
        return 0;
    kane_compile_clusters(c);
    kane_compile_rails(c);
    kane_compile_layout(c);
    return is_good(c, before);
}

kane_model *kane_model_create(const kane_vehicle_definition *vehicle, const kane_track *track,
                              const kane_drive_definition *drive, const kane_model_options *options,
                              kane_errors *errors)
{
    kane_errors unreported = {.limit = 1};
    kane_errors *kept      = errors ? errors : &unreported;
    kane_model *model      = allocate_model(vehicle, drive, kept);
    if (!model)
        return NULL;
    if (!kane_arena_failed(model->arena)) {
        model->track       = track;
        model->formulation = options->formulation;
        kane_compiler c    = {.model = model, .vehicle = vehicle, .drive = drive, .options = options, .errors = kept};
        if (compile_model(&c))
            return model;
    }
    if (kane_arena_failed(model->arena))
        (void)kane_no_memory(kept);
    kane_errors_drop_repeated(kept);
    kane_model_free(model);
    return NULL;
}

void kane_model_free(kane_model *model)
{
    if (!model)
        return;
    for (int i = 0; i < model->wheels_count; i++)
        if (!model->wheels[i].shared) {
            kane_wheelset_table_free(model->wheels[i].guide);
            kane_contact_free(model->wheels[i].contact);
        }
    kane_arena_free(model->arena);
}

int kane_model_body_count(const kane_model *model)
{
    return model->body_count;
}

const char *kane_model_body_name(const kane_model *model, int body)
{
    return model->bodies[body].name;
}

int kane_model_find_body(const kane_model *model, const char *name)
{
    return kane_names_find((kane_names){model->bodies, model->body_count, sizeof *model->bodies}, name);
}

int kane_rod_is_moving(const kane_model *model, const kane_constraint_row_set *closure)
{
    int moving = 0;
    for (int i = 0; i < 2 && closure->rod.mass > 0.0; i++)
        moving |= model->frames[closure->side[i].frame].kind != KANE_FRAME_REST;
    return moving;
}

const char *kane_model_moving_rod_name(const kane_model *model, int i)
{
    for (int k = 0; k < model->closure_count; k++)
        if (kane_rod_is_moving(model, &model->closures[k]) && i-- == 0)
            return model->closures[k].name;
    return NULL;
}

int kane_model_has_imaginary(const kane_model *model, int body)
{
    return !model->bodies[body].panel && model->bodies[body].part == KANE_PART_NONE &&
           model->frames[model->bodies[body].track_frame].kind != KANE_FRAME_REST;
}

int kane_model_state_count(const kane_model *model)
{
    return model->state_count;
}

int kane_model_dof_count(const kane_model *model)
{
    int count = model->u_end - model->u_begin;
    for (int c = 0; c < model->cluster_count; c++)
        count -= model->clusters[c].u_count - (model->clusters[c].v_count - model->clusters[c].rank);
    for (int i = 0; i < model->wheels_count;
         i++) // two gaps; on tables a free wheelset has no speeds that they would take
        count -= kane_wheels_are_held(model, &model->wheels[i]) ? 2 : 0;
    return count;
}

int kane_model_redundant_count(const kane_model *model)
{
    return model->redundant_count;
}

const char *kane_model_redundant_name(const kane_model *model, int i)
{
    return i >= 0 && i < model->redundant_count ? model->redundant[i] : NULL;
}

int kane_model_equation_count(const kane_model *model, int constraint)
{
    return model->closures[constraint].row_count;
}

kane_vec3 kane_model_static_load(const kane_model *model, int element)
{
    const kane_element *e = &model->elements[element];
    kane_wrench at_rest   = {e->load, kv3_zero()};
    if (!e->solved) // its law may press by itself, as a side bearer does
        (void)kane_statics_exert(model, e, &at_rest);
    return e->mirrored ? kane_mirror_polar(at_rest.force) : at_rest.force;
}

kane_status kane_model_wheel_load(const kane_model *model, int body, double load[2])
{
    const int i = model->bodies[body].wheels;
    if (i < 0)
        return KANE_BAD_ARGUMENT;
    load[KANE_LEFT]  = model->wheels[i].load[KANE_LEFT];
    load[KANE_RIGHT] = model->wheels[i].load[KANE_RIGHT];
    return KANE_OK;
}

int kane_model_sensor_count(const kane_model *model)
{
    return model->sensor_count;
}

const char *kane_model_sensor_name(const kane_model *model, int sensor)
{
    return model->sensors[sensor].name;
}

// === Motion of the frames that move by joints against others, at a time: exact, by the same steps as that of links.

// === Names of terms, axes and coordinates as they are typed and written; names of bodies while a model is compiled.

const char *kane_wrench_kind_name(kane_wrench_kind kind)
{
    static const char *const names[KANE_WRENCH_KINDS] = {"force", "torque"};
    return names[kind];
}

const char *kane_imaginary_term_name(kane_imaginary_term term)
{
    static const char *const names[KANE_IMAGINARY_TERMS] = {"translation", "centrifugal", "rotation", "gyroscopic"};
    return names[term];
}

const char *kane_axis_name(int axis)
{
    static const char *const names[3] = {"x", "y", "z"};
    return names[axis];
}

const char *kane_coordinate_name(kane_coordinate coordinate)
{
    static const char *const names[KANE_COORDINATES] = {"x", "y", "z", "yaw", "roll", "pitch"};
    return names[coordinate];
}

kane_names kane_compile_body_names(const kane_compiler *c)
{
    return (kane_names){c->vehicle->bodies, c->vehicle->body_count, sizeof *c->vehicle->bodies};
}

const char *kane_compile_text(kane_compiler *c, const char *text)
{
    return kane_arena_text(c->model->arena, text ? text : "");
}
