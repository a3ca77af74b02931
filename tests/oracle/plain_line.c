// SPDX-License-Identifier: MIT
// The line: integrated, sampled, and joined by polynomials.

#include "plain_line.h"

#include <math.h>
#include <stdlib.h>

plain_vec plain_unit(plain_vec a)
{
    return plain_scale(1.0 / sqrt(plain_dot(a, a)), a);
}

// --- the definition ---

static double shape(plain_shape shape, double x)
{
    return shape == PLAIN_BLOSS ? x * x * (3.0 - 2.0 * x) : x;
}

static double shape_slope(plain_shape shape, double x)
{
    return shape == PLAIN_BLOSS ? 6.0 * x * (1.0 - x) : 1.0;
}

// Heading and place.
typedef struct station {
    double psi;
    plain_vec r;
} station;

static double cant_at(const plain_section *p, double l)
{
    return p->cant[0] + (p->cant[1] - p->cant[0]) * shape(p->shape, l / p->length);
}

// Sine of the rise: none, or that of half the cant. The rail that stays is the lower one, so |u| counts.
static double rise(const plain_line_definition *d, const plain_section *p, double l)
{
    const double slope = (p->cant[1] - p->cant[0]) / p->length * shape_slope(p->shape, l / p->length);
    const double sign  = p->cant[0] + p->cant[1] < 0.0 ? -1.0 : 1.0;
    return d->cant_axis == PLAIN_INNER_RAIL ? 0.5 * sign * slope : 0.0;
}

static station slope_of(const plain_line_definition *d, const plain_section *p, double l, double psi)
{
    const double k = p->curvature[0] + (p->curvature[1] - p->curvature[0]) * shape(p->shape, l / p->length);
    const double w = rise(d, p, l), level = sqrt(1.0 - w * w);
    return (station){k, {level * cos(psi), level * sin(psi), w}};
}

// One step of the classical Runge-Kutta method.
static station go_on(const plain_line_definition *d, const plain_section *p, double l, double h, station at)
{
    const station a        = slope_of(d, p, l, at.psi);
    const station b        = slope_of(d, p, l + 0.5 * h, at.psi + 0.5 * h * a.psi);
    const station c        = slope_of(d, p, l + 0.5 * h, at.psi + 0.5 * h * b.psi);
    const station e        = slope_of(d, p, l + h, at.psi + h * c.psi);
    const plain_vec middle = plain_add(b.r, c.r), ends = plain_add(a.r, e.r);
    at.psi += h / 6.0 * (a.psi + 2.0 * b.psi + 2.0 * c.psi + e.psi);
    at.r = plain_add(at.r, plain_scale(h / 6.0, plain_add(ends, plain_scale(2.0, middle))));
    return at;
}

// Where the three curves are at a station. The track plane holds the tangent and, rolled about it by theta, what was
// level:
//   y = cos(theta) left + sin(theta) up,   z = cos(theta) up - sin(theta) left
static void place_curves(const plain_line_definition *d, const plain_section *p, double l, const station *at,
                         plain_vec out[PLAIN_CURVES])
{
    const double sine = -cant_at(p, l) / d->running_distance, cosine = sqrt(1.0 - sine * sine);
    const double w = rise(d, p, l), level = sqrt(1.0 - w * w);
    const plain_vec left = {-sin(at->psi), cos(at->psi), 0.0};
    const plain_vec up   = {-w * cos(at->psi), -w * sin(at->psi), level};
    const plain_vec y    = plain_add(plain_scale(cosine, left), plain_scale(sine, up));
    const plain_vec z    = plain_add(plain_scale(cosine, up), plain_scale(-sine, left));
    const plain_vec low  = plain_add(at->r, plain_scale(-d->head_radius, z));
    out[PLAIN_CENTRE]    = at->r;
    out[PLAIN_LEFT]      = plain_add(low, plain_scale(d->rail_distance, y));
    out[PLAIN_RIGHT]     = plain_add(low, plain_scale(-d->rail_distance, y));
}

// --- polynomials ---

// The polynomial of degree PLAIN_DEGREE that has the values f at x = x0, x0 + 1, ...: Newton's differences, multiplied
// out.
static void fit(double x0, const double *f, double *c)
{
    enum { N = PLAIN_DEGREE + 1 };
    double difference[N], product[N + 1] = {1.0};
    for (int i = 0; i < N; i++)
        difference[i] = f[i];
    for (int k = 1; k < N; k++)
        for (int i = N - 1; i >= k; i--)
            difference[i] = (difference[i] - difference[i - 1]) / k;
    for (int i = 0; i < N; i++)
        c[i] = 0.0;
    for (int k = 0; k < N; k++) {
        for (int i = 0; i <= k; i++)
            c[i] += difference[k] * product[i];
        for (int i = k + 1; i > 0; i--) // times (x - x0 - k)
            product[i] = product[i - 1] - (x0 + k) * product[i];
        product[0] *= -(x0 + k);
    }
}

static double component(plain_vec a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

// All intervals of a section, whose nodes are `point`. Those near its ends take the six nodes at the end.
static void fill_section(plain_line *line, int first, int count, plain_vec (*point)[PLAIN_CURVES])
{
    for (int i = 0; i < count; i++) {
        int from = i - 2;
        from     = from < 0 ? 0 : from + PLAIN_DEGREE > count ? count - PLAIN_DEGREE : from;
        for (int curve = 0; curve < PLAIN_CURVES; curve++)
            for (int axis = 0; axis < 3; axis++) {
                double f[PLAIN_DEGREE + 1];
                for (int k = 0; k <= PLAIN_DEGREE; k++)
                    f[k] = component(point[from + k][curve], axis);
                fit(from - i, f, line->interval[first + i].c[curve][axis]);
            }
    }
}

// --- the line ---

void plain_line_init(plain_line *line, const plain_line_definition *d)
{
    static plain_vec point[PLAIN_INTERVALS + 1][PLAIN_CURVES];
    enum { FINE = 4 }; // steps from node to node
    const double usual = 0.25;
    station at         = {0.0, {0.0, 0.0, 0.0}};

    line->section_count = d->section_count;
    line->head_radius   = d->head_radius;
    line->border[0]     = 0.0;
    line->first[0]      = 0;
    for (int k = 0; k < d->section_count; k++) {
        const plain_section *p = &d->sections[k];
        const int count        = (int)ceil(fmax(p->length / usual, PLAIN_DEGREE));
        const double width     = p->length / count;
        if (k >= PLAIN_SECTIONS || line->first[k] + count > PLAIN_INTERVALS)
            abort();
        for (int i = 0; i <= count; i++) {
            place_curves(d, p, i * width, &at, point[i]);
            for (int j = 0; j < FINE && i < count; j++)
                at = go_on(d, p, (i + (double)j / FINE) * width, width / FINE, at);
        }
        fill_section(line, line->first[k], count, point);
        line->width[k]      = width;
        line->border[k + 1] = line->border[k] + p->length;
        line->first[k + 1]  = line->first[k] + count;
    }
}

int plain_line_section(const plain_line *line, double s)
{
    int k = 0;
    while (k + 1 < line->section_count && s >= line->border[k + 1])
        k++;
    return k;
}

void plain_line_at(const plain_line *line, int section, int curve, double s, plain_vec d[4])
{
    const double width = line->width[section], t = (s - line->border[section]) / width;
    const int count = line->first[section + 1] - line->first[section];
    int i           = (int)floor(t);
    i               = i < 0 ? 0 : i >= count ? count - 1 : i;
    const double x  = t - i;
    double f[4][3];
    for (int axis = 0; axis < 3; axis++) {
        const double *c = line->interval[line->first[section] + i].c[curve][axis];
        double v[4]     = {0.0};
        for (int k = PLAIN_DEGREE; k >= 0; k--) { // Horner's scheme; v[m] is the m-th derivative over m!
            v[3] = v[3] * x + v[2];
            v[2] = v[2] * x + v[1];
            v[1] = v[1] * x + v[0];
            v[0] = v[0] * x + c[k];
        }
        f[0][axis] = v[0];
        f[1][axis] = v[1] / width;
        f[2][axis] = 2.0 * v[2] / (width * width);
        f[3][axis] = 6.0 * v[3] / (width * width * width);
    }
    for (int k = 0; k < 4; k++)
        d[k] = (plain_vec){f[k][0], f[k][1], f[k][2]};
}

void plain_line_axes(const plain_line *line, int section, double s, plain_vec *origin, plain_vec axes[3])
{
    plain_vec centre[4], left[4], right[4];
    plain_line_at(line, section, PLAIN_CENTRE, s, centre);
    plain_line_at(line, section, PLAIN_LEFT, s, left);
    plain_line_at(line, section, PLAIN_RIGHT, s, right);
    *origin = centre[0];
    axes[0] = plain_unit(centre[1]);
    axes[1] = plain_unit(plain_sub(left[0], right[0]));
    axes[2] = plain_cross(axes[0], axes[1]);
}
