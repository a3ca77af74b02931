// SPDX-License-Identifier: MIT
// What `kane check` looks at.

#ifndef KANE_APPS_CHECK_H
#define KANE_APPS_CHECK_H

#include <kane/kane.h>
#include <kane/track.h>

#include "app.h"

// === What kane check says of a line.

// What was done to lines and irregularities from files, on `out`.
void kane_report_files(const kane_track *track, FILE *out);

// Where the line has kinks.
kane_table kane_check_kinks(kane_arena *arena, const kane_track *track);

// === How bodies hang together: joints, coordinates, equations.

enum { CHECK_TOPOLOGY_TABLES = 3 };

// Counts of what there is, freedoms, opened loops. Returns how many tables: none where no joint and no constraint holds
// bodies.
int kane_check_topology(kane_arena *arena, const kane_run_definition *run, const kane_model *model,
                        kane_table tables[CHECK_TOPOLOGY_TABLES]);

// === Numbers that are allowed and implausible, by physics: each with the number found, the usual range and
// its source.

// Each adds its doubts to `found`: one mistake makes one.
void kane_check_warning(kane_errors *found, kane_place place, const char *format, ...) KANE_PRINTF(3, 4);

// Masses, ends of elements, static deflections and, but of trains, the lowest modes of a vehicle on rails; what has no
// wheels on rails raises no doubt. errors: memory is short.
void kane_check_vehicle(const kane_run_definition *run, const kane_model *model, kane_errors *found,
                        kane_errors *errors);

// Cant, speed and cant deficiency of a run on a track.
void kane_check_speed(const kane_run_definition *run, kane_errors *found);

// Cant of a line alone, which comes from this file.
void kane_check_cant(const kane_track *track, const char *file, kane_errors *found);

// === Doubts about a run: what is allowed, but what a careful engineer would ask about.

// Prints a line for each to standard output; nothing where there are none. errors: memory is short.
void kane_check_warnings(const kane_run_definition *run, const kane_model *model, kane_errors *errors);

// The same of a line alone.
void kane_check_line_warnings(const kane_track *track, const char *file);

// The same to standard error of what no vehicle can have and is allowed for comparison: inertias that are not checked,
// rails that hold wheels down.
void kane_check_impossible(const kane_run_definition *run);

#endif
