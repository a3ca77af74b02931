// SPDX-License-Identifier: MIT
// Accelerations of trees against other programs' and against Theta.

#include "tree_samples.h"

#include <stdlib.h>

// Second derivatives of all coordinates of L15, agreed on by RBDL, MuJoCo and Pinocchio to 3.2e-13.
static const double l15[L15_FREEDOMS] = {
    0.000323821287351545, 0.000385500577925336,  -9.80967642634735,    4.0010890742524e-05,   0.00024884474116152,
    -0.00111008873182817, -0.0437340030884953,   -0.0227275013359435,  -0.025635654772972,    -0.0149758112570946,
    0.000566605324424229, -0.00531017973636937,  -0.0131767327903957,  0.00262764928464944,   0.0103552183956051,
    0.0104902237084752,   0.00524593112640622,   -0.00731177609691741, -0.00395932883312993,  0.0062317132138358,
    -0.013831884788603,   -0.0172757970531397,   -0.0104436485331078,  -0.000828251716006823, 0.00244087897729864,
    0.00347461499390789,  0.0113277725757616,    -0.00845974117161155, -0.02171227877816,     0.0274469378624569,
    0.0105913933423889,   0.0154752780457267,    0.0108691367153343,   0.0254311146553627,    0.00538877657466607,
    0.0084079322023549,   0.00952438194076885,   0.0163710428291823,   -0.00102242112978855,  0.00358844117695465,
    0.019043446763957,    0.00439876840587027,   -0.014153697387037,   -0.00613283276103195,  -0.00525855879166937,
    -0.00206161176104864, -0.000831378890095381, 0.00062209321063904,  0.0109110911624753,    -0.0106806129249802,
    0.00583341569813161,  0.00399559824106357,   -0.00109708585526883, 0.00215865528040786,   -0.0158594781607467,
    -0.0281935687483582,  -0.0146380945073132,   0.000782191058402647, 0.00288709738569302,   0.000150374812985624,
};

static void accelerations_of_l15_are_those_of_three_other_programs(void **state)
{
    static sample_tree s;
    double q_ddot[L15_FREEDOMS], sum = 0.0, miss = 0.0;
    (void)state;
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
static void accelerations_of_a_chain_are_known(void **state)
{
    static sample_tree s;
    double sum = 0.0;
    (void)state;
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
    double *Theta = malloc((size_t)(n * n) * sizeof *Theta), *f = malloc((size_t)n * sizeof *f);
    kane_spatial *inertia = malloc((size_t)links * sizeof *inertia);
    kane_wrench *wrench   = malloc((size_t)links * sizeof *wrench);
    int *all = malloc((size_t)links * sizeof *all), *place = malloc((size_t)n * sizeof *place);
    for (int i = 0; i < links; i++)
        all[i] = i;
    for (int i = 0; i < n; i++)
        place[i] = i;
    sample_start(s);
    kane_tree_theta(&s->tree, links, all, place, n, &s->work, inertia, Theta);
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
    free(Theta);
    free(f);
    free(inertia);
    free(wrench);
    free(all);
    free(place);
}

static void accelerations_solve_the_equations_with_theta(void **state)
{
    static sample_tree s;
    (void)state;
    sample_l15(&s);
    check_theta(&s);
    sample_free(&s);
    sample_chain(&s, 7);
    check_theta(&s);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_of_l15_are_those_of_three_other_programs),
        cmocka_unit_test(accelerations_of_a_chain_are_known),
        cmocka_unit_test(accelerations_solve_the_equations_with_theta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
