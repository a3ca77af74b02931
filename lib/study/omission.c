// SPDX-License-Identifier: MIT
// Omission studies: what is asked for is checked, laid out as a plan, carried out and reported.

#include "study/omission.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BODIES_MOST = 6 }; // whose y, yaw and roll are responses if none is given

// What is recorded of the complete run beside the responses.
static const char *const own_patterns[] = {"imaginary.*", "impulse.*"};
enum { OWN_PATTERNS = sizeof own_patterns / sizeof *own_patterns };

static int no_memory(kane_errors *errors)
{
    return kane_no_memory(errors) == KANE_OK;
}

// --- runs ---

static kane_run *read_with(const kane_omission_setup *setup, int condition, const char *more, kane_errors *errors)
{
    int value[KANE_OMISSION_AXES_MOST];
    kane_grid_values(&setup->grid, condition, value);
    return kane_study_read_at(&setup->study, &setup->grid, value, more, errors);
}

kane_run *kane_omission_read(const kane_omission_setup *setup, int condition, kane_errors *errors)
{
    return read_with(setup, condition, "separate=true", errors);
}

kane_results *kane_omission_carry_out(const kane_omission_setup *setup, const kane_run *run, int term,
                                      kane_outcome *outcome, kane_errors *errors)
{
    const int patterns       = setup->response_count + (term == KANE_OMISSION_COMPLETE ? OWN_PATTERNS : 0);
    kane_run_definition own  = *kane_run_get_definition(run);
    kane_omission *omissions = kane_allocate((size_t)own.model.omission_count + 1, sizeof *omissions);
    kane_results *results    = NULL;
    if (omissions) {
        if (own.model.omission_count > 0)
            memcpy(omissions, own.model.omissions, (size_t)own.model.omission_count * sizeof *omissions);
        own.model.omissions = omissions;
        if (term == KANE_OMISSION_ACCURACY)
            own.settings = kane_settings_finer(&own.settings);
        else if (term > 0)
            omissions[own.model.omission_count++] =
                (kane_omission){setup->terms.texts[term], {.file = "--omit", .path = ""}};
        results = kane_run_collect(&own, patterns, setup->patterns, outcome, errors);
        if (results)
            kane_omission_unwrap(results);
    }
    if (!omissions)
        (void)no_memory(errors);
    kane_release(omissions);
    return results;
}

// --- what may be wrong ---

// A model without each of the terms that were typed: says which one does not exist.
static int check_terms(const kane_omission_study *study, const kane_run_definition *run, kane_errors *errors)
{
    int good = 1;
    for (int i = 0; i < study->omission_count; i++) {
        char place[256];
        kane_text at                 = kane_text_start(sizeof place, place);
        const kane_omission omission = {study->omissions[i], {.file = place, .path = ""}};
        kane_model_options options   = run->model;
        kane_text_add(&at, "--omit %s", study->omissions[i]);
        options.omission_count = 1;
        options.omissions      = &omission;
        kane_model *model      = kane_model_create(run->vehicle, run->track, &run->drive, &options, errors);
        good                   = good && model;
        kane_model_free(model);
        for (int k = 0; k < i; k++)
            if (strcmp(study->omissions[k], study->omissions[i]) == 0) {
                kane_errors_add_input(errors, KANE_BAD_INPUT, omission.place, "is given twice");
                good = 0;
            }
    }
    return good;
}

static int refuse(kane_errors *errors, const char *why)
{
    kane_errors_add(errors, KANE_BAD_INPUT, "%s", why);
    return 0;
}

// Curves to the left and to the right have no straight between them in a list of radii, so that "radius <= 600" would mean
// nothing.
static void check_signs(const kane_axis *axis, kane_errors *errors)
{
    static const char name[] = "radius";
    const size_t length      = strlen(axis->path);
    if (length < sizeof name - 1 || strcmp(axis->path + length - (sizeof name - 1), name) != 0)
        return;
    int left = 0, right = 0;
    for (int i = 0; i < axis->count; i++) {
        left |= axis->numbers[i] > 0.0;
        right |= axis->numbers[i] < 0.0;
    }
    if (left && right)
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "the list of %s has curves to the left and to the right: make a study of each", axis->path);
}

// Lists that do not contradict each other, not too many values.
static int check_axes(const kane_omission_study *study, const kane_grid *grid, kane_errors *errors)
{
    const int before = errors->count;
    for (int a = 0; a < grid->axis_count; a++) {
        if (grid->axes[a]->count > KANE_OMISSION_VALUES_MOST)
            kane_errors_add(errors, KANE_BAD_INPUT, "%d values of %s are more than %d", grid->axes[a]->count,
                            grid->axes[a]->path, KANE_OMISSION_VALUES_MOST);
        check_signs(grid->axes[a], errors);
    }
    (void)kane_grid_check(grid, study->common ? study->common->settings : NULL, 0, errors);
    return errors->count == before;
}

// Of two that are the same one would write over the pictures of the other.
static int check_responses(const kane_omission_study *study, kane_errors *errors)
{
    const int before = errors->count;
    for (int i = 0; i < study->response_count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(study->responses[k], study->responses[i]) == 0)
                kane_errors_add(errors, KANE_BAD_INPUT, "--response %s is given twice", study->responses[i]);
    return errors->count == before;
}

static int check_size(double conditions, int terms, kane_errors *errors)
{
    if (conditions * terms <= KANE_OMISSION_CASES_MOST)
        return 1;
    kane_errors_add(errors, KANE_BAD_INPUT, "the study has %.0f cases or more, it may have %d; take fewer values",
                    conditions * terms, KANE_OMISSION_CASES_MOST);
    return 0;
}

static int check_lists(const kane_omission_study *study, kane_errors *errors)
{
    int good = 1;
    if (study->all && study->omission_count > 0)
        good = refuse(errors, "--all omits every term in turn, and --omit names one: only one of both");
    if (!study->all && study->omission_count == 0)
        good = refuse(errors, "nothing is omitted: give --all, or a term by --omit BODY:KIND.TERM.AXIS");
    if (!(study->threshold > 0.0) || !isfinite(study->threshold))
        good = refuse(errors, "the threshold must be positive and finite, such as 1% or 0.01");
    good = check_responses(study, errors) && good;
    if (study->axis_count > KANE_OMISSION_AXES_MOST) {
        kane_errors_add(errors, KANE_BAD_INPUT, "%d lists of conditions are more than %d", study->axis_count,
                        KANE_OMISSION_AXES_MOST);
        return 0;
    }
    const kane_grid grid = {study->axis_count, study->axes};
    return check_axes(study, &grid, errors) && good && check_size(kane_grid_size(&grid), 1, errors);
}

// Accelerations take the place of the run's own speed pieces; a run that says otherwise how fast it goes has none.
static int check_drive(const char *file, const kane_drive_definition *drive, kane_errors *errors)
{
    const char *says = NULL;
    if (drive->kind == KANE_DRIVE_DRIVEN)
        says = "drive";
    else if (drive->curve.point_count > 0 ||
             (drive->piece_count > 0 && strcmp(drive->pieces[0].place.path, "speed_table") == 0))
        says = "speed_table";
    if (says)
        kane_errors_add(
            errors, KANE_BAD_INPUT,
            "%s: \"%s\" says how fast it goes; accelerations take the place of \"speed\", so leave it out of a "
            "copy of the file",
            file, says);
    return !says;
}

// What the run says of itself is known before conditions of a ride are set: speed, acceleration, radius, cant, shape.
static int check_ride(const kane_omission_study *study, kane_errors *errors)
{
    kane_errors nobody = {0}; // what is wrong with the file is told when conditions are read
    const char *rides  = NULL;
    int accelerates = 0, good = 1;
    for (int a = 0; a < study->axis_count; a++) {
        const char *path = study->axes[a]->path;
        if (strcmp(kane_axis_path(path), path) != 0)
            rides = path;
        accelerates |= strcmp(kane_axis_path(path), kane_axis_path("acceleration")) == 0;
    }
    kane_run *run = rides || accelerates ? kane_run_read(study->file, study->common, &nobody) : NULL;
    if (run && !kane_run_get_definition(run)->track) {
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "%s: a mechanism does not run along a track, so a study of it takes no list of %s", study->file,
                        rides ? rides : "acceleration");
        good = 0;
    } else if (run && accelerates) {
        good = check_drive(study->file, &kane_run_get_definition(run)->drive, errors);
    }
    kane_run_free(run);
    return good;
}

static int check_run(const kane_omission_study *study, const kane_run_definition *run, kane_errors *errors)
{
    const char *file = study->file;
    if (!run->track && run->vehicle->given_frame_count == 0) {
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "%s: the mechanism has no moving frame (no \"frames\"), and so no imaginary forces to omit",
                        file);
        return 0;
    }
    if (run->model.formulation == KANE_FIXED) {
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "%s: in the fixed formulation there are no imaginary terms to omit; use the moving one", file);
        return 0;
    }
    return 1;
}

// Every value of every axis must be possible, with the first values of the others.
static int check_values(const kane_omission_setup *setup, kane_errors *errors)
{
    for (int a = 0; a < setup->grid.axis_count; a++)
        for (int i = 1; i < setup->grid.axes[a]->count; i++) {
            int value[KANE_OMISSION_AXES_MOST] = {0};
            value[a]                           = i;
            kane_run *run  = kane_omission_read(setup, kane_grid_index(&setup->grid, value), errors);
            const int good = run != NULL;
            kane_run_free(run);
            if (!good)
                return 0;
        }
    return 1;
}

// --- terms ---

// Every term of the bodies that feel any, and of the rods.
static int list_all(const kane_omission_setup *setup, const kane_model *model, kane_omission_terms *terms)
{
    int rods = 0, count = 0;
    while (kane_model_moving_rod_name(model, rods))
        rods++;
    const size_t most   = (size_t)(kane_model_body_count(model) + rods);
    const char **bodies = kane_arena_alloc(setup->study.arena, most, sizeof *bodies);
    for (int j = 0; bodies && j < kane_model_body_count(model); j++)
        if (kane_model_has_imaginary(model, j))
            bodies[count++] = kane_arena_text(setup->study.arena, kane_model_body_name(model, j));
    for (int k = 0; bodies && k < rods; k++)
        bodies[count++] = kane_arena_text(setup->study.arena, kane_model_moving_rod_name(model, k));
    return bodies && kane_omission_terms_all(setup->study.arena, count, bodies, terms);
}

static int choose_terms(kane_omission_setup *setup, const kane_model *model, kane_errors *errors)
{
    const kane_omission_study *study = setup->asked;
    kane_omission_terms own          = {study->omission_count, study->omissions};
    if (study->all && !list_all(setup, model, &own))
        return no_memory(errors);
    const char **texts = kane_arena_alloc(setup->study.arena, (size_t)own.count + 1, sizeof *texts);
    if (!texts)
        return no_memory(errors);
    texts[0] = "";
    for (int i = 0; i < own.count; i++)
        texts[i + 1] = own.texts[i];
    setup->terms = (kane_omission_terms){own.count + 1, texts};
    return check_size(kane_grid_size(&setup->grid), setup->terms.count, errors);
}

// --- responses ---

// Whether a coordinate of a body is one that can respond: free, and not prescribed.
static int responds(const kane_body_definition *body, int coordinate)
{
    if (!body->joint)
        return (body->freedoms & KANE_FREEDOM(coordinate)) != 0;
    for (int i = 0; i < body->joint->motion_count; i++)
        if (body->joint->motions[i].coordinate == coordinate)
            return 0;
    return 1;
}

// What a body of a vehicle, or of a mechanism, moves by: names of channels behind "BODY."; returns how many.
static int list_moves(const kane_body_definition *body, int on_track, const char *moves[KANE_COORDINATES])
{
    static const char *const across[] = {"y", "yaw", "roll"}, *const turns[] = {"yaw", "roll", "pitch"};
    const int is_ball = body->joint && body->joint->kind == KANE_JOINT_SPHERICAL;
    int count         = 0;
    if (on_track || is_ball) {
        for (int i = 0; i < 3; i++)
            moves[count++] = on_track ? across[i] : turns[i];
        return count;
    }
    for (int c = 0; c < kane_joint_coordinate_count(body->joint); c++)
        if (responds(body, c))
            moves[count++] = kane_joint_coordinate_name(body->joint, c);
    return count;
}

// Patterns of the responses, own or default, and behind them what the complete run records besides.
static const char **choose_patterns(const kane_omission_setup *setup, const kane_run_definition *run, int *count)
{
    const kane_omission_study *study       = setup->asked;
    const kane_vehicle_definition *vehicle = run->vehicle;
    const size_t room     = (size_t)study->response_count + KANE_COORDINATES * BODIES_MOST + 2 + OWN_PATTERNS;
    const char **patterns = kane_arena_alloc(setup->study.arena, room, sizeof *patterns);
    *count                = 0;
    for (int i = 0; patterns && i < study->response_count; i++)
        patterns[(*count)++] = study->responses[i];
    for (int j = 0, bodies = 0; patterns && study->response_count == 0 && j < vehicle->body_count; j++) {
        const kane_body_definition *body = &vehicle->bodies[j];
        const size_t size                = strlen(body->block.name) + 16;
        const char *moves[KANE_COORDINATES];
        const int of_joint = !run->track && body->joint && body->joint->kind != KANE_JOINT_SPHERICAL;
        if (body->wheels || bodies == BODIES_MOST)
            continue;
        const int move_count = list_moves(body, run->track != NULL, moves);
        bodies += move_count > 0;
        for (int i = 0; i < move_count; i++) {
            char *text = kane_arena_alloc(setup->study.arena, size, 1);
            if (!text)
                return NULL;
            (void)snprintf(text, size, "%s.%s%s", body->block.name, of_joint ? "joint." : "", moves[i]);
            patterns[(*count)++] = text;
        }
    }
    if (patterns && study->response_count == 0 && run->track) {
        patterns[(*count)++] = "*.Y";
        patterns[(*count)++] = "*.Q";
    }
    for (int i = 0; patterns && i < OWN_PATTERNS; i++)
        patterns[*count + i] = own_patterns[i];
    return patterns;
}

// Channels of a response; 0 with an error if they have different units.
static int fill_response(const kane_omission_setup *setup, const kane_channels *channels,
                         kane_omission_response *response, kane_errors *errors)
{
    const char **names = kane_arena_alloc(setup->study.arena, (size_t)kane_channels_count(channels), sizeof *names);
    if (!names)
        return no_memory(errors);
    response->channels = names;
    for (int i = 0; i < kane_channels_count(channels); i++) {
        const kane_channel_info *info = kane_channels_info(channels, i);
        if (!kane_omission_matches(response->pattern, info->name))
            continue;
        if (response->channel_count == 0)
            response->unit = kane_arena_text(setup->study.arena, info->unit);
        names[response->channel_count++] = kane_arena_text(setup->study.arena, info->name);
        if (response->unit && strcmp(response->unit, info->unit) != 0) {
            kane_errors_add(errors, KANE_BAD_INPUT,
                            "--response %s: %s is in %s, %s in %s; the channels of a response have one unit",
                            response->pattern, names[0], response->unit, info->name, info->unit);
            return 0;
        }
    }
    if (response->channel_count == 0)
        kane_errors_add(errors, KANE_BAD_INPUT, "--response %s: only imaginary terms match; type \"imaginary.%s\"",
                        response->pattern, response->pattern);
    return response->channel_count > 0 && (!kane_arena_failed(setup->study.arena) || no_memory(errors));
}

static int choose_responses(kane_omission_setup *setup, const kane_run_definition *run, const kane_model *model,
                            kane_errors *errors)
{
    const char **patterns = choose_patterns(setup, run, &setup->response_count);
    const int count       = setup->response_count;
    if (!patterns)
        return no_memory(errors);
    kane_omission_response *responses = kane_arena_alloc(setup->study.arena, (size_t)count, sizeof *responses);
    kane_place *places                = kane_arena_alloc(setup->study.arena, (size_t)count, sizeof *places);
    if (!responses || !places)
        return no_memory(errors);
    for (int r = 0; r < count; r++)
        places[r] = (kane_place){.file = "--response", .path = ""};
    kane_channels *channels = kane_channels_create_model(model, count, patterns, places, errors);
    int good                = channels != NULL;
    for (int r = 0; good && r < count; r++) {
        responses[r].pattern = patterns[r];
        good                 = fill_response(setup, channels, &responses[r], errors);
    }
    kane_channels_free(channels);
    setup->responses = responses;
    setup->patterns  = patterns;
    return good;
}

static int prepare(kane_omission_setup *setup, const kane_run_definition *run, kane_errors *errors)
{
    if (!check_run(setup->asked, run, errors) || !check_terms(setup->asked, run, errors) ||
        !check_values(setup, errors))
        return 0;
    kane_model *model = kane_model_create(run->vehicle, run->track, &run->drive, &run->model, errors);
    const int good    = model && choose_terms(setup, model, errors) && choose_responses(setup, run, model, errors);
    kane_model_free(model);
    if (!good)
        return 0;
    setup->travels = run->track != NULL;
    setup->vehicle = kane_arena_text(setup->study.arena, run->vehicle->name);
    return kane_study_take_inputs(&setup->study, run, errors) &&
           (!kane_arena_failed(setup->study.arena) || no_memory(errors));
}

static int set_up(kane_omission_setup *setup, const kane_omission_study *asked, kane_errors *errors)
{
    setup->asked = asked;
    setup->grid  = (kane_grid){asked->axis_count, asked->axes};
    if (kane_study_begin(&setup->study, asked->file, asked->common, asked->execution.directory, errors) != KANE_OK ||
        !check_lists(asked, errors) || !check_ride(asked, errors))
        return 0;
    kane_run *run  = read_with(setup, 0, NULL, errors);
    const int good = run && prepare(setup, kane_run_get_definition(run), errors);
    kane_run_free(run);
    return good;
}

// --- the study ---

static void write_axes(kane_writer *w, const kane_grid *grid)
{
    kane_writer_open(w, "conditions", '[');
    for (int a = 0; a < grid->axis_count; a++) {
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "path", grid->axes[a]->path);
        kane_writer_text(w, "unit", grid->axes[a]->unit);
        kane_write_texts(w, "values", grid->axes[a]->count, grid->axes[a]->texts);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static void write_responses(kane_writer *w, const kane_omission_setup *setup)
{
    kane_writer_open(w, "responses", '[');
    for (int r = 0; r < setup->response_count; r++) {
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "response", setup->responses[r].pattern);
        kane_writer_text(w, "unit", setup->responses[r].unit);
        kane_write_texts(w, "channels", setup->responses[r].channel_count, setup->responses[r].channels);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static void describe(kane_writer *w, const void *data)
{
    const kane_omission_worker *worker = data;
    const kane_omission_setup *setup   = worker->setup;
    write_axes(w, &setup->grid);
    kane_write_texts(w, "terms", setup->terms.count, setup->terms.texts);
    write_responses(w, setup);
}

// The report and the work on its cases, which begins with its setup.
typedef struct study {
    kane_omission_worker worker; // first: what the work on a case gets
    kane_omission_report *report;
} study;

static kane_status finish(void *data, const kane_plan *plan, kane_errors *errors)
{
    kane_omission_report *report = ((study *)data)->report;
    if (!kane_omission_report_fill(report, plan))
        return kane_no_memory(errors);
    const kane_status status = kane_omission_write(report, errors);
    return status == KANE_OK ? kane_omission_draw(report, errors) : status;
}

static kane_status carry_out(kane_omission_report *report, int *complete, kane_errors *errors)
{
    const kane_omission_setup *setup = &report->setup;
    study s                          = {.worker = {.setup = setup, .condition = -1}, .report = report};
    const kane_study_plan plan       = {.kind        = "omission",
                                        .case_count  = (int)kane_grid_size(&setup->grid) * setup->terms.count,
                                        .value_count = kane_omission_value_count(setup),
                                        .group       = setup->terms.count,
                                        .describe    = describe,
                                        .work        = kane_omission_work,
                                        .finish      = finish,
                                        .data        = &s};
    const kane_status status = kane_study_carry_out(&setup->study, &plan, &setup->asked->execution, complete, errors);
    kane_omission_worker_end(&s.worker);
    return status;
}

kane_status kane_study_omission(const kane_omission_study *asked, kane_omission_report **report, kane_errors *errors)
{
    kane_errors nobody        = {0};
    kane_errors *kept         = errors ? errors : &nobody;
    kane_omission_report *own = kane_allocate(1, sizeof *own);
    kane_status status        = KANE_NO_MEMORY;
    int complete              = 0;
    if (!own)
        (void)kane_no_memory(kept);
    else
        status = set_up(&own->setup, asked, kept) ? carry_out(own, &complete, kept) : kane_errors_status(kept, 0);
    *report = complete ? own : NULL;
    if (!complete)
        kane_omission_report_free(own);
    return status;
}

void kane_omission_report_free(kane_omission_report *report)
{
    if (report)
        kane_study_end(&report->setup.study);
    kane_release(report);
}
