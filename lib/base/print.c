// SPDX-License-Identifier: MIT
// stdio in the C locale.

#include "base/print.h"

#include "base/c_locale.h"

#include <string.h>

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

const char *kane_system_text(int error)
{
    const kane_c_locale c = kane_c_locale_begin();
    const char *text      = c.own ? strerror_l(error, c.own) : strerror(error);
    kane_c_locale_end(c);
    return text;
}

const char *kane_signal_text(int number)
{
    const kane_c_locale c = kane_c_locale_begin();
    const char *text      = strsignal(number);
    kane_c_locale_end(c);
    return text;
}
