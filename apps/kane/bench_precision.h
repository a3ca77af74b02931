// SPDX-License-Identifier: MIT
// Work against precision: methods and tolerances on one run (kane bench --precision RUN.json).

#ifndef KANE_APPS_BENCH_PRECISION_H
#define KANE_APPS_BENCH_PRECISION_H

#include "bench.h"

typedef struct bench_precision_options {
    const char *file;            // the run file
    const char *const *settings; // NULL-terminated; NULL: none
    double until;                // so long at most [s]; 0: 10 s
    int json;                    // on standard output, instead of text
    const char *csv, *picture;   // files; NULL: none
} bench_precision_options;

// 0 with errors.
int bench_precision(const bench_precision_options *options, kane_errors *errors);

#endif
