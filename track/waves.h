// SPDX-License-Identifier: MIT
// Irregularities of a track: kinds, waves, spectra, single defects, recordings.

#ifndef KANE_TRACK_WAVES_H
#define KANE_TRACK_WAVES_H

#include <kane/track.h>

#include "base/arena.h"
#include "math/spline.h"

// === What the kinds of irregularity do to the rails, and the other way round.

enum { KANE_OFFSET_Y = 0, KANE_OFFSET_Z = 1 };

// y and z of the rails [side][KANE_OFFSET_Y, KANE_OFFSET_Z] for one metre of a kind.
extern const double kane_kind_rails[KANE_IRREGULARITY_KINDS][2][2];

// A kind as a sum over y and z of both rails, likewise.
extern const double kane_kind_measure[KANE_IRREGULARITY_KINDS][2][2];

// === Sums of many sines, anywhere or along equidistant places.

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
    double d[2][2][4]; // [side][KANE_OFFSET_Y, KANE_OFFSET_Z][derivative] [m], [1], [1/m], [1/m^2]
} kane_rails_point;

// Adds a kind's value and derivatives to the rails.
void kane_rails_add(kane_rails_point *rails, kane_irregularity_kind kind, const double w[4]);

// Adds the sum of all waves at s.
void kane_waves_add(const kane_waves *waves, double s, kane_rails_point *rails);

// Sums at s0, s0 + step, s0 + 2 step, ...: sine and cosine are turned from place to place and computed afresh every
// KANE_WALK_RENEWS places, so that they stay exact to 1e-14. A walk may go on from any multiple of that.
enum { KANE_WALK_RENEWS = 64 };

typedef struct kane_wave_walk {
    const kane_waves *waves;
    double s0, step;
    int place;
    double *sine, *cosine;           // of each wave at the last place
    double *turn_sine, *turn_cosine; // of its angle over one step
    double *value, *slope, *bend;    // amplitude a, a k, -a k^2
} kane_wave_walk;

// Prepares a walk. 0 if memory had none.
int kane_wave_walk_start(kane_wave_walk *walk, const kane_waves *waves, double s0, double step, kane_arena *memory);

// Adds the sum at the next place, up to the second derivative; the first call does so at s0.
void kane_wave_walk_next(kane_wave_walk *walk, kane_rails_point *rails);

// === Single defects: shapes of a place, a length and a height.

typedef struct kane_defects kane_defects;

// Prepares the defects of a checked definition for a line that ends at `end` [m]. NULL if memory had none.
const kane_defects *kane_defects_make(const kane_track_definition *d, double end, kane_arena *memory);

// Adds all defects at s.
void kane_defects_add(const kane_defects *defects, double s, kane_rails_point *rails);

// Value and derivatives of one defect, x from its middle [m].
void kane_defect_eval(kane_defect_shape shape, double length, double height, double x, double out[4]);

// === Measured irregularities: splines through points.

typedef struct kane_record {
    kane_irregularity_kind kind;
    int count;
    const double *at; // s [m], [count]
    const kane_cubic *spline;
    double buckets;    // equal parts of at[0] .. at[count - 1] [1/m]
    const int *bucket; // [count]: the interval that holds the beginning of each of count - 1 parts, and the last one
} kane_record;

// Distance of points that steps have to follow: the smallest one, but no less than a tenth of the mean [m].
double kane_record_spacing(const kane_record_definition *d);

// The spline of a record. 0 if memory had none.
int kane_record_make(const kane_record_definition *d, double start, kane_record *record, kane_arena *memory);

// Adds a record at s.
void kane_record_add(const kane_record *record, double s, kane_rails_point *rails);

// === Random irregularities: from a spectrum and a seed to sines.

// The sines (d->wave_count of them) of a spectrum. twin: how many spectra of the same kind come before it.
void kane_spectrum_waves(const kane_spectrum_definition *d, int twin, kane_wave *waves);

// A spectrum within its band as a part of the spectrum of `kind` [m^2/(rad/m)].
double kane_spectrum_share(const kane_spectrum_definition *d, kane_irregularity_kind kind, double O);

#endif
