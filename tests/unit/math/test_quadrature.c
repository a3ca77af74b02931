// SPDX-License-Identifier: MIT

#include "check.h"

#include "math/small.h"
#include "math/spline.h"

// The integral of x^k over -1 .. 1 is 2/(k + 1) for even k and 0 for odd k.
CHECK_TEST(rule_of_n_points_is_exact_for_polynomials_of_degree_2n_minus_1)
{
    for (int n = 1; n <= 40; n++) {
        double x[40], w[40];
        kane_gauss_legendre(n, x, w);
        for (int k = 0; k < 2 * n; k++) {
            double sum = 0.0;
            for (int i = 0; i < n; i++)
                sum += w[i] * pow(x[i], k);
            check_near(sum, k % 2 ? 0.0 : 2.0 / (k + 1), 2e-15);
        }
        // and for no higher degree: the error at 2n is that of the monic Legendre polynomial squared
        if (n <= 10) {
            double sum = 0.0, expected = 2.0 / (2 * n + 1);
            for (int i = 0; i < n; i++)
                sum += w[i] * pow(x[i], 2 * n);
            for (int k = 1; k <= n; k++)
                expected *= (double)(k * k) / ((2 * k - 1) * (2 * k - 1));
            check_near(2.0 / (2 * n + 1) - sum, expected, 1e-15);
        }
    }
}

CHECK_TEST(nodes_are_ascending_and_symmetric)
{
    for (int n = 1; n <= 40; n++) {
        double x[40], w[40];
        kane_gauss_legendre(n, x, w);
        for (int i = 0; i < n; i++) {
            assert_true(x[i] == -x[n - 1 - i] && w[i] == w[n - 1 - i]);
            assert_true(w[i] > 0.0);
            if (i > 0)
                assert_true(x[i] > x[i - 1]);
        }
    }
}

// Abramowitz and Stegun, table 25.4
CHECK_TEST(rule_of_five_points_is_the_tabulated_one)
{
    double x[5], w[5];
    kane_gauss_legendre(5, x, w);
    check_near(x[4], 0.906179845938664, 1e-15);
    check_near(x[3], 0.538469310105683, 1e-15);
    check_near(x[2], 0.0, 0.0);
    check_near(w[4], 0.236926885056189, 1e-15);
    check_near(w[3], 0.478628670499366, 1e-15);
    check_near(w[2], 0.568888888888889, 1e-15);
}

CHECK_TEST(compensated_sum_keeps_what_rounding_loses)
{
    kane_sum sum = {0.0, 0.0};
    double plain = 0.0;
    for (int i = 0; i < 1000000; i++) {
        kane_sum_add(&sum, 0.1);
        plain += 0.1;
    }
    check_near(kane_sum_get(&sum), 100000.0, 1.5e-11); // half a step of doubles there
    assert_true(fabs(plain - 100000.0) > 1e-7);

    // a large term that comes and goes
    kane_sum other       = {0.0, 0.0};
    const double terms[] = {1.0, 1e100, 1.0, -1e100};
    for (int i = 0; i < 4; i++)
        kane_sum_add(&other, terms[i]);
    check_near(kane_sum_get(&other), 2.0, 0.0);
}

CHECK_MAIN(NULL, NULL)
