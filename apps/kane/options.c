// SPDX-License-Identifier: MIT
// Options as all commands take them: what becomes of one that is given again, and of commas, is a property of its row
// (app.h).

#include "app.h"

#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"
#include "run/setup.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 64, KEYS = 256 };

// The rows of a command in the order of the keys of argp, and what they were given so far.
typedef struct parsing {
    const app_command *command;
    char *arguments;
    int count;
    const app_option *rows[ROWS_MOST];
    size_t at[ROWS_MOST];         // of what each row is of
    const char *given[ROWS_MOST]; // NULL: not yet
    app_texts settings;           // of APP_SETS
    unsigned groups;              // bits of those that were given
} parsing;

int app_gives_group(const struct argp_state *state, int group)
{
    return (((const parsing *)state->input)->groups >> group / APP_GROUP & 1u) != 0;
}

// The row of an option, that of which an alias is one; -1: the key is none of an option.
static int find_row(const parsing *p, int key)
{
    for (int i = 0, row = 0; i < p->count; i++) {
        row = p->rows[i]->flags & OPTION_ALIAS ? row : i;
        if (key == (p->rows[i]->letter ? p->rows[i]->letter : KEYS + i))
            return row;
    }
    return -1;
}

static void take_value(const parsing *p, int row, char *value, struct argp_state *state)
{
    p->rows[row]->take(p->rows[row], value, p->arguments + p->at[row] + p->rows[row]->at, state);
}

// The values between commas outside of quotes and brackets, one after the other. Where quotes or brackets stay open
// commas part nothing.
static void take_each(const parsing *p, int row, char *value, struct argp_state *state)
{
    kane_axis_value part;
    for (const char *at = value; at; at = *at ? at + 1 : NULL)
        if (!(at = kane_axis_parse_value(at, ",", &part))) {
            take_value(p, row, value, state);
            return;
        } else if (part.length == 0)
            argp_error(state, "--%s '%s': a value is missing", p->rows[row]->name, value);
    for (char *next = value; next;) {
        const char *end    = kane_axis_parse_value(next, ",", &part);
        char *begin        = value + (part.text - value);
        next               = *end ? value + (end - value) + 1 : NULL;
        begin[part.length] = '\0';
        take_value(p, row, begin, state);
    }
}

static void take_option(parsing *p, int row, char *value, struct argp_state *state)
{
    const app_option *o = p->rows[row];
    if (value && p->given[row] && !(o->flags & APP_ADDS))
        argp_error(state, "--%s is given twice, '%s' and '%s': it may be given once", o->name, p->given[row], value);
    if (p->command->enter)
        p->command->enter(value);
    p->given[row] = value;
    p->groups |= 1u << o->flags / APP_GROUP;
    if ((o->flags & APP_SETS) == APP_SETS) {
        for (int i = 0; i < p->settings.count; i++)
            if (kane_parameter_is_same(p->settings.texts[i], value))
                argp_error(state, "--%s sets the same twice: '%s' and '%s'", o->name, p->settings.texts[i], value);
        app_collect(&p->settings, value, state);
    }
    if ((o->flags & APP_LIST) == APP_LIST)
        take_each(p, row, value, state);
    else
        take_value(p, row, value, state);
    if (p->command->enter)
        p->command->enter(NULL);
}

// An operand: the only one, or one of several.
static error_t take_operand(const parsing *p, const char *value, struct argp_state *state)
{
    const app_command *c = p->command;
    if (!c->operand && c->most == 0)
        argp_error(state, "takes no arguments");
    if (!c->operand) {
        app_texts *all = (app_texts *)(void *)(p->arguments + c->at);
        if (all->count == c->most)
            argp_error(state, "more than %d results", c->most);
        app_collect(all, value, state);
        return 0;
    }
    const char **file = (const char **)(void *)(p->arguments + c->at);
    if (*file)
        argp_error(state, "one %s at a time", c->operand);
    *file = value;
    return 0;
}

static error_t parse_argument(int key, char *value, struct argp_state *state)
{
    parsing *p           = state->input;
    const app_command *c = p->command;
    const int row        = find_row(p, key);
    if (row >= 0) {
        take_option(p, row, value, state);
        return 0;
    }
    if (key == ARGP_KEY_ARG)
        return take_operand(p, value, state);
    if (key != ARGP_KEY_END)
        return ARGP_ERR_UNKNOWN;
    if (c->operand && c->most == 0 && !*(const char **)(void *)(p->arguments + c->at))
        argp_error(state, "which %s?", c->operand);
    if (c->check_more)
        c->check_more(p->arguments, state);
    if (c->check)
        c->check(p->arguments, state);
    return 0;
}

// What is said of each row that takes several values, behind its own words. Freed by argp.
static char *describe_row(int key, const char *text, void *input)
{
    const parsing *p = input;
    const int row    = p && text ? find_row(p, key) : -1;
    const int flags  = row >= 0 ? p->rows[row]->flags : 0;
    const char *more = (flags & APP_LIST) == APP_LIST ? "several: between commas, or given again"
                       : flags & APP_ADDS             ? "may be given again"
                                                      : NULL;
    if (!more)
        return (char *)(uintptr_t)text;
    const size_t size = strlen(text) + strlen(more) + 3;
    char *whole       = malloc(size);
    if (whole)
        (void)snprintf(whole, size, "%s; %s", text, more);
    return whole ? whole : (char *)(uintptr_t)text;
}

static void add_part(parsing *p, const app_part *part, struct argp_option *options)
{
    for (const app_option *row = part->rows; row && row->name; row++, p->count++) {
        const int own_group = row->flags / APP_GROUP;
        p->rows[p->count]   = row;
        p->at[p->count]     = part->at;
        options[p->count]   = (struct argp_option){.name  = row->name,
                                                   .key   = row->letter ? row->letter : KEYS + p->count,
                                                   .arg   = row->value,
                                                   .flags = row->flags % APP_GROUP,
                                                   .doc   = row->help,
                                                   .group = own_group ? own_group : part->group};
    }
}

void app_parse(const app_command *c, int argc, char **argv, void *arguments)
{
    struct argp_option options[ROWS_MOST + 1] = {{0}};
    parsing p                                 = {.command = c, .arguments = arguments};
    const struct argp argp                    = {.options     = options,
                                                 .parser      = parse_argument,
                                                 .args_doc    = c->operands,
                                                 .doc         = c->doc,
                                                 .help_filter = describe_row};
    for (int i = 0; i < APP_PARTS; i++)
        add_part(&p, &c->parts[i], options);
    if (app_begun_word()) {
        app_offer_options(p.count, p.rows, argv[argc - 1]);
        exit(EXIT_DONE);
    }
    const error_t failed = argp_parse(&argp, argc, argv, 0, NULL, &p); // wrong arguments do not come back
    if (!failed)
        return;
    (void)fprintf(stderr, "error: %s: %s\n", argv[0], kane_system_text(failed));
    exit(EXIT_OTHER);
}

// --- values ---

void app_collect(app_texts *list, const char *text, struct argp_state *state)
{
    if (list->count >= APP_TEXTS_MOST)
        argp_error(state, "more than %d of one option", (int)APP_TEXTS_MOST);
    list->texts[list->count++] = text;
    list->texts[list->count]   = NULL;
}

void app_take_flag(const app_option *o, char *value, void *member, struct argp_state *state)
{
    (void)value, (void)state;
    *(int *)member = o->most;
}

void app_take_text(const app_option *o, char *value, void *member, struct argp_state *state)
{
    (void)o, (void)state;
    *(const char **)member = value;
}

void app_take_texts(const app_option *o, char *value, void *member, struct argp_state *state)
{
    (void)o;
    app_collect(member, value, state);
}

void app_take_number(const app_option *o, char *value, void *member, struct argp_state *state)
{
    char *end;
    const double number = strtod(value, &end);
    (void)o;
    if (end == value || *end || !isfinite(number))
        argp_error(state, "'%s' is not a number", value);
    *(double *)member = number;
}

void app_take_whole(const app_option *o, char *value, void *member, struct argp_state *state)
{
    char *end;
    const long number = strtol(value, &end, 10);
    if (end == value || *end || number < o->least || number > o->most)
        argp_error(state, "'%s' is not a %s (%d to %d)", value, o->what, o->least, o->most);
    *(int *)member = (int)number;
}

double app_read_quantity(const char *text, const char *unit, struct argp_state *state)
{
    char buffer[400];
    kane_text fault = kane_text_start(sizeof buffer, buffer);
    double value    = 0.0;
    if (!kane_quantity_parse(text, unit, &value, &fault))
        argp_error(state, "%s", buffer);
    return value;
}

static double read_positive(const app_option *o, const char *text, struct argp_state *state)
{
    const double value = app_read_quantity(text, o->unit, state);
    if (!(value > 0.0))
        argp_error(state, "the %s must be positive", o->what);
    return value;
}

void app_take_quantity(const app_option *o, char *value, void *member, struct argp_state *state)
{
    *(double *)member = app_read_quantity(value, o->unit, state);
}

void app_take_positive(const app_option *o, char *value, void *member, struct argp_state *state)
{
    *(double *)member = read_positive(o, value, state);
}

void app_take_numbers(const app_option *o, char *value, void *member, struct argp_state *state)
{
    app_numbers *list = member;
    if (list->count == APP_TEXTS_MOST)
        argp_error(state, "--%s: more than %d values", o->name, (int)APP_TEXTS_MOST);
    list->values[list->count++] = app_read_quantity(value, o->unit, state);
}

void app_take_word(const app_option *o, char *value, void *member, struct argp_state *state)
{
    char known[400] = "";
    kane_text list  = kane_text_start(sizeof known, known);
    for (int i = 0; o->words[i]; i++) {
        kane_text_add(&list, "%s%s", i > 0 ? ", " : "", o->words[i]);
        *(int *)member = o->least + i;
        if (strcmp(value, o->words[i]) == 0)
            return;
    }
    argp_error(state, "--%s: '%s' is not known; known: %s", o->name, value, known);
}

// The left side, or the right one where it is given again; NaN: not given.
void app_take_sides(const app_option *o, char *value, void *member, struct argp_state *state)
{
    double *sides = member;
    if (!isnan(sides[KANE_RIGHT]))
        argp_error(state, "--%s at most twice: left and right", o->name);
    sides[isnan(sides[KANE_LEFT]) ? KANE_LEFT : KANE_RIGHT] = read_positive(o, value, state);
}

void app_take_mode(const app_option *o, char *value, void *member, struct argp_state *state)
{
    const double number = read_positive(o, value, state);
    if (number != floor(number) || number > 1e6)
        argp_error(state, "'%s' is not the number of a mode", value);
    *(int *)member = (int)number;
}

void app_take_class(const app_option *o, char *value, void *member, struct argp_state *state)
{
    (void)o;
    for (int kind = 0; kind < KANE_VEHICLE_CLASSES; kind++)
        if (strcmp(value, kane_vehicle_class_name((kane_vehicle_class)kind)) == 0) {
            *(kane_vehicle_class *)member = (kane_vehicle_class)kind;
            return;
        }
    argp_error(state, "there is no class '%s': coach, locomotive, bogie-wagon, two-axle-wagon", value);
}

void app_take_picture(const app_option *o, char *value, void *member, struct argp_state *state)
{
    (void)o;
    if (kane_table_format_of(value) != KANE_TABLE_PICTURE)
        argp_error(state, "%s: a picture's name ends in .svg or .png", value);
    *(const char **)member = value;
}

// --- files of tables ---

void app_take_output(const app_option *option, char *file, void *member, struct argp_state *state)
{
    app_outputs *o                 = member;
    const kane_table_format format = kane_table_format_of(file);
    (void)option;
    if (format == KANE_TABLE_FORMATS)
        argp_error(state, "%s: a picture's name ends in .svg or .png, a table's in .csv, .json, .h5 or .txt", file);
    if (o->count >= APP_OUTPUTS_MOST)
        argp_error(state, "more than %d files", (int)APP_OUTPUTS_MOST);
    o->files[o->count++] = (struct app_output){file, format};
    o->tables += format != KANE_TABLE_PICTURE;
}

void app_take_table(const app_option *option, char *file, void *member, struct argp_state *state)
{
    if (kane_table_format_of(file) == KANE_TABLE_PICTURE)
        argp_error(state, "%s: these tables make no picture; a table's name ends in .csv, .json, .h5 or .txt", file);
    app_take_output(option, file, member, state);
}

// file NULL: standard output.
static int write_text_file(const kane_table_report *report, kane_table_format format, const char *file,
                           kane_errors *errors)
{
    FILE *out = app_open_table(file, errors);
    if (!out)
        return 0;
    const int good = kane_table_report_write(report, format, file, out, errors) == KANE_OK;
    return app_close_table(out, file, errors) && good;
}

int app_write_report(const app_outputs *o, kane_table_format usual, const kane_table_report *report,
                     kane_errors *errors)
{
    const kane_table_format said = o->is_json ? KANE_TABLE_JSON : o->tables > 0 ? KANE_TABLE_FORMATS : usual;
    int good                     = said == KANE_TABLE_FORMATS || write_text_file(report, said, NULL, errors);
    for (int i = 0; i < o->count && good; i++)
        good = o->files[i].format < KANE_TABLE_HDF5
                   ? write_text_file(report, o->files[i].format, o->files[i].file, errors)
                   : kane_table_report_write(report, o->files[i].format, o->files[i].file, NULL, errors) == KANE_OK;
    return good;
}
