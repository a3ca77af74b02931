// SPDX-License-Identifier: MIT
// Random irregularities: the spectra of the standards, and rails that follow them.

#include "lines.h"

#include "math/statistics.h"
#include "track/waves.h"

#include <pthread.h>
#include <time.h>

enum { KINDS = KANE_GAUGE + 1, SEEDS = 5, COUNT = 16000, WINDOW = 1024 };
static const double length = 8000.0, step = 0.5; // [m]

static kane_spectrum_definition part_of(kane_spectrum_standard standard, kane_irregularity_kind kind, int seed)
{
    return (kane_spectrum_definition){.kind       = kind,
                                      .spectrum   = kane_spectrum_of(standard, kind),
                                      .shortest   = 3.0,
                                      .longest    = 100.0,
                                      .wave_count = 1000,
                                      .seed       = seed};
}

static kane_track *build_random(int count, const kane_spectrum_definition *spectra, double line)
{
    const kane_section_definition section = straight(line);
    kane_track_definition d               = kane_track_definition_default();
    d.spectrum_count                      = count;
    d.spectra                             = spectra;
    return build_line(d, 1, &section);
}

static kane_track *build_all_kinds(kane_spectrum_standard standard, int seed, double line)
{
    kane_spectrum_definition spectra[KINDS];
    for (int kind = 0; kind < KINDS; kind++)
        spectra[kind] = part_of(standard, (kane_irregularity_kind)kind, seed);
    return build_random(KINDS, spectra, line);
}

static double value_at(const kane_track *track, kane_irregularity_kind kind, double s)
{
    kane_rail_offset left, right;
    kane_track_rail(track, KANE_LEFT, s, &left);
    kane_track_rail(track, KANE_RIGHT, s, &right);
    return kane_irregularity_measure(kind, &left, &right);
}

static void sample(const kane_track *track, kane_irregularity_kind kind, double *x)
{
    for (int i = 0; i < COUNT; i++)
        x[i] = value_at(track, kind, i * step);
}

// All kinds, another seed each; the last one is as build_all_kinds(KANE_ORE_HIGH, 4, length) makes it.
static kane_track *rails[SEEDS];

static int begin(void **state)
{
    (void)state;
    for (int seed = 0; seed < SEEDS; seed++)
        rails[seed] = build_all_kinds(seed % 2 ? KANE_FRA_3 : KANE_ORE_HIGH, seed, length);
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (int seed = 0; seed < SEEDS; seed++)
        kane_track_free(rails[seed]);
    return 0;
}

// Densities per cycle of the ORE B176 spectra, high level, as GENSYS' manual of trc_ipsd prints them [m^2/(1/m)]. The
// wavelengths are 314.16, 50, 10 and 5 m.
CHECK_TEST(ore_spectra_are_the_printed_ones)
{
    static const double f[4]        = {1.0 / 314.16, 0.02, 0.1, 0.2};
    static const double lateral[4]  = {4.6657e-3, 2.3194e-4, 6.1608e-6, 7.3333e-7};
    static const double vertical[4] = {8.2268e-3, 4.0897e-4, 1.0863e-5, 1.2931e-6};
    const kane_spectrum y           = kane_spectrum_of(KANE_ORE_HIGH, KANE_LATERAL);
    const kane_spectrum z           = kane_spectrum_of(KANE_ORE_HIGH, KANE_VERTICAL);
    for (int i = 0; i < 4; i++) {
        check_relative(2.0 * pi * kane_spectrum_density(&y, 2.0 * pi * f[i]), lateral[i], 1e-4);
        check_relative(2.0 * pi * kane_spectrum_density(&z, 2.0 * pi * f[i]), vertical[i], 1e-4);
    }
    const kane_spectrum low = kane_spectrum_of(KANE_ORE_LOW, KANE_VERTICAL);
    check_relative(kane_spectrum_density(&low, 0.3) / kane_spectrum_density(&z, 0.3), 4.032e-7 / 1.08e-6, 1e-14);
}

// Cross level: of the angle A_v/b^2 Oc^2 O^2/(...), with b = .75 m; the height is 1.5 m times the angle.
CHECK_TEST(cross_level_is_a_height)
{
    const double O = 0.37, O2 = O * O, Oc2 = 0.8246 * 0.8246, Or2 = 0.0206 * 0.0206, Os2 = 0.438 * 0.438;
    const kane_spectrum cross = kane_spectrum_of(KANE_ORE_HIGH, KANE_CROSS_LEVEL);
    const double angle        = 1.08e-6 / (0.75 * 0.75) * Oc2 * O2 / ((O2 + Or2) * (O2 + Oc2) * (O2 + Os2));
    check_relative(kane_spectrum_density(&cross, O), 1.5 * 1.5 * angle, 1e-13);
}

// k A Oc^2/(O^2 (O^2 + Oc^2)), A in cm^2 rad/m; cross level and gauge 4 k A_v Oc^2/((O^2 + Oc^2)(O^2 + Os^2)).
CHECK_TEST(fra_spectra_follow_their_formulas)
{
    static const double A_v[6] = {1.2107, 1.0181, 0.6816, 0.5376, 0.2095, 0.0339};
    const double O = 0.21, Oc2 = 0.8245 * 0.8245;
    double before = HUGE_VAL;
    for (int i = 0; i < 6; i++) {
        const kane_spectrum z = kane_spectrum_of((kane_spectrum_standard)(KANE_FRA_1 + i), KANE_VERTICAL);
        const double S        = 0.25 * A_v[i] * 1e-4 * Oc2 / (O * O * (O * O + Oc2));
        check_relative(kane_spectrum_density(&z, O), S, 1e-13);
        assert_true(S < before); // class 6 is the best
        before = S;
    }
    const kane_spectrum gauge = kane_spectrum_of(KANE_FRA_4, KANE_GAUGE);
    check_relative(kane_spectrum_density(&gauge, O), 0.5376e-4 * Oc2 / ((O * O + Oc2) * (O * O + 1.1312 * 1.1312)),
                   1e-13);
    check_relative(kane_spectrum_of(KANE_FRA_5, KANE_LATERAL).A, 0.25 * 0.0762e-4, 1e-14);
    check_near(kane_spectrum_of(KANE_FRA_5, KANE_LEFT_LATERAL).A, 0.0, 0.0);
}

// Bound of chi-square over its degrees of freedom n, z standard deviations away (Wilson and Hilferty).
static double chi_bound(double n, double z)
{
    const double root = 1.0 - 2.0 / (9.0 * n) + z * sqrt(2.0 / (9.0 * n));
    return root * root * root;
}

// All kinds, several seeds: each of 40 lines of the periodogram lies in its band of 1e-6 around the spectrum, no more
// than some 5 % of all lie outside that of 5 % (less: sines of fixed amplitudes scatter less than noise does, once the
// line is longer than 2 pi over the distance of their wave numbers), and their mean is 1. K Hann windows that overlap
// by half have 36 K^2/(19 K - 1) degrees of freedom.
CHECK_TEST(rails_follow_the_spectrum)
{
    enum { LINES = 40 };
    static double x[COUNT];
    const double K = kane_periodogram_windows(COUNT, WINDOW), n = 36.0 * K * K / (19.0 * K - 1.0);
    double mean = 0.0;
    int outside = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
        const kane_track *track = rails[seed];
        for (int kind = 0; kind < KINDS; kind++) {
            sample(track, (kane_irregularity_kind)kind, x);
            for (int i = 0; i < LINES; i++) { // clear of the ends of the band, where a window smears
                const double O    = 0.15 * pow(1.9 / 0.15, i / (LINES - 1.0));
                const double want = kane_track_spectrum(track, (kane_irregularity_kind)kind, O);
                const double r    = kane_periodogram(COUNT, step, x, WINDOW, O) / want;
                if (!(r > chi_bound(n, -4.9) && r < chi_bound(n, 4.9)))
                    fail_msg("seed %d, kind %d, O = %g rad/m: %g of the spectrum", seed, kind, O, r);
                outside += r < chi_bound(n, -1.96) || r > chi_bound(n, 1.96);
                mean += r / (LINES * KINDS * SEEDS);
            }
        }
    }
    check_near(mean, 1.0, 0.02);
    assert_true(outside <= 0.08 * LINES * KINDS * SEEDS);
}

// The mean square is the integral of the spectrum over its band.
CHECK_TEST(variance_is_the_integral_of_the_spectrum)
{
    static double x[COUNT];
    double ratio[KINDS] = {0.0};
    for (int seed = 0; seed < SEEDS; seed++) {
        const kane_track *track = rails[seed];
        for (int kind = 0; kind < KINDS; kind++) {
            const double low = 2.0 * pi / 100.0, high = 2.0 * pi / 3.0;
            double square = 0.0, integral = 0.0;
            sample(track, (kane_irregularity_kind)kind, x);
            for (int i = 0; i < COUNT; i++)
                square += x[i] * x[i] / COUNT;
            for (int i = 0; i < 4000; i++) // midpoints
                integral +=
                    (high - low) / 4000.0 *
                    kane_track_spectrum(track, (kane_irregularity_kind)kind, low + (high - low) * (i + 0.5) / 4000.0);
            ratio[kind] += square / integral / SEEDS;
        }
    }
    for (int kind = 0; kind < KINDS; kind++)
        check_near(ratio[kind], 1.0, 0.05);
}

CHECK_TEST(same_seed_gives_the_same_bits)
{
    CHECK_OWNED(kane_track) *a     = build_all_kinds(KANE_ORE_HIGH, 7, 500.0),
                            *b     = build_all_kinds(KANE_ORE_HIGH, 7, 500.0);
    CHECK_OWNED(kane_track) *other = build_all_kinds(KANE_ORE_HIGH, 8, 500.0);
    double square = 0.0, difference = 0.0;
    for (int i = -300; i < 1300; i++) {
        kane_rail_offset x, y, z;
        kane_track_rail(a, KANE_LEFT, 0.5 * i, &x);
        kane_track_rail(b, KANE_LEFT, 0.5 * i, &y);
        kane_track_rail(other, KANE_LEFT, 0.5 * i, &z);
        assert_memory_equal(&x, &y, sizeof x);
        square += x.y * x.y + z.y * z.y;
        difference += (x.y - z.y) * (x.y - z.y);
    }
    assert_true(difference > 0.4 * square);
}

// A longer line begins as a shorter one does, and where it begins makes no difference.
CHECK_TEST(signal_does_not_depend_on_the_line)
{
    kane_spectrum_definition spectrum     = part_of(KANE_ORE_HIGH, KANE_VERTICAL, 3);
    const kane_section_definition section = straight(500.0);
    kane_track_definition d               = kane_track_definition_default();
    d.spectrum_count                      = 1;
    d.spectra                             = &spectrum;
    d.start                               = 123456.0;
    CHECK_OWNED(kane_track) *shifted = build_line(d, 1, &section), *longer = build_random(1, &spectrum, 900.0);
    CHECK_OWNED(kane_track) *track = build_random(1, &spectrum, 500.0);
    for (int i = 0; i < 500; i++) {
        const double z = value_at(track, KANE_VERTICAL, 1.01 * i);
        check_near(value_at(shifted, KANE_VERTICAL, 1.01 * i), z, 0.0);
        check_near(value_at(longer, KANE_VERTICAL, 1.01 * i), z, 1e-9);
    }
}

// The coefficient of correlation of two signals.
static double correlation(const double *x, const double *y)
{
    double xy = 0.0, xx = 0.0, yy = 0.0;
    for (int i = 0; i < COUNT; i++) {
        xy += x[i] * y[i];
        xx += x[i] * x[i];
        yy += y[i] * y[i];
    }
    return xy / sqrt(xx * yy);
}

// Kinds are apart although they have one seed, so are two spectra of one kind; and a part of the line is no copy of
// another one.
CHECK_TEST(signals_are_independent_and_do_not_repeat)
{
    static double x[KINDS + 1][COUNT];
    kane_spectrum_definition twice[2] = {part_of(KANE_ORE_HIGH, KANE_VERTICAL, 4),
                                         part_of(KANE_ORE_HIGH, KANE_VERTICAL, 4)};
    kane_track *track = rails[4], *both = build_random(2, twice, length);
    for (int kind = 0; kind < KINDS; kind++)
        sample(track, (kane_irregularity_kind)kind, x[kind]);
    sample(both, KANE_VERTICAL, x[KINDS]);
    for (int i = 0; i < COUNT; i++)
        x[KINDS][i] -= x[KANE_VERTICAL][i]; // the first of the two is the one of the other track
    for (int a = 0; a < KINDS; a++)
        for (int b = 0; b <= KINDS; b++)
            if (b > a)
                check_near(correlation(x[a], x[b]), 0.0, 0.3);
    for (int shift = 1000; shift < COUNT / 2; shift += 13) { // neither a copy nor its negative
        double less = 0.0, more = 0.0, all = 0.0;
        for (int i = 0; i < COUNT / 2; i++) {
            const double here = x[KANE_VERTICAL][i], there = x[KANE_VERTICAL][i + shift];
            less += (there - here) * (there - here);
            more += (there + here) * (there + here);
            all += here * here;
        }
        assert_true(less > 0.7 * all && more > 0.7 * all);
    }
    kane_track_free(both);
}

// One rail alone: its spectrum is that asked for; the mean of both has a quarter, the difference all of it.
CHECK_TEST(one_rail_alone_has_its_spectrum)
{
    kane_spectrum_definition left  = part_of(KANE_ORE_HIGH, KANE_VERTICAL, 1);
    left.kind                      = KANE_LEFT_VERTICAL;
    CHECK_OWNED(kane_track) *track = build_random(1, &left, 500.0);
    const double S                 = kane_spectrum_density(&left.spectrum, 0.5);
    check_relative(kane_track_spectrum(track, KANE_LEFT_VERTICAL, 0.5), S, 1e-15);
    check_relative(kane_track_spectrum(track, KANE_VERTICAL, 0.5), S / 4.0, 1e-15);
    check_relative(kane_track_spectrum(track, KANE_CROSS_LEVEL, 0.5), S, 1e-15);
    check_near(kane_track_spectrum(track, KANE_RIGHT_VERTICAL, 0.5), 0.0, 0.0);
    check_near(kane_track_spectrum(track, KANE_LATERAL, 0.5), 0.0, 0.0);
    check_near(kane_track_spectrum(track, KANE_LEFT_VERTICAL, 2.0 * pi / 2.9), 0.0, 0.0); // beyond the band
    check_near(kane_track_spectrum(track, KANE_LEFT_VERTICAL, 2.0 * pi / 101.0), 0.0, 0.0);
    for (int i = 0; i < 100; i++) {
        check_near(value_at(track, KANE_RIGHT_VERTICAL, 5.0 * i), 0.0, 0.0);
        check_near(value_at(track, KANE_LEFT_LATERAL, 5.0 * i), 0.0, 0.0);
    }
}

// Far out of the line the sines are summed one by one: the walk along the table must have met them.
CHECK_TEST(table_is_the_sum_of_its_sines)
{
    kane_spectrum_definition spectrum = part_of(KANE_ORE_HIGH, KANE_LATERAL, 2);
    CHECK_OWNED(kane_track) *summed = build_random(1, &spectrum, 10.0), *table = build_random(1, &spectrum, 3000.0);
    for (int i = 0; i < 1000; i++) {
        const double s = 200.0 + 2.8 * i;
        kane_rail_offset a, b;
        kane_track_rail(summed, KANE_LEFT, s, &a);
        kane_track_rail(table, KANE_LEFT, s, &b);
        check_near(a.y, b.y, 1e-9);
        check_near(a.y_s, b.y_s, 1e-8);
        check_near(a.y_ss, b.y_ss, 1e-6);
    }
    for (int i = 1300; i < 12800; i += 7) { // between its polynomials, where the table is exact
        kane_rail_offset a, b;
        kane_track_rail(summed, KANE_LEFT, -100.0 + 0.25 * i, &a);
        kane_track_rail(table, KANE_LEFT, -100.0 + 0.25 * i, &b);
        check_near(a.y, b.y, 1e-16);
        check_near(a.y_ss, b.y_ss, 1e-16);
    }
}

// 100 km have 400 800 intervals of 1000 waves; only those are computed that are read, and the values are those of a
// table that is computed as a whole, in whatever order places are read.
CHECK_TEST(a_long_line_costs_what_is_read_of_it)
{
    enum { PLACES = 40 };
    kane_spectrum_definition spectrum = part_of(KANE_ORE_HIGH, KANE_LATERAL, 2);
    const clock_t begin               = clock();
    CHECK_OWNED(kane_track) *track = build_random(1, &spectrum, 100000.0), *whole = build_random(1, &spectrum, 300.0);
    kane_rail_offset read[PLACES];
    for (int i = 0; i < PLACES; i++)
        kane_track_rail(track, KANE_RIGHT, 99990.0 - 2497.3 * i, &read[i]);
    assert_true(clock() - begin < CLOCKS_PER_SEC); // the whole table takes five
    for (int i = PLACES - 1; i >= 0; i--) {
        kane_rail_offset again;
        kane_track_rail(track, KANE_RIGHT, 99990.0 - 2497.3 * i, &again);
        assert_memory_equal(&again, &read[i], sizeof again);
    }
    kane_track_tabulate(whole);
    CHECK_OWNED(kane_track) *grown = build_random(1, &spectrum, 300.0);
    for (int i = 299; i >= 0; i--) {
        kane_rail_offset a, b;
        kane_track_rail(whole, KANE_LEFT, 1.003 * i, &a);
        kane_track_rail(grown, KANE_LEFT, 1.003 * i, &b);
        assert_memory_equal(&a, &b, sizeof a);
    }
}

enum { SHARED_LENGTH = 900 };

static void *read_places(void *track)
{
    unsigned place = 7919;
    for (int i = 0; i < 20000; i++) {
        kane_rail_offset o;
        place = place * 1664525u + 1013904223u;
        kane_track_rail(track, KANE_LEFT, SHARED_LENGTH * (place / 4294967296.0), &o);
    }
    return NULL;
}

static void *tabulate_track(void *track)
{
    kane_track_tabulate(track);
    return NULL;
}

// Steppers of several threads on one track: some are created while others step.
CHECK_TEST(threads_read_a_table_while_others_compute_it)
{
    enum { THREADS = 4 };
    kane_spectrum_definition spectrum = part_of(KANE_ORE_HIGH, KANE_LATERAL, 2);
    for (int k = 0; k < 15; k++) {
        CHECK_OWNED(kane_track) *track = build_random(1, &spectrum, SHARED_LENGTH);
        pthread_t thread[THREADS];
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&thread[i], NULL, i < 2 ? read_places : tabulate_track, track), 0);
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(pthread_join(thread[i], NULL), 0);
    }
}

CHECK_TEST(a_table_may_be_too_long)
{
    const kane_spectrum_definition spectrum = part_of(KANE_ORE_HIGH, KANE_LATERAL, 2);
    const kane_section_definition section   = straight(4e6);
    CHECK_ERRORS errors                     = {0};
    kane_track_definition d                 = kane_track_definition_default();
    d.spectrum_count = d.section_count = 1;
    d.spectra                          = &spectrum;
    d.sections                         = &section;
    assert_null(kane_track_create(&d, &errors));
    assert_string_equal(kane_errors_get(&errors, 0)->text,
                        "irregularities of a line of 4000000 m need a table in steps of 0.25 m, 1.6e+07 of them; there "
                        "must not be more than 1e+07: take a shorter line, or leave out the shortest waves");
}

// Turned from place to place over 100 km, sines stay what they are: 5 waves of 1 m each.
CHECK_TEST(walk_keeps_its_digits)
{
    enum { PLACES = 400000 };
    kane_wave wave[5];
    const kane_waves waves          = {{0, 5, 5, 5, 5, 5, 5, 5, 5}, wave};
    CHECK_OWNED(kane_arena) *memory = kane_arena_create();
    kane_wave_walk walk;
    for (int i = 0; i < 5; i++)
        wave[i] = (kane_wave){3.0 + 7.77 * i, 1.0, 0.3 * i};
    assert_true(kane_wave_walk_start(&walk, &waves, -100.0, 0.25, memory));
    for (int i = 0; i < PLACES; i++) {
        kane_rails_point turned = {0}, direct = {0};
        kane_wave_walk_next(&walk, &turned);
        if (i % 61 != 0)
            continue;
        kane_waves_add(&waves, -100.0 + 0.25 * i, &direct);
        for (int k = 0; k < 3; k++)
            check_near(turned.d[KANE_RIGHT][0][k], direct.d[KANE_RIGHT][0][k], 1e-13);
    }
}

CHECK_MAIN(begin, end)
