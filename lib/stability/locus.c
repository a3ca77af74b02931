// SPDX-License-Identifier: MIT
// Root loci.

#include <kane/locus.h>

#include "base/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// === Which mode at one value of a parameter is which one at the next: the pairs that are nearest to each other, best
// ones first. Distance: 1 - likeness of shapes, plus distance of the eigenvalue from its linear prediction.

// A mode where it was last seen, and where it is expected next.
typedef struct kane_locus_tip {
    const kane_modes *modes; // NULL: it has ended
    int mode;
    double value;              // of the parameter
    double re, im;             // of its eigenvalue
    double slope_re, slope_im; // by the parameter; 0 where not known yet
} kane_locus_tip;

static const double TOO_FAR   = 1.3;  // nothing that is further away is the same mode
static const double UNLIKE    = 0.6;  // a likeness below this is not clear ...
static const double DISPLACED = 1e-3; // ... unless the eigenvalue is as near as this

typedef struct pair {
    double distance;
    int tip, mode;
} pair;

// Distance of an eigenvalue from its linear prediction, |lambda - lambda_p|/((|lambda| + |lambda_tip|)/2) [1].
static double eigenvalue_jump(const kane_locus_tip *tip, const kane_modes *modes, int mode, double value)
{
    const kane_mode *m = kane_modes_get(modes, mode);
    const double step = value - tip->value, re = tip->re + step * tip->slope_re, im = tip->im + step * tip->slope_im;
    const double size = hypot(m->re, m->im) + hypot(tip->re, tip->im);
    return size > 0.0 ? 2.0 * hypot(m->re - re, m->im - fabs(im)) / size : 0.0;
}

// How far mode `mode` of `modes` at `value` is from what a tip is expected to be: 0 .. 2, small where it is the same
// one.
static double tip_distance(const kane_locus_tip *tip, const kane_modes *modes, int mode, double value)
{
    const double likeness = kane_modes_likeness(tip->modes, tip->mode, modes, mode);
    return 1.0 - likeness + fmin(1.0, eigenvalue_jump(tip, modes, mode, value));
}

// Whether a mode is followed at all.
static int is_followed(const kane_mode *mode, double highest)
{
    return mode->kind != KANE_MODE_INDIFFERENT && !(highest > 0.0 && mode->natural > highest);
}

static int compare_pairs(const void *a, const void *b)
{
    const pair *p = a, *q = b;
    if (p->distance != q->distance)
        return p->distance < q->distance ? -1 : 1;
    return p->tip != q->tip ? p->tip - q->tip : p->mode - q->mode;
}

// All pairs that may be, nearest first; returns how many.
static int list_pairs(int count, const kane_locus_tip *tips, const kane_modes *modes, double value, double highest,
                      pair *pairs)
{
    int found = 0;
    for (int t = 0; t < count; t++)
        for (int m = 0; tips[t].modes && m < kane_modes_count(modes); m++) {
            if (!is_followed(kane_modes_get(modes, m), highest))
                continue;
            const double distance = tip_distance(&tips[t], modes, m, value);
            if (distance < TOO_FAR)
                pairs[found++] = (pair){distance, t, m};
        }
    qsort(pairs, (size_t)found, sizeof *pairs, compare_pairs);
    return found;
}

static int is_clear(const kane_locus_tip *tip, const kane_modes *modes, int mode, double value)
{
    if (mode < 0)
        return 0;
    return kane_modes_likeness(tip->modes, tip->mode, modes, mode) > UNLIKE ||
           eigenvalue_jump(tip, modes, mode, value) < DISPLACED;
}

// The mode of each tip: fills choice [count], -1: none. Modes of a natural frequency above `highest` [Hz] are left (0:
// none are). Returns 1, 0 if it is not clear, -1 without memory.
static int match_tips(int count, const kane_locus_tip *tips, const kane_modes *modes, double value, double highest,
                      int *choice)
{
    const size_t mode_count = (size_t)kane_modes_count(modes);
    pair *pairs             = kane_allocate((size_t)count * mode_count, sizeof *pairs);
    int *taken = kane_allocate(mode_count, sizeof *taken), clear = 1;
    if (pairs && taken) {
        const int found = list_pairs(count, tips, modes, value, highest, pairs);
        for (int t = 0; t < count; t++)
            choice[t] = -1;
        for (int p = 0; p < found; p++) {
            if (choice[pairs[p].tip] >= 0 || taken[pairs[p].mode])
                continue;
            choice[pairs[p].tip] = pairs[p].mode;
            taken[pairs[p].mode] = 1;
        }
        for (int t = 0; t < count; t++)
            clear = clear && (!tips[t].modes || is_clear(&tips[t], modes, choice[t], value));
    } else {
        clear = -1;
    }
    kane_release(pairs);
    kane_release(taken);
    return clear;
}

// Moves a tip on to a mode, or begins it there.
static void extend_tip(kane_locus_tip *tip, const kane_modes *modes, int mode, double value)
{
    const kane_mode *m = kane_modes_get(modes, mode);
    const double step  = value - tip->value;
    const int known    = tip->modes != NULL && step != 0.0;
    tip->slope_re      = known ? (m->re - tip->re) / step : 0.0;
    tip->slope_im      = known ? (m->im - tip->im) / step : 0.0;
    tip->modes         = modes;
    tip->mode          = mode;
    tip->value         = value;
    tip->re            = m->re;
    tip->im            = m->im;
}

// === Branches.

enum { DIVISIONS = 4, ITERATIONS = 80 };

static const double DRIFT = 1.1; // of the frequency of a mode that grows at some value, up to others

struct kane_locus {
    const kane_locus_study *study; // while it is made
    kane_errors *errors;           //
    double highest;                // of the study; what grows is followed whatever its frequency
    int value_count;
    const kane_modes **at; // modes at every value
    int kept_count, kept_room;
    kane_modes **kept; // all modes that were asked for
    int count, room;   // branches
    int *branch;       // [room * value_count] mode of each at each value; -1: none
    kane_locus_tip *tips;
    int crossing_count, crossing_room;
    kane_locus_crossing *crossings;
};

// Room for one more thing in a list that grows; 0 without memory.
static int grow_list(void **list, int count, int *room, size_t size)
{
    if (count < *room)
        return 1;
    const int more = *room ? 2 * *room : 32;
    void *larger   = kane_allocate((size_t)more, size);
    if (!larger)
        return 0;
    if (count > 0)
        memcpy(larger, *list, (size_t)count * size);
    kane_release(*list);
    *list = larger;
    *room = more;
    return 1;
}

static int report_memory(kane_locus *locus)
{
    (void)kane_no_memory(locus->errors);
    return 0;
}

// Modes at a value of the parameter, owned by the locus. NULL with errors.
static const kane_modes *evaluate_modes(kane_locus *locus, double value)
{
    void *list = locus->kept;
    if (!grow_list(&list, locus->kept_count, &locus->kept_room, sizeof *locus->kept)) {
        (void)report_memory(locus);
        return NULL;
    }
    locus->kept       = list;
    kane_modes *modes = locus->study->modes(value, locus->study->data, locus->errors);
    if (modes)
        locus->kept[locus->kept_count++] = modes;
    return modes;
}

// --- branches ---

static int *branch_mode(const kane_locus *locus, int branch, int i)
{
    return &locus->branch[(size_t)branch * (size_t)locus->value_count + (size_t)i];
}

static int begin_branch(kane_locus *locus, const kane_modes *modes, int mode, int i)
{
    void *tips = locus->tips, *rows = locus->branch;
    int room = locus->room;
    if (!grow_list(&tips, locus->count, &room, sizeof *locus->tips))
        return report_memory(locus);
    locus->tips = tips;
    room        = locus->room;
    if (!grow_list(&rows, locus->count, &room, (size_t)locus->value_count * sizeof *locus->branch))
        return report_memory(locus);
    locus->branch = rows;
    locus->room   = room;
    for (int k = 0; k < locus->value_count; k++)
        *branch_mode(locus, locus->count, k) = -1;
    *branch_mode(locus, locus->count, i) = mode;
    locus->tips[locus->count]            = (kane_locus_tip){.modes = NULL};
    extend_tip(&locus->tips[locus->count], modes, mode, locus->study->values[i]);
    locus->count++;
    return 1;
}

// Continues all branches from one value to another; halves the interval, at most `divisions` times, where modes are
// ambiguous.
static int advance_tips(kane_locus *locus, double from, double to, const kane_modes *modes, int divisions, int *choice)
{
    const int clear = match_tips(locus->count, locus->tips, modes, to, locus->highest, choice);
    if (clear < 0)
        return report_memory(locus);
    if (!clear && divisions > 0) {
        const double middle     = 0.5 * (from + to);
        const kane_modes *there = evaluate_modes(locus, middle);
        return there && advance_tips(locus, from, middle, there, divisions - 1, choice) &&
               advance_tips(locus, middle, to, modes, divisions - 1, choice);
    }
    for (int b = 0; b < locus->count; b++) {
        if (locus->tips[b].modes && choice[b] >= 0)
            extend_tip(&locus->tips[b], modes, choice[b], to);
        else
            locus->tips[b].modes = NULL;
    }
    return 1;
}

// Modes at value i that no branch has come to begin branches.
static int begin_branches(kane_locus *locus, int i)
{
    const kane_modes *modes = locus->at[i];
    for (int m = 0; m < kane_modes_count(modes); m++) {
        int taken = 0;
        for (int b = 0; b < locus->count; b++)
            taken = taken || *branch_mode(locus, b, i) == m;
        if (!taken && is_followed(kane_modes_get(modes, m), locus->highest) && !begin_branch(locus, modes, m, i))
            return 0;
    }
    return 1;
}

// Modes at all values, and up to which frequency they are followed: what grows at one of them may have another
// frequency at the next.
static int evaluate_all_modes(kane_locus *locus)
{
    locus->highest = locus->study->highest;
    for (int i = 0; i < locus->value_count; i++) {
        locus->at[i] = evaluate_modes(locus, locus->study->values[i]);
        if (!locus->at[i])
            return 0;
        for (int m = 0; m < kane_modes_count(locus->at[i]) && locus->highest > 0.0; m++) {
            const kane_mode *mode = kane_modes_get(locus->at[i], m);
            if (kane_mode_grows(mode))
                locus->highest = fmax(locus->highest, DRIFT * mode->natural);
        }
    }
    return 1;
}

static int follow_modes(kane_locus *locus)
{
    const double *values = locus->study->values;
    for (int i = 0; i < locus->value_count; i++) {
        int *choice = kane_allocate((size_t)locus->count, sizeof *choice);
        if (!choice)
            return report_memory(locus);
        const int good = i == 0 || advance_tips(locus, values[i - 1], values[i], locus->at[i], DIVISIONS, choice);
        kane_release(choice);
        for (int b = 0; good && b < locus->count; b++)
            *branch_mode(locus, b, i) = locus->tips[b].modes ? locus->tips[b].mode : -1;
        if (!good || !begin_branches(locus, i))
            return 0;
    }
    return 1;
}

// --- crossings ---

// One end of the interval in which a crossing is.
typedef struct end {
    double value, re;
    kane_locus_tip tip;
} end;

static end make_end(const kane_modes *modes, int mode, double value)
{
    end e = {.value = value, .re = kane_modes_get(modes, mode)->re, .tip = {.modes = NULL}};
    extend_tip(&e.tip, modes, mode, value);
    return e;
}

// The mode between both ends that is theirs.
static int find_between(const kane_locus *locus, const end *a, const end *b, const kane_modes *modes, double value)
{
    int best          = 0;
    double nearest    = HUGE_VAL;
    end from[2]       = {*a, *b};
    const double step = b->value - a->value;
    for (int k = 0; k < 2; k++) {
        from[k].tip.slope_re = (b->tip.re - a->tip.re) / step;
        from[k].tip.slope_im = (b->tip.im - a->tip.im) / step;
    }
    for (int m = 0; m < kane_modes_count(modes); m++) {
        if (!is_followed(kane_modes_get(modes, m), locus->highest))
            continue;
        const double distance =
            tip_distance(&from[0].tip, modes, m, value) + tip_distance(&from[1].tip, modes, m, value);
        if (distance < nearest) {
            nearest = distance;
            best    = m;
        }
    }
    return best;
}

static int add_crossing(kane_locus *locus, int branch, int loses, const end *e)
{
    void *list = locus->crossings;
    if (!grow_list(&list, locus->crossing_count, &locus->crossing_room, sizeof *locus->crossings))
        return report_memory(locus);
    locus->crossings                          = list;
    locus->crossings[locus->crossing_count++] = (kane_locus_crossing){
        .value = e->value, .branch = branch, .loses = loses, .mode = kane_modes_get(e->tip.modes, e->tip.mode)};
    return 1;
}

static int is_growing(const end *e)
{
    return kane_mode_grows(kane_modes_get(e->tip.modes, e->tip.mode));
}

// Regula falsi; an end that stays counts half (Illinois), so that both close in.
static int refine_crossing(kane_locus *locus, int branch, end a, end b)
{
    const double tolerance = (locus->study->tolerance > 0.0 ? locus->study->tolerance : 1e-9) * fabs(b.value - a.value);
    const int loses        = is_growing(&b);
    double fa = a.re, fb = b.re;
    for (int i = 0; i < ITERATIONS && a.re != 0.0 && fabs(b.value - a.value) > tolerance; i++) {
        double value = b.value - fb * (b.value - a.value) / (fb - fa);
        if (!((value - a.value) * (value - b.value) < 0.0))
            value = 0.5 * (a.value + b.value);
        const kane_modes *modes = evaluate_modes(locus, value);
        if (!modes)
            return 0;
        const end c = make_end(modes, find_between(locus, &a, &b, modes, value), value);
        if ((c.re > 0.0) == (b.re > 0.0)) {
            fa *= 0.5;
        } else {
            a  = b;
            fa = fb;
        }
        const double moved = fabs(c.value - b.value);
        b                  = c;
        fb                 = c.re;
        if (moved <= tolerance)
            break;
    }
    return add_crossing(locus, branch, loses, fabs(a.re) < fabs(b.re) ? &a : &b);
}

static int find_crossings(kane_locus *locus)
{
    const double *values = locus->study->values;
    for (int i = 1; i < locus->value_count; i++)
        for (int branch = 0; branch < locus->count; branch++) {
            const int before = *branch_mode(locus, branch, i - 1), after = *branch_mode(locus, branch, i);
            if (before < 0 || after < 0)
                continue;
            const end a = make_end(locus->at[i - 1], before, values[i - 1]);
            const end b = make_end(locus->at[i], after, values[i]);
            if (is_growing(&a) != is_growing(&b) && !refine_crossing(locus, branch, a, b))
                return 0;
        }
    for (int i = 1; i < locus->crossing_count; i++) // branches of one step among each other
        for (int k = i; k > 0; k--) {
            kane_locus_crossing *c = &locus->crossings[k - 1];
            const double way       = values[locus->value_count - 1] - values[0];
            if (!((c[0].value - c[1].value) * way > 0.0))
                break;
            const kane_locus_crossing later = c[0];
            c[0]                            = c[1];
            c[1]                            = later;
        }
    return 1;
}

kane_locus *kane_locus_create(const kane_locus_study *study, kane_errors *errors)
{
    kane_errors unreported = {.limit = 1};
    kane_locus *locus      = kane_allocate(1, sizeof *locus);
    if (!locus) {
        (void)kane_no_memory(errors);
        return NULL;
    }
    locus->study       = study;
    locus->errors      = errors ? errors : &unreported;
    locus->value_count = study->count;
    locus->at          = kane_allocate((size_t)study->count, sizeof *locus->at);
    const int good     = (locus->at || report_memory(locus)) && evaluate_all_modes(locus) && follow_modes(locus) &&
                     find_crossings(locus);
    locus->study  = NULL;
    locus->errors = NULL;
    if (good)
        return locus;
    kane_locus_free(locus);
    return NULL;
}

void kane_locus_free(kane_locus *locus)
{
    if (!locus)
        return;
    for (int i = 0; i < locus->kept_count; i++)
        kane_modes_free(locus->kept[i]);
    kane_release(locus->kept);
    kane_release(locus->at);
    kane_release(locus->branch);
    kane_release(locus->tips);
    kane_release(locus->crossings);
    kane_release(locus);
}

int kane_locus_count(const kane_locus *locus)
{
    return locus->count;
}

const kane_mode *kane_locus_get(const kane_locus *locus, int branch, int i)
{
    const int mode = *branch_mode(locus, branch, i);
    return mode < 0 ? NULL : kane_modes_get(locus->at[i], mode);
}

int kane_locus_crossing_count(const kane_locus *locus)
{
    return locus->crossing_count;
}

const kane_locus_crossing *kane_locus_get_crossing(const kane_locus *locus, int i)
{
    return &locus->crossings[i];
}
