// SPDX-License-Identifier: MIT
// What kane check says of a line.

#ifndef KANE_APP_CHECK_TRACK_H
#define KANE_APP_CHECK_TRACK_H

#include "app.h"

#include <kane/track.h>

// What was done to lines and irregularities from files, on `out`.
void kane_report_files(const kane_track *track, FILE *out);

// Where the line has kinks, on standard output.
void kane_check_kinks(const kane_track *track);

#endif
