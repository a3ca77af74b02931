// SPDX-License-Identifier: MIT
// Hashes of texts and files.

#include "base/hash.h"

#include <errno.h>
#include <stdio.h>
#include <xxhash.h>

uint64_t kane_hash_text(const char *text, size_t length, uint64_t seed)
{
    return XXH3_64bits_withSeed(text, length, seed);
}

static void print(XXH128_hash_t hash, char text[KANE_HASH_SIZE])
{
    (void)snprintf(text, KANE_HASH_SIZE, "%016llx%016llx", (unsigned long long)hash.high64,
                   (unsigned long long)hash.low64);
}

void kane_hash_bytes(const void *bytes, size_t length, char text[KANE_HASH_SIZE])
{
    print(XXH3_128bits(bytes, length), text);
}

// Returns 0 or an errno.
static int feed(FILE *in, XXH3_state_t *h)
{
    char block[4096];
    size_t n;
    (void)XXH3_128bits_reset(h);
    errno = 0;
    while ((n = fread(block, 1, sizeof block, in)) > 0)
        (void)XXH3_128bits_update(h, block, n);
    return ferror(in) ? errno ? errno : EIO : 0;
}

int kane_hash_file(const char *file, char text[KANE_HASH_SIZE])
{
    text[0]  = '\0';
    FILE *in = fopen(file, "rb");
    if (!in)
        return errno;
    XXH3_state_t *h  = XXH3_createState();
    const int failed = h ? feed(in, h) : ENOMEM;
    if (!failed)
        print(XXH3_128bits_digest(h), text);
    (void)XXH3_freeState(h);
    (void)fclose(in);
    return failed;
}
