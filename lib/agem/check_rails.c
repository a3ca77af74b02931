// SPDX-License-Identifier: MIT
// Check rails: a rail beside the running rail, inside of it, whose face guides the back of the flange.
//
// The back of a flange is plane up to the radius R. It reaches below the top edge of the check rail, at height h, along
// a chord: in the plane of the back, H below the axle and 2 L long,
//
//   H = (c_z - h)/(1 - e_z^2)^1/2,   L^2 = R^2 - H^2,   c = centre - inside e
//
// A yawed wheel, or one between flares, touches with one end of this chord: the edge of its back against the edge of
// the rail. With the penetrations p of both ends into the face, y = -(gauge face + w(s + x)) + K x^2/2,
//
//   u = (p_1 + p_2)/2 + (((p_1 - p_2)/2)^2 + D^2)^1/2 - D,   N = k(u) (...),   shares du/dp_1, du/dp_2
//
// and each end is pushed with its share of N along n, which is normal to the edge of the rail, (1, y', 0), and to that
// of the wheel, e x (p - c). So n takes the power that deepens p, and no power from the wheel's spin: what the rail
// stores it gives back. The friction on each end is against the sliding of the wheel's material there; ahead of the
// axle that goes down.
//
// All in side axes: those of the left rail, or the mirror image of those of the right one.

#include "agem/wheels.h"

#include "contact/gap_places.h"
#include "force/press.h"

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
    kane_scalar turn;                           // of the section about z [rad/m]
    double per;                                 // metres of line per metre of running rail [1]
} back;

// What its flange may touch. The face lies inside of the running rail and bends otherwise.
typedef struct beside {
    const kane_check_rail *rail;
    const kane_flange_back *flange;
    kane_scalar along;     // metres of line per metre of the face [1]
    kane_scalar curvature; // K: curvature of the face towards the outside [1/m]
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
    const kane_scalar s = ks_add(m->s, ks_mul(at->along, place.x));
    kane_check_rail_width(at->rail, ks_value(s), width);
    const kane_scalar curvature = ks_mul(at->curvature, place.x);
    const kane_scalar n_x       = ks_sub(ks_mul(at->along, ks_chain(s, width[1], width[2])), curvature);
    const kane_scalar face      = ks_sub(ks_scale(0.5, ks_mul(curvature, place.x)),
                                         ks_shift(ks_chain(s, width[0], width[1]), at->flange->gauge_face));

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

typedef struct back_force {
    kane_scalar3 force, torque; // on the wheel, about its centre
    kane_scalar3 friction;      // part of the force
    kane_scalar N, lead, energy;
} back_force;

// 0 where they do not touch.
KANE_INLINE int press_back(const kane_check_rail *rail, const kane_flange_back *flange, const back *m, back_force *out)
{
    const kane_scalar longer = ks_shift(ks_scale(flange->gauge_face + rail->flangeway, m->turn), 1.0);
    const beside place = {rail, flange, ks_scale(m->per, ks_inverse(longer)), ks_div(m->turn, longer)}, *at = &place;
    const kane_scalar3 e = m->axle, middle = ks3_add_scaled(m->centre, ks_constant(-flange->inside), e);
    const kane_scalar across = ks_sqrt(ks_shift(ks_neg(ks_square(e.z)), 1.0)); // (1 - e_z^2)^1/2
    const kane_scalar H      = ks_div(ks_shift(middle.z, -rail->height), across);
    const kane_scalar depth  = ks_shift(ks_neg(H), flange->reach);
    if (!(ks_value(depth) > 0.0 && ks_value(H) > 0.0))
        return 0;

    // the chord: its middle is H below the middle of the back, and it goes along the back, level
    const kane_scalar L      = ks_sqrt(ks_shift(ks_neg(ks_square(H)), flange->reach * flange->reach));
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

// The same, motion and force in rail axes. 0 also where there is no check rail, or the wheel moves as none does.
KANE_INLINE int press_wheel(const kane_model *model, const kane_wheels *wheels, kane_side side,
                            const kane_wheels_state *w, const motion_scalars *m, kane_scalar s, back_force *p)
{
    const kane_check_rail *rail = kane_track_check_rail(model->track, side, w->s_at[side]);
    if (!rail)
        return 0;
    const double sign     = side_sign(side);
    const kane_vec3 polar = kv3(1.0, sign, 1.0), axial = kv3(sign, 1.0, sign);
    const side_motion now = side_motion_of(side, &w->motion[side]);
    const back m_side     = {.s        = s,
                             .centre   = ks3_mul(polar, m->centre),
                             .axle     = ks3_mul(axial, m->axle),
                             .velocity = ks3_mul(polar, m->velocity),
                             .omega    = ks3_mul(axial, m->omega),
                             .turn     = ks_scale(sign, m->turn.z),
                             .per      = 1.0 / w->rail[side].length};
    if (!side_motion_is_in_range(&now) || !press_back(rail, &wheels->flange[side], &m_side, p))
        return 0;
    p->force  = ks3_mul(polar, p->force);
    p->torque = ks3_mul(axial, p->torque);
    return 1;
}

static motion_scalars motion_of(const kane_wheel_motion *m)
{
    return (motion_scalars){.centre   = ks3_constant(m->centre),
                            .axle     = ks3_constant(m->axle),
                            .velocity = ks3_constant(m->velocity),
                            .omega    = ks3_constant(m->omega),
                            .turn     = ks3_constant(m->turn)};
}

void kane_check_rail_eval(const kane_model *model, const kane_wheels *wheels, kane_side side, kane_wheels_state *w)
{
    const motion_scalars m       = motion_of(&w->motion[side]);
    kane_check_rail_force *check = &w->check[side];
    back_force p;
    *check = (kane_check_rail_force){0};
    if (!press_wheel(model, wheels, side, w, &m, ks_constant(w->s_at[side]), &p))
        return;
    check->on_wheel = (kane_wrench){ks3_value(p.force), ks3_value(p.torque)};
    check->N        = ks_value(p.N);
    check->T_x      = ks_value(p.friction.x);
    check->T_z      = ks_value(p.friction.z);
    check->lead     = ks_value(p.lead);
    check->energy   = ks_value(p.energy);
}

void kane_check_rail_follow(const kane_model *model, const kane_wheels *wheels, kane_side side,
                            const kane_wheels_state *w, const motion_scalars *motion, const kane_scalar *s,
                            kane_scalar3 *on_wheel)
{
    back_force p;
    on_wheel[0] = on_wheel[1] = ks3_constant(kv3_zero());
    if (w->check[side].N == 0.0 || !press_wheel(model, wheels, side, w, motion, *s, &p))
        return;
    on_wheel[0] = p.force;
    on_wheel[1] = p.torque;
}

// Adds six columns of the wrench.
static void add_slopes(const kane_scalar3 on_wheel[2], int column, double d[6][12])
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            d[i][column + j] += kane_tangents_get(ks3_get(on_wheel[i / 3], i % 3).t, j);
}

void kane_check_rail_derive(const kane_model *model, const kane_wheels *wheels, kane_side side,
                            const kane_wheels_state *w, kane_section_goes goes, double d[6][12])
{
    enum { X, Y, Z, ROLL, PITCH, YAW };
    motion_scalars by = motion_of(&w->motion[side]);
    kane_scalar s     = ks_constant(w->s_at[side]);
    kane_scalar3 on_wheel[2];

    // by displacement and rotation about the centre: the axle moves by the rotation x e
    const kane_vec3 e = w->motion[side].axle;
    if (goes == KANE_SECTION_GOES_ALONG)
        s.t = kane_tangents_scale(1.0 / w->rail[side].length, kane_tangents_unit(X));
    else
        by.centre.x.t = kane_tangents_unit(X);
    by.centre.y.t = kane_tangents_unit(Y);
    by.centre.z.t = kane_tangents_unit(Z);
    by.axle.x.t   = kane_tangents_sum(e.z, kane_tangents_unit(PITCH), -e.y, kane_tangents_unit(YAW));
    by.axle.y.t   = kane_tangents_sum(e.x, kane_tangents_unit(YAW), -e.z, kane_tangents_unit(ROLL));
    by.axle.z.t   = kane_tangents_sum(e.y, kane_tangents_unit(ROLL), -e.x, kane_tangents_unit(PITCH));
    kane_check_rail_follow(model, wheels, side, w, &by, &s, on_wheel);
    add_slopes(on_wheel, 0, d);

    by                = motion_of(&w->motion[side]);
    s                 = ks_constant(w->s_at[side]);
    kane_scalar *v[6] = {&by.velocity.x, &by.velocity.y, &by.velocity.z, &by.omega.x, &by.omega.y, &by.omega.z};
    for (int i = 0; i < 6; i++)
        v[i]->t = kane_tangents_unit(i);
    kane_check_rail_follow(model, wheels, side, w, &by, &s, on_wheel);
    add_slopes(on_wheel, 6, d);
}
