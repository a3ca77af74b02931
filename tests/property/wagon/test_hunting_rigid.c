// SPDX-License-Identifier: MIT
// Hunting of wheelsets that rails guide, as constraints and by tables, with every creep law.

#include "property/wagon/hunt.h"

#define CONSTRAINT CONTACT "model=constraint"
#define TABLES     CONTACT "model=table"

CHECK_TEST(every_law_arrives_with_constraints)
{
    journey last;
    for (int law = 0; law < HUNT_LAWS; law++) {
        last = hunt(CONSTRAINT, &hunt_laws[law], "start.speed=35", NULL, 110.0);
        if (law % 2)
            (void)hunt(CONSTRAINT, &hunt_laws[law], "start.speed=20", "variant=tare", 70.0);
    }
    const journey again = hunt(CONSTRAINT, &hunt_laws[HUNT_LAWS - 1], "start.speed=35", NULL, 110.0);
    assert_true(again.fingerprint == last.fingerprint); // the same bits twice
    assert_int_equal(again.statistics.steps, last.statistics.steps);
}

CHECK_TEST(every_law_arrives_with_tables)
{
    for (int law = 0; law < HUNT_LAWS; law++) {
        (void)hunt(TABLES, &hunt_laws[law], "start.speed=20", "variant=tare", 70.0);
        (void)hunt(TABLES, &hunt_laws[law], "start.speed=35", NULL, 110.0);
    }
}

// The limit cycle of the elastic contact (test_hunting.c) is that of the rigid one.
CHECK_TEST(fast_it_hunts_for_ever)
{
    const journey c = hunt_for_ever(CONSTRAINT, CONTACT "creep=Polach", "start.speed=27");
    const journey t = hunt_for_ever(TABLES, CONTACT "creep=Polach", "start.speed=27");
    assert_true(c.late_swing > 4e-3 && c.late_swing < 7e-3);
    check_near(t.late_swing, c.late_swing, 3e-4);
}

CHECK_MAIN(NULL, NULL)
