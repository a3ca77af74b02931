// SPDX-License-Identifier: MIT
// kane study omit: what does leaving out imaginary terms do, and when may it be done?

#include "analysis.h"
#include "app.h"
#include "launch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRONGEST = 5, SHOWN = 20 };

typedef struct arguments {
    plan_options plan;
    int all, strongest, by_rms, keep;
    double threshold;
    app_texts responses, omissions, conditions; // conditions: "speed=10,20"
    char *own[KANE_OMISSION_AXES_MOST];         // those of them that were made here
    int own_count;
} arguments;

enum { SPEEDS = 256, RADII, CANTS, SHAPES, OVER, BY, STRONGEST_KEY };

static const struct argp_option options[] = {
    {"all", 'A', 0, 0, "leave out every term of every body in turn, and whole terms", 0},
    {"omit", 'x', "BODY:KIND.TERM.AXIS", APP_LIST,
     "imaginary term to leave out; any part may be *; of several one after the other", 0},
    {"speeds", SPEEDS, "V,V,...", 0, "speeds at the start, m/s if no unit is typed", 1},
    {"accelerations", 'a', "A,A,...", 0, "constant accelerations in m/s^2, instead of the run's own speed", 1},
    {"radii", RADII, "R,R,...", 0, "radii behind all transitions, m if no unit is typed", 1},
    {"cants", CANTS, "U,U,...", 0, "cants behind all transitions, m if no unit is typed", 1},
    {"shapes", SHAPES, "SHAPE,...", 0, "shapes of all transitions", 1},
    {"over", OVER, "PATH=V,V,...", APP_ADDS, "values of anything that --set takes, or PATH=A:B:N", 1},
    {"response", 'r', "CHANNEL", APP_LIST,
     "channel to compare, of a pattern that one which changes most (default: y, yaw and "
     "roll of bodies without wheels, *.Y, *.Q, of tyres *.F_y, *.load; of a mechanism the coordinates of its bodies)",
     2},
    {"threshold", 't', "P", 0, "effect below which a term may be neglected: 1% (default) or 0.01", 2},
    {"by", BY, "largest|rms", 0, "what an effect is: the largest difference (default), or its rms", 2},
    {"strongest", STRONGEST_KEY, "N", 0,
     "how many terms are drawn (default: those that --omit names, of --all 5; 0: no pictures at all)", 2},
    {"keep", 'k', NULL, 0, "keep the rows of every run, for kane view", 2},
    {0},
};

// "speed=10,20" from a list of speeds.
static void add_list(arguments *a, const char *name, const char *values, struct argp_state *state)
{
    const size_t size = strlen(name) + strlen(values) + 2;
    char *text        = a->own_count < KANE_OMISSION_AXES_MOST ? malloc(size) : NULL;
    if (!text) {
        argp_error(state, "more than %d lists", KANE_OMISSION_AXES_MOST);
        return;
    }
    (void)snprintf(text, size, "%s=%s", name, values);
    a->own[a->own_count++] = text;
    app_collect(&a->conditions, text, state);
}

static double take_threshold(const char *text, struct argp_state *state)
{
    char *end;
    const double value = strtod(text, &end);
    const char *rest   = *end == ' ' ? end + 1 : end;
    if (end == text || (*rest && strcmp(rest, "%") != 0))
        argp_error(state, "'%s' is not a threshold such as 1%% or 0.01", text);
    if (!(value > 0.0) || !isfinite(value))
        argp_error(state, "the threshold %s is not positive and finite, such as 1%% or 0.01", text);
    return *rest ? value / 100.0 : value;
}

static int take_measure(const char *text, struct argp_state *state)
{
    if (strcmp(text, "rms") != 0 && strcmp(text, "largest") != 0)
        argp_error(state, "--by %s: an effect is the largest difference or its rms", text);
    return strcmp(text, "rms") == 0;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'A': a->all = 1; break;
    case 'x': app_collect(&a->omissions, value, state); break;
    case SPEEDS: add_list(a, "speed", value, state); break;
    case 'a': add_list(a, "acceleration", value, state); break;
    case RADII: add_list(a, "radius", value, state); break;
    case CANTS: add_list(a, "cant", value, state); break;
    case SHAPES: add_list(a, "shape", value, state); break;
    case OVER: app_collect(&a->conditions, value, state); break;
    case 'k': a->keep = 1; break;
    case 'r': app_collect(&a->responses, value, state); break;
    case 't': a->threshold = take_threshold(value, state); break;
    case BY: a->by_rms = take_measure(value, state); break;
    case STRONGEST_KEY: a->strongest = app_take_whole(value, 0, 1000, "number of terms to draw", state); break;
    case ARGP_KEY_END:
        if (a->all && a->omissions.count > 0)
            argp_error(state, "--all leaves out every term in turn, --omit names one: only one of both");
        if (!a->all && a->omissions.count == 0)
            argp_error(state, "nothing is left out: give --all, or a term by --omit BODY:KIND.TERM.AXIS");
        if (a->strongest < 0)
            a->strongest = a->all ? STRONGEST : a->omissions.count;
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int study_omit(int argc, char **argv)
{
    static const char *const texts[] = {NULL};
    arguments a                      = {.strongest = -1, .threshold = 0.01};
    app_axes axes;
    kane_errors errors           = {0};
    kane_omission_report *report = NULL;
    exit_code code;
    plan_options_parse(
        options, parse,
        "Carries out a run as it is and without each of many imaginary terms, under all conditions that the lists make with "
        "each other; ranks the terms by what their omission does to the responses, and says when each may be neglected.",
        argc, argv, &a);
    if (app_axes_read(&a.conditions, &axes, &errors)) {
        const kane_omission_study study = {.file           = a.plan.file,
                                           .common         = &a.plan.common,
                                           .all            = a.all,
                                           .omission_count = a.omissions.count,
                                           .omissions      = a.omissions.texts,
                                           .axis_count     = axes.count,
                                           .axes           = (const kane_axis *const *)axes.axes,
                                           .response_count = a.responses.count,
                                           .responses      = a.responses.texts,
                                           .threshold      = a.threshold,
                                           .by_rms         = a.by_rms,
                                           .strongest      = a.strongest,
                                           .keep           = a.keep,
                                           .execution      = plan_options_begin(&a.plan)};
        const kane_status status        = kane_study_omission(&study, &report, &errors);
        code = plan_options_end(&a.plan, status, report != NULL, texts, "tables and pictures are", &errors);
        if (report)
            kane_omission_report_print(report, SHOWN, stdout);
    } else {
        code = app_fail(&errors);
    }
    kane_omission_report_free(report);
    app_axes_free(&axes);
    for (int i = 0; i < a.own_count; i++)
        free(a.own[i]);
    return (int)code;
}
