// SPDX-License-Identifier: MIT
// What a matrix can reach: unit vectors as they are, then Gram-Schmidt with pivots, every column made orthogonal twice.

#include "math/dense.h"
#include "math/sparse.h"

#include <math.h>

// The place of the only entry that is not zero, if that is one; -1: the column is no unit vector.
static int unit_of(int n, const double *a)
{
    int place = -1, entries = 0;
    for (int i = 0; i < n && entries < 2; i++) {
        if (a[i] == 0.0)
            continue;
        entries++;
        place = a[i] == 1.0 ? i : -1;
    }
    return entries == 1 ? place : -1;
}

// a -= (direction . a) direction; direction: a unit vector [n]
static void remove_component(int n, const double *direction, double *a)
{
    const double part = kane_dot(n, direction, a);
    for (int i = 0; i < n; i++)
        a[i] -= part * direction[i];
}

// Unit vectors first, in their order; the others lose what they have of them.
static int take_units(int rows, int columns, double *A, double *basis)
{
    int rank = 0;
    for (int j = 0; j < columns; j++) {
        const int place = unit_of(rows, A + (long)j * rows);
        if (place < 0)
            continue;
        for (int i = 0; i < rows; i++)
            basis[(long)rank * rows + i] = i == place ? 1.0 : 0.0;
        for (int c = 0; c < columns; c++)
            A[(long)c * rows + place] = 0.0;
        rank++;
    }
    return rank;
}

static int find_longest(int rows, int columns, const double *A, double *length)
{
    int longest = 0;
    *length     = 0.0;
    for (int j = 0; j < columns; j++) {
        const double norm = sqrt(kane_dot(rows, A + (long)j * rows, A + (long)j * rows));
        if (norm > *length) {
            *length = norm;
            longest = j;
        }
    }
    return longest;
}

int kane_range_basis(int rows, int columns, double *A, double small, double *basis)
{
    int rank = take_units(rows, columns, A, basis);
    while (rank < rows) {
        double length;
        double *next   = basis + (long)rank * rows;
        double *column = A + (long)find_longest(rows, columns, A, &length) * rows;
        if (!(length > small))
            break;
        for (int k = 0; k < rank; k++)
            remove_component(rows, basis + (long)k * rows, column);
        length = sqrt(kane_dot(rows, column, column));
        for (int i = 0; i < rows; i++) {
            next[i]   = column[i] / length;
            column[i] = 0.0;
        }
        for (int j = 0; j < columns; j++)
            remove_component(rows, next, A + (long)j * rows);
        rank++;
    }
    return rank;
}
