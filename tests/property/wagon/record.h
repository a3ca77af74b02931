// SPDX-License-Identifier: MIT
// Whole runs of the wagon, recorded and compared.

#ifndef KANE_TESTS_RECORD_H
#define KANE_TESTS_RECORD_H

#include "property/wagon/wagon.h"

enum { RECORD_ROWS = 1000, RECORD_LOADS = 18, RECORD_COLUMNS = 22 };

// A run every 0.05 s and where it ends: 18 relative coordinates, 4 wheel loads.
typedef struct record {
    int rows;
    kane_stop stop;
    double at[RECORD_ROWS][RECORD_COLUMNS];
} record;

// Differences between two runs: the largest of each relative coordinate, and of the wheel loads; and what these are at
// most.
typedef struct contrast {
    double q[18], Q, most_q[18], most_Q;
} contrast;

// Carries out a run of data/runs with settings; `remap` 0: frames pass borders without mapping the state.
static inline void record_run(const char *run, const char *const *settings, int remap, record *out)
{
    CHECK_FREED(wagon) w        = wagon_read(run, settings);
    w.definition.settings.remap = remap;
    wagon_start(&w);
    out->rows = 0;
    for (int more = 1; more;) {
        assert_true(out->rows < RECORD_ROWS);
        double *row = out->at[out->rows++];
        more        = wagon_go(&w, 0.05 * out->rows);
        wagon_coordinates(&w, row);
        for (int wheel = 0; wheel < 4; wheel++)
            row[RECORD_LOADS + wheel] = wagon_Q(&w, wheel < 2 ? LEADING : TRAILING, wheel % 2);
    }
    out->stop = kane_simulation_stop(w.simulation);
    assert_true(out->rows > 100);
}

static inline contrast record_compare(const record *a, const record *b)
{
    contrast c = {{0}, 0.0, {0}, 0.0};
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->stop, b->stop);
    for (int i = 0; i < a->rows; i++)
        for (int k = 0; k < RECORD_COLUMNS; k++) {
            double *most = k < RECORD_LOADS ? &c.q[k] : &c.Q;
            double *size = k < RECORD_LOADS ? &c.most_q[k] : &c.most_Q;
            *most        = fmax(*most, fabs(a->at[i][k] - b->at[i][k]));
            *size        = fmax(*size, fabs(a->at[i][k]));
        }
    return c;
}

// The largest difference of a coordinate, spin angles aside.
static inline double contrast_largest(const contrast *c)
{
    double most = 0.0;
    for (int k = 0; k < 18; k++)
        if (k % 6 != KANE_PITCH)
            most = fmax(most, c->q[k]);
    return most;
}

// A run in moving frames against the same in fixed axes. settings has `count` of them and room for two more.
static inline contrast contrast_of_formulations(const char *run, int count, const char **settings)
{
    static record moving, fixed;
    settings[count]     = NULL;
    settings[count + 1] = NULL;
    record_run(run, settings, 1, &moving);
    settings[count] = "formulation=fixed";
    record_run(run, settings, 1, &fixed);
    return record_compare(&moving, &fixed);
}

#endif
