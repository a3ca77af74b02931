// SPDX-License-Identifier: MIT
// Comfort of passengers: EN 12299, and Sperling's Wz.

#include <kane/signal.h>

#include "base/arena.h"

#include <math.h>

// --- mean comfort ---

static const double block = 5.0; // [s]

static int rows_of(double seconds, double step)
{
    return (int)floor(seconds / step + 1e-6);
}

int kane_comfort_blocks(double step, int n, const double *weighted, double *out)
{
    const int size = rows_of(block, step), count = size > 0 ? n / size : 0;
    for (int i = 0; out && i < count; i++) {
        double sum = 0.0;
        for (int k = i * size; k < (i + 1) * size; k++)
            sum += weighted[k] * weighted[k];
        out[i] = sqrt(sum / size);
    }
    return count;
}

double kane_comfort_p95(double step, int n, const double *weighted, int *blocks, kane_errors *errors)
{
    const int count = kane_comfort_blocks(step, n, weighted, NULL);
    if (blocks)
        *blocks = count;
    if (count == 0) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT,
                        "rows over %g s are too few for comfort, which is one of blocks of %g s", n * step, block);
        return NAN;
    }
    double *values = kane_allocate((size_t)count, sizeof *values);
    if (!values) {
        (void)kane_no_memory(errors);
        return NAN;
    }
    (void)kane_comfort_blocks(step, n, weighted, values);
    const double p95 = kane_percentile(count, values, 95.0);
    kane_release(values);
    return p95;
}

double kane_comfort_mean(double x_p95, double y_p95, double z_p95)
{
    return 6.0 * sqrt(x_p95 * x_p95 + y_p95 * y_p95 + z_p95 * z_p95);
}

// --- curve transitions and discrete events ---
//
//   P_CT = 100 (max(A y + B y' - C, 0) + (D r)^E)
//   P_DE = 100 max(a y_p + b y_m - c, 0)
static const struct {
    double A, B, C, D, E, a, b, c;
} postures[2] = {
    {0.0897, 0.0968, 0.059, 0.916, 1.626, 0.0846, 0.1305, 0.217}, // seated
    {0.2854, 0.2069, 0.111, 3.640, 2.283, 0.1662, 0.2701, 0.370}  // standing
};

double kane_comfort_transition(kane_posture posture, double acceleration, double jerk, double roll_rate)
{
    const double y = postures[posture].A * fabs(acceleration) + postures[posture].B * fabs(jerk) - postures[posture].C;
    return 100.0 * (fmax(y, 0.0) + pow(postures[posture].D * fabs(roll_rate), postures[posture].E));
}

double kane_comfort_event(kane_posture posture, double peak_to_peak, double mean)
{
    return 100.0 *
           fmax(postures[posture].a * fabs(peak_to_peak) + postures[posture].b * fabs(mean) - postures[posture].c, 0.0);
}

// Mean of the rows i - half .. i + half, the outer ones with half their weight.
static double mean_about(const double *x, int i, int half)
{
    double sum = 0.5 * (x[i - half] + x[i + half]);
    for (int k = i - half + 1; k < i + half; k++)
        sum += x[k];
    return sum / (2 * half);
}

double kane_comfort_transition_of(kane_posture posture, double step, int n, const double *acceleration,
                                  const double *roll_rate, double from, double to, kane_errors *errors)
{
    const int half = rows_of(0.5, step), first = (int)ceil(from / step - 1e-6), last = rows_of(to, step);
    const int behind = rows_of(to + 1.6, step), before = (int)ceil((from - 1.0) / step - 1e-6);
    double y = 0.0, jerk = 0.0, roll = 0.0;
    if (half < 1 || !(from < to) || before < 2 * half || behind + half >= n) {
        kane_errors_add(
            errors, KANE_BAD_ARGUMENT,
            "comfort on a transition from %g s to %g s needs rows from 2 s before to 2.1 s behind it, there are "
            "rows from 0 s to %g s, every %g s",
            from, to, (n - 1) * step, step);
        return NAN;
    }
    for (int i = first; i <= behind; i++)
        y = fmax(y, fabs(mean_about(acceleration, i, half)));
    for (int i = before; i <= last; i++)
        jerk = fmax(jerk, fabs(mean_about(acceleration, i + half, half) - mean_about(acceleration, i - half, half)) /
                              (2 * half * step));
    for (int i = first; i <= last; i++)
        roll = fmax(roll, fabs(mean_about(roll_rate, i, half)));
    return kane_comfort_transition(posture, y, jerk, roll);
}

double kane_comfort_events_of(kane_posture posture, double step, int n, const double *acceleration, kane_errors *errors)
{
    const int half = rows_of(1.0, step);
    double worst   = 0.0;
    if (half < 1 || n <= 2 * half) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "rows over %g s are too few for discrete events, which last 2 s",
                        (n - 1) * step);
        return NAN;
    }
    for (int i = half; i + half < n; i++) {
        double low = acceleration[i - half], high = low;
        for (int k = i - half; k <= i + half; k++) {
            low  = fmin(low, acceleration[k]);
            high = fmax(high, acceleration[k]);
        }
        worst = fmax(worst, kane_comfort_event(posture, high - low, mean_about(acceleration, i, half)));
    }
    return worst;
}

// --- Sperling ---

double kane_sperling(int n, const double *weighted)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += weighted[i] * weighted[i] / n;
    return pow(2.0 * 100.0 * 100.0 * sum, 0.15); // of cm/s^2, and of amplitudes instead of effective values
}
