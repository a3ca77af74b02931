// SPDX-License-Identifier: MIT
// Units, and numbers with them.

#ifndef KANE_BASE_UNIT_H
#define KANE_BASE_UNIT_H

#include "base/text.h"

// === Quantities: a number with a unit, as text, to a number in SI units and back.

// Reads a quantity such as "25 mm", "1.22 MN/m", "1:40", "1/600 1/m", "3 permille" or "0.025" for a key of that SI unit
// ("m", "kg m^2", "1"). Returns 1, or 0 with the reason added to `fault`.
int kane_quantity_parse(const char *text, const char *unit, double *value, kane_text *fault);

// The same for whatever unit was typed: which one a key wants is not known here. 1, or 0 where it is no quantity.
int kane_quantity_value(const char *text, double *value);

// "inf", "+inf" or "-inf": an infinite radius is a straight. 0: it is something else.
int kane_quantity_infinite(const char *text, double *value);

// Adds what belongs in a key of that unit: a length [m] such as 0.025 or "25 mm"
void kane_quantity_expect(kane_text *text, const char *unit);

// === Units: products, quotients and powers of unit names with SI prefixes, such as "kN m/rad", "m/s^2", "km/h".

// What a unit is made of. Angles are not dimensionless here, so that "3 deg" is not taken for a length ratio; nor is a
// cycle, so that Hz is not taken for rad/s.
enum { KANE_METRE, KANE_KILOGRAM, KANE_SECOND, KANE_RADIAN, KANE_CYCLE, KANE_DIMENSIONS };

// value in SI units = number * up/down * 10^ten. Powers of ten are kept apart, so that "25 mm" is the same as 0.025.
typedef struct kane_unit {
    double up, down;
    int ten;
    double power[KANE_DIMENSIONS];
} kane_unit;

// A unit by its name, e.g. "mm", "kN", "deg", "%". Returns 0 if it is not known.
int kane_unit_named(const char *name, size_t length, kane_unit *unit);

// Reads a whole expression; "" and "1" are the pure number. Returns 0 with the reason added to `fault` if it is none.
// Powers: m^2, m^1.5, s^-1, m2, m². Products: a space, '*' or '·'. After a '/' a product needs parentheses.
int kane_unit_parse(const char *text, kane_unit *unit, kane_text *fault);

// Can a value in the unit `found` stand where `expected` is wanted? The dimensions must agree. The angle may be left
// out where it is only a part of the unit (N m for N m/rad, 1/s for rad/s); nothing else may.
int kane_unit_fits(const kane_unit *found, const kane_unit *expected);

// Adds what a unit measures: "a mass", "a stiffness", "a quantity in kg m/s^3".
void kane_unit_describe(kane_text *text, const kane_unit *unit);

// Example of a quantity of this unit as typed: "25 mm"; NULL if none is known.
const char *kane_unit_example(const kane_unit *unit);

// Adds what a name that is not known may stand for: "; did you mean 'kN m'?", or the known names if nothing is near.
void kane_unit_hint(kane_text *text, const char *name, size_t length);

// --- as regular expressions, for JSON schemas: POSIX extended and ECMA 262 at once ---

// Adds a pattern of every unit expression, or of more, but of no name that is not known.
void kane_unit_pattern(kane_text *text);

// What units measure, by number: 0 .. kane_unit_measures() - 1. Its noun; 1 if a value of it can stand where `expected`
// is wanted.
int kane_unit_measures(void);
const char *kane_unit_measure_noun(int measure);
int kane_unit_measure_fits(int measure, const kane_unit *expected);

// Adds a pattern of the expressions of a measure that people type: a unit with a power, a product or a quotient of two,
// and those of three and four in which basic units and forces stand. Others, such as kg m^2/s^2/m, it leaves out.
void kane_unit_measure_pattern(kane_text *text, int measure);

#endif
