// SPDX-License-Identifier: MIT
// kane sweep: a run over values of its parameters.

#include "analysis.h"
#include "launch.h"

#include <argp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    plan_options plan;
    app_texts over, measures;
    kane_sweep_kind kind;
    const char *kind_option; // as typed; NULL: none
    int samples, seed, has_seed, keep, dry_run;
} arguments;

static const struct argp_option options[] = {
    {"over", 'O', "PATH=A:B:N|V,V,...", APP_ADDS,
     "N values of a parameter from A to B, or these values; of several parameters every value of "
     "each with every one of the others, or as --list and --latin-hypercube say. Short names: speed, acceleration, "
     "radius, cant, shape",
     0},
    {"grid", 'g', NULL, 0, "every value of each with every one of the others (default)", 0},
    {"list", 'l', NULL, 0, "the first values of all, the second ones, and so on", 0},
    {"latin-hypercube", 'L', "N", 0, "N cases, spread evenly over every parameter", 0},
    {"seed", 'r', "N", 0, "of the Latin hypercube (default 1)", 0},
    {"measure", 'm', "MEASURE", APP_LIST, "number of each case, such as max(body.y): a column of the table", 0},
    {"omit", 'x', "BODY:KIND.TERM.AXIS", APP_LIST, "leave out an imaginary term in all cases", 0},
    {"keep", 'k', NULL, 0, "keep the rows of every case", 0},
    {"dry-run", 'n', NULL, 0, "check everything, say what would be done, and do nothing", 0},
    {0},
};

// Any whole number: how many cases there may be the sweep itself says.
static int take_whole(const char *text, const char *name, struct argp_state *state)
{
    char *end;
    const long value = strtol(text, &end, 10);
    if (end == text || *end || value < INT_MIN || value > INT_MAX)
        argp_error(state, "--%s: '%s' is not a whole number", name, text);
    return (int)value;
}

static void choose(arguments *a, kane_sweep_kind kind, const char *option, struct argp_state *state)
{
    if (a->kind_option && strcmp(a->kind_option, option) != 0)
        argp_error(state, "%s and %s contradict each other", a->kind_option, option);
    a->kind        = kind;
    a->kind_option = option;
}

static void check(const arguments *a, struct argp_state *state)
{
    if (a->over.count == 0)
        argp_error(state, "a sweep needs --over, such as --over speed=10:50:5");
    if (a->measures.count == 0)
        argp_error(state, "a sweep needs --measure, such as --measure 'max(body.y)'");
    if (a->has_seed && a->kind != KANE_SWEEP_LATIN_HYPERCUBE)
        argp_error(state, "--seed belongs to --latin-hypercube");
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'O': app_collect(&a->over, value, state); break;
    case 'm': app_collect(&a->measures, value, state); break;
    case 'x': app_collect(&a->plan.omit, value, state); break;
    case 'g': choose(a, KANE_SWEEP_GRID, "--grid", state); break;
    case 'l': choose(a, KANE_SWEEP_LIST, "--list", state); break;
    case 'L':
        choose(a, KANE_SWEEP_LATIN_HYPERCUBE, "--latin-hypercube", state);
        a->samples = take_whole(value, "latin-hypercube", state);
        break;
    case 'r':
        a->seed     = take_whole(value, "seed", state);
        a->has_seed = 1;
        break;
    case 'k': a->keep = 1; break;
    case 'n': a->dry_run = 1; break;
    case ARGP_KEY_END: check(a, state); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// --- text ---

enum { CELL = 1200, ROWS_MOST = 40 };

static exit_code print_plan(const kane_sweep_study *sweep, const arguments *a)
{
    enum { FIRST = 5 };
    const int count = kane_sweep_case_count(sweep);
    (void)printf("%d case%s\n", count, count == 1 ? "" : "s");
    for (int i = 0; i < count && i < FIRST; i++) {
        (void)printf("%6d ", i + 1);
        for (int axis = 0; axis < a->over.count; axis++) {
            char text[CELL];
            (void)kane_sweep_setting(sweep, i, axis, sizeof text, text);
            (void)printf(" --set '%s'", text);
        }
        (void)printf("\n");
    }
    if (count > FIRST)
        (void)printf("   ...\n");
    return EXIT_DONE;
}

// --- the sweep ---

static exit_code carry_out(kane_sweep_study *sweep, arguments *a, kane_errors *errors)
{
    static const char *const texts[]    = {NULL};
    int complete                        = 0;
    const kane_plan_execution execution = plan_options_begin(&a->plan);
    const kane_status status            = kane_sweep_run_cases(sweep, &execution, &complete, errors);
    const char *what                    = a->plan.is_quiet ? NULL : "table and pictures are";
    const exit_code code                = plan_options_end(&a->plan, status, complete, texts, what, errors);
    if (complete)
        kane_sweep_print(sweep, ROWS_MOST, stdout);
    return code;
}

int command_sweep(int argc, char **argv)
{
    arguments a             = {.seed = 1};
    kane_errors errors      = {0};
    kane_sweep_study *sweep = NULL;
    app_axes all;
    plan_options_parse(
        options, parse,
        "Carries out a run over values of its parameters and makes a table of a few numbers of each case.", argc, argv,
        &a);
    if (app_axes_read(&a.over, &all, &errors)) {
        const kane_sweep_definition definition = {.file          = a.plan.file,
                                                  .common        = &a.plan.common,
                                                  .axis_count    = all.count,
                                                  .axes          = (const kane_axis *const *)all.axes,
                                                  .kind          = a.kind,
                                                  .samples       = a.samples,
                                                  .seed          = a.seed,
                                                  .measure_count = a.measures.count,
                                                  .measures      = a.measures.texts,
                                                  .keep_results  = a.keep};
        sweep                                  = kane_sweep_create(&definition, &errors);
    }
    const exit_code code = !sweep      ? app_fail(&errors)
                           : a.dry_run ? print_plan(sweep, &a)
                                       : carry_out(sweep, &a, &errors);
    kane_sweep_free(sweep);
    app_axes_free(&all);
    return (int)code;
}
