// SPDX-License-Identifier: MIT
// What the table of effects says: effects measured by the range of what they change, terms in order of their largest effect,
// the conditions under which each may be neglected, and that in words.

#include "study/omission.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
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

static void sort(search *s, int a)
{
    const kane_axis *axis = s->grid->axes[a];
    s->has_numbers[a]     = 1;
    for (int i = 0; i < axis->count; i++)
        s->has_numbers[a] &= isfinite(axis->numbers[i]) != 0;
    for (int i = 0; i < axis->count; i++) {
        int k = i;
        for (; k > 0 && s->has_numbers[a] && axis->numbers[s->order[a][k - 1]] > axis->numbers[i]; k--)
            s->order[a][k] = s->order[a][k - 1];
        s->order[a][k] = i;
    }
}

static void keep_best(search *s)
{
    int restricted = 0;
    for (int a = 0; a < s->grid->axis_count; a++)
        restricted += s->now.values[a] != all_of(s->grid->axes[a]);
    if (s->now.size < s->best.size || (s->now.size == s->best.size && restricted >= s->restricted))
        return;
    s->best       = s->now;
    s->restricted = restricted;
}

// Value i of axis a joins those chosen: a condition stays good if it is so for both. Returns 0 if none is left.
static int join(search *s, int a, int i, int is_first)
{
    const unsigned char *own = s->layer[a] + (long)i * s->rest[a + 1];
    unsigned char any        = 0;
    for (long k = 0; k < s->rest[a + 1]; k++) {
        const unsigned char before = is_first ? 1 : s->layer[a + 1][k];
        s->layer[a + 1][k]         = before & own[k];
        any |= s->layer[a + 1][k];
    }
    return any;
}

static void choose(search *s, int a, int inside);

static void go_on(search *s, int a, int inside, uint64_t values)
{
    const long size = (long)inside * count_bits(values);
    if (size * s->rest[a + 1] < s->best.size)
        return;
    s->now.values[a] = values;
    choose(s, a + 1, (int)size);
}

static void choose_neighbours(search *s, int a, int inside)
{
    const int count = s->grid->axes[a]->count;
    for (int i = 0; i < count; i++) {
        uint64_t values = 0;
        for (int j = i; j < count && join(s, a, s->order[a][j], j == i); j++) {
            values |= UINT64_C(1) << s->order[a][j];
            go_on(s, a, inside, values);
            // what was chosen behind this axis has used the layers behind it, not this one's
        }
    }
}

static void choose_words(search *s, int a, int inside)
{
    for (uint64_t values = 1; values <= all_of(s->grid->axes[a]); values++) {
        int any = 1, is_first = 1;
        for (int i = 0; i < s->grid->axes[a]->count && any; i++)
            if (values >> i & 1) {
                any      = join(s, a, i, is_first);
                is_first = 0;
            }
        if (any)
            go_on(s, a, inside, values);
    }
}

// Chooses values of the axes from a on.
static void choose(search *s, int a, int inside)
{
    if (a == s->grid->axis_count) {
        s->now.size = s->layer[a][0] ? inside : 0;
        keep_best(s);
    } else if (s->has_numbers[a] || s->grid->axes[a]->count > WORDS_MOST) {
        choose_neighbours(s, a, inside);
    } else {
        choose_words(s, a, inside);
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
        sort(s, a);
    }
    for (int a = 0; a <= grid->axis_count; a++)
        s->layer[a] = kane_arena_alloc(arena, (size_t)s->rest[a], 1);
    const int failed = kane_arena_failed(arena);
    if (!failed) {
        memcpy(s->layer[0], good, count);
        s->restricted = grid->axis_count + 1;
        choose(s, 0, 1);
        *box = s->best;
    }
    kane_arena_free(arena);
    return !failed;
}

uint64_t kane_omission_good_values(const kane_grid *grid, const unsigned char *good, int axis)
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
    static const char *const names[] = {"always", "when", "never", "unknown"};
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
    for (int i = 0; i < axis->count; i++) {
        if (!isfinite(axis->numbers[i]))
            return (span){.least = -1, .most = -1};
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

static void say_words(kane_text *t, const kane_axis *axis, uint64_t values)
{
    const char *between = " = ";
    kane_text_add(t, "%s", axis->path);
    for (int i = 0; i < axis->count; i++)
        if (values >> i & 1) {
            kane_text_add(t, "%s%s", between, axis->texts[i]);
            between = " or ";
        }
}

static void say_numbers(kane_text *t, const kane_axis *axis, const span *s)
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

void kane_omission_say_box(const kane_grid *grid, const kane_omission_box *box, size_t size, char *text)
{
    kane_text t     = kane_text_start(size, text);
    const char *and = "";
    for (int a = 0; a < grid->axis_count; a++) {
        const kane_axis *axis = grid->axes[a];
        const span s          = span_of(axis, box->values[a]);
        int chosen            = 0;
        for (int i = 0; i < axis->count; i++)
            chosen += (int)(box->values[a] >> i & 1);
        if (chosen == axis->count)
            continue;
        kane_text_add(&t, "%s", and);
        if (s.least < 0)
            say_words(&t, axis, box->values[a]);
        else
            say_numbers(&t, axis, &s);
        and = " and ";
    }
}

// --- verdicts ---

enum { WORDS = 1024 };

// Where the effect on every response is below the threshold; counts into the verdict.
static void look(const kane_omission_table *t, int term, double threshold, unsigned char *good,
                 kane_omission_verdict *v)
{
    for (int c = 0; c < t->conditions; c++) {
        const kane_omission_case *at = kane_omission_case_at(t, c, term);
        good[c]                      = at->is_known && !at->ends_otherwise;
        v->failed += !at->is_known;
        v->otherwise += at->is_known && at->ends_otherwise;
        for (int i = 0; i < KANE_WRENCH_KINDS && at->is_known; i++)
            v->impulse[i] = fmax(v->impulse[i], at->impulse[i]);
        for (int r = 0; r < t->responses; r++)
            good[c] &= kane_omission_at(t, c, term, r)->relative < threshold;
        v->negligible += good[c];
    }
}

static kane_verdict decide(const kane_omission_table *t, const kane_omission_verdict *v)
{
    if (v->failed == t->conditions)
        return KANE_VERDICT_UNKNOWN;
    if (v->negligible == t->conditions - v->failed)
        return KANE_VERDICT_ALWAYS;
    return v->negligible == 0 ? KANE_VERDICT_NEVER : KANE_VERDICT_WHEN;
}

// Impulses that are less than a thousandth of the largest one of any term, or of what the term itself gives in a second, are not
// worth a word.
static void say_impulses(const kane_omission_table *t, int term, const kane_omission_verdict *v, kane_text *text)
{
    static const char *const units[KANE_WRENCH_KINDS] = {"N s", "N m s"};
    for (int i = 0, said = 0; i < KANE_WRENCH_KINDS; i++) {
        double most = 0.0;
        for (int k = 0; k < t->conditions * t->terms; k++) {
            most = t->at[k].is_known ? fmax(most, t->at[k].impulse[i]) : most;
            most = t->at[k].is_known && k % t->terms == term ? fmax(most, t->at[k].omitted[i]) : most;
        }
        if (!(v->impulse[i] > 1e-3 * most))
            continue;
        kane_text_add(text, "%s %.3g %s", said++ ? " and" : "; at kinks of the line it has impulses up to",
                      v->impulse[i], units[i]);
    }
}

static void say(const kane_grid *grid, const kane_omission_box *box, const kane_omission_verdict *v, int count,
                kane_text *text)
{
    char conditions[WORDS / 2];
    switch (v->verdict) {
    case KANE_VERDICT_ALWAYS: kane_text_add(text, "may be neglected"); break;
    case KANE_VERDICT_NEVER: kane_text_add(text, "may not be neglected"); break;
    case KANE_VERDICT_UNKNOWN: kane_text_add(text, "is not known"); break;
    case KANE_VERDICT_WHEN:
        kane_omission_say_box(grid, box, sizeof conditions, conditions);
        kane_text_add(text, "may be neglected when %s (%d of %d conditions", conditions, box->size, count);
        if (v->negligible > box->size)
            kane_text_add(text, "; %d more here and there", v->negligible - box->size);
        kane_text_add(text, ")");
    }
    if (v->otherwise > 0)
        kane_text_add(text, "; the run ends otherwise under %d", v->otherwise);
    if (v->failed > 0 && v->verdict != KANE_VERDICT_UNKNOWN)
        kane_text_add(text, "; %d not known", v->failed);
}

int kane_omission_judge(const kane_omission_table *table, const kane_grid *grid, int term, double threshold,
                        kane_arena *arena, kane_omission_verdict *verdict)
{
    unsigned char *good   = kane_allocate((size_t)table->conditions, 1);
    char *words           = kane_arena_alloc(arena, WORDS, 1);
    kane_omission_box box = {.size = 0};
    int well              = good && words;
    *verdict              = (kane_omission_verdict){.words = words};
    if (well) {
        kane_text text = kane_text_start(WORDS, words);
        look(table, term, threshold, good, verdict);
        verdict->verdict = decide(table, verdict);
        if (verdict->verdict == KANE_VERDICT_WHEN)
            well = kane_omission_find_box(grid, good, &box);
        verdict->inside = verdict->verdict == KANE_VERDICT_WHEN ? box.size : verdict->negligible;
        for (int a = 0; a < grid->axis_count; a++)
            verdict->values[a] = kane_omission_good_values(grid, good, a);
        say(grid, &box, verdict, table->conditions, &text);
        say_impulses(table, term, verdict, &text);
    }
    kane_release(good);
    return well;
}
