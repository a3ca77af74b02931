// SPDX-License-Identifier: MIT
// Evaluation by sections: each has its own percentiles, and from these the maximum is estimated (EN 14363, UIC 518).

#include "evaluate/standard.h"

#include <stdio.h>
#include <string.h>

enum { SECTIONS_ASKED = 25, SECTIONS_MOST = 10000 };

// Sizes of one quantity in the sections that have it.
typedef struct spread {
    int count;
    double sum, squares, largest, at;
} spread;

static kane_quantity_id id_of(const kane_assessment *a)
{
    return (kane_quantity_id)(a->quantity - kane_quantity_get(0));
}

static void add(spread *s, const kane_assessment *a)
{
    const double size = kane_limit_size(id_of(a), a->value);
    if (s->count == 0 || size > s->largest) {
        s->largest = size;
        s->at      = a->at;
    }
    s->count++;
    s->sum += size;
    s->squares += size * size;
}

static const kane_assessment *same(const kane_evaluation *part, const kane_assessment *a)
{
    for (int i = 0; i < part->count; i++)
        if (part->rows[i].quantity == a->quantity && strcmp(part->rows[i].of, a->of) == 0)
            return &part->rows[i];
    return NULL;
}

// The estimate from n sizes: mean + k s. The sums lose no digits that matter: sizes do not differ by orders.
static void estimate(kane_assessment *a, const spread *s)
{
    const double mean     = s->sum / s->count;
    const double variance = fmax(s->squares - s->sum * mean, 0.0) / (s->count - 1); // of one section NaN
    a->sections           = s->count;
    a->mean               = mean;
    a->deviation          = sqrt(variance);
    a->factor             = kane_limit_factor(id_of(a));
    a->value              = a->factor > 0.0 ? mean + a->factor * a->deviation : mean;
    a->used               = fmax(a->value, 0.0) / a->limit;
    a->at                 = s->at;
}

// What counts over the whole way stays; what no section has, or only one where a deviation is needed, is left out.
static void estimate_all(kane_evaluation *all, const spread *spreads, int *failed)
{
    int kept = 0;
    for (int i = 0; i < all->count; i++) {
        char remark[200];
        kane_assessment a  = all->rows[i];
        const int is_whole = isnan(kane_limit_factor(id_of(&a)));
        if (!is_whole && spreads[i].count > 0)
            estimate(&a, &spreads[i]);
        if (is_whole || (spreads[i].count > 0 && isfinite(a.value))) {
            all->rows[kept++] = a;
            continue;
        }
        (void)snprintf(remark, sizeof remark, "%s: there are %d sections that have it, too few", a.quantity->name,
                       spreads[i].count);
        kane_evaluation_remark_add(all, remark, failed);
    }
    all->count = kept;
}

// The sections one by one. 0 with errors.
static int go_through(kane_evaluation *all, const kane_results *results, const kane_evaluation_options *options,
                      kane_filtered *filtered, int count, spread *spreads, kane_errors *errors)
{
    for (int k = 0; k < count; k++) {
        kane_evaluation_options part = *options;
        part.from                    = all->section.from + k * options->section;
        part.to                      = part.from + options->section;
        kane_evaluation *one         = kane_examine_all(results, &part, filtered, 1, errors);
        if (!one)
            return 0;
        for (int i = 0; i < all->count; i++) {
            const kane_assessment *a = same(one, &all->rows[i]);
            if (a)
                add(&spreads[i], a);
        }
        kane_evaluation_free(one);
    }
    return 1;
}

int kane_examine_sections(kane_evaluation *all, const kane_results *results, const kane_evaluation_options *options,
                          kane_filtered *filtered, kane_errors *errors)
{
    const double length = all->section.to - all->section.from, whole = floor(length / options->section * (1.0 + 1e-12));
    char remark[200];
    int failed = 0;
    if (whole < 2.0 || whole > SECTIONS_MOST) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT,
                        "sections of %g m: there are %g m, enough for %g; possible are 2 to %d", options->section,
                        length, whole, (int)SECTIONS_MOST);
        return 0;
    }
    const int count = (int)whole;
    spread *spreads = kane_allocate((size_t)all->count, sizeof *spreads);
    int good        = spreads && go_through(all, results, options, filtered, count, spreads, errors);
    if (good)
        estimate_all(all, spreads, &failed);
    if (good && count < SECTIONS_ASKED) {
        (void)snprintf(remark, sizeof remark, "EN 14363 asks for %d sections of each zone, there are %d",
                       (int)SECTIONS_ASKED, count);
        kane_evaluation_remark_add(all, remark, &failed);
    }
    kane_release(spreads);
    if (!spreads || failed)
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    return good && !failed;
}
