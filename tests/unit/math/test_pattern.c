// SPDX-License-Identifier: MIT
// Sparsity patterns: sorted columns, each entry once, the diagonal always there.

#include "check.h"

#include "math/sparse.h"

CHECK_TEST(a_pattern_is_what_was_added_and_the_diagonal)
{
    static const int columns[] = {0, 2, 5, 7, 8}, rows[] = {0, 3, 0, 1, 2, 0, 2, 3};
    kane_pattern_entries *e = kane_pattern_begin(4);
    kane_pattern_add(e, 2, 1);
    kane_pattern_add(e, 3, 0);
    kane_pattern_add(e, 0, 1);
    kane_pattern_add(e, 2, 1); // twice
    kane_pattern_add(e, 0, 2);
    kane_pattern *p = kane_pattern_finish(e);
    assert_non_null(p);
    assert_int_equal(p->size, 4);
    assert_int_equal(p->count, 8);
    assert_memory_equal(p->column_start, columns, sizeof columns);
    assert_memory_equal(p->row, rows, sizeof rows);
    assert_int_equal(kane_pattern_find(p, 3, 0), 1);
    assert_int_equal(kane_pattern_find(p, 0, 2), 5);
    assert_int_equal(kane_pattern_find(p, 1, 0), -1);
    assert_int_equal(kane_pattern_find(p, 0, 3), -1);
    kane_pattern_free(p);
}

CHECK_TEST(blocks_grow_beyond_the_first_room)
{
    enum { SIZE = 40 };
    kane_pattern_entries *e = kane_pattern_begin(SIZE);
    kane_pattern_add_block(e, 3, 30, 5, 20);
    kane_pattern *p = kane_pattern_finish(e);
    for (int j = 0; j < SIZE; j++)
        for (int i = 0; i < SIZE; i++) {
            const int in = i == j || (i >= 3 && i < 33 && j >= 5 && j < 25), at = kane_pattern_find(p, i, j);
            assert_int_equal(at >= 0, in);
            if (in)
                assert_int_equal(p->row[at], i);
        }
    assert_int_equal(p->column_start[SIZE], p->count);
    kane_pattern_free(p);
    kane_pattern_free(NULL);
}

CHECK_MAIN(NULL, NULL)
