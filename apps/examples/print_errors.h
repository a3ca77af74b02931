// SPDX-License-Identifier: MIT
// What a program does with the errors that it has collected; all examples share it.

#ifndef KANE_EXAMPLES_PRINT_ERRORS_H
#define KANE_EXAMPLES_PRINT_ERRORS_H

#include <kane/base.h>

#include <stdio.h>

static inline void print_errors(const kane_errors *errors)
{
    for (int i = 0; i < errors->count && i < KANE_ERRORS_KEPT; i++) {
        char text[1200];
        (void)kane_error_format(&errors->kept[i], sizeof text, text);
        (void)fprintf(stderr, "%s\n", text);
    }
}

#endif
