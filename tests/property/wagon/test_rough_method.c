// SPDX-License-Identifier: MIT
// The default method on rough rails: who gets it, and what it leaves of Q and Y behind the 20 Hz of EN 14363.

#include "check.h"
#include "runs.h"

#include <kane/signal.h>

static const char smooth_bdf[] = "integrator.method=bdf";

// Settings of a run file with one more setting (NULL: none).
static kane_run *read_with(const char *name, const char *setting)
{
    const char *const settings[] = {setting, NULL};
    return run_read(name, settings);
}

static void check_method(const kane_run *run, kane_method method, int order, double relative, double position)
{
    const kane_run_definition *d = kane_run_get_definition(run);
    assert_int_equal(d->settings.method, method);
    assert_int_equal(d->settings.order, order);
    check_relative(d->settings.relative, relative, 1e-12);
    check_relative(d->settings.position, position, 1e-12);
}

CHECK_TEST(elastic_contact_on_rough_rails_has_it)
{
    CHECK_OWNED(kane_run) *rough = read_with("wagon-ore", NULL), *sines = read_with("wagon-irregular", NULL);
    check_method(rough, KANE_BDF_ALPHA, 4, 3.16e-6, 3.16e-8);
    check_method(sines, KANE_BDF_ALPHA, 4, 3.16e-6, 3.16e-8);
    assert_string_equal(kane_run_get_definition(rough)->method_reason, "wheels in elastic contact on rough rails");
    CHECK_OWNED(kane_run) *finer = read_with("wagon-ore", "integrator.rtol=3.16e-8");
    check_method(finer, KANE_BDF_ALPHA, 4, 3.16e-8, 3.16e-10);
}

// What the file says wins; smooth rails, single defects, rigid contact and comparisons of runs keep theirs.
CHECK_TEST(others_keep_theirs)
{
    static const struct {
        const char *run, *setting;
        int order;
        double factor;
    } rows[] = {
        {"wagon-ore", smooth_bdf, 2, 1.0},
        {"wagon-ore", "integrator.order=3", 3, 1.0},
        {"wagon-transition", NULL, 2, 1.0},
        {"wagon-transition",
         "track.irregularities={\"defects\":[{\"kind\":\"vertical\",\"shape\":\"cosine\",\"at\":35,\"length\":6,"
         "\"height\":\"-5 mm\"}]}",
         2, 1.0},
        {"wagon-ore", "vehicle.patterns.wheelset.contact.model=table", 4, 5.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_OWNED(kane_run) *run = read_with(rows[i].run, rows[i].setting);
        check_method(run, KANE_BDF, rows[i].order, 1e-6 * rows[i].factor, 1e-8 * rows[i].factor);
        assert_null(kane_run_get_definition(run)->method_reason);
    }
    CHECK_OWNED(kane_run) *compared = run_read("wagon-ore", NULL, .is_comparison = 1);
    check_method(compared, KANE_BDF, 2, 1e-6, 1e-8);
}

// --- accuracy ---

enum { ROWS = 3000, WHEELS = 4 };
static const double row = 1e-3; // [s]

static void integrate_run(const kane_run_definition *d, const kane_settings *settings, const char *pattern,
                          double values[WHEELS][ROWS])
{
    CHECK_OWNED(kane_model) *model           = run_model(d);
    CHECK_OWNED(kane_simulation) *simulation = CHECK_GOOD(kane_simulation_create, model, settings, &d->conditions);
    CHECK_OWNED(kane_channels) *channels     = CHECK_GOOD(kane_channels_create, simulation, 1, &pattern, NULL);
    kane_filter filter;
    assert_int_equal(kane_channels_count(channels), WHEELS);
    for (int i = 0; i < ROWS; i++) {
        double at[WHEELS];
        assert_true(run_go(simulation, row * (i + 1)));
        assert_int_equal(kane_channels_read(channels, simulation, at), KANE_OK);
        for (int k = 0; k < WHEELS; k++)
            values[k][i] = at[k];
    }
    assert_int_equal(CHECK_GOOD(kane_filter_low_pass, KANE_FILTER_USUAL, 20.0, row, KANE_FORTH_AND_BACK, &filter),
                     KANE_OK);
    for (int k = 0; k < WHEELS; k++)
        assert_int_equal(CHECK_GOOD(kane_filter_apply, &filter, KANE_FORTH_AND_BACK, row, ROWS, values[k]), KANE_OK);
}

// Rms of the difference over the rms of what varies, against BDF of order 5 at a thousandth of the usual tolerances.
static double filtered_error(const char *pattern)
{
    static double mine[WHEELS][ROWS], exact[WHEELS][ROWS];
    CHECK_OWNED(kane_run) *run   = read_with("wagon-ore", "start.at=40");
    const kane_run_definition *d = kane_run_get_definition(run);
    kane_settings fine           = d->settings;
    fine.method                  = KANE_BDF;
    fine.order                   = 5;
    fine.relative                = 1e-9;
    fine.position = fine.angle = 1e-11;
    fine.speed = fine.turning = 1e-9;
    integrate_run(d, &d->settings, pattern, mine);
    integrate_run(d, &fine, pattern, exact);
    double wrong = 0.0, varies = 0.0;
    for (int k = 0; k < WHEELS; k++) {
        double mean = 0.0;
        for (int i = 0; i < ROWS; i++)
            mean += exact[k][i] / ROWS;
        for (int i = 0; i < ROWS; i++) {
            varies += (exact[k][i] - mean) * (exact[k][i] - mean);
            wrong += (mine[k][i] - exact[k][i]) * (mine[k][i] - exact[k][i]);
        }
    }
    return sqrt(wrong / varies);
}

CHECK_TEST(wheel_forces_behind_20_Hz_are_within_half_a_percent)
{
    check_below(filtered_error("*.Q"), 0.005);
    check_below(filtered_error("*.Y"), 0.005);
}

CHECK_MAIN(NULL, NULL)
