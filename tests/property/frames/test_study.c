// SPDX-License-Identifier: MIT
// Omission studies of a mechanism: what imaginary terms of the turntable's mass do, against closed forms of the mass
// with and without them. With z = x - x_e + i y, x_e = Omega^2 r / (n^2 - Omega^2):
//
//     complete            z'' + 2 i Omega z' + (n^2 - Omega^2) z = 0:
//                         z = -x_e exp(-i Omega t) (cos n t + i Omega/n sin n t)
//     without Coriolis    x = x_e (1 - cos(t sqrt(n^2 - Omega^2))), y = 0
//     without centrifugal x = y = 0
//
// (the mass starts at rest in the drawing). The sample has n = 5 rad/s, r = .5 m; Omega is one axis of the study, the
// spring's stiffness across the table, which the closed forms know nothing of but n, the other.

#include "folder.h"
#include "check.h"

#include <complex.h>
#include <unistd.h>

#define RUN KANE_SOURCE_DIR "/data/runs/mechanism-turntable.json"

enum { OMEGAS = 2, STIFFNESSES = 2, TERMS = 4, RESPONSES = 2 };
#define UNTIL 10.0
#define EVERY 0.05

static const double radius = 0.5, mass = 2.0;
static const double omegas[OMEGAS] = {1.0, 2.0}, stiffnesses[STIFFNESSES] = {50.0, 72.0};
// --- closed forms ---

typedef enum form { COMPLETE, WITHOUT_CORIOLIS, WITHOUT_CENTRIFUGAL } form;

static double complex place(form what, double Omega, double n, double t)
{
    const double complex i = csqrt(-1.0);
    const double rest      = Omega * Omega * radius / (n * n - Omega * Omega);
    switch (what) {
    case WITHOUT_CORIOLIS: return rest * (1.0 - cos(t * sqrt(n * n - Omega * Omega)));
    case WITHOUT_CENTRIFUGAL: return 0.0;
    default: return rest * (1.0 - cexp(-i * (Omega * t)) * (cos(n * t) + i * (Omega / n * sin(n * t))));
    }
}

typedef struct effect {
    double difference, at, rms, range;
} effect;

// Over the rows of the output; of x (0) or y (1).
static effect effect_of(form what, double Omega, double n, int response)
{
    const int rows = (int)round(UNTIL / EVERY) + 1;
    effect e       = {0};
    double low = 1e9, high = -1e9;
    for (int i = 0; i < rows; i++) {
        const double complex a = place(COMPLETE, Omega, n, i * EVERY), b = place(what, Omega, n, i * EVERY);
        const double is = response ? cimag(a) : creal(a), d = fabs(response ? cimag(b - a) : creal(b - a));
        low  = fmin(low, is);
        high = fmax(high, is);
        e.rms += d * d / rows;
        if (d > e.difference) {
            e.difference = d;
            e.at         = i * EVERY;
        }
    }
    e.rms   = sqrt(e.rms);
    e.range = high - low;
    return e;
}

// --- the study ---

static kane_axis *axis_of(const char *text)
{
    CHECK_ERRORS errors = {0};
    kane_axis *axis     = kane_axis_parse(text, &errors);
    if (!axis)
        fail_msg("%s", kane_errors_get(&errors, 0)->text);
    return axis;
}

static kane_omission_report *carried_out(const kane_omission_study *study)
{
    CHECK_ERRORS errors          = {0};
    kane_omission_report *report = NULL;
    if (kane_study_omission(study, &report, &errors) != KANE_OK || !report)
        fail_msg("%s", errors.count > 0 ? kane_errors_get(&errors, 0)->text : "no report");
    return report;
}

CHECK_TEST(effects_are_those_of_closed_forms)
{
    static const char *const settings[]   = {"until.time=10",
                                             "output.interval=50 ms",
                                             "integrator.rtol=1e-11",
                                             "integrator.atol_position=1e-12",
                                             "integrator.atol_angle=1e-12",
                                             "integrator.atol_velocity=1e-12",
                                             "integrator.atol_angular_velocity=1e-12",
                                             NULL};
    static const char *const terms[TERMS] = {"mass:force.gyroscopic.*", "mass:force.centrifugal.*",
                                             "mass:force.rotation.*", "*:torque.*.*"};
    static const char *const responses[]  = {"mass.x", "mass.y"};
    static const form forms[TERMS]        = {WITHOUT_CORIOLIS, WITHOUT_CENTRIFUGAL, COMPLETE, COMPLETE};
    const kane_run_options common         = {.settings = settings};
    kane_axis *axes[]                     = {axis_of("mechanism.frames.table.motion.rates.angle.polynomial[0]=1,2"),
                                             axis_of("mechanism.elements.springs.stiffness=[50,50,50],[72,72,50]")};
    const kane_omission_study study       = {.file           = RUN,
                                             .common         = &common,
                                             .omission_count = TERMS,
                                             .omissions      = terms,
                                             .response_count = RESPONSES,
                                             .responses      = responses,
                                             .axis_count     = 2,
                                             .axes           = (const kane_axis *const *)axes,
                                             .threshold      = 0.01,
                                             .execution      = {.directory = "forms", .workers = 2}};
    kane_omission_report *report          = carried_out(&study);
    assert_int_equal(report->conditions, OMEGAS * STIFFNESSES);
    for (int c = 0; c < OMEGAS * STIFFNESSES; c++) {
        const double Omega = omegas[c / STIFFNESSES], n = sqrt(stiffnesses[c % STIFFNESSES] / mass);
        for (int i = 0; i < TERMS; i++) {
            const kane_omission_case *ran = kane_omission_report_case(report, c, i + 1);
            assert_true(ran->is_known && !ran->ends_otherwise && ran->distance[0] == UNTIL &&
                        ran->distance[1] == UNTIL);
            assert_true((ran->omitted[i == TERMS - 1] > 0.0) == (forms[i] != COMPLETE));
            for (int r = 0; r < RESPONSES; r++) {
                const kane_omission_effect *e = kane_omission_report_effect(report, c, i + 1, r);
                const effect expected         = effect_of(forms[i], Omega, n, r);
                check_near(e->difference, expected.difference, 1e-8);
                check_near(e->rms, expected.rms, 1e-8);
                check_near(e->range, expected.range, 1e-8);
                check_near(e->at, expected.at, 1e-9);
            }
        }
    }
    for (int i = 0; i < TERMS; i++)
        assert_int_equal(report->verdict[i + 1].verdict, forms[i] == COMPLETE ? KANE_VERDICT_ZERO : KANE_VERDICT_NEVER);
    kane_omission_report_free(report);
    kane_axis_free(axes[0]);
    kane_axis_free(axes[1]);
}

// A ball that hangs still below a frame which turns up by epsilon t stays behind by epsilon t^2/2, and without the
// torque of rotation it turns along: a difference of more than one turn, though the yaw angle of an attitude ends at
// half a turn.
CHECK_TEST(angles_go_on_beyond_half_a_turn)
{
    static const char *const settings[] = {"until.time=10",
                                           "output.interval=0.1",
                                           "mechanism.frames.platform.motion.rates.angle.polynomial=[0, 0.2]",
                                           "mechanism.bodies.bob.at=[0, 0, -4]",
                                           "mechanism.bodies.bob.start={}",
                                           NULL};
    static const char *const term = "bob:torque.rotation.z", *const response = "bob.yaw";
    const kane_run_options common             = {.settings = settings};
    const kane_omission_study study           = {.file           = KANE_SOURCE_DIR "/data/runs/mechanism-foucault.json",
                                                 .common         = &common,
                                                 .omission_count = 1,
                                                 .omissions      = &term,
                                                 .response_count = 1,
                                                 .responses      = &response,
                                                 .threshold      = 0.01,
                                                 .execution      = {.directory = "turns", .workers = 1}};
    CHECK_OWNED(kane_omission_report) *report = carried_out(&study);
    const kane_omission_effect *e             = kane_omission_report_effect(report, 0, 1, 0);
    check_near(e->difference, 10.0, 1e-4);
    check_near(e->range, 10.0, 1e-4);
    check_near(e->at, 10.0, 1e-9);
}

// Without a word on responses: what each body can move by.
CHECK_TEST(coordinates_respond)
{
    static const char *const crane[]    = {"load.yaw", "load.roll", "load.pitch"};
    static const char *const table[]    = {"mass.x", "mass.y", "mass.z", "mass.yaw", "mass.roll", "mass.pitch"};
    static const char *const settings[] = {"until.time=0.2", "output.interval=0.1", NULL};
    const kane_run_options common       = {.settings = settings};
    const char *const files[]           = {KANE_SOURCE_DIR "/data/runs/mechanism-ship-crane.json", RUN};
    const char *const *expected[]       = {crane, table};
    const int counts[]                  = {3, 6};
    for (int k = 0; k < 2; k++) {
        static const char *const term             = "*:force.gyroscopic.*";
        const kane_omission_study study           = {.file           = files[k],
                                                     .common         = &common,
                                                     .omission_count = 1,
                                                     .omissions      = &term,
                                                     .threshold      = 0.01,
                                                     .execution      = {.directory = k ? "table" : "crane", .workers = 1}};
        CHECK_OWNED(kane_omission_report) *report = carried_out(&study);
        assert_int_equal(report->responses, counts[k]);
        for (int r = 0; r < counts[k]; r++)
            assert_string_equal(report->response[r], expected[k][r]);
    }
}

// A study of the wagon over 3 m of straight track at constant speed, where nothing pushes forward.
static kane_omission_report *study_wagon(const char *more, const char *directory)
{
    static const char *const term   = "body:force.translation.x";
    const char *settings[]          = {"until.distance=3", "output.interval=5 ms", "speed=[]", more, NULL};
    const kane_run_options common   = {.settings = settings};
    const kane_omission_study study = {.file           = KANE_SOURCE_DIR "/data/runs/wagon-transition.json",
                                       .common         = &common,
                                       .omission_count = 1,
                                       .omissions      = &term,
                                       .threshold      = 0.01,
                                       .execution      = {.directory = directory, .workers = 1}};
    return carried_out(&study);
}

// What is zero in all rows is zero between them, unless frames move as functions of time say.
CHECK_TEST(zero_in_all_rows_is_zero_only_without_given_frames)
{
    static const char deck[] = "vehicle.frames={\"deck\": {\"relative_to\": \"body\"}}";
    for (int k = 0; k < 2; k++) {
        CHECK_OWNED(kane_omission_report) *report = study_wagon(k ? deck : NULL, k ? "with frame" : "without frame");
        assert_true(kane_omission_report_case(report, 0, 1)->is_known);
        assert_int_equal(kane_omission_report_case(report, 0, 1)->is_zero, !k);
        check_near(kane_omission_report_effect(report, 0, 1, 0)->difference, 0.0, 0.0);
    }
}

// Bodies in frames feel imaginary forces, those in A and the track under the wheels none.
CHECK_TEST(who_feels_imaginary_forces)
{
    static const char *const flexible[] = {"track.flexibility={}", NULL}, *const plain[] = {NULL};
    static const struct {
        const char *run;
        const char *const *settings;
        int feeling;
    } rows[] = {{"wagon-transition", flexible, 3}, {"mechanism-turntable", plain, 1}, {"mechanism-pendulum", plain, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char file[512];
        const kane_run_options how = {.settings = rows[i].settings};
        CHECK_ERRORS errors        = {0};
        int feeling                = 0;
        (void)snprintf(file, sizeof file, "%s/data/runs/%s.json", KANE_SOURCE_DIR, rows[i].run);
        CHECK_OWNED(kane_run) *run     = kane_run_read(file, &how, &errors);
        const kane_run_definition *d   = kane_run_get_definition(run);
        CHECK_OWNED(kane_model) *model = kane_model_create(d->vehicle, d->track, &d->drive, &d->model, &errors);
        assert_non_null(model);
        assert_true(i > 0 || kane_model_body_count(model) > 3); // with the panels
        for (int j = 0; j < kane_model_body_count(model); j++)
            feeling += kane_model_has_imaginary(model, j);
        assert_int_equal(feeling, rows[i].feeling);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
