// SPDX-License-Identifier: MIT
// Cube roots are exact, and small angles those of the library.

#include "check.h"

#include "math/small.h"

// Error of a cube root, relative to itself.
static double miss(double x)
{
    const long double y = kane_cube_root(x);
    return (double)((y * y * y - x) / (3.0L * x));
}

CHECK_TEST(cube_roots_are_exact)
{
    for (double x = 1e-300; x < 1e300; x *= 1.37)
        check_near(miss(x), 0.0, 4e-16);
    for (int i = 1; i < 1000; i++)
        check_near(miss(0.008 * i), 0.0, 4e-16);
}

CHECK_TEST(angles_are_those_of_the_library)
{
    for (int i = -300; i <= 300; i++) { // on both sides of the angle up to which the series goes
        const double y = 0.0007 * i;
        check_near(kane_small_angle(3.0 * y, 3.0), atan2(3.0 * y, 3.0), 5e-16 * fabs(y));
    }
    check_near(kane_small_angle(0.3, -1.0), atan2(0.3, -1.0), 0.0);
    check_near(kane_small_angle(-0.3, 0.0), atan2(-0.3, 0.0), 0.0);
    assert_true(isnan(kane_small_angle((double)NAN, 1.0)));
}

CHECK_MAIN(NULL, NULL)
