// SPDX-License-Identifier: MIT
// kane evaluate: what standards ask of a run, and spectra of its channels.

#include "app.h"

#include <argp.h>
#include <math.h>
#include <string.h>

enum {
    OPTION_FROM = 256,
    OPTION_TO,
    OPTION_CHECK,
    OPTION_STATIC,
    OPTION_BOGIE,
    OPTION_BOX,
    OPTION_AGAINST,
    OPTION_RESOLUTION,
    OPTION_SECTION,
    OPTION_DISTANCE
};

typedef struct arguments {
    const char *results;
    app_outputs outputs;
    kane_evaluation_options how;
    app_texts sensors;
    int json, check;
    evaluate_spectra spectra;
} arguments;

static const struct argp_option options[] = {
    {"class", 'k', "KIND", 0, "coach (default), locomotive, bogie-wagon or two-axle-wagon: whose limits count", 0},
    {"from", OPTION_FROM, "M", 0, "only rows from this distance travelled on [m]", 0},
    {"to", OPTION_TO, "M", 0, "only rows up to this distance travelled [m]", 0},
    {"section", OPTION_SECTION, "M", 0,
     "sections of this length [m] one by one, and the estimate of the maximum that EN 14363 makes of them", 0},
    {"running-distance", OPTION_DISTANCE, "M", 0, "of the rails, for cant deficiency [m] (default: 1.5)", 0},
    {"sensor", 'S', "NAME", APP_LIST, "an accelerometer to evaluate, or a body (default: those of the vehicle)", 0},
    {"static-load", OPTION_STATIC, "N", 0, "vertical load of every wheel at rest [N] (default: as the run says)", 0},
    {"bogie-mass", OPTION_BOGIE, "KG", 0,
     "of a bogie with its wheelsets [kg]: limits for accelerometers on frames of bogies (default: there are none)", 0},
    {"axle-box-limit", OPTION_BOX, "ACC", 0,
     "of lateral accelerations on axle boxes and wheelsets [m/s^2]; that of their instability is half of it (default: there is none)",
     0},
    {"json", 'j', NULL, 0, "everything as JSON, with all digits, instead of a table", 0},
    {"check", OPTION_CHECK, NULL, 0, "exit status 5 if a limit is exceeded", 0},
    {"psd", 'p', "A,B,...", APP_LIST, "power spectral densities of channels instead", 0},
    {"against", OPTION_AGAINST, "CHANNEL", 0, "with --psd: time (default) or distance", 0},
    {"resolution", OPTION_RESOLUTION, "F", 0,
     "with --psd: distance of two frequencies [Hz] or [1/m], at most (default: as eight windows have it)", 0},
    APP_OUTPUT_OPTION("pictures with --psd; "),
    {0},
};

static void check(const arguments *a, struct argp_state *state)
{
    const evaluate_spectra *p = &a->spectra;
    if (p->channels.count > 0 && (a->json || a->check || a->sensors.count > 0 || a->how.section > 0.0))
        argp_error(state, "--psd makes spectra: --json, --check, --section and --sensor are ignored then");
    if (p->channels.count == 0 && (p->against || p->resolution > 0.0))
        argp_error(state, "--against and --resolution want --psd");
    if (p->channels.count == 0 && app_draws(&a->outputs))
        argp_error(state, "pictures are drawn with --psd");
    if (!(a->how.from < a->how.to))
        argp_error(state, "the section from %g m to %g m is empty", a->how.from, a->how.to);
    if (p->against && strcmp(p->against, "time") != 0 && strcmp(p->against, "distance") != 0)
        argp_error(state, "spectra are those over time or over distance, not over '%s'", p->against);
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'k': a->how.kind = app_take_class(value, state); break;
    case OPTION_FROM: a->how.from = app_take_number(value, state); break;
    case OPTION_TO: a->how.to = app_take_number(value, state); break;
    case OPTION_SECTION: a->how.section = app_take_positive(value, "section", "m", state); break;
    case OPTION_DISTANCE: a->how.running_distance = app_take_positive(value, "running distance", "m", state); break;
    case 'S': app_collect(&a->sensors, value, state); break;
    case OPTION_BOGIE: a->how.bogie_mass = app_take_positive(value, "mass of a bogie", "kg", state); break;
    case OPTION_BOX: a->how.axle_box_limit = app_take_positive(value, "axle box limit", "m/s^2", state); break;
    case OPTION_STATIC: a->how.static_load = app_take_positive(value, "static load", "N", state); break;
    case 'j': a->json = 1; break;
    case OPTION_CHECK: a->check = 1; break;
    case 'p': app_collect(&a->spectra.channels, value, state); break;
    case OPTION_AGAINST: a->spectra.against = value; break;
    case OPTION_RESOLUTION: a->spectra.resolution = app_take_positive(value, "resolution", "1", state); break;
    case 'o': app_add_output(&a->outputs, value, state); break;
    case ARGP_KEY_END: check(a, state); return app_take_file(key, value, state, "result file", &a->results);
    default: return app_take_file(key, value, state, "result file", &a->results);
    }
    return 0;
}

static int exceeds(const kane_evaluation *evaluation)
{
    const int worst = kane_evaluation_worst(evaluation);
    return worst >= 0 && kane_evaluation_get(evaluation, worst)->used > 1.0;
}

// 0 with errors.
static int evaluate_run(const arguments *a, const kane_results *results, int *exceeded, kane_errors *errors)
{
    kane_evaluation *evaluation = kane_evaluate(results, &a->how, errors);
    if (!evaluation)
        return 0;
    const evaluate_report what     = {evaluation, a->results, &a->how};
    kane_arena *arena              = kane_arena_create();
    const kane_table table         = evaluate_tabulate(arena, evaluation);
    const kane_table kinds[]       = {evaluate_tabulate_kind(arena, evaluation, KANE_ASSESSED_WHEEL),
                                      evaluate_tabulate_kind(arena, evaluation, KANE_ASSESSED_WHEELSET),
                                      evaluate_tabulate_kind(arena, evaluation, KANE_ASSESSED_SENSOR)};
    const kane_table_report report = {.table_count = 1,
                                      .tables      = &table,
                                      .text_count  = 3,
                                      .text_tables = kinds,
                                      .above       = evaluate_print_section,
                                      .below       = evaluate_print_conclusion,
                                      .json        = evaluate_write_json,
                                      .data        = &what,
                                      .is_bare     = 1};
    const int good = app_write_report(&a->outputs, a->json ? KANE_TABLE_JSON : KANE_TABLE_TEXT, &report, errors);
    *exceeded      = exceeds(evaluation);
    kane_arena_free(arena);
    kane_evaluation_free(evaluation);
    return good;
}

int command_evaluate(int argc, char **argv)
{
    const struct argp argp = {options,
                              parse,
                              "RESULTS",
                              "Evaluates a result file (or a directory that a run wrote) as EN 14363 and UIC 518 "
                              "have it: forces of wheels, their limits, accelerations; comfort by EN 12299 and "
                              "Sperling; wear. Or draws spectra of its channels.",
                              NULL,
                              NULL,
                              NULL};
    arguments a            = {.how = kane_evaluation_options_default()};
    kane_errors errors     = {0};
    int exceeded           = 0;
    app_parse(&argp, argc, argv, &a);
    if (a.sensors.count > 0)
        a.how.sensors = a.sensors.texts;
    a.spectra.from = a.how.from;
    a.spectra.to   = a.how.to;

    kane_results *results = kane_results_open(a.results, &errors);
    int good              = results != NULL;
    if (a.spectra.channels.count > 0)
        app_tell(results, a.results); // an evaluation says it among its remarks
    if (good)
        good = a.spectra.channels.count > 0 ? evaluate_spectrum(results, &a.spectra, &a.outputs, &errors)
                                            : evaluate_run(&a, results, &exceeded, &errors);
    kane_results_free(results);
    if (!good)
        return app_fail(&errors);
    return a.check && exceeded ? EXIT_STOPPED : EXIT_DONE;
}
