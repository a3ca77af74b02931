// SPDX-License-Identifier: MIT
// kane study transitions and optimise as a user meets them: what they write, and bad requests with their messages.

#include "program.h"

#define SHORT "-s", "until.distance=30", "-s", "start.at=35", "-s", "output.interval=10 ms", "-q"
#define RIGHT "-c", "peak(body.y)", "-o", "out of it"

// Exit code, all that is said (of wrong arguments the first line; usage follows), and nothing left behind.
static void refused(int code, const char *message, const char *const *arguments)
{
    char said[2048];
    assert_int_equal(wait_for(start(arguments)), code);
    (void)snprintf(said, sizeof said, "%s", content("err"));
    if (code == 2)
        strchr(said, '\n')[1] = '\0';
    assert_string_equal(said, message);
    assert_int_equal(access("out of it", F_OK), -1);
}

#define REFUSED(code, message, ...) refused(code, message, (const char *const[]){__VA_ARGS__, NULL})
#define SHAPES                                                                                                         \
    "; there are clothoid, parabola, cosine, sine, bloss, helmert, wiener (wiener:HEIGHT), polynomial1, polynomial3, " \
    "... polynomial15, and files such as DIR/result.json\n"

CHECK_TEST(shapes_are_compared)
{
    assert_int_equal(CALL("study", "transitions", RUN, SHORT, "-f", "clothoid,bloss", "-c", "peak(body.y)", "-c",
                          "max(*.Q)", "-o", "compared"),
                     0);
    assert_non_null(
        strstr(content("out"), "[1] peak(body.y) in m\n[2] max(*.Q) in N\nin brackets: relative to clothoid\n"));
    assert_non_null(strstr(content("out"), "\nclothoid   "));
    assert_string_equal(content("err"), "table and pictures are in compared\n");
    assert_int_equal(access("compared/criteria.png", F_OK), 0);
    assert_int_equal(CALL("study", "status", "compared"), 0);
}

// The number behind a shape's state in transitions.csv.
static double value_of_shape(const char *file, const char *shape)
{
    char begin[64];
    (void)snprintf(begin, sizeof begin, "\n\"%s\",done,", shape);
    const char *at = strstr(content(file), begin);
    assert_non_null(at);
    return strtod(at + strlen(begin), NULL);
}

CHECK_TEST(of_several_conditions_the_largest_criterion_counts)
{
    static const char *const shapes[] = {"clothoid", "bloss"};
    assert_int_equal(CALL("study", "transitions", RUN, SHORT, "-f", "clothoid,bloss", "-c", "peak(body.y)", "--over",
                          "speed=12,20", "-o", "over"),
                     0);
    assert_int_equal(CALL("study", "transitions", RUN, SHORT, "-f", "clothoid,bloss", "-c", "peak(body.y)", "-s",
                          "start.speed=12", "-o", "slow"),
                     0);
    assert_int_equal(CALL("study", "transitions", RUN, SHORT, "-f", "clothoid,bloss", "-c", "peak(body.y)", "-s",
                          "start.speed=20", "-o", "fast"),
                     0);
    for (int i = 0; i < 2; i++) {
        const double slow = value_of_shape("slow/transitions.csv", shapes[i]),
                     fast = value_of_shape("fast/transitions.csv", shapes[i]);
        assert_true(slow != fast); // else a condition would not count
        assert_true(value_of_shape("over/transitions.csv", shapes[i]) == fmax(slow, fast)); // the same runs
    }
    assert_int_equal(CALL("study", "transitions", RUN, SHORT, "-f", "clothoid,bloss", "-c", "peak(body.y)", "--over",
                          "speed=12,20", "-o", "over", "--dry-run", "-o", "cases.csv"),
                     0);
    expect("out", "4 cases: 4 done, 0 failed, 0 open\n");
    assert_string_equal(content("cases.csv"), "case,shape,speed [m/s],state\n1,clothoid,12,done\n2,clothoid,20,done\n"
                                              "3,bloss,12,done\n4,bloss,20,done\n");
}

CHECK_TEST(a_section_is_found_and_can_be_used)
{
    assert_int_equal(CALL("study", "optimise", RUN, SHORT, "-u", "1", "-E", "4", "-c", "peak(body.yaw)", "-o", "found"),
                     0);
    assert_non_null(strstr(content("out"), "section for a track file (section.json):\n{\"transition\": 60, "));
    char setting[2048];
    (void)snprintf(setting, sizeof setting, "track.sections[1]=%s", content("found/section.json"));
    assert_int_equal(CALL("check", RUN, "-s", setting), 0);
}

CHECK_TEST(a_criterion_twice_is_refused)
{
    REFUSED(3, "error: the criterion peak(body.y) is given twice\n", "study", "transitions", RUN, "-c", "peak(body.y)",
            RIGHT);
}

CHECK_TEST(transitions_that_are_none_are_refused)
{
    REFUSED(
        3,
        "error: the track has no transition: one of its \"sections\" must be {\"transition\": LENGTH, \"to\": {...}}\n",
        "study", "transitions", KANE_SOURCE_DIR "/data/runs/wagon-irregular.json", RIGHT);
    REFUSED(3, "error: section 1 is named twice\n", "study", "transitions", RUN, "-n", "1", "-n", "1", RIGHT);
    REFUSED(3, "error: section 2 of the track is no transition; of its sections, counting from 0, these are: 1\n",
            "study", "optimise", RUN, "-n", "2", RIGHT);
    REFUSED(3, "error: the track has 2 transitions, sections 1, 3 (counting from 0): say by --section which one\n",
            "study", "optimise", RUN, "-s",
            "track.sections=[{\"straight\": 50}, {\"transition\": 60, \"to\": {\"radius\": 600}}, {\"curve\": 300}, "
            "{\"transition\": 60}, {\"straight\": 9}]",
            RIGHT);
    REFUSED(3,
            "error: " KANE_SOURCE_DIR
            "/data/runs/mechanism-pendulum.json: a mechanism has no track, and so no transitions\n",
            "study", "transitions", KANE_SOURCE_DIR "/data/runs/mechanism-pendulum.json", RIGHT);
}

CHECK_TEST(criteria_that_are_none_are_refused)
{
    REFUSED(
        3,
        "error: peak(bdy.y): no channel is called 'bdy.y'; did you mean 'body.y'?; \"kane check --channels RUN\" lists "
        "them\n",
        "study", "transitions", RUN, "-c", "peak(bdy.y)", "-o", "out of it");
    REFUSED(3, "error: 0*peak(body.y): the weight of a criterion must be a number that is not 0\n", "study", "optimise",
            RUN, "-c", "0*peak(body.y)", "-o", "out of it");
    REFUSED(
        2, "kane study transitions: a study of transitions needs a criterion: --criterion 'rms(body.acceleration.y)'\n",
        "study", "transitions", RUN, "-o", "out of it");
}

CHECK_TEST(shapes_that_are_none_are_refused)
{
    REFUSED(3, "error: the shape 'klothoid' does not exist" SHAPES, "study", "transitions", RUN, "-f", "bloss,klothoid",
            RIGHT);
    REFUSED(3, "error: the shape 'polynomial4' has no odd degree from 1 to 15" SHAPES, "study", "transitions", RUN,
            "-f", "polynomial4", RIGHT);
    REFUSED(3, "error: the shape 'wiener:tall' has no height in m or mm behind its colon" SHAPES, "study",
            "transitions", RUN, "-f", "wiener:tall", RIGHT);
    REFUSED(3, "error: the shape 'bloss' is named twice\n", "study", "transitions", RUN, "-f", "bloss,sine,bloss",
            RIGHT);
    REFUSED(6, "error: nowhere.json: cannot be read: No such file or directory\n", "study", "transitions", RUN, "-f",
            "nowhere.json", RIGHT);
}

CHECK_TEST(searches_that_cannot_be_are_refused)
{
    REFUSED(3,
            "error: the lowest polynomial with such ends (vanishing derivatives: 2) has degree 5, and higher ones have "
            "something to be found: the degree must be 6 to 15\n",
            "study", "optimise", RUN, "-e", "2", "-d", "5", RIGHT);
    REFUSED(
        3,
        "error: 11 unknowns with such ends (vanishing derivatives: 2) make a polynomial of degree 16; there may be 10, "
        "for degree 15\n",
        "study", "optimise", RUN, "-e", "2", "-d", "16", RIGHT);
    REFUSED(3, "error: 7 is the number of derivatives that are to vanish at both ends; it may be 0 to 6\n", "study",
            "optimise", RUN, "-e", "7", RIGHT);
    REFUSED(2, "kane study optimise: --degree and --unknowns say the same thing; give one of them\n", "study",
            "optimise", RUN, "-d", "6", "-u", "2", RIGHT);
    REFUSED(3,
            "error: curvature that must grow all along is a constraint, which the algorithm bobyqa does not know; take "
            "cobyla\n",
            "study", "optimise", RUN, "-m", "-a", "bobyqa", RIGHT);
    REFUSED(3, "error: the algorithm bobyqa needs at least 2 unknowns; take cobyla for 1\n", "study", "optimise", RUN,
            "-u", "1", "-a", "bobyqa", RIGHT);
    REFUSED(3, "error: 0 evaluations; there must be 1 to 1000000\n", "study", "optimise", RUN, "-E", "0", RIGHT);
    REFUSED(3,
            "error: the bound of the unknowns is -1, must be positive\n"
            "error: the tolerance of the unknowns is 0, must be positive\n"
            "error: 100 starts; there may be 1 to 64\n",
            "study", "optimise", RUN, "-b", "-1", "-t", "0", "-k", "100", RIGHT);
    REFUSED(
        3,
        "error: each step of a search needs the one before: it has no shards and runs on one machine, not under mpirun; its starts share the processors (-j)\n",
        "study", "optimise", RUN, "--shard=1/2", RIGHT);
    REFUSED(3, "error: a run that fails is a part of the way of a search: none is carried out once more\n", "study",
            "optimise", RUN, "--retry-failed", RIGHT);
    REFUSED(3,
            "error: the algorithm slsqp needs exact derivatives, but there are none (a criterion or a limit is of a "
            "run); take cobyla\n",
            "study", "optimise", RUN, "-a", "slsqp", RIGHT);
    REFUSED(3, "error: a limit is a constraint, which the algorithm bobyqa does not know; take cobyla\n", "study",
            "optimise", RUN, "-a", "bobyqa", "--limit", "peak(body.roll) <= 1 deg", RIGHT);
    REFUSED(3,
            "error: the limit 'peak(body.roll) < 1' is not of the form MEASURE <= VALUE, or >=, such as "
            "'peak(line.superelevation_s) <= 2.5 permille'\n",
            "study", "optimise", RUN, "--limit", "peak(body.roll) < 1", RIGHT);
    REFUSED(2, "kane study optimise: --points is about a front; --pareto MEASURE makes it\n", "study", "optimise", RUN,
            "--points", "5", RIGHT);
    REFUSED(3, "error: 2 points of a front; it has 3 to 64, and a second measure\n", "study", "optimise", RUN,
            "--pareto", "peak(body.roll)", "--points", "2", RIGHT);
    REFUSED(2, "kane study optimise: --length: '60' is not a range of lengths A:B in m, such as 80:150\n", "study",
            "optimise", RUN, "--length", "60", RIGHT);
    REFUSED(3, "error: the length may be 80 m to 60 m; both must be positive and the second one larger\n", "study",
            "optimise", RUN, "--length", "80:60", RIGHT);
    REFUSED(2,
            "kane study optimise: --worst and --weights are about several conditions; --over PATH=VALUES makes them\n",
            "study", "optimise", RUN, "--worst", RIGHT);
    REFUSED(3, "error: 1 weights for 2 conditions; each needs one\n", "study", "optimise", RUN, "--over", "speed=10,20",
            "--weights", "1", RIGHT);
    REFUSED(3,
            "error: the axis 'shape' is what the search looks for; axes are conditions under which a shape must be "
            "good\n",
            "study", "optimise", RUN, "--over", "shape=bloss,sine", RIGHT);
    REFUSED(3, "error: peak(line.curve): no channel is called 'line.curve'; did you mean 'line.curvature'?\n", "study",
            "optimise", RUN, "-c", "peak(line.curve)", "-o", "out of it");
    REFUSED(2,
            "kane study optimise: there is no algorithm 'newton'; there are bobyqa, cobyla, nelder-mead, subplex, crs, "
            "direct, slsqp\n",
            "study", "optimise", RUN, "-a", "newton", RIGHT);
}

CHECK_MAIN(enter_folder, leave_folder)
