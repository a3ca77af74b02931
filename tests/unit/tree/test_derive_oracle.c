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

CHECK_TEST(accelerations_are_those_of_straight_equations)
{
    static random_tree s;
    for (unsigned seed = 1; seed <= TREES; seed++) {
        random_create(&s, seed, 1 + (int)seed % LINKS, seed % 2 == 0);
        check_tree(&s);
        random_free(&s);
    }
}

// Places and axes move by the rates of coordinates as v and w say, but for axes that leave a spin out: theirs is the
// motion of the axle alone. By complex steps along the rates; given coordinates go with time and are left out.
static void check_motion(const random_tree *s)
{
    static oracle_link moved[ORACLE_LINKS];
    static const oracle_number none[ORACLE_FREEDOMS];
    oracle_number q[ORACLE_FREEDOMS], v[ORACLE_FREEDOMS] = {0};
    const oracle o = {.tree = &s->tree, .bases = &s->base, .t = s->work.t};
    for (int i = 0; i < s->tree.link_count; i++) {
        double rates[6];
        kane_tree_rates(&s->tree, i, &s->base, &s->work, rates);
        for (int k = 0; k < s->links[i].q_count; k++)
            q[s->links[i].q + k] = s->work.q[s->links[i].q + k] + rates[k] * ORACLE_IMAGINARY;
    }
    oracle_move(&o, q, v, none, moved);
    for (int i = 0; i < s->tree.link_count; i++) {
        const kane_link_state *now = &s->work.link[i];
        const kane_vec3 w          = kv3_sub(now->w, s->base.w);
        const kane_vec3 moves      = kv3_sub(kv3_sub(now->v, s->base.v), kv3_cross(s->base.w, now->r));
        for (int c = 0; c < 3; c++) {
            const oracle_vec x   = oracle_column(&moved[i].R, c);
            const kane_vec3 axis = kv3(creal(x.x[0]), creal(x.x[1]), creal(x.x[2]));
            check_near(cimag(moved[i].r.x[c]) / ORACLE_STEP, kv3_get(moves, c), 1e-12);
            for (int k = 0; k < 3 && (c == 1 || !s->links[i].is_spinning); k++)
                check_near(cimag(x.x[k]) / ORACLE_STEP, kv3_get(kv3_cross(w, axis), k), 1e-12);
        }
    }
}

CHECK_TEST(coordinates_move_links_as_their_speeds_say)
{
    static random_tree s;
    int on_axles = 0;
    for (unsigned seed = 1; seed <= TREES; seed++) {
        random_create(&s, seed, 1 + (int)seed % LINKS, seed % 2 == 0);
        s.coefficients[1] = 0.0; // given coordinates stay
        kane_tree_move(&s.tree, (kane_links){0, s.tree.link_count}, &s.base, &s.work);
        check_motion(&s);
        for (int i = 0; i < s.tree.link_count; i++)
            on_axles += s.links[i].on_axle != 0;
        random_free(&s);
    }
    assert_true(on_axles > 20);
}

CHECK_MAIN(NULL, NULL)
