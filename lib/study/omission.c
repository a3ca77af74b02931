// SPDX-License-Identifier: MIT
// The omission study: the complete and the omitting model for every acceleration, what differs, and pictures of it.

#include <kane/study.h>

#include "base/arena.h"
#include "base/directory.h"
#include "study/omission_draw.h"
#include "study/pool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct kane_omission_report {
    kane_arena *arena;
    int count;
    kane_omission_effect *effects;
};

// "body:torque.rotation.z" -> "imaginary.body.torque.rotation.z", a pattern of channels.
static int term_pattern(const char *omit, size_t size, char *pattern)
{
    const char *colon = strrchr(omit, ':');
    if (!colon)
        return 0;
    (void)snprintf(pattern, size, "imaginary.%.*s.%s", (int)(colon - omit), omit, colon + 1);
    return 1;
}

// The yaw of the body that `omit` names, or of the guide where it says *.
static void default_response(const kane_omission_study *study, size_t size, char *name)
{
    const char *colon = strrchr(study->omit, ':');
    const int length  = colon ? (int)(colon - study->omit) : 0;
    if (length == 0 || (length == 1 && study->omit[0] == '*'))
        (void)snprintf(name, size, "%s.yaw", study->run->vehicle->guide);
    else
        (void)snprintf(name, size, "%.*s.yaw", length, study->omit);
}

// Case 2 i: complete at acceleration i; 2 i + 1: omitting.
static void carry_out(int index, void *data)
{
    kane_omission_cases *cases       = data;
    const kane_omission_study *study = cases->study;
    kane_run_definition run          = *study->run;
    const kane_speed_piece piece     = {.acceleration = study->accelerations[index / 2]};
    kane_omission *omissions         = kane_allocate((size_t)run.model.omission_count + 1, sizeof *omissions);
    if (!omissions)
        return;
    memcpy(omissions, run.model.omissions, (size_t)run.model.omission_count * sizeof *omissions);
    omissions[run.model.omission_count] = (kane_omission){study->omit, {"--omit", 0, 0, ""}};
    run.model.omissions                 = omissions;
    run.model.omission_count += index % 2;
    run.drive.kind           = KANE_DRIVE_PRESCRIBED;
    run.drive.pieces         = &piece;
    run.drive.piece_count    = 1;
    run.drive.actuator_count = 0;
    cases->series[index]     = kane_series_create(&run, cases->pattern_count, cases->patterns, &cases->errors[index]);
    kane_release(omissions);
}

// Patterns of the channels that every case records: time, distance, the omitted terms, the responses.
static int choose_channels(kane_omission_cases *cases, kane_arena *arena)
{
    const kane_omission_study *study = cases->study;
    const int own                    = study->response_count == 0;
    const int responses              = own ? 1 : study->response_count;
    const char **patterns            = kane_arena_alloc(arena, (size_t)responses + 3, sizeof *patterns);
    char *term                       = kane_arena_alloc(arena, 256, 1);
    char *response                   = kane_arena_alloc(arena, 256, 1);
    if (!patterns || !term || !response || !term_pattern(study->omit, 256, term))
        return 0;
    default_response(study, 256, response);
    patterns[0] = "time";
    patterns[1] = "distance";
    patterns[2] = term;
    for (int i = 0; i < responses; i++)
        patterns[3 + i] = own ? response : study->responses[i];
    cases->patterns       = patterns;
    cases->pattern_count  = responses + 3;
    cases->response_count = responses;
    cases->responses      = patterns + 3;
    return 1;
}

static double largest(const double *values, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(values[i]));
    return most;
}

static kane_omission_effect compare(const kane_omission_cases *cases, int i, int response)
{
    const kane_series *s[2] = {cases->series[2 * i], cases->series[2 * i + 1]};
    const char *name        = cases->responses[response];
    const int column = kane_series_find(s[0], name), distance = kane_series_find(s[0], "distance");
    const int rows              = s[0]->row_count < s[1]->row_count ? s[0]->row_count : s[1]->row_count;
    kane_omission_effect effect = {.acceleration = cases->study->accelerations[i],
                                   .response     = name,
                                   .unit         = s[0]->unit[column],
                                   .end          = {s[0]->stop, s[1]->stop}};
    double low = s[0]->column[column][0], high = low, squares = 0.0;
    for (int k = 0; k < rows; k++) {
        const double complete = s[0]->column[column][k];
        const double d        = s[1]->column[column][k] - complete;
        low                   = fmin(low, complete);
        high                  = fmax(high, complete);
        squares += d * d;
        if (fabs(d) > effect.difference) {
            effect.difference = fabs(d);
            effect.at         = s[0]->column[distance][k];
        }
    }
    effect.range = high - low;
    effect.rms   = rows > 0 ? sqrt(squares / rows) : 0.0;
    for (int c = 0; c < s[0]->column_count; c++)
        if (strncmp(s[0]->name[c], "imaginary.", 10) == 0)
            effect.omitted = fmax(effect.omitted, largest(s[0]->column[c], s[0]->row_count));
    for (int k = 0; k < 2; k++)
        effect.distance[k] = s[k]->column[distance][s[k]->row_count - 1];
    return effect;
}

static kane_status write_table(const kane_omission_cases *cases, const kane_omission_report *report,
                               kane_errors *errors)
{
    char name[4096];
    (void)snprintf(name, sizeof name, "%s/differences.csv", cases->study->directory);
    FILE *file = fopen(name, "w");
    if (!file) {
        kane_errors_add(errors, KANE_NO_FILE, "%s cannot be written", name);
        return KANE_NO_FILE;
    }
    (void)fprintf(file, "acceleration [m/s^2],response,unit,largest difference,at distance [m],rms difference,"
                        "range of complete,largest omitted term,end complete,end omitted,distance complete [m],"
                        "distance omitted [m]\n");
    for (int i = 0; i < report->count; i++) {
        const kane_omission_effect *e = &report->effects[i];
        (void)fprintf(file, "%.17g,\"%s\",%s,%.17g,%.17g,%.17g,%.17g,%.17g,%s,%s,%.17g,%.17g\n", e->acceleration,
                      e->response, e->unit, e->difference, e->at, e->rms, e->range, e->omitted,
                      kane_stop_name(e->end[0]), kane_stop_name(e->end[1]), e->distance[0], e->distance[1]);
    }
    if (fclose(file) == 0)
        return KANE_OK;
    kane_errors_add(errors, KANE_NO_FILE, "%s cannot be written", name);
    return KANE_NO_FILE;
}

static kane_status write_series(const kane_omission_cases *cases, kane_errors *errors)
{
    kane_status status = KANE_OK;
    for (int i = 0; i < 2 * cases->study->acceleration_count && status == KANE_OK; i++) {
        char name[4096];
        (void)snprintf(name, sizeof name, "%s/%s_%+g.csv", cases->study->directory, i % 2 ? "omitted" : "complete",
                       cases->study->accelerations[i / 2]);
        status = kane_series_write(cases->series[i], name, errors);
    }
    return status;
}

// All cases, in the order of the list whatever thread has done them. Returns 0 if one has nothing to show.
static int run_cases(kane_omission_cases *cases, kane_arena *arena, kane_errors *errors)
{
    const int count = 2 * cases->study->acceleration_count;
    cases->series   = kane_arena_alloc(arena, (size_t)count, sizeof *cases->series);
    cases->errors   = kane_arena_alloc(arena, (size_t)count, sizeof *cases->errors);
    if (!cases->series || !cases->errors) {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        return 0;
    }
    kane_pool_run(cases->study->threads, count, carry_out, cases);
    for (int i = count - 1; i >= 0; i--) { // an omitting one first: it has the omission to complain about
        if (cases->series[i])
            continue;
        for (int k = 0; k < cases->errors[i].count && k < KANE_ERRORS_KEPT && errors->count < KANE_ERRORS_KEPT; k++)
            errors->kept[errors->count++] = cases->errors[i].kept[k];
        return 0;
    }
    return 1;
}

static kane_status report_on(const kane_omission_cases *cases, kane_omission_report *report, kane_errors *errors)
{
    const int accelerations = cases->study->acceleration_count;
    report->effects =
        kane_arena_alloc(report->arena, (size_t)(accelerations * cases->response_count), sizeof *report->effects);
    if (!report->effects) {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        return KANE_NO_MEMORY;
    }
    for (int r = 0; r < cases->response_count; r++)
        for (int i = 0; i < accelerations; i++)
            report->effects[report->count++] = compare(cases, i, r);
    kane_status status = write_table(cases, report, errors);
    if (status == KANE_OK)
        status = write_series(cases, errors);
    return status == KANE_OK ? kane_omission_draw(cases, errors) : status;
}

static int check(const kane_omission_study *study, kane_errors *errors)
{
    const int before = errors->count;
    if (study->acceleration_count < 1)
        kane_errors_add(errors, KANE_BAD_INPUT, "the study needs at least one acceleration");
    if (study->run->model.formulation != KANE_MOVING)
        kane_errors_add(errors, KANE_BAD_INPUT, "imaginary terms exist in the moving formulation only");
    for (int i = 0; i < study->acceleration_count; i++)
        if (!isfinite(study->accelerations[i]))
            kane_errors_add(errors, KANE_BAD_INPUT, "an acceleration is not finite");
    return errors->count == before;
}

static void release_cases(kane_omission_cases *cases)
{
    for (int i = 0; cases->series && i < 2 * cases->study->acceleration_count; i++)
        kane_series_free(cases->series[i]);
}

kane_omission_report *kane_study_omission(const kane_omission_study *study, kane_errors *errors)
{
    kane_errors nobody           = {0};
    kane_errors *kept            = errors ? errors : &nobody;
    kane_arena *arena            = check(study, kept) ? kane_arena_create() : NULL;
    kane_omission_report *report = arena ? kane_arena_alloc(arena, 1, sizeof *report) : NULL;
    kane_omission_cases cases    = {.study = study};
    int good                     = 0;
    if (report) {
        report->arena = arena;
        if (!choose_channels(&cases, arena))
            kane_errors_add(kept, KANE_BAD_INPUT, "'%s' is not BODY:KIND.TERM.AXIS, such as body:torque.rotation.z",
                            study->omit);
        else
            good = kane_directory_make(study->directory, kept) == KANE_OK && run_cases(&cases, arena, kept) &&
                   report_on(&cases, report, kept) == KANE_OK;
    }
    release_cases(&cases);
    if (!good)
        kane_arena_free(arena);
    return good ? report : NULL;
}

void kane_omission_report_free(kane_omission_report *report)
{
    if (report)
        kane_arena_free(report->arena);
}

int kane_omission_report_count(const kane_omission_report *report)
{
    return report->count;
}

const kane_omission_effect *kane_omission_report_effect(const kane_omission_report *report, int index)
{
    return &report->effects[index];
}
