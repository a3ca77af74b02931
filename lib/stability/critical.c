// SPDX-License-Identifier: MIT
// Critical speeds: both sweeps and the linear analysis in parallel, then fresh runs that check points of the sweeps.

#include "stability/critical.h"

#include "base/file.h"
#include "base/number.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { HALVINGS_MOST = 64 };
static const double finest = 1e-6; // resolution over the step: twenty halvings

const char *kane_motion_name(kane_motion motion)
{
    static const char *const names[] = {"not settled", "growing", "decaying", "died", "settled", "derailed"};
    return names[motion];
}

const char *kane_sweep_name(kane_sweep sweep)
{
    return sweep == KANE_SWEEP_DOWN ? "down" : "up";
}

const char *kane_check_name(kane_check check)
{
    static const char *const names[] = {"", "same", "other"};
    return names[check];
}

kane_critical_rules kane_critical_rules_default(void)
{
    return (kane_critical_rules){
        .tolerance = 1e-3, .quiet = 1e-5, .cycles = 8, .sample = 2e-3, .patience = 60.0, .drifting = 400.0};
}

kane_critical_study kane_critical_study_default(void)
{
    return (kane_critical_study){
        .from = 10.0, .step = 2.0, .resolution = 0.1, .disturbance = 6e-3, .rules = kane_critical_rules_default()};
}

// --- functions of threads ---

// Appends errors and ends the study. Needs the lock.
static void add_errors(search *s, const kane_errors *errors)
{
    kane_errors_append(s->errors, errors);
    s->ended = 1;
}

void search_fail(search *s, const kane_errors *errors)
{
    kane_lock_take(&s->lock);
    if (!s->ended) // errors after the end are consequences of the first
        add_errors(s, errors);
    kane_lock_give(&s->lock);
}

int search_has_ended(search *s)
{
    kane_lock_take(&s->lock);
    const int ended = s->ended;
    kane_lock_give(&s->lock);
    return ended;
}

typedef struct watcher {
    search *search;
    double speed;
    kane_sweep sweep;
    int is_check;
} watcher;

static int report_progress(double time, double amplitude, void *data)
{
    const watcher *w                 = data;
    search *s                        = w->search;
    const kane_critical_study *study = s->study;
    kane_lock_take(&s->lock);
    const kane_critical_progress now = {.sweep     = w->sweep,
                                        .is_check  = w->is_check,
                                        .speed     = w->speed,
                                        .time      = time,
                                        .amplitude = amplitude,
                                        .done      = fmin((double)s->done / fmax(s->expected, 1.0), 1.0)};
    if (!s->ended && study->progress && study->progress(&now, study->data)) {
        kane_errors errors = {.limit = 1};
        kane_errors_add(&errors, KANE_INTERRUPTED, "%s: the points so far are kept",
                        kane_status_text(KANE_INTERRUPTED));
        add_errors(s, &errors);
    }
    const int ended = s->ended;
    kane_lock_give(&s->lock);
    return ended;
}

int visit_create(search *s, visit *v)
{
    kane_errors errors = {.limit = 1};
    *v                 = (visit){.swing     = kane_allocate((size_t)s->report->wheelset_count, sizeof *v->swing),
                                 .deviation = kane_allocate((size_t)s->report->state_count, sizeof *v->deviation)};
    if (v->swing && v->deviation)
        return 1;
    (void)kane_no_memory(&errors);
    search_fail(s, &errors);
    return 0;
}

void visit_clear(visit *v)
{
    kane_release(v->swing);
    kane_release(v->deviation);
}

int search_run_speed(search *s, double speed, kane_sweep sweep, int is_check, const kane_beginning *begin, visit *v)
{
    watcher w          = {s, speed, sweep, is_check};
    kane_errors errors = {0};
    if (report_progress(0.0, 0.0, &w))
        return 0;
    kane_cycle *cycle  = kane_cycle_create(s->study, speed, &errors);
    kane_status status = cycle ? kane_cycle_start(cycle, begin, &errors) : KANE_BAD_INPUT;
    const int is_moot  = is_check && cycle && status != KANE_OK; // no pose on rigid rails with so large a disturbance
    if (status == KANE_OK)
        status = kane_cycle_run(cycle, &v->point, v->swing, report_progress, &w, &errors);
    if (status == KANE_OK && s->study->keep && s->study->directory && !is_check) {
        char file[4200];
        (void)kane_snprintf(file, sizeof file, "%s/%s-%.10g.csv", s->study->directory, kane_sweep_name(sweep), speed);
        status = kane_cycle_write(cycle, file, &errors);
    }
    if (status == KANE_OK) {
        v->point.sweep = sweep;
        kane_cycle_deviation(cycle, v->deviation);
        kane_lock_take(&s->lock);
        s->done++;
        kane_lock_give(&s->lock);
    } else if (errors.count > 0 && !is_moot) {
        search_fail(s, &errors);
    }
    kane_cycle_free(cycle);
    kane_errors_free(&errors);
    return status == KANE_OK;
}

void search_add(search *s, const visit *v)
{
    const size_t wheelsets = (size_t)s->report->wheelset_count, states = (size_t)s->report->state_count;
    branch *b          = &s->report->branch[v->point.sweep];
    const double sign  = v->point.sweep == KANE_SWEEP_UP ? 1.0 : -1.0;
    kane_errors errors = {0};
    kane_lock_take(&s->lock);
    if (b->count < b->most) {
        kane_critical_swing *swing = b->swings + (size_t)b->count * wheelsets;
        memcpy(swing, v->swing, wheelsets * sizeof *swing);
        memcpy(b->deviations + (size_t)b->count * states, v->deviation, states * sizeof *v->deviation);
        int i = b->count++;
        for (; i > 0 && sign * (b->points[i - 1].speed - v->point.speed) > 0.0; i--)
            b->points[i] = b->points[i - 1];
        b->points[i]       = v->point;
        b->points[i].swing = swing;
    }
    if (s->study->directory && write_points(s, &errors) != KANE_OK && !s->ended)
        add_errors(s, &errors);
    kane_lock_give(&s->lock);
    kane_errors_free(&errors);
}

const double *branch_deviation(const search *s, const branch *b, const kane_critical_point *point)
{
    const ptrdiff_t given = (point->swing - b->swings) / s->report->wheelset_count;
    return b->deviations + given * s->report->state_count;
}

static void run_task(int index, void *data)
{
    static void (*const tasks[])(search *) = {sweep_down, sweep_up, find_linear};
    tasks[index](data);
}

// --- before and after ---

int kane_critical_check(const kane_critical_study *study, kane_errors *errors)
{
    const int before = errors->count;
    if (!study->run->track)
        kane_errors_add(errors, KANE_BAD_INPUT, "a mechanism has no limit cycles on rails");
    const double to = search_fastest(study);
    if (!(study->from > 0.0 && study->from < to && isfinite(to)))
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "speeds from %g to %g m/s are none to sweep over: the slowest one must be "
                        "positive, and slower than the fastest",
                        study->from, to);
    if (!(study->step > 0.0 && 1e4 * study->step >= to - study->from))
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "a step of %g m/s is out of range: at most ten thousand of them, and more than 0", study->step);
    if (!(study->resolution > 0.0 && study->resolution >= finest * study->step))
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "a resolution of %g m/s is out of range: at least a millionth of the step, and more than 0",
                        study->resolution);
    if (!(study->disturbance > 0.0))
        kane_errors_add(errors, KANE_BAD_INPUT, "a disturbance of %g m is out of range, must be positive",
                        study->disturbance);
    return errors->count == before;
}

int kane_critical_report_find_wheelset(const kane_critical_report *r, const char *name)
{
    for (int w = 0; name && w < r->wheelset_count; w++)
        if (strcmp(r->wheelset[w], name) == 0)
            return w;
    return -1;
}

static int name_wheelsets(search *s, kane_errors *errors)
{
    kane_critical_report *r = s->report;
    kane_cycle *cycle       = kane_cycle_create(s->study, s->study->from, errors);
    if (!cycle)
        return 0;
    r->wheelset_count = kane_cycle_wheelset_count(cycle);
    r->state_count    = kane_model_state_count(kane_cycle_model(cycle));
    r->wheelset       = kane_arena_alloc(r->arena, (size_t)r->wheelset_count + 1, sizeof *r->wheelset);
    for (int w = 0; r->wheelset && w < r->wheelset_count; w++)
        r->wheelset[w] = kane_arena_text(r->arena, kane_cycle_wheelset(cycle, w));
    kane_cycle_free(cycle);
    if (kane_arena_failed(r->arena)) {
        (void)kane_no_memory(errors);
        return 0;
    }
    if (r->wheelset_count == 0)
        kane_errors_add(errors, KANE_BAD_INPUT, "'%s' has no wheelset", s->study->run->vehicle->name);
    else if (s->study->wheelset && kane_critical_report_find_wheelset(r, s->study->wheelset) < 0)
        kane_errors_add(errors, KANE_BAD_INPUT, "there is no wheelset '%s'; the first one is '%s'", s->study->wheelset,
                        r->wheelset[0]);
    else
        return 1;
    return 0;
}

static int make_room(search *s, kane_errors *errors)
{
    kane_critical_report *r = s->report;
    const int steps         = (int)ceil((s->study->to - s->study->from) / s->study->step) + 2;
    for (int i = 0; i < KANE_SWEEPS; i++) {
        branch *b     = &r->branch[i];
        b->most       = steps + HALVINGS_MOST;
        b->points     = kane_arena_alloc(r->arena, (size_t)b->most, sizeof *b->points);
        b->swings     = kane_arena_alloc(r->arena, (size_t)b->most * (size_t)r->wheelset_count, sizeof *b->swings);
        b->deviations = kane_arena_alloc(r->arena, (size_t)b->most * (size_t)r->state_count, sizeof *b->deviations);
    }
    s->expected = 2 * steps;
    if (!kane_arena_failed(r->arena))
        return 1;
    (void)kane_no_memory(errors);
    return 0;
}

// away: slowest speed with motion that does not decay [m/s]; rest: fastest slower speed at which it has died, with
// may_fade also at which it decays; NaN: none. Motion that still decays when time is up decides nothing about cycles
// (downward sweep), but shows that a small disturbance dies (upward sweep).
static void find_branch_end(const branch *b, int may_fade, double *away, double *rest)
{
    *away = *rest = (double)NAN;
    for (int i = 0; i < b->count; i++)
        if (!point_fades(&b->points[i]) && !(b->points[i].speed >= *away))
            *away = b->points[i].speed;
    for (int i = 0; i < b->count; i++) {
        const kane_critical_point *p = &b->points[i];
        const int rests              = p->motion == KANE_MOTION_DIED || (may_fade && point_fades(p));
        if (rests && p->speed < *away && !(p->speed <= *rest))
            *rest = p->speed;
    }
}

static void summarize_point(const search *s, const kane_critical_point *p)
{
    kane_critical_result *r = &s->report->result;
    r->unconfirmed += p->check == KANE_CHECK_OTHER;
    r->derailed += p->motion == KANE_MOTION_DERAILED;
    r->unsettled += point_lives(p) && p->motion != KANE_MOTION_SETTLED;
    for (int w = 0; w < s->report->wheelset_count && point_lives(p); w++) {
        r->farthest     = fmax(r->farthest, p->swing[w].farthest); // of a number and NaN the number
        r->peak_to_peak = fmax(r->peak_to_peak, 2.0 * p->swing[w].most);
    }
}

static void summarize_branches(search *s)
{
    kane_critical_report *r = s->report;
    find_branch_end(&r->branch[KANE_SWEEP_DOWN], 0, &r->result.nonlinear, &r->result.none);
    find_branch_end(&r->branch[KANE_SWEEP_UP], 1, &r->result.jump, &r->result.rest);
    for (int i = 0; i < kane_critical_report_count(r); i++)
        summarize_point(s, kane_critical_report_point(r, i));
}

// Writes all files, also of a study that has ended early.
static void write_all(search *s)
{
    kane_errors errors = {0};
    kane_status status = write_points(s, &errors);
    if (status == KANE_OK)
        status = write_result(s, &errors);
    if (status == KANE_OK && s->report->branch[KANE_SWEEP_DOWN].count + s->report->branch[KANE_SWEEP_UP].count > 0)
        status = draw_points(s, &errors);
    if (status != KANE_OK)
        add_errors(s, &errors);
    kane_errors_free(&errors);
}

// Default of the fastest speed: 1.1 times the linear critical speed, rounded up to a whole number of steps.
static int choose_fastest(search *s, kane_critical_study *study)
{
    kane_errors errors = {.limit = 1};
    const double *v    = &s->report->result.linear;
    find_linear(s);
    if (isfinite(*v))
        study->to = study->from + ceil((1.1 * *v - study->from) / study->step) * study->step;
    else
        kane_errors_add(&errors, KANE_BAD_INPUT,
                        "equilibrium is stable from %g m/s up to the fastest speed looked at: say from which speed to "
                        "sweep down",
                        study->from);
    if (errors.count > 0)
        search_fail(s, &errors);
    return !search_has_ended(s);
}

// Returns 0 if there is nothing to report.
static int run_study(search *s, kane_critical_study *study)
{
    const int knows_linear = study->to == 0.0;
    if (knows_linear && !choose_fastest(s, study))
        return 0;
    s->report->result.fastest = study->to;
    if (!make_room(s, s->errors))
        return 0;
    kane_pool_run(study->threads, knows_linear ? KANE_SWEEPS : KANE_SWEEPS + 1, run_task, s);
    if (!search_has_ended(s))
        check_branch(s);
    summarize_branches(s);
    if (study->directory)
        write_all(s);
    return 1;
}

kane_critical_report *kane_critical_find(const kane_critical_study *asked, kane_errors *errors)
{
    kane_errors unreported       = {.limit = 1};
    kane_errors *kept            = errors ? errors : &unreported;
    kane_critical_study study    = *asked;
    kane_arena *arena            = kane_critical_check(&study, kept) ? kane_arena_create() : NULL;
    kane_critical_report *report = arena ? kane_arena_alloc(arena, 1, sizeof *report) : NULL;
    search s                     = {.study = &study, .report = report, .errors = kept};
    if (!report) {
        if (kept->count == 0)
            (void)kane_no_memory(kept);
        kane_arena_free(arena);
        return NULL;
    }
    *report = (kane_critical_report){
        .arena = arena, .result = {.linear = NAN, .linear_frequency = NAN, .farthest = NAN, .peak_to_peak = NAN}};
    kane_lock_init(&s.lock);
    const int good = name_wheelsets(&s, kept) &&
                     (!study.directory || kane_directory_make(study.directory, kept) == KANE_OK) &&
                     run_study(&s, &study);
    kane_lock_end(&s.lock);
    if (good)
        return report;
    kane_arena_free(arena);
    return NULL;
}

kane_status kane_critical_find_linear(const kane_critical_study *study, kane_critical_result *result,
                                      kane_errors *errors)
{
    const int before            = errors->count;
    kane_critical_report report = {.result = {.linear = NAN, .linear_frequency = NAN, .nonlinear = NAN}};
    search s                    = {.study = study, .report = &report, .errors = errors};
    if (kane_critical_check(study, errors)) {
        kane_lock_init(&s.lock);
        find_linear(&s);
        kane_lock_end(&s.lock);
    }
    report.result.fastest = search_fastest(study);
    *result               = report.result;
    return errors->count > before ? kane_errors_status(errors, before) : KANE_OK;
}

void kane_critical_report_free(kane_critical_report *report)
{
    if (report)
        kane_arena_free(report->arena);
}

const kane_critical_result *kane_critical_report_result(const kane_critical_report *r)
{
    return &r->result;
}

const char *kane_critical_report_wheelset(const kane_critical_report *r, int wheelset)
{
    return wheelset < r->wheelset_count ? r->wheelset[wheelset] : NULL;
}

int kane_critical_report_count(const kane_critical_report *r)
{
    return r->branch[KANE_SWEEP_DOWN].count + r->branch[KANE_SWEEP_UP].count;
}

const kane_critical_point *kane_critical_report_point(const kane_critical_report *r, int index)
{
    const branch *down = &r->branch[KANE_SWEEP_DOWN];
    return index < down->count ? &down->points[index] : &r->branch[KANE_SWEEP_UP].points[index - down->count];
}
