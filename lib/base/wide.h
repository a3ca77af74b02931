// SPDX-License-Identifier: MIT
// Loops that a compiler does for several numbers at once.

#ifndef KANE_BASE_WIDE_H
#define KANE_BASE_WIDE_H

#include <stdlib.h> // __GLIBC__

// Before a function: GCC compiles it twice, for x86-64 as it comes and with AVX2, and the processor decides when the program starts. The
// bits are the same: no product is contracted with a sum. Only functions that spend their time in loops over rows of numbers gain from
// it. (Clang 14 gives static functions of one name in two files one symbol. Under a sanitizer what decides would run before the
// sanitizer's memory is there.) CMake's KANE_WIDE=OFF leaves the second out.
#if !defined(KANE_NOT_WIDE) && defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) &&                       \
    !defined(__clang__) && !defined(__cplusplus) && !defined(__SANITIZE_ADDRESS__)
#define KANE_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define KANE_WIDE
#endif

#endif
