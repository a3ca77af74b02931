// SPDX-License-Identifier: MIT
// Axes of studies, and a parameter that takes one number after another.

#include "analysis.h"

#include "base/number.h"
#include "base/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A:B:N was A:B:STEP here once, and behind a unit N looks like one: where whole steps of N lead from A to B, that may
// be what is meant.
static void tell_count(const kane_axis *axis, const char *text)
{
    const double a = axis->numbers[0], b = axis->numbers[axis->count - 1], steps = fabs(b - a) / axis->count;
    const char *space = axis->unit[0] && text[strlen(text) - 1] > '9' ? " " : "", *unit = space[0] ? axis->unit : "";
    if (axis->is_range && !strstr(text, "step") && fabs(steps - round(steps)) < 1e-9 && steps >= 1.0)
        (void)kane_fprintf(stderr, "--over %s: %d %s from %g to %g; steps of %d are written %s=%g:%g:step=%d%s%s\n",
                           text, axis->count, app_plural(axis->count, (app_noun){"value", "values"}), a, b, axis->count,
                           axis->path, a, b, axis->count, space, unit);
}

int app_axes_read(const app_texts *texts, app_axes *all, kane_errors *errors)
{
    const int before = errors->count;
    *all             = (app_axes){.count = 0};
    for (int i = 0; i < texts->count; i++) {
        const char *text = texts->texts[i];
        const int first  = all->count;
        all->count += kane_axes_parse(text, APP_TEXTS_MOST - first, all->axes + first, errors);
        if (all->count > first && text[strlen(text) - 1] > '9')
            tell_count(all->axes[first], text);
    }
    return errors->count == before;
}

void app_axes_free(app_axes *all)
{
    for (int i = 0; i < all->count; i++)
        kane_axis_free(all->axes[i]);
}

static int fail(kane_errors *errors, const char *text, const char *why, const char *what)
{
    char place[APP_OVER_PATH];
    (void)snprintf(place, sizeof place, "--over %s", text);
    kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = place, .path = ""}, "'%s' %s", what, why);
    return 0;
}

// "inf" and "-inf" are words to an axis: radii of a straight.
static int number_of(const char *text, double number, double *value)
{
    *value = number;
    return kane_quantity_infinite(text, value) || !isnan(*value);
}

static int fill(const kane_axis *axis, const char *text, app_over *over, kane_errors *errors)
{
    if (strlen(axis->path) >= sizeof over->path || strlen(axis->unit) >= sizeof over->unit)
        return fail(errors, text, "is too long", axis->path);
    (void)snprintf(over->path, sizeof over->path, "%s", axis->path);
    (void)snprintf(over->unit, sizeof over->unit, "%s", axis->unit);
    over->count = axis->count;
    over->value = calloc((size_t)axis->count, sizeof *over->value);
    if (!over->value)
        return kane_no_memory(errors) == KANE_OK;
    for (int i = 0; i < axis->count; i++)
        if (!number_of(axis->texts[i], axis->numbers[i], &over->value[i]))
            return fail(errors, text, "is not a number, but numbers are what this goes over", axis->texts[i]);
    return 1;
}

int app_over_read(const char *text, app_over *over, kane_errors *errors)
{
    kane_axis *axis = kane_axis_parse(text, errors);
    *over           = (app_over){.count = 0};
    const int good  = axis && fill(axis, text, over, errors);
    if (good)
        tell_count(axis, text);
    else
        app_over_free(over);
    kane_axis_free(axis);
    return good;
}

void app_over_free(app_over *over)
{
    free(over->value);
    over->value = NULL;
}
