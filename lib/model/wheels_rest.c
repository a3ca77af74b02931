// SPDX-License-Identifier: MIT
// How a wheelset rests on its rails, rolling straight ahead: by Newton's method where wheels give way, by the rigid contact
// functions where they do not.

#include "contact/contact.h"
#include "model/model.h"

#include <math.h>

// Where wheels slide, the torque hardly depends on the spin, and its slope would lead far beyond rolling: no step is longer
// than this part of the spin.
static const double SLIDE = 1e-3;

kane_status kane_wheels_press(const kane_wheels *wheels, double speed, double height, double roll, double spin,
                              kane_wrench *sum, double load[2])
{
    const kane_vec3 axle = kv3(0.0, cos(roll), sin(roll));
    *sum                 = (kane_wrench){kv3_zero(), kv3_zero()};
    for (int side = 0; side < 2; side++) {
        const double outside = side == KANE_LEFT ? 1.0 : -1.0;
        const kane_vec3 arm  = kv3_scale(outside * wheels->wheel_distance[side], axle);
        kane_wheel_motion m  = {.axle = axle, .velocity = kv3(speed, 0.0, 0.0), .omega = kv3_scale(spin * speed, axle)};
        kane_contact_result result;
        m.centre = kv3_sub(kv3_add(kv3(0.0, 0.0, height), arm), kv3(0.0, outside * wheels->rail_distance[side], 0.0));
        const kane_status status = kane_contact_eval(wheels->contact, side, &m, &result);
        if (status != KANE_OK)
            return status;
        const kane_vec3 torque = kv3_add(result.on_wheel.torque, kv3_cross(arm, result.on_wheel.force));
        load[side]             = result.on_wheel.force.z;
        *sum                   = kw_add(*sum, (kane_wrench){result.on_wheel.force, torque});
    }
    return KANE_OK;
}

// Vertical force [N] and torque about x and about the axle [N m] of the rails on a wheelset in this position.
static kane_status rails(const kane_wheels *wheels, double speed, const double x[3], double f[3], double load[2])
{
    kane_wrench sum;
    const kane_status status = kane_wheels_press(wheels, speed, x[0], x[1], x[2], &sum, load);
    f[0]                     = sum.force.z;
    f[1]                     = sum.torque.x;
    f[2]                     = kv3_dot(sum.torque, kv3(0.0, cos(x[1]), sin(x[1])));
    return status;
}

// One Newton step for rails() = target by differences. Returns the size of the step in units of `scale`, or -1.
static double improve(const kane_wheels *wheels, double speed, const double target[3], double x[3], double load[2])
{
    const double scale[3] = {1e-7, 1e-7, 1e-5}; // m, rad, rad/m: far below the elastic approach
    double f[3], column[3][3];
    if (rails(wheels, speed, x, f, load) != KANE_OK)
        return -1.0;
    for (int k = 0; k < 3; k++) {
        double up[3], down[3], moved[3] = {x[0], x[1], x[2]};
        moved[k] = x[k] + scale[k];
        if (rails(wheels, speed, moved, up, load) != KANE_OK)
            return -1.0;
        moved[k] = x[k] - scale[k];
        if (rails(wheels, speed, moved, down, load) != KANE_OK)
            return -1.0;
        for (int i = 0; i < 3; i++)
            column[k][i] = (up[i] - down[i]) / (2.0 * scale[k]);
    }
    if (fabs(column[2][2]) < 1e-6 * fabs(f[0])) { // no friction holds the wheels: any spin will do
        column[2][2] = 1.0;
        f[2]         = target[2];
    }
    const kane_mat3 K    = {{column[0][0], column[0][1], column[0][2]},
                            {column[1][0], column[1][1], column[1][2]},
                            {column[2][0], column[2][1], column[2][2]}};
    const kane_vec3 miss = kv3(target[0] - f[0], target[1] - f[1], target[2] - f[2]);
    const kane_vec3 step = km3_solve(K, miss);
    const double limit   = fmin(1.0, 1e-3 / (fabs(step.x) + 1e-300)); // a millimetre at a time
    x[0] += limit * step.x;
    x[1] += limit * step.y;
    x[2] += fmax(-SLIDE, fmin(SLIDE, step.z / x[2])) * x[2];
    return fabs(step.x) / scale[0] + fabs(step.y) / scale[1] + fabs(step.z) / scale[2];
}

// The same for wheels that touch without giving way: height and roll such that both gaps are closed, and the normal forces
// that carry the load.
static int rest_guided(kane_wheels *wheels, double vertical, double torque)
{
    kane_gap touch[2];
    if (kane_rigid_position(wheels->contact, 0.0, 0.0, &wheels->height, &wheels->roll, touch) != KANE_OK)
        return 1;
    const kane_vec3 axle = kv3(0.0, cos(wheels->roll), sin(wheels->roll));
    double lift[2], tilt[2]; // vertical force and torque about x per normal force
    for (int side = 0; side < 2; side++) {
        const double outside = side == KANE_LEFT ? 1.0 : -1.0;
        const kane_vec3 arm  = kv3_scale(outside * wheels->wheel_distance[side], axle);
        lift[side]           = touch[side].push.z;
        tilt[side]           = kv3_add(touch[side].twist, kv3_cross(arm, touch[side].push)).x;
    }
    const double determinant = lift[0] * tilt[1] - lift[1] * tilt[0];
    const double left        = (tilt[1] * vertical - lift[1] * torque) / determinant,
                 right       = (lift[0] * torque - tilt[0] * vertical) / determinant;
    wheels->load[0]          = lift[0] * left;
    wheels->load[1]          = lift[1] * right;
    wheels->spin             = 2.0 / (touch[0].radius + touch[1].radius);
    return !(left > 0.0 && right > 0.0);
}

// How a wheelset comes down: in steps, a stride of which is gone at once where nothing happens.
enum { STRIDE = 40, STRIDES = 100 };
static const double down = 5e-6; // a step [m]

// Which wheels have come to stand.
typedef struct landing {
    const kane_wheels *wheels;
    double speed, quarter; // of the load [N]
    double stands[2];      // height at which each wheel takes it [m]
    int standing;          // bits: wheels that do
} landing;

// Looks at one height, x[0]. Returns 0 if there are no forces.
static int look(landing *l, const double x[3], double load[2])
{
    double f[3];
    if (rails(l->wheels, l->speed, x, f, load) != KANE_OK)
        return 0;
    for (int side = 0; side < 2; side++)
        if (!(l->standing & (1 << side)) && load[side] >= l->quarter) {
            l->stands[side] = x[0];
            l->standing |= 1 << side;
        }
    return 1;
}

// One stride down: if a wheel stands at its end, which deeper wheels do more firmly, step by step from its beginning.
static int go_down(landing *l, double x[3], double load[2])
{
    const landing before = *l;
    const double above   = x[0];
    for (int i = 0; i < STRIDE; i++)
        x[0] -= down;
    if (!look(l, x, load))
        return 0;
    if (l->standing == before.standing)
        return 1;
    *l   = before;
    x[0] = above;
    for (int i = 0; i < STRIDE && l->standing < 3; i++) {
        x[0] -= down;
        if (!look(l, x, load))
            return 0;
    }
    return 1;
}

// Lets a wheelset down onto the rails, first so that its running circles are level, until each wheel has taken a quarter
// of the load; height and roll are then those at which each does. 1, or 0 if it never stands.
static int come_down(const kane_wheels *wheels, double speed, double vertical, double x[3], double load[2])
{
    const double *r = wheels->radius, span = wheels->wheel_distance[0] + wheels->wheel_distance[1];
    const double level = (r[0] - r[1]) / span;
    landing l          = {.wheels = wheels, .speed = speed, .quarter = 0.25 * vertical};
    x[0]               = 0.5 * (r[0] + r[1]) + 0.01;
    x[1]               = level;
    x[2]               = 2.0 / (r[0] + r[1]);
    for (int i = 0; i < STRIDES && l.standing < 3; i++)
        if (!go_down(&l, x, load))
            return 0;
    x[0] = 0.5 * (l.stands[0] + l.stands[1]);
    x[1] = level + (l.stands[0] - l.stands[1]) / span;
    return l.standing == 3;
}

int kane_wheels_rest(kane_wheels *wheels, double speed, double vertical, double torque)
{
    if (wheels->way != KANE_CONTACT_ELASTIC)
        return rest_guided(wheels, vertical, torque);
    const double rolling   = wheels->spin > 0.0 ? wheels->spin : 2.0 / (wheels->radius[0] + wheels->radius[1]);
    double x[3]            = {wheels->height, wheels->roll, rolling}, f[3];
    const double target[3] = {vertical, torque, 0.0};

    // not touching yet: come down to the rail
    if (rails(wheels, speed, x, f, wheels->load) != KANE_OK || !(f[0] > 0.0))
        if (!come_down(wheels, speed, vertical, x, wheels->load))
            return 1;
    double size = 1.0;
    for (int i = 0; i < 40 && size > 1e-8; i++) {
        size = improve(wheels, speed, target, x, wheels->load);
        if (!(size >= 0.0))
            return 1;
    }
    if (rails(wheels, speed, x, f, wheels->load) != KANE_OK || !(fabs(f[0] - vertical) <= 1e-6 * fabs(vertical)) ||
        !(fabs(f[2]) * x[2] <= 1e-6 * fabs(vertical)))
        return 1;
    wheels->height = x[0];
    wheels->roll   = x[1];
    wheels->spin   = x[2];
    return 0;
}
