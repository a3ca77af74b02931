// SPDX-License-Identifier: MIT
// kane study status: what it says of a directory, while somebody works on it and afterwards.

#include "program.h"

#include <kane/plan.h>

static void work(int index, kane_case *result, void *data)
{
    (void)data;
    result->values[0] = index;
    result->state     = index % 3 == 1 ? KANE_CASE_FAILED : KANE_CASE_DONE;
    if (index % 3 == 1)
        (void)snprintf(result->why, sizeof result->why, index == 4 ? "the step has become too small" : "no contact");
}

static kane_plan *open_plan(const char *directory, int count, int shard, int shards)
{
    CHECK_ERRORS errors           = {0};
    const kane_plan_definition d  = {.content = "{\"kind\": \"sweep\"}", .case_count = count, .value_count = 1};
    const kane_plan_execution how = {.directory = directory, .workers = 1, .shard = shard, .shards = shards};
    kane_plan *plan               = kane_plan_open(&d, &how, &errors);
    assert_non_null(plan);
    return plan;
}

CHECK_TEST(a_complete_study_tells_its_failures)
{
    kane_plan *plan = open_plan("done", 12, 0, 0);
    assert_int_equal(kane_plan_run_cases(plan, work, NULL, NULL), KANE_OK);
    kane_plan_close(plan);
    assert_int_equal(CALL("study", "status", "done"), 0);
    expect("out", "done: sweep, 12 cases: 8 done, 4 failed, 0 open; complete\n");
    assert_string_equal(content("err"), "");

    assert_int_equal(CALL("study", "status", "--json", "done", "-o", "done.csv"), 0);
    expect("out", "\"study\": \"sweep\"");
    expect("out", "\"done\": 8");
    expect("out", "\"complete\": true");
    expect("out", "[3, 2, \"2, 8, 11\", \"no contact\"]");
    assert_string_equal(content("done.csv"),
                        "# journals\njournal,done,failed,ignored,process,host,since\njournal.jsonl,8,4,0,,,\n\n"
                        "# failures\nnumber,first,cases,why\n3,2,\"2, 8, 11\",no contact\n"
                        "1,5,5,the step has become too small\n");
}

// This test works on the study, or would like to; the journals of two shards.
CHECK_TEST(a_study_tells_who_is_at_work)
{
    char expected[64];
    double value           = 1.0;
    const kane_case result = {.state = KANE_CASE_DONE, .values = &value};
    kane_plan *second      = open_plan("shards", 6, 2, 2);
    assert_int_equal(kane_plan_run_cases(second, work, NULL, NULL), KANE_OK);
    kane_plan_close(second);
    kane_plan *first = open_plan("shards", 6, 1, 2);
    assert_int_equal(kane_plan_record(first, 0, &result, NULL), KANE_OK);
    FILE *journal = fopen("shards/journal-2-of-2.jsonl", "a");
    (void)fprintf(journal, "garbled\n");
    (void)fclose(journal);
    assert_int_equal(CALL("study", "status", "shards"), 0);
    expect("out", "shards: sweep, 6 cases: 3 done, 1 failed, 2 open\n");
    assert_int_equal(CALL("study", "status", "shards", "-o", "shards.csv"), 0);
    expect("shards.csv", "journal-2-of-2.jsonl,2,1,1,,,\n");
    (void)snprintf(expected, sizeof expected, "journal-1-of-2.jsonl,1,0,0,%ld,", (long)getpid());
    expect("shards.csv", expected);
    assert_int_equal(CALL("study", "status", "-j", "shards"), 0);
    expect("out", "\"complete\": false");
    kane_plan_close(first);
    assert_int_equal(CALL("study", "status", "shards", "-o", "shards.csv"), 0);
    expect("shards.csv", "journal-1-of-2.jsonl,1,0,0,,,\n");
}

CHECK_TEST(what_is_no_study_is_told)
{
    assert_int_equal(CALL("study", "status", "nowhere"), 6);
    assert_string_equal(content("err"),
                        "error: nowhere: there is no plan.json, so that no study has been begun there\n");
    assert_int_equal(mkdir("broken", 0777), 0);
    FILE *file = fopen("broken/plan.json", "w");
    (void)fprintf(file, "{\"kane\": \"run 1\"}\n");
    (void)fclose(file);
    assert_int_equal(CALL("study", "status", "broken"), 3);
    assert_string_equal(
        content("err"),
        "error: broken/plan.json:1:10: kane: this is no plan that can be gone on with (run 1, expected \"kane\": "
        "\"plan 2\"); use another directory, or remove this one\n");
    assert_int_equal(CALL("study", "status"), 2);
    expect("err", "which directory of a study?");
    assert_int_equal(CALL("study", "status", "a", "b"), 2);
    expect("err", "one directory of a study at a time");
}

CHECK_MAIN(enter_folder, leave_folder)
