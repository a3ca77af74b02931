// SPDX-License-Identifier: MIT
// Numbers and messages as texts, whatever the locale of the host.

#ifndef KANE_BASE_NUMBER_H
#define KANE_BASE_NUMBER_H

#include <kane/base.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

// === Numbers as text, both ways, always with a point and whatever the locale says.

enum { KANE_NUMBER_LENGTH = 60 }; // longest number that is read [bytes]
enum { KANE_NUMBER_SIZE = 32 };   // buffer for any number that is written [bytes]

// Length of the number that text begins with: [sign] digits [. digits] or [sign] . digits, then [e [sign] digits].
// 0 if there is none. JSON is stricter (base/scan.h).
size_t kane_number_length(const char *text);

// Value of a number of that length times 10^ten, correctly rounded; an infinity if it is too large. "25" with ten = -3
// is the same double as "0.025". length must be within KANE_NUMBER_LENGTH.
double kane_number_value(const char *text, size_t length, int ten);

// The value of a text that is such a number from its first to its last byte. 0: it is none, or longer than is read.
int kane_number_parse(const char *text, size_t length, int ten, double *value);

// Writes the shortest decimal number that reads back as the same double: "0.1", "1e-300", "-0", "nan", "inf".
void kane_number_format(double value, char buffer[KANE_NUMBER_SIZE]);

// Writes a number with so many significant digits (1 .. 17), trailing zeros left out.
void kane_number_round(double value, int digits, char buffer[KANE_NUMBER_SIZE]);

// For qsort: doubles, and indices, in ascending order.
int kane_compare_numbers(const void *a, const void *b);

static inline int kane_compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

#define KANE_PI 3.14159265358979323846

// === What stdio prints, with the decimal point of the C locale, and what the system says. Outside lib/base all numbers
// that are not whole are printed by these functions or by those of base/number.h (house.locale).

// As their namesakes without kane_ do in the C locale: the same arguments, bytes and results.
int kane_fprintf(FILE *file, const char *format, ...) KANE_PRINTF(2, 3);
int kane_snprintf(char *buffer, size_t size, const char *format, ...) KANE_PRINTF(3, 4);
int kane_vsnprintf(char *buffer, size_t size, const char *format, va_list arguments) KANE_PRINTF(3, 0);

// The system's message of an errno, in English like all other messages.
const char *kane_system_text(int error);

// And of a signal.
const char *kane_signal_text(int number);

#endif
