// SPDX-License-Identifier: MIT
// A simulation: creation, start, state.

#include "simulate/simulation.h"

#include <kane/state.h>

#include "agem/rail_constraint.h"
#include "agem/wheels.h"
#include "base/number.h"
#include "simulate/integrators.h"

#include <stdio.h>
#include <string.h>

// Shortest fixed step [s]: the time of a run would not end with shorter ones.
static const double shortest_fixed_step = 1e-9;

kane_settings kane_settings_default(void)
{
    return (kane_settings){
        .method     = KANE_BDF,
        .order      = 2,
        .relative   = 1e-6,
        .position   = 1e-8,
        .angle      = 1e-8,
        .speed      = 1e-6,
        .turning    = 1e-6,
        .most_steps = 1000000,
        .remap      = 1,
    };
}

static int has_rods(const kane_model *model)
{
    for (int i = 0; i < model->closure_count; i++)
        if (model->closures[i].kind == KANE_CONSTRAINT_ROD)
            return 1;
    return 0;
}

static int check_settings(const kane_model *model, const kane_settings *set, kane_errors *errors)
{
    const kane_integrator *integrator = kane_settings_integrator(set);
    const int before                  = errors->count;
    if (integrator->fixed_step && !(set->step >= shortest_fixed_step && isfinite(set->step)))
        kane_errors_add(errors, KANE_BAD_INPUT, "a step of %g s is not possible: %s needs a fixed one of at least %g s",
                        set->step, integrator->name, shortest_fixed_step);
    if (set->rods.inertia != KANE_RODS_EXACT && !integrator->extrapolates)
        kane_errors_add(
            errors, KANE_BAD_INPUT,
            "rods with \"%s\" inertia are extrapolated from step to step, which %s cannot do; choose rk4, or "
            "\"exact\"",
            kane_rod_inertia_names[set->rods.inertia], integrator->name);
    if (set->rods.inertia != KANE_RODS_EXACT && !has_rods(model))
        kane_errors_add(errors, KANE_BAD_INPUT, "there is no rod whose inertia could be \"%s\"; leave that out",
                        kane_rod_inertia_names[set->rods.inertia]);
    if (set->normal_forces == KANE_NORMAL_FORCES_LAGGED && !integrator->fixed_step)
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "lagged normal forces are those of the step before, of a fixed length, which %s does not have; "
                        "choose semi_implicit, imex or bdf2, or \"coupled\"",
                        integrator->name);
    if (set->normal_forces == KANE_NORMAL_FORCES_LAGGED && !kane_model_is_guided(model))
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "no wheels have contact as a constraint, whose normal forces could be \"lagged\"; leave that "
                        "out");
    if (integrator->check)
        integrator->check(set, errors);
    if (!integrator->fixed_step)
        (void)kane_tolerances_check(set, kane_scale_of_model(model), NULL, errors);
    return errors->count - before;
}

// Allocates states and roots, and creates the integrator. 0: no memory.
static int create_integration(kane_simulation *s)
{
    const size_t size = (size_t)s->size, roots = (size_t)kane_simulation_root_count(s);
    s->y                 = kane_arena_alloc(s->arena, size, sizeof *s->y);
    s->y_out             = kane_arena_alloc(s->arena, size, sizeof *s->y_out);
    s->ydot              = kane_arena_alloc(s->arena, size, sizeof *s->ydot);
    s->error             = kane_arena_alloc(s->arena, size, sizeof *s->error);
    s->rates_before_jump = kane_arena_alloc(s->arena, size, sizeof *s->rates_before_jump);
    s->shift             = kane_arena_alloc(s->arena, size, sizeof *s->shift);
    s->slope             = kane_arena_alloc(s->arena, size, sizeof *s->slope);
    s->unshifted         = kane_arena_alloc(s->arena, size, sizeof *s->unshifted);
    s->weight            = kane_arena_alloc(s->arena, size, sizeof *s->weight);
    s->roots             = kane_arena_alloc(s->arena, roots, sizeof *s->roots);
    s->roots_before      = kane_arena_alloc(s->arena, roots, sizeof *s->roots_before);
    s->roots_after       = kane_arena_alloc(s->arena, roots, sizeof *s->roots_after);
    if (kane_arena_failed(s->arena) || !s->work || !s->jacobian)
        return 0;
    if (s->integrator->relaxes && !(s->relaxation = kane_relaxation_create(s->model, s->arena)))
        return 0;
    s->system = kane_simulation_system(s);
    s->look   = kane_arena_alloc(s->arena, (size_t)s->system.ahead_count, sizeof *s->look);
    s->ends   = kane_arena_alloc(s->arena, (size_t)s->system.ahead_count / 3, sizeof *s->ends);
    if (kane_arena_failed(s->arena))
        return 0;
    s->seen        = kane_input_jump_system(s);
    s->integration = s->integrator->create(&s->seen, &s->settings);
    return s->integration != NULL;
}

kane_simulation *kane_simulation_create(const kane_model *model, const kane_settings *settings,
                                        const kane_conditions *conditions, kane_errors *errors)
{
    kane_errors unreported = {.limit = 1};
    kane_errors *kept      = errors ? errors : &unreported;
    if (check_settings(model, settings, kept) > 0)
        return NULL;

    const kane_integrator *integrator = kane_settings_integrator(settings);
    if (kane_model_is_projected(model) && !integrator->projects) {
        kane_errors_add(kept, KANE_BAD_INPUT,
                        "%s are projected after every step, which the method %s cannot do; choose bdf%s",
                        kane_model_is_held(model) ? "constraints in the form of multipliers"
                                                  : "wheels with contact as a constraint",
                        integrator->name, kane_model_is_held(model) ? ", or the form of coefficients" : "");
        return NULL;
    }
    const char *obstacle = integrator->relaxes ? kane_relaxation_obstacle(model) : NULL;
    if (obstacle) {
        kane_errors_add(kept, KANE_BAD_INPUT,
                        "the method %s is for wheels with contact as a constraint, but %s; choose bdf or bdf2",
                        integrator->name, obstacle);
        return NULL;
    }
    kane_arena *arena;
    kane_simulation *s = kane_arena_object(&arena, sizeof *s, kept);
    if (!s)
        return NULL;
    s->arena      = arena;
    s->model      = model;
    s->settings   = *settings;
    s->integrator = integrator;
    s->conditions = *conditions;
    s->size       = model->state_count + (settings->energy ? KANE_WORK_INTEGRALS : 0);
    if (s->size == 0)
        s->integrator = &kane_integrator_still;
    if (!(s->conditions.lift > 0.0))
        s->conditions.lift = 0.015;
    s->work     = kane_work_create(model, kept);
    s->jacobian = kane_jacobian_create(model, s->size);
    if (!create_integration(s)) {
        kane_errors_add(kept, KANE_NO_MEMORY, "the integrator cannot be created");
        kane_simulation_free(s);
        return NULL;
    }
    if (kane_simulation_start(s, kept) != KANE_OK) {
        kane_simulation_free(s);
        return NULL;
    }
    return s;
}

void kane_simulation_free(kane_simulation *s)
{
    if (!s)
        return;
    if (s->integration)
        s->integrator->free(s->integration);
    kane_jacobian_free(s->jacobian);
    kane_work_free(s->work);
    kane_arena_free(s->arena);
}

// 1: curvature is constant under all frames, and rails are regular: there a vehicle can be in equilibrium.
static int line_is_steady(const kane_simulation *s)
{
    const kane_model *model = s->model;
    if (!model->track || kane_track_is_irregular(model->track) || model->guide < 0)
        return 0;
    for (int f = 0; f < model->frame_count; f++) {
        const kane_track_frame *g = &s->work->track_frame[f], *first = &s->work->track_frame[0];
        if (model->frames[f].kind != KANE_FRAME_TRACK)
            continue;
        if (kv3_norm(g->Omega_s) > 0.0 ||
            kv3_norm(kv3_sub(g->Omega, first->Omega)) > 1e-12 * (1.0 + kv3_norm(g->Omega)))
            return 0;
    }
    return 1;
}

static int is_straight_and_level(const kane_simulation *s)
{
    return kv3_norm(s->work->track_frame[0].Omega) == 0.0 && s->work->track_frame[0].R.z.z == 1.0;
}

// Start in equilibrium by default. A driven vehicle has none if its drive does not balance its resistance: then it
// starts in its static position, and began_why has the reason. Other failures are errors.
static kane_status try_equilibrium(kane_simulation *s, double *y, kane_start_kind *how, kane_errors *errors)
{
    kane_errors own   = {.limit = 1};
    kane_errors *said = errors ? errors : &own;
    const int before  = said->count;
    kane_equilibrium found;
    const kane_status status = kane_equilibrium_solve(s->model, s->work, y, &found, said);
    *how                     = status == KANE_OK ? KANE_START_EQUILIBRIUM : KANE_START_UNBALANCED;
    if (status != KANE_NOT_SOLVED)
        return status;
    if (before < said->kept)
        (void)snprintf(s->began_why, sizeof s->began_why, "%s", kane_errors_get(said, before)->text);
    kane_errors_truncate(said, before);
    return kane_initial_state(s->model, s->work, y, errors);
}

kane_status kane_simulation_start(kane_simulation *s, kane_errors *errors)
{
    double *y = s->y_out;
    kane_work_begin_inputs(s->model, s->work);
    kane_work_lag_normal_forces(s->model, s->work, KANE_LAG_NONE);
    kane_status status = kane_initial_state(s->model, s->work, y, errors);
    kane_equilibrium found;
    if (status != KANE_OK)
        return status;
    const int is_steady = line_is_steady(s);
    kane_start_kind how = KANE_START_STATIC;
    s->began_why[0]     = '\0';
    if (s->settings.settle && !is_steady) {
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "there is no equilibrium to start in: the line changes under the vehicle, or its rails are "
                        "irregular; start on a straight or in a curve");
        return KANE_BAD_INPUT;
    }
    if (s->settings.settle && s->model->formulation == KANE_FIXED && !is_straight_and_level(s)) {
        kane_errors_add(
            errors, KANE_BAD_INPUT,
            "there is no equilibrium to start in: in fixed axes nothing rests in a curve or on cant; choose "
            "the moving formulation");
        return KANE_BAD_INPUT;
    }
    if (s->settings.settle) {
        how    = KANE_START_EQUILIBRIUM;
        status = kane_equilibrium_solve(s->model, s->work, y, &found, errors);
    } else if (is_steady && is_straight_and_level(s) && !s->model->departs) {
        status = try_equilibrium(s, y, &how, errors);
    }
    if (status == KANE_OK)
        status = kane_simulation_start_from(s, 0.0, y, errors);
    s->began = how;
    return status;
}

kane_start_kind kane_simulation_began(const kane_simulation *s, const char **why)
{
    if (why)
        *why = s->began == KANE_START_UNBALANCED ? s->began_why : "";
    return s->began;
}

// Part of the static wheel load: the dynamic part of a running vehicle is mostly smaller.
static const double ROUGH = 0.5;

int kane_simulation_start_is_rough(const kane_simulation *s, size_t size, char *text)
{
    static const char *const sides[] = {"left", "right"};
    double worst                     = ROUGH;
    for (int i = 0; s->model->track && kane_track_is_irregular(s->model->track) && i < s->model->wheels_count; i++) {
        const int body = s->model->wheels[i].body;
        double rest[2] = {0.0, 0.0}, lift;
        if (kane_model_wheel_load(s->model, body, rest) != KANE_OK)
            continue;
        for (int side = 0; side < 2; side++) {
            const kane_rail_offset *o         = &s->work->wheels[i].offset[side];
            const kane_contact_result *result = kane_get_contact(s->model, s->work, body, (kane_side)side, &lift);
            const int is_uneven               = o->y != 0.0 || o->z != 0.0 || o->y_s != 0.0 || o->z_s != 0.0;
            const double force = result->on_wheel.force.z, off = fabs(force - rest[side]) / rest[side];
            if (!is_uneven || !(off > worst))
                continue;
            worst = off;
            (void)kane_snprintf(text, size, "the %s wheel of '%s' presses with %.4g kN, at rest with %.4g kN",
                                sides[side], s->model->bodies[body].name, 1e-3 * force, 1e-3 * rest[side]);
        }
    }
    return worst > ROUGH;
}

// Wheels that are off their rails at the start are an error: a derailment is found by a crossing of the limit only.
static kane_status check_wheels(const kane_simulation *s, kane_errors *errors)
{
    static const char *const sides[] = {"left", "right"};
    kane_status status               = KANE_OK;
    for (int i = 0; i < s->model->wheels_count; i++) {
        const kane_wheels *wheels = &s->model->wheels[i];
        for (int side = 0; side < 2 && !kane_wheels_are_guided(wheels); side++) {
            const double lift = kane_wheels_lift(wheels, &s->work->wheels[i], side);
            if (!(fabs(lift) > s->conditions.lift))
                continue;
            status = KANE_BAD_INPUT;
            kane_errors_add(errors, status,
                            "at the start the %s wheel of '%s' is %g m %s its rail; %g m is a derailment", sides[side],
                            s->model->bodies[wheels->body].name, fabs(lift), lift > 0.0 ? "over" : "below",
                            s->conditions.lift);
        }
    }
    return status;
}

kane_status kane_simulation_lag_normal_forces(kane_simulation *s)
{
    if (s->settings.normal_forces != KANE_NORMAL_FORCES_LAGGED)
        return KANE_OK;
    const kane_status status = kane_eval(s->model, s->work, s->t, s->y, s->ydot);
    if (status == KANE_OK)
        kane_work_lag_normal_forces(s->model, s->work, KANE_LAG_LAST);
    return status;
}

// Lagged normal forces of a start or of a state that has none: coupled ones, or the static ones if there are none.
static void begin_lag(kane_simulation *s)
{
    const int lags = s->settings.normal_forces == KANE_NORMAL_FORCES_LAGGED;
    if (lags && !s->work->wheels[0].guidance.is_lagged && kane_simulation_lag_normal_forces(s) != KANE_OK)
        kane_work_lag_normal_forces(s->model, s->work, KANE_LAG_STATIC);
    if (!lags)
        kane_work_lag_normal_forces(s->model, s->work, KANE_LAG_NONE);
}

kane_status kane_simulation_reinitialize(kane_simulation *s, kane_errors *errors)
{
    s->at_root         = 0;
    s->no_better       = 0;
    s->knows_roots     = 0;
    s->inputs_changed  = 0;
    s->shifted         = 0;
    kane_status status = kane_eval(s->model, s->work, s->t, s->y, s->ydot);
    if (status != KANE_OK) {
        kane_work_fault(s->model, s->work, errors);
        return status;
    }
    status = check_wheels(s, errors);
    if (status != KANE_OK)
        return status;
    if (s->integrator->forget)
        s->integrator->forget(s->integration);
    if (s->integrator->restart(s->integration, s->t, s->y) != KANE_OK) {
        kane_errors_add(errors, KANE_INTEGRATION_FAILED, "the integrator cannot start: %s",
                        s->integrator->message(s->integration));
        return KANE_INTEGRATION_FAILED;
    }
    kane_events_plan(s);
    return KANE_OK;
}

// Starts at (t, y) with the discrete state of the work: resets stop, statistics and output state.
static kane_status begin_at_state(kane_simulation *s, double t, kane_errors *errors)
{
    s->t = s->t_out    = t;
    s->evaluated       = KANE_KNOWS_NOTHING;
    s->began           = KANE_START_GIVEN;
    s->stop            = KANE_STOP_NONE;
    s->stop_subject[0] = '\0';
    s->restarts        = 0;
    s->before          = (kane_statistics){0};
    memcpy(s->y_out, s->y, (size_t)s->size * sizeof *s->y);

    begin_lag(s);
    return kane_simulation_reinitialize(s, errors);
}

kane_status kane_simulation_start_from(kane_simulation *s, double t, const double *from, kane_errors *errors)
{
    double *y = s->y;
    for (int i = 0; i < s->size; i++)
        y[i] = i < s->model->state_count ? from[i] : 0.0;
    kane_work_locate(s->model, s->work, t, y);
    s->moving = kane_model_is_driven(s->model) && y[1] > 0.0;
    if (s->system.projected && kane_project(s->model, s->work, t, y) != KANE_OK) {
        const kane_status status = s->work->fault.status;
        kane_work_fault(s->model, s->work, errors);
        return status;
    }
    return begin_at_state(s, t, errors);
}

kane_status kane_simulation_resume(kane_simulation *s, const kane_state *state, kane_errors *errors)
{
    const int states = s->model->state_count;
    if (state->count < states || kane_work_set_discrete(s->model, s->work, state->discrete) != KANE_OK) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "the state is none of this model's");
        return KANE_BAD_ARGUMENT;
    }
    for (int i = 0; i < s->size; i++)
        s->y[i] = i < states || state->count == s->size ? state->y[i] : 0.0;
    kane_section_joint_begin(s->model, s->work);
    s->moving = state->has_moved;
    return begin_at_state(s, state->t, errors);
}

kane_state *kane_simulation_get_state(const kane_simulation *s, kane_errors *errors)
{
    kane_state *state = kane_state_create(s->model, s->size, errors);
    if (!state)
        return NULL;
    state->t         = s->t_out;
    state->has_moved = s->moving;
    memcpy(state->y, s->y_out, (size_t)s->size * sizeof *state->y);
    kane_work_get_discrete(s->model, s->work, state->discrete);
    return state;
}

double kane_simulation_time(const kane_simulation *s)
{
    return s->t_out;
}

kane_stop kane_simulation_stop(const kane_simulation *s)
{
    return s->stop;
}

const char *kane_simulation_stop_subject(const kane_simulation *s)
{
    return s->stop_subject;
}

const double *kane_simulation_state(const kane_simulation *s)
{
    return s->y_out;
}

const char *kane_stop_name(kane_stop stop)
{
    static const char *const names[] = {"none",         "end of time", "distance",     "end of track", "standstill",
                                        "rolling back", "wheel lift",  "flange climb", "wheel drop",   "failed"};
    return names[stop];
}
