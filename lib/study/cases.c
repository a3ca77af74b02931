// SPDX-License-Identifier: MIT
// Cases of a study: their axes, and the list of them before they are carried out.

#include "study/study.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LISTED_MOST = 40 };

// --- axes ---

// Texts of numbers as they would be typed; of names the names.
static const kane_axis *make_axis(kane_arena *arena, const kane_axis *is)
{
    const size_t count   = (size_t)is->count;
    kane_axis *axis      = kane_arena_alloc(arena, 1, sizeof *axis);
    const char **texts   = is->texts ? NULL : kane_arena_alloc(arena, count, sizeof *texts);
    double *not_a_number = is->numbers ? NULL : kane_arena_doubles(arena, count);
    for (size_t i = 0; i < count && texts; i++) {
        char text[KANE_NUMBER_SIZE];
        kane_number_format(is->numbers[i], text);
        texts[i] = kane_arena_text(arena, text);
    }
    for (size_t i = 0; i < count && not_a_number; i++)
        not_a_number[i] = (double)NAN;
    if (kane_arena_failed(arena))
        return NULL;
    *axis         = *is;
    axis->texts   = is->texts ? is->texts : texts;
    axis->numbers = is->numbers ? is->numbers : not_a_number;
    return axis;
}

const kane_axis *kane_axis_of_names(kane_arena *arena, const char *path, int count, const char *const *names)
{
    return make_axis(arena, &(kane_axis){.path = path, .count = count, .texts = names, .unit = ""});
}

const kane_axis *kane_axis_of_numbers(kane_arena *arena, const char *path, const char *unit, int count,
                                      const double *numbers)
{
    return make_axis(arena, &(kane_axis){.path = path, .count = count, .numbers = numbers, .unit = unit});
}

int kane_study_set_cases(kane_study *s, int axis_count, const kane_axis *const *axes)
{
    const kane_axis **own = kane_arena_alloc(s->arena, (size_t)axis_count + 1, sizeof *own);
    for (int a = 0; a < axis_count && own; a++)
        own[a] = axes[a];
    if (kane_arena_failed(s->arena))
        return kane_study_no_memory(s);
    s->cases      = (kane_grid){axis_count, own};
    s->case_count = s->searched + (int)kane_grid_size(&s->cases);
    return 1;
}

const kane_axis *kane_study_axis(const kane_study *s, int axis, int index, int *value)
{
    int values[KANE_STUDY_AXES_MOST];
    *value = index;
    if (s->columns)
        return &s->columns[axis];
    kane_grid_values(&s->cases, index - s->searched, values);
    *value = values[axis];
    return s->cases.axes[axis];
}

// --- cells ---

kane_cell kane_axis_cell(const kane_axis *axis, int value)
{
    return isfinite(axis->numbers[value]) ? kane_cell_number(axis->numbers[value]) : kane_cell_text(axis->texts[value]);
}

void kane_axis_put_name(kane_table *t, const kane_axis *axis)
{
    kane_table_add_names(t, 1, &axis->path, kane_axis_is_numeric(axis) ? &axis->unit : NULL);
}

void kane_axis_put_value(kane_table *t, const kane_axis *axis, int value)
{
    kane_table_put(t, kane_axis_is_numeric(axis) ? kane_cell_number(axis->numbers[value])
                                                 : kane_cell_word(axis->texts[value]));
}

// --- the list ---

// Number and values of all axes of the first cases; what is recorded of them, if there is a plan.
static kane_table tabulate_cases(const kane_study *s, const kane_plan *plan, int count)
{
    static const char *const states[] = {"open", "done", "failed"}, *const names[] = {"case", "state"};
    int value;
    kane_table t = kane_table_begin(s->arena, s->cases.axis_count + 2, count);
    t.title      = "cases";
    t.is_joined  = 1;
    kane_table_add_names(&t, 1, names, NULL);
    for (int a = 0; a < s->cases.axis_count; a++)
        kane_axis_put_name(&t, kane_study_axis(s, a, s->searched, &value));
    kane_table_add_names(&t, plan != NULL, names + 1, NULL);
    for (int i = s->searched; i < s->searched + count; i++) {
        kane_table_put(&t, kane_cell_count(i + 1));
        for (int a = 0; a < s->cases.axis_count; a++) {
            const kane_axis *axis = kane_study_axis(s, a, i, &value);
            kane_axis_put_value(&t, axis, value);
        }
        if (plan)
            kane_table_put(&t, kane_cell_word(states[kane_plan_case(plan, i)->state]));
    }
    return t;
}

// Time that the open cases take at the pace of the last processes that have worked here [s]; NaN: none has.
static double estimate_left(const kane_plan *plan)
{
    double pace = 0.0; // [1/s]
    for (int i = 0; i < kane_plan_journal_count(plan); i++) {
        const kane_plan_journal *j = kane_plan_get_journal(plan, i);
        if (j->recent > 0)
            pace += j->recent / fmax(j->seconds, 1.0); // known to a second
    }
    return pace > 0.0 ? kane_plan_count(plan, KANE_CASE_OPEN) / pace : (double)NAN;
}

static void print_counts(const kane_study *s, const kane_plan *plan, FILE *out)
{
    const int open    = plan ? kane_plan_count(plan, KANE_CASE_OPEN) : s->case_count;
    const double left = plan ? estimate_left(plan) : (double)NAN;
    (void)fprintf(out, "%d case%s", s->case_count, s->case_count == 1 ? "" : "s");
    if (s->searched > 0)
        (void)fprintf(out, ", %d of them evaluations of searches at most, whose values are found", s->searched);
    if (plan)
        (void)fprintf(out, ": %d done, %d failed, %d open", kane_plan_count(plan, KANE_CASE_DONE),
                      kane_plan_count(plan, KANE_CASE_FAILED), open);
    if (open > 0 && isfinite(left))
        (void)kane_fprintf(out, ", %.0f s at the pace of the last process", left);
    (void)fputc('\n', out);
}

static int list_cases(const kane_study *s, const kane_plan *plan, const kane_plan_execution *how)
{
    const int count                = s->case_count - s->searched;
    const kane_table all           = tabulate_cases(s, plan, how->files || count < LISTED_MOST ? count : LISTED_MOST);
    int good                       = !kane_arena_failed(s->arena) || kane_study_no_memory(s);
    const kane_table_report report = {.title = s->file, .table_count = 1, .tables = &all};
    for (const char *const *file = how->files; good && file && *file; file++)
        good = kane_study_write_tables(s, *file, &report);
    if (!good)
        return 0;
    print_counts(s, plan, how->cases);
    kane_table_print(&all, count < LISTED_MOST ? count : LISTED_MOST, all.column_count, how->cases);
    if (count > LISTED_MOST)
        (void)fprintf(how->cases, "... and %d more; -o FILE.csv takes all\n", count - LISTED_MOST);
    return 1;
}

int kane_study_list_cases(const kane_study *s, const char *content, const kane_plan_execution *how)
{
    const int before              = s->errors->count;
    const kane_plan_definition is = {content, s->case_count, s->value_count, s->group};
    kane_plan *plan               = kane_plan_find(&is, how->directory, s->errors);
    const int good                = s->errors->count == before && list_cases(s, plan, how);
    kane_plan_close(plan);
    return good;
}
