// SPDX-License-Identifier: MIT
// Elastic contact: forces of a rail on a wheel, and their derivatives.

#include "contact/contact.h"

#include <math.h>
#include <string.h>

// --- conformal contact: the half-space of Hertz and Kalker is flat, a patch in a gauge corner is not ---

// So much a profile may turn within a patch [rad], and the tangent of it.
static const double limit = 0.2, tangent = 0.20271003550867248;

static double between(double slope, double other)
{
    return fabs((slope - other) / (1.0 + slope * other)); // within a right angle
}

static double wheel_slope(const wheel_table *t, double s)
{
    double x;
    const double *f = wheel_cell_at(t, s, &x)->f;
    return f[1] + x * (2.0 * f[2] + 3.0 * x * f[3]);
}

static double head_slope(const rail_table *t, double eta)
{
    double x;
    const rail_cell *c = rail_cell_at(t, eta, &x);
    return rail_slope(c, x);
}

// Whether the surface of wheel or rail turns by more than 0.2 rad over the width 2 b of a spot: then the normals at its
// edges are 0.1 rad off the one that is used.
static int is_conformal(const wheel_table *wheel, const rail_table *rail, const wheel_pose *pose,
                        const contact_spot *spot)
{
    // neither profile turns more than where it is bent most
    const kane_vec3 n = spot->normal;
    const double s = spot->wheel_y, eta = spot->rail_y * KANE_TILT_COS + (pose->z + spot->point.z) * KANE_TILT_SIN;
    double x;
    const double wheel_bent = wheel_cell_at(wheel, s, &x)->bent,
                 rail_bent  = rail->bent[rail_cell_at(rail, eta, &x) - rail->cells];
    if (2.0 * spot->b * (wheel_bent > rail_bent ? wheel_bent : rail_bent) < limit && spot->b < KANE_BENT_REACH)
        return 0;

    // half the width along either profile's own axis
    const double rise = kv3_dot(n, pose->axle), ds = spot->b * sqrt(1.0 - rise * rise);
    const double de       = spot->b * (n.z * KANE_TILT_COS - n.y * KANE_TILT_SIN);
    const double of_wheel = between(wheel_slope(wheel, s + ds), wheel_slope(wheel, s - ds));
    const double of_rail  = between(head_slope(rail, eta + de), head_slope(rail, eta - de));
    return of_wheel > tangent || of_rail > tangent;
}

// --- the spots ---

// Spots of a pose on a rail that is the same all along.
static int find_straight(const kane_contact *c, const contact_pair *pair, const wheel_pose *pose, const lobes *near,
                         lobes *found, overlap_trail *trail, contact_spot spots[KANE_PATCHES_MAX])
{
    if (pair->method == CONTACT_CONE)
        return kane_cone_spot(&pair->cone, pose, c->hertz, c->E_star, spots);

    if (!side_is_near(pose, pair->wheel.radius))
        return 0;
    const silhouette g = silhouette_init(&pair->wheel, &pair->rail, pose);
    if (near)
        kane_lobes_follow(&g, near, found);
    else
        kane_lobes_search(&g, &pair->windows, found);
    return kane_overlap_spots(&g, found, trail, c->hertz, c->E_star, spots);
}

// Spots of a wheel; for a pose close to another one from the lobes there. trail: see overlap.h.
static int find_spots(const kane_contact *c, const side_motion *m, const lobes *near, lobes *found,
                      overlap_trail *trail, contact_spot spots[KANE_PATCHES_MAX])
{
    const int count = find_straight(c, c->pair[m->side], &m->pose, near, found, trail, spots);
    for (int i = 0; i < count; i++)
        spot_lay(&spots[i], m);
    return count;
}

kane_status kane_contact_eval(const kane_contact *c, kane_side side, const kane_wheel_motion *motion,
                              kane_contact_result *result)
{
    const side_motion m = side_motion_of(side, motion);
    const double sign   = side_sign(side);
    contact_spot spots[KANE_PATCHES_MAX];
    lobes found;

    result->on_wheel    = (kane_wrench){kv3_zero(), kv3_zero()};
    result->patch_count = 0;
    if (!side_moves_usually(&m))
        return KANE_RETRY;

    kane_wrench sum = {kv3_zero(), kv3_zero()};
    const int count = find_spots(c, &m, NULL, &found, NULL, spots);
    for (int i = 0; i < count; i++) {
        const kane_status status = kane_creep_eval(&c->creep, &spots[i], &m, &sum, &result->patch[i]);
        if (status != KANE_OK)
            return status;
        result->patch[i].conformal = is_conformal(&c->pair[side]->wheel, &c->pair[side]->rail, &m.pose, &spots[i]);
        if (side == KANE_RIGHT)
            side_mirror_patch(&result->patch[i]);
    }
    result->patch_count = count;
    result->on_wheel    = (kane_wrench){side_mirror(sign, sum.force), side_mirror_axial(sign, sum.torque)};
    return KANE_OK;
}

// --- derivatives ---

static kane_status wrench_of(const kane_contact *c, const side_motion *m, const contact_spot *spots, int count,
                             kane_wrench *sum)
{
    kane_status status = KANE_OK;
    *sum               = (kane_wrench){kv3_zero(), kv3_zero()};
    for (int i = 0; i < count && status == KANE_OK; i++)
        status = kane_creep_eval(&c->creep, &spots[i], m, sum, NULL);
    return status;
}

// The pose displaced by (y, z), its axle turned by (roll about x, yaw about z).
static wheel_pose displaced(const wheel_pose *pose, double y, double z, double roll, double yaw)
{
    const kane_vec3 e = kv3_add(pose->axle, kv3_cross(kv3(roll, 0.0, yaw), pose->axle));
    return (wheel_pose){pose->y + y, pose->z + z, kv3_scale(1.0 / kv3_norm(e), e)};
}

// The four directions in which a pose can be displaced: along y and z, about x (roll) and z (yaw).
enum { DIRECTIONS = 4 };

// Steps h along them, for which the errors of a forward difference of N ~ p^3/2 are smallest together, p the approaches
// and g what they gain along a direction: that of the parabola, (3/8) g^2 h p^-1/2, and that of round-off of
// coordinates near one metre, (3/2) p^1/2 eps/h. A gain is taken for not less than what moves contact to another place.
static void choose_steps(const contact_spot *spots, int count, double steps[DIRECTIONS])
{
    static const double least[DIRECTIONS] = {0.1, 0.1, 0.05, 0.001}, eps = 1e-16;
    double parabola[DIRECTIONS] = {0.0}, rounding = 0.0;
    for (int i = 0; i < count; i++) {
        const kane_vec3 n = spots[i].normal, turning = kv3_cross(spots[i].point, n);
        const double gain[DIRECTIONS] = {n.y, n.z, turning.x, turning.z}, root = sqrt(spots[i].approach);
        for (int k = 0; k < DIRECTIONS; k++) {
            const double g = fmax(fabs(gain[k]), least[k]);
            parabola[k] += g * g / root;
        }
        rounding += root;
    }
    for (int k = 0; k < DIRECTIONS; k++)
        steps[k] = fmax(2.0 * sqrt(eps * rounding / parabola[k]), 1e-13);
}

// By displacement and rotation, in side axes: differences from the wrench `here`.
static kane_status derive_geometry(const kane_contact *c, const side_motion *m, const lobes *found,
                                   const overlap_trail *trail, const double steps[DIRECTIONS], kane_wrench here,
                                   double d[6][12])
{
    enum { Y = 1, Z = 2, ROLL = 3, PITCH = 4, YAW = 5 };
    static const int columns[DIRECTIONS] = {Y, Z, ROLL, YAW};
    const wheel_pose *p                  = &m->pose;
    for (int k = 0; k < DIRECTIONS; k++) {
        double h[DIRECTIONS] = {0.0};
        h[k]                 = steps[k];
        side_motion there    = *m;
        there.pose           = displaced(p, h[0], h[1], h[2], h[3]);
        const double moved   = k == 0 ? there.pose.y - p->y : k == 1 ? there.pose.z - p->z : steps[k];

        contact_spot spots[KANE_PATCHES_MAX];
        lobes followed;
        overlap_trail branch = *trail;
        kane_wrench w;
        const int count          = find_spots(c, &there, found, &followed, &branch, spots);
        const kane_status status = wrench_of(c, &there, spots, count, &w);
        if (status != KANE_OK)
            return status;
        const kane_vec3 f = kv3_sub(w.force, here.force), t = kv3_sub(w.torque, here.torque);
        const double rows[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
        for (int i = 0; i < 6; i++)
            d[i][columns[k]] = rows[i] / moved;
    }
    // turning the axle about itself changes nothing:  ex d/d(roll) + ey d/d(pitch) + ez d/d(yaw) = 0
    for (int i = 0; i < 6; i++)
        d[i][PITCH] = -(p->axle.x * d[i][ROLL] + p->axle.z * d[i][YAW]) / p->axle.y;
    return KANE_OK;
}

kane_status kane_contact_derive(const kane_contact *c, kane_side side, const kane_wheel_motion *motion, double d[6][12])
{
    const side_motion m = side_motion_of(side, motion);
    contact_spot spots[KANE_PATCHES_MAX];
    lobes first, found;
    overlap_trail trail = {0};

    memset(d, 0, 6 * sizeof *d);
    if (!side_moves_usually(&m))
        return KANE_RETRY;
    if (find_spots(c, &m, NULL, &first, &trail, spots) == 0)
        return KANE_OK;

    // once more from there: found just as the displaced ones will be, so that only what differs is left
    const int count       = find_spots(c, &m, &first, &found, &trail, spots);
    double by_speed[6][6] = {{0.0}}, steps[DIRECTIONS];
    kane_wrench here;
    kane_status status = wrench_of(c, &m, spots, count, &here);
    for (int i = 0; i < count && status == KANE_OK; i++)
        status = kane_creep_derive(&c->creep, &spots[i], &m, by_speed);
    if (status == KANE_OK) {
        choose_steps(spots, count, steps);
        status = derive_geometry(c, &m, &found, &trail, steps, here, d);
    }
    if (status != KANE_OK) {
        memset(d, 0, 6 * sizeof *d);
        return status;
    }
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
