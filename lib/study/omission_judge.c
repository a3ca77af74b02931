// SPDX-License-Identifier: MIT
// What the table of effects says: effects measured by the range of what they change, terms in order of their largest
// effect, the conditions under which each may be neglected, and that in words.

#include "study/omission.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double hundredth = 0.01; // of its largest range a response must move before its own range is its measure

void kane_omission_scale(const kane_omission_report *report, int by_rms)
{
    const int cases = report->conditions * report->terms;
    for (int r = 0; r < report->responses; r++) {
        double range = 0.0; // largest one under all conditions
        for (int i = 0; i < cases; i++)
            if (report->run[i].is_known)
                range = fmax(range, report->effect[i * report->responses + r].range);
        const double least = fmax(hundredth * range, kane_omission_nothing(report->unit[r]));
        for (int i = 0; i < cases; i++) {
            kane_omission_effect *e = &report->effect[i * report->responses + r];
            const int known         = report->run[i].is_known;
            e->scale                = known ? fmax(e->range, least) : (double)NAN;
            e->relative             = known ? (by_rms ? e->rms : e->difference) / e->scale : (double)NAN;
        }
    }
}

double kane_omission_report_largest(const kane_omission_report *report, int term, int response, int *condition,
                                    int *where)
{
    const int from = response < 0 ? 0 : response, to = response < 0 ? report->responses : response + 1;
    double most = -1.0, inside = -1.0;
    *condition = *where = -1;
    for (int c = 0; c < report->conditions; c++) {
        const kane_omission_case *run = kane_omission_report_case(report, c, term);
        for (int r = from; r < to && run->is_known; r++) {
            const double relative = kane_omission_report_effect(report, c, term, r)->relative;
            const double counts   = run->ends_otherwise ? (double)INFINITY : relative;
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

int kane_omission_rank(const kane_omission_report *report, int response, int *order)
{
    double *largest = kane_allocate((size_t)report->terms, sizeof *largest);
    const int good  = largest != NULL;
    int condition, where;
    for (int term = 1; good && term < report->terms; term++) {
        int k         = term - 1;
        largest[term] = kane_omission_report_largest(report, term, response, &condition, &where);
        for (; k > 0; k--) { // those behind it move on by one
            const int before   = order[k - 1];
            const double other = largest[before];
            if (other > largest[term] ||
                (other == largest[term] && strcmp(report->term[before], report->term[term]) < 0))
                break;
            order[k] = before;
        }
        order[k] = term;
    }
    kane_release(largest);
    return good;
}

// --- boxes of conditions ---

enum { WORDS_MOST = 8 }; // of an axis whose subsets are all tried; of more words neighbours, as of numbers

typedef struct search {
    const kane_grid *grid;
    int order[KANE_OMISSION_AXES_MOST][KANE_OMISSION_VALUES_MOST]; // values of an axis, numbers ascending
    int has_numbers[KANE_OMISSION_AXES_MOST];
    long rest[KANE_OMISSION_AXES_MOST + 1]; // conditions of the axes from one on
    unsigned char
        *layer[KANE_OMISSION_AXES_MOST + 1]; // good ones of the axes from one on, given the values chosen before
    kane_omission_box now, best;
    int restricted; // axes of the best
} search;

static uint64_t all_of(const kane_axis *axis)
{
    return axis->count == KANE_OMISSION_VALUES_MOST ? UINT64_MAX : (UINT64_C(1) << axis->count) - 1;
}

static int count_bits(uint64_t values)
{
    int count = 0;
    for (; values; values &= values - 1)
        count++;
    return count;
}

static void sort_axis_values(search *s, int a)
{
    const kane_axis *axis = s->grid->axes[a];
    s->has_numbers[a]     = kane_axis_is_numeric(axis);
    for (int i = 0; i < axis->count; i++) {
        int k = i;
        for (; k > 0 && s->has_numbers[a] && axis->numbers[s->order[a][k - 1]] > axis->numbers[i]; k--)
            s->order[a][k] = s->order[a][k - 1];
        s->order[a][k] = i;
    }
}

static void store_best(search *s)
{
    int restricted = 0;
    for (int a = 0; a < s->grid->axis_count; a++)
        restricted += s->now.values[a] != all_of(s->grid->axes[a]);
    if (s->now.size < s->best.size || (s->now.size == s->best.size && restricted >= s->restricted))
        return;
    s->best       = s->now;
    s->restricted = restricted;
}

static void search_axis_values(search *s, int a, int inside);

// Selects these values (bits) of axis a: of the axes behind it a condition remains good if it is so for all of them. 0:
// none remains.
static int select_axis_values(search *s, int a, int inside, uint64_t values)
{
    const long size = (long)inside * count_bits(values), rest = s->rest[a + 1];
    unsigned char any = 0;
    if (size * rest < s->best.size)
        return 1;
    memset(s->layer[a + 1], 1, (size_t)rest);
    for (int i = 0; i < s->grid->axes[a]->count; i++)
        for (long k = 0; k < rest && values >> i & 1; k++)
            s->layer[a + 1][k] &= s->layer[a][i * rest + k];
    for (long k = 0; k < rest; k++)
        any |= s->layer[a + 1][k];
    s->now.values[a] = values;
    if (any)
        search_axis_values(s, a + 1, (int)size);
    return any;
}

// Searches the largest box of good conditions over the axes from a on: neighbours of an axis of numbers, any of few
// words.
static void search_axis_values(search *s, int a, int inside)
{
    const int count = a < s->grid->axis_count ? s->grid->axes[a]->count : 0;
    if (count == 0) {
        s->now.size = s->layer[a][0] ? inside : 0;
        store_best(s);
    } else if (s->has_numbers[a] || count > WORDS_MOST) {
        for (int i = 0; i < count; i++) {
            uint64_t values = 0;
            int any         = 1;
            for (int j = i; j < count && any; j++) {
                values |= UINT64_C(1) << s->order[a][j];
                any = select_axis_values(s, a, inside, values);
            }
        }
    } else {
        for (uint64_t values = 1; values <= all_of(s->grid->axes[a]); values++)
            (void)select_axis_values(s, a, inside, values);
    }
}

int kane_omission_find_box(const kane_grid *grid, const unsigned char *good, kane_omission_box *box)
{
    kane_arena *arena  = kane_arena_create();
    search *s          = arena ? kane_arena_alloc(arena, 1, sizeof *s) : NULL;
    const size_t count = (size_t)(int)kane_grid_size(grid);
    *box               = (kane_omission_box){.size = 0};
    if (!s) {
        kane_arena_free(arena);
        return 0;
    }
    s->grid                   = grid;
    s->rest[grid->axis_count] = 1;
    for (int a = grid->axis_count - 1; a >= 0; a--) {
        s->rest[a] = s->rest[a + 1] * grid->axes[a]->count;
        sort_axis_values(s, a);
    }
    for (int a = 0; a <= grid->axis_count; a++)
        s->layer[a] = kane_arena_alloc(arena, (size_t)s->rest[a], 1);
    const int failed = kane_arena_failed(arena);
    if (!failed) {
        memcpy(s->layer[0], good, count);
        s->restricted = grid->axis_count + 1;
        search_axis_values(s, 0, 1);
        *box = s->best;
    }
    kane_arena_free(arena);
    return !failed;
}

// Of an axis the values under which all conditions are good.
static uint64_t good_values(const kane_grid *grid, const unsigned char *good, int axis)
{
    uint64_t values = all_of(grid->axes[axis]);
    for (int c = 0; c < (int)kane_grid_size(grid); c++) {
        int value[KANE_OMISSION_AXES_MOST];
        kane_grid_values(grid, c, value);
        if (!good[c])
            values &= ~(UINT64_C(1) << value[axis]);
    }
    return values;
}

// --- words ---

const char *kane_verdict_name(kane_verdict verdict)
{
    static const char *const names[] = {"always", "when", "never", "unknown", "not resolved", "zero"};
    return names[verdict];
}

// Value `i` of an axis, a number with its unit.
static void add_value(kane_text *text, const kane_axis *axis, int i)
{
    char number[KANE_NUMBER_SIZE];
    if (!isfinite(axis->numbers[i])) {
        kane_text_add(text, "%s", axis->texts[i]);
        return;
    }
    kane_number_round(axis->numbers[i], 6, number);
    kane_text_add(text, "%s%s%s", number, axis->unit[0] ? " " : "", axis->unit);
}

void kane_omission_say_condition(const kane_grid *grid, int condition, size_t size, char *text)
{
    kane_text t = kane_text_start(size, text);
    int value[KANE_OMISSION_AXES_MOST];
    kane_grid_values(grid, condition, value);
    for (int a = 0; a < grid->axis_count; a++) {
        kane_text_add(&t, "%s%s ", a > 0 ? ", " : "", grid->axes[a]->path);
        add_value(&t, grid->axes[a], value[a]);
    }
    if (grid->axis_count == 0)
        kane_text_add(&t, "the run as it is");
}

// Of an axis the chosen values that are least and most, and how many values lie outside of them on either side.
typedef struct span {
    int least, most; // -1: words
    int below, above;
    int count;
} span;

static span span_of(const kane_axis *axis, uint64_t values)
{
    span s = {.least = -1, .most = -1};
    for (int i = 0; i < axis->count && kane_axis_is_numeric(axis); i++) {
        if (!(values >> i & 1))
            continue;
        s.count++;
        s.least = s.least < 0 || axis->numbers[i] < axis->numbers[s.least] ? i : s.least;
        s.most  = s.most < 0 || axis->numbers[i] > axis->numbers[s.most] ? i : s.most;
    }
    for (int i = 0; i < axis->count && s.least >= 0; i++) {
        s.below += axis->numbers[i] < axis->numbers[s.least];
        s.above += axis->numbers[i] > axis->numbers[s.most];
    }
    return s;
}

static void write_words(kane_text *t, const kane_axis *axis, uint64_t values)
{
    const char *between = " = ";
    kane_text_add(t, "%s", axis->path);
    for (int i = 0; i < axis->count; i++)
        if (values >> i & 1) {
            kane_text_add(t, "%s%s", between, axis->texts[i]);
            between = " or ";
        }
}

static void write_numbers(kane_text *t, const kane_axis *axis, const span *s)
{
    const double least = axis->numbers[s->least], most = axis->numbers[s->most];
    if (s->count == 1 && s->below > 0 && s->above > 0) {
        kane_text_add(t, "%s = ", axis->path);
    } else if (s->below > 0 && s->above > 0 && least == -most) {
        kane_text_add(t, "|%s| <= ", axis->path);
    } else if (s->below > 0 && s->above > 0) {
        add_value(t, axis, s->least);
        kane_text_add(t, " <= %s <= ", axis->path);
    } else if (s->below > 0) {
        kane_text_add(t, "%s >= ", axis->path);
        add_value(t, axis, s->least);
        return;
    } else {
        kane_text_add(t, "%s <= ", axis->path);
    }
    add_value(t, axis, s->most);
}

void kane_omission_format_box(const kane_grid *grid, const kane_omission_box *box, size_t size, char *text)
{
    kane_text t     = kane_text_start(size, text);
    const char *and = "";
    for (int a = 0; a < grid->axis_count; a++) {
        const kane_axis *axis = grid->axes[a];
        const span s          = span_of(axis, box->values[a]);
        if (count_bits(box->values[a]) == axis->count)
            continue;
        kane_text_add(&t, "%s", and);
        if (s.least < 0)
            write_words(&t, axis, box->values[a]);
        else
            write_numbers(&t, axis, &s);
        and = " and ";
    }
}

// --- verdicts ---

enum { WORDS = 1024 };

static const double resolved = 2.0; // times the accuracy: an effect that is less is not told from it

// Of the effects on all responses the one that says most against neglecting. Effects that are not below the threshold
// must be twice what tighter tolerances change. Below it they are negligible if tighter tolerances change less than the
// threshold, too. An effect that is exactly zero has the same bits in both runs.
kane_judgement kane_omission_judge_effect(const kane_omission_report *report, int condition, int term, int response,
                                          double threshold)
{
    kane_judgement worst = KANE_IS_NEGLIGIBLE;
    for (int r = response < 0 ? 0 : response; r < (response < 0 ? report->responses : response + 1); r++) {
        const double effect = kane_omission_report_effect(report, condition, term, r)->relative;
        const double least  = kane_omission_report_effect(report, condition, KANE_OMISSION_ACCURACY, r)->relative;
        if (effect == 0.0 || (effect < threshold && least < threshold))
            continue;
        if (effect >= threshold && !(effect < resolved * least))
            return KANE_IS_TOO_LARGE;
        worst = KANE_IS_UNRESOLVED;
    }
    return worst;
}

// Where a term may be neglected; counts into the verdict.
static void judge_conditions(const kane_omission_report *report, int term, double threshold, unsigned char *good,
                             kane_omission_verdict *v)
{
    const int is_term = term != KANE_OMISSION_ACCURACY; // by which terms are judged
    for (int c = 0; c < report->conditions; c++) {
        const kane_omission_case *run = kane_omission_report_case(report, c, term);
        const kane_judgement is       = kane_omission_judge_effect(report, c, term, -1, threshold);
        const int counts              = run->is_known && !run->ends_otherwise;
        v->failed += !run->is_known;
        v->otherwise += run->is_known && run->ends_otherwise;
        v->zero += counts && run->is_empty;
        for (int i = 0; i < KANE_WRENCH_KINDS && run->is_known; i++)
            v->impulse[i] = fmax(v->impulse[i], run->impulse[i]);
        v->unresolved += counts && is_term && is == KANE_IS_UNRESOLVED;
        good[c] = counts && is == KANE_IS_NEGLIGIBLE;
        v->negligible += good[c];
    }
    const int is_known = report->conditions - v->failed;
    v->verdict         = is_known == 0               ? KANE_VERDICT_UNKNOWN
                         : v->zero == is_known       ? KANE_VERDICT_ZERO
                         : v->negligible == is_known ? KANE_VERDICT_ALWAYS
                         : v->negligible > 0         ? KANE_VERDICT_WHEN
                         : v->unresolved == is_known ? KANE_VERDICT_UNRESOLVED
                                                     : KANE_VERDICT_NEVER;
}

// Impulses that are less than a thousandth of the largest one of any term, or of what the term itself gives in a
// second, are not worth a word.
static void write_impulses(const kane_omission_report *report, int term, const kane_omission_verdict *v,
                           kane_text *text)
{
    static const char *const units[KANE_WRENCH_KINDS] = {"N s", "N m s"};
    for (int i = 0, said = 0; i < KANE_WRENCH_KINDS; i++) {
        double most = 0.0;
        for (int k = 0; k < report->conditions * report->terms; k++) {
            const kane_omission_case *run = &report->run[k];
            if (run->is_known)
                most = fmax(most, fmax(run->impulse[i], k % report->terms == term ? run->omitted[i] : 0.0));
        }
        if (!(v->impulse[i] > 1e-3 * most))
            continue;
        kane_text_add(text, "%s %.3g %s", said++ ? " and" : "; at kinks of the line it has impulses up to",
                      v->impulse[i], units[i]);
    }
}

static void write_verdict(const kane_grid *grid, const kane_omission_box *box, const kane_omission_verdict *v,
                          int count, kane_text *text)
{
    char conditions[WORDS / 2];
    switch (v->verdict) {
    case KANE_VERDICT_ALWAYS: kane_text_add(text, "may be neglected"); break;
    case KANE_VERDICT_NEVER: kane_text_add(text, "may not be neglected"); break;
    case KANE_VERDICT_UNKNOWN: kane_text_add(text, "is not known"); break;
    case KANE_VERDICT_UNRESOLVED: kane_text_add(text, "is not resolved"); break;
    case KANE_VERDICT_ZERO: kane_text_add(text, "is zero throughout, no statement"); break;
    case KANE_VERDICTS: break;
    case KANE_VERDICT_WHEN:
        kane_omission_format_box(grid, box, sizeof conditions, conditions);
        kane_text_add(text, "may be neglected when %s (%d of %d conditions", conditions, box->size, count);
        if (v->negligible > box->size)
            kane_text_add(text, "; %d more here and there", v->negligible - box->size);
        kane_text_add(text, ")");
    }
    if (v->unresolved > 0 && v->verdict != KANE_VERDICT_UNRESOLVED)
        kane_text_add(text, "; not resolved under %d", v->unresolved);
    if (v->otherwise > 0)
        kane_text_add(text, "; the run ends otherwise under %d", v->otherwise);
    if (v->failed > 0 && v->verdict != KANE_VERDICT_UNKNOWN)
        kane_text_add(text, "; %d not known", v->failed);
}

int kane_omission_judge(const kane_omission_report *report, const kane_grid *grid, int term, double threshold,
                        kane_arena *arena, kane_omission_verdict *verdict)
{
    unsigned char *good   = kane_allocate((size_t)report->conditions, 1);
    char *words           = kane_arena_alloc(arena, WORDS, 1);
    kane_omission_box box = {.size = 0};
    int well              = good && words;
    *verdict              = (kane_omission_verdict){.words = words};
    if (well) {
        kane_text text = kane_text_start(WORDS, words);
        judge_conditions(report, term, threshold, good, verdict);
        if (verdict->verdict == KANE_VERDICT_WHEN)
            well = kane_omission_find_box(grid, good, &box);
        verdict->inside = verdict->verdict == KANE_VERDICT_WHEN ? box.size : verdict->negligible;
        for (int a = 0; a < grid->axis_count; a++)
            verdict->values[a] = good_values(grid, good, a);
        write_verdict(grid, &box, verdict, report->conditions, &text);
        write_impulses(report, term, verdict, &text);
    }
    kane_release(good);
    return well;
}
