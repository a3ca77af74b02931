// SPDX-License-Identifier: MIT
// Sweeps: a row of the table is what the run says that is carried out by hand, whoever does it, in whichever order.

#include "runs.h"
#include "sweeps.h"

#include "base/file.h"
#include "base/machine.h"

#include <sys/wait.h>
#include <unistd.h>

#include <sys/stat.h>

static const char *const tables[] = {"sweep.csv", "sweep.json", "1-max-body.y.svg", "1-max-body.y-map.svg", NULL};

static const sweeps_request grid = {.omit     = {"body:torque.rotation.*"},
                                    .over     = {"speed=10:20:3", "shape=bloss,clothoid"},
                                    .measures = {"max(body.y)", "p99.85(*.Q, 20 m..45 m)"},
                                    .settings = {"until.distance=50"}};

static void carry_out(const sweeps_request *request, const kane_plan_execution *execution)
{
    CHECK_END(sweeps_close) sweeps_open o = sweeps_create(request);
    assert_int_equal(sweeps_go(&o, execution), 1);
}

// --- by hand ---

// The run of a case with its settings, through a file.
static kane_results *run_by_hand(const sweeps_open *o, int index)
{
    char texts[SWEEPS_AXES][200];
    const char *settings[SWEEPS_AXES + 6] = {NULL};
    CHECK_ERRORS errors                   = {0};
    int count                             = 0;
    for (; o->common.settings[count]; count++)
        settings[count] = o->common.settings[count];
    for (int a = 0; a < o->axis_count; a++) {
        assert_true(kane_sweep_setting(o->sweep, index, a, sizeof texts[a], texts[a]) < (int)sizeof texts[a]);
        settings[count++] = texts[a];
    }
    kane_run *run = run_read(SWEEPS_RUN, settings, .omit = o->common.omit);
    kane_outcome outcome;
    const kane_execution execution = {.directory = "by-hand"};
    (void)kane_run_to_files(kane_run_get_definition(run), &execution, &outcome, &errors);
    kane_run_free(run);
    kane_results *results = kane_results_open("by-hand", &errors);
    check_no_errors(&errors);
    return results;
}

// All measures of a case against those of its run by hand; how many have a value.
static int compare_case(const sweeps_open *o, const sweeps_request *request, int index)
{
    CHECK_OWNED(kane_results) *results = run_by_hand(o, index);
    const int first                    = 1 + o->axis_count + 5; // case, axes, state, end, time, distance, steps
    int count                          = 0;
    char cell[200];
    for (int m = 0; request->measures[m]; m++) {
        CHECK_ERRORS errors                = {0};
        CHECK_OWNED(kane_measure) *measure = kane_measure_parse(request->measures[m], &errors);
        const double expected              = kane_measure_eval(measure, results, NULL, &errors);
        kane_sweep_cell(o->sweep, index, first + m, 0, sizeof cell, cell);
        if (isfinite(expected))
            assert_true(strtod(cell, NULL) == expected);
        else
            assert_string_equal(cell, "");
        count += isfinite(expected);
    }
    const int rows = kane_results_row_count(results);
    kane_sweep_cell(o->sweep, index, first - 3, 0, sizeof cell, cell);
    assert_true(strtod(cell, NULL) == kane_results_values(results, 0)[rows - 1]);
    return count;
}

CHECK_TEST(a_row_is_what_the_run_by_hand_says)
{
    const kane_plan_execution execution   = {.directory = "grid"};
    CHECK_END(sweeps_close) sweeps_open o = sweeps_create(&grid);
    assert_int_equal(kane_sweep_case_count(o.sweep), 6);
    assert_int_equal(sweeps_go(&o, &execution), 1);
    for (int i = 0; i < 6; i++)
        assert_int_equal(compare_case(&o, &grid, i), 2);
}

CHECK_TEST(acceleration_radius_and_cant_are_those_of_the_run)
{
    const sweeps_request request        = {.over     = {"acceleration=-0.5,0.5 m/s^2", "radius=300,500", "cant=80,120 mm"},
                                           .measures = {"end(body.y)", "end(speed)"},
                                           .settings = {"until.distance=60"},
                                           .kind     = KANE_SWEEP_LIST};
    const kane_plan_execution execution = {.directory = "list"};
    CHECK_END(sweeps_close) sweeps_open o   = sweeps_create(&request);
    static const char *const settings[2][3] = {{"speed=[{\"acceleration\": \"-0.5 m/s^2\"}]",
                                                "track.sections[*].to.radius=300", "track.sections[*].to.cant=80 mm"},
                                               {"speed=[{\"acceleration\": \"0.5 m/s^2\"}]",
                                                "track.sections[*].to.radius=500", "track.sections[*].to.cant=120 mm"}};
    assert_int_equal(kane_sweep_case_count(o.sweep), 2);
    for (int i = 0; i < 6; i++) {
        char text[200];
        (void)kane_sweep_setting(o.sweep, i / 3, i % 3, sizeof text, text);
        assert_string_equal(text, settings[i / 3][i % 3]);
    }
    assert_int_equal(sweeps_go(&o, &execution), 1);
    char cell[2][200];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(compare_case(&o, &request, i), 2);
        kane_sweep_cell(o.sweep, i, 10, 0, sizeof cell[i], cell[i]);
        // v^2 = v0^2 + 2 a s
        check_near(atof(cell[i]), sqrt(15.0 * 15.0 + 2.0 * (i == 0 ? -0.5 : 0.5) * 60.0), 1e-9);
    }
}

// --- the table ---

// Values with commas and quotes, heads with units, in the quotes of CSV.
CHECK_TEST(the_table_has_heads_with_units_and_quotes_what_needs_it)
{
    const sweeps_request request = {.over = {"speed=36,54 km/h", "run.speed=[],[{\"acceleration\": 1, \"to\": 20}]"},
                                    .measures = {"max(speed, 1 m..)", "max(leading.left.Q)"},
                                    .settings = {"until.distance=5"}};
    const kane_plan_execution execution = {.directory = "csv"};
    static char text[SWEEPS_TEXT];
    carry_out(&request, &execution);
    const char *line = sweeps_read("csv", "sweep.csv", text);
    assert_true(
        strncmp(
            line,
            "case,speed [km/h],run.speed,state,end,time [s],distance [m],steps,\"max(speed, 1 m..) [m/s]\",max(leading.left.Q) [N],"
            "remark\n1,36,[],done,distance,0.5,5,",
            strlen("case,speed [km/h],run.speed,state,end,time [s],distance [m],steps,\"max(speed, 1 m..) "
                   "[m/s]\",max(leading.left.Q) [N],remark\n1,36,[],done,distance,0.5,5,")) == 0);
    assert_non_null(strstr(line, "\n2,36,\"[{\"\"acceleration\"\": 1, \"\"to\"\": 20}]\",done,distance,"));
    assert_non_null(strstr(line, "\n3,54,[],done,distance,"));
    assert_non_null(strstr(line, "\n4,54,\"["));
    const char *json = sweeps_read("csv", "sweep.json", text);
    assert_non_null(strstr(json, "\"settings\": [\"start.speed=54 km/h\", \"run.speed=[]\"]"));
    assert_non_null(strstr(json, "\"units\": [\"m/s\", \"N\"]"));
}

// --- derailment ---

CHECK_TEST(a_derailment_is_a_result)
{
    const sweeps_request request          = {.over     = {"radius=100,600"},
                                             .measures = {"max(body.y)", "max(body.y, 75 m..)"},
                                             .settings = {"until.distance=80", "start.speed=30"}};
    const kane_plan_execution execution   = {.directory = "derailed"};
    CHECK_END(sweeps_close) sweeps_open o = sweeps_create(&request);
    assert_int_equal(sweeps_go(&o, &execution), 1);
    assert_int_equal(compare_case(&o, &request, 0), 1); // it does not come to 75 m
    assert_int_equal(compare_case(&o, &request, 1), 2);
    char cell[1200];
    const char *const expected[2][2] = {{"derailed", "wheel lift"}, {"done", "distance"}};
    for (int i = 0; i < 2; i++)
        for (int c = 0; c < 2; c++) {
            kane_sweep_cell(o.sweep, i, 2 + c, 0, sizeof cell, cell);
            assert_string_equal(cell, expected[i][c]);
        }
    kane_sweep_cell(o.sweep, 0, kane_sweep_column_count(o.sweep) - 1, 0, sizeof cell, cell);
    assert_non_null(strstr(cell, "leading.left; max(body.y, 75 m..): no row lies within the window"));
}

CHECK_TEST(a_case_that_fails_is_a_row_with_its_reason)
{
    // what is in between cannot be known before: a gauge in which the wheelsets do not fit
    const sweeps_request request = {
        .over = {"track.gauge=1435,1300,1436 mm"}, .measures = {"max(body.y)"}, .settings = {"until.distance=5"}};
    const kane_plan_execution execution   = {.directory = "failed"};
    CHECK_END(sweeps_close) sweeps_open o = sweeps_create(&request);
    assert_int_equal(sweeps_go(&o, &execution), 1);
    char cell[3][1200];
    for (int i = 0; i < 3; i++)
        kane_sweep_cell(o.sweep, i, 2, 0, sizeof cell[i], cell[i]);
    assert_string_equal(cell[0], "done");
    assert_string_equal(cell[1], "failed");
    assert_string_equal(cell[2], "done");
    kane_sweep_cell(o.sweep, 1, kane_sweep_column_count(o.sweep) - 1, 0, sizeof cell[0], cell[0]);
    assert_true(strlen(cell[0]) > 10);
}

// A map says how many cells have no value; the others have their contour lines.
CHECK_TEST(map_with_failed_cases_says_so)
{
    const sweeps_request request          = {.over     = {"track.gauge=1434,1435,1300,1436 mm", "speed=10,20,30"},
                                             .measures = {"max(distance)"},
                                             .settings = {"until.time=0.2"}};
    const kane_plan_execution execution   = {.directory = "cells"};
    CHECK_END(sweeps_close) sweeps_open o = sweeps_create(&request);
    assert_int_equal(sweeps_go(&o, &execution), 1);
    const char *svg = content("cells/1-max-distance-map.svg");
    assert_non_null(strstr(svg, "grey: no value in 3 of 12 cells"));
    // distance of 2 to 6 m over three rows: lines at the ticks between, across the first two columns alone
    assert_non_null(strstr(svg, "<path stroke='rgb(255, 255, 255)'"));
}

// --- who does it, and what is kept ---

CHECK_TEST(workers_and_order_change_nothing)
{
    const kane_plan_execution one = {.directory = "one", .workers = 1}, three = {.directory = "three", .workers = 3};
    carry_out(&grid, &one);
    carry_out(&grid, &three);
    sweeps_same("one", "three", tables);
    for (int shard = 3; shard >= 1; shard--) { // the last ones first
        const kane_plan_execution part        = {.directory = "parts", .shard = shard, .shards = 3, .workers = 1};
        CHECK_END(sweeps_close) sweeps_open o = sweeps_create(&grid);
        assert_int_equal(sweeps_go(&o, &part), shard == 1);
    }
    sweeps_same("one", "parts", tables);
    carry_out(&grid, &one); // nothing is left to do; the tables are written again
    sweeps_same("one", "three", tables);
}

CHECK_TEST(rows_that_are_kept_give_the_same_table)
{
    sweeps_request request              = {.over     = {"speed=10,15"},
                                           .measures = {"max(body.y)", "rms(leading.left.Q)"},
                                           .settings = {"until.distance=30", "output.channels=[\"speed\"]"}};
    const kane_plan_execution execution = {.directory = "plain"}, keeping = {.directory = "kept"};
    carry_out(&request, &execution);
    request.keep = 1;
    carry_out(&request, &keeping);
    const char *const csv[] = {"sweep.csv", NULL};
    sweeps_same("plain", "kept", csv);
    CHECK_ERRORS errors = {0};
    for (int i = 0; i < 2; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "kept/case-%04d", i + 1);
        CHECK_OWNED(kane_results) *rows = CHECK_GOOD(kane_results_open, name);
        assert_int_equal(kane_results_column_count(rows), 5); // time, distance, its own and the two measured
    }

    // a case that another process is at, because it was given to two: it is waited for
    const kane_plan_execution shared = {.directory = "shared"},
                              first  = {.directory = "shared", .shard = 1, .shards = 2};
    sweeps_open o                    = sweeps_create(&request);
    int ready[2];
    char byte = 0;
    assert_int_equal(sweeps_go(&o, &first), 0);
    sweeps_close(&o);
    assert_int_equal(kane_directory_make("shared/case-0002", &errors), KANE_OK);
    assert_int_equal(pipe(ready), 0);
    const pid_t other = fork();
    if (other == 0) {
        kane_claim claim;
        const int failed =
            kane_claim_directory(&claim, "shared/case-0002", &errors) != KANE_OK || write(ready[1], &byte, 1) != 1;
        kane_clock_wait(kane_clock() + 0.3);
        kane_claim_release(&claim);
        _exit(failed);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    carry_out(&request, &shared);
    int status;
    assert_true(waitpid(other, &status, 0) == other && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    sweeps_same("plain", "shared", csv);
    assert_int_equal(access("shared/case-0001/manifest.json", F_OK), 0);
    assert_int_equal(access("shared/case-0002/manifest.json", F_OK), 0);
}

// --- Latin hypercubes ---

// Every stratum of every range has one case; a list has its values in equal shares.
CHECK_TEST(a_hypercube_is_spread_evenly)
{
    enum { N = 200 };
    sweeps_request request = {
        .over     = {"speed=10:30:2", "track.sections[*].to.cant=0:150 mm:2", "shape=bloss,sine,cosine"},
        .measures = {"max(body.y)"},
        .kind     = KANE_SWEEP_LATIN_HYPERCUBE,
        .samples  = N};
    double sum_of_products = 0.0;
    for (request.seed = 1; request.seed <= 5; request.seed++) {
        CHECK_END(sweeps_close) sweeps_open o = sweeps_create(&request);
        int strata[2][N] = {{0}}, shares[3] = {0};
        const char *words[] = {"bloss", "sine", "cosine"};
        assert_int_equal(kane_sweep_case_count(o.sweep), N);
        for (int i = 0; i < N; i++) {
            char text[200];
            double part[2];
            for (int a = 0; a < 2; a++) {
                (void)kane_sweep_setting(o.sweep, i, a, sizeof text, text);
                part[a]           = (atof(strchr(text, '=') + 1) - (a == 0 ? 10.0 : 0.0)) / (a == 0 ? 20.0 : 150.0);
                const int stratum = (int)floor(part[a] * N);
                assert_in_range(stratum, 0, N - 1);
                strata[a][stratum]++;
                assert_true(strlen(text) < 45); // short numbers
            }
            sum_of_products += (part[0] - 0.5) * (part[1] - 0.5);
            (void)kane_sweep_setting(o.sweep, i, 2, sizeof text, text);
            for (int w = 0; w < 3; w++)
                shares[w] += strcmp(strchr(text, '=') + 1, words[w]) == 0;
        }
        for (int i = 0; i < N; i++)
            assert_true(strata[0][i] == 1 && strata[1][i] == 1);
        assert_true(shares[0] + shares[1] + shares[2] == N);
        for (int w = 0; w < 3; w++)
            assert_in_range(shares[w], N / 3, N / 3 + 1);
    }
    // orders of different axes have nothing to do with each other: correlation 0 +- 1/sqrt(1000)
    check_near(sum_of_products / (5 * N) * 12.0, 0.0, 0.13);
}

CHECK_TEST(a_seed_gives_its_hypercube)
{
    sweeps_request request = {.over     = {"speed=10:30:2"},
                              .measures = {"max(body.y)"},
                              .kind     = KANE_SWEEP_LATIN_HYPERCUBE,
                              .samples  = 5,
                              .seed     = 7};
    char first[3][200];
    const int seeds[3] = {7, 7, 8};
    for (int k = 0; k < 3; k++) {
        request.seed                          = seeds[k];
        CHECK_END(sweeps_close) sweeps_open o = sweeps_create(&request);
        (void)kane_sweep_setting(o.sweep, 0, 0, sizeof first[k], first[k]);
    }
    assert_string_equal(first[0], first[1]);
    assert_string_not_equal(first[0], first[2]);
}

CHECK_MAIN(enter_folder, leave_folder)
