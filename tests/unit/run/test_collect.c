// SPDX-License-Identifier: MIT
// A run in memory has the same bits as the same run in a file.

#include "check.h"

#include <unistd.h>

#define RUN KANE_SOURCE_DIR "/data/runs/wagon-transition.json"

static kane_run *read_run(const char *const *settings)
{
    static kane_errors errors;
    const kane_run_options options = {.settings = settings};
    kane_run *run                  = kane_run_read(RUN, &options, &errors);
    assert_non_null(run);
    return run;
}

CHECK_TEST(memory_and_file_hold_the_same)
{
    const char *const settings[] = {"until.distance=90", "output.interval=0.02", "output.format=csv",
                                    "output.channels=[\"body.y*\",\"*.Q\"]", NULL};
    const char *const patterns[] = {"body.y*", "*.Q"};
    char folder[]                = "/tmp/kane_collect_XXXXXX", file[64];
    CHECK_ERRORS errors          = {0};
    kane_outcome in_memory, in_file;
    CHECK_OWNED(kane_run) *run = read_run(settings);
    assert_non_null(mkdtemp(folder));
    const kane_execution how = {.directory = folder};
    CHECK_OWNED(kane_results) *memory =
        kane_run_to_memory(kane_run_get_definition(run), 2, patterns, &in_memory, &errors);
    assert_non_null(memory);
    assert_int_equal(kane_run_to_files(kane_run_get_definition(run), &how, &in_file, &errors), KANE_OK);
    CHECK_OWNED(kane_results) *written = kane_results_open(folder, &errors);
    assert_non_null(written);

    assert_int_equal(in_memory.stop, in_file.stop);
    assert_int_equal(in_memory.rows, in_file.rows);
    assert_true(in_memory.distance >= 90.0 && in_memory.distance == in_file.distance);
    assert_int_equal(kane_results_column_count(memory), 8); // time, distance, y, yaw, four Q
    assert_int_equal(kane_results_column_count(written), 8);
    assert_int_equal(kane_results_row_count(memory), kane_results_row_count(written));
    for (int c = 0; c < 8; c++) {
        const size_t size = (size_t)kane_results_row_count(memory) * sizeof(double);
        assert_string_equal(kane_results_column(memory, c)->name, kane_results_column(written, c)->name);
        assert_string_equal(kane_results_column(memory, c)->unit, kane_results_column(written, c)->unit);
        assert_memory_equal(kane_results_values(memory, c), kane_results_values(written, c), size);
    }

    (void)snprintf(file, sizeof file, "%s/again.csv", folder); // and can be written
    assert_int_equal(kane_results_write(memory, file, KANE_CSV, &errors), KANE_OK);
    CHECK_OWNED(kane_results) *again = kane_results_open(file, &errors);
    assert_non_null(again);
    const size_t size = (size_t)kane_results_row_count(memory) * sizeof(double);
    assert_memory_equal(kane_results_values(again, 7), kane_results_values(memory, 7), size);
}

CHECK_TEST(what_is_no_channel_is_told)
{
    const char *const patterns[] = {"body.yow"};
    CHECK_ERRORS errors          = {0};
    kane_outcome outcome;
    CHECK_OWNED(kane_run) *run = read_run(NULL);
    assert_null(kane_run_to_memory(kane_run_get_definition(run), 1, patterns, &outcome, &errors));
    assert_int_equal(outcome.status, KANE_BAD_INPUT);
    assert_int_equal(errors.count, 1);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "body.yow"));
}

// Too fast for its curve: the run ends on the way, and what was reached is there.
CHECK_TEST(a_derailment_keeps_its_rows)
{
    const char *const settings[] = {"start.speed=60", "speed=[]", "track.sections[*].to.radius=150", NULL};
    const char *const patterns[] = {"body.y"};
    CHECK_ERRORS errors          = {0};
    kane_outcome outcome;
    CHECK_OWNED(kane_run) *run      = read_run(settings);
    CHECK_OWNED(kane_results) *rows = kane_run_to_memory(kane_run_get_definition(run), 1, patterns, &outcome, &errors);
    assert_non_null(rows);
    assert_int_equal(outcome.status, KANE_OK);
    assert_true(kane_stop_is_derailment(outcome.stop));
    assert_true(outcome.subject[0] != '\0');
    assert_true(kane_results_row_count(rows) > 100 && outcome.distance < 300.0);
}

CHECK_MAIN(NULL, NULL)
