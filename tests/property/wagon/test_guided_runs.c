// SPDX-License-Identifier: MIT
// Whole runs of the wagon with wheels that rails guide: moving against fixed frames, one way against the other, energy.

#include "property/wagon/record.h"

#define CONSTRAINT "vehicle.patterns.wheelset.contact.model=constraint"
#define TABLES     "vehicle.patterns.wheelset.contact.model=table"

static const char *const tracks[2] = {"track.name=rigid", FLEXIBLE};

static void check_formulations(const char *run, const char *way, const char *track, double place, double load)
{
    const char *settings[10] = {way,
                                track,
                                "until.distance=110",
                                "integrator.rtol=1e-8",
                                "integrator.atol_position=1e-10 m",
                                "integrator.atol_angle=1e-10 rad",
                                "integrator.atol_velocity=1e-8 m/s",
                                "integrator.atol_angular_velocity=1e-8 rad/s"};
    const contrast c         = contrast_of_formulations(run, 8, settings);
    check_figure(contrast_largest(&c), "%s: coordinates", strstr(way, "table") ? "tables" : "constraint");
    check_figure(c.Q, "%s: Q", strstr(way, "table") ? "tables" : "constraint");
    check_near(contrast_largest(&c), 0.0, place);
    check_near(c.Q, 0.0, load);
}

CHECK_TEST(moving_and_fixed_frames_agree)
{
    for (int i = 0; i < 2; i++) {
        check_formulations("wagon-transition", CONSTRAINT, tracks[i], 1e-7, 0.2);
        check_formulations("wagon-transition", TABLES, tracks[i], 1e-7, 0.2);
        check_formulations("wagon-irregular", CONSTRAINT, tracks[i], 1e-7, 0.2);
        check_formulations("wagon-irregular", TABLES, tracks[i], 1e-7, 0.2);
    }
}

CHECK_TEST(both_ways_run_alike)
{
    static record constraint, tables;
    for (int i = 0; i < 2; i++) {
        const char *const a[] = {CONSTRAINT, tracks[i], NULL}, *const b[] = {TABLES, tracks[i], NULL};
        record_run("wagon-transition", a, 1, &constraint);
        record_run("wagon-transition", b, 1, &tables);
        const contrast c = record_compare(&constraint, &tables);
        check_near(contrast_largest(&c), 0.0, 1e-4); // of 18 mm
        check_figure(c.Q, "Q");
    }
}

// Rigid and elastic contact differ by what wheels and rails give way: a run is the same to some per cent.
CHECK_TEST(rigid_and_elastic_contact_run_alike)
{
    static record rigid, elastic;
    const char *const a[] = {CONSTRAINT, NULL}, *const b[] = {NULL};
    record_run("wagon-transition", a, 1, &rigid);
    record_run("wagon-transition", b, 1, &elastic);
    const contrast c = record_compare(&rigid, &elastic);
    check_near(c.q[KANE_Y], 0.0, 5e-4);
    check_near(c.Q, 0.0, 500.0);
}

// Normal forces of constraints do no work; what creep forces take is heat, what the track lifts is height.
static void check_energy(const char *way, const char *track, double limit)
{
    CHECK_FREED(wagon) w = wagon_with("wagon-transition", "output.work=true", "until.distance=60", TIGHTER, way, track);
    kane_energy first, now;
    wagon_start(&w);
    kane_get_energy(w.model, kane_simulation_work(w.simulation), &first);
    const int n = kane_model_state_count(w.model);
    for (int i = 1, more = 1; more; i++) {
        more               = wagon_go(&w, 0.5 * i);
        const double *work = kane_simulation_state(w.simulation) + n;
        kane_get_energy(w.model, kane_simulation_work(w.simulation), &now);
        const double gained = now.kinetic + now.gravity - first.kinetic - first.gravity;
        check_figure(gained - work[0] - work[1] - work[2], "%s: energy",
                     strstr(way, "table") ? "tables" : "constraint");
        check_near(gained, work[0] + work[1] + work[2], limit * first.kinetic);
        assert_true(now.contact == 0.0);
    }
}

CHECK_TEST(energy_is_balanced)
{
    for (int i = 0; i < 2; i++) {
        check_energy(CONSTRAINT, tracks[i], 1e-10);
        check_energy(TABLES, tracks[i], 1e-10);
    }
}

CHECK_MAIN(NULL, NULL)
