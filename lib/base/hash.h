// SPDX-License-Identifier: MIT
// Hashes (XXH3) that tell whether two texts or files are the same.

#ifndef KANE_BASE_HASH_H
#define KANE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

enum { KANE_HASH_SIZE = 33 }; // buffer for a file's hash as text [bytes]

// 64 bits of a text; another seed gives another hash.
uint64_t kane_hash_text(const char *text, size_t length, uint64_t seed);

// 128 bits of bytes as hexadecimal text.
void kane_hash_bytes(const void *bytes, size_t length, char text[KANE_HASH_SIZE]);

// 128 bits of a file's bytes as hexadecimal text. Returns 0, or an errno with the empty text if it cannot be read.
int kane_hash_file(const char *file, char text[KANE_HASH_SIZE]);

#endif
