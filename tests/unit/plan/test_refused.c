// SPDX-License-Identifier: MIT
// Plans that are refused: each with what is wrong and what to do, and nothing of what is there is touched.

#include "plans.h"

static const char *const CONTENT = "{\"kind\": \"sweep\", \"axes\": [{\"path\": \"speed\", \"values\": [10, 20]}]}";

// Tries to open a plan; returns the first error as it is read, or "" if there is none.
static const char *try(const char *directory, const char *content, int cases, const kane_plan_execution *execution)
{
    static char text[1200];
    CHECK_ERRORS errors          = {0};
    const kane_plan_definition d = {.content = content, .case_count = cases, .value_count = 1};
    kane_plan_execution how      = execution ? *execution : (kane_plan_execution){.workers = 1};
    how.directory                = directory;
    CHECK_OWNED(kane_plan) *plan = kane_plan_open(&d, &how, &errors);
    text[0]                      = '\0';
    if (errors.count > 0)
        (void)kane_error_format(kane_errors_get(&errors, 0), sizeof text, text);
    assert_int_equal(plan == NULL, errors.count > 0);
    return text;
}

// What the plan has and what is asked for, at its place in plan.json.
CHECK_TEST(another_content_is_told)
{
    static const struct {
        const char *content, *message;
        int cases;
    } others[] = {
        {"{\"kind\": \"sweep\", \"axes\": [{\"path\": \"speed\", \"values\": [10, 25]}]}",
         "d/plan.json:7:74: content.axes[0].values[1]: the plan of this directory has the number 20, asked for is the number 25; ",
         2},
        {"{\"kind\": \"sweep\", \"axes\": [{\"path\": \"speed\", \"values\": [10]}]}",
         "content.axes[0].values[1]: the plan of this directory has the number 20, which is not asked for; ", 1},
        {"{\"kind\": \"sweep\", \"axes\": [{\"path\": \"speed\", \"values\": [10, 20, 30]}]}",
         "content.axes[0].values: the number 30 is asked for, which the plan of this directory does not have; ", 3},
        {"{\"kind\": \"sweep\", \"axes\": [{\"path\": \"speed\", \"values\": [10, 20]}], \"seed\": 7}",
         "content: 'seed': the number 7 is asked for, which the plan of this directory does not have; ", 2},
        {"{\"kind\": \"sweep\", \"seed\": 7, \"axes\": [{\"path\": \"speed\", \"values\": [10, 20]}]}",
         "content: 'seed': the number 7 is asked for", 2},
        {"{\"kind\": \"sweep\"}", "content.axes: the plan of this directory has a list, which is not asked for; ", 2},
        {"{\"kind\": \"omission\", \"axes\": 1}",
         "content.kind: the plan of this directory has the text 'sweep', asked for is the text 'omission'; use another "
         "directory, or remove this one",
         2},
    };
    assert_string_equal(try("d", CONTENT, 2, NULL), "");
    CHECK_MEMORY char *before = strdup(content("d/plan.json"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const char *said = try("d", others[i].content, others[i].cases, NULL);
        if (!strstr(said, others[i].message))
            fail_msg("%s\ndoes not have\n%s", said, others[i].message);
    }
    assert_non_null(
        strstr(try("d", CONTENT, 3, NULL), "cases: the plan of this directory has the number 2, asked for is"));
    assert_string_equal(content("d/plan.json"), before);
    assert_string_equal(try("d", CONTENT, 2, NULL), "");
}

// The records of another library may differ in the last digits.
CHECK_TEST(another_version_is_told)
{
    char changed[4096], message[600];
    assert_string_equal(try("v", CONTENT, 2, NULL), "");
    const char *text = content("v/plan.json"), *at = strstr(text, kane_commit());
    assert_non_null(at);
    (void)snprintf(changed, sizeof changed, "%.*s0123abc%s", (int)(at - text), text, at + strlen(kane_commit()));
    write_file("v/plan.json", changed);
    (void)snprintf(
        message, sizeof message,
        "v/plan.json:3:14: library: the plan of this directory was begun by kane %s (commit 0123abc), this is "
        "kane %s (commit %s), whose results may differ: go on with that one, use another directory, or remove "
        "this one",
        kane_version(), kane_version(), kane_commit());
    assert_string_equal(try("v", CONTENT, 2, NULL), message);
    assert_string_equal(content("v/plan.json"), changed);
}

CHECK_TEST(what_is_no_plan_is_told)
{
    static const struct {
        const char *text, *message;
    } files[] = {
        {"", "w/plan.json:1:1: "},
        {"{\"kane\": \"plan 2\", \"library\": \"0.1.0\"", "w/plan.json:1:"},
        {"{\"kane\": \"plan 1\"}",
         "w/plan.json:1:10: kane: this is a plan in the format of another version of kane (plan 1, expected plan 2), which "
         "cannot be gone on with; use another directory, or remove this one"},
        {"{\"kane\": \"vehicle 1\"}",
         "w/plan.json:1:10: kane: this is no plan that can be gone on with (vehicle 1, expected \"kane\": \"plan 2\")"},
        {"[]", "w/plan.json:1:1: this is no plan"},
        {"{\"kane\": \"plan 2\", \"library\": \"0.1.0\", \"commit\": \"x\", \"cases\": 1.5, \"values\": 1, \"content\": {}}",
         "so that it was changed by hand"},
    };
    assert_int_equal(mkdir("w", 0777), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        CHECK_ERRORS errors = {0};
        write_file("w/plan.json", files[i].text);
        const char *said = try("w", CONTENT, 2, NULL);
        if (!strstr(said, files[i].message))
            fail_msg("%s\ndoes not have\n%s", said, files[i].message);
        assert_string_equal(content("w/plan.json"), files[i].text);
        assert_null(kane_plan_inspect("w", &errors));
        assert_true(errors.count > 0);
    }
}

// What would keep nothing, or keep us waiting for ever.
CHECK_TEST(a_journal_that_is_no_file_is_told)
{
    static const char why[] = " cannot be a journal: it is a pipe or a device, no file";
    assert_string_equal(try("pipe", CONTENT, 2, NULL), "");
    assert_int_equal(mkfifo("pipe/journal-1-of-2.jsonl", 0666), 0);
    const char *said = try("pipe", CONTENT, 2, NULL);
    assert_non_null(strstr(said, why));
    assert_non_null(strstr(said, "pipe/journal-1-of-2.jsonl"));
    assert_string_equal(try("null", CONTENT, 2, NULL), "");
    assert_int_equal(remove("null/journal.jsonl"), 0);
    assert_int_equal(symlink("/dev/null", "null/journal.jsonl"), 0);
    said = try("null", CONTENT, 2, NULL);
    assert_non_null(strstr(said, why));
    assert_non_null(strstr(said, "null/journal.jsonl"));
}

// Nothing of others is written over; logs may lie there.
CHECK_TEST(a_directory_with_other_things_is_refused)
{
    struct stat is;
    CHECK_ERRORS errors = {0};
    assert_int_equal(mkdir("full", 0777), 0);
    write_file("full/sweep.csv", "mine\n");
    assert_string_equal(try("full", CONTENT, 2, NULL),
                        "the directory full has no plan.json but other files (sweep.csv), which might be written over: "
                        "name a new or an empty directory");
    assert_int_not_equal(stat("full/plan.json", &is), 0);
    assert_int_not_equal(stat("full/journal.jsonl", &is), 0);
    assert_null(kane_plan_inspect("full", &errors));
    assert_string_equal(kane_errors_get(&errors, 0)->text,
                        "full: there is no plan.json, so that no study has been begun there");

    assert_int_equal(mkdir("logs", 0777), 0);
    write_file("logs/slurm-12.out", "begun\n");
    write_file("logs/.hidden", "");
    assert_string_equal(try("logs", CONTENT, 2, NULL), "");
}

CHECK_TEST(a_directory_that_cannot_be_written_is_told)
{
    write_file("file", "mine\n");
    assert_string_equal(try("file", CONTENT, 2, NULL),
                        "the directory file cannot be made: there is a file of that name");
    assert_string_equal(try("file/below", CONTENT, 2, NULL),
                        "the directory file/below cannot be made: Not a directory");
    assert_string_equal(try("/proc/nobody", CONTENT, 2, NULL),
                        "the directory /proc/nobody cannot be made: No such file or directory");
    assert_string_equal(content("file"), "mine\n");
    assert_string_equal(try("j", CONTENT, 2, NULL), "");
    assert_int_equal(unlink("j/journal.jsonl"), 0);
    assert_int_equal(mkdir("j/journal.jsonl", 0777), 0);
    assert_string_equal(try("j", CONTENT, 2, NULL), "j/journal.jsonl cannot be written: Is a directory");
}

CHECK_TEST(impossible_arguments_are_told)
{
    const kane_plan_execution third = {.shard = 3, .shards = 2}, none = {.shard = 0, .shards = 2};
    assert_string_equal(try("a", CONTENT, 2, &third), "there is no shard 3 of 2; they are counted from 1");
    assert_string_equal(try("a", CONTENT, 2, &none), "there is no shard 0 of 2; they are counted from 1");
    assert_string_equal(try("a", CONTENT, 0, NULL), "a plan has a content and at least one case");
    assert_string_equal(try(NULL, CONTENT, 2, NULL), "a plan needs a directory");
    assert_string_equal(try("", CONTENT, 2, NULL), "a plan needs a directory");
    char long_name[5001];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    assert_string_equal(try(long_name, CONTENT, 2, NULL),
                        "the name of the directory has 5000 characters, more than 4095");
    assert_non_null(strstr(try("a", "{", 2, NULL), "content of a plan:1:2: "));
    assert_string_equal(try("a2", "[1]", 2, NULL), "the content of a plan is a JSON object");
}

// Another process has the journal: who, since when.
CHECK_TEST(two_writers_are_not_let_in)
{
    int ready[2], go[2];
    char said[1200], expected[64], byte = 0;
    assert_int_equal(pipe(ready), 0);
    assert_int_equal(pipe(go), 0);
    const pid_t child = fork();
    if (child == 0) {
        (void)close(go[1]); // so that it ends with this test, whatever becomes of that
        double value                  = 1.0;
        const kane_case result        = {.state = KANE_CASE_DONE, .values = &value};
        const kane_plan_definition d  = {.content = CONTENT, .case_count = 2, .value_count = 1};
        const kane_plan_execution how = {.directory = "two"};
        kane_plan *plan               = kane_plan_open(&d, &how, NULL);
        (void)!write(ready[1], &byte, 1);
        (void)!read(go[0], &byte, 1);
        (void)kane_plan_record(plan, 0, &result, NULL);
        (void)!write(ready[1], &byte, 1);
        (void)!read(go[0], &byte, 1);
        _exit(plan ? 0 : 1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    (void)snprintf(expected, sizeof expected, "is being written by process %ld: wait", (long)child);
    (void)snprintf(said, sizeof said, "%s", try("two", CONTENT, 2, NULL));
    if (!strstr(said, expected))
        fail_msg("%s\ndoes not have\n%s", said, expected);

    assert_int_equal(write(go[1], &byte, 1), 1);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    (void)snprintf(expected, sizeof expected, "is being written by process %ld on ", (long)child);
    (void)snprintf(said, sizeof said, "%s", try("two", CONTENT, 2, NULL));
    if (!strstr(said, expected))
        fail_msg("%s\ndoes not have\n%s", said, expected);
    kane_plan *look = kane_plan_inspect("two", NULL);
    assert_non_null(look);
    assert_int_equal(kane_plan_count(look, KANE_CASE_DONE), 1);
    assert_int_equal(kane_plan_journal_count(look), 1);
    assert_int_equal(kane_plan_get_journal(look, 0)->is_written, 1);
    assert_int_equal(kane_plan_get_journal(look, 0)->process, child);
    kane_plan_close(look);

    const kane_plan_execution other = {.shard = 1, .shards = 2}; // writes another journal
    assert_string_equal(try("two", CONTENT, 2, &other), "");
    assert_int_equal(write(go[1], &byte, 1), 1);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_string_equal(try("two", CONTENT, 2, NULL), ""); // the lock went with it
    look = kane_plan_inspect("two", NULL);
    assert_int_equal(kane_plan_get_journal(look, 1)->is_written, 0);
    kane_plan_close(look);
}

CHECK_TEST(a_case_is_recorded_once)
{
    double value                  = 1.0;
    const kane_case result        = {.state = KANE_CASE_DONE, .values = &value};
    const kane_plan_definition d  = {.content = CONTENT, .case_count = 2, .value_count = 1};
    const kane_plan_execution how = {.directory = "once"};
    CHECK_ERRORS errors           = {0};
    CHECK_OWNED(kane_plan) *plan  = kane_plan_open(&d, &how, &errors);
    assert_int_equal(kane_plan_record(plan, 1, &result, &errors), KANE_OK);
    assert_int_equal(errors.count, 0);
    assert_int_equal(kane_plan_record(plan, 1, &result, &errors), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_plan_record(plan, 2, &result, &errors), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_plan_record(plan, -1, &result, &errors), KANE_BAD_ARGUMENT);
    assert_string_equal(kane_errors_get(&errors, 1)->text, "case 3 is none of this plan's open cases");
}

CHECK_MAIN(enter_folder, leave_folder)
