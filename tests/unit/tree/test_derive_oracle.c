// SPDX-License-Identifier: MIT
// Accelerations and rates of trees of all kinds against the oracle's.

#include "oracle.h"
#include "tree_random.h"

enum { TREES = 60, LINKS = 9 };

static void to_complex(const double *x, int count, oracle_number *out)
{
    for (int i = 0; i < count; i++)
        out[i] = x[i];
}

static void check_tree(random_tree *s)
{
    oracle_number q[ORACLE_FREEDOMS] = {0}, v[ORACLE_FREEDOMS] = {0}, v_dot[ORACLE_FREEDOMS], q_dot[ORACLE_FREEDOMS];
    const oracle o = {.tree = &s->tree, .bases = &s->base, .t = s->work.t};
    double size    = 1.0, rates[6];
    to_complex(s->work.q, s->tree.q_count, q);
    to_complex(s->work.v, s->tree.v_count, v);
    oracle_solve(&o, q, v, v_dot);
    oracle_rates(&o, q, v, q_dot);
    assert_int_equal(kane_tree_solve(&s->tree, (kane_links){0, s->tree.link_count}, &s->work), -1);
    for (int i = 0; i < s->tree.v_count; i++)
        size = fmax(size, fabs(creal(v_dot[i])));
    for (int i = 0; i < s->tree.v_count; i++)
        check_near(s->work.v_dot[i], creal(v_dot[i]), 1e-12 * size);
    for (int i = 0; i < s->tree.link_count; i++) {
        kane_tree_rates(&s->tree, i, &s->base, &s->work, rates);
        for (int k = 0; k < s->links[i].q_count; k++)
            check_near(rates[k], creal(q_dot[s->links[i].q + k]), 1e-11);
    }
}

static void accelerations_are_those_of_straight_equations(void **state)
{
    static random_tree s;
    (void)state;
    for (unsigned seed = 1; seed <= TREES; seed++) {
        random_create(&s, seed, 1 + (int)seed % LINKS, seed % 2 == 0);
        check_tree(&s);
        random_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(accelerations_are_those_of_straight_equations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
