// SPDX-License-Identifier: MIT
// Numbers that are allowed and can hardly be meant, by physics: each with the number found, the usual range and its source.

#ifndef KANE_APPS_CHECK_PLAUSIBLE_H
#define KANE_APPS_CHECK_PLAUSIBLE_H

#include <kane/kane.h>

// Each adds its doubts to `found`: one mistake makes one.
void kane_check_doubt(kane_errors *found, kane_place place, const char *format, ...) KANE_PRINTF(3, 4);

// Masses, ends of elements, static deflections and, but of trains, the lowest modes of a vehicle on rails; what has no wheels on rails
// raises no doubt. errors: memory is short.
void kane_check_vehicle(const kane_run_definition *run, const kane_model *model, kane_errors *found,
                        kane_errors *errors);

// Cant, speed and cant deficiency of a run on a track.
void kane_check_speed(const kane_run_definition *run, kane_errors *found);

// Cant of a line alone, which comes from this file.
void kane_check_cant(const kane_track *track, const char *file, kane_errors *found);

#endif
