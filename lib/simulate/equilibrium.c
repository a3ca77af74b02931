// SPDX-License-Identifier: MIT
// Equilibrium: a state that does not change, f(y) = 0, found by pseudo-transient continuation.
//
//   (1/h - J) dy = f(y),   J = df/dy, sparse and exact
//
// One step of the implicit Euler rule, linearised: with a short h it follows the motion, with a long one it is Newton's
// step. h grows as long as a second step with the same matrix would add little to the first one, and shrinks where it
// would not, or where the step is large: wheels find their way along the profiles, into the flange and to two contacts.
// What gets too fast is stopped. The rule damps whatever oscillates once h is not small against its period, so that a
// vehicle that hunts has its equilibrium too. A finite h keeps directions in which nothing happens (a cylindrical
// wheelset sideways) from making the matrix singular.
//
// In the steady motion of a mechanism (a hoop that rolls) such directions are its heading, its speed, and steady
// circles nearby. Implicit steps keep what the motion conserves, and so lead to a circle. There Newton's step of least
// norm comes first, J dy = -f in the sense of least squares: of all steady motions the nearest one.

#include "simulate/equilibrium.h"

#include "agem/bodies.h"
#include "agem/rail_constraint.h"
#include "math/dense.h"

#include <string.h>

static const double FIRST             = 0.01; // h [s]
static const double SHORTEST          = 1e-9; // ... where it gives up
static const double LONGEST           = 1e3;  // ... where it is Newton's method
static const double AMPLIFIES         = 1.0;  // ... from where on it may amplify rounding too much
static const double LONGEST_STEP      = 2.0;  // longest step, in scales
static const double HELD_LONGEST_STEP = 40.0; // ... while wheelsets are held
static const double HELD_LAST_H       = 1.0;  // h of the last step of those [s]
static const double AGREE             = 0.5;  // what a second step adds may be this much of the first
// Steps shorter than this tell nothing about the next one; they are the last but those that polish, in scales.
static const double SETTLED       = 1e-7;
static const double JUMP          = 1e-3; // a step that short may lead over a jump of the forces, in scales
static const double LITTLE        = 1e-7; // rate that may be as little as can be
static const double RESIDUAL_MOST = 1e-6; // rate that may be left [m/s^2], [rad/s^2], [m/s], [rad/s]
static const double DEPENDENT  = 1e-11; // what is left of a column of J beside others, over the longest one, in scales
static const double SAME_SLOPE = 1e-8;  // entries of J that differ by less, over the largest, are the same
enum { MOST_STEPS = 500, MOST_HELD_STEPS = 100, MOST_NEWTON = 20, MOST_JUMPS = 40, POLISHING = 8 };

// --- rates ---

// In the fixed formulation a body in equilibrium moves with the velocity of its track frame, which is constant on a
// straight:
//   d(r)/dt -= R v_o      r: position in A [m]; R, v_o: orientation and velocity of the track frame [m/s]
static void subtract_travel(const kane_search *s, double *rate)
{
    const kane_model *model = s->model;
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        const int is_root     = body->is_free_body || (model->tree.links[body->link].parent < 0 && body->q_count == 6);
        if (body->panel || body->frame == body->track_frame || !is_root)
            continue;
        const kane_transport *T = &s->work->transport[body->track_frame];
        const kane_vec3 v       = km3_mulv(T->R, T->v_o);
        for (int axis = 0; axis < 3; axis++)
            rate[body->q + axis] -= kv3_get(v, axis);
    }
}

static kane_status evaluate_rates(kane_search *s, const double *y, double *rate)
{
    const kane_status status = kane_eval(s->model, s->work, 0.0, y, rate);
    if (status == KANE_OK) {
        subtract_travel(s, rate);
        kane_search_mate_rates(s, rate);
    }
    return status;
}

// residual = max |rate_i| over all states that are not held; worst: its index.
static void measure_residual(kane_search *s)
{
    s->found->residual = 0.0;
    for (int i = 0; i < s->model->state_count; i++)
        if (!s->held[i] && !(fabs(s->rate[i]) <= s->found->residual)) {
            s->found->residual = fabs(s->rate[i]);
            s->found->worst    = i;
        }
}

// --- one step ---

// Rail constraints make one acceleration of a wheelset dependent for each gap. The rows of these accelerations are
// replaced by the rows of the gaps: gap_of[speed] is the gap whose derivative stands in the row of that speed, -1: the
// row is unchanged.
static void assign_gap_rows(kane_search *s)
{
    const kane_model *model = s->model;
    int first               = 0;
    kane_jacobian_gaps(s->jacobian, s->gap);
    for (int i = 0; i < model->state_count; i++)
        s->gap_of[i] = -1;
    for (int r = 0; r < model->rails_count; r++) {
        const int gaps = 2 * model->rails[r].count;
        if (model->rails[r].is_tabulated)
            continue;
        kane_rail_group_find_followers(model, s->work, r, s->followers);
        const int c = model->rails[r].cluster;
        for (int k = 0; c >= 0 && k < model->clusters[c].u_count; k++)
            for (int g = 0; g < gaps; g++)
                if (kane_cluster_independent(s->work->cluster[c])[k] == s->followers[g])
                    s->gap_of[model->cluster_u[c] + k] = first + g;
        for (int i = model->rails[r].run.first; i < model->rails[r].run.end && c < 0; i++) {
            const kane_body *body = &model->bodies[model->link_body[i]];
            for (int k = 0; k < body->u_count; k++)
                for (int g = 0; g < gaps; g++)
                    if (model->tree.links[i].v + body->component[k] == s->followers[g])
                        s->gap_of[body->u + k] = first + g;
        }
        first += gaps;
    }
}

// J = df/dy at the present state, f, and `fixed`: states that are held, or dependent ones on which no rate depends.
static kane_status evaluate_jacobian(kane_search *s)
{
    const kane_status status = kane_jacobian_eval(s->jacobian, s->model, s->work, 0.0, s->y, s->rate, s->values);
    if (status != KANE_OK)
        return status;
    subtract_travel(s, s->rate);
    kane_search_mate_rates(s, s->rate);
    kane_search_mate_rows(s);
    assign_gap_rows(s);
    const kane_pattern *p = kane_jacobian_pattern(s->jacobian);
    for (int j = 0; j < p->size; j++) {
        int any = 0;
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
            any |= s->values[k] != 0.0;
        s->fixed[j] = s->held[j] || (s->follows[j] && !any);
    }
    return KANE_OK;
}

// Factors 1/h - J; rows and columns of fixed states are those of the unit matrix. KANE_NOT_SOLVED if it is singular.
static kane_status factor_step_matrix(kane_search *s)
{
    const kane_pattern *p = kane_jacobian_pattern(s->jacobian);
    for (int j = 0; j < p->size; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            const int i = p->row[k], out = s->fixed[i] || s->fixed[j];
            s->matrix[k] = (out ? 0.0 : -s->values[k]) + (i != j ? 0.0 : out ? 1.0 : 1.0 / s->h);
            if (s->gap_of[i] >= 0 && !out)
                s->matrix[k] = s->gap[s->gap_of[i] * p->size + j];
        }
    if (kane_sparse_lu_factor(s->lu, s->matrix))
        return KANE_OK;
    return kane_sparse_lu_lacks_memory(s->lu) ? KANE_NO_MEMORY : KANE_NOT_SOLVED;
}

// b: rates in, (1/h - J)^-1 b out. Returns max |b_i|/scale_i, infinite if that is not finite.
static double solve_step(const kane_search *s, double *b)
{
    double size = 0.0;
    for (int i = 0; i < s->model->state_count; i++)
        b[i] = s->fixed[i] || s->gap_of[i] >= 0 ? 0.0 : b[i];
    kane_sparse_lu_solve(s->lu, b);
    for (int i = 0; i < s->model->state_count; i++)
        size = fmax(size, fabs(b[i]) / s->scale[i]);
    return isfinite(size) ? size : HUGE_VAL;
}

// Trial state y + step, its rates, and the ratio of the next correction with the same matrix to the step,
//   ratio = |(1/h - J)^-1 (f(y + step) - step/h)| / |step|      both in scales
// Not OK: the trial state cannot be evaluated.
static kane_status evaluate_trial(kane_search *s)
{
    const int n = s->model->state_count;
    for (int i = 0; i < n; i++)
        s->trial[i] = s->y[i] + s->step[i];
    const kane_status status = evaluate_rates(s, s->trial, s->trial_rate);
    if (status != KANE_OK)
        return status;
    for (int i = 0; i < n; i++)
        s->correction[i] = s->trial_rate[i] - s->step[i] / s->h;
    s->correction_ratio = solve_step(s, s->correction) / s->size;
    return KANE_OK;
}

// The trial state, projected onto constraints and rails, becomes the present one; evaluates its rates and residual.
static kane_status accept_trial(kane_search *s)
{
    const kane_model *model = s->model;
    const size_t bytes      = (size_t)model->state_count * sizeof *s->y;
    memcpy(s->y, s->trial, bytes);
    if (model->cluster_count > 0) // the last evaluation has found what depends on others
        kane_state_put(model, s->work, s->y);
    (void)kane_choose(model, s->work, 0.0, s->y);
    kane_status status = kane_model_is_projected(model) ? kane_project(model, s->work, 0.0, s->y) : KANE_OK;
    if (status == KANE_OK)
        status = evaluate_rates(s, s->y, s->rate);
    if (status == KANE_OK)
        measure_residual(s);
    return status;
}

// Subtracts from y the speeds that vanish in equilibrium, and evaluates J there.
static kane_status remove_rest_speeds(kane_search *s)
{
    kane_search_find_rest_speeds(s);
    for (int i = 0; i < s->model->state_count; i++)
        s->y[i] -= s->speed[i];
    return evaluate_jacobian(s);
}

// Contact forces may jump, for example when a second contact appears. No step over a jump passes the test of
// correction_ratio, so that a limited number of very short steps is accepted without it. Returns 1 and uses up one of
// them, or 0.
static int use_jump_allowance(kane_search *s)
{
    if (s->size > JUMP || s->jumps_allowed == 0)
        return 0;
    s->jumps_allowed--;
    return 1;
}

// Where rails or multipliers hold, h^2 amplifies the rounding of their accelerations. A short step that a second one
// does not agree with may be that: then no step gets as long again. 0: h is none that would.
static int is_rounding(kane_search *s)
{
    if (s->size > JUMP || s->h <= AMPLIFIES)
        return 0;
    s->newton_h = 0.25 * s->h;
    return 1;
}

// One step, with h reduced until the step is not too long and the next correction is small against it. Out of memory
// ends the search: a shorter step would not help.
static kane_status advance_trusted_step(kane_search *s)
{
    kane_status status = evaluate_jacobian(s);
    for (int stopped = 0; status == KANE_OK && s->h > SHORTEST;) {
        const kane_status factored = factor_step_matrix(s);
        if (factored == KANE_NO_MEMORY)
            return factored;
        if (factored != KANE_OK) {
            s->h *= 0.5;
            continue;
        }
        memcpy(s->step, s->rate, (size_t)s->model->state_count * sizeof *s->step);
        s->size = solve_step(s, s->step);
        if (s->size > s->longest_step && !stopped) {
            stopped = 1;
            status  = remove_rest_speeds(s);
            continue;
        }
        if (s->size > s->longest_step) {
            s->h *= fmax(0.1, 0.7 * s->longest_step / s->size);
            continue;
        }
        const kane_status seen = evaluate_trial(s);
        if (seen == KANE_NO_MEMORY)
            return seen;
        if (seen != KANE_OK ||
            (s->correction_ratio > AGREE && s->size > SETTLED && (is_rounding(s) || !use_jump_allowance(s)))) {
            s->h *= 0.25;
            continue;
        }
        return accept_trial(s);
    }
    return status == KANE_OK ? KANE_NOT_SOLVED : status;
}

// --- the search ---

// Accepts y + step if its residual is smaller; else KANE_NOT_SOLVED, and y is unchanged.
static kane_status try_step(kane_search *s)
{
    const size_t bytes  = (size_t)s->model->state_count * sizeof *s->y;
    const double before = s->found->residual;
    double *best        = s->correction; // free: evaluate_trial is not called in this function
    memcpy(best, s->y, bytes);
    for (int k = 0; k < s->model->state_count; k++)
        s->trial[k] = s->y[k] + s->step[k];
    kane_status status = evaluate_rates(s, s->trial, s->trial_rate);
    if (status == KANE_OK)
        status = accept_trial(s);
    if (status == KANE_OK && s->found->residual < before)
        return KANE_OK;
    memcpy(s->y, best, bytes);
    s->found->residual = before;
    return status == KANE_NO_MEMORY ? status : KANE_NOT_SOLVED;
}

// Further steps with the longest h, reduced tenfold whenever a step does not reduce the residual. KANE_NO_MEMORY, or
// KANE_OK.
static kane_status refine_equilibrium(kane_search *s)
{
    for (int i = 0; i < POLISHING; i++) {
        kane_status status = evaluate_jacobian(s);
        if (status == KANE_OK)
            status = factor_step_matrix(s);
        if (status == KANE_NO_MEMORY)
            return status;
        memcpy(s->step, s->rate, (size_t)s->model->state_count * sizeof *s->step);
        if (status != KANE_OK || !(solve_step(s, s->step) < LONGEST_STEP))
            break;
        status = try_step(s);
        if (status == KANE_NO_MEMORY)
            return status;
        if (status == KANE_OK)
            s->found->iterations++;
        else
            s->h *= 0.1; // where rails or multipliers hold, long steps amplify their rounding
    }
    const kane_status status = evaluate_rates(s, s->y, s->rate);
    if (status == KANE_OK)
        measure_residual(s);
    return status == KANE_NO_MEMORY ? status : KANE_OK;
}

static void lengthen_step(kane_search *s)
{
    s->h = fmin(s->newton_h, s->h * fmin(20.0, fmax(2.0, AGREE / s->correction_ratio)));
}

// In a curve the track frames of two wheelsets are rotated against each other, by more than wheels on rails allow in
// one step. So all other bodies approach their equilibrium first, with wheelsets held, up to a step of HELD_LAST_H.
static kane_status search_with_wheels_held(kane_search *s)
{
    kane_status status = KANE_OK;
    kane_search_hold(s, KANE_WHEELS_HELD);
    s->longest_step = HELD_LONGEST_STEP;
    s->newton_h     = LONGEST;
    s->h            = FIRST;
    for (int i = 0, is_last = 0; i < MOST_HELD_STEPS && !is_last && status == KANE_OK; i++) {
        status  = advance_trusted_step(s);
        is_last = s->h >= HELD_LAST_H;
        if (status == KANE_OK)
            lengthen_step(s);
        s->h = fmin(s->h, HELD_LAST_H);
    }
    kane_search_hold(s, KANE_WHEELS_FREE);
    return status;
}

// 1: the last Newton step was shorter than SETTLED, or the residual is small and does not decrease further: multipliers
// have reached the rounding of their equations.
static int is_settled(const kane_search *s, double before)
{
    return s->size < SETTLED || (s->found->residual < LITTLE && s->found->residual > 0.3 * before);
}

// Steps from the present state until the search has converged, the first one with h. as_newton: it fails as soon as h
// must be reduced.
static kane_status iterate_steps(kane_search *s, double h, int most, int as_newton)
{
    int side;
    kane_status status = KANE_OK;
    s->h               = h;
    s->longest_step    = LONGEST_STEP;
    s->jumps_allowed   = MOST_JUMPS;
    s->newton_h        = LONGEST;
    for (int i = 0; i < most && status == KANE_OK; i++) {
        const double before = s->found->residual;
        s->found->iterations++;
        status = advance_trusted_step(s);
        if (status != KANE_OK || kane_search_find_lost_wheel(s, KANE_SEARCH_GOES_ON, &side) ||
            (as_newton && s->h < fmin(h, s->newton_h)))
            return status == KANE_OK ? KANE_NOT_SOLVED : status;
        if (s->h >= s->newton_h && is_settled(s, before)) {
            status = refine_equilibrium(s);
            if (status != KANE_OK)
                return status;
            return s->found->residual <= RESIDUAL_MOST && !kane_search_find_lost_wheel(s, KANE_SEARCH_ENDED, &side)
                       ? KANE_OK
                       : KANE_NOT_SOLVED;
        }
        lengthen_step(s);
    }
    return status == KANE_OK ? KANE_NOT_SOLVED : status;
}

// s->step: of least norm in scales with J step = -rate in all rows that are not held, in the sense of least squares.
// KANE_NOT_SOLVED: it is longer than LONGEST_STEP. dense [states^2], x [states]: scratch.
static kane_status solve_least_norm_step(kane_search *s, double *dense, double *x)
{
    const kane_pattern *p = kane_jacobian_pattern(s->jacobian);
    const size_t n        = (size_t)s->model->state_count;
    memset(dense, 0, n * n * sizeof *dense);
    for (int j = 0; j < p->size; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1] && !s->held[j]; k++)
            dense[(size_t)j * n + (size_t)p->row[k]] = s->held[p->row[k]] ? 0.0 : s->values[k] * s->scale[j];
    for (size_t i = 0; i < n; i++)
        x[i] = s->held[i] ? 0.0 : -s->rate[i];
    const int status = kane_least_squares((int)n, (int)n, dense, x, DEPENDENT);
    if (status != 0)
        return status < 0 ? KANE_NO_MEMORY : KANE_NOT_SOLVED;
    s->size = 0.0;
    for (size_t i = 0; i < n; i++) {
        s->step[i] = x[i] * s->scale[i];
        s->size    = fmax(s->size, fabs(x[i]));
    }
    return s->size <= LONGEST_STEP ? KANE_OK : KANE_NOT_SOLVED;
}

// is_periodic = 1: J changes along the steady motion, so that it has no modes. J is compared with the one where the
// fastest unbounded coordinate has moved on by 1 m or 1 rad. Example: a hoop that is out of balance. Needs s->y;
// evaluates s->rate there.
static kane_status check_periodicity(kane_search *s)
{
    const kane_pattern *p = kane_jacobian_pattern(s->jacobian);
    double fastest = 0.0, largest = 0.0, change = 0.0;
    kane_status status = evaluate_jacobian(s);
    for (int i = 0; i < s->model->state_count; i++)
        fastest = fmax(fastest, s->unbounded[i] ? fabs(s->rate[i]) : 0.0);
    for (int i = 0; i < s->model->state_count; i++)
        s->trial[i] = s->y[i] + (s->unbounded[i] ? s->rate[i] / fastest : 0.0);
    if (status == KANE_OK && fastest > 0.0)
        status = kane_jacobian_eval(s->jacobian, s->model, s->work, 0.0, s->trial, s->trial_rate, s->matrix);
    for (int k = 0; k < p->count && status == KANE_OK && fastest > 0.0; k++) {
        largest = fmax(largest, fabs(s->values[k]));
        change  = fmax(change, fabs(s->matrix[k] - s->values[k]));
    }
    s->is_periodic = change > SAME_SLOPE * largest;
    return status == KANE_OK ? evaluate_rates(s, s->y, s->rate) : status;
}

// Newton's steps of least norm to a steady motion near the start.
static kane_status find_steady_motion(kane_search *s)
{
    const size_t n     = (size_t)s->model->state_count;
    double *dense      = kane_arena_alloc(s->arena, n * n, sizeof *dense);
    double *x          = kane_arena_alloc(s->arena, n, sizeof *x);
    kane_status status = dense && x ? KANE_OK : KANE_NO_MEMORY;
    for (int i = 0; i < MOST_NEWTON && status == KANE_OK; i++) {
        const double before = s->found->residual;
        status              = evaluate_jacobian(s);
        if (status == KANE_OK)
            status = solve_least_norm_step(s, dense, x);
        if (status != KANE_OK)
            break;
        for (size_t k = 0; k < n; k++)
            s->trial[k] = s->y[k] + s->step[k];
        status = evaluate_rates(s, s->trial, s->trial_rate);
        if (status == KANE_OK)
            status = accept_trial(s);
        s->found->iterations++;
        if (status == KANE_OK && s->found->residual <= RESIDUAL_MOST && is_settled(s, before))
            return check_periodicity(s);
    }
    return status == KANE_OK ? KANE_NOT_SOLVED : status;
}

// The whole search from y, or only Newton's method near y.
typedef enum beginning { ANYWHERE, NEAR } beginning;

static kane_status search_equilibrium(kane_search *s, beginning from)
{
    const size_t bytes = (size_t)s->model->state_count * sizeof *s->y;
    kane_status status = kane_model_is_projected(s->model) ? kane_project(s->model, s->work, 0.0, s->y) : KANE_OK;
    if (status == KANE_OK)
        status = evaluate_jacobian(s);
    if (status != KANE_OK)
        return status;
    status = kane_search_find_turning(s);
    if (status == KANE_OK && s->mate_count > 0) // without what turns with it
        status = evaluate_jacobian(s);
    if (status != KANE_OK)
        return status;
    kane_search_hold(s, KANE_WHEELS_FREE);
    measure_residual(s);
    if (from == NEAR)
        return iterate_steps(s, LONGEST, MOST_NEWTON, 1);
    // if this fails, the search continues from the state that it has reached
    if (s->model->wheels_count > 0 && search_with_wheels_held(s) == KANE_NO_MEMORY)
        return KANE_NO_MEMORY;
    memcpy(s->start, s->y, bytes);
    if (s->has_unbounded) {
        status = find_steady_motion(s);
        if (status == KANE_OK || status == KANE_NO_MEMORY)
            return s->is_periodic ? KANE_NOT_SOLVED : status;
        memcpy(s->y, s->start, bytes);
    }
    status = iterate_steps(s, LONGEST, MOST_NEWTON, 1); // what is near is found though it be unstable
    if (status == KANE_OK || status == KANE_NO_MEMORY)
        return status;
    memcpy(s->y, s->start, bytes);
    return iterate_steps(s, FIRST, MOST_STEPS, 0);
}

// --- entrance ---

static int create_search(kane_search *s)
{
    const size_t n = (size_t)s->model->state_count;
    s->jacobian    = kane_jacobian_create(s->model, s->model->state_count);
    s->arena       = kane_arena_create();
    if (!s->jacobian || !s->arena)
        return 0;
    const kane_pattern *pattern = kane_jacobian_pattern(s->jacobian);
    double **const vectors[]    = {&s->y,          &s->rate,  &s->trial, &s->trial_rate, &s->step,
                                   &s->correction, &s->speed, &s->scale, &s->start};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = kane_arena_doubles(s->arena, n);
    s->tree_speed = kane_arena_doubles(s->arena, (size_t)s->model->tree.v_count);
    s->values     = kane_arena_doubles(s->arena, (size_t)pattern->count);
    s->matrix     = kane_arena_doubles(s->arena, (size_t)pattern->count);
    s->mates      = kane_arena_alloc(s->arena, (size_t)s->model->tree.q_count, sizeof *s->mates);
    s->unbounded  = kane_arena_alloc(s->arena, n, sizeof *s->unbounded);
    s->held       = kane_arena_alloc(s->arena, n, sizeof *s->held);
    s->follows    = kane_arena_alloc(s->arena, n, sizeof *s->follows);
    for (int r = 0; r < s->model->rails_count; r++)
        s->gap_count += s->model->rails[r].is_tabulated ? 0 : 2 * s->model->rails[r].count;
    s->gap       = kane_arena_doubles(s->arena, (size_t)s->gap_count * n);
    s->gap_of    = kane_arena_alloc(s->arena, n, sizeof *s->gap_of);
    s->followers = kane_arena_alloc(s->arena, (size_t)s->gap_count, sizeof *s->followers);
    s->fixed     = kane_arena_alloc(s->arena, n, sizeof *s->fixed);
    s->lu        = kane_sparse_lu_create(pattern);
    return !kane_arena_failed(s->arena) && s->lu != NULL;
}

static void destroy_search(kane_search *s)
{
    kane_sparse_lu_free(s->lu);
    kane_jacobian_free(s->jacobian);
    kane_arena_free(s->arena);
}

static kane_status solve_equilibrium_from(beginning from, const kane_model *model, kane_work *work, double *y,
                                          kane_equilibrium *found, kane_errors *errors)
{
    kane_search s      = {.model = model, .work = work, .found = found};
    kane_status status = KANE_NO_MEMORY;
    *found             = (kane_equilibrium){.residual = HUGE_VAL};
    if (model->state_count == 0) {
        kane_errors_add(errors, KANE_BAD_INPUT, "nothing can move by itself: there is no equilibrium to be found");
        return KANE_BAD_INPUT;
    }
    if (create_search(&s)) {
        const int frozen = work->frozen;
        work->steady = work->frozen = 1;
        memcpy(s.y, y, (size_t)model->state_count * sizeof *y);
        kane_work_locate(model, work, 0.0, y);
        kane_search_scale(&s);
        const int can_rest = kane_search_check_frames(&s, errors);
        status             = can_rest ? search_equilibrium(&s, from) : KANE_BAD_INPUT;
        memcpy(y, s.y, (size_t)model->state_count * sizeof *y);
        if (status == KANE_NO_MEMORY)
            kane_errors_add(errors, status, "%s", kane_status_text(status));
        else if (status != KANE_OK && can_rest)
            kane_search_add_error(&s, status, errors);
        if (status == KANE_RETRY) // no step is short enough where nothing can be evaluated
            status = KANE_NOT_SOLVED;
        work->steady = 0;
        work->frozen = frozen;
    } else {
        kane_errors_add(errors, status, "%s", kane_status_text(status));
    }
    destroy_search(&s);
    return status;
}

kane_status kane_equilibrium_solve(const kane_model *model, kane_work *work, double *y, kane_equilibrium *found,
                                   kane_errors *errors)
{
    return solve_equilibrium_from(ANYWHERE, model, work, y, found, errors);
}

kane_status kane_equilibrium_solve_near(const kane_model *model, kane_work *work, double *y, kane_equilibrium *found,
                                        kane_errors *errors)
{
    return solve_equilibrium_from(NEAR, model, work, y, found, errors);
}
