// SPDX-License-Identifier: MIT
// Options that are given again, of every command and without exception: their values add, or an error names the option;
// none is dropped.

#include "program.h"

static const char *const commands[] = {"run",
                                       "check",
                                       "track",
                                       "plot",
                                       "view",
                                       "repair",
                                       "cache",
                                       "sweep",
                                       "contact",
                                       "critical",
                                       "conicity",
                                       "equilibrium",
                                       "modes",
                                       "equations",
                                       "identify",
                                       "sensitivity",
                                       "fmu",
                                       "bench",
                                       "schema",
                                       "evaluate",
                                       "report",
                                       "study omit",
                                       "study status",
                                       "study rods",
                                       "study transitions",
                                       "study optimise",
                                       "flexible check",
                                       "flexible reduce",
                                       "export c",
                                       "export equations"};
#define LINE KANE_SOURCE_DIR "/data/tracks/short-transition.json"

enum { COMMANDS = sizeof commands / sizeof *commands, SHORTEST = 4 };

// Values that the parser of an option takes, where "1" is none.
static const struct {
    const char *option, *values[2];
} samples[] = {
    {"set", {"a=1", "b=2"}},
    {"over", {"x=1:2:3", "y=1,2"}},
    {"parameter", {"speed=1", "bodies.b.mass=2"}},
    {"length", {"80:150", "60:90 m"}},
    {"output", {"p.svg", "q.svg"}},
    {"class", {"coach", "locomotive"}},
    {"scale", {"linear", "log"}},
    {"formulation", {"moving", "fixed"}},
    {"format", {"hdf5", "csv"}},
    {"fmi", {"2", "3"}},
    {"shard", {"1/2", "2/2"}},
    {"sampling", {"latin", "random"}},
    {"by", {"rms", "largest"}},
    {"algorithm", {"bobyqa", "crs"}},
    {"yaw", {"0.01", "0.02"}},
    {"reach", {"0.01", "0.02"}},
    {"amplitude", {"0.01", "0.02"}},
    {"what", {"rates", "jacobian"}},
    {"name", {"p", "q"}},
};

static const char *sample(const char *option, const char *command, int which)
{
    if (strcmp(command, "fmu") == 0 && strcmp(option, "output") == 0)
        return which ? "q.fmu" : "p.fmu";
    if (strcmp(command, "export equations") == 0 && strcmp(option, "to") == 0)
        return which ? "python" : "c";
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        if (strcmp(samples[i].option, option) == 0)
            return samples[i].values[which];
    return which ? "2" : "1";
}

// What the program says when the option is given so often; the last argument is no file.
static void call(const char *command, const char *option, int times, size_t size, char *said)
{
    char line[1024];
    int at = snprintf(line, sizeof line, "'%s' %s", KANE_PROGRAM, command);
    for (int i = 0; i < times; i++)
        at += snprintf(line + at, sizeof line - (size_t)at, " --%s='%s'", option, sample(option, command, i));
    (void)snprintf(line + at, sizeof line - (size_t)at, " /nowhere/nothing 2>&1 </dev/null");
    FILE *out = popen(line, "r");
    assert_non_null(out);
    said[fread(said, 1, size - 1, out)] = '\0';
    if (pclose(out) == 0)
        fail_msg("%s succeeds", line);
}

// Returns 1 if the option breaks the rule.
static int breaks_the_rule(const char *command, const char *option, int adds)
{
    char once[4096], twice[4096], refused[256];
    (void)snprintf(refused, sizeof refused, "--%s is given twice, '%s' and '%s': it may be given once", option,
                   sample(option, command, 0), sample(option, command, 1));
    call(command, option, 1, sizeof once, once);
    call(command, option, 2, sizeof twice, twice);
    const int good = adds ? strcmp(once, twice) == 0 : strstr(twice, refused) != NULL && !strstr(once, refused);
    if (!good)
        print_error("kane %s --%s, %s:\n  once:  %s  twice: %s", command, option, adds ? "which adds" : "of one value",
                    once, twice);
    return !good;
}

// A line of the help and those that go on with it: "  -o, --output=DIR   directory ...". Returns 1 if the rule is
// broken.
static int check_entry(const char *command, const char *entry, int *count)
{
    char option[64];
    const char *name = strstr(entry, "--"), *equals = name ? name + strcspn(name, "= \n") : NULL;
    if (!name || *equals != '=' || name - entry > 8)
        return 0;
    (void)snprintf(option, sizeof option, "%.*s", (int)(equals - name - 2), name + 2);
    (*count)++;
    return breaks_the_rule(command, option, strstr(entry, "given again") != NULL);
}

CHECK_TEST(an_option_that_is_given_again_adds_or_is_refused)
{
    int broken = 0, count = 0;
    for (int i = 0; i < COMMANDS; i++) {
        char line[1024];
        (void)snprintf(line, sizeof line, "COLUMNS=1000 ARGP_HELP_FMT=opt-doc-col=60,rmargin=1000 '%s' %s --help",
                       KANE_PROGRAM, commands[i]);
        FILE *help = popen(line, "r");
        assert_non_null(help);
        while (fgets(line, sizeof line, help))
            broken += check_entry(commands[i], line, &count);
        assert_int_equal(pclose(help), 0);
    }
    assert_int_equal(broken, 0);
    assert_true(count > 150);
}

// All commands that there are stand in the list above: those of one first word are choices of one command.
CHECK_TEST(no_command_is_left_out)
{
    char line[256], name[32];
    FILE *help = popen("'" KANE_PROGRAM "' --help", "r");
    int count  = 0;
    while (help && fgets(line, sizeof line, help)) {
        if (strncmp(line, "  ", 2) != 0 || sscanf(line, "%31[ a-z]", name) != 1)
            continue;
        const size_t length = strcspn(name + 2, " ");
        int found           = 0;
        for (int i = 0; i < COMMANDS; i++)
            found |= strncmp(commands[i], name + 2, length) == 0 && strchr(" ", commands[i][length]) != NULL;
        if (!found)
            fail_msg("kane %.*s is not tried", (int)length, name + 2);
        count++;
    }
    assert_int_equal(pclose(help), 0);
    assert_true(count > 15);
}

static int lines_of(const char *file)
{
    int count = 0;
    for (const char *c = content(file); *c; c++)
        count += *c == '\n';
    return count;
}

// Again or between commas: the same columns.
CHECK_TEST(again_and_commas_say_the_same)
{
    static char before[1 << 16];
    assert_int_equal(CALL("run", RUN, "-s", "until.distance=20", "-c", "body.y", "-c", "body.z,leading.y", "-F", "csv",
                          "-o", "again", "-q"),
                     0);
    expect("again/results.csv", "time,distance,body.y,body.z,leading.y\n");
    assert_int_equal(CALL("evaluate", "again", "--psd", "body.y", "--psd", "leading.y,body.z"), 0);
    expect("out", "frequency,body.y,leading.y,body.z\n");
    assert_int_equal(CALL("sweep", RUN, "-s", "until.distance=20", "-O", "speed=10,20", "-O", "friction=0.2,0.3", "-m",
                          "max(body.y, 20 Hz),min(body.y)", "-m", "rms(body.z)", "-o", "grid", "-q"),
                     0);
    expect("grid/sweep.csv", "\"max(body.y, 20 Hz) [m]\",min(body.y) [m],rms(body.z) [m]");
    assert_int_equal(lines_of("grid/sweep.csv"), 5);
    assert_int_equal(CALL("contact", "-l", "50 kN,60 kN", "-r", "0.001"), 0);
    (void)snprintf(before, sizeof before, "%s", content("out"));
    assert_int_equal(CALL("contact", "-l", "50 kN", "-l", "60 kN", "-r", "0.001"), 0);
    assert_string_equal(content("out"), before);
}

CHECK_TEST(what_makes_no_sense_is_refused)
{
    assert_int_equal(CALL("modes", RUN, "--over", "speed=10,20", "--over", "friction=0.2,0.3"), 2);
    expect("err", "--over is given twice, 'speed=10,20' and 'friction=0.2,0.3': it may be given once");
    assert_int_equal(CALL("check", RUN, "-s", "vehicle.bodies.body.mass=8 t", "--set=bodies.body.mass=9 t"), 2);
    expect("err", "--set sets the same twice: 'vehicle.bodies.body.mass=8 t' and 'bodies.body.mass=9 t'");
    assert_int_equal(CALL("check", RUN, "-s", "vehicle.bodies.body.mass=8 t", "-s", "vehicle.bodies.\"body\".mass=9 t"),
                     2);
    expect("err", "--set sets the same twice");
    assert_int_equal(CALL("run", RUN, "-f", "fixed", "-s", "formulation=moving", "-o", "never"), 2);
    expect("err", "the same is set twice: 'formulation=moving' and 'formulation=fixed'");
    assert_int_equal(CALL("run", RUN, "-s", "output.channels=[\"body.y\"]", "-c", "time", "-o", "never"), 2);
    expect("err", "the same is set twice");
    assert_int_equal(CALL("run", RUN, "-c", "body.y,,body.z"), 2);
    expect("err", "--channels 'body.y,,body.z': a value is missing");
    assert_int_equal(CALL("contact", "-l", "50 kN,60 kN", "-l", "70 kN"), 2);
    expect("err", "--load at most twice: left and right");
    assert_int_equal(CALL("sweep", RUN, "-m", "max(body.y)", "-o", "never", "-j", "2", "-J", "3"), 2);
    expect("err", "--workers is given twice, '2' and '3'");
    assert_int_equal(CALL("run", RUN, "-q", "--quiet", "-s", "until.distance=1", "-o", "quiet"),
                     0); // says the same again
}

// Files say a straight as -R does; a volume in litres is one.
CHECK_TEST(a_radius_may_be_infinite_and_a_volume_in_litres)
{
    static char said[1 << 16];
    assert_int_equal(CALL("sweep", RUN, "-s", "until.distance=20", "-O", "radius=600,inf", "-m", "end(body.y)", "-o",
                          "straight", "-q"),
                     0);
    assert_int_equal(CALL("track", LINE, "-s", "sections[1].to={\"radius\": \"inf\"}"), 0);
    (void)snprintf(said, sizeof said, "%s", content("out"));
    assert_int_equal(CALL("track", LINE, "-s", "sections[1].to={}", "-s", "sections[2]={\"straight\": 300}"), 0);
    assert_string_equal(content("out"), said);
    assert_int_equal(CALL("check", RUN, "-s", "track.sections[1].to.cant=inf"), 3);
    expect("err", "'inf' does not begin with a number");
    assert_int_equal(CALL("check", LINE, "-s", "sections[1].to.radius=30 l"), 3);
    expect("err", "'30 l' is a volume, expected a length [m]");
}

CHECK_MAIN(enter_folder, leave_folder)
