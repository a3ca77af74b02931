// SPDX-License-Identifier: MIT
// Rigid contact functions with slopes in any directions.

#ifndef KANE_CONTACT_WHEELSET_SCALARS_H
#define KANE_CONTACT_WHEELSET_SCALARS_H

#include "contact/gap_places.h"
#include "contact/table_scalars.h"

// The functions, in the order of kane_wheelset_values, and places of contact: of its gaps point and normal, and both with all
// else in side axes.
enum { TABLE_HEIGHT, TABLE_ROLL, TABLE_TWIST_HEIGHT, TABLE_TWIST_ROLL, TABLE_FUNCTIONS };

typedef struct wheelset_scalars {
    table_scalars function[TABLE_FUNCTIONS];
    kane_scalar3 point[2], normal[2];
    gap_spot spot[2];
} wheelset_scalars;

// kane_wheelset_table_eval at a shift and a yaw with slopes.
kane_status kane_wheelset_table_follow(const kane_wheelset_table *table, kane_scalar y, kane_scalar yaw,
                                       wheelset_scalars *out);

#endif
