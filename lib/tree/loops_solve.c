// SPDX-License-Identifier: MIT
// Accelerations and multipliers of a cluster.

#include "tree/loops_derive.h"
#include "tree/loops_work.h"
#include "tree/flex.h"

#include <string.h>

// Combinations of rows whose size squared is below this exert no force (loops_multipliers.c).
static const double regularisation = 1e-14;

// g of  v_dot = A u_dot + g  (docs/mechanisms.md, section 5), by the dependent speeds [rank]:  g = -P_d^-1 b,  P_d the
// dependent part of the rows, b their second derivatives at v_dot = 0.
static void find_given(kane_cluster_work *s, const double *acceleration)
{
    for (int i = 0; i < s->cluster->rank; i++)
        s->g[i] = -acceleration[s->row[i]];
    kane_blocks_solve(s, s->g);
}

// A' Theta A u_dot = A' (f - Theta g),   v_dot = A u_dot + g. Needs kane_cluster_factor and f. 0: the inertia is
// singular.
static int solve_coefficients(kane_cluster_work *s, double *u_dot)
{
    const kane_cluster *cluster = s->cluster;
    const int rank = cluster->rank, u = cluster->v_count - rank;
    find_given(s, s->bias);
    kane_tree_inertia(s->e.tree, cluster->link_count, cluster->links, s->e.work, s->spatial);
    kane_cluster_see_rods(s, s->spatial);
    kane_tree_composite(s->e.tree, cluster->link_count, cluster->links, s->e.work, s->spatial);
    kane_blocks_sum_inertia(s, s->x);
    if (!kane_blocks_factor_inertia(s))
        return 0;
    kane_blocks_inward_forces(s, s->f, u_dot);
    for (int k = 0; k < u; k++)
        u_dot[k] -= s->x[k];
    kane_blocks_accelerate(s, u_dot);
    memset(s->v_dot, 0, (size_t)cluster->v_count * sizeof *s->v_dot);
    for (int i = 0; i < rank; i++)
        s->v_dot[s->column[i]] = s->g[i];
    kane_blocks_solve_position(s, u_dot, s->v_dot);
    return 1;
}

// Row of  Theta v_dot - f  of one local speed: the generalised force that it lacks.
static double speed_residual(const kane_cluster_work *s, int speed)
{
    const kane_cluster *cluster = s->cluster;
    double sum                  = -s->f[speed];
    for (int k = cluster->theta_row_begin[speed]; k < cluster->theta_row_begin[speed + 1]; k++) {
        const kane_theta_place at = cluster->theta_place[cluster->theta_row[k]];
        sum += s->theta[cluster->theta_row[k]] * s->v_dot[at.row == speed ? at.column : at.row];
    }
    return sum;
}

// lambda of the rows in use from the dependent speeds:  P_d' lambda = (Theta v_dot - f)_d. Redundant rows have zero.
// Needs kane_cluster_find_theta.
static void find_multipliers(kane_cluster_work *s)
{
    const int rank = s->cluster->rank;
    for (int i = 0; i < rank; i++)
        s->x[i] = speed_residual(s, s->column[i]);
    kane_blocks_solve_transposed(s, s->x);
    for (int i = 0; i < s->cluster->row_count; i++)
        s->lambda[i] = 0.0;
    for (int i = 0; i < rank; i++)
        s->lambda[s->row[i]] = s->x[i];
}

// du_dot for changes df of the forces and `dacceleration` of the rows' second derivatives, v held:
//   M du_dot = A' (df - Theta g),   g = -P_d^-1 dacceleration;   multipliers: the sparse equations of section 5
void kane_cluster_respond(kane_cluster_work *s, const double *df, const double *dacceleration, double *du_dot)
{
    const kane_cluster *cluster = s->cluster;
    if (cluster->form == KANE_FORM_COEFFICIENTS) {
        memcpy(s->x, df, (size_t)cluster->v_count * sizeof *s->x);
        find_given(s, dacceleration);
        kane_blocks_subtract_inertia(s, s->g, s->x);
        kane_blocks_inward_forces(s, s->x, du_dot);
        kane_blocks_accelerate(s, du_dot);
        return;
    }
    for (int i = 0; i < cluster->row_count; i++)
        s->g[i] = -dacceleration[i];
    kane_cluster_sparse_solve(s, df, s->g);
    memcpy(du_dot, s->y, (size_t)cluster->v_count * sizeof *du_dot);
}

// [Theta Phi'; Phi 0] [v_dot; -lambda] = [f; -b]. Needs Theta, scales and rows. 0: singular.
static int solve_multipliers(kane_cluster_work *s, double *u_dot)
{
    const kane_cluster *cluster = s->cluster;
    const int n                 = cluster->v_count;
    if (!kane_cluster_sparse_factor(s, regularisation))
        return 0;
    for (int i = 0; i < cluster->row_count; i++)
        s->g[i] = -s->bias[i];
    kane_cluster_sparse_solve(s, s->f, s->g);
    for (int k = 0; k < n; k++)
        u_dot[k] = s->v_dot[k] = s->y[k];
    for (int i = 0; i < cluster->row_count; i++)
        s->lambda[i] = s->y[n + i];
    return 1;
}

// kane_cluster_respond, and  dv_dot = A du_dot + g.
void kane_cluster_respond_all(kane_cluster_work *s, const double *df, const double *dacceleration, double *du_dot,
                              double *v_dot)
{
    const kane_cluster *cluster = s->cluster;
    kane_cluster_respond(s, df, dacceleration, du_dot);
    if (cluster->form == KANE_FORM_MULTIPLIERS) {
        memcpy(v_dot, s->y, (size_t)cluster->v_count * sizeof *v_dot);
        return;
    }
    memset(v_dot, 0, (size_t)cluster->v_count * sizeof *v_dot);
    for (int i = 0; i < cluster->rank; i++)
        v_dot[s->column[i]] = s->g[i];
    kane_blocks_solve_position(s, du_dot, v_dot);
}

// === Responses to additional wrenches w with all loops closed; J: partial velocities of the links, v_dot = A u_dot
//
//   A' Theta A du_dot = A' J' w,  or  [Theta Phi'; Phi 0] [dv_dot; -dlambda] = [J' w; 0]

// Factors the sparse equations at the present position, in both forms, with the regularisation of projections.
int kane_cluster_prepare_response(kane_cluster_work *s)
{
    kane_cluster_theta(s);
    kane_cluster_scale(s);
    kane_cluster_rows(s);
    memset(s->g, 0, (size_t)s->cluster->row_count * sizeof *s->g);
    return kane_cluster_sparse_factor(s, KANE_PROJECTION_LOOSE);
}

// df = J' applied of all links, and the response s->dv [v_count]; u_dot [u_count] in the form of coefficients.
//   sparse  1: by the equations with multipliers
static void find_gap_response(kane_cluster_work *s, int sparse, const kane_wrench *applied, double *u_dot)
{
    const kane_cluster *cluster = s->cluster;
    memset(s->df, 0, (size_t)cluster->v_count * sizeof *s->df);
    for (int n = 0; n < cluster->link_count; n++) {
        const kane_wrench w = applied[cluster->links[n]];
        if (kv3_dot(w.force, w.force) + kv3_dot(w.torque, w.torque) != 0.0)
            kane_tree_spread_wrench(s->e.tree, cluster->place, s->e.work, cluster->links[n], -1, w, s->df);
    }
    if (sparse) {
        memset(s->g, 0, (size_t)cluster->row_count * sizeof *s->g);
        kane_cluster_sparse_solve(s, s->df, s->g);
        memcpy(s->dv, s->y, (size_t)cluster->v_count * sizeof *s->dv);
        return;
    }
    kane_blocks_inward_forces(s, s->df, u_dot);
    kane_blocks_accelerate(s, u_dot);
    memset(s->dv, 0, (size_t)cluster->v_count * sizeof *s->dv);
    kane_blocks_solve_position(s, u_dot, s->dv);
}

// dv of the speeds, then link by link  a = a_p + al_p x rho + sum l_k dv_k,   al = al_p + sum e_k dv_k.
void kane_cluster_find_response(kane_cluster_work *s, int is_struck, const kane_wrench *applied, kane_wrench *response,
                                double *v_dot)
{
    const kane_tree *tree       = s->e.tree;
    const kane_cluster *cluster = s->cluster;
    const kane_tree_work *work  = s->e.work;
    find_gap_response(s, is_struck || cluster->form == KANE_FORM_MULTIPLIERS, applied, s->x);
    for (int k = 0; k < cluster->v_count; k++)
        v_dot[cluster->speeds[k]] = s->dv[k];
    for (int n = 0; n < cluster->link_count; n++) {
        const int i           = cluster->links[n];
        const kane_link *link = &tree->links[i];
        const double *own     = v_dot + link->v;
        kane_wrench a         = {kv3_zero(), kv3_zero()};
        if (link->role == KANE_FLEX_MODE)
            continue;
        if (link->kind == KANE_LINK_BODY) {
            a = (kane_wrench){kv3(own[0], own[1], own[2]), kv3(own[3], own[4], own[5])};
        } else {
            if (link->parent >= 0) {
                const kane_wrench p = response[link->parent];
                a                   = (kane_wrench){kv3_add(p.force, kv3_cross(p.torque, work->link[i].rho)), p.torque};
            }
            for (int k = 0; k < link->v_count; k++) {
                a.force  = kv3_add_scaled(a.force, own[k], work->axis[link->v + k].l);
                a.torque = kv3_add_scaled(a.torque, own[k], work->axis[link->v + k].e);
            }
        }
        response[i] = a;
        if (link->role == KANE_FLEX_FRAME)
            kane_flex_nodes_follow(&tree->flexes[link->flex], tree->links, v_dot);
    }
}

// f += J' applied,   v_dot += dv,   and with multipliers lambda += dlambda; da, dal follow.
void kane_cluster_add_response(kane_cluster_work *s, const kane_wrench *applied, double *u_dot)
{
    const kane_cluster *cluster = s->cluster;
    const int sparse            = cluster->form == KANE_FORM_MULTIPLIERS;
    find_gap_response(s, sparse, applied, s->x);
    for (int k = 0; k < cluster->v_count; k++) {
        s->f[k] += s->df[k];
        s->v_dot[k] += s->dv[k];
        s->e.work->v_dot[cluster->speeds[k]] = s->v_dot[k];
    }
    for (int k = 0; k < cluster->u_count; k++)
        u_dot[k] = sparse ? s->v_dot[k] : u_dot[k] + s->x[k];
    for (int i = 0; i < cluster->row_count && sparse; i++)
        s->lambda[i] += s->y[cluster->v_count + i];
    for (int i = 0; i < s->tree_count; i++)
        kane_tree_accelerate(s->e.tree, s->trees[i], s->e.work);
}

// Partial derivatives by u: row = A' J' w at the independent speeds; with multipliers J' w.
void kane_cluster_spread(kane_cluster_work *s, int link, kane_wrench w, double *row)
{
    const kane_cluster *cluster = s->cluster;
    memset(s->df, 0, (size_t)cluster->v_count * sizeof *s->df);
    kane_tree_spread_wrench(s->e.tree, cluster->place, s->e.work, link, -1, w, s->df);
    if (cluster->form == KANE_FORM_MULTIPLIERS) {
        for (int k = 0; k < cluster->v_count; k++)
            row[cluster->speeds[k]] = s->df[k];
        return;
    }
    kane_blocks_inward_forces(s, s->df, s->x);
    for (int k = 0; k < cluster->u_count; k++)
        row[s->independent[k]] = s->x[k];
}

// Displacements of local speeds, moved by kane_cluster_shift.
void kane_cluster_displace(kane_cluster_work *s, const double *v_dot)
{
    for (int k = 0; k < s->cluster->v_count; k++)
        s->dv[k] = v_dot[s->cluster->speeds[k]];
    kane_cluster_shift(s, s->dv);
}

// f [v_count] of the tree, with the wrenches of rods with mass on their links.
static void find_forces(kane_cluster_work *s)
{
    const kane_cluster *cluster = s->cluster;
    for (int i = 0; i < cluster->link_count; i++)
        s->wrench[cluster->links[i]] = (kane_wrench){kv3_zero(), kv3_zero()};
    kane_cluster_apply_rods(s, s->wrench);
    kane_tree_forces(s->e.tree, cluster->link_count, cluster->links, cluster->place, s->e.work, s->wrench, s->f);
}

// docs/mechanisms.md, section 5. A NaN in v_dot counts as singular.
int kane_cluster_solve(kane_cluster_work *s, double *u_dot)
{
    const kane_cluster *cluster = s->cluster;
    const int by_multipliers    = cluster->form == KANE_FORM_MULTIPLIERS;
    s->rod_solved               = s->rod_inertia;
    if (by_multipliers) {
        kane_cluster_theta(s);
        kane_cluster_scale(s);
        kane_cluster_rows(s);
    }
    find_forces(s);
    const int solved = by_multipliers ? solve_multipliers(s, u_dot) : solve_coefficients(s, u_dot);
    double sum       = 0.0;
    for (int k = 0; k < cluster->v_count && solved; k++) {
        s->e.work->v_dot[cluster->speeds[k]] = s->v_dot[k];
        sum += 0.0 * s->v_dot[k];
    }
    if (!solved || sum != 0.0)
        return 0;
    for (int i = 0; i < s->tree_count; i++)
        kane_tree_accelerate(s->e.tree, s->trees[i], s->e.work);
    return 1;
}

// Theta with the rods' inertia as it was in the last solution.
void kane_cluster_find_theta(kane_cluster_work *s)
{
    const kane_rod_inertia next = s->rod_inertia;
    if (s->cluster->form != KANE_FORM_COEFFICIENTS)
        return;
    s->rod_inertia = s->rod_solved;
    kane_cluster_theta(s);
    s->rod_inertia = next;
}

const double *kane_cluster_multipliers(kane_cluster_work *s)
{
    if (s->cluster->form == KANE_FORM_COEFFICIENTS)
        find_multipliers(s);
    return s->lambda;
}

// Index of a row among those in use, -1: it is redundant.
static int find_used(const kane_cluster_work *s, int row)
{
    for (int i = 0; i < s->cluster->rank; i++)
        if (s->row[i] == row)
            return i;
    return -1;
}

// lambda = (P_d^-1 e)' (Theta v_dot - f)_d, e the unit vector of the row. Only members of its block have non-zero
// entries; each residual is evaluated once for all rows.
void kane_cluster_release(kane_cluster_work *s, int count, const int *rows, double *lambda)
{
    const int has_choice = s->cluster->form == KANE_FORM_COEFFICIENTS;
    for (int i = 0; i < s->cluster->rank && has_choice; i++)
        s->lacks[i] = (double)NAN; // not known
    for (int r = 0; r < count; r++) {
        const int one = has_choice ? find_used(s, rows[r]) : -1;
        lambda[r]     = has_choice ? 0.0 : s->lambda[rows[r]];
        if (one < 0)
            continue;
        const kane_loop_block *b = kane_blocks_solve_unit(s, one);
        for (int m = 0; m < b->count; m++) {
            double *lack = &s->lacks[b->member[m]];
            if (s->of_block[m] == 0.0)
                continue;
            if (isnan(*lack))
                *lack = speed_residual(s, s->column[b->member[m]]);
            lambda[r] += s->of_block[m] * *lack;
        }
    }
}

const kane_constraint_rows_values *kane_cluster_values(const kane_cluster_work *s, int closure)
{
    return &s->values[closure];
}

// max |Phi|, max |Phi'| over all rows.
void kane_cluster_drift(kane_cluster_work *s, double *value, double *rate)
{
    *value = *rate = 0.0;
    kane_cluster_rows(s);
    for (int i = 0; i < s->cluster->row_count; i++) {
        *value = fmax(*value, fabs(s->value[i]));
        *rate  = fmax(*rate, fabs(s->rate[i]));
    }
}
