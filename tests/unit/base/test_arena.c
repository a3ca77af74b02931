// SPDX-License-Identifier: MIT
// Arenas: alignment, zeros, overflow, growth, and every allocation failing in turn.

#include "allocation.h"

#include "check.h"

#include "base/arena.h"

CHECK_TEST(pieces_are_zero_and_aligned_and_apart)
{
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    assert_non_null(arena);
    unsigned char *last = NULL;
    size_t last_size    = 0;
    for (size_t size = 0; size < 3000; size += 7) {
        unsigned char *p = kane_arena_alloc(arena, size, 1);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xFF, size);
        if (last && p > last)
            assert_true(p >= last + last_size);
        for (size_t i = 0; i < last_size; i++)
            assert_int_equal(last[i], 0xFF);
        last      = p;
        last_size = size;
    }
}

CHECK_TEST(doubles_lie_on_cache_lines)
{
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    for (size_t n = 0; n < 2000; n += 13) {
        (void)kane_arena_text(arena, "odd");
        double *d = kane_arena_doubles(arena, n);
        assert_non_null(d);
        assert_int_equal((uintptr_t)d % 64, 0);
        for (size_t i = 0; i < n; i++) {
            assert_true(d[i] == 0.0);
            d[i] = 1.0;
        }
    }
}

CHECK_TEST(products_that_overflow_are_refused)
{
    kane_arena *arena = kane_arena_create();
    assert_false(kane_arena_failed(arena));
    assert_null(kane_arena_alloc(arena, SIZE_MAX / 4, 5));
    assert_null(kane_arena_alloc(arena, SIZE_MAX, 1));
    assert_null(kane_arena_doubles(arena, SIZE_MAX / 8));
    assert_true(kane_arena_failed(arena));
    assert_non_null(kane_arena_alloc(arena, 1, 1));            // and life goes on
    assert_null(kane_arena_alloc(arena, SIZE_MAX / 2 + 2, 2)); // would be 2 bytes
    kane_arena_free(arena);
    assert_null(kane_allocate(SIZE_MAX / 4, 5));
    assert_null(kane_allocate(SIZE_MAX / 2 + 2, 2));
}

CHECK_TEST(texts_are_copied)
{
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    char typed[]                   = "wheelset";
    char *whole = kane_arena_text(arena, typed), *part = kane_arena_text_part(arena, typed, 5);
    typed[0] = 'X';
    assert_string_equal(whole, "wheelset");
    assert_string_equal(part, "wheel");
    assert_string_equal(kane_arena_text(arena, ""), "");
}

CHECK_TEST(large_and_small_pieces_live_together)
{
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    char *small                    = kane_arena_text(arena, "small");
    char *large                    = kane_arena_alloc(arena, 5000000, 1);
    assert_non_null(large);
    large[4999999] = 1;
    assert_string_equal(small, "small");
}

CHECK_TEST(nothing_is_a_thing_to_free)
{
    kane_arena_free(NULL);
    kane_release(NULL);
}

CHECK_TEST(an_arena_of_pieces_asks_for_each_of_them)
{
    allocation_fail_at(0);
    kane_arena *arena = kane_arena_create_sized(1);
    for (int i = 0; i < 10; i++)
        (void)kane_arena_alloc(arena, 8, 8);
    kane_arena_free(arena);
    assert_false(allocation_stop());
    assert_int_equal(allocation_count(), 11);
}

CHECK_TEST(the_kth_allocation_that_fails_is_seen)
{
    int k = 1;
    for (;; k++) {
        allocation_fail_at(k);
        kane_arena *arena = kane_arena_create_sized(1);
        int missing       = 0;
        for (int i = 0; arena && i < 5; i++)
            missing += kane_arena_alloc(arena, 8, 8) == NULL;
        const int failed = allocation_stop();
        assert_int_equal(missing, failed && arena ? 1 : 0);
        if (arena)
            assert_int_equal(kane_arena_failed(arena), missing);
        kane_arena_free(arena);
        if (!failed)
            break;
    }
    assert_int_equal(k, 7);
}

CHECK_MAIN(NULL, NULL)
