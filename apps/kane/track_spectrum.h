// SPDX-License-Identifier: MIT
// kane track --spectrum

#ifndef KANE_APPS_TRACK_SPECTRUM_H
#define KANE_APPS_TRACK_SPECTRUM_H

#include <kane/kane.h>

// Prints the spectra of a track's irregularities beside those that its file asks for, and draws them if `picture` is not
// NULL.
kane_status track_spectrum(const kane_track *track, const char *picture, kane_errors *errors);

#endif
