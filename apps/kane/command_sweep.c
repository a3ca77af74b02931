// SPDX-License-Identifier: MIT
// kane sweep: a run over values of its parameters.

#include "launch.h"

typedef struct arguments {
    plan_options plan;
    sweep_options sweep;
    int keep;
} arguments;

static const app_option options[] = {
    {"sampling", 'w', "latin|random", 0, "one sample in each of N parts of a distribution (default), or anywhere",
     APP_WORD(sweep.sampling, 1, sweep_samplings)},
    {"measure", 'm', "MEASURE", APP_LIST, "number of each case, such as max(body.y): a column of the table",
     APP_TEXTS(sweep.measures)},
    {"omit", 'x', "BODY:KIND.TERM.AXIS", APP_LIST, "leave out an imaginary term in all cases", APP_TEXTS(plan.omit)},
    {"keep", 'k', NULL, 0, "keep the rows of every case", APP_FLAG(keep)},
    PLAN_DRY_RUN_OPTION('n'),
    {0},
};

static void check_arguments(void *all, struct argp_state *state)
{
    const arguments *a = all;
    if (a->sweep.over.count == 0)
        argp_error(state, "a sweep needs --over, such as --over speed=10:50:5");
    if (a->sweep.measures.count == 0)
        argp_error(state, "a sweep needs --measure, such as --measure 'max(body.y)'");
    sweep_options_check(&a->sweep, state);
}

int command_sweep(int argc, char **argv)
{
    arguments a        = {.keep = 0};
    kane_errors errors = {0};
    plan_options_parse(
        options, APP_PART(sweep_option_rows, sweep), check_arguments,
        "Carries out a run over values of its parameters and makes a table of a few numbers of each case.", argc, argv,
        &a);
    return (int)sweep_options_carry_out(&a.sweep, &a.plan, NULL, a.keep, &errors);
}
