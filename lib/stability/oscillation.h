// SPDX-License-Identifier: MIT
// What a stretch of an oscillation is like: amplitude, level and frequency of its cycles.

#ifndef KANE_STABILITY_OSCILLATION_H
#define KANE_STABILITY_OSCILLATION_H

typedef struct kane_oscillation {
    int cycles;         // complete ones; without any, amplitude, least and most are half of what the stretch spans
    double amplitude;   // half peak to peak, mean over the cycles, as of the unit of the samples
    double least, most; // of the cycles
    double level;       // in the middle between the peaks, mean over the cycles
    double frequency;   // [Hz]; 0 without a cycle
} kane_oscillation;

// Measures count samples that are `step` [s] apart. A cycle goes from one upward crossing of the middle of all samples to the
// next; swings about it that are smaller than a fifth of what the stretch spans begin none. Peaks are those of parabolas
// through three samples.
kane_oscillation kane_oscillation_measure(int count, const double *samples, double step);

#endif
