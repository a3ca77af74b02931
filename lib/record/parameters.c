// SPDX-License-Identifier: MIT
// Numbers of a run's files that stay symbols.
//
// A model is memory (base/arena.h). It is made from the files again and again, each time with other values of the
// parameters, in the same way: so all of them have the same pieces in the same order. Words that are not the same in
// two models of the same values are addresses. Other words that change are numbers that depend on the parameters. Of
// each of them a formula is sought that all samples fit; it takes the place of the number, and kernels that record find
// it there (record/scalar.h). Which numbers the equations need a trial recording tells, in which each is a symbol of
// its own. If one of these has no formula, the parameter is refused.
//
// Samples: each parameter by itself at three other levels, and by itself as in the files where all others differ: these
// tell on which parameters a number depends (its support). Where all others differ pairs tell whether their effects on
// a number add up. Those whose effects do not are sampled together. Samples of parameters that no number has in common
// are taken in one model. Formulas must hold where all parameters differ, too.

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

enum { MODEL, WORK }; // parts of a record

// === Models at values of the parameters.

void kane_staged_close(kane_staged *s)
{
    kane_memory_end(s->record);
    kane_record_free(s->recording);
    kane_model_free(s->model);
    kane_run_free(s->run);
    kane_memory_free(s->record);
    *s = (kane_staged){.record = NULL};
}

static double value_at(const kane_sampler *s, int probe, int i)
{
    return s->values[i].level[s->probes[probe][i]];
}

// Settings of the user and of the parameters, all of the same length whatever their values.
static const char **settings_at(kane_sampler *s, int at)
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
        (void)kane_snprintf(text, size, "%s=%.17g", path, value_at(s, at, i));
        all[count + (size_t)i] = text;
    }
    return all;
}

int kane_staged_open(kane_sampler *s, int at, kane_staged *out)
{
    const kane_run_options how = {.settings = settings_at(s, at), .omit = s->source->omit, .tables = s->tables};
    *out                       = (kane_staged){.record = NULL};
    out->run                   = how.settings ? kane_run_read(s->source->file, &how, s->errors) : NULL;
    if (!out->run)
        return 0;
    out->options                 = *s->options;
    out->options.definition      = kane_run_get_definition(out->run)->vehicle;
    out->options.parameter_count = s->count;
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

static int is_of_numbers(const kane_sampler *s, const kane_memory_piece *piece)
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
static const char *changed_at(const kane_sampler *s, int at, size_t size, char *text)
{
    size_t length = 0;
    text[0]       = '\0';
    for (int i = 0; i < s->count && length < size; i++)
        if (s->probes[at][i] != 0)
            length +=
                (size_t)snprintf(text + length, size - length, "%s'%s'", length ? ", " : "", s->source->parameters[i]);
    return text;
}

int kane_sampler_refuse(const kane_sampler *s, int at, const char *why)
{
    char names[300];
    kane_errors_add(s->errors, KANE_BAD_INPUT, "%s cannot stay a symbol: %s", changed_at(s, at, sizeof names, names),
                    why);
    return 0;
}

// Place of the word at byte `at` of a piece, or of the one before which it belongs.
static int find_word(const kane_sampler *s, int piece, size_t at)
{
    int low = 0, high = s->word_count;
    while (low < high) {
        const int middle             = (low + high) / 2;
        const kane_sampled_number *w = &s->words[middle];
        if (w->piece < piece || (w->piece == piece && w->at < at))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// 0 without memory.
static int insert_word(kane_sampler *s, int place, kane_sampled_number new)
{
    kane_sampled_number *words = kane_arena_grow(s->arena, s->words, s->word_count, &s->word_room, sizeof *words);
    if (!words)
        return kane_no_memory(s->errors) == KANE_OK;
    s->words = words;
    memmove(words + place + 1, words + place, (size_t)(s->word_count++ - place) * sizeof *words);
    words[place] = new;
    return 1;
}

// Notes a number of a model; after supports are known new ones are round-off. 0 without memory.
static int add_change(kane_sampler *s, int piece, size_t at, double start, kane_sampled_change new)
{
    const int place = find_word(s, piece, at);
    const int found = place < s->word_count && s->words[place].piece == piece && s->words[place].at == at;
    if (!found && s->groups)
        return 1;
    if (!found && !insert_word(s, place, (kane_sampled_number){.piece = piece, .at = at, .start = start, .node = -1}))
        return 0;
    kane_sampled_number *w = &s->words[place];
    kane_sampled_change *changes =
        kane_arena_grow(s->arena, w->changes, w->change_count, &w->change_room, sizeof *changes);
    if (!changes)
        return kane_no_memory(s->errors) == KANE_OK;
    w->changes                    = changes;
    w->changes[w->change_count++] = new;
    return 1;
}

// What a number is in a model.
double kane_sampled_value(const kane_sampled_number *w, int probe)
{
    int low = 0, high = w->change_count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (w->changes[middle].probe < probe)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->change_count && w->changes[low].probe == probe ? w->changes[low].value : w->start;
}

int kane_sampled_rounding(const kane_memory_piece *piece, const kane_sampled_number *w)
{
    double size = 0.0, most = 0.0;
    for (size_t at = w->at < 16 ? 0 : w->at - 16; at <= w->at + 16 && at + sizeof(double) <= piece->size; at += 8)
        if (isfinite(number_at(piece, at)))
            size = fmax(size, fabs(number_at(piece, at)));
    for (int i = 0; i < w->change_count; i++)
        most = fmax(most, fabs(w->changes[i].value - w->start));
    return most <= 32.0 * DBL_EPSILON * size;
}

// Adds the numbers that differ between the model at a point and the first one. The structure must not differ. 0 with an
// error.
int kane_sampler_compare(kane_sampler *s, const kane_staged *other, int at)
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
        return kane_sampler_refuse(s, at, "the structure of the model depends on it");
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
                return kane_sampler_refuse(s, at, "the structure of the model depends on it");
            if (!add_change(s, i, k, was, (kane_sampled_change){at, is}))
                return 0;
        }
    }
    return 1;
}

// === Formulas.

static void get_values(const kane_sampled_group *g, const kane_sampled_number *w, double *f)
{
    for (int k = 0; k < g->samples.point_count; k++)
        f[k] = kane_sampled_value(w, g->probe[k]);
}

static int add_root(kane_sampler *s, const kane_sampled_number *w, int node, const int *half)
{
    for (int k = 0; k < s->root_count; k++)
        if (s->roots[k].node == node)
            return 1;
    kane_found_root *roots = kane_arena_grow(s->arena, s->roots, s->root_count, &s->root_room, sizeof *roots);
    if (!roots)
        return 0;
    s->roots            = roots;
    kane_found_root *to = &roots[s->root_count++];
    *to                 = (kane_found_root){.node = node, .word = w};
    memcpy(to->half, half, (size_t)w->support_count * sizeof *half);
    return 1;
}

static int find_direct_formulas(kane_sampler *s, const kane_sampled_group *g, double *f)
{
    int half[KANE_SUPPORT_MOST], root;
    for (int k = g->begin; k < g->end; k++) {
        kane_sampled_number *w = &s->words[s->order[k]];
        get_values(g, w, f);
        w->node = kane_formula_direct(&g->samples, f, &root, half);
        if (root >= 0 && !add_root(s, w, root, half))
            return 0;
    }
    return 1;
}

// Whether all parameters of the first number are among those of the second.
static int is_within(const kane_sampled_number *a, const kane_sampled_number *b)
{
    int k = 0;
    for (int i = 0; i < b->support_count && k < a->support_count; i++)
        k += b->support[i] == a->support[k];
    return k == a->support_count;
}

// The roots that numbers of a group may consist of, with their values at its points.
static int collect_roots(kane_sampler *s, kane_sampled_group *g)
{
    kane_samples *at               = &g->samples;
    const kane_sampled_number *any = &s->words[s->order[g->begin]];
    for (int r = 0; r < s->root_count && at->root_count < KANE_ROOTS; r++) {
        const kane_found_root *root = &s->roots[r];
        if (!is_within(root->word, any))
            continue;
        double *value = kane_arena_doubles(s->arena, (size_t)at->point_count);
        if (!value)
            return 0;
        get_values(g, root->word, value);
        for (int k = 0; k < at->point_count; k++)
            for (int i = 0; i < root->word->support_count; i++)
                value[k] /= kane_half_power(value_at(s, g->probe[k], root->word->support[i]), root->half[i]);
        at->roots[at->root_count++] = (kane_formula_root){root->node, value};
    }
    return 1;
}

// Formulas of all numbers, first of those that need no root. 0 without memory.
static int find_formulas(kane_sampler *s)
{
    for (int k = 0; k < s->group_count; k++) {
        double *f = NULL;
        if (kane_sampled_points(s, &s->groups[k]))
            f = kane_arena_doubles(s->arena, (size_t)s->groups[k].samples.point_count);
        if (!f || !find_direct_formulas(s, &s->groups[k], f))
            return 0;
    }
    for (int k = 0; k < s->group_count; k++) {
        kane_sampled_group *g = &s->groups[k];
        double *f             = kane_arena_doubles(s->arena, (size_t)g->samples.point_count);
        if (!f || !collect_roots(s, g))
            return 0;
        for (int i = g->begin; i < g->end; i++) {
            kane_sampled_number *w = &s->words[s->order[i]];
            if (w->node >= 0)
                continue;
            get_values(g, w, f);
            const int node = kane_formula_by_root(&g->samples, f);
            w->node        = node >= 0 ? node : w->node;
        }
    }
    return 1;
}

// Replaces changed numbers of a model by formulas; those without formula become symbols behind all others.
static int insert_formulas(kane_sampler *s, kane_staged *to, int with_formulas)
{
    kane_recording *r = to->recording;
    int count;
    const kane_memory_piece *pieces = kane_memory_pieces(to->record, &count);
    kane_tape_now                   = &r->tape;
    if (setjmp(r->tape.out) != 0) {
        kane_errors_add(s->errors, KANE_NO_MEMORY, "%s", r->tape.reason);
        kane_tape_now = NULL;
        return 0;
    }
    for (int i = 0; i < s->count; i++)
        s->parameter[i] = kane_tape_symbol(kane_record_parameter(r, i), r->start[kane_record_parameter(r, i)]);
    const int good = !with_formulas || find_formulas(s);
    for (int k = 0; k < s->word_count && good; k++) {
        const kane_sampled_number *w = &s->words[k];
        if (w->support_count == 0 || (with_formulas && w->node < 0 && kane_sampled_rounding(&pieces[w->piece], w)))
            continue;
        const int node      = w->node >= 0 ? w->node : kane_tape_symbol(r->symbol_count + k, w->start);
        const uint64_t bits = kane_kernels_box(node);
        memcpy((unsigned char *)(uintptr_t)pieces[w->piece].memory + w->at, &bits, sizeof bits);
    }
    kane_tape_now = NULL;
    return good;
}

// Records a model in which all changed numbers are symbols: which ones the equations need.
static int find_needed(kane_sampler *s, const double *start)
{
    kane_staged trial;
    int good = kane_staged_open(s, 0, &trial);
    if (good) {
        kane_recording *r = trial.recording;
        for (int i = 0; i < s->count; i++)
            r->start[kane_record_parameter(r, i)] = start[i];
        r->given = s->twin.recording->given;
        good     = insert_formulas(s, &trial, 0) && kane_record_finish(r, &trial.options, s->errors);
        for (int i = 0; i < r->tape.count && good; i++) {
            const kane_tape_node *n = &r->tape.nodes[i];
            if (r->used[i] && n->op == KANE_OP_SYMBOL && n->a >= r->symbol_count)
                s->words[n->a - r->symbol_count].is_needed = 1;
        }
    }
    kane_staged_close(&trial);
    return good;
}

// Whether wheels stand on their rails in another height at a point, and in no simple way.
static int rest_changes(const kane_sampler *s, int at)
{
    int count;
    const kane_memory_piece *pieces = kane_memory_pieces(s->first.record, &count);
    const unsigned char *wheels     = (const unsigned char *)s->first.model->wheels;
    for (int k = 0; k < s->word_count; k++)
        if (s->words[k].node < 0 && pieces[s->words[k].piece].memory == wheels &&
            kane_sampled_value(&s->words[k], at) != s->words[k].start)
            return 1;
    return 0;
}

// Whether the equations need a number that has no formula; an error with its parameters.
static int check_formulas(const kane_sampler *s)
{
    const kane_recording *r = s->first.recording;
    for (int i = 0; i < r->tape.count; i++) {
        const kane_tape_node *n = &r->tape.nodes[i];
        if (!r->used[i] || n->op != KANE_OP_SYMBOL || n->a < r->symbol_count)
            continue;
        const kane_sampled_number *w = &s->words[n->a - r->symbol_count];
        const int at                 = w->changes[0].probe;
        if (w->support_count > KANE_SUPPORT_MOST)
            return kane_sampler_refuse(s, at, "a number that the equations need depends on more than 64 symbols");
        if (rest_changes(s, at))
            return kane_sampler_refuse(
                s, at,
                "how deep wheels sink into their rails at rest depends on it in no closed form; \"masses\" keeps masses as "
                "symbols, and bodies at rest where they are");
        return kane_sampler_refuse(
            s, at,
            "a number that the equations need depends on it in another way than as a polynomial, a quotient or a "
            "root; give it by --set and record once for each value");
    }
    return 1;
}

// Called functions have no symbols: they must not depend on the parameters, which is tried with each of them by itself.
static int check_calls(kane_sampler *s)
{
    const kane_tape *tape = &s->first.recording->tape;
    for (int i = 0; i < s->count && tape->call_count > 0; i++) {
        const int at = s->single[i][0];
        kane_staged other;
        int good = kane_staged_open(s, at, &other);
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
            good = same || kane_sampler_refuse(s, at, why);
        }
        kane_staged_close(&other);
        if (!good)
            return 0;
    }
    return 1;
}

// === Recording with parameters.

// The first model and its twin: all values as in the files.
static int open_first_models(kane_sampler *s, const double *start)
{
    for (int i = 0; i < s->count; i++)
        kane_parameter_spread(&s->values[i], i, start[i], 0);
    if (kane_sampler_add_probe(s) < 0)
        return 0;
    // a first one leaves tables of contact behind for all others
    for (int k = 0; k < 3; k++) {
        kane_staged *own = k == 1 ? &s->twin : &s->first;
        kane_staged_close(own);
        if (!kane_staged_open(s, 0, own))
            return 0;
    }
    return 1;
}

// Whether the model, and not its start alone, depends on every parameter. 0 with an error.
static int check_effects(kane_sampler *s)
{
    int count;
    const kane_memory_piece *pieces = kane_memory_pieces(s->first.record, &count);
    for (int i = 0; i < s->count; i++) {
        const int at = s->single[i][0];
        int changes  = 0;
        for (int k = 0; k < s->word_count && !changes; k++)
            changes =
                pieces[s->words[k].piece].part == MODEL && kane_sampled_value(&s->words[k], at) != s->words[k].start;
        if (!changes)
            return kane_sampler_refuse(s, at, "nothing in the equations depends on it");
    }
    return 1;
}

static int is_of_line(const char *path)
{
    char full[600];
    (void)kane_parameter_setting(path, "vehicle.", sizeof full, full);
    return strncmp(full, "track.", 6) == 0;
}

static int find_start(kane_sampler *s, double *start)
{
    const kane_run_options how = {.settings = s->source->settings, .omit = s->source->omit};
    kane_run *run              = kane_run_read(s->source->file, &how, s->errors);
    int good                   = run != NULL;
    for (int i = 0; i < s->count && run; i++) {
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
static kane_recording *record_first(kane_sampler *s)
{
    kane_recording *r = kane_staged_open(s, 0, &s->first) ? s->first.recording : NULL;
    if (!r || !kane_record_finish(r, &s->first.options, s->errors))
        return NULL;
    s->first.recording = NULL;
    return r;
}

static int sample_all(kane_sampler *s, const double *start)
{
    return open_first_models(s, start) && kane_sample_each(s, start) && check_effects(s) && kane_sample_checks(s) &&
           kane_sample_supports(s) && find_needed(s, start) && kane_sample_groups(s) && kane_sample_pairs(s) &&
           kane_sample_interactions(s);
}

static kane_recording *record_parameters(kane_sampler *s)
{
    const size_t count = (size_t)s->count + 1;
    double *start      = kane_arena_doubles(s->arena, count);
    s->values          = kane_arena_alloc(s->arena, count, sizeof *s->values);
    s->parameter       = kane_arena_alloc(s->arena, count, sizeof *s->parameter);
    s->single          = kane_arena_alloc(s->arena, count, sizeof *s->single);
    s->beside          = kane_arena_alloc(s->arena, count, sizeof *s->beside);
    if (kane_arena_failed(s->arena) || !find_start(s, start))
        return NULL;
    if (s->count == 0)
        return kane_sampler_add_probe(s) < 0 ? NULL : record_first(s);
    if (!sample_all(s, start))
        return NULL;
    kane_recording *r = s->first.recording;
    for (int i = 0; i < s->count; i++)
        r->start[kane_record_parameter(r, i)] = start[i];
    r->given = s->twin.recording->given; // whose numbers stay numbers
    if (!insert_formulas(s, &s->first, 1) || !kane_record_finish(r, &s->first.options, s->errors) ||
        !check_formulas(s) || !check_calls(s))
        return NULL;
    s->first.recording = NULL;
    return r;
}

kane_recording *kane_record_run(const kane_record_source *source, const kane_record_options *options,
                                kane_errors *errors)
{
    kane_sampler s    = {.source = source, .options = options, .errors = errors};
    const int before  = errors->count;
    kane_recording *r = NULL;
    while (source->parameters && source->parameters[s.count])
        s.count++;
    s.arena  = kane_arena_create();
    s.tables = kane_tables_create((size_t)64 << 20);
    if (s.arena && s.tables)
        r = record_parameters(&s);
    kane_staged_close(&s.first);
    kane_staged_close(&s.twin);
    kane_tables_free(s.tables);
    kane_arena_free(s.arena);
    if (!r && errors->count == before)
        (void)kane_no_memory(errors);
    return r;
}
