// SPDX-License-Identifier: MIT
// kane equilibrium: where a vehicle rests at constant speed on a straight or in a curve.

#include "equilibrium.h"

#include <argp.h>
#include <stdio.h>

typedef struct arguments {
    app_analysis_choice choice;
    app_texts channels;
    const char *table, *picture;
    int json;
} arguments;

static const struct argp_option options[] = {
    APP_ANALYSIS_OPTIONS,
    {"channels", 'c', "A,B,...", APP_LIST,
     "with --over: channels to tabulate, as in \"kane run\" (default: *.Q and *.Y)", 0},
    {"csv", 'C', "FILE", 0, "with --over: table to a file instead of standard output", 0},
    {"json", 'j', NULL, 0, "everything as JSON, with all digits", 0},
    {"output", 'o', "FILE", 0, "with --over: picture, FILE.svg or FILE.png", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'c': app_collect(&a->channels, value, state); break;
    case 'C': a->table = value; break;
    case 'j': a->json = 1; break;
    case 'o': a->picture = app_take_picture(value, state); break;
    case ARGP_KEY_END:
        if (a->choice.over && a->json)
            argp_error(state, "--over makes a table, not JSON");
        if (!a->choice.over && (a->channels.count > 0 || a->table || a->picture))
            argp_error(state, "--channels, --csv and --output want --over");
        return app_analysis_parse(key, value, state, &a->choice);
    default: return app_analysis_parse(key, value, state, &a->choice);
    }
    return 0;
}

static int tabulate(const arguments *args, app_analysis *a, kane_errors *errors)
{
    static const app_texts usual = {2, {"*.Q", "*.Y"}};
    equilibrium_table table;
    char title[400];
    if (!equilibrium_table_fill(a, args->channels.count > 0 ? &args->channels : &usual, &table, errors))
        return 0;
    app_analysis_name(a, sizeof title, title);
    const int good = equilibrium_table_write(&table, args->table, errors) &&
                     (!args->picture || equilibrium_table_draw(&table, title, args->picture, errors));
    equilibrium_table_clear(&table);
    return good && errors->count == 0; // an interrupt is told when the table is written
}

static int report(const arguments *args, app_analysis *a, kane_errors *errors)
{
    kane_steady *steady = app_analysis_steady(a, 0, errors);
    const int good =
        steady && (args->json ? equilibrium_print_json(a, steady, errors) : equilibrium_print(a, steady, errors));
    kane_steady_free(steady);
    return good;
}

int command_equilibrium(int argc, char **argv)
{
    const struct argp argp = {
        options,
        parse,
        "RUN.json",
        "Finds where the vehicle of a run rests at constant speed on a straight or in a curve that goes on for ever, "
        "whether that is stable or not, and tells what it stands like and what forces there are.",
        NULL,
        NULL,
        NULL};
    arguments args     = {.json = 0};
    kane_errors errors = {0};
    app_analysis analysis;
    app_parse(&argp, argc, argv, &args);
    if (!app_analysis_open(&args.choice, &analysis, &errors))
        return app_fail(&errors);
    const int good = args.choice.over ? tabulate(&args, &analysis, &errors) : report(&args, &analysis, &errors);
    app_analysis_close(&analysis);
    return good ? EXIT_DONE : app_fail(&errors);
}
