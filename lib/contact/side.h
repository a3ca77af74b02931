// SPDX-License-Identifier: MIT
// Side axes, used by all of this module: those of the left rail (x forward, y to the outside of the
// track, z up, origin on the rail's highest point). The right wheel is mirrored, so that both sides are one code.

#ifndef KANE_CONTACT_SIDE_H
#define KANE_CONTACT_SIDE_H

#include <kane/contact.h>
#include <kane/scalar.h>

#include <math.h>

// Where a wheel stands.
typedef struct wheel_pose {
    double y, z;    // centre of the running circle [m]
    kane_vec3 axle; // unit vector to the outside
} wheel_pose;

// Direction of an axle that is yawed, then rolled.
static inline kane_vec3 side_axle(double yaw, double roll)
{
    return kv3(-sin(yaw) * cos(roll), cos(yaw) * cos(roll), sin(roll));
}

// How a wheel moves, and what the rail is like there.
typedef struct side_motion {
    kane_side side; // whose axes these are
    wheel_pose pose;
    double x;                  // of the centre, ahead of the section [m]
    kane_vec3 turn;            // of the section per metre of rail [rad/m]
    kane_vec3 velocity, omega; // of the centre [m/s], of the wheel [rad/s]
    double friction_change;    // relative
    kane_rail_blend blend;
} side_motion;

// Result of the normal contact, input of the tangential one.
typedef struct contact_patch {
    kane_vec3 point;   // on the undeformed wheel, from its centre [m]
    kane_vec3 normal;  // unit vector out of the rail
    kane_vec3 along;   // tangent along the rail
    kane_vec3 turning; // moment of 1 N along the normal about the wheel's centre [m]
    double share;      // in (0, 1): part of its forces that counts, while patches grow together; else 1
    double N;          // elastic normal force [N]
    double approach;   // along the normal [m]
    double a, b;       // semi-axes along and across the rail [m]
    int first_penetration, last_penetration; // of the overlap, those that it is made of (search.h)
    double radius;                           // of the undeformed wheel there [m]
    double wheel_y;                          // along the axle, from the running circle [m]
    double rail_y;                           // from the origin [m]
    double climb; // of the rail's surface there along zeta, per metre of rail: where its profile changes [1]
} contact_patch;

// The oblique axes (profile_tables.h): zeta has the direction (-SIN, COS).
#define SIDE_TILT_COS 0.90630778703664996
#define SIDE_TILT_SIN 0.42261826174069943

// --- poses and patches with slopes by the pose ---

// The directions in which a pose changes: its centre along the oblique axes (profile_tables.h), about x (roll), and how
// far its axle points along the rail, by ex with the same direction across. All others follow (elastic_contact.c).
// Beside them there is one for what moves along the wheel's profile, and one for a centre that moves on while the
// section stays.
enum { BY_ETA, BY_ZETA, BY_ROLL, BY_EX, BY_PLACE, BY_AHEAD, POSE_DIRECTIONS };

typedef struct pose_scalars {
    kane_scalar x, y, z; // x: of the centre, ahead of the section
    kane_scalar3 axle;
} pose_scalars;

KANE_INLINE pose_scalars pose_constant(double x, const wheel_pose *p)
{
    return (pose_scalars){ks_constant(x), ks_constant(p->y), ks_constant(p->z), ks3_constant(p->axle)};
}

// The members of a contact_patch.
typedef struct patch_scalars {
    kane_scalar3 point, normal, along, turning;
    kane_scalar share, N, approach, a, b, radius, wheel_y, rail_y, climb;
    int first_penetration, last_penetration;
} patch_scalars;

KANE_INLINE patch_scalars patch_constant(const contact_patch *s)
{
    return (patch_scalars){.point             = ks3_constant(s->point),
                           .normal            = ks3_constant(s->normal),
                           .along             = ks3_constant(s->along),
                           .turning           = ks3_constant(s->turning),
                           .share             = ks_constant(s->share),
                           .N                 = ks_constant(s->N),
                           .approach          = ks_constant(s->approach),
                           .a                 = ks_constant(s->a),
                           .b                 = ks_constant(s->b),
                           .radius            = ks_constant(s->radius),
                           .wheel_y           = ks_constant(s->wheel_y),
                           .rail_y            = ks_constant(s->rail_y),
                           .climb             = ks_constant(s->climb),
                           .first_penetration = s->first_penetration,
                           .last_penetration  = s->last_penetration};
}

KANE_INLINE contact_patch patch_value(const patch_scalars *s)
{
    return (contact_patch){.point             = ks3_value(s->point),
                           .normal            = ks3_value(s->normal),
                           .along             = ks3_value(s->along),
                           .turning           = ks3_value(s->turning),
                           .share             = ks_value(s->share),
                           .N                 = ks_value(s->N),
                           .approach          = ks_value(s->approach),
                           .a                 = ks_value(s->a),
                           .b                 = ks_value(s->b),
                           .first_penetration = s->first_penetration,
                           .last_penetration  = s->last_penetration,
                           .radius            = ks_value(s->radius),
                           .wheel_y           = ks_value(s->wheel_y),
                           .rail_y            = ks_value(s->rail_y),
                           .climb             = ks_value(s->climb)};
}

// Lays a patch, found at point and normal on a rail that is the same all along, on the surface of one that turns by w
// per metre: `along`, `turning`, and what becomes of point and normal. At P = centre + point the surface goes on along
//   t = e_x + w x P   and rises along the normal by   n.(w x P),   so that n gets x = -n.(w x P)
// (a twist gives the rail another slope beside its origin), and the wheel touches a little farther round its axle. All
// of first order in w x P, which is some 1e-4. Where the rail's profile changes along it, the surface also climbs along
// zeta.
//
// The moment of the normal force stays: the depth of contact is that in the section beside the wheel's centre, which
// goes along with it; a wheel that goes on by dx changes its pose against the section by -w dx, and the depth by n.(w x
// P) dx; one that turns about its centre changes it as on any rail. So the normal force does the work that the depth
// takes.
KANE_INLINE void place_patch_on_turning_rail(patch_scalars *s, kane_scalar3 w, const pose_scalars *pose)
{
    const kane_scalar3 e = pose->axle, n = s->normal, p = s->point;
    const kane_scalar x = ks_add(pose->x, p.x), y = ks_add(pose->y, p.y), z = ks_add(pose->z, p.z); // P
    const kane_scalar left = ks_sub(ks_sub(ks_mul(w.z, x), ks_mul(w.x, z)), ks_scale(SIDE_TILT_SIN, s->climb)),
                      up = ks_add(ks_sub(ks_mul(w.x, y), ks_mul(w.y, x)), ks_scale(SIDE_TILT_COS, s->climb)); // across
    const kane_scalar rise  = ks_add(ks_mul(n.y, left), ks_mul(n.z, up)),
                      steep = ks_sub(ks_mul(e.y, n.z), ks_mul(e.z, n.y)); // .3 on flanges
    const kane_scalar back  = ks_value(steep) > 0.1 ? ks_div(rise, steep) : ks_constant(0.0);
    s->along                = ks3(ks_constant(1.0), left, up);
    s->turning  = ks3(ks_sub(ks_mul(p.y, n.z), ks_mul(p.z, n.y)), ks_neg(ks_mul(p.x, n.z)), ks_mul(p.x, n.y));
    s->normal.x = ks_neg(rise);
    s->point    = ks3_add_scaled(p, ks_neg(back), ks3_cross(e, p));
}

// The same on a rail whose turn has no slopes.
KANE_INLINE void place_patch_on_rail(patch_scalars *s, const side_motion *m, const pose_scalars *pose)
{
    place_patch_on_turning_rail(s, ks3_constant(m->turn), pose);
}

// The same without slopes.
static inline void place_patch_value_on_rail(contact_patch *s, const side_motion *m)
{
    const pose_scalars pose = pose_constant(m->x, &m->pose);
    patch_scalars spot      = patch_constant(s);
    place_patch_on_rail(&spot, m, &pose);
    *s = patch_value(&spot);
}

// --- the mirror: side axes are the rail axes of the left rail, and the mirror image of those of the right one ---

static inline double side_sign(kane_side side)
{
    return side == KANE_LEFT ? 1.0 : -1.0;
}

// Reflection at the plane y = 0 of a polar vector (place, velocity, force) ...
static inline kane_vec3 side_mirror(double sign, kane_vec3 v)
{
    return kv3(v.x, sign * v.y, v.z);
}

// ... and of an axial one (angular velocity, torque). The axle's direction is one, too: it points to the left on both
// sides, to the outside in side axes.
static inline kane_vec3 side_mirror_axial(double sign, kane_vec3 v)
{
    return kv3(sign * v.x, v.y, sign * v.z);
}

static inline side_motion side_motion_of(kane_side side, const kane_wheel_motion *m)
{
    const double sign = side_sign(side);
    return (side_motion){.side            = side,
                         .pose            = {sign * m->centre.y, m->centre.z, side_mirror_axial(sign, m->axle)},
                         .x               = m->centre.x,
                         .turn            = side_mirror_axial(sign, m->turn),
                         .velocity        = side_mirror(sign, m->velocity),
                         .omega           = side_mirror_axial(sign, m->omega),
                         .friction_change = m->friction_change,
                         .blend           = m->blend};
}

// 1 for poses in the range of the contact's series: yaw up to 0.2, roll up to 0.4 [1], finite place.
static inline int side_is_in_range(const wheel_pose *p)
{
    const kane_vec3 e = p->axle;
    return fabs(e.x) <= 0.2 && fabs(e.z) <= 0.4 && e.y > 0.5 && isfinite(p->y + p->z);
}

// The same for motions.
static inline int side_motion_is_in_range(const side_motion *m)
{
    const kane_vec3 v = m->velocity, w = m->omega, turn = m->turn;
    return side_is_in_range(&m->pose) && m->friction_change >= -1.0 &&
           isfinite(v.x + v.y + v.z + w.x + w.y + w.z + m->friction_change + m->x + turn.x + turn.y + turn.z);
}

// Whether any part of a wheel with this radius [m] may reach the rail.
static inline int side_is_near(const wheel_pose *p, double radius)
{
    return fabs(p->y) < 0.3 && fabs(p->z - radius) < 0.3;
}

static inline void side_mirror_patch(kane_patch *p)
{
    p->point.y  = -p->point.y;
    p->normal.y = -p->normal.y;
    p->xi_y     = -p->xi_y;
    p->T_y      = -p->T_y;
    p->phi      = -p->phi;
    p->M_z      = -p->M_z;
}

#endif
