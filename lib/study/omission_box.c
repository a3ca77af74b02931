// SPDX-License-Identifier: MIT
// The largest part of a grid of conditions that is good as a whole.

#include "study/omission_table.h"

#include <math.h>
#include <string.h>

enum { WORDS_MOST = 8 }; // of an axis whose subsets are all tried; of more words neighbours, as of numbers

typedef struct search {
    const kane_omission_grid *grid;
    int order[KANE_OMISSION_AXES_MOST][KANE_OMISSION_VALUES_MOST]; // values of an axis, numbers ascending
    int has_numbers[KANE_OMISSION_AXES_MOST];
    long rest[KANE_OMISSION_AXES_MOST + 1]; // conditions of the axes from one on
    unsigned char
        *layer[KANE_OMISSION_AXES_MOST + 1]; // good ones of the axes from one on, given the values chosen before
    kane_omission_box now, best;
    int restricted; // axes of the best
} search;

static uint64_t all_of(const kane_axis *axis)
{
    return axis->count == KANE_OMISSION_VALUES_MOST ? UINT64_MAX : (UINT64_C(1) << axis->count) - 1;
}

static int count_bits(uint64_t values)
{
    int count = 0;
    for (; values; values &= values - 1)
        count++;
    return count;
}

static void sort(search *s, int a)
{
    const kane_axis *axis = s->grid->axes[a];
    s->has_numbers[a]     = 1;
    for (int i = 0; i < axis->count; i++)
        s->has_numbers[a] &= isfinite(axis->numbers[i]) != 0;
    for (int i = 0; i < axis->count; i++) {
        int k = i;
        for (; k > 0 && s->has_numbers[a] && axis->numbers[s->order[a][k - 1]] > axis->numbers[i]; k--)
            s->order[a][k] = s->order[a][k - 1];
        s->order[a][k] = i;
    }
}

static void keep_best(search *s)
{
    int restricted = 0;
    for (int a = 0; a < s->grid->axis_count; a++)
        restricted += s->now.values[a] != all_of(s->grid->axes[a]);
    if (s->now.size < s->best.size || (s->now.size == s->best.size && restricted >= s->restricted))
        return;
    s->best       = s->now;
    s->restricted = restricted;
}

// Value i of axis a joins those chosen: a condition stays good if it is so for both. Returns 0 if none is left.
static int join(search *s, int a, int i, int is_first)
{
    const unsigned char *own = s->layer[a] + (long)i * s->rest[a + 1];
    unsigned char any        = 0;
    for (long k = 0; k < s->rest[a + 1]; k++) {
        const unsigned char before = is_first ? 1 : s->layer[a + 1][k];
        s->layer[a + 1][k]         = before & own[k];
        any |= s->layer[a + 1][k];
    }
    return any;
}

static void choose(search *s, int a, int inside);

static void go_on(search *s, int a, int inside, uint64_t values)
{
    const long size = (long)inside * count_bits(values);
    if (size * s->rest[a + 1] < s->best.size)
        return;
    s->now.values[a] = values;
    choose(s, a + 1, (int)size);
}

static void choose_neighbours(search *s, int a, int inside)
{
    const int count = s->grid->axes[a]->count;
    for (int i = 0; i < count; i++) {
        uint64_t values = 0;
        for (int j = i; j < count && join(s, a, s->order[a][j], j == i); j++) {
            values |= UINT64_C(1) << s->order[a][j];
            go_on(s, a, inside, values);
            // what was chosen behind this axis has used the layers behind it, not this one's
        }
    }
}

static void choose_words(search *s, int a, int inside)
{
    for (uint64_t values = 1; values <= all_of(s->grid->axes[a]); values++) {
        int any = 1, is_first = 1;
        for (int i = 0; i < s->grid->axes[a]->count && any; i++)
            if (values >> i & 1) {
                any      = join(s, a, i, is_first);
                is_first = 0;
            }
        if (any)
            go_on(s, a, inside, values);
    }
}

// Chooses values of the axes from a on.
static void choose(search *s, int a, int inside)
{
    if (a == s->grid->axis_count) {
        s->now.size = s->layer[a][0] ? inside : 0;
        keep_best(s);
    } else if (s->has_numbers[a] || s->grid->axes[a]->count > WORDS_MOST) {
        choose_neighbours(s, a, inside);
    } else {
        choose_words(s, a, inside);
    }
}

int kane_omission_find_box(const kane_omission_grid *grid, const unsigned char *good, kane_omission_box *box)
{
    kane_arena *arena  = kane_arena_create();
    search *s          = arena ? kane_arena_alloc(arena, 1, sizeof *s) : NULL;
    const size_t count = (size_t)kane_omission_grid_size(grid);
    *box               = (kane_omission_box){.size = 0};
    if (!s) {
        kane_arena_free(arena);
        return 0;
    }
    s->grid                   = grid;
    s->rest[grid->axis_count] = 1;
    for (int a = grid->axis_count - 1; a >= 0; a--) {
        s->rest[a] = s->rest[a + 1] * grid->axes[a]->count;
        sort(s, a);
    }
    for (int a = 0; a <= grid->axis_count; a++)
        s->layer[a] = kane_arena_alloc(arena, (size_t)s->rest[a], 1);
    const int failed = kane_arena_failed(arena);
    if (!failed) {
        memcpy(s->layer[0], good, count);
        s->restricted = grid->axis_count + 1;
        choose(s, 0, 1);
        *box = s->best;
    }
    kane_arena_free(arena);
    return !failed;
}

uint64_t kane_omission_good_values(const kane_omission_grid *grid, const unsigned char *good, int axis)
{
    uint64_t values = all_of(grid->axes[axis]);
    for (int c = 0; c < kane_omission_grid_size(grid); c++) {
        int value[KANE_OMISSION_AXES_MOST];
        kane_omission_grid_values(grid, c, value);
        if (!good[c])
            values &= ~(UINT64_C(1) << value[axis]);
    }
    return values;
}
