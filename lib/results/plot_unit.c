// SPDX-License-Identifier: MIT
// Labels of axes: units as they are written by hand.

#include "results/plot.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

// What can have a prefix at the beginning of a unit, and how far: kilo of a length only of one alone (km, but no
// km/s²).
static const struct {
    const char *name;
    int least, most; // powers of ten
    int most_alone;  // where nothing follows
    double small;    // magnitudes below it get a prefix
    double large;    // magnitudes from it on get one
} units[] = {
    {"N", -3, 9, 9, 1e-2, 1e3},  {"Pa", -3, 9, 9, 1e-2, 1e3}, {"W", -3, 9, 9, 1e-2, 1e3},  {"J", -3, 9, 9, 1e-2, 1e3},
    {"Hz", -3, 9, 9, 1e-2, 1e4}, {"m", -9, 0, 3, 0.1, 1e5},   {"rad", -6, 0, 0, 0.1, 1e5}, {"s", -9, 0, 0, 1e-2, 1e5},
};
enum { UNITS = sizeof units / sizeof *units };

// The unit of a label: what stands in its last brackets. NULL if there are none.
static const char *find_unit(const char *label, size_t *length)
{
    const char *open = label ? strrchr(label, '[') : NULL, *close = open ? strchr(open, ']') : NULL;
    if (!close || close == open + 1)
        return NULL;
    *length = (size_t)(close - open - 1);
    return open + 1;
}

// Index of the symbol in a label that can have a prefix, -1: none. It cannot if it has a power, which would be one of
// the prefix, too.
static int find_symbol(const char *label, int *is_whole_unit)
{
    size_t length    = 0;
    const char *unit = find_unit(label, &length);
    for (int i = 0; i < UNITS && unit; i++) {
        const size_t own = strlen(units[i].name);
        if (length < own || strncmp(unit, units[i].name, own) != 0)
            continue;
        if (length == own || strchr(" /*", unit[own])) {
            *is_whole_unit = length == own;
            return i;
        }
    }
    return -1;
}

int kane_plot_unit_ten(const char *label, double magnitude, int otherwise)
{
    int is_whole_unit = 0;
    const int symbol  = find_symbol(label, &is_whole_unit);
    if (symbol < 0 || !(magnitude > 0.0) || !isfinite(magnitude))
        return otherwise;
    if (magnitude >= units[symbol].small && magnitude < units[symbol].large)
        return 0;
    const int ten  = 3 * (int)floor(log10(magnitude) / 3.0 + 1e-12);
    const int most = is_whole_unit ? units[symbol].most_alone : units[symbol].most;
    return ten >= units[symbol].least && ten <= most ? ten : otherwise;
}

void kane_plot_unit_factor(int ten, char text[KANE_NUMBER_SIZE])
{
    char plain[16];
    text[0] = '\0';
    if (ten == 0)
        return;
    (void)snprintf(plain, sizeof plain, "%d", abs(ten));
    (void)strcpy(text, ten < 0 ? "×10⁻" : "×10");
    for (const char *c = plain; *c; c++)
        (void)strcat(text, digits[*c - '0']);
}

static const char *prefix_of(int ten)
{
    switch (ten) {
    case -9: return "n";
    case -6: return "µ";
    case -3: return "m";
    case 3: return "k";
    case 6: return "M";
    case 9: return "G";
    default: return NULL;
    }
}

int kane_plot_unit_has_prefix(const char *label, int ten)
{
    int is_whole_unit = 0;
    const int symbol  = find_symbol(label, &is_whole_unit);
    return ten && prefix_of(ten) && symbol >= 0 && ten >= units[symbol].least &&
           ten <= (is_whole_unit ? units[symbol].most_alone : units[symbol].most);
}

// A unit with its powers raised: "m/s^2" is m/s².
static void add_raised(kane_text *text, const char *unit, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char *next = unit + i + 1;
        if (unit[i] != '^' || i + 1 >= length || (!strchr("0123456789", *next) && *next != '-')) {
            kane_text_add(text, "%c", unit[i]);
            continue;
        }
        const size_t signs = *next == '-', count = signs + strspn(next + signs, "0123456789");
        if (count == signs || next[count] == '.') { // m^1.5 is unchanged
            kane_text_add(text, "^");
            continue;
        }
        if (signs)
            kane_text_add(text, "⁻");
        for (size_t k = signs; k < count; k++)
            kane_text_add(text, "%s", digits[next[k] - '0']);
        i += count;
    }
}

void kane_plot_unit_label(const char *label, int ten, size_t size, char *text, char factor[KANE_NUMBER_SIZE])
{
    kane_text out      = kane_text_start(size, text);
    size_t length      = 0;
    const char *unit   = find_unit(label, &length);
    const char *prefix = kane_plot_unit_has_prefix(label, ten) ? prefix_of(ten) : NULL;
    factor[0]          = '\0';
    if (!prefix)
        kane_plot_unit_factor(ten, factor);
    if (!unit) {
        kane_text_add(&out, "%s", label ? label : "");
        return;
    }
    kane_text_add(&out, "%.*s%s", (int)(unit - label), label, prefix ? prefix : "");
    add_raised(&out, unit, length);
    kane_text_add(&out, "%s", unit + length);
}
