// SPDX-License-Identifier: MIT
// Articulated inertia and Coriolis operators of a group, about its point.
//
// When the angular velocity of a body grows by eta, Coriolis forces grow by 2B eta:
//
//   torque  K eta,  K = 2 (tr(E) 1 - E),  E = integral of v r' dm = [w] Sigma + v_0 (m c)'
//   force   2 eta x m v_C
//
// with Sigma = tr(J)/2 1 - J. Through joints they pass as inertia does: with what hangs on the body free to give way,
// an axis s takes n = s'N / (s'I s), and hands on N - U n'.

#include "tree/derive_group.h"

#include <string.h>

// 2B of a rigid link about its own origin, then about the group's point.
static void own_coriolis(const kane_link *link, const kane_link_state *s, kane_field *f)
{
    const kane_vec3 w  = s->w;
    const kane_vec3 mc = km3_mulv(s->R, kv3_scale(link->mass, link->c));
    const kane_vec3 p  = kv3_add_scaled(kv3_cross(w, mc), link->mass, s->v);
    double J[6];
    ksym_turn(s->R, link->J, J);
    const double half = 0.5 * (J[0] + J[1] + J[2]);

    kane_mat3 E = km3_outer(s->v, mc);
    E.x         = kv3_add(E.x, kv3_cross(w, kv3(half - J[0], -J[3], -J[4])));
    E.y         = kv3_add(E.y, kv3_cross(w, kv3(-J[3], half - J[1], -J[5])));
    E.z         = kv3_add(E.z, kv3_cross(w, kv3(-J[4], -J[5], half - J[2])));

    const double trace = 2.0 * km3_trace(E);
    f->N_f             = km3_skew(kv3_scale(-2.0, p));
    f->N_n             = km3_sub(km3_diag(trace, trace, trace), km3_scale(2.0, E));
    f->N_n.x           = kv3_add(f->N_n.x, kv3_cross(f->r, f->N_f.x));
    f->N_n.y           = kv3_add(f->N_n.y, kv3_cross(f->r, f->N_f.y));
    f->N_n.z           = kv3_add(f->N_n.z, kv3_cross(f->r, f->N_f.z));
}

static inline void put(kane_vec3 e, kane_vec3 l, double s, double out[6])
{
    out[0] = s * e.x;
    out[1] = s * e.y;
    out[2] = s * e.z;
    out[3] = s * l.x;
    out[4] = s * l.y;
    out[5] = s * l.z;
}

static inline void sub_outer(kane_mat3 *A, kane_vec3 a, kane_vec3 b)
{
    A->x = kv3_add_scaled(A->x, -b.x, a);
    A->y = kv3_add_scaled(A->y, -b.y, a);
    A->z = kv3_add_scaled(A->z, -b.z, a);
}

// One axis of a joint: its share of what is behind it, which it then gives way to.
static void pass_axis(const kane_axis_state *x, kane_field *f, kane_sweep_axis *out)
{
    const kane_vec3 r   = f->r;
    const kane_vec3 l   = kv3_add(x->l, kv3_cross(r, x->e));
    const kane_vec3 U_n = kv3_add(x->U_n, kv3_cross(r, x->U_f));
    const kane_vec3 D_n = kv3_add(x->D_n, kv3_cross(r, x->D_f));
    const double over   = 1.0 / x->along;
    const kane_vec3 n   = kv3_scale(over, kv3_add(km3_tmulv(f->N_n, x->e), km3_tmulv(f->N_f, l)));
    put(x->e, l, 1.0, out->s);
    put(x->e, l, over, out->over);
    put(U_n, x->U_f, 1.0, out->U);
    put(D_n, x->D_f, 1.0, out->D);
    out->n[0] = n.x;
    out->n[1] = n.y;
    out->n[2] = n.z;
    sub_outer(&f->N_n, U_n, n);
    sub_outer(&f->N_f, x->U_f, n);
}

// Wrench that the joint of a link hands to it, about the group's point: articulated inertia and bias behind the joint.
static kane_wrench carried(const kane_link *link, const kane_tree_work *work, int i, kane_vec3 r)
{
    const kane_link_state *s = &work->link[i];
    kane_vec3 al = kv3_zero(), a = al;
    if (link->parent >= 0) {
        const kane_link_state *p = &work->link[link->parent];
        al                       = p->dal;
        a                        = kv3_add(p->da, kv3_cross(p->dal, s->rho));
    }
    kane_wrench w;
    w.force  = kv3_add(s->f, ksp_force(&s->I, al, a));
    w.torque = kv3_add(s->n, ksp_torque(&s->I, al, a));
    w.torque = kv3_add(w.torque, kv3_cross(r, w.force));
    return w;
}

static void give_way(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                     const kane_tree_work *work)
{
    const kane_tree *tree = map->tree;
    for (int place = 0; place < group->link_count; place++) {
        const int i   = group->links[place];
        kane_field *f = &scratch->field[i];
        own_coriolis(&tree->links[i], &work->link[i], f);
        if (place || !group->free)
            f->carried = carried(&tree->links[i], work, i, f->r);
    }
    for (int place = group->link_count - 1; place >= group->free; place--) {
        const int i = group->links[place], first = group->first_axis[place];
        kane_field *f = &scratch->field[i];
        for (int k = group->first_axis[place + 1] - 1; k >= first; k--)
            pass_axis(&work->axis[tree->links[i].v + k - first], f, &scratch->axes[k]);
        if (group->up[place] >= 0) {
            kane_field *p = &scratch->field[tree->links[i].parent];
            p->N_n        = km3_add(p->N_n, f->N_n);
            p->N_f        = km3_add(p->N_f, f->N_f);
        }
    }
    if (group->free)
        scratch->root = ksp_inverse(&work->link[group->root].I);
}

// --- v_dot held ---

// Rigid inertia of a link, and the wrench that its motion needs beyond what acts, about the group's point.
static void own_inertia(const kane_link *link, const kane_link_state *s, const kane_wrench *acting, kane_field *f)
{
    const kane_vec3 a = kv3_add(s->a, s->da), al = kv3_add(s->al, s->dal);
    const kane_vec3 mc = km3_mulv(s->R, kv3_scale(link->mass, link->c));
    kane_wrench *w     = &f->carried;
    f->I               = (kane_spatial){.M = {link->mass, link->mass, link->mass}, .H = km3_skew(mc)};
    ksym_turn(s->R, link->J, f->I.J);
    w->torque = kv3_add(kv3_cross(s->w, ksym_mulv(f->I.J, s->w)), ksp_torque(&f->I, al, a));
    w->force  = kv3_add(ksp_force(&f->I, al, a), kv3_cross(s->w, kv3_cross(s->w, mc)));
    if (acting) {
        w->torque = kv3_sub(w->torque, acting->torque);
        w->force  = kv3_sub(w->force, acting->force);
    }
    w->torque = kv3_add(w->torque, kv3_cross(f->r, w->force));
}

// One axis of a joint that does not give way (derive_sweep.c).
static void hold_axis(const kane_axis_state *x, const kane_field *f, kane_sweep_axis *out)
{
    const kane_vec3 r   = f->r;
    const kane_vec3 l   = kv3_add(x->l, kv3_cross(r, x->e));
    const kane_vec3 U_f = ksp_force(&f->I, x->e, x->l);
    const kane_vec3 U_n = kv3_add(ksp_torque(&f->I, x->e, x->l), kv3_cross(r, U_f));
    const kane_vec3 n   = kv3_add(km3_tmulv(f->N_n, x->e), km3_tmulv(f->N_f, l));
    *out                = (kane_sweep_axis){.n = {n.x, n.y, n.z}};
    put(x->e, l, 1.0, out->over);
    put(U_n, U_f, 1.0, out->D);
}

static void hold(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                 const kane_tree_work *work, const kane_wrench *acting)
{
    const kane_tree *tree = map->tree;
    for (int place = 0; place < group->link_count; place++) {
        const int i = group->links[place];
        own_coriolis(&tree->links[i], &work->link[i], &scratch->field[i]);
        own_inertia(&tree->links[i], &work->link[i], acting ? &acting[i] : NULL, &scratch->field[i]);
    }
    for (int place = group->link_count - 1; place >= group->free; place--) {
        const int i = group->links[place], first = group->first_axis[place];
        const kane_field *f = &scratch->field[i];
        for (int k = first; k < group->first_axis[place + 1]; k++)
            hold_axis(&work->axis[tree->links[i].v + k - first], f, &scratch->axes[k]);
        if (group->up[place] >= 0) {
            kane_field *p = &scratch->field[tree->links[i].parent];
            p->N_n        = km3_add(p->N_n, f->N_n);
            p->N_f        = km3_add(p->N_f, f->N_f);
            p->carried    = kw_add(p->carried, f->carried);
            ksp_add_shifted(&p->I, &f->I, work->link[i].rho);
        }
    }
}

// --- what carriers feel ---

static inline double dot6(const double x[6], kane_vec3 a, kane_vec3 b)
{
    return x[0] * a.x + x[1] * a.y + x[2] * a.z + x[3] * b.x + x[4] * b.y + x[5] * b.z;
}

static inline double dot_parts(const double w[KANE_PARTS], const double parts[KANE_PARTS])
{
    double sum = 0.0;
    for (int c = 0; c < KANE_PARTS; c++)
        sum += w[c] * parts[c];
    return sum;
}

static inline void add_share(kane_wrench *g, const double U[6], double by)
{
    g->torque = kv3_add_scaled(g->torque, by, kv3(U[0], U[1], U[2]));
    g->force  = kv3_add_scaled(g->force, by, kv3(U[3], U[4], U[5]));
}

// What the carrier of a joint feels of a direction that enters there: forces behind the joint turn along with it, and
//   I chi + N eta
// of what is behind the axes from its own on. The operators of the link are those behind all its axes; those before its
// own take nothing yet.
static kane_wrench felt(const kane_direction *d, kane_direction_kind kind, const kane_spatial *I, const kane_field *f,
                        const kane_sweep_axis *axis, int before)
{
    const kane_vec3 a = kv3_add(d->chi.l, kv3_cross(d->chi.e, f->r)); // at the link's origin
    kane_wrench g;
    g.force  = ksp_force(I, d->chi.e, a);
    g.torque = kv3_add(ksp_torque(I, d->chi.e, a), kv3_cross(f->r, g.force));
    g.force  = kv3_add(g.force, km3_mulv(f->N_f, d->eta));
    g.torque = kv3_add(g.torque, km3_mulv(f->N_n, d->eta));
    for (int k = 0; k < before; k++)
        add_share(&g, axis[k].U,
                  dot6(axis[k].D, d->chi.e, d->chi.l) + kv3_dot(kv3(axis[k].n[0], axis[k].n[1], axis[k].n[2]), d->eta));
    return kind == KANE_DIRECTION_COORDINATE ? kw_add(g, ktw_carry(d->s, f->carried)) : g;
}

// The same of forces: W (a, b).
static void feel_forces(kane_direction *d, kane_direction_kind kind, double (*W)[KANE_PARTS],
                        const kane_sweep_axis *axis, int before)
{
    double parts[KANE_PARTS];
    kane_wrench w;
    kane_direction_parts(d, kind, parts);
    w.torque = kv3(dot_parts(W[0], parts), dot_parts(W[1], parts), dot_parts(W[2], parts));
    w.force  = kv3(dot_parts(W[3], parts), dot_parts(W[4], parts), dot_parts(W[5], parts));
    for (int k = 0; k < before; k++)
        add_share(&w, axis[k].U, dot_parts(axis[k].w, parts));
    d->g = kw_add(d->g, w);
}

void kane_group_weigh(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                      const kane_tree_work *work, const kane_wrench *acting, const kane_gradient *gradients)
{
    const int forced = kane_group_is_forced(group, acting);
    if (group->held)
        hold(map, group, scratch, work, acting);
    else
        give_way(map, group, scratch, work);
    if (forced)
        kane_group_force(map, group, scratch, work, acting, gradients);
    for (int d = group->direction + KANE_ROOT_ALL * group->free; d < group->direction + group->direction_count; d++) {
        const kane_direction_name *name = &map->names[d];
        const int place = map->place_of[name->link], first = group->first_axis[place];
        const kane_field *f   = &scratch->field[name->link];
        const kane_spatial *I = group->held ? &f->I : &work->link[name->link].I;
        kane_direction *to    = &scratch->directions[d];
        const int before      = name->slot - place - first;
        to->g                 = felt(to, name->kind, I, f, &scratch->axes[first], before);
        if (forced)
            feel_forces(to, name->kind, scratch->feel[place].W, &scratch->axes[first], before);
    }
    for (int k = 0; forced && k < group->axis_count; k++) // from here on all forces at once
        for (int c = 0; c < 3; c++)
            scratch->axes[k].w[6 + c] += scratch->axes[k].n[c];
}
