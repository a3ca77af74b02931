// SPDX-License-Identifier: MIT
// What all ways to let a wheelset stand have in common.

#include "contact/stand.h"
#include "contact/contact.h"

#include <math.h>

stand_side kane_stand_side(const kane_contact *c, kane_side side)
{
    const contact_pair *pair = c->pair[side];
    return (stand_side){&pair->wheel, &pair->rail, pair->wheel_distance, pair->rail_distance};
}

kane_status kane_stand_check(double y, double yaw)
{
    return fabs(y) <= 0.1 && fabs(yaw) <= 0.1 ? KANE_OK : KANE_BAD_ARGUMENT;
}

// The middle of the axle is the mean of both radii over the rails, z more. In the mirror the right wheel's shift, roll and
// yaw change their signs.
wheel_pose kane_stand_wheel_pose(const kane_contact *contact, kane_side side, stand_pose pose)
{
    const stand_side left = kane_stand_side(contact, KANE_LEFT), right = kane_stand_side(contact, KANE_RIGHT);
    const stand_side *here = side == KANE_LEFT ? &left : &right;
    const double sign = side == KANE_LEFT ? 1.0 : -1.0, middle = 0.5 * (left.wheel->radius + right.wheel->radius);
    const double yaw = sign * pose.yaw, roll = sign * pose.roll, d = here->wheel_distance;
    const kane_vec3 axle = kv3(-sin(yaw) * cos(roll), cos(yaw) * cos(roll), sin(roll));
    return (wheel_pose){sign * pose.y + d * axle.y - here->rail_distance, middle + pose.z + d * axle.z, axle};
}

// Raising the left end lowers the z that the left wheel wants by about the wheel's distance times the roll, and raises the
// right one's: their difference falls with roll. Secants, kept within what is known to hold the root.
int kane_stand_roll(stand_height *height, const void *data, stand_pose *pose)
{
    double low = -0.15, high = 0.15, before = 0.0, f_before = 0.0, slope = -1.5;
    for (int i = 0; i < 100; i++) {
        double left, right;
        if (!height(data, KANE_LEFT, *pose, &left) || !height(data, KANE_RIGHT, *pose, &right))
            return 0;
        const double f = left - right;
        pose->z        = 0.5 * (left + right);
        if (f > 0.0)
            low = pose->roll;
        else
            high = pose->roll;
        if (i > 0 && pose->roll != before)
            slope = (f - f_before) / (pose->roll - before);
        double next = pose->roll - f / (slope < -0.1 ? slope : -1.5);
        if (fabs(next - pose->roll) < 1e-14 || high - low < 1e-15)
            return 1;
        if (!(next > low && next < high) || i > 20)
            next = 0.5 * (low + high);
        before     = pose->roll;
        f_before   = f;
        pose->roll = next;
    }
    return 1;
}

// B from the change of dp/d(eta) along the oblique axis: differences see also what overlap_at leaves out of p2 under yaw.
kane_touch kane_stand_touch(const silhouette *g, double s)
{
    const double h   = 1e-6;
    const overlap o  = overlap_at(g, s);
    const overlap in = overlap_at(g, s - h), out = overlap_at(g, s + h);
    const double cosine = 1.0 / sqrt(1.0 + o.slope * o.slope);
    double x;
    const double *f     = wheel_cell_at(g->wheel, s, &x)->f;
    const double radius = g->wheel->radius + f[0] + x * (f[1] + x * (f[2] + x * f[3]));
    const double bend = (out.p1 / out.eta1 - in.p1 / in.eta1) / (out.eta - in.eta), across = 1.0 + o.R1 * o.R1;
    return (kane_touch){.rail_y  = o.eta * KANE_TILT_COS - o.rail * KANE_TILT_SIN,
                        .wheel_y = s,
                        .lead    = g->ex * (s + o.RR1),
                        .angle   = -(atan(o.slope) + atan2(KANE_TILT_SIN, KANE_TILT_COS)),
                        .radius  = radius,
                        .A       = (1.0 - g->ex * g->ex * across) / (2.0 * radius * sqrt(across)),
                        .B       = -0.5 * bend * cosine * cosine * cosine,
                        .gap     = -o.p * cosine};
}
