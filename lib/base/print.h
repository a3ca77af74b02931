// SPDX-License-Identifier: MIT
// What stdio prints, with the decimal point of the C locale, and what the system says. Outside lib/base all numbers that are not whole
// are printed by these functions or by those of base/number.h (house.locale).

#ifndef KANE_BASE_PRINT_H
#define KANE_BASE_PRINT_H

#include <kane/base.h>

#include <stdarg.h>
#include <stdio.h>

// As their namesakes without kane_ do in the C locale: the same arguments, bytes and results.
int kane_fprintf(FILE *file, const char *format, ...) KANE_PRINTF(2, 3);
int kane_snprintf(char *buffer, size_t size, const char *format, ...) KANE_PRINTF(3, 4);
int kane_vsnprintf(char *buffer, size_t size, const char *format, va_list arguments) KANE_PRINTF(3, 0);

// What the system says of an errno, in English as all other messages are.
const char *kane_system_text(int error);

// And of a signal.
const char *kane_signal_text(int number);

#endif
