// SPDX-License-Identifier: MIT
// kane sweep: bad requests, each with its whole message, and nothing begun or lost.

#include "check.h"
#include "program.h"

#include <sys/resource.h>

enum { INPUT = 3, USAGE = 2, FILE_ERROR = 6 };

#define STEP(range, third)                                                                                             \
    "'" third "' is not a count of values from 2 to 100000: A:B:N stands for N values from A to B, such as 10:50:5 "   \
    "for 10, 20, 30, 40, 50; steps are written A:B:step=S, here " range ":step=" third "\n"
#define TRY "Try `kane sweep --help' or `kane sweep --usage' for more information.\n"

// Exit code and all that is said; no directory is made.
static void check_refused(const char *const *arguments, int code, const char *said)
{
    assert_int_equal(wait_for(start(arguments)), code);
    assert_string_equal(content("err"), said);
    assert_string_equal(content("out"), "");
    assert_int_not_equal(access("new", F_OK), 0);
}

#define REFUSED(code, said, ...)                                                                                       \
    check_refused((const char *const[]){"sweep", RUN, "-q", "-o", "new", __VA_ARGS__, NULL}, code, said)
#define MEASURE "-m", "max(body.y)"

CHECK_TEST(axes_that_are_none)
{
    REFUSED(USAGE, "kane sweep: a sweep needs --over, such as --over speed=10:50:5\n" TRY, MEASURE);
    REFUSED(INPUT, "error: --over speed=10:20:0: " STEP("10:20", "0"), "-O", "speed=10:20:0", MEASURE);
    REFUSED(INPUT, "error: --over speed=10:20:-3: " STEP("10:20", "-3"), "-O", "speed=10:20:-3", MEASURE);
    REFUSED(INPUT, "error: --over speed=10:20:2.5: " STEP("10:20", "2.5"), "-O", "speed=10:20:2.5", MEASURE);
    REFUSED(INPUT, "error: --over speed=10:20:10000000: " STEP("10:20", "10000000"), "-O", "speed=10:20:10000000",
            MEASURE);
    REFUSED(INPUT,
            "error: --over speed=10:20:step=0: '0' is not a step; A:B:step=S stands for A, A + S, A + 2 S, ... up "
            "to B\n",
            "-O", "speed=10:20:step=0", MEASURE);
    REFUSED(INPUT, "error: --over speed=: no value is given\n", "-O", "speed=", MEASURE);
    // both are told
    REFUSED(
        INPUT,
        "error: --over speed: expected PATH=A:B:N, PATH=A:B:step=S or PATH=V,V,..., such as speed=10:50:5 or shape=bloss,cosine\n"
        "error: --over radius=300:600 ft:3 m: '600 ft' and '3 m' have different units, both need the same\n",
        "-O", "speed", "-O", "radius=300:600 ft:3 m", MEASURE);
}

CHECK_TEST(paths_and_values_that_are_none)
{
    REFUSED(INPUT, "error: --set speeed=1: speeed: unknown key; did you mean 'speed'?\n", "-O", "speeed=1:2:3",
            MEASURE);
    REFUSED(
        INPUT,
        "error: --set vehicle.bodies.bdy.mass=1 t: bodies: there is no 'bdy' here; did you mean 'body'? known: body\n",
        "-O", "vehicle.bodies.bdy.mass=1:2 t:3", MEASURE);
    REFUSED(INPUT, "error: --set start.speed=-10: start.speed: -10 is out of range, must not be negative\n", "-O",
            "speed=10:-10:3", MEASURE);
    REFUSED(INPUT,
            "error: --set track.sections[*].shape=blos: sections[1].shape: 'blos' is not known; did you mean 'bloss'? "
            "known: clothoid, parabola, cosine, sine, bloss, helmert, wiener, polynomial, spline\n",
            "-O", "shape=bloss,blos,sine", MEASURE);
    REFUSED(INPUT,
            "error: --set start.speed=20 kg: start.speed: '20 kg' is a mass, expected a speed [m/s] such as 19.4 or "
            "\"70 km/h\"\n",
            "-O", "speed=20,30 kg", MEASURE);
}

// `speed` as an axis is that at the start, as a setting what happens to it on the way.
CHECK_TEST(the_speed_at_the_start_and_its_pieces_are_two)
{
    assert_int_equal(wait_for(start((const char *const[]){"sweep", RUN, "-n", "-o", "new", "-O", "speed=10,20", "-s",
                                                          "speed=[{\"acceleration\": 0}]", MEASURE, NULL})),
                     0);
    assert_string_equal(content("err"), "");
}

CHECK_TEST(requests_that_contradict_themselves)
{
    REFUSED(
        INPUT,
        "error: the cases of a list take the first values of all axes, the second ones and so on, so that there must "
        "be as many of each: 'speed' has 3, 'radius' has 2\n",
        "--list", "-O", "speed=10:20:3", "-O", "radius=300,400", MEASURE);
    REFUSED(INPUT, "error: two axes set start.speed: 'speed' and 'start.speed'\n", "-O", "speed=10,20", "-O",
            "start.speed=3,4", MEASURE);
    // a short name, a path without its file and the whole path are one parameter
    REFUSED(INPUT, "error: two axes set track.rail.friction: 'friction' and 'rail.friction'\n", "-O",
            "friction=0.1,0.2", "-O", "rail.friction=0.3,0.4", MEASURE);
    REFUSED(INPUT, "error: two axes set track.rail.friction: 'track.rail.friction' and 'rail.friction'\n", "-O",
            "track.rail.friction=0.1,0.2", "-O", "rail.friction=0.3,0.4", MEASURE);
    REFUSED(INPUT, "error: two axes set vehicle.bodies.body.mass: 'bodies.body.mass' and 'vehicle.bodies.body.mass'\n",
            "-O", "bodies.body.mass=1e4,2e4", "-O", "vehicle.bodies.body.mass=3e4,4e4", MEASURE);
    REFUSED(INPUT, "error: the axis 'speed' and the setting 'start.speed = 30' contradict each other\n", "-O",
            "speed=10,20", "-s", "start.speed = 30", MEASURE);
    REFUSED(INPUT,
            "error: the axis 'acceleration' and the setting 'speed=[{\"acceleration\": 0}]' contradict each other\n",
            "-O", "acceleration=0,1", "-s", "speed=[{\"acceleration\": 0}]", MEASURE);
    REFUSED(INPUT, "error: the axis 'speed' has the value '10' twice\n", "-O", "speed=10,20,10", MEASURE);
    REFUSED(USAGE, "kane sweep: --latin-hypercube and --list contradict each other\n" TRY, "-L", "5", "--list", "-O",
            "speed=10,20", MEASURE);
    REFUSED(USAGE, "kane sweep: --seed belongs to --latin-hypercube or --samples\n" TRY, "--seed=3", "-O",
            "speed=10,20", MEASURE);
}

CHECK_TEST(counts_that_are_none)
{
    REFUSED(INPUT, "error: the grid has more than 1000000 cases; take fewer values, or a Latin hypercube\n", "-O",
            "speed=10:20:1001", "-O", "radius=300:400:1000", MEASURE);
    REFUSED(INPUT, "error: a Latin hypercube has 1 to 1000000 cases, not 0\n", "-L", "0", "-O", "speed=10:20:2",
            MEASURE);
    REFUSED(INPUT, "error: a Latin hypercube has 1 to 1000000 cases, not -4\n", "-L", "-4", "-O", "speed=10:20:2",
            MEASURE);
    REFUSED(USAGE, "kane sweep: --latin-hypercube: '1e3' is not a whole number\n" TRY, "-L", "1e3", "-O",
            "speed=10:20:2", MEASURE);
    REFUSED(USAGE, "kane sweep: '5/4' is not a shard such as 1/4, 2/4, 3/4 or 4/4\n" TRY, "-S", "5/4", "-O",
            "speed=10:20:2", MEASURE);
}

#define NORMAL "-O", "speed=normal(20,2)", MEASURE

CHECK_TEST(samples_that_are_none)
{
    REFUSED(INPUT,
            "error: the axis 'speed' is a distribution; how many samples it has is missing, such as --samples 100\n",
            NORMAL);
    REFUSED(INPUT,
            "error: samples, percentiles and sensitivity indices are of distributions, and no axis is one, such as "
            "'speed=normal(20,2)' or 'speed=uniform(15,25)'\n",
            "-N", "5", "-O", "speed=10,20", MEASURE);
    REFUSED(INPUT,
            "error: the axis 'speed' is a distribution, which is sampled and crossed with other axes: it does not go "
            "with a list or a Latin hypercube of ranges; write ranges as uniform(A,B)\n",
            "-L", "5", NORMAL);
    REFUSED(INPUT, "error: sensitivity indices need from 2 to 1000000 samples, not 1\n", "-N", "1", "--sobol", NORMAL);
    REFUSED(INPUT, "error: 1500000 cases are more than 1000000; take fewer samples\n", "-N", "500000", "--sobol",
            NORMAL);
    REFUSED(INPUT, "error: 101 is no percentile; there are those from 0 to 100\n", "-N", "5", "-p", "5,101", NORMAL);
    REFUSED(USAGE,
            "kane sweep: 'x' does not begin with a number, expected a pure number such as 0.025 or \"1:40\"\n" TRY,
            "-N", "5", "-p", "x", NORMAL);
    REFUSED(USAGE, "kane sweep: --samples: there must be one or more, such as --samples 100, not 0\n" TRY, "-N", "0",
            NORMAL);
    REFUSED(USAGE, "kane sweep: --samples and --list contradict each other\n" TRY, "-N", "5", "--list", NORMAL);
    REFUSED(USAGE, "kane sweep: --sampling: 'even' is not known; known: latin, random\n" TRY, "-N", "5",
            "--sampling=even", NORMAL);
    REFUSED(USAGE, "kane sweep: --sampling belongs to --samples\n" TRY, "--sampling=random", NORMAL);
    REFUSED(INPUT, "error: two axes set start.speed: 'start.speed' and 'speed'\n", "-N", "5", "-O",
            "start.speed=uniform(1,2)", NORMAL);
    // a value that the run cannot have is found before the first case
    REFUSED(
        INPUT,
        "error: --set start.speed=-2.07035 m/s: start.speed: '-2.07035 m/s' is out of range, must not be negative\n",
        "-N", "5", "-O", "speed=normal(1,2)", MEASURE);
}

CHECK_TEST(measures_that_are_none)
{
    REFUSED(USAGE, "kane sweep: a sweep needs --measure, such as --measure 'max(body.y)'\n" TRY, "-O", "speed=10,20");
    REFUSED(
        INPUT,
        "error: --measure max(bdy.y): no channel is called 'bdy.y'; did you mean 'body.y'?; \"kane check --channels "
        "RUN\" lists them\n",
        "-O", "speed=10,20", "-m", "max(bdy.y)");
    REFUSED(INPUT,
            "error: max(body.y, 200 Hz): a corner of 200 Hz is not below half the rate of the rows, 100 Hz "
            "(rows every 0.005 s)\n",
            "-O", "speed=10,20", "-m", "max(body.y, 200 Hz)");
    REFUSED(INPUT, "error: the measure max(body.y) is given twice\n", "-O", "speed=10,20", MEASURE, MEASURE);
    REFUSED(INPUT, "error: max(*): the channels of '*' have several units, s and m\n", "-O", "speed=10,20", "-m",
            "max(*)");
}

CHECK_TEST(files_that_are_none)
{
    check_refused((const char *const[]){"sweep", "none.json", "-o", "new", "-O", "speed=10,20", MEASURE, NULL},
                  FILE_ERROR, "error: none.json: cannot be read: No such file or directory\n");
    check_refused(
        (const char *const[]){"sweep", RUN, "-o", "new", "-x", "bdy:*.*.*", "-O", "speed=10,20", MEASURE, NULL}, INPUT,
        "error: --omit bdy:*.*.*: no body is called 'bdy'; did you mean 'body'? known: body, leading, "
        "trailing\n");
    check_refused((const char *const[]){"sweep", RUN, "-O", "speed=10,20", MEASURE, NULL}, USAGE,
                  "kane sweep: a study needs a directory: -o DIR\n" TRY);
    check_refused((const char *const[]){"sweep", RUN, "-o", "/proc/new", "-O", "speed=10,20", MEASURE, NULL},
                  FILE_ERROR, "error: the directory /proc/new cannot be made: No such file or directory\n");
    assert_int_equal(mkdir("full", 0777), 0);
    FILE *other = fopen("full/thesis.tex", "w");
    assert_non_null(other);
    (void)fclose(other);
    check_refused(
        (const char *const[]){"sweep", RUN, "-o", "full", "-O", "speed=10,20", MEASURE, NULL}, INPUT,
        "error: the directory full has no plan.json but other files (thesis.tex), which might be written over: "
        "name a new or an empty directory\n");
}

// --- directories that hold something ---

#define SMALL "-s", "until.distance=20", "-q", "-j", "1"

static const char *const first[] = {"sweep", RUN, "-O", "speed=10:20:6", MEASURE, SMALL, "-o", "held", NULL};

CHECK_TEST(another_plan_in_the_directory)
{
    static char before[1 << 16];
    assert_int_equal(wait_for(start(first)), 0);
    (void)snprintf(before, sizeof before, "%s", content("held/sweep.csv"));
    const char *const others[][10] = {{"-O", "speed=10:20:7", MEASURE, NULL}, // another axis
                                      {"-O", "speed=10:20:6", "-m", "min(body.y)", NULL},
                                      {"-O", "speed=10:20:6", "-L", "6", MEASURE, NULL},
                                      {"-O", "speed=10:20:6", "-x", "body:*.*.*", MEASURE, NULL}};
    for (int i = 0; i < 4; i++) {
        const char *request[20] = {"sweep", RUN, SMALL, "-o", "held"};
        int n                   = 9;
        for (int k = 0; others[i][k]; k++)
            request[n++] = others[i][k];
        assert_int_equal(wait_for(start(request)), INPUT);
        const char *said = content("err");
        assert_true(strncmp(said, "error: held/plan.json:", 22) == 0);
        assert_non_null(strstr(said, "the plan of this directory "));
        assert_non_null(strstr(said, "; use another directory, or remove this one\n"));
        assert_string_equal(content("held/sweep.csv"), before); // what is there stays
    }
    assert_int_equal(wait_for(start(first)), 0);
    assert_string_equal(content("held/sweep.csv"), before);
}

// A file that has been edited since the plan began makes another sweep of it.
CHECK_TEST(an_edited_file)
{
    assert_int_equal(system("sed 's|\"\\.\\./\\.\\./vehicles|\"" KANE_SOURCE_DIR
                            "/vehicles|; s|\"\\.\\./tracks|\"" KANE_SOURCE_DIR "/data/tracks|' '" RUN "' > run.json"),
                     0);
    const char *const request[] = {"sweep", "run.json", "-O", "speed=10,12", MEASURE, SMALL, "-o", "edited", NULL};
    assert_int_equal(wait_for(start(request)), 0);
    assert_int_equal(system("sed -i 's/5 ms/4 ms/' run.json"), 0);
    assert_int_equal(wait_for(start(request)), INPUT);
    assert_non_null(strstr(content("err"), "the plan of this directory has "));
}

// No file grows beyond so many bytes: a disk that is full.
static int call_with_limit(const char *const *arguments, rlim_t bytes)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit limit = {bytes, bytes};
        (void)setrlimit(RLIMIT_FSIZE, &limit);
        (void)signal(SIGXFSZ, SIG_IGN);
        _exit(wait_for(start(arguments)));
    }
    return wait_for(child);
}

CHECK_TEST(a_full_disk)
{
    const char *const request[] = {"sweep", RUN, "-O", "speed=10:20:6", MEASURE, SMALL, "-o", "disk", NULL};
    int limited                 = 0; // whatever the file is that does not fit: plan, journal, table, picture
    for (rlim_t bytes = 128; bytes <= 16384; bytes *= 2) {
        const int code = call_with_limit(request, bytes);
        limited += code == FILE_ERROR;
        if (code == FILE_ERROR)
            assert_true(strncmp(content("err"), "error: ", 7) == 0);
        else
            assert_int_equal(code, 0);
    }
    assert_true(limited >= 4);
    assert_int_equal(wait_for(start(request)), 0);
    static char whole[1 << 16];
    (void)snprintf(whole, sizeof whole, "%s", content("held/sweep.csv"));
    assert_string_equal(content("disk/sweep.csv"), whole); // nothing was lost, nothing is twice
}

CHECK_MAIN(enter_folder, leave_folder)
