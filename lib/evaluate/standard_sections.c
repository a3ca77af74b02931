// SPDX-License-Identifier: MIT
// Evaluation by sections: each has one radius, one cant and one cant deficiency and its own percentiles, and from these
// the maximum is estimated (EN 14363, UIC 518).

#include "base/number.h"
#include "evaluate/standard.h"

#include <stdio.h>
#include <string.h>

enum { SECTIONS_ASKED = 25, SECTIONS_MOST = 10000 };

// Sections of a run, and the kinds of curves that they are in.
typedef struct sections {
    kane_line_rows line;
    int count;
    double from[SECTIONS_MOST], to[SECTIONS_MOST]; // [m]
    int kind_of[SECTIONS_MOST];
    int kinds;
    kane_line_value kind[KANE_CURVES_MOST]; // the last one has all that are of no other
    kane_left_out_list left_out;
} sections;

// Sizes of one quantity in the sections that have it, and their sums in each kind of curve.
typedef struct spread {
    int count;
    double sum, squares, largest, at;
    int kind_count[KANE_CURVES_MOST];
    double kind_sum[KANE_CURVES_MOST], kind_squares[KANE_CURVES_MOST], kind_at[KANE_CURVES_MOST];
} spread;

static kane_quantity_id id_of(const kane_assessment *a)
{
    return (kane_quantity_id)(a->quantity - kane_quantity_get(0));
}

static void add_value(spread *s, const kane_assessment *a, int kind, double from)
{
    const double size = kane_limit_size(id_of(a), a->value);
    if (s->count == 0 || size > s->largest) {
        s->largest = size;
        s->at      = a->at;
    }
    s->count++;
    s->sum += size;
    s->squares += size * size;
    if (s->kind_count[kind]++ == 0)
        s->kind_at[kind] = from;
    s->kind_sum[kind] += size;
    s->kind_squares[kind] += size * size;
}

static const kane_assessment *find_assessment(const kane_evaluation *part, const kane_assessment *a)
{
    for (int i = 0; i < part->count; i++)
        if (part->rows[i].quantity == a->quantity && strcmp(part->rows[i].of, a->of) == 0)
            return &part->rows[i];
    return NULL;
}

// Mean and deviation of n sizes. The sums lose no digits that matter: sizes do not differ by orders.
static void set_mean(kane_assessment *a, int n, double sum, double squares)
{
    a->sections  = n;
    a->mean      = sum / n;
    a->deviation = sqrt(fmax(squares - sum * a->mean, 0.0) / (n - 1)); // of one section NaN
}

// A quasi-static value is the mean of the sections in one kind of curve: where it is largest.
static int find_worst_kind(const spread *s, int kinds)
{
    int worst = -1;
    for (int k = 0; k < kinds; k++)
        if (s->kind_count[k] > 0 &&
            (worst < 0 || s->kind_sum[k] * s->kind_count[worst] > s->kind_sum[worst] * s->kind_count[k]))
            worst = k;
    return worst;
}

// Estimate of n sizes: mean + k s, s: standard deviation; k = 0: largest mean of a kind of curve.
static void set_estimate(kane_assessment *a, const spread *s, int kinds)
{
    a->factor = kane_limit_factor(id_of(a));
    if (a->factor > 0.0) {
        set_mean(a, s->count, s->sum, s->squares);
        a->value = a->mean + a->factor * a->deviation;
        a->at    = s->at;
    } else {
        const int k = find_worst_kind(s, kinds);
        set_mean(a, s->kind_count[k], s->kind_sum[k], s->kind_squares[k]);
        a->value = a->mean;
        a->at    = kinds > 1 ? s->kind_at[k] : (double)NAN;
    }
    a->used = fmax(a->value, 0.0) / a->limit;
}

// Values of the whole way are copied; a quantity of no section, or of one section where a deviation is needed, is left
// out.
static void estimate_all(kane_evaluation *all, const spread *spreads, int kinds, int *failed)
{
    int kept = 0;
    for (int i = 0; i < all->count; i++) {
        char remark[200];
        kane_assessment a  = all->rows[i];
        const int is_whole = isnan(kane_limit_factor(id_of(&a)));
        if (!is_whole && spreads[i].count > 0)
            set_estimate(&a, &spreads[i], kinds);
        if (is_whole || (spreads[i].count > 0 && isfinite(a.value))) {
            all->rows[kept++] = a;
            continue;
        }
        (void)snprintf(remark, sizeof remark, "%s: there are %d sections that have it, too few", a.quantity->name,
                       spreads[i].count);
        kane_evaluation_note_add(all, remark, failed);
    }
    all->count = kept;
}

// --- which ---

static const double *find_column(const kane_results *results, const char *name)
{
    kane_errors unreported = {.limit = 1};
    const int index        = kane_results_find(results, name, &unreported);
    return index >= 0 ? kane_results_values(results, index) : NULL;
}

static int kind_of(sections *s, const kane_line_value *value)
{
    for (int k = 0; k < s->kinds; k++)
        if (kane_line_is_same(&s->kind[k], value))
            return k;
    if (s->kinds == KANE_CURVES_MOST)
        return KANE_CURVES_MOST - 1;
    s->kind[s->kinds] = *value;
    return s->kinds++;
}

// 0 without memory.
static int find_sections(sections *s, double from, double to, double length)
{
    int i = 0;
    while (i < s->line.count && s->line.s[i] < from)
        i++;
    while (i < s->line.count - 1 && s->line.s[i] < to && s->count < SECTIONS_MOST) {
        kane_section one;
        const kane_section_fault fault = kane_section_find(&s->line, i, length, to, &one);
        const int next                 = kane_section_next(&s->line, i);
        if (fault != KANE_SECTION_WHOLE) {
            if (!kane_left_out_add(&s->left_out, &s->line, 0, fault, i, next))
                return 0;
            i = next;
            continue;
        }
        s->from[s->count]      = s->line.s[i];
        s->to[s->count]        = s->line.s[one.last];
        s->kind_of[s->count++] = kind_of(s, &one.mean);
        i                      = one.last;
    }
    return 1;
}

// Notes: definition of a section, and stretches that are in none.
static void note_sections(kane_evaluation *all, const sections *s, int *failed)
{
    char remark[400], text[200];
    kane_section_tolerance_format(s->line.running_distance, sizeof text, text);
    (void)kane_snprintf(remark, sizeof remark, "a section has one radius, one cant and one cant deficiency: %s", text);
    kane_evaluation_note_add(all, remark, failed);
    for (int i = 0; i < s->left_out.count; i++) {
        const kane_left_out_stretch *l = &s->left_out.stretches[i];
        if (i == KANE_LEFT_OUT_TOLD && s->left_out.count > KANE_LEFT_OUT_TOLD + 1) {
            (void)snprintf(remark, sizeof remark, "no section begins in %d stretches more", s->left_out.count - i);
            kane_evaluation_note_add(all, remark, failed);
            return;
        }
        kane_left_out_format(l, sizeof text, text);
        (void)kane_snprintf(remark, sizeof remark, "no section begins from %.6g m to %.6g m: %s", l->from, l->to, text);
        kane_evaluation_note_add(all, remark, failed);
    }
    if (s->kinds > 1) {
        (void)snprintf(
            remark, sizeof remark,
            "the sections have %d kinds of line, which quasi-static values take apart and other estimates do "
            "not; kane report does by test zones",
            s->kinds);
        kane_evaluation_note_add(all, remark, failed);
    }
}

// --- all of them ---

// The sections one by one. 0 with errors.
static int add_section_values(kane_evaluation *all, const kane_results *results, const kane_evaluation_options *options,
                              kane_filtered *filtered, const sections *s, spread *spreads, kane_errors *errors)
{
    for (int k = 0; k < s->count; k++) {
        kane_evaluation_options part = *options;
        part.from                    = s->from[k];
        part.to                      = s->to[k];
        kane_evaluation *one         = kane_examine_all(results, &part, filtered, 1, errors);
        if (!one)
            return 0;
        for (int i = 0; i < all->count; i++) {
            const kane_assessment *a = find_assessment(one, &all->rows[i]);
            if (a)
                add_value(&spreads[i], a, s->kind_of[k], s->from[k]);
        }
        kane_evaluation_free(one);
    }
    return 1;
}

static int evaluate_sections(kane_evaluation *all, const kane_results *results, const kane_evaluation_options *options,
                             kane_filtered *filtered, sections *s, kane_errors *errors)
{
    char remark[200];
    int failed = !find_sections(s, all->section.from, all->section.to, options->section);
    if (!failed && (s->count < 2 || s->count == SECTIONS_MOST)) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT,
                        "sections of %g m: there are %g m, with %d stretches of one radius, cant and cant deficiency; "
                        "possible are 2 to %d",
                        options->section, all->section.to - all->section.from, s->count, (int)SECTIONS_MOST - 1);
        return 0;
    }
    spread *spreads = failed ? NULL : kane_allocate((size_t)all->count, sizeof *spreads);
    const int good  = spreads && add_section_values(all, results, options, filtered, s, spreads, errors);
    if (good) {
        estimate_all(all, spreads, s->kinds, &failed);
        note_sections(all, s, &failed);
    }
    if (good && s->count < SECTIONS_ASKED) {
        (void)snprintf(remark, sizeof remark, "EN 14363 asks for %d sections of each zone, there are %d",
                       (int)SECTIONS_ASKED, s->count);
        kane_evaluation_note_add(all, remark, &failed);
    }
    failed |= !spreads;
    kane_release(spreads);
    if (failed)
        (void)kane_no_memory(errors);
    return good && !failed;
}

int kane_examine_sections(kane_evaluation *all, const kane_results *results, const kane_evaluation_options *options,
                          kane_filtered *filtered, kane_errors *errors)
{
    kane_arena *arena = kane_arena_create();
    sections *s       = arena ? kane_arena_alloc(arena, 1, sizeof *s) : NULL;
    int good          = s != NULL;
    if (!s)
        (void)kane_no_memory(errors);
    if (s) {
        s->line =
            (kane_line_rows){kane_results_row_count(results),         find_column(results, "distance"),
                             find_column(results, "track.curvature"), find_column(results, "track.superelevation"),
                             find_column(results, "speed"),           options->running_distance};
        s->left_out.arena = arena;
        good              = evaluate_sections(all, results, options, filtered, s, errors);
    }
    kane_arena_free(arena);
    return good;
}
