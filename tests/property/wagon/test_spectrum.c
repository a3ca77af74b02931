// SPDX-License-Identifier: MIT
// A generated irregularity comes back out of a run: Welch's spectra of channels are the spectrum that the track has.
//
// A line of the spectrum is the mean of the periodograms of K windows of Hann that overlap by half: of noise it has a
// relative standard deviation of about 1/sqrt(.95 K) (chi-square with 1.9 K degrees of freedom), and three neighbours
// tell about two independent values. The mean ratio over n lines is therefore 1 within 3/sqrt(.95 K 2/3 n), three
// standard deviations.

#include "wagon.h"

#include <kane/signal.h>

static const double pi = 3.14159265358979323846, from = 60.0; // behind the fade-in [m]

enum { WINDOW = 256, ROWS_MOST = 8192 };

// Mean ratio of the density of a channel, over distance, to that of the track between two wavelengths; *tolerance:
// three standard deviations of it.
static double ratio(const kane_results *results, const kane_track *track, const char *channel,
                    kane_irregularity_kind kind, double shortest, double longest, double *tolerance)
{
    static double s[ROWS_MOST], x[ROWS_MOST], f[WINDOW / 2 + 1], density[WINDOW / 2 + 1];
    CHECK_ERRORS errors    = {0};
    const double *distance = kane_results_values(results, CHECK_GOOD(kane_results_find, results, "distance"));
    const double *value    = kane_results_values(results, CHECK_GOOD(kane_results_find, results, channel));
    int n = 0, lines = 0;
    for (int i = 0; i < kane_results_row_count(results); i++)
        if (distance[i] >= from) {
            assert_true(n < ROWS_MOST);
            s[n]   = distance[i];
            x[n++] = value[i];
        }
    kane_sampling even;
    assert_int_equal(kane_sampling_find(n, s, &even, &errors), KANE_OK);
    kane_sampling_apply(&even, n, s, x, x);
    assert_int_equal(kane_welch(even.count, even.step, x, WINDOW, f, density, &errors), KANE_OK);
    double sum = 0.0;
    for (int i = 1; i <= WINDOW / 2; i++)
        if (f[i] >= 1.0 / longest && f[i] <= 1.0 / shortest) {
            sum += density[i] / (2.0 * pi * kane_track_spectrum(track, kind, 2.0 * pi * f[i]));
            lines++;
        }
    const double windows = 2.0 * even.count / WINDOW - 1.0;
    *tolerance           = 3.0 / sqrt(0.95 * windows * lines * 2.0 / 3.0);
    assert_true(lines > 5 && windows > 20.0);
    return sum / lines;
}

CHECK_TEST(the_spectrum_of_the_track_comes_back)
{
    static const char *const patterns[] = {"track.*", "leading.z", "leading.roll"};
    static const struct {
        const char *channel;
        kane_irregularity_kind kind;
        double shortest; // [m]
    } rows[] = {{"track.lateral", KANE_LATERAL, 4.0},
                {"track.vertical", KANE_VERTICAL, 4.0},
                {"track.cross_level", KANE_CROSS_LEVEL, 4.0},
                {"track.gauge", KANE_GAUGE, 4.0},
                {"leading.z", KANE_VERTICAL, 6.0}}; // wheels follow long waves
    kane_outcome outcome;
    CHECK_FREED(wagon) w               = wagon_with("wagon-ore", "until.distance=1900", "output.interval=12.5 ms",
                                                    "track.sections[0].straight=2000", "track.irregularities.spectra[0].waves=2000");
    CHECK_OWNED(kane_results) *results = CHECK_GOOD(kane_run_to_memory, &w.definition, 3, patterns, &outcome);
    assert_int_equal(outcome.status, KANE_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double tolerance;
        const double mean =
            ratio(results, w.definition.track, rows[i].channel, rows[i].kind, rows[i].shortest, 16.0, &tolerance);
        check_figure(mean, "%s", rows[i].channel);
        check_figure(tolerance, "tolerance");
        check_near(mean, 1.0, tolerance);
    }
}

CHECK_MAIN(NULL, NULL)
