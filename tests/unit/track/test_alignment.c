// SPDX-License-Identifier: MIT
// Lines from files of columns: what was written comes back, by curvature, versines and points in the plane, in all
// units and signs; smoothing does what it says and says what it did; transitions with rounded ends.

#include "errors.h"
#include "folder.h"
#include "lines.h"

#include <time.h>
#include <unistd.h>

static kane_track *read_line(const char *alignment, const char *more)
{
    char text[1500];
    (void)snprintf(text, sizeof text, "{ \"kane\": \"track 1\", \"sections\": [ { \"alignment\": { %s } } ]%s }",
                   alignment, more);
    write_file("t.json", text);
    kane_track *track = CHECK_GOOD(kane_track_read, "t.json", NULL);
    assert_non_null(track);
    return track;
}

// --- a line that this test knows by itself: curvature in closed form, its heading and place by quadrature ---

static const double radius = 400.0, cant = 0.1;

// Straight, a ramp 5 t^4 ... that is smooth enough for splines, a left-hand curve, and back.
static double ramp(double t)
{
    t = fmin(fmax(t, 0.0), 1.0);
    return t * t * t * t * (35.0 + t * (-84.0 + t * (70.0 - 20.0 * t)));
}

static double share_at(double s)
{
    return ramp((s - 50.0) / 80.0) * ramp((350.0 - s) / 80.0);
}

static double curvature_at(const void *unused, double s)
{
    (void)unused;
    return share_at(s) / radius;
}

static double grade_at(double s)
{
    return 0.01 * sin(s / 60.0);
}

// Place and heading at n + 1 points of equal distance, by steps of 1/20 of it.
static void walk(int n, double h, double heading, double *x, double *y)
{
    double psi = heading;
    x[0]       = 1000.0;
    y[0]       = -500.0;
    for (int i = 0; i < n; i++) {
        x[i + 1] = x[i];
        y[i + 1] = y[i];
        for (int j = 0; j < 20; j++) {
            const double a = h * (i + j / 20.0), step = h / 20.0;
            const double half = psi + integrate(curvature_at, NULL, a, a + 0.5 * step);
            const double next = psi + integrate(curvature_at, NULL, a, a + step);
            x[i + 1] += step / 6.0 * (cos(psi) + 4.0 * cos(half) + cos(next));
            y[i + 1] += step / 6.0 * (sin(psi) + 4.0 * sin(half) + sin(next));
            psi = next;
        }
    }
}

enum { POINTS = 400 };

static FILE *begin(const char *head)
{
    FILE *file = fopen("line.csv", "w");
    assert_non_null(file);
    (void)fputs(head, file);
    return file;
}

// Every metre, in units that nobody else uses.
CHECK_TEST(curvature_comes_back)
{
    FILE *file = begin("\xef\xbb\xbf"
                       "# drawn up for a test\nkm;what is this;kappa [1/km];u;slope\n");
    for (int i = 0; i <= POINTS; i++)
        (void)fprintf(file, "%.3f;text;%.15g;%.15g;%.15g\n", 7.0 + 1e-3 * i, -1e3 * curvature_at(NULL, i),
                      1e3 * cant * share_at(i), -1e3 * grade_at(i));
    assert_int_equal(fclose(file), 0);
    CHECK_OWNED(kane_track) *track = read_line(
        "\"file\": \"line.csv\", \"chainage\": \"km [km]\", \"curvature\": \"kappa [1/km]\", \"positive\": \"right\", "
        "\"cant\": \"u [mm]\", \"grade\": \"slope [permille]\", \"grade_positive\": \"down\"",
        ", \"cant_axis\": \"centre_line\"");
    const kane_track_definition *d = kane_track_get_definition(track);
    check_near(d->start, 7000.0, 1e-9);
    check_near(kane_track_length(track), POINTS, 1e-9);
    for (int i = 0; i < 3 * POINTS; i++) {
        const double s           = (i + 0.37) / 3.0;
        const kane_track_state a = state_at(track, kane_track_find(track, s), s);
        check_near(a.curvature, curvature_at(NULL, s), 2e-9);
        check_near(a.superelevation, cant * share_at(s), 2e-7); // of the outer rail: the right one
        check_near(a.grade, grade_at(s), s < 15.0 || s > POINTS - 15.0 ? 3e-6 : 1e-9); // natural ends are felt so far
    }
    const kane_smoothing_report said = kane_track_get_section(track, 0).smoothed;
    assert_int_equal(said.point_count, POINTS + 1);
    check_near(said.wavelength, 0.0, 0.0);
    check_near(said.curvature.largest, 0.0, 0.0);
}

// A versine is that of a circle through the ends of the chord; units in a line of their own.
CHECK_TEST(versines_of_a_circle_are_its_curvature)
{
    const double c = 20.0, f = radius - sqrt(radius * radius - 0.25 * c * c);
    FILE *file = begin("s,f,h\nm,mm,cm\n");
    for (int i = 0; i <= 60; i++)
        (void)fprintf(file, "%d,%.15g,%.15g\n", 2 * i, 1e3 * f, 100.0 * 0.08);
    assert_int_equal(fclose(file), 0);
    CHECK_OWNED(kane_track) *left =
        read_line("\"file\": \"line.csv\", \"chainage\": \"s\", \"versine\": \"f\", \"chord\": \"20 m\", "
                  "\"cant\": \"h\", \"cant_of\": \"left_rail\"",
                  "");
    CHECK_OWNED(kane_track) *right =
        read_line("\"file\": \"line.csv\", \"chainage\": \"s\", \"versine\": \"f [mm]\", \"chord\": 20, "
                  "\"positive\": \"right\", \"cant\": \"h [cm]\"",
                  "");
    for (int i = 0; i <= 12; i++) {
        const kane_track_state a = state_at(left, 0, 10.0 * i), b = state_at(right, 0, 10.0 * i);
        check_near(a.curvature, 1.0 / radius, 1e-15);
        check_near(b.curvature, -1.0 / radius, 1e-15);
        check_near(a.superelevation, -0.08, 1e-15);
        check_near(b.superelevation, -0.08, 1e-15); // the outer rail is the left one
    }
}

// Points of the plane, found by a walk of the test's own. Three points have the mean of the curvature around the middle
// one, weighted by a triangle: h^2/12 k'' more than the curvature there; integrated twice that is h^2/12 k, 0.2 mm.
CHECK_TEST(points_in_the_plane_come_back)
{
    static double x[POINTS + 1], y[POINTS + 1];
    walk(POINTS, 1.0, 0.7, x, y);
    FILE *file = begin("E\tN\n");
    for (int i = 0; i <= POINTS; i++)
        (void)fprintf(file, "%.17g\t%.17g\n", x[i], y[i]);
    assert_int_equal(fclose(file), 0);
    CHECK_OWNED(kane_track) *track = read_line("\"file\": \"line.csv\", \"x\": \"E [m]\", \"y\": \"N [m]\"", "");
    const kane_track_definition *d = kane_track_get_definition(track);
    check_near(d->heading, 0.7, 1e-6);
    check_near(kane_track_length(track), POINTS, 1e-6);
    for (int i = 1; i < POINTS; i++) {
        const kane_vec3 p = place_at(track, i);
        check_near(state_at(track, 0, i).curvature, curvature_at(NULL, i), 4e-7);
        check_near(p.x, x[i] - x[0], 1.0 / 12.0 / radius);
        check_near(p.y, y[i] - y[0], 1.0 / 12.0 / radius);
    }
    const kane_smoothing_report said = kane_track_get_section(track, 0).smoothed;
    assert_true(said.position.largest > 0.0 && said.position.largest < 1.0 / 12.0 / radius);
}

// A sine of the smoothing's wavelength keeps half of its height, one of half of it 1/17; what is said is the rest.
CHECK_TEST(smoothing_takes_what_it_says)
{
    for (int k = 1; k <= 2; k++) {
        const double L = 40.0 / k, kept = 1.0 / (1.0 + k * k * k * k);
        FILE *file = begin("s;k\n");
        for (int i = 0; i <= 4000; i++)
            (void)fprintf(file, "%.17g;%.17g\n", 0.25 * i, 1e-3 * sin(2.0 * pi * 0.25 * i / L));
        assert_int_equal(fclose(file), 0);
        CHECK_OWNED(kane_track) *track = read_line(
            "\"file\": \"line.csv\", \"chainage\": \"s [m]\", \"curvature\": \"k [1/m]\", \"smoothing\": \"40 m\"", "");
        for (int i = 800; i <= 3200; i++) // far from the ends
            check_near(state_at(track, 0, 0.25 * i).curvature, kept * 1e-3 * sin(2.0 * pi * 0.25 * i / L), 1e-7);
        const kane_smoothing_report said = kane_track_get_section(track, 0).smoothed;
        check_near(said.wavelength, 40.0, 0.0);
        assert_true(said.curvature.largest >= 1e-3 * (1.0 - kept) - 2e-7 && said.curvature.largest < 1.1e-3);
        check_near(said.curvature.rms, sqrt(0.5) * 1e-3 * (1.0 - kept), 1e-5); // 4 % of it are ends
    }
}

// 20 km every metre, with noise of a recording car, are read within a second; the smooth line is nearer to the true one
// than the points are.
CHECK_TEST(line_of_20_km_is_smoothed)
{
    unsigned noise = 1;
    double points = 0.0, line = 0.0;
    FILE *file = begin("km;k;u\n");
    for (int i = 0; i <= 20000; i++) {
        noise          = 1664525u * noise + 1013904223u;
        const double e = 2e-5 * ((noise >> 8) / 8388608.0 - 1.0);
        points += e * e;
        (void)fprintf(file, "%.4f;%.9f;%.4f\n", 1e-3 * i, curvature_at(NULL, fmod(i, 500.0)) + e,
                      1e3 * cant * share_at(fmod(i, 500.0)));
    }
    assert_int_equal(fclose(file), 0);
    const clock_t before = clock();
    CHECK_OWNED(kane_track) *track =
        read_line("\"file\": \"line.csv\", \"chainage\": \"km [km]\", \"curvature\": \"k [1/m]\", "
                  "\"cant\": \"u [mm]\", \"smoothing\": \"25 m\"",
                  ", \"cant_axis\": \"centre_line\"");
    const double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    for (int i = 0; i <= 20000; i++) {
        const double e = state_at(track, 0, i).curvature - curvature_at(NULL, fmod(i, 500.0));
        line += e * e;
    }
    print_message("20 km: %.3f s, rms of curvature %.3g 1/m of points, %.3g 1/m of the line\n", seconds,
                  sqrt(points / 20001.0), sqrt(line / 20001.0));
    assert_true(line < 0.15 * points);
    check_near(kane_track_length(track), 20000.0, 1e-9);
}

// --- transitions with rounded ends ---

// The second derivative of f of a rounded clothoid: a triangle over each of both roundings; f by integrating it twice.
typedef struct rounded {
    double L, r;
} rounded;

static double bend_of(const void *context, double l)
{
    const rounded *c  = context;
    const double peak = 2.0 / (c->r * (c->L - c->r)); // of a triangle whose area is the slope 1/(L - r)
    const double in = fmin(l, c->r - l), out = fmin(c->L - l, c->r - (c->L - l));
    return 2.0 / c->r * peak * (fmax(in, 0.0) - fmax(out, 0.0));
}

static double slope_of(const void *context, double l)
{
    const rounded *c     = context;
    const double stops[] = {0.0, 0.5 * c->r, c->r, c->L - c->r, c->L - 0.5 * c->r, c->L};
    double sum           = 0.0;
    for (int i = 0; i < 5; i++)
        if (l > stops[i] && stops[i + 1] > stops[i])
            sum += integrate(bend_of, context, stops[i], fmin(l, stops[i + 1]));
    return sum;
}

static double value_of(const void *context, double l)
{
    const rounded *c     = context;
    const double stops[] = {0.0, 0.5 * c->r, c->r, c->L - c->r, c->L - 0.5 * c->r, c->L};
    double sum           = 0.0;
    for (int i = 0; i < 5; i++)
        if (l > stops[i] && stops[i + 1] > stops[i])
            sum += integrate(slope_of, context, stops[i], fmin(l, stops[i + 1]));
    return sum;
}

CHECK_TEST(rounded_transition_is_its_triangles)
{
    for (int k = 0; k < 2; k++) { // of 12 m, and both roundings meeting in the middle
        const rounded c            = {60.0, k ? 30.0 : 12.0};
        kane_section_definition to = transition(KANE_CLOTHOID, c.L, -1.0 / 500.0, -0.12), back = to;
        to.rounding = back.rounding              = c.r;
        back.curvature                           = 1.0 / 700.0;
        back.superelevation                      = 0.08;
        const kane_section_definition sections[] = {straight(30.0), to, curve(30.0, -1.0 / 500.0, -0.12), back};
        kane_track_definition d                  = kane_track_definition_default();
        d.cant_axis                              = KANE_CANT_CENTRE_LINE;
        CHECK_OWNED(kane_track) *track           = build_line(d, 4, sections);
        for (int i = 0; i <= 40; i++) {
            const double l = c.L * i / 40.0, f = value_of(&c, l);
            const int piece          = kane_track_find(track, 60.0);
            const kane_track_state a = state_at(track, piece, 30.0 + l), b = state_at(track, piece + 2, 120.0 + l);
            check_near(a.curvature, -f / 500.0, 1e-15);
            check_near(a.superelevation, -0.12 * f, 1e-13);
            check_near(a.psi_s[1], -slope_of(&c, l) / 500.0, 1e-15);
            check_near(a.psi_s[2], -bend_of(&c, l) / 500.0, 1e-14);
            check_near(b.curvature, -1.0 / 500.0 + f * (1.0 / 700.0 + 1.0 / 500.0), 1e-15);
            check_near(b.superelevation, -0.12 + f * 0.2, 1e-13);
        }
        for (int piece = 1; piece < kane_track_piece_count(track); piece++) { // nothing jumps
            const double s           = kane_track_piece_start(track, piece);
            const kane_track_state a = state_at(track, piece - 1, s), b = state_at(track, piece, s);
            check_near(a.psi, b.psi, 1e-14);
            for (int j = 0; j < 2; j++) {
                check_near(a.psi_s[j], b.psi_s[j], 1e-15);
                check_near(a.theta_s[j], b.theta_s[j], 1e-15);
            }
        }
    }
}

CHECK_MAIN(enter_folder, leave_folder)
