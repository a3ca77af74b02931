// SPDX-License-Identifier: MIT
// FASTSIM, prepared for one grid.

#ifndef KANE_CONTACT_FASTSIM_H
#define KANE_CONTACT_FASTSIM_H

#include "contact/law.h"

// The ellipse is cut into strips along the rail, each of them into equal steps. All for the unit circle and mu N = 1.
typedef struct fastsim_table {
    kane_fastsim settings;
    double edge;                       // middle of the first half step, from the edge to the middle of an element
    double spin;                       // small spin's lateral force over what the grid would make of it
    double across[KANE_FASTSIM_MOST];  // of the middle of a strip
    double half[KANE_FASTSIM_MOST];    // root mean square of half the length over the width of a strip
    double step[KANE_FASTSIM_MOST];    // length of a step in a strip
    double inverse[KANE_FASTSIM_MOST]; // 1/(bound)^2 of a strip ...
    double rising[KANE_FASTSIM_MOST];  // ... times 1/(bound)^2 of a step: separates for both shapes
    double at[KANE_FASTSIM_MOST]; // of the middle of a step, in halves of a strip from its middle, leading one first
} fastsim_table;

// For settings that are allowed.
void kane_fastsim_init(fastsim_table *table, const kane_fastsim *settings);

kane_creep_force kane_law_fastsim(const fastsim_table *table, const law_input *in, law_slopes *slopes);

#endif
