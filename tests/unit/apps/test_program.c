// SPDX-License-Identifier: MIT
// The program as people and scripts meet it: exit codes, where output goes, what is left after a kill.

#include "unit/apps/program.h"

#include <sys/utsname.h>

static void assert_has(const char *name, const char *text)
{
    if (!strstr(content(name), text))
        fail_msg("%s does not hold '%s':\n%s", name, text, content(name));
}

static void nap(double seconds)
{
    const struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    (void)nanosleep(&t, NULL);
}

CHECK_TEST(help_and_version_go_to_standard_output)
{
    static const char *const commands[] = {"run",     "check",    "track",    "plot",  "study",
                                           "contact", "conicity", "flexible", "bench", "schema"};
    assert_int_equal(CALL("--help"), 0);
    assert_has("out", "Usage: kane COMMAND");
    assert_string_equal(content("err"), "");
    assert_int_equal(CALL("--version"), 0);
    assert_has("out", kane_version());
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        assert_int_equal(CALL(commands[i], "--help"), 0);
        assert_has("out", "Usage: ");
        assert_has("out", commands[i]);
        assert_string_equal(content("err"), "");
    }
}

CHECK_TEST(wrong_usage_ends_with_2)
{
    assert_int_equal(wait_for(start((const char *const[]){NULL})), 2);
    assert_int_equal(CALL("walk"), 2);
    assert_has("err", "there is no command 'walk'");
    assert_int_equal(CALL("run"), 2);
    assert_has("err", "which run file?");
    assert_int_equal(CALL("run", RUN, "--fast"), 2);
    assert_int_equal(CALL("study", "omit", RUN, "-x", "a", "-o", "d", "--threshold=x"), 2);
    assert_has("err", "'x' is not a threshold");
    assert_int_equal(CALL("bench", "--only", "nothing"), 2);
    assert_string_equal(content("out"), "");
}

CHECK_TEST(bad_input_ends_with_3_and_missing_files_with_6)
{
    assert_int_equal(CALL("run", RUN, "--set", "start.speed=-1"), 3);
    assert_has("err", "start.speed: -1 is out of range, must not be negative");
    assert_int_equal(CALL("run", RUN, "--omit", "body:torque.rotation"), 3);
    assert_int_equal(CALL("run", "nowhere.json"), 6);
    assert_has("err", "nowhere.json: cannot be read");
    assert_int_equal(CALL("run", RUN, "-o", "/proc/kane"), 6);
    assert_has("err", "the directory /proc/kane cannot be made");
    assert_int_equal(CALL("plot", "nowhere", "-c", "body.y", "-o", "a.svg"), 6);
}

CHECK_TEST(a_run_leaves_results_manifest_and_status)
{
    CHECK_ERRORS errors = {0};
    assert_int_equal(CALL("run", RUN, "-o", "done", "--set", "until.distance=60"), 0);
    assert_string_equal(content("out"), "");
    assert_has("err", "distance at 3.");
    assert_has("done/status.json", "\"state\": \"done\"");
    assert_has("done/manifest.json", "\"xxh128\": ");
    assert_has("done/manifest.json", "\"formulation\": \"moving\"");
    assert_has("done/manifest.json", "\"changes\": [\"until.distance=60\"]");
    CHECK_OWNED(kane_results) *r = CHECK_GOOD(kane_results_open, "done");
    assert_true(kane_results_row_count(r) > 700);
    const int distance = kane_results_find(r, "distance", &errors);
    check_near(kane_results_values(r, distance)[kane_results_row_count(r) - 1], 60.0, 1e-9);
}

// Highest level of x86-64 that the loader finds; "" on other machines and by other C libraries.
static void find_level(char *level, size_t size)
{
    level[0] = '\0';
    if (system("/lib64/ld-linux-x86-64.so.2 --help 2>/dev/null >loader") != 0)
        return;
    const char *text = content("loader");
    (void)snprintf(level, size, "%s", strstr(text, "  x86-64-v2") ? "x86-64-v1" : "");
    for (int i = 2; i <= 4; i++) {
        char line[64];
        (void)snprintf(line, sizeof line, "  x86-64-v%d (supported", i);
        if (strstr(text, line))
            (void)snprintf(level, size, "x86-64-v%d", i);
    }
}

static void check_level(const char *options)
{
    char level[32], line[64];
    struct utsname name;
    assert_int_equal(uname(&name), 0);
    assert_int_equal(setenv("GLIBC_TUNABLES", options, 1), 0);
    find_level(level, sizeof level);
    assert_int_equal(CALL("run", RUN, "-q", "-o", "here", "--set", "until.distance=11"), 0);
    assert_int_equal(unsetenv("GLIBC_TUNABLES"), 0);
    if (strcmp(name.machine, "x86_64") != 0)
        (void)snprintf(line, sizeof line, "\"processor\": \"%.20s\"", name.machine);
    else
        (void)snprintf(line, sizeof line, level[0] ? "\"processor\": \"%s\"" : "\"processor\": \"x86-64-v", level);
    assert_has("here/manifest.json", line);
}

// As the loader, uname and getconf say it; also where features of the processor are hidden from the C library.
CHECK_TEST(a_manifest_names_the_machine)
{
    char line[128];
    check_level("");
    check_level("glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F");
    check_level("glibc.cpu.hwcaps=-SSE4_2");
#ifdef __clang__
    (void)snprintf(line, sizeof line, "\"compiler\": \"clang %d.", __clang_major__);
#else
    (void)snprintf(line, sizeof line, "\"compiler\": \"gcc %.*s", (int)strcspn(__VERSION__, " "), __VERSION__);
#endif
    assert_has("here/manifest.json", line);
    if (system("getconf GNU_LIBC_VERSION >libc 2>/dev/null") == 0) {
        char libc[64];
        (void)snprintf(libc, sizeof libc, "%.*s", (int)strcspn(content("libc"), "\n"), content("libc"));
        (void)snprintf(line, sizeof line, "\"libc\": \"%s\"", libc);
        assert_has("here/manifest.json", line);
    }
}

// A motor that makes its wheels slip: there is no equilibrium to start in, and the run says so.
CHECK_TEST(a_start_without_equilibrium_is_told)
{
    static const char driven[] = KANE_SOURCE_DIR "/data/runs/wagon-driven.json";
    assert_int_equal(CALL("run", driven, "-o", "rolls", "--set", "until.time=0.1"), 0);
    assert_null(strstr(content("err"), "not in equilibrium"));
    assert_has("rolls/manifest.json", "\"start\": {\n    \"in\": \"equilibrium\"\n  }");
    assert_int_equal(CALL("run", driven, "-o", "slips", "--set", "until.time=0.1", "--set",
                          "drive.\"leading motor\".torque=[60000,60000]"),
                     0);
    assert_has("err", "starts in the static position, not in equilibrium: no equilibrium at 15 m/s on a straight");
    assert_int_equal(CALL("check", driven, "--set", "drive.\"leading motor\".torque=[60000,60000]"), 0);
    assert_has("out", "it starts in the static position, not in equilibrium: no equilibrium at 15 m/s on a straight");
    assert_has("slips/manifest.json", "\"in\": \"static position\",\n    \"why\": \"no equilibrium at 15 m/s");
}

CHECK_TEST(the_same_input_gives_the_same_bits)
{
    assert_int_equal(CALL("run", RUN, "-o", "a", "-F", "csv", "-q", "--set", "until.distance=60"), 0);
    assert_int_equal(CALL("run", RUN, "-o", "b", "-F", "csv", "-q", "--set", "until.distance=60"), 0);
    assert_int_equal(system("for i in a b; do tail -n +3 $i/results.csv >$i.rows; done; cmp a.rows b.rows"), 0);
}

static long size_of(const char *directory)
{
    struct stat about;
    char file[80];
    (void)snprintf(file, sizeof file, "%s/results.h5", directory);
    assert_int_equal(stat(file, &about), 0);
    return (long)about.st_size;
}

CHECK_TEST(a_run_can_compress_its_file)
{
    assert_int_equal(CALL("run", RUN, "-o", "plain", "-q", "--set", "until.distance=60"), 0);
    assert_int_equal(
        CALL("run", RUN, "-o", "packed", "-q", "--set", "until.distance=60", "--set", "output.compress=true"), 0);
    assert_true(size_of("plain") > size_of("packed") * 11 / 10);
    assert_int_equal(CALL("plot", "plain", "-c", "body.yaw", "-o", "plain.svg"), 0);
    assert_int_equal(CALL("run", RUN, "-o", "plain", "-F", "csv", "--set", "output.compress=true"), 3);
    assert_has("err", "CSV cannot be compressed");
}

// A wagon whose body is called  car [1]\b.
CHECK_TEST(names_with_characters_of_patterns_mean_themselves)
{
    char vehicle[FOLDER_SIZE + 20];
    (void)snprintf(vehicle, sizeof vehicle, "vehicle=%s/v.json", folder);
    assert_int_equal(
        system("sed 's/\"body\"/\"car [1]\\\\\\\\b\"/g' '" KANE_SOURCE_DIR "/vehicles/two-axle-wagon.json' >v.json"),
        0);
    assert_int_equal(CALL("run", RUN, "-o", "named", "-q", "--set", vehicle, "--set", "until.distance=60", "-c",
                          "car [1]\\b.y,car \\[1]\\\\b.yaw"),
                     0);
    assert_int_equal(CALL("plot", "named", "-c", "car [1]\\b.y,car \\[1]\\\\b.*", "-o", "named.svg"), 0);
    assert_int_equal(CALL("evaluate", "named", "--psd", "car [1]\\b.yaw", "-o", "psd.svg"), 0);
    assert_int_equal(CALL("study", "omit", RUN, "--set", vehicle, "--set", "until.distance=60", "-o", "named omission",
                          "--omit", "car [1]\\b:torque.rotation.z", "--response", "car [1]\\b.yaw"),
                     0);
    assert_has("named omission/ranking.txt", "car [1]\\b:torque.rotation.z");
    assert_int_equal(CALL("plot", "named", "-c", "car [1]\\c.y", "-o", "named.svg"), 3);
}

CHECK_TEST(a_derailment_ends_with_5_and_names_the_wheel)
{
    assert_int_equal(CALL("run", RUN, "-o", "off", "--set", "start.speed=60"), 5);
    assert_has("off/status.json", "\"state\": \"stopped\"");
    assert_has("off/status.json", "\"end\": \"wheel lift\"");
    assert_has("off/status.json", ".left\"");
    assert_has("off/status.json", "\"detail\": \"the last step was ");
    assert_has("off/manifest.json", "\"last_wheel_error\": ");
    assert_int_equal(CALL("run", RUN, "-o", "off", "--set", "start.speed=60"), 5);
    assert_has("err", " ms long, of order 2; its estimated error is 0.");
    assert_has(
        "err",
        " mm in the place of a wheelset; confirmed with tolerances of a tenth: wheel lift, leading.left at 1.51");
    assert_has("off/status.json", "\"confirmed\": true");
    assert_has("off/manifest.json", "\"confirmed\": true");
}

// Steps that are too long for a wheel on its rail lift it: with shorter ones the wagon stays where it is. One that has
// gone on for longer than states are kept is confirmed as well, from one of them.
CHECK_TEST(what_only_the_integration_derails_is_not_confirmed)
{
    assert_int_equal(CALL("run", RUN, "-o", "long", "--set", "integrator={\"method\": \"rk4\", \"step\": \"2 ms\"}"),
                     5);
    assert_has("err", "not confirmed, it may be numerical: with steps of half the length nothing derails up to 1.");
    assert_has("long/status.json", "\"confirmed\": false");
    assert_int_equal(CALL("run", RUN, "-o", "late", "--set", "start.speed=60", "--set", "speed=[{\"acceleration\": 0}]",
                          "--set", "track.sections[0].straight=1500", "--set", "until.distance=1700"),
                     5);
    assert_has("err", "; confirmed with tolerances of a tenth: wheel lift, leading.left at ");
    assert_has("late/status.json", "\"confirmed\": true");
}

// Tolerances that would let wheels lift that never did.
CHECK_TEST(tolerances_without_sense_are_refused)
{
    assert_int_equal(CALL("run", RUN, "-o", "coarse", "--set", "integrator.atol_position=0.1", "--set",
                          "integrator.atol_velocity=0.1", "--set", "integrator.atol_angle=0.1", "--set",
                          "integrator.atol_angular_velocity=0.1"),
                     3);
    assert_has(
        "err",
        "--set integrator.atol_position=0.1: integrator.atol_position: 0.1 m is out of range, must be at most 1e-06 m");
    assert_has("err", "integrator.atol_angular_velocity: 0.1 rad/s is out of range, must be at most 0.001 rad/s");
    assert_int_equal(access("coarse", F_OK), -1);
}

// A run that would take long.
#define LONG                                                                                                           \
    "--set", "until.distance=10000", "--set", "track.sections[2].curve=20000", "--set", "speed=[]", "--set",           \
        "integrator.atol_velocity=1e-9", "--set", "integrator.atol_angular_velocity=1e-9"

// Until some rows of a run that goes on can be read.
static void wait_for_rows(const char *directory)
{
    for (int i = 0, rows = 0; i < 3000 && rows <= 100; i++) {
        nap(0.1);
        CHECK_OWNED(kane_results) *r = kane_results_open(directory, NULL);
        rows                         = r ? kane_results_row_count(r) : 0;
    }
}

CHECK_TEST(a_killed_run_leaves_results_that_can_be_read)
{
    static const char *const formats[] = {"hdf5", "csv"};
    for (int i = kane_results_have_hdf5() ? 0 : 1; i < 2; i++) {
        CHECK_ERRORS errors = {0};
        int status;
        const pid_t child = start((const char *const[]){"run", RUN, "-o", formats[i], "-F", formats[i], LONG, NULL});
        wait_for_rows(formats[i]);
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_true(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
        kane_results *r = CHECK_GOOD(kane_results_open, formats[i]);
        const int rows = kane_results_row_count(r), time = kane_results_find(r, "time", &errors);
        assert_true(rows > 100);
        for (int k = 0; k < rows; k++)
            check_near(kane_results_values(r, time)[k], 0.005 * k, 1e-12 * k);
        kane_results_free(r);
        char name[64];
        (void)snprintf(name, sizeof name, "%s/status.json", formats[i]);
        assert_has(name, "\"state\": \"running\"");
        assert_int_equal(CALL("plot", formats[i], "-c", "body.y", "-o", "killed.svg"), 0);
        (void)snprintf(name, sizeof name, "%s: the run had not ended when these rows were written", formats[i]);
        assert_has("err", name);
    }
}

// A wagon runs laden to its end, then empty until it is killed: it is judged by the static loads of an empty one.
CHECK_TEST(a_killed_run_is_judged_by_its_own_manifest)
{
    int status;
    assert_int_equal(CALL("run", RUN, "-o", "judged", "-F", "csv", "-q", "--set", "until.distance=60"), 0);
    assert_int_equal(CALL("evaluate", "judged", "--json"), 0);
    assert_null(strstr(content("out"), "had not ended"));
    const pid_t child =
        start((const char *const[]){"run", RUN, "-o", "judged", "-F", "csv", "--set", "variant=tare", LONG, NULL});
    for (int i = 0; i < 3000 && !strstr(content("judged/manifest.json"), "\"variant\": \"tare\""); i++)
        nap(0.1);
    wait_for_rows("judged");
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_true(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    assert_int_equal(CALL("evaluate", "judged", "--json", "--class=two-axle-wagon"), 0);
    assert_has("out", "the run had not ended when these rows were written: it goes on, or was killed");
    // limit of Q: 90 kN and the static load (29430 N of 12 t on four wheels)
    double limit         = 0.0;
    const char *quantity = strstr(content("out"), "\"Q_max\"");
    assert_non_null(quantity);
    assert_int_equal(sscanf(quantity, "\"Q_max\", \"N\", %*f, %lf", &limit), 1);
    check_near(limit, 90e3 + 29430.0, 50.0);
}

CHECK_TEST(a_second_run_into_a_directory_is_refused)
{
    char expected[128];
    int status;
    const pid_t child = start((const char *const[]){"run", RUN, "-o", "busy", LONG, NULL});
    wait_for_rows("busy");
    assert_int_equal(CALL("run", RUN, "-o", "busy", "-q", "--set", "until.distance=60"), 6);
    (void)snprintf(expected, sizeof expected, "busy is being written by process %ld on ", (long)child);
    assert_has("err", expected);
    assert_has("busy/run.lock", "process ");
    assert_has("busy/status.json", "\"state\": \"running\"");
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_true(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    assert_int_equal(CALL("run", RUN, "-o", "busy", "-q", "--set", "until.distance=60"), 0);
    assert_has("busy/status.json", "\"state\": \"done\"");
    assert_int_equal(access("busy/run.lock", F_OK), -1);
}

CHECK_TEST(an_interrupted_run_ends_in_good_order)
{
    int status;
    const pid_t child = start((const char *const[]){"run", RUN, "-o", "interrupted", LONG, NULL});
    wait_for_rows("interrupted");
    assert_int_equal(kill(child, SIGINT), 0);
    assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 130);
    assert_has("interrupted/status.json", "\"state\": \"interrupted\"");
    CHECK_OWNED(kane_results) *r = CHECK_GOOD(kane_results_open, "interrupted");
    assert_true(kane_results_row_count(r) > 100);
}

CHECK_TEST(a_study_has_the_same_bits_on_any_number_of_threads)
{
    assert_int_equal(
        CALL("study", "omit", RUN, "-x", "body:torque.rotation.z", "-a", "-0.5,0,1", "-o", "one", "-j", "1"), 0);
    assert_has("out", "body.yaw");
    assert_int_equal(
        CALL("study", "omit", RUN, "-x", "body:torque.rotation.z", "-a", "-0.5,0,1", "-o", "two", "-j", "2"), 0);
    assert_int_equal(system("diff -r -x 'journal*' one two"), 0);
    assert_has("one/effects.csv", "\"acceleration [m/s^2]\",term,response");
    assert_int_equal(access("one/omitted.svg", R_OK), 0);
    assert_int_equal(access("one/body.yaw.png", R_OK), 0);
}

CHECK_TEST(tracks_are_tabulated_and_drawn)
{
    assert_int_equal(CALL("track", KANE_SOURCE_DIR "/data/tracks/short-transition.json", "-a", "0.5", "-o", "line.svg"),
                     0);
    assert_has("out", "chainage,curvature,superelevation");
    assert_null(strstr(content("out"), "-0,"));
    assert_has("line.svg", "epsilon");
    assert_int_equal(CALL("check", KANE_SOURCE_DIR "/data/tracks/short-transition.json"), 0);
    assert_has("out", "from 0 m to 410 m in 3 pieces");
    assert_int_equal(CALL("check", KANE_SOURCE_DIR "/vehicles/two-axle-wagon.json"), 0);
    assert_int_equal(CALL("check", RUN, "--channels"), 0);
    assert_has("out", "imaginary.body.torque.rotation.z");
}

// What is allowed but implausible is asked about; what is shipped raises no doubt.
CHECK_TEST(check_asks_about_what_was_hardly_meant)
{
    static const char *const rows[][2] = {
        {"vehicle.bodies.body.at=[0,0,500]", "the mass centre of 'body' lies 500 m over the rails"},
        {"vehicle.wheelsets.leading.at=400", "'leading' stands 400 m from the origin of its vehicle"},
        {"vehicle.bodies.body.mass=1e-9", "the mass of 'body' is 1e-09 kg"},
        {"until.distance=9000", "the line ends at 410 m, before the 9010 m where this run is to end"},
        {"track.sections[1].to.cant=-0.1", "sections[1]: the cant of 100 mm raises the inner rail"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(CALL("check", RUN, "--set", rows[i][0]), 0);
        assert_has("out", "doubtful: ");
        assert_has("out", rows[i][1]);
    }
    assert_int_equal(
        CALL("check", RUN, "--set", "track.cant_axis=inner_rail", "--set", "track.sections[1].to.radius=-600"), 0);
    assert_null(strstr(content("out"), "doubtful"));
    assert_int_equal(CALL("check", RUN, "--set", "track.cant_axis=inner_rail", "--set",
                          "track.sections=[{\"curve\":90,\"radius\":600,\"cant\":0.1},{\"transition\":60,\"shape\":"
                          "\"bloss\",\"to\":{\"radius\":-600,\"cant\":0.1}},{\"curve\":300}]"),
                     0);
    assert_has("out", "sections[1]: the curve changes its hand, and cant turns about the inner rail");
    assert_int_equal(CALL("check", RUN, "--set",
                          "vehicle.elements.snake={\"law\":\"yaw damper\",\"between\":[\"body\",\"leading\"],"
                          "\"at\":[5.5,0.9,0.5],\"to\":[4.5,0.9,0.5],\"stiffness\":1e6,\"damping\":1e5,"
                          "\"blow_off\":1e4,\"blow_off_damping\":2e5}"),
                     0);
    assert_has("out", "is damped more after it has blown off");
    assert_int_equal(CALL("check", KANE_SOURCE_DIR "/vehicles/wagon-train.json"), 0);
    assert_null(strstr(content("out"), "doubtful"));
}

// Columns of the rails only where there is something to see in them; spectra found beside those wanted.
CHECK_TEST(rails_and_their_spectra_are_shown)
{
    static const char ore[] = KANE_SOURCE_DIR "/data/tracks/irregular-ore.json";
    assert_int_equal(CALL("track", KANE_SOURCE_DIR "/data/tracks/short-transition.json"), 0);
    assert_null(strstr(content("out"), "lateral"));
    assert_null(strstr(content("out"), "friction"));
    assert_int_equal(CALL("track", ore, "-s",
                          "friction_changes=[{\"from\":100,\"to\":120,\"rail\":\"left\",\"friction\":0.15}]", "-o",
                          "rails.svg"),
                     0);
    assert_has("out",
               "epsilon_z,left_lateral,left_vertical,right_lateral,right_vertical,left_friction,right_friction\n");
    assert_has("out", ",rad/s^2,m,m,m,m,1,1\n");
    assert_has("out", ",0.15,0.3\n120,");
    assert_int_equal(system("grep -q 'rails, z \\[mm\\]' rails.svg && grep -q 'friction \\[1\\]' rails.svg"), 0);
    assert_int_equal(CALL("track", ore, "--spectrum", "-o", "spectrum.svg"), 0);
    assert_has("out", "wavenumber,wavelength,lateral,lateral_wanted,");
    assert_int_equal(system("grep -q 'cross level, S .*logarithmic' spectrum.svg"), 0);
    assert_int_equal(CALL("track", KANE_SOURCE_DIR "/data/tracks/short-transition.json", "-p"), 3);
    assert_has("err", "a spectrum needs irregularities on at least 256 m behind the fade-in, this track has 0 m");
}

CHECK_MAIN(enter_folder, leave_folder)
