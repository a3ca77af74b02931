// SPDX-License-Identifier: MIT
// Loops as joints: which dependent speeds belong together, that what carries a loop is not in its rows, and that a body with several
// loops on it, one of them on a link of another, accelerates as it does where multipliers hold all of them.

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

static void every_loop_is_a_block(void **state)
{
    static mechanism m;
    (void)state;
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
    mechanism_free(&m);
}

static void rows_do_not_see_what_carries_them(void **state)
{
    static mechanism m;
    (void)state;
    build(&m, KANE_FORM_COEFFICIENTS);
    for (int i = 0; i < LOOPS; i++) {
        const kane_cluster *c = &m.cluster;
        assert_int_equal(c->apex[i], i < 2 ? 0 : 5);
        for (int k = c->coefficient_begin[c->row_begin[i]]; k < c->coefficient_begin[c->row_begin[i + 1]]; k++) {
            assert_true(c->coefficient_speed[k] >= CARRIER + LOOP * i);
            assert_true(c->coefficient_speed[k] < CARRIER + LOOP * (i + 1));
        }
    }
    mechanism_free(&m);
}

static void multipliers_accelerate_it_alike(void **state)
{
    static mechanism m, other;
    (void)state;
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
    mechanism_free(&m);
    mechanism_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_loop_is_a_block),
        cmocka_unit_test(rows_do_not_see_what_carries_them),
        cmocka_unit_test(multipliers_accelerate_it_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
