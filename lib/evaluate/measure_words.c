// SPDX-License-Identifier: MIT
// Names of what can be made of a channel.

#include "evaluate/measure.h"

#include "base/number.h"

#include <string.h>

static const char *const names[KANE_REDUCTIONS] = {
    "max",    "min",     "mean",      "rms",       "integral",  "peak", "range",      "end",        "at_max",
    "at_min", "at_peak", "comfort_x", "comfort_y", "comfort_z", "nmv",  "sperling_y", "sperling_z", "sperling_quality",
    "p"};

const char *kane_reduction_list(void)
{
    return "max, min, mean, rms, integral, peak, range, end, at_max, at_min, at_peak, p99.85 (a percentile), "
           "comfort_x, comfort_y, comfort_z, nmv, sperling_y, sperling_z, sperling_quality";
}

kane_weighting kane_reduction_weighting(kane_reduction reduction)
{
    switch (reduction) {
    case KANE_REDUCE_COMFORT_X:
    case KANE_REDUCE_COMFORT_Y: return KANE_WEIGHTING_WD;
    case KANE_REDUCE_COMFORT_Z: return KANE_WEIGHTING_WB;
    case KANE_REDUCE_SPERLING_Y: return KANE_WEIGHTING_SPERLING_Y;
    case KANE_REDUCE_SPERLING_Z: return KANE_WEIGHTING_SPERLING_Z;
    case KANE_REDUCE_SPERLING_QUALITY: return KANE_WEIGHTING_SPERLING_QUALITY;
    default: return KANE_WEIGHTINGS;
    }
}

static int is_percentile(const char *text, size_t length, double *percent)
{
    if (length < 2 || text[0] != 'p' || kane_number_length(text + 1) != length - 1 || length > KANE_NUMBER_LENGTH)
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
