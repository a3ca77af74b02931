// SPDX-License-Identifier: MIT
// Numbers of a run's files that stay symbols.
//
// A model is memory (base/arena.h). It is made from the files again and again, each time with other values of the
// parameters, in the same way: so all of them have the same pieces in the same order. Words that are not the same in
// two models of the same values are addresses. Other words that change are numbers that depend on the parameters. Of
// each of them a formula is sought that all samples fit; it takes the place of the number, and kernels that record find
// it there (record/scalar.h). A number without a formula becomes a symbol of its own, and if the equations turn out to
// need it, the parameter is refused.

#include "record/parameters.h"

#include "base/arena.h"
#include "base/number.h"
#include "model/model.h"
#include "run/setup.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = KANE_RECORD_PARAMETERS_MOST };
enum { MODEL, WORK }; // parts of a record

// A run in memory with its model at its start, and what that took.
typedef struct staged {
    kane_memory_record *record;
    kane_run *run;
    kane_model *model;
    kane_record_options options;
    kane_recording *recording;
} staged;

// A number that depends on parameters.
typedef struct word {
    int piece;
    size_t at;     // byte
    double *value; // [points]
} word;

typedef struct sampler {
    const kane_record_source *source;
    const kane_record_options *options;
    kane_errors *errors;
    kane_arena *arena;
    kane_tables *tables;
    kane_samples at;
    staged first, twin;
    int word_count, word_room;
    word *words;
    int *node; // of every word that of its formula, -1: none directly
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

// Settings of the user and of the parameters, all of the same length whatever their values.
static const char **settings_at(sampler *s, int at)
{
    const char *const *given = s->source->settings;
    size_t count             = 0;
    while (given && given[count])
        count++;
    const char **all = kane_arena_alloc(s->arena, count + (size_t)s->at.count + 1, sizeof *all);
    for (size_t i = 0; all && i < count; i++)
        all[i] = given[i];
    for (int i = 0; all && i < s->at.count; i++) {
        const char *path  = s->source->parameters[i];
        const size_t size = strlen(path) + 40;
        char *text        = kane_arena_alloc(s->arena, size, 1);
        if (!text)
            return NULL;
        (void)kane_snprintf(text, size, "%s=%.17g", path, kane_samples_value(&s->at, at, i));
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
    out->options.parameter_count = s->at.count;
    out->options.parameters      = s->source->parameters;
    out->record                  = kane_memory_begin();
    if (!out->record) {
        (void)kane_no_memory(s->errors);
        return 0;
    }
    out->model = kane_run_create_model(out->run, s->errors);
    kane_memory_part(out->record, WORK);
    out->recording = out->model ? kane_record_begin(out->model, &out->options, s->errors) : NULL;
    kane_memory_end(out->record);
    return out->recording != NULL;
}

// === Changes of the model.

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
static int is_number_text(double x)
{
    return x == 0.0 || (isfinite(x) && fabs(x) > 1e-250);
}

// Names of the parameters that differ at a point, for messages.
static const char *changed_at(const sampler *s, int at, size_t size, char *text)
{
    size_t length = 0;
    text[0]       = '\0';
    for (int i = 0; i < s->at.count && length < size; i++)
        if (kane_samples_value(&s->at, at, i) != s->at.level[i][0])
            length +=
                (size_t)snprintf(text + length, size - length, "%s'%s'", length ? ", " : "", s->source->parameters[i]);
    return text;
}

static int report_no_symbol(const sampler *s, int at, const char *why)
{
    char names[300];
    kane_errors_add(s->errors, KANE_BAD_INPUT, "%s cannot stay a symbol: %s", changed_at(s, at, sizeof names, names),
                    why);
    return 0;
}

// The word at byte `at` of a piece, added with its value `start` if it is new; NULL without memory.
static word *find_or_add_word(sampler *s, int piece, size_t at, double start)
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
    word *words = kane_arena_grow(s->arena, s->words, s->word_count, &s->word_room, sizeof *words);
    if (!words)
        return NULL;
    s->words = words;
    word new = {.piece = piece, .at = at, .value = kane_arena_doubles(s->arena, (size_t)s->at.point_count)};
    if (!new.value)
        return NULL;
    for (int i = 0; i < s->at.point_count; i++)
        new.value[i] = start;
    int k = s->word_count++;
    for (; k > 0 && (s->words[k - 1].piece > piece || (s->words[k - 1].piece == piece && s->words[k - 1].at > at)); k--)
        s->words[k] = s->words[k - 1];
    s->words[k] = new;
    return &s->words[k];
}

// Adds the numbers that differ between the model at a point and the first one. The structure must not differ. 0 with an
// error.
static int compare_models(sampler *s, const staged *other, int at)
{
    int count, twins, others;
    const kane_memory_piece *a = kane_memory_pieces(s->first.record, &count);
    const kane_memory_piece *b = kane_memory_pieces(s->twin.record, &twins);
    const kane_memory_piece *c = kane_memory_pieces(other->record, &others);
    if (!a || !b || !c) {
        (void)kane_no_memory(s->errors);
        return 0;
    }
    if (count != twins || !same_pieces(count, a, b)) {
        kane_errors_add(s->errors, KANE_NOT_SOLVED, "the model is not made in the same way twice");
        return 0;
    }
    if (count != others || !same_pieces(count, a, c))
        return report_no_symbol(s, at, "the structure of the model depends on it");
    for (int i = 0; i < count; i++) {
        if (!is_of_numbers(s, &a[i]) || memcmp(a[i].memory, c[i].memory, a[i].size) == 0)
            continue;
        for (size_t k = 0; k + sizeof(double) <= a[i].size; k += sizeof(double)) {
            if (bits_at(&a[i], k) != bits_at(&b[i], k) || bits_at(&a[i], k) == bits_at(&c[i], k))
                continue;
            const double was = number_at(&a[i], k), is = number_at(&c[i], k);
            const int is_number = is_number_text(was) && is_number_text(is);
            if (!is_number &&
                a[i].part == WORK) // how often something was tried there, or chosen: as in the first model
                continue;
            if (!is_number)
                return report_no_symbol(s, at, "the structure of the model depends on it");
            word *w = find_or_add_word(s, i, k, was);
            if (!w) {
                (void)kane_no_memory(s->errors);
                return 0;
            }
            w->value[at] = is;
        }
    }
    return 1;
}

// Whether models can be made in which only parameter i differs.
static int can_be_made(sampler *s, int i)
{
    const int before = s->errors->count;
    int good         = 1;
    for (int at = 1; at < s->at.grid_count && good; at++) {
        int is_alone = s->at.points[at].level[i] > 1;
        for (int k = 0; k < s->at.count; k++)
            is_alone &= k == i || s->at.points[at].level[k] == 0;
        if (!is_alone)
            continue;
        staged other;
        good = open_staged(s, at, &other);
        close_staged(&other);
    }
    if (good)
        kane_errors_truncate(s->errors, before);
    return good;
}

// 0 with errors of the last try.
static int find_levels(sampler *s, const double *start)
{
    const int before = s->errors->count;
    for (int i = 0; i < s->at.count; i++) {
        int good = 0;
        for (int k = 0; k < KANE_SPREADS && !good; k++) {
            kane_errors_truncate(s->errors, before);
            kane_samples_spread(&s->at, i, start[i], k);
            good = can_be_made(s, i);
        }
        if (!good) {
            kane_errors_add(s->errors, KANE_BAD_INPUT,
                            "'%s' cannot stay a symbol: the model cannot be made with values near its own",
                            s->source->parameters[i]);
            return 0;
        }
    }
    return 1;
}

// Whether a word without a formula changes by rounding alone: less than the last digits of its neighbours in a vector,
// as components do that are zero but for round-off.
static int is_rounding(const sampler *s, const kane_memory_piece *piece, const word *w)
{
    double size = 0.0, change = 0.0;
    for (size_t at = w->at < 16 ? 0 : w->at - 16; at <= w->at + 16 && at + sizeof(double) <= piece->size; at += 8)
        if (isfinite(number_at(piece, at)))
            size = fmax(size, fabs(number_at(piece, at)));
    for (int at = 1; at < s->at.point_count; at++)
        change = fmax(change, fabs(w->value[at] - w->value[0]));
    return change <= 32.0 * DBL_EPSILON * size;
}

// Replaces changed numbers of the first model by formulas; those without formula become symbols behind all others.
static int insert_formulas(sampler *s)
{
    kane_recording *r = s->first.recording;
    int count;
    const kane_memory_piece *pieces = kane_memory_pieces(s->first.record, &count);
    s->node                         = kane_arena_alloc(s->arena, (size_t)s->word_count, sizeof *s->node);
    if (kane_arena_failed(s->arena))
        return 0;
    kane_tape_now = &r->tape;
    if (setjmp(r->tape.out) != 0) {
        kane_errors_add(s->errors, KANE_NO_MEMORY, "%s", r->tape.reason);
        kane_tape_now = NULL;
        return 0;
    }
    for (int i = 0; i < s->at.count; i++)
        s->at.parameter[i] = kane_tape_symbol(kane_record_parameter(r, i), r->start[kane_record_parameter(r, i)]);
    for (int k = 0; k < s->word_count; k++)
        s->node[k] = kane_formula_direct(&s->at, s->words[k].value);
    for (int k = 0; k < s->word_count; k++) {
        const word *w = &s->words[k];
        int node      = s->node[k] >= 0 ? s->node[k] : kane_formula_by_root(&s->at, w->value);
        if (node < 0 && is_rounding(s, &pieces[w->piece], w))
            continue;
        node                = node >= 0 ? node : kane_tape_symbol(r->symbol_count + k, w->value[0]);
        const uint64_t bits = kane_kernels_box(node);
        memcpy((unsigned char *)(uintptr_t)pieces[w->piece].memory + w->at, &bits, sizeof bits);
    }
    kane_tape_now = NULL;
    return 1;
}

// Whether wheels stand on their rails in another height at a point, and in no simple way.
static int rest_changes(const sampler *s, int at)
{
    int count;
    const kane_memory_piece *pieces = kane_memory_pieces(s->first.record, &count);
    const unsigned char *wheels     = (const unsigned char *)s->first.model->wheels;
    for (int k = 0; k < s->word_count; k++)
        if (s->node[k] == -1 && pieces[s->words[k].piece].memory == wheels &&
            s->words[k].value[at] != s->words[k].value[0])
            return 1;
    return 0;
}

// Whether the equations need a number that has no formula; an error with its parameters.
static int check_formulas(const sampler *s)
{
    const kane_recording *r = s->first.recording;
    for (int i = 0; i < r->tape.count; i++) {
        const kane_tape_node *n = &r->tape.nodes[i];
        if (!r->used[i] || n->op != KANE_OP_SYMBOL || n->a < r->symbol_count)
            continue;
        const word *w = &s->words[n->a - r->symbol_count];
        int at        = 0;
        while (at + 1 < s->at.point_count && w->value[at] == w->value[0])
            at++;
        if (rest_changes(s, at))
            return report_no_symbol(
                s, at,
                "how deep wheels sink into their rails at rest depends on it in no closed form; \"masses\" keeps masses as "
                "symbols, and bodies at rest where they are");
        return report_no_symbol(
            s, at,
            "a number that the equations need depends on it in another way than as a polynomial, a quotient or a "
            "root; give it by --set and record once for each value");
    }
    return 1;
}

// Called functions have no symbols: they must not depend on the parameters, which is tried with each of them by itself.
static int check_calls(sampler *s)
{
    const kane_tape *tape = &s->first.recording->tape;
    for (int at = 1; at < s->at.grid_count && tape->call_count > 0; at++) {
        int sum = 0;
        for (int i = 0; i < s->at.count; i++)
            sum += s->at.points[at].level[i];
        if (sum != 1)
            continue;
        staged other;
        int good = open_staged(s, at, &other);
        for (int k = 0; k < tape->call_count && good; k++) {
            const kane_tape_call *c = &tape->calls[k];
            double in[KANE_CALL_INPUTS], out[KANE_CALL_DERIVATIVES];
            for (int j = 0; j < c->inputs; j++)
                in[j] = tape->nodes[c->input[j]].value;
            int same = kane_call(&other.recording->given, c->which, in, out);
            for (int j = 0; j < c->outputs; j++)
                same &= out[j] == tape->nodes[c->node + 1 + j].value;
            char why[200];
            (void)snprintf(why, sizeof why, "what is called, %s, depends on it", s->first.recording->call[k]);
            good = same || report_no_symbol(s, at, why);
        }
        close_staged(&other);
        if (!good)
            return 0;
    }
    return 1;
}

// === Recording with parameters.

// The first model and its twin: all values as in the files.
static int open_first_models(sampler *s, const double *start)
{
    for (int i = 0; i < s->at.count; i++)
        kane_samples_spread(&s->at, i, start[i], 0);
    // a first one leaves tables of contact behind for all others
    for (int k = 0; k < 3; k++) {
        staged *own = k == 1 ? &s->twin : &s->first;
        close_staged(own);
        if (!open_staged(s, 0, own))
            return 0;
    }
    return 1;
}

// Whether the model, and not its start alone, depends on every parameter. 0 with an error.
static int check_effects(sampler *s)
{
    int count;
    const kane_memory_piece *pieces = kane_memory_pieces(s->first.record, &count);
    for (int at = 1; at < s->at.grid_count; at++) {
        int sum = 0, changes = 0;
        for (int i = 0; i < s->at.count; i++)
            sum += s->at.points[at].level[i];
        for (int k = 0; k < s->word_count && sum == 1 && !changes; k++)
            changes = pieces[s->words[k].piece].part == MODEL && s->words[k].value[at] != s->words[k].value[0];
        if (sum == 1 && !changes)
            return report_no_symbol(s, at, "nothing in the equations depends on it");
    }
    return 1;
}

static int compare_samples(sampler *s)
{
    const int before = s->errors->count;
    for (int at = 1; at < s->at.point_count; at++) {
        staged other;
        int good = open_staged(s, at, &other);
        if (!good && s->errors->count > before)
            (void)report_no_symbol(s, at, "the model cannot be made with values near its own");
        good = good && compare_models(s, &other, at);
        close_staged(&other);
        if (!good)
            return 0;
    }
    return 1;
}

static int is_of_line(const char *path)
{
    char full[600];
    (void)kane_parameter_setting(path, "vehicle.", sizeof full, full);
    return strncmp(full, "track.", 6) == 0;
}

static int find_start(sampler *s, double *start)
{
    const kane_run_options how = {.settings = s->source->settings, .omit = s->source->omit};
    kane_run *run              = kane_run_read(s->source->file, &how, s->errors);
    int good                   = run != NULL;
    for (int i = 0; i < s->at.count && run; i++) {
        char typed[300];
        (void)snprintf(typed, sizeof typed, "--symbols %s", s->source->parameters[i]);
        if (is_of_line(s->source->parameters[i])) {
            kane_errors_add_input(s->errors, KANE_BAD_INPUT, (kane_place){.file = typed, .path = ""},
                                  "'%s' is of the line, which is called; only numbers of run and vehicle serve here",
                                  s->source->parameters[i]);
            good = 0;
            continue;
        }
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

static kane_recording *record_parameters(sampler *s)
{
    double start[MOST];
    if (!find_start(s, start) || !kane_samples_create(&s->at, s->at.count, s->arena))
        return NULL;
    if (s->at.count == 0)
        return record_first(s);
    if (!open_first_models(s, start) || !find_levels(s, start) || !compare_samples(s) || !check_effects(s))
        return NULL;
    kane_recording *r = s->first.recording;
    for (int i = 0; i < s->at.count; i++)
        r->start[kane_record_parameter(r, i)] = start[i];
    r->given = s->twin.recording->given; // whose numbers stay numbers
    if (!insert_formulas(s) || !kane_record_finish(r, &s->first.options, s->errors) || !check_formulas(s) ||
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
    while (source->parameters && source->parameters[s.at.count])
        s.at.count++;
    if (s.at.count > MOST) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "%d parameters are too many to stay symbols; %d can", s.at.count,
                        MOST);
        return NULL;
    }
    s.arena  = kane_arena_create();
    s.tables = kane_tables_create((size_t)64 << 20);
    if (s.arena && s.tables)
        r = record_parameters(&s);
    close_staged(&s.first);
    close_staged(&s.twin);
    kane_tables_free(s.tables);
    kane_arena_free(s.arena);
    if (!r && errors->count == before)
        (void)kane_no_memory(errors);
    return r;
}
