// SPDX-License-Identifier: MIT
// Steady motion: the run's vehicle on a line of constant curvature and cant.

#include "run/growing.h"

#include "base/arena.h"
#include "model/model.h"
#include "simulate/equilibrium.h"

#include <math.h>
#include <string.h>

// The line reaches beyond the vehicle, and as far ahead as a run from there may want. Of a straight nothing grows with
// its length; cells of an arc stay few as long as its heading is known to the last digits.
static const double ROOM_BEHIND = 100.0; // [m]
static const double ROOM_AHEAD  = 2e5;   // [m] ...
static const double TURN_AHEAD  = 10.0;  // ... or so far round [rad]
static const double STILL       = 1e-3;  // a coordinate that changes less rests [m/s], [rad/s]

struct kane_steady {
    kane_arena *arena;
    kane_track *track; // NULL: of a mechanism
    kane_model *model;
    kane_work *work;
    double *y;
    kane_equilibrium equilibrium;
    int rate_count;
    kane_steady_rate *rates;
    int is_refined;
    int *vehicle; // that every body of the model is of [bodies]
};

static int is_next_vehicle(const kane_body_definition *before, const kane_body_definition *body)
{
    return before->vehicle && body->vehicle && strcmp(before->vehicle, body->vehicle) != 0;
}

double kane_vehicle_reach(const kane_vehicle_definition *vehicle, kane_reach of)
{
    double least = 0.0, most = 0.0, longest = 0.0;
    for (int j = 0; j < vehicle->body_count; j++) {
        const kane_body_definition *body = &vehicle->bodies[j];
        const double x                   = body->position.x;
        const int begins                 = j == 0 || (of == KANE_OF_ONE_VEHICLE && is_next_vehicle(body - 1, body));
        least                            = begins ? x : fmin(least, x);
        most                             = begins ? x : fmax(most, x);
        longest                          = fmax(longest, most - least);
    }
    return longest; // wherever the guide is
}

// One long straight or curve with the run's rails; place: of the guide from its beginning [m].
static kane_track *create_uniform_track(const kane_run_definition *run, const kane_steady_definition *where,
                                        const kane_nearby *near, double *place, kane_errors *errors)
{
    const kane_track_definition *own = kane_track_get_definition(run->track);
    const double reach               = kane_vehicle_reach(run->vehicle, KANE_OF_ALL);
    const double curvature = where->curvature, far = near ? ROOM_BEHIND : ROOM_AHEAD;
    const double room = curvature != 0.0 ? fmin(far, TURN_AHEAD / fabs(curvature)) : far;
    *place            = reach + ROOM_BEHIND;

    const kane_section_definition section = {.kind           = curvature != 0.0 ? KANE_CURVE : KANE_STRAIGHT,
                                             .length         = *place + reach + room,
                                             .curvature      = curvature,
                                             .superelevation = where->superelevation,
                                             .place          = own->place};
    kane_track_definition line            = {.gauge            = own->gauge,
                                             .gauge_height     = own->gauge_height,
                                             .running_distance = own->running_distance,
                                             .rail             = {own->rail[0], own->rail[1]},
                                             .inclination      = own->inclination,
                                             .friction         = own->friction,
                                             .cant_axis        = own->cant_axis,
                                             .superelevation   = where->superelevation,
                                             .curvature        = curvature,
                                             .section_count    = 1,
                                             .sections         = &section,
                                             .transportation   = own->transportation,
                                             .is_flexible      = own->is_flexible,
                                             .flexibility      = own->flexibility,
                                             .is_road          = own->is_road,
                                             .name             = own->name,
                                             .place            = own->place};
    return kane_track_create(&line, errors);
}

static int is_sensible(const kane_steady_definition *where, kane_errors *errors)
{
    if (isfinite(where->speed) && where->speed >= 0.0)
        return 1;
    kane_errors_add(errors, KANE_BAD_INPUT, "a speed of %g m/s is out of range, must not be negative", where->speed);
    return 0;
}

static int is_coarse(const kane_wheels_definition *wheels)
{
    const kane_fastsim *f = &wheels->laws.fastsim;
    return wheels->laws.creep == KANE_CREEP_FASTSIM && (f->strips < KANE_FASTSIM_MOST || f->steps < KANE_FASTSIM_MOST);
}

// The vehicle with FASTSIM on its finest grid, in *fine, which shares the rest. 0: no memory.
static int refine_creep(kane_steady *s, const kane_vehicle_definition *vehicle, kane_vehicle_definition *fine)
{
    *fine                        = *vehicle;
    kane_body_definition *bodies = kane_arena_alloc(s->arena, (size_t)vehicle->body_count + 1, sizeof *bodies);
    for (int j = 0; bodies && j < vehicle->body_count; j++) {
        bodies[j] = vehicle->bodies[j];
        if (!bodies[j].wheels || !is_coarse(bodies[j].wheels))
            continue;
        kane_wheels_definition *wheels = kane_arena_alloc(s->arena, 1, sizeof *wheels);
        if (!wheels)
            return 0;
        *wheels                     = *bodies[j].wheels;
        wheels->laws.fastsim.strips = wheels->laws.fastsim.steps = KANE_FASTSIM_MOST;
        bodies[j].wheels                                         = wheels;
        s->is_refined                                            = 1;
    }
    fine->bodies = bodies;
    return bodies != NULL;
}

// The model that moves steadily: frames at constant speed, nothing drives; moving frames, for in others nothing rests.
// A mechanism is taken as it stands, in its frames.
static kane_model *compile_model(kane_steady *s, const kane_run_definition *run, const kane_steady_definition *where,
                                 const kane_nearby *near, kane_errors *errors)
{
    kane_drive_definition drive     = kane_drive_definition_default();
    kane_model_options options      = run->model;
    options.formulation             = KANE_MOVING;
    kane_vehicle_definition vehicle = *run->vehicle;
    if (where->small_motions && !refine_creep(s, run->vehicle, &vehicle)) {
        (void)kane_no_memory(errors);
        return NULL;
    }
    if (!run->track)
        return kane_model_create(&vehicle, NULL, &run->drive, &options, errors);
    drive.speed       = where->speed;
    drive.input_count = run->drive.input_count; // what they begin with acts, such as a steady wind
    drive.inputs      = run->drive.inputs;
    s->track = is_sensible(where, errors) ? create_uniform_track(run, where, near, &drive.start, errors) : NULL;
    return s->track ? kane_model_create(&vehicle, s->track, &drive, &options, errors) : NULL;
}

// Adds the rate of coordinate k of a body if it has one.
static void add_rate(kane_steady *s, const kane_body *body, int k, const double *start, const double *found)
{
    const kane_link *link = &s->model->tree.links[body->link];
    const int i           = body->q + k;
    const int is_length   = body->is_free_body || !kane_link_has_steps(link) ? k <= KANE_Z : k < link->slide_count;
    if (fabs(start[i]) > STILL || fabs(found[i]) > STILL)
        s->rates[s->rate_count++] = (kane_steady_rate){i, is_length, start[i], found[i]};
}

// start, found: rates of all states.
static int list_rates(kane_steady *s, const double *start, const double *found)
{
    const kane_model *model = s->model;
    s->rates                = kane_arena_alloc(s->arena, (size_t)model->state_count + 1, sizeof *s->rates);
    for (int j = 0; j < model->body_count && s->rates && !model->track; j++) {
        const kane_body *body = &model->bodies[j];
        const int is_ball     = !body->is_free_body && model->tree.links[body->link].kind == KANE_LINK_BALL;
        for (int k = 0; k < body->q_count && body->part != KANE_PART_POINT && !is_ball; k++)
            add_rate(s, body, k, start, found);
    }
    return s->rates != NULL;
}

// Numbers of the vehicles of a train, as their bodies stand in the definition; points and modes are those of their
// body, panels of track those of the wheels that stand on them.
static int number_vehicles(kane_steady *s, const kane_vehicle_definition *definition)
{
    const kane_model *model = s->model;
    s->vehicle              = kane_arena_alloc(s->arena, (size_t)model->body_count + 1, sizeof *s->vehicle);
    for (int j = 1; s->vehicle && j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        if (body->panel)
            s->vehicle[j] = s->vehicle[model->wheels[body->panel->wheels].body];
        else if (j >= definition->body_count)
            s->vehicle[j] = s->vehicle[body->part_of];
        else
            s->vehicle[j] = s->vehicle[j - 1] + is_next_vehicle(&definition->bodies[j - 1], &definition->bodies[j]);
    }
    return s->vehicle != NULL;
}

// Equilibrium by Newton's method from a nearby state; else, or if that fails, by the search from the static position.
static kane_status solve_equilibrium(kane_steady *s, const kane_nearby *near, kane_errors *errors)
{
    const int before = errors->count;
    if (near && near->y && kane_copy_states(near->model, near->y, s->model, s->y)) {
        if (kane_equilibrium_solve_near(s->model, s->work, s->y, &s->equilibrium, errors) == KANE_OK)
            return KANE_OK;
        kane_errors_truncate(errors, before);
        if (kane_initial_state(s->model, s->work, s->y, errors) != KANE_OK)
            return KANE_NOT_SOLVED;
    }
    return kane_equilibrium_solve(s->model, s->work, s->y, &s->equilibrium, errors);
}

static int find_equilibrium(kane_steady *s, const kane_nearby *near, kane_errors *errors)
{
    s->work = kane_work_create(s->model, errors);
    if (!s->work)
        return 0;
    const size_t states = (size_t)kane_model_state_count(s->model);
    double *ydot        = kane_arena_alloc(s->arena, states, sizeof *ydot);
    double *begin       = kane_arena_alloc(s->arena, states, sizeof *begin);
    s->y                = kane_arena_alloc(s->arena, states, sizeof *s->y);
    if (!s->y || !ydot || !begin) {
        (void)kane_no_memory(errors);
        return 0;
    }
    kane_work_freeze(s->work, 1);
    if (kane_initial_state(s->model, s->work, s->y, errors) != KANE_OK)
        return 0;
    if (!s->model->track && kane_eval(s->model, s->work, 0.0, s->y, begin) != KANE_OK) {
        kane_work_fault(s->model, s->work, errors);
        return 0;
    }
    if (solve_equilibrium(s, near, errors) != KANE_OK)
        return 0;
    if (kane_eval(s->model, s->work, 0.0, s->y, ydot) != KANE_OK) {
        kane_work_fault(s->model, s->work, errors);
        return 0;
    }
    kane_observe(s->model, s->work);
    if (list_rates(s, begin, ydot))
        return 1;
    (void)kane_no_memory(errors);
    return 0;
}

kane_steady *kane_steady_create_near(const kane_run_definition *run, const kane_steady_definition *where,
                                     const kane_nearby *near, kane_errors *errors)
{
    kane_arena *arena;
    kane_steady *s = kane_arena_object(&arena, sizeof *s, errors);
    if (!s)
        return NULL;
    s->arena = arena;
    s->model = compile_model(s, run, where, near, errors);
    if (s->model && !number_vehicles(s, run->vehicle))
        (void)kane_no_memory(errors);
    else if (s->model && find_equilibrium(s, near, errors))
        return s;
    kane_steady_free(s);
    return NULL;
}

kane_steady *kane_steady_create(const kane_run_definition *run, const kane_steady_definition *where,
                                kane_errors *errors)
{
    kane_errors unwanted = {.limit = 1};
    return kane_steady_create_near(run, where, NULL, errors ? errors : &unwanted);
}

kane_modes *kane_steady_find_growing(kane_steady *s, kane_errors *errors)
{
    return kane_modes_create_growing(s->model, s->work, 0.0, s->y, s->vehicle, errors);
}

void kane_steady_free(kane_steady *s)
{
    if (!s)
        return;
    kane_work_free(s->work);
    kane_model_free(s->model);
    kane_track_free(s->track);
    kane_arena_free(s->arena);
}

const kane_model *kane_steady_model(const kane_steady *s)
{
    return s->model;
}

kane_work *kane_steady_work(kane_steady *s)
{
    return s->work;
}

const double *kane_steady_state(const kane_steady *s)
{
    return s->y;
}

const kane_equilibrium *kane_steady_equilibrium(const kane_steady *s)
{
    return &s->equilibrium;
}

int kane_steady_rate_count(const kane_steady *steady)
{
    return steady->rate_count;
}

const kane_steady_rate *kane_steady_get_rate(const kane_steady *steady, int i)
{
    return &steady->rates[i];
}

int kane_steady_is_refined(const kane_steady *steady)
{
    return steady->is_refined;
}
