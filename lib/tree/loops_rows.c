// SPDX-License-Identifier: MIT
// Rows of a cluster's constraints, as coefficients of its speeds; its inertia; small displacements of it.

#include "tree/loops_derive.h"
#include "tree/loops_work.h"
#include "tree/flex.h"

#include <string.h>

// kane_tree_place of the links on which constraints depend.
void kane_cluster_place(const kane_cluster_work *scratch)
{
    for (int i = 0; i < scratch->closing_count; i++)
        kane_tree_place(scratch->e.tree, scratch->closing[i], scratch->e.work);
}

// kane_tree_run of these, kane_tree_move of the others.
void kane_cluster_move_placed(const kane_cluster_work *scratch)
{
    for (int i = 0; i < scratch->closing_count; i++)
        kane_tree_run(scratch->e.tree, scratch->closing[i], scratch->e.bases, scratch->e.work);
    for (int i = 0; i < scratch->other_count; i++)
        kane_tree_move(scratch->e.tree, scratch->other[i], scratch->e.bases, scratch->e.work);
}

void kane_cluster_move(const kane_cluster_work *scratch)
{
    for (int i = 0; i < scratch->tree_count; i++)
        kane_tree_move(scratch->e.tree, scratch->trees[i], scratch->e.bases, scratch->e.work);
}

int kane_cluster_link_speeds(const kane_tree *tree, const kane_cluster *cluster, int link, int *first)
{
    const kane_link *l    = &tree->links[link];
    const kane_flex *flex = l->role == KANE_FLEX_NODE ? &tree->flexes[l->flex] : NULL;
    const int count       = flex ? flex->count : l->v_count;
    *first                = count > 0 ? cluster->place[flex ? flex->v : l->v] : 0;
    return count;
}

// row_v += value for a speed of the tree; a member's speed goes to the modes by its row of G.
void kane_cluster_apply_force(const kane_tree *tree, const kane_cluster *cluster, const int *place, int speed,
                              double value, double *row)
{
    const kane_flex *flex;
    if (cluster->place[speed] >= 0) {
        row[place[speed]] += value;
        return;
    }
    const double *G = kane_flex_row_of_speed(tree, speed, &flex);
    for (int k = 0; k < flex->count; k++)
        row[place[flex->v + k]] += value * G[k];
}

// slot[v]: place of a tree speed among the coefficients of a constraint's rows.
void kane_cluster_find_slots(kane_cluster_work *s, int closure)
{
    const kane_cluster *cluster = s->cluster;
    const int *at               = cluster->coefficient_begin + cluster->row_begin[closure];
    for (int k = at[0]; k < at[1]; k++)
        s->slot[cluster->speeds[cluster->coefficient_speed[k]]] = k - at[0];
}

// Coefficients of one row by the speeds between a side and the apex:  J_v = l_v.force + e_v.torque. No other side of
// the row has these speeds.
static void fill_path(const kane_tree *tree, const kane_path_link *path, const kane_path_link *end,
                      const kane_tree_work *work, kane_wrench w, double *row)
{
    for (; path < end; path++) {
        const kane_link *link    = &tree->links[path->link];
        const kane_axis_state *a = &work->axis[link->v];
        double *to               = row + path->slot;
        if (link->kind == KANE_LINK_BODY) {
            const double along[6] = {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z};
            memcpy(to, along, sizeof along);
            return;
        }
        for (int k = 0; k < link->v_count; k++)
            to[k] = kv3_dot(a[k].l, w.force) + kv3_dot(a[k].e, w.torque);
        w.torque = kv3_add(w.torque, kv3_cross(work->link[path->link].rho, w.force));
    }
}

// Coefficients of one constraint from the directions of its rows (wrenches for a unit multiplier) on links.
static void fill_coefficients(kane_cluster_work *s, int i)
{
    const kane_tree *tree                     = s->e.tree;
    const kane_cluster *cluster               = s->cluster;
    const kane_constraint_rows_values *values = &s->values[i];
    const int *at                             = cluster->coefficient_begin + cluster->row_begin[i];
    const int *path                           = cluster->path_begin + 2 * i;
    if (path[2] > path[0]) {
        for (int k = 0; k < values->direction_count; k++) {
            const int side = values->direction[k].link == cluster->closures[i]->side[1].link;
            fill_path(tree, cluster->path + path[side], cluster->path + path[side + 1], s->e.work,
                      values->direction[k].wrench, s->J + at[values->direction[k].row]);
        }
        return;
    }
    memset(s->J + at[0], 0, (size_t)(at[cluster->closures[i]->row_count] - at[0]) * sizeof *s->J);
    kane_cluster_find_slots(s, i);
    for (int k = 0; k < values->direction_count; k++)
        if (values->direction[k].link >= 0)
            kane_tree_spread_wrench(tree, s->slot, s->e.work, values->direction[k].link, cluster->apex[i],
                                    values->direction[k].wrench, s->J + at[values->direction[k].row]);
    for (int k = 0; k < values->entry_count; k++) {
        const kane_speed_entry *e = &values->entry[k];
        kane_cluster_apply_force(tree, cluster, s->slot, e->v, e->value, s->J + at[e->row]);
    }
}

// Phi of one constraint; zero for rows of speeds.
static void fill_values(kane_cluster_work *s, int i)
{
    const kane_constraint_row_set *closure = s->cluster->closures[i];
    for (int k = 0; k < closure->row_count; k++)
        s->value[s->cluster->row_begin[i] + k] = k < closure->position_count ? s->values[i].value[k] : 0.0;
}

// Phi', and Phi'' at v_dot = 0, of one constraint.
static void fill_motion(kane_cluster_work *s, int i)
{
    const kane_cluster *cluster = s->cluster;
    for (int k = 0; k < cluster->closures[i]->row_count; k++) {
        s->rate[cluster->row_begin[i] + k] = s->values[i].rate[k];
        s->bias[cluster->row_begin[i] + k] = s->values[i].acceleration[k];
    }
}

// J, Phi, Phi', Phi''. Needs kane_cluster_move.
void kane_cluster_rows(kane_cluster_work *s)
{
    s->factored = 0;
    for (int i = 0; i < s->cluster->closure_count; i++) {
        kane_constraint_row_set_eval(&s->e, s->cluster->closures[i], 0, &s->values[i]);
        fill_values(s, i);
        fill_motion(s, i);
        fill_coefficients(s, i);
    }
}

// Phi, and J if wanted. Needs kane_cluster_place.
void kane_cluster_rows_placed(kane_cluster_work *s, kane_rows_part wanted)
{
    if (wanted == KANE_ROWS_COEFFICIENTS)
        s->factored = 0;
    for (int i = 0; i < s->cluster->closure_count; i++) {
        kane_constraint_row_set_eval_part(&s->e, s->cluster->closures[i], wanted, &s->values[i]);
        fill_values(s, i);
        if (wanted == KANE_ROWS_COEFFICIENTS)
            fill_coefficients(s, i);
    }
}

// Phi', and Phi'' at v_dot = 0. Needs kane_cluster_move_placed.
void kane_cluster_rows_moved(kane_cluster_work *s)
{
    for (int i = 0; i < s->cluster->closure_count; i++) {
        kane_constraint_row_set_eval_part(&s->e, s->cluster->closures[i], KANE_ROWS_MOTION, &s->values[i]);
        fill_motion(s, i);
    }
}

// out_p = J of the speed at position p of the choice.
void kane_cluster_row_by_partition(const kane_cluster_work *s, int row, int count, double *out)
{
    const kane_cluster *cluster = s->cluster;
    for (int k = 0; k < count; k++)
        out[k] = 0.0;
    for (int k = cluster->coefficient_begin[row]; k < cluster->coefficient_begin[row + 1]; k++) {
        const int position = s->position[cluster->coefficient_speed[k]];
        if (position < count)
            out[position] = s->J[k];
    }
}

// Tests Phi, Phi', Phi'' and J at once: 0 x is NaN unless x is finite.
int kane_cluster_finite(const kane_cluster_work *s)
{
    const kane_cluster *cluster = s->cluster;
    double sum                  = 0.0;
    for (int i = 0; i < cluster->row_count; i++)
        sum += 0.0 * (s->value[i] + s->rate[i] + s->bias[i]);
    for (int k = 0; k < cluster->coefficient_begin[cluster->row_count]; k++)
        sum += 0.0 * s->J[k];
    return sum == 0.0;
}

// --- inertia ---

// Lower bound of a scale, as part of the largest.
static const double least_scale = 1e-8;

// Scales of modes are increased by this factor, so that rigid motion is dependent before deformation.
static const double mode_scale = 30.0;

// Rigid inertia, point masses of rods, Theta of the tree, couplings of rods.
void kane_cluster_theta(kane_cluster_work *s)
{
    const kane_cluster *cluster = s->cluster;
    kane_tree_inertia(s->e.tree, cluster->link_count, cluster->links, s->e.work, s->spatial);
    kane_cluster_see_rods(s, s->spatial);
    kane_tree_theta(s->e.tree, cluster->link_count, cluster->links, s->e.work, s->spatial, s->theta);
    kane_cluster_couple_rods(s);
}

// scale_k = sqrt(Theta_kk), at least least_scale of the largest; modes by mode_scale more.
void kane_cluster_scale(kane_cluster_work *s)
{
    const kane_cluster *cluster = s->cluster;
    const int n                 = cluster->v_count;
    double greatest             = 0.0;
    for (int k = 0; k < n; k++) {
        s->scale[k] = sqrt(fmax(s->theta[cluster->theta_diagonal[k]], 0.0)) * (cluster->is_mode[k] ? mode_scale : 1.0);
        greatest    = fmax(greatest, s->scale[k]);
    }
    for (int k = 0; k < n; k++)
        s->scale[k] = greatest > 0.0 ? fmax(s->scale[k], least_scale * greatest) : 1.0;
}

// --- displacements: q += Q(q) dv, a motion at speeds dv for a unit of time ---

// dv by speeds of the tree, into s->delta; members follow the modes.
static void set_speed_changes(kane_cluster_work *s, const double *dv)
{
    const kane_tree *tree       = s->e.tree;
    const kane_cluster *cluster = s->cluster;
    for (int k = 0; k < cluster->v_count; k++)
        s->delta[cluster->speeds[k]] = dv[k];
    for (int i = 0; i < cluster->link_count; i++) {
        const kane_link *l = &tree->links[cluster->links[i]];
        if (l->role == KANE_FLEX_FRAME)
            kane_flex_nodes_follow(&tree->flexes[l->flex], tree->links, s->delta);
    }
}

// Parents before children, with the links at the old position.
void kane_cluster_shift(kane_cluster_work *s, const double *dv)
{
    set_speed_changes(s, dv);
    for (int i = 0; i < s->cluster->link_count; i++)
        kane_tree_shift(s->e.tree, s->cluster->links[i], s->delta, s->e.work);
}

// Jointed clusters: only links with dependent coordinates move, each by its own speeds.
static void shift_joints(kane_cluster_work *s, const double *dependent)
{
    const kane_tree *tree = s->e.tree;
    for (int i = 0; i < s->moved_count; i++)
        for (int k = 0; k < tree->links[s->moved[i]].v_count; k++)
            s->delta[tree->links[s->moved[i]].v + k] = 0.0;
    for (int k = 0; k < s->cluster->position_rank; k++)
        s->delta[s->cluster->speeds[s->column[k]]] = dependent[k];
    for (int i = 0; i < s->moved_count; i++) {
        const kane_link *l = &tree->links[s->moved[i]];
        if (l->kind == KANE_LINK_BODY)
            kane_tree_shift(tree, s->moved[i], s->delta, s->e.work);
        else
            kane_tree_shift_joint(l, s->delta, s->e.work);
    }
}

// q += Q dv for the dependent speeds; all others are zero.
void kane_cluster_shift_dependent(kane_cluster_work *s, const double *dependent)
{
    const kane_cluster *cluster = s->cluster;
    if (cluster->jointed) {
        shift_joints(s, dependent);
        return;
    }
    memset(s->v_dot, 0, (size_t)cluster->v_count * sizeof *s->v_dot);
    for (int k = 0; k < cluster->position_rank; k++)
        s->v_dot[s->column[k]] = dependent[k];
    kane_cluster_shift(s, s->v_dot);
}
