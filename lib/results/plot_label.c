// SPDX-License-Identifier: MIT
// What the axis of several channels is called.

#include "results/plot.h"

#include "base/unit.h"

#include <stdio.h>
#include <string.h>

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
