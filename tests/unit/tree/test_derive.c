// SPDX-License-Identifier: MIT
// Exact derivatives of accelerations against complex steps through straight equations.

#include "tree_random.h"
#include "tree_samples.h"
#include "tree_springs.h"

// A tree with forces, and all that its derivatives need.
typedef struct derived {
    kane_tree *tree;
    kane_tree_work *work;
    kane_moving_frame *base;
    springs springs;
    kane_wrench acting[RANDOM_LINKS];
    kane_derive_map *map;
    kane_derive_work *scratch;
    double *values;
    oracle oracle;
    oracle_number q[ORACLE_FREEDOMS], v[ORACLE_FREEDOMS];
} derived;

static void start(derived *d)
{
    static oracle_link links[ORACLE_LINKS];
    static const oracle_number none[ORACLE_FREEDOMS];
    const kane_links all = {0, d->tree->link_count};
    d->oracle = (oracle){.tree = d->tree, .bases = d->base, .t = d->work->t, .push = springs_push, .data = &d->springs};
    for (int i = 0; i < d->tree->q_count; i++)
        d->q[i] = d->work->q[i];
    for (int i = 0; i < d->tree->v_count; i++)
        d->v[i] = d->work->v[i];
    oracle_move(&d->oracle, d->q, d->v, none, links);
    springs_derive(&d->springs, links);
    kane_tree_move(d->tree, all, d->base, d->work);
    for (int i = 0; i < d->tree->link_count; i++) {
        oracle_vec F, T;
        springs_push(&d->oracle, links, i, &F, &T);
        d->acting[i].force  = kv3(creal(F.x[0]), creal(F.x[1]), creal(F.x[2]));
        d->acting[i].torque = kv3(creal(T.x[0]), creal(T.x[1]), creal(T.x[2]));
        kane_tree_apply_wrench(d->work, i, d->acting[i].force, d->acting[i].torque);
    }
}

// held: no run; rows of f - Theta v_dot.
static void create(derived *d, kane_arena *arena, int held)
{
    const kane_links all = {0, d->tree->link_count};
    springs_list(&d->springs);
    d->map = kane_derive_map_create(d->tree, &all, held ? 0 : 1, d->springs.pairs, d->springs.pair_count, arena);
    assert_non_null(d->map);
    d->scratch = kane_derive_work_create(d->map, arena);
    d->values  = kane_arena_doubles(arena, kane_derive_map_values(d->map) + 1);
    assert_non_null(d->scratch);
    assert_non_null(d->values);
}

// One column of the oracle: d(v_dot)/d(state).
static void oracle_derivative(derived *d, int state, double *out)
{
    oracle_number v_dot[ORACLE_FREEDOMS];
    oracle_number *x         = state < d->tree->q_count ? &d->q[state] : &d->v[state - d->tree->q_count];
    const oracle_number kept = *x;
    *x += ORACLE_IMAGINARY;
    oracle_solve(&d->oracle, d->q, d->v, v_dot);
    *x = kept;
    for (int i = 0; i < d->tree->v_count; i++)
        out[i] = cimag(v_dot[i]) / ORACLE_STEP;
}

// Everything the map says, and nothing that it does not.
static void gather(const derived *d, double (*matrix)[ORACLE_FREEDOMS])
{
    for (int i = 0; i < 2 * ORACLE_FREEDOMS; i++)
        for (int k = 0; k < ORACLE_FREEDOMS; k++)
            matrix[i][k] = 0.0;
    for (int g = 0; g < kane_derive_map_count(d->map); g++) {
        const kane_derived_group rows = kane_derive_map_rows(d->map, g, d->values);
        for (int i = 0; i < rows.row_count; i++)
            for (int k = 0; k < rows.column_count; k++)
                matrix[rows.columns[k]][rows.rows[i]] = rows.values[i * rows.column_count + k];
    }
}

static void check_derivatives(derived *d, double tolerance)
{
    static double matrix[2 * ORACLE_FREEDOMS][ORACLE_FREEDOMS], expected[2 * ORACLE_FREEDOMS][ORACLE_FREEDOMS];
    const int states = d->tree->q_count + d->tree->v_count;
    double size      = 1.0;
    start(d);
    assert_int_equal(kane_tree_solve(d->tree, (kane_links){0, d->tree->link_count}, d->work), -1);
    kane_tree_derive(d->map, d->scratch, d->work, d->base, d->acting, d->springs.gradients, d->values);
    gather(d, matrix);
    for (int state = 0; state < states; state++) {
        oracle_derivative(d, state, expected[state]);
        for (int i = 0; i < d->tree->v_count; i++)
            size = fmax(size, fabs(expected[state][i]));
    }
    for (int state = 0; state < states; state++)
        for (int i = 0; i < d->tree->v_count; i++)
            check_near(matrix[state][i], expected[state][i], tolerance * size);
}

// One column of the oracle: d(f - Theta v_dot)/d(state), with v_dot held.
static void oracle_change(derived *d, int state, double *out)
{
    static oracle_partial partial[ORACLE_FREEDOMS][ORACLE_LINKS];
    oracle_number v_dot[ORACLE_FREEDOMS], needed[ORACLE_FREEDOMS];
    oracle_number *x         = state < d->tree->q_count ? &d->q[state] : &d->v[state - d->tree->q_count];
    const oracle_number kept = *x;
    for (int i = 0; i < d->tree->v_count; i++)
        v_dot[i] = d->work->v_dot[i];
    *x += ORACLE_IMAGINARY;
    oracle_partials(&d->oracle, d->q, partial);
    oracle_resist(&d->oracle, partial, d->q, d->v, v_dot, needed);
    *x = kept;
    for (int i = 0; i < d->tree->v_count; i++)
        out[i] = -cimag(needed[i]) / ORACLE_STEP;
}

static void check_changes(derived *d, double tolerance)
{
    static double matrix[2 * ORACLE_FREEDOMS][ORACLE_FREEDOMS], expected[2 * ORACLE_FREEDOMS][ORACLE_FREEDOMS];
    const int states = d->tree->q_count + d->tree->v_count;
    double size      = 1.0;
    start(d);
    for (int i = 0; i < d->tree->v_count; i++)
        d->work->v_dot[i] = sin(1.0 + i);
    kane_tree_accelerate(d->tree, (kane_links){0, d->tree->link_count}, d->work);
    kane_tree_derive(d->map, d->scratch, d->work, d->base, d->acting, d->springs.gradients, d->values);
    gather(d, matrix);
    for (int state = 0; state < states; state++) {
        oracle_change(d, state, expected[state]);
        for (int i = 0; i < d->tree->v_count; i++)
            size = fmax(size, fabs(expected[state][i]));
    }
    for (int state = 0; state < states; state++)
        for (int i = 0; i < d->tree->v_count; i++)
            check_near(matrix[state][i], expected[state][i], tolerance * size);
}

static void random_springs(random_tree *s, springs *f, int count)
{
    *f = (springs){.count = count};
    for (int n = 0; n < count; n++) {
        f->spring[n].link[0] = random_below(s, s->tree.link_count);
        f->spring[n].link[1] = random_below(s, s->tree.link_count + 1) - 1;
        if (f->spring[n].link[0] == f->spring[n].link[1])
            f->spring[n].link[1] = -1;
        f->spring[n].point[0]  = random_vec3(s);
        f->spring[n].point[1]  = random_vec3(s);
        f->spring[n].stiffness = 3.0 + random_one(s);
        f->spring[n].hardening = 1.0 + random_one(s);
        f->spring[n].damping   = 1.0 + random_one(s);
        f->spring[n].turning   = 1.0 + random_one(s);
        f->spring[n].spinning  = 1.0 + random_one(s);
    }
}

static void check_random(unsigned seed, int links, int moving, int spring_count)
{
    static random_tree s;
    static derived d;
    random_create(&s, seed, links, moving);
    d = (derived){.tree = &s.tree, .work = &s.work, .base = &s.base};
    random_springs(&s, &d.springs, spring_count);
    create(&d, s.arena, 0);
    check_derivatives(&d, 1e-12);
    random_free(&s);
}

enum { TREES = 60, LINKS = 9 };

CHECK_TEST(derivatives_of_trees_are_exact)
{
    for (unsigned seed = 1; seed <= TREES; seed++)
        check_random(seed, 1 + (int)seed % LINKS, 0, 0);
}

CHECK_TEST(derivatives_in_a_moving_frame_are_exact)
{
    for (unsigned seed = 1; seed <= TREES; seed++)
        check_random(seed, 1 + (int)seed % LINKS, 1, 0);
}

CHECK_TEST(derivatives_with_forces_between_links_are_exact)
{
    for (unsigned seed = 1; seed <= TREES; seed++)
        check_random(seed, 1 + (int)seed % LINKS, seed % 2 == 0, 1 + (int)seed % 5);
}

CHECK_TEST(changes_of_forces_with_accelerations_held_are_exact)
{
    static random_tree s;
    static derived d;
    for (unsigned seed = 1; seed <= TREES; seed++) {
        random_create(&s, seed, 1 + (int)seed % LINKS, seed % 2 == 0);
        d = (derived){.tree = &s.tree, .work = &s.work, .base = &s.base};
        random_springs(&s, &d.springs, (int)seed % 4);
        create(&d, s.arena, 1);
        check_changes(&d, 1e-12);
        random_free(&s);
    }
}

// Whole trees at the beginning: a run; the others are held. Where no link cuts the tree there, 0.
static int first_trees(const kane_tree *tree)
{
    for (int end = 1; end < tree->link_count; end++) {
        int whole = 1;
        for (int i = end; i < tree->link_count; i++)
            whole &= tree->links[i].parent < 0 || tree->links[i].parent >= end;
        if (whole)
            return end;
    }
    return 0;
}

static void check_both(derived *d, int run_end)
{
    static double matrix[2 * ORACLE_FREEDOMS][ORACLE_FREEDOMS];
    double solved[ORACLE_FREEDOMS], held[ORACLE_FREEDOMS];
    start(d);
    assert_int_equal(kane_tree_solve(d->tree, (kane_links){0, d->tree->link_count}, d->work), -1);
    kane_tree_derive(d->map, d->scratch, d->work, d->base, d->acting, d->springs.gradients, d->values);
    gather(d, matrix);
    for (int state = 0; state < d->tree->q_count + d->tree->v_count; state++) {
        oracle_derivative(d, state, solved);
        oracle_change(d, state, held);
        for (int i = 0; i < d->tree->link_count; i++)
            for (int k = d->tree->links[i].v; k < d->tree->links[i].v + d->tree->links[i].v_count; k++)
                check_near(matrix[state][k], i < run_end ? solved[k] : held[k], 1e-9);
    }
}

CHECK_TEST(trees_with_constraints_beside_trees_without_are_exact)
{
    static random_tree s;
    static derived d;
    int count = 0;
    for (unsigned seed = 1; seed <= 3 * TREES; seed++) {
        random_create(&s, seed, 2 + (int)seed % LINKS, seed % 2 == 0);
        const kane_links run = {0, first_trees(&s.tree)};
        d                    = (derived){.tree = &s.tree, .work = &s.work, .base = &s.base};
        random_springs(&s, &d.springs, 4);
        springs_list(&d.springs);
        if (run.end > 0) {
            d.map     = kane_derive_map_create(&s.tree, &run, 1, d.springs.pairs, d.springs.pair_count, s.arena);
            d.scratch = kane_derive_work_create(d.map, s.arena);
            d.values  = kane_arena_doubles(s.arena, kane_derive_map_values(d.map) + 1);
            assert_non_null(d.values);
            check_both(&d, run.end);
            count++;
        }
        random_free(&s);
    }
    assert_true(count > 10);
}

static void check_sample(sample_tree *s)
{
    static derived d;
    sample_start(s);
    d = (derived){.tree = &s->tree, .work = &s->work, .base = &s->base};
    create(&d, s->arena, 0);
    check_derivatives(&d, 1e-12);
    sample_free(s);
}

CHECK_TEST(derivatives_of_l15_and_a_chain_are_exact)
{
    static sample_tree s;
    sample_l15(&s);
    check_sample(&s);
    sample_chain(&s, 20);
    check_sample(&s);
}

CHECK_MAIN(NULL, NULL)
