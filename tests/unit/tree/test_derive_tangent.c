// SPDX-License-Identifier: MIT
// Tangents of links, and derivatives of rates of coordinates, against complex steps through straight kinematics.

#include "oracle.h"
#include "tree_random.h"

#include "tree/derive.h"

enum { TREES = 60, LINKS = 9 };

static kane_vec3 part(oracle_vec a)
{
    return kv3(cimag(a.x[0]) / ORACLE_STEP, cimag(a.x[1]) / ORACLE_STEP, cimag(a.x[2]) / ORACLE_STEP);
}

// Rotation from the change of a matrix: half the sum of axis x change.
static kane_vec3 turned(const oracle_link *s)
{
    kane_vec3 sum = kv3_zero();
    for (int c = 0; c < 3; c++) {
        const oracle_vec x  = oracle_column(&s->R, c);
        const kane_vec3 now = kv3(creal(x.x[0]), creal(x.x[1]), creal(x.x[2]));
        sum                 = kv3_add_scaled(sum, 0.5, kv3_cross(now, part(x)));
    }
    return sum;
}

static void check_state(const random_tree *s, const kane_derive_map *map, const kane_derive_work *scratch, int state)
{
    static oracle_link moved[ORACLE_LINKS];
    oracle_number q[ORACLE_FREEDOMS], v[ORACLE_FREEDOMS], v_dot[ORACLE_FREEDOMS];
    const oracle o = {.tree = &s->tree, .bases = &s->base, .t = s->work.t};
    for (int i = 0; i < s->tree.q_count; i++)
        q[i] = s->work.q[i] + (i == state ? ORACLE_IMAGINARY : 0.0);
    for (int i = 0; i < s->tree.v_count; i++) {
        v[i]     = s->work.v[i] + (s->tree.q_count + i == state ? ORACLE_IMAGINARY : 0.0);
        v_dot[i] = s->work.v_dot[i];
    }
    oracle_move(&o, q, v, v_dot, moved);
    for (int i = 0; i < s->tree.link_count; i++) {
        const kane_link_tangent tangent = kane_tree_tangent(map, scratch, &s->work, &s->base, state, i);
        check_vec3(tangent.turn, turned(&moved[i]), 1e-13);
        check_vec3(tangent.shift, part(moved[i].r), 1e-13);
        check_vec3(tangent.v, part(moved[i].v), 1e-12);
        check_vec3(tangent.w, part(moved[i].w), 1e-12);
        check_vec3(tangent.a, part(moved[i].a), 1e-10);
        check_vec3(tangent.al, part(moved[i].al), 1e-10);
    }
}

// Rates of all coordinates: what the map says, and nothing that it does not.
static void check_rates(const random_tree *s, const kane_derive_map *map, const kane_derive_work *scratch)
{
    static double matrix[2 * ORACLE_FREEDOMS][ORACLE_FREEDOMS];
    const kane_rates_map *rates = kane_rates_map_create(map, s->arena);
    assert_non_null(rates);
    double *values = kane_arena_doubles(s->arena, kane_rates_map_values(rates) + 1);
    assert_non_null(values);
    kane_tree_derive_rates(rates, scratch, &s->work, &s->base, values);
    memset(matrix, 0, sizeof matrix);
    const kane_rate_row *row = kane_rates_map_rows(rates);
    for (int i = 0; i < s->tree.q_count; i++)
        for (int k = 0; k < row[i].column_count; k++)
            matrix[row[i].columns[k]][i] = values[row[i].at + (size_t)k];
    const oracle o = {.tree = &s->tree, .bases = &s->base, .t = s->work.t};
    for (int state = 0; state < s->tree.q_count + s->tree.v_count; state++) {
        oracle_number q[ORACLE_FREEDOMS], v[ORACLE_FREEDOMS], q_dot[ORACLE_FREEDOMS];
        for (int i = 0; i < s->tree.q_count; i++)
            q[i] = s->work.q[i] + (i == state ? ORACLE_IMAGINARY : 0.0);
        for (int i = 0; i < s->tree.v_count; i++)
            v[i] = s->work.v[i] + (s->tree.q_count + i == state ? ORACLE_IMAGINARY : 0.0);
        oracle_rates(&o, q, v, q_dot);
        for (int i = 0; i < s->tree.q_count; i++)
            check_near(matrix[state][i], cimag(q_dot[i]) / ORACLE_STEP, 1e-11);
    }
}

CHECK_TEST(tangents_and_rates_are_exact)
{
    static random_tree s;
    for (unsigned seed = 1; seed <= TREES; seed++) {
        random_create(&s, seed, 1 + (int)seed % LINKS, seed % 2 == 0);
        const kane_links all = {0, s.tree.link_count};
        for (int i = 0; i < s.tree.v_count; i++)
            s.work.v_dot[i] = random_one(&s);
        kane_tree_accelerate(&s.tree, all, &s.work);
        kane_derive_map *map      = kane_derive_map_create(&s.tree, NULL, 0, NULL, 0, s.arena);
        kane_derive_work *scratch = kane_derive_work_create(map, s.arena);
        assert_non_null(scratch);
        kane_derive_move(map, scratch, &s.work, &s.base);
        for (int x = 0; x < s.tree.q_count + s.tree.v_count; x++)
            check_state(&s, map, scratch, x);
        check_rates(&s, map, scratch);
        random_free(&s);
    }
}

CHECK_MAIN(NULL, NULL)
