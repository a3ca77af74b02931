// SPDX-License-Identifier: MIT
// Largest pressures of wheels that carry 60 and 110 kN at random places, against the half-space solved by plain code
// (oracle/plain_half_space.h): S1002, a worn wheel and the LM wheel on 60E1. Two hundred places.

#include "unit/contact/section.h"

static void pressures_at_random_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wheels / sizeof *wheels; i++)
        compare_wheel(&wheels[i], wheels[i].places);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pressures_at_random_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
