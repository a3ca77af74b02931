// SPDX-License-Identifier: MIT
// The comparison of shapes says what runs by hand say, to the last bit, on any number of workers.

#include "property/study/transition_runs.h"

static const char *const criteria[] = {"rms(body.acceleration.y, 10 m..30 m)", "peak(body.yaw)", "max(*.Q)"};
enum { CRITERIA = 3 };

static void compare(const char *directory, int workers, int count, const char *const *shapes)
{
    CHECK_ERRORS errors               = {0};
    int complete                      = 0;
    const kane_transition_study study = {.file            = RUN,
                                         .common          = &short_common,
                                         .shape_count     = count,
                                         .shapes          = shapes,
                                         .criterion_count = CRITERIA,
                                         .criteria        = criteria,
                                         .execution       = {.directory = directory, .workers = workers}};
    if (kane_study_transitions(&study, &complete, &errors) != KANE_OK)
        check_no_errors(&errors);
    assert_true(complete);
}

// A criterion of a run that is made by settings alone.
static double by_hand(const char *const *own, const char *criterion)
{
    const char *settings[16];
    int count           = 0;
    CHECK_ERRORS errors = {0};
    kane_outcome outcome;
    for (int i = 0; short_run[i]; i++)
        settings[count++] = short_run[i];
    for (int i = 0; own[i]; i++)
        settings[count++] = own[i];
    settings[count]                = NULL;
    const kane_run_options options = {.settings = settings};
    CHECK_OWNED(kane_run) *run     = kane_run_read(RUN, &options, &errors);
    assert_non_null(run);
    CHECK_OWNED(kane_measure) *measure = kane_measure_parse(criterion, &errors);
    const char *pattern[1]             = {kane_measure_channels(measure)};
    CHECK_OWNED(kane_results) *results =
        kane_run_to_memory(kane_run_get_definition(run), 1, pattern, &outcome, &errors);
    assert_non_null(results);
    const double value = kane_measure_eval(measure, results, NULL, &errors);
    assert_int_equal(errors.count, 0);
    return value;
}

// Value `column` of the line of a shape in transitions.csv.
static double by_study(const char *directory, const char *shape, int column)
{
    char begin[64];
    size_t length;
    CHECK_MEMORY char *text = content_of(directory, "transitions.csv", &length);
    (void)snprintf(begin, sizeof begin, "\n\"%s\",done,", shape);
    const char *at = strstr(text, begin);
    assert_non_null(at);
    at += strlen(begin);
    for (int i = 0; i < 2 * column; i++)
        at = strchr(at, ',') + 1;
    const double value = strtod(at, NULL);
    return value;
}

CHECK_TEST(the_table_is_that_of_runs_by_hand)
{
    static const char *const shapes[]      = {"clothoid", "parabola", "helmert", "wiener:1.8 m", "polynomial5"};
    static const char *const settings[][3] = {
        {"track.sections[1].shape=clothoid"},
        {"track.sections[1].shape=parabola"},
        {"track.sections[1].shape=helmert"},
        {"track.sections[1].shape=wiener", "track.sections[1].height=1.8"},
        {"track.sections[1].shape=polynomial", "track.sections[1].coefficients=[0, 0, 0, 10, -15, 6]"},
    };
    compare("hand", 2, 5, shapes);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < CRITERIA; k++) {
            const double study = by_study("hand", shapes[i], k), hand = by_hand(settings[i], criteria[k]);
            if (i < 4)
                assert_memory_equal(&study, &hand, sizeof hand);
            else // its coefficients come from the family and have their own last bits
                check_relative(study, hand, 1e-5);
        }
}

CHECK_TEST(any_number_of_workers_has_the_same_bits)
{
    static const char *const files[] = {"transitions.csv",   "transitions.json", "transitions.txt",
                                        "rows-clothoid.csv", "rows-wiener.csv",  "responses.svg",
                                        "curvature.svg",     "criteria.svg",     NULL};
    compare("one", 1, 0, NULL);
    compare("three", 3, 0, NULL);
    check_same_files("one", "three", files);
    compare("one", 2, 0, NULL); // a complete one again
    check_same_files("one", "three", files);
}

// The parabola leads from or into a straight only: its line says so, and the others are there.
CHECK_TEST(a_shape_that_cannot_be_is_a_line_that_says_why)
{
    static const char *const into_curve[] = {"until.distance=60", "start.at=10",
                                             "track.sections[0]={\"curve\": 50, \"radius\": 2000}", "start.speed=15",
                                             NULL};
    static const char *const shapes[]     = {"parabola", "bloss"};
    const kane_run_options common         = {.settings = into_curve};
    CHECK_ERRORS errors                   = {0};
    int complete                          = 0;
    size_t length;
    const kane_transition_study study = {.file            = RUN,
                                         .common          = &common,
                                         .shape_count     = 2,
                                         .shapes          = shapes,
                                         .criterion_count = 1,
                                         .criteria        = criteria,
                                         .execution       = {.directory = "curves", .workers = 1}};
    if (kane_study_transitions(&study, &complete, &errors) != KANE_OK)
        check_no_errors(&errors);
    assert_true(complete);
    CHECK_MEMORY char *text = content_of("curves", "transitions.txt", &length);
    assert_non_null(strstr(text, "relative to bloss"));
    assert_non_null(strstr(text, "parabola                  failed: "));
    assert_non_null(strstr(text, "one of them must be 0"));
}

CHECK_MAIN(enter_folder, leave_folder)
