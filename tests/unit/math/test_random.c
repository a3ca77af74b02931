// SPDX-License-Identifier: MIT
// Random numbers: those that were published for the generator, evenly distributed, streams apart from each other.

#include "check.h"

#include "math/statistics.h"

// SplitMix64 from the counter 1234567 (rosettacode.org, "Pseudo-random numbers/Splitmix64").
CHECK_TEST(numbers_are_the_published_ones)
{
    static const uint64_t expected[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                        UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                        UINT64_C(16408922859458223821)};
    kane_random r                    = {1234567};
    for (int i = 0; i < 5; i++)
        assert_true(kane_random_next(&r) == expected[i]);
}

// Moments of an even distribution: 1/2, 1/12, and no correlation with the number before; 5 standard deviations.
CHECK_TEST(numbers_are_even_and_streams_are_apart)
{
    enum { COUNT = 200000 };
    for (uint64_t seed = 0; seed < 3; seed++)
        for (uint64_t stream = 0; stream < 3; stream++) {
            kane_random r = kane_random_start(seed, stream), other = kane_random_start(seed, stream + 1);
            kane_random next_seed = kane_random_start(seed + 1, stream);
            double mean = 0.0, square = 0.0, with_last = 0.0, with_other = 0.0, with_seed = 0.0, last = 0.0;
            for (int i = 0; i < COUNT; i++) {
                const double x = kane_random_even(&r);
                assert_true(x >= 0.0 && x < 1.0);
                const double d = x - 0.5;
                mean += d / COUNT;
                square += d * d / COUNT;
                with_last += d * last / COUNT;
                with_other += d * (kane_random_even(&other) - 0.5) / COUNT;
                with_seed += d * (kane_random_even(&next_seed) - 0.5) / COUNT;
                last = d;
            }
            const double bound = 5.0 / sqrt((double)COUNT);
            check_near(mean, 0.0, bound * sqrt(1.0 / 12.0));
            check_near(square, 1.0 / 12.0, bound * sqrt(1.0 / 180.0));
            check_near(with_last, 0.0, bound / 12.0);
            check_near(with_other, 0.0, bound / 12.0);
            check_near(with_seed, 0.0, bound / 12.0);
        }
}

CHECK_MAIN(NULL, NULL)
