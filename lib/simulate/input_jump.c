// SPDX-License-Identifier: MIT
// Inputs that change during a simulation, and states that are saved and resumed with the same bits.
//
// Where an input changes, dy/dt jumps. A multistep method would fail its error test there, and a restart at order 1
// costs many short steps. Instead it integrates
//
//   z = y - w(t),   z' = f(t, z + w) - w',   w' such that z' = f(t, y, new) - w' is what z' was before,
//
// whose rates do not jump: as if the motion so far had had the new rates at every moment. w is continuous, straight
// between the changes, so that nothing is added to what the method does between them; its error test sees what remains,
// a jump of the second derivative, and answers it with shorter steps where it matters. What z' was before the method
// itself knows.

#include "simulate/simulation.h"

#include <kane/state.h>

#include <string.h>

void kane_input_jump_unshift(const kane_simulation *s, double t, double *y)
{
    const double dt = t - s->shifted_at;
    for (int i = 0; i < s->size && s->shifted; i++)
        y[i] += s->shift[i] + dt * s->slope[i];
}

// --- the system in z ---

// y = z + w(t): z itself if w is zero, else scratch.
static const double *unshifted_state(kane_simulation *s, double t, const double *z)
{
    if (!s->shifted)
        return z;
    memcpy(s->unshifted, z, (size_t)s->size * sizeof *z);
    kane_input_jump_unshift(s, t, s->unshifted);
    return s->unshifted;
}

static kane_status shifted_rates(double t, const double *z, double *rates, void *data)
{
    kane_simulation *s       = data;
    const kane_status status = s->system.rates(t, unshifted_state(s, t, z), rates, data);
    for (int i = 0; i < s->size && s->shifted; i++)
        rates[i] -= s->slope[i];
    return status;
}

static kane_status shifted_jacobian(double t, const double *z, double *values, void *data)
{
    kane_simulation *s = data;
    return s->system.slopes(t, unshifted_state(s, t, z), values, data);
}

static kane_status shifted_weights(double t, const double *z, double *weights, void *data)
{
    kane_simulation *s = data;
    return s->system.weigh(t, unshifted_state(s, t, z), weights, data);
}

static kane_status shifted_roots(double t, const double *z, double *values, void *data)
{
    kane_simulation *s = data;
    return s->system.roots(t, unshifted_state(s, t, z), values, data);
}

static kane_status project_shifted(double t, double *z, void *data)
{
    kane_simulation *s = data;
    if (!s->shifted)
        return s->system.project(t, z, data);
    memcpy(s->unshifted, z, (size_t)s->size * sizeof *z);
    kane_input_jump_unshift(s, t, s->unshifted);
    const kane_status status = s->system.project(t, s->unshifted, data);
    const double dt          = t - s->shifted_at;
    for (int i = 0; i < s->size; i++)
        z[i] = s->unshifted[i] - (s->shift[i] + dt * s->slope[i]);
    return status;
}

kane_system kane_input_jump_system(kane_simulation *s)
{
    kane_system seen = s->system;
    seen.rates       = shifted_rates;
    seen.slopes      = shifted_jacobian;
    seen.weigh       = shifted_weights;
    seen.roots       = shifted_roots;
    seen.project     = project_shifted;
    return seen;
}

// --- inputs ---

double kane_simulation_get_input(const kane_simulation *s, int input)
{
    return kane_work_get_input(s->work, input);
}

// Before the first input changes: an integrator that is ahead of the output time returns to it.
static void return_to_output_time(kane_simulation *s)
{
    s->inputs_changed = 1;
    if (s->t == s->t_out)
        return;
    s->inputs_changed = 2; // the integrator is ahead with the old inputs: back to the output time
    s->t              = s->t_out;
    s->arrived = s->at_root = 0;
    memcpy(s->y, s->y_out, (size_t)s->size * sizeof *s->y);
}

kane_status kane_simulation_set_input(kane_simulation *s, int input, double value)
{
    if (input < 0 || input >= s->model->input_count || !isfinite(value))
        return KANE_BAD_ARGUMENT;
    if (s->work->input[input] == value)
        return KANE_OK;
    if (!s->inputs_changed)
        return_to_output_time(s);
    s->evaluated = KANE_KNOWS_NOTHING;
    return kane_work_set_input(s->model, s->work, input, value);
}

int kane_input_jump_absorb(kane_simulation *s)
{
    const double dt = s->t - s->shifted_at;
    double *before = s->rates_before_jump, *after = s->unshifted;
    if (s->inputs_changed != 1 || !s->integrator->multistep)
        return 0;
    s->inputs_changed = 0;
    if (!s->integrator->rates(s->integration, before)) // no step since the restart: nothing to shift
        return 1;
    if (s->system.rates(s->t, s->y, after, s) != KANE_OK)
        return 0;
    for (int i = 0; i < s->size; i++) {
        s->shift[i] = s->shifted ? s->shift[i] + dt * s->slope[i] : 0.0;
        s->slope[i] = after[i] - before[i]; // of z, whose rates are `before`
    }
    s->shifted    = 1;
    s->shifted_at = s->t;
    return 1;
}

// --- saving ---

kane_state *kane_simulation_save(kane_simulation *s, kane_state *state, kane_errors *errors)
{
    if (state && state->count != s->size) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a state of %d numbers is none of this simulation's, which have %d",
                        state->count, s->size);
        return NULL;
    }
    kane_state *into = state ? state : kane_state_create(s->model, s->size, errors);
    if (!into)
        return NULL;
    s->integrator->count(s->integration, &s->before);
    s->restarts++;
    s->t         = s->t_out;
    s->evaluated = KANE_KNOWS_NOTHING;
    memcpy(s->y, s->y_out, (size_t)s->size * sizeof *s->y);
    if (kane_simulation_reinitialize(s, errors) != KANE_OK) {
        if (!state)
            kane_state_free(into);
        return NULL;
    }
    into->t         = s->t;
    into->has_moved = s->moving;
    memcpy(into->y, s->y, (size_t)s->size * sizeof *into->y);
    kane_work_get_discrete(s->model, s->work, into->discrete);
    return into;
}
