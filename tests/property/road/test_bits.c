// SPDX-License-Identifier: MIT
// A tyre has the same bits at any level of optimisation: its source, compiled once more with this test and so without
// optimisation, against the library's, at random states of rolling, sliding and standing wheels.

#define kane_law_tyre tyre_without_optimisation
#include "force/tyre.c"
#undef kane_law_tyre

#include "unit/force/law_bench.h"

#include "math/statistics.h"

#ifdef __OPTIMIZE__
#error "this test is for comparison with code that is not optimised"
#endif

extern const kane_law kane_law_tyre;

enum { STATES_TRIED = 4000 };

static kane_vec3 random_vec3(kane_random *random, double size)
{
    const double x = kane_random_even(random) - 0.5, y = kane_random_even(random) - 0.5;
    return kv3_scale(2.0 * size, kv3(x, y, kane_random_even(random) - 0.5));
}

// Compares as bits: 0 and -0 differ.
static void check_same(const void *value, const void *expected, size_t size, const char *what, int i)
{
    if (memcmp(value, expected, size) != 0)
        fail_msg("%s of state %d", what, i);
}

CHECK_TEST(tyres_have_the_same_bits_without_optimisation)
{
    static const kane_tyre in = {.file = KANE_SOURCE_DIR "/data/tyres/sedan.tir", .axle = {0, 1, 0}};
    kane_random random        = kane_random_start(11, 0);
    CHECK_FREED(bench) b      = bench_create(&kane_law_tyre, &in, kv3(0, 0, 0.33), kv3(0, 0, 3600.0));
    for (int i = 0; i < STATES_TRIED; i++) {
        kane_absolute absolute = {.a = {.R = km3_identity()}, .b = {.position = {0, 0, 0.33}}};
        const double along[]   = {0.02 * kane_random_even(&random) - 0.01, 0.1 * kane_random_even(&random) - 0.05};
        const double speed     = i % 4 == 0 ? 0.1 : 30.0;
        const kane_vec3 turned = random_vec3(&random, 0.1);
        absolute.b.R =
            km3_turn_x(km3_turn_z(km3_identity(), sin(turned.z), cos(turned.z)), sin(turned.x), cos(turned.x));
        absolute.b.position     = kv3_add(absolute.b.position, random_vec3(&random, 0.02));
        absolute.b.velocity     = kv3_add(kv3(speed, 0.0, 0.0), random_vec3(&random, 0.1 * speed));
        absolute.b.omega        = kv3_add(kv3(0.0, speed / 0.32, 0.0), random_vec3(&random, 0.1 * speed));
        const kane_relative r   = {.d0 = b.d0, .state = along, .absolute = &absolute};
        const kane_law *laws[2] = {&kane_law_tyre, &tyre_without_optimisation};
        kane_wrench on_b[2];
        double rates[2][KANE_LAW_STATES] = {{0}}, seen[2][KANE_LAW_QUANTITIES] = {{0}}, energy_of[2];
        static kane_law_absolute_derivative by_absolute[2];
        static kane_law_derivative derivative[2];
        memset(by_absolute, 0, sizeof by_absolute);
        memset(derivative, 0, sizeof derivative);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(laws[k]->eval(b.data, &r, &on_b[k]), 0);
            assert_int_equal(laws[k]->rates(b.data, &r, rates[k]), 0);
            derivative[k].absolute = &by_absolute[k];
            laws[k]->derive(b.data, &r, &derivative[k]);
            derivative[k].absolute = NULL;
            laws[k]->observe(b.data, &r, seen[k]);
            energy_of[k] = laws[k]->energy(b.data, &r);
        }
        check_same(&on_b[0], &on_b[1], sizeof *on_b, "forces", i);
        check_same(rates[0], rates[1], sizeof *rates, "rates", i);
        check_same(&by_absolute[0], &by_absolute[1], sizeof *by_absolute, "derivatives by absolute motion", i);
        check_same(&derivative[0], &derivative[1], sizeof *derivative, "derivatives", i);
        check_same(seen[0], seen[1], sizeof *seen, "quantities", i);
        check_same(&energy_of[0], &energy_of[1], sizeof *energy_of, "the energy", i);
    }
}

CHECK_MAIN(NULL, NULL)
