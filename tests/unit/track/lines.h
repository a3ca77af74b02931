// SPDX-License-Identifier: MIT
// Lines that the tests of the track share, and numerical tools that know nothing of the library.

#ifndef KANE_TESTS_TRACK_LINES_H
#define KANE_TESTS_TRACK_LINES_H

#include "check.h"

#include <kane/track.h>

static const double pi = 3.14159265358979323846;

enum { SHAPES = 8 };

static inline const char *shape_name(int shape)
{
    static const char *const names[SHAPES] = {"clothoid", "parabola", "cosine", "sine",
                                              "Bloss",    "Helmert",  "Wiener", "polynomial"};
    return names[shape];
}

static inline kane_section_definition straight(double length)
{
    return (kane_section_definition){.kind = KANE_STRAIGHT, .length = length};
}

static inline kane_section_definition curve(double length, double curvature, double superelevation)
{
    return (kane_section_definition){
        .kind = KANE_CURVE, .length = length, .curvature = curvature, .superelevation = superelevation};
}

// A transition to curvature and superelevation. The polynomial is (5 x - x^5)/4 + x^2 (1 - x)^2, not symmetric and
// with a slope at its beginning; the axis of the Wiener Bogen is 1.8 m above the rails.
static inline kane_section_definition transition(int shape, double length, double curvature, double superelevation)
{
    return (kane_section_definition){.kind              = KANE_TRANSITION,
                                     .length            = length,
                                     .curvature         = curvature,
                                     .superelevation    = superelevation,
                                     .shape             = (kane_transition_shape)shape,
                                     .height            = 1.8,
                                     .coefficient_count = 6,
                                     .coefficients      = {0.0, 1.25, 1.0, -2.0, 1.0, -0.25}};
}

// Builds a track that must be good.
static inline kane_track *build(const kane_track_definition *d)
{
    kane_errors *errors = calloc(1, sizeof *errors);
    kane_track *track   = kane_track_create(d, errors);

    for (int i = 0; i < errors->kept; i++)
        print_error("%s\n", kane_errors_get(errors, i)->text);
    assert_int_equal(errors->count, 0);
    assert_non_null(track);
    kane_errors_free(errors);
    free(errors);
    return track;
}

static inline kane_track *build_line(kane_track_definition d, int count, const kane_section_definition *sections)
{
    d.section_count = count;
    d.sections      = sections;
    return build(&d);
}

// Straight, into a left-hand curve of 600 m with 100 mm, on into one of 350 m with 150 mm, back, straight. A parabola
// cannot join two curves and goes straight back. Level, or with vertical arcs in the transitions.
typedef struct route {
    kane_section_definition sections[7];
    kane_grade_definition grades[2];
    kane_track_definition d;
} route;

static inline void route_init(route *r, int shape, kane_cant_axis axis, int hilly)
{
    const double k = 1.0 / 600.0, k2 = shape == KANE_PARABOLA_3 ? k : 1.0 / 350.0, u2 = 0.15;
    const kane_section_definition sections[7] = {
        straight(40.0),      transition(shape, 60.0, k, 0.1),
        curve(50.0, k, 0.1), transition(shape == KANE_PARABOLA_3 ? KANE_BLOSS : shape, 45.0, k2, u2),
        curve(50.0, k2, u2), transition(shape, 75.0, 0.0, 0.0),
        straight(40.0),
    };
    memcpy(r->sections, sections, sizeof sections);
    r->grades[0]       = (kane_grade_definition){.at = 70.0, .grade = 0.025, .rounding = 1500.0};
    r->grades[1]       = (kane_grade_definition){.at = 290.0, .grade = -0.01, .rounding = 1200.0};
    r->d               = kane_track_definition_default();
    r->d.cant_axis     = axis;
    r->d.heading       = 0.4;
    r->d.section_count = 7;
    r->d.sections      = r->sections;
    r->d.grade_count   = hilly ? 2 : 0;
    r->d.grades        = r->grades;
}

// Calls `visit` with the route of every shape, cant axis and grade line.
static inline void for_all_routes(void (*visit)(const kane_track *track, const char *name))
{
    for (int i = 0; i < 4 * SHAPES; i++) {
        char name[80];
        route r;
        route_init(&r, i / 4, i & 1 ? KANE_CANT_CENTRE_LINE : KANE_CANT_INNER_RAIL, i & 2);
        (void)snprintf(name, sizeof name, "%s, cant about the %s, %s", shape_name(i / 4),
                       i & 1 ? "centre line" : "inner rail", i & 2 ? "hilly" : "level");
        CHECK_OWNED(kane_track) *track = build(&r.d);
        visit(track, name);
    }
}

static inline kane_track_frame frame_at(const kane_track *track, int piece, double s)
{
    kane_track_frame f;
    kane_track_eval(track, piece, s, &f);
    return f;
}

static inline kane_track_state state_at(const kane_track *track, int piece, double s)
{
    kane_track_state state;
    kane_track_describe(track, piece, s, &state);
    return state;
}

// Position in A.
static inline kane_vec3 place_at(const kane_track *track, double s)
{
    const int piece = kane_track_find(track, s);
    return kv3_add(kane_track_anchor(track, piece), frame_at(track, piece, s).origin);
}

// --- differences: the derivatives of n functions at x, by central differences extrapolated to sixth order ---

typedef void (*functions)(const void *context, double x, double *out);

enum { FUNCTIONS_MAX = 16 };

static inline void differentiate(functions f, const void *context, int n, double x, double h, double *out)
{
    double d[3][FUNCTIONS_MAX], plus[FUNCTIONS_MAX], minus[FUNCTIONS_MAX];

    for (int k = 0; k < 3; k++, h *= 0.5) {
        f(context, x + h, plus);
        f(context, x - h, minus);
        for (int i = 0; i < n; i++)
            d[k][i] = (plus[i] - minus[i]) / (2.0 * h);
    }
    for (int i = 0; i < n; i++) {
        const double a = (4.0 * d[1][i] - d[0][i]) / 3.0, b = (4.0 * d[2][i] - d[1][i]) / 3.0;
        out[i] = (16.0 * b - a) / 15.0;
    }
}

// --- integrals: Gauss' rule with five points in each of sixteen equal parts ---

typedef double (*function)(const void *context, double x);

static inline double integrate(function f, const void *context, double a, double b)
{
    static const double node[5]   = {-0.90617984593866399, -0.53846931010568309, 0.0, 0.53846931010568309,
                                     0.90617984593866399};
    static const double weight[5] = {0.23692688505618909, 0.47862867049936647, 0.56888888888888889, 0.47862867049936647,
                                     0.23692688505618909};
    double sum                    = 0.0;
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 5; j++)
            sum += weight[j] * f(context, a + (b - a) * (i + 0.5 + 0.5 * node[j]) / 16.0);
    return sum * (b - a) / 32.0;
}

static inline kane_rail_offset rail_at(const kane_track *track, kane_side side, double s)
{
    kane_rail_offset offset;
    kane_track_rail(track, side, s, &offset);
    return offset;
}

// Of the right rail: y, z and their slopes.
static inline void displacement(const void *track, double s, double *out)
{
    const kane_rail_offset o = rail_at(track, KANE_RIGHT, s);
    out[0]                   = o.y;
    out[1]                   = o.z;
    out[2]                   = o.y_s;
    out[3]                   = o.z_s;
}

#endif
