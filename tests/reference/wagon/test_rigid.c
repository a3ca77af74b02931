// SPDX-License-Identifier: MIT
// Rigid wheels on rigid rails, whose forces are multipliers, against plain code in axes at rest with elastic ones
// (tests/oracle). Both differ by what the oracle's wheels give way: .12 mm in height, and where one bears more than the
// other in roll. On lines without kinks, where rigid wheels would be struck, that is all.

#include "reference/wagon/both.h"

static void rigid(const char *name, kane_contact_model contact_model, plain_cant_axis axis)
{
    contrast c[FORMULATIONS];
    const bounds most = {2e-6, 2e-4, 4e-5, 100.0};
    const journey j   = {.name          = name,
                         .shape         = PLAIN_BLOSS,
                         .cant_axis     = axis,
                         .curvature     = 1.0 / 900.0,
                         .cant          = 0.1,
                         .transition    = 50.0,
                         .contact_model = contact_model,
                         .speed         = 18.0,
                         .acceleration  = 0.5,
                         .until         = 7.0};
    both_compare(&j, most, c);
    assert_true(c->largest_Q - c->least_Q > 25e3);
    for (int f = 0; f < FORMULATIONS; f++) {
        check_near(c[f].y, 0.0, 2e-5);
        check_near(c[f].yaw, 0.0, 4e-6);
        check_near(c[f].roll, 0.0, 3e-5);
        check_near(c[f].pitch, 0.0, 1e-6);
    }
}

CHECK_TEST(wheels_that_are_constrained)
{
    rigid("constraint, centre line", KANE_CONTACT_CONSTRAINT, PLAIN_CENTRE_LINE);
    rigid("constraint, inner rail", KANE_CONTACT_CONSTRAINT, PLAIN_INNER_RAIL);
}

CHECK_TEST(wheels_that_follow_tables)
{
    rigid("tables, centre line", KANE_CONTACT_TABLE, PLAIN_CENTRE_LINE);
    rigid("tables, inner rail", KANE_CONTACT_TABLE, PLAIN_INNER_RAIL);
}

CHECK_MAIN(NULL, NULL)
