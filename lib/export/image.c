// SPDX-License-Identifier: MIT
// What memory an object needs.
//
// Two records of the same program with the same input hold the same pieces in the same order. A word that is not the
// same in both must be an address: that of one place in twin pieces. A word that is the same in both and an address
// within libkane's file points to a function or a constant there. Everything else is numbers.

#include "export/export.h"

#include "export/plain/sparse_factors.h"

#include <stdlib.h>
#include <string.h>

// A piece of the first record by its address.
typedef struct by_place {
    const unsigned char *memory;
    int piece;
} by_place;

// A constant within a function that is taken like a piece.
typedef struct constant {
    const kane_symbol *symbol;
    int number;
} constant;

// A piece of the image, and which recorded one it is; -1: a constant.
typedef struct item {
    kane_image_piece piece;
    int source;
} item;

typedef struct taker {
    kane_arena *arena;
    const kane_symbols *symbols;
    kane_errors *errors;
    int count; // of recorded pieces
    const kane_memory_piece *first, *second;
    by_place *places; // of those that were not given back
    int place_count;
    int *number; // in the image, of every recorded piece; -1: not in it (yet)
    int constant_count, constant_room;
    constant *constants;
    // the image
    int taken, room;
    item *items;
    kane_image_link *links; // scratch of a piece
    int link_room;
} taker;

static int compare_places(const void *a, const void *b)
{
    const by_place *x = a, *y = b;
    return (x->memory > y->memory) - (x->memory < y->memory);
}

// The recorded piece of the first record that an address is in, or that ends there; -1: none.
static int find_piece(const taker *t, uintptr_t address)
{
    int low = 0, high = t->place_count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if ((uintptr_t)t->places[middle].memory <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return -1;
    const int piece = t->places[low - 1].piece;
    return address - (uintptr_t)t->first[piece].memory <= t->first[piece].size ? piece : -1;
}

static int add_piece(taker *t, kane_image_piece piece, int source)
{
    item *items = kane_arena_grow(t->arena, t->items, t->taken, &t->room, sizeof *items);
    if (!items)
        return -1;
    t->items        = items;
    items[t->taken] = (item){piece, source};
    return t->taken++;
}

static void copy_integers(int *to, const int *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}

// The pattern of the factors, from what KLU has chosen.
static void fill_factors(const kane_sparse_parts *to, const kane_sparse_factors *from)
{
    const int n = from->size;
    copy_integers(to->pattern.P, from->P, n);
    copy_integers(to->pattern.Q, from->Q, n);
    copy_integers(to->pattern.R, from->R, from->block_count + 1);
    copy_integers(to->pattern.Lp, from->Lp, n + 1);
    copy_integers(to->pattern.Up, from->Up, n + 1);
    copy_integers(to->pattern.Fp, from->Fp, n + 1);
    copy_integers(to->pattern.Li, from->Li, from->Lp[n]);
    copy_integers(to->pattern.Ui, from->Ui, from->Up[n]);
    copy_integers(to->pattern.Fi, from->Fi, from->Fp[n]);
    for (int i = 0; i < n; i++)
        to->inverse[from->P[i]] = i;
}

// Memory of a solver in an exported model (lib/export/plain/sparse_factors.h). 0 without memory.
static int copy_solver(taker *t, const kane_memory_piece *p, kane_image_piece *own)
{
    struct kane_sparse_lu head = {.pattern = NULL};
    kane_sparse_factors f      = {.size = 0};
    memcpy(&head.pattern, p->memory, sizeof head.pattern);
    if (kane_sparse_lu_get_factors((const kane_sparse_lu *)(const void *)p->memory, t->arena, &f)) {
        head.block_count = f.block_count;
        head.L_count     = f.Lp[f.size];
        head.U_count     = f.Up[f.size];
        head.F_count     = f.Fp[f.size];
    }
    (void)kane_sparse_parts_find(&head, head.pattern->size, &own->size);
    struct kane_sparse_lu *lu = kane_arena_alloc(t->arena, 1, own->size);
    if (!lu)
        return 0;
    memcpy(lu, &head, sizeof head);
    const kane_sparse_parts parts = kane_sparse_parts_find(lu, head.pattern->size, NULL);
    if (f.size > 0)
        fill_factors(&parts, &f);
    own->memory    = (const unsigned char *)lu;
    own->alignment = 16;
    return 1;
}

// Number of a recorded piece in the image, which it is added to at its first use. -1: no memory.
static int number_of_piece(taker *t, int piece)
{
    const kane_memory_piece *p = &t->first[piece];
    if (t->number[piece] >= 0)
        return t->number[piece];
    kane_image_piece own = {.memory = p->memory, .size = p->size, .alignment = p->alignment, .is_variable = p->part};
    if (p->kind == KANE_MEMORY_SOLVER && !copy_solver(t, p, &own))
        return -1;
    t->number[piece] = add_piece(t, own, piece);
    return t->number[piece];
}

static int number_of_constant(taker *t, const kane_symbol *symbol)
{
    for (int i = 0; i < t->constant_count; i++)
        if (t->constants[i].symbol == symbol)
            return t->constants[i].number;
    constant *constants =
        kane_arena_grow(t->arena, t->constants, t->constant_count, &t->constant_room, sizeof *constants);
    if (!constants)
        return -1;
    const kane_image_piece piece = {
        .memory = (const unsigned char *)symbol->address, .size = symbol->size, .alignment = 16};
    const int number               = add_piece(t, piece, -1);
    t->constants                   = constants;
    constants[t->constant_count++] = (constant){symbol, number};
    return number;
}

static uintptr_t word_at(const unsigned char *memory, size_t at)
{
    uintptr_t word;
    memcpy(&word, memory + at, sizeof word);
    return word;
}

static int report_no_copy(taker *t, const kane_memory_piece *piece, size_t at, const char *what)
{
    kane_errors_add(t->errors, KANE_NOT_SOLVED, "the model cannot be copied: %s (byte %zu of %zu, piece %d)", what, at,
                    piece ? piece->size : (size_t)0, piece ? (int)(piece - t->first) : -1);
    return 0;
}

// Link of a word that is the same in both records: a text or symbol, if it is an address. 0 with an error.
static int resolve_constant(taker *t, const kane_memory_piece *piece, size_t at, uintptr_t word, kane_image_link *link,
                            int *is_link)
{
    const kane_symbol *symbol;
    *is_link = 1;
    switch (kane_symbols_find(t->symbols, word, &symbol)) {
    case KANE_SITE_NOWHERE: *is_link = 0; return 1;
    case KANE_SITE_TEXT:
        *link = (kane_image_link){.at = at, .kind = KANE_IMAGE_TEXT, .text = (const char *)word};
        return 1;
    case KANE_SITE_FOREIGN: return report_no_copy(t, piece, at, "it holds an address outside libkane");
    case KANE_SITE_NAMED: break;
    }
    *link = (kane_image_link){.at = at, .kind = KANE_IMAGE_SYMBOL, .symbol = symbol, .offset = word - symbol->address};
    if (symbol->is_function || !strchr(symbol->name, '.'))
        return 1;
    link->kind   = KANE_IMAGE_PIECE;
    link->target = number_of_constant(t, symbol);
    return link->target >= 0;
}

// Whether twin addresses are of memory that was freed: they are not used any more.
static int was_returned(const taker *t, uintptr_t word, uintptr_t other)
{
    for (int i = 0; i < t->count; i++)
        if (t->first[i].is_returned && word - (uintptr_t)t->first[i].memory <= t->first[i].size &&
            other - (uintptr_t)t->second[i].memory == word - (uintptr_t)t->first[i].memory)
            return 1;
    return 0;
}

// Link of a word of a recorded piece. The model was made twice: a word with the same value in both is a number or the
// address of a constant, one that differs must be an address with the same offset in twin pieces. 0 with an error.
static int resolve_word(taker *t, const kane_memory_piece *piece, const kane_memory_piece *twin, size_t at,
                        kane_image_link *link, int *is_link)
{
    const uintptr_t word = word_at(piece->memory, at), other = word_at(twin->memory, at);
    if (word == other)
        return resolve_constant(t, piece, at, word, link, is_link);
    const int target    = find_piece(t, word);
    *is_link            = 1;
    *link               = (kane_image_link){.at = at, .kind = KANE_IMAGE_NOTHING};
    const size_t offset = target < 0 ? 0 : word - (uintptr_t)t->first[target].memory;
    if (target < 0 || other - (uintptr_t)t->second[target].memory != offset)
        return was_returned(t, word, other) ||
               report_no_copy(t, piece, at, "a number is another one when it is made again");
    switch (t->first[target].kind) {
    case KANE_MEMORY_ARENA:
    case KANE_MEMORY_TYPED: return 1;
    case KANE_MEMORY_TEXT:
        *link = (kane_image_link){.at = at, .kind = KANE_IMAGE_TEXT, .text = (const char *)word};
        return 1;
    case KANE_MEMORY_SOLVER:
    case KANE_MEMORY_ANY: break;
    }
    *link        = (kane_image_link){.at = at, .kind = KANE_IMAGE_PIECE, .offset = offset};
    link->target = number_of_piece(t, target);
    return link->target >= 0;
}

// Finds all links of a piece of the image. 0 with an error.
static int scan_piece(taker *t, int number)
{
    const int source    = t->items[number].source;
    const int is_solver = source >= 0 && t->first[source].kind == KANE_MEMORY_SOLVER;
    const size_t size   = is_solver ? sizeof(uintptr_t) : t->items[number].piece.size; // only the pattern leads further
    const kane_memory_piece *piece = source >= 0 ? &t->first[source] : NULL;
    const kane_memory_piece *twin  = source >= 0 ? &t->second[source] : NULL;
    int count                      = 0;
    for (size_t at = 0; at + sizeof(uintptr_t) <= size; at += sizeof(uintptr_t)) {
        kane_image_link link;
        int is_link = 0;
        const int good =
            piece ? resolve_word(t, piece, twin, at, &link, &is_link)
                  : resolve_constant(t, NULL, at, word_at(t->items[number].piece.memory, at), &link, &is_link);
        if (!good)
            return 0;
        if (!is_link)
            continue;
        kane_image_link *all = kane_arena_grow(t->arena, t->links, count, &t->link_room, sizeof *all);
        if (!all)
            return 0;
        t->links     = all;
        all[count++] = link;
    }
    kane_image_link *links = kane_arena_alloc(t->arena, (size_t)count, sizeof *links);
    if (!links)
        return 0;
    if (count)
        memcpy(links, t->links, (size_t)count * sizeof *links);
    t->items[number].piece.links      = links;
    t->items[number].piece.link_count = count;
    return 1;
}

static int are_twins(const taker *t, int other_count)
{
    if (other_count != t->count)
        return 0;
    for (int i = 0; i < t->count; i++)
        if (t->first[i].size != t->second[i].size || t->first[i].kind != t->second[i].kind ||
            t->first[i].is_returned != t->second[i].is_returned || t->first[i].part != t->second[i].part)
            return 0;
    return 1;
}

static int sort_pieces(taker *t)
{
    t->places = kane_arena_alloc(t->arena, (size_t)t->count, sizeof *t->places);
    t->number = kane_arena_alloc(t->arena, (size_t)t->count, sizeof *t->number);
    if (!t->places || !t->number)
        return 0;
    for (int i = 0; i < t->count; i++) {
        t->number[i] = -1;
        if (!t->first[i].is_returned)
            t->places[t->place_count++] = (by_place){t->first[i].memory, i};
    }
    qsort(t->places, (size_t)t->place_count, sizeof *t->places, compare_places);
    return 1;
}

const kane_image *kane_image_create(kane_arena *arena, const kane_symbols *symbols, const kane_memory_record *first,
                                    const kane_memory_record *second, int root_count, const void *const *roots,
                                    const void *const *twins, kane_errors *errors)
{
    int other_count   = 0;
    taker t           = {.arena = arena, .symbols = symbols, .errors = errors};
    t.first           = kane_memory_pieces(first, &t.count);
    t.second          = kane_memory_pieces(second, &other_count);
    kane_image *image = kane_arena_alloc(arena, 1, sizeof *image);
    int *numbers      = kane_arena_alloc(arena, (size_t)root_count, sizeof *numbers);
    if (t.first && t.second && !are_twins(&t, other_count)) {
        (void)report_no_copy(&t, NULL, 0, "it is not made in the same way twice");
        return NULL;
    }
    if (!t.first || !t.second || !image || !numbers || !sort_pieces(&t)) {
        (void)kane_no_memory(errors);
        return NULL;
    }
    const int before = errors->count;
    for (int i = 0; i < root_count; i++) {
        const int piece = find_piece(&t, (uintptr_t)roots[i]);
        if (piece < 0 || t.first[piece].memory != roots[i] || t.second[piece].memory != twins[i]) {
            (void)report_no_copy(&t, NULL, 0, "it was not recorded");
            return NULL;
        }
        numbers[i] = number_of_piece(&t, piece);
    }
    int good = 1;
    for (int i = 0; i < t.taken && good; i++)
        good = scan_piece(&t, i);
    if (!good || kane_arena_failed(arena)) {
        if (errors->count == before)
            (void)kane_no_memory(errors);
        return NULL;
    }
    kane_image_piece *pieces = kane_arena_alloc(arena, (size_t)t.taken, sizeof *pieces);
    for (int i = 0; i < t.taken && pieces; i++)
        pieces[i] = t.items[i].piece;
    *image = (kane_image){t.taken, pieces, numbers};
    return image;
}
