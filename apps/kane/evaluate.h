// SPDX-License-Identifier: MIT
// What kane evaluate prints and draws.

#ifndef KANE_APPS_EVALUATE_H
#define KANE_APPS_EVALUATE_H

#include "app.h"

// All assessments of one result file: as a table to read, as lines of CSV with all digits, as JSON. 0 with an error.
int evaluate_print(const kane_evaluation *evaluation, const char *name, const kane_evaluation_options *options,
                   const char *file, kane_errors *errors);
int evaluate_write_csv(const kane_evaluation *evaluation, const char *file, kane_errors *errors);
int evaluate_write_json(const kane_evaluation *evaluation, const char *name, const kane_evaluation_options *options,
                        const char *file, kane_errors *errors);

// Spectra of the channels that match patterns.
typedef struct evaluate_spectra {
    app_texts channels;          // patterns
    const char *against;         // "time" or "distance"
    double from, to;             // distances travelled [m]
    double resolution;           // between two frequencies [Hz] or [1/m]; 0: as eight windows give it
    const char *picture, *table; // NULL: no picture; standard output
} evaluate_spectra;
int evaluate_spectrum(const kane_results *results, const evaluate_spectra *what, kane_errors *errors);

#endif
