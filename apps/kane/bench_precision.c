// SPDX-License-Identifier: MIT
// Work against precision: what a run costs by each method and how exact it is then.
//
// A run is integrated by methods at tolerances (or steps) from fine to coarse. Errors are those of forces of wheels and
// of accelerations of bodies at the times of rows, against the same run at a thousandth of its tolerances:
//
//   error = rms over rows and channels of the difference / rms of what varies about each channel's mean
//
// of quantities of one unit; of several units the largest. Forces are judged as they are and behind the low-pass of EN
// 14363, 20 Hz: beyond it wheels swing on their contacts, and errors are those of the phase of that swing. Work is
// processor time within the integration.

#include "bench.h"

#include <kane/signal.h>

#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct way {
    const char *name;
    kane_method method;
    int order; // the largest; 0: a step of fixed length
} way;

static const way ways[] = {{"bdf, order 2", KANE_BDF, 2},
                           {"bdf, order 4", KANE_BDF, 4},
                           {"bdf, order 5", KANE_BDF, 5},
                           {"adams, order 2", KANE_ADAMS, 2},
                           {"adams, order 12", KANE_ADAMS, 12},
                           {"bdf_alpha", KANE_BDF_ALPHA, 4},
                           {"imex", KANE_IMEX, 0},
                           {"bdf2", KANE_BDF2, 0},
                           {"semi_implicit", KANE_SEMI_IMPLICIT, 0}};
enum { WAYS = sizeof ways / sizeof *ways, FACTORS = 7, STEPS = 5 };

// Of the tolerances of the run; steps [s].
static const double factors[FACTORS] = {0.1, 1.0, 3.16, 10.0, 31.6, 100.0, 1000.0},
                    steps[STEPS]     = {0.25e-3, 0.5e-3, 1e-3, 2e-3, 4e-3};

static const double reference_factor = 1e-3;

// Low-pass of forces [Hz], and the longest time between rows [s]: swings of 300 Hz must not be read as slow ones.
static const double corner = 20.0, longest_interval = 1e-3;

enum { VERTICAL, LATERAL, ACCELERATIONS, KINDS };

// Channels of one kind at all rows.
typedef struct record {
    int rows, count;
    double *values; // [rows * count]
} record;

typedef struct trial {
    const way *by;
    double degree; // factor, or step [s]
    int rows;      // that it came to
    double work;   // processor time over simulated time
    double error[KINDS], filtered[KINDS];
    kane_statistics statistics;
} trial;

typedef struct precision {
    const kane_run_definition *run;
    const bench_precision_options *options;
    kane_model *model;
    int rows;
    double every;
    record reference[KINDS], smooth[KINDS]; // smooth: behind the low-pass
    const char **units[KINDS];
    trial *trials;
    int count;
} precision;

static double processor(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Tolerances times a factor; 0 where the vehicle does not take such coarse ones.
static int scale(const kane_run_definition *run, double factor, kane_settings *s)
{
    const kane_settings most = kane_settings_coarsest(run->vehicle);
    double *const mine[]     = {&s->relative, &s->position, &s->angle, &s->speed, &s->turning};
    const double limits[]    = {most.relative, most.position, most.angle, most.speed, most.turning};
    for (int i = 0; i < 5; i++) {
        *mine[i] *= factor;
        if (*mine[i] > limits[i] * (1.0 + 1e-12))
            return 0;
    }
    return 1;
}

static const char *const patterns[KINDS][2] = {{"*.Q"}, {"*.Y"}, {"*.acceleration.?", "*.alpha.?"}};

// What is compared: forces of wheels if there are any; accelerations of bodies, not those of joints.
static kane_channels *channels_of(const precision *p, const kane_simulation *simulation, int kind)
{
    kane_errors none = {.limit = 1};
    if (kind != ACCELERATIONS && !p->run->track)
        return NULL;
    return kane_channels_create(simulation, patterns[kind][1] ? 2 : 1, patterns[kind], NULL, &none);
}

// Integrates the run, reads the rows into `into` and measures. 0: it cannot be created, with errors.
static int carry_out(const precision *p, const kane_settings *settings, record into[KINDS], trial *t,
                     kane_errors *errors)
{
    kane_errors ended           = {.limit = 1};
    kane_conditions conditions  = p->run->conditions;
    kane_simulation *simulation = kane_simulation_create(p->model, settings, &conditions, errors);
    if (!simulation)
        return 0;
    kane_channels *channels[KINDS];
    for (int k = 0; k < KINDS; k++) {
        channels[k]    = channels_of(p, simulation, k);
        into[k].count  = channels[k] ? kane_channels_count(channels[k]) : 0;
        into[k].values = calloc((size_t)(p->rows * into[k].count) + 1, sizeof *into[k].values);
    }
    t->work = 0.0;
    for (t->rows = 0; t->rows < p->rows; t->rows++) {
        const double until = p->every * (t->rows + 1), begin = processor();
        const kane_status status = kane_simulation_advance(simulation, until, &ended);
        t->work += processor() - begin;
        if (status != KANE_OK || kane_simulation_time(simulation) != until)
            break;
        for (int k = 0; k < KINDS; k++)
            if (channels[k])
                (void)kane_channels_read(channels[k], simulation,
                                         into[k].values + (size_t)t->rows * (size_t)into[k].count);
    }
    t->work /= kane_simulation_time(simulation) > 0.0 ? kane_simulation_time(simulation) : 1.0;
    kane_simulation_statistics(simulation, &t->statistics);
    for (int k = 0; k < KINDS; k++)
        kane_channels_free(channels[k]);
    kane_simulation_free(simulation);
    return 1;
}

// Of channels of one unit, beginning with channel `first`, up to the rows of both.
static double error_of_unit(const record *r, const record *reference, const char *const *units, int first)
{
    double wrong = 0.0, varies = 0.0;
    for (int c = first; c < reference->count; c++) {
        double mean = 0.0;
        if (strcmp(units[c], units[first]) != 0)
            continue;
        for (int i = 0; i < reference->rows; i++)
            mean += reference->values[(size_t)i * (size_t)reference->count + (size_t)c] / reference->rows;
        for (int i = 0; i < reference->rows; i++) {
            const size_t at = (size_t)i * (size_t)reference->count + (size_t)c;
            const double x  = reference->values[at];
            varies += (x - mean) * (x - mean);
            wrong += (r->values[at] - x) * (r->values[at] - x);
        }
    }
    return sqrt(wrong / varies);
}

static double error_of(const record *r, const record *reference, const char *const *units)
{
    double largest = reference->count > 0 ? 0.0 : (double)NAN;
    for (int c = 0; c < reference->count; c++) {
        int is_first = 1;
        for (int k = 0; k < c; k++)
            is_first &= strcmp(units[k], units[c]) != 0;
        const double e = is_first ? error_of_unit(r, reference, units, c) : 0.0;
        largest        = e > largest ? e : largest;
    }
    return largest;
}

// All channels of a record of `rows` rows through the low-pass. 0: the record is too short.
static int smooth_record(record *r, int rows, double step)
{
    kane_filter filter;
    kane_errors none = {.limit = 1};
    double *x        = calloc((size_t)rows + 1, sizeof *x);
    int good =
        x && kane_filter_low_pass(KANE_FILTER_USUAL, corner, step, KANE_FORTH_AND_BACK, &filter, &none) == KANE_OK;
    for (int c = 0; c < r->count && good; c++) {
        for (int i = 0; i < rows; i++)
            x[i] = r->values[(size_t)i * (size_t)r->count + (size_t)c];
        good = kane_filter_apply(&filter, KANE_FORTH_AND_BACK, step, rows, x, &none) == KANE_OK;
        for (int i = 0; i < rows && good; i++)
            r->values[(size_t)i * (size_t)r->count + (size_t)c] = x[i];
    }
    free(x);
    return good;
}

static int find_units(precision *p, kane_errors *errors)
{
    kane_simulation *simulation = kane_simulation_create(p->model, &p->run->settings, &p->run->conditions, errors);
    for (int k = 0; simulation && k < KINDS; k++) {
        kane_channels *c = channels_of(p, simulation, k);
        const int count  = c ? kane_channels_count(c) : 0;
        p->units[k]      = calloc((size_t)count + 1, sizeof *p->units[k]);
        for (int i = 0; i < count; i++) // units are constant texts
            p->units[k][i] = kane_channels_info(c, i)->unit;
        kane_channels_free(c);
    }
    const int good = simulation != NULL;
    kane_simulation_free(simulation);
    return good;
}

static kane_settings finest(const kane_run_definition *run)
{
    kane_settings s = run->settings;
    s.method        = KANE_BDF;
    s.integrator    = NULL;
    s.order         = 5;
    (void)scale(run, reference_factor, &s);
    s.relative = s.relative > 1e-11 ? s.relative : 1e-11;
    s.position = s.position > 1e-12 ? s.position : 1e-12;
    s.angle    = s.angle > 1e-12 ? s.angle : 1e-12;
    s.speed    = s.speed > 1e-11 ? s.speed : 1e-11;
    s.turning  = s.turning > 1e-11 ? s.turning : 1e-11;
    return s;
}

static int take_reference(precision *p, kane_errors *errors)
{
    trial t               = {0};
    const kane_settings s = finest(p->run);
    if (!carry_out(p, &s, p->reference, &t, errors))
        return 0;
    for (int k = 0; k < KINDS; k++) {
        const size_t bytes   = (size_t)(p->rows * p->reference[k].count) * sizeof(double);
        p->reference[k].rows = t.rows;
        p->smooth[k]         = p->reference[k];
        p->smooth[k].values  = malloc(bytes + 1);
        if (!p->smooth[k].values)
            return kane_no_memory(errors) == KANE_OK;
        memcpy(p->smooth[k].values, p->reference[k].values, bytes);
        if (!smooth_record(&p->smooth[k], t.rows, p->every))
            p->smooth[k].count = 0;
    }
    if (t.rows > 0)
        return 1;
    kane_errors_add(errors, KANE_INTEGRATION_FAILED, "the run with fine tolerances ends before its first row");
    return 0;
}

// A method that the model does not have (one that does not project, or needs rigid wheels) is left out.
static int is_possible(const precision *p, const kane_settings *settings)
{
    kane_errors refused         = {.limit = 1};
    kane_simulation *simulation = kane_simulation_create(p->model, settings, &p->run->conditions, &refused);
    kane_simulation_free(simulation);
    return simulation != NULL;
}

// Errors of the rows r, which it filters.
static void judge_trial(const precision *p, trial *t, record r[KINDS])
{
    for (int k = 0; k < KINDS; k++) {
        const int rows = p->reference[k].rows, is_whole = t->rows >= rows;
        t->error[k]    = is_whole ? error_of(&r[k], &p->reference[k], p->units[k]) : (double)NAN;
        t->filtered[k] = is_whole && smooth_record(&r[k], rows, p->every) ? error_of(&r[k], &p->smooth[k], p->units[k])
                                                                          : (double)NAN;
    }
}

// Tolerances or steps of one method from fine to coarse. 0 after an error.
static int go_through(precision *p, const way *by, kane_errors *errors)
{
    for (int i = 0; i < (by->order > 0 ? FACTORS : STEPS); i++) {
        kane_settings s = p->run->settings;
        s.method        = by->method;
        s.integrator    = NULL;
        s.order         = by->order > 0 ? by->order : s.order;
        s.step          = by->order > 0 ? 0.0 : steps[i];
        if (by->order > 0 && !scale(p->run, factors[i], &s))
            continue;
        if (i == 0 && !is_possible(p, &s))
            return 1;
        record r[KINDS];
        trial *t = &p->trials[p->count];
        *t       = (trial){.by = by, .degree = by->order > 0 ? factors[i] : steps[i]};
        if (!carry_out(p, &s, r, t, errors))
            return 0;
        judge_trial(p, t, r);
        for (int k = 0; k < KINDS; k++)
            free(r[k].values);
        p->count++;
    }
    return 1;
}

// --- what is reported ---

static kane_table tabulate_trials(const precision *p)
{
    static const kane_table_column columns[] = {
        {.name = "method", .unit = "", .text = {.width = -16}},
        {.name = "order", .unit = "1", .text = {.is_hidden = 1}},
        {.name = "tolerance", .unit = "1", .text = {.head = "tolerance"}},
        {.name = "step", .unit = "s", .text = {"step [ms]", 1e3, .digits = 6}},
        {.name = "processor", .unit = "1", .text = {"processor [ms/s]", 1e3, .digits = 3}},
        {.name = "real time", .unit = "1", .text = {"real time", 1.0, .digits = 3}},
        {.name = "Q20", .unit = "1", .text = {"Q20 [%]", 1e2, .digits = 3}},
        {.name = "Y20", .unit = "1", .text = {"Y20 [%]", 1e2, .digits = 3}},
        {.name = "Q", .unit = "1", .text = {"Q [%]", 1e2, .digits = 3}},
        {.name = "Y", .unit = "1", .text = {"Y [%]", 1e2, .digits = 3}},
        {.name = "accelerations", .unit = "1", .text = {"accel. [%]", 1e2, .digits = 3}},
        {.name = "steps a second", .unit = "1/s", .text = {"steps/s", 1.0, .digits = 4}},
        {.name = "ended", .unit = "s", .text = {"ended [s]", 1.0, .digits = 3}},
        {.name = "rows", .unit = "1", .text = {.is_hidden = 1}},
        {.name = "steps", .unit = "1", .text = {.is_hidden = 1}},
        {.name = "evaluations", .unit = "1", .text = {.is_hidden = 1}},
        {.name = "jacobians", .unit = "1", .text = {.is_hidden = 1}}};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    const double nothing = (double)NAN;
    kane_table t         = kane_table_begin(kane_arena_create(), COLUMNS, p->count);
    t.has_nan            = 1;
    kane_table_add_columns(&t, COLUMNS, columns);
    for (int i = 0; i < p->count; i++) {
        const trial *at           = &p->trials[i];
        const kane_statistics *is = &at->statistics;
        const double came_to      = at->rows * p->every;
        kane_table_put(&t, kane_cell_word(at->by->name));
        kane_table_add_numbers(
            &t, COLUMNS - 1,
            (const double[]){at->by->order, at->by->order > 0 ? at->degree : nothing,
                             at->by->order > 0 ? nothing : at->degree, at->work, 1.0 / at->work, at->filtered[VERTICAL],
                             at->filtered[LATERAL], at->error[VERTICAL], at->error[LATERAL], at->error[ACCELERATIONS],
                             at->rows > 0 ? (double)is->steps / came_to : nothing,
                             at->rows < p->reference[ACCELERATIONS].rows ? came_to : nothing, at->rows,
                             (double)is->steps, (double)is->evaluations, (double)is->jacobians});
    }
    return t;
}

// A curve for each method, in a panel for each kind of error.
static void draw_errors(kane_figure *f, const precision *p, int kind, int is_filtered, const char *label)
{
    int panel = -1;
    for (int m = 0; m < WAYS; m++) {
        double *x = kane_figure_values(f, 2 * (size_t)p->count + 1), *y = x + p->count;
        int points = 0;
        for (int i = 0; x && i < p->count; i++) {
            const trial *t     = &p->trials[i];
            const double error = is_filtered ? t->filtered[kind] : t->error[kind];
            if (t->by == &ways[m] && isfinite(error)) {
                x[points]   = 1e3 * t->work;
                y[points++] = 1e2 * error;
            }
        }
        if (points < 1)
            continue;
        panel = panel < 0 ? kane_figure_add(f, NULL, "processor time per simulated time [ms/s]", label) : panel;
        kane_figure_scale(f, panel, KANE_PLOT_LOG, KANE_PLOT_LOG);
        kane_figure_curve(f, panel, (kane_plot_curve){ways[m].name, points, x, y, KANE_SOLID, m});
    }
}

static int draw_trials(kane_figure *f, const void *data, kane_errors *errors)
{
    (void)errors;
    draw_errors(f, data, VERTICAL, 1, "error of Q, 20 Hz [%]");
    draw_errors(f, data, LATERAL, 1, "error of Y, 20 Hz [%]");
    draw_errors(f, data, VERTICAL, 0, "error of Q [%]");
    draw_errors(f, data, ACCELERATIONS, 0, "error of accelerations [%]");
    return 1;
}

// The text, or JSON, to standard output whatever files there are.
static int write_trials(const precision *p, kane_errors *errors)
{
    char title[1024];
    const kane_table table         = tabulate_trials(p);
    const kane_table_report report = {
        .title = title, .table_count = 1, .tables = &table, .draw = draw_trials, .data = p};
    (void)kane_snprintf(title, sizeof title, "%s, %d rows of %g ms; errors against bdf of order 5 at fine tolerances",
                        p->options->file, p->reference[ACCELERATIONS].rows, 1e3 * p->every);
    const int good =
        (p->options->outputs->is_json || app_write_report(&(app_outputs){0}, KANE_TABLE_TEXT, &report, errors)) &&
        app_write_report(p->options->outputs, KANE_TABLE_FORMATS, &report, errors);
    kane_arena_free(table.arena);
    return good;
}

int bench_precision(const bench_precision_options *options, kane_errors *errors)
{
    const kane_run_options how = {.settings = options->settings, .is_comparison = 1};
    kane_run *run              = kane_run_read(options->file, &how, errors);
    if (!run)
        return 0;
    const kane_run_definition *d = kane_run_get_definition(run);
    precision p                  = {.run = d, .options = options, .every = d->output.every};
    p.every                      = d->track ? fmin(p.every, longest_interval) : p.every;
    const double asked = options->until > 0.0 ? options->until : 10.0, ends = d->conditions.time;
    p.rows   = (int)floor((ends > 0.0 && ends < asked ? ends : asked) / p.every * (1.0 + 1e-12));
    p.model  = kane_model_create(d->vehicle, d->track, &d->drive, &d->model, errors);
    p.trials = calloc((size_t)WAYS * (size_t)FACTORS, sizeof *p.trials);
    int good = p.model && p.trials && find_units(&p, errors) && take_reference(&p, errors);
    for (int m = 0; m < WAYS && good; m++)
        if (ways[m].order <= 5 || !d->track) // beyond what a contact swings with
            good = go_through(&p, &ways[m], errors);
    good = good && write_trials(&p, errors);
    for (int k = 0; k < KINDS; k++) {
        free(p.reference[k].values);
        free(p.smooth[k].values);
        free(p.units[k]);
    }
    free(p.trials);
    kane_model_free(p.model);
    kane_run_free(run);
    return good;
}
