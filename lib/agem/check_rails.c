// SPDX-License-Identifier: MIT
// Check rails: a rail beside the running rail, inside of it, whose face guides the back of the flange.
//
// The back of a flange is plane up to the radius R. It reaches below the top edge of the check rail, at height h, along a chord: in
// the plane of the back, H below the axle and 2 L long,
//
//   H = (c_z - h)/(1 - e_z^2)^1/2,   L^2 = R^2 - H^2,   c = centre - inside e
//
// A yawed wheel, or one between flares, touches with one end of this chord: the edge of its back against the edge of the rail. With
// the penetrations p of both ends into the face, y = -(gauge face + w(s + x)) + K x^2/2,
//
//   u = (p_1 + p_2)/2 + (((p_1 - p_2)/2)^2 + D^2)^1/2 - D,   N = k(u) (...),   shares du/dp_1, du/dp_2
//
// and each end is pushed with its share of N along n, which is normal to the edge of the rail, (1, y', 0), and to that of the wheel,
// e x (p - c). So n takes the power that deepens p, and no power from the wheel's spin: what the rail stores it gives back. The
// friction on each end is against the sliding of the wheel's material there; ahead of the axle that goes down.
//
// All in side axes: those of the left rail, or the mirror image of those of the right one.

#include "agem/wheels.h"

#include "contact/contact.h"
#include "force/press.h"

#include <string.h>

// The larger of two penetrations is rounded by this where they are equal [m]: no back and no rail is plane to less.
static const double rounding = 0.05e-3;

// A back that reaches less far below the top of the check rail than this is held the less, down to nothing [m].
static const double full_depth = 3e-3;

// Friction is in proportion to sliding much slower than this [m/s].
static const double slow = 0.05;

// The wheel as its rail sees it, and where its section is.
typedef struct back {
    kane_scalar s;                              // [m]
    kane_scalar3 centre, axle, velocity, omega; // side axes
} back;

// What does not change when the wheel moves a little.
typedef struct beside {
    const kane_check_rail *rail;
    const kane_flange_back *flange;
    double per;   // metres of line per metre of running rail [1]
    double along; // ... and per metre of the face, which lies inside of it and bends otherwise [1]
    double bend;  // K: curvature of the face towards the outside [1/m]
} beside;

// One end of the chord.
typedef struct end {
    kane_scalar3 arm;    // from the wheel's centre [m]
    kane_scalar3 normal; // n, with n_y = 1
    kane_scalar p;       // penetration [m]
    kane_scalar3 v;      // velocity of the wheel's material there [m/s]
} end;

KANE_INLINE end end_of(const beside *at, const back *m, kane_scalar3 place, kane_scalar3 middle)
{
    double width[3];
    const kane_scalar s = ks_add(m->s, ks_scale(at->along, place.x));
    kane_check_rail_width(at->rail, ks_value(s), width);
    const kane_scalar bend = ks_scale(at->bend, place.x);
    const kane_scalar n_x  = ks_sub(ks_chain(s, at->along * width[1], at->along * width[2]), bend);
    const kane_scalar face =
        ks_sub(ks_scale(0.5, ks_mul(bend, place.x)), ks_shift(ks_chain(s, width[0], width[1]), at->flange->gauge_face));

    const kane_scalar3 edge = ks3_cross(m->axle, ks3_sub(place, middle));
    const kane_scalar n_z   = ks_neg(ks_div(ks_add(ks_mul(n_x, edge.x), edge.y), edge.z));
    const kane_scalar3 arm  = ks3_sub(place, m->centre);
    return (end){.arm    = arm,
                 .normal = ks3(n_x, ks_constant(1.0), n_z),
                 .p      = ks_sub(face, place.y),
                 .v      = ks3_add(m->velocity, ks3_cross(m->omega, arm))};
}

// Against the sliding, with the force N n that presses.
KANE_INLINE kane_scalar3 friction_at(const end *at, double coefficient, kane_scalar N)
{
    const kane_scalar square = ks3_dot(at->normal, at->normal);
    const kane_scalar3 v     = ks3_sub(at->v, ks3_scale(ks_div(ks3_dot(at->v, at->normal), square), at->normal));
    const kane_scalar speed  = ks_sqrt(ks_shift(ks3_dot(v, v), slow * slow));
    return ks3_scale(ks_scale(-coefficient, ks_div(ks_mul(N, ks_sqrt(square)), speed)), v);
}

KANE_INLINE kane_scalar smooth_depth(kane_scalar depth)
{
    const double t = ks_value(depth) / full_depth;
    return t < 1.0 ? ks_chain(depth, t * t * (3.0 - 2.0 * t), 6.0 * t * (1.0 - t) / full_depth) : ks_constant(1.0);
}

typedef struct push {
    kane_scalar3 force, torque; // on the wheel, about its centre
    kane_scalar3 friction;      // part of the force
    kane_scalar N, lead, energy;
} push;

// 0 where they do not touch.
KANE_INLINE int press_back(const beside *at, const back *m, push *out)
{
    const kane_check_rail *rail = at->rail;
    const kane_scalar3 e = m->axle, middle = ks3_add_scaled(m->centre, ks_constant(-at->flange->inside), e);
    const kane_scalar across = ks_sqrt(ks_shift(ks_neg(ks_square(e.z)), 1.0)); // (1 - e_z^2)^1/2
    const kane_scalar H      = ks_div(ks_shift(middle.z, -rail->height), across);
    const kane_scalar depth  = ks_shift(ks_neg(H), at->flange->reach);
    if (!(ks_value(depth) > 0.0 && ks_value(H) > 0.0))
        return 0;

    // the chord: its middle is H below the middle of the back, and it goes along the back, level
    const kane_scalar L      = ks_sqrt(ks_shift(ks_neg(ks_square(H)), at->flange->reach * at->flange->reach));
    const kane_scalar down   = ks_div(ks_mul(H, e.z), across);
    const kane_scalar3 foot  = ks3_add(middle, ks3(ks_mul(down, e.x), ks_mul(down, e.y), ks_neg(ks_mul(H, across))));
    const kane_scalar reach  = ks_div(L, across);
    const kane_scalar3 chord = ks3(ks_mul(reach, e.y), ks_neg(ks_mul(reach, e.x)), ks_constant(0.0));
    const end ends[2]      = {end_of(at, m, ks3_add(foot, chord), middle), end_of(at, m, ks3_sub(foot, chord), middle)};
    const kane_scalar half = ks_scale(0.5, ks_sub(ends[0].p, ends[1].p));
    const kane_scalar root = ks_sqrt(ks_shift(ks_square(half), rounding * rounding));
    const kane_scalar u    = ks_shift(ks_add(ks_scale(0.5, ks_add(ends[0].p, ends[1].p)), root), -rounding);
    const kane_scalar more = ks_scale(0.5, ks_div(half, root));
    const kane_scalar part[2] = {ks_shift(more, 0.5), ks_shift(ks_neg(more), 0.5)};
    if (!(ks_value(u) > 0.0))
        return 0;

    const kane_scalar rate    = ks_neg(ks_add(ks_mul(part[0], ks3_dot(ends[0].normal, ends[0].v)),
                                              ks_mul(part[1], ks3_dot(ends[1].normal, ends[1].v))));
    const kane_scalar loss    = kane_onset_loss(rail->stiffness, rail->damping, rail->onset, u);
    const kane_scalar held    = smooth_depth(depth);
    const kane_scalar elastic = ks_mul(held, kane_onset_force(rail->stiffness, rail->onset, u));
    out->N                    = ks_mul(elastic, kane_onset_dissipate(ks_mul(loss, rate)));
    out->force = out->torque = out->friction = ks3_constant(kv3_zero());
    out->lead                                = ks_constant(0.0);
    out->energy = ks_constant(ks_value(held) * kane_onset_energy(rail->stiffness, rail->onset, ks_value(u)));
    for (int i = 0; i < 2; i++) {
        const kane_scalar N         = ks_mul(part[i], out->N);
        const kane_scalar3 friction = friction_at(&ends[i], rail->friction, N);
        const kane_scalar3 force    = ks3_add_scaled(friction, N, ends[i].normal);
        out->friction               = ks3_add(out->friction, friction);
        out->force                  = ks3_add(out->force, force);
        out->torque                 = ks3_add(out->torque, ks3_cross(ends[i].arm, force));
        out->lead                   = ks_add(out->lead, ks_mul(part[i], ends[i].arm.x));
    }
    return 1;
}

// 0 where there is no check rail, or the wheel moves as none does.
static int find_beside(const kane_model *model, const kane_wheels *wheels, kane_side side, const kane_wheels_state *w,
                       beside *at, side_motion *m)
{
    const kane_check_rail *rail = kane_track_check_rail(model->track, side, w->s_at[side]);
    if (!rail)
        return 0;
    *m                  = side_motion_of(side, &w->motion[side]);
    const double per    = 1.0 / w->rail[side].length,
                 longer = 1.0 + m->turn.z * (wheels->flange[side].gauge_face + rail->flangeway);
    *at                 = (beside){rail, &wheels->flange[side], per, per / longer, m->turn.z / longer};
    return side_moves_usually(m);
}

static back back_of(const side_motion *m, double s)
{
    return (back){.s        = ks_constant(s),
                  .centre   = ks3_constant(kv3(m->x, m->pose.y, m->pose.z)),
                  .axle     = ks3_constant(m->pose.axle),
                  .velocity = ks3_constant(m->velocity),
                  .omega    = ks3_constant(m->omega)};
}

void kane_check_rail_eval(const kane_model *model, const kane_wheels *wheels, kane_side side, kane_wheels_state *w)
{
    const double sign = side_sign(side);
    side_motion m;
    beside at;
    push p;
    kane_check_push *check = &w->check[side];
    *check                 = (kane_check_push){0};
    if (!find_beside(model, wheels, side, w, &at, &m))
        return;
    const back from = back_of(&m, w->s_at[side]);
    if (!press_back(&at, &from, &p))
        return;
    check->on_wheel.force  = side_mirror(sign, ks3_value(p.force));
    check->on_wheel.torque = side_mirror_axial(sign, ks3_value(p.torque));
    check->N               = ks_value(p.N);
    check->T_x             = ks_value(p.friction.x);
    check->T_z             = ks_value(p.friction.z);
    check->lead            = ks_value(p.lead);
    check->energy          = ks_value(p.energy);
}

// Six columns of the wrench.
static void take_slopes(const push *p, kane_side side, int column, double d[6][12])
{
    // rows and columns of y of polar vectors, x and z of axial ones change sign in the mirror
    static const double signs[6] = {1.0, -1.0, 1.0, -1.0, 1.0, -1.0};
    const kane_scalar rows[6]    = {p->force.x, p->force.y, p->force.z, p->torque.x, p->torque.y, p->torque.z};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            const double slope = kane_tangents_get(rows[i].t, j);
            d[i][column + j] += side == KANE_RIGHT ? signs[i] * signs[j] * slope : slope;
        }
}

void kane_check_rail_derive(const kane_model *model, const kane_wheels *wheels, kane_side side,
                            const kane_wheels_state *w, kane_section_goes goes, double d[6][12])
{
    enum { X, Y, Z, ROLL, PITCH, YAW };
    side_motion m;
    beside at;
    push p;
    if (w->check[side].N == 0.0 || !find_beside(model, wheels, side, w, &at, &m))
        return;

    // by displacement and rotation about the centre: the axle moves by the rotation x e
    back by           = back_of(&m, w->s_at[side]);
    const kane_vec3 e = m.pose.axle;
    if (goes == KANE_SECTION_GOES_ALONG)
        by.s.t = kane_tangents_scale(at.per, kane_tangents_unit(X));
    else
        by.centre.x.t = kane_tangents_unit(X);
    by.centre.y.t = kane_tangents_unit(Y);
    by.centre.z.t = kane_tangents_unit(Z);
    by.axle.x.t   = kane_tangents_sum(e.z, kane_tangents_unit(PITCH), -e.y, kane_tangents_unit(YAW));
    by.axle.y.t   = kane_tangents_sum(e.x, kane_tangents_unit(YAW), -e.z, kane_tangents_unit(ROLL));
    by.axle.z.t   = kane_tangents_sum(e.y, kane_tangents_unit(ROLL), -e.x, kane_tangents_unit(PITCH));
    if (press_back(&at, &by, &p))
        take_slopes(&p, side, 0, d);

    by                = back_of(&m, w->s_at[side]);
    kane_scalar *v[6] = {&by.velocity.x, &by.velocity.y, &by.velocity.z, &by.omega.x, &by.omega.y, &by.omega.z};
    for (int i = 0; i < 6; i++)
        v[i]->t = kane_tangents_unit(i);
    if (press_back(&at, &by, &p))
        take_slopes(&p, side, 6, d);
}
