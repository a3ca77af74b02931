// SPDX-License-Identifier: MIT
// Elastic contact in a table (elastic_table.h): how it is made, and interpolated.

#include "contact/elastic_table.h"

#include "base/arena.h"
#include "base/machine.h"

#include <math.h>
#include <string.h>

// Distances of nodes: E [m], u [1], T [1]: 8.5 mrad of yaw, 12 mrad for heights.
static const double eta_step = 0.2e-3, roll_step = 0.75e-3, yaw_step = 7.2e-5;

// Beyond the first step of T the search takes over, up to here [steps]: 10 mrad.
static const double last_yaw = 1.39;

// sqrt(D) [m^1/2]: eight steps are 0.2 mm.
static const double depth_step = 1.7677669529663689e-3;

// The first node of u.
static const double first_roll = -0.5 * (ELASTIC_ROLL - 1) * 0.75e-3;

// The search takes over while the depth comes from the first to the second of these distances before that at which a
// patch of another slope begins [m].
static const double takeover[2] = {1.5e-5, 0.5e-5};

// Less than this over the rail, a wheel may touch where the table is not trusted [m].
static const double near_rail = 1e-4;

// --- interpolation ---

// Weights of the nodes around a place: [0], and their derivatives by the place in steps: [1].
typedef struct elastic_weights {
    int eta, roll;
    double by_eta[2][4], by_roll[2][4], by_yaw[2][3], values_by_yaw[2][2];
} elastic_weights;

// Uniform cubic B-splines at x from the second of four nodes.
static void spline_weights(double x, double w[2][4])
{
    const double u = 1.0 - x, x2 = x * x, u2 = u * u;
    w[0][0] = u2 * u * (1.0 / 6.0);
    w[0][1] = (4.0 - 3.0 * x2 * (2.0 - x)) * (1.0 / 6.0);
    w[0][2] = (4.0 - 3.0 * u2 * (2.0 - u)) * (1.0 / 6.0);
    w[0][3] = x2 * x * (1.0 / 6.0);
    w[1][0] = -0.5 * u2;
    w[1][1] = x * (1.5 * x - 2.0);
    w[1][2] = -u * (1.5 * u - 2.0);
    w[1][3] = 0.5 * x2;
}

// The parabola through nodes at 0, 1, 2, and the straight line through those at 0, 1.
static void yaw_weights(double x, elastic_weights *w)
{
    w->by_yaw[0][0]        = 0.5 * (x - 1.0) * (x - 2.0);
    w->by_yaw[0][1]        = x * (2.0 - x);
    w->by_yaw[0][2]        = 0.5 * x * (x - 1.0);
    w->by_yaw[1][0]        = x - 1.5;
    w->by_yaw[1][1]        = 2.0 - 2.0 * x;
    w->by_yaw[1][2]        = x - 0.5;
    w->values_by_yaw[0][0] = 1.0 - x;
    w->values_by_yaw[0][1] = x;
    w->values_by_yaw[1][0] = -1.0;
    w->values_by_yaw[1][1] = 1.0;
}

// 0 outside of the table.
static int find_weights(const elastic_table *t, const contact_locus *g, elastic_weights *w)
{
    const double e = (g->eta - t->first) * (1.0 / eta_step), r = (g->uz - first_roll) * (1.0 / roll_step);
    const double yaw = g->T * (1.0 / yaw_step);
    if (!(e >= 1.0 && e < ELASTIC_ETA - 2 && r >= 1.0 && r < ELASTIC_ROLL - 2 && yaw < last_yaw))
        return 0;
    w->eta  = (int)e - 1;
    w->roll = (int)r - 1;
    spline_weights(e - (int)e, w->by_eta);
    spline_weights(r - (int)r, w->by_roll);
    yaw_weights(yaw, w);
    return 1;
}

// What is summed over nodes: values, or derivatives by E, u and T in steps.
enum { BY_NONE, BY_STEP_ETA, BY_STEP_ROLL, BY_STEP_YAW, BY_STEPS };

typedef double elastic_heights[ELASTIC_YAW][ELASTIC_ROLL];

static double sum_heights(const elastic_heights *heights, const elastic_weights *w, int by)
{
    const double *eta = w->by_eta[by == BY_STEP_ETA], *roll = w->by_roll[by == BY_STEP_ROLL];
    const double *yaw = w->by_yaw[by == BY_STEP_YAW];
    double sum        = 0.0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < ELASTIC_YAW; k++) {
            const double *z = &heights[w->eta + i][k][w->roll];
            sum += eta[i] * yaw[k] * ((roll[0] * z[0] + roll[1] * z[1]) + (roll[2] * z[2] + roll[3] * z[3]));
        }
    return sum;
}

// Half of the values of a node.
typedef double elastic_half __attribute__((vector_size(32), aligned(8), may_alias));

// All values at a depth, with the weights of four nodes from `depth` on.
KANE_WIDE static void sum_values(const elastic_table *t, const elastic_weights *w, int by, int depth, const double d[4],
                                 double *restrict out)
{
    const double *eta = w->by_eta[by == BY_STEP_ETA], *roll = w->by_roll[by == BY_STEP_ROLL];
    const double *yaw = w->values_by_yaw[by == BY_STEP_YAW];
    const double d0 = d[0], d1 = d[1], d2 = d[2], d3 = d[3];
    elastic_half low = {0.0}, high = {0.0};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < ELASTIC_VALUE_YAW; k++) {
                const double weight   = eta[i] * roll[j] * yaw[k];
                const elastic_half *f = (const elastic_half *)t->value[w->eta + i][w->roll + j][k][depth];
                low += weight * ((d0 * f[0] + d1 * f[2]) + (d2 * f[4] + d3 * f[6]));
                high += weight * ((d0 * f[1] + d1 * f[3]) + (d2 * f[5] + d3 * f[7]));
            }
    *(elastic_half *)out       = low;
    *((elastic_half *)out + 1) = high;
}

// Coordinates of a pose with their slopes.
typedef struct elastic_pose {
    kane_scalar eta, roll, yaw; // E, u, T [steps]
    kane_scalar zeta;           // [m]
} elastic_pose;

KANE_INLINE elastic_pose pose_in_steps(const contact_locus *g)
{
    const contact_locus_scalars s = contact_locus_with_slopes(g);
    const kane_scalar eta = ks_variable(0.0, BY_ETA), zeta = ks_variable(0.0, BY_ZETA),
                      roll = ks_variable(0.0, BY_ROLL);
    const double R         = g->wheel->radius;
    return (elastic_pose){.eta  = ks_scale(1.0 / eta_step, ks_chain2(eta, roll, g->eta, 1.0, R * g->C)),
                          .roll = ks_scale(1.0 / roll_step, s.uz),
                          .yaw  = ks_scale(1.0 / yaw_step, s.T),
                          .zeta = ks_chain2(zeta, roll, g->zeta, 1.0, R * g->S)};
}

// by[0]: the value, the others its derivatives in steps.
KANE_INLINE kane_scalar chain_steps(const elastic_pose *p, const double by[BY_STEPS])
{
    return ks_add(ks_chain2(p->eta, p->roll, by[BY_NONE], by[BY_STEP_ETA], by[BY_STEP_ROLL]),
                  ks_chain(p->yaw, 0.0, by[BY_STEP_YAW]));
}

KANE_INLINE kane_scalar height_of(const elastic_heights *heights, const elastic_weights *w, const elastic_pose *pose,
                                  int with_slopes)
{
    double Z[BY_STEPS] = {sum_heights(heights, w, BY_NONE)};
    for (int i = 1; with_slopes && i < BY_STEPS; i++)
        Z[i] = sum_heights(heights, w, i);
    return chain_steps(pose, Z);
}

KANE_INLINE void find_values(const elastic_table *t, const elastic_weights *w, const elastic_pose *pose,
                             int with_slopes, kane_scalar root, kane_scalar f[ELASTIC_VALUES])
{
    const kane_scalar x = ks_scale(1.0 / depth_step, root);
    const int m         = (int)ks_value(x);
    double by_depth[2][4];
    double value[BY_STEPS][ELASTIC_VALUES] = {{0.0}}, deeper[ELASTIC_VALUES] = {0.0};
    spline_weights(ks_value(x) - m, by_depth);
    sum_values(t, w, BY_NONE, m, by_depth[0], value[BY_NONE]);
    for (int i = 1; with_slopes && i < BY_STEPS; i++)
        sum_values(t, w, i, m, by_depth[0], value[i]);
    if (with_slopes)
        sum_values(t, w, BY_NONE, m, by_depth[1], deeper);
    for (int k = 0; k < ELASTIC_VALUES; k++) {
        double by[BY_STEPS];
        for (int i = 0; i < BY_STEPS; i++)
            by[i] = value[i][k];
        f[k] = ks_add(chain_steps(pose, by), ks_chain(x, 0.0, deeper[k]));
    }
}

KANE_INLINE kane_scalar interpolate_patch(const elastic_table *t, const contact_locus *g, double E_star,
                                          int with_slopes, patch_scalars *p)
{
    const double deepest = (ELASTIC_DEPTH - 3) * depth_step;
    elastic_weights w;
    p->share = ks_constant(0.0);
    if (!find_weights(t, g, &w))
        return ks_constant(0.0);
    const elastic_pose pose = pose_in_steps(g);
    const kane_scalar depth = ks_sub(height_of(t->height, &w, &pose, with_slopes), pose.zeta);
    if (!(ks_value(depth) > -near_rail))
        return ks_constant(1.0);
    const kane_scalar before = ks_sub(height_of(t->other, &w, &pose, with_slopes), depth);
    if (!(ks_value(depth) < deepest * deepest && ks_value(before) > takeover[1]))
        return ks_constant(0.0);
    kane_scalar f[ELASTIC_VALUES];
    const int touches      = ks_value(depth) > 0.0;
    const kane_scalar root = touches ? ks_sqrt(depth) : ks_constant(0.0);
    find_values(t, &w, &pose, with_slopes, root, f);
    const kane_scalar weight =
        ks_mul(ks_mul(kane_smooth_step(ks_scale(1.0 / (last_yaw - 1.0), ks_shift(ks_neg(pose.yaw), last_yaw))),
                      kane_smooth_step(ks_shift(ks_scale(2.0, f[ELASTIC_TRUST]), -0.5))),
               kane_smooth_step(ks_scale(1.0 / (takeover[0] - takeover[1]), ks_shift(before, -takeover[1]))));
    if (!touches || !(ks_value(weight) > 0.0))
        return weight;
    const kane_scalar eta = ks_add(ks_scale(eta_step, pose.eta), f[ELASTIC_PLACE]), slope = f[ELASTIC_SLOPE];
    (void)kane_overlap_place(g, eta, slope, ks_inverse(ks_sqrt(ks_shift(ks_square(slope), 1.0))), p);
    p->N                 = ks_scale(E_star, ks_mul(f[ELASTIC_N], ks_mul(depth, root)));
    p->a                 = ks_mul(f[ELASTIC_ALONG], root);
    p->b                 = ks_mul(f[ELASTIC_ACROSS], root);
    p->approach          = ks_mul(f[ELASTIC_APPROACH], depth);
    p->share             = weight;
    p->first_penetration = p->last_penetration = 0;
    return weight;
}

double kane_elastic_table_eval(const elastic_table *table, const contact_locus *g, double E_star, contact_patch *patch)
{
    patch_scalars p          = {.share = ks_constant(0.0)};
    const kane_scalar weight = interpolate_patch(table, g, E_star, 0, &p);
    *patch                   = patch_value(&p);
    return ks_value(weight);
}

kane_scalar kane_elastic_table_derive(const elastic_table *table, const contact_locus *g, double E_star,
                                      patch_scalars *patch)
{
    return interpolate_patch(table, g, E_star, 1, patch);
}

// --- one node ---

// The first depth that is searched; sqrt(D) is one step there.
enum { FIRST_DEPTH = 2 };

typedef struct elastic_builder {
    const wheel_table *wheel;
    const rail_table *rail;
    const hertz_table *hertz;
    window_table windows; // the whole wheel, or what is near the rail
    elastic_table *table;
} elastic_builder;

// The pose with these coordinates.
static contact_locus locus_at(const elastic_builder *b, double E, double u, double T, double zeta)
{
    const double ex = sqrt(T / (1.0 + T)), c = sqrt(1.0 - ex * ex), uy = sqrt(1.0 - u * u), R = b->wheel->radius;
    const double C = uy * KANE_TILT_COS + u * KANE_TILT_SIN, S = u * KANE_TILT_COS - uy * KANE_TILT_SIN;
    const double eta = E - R * S, up = zeta + R * C; // of the centre
    const wheel_pose pose = {eta * KANE_TILT_COS - up * KANE_TILT_SIN, eta * KANE_TILT_SIN + up * KANE_TILT_COS,
                             kv3(ex, c * uy, c * u)};
    return contact_locus_init(b->wheel, b->rail, &pose);
}

// Patches of one wheel may differ by this in slope over the oblique axis to be tabulated by their mean: two crowns of a
// tread do (.04), tread and flange do not (.15).
static const double slope_range = 0.06;

// Z: the zeta at which the wheel touches, from a guess, and the depth at which a patch of another slope begins; leaves
// the window in which it can be up to the deepest node.
static double touching_height(elastic_builder *b, double E, double u, double T, double guess, double *other)
{
    double p[KANE_WHEEL_NODES], zeta = guess;
    const double deepest = (ELASTIC_DEPTH - 2) * depth_step * (ELASTIC_DEPTH - 2) * depth_step;
    const int count      = b->wheel->nodes.count;
    for (int i = 0; i < 2; i++) { // until some place is as deep as the deepest node
        const contact_locus g = locus_at(b, E, u, T, zeta);
        kane_window_scan(&g, 0, count - 1, p);
        zeta += window_largest(count, p) - deepest;
    }
    const contact_locus g = locus_at(b, E, u, T, zeta);
    kane_window_scan(&g, 0, count - 1, p);
    int first = count - 1, last = 0;
    for (int i = 0; i < count; i++)
        if (window_depth(p, count, i) > -5e-5) {
            first = i < first ? i : first;
            last  = i;
        }
    b->windows.all = (window){.count = 1,
                              .first = {(unsigned short)(first > 3 ? first - 3 : 0)},
                              .last  = {(unsigned short)(last < count - 4 ? last + 3 : count - 1)}};
    penetrations found;
    kane_penetrations_search(&g, &b->windows, &found);
    const overlap *most = &found.at[0].peak;
    for (int i = 1; i < found.count; i++)
        most = found.at[i].peak.p > most->p ? &found.at[i].peak : most;
    *other = deepest;
    for (int i = 0; i < found.count; i++)
        if (fabs(found.at[i].peak.slope - most->slope) > slope_range)
            *other = fmin(*other, most->p - found.at[i].peak.p);
    return found.count > 0 ? zeta + most->p : zeta;
}

// Place over the oblique axis of a point of the rail that lies y beside its origin, by Newton from a place near it.
static double oblique_place(const rail_table *rail, double y, double eta)
{
    for (int i = 0; i < 5; i++) {
        double x;
        const rail_cell *r = rail_cell_at(rail, eta, &x);
        eta -= (KANE_TILT_COS * eta - KANE_TILT_SIN * rail_height(r, x) - y) /
               (KANE_TILT_COS - KANE_TILT_SIN * rail_slope(r, x));
    }
    return eta;
}

// Means of the patches at the depth D [m].
static void mean_patch(const elastic_builder *b, const contact_locus *g, double E, double D, double f[ELASTIC_VALUES])
{
    penetrations found;
    contact_patch s[KANE_PATCHES_MAX];
    kane_penetrations_search(g, &b->windows, &found);
    const int count = kane_overlap_patches(g, &found, b->hertz, 1.0, s);
    double N = 0.0, eta = 0.0, slope = 0.0, area = 0.0, ratio = 0.0, approach = 0.0, low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < count; i++) {
        const double w = s[i].share * s[i].N, t = -s[i].normal.y / s[i].normal.z;
        const double here = (t * KANE_TILT_COS - KANE_TILT_SIN) / (KANE_TILT_COS + t * KANE_TILT_SIN);
        const double near = s[i].rail_y * KANE_TILT_COS + (g->z + s[i].point.z) * KANE_TILT_SIN;
        N += w;
        eta += w * oblique_place(b->rail, s[i].rail_y, near);
        slope += w * here;
        area += s[i].share * s[i].a * s[i].b;
        ratio += w * log(s[i].a / s[i].b);
        approach += w * s[i].approach;
        low  = fmin(low, here);
        high = fmax(high, here);
    }
    memset(f, 0, ELASTIC_VALUES * sizeof *f);
    if (!(N > 0.0))
        return;
    const double size = sqrt(area / D), shape = exp(0.5 * ratio / N);
    f[ELASTIC_N]        = N / (D * sqrt(D));
    f[ELASTIC_PLACE]    = eta / N - E;
    f[ELASTIC_SLOPE]    = slope / N;
    f[ELASTIC_ALONG]    = size * shape;
    f[ELASTIC_ACROSS]   = size / shape;
    f[ELASTIC_APPROACH] = approach / (N * D);
    f[ELASTIC_TRUST]    = high - low < slope_range;
}

static void fill_node(elastic_builder *b, int i, int j, int k, double *guess)
{
    const double E = b->table->first + i * eta_step, u = first_roll + j * roll_step, T = k * yaw_step;
    const double Z = *guess = touching_height(b, E, u, T, *guess, &b->table->other[i][k][j]);

    b->table->height[i][k][j] = Z;
    for (int m = FIRST_DEPTH; k < ELASTIC_VALUE_YAW && m < ELASTIC_DEPTH; m++) {
        const double root = (m - 1) * depth_step, D = root * root;
        const contact_locus g = locus_at(b, E, u, T, Z - D);
        mean_patch(b, &g, E, D, b->table->value[i][j][k][m]);
    }
}

// --- the table ---

// Values of a node, without its trust, from those of two nodes before it: straight on.
static void go_on_straight(const double before[ELASTIC_VALUES], const double last[ELASTIC_VALUES], int steps,
                           double f[ELASTIC_VALUES])
{
    for (int q = 0; q < ELASTIC_TRUST; q++)
        f[q] = last[q] + steps * (last[q] - before[q]);
}

// Nodes without trust go on from the nearest ones that have it along E: their means are of no use to the splines of
// these.
static void replace_means(elastic_table *t, int j, int k, int m)
{
    enum { REACH = 3 };
    for (int i = 0; i < ELASTIC_ETA; i++) {
        if (t->value[i][j][k][m][ELASTIC_TRUST] != 0.0)
            continue;
        for (int n = 1, found = 0; n <= REACH && !found; n++)
            for (int way = -1; way <= 1 && !found; way += 2) {
                const int last = i + way * n, before = last + way;
                found = before >= 0 && before < ELASTIC_ETA && t->value[last][j][k][m][ELASTIC_TRUST] != 0.0 &&
                        t->value[before][j][k][m][ELASTIC_TRUST] != 0.0;
                if (found)
                    go_on_straight(t->value[before][j][k][m], t->value[last][j][k][m], n, t->value[i][j][k][m]);
            }
    }
}

// Coefficients over depth of one node from its values: outside of them by a parabola.
static void make_depth_coefficients(double values[ELASTIC_DEPTH][ELASTIC_VALUES])
{
    for (int q = 0; q < ELASTIC_TRUST; q++) {
        double f[ELASTIC_DEPTH + 2]; // sqrt(D) = -2 ... 11 steps
        for (int m = FIRST_DEPTH; m < ELASTIC_DEPTH; m++)
            f[m + 1] = values[m][q];
        f[ELASTIC_DEPTH + 1] = 3.0 * f[ELASTIC_DEPTH] - 3.0 * f[ELASTIC_DEPTH - 1] + f[ELASTIC_DEPTH - 2];
        for (int m = FIRST_DEPTH; m >= 0; m--)
            f[m] = 3.0 * f[m + 1] - 3.0 * f[m + 2] + f[m + 3];
        for (int m = 0; m < ELASTIC_DEPTH; m++) // the spline through f but for fourth differences: f - f''/6
            values[m][q] = ((8.0 * f[m + 1] - f[m] - f[m + 2]) / 6.0);
    }
}

// c = f - f''/6 of a line of nodes. The ends stay.
static void make_coefficients(int count, double *line)
{
    double before = line[0];
    for (int i = 1; i < count - 1; i++) {
        const double here = line[i];
        line[i]           = (8.0 * here - before - line[i + 1]) / 6.0;
        before            = here;
    }
}

// Of heights, along E and u.
static void make_height_coefficients(elastic_table *t, int k)
{
    double line[ELASTIC_ETA];
    for (int j = 0; j < ELASTIC_ROLL; j++) {
        for (int i = 0; i < ELASTIC_ETA; i++)
            line[i] = t->height[i][k][j];
        make_coefficients(ELASTIC_ETA, line);
        for (int i = 0; i < ELASTIC_ETA; i++)
            t->height[i][k][j] = line[i];
    }
    for (int i = 0; i < ELASTIC_ETA; i++)
        make_coefficients(ELASTIC_ROLL, t->height[i][k]);
}

// Of one value at one depth, along E and u.
static void make_value_coefficients(elastic_table *t, int k, int m, int q)
{
    double line[ELASTIC_ROLL][ELASTIC_ETA], across[ELASTIC_ROLL];
    for (int j = 0; j < ELASTIC_ROLL; j++) {
        for (int i = 0; i < ELASTIC_ETA; i++)
            line[j][i] = t->value[i][j][k][m][q];
        make_coefficients(ELASTIC_ETA, line[j]);
    }
    for (int i = 0; i < ELASTIC_ETA; i++) {
        for (int j = 0; j < ELASTIC_ROLL; j++)
            across[j] = line[j][i];
        make_coefficients(ELASTIC_ROLL, across);
        for (int j = 0; j < ELASTIC_ROLL; j++)
            t->value[i][j][k][m][q] = across[j];
    }
}

static void make_all_coefficients(elastic_table *t)
{
    for (int k = 0; k < ELASTIC_YAW; k++)
        make_height_coefficients(t, k);
    for (int k = 0; k < ELASTIC_VALUE_YAW; k++) {
        for (int i = 0; i < ELASTIC_ETA; i++)
            for (int j = 0; j < ELASTIC_ROLL; j++)
                make_depth_coefficients(t->value[i][j][k]);
        for (int m = 0; m < ELASTIC_DEPTH; m++)
            for (int q = 0; q < ELASTIC_TRUST; q++)
                make_value_coefficients(t, k, m, q);
    }
}

// How far a cell may be off in its middle: what the normal force takes for depth [m], in slope and place [m].
static const double depth_error = 0.5e-6, slope_error = 3e-3, place_error = 0.3e-3;

// Whether a cell, in the middle of u and at the part `at` of E and of the first step of T, is what the search finds at
// x steps of sqrt(D), or before a patch of another slope begins if that is deeper than `least` steps.
static int is_accurate(elastic_builder *b, int i, int j, double at, double x, double least)
{
    const elastic_table *t = b->table;
    const double E = t->first + (i + at) * eta_step, u = first_roll + (j + 0.5) * roll_step, T = at * yaw_step;
    elastic_weights w = {.eta = i - 1, .roll = j - 1};
    double by_depth[2][4], f[ELASTIC_VALUES], value[ELASTIC_VALUES];
    spline_weights(at, w.by_eta);
    spline_weights(0.5, w.by_roll);
    yaw_weights(at, &w);
    const double most = sum_heights(t->other, &w, BY_NONE) - takeover[1];
    const double D    = fmin(x * x * depth_step * depth_step, fmax(most, takeover[0]));
    if (D < least * least * depth_step * depth_step)
        return 1;
    const double steps = sqrt(D) / depth_step;
    spline_weights(steps - (int)steps, by_depth);
    sum_values(t, &w, BY_NONE, (int)steps, by_depth[0], value);
    const contact_locus g = locus_at(b, E, u, T, sum_heights(t->height, &w, BY_NONE) - D);
    b->windows.all        = (window){.count = 1, .last = {(unsigned short)(b->wheel->nodes.count - 1)}};
    mean_patch(b, &g, E, D, f);
    const double slope = f[ELASTIC_SLOPE];
    return fabs(value[ELASTIC_N] / f[ELASTIC_N] - 1.0) * D < 1.5 * depth_error &&
           fabs(value[ELASTIC_SLOPE] - slope) < slope_error * (1.0 + slope * slope) &&
           fabs(value[ELASTIC_PLACE] - f[ELASTIC_PLACE]) < place_error;
}

// The same trust at all yaws.
static void set_trust(elastic_table *t, int i, int j, int m, int trust)
{
    for (int k = 0; k < ELASTIC_VALUE_YAW; k++)
        t->value[i][j][k][m][ELASTIC_TRUST] = trust;
}

// Takes trust from the corners of cells that are not accurate, and the next nodes along E, each for a range of depths.
static void trust_accurate(elastic_builder *b)
{
    static const double depth[]   = {2.5, 5.5, 8.0};
    static const int first[3 + 1] = {0, 5, 8, ELASTIC_DEPTH};
    elastic_table *t              = b->table;
    for (int i = 1; i < ELASTIC_ETA - 2; i++)
        for (int j = 1; j < ELASTIC_ROLL - 2; j++)
            for (int d = 0; d < 3; d++) {
                const double least = first[d] > 0 ? first[d] - 1.0 : 0.0;
                if (is_accurate(b, i, j, 0.25, depth[d], least) && is_accurate(b, i, j, 0.75, depth[d], least))
                    continue;
                for (int n = 0; n < 8; n++)
                    for (int m = first[d]; m < first[d + 1]; m++)
                        set_trust(t, i - 1 + n % 4, j + n / 4, m, 0);
            }
}

int kane_elastic_table_init(elastic_table *t, const wheel_table *wheel, const rail_table *rail, double y,
                            const hertz_table *hertz)
{
    double guess[ELASTIC_ROLL][ELASTIC_YAW] = {{0.0}};
    elastic_builder *b                      = kane_allocate(1, sizeof *b);
    if (!b)
        return 0;
    *b       = (elastic_builder){.wheel = wheel, .rail = rail, .hertz = hertz, .windows.y = HUGE_VAL, .table = t};
    t->first = y * KANE_TILT_COS - 0.5 * (ELASTIC_ETA - 1) * eta_step;
    for (int i = 0; i < ELASTIC_ETA; i++)
        for (int j = 0; j < ELASTIC_ROLL; j++)
            for (int k = 0; k < ELASTIC_YAW; k++)
                fill_node(b, i, j, k, &guess[j][k]);
    for (int j = 0; j < ELASTIC_ROLL; j++)
        for (int k = 0; k < ELASTIC_VALUE_YAW; k++)
            for (int m = FIRST_DEPTH; m < ELASTIC_DEPTH; m++)
                replace_means(t, j, k, m);
    make_all_coefficients(t);
    for (int i = 0; i < ELASTIC_ETA; i++) // but at the margins
        for (int j = 0; j < ELASTIC_ROLL; j++)
            for (int m = 0; m < ELASTIC_DEPTH; m++)
                set_trust(t, i, j, m,
                          i >= 3 && i < ELASTIC_ETA - 3 && j >= 3 && j < ELASTIC_ROLL - 3 && m < ELASTIC_DEPTH - 2);
    trust_accurate(b);
    kane_release(b);
    return 1;
}
