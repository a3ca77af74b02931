// SPDX-License-Identifier: MIT
// kane modes: its table, JSON, root locus and pictures, and what it says to those who ask for what is not there.

#include "unit/apps/program.h"

#include <sys/stat.h>

#define COACH KANE_SOURCE_DIR "/data/runs/coach-straight.json"
#define BOGIE KANE_SOURCE_DIR "/data/runs/cooperrider-bogie.json"

static void picture_is_there(const char *name)
{
    struct stat of;
    assert_int_equal(stat(name, &of), 0);
    assert_true(of.st_size > 2000);
}

// The numbers of the first line that ends with a name; returns how many modes have it.
static int row_of(const char *name, double values[4])
{
    const char *line = content("out");
    int found        = 0;
    for (; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const size_t length = strcspn(line, "\n"), own = strlen(name);
        int number, end                                = 0;
        double v[4];
        if (sscanf(line, "%d %lf %lf %lf %lf %*s %n", &number, &v[0], &v[1], &v[2], &v[3], &end) != 5)
            continue;
        if ((size_t)end + own != length || strncmp(line + end, name, own) != 0)
            continue;
        if (found++ == 0)
            memcpy(values, v, sizeof v);
    }
    return found;
}

CHECK_TEST(a_vehicle_that_does_not_stand_by_itself_is_told)
{
    (void)state; // the car's mass centre is 30 m high: it falls over; at 90 m/s both bogies hunt
    assert_int_equal(CALL("modes", COACH, "--set", "vehicle.bodies.car.at=[0,0,30]"), 0);
    expect("out", "\n1 mode grows: the equilibrium is not stable\n");
    assert_int_equal(CALL("modes", COACH, "--speed=90", "--highest=1"), 0);
    expect("out", "\n2 modes grow: the equilibrium is not stable\n");
    assert_int_equal(CALL("modes", COACH, "--undamped"), 0);
    assert_null(strstr(content("out"), "not stable"));
}

// Limits of frequency hide nothing that grows: both bogies hunt with 5.9 Hz.
CHECK_TEST(what_grows_is_shown_whatever_its_frequency)
{
    assert_int_equal(CALL("modes", COACH, "--speed=90", "--highest=1"), 0);
    int hunting = 0;
    for (const char *at = content("out"); (at = strstr(at, "(hunting)")) != NULL; at++)
        hunting++;
    assert_int_equal(hunting, 2);
    assert_int_equal(CALL("modes", COACH, "--over=speed=70:80:2", "--highest=1", "-o", "locus.csv"), 0);
    expect("err", "loses its damping at speed = 76.0");
}

CHECK_TEST(rounding_of_undamped_modes_is_no_crossing)
{
    assert_int_equal(CALL("modes", KANE_SOURCE_DIR "/data/runs/mechanism-heavy-top.json", "--over",
                          "mechanism.bodies.top.mass=1,2,3"),
                     0);
    expect("err", "no mode gains or loses its damping");
}

CHECK_TEST(the_table_names_the_modes)
{
    double v[4];
    assert_int_equal(CALL("modes", COACH, "--speed=30"), 0);
    expect("out", "Manchester benchmark vehicle 1, run coach-straight, 30 m/s, straight");
    assert_int_equal(row_of("car bounce", v), 1);
    check_near(v[2], 1.07, 0.005);
    check_relative(v[1], 2.0 * 3.14159265358979323846 * v[2], 1e-5);
    check_relative(v[3], -100.0 * v[0] / hypot(v[0], v[1]), 1e-5);
    assert_int_equal(row_of("car lower sway", v), 1);
    assert_int_equal(row_of("car upper sway", v), 1);
    assert_int_equal(row_of("car pitch", v), 1);
    assert_int_equal(row_of("leading bogie, trailing bogie bounce (in phase)", v), 1);
    assert_int_equal(row_of("leading bogie, trailing bogie bounce (opposed)", v), 1);
    assert_int_equal(row_of("wheelset 1, wheelset 2 longitudinal (opposed)", v), 1);
    expect("out", "of more than 30 Hz not shown");
    assert_null(strstr(content("out"), "not stable"));
    expect("out", "Nothing depends on: wheelset 1.pitch");
}

CHECK_TEST(all_modes_and_all_digits_can_be_had)
{
    double v[4];
    assert_int_equal(CALL("modes", COACH, "--speed=30", "--all", "--digits=all", "--shapes"), 0);
    assert_null(strstr(content("out"), "not shown"));
    assert_int_equal(row_of("car bounce", v), 1);
    check_relative(v[1], 2.0 * 3.14159265358979323846 * v[2], 1e-15);
    expect("out", "shapes: amplitudes for 1 m of the largest displacement\nmode  body ");
    const char *shape = strstr(content("out"), "\n  15  car "); // widths of columns follow their longest digits
    char coordinate[8], unit[8];
    double amplitude, phase;
    assert_non_null(shape);
    assert_int_equal(sscanf(shape, " 15 car %7s %lf %7s %lf\n", coordinate, &amplitude, unit, &phase), 4);
    assert_string_equal(coordinate, "z");
    assert_string_equal(unit, "m");
    check_near(amplitude, 1.0, 1e-15); // a complex number over its own size: roundings
    check_near(phase, 0.0, 1e-15);
}

// Springs only: 1.07 and 7.47 Hz are published.
CHECK_TEST(springs_alone_have_the_published_frequencies)
{
    double v[4];
    assert_int_equal(CALL("modes", COACH, "--undamped", "--speed=30"), 0);
    expect("out", "undamped");
    assert_int_equal(row_of("car bounce", v), 1);
    check_near(v[2], 1.07, 0.005);
    assert_int_equal(row_of("leading bogie, trailing bogie bounce (in phase)", v), 1);
    check_near(v[2], 7.47, 0.005);
    check_near(v[0], 0.0, 1e-9);
}

CHECK_TEST(json_has_shapes_and_shares)
{
    assert_int_equal(CALL("modes", COACH, "--json", "--radius=-800", "--cant=100 mm", "--speed=90 km/h"), 0);
    expect("out", "\"curvature\": -0.00125");
    expect("out", "\"superelevation\": -0.1");
    expect("out", "\"speed\": 25");
    expect("out", "\"kind\": \"oscillates\"");
    expect("out", "\"wheelset 4\": {");
    expect("out", "\"energy\": [");
}

// The bogie's linear critical speed stands in vehicles/cooperrider.md.
CHECK_TEST(the_root_locus_finds_the_critical_speed)
{
    double speed = 0.0, frequency = 0.0;
    int branch = 0;
    assert_int_equal(CALL("modes", BOGIE, "--over=speed=50:75:step=5", "-o", "locus.csv", "-o", "locus.png"), 0);
    assert_string_equal(content("out"), "");
    const char *told = strstr(content("err"), "loses its damping at speed = ");
    assert_non_null(told);
    assert_int_equal(
        sscanf(told, "loses its damping at speed = %lf m/s: branch %d, %lf Hz", &speed, &branch, &frequency), 3);
    check_near(speed, 62.61, 0.01);
    check_near(frequency, 3.693, 0.002);
    assert_true(branch > 0);
    expect("locus.csv", "speed,branch,re,im,frequency,damping,name\nm/s,1,1/s,1/s,Hz,1,\n50,");
    expect("locus.csv", "\n75,");
    picture_is_there("locus.png");

    assert_int_equal(CALL("modes", BOGIE, "--speed=62", "--over=vehicle.bodies.bogie.mass=2500,3000,3500"), 0);
    expect("out", "vehicle.bodies.bogie.mass,branch,");
    expect("err", "loses its damping at vehicle.bodies.bogie.mass = 3");
    assert_int_equal(CALL("modes", BOGIE, "--over=speed=20:30:3"), 0);
    expect("err", "no mode gains or loses its damping");
}

// An entry of a list is a parameter like any other: the lateral secondary dampers of the coach.
CHECK_TEST(one_number_of_a_list_can_be_varied)
{
    assert_int_equal(CALL("modes", COACH, "--speed=60", "--over=vehicle.patterns.secondary.damping[1]=20,40 kN s/m"),
                     0);
    expect("out", "vehicle.patterns.secondary.damping[1],branch,re,im,frequency,damping,name\nkN s/m,1,");
    expect("out", "\n40,");
    assert_int_not_equal(CALL("modes", COACH, "--over=vehicle.patterns.secondary.damping[3]=2e4,4e4"), 0);
    expect("err", "found a list of 3, it has no element [3]; the first one is [0]");
}

// Beyond the critical speed no crossing is left to be found: where it begins is told.
CHECK_TEST(what_is_unstable_at_first_is_told)
{
    assert_int_equal(CALL("modes", BOGIE, "--over=speed=70:80:3"), 0);
    expect("err", "already unstable at speed = 70 m/s or less: branch ");
    expect("err", "(hunting)\n");
    assert_int_equal(CALL("modes", BOGIE, "--over=speed=75:50:step=-5"), 0);
    expect("err", "already unstable at speed = 75 m/s or more: branch ");
    expect("err", "gains damping at speed = 62.6");
}

// A:B:N was A:B:STEP here: where it could be meant, N is told. Short names and parts of files as everywhere.
CHECK_TEST(ranges_are_counts_of_values)
{
    assert_int_equal(CALL("modes", BOGIE, "--over=speed=20:30:2"), 0);
    expect("err", "--over speed=20:30:2: 2 values from 20 to 30; steps of 2 are written speed=20:30:step=2\n");
    assert_null(strstr(content("out"), "\n22,"));
    assert_int_equal(CALL("modes", BOGIE, "--over=speed=20:30:3"), 0);
    assert_null(strstr(content("err"), "steps of"));
    expect("out", "\n25,");
    assert_int_equal(CALL("modes", BOGIE, "--speed=20", "--over=friction=0.2,0.3"), 0);
    expect("out", "friction,branch,");
    assert_int_equal(CALL("modes", BOGIE, "--speed=20", "--over=bodies.bogie.mass=2500:3500:step=500"), 0);
    expect("out", "bodies.bogie.mass,branch,");
    expect("out", "\n3000,");
    assert_int_equal(CALL("modes", BOGIE, "--speed=20", "--over=radius=300,inf"), 0);
    expect("out", "\ninf,");
}

CHECK_TEST(pictures_are_drawn)
{
    assert_int_equal(CALL("modes", COACH, "-o", "plane.svg"), 0);
    picture_is_there("plane.svg");
    expect("plane.svg", "oscillates");
    assert_int_equal(CALL("modes", COACH, "--speed=50", "--shape=17", "-o", "shape.svg"), 0);
    picture_is_there("shape.svg");
    assert_int_equal(system("for t in 'side view' 'end view' 'plan view' 'at rest' wheels 'springs, dampers, rods' "
                            "'Manchester benchmark vehicle 1, run coach-straight, 50 m/s'; do "
                            "grep -q \"$t\" shape.svg || exit 1; done"),
                     0);
    assert_int_equal(CALL("modes", COACH, "--shape=1000", "-o", "shape.svg"), 3);
    expect("err", "there is no mode 1000; modes are 1 to ");
}

// The same numbers in every file; HDF5 as a result file.
CHECK_TEST(the_table_goes_to_files_of_every_kind)
{
    CHECK_ERRORS errors = {0};
    assert_int_equal(CALL("modes", COACH, "-o", "m.csv", "-o", "m.json", "-o", "m.h5", "-o", "m.txt"), 0);
    assert_string_equal(content("out"), "");
    expect("m.csv", "mode,re,im,frequency,natural_frequency,damping,kind,name\n1,1/s,1/s,Hz,Hz,1,,\n");
    expect("m.json", "\"natural_frequency\"");
    expect("m.txt", "damping [%]");
    assert_int_equal(CALL("modes", COACH, "--speed=50", "--shapes", "-o", "both.csv"), 0);
    expect("both.csv", "# modes\nmode,re,im,");
    expect("both.csv", "\n# shapes\nmode,body,coordinate,amplitude,unit,phase\n1,,,,,rad\n");
    CHECK_OWNED(kane_results) *r = CHECK_GOOD(kane_results_open, "m.h5");
    assert_int_equal(kane_results_column_count(r), 6);
    const int im = kane_results_find(r, "im", &errors), frequency = kane_results_find(r, "frequency", &errors);
    assert_string_equal(kane_results_column(r, frequency)->unit, "Hz");
    for (int i = 0; i < kane_results_row_count(r); i++)
        check_near(kane_results_values(r, frequency)[i], kane_results_values(r, im)[i] / 6.283185307179586, 1e-9);
}

CHECK_TEST(what_does_not_go_together_is_refused)
{
    assert_int_equal(CALL("modes", COACH, "--shape=3"), 2);
    expect("err", "--shape needs --output");
    assert_int_equal(CALL("modes", COACH, "--shapes", "--over=speed=10:20:5"), 2);
    assert_int_equal(CALL("modes", COACH, "-o", "x.pdf"), 2);
    assert_int_equal(CALL("modes", COACH, "--digits=20"), 2);
    assert_int_equal(CALL("modes", COACH, "--shape=1.5", "-o", "x.svg"), 2);
    assert_int_equal(CALL("modes"), 2);
    assert_int_equal(CALL("modes", "nothing.json"), 6);
    assert_int_equal(CALL("modes", COACH, "--over=speed=50:40"), 3);
    assert_int_equal(CALL("modes", COACH, "--over=speed=40:50:2.5"), 3);
    expect("err", "'2.5' is not a count of values");
    expect("err", "here 40:50:step=2.5");
    assert_int_equal(CALL("modes", COACH, "--over=shape=bloss,cosine"), 3);
    expect("err", "'bloss' is not a number");
}

CHECK_MAIN(enter_folder, leave_folder)
