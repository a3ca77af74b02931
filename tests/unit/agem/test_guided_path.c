// SPDX-License-Identifier: MIT
// How a rail sees a wheel that it guides, against differences in time of the motion itself: a curve, a section that
// goes along it with a point of a body, and the axes Q beside it are integrated as places alone, and no velocity or
// acceleration is said.

#define KANE_SCALAR_TANGENTS 0

#include "agem/rail_constraint_path.h"

#include "check.h"

// Axes in space, columns in world axes, and their origin.
typedef struct place {
    kane_mat3 R;
    kane_vec3 p;
} place;

// Axes that turn by Omega + s Omega_s (own axes) per metre while their origin goes along their own x by `length` a
// metre.
typedef struct curve {
    place start;
    kane_vec3 Omega, Omega_s;
    double length;
} curve;

// A frame that moves, a body that moves in it at a steady relative velocity, a point and an axle that are fixed to the
// body.
static const kane_vec3 v_o = {9.0, 0.4, -0.3}, a_o = {0.8, -1.1, 0.6}; // origin of the frame at t = 0, its own axes
static const kane_vec3 omega = {0.3, -0.5, 0.7}, epsilon = {-0.6, 0.9, 0.4};
static const kane_vec3 r = {0.3, 0.2, -0.1}, v = {0.7, 0.3, -0.4}, w = {0.5, 3.0, -0.8}; // relative, frame axes
static const kane_vec3 arm = {0.02, 0.75, -0.46}, axle = {0.01, 0.9998, -0.02};          // section axes at t = 0

// Turn by a vector of rotation.
static kane_mat3 turn_by(kane_vec3 a)
{
    const double angle = kv3_norm(a);
    if (angle == 0.0)
        return km3_identity();
    const kane_vec3 n = kv3_scale(1.0 / angle, a);
    return km3_add(km3_add(km3_scale(cos(angle), km3_identity()), km3_scale(sin(angle), km3_skew(n))),
                   km3_scale(1.0 - cos(angle), km3_outer(n, n)));
}

// A place on the curve: short pieces, each turned by its middle.
static place curve_at(const curve *c, double s)
{
    enum { PIECES = 50 };
    place at       = c->start;
    const double h = s / PIECES;
    for (int i = 0; i < PIECES; i++) {
        const kane_vec3 turn = kv3_scale(h, kv3_add_scaled(c->Omega, (i + 0.5) * h, c->Omega_s));
        const kane_mat3 half = km3_mul(at.R, turn_by(kv3_scale(0.5, turn)));
        at.p                 = kv3_add_scaled(at.p, h * c->length, half.x);
        at.R                 = km3_mul(at.R, turn_by(turn));
    }
    return at;
}

// Rotation of the frame to the world, its own axes at t = 0: to the second order in t, which is all that second
// derivatives see.
static kane_mat3 frame_at(double t)
{
    return km3_mul(turn_by(kv3_scale(t, omega)), turn_by(kv3_scale(0.5 * t * t, epsilon)));
}

// Place of the body's point and direction of its axle at a time, world axes. F: section axes to frame axes at t = 0.
static void body_at(const kane_mat3 *F, double t, kane_vec3 *point, kane_vec3 *direction)
{
    const kane_mat3 frame = frame_at(t), body = km3_mul(frame, turn_by(kv3_scale(t, w)));
    const kane_vec3 origin = kv3_add_scaled(kv3_scale(t, v_o), 0.5 * t * t, a_o);
    const kane_vec3 centre = kv3_add(origin, km3_mulv(frame, kv3_add_scaled(r, t, v)));
    *point                 = km3_tmulv(
                        *F, kv3_sub(kv3_add(centre, km3_mulv(body, km3_mulv(*F, arm))), kv3_add(r, km3_mulv(*F, arm)))); // 0 at t = 0
    *direction = km3_tmulv(*F, km3_mulv(body, km3_mulv(*F, axle)));
}

typedef struct seen {
    double s;
    kane_vec3 centre, axle;
} seen;

// The section whose plane holds the point, and what Q sees.
static seen look_from_rail(const kane_mat3 *F, const curve *line, const curve *rail, kane_vec3 at, double t)
{
    kane_vec3 point, direction;
    double s = 9.0 * t;
    body_at(F, t, &point, &direction);
    point = kv3_add(point, at);
    for (int i = 0; i < 20; i++) { // Newton's method with the slope of a straight line
        const place here = curve_at(line, s);
        s += kv3_dot(kv3_sub(point, here.p), here.R.x);
    }
    const place Q = curve_at(rail, s);
    return (seen){s, km3_tmulv(Q.R, kv3_sub(point, Q.p)), km3_tmulv(Q.R, direction)};
}

// First and second derivative in the middle of five values, h apart.
static double first_difference(const double f[5], double h)
{
    return (f[0] - 8.0 * f[1] + 8.0 * f[3] - f[4]) / (12.0 * h);
}

static double second_difference(const double f[5], double h)
{
    return (-f[0] + 16.0 * f[1] - 30.0 * f[2] + 16.0 * f[3] - f[4]) / (12.0 * h * h);
}

// A vector's component in five looks.
static void vector_component(const kane_vec3 a[5], int axis, double f[5])
{
    for (int k = 0; k < 5; k++)
        f[k] = kv3_get(a[k], axis);
}

CHECK_TEST(places_rates_and_bends_are_differences_of_places)
{
    const kane_mat3 F = turn_by(kv3(0.2, -0.3, 0.4)), W = turn_by(kv3(-0.5, 0.1, 0.9)),
                    Q  = turn_by(kv3(0.02, 0.03, -0.4));
    const kane_vec3 at = {0.0, 0.7, -0.5}, origin = {0.0, 0.75, -0.02};
    const curve line       = {{km3_identity(), kv3_zero()}, {0.06, -0.04, 0.08}, {0.05, 0.09, -0.07}, 1.0};
    const curve rail       = {{Q, origin}, {-0.07, 0.05, 0.09}, {0.08, -0.06, 0.11}, 1.06};
    const guided_pose g    = {.R     = cm_constant(F),
                              .R_w   = cm_constant(W),
                              .at    = ks3_constant(at),
                              .Omega = ks3_constant(line.Omega),
                              .arm   = ks3_constant(arm),
                              .axle  = ks3_constant(axle),
                              .r     = ks3_constant(r),
                              .v     = ks3_constant(v),
                              .w     = ks3_constant(w),
                              .v_w =
                                  ks3_constant(km3_mulv(W, km3_tmulv(F, kv3_add(v_o, kv3_add(kv3_cross(omega, r), v))))),
                              .w_w     = ks3_constant(km3_mulv(W, km3_tmulv(F, kv3_add(omega, w)))),
                              .Q       = cm_constant(Q),
                              .origin  = ks3_constant(origin),
                              .K       = ks3_constant(rail.Omega),
                              .K_s     = ks3_constant(rail.Omega_s),
                              .length  = ks_constant(rail.length),
                              .Omega_s = line.Omega_s};
    const kane_transport T = {.omega = omega, .epsilon = epsilon, .v_o = v_o, .a_o = a_o};
    const section_motion m = section_move(&T, &g);
    guided_path path       = guided_rates(&m, &g);
    const double h         = 1e-3;
    double s[5], f[5];
    kane_vec3 centre[5], direction[5];
    guided_bends(&m, &g, &path);
    for (int k = 0; k < 5; k++) {
        const seen now = look_from_rail(&F, &line, &rail, at, (k - 2) * h);
        s[k]           = now.s;
        centre[k]      = now.centre;
        direction[k]   = now.axle;
    }
    check_near(ks_value(m.sigma), first_difference(s, h), 1e-9);
    check_near(ks_value(m.sigma_dot), second_difference(s, h), 1e-7);
    check_vec3(ks3_value(path.centre), centre[2], 1e-13);
    check_vec3(ks3_value(path.axle), direction[2], 1e-13);
    for (int axis = 0; axis < 3; axis++) {
        vector_component(centre, axis, f);
        check_near(kv3_get(ks3_value(path.centre_rate), axis), first_difference(f, h), 1e-9);
        if (axis > 0) // along the rail nothing touches
            check_near(kv3_get(ks3_value(path.centre_accel), axis), second_difference(f, h), 1e-7);
        vector_component(direction, axis, f);
        check_near(kv3_get(ks3_value(path.axle_rate), axis), first_difference(f, h), 1e-9);
        check_near(kv3_get(ks3_value(path.axle_accel), axis), second_difference(f, h), 1e-7);
    }
}

CHECK_MAIN(NULL, NULL)
