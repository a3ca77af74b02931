// SPDX-License-Identifier: MIT
// kane bench: how fast the equations, their Jacobian and whole runs are.
//
// Times are the best of several rounds. With --only NAME --repeat N one kernel is called N times and nothing else is
// done, so that an instruction counter can be put around two such calls (docs/performance.md).

#include "bench.h"

#include <kane/jacobian.h>
#include <kane/stepper.h>

#include "agem/work.h"
#include "base/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct arguments {
    int repeat;
    const char *only, *data;
    bench_precision_options precision; // file NULL: not wanted
    app_texts settings;
    app_outputs outputs;
} arguments;

static const app_option options[] = {
    {"only", 'n', "NAME", 0, "only this measurement", APP_TEXT(only)},
    {"repeat", 'r', "N", 0, "with --only: call the kernel N times and print nothing",
     APP_WHOLE(repeat, 1, INT_MAX, "number of calls")},
    {"precision", 'p', "RUN.json", 0,
     "instead: work against precision of this run, by methods at tolerances from fine to coarse: processor time, and errors of forces of "
     "wheels and of accelerations",
     APP_TEXT(precision.file)},
    {"until", 't', "T", 0, "with --precision: so long at most [s] (default 10)",
     APP_POSITIVE(precision.until, "time", "s")},
    APP_OUTPUT_OPTION("pictures with --precision; also: ", outputs),
    {"set", 's', "PATH=VALUE", APP_SETS, "with --precision: change a value of the run file, as in kane run",
     APP_TEXTS(settings)},
    {"data", 'd', "DIR", 0, "directory that holds data/ and vehicles/ (default: beside the program)", APP_TEXT(data)},
    {0},
};

static void check_arguments(void *arguments_, struct argp_state *state)
{
    const arguments *a = arguments_;
    if (!a->precision.file && (a->precision.until > 0.0 || a->settings.count > 0))
        argp_error(state, "--until and --set belong to --precision");
    if (!a->precision.file && app_draws(&a->outputs))
        argp_error(state, "pictures are drawn with --precision");
}

// What is measured: a run file with settings, at a moment of the run.
typedef enum run_kernel {
    EVALUATION = BENCH_EVALUATION,
    JACOBIAN   = BENCH_JACOBIAN,
    STEP       = BENCH_MODEL_KERNELS,
    WHOLE_RUN
} run_kernel;

typedef struct measurement {
    const char *name;
    run_kernel kernel;
    const char *run;
    const char *settings[13];
    double time; // of the state [s]
    const char *about;
} measurement;

#define CONES      "vehicle.patterns.wheelset.profile=cone", "track.rail.profile=round"
#define CONSTRAINT "vehicle.patterns.wheelset.contact.model=constraint"
#define TABLES     "vehicle.patterns.wheelset.contact.model=table"
#define FLEXIBLE   "variant=flexible"

// A millisecond at a fixed cost.
#define TWO_STEP      "integrator.method=bdf2", "integrator.step=1e-3"
#define SEMI_IMPLICIT "integrator.method=semi_implicit", "integrator.step=1e-3"
#define GAPS          "vehicle.patterns.wheelset.contact.geometry=tabulated"
#define BEYOND_BENDS  "start.at=450"
#define ONE_STEP      "integrator.method=imex", "integrator.step=1e-3"

// Ten times the usual ones: what is lost by them docs/performance.md says.
#define COARSE                                                                                                         \
    "integrator.rtol=1e-5", "integrator.atol_position=1e-7", "integrator.atol_angle=1e-7",                             \
        "integrator.atol_velocity=1e-5", "integrator.atol_angular_velocity=1e-5"

// Rods of the sedan without mass.
#define MULTIPLIERS "form=multipliers"
#define MASSLESS                                                                                                       \
    "mechanism.constraints.front left tie rod.mass=0", "mechanism.constraints.rear left upper front rod.mass=0",       \
        "mechanism.constraints.rear left upper rear rod.mass=0",                                                       \
        "mechanism.constraints.rear left trailing rod.mass=0", "mechanism.constraints.rear left toe rod.mass=0",       \
        "mechanism.constraints.rear left lateral rod.mass=0", "mechanism.constraints.front right tie rod.mass=0",      \
        "mechanism.constraints.rear right upper front rod.mass=0",                                                     \
        "mechanism.constraints.rear right upper rear rod.mass=0",                                                      \
        "mechanism.constraints.rear right trailing rod.mass=0", "mechanism.constraints.rear right toe rod.mass=0",     \
        "mechanism.constraints.rear right lateral rod.mass=0"

#define ROW(kernel, name, run, time, about, ...)                                                                       \
    {                                                                                                                  \
        name, kernel, run, {__VA_ARGS__}, time, about                                                                  \
    }

static const measurement measurements[] = {
    ROW(EVALUATION, "eval-cone", "wagon-transition", 4.0, "one evaluation, cones on round rails (closed form)", CONES),
    ROW(EVALUATION, "eval-s1002", "wagon-transition", 4.0, "one evaluation, S1002 on 60E1 (on-line search), transition",
        NULL),
    ROW(EVALUATION, "eval-s1002-straight", "wagon-transition", 1.0, "the same on straight track (two patches a wheel)",
        NULL),
    ROW(EVALUATION, "eval-constraint", "wagon-transition", 4.0,
        "one evaluation with rigid contact: constraints, transition", CONSTRAINT),
    ROW(EVALUATION, "eval-tables", "wagon-transition", 4.0, "the same: tables", TABLES),
    ROW(JACOBIAN, "jacobian-cone", "wagon-transition", 4.0, "one Jacobian, cones on round rails", CONES),
    ROW(JACOBIAN, "jacobian-s1002", "wagon-transition", 4.0, "one Jacobian, S1002 on 60E1", NULL),
    ROW(JACOBIAN, "jacobian-constraint", "wagon-transition", 4.0, "one Jacobian, constraints", CONSTRAINT),
    ROW(JACOBIAN, "jacobian-tables", "wagon-transition", 4.0, "one Jacobian, tables", TABLES),
    ROW(WHOLE_RUN, "run-smooth", "wagon-transition", 0.0, "run on smooth track, simulated over wall time", NULL),
    ROW(WHOLE_RUN, "run-irregular", "wagon-irregular", 0.0, "run on irregular track, simulated over wall time", NULL),
    ROW(EVALUATION, "eval-coach", "coach-curve", 4.0, "one evaluation of a bogie coach, S1002 on 60E1, transition",
        NULL),
    ROW(EVALUATION, "eval-coach-straight", "coach-curve", 0.5, "the same on straight track (two patches a wheel)",
        NULL),
    ROW(EVALUATION, "eval-coach-tables", "coach-curve", 4.0, "the same in the transition: tables", TABLES),
    ROW(EVALUATION, "eval-coach-flexible", "coach-curve", 4.0,
        "the same in the transition: flexible car body, 10 modes", FLEXIBLE),
    ROW(EVALUATION, "eval-locomotive", "locomotive", 0.2,
        "one evaluation of a locomotive, six wheelsets, S1002 on 60E1, straight", NULL),
    ROW(EVALUATION, "eval-locomotive-flexible", "locomotive", 0.2,
        "the same: flexible bogie frame, 30 modes, 13 interfaces", FLEXIBLE),
    ROW(EVALUATION, "eval-railcar", "railcar", 4.0, "one evaluation of a railcar, wheelsets on joints", NULL),
    ROW(EVALUATION, "eval-railcar-guided", "railcar", 4.0,
        "the same: three wheelsets by constraint, two of them on joints", "variant=guided"),
    ROW(EVALUATION, "eval-sedan", "mechanism-sedan", 0.5, "one evaluation of a sedan on tyres, 12 rods, 4 loops", NULL),
    ROW(EVALUATION, "eval-sedan-massless", "mechanism-sedan", 0.5, "the same: rods without mass", MASSLESS),
    ROW(EVALUATION, "eval-sedan-multipliers", "mechanism-sedan", 0.5,
        "one evaluation of the sedan in the form of multipliers", MULTIPLIERS),
    ROW(JACOBIAN, "jacobian-sedan", "mechanism-sedan", 0.5, "one Jacobian of the sedan", NULL),
    ROW(EVALUATION, "eval-squeezer", "mechanism-squeezer", 0.01, "one evaluation of Andrews' squeezer", NULL),
    ROW(EVALUATION, "eval-squeezer-multipliers", "mechanism-squeezer", 0.01,
        "one evaluation of the squeezer in the form of multipliers", MULTIPLIERS),
    ROW(JACOBIAN, "jacobian-squeezer", "mechanism-squeezer", 0.01, "one Jacobian of the squeezer", NULL),
    ROW(EVALUATION, "eval-hexapod", "mechanism-hexapod", 0.5, "one evaluation of a hexapod, six loops on a platform",
        NULL),
    ROW(EVALUATION, "eval-hexapod-multipliers", "mechanism-hexapod", 0.5,
        "one evaluation of the hexapod in the form of multipliers", MULTIPLIERS),
    ROW(JACOBIAN, "jacobian-hexapod", "mechanism-hexapod", 0.5, "one Jacobian of the hexapod", NULL),
    ROW(EVALUATION, "eval-four-bar", "mechanism-four-bar", 0.5, "one evaluation of a four-bar", NULL),
    ROW(EVALUATION, "eval-four-bar-multipliers", "mechanism-four-bar", 0.5,
        "one evaluation of the four-bar in the form of multipliers", MULTIPLIERS),
    ROW(JACOBIAN, "jacobian-four-bar", "mechanism-four-bar", 0.5, "one Jacobian of the four-bar", NULL),
    ROW(JACOBIAN, "jacobian-coach", "coach-curve", 4.0, "one Jacobian of the coach, S1002 on 60E1", NULL),
    ROW(JACOBIAN, "jacobian-coach-flexible", "coach-curve", 4.0, "the same: flexible car body, 10 modes", FLEXIBLE),
    ROW(JACOBIAN, "jacobian-coach-tables", "coach-curve", 4.0, "the same: tables", TABLES),
    ROW(WHOLE_RUN, "run-coach", "coach-irregular", 0.0,
        "run of the coach on irregular track (ORE B176 high, 40 m/s), simulated over wall time", NULL),
    ROW(WHOLE_RUN, "run-coach-coarse", "coach-irregular", 0.0, "the same with tolerances ten times coarser", COARSE),
    ROW(WHOLE_RUN, "run-coach-tables", "coach-irregular", 0.0, "the same: tables, order 4", TABLES),
    ROW(WHOLE_RUN, "run-coach-tables-coarse", "coach-irregular", 0.0,
        "the same: tables, order 4, tolerances ten times coarser", TABLES, COARSE),
    ROW(EVALUATION, "eval-feve", "feve-curve", 5.0,
        "one evaluation of the FEVE 3000: eight wheels by constraint, one tree", NULL),
    ROW(EVALUATION, "eval-feve-tabulated", "feve-curve", 5.0, "the same: tabulated gaps", GAPS),
    ROW(EVALUATION, "eval-wagon-tabulated", "wagon-transition", 4.0, "one of the wagon by constraint: tabulated gaps",
        CONSTRAINT, GAPS),
    ROW(JACOBIAN, "jacobian-feve", "feve-curve", 5.0, "one Jacobian of the FEVE 3000", NULL),
    ROW(STEP, "step-wagon", "wagon-irregular", 0.0, "one step of 1 ms by bdf2, a Jacobian every 5", TWO_STEP),
    ROW(STEP, "step-coach", "coach-irregular", 0.0, "the same of the coach on rough track", TWO_STEP),
    ROW(STEP, "step-coach-20", "coach-irregular", 0.0, "the same, a Jacobian every 20", TWO_STEP,
        "integrator.jacobian_interval=20"),
    ROW(STEP, "step-coach-each", "coach-irregular", 0.0, "the same, a Jacobian in each step", TWO_STEP,
        "integrator.jacobian_interval=1"),
    ROW(STEP, "step-coach-tables", "coach-irregular", 0.0, "the same: tables, a Jacobian every 20", TABLES, TWO_STEP,
        "integrator.jacobian_interval=20"),
    ROW(STEP, "step-coach-tables-imex", "coach-irregular", 0.0, "the same by imex", TABLES, ONE_STEP,
        "integrator.jacobian_interval=20"),
    ROW(STEP, "step-feve", "feve-curve", 0.0, "one step of 1 ms of the FEVE 3000 through its curve by semi_implicit",
        SEMI_IMPLICIT),
    ROW(STEP, "step-feve-tabulated", "feve-curve", 0.0, "the same: tabulated gaps", SEMI_IMPLICIT, GAPS),
    ROW(STEP, "step-feve-imex", "feve-curve", 0.0, "one by imex on straight track, a Jacobian every 5", ONE_STEP,
        BEYOND_BENDS),
    ROW(STEP, "step-feve-imex-each", "feve-curve", 0.0, "the same, a Jacobian in each step", ONE_STEP, BEYOND_BENDS,
        "integrator.jacobian_interval=1"),
};
enum { MEASUREMENTS = sizeof measurements / sizeof *measurements };

// The folder that holds data/ and vehicles/: installed beside the program (share/kane) or in the source tree.
static int find_data(const arguments *a, size_t size, char *folder)
{
    static const char runs[] = "/data/runs";
    if (a->data)
        return snprintf(folder, size, "%s", a->data) < (int)size;
    if (!app_find_shared(runs + 1, size, folder))
        return 0;
    folder[strlen(folder) - strlen(runs)] = '\0';
    return 1;
}

// Everything that one kernel needs.
typedef struct subject {
    bench_model of;
    kane_simulation *simulation;
} subject;

// A model in the state of the simulation at its time.
static int prepare_subject(subject *b, const measurement *m, const char *folder, kane_errors *errors)
{
    bench_model *of = &b->of;
    if (!bench_model_read(of, folder, m->run, m->settings, errors))
        return 0;
    b->simulation = kane_run_create_simulation(of->run, of->model, errors);
    if (!b->simulation || kane_simulation_advance(b->simulation, m->time, errors) != KANE_OK ||
        !bench_model_prepare(of, errors))
        return 0;
    of->time = kane_simulation_time(b->simulation);
    memcpy(of->y, kane_simulation_state(b->simulation), (size_t)kane_model_state_count(of->model) * sizeof *of->y);
    kane_work_copy(of->model, kane_simulation_work(b->simulation), of->work);
    return 1;
}

static void release_subject(subject *b)
{
    kane_simulation_free(b->simulation);
    bench_model_close(&b->of);
}

static void call_kernel(void *part, int kernel, long count)
{
    bench_model *b  = part;
    double *y       = b->y + b->model->u_begin;
    const double at = *y;
    for (long i = 0; i < count; i++) {
        *y = at + 1e-12 * (double)(i % 1000);
        bench_model_call_once(b, kernel);
    }
    *y = at;
}

static int compare_times(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { STEPS_TIMED = 10000 };

// Steps of the stepper along the run: the median, the mean and the longest.
static void measure_steps(bench *to, const measurement *m, const bench_model *b, kane_errors *errors)
{
    static double each[STEPS_TIMED];
    const kane_settings *settings = &kane_run_get_definition(b->run)->settings;
    kane_stepper *stepper         = kane_stepper_create(b->model, settings, errors);
    const double h                = settings->step;
    double sum                    = 0.0;
    int count                     = 0;
    memcpy(b->ydot, b->y, (size_t)kane_model_state_count(b->model) * sizeof *b->y);
    for (double t = b->time; stepper && count < STEPS_TIMED; t += h) {
        const double begin = bench_now();
        if (kane_stepper_step(stepper, t, h, b->ydot) != KANE_OK)
            break;
        if (t > b->time + 50.0 * h) // when caches are warm
            each[count++] = bench_now() - begin;
    }
    if (stepper && count < STEPS_TIMED)
        kane_stepper_fault(stepper, errors);
    for (int i = 0; i < count; i++)
        sum += each[i];
    qsort(each, (size_t)count, sizeof *each, compare_times);
    kane_stepper_free(stepper);
    if (count < STEPS_TIMED)
        return;
    bench_put(to, m->name, 1e6 * each[count / 2], "us", m->about);
    bench_put(to, kane_table_text(&to->table, "%s.mean", m->name), 1e6 * sum / count, "us", "mean of 10000 steps");
    bench_put(to, kane_table_text(&to->table, "%s.longest", m->name), 1e6 * each[count - 1], "us", "longest of them");
}

// Simulated over wall time of the whole run, the best of several.
static double time_run(const subject *b, long rounds, kane_statistics *statistics, kane_errors *errors)
{
    const kane_run_definition *d = kane_run_get_definition(b->of.run);
    double best                  = 0.0;
    for (long round = 0; round < rounds; round++) {
        if (kane_simulation_start(b->simulation, errors) != KANE_OK)
            return 0.0;
        const double begin = bench_now();
        for (long i = 1; kane_simulation_stop(b->simulation) == KANE_STOP_NONE; i++)
            if (kane_simulation_advance(b->simulation, (double)i * d->output.every, errors) != KANE_OK)
                return 0.0;
        const double ratio = kane_simulation_time(b->simulation) / (bench_now() - begin);
        best               = ratio > best ? ratio : best;
    }
    kane_simulation_statistics(b->simulation, statistics);
    return best;
}

static void measure_run(bench *to, const measurement *m, const subject *b, kane_errors *errors)
{
    kane_statistics s  = {0};
    const double value = time_run(b, to->repeat > 0 ? to->repeat : 3, &s, errors),
                 t     = kane_simulation_time(b->simulation);
    if (to->repeat > 0)
        return;
    bench_put(to, m->name, value, "1", m->about);
    bench_put(to, kane_table_text(&to->table, "%s.steps", m->name), (double)s.steps / t, "1/s", "of simulated time");
    bench_put(to, kane_table_text(&to->table, "%s.evaluations", m->name), (double)s.evaluations / t, "1/s", "likewise");
    bench_put(to, kane_table_text(&to->table, "%s.jacobians", m->name), (double)s.jacobians / t, "1/s", "likewise");
}

static int measure_one(bench *to, const measurement *m, kane_errors *errors)
{
    subject b      = {0};
    const int good = prepare_subject(&b, m, to->folder, errors);
    if (good && m->kernel == STEP)
        measure_steps(to, m, &b.of, errors);
    else if (good && m->kernel == WHOLE_RUN)
        measure_run(to, m, &b, errors);
    else if (good)
        (void)bench_measure(to, m->name, m->about, call_kernel, &b.of, (int)m->kernel);
    release_subject(&b);
    return good && errors->count == 0;
}

static const char *measurement_name(int i)
{
    return i < MEASUREMENTS ? measurements[i].name : NULL;
}

static int measure_runs(bench *b, kane_errors *errors)
{
    int good = 1;
    for (int i = 0; i < MEASUREMENTS && good; i++)
        good = !bench_wants(b, measurements[i].name) || measure_one(b, &measurements[i], errors);
    return good;
}

static const bench_list bench_runs     = {.name = measurement_name, .measure = measure_runs};
static const bench_list *const lists[] = {&bench_runs,  &bench_contact, &bench_creep,
                                          &bench_trees, &bench_trains,  &bench_studies};
enum { LISTS = sizeof lists / sizeof *lists };

// --- rows ---

int bench_wants(const bench *b, const char *name)
{
    return !b->only || strcmp(b->only, name) == 0;
}

// A terminal shows how far it has come.
void bench_put(bench *b, const char *name, double value, const char *unit, const char *about)
{
    kane_table_add(&b->table, 4,
                   (const kane_cell[]){kane_cell_word(name), kane_cell_number(value), kane_cell_word(unit),
                                       kane_cell_text(about)});
    if (isatty(STDERR_FILENO))
        (void)fprintf(stderr, "\r%-40s\r", name);
}

double bench_measure(bench *b, const char *name, const char *about, bench_call call, void *part, int kernel)
{
    if (b->repeat > 0) {
        call(part, kernel, b->repeat);
        return 0.0;
    }
    const double time = bench_best(call, part, kernel);
    bench_put(b, name, 1e9 * time, "ns", about);
    return time;
}

void bench_growth_put(bench *b, const bench_growth *g, const char *name, const char *about)
{
    if (g->n > 1.0)
        bench_put(b, name, bench_growth_exponent(g), "1", about);
}

static int measure_parts(bench *b, const bench_list *list, kane_errors *errors)
{
    for (int i = 0; i < list->count; i++) {
        const bench_part *p = &list->parts[i];
        void *part          = bench_wants(b, p->name) ? p->create(p->choice, errors) : NULL;
        if (part)
            (void)bench_measure(b, p->name, p->about, p->call, part, 0);
        p->free(part);
        if (errors->count > 0)
            return 0;
    }
    return 1;
}

static const char *name_in(const bench_list *list, int i)
{
    return list->name ? list->name(i) : i < list->count ? list->parts[i].name : NULL;
}

// Which names there are that begin as `name` does, up to its first '-'; all if there are none.
static void list_names(const char *name)
{
    const size_t family = strcspn(name, "-");
    int count           = 0;
    for (int all = 0; all < 2 && count == 0; all++)
        for (int k = 0; k < LISTS; k++)
            for (int i = 0; name_in(lists[k], i); i++)
                if (all || strncmp(name, name_in(lists[k], i), family) == 0)
                    (void)fprintf(stderr, "%s %s", count++ == 0 ? "; known:" : "", name_in(lists[k], i));
}

// Whether a name is one of a measurement; if not, an error with the most similar one and its family.
static int is_known(const char *name)
{
    kane_near near = kane_near_start(name);
    for (int k = 0; k < LISTS; k++)
        for (int i = 0; name_in(lists[k], i); i++) {
            if (strcmp(name, name_in(lists[k], i)) == 0)
                return 1;
            kane_near_offer(&near, name_in(lists[k], i));
        }
    (void)fprintf(stderr, "kane bench: there is no measurement '%s'", name);
    if (near.best)
        (void)fprintf(stderr, "; did you mean '%s'?", near.best);
    else
        list_names(name);
    (void)fprintf(stderr, "\n");
    return 0;
}

static int measure_all(const arguments *a, const char *folder, kane_errors *errors)
{
    bench b  = {.folder = folder, .only = a->only, .repeat = a->repeat};
    int good = 1;
    b.table  = kane_table_begin(kane_arena_create(), 4, 64);
    kane_table_add_columns(&b.table, 4,
                           (const kane_table_column[]){{.name = "measurement", .text = {.width = -26}},
                                                       {.name = "value", .text = {.digits = 5}},
                                                       {.name = "unit", .text = {.gap = 1, .width = -4}},
                                                       {.name = "about", .text = {.width = -1}}});
    for (int k = 0; k < LISTS && good; k++)
        good = lists[k]->measure ? lists[k]->measure(&b, errors) : measure_parts(&b, lists[k], errors);
    const kane_table_report report = {.table_count = 1, .tables = &b.table};
    if (good && a->repeat == 0)
        good = app_write_report(&a->outputs, KANE_TABLE_TEXT, &report, errors);
    kane_arena_free(b.table.arena);
    return good;
}

int command_bench(int argc, char **argv)
{
    static const app_command command = APP_COMMAND(
        options, NULL, NULL, only, 0, check_arguments,
        "Measures evaluations, Jacobians and runs of the two-axle wagon and of a bogie coach, a wheel's "
        "contact, creep laws and mechanisms, trains and cases of studies. Times on a busy machine are hints; "
        "compare within one call.");
    arguments a        = {0};
    kane_errors errors = {0};
    char folder[4096];
    app_parse(&command, argc, argv, &a);
    if (a.precision.file) {
        a.precision.settings = a.settings.texts;
        a.precision.outputs  = &a.outputs;
        return bench_precision(&a.precision, &errors) ? EXIT_DONE : app_fail(&errors);
    }
    if (a.only && !is_known(a.only))
        return EXIT_USAGE;
    if (!find_data(&a, sizeof folder, folder)) {
        (void)fprintf(
            stderr, "kane bench: the folder with data/ and vehicles/ is not beside the program; name it with --data\n");
        return EXIT_FILE;
    }
    return measure_all(&a, folder, &errors) ? EXIT_DONE : app_fail(&errors);
}
