// SPDX-License-Identifier: MIT
// What a stretch of an oscillation is like.

#include "stability/cycle.h"

#include <math.h>

// A swing that begins a cycle comes from so far below the middle, in parts of what all samples span.
static const double band = 0.1;

// Peak of the parabola through three samples, x_0 - x'^2/(2 x''); x_0 if it is curved the other way.
static double parabola_peak(const double *x, double sign)
{
    const double slope = 0.5 * (x[1] - x[-1]), curvature = x[1] - 2.0 * x[0] + x[-1];
    return sign * curvature < 0.0 ? x[0] - 0.5 * slope * slope / curvature : x[0];
}

// Highest (sign 1) or lowest (sign -1) value between two samples, both of which have neighbours.
static double find_extreme(const double *x, int from, int to, double sign)
{
    int best = from;
    for (int i = from; i <= to; i++)
        if (sign * x[i] > sign * x[best])
            best = i;
    return parabola_peak(x + best, sign);
}

static void add_cycle(kane_oscillation *o, double high, double low)
{
    const double amplitude = 0.5 * (high - low);
    o->least               = o->cycles == 0 ? amplitude : fmin(o->least, amplitude);
    o->most                = o->cycles == 0 ? amplitude : fmax(o->most, amplitude);
    o->amplitude += amplitude;
    o->level += 0.5 * (high + low);
    o->cycles++;
}

kane_oscillation kane_oscillation_measure(int count, const double *x, double step)
{
    kane_oscillation o = {0};
    double low = count > 0 ? x[0] : 0.0, high = low, first = 0.0, last = 0.0;
    for (int i = 0; i < count; i++) {
        low  = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    o.farthest          = fmax(fabs(low), fabs(high));
    const double middle = 0.5 * (low + high), below = middle - band * (high - low);
    int was_below = 0, begin = -1;
    for (int i = 1; i + 1 < count; i++) {
        was_below = was_below || x[i] < below;
        if (!was_below || x[i] < middle)
            continue;
        was_below = 0;
        last      = i - (x[i] > x[i - 1] ? (x[i] - middle) / (x[i] - x[i - 1]) : 0.0);
        if (begin >= 0)
            add_cycle(&o, find_extreme(x, begin, i, 1.0), find_extreme(x, begin, i, -1.0));
        else
            first = last;
        begin = i;
    }
    if (o.cycles == 0) {
        o.amplitude = o.least = o.most = 0.5 * (high - low);
        o.level                        = middle;
        return o;
    }
    o.frequency = o.cycles / ((last - first) * step);
    o.amplitude /= o.cycles;
    o.level /= o.cycles;
    return o;
}
