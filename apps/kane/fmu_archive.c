// SPDX-License-Identifier: MIT
// ZIP archives: for every file a header and its bytes, at the end the directory of all headers (PKWARE's APPNOTE 6.3).
// A file is deflated by zlib where that makes it smaller, else stored.

#include "fmu.h"

#include "base/file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { STORED, DEFLATED = 8 };

enum { LOCAL = 0x04034b50, CENTRAL = 0x02014b50, END = 0x06054b50, VERSION = 20 };

// 1 January 1980: the same files give the same archive.
enum { DATE = 1 << 5 | 1 };

typedef struct entry {
    char name[1024];
    int method; // STORED or DEFLATED
    uint32_t crc, packed, size, at;
} entry;

struct fmu_archive {
    kane_replacement to;
    int count, room;
    entry *entries;
    uint32_t length; // so far
};

// --- numbers, the lowest byte first ---

static void put(fmu_archive *a, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        (void)fputc((int)(value >> 8 * i & 255), a->to.file);
    a->length += (uint32_t)bytes;
}

static void put_bytes(fmu_archive *a, const void *bytes, size_t size)
{
    (void)fwrite(bytes, 1, size, a->to.file);
    a->length += (uint32_t)size;
}

// What both headers say of a file.
static void put_facts(fmu_archive *a, const entry *e)
{
    put(a, VERSION, 2);
    put(a, 1 << 11, 2); // names are UTF-8
    put(a, (uint32_t)e->method, 2);
    put(a, 0, 2); // midnight
    put(a, DATE, 2);
    put(a, e->crc, 4);
    put(a, e->packed, 4);
    put(a, e->size, 4);
    put(a, (uint32_t)strlen(e->name), 2);
    put(a, 0, 2); // nothing more
}

static void put_central(fmu_archive *a, const entry *e)
{
    put(a, CENTRAL, 4);
    put(a, 3 << 8 | VERSION, 2); // made under Unix
    put_facts(a, e);
    put(a, 0, 2); // no comment
    put(a, 0, 2);
    put(a, 0, 2);
    put(a, 0100644u << 16, 4); // a file that all may read
    put(a, e->at, 4);
    put_bytes(a, e->name, strlen(e->name));
}

// --- archives ---

fmu_archive *fmu_archive_create(const char *file, kane_errors *errors)
{
    fmu_archive *a = calloc(1, sizeof *a);
    if (!a) {
        (void)kane_no_memory(errors);
        return NULL;
    }
    if (kane_replacement_open(&a->to, file, errors) == KANE_OK)
        return a;
    free(a);
    return NULL;
}

// The deflated bytes, without a head of zlib's, to be freed; NULL where that makes them no fewer, or without memory.
static unsigned char *deflate_bytes(const void *bytes, size_t size, size_t *packed)
{
    enum { RAW = -15, MEMORY = 9, LEVEL = 4 }; // level 9 takes eight times as long for 4 % less
    z_stream z           = {.zalloc = NULL};
    unsigned char *room  = size > 0 ? malloc(size) : NULL;
    unsigned char *found = NULL;
    if (room && deflateInit2(&z, LEVEL, Z_DEFLATED, RAW, MEMORY, Z_DEFAULT_STRATEGY) == Z_OK) {
        z.next_in   = (z_const Bytef *)(uintptr_t)bytes;
        z.avail_in  = (uInt)size;
        z.next_out  = room;
        z.avail_out = (uInt)size;
        if (deflate(&z, Z_FINISH) == Z_STREAM_END && z.total_out < size) {
            *packed = z.total_out;
            found   = room;
        }
        (void)deflateEnd(&z);
    }
    if (!found)
        free(room);
    return found;
}

int fmu_archive_add(fmu_archive *a, const char *name, const void *bytes, size_t size, kane_errors *errors)
{
    if (a->count == a->room) {
        const int room = a->room ? 2 * a->room : 16;
        entry *more    = realloc(a->entries, (size_t)room * sizeof *more);
        if (!more)
            return kane_no_memory(errors) == KANE_OK;
        a->entries = more;
        a->room    = room;
    }
    entry *e = &a->entries[a->count];
    *e       = (entry){.size = (uint32_t)size, .packed = (uint32_t)size, .at = a->length};
    if (strlen(name) >= sizeof e->name || size > INT32_MAX || a->length > INT32_MAX - size) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "'%s' does not fit into an archive", name);
        return 0;
    }
    size_t packed           = size;
    unsigned char *deflated = deflate_bytes(bytes, size, &packed);
    (void)strcpy(e->name, name);
    e->crc    = (uint32_t)crc32(0, bytes, (uInt)size);
    e->method = deflated ? DEFLATED : STORED;
    e->packed = (uint32_t)packed;
    put(a, LOCAL, 4);
    put_facts(a, e);
    put_bytes(a, name, strlen(name));
    put_bytes(a, deflated ? deflated : bytes, packed);
    free(deflated);
    a->count++;
    return 1;
}

int fmu_archive_add_file(fmu_archive *a, const char *name, const char *file, kane_errors *errors)
{
    size_t size         = 0;
    kane_arena *scratch = kane_arena_create();
    const char *bytes   = scratch ? kane_file_read(scratch, file, &size, errors) : NULL;
    const int good      = bytes && fmu_archive_add(a, name, bytes, size, errors);
    kane_arena_free(scratch);
    return scratch ? good : kane_no_memory(errors) == KANE_OK;
}

int fmu_archive_close(fmu_archive *a, int is_good, kane_errors *errors)
{
    if (!a)
        return 0;
    const uint32_t directory = a->length;
    for (int i = 0; i < a->count && is_good; i++)
        put_central(a, &a->entries[i]);
    const uint32_t size = a->length - directory;
    put(a, END, 4);
    put(a, 0, 4); // one disk
    put(a, (uint32_t)a->count, 2);
    put(a, (uint32_t)a->count, 2);
    put(a, size, 4);
    put(a, directory, 4);
    put(a, 0, 2); // no comment
    if (is_good)
        is_good = kane_replacement_close(&a->to, errors) == KANE_OK;
    else
        kane_replacement_drop(&a->to);
    free(a->entries);
    free(a);
    return is_good;
}
