// SPDX-License-Identifier: MIT
// Quantities: a number with a unit, as text, to a number in SI units and back.

#ifndef KANE_BASE_QUANTITY_H
#define KANE_BASE_QUANTITY_H

#include "base/text.h"

// Reads a quantity such as "25 mm", "1.22 MN/m", "1:40", "1/600 1/m", "3 permille" or "0.025" for a key of that SI unit
// ("m", "kg m^2", "1"). Returns 1, or 0 with the reason added to `fault`.
int kane_quantity_parse(const char *text, const char *unit, double *value, kane_text *fault);

// The same for whatever unit was typed: which one a key wants is not known here. 1, or 0 where it is no quantity.
int kane_quantity_value(const char *text, double *value);

// "inf", "+inf" or "-inf": an infinite radius is a straight. 0: it is something else.
int kane_quantity_infinite(const char *text, double *value);

// Adds what belongs in a key of that unit: a length [m] such as 0.025 or "25 mm"
void kane_quantity_expect(kane_text *text, const char *unit);

// Adds a value with its unit as people write it, with so many significant digits: 1.22 MN/m, 25 mm, 3 (for "1").
void kane_quantity_format(kane_text *text, double value, const char *unit, int digits);

#endif
