// SPDX-License-Identifier: MIT
// What a stranger may type at the program: every call has its exit code and a message that helps.

#include "unit/apps/program.h"

#define TRACK     KANE_SOURCE_DIR "/data/tracks/short-transition.json"
#define VEHICLE   KANE_SOURCE_DIR "/vehicles/two-axle-wagon.json"
#define MECHANISM KANE_SOURCE_DIR "/data/mechanisms/four-bar.json"
#define CRANK     KANE_SOURCE_DIR "/data/runs/mechanism-slider-crank.json"
#define BENCH     KANE_SOURCE_DIR "/data/runs/mechanism-bench.json"
#define SQUEEZER  KANE_SOURCE_DIR "/data/mechanisms/squeezer.json"
#define PENDULUM  KANE_SOURCE_DIR "/data/runs/mechanism-pendulum.json"

static void write_bytes(const char *name, const char *text, size_t length)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static const struct {
    const char *arguments[ARGUMENTS_MOST];
    int exit;
    const char *message; // a part of standard error
} rows[] = {
    {{"check", "empty.json"}, 3, "empty.json:1:1: the text is empty"},
    {{"check", "junk.json"}, 3, "junk.json:1:1: found the control character"},
    {{"check", "."}, 6, ".: cannot be read: Is a directory"},
    {{"run", VEHICLE}, 3, "kane: this is a vehicle file, expected a run file"},
    {{"run", RUN, "--set", "vehicle.gravity=-1"}, 3, "--set vehicle.gravity=-1: gravity: -1 is out of range"},
    {{"run", RUN, "--set", "track.gauge=5 kg"}, 3, "--set track.gauge=5 kg: gauge: '5 kg' is a mass"},
    {{"run", RUN, "--set", "gauge"}, 3, "--set gauge: expected PATH=VALUE"},
    {{"run", RUN, "--set", "=5"}, 3, "--set =5: a path looks like"},
    {{"run", RUN, "--set", "vehicle=\"\""}, 3, "vehicle: names no file"},
    {{"run", RUN, "--omit", "body:torque.rotation.w"}, 3, "--omit body:torque.rotation.w: no axis is called 'w'"},
    {{"run", RUN, "--omit", ""}, 2, "--omit '': a value is missing"},
    {{"run", RUN, "--omit", "yaw"}, 3, "'yaw' is not BODY:KIND.TERM.AXIS"},
    {{"run", RUN, "--formulation", "flying"}, 2, "--formulation: 'flying' is not known; known: moving, fixed"},
    {{"run", RUN, "--format", "xml"}, 2, "--format: 'xml' is not known; known: hdf5, csv"},
    {{"run", RUN, "-o", "empty.json"}, 6, "there is a file of that name"},
    {{"check", VEHICLE, "--set", "reference_body=bodi"},
     3,
     "reference_body: no body is called 'bodi'; did you mean 'body'?"},
    {{"check", VEHICLE, "--set", "patterns.axlebox.stiffness=[0,0,0]"}, 3, "cannot rest"},
    {{"check", KANE_SOURCE_DIR "/vehicles/locomotive.json"},
     3,
     "straight level track with a gauge of 1435 mm; for other track"},
    {{"check", "variant.json"}, 3, "variant.json:1:178: bodies.b.mas: unknown key; did you mean 'mass'?"},
    {{"run", BENCH, "-s", "mechanism.elements.specimen.load=[\"9 kN\",0,\"60 kN\"]"},
     3,
     "the law 'leaf spring' does not carry (9000, 0, 60000) N; at rest it exerts (0, 0, 60000) N"},
    {{"run", BENCH, "-s",
      "mechanism.elements.specimen={\"law\":\"bump stop\",\"direction\":\"z\",\"clearance\":[0.01],"
      "\"between\":[\"ground\",\"crosshead\"],\"at\":[0,0,1]}"},
     3,
     "needs a \"stiffness\", a \"characteristic\" or \"hertz\" behind the gap"},
    {{"check", CRANK, "-s", "variant=worn pin", "-s", "mechanism.elements.pin.onset=2 mm"},
     3,
     "--set mechanism.elements.pin.onset=2 mm: elements.pin.onset: has no effect without a \"stiffness\""},
    {{"check", BENCH, "-s",
      "mechanism.elements.specimen={\"law\":\"bump stop\",\"direction\":\"z\",\"clearance\":0,\"stiffness\":1e6,"
      "\"nominal_load\":1000,\"between\":[\"ground\",\"crosshead\"],\"at\":[0,0,1]}"},
     3,
     "elements.specimen.nominal_load: has no effect without a \"coefficient\" of friction"},
    {{"check", CRANK, "-s", "variant=worn pin", "-s", "mechanism.elements.pin.coefficient=0"}, 0, ""}, // as in a sweep
    {{"export", "c", CRANK, "-s",
      "mechanism.constraints.pin={\"type\":\"revolute\",\"between\":[\"rod\",\"slider\"],\"at\":[0.45,0,0],"
      "\"axis\":[0,-1,0],\"closed_form\":\"user\",\"terms\":[{\"body\":\"crank\"}],\"rows\":{\"kind\":\"six-bar\"}}",
      "-o", "crank"},
     3,
     "constraints.pin.rows.kind: 'six-bar' is not known"},
    {{"run", BENCH, "-s",
      "mechanism.elements.specimen={\"law\":\"friction\",\"directions\":\"z\",\"force\":1000,\"stiffness\":1e6,"
      "\"between\":[\"ground\",\"crosshead\"],\"at\":[0,0,1]}"},
     3,
     "stiffness: has no effect beside \"force\""},
    {{"check", SQUEEZER, "-s", "elements.spring.free_length=1e308"},
     3,
     "elements.spring.free_length: 1e308 is out of range, must be below 1e+60 in SI units"},
    {{"check", KANE_SOURCE_DIR "/data/runs/mechanism-squeezer.json", "-s", "drive.motor.torque=[1e300]"},
     3,
     "must be below 1e+60 in SI units"},
    {{"run", RUN, "-s", "start.speed=1e308"}, 3, "start.speed: 1e308 is out of range, must be below 1e+60"},
    {{"modes", RUN, "-v", "20", "-O", "speed=10,20"}, 3, "--over goes over the speed, which --speed gives, too"},
    {{"modes", RUN, "-O", "rail.friction=0.2,0.3", "-s", "friction=0.3"},
     3,
     "--over goes over 'rail.friction', which --set friction=0.3 gives, too"},
    {{"equilibrium", RUN, "-O", "speed=10,20", "-s", "start.speed=30"},
     3,
     "--over goes over 'speed', which --set start.speed=30 gives, too"},
    {{"modes", RUN, "-v", "20", "-s", "start.speed=30"},
     3,
     "--speed gives the speed, which --set start.speed=30 gives, too"},
    {{"modes", RUN, "-O", "speed=10:20"}, 3, "'10:20' has no number of values; expected A:B:N"},
    {{"track", TRACK, "-v", "nan"}, 2, "'nan' does not begin with a number, expected a speed"},
    {{"track", TRACK, "-d", "1e-9"}, 2, "a step of 1e-09 m makes more than"},
    {{"track", TRACK, "--set", "rail.friction=30"}, 3, "rail.friction: 30 is out of range, must be from 0 to 2"},
    {{"track", TRACK, "--set", "sections=[]"}, 3, "sections: the track has no sections"},
    {{"track", "nowhere.json", "-o", "x.pdf"}, 2, "x.pdf: a picture's name ends in .svg or .png"},
    {{"contact", VEHICLE, "-w", "leadin"}, 3, "no body is called 'leadin'; did you mean 'leading'?"},
    {{"contact", VEHICLE, "-w", "body"}, 3, "two-axle-wagon.json: 'body' has no wheels"},
    {{"contact", VEHICLE, "-v", "empty"}, 3, "--variant: "},
    {{"contact", "-w", "leading"}, 2, "a wheelset or a variant of which vehicle?"},
    {{"contact", "-s", "track.gauge=1"}, 3, "--set changes a value of a track file, but none is given"},
    {{"contact", "-s", "gauge=1"}, 3, "--set changes a value of a track file, but none is given"},
    {{"contact", "-s", "friction=0.1"}, 3, "--set changes a value of a track file, but none is given"},
    {{"contact", "-s", "bodies.body.mass=1"}, 3, "--set changes a value of a vehicle file, but none is given"},
    {{"contact", VEHICLE, "-s", "patterns.wheelset.back_to_back=1.5"},
     3,
     "the flanges of 'leading' do not go between the rails, 126.7 mm are missing: check flange_back"},
    {{"check", RUN, "-s", "track.gauge=1.422", "-s", "vehicle.patterns.wheelset.contact.model=table"},
     3,
     "'leading' cannot be guided by tables: rigid contact functions: with these wheels and rails a wheelset cannot"},
    {{"contact", "-t", "nowhere.json"}, 6, "nowhere.json: cannot be read"},
    {{"contact", "-l", "0"}, 2, "the load must be positive"},
    {{"contact", "-l", "5 kg"}, 2, "'5 kg' is a mass, expected a force [N] such as 10000 or \"10 kN\""},
    {{"contact", "--normal", "-3"}, 2, "the normal force must be positive"},
    {{"contact", "--normal", "3", "-l", "4"}, 2, "--load or --normal, not both"},
    {{"contact", "-l3", "-l4", "-l5"}, 2, "--load at most twice: left and right"},
    {{"contact", "--wheel=S1002", "--wheel=S1002", "--wheel=S1002"}, 2, "--wheel at most twice: left and right"},
    {{"contact", "--friction", "-1"}, 3, "friction -1 is out of range, must be from 0 to 2"},
    {{"contact", VEHICLE, "--friction", "3"}, 3, "friction 3 is out of range, must be from 0 to 2"},
    {{"contact", "--speed", "0"}, 2, "the speed must be positive"},
    {{"contact", "--radius", "5 mm"}, 3, "radius = 0.005 is not allowed, must be within 0.05 m and 2 m"},
    {{"contact", "--wheel", "S1003"},
     3,
     "--wheel S1003: 'S1003' is no profile: expected S1002, a file such as worn.prw, or keys as in a file's \"profiles\", "
     "such as cone=1:40"},
    {{"conicity", "--rail", "S1002"}, 3, "'S1002' is no profile: expected 60E1, a file such as worn.prr, or keys"},
    {{"conicity", "--wheel", "con=1:40"}, 3, "--wheel con=1:40: con: unknown key; did you mean 'cone'?"},
    {{"conicity", "--wheel", "cone=1:40,unit=mm"}, 3, "only a profile with \"file\" has a \"unit\""},
    {{"conicity", "--wheel", "cone=1:40,cone=1"}, 3, "cone: is given twice"},
    {{"conicity", "--wheel", "file=worn,smoothing"}, 3, "'smoothing' is no profile"},
    {{"conicity", "--wheel", "nowhere.txt,unit=mm,lateral=outside,vertical=up"}, 6, "nowhere.txt: cannot be read"},
    {{"conicity", "--wheel", "cone=", "--rail", "round="}, 3, "--rail round=: round: "},
    {{"conicity", VEHICLE, "--wheel", "S1002"}, 2, "--wheel, --radius and --flange-back describe a wheelset without a"},
    {{"conicity", VEHICLE, "--flange-back", "1.3"}, 2, "what " VEHICLE " has is changed by --set"},
    {{"conicity", "-t", TRACK, "--gauge", "1.4"},
     2,
     "--rail, --gauge and --inclination describe rails without a track"},
    {{"contact", "-y", "1"}, 2, "the yaw must be within -0.1 and 0.1"},
    {{"contact", "-r", "1"}, 2, "the reach must not be more than 0.1 m"},
    {{"contact", "-d", "1e-12"}, 2, "a step of 1e-12 m makes more than"},
    {{"contact", "-o", "/proc/kane.csv"}, 6, "/proc/kane.csv: cannot be written"},
    {{"conicity", "-a", "1"}, 2, "the amplitude must not be more than 0.05 m"},
    {{"conicity", "-d", "1e-12"}, 2, "a step of 1e-12 m makes more than"},
    {{"conicity", "-o", "x.pdf"}, 2, "x.pdf: a picture's name ends in .svg or .png"},
    {{"plot", "nowhere", "-c", "y", "-o", "svg"}, 2, "svg: a picture's name ends in .svg or .png"},
    {{"plot", "empty.json", "-c", ",", "-o", "a.svg"}, 2, "--channels ',': a value is missing"},
    {{"plot", "empty.json", "-c", "x", "-o", "a.svg"}, 3, "empty.json"},
    {{"study", "omit", RUN, "-x", "a", "-o", "st", "-j", "99999999999"}, 2, "is not a number of workers"},
    {{"study", "keep", RUN, "-x", "a", "-o", "st"}, 2, "there is no study 'keep'"},
    {{"study", "omit", RUN, "-x", "nonsense", "-o", "st"}, 3, "'nonsense' is not BODY:KIND.TERM.AXIS"},
    {{"study", "omit", PENDULUM, "-x", "*:*.*.*", "-o", "st"},
     3,
     "the mechanism has no moving frame (no \"frames\"), and so no imaginary"},
    {{"run", PENDULUM, "-x", "bob:*.*.*"}, 3, "--omit bob:*.*.*: the mechanism has no moving frame"},
    {{"run", PENDULUM, "-f", "fixed"}, 3, "--set formulation=fixed: formulation: the mechanism has no moving frame"},
    {{"run", PENDULUM, "-s", "mechanism.bodies.bob.joint.type=hinge"}, 3, "'hinge' is not known; known: revolute"},
    {{"check", MECHANISM, "-s", "constraints.pin.at[0]=3"},
     3,
     "no position and no speeds near the start satisfy 'pin'"},
    {{"schema", "boat"},
     2,
     "there is no kind of file 'boat'; known: vehicle, train, mechanism, track, flexible, run, study"},
    {{"bench", "--only", "eval-couch"}, 2, "there is no measurement 'eval-couch'; did you mean 'eval-coach'?\n"},
    {{"bench", "--only", "creep-of-the-night"},
     2,
     "there is no measurement 'creep-of-the-night'; known: creep-kalker creep-linear"},
    {{"bench", "--only", "eval-cone", "--repeat", "5x"}, 2, "'5x' is not a number of calls"},
    {{"bench", "--only", "eval-cone", "--data", "nowhere"},
     6,
     "nowhere/data/runs/wagon-transition.json: cannot be read"},
};

CHECK_TEST(every_mistake_has_its_message)
{
    static const char junk
        [] = "\x01\xFF\0\x80 garbage",
    variant[] =
        "{ \"kane\": \"vehicle 1\", \"reference_body\": \"b\", \"bodies\": { \"b\": { \"mass\": 1, \"inertia\": [1, 1, 1], "
        "\"at\": [0, 0, 1], \"dof\": [\"x\"], \"note\": \"on rails\" } }, \"variants\": {  \"full\": [\"bodies.b.mas=2\"] } }";
    int wrong = 0;
    write_bytes("empty.json", "", 0);
    write_bytes("junk.json", junk, sizeof junk);
    write_bytes("variant.json", variant, sizeof variant - 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int code = wait_for(start(rows[i].arguments));
        if (code != rows[i].exit || !strstr(content("err"), rows[i].message)) {
            print_error("row %zu: kane %s %s ...: exit code %d, expected %d with '%s'\n%s\n", i, rows[i].arguments[0],
                        rows[i].arguments[1], code, rows[i].exit, rows[i].message, content("err"));
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

// A mechanism by itself, with its variants and what is redundant in it.
// Files that settings name are those of the folder in which the program runs, whatever document they are for.
CHECK_TEST(settings_name_files_from_here)
{
    static const struct {
        const char *run, *original, *setting;
    } cases[] = {
        {"data/runs/feve-waves.json", "vehicles/feve-3000-wheel.txt", "vehicle.profiles.feve.file=here.txt"},
        {"data/runs/feve-waves.json", "data/tracks/feve-rail.txt", "track.profiles.feve.file=here.txt"},
        {"data/runs/feve-waves.json", "data/tracks/feve-waves.txt", "track.irregularities.files[0].file=here.txt"},
        {"data/runs/coach-train.json", "vehicles/manchester-1.json", "train.vehicles.coach.file=here.txt"},
        {"data/runs/sedan-step.json", "data/tyres/sedan.tir", "vehicle.elements.front left tyre.file=here.txt"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[1024], run[512];
        (void)snprintf(command, sizeof command, "cp '%s/%s' here.txt", KANE_SOURCE_DIR, cases[i].original);
        (void)snprintf(run, sizeof run, "%s/%s", KANE_SOURCE_DIR, cases[i].run);
        assert_int_equal(system(command), 0);
        assert_int_equal(CALL("check", run, "-s", cases[i].setting), 0);
        assert_int_equal(remove("here.txt"), 0);
        assert_int_equal(CALL("check", run, "-s", cases[i].setting), 6);
        expect("err", " here.txt: cannot be read");
    }
}

CHECK_TEST(a_mechanism_is_reported)
{
    assert_int_equal(CALL("check", MECHANISM), 0);
    assert_non_null(strstr(content("out"), "four-bar linkage\n3 bodies, 1 degree of freedom, 4 states\n"));
    assert_non_null(strstr(content("out"), "redundant: 'pin' says in part what other joints and constraints say"));
    assert_non_null(strstr(content("out"), "variant \"closed form\""));
    assert_int_equal(CALL("schema", "mechanism"), 0);
    assert_non_null(strstr(content("out"), "\"mechanism 1\""));
}

// Two wheelsets of one pattern are wrong at the same place.
CHECK_TEST(a_mistake_is_told_once)
{
    assert_int_equal(CALL("check", VEHICLE, "--set", "patterns.wheelset.profile=S1003"), 3);
    const char *first = strstr(content("err"), "did you mean 'S1002'?");
    assert_non_null(first);
    assert_null(strstr(first + 1, "did you mean 'S1002'?"));
}

CHECK_TEST(a_vehicle_is_checked_with_its_variants)
{
    assert_int_equal(CALL("check", VEHICLE), 0);
    assert_non_null(strstr(content("out"), "static wheel loads"));
    assert_non_null(strstr(content("out"), "variant \"tare\""));
    assert_null(strstr(content("out"), "e-1")); // rounding
    assert_null(strstr(content("out"), " -0 "));
    assert_int_equal(CALL("check", VEHICLE, "-o", "loads.csv"), 0);
    expect("loads.csv", "\n# wheels\nwheelset,left,right\n,N,N\n");
    assert_int_equal(CALL("check", VEHICLE, "-o", "loads.svg"), 2);
    expect("err", "loads.svg: these tables make no picture");
    assert_int_equal(CALL("bench", "--only", "eval-cone", "-o", "times.svg"), 2);
    expect("err", "pictures are drawn with --precision");

    static const char one[] =
        "{ \"kane\": \"vehicle 1\", \"reference_body\": \"b\", \"bodies\": { \"b\": { \"mass\": 1, "
        "\"inertia\": [1, 1, 1], \"at\": [0, 0, 1], \"dof\": [\"x\"] } } }";
    write_bytes("one.json", one, sizeof one - 1);
    assert_int_equal(CALL("check", "one.json"), 0);
    assert_string_equal(content("out"),
                        "vehicle on straight level track, moving frames\n1 body, 0 degrees of freedom, 6 states\n");
}

CHECK_TEST(a_full_disk_is_told)
{
    assert_int_equal(CALL("--version"), 0); // makes "out"
    assert_int_equal(unlink("out"), 0);
    assert_int_equal(symlink("/dev/full", "out"), 0);
    assert_int_equal(CALL("check", RUN), 6);
    assert_non_null(strstr(content("err"), "standard output: cannot be written"));
    assert_int_equal(CALL("--version"), 6);
    assert_int_equal(unlink("out"), 0);
}

// A file that may not become longer ends the run, which says so, however far it came; nothing crashes at the exit.
CHECK_TEST(a_limit_of_files_leaves_a_true_status)
{
    static const long limits[]         = {1, 30, 64, 66, 70, 100, 150, 200, 260, 400, 600, 800, 1000}; // [kB]
    static const char *const formats[] = {"csv", "hdf5"};
    for (int format = 0; format < (kane_results_have_hdf5() ? 2 : 1); format++)
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            char command[1024];
            (void)snprintf(command, sizeof command,
                           "rm -rf short && ulimit -f %ld && exec '%s' run -q -F %s -c all -o short '%s' --set "
                           "until.distance=60 2>err",
                           2 * limits[i], KANE_PROGRAM, formats[format], RUN); // of 512 bytes
            const int status = system(command);
            if (!WIFEXITED(status) || WEXITSTATUS(status) != 6)
                fail_msg("%s, %ld kB: status %d\n%s", formats[format], limits[i], status, content("err"));
            assert_non_null(strstr(content("err"), "File too large"));
            assert_non_null(strstr(content("short/status.json"), "\"state\": \"failed\""));
        }
}

CHECK_TEST(names_are_listed_as_long_as_they_help)
{
    assert_int_equal(CALL("run", RUN, "-q", "-o", "names", "--set", "until.distance=1"), 0);
    assert_int_equal(CALL("plot", "names", "-c", "nix", "-o", "a.svg"), 3);
    assert_non_null(strstr(content("err"), "no column is called 'nix'; known: time, distance"));
    assert_non_null(
        strstr(content("err"), " more; if the run has it, \"kane run --channels 'default,nix'\" records it\n"));
    assert_int_equal(CALL("plot", "names", "-c", "body.yaw,body.roll", "-o", "a.svg"), 0);
    assert_non_null(strstr(content("a.svg"), ">angle [rad]<"));
    assert_non_null(strstr(content("a.svg"), ">two-axle-wagon, run wagon-transition, until.distance=1<")); // its title
}

CHECK_TEST(the_file_of_another_format_does_not_stay)
{
    if (!kane_results_have_hdf5())
        check_skip("this libkane was built without HDF5");
    assert_int_equal(CALL("run", RUN, "-q", "-o", "twice", "-F", "hdf5", "--set", "until.distance=1"), 0);
    assert_int_equal(CALL("run", RUN, "-q", "-o", "twice", "-F", "csv", "--set", "until.distance=1"), 0);
    assert_int_equal(access("twice/results.csv", R_OK), 0);
    assert_int_not_equal(access("twice/results.h5", R_OK), 0);
}

CHECK_TEST(a_quiet_run_can_be_interrupted)
{
    const struct timespec tenth = {0, 100000000};
    const pid_t child = start((const char *const[]){"run", RUN, "-q", "-o", "quiet", "--set", "speed=[]", "--set",
                                                    "track.sections[2].curve=20000", "--set", "until.distance=10000",
                                                    "--set", "integrator.atol_velocity=1e-9", NULL});
    for (int i = 0; i < 600 && access("quiet/status.json", R_OK) != 0; i++)
        (void)nanosleep(&tenth, NULL);
    assert_int_equal(kill(child, SIGINT), 0);
    assert_int_equal(wait_for(child), 130);
    assert_non_null(strstr(content("quiet/status.json"), "\"state\": \"interrupted\""));
}

CHECK_MAIN(enter_folder, leave_folder)
