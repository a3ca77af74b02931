// SPDX-License-Identifier: MIT
// kane study omit: what does leaving out imaginary terms do, and when may it be done?

#include "analysis.h"
#include "launch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STRONGEST = 5, SHOWN = 20, NOT_GIVEN = -1 };

typedef struct arguments {
    plan_options plan;
    int all, strongest, by_rms, keep;
    double threshold;
    app_texts responses, omissions, conditions; // conditions: "speed=10,20"
    app_texts conclusions;
    int pairs;
    const char *radius, *cant, *from, *to, *step;
    kane_vehicle_class kind;
    kane_optimisation optimum;
    kane_critical_study critical;
    char *own[KANE_OMISSION_AXES_MOST]; // those of them that were made here
    int own_count;
    study_file file;
} arguments;

// "speed=10,20" from a list of speeds.
static void add_list(const app_option *o, char *values, void *all, struct argp_state *state)
{
    arguments *a      = all;
    const size_t size = strlen(o->what) + strlen(values) + 2;
    char *text        = a->own_count < KANE_OMISSION_AXES_MOST ? malloc(size) : NULL;
    if (!text) {
        argp_error(state, "more than %d lists", KANE_OMISSION_AXES_MOST);
        return;
    }
    (void)snprintf(text, size, "%s=%s", o->what, values);
    a->own[a->own_count++] = text;
    app_collect(&a->conditions, text, state);
}

static void take_threshold(const app_option *o, char *text, void *member, struct argp_state *state)
{
    char *end;
    const double value = strtod(text, &end);
    const char *rest   = *end == ' ' ? end + 1 : end;
    (void)o;
    if (end == text || (*rest && strcmp(rest, "%") != 0))
        argp_error(state, "'%s' is not a threshold such as 1%% or 0.01", text);
    if (!(value > 0.0) || !isfinite(value))
        argp_error(state, "the threshold %s is not positive and finite, such as 1%% or 0.01", text);
    *(double *)member = *rest ? value / 100.0 : value;
}

static const char *const measures[] = {"largest", "rms", NULL};

enum { CONDITIONS = APP_GROUP, RESPONSES = 2 * APP_GROUP, CONCLUSIONS = STUDY_OMIT_DECIDES };
#define AXIS(name) add_list, 0, name, NULL, 0, 0, NULL

const app_option study_omit_options[] = {
    {"all", 'A', NULL, 0, "leave out every term of every body in turn, and whole terms", APP_FLAG(all)},
    {"omit", 'x', "BODY:KIND.TERM.AXIS", APP_LIST,
     "imaginary term to leave out; any part may be *; of several one after the other", APP_TEXTS(omissions)},
    {"speeds", 0, "V,V,...", CONDITIONS, "speeds at the start, m/s if no unit is typed", AXIS("speed")},
    {"accelerations", 'a', "A,A,...", CONDITIONS, "constant accelerations in m/s^2, instead of the run's own speed",
     AXIS("acceleration")},
    {"radii", 0, "R,R,...", CONDITIONS, "radii behind all transitions, m if no unit is typed", AXIS("radius")},
    {"cants", 0, "U,U,...", CONDITIONS, "cants behind all transitions, m if no unit is typed", AXIS("cant")},
    {"shapes", 0, "SHAPE,...", CONDITIONS, "shapes of all transitions", AXIS("shape")},
    {"over", 0, "PATH=V,V,...", APP_ADDS | CONDITIONS, "values of anything that --set takes, or PATH=A:B:N",
     APP_TEXTS(conditions)},
    {"response", 'r', "CHANNEL", APP_LIST | RESPONSES,
     "channel to compare, of a pattern that one which changes most (default: y, yaw and "
     "roll of bodies without wheels, *.Y, *.Q, of tyres *.F_y, *.load; of a mechanism the coordinates of its bodies)",
     APP_TEXTS(responses)},
    {"threshold", 't', "P", RESPONSES, "effect below which a term may be neglected: 1% (default) or 0.01",
     APP_INTO(take_threshold, threshold)},
    {"by", 0, "largest|rms", RESPONSES, "what an effect is: the largest difference (default), or its rms",
     APP_WORD(by_rms, 0, measures)},
    {"strongest", 0, "N", RESPONSES,
     "how many terms are drawn (default: those that --omit names, of --all 5; 0: no pictures at all)",
     APP_WHOLE(strongest, 0, 1000, "number of terms to draw")},
    {"keep", 'k', NULL, RESPONSES, "keep the rows of every run, for kane view", APP_FLAG(keep)},
    {"decides", 'd', "CONCLUSION", APP_ADDS | CONCLUSIONS,
     "rank terms (default: groups of them) by what their omission does to a conclusion instead: MEASURE, order "
     "MEASURE, optimum MEASURE, equilibrium CHANNEL, damping [F], critical, cycle, limits, comfort PLACE",
     APP_TEXTS(conclusions)},
    {"pairs", 0, NULL, CONCLUSIONS, "both of every two terms, too, and their interaction", APP_FLAG(pairs)},
    {"radius", 0, "R", CONCLUSIONS,
     "curve of steady motion, positive to the left (default: straight, or that of --radii)", APP_TEXT(radius)},
    {"cant", 0, "U", CONCLUSIONS, "height of its outer rail over the inner one (default 0, or that of --cants)",
     APP_TEXT(cant)},
    {"from", 0, "V", CONCLUSIONS, "critical, cycle: slowest speed (default 10 m/s)", APP_TEXT(from)},
    {"to", 0, "V", CONCLUSIONS, "critical, cycle: fastest speed (default: as kane critical)", APP_TEXT(to)},
    {"step", 0, "V", CONCLUSIONS, "critical, cycle: from speed to speed (default 2 m/s)", APP_TEXT(step)},
    {"class", 0, "KIND", CONCLUSIONS,
     "limits: coach (default), locomotive, bogie-wagon or two-axle-wagon: whose limits count", APP_CLASS(kind)},
    {"unknowns", 'u', "N", CONCLUSIONS, "optimum: unknowns of the polynomial (default 4)",
     APP_WHOLE(optimum.family.unknowns, 1, 1000, "number of unknowns")},
    {"section", 0, "N", CONCLUSIONS, "optimum: the transition, as sections[N] of the track (default: the only one)",
     APP_WHOLE(optimum.section, 0, 1000000, "section")},
    {"ends", 0, "N", CONCLUSIONS, "optimum: derivatives that vanish at both ends (default 1)",
     APP_WHOLE(optimum.family.ends, 0, 1000, "number of derivatives")},
    {"evaluations", 0, "N", CONCLUSIONS, "optimum: runs at most for each search (default 300)",
     APP_WHOLE(optimum.evaluations_most, 1, 1000000, "number of evaluations")},
    {"seed", 0, "N", CONCLUSIONS, "optimum: of the other start (default 1)",
     APP_WHOLE(optimum.seed, 0, 2000000000, "seed")},
    {0},
};

// 1: one of the conclusions begins with one of the words.
static int is_used(const app_texts *conclusions, const char *const *words)
{
    for (int i = 0; i < conclusions->count; i++)
        for (int k = 0; words[k]; k++) {
            const size_t length = strcspn(conclusions->texts[i], " ");
            if (strlen(words[k]) == length && strncmp(words[k], conclusions->texts[i], length) == 0)
                return 1;
        }
    return 0;
}

// Options that no conclusion of the study uses.
static void check_used(const arguments *a, struct argp_state *state)
{
    static const char *const steady[] = {"equilibrium", "damping", "critical", "cycle", NULL};
    static const char *const limits[] = {"limits", NULL}, *const optimum[] = {"optimum", NULL};
    const kane_optimisation *o = &a->optimum;
    const struct {
        int is_given;
        const char *const *words;
        const char *text;
    } rows[] = {
        {a->radius || a->cant, steady,
         "--radius and --cant belong to --decides equilibrium, damping, critical and cycle"},
        {a->from || a->to || a->step, steady + 2, "--from, --to and --step belong to --decides critical and cycle"},
        {(int)a->kind != NOT_GIVEN, limits, "--class belongs to --decides limits"},
        {o->family.unknowns != NOT_GIVEN || o->family.ends != NOT_GIVEN || o->section != NOT_GIVEN ||
             o->evaluations_most != NOT_GIVEN || o->seed != NOT_GIVEN,
         optimum, "--unknowns, --section, --ends, --evaluations and --seed belong to --decides optimum"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].is_given && !is_used(&a->conclusions, rows[i].words))
            argp_error(state, "%s: no conclusion of this study uses this", rows[i].text);
}

// Before options are read numbers are marked as not given; behind them they get their defaults.
static kane_optimisation optimum_not_given(void)
{
    kane_optimisation o = kane_optimisation_default();
    o.family.unknowns = o.family.ends = o.section = o.evaluations_most = o.seed = NOT_GIVEN;
    return o;
}

static void set_default(int *number, int usual)
{
    *number = *number == NOT_GIVEN ? usual : *number;
}

static void set_defaults(arguments *a)
{
    const kane_optimisation usual = kane_optimisation_default();
    set_default(&a->optimum.family.unknowns, usual.family.unknowns);
    set_default(&a->optimum.family.ends, usual.family.ends);
    set_default(&a->optimum.section, usual.section);
    set_default(&a->optimum.evaluations_most, usual.evaluations_most);
    set_default(&a->optimum.seed, usual.seed);
    a->optimum.algorithm = a->optimum.family.unknowns == 1 ? KANE_COBYLA : KANE_BOBYQA;
    a->kind              = (int)a->kind == NOT_GIVEN ? KANE_CLASS_COACH : a->kind;
}

static void check_arguments(void *all, struct argp_state *state)
{
    arguments *a      = all;
    const int decides = a->conclusions.count > 0;
    if (a->all && a->omissions.count > 0)
        argp_error(state, "--all leaves out every term in turn, --omit names one: only one of both");
    if (!a->all && a->omissions.count == 0 && !decides)
        argp_error(state, "nothing is left out: give --all, or a term by --omit BODY:KIND.TERM.AXIS");
    if (!decides && app_gives_group(state, CONCLUSIONS))
        argp_error(state, "--pairs, --radius, --cant, --from, --to, --step, --class, --unknowns, --section, --ends, "
                          "--evaluations and --seed belong to --decides");
    if (decides && (a->responses.count > 0 || a->by_rms || a->strongest >= 0))
        argp_error(state, "--decides has no responses: leave out --response, --by and --strongest");
    if (a->strongest < 0 && !decides)
        a->strongest = a->all ? STRONGEST : a->omissions.count;
    if (decides)
        check_used(a, state);
    set_defaults(a);
}

// Curve and speeds of steady motion. 0 with errors.
static int fill_steady(arguments *a, kane_omission_study *study, kane_errors *errors)
{
    double radius = (double)INFINITY, cant = 0.0;
    int good = app_analysis_take(a->radius, "radius", "m", &radius, errors);
    good     = app_analysis_take(a->cant, "cant", "m", &cant, errors) && good;
    good     = app_analysis_take(a->from, "from", "m/s", &a->critical.from, errors) && good;
    good     = app_analysis_take(a->to, "to", "m/s", &a->critical.to, errors) && good;
    good     = app_analysis_take(a->step, "step", "m/s", &a->critical.step, errors) && good;
    if (good && a->to && a->critical.to == 0.0) { // which would mean: not given
        kane_errors_add(errors, KANE_BAD_INPUT, "--to %s: the fastest speed must be positive", a->to);
        good = 0;
    }
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

static const app_option dry_run[] = {PLAN_DRY_RUN_OPTION('n'), {0}}; // which no study file has

int study_omit(int argc, char **argv)
{
    arguments a = {.strongest = -1,
                   .threshold = 0.01,
                   .kind      = (kane_vehicle_class)NOT_GIVEN,
                   .optimum   = optimum_not_given(),
                   .critical  = kane_critical_study_default()};
    app_axes axes;
    kane_errors errors = {0};
    exit_code code;
    if (!study_file_read(argc, argv, &a.file, &errors)) {
        study_file_free(&a.file);
        return (int)app_fail(&errors);
    }
    plan_options_parse(
        study_omit_options, (app_part){dry_run, 0, 0}, check_arguments,
        "Carries out a run as it is and without each of many imaginary terms, under all conditions that the lists make "
        "with each other; ranks the terms by what their omission does to the responses, and says when each may be "
        "neglected. "
        "With --decides: by what their omission does to a conclusion. A study file has several runs and options by "
        "their long names (kane schema study).",
        a.file.argc, a.file.argv, &a);
    if (app_axes_read(&a.conditions, &axes, &errors) &&
        study_file_check_runs(&a.file, &a.plan.settings, &a.conditions, &errors)) {
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
