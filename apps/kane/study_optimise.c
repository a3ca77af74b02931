// SPDX-License-Identifier: MIT
// kane study optimise: which polynomial transition curve is best for a vehicle?

#include "studies.h"
#include "transition_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    transition_options run;
    plan_options plan;
    kane_optimisation asked;
    int degree;       // 0: not given
    int has_unknowns; // were unknowns given?
    int has_algorithm;
} arguments;

static const struct argp_option options[] = {
    {"section", 'n', "N", 0, "the transition, counting from 0 as sections[N] of the track (default: the only one)", 0},
    {"ends", 'e', "N", 0, "derivatives of the shape that vanish at both ends (default 1)", 0},
    {"degree", 'd', "N", 0, "degree of the polynomial, up to 15 (default: 4 unknowns)", 0},
    {"unknowns", 'u', "N", 0, "the same by the number of unknowns: degree less 2 ends + 1", 0},
    {"monotone", 'm', NULL, 0, "curvature must not fall anywhere (by cobyla)", 0},
    {"bound", 'b', "VALUE", 0, "largest size of an unknown (default 4)", 0},
    {"algorithm", 'a', "NAME", 0,
     "bobyqa (default), cobyla, nelder-mead, subplex; over all of the bounds first, by half of the evaluations: crs, "
     "direct",
     0},
    {"evaluations", 'E', "N", 0, "runs at most for each start (default 300)", 0},
    {"tolerance", 't', "VALUE", 0, "ends when the unknowns change by less (default 1e-4)", 0},
    {"starts", 'k', "N", 0,
     "searches beside each other: one from the lowest polynomial, others from random ones (default 1)", 0},
    {"random", 'r', NULL, 0, "the first one begins at a random polynomial too", 0},
    {"seed", 'i', "N", 0, "of what is random (default 1)", 0},
    {0},
};

static kane_algorithm take_algorithm(const char *text, struct argp_state *state)
{
    for (int i = 0; i < KANE_ALGORITHMS; i++)
        if (strcmp(text, kane_algorithm_name((kane_algorithm)i)) == 0)
            return (kane_algorithm)i;
    argp_error(state, "there is no algorithm '%s'; there are bobyqa, cobyla, nelder-mead, subplex, crs, direct", text);
    return KANE_BOBYQA;
}

// What follows from what was given.
static void settle(arguments *a, struct argp_state *state)
{
    kane_optimisation *o = &a->asked;
    if (a->degree > 0 && a->has_unknowns)
        argp_error(state, "--degree and --unknowns say the same thing; give one of them");
    if (a->degree > 0)
        o->family.unknowns = a->degree - 2 * o->family.ends - 1;
    if (!a->has_algorithm && (o->is_monotone || o->family.unknowns == 1))
        o->algorithm = KANE_COBYLA;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a         = state->input;
    kane_optimisation *o = &a->asked;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->run;
        state->child_inputs[1] = &a->plan;
        break;
    case 'n': o->section = transition_take_count(value, 0, 1000000, "section", state); break;
    case 'e': o->family.ends = transition_take_count(value, 0, 1000, "number of derivatives", state); break;
    case 'd': a->degree = transition_take_count(value, 1, 1000, "degree", state); break;
    case 'u':
        o->family.unknowns = transition_take_count(value, 0, 1000, "number of unknowns", state);
        a->has_unknowns    = 1;
        break;
    case 'm': o->is_monotone = 1; break;
    case 'b': o->bound = app_take_number(value, state); break;
    case 'a':
        o->algorithm     = take_algorithm(value, state);
        a->has_algorithm = 1;
        break;
    case 'E': o->evaluations_most = transition_take_count(value, 0, 1000000000, "number of evaluations", state); break;
    case 't': o->tolerance = app_take_number(value, state); break;
    case 'k': o->starts = transition_take_count(value, 0, 1000000, "number of starts", state); break;
    case 'r': o->random_start = 1; break;
    case 'i': o->seed = transition_take_count(value, 0, 2000000000, "seed", state); break;
    case ARGP_KEY_END: settle(a, state); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int study_optimise(int argc, char **argv)
{
    const struct argp_child children[] = {
        {&transition_options_argp, 0, NULL, 0}, {&plan_options_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        options,
        parse,
        "RUN.json",
        "Finds the coefficients of the polynomial transition that makes a criterion least (several: their sum, each as "
        "WEIGHT*MEASURE), and compares it with the standard shapes by finer runs. Writes the section for a track file.",
        children,
        NULL,
        NULL};
    arguments a        = {.asked = kane_optimisation_default()};
    kane_errors errors = {0};
    int complete       = 0;
    argp_parse(&argp, argc, argv, 0, NULL, &a);

    const kane_run_options common = {.settings = a.run.settings.texts, .omit = a.run.omissions.texts};
    a.asked.file                  = a.run.file;
    a.asked.common                = &common;
    a.asked.criterion_count       = a.run.criteria.count;
    a.asked.criteria              = a.run.criteria.texts;
    a.asked.execution             = plan_options_begin(&a.plan);
    const kane_status status      = kane_study_optimise(&a.asked, &complete, &errors);
    const exit_code code          = plan_options_end(&a.plan, status, &errors);
    if (complete) {
        transition_print(a.plan.directory, "optimise.txt");
        transition_print(a.plan.directory, "transitions.txt");
        (void)fprintf(stderr, "result, tables and pictures are in %s\n", a.plan.directory);
    }
    return code;
}
