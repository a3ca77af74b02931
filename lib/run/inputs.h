// SPDX-License-Identifier: MIT
// The files that a run is made of, with hashes of what they say.

#ifndef KANE_RUN_INPUTS_H
#define KANE_RUN_INPUTS_H

#include <kane/run.h>

#include "base/writer.h"

typedef struct kane_inputs kane_inputs;

// The run file, vehicle or mechanism, vehicles of a train, track, profiles, models of flexible bodies, files that laws name and
// records of irregularities, as they are on the disk now. NULL without memory.
kane_inputs *kane_inputs_take(const kane_run_definition *run, kane_errors *errors);
void kane_inputs_free(kane_inputs *inputs);

// How many there are, the run file first; the name of one as it was opened, and its hash, "" if it cannot be read.
int kane_inputs_count(const kane_inputs *inputs);
const char *kane_inputs_file(const kane_inputs *inputs, int i);
const char *kane_inputs_hash(const kane_inputs *inputs, int i);

// As keys of the object that is open: "run": {"file": ..., "xxh128": ...}, "vehicle", "vehicles", "track", "profiles",
// "flexible", "properties", "records".
void kane_inputs_write(const kane_inputs *inputs, kane_writer *w);

// Do the files still say what they said? KANE_BAD_INPUT, with an error for each that does not.
kane_status kane_inputs_check(const kane_inputs *inputs, kane_errors *errors);

#endif
