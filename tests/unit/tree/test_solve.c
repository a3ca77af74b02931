// SPDX-License-Identifier: MIT
// Accelerations of trees against other programs' and against Theta.

#include "tree_random.h"
#include "tree_samples.h"

CHECK_TEST(accelerations_of_l15_are_those_of_three_other_programs)
{
    static sample_tree s;
    double q_ddot[L15_FREEDOMS], sum = 0.0, miss = 0.0;
    sample_l15(&s);
    sample_start(&s);
    assert_int_equal(kane_tree_solve(&s.tree, sample_all(&s), &s.work), -1);
    for (int i = 0; i < s.tree.link_count; i++)
        kane_tree_accelerations(&s.tree, i, &s.base, &s.work, q_ddot + s.links[i].q);
    for (int i = 0; i < L15_FREEDOMS; i++) {
        miss = fmax(miss, fabs(q_ddot[i] - l15[i]));
        sum += q_ddot[i] * q_ddot[i];
    }
    check_near(miss, 0.0, 1e-11);
    check_near(sum, 96.2394682954682, 1e-11);
    sample_free(&s);
}

// qdd of a chain of 20 hinges: sum of squares of three programs (twelve digits).
CHECK_TEST(accelerations_of_a_chain_are_known)
{
    static sample_tree s;
    double sum = 0.0;
    sample_chain(&s, 20);
    sample_start(&s);
    assert_int_equal(kane_tree_solve(&s.tree, sample_all(&s), &s.work), -1);
    for (int i = 0; i < 20; i++)
        sum += s.work.v_dot[i] * s.work.v_dot[i];
    check_near(sum, 2225.15841277312, 1e-8);
    sample_free(&s);
}

// Theta v_dot = f for the accelerations that articulated bodies find.
static void check_theta(sample_tree *s)
{
    const int n = s->tree.v_count, links = s->tree.link_count;
    CHECK_MEMORY double *Theta = calloc((size_t)(n * n), sizeof *Theta), *f = malloc((size_t)n * sizeof *f);
    CHECK_MEMORY kane_spatial *inertia = malloc((size_t)links * sizeof *inertia);
    CHECK_MEMORY kane_wrench *wrench   = calloc((size_t)links, sizeof *wrench);
    CHECK_MEMORY int *all = malloc((size_t)links * sizeof *all), *place = malloc((size_t)n * sizeof *place);
    for (int i = 0; i < links; i++)
        all[i] = i;
    for (int i = 0; i < n; i++)
        place[i] = i;
    sample_start(s);
    const int count                      = kane_tree_theta_places(&s->tree, links, all, place, NULL);
    CHECK_MEMORY kane_theta_place *where = malloc((size_t)count * sizeof *where);
    CHECK_MEMORY double *entries         = malloc((size_t)count * sizeof *entries);
    (void)kane_tree_theta_places(&s->tree, links, all, place, where);
    kane_tree_inertia(&s->tree, links, all, &s->work, inertia);
    kane_tree_theta(&s->tree, links, all, &s->work, inertia, entries);
    for (int k = 0; k < count; k++)
        Theta[where[k].row * n + where[k].column] = Theta[where[k].column * n + where[k].row] = entries[k];
    kane_tree_forces(&s->tree, links, all, place, &s->work, wrench, f);
    assert_int_equal(kane_tree_solve(&s->tree, sample_all(s), &s->work), -1);
    for (int i = 0; i < n; i++) {
        double left = -f[i], size = fabs(f[i]);
        for (int j = 0; j < n; j++) {
            left += Theta[i * n + j] * s->work.v_dot[j];
            size += fabs(Theta[i * n + j] * s->work.v_dot[j]);
        }
        check_near(left, 0.0, 1e-12 * size);
    }
}

CHECK_TEST(accelerations_solve_the_equations_with_theta)
{
    static sample_tree s;
    sample_l15(&s);
    check_theta(&s);
    sample_free(&s);
    sample_chain(&s, 7);
    check_theta(&s);
    sample_free(&s);
}

// A turning that drags a flywheel by a gear of its own: more inertia along this speed alone.
CHECK_TEST(armature_is_inertia_of_one_speed)
{
    static sample_tree s;
    double before, u;
    sample_chain(&s, 7);
    for (int i = 0; i < 7; i += 2)
        s.links[i].step[0].armature = 0.5 + i;
    check_theta(&s);
    sample_free(&s);
    sample_chain(&s, 1); // J a = T, then (J + 3) a = T
    sample_start(&s);
    assert_int_equal(kane_tree_solve(&s.tree, sample_all(&s), &s.work), -1);
    before                      = s.work.v_dot[0];
    u                           = s.work.axis[0].along;
    s.links[0].step[0].armature = 3.0;
    sample_start(&s);
    assert_int_equal(kane_tree_solve(&s.tree, sample_all(&s), &s.work), -1);
    check_near((u + 3.0) * s.work.v_dot[0], u * before, 1e-13 * fabs(u * before));
    sample_free(&s);
}

// A wrench on a link changes the same accelerations whether it acts before the tree is gathered or after, on every link
// of trees of all kinds of joints. The first way is the one that the tests above compare with Theta.
CHECK_TEST(a_push_after_gathering_is_one_before)
{
    static random_tree before, after;
    enum { LINKS = 12, TREES = 12 };
    double miss = 0.0;
    for (unsigned seed = 1; seed <= TREES; seed++)
        for (int link = 0; link < LINKS; link++) {
            const kane_links all   = {0, LINKS};
            const kane_vec3 force  = {3.0, -2.0, 5.0};
            const kane_vec3 torque = {-1.0, 4.0, 2.0};
            random_create(&before, seed, LINKS, 1);
            random_create(&after, seed, LINKS, 1);
            kane_tree_apply_wrench(&before.work, link, force, torque);
            assert_int_equal(kane_tree_solve(&before.tree, all, &before.work), -1);
            assert_int_equal(kane_tree_inward(&after.tree, all, &after.work), -1);
            kane_tree_apply_inward(&after.tree, &after.work, link, force, torque);
            kane_tree_outward(&after.tree, all, &after.work);
            for (int v = 0; v < after.tree.v_count; v++)
                miss =
                    fmax(miss, fabs(after.work.v_dot[v] - before.work.v_dot[v]) / (1.0 + fabs(before.work.v_dot[v])));
            random_free(&before);
            random_free(&after);
        }
    check_near(miss, 0.0, 1e-10);
}

CHECK_MAIN(NULL, NULL)
