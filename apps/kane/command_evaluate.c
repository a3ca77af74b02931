// SPDX-License-Identifier: MIT
// kane evaluate: what standards ask of a run, and spectra of its channels.

#include "app.h"

#include <math.h>
#include <string.h>

typedef struct arguments {
    const char *results;
    app_outputs outputs;
    kane_evaluation_options how;
    app_texts sensors;
    int check;
    evaluate_spectra spectra;
} arguments;

static const app_option options[] = {
    {"sensor", 'S', "NAME", APP_LIST, "an accelerometer to evaluate, or a body (default: those of the vehicle)",
     APP_TEXTS(sensors)},
    {"check", 0, NULL, 0, "exit status 5 if a limit is exceeded", APP_FLAG(check)},
    {"psd", 'p', "A,B,...", APP_LIST, "power spectral densities of channels instead", APP_TEXTS(spectra.channels)},
    {"beside", 'b', "RESULTS", APP_ADDS, "with --psd: those of other results beside them", APP_TEXTS(spectra.beside)},
    {"against", 0, "CHANNEL", 0, "with --psd: time (default) or distance", APP_TEXT(spectra.against)},
    {"resolution", 0, "F", 0,
     "with --psd: distance of two frequencies [Hz] or [1/m], at most (default: as eight windows have it)",
     APP_POSITIVE(spectra.resolution, "resolution", "1")},
    {"compare", 0, "F1,F2", APP_LIST,
     "with --beside: instead of spectra, by how much levels of the others differ between these frequencies [Hz] or "
     "[1/m], the nearest first",
     APP_NUMBERS(spectra.compare, "1")},
    APP_OUTPUT_OPTION("pictures with --psd; ", outputs),
    {0},
};

static void check_spectra(const arguments *a, struct argp_state *state)
{
    const evaluate_spectra *p = &a->spectra;
    if (a->check || a->sensors.count > 0 || a->how.section > 0.0)
        argp_error(state, "--psd makes spectra: --check, --section and --sensor are ignored then");
    if (p->against && strcmp(p->against, "time") != 0 && strcmp(p->against, "distance") != 0)
        argp_error(state, "spectra are those over time or over distance, not over '%s'", p->against);
    if (p->compare.count > 0 && p->beside.count == 0)
        argp_error(state, "--compare wants --beside: results to compare with");
    if (p->compare.count > 0 && !(p->compare.count == 2 && p->compare.values[0] < p->compare.values[1]))
        argp_error(state, "--compare wants two ascending frequencies, such as 25,120");
    if (p->compare.count > 0 && app_draws(&a->outputs))
        argp_error(state, "--compare makes a table, no picture");
}

static void check_arguments(void *all, struct argp_state *state)
{
    const arguments *a        = all;
    const evaluate_spectra *p = &a->spectra;
    if (p->channels.count > 0)
        check_spectra(a, state);
    else if (p->against || p->resolution > 0.0 || p->beside.count > 0 || p->compare.count > 0)
        argp_error(state, "--against, --beside, --compare and --resolution want --psd");
    else if (app_draws(&a->outputs))
        argp_error(state, "pictures are drawn with --psd");
    if (!(a->how.from < a->how.to))
        argp_error(state, "the section from %g m to %g m is empty", a->how.from, a->how.to);
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
                                      .json_above  = evaluate_write_section,
                                      .data        = &what};
    const int good                 = app_write_report(&a->outputs, KANE_TABLE_TEXT, &report, errors);
    *exceeded                      = exceeds(evaluation);
    kane_arena_free(arena);
    kane_evaluation_free(evaluation);
    return good;
}

int command_evaluate(int argc, char **argv)
{
    static const app_command command = APP_COMMAND_WITH(
        options, evaluate_standard_options, how, "RESULTS", "result file", results, 0, check_arguments,
        "Evaluates a result file (or a directory that a run wrote) as EN 14363 and UIC 518 have it: forces of"
        " wheels, their limits, accelerations; comfort by EN 12299 and Sperling; wear. Or draws spectra of "
        "its channels.");
    arguments a        = {.how = kane_evaluation_options_default()};
    kane_errors errors = {0};
    int exceeded       = 0;
    app_parse(&command, argc, argv, &a);
    if (a.sensors.count > 0)
        a.how.sensors = a.sensors.texts;
    a.spectra.from = a.how.from;
    a.spectra.to   = a.how.to;

    kane_results *results = kane_results_open(a.results, &errors);
    int good              = results != NULL;
    if (a.spectra.channels.count > 0)
        app_tell(results, a.results); // an evaluation says it among its remarks
    if (good)
        good = a.spectra.channels.count > 0 ? evaluate_spectrum(results, a.results, &a.spectra, &a.outputs, &errors)
                                            : evaluate_run(&a, results, &exceeded, &errors);
    kane_results_free(results);
    if (!good)
        return app_fail(&errors);
    return a.check && exceeded ? EXIT_STOPPED : EXIT_DONE;
}
