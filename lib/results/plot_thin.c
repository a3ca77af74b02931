// SPDX-License-Identifier: MIT
// Leaves out points of a curve that cannot be seen.

#include "results/plot.h"

#include "base/arena.h"

#include <math.h>

// Finite, and above zero where an axis is logarithmic.
static int is_seen(const kane_plot_curve *curve, const kane_plot_axis *x, const kane_plot_axis *y, int i)
{
    return isfinite(curve->x[i]) && isfinite(curve->y[i]) && (!x->is_log || curve->x[i] > 0.0) &&
           (!y->is_log || curve->y[i] > 0.0);
}

// Pixel of a value on an axis of so many, 0 .. pixels - 1.
static int pixel_of(const kane_plot_axis *axis, double value, int pixels)
{
    const double at = (kane_plot_axis_divide(axis, value) - axis->low) / (axis->high - axis->low) * pixels;
    return at < 0.0 ? 0 : at < pixels ? (int)at : pixels - 1;
}

// The four points of begin .. end - 1, each once and in their order. Returns the new count.
static int select_extremes(const kane_plot_curve *curve, int begin, int end, int *selected, int count)
{
    int low = begin, high = begin;
    for (int i = begin; i < end; i++) {
        if (curve->y[i] < curve->y[low])
            low = i;
        if (curve->y[i] > curve->y[high])
            high = i;
    }
    const int four[] = {begin, low < high ? low : high, low < high ? high : low, end - 1};
    for (int k = 0; k < 4; k++)
        if (k == 0 || four[k] != selected[count - 1])
            selected[count++] = four[k];
    return count;
}

static int thin_lines(const kane_plot_curve *curve, const kane_plot_axis *x, const kane_plot_axis *y, int width,
                      int *selected)
{
    int count = 0;
    for (int i = 0; i < curve->count;) {
        const int begin = i;
        if (!is_seen(curve, x, y, i)) {
            while (i < curve->count && !is_seen(curve, x, y, i))
                i++;
            selected[count++] = KANE_PLOT_GAP;
            continue;
        }
        const int column = pixel_of(x, curve->x[i], width);
        while (i < curve->count && is_seen(curve, x, y, i) && pixel_of(x, curve->x[i], width) == column)
            i++;
        count = select_extremes(curve, begin, i, selected, count);
    }
    return count;
}

static int thin_points(const kane_plot_curve *curve, const kane_plot_axis *x, const kane_plot_axis *y, int width,
                       int height, int *selected)
{
    int count           = 0;
    unsigned char *full = kane_allocate((size_t)width * (size_t)height, 1);
    if (!full)
        return -1;
    for (int i = 0; i < curve->count; i++) {
        if (!is_seen(curve, x, y, i))
            continue;
        const size_t row = (size_t)pixel_of(y, curve->y[i], height), column = (size_t)pixel_of(x, curve->x[i], width);
        unsigned char *at = &full[row * (size_t)width + column];
        if (!*at)
            selected[count++] = i;
        *at = 1;
    }
    kane_release(full);
    return count;
}

int kane_plot_thin(const kane_plot_curve *curve, const kane_plot_axis *x, const kane_plot_axis *y, int width,
                   int height, int *selected)
{
    return curve->style == KANE_POINTS ? thin_points(curve, x, y, width, height, selected)
                                       : thin_lines(curve, x, y, width, selected);
}
