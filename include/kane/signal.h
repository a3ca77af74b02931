// SPDX-License-Identifier: MIT
// Signals: what is made of sampled values: even rows, filters, percentiles, sliding values, weightings of vibration,
// comfort, spectra. Plain arrays in, plain arrays out.

#ifndef KANE_SIGNAL_H
#define KANE_SIGNAL_H

#include <kane/base.h>

KANE_C_BEGIN

// --- even rows ---

// Moments first + k step, k = 0 .. count - 1.
typedef struct kane_sampling {
    int count;
    double first, step; // [s], or [m] where rows go by distance
    int is_resampled;   // 1: rows are not even, values between them are interpolated
} kane_sampling;

// The even moments of n rows. Rows that stand within a thousandth of their mean step where that puts them are taken as
// they are; a last row that comes earlier, as the end of a run does, is left out. Other rows are interpolated linearly,
// at their median step, if no two of them are more than two steps apart. KANE_BAD_ARGUMENT with an error for rows that
// are fewer than two, further apart, or go back.
KANE_API kane_status kane_sampling_find(int n, const double *t, kane_sampling *out, kane_errors *errors);

// Values x of the n rows at these moments.
//   out  [sampling->count]; may be x where nothing is resampled
KANE_API void kane_sampling_apply(const kane_sampling *sampling, int n, const double *t, const double *x, double *out);

// --- filters ---

// Largest order, and that of measures and of evaluations to the standards: EN 14363 and UIC 518 ask for at least 24 dB
// an octave.
enum { KANE_FILTER_ORDER = 8, KANE_FILTER_USUAL = 4, KANE_BIQUADS = 12 };

// y_k = b0 x_k + b1 x_{k-1} + b2 x_{k-2} - a1 y_{k-1} - a2 y_{k-2}
typedef struct kane_biquad {
    double b0, b1, b2, a1, a2;
} kane_biquad;

// Sections one behind the other.
typedef struct kane_filter {
    int count;
    kane_biquad sections[KANE_BIQUADS];
    double slowest; // lowest corner [Hz]; the record must be as long as a period of it
} kane_filter;

// Once through has the phase of a filter; forth and back has none.
typedef enum kane_filter_passes { KANE_FORTH = 1, KANE_FORTH_AND_BACK = 2 } kane_filter_passes;

// Butterworth filters of order 1 .. KANE_FILTER_ORDER (6 dB an octave for each) by bilinear transformation, prewarped:
// at the corners the amplitude is 1/sqrt 2, after both passes where there are two. A band-pass is a high-pass and a
// low-pass of that order.
//   corner, low, high  [Hz]; below half the rate of the rows
//   step               between rows [s]
// KANE_BAD_ARGUMENT with an error.
KANE_API kane_status kane_filter_low_pass(int order, double corner, double step, kane_filter_passes passes,
                                          kane_filter *out, kane_errors *errors);
KANE_API kane_status kane_filter_high_pass(int order, double corner, double step, kane_filter_passes passes,
                                           kane_filter *out, kane_errors *errors);
KANE_API kane_status kane_filter_band_pass(int order, double low, double high, double step, kane_filter_passes passes,
                                           kane_filter *out, kane_errors *errors);

// Filters n values in place. Before the first value (behind the last one, going back) the signal is taken to have had
// that value for ever, so that a constant passes without transient. KANE_BAD_ARGUMENT with an error if the record is
// shorter than a period of the lowest corner.
KANE_API kane_status kane_filter_apply(const kane_filter *filter, kane_filter_passes passes, double step, int n,
                                       double *x, kane_errors *errors);

// Real and imaginary part of the response of one pass at a frequency [Hz].
KANE_API void kane_filter_response(const kane_filter *filter, double step, double frequency, double *re, double *im);

// --- percentiles ---

// The percentile 0 .. 100 of n >= 1 finite values, which are put into order: the value of rank 1 + (n - 1) percent/100,
// between two ranks by linear interpolation. EN 14363 and UIC 518 name the frequencies (0.15, 50, 95, 99.85 %) and
// leave open what lies between two ranks.
KANE_API double kane_percentile(int n, double *values, double percent);

// --- sliding values ---

typedef enum kane_sliding_kind { KANE_SLIDING_MEAN, KANE_SLIDING_RMS } kane_sliding_kind;

// Windows of this length that begin every `step` from s[0] on and end within the rows.
KANE_API int kane_sliding_count(int n, const double *s, double length, double step);

// Mean or rms over each of them: the integral over s by the trapezoidal rule, between rows linear, over the length.
//   s    [n] where the rows are, never decreasing: distance [m] or time [s]
//   at   [kane_sliding_count] middle of the windows
//   out  [kane_sliding_count]
KANE_API void kane_sliding(kane_sliding_kind kind, int n, const double *s, const double *x, double length, double step,
                           double *at, double *out);

// x at a place between rows, linearly; s never decreases.
KANE_API double kane_interpolate(int n, const double *s, const double *x, double at);

// --- weightings of vibration ---

// How people feel vibrations of each frequency. W...: ISO 8041-1 (of EN 12299, ISO 2631-1 and -4): d lateral and
// longitudinal, b vertical in trains, c backrest, k vertical elsewhere. Sperling's: docs/results.md has the formulas.
typedef enum kane_weighting {
    KANE_WEIGHTING_WB,
    KANE_WEIGHTING_WC,
    KANE_WEIGHTING_WD,
    KANE_WEIGHTING_WK,
    KANE_WEIGHTING_SPERLING_Y,       // comfort of passengers, lateral
    KANE_WEIGHTING_SPERLING_Z,       // comfort of passengers, vertical
    KANE_WEIGHTING_SPERLING_QUALITY, // quality of the ride, for freight and locomotives, both directions
    KANE_WEIGHTINGS
} kane_weighting;

// "Wb", ...; KANE_WEIGHTINGS of a name that is none.
KANE_API const char *kane_weighting_name(kane_weighting weighting);
KANE_API kane_weighting kane_weighting_find(const char *name);

// Size of the weighting at a frequency [Hz], as the analogue function has it.
KANE_API double kane_weighting_gain(kane_weighting weighting, double frequency);

// Are rows this far apart [s] dense enough? KANE_BAD_ARGUMENT with an error.
KANE_API kane_status kane_weighting_check(double step, kane_errors *errors);

// Weights n accelerations in place, with the phase that the analogue function has. Rows may be as far apart as 10 ms:
// they are interpolated to a dense signal and that is filtered, so that the gain is right up to nine tenths of half
// their rate. What vibrates faster than half the rate of the rows is not in them. KANE_BAD_ARGUMENT with an error for
// rows further apart or over less than a period of the lowest frequency, KANE_NO_MEMORY.
KANE_API kane_status kane_weighting_apply(kane_weighting weighting, double step, int n, double *x, kane_errors *errors);

// --- comfort (EN 12299) ---

// Root mean squares of blocks of 5 s, one behind the other: of weighted accelerations the continuous comfort C_C of
// their direction. Returns how many blocks there are; the rest of the rows is left out. out NULL only counts.
KANE_API int kane_comfort_blocks(double step, int n, const double *weighted, double *out);

// The 95th percentile of the blocks; NaN with an error. blocks: their number, NULL: not wanted; the
// standard asks for 60 (five minutes).
KANE_API double kane_comfort_p95(double step, int n, const double *weighted, int *blocks, kane_errors *errors);

// Mean comfort N_MV = 6 sqrt(x^2 + y^2 + z^2) of those percentiles [m/s^2].
KANE_API double kane_comfort_mean(double x_p95, double y_p95, double z_p95);

typedef enum kane_posture { KANE_SEATED, KANE_STANDING } kane_posture;

// Comfort on curve transitions P_CT [%] of passengers that are dissatisfied, from the largest sizes of means over 1 s.
//   acceleration  lateral, in the floor of the body [m/s^2]
//   jerk          its change within 1 s [m/s^3]
//   roll_rate     of the body [rad/s]
KANE_API double kane_comfort_transition(kane_posture posture, double acceleration, double jerk, double roll_rate);

// Comfort on discrete events P_DE [%], from 2 s of the lateral acceleration.
//   peak_to_peak, mean  [m/s^2]
KANE_API double kane_comfort_event(kane_posture posture, double peak_to_peak, double mean);

// P_CT of a transition that lasts from `from` to `to` (n rows every `step`, the first at 0 s). Acceleration and roll
// rate behind a low-pass of 2 Hz (as the caller likes: EN 12299 wants it), means over 1 s; acceleration up to 1.6 s
// behind the end, jerk from 1 s before the beginning. NaN with an error where rows are missing.
KANE_API double kane_comfort_transition_of(kane_posture posture, double step, int n, const double *acceleration,
                                           const double *roll_rate, double from, double to, kane_errors *errors);

// Largest P_DE of all windows of 2 s. NaN with an error for a record that is shorter.
KANE_API double kane_comfort_events_of(kane_posture posture, double step, int n, const double *acceleration,
                                       kane_errors *errors);

// --- Sperling's Wz ---

// Wz = 4.42 (rms of the weighted acceleration [m/s^2])^0.3: that of a single sine of amplitude a [cm/s^2] is
// (a^3 B(f)^3)^(1/10).
KANE_API double kane_sperling(int n, const double *weighted);

// --- spectra ---

// A size for kane_welch: the power of two with which n rows give about so many windows; at least 16. 0: too few rows.
KANE_API int kane_welch_size(int n, int windows);

// One-sided power spectral density by Welch's method: windows of Hann that overlap by half, the mean of each taken out.
// Its sum times the distance of two frequencies is the variance.
//   step         between rows, [s] or [m]
//   size         of a window: a power of two, 16 .. n
//   frequencies  [size/2 + 1] [Hz] or cycles/m
//   density      [size/2 + 1] unit^2/Hz or unit^2 m
KANE_API kane_status kane_welch(int n, double step, const double *x, int size, double *frequencies, double *density,
                                kane_errors *errors);

KANE_C_END

#endif
