// SPDX-License-Identifier: MIT
// Numbers as text, both ways, always with a point and whatever the locale says.

#ifndef KANE_BASE_NUMBER_H
#define KANE_BASE_NUMBER_H

#include <stddef.h>

enum { KANE_NUMBER_LENGTH = 60 }; // longest number that is read [bytes]
enum { KANE_NUMBER_SIZE = 32 };   // buffer for any number that is written [bytes]

// Length of the number that text begins with: [sign] digits [. digits] or [sign] . digits, then [e [sign] digits].
// 0 if there is none. JSON is stricter (base/scan.h).
size_t kane_number_length(const char *text);

// Value of a number of that length times 10^ten, correctly rounded; an infinity if it is too large. "25" with ten = -3
// is the same double as "0.025". length must be within KANE_NUMBER_LENGTH.
double kane_number_value(const char *text, size_t length, int ten);

// Writes the shortest decimal number that reads back as the same double: "0.1", "1e-300", "-0", "nan", "inf".
void kane_number_format(double value, char buffer[KANE_NUMBER_SIZE]);

// Writes a number with so many significant digits (1 .. 17), trailing zeros left out.
void kane_number_round(double value, int digits, char buffer[KANE_NUMBER_SIZE]);

#endif
