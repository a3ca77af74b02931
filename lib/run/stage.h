// SPDX-License-Identifier: MIT
// What a run needs while it goes on: its model, the simulation, the channels that are read for every row.

#ifndef KANE_RUN_STAGE_H
#define KANE_RUN_STAGE_H

#include <kane/run.h>

typedef struct kane_stage {
    kane_model *model;
    kane_simulation *simulation;
    kane_channels *channels; // time, distance (on a track), then what was asked for
    double *row;             // one value a channel
    char rough[256];         // of the start: kane_simulation_start_is_rough, else ""
} kane_stage;

// 0 with errors; then, too, to be closed. places: where the patterns were typed, NULL: nowhere.
int kane_stage_open(kane_stage *stage, const kane_run_definition *run, int pattern_count, const char *const *patterns,
                    const kane_place *places, kane_errors *errors);
void kane_stage_close(kane_stage *stage);

// Fills the row. Not KANE_OK, with an error, where the present state cannot be evaluated.
kane_status kane_stage_read(const kane_stage *stage, kane_errors *errors);

double kane_stage_distance(const kane_stage *stage, const kane_run_definition *run); // travelled [m]; 0 without a track

// Writes the state that it is in to the file that the run names, if it names one.
kane_status kane_stage_save(const kane_stage *stage, const kane_run_definition *run, kane_errors *errors);

// How it has ended: stop, subject, time, distance, statistics.
void kane_stage_tell(const kane_stage *stage, const kane_run_definition *run, kane_outcome *outcome);

#endif
