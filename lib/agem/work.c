// SPDX-License-Identifier: MIT
// The scratch of a thread: creating it, and what it knows of where and why an evaluation failed.

#include "agem/bodies.h"
#include "agem/rail_constraint.h"

#include <string.h>

kane_work *kane_work_create(const kane_model *model, kane_errors *errors)
{
    kane_arena *arena;
    kane_work *work     = kane_arena_object(&arena, sizeof *work, errors);
    const size_t frames = (size_t)model->frame_count, bodies = (size_t)model->body_count;
    if (!work)
        return NULL;
    work->arena       = arena;
    work->copy        = kane_arena_alloc(arena, 1, sizeof *work->copy);
    work->piece       = kane_arena_alloc(arena, frames, sizeof *work->piece);
    work->anchor      = kane_arena_alloc(arena, frames, sizeof *work->anchor);
    work->track_frame = kane_arena_alloc(arena, frames, sizeof *work->track_frame);
    work->transport   = kane_arena_alloc(arena, frames, sizeof *work->transport);
    work->crossing    = kane_arena_alloc(arena, frames, sizeof *work->crossing);
    work->body        = kane_arena_alloc(arena, bodies, sizeof *work->body);
    work->impulse     = kane_arena_alloc(arena, bodies, sizeof *work->impulse);
    work->omitted     = kane_arena_alloc(arena, bodies, sizeof *work->omitted);
    work->approach    = kane_arena_alloc(arena, bodies, sizeof *work->approach);
    work->element     = kane_arena_alloc(arena, (size_t)model->element_count, sizeof *work->element);
    work->wheels      = kane_arena_alloc(arena, (size_t)model->wheels_count, sizeof *work->wheels);
    work->rod_known   = kane_arena_alloc(arena, (size_t)model->closure_count, sizeof *work->rod_known);
    work->input       = kane_arena_alloc(arena, (size_t)model->input_count, sizeof *work->input);
    if (kane_arena_failed(arena) || !kane_discrete_fill(model, arena, work->copy) ||
        !kane_carried_create(model, arena, &work->carried) || !kane_bodies_create(model, work) ||
        !kane_rail_groups_create(model, work)) {
        (void)kane_no_memory(errors);
        kane_work_free(work);
        return NULL;
    }
    for (int f = 0; f < model->frame_count; f++)
        work->transport[f] = kane_transport_rest();
    kane_work_begin_inputs(model, work);
    for (int i = 0; i < model->wheels_count; i++)
        work->wheels[i].offset_at[0] = work->wheels[i].offset_at[1] = (double)NAN;
    work->fault = (kane_fault){KANE_OK, "", ""};
    return work;
}

void kane_work_free(kane_work *work)
{
    if (!work)
        return;
    kane_bodies_free(work);
    kane_arena_free(work->arena);
}

double kane_work_place(const kane_model *model, const kane_work *work)
{
    const double nowhere = (double)NAN;
    return model->track ? kane_track_get_definition(model->track)->start + work->s : nowhere;
}

kane_status kane_work_fail(kane_work *work, kane_status status, const char *subject, const char *text)
{
    work->fault = (kane_fault){status, subject, text};
    return status;
}

void kane_work_fault(const kane_model *model, const kane_work *work, kane_errors *errors)
{
    kane_errors_add_run(errors, work->fault.status, work->fault.subject, work->t, kane_work_place(model, work), "%s",
                        work->fault.text);
}

void kane_get_travel(const kane_work *work, double *s, double *v, double *a)
{
    *s = work->s;
    *v = work->v;
    *a = work->a;
}

// === Inputs.

// Value of an input, also in the element whose law has it.
static void put_input(const kane_model *model, kane_work *work, int i, double value)
{
    const kane_input *input = &model->inputs[i];
    work->input[i]          = value;
    if (input->element >= 0)
        work->element[input->element].input[input->slot] = value;
}

void kane_work_begin_inputs(const kane_model *model, kane_work *work)
{
    for (int e = 0; e < model->element_count; e++)
        for (int k = 0; k < model->elements[e].input_count; k++)
            work->element[e].input[k] = model->elements[e].inputs[k].value;
    for (int i = 0; i < model->input_count; i++)
        put_input(model, work, i, model->inputs[i].start);
}

double kane_work_get_input(const kane_work *work, int input)
{
    return work->input[input];
}

kane_status kane_work_set_input(const kane_model *model, kane_work *work, int input, double value)
{
    if (input < 0 || input >= model->input_count || !isfinite(value))
        return KANE_BAD_ARGUMENT;
    put_input(model, work, input, value);
    return KANE_OK;
}

// === The discrete state: what a work carries from one evaluation to the next, and all that it carries.

// Numbers of a model's discrete state, without room for them.
static kane_discrete measure_discrete_state(const kane_model *model)
{
    kane_discrete size = {.frame_count      = model->frame_count,
                          .input_count      = model->input_count,
                          .creep_load_count = 2 * model->wheels_count};
    for (int c = 0; c < model->cluster_count; c++) {
        size.row_count += model->clusters[c].row_count;
        size.tree_speed_count += model->clusters[c].v_count;
    }
    return size;
}

int kane_discrete_fill(const kane_model *model, kane_arena *arena, kane_discrete *discrete)
{
    *discrete            = measure_discrete_state(model);
    const size_t speeds  = (size_t)discrete->tree_speed_count;
    discrete->piece      = kane_arena_alloc(arena, (size_t)discrete->frame_count, sizeof *discrete->piece);
    discrete->row        = kane_arena_alloc(arena, (size_t)discrete->row_count, sizeof *discrete->row);
    discrete->tree_speed = kane_arena_alloc(arena, speeds, sizeof *discrete->tree_speed);
    discrete->tree_scale = kane_arena_alloc(arena, speeds, sizeof *discrete->tree_scale);
    discrete->input      = kane_arena_alloc(arena, (size_t)discrete->input_count, sizeof *discrete->input);
    discrete->creep_load = kane_arena_doubles(arena, (size_t)discrete->creep_load_count);
    if (kane_arena_failed(arena))
        return 0;
    for (int i = 0; i < model->input_count; i++)
        discrete->input[i] = model->inputs[i].start;
    for (int i = 0; i < discrete->row_count; i++)
        discrete->row[i] = -1;
    for (int k = 0; k < discrete->tree_speed_count; k++)
        discrete->tree_speed[k] = -1;
    return 1;
}

// A discrete state in an arena of its own.
typedef struct owned_discrete {
    kane_discrete state; // first
    kane_arena *arena;
} owned_discrete;

kane_discrete *kane_discrete_create(const kane_model *model, kane_errors *errors)
{
    kane_arena *arena;
    owned_discrete *own = kane_arena_object(&arena, sizeof *own, errors);
    if (!own)
        return NULL;
    own->arena = arena;
    if (!kane_discrete_fill(model, arena, &own->state)) {
        kane_arena_free(arena);
        (void)kane_no_memory(errors);
        return NULL;
    }
    return &own->state;
}

void kane_discrete_free(kane_discrete *discrete)
{
    if (discrete)
        kane_arena_free(((owned_discrete *)discrete)->arena);
}

void kane_work_get_discrete(const kane_model *model, const kane_work *work, kane_discrete *discrete)
{
    int row = 0, speed = 0;
    discrete->speed_piece = work->speed_piece;
    discrete->steady      = work->steady;
    discrete->frozen      = work->frozen;
    memcpy(discrete->piece, work->piece, (size_t)model->frame_count * sizeof *discrete->piece);
    for (int i = 0; i < model->input_count; i++)
        discrete->input[i] = work->input[i];
    discrete->is_lagged = 0;
    for (int i = 0; i < discrete->creep_load_count; i++) {
        const kane_guidance *at = &work->wheels[i / 2].guidance;
        discrete->is_lagged |= at->is_lagged;
        discrete->creep_load[i] = at->creep_load[i % 2];
    }
    for (int c = 0; c < model->cluster_count; c++) {
        kane_cluster_get_partition(work->cluster[c], discrete->row + row, discrete->tree_speed + speed,
                                   discrete->tree_scale + speed);
        row += model->clusters[c].row_count;
        speed += model->clusters[c].v_count;
    }
}

// Whether a list holds each of 0 .. count - 1 once, or nothing but -1.
static int is_order(int count, const int *list)
{
    int none = 0;
    for (int i = 0; i < count; i++) {
        none += list[i] == -1;
        if (list[i] >= count || list[i] < -1)
            return 0;
        for (int k = 0; k < i; k++)
            if (list[k] == list[i] && list[i] >= 0)
                return 0;
    }
    return none == 0 || none == count;
}

// Whether the choices of independent speeds are permutations with positive scales, for clusters with coefficients.
static int fits_choices(const kane_model *model, const kane_discrete *discrete)
{
    int row = 0, speed = 0;
    for (int c = 0; c < model->cluster_count; c++) {
        const kane_cluster *cluster = &model->clusters[c];
        const int *rows = discrete->row + row, *speeds = discrete->tree_speed + speed;
        const int is_chosen = cluster->v_count > 0 && speeds[0] >= 0;
        if (!is_order(cluster->row_count, rows) || !is_order(cluster->v_count, speeds) ||
            (cluster->row_count > 0 && is_chosen != (rows[0] >= 0)) ||
            (is_chosen && cluster->form == KANE_FORM_MULTIPLIERS))
            return 0;
        for (int k = 0; k < cluster->v_count && is_chosen; k++)
            if (!(discrete->tree_scale[speed + k] > 0.0 && isfinite(discrete->tree_scale[speed + k])))
                return 0;
        row += cluster->row_count;
        speed += cluster->v_count;
    }
    return 1;
}

static int has_sizes(const kane_discrete *a, const kane_discrete *b)
{
    return a->frame_count == b->frame_count && a->row_count == b->row_count &&
           a->tree_speed_count == b->tree_speed_count && a->input_count == b->input_count &&
           a->creep_load_count == b->creep_load_count;
}

static int are_finite(int count, const double *values)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return 0;
    return 1;
}

// Whether a discrete state has the sizes of the model and admissible values.
static int is_discrete_valid(const kane_model *model, const kane_discrete *discrete)
{
    const kane_discrete size = measure_discrete_state(model);
    if (!has_sizes(discrete, &size) || !are_finite(discrete->input_count, discrete->input) ||
        !are_finite(discrete->creep_load_count, discrete->creep_load))
        return 0;
    if (discrete->speed_piece < 0 || (discrete->speed_piece > 0 && discrete->speed_piece >= model->piece_count))
        return 0;
    const int pieces = model->track ? kane_track_piece_count(model->track) : 1;
    for (int f = 0; f < model->frame_count; f++)
        if (discrete->piece[f] < 0 || discrete->piece[f] >= pieces)
            return 0;
    return fits_choices(model, discrete);
}

static void set_discrete(const kane_model *model, kane_work *work, const kane_discrete *discrete)
{
    int row = 0, speed = 0;
    work->speed_piece = discrete->speed_piece;
    work->steady      = discrete->steady;
    work->frozen      = discrete->frozen;
    memcpy(work->piece, discrete->piece, (size_t)model->frame_count * sizeof *work->piece);
    kane_work_anchor(model, work);
    for (int i = 0; i < model->input_count; i++)
        put_input(model, work, i, discrete->input[i]);
    for (int i = 0; i < discrete->creep_load_count; i++) {
        kane_guidance *at     = &work->wheels[i / 2].guidance;
        at->is_lagged         = discrete->is_lagged;
        at->creep_load[i % 2] = discrete->creep_load[i];
    }
    for (int c = 0; c < model->cluster_count; c++) {
        kane_cluster_set_partition(work->cluster[c], discrete->row + row, discrete->tree_speed + speed,
                                   discrete->tree_scale + speed);
        row += model->clusters[c].row_count;
        speed += model->clusters[c].v_count;
    }
}

kane_status kane_work_set_discrete(const kane_model *model, kane_work *work, const kane_discrete *discrete)
{
    if (!is_discrete_valid(model, discrete))
        return KANE_BAD_ARGUMENT;
    set_discrete(model, work, discrete);
    return KANE_OK;
}

void kane_work_copy(const kane_model *model, const kane_work *from, kane_work *to)
{
    kane_work_get_discrete(model, from, to->copy);
    set_discrete(model, to, to->copy);
}

void kane_work_lag_normal_forces(const kane_model *model, kane_work *work, kane_lag lag)
{
    for (int i = 0; i < model->wheels_count; i++) {
        kane_guidance *at = &work->wheels[i].guidance;
        at->is_lagged     = lag != KANE_LAG_NONE;
        for (int side = 0; side < 2; side++)
            at->creep_load[side] = lag == KANE_LAG_NONE     ? 0.0
                                   : lag == KANE_LAG_STATIC ? model->wheels[i].load[side]
                                                            : at->N[side];
    }
}

void kane_work_freeze(kane_work *work, int frozen)
{
    work->frozen = frozen;
}

// === Largest pressures of wheels, for readers of a work: no evaluation comes here.

int kane_get_contact_pressures(const kane_model *model, const kane_work *work, int body, kane_side side,
                               kane_contact_result *result)
{
    const int i = model->bodies[body].wheels;
    if (i < 0)
        return 0;
    *result = work->wheels[i].result[side];
    if (!kane_wheels_are_guided(&model->wheels[i]))
        kane_contact_pressures(model->wheels[i].contact, side, &work->wheels[i].motion[side], result);
    return 1;
}
