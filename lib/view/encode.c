// SPDX-License-Identifier: MIT
// Rows of numbers in a page.

#include "view/encode.h"

#include "base/machine.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct hash {
    uint64_t part[2];
} hash;

struct kane_encoder_entry {
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
static struct kane_encoder_entry *place_of(const kane_encoder_known *known, hash of)
{
    size_t at = (size_t)of.part[0] & (size_t)(known->room - 1);
    while (known->entries[at].taken && memcmp(&known->entries[at].of, &of, sizeof of) != 0)
        at = (at + 1) & (size_t)(known->room - 1);
    return &known->entries[at];
}

// Twice the room if half of it is taken. 0 without memory.
static int make_room(kane_arena *arena, kane_encoder_known *known)
{
    if (2 * known->count < known->room)
        return 1;
    kane_encoder_known next = {known->count, known->room > 0 ? 2 * known->room : 64, NULL};
    next.entries            = kane_arena_alloc(arena, (size_t)next.room, sizeof *next.entries);
    if (!next.entries)
        return 0;
    for (int i = 0; i < known->room; i++)
        if (known->entries[i].taken)
            *place_of(&next, known->entries[i].of) = known->entries[i];
    *known = next;
    return 1;
}

// The number of a content: what it had before, or `number`, which is its own from now on.
static int number_of(kane_encoder *encoder, kane_encoder_known *known, hash of, int number)
{
    if (!encoder->arena || !make_room(encoder->arena, known))
        return number;
    struct kane_encoder_entry *entry = place_of(known, of);
    if (!entry->taken) {
        *entry = (struct kane_encoder_entry){of, number, 1};
        known->count++;
    }
    return entry->number;
}

// --- numbers ---

void kane_encoder_base64(FILE *file, size_t length, const unsigned char *bytes)
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

// Bytes of a number in little-endian order on every machine.
static void put_bytes(uint64_t bits, size_t size, unsigned char *bytes)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(bits >> 8 * i);
}

static void put_single(float value, unsigned char *bytes)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bytes(bits, sizeof bits, bytes);
}

static void put_double(double value, unsigned char *bytes)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bytes(bits, sizeof bits, bytes);
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
    kane_encoder_kind kind;
    int count, stride;
    const double *values;
    double offset;
} row;

enum { PIECE = 3 * 256 }; // whole groups of three bytes, so that one text goes on from piece to piece

// Bytes of the numbers from begin on, PIECE of them at most. Returns the number of bytes.
static size_t encode_numbers(const row *r, int begin, unsigned char bytes[8 * PIECE])
{
    const int end     = r->count - begin < PIECE ? r->count : begin + PIECE;
    const size_t size = r->kind == KANE_ENCODE_SINGLE ? 4 : 8;
    for (int i = begin; i < end; i++) {
        const double v     = r->values[(size_t)i * (size_t)r->stride];
        unsigned char *out = &bytes[size * (size_t)(i - begin)];
        if (r->kind == KANE_ENCODE_SINGLE)
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
        found = go_on(found, bytes, encode_numbers(r, begin, bytes));
    return found;
}

static void write_block(const kane_encoder *encoder, const row *r)
{
    unsigned char bytes[8 * PIECE];
    (void)fprintf(encoder->page, "<script type=\"text/plain\" id=\"block-%d\">", encoder->blocks);
    for (int begin = 0; begin < r->count; begin += PIECE)
        kane_encoder_base64(encoder->page, encode_numbers(r, begin, bytes), bytes);
    (void)fputs("</script>\n", encoder->page);
}

void kane_encoder_row(kane_encoder *encoder, const char *key, kane_encoder_kind kind, int count, int stride,
                      const double *values)
{
    double range[2] = {0.0, 0.0};
    int all;
    const int found = find_range(count, stride, values, range, &all);
    kane_writer_open(encoder->json, key, '{');
    if (found && all && range[0] == range[1]) {
        kane_writer_number(encoder->json, "constant", range[0]);
    } else {
        const double offset = kind == KANE_ENCODE_SINGLE ? 0.5 * range[0] + 0.5 * range[1] : 0.0;
        const row r         = {kind, count, stride, values, offset};
        const int block     = number_of(encoder, &encoder->rows, hash_of(&r), encoder->blocks);
        if (block == encoder->blocks) {
            write_block(encoder, &r);
            encoder->blocks++;
        }
        kane_writer_count(encoder->json, "block", block);
        kane_writer_text(encoder->json, "type", kind == KANE_ENCODE_SINGLE ? "f32" : "f64");
        kane_writer_number(encoder->json, "offset", offset);
    }
    kane_writer_count(encoder->json, "count", count);
    kane_writer_close(encoder->json);
    encoder->samples += count;
}

// --- parts of the JSON ---

int kane_encoder_part_begin(kane_encoder *encoder, kane_encoder_part *part)
{
    *part      = (kane_encoder_part){.outer = encoder->json};
    part->file = open_memstream(&part->text, &part->size);
    if (!part->file)
        return 0;
    part->own     = kane_writer_start(part->file);
    encoder->json = &part->own;
    return 1;
}

// One more of them. 0 without memory.
static int keep_part(kane_encoder *encoder, const char *text)
{
    const char **shared =
        kane_arena_grow(encoder->arena, encoder->shared, encoder->shared_count, &encoder->shared_room, sizeof *shared);
    if (!shared)
        return 0;
    encoder->shared  = shared;
    const char *copy = kane_arena_text(encoder->arena, text);
    if (!copy)
        return 0;
    encoder->shared[encoder->shared_count++] = copy;
    return 1;
}

int kane_encoder_part_end(kane_encoder *encoder, kane_encoder_part *part)
{
    const kane_status status = kane_writer_end(&part->own);
    const int closed         = fclose(part->file) == 0 && status == KANE_OK;
    int number               = -1;
    encoder->json            = part->outer;
    if (closed && part->text) {
        number = number_of(encoder, &encoder->parts, go_on(nothing, part->text, part->size), encoder->shared_count);
        if (number == encoder->shared_count && !keep_part(encoder, part->text))
            number = -1;
    }
    free(part->text);
    return number;
}

void kane_encoder_write_shared(kane_encoder *encoder)
{
    kane_writer_open(encoder->json, "shared", '[');
    for (int i = 0; i < encoder->shared_count; i++)
        kane_writer_json(encoder->json, NULL, encoder->shared[i]);
    kane_writer_close(encoder->json);
}
