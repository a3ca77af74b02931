// SPDX-License-Identifier: MIT
// A kane_wheelset_function in numbers with slopes: as many as whoever includes this has chosen.

#ifndef KANE_CONTACT_TABLE_SCALARS_H
#define KANE_CONTACT_TABLE_SCALARS_H

#include <kane/scalar.h>

typedef struct table_scalars {
    kane_scalar value, by_y, by_yaw, by_y_y, by_y_yaw, by_yaw_yaw;
} table_scalars;

#endif
