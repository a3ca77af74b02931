// SPDX-License-Identifier: MIT
// A cone on a round rail. Their common normal is found without iteration:
//
// With the axle's direction e and a unit vector d across it, P(s) = s e + (r - l s) d is a generator of the cone (l the
// conicity), and d + l e its normal, all along. The rail is a cylinder along x, so that the normal must have no
// component along x:  d_x = -l e_x. This fixes d. The generator is then parallel to the rail's tangent plane; where it
// passes the rail's axis follows from one linear equation, and the approach is what the distance of both is less than
// the head's radius.

#include "contact/overlap.h"

#include <math.h>

// What the pose says of the generator; that of a pose that moves.
typedef struct generator {
    jet dy, dz;    // d
    jet ny, nz;    // normal out of the cone
    jet distance;  // of the generator from the rail's axis [m]
    double length; // of 1/(d + l e)
} generator;

// d = cos(alpha) v + sin(alpha) w  with v = (0, ez, -ey)/c down and w = (1, 0, 0) - ex e over c,  c^2 = ey^2 + ez^2
KANE_INLINE generator generator_of(const cone_pair *pair, const moving_pose *p)
{
    const double l = pair->conicity, r = pair->radius, length = 1.0 / sqrt(1.0 + l * l);
    const jet ex = p->ex, ey = p->ey, ez = p->ez, y = p->y;
    const jet z      = {ks_shift(p->z.v, pair->head_radius), p->z.d}; // over the rail's axis
    const jet per_c2 = jet_inverse(jet_add_scaled(jet_mul(ey, ey), 1.0, jet_mul(ez, ez)));
    const jet sine   = jet_scale(-l, jet_mul(ex, per_c2));
    const jet cosine = jet_sqrt(jet_add_scaled(per_c2, -1.0, jet_mul(sine, sine)));
    const jet sx     = jet_mul(sine, ex);
    const jet dy     = jet_add_scaled(jet_mul(cosine, ez), -1.0, jet_mul(sx, ey));
    const jet dz     = jet_scale(-1.0, jet_add_scaled(jet_mul(cosine, ey), 1.0, jet_mul(sx, ez)));
    const jet ny = jet_scale(length, jet_add_scaled(dy, l, ey)), nz = jet_scale(length, jet_add_scaled(dz, l, ez));
    const jet across = jet_mul(ny, jet_add_scaled(y, r, dy)), up = jet_mul(nz, jet_add_scaled(z, r, dz));
    return (generator){dy, dz, ny, nz, jet_scale(-1.0, jet_add_scaled(across, 1.0, up)), length};
}

// Where and how they touch. Returns 0 beside the cone.
KANE_INLINE int place_of(const cone_pair *pair, const moving_pose *p, const generator *g, gap_point *place)
{
    const double l = pair->conicity, r = pair->radius;
    const kane_scalar dy = g->dy.v, dz = g->dz.v, ny = g->ny.v, nz = g->nz.v, z = ks_shift(p->z.v, pair->head_radius);
    const kane_scalar3 e = ks3(p->ex.v, p->ey.v, p->ez.v), d = ks3(ks_scale(-l, e.x), dy, dz);

    // across the normal, along the rail's surface, both lines meet:  (centre + r d + s (e - l d)) . (-nz, ny) = 0
    const kane_scalar along =
        ks_sub(ks_mul(ny, ks_sub(e.z, ks_scale(l, dz))), ks_mul(nz, ks_sub(e.y, ks_scale(l, dy))));
    const kane_scalar miss =
        ks_sub(ks_mul(ny, ks_add(z, ks_scale(r, dz))), ks_mul(nz, ks_add(p->y.v, ks_scale(r, dy))));
    const kane_scalar s = ks_neg(ks_div(miss, along)), R = ks_shift(ks_scale(-l, s), r);
    if (!(fabs(ks_value(s)) <= pair->half_width && ks_value(R) > 0.0))
        return 0;
    const kane_scalar gx = ks_scale(1.0 + l * l, ks_scale(g->length, e.x)); // of the generator
    const kane_scalar A  = ks_div(ks_scale(0.5 * g->length, ks_shift(ks_neg(ks_square(gx)), 1.0)), R);
    *place               = (gap_point){.point   = ks3_add(ks3_scale(s, e), ks3_scale(R, d)),
                                       .normal  = ks3(ks_constant(0.0), ks_neg(ny), ks_neg(nz)),
                                       .A       = A,
                                       .B       = ks_constant(0.5 / pair->head_radius),
                                       .radius  = R,
                                       .wheel_y = s,
                                       .rail_y  = ks_scale(-pair->head_radius, ny)};
    return 1;
}

KANE_INLINE int spot_of(const cone_pair *pair, const pose_scalars *pose, const hertz_table *hertz, double E_star,
                        patch_scalars *spot)
{
    const moving_pose p        = moving_pose_at_rest(pose);
    const generator g          = generator_of(pair, &p);
    const kane_scalar approach = ks_shift(ks_neg(g.distance.v), pair->head_radius);
    gap_point at;
    if (!(ks_value(approach) > 0.0) || !place_of(pair, &p, &g, &at))
        return 0;
    const hertz_scalars shape = kane_hertz_scalars(hertz, ks_log(ks_div(at.B, at.A)));
    const kane_scalar size    = ks_sqrt(ks_div(approach, ks_add(at.A, at.B)));
    const kane_scalar force   = ks_mul(ks_scale(4.0 / 3.0 * E_star, shape.h), approach);
    *spot                     = (patch_scalars){.point    = at.point,
                                                .normal   = at.normal,
                                                .share    = ks_constant(1.0),
                                                .N        = ks_mul(force, ks_sqrt(ks_div(approach, at.B))),
                                                .approach = approach,
                                                .a        = ks_mul(shape.along, size),
                                                .b        = ks_mul(shape.across, size),
                                                .radius   = at.radius,
                                                .wheel_y  = at.wheel_y,
                                                .rail_y   = at.rail_y};
    return 1;
}

int kane_cone_patch(const cone_pair *pair, const wheel_pose *pose, const hertz_table *hertz, double E_star,
                    contact_patch *spot)
{
    const pose_scalars p = pose_constant(0.0, pose);
    patch_scalars s;
    if (!spot_of(pair, &p, hertz, E_star, &s))
        return 0;
    *spot = patch_value(&s);
    return 1;
}

int kane_cone_derive(const cone_pair *pair, const wheel_pose *pose, const hertz_table *hertz, double E_star,
                     patch_scalars *spot)
{
    const pose_scalars p = pose_with_tangents(0.0, pose);
    return spot_of(pair, &p, hertz, E_star, spot);
}

int kane_cone_gap(const cone_pair *pair, const pose_path *path, gap_place *place)
{
    const moving_pose p = moving_pose_of(path);
    const generator g   = generator_of(pair, &p);
    gap_point at;
    moving_store_gap(g.distance, place);
    place->gap -= pair->head_radius;
    place->by_share = 0.0;
    if (!place_of(pair, &p, &g, &at))
        return 0;
    set_gap_point(&at, place);
    return 1;
}

// The distance is  -Y.n - constant,  Y the wheel's centre from the rail's axis, n the normal out of the cone: a unit
// vector across the rail, which turns by phi = roll + beta(ex),  sin(beta) = l/sqrt(1 + l^2)/c.  So with n' =
// dn/d(phi), n'' = -n
//   d = -Y.n,   d_phi = -Y.n',   d_phi_phi = Y.n,   d_phi_phi_phi = Y.n'
// and along a path whose rates stay   d'' = -2 Y'.n' phi' + Y.n phi'^2 - Y.n' phi''.
int kane_cone_curve(const cone_pair *pair, const wheel_pose *pose, const double rates[GAP_COORDINATES], gap_curve *c)
{
    const pose_scalars slopes = pose_with_tangents(0.0, pose);
    const moving_pose p       = moving_pose_at_rest(&slopes);
    const generator g         = generator_of(pair, &p);
    if (!place_of(pair, &p, &g, &c->spot))
        return 0;
    const double E = pose->axle.x, k = 1.0 / sqrt(1.0 - E * E), k3 = k * k * k, k5 = k3 * k * k, k7 = k5 * k * k;
    const double sine = pair->conicity * g.length * k, part = pair->conicity * g.length;
    const double s1 = part * E * k3, s2 = part * (k3 + 3.0 * E * E * k5),
                 s3 = part * (9.0 * E * k5 + 15.0 * E * E * E * k7);
    const double q = 1.0 / sqrt(1.0 - sine * sine), q3 = q * q * q, q5 = q3 * q * q;
    const double b1 = q * s1, b2 = q * s2 + q3 * sine * s1 * s1,
                 b3 = q * s3 + 3.0 * q3 * sine * s1 * s2 + q5 * (1.0 + 2.0 * sine * sine) * s1 * s1 * s1;

    // in oblique axes
    const double ny = ks_value(g.ny.v), nz = ks_value(g.nz.v), y = pose->y, z = pose->z + pair->head_radius;
    const double n[2] = {KANE_TILT_COS * ny + KANE_TILT_SIN * nz, KANE_TILT_COS * nz - KANE_TILT_SIN * ny},
                 Y[2] = {KANE_TILT_COS * y + KANE_TILT_SIN * z, KANE_TILT_COS * z - KANE_TILT_SIN * y},
                 t[2] = {-n[1], n[0]};
    const double Yn = Y[0] * n[0] + Y[1] * n[1], Yt = Y[0] * t[0] + Y[1] * t[1];
    const double on = rates[BY_ETA] * n[0] + rates[BY_ZETA] * n[1], off = rates[BY_ETA] * t[0] + rates[BY_ZETA] * t[1];
    const double by_phi[GAP_COORDINATES] = {[BY_ROLL] = 1.0, [BY_EX] = b1};
    const double phi_t = rates[BY_ROLL] + b1 * rates[BY_EX], phi_tt = b2 * rates[BY_EX] * rates[BY_EX];
    for (int i = 0; i < GAP_COORDINATES; i++) {
        const int turns       = i >= BY_ROLL;
        const double slope_t  = i == BY_EX ? b2 * rates[BY_EX] : 0.0,
                     slope_tt = i == BY_EX ? b3 * rates[BY_EX] * rates[BY_EX] : 0.0;
        c->by[i]              = turns ? -Yt * by_phi[i] : -n[i];
        c->by_path[i]         = turns ? by_phi[i] * (2.0 * on * phi_t + Yt * phi_t * phi_t + Yn * phi_tt) +
                                    slope_t * (2.0 * Yn * phi_t - 2.0 * off) - Yt * slope_tt
                                      : n[i] * phi_t * phi_t - t[i] * phi_tt;
        for (int j = 0; j < GAP_COORDINATES; j++)
            c->by_both[i][j] = turns && j >= BY_ROLL
                                   ? Yn * by_phi[i] * by_phi[j] - (i == BY_EX && j == BY_EX ? Yt * b2 : 0.0)
                               : turns ? -t[j] * by_phi[i]
                                       : (j >= BY_ROLL ? -t[i] * by_phi[j] : 0.0);
    }
    return 1;
}
