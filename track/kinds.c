// SPDX-License-Identifier: MIT
// What the kinds of irregularity do to the rails, and the other way round.

#include "track/kinds.h"

const double kane_kind_rails[KANE_IRREGULARITY_KINDS][2][2] = {
    [KANE_LATERAL] = {{1.0, 0.0}, {1.0, 0.0}},       [KANE_VERTICAL] = {{0.0, 1.0}, {0.0, 1.0}},
    [KANE_CROSS_LEVEL] = {{0.0, 0.5}, {0.0, -0.5}},  [KANE_GAUGE] = {{0.5, 0.0}, {-0.5, 0.0}},
    [KANE_LEFT_LATERAL] = {{1.0, 0.0}, {0.0, 0.0}},  [KANE_LEFT_VERTICAL] = {{0.0, 1.0}, {0.0, 0.0}},
    [KANE_RIGHT_LATERAL] = {{0.0, 0.0}, {1.0, 0.0}}, [KANE_RIGHT_VERTICAL] = {{0.0, 0.0}, {0.0, 1.0}},
};

const double kane_kind_measure[KANE_IRREGULARITY_KINDS][2][2] = {
    [KANE_LATERAL] = {{0.5, 0.0}, {0.5, 0.0}},       [KANE_VERTICAL] = {{0.0, 0.5}, {0.0, 0.5}},
    [KANE_CROSS_LEVEL] = {{0.0, 1.0}, {0.0, -1.0}},  [KANE_GAUGE] = {{1.0, 0.0}, {-1.0, 0.0}},
    [KANE_LEFT_LATERAL] = {{1.0, 0.0}, {0.0, 0.0}},  [KANE_LEFT_VERTICAL] = {{0.0, 1.0}, {0.0, 0.0}},
    [KANE_RIGHT_LATERAL] = {{0.0, 0.0}, {1.0, 0.0}}, [KANE_RIGHT_VERTICAL] = {{0.0, 0.0}, {0.0, 1.0}},
};

double kane_irregularity_measure(kane_irregularity_kind kind, const kane_rail_offset *left,
                                 const kane_rail_offset *right)
{
    const double(*m)[2] = kane_kind_measure[kind];
    return m[KANE_LEFT][KANE_Y] * left->y + m[KANE_LEFT][KANE_Z] * left->z + m[KANE_RIGHT][KANE_Y] * right->y +
           m[KANE_RIGHT][KANE_Z] * right->z;
}
