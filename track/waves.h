// SPDX-License-Identifier: MIT
// Sums of many sines, anywhere or along equidistant places.

#ifndef KANE_TRACK_WAVES_H
#define KANE_TRACK_WAVES_H

#include <kane/track.h>

#include "base/arena.h"

// amplitude sin(2 pi s/wavelength + phase), s from the beginning of the line
typedef struct kane_wave {
    double wavelength, amplitude, phase; // [m], [m], [rad]
} kane_wave;

// Waves by kind: those of kind k are wave[first[k]] .. wave[first[k + 1] - 1].
typedef struct kane_waves {
    int first[KANE_IRREGULARITY_KINDS + 1];
    kane_wave *wave;
} kane_waves;

// Value and three derivatives of y and z of both rails.
typedef struct kane_rails_point {
    double d[2][2][4]; // [side][KANE_Y, KANE_Z][derivative] [m], [1], [1/m], [1/m^2]
} kane_rails_point;

// Adds a kind's value and derivatives to the rails.
void kane_rails_add(kane_rails_point *rails, kane_irregularity_kind kind, const double w[4]);

// Adds the sum of all waves at s.
void kane_waves_add(const kane_waves *waves, double s, kane_rails_point *rails);

// Sums at s0, s0 + step, s0 + 2 step, ...: sine and cosine are turned from place to place and computed afresh every
// RENEW places, so that they stay exact to 1e-14.
typedef struct kane_wave_walk {
    const kane_waves *waves;
    double s0, step;
    int place;
    double *sine, *cosine;           // of each wave at the last place
    double *turn_sine, *turn_cosine; // of its angle over one step
    double *value, *slope, *bend;    // amplitude a, a k, -a k^2
} kane_wave_walk;

// Prepares a walk. 0 if memory had none.
int kane_wave_walk_start(kane_wave_walk *walk, const kane_waves *waves, double s0, double step, kane_arena *scratch);

// Adds the sum at the next place, up to the second derivative; the first call does so at s0.
void kane_wave_walk_next(kane_wave_walk *walk, kane_rails_point *rails);

#endif
