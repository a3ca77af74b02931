// SPDX-License-Identifier: MIT
// The cases of a sweep: which value each axis has in each of them.

#include "math/random.h"
#include "study/axis.h"
#include "study/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int kane_axis_is_numeric(const kane_axis *axis)
{
    for (int i = 0; i < axis->count; i++)
        if (!isfinite(axis->numbers[i]))
            return 0;
    return 1;
}

// --- how many ---

static int count_grid(const kane_sweep_study *s, kane_errors *errors)
{
    long long count = 1;
    for (int a = 0; a < s->is.axis_count; a++) {
        count *= s->is.axes[a]->count;
        if (count > KANE_SWEEP_CASES_MOST) {
            kane_errors_add(errors, KANE_BAD_ARGUMENT,
                            "the grid has more than %d cases; take fewer values, or a Latin hypercube",
                            KANE_SWEEP_CASES_MOST);
            return 0;
        }
    }
    return (int)count;
}

static int count_list(const kane_sweep_study *s, kane_errors *errors)
{
    const kane_axis *first = s->is.axes[0];
    for (int a = 1; a < s->is.axis_count; a++)
        if (s->is.axes[a]->count != first->count) {
            kane_errors_add(errors, KANE_BAD_ARGUMENT,
                            "the cases of a list take the first values of all axes, the second ones and so on, so that "
                            "there must be as many of each: '%s' has %d, '%s' has %d",
                            first->path, first->count, s->is.axes[a]->path, s->is.axes[a]->count);
            return 0;
        }
    return first->count;
}

static int count_samples(const kane_sweep_study *s, kane_errors *errors)
{
    if (s->is.samples >= 1 && s->is.samples <= KANE_SWEEP_CASES_MOST)
        return s->is.samples;
    kane_errors_add(errors, KANE_BAD_ARGUMENT, "a Latin hypercube has 1 to %d cases, not %d", KANE_SWEEP_CASES_MOST,
                    s->is.samples);
    return 0;
}

// --- which values ---

// Values that an axis has itself: index of the one in case i.
static void pick(kane_axis *column, const kane_axis *axis, const char **texts, double *numbers, int i, int value)
{
    texts[i]      = axis->texts[value];
    numbers[i]    = axis->numbers[value];
    column->count = i + 1;
}

void kane_sweep_strata(int seed, int axis, int count, int *order, double *within)
{
    kane_random random = kane_random_start((uint64_t)(int64_t)seed, (uint64_t)axis);
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int i = count - 1; i > 0; i--) { // Fisher and Yates
        const int k = (int)(kane_random_even(&random) * (i + 1)), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
    for (int i = 0; i < count; i++)
        within[i] = kane_random_even(&random);
}

// A number in a stratum, with no more digits than tell it from its neighbours and at least five beyond the strata.
static double place_in(double a, double b, int stratum, double within, int count, char text[KANE_NUMBER_SIZE])
{
    const double width = (b - a) / count, low = a + width * stratum, value = a + width * (stratum + within);
    for (int digits = 1; digits <= 17; digits++) {
        kane_number_round(value, digits, text);
        const double rounded = kane_number_value(text, strlen(text), 0);
        const double part    = (rounded - low) / width;
        if (part >= 0.0 && part < 1.0 && fabs(rounded - value) < 1e-5 * fabs(width)) {
            kane_number_format(rounded, text);
            return rounded;
        }
    }
    kane_number_format(value, text);
    return value;
}

// Case i of a Latin hypercube: a range gives a number of its stratum, a list its values in equal shares.
static int sample(kane_sweep_study *s, kane_axis *column, const kane_axis *axis, int i, int stratum, double within,
                  const char **texts, double *numbers)
{
    char number[KANE_NUMBER_SIZE], text[KANE_NUMBER_SIZE + 80];
    kane_axis_value value;
    if (!axis->is_range) {
        pick(column, axis, texts, numbers, i, (int)((long long)stratum * axis->count / s->case_count));
        return 1;
    }
    numbers[i] = place_in(axis->numbers[0], axis->numbers[axis->count - 1], stratum, within, s->case_count, number);
    (void)kane_axis_take(axis->texts[0], "", &value);
    (void)snprintf(text, sizeof text, "%s%s%.*s", number, value.unit_length ? " " : "", (int)value.unit_length,
                   value.unit);
    texts[i]      = kane_arena_text(s->arena, text);
    column->count = i + 1;
    return texts[i] != NULL;
}

static int fill_hypercube(kane_sweep_study *s, int a, const char **texts, double *numbers)
{
    int *order     = kane_allocate((size_t)s->case_count, sizeof *order);
    double *within = kane_allocate((size_t)s->case_count, sizeof *within);
    int good       = order && within;
    if (good)
        kane_sweep_strata(s->is.seed, a, s->case_count, order, within);
    for (int i = 0; i < s->case_count && good; i++)
        good = sample(s, &s->columns[a], s->is.axes[a], i, order[i], within[i], texts, numbers);
    kane_release(order);
    kane_release(within);
    return good;
}

// The last axis is the fastest.
static void fill_grid(kane_sweep_study *s, int a, const char **texts, double *numbers)
{
    int repeat = 1;
    for (int b = a + 1; b < s->is.axis_count; b++)
        repeat *= s->is.axes[b]->count;
    for (int i = 0; i < s->case_count; i++)
        pick(&s->columns[a], s->is.axes[a], texts, numbers, i, i / repeat % s->is.axes[a]->count);
}

static int fill(kane_sweep_study *s, int a)
{
    const kane_axis *axis = s->is.axes[a];
    const char **texts    = kane_arena_alloc(s->arena, (size_t)s->case_count, sizeof *texts);
    double *numbers       = kane_arena_doubles(s->arena, (size_t)s->case_count);
    if (!texts || !numbers)
        return 0;
    s->columns[a] = (kane_axis){.path = axis->path, .unit = axis->unit, .texts = texts, .numbers = numbers};
    if (s->is.kind == KANE_SWEEP_LATIN_HYPERCUBE)
        return fill_hypercube(s, a, texts, numbers);
    if (s->is.kind == KANE_SWEEP_GRID)
        fill_grid(s, a, texts, numbers);
    else
        for (int i = 0; i < s->case_count; i++)
            pick(&s->columns[a], axis, texts, numbers, i, i);
    return 1;
}

int kane_sweep_lay_out(kane_sweep_study *s, kane_errors *errors)
{
    switch (s->is.kind) {
    case KANE_SWEEP_GRID: s->case_count = count_grid(s, errors); break;
    case KANE_SWEEP_LIST: s->case_count = count_list(s, errors); break;
    case KANE_SWEEP_LATIN_HYPERCUBE: s->case_count = count_samples(s, errors); break;
    }
    if (s->case_count < 1)
        return 0;
    s->columns = kane_arena_alloc(s->arena, (size_t)s->is.axis_count, sizeof *s->columns);
    int good   = s->columns != NULL;
    for (int a = 0; a < s->is.axis_count && good; a++)
        good = fill(s, a);
    if (!good)
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    return good;
}
