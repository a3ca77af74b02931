// SPDX-License-Identifier: MIT
// What the pages of the freight wagons with dry friction say: static loads, and modes where all of it sticks or none
// acts.

#include "property/wagon/linear.h"

enum { COLUMNS = 4, LINKS = 4, SPRINGS = 8 };

static const double pi = 3.14159265358979323846;

#define NOT_RUBBING(what) "vehicle.patterns.link." what "_coefficient=0"

static const char *const stuck[]      = {NULL, NULL};
static const char *const link_free[]  = {NOT_RUBBING("vertical"), NOT_RUBBING("lateral"), NOT_RUBBING("longitudinal"),
                                         NULL};
static const char *const bogie_free[] = {"vehicle.patterns.spring.coefficient=1e-4",
                                         "vehicle.patterns.spring.stick_displacement=1", NULL};

// The wagon of a page at rest on straight level track, with settings (up to four, NULL-terminated).
static wagon resting(const char *page, int tare, const char *const *settings)
{
    const char *all[6] = {"start.speed=20"};
    char run[64];
    int n = 1;
    for (; settings[n - 1]; n++)
        all[n] = settings[n - 1];
    all[n] = tare ? "variant=tare" : NULL;
    (void)snprintf(run, sizeof run, "%s-transition", page);
    wagon w = wagon_read(run, all);
    wagon_start(&w);
    return w;
}

static void check_loads(const char *page, const char *spring, int springs)
{
    double mass[2], wheel[2], load[2], wheels[2];
    page_row(page, "mass of the body [kg]", 2, mass);
    page_row(page, "wheel on rail", 2, wheel);
    page_row(page, spring, 2, load);
    for (int tare = 0; tare < 2; tare++) {
        CHECK_FREED(wagon) w = resting(page, tare, stuck);
        check_relative(w.definition.vehicle->bodies[0].mass, mass[tare], 0.0);
        for (int j = 1; j < kane_model_body_count(w.model); j++)
            if (kane_model_wheel_load(w.model, j, wheels) == KANE_OK) {
                check_relative(wheels[KANE_LEFT], wheel[tare], 1e-9);
                check_relative(wheels[KANE_RIGHT], wheel[tare], 1e-9);
            }
        for (int e = 0; e < springs; e++)
            check_relative(kane_model_static_load(w.model, e).z, load[tare], 1e-9);
    }
}

CHECK_TEST(static_loads_are_those_of_the_pages)
{
    double plate[2], bearer[2];
    check_loads("link-wagon", "link", LINKS);
    check_loads("bogie-wagon", "spring", SPRINGS);
    page_row("bogie-wagon", "load of a plate", 2, plate);
    page_row("bogie-wagon", "load of a bearer", 2, bearer);
    for (int tare = 0; tare < 2; tare++) {
        CHECK_FREED(wagon) w = resting("bogie-wagon", tare, stuck);
        for (int e = SPRINGS; e < SPRINGS + 2; e++)
            check_relative(kane_model_static_load(w.model, e).z, plate[tare], 1e-9);
        for (int e = SPRINGS + 2; e < SPRINGS + 6; e++)
            check_relative(kane_model_static_load(w.model, e).z, bearer[tare], 1e-9);
    }
}

static void check_modes(const char *page, const char *const *settings, const char *const *modes)
{
    for (int tare = 0; tare < 2; tare++) {
        double re[LINEAR_STATES_MOST], im[LINEAR_STATES_MOST];
        CHECK_FREED(wagon) w = resting(page, tare, settings);
        const int n          = linear_eigenvalues(&w, re, im);
        for (const char *const *mode = modes; *mode; mode++) {
            double row[COLUMNS];
            page_row(page, *mode, COLUMNS, row);
            if (!linear_has_mode(n, re, im, row[2 * tare], row[2 * tare + 1]))
                fail_msg("%s, %s, %s: no eigenvalue of %g Hz and damping ratio %g", page, *mode,
                         tare ? "tare" : "laden", row[2 * tare], row[2 * tare + 1]);
        }
    }
}

CHECK_TEST(modes_are_those_of_the_pages)
{
    static const char *const links_stuck[]  = {"stuck: body lateral", "stuck: body yaw", "stuck: body roll",
                                               "stuck: bounce",       "stuck: pitch",    NULL};
    static const char *const links_free[]   = {"free: lower sway", "free: yaw", "free: bounce", "free: pitch", NULL};
    static const char *const bogies_stuck[] = {"stuck: lower sway", "stuck: bounce", "stuck: pitch",
                                               "stuck: bogie yaw, opposed", NULL};
    static const char *const bogies_free[]  = {"free: lower sway", "free: bounce", "free: pitch", NULL};
    check_modes("link-wagon", stuck, links_stuck);
    check_modes("link-wagon", link_free, links_free);
    check_modes("bogie-wagon", stuck, bogies_stuck);
    check_modes("bogie-wagon", bogie_free, bogies_free);
}

static double frequency(double stiffness, double mass)
{
    return sqrt(stiffness / mass) / (2.0 * pi);
}

// Sway of a body on four pendulums and on springs 1 m beside the middle: y at the links and roll.
static double sway_by_hand(double m, double I, double h)
{
    const double g = 9.81, pendulum = m * g / 0.5, roll = 4.0 * 1.2e6 - m * g * h;
    const double a = m * I, b = pendulum * (I + m * h * h) + m * roll, c = pendulum * roll;
    return sqrt((b - sqrt(b * b - 4.0 * a * c)) / (2.0 * a)) / (2.0 * pi);
}

CHECK_TEST(the_link_wagon_swings_as_by_hand)
{
    static const double mass[] = {34000.0, 9500.0}, inertia[] = {5.0e4, 1.4e4}, height[] = {1.6, 1.2};
    for (int tare = 0; tare < 2; tare++) {
        const double load = mass[tare] * 9.81 / 4.0, leaves = 0.08 * load / 0.5e-3;
        double row[COLUMNS];
        page_row("link-wagon", "free: bounce", COLUMNS, row);
        check_relative(row[2 * tare], frequency(4.0 * 1.2e6, mass[tare]), 1e-3);
        page_row("link-wagon", "stuck: bounce", COLUMNS, row);
        const double k = 4.0 * (1.2e6 + leaves);
        check_relative(row[2 * tare], frequency(k, mass[tare]), 5e-3); // contacts below give way a little
        check_relative(row[2 * tare + 1], 4.0 * 5e3 / (2.0 * sqrt(k * mass[tare])), 2e-2);
        page_row("link-wagon", "free: lower sway", COLUMNS, row);
        check_relative(row[2 * tare], sway_by_hand(mass[tare], inertia[tare], height[tare] - 0.46), 5e-3);
    }
}

CHECK_TEST(the_bogie_wagon_bounces_as_by_hand)
{
    static const double mass[] = {84000.0, 20000.0}, stage[] = {1.6e6, 0.5e6};
    double row[COLUMNS];
    page_row("bogie-wagon", "free: bounce", COLUMNS, row);
    for (int tare = 0; tare < 2; tare++)
        check_relative(row[2 * tare], frequency(8.0 * stage[tare], mass[tare]), 1e-2); // plates give way a little
}

CHECK_MAIN(NULL, NULL)
