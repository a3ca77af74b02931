// SPDX-License-Identifier: MIT
// Model, simulation and channels of a run.

#include <kane/state.h>

#include "base/arena.h"
#include "base/text.h"
#include "run/setup.h"

#include <math.h>
#include <stdio.h>

static kane_channels *choose_channels(const kane_setup *stage, const kane_run_definition *run, int pattern_count,
                                      const char *const *patterns, const kane_place *places, kane_errors *errors)
{
    const kane_place nowhere = {"", 0, 0, ""};
    const int ahead          = run->track ? 2 : 1;
    const char **all         = kane_allocate((size_t)(ahead + pattern_count), sizeof *all);
    kane_place *typed        = kane_allocate((size_t)(ahead + pattern_count), sizeof *typed);
    kane_channels *channels  = NULL;
    if (all && typed) {
        all[0]         = "time";
        all[ahead - 1] = run->track ? "distance" : "time";
        typed[0] = typed[ahead - 1] = nowhere;
        for (int i = 0; i < pattern_count; i++) {
            all[ahead + i]   = patterns[i];
            typed[ahead + i] = places ? places[i] : nowhere;
        }
        channels = kane_channels_create(stage->simulation, ahead + pattern_count, all, typed, errors);
    } else {
        (void)kane_no_memory(errors);
    }
    kane_release(all);
    kane_release(typed);
    return channels;
}

// From the state of another run, if this one does.
static int resume_state(const kane_setup *stage, const kane_run_definition *run, kane_errors *errors)
{
    if (!run->from_state)
        return 1;
    kane_state *state = kane_state_read(run->from_state, stage->model, errors);
    const int good    = state && kane_simulation_resume(stage->simulation, state, errors) == KANE_OK;
    kane_state_free(state);
    return good;
}

kane_status kane_setup_save(const kane_setup *stage, const kane_run_definition *run, kane_errors *errors)
{
    if (!run->save_state)
        return KANE_OK;
    kane_state *state        = kane_simulation_get_state(stage->simulation, errors);
    const kane_status status = state ? kane_state_write(run->save_state, stage->model, state, errors) : KANE_NO_MEMORY;
    kane_state_free(state);
    return status;
}

int kane_setup_open(kane_setup *stage, const kane_run_definition *run, int pattern_count, const char *const *patterns,
                    const kane_place *places, kane_errors *errors)
{
    *stage       = (kane_setup){.row = NULL};
    stage->model = kane_model_create(run->vehicle, run->track, &run->drive, &run->model, errors);
    if (stage->model)
        stage->simulation = kane_simulation_create(stage->model, &run->settings, &run->conditions, errors);
    if (stage->simulation && !run->from_state)
        (void)kane_simulation_start_is_rough(stage->simulation, sizeof stage->rough, stage->rough);
    if (stage->simulation && resume_state(stage, run, errors))
        stage->channels = choose_channels(stage, run, pattern_count, patterns, places, errors);
    if (stage->channels)
        stage->row = kane_allocate((size_t)kane_channels_count(stage->channels), sizeof *stage->row);
    if (stage->channels && !stage->row)
        (void)kane_no_memory(errors);
    return stage->row != NULL;
}

void kane_setup_close(kane_setup *stage)
{
    kane_release(stage->row);
    kane_channels_free(stage->channels);
    kane_simulation_free(stage->simulation);
    kane_model_free(stage->model);
    *stage = (kane_setup){.row = NULL};
}

kane_status kane_setup_read(const kane_setup *stage, kane_errors *errors)
{
    const kane_status status = kane_channels_read(stage->channels, stage->simulation, stage->row);
    if (status != KANE_OK)
        kane_work_fault(stage->model, kane_simulation_work(stage->simulation), errors);
    return status > 0 ? KANE_NOT_SOLVED : status;
}

double kane_setup_distance(const kane_setup *stage, const kane_run_definition *run)
{
    double s, v, a;
    if (!run->track)
        return 0.0;
    kane_get_travel(kane_simulation_work(stage->simulation), &s, &v, &a);
    return s - run->drive.start;
}

// What a user needs to know to judge whether a derailment is one of the vehicle or of the integration: the coarsest
// tolerances keep the error of a step to a few times themselves.
static void format_derailment_detail(const kane_run_definition *run, kane_outcome *o)
{
    const kane_statistics *s = &o->statistics;
    kane_text text           = kane_text_start(sizeof o->detail, o->detail);
    o->detail[0]             = '\0';
    if (!kane_stop_is_derailment(o->stop))
        return;
    if (!isfinite(s->last_error)) {
        kane_text_add(
            &text,
            "the last step was %.3g ms long, of order %d, without an estimate of its error: try shorter ones to see "
            "whether they derail too",
            1e3 * s->last_step, s->last_order);
        return;
    }
    kane_text_add(&text,
                  "the last step was %.3g ms long, of order %d; its estimated error is %.2g of the tolerances, up to "
                  "%.2g mm in the place of a wheelset",
                  1e3 * s->last_step, s->last_order, s->last_error, 1e3 * s->last_wheel_error);
    if (s->last_wheel_error > 10.0 * kane_settings_coarsest(run->vehicle).position)
        kane_text_add(&text, ": so much may have lifted it; try finer tolerances");
}

void kane_setup_format(const kane_setup *stage, const kane_run_definition *run, kane_outcome *outcome)
{
    const char *why;
    outcome->stop     = kane_simulation_stop(stage->simulation);
    outcome->start    = kane_simulation_began(stage->simulation, &why);
    outcome->time     = kane_simulation_time(stage->simulation);
    outcome->distance = kane_setup_distance(stage, run);
    kane_simulation_statistics(stage->simulation, &outcome->statistics);
    (void)snprintf(outcome->unbalanced, sizeof outcome->unbalanced, "%s", why);
    (void)snprintf(outcome->rough, sizeof outcome->rough, "%s", stage->rough);
    (void)snprintf(outcome->subject, sizeof outcome->subject, "%s", kane_simulation_stop_subject(stage->simulation));
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        outcome->omitted_impulse[kind] =
            kane_get_omitted_impulse(stage->model, kane_simulation_work(stage->simulation), (kane_wrench_kind)kind,
                                     sizeof outcome->omitted_term[kind], outcome->omitted_term[kind]);
    format_derailment_detail(run, outcome);
}

// === Going through a simulation row by row.

kane_status kane_rows_run(kane_simulation *simulation, double every, kane_status (*row)(void *data), void *data,
                          kane_errors *errors)
{
    kane_status status = row(data);
    long i             = (long)floor(kane_simulation_time(simulation) / every); // of a state that it goes on from
    while ((double)i * every <= kane_simulation_time(simulation))
        i++;
    for (; status == KANE_OK && kane_simulation_stop(simulation) == KANE_STOP_NONE; i++) {
        const double before     = kane_simulation_time(simulation);
        status                  = kane_simulation_advance(simulation, (double)i * every, errors);
        const kane_status wrote = kane_simulation_time(simulation) > before ? row(data) : KANE_OK;
        if (status == KANE_OK)
            status = wrote;
    }
    return status;
}
