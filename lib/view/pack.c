// SPDX-License-Identifier: MIT
// Rows of numbers in a page.

#include "view/pack.h"

#include "base/machine.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct hash {
    uint64_t part[2];
} hash;

struct kane_pack_entry {
    hash of;
    int number, taken;
};

// Bytes after those of a hash.
static hash go_on(hash before, const void *bytes, size_t length)
{
    return (hash){{kane_hash_text(bytes, length, before.part[0]), kane_hash_text(bytes, length, before.part[1])}};
}

static const hash nothing = {{1, 2}};

// --- what there is already ---

// Where something is, or where it belongs.
static struct kane_pack_entry *place_of(const kane_pack_known *known, hash of)
{
    size_t at = (size_t)of.part[0] & (size_t)(known->room - 1);
    while (known->entries[at].taken && memcmp(&known->entries[at].of, &of, sizeof of) != 0)
        at = (at + 1) & (size_t)(known->room - 1);
    return &known->entries[at];
}

// Twice the room if half of it is taken. 0 without memory.
static int make_room(kane_arena *arena, kane_pack_known *known)
{
    if (2 * known->count < known->room)
        return 1;
    kane_pack_known next = {known->count, known->room > 0 ? 2 * known->room : 64, NULL};
    next.entries         = kane_arena_alloc(arena, (size_t)next.room, sizeof *next.entries);
    if (!next.entries)
        return 0;
    for (int i = 0; i < known->room; i++)
        if (known->entries[i].taken)
            *place_of(&next, known->entries[i].of) = known->entries[i];
    *known = next;
    return 1;
}

// The number of a content: what it had before, or `number`, which is its own from now on.
static int number_of(kane_pack *pack, kane_pack_known *known, hash of, int number)
{
    if (!pack->arena || !make_room(pack->arena, known))
        return number;
    struct kane_pack_entry *entry = place_of(known, of);
    if (!entry->taken) {
        *entry = (struct kane_pack_entry){of, number, 1};
        known->count++;
    }
    return entry->number;
}

// --- numbers ---

void kane_pack_base64(FILE *file, size_t length, const unsigned char *bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[4 * 1024];
    size_t at = 0;
    for (size_t i = 0; i < length; i += 3) {
        const size_t left   = length - i;
        const uint32_t bits = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                              (left > 2 ? (uint32_t)bytes[i + 2] : 0);
        text[at++] = digits[bits >> 18];
        text[at++] = digits[bits >> 12 & 63];
        text[at++] = '=';
        text[at++] = '=';
        if (left > 1)
            text[at - 2] = digits[bits >> 6 & 63];
        if (left > 2)
            text[at - 1] = digits[bits & 63];
        if (at == sizeof text || i + 3 >= length) {
            (void)fwrite(text, 1, at, file);
            at = 0;
        }
    }
}

// Bytes of a number, the lowest first, whatever the machine has.
static void put(uint64_t bits, size_t size, unsigned char *bytes)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(bits >> 8 * i);
}

static void put_single(float value, unsigned char *bytes)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(bits, sizeof bits, bytes);
}

static void put_double(double value, unsigned char *bytes)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(bits, sizeof bits, bytes);
}

// Least and greatest of what is finite; 0 if nothing is, or if something is not (*all is 0 then).
static int find_range(int count, int stride, const double *values, double range[2], int *all)
{
    int found = 0;
    *all      = 1;
    for (int i = 0; i < count; i++) {
        const double v = values[(size_t)i * (size_t)stride];
        if (!isfinite(v)) {
            *all = 0;
            continue;
        }
        range[0] = found ? fmin(range[0], v) : v;
        range[1] = found ? fmax(range[1], v) : v;
        found    = 1;
    }
    return found;
}

typedef struct row {
    kane_pack_kind kind;
    int count, stride;
    const double *values;
    double offset;
} row;

enum { PIECE = 3 * 256 }; // whole groups of three bytes, so that one text goes on from piece to piece

// The bytes of the numbers from begin on, PIECE of them at most; how many bytes.
static size_t encode(const row *r, int begin, unsigned char bytes[8 * PIECE])
{
    const int end     = r->count - begin < PIECE ? r->count : begin + PIECE;
    const size_t size = r->kind == KANE_PACK_SINGLE ? 4 : 8;
    for (int i = begin; i < end; i++) {
        const double v     = r->values[(size_t)i * (size_t)r->stride];
        unsigned char *out = &bytes[size * (size_t)(i - begin)];
        if (r->kind == KANE_PACK_SINGLE)
            put_single((float)(v - r->offset), out);
        else
            put_double(v, out);
    }
    return size * (size_t)(end - begin);
}

static hash hash_of(const row *r)
{
    unsigned char bytes[8 * PIECE];
    hash found = go_on(nothing, &r->kind, sizeof r->kind);
    for (int begin = 0; begin < r->count; begin += PIECE)
        found = go_on(found, bytes, encode(r, begin, bytes));
    return found;
}

static void write_block(const kane_pack *pack, const row *r)
{
    unsigned char bytes[8 * PIECE];
    (void)fprintf(pack->page, "<script type=\"text/plain\" id=\"block-%d\">", pack->blocks);
    for (int begin = 0; begin < r->count; begin += PIECE)
        kane_pack_base64(pack->page, encode(r, begin, bytes), bytes);
    (void)fputs("</script>\n", pack->page);
}

void kane_pack_row(kane_pack *pack, const char *key, kane_pack_kind kind, int count, int stride, const double *values)
{
    double range[2] = {0.0, 0.0};
    int all;
    const int found = find_range(count, stride, values, range, &all);
    kane_writer_open(pack->json, key, '{');
    if (found && all && range[0] == range[1]) {
        kane_writer_number(pack->json, "constant", range[0]);
    } else {
        const double offset = kind == KANE_PACK_SINGLE ? 0.5 * range[0] + 0.5 * range[1] : 0.0;
        const row r         = {kind, count, stride, values, offset};
        const int block     = number_of(pack, &pack->rows, hash_of(&r), pack->blocks);
        if (block == pack->blocks) {
            write_block(pack, &r);
            pack->blocks++;
        }
        kane_writer_count(pack->json, "block", block);
        kane_writer_text(pack->json, "type", kind == KANE_PACK_SINGLE ? "f32" : "f64");
        kane_writer_number(pack->json, "offset", offset);
    }
    kane_writer_count(pack->json, "count", count);
    kane_writer_close(pack->json);
    pack->samples += count;
}

// --- parts of the JSON ---

int kane_pack_part_begin(kane_pack *pack, kane_pack_part *part)
{
    *part      = (kane_pack_part){.outer = pack->json};
    part->file = open_memstream(&part->text, &part->size);
    if (!part->file)
        return 0;
    part->own  = kane_writer_start(part->file);
    pack->json = &part->own;
    return 1;
}

// One more of them. 0 without memory.
static int keep_part(kane_pack *pack, const char *text)
{
    if (pack->shared_count == pack->shared_room) {
        const int room      = pack->shared_room > 0 ? 2 * pack->shared_room : 64;
        const char **longer = kane_arena_alloc(pack->arena, (size_t)room, sizeof *longer);
        for (int i = 0; i < pack->shared_count && longer; i++)
            longer[i] = pack->shared[i];
        if (!longer)
            return 0;
        pack->shared      = longer;
        pack->shared_room = room;
    }
    const char *copy = kane_arena_text(pack->arena, text);
    if (!copy)
        return 0;
    pack->shared[pack->shared_count++] = copy;
    return 1;
}

int kane_pack_part_end(kane_pack *pack, kane_pack_part *part)
{
    const kane_status status = kane_writer_end(&part->own);
    const int closed         = fclose(part->file) == 0 && status == KANE_OK;
    int number               = -1;
    pack->json               = part->outer;
    if (closed && part->text) {
        number = number_of(pack, &pack->parts, go_on(nothing, part->text, part->size), pack->shared_count);
        if (number == pack->shared_count && !keep_part(pack, part->text))
            number = -1;
    }
    free(part->text);
    return number;
}

void kane_pack_write_shared(kane_pack *pack)
{
    kane_writer_open(pack->json, "shared", '[');
    for (int i = 0; i < pack->shared_count; i++)
        kane_writer_json(pack->json, NULL, pack->shared[i]);
    kane_writer_close(pack->json);
}
