// SPDX-License-Identifier: MIT
// Tables in the pages of vehicles, and the linearised equations that they are compared with.

#ifndef KANE_TESTS_LINEAR_H
#define KANE_TESTS_LINEAR_H

#include "property/wagon/wagon.h"

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

// Eigenvalues of the modes where the simulation stands, of a pair the upper one. Returns their number.
static inline int linear_eigenvalues(const wagon *w, double *re, double *im)
{
    const double *at             = kane_simulation_state(w->simulation);
    CHECK_ERRORS errors          = {0};
    CHECK_OWNED(kane_work) *work = kane_work_create(w->model, &errors);
    kane_work_copy(w->model, kane_simulation_work(w->simulation), work); // which also says what the speeds are
    CHECK_OWNED(kane_linear) *linear = kane_linear_create(w->model, work, 0.0, at, &errors);
    check_no_errors(&errors);
    CHECK_OWNED(kane_modes) *modes = CHECK_GOOD(kane_modes_create, linear, KANE_MODES_COMPLETE);
    const int n                    = kane_modes_count(modes);
    assert_true(n <= LINEAR_STATES_MOST);
    for (int i = 0; i < n; i++) {
        re[i] = kane_modes_get(modes, i)->re;
        im[i] = kane_modes_get(modes, i)->im;
    }
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

// Largest real part of the modes that oscillate where the simulation begins, and the frequency of that one [Hz].
static inline double linear_growth_of(wagon *w, double *f)
{
    double re[LINEAR_STATES_MOST], im[LINEAR_STATES_MOST], most = -1e9;
    wagon_start(w);
    const int n = linear_eigenvalues(w, re, im);
    for (int i = 0; i < n; i++)
        if (im[i] > 1.0 && re[i] > most) {
            most = re[i];
            *f   = im[i] / (2.0 * 3.14159265358979323846);
        }
    return most;
}

// Largest real part of what swings in a run at a speed, and how fast it does [Hz]. setting: one more, or NULL.
static inline double linear_growth(const char *run, const char *setting, double V, double *f)
{
    char speed[64];
    (void)snprintf(speed, sizeof speed, "start.speed=%.17g", V);
    CHECK_FREED(wagon) w = wagon_with(run, speed, setting);
    return linear_growth_of(&w, f);
}

// The critical speed of a page [m/s], with its frequency [Hz].
static inline void linear_check_critical(const char *page, const char *row, const char *run, const char *setting)
{
    double values[2], f;
    page_row(page, row, 2, values);
    assert_true(linear_growth(run, setting, 0.999 * values[0], &f) < 0.0);
    assert_true(linear_growth(run, setting, 1.001 * values[0], &f) > 0.0);
    check_relative(f, values[1], 2e-3);
}

#endif
