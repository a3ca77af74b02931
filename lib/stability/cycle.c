// SPDX-License-Identifier: MIT
// A vehicle at constant speed, simulated until its motion is periodic, has died or has derailed.

#include "stability/cycle.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/number.h"
#include "model/model.h"
#include "results/table.h"
#include "simulate/equilibrium.h"

#include <kane/steady.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// A stretch of cycles, before their frequency is known and whatever it is [s].
static const double first_stretch = 2.0, shortest_stretch = 1.0, longest_stretch = 20.0;

struct kane_cycle {
    kane_arena *arena;
    const kane_critical_study *study;
    double speed;
    kane_steady *steady; // NULL: on the run's line
    kane_model *line_model;
    const kane_model *model; // one of both
    const double *rest;      // its state in equilibrium; NULL: on the run's line
    kane_simulation *simulation;
    double *y; // where motion begins
    int wheelset_count;
    int watched_count;
    const int *body; // [watched_count], wheelsets first, then all others but panels of track
    kane_settling settling;
    double *samples; // [watched_count][sample_most]
    int sample_most;
    long sampled;   // so far
    int count;      // samples of the next stretch
    int last_count; // of the last one
};

static const int *list_bodies(kane_cycle *c)
{
    const kane_model *model = c->model;
    int *body               = kane_arena_alloc(c->arena, (size_t)model->body_count + 1, sizeof *body);
    for (int i = 0; body && i < model->wheels_count; i++)
        body[i] = model->wheels[i].body;
    c->wheelset_count = c->watched_count = model->wheels_count;
    for (int j = 0; body && j < model->body_count; j++)
        if (model->bodies[j].wheels < 0 && !model->bodies[j].panel)
            body[c->watched_count++] = j;
    return body;
}

static int make_room(kane_cycle *c)
{
    c->body                 = list_bodies(c);
    const size_t count      = (size_t)c->watched_count;
    c->sample_most          = (int)ceil(longest_stretch / c->study->rules.sample) + 1;
    c->samples              = kane_arena_alloc(c->arena, count * (size_t)c->sample_most + 1, sizeof *c->samples);
    c->y                    = kane_arena_alloc(c->arena, (size_t)kane_model_state_count(c->model), sizeof *c->y);
    c->settling.coordinates = c->wheelset_count;
    c->settling.watched     = c->watched_count;
    for (int i = 0; i < KANE_SETTLING_STRETCHES; i++)
        c->settling.stretch[i] = kane_arena_alloc(c->arena, count + 1, sizeof *c->settling.stretch[i]);
    return !kane_arena_failed(c->arena);
}

static int create_simulation(kane_cycle *c, kane_settings *settings, const kane_conditions *conditions,
                             kane_errors *errors)
{
    settings->energy = 0;
    if (make_room(c))
        c->simulation = kane_simulation_create(c->model, settings, conditions, errors);
    else
        (void)kane_no_memory(errors);
    return c->simulation != NULL;
}

static int create_steady_motion(kane_cycle *c, kane_errors *errors)
{
    const kane_critical_study *study   = c->study;
    const kane_steady_definition where = {c->speed, study->curvature, study->superelevation, 0};
    const kane_conditions conditions   = {.lift = study->run->conditions.lift};
    kane_settings settings             = study->run->settings;
    c->steady                          = kane_steady_create(study->run, &where, errors);
    if (!c->steady)
        return 0;
    c->model = kane_steady_model(c->steady);
    c->rest  = kane_steady_state(c->steady);
    return create_simulation(c, &settings, &conditions, errors);
}

// The run's own line and drive. Forces of a drive need not balance where it starts; but the line must be that of the
// equilibrium whose motion goes on here.
static int create_run_motion(kane_cycle *c, const kane_settings *asked, kane_errors *errors)
{
    const kane_run_definition *run = c->study->run;
    kane_model_options options     = run->model;
    kane_settings settings         = *asked;
    options.formulation            = KANE_MOVING;
    settings.settle                = run->drive.kind != KANE_DRIVE_DRIVEN;
    c->line_model                  = kane_model_create(run->vehicle, run->track, &run->drive, &options, errors);
    c->model                       = c->line_model;
    if (!c->model || !create_simulation(c, &settings, &run->conditions, errors))
        return 0;
    if (kane_simulation_began(c->simulation, NULL) != KANE_START_STATIC)
        return 1;
    kane_errors_add(errors, KANE_BAD_INPUT,
                    "the line changes under the vehicle where the run starts; start on a straight or in a curve");
    return 0;
}

static kane_cycle *create_cycle(const kane_critical_study *study, double speed, const kane_settings *on_line,
                                kane_errors *errors)
{
    kane_arena *arena;
    kane_cycle *c = kane_arena_object(&arena, sizeof *c, errors);
    if (!c)
        return NULL;
    c->arena = arena;
    c->study = study;
    c->speed = speed;
    if (on_line ? create_run_motion(c, on_line, errors) : create_steady_motion(c, errors))
        return c;
    kane_cycle_free(c);
    return NULL;
}

kane_cycle *kane_cycle_create(const kane_critical_study *study, double speed, kane_errors *errors)
{
    return create_cycle(study, speed, NULL, errors);
}

kane_cycle *kane_cycle_create_on_line(const kane_critical_study *study, const kane_settings *settings,
                                      kane_errors *errors)
{
    return create_cycle(study, study->run->drive.speed, settings, errors);
}

void kane_cycle_free(kane_cycle *c)
{
    if (!c)
        return;
    kane_simulation_free(c->simulation);
    kane_steady_free(c->steady);
    kane_model_free(c->line_model);
    kane_arena_free(c->arena);
}

kane_status kane_cycle_start(kane_cycle *c, const kane_beginning *begin, kane_errors *errors)
{
    const int states   = kane_model_state_count(c->model);
    const double *rest = begin->cycle ? kane_simulation_state(c->simulation) : c->rest;
    kane_status status = KANE_OK;
    for (int i = 0; i < states; i++)
        c->y[i] = rest[i] + (begin->from ? begin->part * begin->from[i] : 0.0);
    if (begin->cycle &&
        !kane_copy_states(begin->cycle->model, kane_simulation_state(begin->cycle->simulation), c->model, c->y))
        status = kane_no_memory(errors);
    if (begin->amount != 0.0)
        status = kane_set_perturbed(c->steady, begin->way, begin->amount, c->y, errors);
    return status == KANE_OK ? kane_simulation_start_from(c->simulation, 0.0, c->y, errors) : status;
}

// y of body i of the list [m], relative to its track frame, at the simulation's time.
static double lateral_displacement(kane_cycle *c, int i)
{
    const kane_body *body = &c->model->bodies[c->body[i]];
    double q[6], rates[6];
    if (body->is_free_body && body->frame == body->track_frame)
        return kane_simulation_state(c->simulation)[body->q + KANE_Y];
    kane_get_relative(c->model, kane_simulation_work(c->simulation), c->body[i], q, rates);
    return q[KANE_Y];
}

// Samples of the next stretch: rules->cycles + 1 periods, or twice the last one while no period is known.
static int next_stretch(const kane_cycle *c, int count)
{
    const kane_critical_rules *rules = &c->study->rules;
    const kane_oscillation *largest  = &c->settling.stretch[0][kane_settling_largest(&c->settling)];
    const double now                 = count * rules->sample;
    const double wanted              = largest->cycles > 0 ? (rules->cycles + 1) / largest->frequency : 2.0 * now;
    return (int)(fmin(fmax(wanted, shortest_stretch), longest_stretch) / rules->sample);
}

void kane_cycle_begin(kane_cycle *c)
{
    kane_settling_start(&c->settling);
    c->count   = (int)(first_stretch / c->study->rules.sample);
    c->sampled = 0;
}

int kane_cycle_is_whole(const kane_cycle *c)
{
    return kane_simulation_stop(c->simulation) == KANE_STOP_NONE;
}

kane_status kane_cycle_sample(kane_cycle *c, kane_errors *errors)
{
    const double step = c->study->rules.sample, begin = (double)c->sampled * step;
    kane_status status = KANE_OK;
    int n              = 0;
    while (n < c->count && status == KANE_OK && kane_simulation_stop(c->simulation) == KANE_STOP_NONE) {
        for (int w = 0; w < c->watched_count; w++)
            c->samples[(size_t)w * (size_t)c->sample_most + (size_t)n] = lateral_displacement(c, w);
        n++;
        status = kane_simulation_advance(c->simulation, begin + n * step, errors);
    }
    c->last_count             = n;
    kane_oscillation *stretch = kane_settling_next(&c->settling);
    for (int w = 0; w < c->watched_count; w++)
        stretch[w] = kane_oscillation_measure(n, c->samples + (size_t)w * (size_t)c->sample_most, step);
    c->sampled += c->count;
    c->count = next_stretch(c, c->count);
    return status;
}

static void fill_point(const kane_cycle *c, kane_critical_point *point, kane_critical_swing *swing)
{
    const kane_settling *s = &c->settling;
    for (int w = 0; w < c->wheelset_count; w++) {
        kane_oscillation o = s->stretch[0][w];
        if (point->motion != KANE_MOTION_SETTLED && point->motion != KANE_MOTION_DERAILED)
            kane_settling_widen(s, w, &o);
        swing[w] = kane_oscillation_swing(&o);
    }
    point->speed   = c->speed;
    point->largest = kane_settling_largest(s);
    point->swing   = swing;
    point->time    = kane_simulation_time(c->simulation);
    (void)snprintf(point->subject, sizeof point->subject, "%s", kane_simulation_stop_subject(c->simulation));
}

static int is_worth_waiting(const kane_cycle *c, double time)
{
    const kane_critical_rules *rules = &c->study->rules;
    return time < rules->patience ||
           (time < rules->drifting && kane_settling_drift(&c->settling, rules->tolerance) != KANE_MOTION_OPEN);
}

kane_status kane_cycle_run(kane_cycle *c, kane_critical_point *point, kane_critical_swing *swing,
                           kane_cycle_watch *watch, void *data, kane_errors *errors)
{
    const kane_critical_rules *rules = &c->study->rules;
    kane_status status               = KANE_OK;
    *point                           = (kane_critical_point){.motion = KANE_MOTION_OPEN};
    kane_cycle_begin(c);
    while (status == KANE_OK && point->motion == KANE_MOTION_OPEN &&
           is_worth_waiting(c, (double)c->sampled * rules->sample)) {
        status                          = kane_cycle_sample(c, errors);
        const kane_oscillation *largest = &c->settling.stretch[0][kane_settling_largest(&c->settling)];
        const kane_stop stop            = kane_simulation_stop(c->simulation);
        point->cycles += largest->cycles;
        point->motion = kane_stop_is_derailment(stop) ? KANE_MOTION_DERAILED : kane_settling_judge(&c->settling, rules);
        if (stop != KANE_STOP_NONE)
            break;
        if (status == KANE_OK && watch && watch(kane_simulation_time(c->simulation), largest->amplitude, data))
            status = KANE_INTERRUPTED;
    }
    if (point->motion == KANE_MOTION_OPEN)
        point->motion = kane_settling_drift(&c->settling, rules->tolerance);
    fill_point(c, point, swing);
    return status;
}

kane_status kane_cycle_write(const kane_cycle *c, const char *file, kane_errors *errors)
{
    const kane_model *model = c->model;
    kane_replacement r;
    kane_table t = kane_table_begin(kane_arena_create(), 1 + c->watched_count, c->last_count);
    t.has_nan    = 1;
    kane_table_add_columns(&t, 1, &(kane_table_column){.name = "time", .unit = "s"});
    for (int w = 0; w < c->watched_count; w++)
        kane_table_add_columns(
            &t, 1,
            &(kane_table_column){.name = kane_table_text(&t, "%s.y", model->bodies[c->body[w]].name), .unit = "m"});
    for (int n = 0; n < c->last_count; n++) {
        kane_table_put(&t, kane_cell_number(n * c->study->rules.sample));
        for (int w = 0; w < c->watched_count; w++)
            kane_table_put(&t, kane_cell_number(c->samples[(size_t)w * (size_t)c->sample_most + (size_t)n]));
    }
    kane_status status =
        t.arena && !kane_arena_failed(t.arena) ? kane_replacement_open(&r, file, errors) : kane_no_memory(errors);
    if (status == KANE_OK) {
        kane_table_write_csv(&t, r.file);
        status = kane_replacement_close(&r, errors);
    }
    kane_arena_free(t.arena);
    return status;
}

kane_simulation *kane_cycle_simulation(kane_cycle *c)
{
    return c->simulation;
}

kane_oscillation kane_cycle_part(const kane_cycle *c, int wheelset, int part, int parts)
{
    const int begin = c->last_count * part / parts, end = c->last_count * (part + 1) / parts;
    return kane_oscillation_measure(end - begin, c->samples + (size_t)wheelset * (size_t)c->sample_most + (size_t)begin,
                                    c->study->rules.sample);
}

const kane_settling *kane_cycle_settling(const kane_cycle *c)
{
    return &c->settling;
}

int kane_cycle_wheelset_count(const kane_cycle *c)
{
    return c->wheelset_count;
}

const char *kane_cycle_wheelset(const kane_cycle *c, int wheelset)
{
    return c->model->bodies[c->body[wheelset]].name;
}

const kane_model *kane_cycle_model(const kane_cycle *c)
{
    return c->model;
}

void kane_cycle_deviation(const kane_cycle *c, double *deviation)
{
    const double *y = kane_simulation_state(c->simulation);
    for (int i = 0; i < kane_model_state_count(c->model); i++)
        deviation[i] = y[i] - c->rest[i];
}
