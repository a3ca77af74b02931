// SPDX-License-Identifier: MIT
// May a term be neglected?

#include "study/omission_table.h"

#include "base/text.h"

#include <math.h>

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

static void say(const kane_omission_grid *grid, const kane_omission_box *box, const kane_omission_verdict *v, int count,
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

int kane_omission_judge(const kane_omission_table *table, const kane_omission_grid *grid, int term, double threshold,
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
