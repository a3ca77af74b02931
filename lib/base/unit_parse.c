// SPDX-License-Identifier: MIT
// Expressions of units.
//
//   product = factor { ( " " | "*" | "/" ) factor }     no product after a quotient: N/m s could mean two things
//   factor  = ( name | "(" product ")" ) [ power ]
//   power   = "^" number | one digit | superscript 2 or 3

#include "base/unit.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 8, POWER_MOST = 9 };

typedef struct parser {
    const char *at;
    int depth;
    kane_text *fault;
} parser;

static void skip_space(parser *p)
{
    while (*p->at == ' ')
        p->at++;
}

// Length of the first of these texts that begins at p; 0 if none does.
static size_t match_length(const char *p, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(p, texts[i], strlen(texts[i])) == 0)
            return strlen(texts[i]);
    return 0;
}

static size_t dot_length(const char *p)
{
    static const char *const dots[] = {"*", "\xC2\xB7", "\xE2\x8B\x85"};
    return match_length(p, dots, 3);
}

static size_t superscript_length(const char *p)
{
    static const char *const superscripts[] = {"\xC2\xB2", "\xC2\xB3"};
    return match_length(p, superscripts, 2);
}

static size_t name_length(const char *p)
{
    size_t n = *p == '1';
    while (n == 0 || *p != '1') {
        const char c = p[n];
        if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '%' || c == '_' || (unsigned char)c >= 0x80) ||
            dot_length(p + n) || superscript_length(p + n))
            break;
        n++;
    }
    return n;
}

// a^n for a whole n >= 0, so that 60^2 is exact
static double whole_power(double a, int n)
{
    double product = 1.0;
    for (int i = 0; i < n; i++)
        product *= a;
    return product;
}

static void raise_unit(kane_unit *u, double power)
{
    const double ten = u->ten * power, whole = floor(ten);
    if (power == floor(power)) {
        const int n = (int)fabs(power);
        u->up       = whole_power(u->up, n);
        u->down     = whole_power(u->down, n);
    } else {
        u->up   = pow(u->up, fabs(power));
        u->down = pow(u->down, fabs(power));
    }
    if (power < 0.0) {
        const double up = u->up;
        u->up           = u->down;
        u->down         = up;
    }
    u->ten = (int)whole;
    if (ten != whole)
        u->up *= pow(10.0, ten - whole);
    for (int i = 0; i < KANE_DIMENSIONS; i++)
        u->power[i] *= power;
}

static void multiply_units(kane_unit *a, const kane_unit *b, int sign)
{
    a->up *= sign > 0 ? b->up : b->down;
    a->down *= sign > 0 ? b->down : b->up;
    a->ten += sign * b->ten;
    for (int i = 0; i < KANE_DIMENSIONS; i++)
        a->power[i] += sign * b->power[i];
}

static int read_power(parser *p, kane_unit *u)
{
    double power = 1.0;
    if (*p->at == '^') {
        const size_t length = kane_number_length(p->at + 1);
        const int readable  = length > 0 && length <= KANE_NUMBER_LENGTH;
        power               = readable ? kane_number_value(p->at + 1, length, 0) : 0.0;
        if (!readable || fabs(power) > POWER_MOST) {
            kane_text_add(p->fault, "a power after '^' is a number between -%d and %d", POWER_MOST, POWER_MOST);
            return 0;
        }
        p->at += 1 + length;
    } else if (superscript_length(p->at)) {
        power = p->at[1] == '\xB2' ? 2.0 : 3.0;
        p->at += 2;
    } else if (*p->at >= '2' && *p->at <= '9') {
        power = *p->at++ - '0';
    }
    if (power != 1.0)
        raise_unit(u, power);
    return 1;
}

static int parse_product(parser *p, kane_unit *u);

static int parse_factor(parser *p, kane_unit *u)
{
    skip_space(p);
    if (*p->at == '(') {
        p->at++;
        if (++p->depth > DEEPEST) {
            kane_text_add(p->fault, "too many parentheses in the unit");
            return 0;
        }
        if (!parse_product(p, u))
            return 0;
        skip_space(p);
        if (*p->at != ')') {
            kane_text_add(p->fault, "a ')' is missing in the unit");
            return 0;
        }
        p->at++;
        p->depth--;
        return read_power(p, u);
    }
    const size_t length = name_length(p->at);
    if (length == 0) {
        if (*p->at) {
            kane_text_add(p->fault, "a unit should stand at ");
            kane_text_quote(p->fault, '\'', p->at);
        } else {
            kane_text_add(p->fault, "a unit is missing at the end");
        }
        return 0;
    }
    if (!kane_unit_named(p->at, length, u)) {
        kane_text_add(p->fault, "unknown unit '%.*s'", (int)(length < 40 ? length : 40), p->at);
        kane_unit_hint(p->fault, p->at, length);
        return 0;
    }
    p->at += length;
    return read_power(p, u);
}

static int parse_product(parser *p, kane_unit *u)
{
    skip_space(p);
    *u = (kane_unit){.up = 1.0, .down = 1.0};
    if (*p->at != '/' && !parse_factor(p, u))
        return 0;
    for (int divided = 0;;) {
        skip_space(p);
        if (*p->at == '\0' || *p->at == ')')
            return 1;
        const int sign = *p->at == '/' ? -1 : 1;
        if (sign > 0 && divided) {
            kane_text_add(p->fault, "a product after '/' is ambiguous, write N/(m s) or N s/m");
            return 0;
        }
        divided = sign < 0;
        p->at += divided ? 1 : dot_length(p->at);
        kane_unit next;
        if (!parse_factor(p, &next))
            return 0;
        multiply_units(u, &next, sign);
    }
}

int kane_unit_parse(const char *text, kane_unit *unit, kane_text *fault)
{
    parser p = {.at = text, .fault = fault};
    skip_space(&p);
    *unit = (kane_unit){.up = 1.0, .down = 1.0};
    if (*p.at == '\0')
        return 1;
    if (!parse_product(&p, unit))
        return 0;
    if (*p.at == ')')
        kane_text_add(fault, "a '(' is missing in the unit");
    return *p.at == '\0';
}
