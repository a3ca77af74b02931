// SPDX-License-Identifier: MIT
// Wheel and rail as rigid bodies that touch: the gap between them as a smooth function of the wheel's pose.
//
// Three of the four surface parameters of a contact are known in closed form: the angle at which a wheel of revolution
// touches a rail that is the same all along (its contact_locus, search.h), the place along the rail, and, of a cone on
// a round rail, the place along the profile too (overlap.h). For other profiles the place s along the wheel is left.
// Instead of the one place where the overlap p(s) is largest, which jumps from one penetration to the next, all places
// count with the weight exp(p/KANE_GAP_DEPTH):
//   gap = -D ln( (1/L) integral exp(p(s)/D) ds ),   D = KANE_GAP_DEPTH
// as smooth as the profiles are, which as cubic splines have two continuous derivatives (M. Arnold's and H. Netter's
// quasi-elastic contact). D is about what wheel and rail approach each other under load, so that places count that an
// elastic contact would cover.

#include "contact/contact.h"

#include "base/machine.h"
#include "contact/gap_table.h"
#include "math/small.h"

#include <math.h>

// --- the gap of any profiles ---

// What the contact_locus needs of a pose; names as in search.h.
typedef struct moving_contact_locus {
    jet T, c, C, S, eta, zeta, share;
} moving_contact_locus;

KANE_INLINE moving_contact_locus contact_locus_of(const pose_path *path, double radius)
{
    const moving_pose p = moving_pose_of(path);
    const jet c2 = jet_add_scaled(jet_mul(p.ey, p.ey), 1.0, jet_mul(p.ez, p.ez)), c = jet_sqrt(c2),
              inverse = jet_inverse(c);
    const jet uy = jet_mul(p.ey, inverse), uz = jet_mul(p.ez, inverse), tau = jet_mul(p.ex, inverse);
    const jet C    = jet_add_scaled(jet_scale(KANE_TILT_COS, uy), KANE_TILT_SIN, uz);
    const jet S    = jet_add_scaled(jet_scale(KANE_TILT_COS, uz), -KANE_TILT_SIN, uy);
    const jet eta  = jet_add_scaled(jet_scale(KANE_TILT_COS, p.y), KANE_TILT_SIN, p.z);
    const jet zeta = jet_add_scaled(jet_scale(KANE_TILT_COS, p.z), -KANE_TILT_SIN, p.y);
    return (moving_contact_locus){.T     = jet_mul(tau, tau),
                                  .c     = c,
                                  .C     = C,
                                  .S     = S,
                                  .eta   = jet_add_scaled(eta, radius, S),
                                  .zeta  = jet_add_scaled(zeta, -radius, C),
                                  .share = {ks_constant(0.0), ks_chain(ks_variable(path->share_rate, TIME),
                                                                       path->share_rate, path->share_accel)}};
}

// Their values and rates.
typedef struct contact_locus_rates {
    double T, c, C, S, eta, zeta, T_rate, c_rate, C_rate, S_rate, eta_rate, zeta_rate;
} contact_locus_rates;

static inline contact_locus_rates rates_of(const moving_contact_locus *g)
{
    return (contact_locus_rates){ks_value(g->T.v),   ks_value(g->c.v),    ks_value(g->C.v),   ks_value(g->S.v),
                                 ks_value(g->eta.v), ks_value(g->zeta.v), ks_value(g->T.d),   ks_value(g->c.d),
                                 ks_value(g->C.d),   ks_value(g->S.d),    ks_value(g->eta.d), ks_value(g->zeta.d)};
}

// What the overlap p = rail(eta) - zeta depends on besides the place; share: of the second of two profiles of the rail.
enum { BY_T, BY_c, BY_C, BY_S, BY_eta, BY_zeta, BY_share, PARTS };

// Weighted sums over the places, for each place of a block by itself: so a compiler adds several at once.
typedef struct sums {
    double weight[BLOCK], s[BLOCK], eta[BLOCK], eta2[BLOCK], slope[BLOCK];
    double T[BLOCK], c[BLOCK], C[BLOCK], S[BLOCK]; // of dp/dT ...
    double share[BLOCK];                           // of dp/d(share), where there are two profiles
    double accel[BLOCK];                           // p'' along the path at constant speed, and p'^2/D
} sums;

// Adds a block of `count` places. With q = T R'^2:
//   U = c (s - T R R'),   v = f - T R R'^2 (1/2 + q/8 + q^2/16),   eta = eta0 + U C + v S,   zeta = zeta0 + U S - v C
//   is_mean, share_rate  whether the rail is between two profiles; d(share)/dt of the second [1/s]
KANE_INLINE void add_places(const contact_locus_rates *g, const wheel_table *wheel, const rail_mean *between,
                            int is_mean, double share_rate, int first, int count, double top, sums *restrict m)
{
    const rail_table *rail   = between->from;
    const double *restrict s = wheel->places.s + first, *restrict f = wheel->places.f + first;
    const double *restrict shift = wheel->places.shift + first, *restrict steep = wheel->places.steep + first;
    const double *restrict sink = wheel->places.sink + first, *restrict ds = wheel->places.width + first;
    const double T = g->T, c = g->c, C = g->C, S = g->S, eta0 = g->eta, zeta0 = g->zeta;
    const double Td = g->T_rate, cd = g->c_rate, Cd = g->C_rate, Sd = g->S_rate, eta0d = g->eta_rate,
                 zeta0d   = g->zeta_rate;
    const double per_cell = rail->per_cell, width = rail->cell, begin = rail->first;
    double U_c[BLOCK], v[BLOCK], eta[BLOCK], down[BLOCK], x[BLOCK], z[4][BLOCK], weight[BLOCK];
    double rise[4][BLOCK]; // of the second profile over the first
    int cell[BLOCK];

    for (int i = 0; i < count; i++) {
        const double q = T * steep[i];
        U_c[i]         = s[i] - T * shift[i];
        v[i]           = f[i] - T * sink[i] * (0.5 + q * (0.125 + q * 0.0625));
        const double U = c * U_c[i];
        eta[i]         = eta0 + U * C + v[i] * S;
        down[i]        = zeta0 + U * S - v[i] * C;
    }
    for (int i = 0; i < count; i++) {
        const double d = eta[i] - begin;
        int k          = (int)(d * per_cell);
        k              = k > 0 ? k : 0;
        k              = k < KANE_RAIL_CELLS - 1 ? k : KANE_RAIL_CELLS - 1;
        cell[i]        = k;
        x[i]           = d - k * width;
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 4; k++)
            z[k][i] = rail->cells[cell[i]].z[k];
    for (int i = 0; is_mean && i < count; i++)
        for (int k = 0; k < 4; k++) {
            rise[k][i] = between->to->cells[cell[i]].z[k] - z[k][i];
            z[k][i] += between->share * rise[k][i];
        }
    for (int i = 0; i < count; i++) {
        const double d = x[i], p = (z[0][i] + d * z[1][i]) + (d * d) * (z[2][i] + d * z[3][i]) - down[i];
        weight[i] = (p - top) * (1.0 / KANE_GAP_DEPTH);
    }
    kane_exp_block(count, weight);
    for (int i = 0; i < count; i++) {
        const double d = x[i], w = weight[i] * ds[i], q = T * steep[i];
        const double slope = z[1][i] + d * (2.0 * z[2][i] + d * (3.0 * z[3][i])),
                     accel = 2.0 * z[2][i] + d * (6.0 * z[3][i]);
        const double U = c * U_c[i], U_T = -c * shift[i];
        const double v_T = -sink[i] * (0.5 + q * (0.25 + q * 0.1875)), v_TT = -sink[i] * steep[i] * (0.25 + 0.375 * q);

        const double across = slope * C - S, along = slope * S + C; // dp/dU, dp/dv
        const double by_T = U_T * across + v_T * along, by_c = U_c[i] * across;
        const double by_C = slope * U + v[i], by_S = slope * v[i] - U;

        // along the path, at constant speeds
        const double Ud = cd * U_c[i] + U_T * Td, vd = v_T * Td;
        const double eta_d = eta0d + Ud * C + U * Cd + vd * S + v[i] * Sd;
        double p_d         = by_T * Td + by_c * cd + by_C * Cd + by_S * Sd + slope * eta0d - zeta0d;
        double p_dd        = Td * (v_TT * Td * along - 2.0 * cd * shift[i] * across) + accel * eta_d * eta_d +
                      2.0 * (Ud * (slope * Cd - Sd) + vd * (slope * Sd + Cd));
        if (is_mean) {
            const double by_share = (rise[0][i] + d * rise[1][i]) + (d * d) * (rise[2][i] + d * rise[3][i]);
            p_d += by_share * share_rate;
            p_dd += 2.0 * share_rate * eta_d * (rise[1][i] + d * (2.0 * rise[2][i] + d * (3.0 * rise[3][i])));
            m->share[i] += w * by_share;
        }
        m->weight[i] += w;
        m->s[i] += w * s[i];
        m->eta[i] += w * eta[i];
        m->eta2[i] += w * (eta[i] * eta[i]);
        m->slope[i] += w * slope;
        m->T[i] += w * by_T;
        m->c[i] += w * by_c;
        m->C[i] += w * by_C;
        m->S[i] += w * by_S;
        m->accel[i] += w * (p_dd + p_d * p_d * (1.0 / KANE_GAP_DEPTH));
    }
}

// Whole blocks: a constant count lets compilers unroll.
KANE_WIDE static void add_block(const contact_locus_rates *g, const wheel_table *wheel, const rail_mean *rail,
                                int first, int count, double top, sums *restrict m)
{
    if (count == BLOCK)
        add_places(g, wheel, rail, 0, 0.0, first, BLOCK, top, m);
    else
        add_places(g, wheel, rail, 0, 0.0, first, count, top, m);
}

// The same between two profiles.
KANE_WIDE static void add_block_between(const contact_locus_rates *g, const wheel_table *wheel, const rail_mean *rail,
                                        double share_rate, int first, int count, double top, sums *restrict m)
{
    add_places(g, wheel, rail, 1, share_rate, first, count, top, m);
}

// The means of all places, and the weight of them all.
typedef struct means {
    double weight, s, eta, eta2, part[PARTS], accel;
} means;

static means means_of(const sums *m)
{
    const double weight = gap_total(m->weight), per = 1.0 / weight;
    return (means){.weight = weight,
                   .s      = per * gap_total(m->s),
                   .eta    = per * gap_total(m->eta),
                   .eta2   = per * gap_total(m->eta2),
                   .part   = {[BY_T]     = per * gap_total(m->T),
                              [BY_c]     = per * gap_total(m->c),
                              [BY_C]     = per * gap_total(m->C),
                              [BY_S]     = per * gap_total(m->S),
                              [BY_eta]   = per * gap_total(m->slope),
                              [BY_zeta]  = -1.0,
                              [BY_share] = per * gap_total(m->share)},
                   .accel  = per * gap_total(m->accel)};
}

// Gap, rate and second derivative from the means, k over the parts T, c, C, S, eta, zeta, share:
//   gap = -top - D ln(sum of w/L),   gap' = -<dp/dk> k',   gap'' = -<dp/dk> k'' - <p''> - (<p'^2> - <p'>^2)/D
// p'' at constant rates; the variance of p' over the places comes from the weights.
KANE_INLINE void fill_gap(const moving_contact_locus *g, const means *m, double top, gap_place *place)
{
    const jet parts[PARTS] = {g->T, g->c, g->C, g->S, g->eta, g->zeta, g->share};
    jet gap                = {ks_constant(0.0), ks_constant(0.0)};
    for (int k = 0; k < PARTS; k++)
        gap = jet_add_scaled(gap, -m->part[k], parts[k]);
    moving_store_gap(gap, place);
    place->gap = -top - KANE_GAP_DEPTH * log(m->weight / KANE_GAP_LENGTH);
    place->accel += place->rate * place->rate / KANE_GAP_DEPTH - m->accel;
    place->by_share = -m->part[BY_share];
}

// Gap of a wheel and a rail given by profiles; 0 if no part of the wheel is near enough to the rail.
static int gap_of_profiles(const contact_place *on, const pose_path *path, gap_place *place)
{
    const wheel_table *wheel     = &on->pair->wheel;
    const contact_locus g        = contact_locus_init_between(wheel, &on->rail, &path->pose);
    const moving_contact_locus m = contact_locus_of(path, wheel->radius);
    gap_ranges near;
    if (!gap_ranges_find(&g, on->windows, &near))
        return 0;

    sums sum                        = {0};
    const contact_locus_rates rates = rates_of(&m);
    for (int i = 0; i < near.count; i++)
        for (int k = near.first[i]; k < near.end[i]; k += BLOCK) {
            const int count = near.end[i] - k < BLOCK ? near.end[i] - k : BLOCK;
            if (on->rail.to)
                add_block_between(&rates, wheel, &on->rail, path->share_rate, k, count, near.top, &sum);
            else
                add_block(&rates, wheel, &on->rail, k, count, near.top, &sum);
        }
    const means mean        = means_of(&sum);
    const gap_mean constant = {ks_constant(mean.s), ks_constant(mean.part[BY_eta]), ks_constant(mean.eta),
                               ks_constant(mean.eta2)};
    fill_gap(&m, &mean, near.top, place);
    const gap_outline o = gap_outline_constant(&g, mean.s);
    const gap_point at  = gap_point_of(&o, &constant);
    set_gap_point(&at, place);
    return 1;
}

// The same from a table; 0 outside of it.
static int gap_of_table(const gap_table *table, const contact_place *on, const pose_path *path, gap_place *place)
{
    const wheel_pose *p   = &path->pose;
    const contact_locus g = contact_locus_init_between(&on->pair->wheel, &on->rail, p);
    const path_scalars s  = {.centre       = ks3_constant(kv3(0.0, p->y, p->z)),
                             .centre_rate  = ks3_constant(kv3(0.0, path->y_rate, path->z_rate)),
                             .centre_accel = ks3_constant(kv3(0.0, path->y_accel, path->z_accel)),
                             .axle         = ks3_constant(p->axle),
                             .axle_rate    = ks3_constant(path->axle_rate),
                             .axle_accel   = ks3_constant(path->axle_accel)};
    const pose_motion m   = pose_motion_of(1.0, &s);
    double at[GAP_VARIABLES];
    gap_surface z;
    gap_curve c;
    gap_variables(&g, at);
    if (!kane_gap_table_eval(table, at, &z))
        return 0;
    gap_curve_of_surface(&g, &z, &c);
    place->gap  = g.zeta - z.Z;
    place->rate = place->accel = 0.0;
    for (int i = 0; i < GAP_COORDINATES; i++) {
        const double rate = ks_value(m.rate[i]);
        place->rate += c.by[i] * rate;
        place->accel += c.by[i] * ks_value(m.accel[i]);
        for (int j = 0; j < GAP_COORDINATES; j++)
            place->accel += c.by_both[i][j] * rate * ks_value(m.rate[j]);
    }
    const double by_roll = c.by[BY_ROLL] / (g.c * g.c);
    place->by_y          = c.by[BY_ETA] * KANE_TILT_COS - c.by[BY_ZETA] * KANE_TILT_SIN;
    place->by_z          = c.by[BY_ETA] * KANE_TILT_SIN + c.by[BY_ZETA] * KANE_TILT_COS;
    place->by_axle       = kv3(c.by[BY_EX], -p->axle.z * by_roll, p->axle.y * by_roll);
    place->by_share      = 0.0;
    const gap_mean mean  = {ks_constant(z.s), ks_constant(z.by[GAP_E]), ks_constant(0.0), ks_constant(z.spread)};
    const gap_outline o  = gap_outline_constant(&g, z.s);
    const gap_point spot = gap_point_of(&o, &mean);
    set_gap_point(&spot, place);
    return 1;
}

// --- the gap of a wheel in rail axes ---

static pose_path to_side(double sign, const kane_wheel_path *m)
{
    return (pose_path){.pose        = {sign * m->centre.y, m->centre.z, side_mirror_axial(sign, m->axle)},
                       .y_rate      = sign * m->centre_rate.y,
                       .z_rate      = m->centre_rate.z,
                       .y_accel     = sign * m->centre_accel.y,
                       .z_accel     = m->centre_accel.z,
                       .axle_rate   = side_mirror_axial(sign, m->axle_rate),
                       .axle_accel  = side_mirror_axial(sign, m->axle_accel),
                       .share_rate  = gap_share_rate(m),
                       .share_accel = gap_share_accel(m)};
}

//   table  NULL: the gap is searched
static kane_status eval_gap(const kane_contact *c, kane_side side, const kane_wheel_path *motion,
                            const gap_table *table, kane_gap *contact_point)
{
    const double sign        = side_sign(side);
    const pose_path path     = to_side(sign, motion);
    const contact_pair *pair = c->pair[side];
    gap_place at;
    if (!side_is_in_range(&path.pose) || !side_is_near(&path.pose, pair->wheel.radius) ||
        !kane_contact_knows_blend(c, &motion->blend))
        return KANE_RETRY;
    const contact_place on = kane_contact_place_at(c, side, &motion->blend);
    const int near =
        (table && gap_of_table(table, &on, &path, &at)) ||
        (on.method == CONTACT_CONE ? kane_cone_gap(&pair->cone, &path, &at) : gap_of_profiles(&on, &path, &at));
    if (!near || !isfinite(at.rate + at.accel))
        return KANE_RETRY;

    const kane_vec3 twist = kv3_cross(path.pose.axle, at.by_axle); // d(axle) = rotation x axle
    *contact_point        = (kane_gap){.size      = at.gap,
                                       .rate      = at.rate,
                                       .accel     = at.accel,
                                       .direction = side_mirror(sign, kv3(0.0, at.by_y, at.by_z)),
                                       .twist     = side_mirror_axial(sign, twist),
                                       .along     = at.by_share * motion->blend.share_s,
                                       .point     = side_mirror(sign, at.point),
                                       .normal    = side_mirror(sign, at.normal),
                                       .A         = at.A,
                                       .B         = at.B,
                                       .radius    = at.radius,
                                       .wheel_y   = at.wheel_y,
                                       .rail_y    = at.rail_y};
    return KANE_OK;
}

kane_status kane_contact_gap(const kane_contact *c, kane_side side, const kane_wheel_path *motion, kane_gap *gap)
{
    return eval_gap(c, side, motion, c->gap[side], gap);
}

// --- position of a wheelset ---

static kane_status eval_both_gaps(const kane_contact *c, double y, double yaw, double z, double roll,
                                  kane_gap contact_point[2], kane_vec3 turning[2])
{
    const kane_vec3 axle = side_axle(yaw, roll);
    kane_status status   = KANE_OK;
    for (int side = 0; side < 2 && status == KANE_OK; side++) {
        const double outside = side_sign((kane_side)side);
        const kane_vec3 arm  = kv3_scale(outside * kane_contact_wheel_distance(c, side), axle);
        const kane_vec3 rail = kv3(0.0, outside * kane_contact_rail_distance(c, side), 0.0);
        kane_wheel_path path = {.centre = kv3_sub(kv3_add(kv3(0.0, y, z), arm), rail), .axle = axle};
        status               = eval_gap(c, side, &path, NULL, &contact_point[side]);
        turning[side]        = kv3_add(contact_point[side].twist, kv3_cross(arm, contact_point[side].direction));
    }
    return status;
}

kane_status kane_rigid_position(const kane_contact *c, double y, double yaw, double *z, double *roll,
                                kane_gap contact_point[2])
{
    const kane_vec3 about = kv3(cos(yaw), sin(yaw), 0.0); // roll turns about this
    kane_vec3 turning[2];
    double size = 1.0;
    for (int i = 0; i < 50; i++) { // the gaps are concave: Newton's method comes from below, however far it jumped
        const kane_status status = eval_both_gaps(c, y, yaw, *z, *roll, contact_point, turning);
        if (status != KANE_OK || size < 1e-13)
            return status;
        const double by_z[2]    = {contact_point[0].direction.z, contact_point[1].direction.z};
        const double by_roll[2] = {kv3_dot(about, turning[0]), kv3_dot(about, turning[1])};
        const double det        = by_z[0] * by_roll[1] - by_z[1] * by_roll[0];
        const double up         = -(by_roll[1] * contact_point[0].size - by_roll[0] * contact_point[1].size) / det;
        const double turn       = -(by_z[0] * contact_point[1].size - by_z[1] * contact_point[0].size) / det;
        size                    = fabs(up) + fabs(turn);
        *z += up;
        *roll += turn;
    }
    return size < 1e-11 ? KANE_OK : KANE_NOT_SOLVED;
}

// --- forces under a normal force ---

kane_status kane_rigid_prepare(const kane_contact *c, kane_side side, const kane_gap *t,
                               const kane_wheel_motion *motion, rigid_contact *r)
{
    r->motion = side_motion_of(side, motion);
    if (!side_motion_is_in_range(&r->motion))
        return KANE_RETRY;
    const hertz_press press = kane_hertz_press(c->hertz, c->E_star, ks_constant(t->A), ks_constant(t->B));
    r->contact              = c;
    r->gap                  = t;
    r->sign                 = side_sign(side);
    r->root_per_N           = ks_value(press.root_per_N);
    r->along                = ks_value(press.along);
    r->across               = ks_value(press.across);
    r->spot                 = (contact_patch){.point   = side_mirror(r->sign, t->point),
                                              .normal  = side_mirror(r->sign, t->normal),
                                              .share   = 1.0,
                                              .a       = r->along,
                                              .b       = r->across,
                                              .radius  = t->radius,
                                              .wheel_y = t->wheel_y,
                                              .rail_y  = t->rail_y,
                                              .climb   = -t->along}; // zeta alone lifts all places by the same
    place_patch_value_on_rail(&r->spot, &r->motion);
    r->basis = kane_creep_prepare(&c->creep, &r->spot, &r->motion);
    return KANE_OK;
}

// Compressive force [N] of a normal force N:  max(N, 0), or |N| if the contact is `two_sided`.
static double pressing_force(const kane_contact *c, double N)
{
    return N > 0.0 ? N : c->definition.laws.two_sided ? -N : 0.0;
}

static contact_patch load_patch(const rigid_contact *r, double N)
{
    contact_patch s   = r->spot;
    s.N               = pressing_force(r->contact, N);
    const double root = s.N > 0.0 ? r->root_per_N * kane_cube_root(s.N) : 0.0; // of the approach
    s.approach        = root * root;
    s.a               = r->along * root;
    s.b               = r->across * root;
    return s;
}

kane_status kane_rigid_forces(const rigid_contact *r, double N, kane_user_force *out)
{
    const contact_patch s = load_patch(r, N);
    return isfinite(N) ? kane_creep_under(&r->contact->creep, &s, &r->motion, &r->basis, out) : KANE_RETRY;
}

kane_status kane_rigid_slope(const rigid_contact *r, double N, kane_user_force *slope)
{
    const contact_patch s = load_patch(r, N);
    *slope                = (kane_user_force){0};
    if (!isfinite(N))
        return KANE_RETRY;
    if (!(s.N > 0.0))
        return KANE_OK;
    const kane_status status = kane_creep_under_slope(&r->contact->creep, &s, &r->motion, &r->basis, slope);
    if (N < 0.0)
        *slope = (kane_user_force){-slope->T_x, -slope->T_y, -slope->M_z, -slope->T_n};
    return status;
}

kane_wrench kane_rigid_wrench(const rigid_contact *r, double N, const kane_user_force *f)
{
    const double rest   = (r->basis.factor - 1.0) * pressing_force(r->contact, N);
    const kane_wrench w = kane_creep_wrench(&r->spot, &r->basis.c, rest, f);
    return (kane_wrench){side_mirror(r->sign, w.force), side_mirror_axial(r->sign, w.torque)};
}

int kane_rigid_report(const rigid_contact *r, double N, const kane_user_force *f, kane_patch *patch)
{
    const contact_patch s = load_patch(r, N);
    kane_creep_report(&s, &r->basis.c, r->basis.factor * s.N, f, patch);
    patch->N      = N < 0.0 && s.N > 0.0 ? N : patch->N;
    patch->energy = 0.0; // rigid bodies store none
    if (r->sign < 0.0)
        side_mirror_patch(patch);
    return N > 0.0 || r->contact->definition.laws.two_sided;
}

kane_status kane_contact_creep(const kane_contact *c, kane_side side, const kane_gap *contact_point,
                               const kane_wheel_motion *motion, double N, kane_wrench *creep, kane_patch *patch)
{
    rigid_contact r;
    kane_user_force f;
    *creep             = (kane_wrench){kv3_zero(), kv3_zero()};
    kane_status status = kane_rigid_prepare(c, side, contact_point, motion, &r);
    if (status == KANE_OK)
        status = kane_rigid_forces(&r, N, &f);
    if (status != KANE_OK)
        return status;
    *creep = kane_rigid_wrench(&r, N, &f);
    if (patch)
        (void)kane_rigid_report(&r, N, &f, patch);
    return KANE_OK;
}
