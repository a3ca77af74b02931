// SPDX-License-Identifier: MIT
// A search for the best transition: the same bits on any number of workers and after any interruption, better than
// where it began, and what it writes can be used.

#include "property/study/transition_runs.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static const char *const criteria[] = {"rms(body.acceleration.y, 10 m..30 m)"};
static const char *const files[]    = {"result.json",     "section.json",    "optimise.txt",    "convergence.csv",
                                       "convergence.svg", "transitions.csv", "transitions.txt", NULL};

static kane_optimisation usual(const char *directory, int workers)
{
    kane_optimisation o = kane_optimisation_default();
    o.file              = RUN;
    o.common            = &short_common;
    o.criterion_count   = 1;
    o.criteria          = criteria;
    o.family.unknowns   = 2;
    o.evaluations_most  = 14;
    o.starts            = 2;
    o.bound             = 1.0;
    o.execution         = (kane_plan_execution){.directory = directory, .workers = workers};
    return o;
}

static void optimise(const kane_optimisation *o)
{
    CHECK_ERRORS errors = {0};
    int complete        = 0;
    if (kane_study_optimise(o, &complete, &errors) != KANE_OK)
        check_no_errors(&errors);
    assert_true(complete);
}

// Made once: what all others must be.
static int make_reference(void **state)
{
    if (enter_folder(state) != 0)
        return -1;
    const kane_optimisation o = usual("reference", 1);
    optimise(&o);
    return 0;
}

CHECK_TEST(any_number_of_workers_has_the_same_bits)
{
    const kane_optimisation two = usual("two", 2);
    optimise(&two);
    check_same_files("reference", "two", files);
    optimise(&two); // complete already: all is replayed
    check_same_files("reference", "two", files);
}

// --- interruptions ---

typedef struct patience {
    int calls, most;
} patience;

static int lose_patience(const kane_plan_progress *progress, void *data)
{
    patience *p = data;
    (void)progress;
    return ++p->calls >= p->most;
}

// Under two speeds the conditions of an evaluation share the workers.
static kane_optimisation of_two_speeds(const char *directory, int workers, kane_axis *const *axis)
{
    kane_optimisation o = usual(directory, workers);
    o.axis_count        = 1;
    o.axes              = (const kane_axis *const *)axis;
    o.algorithm         = KANE_COBYLA;
    o.starts            = 1;
    return o;
}

static const kane_run_options of_any_speed = {
    .settings = (const char *const[]){"start.at=35", "until.distance=30", "output.interval=10 ms", NULL}};

CHECK_TEST(conditions_share_workers_with_the_same_bits)
{
    CHECK_ERRORS errors          = {0};
    CHECK_OWNED(kane_axis) *axis = kane_axis_parse("speed=18,20", &errors);
    kane_axis *const axes[]      = {axis};
    patience p                   = {0, 11};
    kane_optimisation one        = of_two_speeds("one worker", 1, axes);
    kane_optimisation two        = of_two_speeds("three workers", 3, axes);
    int complete                 = 1;
    one.common                   = &of_any_speed;
    two.common                   = &of_any_speed;
    two.execution.progress       = lose_patience;
    two.execution.data           = &p;
    assert_int_equal(kane_study_optimise(&two, &complete, &errors), KANE_INTERRUPTED);
    assert_false(complete);
    two.execution.progress = NULL;
    optimise(&one);
    optimise(&two);
    check_same_files("one worker", "three workers", files);
}

CHECK_TEST(who_interrupts_it_may_go_on)
{
    patience p           = {0, 5};
    kane_optimisation o  = usual("interrupted", 2);
    o.execution.progress = lose_patience;
    o.execution.data     = &p;
    for (int i = 0; i < 40; i++) {
        CHECK_ERRORS errors      = {0};
        int complete             = 0;
        p.calls                  = 0;
        p.most                   = 5 + 8 * i; // recalled evaluations are told too
        const kane_status status = kane_study_optimise(&o, &complete, &errors);
        assert_int_equal(errors.count, 0);
        assert_int_equal(complete, status == KANE_OK);
        if (status == KANE_OK) {
            assert_true(i > 2);
            break;
        }
        assert_int_equal(status, KANE_INTERRUPTED);
    }
    check_same_files("reference", "interrupted", files);
}

CHECK_TEST(a_killed_one_goes_on_where_it_was)
{
    kane_optimisation o = usual("killed", 2);
    int kills           = 0;
    for (int i = 0; i < 4; i++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            CHECK_ERRORS errors = {0};
            int complete        = 0;
            _exit(kane_study_optimise(&o, &complete, &errors) == KANE_OK ? 0 : 1);
        }
        const struct timespec t = {0, 40000000 + 60000000 * i};
        int status;
        (void)nanosleep(&t, NULL);
        (void)kill(child, SIGKILL);
        assert_true(waitpid(child, &status, 0) == child);
        kills += WIFSIGNALED(status);
    }
    assert_true(kills > 0);
    optimise(&o);
    check_same_files("reference", "killed", files);
}

// --- results ---

// Value of the k-th number behind the shape's state in transitions.csv.
static double of_shape(const char *directory, const char *shape)
{
    char begin[64];
    size_t length;
    CHECK_MEMORY char *text = content_of(directory, "transitions.csv", &length);
    (void)snprintf(begin, sizeof begin, "\n\"%s\",done,", shape);
    const char *at = strstr(text, begin);
    assert_non_null(at);
    const double value = strtod(at + strlen(begin), NULL);
    return value;
}

// The lowest polynomial, where the first search began, is Bloss's.
CHECK_TEST(the_best_is_better_than_where_it_began)
{
    assert_true(of_shape("reference", "optimised") < 0.99 * of_shape("reference", "bloss"));
    check_relative(number_of("reference", "result.json", "criterion"), of_shape("reference", "optimised"), 1e-2);
    check_near(number_of("reference", "result.json", "ends"), 1.0, 0.0);
}

// result.json is a shape for a comparison, with the coefficients of the search.
CHECK_TEST(a_result_is_a_shape_for_others)
{
    static const char *const shapes[]   = {"bloss", "reference/result.json"};
    static const char *const settings[] = {"start.at=35",
                                           "until.distance=30",
                                           "start.speed=20",
                                           "integrator.rtol=1e-8",
                                           "integrator.atol_position=1e-10 m",
                                           "integrator.atol_angle=1e-10 rad",
                                           "integrator.atol_velocity=1e-8 m/s",
                                           "integrator.atol_angular_velocity=1e-8 rad/s",
                                           "output.interval=1 ms",
                                           NULL};
    const kane_run_options common       = {.settings = settings};
    const kane_transition_study study   = {.file            = RUN,
                                           .common          = &common,
                                           .shape_count     = 2,
                                           .shapes          = shapes,
                                           .criterion_count = 1,
                                           .criteria        = criteria,
                                           .execution       = {.directory = "again", .workers = 1}};
    CHECK_ERRORS errors                 = {0};
    int complete                        = 0;
    if (kane_study_transitions(&study, &complete, &errors) != KANE_OK)
        check_no_errors(&errors);
    check_near(of_shape("again", "reference/result.json"), of_shape("reference", "optimised"), 0.0);
    check_near(of_shape("again", "bloss"), of_shape("reference", "bloss"), 0.0);
}

// A sum of criteria is their weighted sum, and one that must not be made less by falling curvature is not.
CHECK_TEST(sums_and_constraints_are_kept)
{
    static const char *const both[] = {"0.5*rms(body.acceleration.y, 10 m..30 m)", "2e-6 * max(*.Q)"};
    kane_optimisation o             = usual("sum", 2);
    size_t length;
    o.criteria         = both;
    o.criterion_count  = 2;
    o.starts           = 1;
    o.evaluations_most = 6;
    o.algorithm        = KANE_COBYLA;
    o.is_monotone      = 1;
    optimise(&o);
    char *text = content_of("sum", "convergence.csv", &length);
    double values[5];
    const char *at = strstr(text, "\n1,1,done,");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "\n1,1,done,%lf,%lf,%lf,%lf", &values[0], &values[1], &values[2], &values[3]), 4);
    check_near(values[0], 0.5 * values[2] + 2e-6 * values[3], 0.0);
    free(text);
    assert_true(number_of("sum", "result.json", "least_growth") >= 0.0);
}

// The wagon counts as derailed where a wheel goes a little further down than smooth entries let it: evaluations fail,
// one search fails where it begins, and so do the clothoid and the parabola.
CHECK_TEST(runs_that_fail_are_gone_around)
{
    const char *settings[8]       = {"until.lift=0.292 mm"};
    const kane_run_options common = {.settings = settings};
    patience p                    = {0, 9};
    kane_optimisation o           = usual("failing", 2);
    CHECK_ERRORS errors           = {0};
    int complete                  = 1;
    size_t length;
    for (int i = 0; short_run[i]; i++)
        settings[i + 1] = short_run[i];
    o.common             = &common;
    o.execution.progress = lose_patience;
    o.execution.data     = &p;
    assert_int_equal(kane_study_optimise(&o, &complete, &errors), KANE_INTERRUPTED);
    assert_false(complete);
    o.execution.progress = NULL;
    optimise(&o); // goes on, past failures that are recorded
    o.execution = (kane_plan_execution){.directory = "failing at once", .workers = 1};
    optimise(&o);
    check_same_files("failing", "failing at once", files);
    CHECK_MEMORY char *evaluations = content_of("failing", "convergence.csv", &length);
    CHECK_MEMORY char *shapes      = content_of("failing", "transitions.txt", &length);
    assert_non_null(strstr(evaluations, "\n2,1,failed,nan,"));
    assert_null(strstr(evaluations, "\n2,2,")); // nothing could be learned from there
    assert_non_null(strstr(shapes, "clothoid                  failed: leading.left: at "));
    assert_non_null(strstr(shapes, "relative to cosine"));
}

CHECK_MAIN(make_reference, leave_folder)
