// SPDX-License-Identifier: MIT
// Names and values of axes.

#include "study/axis.h"

#include "base/unit.h"
#include "run/parameter.h"

#include <math.h>
#include <string.h>

const char *kane_axis_path(const char *name)
{
    const kane_parameter *parameter = kane_parameter_find(name);
    return parameter && strcmp(parameter->name, name) == 0 ? parameter->path : name;
}

const char *kane_axis_rival(const kane_axis *axis, const char *const *settings)
{
    const char *path = kane_axis_path(axis->path);
    for (; settings && *settings; settings++)
        if (kane_parameter_is_same(path, *settings))
            return *settings;
    return NULL;
}

const char *kane_axis_unit(const char *name)
{
    const kane_parameter *parameter = kane_parameter_find(name);
    return parameter ? parameter->unit : "";
}

// Behind a text in quotes, NULL if it stays open.
static const char *skip_quoted(const char *p)
{
    for (p++; *p && *p != '"'; p++)
        p += *p == '\\' && p[1];
    return *p ? p + 1 : NULL;
}

// Where the first of `ends` outside of quotes and brackets stands, or the end; NULL if something stays open.
static const char *find_end(const char *p, const char *ends)
{
    int depth = 0;
    while (*p && (depth > 0 || !strchr(ends, *p))) {
        if (*p == '"') {
            p = skip_quoted(p);
            if (!p)
                return NULL;
            continue;
        }
        depth += (*p == '[' || *p == '{') - (*p == ']' || *p == '}');
        if (depth < 0)
            return NULL;
        p++;
    }
    return depth == 0 ? p : NULL;
}

static size_t trim(const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == ' ')
        length--;
    return length;
}

static int is_unit(const char *text, size_t length)
{
    char name[64], unused[64];
    kane_text nowhere = kane_text_start(sizeof unused, unused);
    kane_unit unit;
    if (length >= sizeof name)
        return 0;
    memcpy(name, text, length);
    name[length] = '\0';
    return kane_unit_parse(name, &unit, &nowhere);
}

// number [ (":" | "/") number ] [ unit ]; anything else is a word.
static void read_number(kane_axis_value *v)
{
    const char *p = v->text, *end = v->text + v->length;
    const size_t first = kane_number_length(p);
    if (first == 0 || first > v->length || first > KANE_NUMBER_LENGTH)
        return;
    double number = kane_number_value(p, first, 0);
    p += first;
    const char *over = p + strspn(p, " ");
    if (over < end && (*over == ':' || *over == '/')) {
        over += 1 + strspn(over + 1, " ");
        const size_t second = kane_number_length(over);
        if (second > 0 && second <= KANE_NUMBER_LENGTH && over + second <= end) {
            number /= kane_number_value(over, second, 0);
            p = over + second;
        }
    }
    p += strspn(p, " ");
    if (p < end && !is_unit(p, (size_t)(end - p)))
        return;
    v->number      = number;
    v->unit        = p;
    v->unit_length = p < end ? (size_t)(end - p) : 0;
}

const char *kane_axis_take(const char *text, const char *ends, kane_axis_value *value)
{
    const char *begin = text + strspn(text, " "), *end = find_end(begin, ends);
    *value = (kane_axis_value){.text = begin, .number = (double)NAN, .unit = ""};
    if (!end)
        return NULL;
    value->length = trim(begin, (size_t)(end - begin));
    read_number(value);
    return end;
}

void kane_axis_between(double a, double b, int i, int count, char text[KANE_NUMBER_SIZE])
{
    const double slack = 1e-12 * fmax(fabs(a), fabs(b)), near = (a * (count - 1 - i) + b * i) / (count - 1);
    const double value = fabs(near) <= slack ? 0.0 : near;
    for (int digits = 1; digits <= 17; digits++) {
        kane_number_round(value, digits, text);
        const double rounded = kane_number_value(text, strlen(text), 0);
        kane_number_format(rounded, text); // 20, not 2e+01
        if (fabs(rounded - value) <= slack)
            return;
    }
}
