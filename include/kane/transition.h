// SPDX-License-Identifier: MIT
// Transition curves: all shapes compared by what they do to a vehicle, and the one found that is best.

#ifndef KANE_TRANSITION_H
#define KANE_TRANSITION_H

#include <kane/base.h>
#include <kane/plan.h>
#include <kane/run.h>
#include <kane/sweep.h>
#include <kane/track.h>

KANE_C_BEGIN

// --- polynomial transitions (docs/studies.md) ---
//
//   f'(x) = W(x) (1 + sum over k of c_k G_k(2x - 1)),   W = x^m (1 - x)^m/B(m + 1, m + 1),   f(0) = 0,   k = 1 .. n
//
// G_k are the Gegenbauer polynomials that are orthogonal under W, of largest value 1. So f(1) = 1 and the first m
// derivatives of f vanish at both ends whatever the c_k are, the c_k do not get into each other's way, c = 0 is the
// lowest polynomial with these ends (m = 0: the clothoid, 1: Bloss, 2: 10 x^3 - 15 x^4 + 6 x^5, 3: that of the Wiener
// Bogen), and f grows all along if and only if the sum in the bracket stays positive, as it does for sum |c_k| < 1.

enum { KANE_FAMILY_UNKNOWNS_MOST = KANE_POLYNOMIAL_MAX - 2 };

// Instead of polynomials, B-splines of a degree p with K knots at 1/(K + 1), 2/(K + 1), ...: their first m + 1
// coefficients are 0 and their last m + 1 are 1, so that the same derivatives vanish, and between them
//   b_j = f_0(mean of the p knots of b_j) + c_j/(K + 1),   j = 1 .. n,   n = K + p - 1 - 2 m
// where f_0 is the lowest polynomial with these ends. c = 0 is Schoenberg's approximation of f_0, which grows all
// along.
typedef struct kane_transition_family {
    int ends;     // m: derivatives of f that vanish at both ends
    int unknowns; // n
    int degree;   // p; 0: polynomials
    int knots;    // K
} kane_transition_family;

// Unknowns of B-splines; -1 of those that do not exist.
KANE_API int kane_family_spline_unknowns(int ends, int degree, int knots);

// Knots [K] and coefficients [K + p + 1] of a B-spline, as a track file has them. Returns the number of coefficients.
KANE_API int kane_family_spline(const kane_transition_family *family, const double *c, double knots[KANE_SPLINE_MAX],
                                double coefficients[KANE_SPLINE_MAX]);

// 2 m + 1 + n; -1 of a family that does not exist: m < 0, n < 0, or a degree above 15.
KANE_API int kane_family_degree(const kane_transition_family *family);

// Coefficients of x^0, x^1, ... up to the degree, as a track file has them. Returns their number.
KANE_API int kane_family_coefficients(const kane_transition_family *family, const double *c,
                                      double coefficients[KANE_POLYNOMIAL_MAX]);

// The bracket f'(x)/W(x) at x, and the smallest one of 0 .. 1: f never falls if this is not negative. Of B-splines the
// quotient is that at 1/1000 within 1/1000 of the ends.
KANE_API double kane_family_growth(const kane_transition_family *family, const double *c, double x);
KANE_API double kane_family_least_growth(const kane_transition_family *family, const double *c);

// --- criteria ---

enum { KANE_CRITERIA_MOST = 16, KANE_PARETO_MOST = 64 };

// --- shapes compared ---

typedef struct kane_transition_study {
    const char *file;               // run file
    const kane_run_options *common; // what every case has; NULL: nothing
    int section_count;              // of the track, that take the shapes; 0: all transitions that there are
    const int *sections;            // as "sections[N]" of a track file counts
    int shape_count;                // 0: all shapes of a track file and the polynomials of degree 5 and 7
    // "clothoid", ..., "wiener" or "wiener:1.8 m" (height of its axis), "polynomial5" (of degree 1, 3, 5, ..., the
    // lowest with its ends), or a file "DIR/result.json" of an optimisation
    const char *const *shapes;
    int criterion_count;
    const char *const *criteria; // measures (kane/measure.h)
    // conditions: every value of every axis with each other; tables have the largest criterion of all
    int axis_count;
    const kane_axis *const *axes;
    kane_plan_execution execution;
} kane_transition_study;

// Carries out the runs and, when all have ended, writes transitions.csv, transitions.json and pictures. *complete says
// whether that was so. Shapes whose run has failed are lines of the table that say why.
KANE_API kane_status kane_study_transitions(const kane_transition_study *study, int *complete, kane_errors *errors);

// --- the best shape ---

typedef enum kane_algorithm {
    KANE_BOBYQA,      // quadratic models, bounds (Powell)
    KANE_COBYLA,      // linear models, bounds and constraints (Powell)
    KANE_NELDER_MEAD, // simplex
    KANE_SUBPLEX,     // simplex in subspaces
    KANE_CRS,         // controlled random search; the last half of the evaluations by BOBYQA
    KANE_DIRECT,      // division of rectangles; likewise
    KANE_SLSQP        // quadratic programmes with exact derivatives (Kraft): of criteria of the line alone
} kane_algorithm;
enum { KANE_ALGORITHMS = KANE_SLSQP + 1 };

// The choice of kane_study_optimise: SLSQP where all criteria and limits are of the line and have derivatives; else
// COBYLA with limits, for the worst of several conditions and for one unknown; else BOBYQA.
#define KANE_ALGORITHM_USUAL ((kane_algorithm)KANE_ALGORITHMS)

KANE_API const char *kane_algorithm_name(kane_algorithm algorithm); // "bobyqa"

typedef struct kane_optimisation {
    const char *file;               // run file
    const kane_run_options *common; // what every case has; NULL: nothing
    int section;                    // transition of the track; -1: the only one that there is
    kane_transition_family family;
    int criterion_count;
    // "MEASURE" or "WEIGHT*MEASURE"; what is made small is their sum in SI units. Measures of channels of the line
    // ("line.curvature_s", docs/studies.md) need no run
    const char *const *criteria;
    // conditions under which a shape must be good: every value of every axis with each other
    int axis_count;
    const kane_axis *const *axes;
    int weight_count;      // 0: what is made small is the sum under the worst condition; else its mean over ...
    const double *weights; // ... all conditions with these weights, in the order of kane_sweep's grid
    int limit_count;
    const char *const *limits;     // "MEASURE <= VALUE" or ">=", of each condition (COBYLA, SLSQP)
    double length_from, length_to; // of the transition [m], an unknown between these; both 0: that of the track
    // A measure that must be small beside the sum: NULL, or points of the front of both, of which the first has the
    // least sum, the last the least measure, those between the least sum with limits of the measure at equal distances
    const char *pareto;
    int points; // 3 .. KANE_PARETO_MOST; without `pareto` 0
    kane_algorithm algorithm;
    int is_monotone;      // 1: f must not fall anywhere (COBYLA)
    double bound;         // |c_k| <= bound
    double tolerance;     // ends when the c_k change by less
    int evaluations_most; // of each start
    int starts;           // searches beside each other: the first from c = 0, the others from random ones ...
    int random_start;     // ... 1: the first one too
    int seed;             // what they come from
    int keep; // 1: the rows of every evaluation stay in case-N/results.*, as CSV where there are several starts
    // its workers share the starts and their conditions; there are neither shards nor a worker pool, and nothing is
    // retried
    kane_plan_execution execution;
} kane_optimisation;

KANE_API kane_optimisation kane_optimisation_default(void);

// Finds the shape, compares it with the standard shapes on a fine check, and writes result.json, section.json,
// convergence.csv, transitions.csv and pictures. Each evaluation is a case of the plan, so that a search that was
// stopped continues with the same bits.
KANE_API kane_status kane_study_optimise(const kane_optimisation *optimisation, int *complete, kane_errors *errors);

KANE_C_END

#endif
