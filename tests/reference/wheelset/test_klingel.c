// SPDX-License-Identifier: MIT
// A free wheelset with conical wheels runs in Klingel's wave: wavelength 2 pi sqrt(r e/lambda) with the rolling radius
// r and half the distance e of the contact points. On rail heads of radius R the contact moves with the wheelset's roll
// lambda y/e by R lambda y/e, so that the conicity that works is lambda (1 + lambda R/e).

#include "models.h"

typedef struct wheelset {
    kane_track *track;
    kane_wheels_definition wheels;
    kane_body_definition body;
    kane_vehicle_definition vehicle;
    kane_model *model;
    kane_simulation *simulation;
} wheelset;

static void build(wheelset *w, const kane_profile *profile, double speed)
{
    const kane_section_definition straight = {.kind = KANE_STRAIGHT, .length = 400.0};
    kane_track_definition line             = kane_track_definition_default();
    kane_drive_definition drive            = kane_drive_definition_default();
    const kane_model_options options       = kane_model_options_default();
    kane_settings settings                 = kane_settings_default();
    const kane_conditions until            = {.distance = 200.0};
    CHECK_ERRORS errors                    = {0};
    line.sections                          = &straight;
    line.section_count                     = 1;
    const kane_profile head                = kane_profile_round(0.3);
    line.rail[0]                           = &head;
    w->track                               = kane_track_create(&line, &errors);
    w->wheels                              = kane_wheels_definition_default();
    w->wheels.profile[0]                   = profile;
    // heavy enough to press the contacts together, light enough that inertia does not disturb the wave at this speed
    w->body    = (kane_body_definition){.block    = {"wheelset", NULL},
                                        .kind     = KANE_BODY_SPINNING,
                                        .mass     = 1250.0,
                                        .inertia  = {800.0, 100.0, 800.0},
                                        .position = {0.0, 0.0, 0.46},
                                        .dof      = 63,
                                        .wheels   = &w->wheels};
    w->vehicle = (kane_vehicle_definition){
        .name = "wheelset", .guide = "wheelset", .gravity = 9.81, .body_count = 1, .bodies = &w->body};
    drive.start       = 5.0;
    drive.speed       = speed;
    settings.relative = 1e-8;
    settings.position = settings.angle = 1e-10;
    settings.speed = settings.turning = 1e-9;
    w->model                          = kane_model_create(&w->vehicle, w->track, &drive, &options, &errors);
    check_no_errors(&errors);
    w->simulation = CHECK_GOOD(kane_simulation_create, w->model, &settings, &until);
}

static void destroy(wheelset *w)
{
    kane_simulation_free(w->simulation);
    kane_model_free(w->model);
    kane_track_free(w->track);
}

// Starts 1 mm to the left and measures the distance between upward crossings of y = 0.
static double measure_wave(wheelset *w, double speed)
{
    CHECK_ERRORS errors = {0};
    double y[64], first = 0.0, last = 0.0, before = 0.001;
    int crossings = 0;
    memcpy(y, kane_simulation_state(w->simulation), (size_t)kane_model_state_count(w->model) * sizeof *y);
    y[KANE_Y] += 0.001;
    assert_int_equal(kane_simulation_start_from(w->simulation, 0.0, y, &errors), KANE_OK);
    for (int i = 1; kane_simulation_stop(w->simulation) == KANE_STOP_NONE; i++) {
        const double t = 0.01 * i;
        assert_int_equal(kane_simulation_advance(w->simulation, t, &errors), KANE_OK);
        const double now = kane_simulation_state(w->simulation)[KANE_Y];
        if (before < 0.0 && now >= 0.0) {
            last = speed * (t - 0.01 * now / (now - before));
            if (crossings++ == 0)
                first = last;
        }
        before = now;
    }
    check_no_errors(&errors);
    assert_true(crossings >= 4);
    return (last - first) / (crossings - 1);
}

// The hunting mode of the wheelset where its simulation stands.
static kane_mode hunting_mode(const wheelset *w)
{
    CHECK_ERRORS errors          = {0};
    const double *y              = kane_simulation_state(w->simulation);
    CHECK_OWNED(kane_work) *work = kane_work_create(w->model, &errors);
    kane_work_locate(w->model, work, 0.0, y);
    CHECK_OWNED(kane_linear) *linear = kane_linear_create(w->model, work, 0.0, y, &errors);
    check_no_errors(&errors);
    CHECK_OWNED(kane_modes) *modes = CHECK_GOOD(kane_modes_create, linear, KANE_MODES_COMPLETE);
    kane_mode slowest              = {.natural = HUGE_VAL};
    for (int i = 0; i < kane_modes_count(modes); i++) {
        const kane_mode *m = kane_modes_get(modes, i);
        if (m->kind == KANE_MODE_OSCILLATES && m->natural < slowest.natural)
            slowest = *m;
    }
    assert_string_equal(slowest.name, "wheelset lateral (hunting)");
    slowest.name = NULL;
    return slowest;
}

CHECK_TEST(a_free_wheelset_runs_in_klingels_wave)
{
    static const double conicities[] = {1.0 / 20.0, 1.0 / 40.0, 1.0 / 10.0};
    for (int i = 0; i < 3; i++) {
        const double speed = 1.5, conicity = conicities[i];
        CHECK_END(destroy) wheelset w = {0};
        const kane_profile cone       = kane_profile_cone(conicity);
        build(&w, &cone, speed);
        double lift;
        const kane_contact_result *c =
            kane_get_contact(w.model, kane_simulation_work(w.simulation), 0, KANE_LEFT, &lift);
        const double e        = 0.5 * (1.36 + 2.0 * 0.07) + c->patch[0].wheel_y;
        const double expected = 2.0 * 3.14159265358979323846 * sqrt(c->patch[0].radius * e / conicity);
        const double on_heads = expected / sqrt(1.0 + conicity * 0.3 / e);
        const double wave     = measure_wave(&w, speed);
        if (getenv("KANE_SHOW"))
            print_message("conicity %g: wave %.4f m, Klingel %.4f m, %+.2f %%; with the heads %+.3f %%\n", conicity,
                          wave, expected, 100.0 * (wave / expected - 1.0), 100.0 * (wave / on_heads - 1.0));
        if (conicity < 0.06)
            check_relative(wave, expected, 0.01);
        check_relative(wave, on_heads, 0.001);
    }
}

// Klingel's wave as an eigenvalue: its frequency is speed over wavelength. Inertia makes it grow, and the spin of the
// contacts damps it: with
//   m y'' + (2 f22/v)(y' - v psi) = 0,   J psi'' + 2 f11 (b^2 psi'/v + lambda b y/r) = 0
// and slow oscillation  p = i omega + (m v/(2 f22) + J v/(2 f11 b^2)) omega^2/2 + ..., which grows like v^3, while what
// spin does grows like v. Two speeds tell one from the other.
CHECK_TEST(the_wave_is_an_eigenvalue_that_grows_with_speed)
{
    const double pi = 3.14159265358979323846, conicity = 1.0 / 40.0, speeds[] = {4.0, 8.0, 6.0};
    const kane_profile cone       = kane_profile_cone(conicity);
    const kane_contact_laws steel = kane_contact_laws_default();
    kane_mode mode[3];
    double growth = 0.0, lift;
    for (int i = 0; i < 3; i++) {
        CHECK_END(destroy) wheelset w = {0};
        build(&w, &cone, speeds[i]);
        mode[i] = hunting_mode(&w);
        const kane_contact_result *r =
            kane_get_contact(w.model, kane_simulation_work(w.simulation), 0, KANE_LEFT, &lift);
        const kane_patch *c = &r->patch[0];
        const kane_kalker k = kane_kalker_eval(c->a, c->b, steel.poisson);
        const double G = steel.shear_modulus, f11 = G * c->a * c->b * k.C11, f22 = G * c->a * c->b * k.C22,
                     e       = 0.75 + c->wheel_y;
        const double wave    = 2.0 * pi * sqrt(c->radius * e / conicity / (1.0 + conicity * 0.3 / e));
        const double omega_s = 2.0 * pi / wave; // by metre
        check_relative(speeds[i] / mode[i].frequency, wave, 1e-3);
        growth = 0.5 * omega_s * omega_s * (1250.0 / (2.0 * f22) + 800.0 / (2.0 * f11 * e * e));
    }
    // re = cubic v^3 + linear v
    const double slope[2] = {mode[0].re / speeds[0], mode[1].re / speeds[1]};
    const double cubic    = (slope[1] - slope[0]) / (speeds[1] * speeds[1] - speeds[0] * speeds[0]);
    const double linear   = slope[0] - cubic * speeds[0] * speeds[0];
    if (getenv("KANE_SHOW"))
        print_message("growth %g v^3 %+g v, by hand %g v^3\n", cubic, linear, growth);
    check_relative(cubic, growth, 0.05);
    check_relative(mode[2].re, cubic * pow(speeds[2], 3.0) + linear * speeds[2], 1e-3);
    assert_true(linear < 0.0);
}

CHECK_MAIN(NULL, NULL)
