// SPDX-License-Identifier: MIT
// Manifest and status files of a run.

#include "run/manifest.h"

#include "base/writer.h"
#include "model/model.h"
#include "run/inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_inputs(kane_writer *w, const kane_run_definition *run)
{
    kane_inputs *inputs = kane_inputs_take(run, NULL);
    if (inputs)
        kane_inputs_write(inputs, w);
    kane_inputs_free(inputs);
}

// What an evaluation of the results must know of the vehicle: its wheelsets with the static loads of their wheels, its
// accelerometers.
static void write_measured(kane_writer *w, const kane_run_definition *run, const kane_model *model)
{
    kane_writer_open(w, "wheelsets", '[');
    for (int j = 0; j < run->vehicle->body_count; j++) {
        double load[2];
        if (kane_model_wheel_load(model, j, load) != KANE_OK)
            continue;
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "name", kane_model_body_name(model, j));
        kane_writer_row(w, "static_load");
        for (int side = 0; side < 2; side++)
            kane_writer_number(w, NULL, load[side]);
        kane_writer_close(w);
        kane_writer_close(w);
    }
    kane_writer_close(w);
    kane_writer_open(w, "sensors", '[');
    for (int i = 0; i < kane_model_sensor_count(model); i++)
        kane_writer_text(w, NULL, kane_model_sensor_name(model, i));
    kane_writer_close(w);
}

static void write_settings(kane_writer *w, const kane_settings *s)
{
    kane_writer_open(w, "integrator", '{');
    kane_writer_text(w, "method", s->method == KANE_BDF ? "bdf" : "adams");
    kane_writer_count(w, "order", s->order);
    kane_writer_number(w, "rtol", s->relative);
    kane_writer_number(w, "position", s->position);
    kane_writer_number(w, "angle", s->angle);
    kane_writer_number(w, "speed", s->speed);
    kane_writer_number(w, "turning", s->turning);
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

static void write_end(kane_writer *w, const kane_outcome *o)
{
    kane_writer_text(w, "state", state_of(o));
    if (!o)
        return;
    kane_writer_text(w, "end", o->status == KANE_OK ? kane_stop_name(o->stop) : kane_status_text(o->status));
    kane_writer_text(w, "subject", o->subject);
    kane_writer_number(w, "time", o->time);
    kane_writer_number(w, "distance", o->distance);
    kane_writer_count(w, "rows", o->rows);
}

kane_status kane_manifest_write(FILE *file, const kane_run_definition *run, const kane_model *model,
                                const kane_outcome *outcome)
{
    kane_writer w = kane_writer_start(file);
    kane_writer_document(&w, "manifest 1");
    kane_writer_open(&w, "input", '{');
    write_inputs(&w, run);
    if (run->variant)
        kane_writer_text(&w, "variant", run->variant);
    kane_writer_row(&w, "changes");
    for (int i = 0; run->changes && run->changes[i]; i++)
        kane_writer_text(&w, NULL, run->changes[i]);
    kane_writer_close(&w);
    kane_writer_close(&w);
    kane_writer_text(&w, "formulation", run->model.formulation == KANE_MOVING ? "moving" : "fixed");
    kane_writer_text(&w, "constraints", run->model.form == KANE_FORM_COEFFICIENTS ? "coefficients" : "multipliers");
    kane_writer_row(&w, "omitted");
    for (int i = 0; i < run->model.omission_count; i++)
        kane_writer_text(&w, NULL, run->model.omissions[i].text);
    kane_writer_close(&w);
    kane_writer_count(&w, "states", kane_model_state_count(model));
    write_measured(&w, run, model);
    write_settings(&w, &run->settings);
    if (outcome) {
        write_end(&w, outcome);
        write_statistics(&w, &outcome->statistics);
    }
    kane_writer_close(&w);
    return kane_writer_end(&w);
}

char *kane_manifest_text(const kane_run_definition *run, const kane_model *model, const kane_outcome *outcome)
{
    char *text  = NULL;
    size_t size = 0;
    FILE *file  = open_memstream(&text, &size);
    if (!file)
        return NULL;
    const kane_status status = kane_manifest_write(file, run, model, outcome);
    if (fclose(file) != 0 || status != KANE_OK) {
        free(text);
        return NULL;
    }
    return text;
}

static void write_errors(kane_writer *w, const kane_errors *why)
{
    char text[1200];
    kane_writer_open(w, "errors", '[');
    for (int i = 0; why && i < why->count && i < KANE_ERRORS_KEPT; i++) {
        (void)kane_error_format(&why->kept[i], sizeof text, text);
        kane_writer_text(w, NULL, text);
    }
    kane_writer_close(w);
}

kane_status kane_status_write(const char *directory, const kane_outcome *outcome, const kane_errors *why,
                              kane_errors *errors)
{
    char name[4096], fresh[4096];
    (void)snprintf(name, sizeof name, "%s/status.json", directory);
    (void)snprintf(fresh, sizeof fresh, "%s/status.json.new", directory);
    FILE *file         = fopen(fresh, "w");
    kane_status status = file ? KANE_OK : KANE_NO_FILE;
    if (file) {
        kane_writer w = kane_writer_start(file);
        kane_writer_open(&w, NULL, '{');
        write_end(&w, outcome);
        if (outcome)
            kane_writer_number(&w, "wall", outcome->wall);
        write_errors(&w, why);
        kane_writer_close(&w);
        status = kane_writer_end(&w);
        if (fclose(file) != 0)
            status = KANE_NO_FILE;
    }
    if (status == KANE_OK && rename(fresh, name) != 0)
        status = KANE_NO_FILE;
    if (status != KANE_OK)
        kane_errors_add(errors, status, "%s cannot be written: %s", name, strerror(errno));
    return status;
}
