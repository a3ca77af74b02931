// SPDX-License-Identifier: MIT
// A program that links libkane and uses its sparse Jacobian: the change of dy/dt along a direction by the Jacobian, against the
// difference of two evaluations. So would an implicit user-defined integrator use it, or a linear analysis.
//
//   jacobian RUN.json

#include "print_errors.h"

#include <kane/kane.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// J x: entries stand by columns.
static void multiply(const kane_pattern *pattern, const double *values, const double *x, double *product)
{
    for (int row = 0; row < pattern->size; row++)
        product[row] = 0.0;
    for (int column = 0; column < pattern->size; column++)
        for (int k = pattern->column_start[column]; k < pattern->column_start[column + 1]; k++)
            product[pattern->row[k]] += values[k] * x[column];
}

// Largest difference of J x and (f(y + h x) - f(y - h x))/2h, of what belongs to J x there; negative if something failed.
static double compare(const kane_model *model, kane_work *work, kane_jacobian *jacobian, const double *y, double *room)
{
    const kane_pattern *pattern = kane_jacobian_pattern(jacobian);
    const int n                 = pattern->size;
    const double h              = 1e-7;
    double *x = room, *ydot = room + n, *product = room + 2 * n, *up = room + 3 * n, *down = room + 4 * n,
           *at = room + 5 * n, *values = room + 6 * n, worst = 0.0;
    for (int i = 0; i < n; i++)
        x[i] = 0.1 * cos(1.0 + i);
    if (kane_jacobian_eval(jacobian, model, work, 0.0, y, ydot, values) != KANE_OK)
        return -1.0;
    multiply(pattern, values, x, product);
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int i = 0; i < n; i++)
            at[i] = y[i] + sign * h * x[i];
        if (kane_eval(model, work, 0.0, at, sign > 0 ? up : down) != KANE_OK)
            return -1.0;
    }
    for (int i = 0; i < n; i++)
        worst = fmax(worst, fabs(product[i] - (up[i] - down[i]) / (2.0 * h)) / (1.0 + fabs(product[i])));
    return worst;
}

int main(int argc, char **argv)
{
    kane_errors errors           = {0};
    kane_run *run                = argc == 2 ? kane_run_read(argv[1], NULL, &errors) : NULL;
    const kane_run_definition *d = run ? kane_run_get_definition(run) : NULL;
    kane_model *model            = d ? kane_model_create(d->vehicle, d->track, &d->drive, &d->model, &errors) : NULL;
    kane_work *work              = model ? kane_work_create(model, &errors) : NULL;
    kane_jacobian *jacobian      = work ? kane_jacobian_create(model, kane_model_state_count(model)) : NULL;
    double worst                 = -1.0;
    if (jacobian) {
        const kane_pattern *pattern = kane_jacobian_pattern(jacobian);
        const size_t n              = (size_t)pattern->size;
        double *y                   = calloc(n, sizeof *y);
        double *room                = calloc(6 * n + (size_t)pattern->count, sizeof *room);
        if (y && room && kane_initial_state(model, work, y, &errors) == KANE_OK)
            worst = compare(model, work, jacobian, y, room);
        printf("%d states, %d of %zu entries; relative difference %.2g\n", pattern->size, pattern->count, n * n, worst);
        free(y);
        free(room);
    }
    (void)print_errors(&errors);
    kane_jacobian_free(jacobian);
    kane_work_free(work);
    kane_model_free(model);
    kane_run_free(run);
    return worst >= 0.0 && worst < 1e-4 ? 0 : 1;
}
