// SPDX-License-Identifier: MIT
// Patches of elastic contact, interpolated in a table of the search (docs/contact.md).
//
// In oblique axes the overlap of wheel and rail shifts by -zeta with the wheel, so that of its pose three coordinates
// and a depth remain:
//   E = eta of the wheel's lowest point,   u = uz (roll),   T = tan^2 yaw,   D = Z(E, u, T) - zeta
// with Z the zeta at which the wheel begins to touch. Tabulated are Z and, over (E, u, T, sqrt(D)), the means of all
// patches: cubic B-splines in E, u and sqrt(D), polynomials in T, twice continuously differentiable.
//
// Contact is searched where two patches differ in slope (tread and flange at once), where a cell is not accurate, and
// at the table's margins. A weight goes from the one to the other smoothly.

#ifndef KANE_CONTACT_ELASTIC_TABLE_H
#define KANE_CONTACT_ELASTIC_TABLE_H

#include "contact/overlap.h"

// Heights are a parabola in T through three nodes, values straight through two.
enum { ELASTIC_ETA = 121, ELASTIC_ROLL = 21, ELASTIC_YAW = 3, ELASTIC_VALUE_YAW = 2, ELASTIC_DEPTH = 12 };

// Means of the patches: eta and slope by normal force; a and b such that a b is the sum of theirs.
typedef enum elastic_value {
    ELASTIC_N,        // N/(E* D^3/2) [m^1/2]
    ELASTIC_PLACE,    // eta on the rail less E [m]
    ELASTIC_SLOPE,    // of the rail over the oblique axis [1]
    ELASTIC_ALONG,    // a/D^1/2 [m^1/2]
    ELASTIC_ACROSS,   // b/D^1/2 [m^1/2]
    ELASTIC_APPROACH, // approach/D [1]
    ELASTIC_TRUST,    // 1 where these are what the search finds, else 0
    ELASTIC_VALUES = 8
} elastic_value;

// Coefficients of splines; those of depth are at sqrt(D) = -1, 0, 1 ... 10 steps.
typedef struct elastic_table {
    double first;                                          // E of the first node [m]
    double height[ELASTIC_ETA][ELASTIC_YAW][ELASTIC_ROLL]; // Z [m]
    double other[ELASTIC_ETA][ELASTIC_YAW][ELASTIC_ROLL];  // D at which a patch of another slope begins to touch [m]
    double value[ELASTIC_ETA][ELASTIC_ROLL][ELASTIC_VALUE_YAW][ELASTIC_DEPTH][ELASTIC_VALUES];
} elastic_table;

// y: of the wheel's centre when the wheelset stands in the middle of the track [m]. 0 without memory.
int kane_elastic_table_init(elastic_table *table, const wheel_table *wheel, const rail_table *rail, double y,
                            const hertz_table *hertz);

// The patch of a pose. Returns its weight; below 1 the rest is that of the patches that are searched. The patch has its
// weight as share, 0 where nothing touches.
double kane_elastic_table_eval(const elastic_table *table, const contact_locus *g, double E_star, contact_patch *patch);

// The same with slopes by the pose: those of the splines.
kane_scalar kane_elastic_table_derive(const elastic_table *table, const contact_locus *g, double E_star,
                                      patch_scalars *patch);

#endif
