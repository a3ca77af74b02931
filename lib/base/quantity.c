// SPDX-License-Identifier: MIT
// Quantities as text.
//
//   quantity = number [ ( "/" | ":" ) number ] [ unit ]       a unit may begin with '/': 0.5/m

#include "base/unit.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

// The numbers in front of the unit.
typedef struct amount {
    const char *up, *down; // down is NULL if there is only one
    size_t up_length, down_length;
} amount;

static const char *skip_space(const char *p)
{
    return p + strspn(p, " \t");
}

// Reads the amount and returns where the unit begins; NULL with the reason.
static const char *read_amount(const char *text, const char *unit, amount *a, kane_text *fault)
{
    const char *p = skip_space(text);
    *a            = (amount){.up = p, .up_length = kane_number_length(p)};
    if (a->up_length == 0) {
        kane_text_quote(fault, '\'', text);
        kane_text_add(fault, " does not begin with a number, expected ");
        kane_quantity_expect(fault, unit);
        return NULL;
    }
    p += a->up_length;
    if (*p == ',' && p[1] >= '0' && p[1] <= '9') {
        kane_text_quote(fault, '\'', text);
        kane_text_add(fault, " has a comma in its number, decimals stand after a point");
        return NULL;
    }
    const char *second = skip_space(p);
    if ((*second == '/' || *second == ':') && kane_number_length(skip_space(second + 1)) > 0) {
        a->down        = skip_space(second + 1);
        a->down_length = kane_number_length(a->down);
        p              = a->down + a->down_length;
    }
    if (a->up_length > KANE_NUMBER_LENGTH || a->down_length > KANE_NUMBER_LENGTH) {
        kane_text_add(fault, "a number of more than %d characters", KANE_NUMBER_LENGTH);
        return NULL;
    }
    return skip_space(p);
}

// Value of an amount in SI units. Where the unit is a power of ten, a single number is as exact as if it had been typed
// with that exponent.
static double value_of(const amount *a, const kane_unit *u)
{
    const int decimal   = u->up == 1.0 && u->down == 1.0 && !a->down;
    const double number = kane_number_value(a->up, a->up_length, decimal ? u->ten : 0);
    if (decimal)
        return number;
    const double up   = u->ten > 0 ? u->up * pow(10.0, u->ten) : u->up;
    const double down = u->ten < 0 ? u->down * pow(10.0, -u->ten) : u->down;
    return number * up / (a->down ? down * kane_number_value(a->down, a->down_length, 0) : down);
}

// Does the unit that was typed fit the one of the key? Adds what is wrong.
static int check_unit(const char *text, const char *unit, const kane_unit *found, kane_text *fault)
{
    kane_unit expected;
    char unused[64];
    kane_text nowhere = kane_text_start(sizeof unused, unused);
    if (kane_unit_parse(unit, &expected, &nowhere) && kane_unit_fits(found, &expected))
        return 1;
    kane_text_quote(fault, '\'', text);
    kane_text_add(fault, " is ");
    kane_unit_describe(fault, found);
    kane_text_add(fault, ", expected ");
    kane_quantity_expect(fault, unit);
    return 0;
}

int kane_quantity_parse(const char *text, const char *unit, double *value, kane_text *fault)
{
    amount a;
    kane_unit found;
    char reason[200];
    kane_text why = kane_text_start(sizeof reason, reason);

    const char *rest = read_amount(text, unit, &a, fault);
    if (!rest)
        return 0;
    if (!kane_unit_parse(rest, &found, &why)) {
        kane_text_quote(fault, '\'', text);
        kane_text_add(fault, ": %s", reason);
        return 0;
    }
    const int typed_unit = *rest || a.down;
    if (typed_unit && !check_unit(text, unit ? unit : "1", &found, fault))
        return 0;
    *value = value_of(&a, &found);
    if (!isfinite(*value)) {
        kane_text_quote(fault, '\'', text);
        kane_text_add(fault, " is not a finite number");
        return 0;
    }
    return 1;
}

int kane_quantity_value(const char *text, double *value)
{
    amount a;
    kane_unit found;
    char unused[200];
    kane_text nowhere = kane_text_start(sizeof unused, unused);
    const char *rest  = read_amount(text, "1", &a, &nowhere);
    if (!rest || !kane_unit_parse(rest, &found, &nowhere))
        return 0;
    *value = value_of(&a, &found);
    return isfinite(*value);
}

int kane_quantity_infinite(const char *text, double *value)
{
    const char *word      = skip_space(text);
    const int is_negative = *word == '-';
    word += is_negative || *word == '+';
    if (strncmp(word, "inf", 3) != 0 || *skip_space(word + 3))
        return 0;
    *value = is_negative ? -(double)INFINITY : (double)INFINITY;
    return 1;
}

void kane_quantity_expect(kane_text *text, const char *unit)
{
    char unused[64], number[KANE_NUMBER_SIZE];
    kane_text nowhere = kane_text_start(sizeof unused, unused);
    kane_unit u;
    double value        = 0.0;
    const char *si      = unit ? unit : "1";
    const char *example = kane_unit_parse(si, &u, &nowhere) ? kane_unit_example(&u) : NULL;
    if (!example || !kane_quantity_parse(example, si, &value, &nowhere)) {
        kane_text_add(text, "a number [%s]", si);
        return;
    }
    kane_number_round(value, fabs(value) < 100.0 ? 3 : 7, number);
    kane_unit_describe(text, &u);
    if (strcmp(si, "1") != 0)
        kane_text_add(text, " [%s]", si);
    kane_text_add(text, " such as %s or \"%s\"", number, example);
}
