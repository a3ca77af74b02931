// SPDX-License-Identifier: MIT
// The gap of a wheel and its derivatives: formulas common to all profiles (rigid_contact.c, gap_curve.c) and to a cone
// on a round rail (cone.c). The contact points of a wheel that determine its gap, and their common contact.

#ifndef KANE_CONTACT_GAP_PLACES_H
#define KANE_CONTACT_GAP_PLACES_H

#include <kane/contact.h>

#include "contact/search.h"
#include "contact/side.h"
#include "math/jet.h"
#include "math/scalar_matrix.h"

// === What depends on the pose of a wheel that moves along a path: its gradient by the pose, and its first and second
// derivative along the path, all from one formula in dual numbers (kane/scalar.h).

// The pose of a wheel in side axes, as it moves.
typedef struct pose_path {
    wheel_pose pose;
    double y_rate, z_rate, y_accel, z_accel; // first and second derivatives of its centre
    kane_vec3 axle_rate, axle_accel;         // and of its axle
    double share_rate, share_accel;          // and of the second profile's share of the rail
} pose_path;

// Where and how they touch, whatever the load.
typedef struct gap_place {
    double gap, rate, accel; // [m], and its first and second derivative along the path [m/s], [m/s^2]
    double by_y, by_z;       // gradient by the centre ...
    kane_vec3 by_axle;       // ... and by the axle
    double by_share;         // and by the second profile's share of the rail
    kane_vec3 point;         // on the wheel from its centre, side axes [m]
    kane_vec3 normal;        // unit vector out of the rail
    double A, B;             // half relative curvatures [1/m]
    double radius;           // of the wheel there [m]
    double wheel_y, rail_y;  // places on both profiles [m]
} gap_place;

// Numbers along the path of the pose are jets whose slopes are by the five coordinates of the pose and, in the
// direction TIME, along the path, so that the slope of the rate there is the second derivative.
enum { BY_Y, BY_Z, BY_AXLE, TIME = BY_AXLE + 3 };

KANE_INLINE jet jet_of_coordinate(int i, double v, double rate, double accel)
{
    jet a = {ks_variable(v, i), ks_chain(ks_variable(rate, TIME), rate, accel)};
    a.v.t = kane_tangents_sum(1.0, a.v.t, rate, kane_tangents_unit(TIME));
    return a;
}

// y, z of the centre, and the axle.
typedef struct moving_pose {
    jet y, z, ex, ey, ez;
} moving_pose;

KANE_INLINE moving_pose moving_pose_of(const pose_path *path)
{
    const wheel_pose *p = &path->pose;
    return (moving_pose){.y  = jet_of_coordinate(BY_Y, p->y, path->y_rate, path->y_accel),
                         .z  = jet_of_coordinate(BY_Z, p->z, path->z_rate, path->z_accel),
                         .ex = jet_of_coordinate(BY_AXLE, p->axle.x, path->axle_rate.x, path->axle_accel.x),
                         .ey = jet_of_coordinate(BY_AXLE + 1, p->axle.y, path->axle_rate.y, path->axle_accel.y),
                         .ez = jet_of_coordinate(BY_AXLE + 2, p->axle.z, path->axle_rate.z, path->axle_accel.z)};
}

// A pose at rest, with slopes of its own.
KANE_INLINE moving_pose moving_pose_at_rest(const pose_scalars *p)
{
    const kane_scalar still = ks_constant(0.0);
    return (moving_pose){{p->y, still}, {p->z, still}, {p->axle.x, still}, {p->axle.y, still}, {p->axle.z, still}};
}

KANE_INLINE void moving_store_gap(jet gap, gap_place *place)
{
    const kane_tangents g = gap.v.t;
    place->gap            = ks_value(gap.v);
    place->rate           = ks_value(gap.d);
    place->accel          = kane_tangents_get(gap.d.t, TIME);
    place->by_y           = kane_tangents_get(g, BY_Y);
    place->by_z           = kane_tangents_get(g, BY_Z);
    place->by_axle =
        kv3(kane_tangents_get(g, BY_AXLE), kane_tangents_get(g, BY_AXLE + 1), kane_tangents_get(g, BY_AXLE + 2));
}

#define KANE_GAP_DEPTH 2e-5 // D [m]

// L of the gap's formula, such that a gap whose relative radius of curvature is .3 m has no offset: sqrt(2 pi D .3 m)
// [m].
#define KANE_GAP_LENGTH 6.139960247678931e-3

// So many places are summed side by side, and so many of them at once at most.
enum { BLOCK = 16, LANES = 4 };

static inline double gap_total(const double x[BLOCK])
{
    double t = 0.0;
    for (int i = 0; i < BLOCK; i++)
        t += x[i];
    return t;
}

// Ranges of places, from `first` to before `end`: around nodes that are less than 20 D = KANE_WINDOW_BELOW less deep
// than the deepest, from the node before them to the one behind them. All others weigh less than exp(-20).
typedef struct gap_ranges {
    double top; // overlap of the deepest node [m]
    int count;
    int first[KANE_WHEEL_NODES], end[KANE_WHEEL_NODES];
} gap_ranges;

// Overlaps p at the nodes of a window, each at its place; the largest.
static inline double gap_scan(const contact_locus *g, const window *w, double p[KANE_WHEEL_NODES])
{
    double top = -HUGE_VAL;
    for (int k = 0; k < w->count; k++) {
        const int first = w->first[k];
        kane_window_scan(g, first, w->last[k], p + first);
        top = fmax(top, window_largest(w->last[k] + 1 - first, p + first));
    }
    return top;
}

// Whether the overlap at node i is deeper than `least`, or a narrow peak beside it is.
static inline int gap_node_counts(const double *p, int count, int i, double least)
{
    return p[i] >= least ||
           (i > 0 && i < count - 1 && p[i] > p[i - 1] && p[i] >= p[i + 1] && window_depth(p, count, i) >= least);
}

// 0 where the wheel is farther from its rail than 20 mm, and does not touch it in the sense of a constraint.
static inline int gap_ranges_find(const contact_locus *g, const window_table *windows, gap_ranges *near)
{
    const wheel_places *places = &g->wheel->places;
    const window *w            = kane_window_at(windows, WINDOW_GAP, g);
    double p[KANE_WHEEL_NODES];
    near->top   = gap_scan(g, w, p);
    near->count = 0;
    if (!(fabs(near->top) < KANE_WINDOW_CONTACT)) {
        w         = &windows->all;
        near->top = gap_scan(g, w, p);
    }
    if (!(near->top > -0.02))
        return 0;
    const double least = near->top - KANE_WINDOW_BELOW;
    for (int k = 0; k < w->count; k++) {
        const double *at = p + w->first[k];
        const int node = w->first[k], count = w->last[k] + 1 - node, end = g->wheel->nodes.count - 1;
        for (int i = 0; i < count; i++) {
            if (!gap_node_counts(at, count, i, least))
                continue;
            const int before = near->count ? near->end[near->count - 1] : -1;
            const int first  = places->from[node + i > 0 ? node + i - 1 : 0];
            while (i < count && gap_node_counts(at, count, i, least))
                i++;
            near->count += first > before;
            const int r = near->count - 1, last = places->from[node + i < end ? node + i : end];
            near->first[r] = first > before ? first : near->first[r];
            near->end[r]   = near->first[r] + (last - near->first[r] + LANES - 1) / LANES * LANES;
            near->end[r]   = near->end[r] < places->count ? near->end[r] : places->count;
        }
    }
    return 1;
}

// Means over the places: of the place on the wheel, of the rail's slope, of the place over the rail's oblique axis and
// its square.
typedef struct gap_mean {
    kane_scalar s, slope, eta, eta2;
} gap_mean;

// The wheel's outline and the rail at the mean place; names as in search.h.
typedef struct gap_outline {
    kane_scalar ex, uy, uz, U, v, R, R1, RR1, eta, rail;
    double radius;
} gap_outline;

// Where and how they touch, whatever the load.
typedef struct gap_point {
    kane_scalar3 point, normal;
    kane_scalar A, B, radius, wheel_y, rail_y;
    kane_scalar climb; // of the rail's surface along zeta, per metre of rail: where its profile changes [1]
} gap_point;

static inline gap_outline gap_outline_constant(const contact_locus *g, double s)
{
    double x;
    const overlap o     = overlap_at(g, s);
    const wheel_cell *w = wheel_cell_at(g->wheel, s, &x);
    const double R      = g->wheel->radius + w->f[0] + x * (w->f[1] + x * (w->f[2] + x * w->f[3]));
    return (gap_outline){ks_constant(g->ex), ks_constant(g->uy),  ks_constant(g->uz), ks_constant(o.U),
                         ks_constant(o.v),   ks_constant(R),      ks_constant(o.R1),  ks_constant(o.RR1),
                         ks_constant(o.eta), ks_constant(o.rail), g->wheel->radius};
}

// The contact point at the mean place, its normal by the mean slope; B from how far the places spread: for a parabola
// of curvature k their variance is D/k.
KANE_INLINE gap_point gap_point_of(const gap_outline *o, const gap_mean *m)
{
    const kane_scalar slope = m->slope, spread = ks_sub(m->eta2, ks_mul(m->eta, m->eta));
    const kane_scalar V        = ks_shift(o->v, o->radius);
    const kane_scalar cosine   = ks_inverse(ks_sqrt(ks_shift(ks_mul(slope, slope), 1.0))),
                      meridian = ks_shift(ks_mul(o->R1, o->R1), 1.0);
    const double B             = 0.5 * KANE_GAP_DEPTH / ks_value(spread);
    const kane_scalar spared   = ks_chain(spread, B, -B / ks_value(spread));
    return (gap_point){.point  = ks3(ks_mul(o->ex, ks_add(m->s, o->RR1)), ks_add(ks_mul(o->U, o->uy), ks_mul(V, o->uz)),
                                     ks_sub(ks_mul(o->U, o->uz), ks_mul(V, o->uy))),
                       .normal = ks3(ks_constant(0.0),
                                     ks_mul(ks_neg(cosine), ks_shift(ks_scale(KANE_TILT_COS, slope), KANE_TILT_SIN)),
                                     ks_mul(cosine, ks_shift(ks_neg(ks_scale(KANE_TILT_SIN, slope)), KANE_TILT_COS))),
                       .A      = ks_div(ks_scale(0.5, ks_shift(ks_neg(ks_mul(ks_mul(o->ex, o->ex), meridian)), 1.0)),
                                        ks_mul(o->R, ks_sqrt(meridian))),
                       .B      = ks_mul(ks_mul(ks_mul(spared, cosine), cosine), cosine),
                       .radius = o->R,
                       .wheel_y = m->s,
                       .rail_y  = ks_sub(ks_scale(KANE_TILT_COS, o->eta), ks_scale(KANE_TILT_SIN, o->rail))};
}

// Coordinates of a pose: BY_ETA, BY_ZETA, BY_ROLL, BY_EX of side.h; behind them the second profile's share of the rail.
enum { GAP_COORDINATES = 4, BY_SHARE = GAP_COORDINATES, GAP_DIRECTIONS };

// The gap around a pose, as far as the derivatives of its second derivative along a path need it; side axes.
typedef struct gap_curve {
    double sign;    // of y in side axes
    int directions; // GAP_COORDINATES, or, where the rail's profile changes, GAP_DIRECTIONS
    double by[GAP_DIRECTIONS];
    double by_both[GAP_DIRECTIONS][GAP_DIRECTIONS];
    double by_path[GAP_DIRECTIONS]; // third derivatives, twice along the path's rates
    gap_point spot;                 // with slopes in these directions
} gap_curve;

KANE_INLINE void set_gap_point(const gap_point *at, gap_place *place)
{
    place->point   = ks3_value(at->point);
    place->normal  = ks3_value(at->normal);
    place->A       = ks_value(at->A);
    place->B       = ks_value(at->B);
    place->radius  = ks_value(at->radius);
    place->wheel_y = ks_value(at->wheel_y);
    place->rail_y  = ks_value(at->rail_y);
}

// === Derivatives of the gap between wheel and rail (contact.h), of what it does along a path, and of the forces
// under it.

// KANE_RETRY as kane_contact_gap.
kane_status kane_gap_curve(const kane_contact *contact, kane_side side, const kane_wheel_path *path, gap_curve *c);

// d(share)/dt, d2(share)/dt2 of the second profile of a path's blend.
static inline double gap_share_rate(const kane_wheel_path *path)
{
    return path->blend.share_s * path->along_rate;
}

static inline double gap_share_accel(const kane_wheel_path *path)
{
    return path->blend.share_s * path->along_accel + path->blend.share_ss * path->along_rate * path->along_rate;
}

// A kane_wheel_path and a kane_gap with slopes in any directions; rail axes.
typedef struct path_scalars {
    kane_scalar3 centre, centre_rate, centre_accel, axle, axle_rate, axle_accel;
    kane_scalar share, share_s, share_rate, share_accel; // of the second profile: by place along the rail, by time
} path_scalars;

// The path in the pose's coordinates: rates, and second derivatives; slopes of these coordinates.
typedef struct pose_motion {
    kane_tangents at[GAP_DIRECTIONS];
    kane_scalar rate[GAP_DIRECTIONS], accel[GAP_DIRECTIONS];
} pose_motion;

// y, z -> eta, zeta
KANE_INLINE void turn_to_oblique_axes(kane_scalar y, kane_scalar z, kane_scalar out[2])
{
    out[0] = ks_add(ks_scale(KANE_TILT_COS, y), ks_scale(KANE_TILT_SIN, z));
    out[1] = ks_sub(ks_scale(KANE_TILT_COS, z), ks_scale(KANE_TILT_SIN, y));
}

// Rates and second derivatives of the pose's coordinates along a path, in side axes:
//   roll' = (ey ez' - ez ey')/c^2,   c^2 = ey^2 + ez^2
KANE_INLINE pose_motion pose_motion_of(double sign, const path_scalars *p)
{
    const kane_vec3 polar = kv3(1.0, sign, 1.0), axial = kv3(sign, 1.0, sign);
    const kane_scalar3 r = ks3_mul(polar, p->centre), v = ks3_mul(polar, p->centre_rate),
                       a = ks3_mul(polar, p->centre_accel), e = ks3_mul(axial, p->axle),
                       d = ks3_mul(axial, p->axle_rate), dd = ks3_mul(axial, p->axle_accel);
    const kane_scalar per_c2 = ks_inverse(ks_add(ks_square(e.y), ks_square(e.z)));
    const kane_scalar grow   = ks_mul(per_c2, ks_add(ks_mul(e.y, d.y), ks_mul(e.z, d.z)));
    kane_scalar place[2];
    pose_motion m;
    turn_to_oblique_axes(r.y, r.z, place);
    turn_to_oblique_axes(v.y, v.z, m.rate);
    turn_to_oblique_axes(a.y, a.z, m.accel);
    m.at[BY_ETA]  = place[0].t;
    m.at[BY_ZETA] = place[1].t;
    m.at[BY_ROLL] =
        kane_tangents_sum(ks_value(e.y) * ks_value(per_c2), e.z.t, -ks_value(e.z) * ks_value(per_c2), e.y.t);
    m.at[BY_EX]       = e.x.t;
    m.rate[BY_ROLL]   = ks_mul(per_c2, ks_sub(ks_mul(e.y, d.z), ks_mul(e.z, d.y)));
    m.rate[BY_EX]     = d.x;
    m.accel[BY_ROLL]  = ks_sub(ks_mul(per_c2, ks_sub(ks_mul(e.y, dd.z), ks_mul(e.z, dd.y))),
                               ks_scale(2.0, ks_mul(grow, m.rate[BY_ROLL])));
    m.accel[BY_EX]    = dd.x;
    m.at[BY_SHARE]    = p->share.t;
    m.rate[BY_SHARE]  = p->share_rate;
    m.accel[BY_SHARE] = p->share_accel;
    return m;
}

typedef struct gap_scalars {
    kane_scalar rate, accel, along;
    kane_scalar3 direction, twist;
    gap_point spot; // side axes
} gap_scalars;

// The gap of such a path, whose values are those that the curve was made for.
void kane_gap_follow(const gap_curve *curve, const path_scalars *path, gap_scalars *gap);

// A kane_wheel_motion with slopes; rail axes.
typedef struct motion_scalars {
    kane_scalar3 centre, axle, velocity, omega, turn;
    kane_scalar friction_change;
} motion_scalars;

// kane_contact_creep under a normal force that stays: force and torque.
kane_status kane_rigid_derive(const kane_contact *contact, kane_side side, const gap_point *spot,
                              const motion_scalars *motion, double N, kane_scalar3 creep[2]);

// kane_rigid_forces under a normal force that stays: T_x, T_y, M_z, T_n, side axes.
kane_status kane_rigid_derive_forces(const kane_contact *contact, kane_side side, const gap_point *spot,
                                     const motion_scalars *motion, double N, kane_scalar f[4]);

// === Rigid contact functions with slopes in any directions.

// The functions, in the order of kane_wheelset_values, and places of contact: of its gaps point and normal, and both
// with all else in side axes.
enum { TABLE_HEIGHT, TABLE_ROLL, TABLE_TWIST_HEIGHT, TABLE_TWIST_ROLL, TABLE_FUNCTIONS };

typedef struct wheelset_scalars {
    table_scalars function[TABLE_FUNCTIONS];
    kane_scalar3 point[2], normal[2];
    gap_point spot[2];
} wheelset_scalars;

// kane_wheelset_table_eval at a shift and a yaw with slopes.
kane_status kane_wheelset_table_follow(const kane_wheelset_table *table, kane_scalar y, kane_scalar yaw,
                                       wheelset_scalars *out);

#endif
