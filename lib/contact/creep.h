// SPDX-License-Identifier: MIT
// Forces on one patch of a rolling wheel: dissipation, creepages, friction, creep law.

#ifndef KANE_CONTACT_CREEP_H
#define KANE_CONTACT_CREEP_H

#include "contact/creep_laws.h"
#include "contact/side.h"

#include <kane/creep_formula.h>

// Forces on the wheel, torque about its centre, added to sum, and, unless patch is NULL, everything that is reported
// (in side axes). The status is KANE_OK or that of a user-defined law.
kane_status kane_creep_eval(const creep_law *law, const contact_patch *spot, const side_motion *motion,
                            kane_wrench *sum, kane_patch *patch);

// Adds the derivative of the wrench (6 rows: force, torque) with respect to the pose (its directions)
// and to velocity and angular velocity (6 columns). The spot and the pose of the motion come with their slopes.
kane_status kane_creep_derive(const creep_law *law, const patch_scalars *spot, const side_motion *motion,
                              const pose_scalars *pose, double by_pose[6][6], double by_speed[6][6]);

// The wrench of a patch without its normal force, with slopes in any directions, in which spot and motion come. A
// user-defined law is differenced.
typedef struct side_scalars {
    pose_scalars pose;
    kane_scalar3 turn, velocity, omega;
    kane_scalar friction_change;
} side_scalars;

kane_status kane_creep_follow(const creep_law *law, const patch_scalars *spot, const side_motion *motion,
                              const side_scalars *slopes, kane_scalar3 wrench[2]);

// The forces alone.
kane_status kane_creep_follow_forces(const creep_law *law, const patch_scalars *spot, const side_motion *motion,
                                     const side_scalars *slopes, kane_creep_formula_force *forces);

// Motion of the wheel over the rail at a patch.
typedef struct creepage {
    kane_vec3 velocity;    // v_P [m/s]
    kane_vec3 y;           // tangential axis across
    double vn, vx, vy, wn; // v_P along n, x and y [m/s]; omega along n [rad/s]
    double V, k;           // reference speed [m/s], direction of rolling [1]
} creepage;

// Inputs of the forces on a patch besides its normal force and semi-axes.
typedef struct creep_basis {
    creepage c;
    kane_kalker C;   // for the ratio of its axes
    double factor;   // normal force over the elastic one
    double friction; // coefficient
} creep_basis;

creep_basis kane_creep_prepare(const creep_law *law, const contact_patch *spot, const side_motion *motion);

// Forces of the whole spot, whose N, a, b may have become others in proportion.
kane_status kane_creep_under(const creep_law *law, const contact_patch *spot, const side_motion *motion,
                             const creep_basis *basis, kane_user_force *out);

// Their derivative by N > 0, with a and b ~ N^1/3 (Hertz).
kane_status kane_creep_under_slope(const creep_law *law, const contact_patch *spot, const side_motion *motion,
                                   const creep_basis *basis, kane_user_force *slope);

// The wrench of these forces, torque about the wheel's centre, with the normal force N, of the share that counts.
kane_wrench kane_creep_wrench(const contact_patch *spot, const creepage *c, double N, const kane_user_force *f);

// y = n x x, of x.x = 1, n.x = 0 to first order.
KANE_INLINE kane_scalar3 creep_across(kane_scalar3 n, kane_scalar3 x)
{
    return ks3(ks_sub(ks_mul(n.y, x.z), ks_mul(n.z, x.y)), n.z, ks_neg(n.y));
}

static inline kane_vec3 kane_creep_across(const contact_patch *s)
{
    return ks3_value(creep_across(ks3_constant(s->normal), ks3_constant(s->along)));
}

// Force and torque about the wheel's centre, of the share that counts:
//   T = T_x x + T_y y,   F = T + (N + T_n) n,   p x T + M n + (N + T_n) turning
KANE_INLINE void creep_wrench_of(const patch_scalars *s, kane_scalar3 y, kane_scalar N,
                                 const kane_creep_formula_force *f, kane_scalar3 *force, kane_scalar3 *torque)
{
    const kane_scalar normal = ks_mul(s->share, ks_add(N, f->T_n));
    const kane_scalar3 tangential =
        ks3_add(ks3_scale(ks_mul(s->share, f->T_y), y), ks3_scale(ks_mul(s->share, f->T_x), s->along));
    const kane_scalar3 spin = ks3_add(ks3_cross(s->point, tangential), ks3_scale(ks_mul(s->share, f->M_z), s->normal));
    *force                  = ks3_add(tangential, ks3_scale(normal, s->normal));
    *torque                 = ks3_add(spin, ks3_scale(normal, s->turning));
}

// The wrench of forces without a normal force.
static inline kane_wrench kane_creep_force_wrench(const contact_patch *s, kane_vec3 y, const kane_user_force *f)
{
    const kane_creep_formula_force constant = {ks_constant(f->T_x), ks_constant(f->T_y), ks_constant(f->M_z),
                                               ks_constant(f->T_n)};
    const patch_scalars spot                = patch_constant(s);
    kane_scalar3 force, torque;
    creep_wrench_of(&spot, ks3_constant(y), ks_constant(0.0), &constant, &force, &torque);
    return (kane_wrench){ks3_value(force), ks3_value(torque)};
}

// Results of a patch, in side axes.
void kane_creep_report(const contact_patch *spot, const creepage *c, double N, const kane_user_force *f,
                       kane_patch *patch);

#endif
