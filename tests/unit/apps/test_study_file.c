// SPDX-License-Identifier: MIT
// Study files as the program takes them: what is wrong has its line and column; a study of several runs has the effects
// that a study of each has; for any number of workers, and killed and gone on with, it writes the same bytes.

#include "unit/apps/program.h"

static void write_study(const char *text)
{
    write_file("study.json", text);
}

#define WAGON KANE_SOURCE_DIR "/data/runs/wagon-transition.json"
#define COACH "\"vehicle=\\\"../../vehicles/manchester-1.json\\\"\""
#define HEAD  "{\"kane\": \"study 1\",\n"
#define RUNS                                                                                                           \
    "\"runs\": {\"wagon\": {\"file\": \"" WAGON "\", \"bodies\": {\"car body\": \"body\"}, \"fit\": true},\n"          \
    "\"coach\": {\"file\": \"" WAGON "\", \"set\": [" COACH "], \"bodies\": {\"car body\": \"car\"}}},\n"
#define SHORT "\"set\": [\"start.at=30\", \"until.distance=60\", \"output.interval=20 ms\"], \"strongest\": 0,\n"
#define TERMS "\"omit\": [\"car body:torque.rotation.z\", \"*:torque.gyroscopic.*\"],\n"
#define SEEN  "\"response\": [\"car body.yaw\", \"*.Y\"],\n"
#define GOOD  HEAD RUNS SHORT TERMS SEEN "\"threshold\": \"4%\", \"speeds\": [12, 24], \"radii\": [400, 1600]}\n"

static const struct {
    const char *text, *message;
} mistakes[] = {
    {HEAD RUNS "\"omitt\": \"*:*.*.*\"}", "study.json:4:1: omitt: unknown key; did you mean 'omit'?"},
    {HEAD "\"omit\": \"*:*.*.*\"}", "study.json:1:1: 'runs' is missing"},
    {HEAD "\"runs\": {}}", "study.json:2:9: runs: the study has no run"},
    {HEAD "\"runs\": {\"wagon\": {}}}", "study.json:2:19: runs.wagon: 'file' is missing"},
    {HEAD RUNS "\"omit\": {\"term\": 1}}",
     "study.json:4:9: omit: found an object, expected a number, a text, or a list of them"},
    {HEAD RUNS "\"threshold\": \"little\",\n" TERMS SEEN SHORT "\"speeds\": 10}",
     "study.json:4:14: \"threshold\" is given here"},
    {HEAD RUNS SHORT TERMS SEEN "\"speeds\": [10, \"fast\"]}",
     "study.json:7:11: --set start.speed=fast: 'fast' does not begin with a number"},
    {HEAD RUNS SHORT TERMS SEEN "\"speeds\": [10, 10]}",
     "study.json:7:11: speeds: the axis 'speed' has the value '10' twice"},
    {HEAD "\"runs\": {\"wagon\": {\"file\": \"" WAGON "\", \"bodies\": {\"leading\": \"body\"}}},\n" SHORT SEEN
          "\"omit\": \"leading:*.*.*\"}",
     "run wagon: \"bodies\" gives other bodies the name 'leading' of a body; take another name"},
    {HEAD "\"runs\": {\"wagon\": {\"file\": \"" WAGON "\", \"set\": [\"start.speed=5\"]}},\n" SHORT TERMS SEEN
          "\"speeds\": [10, 12]}",
     "set: 'start.speed=5' sets what the study sets for all runs by the axis 'speed=10,12'"},
    {HEAD "\"runs\": {\"wagon\": {\"file\": \"" WAGON
          "\",\n\"set\": [\"start.speed=5\", \"start.at = 20\"]}},\n" SHORT SEEN "\"all\": true}",
     "study.json:3:26: runs.wagon.set: 'start.at = 20' sets what the study sets for all runs by the setting "
     "'start.at=30'; leave out one of both"},
    {HEAD "\"runs\": {\"wagon\": {\"file\": \"" WAGON "\",\n\"set\": [\"until.distance=20\"]}},\n" SHORT SEEN
          "\"all\": true}",
     "study.json:3:9: runs.wagon.set: 'until.distance=20' sets what the study sets"},
    {HEAD RUNS SHORT TERMS SEEN "\"over\": \"start.at=1:2\"}",
     "study.json:7:9: --over start.at=1:2: '1:2' has no number of values"},
    {HEAD RUNS SHORT SEEN "\"omit\": \"body:torque.rotation.z\"}",
     "study.json:6:9: --omit body:torque.rotation.z: run coach: no body is called 'body'"},
    {HEAD RUNS SHORT TERMS "\"response\": [\"*.Y\", \"body.y\"]}",
     "study.json:6:21: --response body.y: run coach: no channel is called 'body.y'"},
    {HEAD RUNS SHORT TERMS "\"speeds\": 10}", "several runs have several models: name the responses by --response"},
    {HEAD RUNS SHORT SEEN "\"all\": true}", "several runs have several models: name the terms by --omit"},
    {HEAD RUNS SHORT TERMS SEEN "\"decides\": \"critical\"}", "study.json:7:1: decides: unknown key"},
};

CHECK_TEST(every_mistake_has_its_place)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        write_study(mistakes[i].text);
        const int code = CALL("study", "omit", "study.json", "-o", "mistake");
        if ((code != 2 && code != 3) || !strstr(content("err"), mistakes[i].message))
            fail_msg("'%s' expected, found %d:\n%s", mistakes[i].message, code, content("err"));
        assert_int_equal(access("mistake", F_OK), -1);
    }
}

CHECK_TEST(an_option_of_the_file_cannot_be_given_again)
{
    write_study(HEAD RUNS SHORT TERMS SEEN "\"threshold\": \"2%\"}");
    assert_int_equal(CALL("study", "omit", "study.json", "-o", "mistake", "-t", "1%"), 2);
    expect("err", "--threshold is given twice, '2%' and '1%'");
}

CHECK_TEST(a_study_is_checked_and_its_cases_are_listed)
{
    write_study(GOOD);
    assert_int_equal(CALL("check", "study.json"), 0);
    expect("out", "run wagon: two-axle freight wagon on ");
    expect("out", "run coach: Manchester benchmark vehicle 1 on ");
    expect("out", "\n24 cases\n"); // 2 runs, 2 speeds, 2 radii; 2 terms and the accuracy
    assert_int_equal(CALL("study", "omit", "study.json", "--dry-run", "-o", "cases.csv"), 0);
    // rows 1, 9 and 24 of the grid, the last axis fastest
    expect("cases.csv", "case,run,speed [m/s],radius [m],omitted\n1,wagon,12,400,");
    expect("cases.csv", "\n9,wagon,24,400,*:torque.gyroscopic.*\n");
    expect("cases.csv", "\n24,coach,24,1600,*:torque.gyroscopic.*\n");
    write_study(HEAD RUNS SHORT TERMS SEEN "\"speeds\": [10, \"fast\"]}");
    assert_int_equal(CALL("check", "study.json"), 3);
    expect("err", "study.json:7:11: --set start.speed=fast: 'fast' does not begin with a number");
    write_study(HEAD "\"runs\": {\"wagon\": {\"file\": \"" WAGON "\", \"set\": \"start.sped=1\"}}, \"all\": true}");
    assert_int_equal(CALL("check", "study.json"), 3);
    expect("err", "start.sped");
    assert_int_equal(CALL("check", "study.json", "--channels"), 3);
    expect("err", "a study is checked without options");
}

// Rows of effects.csv from the column "speed" on that begin with a run and have a term in the name of this run.
static void select_rows(const char *from, const char *run, const char *to)
{
    char command[600];
    (void)snprintf(
        command, sizeof command,
        "grep '%s' %s/effects.csv | sed 's/^\"wagon\",//; s/^\"coach\",//; s/car body:/BODY:/; s/car body\\./BODY./;"
        "s/\"body:/\"BODY:/; s/\"body\\./\"BODY./; s/\"car:/\"BODY:/; s/\"car\\./\"BODY./' > %s",
        run, from, to);
    assert_int_equal(system(command), 0);
}

CHECK_TEST(several_runs_have_the_effects_of_each)
{
    static const char *const names[] = {"wagon", "coach"}, *const bodies[] = {"body", "car"};
    write_study(GOOD);
    assert_int_equal(CALL("study", "omit", "study.json", "-o", "both", "-j", "2", "-q"), 0);
    for (int i = 0; i < 2; i++) {
        char term[64], response[64], run[16];
        (void)snprintf(term, sizeof term, "%s:torque.rotation.z,*:torque.gyroscopic.*", bodies[i]);
        (void)snprintf(response, sizeof response, "%s.yaw,*.Y", bodies[i]);
        assert_int_equal(CALL("study", "omit", WAGON, "-s",
                              i == 0 ? "vehicle=\"../../vehicles/two-axle-wagon.json\""
                                     : "vehicle=\"../../vehicles/manchester-1.json\"",
                              "-s", "start.at=30", "-s", "until.distance=60", "-s", "output.interval=20 ms",
                              "--strongest", "0", "-x", term, "-r", response, "--speeds=12,24", "--radii=400,1600",
                              "-o", names[i], "-q"),
                         0);
        (void)snprintf(run, sizeof run, "^\"%s\",", names[i]);
        select_rows("both", run, "joint");
        select_rows(names[i], "^[0-9]", "alone");
        // scales are of all runs together: columns before and behind the relative effect
        assert_int_equal(system("cut -d, -f1-5,7-11 joint > a && cut -d, -f1-5,7-11 alone > b && cmp a b && test -s a"),
                         0);
    }
}

CHECK_TEST(any_number_of_workers_and_a_killed_study_write_the_same)
{
    write_study(GOOD);
    assert_int_equal(CALL("study", "omit", "study.json", "-o", "one", "-j", "1", "-q"), 0);
    assert_int_equal(CALL("study", "omit", "study.json", "-o", "part", "--shard", "2/3", "-q"), 0);
    const pid_t child =
        start((const char *const[]){"study", "omit", "study.json", "-o", "part", "-j", "2", "-q", NULL});
    (void)nanosleep(&(struct timespec){.tv_nsec = 400000000}, NULL);
    (void)kill(child, SIGKILL);
    (void)wait_for(child);
    assert_int_equal(CALL("study", "omit", "study.json", "-o", "part", "-j", "2", "-q"), 0);
    assert_int_equal(CALL("study", "omit", "study.json", "-o", "two", "-j", "2", "-q"), 0);
    assert_int_equal(
        system("for f in effects.csv effects.json ranking.csv ranking.json ranking.txt rules.csv rules.svg; do "
               "cmp one/$f two/$f && cmp one/$f part/$f || exit 1; done"),
        0);
    expect("one/ranking.txt", "Fitted on wagon; tested on coach");
    expect("one/rules.svg", "width=\"643\"");                           // 170 mm at 96 pixels an inch
    expect("one/rule-car body_torque.rotation.z.svg", "width=\"321\""); // 85 mm
}

CHECK_MAIN(enter_folder, leave_folder)
