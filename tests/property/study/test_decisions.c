// SPDX-License-Identifier: MIT
// Omission studies of conclusions: losses are those of closed forms, of plain code and of runs by hand, and the same
// bytes come however the study is carried out.

#include "folder.h"

#include <kane/measure.h>
#include <kane/study.h>

#define WAGON      KANE_SOURCE_DIR "/data/runs/wagon-transition.json"
#define COACH      KANE_SOURCE_DIR "/data/runs/coach-curve.json"
#define TURNTABLE  KANE_SOURCE_DIR "/data/runs/mechanism-turntable.json"
#define CENTRIFUGE KANE_SOURCE_DIR "/data/runs/mechanism-centrifuge.json"
#define SHIP_CRANE KANE_SOURCE_DIR "/data/runs/mechanism-ship-crane.json"
#define SEDAN      KANE_SOURCE_DIR "/data/runs/sedan-circle.json"

static const double g = 9.81;

// two-axle-wagon.json
static const double body_mass = 34e3, wheelset_mass = 1250.0, wheel_radius = 0.46, spin_inertia = 100.0,
                    running_distance = 1.5;

static kane_omission_study study_of(const char *file, const kane_run_options *common, const char *directory,
                                    const char *const *conclusions, const char *const *omissions)
{
    kane_omission_study s = {.file = file, .common = common, .threshold = 0.01};
    s.conclusions         = conclusions;
    s.omissions           = omissions;
    s.execution           = (kane_plan_execution){.directory = directory, .workers = 2};
    while (conclusions[s.conclusion_count])
        s.conclusion_count++;
    while (omissions && omissions[s.omission_count])
        s.omission_count++;
    return s;
}

static kane_decision_report *carried_out(const kane_omission_study *study)
{
    CHECK_ERRORS errors          = {0};
    kane_decision_report *report = NULL;
    if (kane_study_decisions(study, &report, &errors) != KANE_OK || !report)
        fail_msg("%s", errors.count > 0 ? kane_errors_get(&errors, 0)->text : "no report");
    return report;
}

static const kane_decision *decision_of(const kane_decision_report *report, const char *conclusion, const char *term)
{
    for (int i = 0; i < report->count; i++)
        if (strcmp(report->decisions[i].conclusion, conclusion) == 0 && strcmp(report->decisions[i].term, term) == 0)
            return &report->decisions[i];
    fail_msg("no decision on %s without %s", conclusion, term);
    return NULL;
}

static void assert_near(double value, double expected, double relative)
{
    if (!(fabs(value - expected) <= relative * fabs(expected)))
        fail_msg("%.12g, not %.12g", value, expected);
}

// --- steady motion in a curve ---

// Of a wagon of mass M at speed v on radius R with cant angle p:
//   sum of Y without translation: loses M v^2/R cos p
//   lean, as the lateral load of the body: loses v^2/R cos p of the g sin p that it is without translation
//   a wheelset's spin w = v/r turned by v/R: moment I w v/R about x, +-I w v/(R 2b) on each wheel
CHECK_TEST(steady_curve_loses_what_closed_forms_say)
{
    static const char *const settings[]    = {"start.speed=20", NULL};
    static const char *const conclusions[] = {
        "equilibrium *.Y",          "equilibrium body.roll",     "equilibrium leading.left.Q",
        "equilibrium leading.roll", "equilibrium trailing.roll", NULL};
    static const char *const omissions[] = {"*:force.translation.*", "leading:torque.gyroscopic.*",
                                            "*:torque.rotation.*", NULL};
    const kane_run_options common        = {.settings = settings};
    const double v = 20.0, R = 600.0, cant = 0.1, p = asin(cant / running_distance);
    const double M = body_mass + 2.0 * wheelset_mass, pull = v * v / R * cos(p), down = g * sin(p);
    kane_omission_study study = study_of(WAGON, &common, "curve", conclusions, omissions);
    study.curvature           = 1.0 / R;
    study.superelevation      = cant;
    kane_decision_report *r   = carried_out(&study);

    // kappa and the lever of gravity are those of the track, bodies stand 0.02 m aside: 3e-5 of R, rolled by 3 mrad
    const kane_decision *Y = decision_of(r, conclusions[0], omissions[0]);
    assert_near(Y->loss, M * pull, 2e-4);
    assert_true(fabs(Y->complete - M * (down - pull)) < 2e-4 * M * pull);
    assert_near(Y->closed, M * pull, 1e-12);
    assert_int_equal(Y->verdict, KANE_DECIDES);

    // over the mean of its wheelsets, which roll on their profiles by .1 mrad as they shift; the body's own shift of
    // 6 mm over its springs, 1 m aside, adds .3 %
    const kane_decision *lean = decision_of(r, conclusions[1], omissions[0]);
    double complete = lean->complete, omitted = lean->omitted;
    for (int i = 3; i < 5; i++) {
        complete -= 0.5 * decision_of(r, conclusions[i], omissions[0])->complete;
        omitted -= 0.5 * decision_of(r, conclusions[i], omissions[0])->omitted;
    }
    assert_near((complete - omitted) / -omitted, pull / down, 5e-3);
    assert_near(lean->closed, lean->loss, 0.03); // the closed form holds the wheelsets
    assert_int_equal(lean->verdict, KANE_DECIDES);

    // contact points are not exactly the running distance apart: 1.2 %
    const kane_decision *unloading = decision_of(r, conclusions[2], omissions[1]);
    assert_near(unloading->loss, spin_inertia * v / wheel_radius * v / R / running_distance, 0.03);
    assert_int_equal(unloading->verdict, KANE_DECIDES_NOT);

    // nothing turns faster and faster in steady motion
    for (int i = 0; conclusions[i]; i++) {
        const kane_decision *none = decision_of(r, conclusions[i], omissions[2]);
        assert_int_equal(none->verdict, KANE_DECIDES_ZERO);
        assert_true(none->loss == 0.0);
    }
    kane_decision_report_free(r);
}

// On a straight frames neither turn nor accelerate.
CHECK_TEST(straight_has_no_terms)
{
    static const char *const conclusions[] = {"damping 20", "critical", NULL};
    const kane_critical_study speeds       = {.from = 40.0, .step = 10.0, .resolution = 0.1, .disturbance = 6e-3};
    kane_omission_study study              = study_of(COACH, NULL, "straight", conclusions, NULL);
    study.critical                         = &speeds;
    kane_decision_report *r                = carried_out(&study);
    assert_true(r->count > 20);
    for (int i = 0; i < r->count; i++) {
        assert_int_equal(r->decisions[i].verdict, KANE_DECIDES_ZERO);
        assert_true(r->decisions[i].closed == 0.0 && r->decisions[i].loss == 0.0);
        assert_true(r->decisions[i].complete > 0.0);
    }
    kane_decision_report_free(r);
}

// --- mechanisms ---

// k d = m W^2 (r + d): displacement r W^2/(n^2 - W^2)
CHECK_TEST(turntable_holds_its_mass_by_centrifugal_force)
{
    static const char *const conclusions[] = {"equilibrium mass.x", "max(mass.x)", NULL};
    static const char *const omissions[]   = {"*:force.centrifugal.*", "*:force.gyroscopic.*", NULL};
    const double n2 = 50.0 / 2.0, W = 2.0, at = 0.5;
    kane_omission_study study = study_of(TURNTABLE, NULL, "turntable", conclusions, omissions);
    study.with_pairs          = 1;
    kane_decision_report *r   = carried_out(&study);
    const kane_decision *rest = decision_of(r, conclusions[0], omissions[0]);
    assert_near(rest->complete, at + at * W * W / (n2 - W * W), 1e-12);
    assert_near(rest->loss, at * W * W / (n2 - W * W), 1e-12);
    assert_int_equal(rest->verdict, KANE_DECIDES);

    // motion from rest, by plain code: x'' = W^2 x - n^2 (x - r) + 2 W y', y'' = W^2 y - n^2 y - 2 W x'
    double most[4];
    for (int k = 0; k < 4; k++) {
        const double c = k & 1 ? 0.0 : 1.0, G = k & 2 ? 0.0 : 2.0 * W, h = 1e-3;
        double x[4] = {at, 0.0, 0.0, 0.0};
        most[k]     = at;
        for (int i = 0; i < 60000; i++) {
            double d[4][4], z[4];
            for (int s = 0; s < 4; s++) {
                const double part = s == 0 ? 0.0 : s == 3 ? h : 0.5 * h;
                for (int j = 0; j < 4; j++)
                    z[j] = x[j] + (s ? part * d[s - 1][j] : 0.0);
                d[s][0] = z[2];
                d[s][1] = z[3];
                d[s][2] = c * W * W * z[0] - n2 * (z[0] - at) + G * z[3];
                d[s][3] = c * W * W * z[1] - n2 * z[1] - G * z[2];
            }
            for (int j = 0; j < 4; j++)
                x[j] += h / 6.0 * (d[0][j] + 2.0 * d[1][j] + 2.0 * d[2][j] + d[3][j]);
            if ((i + 1) % 50 == 0) // rows
                most[k] = fmax(most[k], x[0]);
        }
    }
    for (int k = 0; k < 2; k++) {
        const kane_decision *d = decision_of(r, conclusions[1], omissions[k]);
        assert_true(fabs(d->complete - most[0]) < 2e-5); // tolerances of the run over 60 s: accuracy 2e-6
        assert_true(fabs(d->omitted - most[k + 1]) < 2e-5);
    }
    const kane_decision *both = decision_of(r, conclusions[1], "*:force.centrifugal.* + *:force.gyroscopic.*");
    const double interaction  = most[3] - most[1] - most[2] + most[0];
    assert_true(isfinite(both->interaction) == (fabs(interaction) > 4.0 * both->accuracy));
    if (isfinite(both->interaction))
        assert_true(fabs(both->interaction - interaction) < 8e-5);
    kane_decision_report_free(r);
}

// tan b = W^2 (R + l sin b)/g
CHECK_TEST(gondola_of_a_centrifuge_hangs_without_centrifugal_force)
{
    static const char *const conclusions[] = {"equilibrium gondola.joint.angle", NULL};
    static const char *const omissions[]   = {"*:force.centrifugal.*", "*:force.gyroscopic.*", NULL};
    const double W = 1.5, R = 6.0, l = 1.0;
    double b = 0.5;
    for (int i = 0; i < 1000; i++)
        b = atan(W * W * (R + l * sin(b)) / g);
    kane_omission_study study   = study_of(CENTRIFUGE, NULL, "centrifuge", conclusions, omissions);
    kane_decision_report *r     = carried_out(&study);
    const kane_decision *hangs  = decision_of(r, conclusions[0], omissions[0]);
    const kane_decision *nought = decision_of(r, conclusions[0], omissions[1]);
    assert_near(hangs->complete, b, 1e-9);
    assert_true(fabs(hangs->omitted) < 1e-9);
    assert_int_equal(hangs->verdict, KANE_DECIDES);
    assert_true(nought->loss < 1e-9 && nought->verdict != KANE_DECIDES); // nothing moves in the frame
    kane_decision_report_free(r);
}

// The load, at z = 10 m under a hook at h = 20 m, on a ship that rolls by p = f sin v t about its axis. Its small
// angle a from the ship's vertical obeys
//   (m L^2 + J) a'' + m g L a = (m L 6 + m L 4 - J) p'' - m g L p
// by the forces of translation (the crane's frame is 6 m above the axis) and rotation (the load 4 m above that), and
// the torque of rotation. It begins in the steady swing of the complete model; omissions also leave a free swing.
CHECK_TEST(load_of_a_ships_crane_ranks_terms_as_its_equation)
{
    static const char *const settings[]    = {"variant=rolling", NULL};
    static const char *const conclusions[] = {"peak(load.y)", NULL};
    static const char *const omissions[]   = {"load:force.translation.*", "load:force.rotation.*",
                                              "load:torque.rotation.*", NULL};
    const kane_run_options common          = {.settings = settings};
    const double m = 2000.0, L = 10.0, J = 300.0, f = 3.0 * 3.14159265358979324 / 180.0, v = 0.7;
    const double parts[3] = {m * L * 6.0, m * L * 4.0, -J}, inertia = m * L * L + J, w = sqrt(m * g * L / inertia);
    kane_omission_study study = study_of(SHIP_CRANE, &common, "crane", conclusions, omissions);
    kane_decision_report *r   = carried_out(&study);
    double most[4]            = {0.0};
    for (int k = 0; k < 4; k++) {
        double sum = 0.0;
        for (int i = 0; i < 3; i++)
            sum += i + 1 == k ? 0.0 : parts[i];
        const double forced = -f * (v * v * sum + m * g * L) / (m * g * L - inertia * v * v);
        const double free   = (-0.10992 - v * forced) / w;
        for (int i = 0; i <= 1200; i++)
            most[k] = fmax(most[k], fabs(L * sin(forced * sin(v * 0.05 * i) + free * sin(w * 0.05 * i))));
    }
    // small angles: parts of a^2/6 = 4e-3 of 1.6 m; a free swing of .01 rad that goes out of phase by as much
    for (int k = 0; k < 3; k++) {
        const kane_decision *d = decision_of(r, conclusions[0], omissions[k]);
        print_message("%s: %.5f without it %.5f, by hand %.5f, %.5f\n", d->term, d->complete, d->omitted, most[0],
                      most[k + 1]);
        assert_near(d->complete, most[0], 4e-3);
        assert_near(d->omitted, most[k + 1], 4e-3);
        if (k < 2)
            assert_near(d->loss, most[0] - most[k + 1], 1e-2);
        assert_string_equal(r->decisions[k].term, omissions[k]); // ranked so
        assert_int_equal(d->verdict, k < 2 ? KANE_DECIDES : KANE_DECIDES_NOT);
    }
    kane_decision_report_free(r);
}

// --- choices ---

// Value of a measure of a run by hand.
static double value_of_run(const char *file, const char *const *settings, const char *term, const char *text)
{
    const char *omit[]  = {term, NULL};
    CHECK_ERRORS errors = {0};
    kane_outcome outcome;
    const kane_run_options options = {.settings = settings, .omit = term ? omit : NULL};
    kane_measure *measure          = kane_measure_parse(text, &errors);
    kane_run *run                  = kane_run_read(file, &options, &errors);
    assert_non_null(measure);
    assert_non_null(run);
    const char *channels  = kane_measure_channels(measure);
    kane_results *results = kane_run_to_memory(kane_run_get_definition(run), 1, &channels, &outcome, &errors);
    assert_non_null(results);
    const double value = kane_measure_eval(measure, results, NULL, &errors);
    kane_results_free(results);
    kane_run_free(run);
    kane_measure_free(measure);
    return value;
}

static double value_by_hand(const char *shape, const char *term, const char *text)
{
    char setting[64];
    const char *settings[] = {"until.distance=90", "start.speed=20", setting, NULL};
    (void)snprintf(setting, sizeof setting, "track.sections[*].shape=%s", shape);
    return value_of_run(WAGON, settings, term, text);
}

// Without the force of translation the wagon does not feel the curve; the shape that then seems best is another one.
CHECK_TEST(order_of_shapes_is_that_of_runs_by_hand)
{
    static const char *const settings[]    = {"until.distance=90", "start.speed=20", NULL};
    static const char *const shapes[]      = {"bloss", "cosine", "sine"};
    static const char *const conclusions[] = {"order rms(body.acceleration.y, 0.4-10 Hz, 30 m..80 m)", NULL};
    static const char *const omissions[]   = {"*:force.translation.*", NULL};
    const kane_run_options common          = {.settings = settings};
    CHECK_ERRORS errors                    = {0};
    kane_axis *axis                        = kane_axis_parse("shape=bloss,cosine,sine", &errors);
    assert_non_null(axis);
    kane_omission_study study = study_of(WAGON, &common, "order", conclusions, omissions);
    study.axis_count          = 1;
    study.axes                = (const kane_axis *const *)&axis;
    kane_decision_report *r   = carried_out(&study);
    double complete[3], omitted[3];
    int chosen = 0, best = 0, swapped = 0;
    for (int i = 0; i < 3; i++) {
        complete[i] = value_by_hand(shapes[i], NULL, conclusions[0] + strlen("order "));
        omitted[i]  = value_by_hand(shapes[i], omissions[0], conclusions[0] + strlen("order "));
        best        = complete[i] < complete[best] ? i : best;
        chosen      = omitted[i] < omitted[chosen] ? i : chosen;
    }
    assert_int_equal(r->count, 1);
    const kane_decision *d = r->decisions;
    // runs whose terms are evaluated one by one differ by rounding, which the integrator makes its tolerance, 1e-6
    assert_near(d->complete, complete[best], 1e-4);
    assert_near(d->omitted, complete[chosen], 1e-4);
    assert_true(fabs(d->loss - (complete[chosen] - complete[best])) < 1e-4 * complete[best]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            swapped |= omitted[i] < omitted[k] && complete[i] - complete[k] > 2.0 * d->accuracy;
    assert_int_equal(d->verdict, swapped ? KANE_DECIDES : KANE_DECIDES_NOT);
    kane_axis_free(axis);
    kane_decision_report_free(r);
}

// The search without the terms ends elsewhere, and there the complete model is worse than at its own optimum.
CHECK_TEST(optimum_without_rotation_costs_what_the_complete_model_says)
{
    static const char *const settings[]    = {"until.distance=180", "start.speed=20", "speed=[{\"acceleration\":0}]",
                                              NULL};
    static const char *const conclusions[] = {"optimum rms(body.acceleration.y, 0.4-10 Hz, 30 m..150 m)", NULL};
    static const char *const omissions[]   = {"*:*.rotation.*", "*:torque.gyroscopic.*", NULL};
    const kane_run_options common          = {.settings = settings};
    kane_optimisation optimum              = kane_optimisation_default();
    optimum.family.unknowns                = 2;
    optimum.evaluations_most               = 60;
    kane_omission_study study              = study_of(WAGON, &common, "optimum", conclusions, omissions);
    study.optimum                          = &optimum;
    kane_decision_report *r                = carried_out(&study);
    const kane_decision *decide            = decision_of(r, conclusions[0], omissions[0]);
    const kane_decision *nought            = decision_of(r, conclusions[0], omissions[1]);
    assert_int_equal(decide->verdict, KANE_DECIDES);
    assert_true(decide->loss > 0.05 * decide->complete && decide->complete > 0.0);
    assert_true(decide->loss == decide->omitted - decide->complete);
    assert_true(nought->verdict != KANE_DECIDES);
    kane_decision_report_free(r);
}

// --- limits, a car on a road ---

// Lateral acceleration of the floor, whose limit this curve uses most: v^2/R less the pull of the cant, which the body
// feels only through the force of translation.
CHECK_TEST(limits_and_comfort_of_a_coach_are_named)
{
    static const char *const settings[]    = {"until.distance=150", NULL};
    static const char *const conclusions[] = {"limits", "comfort car", NULL};
    static const char *const omissions[]   = {"*:force.translation.*", NULL};
    const kane_run_options common          = {.settings = settings};
    kane_omission_study study              = study_of(COACH, &common, "limits", conclusions, omissions);
    kane_decision_report *r                = carried_out(&study);
    const kane_decision *d                 = decision_of(r, conclusions[0], omissions[0]);
    assert_true(d->complete > 0.0 && d->complete < 1.0 && d->omitted < 1.0);
    assert_int_equal(d->verdict, KANE_DECIDES_NOT); // no limit is exceeded with it or without it
    assert_non_null(strstr(d->words, "kept"));
    assert_true(decision_of(r, conclusions[1], omissions[0])->loss > 0.0);
    kane_decision_report_free(r);
}

// Comfort of a body, of an accelerometer, and of one of its directions.
CHECK_TEST(comfort_is_that_of_runs_by_hand)
{
    static const char *const settings[]    = {"until.distance=150", NULL};
    static const char *const conclusions[] = {"comfort car", "comfort floor front",
                                              "comfort floor front.acceleration.y", NULL};
    static const char *const measures[]    = {"nmv(car.acceleration.*)", "nmv(floor front.acceleration.*)",
                                              "comfort_y(floor front.acceleration.y)"};
    static const char *const omissions[]   = {"*:force.translation.*", NULL};
    const kane_run_options common          = {.settings = settings};
    kane_omission_study study              = study_of(COACH, &common, "comfort", conclusions, omissions);
    kane_decision_report *r                = carried_out(&study);
    for (int i = 0; i < 3; i++) {
        const kane_decision *d = decision_of(r, conclusions[i], omissions[0]);
        // runs whose terms are evaluated one by one differ by rounding, which the integrator makes its tolerance, 1e-6
        assert_near(d->complete, value_of_run(COACH, settings, NULL, measures[i]), 1e-4);
        assert_near(d->omitted, value_of_run(COACH, settings, omissions[0], measures[i]), 1e-4);
        assert_string_equal(d->unit, i == 2 ? "m/s^2" : "1");
    }
    kane_decision_report_free(r);
}

// All of a car's cornering force is M v^2/R; without translation its tyres need none.
CHECK_TEST(car_in_a_turn_needs_no_force_without_translation)
{
    static const char *const settings[]    = {"until.time=20", NULL};
    static const char *const conclusions[] = {"end(front left tyre.F_y)", NULL};
    static const char *const omissions[]   = {"*:*.*.*", NULL};
    const kane_run_options common          = {.settings = settings};
    kane_omission_study study              = study_of(SEDAN, &common, "car", conclusions, omissions);
    kane_decision_report *r                = carried_out(&study);
    assert_int_equal(r->decisions[0].verdict, KANE_DECIDES);
    kane_decision_report_free(r);
}

// --- however it is carried out ---

CHECK_TEST(same_bytes_by_shards_and_by_one_worker)
{
    static const char *const conclusions[] = {"equilibrium mass.x", "max(mass.x)", NULL};
    char text[2][8192];
    for (int k = 0; k < 2; k++) {
        const char *directory     = k ? "shards" : "alone";
        kane_omission_study study = study_of(TURNTABLE, NULL, directory, conclusions, NULL);
        study.with_pairs          = 1;
        study.execution.workers   = 1 + k;
        if (k) {
            CHECK_ERRORS errors        = {0};
            kane_decision_report *none = NULL;
            study.execution.shard      = 2;
            study.execution.shards     = 3;
            assert_int_equal(kane_study_decisions(&study, &none, &errors), KANE_OK);
            assert_null(none);
            study.execution.shards = 0;
        }
        kane_decision_report_free(carried_out(&study));
        (void)snprintf(text[k], sizeof text[k], "%s", content(k ? "shards/decisions.csv" : "alone/decisions.csv"));
    }
    assert_string_equal(text[0], text[1]);
}

CHECK_TEST(wrong_conclusions_are_refused)
{
    static const struct {
        const char *file, *conclusion, *says;
    } rows[] = {
        {WAGON, "order max(body.y)", "an order needs several conditions"},
        {WAGON, "damping fast", "no highest frequency"},
        {WAGON, "critical 3", "nothing may follow"},
        {WAGON, "equilibrium", "a channel is missing"},
        {WAGON, "equilibrium bdy.roll", "bdy.roll"},
        {WAGON, "max(bdy.roll)", "bdy.roll"},
        {COACH, "comfort", "a body, accelerometer or channel is missing"},
        {COACH, "comfort flor front", "did you mean 'floor front.acceleration.x'"},
        {COACH, "comfort car.acceleration.w", "car.acceleration"},
        {TURNTABLE, "critical", "a mechanism runs along no track"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_ERRORS errors           = {0};
        const char *const texts[]     = {rows[i].conclusion, NULL};
        kane_decision_report *report  = NULL;
        const kane_omission_study one = study_of(rows[i].file, NULL, "refused", texts, NULL);
        assert_int_not_equal(kane_study_decisions(&one, &report, &errors), KANE_OK);
        assert_null(report);
        if (!strstr(kane_errors_get(&errors, 0)->text, rows[i].says))
            fail_msg("%s: %s", rows[i].conclusion, kane_errors_get(&errors, 0)->text);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
