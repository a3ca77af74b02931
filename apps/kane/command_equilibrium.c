// SPDX-License-Identifier: MIT
// kane equilibrium: where a vehicle rests at constant speed on a straight or in a curve.

#include "equilibrium.h"

typedef struct arguments {
    app_analysis_choice choice;
    app_texts channels;
    app_outputs outputs;
} arguments;

static const app_option options[] = {
    {"channels", 'c', "A,B,...", APP_LIST,
     "with --over: channels to tabulate, as in \"kane run\" (default: *.Q and *.Y)", APP_TEXTS(channels)},
    APP_OUTPUT_OPTION("", outputs),
    {0},
};

static void check_arguments(void *all, struct argp_state *state)
{
    const arguments *a = all;
    if (!a->choice.over && (a->channels.count > 0 || app_draws(&a->outputs)))
        argp_error(state, "--channels and pictures want --over");
}

static int tabulate_over(const arguments *args, app_analysis *a, kane_errors *errors)
{
    static const app_texts usual = {2, {"*.Q", "*.Y"}};
    kane_table table             = kane_table_begin(kane_arena_create(), 16, a->over.count);
    char title[400];
    app_analysis_name(a, sizeof title, title);
    const kane_table_report report = {.title = title, .table_count = 1, .tables = &table};
    const int good =
        table.arena ? equilibrium_tabulate(a, args->channels.count > 0 ? &args->channels : &usual, &table, errors) &&
                          app_write_report(&args->outputs, KANE_TABLE_CSV, &report, errors)
                    : kane_no_memory(errors) == KANE_OK;
    kane_arena_free(table.arena);
    return good && errors->count == 0; // an interrupt is reported when the table is written
}

static int report_equilibrium(const arguments *args, app_analysis *a, kane_errors *errors)
{
    kane_steady *steady = app_analysis_steady(a, 0, errors);
    const int good      = steady && equilibrium_write(a, steady, &args->outputs, errors);
    kane_steady_free(steady);
    return good;
}

int command_equilibrium(int argc, char **argv)
{
    static const app_command command = APP_COMMAND_WITH(
        options, app_analysis_options, choice, "RUN.json", "run file", choice.file, 0, check_arguments,
        "Finds the steady position of the vehicle of a run at constant speed on an endless straight or curve,"
        " whether it is stable, and prints positions and forces.");
    arguments args     = {.outputs = {.count = 0}};
    kane_errors errors = {0};
    app_analysis analysis;
    app_parse(&command, argc, argv, &args);
    if (!app_analysis_open(&args.choice, &analysis, &errors))
        return app_fail(&errors);
    const int good =
        args.choice.over ? tabulate_over(&args, &analysis, &errors) : report_equilibrium(&args, &analysis, &errors);
    app_analysis_close(&analysis);
    return good ? EXIT_DONE : app_fail(&errors);
}
