// SPDX-License-Identifier: MIT
// Sparsity patterns by columns.

#include "math/sparse.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    int column, row;
} entry;

struct kane_pattern_entries {
    int size;
    size_t count, room;
    entry *entries; // NULL: memory was short
};

kane_pattern_entries *kane_pattern_begin(int size)
{
    kane_pattern_entries *e = kane_allocate(1, sizeof *e);
    if (!e)
        return NULL;
    e->size    = size;
    e->room    = 64;
    e->entries = kane_allocate(e->room, sizeof *e->entries);
    for (int i = 0; i < size; i++)
        kane_pattern_add(e, i, i);
    return e;
}

void kane_pattern_add(kane_pattern_entries *e, int row, int column)
{
    if (!e || !e->entries)
        return;
    if (e->count == e->room) {
        entry *larger = kane_allocate(2 * e->room, sizeof *larger);
        if (larger)
            memcpy(larger, e->entries, e->count * sizeof *larger);
        kane_release(e->entries);
        e->entries = larger;
        e->room *= 2;
        if (!larger)
            return;
    }
    e->entries[e->count++] = (entry){column, row};
}

void kane_pattern_add_block(kane_pattern_entries *entries, int row, int rows, int column, int columns)
{
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            kane_pattern_add(entries, row + i, column + j);
}

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return x->column != y->column ? x->column - y->column : x->row - y->row;
}

static size_t drop_repeated(entry *entries, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || compare_entries(&entries[i], &entries[kept - 1]) != 0)
            entries[kept++] = entries[i];
    return kept;
}

static kane_pattern *allocate_pattern(int size, size_t count)
{
    kane_pattern *pattern = kane_allocate(1, sizeof *pattern);
    if (!pattern)
        return NULL;
    pattern->size         = size;
    pattern->count        = (int)count;
    pattern->column_start = kane_allocate((size_t)size + 1, sizeof *pattern->column_start);
    pattern->row          = kane_allocate(count, sizeof *pattern->row);
    if (pattern->column_start && pattern->row)
        return pattern;
    kane_pattern_free(pattern);
    return NULL;
}

static void fill_pattern(kane_pattern *pattern, const entry *entries)
{
    for (int i = 0; i < pattern->count; i++) {
        pattern->row[i] = entries[i].row;
        pattern->column_start[entries[i].column + 1]++;
    }
    for (int j = 0; j < pattern->size; j++)
        pattern->column_start[j + 1] += pattern->column_start[j];
}

kane_pattern *kane_pattern_finish(kane_pattern_entries *e)
{
    kane_pattern *pattern = NULL;
    if (e && e->entries) {
        qsort(e->entries, e->count, sizeof *e->entries, compare_entries);
        e->count = drop_repeated(e->entries, e->count);
        pattern  = allocate_pattern(e->size, e->count);
    }
    if (pattern)
        fill_pattern(pattern, e->entries);
    if (e) {
        kane_release(e->entries);
        kane_release(e);
    }
    return pattern;
}

void kane_pattern_free(kane_pattern *pattern)
{
    if (!pattern)
        return;
    kane_release(pattern->column_start);
    kane_release(pattern->row);
    kane_release(pattern);
}

int kane_pattern_find(const kane_pattern *pattern, int row, int column)
{
    int low = pattern->column_start[column], high = pattern->column_start[column + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (pattern->row[middle] == row)
            return middle;
        if (pattern->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}
