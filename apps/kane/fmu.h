// SPDX-License-Identifier: MIT
// Units of FMI as the program writes them: archive, description, resources.

#ifndef KANE_APPS_FMU_H
#define KANE_APPS_FMU_H

#include <kane/base.h>
#include <kane/pattern.h>
#include <kane/run.h>

#include "base/arena.h"
#include "base/machine.h"
#include "run/setup.h"

#include <stdio.h>

// === ZIP archives of deflated files.

typedef struct fmu_archive fmu_archive;

// Begins an archive in the place of a file, which stays what it was until the end. NULL with an error.
fmu_archive *fmu_archive_create(const char *file, kane_errors *errors);

// Adds bytes, or a file of the disk, under a name with slashes. 0 with an error.
int fmu_archive_add(fmu_archive *archive, const char *name, const void *bytes, size_t size, kane_errors *errors);
int fmu_archive_add_file(fmu_archive *archive, const char *name, const char *file, kane_errors *errors);

// Ends and frees it; NULL is allowed. is_good 0: it is given up. 0 with an error if not all could be written.
int fmu_archive_close(fmu_archive *archive, int is_good, kane_errors *errors);

// === modelDescription.xml of a unit, in the words of FMI 2.0 or 3.0.

// As value references count them (apps/fmu/unit.h).
typedef enum fmu_kind {
    FMU_PARAMETER,
    FMU_INPUT,
    FMU_TIME,
    FMU_OUTPUT,
    FMU_STATE,
    FMU_RATE,
    FMU_INDICATOR,
    FMU_KINDS
} fmu_kind;

typedef struct fmu_variable {
    const char *name, *unit, *description; // unit "" or "1": a pure number
    double start;                          // of parameters and inputs
    double nominal;                        // of states
    int follows_state;                     // of outputs: they depend on states and the time alone
} fmu_variable;

typedef struct fmu_description {
    int version; // of FMI: 2 or 3
    const char *model, *identifier, *guid, *tool_version;
    double stop;                  // 0: the end of the run is not known [s]
    double tolerance, every;      // of the experiment; between communication points [s]
    int count[FMU_KINDS];         // of variables, as many rates as states
    fmu_variable *variables;      // in the order of kinds
    const kane_pattern *jacobian; // of rates with respect to states
    int jacobian_size;            // states that it speaks of; all others may depend on everything
} fmu_description;

int fmu_first(const fmu_description *d, fmu_kind kind); // its place among the variables, which is its value reference
int fmu_count_all(const fmu_description *d);

// The first name that two variables have; NULL: there is none.
const char *fmu_find_twin(const fmu_description *d);

void fmu_describe(FILE *out, const fmu_description *d);

// === The files of a run as a unit holds them: as they are, found from each other as they are here, but for flexible
// bodies, which lie there reduced in place of their models.

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
