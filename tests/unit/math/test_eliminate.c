// SPDX-License-Identifier: MIT
// Elimination of sparse rectangular equations: the pivots of a dense one to the last bit, rank, and combinations of
// rows.

#include "check.h"

#include "math/dense.h"
#include "math/statistics.h"

enum { ROWS = 24, COLUMNS = 18 };

static void take(kane_elimination *e, int rows, int columns, const double *A)
{
    kane_elimination_begin(e);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            if (A[i * columns + j] != 0.0)
                kane_elimination_add(e, i, j, A[i * columns + j]);
}

static void exchange(int *order, int a, int b)
{
    const int x = order[a];
    order[a]    = order[b];
    order[b]    = x;
}

// The same as it stands in eliminate.h, by plain loops over a dense matrix.
static int eliminate_plainly(int rows, int columns, double *A, int *row, int *column, int done, int end, int most,
                             double small, double prefer)
{
    for (; done < most && done < end && done < columns; done++) {
        int best[ROWS], at = end;
        double greatest = small;
        for (int i = done; i < end; i++) {
            best[i] = done;
            for (int j = done + 1; j < columns; j++)
                if (fabs(A[row[i] * columns + column[j]]) > fabs(A[row[i] * columns + column[best[i]]]))
                    best[i] = j;
            greatest = fmax(greatest, fabs(A[row[i] * columns + column[best[i]]]));
        }
        for (int i = done; i < end; i++) {
            const double x = fabs(A[row[i] * columns + column[best[i]]]);
            if (x > small && x >= prefer * greatest && (at == end || row[i] < row[at]))
                at = i;
        }
        if (at == end)
            break;
        exchange(column, done, best[at]);
        exchange(row, done, at);
        const double *from = A + row[done] * columns;
        for (int i = done + 1; i < rows; i++) {
            double *to     = A + row[i] * columns;
            const double l = to[column[done]] / from[column[done]];
            for (int j = done + 1; j < columns && l != 0.0; j++)
                to[column[j]] -= l * from[column[j]];
            to[column[done]] = 0.0;
        }
    }
    return done;
}

// Few entries, many of them alike; some rows are sums of two others.
static void fill(kane_random *r, double *A)
{
    for (int i = 0; i < ROWS * COLUMNS; i++)
        A[i] = kane_random_even(r) < 0.2 ? 0.25 * floor(9.0 * kane_random_even(r) - 4.0) : 0.0;
    for (int i = 4; i < ROWS; i += 5)
        for (int j = 0; j < COLUMNS; j++)
            A[i * COLUMNS + j] = A[(i - 1) * COLUMNS + j] - 2.0 * A[(i - 4) * COLUMNS + j];
}

static void count_up(int count, int *order)
{
    for (int i = 0; i < count; i++)
        order[i] = i;
}

// In two stages: of the first rows alone, then of all. Room for few entries grows.
CHECK_TEST(pivots_are_those_of_a_dense_elimination)
{
    kane_elimination *e = kane_elimination_create(ROWS, COLUMNS, 8);
    kane_random r       = kane_random_start(5, 0);
    assert_non_null(e);
    for (int trial = 0; trial < 300; trial++) {
        double A[ROWS * COLUMNS], dense[ROWS * COLUMNS];
        int row[ROWS], column[COLUMNS], row_d[ROWS], column_d[COLUMNS];
        const double prefer = 0.1 + 0.9 * kane_random_even(&r);
        const int part      = 5 + (int)(15.0 * kane_random_even(&r));
        fill(&r, A);
        memcpy(dense, A, sizeof dense);
        take(e, ROWS, COLUMNS, A);
        count_up(ROWS, row);
        count_up(ROWS, row_d);
        count_up(COLUMNS, column);
        count_up(COLUMNS, column_d);
        int done   = kane_eliminate(e, row, column, 0, part, ROWS, 1e-9, prefer);
        int done_d = eliminate_plainly(ROWS, COLUMNS, dense, row_d, column_d, 0, part, ROWS, 1e-9, prefer);
        assert_int_equal(done, done_d);
        done   = kane_eliminate(e, row, column, done, ROWS, ROWS, 1e-9, prefer);
        done_d = eliminate_plainly(ROWS, COLUMNS, dense, row_d, column_d, done_d, ROWS, ROWS, 1e-9, prefer);
        assert_false(kane_elimination_lacks_memory(e));
        assert_int_equal(done, done_d);
        assert_memory_equal(row, row_d, sizeof row);
        assert_memory_equal(column, column_d, sizeof column);

        for (int i = done; i < ROWS; i++) { // rows that got no pivot are sums of those that did
            double z[COLUMNS + 1], sum[COLUMNS] = {0.0};
            int rows[COLUMNS + 1];
            const int count = kane_elimination_combine(e, row[i], rows, z);
            assert_int_equal(rows[0], row[i]);
            check_near(z[0], 1.0, 0.0);
            for (int k = 0; k < count; k++)
                for (int j = 0; j < COLUMNS; j++)
                    sum[j] += z[k] * A[rows[k] * COLUMNS + j];
            for (int j = 0; j < COLUMNS; j++)
                check_near(sum[j], 0.0, 1e-10);
        }
    }
    kane_elimination_free(e);
    kane_elimination_free(NULL);
}

// Rank of rows that repeat each other, and the earlier of two that are alike.
CHECK_TEST(earlier_rows_are_preferred)
{
    static const double A[4 * 3] = {1.0, 2.0, 0.0, 2.0, 4.0, 0.0, 0.0, 0.5, 1.0, 1.0, 2.5, 1.0};
    int row[4] = {0, 1, 2, 3}, column[3] = {0, 1, 2};
    kane_elimination *e = kane_elimination_create(4, 3, 12);
    assert_non_null(e);
    take(e, 4, 3, A);
    assert_int_equal(kane_eliminate(e, row, column, 0, 4, 4, 1e-12, 0.1), 2);
    assert_int_equal(row[0], 0); // half as great as row 1
    assert_int_equal(column[0], 1);

    int row_b[4] = {0, 1, 2, 3}, column_b[3] = {0, 1, 2};
    take(e, 4, 3, A); // first rows 0 and 1 only, then the others
    const int first = kane_eliminate(e, row_b, column_b, 0, 2, 2, 1e-12, 0.9);
    assert_int_equal(first, 1);
    assert_int_equal(row_b[0], 1); // the greatest
    assert_int_equal(kane_eliminate(e, row_b, column_b, first, 4, 4, 1e-12, 0.9), 2);
    kane_elimination_free(e);
}

// No rows, no columns.
CHECK_TEST(nothing_has_no_rank)
{
    for (int size = 0; size < 2; size++) {
        int row[1] = {0}, column[1] = {0};
        kane_elimination *e = kane_elimination_create(size, 1 - size, 0);
        assert_non_null(e);
        kane_elimination_begin(e);
        assert_int_equal(kane_eliminate(e, row, column, 0, size, size, 0.0, 0.1), 0);
        kane_elimination_free(e);
    }
}

CHECK_MAIN(NULL, NULL)
