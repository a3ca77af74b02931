// SPDX-License-Identifier: MIT
// Which values of parameters are sampled together, and on which parameters numbers depend.

#include "record/parameters.h"

#include "base/arena.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A further choice of levels, all as in the files; -1 without memory.
int kane_sampler_add_probe(kane_sampler *s)
{
    unsigned char **probes = kane_arena_grow(s->arena, s->probes, s->probe_count, &s->probe_room, sizeof *probes);
    unsigned char *level   = kane_arena_alloc(s->arena, (size_t)s->count + 1, 1);
    if (!probes || !level) {
        (void)kane_no_memory(s->errors);
        return -1;
    }
    s->probes                 = probes;
    s->probes[s->probe_count] = level;
    return s->probe_count++;
}

// Makes the models from probe `first` on and notes what differs.
static int compare_probes(kane_sampler *s, int first)
{
    for (int at = first; at < s->probe_count; at++) {
        const int before = s->errors->count;
        kane_staged other;
        int good = kane_staged_open(s, at, &other);
        if (!good && s->errors->count > before)
            (void)kane_sampler_refuse(s, at, "the model cannot be made with values near its own");
        good = good && kane_sampler_compare(s, &other, at);
        kane_staged_close(&other);
        if (!good)
            return 0;
    }
    return 1;
}

// Models in which only parameter i differs. -1: one cannot be made, with errors.
static int try_levels(kane_sampler *s, int i)
{
    for (int l = 1; l <= KANE_SAMPLE_DEGREE; l++) {
        const int at = kane_sampler_add_probe(s);
        if (at < 0)
            return 0;
        s->probes[at][i]    = (unsigned char)l;
        s->single[i][l - 1] = at;
        kane_staged other;
        const int is_open = kane_staged_open(s, at, &other), good = is_open && kane_sampler_compare(s, &other, at);
        kane_staged_close(&other);
        if (!good)
            return is_open ? 0 : -1;
    }
    return 1;
}

// 0 with errors of the last try.
int kane_sample_each(kane_sampler *s, const double *start)
{
    const int before = s->errors->count;
    for (int i = 0; i < s->count; i++) {
        int good = -1;
        for (int k = 0; k < KANE_SPREADS && good < 0; k++) {
            kane_errors_truncate(s->errors, before);
            kane_parameter_spread(&s->values[i], i, start[i], k);
            good = try_levels(s, i);
        }
        if (good < 0)
            kane_errors_add(s->errors, KANE_BAD_INPUT,
                            "'%s' cannot stay a symbol: the model cannot be made with values near its own",
                            s->source->parameters[i]);
        if (good <= 0)
            return 0;
    }
    return 1;
}

// All parameters at once, and all but one.
int kane_sample_checks(kane_sampler *s)
{
    const int first = s->probe_count;
    for (int k = 0; k < KANE_CHECKS; k++) {
        s->checks[k] = kane_sampler_add_probe(s);
        if (s->checks[k] < 0)
            return 0;
        memset(s->probes[s->checks[k]], KANE_LEVELS + k, (size_t)s->count);
    }
    for (int i = 0; i < s->count; i++) {
        s->beside[i] = kane_sampler_add_probe(s);
        if (s->beside[i] < 0)
            return 0;
        memset(s->probes[s->beside[i]], KANE_LEVELS, (size_t)s->count);
        s->probes[s->beside[i]][i] = 0;
    }
    return compare_probes(s, first);
}

// Whether a number depends on a parameter beyond its round-off.
static int depends_on(const kane_sampler *s, const kane_sampled_number *w, int i)
{
    double size = fabs(w->start), most = 0.0;
    for (int l = 0; l < KANE_SAMPLE_DEGREE; l++) {
        const double value = kane_sampled_value(w, s->single[i][l]);
        size               = fmax(size, fabs(value));
        most               = fmax(most, fabs(value - w->start));
    }
    const double all = kane_sampled_value(w, s->checks[0]), beside = kane_sampled_value(w, s->beside[i]);
    size = fmax(size, fmax(fabs(all), fabs(beside)));
    most = fmax(most, fabs(all - beside));
    return most > 64.0 * DBL_EPSILON * size;
}

int kane_sample_supports(kane_sampler *s)
{
    enum { NOISY = 8 }; // round-off that depends on more parameters than this is no dependence
    int count;
    const kane_memory_piece *pieces = kane_memory_pieces(s->first.record, &count);
    int *found                      = kane_arena_alloc(s->arena, (size_t)s->count, sizeof *found);
    for (int k = 0; k < s->word_count && found; k++) {
        kane_sampled_number *w = &s->words[k];
        w->support_count       = 0;
        for (int i = 0; i < s->count; i++)
            if (depends_on(s, w, i))
                found[w->support_count++] = i;
        if (w->support_count > NOISY && kane_sampled_rounding(&pieces[w->piece], w))
            w->support_count = 0;
        w->support = kane_arena_alloc(s->arena, (size_t)w->support_count + 1, sizeof *w->support);
        if (w->support)
            memcpy(w->support, found, (size_t)w->support_count * sizeof *found);
    }
    return !kane_arena_failed(s->arena);
}

static int compare_supports(const kane_sampled_number *a, const kane_sampled_number *b)
{
    if (a->support_count != b->support_count)
        return a->support_count < b->support_count ? -1 : 1;
    for (int i = 0; i < a->support_count; i++)
        if (a->support[i] != b->support[i])
            return a->support[i] < b->support[i] ? -1 : 1;
    return 0;
}

typedef struct ordered {
    const kane_sampled_number *word;
    int index;
} ordered;

static int compare_ordered(const void *a, const void *b)
{
    const ordered *p = a, *q = b;
    const int by_support = compare_supports(p->word, q->word);
    return by_support != 0 ? by_support : (p->index > q->index) - (p->index < q->index);
}

// Needed numbers in groups of one support, small ones first; what depends on too many parameters gets no formula.
int kane_sample_groups(kane_sampler *s)
{
    const size_t words = (size_t)s->word_count, n = (size_t)s->count;
    ordered *list = kane_arena_alloc(s->arena, words, sizeof *list);
    s->order      = kane_arena_alloc(s->arena, words, sizeof *s->order);
    s->groups     = kane_arena_alloc(s->arena, words, sizeof *s->groups);
    s->conflicts  = kane_arena_alloc(s->arena, n * n + 1, 1);
    if (kane_arena_failed(s->arena))
        return 0;
    for (int k = 0; k < s->word_count; k++)
        if (s->words[k].is_needed && s->words[k].support_count <= KANE_SUPPORT_MOST)
            list[s->order_count++] = (ordered){&s->words[k], k};
    qsort(list, (size_t)s->order_count, sizeof *list, compare_ordered);
    for (int k = 0; k < s->order_count; k++) {
        const kane_sampled_number *w = list[k].word;
        s->order[k]                  = list[k].index;
        if (k == 0 || compare_supports(w, list[k - 1].word) != 0) {
            const size_t size                     = (size_t)w->support_count;
            s->groups[s->group_count]             = (kane_sampled_group){.begin = k};
            s->groups[s->group_count++].interacts = kane_arena_alloc(s->arena, size * size, 1);
            for (size_t i = 0; i < size * size; i++)
                s->conflicts[(size_t)w->support[i / size] * n + (size_t)w->support[i % size]] = 1;
        }
        s->groups[s->group_count - 1].end = k + 1;
    }
    return !kane_arena_failed(s->arena);
}

// --- samples of several parameters ---

// Of keys: the others as in the first check, and the parameters themselves as in the files.
static const uint64_t of_check = (uint64_t)1 << 63;

// Levels of `count` parameters, which grow, as one number.
static uint64_t steps_of(int count, const int *parameter, const int *level)
{
    uint64_t steps = 0;
    for (int i = 0; i < count; i++)
        if (level[i] > 0)
            steps = steps << 21 | (uint64_t)(parameter[i] + 1) << 2 | (uint64_t)level[i];
    return steps;
}

static int compare_keys(const void *a, const void *b)
{
    const kane_sample_key *p = a, *q = b;
    if (p->steps != q->steps)
        return p->steps < q->steps ? -1 : 1;
    return (p->probe < q->probe) - (p->probe > q->probe); // those that have one first
}

static int add_key(kane_sampler *s, uint64_t steps, int probe)
{
    kane_sample_key *keys = kane_arena_grow(s->arena, s->keys, s->key_count, &s->key_room, sizeof *keys);
    if (!keys)
        return kane_no_memory(s->errors) == KANE_OK;
    s->keys                 = keys;
    s->keys[s->key_count++] = (kane_sample_key){steps, probe};
    return 1;
}

static int find_probe(const kane_sampler *s, uint64_t steps)
{
    const kane_sample_key key = {steps, 0};
    for (int low = 0, high = s->key_count; low < high;) {
        const int middle = (low + high) / 2;
        if (s->keys[middle].steps == key.steps)
            return s->keys[middle].probe;
        if (s->keys[middle].steps < key.steps)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

// Whether a key has a parameter that is blocked in a model.
static int is_blocked(uint64_t steps, const unsigned char *blocked)
{
    for (steps &= ~of_check; steps; steps >>= 21)
        if (blocked[((steps & 0x1fffff) >> 2) - 1])
            return 1;
    return 0;
}

// Sets its levels in a model; no other key there may have these parameters, or such that share a number with them.
static void place_key(const kane_sampler *s, uint64_t steps, unsigned char *level, unsigned char *blocked)
{
    const int is_of_check = (steps & of_check) != 0;
    for (steps &= ~of_check; steps; steps >>= 21) {
        const size_t i = (size_t)((steps & 0x1fffff) >> 2) - 1, n = (size_t)s->count;
        level[i] = (unsigned char)(is_of_check ? 0 : steps & 3);
        for (size_t k = 0; k < n; k++)
            blocked[k] |= s->conflicts[i * n + k];
    }
}

// Makes models for all keys that have none, as few as the first fit gives. base: level of the other parameters.
static int sample_keys(kane_sampler *s, int base)
{
    const int first = s->probe_count;
    int kept = 0, room = 0;
    unsigned char **blocked = NULL; // by probe - first
    qsort(s->keys, (size_t)s->key_count, sizeof *s->keys, compare_keys);
    for (int k = 0; k < s->key_count; k++)
        if (k == 0 || s->keys[k].steps != s->keys[kept - 1].steps)
            s->keys[kept++] = s->keys[k];
    s->key_count = kept;
    for (int k = 0; k < s->key_count; k++) {
        if (s->keys[k].probe >= 0)
            continue;
        int at = first;
        while (at < s->probe_count && is_blocked(s->keys[k].steps, blocked[at - first]))
            at++;
        if (at == s->probe_count) {
            blocked = kane_arena_grow(s->arena, blocked, at - first, &room, sizeof *blocked);
            if (!blocked || !(blocked[at - first] = kane_arena_alloc(s->arena, (size_t)s->count, 1)) ||
                kane_sampler_add_probe(s) < 0)
                return 0;
            memset(s->probes[at], base, (size_t)s->count);
        }
        place_key(s, s->keys[k].steps, s->probes[at], blocked[at - first]);
        s->keys[k].probe = at;
    }
    return compare_probes(s, first);
}

static uint64_t pair_of_check(int i, int k)
{
    return of_check | steps_of(2, (int[]){i, k}, (int[]){1, 1});
}

int kane_sample_pairs(kane_sampler *s)
{
    for (int i = 0; i < s->count; i++)
        for (int l = 1; l <= KANE_SAMPLE_DEGREE; l++)
            if (!add_key(s, steps_of(1, &i, &l), s->single[i][l - 1]))
                return 0;
    for (int i = 0; i < s->count; i++)
        for (int k = i + 1; k < s->count; k++)
            if (s->conflicts[i * s->count + k] && !add_key(s, pair_of_check(i, k), -1))
                return 0;
    return sample_keys(s, KANE_LEVELS);
}

// Whether the effects of two parameters on a number do not add up.
static int effects_interact(const kane_sampler *s, const kane_sampled_number *w, int i, int k)
{
    const double both = kane_sampled_value(w, find_probe(s, pair_of_check(i, k))),
                 none = kane_sampled_value(w, s->checks[0]), one = kane_sampled_value(w, s->beside[i]),
                 other = kane_sampled_value(w, s->beside[k]);
    const double size  = fmax(fmax(fabs(both), fabs(none)), fmax(fabs(one), fabs(other)));
    return !(fabs(both - one - other + none) <= 4096.0 * DBL_EPSILON * size);
}

static void find_interactions(const kane_sampler *s, const kane_sampled_group *g)
{
    const kane_sampled_number *any = &s->words[s->order[g->begin]];
    const int size                 = any->support_count;
    for (int i = 0; i < size; i++)
        for (int k = i + 1; k < size; k++)
            for (int n = g->begin; n < g->end && !g->interacts[i * size + k]; n++)
                g->interacts[i * size + k] = g->interacts[k * size + i] =
                    (unsigned char)effects_interact(s, &s->words[s->order[n]], any->support[i], any->support[k]);
}

// Visits the points of a group that have one sum of levels, each by its parameters (index in the support): of one
// parameter, and of interacting ones. 0: the visitor stopped.
typedef int point_visitor(kane_sampler *s, kane_sampled_group *g, int count, const int *index, const int *level);

static int visit_sum(kane_sampler *s, kane_sampled_group *g, int sum, point_visitor *visit)
{
    const int size = s->words[s->order[g->begin]].support_count;
    for (int i = 0; i < size; i++) {
        if (!visit(s, g, 1, &i, &sum))
            return 0;
        for (int k = i + 1; k < size && sum > 1; k++) {
            if (!g->interacts[i * size + k])
                continue;
            if (sum == 2 && !visit(s, g, 2, (int[]){i, k}, (int[]){1, 1}))
                return 0;
            if (sum == 2)
                continue;
            if (!visit(s, g, 2, (int[]){i, k}, (int[]){2, 1}) || !visit(s, g, 2, (int[]){i, k}, (int[]){1, 2}))
                return 0;
            for (int j = k + 1; j < size; j++)
                if (g->interacts[i * size + j] && g->interacts[k * size + j] &&
                    !visit(s, g, 3, (int[]){i, k, j}, (int[]){1, 1, 1}))
                    return 0;
        }
    }
    return 1;
}

static uint64_t point_steps(const kane_sampler *s, const kane_sampled_group *g, int count, const int *index,
                            const int *level)
{
    int parameter[KANE_SAMPLE_DEGREE];
    for (int i = 0; i < count; i++)
        parameter[i] = s->words[s->order[g->begin]].support[index[i]];
    return steps_of(count, parameter, level);
}

static int add_point_key(kane_sampler *s, kane_sampled_group *g, int count, const int *index, const int *level)
{
    return add_key(s, point_steps(s, g, count, index, level), -1);
}

int kane_sample_interactions(kane_sampler *s)
{
    for (int k = 0; k < s->group_count; k++) {
        find_interactions(s, &s->groups[k]);
        for (int sum = 2; sum <= KANE_SAMPLE_DEGREE; sum++)
            if (!visit_sum(s, &s->groups[k], sum, add_point_key))
                return 0;
    }
    return sample_keys(s, 0);
}

// --- points of groups ---

static int count_point(kane_sampler *s, kane_sampled_group *g, int count, const int *index, const int *level)
{
    (void)s, (void)count, (void)index, (void)level;
    g->samples.grid_count++;
    return 1;
}

static int add_point(kane_sampler *s, kane_sampled_group *g, int count, const int *index, const int *level)
{
    kane_samples *at         = &g->samples;
    kane_sample_point *point = &at->points[at->grid_count];
    g->probe[at->grid_count] = find_probe(s, point_steps(s, g, count, index, level));
    for (int i = 0; i < at->count; i++)
        point->below[i] = -1;
    for (int i = 0; i < count; i++) {
        point->level[index[i]] = (unsigned char)level[i];
        int down[KANE_SAMPLE_DEGREE];
        memcpy(down, level, (size_t)count * sizeof *down);
        down[i]--;
        const uint64_t steps = point_steps(s, g, count, index, down);
        const int probe      = steps ? find_probe(s, steps) : 0;
        for (int k = at->grid_count - 1; k >= 0 && point->below[index[i]] < 0; k--) {
            int same = g->probe[k] == probe;
            for (int j = 0; j < at->count && same; j++) {
                int wanted = 0;
                for (int m = 0; m < count; m++)
                    wanted = index[m] == j ? down[m] : wanted;
                same = at->points[k].level[j] == wanted;
            }
            if (same)
                point->below[index[i]] = k;
        }
    }
    at->grid_count++;
    return 1;
}

int kane_sampled_points(kane_sampler *s, kane_sampled_group *g)
{
    kane_samples *at               = &g->samples;
    const kane_sampled_number *any = &s->words[s->order[g->begin]];
    at->count                      = any->support_count;
    at->grid_count                 = 1;
    for (int sum = 1; sum <= KANE_SAMPLE_DEGREE; sum++)
        (void)visit_sum(s, g, sum, count_point);
    at->point_count = at->grid_count + KANE_CHECKS;
    at->points      = kane_arena_alloc(s->arena, (size_t)at->point_count, sizeof *at->points);
    at->scratch     = kane_arena_doubles(s->arena, 4 * (size_t)at->point_count);
    g->probe        = kane_arena_alloc(s->arena, (size_t)at->point_count, sizeof *g->probe);
    if (kane_arena_failed(s->arena))
        return 0;
    at->grid_count = 1; // the values of the files
    for (int i = 0; i < at->count; i++) {
        at->points[0].below[i] = -1;
        at->parameter[i]       = s->parameter[any->support[i]];
        at->values[i]          = s->values[any->support[i]];
    }
    for (int sum = 1; sum <= KANE_SAMPLE_DEGREE; sum++)
        (void)visit_sum(s, g, sum, add_point);
    for (int k = 0; k < KANE_CHECKS; k++) {
        g->probe[at->grid_count + k] = s->checks[k];
        memset(at->points[at->grid_count + k].level, KANE_LEVELS + k, (size_t)at->count);
    }
    return 1;
}
