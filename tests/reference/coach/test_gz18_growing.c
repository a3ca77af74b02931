// SPDX-License-Identifier: MIT
// GZ18 (OpenRailVehicleDynamics), with falling friction in a curve of 300 m at 60 km/h: wheelset 3 lets its friction
// chatter at 36 Hz. Its published files lie beside the repository. BDF of order 2 shows nothing of it; two methods that
// share no formula agree on its limit cycle.

#include "check.h"
#include "runs.h"
#include "folder.h"

#define GZ18 KANE_SOURCE_DIR "/../shared/reference/gz18"

static const char *const file = "gz18/r300-run.json";

static kane_outcome carry_out(const char *method, const char *step, double *swing)
{
    CHECK_ERRORS errors          = {0};
    const char *const settings[] = {
        "output.channels=[\"wheelset 3.left.N\"]", "output.interval=1 ms", "output.format=csv", method, step, NULL};
    const kane_execution how = {.directory = "out"};
    kane_outcome outcome;
    if (access(GZ18, R_OK) != 0)
        check_skip("the files of GZ18 do not lie beside the repository (shared/reference/gz18)");
    assert_int_equal(system("cp -r '" GZ18 "' . && chmod -R u+w gz18 && " RENAME_KEYS " gz18/*.json >out.txt"), 0);
    CHECK_OWNED(kane_run) *run = run_read(file, settings);
    assert_int_equal(CHECK_GOOD(kane_run_to_files, kane_run_get_definition(run), &how, &outcome), KANE_OK);
    CHECK_OWNED(kane_results) *rows = CHECK_GOOD(kane_results_open, "out");
    const int column                = kane_results_find(rows, "wheelset 3.left.N", &errors);
    const double *N                 = kane_results_values(rows, column);
    const int count                 = kane_results_row_count(rows);
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int i = count - 500; i < count; i++) { // of the last half second, 18 periods
        least = fmin(least, N[i]);
        most  = fmax(most, N[i]);
    }
    *swing = 0.5 * (most - least);
    return outcome;
}

// What the run hides it says.
CHECK_TEST(what_bdf_hides_is_said)
{
    double swing;
    const kane_outcome o  = carry_out("integrator.order=2", NULL, &swing);
    const kane_growing *g = &o.growth.stretch[0];
    assert_true(swing < 10.0); // [N]
    assert_int_equal(o.growth.count, 1);
    assert_int_equal(g->modes, 1);
    assert_string_equal(g->body, "wheelset 3");
    check_near(g->frequency, 36.0, 0.5);
    check_near(g->growth, 1.5, 0.1);
    assert_true(g->integrated < 0.0);
    assert_non_null(strstr(g->text, "may not show it"));
}

// The trapezoidal rule, and BDF with steps that leave half of the growth, as the text of the run above has them.
CHECK_TEST(two_methods_show_one_limit_cycle)
{
    double trapezoid, bdf;
    (void)carry_out("integrator.method=adams", NULL, &trapezoid);
    (void)carry_out("integrator.order=2", "integrator.max_step=1 ms", &bdf);
    check_relative(trapezoid, 13.1e3, 0.02);
    check_relative(bdf, trapezoid, 0.02); // BDF of order 2 takes 0.4 of 1.5 1/s
}

// On rough rails (waves of a hundredth of a millimetre) the default is bdf_alpha. It hides the chatter, too, as long as
// steps are long, and says so; with the steps of 1 ms that it names the limit cycle is there.
CHECK_TEST(what_the_default_of_rough_rails_hides_is_said)
{
    static const char waves[] = "track.irregularities={\"sines\":[{\"kind\":\"vertical\",\"wavelength\":20,"
                                "\"amplitude\":\"0.01 mm\"}],\"fade_in\":{\"from\":30,\"length\":20}}";
    double hidden, shown;
    const kane_outcome o = carry_out(waves, NULL, &hidden);
    (void)carry_out(waves, "integrator.max_step=1 ms", &shown);
    assert_true(hidden < 100.0); // [N]
    check_relative(shown, 13.1e3, 0.05);
    assert_int_equal(o.growth.count, 1);
    check_near(o.growth.stretch[0].growth, 1.5, 0.1);
    assert_true(o.growth.stretch[0].integrated < 0.0);
    assert_non_null(strstr(o.growth.stretch[0].text, "may not show it"));
}

CHECK_MAIN(enter_folder, leave_folder)
