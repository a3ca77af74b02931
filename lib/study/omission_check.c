// SPDX-License-Identifier: MIT
// What may be wrong with an omission study, told before the first run.

#include "study/omission_setup.h"

#include "base/text.h"
#include "study/axis.h"

#include <math.h>
#include <string.h>

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

// No path twice nor in a setting, not too many values, none twice.
static int check_axis(const kane_omission_study *study, int a, kane_errors *errors)
{
    const kane_axis *axis = study->axes[a];
    const int before      = errors->count;
    for (int b = 0; b < a; b++)
        if (strcmp(kane_axis_path(axis->path), kane_axis_path(study->axes[b]->path)) == 0)
            kane_errors_add(errors, KANE_BAD_INPUT, "two lists give values of %s", kane_axis_path(axis->path));
    const char *rival = study->common ? kane_axis_rival(axis, study->common->settings) : NULL;
    if (rival)
        kane_errors_add(errors, KANE_BAD_INPUT, "the list of %s and the setting '%s' contradict each other", axis->path,
                        rival);
    if (axis->count > KANE_OMISSION_VALUES_MOST) {
        kane_errors_add(errors, KANE_BAD_INPUT, "%d values of %s are more than %d", axis->count, axis->path,
                        KANE_OMISSION_VALUES_MOST);
        return 0;
    }
    for (int i = 0; i < axis->count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(axis->texts[i], axis->texts[k]) == 0 || axis->numbers[i] == axis->numbers[k])
                kane_errors_add(errors, KANE_BAD_INPUT, "%s is given twice in the list of %s", axis->texts[i],
                                axis->path);
    check_signs(axis, errors);
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

int kane_omission_check_size(double conditions, int terms, kane_errors *errors)
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
    double conditions = 1.0;
    for (int a = 0; a < study->axis_count; a++) {
        good = check_axis(study, a, errors) && good;
        conditions *= study->axes[a]->count;
    }
    return good && kane_omission_check_size(conditions, 1, errors);
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

// Condition in which only the value of one axis is other than the first.
static int condition_of(const kane_omission_grid *grid, int axis, int value)
{
    int condition = 0;
    for (int a = 0; a < grid->axis_count; a++)
        condition = condition * grid->axes[a]->count + (a == axis ? value : 0);
    return condition;
}

// Every value of every axis must be possible, with the first values of the others.
static int check_values(const kane_omission_setup *setup, kane_errors *errors)
{
    for (int a = 0; a < setup->grid.axis_count; a++)
        for (int i = 1; i < setup->grid.axes[a]->count; i++) {
            kane_arena *arena = kane_arena_create();
            kane_run *run  = arena ? kane_omission_read(setup, condition_of(&setup->grid, a, i), arena, errors) : NULL;
            const int good = run != NULL;
            kane_run_free(run);
            kane_arena_free(arena);
            if (!good)
                return 0;
        }
    return 1;
}

int kane_omission_check_study(const kane_omission_study *study, kane_errors *errors)
{
    return check_lists(study, errors) && check_ride(study, errors);
}

int kane_omission_check_run(const kane_omission_setup *setup, const kane_run_definition *run, kane_errors *errors)
{
    return check_run(setup->study, run, errors) && check_terms(setup->study, run, errors) &&
           check_values(setup, errors);
}
