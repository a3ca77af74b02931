// SPDX-License-Identifier: MIT
// The line as a space curve: curvature, torsion and principal normal, found from the tangent and its derivatives, give
// the same turning of the frame (docs/theory.md, section 1; (64), (65), (68) to (70) of the source).

#include "lines.h"

typedef struct context {
    const kane_track *track;
    int piece;
} context;

// kappa, sin(chi), cos(chi): chi itself jumps by 2 pi
static void trihedron(const void *c, double s, double *out)
{
    const context *at        = c;
    const kane_track_state q = state_at(at->track, at->piece, s);
    out[0]                   = q.kappa;
    out[1]                   = sin(q.chi);
    out[2]                   = cos(q.chi);
}

// Everywhere on the pieces where the line is curved at all.
static void for_curved_places(const kane_track *track, void (*visit)(const context *at, double s))
{
    for (int piece = 0; piece < kane_track_piece_count(track); piece++) {
        const double from = kane_track_piece_start(track, piece), to = kane_track_piece_start(track, piece + 1);
        for (int i = 1; i < 10; i++) {
            const double s = from + (to - from) * i / 10.0;
            if (state_at(track, piece, s).kappa > 2e-4)
                visit(&(context){track, piece}, s);
        }
    }
}

static void check_trihedron(const context *at, double s)
{
    const kane_track_state q = state_at(at->track, at->piece, s);
    const kane_vec3 Omega    = frame_at(at->track, at->piece, s).Omega;
    double d[3];

    differentiate(trihedron, at, 3, s, 0.2, d);
    const double chi_s = cos(q.chi) * d[1] - sin(q.chi) * d[2];
    check_vec3(Omega, kv3(q.tau + chi_s, q.kappa * sin(q.chi), q.kappa * cos(q.chi)), 1e-11);
}

// (70): epsilon in (t, n, b) = (d omega_t/dt, v kappa (omega_t - v tau), d(v kappa)/dt)
static void check_epsilon(const context *at, double s)
{
    const double v = 25.0, a = 0.8;
    const kane_track_state q = state_at(at->track, at->piece, s);
    const kane_track_frame f = frame_at(at->track, at->piece, s);
    kane_transport transport;
    double d[3];

    differentiate(trihedron, at, 3, s, 0.2, d);
    const double omega_t = v * f.Omega.x;
    const double n = v * q.kappa * (omega_t - v * q.tau), b = a * q.kappa + v * v * d[0];
    kane_track_transport(&f, v, a, &transport);
    check_near(transport.epsilon.x, a * f.Omega.x + v * v * f.Omega_s.x, 0.0);
    check_near(transport.epsilon.y, n * cos(q.chi) + b * sin(q.chi), 1e-9);
    check_near(transport.epsilon.z, -n * sin(q.chi) + b * cos(q.chi), 1e-9);
}

static void visit_trihedron(const kane_track *track, const char *name)
{
    (void)name;
    for_curved_places(track, check_trihedron);
}

static void visit_epsilon(const kane_track *track, const char *name)
{
    (void)name;
    for_curved_places(track, check_epsilon);
}

CHECK_TEST(Omega_is_torsion_and_curvature_of_the_line)
{
    for_all_routes(visit_trihedron);
}

CHECK_TEST(epsilon_is_that_of_the_turning_trihedron)
{
    for_all_routes(visit_epsilon);
}

// A constant curve on a constant grade is a helix: kappa = psi' cos(beta), tau = psi' sin(beta); to the right the
// principal normal points to the right.
CHECK_TEST(curve_on_a_grade_is_a_helix)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        const kane_section_definition section = curve(100.0, sign / 300.0, 0.0);
        kane_track_definition d               = kane_track_definition_default();
        d.grade                               = 0.04;
        CHECK_OWNED(kane_track) *track        = build_line(d, 1, &section);
        const kane_track_state q              = state_at(track, 0, 30.0);
        const double beta                     = atan(0.04);

        check_near(q.kappa, cos(beta) / 300.0, 1e-17);
        check_near(q.tau, sign * sin(beta) / 300.0, 1e-17);
        check_near(fabs(q.chi), sign > 0 ? 0.0 : pi, 1e-15);
    }
}

CHECK_TEST(straight_line_has_no_trihedron)
{
    const kane_section_definition section = straight(100.0);
    CHECK_OWNED(kane_track) *track        = build_line(kane_track_definition_default(), 1, &section);
    const kane_track_state q              = state_at(track, 0, 30.0);

    check_near(q.kappa, 0.0, 0.0);
    check_near(q.tau, 0.0, 0.0);
    check_near(q.chi, 0.0, 0.0);
}

CHECK_MAIN(NULL, NULL)
