// SPDX-License-Identifier: MIT
// One case of an omission study: a run without a term, compared with the complete one.

#include "study/omission_compare.h"
#include "study/omission_setup.h"

#include "base/arena.h"
#include "base/text.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

static const int rows_of_a_piece = 3; // of the line, or of the speed, for which nothing can hide between rows

// --- the complete run of a condition ---

void kane_omission_worker_end(kane_omission_worker *w)
{
    kane_results_free(w->complete);
    kane_run_free(w->run);
    kane_arena_free(w->arena);
    w->complete  = NULL;
    w->run       = NULL;
    w->arena     = NULL;
    w->condition = -1;
}

// The complete run cannot be compared with: every case of the condition fails for the same reason.
static void give_up(kane_omission_worker *w, const kane_errors *errors)
{
    kane_run_free(w->run);
    w->run = NULL;
    kane_text_copy(sizeof w->why, w->why, errors->count > 0 ? errors->kept[0].text : "out of memory");
}

// The largest step between two rows [m]; without a track [s].
static double coarsest(const kane_results *run)
{
    const double *x = kane_results_values(run, kane_omission_progress(run));
    double most     = 0.0;
    for (int k = 1; k < kane_results_row_count(run); k++)
        most = fmax(most, x[k] - x[k - 1]);
    return most;
}

// Terms change only where the line or the acceleration does: if every piece of them has some rows, what is zero in all rows
// is zero between them. Of a driven vehicle nobody knows, nor of frames that move by functions of time.
static int is_fine(const kane_run_definition *run, const kane_results *complete)
{
    const double step = rows_of_a_piece * coarsest(complete);
    if (!run->track || run->vehicle->given_frame_count > 0 || run->drive.kind != KANE_DRIVE_PRESCRIBED ||
        run->drive.curve.point_count > 0)
        return 0;
    for (int i = 0; i < kane_track_piece_count(run->track); i++)
        if (kane_track_piece_start(run->track, i + 1) - kane_track_piece_start(run->track, i) < step)
            return 0;
    for (int i = 0; i + 1 < run->drive.piece_count; i++)
        if (run->drive.pieces[i + 1].time - run->drive.pieces[i].time < rows_of_a_piece * run->output.every)
            return 0;
    return 1;
}

static void prepare(kane_omission_worker *w, int condition)
{
    kane_errors errors = {0};
    if (w->condition == condition)
        return;
    kane_omission_worker_end(w);
    w->condition = condition;
    w->arena     = kane_arena_create();
    w->run       = w->arena ? kane_omission_read(w->setup, condition, w->arena, &errors) : NULL;
    if (w->run)
        w->complete = kane_omission_carry_out(w->setup, w->run, KANE_OMISSION_COMPLETE, &w->outcome, &errors);
    if (!w->complete || w->outcome.status != KANE_OK)
        give_up(w, &errors);
    else
        w->is_fine = is_fine(kane_run_get_definition(w->run), w->complete);
}

// --- one term ---

// Whether channels show what a term is, or the sum of its impulses, of which one is what a row adds.
typedef enum showing { AS_IT_IS, SUMMED } showing;

// Largest size of the channels of a term with a unit; NaN if it has none.
static double largest(const kane_results *complete, const char *pattern, const char *unit, showing how)
{
    double most = NAN;
    for (int c = 0; c < kane_results_column_count(complete); c++) {
        const kane_column *column = kane_results_column(complete, c);
        const double *values      = kane_results_values(complete, c);
        if (strcmp(column->unit, unit) != 0 || fnmatch(pattern, column->name, 0) != 0)
            continue;
        most = isnan(most) ? 0.0 : most;
        for (int k = 0; k < kane_results_row_count(complete); k++)
            most = fmax(most, fabs(values[k] - (how == SUMMED && k > 0 ? values[k - 1] : 0.0)));
    }
    return most;
}

// Largest force and torque of a term, and its largest impulses; 1 if all are exactly zero.
static int weigh(const kane_omission_worker *w, const char *term, double *values)
{
    static const struct {
        const char *what, *unit;
        showing how;
        int at;
    } kinds[] = {{"imaginary", "N", AS_IT_IS, KANE_OMISSION_LARGEST},
                 {"imaginary", "N m", AS_IT_IS, KANE_OMISSION_LARGEST + 1},
                 {"impulse", "N s", SUMMED, KANE_OMISSION_IMPULSE},
                 {"impulse", "N m s", SUMMED, KANE_OMISSION_IMPULSE + 1}};
    int known = 0, zero = 1;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char pattern[256];
        double *value = &values[kinds[i].at];
        *value        = NAN;
        if (term[0] && kane_omission_channels(kinds[i].what, term, sizeof pattern, pattern))
            *value = largest(w->complete, pattern, kinds[i].unit, kinds[i].how);
        known = known || !isnan(*value);
        zero  = zero && !(*value > 0.0);
    }
    return w->is_fine && known && zero;
}

static int find_channel(const kane_omission_response *response, const char *name)
{
    for (int i = 0; i < response->channel_count; i++)
        if (strcmp(response->channels[i], name) == 0)
            return i;
    return -1;
}

static void compare(const kane_omission_worker *w, const kane_results *omitting, double *values)
{
    for (int r = 0; r < w->setup->response_count; r++) {
        const kane_omission_response *response = &w->setup->responses[r];
        const kane_omission_difference d       = kane_omission_compare(w->complete, omitting, response->pattern);
        const char *name                       = d.column < 0 ? "" : kane_results_column(w->complete, d.column)->name;
        double *own                            = &values[KANE_OMISSION_RESPONSES + KANE_OMISSION_PER_RESPONSE * r];
        own[KANE_OMISSION_CHANNEL]             = find_channel(response, name);
        own[KANE_OMISSION_DIFFERENCE]          = d.difference;
        own[KANE_OMISSION_AT]                  = d.at;
        own[KANE_OMISSION_RMS]                 = d.rms;
        own[KANE_OMISSION_RANGE]               = d.range;
    }
}

static void tell(const kane_omission_worker *w, const kane_outcome *own, double *values)
{
    values[KANE_OMISSION_STOP]         = w->outcome.stop;
    values[KANE_OMISSION_STOP + 1]     = own->stop;
    values[KANE_OMISSION_DISTANCE]     = w->setup->travels ? w->outcome.distance : w->outcome.time;
    values[KANE_OMISSION_DISTANCE + 1] = w->setup->travels ? own->distance : own->time;
}

// The run of a term. One that the integrator gives up is a result as well: without the term the vehicle cannot be followed.
static void carry_out(kane_omission_worker *w, int term, kane_case *result)
{
    kane_outcome outcome   = {.status = KANE_OK};
    kane_errors errors     = {0};
    kane_results *omitting = kane_omission_carry_out(w->setup, w->run, term, &outcome, &errors);
    const char *why        = errors.count > 0 ? errors.kept[0].text : "";
    kane_text_copy(sizeof result->why, result->why, why);
    if (omitting && (outcome.status == KANE_OK || outcome.stop == KANE_STOP_FAILED)) {
        tell(w, &outcome, result->values);
        compare(w, omitting, result->values);
        result->state = KANE_CASE_DONE;
    } else {
        result->state = KANE_CASE_FAILED;
    }
    kane_results_free(omitting);
}

void kane_omission_work(int index, kane_case *result, void *data)
{
    kane_omission_worker *w          = data;
    const kane_omission_setup *setup = w->setup;
    const int term                   = index % setup->terms.count;
    prepare(w, index / setup->terms.count);
    if (!w->run) {
        result->state = KANE_CASE_FAILED;
        kane_text_copy(sizeof result->why, result->why, w->why);
        return;
    }
    const int is_zero                  = weigh(w, setup->terms.texts[term], result->values);
    result->values[KANE_OMISSION_ZERO] = is_zero;
    if (is_zero) {
        tell(w, &w->outcome, result->values);
        compare(w, w->complete, result->values);
        result->state = KANE_CASE_DONE;
    } else {
        carry_out(w, term, result);
    }
}
