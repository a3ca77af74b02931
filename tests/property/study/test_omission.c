// SPDX-License-Identifier: MIT
// Omission studies of a short run of the wagon: what their tables say is what runs by hand say, to the last bit, and
// however the study is carried out.

#include "folder.h"

#include <sys/stat.h>
#include <unistd.h>

#define RUN KANE_SOURCE_DIR "/data/runs/wagon-transition.json"

enum { SETTINGS_MOST = 8, AXES_MOST = 3 };
static const char *const common_settings[] = {"until.distance=60", "output.interval=20 ms", NULL};
static const kane_run_options common       = {.settings = common_settings};

static kane_axis *axis_of(const char *text)
{
    CHECK_ERRORS errors = {0};
    kane_axis *axis     = kane_axis_parse(text, &errors);
    if (!axis)
        fail_msg("%s", kane_errors_get(&errors, 0)->text);
    return axis;
}

static kane_omission_study study_in(const char *directory)
{
    return (kane_omission_study){
        .file = RUN, .common = &common, .threshold = 0.01, .execution = {.directory = directory, .workers = 2}};
}

static kane_omission_report *carried_out(const kane_omission_study *study)
{
    CHECK_ERRORS errors          = {0};
    kane_omission_report *report = NULL;
    if (kane_study_omission(study, &report, &errors) != KANE_OK || !report)
        fail_msg("%s", errors.count > 0 ? kane_errors_get(&errors, 0)->text : "no report");
    return report;
}

// A run by hand, as "kane run --set ... --set imaginary_as_forces=true --omit TERM" has it.
static kane_results *by_hand(const char *const *own, const char *term, const char *pattern)
{
    const char *settings[SETTINGS_MOST] = {common_settings[0], common_settings[1], "imaginary_as_forces=true"};
    const char *omit[]                  = {term, NULL};
    CHECK_ERRORS errors                 = {0};
    kane_outcome outcome;
    for (int i = 0; own && own[i]; i++)
        settings[3 + i] = own[i];
    const kane_run_options options = {.settings = settings, .omit = term ? omit : NULL};
    CHECK_OWNED(kane_run) *run     = kane_run_read(RUN, &options, &errors);
    assert_non_null(run);
    kane_results *results = kane_run_to_memory(kane_run_get_definition(run), 1, &pattern, &outcome, &errors);
    assert_non_null(results);
    assert_int_equal(outcome.status, KANE_OK);
    return results;
}

// --- by hand ---

// Largest and rms difference of column 2, and the range of `a`, as one would take them.
static void take_difference(const kane_results *a, const kane_results *b, double value[4])
{
    const double *x = kane_results_values(a, 2), *y = kane_results_values(b, 2);
    const int rows = kane_results_row_count(a);
    double low = x[0], high = x[0];
    assert_int_equal(rows, kane_results_row_count(b));
    memset(value, 0, 4 * sizeof *value);
    for (int k = 0; k < rows; k++) {
        const double d = fabs(y[k] - x[k]);
        value[1] += d * d;
        low  = fmin(low, x[k]);
        high = fmax(high, x[k]);
        if (d > value[0]) {
            value[0] = d;
            value[3] = kane_results_values(a, 1)[k];
        }
    }
    value[1] = sqrt(value[1] / rows);
    value[2] = high - low;
}

CHECK_TEST(differences_are_those_of_two_runs_by_hand)
{
    static const char *const terms[]       = {"body:torque.rotation.z", "*:force.rotation.*"};
    static const char *const responses[]   = {"body.yaw", "leading.left.Y"};
    static const char *const settings[][3] = {{"start.speed=12", "speed=[{\"acceleration\":-0.5}]", NULL},
                                              {"start.speed=12", "speed=[{\"acceleration\":0.25}]", NULL},
                                              {"start.speed=17", "speed=[{\"acceleration\":-0.5}]", NULL},
                                              {"start.speed=17", "speed=[{\"acceleration\":0.25}]", NULL}};
    kane_axis *axes[]                      = {axis_of("speed=12,17"), axis_of("acceleration=-0.5,0.25")};
    kane_omission_study study              = study_in("hand");
    study.omission_count                   = 2;
    study.omissions                        = terms;
    study.response_count                   = 2;
    study.responses                        = responses;
    study.axis_count                       = 2;
    study.axes                             = (const kane_axis *const *)axes;
    kane_omission_report *report           = carried_out(&study);
    assert_int_equal(report->conditions, 4);
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 2; r++) {
            CHECK_OWNED(kane_results) *complete = by_hand(settings[c], NULL, responses[r]);
            for (int i = 0; i < 2; i++) {
                double expected[4];
                CHECK_OWNED(kane_results) *omitting = by_hand(settings[c], terms[i], responses[r]);
                const kane_omission_effect *e       = kane_omission_report_effect(report, c, i + 1, r);
                take_difference(complete, omitting, expected);
                assert_true(e->difference == expected[0] && e->difference > 0.0);
                assert_true(e->rms == expected[1]);
                assert_true(e->range == expected[2]);
                assert_true(e->at == expected[3]);
                assert_true(e->relative == e->difference / e->scale && e->scale >= e->range);
                assert_string_equal(e->channel, responses[r]);
            }
        }
    kane_omission_report_free(report);
    kane_axis_free(axes[0]);
    kane_axis_free(axes[1]);
}

// Term 0 is the complete run with all five tolerances a tenth of what they are.
CHECK_TEST(accuracy_is_what_tighter_tolerances_change)
{
    static const char *const own[] = {"until.distance=60", "output.interval=20 ms", "imaginary_as_forces=true", NULL};
    static const kane_run_options options = {.settings = own};
    static const char *const terms[] = {"body:torque.rotation.z"}, *const pattern[] = {"body.yaw"};
    kane_omission_study study = study_in("accuracy");
    CHECK_ERRORS errors       = {0};
    kane_outcome outcome;
    double expected[4];
    study.omission_count                      = 1;
    study.omissions                           = terms;
    study.response_count                      = 1;
    study.responses                           = pattern;
    CHECK_OWNED(kane_omission_report) *report = carried_out(&study);
    CHECK_OWNED(kane_run) *run                = kane_run_read(RUN, &options, &errors);
    assert_non_null(run);
    kane_run_definition tight = *kane_run_get_definition(run);
    tight.settings.relative *= 0.1;
    tight.settings.position *= 0.1;
    tight.settings.angle *= 0.1;
    tight.settings.speed *= 0.1;
    tight.settings.turning *= 0.1;
    CHECK_OWNED(kane_results) *a = by_hand(NULL, NULL, "body.yaw");
    CHECK_OWNED(kane_results) *b = kane_run_to_memory(&tight, 1, pattern, &outcome, &errors);
    take_difference(a, b, expected);
    const kane_omission_effect *e = kane_omission_report_effect(report, 0, KANE_OMISSION_ACCURACY, 0);
    assert_true(e->difference == expected[0] && e->rms == expected[1] && e->difference > 0.0);
    check_below(e->relative, 0.01);
    assert_int_equal(report->rank[0][0], 1); // and has no rank
}

// On level track frames turn about the vertical only, and at constant speed nothing pushes forward: many terms are
// zero. Their runs are left out of the study; done by hand they have the same bits as the complete one.
CHECK_TEST(terms_that_are_zero_change_no_bit)
{
    static const char *const level[] = {"until.distance=60", "output.interval=20 ms", "track.sections[1].to.cant=0",
                                        "speed=[{\"acceleration\":0}]", NULL};
    static const kane_run_options options = {.settings = level};
    kane_omission_study study             = study_in("zero");
    int zeros = 0, others = 0;
    study.common                              = &options;
    study.all                                 = 1;
    CHECK_OWNED(kane_omission_report) *report = carried_out(&study);
    CHECK_OWNED(kane_results) *complete       = by_hand(level + 2, NULL, "*");
    for (int i = 1; i < report->terms; i++) {
        const char *term = report->term[i];
        if (!kane_omission_report_case(report, 0, i)->is_zero) {
            others += strchr(term, '*') == NULL;
            continue;
        }
        for (int r = 0; r < report->responses; r++)
            assert_true(kane_omission_report_effect(report, 0, i, r)->difference == 0.0);
        if (zeros++ % 4 > 0) // some of them will do
            continue;
        CHECK_OWNED(kane_results) *omitting = by_hand(level + 2, term, "*");
        const int rows                      = kane_results_row_count(complete);
        assert_int_equal(kane_results_row_count(omitting), rows);
        for (int c = 0; c < kane_results_column_count(complete); c++)
            if (memcmp(kane_results_values(complete, c), kane_results_values(omitting, c),
                       (size_t)rows * sizeof(double)))
                fail_msg("%s changes %s", term, kane_results_column(complete, c)->name);
    }
    assert_true(zeros > 20 && others > 20);
}

// Rows far apart could hide a term between them: then every run is carried out.
CHECK_TEST(coarse_rows_prove_nothing)
{
    static const char *const coarse[] = {"until.distance=60", "output.interval=1.6 s", "speed=[{\"acceleration\":0}]",
                                         NULL};
    static const kane_run_options options     = {.settings = coarse};
    static const char *const terms[]          = {"body:force.translation.x"};
    kane_omission_study study                 = study_in("coarse");
    study.common                              = &options;
    study.omission_count                      = 1;
    study.omissions                           = terms;
    CHECK_OWNED(kane_omission_report) *report = carried_out(&study);
    const kane_omission_case *only            = kane_omission_report_case(report, 0, 1);
    assert_true(only->omitted[0] == 0.0 && isnan(only->omitted[1]));
    assert_false(only->is_zero);
}

// Inertia torque about the vertical at constant speed in a Bloss transition: J_zz v^2 k', whose largest slope of
// curvature is 1.5 / (R L) in the middle.
CHECK_TEST(the_largest_omitted_torque_is_known)
{
    static const char *const far[] = {"until.distance=110", "output.interval=10 ms", "speed=[{\"acceleration\":0}]",
                                      NULL};
    static const kane_run_options options     = {.settings = far};
    static const char *const terms[]          = {"body:torque.rotation.z"};
    kane_omission_study study                 = study_in("known");
    CHECK_ERRORS errors                       = {0};
    study.common                              = &options;
    study.omission_count                      = 1;
    study.omissions                           = terms;
    CHECK_OWNED(kane_omission_report) *report = carried_out(&study);
    CHECK_OWNED(kane_run) *run                = kane_run_read(RUN, &options, &errors);
    assert_non_null(run);
    const kane_vehicle_definition *vehicle = kane_run_get_definition(run)->vehicle;
    for (int j = 0; j < vehicle->body_count; j++)
        if (strcmp(vehicle->bodies[j].block.name, "body") == 0)
            check_relative(kane_omission_report_case(report, 0, 1)->omitted[1],
                           vehicle->bodies[j].inertia[2] * 15.0 * 15.0 * 1.5 / (600.0 * 60.0), 3e-3);
}

// On a linear ramp the line turns about itself all at once: J v u'/(2 b), not to be seen in any row, and not nothing.
CHECK_TEST(a_kink_has_its_impulse)
{
    static const char *const far[] = {"until.distance=50", "output.interval=10 ms", "speed=[{\"acceleration\":0}]",
                                      "track.sections[1].shape=clothoid", NULL};
    static const kane_run_options options     = {.settings = far};
    static const char *const terms[]          = {"body:torque.rotation.x", "body:torque.rotation.y"};
    static const char *const responses[]      = {"body.roll"};
    kane_omission_study study                 = study_in("kink");
    study.common                              = &options;
    study.omission_count                      = 2;
    study.omissions                           = terms;
    study.response_count                      = 1;
    study.responses                           = responses;
    CHECK_OWNED(kane_omission_report) *report = carried_out(&study);
    const kane_omission_case *at              = kane_omission_report_case(report, 0, 1);
    check_relative(at->impulse[KANE_TORQUE], 5e4 * 15.0 * 0.1 / (1.5 * 60.0), 1e-5);
    assert_true(isnan(at->impulse[KANE_FORCE]) && at->omitted[KANE_TORQUE] < 1.0 && !at->is_zero);
    assert_true(kane_omission_report_effect(report, 0, 1, 0)->relative > 0.5);
    const kane_omission_verdict *verdict = &report->verdict[1];
    assert_int_equal(verdict->verdict, KANE_VERDICT_NEVER);
    assert_string_equal(verdict->words, "may not be neglected; at kinks of the line it has impulses up to 833 N m s");
}

// --- pictures ---

static int has(const char *file, const char *text)
{
    return command_works("grep -q '%s' '%s'", text, file);
}

// Of one term that is named and of several: each is drawn under all accelerations.
CHECK_TEST(every_named_term_has_its_pictures)
{
    static const char *const terms[]     = {"body:torque.rotation.z", "*:force.rotation.*"};
    static const char *const responses[] = {"body.yaw"};
    static const char *const names[][2]  = {
         {"one/omitted.svg", "one/body.yaw.svg"},
         {"both/body_torque.rotation.z-omitted.svg", "both/body_torque.rotation.z-body.yaw.svg"},
         {"both/all_force.rotation.all-omitted.svg", "both/all_force.rotation.all-body.yaw.svg"}};
    kane_axis *axes[] = {axis_of("acceleration=0,0.5,1")};
    for (int count = 1; count <= 2; count++) {
        kane_omission_study study = study_in(count == 1 ? "one" : "both");
        study.omission_count      = count;
        study.omissions           = terms;
        study.response_count      = 1;
        study.responses           = responses;
        study.axis_count          = 1;
        study.axes                = (const kane_axis *const *)axes;
        study.strongest           = 2;
        kane_omission_report_free(carried_out(&study));
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int k = 0; k < 2; k++)
            if (!has(names[i][k], ">acceleration 0 ") || !has(names[i][k], ">acceleration 0.5 ") ||
                !has(names[i][k], ">acceleration 1 "))
                fail_msg("%s does not show all three accelerations", names[i][k]);
    kane_axis_free(axes[0]);
}

// --- however it is carried out ---

static const char *const files[] = {"effects.csv", "effects.json", "ranking.csv", "ranking.json",
                                    "body_torque.rotation.x-omitted.svg"};

static long read_bytes(const char *directory, const char *name, char *text, size_t size)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s is missing", path);
    const size_t length = fread(text, 1, size, file);
    (void)fclose(file);
    assert_true(length > 0 && length < size);
    return (long)length;
}

static void check_same_files(const char *a, const char *b)
{
    enum { SIZE = 1 << 20 };
    static char text[2][SIZE];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const long n = read_bytes(a, files[i], text[0], SIZE), m = read_bytes(b, files[i], text[1], SIZE);
        if (n != m || memcmp(text[0], text[1], (size_t)n) != 0)
            fail_msg("%s differs between %s and %s", files[i], a, b);
    }
}

static const char *const some[] = {"body:torque.rotation.z", "body:torque.rotation.x", "*:torque.*.*",
                                   "leading:force.translation.x"};

static void fill(kane_omission_study *study, kane_axis **axes)
{
    axes[0]               = axis_of("acceleration=0,0.5");
    axes[1]               = axis_of("shape=bloss,cosine");
    study->omission_count = 4;
    study->omissions      = some;
    study->axis_count     = 2;
    study->axes           = (const kane_axis *const *)axes;
    study->strongest      = 1;
}

CHECK_TEST(workers_change_no_bit)
{
    static const char *const directories[] = {"first", "second", "third"};
    kane_axis *axes[2];
    for (int i = 0; i < 3; i++) {
        kane_omission_study study = study_in(directories[i]);
        fill(&study, axes);
        study.execution.workers = i + 1;
        kane_omission_report_free(carried_out(&study));
        if (i > 0)
            check_same_files("first", directories[i]);
        kane_axis_free(axes[0]);
        kane_axis_free(axes[1]);
    }
}

// At the first call, whatever has ended by then.
static int stop_at_once(const kane_plan_progress *progress, void *data)
{
    (void)progress;
    (void)data;
    return 1;
}

// Needs the files of workers_change_no_bit.
CHECK_TEST(shards_and_interruptions_change_no_bit)
{
    kane_axis *axes[2];
    kane_omission_study study = study_in("shards");
    CHECK_ERRORS errors       = {0};
    fill(&study, axes);
    study.execution.progress = stop_at_once;
    kane_omission_report *report;
    assert_int_equal(kane_study_omission(&study, &report, &errors), KANE_INTERRUPTED);
    assert_null(report);
    study.execution.progress = NULL;
    study.execution.shards   = 2;
    study.execution.shard    = 2;
    assert_int_equal(kane_study_omission(&study, &report, &errors), KANE_OK);
    assert_null(report); // the other shard is open
    study.execution.shard = 1;
    assert_int_equal(kane_study_omission(&study, &report, &errors), KANE_OK);
    assert_non_null(report);
    kane_omission_report_free(report);
    check_same_files("first", "shards");
    kane_axis_free(axes[0]);
    kane_axis_free(axes[1]);
}

// Another threshold needs no run again.
CHECK_TEST(a_threshold_is_no_part_of_the_plan)
{
    kane_axis *axes[2];
    kane_omission_study study = study_in("first");
    fill(&study, axes);
    study.threshold              = 1e3;
    study.strongest              = 0;
    kane_omission_report *report = carried_out(&study);
    for (int i = 1; i <= 4; i++)
        assert_int_equal(report->verdict[i].verdict, KANE_VERDICT_ALWAYS);
    kane_omission_report_free(report);
    kane_axis_free(axes[0]);
    kane_axis_free(axes[1]);
}

// --- what goes wrong ---

// Standing still it cannot brake: that condition fails with its reason, the others are there.
CHECK_TEST(a_condition_that_fails_is_told)
{
    kane_axis *axes[]            = {axis_of("speed=12,0"), axis_of("acceleration=0.5,-0.5")};
    kane_omission_study study    = study_in("fails");
    study.omission_count         = 1;
    study.omissions              = some;
    study.axis_count             = 2;
    study.axes                   = (const kane_axis *const *)axes;
    kane_omission_report *report = carried_out(&study);
    const kane_omission_case *at = kane_omission_report_case(report, 3, 1);
    assert_false(at->is_known);
    assert_non_null(strstr(at->why, "stands still"));
    assert_true(isnan(kane_omission_report_effect(report, 3, 1, 0)->relative));
    assert_true(kane_omission_report_case(report, 0, 1)->is_known);
    assert_int_equal(report->verdict[1].failed, 1);
    kane_omission_report_free(report);
    kane_axis_free(axes[0]);
    kane_axis_free(axes[1]);
}

CHECK_MAIN(enter_folder, leave_folder)
