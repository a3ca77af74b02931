// SPDX-License-Identifier: MIT
// Options of sweeps, and sweeps as commands carry them out.

#include "analysis.h"
#include "launch.h"
#include "study/sweep_study.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// Any whole number: how many cases there may be the sweep itself says.
static int read_whole(const app_option *o, const char *text, struct argp_state *state)
{
    char *end;
    const long value = strtol(text, &end, 10);
    if (end == text || *end || value < INT_MIN || value > INT_MAX)
        argp_error(state, "--%s: '%s' is not a whole number", o->name, text);
    return (int)value;
}

static void choose_sampling_kind(sweep_options *a, kane_sweep_kind kind, const char *option, struct argp_state *state)
{
    if (a->kind_option && strcmp(a->kind_option, option) != 0)
        argp_error(state, "--%s and --%s contradict each other", a->kind_option, option);
    a->kind        = kind;
    a->kind_option = option;
}

static void take_grid(const app_option *o, char *text, void *member, struct argp_state *state)
{
    (void)text;
    choose_sampling_kind(member, KANE_SWEEP_GRID, o->name, state);
}

static void take_list(const app_option *o, char *text, void *member, struct argp_state *state)
{
    (void)text;
    choose_sampling_kind(member, KANE_SWEEP_LIST, o->name, state);
}

static void take_hypercube(const app_option *o, char *text, void *member, struct argp_state *state)
{
    choose_sampling_kind(member, KANE_SWEEP_LATIN_HYPERCUBE, o->name, state);
    ((sweep_options *)member)->samples = read_whole(o, text, state);
}

static void take_samples(const app_option *o, char *text, void *member, struct argp_state *state)
{
    sweep_options *a = member;
    a->samples       = read_whole(o, text, state);
    a->has_samples   = 1;
    if (a->samples < 1)
        argp_error(state, "--samples: there must be one or more, such as --samples 100, not %d", a->samples);
}

static void take_seed(const app_option *o, char *text, void *member, struct argp_state *state)
{
    sweep_options *a = member;
    a->seed          = read_whole(o, text, state);
    a->has_seed      = 1;
}

const char *const sweep_samplings[] = {"latin", "random", NULL};

typedef sweep_options arguments;

const app_option sweep_option_rows[] = {
    {"over", 'O', "PATH=A:B:N|V,V,...", APP_ADDS,
     "N values of a parameter from A to B, or these values, or what is sampled: a distribution, "
     "PATH=normal(MEAN,DEVIATION) or uniform(A,B), or the rows of a table, {\"table\": \"FILE.csv\", \"columns\": "
     "{\"PATH\": \"COLUMN\", ...}}; of several parameters every value of each with every one of the others, or as --list and --latin-hypercube say. Short names: speed, acceleration, radius, cant, shape",
     APP_TEXTS(over)},
    {"grid", 'g', NULL, 0, "every value of each with every one of the others (default)", APP_OWN(take_grid)},
    {"list", 'l', NULL, 0, "the first values of all, the second ones, and so on", APP_OWN(take_list)},
    {"latin-hypercube", 'L', "N", 0, "N cases, spread evenly over every parameter", APP_OWN(take_hypercube)},
    {"samples", 'N', "N", 0, "N samples of all distributions together, crossed with the other parameters",
     APP_OWN(take_samples)},
    {"seed", 'r', "N", 0, "of the Latin hypercube or the samples (default 1)", APP_OWN(take_seed)},
    {"percentile", 'p', "P,P,...", APP_LIST, "of each measure over the samples (default 5,50,95)",
     APP_NUMBERS(percentiles, "1")},
    {"sobol", 'i', NULL, 0, "sensitivity indices of each measure, by N (k + 2) cases of k distributions",
     APP_FLAG(with_sobol)},
    {0},
};

void sweep_options_check(const sweep_options *a, struct argp_state *state)
{
    if (a->has_samples && a->kind != KANE_SWEEP_GRID)
        argp_error(state, "--samples and --%s contradict each other", a->kind_option);
    if (a->has_seed && a->kind != KANE_SWEEP_LATIN_HYPERCUBE && !a->has_samples)
        argp_error(state, "--seed belongs to --latin-hypercube or --samples");
    if (a->sampling && !a->has_samples)
        argp_error(state, "--sampling belongs to --samples");
}

enum { ROWS_MOST = 40 };

// --- the sweep ---

static exit_code carry_out(kane_sweep_study *sweep, plan_options *plan, kane_errors *errors)
{
    static const char *const texts[]    = {NULL};
    int complete                        = 0;
    const kane_plan_execution execution = plan_options_begin(plan);
    const kane_status status            = kane_sweep_run_cases(sweep, &execution, &complete, errors);
    const char *what                    = plan->is_quiet ? NULL : "table and pictures are";
    const exit_code code                = plan_options_end(plan, status, complete, texts, what, errors);
    if (plan->dry_run && status == KANE_OK)
        kane_sweep_print_sampling(sweep, stdout);
    if (complete)
        kane_sweep_print(sweep, ROWS_MOST, stdout);
    return code;
}

exit_code sweep_options_carry_out(const sweep_options *a, plan_options *plan, const kane_sweep_finder *finder, int keep,
                                  kane_errors *errors)
{
    kane_sweep_study *sweep = NULL;
    app_axes all;
    if (app_axes_read(&a->over, &all, errors)) {
        const kane_sweep_definition definition = {.file       = plan->file,
                                                  .common     = &plan->common,
                                                  .axis_count = all.count,
                                                  .axes       = (const kane_axis *const *)all.axes,
                                                  .kind       = a->kind,
                                                  .samples    = a->samples,
                                                  .seed       = a->has_seed ? a->seed : 1,
                                                  .sampling =
                                                      a->sampling == 2 ? KANE_SAMPLING_RANDOM : KANE_SAMPLING_LATIN,
                                                  .with_sobol       = a->with_sobol,
                                                  .percentiles      = a->percentiles.values,
                                                  .percentile_count = a->percentiles.count,
                                                  .measure_count    = a->measures.count,
                                                  .measures         = a->measures.texts,
                                                  .finder           = finder,
                                                  .keep_results     = keep};
        sweep                                  = kane_sweep_create(&definition, errors);
    }
    const exit_code code = sweep ? carry_out(sweep, plan, errors) : app_fail(errors);
    kane_sweep_free(sweep);
    app_axes_free(&all);
    return code;
}
