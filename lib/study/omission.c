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

int kane_omission_run_of(const kane_omission_setup *o, int condition)
{
    return condition / (o->is.conditions / o->runs); // the first axis, the slowest one
}

kane_omission *kane_omission_define(const kane_omission_setup *o, int number, const kane_run_definition *run, int term,
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
            (kane_omission){o->own_terms[number * o->is.terms + (is_pair ? o->pairs[2 * term + i] : term)], place};
    return omissions;
}

kane_results *kane_omission_run_cases(const kane_omission_setup *o, int condition, const kane_run *run, int term,
                                      const char *name, kane_outcome *outcome, kane_errors *errors)
{
    const int number   = kane_omission_run_of(o, condition);
    const int patterns = o->is.responses + (term == KANE_OMISSION_COMPLETE ? OWN_PATTERNS : 0);
    kane_run_definition own;
    kane_omission *omissions = kane_omission_define(o, number, kane_run_get_definition(run), term, &own, errors);
    const char **of          = o->patterns + number * o->pattern_count;
    kane_results *results    = omissions ? kane_study_rows(&o->study, name, &own, patterns, of, outcome, errors) : NULL;
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
    const kane_grid settings = {o->asked->axis_count, o->asked->axes}; // names of runs are none
    int is_good              = kane_grid_check(&settings, o->study.common.settings, 0, errors);
    for (int i = 0; i < o->asked->run_count && is_good; i++)
        is_good = kane_grid_check(&settings, o->asked->runs[i].settings, 0, errors);
}

// Of several runs nothing can be taken from the model of the first one.
static void check_runs(const kane_omission_setup *o)
{
    const kane_omission_study *study = o->asked;
    if (study->run_count == 0)
        return;
    if (study->all || study->omission_count == 0)
        report_bad_omission(o, "several runs have several models: name the terms by --omit");
    if (study->response_count == 0)
        report_bad_omission(o, "several runs have several models: name the responses by --response");
    if (study->conclusion_count > 0)
        report_bad_omission(o, "--decides takes one run: make a study of each");
    for (int i = 0; i < study->run_count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(study->runs[i].name, study->runs[k].name) == 0)
                kane_errors_add(o->study.errors, KANE_BAD_INPUT, "two runs are called '%s'", study->runs[i].name);
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
    check_runs(o);
    if (o->grid.axis_count > KANE_OMISSION_AXES_MOST)
        kane_errors_add(errors, KANE_BAD_INPUT, "%d lists of conditions are more than %d", o->grid.axis_count,
                        KANE_OMISSION_AXES_MOST);
    else
        check_axes(o);
    return errors->count == before && check_size(o, 1);
}

// Accelerations take the place of the run's own speed pieces; a run that says otherwise how fast it goes has none.
static void check_drive(const kane_omission_setup *o, const char *file, const kane_drive_definition *drive)
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
            file, says);
}

static const char *file_of(const kane_omission_setup *o, int number)
{
    return o->study.runs ? o->study.runs[number].file : o->study.file;
}

// What a run says of itself is known before conditions of a ride are set: speed, acceleration, radius, cant, shape.
static int check_ride(const kane_omission_setup *o, int number)
{
    kane_errors nobody = {.limit = 1}; // errors of the file are reported when conditions are read
    const int before   = o->study.errors->count;
    const char *rides  = NULL;
    int accelerates    = 0;
    for (int a = 0; a < o->asked->axis_count; a++) {
        const char *path = o->asked->axes[a]->path;
        if (strcmp(kane_axis_path(path), path) != 0)
            rides = path;
        accelerates |= strcmp(kane_axis_path(path), kane_axis_path("acceleration")) == 0;
    }
    kane_run *run                 = rides || accelerates ? kane_study_read_run(&o->study, number, NULL, &nobody) : NULL;
    const kane_run_definition *is = run ? kane_run_get_definition(run) : NULL;
    if (is && !is->track)
        kane_errors_add(o->study.errors, KANE_BAD_INPUT,
                        "%s: a mechanism does not run along a track, so a study of it takes no list of %s",
                        file_of(o, number), rides ? rides : "acceleration");
    else if (is && accelerates)
        check_drive(o, file_of(o, number), &is->drive);
    kane_run_free(run);
    return o->study.errors->count == before;
}

static int check_run(const kane_omission_setup *o, int number, const kane_run_definition *run)
{
    const int before = o->study.errors->count;
    if (!run->track && run->vehicle->given_frame_count == 0)
        kane_errors_add(o->study.errors, KANE_BAD_INPUT,
                        "%s: the mechanism has no moving frame (no \"frames\"), and so no imaginary forces to omit",
                        file_of(o, number));
    else if (run->model.formulation == KANE_FIXED)
        kane_errors_add(o->study.errors, KANE_BAD_INPUT,
                        "%s: in the fixed formulation there are no imaginary terms to omit; use the moving one",
                        file_of(o, number));
    else if (number > 0 && (run->track != NULL) != o->travels)
        kane_errors_add(o->study.errors, KANE_BAD_INPUT,
                        "%s: runs along tracks and of mechanisms have no conditions in common: make a study of each",
                        file_of(o, number));
    return o->study.errors->count == before;
}

// Every value of every axis must be possible, with the first values of the others.
static int check_values(const kane_omission_setup *o, int number)
{
    const int first = o->study.runs != NULL;
    for (int a = first; a < o->grid.axis_count; a++)
        for (int i = 1; i < o->grid.axes[a]->count; i++) {
            int value[KANE_OMISSION_AXES_MOST] = {number};
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

// What a text names with the name of a body first, behind which `end` follows, as a run has it.
static const char *resolve_alias(const kane_omission_setup *o, int number, const char *text, char end)
{
    const kane_omission_run *run = o->study.runs ? &o->study.runs[number] : NULL;
    for (int i = 0; run && i < run->alias_count; i++) {
        const char *name = run->aliases[i][0], *pattern = run->aliases[i][1];
        const size_t length = strlen(name), size = strlen(pattern) + strlen(text) + 1;
        if (strncmp(text, name, length) != 0 || text[length] != end)
            continue;
        char *own = kane_arena_alloc(o->study.arena, size, 1);
        if (own)
            (void)snprintf(own, size, "%s%s", pattern, text + length);
        return own;
    }
    return text;
}

// Names for bodies of a run must be none of its own bodies: a term would mean others than it says.
static void check_aliases(const kane_omission_setup *o, int number, const kane_run_definition *run)
{
    const kane_omission_run *of = o->study.runs ? &o->study.runs[number] : NULL;
    for (int i = 0; of && i < of->alias_count; i++)
        for (int j = 0; j < run->vehicle->body_count; j++)
            if (strcmp(run->vehicle->bodies[j].block.name, of->aliases[i][0]) == 0)
                kane_errors_add(o->study.errors, KANE_BAD_INPUT,
                                "run %s: \"bodies\" gives other bodies the name '%s' of a body; take another name",
                                of->name, of->aliases[i][0]);
}

// Makes a model without each of the given terms, to report those that do not exist.
static int check_terms(const kane_omission_setup *o, int number, const kane_run_definition *run)
{
    const kane_omission_study *study = o->asked;
    const int before                 = o->study.errors->count;
    check_aliases(o, number, run);
    for (int i = 0; i < study->omission_count; i++) {
        char place[256];
        kane_text at                 = kane_text_start(sizeof place, place);
        const char *own              = resolve_alias(o, number, study->omissions[i], ':');
        const kane_omission omission = {own ? own : "", {.file = place, .path = ""}};
        kane_model_options options   = run->model;
        kane_text_add(&at, "--omit %s", study->omissions[i]);
        if (o->study.runs)
            kane_text_add(&at, ": run %s", o->study.runs[number].name);
        options.omission_count = 1;
        options.omissions      = &omission;
        kane_model_free(kane_model_create(run->vehicle, run->track, &run->drive, &options, o->study.errors));
        for (int k = 0; k < i && number == 0; k++)
            if (strcmp(study->omissions[k], study->omissions[i]) == 0)
                kane_errors_add_input(o->study.errors, KANE_BAD_INPUT, omission.place, "is given twice");
    }
    return o->study.errors->count == before;
}

// The terms, and as every run has them. 0 without memory.
static int resolve_terms(kane_omission_setup *o, const kane_omission_terms *terms)
{
    o->is.terms  = terms->count;
    o->is.term   = terms->texts;
    o->own_terms = kane_arena_alloc(o->study.arena, (size_t)o->runs * (size_t)terms->count, sizeof *o->own_terms);
    for (int i = 0; o->own_terms && i < o->runs * terms->count; i++)
        o->own_terms[i] = resolve_alias(o, i / terms->count, terms->texts[i % terms->count], ':');
    return !kane_arena_failed(o->study.arena);
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
    if (kane_arena_failed(arena))
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
    if (!resolve_terms(o, &terms))
        return kane_study_no_memory(&o->study);
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

// Of the first `count` patterns, which are as typed, those of every run; behind them what the complete run records.
static void resolve_patterns(kane_omission_setup *o, int count)
{
    const char **typed = kane_arena_alloc(o->study.arena, (size_t)count, sizeof *typed);
    o->is.responses    = count;
    o->is.response     = typed;
    o->pattern_count   = count + OWN_PATTERNS;
    if (!typed)
        return;
    memcpy(typed, o->patterns, (size_t)count * sizeof *typed);
    for (int i = 0; i < o->runs * o->pattern_count; i++) {
        const int number = i / o->pattern_count, r = i % o->pattern_count;
        o->patterns[i] = r < count ? resolve_alias(o, number, typed[r], '.') : own_patterns[r - count];
    }
}

// Patterns of the responses, own or default, and behind them what the complete run records besides.
static void choose_patterns(kane_omission_setup *o, const kane_run_definition *run)
{
    const kane_omission_study *study       = o->asked;
    const kane_vehicle_definition *vehicle = run->vehicle;
    const size_t room = (size_t)study->response_count + KANE_COORDINATES * BODIES_MOST + 2 * FORCES + OWN_PATTERNS;
    int count = 0, bodies = 0;
    o->patterns = kane_arena_alloc(o->study.arena, (size_t)o->runs * room, sizeof *o->patterns);
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
    if (o->patterns)
        resolve_patterns(o, count);
}

// Channels of a response in a run, and their unit; 0 with an error if they have different ones.
static int fill_response(kane_omission_setup *o, int number, const kane_channels *channels, int r, const char **unit)
{
    const char *typed = o->is.response[r], *pattern = o->patterns[number * o->pattern_count + r];
    const char **names = kane_arena_alloc(o->study.arena, (size_t)kane_channels_count(channels), sizeof *names);
    int count          = 0;
    for (int i = 0; names && i < kane_channels_count(channels); i++) {
        const kane_channel_info *info = kane_channels_info(channels, i);
        if (!kane_omission_matches(pattern, info->name))
            continue;
        if (count == 0 && !*unit)
            *unit = kane_arena_text(o->study.arena, info->unit);
        names[count++] = kane_arena_text(o->study.arena, info->name);
        if (!kane_arena_failed(o->study.arena) && strcmp(*unit, info->unit) != 0) {
            kane_errors_add(o->study.errors, KANE_BAD_INPUT,
                            "--response %s: %s is in %s, %s in %s; the channels of a response have one unit", typed,
                            names[0], *unit, info->name, info->unit);
            return 0;
        }
    }
    if (names && count == 0)
        kane_errors_add(o->study.errors, KANE_BAD_INPUT,
                        "--response %s: only imaginary terms match; type \"imaginary.%s\"", typed, pattern);
    o->channels[number * o->is.responses + r] = (kane_omission_channels){count, names};
    return count > 0 || (!names && kane_study_no_memory(&o->study));
}

// Places in messages: "--response car body.yaw: run wagon". NULL without memory.
static const kane_place *place_responses(const kane_omission_setup *o, int number)
{
    kane_place *places = kane_arena_alloc(o->study.arena, (size_t)o->is.responses, sizeof *places);
    for (int r = 0; places && r < o->is.responses; r++) {
        char text[256] = "--response";
        if (o->study.runs)
            (void)snprintf(text, sizeof text, "--response %s: run %s", o->is.response[r], o->study.runs[number].name);
        places[r] = (kane_place){.file = kane_arena_text(o->study.arena, text), .path = ""};
    }
    return kane_arena_failed(o->study.arena) ? NULL : places;
}

// Of the first run units and room for all, of every run channels.
static int choose_responses(kane_omission_setup *o, int number, const kane_run_definition *run, const kane_model *model)
{
    if (number == 0)
        choose_patterns(o, run);
    const size_t count = (size_t)o->is.responses;
    if (number == 0) {
        o->is.unit  = kane_arena_alloc(o->study.arena, count, sizeof *o->is.unit);
        o->channels = kane_arena_alloc(o->study.arena, (size_t)o->runs * count, sizeof *o->channels);
    }
    const kane_place *places = kane_arena_failed(o->study.arena) ? NULL : place_responses(o, number);
    if (!places)
        return kane_study_no_memory(&o->study);
    kane_channels *channels =
        kane_channels_create_model(model, (int)count, o->patterns + number * o->pattern_count, places, o->study.errors);
    int good = channels != NULL;
    for (int r = 0; good && r < (int)count; r++)
        good = fill_response(o, number, channels, r, (const char **)(uintptr_t)&o->is.unit[r]);
    kane_channels_free(channels);
    o->study.value_count =
        (int)((sizeof(kane_omission_record) + count * sizeof(kane_omission_difference)) / sizeof(double));
    return good;
}

// --- the study ---

// Checks a run with the first values of the other axes; the first one says what the study consists of.
static int prepare_run(kane_omission_setup *o, int number, const kane_run_definition *run)
{
    if (!check_run(o, number, run) || !check_terms(o, number, run))
        return 0;
    if (number == 0) {
        o->travels  = run->track != NULL;
        o->settings = run->settings;
        o->vehicle  = kane_arena_text(o->study.arena, o->study.runs ? o->study.file : run->vehicle->name);
    }
    kane_model *model = check_values(o, number)
                            ? kane_model_create(run->vehicle, run->track, &run->drive, &run->model, o->study.errors)
                            : NULL;
    const int good    = model && (number > 0 || choose_terms(o, model)) && o->choose(o, number, run, model);
    kane_model_free(model);
    return good && kane_study_take_inputs(&o->study, run);
}

// The conditions: names of several runs, then the axes that were asked for.
static int make_grid(kane_omission_setup *o)
{
    const kane_omission_study *study = o->asked;
    kane_arena *arena                = o->study.arena;
    const int first                  = study->run_count > 0;
    o->runs                          = first ? study->run_count : 1;
    o->study.runs                    = first ? study->runs : NULL;
    o->grid                          = (kane_grid){study->axis_count, study->axes};
    if (!first)
        return 1;
    const kane_axis **axes = kane_arena_alloc(arena, (size_t)study->axis_count + 1, sizeof *axes);
    const char **names     = kane_arena_alloc(arena, (size_t)o->runs, sizeof *names);
    for (int i = 0; i < o->runs && names; i++)
        names[i] = study->runs[i].name;
    const kane_axis *runs = kane_arena_failed(arena) ? NULL : kane_axis_of_names(arena, "run", o->runs, names);
    if (!runs)
        return kane_study_no_memory(&o->study);
    axes[0] = runs;
    for (int a = 0; a < study->axis_count; a++)
        axes[a + 1] = study->axes[a];
    o->grid = (kane_grid){study->axis_count + 1, axes};
    return 1;
}

// Conditions and what is omitted under each; of conclusions first nothing.
static int set_cases(kane_omission_setup *o)
{
    const int complete = o->asked->conclusion_count > 0, axes = o->grid.axis_count;
    kane_arena *arena                          = o->study.arena;
    const kane_axis *all[KANE_STUDY_AXES_MOST] = {NULL};
    o->study.group                             = o->is.terms + complete;
    const char **omitted                       = kane_arena_alloc(arena, (size_t)o->study.group, sizeof *omitted);
    for (int i = 0; i < o->study.group && omitted; i++) // term 0 is the accuracy
        omitted[i] = i < complete ? "nothing" : i == complete ? "nothing, finer" : o->is.term[i - complete];
    for (int a = 0; a < axes; a++)
        all[a] = o->grid.axes[a];
    if (omitted)
        all[axes] = kane_axis_of_names(arena, "omitted", o->study.group, omitted);
    return all[axes] ? kane_study_set_cases(&o->study, axes + 1, all) : kane_study_no_memory(&o->study);
}

int kane_omission_prepare(void *self)
{
    kane_omission_setup *o = self;
    int good               = make_grid(o) && check_lists(o);
    o->is.conditions       = good ? (int)kane_grid_size(&o->grid) : 0;
    for (int number = 0; good && number < o->runs; number++) {
        kane_run *run =
            check_ride(o, number) ? read_with(o, number * (o->is.conditions / o->runs), NULL, o->study.errors) : NULL;
        good = run && prepare_run(o, number, kane_run_get_definition(run));
        kane_run_free(run);
    }
    return good && set_cases(o);
}

void kane_omission_describe_cases(kane_writer *w, const kane_omission_setup *o)
{
    kane_axes_describe(w, "conditions", o->grid.axis_count, o->grid.axes, 0);
    kane_write_texts(w, "terms", o->is.terms, o->is.term);
}

// Several runs: files, own settings, terms as they have them.
static void describe_runs(kane_writer *w, const kane_omission_setup *o)
{
    if (!o->study.runs)
        return;
    kane_writer_open(w, "runs", '[');
    for (int i = 0; i < o->runs; i++) {
        const kane_omission_run *run = &o->study.runs[i];
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "name", run->name);
        kane_writer_text(w, "run", run->file);
        kane_write_texts(w, "settings", kane_texts_count(run->settings), run->settings);
        kane_write_texts(w, "terms", o->is.terms, o->own_terms + i * o->is.terms);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static void describe_omission(kane_writer *w, const void *self)
{
    const kane_omission_setup *o = self;
    describe_runs(w, o);
    kane_omission_describe_cases(w, o);
    kane_writer_open(w, "responses", '[');
    for (int i = 0; i < o->runs * o->is.responses; i++) {
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "response", o->is.response[i % o->is.responses]);
        kane_writer_text(w, "unit", o->is.unit[i % o->is.responses]);
        kane_write_texts(w, "channels", o->channels[i].count, o->channels[i].names);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static int write_omission_report(void *self, const kane_plan *plan)
{
    return kane_omission_report_fill(self, plan) && kane_omission_write(self) && kane_omission_draw(self) &&
           kane_omission_draw_rules(self);
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
