// SPDX-License-Identifier: MIT
// Wheels that leave their rails and come back: with elastic contact they fly and land; a wheel that its rail guides
// cannot, and the run ends with the reason.

#include "property/wagon/journey.h"

#define ELASTIC "vehicle.patterns.wheelset.contact.model=elastic"
#define DEFECT(kind, shape, length, height)                                                                            \
    "track.irregularities={\"defects\":[{\"kind\":\"" kind "\",\"shape\":\"" shape "\",\"at\":25,\"length\":" length   \
    ",\"height\":" height "}]}"

static const char *const defects[] = {
    DEFECT("left_vertical", "cusp", "0.3", "-0.01"), // a dipped joint
    DEFECT("vertical", "cosine", "0.2", "-0.002"),   // a short dip of both rails
    DEFECT("left_vertical", "cosine", "2", "-0.03"), // a deep one of one
    DEFECT("vertical", "jog", "0.5", "0.01"),        // a step up
    DEFECT("lateral", "jog", "0.5", "0.01"),         // a flange strikes
    DEFECT("left_vertical", "jog", "0.1", "0.001"),  // just enough
};

enum { DEFECTS = sizeof defects / sizeof *defects };

// The empty wagon over a defect. It lands again, stands on all wheels in the end, and no energy is lost or won.
static void fly(const char *defect, const char *law, const char *more)
{
    const char *const settings[] = {ELASTIC, defect, law, "variant=tare", "until.distance=60", "output.work=true",
                                    more,    NULL};
    const journey j              = journey_make("wagon-ore", settings);
    journey_print(law + strlen(CONTACT), &j);
    print_message("    energy: %.6g J won, %.6g J of work, %.3g J into the contacts\n", j.gained, j.work, -j.losses);
    assert_int_equal(j.stop, KANE_STOP_DISTANCE);
    assert_true(j.in_the_air > 0.004 && j.in_the_air < 1.0);
    assert_true(j.most < 1e6 && j.shortest > 1e-6 && j.crowd < 500);
    check_near(j.gained, j.work, 5.0);
    assert_true(j.losses < -50.0);
}

CHECK_TEST(wheels_fly_and_land)
{
    for (int i = 0; i < DEFECTS; i++)
        fly(defects[i], CONTACT "creep=SHE", i == 3 ? "start.speed=35" : "start.speed=20");
}

CHECK_TEST(they_do_with_every_law)
{
    fly(defects[4], CONTACT "creep=linear", "start.speed=20");
    fly(defects[4], CONTACT "creep=FASTSIM", "start.speed=20");
    fly(defects[4], CONTACT "creep=Polach", "start.speed=20");
    fly(defects[0], CONTACT "creep=FASTSIM", CONTACT "traction_bound=elliptic");
    fly(defects[0], CONTACT "creep=Polach", CONTACT "falling_friction={\"ratio\": 0.4, \"decay\": \"0.6 s/m\"}");
}

CHECK_TEST(they_do_with_every_dissipation)
{
    fly(defects[1], CONTACT "creep=SHE", CONTACT "dissipation_law=none");
    fly(defects[1], CONTACT "creep=SHE", CONTACT "dissipation_law=Kelvin-Voigt");
}

CHECK_TEST(they_do_on_flexible_track)
{
    fly(defects[0], CONTACT "creep=SHE", "track.flexibility={}");
    fly(defects[2], CONTACT "creep=SHE", "track.flexibility={}");
    fly(defects[4], CONTACT "creep=FASTSIM", "track.flexibility={}");
}

// A dip under the left rail that the wheels cannot follow at 20 m/s.
CHECK_TEST(guided_wheels_stop_where_they_would_lift)
{
    static const char *const ways[] = {CONTACT "model=constraint", CONTACT "model=table"};
    for (int i = 0; i < 2; i++) {
        const char *const settings[] = {ways[i], defects[2], "variant=tare", "until.distance=60", NULL};
        const journey j              = journey_make("wagon-ore", settings);
        journey_print(ways[i] + strlen(CONTACT), &j);
        assert_int_equal(j.stop, KANE_STOP_WHEEL_LIFT);
        assert_string_equal(j.subject, "leading.left");
        // the dip of 2 m begins at 24 m, 9.5 m ahead of the leading wheelset
        assert_true(j.distance > 9.5 && j.distance < 10.0);
    }
}

// Rails that turn by 47 mrad: the tables end at 30.
CHECK_TEST(tables_say_where_they_end)
{
    CHECK_ERRORS errors = {0};
    CHECK_FREED(wagon) w =
        wagon_open_with("wagon-ore", CONTACT "model=table", DEFECT("lateral", "cosine", "2", "-0.03"), "variant=tare",
                        "until.distance=60");
    assert_int_equal(kane_simulation_advance(w.simulation, 10.0, &errors), KANE_INTEGRATION_FAILED);
    assert_int_equal(kane_simulation_stop(w.simulation), KANE_STOP_FAILED);
    assert_int_equal(errors.count, 2);
    assert_string_equal(kane_errors_get(&errors, 0)->subject, "leading");
    assert_string_equal(kane_errors_get(&errors, 0)->text,
                        "it is off the tables of contact: shifted by more than 10 mm, or turned by more than 30 mrad");
    check_near(kane_errors_get(&errors, 0)->distance + 4.5, 24.2, 0.2);
}

// Where the bodies are after 50 m.
static void arrive(const char *const *settings, double q[18])
{
    CHECK_ERRORS errors  = {0};
    CHECK_FREED(wagon) w = wagon_open("wagon-ore", settings);
    assert_int_equal(kane_simulation_advance(w.simulation, 100.0, &errors), KANE_OK);
    assert_int_equal(kane_simulation_stop(w.simulation), KANE_STOP_DISTANCE);
    wagon_coordinates(&w, q);
}

static double largest_heave(const double a[18], const double b[18])
{
    double most = 0.0;
    for (int i = 0; i < 18; i++)
        if (i % 6 == KANE_Z || i == KANE_PITCH) // wheelsets' pitch is how far they have rolled
            most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

// A short dip between two long steps on smooth track is not passed over, whatever holds the wheels: what it leaves
// behind is what it leaves with steps that are too short for that.
CHECK_TEST(nothing_is_passed_over)
{
    static const char *const ways[] = {ELASTIC, CONTACT "model=constraint", CONTACT "model=table"};
    for (int i = 0; i < 3; i++) {
        double smooth[18], seen[18], fine[18];
        arrive((const char *const[]){ways[i], "track.irregularities={}", "until.distance=50", NULL}, smooth);
        for (int k = 0; k < 10; k++) {
            char defect[256];
            (void)snprintf(defect, sizeof defect,
                           "track.irregularities={\"defects\":[{\"kind\":\"vertical\",\"shape\":"
                           "\"cosine\",\"at\":%g,\"length\":0.2,\"height\":-0.0003}]}",
                           40.0 + 0.37 * k);
            arrive((const char *const[]){ways[i], defect, "until.distance=50", NULL}, seen);
            arrive((const char *const[]){ways[i], defect, "until.distance=50", "integrator.max_step=1 ms", NULL}, fine);
            if (getenv("LIFT_SHOW"))
                print_message("%s %d: %g of %g\n", ways[i], k, largest_heave(seen, fine), largest_heave(fine, smooth));
            assert_true(largest_heave(seen, fine) < 0.25 * largest_heave(fine, smooth));
        }
    }
}

CHECK_MAIN(NULL, NULL)
