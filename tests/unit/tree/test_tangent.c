// SPDX-License-Identifier: MIT
// Changes of motion, equations and rates in every direction of the state against complex steps of the oracle.

#include "oracle.h"
#include "tree_random.h"

#include "tree/tangent.h"

enum { TREES = 60, LINKS = 9 };

typedef struct change {
    double Theta[ORACLE_FREEDOMS * ORACLE_FREEDOMS];
    kane_wrench joint[RANDOM_LINKS], none[RANDOM_LINKS], scratch[RANDOM_LINKS];
    kane_link_tangent tangent[RANDOM_LINKS];
    kane_spatial inertia[RANDOM_LINKS];
    int links[RANDOM_LINKS], place[ORACLE_FREEDOMS];
    double dq[ORACLE_FREEDOMS], dv[ORACLE_FREEDOMS], missing[ORACLE_FREEDOMS];
} change;

static void prepare(random_tree *s, change *c)
{
    const kane_links all = {0, s->tree.link_count};
    *c                   = (change){0};
    for (int i = 0; i < s->tree.link_count; i++)
        c->links[i] = i;
    for (int i = 0; i < s->tree.v_count; i++)
        c->place[i] = i;
    kane_tree_theta(&s->tree, all.end, c->links, c->place, s->tree.v_count, &s->work, c->inertia, c->Theta);
    assert_int_equal(kane_tree_solve(&s->tree, all, &s->work), -1);
    kane_tree_transmit(&s->tree, all, &s->work, c->none, c->joint);
}

// d(v_dot) = -Theta^-1 d(Theta v_dot - f)
static void solve(const random_tree *s, const change *c, double *out)
{
    static oracle_number A[ORACLE_FREEDOMS][ORACLE_FREEDOMS];
    oracle_number b[ORACLE_FREEDOMS];
    const int n = s->tree.v_count;
    for (int i = 0; i < n; i++) {
        b[i] = -c->missing[i];
        for (int j = 0; j < n; j++)
            A[i][j] = c->Theta[i * n + j];
    }
    oracle_eliminate(n, A, b);
    for (int i = 0; i < n; i++)
        out[i] = creal(b[i]);
}

static double slope(oracle_number x)
{
    return cimag(x) / ORACLE_STEP;
}

static void check_direction(random_tree *s, change *c, int state)
{
    const oracle o                   = {.tree = &s->tree, .bases = &s->base, .t = s->work.t};
    oracle_number q[ORACLE_FREEDOMS] = {0}, v[ORACLE_FREEDOMS] = {0}, v_dot[ORACLE_FREEDOMS], q_dot[ORACLE_FREEDOMS];
    double found[ORACLE_FREEDOMS], rates[7], size = 1.0;
    const int is_speed = state >= s->tree.q_count, n = s->tree.v_count;
    memset(c->dq, 0, sizeof c->dq);
    memset(c->dv, 0, sizeof c->dv);
    *(is_speed ? &c->dv[state - s->tree.q_count] : &c->dq[state]) = 1.0;
    for (int i = 0; i < s->tree.q_count; i++)
        q[i] = s->work.q[i] + c->dq[i] * ORACLE_STEP * _Complex_I;
    for (int i = 0; i < n; i++)
        v[i] = s->work.v[i] + c->dv[i] * ORACLE_STEP * _Complex_I;
    oracle_solve(&o, q, v, v_dot);
    oracle_rates(&o, q, v, q_dot);

    const kane_links all = {0, s->tree.link_count};
    kane_tree_tangent(&s->tree, all, &s->base, &s->work, c->dq, c->dv, c->tangent);
    kane_tree_tangent_forces(&s->tree, all, &s->work, c->joint, c->none, c->dq, c->tangent, c->scratch, c->missing);
    solve(s, c, found);
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(slope(v_dot[i])));
    for (int i = 0; i < n; i++)
        check_near(found[i], slope(v_dot[i]), 1e-10 * size);
    for (int i = 0; i < s->tree.link_count; i++) {
        kane_tree_tangent_rates(&s->tree, i, &s->base, &s->work, c->dq, c->dv, c->tangent, rates);
        for (int k = 0; k < s->links[i].q_count; k++)
            check_near(rates[k], slope(q_dot[s->links[i].q + k]), 1e-10 * size);
    }
}

// Whether a state is one that can change.
static int is_free(const random_tree *s, int state)
{
    for (int i = 0; i < s->tree.link_count; i++)
        for (int k = 0; k < s->links[i].step_count && s->links[i].kind == KANE_LINK_STEPS; k++)
            if (s->links[i].step[k].q == state)
                return s->links[i].step[k].mode == KANE_STEP_FREE;
    return 1;
}

static void every_direction_is_that_of_complex_steps(void **state)
{
    static random_tree s;
    static change c;
    (void)state;
    for (unsigned seed = 1; seed <= TREES; seed++) {
        random_create(&s, seed, 1 + (int)seed % LINKS, seed % 2 == 0);
        prepare(&s, &c);
        for (int x = 0; x < s.tree.q_count + s.tree.v_count; x++)
            if (is_free(&s, x))
                check_direction(&s, &c, x);
        random_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_direction_is_that_of_complex_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
