// SPDX-License-Identifier: MIT
// States in files.

#include <kane/state.h>

#include "base/document.h"
#include "base/file.h"
#include "base/json.h"
#include "simulate/simulation.h"

#include <limits.h>
#include <string.h>

// Rates that differ by more than this, of themselves and of one, are those of another model. Compilers differ by far
// less.
static const double same_rate = 1e-6;

enum { NAME_SIZE = 128 };

// --- the keys ---

static const char *const formulations[] = {"moving", "fixed", NULL};             // as kane_formulation
static const char *const forms[]        = {"coefficients", "multipliers", NULL}; // as kane_constraint_form

typedef struct discrete_input {
    kane_block block;
    int speed_piece, steady, frozen;
    kane_numbers pieces, rows, tree_speeds, tree_scales, creep_loads;
} discrete_input;

typedef struct number_input {
    kane_block block;
    const char *name;
    double value, rate;
} number_input;

typedef struct value_input {
    kane_block block;
    const char *name;
    double value;
} value_input;

typedef struct state_input {
    kane_block block;
    const char *library, *commit;
    double time;
    int formulation, constraints, has_moved;
    discrete_input discrete;
    kane_items states, inputs;
    kane_numbers work;
} state_input;

static const kane_key discrete_keys[] = {
    KANE_KEY(discrete_input, speed_piece, COUNT, OPTIONAL, "0", NULL, NOT_NEGATIVE, NULL, "of the prescribed speed"),
    KANE_KEY(discrete_input, steady, SWITCH, OPTIONAL, "false", NULL, ANY, NULL, "true: frames do not accelerate"),
    KANE_KEY(discrete_input, frozen, SWITCH, OPTIONAL, "false", NULL, ANY, NULL,
             "true: prescribed motions stand still"),
    KANE_KEY(discrete_input, pieces, NUMBERS, REQUIRED, NULL, "1", NOT_NEGATIVE, NULL,
             "of the track, under every frame"),
    KANE_KEY(discrete_input, rows, NUMBERS, OPTIONAL, NULL, "1", ANY, NULL, "of constraints, in order of use"),
    KANE_KEY(discrete_input, tree_speeds, NUMBERS, OPTIONAL, NULL, "1", ANY, NULL, "dependent ones first"),
    KANE_KEY(discrete_input, tree_scales, NUMBERS, OPTIONAL, NULL, "1", ANY, NULL, "of these speeds"),
    KANE_KEY(discrete_input, creep_loads, NUMBERS, OPTIONAL, NULL, "N", ANY, NULL,
             "lagged normal forces in creep forces, two a wheelset"),
};
static const kane_schema discrete_schema =
    KANE_SCHEMA(discrete_input, "discrete", discrete_keys, "What the numbers alone do not say.");

static const kane_key number_keys[] = {
    KANE_KEY(number_input, name, TEXT, REQUIRED, NULL, NULL, ANY, NULL, "of the number"),
    KANE_KEY(number_input, value, NUMBER, REQUIRED, NULL, "1", ANY, NULL, "in SI units"),
    KANE_KEY(number_input, rate, NUMBER, REQUIRED, NULL, "1", ANY, NULL, "its rate, by which the model is known"),
};
static const kane_schema number_schema = KANE_SCHEMA(number_input, "state", number_keys, "One number of the state.");

static const kane_key value_keys[] = {
    KANE_KEY(value_input, name, TEXT, REQUIRED, NULL, NULL, ANY, NULL, "of the input"),
    KANE_KEY(value_input, value, NUMBER, REQUIRED, NULL, "1", ANY, NULL, "in SI units"),
};
static const kane_schema value_schema = KANE_SCHEMA(value_input, "input", value_keys, "One input.");

static const kane_key state_keys[] = {
    KANE_KEY(state_input, library, TEXT, OPTIONAL, NULL, NULL, ANY, NULL, "version that has written it"),
    KANE_KEY(state_input, commit, TEXT, OPTIONAL, NULL, NULL, ANY, NULL, "that it was built from"),
    KANE_KEY(state_input, time, NUMBER, REQUIRED, NULL, "s", ANY, NULL, "of the run"),
    KANE_KEY(state_input, formulation, CHOICE, REQUIRED, NULL, NULL, ANY, formulations, "of the model"),
    KANE_KEY(state_input, constraints, CHOICE, REQUIRED, NULL, NULL, ANY, forms, "form of constraints"),
    KANE_KEY(state_input, has_moved, SWITCH, OPTIONAL, "false", NULL, ANY, NULL, "of a driven vehicle"),
    KANE_KEY(state_input, discrete, OBJECT, REQUIRED, NULL, NULL, ANY, &discrete_schema, "the discrete state"),
    KANE_KEY(state_input, states, LIST, REQUIRED, NULL, NULL, ANY, &number_schema, "all numbers"),
    KANE_KEY(state_input, inputs, LIST, OPTIONAL, NULL, NULL, ANY, &value_schema, "values of all inputs"),
    KANE_KEY(state_input, work, NUMBERS, OPTIONAL, NULL, "J", ANY, NULL, "of drive, elements, contacts, omissions"),
};
static const kane_schema state_schema =
    KANE_SCHEMA(state_input, "state file", state_keys, "A state that a run can go on from.");

static const kane_format formats[]      = {{"state", 1, 1, &state_schema}};
static const kane_formats state_formats = {formats, 1};

// Of the constraints that couple bodies; without any there is nothing to choose.
static int form_of(const kane_model *model)
{
    return kane_model_is_held(model) ? KANE_FORM_MULTIPLIERS : KANE_FORM_COEFFICIENTS;
}

// --- memory ---

// A state in an arena of its own.
typedef struct owned_state {
    kane_state state; // first
    kane_arena *arena;
} owned_state;

kane_state *kane_state_create(const kane_model *model, int count, kane_errors *errors)
{
    kane_arena *arena;
    owned_state *own = kane_arena_object(&arena, sizeof *own, errors);
    if (!own)
        return NULL;
    own->arena       = arena;
    own->state.count = count;
    own->state.y     = kane_arena_alloc(arena, (size_t)count, sizeof *own->state.y);
    if (kane_arena_failed(arena)) {
        kane_arena_free(arena);
        (void)kane_no_memory(errors);
        return NULL;
    }
    own->state.discrete = kane_discrete_create(model, errors);
    if (!own->state.discrete) {
        kane_arena_free(arena);
        return NULL;
    }
    return &own->state;
}

void kane_state_free(kane_state *state)
{
    if (!state)
        return;
    kane_discrete_free(state->discrete);
    kane_arena_free(((owned_state *)state)->arena);
}

// dy/dt in a work of its own, which gives the bits that any other one gives; in the arena. NULL with an error.
static double *eval_rates(kane_arena *arena, const kane_model *model, const kane_state *state, kane_errors *errors)
{
    double *ydot    = kane_arena_doubles(arena, (size_t)model->state_count);
    kane_work *work = ydot ? kane_work_create(model, errors) : NULL;
    if (!work) {
        if (!ydot)
            (void)kane_no_memory(errors);
        return NULL;
    }
    if (kane_work_set_discrete(model, work, state->discrete) != KANE_OK) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT,
                        "pieces of track or speed, or independent speeds, are none of this model's");
        ydot = NULL;
    } else if (kane_eval(model, work, state->t, state->y, ydot) != KANE_OK) {
        kane_work_fault(model, work, errors);
        ydot = NULL;
    }
    kane_work_free(work);
    return ydot;
}

// --- writing ---

static void write_discrete(kane_writer *w, const kane_discrete *discrete)
{
    kane_writer_open(w, "discrete", '{');
    kane_writer_count(w, "speed_piece", discrete->speed_piece);
    kane_writer_switch(w, "steady", discrete->steady);
    kane_writer_switch(w, "frozen", discrete->frozen);
    kane_write_counts(w, "pieces", discrete->frame_count, discrete->piece);
    kane_write_counts(w, "rows", discrete->row_count, discrete->row);
    kane_write_counts(w, "tree_speeds", discrete->tree_speed_count, discrete->tree_speed);
    kane_write_numbers(w, "tree_scales", discrete->tree_speed_count, discrete->tree_scale);
    if (discrete->is_lagged)
        kane_write_numbers(w, "creep_loads", discrete->creep_load_count, discrete->creep_load);
    kane_writer_close(w);
}

static void write_inputs(kane_writer *w, const kane_model *model, const kane_discrete *discrete)
{
    kane_writer_open(w, "inputs", '[');
    for (int i = 0; i < model->input_count; i++) {
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "name", model->inputs[i].name);
        kane_writer_number(w, "value", discrete->input[i]);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static void write_state(kane_writer *w, const kane_model *model, const kane_state *state, const double *ydot)
{
    char name[NAME_SIZE];
    kane_writer_document(w, "state 1");
    kane_writer_number(w, "time", state->t);
    kane_writer_text(w, "formulation", formulations[model->formulation]);
    kane_writer_text(w, "constraints", forms[form_of(model)]);
    kane_writer_switch(w, "has_moved", state->has_moved);
    write_discrete(w, state->discrete);
    kane_writer_open(w, "states", '[');
    for (int i = 0; i < model->state_count; i++) {
        kane_state_name(model, i, sizeof name, name);
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "name", name);
        kane_writer_number(w, "value", state->y[i]);
        kane_writer_number(w, "rate", ydot[i]);
        kane_writer_close(w);
    }
    kane_writer_close(w);
    if (model->input_count > 0)
        write_inputs(w, model, state->discrete);
    kane_write_numbers(w, "work", state->count - model->state_count, state->y + model->state_count);
    kane_writer_close(w);
}

kane_status kane_state_write(const char *file, const kane_model *model, const kane_state *state, kane_errors *errors)
{
    kane_replacement to;
    kane_errors unreported = {.limit = 1};
    kane_errors *kept      = errors ? errors : &unreported;
    const int before       = kept->count;
    kane_arena *arena      = kane_arena_create();
    kane_status status     = KANE_NO_MEMORY;
    double *ydot           = NULL;
    if (arena)
        ydot = eval_rates(arena, model, state, kept);
    else
        (void)kane_no_memory(kept);
    status = ydot ? kane_replacement_open(&to, file, kept) : kane_errors_status(kept, before);
    if (status == KANE_OK) {
        kane_writer w = kane_writer_start(to.file);
        write_state(&w, model, state, ydot);
        (void)kane_writer_end(&w); // what cannot be written is reported at the end
        status = kane_replacement_close(&to, kept);
    }
    kane_arena_free(arena);
    return status;
}

// --- reading ---

// Of another formulation or form.
static void check_kind(kane_reader *reader, const state_input *in, const kane_model *model)
{
    const int form = form_of(model);
    if (in->formulation != (int)model->formulation)
        kane_reader_fault(reader, &in->block, "formulation",
                          "is a state of the formulation \"%s\", the model has \"%s\"", formulations[in->formulation],
                          formulations[model->formulation]);
    if (in->constraints != form)
        kane_reader_fault(reader, &in->block, "constraints", "is a state of the form \"%s\", the model has \"%s\"",
                          forms[in->constraints], forms[form]);
}

// Numbers of another model: the first name that differs.
static void check_names(kane_reader *reader, const state_input *in, const kane_model *model)
{
    const number_input *numbers = in->states.items;
    char name[NAME_SIZE];
    for (int i = 0; i < in->states.count && i < model->state_count; i++) {
        kane_state_name(model, i, sizeof name, name);
        if (strcmp(numbers[i].name, name) == 0)
            continue;
        kane_reader_fault(reader, &numbers[i].block, "name",
                          "is a state of another model: '%s' stands where the model has '%s'", numbers[i].name, name);
        return;
    }
    if (in->states.count != model->state_count)
        kane_reader_fault(reader, &in->block, "states",
                          "is a state of another model: it has %d numbers, the model has %d", in->states.count,
                          model->state_count);
}

static void copy_counts(kane_reader *reader, const discrete_input *in, const char *key, kane_numbers from, int count,
                        int *to)
{
    if (from.count != count) {
        kane_reader_fault(reader, &in->block, key,
                          "is a state of another model: there are %d of them, the model has %d", from.count, count);
        return;
    }
    for (int i = 0; i < count; i++) {
        if (!(fabs(from.values[i]) <= INT_MAX) || from.values[i] != floor(from.values[i]))
            kane_reader_report(reader, kane_block_place(&in->block, key, i), "%g is not a whole number",
                               from.values[i]);
        else
            to[i] = (int)from.values[i];
    }
}

// None: they are not lagged.
static void copy_creep_loads(kane_reader *reader, const discrete_input *in, kane_discrete *to)
{
    to->is_lagged = in->creep_loads.count > 0;
    if (to->is_lagged && in->creep_loads.count != to->creep_load_count)
        kane_reader_fault(reader, &in->block, "creep_loads",
                          "is a state of another model: there are %d of them, the model has %d", in->creep_loads.count,
                          to->creep_load_count);
    for (int i = 0; i < to->creep_load_count && in->creep_loads.count == to->creep_load_count; i++)
        to->creep_load[i] = in->creep_loads.values[i];
}

static void copy_discrete(kane_reader *reader, const discrete_input *in, kane_discrete *to)
{
    to->speed_piece = in->speed_piece;
    to->steady      = in->steady;
    to->frozen      = in->frozen;
    copy_counts(reader, in, "pieces", in->pieces, to->frame_count, to->piece);
    copy_counts(reader, in, "rows", in->rows, to->row_count, to->row);
    copy_counts(reader, in, "tree_speeds", in->tree_speeds, to->tree_speed_count, to->tree_speed);
    if (in->tree_scales.count == to->tree_speed_count)
        for (int k = 0; k < to->tree_speed_count; k++)
            to->tree_scale[k] = in->tree_scales.values[k];
    else
        kane_reader_fault(reader, &in->block, "tree_scales",
                          "is a state of another model: there are %d of them, the model has %d", in->tree_scales.count,
                          to->tree_speed_count);
    copy_creep_loads(reader, in, to);
}

static void copy_inputs(kane_reader *reader, const state_input *in, const kane_model *model, kane_discrete *to)
{
    const value_input *values = in->inputs.items;
    if (in->inputs.count != model->input_count) {
        kane_reader_fault(reader, &in->block, in->inputs.count ? "inputs" : NULL,
                          "is a state of another model: it has %d inputs, the model has %d", in->inputs.count,
                          model->input_count);
        return;
    }
    for (int i = 0; i < in->inputs.count; i++) {
        to->input[i] = values[i].value;
        if (strcmp(values[i].name, model->inputs[i].name) != 0)
            kane_reader_fault(reader, &values[i].block, "name",
                              "is a state of another model: the input '%s' stands where the model has '%s'",
                              values[i].name, model->inputs[i].name);
    }
}

// The model gives the rates that were written, or it is another one: the rate that differs most.
static void check_rates(kane_reader *reader, const state_input *in, const kane_model *model, const kane_state *state)
{
    const number_input *numbers = in->states.items;
    const double *ydot          = eval_rates(reader->arena, model, state, reader->errors);
    double most                 = same_rate;
    int worst                   = -1;
    if (!ydot) {
        reader->fault_count++;
        return;
    }
    for (int i = 0; i < model->state_count; i++) {
        const double off = fabs(ydot[i] - numbers[i].rate) / (1.0 + fabs(numbers[i].rate));
        if (off > most) {
            most  = off;
            worst = i;
        }
    }
    if (worst >= 0)
        kane_reader_fault(reader, &numbers[worst].block, "rate",
                          "is a state of another model: the rate of '%s' was %.9g and is %.9g now, so that masses, "
                          "elements, drive or track have changed",
                          numbers[worst].name, numbers[worst].rate, ydot[worst]);
}

static kane_state *build_state(kane_reader *reader, const state_input *in, const kane_model *model)
{
    const number_input *numbers = in->states.items;
    check_kind(reader, in, model);
    check_names(reader, in, model);
    if (in->work.count != 0 && in->work.count != KANE_WORK_INTEGRALS)
        kane_reader_fault(reader, &in->block, "work", "holds %d numbers, expected %d or none", in->work.count,
                          KANE_WORK_INTEGRALS);
    if (reader->fault_count > 0)
        return NULL;
    kane_state *state = kane_state_create(model, model->state_count + in->work.count, reader->errors);
    if (!state)
        return NULL;
    state->t         = in->time;
    state->has_moved = in->has_moved;
    for (int i = 0; i < model->state_count; i++)
        state->y[i] = numbers[i].value;
    for (int i = 0; i < in->work.count; i++)
        state->y[model->state_count + i] = in->work.values[i];
    copy_discrete(reader, &in->discrete, state->discrete);
    copy_inputs(reader, in, model, state->discrete);
    if (reader->fault_count == 0)
        check_rates(reader, in, model, state);
    if (reader->fault_count == 0)
        return state;
    kane_state_free(state);
    return NULL;
}

kane_state *kane_state_read(const char *file, const kane_model *model, kane_errors *errors)
{
    kane_errors unreported = {.limit = 1};
    kane_reader reader     = {.arena = kane_arena_create(), .errors = errors ? errors : &unreported};
    kane_state *state      = NULL;
    if (!reader.arena) {
        (void)kane_no_memory(errors);
        return NULL;
    }
    const int before      = reader.errors->count;
    kane_node *root       = kane_document_open(reader.arena, file, NULL, reader.errors);
    const state_input *in = root ? kane_document_read(&reader, root, state_formats, "state", NULL) : NULL;
    if (in)
        state = build_state(&reader, in, model);
    if (!state && reader.errors->count == before)
        (void)kane_no_memory(reader.errors);
    kane_arena_free(reader.arena);
    return state;
}
