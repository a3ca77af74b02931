// SPDX-License-Identifier: MIT
// Conditions, and when a term may be neglected, in words.

#include "study/omission_table.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>

int kane_omission_grid_size(const kane_omission_grid *grid)
{
    int size = 1;
    for (int a = 0; a < grid->axis_count; a++)
        size *= grid->axes[a]->count;
    return size;
}

void kane_omission_grid_values(const kane_omission_grid *grid, int condition, int *value)
{
    for (int a = grid->axis_count - 1; a >= 0; a--) {
        value[a] = condition % grid->axes[a]->count;
        condition /= grid->axes[a]->count;
    }
}

const char *kane_verdict_name(kane_verdict verdict)
{
    static const char *const names[] = {"always", "when", "never", "unknown"};
    return names[verdict];
}

// Value `i` of an axis, a number with its unit.
static void add_value(kane_text *text, const kane_axis *axis, int i)
{
    char number[KANE_NUMBER_SIZE];
    if (!isfinite(axis->numbers[i])) {
        kane_text_add(text, "%s", axis->texts[i]);
        return;
    }
    kane_number_round(axis->numbers[i], 6, number);
    kane_text_add(text, "%s%s%s", number, axis->unit[0] ? " " : "", axis->unit);
}

void kane_omission_say_condition(const kane_omission_grid *grid, int condition, size_t size, char *text)
{
    kane_text t = kane_text_start(size, text);
    int value[KANE_OMISSION_AXES_MOST];
    kane_omission_grid_values(grid, condition, value);
    for (int a = 0; a < grid->axis_count; a++) {
        kane_text_add(&t, "%s%s ", a > 0 ? ", " : "", grid->axes[a]->path);
        add_value(&t, grid->axes[a], value[a]);
    }
    if (grid->axis_count == 0)
        kane_text_add(&t, "the run as it is");
}

// Of an axis the chosen values that are least and most, and how many values lie outside of them on either side.
typedef struct span {
    int least, most; // -1: words
    int below, above;
    int count;
} span;

static span span_of(const kane_axis *axis, uint64_t values)
{
    span s = {.least = -1, .most = -1};
    for (int i = 0; i < axis->count; i++) {
        if (!isfinite(axis->numbers[i]))
            return (span){.least = -1, .most = -1};
        if (!(values >> i & 1))
            continue;
        s.count++;
        s.least = s.least < 0 || axis->numbers[i] < axis->numbers[s.least] ? i : s.least;
        s.most  = s.most < 0 || axis->numbers[i] > axis->numbers[s.most] ? i : s.most;
    }
    for (int i = 0; i < axis->count && s.least >= 0; i++) {
        s.below += axis->numbers[i] < axis->numbers[s.least];
        s.above += axis->numbers[i] > axis->numbers[s.most];
    }
    return s;
}

static void say_words(kane_text *t, const kane_axis *axis, uint64_t values)
{
    const char *between = " = ";
    kane_text_add(t, "%s", axis->path);
    for (int i = 0; i < axis->count; i++)
        if (values >> i & 1) {
            kane_text_add(t, "%s%s", between, axis->texts[i]);
            between = " or ";
        }
}

static void say_numbers(kane_text *t, const kane_axis *axis, const span *s)
{
    const double least = axis->numbers[s->least], most = axis->numbers[s->most];
    if (s->count == 1 && s->below > 0 && s->above > 0) {
        kane_text_add(t, "%s = ", axis->path);
    } else if (s->below > 0 && s->above > 0 && least == -most) {
        kane_text_add(t, "|%s| <= ", axis->path);
    } else if (s->below > 0 && s->above > 0) {
        add_value(t, axis, s->least);
        kane_text_add(t, " <= %s <= ", axis->path);
    } else if (s->below > 0) {
        kane_text_add(t, "%s >= ", axis->path);
        add_value(t, axis, s->least);
        return;
    } else {
        kane_text_add(t, "%s <= ", axis->path);
    }
    add_value(t, axis, s->most);
}

void kane_omission_say_box(const kane_omission_grid *grid, const kane_omission_box *box, size_t size, char *text)
{
    kane_text t     = kane_text_start(size, text);
    const char *and = "";
    for (int a = 0; a < grid->axis_count; a++) {
        const kane_axis *axis = grid->axes[a];
        const span s          = span_of(axis, box->values[a]);
        int chosen            = 0;
        for (int i = 0; i < axis->count; i++)
            chosen += (int)(box->values[a] >> i & 1);
        if (chosen == axis->count)
            continue;
        kane_text_add(&t, "%s", and);
        if (s.least < 0)
            say_words(&t, axis, box->values[a]);
        else
            say_numbers(&t, axis, &s);
        and = " and ";
    }
}
