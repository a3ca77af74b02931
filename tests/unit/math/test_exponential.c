// SPDX-License-Identifier: MIT
// The exponential of several numbers at once, against the library's of one.

#include "check.h"
#include "math/small.h"

CHECK_TEST(it_is_the_exponential)
{
    double worst = 0.0;
    for (int n = 1; n <= KANE_EXP_MOST; n++) // odd and even numbers of them
        for (double from = -690.0; from < 690.0; from += 0.37) {
            double x[KANE_EXP_MOST], e[KANE_EXP_MOST];
            for (int i = 0; i < n; i++)
                e[i] = x[i] = from + 0.011 * i;
            kane_exp_block(n, e);
            for (int i = 0; i < n; i++)
                worst = fmax(worst, fabs(e[i] / exp(x[i]) - 1.0));
        }
    check_near(worst, 0.0, 5e-16);
}

CHECK_TEST(small_numbers_and_nothing)
{
    double x[4] = {0.0, -0.0, 1e-12, -1e-300};
    kane_exp_block(4, x);
    check_near(x[0], 1.0, 0.0);
    check_near(x[1], 1.0, 0.0);
    check_relative(x[2], 1.0 + 1e-12, 1e-16);
    check_near(x[3], 1.0, 0.0);
}

CHECK_TEST(beyond_the_range_it_stops)
{
    double x[4] = {1e6, -1e6, INFINITY, -INFINITY};
    kane_exp_block(4, x);
    check_relative(x[0], exp(700.0), 1e-15);
    check_relative(x[1], exp(-700.0), 1e-15);
    check_near(x[2], x[0], 0.0);
    check_near(x[3], x[1], 0.0);
}

CHECK_MAIN(NULL, NULL)
