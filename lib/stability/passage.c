// SPDX-License-Identifier: MIT
// A limit cycle on the run's own line. The run starts with the deviation from equilibrium that the cycle has there on
// an endless line; then the line, its cant and the drive act as in any run.

#include "stability/cycle.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "model/model.h"
#include "results/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PART = 3, COLUMNS = 12, PANELS = 3 }; // PART: cycles of a row

static const double small = 0.01; // disturbance from rest, over the study's
static const double close = 10.0; // amplitudes that are the same differ by less than this times the tolerance

// Points of one start for the picture.
typedef struct trace {
    int count, room;
    double *values; // [room][PANELS + 1]: distance [m]; amplitude, largest |y| [m]; curvature [1/m]
} trace;

typedef struct passing {
    const kane_critical_study *study;
    kane_table table;
    trace traces[KANE_PASSAGE_STARTS];
    kane_cycle *cycle; // that motion has come to on the endless line, or from rest
    double *deviation; // of it [states]
} passing;

const char *kane_passage_start_name(kane_passage_start start)
{
    static const char *const names[] = {"cycle", "finer", "rest"};
    return names[start];
}

// --- the cycle where the run starts ---

// The track there, constant over the vehicle: a start in equilibrium needs that, and says so.
static void place_study(kane_critical_study *study)
{
    const kane_track *track = study->run->track;
    const double s          = study->run->drive.start;
    kane_track_state state;
    kane_track_describe(track, kane_track_find(track, s), s, &state);
    study->curvature      = state.curvature;
    study->superelevation = state.superelevation;
}

// Motion at one speed, from the deviation so far, or from equilibrium with a disturbance along a mode. 0 with errors.
static int visit_speed(passing *p, double speed, int is_first, double amount, int is_run, kane_passage *passage,
                       kane_errors *errors)
{
    const kane_critical_study *study = p->study;
    kane_cycle *cycle                = kane_cycle_create(study, speed, errors);
    const int wheelsets              = cycle ? kane_cycle_wheelset_count(cycle) : 0;
    kane_critical_swing *swing       = kane_allocate((size_t)wheelsets + 1, sizeof *swing);
    kane_critical_point point        = {0};
    kane_status status               = cycle && swing ? KANE_OK : KANE_NO_MEMORY;
    if (cycle && !p->deviation) {
        p->deviation = kane_allocate((size_t)kane_model_state_count(kane_cycle_model(cycle)), sizeof *p->deviation);
        status       = p->deviation ? status : KANE_NO_MEMORY;
    }
    if (cycle && status != KANE_OK)
        (void)kane_no_memory(errors);
    const kane_beginning begin = is_first ? (kane_beginning){.way = KANE_PERTURB_MODE, .amount = amount}
                                          : (kane_beginning){.from = p->deviation, .part = 1.0};
    if (status == KANE_OK)
        status = kane_cycle_start(cycle, &begin, errors);
    if (status == KANE_OK && is_run) {
        status          = kane_cycle_run(cycle, &point, swing, NULL, NULL, errors);
        passage->motion = point.motion;
        passage->cycle  = swing[wheelsets > 0 ? point.largest : 0];
    }
    if (status == KANE_OK)
        kane_cycle_deviation(cycle, p->deviation);
    kane_release(swing);
    kane_cycle_free(p->cycle);
    p->cycle = cycle;
    return status == KANE_OK;
}

// From the study's fastest speed down to the run's. 0 with errors.
static int find_cycle(passing *p, kane_passage *passage, kane_errors *errors)
{
    const double speed = p->study->run->drive.speed;
    double now         = fmax(p->study->to, speed);
    int lives          = 0;
    for (;; now = fmax(now - p->study->step, speed)) {
        if (!visit_speed(p, now, !lives, p->study->disturbance, 1, passage, errors))
            return 0;
        lives = passage->motion != KANE_MOTION_DIED && passage->motion != KANE_MOTION_DERAILED;
        if (now == speed)
            return 1;
    }
}

// --- along the line ---

static void put_trace(trace *t, const double values[PANELS + 1])
{
    if (t->count == t->room) {
        const int room = 2 * t->room + 64;
        double *more   = kane_allocate((size_t)room * (PANELS + 1), sizeof *more);
        if (!more)
            return;
        if (t->count > 0)
            memcpy(more, t->values, (size_t)t->count * (PANELS + 1) * sizeof *more);
        kane_release(t->values);
        t->values = more;
        t->room   = room;
    }
    memcpy(t->values + (size_t)t->count++ * (PANELS + 1), values, (PANELS + 1) * sizeof *values);
}

// Where a run is: distance [m], speed [m/s].
typedef struct place {
    double distance, speed;
} place;

static place place_of(const passing *p, kane_cycle *cycle)
{
    double s, v, a;
    kane_get_travel(kane_simulation_work(kane_cycle_simulation(cycle)), &s, &v, &a);
    return (place){s - p->study->run->drive.start, v};
}

// A row for each wheelset, and a point of the picture.
static void put_part(passing *p, kane_passage_start start, const kane_cycle *cycle, int part, int parts, place from,
                     place to)
{
    const kane_track *track = p->study->run->track;
    const double s          = p->study->run->drive.start + to.distance;
    double most = 0.0, farthest = 0.0;
    kane_track_state state;
    kane_track_describe(track, kane_track_find(track, s), s, &state);
    for (int w = 0; w < kane_cycle_wheelset_count(cycle); w++) {
        const kane_oscillation o = kane_cycle_part(cycle, w, part, parts);
        most                     = fmax(most, o.amplitude);
        farthest                 = fmax(farthest, o.farthest);
        kane_table_add(&p->table, 1, (const kane_cell[]){kane_cell_word(kane_passage_start_name(start))});
        kane_table_add_numbers(
            &p->table, 5,
            (const double[]){from.distance, to.distance, to.speed, state.curvature, state.superelevation});
        kane_table_add(
            &p->table, 1,
            (const kane_cell[]){kane_cell_text(kane_table_text(&p->table, "%s", kane_cycle_wheelset(cycle, w)))});
        kane_table_add_numbers(&p->table, 5,
                               (const double[]){o.amplitude, 2.0 * o.most, o.farthest, o.level, o.frequency});
    }
    put_trace(&p->traces[start],
              (const double[]){0.5 * (from.distance + to.distance), most, farthest, state.curvature});
}

// A stretch in parts of some cycles; between its ends distance and speed are taken as linear.
static void put_stretch(passing *p, kane_passage_start start, kane_cycle *cycle, place from, kane_passage_end *end)
{
    const kane_settling *settling = kane_cycle_settling(cycle);
    const int largest             = kane_settling_largest(settling);
    const int parts               = (int)fmax(settling->stretch[0][largest].cycles / PART, 1.0);
    const place to                = place_of(p, cycle);
    place before                  = from;
    for (int k = 0; k < parts; k++) {
        const double share = (k + 1.0) / parts;
        const place now    = {from.distance + share * (to.distance - from.distance),
                              from.speed + share * (to.speed - from.speed)};
        put_part(p, start, cycle, k, parts, before, now);
        before = now;
    }
    end->distance = to.distance;
    for (int w = 0; w < settling->coordinates; w++)
        end->farthest = fmax(end->farthest, settling->stretch[0][w].farthest);
    if (!kane_cycle_is_whole(cycle)) // what a stretch that was cut short says of cycles is little
        return;
    end->swing = kane_oscillation_swing(&settling->stretch[0][largest]);
    (void)kane_snprintf(end->wheelset, sizeof end->wheelset, "%s", kane_cycle_wheelset(cycle, largest));
}

// Motion at the end of a stretch. What has once settled stays so as long as its amplitude does, to the tolerance:
// smaller changes of sign and size at random are those of the samples.
static kane_motion judge_stretch(const passing *p, const kane_cycle *cycle, double *settled)
{
    const kane_settling *settling = kane_cycle_settling(cycle);
    const kane_motion motion      = kane_settling_judge(settling, &p->study->rules);
    const double amplitude        = settling->stretch[0][kane_settling_largest(settling)].amplitude;
    if (motion == KANE_MOTION_OPEN && fabs(amplitude - *settled) <= p->study->rules.tolerance * amplitude)
        return KANE_MOTION_SETTLED;
    *settled = motion == KANE_MOTION_SETTLED ? amplitude : (double)NAN;
    return motion == KANE_MOTION_OPEN ? kane_settling_drift(settling, p->study->rules.tolerance) : motion;
}

static kane_status carry_start(passing *p, kane_passage_start start, kane_passage_end *end, kane_errors *errors)
{
    const kane_settings *own   = &p->study->run->settings;
    const kane_settings finer  = kane_settings_finer(own);
    const kane_beginning begin = {.cycle = p->cycle};
    kane_cycle *cycle  = kane_cycle_create_on_line(p->study, start == KANE_PASSAGE_FINER ? &finer : own, errors);
    kane_status status = cycle ? kane_cycle_start(cycle, &begin, errors) : KANE_BAD_INPUT;
    *end               = (kane_passage_end){.motion = KANE_MOTION_OPEN, .swing = {.amplitude = NAN, .farthest = NAN}};
    double settled     = (double)NAN; // amplitude [m]
    if (status == KANE_OK)
        kane_cycle_begin(cycle);
    while (status == KANE_OK && kane_cycle_is_whole(cycle)) {
        const place from = place_of(p, cycle);
        status           = kane_cycle_sample(cycle, errors);
        if (status == KANE_OK)
            put_stretch(p, start, cycle, from, end);
        if (status == KANE_OK && kane_cycle_is_whole(cycle))
            end->motion = judge_stretch(p, cycle, &settled);
    }
    if (status == KANE_OK && kane_stop_is_derailment(kane_simulation_stop(kane_cycle_simulation(cycle)))) {
        end->motion = KANE_MOTION_DERAILED;
        (void)kane_snprintf(end->subject, sizeof end->subject, "%s",
                            kane_simulation_stop_subject(kane_cycle_simulation(cycle)));
    }
    kane_cycle_free(cycle);
    return status;
}

static int is_same(const passing *p, const kane_passage_end *a, const kane_passage_end *b)
{
    const double margin = close * p->study->rules.tolerance * a->swing.amplitude;
    const int is_over   = a->motion == KANE_MOTION_DIED || a->motion == KANE_MOTION_DERAILED ||
                        b->motion == KANE_MOTION_DIED || b->motion == KANE_MOTION_DERAILED;
    return is_over ? a->motion == b->motion : fabs(a->swing.amplitude - b->swing.amplitude) <= margin;
}

// Where motion has come to [m]; NaN: no stretch was whole.
static double height_of(const kane_passage_end *e)
{
    return e->motion == KANE_MOTION_DIED ? 0.0 : e->motion == KANE_MOTION_DERAILED ? HUGE_VAL : e->swing.amplitude;
}

// 1: a has not ended, and may yet come to where b is.
static int may_reach(const kane_passage_end *a, const kane_passage_end *b)
{
    return a->motion == KANE_MOTION_OPEN || (a->motion == KANE_MOTION_GROWING && !(height_of(a) > height_of(b))) ||
           (a->motion == KANE_MOTION_DECAYING && !(height_of(a) < height_of(b)));
}

// --- files ---

static kane_status draw_passage(const passing *p, kane_errors *errors)
{
    static const char *const labels[PANELS] = {"largest amplitude [m]", "largest |y| of a wheelset [m]",
                                               "curvature [1/m]"};
    static const char *const curves[]       = {"from the limit cycle", "the same, finer tolerances", "from rest"};
    static const kane_line_style styles[]   = {KANE_SOLID, KANE_DASHED, KANE_SOLID};
    static const char *const ends[]         = {"svg", "png"};
    kane_figure f                           = kane_figure_begin();
    kane_status status                      = KANE_OK;
    for (int k = 0; k < PANELS; k++) {
        const int panel = kane_figure_add(&f, NULL, "distance [m]", labels[k]);
        for (int i = 0; i < KANE_PASSAGE_STARTS; i++) {
            const trace *t = &p->traces[i];
            double *x = kane_figure_values(&f, (size_t)t->count + 1), *y = kane_figure_values(&f, (size_t)t->count + 1);
            for (int n = 0; x && y && n < t->count; n++) {
                x[n] = t->values[(size_t)n * (PANELS + 1)];
                y[n] = t->values[(size_t)n * (PANELS + 1) + 1 + (size_t)k];
            }
            if (k < PANELS - 1 || i == 0)
                kane_figure_curve(&f, panel,
                                  (kane_plot_curve){k < PANELS - 1 ? curves[i] : NULL, t->count, x, y, styles[i], i});
        }
    }
    f.plot.title  = kane_figure_text(&f, "%s: a limit cycle along the line", p->study->run->vehicle->name);
    f.plot.height = 60 + 260 * PANELS;
    for (int i = 0; i < 2 && status == KANE_OK; i++) {
        char file[4200];
        (void)kane_snprintf(file, sizeof file, "%s/passage.%s", p->study->directory, ends[i]);
        status = kane_figure_draw(&f, file, errors);
    }
    kane_figure_drop(&f);
    return status;
}

static kane_status write_table(const passing *p, kane_errors *errors)
{
    char file[4200];
    kane_replacement r;
    (void)kane_snprintf(file, sizeof file, "%s/passage.csv", p->study->directory);
    kane_status status = p->table.arena && !kane_arena_failed(p->table.arena) ? kane_replacement_open(&r, file, errors)
                                                                              : kane_no_memory(errors);
    if (status != KANE_OK)
        return status;
    kane_table_write_csv(&p->table, r.file);
    return kane_replacement_close(&r, errors);
}

// --- all of it ---

static kane_status carry_all(passing *p, kane_passage *passage, kane_errors *errors)
{
    const double speed = p->study->run->drive.speed;
    kane_status status = KANE_OK;
    for (int i = 0; i < KANE_PASSAGE_STARTS && status == KANE_OK; i++) {
        if (i == KANE_PASSAGE_REST && !visit_speed(p, speed, 1, small * p->study->disturbance, 0, passage, errors))
            return KANE_BAD_INPUT;
        status = carry_start(p, (kane_passage_start)i, &passage->end[i], errors);
    }
    const kane_passage_end *one = &passage->end[KANE_PASSAGE_CYCLE], *rest = &passage->end[KANE_PASSAGE_REST];
    const int ends_alike    = is_same(p, one, rest);
    passage->is_resolved    = is_same(p, one, &passage->end[KANE_PASSAGE_FINER]);
    passage->is_finished    = ends_alike || (!may_reach(one, rest) && !may_reach(rest, one));
    passage->has_hysteresis = passage->is_finished && !ends_alike;
    if (status == KANE_OK && p->study->directory)
        status = write_table(p, errors);
    return status == KANE_OK && p->study->directory ? draw_passage(p, errors) : status;
}

kane_status kane_critical_pass(const kane_critical_study *asked, kane_passage *passage, kane_errors *errors)
{
    static const char *const names[COLUMNS] = {"start",        "from",     "to",       "speed",
                                               "curvature",    "cant",     "wheelset", "amplitude",
                                               "peak to peak", "farthest", "level",    "frequency"};
    static const char *const units[COLUMNS] = {"", "m", "m", "m/s", "1/m", "m", "", "m", "m", "m", "m", "Hz"};
    const int before                        = errors->count;
    kane_critical_study study               = *asked;
    passing p                               = {.study = &study};
    kane_status status                      = KANE_OK;
    *passage                                = (kane_passage){.motion = KANE_MOTION_OPEN};
    if (!study.run->track)
        kane_errors_add(errors, KANE_BAD_INPUT, "a mechanism has no limit cycles on rails");
    else if (!(study.run->drive.speed > 0.0))
        kane_errors_add(errors, KANE_BAD_INPUT, "the run starts at rest: start.speed must be positive");
    if (errors->count > before)
        return KANE_BAD_INPUT;
    place_study(&study);
    p.table = kane_table_begin(kane_arena_create(), COLUMNS, 0);
    kane_table_add_names(&p.table, COLUMNS, names, units);
    if (study.directory)
        status = kane_directory_make(study.directory, errors);
    if (status == KANE_OK && find_cycle(&p, passage, errors) && passage->motion == KANE_MOTION_SETTLED)
        status = carry_all(&p, passage, errors);
    for (int i = 0; i < KANE_PASSAGE_STARTS; i++)
        kane_release(p.traces[i].values);
    kane_cycle_free(p.cycle);
    kane_release(p.deviation);
    kane_arena_free(p.table.arena);
    return errors->count > before ? kane_errors_status(errors, before) : status;
}

// "the cycle goes on, 9.93 mm"
static void add_end(kane_text *t, const char *what, const kane_passage_end *e)
{
    static const char *const becomes[] = {
        "goes on without settling", "still grows", "still decays", "dies", "goes on", "derails"};
    kane_text_add(t, "%s %s", what, becomes[e->motion]);
    if (e->motion == KANE_MOTION_DERAILED)
        kane_text_add(t, " (%s)", e->subject);
    else if (e->motion != KANE_MOTION_DIED && isfinite(e->swing.amplitude))
        kane_text_add(t, ", %.4g mm", 1e3 * e->swing.amplitude);
}

void kane_passage_describe(const kane_passage *passage, size_t size, char *text)
{
    static const char *const is_now[] = {"has not settled", "still grows",      "still decays",
                                         "has died",        "is a limit cycle", "has derailed"};
    const kane_passage_end *e = passage->end, *finer = &e[KANE_PASSAGE_FINER], *rest = &e[KANE_PASSAGE_REST];
    kane_text t        = kane_text_start(size, text);
    const double error = fabs(e->swing.amplitude - finer->swing.amplitude);
    if (passage->motion != KANE_MOTION_SETTLED) {
        kane_text_add(&t, "no limit cycle to carry: at the start motion %s", is_now[passage->motion]);
        return;
    }
    if (isnan(height_of(e)) || isnan(height_of(rest))) {
        kane_text_add(&t, "not resolved: the run ends at %.4g m, before motion can be judged", e->distance);
        return;
    }
    add_end(&t, "the cycle", e);
    if (e->motion != KANE_MOTION_DERAILED && e->motion != KANE_MOTION_DIED && isfinite(error))
        kane_text_add(&t, " +- %.2g mm", 1e3 * error);
    kane_text_add(&t, " at %.4g m", e->distance);
    if (!passage->is_resolved)
        add_end(&t, "; not resolved: with finer tolerances it", finer);
    add_end(&t, "; from rest motion", rest);
    if (passage->is_finished)
        kane_text_add(&t, passage->has_hysteresis ? ": the end depends on the start" : ": the same");
    else
        kane_text_add(&t, "; not resolved: motion %s at the end", is_now[(may_reach(rest, e) ? rest : e)->motion]);
}
