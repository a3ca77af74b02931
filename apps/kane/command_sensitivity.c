// SPDX-License-Identifier: MIT
// kane sensitivity: how channels of a run change with numbers of its files.

#include "app.h"

#include <kane/sensitivity.h>

#include "run/setup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    const char *file;
    double accuracy, change;
    app_texts parameters, channels, settings;
    app_outputs outputs;
} arguments;

static const app_option options[] = {
    {"parameter", 'p', "PATH", APP_ADDS,
     "a number of the run, vehicle, train, mechanism or track file, its path as that of --set", APP_TEXTS(parameters)},
    {"channels", 'c', "A,B,...", APP_LIST, "channels, as in \"kane run\" (default: those that the run records)",
     APP_TEXTS(channels)},
    {"accuracy", 'a', "NUMBER", 0, "relative error that is allowed for derivatives (default 1e-4)",
     APP_POSITIVE(accuracy, "accuracy", "1")},
    {"change", 'd', "NUMBER", 0,
     "by which numbers are changed where there are no derivatives by them, in parts of themselves; of 0 in its unit "
     "(default 1e-6)",
     APP_POSITIVE(change, "change", "1")},
    APP_OUTPUT_OPTION("", outputs),
    {"set", 's', "PATH=VALUE", APP_SETS, "change a value, as in \"kane run\"", APP_TEXTS(settings)},
    {0},
};

// A run, its model and its simulation at the start.
typedef struct stage {
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation;
} stage;

typedef struct scene {
    stage nominal, (*neighbour)[2]; // [parameters]
    kane_variation *variation;      // [parameters]
    kane_sensitivity *sensitivity;
    const kane_channels *channels;
    int columns, rows, room; // of numbers: time, then derivatives
    double *numbers;         // [room][columns]
} scene;

static void close_stage(stage *s)
{
    kane_simulation_free(s->simulation);
    kane_model_free(s->model);
    kane_run_free(s->run);
}

static void close_scene(const arguments *a, scene *s)
{
    kane_sensitivity_free(s->sensitivity);
    for (int p = 0; p < a->parameters.count && s->neighbour; p++)
        for (int side = 0; side < 2; side++)
            close_stage(&s->neighbour[p][side]);
    close_stage(&s->nominal);
    free(s->neighbour);
    free(s->variation);
    free(s->numbers);
}

static int open_stage(const arguments *a, const char *const *settings, stage *s, kane_errors *errors)
{
    const kane_run_options how = {.settings = settings, .is_comparison = 1};
    s->run                     = kane_run_read(a->file, &how, errors);
    s->model                   = s->run ? kane_run_create_model(s->run, errors) : NULL;
    s->simulation              = s->model ? kane_run_create_simulation(s->run, s->model, errors) : NULL;
    return s->simulation != NULL;
}

// The run with another value of a parameter.
static int open_neighbour(const arguments *a, const char *path, double value, stage *s, kane_errors *errors)
{
    const char *settings[APP_TEXTS_MOST + 2];
    char own[1024];
    int count = 0;
    for (int i = 0; i < a->settings.count; i++)
        if (!kane_parameter_is_same(a->settings.texts[i], path))
            settings[count++] = a->settings.texts[i];
    if (kane_snprintf(own, sizeof own, "%s=%.17g", path, value) >= (int)sizeof own) {
        kane_errors_add(errors, KANE_BAD_INPUT, "--parameter %s is too long", path);
        return 0;
    }
    settings[count++] = own;
    settings[count]   = NULL;
    return open_stage(a, settings, s, errors);
}

static int open_parameter(const arguments *a, scene *s, int p, kane_errors *errors)
{
    const char *path = a->parameters.texts[p];
    char typed[1024];
    double value;
    (void)snprintf(typed, sizeof typed, "--parameter %s", path);
    if (!kane_run_number(s->nominal.run, path, typed, &value, errors))
        return 0;
    const double e  = value != 0.0 ? a->change * fabs(value) : a->change;
    s->variation[p] = (kane_variation){.name = path, .size = e};
    for (int side = 0; side < 2; side++) {
        if (!open_neighbour(a, path, side ? value + e : value - e, &s->neighbour[p][side], errors))
            return 0;
        s->variation[p].neighbour[side] = s->neighbour[p][side].simulation;
    }
    return 1;
}

static int choose_channels(const arguments *a, scene *s, kane_errors *errors)
{
    const kane_output_definition *output = &kane_run_get_definition(s->nominal.run)->output;
    const int own                        = a->channels.count > 0;
    s->channels = kane_sensitivity_choose(s->sensitivity, own ? a->channels.count : output->pattern_count,
                                          own ? a->channels.texts : output->patterns, errors);
    if (s->channels)
        s->columns = 1 + a->parameters.count * kane_channels_count(s->channels);
    return s->channels != NULL;
}

static int open_scene(const arguments *a, scene *s, kane_errors *errors)
{
    const size_t count = (size_t)a->parameters.count;
    s->neighbour       = calloc(count, sizeof *s->neighbour);
    s->variation       = calloc(count, sizeof *s->variation);
    if (!s->neighbour || !s->variation)
        return kane_no_memory(errors) == KANE_OK;
    int good = open_stage(a, a->settings.texts, &s->nominal, errors);
    for (int p = 0; p < a->parameters.count; p++)
        good = good && open_parameter(a, s, p, errors);
    if (good)
        s->sensitivity =
            kane_sensitivity_create(s->nominal.simulation, a->parameters.count, s->variation, a->accuracy, errors);
    return s->sensitivity && choose_channels(a, s, errors);
}

static int add_row(scene *s, kane_errors *errors)
{
    if (s->rows == s->room) {
        const int room = s->room > 0 ? 2 * s->room : 256;
        double *more   = realloc(s->numbers, (size_t)room * (size_t)s->columns * sizeof *more);
        if (!more)
            return kane_no_memory(errors) == KANE_OK;
        s->numbers = more;
        s->room    = room;
    }
    double *row = s->numbers + (size_t)s->rows++ * (size_t)s->columns;
    row[0]      = kane_simulation_time(s->nominal.simulation);
    if (kane_sensitivity_read(s->sensitivity, row + 1, errors) == KANE_OK)
        return 1;
    s->rows--;
    return 0;
}

static int add_rows(scene *s, kane_errors *errors)
{
    const double every        = kane_run_get_definition(s->nominal.run)->output.every;
    const kane_simulation *of = s->nominal.simulation;
    int good                  = add_row(s, errors);
    for (int i = 1; good && kane_simulation_stop(of) == KANE_STOP_NONE; i++) {
        const double before = kane_simulation_time(of);
        good                = kane_sensitivity_advance(s->sensitivity, i * every, errors) == KANE_OK &&
               (kane_simulation_time(of) == before || add_row(s, errors));
    }
    return good;
}

static void name_columns(const arguments *a, const scene *s, kane_table *table)
{
    const kane_table_column time = {.name = "time", .unit = "s"};
    kane_table_add_columns(table, 1, &time);
    for (int p = 0; p < a->parameters.count; p++) {
        const char *path             = a->parameters.texts[p];
        const kane_parameter *common = kane_parameter_find(path);
        for (int c = 0; c < kane_channels_count(s->channels); c++) {
            const kane_channel_info *info = kane_channels_info(s->channels, c);
            kane_table_column column      = {.name = kane_table_text(table, "d(%s)/d(%s)", info->name, path),
                                             .unit = info->unit};
            if (common && common->unit[0])
                column.unit = kane_table_text(table, "%s/(%s)", info->unit[0] ? info->unit : "1", common->unit);
            kane_table_add_columns(table, 1, &column);
        }
    }
}

static int write_out(const arguments *a, const scene *s, kane_errors *errors)
{
    kane_arena *arena = kane_arena_create();
    kane_table table  = kane_table_begin(arena, s->columns, s->rows);
    table.title       = "sensitivities";
    name_columns(a, s, &table);
    for (int i = 0; i < s->rows * s->columns; i++)
        kane_table_put(&table, kane_cell_number(s->numbers[i]));
    const kane_table_report report = {.title = "sensitivities", .table_count = 1, .tables = &table};
    const int good                 = app_write_report(&a->outputs, KANE_TABLE_CSV, &report, errors);
    kane_arena_free(arena);
    return good;
}

// What may be doubted, on standard error.
static void tell_end(const scene *s)
{
    const long rough     = kane_sensitivity_rough_steps(s->sensitivity);
    const kane_stop stop = kane_simulation_stop(s->nominal.simulation);
    if (rough > 0)
        (void)kane_fprintf(
            stderr, "%ld steps did not reach the accuracy, as where a derivative is nothing but round-off\n", rough);
    if (kane_stop_is_derailment(stop))
        (void)kane_fprintf(stderr, "the run ended by %s of %s at %g s\n", kane_stop_name(stop),
                           kane_simulation_stop_subject(s->nominal.simulation),
                           kane_simulation_time(s->nominal.simulation));
}

static void check_arguments(void *all, struct argp_state *state)
{
    if (((const arguments *)all)->parameters.count == 0)
        argp_error(state, "--parameter says by which number to differentiate, such as vehicle.bodies.body.mass");
}

int command_sensitivity(int argc, char **argv)
{
    static const app_command command =
        APP_COMMAND(options, "RUN.json", "run file", file, 0, check_arguments,
                    "Tabulates over a run how its channels change with numbers of its files: derivatives "
                    "d(channel)/d(parameter), in the SI unit of the channel over that of the parameter. "
                    "docs/analyses.md, \"Sensitivities of a run\".");
    arguments a        = {.accuracy = 1e-4, .change = 1e-6};
    kane_errors errors = {0};
    scene s            = {0};
    app_parse(&command, argc, argv, &a);
    int good = open_scene(&a, &s, &errors);
    if (good) { // a run that fails keeps the rows before that
        const int is_complete = add_rows(&s, &errors);
        good                  = write_out(&a, &s, &errors) && is_complete;
        tell_end(&s);
    }
    close_scene(&a, &s);
    return good ? EXIT_DONE : app_fail(&errors);
}
