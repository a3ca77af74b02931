// SPDX-License-Identifier: MIT
// The closed position nearest to the drawing: the minimum along the constraints of
//
//   D = 1/2 sum over links of  integral |x - x_0|^2 dm  + 1/2 sum over modes of  s^2 (q - q_0)^2
//
// with places x, x_0 of a mass point and the scale s of a mode. It does not depend on the drawing's axes. With R, r of
// a link and R_0, r_0 of the drawing, d = r - r_0, P the second moments of its mass about the origin (1/2 tr J - J),
// and c its mass centre, a step in a unit of time changes D by the work of
//
//   force  m (d + E c)         torque about the origin  m R c x d + integral (R y) x (E y) dm         E = R - R_0
//
// where the integral is e_ijk M_jk with M = R P E',
//
// and Theta is the Hessian of D except for curvature, so that steps are Newton's near the drawing. R are axes in which
// inertia is constant: they leave out the spin of a body whose inertia is the same for all its turns.

#include "tree/loops_assemble.h"

#include <string.h>

enum { MOST_STEPS = 1000, MOST_HALVINGS = 8 };

// Shorter steps change nothing [m], [rad].
static const double last_step = 1e-13;

// D may grow by this part of it: round-off.
static const double round_off = 1e-13;

typedef struct link_place {
    kane_vec3 r;
    kane_mat3 R;
} link_place;

typedef struct approach {
    kane_assembler *a;
    const double *start;
    link_place *drawn; // of the cluster's links
    double *pull;      // forces of D [v_count]
    double *step;      // [v_count]
    double *q;         // [tree's q_count]
} approach;

// P = 1/2 tr(J) E - J, link axes.
static kane_mat3 second_moments(const kane_link *link)
{
    const double *J = link->J, half = 0.5 * (J[0] + J[1] + J[2]);
    return (kane_mat3){{half - J[0], -J[3], -J[4]}, {-J[3], half - J[1], -J[5]}, {-J[4], -J[5], half - J[2]}};
}

// What one link adds to D; pull gains its forces.
static double add_link(const approach *p, int i, const link_place *drawn)
{
    const kane_assembler *a  = p->a;
    const int index          = a->cluster->links[i];
    const kane_link *link    = &a->tree->links[index];
    const kane_link_state *s = &a->work->link[index];
    const kane_mat3 R        = kane_link_inertia_axes(link, a->work->q, s->R);
    const kane_vec3 d = kv3_sub(s->r, drawn->r), mc = kv3_scale(link->mass, km3_mulv(R, link->c));
    const kane_vec3 turned = kv3_sub(mc, kv3_scale(link->mass, km3_mulv(drawn->R, link->c)));
    const kane_mat3 P = second_moments(link), E = km3_sub(R, drawn->R);
    const kane_mat3 M     = km3_mul(km3_mul(R, P), km3_transpose(E));
    const kane_vec3 axial = kv3(M.z.y - M.y.z, M.x.z - M.z.x, M.y.x - M.x.y);
    const kane_wrench w   = {kv3_add_scaled(turned, link->mass, d), kv3_add(kv3_cross(mc, d), axial)};
    kane_tree_spread_wrench(a->tree, a->cluster->place, a->work, index, -1, w, p->pull);
    return 0.5 * link->mass * kv3_dot(d, d) + kv3_dot(d, turned) +
           0.5 * km3_trace(km3_mul(km3_mul(E, P), km3_transpose(E)));
}

// The part of a mode:  1/2 s^2 d^2,  force s^2 d.
static double add_mode(const approach *p, const kane_link *link)
{
    const kane_assembler *a = p->a;
    const int speed         = a->cluster->place[link->v];
    const double d = a->work->q[link->q] - p->start[link->q], s = a->s->scale[speed];
    p->pull[speed] += s * s * d;
    return 0.5 * s * s * d * d;
}

// D of the last evaluated state, and its gradient by the local speeds: pull [v_count].
static double find_pull(const approach *p)
{
    const kane_cluster *c = p->a->cluster;
    double D              = 0.0;
    memset(p->pull, 0, (size_t)c->v_count * sizeof *p->pull);
    for (int i = 0; i < c->link_count; i++) {
        const kane_link *link = &p->a->tree->links[c->links[i]];
        if (link->role == KANE_FLEX_MODE)
            D += add_mode(p, link);
        else if (link->role != KANE_FLEX_NODE) // of them the modes know
            D += add_link(p, i, &p->drawn[i]);
    }
    return D;
}

// R_0, r_0 of all links.
static void see_drawing(const approach *p)
{
    const kane_assembler *a = p->a;
    const size_t bytes      = (size_t)a->tree->q_count * sizeof *p->q;
    memcpy(p->q, a->work->q, bytes);
    memcpy(a->work->q, p->start, bytes);
    kane_cluster_move(a->s);
    for (int i = 0; i < a->cluster->link_count; i++) {
        const int link           = a->cluster->links[i];
        const kane_link_state *s = &a->work->link[link];
        p->drawn[i]              = (link_place){s->r, kane_link_inertia_axes(&a->tree->links[link], a->work->q, s->R)};
    }
    memcpy(a->work->q, p->q, bytes);
}

// Takes the step and closes the rows again; half the step if D has grown or rows stay open. 0: no step.
static int go_nearer(const approach *p, double D)
{
    kane_assembler *a  = p->a;
    const size_t bytes = (size_t)a->tree->q_count * sizeof *p->q;
    memcpy(p->q, a->work->q, bytes);
    double part = 1.0;
    for (int i = 0; i < MOST_HALVINGS; i++, part *= 0.5) {
        for (int k = 0; k < a->cluster->v_count; k++)
            a->dv[k] = part * p->step[k];
        kane_assembler_shift(a);
        if (kane_assembler_close(a) <= KANE_CLOSED && find_pull(p) <= (1.0 + round_off) * D)
            return 1;
        memcpy(a->work->q, p->q, bytes);
        (void)kane_assembler_evaluate(a, 0);
    }
    return 0;
}

// Steps of the equations with pull = dD/dv, until they are round-off or D no longer falls.
int kane_assembler_approach(kane_assembler *a, const double *start)
{
    const size_t n = (size_t)a->cluster->v_count;
    approach p     = {.a     = a,
                      .start = start,
                      .drawn = kane_arena_alloc(a->arena, (size_t)a->cluster->link_count, sizeof *p.drawn),
                      .pull  = kane_arena_doubles(a->arena, n),
                      .step  = kane_arena_doubles(a->arena, n),
                      .q     = kane_arena_doubles(a->arena, (size_t)a->tree->q_count)};
    if (kane_arena_failed(a->arena))
        return 0;
    see_drawing(&p);
    (void)kane_assembler_evaluate(a, 0);
    for (int i = 0; i < MOST_STEPS; i++) {
        const double D    = find_pull(&p);
        a->pull           = p.pull;
        const double most = kane_assembler_find_step(a, 0.0);
        a->pull           = NULL;
        memcpy(p.step, a->dv, n * sizeof *p.step);
        if (!(most > last_step) || !go_nearer(&p, D))
            break;
    }
    return 1;
}
