// SPDX-License-Identifier: MIT
// libFuzzer at the readers: whatever a file holds, a reader gives what it read or errors that say why not, and touches
// nothing that is not its own. FUZZ_READER is one of the functions below: each is a program of its own, with its own
// corpus.

#include <kane/kane.h>

#include "force/magic.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef int reader(const char *file, kane_errors *errors); // 1: it was read

static int read_kind(const char *file, kane_vehicle_kind kind, kane_errors *errors)
{
    const kane_vehicle_options options = {.kind = kind};
    kane_vehicle *v                    = kane_vehicle_read(file, &options, errors);
    kane_vehicle_free(v);
    return v != NULL;
}

reader fuzz_vehicle, fuzz_mechanism, fuzz_track, fuzz_run, fuzz_flexible, fuzz_results, fuzz_simpack, fuzz_columns,
    fuzz_miniprof, fuzz_tyre;

int fuzz_vehicle(const char *file, kane_errors *errors)
{
    return read_kind(file, KANE_VEHICLE, errors);
}

int fuzz_mechanism(const char *file, kane_errors *errors)
{
    return read_kind(file, KANE_MECHANISM, errors);
}

int fuzz_track(const char *file, kane_errors *errors)
{
    kane_track *t = kane_track_read(file, NULL, errors);
    kane_track_free(t);
    return t != NULL;
}

int fuzz_run(const char *file, kane_errors *errors)
{
    const kane_run_options options = {.settings = NULL};
    kane_run *r                    = kane_run_read(file, &options, errors);
    kane_run_free(r);
    return r != NULL;
}

int fuzz_flexible(const char *file, kane_errors *errors)
{
    kane_flexible *f = kane_flexible_read(file, NULL, errors);
    kane_flexible_free(f);
    return f != NULL;
}

int fuzz_results(const char *file, kane_errors *errors)
{
    kane_results *r = kane_results_open(file, errors);
    kane_results_free(r);
    return r != NULL;
}

static int read_profile(const char *file, kane_profile_format format, kane_errors *errors)
{
    const kane_profile_options options = {.kind     = KANE_PROFILE_WHEEL,
                                          .format   = format,
                                          .unit     = format == KANE_PROFILE_SIMPACK ? 0.0 : 1e-3,
                                          .lateral  = KANE_LATERAL_OUTSIDE,
                                          .vertical = KANE_VERTICAL_UP};
    kane_profile *p                    = kane_profile_read(file, &options, errors);
    kane_profile_free(p);
    return p != NULL;
}

int fuzz_simpack(const char *file, kane_errors *errors)
{
    return read_profile(file, KANE_PROFILE_SIMPACK, errors);
}

int fuzz_columns(const char *file, kane_errors *errors)
{
    return read_profile(file, KANE_PROFILE_COLUMNS, errors);
}

int fuzz_miniprof(const char *file, kane_errors *errors)
{
    return read_profile(file, KANE_PROFILE_MINIPROF, errors);
}

int fuzz_tyre(const char *file, kane_errors *errors)
{
    kane_tir tir;
    kane_arena *arena = kane_arena_create();
    const int good    = arena && kane_tir_read(file, arena, &tir, errors);
    kane_arena_free(arena);
    return good;
}

// A file in memory, made anew for each input: a reader sees nothing of the one before.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static kane_errors errors;
    char name[64], text[1024];
    const int file = memfd_create("fuzz", MFD_CLOEXEC);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    (void)snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    kane_errors_clear(&errors);
    if (!FUZZ_READER(name, &errors) && errors.count == 0)
        abort(); // refused without a word
    for (int i = 0; i < errors.kept; i++)
        (void)kane_error_format(kane_errors_get(&errors, i), sizeof text, text);
    (void)close(file);
    return 0;
}
