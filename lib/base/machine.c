// SPDX-License-Identifier: MIT
// Compiler, C library and processor.
//
// Levels of x86-64 as its System V ABI defines them, by features that glibc calls active: it has other sines,
// exponentials and powers for processors with FMA and AVX2, and GLIBC_TUNABLES may hide features from it.

#include "base/machine.h"

#include "base/c_locale.h"
#include "base/number.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h> // __GLIBC__
#include <string.h>
#include <xxhash.h>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#if defined(__x86_64__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 33)
#include <sys/platform/x86.h>
#define IS_ACTIVE(name, NAME) is_active(x86_cpu_##NAME)

// As CPU_FEATURE_ACTIVE of glibc, which shifts an int by 31 places.
static int is_active(unsigned feature)
{
    const struct cpuid_feature *leaf = __x86_get_cpuid_feature_leaf(feature / 128);
    return (int)(leaf->active_array[feature % 128 / 32] >> feature % 32 & 1U);
}
#endif
#endif
#ifndef IS_ACTIVE // what the processor has
#define IS_ACTIVE(name, NAME) __builtin_cpu_supports(name)
#endif

static const char *processor_level(void)
{
#if defined(__x86_64__)
    if (!IS_ACTIVE("ssse3", SSSE3) || !IS_ACTIVE("sse4.1", SSE4_1) || !IS_ACTIVE("sse4.2", SSE4_2) ||
        !IS_ACTIVE("popcnt", POPCNT))
        return "x86-64-v1";
    if (!IS_ACTIVE("avx2", AVX2) || !IS_ACTIVE("fma", FMA) || !IS_ACTIVE("bmi", BMI1) || !IS_ACTIVE("bmi2", BMI2))
        return "x86-64-v2";
    if (!IS_ACTIVE("avx512f", AVX512F) || !IS_ACTIVE("avx512bw", AVX512BW) || !IS_ACTIVE("avx512cd", AVX512CD) ||
        !IS_ACTIVE("avx512dq", AVX512DQ) || !IS_ACTIVE("avx512vl", AVX512VL))
        return "x86-64-v3";
    return "x86-64-v4";
#elif defined(__aarch64__)
    return "aarch64";
#else
    return "not known";
#endif
}

kane_machine kane_machine_read(void)
{
    kane_machine machine;
#if defined(__clang__)
    (void)snprintf(machine.compiler, sizeof machine.compiler, "clang %d.%d.%d", __clang_major__, __clang_minor__,
                   __clang_patchlevel__);
#elif defined(__GNUC__)
    (void)snprintf(machine.compiler, sizeof machine.compiler, "gcc %d.%d.%d", __GNUC__, __GNUC_MINOR__,
                   __GNUC_PATCHLEVEL__);
#else
    (void)snprintf(machine.compiler, sizeof machine.compiler, "not known");
#endif
#ifdef __GLIBC__
    (void)snprintf(machine.libc, sizeof machine.libc, "glibc %s", gnu_get_libc_version());
#else
    (void)snprintf(machine.libc, sizeof machine.libc, "not known");
#endif
    (void)snprintf(machine.processor, sizeof machine.processor, "%s", processor_level());
    return machine;
}

// === Hashes of texts and files.

uint64_t kane_hash_text(const char *text, size_t length, uint64_t seed)
{
    return XXH3_64bits_withSeed(text, length, seed);
}

static void print_hash(XXH128_hash_t hash, char text[KANE_HASH_SIZE])
{
    (void)snprintf(text, KANE_HASH_SIZE, "%016llx%016llx", (unsigned long long)hash.high64,
                   (unsigned long long)hash.low64);
}

void kane_hash_bytes(const void *bytes, size_t length, char text[KANE_HASH_SIZE])
{
    print_hash(XXH3_128bits(bytes, length), text);
}

// Returns 0 or an errno.
static int hash_file(FILE *in, XXH3_state_t *h)
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
    const int failed = h ? hash_file(in, h) : ENOMEM;
    if (!failed)
        print_hash(XXH3_128bits_digest(h), text);
    (void)XXH3_freeState(h);
    (void)fclose(in);
    return failed;
}

// --- what the system says, in English ---

const char *kane_system_text(int error)
{
    const kane_c_locale c = kane_c_locale_begin();
    const char *text      = c.own ? strerror_l(error, c.own) : strerror(error);
    kane_c_locale_end(c);
    return text;
}

const char *kane_signal_text(int number)
{
    const kane_c_locale c = kane_c_locale_begin();
    const char *text      = strsignal(number);
    kane_c_locale_end(c);
    return text;
}
