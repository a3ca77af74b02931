// SPDX-License-Identifier: MIT
// Hunting with elastic contact: every creep law, laden and empty, two speeds; the limit cycle; the same bits twice.

#include "property/wagon/hunt.h"

#define ELASTIC CONTACT "model=elastic"

CHECK_TEST(every_law_arrives)
{
    for (int law = 0; law < HUNT_LAWS; law++) {
        (void)hunt(ELASTIC, &hunt_laws[law], "start.speed=20", NULL, 100.0);
        (void)hunt(ELASTIC, &hunt_laws[law], "start.speed=20", "variant=tare", 120.0);
        (void)hunt(ELASTIC, &hunt_laws[law], "start.speed=35", NULL, 200.0);
        (void)hunt(ELASTIC, &hunt_laws[law], "start.speed=35", "variant=tare", 120.0);
    }
}

CHECK_TEST(hunting_gives_the_same_bits_twice)
{
    const journey a = hunt(ELASTIC, &hunt_laws[2], "start.speed=35", NULL, 200.0);
    const journey b = hunt(ELASTIC, &hunt_laws[2], "start.speed=35", NULL, 200.0);
    assert_true(a.fingerprint == b.fingerprint);
    assert_int_equal(a.statistics.steps, b.statistics.steps);
}

// With weak lateral dampers: a limit cycle from flange to flange at 28 m/s, the same by laws that agree on spin; at 20
// m/s a swing dies away.
CHECK_TEST(fast_it_hunts_for_ever_and_slow_it_does_not)
{
    const journey fast  = hunt_for_ever(ELASTIC, CONTACT "creep=Polach", "start.speed=28"),
                  other = hunt_for_ever(ELASTIC, CONTACT "creep=FASTSIM", "start.speed=28");
    assert_true(fast.late_swing > 5e-3 && fast.late_swing < 7e-3);
    check_near(fast.late_swing, other.late_swing, 2e-4);
    const journey slow = hunt_for_ever(ELASTIC, CONTACT "creep=Polach", "start.speed=20");
    check_below(slow.late_swing, 1e-4);
}

CHECK_MAIN(NULL, NULL)
