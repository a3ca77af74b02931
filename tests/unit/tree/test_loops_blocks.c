// SPDX-License-Identifier: MIT
// Loops as joints: which dependent speeds belong together, that what carries a loop is not in its rows, that a body
// with several loops on it, one of them on a link of another, accelerates as it does where multipliers hold all of
// them, and that blocks solve what one dense matrix of all rows does.

#include "mechanism_samples.h"

#include "tree/loops_work.h"

enum { CARRIER = 6, LOOP = 3, LOOPS = 3, SPEEDS = CARRIER + LOOPS * LOOP };

// A four-bar of hinges about y on a link, its bars a little different each time.
static int add_four_bar(mechanism *m, int carrier, kane_vec3 at, double size, const char *name)
{
    const int crank =
        mechanism_hinge(m, carrier, at, 1, 2.0, rod_inertia(2.0, 0.5 * size), kv3(0.25 * size, 0.0, 0.02));
    const int coupler = mechanism_hinge(m, crank, kv3(0.5 * size, 0.0, 0.0), 1, 3.0, rod_inertia(3.0, size),
                                        kv3(0.6 * size, 0.1, -0.05));
    const int rocker  = mechanism_hinge(m, carrier, kv3_add(at, kv3(size, 0.0, 0.0)), 1, 2.5,
                                        rod_inertia(2.5, 0.9 * size), kv3(0.45 * size, -0.1, 0.0));
    (void)mechanism_close(m, name, KANE_CONSTRAINT_SPHERICAL, coupler, kv3(1.2 * size, 0.0, 0.0), rocker,
                          kv3(0.9 * size, 0.0, 0.0));
    return coupler;
}

// A body that flies with two four-bars on it, and a third on the coupler of the second.
static void build(mechanism *m, kane_constraint_form form)
{
    static const double q[SPEEDS] = {0.1, -0.2, 0.3, 0.4, -0.3, 0.2, -1.0, 0.7, -1.4, -1.1, 0.8, -1.3, -0.9, 0.6, -1.4};
    double v[SPEEDS]              = {0.5, 0.2, -0.1, 0.7, -0.4, 0.3};
    mechanism_begin(m);
    const int body = mechanism_body(m, -1, kv3_zero(), 30.0, kv3(3.0, 4.0, 5.0));
    (void)add_four_bar(m, body, kv3(0.2, 0.5, 0.1), 1.0, "first");
    const int coupler = add_four_bar(m, body, kv3(-0.4, -0.6, 0.3), 1.1, "second");
    (void)add_four_bar(m, coupler, kv3(0.1, 0.2, -0.1), 0.6, "third");
    mechanism_create(m, form);
    for (int i = 0; i < LOOPS; i++) {
        v[CARRIER + LOOP * i]         = 2.0 - i;
        m->held_q[CARRIER + LOOP * i] = m->held_v[CARRIER + LOOP * i] = 1;
    }
    mechanism_start(m, SPEEDS, q, v);
    for (int k = 0; k < CARRIER; k++)
        m->held_q[k] = m->held_v[k] = 1;
    assert_true(mechanism_assemble(m));
}

CHECK_TEST(every_loop_is_a_block)
{
    CHECK_END(mechanism_free) mechanism m = {0};
    build(&m, KANE_FORM_COEFFICIENTS);
    assert_true(mechanism_eval(&m));
    const kane_cluster_work *s = m.scratch;
    assert_int_equal(m.cluster.rank, 2 * LOOPS); // planar: the rows across say nothing new
    assert_int_equal(s->block_count, LOOPS);
    for (int k = 0; k < s->block_count; k++) {
        assert_int_equal(s->blocks[k].count, 2);
        assert_int_equal(s->blocks[k].position_count, 2);
        assert_int_equal(s->blocks[k].free_count, 1); // of its own loop
        for (int i = 0; i < 2; i++)
            assert_true(m.cluster.speeds[s->column[s->blocks[k].member[i]]] >= CARRIER);
    }
}

CHECK_TEST(rows_do_not_see_what_carries_them)
{
    CHECK_END(mechanism_free) mechanism m = {0};
    build(&m, KANE_FORM_COEFFICIENTS);
    for (int i = 0; i < LOOPS; i++) {
        const kane_cluster *c = &m.cluster;
        assert_int_equal(c->apex[i], i < 2 ? 0 : 5);
        for (int k = c->coefficient_begin[c->row_begin[i]]; k < c->coefficient_begin[c->row_begin[i + 1]]; k++) {
            assert_true(c->coefficient_speed[k] >= CARRIER + LOOP * i);
            assert_true(c->coefficient_speed[k] < CARRIER + LOOP * (i + 1));
        }
    }
}

CHECK_TEST(multipliers_accelerate_it_alike)
{
    CHECK_END(mechanism_free) mechanism m = {0}, other = {0};
    build(&m, KANE_FORM_COEFFICIENTS);
    build(&other, KANE_FORM_MULTIPLIERS);
    for (int step = 0; step < 40; step++) {
        assert_true(mechanism_step(&m, 5e-3));
        mechanism_choose(&m);
        assert_true(mechanism_eval(&m));
        memcpy(other.s.work.q, m.s.work.q, (size_t)m.s.tree.q_count * sizeof(double));
        memcpy(other.s.work.v, m.s.work.v, (size_t)m.s.tree.v_count * sizeof(double));
        mechanism_choose(&other);
        assert_true(mechanism_eval(&other));
        for (int k = 0; k < SPEEDS; k++)
            check_near(other.s.work.v_dot[k], m.s.work.v_dot[k], 1e-11 * (1.0 + fabs(m.s.work.v_dot[k])));
        const double *lambda = mechanism_multipliers(&m), *again = mechanism_multipliers(&other);
        double sum = 0.0, both = 0.0; // what redundant rows take is left out by either
        for (int i = 0; i < m.cluster.row_count; i++) {
            sum += lambda[i] * lambda[i];
            both += lambda[i] * again[i];
        }
        check_near(both, sum, 1e-9 * sum);
    }
}

// P of all rows that are used, by their numbers in use, solved without blocks.
enum { USED_MOST = 24 };

// x of P x = b, or of P' x = b, of the first `count` rows and dependent speeds.
static void solve_dense(const mechanism *m, int count, int transposed, double *b)
{
    double P[USED_MOST * USED_MOST], row[USED_MOST];
    int pivot[USED_MOST];
    for (int i = 0; i < count; i++) {
        kane_cluster_row_by_partition(m->scratch, m->scratch->row[i], count, row);
        for (int k = 0; k < count; k++)
            P[transposed ? k * count + i : i * count + k] = row[k];
    }
    assert_true(kane_lu_factor(count, P, pivot));
    kane_lu_solve(count, P, pivot, 1, b);
}

static void check_same(int count, const double *x, const double *expected)
{
    for (int i = 0; i < count; i++)
        check_near(x[i], expected[i], 1e-11 * (1.0 + fabs(expected[i])));
}

// One over the greatest of: an entry of B = -P^-1 Q in kinetic scales; a coefficient z of a redundant row, row = z'
// (rows that are used), by the sizes of both; one.
static double expected_quality(const mechanism *m)
{
    const kane_cluster *c      = &m->cluster;
    const kane_cluster_work *s = m->scratch;
    double most                = 1.0, row[USED_MOST], x[USED_MOST];
    for (int j = c->rank; j < c->v_count; j++) {
        for (int i = 0; i < c->rank; i++) {
            kane_cluster_row_by_partition(s, s->row[i], c->v_count, row);
            x[i] = -row[j];
        }
        solve_dense(m, c->rank, 0, x);
        for (int i = 0; i < c->rank; i++)
            most = fmax(most, fabs(x[i]) * s->scale[s->column[i]] / s->scale[s->column[j]]);
    }
    for (int i = c->rank; i < c->row_count; i++) {
        kane_cluster_row_by_partition(s, s->row[i], c->rank, x);
        solve_dense(m, c->rank, 1, x);
        for (int k = 0; k < c->rank; k++)
            most = fmax(most, fabs(x[k]) * c->row_scale[s->row[k]] / c->row_scale[s->row[i]]);
    }
    return 1.0 / most;
}

static void check_blocks(mechanism *m)
{
    double x[USED_MOST], expected[USED_MOST];
    kane_cluster_work *s = m->scratch;
    const int rank = m->cluster.rank, positions = m->cluster.position_rank;
    assert_true(mechanism_eval(m));
    for (int kind = 0; kind < 3; kind++) {
        const int count = kind == 2 ? positions : rank;
        for (int i = 0; i < count; i++)
            x[i] = expected[i] = sin(1.0 + 2.3 * i);
        solve_dense(m, count, kind == 1, expected);
        if (kind == 0)
            kane_blocks_solve(s, x);
        else if (kind == 1)
            kane_blocks_solve_transposed(s, x);
        else if (kane_blocks_factor_positions(s))
            kane_blocks_solve_positions(s, x);
        check_same(count, x, expected);
    }
    check_near(kane_cluster_quality(s), expected_quality(m), 1e-12);
    for (int one = 0; one < rank; one++) {
        memset(x, 0, sizeof x);
        memset(expected, 0, sizeof expected);
        expected[one]            = 1.0;
        const kane_loop_block *b = kane_blocks_solve_unit(s, one);
        for (int i = 0; i < b->count; i++)
            x[b->member[i]] = s->of_block[i];
        solve_dense(m, rank, 0, expected);
        check_same(rank, x, expected);
    }
}

// Loops side by side, one in another, in a row, in space; rows of speeds beside rows with values.
CHECK_TEST(blocks_solve_what_all_rows_say)
{
    static mechanism m;
    build(&m, KANE_FORM_COEFFICIENTS);
    check_blocks(&m);
    mechanism_free(&m);
    for (int loops = 1; loops <= 4; loops++) {
        sample_rockers(&m, KANE_FORM_COEFFICIENTS, loops);
        assert_true(mechanism_assemble(&m));
        check_blocks(&m);
        mechanism_free(&m);
    }
    sample_rockers_in_order(&m, KANE_FORM_COEFFICIENTS, 4, (const int[]){1, 3, 0, 2});
    assert_true(mechanism_assemble(&m));
    check_blocks(&m);
    assert_memory_not_equal(m.scratch->blocks[0].row, m.scratch->blocks[0].member, 8 * sizeof(int));
    mechanism_free(&m);
    sample_bricard(&m, KANE_FORM_COEFFICIENTS);
    assert_true(mechanism_assemble(&m));
    check_blocks(&m);
    mechanism_free(&m);
    sample_disc(&m, KANE_FORM_COEFFICIENTS);
    assert_true(mechanism_assemble(&m));
    assert_true(m.cluster.position_rank < m.cluster.rank);
    check_blocks(&m);
    mechanism_free(&m);
}

CHECK_MAIN(NULL, NULL)
