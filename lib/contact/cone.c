// SPDX-License-Identifier: MIT
// A cone on a round rail. Their common normal is found without iteration:
//
// With the axle's direction e and a unit vector d across it, P(s) = s e + (r - l s) d is a generator of the cone (l the
// conicity), and d + l e its normal, all along. The rail is a cylinder along x, so that the normal must have no
// component along x:  d_x = -l e_x. This fixes d. The generator is then parallel to the rail's tangent plane; where it
// passes the rail's axis follows from one linear equation, and the approach is what the distance of both is less than
// the head's radius.

#include "contact/cone.h"

#include <math.h>

int kane_cone_spot(const cone_pair *pair, const wheel_pose *pose, const hertz_table *hertz, double E_star,
                   contact_spot *spot)
{
    const kane_vec3 e = pose->axle;
    const double l = pair->conicity, r = pair->radius, c2 = e.y * e.y + e.z * e.z;

    // d = cos(alpha) v + sin(alpha) w with v = (0, ez, -ey)/c down and w = (1, 0, 0) - ex e over c
    const double sine = -l * e.x / c2, cosine = sqrt(1.0 - sine * sine * c2) / sqrt(c2);
    const kane_vec3 d = kv3(-l * e.x, cosine * e.z - sine * e.x * e.y, -cosine * e.y - sine * e.x * e.z);

    // from the rail's axis to the wheel's centre, and the normal out of the cone
    const double length = 1.0 / sqrt(1.0 + l * l), y = pose->y, z = pose->z + pair->head_radius;
    const double ny = length * (d.y + l * e.y), nz = length * (d.z + l * e.z);
    const double distance = -(ny * (y + r * d.y) + nz * (z + r * d.z));
    const double approach = pair->head_radius - distance;
    if (!(approach > 0.0))
        return 0;

    // across the normal, along the rail's surface, both lines meet:  (centre + r d + s (e - l d)) . (-nz, ny) = 0
    const double along = ny * (e.z - l * d.z) - nz * (e.y - l * d.y);
    const double s     = -(ny * (z + r * d.z) - nz * (y + r * d.y)) / along;
    const double R     = r - l * s;
    if (!(fabs(s) <= pair->half_width && R > 0.0))
        return 0;

    const double gx = e.x * length * (1.0 + l * l); // of the generator
    const double A = 0.5 * length * (1.0 - gx * gx) / R, B = 0.5 / pair->head_radius;
    const hertz_shape shape = kane_hertz_shape(hertz, log(B / A));
    const double size       = sqrt(approach / (A + B));

    *spot = (contact_spot){.point    = kv3(s * e.x + R * d.x, s * e.y + R * d.y, s * e.z + R * d.z),
                           .normal   = kv3(0.0, -ny, -nz),
                           .share    = 1.0,
                           .N        = 4.0 / 3.0 * E_star * shape.h * approach * sqrt(approach / B),
                           .approach = approach,
                           .a        = shape.along * size,
                           .b        = shape.across * size,
                           .radius   = R,
                           .wheel_y  = s,
                           .rail_y   = -pair->head_radius * ny};
    return 1;
}
