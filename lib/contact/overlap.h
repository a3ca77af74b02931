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
