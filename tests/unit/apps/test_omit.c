// SPDX-License-Identifier: MIT
// kane study omit as a program: what it says to those who ask for nonsense, killed and gone on with, as before.

#include "unit/apps/program.h"

#define RUNS  KANE_SOURCE_DIR "/data/runs/"
#define TABLE RUNS "mechanism-turntable.json"
#define SHORT "-s", "until.distance=50", "-s", "output.interval=20 ms", "--strongest", "0"

// Sixty values.
#define TEN(n) n "1," n "2," n "3," n "4," n "5," n "6," n "7," n "8," n "9," n "0"
#define SIXTY  TEN("1") "," TEN("2") "," TEN("3") "," TEN("4") "," TEN("5") "," TEN("6")

// Exit code and a part of the message.
static const struct {
    const char *arguments[10];
    int code;
    const char *message;
} requests[] = {
    {{RUN, "-x", "body:torque.rotatoin.z"},
     3,
     "--omit body:torque.rotatoin.z: no imaginary term is called 'rotatoin'; did you mean 'rotation'?"},
    {{RUN, "-x", "bodi:torque.rotation.z"}, 3, "no body is called 'bodi'; did you mean 'body'?"},
    {{RUN, "-x", "*:torque.translation.x"}, 3, "there is no torque of translation"},
    {{RUN, "-x", "body:*.*.*", "-x", "body:*.*.*"}, 3, "--omit body:*.*.*: is given twice"},
    {{RUNS "mechanism-pendulum.json", "--all"},
     3,
     "the mechanism has no moving frame (no \"frames\"), and so no imaginary forces to omit"},
    {{TABLE, "--all", "--speeds=10,20"},
     3,
     "a mechanism does not run along a track, so a study of it takes no list of speed"},
    {{TABLE, "--all", "-a", "0.5"}, 3, "takes no list of acceleration"},
    {{TABLE, "--all", "--radii=300"}, 3, "takes no list of radius"},
    {{TABLE, "-x", "table:*.*.*"}, 3, "--omit table:*.*.*: no body is called 'table'; known: mass"},
    {{TABLE, "--all", "-s", "formulation=fixed"}, 3, "in the fixed formulation there are no imaginary terms to omit"},
    {{TABLE, "--all", "--over", "mechanism.frames.tabel.motion=1,2"},
     3,
     "there is no 'tabel' here; did you mean 'table'?"},
    {{RUN, "--all", "-s", "formulation=fixed"}, 3, "in the fixed formulation there are no imaginary terms to omit"},
    {{RUN, "--all", "--speeds="}, 3, "--over speed=: no value is given"},
    {{RUN, "--all", "--over", "speed=10:20:2.5"}, 3, "steps are written A:B:step=S, here 10:20:step=2.5"},
    {{RUN, "--all", "--over", "friction=0.1:0.3:step=0.5"}, 3, "a step of 0.5 is longer than from 0.1 to 0.3"},
    {{RUN, "--all", "--over", "friction=0.1,0.3", "-s", "rail.friction=0.2"},
     3,
     "the axis 'friction' and the setting 'rail.friction=0.2' contradict each other"},
    {{RUN, "--all", "--speeds=10,20,10"}, 3, "the axis 'speed' has the value '10' twice"},
    {{RUN, "--all", "--radii=300,-300"},
     3,
     "the list of radius has curves to the left and to the right: make a study of each"},
    {{RUN, "--all", "--speeds=10", "--over", "start.speed=20"},
     3,
     "two axes set start.speed: 'speed' and 'start.speed'"},
    {{RUN, "--all", "--over", "friction=0.1,0.3", "--over", "rail.friction=0.2"},
     3,
     "two axes set track.rail.friction: 'friction' and 'rail.friction'"},
    {{RUN, "--all", "--speeds=10", "-s", "start.speed = 5"},
     3,
     "the axis 'speed' and the setting 'start.speed = 5' contradict each other"},
    {{RUN, "-x", "body:*.*.*", "--speeds=" SIXTY, "-a", SIXTY, "--radii=" SIXTY, "--over", "start.at=" SIXTY},
     3,
     "the study has 12960000 cases or more, it may have 1000000; take fewer values"},
    {{RUN, "--all", "--speeds=ten"}, 3, "'ten' does not begin with a number, expected a speed [m/s]"},
    {{RUN, "--all", "--shapes=bloss,klothoid"}, 3, "'klothoid' is not known; did you mean 'clothoid'?"},
    {{RUN, "--all", "--over", "track.sections[9].straight=20"}, 3, "it has no element [9]"},
    {{RUN, "--all", "-x", "body:torque.rotation.z"}, 2, "only one of both"},
    {{RUN}, 2, "nothing is left out: give --all, or a term by --omit"},
    {{RUN, "--all", "--threshold=0"}, 2, "the threshold 0 is not positive"},
    {{RUN, "--all", "--threshold=-1%"}, 2, "the threshold -1% is not positive"},
    {{RUN, "--all", "--threshold=inf"}, 2, "the threshold inf is not positive and finite, such as 1% or 0.01"},
    {{RUN, "--all", "--threshold=little"}, 2, "'little' is not a threshold such as 1% or 0.01"},
    {{RUN, "--all", "--by", "median"}, 2, "--by: 'median' is not known; known: largest, rms"},
    {{RUN, "--all", "--strongest=-1"}, 2, "'-1' is not a number of terms to draw"},
    {{RUN, "--all", "-r", "body.yow"}, 3, "no channel is called 'body.yow'; did you mean 'body.y'"},
    {{RUN, "--all", "-r", "body.y", "-r", "body.y"}, 3, "--response body.y is given twice"},
    {{RUN, "--all", "-r", "body.*"}, 3, "body.x is in m, body.yaw in rad; the channels of a response have one unit"},
    {{RUNS "wagon-driven.json", "--all", "-a", "0,1"}, 3, "\"drive\" says how fast it goes"},
    {{RUN, "--all", "--shapes=bloss,nowhere.json"}, 6, "nowhere.json: cannot be read"},
    {{RUN, "--all", "--shapes=bloss,polynomial4"}, 3, "the shape 'polynomial4' has no odd degree from 1 to 15"},
    {{"nowhere.json", "--all"}, 6, "nowhere.json: cannot be read"},
    {{RUN, "-d", "cycle", "--from=60", "--to=20"}, 3, "speeds from 60 to 20 m/s are none to sweep over"},
    {{RUN, "-d", "critical", "--step=0"}, 3, "a step of 0 m/s is out of range"},
    {{RUN, "-d", "critical", "--to=0"}, 3, "--to 0: the fastest speed must be positive"},
    {{RUNS "sedan-step.json", "-d", "cycle"}, 3, "--decides cycle: 'sedan' has no wheelset"},
    {{TABLE, "-d", "critical"}, 3, "a mechanism runs along no track"},
    {{RUN, "-d", "peak(body.y)", "--radius=500"},
     2,
     "--radius and --cant belong to --decides equilibrium, damping, critical and cycle: no conclusion of this study"},
    {{RUN, "-d", "damping 20", "--from=20"}, 2, "--from, --to and --step belong to --decides critical and cycle"},
    {{RUN, "-d", "critical", "--class=coach"}, 2, "--class belongs to --decides limits"},
    {{RUN, "-d", "critical", "--unknowns=4"}, 2, "--evaluations and --seed belong to --decides optimum"},
    {{RUN, "-d", "order max(body.y)", "--seed=1"}, 2, "--evaluations and --seed belong to --decides optimum"},
};

CHECK_TEST(every_mistake_has_its_message)
{
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        const char *arguments[16] = {"study", "omit", "-o", "mistake"};
        for (int k = 0; k < 10; k++)
            arguments[4 + k] = requests[i].arguments[k];
        const int code = wait_for(start(arguments));
        if (code != requests[i].code || !strstr(content("err"), requests[i].message))
            fail_msg("'%s' expected with %d, found %d:\n%s", requests[i].message, requests[i].code, code,
                     content("err"));
        assert_int_equal(access("mistake", F_OK), -1); // nothing was begun
    }
}

CHECK_TEST(what_is_printed_is_the_ranking)
{
    assert_int_equal(CALL("study", "omit", RUN, "-x", "body:*.*.*", SHORT, "-o", "mine"), 0);
    assert_int_equal(system("grep -q 'body:[*].[*].[*]' out && cmp out mine/ranking.txt"), 0);
}

// What leaves its place only because of imaginary forces stays without them; the study counts in time.
CHECK_TEST(a_mechanism_without_its_imaginary_terms)
{
    assert_int_equal(CALL("run", TABLE, "-x", "mass:force.*.*", "-s", "until.time=2", "-F", "csv", "-o", "rest"), 0);
    assert_int_equal(system("tail -n 1 rest/results.csv | grep -q '^2,0.5,0,0,'"), 0);
    assert_int_equal(CALL("study", "omit", TABLE, "-x", "mass:force.*.*", "-x", "*:force.gyroscopic.y", "-s",
                          "until.time=2", "-r", "mass.x", "--over",
                          "mechanism.frames.table.motion.rates.angle.polynomial[0]=0,2", "--strongest", "0", "-o",
                          "table"),
                     0);
    assert_non_null(strstr(content("table/effects.csv"), ",at time [s],"));
    assert_null(strstr(content("table/effects.csv"), "distance"));
    assert_non_null(strstr(content("out"), "may be neglected when mechanism.frames.table.motion.rates.angle."
                                           "polynomial[0] <= 0 (1 of 2 conditions)"));
}

// Bloss is 3 x^2 - 2 x^3: closed forms are equal but for rounding. A file that has changed is another study.
CHECK_TEST(shapes_are_names_and_files)
{
    assert_int_equal(system("echo '{\"coefficients\": [0, 0, 3, -2]}' > bloss.json"), 0);
    for (int time = 0; time < 3; time++) {
        const int code =
            CALL("study", "omit", RUN, "-x", "body:torque.rotation.z", "-r", "body.yaw", "-s", "until.distance=110",
                 "--strongest", "0", "--shapes=bloss,bloss.json,polynomial5", "-o", "shapes");
        if (time < 2)
            assert_int_equal(code, 0);
        else
            assert_true(code != 0 && strstr(content("err"), "shapes"));
        assert_int_equal(system("awk -F, '/body:torque/{v[n++] = $7} END{d = v[1]/v[0] - 1; e = v[2]/v[0] - 1; "
                                "exit !(n == 3 && d*d < 1e-24 && e*e > 1e-4)}' shapes/effects.csv"),
                         0);
        if (time == 1)
            assert_int_equal(system("echo '{\"coefficients\": [0, 0, 0, 10, -15, 6]}' > bloss.json"), 0);
    }
}

// A tolerance that is no better than the threshold is told.
CHECK_TEST(rough_runs_are_told)
{
    assert_int_equal(CALL("study", "omit", RUN, "-x", "body:*.*.*", SHORT, "-t", "1e-9", "-o", "rough"), 0);
    assert_non_null(
        strstr(content("out"),
               "Tighten all tolerances by one factor; integrator.rtol does so where the others are not typed"));
    assert_null(strstr(content("mine/ranking.txt"), "Tighten"));
}

// A run that leaves out an impulse says so: J v u'/(2 b), at 15.2 m/s after 10 m with 0.5 m/s^2.
CHECK_TEST(an_impulse_that_is_left_out_is_told)
{
    assert_int_equal(CALL("run", RUN, "-s", "until.distance=45", "-s", "track.sections[1].shape=clothoid", "-s",
                          "start.at=40", "-x", "body:torque.rotation.x", "-o", "kinked"),
                     0);
    if (!strstr(content("err"), "at a kink of the line an impulse of 852 N m s is left out: body:torque.rotation.x\n"))
        fail_msg("%s", content("err"));
    assert_int_equal(CALL("run", RUN, "-s", "until.distance=45", "-s", "start.at=40", "-x", "body:torque.rotation.x",
                          "-o", "smooth"),
                     0);
    assert_null(strstr(content("err"), "impulse"));
}

// Only without the term there is a critical speed up to 68.7 m/s, .22 m/s below: more than .1 %, less than 1 % of it.
CHECK_TEST(a_search_that_ends_early_is_a_bound)
{
    static const char *const thresholds[] = {"1%", "0.1%"}, *const says[] = {"1e-06 m/s  not resolved\n",
                                                                             "1e-06 m/s  decides\n"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(CALL("study", "omit", RUNS "kaas-petersen-bogie.json", "-x", "*:force.translation.*", "-d",
                              "critical", "--radius=5000", "--cant=50mm", "--from=60", "--step=1", "--to=68.7", "-t",
                              thresholds[i], "-q", "-o", i ? "bound-fine" : "bound"),
                         0);
        expect("out", says[i]);
        expect("out", "none up to 68.7 m/s; without it 3.98");
        expect("out", "loss at least 0.2201 m/s");
    }
}

CHECK_MAIN(enter_folder, leave_folder)
