// SPDX-License-Identifier: MIT
// Derivatives of the gap, of what it does along a path and of the creep forces under it, against differences.

#include "contact/gap_places.h"

#include "contact/contact.h"
#include "unit/contact/rig.h"

static const double radius = 0.46;

static const rig_pose poses[] = {{0.0, -2e-5, 0.0, 0.0},      {0.001, 1e-5, 1e-4, 0.004}, {0.004, 0.0, -3e-4, -0.01},
                                 {-0.0055, 2e-4, 5e-4, 0.02}, {0.0068, 3e-3, 4e-3, 0.03}, {-0.003, 0.0, 0.0, 0.0}};
enum { POSES = sizeof poses / sizeof *poses };

// A path and a motion, and how both change in six directions. The axle turns: axle_rate and axle_accel are the angular
// velocity and acceleration that it does so with.
typedef struct line_function {
    kane_wheel_path path;
    kane_wheel_motion motion;
    double s; // place on the change of the rail's profile, if it has one [m]
} line_function;

enum { VECTORS = 11 };

static void vectors_of(line_function *c, kane_vec3 *at[VECTORS])
{
    kane_vec3 *const all[VECTORS] = {&c->path.centre,     &c->path.centre_rate, &c->path.centre_accel, &c->path.axle,
                                     &c->path.axle_rate,  &c->path.axle_accel,  &c->motion.centre,     &c->motion.axle,
                                     &c->motion.velocity, &c->motion.omega,     &c->motion.turn};
    memcpy(at, all, sizeof all);
}

static kane_vec3 wave(int seed)
{
    return kv3(sin(1.3 * seed + 0.4), cos(2.1 * seed), sin(0.7 * seed * seed + 1.0));
}

// Direction k moves everything by these; the axle turns about a vector, and keeps its length.
static kane_vec3 direction(int k, int vector)
{
    static const double size[VECTORS] = {1e-3, 0.05, 1.0, 1.0, 0.05, 1.0, 1e-3, 1.0, 0.3, 0.5, 1e-3};
    return kv3_scale(size[vector], wave(7 * k + vector));
}

static double friction_of(int k)
{
    return 0.05 * sin(k + 1.0);
}

// How far direction k goes along the rail [m], and how the rates of that change.
static kane_vec3 along_of(int k)
{
    return kv3(0.02 * cos(k + 0.3), 0.1 * sin(2.0 * k), 0.5 * cos(3.0 * k));
}

static line_function moved(const line_function *c, int k, double h)
{
    line_function to = *c;
    kane_vec3 *at[VECTORS];
    vectors_of(&to, at);
    for (int i = 0; i < VECTORS; i++)
        *at[i] = kv3_add_scaled(*at[i], h, direction(k, i));
    const kane_vec3 turn = kv3_scale(1e-3 * h, wave(5 * k)), e = c->path.axle;
    const double a   = kv3_norm(turn) + 1e-300;
    to.path.axle     = kv3_add(e, kv3_add(kv3_scale(sin(a) / a, kv3_cross(turn, e)),
                                          kv3_scale((1.0 - cos(a)) / (a * a), kv3_cross(turn, kv3_cross(turn, e)))));
    to.motion.axle   = to.path.axle;
    to.motion.centre = kv3_add_scaled(c->motion.centre, h, direction(k, 0));
    to.motion.friction_change += h * friction_of(k);
    to.s += h * along_of(k).x;
    to.path.along_rate += h * along_of(k).y;
    to.path.along_accel += h * along_of(k).z;
    return to;
}

static kane_scalar slopes_of(double v, const double d[6])
{
    return (kane_scalar){{{d[0], d[1]}, {d[2], d[3]}, {d[4], d[5]}}, v};
}

static void with_slopes(const line_function *c, kane_scalar3 out[VECTORS])
{
    line_function copy = *c;
    kane_vec3 *at[VECTORS];
    vectors_of(&copy, at);
    for (int i = 0; i < VECTORS; i++) {
        double d[3][6];
        for (int k = 0; k < 6; k++) {
            kane_vec3 slope = direction(k, i == 6 ? 0 : i);
            if (i == 3 || i == 7)
                slope = kv3_cross(kv3_scale(1e-3, wave(5 * k)), c->path.axle);
            for (int j = 0; j < 3; j++)
                d[j][k] = kv3_get(slope, j);
        }
        out[i] = ks3(slopes_of(at[i]->x, d[0]), slopes_of(at[i]->y, d[1]), slopes_of(at[i]->z, d[2]));
    }
}

enum { NUMBERS = 24 };

static kane_wheel_path path_of(const kane_contact *c, const line_function *at)
{
    kane_wheel_path path = at->path;
    if (c->shapes)
        path.blend = rail_blend_at(at->s);
    path.axle_rate  = kv3_cross(at->path.axle_rate, path.axle);
    path.axle_accel = kv3_add(kv3_cross(at->path.axle_accel, path.axle), kv3_cross(at->path.axle_rate, path.axle_rate));
    return path;
}

static void numbers_of(const kane_contact *c, kane_side side, const line_function *at, double N, double out[NUMBERS])
{
    kane_gap g;
    kane_wrench w;
    const kane_wheel_path path = path_of(c, at);
    assert_int_equal(kane_contact_gap(c, side, &path, &g), KANE_OK);
    assert_int_equal(kane_contact_creep(c, side, &g, &at->motion, N, &w, NULL), KANE_OK);
    const double all[NUMBERS] = {g.rate,     g.accel,   g.direction.x, g.direction.y, g.direction.z, g.twist.x,
                                 g.twist.y,  g.twist.z, g.point.x,     g.point.y,     g.point.z,     g.normal.y,
                                 g.normal.z, log(g.A),  log(g.B),      g.radius,      g.rail_y,      w.force.x,
                                 w.force.y,  w.force.z, w.torque.x,    w.torque.y,    w.torque.z,    g.along};
    memcpy(out, all, sizeof all);
}

static void seed_share(const kane_contact *c, const line_function *at, const kane_rail_blend *blend, path_scalars *path)
{
    double d[3][6];
    const double t = at->s / 2.0, share_sss = c->shapes ? 7.5 * (1.0 + 6.0 * t * (t - 1.0)) : 0.0;
    for (int k = 0; k < 6; k++) {
        d[0][k] = along_of(k).x;
        d[1][k] = along_of(k).y;
        d[2][k] = along_of(k).z;
    }
    const kane_scalar s = slopes_of(at->s, d[0]), rate = slopes_of(at->path.along_rate, d[1]),
                      accel    = slopes_of(at->path.along_accel, d[2]);
    const kane_scalar share_ss = ks_chain(s, blend->share_ss, share_sss);
    path->share                = ks_chain(s, blend->share, blend->share_s);
    path->share_s              = ks_chain(s, blend->share_s, blend->share_ss);
    path->share_rate           = ks_mul(path->share_s, rate);
    path->share_accel          = ks_add(ks_mul(path->share_s, accel), ks_mul(share_ss, ks_mul(rate, rate)));
}

static void slopes_at(const kane_contact *c, kane_side side, const line_function *at, double N,
                      kane_scalar out[NUMBERS])
{
    const kane_wheel_path here = path_of(c, at);
    gap_curve around;
    gap_scalars g;
    kane_scalar3 v[VECTORS], w[2];
    assert_int_equal(kane_gap_curve(c, side, &here, &around), KANE_OK);
    with_slopes(at, v);
    double by_friction[6];
    for (int k = 0; k < 6; k++)
        by_friction[k] = friction_of(k);
    const kane_scalar3 rate = ks3_cross(v[4], v[3]), bend = ks3_add(ks3_cross(v[5], v[3]), ks3_cross(v[4], rate));
    path_scalars path = {
        .centre = v[0], .centre_rate = v[1], .centre_accel = v[2], .axle = v[3], .axle_rate = rate, .axle_accel = bend};
    seed_share(c, at, &here.blend, &path);
    const motion_scalars m = {v[6], v[7], v[8], v[9], v[10], slopes_of(at->motion.friction_change, by_friction)};
    kane_gap_follow(&around, &path, &g);
    assert_int_equal(kane_rigid_derive(c, side, &g.spot, &m, N, w), KANE_OK);
    const kane_vec3 polar    = kv3(1.0, rig_outside(side), 1.0);
    const kane_scalar3 point = ks3_mul(polar, g.spot.point), normal = ks3_mul(polar, g.spot.normal);
    const kane_scalar all[NUMBERS] = {g.rate,        g.accel,       g.direction.x, g.direction.y,    g.direction.z,
                                      g.twist.x,     g.twist.y,     g.twist.z,     point.x,          point.y,
                                      point.z,       normal.y,      normal.z,      ks_log(g.spot.A), ks_log(g.spot.B),
                                      g.spot.radius, g.spot.rail_y, w[0].x,        w[0].y,           w[0].z,
                                      w[1].x,        w[1].y,        w[1].z,        g.along};
    memcpy(out, all, sizeof all);
}

static line_function line_function_at(const kane_contact *c, kane_side side, rig_pose p)
{
    line_function at          = {.motion = rig_motion(c, radius, side, p, 20.0, 20.05 / radius)};
    at.path.centre            = at.motion.centre;
    at.path.axle              = at.motion.axle;
    at.path.centre_rate       = kv3(0.0, 0.02, 0.003);
    at.path.axle_rate         = kv3(0.012, 0.0, 0.4);
    at.path.centre_accel      = kv3(0.0, -0.3, 0.05);
    at.path.axle_accel        = kv3(0.1, 0.0, 0.7);
    at.motion.turn            = kv3(1e-4, -2e-3, 3e-3);
    at.motion.centre.x        = 0.002;
    at.motion.friction_change = 0.1;
    at.s                      = 0.8;
    at.path.along_rate        = 0.3;
    at.path.along_accel       = -0.7;
    return at;
}

// Central differences with steps h, h/2, h/4, extrapolated twice.
static void difference(const kane_contact *c, kane_side side, const line_function *at, double N, int k, double h,
                       double out[NUMBERS])
{
    double d[3][NUMBERS];
    for (int i = 0; i < 3; i++, h *= 0.5) {
        double up[NUMBERS], down[NUMBERS];
        const line_function ahead = moved(at, k, h), behind = moved(at, k, -h);
        numbers_of(c, side, &ahead, N, up);
        numbers_of(c, side, &behind, N, down);
        for (int n = 0; n < NUMBERS; n++)
            d[i][n] = (up[n] - down[n]) / (2.0 * h);
    }
    for (int n = 0; n < NUMBERS; n++) {
        const double a = (4.0 * d[1][n] - d[0][n]) / 3.0, b = (4.0 * d[2][n] - d[1][n]) / 3.0;
        out[n] = (16.0 * b - a) / 15.0;
    }
}

// `of`: part of the largest slope of the number in any direction, of `least` where that is more.
static void compare_above(const kane_contact *c, double h, double of, double least)
{
    for (int i = 0; i < POSES; i++)
        for (int side = 0; side < 2; side++) {
            const line_function at = line_function_at(c, side, poses[i]);
            kane_scalar exact[NUMBERS];
            double values[NUMBERS], d[6][NUMBERS];
            slopes_at(c, side, &at, 6e4, exact);
            numbers_of(c, side, &at, 6e4, values);
            for (int k = 0; k < 6; k++)
                difference(c, side, &at, 6e4, k, h, d[k]);
            for (int n = 0; n < NUMBERS; n++) {
                double size = least;
                for (int k = 0; k < 6; k++)
                    size = fmax(size, fabs(d[k][n]));
                for (int k = 0; k < 6; k++) {
                    if (!(fabs(kane_tangents_get(exact[n].t, k) - d[k][n]) <= of * size))
                        printf("pose %d side %d number %d direction %d: %.12g, difference %.12g, size %g\n", i, side, n,
                               k, kane_tangents_get(exact[n].t, k), d[k][n], size);
                    check_near(kane_tangents_get(exact[n].t, k), d[k][n], of * size);
                    check_figure(fabs(kane_tangents_get(exact[n].t, k) - d[k][n]) / size, "of the largest slope");
                }
                if (n < 2)
                    check_near(ks_value(exact[n]), values[n], 1e-9 * (0.01 + fabs(values[n])));
            }
        }
}

static void compare_slopes(const kane_contact *c, double h, double of)
{
    compare_above(c, h, of, 1e-7);
}

CHECK_TEST(slopes_are_those_of_differences_cone)
{
    CHECK_OWNED(kane_contact) *c = rig_create(rig_cone_on_round());
    compare_slopes(c, 2e-2, 1e-7);
}

CHECK_TEST(slopes_are_those_of_differences)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    compare_slopes(c, 4e-4, 4e-6);
}

// One pose lies outside of the table. Its values over steps of 5 mm and .1 mm between nodes leave slopes with 1e-14,
// and differences of these over some 1e-4 with 1e-11: numbers that grow by less than 1e-5 show nothing.
CHECK_TEST(slopes_are_those_of_differences_of_tables)
{
    kane_contact_definition d    = kane_contact_definition_default();
    d.gap                        = KANE_GEOMETRY_TABULATED;
    CHECK_OWNED(kane_contact) *c = rig_create(d);
    compare_above(c, 4e-4, 4e-6, 1e-5);
}

CHECK_TEST(slopes_are_those_of_differences_where_the_rail_changes)
{
    double y[RAIL_POINTS], z[RAIL_POINTS];
    const kane_profile profile   = rail_worn(1.5e-3, y, z);
    CHECK_OWNED(kane_contact) *c = rail_create(&profile, 1);
    compare_slopes(c, 8e-4, 4e-6);
}

// A user-defined law, which is differenced along what it sees; it reads creepages, load, place and the motion of the
// wheel.
static kane_status own_eval(void *data, const kane_creep_contact *c, kane_user_force *f)
{
    (void)data;
    const double bound = c->friction * c->N;
    f->T_x             = -bound * tanh(300.0 * c->xi_x) * (1.0 + c->angle);
    f->T_y             = -bound * tanh(250.0 * c->xi_y) * (1.0 + 20.0 * c->a);
    f->M_z             = -1e-3 * c->N * c->phi * c->radius + 10.0 * c->motion->omega.z;
    return KANE_OK;
}

CHECK_TEST(slopes_are_those_of_differences_own_law)
{
    kane_contact_definition d    = kane_contact_definition_default();
    d.laws.creep                 = KANE_CREEP_USER;
    d.laws.own                   = (kane_user_creep){own_eval, NULL, NULL};
    CHECK_OWNED(kane_contact) *c = rig_create(d);
    compare_slopes(c, 4e-4, 4e-6);
}

CHECK_MAIN(NULL, NULL)
