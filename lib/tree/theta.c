// SPDX-License-Identifier: MIT
// Theta and f of the tree (41)-(43) from composite bodies: what constraints and linearisations ask for.

#include "tree/spatial.h"
#include "tree/flex.h"

#include <string.h>

// One column of Theta: a wrench w about the origin of link i, projected on every speed from there to the frame (or to
// the nearest body with six freedoms),  entry_v = e_v.torque + l_v.force,  and shifted by rho from link to parent.
// A node's rows go to the modes, by G'. Returns the place behind the last entry.
static double *hand_up(const kane_tree *tree, int i, const kane_tree_work *work, kane_wrench w, double *entry)
{
    for (int j = i; j >= 0; j = tree->links[j].parent) {
        const kane_link *link = &tree->links[j];
        const kane_flex *flex = link->role == KANE_FLEX_NODE ? &tree->flexes[link->flex] : NULL;
        const int count       = flex ? flex->count : link->v_count;
        double rows[6];
        composite_project(link, work, w, rows);
        for (int m = 0; m < count; m++)
            entry[m] = flex ? 0.0 : rows[m];
        if (flex)
            kane_flex_fold(flex, j, rows, entry);
        entry += count;
        if (!composite_loads_parent(link))
            break;
        w = kane_tree_at_parent(j, work, w);
    }
    return entry;
}

// Columns of a carrier's modes: lower half of their inertia W, then the carrier's speeds under their wrench (W_n, W_f).
// Needs kane_tree_composite.
static double *fill_modes(const kane_tree *tree, int carrier, const kane_tree_work *work, double *entry)
{
    const kane_flex *flex     = &tree->flexes[tree->links[carrier].flex];
    const kane_flex_work *own = &work->flex[tree->links[carrier].flex];
    for (int k = 0; k < flex->count; k++) {
        for (int m = 0; m <= k; m++)
            *entry++ = own->W[k * flex->count + m];
        entry = hand_up(tree, carrier, work, (kane_wrench){own->W_f[k], own->W_n[k]}, entry);
    }
    return entry;
}

// Mode links have no inertia of their own, nor has a point of a deformable body without mass and without attached
// links.
static inline int is_left_out(const kane_link *link, const kane_spatial *composite)
{
    return link->role == KANE_FLEX_MODE || (link->role == KANE_FLEX_NODE && composite->M[0] == 0.0);
}

// Composite inertia, I_p += I shifted by rho, leaves first; a node's also enters the inertia of the modes.
void kane_tree_composite(const kane_tree *tree, int link_count, const int *links, const kane_tree_work *work,
                         kane_spatial *inertia)
{
    for (int n = 0; n < link_count; n++)
        if (tree->links[links[n]].role == KANE_FLEX_FRAME)
            kane_flex_begin_composite(&tree->flexes[tree->links[links[n]].flex],
                                      &work->flex[tree->links[links[n]].flex]);
    for (int n = link_count - 1; n >= 0; n--) {
        const int i           = links[n];
        const kane_link *link = &tree->links[i];
        if (is_left_out(link, &inertia[i]))
            continue;
        if (link->role == KANE_FLEX_NODE)
            kane_flex_add_composite(tree, i, work, &inertia[i]);
        if (composite_loads_parent(link))
            ksp_add_shifted(&inertia[link->parent], &inertia[i], work->link[i].rho);
    }
}

// Theta (41) by composite bodies:  Theta_rc = s_r . (I_c s_c), I_c the composite inertia of the link of speed c, its
// wrench shifted to the link of speed r; armature on the diagonal.
void kane_tree_theta(const kane_tree *tree, int link_count, const int *links, const kane_tree_work *work,
                     kane_spatial *inertia, double *entries)
{
    kane_tree_composite(tree, link_count, links, work, inertia);
    for (int n = link_count - 1; n >= 0; n--) {
        const int i           = links[n];
        const kane_link *link = &tree->links[i];
        if (link->role == KANE_FLEX_MODE || link->role == KANE_FLEX_NODE)
            continue;
        for (int k = 0; k < link->v_count; k++) {
            double *own = entries;
            entries = hand_up(tree, i, work, composite_needs(&inertia[i], composite_motion(link, work, k)), entries);
            own[k] += kane_link_armature(link, k);
        }
        if (link->role == KANE_FLEX_FRAME)
            entries = fill_modes(tree, i, work, entries);
    }
}

// Rigid inertia of every link, from kane_tree_move and before kane_tree_solve, which overwrites it.
void kane_tree_inertia(const kane_tree *tree, int link_count, const int *links, const kane_tree_work *work,
                       kane_spatial *inertia)
{
    for (int n = 0; n < link_count; n++) {
        const kane_link *link = &tree->links[links[n]];
        const int has_none    = link->role == KANE_FLEX_NODE && !(link->mass > 0.0 || link->coupled); // it is not set
        inertia[links[n]]     = has_none ? (kane_spatial){.H = km3_zero()} : work->link[links[n]].I;
    }
}

// Rigid inertia of link i from its attitude, with what modes add to a carrier; into work->whole.
static void add_rigid(const kane_tree *tree, int i, const kane_tree_work *work)
{
    const kane_link *link = &tree->links[i];
    work->whole[i]        = ksp_of_link(link, work->link[i].R);
    if (link->role == KANE_FLEX_FRAME)
        kane_flex_add_inertia(&tree->flexes[link->flex], work, &work->whole[i]);
}

// Rigid inertia from attitudes, then kane_tree_theta.
void kane_tree_theta_rigid(const kane_tree *tree, int link_count, const int *links, const kane_tree_work *work,
                           double *entries)
{
    for (int n = 0; n < link_count; n++)
        add_rigid(tree, links[n], work);
    kane_tree_theta(tree, link_count, links, work, work->whole, entries);
}

// The places that hand_up fills in the column of a speed; out NULL: counted only.
static int list_column(const kane_tree *tree, int i, const int *place, int column, kane_theta_place *out)
{
    int count = 0;
    for (int j = i; j >= 0; j = composite_loads_parent(&tree->links[j]) ? tree->links[j].parent : -1) {
        const kane_link *link = &tree->links[j];
        const kane_flex *flex = link->role == KANE_FLEX_NODE ? &tree->flexes[link->flex] : NULL;
        for (int m = 0; m < (flex ? flex->count : link->v_count); m++, count++)
            if (out)
                out[count] = (kane_theta_place){place[(flex ? flex->v : link->v) + m], column};
    }
    return count;
}

// The places that fill_modes fills, in its order; out NULL: counted only.
static int list_modes(const kane_tree *tree, int carrier, const int *place, kane_theta_place *out)
{
    const kane_flex *flex = &tree->flexes[tree->links[carrier].flex];
    int count             = 0;
    for (int k = 0; k < flex->count; k++) {
        for (int m = 0; m <= k; m++, count++)
            if (out)
                out[count] = (kane_theta_place){place[flex->v + m], place[flex->v + k]};
        count += list_column(tree, carrier, place, place[flex->v + k], out ? out + count : NULL);
    }
    return count;
}

// The places in the order of kane_tree_theta: columns of hand_up and fill_modes.
int kane_tree_theta_places(const kane_tree *tree, int link_count, const int *links, const int *place,
                           kane_theta_place *out)
{
    int count = 0;
    for (int n = link_count - 1; n >= 0; n--) {
        const kane_link *link = &tree->links[links[n]];
        const int has_columns = link->role != KANE_FLEX_MODE && link->role != KANE_FLEX_NODE;
        for (int k = 0; k < link->v_count && has_columns; k++)
            count += list_column(tree, links[n], place, place[link->v + k], out ? out + count : NULL);
        if (link->role == KANE_FLEX_FRAME)
            count += list_modes(tree, links[n], place, out ? out + count : NULL);
    }
    return count;
}

// f_v = drive_v - (e_v.n + l_v.f), the generalised forces (60) of a wrench (n, f) that is needed. Of a node: added
// along the modes, f += G' rows.
static void put_forces(const kane_tree *tree, const kane_link *link, const int *place, const kane_tree_work *work,
                       kane_wrench needed, double *f)
{
    double rows[6];
    composite_project(link, work, needed, rows);
    for (int k = 0; k < link->v_count; k++)
        rows[k] = -rows[k];
    if (link->role == KANE_FLEX_NODE) {
        const kane_flex *flex = &tree->flexes[link->flex];
        kane_flex_fold(flex, (int)(link - tree->links), rows, f + place[flex->v]);
        return;
    }
    for (int k = 0; k < link->v_count; k++)
        f[place[link->v + k]] = work->drive[link->v + k] + rows[k];
}

// f of Theta v_dot = f (43), from the wrench that each link and all beyond it need at v_dot = 0, less what acts on
// them:
//   (n, f)_p += (n + rho x f, f),   f_v = drive_v - s_v.(n, f)
void kane_tree_forces(const kane_tree *tree, int link_count, const int *links, const int *place,
                      const kane_tree_work *work, kane_wrench *load, double *f)
{
    kane_wrench *scratch = load; // what links need, less what acts
    for (int n = 0; n < link_count; n++) {
        const kane_link *link = &tree->links[links[n]];
        kane_wrench *own      = &scratch[links[n]];
        own->force            = kv3_sub(work->link[links[n]].f, own->force);
        own->torque           = kv3_sub(work->link[links[n]].n, own->torque);
        if (link->role == KANE_FLEX_MODE)
            f[place[link->v]] =
                work->drive[link->v] - work->flex[link->flex].need[link->v - tree->flexes[link->flex].v];
    }
    for (int n = link_count - 1; n >= 0; n--) {
        const int i           = links[n];
        const kane_link *link = &tree->links[i];
        const kane_wrench w   = scratch[i];
        if (link->role == KANE_FLEX_MODE || link->idle)
            continue;
        put_forces(tree, link, place, work, w, f);
        if (composite_loads_parent(link))
            scratch[link->parent] = kw_add(scratch[link->parent], kane_tree_at_parent(i, work, w));
    }
}

// With full accelerations a + da, al + dal, and the deformation of a carrier (docs/mechanisms.md, section 2):
//   n = w x J w + J al + m c x a     f = m a + al x m c + w x (w x m c)
kane_wrench kane_tree_needed(const kane_tree *tree, int i, const kane_tree_work *work)
{
    const kane_link *link    = &tree->links[i];
    const kane_link_state *s = &work->link[i];
    const kane_vec3 a = kv3_add(s->a, s->da), al = kv3_add(s->al, s->dal);
    const kane_vec3 mc = km3_mulv(s->R, kv3_scale(link->mass, link->c));
    double J[6];
    ksym_turn(kane_link_inertia_axes(link, work->q, s->R), link->J, J);
    kane_wrench w;
    w.torque = kv3_add(kv3_cross(s->w, ksym_mulv(J, s->w)), ksym_mulv(J, al));
    w.torque = kv3_add(w.torque, kv3_cross(mc, a));
    w.force  = kv3_add_scaled(kv3_cross(al, mc), link->mass, a);
    w.force  = kv3_add(w.force, kv3_cross(s->w, kv3_cross(s->w, mc)));
    if (link->role == KANE_FLEX_FRAME)
        w = kw_add(w, kane_flex_needed(&tree->flexes[link->flex], &work->flex[link->flex], work, NULL));
    return w;
}

// Joint wrench of a link = sum of (needed - acting) over the link and all beyond its joint, about its origin.
// A free body needs no joint: zero.
void kane_tree_transmit(const kane_tree *tree, kane_links links, const kane_tree_work *work, const kane_wrench *acting,
                        kane_wrench *joint)
{
    for (int i = links.first; i < links.end; i++)
        joint[i] = (kane_wrench){kv3_zero(), kv3_zero()};
    for (int i = links.end - 1; i >= links.first; i--) {
        const int parent = tree->links[i].parent;
        if (kane_link_is_free(&tree->links[i])) { // no joint force
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
