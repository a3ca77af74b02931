// SPDX-License-Identifier: MIT
// Memory of clusters: every allocation may fail, and evaluations make none.

#include "allocation.h"

#include "mechanism_samples.h"

// Whatever fails while a cluster and its room are made, nothing leaks and nothing is half there.
CHECK_TEST(every_allocation_may_fail)
{
    CHECK_END(mechanism_free) mechanism m = {0};
    int failed                            = 0;
    sample_four_bar(&m, KANE_FORM_MULTIPLIERS, KANE_CONSTRAINT_REVOLUTE);
    for (int k = 1;; k++) {
        kane_cluster cluster       = {.link_count    = m.cluster.link_count,
                                      .links         = m.links,
                                      .closure_count = m.closure_count,
                                      .closures      = m.closures,
                                      .form          = KANE_FORM_MULTIPLIERS};
        kane_cluster_work *scratch = NULL;
        allocation_fail_at(k);
        kane_arena *arena = kane_arena_create_sized(1);
        if (arena && kane_cluster_prepare(&m.s.tree, &cluster, arena))
            scratch = kane_cluster_work_create(&m.context, &cluster, arena);
        const int has_failed = allocation_stop();
        assert_true(has_failed == !scratch);
        kane_cluster_work_free(scratch);
        kane_arena_free(arena);
        if (!has_failed)
            break;
        failed++;
    }
    assert_true(failed > 30);
}

CHECK_TEST(an_assembly_says_that_memory_is_short)
{
    CHECK_END(mechanism_free) mechanism m = {0};
    int failed                            = 0;
    sample_four_bar(&m, KANE_FORM_COEFFICIENTS, KANE_CONSTRAINT_SPHERICAL);
    for (int k = 1; k < 16; k++) { // those of the assembly itself
        allocation_fail_at(k);
        kane_cluster_assemble(&m.cluster, m.scratch, m.held_q, m.held_v, &m.assembly);
        if (!allocation_stop())
            break;
        assert_true(m.assembly.no_memory || m.assembly.solved);
        failed += m.assembly.no_memory;
    }
    assert_true(failed > 0);
}

// Steps through many positions: pivots that were chosen at the start are good all the way.
CHECK_TEST(evaluations_ask_for_no_memory)
{
    for (int i = 0; i < 6; i++) {
        CHECK_END(mechanism_free) mechanism m = {0};
        const kane_constraint_form form       = i % 2 == 0 ? KANE_FORM_COEFFICIENTS : KANE_FORM_MULTIPLIERS;
        if (i < 2)
            sample_bricard(&m, form);
        else if (i < 4)
            sample_spatial(&m, form);
        else
            sample_rockers(&m, form, 2);
        assert_true(mechanism_assemble(&m));
        assert_true(mechanism_step(&m, 1e-3));
        allocation_fail_at(0);
        for (int step = 0; step < 3000; step++)
            assert_true(mechanism_step(&m, 1e-3));
        const int count = (allocation_stop(), allocation_count());
        assert_int_equal(count, 0);
    }
}

CHECK_MAIN(NULL, NULL)
