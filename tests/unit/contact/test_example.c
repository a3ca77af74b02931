// SPDX-License-Identifier: MIT
// The example of docs/contact.md, apps/examples/contact_alone.c, runs.

#include "folder.h"

int contact_alone(void);
#define main contact_alone
#include "apps/examples/contact_alone.c"
#undef main

CHECK_TEST(the_example_runs)
{
    assert_int_equal(contact_alone(), 0);
}

CHECK_MAIN(NULL, NULL)
