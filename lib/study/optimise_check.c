// SPDX-License-Identifier: MIT
// What may be asked of a search.

#include "study/optimise.h"

#include <math.h>

enum { STARTS_MOST = 64, EVALUATIONS_MOST = 1000000 };

static void check_family(const kane_transition_family *family, kane_errors *errors)
{
    const int lowest = 2 * family->ends + 1, most = KANE_POLYNOMIAL_MAX - 1;
    if (family->ends < 0 || family->ends > (most - 2) / 2)
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "%d is the number of derivatives that are to vanish at both ends; it may be 0 to %d",
                        family->ends, (most - 2) / 2);
    else if (family->unknowns < 1)
        kane_errors_add(
            errors, KANE_BAD_INPUT,
            "the lowest polynomial with such ends (vanishing derivatives: %d) has degree %d, and higher ones "
            "have something to be found: the degree must be %d to %d",
            family->ends, lowest, lowest + 1, most);
    else if (kane_family_degree(family) < 0)
        kane_errors_add(
            errors, KANE_BAD_INPUT,
            "%d unknowns with such ends (vanishing derivatives: %d) make a polynomial of degree %d; there may be "
            "%d, for degree %d",
            family->unknowns, family->ends, lowest + family->unknowns, most - lowest, most);
}

static void check_search(const kane_optimisation *a, kane_errors *errors)
{
    if (a->is_monotone && a->algorithm != KANE_COBYLA)
        kane_errors_add(
            errors, KANE_BAD_INPUT,
            "curvature that must grow all along is a constraint, which the algorithm %s does not know; take "
            "cobyla",
            kane_algorithm_name(a->algorithm));
    if (a->algorithm == KANE_BOBYQA && a->family.unknowns == 1)
        kane_errors_add(errors, KANE_BAD_INPUT, "the algorithm bobyqa needs at least 2 unknowns; take cobyla for 1");
    if (!(a->bound > 0.0) || !isfinite(a->bound))
        kane_errors_add(errors, KANE_BAD_INPUT, "the bound of the unknowns is %g, must be positive", a->bound);
    if (!(a->tolerance > 0.0) || !isfinite(a->tolerance))
        kane_errors_add(errors, KANE_BAD_INPUT, "the tolerance of the unknowns is %g, must be positive", a->tolerance);
    if (a->evaluations_most < 1 || a->evaluations_most > EVALUATIONS_MOST)
        kane_errors_add(errors, KANE_BAD_INPUT, "%d evaluations; there must be 1 to %d", a->evaluations_most,
                        EVALUATIONS_MOST);
    if (a->starts < 1 || a->starts > STARTS_MOST)
        kane_errors_add(errors, KANE_BAD_INPUT, "%d starts; there may be 1 to %d", a->starts, STARTS_MOST);
    if (a->seed < 0)
        kane_errors_add(errors, KANE_BAD_INPUT, "the seed is %d, must not be negative", a->seed);
}

kane_status optimisation_check(const kane_optimisation *asked, kane_errors *errors)
{
    const int before = errors->count;
    check_family(&asked->family, errors);
    check_search(asked, errors);
    if (asked->execution.shards > 1 || asked->execution.crew)
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "each step of a search needs the one before: it has no shards and runs on one machine, "
                        "not under mpirun; its starts share the processors (-j)");
    if (asked->execution.retry_failed)
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "a run that fails is a part of the way of a search: none is carried out once more");
    return errors->count == before ? KANE_OK : KANE_BAD_INPUT;
}
