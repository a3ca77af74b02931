// SPDX-License-Identifier: MIT
// Transitions against their published formulas, typed again here, and against quadrature that knows nothing of the
// library's.

#include "lines.h"

#include <unistd.h>

// f(x) and f''(x) of each shape but the parabola.
static double f(int shape, double x)
{
    const double y = 1.0 - x;
    switch (shape) {
    case KANE_COSINE: return 0.5 * (1.0 - cos(pi * x));
    case KANE_SINE: return x - sin(2.0 * pi * x) / (2.0 * pi);
    case KANE_BLOSS: return 3.0 * pow(x, 2) - 2.0 * pow(x, 3);
    case KANE_HELMERT: return x <= 0.5 ? 2.0 * x * x : 1.0 - 2.0 * y * y;
    case KANE_WIENER: return 35.0 * pow(x, 4) - 84.0 * pow(x, 5) + 70.0 * pow(x, 6) - 20.0 * pow(x, 7);
    case KANE_POLYNOMIAL: return 1.25 * x + x * x - 2.0 * pow(x, 3) + pow(x, 4) - 0.25 * pow(x, 5);
    default: return x;
    }
}

// One transition by itself, from one curvature and superelevation to another.
typedef struct ramp {
    int shape;
    double length, k0, k1, u0, u1, heading;
} ramp;

static kane_track *build_ramp(const ramp *r, kane_cant_axis axis)
{
    const kane_section_definition section = transition(r->shape, r->length, r->k1, r->u1);
    kane_track_definition d               = kane_track_definition_default();
    d.curvature                           = r->k0;
    d.superelevation                      = r->u0;
    d.heading                             = r->heading;
    d.cant_axis                           = axis;
    return build_line(d, 1, &section);
}

static kane_track_state state_of(const kane_track *track, double s)
{
    return state_at(track, kane_track_find(track, s), s);
}

static const ramp ramps[] = {
    {0, 60.0, 0.0, 1.0 / 600.0, 0.0, 0.1, 0.0},
    {0, 80.0, 1.0 / 400.0, 0.0, 0.15, 0.0, 0.7},
    {0, 50.0, -1.0 / 900.0, -1.0 / 300.0, -0.05, -0.15, -2.0},
    {0, 100.0, 1.0 / 500.0, -1.0 / 700.0, 0.1, -0.08, 1.0},
};

enum { RAMPS = sizeof ramps / sizeof ramps[0] };

CHECK_TEST(curvature_and_cant_follow_the_published_shapes)
{
    for (int shape = 0; shape < SHAPES; shape++)
        for (int i = 0; i < RAMPS && shape != KANE_PARABOLA_3 && shape != KANE_WIENER; i++) {
            ramp r                         = ramps[i];
            r.shape                        = shape;
            CHECK_OWNED(kane_track) *track = build_ramp(&r, KANE_CANT_CENTRE_LINE);
            for (int j = 0; j <= 20; j++) {
                const double x = j / 20.0, s = x * r.length;
                const kane_track_state q = state_of(track, s);
                check_near(q.curvature, r.k0 + (r.k1 - r.k0) * f(shape, x), 1e-17);
                check_near(q.superelevation, r.u0 + (r.u1 - r.u0) * f(shape, x), 1e-15);
                check_near(sin(q.theta), -q.superelevation / 1.5, 1e-16);
            }
        }
}

static double curvature_of(const void *r, double s)
{
    const ramp *a = r;
    return a->k0 + (a->k1 - a->k0) * f(a->shape, s / a->length);
}

static double heading_of(const ramp *r, double s)
{
    const double middle = r->length / 2.0; // where Helmert's shape has a kink
    if (s <= middle)
        return r->heading + integrate(curvature_of, r, 0.0, s);
    return r->heading + integrate(curvature_of, r, 0.0, middle) + integrate(curvature_of, r, middle, s);
}

static double x_of(const void *r, double s)
{
    return cos(heading_of(r, s));
}

static double y_of(const void *r, double s)
{
    return sin(heading_of(r, s));
}

// On a level line, the end of a transition is the integral of its direction.
CHECK_TEST(end_of_a_level_transition_is_where_quadrature_puts_it)
{
    for (int shape = 0; shape < SHAPES; shape++)
        for (int i = 0; i < RAMPS && shape != KANE_PARABOLA_3 && shape != KANE_WIENER; i++) {
            ramp r  = ramps[i];
            r.shape = shape;
            r.u0 = r.u1                    = 0.0;
            CHECK_OWNED(kane_track) *track = build_ramp(&r, KANE_CANT_INNER_RAIL);
            const double half = r.length / 2.0, places[2] = {0.3 * r.length, r.length};
            for (int j = 0; j < 2; j++) {
                const double s = places[j], m = s < half ? s : half;
                check_near(state_of(track, s).psi, heading_of(&r, s), 1e-15);
                check_near(place_at(track, s).x, integrate(x_of, &r, 0.0, m) + integrate(x_of, &r, m, s), 3e-13);
                check_near(place_at(track, s).y, integrate(y_of, &r, 0.0, m) + integrate(y_of, &r, m, s), 3e-13);
                check_near(place_at(track, s).z, 0.0, 0.0);
            }
        }
}

// Shapes with f(x) + f(1 - x) = 1 turn a line by the mean curvature times the length, whatever the shape.
CHECK_TEST(symmetric_transition_turns_by_mean_curvature_times_length)
{
    for (int shape = 0; shape < SHAPES; shape++)
        for (int i = 0; i < RAMPS && shape != KANE_PARABOLA_3 && shape != KANE_POLYNOMIAL; i++) {
            ramp r                         = ramps[i];
            r.shape                        = shape;
            CHECK_OWNED(kane_track) *track = build_ramp(&r, KANE_CANT_INNER_RAIL);
            check_near(state_of(track, r.length).psi, r.heading + 0.5 * (r.k0 + r.k1) * r.length, 1e-15);
            check_near(kane_track_length(track), r.length, 0.0);
        }
}

// --- B-splines ---

static kane_section_definition spline_section(int degree, int knot_count, const double *knots,
                                              const double *coefficients)
{
    kane_section_definition s = transition(KANE_BSPLINE, 60.0, 1.0 / 600.0, 0.1);
    s.degree                  = degree;
    s.knot_count              = knot_count;
    s.coefficient_count       = knot_count + degree + 1;
    memset(s.coefficients, 0, sizeof s.coefficients);
    memcpy(s.coefficients, coefficients, (size_t)s.coefficient_count * sizeof *coefficients);
    if (knot_count > 0)
        memcpy(s.knots, knots, (size_t)knot_count * sizeof *knots);
    return s;
}

// Both transitions between straights and curves: all that a state has, at places on either side of every knot. what is
// left is rounding: of f 1e-15, of its k-th derivative up to the 4th 1e-15 times the 4th power of the largest 1/knot
// distance and of the degree.
static void check_same_line(const kane_section_definition *a, const kane_section_definition *b)
{
    kane_track_definition d        = kane_track_definition_default();
    d.cant_axis                    = KANE_CANT_CENTRE_LINE;
    CHECK_OWNED(kane_track) *one   = build_line(d, 1, a);
    CHECK_OWNED(kane_track) *other = build_line(d, 1, b);
    for (int i = 0; i <= 240; i++) {
        const double s           = 0.25 * i;
        const kane_track_state p = state_of(one, s), q = state_of(other, s);
        const kane_vec3 x = place_at(one, s), y = place_at(other, s);
        check_near(p.curvature, q.curvature, 1e-17);
        check_near(p.superelevation, q.superelevation, 1e-15);
        check_near(p.psi, q.psi, 1e-15);
        check_near(kv3_norm(kv3_sub(x, y)), 0.0, 3e-13);
        for (int k = 0; k < 3; k++)
            check_near(p.psi_s[k], q.psi_s[k], 1e-15 / 600.0);
        for (int k = 0; k < 4; k++)
            check_near(p.superelevation_s[k], q.superelevation_s[k], 2e-15);
    }
}

// Known shapes are B-splines: those without knots are Bernstein polynomials, and Helmert's has one in the middle.
CHECK_TEST(known_shapes_are_splines)
{
    static const double steps[] = {0.0, 0.0, 0.0, 1.0, 1.0, 1.0}, middle[] = {0.5};
    const kane_section_definition cubic     = spline_section(3, 0, NULL, steps + 1),
                                  quadratic = spline_section(2, 1, middle, steps + 1),
                                  quintic   = spline_section(5, 0, NULL, steps),
                                  line      = spline_section(1, 0, NULL, steps + 2);
    const kane_section_definition bloss     = transition(KANE_BLOSS, 60.0, 1.0 / 600.0, 0.1),
                                  helmert   = transition(KANE_HELMERT, 60.0, 1.0 / 600.0, 0.1),
                                  clothoid  = transition(KANE_CLOTHOID, 60.0, 1.0 / 600.0, 0.1);
    kane_section_definition fifth           = transition(KANE_POLYNOMIAL, 60.0, 1.0 / 600.0, 0.1);
    static const double powers[]            = {0.0, 0.0, 0.0, 10.0, -15.0, 6.0};
    memcpy(fifth.coefficients, powers, sizeof powers);
    check_same_line(&cubic, &bloss);
    check_same_line(&quadratic, &helmert);
    check_same_line(&quintic, &fifth);
    check_same_line(&line, &clothoid);
}

// Sum of all products of k of the first n numbers.
static double sum_of_products(const double *u, int n, int k)
{
    return k == 0 ? 1.0 : n < k ? 0.0 : sum_of_products(u, n - 1, k) + u[n - 1] * sum_of_products(u, n - 1, k - 1);
}

// Any polynomial of the degree is a spline with any knots: its coefficients are its polar form at the knots of each,
// sum a_k e_k(knots)/binomial(p, k).
CHECK_TEST(splines_with_any_knots_hold_all_polynomials)
{
    static const double knots[] = {0.13, 0.2, 0.55, 0.7, 0.71}, binomials[] = {1.0, 5.0, 10.0, 10.0, 5.0, 1.0};
    enum { P = 5, KNOTS = 5 };
    const kane_section_definition polynomial = transition(KANE_POLYNOMIAL, 60.0, 1.0 / 600.0, 0.1);
    double all[KNOTS + 2 * P + 2], coefficients[KNOTS + P + 1];
    for (int i = 0; i < KNOTS + 2 * P + 2; i++)
        all[i] = i <= P ? 0.0 : i > P + KNOTS ? 1.0 : knots[i - P - 1];
    for (int i = 0; i < KNOTS + P + 1; i++) {
        coefficients[i] = 0.0;
        for (int k = 0; k <= P; k++)
            coefficients[i] += polynomial.coefficients[k] * sum_of_products(all + i + 1, P, k) / binomials[k];
    }
    const kane_section_definition s = spline_section(P, KNOTS, knots, coefficients);
    check_same_line(&s, &polynomial);
}

CHECK_TEST(splines_that_are_none_are_refused)
{
    static const double steps[] = {0.0, 0.0, 1.0, 1.0, 1.0}, twice[] = {0.5, 0.5}, beyond[] = {1.0},
                        rest[]            = {0.1, 0.0, 1.0, 1.0};
    const kane_section_definition wrong[] = {spline_section(1, 2, twice, steps + 1),
                                             spline_section(2, 1, beyond, steps + 1), spline_section(3, 0, NULL, rest)};
    static const char *const messages[]   = {"knot 2 of the B-spline is 0.5; knots must ascend within 0 and 1",
                                             "knot 1 of the B-spline is 1; knots must ascend within 0 and 1",
                                             "the B-spline leads from 0.1 to 1, must lead from 0 to 1"};
    for (int i = 0; i < 3; i++) {
        CHECK_ERRORS errors     = {0};
        kane_track_definition d = kane_track_definition_default();
        d.section_count         = 1;
        d.sections              = &wrong[i];
        assert_null(kane_track_create(&d, &errors));
        assert_int_equal(errors.count, 1);
        assert_string_equal(kane_errors_get(&errors, 0)->text, messages[i]);
    }
}

static double parabola_speed(const void *a, double x)
{
    const double p = *(const double *)a * x * x;
    return sqrt(1.0 + p * p);
}

// y = x^3/(6 R X): the Cartesian curve, its slope, its length, its own curvature at the end, forwards and backwards.
CHECK_TEST(parabola_is_the_cartesian_curve)
{
    for (int sign = -1; sign <= 1; sign += 2)
        for (int i = 0; i < 3; i++) {
            const double L = (double[]){60.0, 90.0, 120.0}[i], R = sign * (double[]){600.0, 250.0, 190.0}[i];
            const ramp out                 = {KANE_PARABOLA_3, L, 0.0, 1.0 / R, 0.0, 0.0, 0.0};
            const ramp in                  = {KANE_PARABOLA_3, L, 1.0 / R, 0.0, 0.0, 0.0, 0.0};
            CHECK_OWNED(kane_track) *track = build_ramp(&out, KANE_CANT_INNER_RAIL);
            const double X = place_at(track, L).x, a = 1.0 / (2.0 * R * X);

            check_near(integrate(parabola_speed, &a, 0.0, X), L, 1e-12);
            for (int j = 1; j <= 10; j++) {
                const double s           = L * j / 10.0;
                const kane_vec3 p        = place_at(track, s);
                const kane_track_state q = state_of(track, s);
                check_near(p.y, p.x * p.x * p.x / (6.0 * R * X), 1e-13);
                check_near(tan(q.psi), p.x * p.x / (2.0 * R * X), 1e-15);
                check_near(q.curvature, 2.0 * a * p.x * pow(1.0 + pow(a * p.x * p.x, 2), -1.5), 1e-16);
                check_near(integrate(parabola_speed, &a, 0.0, p.x), s, 1e-12);
            }
            // backwards it is the same curve seen from its end
            CHECK_OWNED(kane_track) *back = build_ramp(&in, KANE_CANT_INNER_RAIL);
            const double turn             = state_of(back, L).psi;
            check_near(turn, state_of(track, L).psi, 1e-15);
            check_near(state_of(back, 0.2 * L).curvature, state_of(track, 0.8 * L).curvature, 1e-16);
            check_near(place_at(back, L).x * cos(turn) + place_at(back, L).y * sin(turn), X, 1e-12);
        }
}

// --- the Wiener Bogen turns about an axis above the rails ---

static const double axis_height = 1.8;

// Heading of the way of a point `height` above the rails, as a function of s.
typedef struct raised {
    const kane_track *track;
    double height;
} raised;

static void place_of(const void *c, double s, double *out)
{
    const raised *r          = c;
    const int piece          = kane_track_find(r->track, 60.0);
    const kane_track_frame g = frame_at(r->track, piece, s);
    const kane_vec3 p        = kv3_add_scaled(g.origin, r->height, g.R.z);
    out[0]                   = p.x;
    out[1]                   = p.y;
}

static void line_function_of(const void *c, double s, double *out)
{
    double d[2];
    differentiate(place_of, c, 2, s, 0.5, d);
    out[0] = atan2(d[1], d[0]);
}

// Largest difference between the curvature of the way of a point and k f, over k; curvature and cant scaled down by
// `scale`.
static double departure(double height, double scale)
{
    const double k                           = scale / 600.0;
    const kane_section_definition sections[] = {straight(20.0), transition(KANE_WIENER, 80.0, k, 0.15 * scale),
                                                curve(20.0, k, 0.15 * scale)};
    kane_track_definition d                  = kane_track_definition_default();
    d.cant_axis                              = KANE_CANT_CENTRE_LINE;
    const raised r                           = {build_line(d, 3, sections), height};
    double largest                           = 0.0;

    for (int i = 1; i < 20; i++) {
        double curvature;
        differentiate(line_function_of, &r, 1, 20.0 + 4.0 * i, 0.5, &curvature);
        largest = fmax(largest, fabs(curvature / k - f(KANE_WIENER, i / 20.0)));
    }
    kane_track_free((kane_track *)(uintptr_t)r.track);
    return largest;
}

// ... so that this point is led by the plain shape: what is left is of higher order, at any other height it is not.
CHECK_TEST(point_on_the_axis_of_a_Wiener_Bogen_follows_the_plain_shape)
{
    const double once = departure(axis_height, 1.0), half = departure(axis_height, 0.5);

    check_below(once, 0.01);
    check_near(half / once, 0.25, 0.01); // vanishes with the square of the cant
    assert_true(departure(0.0, 1.0) > 0.1);
    check_near(departure(0.0, 0.5), departure(0.0, 1.0), 0.01); // does not
}

CHECK_TEST(Wiener_Bogen_without_height_or_cant_is_its_plain_shape)
{
    for (int i = 0; i < 2; i++) {
        kane_section_definition section = transition(KANE_WIENER, 80.0, 1.0 / 600.0, i ? 0.1 : 0.0);
        section.height                  = i ? 0.0 : 1.8;
        CHECK_OWNED(kane_track) *track  = build_line(kane_track_definition_default(), 1, &section);
        for (int j = 0; j <= 20; j++)
            check_near(state_of(track, 4.0 * j).curvature, f(KANE_WIENER, j / 20.0) / 600.0, 2e-17);
    }
}

// psi' = k f + h theta'', theta from the superelevation by differences
static void roll_of(const void *c, double s, double *out)
{
    *out = state_at(c, 0, s).theta;
}

static void roll_rate_of(const void *c, double s, double *out)
{
    differentiate(roll_of, c, 1, s, 1.5, out);
}

CHECK_TEST(curvature_of_a_Wiener_Bogen_contains_the_roll)
{
    const kane_section_definition section = transition(KANE_WIENER, 80.0, 1.0 / 600.0, 0.1);
    CHECK_OWNED(kane_track) *track        = build_line(kane_track_definition_default(), 1, &section);

    for (int i = 1; i < 20; i++) {
        double roll_ss;
        differentiate(roll_rate_of, track, 1, 4.0 * i, 1.5, &roll_ss);
        check_near(state_of(track, 4.0 * i).curvature, f(KANE_WIENER, i / 20.0) / 600.0 + axis_height * roll_ss, 1e-14);
    }
    assert_true(state_of(track, 12.0).curvature < 0.0); // it swings out first
}

// buildingSMART's worked example of a VIENNESEBEND: 100 m from the straight into 300 m to the left, outer rail 0.1 m
// higher, rail heads 1.5 m apart, gravity centre line 1.8 m high (VienneseBend_100.0_inf_300_1_Meter of the unit tests
// of IFC Rail).
static kane_track *line_of_the_standard(int small_angle)
{
    kane_section_definition section = transition(KANE_WIENER, 100.0, 1.0 / 300.0, 0.1);
    kane_track_definition d         = kane_track_definition_default();
    d.cant_axis                     = KANE_CANT_CENTRE_LINE;
    section.small_angle             = small_angle;
    return build_line(d, 1, &section);
}

CHECK_TEST(Wiener_Bogen_of_the_standard_ends_where_it_is_published)
{
    CHECK_OWNED(kane_track) *ours = line_of_the_standard(0), *standard = line_of_the_standard(1);
    const kane_vec3 p = place_at(standard, 100.0), q = place_at(ours, 100.0);
    check_near(p.x, 99.76319823871657, 7e-7); // their quadrature is good to so much
    check_near(p.y, 4.499916129045404, 7e-7);
    check_near(p.x, 99.76319867819127, 1e-12); // Gauss, five points on each of 1000 parts
    check_near(p.y, 4.499915475948153, 1e-12);
    check_near(state_of(standard, 100.0).psi, 1.0 / 6.0, 1e-14);
    check_near(hypot(q.x - p.x, q.y - p.y), 9e-5, 1e-5); // without small angles
}

CHECK_TEST(a_file_can_ask_for_the_standard)
{
    char name[]    = "/tmp/kane_line_XXXXXX";
    const int file = mkstemp(name);
    assert_true(file >= 0);
    assert_true(dprintf(file,
                        "{ \"kane\": \"track 1\", \"name\": \"line\", \"cant_axis\": \"centre_line\", \"sections\": [ "
                        "{ \"transition\": 100, \"shape\": \"wiener\", \"height\": 1.8, \"small_angle\": true, "
                        "\"to\": { \"radius\": 300, \"cant\": 0.1 } } ] }") > 0);
    (void)close(file);
    CHECK_ERRORS errors           = {0};
    CHECK_OWNED(kane_track) *read = kane_track_read(name, NULL, &errors), *made = line_of_the_standard(1);
    (void)unlink(name);
    assert_int_equal(errors.count, 0);
    for (int i = 0; i <= 20; i++)
        check_near(state_of(read, 5.0 * i).curvature, state_of(made, 5.0 * i).curvature, 0.0);
}

// Its curvature is the polynomial that the standard prints.
CHECK_TEST(curvature_of_the_standard_is_a_polynomial)
{
    CHECK_OWNED(kane_track) *track = line_of_the_standard(1);
    for (int i = 0; i <= 50; i++) {
        const double x = i / 50.0, angle = 0.1 / 1.5,
                     turn = 420.0 * 1.8 * angle / 1e4 * x * x * (1.0 - 4.0 * x + 5.0 * x * x - 2.0 * x * x * x);
        check_near(state_of(track, 100.0 * x).curvature, f(KANE_WIENER, x) / 300.0 - turn, 1e-16);
    }
}

// --- all derivatives that a description holds ---

static void angles_of(const void *c, double s, double *out)
{
    const kane_track_state q = state_at(c, kane_track_find(c, s), s);
    const double values[]    = {q.psi,       q.psi_s[0], q.psi_s[1],   q.beta,      q.beta_s[0],
                                q.beta_s[1], q.theta,    q.theta_s[0], q.theta_s[1]};
    memcpy(out, values, sizeof values);
}

static void check_derivatives(const kane_track *track, const char *name)
{
    (void)name;
    for (int piece = 0; piece < kane_track_piece_count(track); piece++) {
        const double from = kane_track_piece_start(track, piece), to = kane_track_piece_start(track, piece + 1);
        for (int i = 1; i < 8; i++) {
            const double s = from + (to - from) * i / 8.0, h = fmin(0.4, 0.3 * fmin(s - from, to - s));
            const kane_track_state q = state_at(track, piece, s);
            double d[9];

            differentiate(angles_of, track, 9, s, h, d);
            for (int j = 0; j < 3; j++) {
                check_near(q.psi_s[j], d[j], 1e-12);
                check_near(q.beta_s[j], d[3 + j], 1e-12);
                check_near(q.theta_s[j], d[6 + j], 1e-12);
            }
            check_near(q.curvature, q.psi_s[0], 0.0);
            check_near(q.grade, tan(q.beta), 1e-16);
        }
    }
}

CHECK_TEST(described_derivatives_are_those_of_the_angles)
{
    for_all_routes(check_derivatives);
}

CHECK_MAIN(NULL, NULL)
