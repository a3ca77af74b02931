// SPDX-License-Identifier: MIT
// Samples of distributions, statistics of measures over them, and Sobol's indices.

#include "study/sample.h"

#include "base/arena.h"
#include "math/statistics.h"

#include <kane/signal.h>

#include <math.h>
#include <string.h>

// --- distributions ---

double kane_distribution_part(const kane_distribution *d, double x)
{
    if (d->kind == KANE_DISTRIBUTION_NORMAL)
        return kane_normal_below((x - d->mean) / d->deviation);
    return fmin(fmax((x - d->least) / (d->greatest - d->least), 0.0), 1.0);
}

double kane_distribution_quantile(const kane_distribution *d, double part)
{
    if (d->kind != KANE_DISTRIBUTION_NORMAL)
        return part < 1.0 ? d->least + (d->greatest - d->least) * part : d->greatest;
    const double below = kane_distribution_part(d, d->least), within = kane_distribution_part(d, d->greatest) - below;
    const double x = d->mean + d->deviation * kane_normal_quantile(below + part * within);
    return fmin(fmax(x, d->least), d->greatest);
}

// --- numbers that are drawn ---

void kane_sample_strata(int seed, int stream, int count, int *order, double *within)
{
    kane_random random = kane_random_start((uint64_t)(int64_t)seed, (uint64_t)stream);
    for (int i = 0; order && i < count; i++)
        order[i] = i;
    for (int i = count - 1; order && i > 0; i--) { // Fisher and Yates
        const int k = (int)(kane_random_even(&random) * (i + 1)), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
    for (int i = 0; i < count; i++)
        within[i] = kane_random_even(&random);
}

double kane_sample_round(double low, double high, double value, double slack, char text[KANE_NUMBER_SIZE])
{
    for (int digits = 1; digits <= 17; digits++) {
        kane_number_round(value, digits, text);
        const double rounded = kane_number_value(text, strlen(text), 0);
        const int is_within  = low < high ? rounded >= low && rounded < high : rounded <= low && rounded > high;
        if (is_within && fabs(rounded - value) < slack) {
            kane_number_format(rounded, text);
            return rounded;
        }
    }
    kane_number_format(value, text);
    return value;
}

double kane_sample_draw(const kane_distribution *d, int stratum, double within, int count, int is_random,
                        char text[KANE_NUMBER_SIZE])
{
    const double least = 0x1p-54; // 0 of a normal distribution is infinitely far away
    const double scale = d->kind == KANE_DISTRIBUTION_NORMAL ? d->deviation : d->greatest - d->least;
    const int strata   = is_random ? 1 : count;
    const double low   = kane_distribution_quantile(d, (double)stratum / strata);
    const double high  = kane_distribution_quantile(d, (stratum + 1.0) / strata);
    const double value = kane_distribution_quantile(d, fmax((stratum + within) / strata, least));
    return kane_sample_round(low, high, value, is_random ? 1e-9 * scale : 1e-5 * scale / count, text);
}

// --- statistics ---

kane_summary kane_summary_reduce(int count, double *values)
{
    kane_summary s = {.mean = (double)NAN, .error = (double)NAN, .deviation = (double)NAN};
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < count; i++)
        if (isfinite(values[i]))
            values[s.count++] = values[i];
    s.least = s.greatest = (double)NAN;
    if (s.count == 0)
        return s;
    (void)kane_percentile(s.count, values, 0.0); // into order
    for (int i = 0; i < s.count; i++)
        sum += values[i];
    s.mean = sum / s.count;
    for (int i = 0; i < s.count; i++)
        squares += (values[i] - s.mean) * (values[i] - s.mean);
    if (s.count > 1)
        s.deviation = sqrt(squares / (s.count - 1));
    s.error    = s.deviation / sqrt(s.count);
    s.least    = values[0];
    s.greatest = values[s.count - 1];
    return s;
}

int kane_summary_needed(double percent)
{
    enum { MOST = 1000000 };
    const double p = percent / 100.0;
    int n          = 1;
    if (!(p > 0.0 && p < 1.0)) // the least and the greatest value themselves
        return n;
    while (n < MOST && pow(p, n) + pow(1.0 - p, n) > 0.05)
        n++;
    return n;
}

// --- Sobol's indices ---

enum { RESAMPLES = 200 };

// Sums over rows, which a bootstrap takes several times.
static void find_indices(int count, int k, const double *const *row, const int *chosen, double mean, double *first,
                         double *total)
{
    double sum = 0.0, squares = 0.0;
    for (int p = 0; p < k; p++)
        first[p] = total[p] = 0.0;
    for (int n = 0; n < count; n++) {
        const double *f = row[chosen ? chosen[n] : n], a = f[0] - mean, b = f[1] - mean;
        sum += a + b;
        squares += a * a + b * b;
        for (int p = 0; p < k; p++) {
            first[p] += (f[1] - f[2 + p]) * (f[1] - f[2 + p]);
            total[p] += (f[0] - f[2 + p]) * (f[0] - f[2 + p]);
        }
    }
    const double m = 2.0 * count, variance = (squares - sum * sum / m) / (m - 1.0);
    for (int p = 0; p < k; p++) {
        first[p] = 1.0 - first[p] / (m * variance);
        total[p] = total[p] / (m * variance);
    }
}

// Standard deviation of resamples from the sums of their values and squares; NaN if one of them had no variance.
static double find_deviation(const double sums[2])
{
    const double squares = sums[1] - sums[0] * sums[0] / RESAMPLES;
    return squares < 0.0 ? 0.0 : sqrt(squares / (RESAMPLES - 1));
}

// Standard deviation of the indices over resamples of the rows, into the errors.
static void find_index_errors(int count, int k, const double *const *row, double mean, int *chosen, double *work,
                              kane_sobol_index *index)
{
    kane_random random = kane_random_start(1, 0);
    double *first = work, *total = work + k, *sums = work + 2 * k; // sums: of the distances from the index itself
    for (int p = 0; p < 4 * k; p++)
        sums[p] = 0.0;
    for (int r = 0; r < RESAMPLES; r++) {
        for (int n = 0; n < count; n++)
            chosen[n] = (int)(kane_random_even(&random) * count);
        find_indices(count, k, row, chosen, mean, first, total);
        for (int p = 0; p < k; p++) {
            const double d[2] = {first[p] - index[p].first, total[p] - index[p].total};
            for (int c = 0; c < 2; c++) {
                sums[4 * p + 2 * c] += d[c];
                sums[4 * p + 2 * c + 1] += d[c] * d[c];
            }
        }
    }
    for (int p = 0; p < k; p++) {
        index[p].first_error = find_deviation(sums + 4 * p);
        index[p].total_error = find_deviation(sums + 4 * p + 2);
    }
}

// Rows with all values; their number, and the mean and the scatter of f(A) and f(B).
static int choose_rows(int rows, int k, const double *values, const double **row, double *mean, int *has_variance)
{
    int count  = 0;
    double sum = 0.0, least = (double)INFINITY, greatest = -(double)INFINITY;
    for (int n = 0; n < rows; n++) {
        const double *f = values + (size_t)n * (size_t)(k + 2);
        int is_whole    = 1;
        for (int c = 0; c < k + 2; c++)
            is_whole &= isfinite(f[c]) != 0;
        if (!is_whole)
            continue;
        row[count++] = f;
        sum += f[0] + f[1];
        least    = fmin(least, fmin(f[0], f[1]));
        greatest = fmax(greatest, fmax(f[0], f[1]));
    }
    *mean         = count > 0 ? 0.5 * sum / count : 0.0;
    *has_variance = greatest - least > 1e-12 * fmax(fabs(least), fabs(greatest)); // else it is round-off
    return count;
}

int kane_sobol_reduce(int rows, int parameters, const double *values, kane_sobol_index *index)
{
    const int k        = parameters;
    const double **row = kane_allocate((size_t)rows, sizeof *row);
    int *chosen        = kane_allocate((size_t)rows, sizeof *chosen);
    double *work       = kane_allocate(6 * (size_t)k, sizeof *work);
    int count          = -1;
    for (int p = 0; p < k; p++)
        index[p] = (kane_sobol_index){(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    if (row && chosen && work) {
        double mean;
        int has_variance;
        count = choose_rows(rows, k, values, row, &mean, &has_variance);
        if (count > 1 && has_variance) {
            find_indices(count, k, row, NULL, mean, work, work + k);
            for (int p = 0; p < k; p++) {
                index[p].first = work[p];
                index[p].total = work[k + p];
            }
            find_index_errors(count, k, row, mean, chosen, work, index);
        }
    }
    kane_release(row);
    kane_release(chosen);
    kane_release(work);
    return count;
}

int kane_sobol_is_resolved(double index, double error)
{
    return fabs(index) > 1.96 * error;
}
