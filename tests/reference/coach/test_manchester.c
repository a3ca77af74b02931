// SPDX-License-Identifier: MIT
// What vehicles/manchester-1.md says about the benchmark's coach: static loads, and modes on straight level track.

#include "property/wagon/linear.h"

static const double pi = 3.14159265358979323846;

// Elements as the file lists them, mirrored ones twice.
enum { CAR, FIRST_WHEELSET = 3, LAST_WHEELSET = 6, BOX_COUNT = 8, SPRING_COUNT = 4 };

CHECK_TEST(static_loads_are_those_of_the_page)
{
    double wheel, box, spring;
    CHECK_FREED(wagon) w = wagon_read("coach-straight", NULL);
    page_row("manchester-1", "wheel on rail", 1, &wheel);
    page_row("manchester-1", "axle box", 1, &box);
    page_row("manchester-1", "secondary spring", 1, &spring);
    check_near(wheel, 54546.0, 0.1); // as published
    check_near(wheel, (32000.0 + 2.0 * 2615.0 + 4.0 * 1813.0) * 9.81 / 8.0, 1e-6);
    wagon_start(&w);
    for (int j = FIRST_WHEELSET; j <= LAST_WHEELSET; j++) {
        double load[2];
        assert_int_equal(kane_model_wheel_load(w.model, j, load), KANE_OK);
        check_relative(load[KANE_LEFT], wheel, 1e-9);
        check_relative(load[KANE_RIGHT], wheel, 1e-9);
    }
    for (int e = 0; e < BOX_COUNT + SPRING_COUNT; e++) {
        const kane_vec3 load = kane_model_static_load(w.model, e);
        check_relative(-load.z, e < BOX_COUNT ? box : spring, 1e-9);
        check_near(load.x, 0.0, 1e-6);
        check_near(load.y, 0.0, 1e-6);
    }
}

static void check_modes(const char *const *settings, const char *const *modes, size_t count)
{
    double re[LINEAR_STATES_MOST], im[LINEAR_STATES_MOST];
    CHECK_FREED(wagon) w = wagon_open("coach-straight", settings);
    const int n          = linear_eigenvalues(&w, re, im);
    for (size_t k = 0; k < count; k++) {
        double row[2];
        page_row("manchester-1", modes[k], 2, row);
        if (!linear_has_mode(n, re, im, row[0], row[1]))
            fail_msg("%s: no eigenvalue of %g Hz and damping ratio %g", modes[k], row[0], row[1]);
    }
    for (int i = 0; i < n && !settings[0]; i++)
        check_below(re[i], 1e-6); // stable; what neither grows nor decays is spin and travel
}

CHECK_TEST(modes_are_those_of_the_page)
{
    static const char *const none[]  = {NULL};
    static const char *const modes[] = {"lower sway",
                                        "yaw",
                                        "bounce",
                                        "pitch",
                                        "upper sway",
                                        "hunting of both bogies, together",
                                        "hunting of both bogies, opposed",
                                        "bogies along the track, opposed",
                                        "bogies along the track, together",
                                        "bogie bounce, opposed",
                                        "bogie bounce, together",
                                        "bogie roll, opposed",
                                        "bogie roll, together",
                                        "bogie pitch",
                                        "bogies across, together",
                                        "bogies across, opposed",
                                        "wheelsets of a bogie along the track, opposed",
                                        "bogie yaw",
                                        "bogie against its wheelsets along the track",
                                        "wheelset rolls on its contacts",
                                        "wheelset bounces on its contacts"};
    check_modes(none, modes, sizeof modes / sizeof *modes);
}

CHECK_TEST(rubber_changes_modes_as_the_page_says)
{
    static const char *const rubber[] = {"variant=rubber", NULL};
    static const char *const modes[]  = {"rubber: lower sway", "rubber: bounce", "rubber: upper sway",
                                         "rubber: bogie bounce"};
    check_modes(rubber, modes, sizeof modes / sizeof *modes);
}

CHECK_TEST(the_axes_of_the_load_matter_as_the_page_says)
{
    static const char *const none[] = {NULL}, *const halved[] = {"variant=halved", NULL};
    static const char *const in_car[]  = {"axes of the car: lower sway", "axes of the car: upper sway"};
    static const char *const between[] = {"halved: lower sway", "halved: upper sway"};
    check_modes(none, in_car, 2);
    check_modes(halved, between, 2);
}

CHECK_TEST(linear_critical_speeds_are_those_of_the_page)
{
    linear_check_critical("manchester-1", "critical, elastic contact", "coach-straight", NULL);
    linear_check_critical("manchester-1", "critical, tables", "coach-straight", "variant=tables");
}

// Two masses on springs: (k2 - m1 w^2)(k1 + k2 - m2 w^2) = k2^2.
CHECK_TEST(the_coach_bounces_as_by_hand)
{
    static const char *const undamped[] = {"variant=undamped", NULL};
    static const char *const modes[]    = {"undamped bounce", "undamped bogie bounce"};
    const double m1 = 32000.0, m2 = 2.0 * 2615.0, k1 = 8.0 * 1.22e6, k2 = 4.0 * 430e3, published[] = {1.07, 7.47};
    const double half = 0.5 * (k2 / m1 + (k1 + k2) / m2), root = sqrt(half * half - k1 * k2 / (m1 * m2));
    check_modes(undamped, modes, 2);
    for (int i = 0; i < 2; i++) {
        double row[2];
        const double f = sqrt(half + (i ? root : -root)) / (2.0 * pi);
        page_row("manchester-1", modes[i], 2, row);
        check_relative(row[0], f, 1e-3); // contacts below give way a little
        check_near(f, published[i], 0.005);
    }
}

CHECK_MAIN(NULL, NULL)
