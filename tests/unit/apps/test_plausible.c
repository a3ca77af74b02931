// SPDX-License-Identifier: MIT
// kane check of what is allowed and can hardly be meant: each mistake raises one doubt that names it, with what was
// found and what is usual; vehicles that are unusual but real raise none. The numbers expected are by hand.

#include "program.h"

#define RUNS  KANE_SOURCE_DIR "/data/runs/"
#define COACH RUNS "coach-curve.json"

static int count_warnings(const char *text)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, "doubtful: ")) != NULL; at++)
        count++;
    return count;
}

// One doubt, with all of these texts in its line.
static void expect_one(const char *setting, const char *const *texts)
{
    const char *out = content("out"), *line = strstr(out, "doubtful: ");
    if (count_warnings(out) != 1)
        fail_msg("%s raises %d doubts:\n%s", setting, count_warnings(out), line ? line : "");
    for (; *texts; texts++)
        if (!strstr(line, *texts))
            fail_msg("%s: '%s' is not in\n%s", setting, *texts, line);
}

#define DOUBT(file, setting, ...)                                                                                      \
    do {                                                                                                               \
        assert_int_equal(CALL("check", file, "-s", setting), 0);                                                       \
        expect_one(setting, (const char *const[]){__VA_ARGS__, "; usual: ", NULL});                                    \
    } while (0)

// 34 t g/4 = 83.385 kN on each side of a wheelset, over 15 N/m: 5559 m.
CHECK_TEST(springs_that_hold_nothing)
{
    DOUBT(RUN, "vehicle.patterns.axlebox.stiffness=[3e6, 1.5e6, 15]", "patterns.axlebox.stiffness",
          "static deflection of 'leading axlebox right' (and 3 others) is 5559 m under 83.39 kN", "ISO 2631-1");
    DOUBT(RUN, "vehicle.patterns.axlebox.stiffness=[15,15,15]", "static deflection", "5559 m");
    DOUBT(RUN, "vehicle.elements.leading axlebox.stiffness=[3e6,15,1.2e6]",
          "'leading axlebox right' (and 1 other) would give way along y by 5559 m");
    DOUBT(RUN, "vehicle.patterns.axlebox.stiffness=[15,1.5e6,1.2e6]", "would give way along x by 5559 m");
    // 32 t g/4 = 78.48 kN
    DOUBT(COACH, "vehicle.patterns.secondary.stiffness=[160e3,160e3,430]", "secondary right'",
          "182.5 m under 78.48 kN");
}

CHECK_TEST(springs_that_are_rods)
{
    DOUBT(RUN, "vehicle.patterns.axlebox.stiffness=[3e9,1.5e9,1.2e9]", "'body' bounces at", "0.3 to 3 Hz");
}

// Springs 1 m beside the middle hold the car by 4 x 430 kN/m x 1 m^2 = 1.72 MN m/rad; its weight of 314 kN, 8.2 m above
// them, wants 2.57.
CHECK_TEST(bodies_that_tip_over)
{
    assert_int_equal(
        CALL("check", COACH, "-s", "vehicle.bodies.car.at=[0,0,9]", "-s", "vehicle.patterns.anti-roll bar.stiffness=1"),
        0);
    expect_one("a tall car",
               (const char *const[]){"bodies.car", "it is not at rest: 'car lateral' grows", "; usual: ", NULL});
}

CHECK_TEST(masses_that_do_not_fit)
{
    DOUBT(RUN, "vehicle.bodies.body.mass=44", "bodies.body.mass", "the mass of 'body' is 44 kg",
          "'leading' has 1250 kg");
    DOUBT(COACH, "vehicle.bodies.car.mass=44", "the mass of 'car' is 44 kg", "'leading bogie' has 2615 kg");
    // (440 t + 2 x 1.25 t)/2
    DOUBT(RUN, "vehicle.bodies.body.mass=440 t", "221.2 t a wheelset", "EN 15528");
    DOUBT(RUN, "vehicle.patterns.wheelset.mass=1.25", "the mass of 'leading' is 1.25 kg, 1/2.72e+04 of that of 'body'");
}

CHECK_TEST(ends_that_lie_elsewhere)
{
    DOUBT(RUN, "vehicle.elements.leading axlebox.at=[6.5,1.0,0.46]", "elements.\"leading axlebox\".at",
          "lies 2 m from the axle of 'leading'", "up to 0.92 m");
    DOUBT(COACH, "vehicle.elements.axlebox 1.at=[10.78,1,2.46]", "lies 2 m from the axle of 'wheelset 1'");
    // half of the bar: sqrt(3 x 3067/2615) = 1.88 m
    DOUBT(COACH, "vehicle.elements.leading traction rod.to=[14.5,0,0.6]", "traction rod'",
          "lies 5 m from the mass centre of 'leading bogie'", "up to 1.88 m");
}

CHECK_TEST(speeds_and_cants)
{
    DOUBT(RUN, "start.speed=160", "start.speed", "starts at 160 m/s (576 km/h)", "360 km/h, EN 13803");
    DOUBT(RUN, "track.sections[1].to.cant=1.2", "sections[1]", "the cant (and 1 other) is 1200 mm", "up to 180 mm");
    // 1.5 m x 50^2 m^2/s^2/(9.81 m/s^2 x 600 m) - 0.12 m
    DOUBT(COACH, "start.speed=50", "start.speed", "at 50 m/s the cant deficiency", "is 517.1 mm", "306 mm (EN 13803)");
    DOUBT(RUN, "track.sections[1].to.cant=-20 mm", "the cant of 20 mm raises the inner rail, the first of 2 sections",
          "below 5 mm");
    assert_int_equal(CALL("check", RUN, "-s", "track.sections[1].to.cant=-0.1 mm"), 0);
    assert_int_equal(count_warnings(content("out")), 0);
    assert_int_equal(CALL("check", KANE_SOURCE_DIR "/data/tracks/coach-curve.json", "-s", "sections[1].to.cant=1.2"),
                     0);
    expect_one("a track alone",
               (const char *const[]){"coach-curve.json: sections[1]: the cant (and 1 other) is 1200 mm", NULL});
}

// One wrong support is one error, which names what else cannot rest.
CHECK_TEST(one_wrong_support_is_one_error)
{
    static const char *const settings[] = {
        "vehicle.elements.leading secondary.at=[-9.5,1,0.8275]",
        "vehicle.patterns.axlebox.stiffness=[0,0,0]",
        "vehicle.patterns.secondary.mirror=false",
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        assert_int_equal(CALL("check", COACH, "-s", settings[i]), 3);
        const char *first = strstr(content("err"), "error: ");
        assert_non_null(first);
        assert_null(strstr(first + 1, "error: "));
        assert_non_null(strstr(first, "cannot rest: "));
        assert_non_null(strstr(first, "; nor can '"));
    }
}

// Wheels stand at their static height, which the rails are not at: 1 mm of height against a contact of about 1 GN/m.
CHECK_TEST(a_start_on_irregular_rails_is_said)
{
    assert_int_equal(CALL("run", RUNS "wagon-irregular.json", "-s", "until.distance=0.1", "-o", "hit", "-s",
                          "track.irregularities.fade_in={\"from\": 0, \"length\": 0}"),
                     0);
    expect("err", "the start hits irregular rails: the ");
    expect("err", "at rest with 8");
    expect("err", "\"fade_in\" of the irregularities");
    assert_int_equal(CALL("run", RUNS "wagon-irregular.json", "-s", "until.distance=0.1", "-o", "smooth"), 0);
    assert_null(strstr(content("err"), "hits"));
}

// A light rail car: 5.2 t a wheelset, wheels of 0.66 m, soft springs.
CHECK_TEST(light_rail_cars_raise_none)
{
    write_file(
        "tram.json",
        "{\"kane\": \"vehicle 1\", \"name\": \"light rail car\", \"reference_body\": \"body\", \"patterns\": {"
        "\"wheelset\": {\"mass\": 750, \"inertia\": [380, 25, 380], \"radius\": 0.33, \"profile\": \"S1002\"},"
        "\"bogie\": {\"mass\": 1900, \"inertia\": [900, 1100, 1800]},"
        "\"primary\": {\"law\": \"bushing\", \"mirror\": true, \"stiffness\": [1e7, 5e6, 1.1e6], \"damping\": [5e3, 5e3, 4e3]},"
        "\"secondary\": {\"law\": \"bushing\", \"mirror\": true, \"stiffness\": [1.2e5, 1.2e5, 2.8e5],"
        "\"damping\": [1e4, 1.2e4, 1e4]}},"
        "\"bodies\": {\"body\": {\"mass\": \"14 t\", \"inertia\": [18000, 260e3, 255e3], \"at\": [0, 0, 1.5]},"
        "\"front\": {\"like\": \"bogie\", \"at\": [3.75, 0, 0.42]}, \"rear\": {\"like\": \"bogie\", \"at\": [-3.75, 0, 0.42]}},"
        "\"wheelsets\": {\"1\": {\"like\": \"wheelset\", \"at\": 4.65}, \"2\": {\"like\": \"wheelset\", \"at\": 2.85},"
        "\"3\": {\"like\": \"wheelset\", \"at\": -2.85}, \"4\": {\"like\": \"wheelset\", \"at\": -4.65}},"
        "\"elements\": {\"a\": {\"like\": \"primary\", \"between\": [\"front\", \"1\"], \"at\": [4.65, 0.55, 0.33]},"
        "\"b\": {\"like\": \"primary\", \"between\": [\"front\", \"2\"], \"at\": [2.85, 0.55, 0.33]},"
        "\"c\": {\"like\": \"primary\", \"between\": [\"rear\", \"3\"], \"at\": [-2.85, 0.55, 0.33]},"
        "\"d\": {\"like\": \"primary\", \"between\": [\"rear\", \"4\"], \"at\": [-4.65, 0.55, 0.33]},"
        "\"e\": {\"like\": \"secondary\", \"between\": [\"body\", \"front\"], \"at\": [3.75, 0.8, 0.6]},"
        "\"f\": {\"like\": \"secondary\", \"between\": [\"body\", \"rear\"], \"at\": [-3.75, 0.8, 0.6]}}}");
    assert_int_equal(CALL("check", "tram.json"), 0);
    assert_int_equal(count_warnings(content("out")), 0);
}

CHECK_MAIN(enter_folder, leave_folder)
