// SPDX-License-Identifier: MIT
// kane study transitions: what do the shapes of transition curves do to a vehicle? kane study optimise: which
// polynomial one is best for it?

#include "analysis.h"
#include "app.h"
#include "launch.h"

#include "base/number.h"

#include <string.h>

// --- what both ask for ---

typedef struct transition_options {
    plan_options plan;
    app_texts criteria;
} transition_options;

static const char about_criterion[] = "what is looked at, such as 'rms(body.acceleration.y)'";
static const char about_omit[]      = "leave out an imaginary term";

static error_t parse_both(int key, char *value, struct argp_state *state)
{
    transition_options *o = state->input;
    switch (key) {
    case 'c': app_collect(&o->criteria, value, state); break;
    case 'x': app_collect(&o->plan.omit, value, state); break;
    case ARGP_KEY_END:
        if (o->criteria.count == 0)
            argp_error(state, "a study of transitions needs a criterion: --criterion 'rms(body.acceleration.y)'");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// --- kane study transitions ---

enum { SECTIONS_MOST = 64 };

typedef struct comparing {
    transition_options both;
    app_texts shapes;
    int section_count;
    int sections[SECTIONS_MOST];
} comparing;

static const struct argp_option comparing_options[] = {
    {"criterion", 'c', "MEASURE", APP_LIST, about_criterion, 0},
    {"omit", 'x', "BODY:KIND.TERM.AXIS", APP_LIST, about_omit, 0},
    {"shapes", 'f', "A,B,...", APP_LIST,
     "shapes to compare (default: all): clothoid, parabola, cosine, sine, bloss, helmert, wiener, wiener:HEIGHT, "
     "polynomial1, polynomial3, ..., or DIR/result.json of \"kane study optimise\"",
     0},
    {"section", 'n', "N,N,...", APP_LIST,
     "transition of the track that takes the shapes, counting from 0 as sections[N] (default: all)", 0},
    {0},
};

static error_t parse_comparing(int key, char *value, struct argp_state *state)
{
    comparing *a = state->input;
    switch (key) {
    case 'f': app_collect(&a->shapes, value, state); break;
    case 'n':
        if (a->section_count == SECTIONS_MOST)
            argp_error(state, "more than %d sections", SECTIONS_MOST);
        a->sections[a->section_count++] = app_take_whole(value, 0, 1000000, "section", state);
        break;
    default: return parse_both(key, value, state);
    }
    return 0;
}

int study_transitions(int argc, char **argv)
{
    static const char *const texts[] = {"transitions.txt", NULL};
    comparing a                      = {.section_count = 0};
    kane_errors errors               = {0};
    int complete                     = 0;
    plan_options_parse(
        comparing_options, parse_comparing,
        "Carries out a run once for every shape of its transitions, which keep their lengths and lead to the same "
        "curves, and compares the criteria: a table, and pictures of the shapes, the responses and the criteria.",
        argc, argv, &a);
    const kane_transition_study study = {.file            = a.both.plan.file,
                                         .common          = &a.both.plan.common,
                                         .section_count   = a.section_count,
                                         .sections        = a.sections,
                                         .shape_count     = a.shapes.count,
                                         .shapes          = a.shapes.texts,
                                         .criterion_count = a.both.criteria.count,
                                         .criteria        = a.both.criteria.texts,
                                         .execution       = plan_options_begin(&a.both.plan)};
    const kane_status status          = kane_study_transitions(&study, &complete, &errors);
    return (int)plan_options_end(&a.both.plan, status, complete, texts, "table and pictures are", &errors);
}

// --- kane study optimise ---

typedef struct optimising {
    transition_options both;
    kane_optimisation asked;
    app_texts over, limits;
    app_axes axes;
    double weights[APP_TEXTS_MOST];
    int degree;       // 0: not given
    int has_unknowns; // were unknowns given?
    int has_spline;
    int has_algorithm, is_worst;
} optimising;

enum { KEEP = 256, OVER, WEIGHTS, WORST, LIMIT, LENGTH, SPLINE, PARETO, POINTS };

static const struct argp_option optimising_options[] = {
    {"criterion", 'c', "MEASURE", APP_LIST, about_criterion, 0},
    {"omit", 'x', "BODY:KIND.TERM.AXIS", APP_LIST, about_omit, 0},
    {"section", 'n', "N", 0, "the transition, counting from 0 as sections[N] of the track (default: the only one)", 0},
    {"over", OVER, "PATH=VALUES", APP_ADDS,
     "conditions under which the shape must be good: an axis as of kane sweep, A:B:N or V,V,...; several axes make a "
     "grid",
     0},
    {"worst", WORST, NULL, 0, "what counts is the largest criterion of all conditions (default)", 0},
    {"weights", WEIGHTS, "W,W,...", APP_LIST,
     "instead its mean, with a weight for each condition, the last axis fastest", 0},
    {"limit", LIMIT, "MEASURE <= VALUE", APP_ADDS,
     "what the shape must hold under all conditions, with <= or >= (by cobyla)", 0},
    {"length", LENGTH, "A:B", 0,
     "the length of the transition is an unknown, from A to B in m (default: that of the track)", 0},
    {"pareto", PARETO, "MEASURE", 0,
     "the front of the sum of criteria and this measure: a table and a picture of shapes between the best of either",
     0},
    {"points", POINTS, "N", 0, "of the front, 3 to 64 (default 9)", 0},
    {"ends", 'e', "N", 0, "derivatives of the shape that vanish at both ends (default 1)", 0},
    {"degree", 'd', "N", 0,
     "degree of the polynomial, up to 15 (default: 4 unknowns), of B-splines up to 11 (default 5)", 0},
    {"spline", SPLINE, "N", 0, "B-splines with N knots between the ends instead of polynomials", 0},
    {"unknowns", 'u', "N", 0, "the same by the number of unknowns: degree less 2 ends + 1", 0},
    {"monotone", 'm', NULL, 0, "curvature must not fall anywhere (by cobyla)", 0},
    {"bound", 'b', "VALUE", 0, "largest size of an unknown (default 4)", 0},
    {"algorithm", 'a', "NAME", 0,
     "slsqp (default where all is of the line: exact derivatives), cobyla (default of worst conditions, limits and "
     "one unknown), bobyqa (default of all else), nelder-mead, subplex; over all of the bounds first, by half of the "
     "evaluations: crs, direct",
     0},
    {"evaluations", 'E', "N", 0, "runs at most for each start (default 300)", 0},
    {"tolerance", 't', "VALUE", 0, "ends when the unknowns change by less (default 1e-4)", 0},
    {"starts", 'k', "N", 0,
     "searches beside each other: one from the lowest polynomial, others from random ones (default 1)", 0},
    {"random", 'r', NULL, 0, "the first one begins at a random polynomial too", 0},
    {"seed", 'i', "N", 0, "of what is random (default 1)", 0},
    {"keep", KEEP, NULL, 0, "keep the rows of every evaluation, for kane view", 0},
    {0},
};

static kane_algorithm take_algorithm(const char *text, struct argp_state *state)
{
    for (int i = 0; i < KANE_ALGORITHMS; i++)
        if (strcmp(text, kane_algorithm_name((kane_algorithm)i)) == 0)
            return (kane_algorithm)i;
    argp_error(state, "there is no algorithm '%s'; there are bobyqa, cobyla, nelder-mead, subplex, crs, direct, slsqp",
               text);
    return KANE_BOBYQA;
}

// "80:150", or "80:150 m"
static void take_length(const char *text, kane_optimisation *o, struct argp_state *state)
{
    const size_t first = kane_number_length(text);
    const char *second = text + first + 1;
    const size_t rest  = text[first] == ':' ? kane_number_length(second) : 0;
    const char *unit   = second + rest + (rest > 0 ? strspn(second + rest, " ") : 0);
    if (first == 0 || rest == 0 || first > KANE_NUMBER_LENGTH || rest > KANE_NUMBER_LENGTH ||
        (*unit && strcmp(unit, "m") != 0))
        argp_error(state, "--length: '%s' is not a range of lengths A:B in m, such as 80:150", text);
    o->length_from = kane_number_value(text, first, 0);
    o->length_to   = kane_number_value(second, rest, 0);
}

static void take_weight(optimising *a, const char *text, struct argp_state *state)
{
    if (a->asked.weight_count == APP_TEXTS_MOST)
        argp_error(state, "more than %d weights", APP_TEXTS_MOST);
    a->weights[a->asked.weight_count++] = app_take_number(text, state);
}

// Both, or how conditions are judged.
static void check_worst(const optimising *a, struct argp_state *state)
{
    if (a->is_worst && a->asked.weight_count > 0)
        argp_error(state, "--worst and --weights contradict each other");
    if ((a->is_worst || a->asked.weight_count > 0) && a->over.count == 0)
        argp_error(state, "--worst and --weights are about several conditions; --over PATH=VALUES makes them");
}

// What follows from what was given.
static void settle(optimising *a, struct argp_state *state)
{
    kane_optimisation *o = &a->asked;
    if (a->degree > 0 && a->has_unknowns)
        argp_error(state, "--degree and --unknowns say the same thing; give one of them");
    if (a->has_spline && a->has_unknowns)
        argp_error(state,
                   "B-splines have knots + degree - 1 - 2 ends unknowns; --spline and --degree give their number");
    if (a->has_spline) {
        o->family.degree   = a->degree > 0 ? a->degree : 5;
        o->family.unknowns = o->family.knots + o->family.degree - 1 - 2 * o->family.ends;
    } else if (a->degree > 0)
        o->family.unknowns = a->degree - 2 * o->family.ends - 1;
    check_worst(a, state);
    if (o->points > 0 && !o->pareto)
        argp_error(state, "--points is about a front; --pareto MEASURE makes it");
    if (o->pareto && o->points == 0)
        o->points = 9;
    if (!a->has_algorithm)
        o->algorithm = KANE_ALGORITHM_USUAL;
}

// Conditions and limits.
static error_t parse_conditions(int key, char *value, struct argp_state *state)
{
    optimising *a = state->input;
    switch (key) {
    case OVER: app_collect(&a->over, value, state); break;
    case WORST: a->is_worst = 1; break;
    case WEIGHTS: take_weight(a, value, state); break;
    case LIMIT: app_collect(&a->limits, value, state); break;
    case LENGTH: take_length(value, &a->asked, state); break;
    case PARETO: a->asked.pareto = value; break;
    case POINTS: a->asked.points = app_take_whole(value, 0, 1000, "number of points", state); break;
    default: return parse_both(key, value, state);
    }
    return 0;
}

// Which shapes there are.
static error_t parse_family(int key, char *value, struct argp_state *state)
{
    optimising *a        = state->input;
    kane_optimisation *o = &a->asked;
    switch (key) {
    case 'e': o->family.ends = app_take_whole(value, 0, 1000, "number of derivatives", state); break;
    case 'd': a->degree = app_take_whole(value, 1, 1000, "degree", state); break;
    case 'u':
        o->family.unknowns = app_take_whole(value, 0, 1000, "number of unknowns", state);
        a->has_unknowns    = 1;
        break;
    case SPLINE:
        o->family.knots = app_take_whole(value, 0, 1000, "number of knots", state);
        a->has_spline   = 1;
        break;
    case 'm': o->is_monotone = 1; break;
    default: return parse_conditions(key, value, state);
    }
    return 0;
}

static error_t parse_optimising(int key, char *value, struct argp_state *state)
{
    optimising *a        = state->input;
    kane_optimisation *o = &a->asked;
    switch (key) {
    case 'n': o->section = app_take_whole(value, 0, 1000000, "section", state); break;
    case 'b': o->bound = app_take_number(value, state); break;
    case 'a':
        o->algorithm     = take_algorithm(value, state);
        a->has_algorithm = 1;
        break;
    case 'E': o->evaluations_most = app_take_whole(value, 0, 1000000000, "number of evaluations", state); break;
    case 't': o->tolerance = app_take_number(value, state); break;
    case 'k': o->starts = app_take_whole(value, 0, 1000000, "number of starts", state); break;
    case 'r': o->random_start = 1; break;
    case 'i': o->seed = app_take_whole(value, 0, 2000000000, "seed", state); break;
    case KEEP: o->keep = 1; break;
    case ARGP_KEY_END: settle(a, state); return parse_both(key, value, state);
    default: return parse_family(key, value, state);
    }
    return 0;
}

int study_optimise(int argc, char **argv)
{
    static const char *const texts[] = {"optimise.txt", "transitions.txt", NULL};
    optimising a                     = {.asked = kane_optimisation_default()};
    kane_errors errors               = {0};
    int complete                     = 0;
    plan_options_parse(
        optimising_options, parse_optimising,
        "Finds the coefficients of the polynomial transition that makes a criterion least (several: their sum, each as "
        "WEIGHT*MEASURE), and compares it with the standard shapes by finer runs. Writes the section for a track file.",
        argc, argv, &a);
    a.asked.file            = a.both.plan.file;
    a.asked.common          = &a.both.plan.common;
    a.asked.criterion_count = a.both.criteria.count;
    a.asked.criteria        = a.both.criteria.texts;
    a.asked.limit_count     = a.limits.count;
    a.asked.limits          = a.limits.texts;
    a.asked.weights         = a.weights;
    kane_status status      = app_axes_read(&a.over, &a.axes, &errors) ? KANE_OK : kane_errors_status(&errors, 0);
    a.asked.axis_count      = a.axes.count;
    a.asked.axes            = (const kane_axis *const *)a.axes.axes;
    a.asked.execution       = plan_options_begin(&a.both.plan);
    if (status == KANE_OK)
        status = kane_study_optimise(&a.asked, &complete, &errors);
    app_axes_free(&a.axes);
    return (int)plan_options_end(&a.both.plan, status, complete, texts, "result, tables and pictures are", &errors);
}
