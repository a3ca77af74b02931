// SPDX-License-Identifier: MIT
// Cases of a study for `kane bench`: short runs of the same vehicle, one after the other, from their files to the
// numbers that are asked for, each leaving out other imaginary terms.

#include "bench.h"

typedef struct bench_cases {
    const char *name, *about;
    const char *run;
    const char *settings[4];
    const char *channels[4];
    int shares; // 1: cases share their contact tables
} bench_cases;

#define TABLES       "vehicle.patterns.wheelset.contact.model=table"
#define WITH_FORCES  "body.*", "*.Y", "*.Q"
#define DISPLACEMENT "body.y", "body.yaw", "body.roll"

#define WAGON(name, about, shares, channels, setting)                                                                  \
    {                                                                                                                  \
        "study-wagon" name, about, "wagon-transition", {"until.distance=200", "output.interval=10 ms", setting},       \
            {channels}, shares                                                                                         \
    }
#define COACH(name, about, shares)                                                                                     \
    {                                                                                                                  \
        "study-coach" name, about, "coach-curve", {"until.distance=250", "output.interval=10 ms"},                     \
            {"car.*", "*.Y", "*.Q"}, shares                                                                            \
    }

static const bench_cases all[] = {
    WAGON("", "cases of the wagon, 200 m through a transition, displacements and forces of wheels every 10 ms", 1,
          WITH_FORCES, NULL),
    WAGON("-alone", "the same without sharing contact tables", 0, WITH_FORCES, NULL),
    WAGON("-motion", "the same with displacements alone, tables shared", 1, DISPLACEMENT, NULL),
    WAGON("-tables", "the same with rigid contact by tables, forces too", 1, WITH_FORCES, TABLES),
    WAGON("-tables-alone", "the same without sharing", 0, WITH_FORCES, TABLES),
    COACH("", "cases of the bogie coach, 250 m through a transition, displacements and forces", 1),
    COACH("-alone", "the same without sharing contact tables", 0),
};
enum { CASES = sizeof all / sizeof *all };

// Every case leaves out something else.
static const char *const omissions[] = {NULL, "*:torque.rotation.z", "*:force.centrifugal.y", "*:torque.gyroscopic.*"};
enum { OMISSIONS = sizeof omissions / sizeof *omissions };

static int carry_out(const bench_cases *c, const char *file, long number, kane_tables *tables, kane_errors *errors)
{
    const char *const omit[]   = {omissions[number % OMISSIONS], NULL};
    const kane_run_options how = {.settings = c->settings, .omit = omit, .tables = tables, .is_comparison = 1};
    kane_run *run              = kane_run_read(file, &how, errors);
    kane_outcome outcome;
    kane_results *results = NULL;
    int channels          = 0;
    while (c->channels[channels])
        channels++;
    if (run)
        results = kane_run_to_memory(kane_run_get_definition(run), channels, c->channels, &outcome, errors);
    const int good = results && outcome.status == KANE_OK;
    kane_results_free(results);
    kane_run_free(run);
    return good;
}

// Time of a case [s], best of three rounds of at least so many; negative after an error. With `repeat` that many cases.
static double time_cases(const bench_cases *c, const char *folder, long repeat, kane_errors *errors)
{
    enum { ROUNDS = 3, PER_ROUND = 8 };
    const long count    = repeat > 0 ? repeat : ROUNDS * PER_ROUND;
    kane_tables *tables = c->shares ? kane_tables_create(KANE_TABLES_USUAL) : NULL;
    double best = 1e9, begin = bench_now();
    int good = 1;
    char file[4096];
    (void)snprintf(file, sizeof file, "%s/data/runs/%s.json", folder, c->run);
    for (long i = 0; i < count && good; i++) {
        good = carry_out(c, file, i, tables, errors);
        if ((i + 1) % PER_ROUND == 0) {
            const double each = (bench_now() - begin) / PER_ROUND;
            best              = each < best ? each : best;
            begin             = bench_now();
        }
    }
    kane_tables_free(tables);
    return good ? best : -1.0;
}

static int measure_studies(bench *b, kane_errors *errors)
{
    for (int i = 0; i < CASES; i++) {
        if (!bench_wants(b, all[i].name) && !bench_wants(b, "study"))
            continue;
        const double each = time_cases(&all[i], b->folder, b->repeat, errors);
        if (each < 0.0)
            return 0;
        if (b->repeat == 0)
            bench_put(b, all[i].name, 1.0 / each, "1/s", all[i].about);
    }
    return 1;
}

static const char *study_name(int i)
{
    if (i == CASES)
        return "study";
    return i < CASES ? all[i].name : NULL;
}

const bench_list bench_studies = {.name = study_name, .measure = measure_studies};
