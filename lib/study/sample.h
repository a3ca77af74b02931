// SPDX-License-Identifier: MIT
// Samples of distributions, and what is made of measures over them: statistics and sensitivity indices.

#ifndef KANE_STUDY_SAMPLE_H
#define KANE_STUDY_SAMPLE_H

#include <kane/sweep.h>

#include "base/number.h"

#include <stdint.h>

// === Distributions.

// Part of a normal distribution below x, as if it were not cut off; of a uniform one: 0 .. 1.
double kane_distribution_part(const kane_distribution *d, double x);

// The value below which `part` of the distribution lies, 0 <= part <= 1: A and B at the ends.
double kane_distribution_quantile(const kane_distribution *d, double part);

// === Numbers that are drawn: shorter than a double has them, so that they can be typed again.

// Where sample i of an axis lies: `order`, the strata in the order of the samples, and the part of its stratum that is
// below the sample (0 <= within < 1). All come from seed and stream alone, within[i] of `order` NULL also from i.
void kane_sample_strata(int seed, int stream, int count, int *order, double *within);

// The number within [low, high), or (high, low], that is nearest to `value` and has no more digits than a distance
// below `slack` from it needs. Returns it and its text.
double kane_sample_round(double low, double high, double value, double slack, char text[KANE_NUMBER_SIZE]);

// Sample of a distribution, in the part (stratum + within)/count of it. Random samples have one stratum.
double kane_sample_draw(const kane_distribution *d, int stratum, double within, int count, int is_random,
                        char text[KANE_NUMBER_SIZE]);

// === Statistics of one measure.

typedef struct kane_summary {
    int count;          // finite values
    double mean, error; // error: standard error of the mean, deviation/sqrt(count)
    double deviation;   // of the distribution, from count - 1; NaN for one value
    double least, greatest;
} kane_summary;

// `values` [count] lose those that are not finite, and come into order.
kane_summary kane_summary_reduce(int count, double *values);

// Number of samples from which a percentile is resolved: it lies between the least and the greatest of n samples with a
// probability of 1 - p^n - (1 - p)^n, wanted: 95 % (Wilks: Determination of sample sizes for setting tolerance
// limits, Ann. Math. Statist. 12, 1941). 59 for 5 % and 95 %.
int kane_summary_needed(double percent);

// === Sobol's indices by Saltelli's scheme: with two independent samples A and B of k parameters and AB_i, which is A
// with parameter i from B,
//   first_i = 1 - sum (f(B) - f(AB_i))^2/(2 n V),  total_i = sum (f(A) - f(AB_i))^2/(2 n V),  V: variance of f(A), f(B)
// (Jansen: Analysis of variance designs for model output, Comput. Phys. Commun. 117, 1999; Saltelli et al.: Variance
// based sensitivity analysis of model output, Comput. Phys. Commun. 181, 2010).

typedef struct kane_sobol_index {
    double first, first_error; // part of the variance that parameter i has alone; standard error by bootstrap over rows
    double total, total_error; // likewise with all its interactions
} kane_sobol_index;

// values [rows][parameters + 2]: f(A), f(B), f(AB_1), ...; rows with a value that is not finite are left out. Returns
// the number of those that are not, -1 without memory; NaN where they are fewer than two, or do not vary.
int kane_sobol_reduce(int rows, int parameters, const double *values, kane_sobol_index *index);

// 0 where an index cannot be told from 0: |index| <= 1.96 standard errors.
int kane_sobol_is_resolved(double index, double error);

#endif
