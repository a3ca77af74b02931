// SPDX-License-Identifier: MIT
// The range of an axis, its unit of ten, and where its ticks are.

#include "results/plot.h"

#include "base/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double NOTHING    = 1e-9; // magnitudes and spans below it are: a nanometre, a nanoradian, a nanonewton
static const double CONSTANT   = 1e-7; // spans below this part of the magnitude are round-off
static const double PLAIN_FROM = 1e-2; // magnitudes whose labels need no unit of ten
static const double PLAIN_TO   = 1e5;

// 10^n of whole n, the nearest double: pow may be off by one in the last place.
static double ten_to(int n)
{
    char text[8];
    (void)snprintf(text, sizeof text, "1e%d", n);
    return kane_number_value(text, strlen(text), 0);
}

static int unit_of_ten(double magnitude)
{
    if (magnitude >= PLAIN_FROM && magnitude < PLAIN_TO)
        return 0;
    int ten = 3 * (int)floor(log10(magnitude) / 3.0);
    if (ten < -306)
        ten = -306;
    return ten;
}

double kane_plot_axis_divide(const kane_plot_axis *axis, double value)
{
    if (axis->is_log)
        return value > 0.0 ? log10(value) : (double)NAN;
    return axis->ten < 0 ? value * ten_to(-axis->ten) : value / ten_to(axis->ten);
}

// The smallest of 1, 2, 5 times a power of ten that makes at most so many steps.
static void choose_step(kane_plot_axis *axis, int ticks)
{
    const double least = (axis->high - axis->low) / (ticks > 1 ? ticks : 1);
    int power          = (int)floor(log10(least));
    int factor         = 1;
    while (factor * ten_to(power) < least) {
        factor = factor == 1 ? 2 : factor == 2 ? 5 : 1;
        power += factor == 1;
    }
    axis->step   = factor * ten_to(power);
    axis->digits = power < 0 ? -power : 0;
}

kane_plot_axis kane_plot_axis_make(double least, double greatest, double margin, int ticks)
{
    const double magnitude = fmax(fabs(least), fabs(greatest));
    const int is_nothing   = magnitude < NOTHING;
    kane_plot_axis axis    = {.ten = is_nothing ? 0 : unit_of_ten(magnitude)};
    const double from = kane_plot_axis_divide(&axis, least), to = kane_plot_axis_divide(&axis, greatest);
    const double span = to - from, size = kane_plot_axis_divide(&axis, magnitude); // nothing overflows any more
    double half = (0.5 + margin) * span;
    if (is_nothing)
        half = 1.0;
    else if (span < kane_plot_axis_divide(&axis, NOTHING) || span < CONSTANT * size)
        half = 0.1 * size;
    const double middle = from + 0.5 * span;
    axis.low            = middle - half;
    axis.high           = middle + half;
    choose_step(&axis, ticks);
    return axis;
}

kane_plot_axis kane_plot_axis_make_log(double least, double greatest, int is_tight, int ticks)
{
    kane_plot_axis axis = {.low = log10(least), .high = log10(greatest), .is_log = 1};
    const double slack  = 1e-9; // of a decade that is one but for round-off
    if (!is_tight || !(axis.high - axis.low > 1.0)) {
        axis.low  = floor(axis.low + slack);
        axis.high = ceil(axis.high - slack);
        axis.high = axis.high > axis.low ? axis.high : axis.low + 1.0;
    }
    axis.step = ceil((axis.high - axis.low) / (ticks > 1 ? ticks : 1));
    return axis;
}

void kane_plot_axis_rescale(kane_plot_axis *axis, int ten, int ticks)
{
    const int by = axis->ten - ten;
    axis->low    = by > 0 ? axis->low * ten_to(by) : axis->low / ten_to(-by);
    axis->high   = by > 0 ? axis->high * ten_to(by) : axis->high / ten_to(-by);
    axis->ten    = ten;
    choose_step(axis, ticks);
}

void kane_plot_axis_ticks(const kane_plot_axis *axis, long *first, long *last)
{
    const double slack = 1e-9; // ends that are ticks but for round-off [steps]
    *first             = (long)ceil(axis->low / axis->step - slack);
    *last              = (long)floor(axis->high / axis->step + slack);
}

double kane_plot_axis_tick(const kane_plot_axis *axis, long k, char label[KANE_TICK_SIZE])
{
    if (axis->is_log) {
        const int ten = (int)(k * lround(axis->step));
        if (ten >= -2 && ten <= 4) // 0.01 .. 10000
            kane_number_format(ten_to(ten), label);
        else {
            char factor[KANE_NUMBER_SIZE];
            kane_plot_unit_factor(ten, factor);
            (void)snprintf(label, KANE_TICK_SIZE, "%s", factor + strlen("×"));
        }
        return ten;
    }
    // the step without its power of ten is whole, so that the label is made of whole numbers: no locale, no round-off
    const long factor = lround(axis->step * (axis->digits ? ten_to(axis->digits) : 1.0));
    const long whole = labs(k * factor), unit = lround(ten_to(axis->digits));
    const char *sign = k < 0 ? "-" : "";
    if (axis->digits > 0)
        (void)snprintf(label, KANE_TICK_SIZE, "%s%ld.%0*ld", sign, whole / unit, axis->digits, whole % unit);
    else
        (void)snprintf(label, KANE_TICK_SIZE, "%s%ld", sign, whole);
    return (double)k * axis->step;
}

void kane_plot_axis_factor(const kane_plot_axis *axis, char text[KANE_NUMBER_SIZE])
{
    kane_plot_unit_factor(axis->ten, text);
}

// === What the axis of several channels is called.

const char *kane_plot_common_end(const char *a, const char *b)
{
    const size_t length = strlen(b);
    for (const char *end = a; end; end = strchr(end, '.') ? strchr(end, '.') + 1 : NULL) {
        const size_t own = strlen(end);
        if (own <= length && strcmp(b + length - own, end) == 0 && (own == length || b[length - own - 1] == '.'))
            return end;
    }
    return "";
}

// What a unit measures, without its article: "angle" for "rad", "" if it has no name.
static void quantity_of(const char *unit, size_t size, char *quantity)
{
    char buffer[128];
    kane_unit u;
    kane_text fault = kane_text_start(sizeof buffer, buffer);
    quantity[0]     = '\0';
    if (!kane_unit_parse(unit, &u, &fault))
        return;
    kane_text text = kane_text_start(sizeof buffer, buffer);
    kane_unit_describe(&text, &u);
    const char *noun = strchr(buffer, ' ');
    char *other      = strstr(buffer, " or an "); // "a torque or an energy": who means an energy writes J
    if (other && unit[0] == 'J')
        noun = other + strlen(" or an");
    else if (other)
        *other = '\0';
    if (noun && strstr(noun, " in ") == NULL)
        (void)snprintf(quantity, size, "%s", noun + 1);
}

void kane_plot_axis_label(const char *common, const char *unit, size_t size, char *label)
{
    char quantity[64] = "";
    if (!common[0])
        quantity_of(unit, sizeof quantity, quantity);
    const char *name = common[0] ? common : quantity;
    (void)snprintf(label, size, "%s%s[%s]", name, name[0] ? " " : "", unit);
}
