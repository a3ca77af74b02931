// SPDX-License-Identifier: MIT
// Names of what can be made of a channel.

#include "evaluate/measure.h"

#include "base/number.h"

#include <string.h>

static const char *const names[KANE_REDUCTIONS] = {"max", "min",    "mean",   "rms",     "peak", "range",
                                                   "end", "at_max", "at_min", "at_peak", "p"};

const char *kane_reduction_name(kane_reduction reduction)
{
    return names[reduction];
}

const char *kane_reduction_list(void)
{
    return "max, min, mean, rms, peak, range, end, at_max, at_min, at_peak, p99.85 (a percentile)";
}

static int is_percentile(const char *text, size_t length, double *percent)
{
    if (length < 2 || text[0] != 'p' || kane_number_length(text + 1) != length - 1)
        return 0;
    *percent = kane_number_value(text + 1, length - 1, 0);
    return *percent >= 0.0 && *percent <= 100.0;
}

int kane_reduction_find(const char *text, size_t length, kane_reduction *reduction, double *percent)
{
    for (int i = 0; i < KANE_REDUCE_PERCENTILE; i++)
        if (strlen(names[i]) == length && strncmp(names[i], text, length) == 0) {
            *reduction = (kane_reduction)i;
            return 1;
        }
    *reduction = KANE_REDUCE_PERCENTILE;
    return is_percentile(text, length, percent);
}
