// SPDX-License-Identifier: MIT
// The line from a to b that axial laws act along.

#ifndef KANE_FORCE_LINE_H
#define KANE_FORCE_LINE_H

#include <kane/formula.h>

typedef struct kane_line {
    kane_scalar length; // [m]
    kane_scalar rate;   // of the length [m/s]
    kane_scalar3 n;     // from a to b, unit vector
} kane_line;

// Positive (KANE_RETRY) where the two points coincide: there is no line.
KANE_INLINE int kane_line_observe(const kane_formula_motion *m, kane_line *line)
{
    const kane_scalar3 d = ks3_shift(m->d, m->d0);
    line->length         = ks3_norm(d);
    if (!(ks_value(line->length) > 0.0))
        return KANE_RETRY;
    line->n    = ks3_scale(ks_inverse(line->length), d);
    line->rate = ks3_dot(line->n, m->v);
    return 0;
}

// Length at rest [m]. Not 0 with an error where points are the same but for round-off: there is no line.
static inline int kane_line_settle(const kane_block *block, kane_vec3 d0, double *length, kane_errors *errors)
{
    *length = kv3_norm(d0);
    if (*length > 1e-6)
        return 0;
    kane_errors_add_input(errors, KANE_BAD_INPUT, kane_block_place(block, NULL, -1),
                          "both points of '%s' are the same, so that its line has no direction; give that of the "
                          "second body in \"to\", or a coupler of a train a \"length\"",
                          block->name);
    return 1;
}

#endif
