// SPDX-License-Identifier: MIT
// A parameter that takes one value after another.

#include "over.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(kane_errors *errors, const char *text, const char *why, const char *what)
{
    char place[APP_OVER_PATH];
    (void)snprintf(place, sizeof place, "--over %s", text);
    if (what && !*what)
        what = "its end, where something is missing";
    kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = place, .path = ""}, "%s%s%s", why,
                          what ? ": " : "", what ? what : "");
    return 0;
}

// One value: a number, "inf" or "-inf", and behind it a unit, which is that of all values. Moves on to what follows.
static int take(const char **at, char unit[APP_OVER_UNIT], double *value)
{
    const char *p         = *at + strspn(*at, " ");
    const int is_negative = p[0] == '-';
    if (strncmp(p + is_negative, "inf", 3) == 0) {
        *value = is_negative ? -(double)INFINITY : (double)INFINITY;
        p += is_negative + 3;
    } else {
        const size_t length = kane_number_length(p);
        if (length == 0 || length > KANE_NUMBER_LENGTH)
            return 0;
        *value = kane_number_value(p, length, 0);
        p += length;
    }
    p += strspn(p, " ");
    size_t length = strcspn(p, ",:");
    *at           = p + length;
    while (length > 0 && p[length - 1] == ' ')
        length--;
    if (length == 0)
        return 1;
    const int is_other = unit[0] && (strlen(unit) != length || strncmp(unit, p, length) != 0);
    if (length >= APP_OVER_UNIT || is_other)
        return 0;
    memcpy(unit, p, length);
    unit[length] = '\0';
    return 1;
}

static int reserve(app_over *over, int count, kane_errors *errors)
{
    over->count = count;
    over->value = calloc((size_t)count, sizeof *over->value);
    if (!over->value)
        kane_errors_add(errors, KANE_NO_MEMORY, "out of memory");
    return over->value != NULL;
}

static int fill_range(app_over *over, const double range[3], const char *text, kane_errors *errors)
{
    const double steps = (range[1] - range[0]) / range[2];
    if (!isfinite(steps) || steps < 0.0)
        return fail(errors, text, "no step leads from the first value to the last one", NULL);
    if (steps >= APP_OVER_MOST)
        return fail(errors, text, "these are too many values", NULL);
    if (!reserve(over, (int)floor(steps + 1e-9) + 1, errors))
        return 0;
    for (int i = 0; i < over->count; i++)
        over->value[i] = range[0] + i * range[2];
    return 1;
}

static int fill_list(app_over *over, const char *values, const char *text, kane_errors *errors)
{
    int count = 1;
    for (const char *p = values; *p; p++)
        count += *p == ',';
    if (count > APP_OVER_MOST)
        return fail(errors, text, "these are too many values", NULL);
    if (!reserve(over, count, errors))
        return 0;
    const char *at = values;
    for (int i = 0; i < count; i++, at++)
        if (!take(&at, over->unit, &over->value[i]) || *at != (i + 1 < count ? ',' : '\0'))
            return fail(errors, text, "expected numbers with the same unit, such as 10,20,40 m/s; cannot read", at);
    return 1;
}

int app_over_read(const char *text, app_over *over, kane_errors *errors)
{
    const char *equals = strrchr(text, '='); // one in a name may stand before it
    const size_t path  = equals ? (size_t)(equals - text) : 0;
    *over              = (app_over){.count = 0};
    if (path == 0 || path >= sizeof over->path)
        return fail(errors, text, "expected PATH=A:B:STEP or PATH=V,V,..., such as speed=10:120:2", NULL);
    memcpy(over->path, text, path);
    for (size_t i = path; i > 0 && over->path[i - 1] == ' '; i--)
        over->path[i - 1] = '\0';

    const char *at = equals + 1;
    int good       = 1;
    if (strchr(at, ':')) {
        double range[3];
        for (int i = 0; i < 3; i++, at++)
            if (!take(&at, over->unit, &range[i]) || *at != (i < 2 ? ':' : '\0'))
                return fail(errors, text, "expected A:B:STEP with the same unit, such as 10:120:2 m/s; cannot read",
                            at);
        good = fill_range(over, range, text, errors);
    } else {
        good = fill_list(over, at, text, errors);
    }
    if (!good)
        app_over_free(over);
    return good;
}

void app_over_free(app_over *over)
{
    free(over->value);
    over->value = NULL;
}
