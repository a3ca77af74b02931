// SPDX-License-Identifier: MIT
// Irregularities: sums of sines, tabulated.
//
// A look-up costs the same for one sine and for a thousand. Values, slopes and second derivatives at equidistant points
// are exact and the polynomials of degree five between them are twice continuously differentiable; with steps of a
// twelfth of the shortest wavelength they differ from a sine by less than (2 pi/12)^6/46080 = 4.5e-7 of its amplitude.

#include "track/irregularity.h"

#include "track/shape.h"

#include <string.h>

enum { STEPS_PER_WAVE = 12, DEGREE = 5, Y = 0, Z = 1 };

// The table covers the line and this much beyond its ends [m]; further out the sines are summed.
static const double beyond = 100.0;

// A table that would be larger is not made, the sines are summed instead [intervals].
static const double intervals_max = 1e6;

// amplitude sin(wave s + phase), by its weights in y and z of the left and the right rail
typedef struct sine {
    double wavelength, phase; // [m], [rad]
    double rail[2][2];        // [side][Y, Z] [m]
} sine;

typedef struct interval {
    double c[2][DEGREE + 1][2]; // [side][power of the fraction of the step][Y, Z] [m]
} interval;

struct kane_irregularities {
    double fade_from, inverse_fade; // [m], [1/m]
    double from, inverse_step;      // of the table [m], [1/m]
    double count;                   // intervals; 0: no table
    const interval *table;
    int sine_count;
    const sine *sines;
};

// start: chainage of the line's beginning, from where the table counts [m].
static sine make_sine(const kane_irregularity_definition *d, double start)
{
    const double a       = d->amplitude;
    const double skipped = fmod(start, d->wavelength) / d->wavelength;
    sine s               = {.wavelength = d->wavelength, .phase = d->phase + 6.283185307179586477 * skipped};

    switch (d->kind) {
    case KANE_LATERAL: s.rail[KANE_LEFT][Y] = s.rail[KANE_RIGHT][Y] = a; break;
    case KANE_VERTICAL: s.rail[KANE_LEFT][Z] = s.rail[KANE_RIGHT][Z] = a; break;
    case KANE_CROSS_LEVEL:
        s.rail[KANE_LEFT][Z]  = 0.5 * a;
        s.rail[KANE_RIGHT][Z] = -0.5 * a;
        break;
    case KANE_GAUGE:
        s.rail[KANE_LEFT][Y]  = 0.5 * a;
        s.rail[KANE_RIGHT][Y] = -0.5 * a;
        break;
    }
    return s;
}

// Sums all sines: out[side][Y, Z][value, slope, second derivative].
static void sum_sines(const kane_irregularities *w, double s, double out[2][2][3])
{
    memset(out, 0, sizeof(double[2][2][3]));
    for (int i = 0; i < w->sine_count; i++) {
        const sine *a    = &w->sines[i];
        const double k   = 2.0 * KANE_PI / a->wavelength;
        const double lap = s / a->wavelength, angle = 2.0 * KANE_PI * (lap - floor(lap)) + a->phase;
        const double S = sin(angle), C = k * cos(angle), D = -k * k * S;

        for (int side = 0; side < 2; side++)
            for (int axis = 0; axis < 2; axis++) {
                out[side][axis][0] += a->rail[side][axis] * S;
                out[side][axis][1] += a->rail[side][axis] * C;
                out[side][axis][2] += a->rail[side][axis] * D;
            }
    }
}

// The polynomial of degree five over a step h with given values, slopes and second derivatives at both ends.
static void fit(const double a[3], const double b[3], double h, double c[DEGREE + 1][2], int axis)
{
    const double rise = b[0] - a[0], a1 = h * a[1], b1 = h * b[1], a2 = 0.5 * h * h * a[2], b2 = 0.5 * h * h * b[2];

    c[0][axis] = a[0];
    c[1][axis] = a1;
    c[2][axis] = a2;
    c[3][axis] = 10.0 * rise - 6.0 * a1 - 4.0 * b1 - 3.0 * a2 + b2;
    c[4][axis] = -15.0 * rise + 8.0 * a1 + 7.0 * b1 + 3.0 * a2 - 2.0 * b2;
    c[5][axis] = 6.0 * rise - 3.0 * a1 - 3.0 * b1 - a2 + b2;
}

static void make_table(kane_irregularities *w, double shortest, double to, kane_arena *memory)
{
    const double count = ceil((to - w->from) * STEPS_PER_WAVE / shortest);
    if (!(count <= intervals_max))
        return;
    interval *table = kane_arena_alloc(memory, (size_t)count, sizeof *table);
    if (!table)
        return;
    const double step = (to - w->from) / count;
    double here[2][2][3], next[2][2][3];

    sum_sines(w, w->from, here);
    for (int i = 0; i < (int)count; i++) {
        sum_sines(w, w->from + (i + 1) * step, next);
        for (int side = 0; side < 2; side++)
            for (int axis = 0; axis < 2; axis++)
                fit(here[side][axis], next[side][axis], step, table[i].c[side], axis);
        memcpy(here, next, sizeof here);
    }
    w->count        = count;
    w->inverse_step = 1.0 / step;
    w->table        = table;
}

const kane_irregularities *kane_irregularities_make(const kane_track_definition *d, double end, kane_arena *memory)
{
    if (d->irregularity_count == 0)
        return NULL;
    kane_irregularities *w = kane_arena_alloc(memory, 1, sizeof *w);
    sine *sines            = kane_arena_alloc(memory, (size_t)d->irregularity_count, sizeof *sines);
    double shortest        = HUGE_VAL;
    if (!w || !sines)
        return NULL;

    for (int i = 0; i < d->irregularity_count; i++) {
        sines[i] = make_sine(&d->irregularities[i], d->start);
        shortest = fmin(shortest, sines[i].wavelength);
    }
    w->sines      = sines;
    w->sine_count = d->irregularity_count;
    w->from       = -beyond;
    // without fade-in every s lies far behind it
    w->fade_from    = d->fade_in_length > 0.0 ? d->fade_in_from - d->start : -1e300;
    w->inverse_fade = d->fade_in_length > 0.0 ? 1.0 / d->fade_in_length : 1.0;
    make_table(w, shortest, end + beyond, memory);
    return w;
}

// Value, slope and second derivative of one rail from the table.
static void look_up(const kane_irregularities *w, kane_side side, double place, kane_rail_offset *o)
{
    const int i         = (int)place;
    const double x      = place - i;
    const double(*c)[2] = w->table[i].c[side];
    double value[2], slope[2], bend[2];

    for (int j = 0; j < 2; j++) {
        value[j] = c[0][j] + x * (c[1][j] + x * (c[2][j] + x * (c[3][j] + x * (c[4][j] + x * c[5][j]))));
        slope[j] = c[1][j] + x * (2.0 * c[2][j] + x * (3.0 * c[3][j] + x * (4.0 * c[4][j] + x * 5.0 * c[5][j])));
        bend[j]  = 2.0 * c[2][j] + x * (6.0 * c[3][j] + x * (12.0 * c[4][j] + x * 20.0 * c[5][j]));
    }
    const double n = w->inverse_step;
    *o = (kane_rail_offset){value[Y], value[Z], n * slope[Y], n * slope[Z], n * n * bend[Y], n * n * bend[Z]};
}

// Fade-in by f = 10 t^3 - 15 t^4 + 6 t^5, whose slope and second derivative are zero at both ends.
static kane_rail_offset fade(const kane_rail_offset *o, double t, double inverse_length)
{
    const double rest = 1.0 - t;
    const double f    = t * t * t * (10.0 + t * (-15.0 + 6.0 * t));
    const double f_s  = 30.0 * t * t * rest * rest * inverse_length;
    const double f_ss = 60.0 * t * rest * (1.0 - 2.0 * t) * inverse_length * inverse_length;

    return (kane_rail_offset){.y    = f * o->y,
                              .z    = f * o->z,
                              .y_s  = f * o->y_s + f_s * o->y,
                              .z_s  = f * o->z_s + f_s * o->z,
                              .y_ss = f * o->y_ss + 2.0 * f_s * o->y_s + f_ss * o->y,
                              .z_ss = f * o->z_ss + 2.0 * f_s * o->z_s + f_ss * o->z};
}

void kane_irregularities_eval(const kane_irregularities *w, kane_side side, double s, kane_rail_offset *o)
{
    const double place = (s - w->from) * w->inverse_step;

    if (place >= 0.0 && place < w->count)
        look_up(w, side, place, o);
    else {
        double sum[2][2][3];
        sum_sines(w, s, sum);
        const double *y = sum[side][Y], *z = sum[side][Z];
        *o = (kane_rail_offset){y[0], z[0], y[1], z[1], y[2], z[2]};
    }
    const double x = (s - w->fade_from) * w->inverse_fade;
    if (!(x >= 1.0))
        *o = fade(o, x <= 0.0 ? 0.0 : x, w->inverse_fade);
}
