// SPDX-License-Identifier: MIT
// Manifest and status files of a run.

#include "run/setup.h"

#include <kane/integrator.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "base/machine.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int is_same_vehicle(const kane_body_definition *a, const kane_body_definition *b)
{
    return a->vehicle && b->vehicle ? strcmp(a->vehicle, b->vehicle) == 0 : a->vehicle == b->vehicle;
}

// Bodies without wheels that have at least a third of the mass of their vehicle's heaviest body: frames of bogies have
// less, sections of articulated vehicles more.
static void write_car_bodies(kane_writer *w, const kane_vehicle_definition *vehicle)
{
    const kane_body_definition *body = vehicle->bodies;
    kane_writer_open(w, "car_bodies", '[');
    for (int begin = 0, end; begin < vehicle->body_count; begin = end) {
        double heaviest = 0.0;
        for (end = begin; end < vehicle->body_count && is_same_vehicle(&body[begin], &body[end]); end++)
            heaviest = fmax(heaviest, body[end].mass);
        for (int j = begin; j < end; j++)
            if (!body[j].wheels && 3.0 * body[j].mass >= heaviest)
                kane_writer_text(w, NULL, body[j].block.name);
    }
    kane_writer_close(w);
}

static const kane_body_definition *body_named(const kane_vehicle_definition *vehicle, const char *name)
{
    for (int j = 0; name && j < vehicle->body_count; j++)
        if (strcmp(vehicle->bodies[j].block.name, name) == 0)
            return &vehicle->bodies[j];
    return NULL;
}

// Bodies without wheels that a joint holds on a wheelset and that are lighter than it: frames of bogies are heavier.
static void write_axle_boxes(kane_writer *w, const kane_vehicle_definition *vehicle)
{
    kane_writer_open(w, "axle_boxes", '[');
    for (int j = 0; j < vehicle->body_count; j++) {
        const kane_body_definition *body   = &vehicle->bodies[j];
        const kane_body_definition *holder = body->joint ? body_named(vehicle, body->joint->parent) : NULL;
        if (!body->wheels && holder && holder->wheels && body->mass < holder->mass)
            kane_writer_text(w, NULL, body->block.name);
    }
    kane_writer_close(w);
}

// What an evaluation of the results must know of the vehicle: its wheelsets with the static loads of their wheels, its
// accelerometers and the bodies that limits of accelerations are for.
static void write_measured(kane_writer *w, const kane_run_definition *run, const kane_model *model)
{
    kane_writer_open(w, "wheelsets", '[');
    for (int j = 0; j < run->vehicle->body_count; j++) {
        double load[2];
        if (kane_model_wheel_load(model, j, load) != KANE_OK)
            continue;
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "name", kane_model_body_name(model, j));
        kane_write_numbers(w, "static_load", 2, load);
        kane_writer_close(w);
    }
    kane_writer_close(w);
    kane_writer_open(w, "sensors", '[');
    for (int i = 0; i < run->vehicle->sensor_count; i++) {
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "name", run->vehicle->sensors[i].block.name);
        kane_writer_text(w, "on", run->vehicle->sensors[i].on);
        kane_writer_close(w);
    }
    kane_writer_close(w);
    write_car_bodies(w, run->vehicle);
    write_axle_boxes(w, run->vehicle);
}

// What it starts in; why it is no equilibrium where it would be one if there were one.
static void write_start(kane_writer *w, const kane_run_definition *run, const kane_simulation *simulation)
{
    const char *why;
    const kane_start_kind start = kane_simulation_began(simulation, &why);
    kane_writer_open(w, "start", '{');
    kane_writer_text(w, "in",
                     run->from_state                   ? "state"
                     : start == KANE_START_EQUILIBRIUM ? "equilibrium"
                                                       : "static position");
    if (run->from_state)
        kane_writer_text(w, "file", run->from_state);
    if (start == KANE_START_UNBALANCED)
        kane_writer_text(w, "why", why);
    kane_writer_close(w);
}

static void write_settings(kane_writer *w, const kane_settings *s, const char *reason)
{
    const kane_integrator *integrator = kane_settings_integrator(s);
    kane_writer_open(w, "integrator", '{');
    kane_writer_text(w, "method", integrator->name);
    if (reason)
        kane_writer_text(w, "default_for", reason);
    if (integrator->fixed_step) {
        kane_writer_number(w, "step", s->step);
        if (s->rods.inertia != KANE_RODS_EXACT) {
            kane_writer_open(w, "rods", '{');
            kane_writer_text(w, "inertia", kane_rod_inertia_names[s->rods.inertia]);
            kane_writer_text(w, "extrapolation", kane_extrapolation_names[s->rods.extrapolation]);
            kane_writer_close(w);
        }
        if (s->normal_forces != KANE_NORMAL_FORCES_COUPLED) {
            kane_writer_text(w, "normal_forces", kane_normal_forces_names[s->normal_forces]);
            kane_writer_text(w, "for_comparison", "an error of first order in the step");
        }
        if (integrator->keeps_jacobian && s->jacobian_every > 0)
            kane_writer_count(w, "jacobian_interval", s->jacobian_every);
        kane_writer_close(w);
        return;
    }
    kane_writer_count(w, "order", s->order);
    kane_writer_number(w, "rtol", s->relative);
    kane_writer_number(w, "atol_position", s->position);
    kane_writer_number(w, "atol_angle", s->angle);
    kane_writer_number(w, "atol_velocity", s->speed);
    kane_writer_number(w, "atol_angular_velocity", s->turning);
    kane_writer_close(w);
}

static void write_statistics(kane_writer *w, const kane_statistics *s)
{
    kane_writer_open(w, "statistics", '{');
    kane_writer_count(w, "steps", s->steps);
    kane_writer_count(w, "evaluations", s->evaluations);
    kane_writer_count(w, "jacobians", s->jacobians);
    kane_writer_count(w, "factorisations", s->factorisations);
    kane_writer_count(w, "newton_iterations", s->newton_iterations);
    kane_writer_count(w, "error_test_failures", s->error_test_failures);
    kane_writer_count(w, "newton_failures", s->newton_failures);
    kane_writer_count(w, "restarts", s->restarts);
    kane_writer_number(w, "last_step", s->last_step);
    kane_writer_count(w, "last_order", s->last_order);
    kane_writer_number(w, "last_error", s->last_error);
    kane_writer_number(w, "last_wheel_error", s->last_wheel_error);
    kane_writer_close(w);
}

// "done": a condition of the run; "stopped": something that happened to it.
static const char *state_of(const kane_outcome *o)
{
    if (!o)
        return "running";
    if (o->status == KANE_INTERRUPTED)
        return "interrupted";
    if (o->status != KANE_OK)
        return "failed";
    return kane_stop_is_derailment(o->stop) ? "stopped" : "done";
}

// Modes that grow, and stretches without an equilibrium.
static void write_growth(kane_writer *w, const kane_growth *growth)
{
    kane_writer_open(w, "growing_modes", '{');
    kane_writer_count(w, "checked", growth->checked);
    kane_writer_count(w, "found", growth->count);
    kane_writer_number(w, "damped_from", growth->damped_from);
    kane_writer_open(w, "stretches", '[');
    for (int i = 0; i < growth->count && i < KANE_GROWING_MOST; i++) {
        const kane_growing *g = &growth->stretch[i];
        kane_writer_open(w, NULL, '{');
        kane_writer_number(w, "from", g->from);
        kane_writer_number(w, "to", g->to);
        kane_writer_number(w, "speed", g->speed);
        kane_writer_number(w, "curvature", g->curvature);
        kane_writer_number(w, "superelevation", g->superelevation);
        kane_writer_count(w, "modes", g->modes);
        if (g->modes > 0) {
            kane_writer_text(w, "name", g->name);
            kane_writer_text(w, "body", g->body);
            kane_writer_number(w, "frequency", g->frequency);
            kane_writer_number(w, "growth", g->growth);
            kane_writer_number(w, "step", g->step);
            kane_writer_number(w, "integrated_growth", g->integrated);
            kane_writer_number(w, "max_step", g->longest);
        }
        kane_writer_text(w, "text", g->text);
        kane_writer_close(w);
    }
    kane_writer_close(w);
    kane_writer_close(w);
}

static void write_end(kane_writer *w, const kane_outcome *o)
{
    kane_writer_text(w, "state", state_of(o));
    if (!o)
        return;
    kane_writer_text(w, "end", o->status == KANE_OK ? kane_stop_name(o->stop) : kane_status_text(o->status));
    kane_writer_text(w, "subject", o->subject);
    if (o->detail[0])
        kane_writer_text(w, "detail", o->detail);
    if (o->confirmed != KANE_NOT_TRIED)
        kane_writer_switch(w, "confirmed", o->confirmed == KANE_CONFIRMED);
    kane_writer_number(w, "time", o->time);
    kane_writer_number(w, "distance", o->distance);
    kane_writer_count(w, "rows", o->rows);
    if (o->growth.checked > 0)
        write_growth(w, &o->growth);
}

// What the last digits depend on beside the input.
static void write_machine(kane_writer *w)
{
    const kane_machine machine = kane_machine_read();
    kane_writer_open(w, "machine", '{');
    kane_writer_text(w, "compiler", machine.compiler);
    kane_writer_text(w, "libc", machine.libc);
    kane_writer_text(w, "processor", machine.processor);
    kane_writer_close(w);
}

static void write_run(kane_writer *w, const kane_manifest *m, const kane_outcome *outcome)
{
    const kane_run_definition *run = m->run;
    kane_writer_document(w, "manifest 1");
    write_machine(w);
    if (m->key[0])
        kane_writer_text(w, "key", m->key);
    kane_writer_open(w, "input", '{');
    kane_inputs_write(m->inputs, w);
    if (run->variant)
        kane_writer_text(w, "variant", run->variant);
    kane_writer_row(w, "changes");
    for (int i = 0; run->changes && run->changes[i]; i++)
        kane_writer_text(w, NULL, run->changes[i]);
    kane_writer_close(w);
    kane_writer_close(w);
    kane_writer_text(w, "formulation", run->model.formulation == KANE_MOVING ? "moving" : "fixed");
    kane_writer_text(w, "constraints", run->model.form == KANE_FORM_COEFFICIENTS ? "coefficients" : "multipliers");
    kane_writer_row(w, "omitted");
    for (int i = 0; i < run->model.omission_count; i++)
        kane_writer_text(w, NULL, run->model.omissions[i].text);
    kane_writer_close(w);
    kane_writer_count(w, "states", kane_model_state_count(m->stage->model));
    write_start(w, run, m->stage->simulation);
    write_measured(w, run, m->stage->model);
    write_settings(w, &run->settings, run->method_reason);
    write_end(w, outcome);
    if (outcome)
        write_statistics(w, &outcome->statistics);
    kane_writer_close(w);
}

char *kane_manifest_text(const kane_manifest *m, const kane_outcome *outcome)
{
    char *text  = NULL;
    size_t size = 0;
    FILE *file  = open_memstream(&text, &size);
    if (!file)
        return NULL;
    kane_writer w = kane_writer_start(file);
    write_run(&w, m, outcome);
    const kane_status status = kane_writer_end(&w);
    if (fclose(file) != 0 || status != KANE_OK) {
        free(text);
        return NULL;
    }
    return text;
}

kane_status kane_manifest_begin(kane_manifest *m, const kane_run_definition *run, const kane_setup *stage,
                                kane_errors *errors)
{
    *m = (kane_manifest){.run = run, .stage = stage, .inputs = kane_inputs_take(run, errors)};
    return m->inputs ? KANE_OK : KANE_NO_MEMORY;
}

void kane_manifest_free(kane_manifest *m)
{
    kane_inputs_free(m->inputs);
    m->inputs = NULL;
}

kane_status kane_manifest_make_key(kane_manifest *m, kane_errors *errors)
{
    const kane_claimant me = kane_claimant_now();
    struct timespec now    = {0};
    char start[256];
    char *text = kane_manifest_text(m, NULL);
    if (!text)
        return kane_no_memory(errors);
    (void)clock_gettime(CLOCK_REALTIME, &now);
    // of two that begin in one process at one moment the addresses differ
    const int length    = snprintf(start, sizeof start, "%ld %s %s %ld %p", me.process, me.host, me.when,
                                   (long)now.tv_nsec, (const void *)m->stage->model);
    const uint64_t seed = kane_hash_text(start, (size_t)length, 0);
    (void)snprintf(m->key, sizeof m->key, "%016" PRIx64, kane_hash_text(text, strlen(text), seed));
    free(text);
    return KANE_OK;
}

// --- files ---

// A file of the directory, to be replaced.
static kane_status open_file(kane_replacement *file, const char *directory, const char *name, kane_errors *errors)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    return kane_replacement_open(file, path, errors);
}

kane_status kane_manifest_write(const char *directory, const char *text, kane_errors *errors)
{
    kane_replacement file;
    if (!text)
        return kane_no_memory(errors);
    const kane_status status = open_file(&file, directory, "manifest.json", errors);
    if (status != KANE_OK)
        return status;
    (void)fputs(text, file.file); // what cannot be written is reported at the end
    return kane_replacement_close(&file, errors);
}

static void write_errors(kane_writer *w, const kane_errors *why)
{
    char text[1200];
    kane_writer_open(w, "errors", '[');
    for (int i = 0; why && i < why->kept; i++) {
        (void)kane_error_format(kane_errors_get(why, i), sizeof text, text);
        kane_writer_text(w, NULL, text);
    }
    kane_writer_close(w);
}

kane_status kane_status_write(const char *directory, const char *key, const kane_outcome *outcome,
                              const kane_errors *why, kane_errors *errors)
{
    kane_replacement file;
    const kane_status status = open_file(&file, directory, "status.json", errors);
    if (status != KANE_OK)
        return status;
    kane_writer w = kane_writer_start(file.file);
    kane_writer_open(&w, NULL, '{');
    kane_writer_text(&w, "key", key);
    write_end(&w, outcome);
    if (outcome)
        kane_writer_number(&w, "wall", outcome->wall);
    if (outcome && outcome->lateness.rows > 0) {
        kane_writer_open(&w, "lateness", '{');
        kane_writer_number(&w, "median", outcome->lateness.median);
        kane_writer_number(&w, "worst", outcome->lateness.worst);
        kane_writer_count(&w, "missed", (int)outcome->lateness.missed);
        kane_writer_count(&w, "rows", (int)outcome->lateness.rows);
        kane_writer_close(&w);
    }
    write_errors(&w, why);
    kane_writer_close(&w);
    (void)kane_writer_end(&w);
    return kane_replacement_close(&file, errors);
}

// --- the end of an earlier start ---

static const char KEY[] = "\n  \"key\": \"", STATE[] = "\n  \"state\": "; // no JSON text has a line break inside

// The same from the beginning to the state, the key apart.
static int says_the_same(const char *now, const char *then)
{
    const char *key = strstr(now, KEY), *state = strstr(now, STATE);
    if (!key || !state || key > state || strlen(then) < (size_t)(state - now))
        return 0;
    const size_t before = (size_t)(key - now) + sizeof KEY - 1, behind = before + KANE_KEY_LENGTH;
    return memcmp(now, then, before) == 0 && memcmp(now + behind, then + behind, (size_t)(state - now) - behind) == 0 &&
           strncmp(then + (state - now), STATE, sizeof STATE - 1) == 0;
}

// NaN of what is missing or null.
static double number_of(const kane_node *object, const char *key)
{
    const kane_node *node = kane_node_find(object, key);
    return node && node->kind == KANE_NODE_NUMBER ? node->number : (double)NAN;
}

static long count_of(const kane_node *object, const char *key)
{
    const double number = number_of(object, key);
    return isnan(number) ? 0 : (long)number;
}

static kane_stop stop_of(const char *name)
{
    for (int stop = KANE_STOP_NONE; stop <= KANE_STOP_FAILED; stop++)
        if (strcmp(kane_stop_name((kane_stop)stop), name) == 0)
            return (kane_stop)stop;
    return KANE_STOP_NONE;
}

static void read_statistics(const kane_node *from, kane_statistics *s)
{
    s->steps               = count_of(from, "steps");
    s->evaluations         = count_of(from, "evaluations");
    s->jacobians           = count_of(from, "jacobians");
    s->factorisations      = count_of(from, "factorisations");
    s->newton_iterations   = count_of(from, "newton_iterations");
    s->error_test_failures = count_of(from, "error_test_failures");
    s->newton_failures     = count_of(from, "newton_failures");
    s->restarts            = count_of(from, "restarts");
    s->last_step           = number_of(from, "last_step");
    s->last_order          = (int)count_of(from, "last_order");
    s->last_error          = number_of(from, "last_error");
    s->last_wheel_error    = number_of(from, "last_wheel_error");
}

static void read_growth(const kane_node *from, kane_growth *growth)
{
    const kane_node *stretches = kane_node_find(from, "stretches");
    growth->checked            = (int)count_of(from, "checked");
    growth->count              = (int)count_of(from, "found");
    growth->damped_from        = number_of(from, "damped_from");
    for (int i = 0; stretches && i < growth->count && i < KANE_GROWING_MOST && i < stretches->count; i++) {
        const kane_node *one = kane_node_at(stretches, i);
        kane_growing *g      = &growth->stretch[i];
        g->from              = number_of(one, "from");
        g->to                = number_of(one, "to");
        g->speed             = number_of(one, "speed");
        g->curvature         = number_of(one, "curvature");
        g->superelevation    = number_of(one, "superelevation");
        g->modes             = (int)count_of(one, "modes");
        g->frequency         = number_of(one, "frequency");
        g->growth            = number_of(one, "growth");
        g->step              = number_of(one, "step");
        g->integrated        = number_of(one, "integrated_growth");
        g->longest           = number_of(one, "max_step");
        (void)snprintf(g->name, sizeof g->name, "%s", kane_node_text(one, "name", ""));
        (void)snprintf(g->body, sizeof g->body, "%s", kane_node_text(one, "body", ""));
        (void)snprintf(g->text, sizeof g->text, "%s", kane_node_text(one, "text", ""));
    }
}

static void read_end(const kane_node *manifest, kane_outcome *o)
{
    const kane_node *confirmed = kane_node_find(manifest, "confirmed"), *statistics, *growth;
    o->status                  = KANE_OK;
    o->stop                    = stop_of(kane_node_text(manifest, "end", ""));
    o->time                    = number_of(manifest, "time");
    o->distance                = number_of(manifest, "distance");
    o->rows                    = count_of(manifest, "rows");
    if (confirmed)
        o->confirmed = confirmed->kind == KANE_NODE_TRUE ? KANE_CONFIRMED : KANE_NOT_CONFIRMED;
    (void)snprintf(o->subject, sizeof o->subject, "%s", kane_node_text(manifest, "subject", ""));
    (void)snprintf(o->detail, sizeof o->detail, "%s", kane_node_text(manifest, "detail", ""));
    if ((statistics = kane_node_find(manifest, "statistics")) != NULL)
        read_statistics(statistics, &o->statistics);
    if ((growth = kane_node_find(manifest, "growing_modes")) != NULL)
        read_growth(growth, &o->growth);
}

// Whether a run that ended with this status ends so again.
static int fails_again(const char *end)
{
    static const kane_status statuses[] = {KANE_NOT_FINITE, KANE_NOT_SOLVED, KANE_INTEGRATION_FAILED};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (strcmp(end, kane_status_text(statuses[i])) == 0)
            return 1;
    return 0;
}

static kane_ending judge_end(const kane_node *manifest, const kane_node *status, kane_outcome *outcome)
{
    const char *state = kane_node_text(status, "state", "");
    if (strcmp(kane_node_text(manifest, "key", ""), kane_node_text(status, "key", "")) != 0 ||
        strcmp(state, kane_node_text(manifest, "state", "")) != 0)
        return KANE_ENDING_NONE;
    if (strcmp(state, "failed") == 0)
        return fails_again(kane_node_text(status, "end", "")) ? KANE_ENDING_FAILED : KANE_ENDING_NONE;
    if (strcmp(state, "done") != 0 && strcmp(state, "stopped") != 0)
        return KANE_ENDING_NONE;
    read_end(manifest, outcome);
    return KANE_ENDING_WHOLE;
}

kane_ending kane_manifest_find_end(const kane_manifest *m, const char *directory, kane_outcome *outcome)
{
    static const char *const names[] = {"manifest.json", "status.json"};
    kane_errors unread               = {.limit = 1};
    kane_arena *arena                = kane_arena_create();
    char *now                        = arena ? kane_manifest_text(m, NULL) : NULL;
    const char *text[2]              = {NULL, NULL};
    const kane_node *root[2]         = {NULL, NULL};
    kane_ending ending               = KANE_ENDING_NONE;
    for (int i = 0; now && i < 2; i++) {
        char name[4096];
        size_t length = 0;
        (void)snprintf(name, sizeof name, "%s/%s", directory, names[i]);
        text[i] = access(name, R_OK) == 0 ? kane_file_read(arena, name, &length, &unread) : NULL;
        root[i] = text[i] ? kane_json_parse(arena, name, text[i], length, &unread) : NULL;
    }
    if (root[0] && root[1] && unread.count == 0 && says_the_same(now, text[0]))
        ending = judge_end(root[0], root[1], outcome);
    free(now);
    kane_arena_free(arena);
    return ending;
}
