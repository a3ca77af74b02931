// SPDX-License-Identifier: MIT
// Largest pressures of wheels that carry 60 and 110 kN at random places, against the half-space solved by plain code
// (oracle/plain_half_space.h): S1002, a worn wheel and the LM wheel on 60E1. The first places of
// those of reference.contact.random_pressures.

#include "unit/contact/section.h"

CHECK_TEST(pressures_at_random_places)
{
    for (size_t i = 0; i < sizeof wheels / sizeof *wheels; i++)
        compare_wheel(&wheels[i], i == 0 ? 8 : 6);
}

CHECK_MAIN(NULL, NULL)
