// SPDX-License-Identifier: MIT
// modelDescription.xml of a unit, in the words of FMI 2.0 or 3.0.

#ifndef KANE_APPS_FMU_DESCRIBE_H
#define KANE_APPS_FMU_DESCRIBE_H

#include <kane/pattern.h>

#include <stdio.h>

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
    double stop;                  // 0: nobody knows when the run ends [s]
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

#endif
