// SPDX-License-Identifier: MIT
// A run as C ("kane export c"): the same bits as libkane's, across borders of the line, in two instances side by side;
// what cannot be exported is refused.

#include "walk.h"

// A model is made twice and compared byte by byte: where a struct that functions return had padding, its bytes would be
// anything, and some models could not be exported.
_Static_assert(sizeof(kane_system) == 10 * sizeof(int) + 9 * sizeof(void *), "kane_system has padding");

static void skip_without_compiler(void)
{
    if (!has_compiler("cc"))
        check_skip("there is no C compiler cc here (Debian: gcc)");
}

// A wagon comes onto a transition: four frames pass the border, relative motion jumps with frames that do. A check rail
// presses on the backs of its left flanges meanwhile.
CHECK_TEST(a_wagon_passes_borders)
{
    skip_without_compiler();
    static const char *const settings[] = {"start.at=45",
                                           "track.check_rails=[{\"from\":40,\"to\":60,\"rail\":\"left\","
                                           "\"flangeway\":0.0375,\"flare\":5,\"opening\":0.08}]",
                                           NULL};
    const char *run                     = "data/runs/wagon-transition.json";
    original o                          = open_original(run, settings);
    export_run(run, settings, "wagon");
    compile("wagon", "libm.so CFLAGS='-std=c11 -O0 -Wall -Wextra -Werror'");
    exported e     = load("wagon");
    const walked w = walk(&o, &e, 5e-4, 1200, 200, 1);
    assert_true(w.events >= 3);
    assert_true(kane_outside_size(o.simulation) > 0 && w.time > 0.5);
    unload(&e);
    close_original(&o);
}

// A linkage, whose constraints take other independent speeds; instances share nothing. Its example goes to the end of
// the run.
CHECK_TEST(a_linkage_in_two_instances)
{
    skip_without_compiler();
    const char *run = "data/runs/mechanism-four-bar.json";
    original o      = open_original(run, NULL);
    export_run(run, NULL, "linkage");
    compile("linkage", "all CFLAGS='-std=c11 -O0 -Wall -Wextra -Werror'");
    assert_int_equal(system("./linkage/example 1e-3 100 > rows.txt 2> end.txt"), 0);
    assert_non_null(strstr(content("end.txt"), "end of time"));
    assert_int_equal(strncmp(content("rows.txt"), "time [s],", 9), 0);
    exported e   = load("linkage");
    void *memory = aligned_alloc(64, e.size());
    void *other  = e.begin(memory);
    double *y = numbers(o.size), *before = numbers(o.size), *after = numbers(o.size);
    const double t = e.state(other, y);
    assert_int_equal(e.derivative(other, t, y, before), 0);
    const walked w = walk(&o, &e, 5e-4, 1000, 100, 1);
    assert_true(w.steps > 100);
    assert_int_equal(e.derivative(other, t, y, after), 0);
    same_bits("rate of the other instance", 0, o.size, before, after);
    free(y);
    free(before);
    free(after);
    free(memory);
    unload(&e);
    close_original(&o);
}

// Rails with sines, whose table is a constant of what is written; patches from tables (KANE_TABULATED: takes a minute).
CHECK_TEST(a_wagon_on_rough_rails)
{
    skip_without_compiler();
    static const char *const tabulated[] = {"vehicle.patterns.wheelset.contact.geometry=tabulated", NULL};
    const char *const *settings          = getenv("KANE_TABULATED") ? tabulated : NULL;
    const char *run                      = "data/runs/wagon-irregular.json";
    original o                           = open_original(run, settings);
    export_run(run, settings, "rough");
    compile("rough", "libm.so CFLAGS='-std=c11 -O0 -Wall -Wextra -Werror'");
    exported e     = load("rough");
    const walked w = walk(&o, &e, 5e-4, 1200, 200, 1);
    assert_true(w.time > 0.5);
    unload(&e);
    close_original(&o);
}

CHECK_TEST(refused)
{
    CHECK_ERRORS errors           = {0};
    kane_export_c_options options = {.directory = "nothing", .name = "m", .kernels = "nowhere"};
    assert_int_equal(kane_export_c(source_file("data/runs/mechanism-pendulum.json"), &options, &errors), KANE_NO_FILE);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "the sources of libkane are not there"));
    static const char *const wrong[] = {"no.such.channel"};
    kane_errors_free(&errors);
    options.kernels       = KANE_SOURCE_DIR;
    options.patterns      = wrong;
    options.pattern_count = 1;
    assert_true(kane_export_c(source_file("data/runs/mechanism-pendulum.json"), &options, &errors) != KANE_OK);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "no channel is called 'no.such.channel'"));
}

CHECK_MAIN(enter_folder, leave_folder)
