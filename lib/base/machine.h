// SPDX-License-Identifier: MIT
// The machine: compiler, C library, instructions, time; hashes of texts and files, prefixes of errors.

#ifndef KANE_BASE_MACHINE_H
#define KANE_BASE_MACHINE_H

#include <kane/base.h>

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h> // __GLIBC__

// === What the last digits of a result depend on beside its input: the compiler, the C library and the instructions
// that it may use. They stand in every manifest (docs/results.md).

typedef struct kane_machine {
    char compiler[64];  // that built libkane: "gcc 12.2.0"
    char libc[64];      // that runs: "glibc 2.36"
    char processor[32]; // level of the instructions that the C library uses now: "x86-64-v3", "aarch64"
} kane_machine;

// Texts that do not fit are cut.
kane_machine kane_machine_read(void);

// === Loops that a compiler does for several numbers at once.

// Before a function: GCC compiles it twice, for x86-64 as it comes and with AVX2, and the processor decides when the
// program starts. The bits are the same: no product is contracted with a sum. Only functions that spend their time in
// loops over rows of numbers gain from it. (Clang 14 gives static functions of one name in two files one symbol. Under
// a sanitizer what decides would run before the sanitizer's memory is there.) CMake's KANE_WIDE=OFF leaves the second
// out.
#if !defined(KANE_NOT_WIDE) && defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) &&                       \
    !defined(__clang__) && !defined(__cplusplus) && !defined(__SANITIZE_ADDRESS__)
#define KANE_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define KANE_WIDE
#endif

// === How long something takes.

double kane_clock(void);             // [s] since some moment; never goes back
double kane_clock_processor(void);   // [s] of processors that this process has had
double kane_clock(void);             // [s] since some moment; never goes back
void kane_clock_wait(double moment); // until then; an interruption may end it before

// === Hashes (XXH3) that tell whether two texts or files are the same.

enum { KANE_HASH_SIZE = 33 }; // buffer for a file's hash as text [bytes]

// 64 bits of a text; another seed gives another hash.
uint64_t kane_hash_text(const char *text, size_t length, uint64_t seed);

// 128 bits of bytes as hexadecimal text.
void kane_hash_bytes(const void *bytes, size_t length, char text[KANE_HASH_SIZE]);

// 128 bits of a file's bytes as hexadecimal text. Returns 0, or an errno with the empty text if it cannot be read.
int kane_hash_file(const char *file, char text[KANE_HASH_SIZE]);

// === Errors of kane/base.h: what the library alone does with them.

// Puts words before the text of error `index`; nothing if that one is not kept.
void kane_errors_prefix(kane_errors *errors, int index, const char *format, ...) KANE_PRINTF(3, 4);

#endif
