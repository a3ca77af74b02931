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
    app_texts conclusions;
    int pairs, has_details; // has_details: some option that belongs to conclusions was given
    const char *radius, *cant, *from, *to, *step;
    kane_vehicle_class kind;
    kane_optimisation optimum;
    kane_critical_study critical;
    char *own[KANE_OMISSION_AXES_MOST]; // those of them that were made here
    int own_count;
    study_file file;
} arguments;

enum {
    SPEEDS = 256,
    RADII,
    CANTS,
    SHAPES,
    OVER,
    BY,
    STRONGEST_KEY,
    PAIRS,
    RADIUS,
    CANT,
    FROM,
    TO,
    STEP,
    CLASS,
    SECTION,
    ENDS,
    EVALUATIONS,
    SEED
};

const struct argp_option study_omit_options[] = {
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
    {"decides", 'd', "CONCLUSION", APP_ADDS,
     "rank terms (default: groups of them) by what their omission does to a conclusion instead: MEASURE, order "
     "MEASURE, optimum MEASURE, equilibrium CHANNEL, damping [F], critical, cycle, limits, comfort PLACE",
     3},
    {"pairs", PAIRS, NULL, 0, "both of every two terms, too, and their interaction", 3},
    {"radius", RADIUS, "R", 0, "curve of steady motion, positive to the left (default: straight, or that of --radii)",
     3},
    {"cant", CANT, "U", 0, "height of its outer rail over the inner one (default 0, or that of --cants)", 3},
    {"from", FROM, "V", 0, "critical, cycle: slowest speed (default 10 m/s)", 3},
    {"to", TO, "V", 0, "critical, cycle: fastest speed (default: as kane critical)", 3},
    {"step", STEP, "V", 0, "critical, cycle: from speed to speed (default 2 m/s)", 3},
    {"class", CLASS, "KIND", 0,
     "limits: coach (default), locomotive, bogie-wagon or two-axle-wagon: whose limits count", 3},
    {"unknowns", 'u', "N", 0, "optimum: unknowns of the polynomial (default 4)", 3},
    {"section", SECTION, "N", 0, "optimum: the transition, as sections[N] of the track (default: the only one)", 3},
    {"ends", ENDS, "N", 0, "optimum: derivatives that vanish at both ends (default 1)", 3},
    {"evaluations", EVALUATIONS, "N", 0, "optimum: runs at most for each search (default 300)", 3},
    {"seed", SEED, "N", 0, "optimum: of the other start (default 1)", 3},
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

// Options that would be ignored.
static void check_use(const arguments *a, struct argp_state *state)
{
    const int decides = a->conclusions.count > 0;
    if (!decides && a->has_details)
        argp_error(state, "--pairs, --radius, --cant, --from, --to, --step, --class, --unknowns, --section, --ends, "
                          "--evaluations and --seed belong to --decides");
    if (decides && (a->responses.count > 0 || a->by_rms || a->strongest >= 0))
        argp_error(state, "--decides has no responses: leave out --response, --by and --strongest");
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    study_file_enter(&a->file, key == ARGP_KEY_END ? 0 : state->next - 1);
    a->has_details |= key == 'u' || (key >= PAIRS && key <= SEED);
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
    case 'd': app_collect(&a->conclusions, value, state); break;
    case PAIRS: a->pairs = 1; break;
    case RADIUS: a->radius = value; break;
    case CANT: a->cant = value; break;
    case FROM: a->from = value; break;
    case TO: a->to = value; break;
    case STEP: a->step = value; break;
    case CLASS: a->kind = app_take_class(value, state); break;
    case 'u':
        a->optimum.family.unknowns = app_take_whole(value, 1, 1000, "number of unknowns", state);
        a->optimum.algorithm       = a->optimum.family.unknowns == 1 ? KANE_COBYLA : KANE_BOBYQA;
        break;
    case SECTION: a->optimum.section = app_take_whole(value, 0, 1000000, "section", state); break;
    case ENDS: a->optimum.family.ends = app_take_whole(value, 0, 1000, "number of derivatives", state); break;
    case EVALUATIONS:
        a->optimum.evaluations_most = app_take_whole(value, 1, 1000000, "number of evaluations", state);
        break;
    case SEED: a->optimum.seed = app_take_whole(value, 0, 2000000000, "seed", state); break;
    case STRONGEST_KEY: a->strongest = app_take_whole(value, 0, 1000, "number of terms to draw", state); break;
    case ARGP_KEY_END:
        if (a->all && a->omissions.count > 0)
            argp_error(state, "--all leaves out every term in turn, --omit names one: only one of both");
        if (!a->all && a->omissions.count == 0 && a->conclusions.count == 0)
            argp_error(state, "nothing is left out: give --all, or a term by --omit BODY:KIND.TERM.AXIS");
        check_use(a, state);
        if (a->strongest < 0 && a->conclusions.count == 0)
            a->strongest = a->all ? STRONGEST : a->omissions.count;
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// A quantity of an option where it was given.
static int take_quantity(const char *text, const char *option, const char *unit, double *value, kane_errors *errors)
{
    return !text || app_analysis_take(text, option, unit, value, errors);
}

// Curve and speeds of steady motion. 0 with errors.
static int fill_steady(arguments *a, kane_omission_study *study, kane_errors *errors)
{
    double radius = (double)INFINITY, cant = 0.0;
    int good = take_quantity(a->radius, "radius", "m", &radius, errors);
    good     = take_quantity(a->cant, "cant", "m", &cant, errors) && good;
    good     = take_quantity(a->from, "from", "m/s", &a->critical.from, errors) && good;
    good     = take_quantity(a->to, "to", "m/s", &a->critical.to, errors) && good;
    good     = take_quantity(a->step, "step", "m/s", &a->critical.step, errors) && good;
    if (good && radius == 0.0) {
        kane_errors_add(errors, KANE_BAD_INPUT, "--radius 0: a radius of 0 is none; leave it out for a straight");
        good = 0;
    }
    study->curvature      = 1.0 / radius;
    study->superelevation = copysign(cant, radius);
    return good;
}

static exit_code fail_placed(const arguments *a, kane_errors *errors)
{
    study_file_place_errors(&a->file, errors);
    return app_fail(errors);
}

// Carries out the study for responses, or for conclusions, and prints what it has found.
static exit_code carry_out(arguments *a, const kane_omission_study *study, kane_errors *errors)
{
    static const char *const nothing[] = {NULL}, *const texts[] = {"decisions.txt", NULL};
    kane_omission_report *report  = NULL;
    kane_decision_report *decided = NULL;
    exit_code code;
    if (study->conclusion_count > 0) {
        const kane_status status = kane_study_decisions(study, &decided, errors);
        code = plan_options_end(&a->plan, status, decided != NULL, texts, "table and picture are", errors);
    } else {
        const kane_status status = kane_study_omission(study, &report, errors);
        study_file_place_errors(&a->file, errors);
        code = plan_options_end(&a->plan, status, report != NULL, nothing, "tables and pictures are", errors);
        if (report)
            kane_omission_report_print(report, SHOWN, stdout);
    }
    kane_omission_report_free(report);
    kane_decision_report_free(decided);
    return code;
}

int study_omit(int argc, char **argv)
{
    arguments a = {.strongest = -1,
                   .threshold = 0.01,
                   .optimum   = kane_optimisation_default(),
                   .critical  = kane_critical_study_default()};
    app_axes axes;
    kane_errors errors = {0};
    exit_code code;
    if (!study_file_read(argc, argv, &a.file, &errors)) {
        study_file_free(&a.file);
        return (int)app_fail(&errors);
    }
    plan_options_parse(
        study_omit_options, parse,
        "Carries out a run as it is and without each of many imaginary terms, under all conditions that the lists make "
        "with each other; ranks the terms by what their omission does to the responses, and says when each may be "
        "neglected. "
        "With --decides: by what their omission does to a conclusion. A study file has several runs and options by "
        "their long names (kane schema study).",
        a.file.argc, a.file.argv, &a);
    study_file_enter(&a.file, 0);
    if (app_axes_read(&a.conditions, &axes, &errors)) {
        kane_omission_study study = {.file             = a.plan.file,
                                     .run_count        = a.file.run_count,
                                     .runs             = a.file.runs,
                                     .common           = &a.plan.common,
                                     .all              = a.all,
                                     .omission_count   = a.omissions.count,
                                     .omissions        = a.omissions.texts,
                                     .axis_count       = axes.count,
                                     .axes             = (const kane_axis *const *)axes.axes,
                                     .response_count   = a.responses.count,
                                     .responses        = a.responses.texts,
                                     .threshold        = a.threshold,
                                     .by_rms           = a.by_rms,
                                     .strongest        = a.strongest,
                                     .conclusion_count = a.conclusions.count,
                                     .conclusions      = a.conclusions.texts,
                                     .with_pairs       = a.pairs,
                                     .kind             = a.kind,
                                     .optimum          = &a.optimum,
                                     .critical         = &a.critical,
                                     .keep             = a.keep,
                                     .execution        = plan_options_begin(&a.plan)};
        code = fill_steady(&a, &study, &errors) ? carry_out(&a, &study, &errors) : fail_placed(&a, &errors);
    } else {
        code = fail_placed(&a, &errors);
    }
    study_file_free(&a.file);
    app_axes_free(&axes);
    for (int i = 0; i < a.own_count; i++)
        free(a.own[i]);
    return (int)code;
}
