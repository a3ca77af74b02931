// SPDX-License-Identifier: MIT
// Directional derivatives of units: rates with respect to states from the exact Jacobian, all else by central
// differences along the seed.

#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// How far differences go: of states, in parts of their nominal values; of inputs, in parts of what they are, at least
// of 1; of the time [s].
static const double reach_of_states = 1e-5, reach_of_inputs = 1e-3, reach_of_time = 1e-6;

// The direction, and what changes along it.
typedef struct direction {
    double *states, *inputs, time; // seed
    int any_state, any_input, any_time;
    int wants_outputs, wants_rates, wants_work,
        wants_indicators;                // unknowns; work: rates that the Jacobian does not have
    int size;                            // of what is differenced: outputs, rates, indicators
    double *sum, *up, *down;             // [size]
    double *y, *moved, *input, *scratch; // where it stands; where it goes to
    double t;
} direction;

// The values that are differenced, as far as they are needed.
static unit_status eval(unit *u, const direction *d, double *values)
{
    const int from[]   = {0, u->output_count + u->state_count, u->output_count + 2 * u->state_count};
    const int count[]  = {u->output_count, u->state_count, u->indicator_count};
    const int wants[]  = {d->wants_outputs, d->wants_rates, d->wants_indicators};
    unsigned first     = (unsigned)(u->parameter_count + u->input_count + 1);
    unit_status status = UNIT_OK;
    for (int group = 0; group < 3; group++) {
        for (int i = 0; i < count[group] && wants[group] && status == UNIT_OK; i++) {
            const unsigned reference = first + (unsigned)(from[group] + i);
            status                   = unit_get(u, 1, &reference, &values[i]);
        }
        values += count[group];
    }
    return status;
}

static void put(unit *u, double t, const double *y, const double *input)
{
    (void)kane_outside_put(u->simulation, t, y);
    for (int i = 0; i < u->input_count; i++)
        (void)kane_simulation_set_input(u->simulation, u->input_place[i], input[i]);
    unit_forget(u);
}

// h along states, k along inputs, l along time, both ways.
static unit_status difference(unit *u, direction *d, double h, double k, double l)
{
    unit_status status = UNIT_OK;
    for (int side = 1; side >= -1 && status == UNIT_OK; side -= 2) {
        for (int i = 0; i < u->state_count; i++)
            d->moved[i] = d->y[i] + side * h * d->states[i];
        for (int i = 0; i < u->input_count; i++)
            d->scratch[i] = d->input[i] + side * k * d->inputs[i];
        put(u, d->t + side * l * d->time, d->moved, d->scratch);
        status = eval(u, d, side > 0 ? d->up : d->down);
    }
    for (int i = 0; i < d->size && status == UNIT_OK; i++)
        d->sum[i] += (d->up[i] - d->down[i]) / (2.0 * (h + k + l));
    return status;
}

// Rates of the model's states along the states, exactly, in place of what differences say.
static unit_status multiply(unit *u, const direction *d, double *rates)
{
    kane_errors errors          = {0};
    const kane_pattern *pattern = kane_outside_pattern(u->simulation);
    const int states            = kane_model_state_count(u->model);
    if (!u->knows_slopes && kane_outside_slopes(u->simulation, u->slopes, &errors) != KANE_OK)
        return unit_fail(u, &errors);
    u->knows_slopes = 1;
    for (int column = 0; column < states; column++)
        for (int k = pattern->column_start[column]; k < pattern->column_start[column + 1]; k++)
            if (pattern->row[k] < states)
                rates[pattern->row[k]] += u->slopes[k] * d->states[column];
    return UNIT_OK;
}

// Rates last, with what is known of the Jacobian where the unit stands.
static unit_status differ_all(unit *u, direction *d)
{
    double largest        = 0.0;
    unit_status status    = UNIT_OK;
    const int differences = d->wants_outputs || d->wants_work || d->wants_indicators || d->any_input || d->any_time;
    if (d->any_state && (d->wants_outputs || d->wants_work || d->wants_indicators)) {
        for (int i = 0; i < u->state_count; i++)
            largest = fmax(largest, fabs(d->states[i]) / u->nominals[i]);
        status = difference(u, d, reach_of_states / largest, 0.0, 0.0);
    }
    for (int i = 0; i < kane_model_state_count(u->model); i++) // these are exact
        d->sum[u->output_count + i] = 0.0;
    largest = 0.0;
    for (int i = 0; i < u->input_count; i++)
        largest = fmax(largest, fabs(d->inputs[i]) / fmax(1.0, fabs(d->input[i])));
    if (d->any_input && status == UNIT_OK)
        status = difference(u, d, 0.0, reach_of_inputs / largest, 0.0);
    if (d->any_time && status == UNIT_OK)
        status = difference(u, d, 0.0, 0.0, reach_of_time / fabs(d->time));
    if (differences)
        put(u, d->t, d->y, d->input);
    if (status == UNIT_OK && d->any_state && d->wants_rates)
        status = multiply(u, d, d->sum + u->output_count);
    return status;
}

static unit_status take_seed(const unit *u, direction *d, size_t count, const unsigned *knowns, const double *seed)
{
    for (size_t i = 0; i < count; i++) {
        int place              = 0;
        const unit_group group = unit_find(u, knowns[i], &place);
        if (!isfinite(seed[i]))
            return unit_refuse(u, "a seed is not finite");
        if (group == UNIT_STATE)
            d->states[place] = seed[i];
        else if (group == UNIT_INPUT)
            d->inputs[place] = seed[i];
        else if (group == UNIT_TIME)
            d->time = seed[i];
        else
            return unit_refuse(u, "derivatives are with respect to states, inputs and the time");
        d->any_state |= group == UNIT_STATE && seed[i] != 0.0;
        d->any_input |= group == UNIT_INPUT && seed[i] != 0.0;
        d->any_time |= group == UNIT_TIME && seed[i] != 0.0;
    }
    return UNIT_OK;
}

static void want(const unit *u, direction *d, size_t count, const unsigned *unknowns)
{
    for (size_t i = 0; i < count; i++) {
        int place              = 0;
        const unit_group group = unit_find(u, unknowns[i], &place);
        d->wants_outputs |= group == UNIT_OUTPUT;
        d->wants_rates |= group == UNIT_RATE;
        d->wants_work |= group == UNIT_RATE && place >= kane_model_state_count(u->model);
        d->wants_indicators |= group == UNIT_INDICATOR;
    }
}

static unit_status give(const unit *u, const direction *d, size_t count, const unsigned *unknowns, double *sensitivity)
{
    for (size_t i = 0; i < count; i++) {
        int place              = 0;
        const unit_group group = unit_find(u, unknowns[i], &place);
        if (group == UNIT_OUTPUT)
            sensitivity[i] = d->sum[place];
        else if (group == UNIT_RATE)
            sensitivity[i] = d->sum[u->output_count + place];
        else if (group == UNIT_INDICATOR)
            sensitivity[i] = d->sum[u->output_count + u->state_count + place];
        else
            return unit_refuse(u, "derivatives are those of outputs, rates of states and event indicators");
    }
    return UNIT_OK;
}

unit_status unit_derive(unit *u, size_t unknown_count, const unsigned *unknowns, size_t known_count,
                        const unsigned *knowns, const double *seed, double *sensitivity)
{
    if (u->kind != UNIT_EXCHANGE)
        return unit_refuse(u, "directional derivatives are for model exchange");
    if ((unknown_count > 0 &&
         !(unit_is_given(u, unknowns, "unknowns") && unit_is_given(u, sensitivity, "sensitivity"))) ||
        (known_count > 0 && !(unit_is_given(u, knowns, "knowns") && unit_is_given(u, seed, "seed"))) ||
        unit_have_simulation(u) != UNIT_OK)
        return UNIT_ERROR;
    const size_t states = (size_t)u->state_count, inputs = (size_t)u->input_count;
    direction d       = {.size = u->output_count + u->state_count + u->indicator_count, .t = unit_time(u)};
    kane_arena *arena = kane_arena_create();
    if (!arena)
        return unit_refuse(u, kane_status_text(KANE_NO_MEMORY));
    d.states           = kane_arena_doubles(arena, states);
    d.inputs           = kane_arena_doubles(arena, inputs);
    d.sum              = kane_arena_doubles(arena, (size_t)d.size);
    d.up               = kane_arena_doubles(arena, (size_t)d.size);
    d.down             = kane_arena_doubles(arena, (size_t)d.size);
    d.y                = kane_arena_doubles(arena, states);
    d.moved            = kane_arena_doubles(arena, states);
    d.input            = kane_arena_doubles(arena, inputs);
    d.scratch          = kane_arena_doubles(arena, inputs);
    unit_status status = kane_arena_failed(arena) ? unit_refuse(u, kane_status_text(KANE_NO_MEMORY)) : UNIT_OK;
    if (status == UNIT_OK) {
        memcpy(d.y, kane_simulation_state(u->simulation), states * sizeof *d.y);
        memcpy(d.input, u->input, inputs * sizeof *d.input);
        status = take_seed(u, &d, known_count, knowns, seed);
        want(u, &d, unknown_count, unknowns);
        if (status == UNIT_OK)
            status = differ_all(u, &d);
        if (status == UNIT_OK)
            status = give(u, &d, unknown_count, unknowns, sensitivity);
    }
    kane_arena_free(arena);
    return status;
}
