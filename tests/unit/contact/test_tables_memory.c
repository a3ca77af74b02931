// SPDX-License-Identifier: MIT
// Contacts whose tables are shared, when memory is short: an error, nothing lost, and the store works as before.

#include "allocation.h"

#include "check.h"

#include <kane/contact.h>

static kane_contact_definition cone_on_round(kane_tables *tables, const kane_profile *cone, const kane_profile *round)
{
    kane_contact_definition d = kane_contact_definition_default();
    d.wheel[0]                = cone;
    d.rail[0]                 = round;
    d.tables                  = tables;
    return d;
}

CHECK_TEST(every_allocation_may_fail)
{
    const kane_profile cone = kane_profile_cone(0.05), round = kane_profile_round(0.3);
    int k = 1;
    for (;; k++) {
        CHECK_ERRORS errors             = {0};
        kane_tables *tables             = kane_tables_create(KANE_TABLES_USUAL);
        const kane_contact_definition d = cone_on_round(tables, &cone, &round);
        allocation_fail_at(k);
        kane_contact *c  = kane_contact_create(&d, &errors);
        const int failed = allocation_stop();
        assert_int_equal(c == NULL, failed);
        assert_int_equal(errors.count > 0, failed);
        if (failed)
            assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_NO_MEMORY);
        kane_contact *again = kane_contact_create(&d, NULL);
        assert_non_null(again);
        kane_contact_free(again);
        kane_contact_free(c);
        kane_tables_free(tables);
        if (!failed)
            break;
    }
    assert_true(k > 6); // key, table, contact, scratch memory; of two tables
}

CHECK_TEST(a_guide_may_fail)
{
    const kane_profile cone = kane_profile_cone(0.05), round = kane_profile_round(0.3);
    CHECK_OWNED(kane_tables) *tables = kane_tables_create(KANE_TABLES_USUAL);
    const kane_contact_definition d  = cone_on_round(tables, &cone, &round);
    CHECK_OWNED(kane_contact) *c     = kane_contact_create(&d, NULL);
    int k                            = 1;
    for (;; k++) {
        CHECK_ERRORS errors = {0};
        allocation_fail_at(k);
        kane_wheelset_table *g = kane_wheelset_table_create(c, &errors);
        const int failed       = allocation_stop();
        assert_int_equal(g == NULL, failed);
        if (failed)
            assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_NO_MEMORY);
        kane_wheelset_table_free(g);
        if (!failed)
            break;
    }
    assert_true(k > 1);
}

CHECK_TEST(no_store_is_no_error)
{
    allocation_fail_at(1);
    CHECK_OWNED(kane_tables) *tables = kane_tables_create(KANE_TABLES_USUAL);
    assert_true(allocation_stop());
    assert_null(tables);
}

CHECK_MAIN(NULL, NULL)
