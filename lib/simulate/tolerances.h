// SPDX-License-Identifier: MIT
// How coarse tolerances may be: beyond, wheels lift that never did.

#ifndef KANE_SIMULATE_TOLERANCES_H
#define KANE_SIMULATE_TOLERANCES_H

#include <kane/simulate.h>

// What tolerances must resolve.
typedef enum kane_scale {
    KANE_SCALE_CONTACT, // wheels in elastic contact
    KANE_SCALE_RAILS,   // wheels that rails guide
    KANE_SCALE_BODIES   // no wheels
} kane_scale;

kane_scale kane_scale_of_vehicle(const kane_vehicle_definition *vehicle);
kane_scale kane_scale_of_model(const kane_model *model);

// Order and tolerances whose keys are not in the block of a run file become as kane_settings_usual has them; absolute ones finer by the
// factor by which an rtol in the block is finer. A coarser one leaves them: wheel forces hang on them.
void kane_settings_complete(kane_settings *settings, const kane_vehicle_definition *vehicle, const kane_block *typed);

// Checks the five tolerances. typed: block of a run file whose keys rtol, position, ... may have been typed, then they alone
// are looked at, and errors have their places; NULL: all, without places. Returns how many are wrong.
int kane_tolerances_check(const kane_settings *settings, kane_scale scale, const kane_block *typed,
                          kane_errors *errors);

#endif
