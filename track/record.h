// SPDX-License-Identifier: MIT
// Measured irregularities: splines through points.

#ifndef KANE_TRACK_RECORD_H
#define KANE_TRACK_RECORD_H

#include <kane/track.h>

#include "math/spline.h"
#include "track/waves.h"

typedef struct kane_record {
    kane_irregularity_kind kind;
    int count;
    const double *at; // s [m]
    const kane_cubic *spline;
} kane_record;

// Distance of points that a table has to follow: the smallest one, but no less than a tenth of the mean [m].
double kane_record_spacing(const kane_record_definition *d);

// The spline of a record. 0 if memory had none.
int kane_record_make(const kane_record_definition *d, double start, kane_record *record, kane_arena *memory);

// Adds a record at s.
void kane_record_add(const kane_record *record, double s, kane_rails_point *rails);

#endif
