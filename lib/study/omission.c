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

// --- runs ---

static kane_run *read_with(const kane_omission_setup *o, int condition, const char *more, kane_errors *errors)
{
    int value[KANE_OMISSION_AXES_MOST];
    kane_grid_values(&o->grid, condition, value);
    return kane_study_read_at(&o->study, &o->grid, value, more, errors);
}

kane_run *kane_omission_read(const kane_omission_setup *o, int condition, kane_errors *errors)
{
    return read_with(o, condition, "imaginary_as_forces=true", errors);
}

kane_omission *kane_omission_define(const kane_omission_setup *o, const kane_run_definition *run, int term,
                                    kane_run_definition *own, kane_errors *errors)
{
    static const kane_place place = {.file = "--omit", .path = ""};
    *own                          = *run;
    kane_omission *omissions      = kane_allocate((size_t)own->model.omission_count + 2, sizeof *omissions);
    if (!omissions) {
        (void)kane_no_memory(errors);
        return NULL;
    }
    for (int i = 0; i < own->model.omission_count; i++)
        omissions[i] = own->model.omissions[i];
    own->model.omissions = omissions;
    if (term == KANE_OMISSION_ACCURACY)
        own->settings = kane_settings_finer(&own->settings);
    const int is_pair = term > 0 && o->pairs && o->pairs[2 * term] >= 0;
    for (int i = 0; term > 0 && i <= is_pair; i++)
        omissions[own->model.omission_count++] =
            (kane_omission){o->is.term[is_pair ? o->pairs[2 * term + i] : term], place};
    return omissions;
}

kane_results *kane_omission_run_cases(const kane_omission_setup *o, const kane_run *run, int term, const char *name,
                                      kane_outcome *outcome, kane_errors *errors)
{
    const int patterns = o->is.responses + (term == KANE_OMISSION_COMPLETE ? OWN_PATTERNS : 0);
    kane_run_definition own;
    kane_omission *omissions = kane_omission_define(o, kane_run_get_definition(run), term, &own, errors);
    kane_results *results =
        omissions ? kane_study_rows(&o->study, name, &own, patterns, o->patterns, outcome, errors) : NULL;
    if (results)
        kane_omission_unwrap(results);
    kane_release(omissions);
    return results;
}

// --- checks of the input ---

static void report_bad_omission(const kane_omission_setup *o, const char *why)
{
    kane_errors_add(o->study.errors, KANE_BAD_INPUT, "%s", why);
}

// Curves to the left and to the right have no straight between them in a list of radii, so that "radius <= 600" would
// mean nothing.
static void check_signs(const kane_axis *axis, kane_errors *errors)
{
    static const char name[] = "radius";
    const size_t length      = strlen(axis->path);
    int left = 0, right = 0;
    for (int i = 0; i < axis->count; i++) {
        left |= axis->numbers[i] > 0.0;
        right |= axis->numbers[i] < 0.0;
    }
    if (left && right && length >= sizeof name - 1 && strcmp(axis->path + length - (sizeof name - 1), name) == 0)
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "the list of %s has curves to the left and to the right: make a study of each", axis->path);
}

// Lists that do not contradict each other, not too many values.
static void check_axes(const kane_omission_setup *o)
{
    kane_errors *errors = o->study.errors;
    for (int a = 0; a < o->grid.axis_count; a++) {
        const kane_axis *axis = o->grid.axes[a];
        if (axis->count > KANE_OMISSION_VALUES_MOST)
            kane_errors_add(errors, KANE_BAD_INPUT, "%d values of %s are more than %d", axis->count, axis->path,
                            KANE_OMISSION_VALUES_MOST);
        check_signs(axis, errors);
    }
    (void)kane_grid_check(&o->grid, o->study.common.settings, 0, errors);
}

static int check_size(const kane_omission_setup *o, int terms)
{
    const double cases = kane_grid_size(&o->grid) * terms;
    if (cases <= KANE_OMISSION_CASES_MOST)
        return 1;
    kane_errors_add(o->study.errors, KANE_BAD_INPUT,
                    "the study has %.0f cases or more, it may have %d; take fewer values", cases,
                    KANE_OMISSION_CASES_MOST);
    return 0;
}

static int check_lists(const kane_omission_setup *o)
{
    const kane_omission_study *study = o->asked;
    kane_errors *errors              = o->study.errors;
    const int before                 = errors->count;
    if (study->all && study->omission_count > 0)
        report_bad_omission(o, "--all omits every term in turn, and --omit names one: only one of both");
    if (!study->all && study->omission_count == 0 && study->conclusion_count == 0)
        report_bad_omission(o, "nothing is omitted: give --all, or a term by --omit BODY:KIND.TERM.AXIS");
    if (!(study->threshold > 0.0) || !isfinite(study->threshold))
        report_bad_omission(o, "the threshold must be positive and finite, such as 1% or 0.01");
    for (int i = 0; i < study->response_count;
         i++) // of two that are the same one would write over the other's pictures
        for (int k = 0; k < i; k++)
            if (strcmp(study->responses[k], study->responses[i]) == 0)
                kane_errors_add(errors, KANE_BAD_INPUT, "--response %s is given twice", study->responses[i]);
    if (study->axis_count > KANE_OMISSION_AXES_MOST)
        kane_errors_add(errors, KANE_BAD_INPUT, "%d lists of conditions are more than %d", study->axis_count,
                        KANE_OMISSION_AXES_MOST);
    else
        check_axes(o);
    return errors->count == before && check_size(o, 1);
}

// Accelerations take the place of the run's own speed pieces; a run that says otherwise how fast it goes has none.
static void check_drive(const kane_omission_setup *o, const kane_drive_definition *drive)
{
    const char *says = NULL;
    if (drive->kind == KANE_DRIVE_DRIVEN)
        says = "drive";
    else if (drive->curve.point_count > 0 ||
             (drive->piece_count > 0 && strcmp(drive->pieces[0].place.path, "speed_table") == 0))
        says = "speed_table";
    if (says)
        kane_errors_add(
            o->study.errors, KANE_BAD_INPUT,
            "%s: \"%s\" says how fast it goes; accelerations take the place of \"speed\", so leave it out of a "
            "copy of the file",
            o->study.file, says);
}

// What the run says of itself is known before conditions of a ride are set: speed, acceleration, radius, cant, shape.
static int check_ride(const kane_omission_setup *o)
{
    kane_errors nobody = {.limit = 1}; // errors of the file are reported when conditions are read
    const int before   = o->study.errors->count;
    const char *rides  = NULL;
    int accelerates    = 0;
    for (int a = 0; a < o->grid.axis_count; a++) {
        const char *path = o->grid.axes[a]->path;
        if (strcmp(kane_axis_path(path), path) != 0)
            rides = path;
        accelerates |= strcmp(kane_axis_path(path), kane_axis_path("acceleration")) == 0;
    }
    kane_run *run                 = rides || accelerates ? kane_study_read(&o->study, NULL, &nobody) : NULL;
    const kane_run_definition *is = run ? kane_run_get_definition(run) : NULL;
    if (is && !is->track)
        kane_errors_add(o->study.errors, KANE_BAD_INPUT,
                        "%s: a mechanism does not run along a track, so a study of it takes no list of %s",
                        o->study.file, rides ? rides : "acceleration");
    else if (is && accelerates)
        check_drive(o, &is->drive);
    kane_run_free(run);
    return o->study.errors->count == before;
}

static int check_run(const kane_omission_setup *o, const kane_run_definition *run)
{
    const int before = o->study.errors->count;
    if (!run->track && run->vehicle->given_frame_count == 0)
        kane_errors_add(o->study.errors, KANE_BAD_INPUT,
                        "%s: the mechanism has no moving frame (no \"frames\"), and so no imaginary forces to omit",
                        o->study.file);
    else if (run->model.formulation == KANE_FIXED)
        kane_errors_add(o->study.errors, KANE_BAD_INPUT,
                        "%s: in the fixed formulation there are no imaginary terms to omit; use the moving one",
                        o->study.file);
    return o->study.errors->count == before;
}

// Every value of every axis must be possible, with the first values of the others.
static int check_values(const kane_omission_setup *o)
{
    for (int a = 0; a < o->grid.axis_count; a++)
        for (int i = 1; i < o->grid.axes[a]->count; i++) {
            int value[KANE_OMISSION_AXES_MOST] = {0};
            value[a]                           = i;
            kane_run *run  = kane_omission_read(o, kane_grid_index(&o->grid, value), o->study.errors);
            const int good = run != NULL;
            kane_run_free(run);
            if (!good)
                return 0;
        }
    return 1;
}

// --- terms ---

// Makes a model without each of the given terms, to report those that do not exist.
static int check_terms(const kane_omission_setup *o, const kane_run_definition *run)
{
    const kane_omission_study *study = o->asked;
    const int before                 = o->study.errors->count;
    for (int i = 0; i < study->omission_count; i++) {
        char place[256];
        kane_text at                 = kane_text_start(sizeof place, place);
        const kane_omission omission = {study->omissions[i], {.file = place, .path = ""}};
        kane_model_options options   = run->model;
        kane_text_add(&at, "--omit %s", study->omissions[i]);
        options.omission_count = 1;
        options.omissions      = &omission;
        kane_model_free(kane_model_create(run->vehicle, run->track, &run->drive, &options, o->study.errors));
        for (int k = 0; k < i; k++)
            if (strcmp(study->omissions[k], study->omissions[i]) == 0)
                kane_errors_add_input(o->study.errors, KANE_BAD_INPUT, omission.place, "is given twice");
    }
    return o->study.errors->count == before;
}

// Accuracy; then those that were named, or every term of the bodies that feel any, and of the rods.
static int choose_terms(kane_omission_setup *o, const kane_model *model)
{
    kane_arena *arena                = o->study.arena;
    const kane_omission_study *study = o->asked;
    int rods = 0, count = 0;
    while (kane_model_moving_rod_name(model, rods))
        rods++;
    const size_t most         = (size_t)(kane_model_body_count(model) + rods);
    const char **bodies       = kane_arena_alloc(arena, most, sizeof *bodies);
    kane_omission_terms terms = {0, kane_arena_alloc(arena, (size_t)study->omission_count + 1, sizeof *terms.texts)};
    if (!bodies || !terms.texts)
        return kane_study_no_memory(&o->study);
    for (int j = 0; j < kane_model_body_count(model); j++)
        if (kane_model_has_imaginary(model, j))
            bodies[count++] = kane_arena_text(arena, kane_model_body_name(model, j));
    for (int k = 0; k < rods; k++)
        bodies[count++] = kane_arena_text(arena, kane_model_moving_rod_name(model, k));
    terms.texts[terms.count++] = "";
    for (int i = 0; i < study->omission_count; i++)
        terms.texts[terms.count++] = study->omissions[i];
    int good = !kane_arena_failed(arena);
    if (good && study->all)
        good = kane_omission_terms_all(arena, count, bodies, &terms);
    else if (good && study->omission_count == 0)
        good = kane_omission_terms_groups(arena, count, bodies, &terms);
    if (good && study->with_pairs)
        good = kane_omission_terms_pairs(arena, count, bodies, KANE_OMISSION_ACCURACY + 1, &terms, &o->pairs);
    if (!good)
        return kane_study_no_memory(&o->study);
    o->is.terms = terms.count;
    o->is.term  = terms.texts;
    return check_size(o, terms.count + (study->conclusion_count > 0));
}

// --- responses ---

// Channels of the motion of a body of a vehicle or mechanism: names behind "BODY."; returns their number. Prescribed
// coordinates are no responses.
static int list_moves(const kane_body_definition *body, int on_track, const char *moves[KANE_COORDINATES])
{
    static const char *const across[] = {"y", "yaw", "roll"}, *const turns[] = {"yaw", "roll", "pitch"};
    const kane_joint_definition *joint = body->joint;
    int count                          = 0;
    if (on_track || (joint && joint->kind == KANE_JOINT_SPHERICAL)) {
        memcpy(moves, on_track ? across : turns, sizeof across);
        return 3;
    }
    for (int c = 0; c < kane_joint_coordinate_count(joint); c++) {
        int responds = joint || (body->dof & KANE_DOF(c)) != 0;
        for (int i = 0; joint && i < joint->motion_count; i++)
            responds = responds && joint->motions[i].coordinate != c;
        if (responds)
            moves[count++] = kane_joint_coordinate_name(joint, c);
    }
    return count;
}

// Lateral and vertical forces of wheels on rails, and on a road.
static const char *const rail_forces[] = {"*.Y", "*.Q"}, *const tyre_forces[] = {"*.F_y", "*.load"};
enum { FORCES = 2 };

static int has_rail_wheels(const kane_vehicle_definition *vehicle)
{
    for (int j = 0; j < vehicle->body_count; j++)
        if (vehicle->bodies[j].wheels)
            return 1;
    return 0;
}

static int has_tyres(const kane_vehicle_definition *vehicle)
{
    for (int i = 0; i < vehicle->element_count; i++)
        if (vehicle->elements[i].law->rolls)
            return 1;
    return 0;
}

// Patterns of the responses, own or default, and behind them what the complete run records besides.
static void choose_patterns(kane_omission_setup *o, const kane_run_definition *run)
{
    const kane_omission_study *study       = o->asked;
    const kane_vehicle_definition *vehicle = run->vehicle;
    const size_t room = (size_t)study->response_count + KANE_COORDINATES * BODIES_MOST + 2 * FORCES + OWN_PATTERNS;
    int count = 0, bodies = 0;
    o->patterns = kane_arena_alloc(o->study.arena, room, sizeof *o->patterns);
    for (int i = 0; o->patterns && i < study->response_count; i++)
        o->patterns[count++] = study->responses[i];
    for (int j = 0; o->patterns && study->response_count == 0 && j < vehicle->body_count && bodies < BODIES_MOST; j++) {
        const kane_body_definition *body = &vehicle->bodies[j];
        const size_t size                = strlen(body->block.name) + 16;
        const char *moves[KANE_COORDINATES];
        const int of_joint   = !run->track && body->joint && body->joint->kind != KANE_JOINT_SPHERICAL;
        const int move_count = body->wheels ? 0 : list_moves(body, run->track != NULL, moves);
        bodies += move_count > 0;
        for (int i = 0; i < move_count; i++) {
            char *text = kane_arena_alloc(o->study.arena, size, 1);
            if (text)
                (void)snprintf(text, size, "%s.%s%s", body->block.name, of_joint ? "joint." : "", moves[i]);
            o->patterns[count++] = text;
        }
    }
    const char *const *forces[] = {has_rail_wheels(vehicle) ? rail_forces : NULL,
                                   has_tyres(vehicle) ? tyre_forces : NULL};
    for (int i = 0; o->patterns && study->response_count == 0 && run->track && i < 2 * FORCES; i++)
        if (forces[i / FORCES])
            o->patterns[count++] = forces[i / FORCES][i % FORCES];
    for (int i = 0; o->patterns && i < OWN_PATTERNS; i++)
        o->patterns[count + i] = own_patterns[i];
    o->is.responses = count;
    o->is.response  = o->patterns;
}

// Channels of a response and their unit; 0 with an error if they have different ones.
static int fill_response(kane_omission_setup *o, const kane_channels *channels, int r, const char **unit)
{
    const char *pattern = o->patterns[r];
    const char **names  = kane_arena_alloc(o->study.arena, (size_t)kane_channels_count(channels), sizeof *names);
    int count           = 0;
    for (int i = 0; names && i < kane_channels_count(channels); i++) {
        const kane_channel_info *info = kane_channels_info(channels, i);
        if (!kane_omission_matches(pattern, info->name))
            continue;
        if (count == 0)
            *unit = kane_arena_text(o->study.arena, info->unit);
        names[count++] = kane_arena_text(o->study.arena, info->name);
        if (!kane_arena_failed(o->study.arena) && strcmp(*unit, info->unit) != 0) {
            kane_errors_add(o->study.errors, KANE_BAD_INPUT,
                            "--response %s: %s is in %s, %s in %s; the channels of a response have one unit", pattern,
                            names[0], *unit, info->name, info->unit);
            return 0;
        }
    }
    if (names && count == 0)
        kane_errors_add(o->study.errors, KANE_BAD_INPUT,
                        "--response %s: only imaginary terms match; type \"imaginary.%s\"", pattern, pattern);
    o->channels[r] = (kane_omission_channels){count, names};
    return count > 0 || (!names && kane_study_no_memory(&o->study));
}

static int choose_responses(kane_omission_setup *o, const kane_run_definition *run, const kane_model *model)
{
    choose_patterns(o, run);
    const size_t count = (size_t)o->is.responses;
    const char **units = kane_arena_alloc(o->study.arena, count, sizeof *units);
    kane_place *places = kane_arena_alloc(o->study.arena, count, sizeof *places);
    o->is.unit         = units;
    o->channels        = kane_arena_alloc(o->study.arena, count, sizeof *o->channels);
    if (kane_arena_failed(o->study.arena))
        return kane_study_no_memory(&o->study);
    for (size_t r = 0; r < count; r++)
        places[r] = (kane_place){.file = "--response", .path = ""};
    kane_channels *channels = kane_channels_create_model(model, (int)count, o->patterns, places, o->study.errors);
    int good                = channels != NULL;
    for (int r = 0; good && r < (int)count; r++)
        good = fill_response(o, channels, r, &units[r]);
    kane_channels_free(channels);
    o->study.value_count =
        (int)((sizeof(kane_omission_record) + count * sizeof(kane_omission_difference)) / sizeof(double));
    return good;
}

// --- the study ---

static int prepare_run(kane_omission_setup *o, const kane_run_definition *run)
{
    if (!check_run(o, run) || !check_terms(o, run) || !check_values(o))
        return 0;
    kane_model *model = kane_model_create(run->vehicle, run->track, &run->drive, &run->model, o->study.errors);
    o->travels        = run->track != NULL;
    o->settings       = run->settings;
    o->vehicle        = kane_arena_text(o->study.arena, run->vehicle->name);
    o->is.conditions  = (int)kane_grid_size(&o->grid);
    const int good    = model && choose_terms(o, model) && o->choose(o, run, model);
    kane_model_free(model);
    o->study.group      = o->is.terms + (o->asked->conclusion_count > 0); // of conclusions also the complete model's
    o->study.case_count = o->is.conditions * o->study.group;
    return good && kane_study_take_inputs(&o->study, run);
}

int kane_omission_prepare(void *self)
{
    kane_omission_setup *o = self;
    o->grid                = (kane_grid){o->asked->axis_count, o->asked->axes};
    kane_run *run          = check_lists(o) && check_ride(o) ? read_with(o, 0, NULL, o->study.errors) : NULL;
    const int good         = run && prepare_run(o, kane_run_get_definition(run));
    kane_run_free(run);
    return good;
}

void kane_omission_describe_cases(kane_writer *w, const kane_omission_setup *o)
{
    kane_axes_describe(w, "conditions", o->grid.axis_count, o->grid.axes, 0);
    kane_write_texts(w, "terms", o->is.terms, o->is.term);
}

static void describe_omission(kane_writer *w, const void *self)
{
    const kane_omission_setup *o = self;
    kane_omission_describe_cases(w, o);
    kane_writer_open(w, "responses", '[');
    for (int r = 0; r < o->is.responses; r++) {
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "response", o->is.response[r]);
        kane_writer_text(w, "unit", o->is.unit[r]);
        kane_write_texts(w, "channels", o->channels[r].count, o->channels[r].names);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static int write_omission_report(void *self, const kane_plan *plan)
{
    return kane_omission_report_fill(self, plan) && kane_omission_write(self) && kane_omission_draw(self);
}

void kane_omission_end(void *self)
{
    kane_omission_forget(self);
}

static const kane_study_kind omission = {.name     = "omission",
                                         .prepare  = kane_omission_prepare,
                                         .describe = describe_omission,
                                         .work     = kane_omission_work,
                                         .finish   = write_omission_report,
                                         .end      = kane_omission_end};

kane_omission_setup *kane_omission_carry_out(const kane_study_kind *kind, kane_omission_choose *choose,
                                             const kane_omission_study *asked, kane_status *status, kane_errors *errors)
{
    kane_omission_setup *o = kane_allocate(1, sizeof *o);
    int complete           = 0;
    if (!o) {
        *status = kane_no_memory(errors);
        return NULL;
    }
    *o      = (kane_omission_setup){.study     = {.keep = asked->keep},
                                    .asked     = asked,
                                    .choose    = choose,
                                    .condition = -1,
                                    .is        = {.own = o},
                                    .decided   = {.own = o}};
    *status = kane_study_begin(kind, o, asked->file, asked->common, asked->execution.directory, errors);
    if (*status == KANE_OK)
        *status = kane_study_go(kind, o, &asked->execution, &complete);
    o->study.errors = &o->study.unreported; // the report outlives those of the caller
    if (complete)
        return o;
    kane_omission_report_free(&o->is);
    return NULL;
}

kane_status kane_study_omission(const kane_omission_study *asked, kane_omission_report **report, kane_errors *errors)
{
    kane_status status;
    kane_omission_setup *o = kane_omission_carry_out(&omission, choose_responses, asked, &status, errors);
    *report                = o ? &o->is : NULL;
    return status;
}

void kane_omission_report_free(kane_omission_report *report)
{
    if (!report)
        return;
    kane_omission_setup *o = report->own;
    kane_study_end(&omission, o);
    kane_release(o);
}
