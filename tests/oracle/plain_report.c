// SPDX-License-Identifier: MIT
// Zones, sections, percentiles, means and regressions once more.

#include "plain_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int zone_of(double k)
{
    const double R = k != 0.0 ? 1.0 / fabs(k) : 1e30;
    return R > 5000.0 ? 0 : R >= 600.0 ? 1 : R >= 400.0 ? 2 : R >= 250.0 ? 3 : 4;
}

static double length_of(int zone, double v)
{
    const double kmh = v * 3.6;
    if (zone == 0)
        return kmh > 220.0 ? 500.0 : 250.0;
    if (zone == 1)
        return kmh > 200.0 ? 250.0 : kmh > 140.0 ? 200.0 : 100.0;
    return zone == 2 ? 100.0 : 70.0;
}

int plain_stretches(const plain_rows *w, plain_stretch *out, int most)
{
    int count = 0, i = 0;
    while (i < w->n && count < most) {
        const int zone = zone_of(w->k[i]), hand = zone == 0 ? 0 : w->k[i] > 0.0 ? 1 : -1;
        const double end = w->s[i] + length_of(zone, w->v[i]) + 1e-9;
        double low = 1e30, high = -1e30, mean_k = 0.0, mean_u = 0.0, mean_v = 0.0;
        double cant_low = 1e30, cant_high = -1e30, free_low = 1e30, free_high = -1e30;
        int j = i, good = zone < 4 && end <= w->s[w->n - 1];
        for (; good && w->s[j] <= end; j++) {
            good = zone_of(w->k[j]) == zone && (zone == 0 || w->k[j] * hand > 0.0);
            low  = w->k[j] < low ? w->k[j] : low;
            high = w->k[j] > high ? w->k[j] : high;

            const double free = zone == 0 ? 0.0 : 1.5 * w->v[j] * w->v[j] * fabs(w->k[j]) / 9.81 - hand * w->u[j];
            cant_low          = fmin(cant_low, w->u[j]);
            cant_high         = fmax(cant_high, w->u[j]);
            free_low          = fmin(free_low, free);
            free_high         = fmax(free_high, free);
            mean_k += w->k[j];
            mean_u += w->u[j];
            mean_v += w->v[j];
        }
        const int n = j - i;
        if (good && (zone == 0 || high - low <= 0.04 * fabs(mean_k / n)) && cant_high - cant_low <= 0.005 &&
            free_high - free_low <= 0.010) {
            const double v = mean_v / n, k = fabs(mean_k / n);
            out[count++] =
                (plain_stretch){zone, hand, i, j - 1, zone == 0 ? 0.0 : 1.5 * v * v * k / 9.81 - hand * mean_u / n};
            i = j - 1;
        } else {
            const double next = w->s[i] + 1.0;
            while (i < w->n && w->s[i] < next)
                i++;
        }
    }
    return count;
}

static int smaller(const void *a, const void *b)
{
    const double d = *(const double *)a - *(const double *)b;
    return d < 0.0 ? -1 : d > 0.0;
}

double plain_percentile(int n, const double *x, double percent)
{
    double *sorted = malloc((size_t)n * sizeof *sorted);
    if (!sorted)
        return NAN;
    memcpy(sorted, x, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, smaller);
    const double place = percent / 100.0 * (n - 1);
    const int i        = (int)place < n - 1 ? (int)place : n - 2;
    const double value = sorted[i] + (place - i) * (sorted[i + 1] - sorted[i]);
    free(sorted);
    return value;
}

static double at(int n, const double *s, const double *x, double place)
{
    int low = 0, high = n - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (s[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return x[low] + (place - s[low]) / (s[high] - s[low]) * (x[high] - x[low]);
}

int plain_means(int n, const double *s, const double *x, double *out)
{
    enum { PARTS = 400 };
    int count = 0;
    for (double from = s[0]; from + 2.0 <= s[n - 1] + 1e-9; from = s[0] + 0.5 * count) {
        double sum = 0.0;
        for (int i = 0; i < PARTS; i++)
            sum += at(n, s, x, from + 2.0 * (i + 0.5) / PARTS);
        out[count++] = sum / PARTS;
    }
    return count;
}

double plain_student(double part, int n)
{
    const double c = tgamma(0.5 * (n + 1)) / (sqrt(3.14159265358979323846 * n) * tgamma(0.5 * n)), h = 1e-4;
    double t = 0.0, sum = 0.0;
    while (sum < part) { // Simpson's rule on both sides at once
        const double a = c * pow(1.0 + t * t / n, -0.5 * (n + 1)), m = t + 0.5 * h, e = t + h;
        const double b = c * pow(1.0 + m * m / n, -0.5 * (n + 1)), d = c * pow(1.0 + e * e / n, -0.5 * (n + 1));
        const double more = 2.0 * h / 6.0 * (a + 4.0 * b + d);
        if (sum + more > part)
            return t + h * (part - sum) / more;
        sum += more;
        t += h;
    }
    return t;
}

double plain_estimate(int n, const double *y, double k)
{
    double mean = 0.0, squares = 0.0;
    for (int i = 0; i < n; i++)
        mean += y[i];
    mean /= n;
    for (int i = 0; i < n; i++)
        squares += (y[i] - mean) * (y[i] - mean);
    return k > 0.0 ? mean + k * sqrt(squares / (n - 1)) : mean;
}

double plain_prediction(int n, const double *x, const double *y, double x0, double part)
{
    // normal equations
    double sx = 0.0, sy = 0.0, xx = 0.0, xy = 0.0, squares = 0.0;
    for (int i = 0; i < n; i++) {
        sx += x[i];
        sy += y[i];
        xx += x[i] * x[i];
        xy += x[i] * y[i];
    }
    const double det = n * xx - sx * sx, b = (n * xy - sx * sy) / det, a = (sy - b * sx) / n;
    for (int i = 0; i < n; i++)
        squares += (y[i] - a - b * x[i]) * (y[i] - a - b * x[i]);
    const double away = x0 - sx / n, margin = sqrt(squares / (n - 2) * (1.0 + 1.0 / n + away * away / (det / n)));
    return a + b * x0 + (part > 0.0 ? plain_student(part, n - 2) * margin : 0.0);
}
