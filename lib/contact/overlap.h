// SPDX-License-Identifier: MIT
// Elastic contact of a wheel and a rail of any profile, from the area in which they overlap.
//
// A contact is the part of the overlap above a level l = KANE_LEVEL p_max. Its integrals are
//   J        the area, integral of (p - l) over eta: exact, from integrals along both profiles
//   p_max    the largest overlap
//   M, S, Q  the moment of that area about an axis, its mean slope, and integral of (p - l)^2: six evaluations between its ends
// and from these the contact that Hertz would have found, had the gap been the parabola with the same p_max and J:
//   B = (16/9) ((1 - KANE_LEVEL) p_max)^3 / J^2,   N = E* h(B/A) J (1 - KANE_LEVEL)^-3/2,   at M/J, inclined as S/J.
// Q alone says how much larger than in Hertz' ellipse the pressure is where the overlap is deepest. For parabolic gaps
// this is Hertz' solution for every level; the level .35 fits half-space solutions for S1002 on 60E1 best. B comes from
// the whole gap, not from its second derivative, so that corners of the profiles' curvature do no harm.
//
// Neighbouring penetrations grow together smoothly: with the valley between them at p_v, m = smoothstep from 0 at p_v =
// l of the smaller one to 1 at p_v = .85 p_max of the smaller one, forces are (1 - m) (both apart) + m (joint). Within
// a joint contact a valley is an end of quadrature while it lies below the level, and no longer from half way between
// the level and the smaller peak; in between both sums count in part, so that M and S do not jump. "Larger" and
// "smaller" of two depths are rounded where these are nearly equal, and of three penetrations those over the higher
// valley count as one. A valley above the level cuts the contact beside it, as deep as a parabola would have to be cut;
// it begins to by a smooth step.

#ifndef KANE_CONTACT_OVERLAP_H
#define KANE_CONTACT_OVERLAP_H

#include "contact/gap_places.h"
#include "contact/half_space.h"
#include "contact/search.h"

// Patches of all ranges of neighbouring penetrations with a positive share (overlap.c). Returns their number.
int kane_overlap_patches(const contact_locus *g, const penetrations *found, const hertz_table *hertz, double E_star,
                         contact_patch spots[KANE_PATCHES_MAX]);

// The same with derivatives by the pose: those of the Gauss-Lobatto sums, exact but for corners.
int kane_overlap_derive(const contact_locus *g, const penetrations *found, const hertz_table *hertz, double E_star,
                        patch_scalars spots[KANE_PATCHES_MAX]);

// 3 x^2 - 2 x^3, limited to x in [0, 1]; 0 if x is NaN.
KANE_INLINE kane_scalar kane_smooth_step(kane_scalar x)
{
    const double at = ks_value(x);
    if (!(at > 0.0))
        return ks_constant(0.0);
    return at < 1.0 ? ks_chain(x, at * at * (3.0 - 2.0 * at), 6.0 * at * (1.0 - at)) : ks_constant(1.0);
}

// Point, normal, radius and profile coordinates of a patch at eta on the rail, with the slope there, both in oblique
// axes; cosine = (1 + slope^2)^-1/2. Returns A, half of the wheel's curvature along the rail [1/m], that of its
// parallel circle turned by the yaw.
KANE_INLINE kane_scalar kane_overlap_place(const contact_locus *at, kane_scalar eta, kane_scalar slope,
                                           kane_scalar cosine, patch_scalars *spot)
{
    const contact_locus_scalars g = contact_locus_with_slopes(at);
    const double Cos = KANE_TILT_COS, Sin = KANE_TILT_SIN;
    double x, xs;
    rail_cell room;
    const rail_cell *r     = rail_mean_cell_at(&at->rail, ks_value(eta), &x, &room);
    const kane_scalar zeta = ks_chain(eta, rail_height(r, x), rail_slope(r, x));
    const kane_scalar y    = ks_sub(ks_scale(Cos, eta), ks_scale(Sin, zeta)),
                      z    = ks_add(ks_scale(Sin, eta), ks_scale(Cos, zeta));

    // the wheel there: its contact_locus has the direction of the contact, dV/dU = R'/(c sqrt(1 - T R'^2)) = m:
    //   R' = c m/(1 + ex^2 m^2)^1/2,   s = U/c + T V R',   V = R/(1 + ex^2 m^2)^1/2
    const kane_scalar dy = ks_sub(y, g.y), dz = ks_sub(z, g.z), U = ks_add(ks_mul(dy, g.uy), ks_mul(dz, g.uz));
    const kane_scalar m   = ks_div(ks_sub(g.S, ks_mul(slope, g.C)), ks_add(g.C, ks_mul(slope, g.S)));
    const kane_scalar ex2 = ks_square(g.ex), root = ks_sqrt(ks_shift(ks_mul(ks_mul(ex2, m), m), 1.0));
    const kane_scalar R1 = ks_div(ks_mul(g.c, m), root), down = ks_sub(ks_mul(dy, g.uz), ks_mul(dz, g.uy));
    const kane_scalar s = ks_add(ks_div(U, g.c), ks_mul(ks_mul(ks_mul(g.T, down), root), R1));

    // the point is on the wheel as it was before it was pressed
    const wheel_cell *w = wheel_cell_at(at->wheel, ks_value(s), &xs);
    const kane_scalar R = ks_chain(s, at->wheel->radius + w->f[0] + xs * (w->f[1] + xs * (w->f[2] + xs * w->f[3])),
                                   w->f[1] + xs * (2.0 * w->f[2] + xs * (3.0 * w->f[3])));
    const kane_scalar V = ks_div(R, root);
    spot->point         = ks3(ks_mul(g.ex, ks_add(s, ks_mul(R, R1))), ks_add(ks_mul(U, g.uy), ks_mul(V, g.uz)),
                              ks_sub(ks_mul(U, g.uz), ks_mul(V, g.uy)));
    spot->normal        = ks3(ks_constant(0.0), ks_neg(ks_mul(cosine, ks_shift(ks_scale(Cos, slope), Sin))),
                              ks_mul(cosine, ks_shift(ks_neg(ks_scale(Sin, slope)), Cos)));
    spot->radius        = R;
    spot->wheel_y       = s;
    spot->rail_y        = y;
    const kane_scalar meridian = ks_shift(ks_square(R1), 1.0);
    return ks_div(ks_scale(0.5, ks_shift(ks_neg(ks_mul(ex2, meridian)), 1.0)), ks_mul(R, ks_sqrt(meridian)));
}

// === A cone on a round rail, in closed form.

typedef struct cone_pair {
    double radius;      // of the running circle [m]
    double conicity;    // tangent of half the cone's angle [1]
    double half_width;  // of the cone, along the axle to both sides of the running circle [m]
    double head_radius; // of the rail [m]
} cone_pair;

// Returns 1, or 0 where they do not touch.
int kane_cone_patch(const cone_pair *pair, const wheel_pose *pose, const hertz_table *hertz, double E_star,
                    contact_patch *spot);

// The same with slopes by the pose.
int kane_cone_derive(const cone_pair *pair, const wheel_pose *pose, const hertz_table *hertz, double E_star,
                     patch_scalars *spot);

// The gap of rigid bodies, exactly; 0 where the contact would be beside the cone.
int kane_cone_gap(const cone_pair *pair, const pose_path *path, gap_place *place);

// Its derivatives where the coordinates have these rates; 0 likewise.
int kane_cone_curve(const cone_pair *pair, const wheel_pose *pose, const double rates[GAP_COORDINATES], gap_curve *c);

#endif
