// SPDX-License-Identifier: MIT
// kane study transitions: what do the shapes of transition curves do to a vehicle? kane study optimise: which
// one of a family is best for it?

#include "analysis.h"
#include "launch.h"

#include "base/number.h"

#include <string.h>

enum { SECTIONS_MOST = 64 };

// Of both studies, then of each.
typedef struct arguments {
    plan_options plan;
    app_texts criteria;
    app_texts shapes; // to compare
    int section_count, sections[SECTIONS_MOST];
    kane_optimisation asked;
    int degree, unknowns, knots; // 0, -1, -1: not given
    int has_algorithm, is_worst;
    app_texts over, limits;
    app_axes axes;
    app_numbers weights;
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
    {"over", 0, "PATH=VALUES", APP_ADDS,
     "conditions, axes as of kane sweep; tables have the largest criterion of all, pictures the first condition",
     APP_TEXTS(over)},
    PLAN_DRY_RUN_OPTION(0),
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
    kane_status status = app_axes_read(&a.over, &a.axes, &errors) ? KANE_OK : kane_errors_status(&errors, 0);
    const kane_transition_study study = {.file            = a.plan.file,
                                         .common          = &a.plan.common,
                                         .section_count   = a.section_count,
                                         .sections        = a.sections,
                                         .shape_count     = a.shapes.count,
                                         .shapes          = a.shapes.texts,
                                         .criterion_count = a.criteria.count,
                                         .criteria        = a.criteria.texts,
                                         .axis_count      = a.axes.count,
                                         .axes            = (const kane_axis *const *)a.axes.axes,
                                         .execution       = plan_options_begin(&a.plan)};
    if (status == KANE_OK)
        status = kane_study_transitions(&study, &complete, &errors);
    app_axes_free(&a.axes);
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
    argp_error(state, "there is no algorithm '%s'; there are bobyqa, cobyla, nelder-mead, subplex, crs, direct, slsqp",
               text);
}

// "80:150", or "80:150 m"
static void take_length(const app_option *option, char *text, void *all, struct argp_state *state)
{
    kane_optimisation *o = &((arguments *)all)->asked;
    const size_t first   = kane_number_length(text);
    const char *second   = text + first + 1;
    const size_t rest    = text[first] == ':' ? kane_number_length(second) : 0;
    const char *unit     = rest > 0 ? second + rest + strspn(second + rest, " ") : "";
    (void)option;
    if (first == 0 || rest == 0 || first > KANE_NUMBER_LENGTH || rest > KANE_NUMBER_LENGTH ||
        (*unit && strcmp(unit, "m") != 0))
        argp_error(state, "--length: '%s' is not a range of lengths A:B in m, such as 80:150", text);
    o->length_from = kane_number_value(text, first, 0);
    o->length_to   = kane_number_value(second, rest, 0);
}

static const app_option optimising_options[] = {
    {"criterion", 'c', "MEASURE", APP_LIST, about_criterion, APP_TEXTS(criteria)},
    {"omit", 'x', "BODY:KIND.TERM.AXIS", APP_LIST, about_omit, APP_TEXTS(plan.omit)},
    {"section", 'n', "N", 0, "the transition, counting from 0 as sections[N] of the track (default: the only one)",
     APP_WHOLE(asked.section, 0, 1000000, "section")},
    {"over", 0, "PATH=VALUES", APP_ADDS,
     "conditions under which the shape must be good: an axis as of kane sweep, A:B:N or V,V,...; several axes make a "
     "grid",
     APP_TEXTS(over)},
    {"worst", 0, NULL, 0, "what counts is the largest criterion of all conditions (default)", APP_FLAG(is_worst)},
    {"weights", 0, "W,W,...", APP_LIST, "instead its mean, with a weight for each condition, the last axis fastest",
     APP_NUMBERS(weights, "1")},
    {"limit", 0, "MEASURE <= VALUE", APP_ADDS,
     "what the shape must hold under all conditions, with <= or >=", APP_TEXTS(limits)},
    {"length", 0, "A:B", 0, "the length of the transition is an unknown, from A to B in m (default: that of the track)",
     APP_OWN(take_length)},
    {"pareto", 0, "MEASURE", 0,
     "the front of the sum of criteria and this measure: a table and a picture of shapes between the best of either",
     APP_TEXT(asked.pareto)},
    {"points", 0, "N", 0, "of the front, 3 to 64 (default 9)", APP_WHOLE(asked.points, 0, 1000, "number of points")},
    {"ends", 'e', "N", 0, "derivatives of the shape that vanish at both ends (default 1)",
     APP_WHOLE(asked.family.ends, 0, 1000, "number of derivatives")},
    {"degree", 'd', "N", 0,
     "degree of the polynomial, up to 15 (default: 4 unknowns), of B-splines up to 11 (default 5)",
     APP_WHOLE(degree, 1, 1000, "degree")},
    {"spline", 0, "N", 0, "B-splines with N knots between the ends instead of polynomials",
     APP_WHOLE(knots, 0, 1000, "number of knots")},
    {"unknowns", 'u', "N", 0, "the same by the number of unknowns: degree less 2 ends + 1",
     APP_WHOLE(unknowns, 0, 1000, "number of unknowns")},
    {"monotone", 'm', NULL, 0, "curvature must not fall anywhere (by cobyla)", APP_FLAG(asked.is_monotone)},
    {"bound", 'b', "VALUE", 0, "largest size of an unknown (default 4)", APP_NUMBER(asked.bound)},
    {"algorithm", 'a', "NAME", 0,
     "slsqp (default where all is of the line: exact derivatives), cobyla (default of worst conditions, limits and one "
     "unknown), bobyqa (default of all else), nelder-mead, subplex; over all of the bounds first, by half of the "
     "evaluations: crs, direct",
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
    PLAN_DRY_RUN_OPTION(0),
    {0},
};

// The unknowns of the family.
static void settle_family(arguments *a, struct argp_state *state)
{
    kane_transition_family *f = &a->asked.family;
    if (a->knots >= 0 && a->unknowns >= 0)
        argp_error(state,
                   "B-splines have knots + degree - 1 - 2 ends unknowns; --spline and --degree give their number");
    if (a->degree > 0 && a->unknowns >= 0)
        argp_error(state, "--degree and --unknowns say the same thing; give one of them");
    if (a->knots >= 0) {
        f->knots    = a->knots;
        f->degree   = a->degree > 0 ? a->degree : 5;
        f->unknowns = f->knots + f->degree - 1 - 2 * f->ends;
    } else if (a->degree > 0) {
        f->unknowns = a->degree - 2 * f->ends - 1;
    } else if (a->unknowns >= 0) {
        f->unknowns = a->unknowns;
    }
}

// What follows from what was given.
static void settle_optimisation(void *all, struct argp_state *state)
{
    arguments *a         = all;
    kane_optimisation *o = &a->asked;
    settle_family(a, state);
    if (a->is_worst && a->weights.count > 0)
        argp_error(state, "--worst and --weights contradict each other");
    if ((a->is_worst || a->weights.count > 0) && a->over.count == 0)
        argp_error(state, "--worst and --weights are about several conditions; --over PATH=VALUES makes them");
    if (o->points > 0 && !o->pareto)
        argp_error(state, "--points is about a front; --pareto MEASURE makes it");
    if (o->pareto && o->points == 0)
        o->points = 9;
    if (!a->has_algorithm)
        o->algorithm = KANE_ALGORITHM_USUAL;
    check_criteria(all, state);
}

int study_optimise(int argc, char **argv)
{
    static const char *const texts[] = {"optimise.txt", "transitions.txt", NULL};
    arguments a                      = {.asked = kane_optimisation_default(), .unknowns = -1, .knots = -1};
    kane_errors errors               = {0};
    int complete                     = 0;
    plan_options_parse(
        optimising_options, (app_part){0}, settle_optimisation,
        "Finds the coefficients of the transition, of polynomials or B-splines, that makes a criterion least (several: "
        "their sum, each as WEIGHT*MEASURE), and compares it with the standard shapes by finer runs. Writes the "
        "section for a track file.",
        argc, argv, &a);
    a.asked.file            = a.plan.file;
    a.asked.common          = &a.plan.common;
    a.asked.criterion_count = a.criteria.count;
    a.asked.criteria        = a.criteria.texts;
    a.asked.limit_count     = a.limits.count;
    a.asked.limits          = a.limits.texts;
    a.asked.weight_count    = a.weights.count;
    a.asked.weights         = a.weights.values;
    kane_status status      = app_axes_read(&a.over, &a.axes, &errors) ? KANE_OK : kane_errors_status(&errors, 0);
    a.asked.axis_count      = a.axes.count;
    a.asked.axes            = (const kane_axis *const *)a.axes.axes;
    a.asked.execution       = plan_options_begin(&a.plan);
    if (status == KANE_OK)
        status = kane_study_optimise(&a.asked, &complete, &errors);
    app_axes_free(&a.axes);
    return (int)plan_options_end(&a.plan, status, complete, texts, "result, tables and pictures are", &errors);
}
