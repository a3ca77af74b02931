// SPDX-License-Identifier: MIT
// Which mode at one value of a parameter is which one at the next.

#ifndef KANE_STABILITY_LOCUS_CONTINUE_H
#define KANE_STABILITY_LOCUS_CONTINUE_H

#include <kane/locus.h>

// A mode where it was last seen, and where it is expected next.
typedef struct kane_locus_tip {
    const kane_modes *modes; // NULL: it has ended
    int mode;
    double value;              // of the parameter
    double re, im;             // of its eigenvalue
    double slope_re, slope_im; // by the parameter; 0 where not known yet
} kane_locus_tip;

// How far mode `mode` of `modes` at `value` is from what a tip is expected to be: 0 .. 2, small where it is the same
// one.
double kane_locus_distance(const kane_locus_tip *tip, const kane_modes *modes, int mode, double value);

// The mode of each tip: fills choice [count], -1: none. Modes of a natural frequency above `highest` [Hz] are left (0:
// none are). Returns 1, 0 if it is not clear, -1 without memory.
int kane_locus_match(int count, const kane_locus_tip *tips, const kane_modes *modes, double value, double highest,
                     int *choice);

// Moves a tip on to a mode, or begins it there.
void kane_locus_extend_tip(kane_locus_tip *tip, const kane_modes *modes, int mode, double value);

// Whether a mode is followed at all.
int kane_locus_is_followed(const kane_mode *mode, double highest);

#endif
