// SPDX-License-Identifier: MIT
// Steady motion: the run's vehicle on a line that goes on for ever as it is.

#include <kane/steady.h>

#include "base/arena.h"

#include <math.h>

// The line reaches beyond the vehicle, and as far ahead as a run from there may want. Of a straight nothing grows with its
// length; cells of an arc stay few as long as its heading is known to the last digits.
static const double ROOM_BEHIND = 100.0; // [m]
static const double ROOM_AHEAD  = 2e5;   // [m] ...
static const double TURN_AHEAD  = 10.0;  // ... or so far round [rad]

struct kane_steady {
    kane_arena *arena;
    kane_track *track; // NULL: of a mechanism
    kane_model *model;
    kane_work *work;
    double *y;
    kane_equilibrium equilibrium;
    int is_refined;
};

// Where bodies lie along the vehicle, from the guide [m].
static void extent(const kane_vehicle_definition *vehicle, double *behind, double *ahead)
{
    *behind = *ahead = 0.0;
    for (int j = 0; j < vehicle->body_count; j++) {
        *behind = fmax(*behind, -vehicle->bodies[j].position.x);
        *ahead  = fmax(*ahead, vehicle->bodies[j].position.x);
    }
    *behind += *ahead; // wherever the guide is
    *ahead = *behind;
}

// The run's rails under one long straight or curve; `place`: the guide's, from its beginning.
static kane_track *lay(const kane_run_definition *run, const kane_steady_definition *where, double *place,
                       kane_errors *errors)
{
    const kane_track_definition *own = kane_track_get_definition(run->track);
    double behind, ahead;
    extent(run->vehicle, &behind, &ahead);
    const double curvature = where->curvature;
    const double room      = curvature != 0.0 ? fmin(ROOM_AHEAD, TURN_AHEAD / fabs(curvature)) : ROOM_AHEAD;
    *place                 = behind + ROOM_BEHIND;

    const kane_section_definition section = {.kind           = curvature != 0.0 ? KANE_CURVE : KANE_STRAIGHT,
                                             .length         = *place + ahead + room,
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

// The model that moves steadily: frames at constant speed, nothing drives; moving frames, for in others nothing rests. A
// mechanism is taken as it stands, in its frames.
static kane_model *compile(kane_steady *s, const kane_run_definition *run, const kane_steady_definition *where,
                           kane_errors *errors)
{
    kane_drive_definition drive     = kane_drive_definition_default();
    kane_model_options options      = run->model;
    options.formulation             = KANE_MOVING;
    kane_vehicle_definition vehicle = *run->vehicle;
    if (where->small_motions && !refine_creep(s, run->vehicle, &vehicle)) {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        return NULL;
    }
    if (!run->track)
        return kane_model_create(&vehicle, NULL, &run->drive, &options, errors);
    drive.speed       = where->speed;
    drive.input_count = run->drive.input_count; // what they begin with acts, such as a steady wind
    drive.inputs      = run->drive.inputs;
    s->track          = is_sensible(where, errors) ? lay(run, where, &drive.start, errors) : NULL;
    return s->track ? kane_model_create(&vehicle, s->track, &drive, &options, errors) : NULL;
}

static int find(kane_steady *s, kane_errors *errors)
{
    s->work = kane_work_create(s->model, errors);
    if (!s->work)
        return 0;
    const size_t states = (size_t)kane_model_state_count(s->model);
    double *ydot        = kane_arena_alloc(s->arena, states, sizeof *ydot);
    s->y                = kane_arena_alloc(s->arena, states, sizeof *s->y);
    if (!s->y || !ydot) {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        return 0;
    }
    kane_work_freeze(s->work, 1);
    if (kane_initial_state(s->model, s->work, s->y, errors) != KANE_OK ||
        kane_equilibrium_solve(s->model, s->work, s->y, &s->equilibrium, errors) != KANE_OK)
        return 0;
    if (kane_eval(s->model, s->work, 0.0, s->y, ydot) != KANE_OK) {
        kane_work_fault(s->model, s->work, errors);
        return 0;
    }
    kane_observe(s->model, s->work);
    return 1;
}

kane_steady *kane_steady_create(const kane_run_definition *run, const kane_steady_definition *where,
                                kane_errors *errors)
{
    kane_errors nobody = {.limit = 1};
    kane_errors *kept  = errors ? errors : &nobody;
    kane_arena *arena  = kane_arena_create();
    kane_steady *s     = arena ? kane_arena_alloc(arena, 1, sizeof *s) : NULL;
    if (!s) {
        kane_errors_add(kept, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        kane_arena_free(arena);
        return NULL;
    }
    s->arena = arena;
    s->model = compile(s, run, where, kept);
    if (s->model && find(s, kept))
        return s;
    kane_steady_free(s);
    return NULL;
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

int kane_steady_is_refined(const kane_steady *steady)
{
    return steady->is_refined;
}
