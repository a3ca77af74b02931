// SPDX-License-Identifier: MIT
// Rolling radius difference on a grid, and its integral.

#ifndef KANE_CONTACT_ROLLING_H
#define KANE_CONTACT_ROLLING_H

#include <kane/geometry.h>

struct kane_rolling {
    int count;
    double first, step; // of the shifts [m]
    double radius;      // r0 [m]
    double distance;    // e [m]
    double *difference; // [count] [m]
    double *potential;  // [count] integral of difference/(e r0) from the first shift, exact for straight pieces [1]
};

// difference/(e r0) and its integral at y, which must lie on the grid. NaN where it does not.
typedef struct rolling_point {
    double pull;      // [1/m]
    double potential; // [1]
} rolling_point;
rolling_point kane_rolling_at(const kane_rolling *rolling, double y);

#endif
