// SPDX-License-Identifier: MIT
// What omission studies say of terms: closed forms beside effects against stiffnesses by hand, terms that are zero
// throughout, responses of a road vehicle, and which tolerances to tighten.

#include "folder.h"

#define RUNS KANE_SOURCE_DIR "/data/runs/"

static kane_omission_report *carried_out(const char *run, const char *const *settings, const char *const *terms,
                                         const char *const *responses, double threshold, const char *directory)
{
    const kane_run_options common = {.settings = settings};
    kane_omission_study study     = {.file      = run,
                                     .common    = &common,
                                     .omissions = terms,
                                     .responses = responses,
                                     .threshold = threshold,
                                     .execution = {.directory = directory, .workers = 1}};
    kane_errors errors            = {0};
    kane_omission_report *report  = NULL;
    while (terms[study.omission_count])
        study.omission_count++;
    while (responses && responses[study.response_count])
        study.response_count++;
    if (kane_study_omission(&study, &report, &errors) != KANE_OK || !report)
        fail_msg("%s", errors.count > 0 ? kane_errors_get(&errors, 0)->text : "no report");
    return report;
}

// The wagon at 30 m/s on a Bloss transition of 60 m to 600 m with 100 mm of cant (2b 1.5 m), whose body of 34 t with
// the mass centre at 1.6 m stands on four bushings at (+-4.5, +-1, 0.46) m of 3, 1.5 and 1.2 MN/m.
CHECK_TEST(closed_forms_are_those_by_hand)
{
    static const char *const settings[]  = {"start.speed=30", "speed=[{\"acceleration\": 0}]", "until.distance=130",
                                            "output.interval=10 ms", NULL};
    static const char *const terms[]     = {"body:torque.rotation.z", "body:torque.rotation.x", "body:force.rotation.y",
                                            NULL};
    static const char *const responses[] = {"body.yaw", "body.roll", "body.y", "*.Q", NULL};
    const double v = 30.0, L = 60.0, m = 34e3, h = 1.6 - 0.46;
    const double eps_z = v * v * 1.5 / (600.0 * L), eps_x = v * v * 6.0 / (L * L) * (0.1 / 1.5); // 3 x^2 - 2 x^3
    const double k_yaw = 4.0 * (3e6 * 1.0 + 1.5e6 * 4.5 * 4.5), k_y = 4.0 * 1.5e6;
    const double k_roll    = 4.0 * 1.2e6 - m * 9.81 * h; // the mass centre leans over the springs
    const double by_hand[] = {4.5e5 * eps_z / k_yaw, 5e4 * eps_x / k_roll,
                              m * 1.6 * eps_x * (1.0 / k_y + h * h / k_roll)};
    // the springs' preload goes along with the body and leans, too: 4 % of k_y h on the shift
    static const double tolerance[] = {0.01, 0.01, 0.08};
    CHECK_OWNED(kane_omission_report) *report =
        carried_out(RUNS "wagon-transition.json", settings, terms, responses, 0.01, "closed");
    for (int i = 0; i < 3; i++) {
        const kane_omission_effect *e = kane_omission_report_effect(report, 0, i + 1, i);
        check_relative(e->closed, by_hand[i], tolerance[i]);
        assert_true(e->difference > 0.9 * e->closed &&
                    e->difference < 2.0 * e->closed); // a load that sets in at once overshoots
        assert_true(isnan(kane_omission_report_effect(report, 0, i + 1, 3)->closed));
        assert_true(isnan(kane_omission_report_effect(report, 0, i + 1, (i + 1) % 3)->closed));
        assert_true(isnan(kane_omission_report_effect(report, 0, KANE_OMISSION_ACCURACY, i)->closed));
    }
    // the torque about the vertical sets in gradually: within a third
    const kane_omission_effect *yaw = kane_omission_report_effect(report, 0, 1, 0);
    check_relative(yaw->closed, yaw->difference, 1.0 / 3.0);
}

// A linear cant ramp turns the line about itself all at once: an impulse, of which J eps/k knows nothing.
CHECK_TEST(kinks_have_no_closed_form)
{
    static const char *const settings[] = {"until.distance=50", "output.interval=10 ms", "speed=[{\"acceleration\":0}]",
                                           "track.sections[1].shape=clothoid", NULL};
    static const char *const terms[]    = {"body:torque.rotation.x", "body:torque.rotation.z", NULL};
    static const char *const responses[] = {"body.roll", "body.yaw", NULL};
    CHECK_OWNED(kane_omission_report) *report =
        carried_out(RUNS "wagon-transition.json", settings, terms, responses, 0.01, "kinks");
    assert_true(kane_omission_report_case(report, 0, 1)->impulse[KANE_TORQUE] > 0.0);
    assert_true(isnan(kane_omission_report_effect(report, 0, 1, 0)->closed));
}

// Straight track at constant speed: no frame turns.
CHECK_TEST(what_is_zero_throughout_has_no_verdict)
{
    static const char *const settings[] = {"until.distance=8", "output.interval=20 ms", "speed=[{\"acceleration\":0}]",
                                           NULL};
    static const char *const terms[]    = {"body:torque.rotation.z", "*:*.*.*", NULL};
    CHECK_OWNED(kane_omission_report) *report =
        carried_out(RUNS "wagon-transition.json", settings, terms, NULL, 0.01, "zero");
    for (int i = 1; i <= 2; i++) {
        assert_int_equal(report->verdict[i].verdict, KANE_VERDICT_ZERO);
        assert_string_equal(report->verdict[i].words, "is zero throughout, no statement");
        assert_int_equal(report->verdict[i].zero, 1);
    }
}

// It has no *.Y and no *.Q.
CHECK_TEST(road_vehicles_respond_by_their_tyres)
{
    static const char *const settings[] = {"until.distance=0.5", NULL};
    static const char *const terms[]    = {"chassis:force.rotation.y", NULL};
    int tyres                           = 0;
    CHECK_OWNED(kane_omission_report) *report =
        carried_out(RUNS "sedan-curve.json", settings, terms, NULL, 0.01, "road");
    for (int r = 0; r < report->responses; r++) {
        tyres += strcmp(report->response[r], "*.F_y") == 0 || strcmp(report->response[r], "*.load") == 0;
        assert_true(strcmp(report->response[r], "*.Y") != 0 && strcmp(report->response[r], "*.Q") != 0);
    }
    assert_int_equal(tyres, 2);
}

// The accuracy of body.yaw at a tenth of one tolerance or of all.
static double accuracy_with(const char *const *settings, const char *directory, char *text, size_t size)
{
    static const char *const terms[] = {"body:torque.rotation.z", NULL}, *const responses[] = {"body.yaw", NULL};
    CHECK_OWNED(kane_omission_report) *report =
        carried_out(RUNS "wagon-transition.json", settings, terms, responses, 1e-6, directory);
    const double accuracy = kane_omission_report_effect(report, 0, KANE_OMISSION_ACCURACY, 0)->relative;
    FILE *out             = tmpfile();
    assert_non_null(out);
    kane_omission_report_print(report, 0, out);
    rewind(out);
    text[fread(text, 1, size - 1, out)] = '\0';
    (void)fclose(out);
    return accuracy;
}

CHECK_TEST(all_tolerances_are_to_be_tightened)
{
    static const char *const plain[] = {"until.distance=60",
                                        "output.interval=20 ms",
                                        "integrator.atol_position=1e-7 m",
                                        "integrator.atol_angle=1e-7 rad",
                                        "integrator.atol_velocity=1e-5 m/s",
                                        "integrator.atol_angular_velocity=1e-5 rad/s",
                                        NULL};
    static const char *const rtol[]  = {"until.distance=60",
                                        "output.interval=20 ms",
                                        "integrator.atol_position=1e-7 m",
                                        "integrator.atol_angle=1e-7 rad",
                                        "integrator.atol_velocity=1e-5 m/s",
                                        "integrator.atol_angular_velocity=1e-5 rad/s",
                                        "integrator.rtol=1e-8",
                                        NULL};
    static const char *const all[]   = {"until.distance=60",
                                        "output.interval=20 ms",
                                        "integrator.atol_position=1e-9 m",
                                        "integrator.atol_angle=1e-9 rad",
                                        "integrator.atol_velocity=1e-7 m/s",
                                        "integrator.atol_angular_velocity=1e-7 rad/s",
                                        "integrator.rtol=1e-8",
                                        NULL};
    char text[4096];
    const double before = accuracy_with(plain, "plain", text, sizeof text);
    assert_non_null(strstr(text, "Tighten all tolerances by one factor"));
    assert_non_null(strstr(text, "integrator.atol_position="));
    assert_non_null(strstr(text, "integrator.atol_angular_velocity="));
    const double single = accuracy_with(rtol, "rtol", text, sizeof text);
    const double finer  = accuracy_with(all, "all", text, sizeof text);
    assert_true(finer < 0.3 * before);
    assert_true(finer < 0.5 * single);
}

CHECK_MAIN(enter_folder, leave_folder)
