// SPDX-License-Identifier: MIT
// Smoothing splines of both coordinates over the length of the chords.

#include "profile/curve.h"

#include <math.h>

// From no smoothing at all to a straight line [m^3].
static const double least = 1e-24, most = 1e3;

int kane_curve_fit(curve *c, int count, const double *y, const double *z, const double *weight, double tolerance,
                   kane_arena *arena)
{
    const size_t n      = (size_t)count;
    double *knots       = kane_arena_doubles(arena, n);
    double *h           = kane_arena_doubles(arena, n);
    curve_piece *pieces = kane_arena_alloc(arena, n, sizeof *pieces);
    kane_smoothing s    = {.count   = count,
                           .h       = h,
                           .weight  = weight,
                           .columns = 2,
                           .y       = {y, z},
                           .work    = kane_arena_doubles(arena, KANE_SMOOTHING_WORK * n)};
    for (int k = 0; k < 2; k++) {
        s.shift[k] = kane_arena_doubles(arena, n);
        s.bend[k]  = kane_arena_doubles(arena, n);
    }
    if (kane_arena_failed(arena))
        return 0;

    for (int i = 0; i + 1 < count; i++) {
        h[i]         = hypot(y[i + 1] - y[i], z[i + 1] - z[i]);
        knots[i + 1] = knots[i] + h[i];
    }
    const double distance = kane_smoothing_find(&s, tolerance, least, most);
    for (int i = 0; i + 1 < count; i++) {
        kane_smoothing_cubic(&s, 0, i, pieces[i].y);
        kane_smoothing_cubic(&s, 1, i, pieces[i].z);
    }
    *c = (curve){.count = count, .knots = knots, .pieces = pieces, .distance = distance};
    return 1;
}

curve_point kane_curve_point_at(const curve *c, double t)
{
    int low = 0, high = c->count - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (t < c->knots[middle])
            high = middle;
        else
            low = middle;
    }
    const double inside = fmin(fmax(t, 0.0), c->knots[c->count - 1]), x = inside - c->knots[low], beyond = t - inside;
    const double *y = c->pieces[low].y, *z = c->pieces[low].z;
    curve_point p = {.y    = y[0] + x * (y[1] + x * (y[2] + x * y[3])),
                     .z    = z[0] + x * (z[1] + x * (z[2] + x * z[3])),
                     .y_t  = y[1] + x * (2.0 * y[2] + x * 3.0 * y[3]),
                     .z_t  = z[1] + x * (2.0 * z[2] + x * 3.0 * z[3]),
                     .y_tt = 2.0 * y[2] + 6.0 * y[3] * x,
                     .z_tt = 2.0 * z[2] + 6.0 * z[3] * x};
    p.y += beyond * p.y_t;
    p.z += beyond * p.z_t;
    return p;
}
