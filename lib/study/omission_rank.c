// SPDX-License-Identifier: MIT
// Effects measured by the range of what they change, and terms in order of their largest effect.

#include "base/arena.h"
#include "study/omission_compare.h"
#include "study/omission_table.h"

#include <math.h>
#include <string.h>

static const double hundredth = 0.01; // of its largest range a response must move before its own range is its measure

// Largest range of a response under all conditions.
static double largest_range(const kane_omission_table *t, int response)
{
    double most = 0.0;
    for (int c = 0; c < t->conditions; c++)
        for (int i = 0; i < t->terms; i++)
            if (kane_omission_case_at(t, c, i)->is_known)
                most = fmax(most, kane_omission_at(t, c, i, response)->range);
    return most;
}

void kane_omission_scale(const kane_omission_table *t, const char *const *units, int by_rms)
{
    for (int r = 0; r < t->responses; r++) {
        const double least = fmax(hundredth * largest_range(t, r), kane_omission_nothing(units[r]));
        for (int c = 0; c < t->conditions; c++)
            for (int i = 0; i < t->terms; i++) {
                kane_omission_effect *e = kane_omission_at(t, c, i, r);
                const int known         = kane_omission_case_at(t, c, i)->is_known;
                e->scale                = known ? fmax(e->range, least) : (double)NAN;
                e->relative             = known ? (by_rms ? e->rms : e->difference) / e->scale : (double)NAN;
            }
    }
}

double kane_omission_largest(const kane_omission_table *t, int term, int response, int *condition, int *where)
{
    const int from = response < 0 ? 0 : response, to = response < 0 ? t->responses : response + 1;
    double most = -1.0, inside = -1.0;
    *condition = *where = -1;
    for (int c = 0; c < t->conditions; c++) {
        const kane_omission_case *at = kane_omission_case_at(t, c, term);
        for (int r = from; r < to && at->is_known; r++) {
            const double relative = kane_omission_at(t, c, term, r)->relative;
            const double counts   = at->ends_otherwise ? (double)INFINITY : relative;
            if (counts < most || (counts == most && relative <= inside))
                continue;
            most       = counts;
            inside     = relative;
            *condition = c;
            *where     = r;
        }
    }
    return most;
}

int kane_omission_rank(const kane_omission_table *t, int response, int *order)
{
    double *largest = kane_allocate((size_t)t->terms, sizeof *largest);
    const int good  = largest != NULL;
    int condition, where;
    for (int term = 1; good && term < t->terms; term++) {
        int k         = term - 1;
        largest[term] = kane_omission_largest(t, term, response, &condition, &where);
        for (; k > 0; k--) { // those behind it move on by one
            const double other = largest[order[k - 1]];
            if (other > largest[term] || (other == largest[term] && strcmp(t->names[order[k - 1]], t->names[term]) < 0))
                break;
            order[k] = order[k - 1];
        }
        order[k] = term;
    }
    kane_release(largest);
    return good;
}
