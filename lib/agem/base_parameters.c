// SPDX-License-Identifier: MIT
// Base parameters: columns of a regressor at many states that depend on others (kane/regressor.h).

#include <kane/regressor.h>

#include "base/arena.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

static const double usual_small = 1e-8;

// Partial velocities have errors of 1e-12; what is left of a column may be as small as `usual_small`.
static const double rounding = 1e-6;

// Factors of columns without effect are roundings altogether [1].
static const double least_factor = 1e-4;

// Columns of the regressor one after another, in units of the parameters' scales.
static double *scale_columns(const kane_regressor *regressor, int rows, const double *Y)
{
    const int columns = kane_regressor_columns(regressor);
    double *A         = kane_allocate((size_t)rows * (size_t)columns, sizeof *A);
    for (int j = 0; j < columns && A; j++) {
        const double scale = kane_regressor_scale(regressor, j);
        for (int i = 0; i < rows; i++)
            A[(size_t)j * (size_t)rows + (size_t)i] = scale * Y[(size_t)i * (size_t)columns + (size_t)j];
    }
    return A;
}

// What is rounding beside the largest factor of a column is no dependence.
static void remove_rounding(int count, double *factor)
{
    double largest = least_factor;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(factor[i]));
    for (int i = 0; i < count; i++)
        if (fabs(factor[i]) < rounding * largest)
            factor[i] = 0.0;
}

// From units of the scales to those of the parameters.
static void remove_scales(const kane_regressor *regressor, int columns, kane_base_parameters *base)
{
    const int rank = base->rank;
    for (int j = rank; j < columns; j++) {
        double *factor = base->combination + (size_t)(j - rank) * (size_t)rank;
        remove_rounding(rank, factor);
        for (int i = 0; i < rank; i++)
            factor[i] *=
                kane_regressor_scale(regressor, base->order[i]) / kane_regressor_scale(regressor, base->order[j]);
    }
    for (int i = 0; i < rank; i++)
        base->deviation[i] *= kane_regressor_scale(regressor, base->order[i]);
}

static void find_values(const kane_regressor *regressor, int columns, kane_base_parameters *base)
{
    const int rank = base->rank;
    for (int i = 0; i < rank; i++) {
        base->value[i] = kane_regressor_value(regressor, base->order[i]);
        for (int j = rank; j < columns; j++)
            base->value[i] += base->combination[(size_t)(j - rank) * (size_t)rank + (size_t)i] *
                              kane_regressor_value(regressor, base->order[j]);
    }
}

// Room for all columns. NULL without memory.
static kane_base_parameters *allocate_base(size_t columns)
{
    kane_arena *arena          = kane_arena_create();
    kane_base_parameters *base = arena ? kane_arena_alloc(arena, 1, sizeof *base) : NULL;
    if (base) {
        base->memory      = arena;
        base->order       = kane_arena_alloc(arena, columns, sizeof *base->order);
        base->combination = kane_arena_doubles(arena, columns * columns / 4 + 1);
        base->value       = kane_arena_doubles(arena, columns);
        base->deviation   = kane_arena_doubles(arena, columns);
    }
    if (base && !kane_arena_failed(arena))
        return base;
    kane_arena_free(arena);
    return NULL;
}

kane_base_parameters *kane_base_parameters_create(const kane_regressor *regressor, int row_count, const double *Y,
                                                  double small, kane_errors *errors)
{
    const int columns          = kane_regressor_columns(regressor);
    const double threshold     = small > 0.0 ? small : usual_small;
    kane_base_parameters *base = allocate_base((size_t)columns);
    double *A                  = scale_columns(regressor, row_count, Y);
    int rank                   = KANE_EIGEN_NO_MEMORY;
    if (base && A)
        rank =
            kane_column_dependence(row_count, columns, A, threshold, base->order, base->combination, base->deviation);
    kane_release(A);
    if (rank < 0) {
        const kane_status status = rank == KANE_EIGEN_NO_MEMORY ? KANE_NO_MEMORY : KANE_NOT_FINITE;
        kane_errors_add(errors, status, "base parameters: %s", kane_status_text(status));
        kane_base_parameters_free(base);
        return NULL;
    }
    base->rank = rank;
    remove_scales(regressor, columns, base);
    find_values(regressor, columns, base);
    return base;
}

void kane_base_parameters_free(kane_base_parameters *base)
{
    if (base)
        kane_arena_free(base->memory);
}
