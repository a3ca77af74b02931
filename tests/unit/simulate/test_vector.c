// SPDX-License-Identifier: MIT
// The integrator's vectors do what SUNDIALS' own do, whatever their length, also in place.

#include "check.h"

#include "simulate/sundials.h"

enum { LONGEST = 11 };

// The same numbers in a vector of ours and in one of SUNDIALS.
typedef struct both {
    N_Vector ours, theirs;
} both;

static both make(SUNContext context, int size, double seed)
{
    both b = {N_VNew_Serial(size, context), N_VNew_Serial(size, context)};
    kane_vector_set_operations(b.ours);
    for (int i = 0; i < size; i++)
        NV_Ith_S(b.ours, i) = NV_Ith_S(b.theirs, i) = seed + 0.7 * i - 0.31 * i * i;
    return b;
}

static void compare_and_destroy(both b)
{
    for (int i = 0; i < NV_LENGTH_S(b.ours); i++)
        check_near(NV_Ith_S(b.ours, i), NV_Ith_S(b.theirs, i), 1e-13);
    N_VDestroy(b.ours);
    N_VDestroy(b.theirs);
}

CHECK_TEST(sums_scales_and_norms_are_those_of_sundials)
{
    SUNContext context = kane_sundials_context();
    assert_non_null(context);
    for (int size = 1; size <= LONGEST; size++) {
        const both x = make(context, size, 1.3), y = make(context, size, -0.4), z = make(context, size, 0.0);
        N_VLinearSum(0.3, x.ours, -1.7, y.ours, z.ours);
        N_VLinearSum(0.3, x.theirs, -1.7, y.theirs, z.theirs);
        check_near(N_VWrmsNorm(z.ours, x.ours), N_VWrmsNorm(z.theirs, x.theirs), 1e-13);
        N_VLinearSum(2.0, x.ours, 0.6, y.ours, y.ours); // the result in the place of the second, then of the first
        N_VLinearSum(2.0, x.theirs, 0.6, y.theirs, y.theirs);
        N_VLinearSum(-1.0, x.ours, 0.2, z.ours, x.ours);
        N_VLinearSum(-1.0, x.theirs, 0.2, z.theirs, x.theirs);
        N_VScale(-0.9, z.ours, z.ours);
        N_VScale(-0.9, z.theirs, z.theirs);
        compare_and_destroy(x);
        compare_and_destroy(y);
        compare_and_destroy(z);
    }
    (void)SUNContext_Free(&context);
}

CHECK_TEST(clones_are_as_fast)
{
    SUNContext context = kane_sundials_context();
    assert_non_null(context);
    const both x         = make(context, LONGEST, 1.0);
    const N_Vector clone = N_VClone(x.ours);
    assert_ptr_equal(clone->ops->nvlinearsum, x.ours->ops->nvlinearsum);
    assert_ptr_not_equal(clone->ops->nvlinearsum, x.theirs->ops->nvlinearsum);
    N_VConst(0.25, clone);
    for (int i = 0; i < LONGEST; i++)
        assert_true(NV_Ith_S(clone, i) == 0.25);
    N_VDestroy(clone);
    compare_and_destroy(x);
    (void)SUNContext_Free(&context);
}

CHECK_TEST(clones_come_from_those_made_beforehand)
{
    SUNContext context             = kane_sundials_context();
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    assert_non_null(context);
    kane_vectors *all = kane_vectors_create(5, context, arena);
    assert_non_null(all);
    const N_Vector first = kane_vectors_first(all), a = N_VClone(first), b = N_VClone(a);
    N_VConst(2.0, first);
    N_VLinearSum(3.0, first, 1.0, first, a);
    N_VScale(-1.0, a, b);
    for (int i = 0; i < 5; i++)
        check_near(NV_Ith_S(b, i), -8.0, 0.0);
    N_VDestroy(a);
    assert_ptr_equal(N_VClone(b), a); // whose turn it is again
    kane_vectors_free(all);
    assert_int_equal(SUNContext_Free(&context), 0);
}

CHECK_MAIN(NULL, NULL)
