// SPDX-License-Identifier: MIT
// Small mechanisms, built from links and constraints by hand, and a plain integration of them.

#ifndef KANE_TESTS_MECHANISM_TREE_H
#define KANE_TESTS_MECHANISM_TREE_H

#include "tree/loops.h"

#include "tree_samples.h"

enum { MECHANISM_CLOSURES = 16, MECHANISM_STATES = 128 };

typedef struct mechanism mechanism;
struct mechanism {
    sample_tree s;
    kane_transport frame;
    kane_constraint_row_set closure[MECHANISM_CLOSURES];
    const kane_constraint_row_set *closures[MECHANISM_CLOSURES];
    int closure_count, links[SAMPLE_LINKS];
    kane_cluster cluster;
    kane_eval_context context;
    kane_cluster_work *scratch;
    kane_assembly assembly;
    double u[MECHANISM_STATES], u_dot[MECHANISM_STATES];
    int held_q[MECHANISM_STATES], held_v[MECHANISM_STATES];
    void (*push)(mechanism *m); // what acts besides weight; NULL: nothing
};

static inline void mechanism_begin(mechanism *m)
{
    *m       = (mechanism){0};
    m->frame = kane_transport_rest();
}

static inline kane_vec3 rod_inertia(double mass, double length)
{
    return kv3(1e-3 * mass, mass * length * length / 12.0, mass * length * length / 12.0);
}

// A link with one turn or slide along an axis of its joint.
static inline int mechanism_slide(mechanism *m, int parent, kane_vec3 seat, int axis, double mass, kane_vec3 J,
                                  kane_vec3 c)
{
    kane_link *link   = sample_add(&m->s, parent, seat, mass, J, c);
    link->kind        = KANE_LINK_STEPS;
    link->slide_count = 1;
    sample_step(link, axis);
    sample_end(&m->s, link, 1, 1);
    return m->s.tree.link_count - 1;
}

static inline int mechanism_hinge(mechanism *m, int parent, kane_vec3 seat, int axis, double mass, kane_vec3 J,
                                  kane_vec3 c)
{
    return sample_add_revolute(&m->s, parent, seat, axis, mass, J, c);
}

static inline int mechanism_ball(mechanism *m, int parent, kane_vec3 seat, double mass, kane_vec3 J, kane_vec3 c)
{
    kane_link *link = sample_add(&m->s, parent, seat, mass, J, c);
    link->kind      = KANE_LINK_BALL;
    sample_end(&m->s, link, 4, 3);
    return m->s.tree.link_count - 1;
}

// A free body: x, y, z, then yaw, roll, pitch.
static inline int mechanism_body(mechanism *m, int parent, kane_vec3 seat, double mass, kane_vec3 J)
{
    static const int axes[6] = {0, 1, 2, 2, 0, 1};
    kane_link *link          = sample_add(&m->s, parent, seat, mass, J, kv3_zero());
    link->kind               = KANE_LINK_BODY;
    link->slide_count        = 3;
    ksym_inverse(link->J, link->J_inverse);
    for (int k = 0; k < 6; k++)
        sample_step(link, axes[k]);
    sample_end(&m->s, link, 6, 6);
    return m->s.tree.link_count - 1;
}

// A constraint between points of two links (-1: the frame), axes parallel to those of the links.
static inline kane_constraint_row_set *mechanism_close(mechanism *m, const char *name, kane_constraint_kind kind, int a,
                                                       kane_vec3 at_a, int b, kane_vec3 at_b)
{
    kane_constraint_row_set *c = &m->closure[m->closure_count];
    *c                         = (kane_constraint_row_set){.name = name, .kind = kind};
    c->side[0]                 = (kane_side_marker){.link = a, .point = at_a, .axes = km3_identity()};
    c->side[1]                 = (kane_side_marker){.link = b, .point = at_b, .axes = km3_identity()};
    kane_constraint_row_set_count(c);
    m->closures[m->closure_count++] = c;
    return c;
}

// factor_a q_a + factor_b q_b = offset of the first coordinates of two links.
static inline kane_constraint_row_set *mechanism_relate(mechanism *m, const char *name, kane_constraint_kind kind,
                                                        int a, double factor_a, int b, double factor_b, double offset)
{
    kane_constraint_row_set *c = mechanism_close(m, name, kind, -1, kv3_zero(), -1, kv3_zero());
    c->term_count              = 2;
    c->term[0]                 = (kane_term){a, 0, factor_a};
    c->term[1]                 = (kane_term){b, 0, factor_b};
    c->offset                  = offset;
    return c;
}

// Room for it; all in one cluster. Euler parameters are those of no turn.
static inline void mechanism_create(mechanism *m, kane_constraint_form form)
{
    sample_create(&m->s);
    for (int i = 0; i < m->s.tree.link_count; i++) {
        m->links[i] = i;
        if (m->s.links[i].kind == KANE_LINK_BALL)
            m->s.work.q[m->s.links[i].q] = 1.0;
    }
    m->cluster = (kane_cluster){.link_count    = m->s.tree.link_count,
                                .links         = m->links,
                                .closure_count = m->closure_count,
                                .closures      = m->closures,
                                .form          = form};
    assert_true(kane_cluster_prepare(&m->s.tree, &m->cluster, m->s.arena));
    m->context = (kane_eval_context){&m->s.tree, &m->s.work, &m->frame, &m->s.base};
    m->scratch = kane_cluster_work_create(&m->context, &m->cluster, m->s.arena);
    assert_non_null(m->scratch);
}

static inline void mechanism_free(mechanism *m)
{
    kane_cluster_work_free(m->scratch);
    sample_free(&m->s);
}

static inline void mechanism_choose(mechanism *m)
{
    (void)kane_cluster_partition(m->scratch);
    kane_cluster_get_speeds(m->scratch, m->u);
}

// Consistent state, and the speeds u of it.
static inline int mechanism_assemble(mechanism *m)
{
    kane_cluster_assemble(&m->cluster, m->scratch, m->held_q, m->held_v, &m->assembly);
    if (m->assembly.solved)
        mechanism_choose(m);
    return m->assembly.solved;
}

static inline int mechanism_follow(mechanism *m)
{
    return kane_cluster_solve_position(m->scratch, m->u);
}

// u_dot of the state.
static inline int mechanism_eval(mechanism *m)
{
    if (!mechanism_follow(m))
        return 0;
    if (m->push)
        m->push(m);
    return kane_cluster_solve(m->scratch, m->u_dot);
}

static inline const double *mechanism_multipliers(mechanism *m)
{
    kane_cluster_find_theta(m->scratch);
    return kane_cluster_multipliers(m->scratch);
}

static inline void mechanism_drift(mechanism *m, double *value, double *rate)
{
    kane_cluster_drift(m->scratch, value, rate);
}

// Kinetic energy and that of weight, of links as they move (frame at rest).
static inline double mechanism_energy(const mechanism *m)
{
    double sum = 0.0;
    for (int i = 0; i < m->s.tree.link_count; i++) {
        const kane_link *l       = &m->s.links[i];
        const kane_link_state *s = &m->s.work.link[i];
        const kane_vec3 mc       = km3_mulv(s->R, kv3_scale(l->mass, l->c));
        sum += 0.5 * l->mass * kv3_dot(s->v, s->v) + kv3_dot(s->v, kv3_cross(s->w, mc)) +
               0.5 * kv3_dot(s->w, ksym_mulv(s->I.J, s->w));
        sum += l->mass * kv3_dot(m->s.base.a, s->r) + kv3_dot(m->s.base.a, mc);
    }
    return sum;
}

// Derivative of (q, u) where they are now; 0 if there is none.
static inline int mechanism_derivative(mechanism *m, double *rate)
{
    if (!mechanism_eval(m))
        return 0;
    for (int i = 0; i < m->s.tree.link_count; i++)
        kane_tree_rates(&m->s.tree, i, &m->s.base, &m->s.work, rate + m->s.links[i].q);
    memcpy(rate + m->s.tree.q_count, m->u_dot, (size_t)m->cluster.u_count * sizeof *rate);
    return 1;
}

static inline void mechanism_get(const mechanism *m, double *y)
{
    memcpy(y, m->s.work.q, (size_t)m->s.tree.q_count * sizeof *y);
    memcpy(y + m->s.tree.q_count, m->u, (size_t)m->cluster.u_count * sizeof *y);
}

static inline void mechanism_set(mechanism *m, const double *y)
{
    memcpy(m->s.work.q, y, (size_t)m->s.tree.q_count * sizeof *y);
    memcpy(m->u, y + m->s.tree.q_count, (size_t)m->cluster.u_count * sizeof *y);
}

// A classic step of Runge and Kutta, brought back onto the constraints; the choice is renewed where it is poor. 0:
// failed.
static inline int mechanism_step(mechanism *m, double h)
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    const int size = m->s.tree.q_count + m->cluster.u_count;
    const double t = m->s.work.t;
    double y[MECHANISM_STATES], k[MECHANISM_STATES] = {0}, sum[MECHANISM_STATES] = {0}, x[MECHANISM_STATES];
    assert_true(size <= MECHANISM_STATES);
    mechanism_get(m, y);
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < size; i++)
            x[i] = y[i] + at[stage] * h * k[i];
        mechanism_set(m, x);
        m->s.work.t = t + at[stage] * h;
        if (!mechanism_derivative(m, k))
            return 0;
        for (int i = 0; i < size; i++)
            sum[i] += weight[stage] * h * k[i];
    }
    for (int i = 0; i < size; i++)
        x[i] = y[i] + sum[i];
    mechanism_set(m, x);
    m->s.work.t = t + h;
    if (!mechanism_follow(m))
        return 0;
    if (m->cluster.form == KANE_FORM_MULTIPLIERS && !kane_cluster_project(m->scratch))
        return 0;
    if (kane_cluster_quality(m->scratch) < KANE_PARTITION_POOR)
        mechanism_choose(m);
    kane_cluster_get_speeds(m->scratch, m->u);
    return 1;
}

#endif
