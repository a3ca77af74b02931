// SPDX-License-Identifier: MIT
// A vehicle at constant speed, simulated until its motion is periodic, has died or has derailed.

#include "stability/cycle.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/number.h"
#include "model/model.h"
#include "results/table.h"

#include <kane/steady.h>

#include <math.h>
#include <stdio.h>

// A stretch of cycles, before their frequency is known and whatever it is [s].
static const double first_stretch = 2.0, shortest_stretch = 1.0, longest_stretch = 20.0;

struct kane_cycle {
    kane_arena *arena;
    const kane_critical_study *study;
    double speed;
    kane_steady *steady;
    kane_simulation *simulation;
    double *y; // where motion begins
    int wheelset_count;
    int watched_count;
    const int *body; // [watched_count], wheelsets first, then all others but panels of track
    kane_settling settling;
    double *samples; // [watched_count][sample_most]
    int sample_most;
    int last_count; // samples of the last stretch
};

static const int *list_bodies(kane_cycle *c)
{
    const kane_model *model = kane_steady_model(c->steady);
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
    c->body            = list_bodies(c);
    const size_t count = (size_t)c->watched_count;
    c->sample_most     = (int)ceil(longest_stretch / c->study->rules.sample) + 1;
    c->samples         = kane_arena_alloc(c->arena, count * (size_t)c->sample_most + 1, sizeof *c->samples);
    c->y = kane_arena_alloc(c->arena, (size_t)kane_model_state_count(kane_steady_model(c->steady)), sizeof *c->y);
    c->settling.coordinates = c->wheelset_count;
    c->settling.watched     = c->watched_count;
    for (int i = 0; i < KANE_SETTLING_STRETCHES; i++)
        c->settling.stretch[i] = kane_arena_alloc(c->arena, count + 1, sizeof *c->settling.stretch[i]);
    return !kane_arena_failed(c->arena);
}

static int create_steady_motion(kane_cycle *c, kane_errors *errors)
{
    const kane_critical_study *study   = c->study;
    const kane_steady_definition where = {c->speed, study->curvature, study->superelevation, 0};
    const kane_conditions conditions   = {.lift = study->run->conditions.lift};
    kane_settings settings             = study->run->settings;
    settings.energy                    = 0;
    c->steady                          = kane_steady_create(study->run, &where, errors);
    if (!c->steady)
        return 0;
    if (!make_room(c)) {
        (void)kane_no_memory(errors);
        return 0;
    }
    c->simulation = kane_simulation_create(kane_steady_model(c->steady), &settings, &conditions, errors);
    return c->simulation != NULL;
}

kane_cycle *kane_cycle_create(const kane_critical_study *study, double speed, kane_errors *errors)
{
    kane_arena *arena = kane_arena_create();
    kane_cycle *c     = arena ? kane_arena_alloc(arena, 1, sizeof *c) : NULL;
    if (!c) {
        (void)kane_no_memory(errors);
        kane_arena_free(arena);
        return NULL;
    }
    c->arena = arena;
    c->study = study;
    c->speed = speed;
    if (create_steady_motion(c, errors))
        return c;
    kane_cycle_free(c);
    return NULL;
}

void kane_cycle_free(kane_cycle *c)
{
    if (!c)
        return;
    kane_simulation_free(c->simulation);
    kane_steady_free(c->steady);
    kane_arena_free(c->arena);
}

kane_status kane_cycle_start(kane_cycle *c, const kane_beginning *begin, kane_errors *errors)
{
    const int states   = kane_model_state_count(kane_steady_model(c->steady));
    const double *rest = kane_steady_state(c->steady);
    kane_status status = KANE_OK;
    for (int i = 0; i < states; i++)
        c->y[i] = rest[i] + (begin->from ? begin->part * begin->from[i] : 0.0);
    if (begin->amount != 0.0)
        status = kane_set_perturbed(c->steady, begin->way, begin->amount, c->y, errors);
    return status == KANE_OK ? kane_simulation_start_from(c->simulation, 0.0, c->y, errors) : status;
}

// y of body i of the list [m], relative to its track frame, at the simulation's time.
static double lateral_displacement(kane_cycle *c, int i)
{
    const kane_body *body = &kane_steady_model(c->steady)->bodies[c->body[i]];
    double q[6], rates[6];
    if (body->is_free_body && body->frame == body->track_frame)
        return kane_simulation_state(c->simulation)[body->q + KANE_Y];
    kane_get_relative(kane_steady_model(c->steady), kane_simulation_work(c->simulation), c->body[i], q, rates);
    return q[KANE_Y];
}

// Samples `count` times from `begin` [s] on, or until it derails, and measures every body.
static kane_status sample_stretch(kane_cycle *c, double begin, int count, kane_errors *errors)
{
    const double step  = c->study->rules.sample;
    kane_status status = KANE_OK;
    int n              = 0;
    while (n < count && status == KANE_OK && kane_simulation_stop(c->simulation) == KANE_STOP_NONE) {
        for (int w = 0; w < c->watched_count; w++)
            c->samples[(size_t)w * (size_t)c->sample_most + (size_t)n] = lateral_displacement(c, w);
        n++;
        status = kane_simulation_advance(c->simulation, begin + n * step, errors);
    }
    c->last_count             = n;
    kane_oscillation *stretch = kane_settling_next(&c->settling);
    for (int w = 0; w < c->watched_count; w++)
        stretch[w] = kane_oscillation_measure(n, c->samples + (size_t)w * (size_t)c->sample_most, step);
    return status;
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

static void fill_point(const kane_cycle *c, kane_critical_point *point, kane_critical_swing *swing)
{
    const kane_settling *s = &c->settling;
    for (int w = 0; w < c->wheelset_count; w++) {
        kane_oscillation o = s->stretch[0][w];
        if (point->motion != KANE_MOTION_SETTLED && point->motion != KANE_MOTION_DERAILED)
            kane_settling_widen(s, w, &o);
        swing[w] = (kane_critical_swing){.amplitude = o.amplitude,
                                         .least     = o.least,
                                         .most      = o.most,
                                         .level     = o.level,
                                         .farthest  = o.farthest,
                                         .frequency = o.frequency};
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
    int count                        = (int)(first_stretch / rules->sample);
    long samples                     = 0;
    *point                           = (kane_critical_point){.motion = KANE_MOTION_OPEN};
    kane_settling_start(&c->settling);
    while (status == KANE_OK && point->motion == KANE_MOTION_OPEN &&
           is_worth_waiting(c, (double)samples * rules->sample)) {
        status = sample_stretch(c, (double)samples * rules->sample, count, errors);
        samples += count;
        const kane_oscillation *largest = &c->settling.stretch[0][kane_settling_largest(&c->settling)];
        const kane_stop stop            = kane_simulation_stop(c->simulation);
        point->cycles += largest->cycles;
        point->motion = kane_stop_is_derailment(stop) ? KANE_MOTION_DERAILED : kane_settling_judge(&c->settling, rules);
        if (stop != KANE_STOP_NONE)
            break;
        count = next_stretch(c, count);
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
    const kane_model *model = kane_steady_model(c->steady);
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

int kane_cycle_wheelset_count(const kane_cycle *c)
{
    return c->wheelset_count;
}

const char *kane_cycle_wheelset(const kane_cycle *c, int wheelset)
{
    return kane_steady_model(c->steady)->bodies[c->body[wheelset]].name;
}

const kane_model *kane_cycle_model(const kane_cycle *c)
{
    return kane_steady_model(c->steady);
}

const double *kane_cycle_state(const kane_cycle *c)
{
    return kane_simulation_state(c->simulation);
}

void kane_cycle_deviation(const kane_cycle *c, double *deviation)
{
    const double *y = kane_simulation_state(c->simulation), *rest = kane_steady_state(c->steady);
    for (int i = 0; i < kane_model_state_count(kane_steady_model(c->steady)); i++)
        deviation[i] = y[i] - rest[i];
}
