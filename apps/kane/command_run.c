// SPDX-License-Identifier: MIT
// kane run: carries out a run file.

#include "check.h"

#include "base/machine.h"
#include "base/text.h"
#include "run/setup.h"

#include <kane/contact.h>

#include <string.h>
#include <time.h>

typedef struct arguments {
    const char *file, *output, *from_state, *save_state;
    app_texts settings, omit, recorded;
    char set[2][64], channels[4096]; // formulation, format and channels as settings
    int formulation, format;         // numbers of words, from 1 on; 0: not given
    int quiet, real_time;
} arguments;

static const char *const frames[] = {"moving", "fixed", NULL}, *const formats[] = {"hdf5", "csv", NULL};

static const app_option options[] = {
    {"formulation", 'f', "moving|fixed", 0, "frames in which bodies are described", APP_WORD(formulation, 1, frames)},
    APP_OMIT_OPTION(omit),
    {"set", 's', "PATH=VALUE", APP_SETS,
     "change a value of the run file, of the vehicle (vehicle.PATH), the mechanism (mechanism.PATH) or the track "
     "(track.PATH)",
     APP_TEXTS(settings)},
    {"channels", 'c', "A,B,...", APP_LIST,
     "what to record instead of what the run file says: channels, with * and ?, and groups of them, as \"kane check "
     "--channels\" lists them; default is one, all another",
     APP_TEXTS(recorded)},
    {"output", 'o', "DIR", 0, "directory for the results; <run file>.results if it is left out", APP_TEXT(output)},
    {"format", 'F', "hdf5|csv", 0, "of the result file", APP_WORD(format, 1, formats)},
    {"from-state", 0, "FILE", 0, "go on from a state that another run of this model has saved", APP_TEXT(from_state)},
    {"save-state", 0, "FILE", 0, "write the last state to a file, for --from-state", APP_TEXT(save_state)},
    {"real-time", 0, NULL, 0,
     "hold the wall clock: no row comes before its time has gone by; says at the end how late rows were",
     APP_FLAG(real_time)},
    {"quiet", 'q', NULL, 0, "no progress and no summary", APP_FLAG(quiet)},
    {0},
};

// "formulation=fixed" from "--formulation fixed"
static void set_word(arguments *a, int k, const char *key, const char *const *words, int number,
                     struct argp_state *state)
{
    if (number == 0)
        return;
    (void)snprintf(a->set[k], sizeof a->set[k], "%s=%s", key, words[number - 1]);
    app_collect(&a->settings, a->set[k], state);
}

// output.channels=["A","B"]
static void set_channels(arguments *a, struct argp_state *state)
{
    kane_text text = kane_text_start(sizeof a->channels, a->channels);
    size_t room    = 32;
    for (int i = 0; i < a->recorded.count; i++)
        room += 2 * strlen(a->recorded.texts[i]) + 3;
    if (room > sizeof a->channels)
        argp_error(state, "--channels: %zu characters are too many", room);
    for (int i = 0; i < a->recorded.count; i++) {
        kane_text_add(&text, i > 0 ? "\",\"" : "output.channels=[\"");
        for (const char *c = a->recorded.texts[i]; *c; c++)
            kane_text_add(&text, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    }
    kane_text_add(&text, "\"]");
    app_collect(&a->settings, a->channels, state);
}

// --formulation and --channels are settings too, and --set may name the same.
static void refuse_same(const arguments *a, const struct argp_state *state)
{
    for (int i = 0; i < a->settings.count; i++)
        for (int k = 0; k < i; k++)
            if (kane_parameter_is_same(a->settings.texts[k], a->settings.texts[i]))
                argp_error(state, "the same is set twice: '%s' and '%s'", a->settings.texts[k], a->settings.texts[i]);
}

static void check_arguments(void *all, struct argp_state *state)
{
    arguments *a = all;
    set_word(a, 0, "formulation", frames, a->formulation, state);
    set_word(a, 1, "output.format", formats, a->format, state);
    if (a->recorded.count > 0)
        set_channels(a, state);
    refuse_same(a, state);
}

static void summarise(const kane_outcome *o, int on_track, const char *directory)
{
    if (o->start == KANE_START_UNBALANCED)
        (void)fprintf(stderr, "starts in the static position, not in equilibrium: %s\n", o->unbalanced);
    if (o->rough[0])
        (void)fprintf(stderr,
                      "the start hits irregular rails: %s; usual: within half of the load at rest; \"fade_in\" of the "
                      "irregularities lets them set in behind the start\n",
                      o->rough);
    (void)fprintf(stderr, "%s%s%s at %.6g s",
                  o->status == KANE_OK ? kane_stop_name(o->stop) : kane_status_text(o->status),
                  o->subject[0] ? ": " : "", o->subject, o->time);
    if (on_track)
        (void)fprintf(stderr, ", %.6g m", o->distance);
    (void)fprintf(stderr, "; %ld rows in %s\n", o->rows, directory);
    if (o->detail[0])
        (void)fprintf(stderr, "%s\n", o->detail);
    (void)fprintf(stderr,
                  "%ld steps, %ld evaluations, %ld Jacobians, %ld restarts; %.3g s wall, %.4g times real time\n",
                  o->statistics.steps, o->statistics.evaluations, o->statistics.jacobians, o->statistics.restarts,
                  o->wall, o->time / o->wall);
    if (o->lateness.rows > 0)
        (void)fprintf(stderr,
                      "rows were late by %.3g ms in the middle, %.3g ms at worst; %ld of %ld by more than a row\n",
                      1e3 * o->lateness.median, 1e3 * o->lateness.worst, o->lateness.missed, o->lateness.rows);
    for (int i = 0; i < o->growth.count && i < KANE_GROWING_MOST; i++)
        (void)fprintf(stderr, "%s\n", o->growth.stretch[i].text);
    if (o->growth.count > KANE_GROWING_MOST)
        (void)fprintf(stderr, "modes grow, or cannot be looked for, in %d further straights or curves\n",
                      o->growth.count - KANE_GROWING_MOST);
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        if (o->omitted_impulse[kind] > 0.0)
            (void)fprintf(stderr, "at a kink of the line an impulse of %.3g %s is left out: %s\n",
                          o->omitted_impulse[kind], kind == KANE_FORCE ? "N s" : "N m s", o->omitted_term[kind]);
}

int command_run(int argc, char **argv)
{
    static const app_command command =
        APP_COMMAND(options, "RUN.json", "run file", file, 0, check_arguments,
                    "Integrates a run and records its channels. Results go to a directory: results.h5 (or .csv), "
                    "manifest.json, status.json.");
    arguments a        = {0};
    kane_errors errors = {0};
    char directory[4096], stem[256];
    app_parse(&command, argc, argv, &a);

    kane_tables *tables        = app_tables();
    const kane_run_options how = {.settings = a.settings.texts, .omit = a.omit.texts, .tables = tables};
    kane_run *run              = kane_run_read(a.file, &how, &errors);
    kane_tables_free(tables); // the run has its share
    if (!run)
        return app_fail(&errors);
    app_file_stem(a.file, sizeof stem, stem);
    (void)snprintf(directory, sizeof directory, "%s%s", a.output ? a.output : stem, a.output ? "" : ".results");

    if (!a.quiet && kane_run_get_definition(run)->track)
        kane_report_files(kane_run_get_definition(run)->track, stderr);
    kane_check_impossible(kane_run_get_definition(run));
    app_catch_interrupt();
    double begin = kane_clock();
    kane_outcome outcome;
    const kane_execution execution = {.directory = directory,
                                      .progress  = app_progress,
                                      .data      = a.quiet ? NULL : &begin,
                                      .real_time = a.real_time,
                                      .confirm   = 1};
    kane_run_definition definition = *kane_run_get_definition(run);
    definition.from_state          = a.from_state;
    definition.save_state          = a.save_state;
    const kane_status status       = kane_run_to_files(&definition, &execution, &outcome, &errors);
    const int on_track             = kane_run_get_definition(run)->track != NULL;
    kane_run_free(run);
    if (!a.quiet) {
        app_progress_end();
        if (outcome.rows > 0)
            summarise(&outcome, on_track, directory);
    }
    app_print_errors(&errors);
    kane_errors_free(&errors);
    if (status == KANE_OK && kane_stop_is_derailment(outcome.stop))
        return EXIT_STOPPED;
    return app_exit_code(status);
}
