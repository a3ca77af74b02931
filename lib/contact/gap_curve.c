// SPDX-License-Identifier: MIT
// Derivatives of the gap of rigid bodies up to the third.
//
// A pose has four coordinates (side.h): its centre eta, zeta over the oblique axes, roll of the axle about x, and how
// far the axle points along the rail, ex. At a place of the wheel with U along the axle and V down (search.h), both of
// which ex alone changes, the overlap is
//
//   p = h(eta + r_eta) - (zeta + r_zeta),    r_eta = U C + V S,   r_zeta = U S - V C
//
// and a roll turns r: d(r_eta) = -r_zeta, d(r_zeta) = r_eta. With a_k, b_k for the k-th derivative by ex of both, all
// derivatives of the place that are not zero are
//
//                 eta  zeta   roll     ex    roll roll  roll ex  ex ex
//   of eta         1    0    -r_zeta   a_1    -r_eta     -b_1     a_2
//   of zeta        0    1     r_eta    b_1    -r_zeta     a_1     b_2
//
// Those of the gap -D ln(sum of exp(p/D)) are its cumulants: with  < >  the mean with weights exp(p/D), ' the
// derivative along the path while its rates stay, and
//   M_ij = <p_ij + p_i p_j/D>,   K_i = <p''_i + (p'' p_i + 2 p' p'_i)/D + p'^2 p_i/D^2>,
//   gap_ij  = -M_ij + <p_i> <p_j>/D
//   gap''_i = -K_i + (2 M_ti <p'> + M_tt <p_i>)/D - 2 <p'>^2 <p_i>/D^2         t: along the path
// zeta alone lifts all places by the same. Between two profiles h = h_1 + share (h_2 - h_1) depends on the share, too:
// h_share = h_2 - h_1, of which eta_share = zeta_share = 0.

#include "contact/gap_places.h"

#include "base/machine.h"
#include "contact/contact.h"
#include "contact/gap_table.h"
#include "math/small.h"

#include <string.h>

static const double D = KANE_GAP_DEPTH;

// What moves places to each other: eta, roll, ex; and, between two profiles of the rail, the share of the second.
enum { ETA, ROLL, EX, SHARE, MOVES };
static const int direction_of[MOVES] = {BY_ETA, BY_ROLL, BY_EX, BY_SHARE};

// A function of ex: value and three derivatives.
typedef struct of_ex {
    double at, first, second, third;
} of_ex;

// c = sqrt(1 - ex^2),  T = ex^2/c^2,  c T
typedef struct turned {
    of_ex c, T, cT;
} turned;

static turned turned_of(double e)
{
    const double c = sqrt(1.0 - e * e), k = 1.0 / c, k2 = k * k, k3 = k * k2, k5 = k3 * k2, k7 = k5 * k2, e2 = e * e;
    return (turned){.c  = {c, -e * k, -k3, -3.0 * e * k5},
                    .T  = {e2 * k2, 2.0 * e * k2 * k2, 2.0 * k2 * k2 + 8.0 * e2 * k3 * k3,
                           24.0 * e * k3 * k3 + 48.0 * e * e2 * k5 * k3},
                    .cT = {e2 * k, 2.0 * e * k + e * e2 * k3, 2.0 * k + 5.0 * e2 * k3 + 3.0 * e2 * e2 * k5,
                           12.0 * e * k3 + 27.0 * e * e2 * k5 + 15.0 * e * e2 * e2 * k7}};
}

// Rates of the pose's coordinates eta, zeta [m/s], roll [rad/s], ex [1/s], and of the share [1/s].
typedef struct pose_rates {
    double at[GAP_DIRECTIONS];
} pose_rates;

// Weighted sums over the places, one lane for each place of a block. MEAN_x: <x>; DMEAN_x: <x_i + x p_i/D>, from which
//   d<x>/d(i) = <x_i + x p_i/D> - <x> <p_i>/D
enum {
    WEIGHT,
    MEAN_S,
    MEAN_ETA,
    MEAN_ETA2,
    MEAN_P,                         // p_i
    MEAN_M     = MEAN_P + MOVES,    // M_ij: eta eta, eta roll, eta ex, roll roll, roll ex, ex ex; with share: of these
    MEAN_K     = MEAN_M + 10,       // K_i
    DMEAN_S    = MEAN_K + MOVES,    // by i
    DMEAN_ETA  = DMEAN_S + MOVES,   //
    DMEAN_ETA2 = DMEAN_ETA + MOVES, //
    SUMS       = DMEAN_ETA2 + MOVES
};
static const int both[MOVES][MOVES] = {{0, 1, 2, 6}, {1, 3, 4, 7}, {2, 4, 5, 8}, {6, 7, 8, 9}};

typedef struct curve_sums {
    double at[SUMS][BLOCK];
} curve_sums;

// A block of places: wheel coordinates with derivatives by ex, and the rail's height derivatives at each.
typedef struct block {
    double U[4][BLOCK], V[4][BLOCK]; // and their derivatives by ex
    double eta[BLOCK], weight[BLOCK], slope[BLOCK], accel[BLOCK], third[BLOCK];
    double rise[3][BLOCK]; // of the second profile over the first, with two derivatives: where there are two
} block;

KANE_WIDE static void place_block(const contact_locus *g, const turned *t, int first, int count, double top,
                                  block *restrict b)
{
    const wheel_table *wheel = g->wheel;
    const rail_mean *rail    = &g->rail;
    const double *restrict s = wheel->places.s + first, *restrict f = wheel->places.f + first;
    const double *restrict shift = wheel->places.shift + first, *restrict steep = wheel->places.steep + first;
    const double *restrict sink = wheel->places.sink + first, *restrict ds = wheel->places.width + first;
    const double T1 = t->T.first, T2 = t->T.second, T3 = t->T.third, C = g->C, S = g->S;
    for (int i = 0; i < count; i++) {
        const double q = t->T.at * steep[i], by_T = -sink[i] * (0.5 + q * (0.25 + q * 0.1875)),
                     by_TT = -sink[i] * steep[i] * (0.25 + 0.375 * q), by_TTT = -0.375 * sink[i] * steep[i] * steep[i];
        const double v = f[i] - t->T.at * sink[i] * (0.5 + q * (0.125 + q * 0.0625));
        b->U[0][i]     = t->c.at * s[i] - t->cT.at * shift[i];
        b->U[1][i]     = t->c.first * s[i] - t->cT.first * shift[i];
        b->U[2][i]     = t->c.second * s[i] - t->cT.second * shift[i];
        b->U[3][i]     = t->c.third * s[i] - t->cT.third * shift[i];
        b->V[0][i]     = wheel->radius + v;
        b->V[1][i]     = by_T * T1;
        b->V[2][i]     = by_TT * T1 * T1 + by_T * T2;
        b->V[3][i]     = by_TTT * T1 * T1 * T1 + 3.0 * by_TT * T1 * T2 + by_T * T3;
        b->eta[i]      = g->eta + b->U[0][i] * C + v * S;
        b->weight[i]   = g->zeta + b->U[0][i] * S - v * C + top;
    }
    for (int i = 0; i < count; i++) {
        double x;
        rail_cell room;
        const rail_cell *r = rail_mean_cell_at(rail, b->eta[i], &x, &room);
        b->weight[i]       = (rail_height(r, x) - b->weight[i]) * (1.0 / D);
        b->slope[i]        = rail_slope(r, x);
        b->accel[i]        = rail_second(r, x);
        b->third[i]        = 6.0 * r->z[3];
    }
    for (int i = 0; rail->to && i < count; i++) {
        double x;
        const rail_cell *from = rail_cell_at(rail->from, b->eta[i], &x), *to = rail_cell_at(rail->to, b->eta[i], &x);
        b->rise[0][i] = rail_height(to, x) - rail_height(from, x);
        b->rise[1][i] = rail_slope(to, x) - rail_slope(from, x);
        b->rise[2][i] = rail_second(to, x) - rail_second(from, x);
    }
    kane_exp_block(count, b->weight);
    for (int i = 0; i < count; i++)
        b->weight[i] *= ds[i];
}

//   moves  MOVES between two profiles, else SHARE
KANE_INLINE void add_places(const contact_locus *g, const block *b, const double *restrict s, int count, int moves,
                            const pose_rates *rates, curve_sums *restrict m)
{
    const double grow = rates->at[BY_SHARE];
    const double C = g->C, S = g->S, per_D = 1.0 / D;
    const double u = rates->at[BY_ETA], up = rates->at[BY_ZETA], w = rates->at[BY_ROLL], v = rates->at[BY_EX];
    for (int i = 0; i < count; i++) {
        const double r_eta = b->U[0][i] * C + b->V[0][i] * S, r_zeta = b->U[0][i] * S - b->V[0][i] * C;
        const double a1 = b->U[1][i] * C + b->V[1][i] * S, b1 = b->U[1][i] * S - b->V[1][i] * C;
        const double a2 = b->U[2][i] * C + b->V[2][i] * S, b2 = b->U[2][i] * S - b->V[2][i] * C;
        const double a3 = b->U[3][i] * C + b->V[3][i] * S, b3 = b->U[3][i] * S - b->V[3][i] * C;
        const double eta = b->eta[i], h1 = b->slope[i], h2 = b->accel[i], h3 = b->third[i], weight = b->weight[i];

        // the place along the path: rates, their derivatives; second derivatives, and theirs
        const double eta_t = u - r_zeta * w + a1 * v, zeta_t = up + r_eta * w + b1 * v;
        const double eta_tw = -r_eta * w - b1 * v, zeta_tw = -r_zeta * w + a1 * v;
        const double eta_tv = a2 * v - b1 * w, zeta_tv = a1 * w + b2 * v;
        const double eta_tt = w * (eta_tw - b1 * v) + v * (a2 * v), zeta_tt = w * (zeta_tw + a1 * v) + v * (b2 * v);
        const double eta_ttv  = -a1 * w * w - 2.0 * b2 * w * v + a3 * v * v,
                     zeta_ttv = -b1 * w * w + 2.0 * a2 * w * v + b3 * v * v;

        // the overlap
        const double by_h2 = moves > SHARE ? h2 * eta_t + b->rise[1][i] * grow : h2 * eta_t; // d(h1)/dt
        double by[MOVES] = {h1, -h1 * r_zeta - r_eta, h1 * a1 - b1}, e[MOVES] = {1.0, -r_zeta, a1};
        double p_t = h1 * eta_t - zeta_t, p_tt = h2 * eta_t * eta_t + h1 * eta_tt - zeta_tt;
        double by_t[MOVES] = {by_h2, by_h2 * e[ROLL] + h1 * eta_tw - zeta_tw, by_h2 * e[EX] + h1 * eta_tv - zeta_tv};
        double by_eta_tt = h3 * eta_t * eta_t + h2 * eta_tt, twice = 2.0 * by_h2;
        if (moves > SHARE) {
            const double d0 = b->rise[0][i], d1 = b->rise[1][i], d2 = b->rise[2][i];
            by[SHARE] = d0;
            p_t += d0 * grow;
            p_tt += 2.0 * d1 * eta_t * grow;
            by_t[SHARE] = d1 * eta_t;
            by_eta_tt += 2.0 * d2 * eta_t * grow;
        }
        double by_tt[MOVES] = {by_eta_tt, by_eta_tt * e[ROLL] + twice * eta_tw - h1 * zeta_tt - eta_tt,
                               by_eta_tt * e[EX] + twice * eta_tv + h1 * eta_ttv - zeta_ttv};
        double by_both[10]  = {h2,
                               h2 * e[ROLL],
                               h2 * e[EX],
                               h2 * e[ROLL] * e[ROLL] - h1 * r_eta + r_zeta,
                               h2 * e[ROLL] * e[EX] - h1 * b1 - a1,
                               h2 * e[EX] * e[EX] + h1 * a2 - b2};
        if (moves > SHARE) {
            by_tt[SHARE] = b->rise[2][i] * eta_t * eta_t + b->rise[1][i] * eta_tt;
            for (int k = 0; k < SHARE; k++)
                by_both[both[k][SHARE]] = b->rise[1][i] * e[k];
        }
        const double rest = per_D * (p_tt + per_D * p_t * p_t), twice_p = 2.0 * per_D * p_t;
        const double s_D = per_D * s[i], eta_D = per_D * eta, eta2_D = per_D * eta * eta;

        m->at[WEIGHT][i] += weight;
        m->at[MEAN_S][i] += weight * s[i];
        m->at[MEAN_ETA][i] += weight * eta;
        m->at[MEAN_ETA2][i] += weight * (eta * eta);
        for (int k = 0; k < moves; k++) {
            m->at[MEAN_P + k][i] += weight * by[k];
            m->at[MEAN_K + k][i] += weight * (by_tt[k] + rest * by[k] + twice_p * by_t[k]);
            m->at[DMEAN_S + k][i] += weight * (s_D * by[k]);
            m->at[DMEAN_ETA + k][i] += weight * (eta_D * by[k] + e[k]);
            m->at[DMEAN_ETA2 + k][i] += weight * (eta2_D * by[k] + 2.0 * eta * e[k]);
            for (int j = k; j < moves; j++)
                m->at[MEAN_M + both[k][j]][i] += weight * (by_both[both[k][j]] + per_D * by[k] * by[j]);
        }
    }
}

KANE_WIDE static void add_block(const contact_locus *g, const block *b, const double *restrict s, int count,
                                const pose_rates *rates, curve_sums *restrict m)
{
    if (g->rail.to)
        add_places(g, b, s, count, MOVES, rates, m);
    else
        add_places(g, b, s, count, SHARE, rates, m);
}

// gap_i, gap_ij and gap''_i from the means (head of this file).
static void curve_from(const double mean[SUMS], const pose_rates *u, gap_curve *c)
{
    const double *P = mean + MEAN_P, up = u->at[BY_ZETA], per_D = 1.0 / D;
    double P_t = -up, M_t[MOVES], M_tt = per_D * up * up;
    for (int i = 0; i < MOVES; i++) {
        M_t[i] = -per_D * up * P[i];
        for (int j = 0; j < MOVES; j++)
            M_t[i] += mean[MEAN_M + both[i][j]] * u->at[direction_of[j]];
        P_t += P[i] * u->at[direction_of[i]];
    }
    for (int i = 0; i < MOVES; i++)
        M_tt += (M_t[i] - per_D * up * P[i]) * u->at[direction_of[i]];
    c->by[BY_ZETA] = 1.0;
    for (int i = 0; i < MOVES; i++) {
        const int k   = direction_of[i];
        c->by[k]      = -P[i];
        c->by_path[k] = -mean[MEAN_K + i] + per_D * (2.0 * (M_t[i] - per_D * P_t * P[i]) * P_t + M_tt * P[i]);
        for (int j = 0; j < MOVES; j++)
            c->by_both[k][direction_of[j]] = per_D * P[i] * P[j] - mean[MEAN_M + both[i][j]];
    }
}

// A mean as dual number:  d<x>/d(i) = dmean_i - <x> <p_i>/D
static kane_scalar mean_scalar(double value, const double dmean[MOVES], const double P[MOVES])
{
    double slope[MOVES];
    for (int i = 0; i < MOVES; i++)
        slope[i] = dmean[i] - value * P[i] * (1.0 / D);
    const kane_tangents by_pose = pose_tangents(slope[ETA], 0.0, slope[ROLL], slope[EX]);
    return (kane_scalar){kane_tangents_sum(1.0, by_pose, slope[SHARE], kane_tangents_unit(BY_SHARE)), value};
}

// Wheel and rail at the place s as dual numbers, s with its own tangents.
static gap_outline outline_moving(const contact_locus *g, kane_scalar s)
{
    const overlap_tangents o      = overlap_tangents_at(g, ks_value(s));
    const contact_locus_scalars a = contact_locus_with_slopes(g);
    const kane_tangents ds = s.t, by_eta = kane_tangents_sum(1.0, o.by_eta, o.eta1, ds);
    double x;
    rail_cell room;
    const rail_cell *r    = rail_mean_cell_at(&g->rail, o.eta, &x, &room);
    const rail_cell *from = rail_cell_at(g->rail.from, o.eta, &x);
    const double rise = g->rail.to ? rail_height(rail_cell_at(g->rail.to, o.eta, &x), x) - rail_height(from, x) : 0.0;
    const kane_tangents by_share = kane_tangents_scale(rise, kane_tangents_unit(BY_SHARE));
    return (gap_outline){.ex     = a.ex,
                         .uy     = a.uy,
                         .uz     = a.uz,
                         .U      = {kane_tangents_sum(o.w.U1, ds, 1.0, pose_tangents(0.0, 0.0, 0.0, o.U_ex)), o.w.U},
                         .v      = {kane_tangents_sum(o.w.V1, ds, 1.0, pose_tangents(0.0, 0.0, 0.0, o.v_ex)), o.w.v},
                         .R      = ks_chain(s, o.w.R, o.w.R1),
                         .R1     = ks_chain(s, o.w.R1, o.w.R2),
                         .RR1    = ks_chain(s, o.w.RR1, o.w.R1 * o.w.R1 + o.w.R * o.w.R2),
                         .eta    = {by_eta, o.eta},
                         .rail   = {kane_tangents_sum(o.slope, by_eta, 1.0, by_share), rail_height(r, x)},
                         .radius = g->wheel->radius};
}

// A function of E, u and T as dual number.
static kane_scalar table_scalar(const contact_locus *g, double value, const double by[GAP_VARIABLES])
{
    double T[4];
    gap_slopes_of_T(g, T);
    return (kane_scalar){
        pose_tangents(by[GAP_E], 0.0, by[GAP_E] * g->wheel->radius * g->C + by[GAP_U] * g->uy, by[GAP_T] * T[1]),
        value};
}

static int curve_of_profiles(const contact_place *on, const wheel_pose *pose, const pose_rates *rates, gap_curve *c)
{
    const wheel_table *wheel = &on->pair->wheel;
    gap_ranges near;
    const contact_locus g = contact_locus_init_between(wheel, &on->rail, pose);
    if (!gap_ranges_find(&g, on->windows, &near))
        return 0;
    const turned t = turned_of(g.ex);
    curve_sums sum;
    memset(&sum, 0, sizeof sum);
    for (int i = 0; i < near.count; i++)
        for (int k = near.first[i]; k < near.end[i]; k += BLOCK) {
            const int count = near.end[i] - k < BLOCK ? near.end[i] - k : BLOCK;
            block b;
            place_block(&g, &t, k, count, near.top, &b);
            add_block(&g, &b, wheel->places.s + k, count, rates, &sum);
        }
    double mean[SUMS];
    for (int k = 0; k < SUMS; k++)
        mean[k] = gap_total(sum.at[k]);
    for (int k = 1; k < SUMS; k++)
        mean[k] /= mean[WEIGHT];
    curve_from(mean, rates, c);
    const double *P  = mean + MEAN_P;
    const gap_mean m = {
        .s = mean_scalar(mean[MEAN_S], mean + DMEAN_S, P),
        .slope =
            mean_scalar(P[ETA], (double[MOVES]){mean[MEAN_M], mean[MEAN_M + 1], mean[MEAN_M + 2], mean[MEAN_M + 6]}, P),
        .eta  = mean_scalar(mean[MEAN_ETA], mean + DMEAN_ETA, P),
        .eta2 = mean_scalar(mean[MEAN_ETA2], mean + DMEAN_ETA2, P)};
    const gap_outline o = outline_moving(&g, m.s);
    c->spot             = gap_point_of(&o, &m);
    return 1;
}

// The same of a table; 0 outside of it.
static int curve_of_table(const gap_table *table, const contact_place *on, const wheel_pose *pose,
                          const pose_rates *rates, gap_curve *c)
{
    const contact_locus g = contact_locus_init_between(&on->pair->wheel, &on->rail, pose);
    const double R = g.wheel->radius, roll = rates->at[BY_ROLL], ex = rates->at[BY_EX];
    double at[GAP_VARIABLES], rate[GAP_VARIABLES], T[4], M[GAP_VARIABLES], A[GAP_VARIABLES];
    gap_surface z;
    gap_variables(&g, at);
    gap_variable_rates(&g, rates->at, rate);
    if (!kane_gap_table_derive(table, at, rate, &z))
        return 0;
    gap_curve_of_surface(&g, &z, c);

    // Z'' at constant rates of the pose, by E, u and T, and what these become
    gap_slopes_of_T(&g, T);
    const double E_tt = -R * g.S * roll * roll, u_tt = -g.uz * roll * roll, T_tt = T[2] * ex * ex;
    for (int i = 0; i < GAP_VARIABLES; i++) {
        const double *by = z.by_both[i];
        M[i]             = by[GAP_E] * rate[GAP_E] + by[GAP_U] * rate[GAP_U] + by[GAP_T] * rate[GAP_T];
        A[i]             = z.by_path[i] + by[GAP_E] * E_tt + by[GAP_U] * u_tt + by[GAP_T] * T_tt;
    }
    c->by_path[BY_ETA]  = -A[GAP_E];
    c->by_path[BY_ROLL] = E_tt - A[GAP_E] * R * g.C - A[GAP_U] * g.uy +
                          (z.by[GAP_E] * R * g.C + z.by[GAP_U] * g.uy) * roll * roll +
                          2.0 * (M[GAP_E] * R * g.S + M[GAP_U] * g.uz) * roll;
    c->by_path[BY_EX] = -A[GAP_T] * T[1] - z.by[GAP_T] * T[3] * ex * ex - 2.0 * M[GAP_T] * T[2] * ex;

    const gap_mean m    = {.s     = table_scalar(&g, z.s, z.s_by),
                           .slope = table_scalar(&g, z.by[GAP_E], z.by_both[GAP_E]),
                           .eta   = ks_constant(0.0),
                           .eta2  = table_scalar(&g, z.spread, z.spread_by)};
    const gap_outline o = outline_moving(&g, m.s);
    c->spot             = gap_point_of(&o, &m);
    return 1;
}

// --- poses with slopes in any directions ---

// Chain rule: s has tangents by the pose coordinates and the share, by[k] are those of k;  ds = sum of s_k by[k].
static kane_scalar chain_tangents(kane_scalar s, const kane_tangents by[GAP_DIRECTIONS])
{
    const kane_tangents first   = kane_tangents_sum(kane_tangents_get(s.t, 0), by[0], kane_tangents_get(s.t, 1), by[1]),
                        last    = kane_tangents_sum(kane_tangents_get(s.t, 2), by[2], kane_tangents_get(s.t, 3), by[3]);
    const kane_tangents of_pose = kane_tangents_add(first, last);
    return (kane_scalar){kane_tangents_sum(1.0, of_pose, kane_tangents_get(s.t, BY_SHARE), by[BY_SHARE]), s.v};
}

static kane_scalar3 chain_tangents3(kane_scalar3 s, const kane_tangents by[GAP_DIRECTIONS])
{
    return ks3(chain_tangents(s.x, by), chain_tangents(s.y, by), chain_tangents(s.z, by));
}

kane_status kane_gap_curve(const kane_contact *contact, kane_side side, const kane_wheel_path *path, gap_curve *c)
{
    const contact_pair *pair = contact->pair[side];
    const double sign        = side_sign(side);
    const path_scalars p     = {ks3_constant(path->centre),
                                ks3_constant(path->centre_rate),
                                ks3_constant(path->centre_accel),
                                ks3_constant(path->axle),
                                ks3_constant(path->axle_rate),
                                ks3_constant(path->axle_accel),
                                .share_rate = ks_constant(gap_share_rate(path))};
    const wheel_pose pose    = {sign * path->centre.y, path->centre.z, side_mirror_axial(sign, path->axle)};
    if (!side_is_in_range(&pose) || !side_is_near(&pose, pair->wheel.radius) ||
        !kane_contact_knows_blend(contact, &path->blend))
        return KANE_RETRY;
    const contact_place on = kane_contact_place_at(contact, side, &path->blend);
    const pose_motion m    = pose_motion_of(sign, &p);
    pose_rates rates;
    for (int k = 0; k < GAP_DIRECTIONS; k++)
        rates.at[k] = ks_value(m.rate[k]);
    memset(c, 0, sizeof *c);
    c->sign       = sign;
    c->directions = on.rail.to ? GAP_DIRECTIONS : GAP_COORDINATES;
    if (contact->gap[side] && curve_of_table(contact->gap[side], &on, &pose, &rates, c))
        return KANE_OK;
    const int near = on.method == CONTACT_CONE ? kane_cone_curve(&pair->cone, &pose, rates.at, c)
                                               : curve_of_profiles(&on, &pose, &rates, c);
    return near ? KANE_OK : KANE_RETRY;
}

void kane_gap_follow(const gap_curve *c, const path_scalars *path, gap_scalars *gap)
{
    const pose_motion m            = pose_motion_of(c->sign, path);
    const kane_scalar3 e           = ks3_mul(kv3(c->sign, 1.0, c->sign), path->axle);
    kane_scalar by[GAP_DIRECTIONS] = {[BY_SHARE] = ks_constant(0.0)};
    kane_tangents path_tangents    = kane_tangents_none();
    gap->rate = gap->accel = ks_constant(0.0);
    for (int i = 0; i < c->directions; i++) {
        by[i]               = (kane_scalar){kane_tangents_none(), c->by[i]};
        path_tangents       = kane_tangents_sum(1.0, path_tangents, c->by_path[i], m.at[i]);
        kane_scalar curving = ks_constant(0.0); // of the rate by this coordinate
        for (int j = 0; j < c->directions; j++) {
            by[i].t = kane_tangents_sum(1.0, by[i].t, c->by_both[i][j], m.at[j]);
            curving = ks_add(curving, ks_scale(c->by_both[i][j], m.rate[j]));
        }
        gap->rate  = ks_add(gap->rate, ks_mul(by[i], m.rate[i]));
        gap->accel = ks_add(gap->accel, ks_add(ks_mul(by[i], m.accel[i]), ks_mul(curving, m.rate[i])));
    }
    gap->accel.t = kane_tangents_add(gap->accel.t, path_tangents);

    // eta, zeta -> y, z; a rotation w rolls the axle by w.x - ex (w.y ey + w.z ez)/c^2 and changes ex by w.y ez - w.z
    // ey
    const kane_scalar twisted = ks_mul(ks_mul(by[BY_ROLL], e.x), ks_inverse(ks_add(ks_square(e.y), ks_square(e.z))));
    const kane_scalar3 by_eta_tt =
        ks3(ks_constant(0.0), ks_sub(ks_scale(KANE_TILT_COS, by[BY_ETA]), ks_scale(KANE_TILT_SIN, by[BY_ZETA])),
            ks_add(ks_scale(KANE_TILT_SIN, by[BY_ETA]), ks_scale(KANE_TILT_COS, by[BY_ZETA])));
    const kane_scalar3 twist = ks3(by[BY_ROLL], ks_sub(ks_mul(by[BY_EX], e.z), ks_mul(twisted, e.y)),
                                   ks_neg(ks_add(ks_mul(by[BY_EX], e.y), ks_mul(twisted, e.z))));
    gap->direction           = ks3_mul(kv3(1.0, c->sign, 1.0), by_eta_tt);
    gap->twist               = ks3_mul(kv3(c->sign, 1.0, c->sign), twist);
    gap->along               = ks_mul(by[BY_SHARE], path->share_s);
    gap->spot                = (gap_point){.point   = chain_tangents3(c->spot.point, m.at),
                                           .normal  = chain_tangents3(c->spot.normal, m.at),
                                           .A       = chain_tangents(c->spot.A, m.at),
                                           .B       = chain_tangents(c->spot.B, m.at),
                                           .radius  = chain_tangents(c->spot.radius, m.at),
                                           .wheel_y = chain_tangents(c->spot.wheel_y, m.at),
                                           .rail_y  = chain_tangents(c->spot.rail_y, m.at),
                                           .climb   = ks_neg(gap->along)};
}

// --- forces under a normal force ---

// Patch, motion and its slopes under N, side axes.
typedef struct loaded_point {
    patch_scalars spot;
    side_motion motion;
    side_scalars slopes;
} loaded_point;

static loaded_point load_point(const kane_contact *c, kane_side side, const gap_point *at, const motion_scalars *m,
                               double N)
{
    const double sign = side_sign(side), pressing = N > 0.0 || c->definition.laws.two_sided ? fabs(N) : 0.0,
                 load     = pressing > 0.0 ? kane_cube_root(pressing) : 0.0;
    const kane_vec3 polar = kv3(1.0, sign, 1.0), axial = kv3(sign, 1.0, sign);
    const kane_wheel_motion motion = {.centre          = ks3_value(m->centre),
                                      .axle            = ks3_value(m->axle),
                                      .velocity        = ks3_value(m->velocity),
                                      .omega           = ks3_value(m->omega),
                                      .friction_change = ks_value(m->friction_change),
                                      .turn            = ks3_value(m->turn)};
    const kane_scalar3 centre      = ks3_mul(polar, m->centre);
    const side_scalars slopes      = {.pose            = {centre.x, centre.y, centre.z, ks3_mul(axial, m->axle)},
                                      .turn            = ks3_mul(axial, m->turn),
                                      .velocity        = ks3_mul(polar, m->velocity),
                                      .omega           = ks3_mul(axial, m->omega),
                                      .friction_change = m->friction_change};
    const hertz_press press        = kane_hertz_press(c->hertz, c->E_star, at->A, at->B);
    const kane_scalar root         = ks_scale(load, press.root_per_N); // of the approach
    patch_scalars spot             = {.point    = at->point,
                                      .normal   = at->normal,
                                      .share    = ks_constant(1.0),
                                      .N        = ks_constant(pressing),
                                      .approach = ks_square(root),
                                      .a        = ks_mul(press.along, root),
                                      .b        = ks_mul(press.across, root),
                                      .radius   = at->radius,
                                      .wheel_y  = at->wheel_y,
                                      .rail_y   = at->rail_y,
                                      .climb    = at->climb};
    place_patch_on_turning_rail(&spot, slopes.turn, &slopes.pose);
    return (loaded_point){spot, side_motion_of(side, &motion), slopes};
}

kane_status kane_rigid_derive(const kane_contact *c, kane_side side, const gap_point *at, const motion_scalars *m,
                              double N, kane_scalar3 creep[2])
{
    const double sign        = side_sign(side);
    const loaded_point p     = load_point(c, side, at, m, N);
    const kane_status status = kane_creep_follow(&c->creep, &p.spot, &p.motion, &p.slopes, creep);
    creep[0]                 = ks3_mul(kv3(1.0, sign, 1.0), creep[0]);
    creep[1]                 = ks3_mul(kv3(sign, 1.0, sign), creep[1]);
    return status;
}

kane_status kane_rigid_derive_forces(const kane_contact *c, kane_side side, const gap_point *at,
                                     const motion_scalars *m, double N, kane_scalar f[4])
{
    const loaded_point p = load_point(c, side, at, m, N);
    kane_creep_formula_force forces;
    const kane_status status = kane_creep_follow_forces(&c->creep, &p.spot, &p.motion, &p.slopes, &forces);
    f[0]                     = forces.T_x;
    f[1]                     = forces.T_y;
    f[2]                     = forces.M_z;
    f[3]                     = forces.T_n;
    return status;
}
