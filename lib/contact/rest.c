// SPDX-License-Identifier: MIT
// A wheelset on elastic contacts, at rest under its load.

#include "contact/stand.h"

#include <math.h>

// What one side's height is asked with.
typedef struct loaded {
    const kane_contact *contact;
    const double *load; // of the wheels, left and right [N]
} loaded;

// The wheel at rest: no slip, no rate of approach, so that all force is normal and elastic.
static kane_status eval(const kane_contact *contact, kane_side side, stand_pose pose, kane_contact_result *result)
{
    const double sign         = side == KANE_LEFT ? 1.0 : -1.0;
    const wheel_pose p        = kane_stand_wheel_pose(contact, side, pose);
    const kane_vec3 axle      = kv3(sign * p.axle.x, p.axle.y, sign * p.axle.z);
    const kane_wheel_motion m = {.centre = kv3(0.0, sign * p.y, p.z), .axle = axle};
    return kane_contact_eval(contact, side, &m, result);
}

// N^(2/3) is nearly a straight line over the height, its root found by secants between heights that hold it.
static double measure(const loaded *l, kane_side side, stand_pose pose, double z)
{
    kane_contact_result result;
    pose.z = z;
    if (eval(l->contact, side, pose, &result) != KANE_OK)
        return (double)NAN;
    return cbrt(result.on_wheel.force.z * result.on_wheel.force.z) - cbrt(l->load[side] * l->load[side]);
}

// From where the rigid wheel would touch down to where the force is enough.
static int elastic_height(const void *data, kane_side side, stand_pose pose, double *z)
{
    const loaded *l = data;
    double high, low, f_high, f_low = -1.0;
    if (!kane_stand_rigid_height(l->contact, side, pose, &high))
        return 0;
    f_high = measure(l, side, pose, high);
    low    = high;
    for (double depth = 2e-5; f_low < 0.0 && depth < 5e-3; depth *= 2.0) {
        low   = high - depth;
        f_low = measure(l, side, pose, low);
    }
    if (!(f_low >= 0.0 && f_high < 0.0))
        return 0;
    for (int i = 0; i < 100 && high - low > 1e-15; i++) {
        // a secant; every third step bisects, so that the interval shrinks from both ends
        double next = high - f_high * (high - low) / (f_high - f_low);
        if (i % 3 == 2 || !(next > low && next < high))
            next = 0.5 * (low + high);
        const double f = measure(l, side, pose, next);
        if (!isfinite(f))
            return 0;
        if (f >= 0.0) {
            low   = next;
            f_low = f;
        } else {
            high   = next;
            f_high = f;
        }
    }
    *z = 0.5 * (low + high);
    return 1;
}

static kane_touch touch_of(const silhouette *g, const kane_patch *p)
{
    kane_touch t = kane_stand_touch(g, p->wheel_y); // lead and curvatures of the profiles there
    t.rail_y     = p->rail_y;
    t.angle      = p->angle;
    t.radius     = p->radius;
    t.gap        = 0.0;
    t.N          = p->N;
    t.approach   = p->approach;
    t.a          = p->a;
    t.b          = p->b;
    t.pressure   = p->pressure;
    t.conformal  = p->conformal;
    return t;
}

// Patches of one side by their forces, and the mean of their rolling radii.
static double list_patches(const kane_contact *contact, kane_side side, stand_pose pose, kane_stand *stand)
{
    const stand_side here  = kane_stand_side(contact, side);
    const wheel_pose wheel = kane_stand_wheel_pose(contact, side, pose);
    const silhouette g     = silhouette_init(here.wheel, here.rail, &wheel);
    kane_contact_result result;
    double sum = 0.0, radius = 0.0;
    if (eval(contact, side, pose, &result) != KANE_OK)
        return (double)NAN;
    for (int i = 0; i < result.patch_count; i++) {
        const kane_touch t = touch_of(&g, &result.patch[i]);
        int k              = i;
        for (; k > 0 && stand->touch[side][k - 1].N < t.N; k--)
            stand->touch[side][k] = stand->touch[side][k - 1];
        stand->touch[side][k] = t;
        sum += t.N;
        radius += t.N * t.radius;
    }
    stand->count[side] = result.patch_count;
    return radius / sum;
}

kane_status kane_stand_elastic(const kane_contact *contact, double y, double yaw, const double load[2],
                               kane_stand *stand)
{
    const loaded l     = {contact, load};
    stand_pose pose    = {.y = y, .yaw = yaw};
    kane_status status = kane_stand_check(y, yaw);
    *stand             = (kane_stand){.y = y, .yaw = yaw};
    if (status != KANE_OK || !(load[KANE_LEFT] > 0.0 && load[KANE_RIGHT] > 0.0) ||
        !isfinite(load[KANE_LEFT] + load[KANE_RIGHT]))
        return KANE_BAD_ARGUMENT;
    if (!kane_stand_roll(elastic_height, &l, &pose))
        return KANE_NOT_SOLVED;
    stand->z                 = pose.z;
    stand->roll              = pose.roll;
    stand->radius_difference = list_patches(contact, KANE_LEFT, pose, stand);
    stand->radius_difference -= list_patches(contact, KANE_RIGHT, pose, stand);
    return stand->count[KANE_LEFT] > 0 && stand->count[KANE_RIGHT] > 0 ? KANE_OK : KANE_NOT_SOLVED;
}
