// SPDX-License-Identifier: MIT
// kane sweep over distributions: statistics and indices of measures that are known functions of the parameters, and
// the same bytes for any number of workers, shards and interruptions.

#include "check.h"
#include "program.h"

#define PENDULUM KANE_SOURCE_DIR "/data/runs/mechanism-pendulum.json"
#define SAMPLES                                                                                                        \
    "-O", "until.time=normal(0.5,0.05 s)", "-O", "bodies.bob.mass=uniform(1,2)", "-O", "output.interval=10,20 ms",     \
        "-N", "24", "--sobol", "-m", "end(time),max(bob.rate.z)", "-s", "integrator.rtol=1e-6", "-q"

static const char *const tables[] = {"plan.json",       "sweep.csv",      "sweep.json",           "sweep-summary.csv",
                                     "sweep-sobol.csv", "1-end-time.svg", "2-max-bob.rate.z.svg", NULL};

// A number of a table: the cell in the column of this name, of line `row` below the head. No cell has a comma in it.
static double find_cell(const char *file, int row, const char *column)
{
    const char *line = content(file), *name = strstr(line, column);
    int commas = 0;
    assert_non_null(name);
    for (const char *p = line; p < name; p++)
        commas += *p == ',';
    for (int i = 0; i < row; i++)
        line = strchr(line, '\n') + 1;
    for (int i = 0; i < commas; i++)
        line = strchr(line, ',') + 1;
    return strtod(line, NULL);
}

static void check_same(const char *a, const char *b)
{
    static char first[1 << 18];
    for (const char *const *name = tables; *name; name++) {
        char file[128];
        (void)snprintf(file, sizeof file, "%s/%s", a, *name);
        (void)snprintf(first, sizeof first, "%s", content(file));
        (void)snprintf(file, sizeof file, "%s/%s", b, *name);
        assert_true(strlen(first) > 20);
        assert_string_equal(first, content(file));
    }
}

// end(time) is until.time itself: mean and deviation are those of the distribution. Of one sample in each of N parts
// the mean is off by far less than deviation/sqrt(N).
CHECK_TEST(statistics_are_those_of_the_distribution)
{
    assert_int_equal(CALL("sweep", PENDULUM, "-O", "until.time=normal(0.5,0.05 s)", "-N", "100", "-p", "50,84.1345",
                          "-m", "end(time)", "-q", "-o", "linear"),
                     0);
    check_near(find_cell("linear/sweep-summary.csv", 1, "mean"), 0.5, 1e-3);
    check_near(find_cell("linear/sweep-summary.csv", 1, "deviation"), 0.05, 2e-3);
    check_near(find_cell("linear/sweep-summary.csv", 1, "p50"), 0.5, 2e-3);
    check_near(find_cell("linear/sweep-summary.csv", 1, "p84.1345"), 0.55, 3e-3);
    assert_true(find_cell("linear/sweep-summary.csv", 1, "cases") == 100.0);
    expect("out", "100 samples, Latin hypercube, seed 1\n");
    expect("linear/sweep.csv", "case,until.time [s],state,");
    expect("linear/sweep.json", "\"settings\": [\"until.time=0.");
}

// distance = v t of independent v and t: with shares a = (deviation/mean)^2 of v and b of t the variance is
// (a + b + ab)(mean v mean t)^2, first indices a and b of it, total ones a + ab and b + ab.
CHECK_TEST(indices_of_a_product)
{
    // uniform between m/2 and 3 m/2: (deviation/mean)^2 = 1/12
    const double a = 1.0 / 12.0, b = 1.0 / 12.0 / 4.0, V = a + b + a * b;
    const double first[2] = {a / V, b / V}, total[2] = {(a + a * b) / V, (b + a * b) / V};
    assert_int_equal(CALL("sweep", RUN, "-O", "speed=uniform(10,30)", "-O", "until.time=uniform(0.075,0.125 s)", "-N",
                          "64", "--sobol", "-m", "end(distance)", "-q", "-o", "product"),
                     0);
    for (int p = 0; p < 2; p++) {
        const char *table = "product/sweep-sobol.csv";
        const double e1 = find_cell(table, p + 1, "first error"), e2 = find_cell(table, p + 1, "total error");
        assert_true(e1 < 0.15 && e2 < 0.15);
        check_near(find_cell(table, p + 1, "first"), first[p], 3.0 * e1);
        check_near(find_cell(table, p + 1, "total"), total[p], 3.0 * e2);
    }
    assert_true(find_cell("product/sweep-summary.csv", 1, "cases") == 128.0); // those of A and B
    check_near(find_cell("product/sweep-summary.csv", 1, "mean"), 2.0,
               3.0 * find_cell("product/sweep-summary.csv", 1, "error of mean"));
}

// v and a at n points of an ellipse have means m and exactly the covariances n/(n - 1) (s_v^2, s_a^2, rho s_v s_a).
static void write_ellipse(const char *file, int n, double rho)
{
    FILE *out       = fopen(file, "w");
    const double pi = acos(-1.0);
    assert_non_null(out);
    (void)fprintf(out, "v,a,id\nkm/h,m/s^2,1\n");
    for (int i = 0; i < n; i++) {
        const double p = sqrt(2.0) * cos(2.0 * pi * i / n), q = sqrt(2.0) * sin(2.0 * pi * i / n);
        (void)fprintf(out, "%.17g,%.17g,%d\n", 3.6 * (20.0 + p), 0.5 + 0.2 * (rho * p + sqrt(1.0 - rho * rho) * q), i);
    }
    assert_int_equal(fclose(out), 0);
}

#define ELLIPSE "{\"table\": \"ellipse.csv\", \"columns\": {\"speed\": \"v\", \"acceleration\": \"a [m/s^2]\"}}"
#define TABLE(...)                                                                                                     \
    CALL("sweep", RUN, "-O", ELLIPSE, "-s", "until.time=2", "-m", "end(distance)", "-q", "-o", "table", __VA_ARGS__)

// distance = v T + a T^2/2 is linear: its variance is T^2 s_v^2 + T^4/4 s_a^2 + T^3 rho s_v s_a, but for n/(n - 1) and
// round-off.
CHECK_TEST(a_table_keeps_its_correlation)
{
    static const double correlations[] = {0.6, -0.6, 0.0};
    enum { N = 16 };
    for (int i = 0; i < 3; i++) {
        const double v = 1.0, a = 0.2, T = 2.0, rho = correlations[i];
        const double variance = T * T * v * v + T * T * T * T / 4.0 * a * a + T * T * T * rho * v * a;
        write_ellipse("ellipse.csv", N, rho);
        (void)system("rm -rf table");
        assert_int_equal(TABLE("-j", "2"), 0);
        assert_true(find_cell("table/sweep-summary.csv", 1, "cases") == (double)N);
        check_near(find_cell("table/sweep-summary.csv", 1, "mean"), 20.0 * T + 0.5 * T * T / 2.0, 1e-10);
        check_near(find_cell("table/sweep-summary.csv", 1, "deviation"), sqrt(variance * N / (N - 1)), 1e-10);
    }
    expect("out", "16 samples, rows of a table\n");
    expect("table/sweep.csv", "case,speed [km/h],acceleration [m/s^2],state,");
}

// Fewer samples are the first rows; other axes are crossed with them; distributions have a value for each row.
CHECK_TEST(rows_are_samples_like_others)
{
    write_ellipse("ellipse.csv", 4, 0.6);
    (void)system("rm -rf table");
    assert_int_equal(TABLE("-N", "3", "-O", "output.interval=10,20 ms", "-O", "friction=uniform(0.2,0.4)"), 0);
    expect("out", "3 samples, rows of a table and Latin hypercube, seed 1\n");
    for (int row = 1; row <= 6; row++) {
        const double p = sqrt(2.0) * cos(0.5 * acos(-1.0) * ((row - 1) % 3));
        check_near(find_cell("table/sweep.csv", row, "speed [km/h]"), 3.6 * (20.0 + p), 1e-12);
        assert_true(find_cell("table/sweep.csv", row, "output.interval") == (row <= 3 ? 10.0 : 20.0));
        assert_true(find_cell("table/sweep.csv", row, "friction") >= 0.2);
    }
    assert_true(find_cell("table/sweep-summary.csv", 2, "cases") == 3.0);
    write_ellipse("ellipse.csv", 4, -0.6); // the rows are a part of the plan
    assert_int_equal(TABLE("-N", "3", "-O", "output.interval=10,20 ms", "-O", "friction=uniform(0.2,0.4)"), 3);
    expect("err", "table/plan.json:");
}

static void refuse_table(const char *over, const char *why)
{
    assert_int_equal(CALL("sweep", RUN, "-O", over, "-m", "end(distance)", "-q", "-o", "refused"), 3);
    expect("err", why);
}

CHECK_TEST(tables_that_are_wrong_are_refused)
{
    write_ellipse("ellipse.csv", 4, 0.0);
    refuse_table("{\"table\": \"ellipse.csv\", \"colums\": {}}",
                 "--over:1:26: colums: no key is called 'colums'; did you mean 'columns'?");
    refuse_table("{\"table\": \"ellipse.csv\", \"columns\": {\"speed\": \"w\"}}",
                 "--over:1:47: columns.speed: no column is called 'w'; known: v, a, id");
    refuse_table("{\"table\": \"ellipse.csv\", \"columns\": {\"speed\": \"v [m/s]\"}}",
                 "columns.speed: the column 'v' of ellipse.csv is in km/h, not in m/s");
    refuse_table("{\"table\": \"ellipse.csv\", \"columns\": {\"speed\": \"id [furlong]\"}}",
                 "'furlong' of the column 'id [furlong]' is not a unit");
    refuse_table("{\"table\": \"ellipse.csv\", \"columns\": {}}", "0 columns of a table; there must be 1 to");
    refuse_table("{\"columns\": {\"speed\": \"v\"}}", "expected \"table\": \"FILE.csv\"");
    assert_int_equal(CALL("sweep", RUN, "-O", "{\"table\": \"missing.csv\"}", "-m", "end(distance)", "-o", "refused"),
                     6);
    expect("err", "missing.csv: cannot be read");
    (void)system("rm -rf table");
    assert_int_equal(TABLE("-N", "5"), 3);
    expect("err", "5 samples, but the table of 'speed' has 4 rows");
    assert_int_equal(TABLE("--sobol"), 3);
    expect("err", "sensitivity indices are of independent parameters; 'speed' varies with");
    (void)system("printf 'v,a\\n1,2\\n1,3' > ellipse.csv");
    assert_int_equal(TABLE("-j", "1"), 3);
    expect("err", "--over:1:11: table: the last line of ellipse.csv has no line feed: is it whole?");
    (void)system("printf 'v,a\\n1,2\\n1,nan\\n' > ellipse.csv");
    assert_int_equal(TABLE("-j", "1"), 3);
    expect("err", "row 2 of the column 'a' of ellipse.csv has no finite number");
}

// More random samples keep the first ones; the table of few is the beginning of that of many.
CHECK_TEST(more_random_samples_keep_the_first)
{
    static char few[1 << 16];
    const char *const counts[] = {"5", "9"}, *const directories[] = {"few", "many"};
    for (int i = 0; i < 2; i++)
        assert_int_equal(CALL("sweep", PENDULUM, "-O", "until.time=normal(0.5,0.05 s)", "-N", counts[i],
                              "--sampling=random", "--seed=4", "-m", "end(time)", "-q", "-o", directories[i]),
                         0);
    (void)snprintf(few, sizeof few, "%s", content("few/sweep.csv"));
    assert_true(strncmp(content("many/sweep.csv"), few, strlen(few)) == 0);
    expect("few/sweep-summary.csv", "\"p5, p50, p95 not resolved: 59 values needed\"");
}

// At each value of another axis the same samples. In a gauge of 1300 mm the wheelsets do not fit.
CHECK_TEST(points_of_the_grid_have_statistics_of_their_own)
{
    static const char table[] = "failed/sweep-summary.csv";
    assert_int_equal(CALL("sweep", RUN, "-O", "track.gauge=1435,1300,1436 mm", "-O", "speed=uniform(10,20)", "-N", "3",
                          "-s", "until.time=0.1", "-m", "end(distance)", "-q", "-o", "failed"),
                     8);
    for (int row = 1; row <= 3; row++) {
        const int is_good = row != 2;
        assert_true(find_cell(table, row, "cases") == 3.0);
        assert_true(find_cell(table, row, "failed") == (is_good ? 0.0 : 3.0));
        assert_true(find_cell(table, row, "values") == (is_good ? 3.0 : 0.0));
    }
    check_near(find_cell(table, 1, "mean"), 1.5, 0.15); // off by less than half of a third of the range
    check_near(find_cell(table, 3, "mean"), find_cell(table, 1, "mean"), 1e-12);
    expect("failed/sweep-summary.csv", "\n1300,end(distance),m,3,3,0,0,,,,,,,,,");
}

// Files besides the directory have the study's tables and first picture.
CHECK_TEST(tables_go_to_files_by_their_ending)
{
    static char kept[1 << 18];
    static const char *const same[][2] = {{"files/sweep.csv", "t.csv"}, {"files/sweep.svg", "t.svg"}};
    assert_int_equal(CALL("sweep", RUN, "-O", "speed=10,20", "-m", "end(distance)", "-s", "until.time=0.1", "-q", "-o",
                          "files", "-o", "t.csv", "-o", "t.txt", "-o", "t.json", "-o", "t.h5", "-o", "t.svg", "-o",
                          "t.png"),
                     0);
    for (int i = 0; i < 2; i++) {
        (void)snprintf(kept, sizeof kept, "%s", content(same[i][0]));
        assert_true(strlen(kept) > 20);
        assert_string_equal(kept, content(same[i][1]));
    }
    expect("t.txt", "case  speed [m/s]  state          end  time [s]  distance [m]");
    expect("t.json", "\"columns\": [\n    \"case\",\n    \"speed [m/s]\"");
    assert_true(strncmp(content("t.h5"), "\x89HDF", 4) == 0 && strncmp(content("t.png"), "\x89PNG", 4) == 0);
    assert_int_equal(CALL("sweep", RUN, "-O", "speed=10,20", "-m", "end(distance)", "-q", "-o", "a", "-o", "b"), 2);
    expect("err", "-o a and -o b: a study has one directory");
    assert_int_equal(CALL("sweep", RUN, "-O", "speed=10", "-m", "end(distance)", "-s", "until.time=0.1", "-q", "-o",
                          "one-case", "-o", "one.svg"),
                     3);
    expect("err", "one.svg: this study has nothing to draw");
}

CHECK_TEST(workers_shards_and_kills_change_nothing)
{
    assert_int_equal(CALL("sweep", PENDULUM, SAMPLES, "-j", "1", "-o", "one"), 0);
    assert_int_equal(CALL("sweep", PENDULUM, SAMPLES, "-j", "3", "-o", "three"), 0);
    check_same("one", "three");
    assert_int_equal(CALL("sweep", PENDULUM, SAMPLES, "-S", "2/2", "-o", "shards"), 0);
    assert_int_equal(CALL("sweep", PENDULUM, SAMPLES, "-S", "1/2", "-o", "shards"), 0);
    check_same("one", "shards");
    int is_killed = 0;
    for (int i = 1; i < 5; i++) {
        const pid_t child = start((const char *const[]){"sweep", PENDULUM, SAMPLES, "-j", "2", "-o", "killed", NULL});
        const struct timespec moment = {0, 40000000L * i};
        (void)nanosleep(&moment, NULL);
        (void)kill(child, SIGKILL);
        is_killed += wait_for(child) != 0;
    }
    assert_true(is_killed > 0);
    assert_int_equal(CALL("sweep", PENDULUM, SAMPLES, "-j", "2", "-o", "killed"), 0);
    check_same("one", "killed");
}

CHECK_MAIN(enter_folder, leave_folder)
