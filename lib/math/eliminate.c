// SPDX-License-Identifier: MIT
// Elimination of rectangular sparse equations, P A Q = L U by rows. An entry is in the list of its row and in that of
// its column, and stays there: behind its pivot it is the factor of L by which the pivot row was subtracted, from which
// combinations of rows are computed. A binary tree over the rows holds the greatest entry of each and gives the next
// pivot row.

#include "math/dense.h"

#include "base/arena.h"

#include <math.h>
#include <string.h>

typedef struct entry {
    int row, column;
    int next_in_row, next_in_column; // -1: none
    double value;
} entry;

struct kane_elimination {
    int rows, columns, leaves; // leaves: a power of two
    entry *entries;
    int count, room, lacks_memory;
    int *of_row, *of_column;     // first entry, -1: none [rows], [columns]
    int *row_place, *step;       // position of a row or column in its order [rows], [columns]
    int done;                    // pivots
    int *pivot_row;              // of every step [columns]
    int *pivot_column;           // where the greatest entry of a row is [rows]
    double *greatest;            // of the candidate rows, -1: of all others; a binary tree [2 * leaves]
    int *at;                     // of one row: entry in every column, -1: none [columns]
    double *factor;              // of a combination, by steps [columns]
    int *heap, heap_size, *seen; // steps still to be eliminated, the last one first [columns], [columns]
};

kane_elimination *kane_elimination_create(int rows, int columns, size_t room)
{
    kane_elimination *e = kane_allocate(1, sizeof *e);
    const size_t m = (size_t)rows + 1, n = (size_t)columns + 1; // at least one
    if (!e)
        return NULL;
    e->rows    = rows;
    e->columns = columns;
    e->room    = room > 16 ? (int)room : 16;
    for (e->leaves = 1; e->leaves < rows;)
        e->leaves *= 2;
    e->entries      = kane_allocate((size_t)e->room, sizeof *e->entries);
    e->of_row       = kane_allocate(m, sizeof *e->of_row);
    e->of_column    = kane_allocate(n, sizeof *e->of_column);
    e->row_place    = kane_allocate(m, sizeof *e->row_place);
    e->step         = kane_allocate(n, sizeof *e->step);
    e->pivot_row    = kane_allocate(n, sizeof *e->pivot_row);
    e->pivot_column = kane_allocate(m, sizeof *e->pivot_column);
    e->greatest     = kane_allocate(2 * (size_t)e->leaves, sizeof *e->greatest);
    e->at           = kane_allocate(n, sizeof *e->at);
    e->factor       = kane_allocate(n, sizeof *e->factor);
    e->heap         = kane_allocate(n, sizeof *e->heap);
    e->seen         = kane_allocate(n, sizeof *e->seen);
    if (e->entries && e->of_row && e->of_column && e->row_place && e->step && e->pivot_row && e->pivot_column &&
        e->greatest && e->at && e->factor && e->heap && e->seen) {
        for (int j = 0; j < columns; j++)
            e->at[j] = -1;
        kane_elimination_begin(e);
        return e;
    }
    kane_elimination_free(e);
    return NULL;
}

void kane_elimination_free(kane_elimination *e)
{
    if (!e)
        return;
    kane_release(e->entries);
    kane_release(e->of_row);
    kane_release(e->of_column);
    kane_release(e->row_place);
    kane_release(e->step);
    kane_release(e->pivot_row);
    kane_release(e->pivot_column);
    kane_release(e->greatest);
    kane_release(e->at);
    kane_release(e->factor);
    kane_release(e->heap);
    kane_release(e->seen);
    kane_release(e);
}

int kane_elimination_lacks_memory(const kane_elimination *e)
{
    return e->lacks_memory;
}

// --- entries ---

void kane_elimination_begin(kane_elimination *e)
{
    e->count = e->done = e->lacks_memory = 0;
    for (int i = 0; i < e->rows; i++)
        e->of_row[i] = -1;
    for (int j = 0; j < e->columns; j++)
        e->of_column[j] = -1;
}

static int has_room(kane_elimination *e)
{
    if (e->count < e->room)
        return 1;
    entry *larger = e->lacks_memory ? NULL : kane_allocate(2 * (size_t)e->room, sizeof *larger);
    if (!larger) {
        e->lacks_memory = 1;
        return 0;
    }
    memcpy(larger, e->entries, (size_t)e->count * sizeof *larger);
    kane_release(e->entries);
    e->entries = larger;
    e->room *= 2;
    return 1;
}

void kane_elimination_add(kane_elimination *e, int row, int column, double value)
{
    if (!has_room(e))
        return;
    e->entries[e->count] = (entry){row, column, e->of_row[row], e->of_column[column], value};
    e->of_row[row] = e->of_column[column] = e->count++;
}

// --- pivots ---

// The greatest entry of a row in the columns that are left, the first in their order among equals.
static void consider_pivot(kane_elimination *e, int row)
{
    double most = -1.0;
    int column  = -1;
    for (int k = e->of_row[row]; k >= 0; k = e->entries[k].next_in_row) {
        const entry *x    = &e->entries[k];
        const double size = fabs(x->value);
        if (e->step[x->column] < e->done || !(size >= most))
            continue;
        if (size > most || e->step[x->column] < e->step[column]) {
            most   = size;
            column = x->column;
        }
    }
    e->pivot_column[row] = column;
    int node             = e->leaves + row;
    e->greatest[node]    = most;
    for (node /= 2; node >= 1; node /= 2)
        e->greatest[node] = fmax(e->greatest[2 * node], e->greatest[2 * node + 1]);
}

// Removes a row from the candidates for a pivot.
static void remove_row(kane_elimination *e, int row)
{
    int node          = e->leaves + row;
    e->greatest[node] = -1.0;
    for (node /= 2; node >= 1; node /= 2)
        e->greatest[node] = fmax(e->greatest[2 * node], e->greatest[2 * node + 1]);
}

// The row with the least index among those that are nearly as great as the greatest; -1: none is above `small`.
static int find_row(const kane_elimination *e, double small, double prefer)
{
    const double enough = prefer * fmax(small, e->greatest[1]);
    int node            = 1;
    if (!(e->greatest[1] > small))
        return -1;
    while (node < e->leaves) {
        const double first = e->greatest[2 * node];
        node               = 2 * node + (first > small && first >= enough ? 0 : 1);
    }
    return node - e->leaves;
}

// Exchanges the elements at positions a and b of an order and of its inverse.
static void exchange_places(int *order, int *place, int a, int b)
{
    const int x     = order[a];
    order[a]        = order[b];
    order[b]        = x;
    place[order[a]] = a;
    place[order[b]] = b;
}

// row -= factor pivot_row, in the columns without a pivot; entries that are new are added.
static void subtract_pivot_row(kane_elimination *e, int row, double factor, int pivot)
{
    for (int k = e->of_row[row]; k >= 0; k = e->entries[k].next_in_row)
        e->at[e->entries[k].column] = k;
    const int first = e->of_row[row];
    for (int k = e->of_row[pivot]; k >= 0; k = e->entries[k].next_in_row) {
        const int column = e->entries[k].column;
        const double x   = factor * e->entries[k].value;
        if (e->step[column] <= e->done) // the pivot's own is the factor from now on
            continue;
        if (e->at[column] >= 0)
            e->entries[e->at[column]].value -= x;
        else if (x != 0.0)
            kane_elimination_add(e, row, column, -x);
    }
    for (int k = first; k >= 0; k = e->entries[k].next_in_row)
        e->at[e->entries[k].column] = -1;
}

// Takes the pivot row out of all rows behind it. Entries that are added to a column are put before its first one.
static void reduce_rows(kane_elimination *e, int pivot, int column)
{
    double divisor = 1.0;
    for (int k = e->of_column[column]; k >= 0; k = e->entries[k].next_in_column)
        if (e->entries[k].row == pivot)
            divisor = e->entries[k].value;
    for (int k = e->of_column[column]; k >= 0; k = e->entries[k].next_in_column) {
        const int row = e->entries[k].row;
        if (e->row_place[row] <= e->done)
            continue;
        const double factor = e->entries[k].value / divisor;
        e->entries[k].value = factor;
        if (factor != 0.0)
            subtract_pivot_row(e, row, factor, pivot);
    }
}

// Updates the greatest entry of all candidate rows with an entry in this column.
static void find_pivot_along(kane_elimination *e, int column, int end)
{
    for (int k = e->of_column[column]; k >= 0; k = e->entries[k].next_in_column) {
        const int place = e->row_place[e->entries[k].row];
        if (place >= e->done && place < end)
            consider_pivot(e, e->entries[k].row);
    }
}

static void begin_stage(kane_elimination *e, const int *row, const int *column, int done, int end)
{
    e->done = done;
    for (int j = 0; j < e->columns; j++)
        e->step[column[j]] = j;
    for (int i = 0; i < 2 * e->leaves; i++)
        e->greatest[i] = -1.0;
    for (int i = 0; i < e->rows; i++)
        e->row_place[row[i]] = i;
    for (int i = done; i < end; i++)
        consider_pivot(e, row[i]);
}

int kane_eliminate(kane_elimination *e, int *row, int *column, int done, int end, int most, double small, double prefer)
{
    begin_stage(e, row, column, done, end);
    while (e->done < most && e->done < end && e->done < e->columns && !e->lacks_memory) {
        const int pivot = find_row(e, small, prefer);
        if (pivot < 0)
            break;
        const int at = e->pivot_column[pivot], other = column[e->done];
        exchange_places(row, e->row_place, e->done, e->row_place[pivot]);
        exchange_places(column, e->step, e->done, e->step[at]);
        e->pivot_row[e->done] = pivot;
        remove_row(e, pivot);
        reduce_rows(e, pivot, at);
        e->done++;
        find_pivot_along(e, at, end);
        if (other != at) // its position has changed, which decides among equals
            find_pivot_along(e, other, end);
    }
    return e->done;
}

// --- combinations ---

// Adds a step to the heap.
static void push_step(kane_elimination *e, int step)
{
    int k = e->heap_size++;
    for (; k > 0 && e->heap[(k - 1) / 2] < step; k = (k - 1) / 2)
        e->heap[k] = e->heap[(k - 1) / 2];
    e->heap[k] = step;
}

// Removes the greatest step from the heap and returns it.
static int pop_step(kane_elimination *e)
{
    const int top = e->heap[0], last = e->heap[--e->heap_size];
    int k = 0;
    for (int child = 1; child < e->heap_size; child = 2 * k + 1) {
        if (child + 1 < e->heap_size && e->heap[child + 1] > e->heap[child])
            child++;
        if (e->heap[child] <= last)
            break;
        e->heap[k] = e->heap[child];
        k          = child;
    }
    e->heap[k] = last;
    return top;
}

// The factors of a row, times `size`, on those of a combination: steps before `end`.
static void add_row_factors(kane_elimination *e, int row, double size, int end)
{
    for (int k = e->of_row[row]; k >= 0; k = e->entries[k].next_in_row) {
        const int step = e->step[e->entries[k].column];
        if (step >= end || e->entries[k].value == 0.0)
            continue;
        if (!e->seen[step]) {
            e->seen[step] = 1;
            push_step(e, step);
        }
        e->factor[step] += size * e->entries[k].value;
    }
}

// row = sum factor_k U_k + rest over the steps k, with U_k what was left of the k-th pivot row then:
//   U_k = (row of k) - sum_j factor_kj U_j,  j < k
// so that steps are replaced by their rows from the last one on.
int kane_elimination_combine(kane_elimination *e, int row, int *rows, double *z)
{
    int count  = 0;
    rows[0]    = row;
    z[count++] = 1.0;
    add_row_factors(e, row, 1.0, e->done);
    while (e->heap_size > 0) {
        const int step    = pop_step(e);
        const double size = e->factor[step];
        e->factor[step]   = 0.0;
        e->seen[step]     = 0;
        if (size == 0.0)
            continue;
        rows[count] = e->pivot_row[step];
        z[count++]  = -size;
        add_row_factors(e, e->pivot_row[step], -size, step);
    }
    return count;
}
