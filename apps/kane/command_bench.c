// SPDX-License-Identifier: MIT
// kane bench: how fast the equations, their Jacobian and whole runs are.
//
// Times are the best of several rounds. With --only NAME --repeat N one kernel is called N times and nothing else is
// done, so that an instruction counter can be put around two such calls (docs/performance.md).

#include "app.h"
#include "bench.h"

#include <kane/jacobian.h>
#include <kane/stepper.h>

#include "agem/work.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct arguments {
    int json;
    long repeat;
    const char *only, *data;
    bench_precision_options precision; // file NULL: not wanted
    app_texts settings;
} arguments;

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "results as JSON", 0},
    {"only", 'n', "NAME", 0, "only this measurement", 0},
    {"repeat", 'r', "N", 0, "with --only: call the kernel N times and print nothing", 0},
    {"precision", 'p', "RUN.json", 0,
     "instead: work against precision of this run, by methods at tolerances from fine to coarse: processor time, and errors of forces of "
     "wheels and of accelerations",
     0},
    {"until", 't', "T", 0, "with --precision: so long at most [s] (default 10)", 0},
    APP_OUTPUT_OPTION("with --precision: "),
    {"set", 's', "PATH=VALUE", APP_SETS, "with --precision: change a value of the run file, as in kane run", 0},
    {"data", 'd', "DIR", 0, "directory that holds data/ and vehicles/ (default: beside the program)", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    char *end;
    switch (key) {
    case 'j': a->json = 1; break;
    case 'n': a->only = value; break;
    case 'd': a->data = value; break;
    case 'p': a->precision.file = value; break;
    case 'o': app_add_output(&a->precision.outputs, value, state); break;
    case 's': app_collect(&a->settings, value, state); break;
    case 't':
        a->precision.until = strtod(value, &end);
        if (*end || !(a->precision.until > 0.0))
            argp_error(state, "'%s' is not a time", value);
        break;
    case 'r':
        a->repeat = strtol(value, &end, 10);
        if (*end || a->repeat < 1)
            argp_error(state, "'%s' is not a number of calls", value);
        break;
    case ARGP_KEY_ARG: argp_error(state, "takes no arguments"); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// What is measured: a run file with settings, at a moment of the run.
typedef enum kernel { EVALUATION, JACOBIAN, STEP, WHOLE_RUN } kernel;

typedef struct measurement {
    const char *name;
    kernel kernel;
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

static const measurement measurements[] = {
    {"eval-cone",
     EVALUATION,
     "wagon-transition",
     {CONES, NULL},
     4.0,
     "one evaluation, cones on round rails (closed form)"},
    {"eval-s1002",
     EVALUATION,
     "wagon-transition",
     {NULL},
     4.0,
     "one evaluation, S1002 on 60E1 (on-line search), transition"},
    {"eval-s1002-straight",
     EVALUATION,
     "wagon-transition",
     {NULL},
     1.0,
     "the same on straight track (two patches a wheel)"},
    {"eval-constraint",
     EVALUATION,
     "wagon-transition",
     {CONSTRAINT, NULL},
     4.0,
     "one evaluation with rigid contact: constraints, transition"},
    {"eval-tables", EVALUATION, "wagon-transition", {TABLES, NULL}, 4.0, "the same: tables"},
    {"jacobian-cone", JACOBIAN, "wagon-transition", {CONES, NULL}, 4.0, "one Jacobian, cones on round rails"},
    {"jacobian-s1002", JACOBIAN, "wagon-transition", {NULL}, 4.0, "one Jacobian, S1002 on 60E1"},
    {"jacobian-constraint", JACOBIAN, "wagon-transition", {CONSTRAINT, NULL}, 4.0, "one Jacobian, constraints"},
    {"jacobian-tables", JACOBIAN, "wagon-transition", {TABLES, NULL}, 4.0, "one Jacobian, tables"},
    {"run-smooth", WHOLE_RUN, "wagon-transition", {NULL}, 0.0, "run on smooth track, simulated over wall time"},
    {"run-irregular", WHOLE_RUN, "wagon-irregular", {NULL}, 0.0, "run on irregular track, simulated over wall time"},
    {"eval-coach",
     EVALUATION,
     "coach-curve",
     {NULL},
     4.0,
     "one evaluation of a bogie coach, S1002 on 60E1, transition"},
    {"eval-coach-straight", EVALUATION, "coach-curve", {NULL}, 0.5, "the same on straight track (two patches a wheel)"},
    {"eval-coach-tables", EVALUATION, "coach-curve", {TABLES, NULL}, 4.0, "the same in the transition: tables"},
    {"eval-coach-flexible",
     EVALUATION,
     "coach-curve",
     {FLEXIBLE, NULL},
     4.0,
     "the same in the transition: flexible car body, 10 modes"},
    {"eval-locomotive",
     EVALUATION,
     "locomotive",
     {NULL},
     0.2,
     "one evaluation of a locomotive, six wheelsets, S1002 on 60E1, straight"},
    {"eval-locomotive-flexible",
     EVALUATION,
     "locomotive",
     {FLEXIBLE, NULL},
     0.2,
     "the same: flexible bogie frame, 30 modes, 13 interfaces"},
    {"eval-railcar", EVALUATION, "railcar", {NULL}, 4.0, "one evaluation of a railcar, wheelsets on joints"},
    {"eval-railcar-guided",
     EVALUATION,
     "railcar",
     {"variant=guided", NULL},
     4.0,
     "the same: three wheelsets by constraint, two of them on joints"},
    {"eval-sedan", EVALUATION, "mechanism-sedan", {NULL}, 0.5, "one evaluation of a sedan on tyres, 12 rods, 4 loops"},
    {"eval-sedan-massless", EVALUATION, "mechanism-sedan", {MASSLESS, NULL}, 0.5, "the same: rods without mass"},
    {"eval-sedan-multipliers",
     EVALUATION,
     "mechanism-sedan",
     {MULTIPLIERS, NULL},
     0.5,
     "one evaluation of the sedan in the form of multipliers"},
    {"jacobian-sedan", JACOBIAN, "mechanism-sedan", {NULL}, 0.5, "one Jacobian of the sedan"},
    {"eval-squeezer", EVALUATION, "mechanism-squeezer", {NULL}, 0.01, "one evaluation of Andrews' squeezer"},
    {"eval-squeezer-multipliers",
     EVALUATION,
     "mechanism-squeezer",
     {MULTIPLIERS, NULL},
     0.01,
     "one evaluation of the squeezer in the form of multipliers"},
    {"jacobian-squeezer", JACOBIAN, "mechanism-squeezer", {NULL}, 0.01, "one Jacobian of the squeezer"},
    {"eval-hexapod",
     EVALUATION,
     "mechanism-hexapod",
     {NULL},
     0.5,
     "one evaluation of a hexapod, six loops on a platform"},
    {"eval-hexapod-multipliers",
     EVALUATION,
     "mechanism-hexapod",
     {MULTIPLIERS, NULL},
     0.5,
     "one evaluation of the hexapod in the form of multipliers"},
    {"jacobian-hexapod", JACOBIAN, "mechanism-hexapod", {NULL}, 0.5, "one Jacobian of the hexapod"},
    {"eval-four-bar", EVALUATION, "mechanism-four-bar", {NULL}, 0.5, "one evaluation of a four-bar"},
    {"eval-four-bar-multipliers",
     EVALUATION,
     "mechanism-four-bar",
     {MULTIPLIERS, NULL},
     0.5,
     "one evaluation of the four-bar in the form of multipliers"},
    {"jacobian-four-bar", JACOBIAN, "mechanism-four-bar", {NULL}, 0.5, "one Jacobian of the four-bar"},
    {"jacobian-coach", JACOBIAN, "coach-curve", {NULL}, 4.0, "one Jacobian of the coach, S1002 on 60E1"},
    {"jacobian-coach-flexible",
     JACOBIAN,
     "coach-curve",
     {FLEXIBLE, NULL},
     4.0,
     "the same: flexible car body, 10 modes"},
    {"jacobian-coach-tables", JACOBIAN, "coach-curve", {TABLES, NULL}, 4.0, "the same: tables"},
    {"run-coach",
     WHOLE_RUN,
     "coach-irregular",
     {NULL},
     0.0,
     "run of the coach on irregular track (ORE B176 high, 40 m/s), simulated over wall time"},
    {"run-coach-coarse",
     WHOLE_RUN,
     "coach-irregular",
     {COARSE, NULL},
     0.0,
     "the same with tolerances ten times coarser"},
    {"run-coach-tables", WHOLE_RUN, "coach-irregular", {TABLES, NULL}, 0.0, "the same: tables, order 4"},
    {"run-coach-tables-coarse",
     WHOLE_RUN,
     "coach-irregular",
     {TABLES, COARSE, NULL},
     0.0,
     "the same: tables, order 4, tolerances ten times coarser"},
    {"eval-feve",
     EVALUATION,
     "feve-curve",
     {NULL},
     5.0,
     "one evaluation of the FEVE 3000: eight wheels by constraint, one tree"},
    {"jacobian-feve", JACOBIAN, "feve-curve", {NULL}, 5.0, "one Jacobian of the FEVE 3000"},
    {"step-wagon", STEP, "wagon-irregular", {TWO_STEP, NULL}, 0.0, "one step of 1 ms by bdf2, a Jacobian every 5"},
    {"step-coach", STEP, "coach-irregular", {TWO_STEP, NULL}, 0.0, "the same of the coach on rough track"},
    {"step-coach-20",
     STEP,
     "coach-irregular",
     {TWO_STEP, "integrator.jacobian_interval=20", NULL},
     0.0,
     "the same, a Jacobian every 20"},
    {"step-coach-each",
     STEP,
     "coach-irregular",
     {TWO_STEP, "integrator.jacobian_interval=1", NULL},
     0.0,
     "the same, a Jacobian in each step"},
    {"step-coach-tables",
     STEP,
     "coach-irregular",
     {TABLES, TWO_STEP, "integrator.jacobian_interval=20", NULL},
     0.0,
     "the same: tables, a Jacobian every 20"},
    {"step-coach-tables-imex",
     STEP,
     "coach-irregular",
     {TABLES, ONE_STEP, "integrator.jacobian_interval=20", NULL},
     0.0,
     "the same by imex"},
    {"step-feve",
     STEP,
     "feve-curve",
     {SEMI_IMPLICIT, NULL},
     0.0,
     "one step of 1 ms of the FEVE 3000 through its curve by semi_implicit"},
    {"step-feve-imex",
     STEP,
     "feve-curve",
     {ONE_STEP, BEYOND_BENDS, NULL},
     0.0,
     "one by imex on straight track, a Jacobian every 5"},
    {"step-feve-imex-each",
     STEP,
     "feve-curve",
     {ONE_STEP, BEYOND_BENDS, "integrator.jacobian_interval=1", NULL},
     0.0,
     "the same, a Jacobian in each step"},
};
enum { MEASUREMENTS = sizeof measurements / sizeof *measurements };

// The folder that holds data/ and vehicles/: installed beside the program (share/kane) or in the source tree.
static int find_data(const arguments *a, size_t size, char *folder)
{
    static const char *const places[] = {"/../share/kane", "/../../.."};
    char program[3072];
    if (a->data) {
        (void)snprintf(folder, size, "%s", a->data);
        return 1;
    }
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return 0;
    program[length]        = '\0';
    *strrchr(program, '/') = '\0';
    for (int i = 0; i < 2; i++) {
        char probe[4096];
        (void)snprintf(folder, size, "%s%s", program, places[i]);
        (void)snprintf(probe, sizeof probe, "%s/data/runs", folder);
        if (access(probe, R_OK) == 0)
            return 1;
    }
    return 0;
}

// Everything that one kernel needs.
typedef struct bench {
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation;
    kane_work *work;
    kane_jacobian *jacobian;
    double time;
    double *y, *ydot, *values;
} bench;

static int prepare(bench *b, const measurement *m, const char *folder, kane_errors *errors)
{
    char file[4096];
    (void)snprintf(file, sizeof file, "%s/data/runs/%s.json", folder, m->run);
    const kane_run_options how = {.settings = m->settings};
    b->run                     = kane_run_read(file, &how, errors);
    if (!b->run)
        return 0;
    const kane_run_definition *d = kane_run_get_definition(b->run);
    b->model                     = kane_model_create(d->vehicle, d->track, &d->drive, &d->model, errors);
    b->simulation = b->model ? kane_simulation_create(b->model, &d->settings, &d->conditions, errors) : NULL;
    if (!b->simulation || kane_simulation_advance(b->simulation, m->time, errors) != KANE_OK)
        return 0;
    const size_t n = (size_t)kane_model_state_count(b->model);
    b->time        = kane_simulation_time(b->simulation);
    b->work        = kane_work_create(b->model, errors);
    b->jacobian    = kane_jacobian_create(b->model, (int)n);
    b->y           = calloc(n, sizeof *b->y);
    b->ydot        = calloc(n, sizeof *b->ydot);
    b->values      = b->jacobian ? calloc((size_t)kane_jacobian_pattern(b->jacobian)->count, sizeof *b->values) : NULL;
    if (!b->work || !b->y || !b->ydot || !b->values)
        return 0;
    memcpy(b->y, kane_simulation_state(b->simulation), n * sizeof *b->y);
    kane_work_copy(b->model, kane_simulation_work(b->simulation), b->work);
    return 1;
}

static void release(bench *b)
{
    free(b->y);
    free(b->ydot);
    free(b->values);
    kane_jacobian_free(b->jacobian);
    kane_work_free(b->work);
    kane_simulation_free(b->simulation);
    kane_model_free(b->model);
    kane_run_free(b->run);
}

// Calls a kernel; every call has another state.
static void call(bench *b, kernel k, long count)
{
    double *y       = b->y + b->model->u_begin;
    const double at = *y;
    for (long i = 0; i < count; i++) {
        *y = at + 1e-12 * (double)(i % 1000);
        if (k == EVALUATION)
            (void)kane_eval(b->model, b->work, b->time, b->y, b->ydot);
        else
            (void)kane_jacobian_eval(b->jacobian, b->model, b->work, b->time, b->y, b->ydot, b->values);
    }
    *y = at;
}

// Best time of a call [s].
static double time_kernel(bench *b, kernel k)
{
    const long count = k == EVALUATION ? 20000 : 2000;
    double best      = 1e9;
    for (int round = 0; round < 9; round++) {
        const double begin = bench_now();
        call(b, k, count);
        const double each = (bench_now() - begin) / (double)count;
        best              = each < best ? each : best;
    }
    return best;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Steps of the stepper along the run: in the middle, the mean, and the longest [s]. 0 with errors.
enum { STEPS_TIMED = 10000 };

static int time_steps(const bench *b, double *middle, double *mean, double *longest, kane_errors *errors)
{
    static double each[STEPS_TIMED];
    const kane_settings *settings = &kane_run_get_definition(b->run)->settings;
    kane_stepper *stepper         = kane_stepper_create(b->model, settings, errors);
    const double h                = settings->step;
    int count                     = 0;
    memcpy(b->ydot, b->y, (size_t)kane_model_state_count(b->model) * sizeof *b->y);
    *mean = 0.0;
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
        *mean += each[i] / count;
    qsort(each, (size_t)count, sizeof *each, compare);
    *middle  = each[count / 2];
    *longest = count > 0 ? each[count - 1] : 0.0;
    kane_stepper_free(stepper);
    return count == STEPS_TIMED;
}

static void report_steps(const measurement *m, const bench *b, kane_writer *json, kane_errors *errors)
{
    double middle, mean, longest;
    if (!time_steps(b, &middle, &mean, &longest, errors))
        return;
    if (json) {
        kane_writer_open(json, m->name, '{');
        kane_writer_text(json, "about", m->about);
        kane_writer_text(json, "unit", "s");
        kane_writer_number(json, "value", middle);
        kane_writer_number(json, "mean", mean);
        kane_writer_number(json, "longest", longest);
        kane_writer_close(json);
        return;
    }
    (void)printf("%-22s %9.1f us  %s (mean %.1f us, longest of %d: %.0f us)\n", m->name, 1e6 * middle, m->about,
                 1e6 * mean, STEPS_TIMED, 1e6 * longest);
    (void)fflush(stdout);
}

// Simulated over wall time of the whole run, best of three.
static double time_run(bench *b, kane_statistics *statistics, kane_errors *errors)
{
    const kane_run_definition *d = kane_run_get_definition(b->run);
    double best                  = 0.0;
    for (int round = 0; round < 3; round++) {
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

void bench_report(const char *name, const char *about, double time, kane_writer *json)
{
    if (json) {
        kane_writer_open(json, name, '{');
        kane_writer_text(json, "about", about);
        kane_writer_text(json, "unit", "s");
        kane_writer_number(json, "value", time);
        kane_writer_close(json);
        return;
    }
    (void)printf("%-22s %9.*f ns  %s\n", name, time < 1e-7, 1e9 * time, about);
    (void)fflush(stdout);
}

static void report_run(const measurement *m, bench *b, kane_writer *json, kane_errors *errors)
{
    kane_statistics s  = {0};
    const double value = time_run(b, &s, errors), t = kane_simulation_time(b->simulation);
    if (json) {
        kane_writer_open(json, m->name, '{');
        kane_writer_text(json, "about", m->about);
        kane_writer_text(json, "unit", "simulated/wall");
        kane_writer_number(json, "value", value);
        kane_writer_number(json, "steps per second", (double)s.steps / t);
        kane_writer_number(json, "evaluations per second", (double)s.evaluations / t);
        kane_writer_number(json, "jacobians per second", (double)s.jacobians / t);
        kane_writer_close(json);
        return;
    }
    (void)printf("%-22s %9.0f x   %s (%.0f steps/s, %.0f evaluations/s, %.1f Jacobians/s)\n", m->name, value, m->about,
                 (double)s.steps / t, (double)s.evaluations / t, (double)s.jacobians / t);
    (void)fflush(stdout);
}

static int measure(const arguments *a, const measurement *m, const char *folder, kane_writer *json, kane_errors *errors)
{
    bench b        = {0};
    const int good = prepare(&b, m, folder, errors);
    if (good && a->repeat > 0 && m->kernel != STEP)
        call(&b, m->kernel, a->repeat);
    else if (good && m->kernel == STEP)
        report_steps(m, &b, json, errors);
    else if (good && m->kernel == WHOLE_RUN)
        report_run(m, &b, json, errors);
    else if (good)
        bench_report(m->name, m->about, time_kernel(&b, m->kernel), json);
    release(&b);
    return good && errors->count == 0;
}

static int measure_part(const arguments *a, const bench_part *p, kane_writer *json, kane_errors *errors)
{
    void *part = p->create(errors);
    if (!part)
        return 0;
    if (a->repeat > 0)
        p->call(part, a->repeat);
    else
        bench_report(p->name, p->about, bench_time(p, part), json);
    p->free(part);
    return 1;
}

static int is_wanted(const arguments *a, const char *name)
{
    return !a->only || strcmp(a->only, name) == 0;
}

// All that is wanted. Returns 0 after an error.
static int measure_all(const arguments *a, const char *folder, kane_writer *json, kane_errors *errors)
{
    int good = 1;
    for (int i = 0; i < MEASUREMENTS && good; i++)
        good = !is_wanted(a, measurements[i].name) || measure(a, &measurements[i], folder, json, errors);
    for (int i = 0; i < BENCH_CONTACT_PARTS && good; i++)
        good = !is_wanted(a, bench_contact[i].name) || measure_part(a, &bench_contact[i], json, errors);
    for (int i = 0; i < BENCH_CREEP_PARTS && good; i++)
        good = !is_wanted(a, bench_creep[i].name) || measure_part(a, &bench_creep[i], json, errors);
    return good && bench_trees(a->only, a->repeat, json, errors) &&
           bench_trains(folder, a->only, a->repeat, json, errors) &&
           bench_studies(folder, a->only, a->repeat, json, errors);
}

static const char *own_name(int i)
{
    if (i < MEASUREMENTS)
        return measurements[i].name;
    i -= MEASUREMENTS;
    if (i < BENCH_CONTACT_PARTS)
        return bench_contact[i].name;
    i -= BENCH_CONTACT_PARTS;
    return i < BENCH_CREEP_PARTS ? bench_creep[i].name : NULL;
}

// Whether a name is one of a measurement; says which there are if not.
static int is_known(const char *name)
{
    static const char *(*const name_at[])(int) = {own_name, bench_tree_name, bench_train_name, bench_study_name};
    enum { LISTS = sizeof name_at / sizeof *name_at };
    for (int k = 0; k < LISTS; k++)
        for (int i = 0; name_at[k](i); i++)
            if (strcmp(name, name_at[k](i)) == 0)
                return 1;
    (void)fprintf(stderr, "kane bench: there is no measurement '%s'; known:", name);
    for (int k = 0; k < LISTS; k++)
        for (int i = 0; name_at[k](i); i++)
            (void)fprintf(stderr, " %s", name_at[k](i));
    (void)fprintf(stderr, "\n");
    return 0;
}

int command_bench(int argc, char **argv)
{
    const struct argp argp = {
        options,
        parse,
        NULL,
        "Measures evaluations, Jacobians and runs of the two-axle wagon and of a bogie coach, a wheel's contact, creep laws and "
        "mechanisms, trains and cases of studies. Times on a busy machine are hints; compare within one call.",
        NULL,
        NULL,
        NULL};
    arguments a        = {0};
    kane_errors errors = {0};
    char folder[4096];
    app_parse(&argp, argc, argv, &a);
    if (!a.precision.file && (a.precision.until > 0.0 || a.precision.outputs.count > 0 || a.settings.count > 0)) {
        (void)fprintf(stderr, "kane bench: --until, --output and --set belong to --precision\n");
        return EXIT_USAGE;
    }
    if (a.precision.file) {
        a.precision.json     = a.json;
        a.precision.settings = a.settings.texts;
        return bench_precision(&a.precision, &errors) ? EXIT_DONE : app_fail(&errors);
    }
    if (a.only && !is_known(a.only))
        return EXIT_USAGE;
    if (!find_data(&a, sizeof folder, folder)) {
        (void)fprintf(
            stderr, "kane bench: the folder with data/ and vehicles/ is not beside the program; name it with --data\n");
        return EXIT_FILE;
    }
    kane_writer writer = kane_writer_start(stdout);
    if (a.json)
        kane_writer_open(&writer, NULL, '{');
    const int good = measure_all(&a, folder, a.json ? &writer : NULL, &errors);
    if (a.json) {
        kane_writer_close(&writer);
        (void)kane_writer_end(&writer);
    }
    return good ? EXIT_DONE : app_fail(&errors);
}
