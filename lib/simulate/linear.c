// SPDX-License-Identifier: MIT
// Small motions about an equilibrium: the Jacobian, restricted to what can move and to what anything depends on.

#include "simulate/linear_parts.h"

#include "agem/work.h"

#include <string.h>

void kane_linear_multiply(int rows, int inner, int columns, const double *A, const double *B, double *C)
{
    memset(C, 0, (size_t)rows * (size_t)columns * sizeof *C);
    for (int j = 0; j < columns; j++)
        for (int k = 0; k < inner; k++) {
            const double b = B[(size_t)j * (size_t)inner + (size_t)k];
            if (b == 0.0)
                continue;
            const double *a = A + (size_t)k * (size_t)rows;
            double *c       = C + (size_t)j * (size_t)rows;
            for (int i = 0; i < rows; i++)
                c[i] += a[i] * b;
        }
}

// The Jacobian at y, by columns [state_count^2].
static kane_status fill_jacobian(kane_jacobian *jacobian, const kane_model *model, kane_work *work, double t,
                                 const double *y, kane_arena *arena, double *A)
{
    const size_t n              = (size_t)model->state_count;
    const kane_pattern *pattern = kane_jacobian_pattern(jacobian);
    double *values              = kane_arena_alloc(arena, (size_t)pattern->count, sizeof *values);
    double *ydot                = kane_arena_alloc(arena, n, sizeof *ydot);
    kane_status status          = KANE_NO_MEMORY;
    if (values && ydot)
        status = kane_jacobian_eval(jacobian, model, work, t, y, ydot, values);
    for (int j = 0; j < pattern->size && status == KANE_OK; j++)
        for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++)
            A[(size_t)j * n + (size_t)pattern->row[k]] = values[k];
    if (model->travel_count)
        memset(A, 0, n * sizeof *A); // the line is the same everywhere
    if (status == KANE_OK && kane_model_is_held(model))
        status = kane_eval(model, work, t, y, ydot); // columns of travel have moved it
    return status;
}

int kane_linear_find_coupled(int n, const double *A, int count, int *coupled)
{
    int before = count + 1;
    while (count < before) {
        before = count;
        count  = 0;
        for (int c = 0; c < before; c++) {
            const double *column = A + (size_t)coupled[c] * (size_t)n;
            int is_coupled       = 0;
            for (int k = 0; k < count; k++)
                is_coupled = is_coupled || column[coupled[k]] != 0.0;
            for (int k = c; k < before; k++)
                is_coupled = is_coupled || column[coupled[k]] != 0.0;
            if (is_coupled)
                coupled[count++] = coupled[c];
        }
    }
    return count;
}

void kane_linear_leave_out(kane_linear *linear, int state, kane_left_out why)
{
    linear->left_out[linear->left_out_count++] = (kane_linear_omission){state, why};
}

// x of z: removes moves on which nothing depends, again until none is left, and restricts A to the others.
static int select_coupled(kane_linear *linear)
{
    const size_t size = (size_t)linear->size;
    linear->coupled   = kane_arena_alloc(linear->arena, size, sizeof *linear->coupled);
    if (!linear->coupled)
        return 0;
    for (int i = 0; i < linear->size; i++)
        linear->coupled[i] = i;
    linear->count  = kane_linear_find_coupled(linear->size, linear->A, linear->size, linear->coupled);
    linear->matrix = kane_arena_alloc(linear->arena, (size_t)linear->count * (size_t)linear->count, sizeof(double));
    if (!linear->matrix)
        return 0;
    for (int j = 0; j < linear->count; j++)
        for (int i = 0; i < linear->count; i++)
            linear->matrix[(size_t)j * (size_t)linear->count + (size_t)i] =
                linear->A[(size_t)linear->coupled[j] * size + (size_t)linear->coupled[i]];
    for (int j = 0, next = 0; j < linear->size; j++) {
        if (next < linear->count && linear->coupled[next] == j)
            next++;
        else
            for (int i = 0; i < linear->model->state_count; i++)
                if (linear->basis[(size_t)j * (size_t)linear->model->state_count + (size_t)i] == 1.0)
                    kane_linear_leave_out(linear, i, KANE_LEFT_UNCOUPLED);
    }
    return 1;
}

// A = T^-1 J T [size * size], T: basis, T^-1: moves_inverse.
static int reduce_jacobian(kane_linear *linear, const double *J, const double *moves_inverse)
{
    const int n = linear->model->state_count, size = linear->size;
    double *product = kane_arena_alloc(linear->arena, (size_t)n * (size_t)size, sizeof *product);
    linear->A       = kane_arena_alloc(linear->arena, (size_t)size * (size_t)size, sizeof *linear->A);
    if (!product || !linear->A)
        return 0;
    kane_linear_multiply(n, n, size, J, linear->basis, product);
    kane_linear_multiply(size, n, size, moves_inverse, product, linear->A);
    return 1;
}

static int fill_linear_model(kane_linear *linear, kane_jacobian *jacobian, kane_work *work, double t, const double *y,
                             kane_errors *errors)
{
    const size_t n     = (size_t)linear->model->state_count;
    double *J          = kane_arena_alloc(linear->arena, n * n, sizeof *J), *moves_inverse;
    linear->left_out   = kane_arena_alloc(linear->arena, n, sizeof *linear->left_out);
    const int before   = errors->count;
    kane_status status = KANE_NO_MEMORY;
    if (jacobian && J && linear->left_out)
        status = fill_jacobian(jacobian, linear->model, work, t, y, linear->arena, J);
    if (status != KANE_OK) {
        if (status != KANE_NO_MEMORY)
            kane_work_fault(linear->model, work, errors);
    } else if (kane_linear_find_moves(linear, jacobian, work, y, J, &moves_inverse, errors) &&
               reduce_jacobian(linear, J, moves_inverse) && kane_linear_drop_stuck(linear) && select_coupled(linear)) {
        return 1;
    }
    if (errors->count == before)
        (void)kane_no_memory(errors);
    return 0;
}

kane_linear *kane_linear_create_plain(const kane_model *model, kane_work *work, double t, const double *y,
                                      kane_errors *kept)
{
    if (model->state_count == 0) {
        kane_errors_add(kept, KANE_BAD_INPUT, "nothing can move by itself: there is no motion to be linearised");
        return NULL;
    }
    kane_arena *arena;
    kane_linear *linear = kane_arena_object(&arena, sizeof *linear, kept);
    if (!linear)
        return NULL;
    linear->arena           = arena;
    linear->model           = model;
    kane_jacobian *jacobian = kane_jacobian_create(model, model->state_count);
    const int good          = fill_linear_model(linear, jacobian, work, t, y, kept);
    kane_jacobian_free(jacobian);
    if (good)
        return linear;
    kane_linear_free(linear);
    return NULL;
}

kane_linear *kane_linear_create(const kane_model *model, kane_work *work, double t, const double *y,
                                kane_errors *errors)
{
    kane_errors unreported = {.limit = 1};
    kane_errors *kept      = errors ? errors : &unreported;
    const int before       = kept->count;
    kane_linear *linear    = kane_linear_create_plain(model, work, t, y, kept);
    if (!linear || kane_linear_find_bodies(linear, work, t, y, kept))
        return linear;
    if (kept->count == before)
        (void)kane_no_memory(kept);
    kane_linear_free(linear);
    return NULL;
}

void kane_linear_free(kane_linear *linear)
{
    if (linear)
        kane_arena_free(linear->arena);
}

int kane_linear_count(const kane_linear *linear)
{
    return linear->count;
}

const double *kane_linear_matrix(const kane_linear *linear)
{
    return linear->matrix;
}

int kane_linear_state(const kane_linear *linear, int i)
{
    const int n         = linear->model->state_count;
    const double *moves = linear->basis + (size_t)linear->coupled[i] * (size_t)n;
    const int end       = linear->coupled[i] < linear->q_count ? linear->model->u_end
                                                               : n; // states of sticking friction depend on coordinates
    int state           = -1;
    for (int k = 0; k < end; k++) {
        if (moves[k] != 0.0 && (state >= 0 || moves[k] != 1.0))
            return -1;
        if (moves[k] == 1.0)
            state = k;
    }
    return state;
}

int kane_linear_left_out_count(const kane_linear *linear)
{
    return linear->left_out_count;
}

int kane_linear_left_out(const kane_linear *linear, int i, kane_left_out *why)
{
    if (why)
        *why = linear->left_out[i].why;
    return linear->left_out[i].state;
}
