// SPDX-License-Identifier: MIT
// Accelerations, multipliers and motion of mechanisms with constraints: what the equations say, whichever form has
// them.

#include "mechanism_samples.h"

#include "tree/loops_work.h"

typedef void builder(mechanism *m, kane_constraint_form form);

static void four_bar_ball(mechanism *m, kane_constraint_form form)
{
    sample_four_bar(m, form, KANE_CONSTRAINT_SPHERICAL); // one of three rows is redundant
}

static void four_bar_hinge(mechanism *m, kane_constraint_form form)
{
    sample_four_bar(m, form, KANE_CONSTRAINT_REVOLUTE); // three of five
}

static const struct {
    const char *name;
    builder *build;
    int rank, u_count;
} samples[] = {
    {"four-bar", four_bar_ball, 2, 1},
    {"four-bar, hinge", four_bar_hinge, 2, 1},
    {"slider-crank", sample_slider_crank, 2, 1},
    {"cylinder", sample_cylinder, 2, 1},
    {"spatial loop", sample_spatial, 3, 2},
    {"gear and rod", sample_gear, 2, 1},
    {"pinned body", sample_pinned_body, 3, 4},
    {"disc", sample_disc, 3, 3},
    {"knife", sample_knife, 1, 2},
    {"rates", sample_rates, 3, 1},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static kane_links all(const mechanism *m)
{
    return (kane_links){0, m->s.tree.link_count};
}

// Second derivatives of all rows, with the accelerations that were found.
static double left_acceleration(mechanism *m)
{
    double most = 0.0;
    for (int i = 0; i < m->closure_count; i++) {
        kane_constraint_rows_values values;
        kane_constraint_row_set_eval(&m->context, &m->closure[i], 1, &values);
        for (int k = 0; k < m->closure[i].row_count; k++)
            most = fmax(most, fabs(values.acceleration[k]));
    }
    return most;
}

// What the constraints push on every link: multipliers times pushes (no relations here that push speeds).
static void constraint_wrenches(mechanism *m, const double *lambda, kane_wrench *acting, double *along)
{
    for (int i = 0; i < m->s.tree.link_count; i++)
        acting[i] = (kane_wrench){kv3_zero(), kv3_zero()};
    for (int i = 0; i < m->closure_count; i++) {
        kane_constraint_rows_values values;
        const double *l = lambda + m->cluster.row_begin[i];
        kane_constraint_row_set_eval(&m->context, &m->closure[i], 0, &values);
        for (int k = 0; k < values.direction_count; k++) {
            kane_wrench *w   = &acting[values.push[k].link];
            const double lam = l[values.push[k].row];
            w->force         = kv3_add_scaled(w->force, lam, values.push[k].push.force);
            w->torque        = kv3_add_scaled(w->torque, lam, values.push[k].push.torque);
        }
        for (int k = 0; k < values.entry_count; k++)
            along[values.entry[k].v] += l[values.entry[k].row] * values.entry[k].value;
    }
}

// Newton and Euler of every body with what is outwards of it cut off: the wrench that its joint hands over does nothing
// along the joint's freedoms, and a free body needs none at all.
static void check_balance(mechanism *m, double scale)
{
    kane_wrench acting[16], joint[16];
    double along[32] = {0};
    constraint_wrenches(m, mechanism_multipliers(m), acting, along);
    kane_tree_transmit(&m->s.tree, all(m), &m->s.work, acting, joint);
    for (int i = 0; i < m->s.tree.link_count; i++) {
        const kane_link *l = &m->s.links[i];
        if (l->kind == KANE_LINK_BODY) { // m a = F, J al + w x J w = T
            const kane_link_state *s = &m->s.work.link[i];
            const kane_vec3 a = kv3_add(s->a, s->da), al = kv3_add(s->al, s->dal);
            double J[6];
            ksym_turn(s->R, l->J, J);
            check_vec3(kv3_scale(l->mass, a), acting[i].force, 1e-11 * scale);
            check_vec3(kv3_add(ksym_mulv(J, al), kv3_cross(s->w, ksym_mulv(J, s->w))), acting[i].torque, 1e-11 * scale);
            continue;
        }
        for (int k = l->v; k < l->v + l->v_count; k++) {
            const kane_axis_state *x = &m->s.work.axis[k];
            check_near(kv3_dot(x->e, joint[i].torque) + kv3_dot(x->l, joint[i].force), along[k], 1e-11 * scale);
        }
    }
}

CHECK_TEST(both_forms_agree_and_balance)
{
    for (int i = 0; i < SAMPLES; i++) {
        CHECK_END(mechanism_free) mechanism a = {0}, b = {0};
        samples[i].build(&a, KANE_FORM_COEFFICIENTS);
        samples[i].build(&b, KANE_FORM_MULTIPLIERS);
        assert_true(mechanism_assemble(&a) && mechanism_assemble(&b));
        assert_int_equal(a.cluster.rank, samples[i].rank);
        assert_int_equal(a.cluster.u_count, samples[i].u_count);
        assert_int_equal(b.cluster.u_count, b.cluster.v_count);
        assert_true(mechanism_eval(&a));
        memcpy(b.s.work.q, a.s.work.q, (size_t)a.s.tree.q_count * sizeof(double));
        memcpy(b.u, a.s.work.v, (size_t)a.s.tree.v_count * sizeof(double));
        assert_true(mechanism_eval(&b));

        double scale = 1.0, force = 1.0, value, rate;
        for (int k = 0; k < a.cluster.v_count; k++)
            scale = fmax(scale, fabs(a.s.work.v_dot[k]));
        for (int k = 0; k < a.cluster.v_count; k++)
            check_near(b.s.work.v_dot[k], a.s.work.v_dot[k], 1e-11 * scale);
        const double *of_a = mechanism_multipliers(&a), *of_b = mechanism_multipliers(&b);
        for (int k = 0; k < a.cluster.row_count; k++)
            force = fmax(force, fabs(of_a[k]));
        double wrench_a[32] = {0}, wrench_b[32] = {0};
        kane_wrench acting_a[16], acting_b[16];
        constraint_wrenches(&a, of_a, acting_a, wrench_a);
        constraint_wrenches(&b, of_b, acting_b, wrench_b);
        for (int k = 0; k < a.s.tree.link_count; k++)
            check_vec3(acting_b[k].force, acting_a[k].force, 1e-10 * force);
        check_near(left_acceleration(&a), 0.0, 1e-12 * scale);
        check_near(left_acceleration(&b), 0.0, 1e-12 * scale);
        check_balance(&a, force);
        check_balance(&b, force);
        mechanism_drift(&a, &value, &rate);
        check_near(value, 0.0, 1e-14);
        check_near(rate, 0.0, 1e-13);
    }
}

// Half a second: all samples are conservative, and both forms follow the same path.
CHECK_TEST(energy_is_kept)
{
    for (int i = 0; i < SAMPLES; i++) {
        static mechanism m[2];
        for (int form = 0; form < 2; form++) {
            samples[i].build(&m[form], form == 0 ? KANE_FORM_COEFFICIENTS : KANE_FORM_MULTIPLIERS);
            assert_true(mechanism_assemble(&m[form]));
            assert_true(mechanism_follow(&m[form]));
            const double start = mechanism_energy(&m[form]);
            double value, rate, least = start, most = start;
            for (int step = 0; step < 2000; step++) {
                assert_true(mechanism_step(&m[form], 2.5e-4));
                least = fmin(least, mechanism_energy(&m[form]));
                most  = fmax(most, mechanism_energy(&m[form]));
            }
            mechanism_drift(&m[form], &value, &rate);
            print_message("%-16s energy %.6g changes by %.1e, drift %.1e %.1e\n", samples[i].name, start, most - least,
                          value, rate);
            check_near(most - least, 0.0, 1e-8 * (1.0 + fabs(start)));
            check_near(value, 0.0, 1e-12);
            check_near(rate, 0.0, 1e-11);
        }
        for (int k = 0; k < m[0].s.tree.q_count; k++)
            check_near(m[1].s.work.q[k], m[0].s.work.q[k], 1e-7);
        mechanism_free(&m[0]);
        mechanism_free(&m[1]);
    }
}

// A displacement is a velocity for a unit of time: every link moves as its speeds say, and bodies that hang on others
// with all six freedoms stay in the frame where their own speeds do not move them.
CHECK_TEST(displacements_are_what_speeds_do)
{
    CHECK_END(mechanism_free) mechanism m = {0};
    const double small                    = 1e-6;
    double dv[16];
    kane_link_state before[4];
    mechanism_begin(&m);
    const kane_vec3 J = kv3(0.1, 0.2, 0.3);
    const int a       = mechanism_hinge(&m, -1, kv3(0.1, 0.2, 0.3), 0, 1.0, J, kv3_zero());
    const int b       = mechanism_ball(&m, a, kv3(0.0, 0.5, 0.2), 1.0, J, kv3_zero());
    const int c       = mechanism_slide(&m, b, kv3(0.3, 0.1, 0.0), 2, 1.0, J, kv3_zero());
    (void)mechanism_body(&m, c, kv3(0.2, 0.4, -0.1), 1.0, J);
    mechanism_create(&m, KANE_FORM_COEFFICIENTS);
    for (int k = 0; k < m.s.tree.q_count; k++)
        m.s.work.q[k] += 0.1 + 0.07 * k;
    double *e           = m.s.work.q + m.s.links[b].q; // unit length
    const double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    for (int k = 0; k < 4; k++)
        e[k] /= length;
    for (int k = 0; k < m.s.tree.v_count; k++) {
        m.s.work.v[k] = 0.5 - 0.13 * k;
        dv[k]         = small * m.s.work.v[k];
    }
    m.s.base.a = kv3_zero();
    kane_tree_move(&m.s.tree, all(&m), &m.s.base, &m.s.work);
    memcpy(before, m.s.work.link, sizeof before);
    kane_cluster_shift(m.scratch, dv);
    kane_tree_place(&m.s.tree, all(&m), &m.s.work);
    for (int i = 0; i < 4; i++) {
        const kane_link_state *s = &before[i];
        const kane_vec3 turned   = kv3_cross(s->w, s->R.x);
        const kane_vec3 moved    = kv3_scale(1.0 / small, kv3_sub(m.s.work.link[i].r, s->r));
        check_vec3(moved, s->v, 1e-5);
        check_vec3(kv3_scale(1.0 / small, kv3_sub(m.s.work.link[i].R.x, s->R.x)), turned, 1e-5);
    }
}

// A regularisation that is much too great is taken away again: its cube is left.
CHECK_TEST(regularisation_is_taken_away)
{
    CHECK_END(mechanism_free) mechanism m = {0};
    double x[3], b[3] = {0.3, 0.0, -0.2}, a[3] = {5.0, -7.0, 2.0};
    sample_four_bar(&m, KANE_FORM_MULTIPLIERS, KANE_CONSTRAINT_SPHERICAL);
    assert_true(mechanism_assemble(&m) && mechanism_eval(&m));
    assert_true(kane_cluster_sparse_factor(m.scratch, 0.0));
    kane_cluster_sparse_solve(m.scratch, a, b);
    memcpy(x, m.scratch->y, sizeof x);
    assert_true(kane_cluster_sparse_factor(m.scratch, 1e-3));
    kane_cluster_sparse_solve(m.scratch, a, b);
    for (int k = 0; k < 3; k++)
        check_near(m.scratch->y[k], x[k], 1e-6 * fabs(x[k]));
}

CHECK_MAIN(NULL, NULL)
