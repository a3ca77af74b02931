// SPDX-License-Identifier: MIT
// Hunting with elastic contact: every creep law, laden and empty, two speeds; the limit cycle; the same bits twice.

#include "property/wagon/hunt.h"

#define ELASTIC CONTACT "way=elastic"

static void every_law_arrives(void **state)
{
    (void)state;
    for (int law = 0; law < HUNT_LAWS; law++) {
        (void)hunt(ELASTIC, &hunt_laws[law], "start.speed=20", NULL, 100.0);
        (void)hunt(ELASTIC, &hunt_laws[law], "start.speed=20", "variant=tare", 120.0);
        (void)hunt(ELASTIC, &hunt_laws[law], "start.speed=35", NULL, 200.0);
        (void)hunt(ELASTIC, &hunt_laws[law], "start.speed=35", "variant=tare", 120.0);
    }
}

static void hunting_gives_the_same_bits_twice(void **state)
{
    (void)state;
    const journey a = hunt(ELASTIC, &hunt_laws[2], "start.speed=35", NULL, 200.0);
    const journey b = hunt(ELASTIC, &hunt_laws[2], "start.speed=35", NULL, 200.0);
    assert_true(a.fingerprint == b.fingerprint);
    assert_int_equal(a.statistics.steps, b.statistics.steps);
}

// A limit cycle from flange to flange above some 30 m/s; below it a swing dies away.
static void fast_it_hunts_for_ever_and_slow_it_does_not(void **state)
{
    (void)state;
    const journey fast = hunt_for_ever(ELASTIC, CONTACT "creep=Polach", "start.speed=35");
    assert_true(fast.late_swing > 5e-3 && fast.late_swing < 7e-3);
    const journey slow = hunt_for_ever(ELASTIC, CONTACT "creep=Polach", "start.speed=20");
    check_below(slow.late_swing, 2e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_law_arrives),
        cmocka_unit_test(hunting_gives_the_same_bits_twice),
        cmocka_unit_test(fast_it_hunts_for_ever_and_slow_it_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
