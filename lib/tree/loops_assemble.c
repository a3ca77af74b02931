// SPDX-License-Identifier: MIT
// Consistent states of a cluster from rough ones: first coordinates, then the rank of the rows, then speeds.
//
// Coordinates: Levenberg's method. Each step reduces the rows' least squares, damped if the last one failed. If it ends
// with open rows, these contradict each other, or the start was bad: then other starts nearby are tried.
//
// A step y in kinetic scales minimises  | G y + left |^2 + damping^2 y' Theta y  with  H y = 0,  G the rows, H the
// rates of held coordinates, and Theta the mass matrix: twice the kinetic energy of a step in a unit of time,
// independent of the drawing's axes.
//
//   [ Theta  G'          H' ] [   y    ]   [ -pull ]
//   [ G     -damping^2   0  ] [ lambda ] = [ -left ]
//   [ H      0           0  ] [   mu   ]   [   0   ]
//
// pull: zero, except on the way back to the drawing (loops_nearest.c). The equations are sparse. Without damping
// redundant rows make them singular; so they are factored with at least -e on the lower diagonal, rows in scales of
// one, and iteration removes the change for independent rows (loops_multipliers.c).

#include "tree/loops_assemble.h"
#include "tree/flex.h"

#include <string.h>

enum { MOST_ITERATIONS = 200, STARTS = 12, REFINEMENTS = 2 };

// Rows below this are round-off [m], [rad].
static const double round_off = 1e-15;

// Steps are cut to this [m], [rad].
static const double longest_step = 0.5;

// Distance of the last other start from the given one [m], [rad].
static const double farthest = 1.5;

// Rates below this count as closed [m/s], [rad/s].
static const double closed_rate = 1e-9;

// An error names constraints with at least this part of the largest open row.
static const double worth_naming = 1e-3;

// Combinations of rows in scales of one count as redundant if their size squared is below this.
static const double regularisation = 1e-14;

// Rows below this part of the greatest are left out: they may be round-off.
static const double smallest_row = 1e-10;

// --- held coordinates and speeds ---

// Whether the rate of a coordinate depends on more speeds than one.
static int is_shared(const kane_link *link, int coordinate)
{
    return link->kind == KANE_LINK_BODY || (link->on_axle && coordinate == link->slide_count);
}

// Links that move such a coordinate, parents first.
static int path_of(const kane_tree *tree, int link, int *path)
{
    const int count = kane_tree_rate_path(tree, link, path);
    for (int k = 0; k < count / 2 && path; k++) {
        const int i         = path[k];
        path[k]             = path[count - 1 - k];
        path[count - 1 - k] = i;
    }
    return count;
}

// Path and speeds of a held coordinate. 0: memory is short.
static int prepare_held(kane_assembler *a, int link, int coordinate, kane_held *held)
{
    const kane_tree *tree = a->tree;
    const kane_held *last = held > a->held ? held - 1 : NULL;
    *held       = (kane_held){.link = link, .coordinate = coordinate, .path_count = path_of(tree, link, NULL)};
    held->begin = last ? last->begin + last->speed_count : 0;
    held->path  = kane_arena_alloc(a->arena, (size_t)held->path_count, sizeof *held->path);
    if (!held->path)
        return 0;
    (void)path_of(tree, link, held->path);
    int first, next = 0;
    for (int k = 0; k < held->path_count; k++)
        held->speed_count += kane_cluster_link_speeds(tree, a->cluster, held->path[k], &first);
    held->speed = kane_arena_alloc(a->arena, (size_t)held->speed_count, sizeof *held->speed);
    for (int k = 0; k < held->path_count && held->speed; k++)
        for (int left = kane_cluster_link_speeds(tree, a->cluster, held->path[k], &first); left > 0; left--)
            held->speed[next++] = first++;
    return held->speed != NULL;
}

// Coordinates held by a row of H. 0 if memory is short.
static int find_held(kane_assembler *a, const int *held_q)
{
    const kane_cluster *c = a->cluster;
    for (int pass = 0; pass < 2; pass++) {
        a->held_most = 0;
        for (int i = 0; i < c->link_count && held_q; i++) {
            const kane_link *l = &a->tree->links[c->links[i]];
            for (int k = 0; k < l->q_count; k++) {
                if (!held_q[l->q + k] || !is_shared(l, k))
                    continue;
                if (pass == 1 && !prepare_held(a, c->links[i], k, &a->held[a->held_most]))
                    return 0;
                a->held_most++;
            }
        }
        if (pass == 0 && a->held_most > 0 &&
            !(a->held = kane_arena_alloc(a->arena, (size_t)a->held_most, sizeof *a->held)))
            return 0;
    }
    return 1;
}

// Coordinates with one speed: that speed is fixed; others: a row of H.
void kane_assembler_hold_coordinates(kane_assembler *a, const int *held_q)
{
    const kane_cluster *c = a->cluster;
    a->held_count         = held_q ? a->held_most : 0;
    memset(a->fixed, 0, (size_t)c->v_count * sizeof *a->fixed);
    memset(a->held_q, 0, (size_t)a->tree->q_count * sizeof *a->held_q);
    for (int i = 0; i < c->link_count && held_q; i++) {
        const kane_link *l = &a->tree->links[c->links[i]];
        for (int k = 0; k < l->q_count; k++) {
            if (!held_q[l->q + k])
                continue;
            a->held_q[l->q + k] = 1;
            if (kane_link_has_steps(l) && l->step[k].mode == KANE_STEP_FREE && !is_shared(l, k))
                a->fixed[c->place[l->step[k].v]] = 1;
            for (int axis = 0; axis < 3 && l->kind == KANE_LINK_BALL; axis++)
                a->fixed[c->place[l->v + axis]] = 1;
        }
    }
}

void kane_assembler_hold_speeds(kane_assembler *a, const int *held_v)
{
    a->held_count = 0;
    for (int k = 0; k < a->cluster->v_count; k++)
        a->fixed[k] = held_v && held_v[a->cluster->speeds[k]];
}

// --- memory ---

static int coefficient_count(const kane_assembler *a)
{
    return a->cluster->coefficient_begin[a->cluster->row_count];
}

static int held_coefficient_count(const kane_assembler *a)
{
    const kane_held *last = a->held_most > 0 ? &a->held[a->held_most - 1] : NULL;
    return last ? last->begin + last->speed_count : 0;
}

// Pattern of [Theta G' H'; G -w 0; H 0 -e].
static kane_pattern *create_pattern(const kane_assembler *a)
{
    const kane_cluster *c = a->cluster;
    const int n = c->v_count, m = c->row_count;
    kane_pattern_entries *e = kane_pattern_begin(n + m + a->held_most);
    for (int k = 0; k < c->theta_count; k++) {
        kane_pattern_add(e, c->theta_place[k].row, c->theta_place[k].column);
        kane_pattern_add(e, c->theta_place[k].column, c->theta_place[k].row);
    }
    for (int row = 0; row < m; row++)
        for (int k = c->coefficient_begin[row]; k < c->coefficient_begin[row + 1]; k++) {
            kane_pattern_add(e, n + row, c->coefficient_speed[k]);
            kane_pattern_add(e, c->coefficient_speed[k], n + row);
        }
    for (int i = 0; i < a->held_most; i++)
        for (int k = 0; k < a->held[i].speed_count; k++) {
            kane_pattern_add(e, n + m + i, a->held[i].speed[k]);
            kane_pattern_add(e, a->held[i].speed[k], n + m + i);
        }
    return kane_pattern_finish(e);
}

// Places of all entries in K, with their mirror images.
static void find_places(kane_assembler *a)
{
    const kane_cluster *c = a->cluster;
    const kane_pattern *p = a->pattern;
    const int n = c->v_count, m = c->row_count;
    for (int k = 0; k < n; k++)
        a->speed_at[k] = kane_pattern_find(p, k, k);
    for (int k = 0; k < c->theta_count; k++) {
        a->theta_at[2 * k]     = kane_pattern_find(p, c->theta_place[k].row, c->theta_place[k].column);
        a->theta_at[2 * k + 1] = kane_pattern_find(p, c->theta_place[k].column, c->theta_place[k].row);
    }
    for (int i = 0; i < m + a->held_most; i++)
        a->corner_at[i] = kane_pattern_find(p, n + i, n + i);
    for (int row = 0; row < m; row++)
        for (int k = c->coefficient_begin[row]; k < c->coefficient_begin[row + 1]; k++) {
            a->G_at[2 * k]     = kane_pattern_find(p, n + row, c->coefficient_speed[k]);
            a->G_at[2 * k + 1] = kane_pattern_find(p, c->coefficient_speed[k], n + row);
        }
    for (int i = 0; i < a->held_most; i++)
        for (int k = 0; k < a->held[i].speed_count; k++) {
            int *at = a->H_at + 2 * (a->held[i].begin + k);
            at[0]   = kane_pattern_find(p, n + m + i, a->held[i].speed[k]);
            at[1]   = kane_pattern_find(p, a->held[i].speed[k], n + m + i);
        }
}

// Arrays and pattern; no coordinate is held yet. 0 if memory is short.
static int create_assembler(kane_assembler *a, const int *held_q)
{
    const size_t n = (size_t)a->cluster->v_count, m = (size_t)a->cluster->row_count, q = (size_t)a->tree->q_count;
    a->random = kane_random_start(1, 0);
    if (!find_held(a, held_q) || !(a->pattern = create_pattern(a)) || !(a->lu = kane_sparse_lu_create(a->pattern)))
        return 0;
    const size_t rows = m + (size_t)a->held_most;
    a->fixed          = kane_arena_alloc(a->arena, n, sizeof *a->fixed);
    a->held_q         = kane_arena_alloc(a->arena, q, sizeof *a->held_q);
    a->K              = kane_arena_doubles(a->arena, (size_t)a->pattern->count);
    a->speed_at       = kane_arena_alloc(a->arena, n, sizeof *a->speed_at);
    a->corner_at      = kane_arena_alloc(a->arena, rows, sizeof *a->corner_at);
    a->theta_at       = kane_arena_alloc(a->arena, 2 * (size_t)a->cluster->theta_count, sizeof *a->theta_at);
    a->G_at           = kane_arena_alloc(a->arena, 2 * (size_t)coefficient_count(a), sizeof *a->G_at);
    a->H_at           = kane_arena_alloc(a->arena, 2 * (size_t)held_coefficient_count(a), sizeof *a->H_at);
    a->H              = kane_arena_doubles(a->arena, (size_t)held_coefficient_count(a));
    a->over           = kane_arena_doubles(a->arena, rows);
    a->missing        = kane_arena_doubles(a->arena, rows);
    a->b              = kane_arena_doubles(a->arena, n + rows);
    a->r              = kane_arena_doubles(a->arena, n + rows);
    a->x              = kane_arena_doubles(a->arena, n + rows);
    a->left           = kane_arena_doubles(a->arena, m);
    a->dv             = kane_arena_doubles(a->arena, n);
    a->q              = kane_arena_doubles(a->arena, q);
    a->try            = kane_arena_doubles(a->arena, q);
    if (kane_arena_failed(a->arena))
        return 0;
    find_places(a);
    return 1;
}

// --- equations of a step ---

// left = Phi, or Phi' (rates 1).
double kane_assembler_evaluate(kane_assembler *a, int rates)
{
    const kane_cluster *c = a->cluster;
    double sum            = 0.0;
    kane_cluster_move(a->s);
    kane_cluster_theta(a->s);
    kane_cluster_scale(a->s);
    kane_cluster_rows(a->s);
    a->rates = rates;
    if (!kane_cluster_finite(a->s))
        return HUGE_VAL;
    for (int i = 0; i < c->row_count; i++) {
        a->left[i] = rates ? a->s->rate[i] : a->s->value[i];
        sum += a->left[i] * a->left[i];
    }
    return sqrt(sum);
}

// A coefficient of G:  J_rk/scale_k;  zero for fixed speeds, and for rows of speeds while coordinates move.
static double scaled_coefficient(const kane_assembler *a, int row, int k)
{
    const int speed = a->cluster->coefficient_speed[k];
    return a->fixed[speed] || (!a->rates && !a->cluster->is_position[row]) ? 0.0 : a->s->J[k] / a->s->scale[speed];
}

static double length_of(int count, const double *y)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++)
        sum += y[k] * y[k];
    return sqrt(sum);
}

// Largest |G|, by which the damping is scaled; 1 with even rows.
static double greatest_entry(const kane_assembler *a)
{
    const int *begin = a->cluster->coefficient_begin;
    double most      = 0.0;
    if (a->even)
        return 1.0;
    for (int i = 0; i < a->cluster->row_count; i++)
        for (int k = begin[i]; k < begin[i + 1]; k++)
            most = fmax(most, fabs(scaled_coefficient(a, i, k)));
    return most;
}

// Speeds of members on the path of a held coordinate follow the modes.
static void follow_modes(const kane_assembler *a, const kane_held *held, double *delta)
{
    const kane_tree *tree = a->tree;
    for (int i = 0; i < held->path_count; i++)
        if (tree->links[held->path[i]].role == KANE_FLEX_NODE)
            kane_flex_node_follows(&tree->flexes[tree->links[held->path[i]].flex], tree->links, held->path[i], delta);
}

// A row of H: rate of a held coordinate by a unit of every speed in kinetic scales. Changes velocities of links.
static void find_rates(kane_assembler *a, const kane_held *held)
{
    double *H = a->H + held->begin, *delta = a->s->delta, dq[6];
    for (int k = 0; k < held->speed_count; k++)
        delta[a->cluster->speeds[held->speed[k]]] = 0.0;
    for (int k = 0; k < held->speed_count; k++) {
        const int speed = held->speed[k];
        double *one     = &delta[a->cluster->speeds[speed]];
        *one            = a->fixed[speed] ? 0.0 : 1.0 / a->s->scale[speed];
        follow_modes(a, held, delta);
        for (int i = 0; i < held->path_count; i++)
            kane_tree_spread(a->tree, held->path[i], delta, a->work, dq);
        H[k] = dq[held->coordinate];
        *one = 0.0;
    }
}

// Theta/(scale scale) of speeds that may change; is_on 0: the unit matrix. The diagonal is one, also for modes and
// small inertia, whose scales differ.
static void fill_theta(kane_assembler *a, int is_on)
{
    const kane_cluster *c = a->cluster;
    for (int k = 0; k < c->theta_count; k++) {
        const int row = c->theta_place[k].row, column = c->theta_place[k].column;
        if (!c->theta_counts[k])
            continue;
        const int counts         = is_on && !a->fixed[row] && !a->fixed[column];
        a->K[a->theta_at[2 * k]] = a->K[a->theta_at[2 * k + 1]] =
            counts ? a->s->theta[k] / (a->s->scale[row] * a->s->scale[column]) : 0.0;
    }
    for (int k = 0; k < c->v_count; k++)
        a->K[a->speed_at[k]] = 1.0;
}

// The diagonal of a lower row of K, at least -e, and the part of it that iteration removes (missing); `is_on` 0: left
// out.
static void fill_row(kane_assembler *a, int i, int is_on, double diagonal)
{
    const double least    = is_on ? fmax(diagonal, regularisation) : 1.0;
    a->K[a->corner_at[i]] = -least;
    a->missing[i]         = is_on ? least - diagonal : 0.0;
}

// Rows of G in scales of one: over = 1/|row|, with damping; rows below smallest_row of the largest are left out.
static void fill_G(kane_assembler *a, int is_on, double damping)
{
    const kane_cluster *c = a->cluster;
    const int *begin      = c->coefficient_begin;
    double most           = 0.0;
    for (int i = 0; i < c->row_count; i++) {
        for (int k = begin[i]; k < begin[i + 1]; k++)
            a->K[a->G_at[2 * k]] = is_on ? scaled_coefficient(a, i, k) : 0.0;
        double sum = 0.0;
        for (int k = begin[i]; k < begin[i + 1]; k++)
            sum += a->K[a->G_at[2 * k]] * a->K[a->G_at[2 * k]];
        a->over[i] = sqrt(sum); // its size first
        most       = fmax(most, a->over[i]);
    }
    for (int i = 0; i < c->row_count; i++) {
        const int is_row    = a->over[i] > smallest_row * most;
        a->over[i]          = is_row ? 1.0 / a->over[i] : 0.0;
        const double damped = a->even ? damping : damping * a->over[i];
        for (int k = begin[i]; k < begin[i + 1]; k++)
            a->K[a->G_at[2 * k + 1]] = a->K[a->G_at[2 * k]] *= a->over[i];
        fill_row(a, i, is_row, damped * damped);
    }
}

// Rows of H in scales of one.
static void fill_H(kane_assembler *a)
{
    const int m = a->cluster->row_count;
    for (int i = 0; i < a->held_most; i++) {
        const kane_held *held = &a->held[i];
        double *H             = a->H + held->begin;
        if (i < a->held_count)
            find_rates(a, held);
        const double size = i < a->held_count ? length_of(held->speed_count, H) : 0.0;
        a->over[m + i]    = size > 0.0 ? 1.0 / size : 0.0;
        for (int k = 0; k < held->speed_count; k++) {
            const int *at = a->H_at + 2 * (held->begin + k);
            a->K[at[0]] = a->K[at[1]] = size > 0.0 ? H[k] / size : 0.0;
        }
        fill_row(a, m + i, size > 0.0, 0.0);
    }
}

// x = K^-1 b, then refinement, which removes the effect of the regularisation. 0: singular, or memory is short.
static int solve_refined(kane_assembler *a)
{
    const kane_pattern *p = a->pattern;
    const int n = a->cluster->v_count, size = p->size;
    if (!kane_sparse_lu_pivot(a->lu, a->K)) {
        a->no_memory = a->no_memory || kane_sparse_lu_lacks_memory(a->lu);
        return 0;
    }
    memcpy(a->x, a->b, (size_t)size * sizeof *a->x);
    kane_sparse_lu_solve(a->lu, a->x);
    for (int pass = 0; pass < REFINEMENTS; pass++) {
        memcpy(a->r, a->b, (size_t)size * sizeof *a->r);
        for (int k = 0; k < size; k++)
            for (int at = p->column_start[k]; at < p->column_start[k + 1]; at++)
                a->r[p->row[at]] -= a->K[at] * a->x[k];
        for (int i = n; i < size; i++)
            a->r[i] -= a->missing[i - n] * a->x[i];
        kane_sparse_lu_solve(a->lu, a->r);
        for (int i = 0; i < size; i++)
            a->x[i] += a->r[i];
    }
    return 1;
}

// Solves the equations at the top; dv_k = y_k/scale_k.
double kane_assembler_find_step(kane_assembler *a, double damping)
{
    const int n = a->cluster->v_count, m = a->cluster->row_count;
    double most = 0.0;
    fill_theta(a, 1);
    fill_G(a, 1, damping);
    fill_H(a);
    memset(a->b, 0, (size_t)a->pattern->size * sizeof *a->b);
    for (int k = 0; k < n && a->pull; k++)
        a->b[k] = a->fixed[k] ? 0.0 : -a->pull[k] / a->s->scale[k];
    for (int i = 0; i < m; i++)
        a->b[n + i] = -a->left[i] * a->over[i];
    const int solved = solve_refined(a);
    for (int k = 0; k < n; k++) {
        a->dv[k] = a->fixed[k] || !solved ? 0.0 : a->x[k] / a->s->scale[k];
        most     = fmax(most, fabs(a->dv[k]));
    }
    return most;
}

// Random y of the free speeds (not modes), projected on H y = 0 by [1 H'; H 0].
void kane_assembler_scatter(kane_assembler *a, double size)
{
    const int n = a->cluster->v_count;
    for (int k = 0; k < n; k++)
        a->x[k] = a->fixed[k] || a->cluster->is_mode[k] // no length
                      ? 0.0
                      : (2.0 * kane_random_even(&a->random) - 1.0) * size * a->s->scale[k];
    if (a->held_count > 0) { // the nearest that leaves what is held: [1 H'; H 0]
        memset(a->b, 0, (size_t)a->pattern->size * sizeof *a->b);
        memcpy(a->b, a->x, (size_t)n * sizeof *a->b);
        fill_theta(a, 0);
        fill_G(a, 0, 0.0);
        fill_H(a);
        if (!solve_refined(a))
            memset(a->x, 0, (size_t)n * sizeof *a->x);
    }
    for (int k = 0; k < n; k++)
        a->dv[k] = a->x[k] / a->s->scale[k];
}

// q += Q dv but for held coordinates.
void kane_assembler_shift(kane_assembler *a)
{
    const size_t q = (size_t)a->tree->q_count;
    memcpy(a->try, a->work->q, q * sizeof *a->try);
    kane_cluster_shift(a->s, a->dv);
    for (size_t i = 0; i < q; i++)
        if (a->held_q[i])
            a->work->q[i] = a->try[i];
}

// --- coordinates ---

// One damped step from the last evaluated state; returns the residual at the new state.
static double try_step(kane_assembler *a, double damping, double *size)
{
    const size_t bytes = (size_t)a->tree->q_count * sizeof *a->q;
    memcpy(a->q, a->work->q, bytes);
    *size = kane_assembler_find_step(a, damping);
    if (*size > longest_step)
        for (int k = 0; k < a->cluster->v_count; k++)
            a->dv[k] *= longest_step / *size;
    kane_assembler_shift(a);
    return kane_assembler_evaluate(a, 0);
}

// The square of the damping is proportional to the residual: near a solution redundant rows differ by round-off or
// curvature only; the damping suppresses steps from these alone, and convergence is quadratic.
double kane_assembler_close(kane_assembler *a)
{
    const size_t bytes = (size_t)a->tree->q_count * sizeof *a->q;
    double left = kane_assembler_evaluate(a, 0), factor = 1.0, size;
    for (int iteration = 0; iteration < MOST_ITERATIONS && isfinite(left); iteration++) {
        if (left <= round_off)
            break;
        const double next = try_step(a, factor * sqrt(fmin(left, 1.0)) * greatest_entry(a), &size);
        if (next < left) {
            const int slow = left <= KANE_CLOSED && next > 0.5 * left;
            left           = next;
            factor         = fmax(0.5 * factor, 0.1);
            if (slow || size <= round_off)
                break;
            continue;
        }
        memcpy(a->work->q, a->q, bytes);
        left = kane_assembler_evaluate(a, 0);
        factor *= 4.0;
        if (left <= KANE_CLOSED || size <= round_off || factor > 1e8)
            break;
    }
    return left;
}

// From the given start, then from others at growing distances; the best is kept.
static double search_positions(kane_assembler *a, const double *start, double *best)
{
    const size_t bytes = (size_t)a->tree->q_count * sizeof *start;
    double least       = HUGE_VAL;
    memcpy(best, start, bytes);
    for (int i = 0; i < STARTS; i++) {
        memcpy(a->work->q, start, bytes);
        if (i > 0) {
            (void)kane_assembler_evaluate(a, 0);
            kane_assembler_scatter(a, farthest * i / STARTS);
            kane_assembler_shift(a);
        }
        const double left = kane_assembler_close(a);
        if (left < least) {
            least = left;
            memcpy(best, a->work->q, bytes);
        }
        if (least <= KANE_CLOSED)
            break;
    }
    memcpy(a->work->q, best, bytes);
    return least;
}

// In kinetic scales light bodies move rather than heavy ones. If rows stay open, the search is repeated with rows in
// scales of one.
static double find_position(kane_assembler *a, const int *held_q, double *start)
{
    const size_t count = (size_t)a->tree->q_count, bytes = count * sizeof *start;
    double *best = start + count, *other = best + count;
    memcpy(start, a->work->q, bytes);
    kane_assembler_hold_coordinates(a, held_q);
    double left = search_positions(a, start, best);
    if (left > KANE_CLOSED) {
        a->even           = 1;
        const double even = search_positions(a, start, other);
        a->even           = 0;
        if (even > KANE_CLOSED)
            memcpy(a->work->q, best, bytes);
        else
            left = even;
    }
    if (left <= KANE_CLOSED && !kane_assembler_approach(a, start))
        a->no_memory = 1;
    return left;
}

// --- speeds, and contradictions ---

// Two linear steps without damping close the rates.
static void find_speeds(kane_assembler *a, const int *held_v)
{
    kane_assembler_hold_speeds(a, held_v);
    for (int pass = 0; pass < 2; pass++) {
        (void)kane_assembler_evaluate(a, 1);
        (void)kane_assembler_find_step(a, 0.0);
        for (int k = 0; k < a->cluster->v_count; k++)
            a->work->v[a->cluster->speeds[k]] += a->dv[k];
    }
    (void)kane_assembler_evaluate(a, 1);
}

static int is_named(const kane_assembly *assembly, const char *name)
{
    for (int i = 0; i < assembly->conflict_count; i++)
        if (assembly->conflict[i] == name)
            return 1;
    return 0;
}

// The constraints with the largest open rows.
static void name_conflict(const kane_assembler *a, kane_assembly *assembly)
{
    const kane_cluster *c = a->cluster;
    const int room        = (int)(sizeof assembly->conflict / sizeof *assembly->conflict);
    for (int i = 0; i < c->row_count; i++)
        assembly->left = fmax(assembly->left, fabs(a->left[i]));
    for (int n = 0; n < room; n++) {
        const char *name = NULL;
        double most      = worth_naming * assembly->left;
        for (int i = 0; i < c->closure_count; i++)
            for (int row = c->row_begin[i]; row < c->row_begin[i + 1]; row++)
                if (fabs(a->left[row]) > most && !is_named(assembly, c->closures[i]->name)) {
                    most = fabs(a->left[row]);
                    name = c->closures[i]->name;
                }
        if (!name)
            break;
        assembly->conflict[assembly->conflict_count++] = name;
    }
}

// Coordinates, rank, speeds (docs/mechanisms.md, section 8).
static void assemble_cluster(kane_assembler *a, const int *held_q, const int *held_v, double *start,
                             kane_assembly *assembly)
{
    kane_cluster *c       = a->cluster;
    const size_t bytes    = (size_t)a->tree->q_count * sizeof *start;
    const double open     = find_position(a, held_q, start);
    const int is_possible = open <= KANE_CLOSED;
    const int is_finite   = isfinite(kane_assembler_evaluate(a, 0));
    if (!is_possible) {
        if (is_finite)
            name_conflict(a, assembly);
        else
            assembly->left = HUGE_VAL;
        return;
    }
    memcpy(start, a->work->q, bytes);
    kane_assembler_rank(a);
    memcpy(a->work->q, start, bytes);
    c->u_count = c->form == KANE_FORM_MULTIPLIERS ? c->v_count : c->v_count - c->rank;
    find_speeds(a, held_v);
    for (int i = 0; i < c->row_count; i++)
        assembly->left = fmax(assembly->left, fabs(a->left[i]));
    assembly->solved = assembly->left <= closed_rate && c->rank >= 0;
    if (!assembly->solved)
        name_conflict(a, assembly);
}

void kane_cluster_assemble(kane_cluster *cluster, kane_cluster_work *scratch, const int *held_q, const int *held_v,
                           kane_assembly *assembly)
{
    const kane_tree *tree = scratch->e.tree;
    kane_assembler a      = {
             .tree = tree, .cluster = cluster, .s = scratch, .work = scratch->e.work, .arena = kane_arena_create()};
    *assembly = (kane_assembly){.no_memory = !a.arena};
    if (a.arena) {
        double *start = kane_arena_doubles(a.arena, 3 * (size_t)tree->q_count);
        if (start && create_assembler(&a, held_q))
            assemble_cluster(&a, held_q, held_v, start, assembly);
        else
            assembly->no_memory = 1;
        assembly->no_memory = assembly->no_memory || a.no_memory;
    }
    kane_sparse_lu_free(a.lu);
    kane_pattern_free(a.pattern);
    kane_arena_free(a.arena);
}
