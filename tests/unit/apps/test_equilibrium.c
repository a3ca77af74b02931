// SPDX-License-Identifier: MIT
// kane equilibrium: its table and its JSON hold what the library finds, rows follow a parameter, mistakes are told.

#include "unit/apps/program.h"

#include "base/number.h"

#define TABLE    KANE_SOURCE_DIR "/data/runs/mechanism-turntable.json"
#define CRANE    KANE_SOURCE_DIR "/data/runs/mechanism-ship-crane.json"
#define FRAME    "mechanism.frames.table"
#define FOUR_BAR KANE_SOURCE_DIR "/data/runs/wagon-four-bar.json"

// Vertical force of the leading wheelset's left wheel on the rail [N].
static double leading_Q(double speed, double radius, double cant)
{
    CHECK_ERRORS errors                = {0};
    CHECK_OWNED(kane_run) *run         = kane_run_read(RUN, NULL, &errors);
    const kane_steady_definition where = {speed, 1.0 / radius, cant, 0};
    CHECK_OWNED(kane_steady) *steady   = kane_steady_create(kane_run_get_definition(run), &where, &errors);
    check_no_errors(&errors);
    double lift;
    const double Q =
        kane_get_contact(kane_steady_model(steady), kane_steady_work(steady), 1, KANE_LEFT, &lift)->on_wheel.force.z;
    return Q;
}

CHECK_TEST(the_table_tells_what_the_library_finds)
{
    char Q[80];
    assert_int_equal(CALL("equilibrium", RUN, "-v", "72 km/h", "-R", "600", "-U", "100 mm"), 0);
    expect("out", "20 m/s, radius 600 m, cant 0.1 m");
    // .66667 cos(theta) - 9.81 sin(theta) of theta = asin(.1/1.5) = 3.8226 degrees; 1.5 .66667/9.81 - .1
    expect("out", "lateral acceleration in the track plane 0.01118 m/s^2, cant deficiency 1.937 mm");
    (void)snprintf(Q, sizeof Q, "leading.left                 %9.3f", 1e-3 * leading_Q(20.0, 600.0, 0.1));
    expect("out", Q);
    expect("out", "body.x (traction)");
    expect("out", "36.5 t");
    assert_int_equal(CALL("equilibrium", FOUR_BAR, "-v", "10"), 0);
    expect("out", "10 m/s, straight, cant 0 m");
    expect("out", "knuckle");
    expect("out", "thrust rod");
}

// Sum of the guiding forces of all wheels [kN] without imaginary terms.
static double sum_Y(const char *omitted)
{
    double Q, Y = 0.0;
    assert_int_equal(CALL("equilibrium", RUN, "-v", "20", "-R", "600", omitted), 0);
    const char *sums = strstr(content("out"), "sums: ");
    assert_true(sums && sscanf(sums, "sums: Q %lf kN, Y %lf kN", &Q, &Y) == 2);
    return Y;
}

// The rails carry M v^2/R, which is the imaginary force of translation: without it they carry nothing across the track.
// Bodies run up to 0.1 m outside of the middle of the track, at the same angular velocity: 1/6000 more.
CHECK_TEST(forces_across_the_track_are_imaginary)
{
    check_near(sum_Y("-U0"), -36.5 * 20.0 * 20.0 / 600.0, 24.3 / 6000.0);
    check_near(sum_Y("-x*:force.translation.*"), 0.0, 24.3 / 6000.0);
    expect("out", "20 m/s, radius 600 m, cant 0 m, without *:force.translation.*");
}

// CSV in SI units and JSON hold the force that text shows in kN.
CHECK_TEST(tables_go_to_files_of_every_kind)
{
    char Q[80], number[KANE_NUMBER_SIZE];
    assert_int_equal(CALL("equilibrium", RUN, "-v", "20", "-R", "600", "-U", "0.1", "-o", "e.csv", "-o", "e.json", "-o",
                          "e.h5", "-o", "e.txt"),
                     0);
    assert_string_equal(content("out"), "");
    kane_number_format(leading_Q(20.0, 600.0, 0.1), number);
    expect("e.csv", "\n# wheels\nwheel,Q,Y,T,");
    (void)snprintf(Q, sizeof Q, "\nleading.left,%s,", number);
    expect("e.csv", Q);
    (void)snprintf(Q, sizeof Q, "[\"leading.left\", %s,", number);
    expect("e.json", Q);
    (void)snprintf(Q, sizeof Q, "leading.left                 %9.3f", 1e-3 * leading_Q(20.0, 600.0, 0.1));
    expect("e.txt", Q);
    assert_int_equal(access("e.h5", R_OK), 0);
    assert_int_equal(CALL("equilibrium", RUN, "-o", "e.svg"), 2);
    expect("err", "--channels and pictures want --over");
}

CHECK_TEST(json_has_all_digits)
{
    char Q[80], number[KANE_NUMBER_SIZE];
    assert_int_equal(CALL("equilibrium", RUN, "-v", "20", "-R", "600", "-U", "0.1", "--json"), 0);
    kane_number_format(leading_Q(20.0, 600.0, 0.1), number);
    (void)snprintf(Q, sizeof Q, "[\"leading.left\", %s,", number);
    expect("out", Q);
    expect("out", "\"superelevation\": 0.1,");
    expect("out", "\"balance\": {");
}

// The coach hunts from 76 m/s on (linear critical speed of kane modes, docs/analyses.md).
CHECK_TEST(what_is_not_stable_is_said)
{
    static const char coach[] = KANE_SOURCE_DIR "/data/runs/coach-straight.json";
    assert_int_equal(CALL("equilibrium", coach, "-v", "90"), 0);
    expect("out", "\n2 modes grow: the equilibrium is not stable\n  leading bogie");
    assert_int_equal(CALL("equilibrium", coach, "-v", "70"), 0);
    assert_null(strstr(content("out"), "not stable"));
    assert_int_equal(CALL("equilibrium", coach, "-v", "90", "--json"), 0);
    expect("out", "\"stable\": false,");
    expect("out", "\"growth\": ");
    assert_int_equal(CALL("equilibrium", coach, "-v", "70", "--json"), 0);
    expect("out", "\"stable\": true,");
    assert_int_equal(CALL("equilibrium", coach, "-O", "speed=70,90", "-c", "wheelset 1.y"), 0);
    expect("err", "speed = 90 m/s: 2 modes grow: the equilibrium is not stable\n");
    assert_null(strstr(content("err"), "speed = 70"));
}

CHECK_TEST(rows_follow_a_parameter)
{
    CHECK_ERRORS errors = {0};
    assert_int_equal(CALL("equilibrium", RUN, "-R", "600", "-U", "0.1", "-O", "speed=36:108:step=36 km/h", "-c",
                          "leading.left.Q", "-o", "rows.csv", "-o", "rows.svg"),
                     0);
    kane_results *r = CHECK_GOOD(kane_results_open, "rows.csv");
    assert_int_equal(kane_results_row_count(r), 3);
    const int speed = kane_results_find(r, "speed", &errors), Q = kane_results_find(r, "leading.left.Q", &errors);
    check_no_errors(&errors);
    assert_string_equal(kane_results_column(r, speed)->unit, "km/h");
    for (int i = 0; i < 3; i++) {
        check_near(kane_results_values(r, speed)[i], 36.0 * (i + 1), 1e-12);
        check_relative(kane_results_values(r, Q)[i], leading_Q(10.0 * (i + 1), 600.0, 0.1), 1e-12);
    }
    kane_results_free(r);
    expect("rows.svg", "leading.left.Q");
    // a value of the files; and one without equilibrium, which leaves a row without numbers
    assert_int_equal(CALL("equilibrium", RUN, "-O", "vehicle.bodies.body.mass=20,30 t", "-c", "body.z"), 0);
    expect("out", "vehicle.bodies.body.mass,residual,body.z\nt,1,m\n20,");
    assert_int_equal(CALL("equilibrium", RUN, "-v", "60", "-O", "radius=inf,-300", "-c", "body.z"), 0);
    expect("out", "-300,nan,nan");
    expect("err", "no equilibrium at 60 m/s on a curve of radius -300 m with a cant of 0 m");
}

// Ctrl-C once the first value without equilibrium has been told: rows so far are in the table.
CHECK_TEST(an_interrupted_table_keeps_its_rows)
{
    static char values[8000]    = "speed=20,60";
    const struct timespec pause = {0, 10000000};
    struct stat of              = {0};
    for (size_t end = strlen(values); end + 4 < sizeof values; end += 3)
        (void)snprintf(values + end, sizeof values - end, ",20");
    (void)unlink("err"); // of an earlier call
    const pid_t child = start(
        (const char *const[]){"equilibrium", RUN, "-R", "300", "-O", values, "-c", "*.Q", "-o", "rows.csv", NULL});
    for (int i = 0; i < 3000 && (stat("err", &of) != 0 || of.st_size == 0); i++)
        (void)nanosleep(&pause, NULL);
    assert_int_equal(kill(child, SIGINT), 0);
    assert_int_equal(wait_for(child), 130);
    expect("err", "no equilibrium at 60 m/s");
    expect("err", "values are in the table");
    expect("rows.csv", "\nm/s,1,N,");
    expect("rows.csv", "\n60,nan,nan,");
}

CHECK_TEST(mistakes_are_told)
{
    assert_int_equal(CALL("equilibrium", RUN, "-v", "60", "-R", "300"), 4);
    assert_int_equal(CALL("equilibrium", RUN, "-v", "fast"), 3);
    expect("err", "--speed fast");
    assert_int_equal(CALL("equilibrium", RUN, "-v", "-3"), 3);
    expect("err", "must not be negative");
    assert_int_equal(CALL("equilibrium", RUN, "-R", "0"), 3);
    expect("err", "a straight has the radius inf");
    assert_int_equal(CALL("equilibrium", RUN, "-U", "3 kg"), 3);
    expect("err", "'3 kg' is a mass, expected a length");
    assert_int_equal(CALL("equilibrium", RUN, "-O", "speed=1:2"), 3);
    expect("err", "'1:2' has no number of values; expected A:B:N");
    assert_int_equal(CALL("equilibrium", RUN, "-O", "speed=1:2:step=-1"), 3);
    expect("err", "no step of -1 leads from 1 to 2");
    assert_int_equal(CALL("equilibrium", RUN, "-O", "speed=36:39:3 km/h"), 0);
    expect("err", "3 values from 36 to 39; steps of 3 are written speed=36:39:step=3 km/h");
    assert_int_equal(CALL("equilibrium", RUN, "-O", "speed=1 m/s,2 km/h"), 3);
    expect("err", "'1 m/s' and '2 km/h' have different units, all values need the same");
    assert_int_equal(CALL("equilibrium", RUN, "-O", "speed=10,20", "-c", "leding.*"), 3);
    expect("err", "no channel is called 'leding.*'");
    assert_int_equal(CALL("equilibrium", RUN, "-c", "*"), 2);
    assert_int_equal(CALL("equilibrium", RUN, "-O", "speed=1,2", "-j"), 0);
    assert_int_equal(CALL("equilibrium", KANE_SOURCE_DIR "/data/runs/mechanism-pendulum.json", "-v", "1"), 3);
    expect("err", "a mechanism stands on no track");
}

// A pendulum hangs down, wherever it began.
CHECK_TEST(a_mechanism_comes_to_rest)
{
    assert_int_equal(CALL("equilibrium", KANE_SOURCE_DIR "/data/runs/mechanism-pendulum.json", "--json"), 0);
    expect("out", "[\"bob\", 9.8");
}

// A table turns by 2 rad/s for more than a minute, exactly, and changes then: by its points this is seen.
CHECK_TEST(what_changes_late_is_seen)
{
    char x[256] = "60", y[256] = "2", setting[640];
    for (int i = 1; i <= 30; i++) {
        (void)snprintf(x + strlen(x), sizeof x - strlen(x), ",%d", 60 + i);
        (void)snprintf(y + strlen(y), sizeof y - strlen(y), i < 30 ? ",2" : ",2.1");
    }
    (void)snprintf(setting, sizeof setting, FRAME ".motion.rates.angle={\"table\": {\"x\": [%s], \"y\": [%s]}}", x, y);
    assert_int_equal(CALL("equilibrium", TABLE, "-s", setting), 3);
    expect("err", "'mass' is in the frame 'table', and its turning changes");
}

// In frames that move: at rest relative to them where nothing that is felt there changes; else the reason is told.
CHECK_TEST(a_moving_frame_leaves_room_or_says_why_not)
{
    static const struct {
        const char *file, *settings[2], *says;
    } rows[] = {
        {TABLE,
         {FRAME ".motion.rates.angle.polynomial=[2, 1]"},
         "'mass' is in the frame 'table', and its turning changes"},
        {TABLE, {FRAME ".axis=[1, 0, 0]"}, "'mass' is in the frame 'table', and gravity turns in it"},
        {TABLE,
         {FRAME ".motion.rates.angle={\"table\": {\"x\": [0, 100, 101, 102], \"y\": [2, 2, 2, 2.1]}}"},
         "its turning changes"},
        {TABLE,
         {FRAME "={\"motion\": {\"x\": {\"polynomial\": [0, 0, 0, 1]}}}"},
         "'mass' is in the frame 'table', and its acceleration changes"},
        {CRANE, {""}, "'load' is in the frame 'crane', and its acceleration changes"},
        {CRANE,
         {"mechanism.frames.ship.motion={}",
          "mechanism.frames.crane.motion={\"rates\": {\"angle\": {\"polynomial\": [0.3]}}}"},
         "'tag line' joins ship and crane, which move against each other"},
    };
    assert_int_equal(CALL("equilibrium", TABLE), 0);
    expect("out", "mass                            95.2381     0.0000"); // Omega^2 r / (n^2 - Omega^2)
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *first = rows[i].settings[0], *second = rows[i].settings[1];
        const char *arguments[] = {"equilibrium", rows[i].file, *first ? "-s" : NULL, first, second ? "-s" : NULL,
                                   second,        NULL};
        assert_int_equal(wait_for(start(arguments)), 3);
        expect("err", "there is no equilibrium: ");
        expect("err", rows[i].says);
    }
    assert_int_equal(CALL("modes", CRANE), 3);
    expect("err", "there is no equilibrium: ");
    assert_int_equal(CALL("modes", TABLE), 0);
}

CHECK_MAIN(enter_folder, leave_folder)
