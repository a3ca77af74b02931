// SPDX-License-Identifier: MIT
// What a program does with the errors that it has collected; all examples share it.

#ifndef KANE_EXAMPLES_PRINT_ERRORS_H
#define KANE_EXAMPLES_PRINT_ERRORS_H

#include <kane/base.h>

#include <stdio.h>

// Prints the errors and frees them. Returns how many they were.
static inline int print_errors(kane_errors *errors)
{
    const int count = errors->count;
    for (int i = 0; i < errors->kept; i++) {
        char text[1200];
        (void)kane_error_format(kane_errors_get(errors, i), sizeof text, text);
        (void)fprintf(stderr, "%s\n", text);
    }
    kane_errors_free(errors);
    return count;
}

#endif
