// SPDX-License-Identifier: MIT
// Rows of numbers in a page.

#include "view/pack.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

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

// In pieces of whole groups of three bytes, so that one text goes on from piece to piece.
static void write_block(const kane_pack *pack, kane_pack_kind kind, int count, int stride, const double *values,
                        double offset)
{
    enum { PIECE = 3 * 256 };
    unsigned char bytes[8 * PIECE];
    const size_t size = kind == KANE_PACK_SINGLE ? 4 : 8;
    (void)fprintf(pack->page, "<script type=\"text/plain\" id=\"block-%d\">", pack->blocks);
    for (int begin = 0; begin < count; begin += PIECE) {
        const int end = count - begin < PIECE ? count : begin + PIECE;
        for (int i = begin; i < end; i++) {
            const double v     = values[(size_t)i * (size_t)stride];
            unsigned char *out = &bytes[size * (size_t)(i - begin)];
            if (kind == KANE_PACK_SINGLE)
                put_single((float)(v - offset), out);
            else
                put_double(v, out);
        }
        kane_pack_base64(pack->page, size * (size_t)(end - begin), bytes);
    }
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
        write_block(pack, kind, count, stride, values, offset);
        kane_writer_count(pack->json, "block", pack->blocks++);
        kane_writer_text(pack->json, "type", kind == KANE_PACK_SINGLE ? "f32" : "f64");
        kane_writer_number(pack->json, "offset", offset);
    }
    kane_writer_count(pack->json, "count", count);
    kane_writer_close(pack->json);
    pack->samples += count;
}
