// SPDX-License-Identifier: MIT
// Numbers of a run's files that stay symbols.
//
// A model is memory (base/record.h). It is made from the files again and again, each time with other values of the parameters, in the
// same way: so all of them have the same pieces in the same order. Words that are not the same in two models of the same values
// are addresses. Other words that change are numbers that depend on the parameters. Of each of them a formula is sought that all samples
// fit; it takes the place of the number, and kernels that record find it there (record/scalar.h). A number without a formula
// becomes a symbol of its own, and if the equations turn out to need it, the parameter is refused.
//
// Formulas: products of powers (exponents of halves) and
//
//     psi(f) = sum over a of c_a prod over i, j < a_i of (phi_i - phi_ij)        |a| <= 3, a_i <= 2
//
// with phi_i = p_i or 1/p_i and psi(f) = f, 1/f, f^2 or 1/f^2: Newton's interpolation on a downward closed set of nodes that begin with
// the values of the files, where numbers come back. Roots are lengths: what is a line in one, or a sum times or over one, is
// found by it.

#include "record/parameters.h"

#include "base/arena.h"
#include "base/record.h"
#include "model/model.h"
#include "run/parameter.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 4, CHECKS = 2, DEGREE = 3, ROOTS = 32, ROUNDING = -2, MOST = KANE_RECORD_PARAMETERS_MOST };
enum { MODEL, WORK }; // parts of a record

// A run in memory with its model at its start, and what that took.
typedef struct staged {
    kane_memory_record *record;
    kane_run *run;
    kane_model *model;
    kane_record_options options;
    kane_recording *recording;
} staged;

// One choice of values: which level of each parameter; the last CHECKS have values of their own.
typedef struct point {
    unsigned char level[MOST];
    int below[MOST]; // the point with one level less of a parameter, -1: none
} point;

// A number that depends on parameters.
typedef struct word {
    int piece;
    size_t at;     // byte
    double *value; // [points]
} word;

// A formula that is no sum, such as a length, and its values at all points.
typedef struct root {
    int node;
    double *value; // [points]
} root;

typedef struct sampler {
    const kane_record_source *source;
    const kane_record_options *options;
    kane_errors *errors;
    kane_arena *arena;
    kane_tables *tables;
    int count; // of parameters
    double level[MOST][LEVELS], check[MOST][CHECKS];
    int point_count, grid_count;
    point *points;
    staged first, twin;
    int word_count, word_room;
    word *words;
    int *node; // of every word that of its formula, -1: none yet, ROUNDING: none is needed
    int root_count;
    root roots[ROOTS];
    double *scratch; // [4 points]
} sampler;

// === Models at values of the parameters.

static void close_staged(staged *s)
{
    kane_memory_end(s->record);
    kane_record_free(s->recording);
    kane_model_free(s->model);
    kane_run_free(s->run);
    kane_memory_free(s->record);
    *s = (staged){.record = NULL};
}

static double value_at(const sampler *s, int at, int i)
{
    return at < s->grid_count ? s->level[i][s->points[at].level[i]] : s->check[i][at - s->grid_count];
}

// Settings of the user and of the parameters, all of the same length whatever their values.
static const char **settings_at(sampler *s, int at)
{
    const char *const *given = s->source->settings;
    size_t count             = 0;
    while (given && given[count])
        count++;
    const char **all = kane_arena_alloc(s->arena, count + (size_t)s->count + 1, sizeof *all);
    for (size_t i = 0; all && i < count; i++)
        all[i] = given[i];
    for (int i = 0; all && i < s->count; i++) {
        const char *path  = s->source->parameters[i];
        const size_t size = strlen(path) + 40;
        char *text        = kane_arena_alloc(s->arena, size, 1);
        if (!text)
            return NULL;
        (void)snprintf(text, size, "%s=%.17g", path, value_at(s, at, i));
        all[count + (size_t)i] = text;
    }
    return all;
}

static int open_staged(sampler *s, int at, staged *out)
{
    const kane_run_options how = {.settings = settings_at(s, at), .omit = s->source->omit, .tables = s->tables};
    *out                       = (staged){.record = NULL};
    out->run                   = how.settings ? kane_run_read(s->source->file, &how, s->errors) : NULL;
    if (!out->run)
        return 0;
    out->options                 = *s->options;
    out->options.definition      = kane_run_get_definition(out->run)->vehicle;
    out->options.parameter_count = s->count;
    out->options.parameters      = s->source->parameters;
    out->record                  = kane_memory_begin();
    if (!out->record) {
        kane_errors_add(s->errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        return 0;
    }
    out->model = kane_run_create_model(out->run, s->errors);
    kane_memory_part(out->record, WORK);
    out->recording = out->model ? kane_record_begin(out->model, &out->options, s->errors) : NULL;
    kane_memory_end(out->record);
    return out->recording != NULL;
}

// === What changes.

static int is_of_numbers(const sampler *s, const kane_memory_piece *piece)
{
    const double *start = s->first.recording->start; // of symbols, not of the model
    return !piece->is_returned && piece->kind == KANE_MEMORY_ANY && piece->memory != (const unsigned char *)start;
}

static int same_pieces(int count, const kane_memory_piece *a, const kane_memory_piece *b)
{
    for (int i = 0; i < count; i++)
        if (a[i].size != b[i].size || a[i].kind != b[i].kind || a[i].is_returned != b[i].is_returned)
            return 0;
    return 1;
}

static uint64_t bits_at(const kane_memory_piece *piece, size_t at)
{
    uint64_t bits;
    memcpy(&bits, piece->memory + at, sizeof bits);
    return bits;
}

static double number_at(const kane_memory_piece *piece, size_t at)
{
    double number;
    memcpy(&number, piece->memory + at, sizeof number);
    return number;
}

// Neither an address nor two whole numbers.
static int looks_like_a_number(double x)
{
    return x == 0.0 || (isfinite(x) && fabs(x) > 1e-250);
}

// The parameters that are not what they were at a point, for messages.
static const char *changed_at(const sampler *s, int at, size_t size, char *text)
{
    size_t length = 0;
    text[0]       = '\0';
    for (int i = 0; i < s->count && length < size; i++)
        if (value_at(s, at, i) != s->level[i][0])
            length +=
                (size_t)snprintf(text + length, size - length, "%s'%s'", length ? ", " : "", s->source->parameters[i]);
    return text;
}

static int refuse(const sampler *s, int at, const char *why)
{
    char names[300];
    kane_errors_add(s->errors, KANE_BAD_INPUT, "%s cannot stay a symbol: %s", changed_at(s, at, sizeof names, names),
                    why);
    return 0;
}

// The word at a place, which is noted now if it was not; NULL without memory.
static word *note(sampler *s, int piece, size_t at, double start)
{
    for (int low = 0, high = s->word_count; low < high;) {
        const int middle = (low + high) / 2;
        word *w          = &s->words[middle];
        if (w->piece == piece && w->at == at)
            return w;
        if (w->piece < piece || (w->piece == piece && w->at < at))
            low = middle + 1;
        else
            high = middle;
    }
    if (s->word_count == s->word_room) {
        const int room = s->word_room ? 2 * s->word_room : 1024;
        word *more     = kane_arena_alloc(s->arena, (size_t)room, sizeof *more);
        if (!more)
            return NULL;
        if (s->word_count)
            memcpy(more, s->words, (size_t)s->word_count * sizeof *more);
        s->words     = more;
        s->word_room = room;
    }
    word new = {.piece = piece, .at = at, .value = kane_arena_doubles(s->arena, (size_t)s->point_count)};
    if (!new.value)
        return NULL;
    for (int i = 0; i < s->point_count; i++)
        new.value[i] = start;
    int k = s->word_count++;
    for (; k > 0 && (s->words[k - 1].piece > piece || (s->words[k - 1].piece == piece && s->words[k - 1].at > at)); k--)
        s->words[k] = s->words[k - 1];
    s->words[k] = new;
    return &s->words[k];
}

// What of a model at a point is not as in the first one. 0 with an error.
static int compare(sampler *s, const staged *other, int at)
{
    int count, twins, others;
    const kane_memory_piece *a = kane_memory_pieces(s->first.record, &count);
    const kane_memory_piece *b = kane_memory_pieces(s->twin.record, &twins);
    const kane_memory_piece *c = kane_memory_pieces(other->record, &others);
    if (!a || !b || !c) {
        kane_errors_add(s->errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        return 0;
    }
    if (count != twins || !same_pieces(count, a, b)) {
        kane_errors_add(s->errors, KANE_NOT_SOLVED, "the model is not made in the same way twice");
        return 0;
    }
    if (count != others || !same_pieces(count, a, c))
        return refuse(s, at, "the structure of the model depends on it");
    for (int i = 0; i < count; i++) {
        if (!is_of_numbers(s, &a[i]) || memcmp(a[i].memory, c[i].memory, a[i].size) == 0)
            continue;
        for (size_t k = 0; k + sizeof(double) <= a[i].size; k += sizeof(double)) {
            if (bits_at(&a[i], k) != bits_at(&b[i], k) || bits_at(&a[i], k) == bits_at(&c[i], k))
                continue;
            const double was = number_at(&a[i], k), is = number_at(&c[i], k);
            const int is_number = looks_like_a_number(was) && looks_like_a_number(is);
            if (!is_number &&
                a[i].part == WORK) // how often something was tried there, or chosen: as in the first model
                continue;
            if (!is_number)
                return refuse(s, at, "the structure of the model depends on it");
            word *w = note(s, i, k, was);
            if (!w) {
                kane_errors_add(s->errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
                return 0;
            }
            w->value[at] = is;
        }
    }
    return 1;
}

// === Points: a grid of all levels whose sum is DEGREE or less, the highest level alone only, and some beside it.

static int find_point(const sampler *s, const unsigned char *level)
{
    for (int i = 0; i < s->grid_count; i++)
        if (memcmp(s->points[i].level, level, (size_t)s->count) == 0)
            return i;
    return -1;
}

// All points whose levels from parameter `i` on sum up to `left`.
static void add_points(sampler *s, unsigned char *level, int i, int left, int sum)
{
    if (i == s->count) {
        if (left > 0)
            return;
        for (int k = 0; k < s->count; k++)
            if (level[k] == LEVELS - 1 && sum > LEVELS - 1)
                return;
        if (s->points)
            memcpy(s->points[s->grid_count].level, level, (size_t)s->count);
        s->grid_count++;
        return;
    }
    for (int l = left; l >= 0; l--) {
        level[i] = (unsigned char)l;
        add_points(s, level, i + 1, left - l, sum);
    }
    level[i] = 0;
}

static int make_points(sampler *s)
{
    unsigned char level[MOST] = {0};
    for (int pass = 0; pass < 2; pass++) {
        const int count = s->grid_count;
        if (pass == 1) {
            s->point_count = count + CHECKS;
            s->points      = kane_arena_alloc(s->arena, (size_t)s->point_count, sizeof *s->points);
            s->scratch     = kane_arena_doubles(s->arena, 4 * (size_t)s->point_count);
            if (!s->points || !s->scratch)
                return 0;
        }
        s->grid_count = 0;
        for (int sum = 0; sum <= DEGREE; sum++) // a point comes behind those below it
            add_points(s, level, 0, sum, sum);
    }
    for (int at = 0; at < s->grid_count; at++)
        for (int i = 0; i < s->count; i++) {
            unsigned char below[MOST];
            memcpy(below, s->points[at].level, sizeof below);
            s->points[at].below[i] = -1;
            if (below[i]-- > 0)
                s->points[at].below[i] = find_point(s, below);
        }
    return 1;
}

// How samples of a parameter lie about its value in the files: to both sides where models can be made there, else to one, as of the
// moments of inertia of a thin plate, or nearer.
typedef struct spread {
    double far, share[LEVELS], check[CHECKS];
} spread;

static const spread spreads[] = {
    {1.0, {0.0, 0.125, -0.125, 0.25}, {0.19, -0.07}},       {1.0, {0.0, -0.125, -0.25, -0.375}, {-0.19, -0.32}},
    {1.0, {0.0, 0.125, 0.25, 0.375}, {0.19, 0.32}},         {0.0625, {0.0, 0.125, -0.125, 0.25}, {0.19, -0.07}},
    {0.0625, {0.0, -0.125, -0.25, -0.375}, {-0.19, -0.32}}, {0.0625, {0.0, 0.125, 0.25, 0.375}, {0.19, 0.32}},
    {0x1p-10, {0.0, 0.125, -0.125, 0.25}, {0.19, -0.07}},   {0x1p-10, {0.0, 0.125, 0.25, 0.375}, {0.19, 0.32}}};
enum { SPREADS = sizeof spreads / sizeof *spreads };

// As a part of the value; of a zero, in its unit.
static void make_levels(sampler *s, int i, double start, const spread *by)
{
    const double unit = start == 0.0 ? by->far : by->far * fabs(start);
    for (int l = 0; l < LEVELS; l++)
        s->level[i][l] = start + by->share[l] * unit;
    for (int k = 0; k < CHECKS; k++)
        s->check[i][k] = start + by->check[k] * (1.0 - 0.01 * i) * unit;
}

// Whether models can be made where only parameter i is another one.
static int can_be_made(sampler *s, int i)
{
    const int before = s->errors->count;
    int good         = 1;
    for (int at = 1; at < s->grid_count && good; at++) {
        int is_alone = s->points[at].level[i] > 1;
        for (int k = 0; k < s->count; k++)
            is_alone &= k == i || s->points[at].level[k] == 0;
        if (!is_alone)
            continue;
        staged other;
        good = open_staged(s, at, &other);
        close_staged(&other);
    }
    s->errors->count = good ? before : s->errors->count;
    return good;
}

// 0 with errors of the last try.
static int find_levels(sampler *s, const double *start)
{
    const int before = s->errors->count;
    for (int i = 0; i < s->count; i++) {
        int good = 0;
        for (int k = 0; k < SPREADS && !good; k++) {
            s->errors->count = before;
            make_levels(s, i, start[i], &spreads[k]);
            good = can_be_made(s, i);
        }
        if (!good) {
            const int at = s->grid_count; // all are others there
            (void)refuse(s, at, "the model cannot be made with values near its own");
            return 0;
        }
    }
    return 1;
}

// === Formulas.

static int node_of(const sampler *s, int i)
{
    const kane_recording *r = s->first.recording;
    const int which         = kane_record_parameter(r, i);
    return kane_tape_symbol(which, r->start[which]);
}

static int two(int op, int a, int b)
{
    return kane_tape_binary(op, a, b);
}

static int constant(double x)
{
    return kane_tape_constant(x);
}

static double power_at(const sampler *s, int at, int i, int half)
{
    const double p = value_at(s, at, i);
    return half == 2 ? p : half == -2 ? 1.0 / p : pow(p, 0.5 * half);
}

// Twice the exponent n of p_i if f is p_i^n times a function of the others; 0: it is none.
static int find_exponent(const sampler *s, const double *f, int i)
{
    double v = f[0];
    for (int at = 0; at < s->grid_count; at++)
        if (s->points[at].level[i] == 1 && s->points[at].below[i] == 0)
            v = f[at];
    const double ratio = s->level[i][0] != 0.0 ? s->level[i][1] / s->level[i][0] : 0.0;
    if (!(v / f[0] > 0.0) || !(ratio > 0.0) || fabs(v - f[0]) <= 8.0 * DBL_EPSILON * fabs(f[0]))
        return 0;
    const double n = 2.0 * log(v / f[0]) / log(ratio);
    const int half = (int)lround(n);
    if (fabs(n - half) > 1e-6 || abs(half) > 8)
        return 0;
    for (int at = 0; at < s->grid_count; at++) {
        int base = at;
        while (s->points[base].level[i] > 0)
            base = s->points[base].below[i];
        const double expected = f[base] / power_at(s, base, i, half) * power_at(s, at, i, half);
        if (!(fabs(expected - f[at]) <= 64.0 * DBL_EPSILON * fabs(expected)))
            return 0;
    }
    return half;
}

// Exponents of the parameters, and what is left without them.
static void strip(const sampler *s, const double *f, int *half, double *rest)
{
    for (int i = 0; i < s->count; i++)
        half[i] = find_exponent(s, f, i);
    for (int at = 0; at < s->point_count; at++) {
        rest[at] = f[at];
        for (int i = 0; i < s->count; i++)
            if (half[i])
                rest[at] /= power_at(s, at, i, half[i]);
    }
}

static int is_constant(const sampler *s, const double *f)
{
    for (int at = 1; at < s->point_count; at++)
        if (!(fabs(f[at] - f[0]) <= 64.0 * DBL_EPSILON * fabs(f[0])))
            return 0;
    return 1;
}

// p^(n/2), n > 0
static int power(int p, int half)
{
    int product = half % 2 ? kane_tape_unary(KANE_OP_SQRT, p) : constant(1.0);
    for (int k = 0; k < half / 2; k++)
        product = two(KANE_OP_MUL, product, p);
    return product;
}

// f prod p_i^(n_i/2)
static int write_powers(const sampler *s, int f, const int *half)
{
    int above = constant(1.0), below = constant(1.0);
    for (int i = 0; i < s->count; i++) {
        if (half[i] > 0)
            above = two(KANE_OP_MUL, above, power(node_of(s, i), half[i]));
        if (half[i] < 0)
            below = two(KANE_OP_MUL, below, power(node_of(s, i), -half[i]));
    }
    return two(KANE_OP_DIV, two(KANE_OP_MUL, f, above), below);
}

typedef enum outer { PLAIN, RECIPROCAL, SQUARE, RECIPROCAL_SQUARE, OUTER_COUNT } outer;

static double outside(outer psi, double f)
{
    return psi == PLAIN ? f : psi == RECIPROCAL ? 1.0 / f : psi == SQUARE ? f * f : 1.0 / (f * f);
}

static double inner(const sampler *s, int at, int i, int reciprocal)
{
    const double p = value_at(s, at, i);
    return reciprocal ? 1.0 / p : p;
}

static double inner_level(const sampler *s, int i, int level, int reciprocal)
{
    return reciprocal ? 1.0 / s->level[i][level] : s->level[i][level];
}

// Whether a term counts beside `size`: differences of rounded numbers are no terms.
static int counts(const sampler *s, double c, const unsigned char *level, const int *reciprocal, double size)
{
    double term = fabs(c), noise = 16.0 * DBL_EPSILON;
    for (int i = 0; i < s->count; i++)
        for (int j = 0; j < level[i]; j++) {
            double span = 0.0;
            for (int l = 0; l < LEVELS; l++)
                span = fmax(span, fabs(inner_level(s, i, l, reciprocal[i]) - inner_level(s, i, j, reciprocal[i])));
            term *= span;
            noise *= 8.0;
        }
    return term > noise * size;
}

// Divided differences of c [grid] along parameter i.
static void difference(const sampler *s, double *c, int i, int reciprocal)
{
    for (int step = 1; step < LEVELS; step++)
        for (int at = s->grid_count - 1; at >= 0; at--) {
            const int l = s->points[at].level[i];
            if (l >= step)
                c[at] = (c[at] - c[s->points[at].below[i]]) /
                        (inner_level(s, i, l, reciprocal) - inner_level(s, i, l - step, reciprocal));
        }
}

// The degree in parameter i, the others as in the files.
static int degree(const sampler *s, const double *v, int i, int reciprocal, double size)
{
    int all[MOST] = {0}, most = 0;
    double c[LEVELS];
    for (int at = 0; at < s->grid_count; at++) {
        int is_alone = 1;
        for (int k = 0; k < s->count; k++)
            is_alone &= k == i || s->points[at].level[k] == 0;
        if (is_alone)
            c[s->points[at].level[i]] = v[at];
    }
    all[i] = reciprocal;
    for (int step = 1; step < LEVELS; step++)
        for (int l = LEVELS - 1; l >= step; l--)
            c[l] = (c[l] - c[l - 1]) / (inner_level(s, i, l, reciprocal) - inner_level(s, i, l - step, reciprocal));
    for (int l = 1; l < LEVELS; l++) {
        unsigned char level[MOST] = {0};
        level[i]                  = (unsigned char)l;
        if (counts(s, c[l], level, all, size))
            most = l;
    }
    return most;
}

static double sum_at(const sampler *s, const double *c, const int *reciprocal, int at)
{
    double sum = 0.0;
    for (int k = 0; k < s->grid_count; k++) {
        double term = c[k];
        for (int i = 0; i < s->count && term != 0.0; i++)
            for (int j = 0; j < s->points[k].level[i]; j++)
                term *= inner(s, at, i, reciprocal[i]) - inner_level(s, i, j, reciprocal[i]);
        sum += term;
    }
    return sum;
}

// Coefficients c [grid] of psi(f); 0 if the samples do not fit.
static int find_sum(const sampler *s, const double *f, outer psi, double *c, int *reciprocal)
{
    double *v = s->scratch, size = 0.0;
    for (int at = 0; at < s->point_count; at++) {
        v[at] = outside(psi, f[at]);
        if (!isfinite(v[at]) || (psi >= SQUARE && (f[at] < 0.0) != (f[0] < 0.0)))
            return 0;
        size = fmax(size, fabs(v[at]));
    }
    for (int i = 0; i < s->count; i++) {
        const int straight = degree(s, v, i, 0, size);
        reciprocal[i]      = 0;
        if (straight < 2)
            continue;
        const int inverse = s->level[i][0] != 0.0 ? degree(s, v, i, 1, size) : LEVELS;
        reciprocal[i]     = inverse < straight;
        if (straight >= LEVELS - 1 && inverse >= LEVELS - 1)
            return 0;
    }
    memcpy(c, v, (size_t)s->grid_count * sizeof *c);
    for (int i = 0; i < s->count; i++)
        difference(s, c, i, reciprocal[i]);
    for (int at = 1; at < s->grid_count; at++)
        if (!counts(s, c[at], s->points[at].level, reciprocal, size))
            c[at] = 0.0;
    for (int at = 0; at < s->point_count; at++)
        if (!(fabs(sum_at(s, c, reciprocal, at) - v[at]) <= 4e-13 * size))
            return 0;
    return 1;
}

static int write_sum(const sampler *s, int is_negative, outer psi, const double *c, const int *reciprocal)
{
    int sum = constant(c[0]);
    for (int k = 1; k < s->grid_count; k++) {
        int term = constant(c[k]);
        if (c[k] == 0.0)
            continue;
        for (int i = 0; i < s->count; i++)
            for (int j = 0; j < s->points[k].level[i]; j++) {
                const int p   = node_of(s, i);
                const int phi = reciprocal[i] ? two(KANE_OP_DIV, constant(1.0), p) : p;
                term = two(KANE_OP_MUL, term, two(KANE_OP_SUB, phi, constant(inner_level(s, i, j, reciprocal[i]))));
            }
        sum = two(KANE_OP_ADD, sum, term);
    }
    if (psi == RECIPROCAL || psi == RECIPROCAL_SQUARE)
        sum = two(KANE_OP_DIV, constant(1.0), sum);
    if (psi >= SQUARE)
        sum = kane_tape_unary(KANE_OP_SQRT, sum);
    return psi >= SQUARE && is_negative ? kane_tape_unary(KANE_OP_NEG, sum) : sum;
}

// f by a sum alone; -1: it is none. What is no plain sum is noted as a root, others may be made of it.
static int find_direct(sampler *s, const double *f)
{
    int half[MOST], reciprocal[MOST];
    double *c = s->scratch + s->point_count, *rest = c + s->point_count;
    strip(s, f, half, rest);
    if (is_constant(s, rest))
        return write_powers(s, constant(rest[0]), half);
    for (outer psi = PLAIN; psi < OUTER_COUNT; psi++) {
        if (!find_sum(s, rest, psi, c, reciprocal))
            continue;
        const int sum = write_sum(s, rest[0] < 0.0, psi, c, reciprocal);
        if (psi != PLAIN && s->root_count < ROOTS) {
            root *r = &s->roots[s->root_count];
            memcpy(r->value, rest, (size_t)s->point_count * sizeof *rest);
            r->node    = sum;
            int is_new = 1;
            for (int k = 0; k < s->root_count; k++)
                is_new &= s->roots[k].node != sum;
            s->root_count += is_new;
        }
        return write_powers(s, sum, half);
    }
    return -1;
}

// f as a multiple of a root and a sum in parameters that the root does not depend on.
static int find_line(const sampler *s, const double *f, const root *r)
{
    int far   = 0, reciprocal[MOST];
    double *c = s->scratch + s->point_count, *rest = c + 2 * s->point_count;
    for (int at = 0; at < s->grid_count; at++) {
        int changed = 0;
        for (int i = 0; i < s->count; i++)
            changed += s->points[at].level[i] > 0;
        if (changed == 1 && fabs(r->value[at] - r->value[0]) > fabs(r->value[far] - r->value[0]))
            far = at;
    }
    const double slope = (f[far] - f[0]) / (r->value[far] - r->value[0]);
    for (int at = 0; at < s->point_count; at++)
        rest[at] = f[at] - slope * (r->value[at] - r->value[0]);
    if (slope == 0.0 || !find_sum(s, rest, PLAIN, c, reciprocal))
        return -1;
    const int from_here = two(KANE_OP_SUB, r->node, constant(r->value[0]));
    return two(KANE_OP_ADD, write_sum(s, 0, PLAIN, c, reciprocal), two(KANE_OP_MUL, constant(slope), from_here));
}

// f as a sum times a root or over one: components of directions.
static int find_product(const sampler *s, const double *f, const root *r, int is_over)
{
    int reciprocal[MOST];
    double *c = s->scratch + s->point_count, *product = c + 2 * s->point_count;
    for (int at = 0; at < s->point_count; at++)
        product[at] = is_over ? f[at] * r->value[at] : f[at] / r->value[at];
    if (!find_sum(s, product, PLAIN, c, reciprocal))
        return -1;
    return two(is_over ? KANE_OP_DIV : KANE_OP_MUL, write_sum(s, 0, PLAIN, c, reciprocal), r->node);
}

// Whether a word changes by rounding alone: less than the last digits of its neighbours in a vector.
static int is_rounding(const sampler *s, const kane_memory_piece *piece, const word *w)
{
    double size = 0.0, change = 0.0;
    for (size_t at = w->at < 16 ? 0 : w->at - 16; at <= w->at + 16 && at + sizeof(double) <= piece->size; at += 8)
        if (isfinite(number_at(piece, at)))
            size = fmax(size, fabs(number_at(piece, at)));
    for (int at = 1; at < s->point_count; at++)
        change = fmax(change, fabs(w->value[at] - w->value[0]));
    return change <= 32.0 * DBL_EPSILON * size;
}

// f by a root; -1: by none that is known.
static int find_by_root(const sampler *s, const double *f)
{
    int half[MOST];
    double *rest = s->scratch + 2 * s->point_count;
    strip(s, f, half, rest);
    for (int k = 0; k < s->root_count; k++) {
        const root *r = &s->roots[k];
        int node      = find_line(s, rest, r);
        for (int is_over = 0; is_over < 2 && node < 0; is_over++)
            node = find_product(s, rest, r, is_over);
        if (node >= 0)
            return write_powers(s, node, half);
    }
    return -1;
}

// Formulas instead of numbers in the first model. Those without one are symbols behind all others.
static int put_formulas(sampler *s)
{
    kane_recording *r = s->first.recording;
    int count;
    const kane_memory_piece *pieces = kane_memory_pieces(s->first.record, &count);
    s->node                         = kane_arena_alloc(s->arena, (size_t)s->word_count, sizeof *s->node);
    for (int k = 0; k < ROOTS; k++)
        s->roots[k].value = kane_arena_doubles(s->arena, (size_t)s->point_count);
    if (kane_arena_failed(s->arena))
        return 0;
    kane_tape_now = &r->tape;
    if (setjmp(r->tape.out) != 0) {
        kane_errors_add(s->errors, KANE_NO_MEMORY, "%s", r->tape.reason);
        kane_tape_now = NULL;
        return 0;
    }
    for (int k = 0; k < s->word_count; k++)
        s->node[k] =
            is_rounding(s, &pieces[s->words[k].piece], &s->words[k]) ? ROUNDING : find_direct(s, s->words[k].value);
    for (int k = 0; k < s->word_count; k++) {
        const word *w = &s->words[k];
        if (s->node[k] == ROUNDING)
            continue;
        const int node      = s->node[k] >= 0 ? s->node[k] : find_by_root(s, w->value);
        const uint64_t bits = kane_kernels_box(node >= 0 ? node : kane_tape_symbol(r->symbol_count + k, w->value[0]));
        memcpy((unsigned char *)(uintptr_t)pieces[w->piece].memory + w->at, &bits, sizeof bits);
    }
    kane_tape_now = NULL;
    return 1;
}

// Whether a number is of the bodies or elements of a vehicle (kane_body, kane_element): without a formula are only where they are at
// rest, and how far from the drawing.
static int is_of_rest(const sampler *s, const word *w)
{
    int count;
    const kane_model *model = s->first.model;
    const size_t size       = kane_memory_pieces(s->first.record, &count)[w->piece].size;
    return model->wheels_count > 0 && (size == (size_t)model->body_count * sizeof *model->bodies ||
                                       size == (size_t)model->element_count * sizeof *model->elements);
}

// Whether the equations need a number that has no formula; says of which parameters.
static int check_formulas(const sampler *s)
{
    const kane_recording *r = s->first.recording;
    for (int i = 0; i < r->tape.count; i++) {
        const kane_tape_node *n = &r->tape.nodes[i];
        if (!r->used[i] || n->op != KANE_OP_SYMBOL || n->a < r->symbol_count)
            continue;
        const word *w = &s->words[n->a - r->symbol_count];
        int at        = 0;
        while (at + 1 < s->point_count && w->value[at] == w->value[0])
            at++;
        if (is_of_rest(s, w))
            return refuse(
                s, at,
                "how deep wheels sink into their rails at rest depends on it in no closed form; \"masses\" keeps masses as "
                "symbols, and bodies at rest where they are");
        return refuse(
            s, at,
            "a number that the equations need depends on it in another way than as a polynomial, a quotient or a "
            "root; give it by --set and record once for each value");
    }
    return 1;
}

// What is called knows no symbols: it must be the same with other values of the parameters. Tried with each of them by itself.
static int check_calls(sampler *s)
{
    const kane_tape *tape = &s->first.recording->tape;
    for (int at = 1; at < s->grid_count && tape->call_count > 0; at++) {
        int sum = 0;
        for (int i = 0; i < s->count; i++)
            sum += s->points[at].level[i];
        if (sum != 1)
            continue;
        staged other;
        int good = open_staged(s, at, &other);
        for (int k = 0; k < tape->call_count && good; k++) {
            const kane_tape_call *c = &tape->calls[k];
            double in[KANE_CALL_INPUTS], out[KANE_CALL_OUTPUTS];
            for (int j = 0; j < c->inputs; j++)
                in[j] = tape->nodes[c->input[j]].value;
            int same = kane_call(&other.recording->given, c->which, in, out);
            for (int j = 0; j < c->outputs; j++)
                same &= out[j] == tape->nodes[c->node + 1 + j].value;
            char why[200];
            (void)snprintf(why, sizeof why, "what is called, %s, depends on it", s->first.recording->call[k]);
            good = same || refuse(s, at, why);
        }
        close_staged(&other);
        if (!good)
            return 0;
    }
    return 1;
}

// === All of it.

// The first model and its twin: all values as in the files.
static int take_first(sampler *s, const double *start)
{
    for (int i = 0; i < s->count; i++)
        make_levels(s, i, start[i], &spreads[0]);
    // a first one leaves tables of contact behind for all others
    for (int k = 0; k < 3; k++) {
        staged *own = k == 1 ? &s->twin : &s->first;
        close_staged(own);
        if (!open_staged(s, 0, own))
            return 0;
    }
    return 1;
}

static int take_samples(sampler *s)
{
    const int before = s->errors->count;
    for (int at = 1; at < s->point_count; at++) {
        staged other;
        int good = open_staged(s, at, &other);
        if (!good && s->errors->count > before)
            (void)refuse(s, at, "the model cannot be made with values near its own");
        good = good && compare(s, &other, at);
        close_staged(&other);
        if (!good)
            return 0;
    }
    return 1;
}

static int find_start(sampler *s, double *start)
{
    const kane_run_options how = {.settings = s->source->settings, .omit = s->source->omit};
    kane_run *run              = kane_run_read(s->source->file, &how, s->errors);
    int good                   = run != NULL;
    for (int i = 0; i < s->count && run; i++) {
        char typed[300];
        (void)snprintf(typed, sizeof typed, "--symbols %s", s->source->parameters[i]);
        good &= kane_run_number(run, s->source->parameters[i], typed, &start[i], s->errors);
        for (int k = 0; k < i; k++)
            if (kane_parameter_is_same(s->source->parameters[i], s->source->parameters[k])) {
                kane_errors_add_input(s->errors, KANE_BAD_INPUT, (kane_place){.file = typed, .path = ""},
                                      "is the same as '%s'", s->source->parameters[k]);
                good = 0;
            }
    }
    kane_run_free(run);
    return good;
}

// Without parameters: one model.
static kane_recording *record_first(sampler *s)
{
    kane_recording *r = open_staged(s, 0, &s->first) ? s->first.recording : NULL;
    if (!r || !kane_record_finish(r, &s->first.options, s->errors))
        return NULL;
    s->first.recording = NULL;
    return r;
}

static kane_recording *carry_out(sampler *s)
{
    double start[MOST];
    if (!find_start(s, start) || !make_points(s))
        return NULL;
    if (s->count == 0)
        return record_first(s);
    if (!take_first(s, start) || !find_levels(s, start) || !take_samples(s))
        return NULL;
    kane_recording *r = s->first.recording;
    for (int i = 0; i < s->count; i++)
        r->start[kane_record_parameter(r, i)] = start[i];
    r->given = s->twin.recording->given; // whose numbers stay numbers
    if (!put_formulas(s) || !kane_record_finish(r, &s->first.options, s->errors) || !check_formulas(s) ||
        !check_calls(s))
        return NULL;
    s->first.recording = NULL;
    return r;
}

kane_recording *kane_record_run(const kane_record_source *source, const kane_record_options *options,
                                kane_errors *errors)
{
    sampler s         = {.source = source, .options = options, .errors = errors};
    const int before  = errors->count;
    kane_recording *r = NULL;
    while (source->parameters && source->parameters[s.count])
        s.count++;
    if (s.count > MOST) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "%d parameters are too many to stay symbols; %d can", s.count, MOST);
        return NULL;
    }
    s.arena  = kane_arena_create();
    s.tables = kane_tables_create(64);
    if (s.arena && s.tables)
        r = carry_out(&s);
    close_staged(&s.first);
    close_staged(&s.twin);
    kane_tables_free(s.tables);
    kane_arena_free(s.arena);
    if (!r && errors->count == before)
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    return r;
}
