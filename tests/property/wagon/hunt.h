// SPDX-License-Identifier: MIT
// Hunting: the wagon, laden and empty, on rough track and in a limit cycle, with one way of contact and every creep
// law.

#ifndef KANE_TESTS_HUNT_H
#define KANE_TESTS_HUNT_H

#include "property/wagon/journey.h"

typedef struct hunt_law {
    const char *name, *settings[4];
} hunt_law;

static const hunt_law hunt_laws[] = {
    {"linear", {CONTACT "creep=linear"}},
    {"SHE", {CONTACT "creep=SHE"}},
    {"FASTSIM parabolic", {CONTACT "creep=FASTSIM"}},
    {"FASTSIM elliptic", {CONTACT "creep=FASTSIM", CONTACT "traction_bound=elliptic"}},
    {"Polach", {CONTACT "creep=Polach"}},
    {"Polach falling",
     {CONTACT "creep=Polach", CONTACT "kS=0.4", CONTACT "falling_friction={\"ratio\": 0.4, \"decay\": \"0.6 s/m\"}"}},
};

enum { HUNT_LAWS = sizeof hunt_laws / sizeof *hunt_laws };

// Irregularities that begin soon; tables know one gauge, so all kinds but that one.
#define HUNT_FADE "track.irregularities.fade_in={\"from\": \"15 m\", \"length\": \"15 m\"}"
#define HUNT_RAILS                                                                                                     \
    "track.irregularities.spectra=[{\"standard\":\"ore_high\",\"kind\":\"lateral\",\"seed\":1},"                       \
    "{\"standard\":\"ore_high\",\"kind\":\"vertical\",\"seed\":1},"                                                    \
    "{\"standard\":\"ore_high\",\"kind\":\"cross_level\",\"seed\":1}]"

// One run on rough track. A wheel that its rail guides may want to lift: then that is why it ends.
static inline journey hunt(const char *way, const hunt_law *law, const char *speed, const char *variant, double most)
{
    const char *settings[20] = {way, speed, "until.distance=100", HUNT_FADE};
    int count                = 4;
    char what[80];
    for (int i = 0; i < 4 && law->settings[i]; i++)
        settings[count++] = law->settings[i];
    if (strstr(way, "table")) { // with the tolerances of the others
        settings[count++] = HUNT_RAILS;
        settings[count++] = "integrator.rtol=1e-6";
        settings[count++] = "integrator.atol_position=1e-8 m";
        settings[count++] = "integrator.atol_angle=1e-8 rad";
        settings[count++] = "integrator.atol_velocity=1e-6 m/s";
        settings[count++] = "integrator.atol_angular_velocity=1e-6 rad/s";
    }
    if (variant)
        settings[count++] = variant;
    const journey j = journey_make("wagon-ore", settings);
    (void)snprintf(what, sizeof what, "%s, %s, %s", law->name, speed + strlen("start."), variant ? "tare" : "laden");
    journey_print(what, &j);
    const char *const load = variant ? "empty" : "laden", *const fast = speed + strlen("start.speed=");
    const char *const contact = strstr(way, "model=") + strlen("model=");
    check_figure((double)j.statistics.steps / j.distance, "%s %s %s: steps per metre", load, fast, contact);
    check_figure(j.crowd, "%s %s %s: crowd", load, fast, contact);
    check_figure(j.shortest, "%s %s %s: shortest", load, fast, contact);
    if (strstr(way, "elastic") || j.stop != KANE_STOP_WHEEL_LIFT)
        assert_int_equal(j.stop, KANE_STOP_DISTANCE);
    else
        assert_true(j.least < 0.2 * j.most); // nearly off
    assert_true((double)j.statistics.steps < most * j.distance);
    assert_true(j.crowd < 400 && j.shortest > 1e-6);
    assert_true((double)j.statistics.evaluations < 1.5 * (double)j.statistics.steps);
    assert_true(j.swing > 2e-3 && j.swing < 16e-3); // it does hunt
    return j;
}

// 6 mm of a single swerve, and then smooth track: laden, with lateral axle-box dampers of 5 kN s/m, the wagon hunts for
// ever if it is fast enough.
static inline journey hunt_for_ever(const char *way, const char *law, const char *speed)
{
    const char *const settings[] = {
        way,
        law,
        speed,
        "until.distance=240",
        "vehicle.patterns.axlebox.damping=[\"20 kN s/m\", \"5 kN s/m\", \"20 kN s/m\"]",
        "track.irregularities={\"defects\":[{\"kind\":\"lateral\",\"shape\":\"cosine\",\"at\":30,\"length\":10,"
        "\"height\":0.006}]}",
        NULL};
    const journey j = journey_make("wagon-ore", settings);
    journey_print(way + strlen(CONTACT), &j);
    assert_int_equal(j.stop, KANE_STOP_DISTANCE);
    return j;
}

#endif
