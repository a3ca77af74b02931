// SPDX-License-Identifier: MIT
// Theta and f of the tree (41)-(43) from composite bodies: what constraints and linearisations ask for.

#include "tree/spatial.h"
#include "tree/tie.h"

#include <string.h>

// Whether what a link carries is felt by its parent.
static inline int loads_parent(const kane_link *link)
{
    return link->kind != KANE_LINK_BODY && link->parent >= 0;
}

// Rows of a wrench along the speeds of a link: of a KANE_LINK_BODY along the axes of the frame.
static inline void project(const kane_link *link, const kane_tree_work *work, kane_wrench w, double out[6])
{
    if (link->kind == KANE_LINK_BODY) {
        const double rows[6] = {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z};
        memcpy(out, rows, sizeof rows);
        return;
    }
    for (int k = 0; k < link->v_count; k++) {
        const kane_axis_state *x = &work->axis[link->v + k];
        out[k]                   = kv3_dot(x->e, w.torque) + kv3_dot(x->l, w.force);
    }
}

static inline kane_wrench inertia_along(const kane_link *link, const kane_tree_work *work, const kane_spatial *I, int k)
{
    if (link->kind == KANE_LINK_BODY) {
        const kane_vec3 al = k < 3 ? kv3_zero() : kv3_unit(k - 3), a = k < 3 ? kv3_unit(k) : kv3_zero();
        return (kane_wrench){ksp_force(I, al, a), ksp_torque(I, al, a)};
    }
    const kane_axis_state *x = &work->axis[link->v + k];
    return (kane_wrench){ksp_force(I, x->e, x->l), ksp_torque(I, x->e, x->l)};
}

// One column of Theta: the wrench of composite inertia goes up the path, and every speed on it feels its part. Returns behind
// the last entry.
static double *fill_column(const kane_tree *tree, int i, int k, const kane_tree_work *work,
                           const kane_spatial *composite, double *entry)
{
    kane_wrench w = inertia_along(&tree->links[i], work, composite, k);
    for (int j = i; j >= 0; j = tree->links[j].parent) {
        const kane_link *link = &tree->links[j];
        double rows[6];
        project(link, work, w, rows);
        if (j == i)
            rows[k] += kane_link_armature(link, k);
        for (int m = 0; m < link->v_count; m++)
            *entry++ = rows[m];
        if (!loads_parent(link))
            break;
        w.torque = kv3_add(w.torque, kv3_cross(work->link[j].rho, w.force));
    }
    return entry;
}

// composite: of every link its own inertia.
static void fill_theta(const kane_tree *tree, int link_count, const int *links, const kane_tree_work *work,
                       kane_spatial *composite, double *entries)
{
    for (int n = link_count - 1; n >= 0; n--) {
        const int i           = links[n];
        const kane_link *link = &tree->links[i];
        for (int k = 0; k < link->v_count; k++)
            entries = fill_column(tree, i, k, work, &composite[i], entries);
        if (loads_parent(link))
            ksp_add_shifted(&composite[link->parent], &composite[i], work->link[i].rho);
    }
}

void kane_tree_theta(const kane_tree *tree, int link_count, const int *links, const kane_tree_work *work,
                     kane_spatial *scratch, double *entries)
{
    for (int n = 0; n < link_count; n++)
        scratch[links[n]] = work->link[links[n]].I;
    fill_theta(tree, link_count, links, work, scratch, entries);
}

static void add_rigid(const kane_tree *tree, int i, const kane_tree_work *work)
{
    const kane_link *link = &tree->links[i];
    work->whole[i]        = ksp_of_link(link, work->link[i].R);
    if (link->role == KANE_TIE_CARRIER)
        kane_tie_add_inertia(&tree->ties[link->tie], work, &work->whole[i]);
}

void kane_tree_theta_rigid(const kane_tree *tree, int link_count, const int *links, const kane_tree_work *work,
                           double *entries)
{
    for (int n = 0; n < link_count; n++)
        add_rigid(tree, links[n], work);
    fill_theta(tree, link_count, links, work, work->whole, entries);
}

int kane_tree_theta_places(const kane_tree *tree, int link_count, const int *links, const int *place,
                           kane_theta_place *out)
{
    int count = 0;
    for (int n = link_count - 1; n >= 0; n--)
        for (int k = 0; k < tree->links[links[n]].v_count; k++)
            for (int j = links[n]; j >= 0; j = loads_parent(&tree->links[j]) ? tree->links[j].parent : -1)
                for (int m = 0; m < tree->links[j].v_count; m++, count++)
                    if (out)
                        out[count] =
                            (kane_theta_place){place[tree->links[j].v + m], place[tree->links[links[n]].v + k]};
    return count;
}

void kane_tree_forces(const kane_tree *tree, int link_count, const int *links, const int *place,
                      const kane_tree_work *work, kane_wrench *scratch, double *f)
{
    for (int n = 0; n < link_count; n++)
        scratch[links[n]] = (kane_wrench){work->link[links[n]].f, work->link[links[n]].n};
    for (int n = link_count - 1; n >= 0; n--) {
        const int i           = links[n];
        const kane_link *link = &tree->links[i];
        const kane_wrench w   = scratch[i];
        double rows[6];
        project(link, work, w, rows);
        for (int k = 0; k < link->v_count; k++)
            f[place[link->v + k]] = work->drive[link->v + k] - rows[k];
        if (loads_parent(link)) {
            const kane_vec3 torque = kv3_add(w.torque, kv3_cross(work->link[i].rho, w.force));
            scratch[link->parent]  = kw_add(scratch[link->parent], (kane_wrench){w.force, torque});
        }
    }
}

// A body, deformed as it is, with full accelerations.
kane_wrench kane_tree_needed(const kane_tree *tree, int i, const kane_tree_work *work)
{
    const kane_link *link    = &tree->links[i];
    const kane_link_state *s = &work->link[i];
    const kane_vec3 a = kv3_add(s->a, s->da), al = kv3_add(s->al, s->dal);
    const kane_vec3 mc = km3_mulv(s->R, kv3_scale(link->mass, link->c));
    double J[6];
    ksym_turn(s->R, link->J, J);
    kane_wrench w;
    w.torque = kv3_add(kv3_cross(s->w, ksym_mulv(J, s->w)), ksym_mulv(J, al));
    w.torque = kv3_add(w.torque, kv3_cross(mc, a));
    w.force  = kv3_add_scaled(kv3_cross(al, mc), link->mass, a);
    w.force  = kv3_add(w.force, kv3_cross(s->w, kv3_cross(s->w, mc)));
    if (link->role == KANE_TIE_CARRIER)
        w = kw_add(w, kane_tie_needed(&tree->ties[link->tie], &work->tie[link->tie], work, NULL));
    return w;
}

kane_wrench kane_tree_at_parent(int i, const kane_tree_work *work, kane_wrench w)
{
    return (kane_wrench){w.force, kv3_add(w.torque, kv3_cross(work->link[i].rho, w.force))};
}

void kane_tree_transmit(const kane_tree *tree, kane_links links, const kane_tree_work *work, const kane_wrench *acting,
                        kane_wrench *joint)
{
    for (int i = links.first; i < links.end; i++)
        joint[i] = (kane_wrench){kv3_zero(), kv3_zero()};
    for (int i = links.end - 1; i >= links.first; i--) {
        const int parent = tree->links[i].parent;
        if (kane_link_is_free(&tree->links[i])) { // hangs by nothing
            joint[i] = (kane_wrench){kv3_zero(), kv3_zero()};
            continue;
        }
        const kane_wrench own = kane_tree_needed(tree, i, work);
        joint[i].force        = kv3_add(joint[i].force, kv3_sub(own.force, acting[i].force));
        joint[i].torque       = kv3_add(joint[i].torque, kv3_sub(own.torque, acting[i].torque));
        if (parent >= 0)
            joint[parent] = kw_add(joint[parent], kane_tree_at_parent(i, work, joint[i]));
    }
}
