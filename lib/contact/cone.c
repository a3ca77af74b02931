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

// What the pose says of the generator; that of a pose that moves.
typedef struct generator {
    moving dy, dz;   // d
    moving ny, nz;   // normal out of the cone
    moving distance; // of the generator from the rail's axis [m]
    double length;   // of 1/(d + l e)
} generator;

// d = cos(alpha) v + sin(alpha) w  with v = (0, ez, -ey)/c down and w = (1, 0, 0) - ex e over c,  c^2 = ey^2 + ez^2
KANE_INLINE generator generator_of(const cone_pair *pair, const moving_pose *p)
{
    const double l = pair->conicity, r = pair->radius, length = 1.0 / sqrt(1.0 + l * l);
    const moving ex = p->ex, ey = p->ey, ez = p->ez, y = p->y;
    const moving z      = {ks_shift(p->z.v, pair->head_radius), p->z.d}; // over the rail's axis
    const moving per_c2 = moving_inverse(moving_add_scaled(moving_mul(ey, ey), 1.0, moving_mul(ez, ez)));
    const moving sine   = moving_scale(-l, moving_mul(ex, per_c2));
    const moving cosine = moving_sqrt(moving_add_scaled(per_c2, -1.0, moving_mul(sine, sine)));
    const moving sx     = moving_mul(sine, ex);
    const moving dy     = moving_add_scaled(moving_mul(cosine, ez), -1.0, moving_mul(sx, ey));
    const moving dz     = moving_scale(-1.0, moving_add_scaled(moving_mul(cosine, ey), 1.0, moving_mul(sx, ez)));
    const moving ny     = moving_scale(length, moving_add_scaled(dy, l, ey)),
                 nz     = moving_scale(length, moving_add_scaled(dz, l, ez));
    const moving across = moving_mul(ny, moving_add_scaled(y, r, dy)), up = moving_mul(nz, moving_add_scaled(z, r, dz));
    return (generator){dy, dz, ny, nz, moving_scale(-1.0, moving_add_scaled(across, 1.0, up)), length};
}

// Where and how they touch, without the gap. Returns 0 beside the cone.
KANE_INLINE int place_of(const cone_pair *pair, const wheel_pose *p, const generator *g, gap_place *place)
{
    const double l = pair->conicity, r = pair->radius;
    const double dy = ks_value(g->dy.v), dz = ks_value(g->dz.v), ny = ks_value(g->ny.v), nz = ks_value(g->nz.v);
    const kane_vec3 e = p->axle, d = kv3(-l * e.x, dy, dz);

    // across the normal, along the rail's surface, both lines meet:  (centre + r d + s (e - l d)) . (-nz, ny) = 0
    const double along = ny * (e.z - l * d.z) - nz * (e.y - l * d.y);
    const double s     = -(ny * (p->z + pair->head_radius + r * d.z) - nz * (p->y + r * d.y)) / along;
    const double R     = r - l * s;
    if (!(fabs(s) <= pair->half_width && R > 0.0))
        return 0;
    const double gx = e.x * g->length * (1.0 + l * l); // of the generator
    place->point    = kv3(s * e.x + R * d.x, s * e.y + R * d.y, s * e.z + R * d.z);
    place->normal   = kv3(0.0, -ny, -nz);
    place->A        = 0.5 * g->length * (1.0 - gx * gx) / R;
    place->B        = 0.5 / pair->head_radius;
    place->radius   = R;
    place->wheel_y  = s;
    place->rail_y   = -pair->head_radius * ny;
    return 1;
}

int kane_cone_spot(const cone_pair *pair, const wheel_pose *pose, const hertz_table *hertz, double E_star,
                   contact_spot *spot)
{
    const pose_path rest  = {.pose = *pose};
    const moving_pose p   = moving_pose_of(&rest);
    const generator g     = generator_of(pair, &p);
    const double approach = pair->head_radius - ks_value(g.distance.v);
    gap_place at;
    if (!(approach > 0.0) || !place_of(pair, pose, &g, &at))
        return 0;
    const hertz_shape shape = kane_hertz_shape(hertz, log(at.B / at.A));
    const double size       = sqrt(approach / (at.A + at.B));

    *spot = (contact_spot){.point    = at.point,
                           .normal   = at.normal,
                           .share    = 1.0,
                           .N        = 4.0 / 3.0 * E_star * shape.h * approach * sqrt(approach / at.B),
                           .approach = approach,
                           .a        = shape.along * size,
                           .b        = shape.across * size,
                           .radius   = at.radius,
                           .wheel_y  = at.wheel_y,
                           .rail_y   = at.rail_y};
    return 1;
}

int kane_cone_gap(const cone_pair *pair, const pose_path *path, gap_place *place)
{
    const moving_pose p = moving_pose_of(path);
    const generator g   = generator_of(pair, &p);
    moving_take_gap(g.distance, place);
    place->gap -= pair->head_radius;
    return place_of(pair, &path->pose, &g, place);
}
