// SPDX-License-Identifier: MIT
// Random irregularities: from a spectrum and a seed to sines.

#ifndef KANE_TRACK_SPECTRUM_H
#define KANE_TRACK_SPECTRUM_H

#include <kane/track.h>

#include "track/waves.h"

// The sines (d->wave_count of them) of a spectrum. twin: how many spectra of the same kind come before it.
void kane_spectrum_waves(const kane_spectrum_definition *d, int twin, kane_wave *waves);

// A spectrum within its band as a part of the spectrum of `kind` [m^2/(rad/m)].
double kane_spectrum_share(const kane_spectrum_definition *d, kane_irregularity_kind kind, double O);

#endif
