// SPDX-License-Identifier: MIT
// kane identify: which inertial parameters the motion of a run determines.

#include "app.h"

#include "math/statistics.h"

#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    const char *file;
    int as_it_moves;
    double from, interval, small;
    app_texts settings;
    app_outputs outputs;
} arguments;

static const app_option options[] = {
    {"as-it-moves", 'a', NULL, 0,
     "with the run's own accelerations: what its motion alone determines; else with any others, "
     "as other forces would bring them",
     APP_FLAG(as_it_moves)},
    {"from", 'f', "T", 0, "from this time of the run on [s] (default 0: its start)", APP_QUANTITY(from, "s")},
    {"interval", 'i', "T", 0, "between two states that are evaluated [s] (default: as the run's output)",
     APP_POSITIVE(interval, "interval", "s")},
    {"small", 'e', "NUMBER", 0,
     "what is left of a column, in parts of its length, below which it depends on others "
     "(default 1e-8)",
     APP_POSITIVE(small, "number", "1")},
    {APP_JSON(outputs)},
    APP_TABLE_OPTION("", outputs),
    {"set", 's', "PATH=VALUE", APP_SETS, "change a value, as in \"kane run\"", APP_TEXTS(settings)},
    {0},
};

// What is evaluated, and the rows of all states so far.
typedef struct scene {
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation;
    kane_work *work;
    kane_regressor *regressor;
    double *Y, *u_more; // u_more NULL: none
    kane_random random;
    int rows, states;
    size_t room; // of rows
} scene;

static void close_scene(scene *s)
{
    free(s->Y);
    free(s->u_more);
    kane_regressor_free(s->regressor);
    kane_work_free(s->work);
    kane_simulation_free(s->simulation);
    kane_model_free(s->model);
    kane_run_free(s->run);
}

static int open_scene(const arguments *a, scene *s, kane_errors *errors)
{
    const kane_run_options how = {.settings = a->settings.texts};
    *s                         = (scene){.run = kane_run_read(a->file, &how, errors)};
    s->model                   = s->run ? kane_run_create_model(s->run, errors) : NULL;
    s->regressor               = s->model ? kane_regressor_create(s->model, errors) : NULL;
    s->work                    = s->regressor ? kane_work_create(s->model, errors) : NULL;
    s->simulation              = s->work ? kane_run_create_simulation(s->run, s->model, errors) : NULL;
    if (s->simulation && !a->as_it_moves)
        s->u_more = calloc((size_t)kane_regressor_rows(s->regressor), sizeof *s->u_more);
    if (s->simulation && !a->as_it_moves && !s->u_more)
        return kane_no_memory(errors) == KANE_OK;
    return s->simulation != NULL;
}

static int make_room(scene *s, kane_errors *errors)
{
    const size_t needed = (size_t)s->rows + (size_t)kane_regressor_rows(s->regressor);
    if (needed <= s->room)
        return 1;
    const size_t room = 2 * needed;
    double *more      = realloc(s->Y, room * (size_t)kane_regressor_columns(s->regressor) * sizeof *more);
    if (!more)
        return kane_no_memory(errors) == KANE_OK;
    s->Y    = more;
    s->room = room;
    return 1;
}

// Other accelerations of independent speeds: random ones of the size of gravity [m/s^2], [rad/s^2].
static const double *choose_accelerations(scene *s)
{
    static const double size = 10.0;
    for (int j = 0; s->u_more && j < kane_regressor_rows(s->regressor); j++)
        s->u_more[j] = size * (2.0 * kane_random_even(&s->random) - 1.0);
    return s->u_more;
}

// Rows of the present state.
static int add_state_rows(scene *s, kane_errors *errors)
{
    if (!make_room(s, errors))
        return 0;
    kane_work_copy(s->model, kane_simulation_work(s->simulation), s->work);
    if (kane_regressor_eval(s->regressor, s->work, kane_simulation_time(s->simulation),
                            kane_simulation_state(s->simulation), choose_accelerations(s),
                            s->Y + (size_t)s->rows * (size_t)kane_regressor_columns(s->regressor)) != KANE_OK) {
        kane_work_fault(s->model, s->work, errors);
        return 0;
    }
    s->rows += kane_regressor_rows(s->regressor);
    s->states++;
    return 1;
}

// Independent speeds may be others after each step: rows then are of others, and determine no less.
static int add_run_rows(const arguments *a, scene *s, kane_errors *errors)
{
    const double interval = a->interval > 0.0 ? a->interval : kane_run_get_definition(s->run)->output.every;
    for (int i = 0; kane_simulation_stop(s->simulation) == KANE_STOP_NONE; i++) {
        if (kane_simulation_advance(s->simulation, a->from + i * interval, errors) != KANE_OK ||
            !add_state_rows(s, errors))
            return 0;
        if (kane_simulation_time(s->simulation) < a->from) {
            kane_errors_add(errors, KANE_BAD_ARGUMENT, "--from=%g: the run ends at %g s", a->from,
                            kane_simulation_time(s->simulation));
            return 0;
        }
    }
    return 1;
}

// "rod.m 0.5 m, rod.J_zz": the others of its combination, with their factors.
static const char *describe_combination(kane_table *table, const scene *s, const kane_base_parameters *base, int i)
{
    char name[256], digits[32];
    const char *text  = "";
    const int columns = kane_regressor_columns(s->regressor);
    for (int j = base->rank; j < columns; j++) {
        const double factor = base->combination[(size_t)(j - base->rank) * (size_t)base->rank + (size_t)i];
        if (factor == 0.0)
            continue;
        kane_regressor_name(s->regressor, base->order[j], sizeof name, name);
        kane_format_number(fabs(factor), 6, sizeof digits, digits);
        const char *sign = factor < 0.0 ? (text[0] ? " - " : "-") : text[0] ? " + " : "";
        const int is_one = strcmp(digits, "1") == 0;
        text = kane_table_text(table, "%s%s%s%s%s", text, sign, is_one ? "" : digits, is_one ? "" : " ", name);
    }
    return text;
}

static void add_parameter(kane_table *table, const scene *s, const kane_base_parameters *base, int i)
{
    char name[256];
    kane_regressor_name(s->regressor, base->order[i], sizeof name, name);
    kane_table_put(table, kane_cell_word(kane_table_text(table, "%s", name)));
    kane_table_put(table, kane_cell_word(kane_regressor_unit(s->regressor, base->order[i])));
    kane_table_put(table, kane_cell_number(base->value[i]));
    kane_table_put(table, kane_cell_number(base->deviation[i]));
    kane_table_put(table, kane_cell_text(describe_combination(table, s, base, i)));
}

// How many parameters have no place in any combination.
static int count_without_effect(const scene *s, const kane_base_parameters *base)
{
    const int columns = kane_regressor_columns(s->regressor), rank = base->rank;
    int count = 0;
    for (int j = 0; j < columns - rank; j++) {
        int used = 0;
        for (int i = 0; i < rank; i++)
            used |= base->combination[(size_t)j * (size_t)rank + (size_t)i] != 0.0;
        count += !used;
    }
    return count;
}

static kane_table tabulate_base(kane_arena *arena, const scene *s, const kane_base_parameters *base)
{
    static const kane_table_column columns[] = {
        {.name = "parameter", .unit = "", .text = {.width = -1}},
        {.name = "unit", .unit = "", .text = {.width = -1}},
        {.name = "value", .unit = "", .text = {.head = "value"}},
        {.name = "deviation", .unit = "", .text = {.head = "deviation", .digits = 3}},
        {.name = "with", .unit = "", .text = {.width = -1}},
    };
    kane_table table = kane_table_begin(arena, (int)(sizeof columns / sizeof *columns), base->rank);
    table.title      = "base parameters";
    kane_table_add_columns(&table, (int)(sizeof columns / sizeof *columns), columns);
    for (int i = 0; i < base->rank; i++)
        add_parameter(&table, s, base, i);
    table.about =
        kane_table_text(&table,
                        "%d base parameters of %d inertial ones, by %d states of the run; %d have no effect.\n"
                        "value: of the parameter with those behind it; deviation: of its estimate when "
                        "each row has an error of 1 N or 1 N m\n%s",
                        base->rank, kane_regressor_columns(s->regressor), s->states, count_without_effect(s, base),
                        base->rank < s->rows ? "" : "All rows are used: more states may show more parameters.\n");
    return table;
}

static int write_out(const arguments *a, const scene *s, kane_errors *errors)
{
    kane_base_parameters *base = kane_base_parameters_create(s->regressor, s->rows, s->Y, a->small, errors);
    if (!base)
        return 0;
    kane_arena *arena              = kane_arena_create();
    const kane_table table         = tabulate_base(arena, s, base);
    const kane_table_report report = {.title = "base parameters", .table_count = 1, .tables = &table};
    const int good                 = app_write_report(&a->outputs, KANE_TABLE_TEXT, &report, errors);
    kane_arena_free(arena);
    kane_base_parameters_free(base);
    return good;
}

static void check_arguments(void *all, struct argp_state *state)
{
    if (((const arguments *)all)->from < 0.0)
        argp_error(state, "--from: a run begins at time 0");
}

int command_identify(int argc, char **argv)
{
    static const app_command command =
        APP_COMMAND(options, "RUN.json", "run file", file, 0, check_arguments,
                    "Finds which inertial parameters of rigid bodies (masses, static moments, moments of inertia about "
                    "the point of its joint) the motion of a run determines, and in which combinations: the base "
                    "parameters. What is not named has no effect, or belongs to the combination that names it. "
                    "docs/mechanisms.md, \"Base parameters\".");
    arguments a        = {0};
    kane_errors errors = {0};
    scene s            = {0};
    app_parse(&command, argc, argv, &a);
    const int good = open_scene(&a, &s, &errors) && add_run_rows(&a, &s, &errors) && write_out(&a, &s, &errors);
    close_scene(&s);
    return good ? EXIT_DONE : app_fail(&errors);
}
