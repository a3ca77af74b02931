// SPDX-License-Identifier: MIT
// Shapes of transitions beside each other: their runs and their values.

#include "study/comparison.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

trial comparison_trial(const comparison *c, int index)
{
    return (trial){.file          = c->file,
                   .common        = c->common,
                   .setting_count = c->sections.count,
                   .settings      = c->settings[index],
                   .criteria      = c->criteria};
}

// The part of a name that a file may have: "wiener:1.8 m" -> "wiener_1.8_m".
static void plain_name(const char *name, size_t size, char *plain)
{
    size_t i = 0;
    for (; name[i] && i + 1 < size; i++)
        plain[i] = isalnum((unsigned char)name[i]) || name[i] == '.' || name[i] == '-' ? name[i] : '_';
    plain[i] = '\0';
}

void comparison_rows_name(const comparison *c, int index, size_t size, char *name)
{
    char plain[128];
    plain_name(c->shapes[index].name, sizeof plain, plain);
    (void)snprintf(name, size, "%s/rows-%s.csv", c->directory, plain);
}

void comparison_work(const comparison *c, int index, kane_case *result)
{
    kane_errors errors = {0};
    char name[4096];
    const trial t = comparison_trial(c, index);
    comparison_rows_name(c, index, sizeof name, name);
    const kane_status status = trial_run(&t, result->values, name, &errors);
    result->state            = status == KANE_OK ? KANE_CASE_DONE : KANE_CASE_FAILED;
    if (errors.count > 0)
        (void)kane_error_format(&errors.kept[0], sizeof result->why, result->why);
    else if (status != KANE_OK)
        (void)snprintf(result->why, sizeof result->why, "%s", kane_status_text(status));
}

static kane_status no_memory(kane_errors *errors)
{
    kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    return KANE_NO_MEMORY;
}

static kane_status prepare_shape(comparison *c, int index, kane_errors *errors)
{
    char mine[128], other[128];
    plain_name(c->shapes[index].name, sizeof mine, mine);
    for (int i = 0; i < index; i++) {
        plain_name(c->shapes[i].name, sizeof other, other);
        if (strcmp(mine, other) == 0) {
            kane_errors_add(errors, KANE_BAD_INPUT, "the shape '%s' is named twice", c->shapes[index].name);
            return KANE_BAD_INPUT;
        }
    }
    c->settings[index] = shape_settings(c->arena, &c->shapes[index], &c->sections);
    return c->settings[index] ? KANE_OK : no_memory(errors);
}

kane_status comparison_prepare(comparison *c, kane_errors *errors)
{
    kane_status status = KANE_OK;
    c->settings        = kane_arena_alloc(c->arena, (size_t)c->count, sizeof *c->settings);
    if (!c->settings)
        return no_memory(errors);
    for (int i = 0; i < c->count && status == KANE_OK; i++)
        status = prepare_shape(c, i, errors);
    return status;
}

// --- values ---

int comparison_columns(const comparison *c)
{
    return c->criteria->count + c->is_weighted;
}

double comparison_value(const comparison *c, int index, int column)
{
    const double *values = c->record[index]->values;
    if (c->record[index]->state != KANE_CASE_DONE)
        return (double)NAN;
    return column < c->criteria->count ? values[column] : criteria_sum(c->criteria, values);
}

const char *comparison_title(const comparison *c, int column)
{
    return column < c->criteria->count ? c->criteria->text[column] : "sum";
}

const char *comparison_unit(const comparison *c, int column)
{
    return column < c->criteria->count ? c->units[column] : "";
}

// --- rows ---

static kane_status open_rows(comparison *c, kane_errors *errors)
{
    c->rows = kane_arena_alloc(c->arena, (size_t)c->count, sizeof *c->rows);
    if (!c->rows)
        return no_memory(errors);
    for (int i = 0; i < c->count; i++) {
        char name[4096];
        if (c->record[i]->state != KANE_CASE_DONE)
            continue;
        comparison_rows_name(c, i, sizeof name, name);
        c->rows[i] = kane_results_open(name, errors);
        if (!c->rows[i])
            return KANE_NO_FILE;
    }
    return KANE_OK;
}

static void find_reference(comparison *c)
{
    c->reference = -1;
    for (int i = c->count - 1; i >= 0; i--)
        if (c->rows[i])
            c->reference = i;
    for (int i = 0; i < c->count; i++)
        if (c->rows[i] && c->shapes[i].kind == KANE_CLOTHOID)
            c->reference = i;
}

static kane_status find_units(comparison *c, kane_errors *errors)
{
    double values[KANE_CRITERIA_MOST];
    for (int i = 0; i < c->criteria->count; i++)
        c->units[i] = "";
    if (c->reference < 0)
        return KANE_OK;
    const kane_status status = criteria_eval(c->criteria, c->rows[c->reference], values, c->units, errors);
    for (int i = 0; i < c->criteria->count && status == KANE_OK; i++)
        c->units[i] = kane_arena_text(c->arena, c->units[i]); // they outlive the rows
    return kane_arena_failed(c->arena) ? no_memory(errors) : status;
}

kane_status comparison_write(comparison *c, kane_errors *errors)
{
    kane_status status = open_rows(c, errors);
    if (status == KANE_OK) {
        find_reference(c);
        status = find_units(c, errors);
    }
    if (status == KANE_OK)
        status = comparison_write_tables(c, errors);
    if (status == KANE_OK)
        status = comparison_draw(c, errors);
    for (int i = 0; c->rows && i < c->count; i++)
        kane_results_free(c->rows[i]);
    c->rows = NULL;
    return status;
}
