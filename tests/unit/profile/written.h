// SPDX-License-Identifier: MIT
// Files of profiles for tests, written into a directory of their own.

#ifndef KANE_TESTS_PROFILE_WRITTEN_H
#define KANE_TESTS_PROFILE_WRITTEN_H

#include "errors.h"
#include "folder.h"
#include "profile/profile.h"

#include <kane/profile.h>

#include <unistd.h>

// What is done to S1002 or 60E1, drawn in millimetres, to the outside and up, every 2 mm.
typedef struct written {
    int rail;                   // 1: 60E1
    double first, last;         // [mm]; both 0: all there is
    double y_factor, z_factor;  // 0: 1
    double shift;               // of y, after the factor
    double inclination;         // of the rail, tangent
    const char *before, *after; // lines around the points
    const char *format;         // of a line: y, z; NULL: two columns
    int line;                   // number of a point's line from 1 that is replaced, 0: none ...
    const char *by;             // ... by this; NULL: it changes places with the next one
} written;

static inline void written_point(const written *w, double s, double *y, double *z)
{
    const double slope = w->inclination, c = 1.0 / sqrt(1.0 + slope * slope);
    const double h = w->rail ? 1e3 * kane_shape_60e1(1e-3 * s).height : -1e3 * kane_shape_s1002(1e-3 * s).height;
    *y             = (s - h * slope) * c * (w->y_factor != 0.0 ? w->y_factor : 1.0) + w->shift;
    *z             = (s * slope + h) * c * (w->z_factor != 0.0 ? w->z_factor : 1.0);
}

static inline void written_profile(const char *name, const written *w)
{
    FILE *file         = fopen(name, "w");
    const int given    = w->first != 0.0 || w->last != 0.0;
    const double first = given ? w->first : w->rail ? -37.0 : -66.0, last = given ? w->last : w->rail ? 37.0 : 62.0;
    const char *format = w->format ? w->format : "%.6f %.6f\n";
    assert_non_null(file);
    (void)fputs(w->before ? w->before : "# drawn for a test\n", file);
    int line = 1;
    for (double s = first; s <= last + 1e-9; s += 2.0, line++) {
        const int swapped = w->line > 0 && !w->by && (line == w->line || line == w->line + 1);
        double y, z;
        written_point(w, swapped ? s + (line == w->line ? 2.0 : -2.0) : s, &y, &z);
        if (w->by && line == w->line)
            (void)fputs(w->by, file);
        else
            (void)fprintf(file, format, y, z);
    }
    (void)fputs(w->after ? w->after : "", file);
    (void)fclose(file);
}

#endif
