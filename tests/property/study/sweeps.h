// SPDX-License-Identifier: MIT
// Small sweeps for tests, in a folder of their own: what is in their files.

#ifndef KANE_TESTS_SWEEPS_H
#define KANE_TESTS_SWEEPS_H

#include "folder.h"
#include "errors.h"

#include <kane/measure.h>
#include <kane/sweep.h>

#include <unistd.h>

#define SWEEPS_RUN KANE_SOURCE_DIR "/data/runs/wagon-transition.json"

enum { SWEEPS_AXES = 3, SWEEPS_TEXT = 1 << 16 };

// A sweep as a test asks for it; "" ends lists.
typedef struct sweeps_request {
    const char *over[SWEEPS_AXES + 1];
    const char *measures[5];
    const char *settings[5];
    const char *omit[3];
    kane_sweep_kind kind;
    int samples, seed, keep;
} sweeps_request;

typedef struct sweeps_open {
    kane_axis *axes[SWEEPS_AXES];
    int axis_count;
    kane_run_options common;
    kane_sweep_study *sweep;
} sweeps_open;

static inline sweeps_open sweeps_create(const sweeps_request *r)
{
    sweeps_open o       = {.common = {.settings = r->settings, .omit = r->omit}};
    CHECK_ERRORS errors = {0};
    int measures        = 0;
    for (; r->over[o.axis_count]; o.axis_count++)
        o.axes[o.axis_count] = kane_axis_parse(r->over[o.axis_count], &errors);
    while (r->measures[measures])
        measures++;
    check_no_errors(&errors);
    const kane_sweep_definition definition = {.file          = SWEEPS_RUN,
                                              .common        = &o.common,
                                              .axis_count    = o.axis_count,
                                              .axes          = (const kane_axis *const *)o.axes,
                                              .kind          = r->kind,
                                              .samples       = r->samples,
                                              .seed          = r->seed,
                                              .measure_count = measures,
                                              .measures      = r->measures,
                                              .keep_results  = r->keep};
    o.sweep                                = CHECK_GOOD(kane_sweep_create, &definition);
    assert_non_null(o.sweep);
    return o;
}

static inline void sweeps_close(sweeps_open *o)
{
    kane_sweep_free(o->sweep);
    for (int a = 0; a < o->axis_count; a++)
        kane_axis_free(o->axes[a]);
}

// Carries out; returns whether it is complete now.
static inline int sweeps_go(const sweeps_open *o, const kane_plan_execution *execution)
{
    int complete             = 0;
    const kane_status status = CHECK_GOOD(kane_sweep_run_cases, o->sweep, execution, &complete);
    assert_int_equal(status, KANE_OK);
    return complete;
}

static inline const char *sweeps_read(const char *directory, const char *name, char text[SWEEPS_TEXT])
{
    char file[256];
    (void)snprintf(file, sizeof file, "%s/%s", directory, name);
    FILE *in = fopen(file, "r");
    if (!in)
        fail_msg("%s is missing", file);
    text[fread(text, 1, SWEEPS_TEXT - 1, in)] = '\0';
    (void)fclose(in);
    return text;
}

// The same files, to the last bit.
static inline void sweeps_same(const char *a, const char *b, const char *const *names)
{
    static char first[SWEEPS_TEXT], second[SWEEPS_TEXT];
    for (; *names; names++) {
        (void)sweeps_read(a, *names, first);
        (void)sweeps_read(b, *names, second);
        assert_true(strlen(first) > 20);
        assert_string_equal(first, second);
    }
}

#endif
