// SPDX-License-Identifier: MIT
// kane study transitions: what do the shapes of transition curves do to a vehicle? kane study optimise: which
// polynomial one is best for it?

#include "app.h"
#include "launch.h"

#include <string.h>

enum { SECTIONS_MOST = 64 };

// Of both studies, then of each.
typedef struct arguments {
    plan_options plan;
    app_texts criteria;
    app_texts shapes; // to compare
    int section_count, sections[SECTIONS_MOST];
    kane_optimisation asked;
    int degree, unknowns; // 0, -1: not given
    int has_algorithm;
} arguments;

static const char about_criterion[] = "what is looked at, such as 'rms(body.acceleration.y)'";
static const char about_omit[]      = "leave out an imaginary term";

static void check_criteria(void *all, struct argp_state *state)
{
    if (((const arguments *)all)->criteria.count == 0)
        argp_error(state, "a study of transitions needs a criterion: --criterion 'rms(body.acceleration.y)'");
}

// --- kane study transitions ---

static void take_section(const app_option *option, char *text, void *all, struct argp_state *state)
{
    arguments *a         = all;
    const app_option one = {.name = option->name, .what = "section", .least = 0, .most = 1000000};
    if (a->section_count == SECTIONS_MOST)
        argp_error(state, "more than %d sections", SECTIONS_MOST);
    app_take_whole(&one, text, &a->sections[a->section_count++], state);
}

static const app_option comparing_options[] = {
    {"criterion", 'c', "MEASURE", APP_LIST, about_criterion, APP_TEXTS(criteria)},
    {"omit", 'x', "BODY:KIND.TERM.AXIS", APP_LIST, about_omit, APP_TEXTS(plan.omit)},
    {"shapes", 'f', "A,B,...", APP_LIST,
     "shapes to compare (default: all): clothoid, parabola, cosine, sine, bloss, helmert, wiener, wiener:HEIGHT, "
     "polynomial1, polynomial3, ..., or DIR/result.json of \"kane study optimise\"",
     APP_TEXTS(shapes)},
    {"section", 'n', "N,N,...", APP_LIST,
     "transition of the track that takes the shapes, counting from 0 as sections[N] (default: all)",
     APP_OWN(take_section)},
    {0},
};

int study_transitions(int argc, char **argv)
{
    static const char *const texts[] = {"transitions.txt", NULL};
    arguments a                      = {.section_count = 0};
    kane_errors errors               = {0};
    int complete                     = 0;
    plan_options_parse(
        comparing_options, (app_part){0}, check_criteria,
        "Carries out a run once for every shape of its transitions, which keep their lengths and lead to the same "
        "curves, and compares the criteria: a table, and pictures of the shapes, the responses and the criteria.",
        argc, argv, &a);
    const kane_transition_study study = {.file            = a.plan.file,
                                         .common          = &a.plan.common,
                                         .section_count   = a.section_count,
                                         .sections        = a.sections,
                                         .shape_count     = a.shapes.count,
                                         .shapes          = a.shapes.texts,
                                         .criterion_count = a.criteria.count,
                                         .criteria        = a.criteria.texts,
                                         .execution       = plan_options_begin(&a.plan)};
    const kane_status status          = kane_study_transitions(&study, &complete, &errors);
    return (int)plan_options_end(&a.plan, status, complete, texts, "table and pictures are", &errors);
}

// --- kane study optimise ---

static void take_algorithm(const app_option *option, char *text, void *all, struct argp_state *state)
{
    arguments *a = all;
    (void)option;
    a->has_algorithm = 1;
    for (int i = 0; i < KANE_ALGORITHMS; i++)
        if (strcmp(text, kane_algorithm_name((kane_algorithm)i)) == 0) {
            a->asked.algorithm = (kane_algorithm)i;
            return;
        }
    argp_error(state, "there is no algorithm '%s'; there are bobyqa, cobyla, nelder-mead, subplex, crs, direct", text);
}

static const app_option optimising_options[] = {
    {"criterion", 'c', "MEASURE", APP_LIST, about_criterion, APP_TEXTS(criteria)},
    {"omit", 'x', "BODY:KIND.TERM.AXIS", APP_LIST, about_omit, APP_TEXTS(plan.omit)},
    {"section", 'n', "N", 0, "the transition, counting from 0 as sections[N] of the track (default: the only one)",
     APP_WHOLE(asked.section, 0, 1000000, "section")},
    {"ends", 'e', "N", 0, "derivatives of the shape that vanish at both ends (default 1)",
     APP_WHOLE(asked.family.ends, 0, 1000, "number of derivatives")},
    {"degree", 'd', "N", 0, "degree of the polynomial, up to 15 (default: 4 unknowns)",
     APP_WHOLE(degree, 1, 1000, "degree")},
    {"unknowns", 'u', "N", 0, "the same by the number of unknowns: degree less 2 ends + 1",
     APP_WHOLE(unknowns, 0, 1000, "number of unknowns")},
    {"monotone", 'm', NULL, 0, "curvature must not fall anywhere (by cobyla)", APP_FLAG(asked.is_monotone)},
    {"bound", 'b', "VALUE", 0, "largest size of an unknown (default 4)", APP_NUMBER(asked.bound)},
    {"algorithm", 'a', "NAME", 0,
     "bobyqa (default), cobyla, nelder-mead, subplex; over all of the bounds first, by half of the evaluations: crs, "
     "direct",
     APP_OWN(take_algorithm)},
    {"evaluations", 'E', "N", 0, "runs at most for each start (default 300)",
     APP_WHOLE(asked.evaluations_most, 0, 1000000000, "number of evaluations")},
    {"tolerance", 't', "VALUE", 0, "ends when the unknowns change by less (default 1e-4)", APP_NUMBER(asked.tolerance)},
    {"starts", 'k', "N", 0,
     "searches beside each other: one from the lowest polynomial, others from random ones (default 1)",
     APP_WHOLE(asked.starts, 0, 1000000, "number of starts")},
    {"random", 'r', NULL, 0, "the first one begins at a random polynomial too", APP_FLAG(asked.random_start)},
    {"seed", 'i', "N", 0, "of what is random (default 1)", APP_WHOLE(asked.seed, 0, 2000000000, "seed")},
    {"keep", 0, NULL, 0, "keep the rows of every evaluation, for kane view", APP_FLAG(asked.keep)},
    {0},
};

// What follows from what was given.
static void settle_optimisation(void *all, struct argp_state *state)
{
    arguments *a         = all;
    kane_optimisation *o = &a->asked;
    if (a->degree > 0 && a->unknowns >= 0)
        argp_error(state, "--degree and --unknowns say the same thing; give one of them");
    if (a->degree > 0)
        o->family.unknowns = a->degree - 2 * o->family.ends - 1;
    if (a->unknowns >= 0)
        o->family.unknowns = a->unknowns;
    if (!a->has_algorithm && (o->is_monotone || o->family.unknowns == 1))
        o->algorithm = KANE_COBYLA;
    check_criteria(all, state);
}

int study_optimise(int argc, char **argv)
{
    static const char *const texts[] = {"optimise.txt", "transitions.txt", NULL};
    arguments a                      = {.asked = kane_optimisation_default(), .unknowns = -1};
    kane_errors errors               = {0};
    int complete                     = 0;
    plan_options_parse(
        optimising_options, (app_part){0}, settle_optimisation,
        "Finds the coefficients of the polynomial transition that makes a criterion least (several: their sum, each as "
        "WEIGHT*MEASURE), and compares it with the standard shapes by finer runs. Writes the section for a track file.",
        argc, argv, &a);
    a.asked.file             = a.plan.file;
    a.asked.common           = &a.plan.common;
    a.asked.criterion_count  = a.criteria.count;
    a.asked.criteria         = a.criteria.texts;
    a.asked.execution        = plan_options_begin(&a.plan);
    const kane_status status = kane_study_optimise(&a.asked, &complete, &errors);
    return (int)plan_options_end(&a.plan, status, complete, texts, "result, tables and pictures are", &errors);
}
