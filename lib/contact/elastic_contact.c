// SPDX-License-Identifier: MIT
// Elastic contact: forces of a rail on a wheel, and their derivatives.

#include "contact/contact.h"

#include <math.h>
#include <string.h>

// --- conformal contact: the half-space of Hertz and Kalker is flat, a patch in a gauge corner is not ---

// So much a profile may turn within a patch [rad], and the tangent of it.
static const double limit = 0.2, tangent = 0.20271003550867248;

static double tangent_of_angle(double slope, double other)
{
    return fabs((slope - other) / (1.0 + slope * other)); // within a right angle
}

static double wheel_slope(const wheel_table *t, double s)
{
    double x;
    const double *f = wheel_cell_at(t, s, &x)->f;
    return f[1] + x * (2.0 * f[2] + 3.0 * x * f[3]);
}

static double head_slope(const rail_mean *t, double eta)
{
    double x;
    rail_cell room;
    const rail_cell *c = rail_mean_cell_at(t, eta, &x, &room);
    return rail_slope(c, x);
}

// How much the rail's direction changes at most around eta [rad/m].
static double head_curvature(const rail_mean *t, double eta)
{
    double x;
    const ptrdiff_t i = rail_cell_at(t->from, eta, &x) - t->from->cells;
    return t->to ? (1.0 - t->share) * t->from->curvature[i] + t->share * t->to->curvature[i] : t->from->curvature[i];
}

// Whether the surface of wheel or rail turns by more than 0.2 rad over the width 2 b of a patch: then the normals at
// its edges are 0.1 rad off the one that is used.
static int is_conformal(const wheel_table *wheel, const rail_mean *rail, const wheel_pose *pose,
                        const contact_patch *spot)
{
    // neither profile turns more than where it is bent most
    const kane_vec3 n = spot->normal;
    const double s = spot->wheel_y, eta = spot->rail_y * KANE_TILT_COS + (pose->z + spot->point.z) * KANE_TILT_SIN;
    double x;
    const double wheel_curvature = wheel_cell_at(wheel, s, &x)->curvature, rail_curvature = head_curvature(rail, eta);
    if (2.0 * spot->b * (wheel_curvature > rail_curvature ? wheel_curvature : rail_curvature) < limit &&
        spot->b < KANE_CURVATURE_REACH)
        return 0;

    // half the width along either profile's own axis
    const double rise = kv3_dot(n, pose->axle), ds = spot->b * sqrt(1.0 - rise * rise);
    const double de       = spot->b * (n.z * KANE_TILT_COS - n.y * KANE_TILT_SIN);
    const double of_wheel = tangent_of_angle(wheel_slope(wheel, s + ds), wheel_slope(wheel, s - ds));
    const double of_rail  = tangent_of_angle(head_slope(rail, eta + de), head_slope(rail, eta - de));
    return of_wheel > tangent || of_rail > tangent;
}

// --- patches that carry little ---

// Of the wheel's normal force. Below it a largest pressure is uncertain: small changes of the profile or of the height
// are large ones of what such a patch carries.
static const double minor_part = 0.1;

// Marks patches; one that is listed with a share is judged as a whole.
static void mark_minor(kane_contact_result *r)
{
    double N = 0.0;
    for (int i = 0; i < r->patch_count; i++)
        N += r->patch[i].N;
    for (int i = 0; i < r->patch_count; i++)
        r->patch[i].minor = r->patch[i].N < minor_part * r->patch[i].share * N;
}

// --- forces ---

// The penetrations of a pose. Returns 0 where wheel and rail are not near each other.
static int find_penetrations(const contact_place *at, const wheel_pose *pose, contact_locus *g, penetrations *found)
{
    if (!side_is_near(pose, at->pair->wheel.radius))
        return 0;
    *g = contact_locus_init_between(&at->pair->wheel, &at->rail, pose);
    kane_penetrations_search(g, at->windows, found);
    return found->count > 0;
}

// Spots of a wheel on a rail that is the same all along. Not inlined: the penetrations leave the stack before creep is
// computed.
__attribute__((noinline)) static int search_spots(const kane_contact *c, const contact_place *at,
                                                  const wheel_pose *pose, contact_patch spots[KANE_PATCHES_MAX])
{
    contact_locus g;
    penetrations found;
    if (at->method == CONTACT_CONE)
        return kane_cone_patch(&at->pair->cone, pose, c->hertz, c->E_star, spots);
    return find_penetrations(at, pose, &g, &found) ? kane_overlap_patches(&g, &found, c->hertz, c->E_star, spots) : 0;
}

// The patches of a pose: tabulated, searched, or, where the one passes into the other, both with their shares. *tabulated:
// how many of them are from the table; they come first.
static int find_spots(const kane_contact *c, const contact_place *at, const wheel_pose *pose,
                      contact_patch spots[KANE_PATCHES_MAX], int *tabulated)
{
    *tabulated = 0;
    if (!at->table || !side_is_near(pose, at->pair->wheel.radius))
        return search_spots(c, at, pose, spots);
    const contact_locus g = contact_locus_init_between(&at->pair->wheel, &at->rail, pose);
    const double weight   = kane_elastic_table_eval(at->table, &g, c->E_star, spots);
    *tabulated            = spots[0].share > 0.0;
    if (!(weight < 1.0))
        return *tabulated;
    const int count = *tabulated + search_spots(c, at, pose, spots + *tabulated);
    for (int i = *tabulated; i < count; i++)
        spots[i].share *= 1.0 - weight;
    return count;
}

// How a patch's surface climbs: the mean over its width, by its pressure. That of an ellipse, summed along the rail, is
// as 1 - (y/b)^2, and Gauss' rule for it has the two points y = -b/5^1/2 and b/5^1/2.
static const double gauss = 0.44721359549995794;

static kane_scalar climb_of(const kane_contact *c, kane_side side, const kane_rail_blend *blend,
                            const pose_scalars *pose, const patch_scalars *spot)
{
    const kane_scalar eta =
        ks_add(ks_scale(KANE_TILT_COS, spot->rail_y), ks_scale(KANE_TILT_SIN, ks_add(pose->z, spot->point.z)));
    const kane_scalar off = ks_scale(gauss, ks_mul(spot->b, ks_sub(ks_scale(KANE_TILT_COS, spot->normal.z),
                                                                   ks_scale(KANE_TILT_SIN, spot->normal.y))));
    kane_scalar sum       = ks_constant(0.0);
    for (int k = 0; k < 2; k++) {
        double climb[2];
        const kane_scalar at = k == 0 ? ks_sub(eta, off) : ks_add(eta, off);
        kane_contact_climb(c, side, blend, ks_value(at), climb);
        sum = ks_add(sum, ks_chain(at, 0.5 * climb[0], 0.5 * climb[1]));
    }
    return sum;
}

static double climb_value(const kane_contact *c, kane_side side, const side_motion *m, const contact_patch *spot)
{
    const double eta = spot->rail_y * KANE_TILT_COS + (m->pose.z + spot->point.z) * KANE_TILT_SIN;
    const double off = gauss * spot->b * (spot->normal.z * KANE_TILT_COS - spot->normal.y * KANE_TILT_SIN);
    double low[2], high[2];
    kane_contact_climb(c, side, &m->blend, eta - off, low);
    kane_contact_climb(c, side, &m->blend, eta + off, high);
    return 0.5 * (low[0] + high[0]);
}

kane_status kane_contact_eval(const kane_contact *c, kane_side side, const kane_wheel_motion *motion,
                              kane_contact_result *result)
{
    const side_motion m = side_motion_of(side, motion);
    const double sign   = side_sign(side);
    contact_patch spots[KANE_PATCHES_MAX];

    result->on_wheel    = (kane_wrench){kv3_zero(), kv3_zero()};
    result->patch_count = 0;
    if (!side_motion_is_in_range(&m) || !kane_contact_knows_blend(c, &m.blend))
        return KANE_RETRY;

    kane_wrench sum        = {kv3_zero(), kv3_zero()};
    const contact_place at = kane_contact_place_at(c, side, &m.blend);
    int tabulated;
    const int count = find_spots(c, &at, &m.pose, spots, &tabulated);
    for (int i = 0; i < count; i++) {
        spots[i].climb = climb_value(c, side, &m, &spots[i]);
        place_patch_value_on_rail(&spots[i], &m);
        const kane_status status = kane_creep_eval(&c->creep, &spots[i], &m, &sum, &result->patch[i]);
        if (status != KANE_OK)
            return status;
        result->patch[i].conformal = is_conformal(&at.pair->wheel, &at.rail, &m.pose, &spots[i]);
        if (side == KANE_RIGHT)
            side_mirror_patch(&result->patch[i]);
    }
    result->patch_count = count;
    mark_minor(result);
    result->on_wheel = (kane_wrench){side_mirror(sign, sum.force), side_mirror_axial(sign, sum.torque)};
    return KANE_OK;
}

// --- what is reported ---

// Pressures and areas of the patches that are searched, which carry N together, and, behind them, of all as one: the
// largest, and the sum by shares. Returns how many are searched. Not inlined: strips are not on the stack while forces
// are computed.
__attribute__((noinline)) static int find_pressures(const kane_contact *c, const contact_place *at,
                                                    const wheel_pose *pose, double N,
                                                    patch_pressure out[KANE_PATCHES_MAX])
{
    contact_locus g;
    penetrations found;
    contact_patch spots[KANE_PATCHES_MAX];
    if (at->method == CONTACT_CONE || !find_penetrations(at, pose, &g, &found))
        return 0;
    const int count = kane_overlap_patches(&g, &found, c->hertz, c->E_star, spots);
    if (!kane_strip_pressures(&g, &found, c->strips, c->E_star, N, count, spots, out))
        return 0;
    patch_pressure *all = &out[count];
    *all                = (patch_pressure){0};
    for (int i = 0; i < count; i++) {
        all->pressure = fmax(all->pressure, out[i].pressure);
        all->area += spots[i].share * out[i].area;
    }
    return count;
}

void kane_contact_pressures(const kane_contact *c, kane_side side, const kane_wheel_motion *motion,
                            kane_contact_result *result)
{
    const side_motion m = side_motion_of(side, motion);
    patch_pressure found[KANE_PATCHES_MAX];
    double N = 0.0;
    for (int i = 0; i < result->patch_count; i++)
        N += result->patch[i].N;
    if (!(N > 0.0) || !side_motion_is_in_range(&m) || !kane_contact_knows_blend(c, &m.blend))
        return;
    const contact_place at = kane_contact_place_at(c, side, &m.blend);
    const int count        = find_pressures(c, &at, &m.pose, N, found);
    // a tabulated patch comes first, and has the pressures of all
    const int tabulated = at.table && result->patch_count != count;
    if (count == 0 || (result->patch_count != tabulated + count && result->patch_count != 1))
        return;
    for (int i = 0; i < result->patch_count; i++) {
        const patch_pressure *of  = &found[i < tabulated ? count : i - tabulated];
        result->patch[i].pressure = of->pressure;
        result->patch[i].area     = of->area;
    }
}

// --- derivatives ---

// Spots with slopes by the pose. Not inlined, likewise.
__attribute__((noinline)) static int search_slopes(const kane_contact *c, const contact_place *at,
                                                   const wheel_pose *pose, patch_scalars spots[KANE_PATCHES_MAX])
{
    contact_locus g;
    penetrations found;
    if (at->method == CONTACT_CONE)
        return kane_cone_derive(&at->pair->cone, pose, c->hertz, c->E_star, spots);
    return find_penetrations(at, pose, &g, &found) ? kane_overlap_derive(&g, &found, c->hertz, c->E_star, spots) : 0;
}

// As find_spots().
static int find_slopes(const kane_contact *c, const contact_place *at, const wheel_pose *pose,
                       patch_scalars spots[KANE_PATCHES_MAX])
{
    if (!at->table || !side_is_near(pose, at->pair->wheel.radius))
        return search_slopes(c, at, pose, spots);
    const contact_locus g    = contact_locus_init_between(&at->pair->wheel, &at->rail, pose);
    const kane_scalar weight = kane_elastic_table_derive(at->table, &g, c->E_star, spots);
    const int tabulated      = ks_value(spots[0].share) > 0.0;
    if (!(ks_value(weight) < 1.0))
        return tabulated;
    const int count = tabulated + search_slopes(c, at, pose, spots + tabulated);
    for (int i = tabulated; i < count; i++)
        spots[i].share = ks_mul(spots[i].share, ks_shift(ks_neg(weight), 1.0));
    return count;
}

// Columns of displacement and rotation from those of the directions of the pose. The axle e = (ex, c cos, c sin) turned
// about z by d has  d(ex) = -ey d,  d(roll) = -ex ez/c^2 d;  about itself it changes nothing.
static void turn_columns(kane_vec3 e, double by_pose[6][6], double d[6][12])
{
    enum { X = 0, Y = 1, Z = 2, ROLL = 3, PITCH = 4, YAW = 5 };
    const double lean = e.x * e.z / (e.y * e.y + e.z * e.z);
    for (int i = 0; i < 6; i++) {
        const double *by = by_pose[i];
        d[i][X]          = by[BY_AHEAD];
        d[i][Y]          = KANE_TILT_COS * by[BY_ETA] - KANE_TILT_SIN * by[BY_ZETA];
        d[i][Z]          = KANE_TILT_SIN * by[BY_ETA] + KANE_TILT_COS * by[BY_ZETA];
        d[i][ROLL]       = by[BY_ROLL];
        d[i][YAW]        = -e.y * by[BY_EX] - lean * by[BY_ROLL];
        d[i][PITCH]      = -(e.x * d[i][ROLL] + e.z * d[i][YAW]) / e.y;
    }
}

// Adds what a patch exerts, by the directions of the pose and by speeds. Not inlined: it is not on the stack while
// patches are found.
__attribute__((noinline)) static kane_status add_spot_slopes(const kane_contact *c, kane_side side,
                                                             const side_motion *m, patch_scalars *spot,
                                                             double by_pose[6][6], double by_speed[6][6])
{
    const pose_scalars pose = pose_with_tangents(m->x, &m->pose);
    spot->climb             = climb_of(c, side, &m->blend, &pose, spot);
    place_patch_on_rail(spot, m, &pose);
    return kane_creep_derive(&c->creep, spot, m, &pose, by_pose, by_speed);
}

kane_status kane_contact_derive_apart(const kane_contact *c, kane_side side, const kane_wheel_motion *motion,
                                      double d[6][12])
{
    const side_motion m = side_motion_of(side, motion);
    patch_scalars spots[KANE_PATCHES_MAX];

    memset(d, 0, 6 * sizeof *d);
    if (!side_motion_is_in_range(&m) || !kane_contact_knows_blend(c, &m.blend))
        return KANE_RETRY;
    const contact_place at = kane_contact_place_at(c, side, &m.blend);
    const int count        = find_slopes(c, &at, &m.pose, spots);
    double by_pose[6][6] = {{0.0}}, by_speed[6][6] = {{0.0}};
    for (int i = 0; i < count; i++) {
        const kane_status status = add_spot_slopes(c, side, &m, &spots[i], by_pose, by_speed);
        if (status != KANE_OK)
            return status;
    }
    turn_columns(m.pose.axle, by_pose, d);
    for (int i = 0; i < 6; i++)
        memcpy(&d[i][6], by_speed[i], sizeof by_speed[i]);

    // rows and columns of y of polar vectors, x and z of axial ones change sign in the mirror
    static const double signs[6] = {1.0, -1.0, 1.0, -1.0, 1.0, -1.0};
    if (side == KANE_RIGHT)
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 12; j++)
                d[i][j] *= signs[i] * signs[j % 6];
    return KANE_OK;
}

kane_status kane_contact_derive_rail(const kane_contact *c, kane_side side, const kane_wheel_motion *motion,
                                     double d[6][4])
{
    const side_motion m = side_motion_of(side, motion);
    const double sign   = side_sign(side);
    contact_patch spots[KANE_PATCHES_MAX];
    memset(d, 0, 6 * sizeof *d);
    if (!side_motion_is_in_range(&m) || !kane_contact_knows_blend(c, &m.blend))
        return KANE_RETRY;
    const contact_place at = kane_contact_place_at(c, side, &m.blend);
    int tabulated;
    const int count = find_spots(c, &at, &m.pose, spots, &tabulated);
    // the turn is an axial vector
    const kane_scalar3 turn   = {ks_scale(sign, ks_variable(motion->turn.x, 0)), ks_variable(motion->turn.y, 1),
                                 ks_scale(sign, ks_variable(motion->turn.z, 2))};
    const side_scalars slopes = {.pose            = pose_constant(m.x, &m.pose),
                                 .turn            = turn,
                                 .velocity        = ks3_constant(m.velocity),
                                 .omega           = ks3_constant(m.omega),
                                 .friction_change = ks_variable(m.friction_change, 3)};
    for (int i = 0; i < count; i++) {
        spots[i].climb     = climb_value(c, side, &m, &spots[i]);
        patch_scalars spot = patch_constant(&spots[i]);
        kane_scalar3 rows[2];
        place_patch_on_turning_rail(&spot, turn, &slopes.pose);
        const kane_status status = kane_creep_follow(&c->creep, &spot, &m, &slopes, rows);
        if (status != KANE_OK)
            return status;
        const kane_scalar elastic = ks_mul(spot.share, spot.N);
        rows[0]                   = ks3_mul(kv3(1.0, sign, 1.0), ks3_add_scaled(rows[0], elastic, spot.normal));
        rows[1]                   = ks3_mul(kv3(sign, 1.0, sign), ks3_add_scaled(rows[1], elastic, spot.turning));
        for (int k = 0; k < 6; k++)
            for (int j = 0; j < 4; j++)
                d[k][j] += kane_tangents_get(ks3_get(rows[k / 3], k % 3).t, j);
    }
    return KANE_OK;
}

// Derivative along the rail where its profile changes, by central differences: the force is smooth in the share.
static kane_status derive_along(const kane_contact *c, kane_side side, const kane_wheel_motion *motion, double d[6][12])
{
    const double step = 1e-5;
    kane_contact_result result[2];
    for (int i = 0; i < 2; i++) {
        const double ds         = i == 0 ? -step : step;
        kane_wheel_motion there = *motion;
        kane_rail_blend *blend  = &there.blend;
        blend->share = fmin(fmax(blend->share + ds * (blend->share_s + 0.5 * ds * blend->share_ss), 0.0), 1.0);
        blend->share_s += ds * blend->share_ss;
        const kane_status status = kane_contact_eval(c, side, &there, &result[i]);
        if (status != KANE_OK)
            return status;
    }
    const kane_vec3 F      = kv3_scale(0.5 / step, kv3_sub(result[1].on_wheel.force, result[0].on_wheel.force));
    const kane_vec3 T      = kv3_scale(0.5 / step, kv3_sub(result[1].on_wheel.torque, result[0].on_wheel.torque));
    const double column[6] = {F.x, F.y, F.z, T.x, T.y, T.z};
    for (int i = 0; i < 6; i++)
        d[i][0] = column[i];
    return KANE_OK;
}

kane_status kane_contact_derive(const kane_contact *c, kane_side side, const kane_wheel_motion *motion, double d[6][12])
{
    const kane_status status = kane_contact_derive_apart(c, side, motion, d);
    for (int i = 0; i < 6; i++)
        d[i][0] = 0.0;
    if (status != KANE_OK || !c->shapes || (motion->blend.share_s == 0.0 && motion->blend.share_ss == 0.0))
        return status;
    return derive_along(c, side, motion, d);
}
