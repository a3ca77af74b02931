// SPDX-License-Identifier: MIT
// The files that a run is made of: all of them are listed, and a change of any is found.

#include "folder.h"

#include "base/json.h"
#include "run/setup.h"

static kane_inputs *take(const char *file)
{
    CHECK_ERRORS errors        = {0};
    CHECK_OWNED(kane_run) *run = kane_run_read(file, NULL, &errors);
    kane_inputs *inputs        = run ? kane_inputs_take(kane_run_get_definition(run), &errors) : NULL;
    char text[1200];
    if (errors.count > 0) {
        (void)kane_error_format(kane_errors_get(&errors, 0), sizeof text, text);
        fail_msg("%s", text);
    }
    assert_non_null(inputs);
    return inputs;
}

static char *written(const kane_inputs *inputs)
{
    char *text    = NULL;
    size_t size   = 0;
    FILE *out     = open_memstream(&text, &size);
    kane_writer w = kane_writer_start(out);
    kane_writer_open(&w, NULL, '{');
    kane_inputs_write(inputs, &w);
    kane_writer_text(&w, "after", "all");
    kane_writer_close(&w);
    (void)kane_writer_end(&w);
    (void)fclose(out);
    return text;
}

static int count(const char *text, const char *what)
{
    int n = 0;
    for (; (text = strstr(text, what)) != NULL; text++)
        n++;
    return n;
}

CHECK_TEST(every_file_is_listed)
{
    static const struct {
        const char *file;
        int files, lists;
    } runs[] = {{"data/runs/wagon-transition.json", 3, 0},  {"data/runs/wagon-train.json", 4, 1},
                {"data/runs/coach-flexible.json", 4, 0},    {"data/runs/mechanism-block.json", 7, 0},
                {"data/runs/mechanism-sedan.json", 3, 0}, // a tyre's properties
                {"data/runs/mechanism-pendulum.json", 2, 0}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        kane_inputs *inputs = take(runs[i].file);
        char *text          = written(inputs);
        CHECK_ERRORS errors = {0};
        assert_int_equal(count(text, "\"xxh128\": \""), runs[i].files);
        assert_int_equal(count(text, "\"xxh128\": \"\""), 0);
        assert_int_equal(count(text, "\"vehicles\": ["), runs[i].lists);
        assert_non_null(strstr(text, "\"run\": {"));
        assert_non_null(strstr(text, "\"after\": \"all\"\n}"));
        assert_int_equal(kane_inputs_check(inputs, &errors), KANE_OK);
        free(text);
        kane_inputs_free(inputs);
    }
}

CHECK_TEST(a_change_of_any_file_is_found)
{
    static const char *const files[] = {"data/runs/wagon-transition.json", "vehicles/two-axle-wagon.json",
                                        "data/tracks/short-transition.json"};
    for (int i = 0; i < 3; i++) {
        CHECK_ERRORS errors = {0};
        kane_inputs *inputs = take(files[0]);
        FILE *file          = fopen(files[i], "a");
        assert_non_null(file);
        (void)fprintf(file, " ");
        (void)fclose(file);
        assert_int_equal(kane_inputs_check(inputs, &errors), KANE_BAD_INPUT);
        assert_int_equal(errors.count, 1);
        const char *name = strrchr(files[i], '/');
        assert_string_equal(strrchr(kane_errors_get(&errors, 0)->file, '/'), name);
        assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "has been changed since the study began"));
        kane_inputs_free(inputs);
    }
    CHECK_ERRORS errors = {0};
    kane_inputs *inputs = take(files[0]);
    assert_int_equal(unlink(files[2]), 0);
    assert_int_equal(kane_inputs_check(inputs, &errors), KANE_BAD_INPUT);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "is gone or cannot be read any more"));
    kane_inputs_free(inputs);
}

// Rails as they were measured are a file of their own.
CHECK_TEST(records_of_irregularities_are_listed)
{
    write_file("rails.csv", "chainage,vertical\nm,mm\n0,0\n4,1\n8,0\n12,0\n");
    write_file("data/tracks/measured.json",
               "{ \"kane\": \"track 1\", \"sections\": [ { \"straight\": 12 } ], \"irregularities\": { \"files\": [ { "
               "\"file\": \"../../rails.csv\" } ] } }");
    write_file(
        "data/runs/measured.json",
        "{ \"kane\": \"run 1\", \"vehicle\": \"../../vehicles/bogie-wagon.json\", \"track\": \"../tracks/measured.json\", "
        "\"start\": { \"at\": 6, \"speed\": 10 }, \"until\": { \"time\": 1 } }");
    kane_inputs *inputs = take("data/runs/measured.json");
    char *text          = written(inputs);
    assert_int_equal(count(text, "\"xxh128\": \""), 4);
    assert_non_null(strstr(text, "\"records\": ["));
    free(text);
    kane_inputs_free(inputs);
}

static int enter(void **state)
{
    return enter_folder(state) || system("cp -r '" KANE_SOURCE_DIR "/data' '" KANE_SOURCE_DIR "/vehicles' .") ? -1 : 0;
}

CHECK_MAIN(enter, leave_folder)
