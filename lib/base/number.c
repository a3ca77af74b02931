// SPDX-License-Identifier: MIT
// Numbers as text. The C library does the rounding, in the C locale.

#include "base/c_locale.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t count_digits(const char *text)
{
    size_t n = 0;
    while (text[n] >= '0' && text[n] <= '9')
        n++;
    return n;
}

// Length of an exponent such as "e-3", 0 if there is none.
static size_t exponent_length(const char *text)
{
    if (*text != 'e' && *text != 'E')
        return 0;
    const size_t sign   = text[1] == '+' || text[1] == '-';
    const size_t digits = count_digits(text + 1 + sign);
    return digits ? 1 + sign + digits : 0;
}

static size_t mantissa_length(const char *text)
{
    const size_t sign  = *text == '+' || *text == '-';
    const size_t whole = count_digits(text + sign);
    const char *point  = text + sign + whole;

    const size_t fraction = *point == '.' ? count_digits(point + 1) : 0;
    if (whole + fraction == 0)
        return 0;
    return sign + whole + (fraction ? 1 + fraction : 0);
}

size_t kane_number_length(const char *text)
{
    const size_t mantissa = mantissa_length(text);
    return mantissa ? mantissa + exponent_length(text + mantissa) : 0;
}

// The value of digits that make a whole number below 2^53, times 10^exponent from -22 to 22: both are doubles, so that
// one operation rounds correctly (Clinger). 0 if it is not so.
static int value_at_once(const char *text, size_t mantissa, long exponent, double *value)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    long long whole            = 0;
    int behind                 = 0; // the point
    for (size_t i = *text == '-' || *text == '+'; i < mantissa; i++) {
        if (text[i] == '.') {
            behind = 1;
            continue;
        }
        whole = 10 * whole + (text[i] - '0');
        exponent -= behind;
        if (whole >= 1LL << 53)
            return 0;
    }
    if (exponent < -22 || exponent > 22)
        return 0;
    *value = exponent < 0 ? (double)whole / tens[-exponent] : (double)whole * tens[exponent];
    *value = *text == '-' ? -*value : *value;
    return 1;
}

double kane_number_value(const char *text, size_t length, int ten)
{
    const size_t mantissa = mantissa_length(text);

    // an exponent of more than 9 digits is an overflow or underflow whatever its value
    long exponent = ten;
    if (length > mantissa) {
        const long typed = strtol(text + mantissa + 1, NULL, 10);
        exponent += typed > 999999999 ? 999999999 : typed < -999999999 ? -999999999 : typed;
    }

    double value;
    if (value_at_once(text, mantissa, exponent, &value))
        return value;
    char buffer[KANE_NUMBER_LENGTH + 64];
    memcpy(buffer, text, mantissa);
    (void)snprintf(buffer + mantissa, sizeof buffer - mantissa, "e%ld", exponent);
    const kane_c_locale c = kane_c_locale_begin();
    value                 = strtod(buffer, NULL);
    kane_c_locale_end(c);
    return value;
}

int kane_number_parse(const char *text, size_t length, int ten, double *value)
{
    if (length == 0 || length > KANE_NUMBER_LENGTH || kane_number_length(text) != length)
        return 0;
    *value = kane_number_value(text, length, ten);
    return 1;
}

static void print_not_finite(double value, char buffer[KANE_NUMBER_SIZE])
{
    (void)snprintf(buffer, KANE_NUMBER_SIZE, "%s", isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf");
}

void kane_number_round(double value, int digits, char buffer[KANE_NUMBER_SIZE])
{
    if (!isfinite(value)) {
        print_not_finite(value, buffer);
        return;
    }
    (void)kane_snprintf(buffer, KANE_NUMBER_SIZE, "%.*g", digits, value);
}

// 17 digits are always enough.
void kane_number_format(double value, char buffer[KANE_NUMBER_SIZE])
{
    if (!isfinite(value)) {
        print_not_finite(value, buffer);
        return;
    }
    const kane_c_locale c = kane_c_locale_begin();
    int digits            = 15;
    int length            = snprintf(buffer, KANE_NUMBER_SIZE, "%.*g", digits, value);
    while (digits < 17 && kane_number_value(buffer, (size_t)length, 0) != value)
        length = snprintf(buffer, KANE_NUMBER_SIZE, "%.*g", ++digits, value);
    kane_c_locale_end(c);
}

int kane_compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// === stdio in the C locale.

int kane_fprintf(FILE *file, const char *format, ...)
{
    const kane_c_locale c = kane_c_locale_begin();
    va_list arguments;
    va_start(arguments, format);
    const int length = vfprintf(file, format, arguments);
    va_end(arguments);
    kane_c_locale_end(c);
    return length;
}

int kane_vsnprintf(char *buffer, size_t size, const char *format, va_list arguments)
{
    const kane_c_locale c = kane_c_locale_begin();
    const int length      = vsnprintf(buffer, size, format, arguments);
    kane_c_locale_end(c);
    return length;
}

int kane_snprintf(char *buffer, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = kane_vsnprintf(buffer, size, format, arguments);
    va_end(arguments);
    return length;
}
