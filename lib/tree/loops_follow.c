// SPDX-License-Identifier: MIT
// Dependent coordinates and speeds of a cluster from the independent ones (47), (48).

#include "tree/loops_work.h"

#include <string.h>

enum { MOST_ITERATIONS = 25 };

// The residual after a step of Newton's method is proportional to the step times the distance since the rows were
// linearised. Below this product it is round-off [m^2], [rad^2].
static const double nothing_left = 1e-18;

// Up to the first distance the rows are not linearised anew [m], [rad]. A step below the second may be round-off of
// large angles: rows linearised there decide.
static const double near = 1e-4, small_step = 1e-9;

// Steps of this size are round-off and are not taken; a little more behind a closed form.
static const double no_step = 1e-15, no_step_closed = 1e-13;

// Larger steps are cut, because they could leave the region of convergence [m], [rad].
static const double longest_step = 0.5;

// The independent ones of work->v.
void kane_cluster_get_speeds(const kane_cluster_work *s, double *u)
{
    const int *from = kane_cluster_independent(s);
    for (int k = 0; k < s->cluster->u_count; k++)
        u[k] = s->e.work->v[from[k]];
}

// Loops in closed form, repeated until none finds more: one result may be the input of another loop. 1: any was found.
static int close_loops(kane_cluster_work *s)
{
    int any = 0;
    memcpy(s->unknown, s->dependent, (size_t)s->e.tree->v_count * sizeof *s->unknown);
    for (int found = 1; found;) {
        found = 0;
        for (int i = 0; i < s->cluster->closure_count; i++) {
            if (!s->closed[i].recognised)
                continue;
            kane_cluster_place(s);
            found |= kane_closed_solve(&s->closed[i], s->unknown, s->e.work);
        }
        any |= found;
    }
    return any;
}

// Newton step of the dependent coordinates, s->g [position_rank]:  P_d x = -Phi,  P_d factored. Returns its largest
// component before cutting; infinite if not finite.
static double newton_step(kane_cluster_work *s)
{
    const int rank = s->cluster->position_rank;
    double most    = 0.0;
    for (int i = 0; i < rank; i++)
        s->g[i] = -s->value[s->row[i]];
    kane_blocks_solve_positions(s, s->g);
    for (int k = 0; k < rank; k++)
        most = fmax(most, fabs(s->g[k]));
    for (int k = 0; k < rank && most > longest_step; k++)
        s->g[k] *= longest_step / most;
    return isfinite(most) ? most : HUGE_VAL;
}

// Dependent coordinates by a fixed number of steps: a recording (lib/record) must not depend on data.
static int follow_by_steps(kane_cluster_work *s)
{
    int open = 0;
    (void)close_loops(s);
    for (int k = 0; k < s->cluster->position_rank; k++)
        open |= s->unknown[s->cluster->speeds[s->column[k]]];
    for (int step = 0; step < s->fixed_steps && open; step++) {
        kane_cluster_place(s);
        kane_cluster_rows_placed(s, KANE_ROWS_COEFFICIENTS);
        if (!kane_blocks_factor_positions(s))
            return 0;
        (void)newton_step(s);
        kane_cluster_shift_dependent(s, s->g);
    }
    kane_cluster_place(s);
    kane_cluster_rows_placed(s, KANE_ROWS_COEFFICIENTS);
    return 1;
}

// Newton's method for the dependent coordinates, starting from those in work->q, after closed forms. Leaves values and
// coefficients of the rows at the solution. 0: no convergence, or P_d is singular.
static int follow_positions(kane_cluster_work *s)
{
    if (s->fixed_steps > 0)
        return follow_by_steps(s);
    const double enough   = close_loops(s) ? no_step_closed : no_step;
    kane_rows_part wanted = KANE_ROWS_COEFFICIENTS;
    double way            = 0.0; // since rows were linearised
    int is_done           = s->cluster->position_rank == 0;
    for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
        kane_cluster_place(s);
        kane_cluster_rows_placed(s, wanted);
        if (is_done)
            return 1;
        if (wanted == KANE_ROWS_COEFFICIENTS && !kane_blocks_factor_positions(s))
            return 0;
        const double step = newton_step(s);
        if (step <= enough && wanted == KANE_ROWS_COEFFICIENTS)
            return 1;
        if (!isfinite(step))
            return 0;
        kane_cluster_shift_dependent(s, s->g);
        way     = wanted == KANE_ROWS_COEFFICIENTS ? step : way + step;
        is_done = step <= enough || step * way <= nothing_left;
        wanted  = is_done || way > near || step <= small_step ? KANE_ROWS_COEFFICIENTS : KANE_ROWS_VALUES;
    }
    return 0;
}

// v_d -= P_d^-1 Phi': the rates of all rows in use vanish.
static void correct_speeds(kane_cluster_work *s)
{
    const kane_cluster *cluster = s->cluster;
    for (int i = 0; i < cluster->rank; i++)
        s->g[i] = -s->rate[s->row[i]];
    kane_blocks_solve(s, s->g);
    for (int i = 0; i < cluster->rank; i++)
        s->e.work->v[cluster->speeds[s->column[i]]] += s->g[i];
}

// Velocity (as force) and angular velocity (as torque) of every link, by prescribed coordinates alone, into s->wrench:
//   w = w_p + sum e_k q_k',   v = v_p + w_p x rho + sum l_k q_k'
static void move_by_given(kane_cluster_work *s)
{
    const kane_tree_work *work = s->e.work;
    for (int n = 0; n < s->cluster->link_count; n++) {
        const int i           = s->cluster->links[n];
        const kane_link *link = &s->e.tree->links[i];
        kane_wrench *own      = &s->wrench[i];
        *own                  = (kane_wrench){kv3_zero(), kv3_zero()};
        if (link->parent >= 0 && link->kind != KANE_LINK_BODY) {
            const kane_wrench p = s->wrench[link->parent];
            own->force          = kv3_add(p.force, kv3_cross(p.torque, work->link[i].rho));
            own->torque         = p.torque;
        }
        for (int k = 0; k < link->step_count; k++) {
            const kane_step *step = &link->step[k];
            double f[4];
            if (step->mode != KANE_STEP_GIVEN)
                continue;
            kane_step_given(work, step, f);
            kane_vec3 *moves = k < link->slide_count ? &own->force : &own->torque;
            *moves           = kv3_add_scaled(*moves, f[1], work->given_axis[step->q]);
        }
    }
}

// v_d -= P_d^-1 Phi_t [local speeds], Phi_t the rates of the rows by prescribed coordinates of joints alone.
static void subtract_given_rates(kane_cluster_work *s, double *v)
{
    const kane_cluster *cluster = s->cluster;
    move_by_given(s);
    for (int i = 0; i < cluster->closure_count; i++) {
        const kane_constraint_rows_values *values = &s->values[i];
        for (int k = 0; k < cluster->closures[i]->row_count; k++)
            s->rate[cluster->row_begin[i] + k] = 0.0;
        for (int k = 0; k < values->direction_count; k++) {
            const kane_wrench direction = values->direction[k].wrench, moves = s->wrench[values->direction[k].link];
            s->rate[cluster->row_begin[i] + values->direction[k].row] +=
                kv3_dot(direction.force, moves.force) + kv3_dot(direction.torque, moves.torque);
        }
    }
    for (int i = 0; i < cluster->rank; i++)
        s->g[i] = -s->rate[s->row[i]];
    kane_blocks_solve(s, s->g);
    for (int i = 0; i < cluster->rank; i++)
        v[s->column[i]] += s->g[i];
}

// v = A u + C (47), (48), with the dependent coordinates. With multipliers v = u.
//   C = -P_d^-1 Phi_t from prescribed joint coordinates; other motion over time: from the rates of the rows
int kane_cluster_solve_speeds(kane_cluster_work *s, const double *u)
{
    const kane_cluster *cluster = s->cluster;
    if (cluster->form == KANE_FORM_MULTIPLIERS) {
        for (int k = 0; k < cluster->v_count; k++)
            s->e.work->v[cluster->speeds[k]] = u[k];
        return 1;
    }
    if (!s->chosen || !follow_positions(s) || !kane_cluster_factor(s))
        return 0;

    // v = A u without what is given over time, then what the rates of the rows say
    memset(s->v_dot, 0, (size_t)cluster->v_count * sizeof *s->v_dot);
    kane_blocks_solve_position(s, u, s->v_dot);
    if (cluster->drive == KANE_DRIVE_STEPS)
        subtract_given_rates(s, s->v_dot);
    for (int k = 0; k < cluster->v_count; k++)
        s->e.work->v[cluster->speeds[k]] = s->v_dot[k];
    if (cluster->drive == KANE_DRIVE_ANY) {
        kane_cluster_move_placed(s);
        kane_cluster_rows_moved(s);
        correct_speeds(s);
    }
    return 1;
}

// Motion of all links, rates and second derivatives of the rows at v_dot = 0. 0: not finite.
int kane_cluster_solve_motion(kane_cluster_work *s)
{
    if (s->cluster->form == KANE_FORM_MULTIPLIERS) {
        kane_cluster_move(s);
        return 1;
    }
    kane_cluster_move_placed(s);
    kane_cluster_rows_moved(s);
    return kane_cluster_finite(s);
}

int kane_cluster_solve_position(kane_cluster_work *s, const double *u)
{
    return kane_cluster_solve_speeds(s, u) && kane_cluster_solve_motion(s);
}
