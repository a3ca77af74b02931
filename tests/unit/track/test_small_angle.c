// SPDX-License-Identifier: MIT
// The source's small-angle transportation, (69) to (75), and how far it is from the exact one.

#include "lines.h"

static kane_track *build_with(kane_track_definition d, int count, const kane_section_definition *sections,
                              kane_transportation transportation)
{
    d.transportation = transportation;
    return build_line(d, count, sections);
}

typedef struct pair {
    kane_track *exact, *small;
} pair;

static pair build_pair(kane_track_definition d, int count, const kane_section_definition *sections)
{
    return (pair){build_with(d, count, sections, KANE_TRANSPORTATION_EXACT),
                  build_with(d, count, sections, KANE_TRANSPORTATION_SMALL_ANGLE)};
}

static void free_pair(pair *p)
{
    kane_track_free(p->exact);
    kane_track_free(p->small);
}

CHECK_TEST(on_a_level_track_without_cant_both_forms_are_the_same)
{
    for (int shape = 0; shape < SHAPES; shape++) {
        const kane_section_definition sections[] = {straight(20.0), transition(shape, 60.0, 1.0 / 500.0, 0.0),
                                                    curve(30.0, 1.0 / 500.0, 0.0)};
        pair p                                   = build_pair(kane_track_definition_default(), 3, sections);
        for (int i = 0; i <= 110; i++) {
            const int piece          = kane_track_find(p.exact, i);
            const kane_track_frame a = frame_at(p.exact, piece, i), b = frame_at(p.small, piece, i);
            assert_memory_equal(&a.R, &b.R, sizeof a.R);
            check_vec3(b.Omega, a.Omega, 0.0);
            check_vec3(b.Omega_s, a.Omega_s, 0.0);
        }
        free_pair(&p);
    }
}

CHECK_TEST(place_and_attitude_stay_exact)
{
    route r;
    route_init(&r, KANE_BLOSS, KANE_CANT_INNER_RAIL, 1);
    pair p = build_pair(r.d, 7, r.sections);
    for (int i = 0; i < 360; i++) {
        const int piece          = kane_track_find(p.exact, i);
        const kane_track_frame a = frame_at(p.exact, piece, i), b = frame_at(p.small, piece, i);
        assert_memory_equal(&a.R, &b.R, sizeof a.R);
        assert_memory_equal(&a.origin, &b.origin, sizeof a.origin);
    }
    free_pair(&p);
}

// A curve of 600 m with 100 mm after 60 m of Bloss, the usual case: what the small angles cost.
CHECK_TEST(differences_of_a_usual_transition_are_of_the_expected_size)
{
    const double k                           = 1.0 / 600.0;
    const kane_section_definition sections[] = {straight(20.0), transition(KANE_BLOSS, 60.0, k, 0.1),
                                                curve(60.0, k, 0.1)};
    pair p                                   = build_pair(kane_track_definition_default(), 3, sections);
    double worst[2][3]                       = {{0.0}};

    for (int i = 1; i < 60; i++) {
        const kane_track_frame a = frame_at(p.exact, 1, 20.0 + i), b = frame_at(p.small, 1, 20.0 + i);
        const kane_vec3 d = kv3_sub(b.Omega, a.Omega), d_s = kv3_sub(b.Omega_s, a.Omega_s);
        const double differences[2][3] = {{fabs(d.x), fabs(d.y), fabs(d.z)}, {fabs(d_s.x), fabs(d_s.y), fabs(d_s.z)}};
        for (int j = 0; j < 6; j++)
            worst[j / 3][j % 3] = fmax(worst[j / 3][j % 3], differences[j / 3][j % 3]);
    }
    // Omega_x lacks psi' sin(beta), up to 1/600 times 1.25e-3 at different places of the ramp, of 1.67e-3 in all
    assert_in_range(worst[0][0] * 1e9, 500, 1000);
    // Omega_y has the angle without arcsine, which is less by 5e-5 rad, of 8.3e-5
    assert_in_range(worst[0][1] * 1e9, 70, 90);
    // Omega_z, of 1.67e-3
    check_below(worst[0][2], 2e-9);
    // Omega', of 1.1e-4, 2.8e-6 and 4.2e-5
    assert_true(worst[1][0] < 1.2e-7 && worst[1][1] < 2.1e-9 && worst[1][2] < 1.5e-10);
    free_pair(&p);

    // a constant curve keeps the arcsine only
    p                        = build_pair(kane_track_definition_default(), 3, sections);
    const kane_track_frame b = frame_at(p.small, 2, 100.0);
    const double gamma       = -0.1 / 1.5;
    check_vec3(b.Omega, kv3(0.0, k * sin(gamma), k * cos(gamma)), 1e-18);
    free_pair(&p);
}

// kappa of the space curve as a function of s
static void kappa_of(const void *c, double s, double *out)
{
    *out = state_at(c, kane_track_find(c, s), s).kappa;
}

// On either hand, uphill: the source's formulas, evaluated as they stand with kappa, tau and z'' of the line.
CHECK_TEST(formulas_are_those_of_the_source)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        const double k                           = sign / 400.0;
        const kane_section_definition sections[] = {straight(20.0), transition(KANE_SINE, 80.0, k, sign * 0.12),
                                                    curve(60.0, k, sign * 0.12)};
        kane_track_definition d                  = kane_track_definition_default();
        d.grade                                  = 0.02;
        CHECK_OWNED(kane_track) *track           = build_with(d, 3, sections, KANE_TRANSPORTATION_SMALL_ANGLE);

        for (int i = 20; i < 80; i += 5) {
            const double s           = 20.0 + i;
            const kane_track_state q = state_at(track, 1, s);
            const kane_track_frame f = frame_at(track, 1, s);
            // roll (negative in a canted left-hand curve) and the rise of the principal normal, counted to the left
            const double gamma = -q.superelevation / 1.5, z_ss = q.beta_s[0] * cos(q.beta), phi = asin(z_ss / q.kappa);
            const double chi = gamma - sign * phi, kappa = sign * q.kappa;
            const double omega_t = q.theta_s[0] * cos(q.theta); // d(gamma)/ds (72), (73)
            double kappa_s;
            differentiate(kappa_of, track, 1, s, 0.4, &kappa_s);
            check_near(f.Omega.x, omega_t, 1e-17);
            // (69), (71); kappa cos(phi) is sqrt(H^2 + (beta' sin(beta))^2) where the library takes H = psi' cos(beta)
            const double H = q.curvature * cos(q.beta), bend = q.beta_s[0] * sin(q.beta);
            const double second_order = bend * bend / (2.0 * fabs(H)) + 1e-17;
            check_near(f.Omega.y, kappa * sin(chi), second_order * fabs(sin(gamma)) + 1e-17);
            check_near(f.Omega.z, kappa * cos(chi), second_order);
            // up to terms of second order in beta, (70), (71): n = y cos(chi) - z sin(chi), b = y sin(chi) + z cos(chi)
            const double n = kappa * (omega_t - q.tau), b = sign * kappa_s;
            const double tolerance = 1e-5 * pow(sin(q.beta), 2);
            check_near(f.Omega_s.y, n * cos(chi) + b * sin(chi), tolerance);
            check_near(f.Omega_s.z, -n * sin(chi) + b * cos(chi), tolerance);
        }
    }
}

// Where the line has no curvature the formulas with kappa in a denominator would end.
CHECK_TEST(small_angle_form_is_finite_on_straight_track)
{
    const kane_section_definition sections[] = {straight(50.0), transition(KANE_CLOTHOID, 60.0, 0.0, 0.1),
                                                straight(0.0)};
    CHECK_OWNED(kane_track) *track =
        build_with(kane_track_definition_default(), 2, sections, KANE_TRANSPORTATION_SMALL_ANGLE);
    const kane_track_frame level = frame_at(track, 0, 20.0), ramp = frame_at(track, 1, 80.0);

    check_vec3(level.Omega, kv3_zero(), 0.0);
    check_vec3(level.Omega_s, kv3_zero(), 0.0);
    check_vec3(ramp.Omega, kv3(-0.1 / 1.5 / 60.0, 0.0, 0.0), 1e-18);
    check_vec3(ramp.Omega_s, kv3_zero(), 1e-18);
}

CHECK_MAIN(NULL, NULL)
