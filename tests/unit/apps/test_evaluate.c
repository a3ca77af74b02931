// SPDX-License-Identifier: MIT
// kane evaluate: its table, CSV, JSON and spectra of real runs, and what it says to those who ask for what is not
// there.

#include "runs.h"
#include "unit/apps/program.h"

#include "base/json.h"

#define CURVE KANE_SOURCE_DIR "/data/runs/coach-curve.json"
#define ROUGH KANE_SOURCE_DIR "/data/runs/coach-irregular.json"

// Runs that the tests evaluate: one with all that is needed, as CSV, and the coach on irregular track.
static int carry_out(void **state)
{
    if (enter_folder(state) != 0)
        return -1;
    const int curve = CALL("run", CURVE, "-q", "--format=csv", "-o", "curve", "-s",
                           "output.channels=[\"*.Q\",\"*.Y\",\"*.T_gamma\",\"floor*\",\"track.*\"]");
    const int rough = CALL("run", ROUGH, "-q", "-o", "rough", "-s", "until.distance=500", "-s",
                           "output.channels=[\"*.Q\",\"*.Y\",\"*.T_gamma\",\"floor*\",\"track.*\"]");
    return curve == 0 && rough == 0 ? 0 : -1;
}

// A value of the table in the JSON that stands in "out".
static double value_of(const char *of, const char *quantity, const char *column)
{
    CHECK_ERRORS errors            = {0};
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    const kane_node *root          = kane_json_read(arena, "out", &errors), *row;
    int at                         = 0;
    check_no_errors(&errors);
    while (strcmp(kane_node_at(kane_node_find(root, "columns"), at)->text, column) != 0)
        at++;
    for (row = kane_node_find(root, "rows")->child; row; row = row->next)
        if (strcmp(kane_node_at(row, 0)->text, of) == 0 && strcmp(kane_node_at(row, 1)->text, quantity) == 0)
            return kane_node_at(row, at)->kind == KANE_NODE_NUMBER ? kane_node_at(row, at)->number : (double)NAN;
    fail_msg("there is no %s of %s", quantity, of);
    return (double)NAN;
}

// Curve of 600 m with 120 mm at 30 m/s: a coach whose weight and centrifugal force are known.
CHECK_TEST(a_steady_curve_has_the_forces_of_statics)
{
    const double g = 9.81, theta = asin(0.12 / 1.5), lateral = 30.0 * 30.0 / 600.0 * cos(theta) - g * sin(theta);
    const double vertical            = 30.0 * 30.0 / 600.0 * sin(theta) + g * cos(theta),
                 mass                = 32000.0 + 2.0 * 2615.0 + 4.0 * 1813.0;
    static const char *const sides[] = {"left", "right"};
    double Q = 0.0, Y = 0.0;
    assert_int_equal(CALL("evaluate", "curve", "--json", "--from=300"), 0);
    for (int wheel = 0; wheel < 8; wheel++) {
        char name[32];
        (void)snprintf(name, sizeof name, "wheelset %d.%s", wheel / 2 + 1, sides[wheel % 2]);
        Q += value_of(name, "Q_qst", "value");
        Y += (wheel % 2 ? 1.0 : -1.0) * value_of(name, "Y_qst", "value");              // to the right
        check_relative(value_of(name, "Q_max", "limit"), 90e3 + mass * g / 8.0, 1e-6); // 108 km/h: below 200 kN
        assert_true(value_of(name, "T_gamma", "value") > 0.0);
    }
    check_relative(Q, mass * vertical, 2e-3);
    check_relative(Y, mass * lateral, 1e-2);
    check_relative(value_of("wheelset 2", "sum_Y", "limit"), 10e3 + mass * g / 12.0, 1e-6);
    // the body leans outward on its springs: a little more than in the track plane
    const double felt = value_of("floor middle", "y_qst", "value");
    assert_true(felt > lateral && felt < 1.4 * lateral);
    check_near(value_of("floor front", "z_rms", "value"), 0.0, 0.01);
    expect("out", "\"speed\": 30");
}

CHECK_TEST(the_table_has_limits_and_remarks)
{
    assert_int_equal(CALL("evaluate", "rough"), 0);
    expect("out", "rough: 0 m to 500 m, up to 144 km/h; limits of a coach");
    expect("out", "wheels                    Q_max [kN]   unloading   lift_offs   Y_max [kN]       Y/Q");
    expect("out", "\nwheelset 3.right");
    expect("out", "\nfloor middle");
    expect("out", "\nused [%]");
    expect("out", "nearest to its limit, or furthest beyond: ");
    expect("out", "quasi-static values are those of a full curve: there is none in this section");
    assert_int_equal(CALL("evaluate", "rough", "-o", "rough.csv", "-o", "rough.txt", "--section=100"), 0);
    assert_string_equal(content("out"), "");
    expect("rough.csv", "of,quantity,unit,value,limit,used,at,sections,mean,deviation,factor,kind,about\n");
    expect("rough.csv", "\nwheelset 1.left,Y/Q,1,0.");
    expect("rough.csv", "\nwheelset 4,sum_Y,N,");
    expect("rough.txt", "estimated maxima from sections of 100 m");
    expect("rough.txt", "EN 14363 asks for 25 sections of each zone, there are 5");
    assert_int_equal(CALL("evaluate", "rough", "--json", "--section=100"), 0);
    expect("out", "\"section\": 100");
    check_relative(value_of("wheelset 1.left", "Y/Q", "value"),
                   value_of("wheelset 1.left", "Y/Q", "mean") + 3.0 * value_of("wheelset 1.left", "Y/Q", "deviation"),
                   1e-12);
}

// Exit status 5 only if it is asked for.
CHECK_TEST(a_run_that_did_not_end_is_told)
{
    assert_int_equal(CALL("run", CURVE, "-q", "-o", "derailed", "-s", "track.sections[*].to.radius=120", "-s",
                          "output.channels=[\"*.Q\",\"floor*\"]"),
                     5);
    assert_int_equal(CALL("evaluate", "derailed"), 0);
    expect("out", "the run did not come to its end: stopped, wheel lift");
    assert_int_equal(CALL("evaluate", "curve"), 0);
    assert_null(strstr(content("out"), "did not come to its end"));
    assert_null(strstr(content("out"), "had not ended"));
}

CHECK_TEST(limits_can_be_checked)
{
    assert_int_equal(CALL("evaluate", "rough", "--check"), 0);
    assert_int_equal(CALL("evaluate", "rough", "--check", "--static-load=200000"), 5); // more than the wheels carry
    expect("out", "EXCEEDED");
    expect("out", "!");
    assert_int_equal(CALL("evaluate", "rough", "--static-load=200000"), 0);
    assert_int_equal(CALL("evaluate", "rough", "--class=locomotive", "--sensor=floor rear"), 0);
    expect("out", "limits of a locomotive");
    assert_null(strstr(content("out"), "floor front"));
}

// Limits of car bodies, the heaviest of each vehicle of a train, are not those of frames and wheelsets.
CHECK_TEST(sensors_beside_car_bodies_are_told)
{
    assert_int_equal(CALL("run", CURVE, "-q", "-o", "frame", "-s", "until.distance=5", "-s",
                          "vehicle.sensors.frame={\"on\": \"leading bogie\", \"at\": [9.5, 0, 0.6]}"),
                     0);
    assert_int_equal(CALL("evaluate", "frame"), 0);
    expect("out", "accelerometer 'frame' is not judged: it is on 'leading bogie', which is no car body");
    assert_null(strstr(content("out"), "accelerometer 'floor front'"));
    assert_int_equal(CALL("evaluate", "frame", "--sensor=car"), 0);
    assert_null(strstr(content("out"), "is not judged"));
    assert_int_equal(CALL("evaluate", "frame", "--sensor=wheelset 1"), 0);
    expect("out", "it is on 'wheelset 1', a wheelset or an axle box, whose limit --axle-box-limit gives");
    // the last wagon is empty: lighter than a third of the others, but the heaviest body of its own
    assert_int_equal(CALL("run", KANE_SOURCE_DIR "/data/runs/wagon-train.json", "-q", "-o", "train", "-s",
                          "until.time=0.1", "-s", "output.channels=[\"* floor front*\"]"),
                     0);
    assert_int_equal(CALL("evaluate", "train"), 0);
    expect("out", "accelerometer 'last floor rear': not all its channels are there");
    assert_null(strstr(content("out"), "is not judged"));
}

// A sine of the track comes out at its wave number.
CHECK_TEST(spectra_are_drawn_and_tabulated)
{
    struct stat of;
    double best = 0.0, at = 0.0, f, y, z;
    assert_int_equal(CALL("run", KANE_SOURCE_DIR "/data/runs/wagon-irregular.json", "-q", "-o", "waves", "-s",
                          "output.channels=[\"track.lateral\",\"track.vertical\"]"),
                     0);
    assert_int_equal(CALL("evaluate", "waves", "--psd=track.*l", "--against=distance", "--from=40", "-o", "waves.csv",
                          "-o", "waves.svg"),
                     0);
    assert_string_equal(content("out"), "");
    expect("waves.svg", "wave number [1/m], logarithmic");
    expect("waves.svg", "density [m² m], logarithmic");
    expect("waves.csv", "frequency,track.lateral,track.vertical\n1/m,m^2 m,m^2 m\n");
    for (const char *line = strchr(content("waves.csv"), '\n') + 1; (line = strchr(line, '\n')) != NULL; line++)
        if (sscanf(line, "\n%lf,%lf,%lf", &f, &y, &z) == 3 && y > best) {
            best = y;
            at   = f;
        }
    check_near(at, 1.0 / 21.0, 0.01); // of 1.2 mm
    assert_int_equal(CALL("evaluate", "rough", "--psd=floor*.y", "-o", "floor.png", "--resolution=0.5"), 0);
    assert_int_equal(stat("floor.png", &of), 0);
    assert_int_equal(CALL("evaluate", "rough", "--psd=floor middle.acceleration.y"), 0);
    expect("out", "Hz,(m/s^2)^2/Hz\n");
    assert_int_equal(CALL("evaluate", "rough", "--beside=rough", "--psd=floor middle.acceleration.y"), 0);
    expect("out", "frequency,rough: floor middle.acceleration.y,rough: floor middle.acceleration.y\n");
    assert_int_equal(CALL("evaluate", "rough", "--beside=waves", "--psd=*.distance"), 3);
}

// Results of twice the size are 6.02 dB away in one of two channels, 4.26 in both; the nearest stand first.
CHECK_TEST(spectra_are_compared)
{
    static const char *const names[] = {"one.csv", "two.csv"};
    for (int k = 0; k < 2; k++) {
        FILE *file = fopen(names[k], "w");
        assert_non_null(file);
        (void)fputs("time,a,b\n", file);
        for (int i = 0; i < 2000; i++)
            (void)fprintf(file, "%.17g,%.17g,%.17g\n", 0.01 * i, (k + 1) * sin(20.0 * i * i), sin(3.0 * i * i));
        assert_int_equal(fclose(file), 0);
    }
    assert_int_equal(CALL("evaluate", "one.csv", "--beside=two.csv", "--beside=one.csv", "--psd=a,b", "--resolution=1",
                          "--compare=5,20"),
                     0);
    expect("out", "difference [dB]     a  b\none.csv                0     0  0\ntwo.csv             4.26  6.02  0\n");
    assert_int_equal(CALL("evaluate", "one.csv", "--beside=two.csv", "--psd=a,b", "--compare=5,20", "-o", "by.csv"), 0);
    expect("by.csv", "results,difference,a,b\n,dB,dB,dB\n\"two.csv\",4.2572");
}

// Sines of known amplitudes in a file that another program could have written: the sum over the lines of one, times
// their distance, is half the square of its amplitude; a mean does not count.
CHECK_TEST(spectra_have_the_sizes_of_sines)
{
    static const double frequencies[] = {3.0, 12.5, 47.3}, amplitudes[] = {2.0, 0.5, 0.1};
    const double pi = 3.14159265358979323846;
    double sums[3] = {0.0}, f, density, last = 0.0, step = 0.0;
    int lines   = 0;
    FILE *sines = fopen("sines.csv", "w");
    assert_non_null(sines);
    (void)fputs("time,distance,a\n", sines);
    for (int k = 0; k < 20000; k++) {
        const double t = 0.005 * k;
        double x       = 1.5;
        for (int i = 0; i < 3; i++)
            x += amplitudes[i] * sin(2.0 * pi * frequencies[i] * t + i);
        (void)fprintf(sines, "%.17g,%.17g,%.17g\n", t, 20.0 * t, x);
    }
    assert_int_equal(fclose(sines), 0);
    assert_int_equal(CALL("evaluate", "sines.csv", "--psd=a", "--resolution=0.1", "-o", "lines.csv", "-o", "lines.svg",
                          "-o", "lines.h5"),
                     0);
    assert_string_equal(content("out"), "");
    assert_int_equal(access("lines.svg", R_OK), 0);
    assert_int_equal(access("lines.h5", R_OK), 0);
    expect("lines.csv", "frequency,a\nHz,1/Hz\n");
    for (const char *line = strchr(content("lines.csv"), '\n') + 1; (line = strchr(line, '\n')) != NULL; line++)
        if (sscanf(line, "\n%lf,%lf", &f, &density) == 2) {
            step = f - last;
            last = f;
            lines++;
            for (int i = 0; i < 3; i++)
                sums[i] += fabs(f - frequencies[i]) <= 1.0 ? density : 0.0;
        }
    assert_int_equal(lines, 1025);
    check_near(last, 100.0, 1e-9);
    for (int i = 0; i < 3; i++)
        check_relative(step * sums[i], 0.5 * amplitudes[i] * amplitudes[i], 1e-5);
}

CHECK_TEST(mistakes_have_their_messages)
{
    static const struct {
        const char *arguments[5];
        int code;
        const char *message;
    } rows[] = {
        {{NULL}, 2, "which result file?"},
        {{"curve", "rough"}, 2, "one result file at a time"},
        {{"nowhere"}, 6, "nowhere: cannot be read: No such file or directory"},
        {{"empty.csv"}, 3, "the file is empty"},
        {{"headings.csv"}, 3, "there are no rows"},
        {{"other.csv"}, 3, "there is no column 'distance': only a run along a track can be evaluated"},
        {{"curve", "--class=tram"}, 2, "there is no class 'tram': coach, locomotive, bogie-wagon, two-axle-wagon"},
        {{"curve", "--from=now"}, 2, "'now' is not a number"},
        {{"curve", "--from=500"}, 3, "there are rows from 0 m to"},
        {{"curve", "--from=50", "--to=20"}, 2, "the section from 50 m to 20 m is empty"},
        {{"curve", "--sensor=flor front"},
         3,
         "did you mean 'floor front'? known: floor front, floor middle, floor rear"},
        {{"curve", "--static-load=-3"}, 2, "the static load must be positive"},
        {{"curve", "--section=1000"}, 3, "sections of 1000 m: there are "},
        {{"curve", "--against=distance"}, 2, "--against, --beside, --compare and --resolution want --psd"},
        {{"curve", "--psd=*.Q", "--check"}, 2, "--psd makes spectra"},
        {{"curve", "--psd=*.Q", "--against=chainage"}, 2, "over time or over distance, not over 'chainage'"},
        {{"curve", "--psd=*.Q", "--compare=1,5"}, 2, "--compare wants --beside"},
        {{"curve", "--psd=*.Q", "--beside=curve", "--compare=5"}, 2, "--compare wants two ascending frequencies"},
        {{"curve", "--psd=*.Q", "--beside=curve", "--compare=1,5", "-oq.svg"}, 2, "a table, no picture"},
        {{"curve", "--psd=*.Q", "--beside=curve", "--compare=1,1.001"}, 3, "no frequency is there"},
        {{"curve", "--psd=*.Q", "-o", "q.pdf"}, 2, "q.pdf: a picture's name ends in .svg or .png"},
        {{"curve", "--psd=flor*"}, 3, "no column is called 'flor*'"},
        {{"curve", "--psd=*.Q", "--resolution=1000"}, 3, "a resolution of 1000 Hz is too coarse: at most "},
        {{"curve", "--psd=*.Q", "--resolution=0.001"}, 3, "a resolution of 0.001 Hz needs 1000 s; there are 13."},
        {{"curve", "--psd=track.superelevation", "--from=250", "-oflat.svg"}, 3, "the channels are constant"},
        {{"curve", "-o", "nowhere/table.txt"}, 6, "nowhere/table.txt: cannot be written: No such file or directory"},
        {{"curve", "-o", "full.csv"}, 6, "full.csv: cannot be written"},
        {{"curve", "--psd=*.Q", "-o", "full.csv"}, 6, "full.csv: cannot be written"},
    };
    int wrong   = 0;
    FILE *empty = fopen("empty.csv", "w"), *headings = fopen("headings.csv", "w"), *other = fopen("other.csv", "w");
    assert_true(empty && headings && other && symlink("/dev/full", "full.csv") == 0);
    (void)fprintf(headings, "time,distance,a.left.Q\ns,m,N\n");
    (void)fprintf(other, "time,a.left.Q\ns,N\n0,1\n0.005,1\n");
    assert_true(fclose(empty) == 0 && fclose(headings) == 0 && fclose(other) == 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *all[7] = {"evaluate"};
        for (int k = 0; k < 5; k++)
            all[k + 1] = rows[i].arguments[k];
        const int code = wait_for(start(all));
        if (code != rows[i].code || !strstr(content("err"), rows[i].message)) {
            print_error("row %zu: exit code %d, expected %d with '%s':\n%s", i, code, rows[i].code, rows[i].message,
                        content("err"));
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

// The manifest that a run wrote beside results.csv says loads and accelerometers. Without it they are not taken for a
// run's; rows that say nothing of a run can be evaluated by what is said.
CHECK_TEST(csv_has_its_manifest_beside_it)
{
    assert_int_equal(CALL("evaluate", "curve/results.csv"), 0);
    expect("out", "floor rear");
    assert_int_equal(rename("curve/manifest.json", "manifest.kept"), 0);
    assert_int_equal(CALL("evaluate", "curve"), 3);
    expect("err", ", whose manifest is not with them: put its manifest.json beside them, or run it again");
    assert_int_equal(CALL("plot", "curve", "-c", "*.Q", "-o", "curve.svg"), 3);
    expect("err", ", whose manifest is not with them");
    assert_int_equal(system("sed '/^# run/d' curve/results.csv >alone.csv"), 0);
    assert_int_equal(CALL("evaluate", "alone.csv"), 0);
    expect("out", "there is no manifest that says which bodies' channels are those of accelerometers");
    expect("out", "static loads of 8 wheels are not known");
    assert_null(strstr(content("out"), "floor rear "));
    assert_int_equal(CALL("evaluate", "alone.csv", "--static-load=54546", "--sensor=floor rear"), 0);
    expect("out", "floor rear");
    expect("out", "unloading");
    assert_int_equal(rename("manifest.kept", "curve/manifest.json"), 0);
}

// A run in memory has its manifest, too.
CHECK_TEST(a_run_in_memory_is_evaluated)
{
    static const char *const patterns[] = {"*.Q", "floor middle*"};
    kane_outcome outcome;
    int limits = 0, sensors = 0;
    CHECK_OWNED(kane_run) *run = run_read(CURVE, NULL);
    CHECK_OWNED(kane_results) *results =
        CHECK_GOOD(kane_run_to_memory, kane_run_get_definition(run), 2, patterns, &outcome);
    CHECK_OWNED(kane_evaluation) *e = CHECK_GOOD(kane_evaluate, results, NULL);
    for (int i = 0; i < kane_evaluation_count(e); i++) {
        const kane_assessment *a = kane_evaluation_get(e, i);
        limits += strcmp(a->quantity->name, "Q_max") == 0 && fabs(a->limit - 144546.0525) < 0.01;
        sensors += strcmp(a->of, "floor middle") == 0;
    }
    assert_int_equal(limits, 8);
    assert_true(sensors > 3);
}

CHECK_MAIN(carry_out, leave_folder)
