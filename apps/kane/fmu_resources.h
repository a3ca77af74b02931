// SPDX-License-Identifier: MIT
// The files of a run as a unit holds them: as they are, found from each other as they are here, but for flexible bodies, which lie there
// reduced in place of their models.

#ifndef KANE_APPS_FMU_RESOURCES_H
#define KANE_APPS_FMU_RESOURCES_H

#include <kane/run.h>

#include "base/arena.h"
#include "base/hash.h"
#include "run/inputs.h"

typedef struct fmu_resource {
    const char *file;     // as it was opened
    const char *name;     // in the folder of resources
    unsigned char *bytes; // of a reduced body; NULL: those of the file
    size_t size;
    char hash[KANE_HASH_SIZE];
} fmu_resource;

typedef struct fmu_resources {
    int count;
    fmu_resource *list; // the run file first
} fmu_resources;

// All of them, each once. 0 with errors: a file is gone, or named by its place on this machine.
int fmu_resources_take(fmu_resources *resources, kane_arena *arena, const kane_run_definition *run,
                       const kane_inputs *inputs, kane_errors *errors);
void fmu_resources_free(fmu_resources *resources); // but for what is the arena's

#endif
