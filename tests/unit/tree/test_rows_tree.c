// SPDX-License-Identifier: MIT
// Rows on a tree that moves by its own coordinates and accelerates by its own equations, in a turning frame.

#include "tree_samples.h"

#include "motion.h"

// The tree of 15 bodies with seats turned anyhow, in a frame that moves anyhow.
static void turned_l15(sample_tree *s, uint64_t *seed)
{
    sample_l15(s);
    for (int i = 1; i < s->tree.link_count; i++) {
        s->links[i].seat_R = random_rotation(seed);
        s->links[i].turned = 1;
    }
    s->base = (kane_moving_frame){random_vector(seed, 30.0), random_vector(seed, 0.5), random_vector(seed, 9.0),
                                  random_vector(seed, 0.5)};
    sample_start(s);
    assert_int_equal(kane_tree_solve(&s->tree, sample_all(s), &s->work), -1);
}

static void eval(const sample_tree *s, const kane_constraint_row_set *c, kane_constraint_rows_values *out)
{
    const kane_transport none = kane_transport_rest(); // not read: all is in one frame
    kane_tree_work work       = s->work;
    kane_constraint_row_set_eval(&(kane_eval_context){&s->tree, &work, &none, &s->base}, c, 1, out);
}

// Relations see the rates and accelerations of coordinates that the tree itself gives.
CHECK_TEST(coordinates_of_rows_are_those_of_the_tree)
{
    static sample_tree s;
    uint64_t seed = 31;
    turned_l15(&s, &seed);
    for (int link = 0; link < s.tree.link_count; link++) {
        double rate[6], second[6];
        kane_tree_rates(&s.tree, link, &s.base, &s.work, rate);
        kane_tree_accelerations(&s.tree, link, &s.base, &s.work, second);
        for (int i = 0; i < s.links[link].q_count; i++) {
            kane_constraint_row_set c = {.kind = KANE_CONSTRAINT_LINEAR, .term_count = 1, .term = {{link, i, 1.0}}};
            kane_constraint_rows_values out;
            kane_constraint_row_set_count(&c);
            eval(&s, &c, &out);
            check_near(out.value[0], s.work.q[s.links[link].q + i], 0.0);
            check_near(out.rate[0], rate[i], 1e-13);
            check_near(out.acceleration[0], second[i], 1e-11);
        }
    }
    sample_free(&s);
}

// Values and rates of a closure after a short time h along the rates and accelerations of the tree.
static void later(sample_tree *s, const kane_constraint_row_set *c, const double *q_dot, double h,
                  kane_constraint_rows_values *out)
{
    double q[L15_FREEDOMS], v[L15_FREEDOMS];
    memcpy(q, s->work.q, sizeof q);
    memcpy(v, s->work.v, sizeof v);
    for (int i = 0; i < L15_FREEDOMS; i++) {
        s->work.q[i] += h * q_dot[i];
        s->work.v[i] += h * s->work.v_dot[i];
    }
    kane_tree_move(&s->tree, sample_all(s), &s->base, &s->work);
    eval(s, c, out);
    memcpy(s->work.q, q, sizeof q);
    memcpy(s->work.v, v, sizeof v);
}

CHECK_TEST(closures_follow_the_tree)
{
    static const kane_constraint_kind kinds[] = {KANE_CONSTRAINT_WELD,      KANE_CONSTRAINT_DISTANCE,
                                                 KANE_CONSTRAINT_UNIVERSAL, KANE_CONSTRAINT_CURVE,
                                                 KANE_CONSTRAINT_ROLLING,   KANE_CONSTRAINT_KNIFE};
    static sample_tree s;
    uint64_t seed   = 32;
    const double h  = 1e-4;
    const int two[] = {3, 13}; // motors of both bogies
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        kane_constraint_row_set c = {.kind = kinds[k], .length = 3.0, .radius = 0.5};
        kane_constraint_rows_values before, here, after;
        double q_dot[L15_FREEDOMS];
        turned_l15(&s, &seed);
        for (int i = 0; i < 2; i++)
            c.side[i] = rig_side(two[i], random_vector(&seed, 0.5), random_rotation(&seed));
        kane_constraint_row_set_count(&c);
        for (int link = 0; link < s.tree.link_count; link++)
            kane_tree_rates(&s.tree, link, &s.base, &s.work, q_dot + s.links[link].q);
        eval(&s, &c, &here);
        later(&s, &c, q_dot, -h, &before);
        later(&s, &c, q_dot, h, &after);
        for (int i = 0; i < c.row_count; i++) {
            if (i < c.position_count)
                check_near(here.rate[i], (after.value[i] - before.value[i]) / (2.0 * h), 1e-9);
            check_near(here.acceleration[i], (after.rate[i] - before.rate[i]) / (2.0 * h), 1e-7);
        }
        sample_free(&s);
    }
}

CHECK_MAIN(NULL, NULL)
