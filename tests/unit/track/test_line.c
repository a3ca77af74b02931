// SPDX-License-Identifier: MIT
// Whole lines: they close, they end where they must after many kilometres, they are the same anywhere and mirrored.

#include "lines.h"

// --- closed lines ---

// Two straights of 150 m joined by two half turns of transition, arc, transition; the arc's curvature is such that each
// half turns by pi, which holds for every shape that is the same on both sides of the arc.
CHECK_TEST(oval_closes_and_turns_by_two_pi)
{
    for (int shape = 0; shape < SHAPES; shape++)
        for (int i = 0; i < 4 && shape != KANE_PARABOLA_3; i++) {
            const double ramp = 80.0, arc = 500.0, k = (i & 1 ? -pi : pi) / (arc + ramp), u = i & 1 ? -0.14 : 0.14;
            const kane_section_definition in = transition(shape, ramp, k, u), out = transition(shape, ramp, 0.0, 0.0);
            const kane_section_definition sections[9] = {
                straight(100.0), in, curve(arc, k, u), out, straight(150.0), in, curve(arc, k, u), out, straight(50.0)};
            kane_track_definition d        = kane_track_definition_default();
            d.cant_axis                    = i & 2 ? KANE_CANT_CENTRE_LINE : KANE_CANT_INNER_RAIL;
            d.heading                      = 1.0;
            CHECK_OWNED(kane_track) *track = build_line(d, 9, sections);
            const int last                 = kane_track_piece_count(track) - 1;
            const double end               = kane_track_length(track);

            check_near(end, 2.0 * (150.0 + 2.0 * ramp + arc), 1e-12);
            check_near(state_at(track, last, end).psi, 1.0 + (i & 1 ? -2.0 : 2.0) * pi, 1e-14);
            check_vec3(place_at(track, end), kv3_zero(), 2e-12);
            check_mat3(frame_at(track, last, end).R, frame_at(track, 0, 0.0).R, 1e-14);
        }
}

CHECK_TEST(circle_of_known_radius_closes)
{
    const double radius                   = 250.0;
    const kane_section_definition section = curve(2.0 * pi * radius, 1.0 / radius, 0.0);
    CHECK_OWNED(kane_track) *track        = build_line(kane_track_definition_default(), 1, &section);
    for (int i = 0; i <= 100; i++) {
        const double angle = 2.0 * pi * i / 100.0;
        check_vec3(place_at(track, radius * angle), kv3(radius * sin(angle), radius * (1.0 - cos(angle)), 0.0), 1e-12);
    }
}

// --- ten kilometres, against an integration of its own ---

// f and f' of the shapes that the long line uses.
static void shape_at(int shape, double x, double *f, double *f1)
{
    switch (shape) {
    case KANE_CLOTHOID: *f = x, *f1 = 1.0; break;
    case KANE_COSINE: *f = 0.5 - 0.5 * cos(pi * x), *f1 = 0.5 * pi * sin(pi * x); break;
    case KANE_SINE: *f = x - sin(2.0 * pi * x) / (2.0 * pi), *f1 = 1.0 - cos(2.0 * pi * x); break;
    default: *f = x * x * (3.0 - 2.0 * x), *f1 = 6.0 * x * (1.0 - x); break; // Bloss
    }
}

// Walks along a section with its own curvature k0 .. k1 and superelevation u0 .. u1 about the inner rail, by Gauss'
// rule with five points; the heading inside each step by the same rule.
typedef struct walker {
    long double x, y, z, psi;
    double k, u;
} walker;

static const double node[5]   = {-0.90617984593866399, -0.53846931010568309, 0.0, 0.53846931010568309,
                                 0.90617984593866399};
static const double weight[5] = {0.23692688505618909, 0.47862867049936647, 0.56888888888888889, 0.47862867049936647,
                                 0.23692688505618909};

static double turn(const kane_section_definition *s, const walker *w, double from, double to)
{
    double sum = 0.0, f, f1;
    for (int i = 0; i < 5; i++) {
        shape_at(s->shape, (0.5 * (from + to) + 0.5 * (to - from) * node[i]) / s->length, &f, &f1);
        sum += 0.5 * (to - from) * weight[i] * (w->k + (s->curvature - w->k) * f);
    }
    return sum;
}

static void walk(const kane_section_definition *s, walker *w)
{
    enum { STEPS = 64 };
    const double h = s->length / STEPS;

    if (s->kind != KANE_TRANSITION) {
        w->k = s->curvature;
        w->u = s->superelevation;
    }
    for (int i = 0; i < STEPS; i++) {
        for (int j = 0; j < 5; j++) {
            const double l = h * (i + 0.5 + 0.5 * node[j]);
            double f, f1;
            shape_at(s->shape, l / s->length, &f, &f1);
            const double slope     = 0.5 * fabs(s->superelevation - w->u) * f1 / s->length;
            const double sin_beta  = fabs(s->superelevation) > fabs(w->u) ? slope : -slope;
            const double cos_beta  = sqrt(1.0 - sin_beta * sin_beta);
            const long double psi  = w->psi + (long double)turn(s, w, h * i, l);
            const long double part = (long double)(0.5 * h * weight[j]);
            w->x += part * (long double)cos_beta * cosl(psi);
            w->y += part * (long double)cos_beta * sinl(psi);
            w->z += part * (long double)sin_beta;
        }
        w->psi += (long double)turn(s, w, h * i, h * (i + 1));
    }
    w->k = s->curvature;
    w->u = s->superelevation;
}

enum { LONG_LINE = 100 };

// Curves to the left and right in turns, of all radii, with lengths that are no round numbers: 10 km.
static double make_long_line(kane_section_definition *sections)
{
    static const int shapes[4] = {KANE_CLOTHOID, KANE_COSINE, KANE_SINE, KANE_BLOSS};
    double length              = 0.0;
    for (int i = 0; i < LONG_LINE / 4; i++) {
        const double sign = i % 2 ? -1.0 : 1.0, k = sign / (300.0 + 47.7 * i), u = sign * (0.16 - 0.004 * i);
        kane_section_definition *s = sections + 4 * (ptrdiff_t)i;
        s[0]                       = straight(77.7 + i);
        s[1]                       = transition(shapes[i % 4], 60.1 + 1.3 * i, k, u);
        s[2]                       = curve(180.3 - i, k, u);
        s[3]                       = transition(shapes[(i + 1) % 4], 55.5 + i, 0.0, 0.0);
        for (int j = 0; j < 4; j++)
            length += s[j].length;
    }
    return length;
}

CHECK_TEST(ten_kilometres_end_where_an_independent_integration_ends)
{
    kane_section_definition sections[LONG_LINE];
    const double length            = make_long_line(sections);
    kane_track_definition d        = kane_track_definition_default();
    CHECK_OWNED(kane_track) *track = build_line(d, LONG_LINE, sections);
    walker w                       = {0};
    double s                       = 0.0;

    assert_true(length > 9900.0);
    check_near(kane_track_length(track), length, 2e-11);
    for (int i = 0; i < LONG_LINE; i++) {
        walk(&sections[i], &w);
        s += sections[i].length;
        const kane_vec3 p = place_at(track, s);
        check_near(p.x, (double)w.x, 1e-11);
        check_near(p.y, (double)w.y, 1e-11);
        check_near(p.z, (double)w.z, 1e-12);
        check_near(state_at(track, kane_track_find(track, s), s).psi, (double)w.psi, 2e-13);
    }
}

// --- the same line elsewhere ---

// Chainage is a name: the line does not know of it.
CHECK_TEST(line_at_kilometre_100_is_the_same_line)
{
    for (int shape = 0; shape < SHAPES; shape++) {
        route here, there;
        route_init(&here, shape, KANE_CANT_INNER_RAIL, 0);
        route_init(&there, shape, KANE_CANT_INNER_RAIL, 0);
        there.d.start              = 1e5;
        CHECK_OWNED(kane_track) *a = build(&here.d), *b = build(&there.d);

        assert_int_equal(kane_track_piece_count(a), kane_track_piece_count(b));
        for (int i = 0; i <= 8 * 360; i++) {
            const double s  = i / 8.0;
            const int piece = kane_track_find(a, s);
            assert_int_equal(piece, kane_track_find(b, s));
            const kane_track_frame f = frame_at(a, piece, s), g = frame_at(b, piece, s);
            assert_memory_equal(&f, &g, sizeof f);
            assert_true(kane_track_anchor(a, piece).x == kane_track_anchor(b, piece).x);
        }
    }
}

// Another heading turns everything in A and leaves the turning per metre as it is.
CHECK_TEST(line_with_another_heading_is_the_same_line)
{
    route here, there;
    route_init(&here, KANE_WIENER, KANE_CANT_INNER_RAIL, 1);
    route_init(&there, KANE_WIENER, KANE_CANT_INNER_RAIL, 1);
    there.d.heading += 2.0;
    CHECK_OWNED(kane_track) *a = build(&here.d), *b = build(&there.d);
    const kane_mat3 turned = km3_turn_z(km3_identity(), sin(2.0), cos(2.0));

    for (int i = 0; i <= 360; i++) {
        const int piece          = kane_track_find(a, i);
        const kane_track_frame f = frame_at(a, piece, i), g = frame_at(b, piece, i);
        check_mat3(g.R, km3_mul(turned, f.R), 2e-15);
        check_vec3(place_at(b, i), km3_mulv(turned, place_at(a, i)), 5e-13);
        check_vec3(g.Omega, f.Omega, 0.0);
        check_vec3(g.Omega_s, f.Omega_s, 0.0);
    }
}

// --- left and right ---

static void mirror(route *r)
{
    r->d.heading = -r->d.heading;
    for (int i = 0; i < 7; i++) {
        r->sections[i].curvature      = -r->sections[i].curvature;
        r->sections[i].superelevation = -r->sections[i].superelevation;
    }
}

static kane_vec3 mirrored(kane_vec3 v)
{
    return kv3(v.x, -v.y, v.z);
}

// Axes, place and turning (an axial vector) of the mirrored line are mirrored, in every bit.
CHECK_TEST(right_hand_line_is_the_mirrored_left_hand_line)
{
    for (int i = 0; i < 4 * SHAPES; i++) {
        route left, right;
        const kane_cant_axis axis = i & 1 ? KANE_CANT_CENTRE_LINE : KANE_CANT_INNER_RAIL;
        route_init(&left, i / 4, axis, i & 2);
        route_init(&right, i / 4, axis, i & 2);
        mirror(&right);
        CHECK_OWNED(kane_track) *a = build(&left.d), *b = build(&right.d);
        assert_int_equal(kane_track_piece_count(a), kane_track_piece_count(b));
        for (int s = 0; s <= 360; s++) {
            const int piece          = kane_track_find(a, s);
            const kane_track_frame f = frame_at(a, piece, s), g = frame_at(b, piece, s);
            check_vec3(g.R.x, mirrored(f.R.x), 0.0);
            check_vec3(g.R.y, kv3_neg(mirrored(f.R.y)), 0.0);
            check_vec3(g.R.z, mirrored(f.R.z), 0.0);
            check_vec3(g.origin, mirrored(f.origin), 0.0);
            check_vec3(g.Omega, kv3_neg(mirrored(f.Omega)), 0.0);
            check_vec3(g.Omega_s, kv3_neg(mirrored(f.Omega_s)), 0.0);
        }
    }
}

CHECK_MAIN(NULL, NULL)
