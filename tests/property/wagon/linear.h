// SPDX-License-Identifier: MIT
// Tables in the pages of vehicles, and the linearised equations that they are compared with.

#ifndef KANE_TESTS_LINEAR_H
#define KANE_TESTS_LINEAR_H

#include "property/wagon/wagon.h"

#include <lapacke.h>

enum { LINEAR_STATES_MOST = 128 };

// The numbers of a row of a table in a vehicle's page.
static inline void page_row(const char *page_name, const char *row, int count, double *values)
{
    char line[256], name[512], *cell;
    const size_t length = strlen(row);
    (void)snprintf(name, sizeof name, "%s/vehicles/%s.md", KANE_SOURCE_DIR, page_name);
    FILE *page = fopen(name, "r");
    assert_non_null(page);
    int found = 0;
    while (!found && fgets(line, sizeof line, page))
        found = strncmp(line, "| ", 2) == 0 && strncmp(line + 2, row, length) == 0 && line[2 + length] == ' ';
    (void)fclose(page);
    if (!found)
        fail_msg("no row \"%s\"", row);
    cell = line + 2 + length;
    for (int i = 0; i < count; i++) {
        cell = strchr(cell, '|');
        assert_non_null(cell);
        values[i] = strtod(cell + 1, &cell);
    }
}

// Eigenvalues of d(ydot)/dy where the simulation stands, by central differences of the equations. Returns their number.
static inline int linear_eigenvalues(const wagon *w, double *re, double *im)
{
    static double A[LINEAR_STATES_MOST * LINEAR_STATES_MOST];
    const double h = 1e-7, *at = kane_simulation_state(w->simulation);
    const int n        = kane_model_state_count(w->model);
    kane_errors errors = {0};
    kane_work *work    = kane_work_create(w->model, &errors);
    double y[LINEAR_STATES_MOST], up[LINEAR_STATES_MOST], down[LINEAR_STATES_MOST];
    assert_true(work && n <= LINEAR_STATES_MOST);
    memcpy(y, at, (size_t)n * sizeof *y);
    kane_work_locate(w->model, work, 0.0, y);
    for (int j = 0; j < n; j++) {
        y[j] = at[j] + h;
        assert_int_equal(kane_eval(w->model, work, 0.0, y, up), KANE_OK);
        y[j] = at[j] - h;
        assert_int_equal(kane_eval(w->model, work, 0.0, y, down), KANE_OK);
        y[j] = at[j];
        for (int i = 0; i < n; i++)
            A[i * n + j] = (up[i] - down[i]) / (2.0 * h);
    }
    kane_work_free(work);
    assert_int_equal(LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', n, A, n, re, im, NULL, 1, NULL, 1), 0);
    return n;
}

// Whether an eigenvalue has this |lambda|/2 pi [Hz] and damping ratio, both within 1e-3.
static inline int linear_has_mode(int n, const double *re, const double *im, double f, double zeta)
{
    static const double pi = 3.14159265358979323846;
    int found              = 0;
    for (int i = 0; i < n; i++) {
        const double size = hypot(re[i], im[i]);
        found += im[i] > 0.0 && fabs(size / (2.0 * pi) / f - 1.0) < check_tolerance(1e-3) &&
                 fabs(-re[i] / size - zeta) < check_tolerance(1e-3);
    }
    return found > 0;
}

#endif
