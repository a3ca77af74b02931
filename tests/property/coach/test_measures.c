// SPDX-License-Identifier: MIT
// Measures of a run depend little on how dense its rows are, and not at all on where the rows are kept.

#include "check.h"

#include <unistd.h>

#define RUN KANE_SOURCE_DIR "/data/runs/coach-irregular.json"

enum { MEASURES = 7, PATTERNS = 3 };
static const char *const patterns[PATTERNS] = {"car.acceleration.*", "*.Q", "*.Y"};
static const struct {
    const char *text;
    double tolerance; // between rows every 10 ms and every 1 ms
} measures[MEASURES] = {{"max(*.Q, 20 Hz)", 2e-3},
                        {"max(*.Y, 20 Hz, mean 2 m)", 2e-4},
                        {"rms(car.acceleration.y, 0.4-10 Hz)", 3e-4},
                        {"rms(car.acceleration.z, Wk, 2 s..)", 1e-3},
                        {"nmv(car.acceleration.*)", 3e-4},
                        {"sperling_z(car.acceleration.z)", 2e-4},
                        {"sperling_quality(car.acceleration.y)", 2e-4}};

static kane_run *read_run(const char *every)
{
    static kane_errors errors;
    const char *const settings[]   = {"until.distance=300", every, "output.format=csv",
                                      "output.channels=[\"car.acceleration.*\",\"*.Q\",\"*.Y\"]", NULL};
    const kane_run_options options = {.settings = settings};
    kane_run *run                  = kane_run_read(RUN, &options, &errors);
    assert_non_null(run);
    return run;
}

static void measure_all(const kane_results *results, double values[MEASURES])
{
    static kane_errors errors;
    for (int i = 0; i < MEASURES; i++) {
        kane_measure *m = kane_measure_parse(measures[i].text, &errors);
        assert_non_null(m);
        values[i] = kane_measure_eval(m, results, NULL, &errors);
        kane_measure_free(m);
        if (errors.count > 0)
            print_error("%s\n", kane_errors_get(&errors, 0)->text);
        assert_int_equal(errors.count, 0);
    }
}

static void measure_in_memory(const char *every, double values[MEASURES])
{
    kane_outcome outcome;
    CHECK_OWNED(kane_run) *run = read_run(every);
    CHECK_OWNED(kane_results) *results =
        kane_run_to_memory(kane_run_get_definition(run), PATTERNS, patterns, &outcome, NULL);
    assert_non_null(results);
    measure_all(results, values);
}

CHECK_TEST(dense_rows_have_the_measures_of_sparse_ones)
{
    double sparse[MEASURES], dense[MEASURES];
    measure_in_memory("output.interval=10 ms", sparse);
    measure_in_memory("output.interval=1 ms", dense);
    for (int i = 0; i < MEASURES; i++)
        check_near_at(sparse[i], dense[i], measures[i].tolerance * dense[i], measures[i].text, __FILE__, __LINE__);
}

CHECK_TEST(files_have_the_measures_of_memory)
{
    double memory[MEASURES], file[MEASURES];
    char folder[] = "/tmp/kane_measures_XXXXXX", name[64];
    kane_outcome outcome;
    const kane_execution how = {.directory = folder};
    measure_in_memory("output.interval=7 ms", memory); // 300 m lie between two rows
    kane_run *run = read_run("output.interval=7 ms");
    assert_non_null(mkdtemp(folder));
    assert_int_equal(kane_run_to_files(kane_run_get_definition(run), &how, &outcome, NULL), KANE_OK);
    kane_results *results = kane_results_open(folder, NULL);
    assert_non_null(results);
    measure_all(results, file);
    for (int i = 0; i < MEASURES; i++)
        assert_true(memory[i] == file[i]);
    kane_results_free(results);
    kane_run_free(run);
    static const char *const files[] = {"results.csv", "manifest.json", "status.json"};
    for (int i = 0; i < 3; i++) {
        (void)snprintf(name, sizeof name, "%s/%s", folder, files[i]);
        assert_int_equal(unlink(name), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

CHECK_MAIN(NULL, NULL)
