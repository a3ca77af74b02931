// SPDX-License-Identifier: MIT
// How a rail sees a wheel that it guides (rail_constraint_rails.c), in numbers with slopes: an evaluation compiles this
// text without slopes, its derivative (rail_constraint_derive.c) with six.

#ifndef KANE_AGEM_RAIL_CONSTRAINT_PATH_H
#define KANE_AGEM_RAIL_CONSTRAINT_PATH_H

#include "agem/work.h"
#include "math/scalar_matrix.h"

// Members of kane_section, kane_rail_view and kane_body_state that count. R: section axes to frame axes; R_w: to those
// that v_w, w_w have; arm: of the point in the section's plane from the mass centre, section axes.
typedef struct guided_pose {
    cm R, R_w;
    kane_scalar3 at, Omega, arm, axle; // section axes
    kane_scalar3 r, v, w;              // relative, frame axes
    kane_scalar3 v_w, w_w;             // absolute
    cm Q;                              // Q's axes to section axes
    kane_scalar3 origin, K, K_s;       //
    kane_scalar length;                //
    kane_vec3 Omega_s;                 //
} guided_pose;

// Absolute motion of the body and of its point in the section's plane, section axes, accelerations without those
// relative to its frame: place, velocity and acceleration of the point, angular velocity and acceleration of the body.
typedef struct section_motion {
    kane_scalar3 r, v, w, a, e;
    kane_scalar sigma, sigma_dot,
        share; // speed of the section; its derivative without relative accelerations, and by that along x
} section_motion;

// The section's plane holds a point of the body:  (v - sigma e_x - sigma Omega x r).x = 0
KANE_INLINE void section_follow(kane_scalar3 Omega, section_motion *m)
{
    m->share = ks_inverse(ks_shift(ks3_cross(Omega, m->r).x, 1.0));
    m->sigma = ks_mul(m->v.x, m->share);
}

// Motion of the section whose plane holds the point at `arm` from the mass centre. T: of the body's frame.
KANE_INLINE section_motion section_move(const kane_transport *T, const guided_pose *g)
{
    const kane_vec3 o        = T->omega;
    const kane_scalar3 p     = ks3_add(ks3_add(ks3_constant(T->a_o), ks3_cross_left(T->epsilon, g->r)),
                                       ks3_cross_left(o, ks3_add(ks3_cross_left(o, g->r), ks3_by(2.0, g->v))));
    const kane_scalar3 alpha = cm_tmulv(&g->R, ks3_add(ks3_constant(T->epsilon), ks3_cross_left(o, g->w))),
                       spin  = cm_tmulv(&g->R_w, g->w_w);
    const kane_scalar3 swing = ks3_cross(spin, g->arm),
                       whirl = ks3_add(ks3_cross(alpha, g->arm), ks3_cross(spin, swing));
    section_motion m         = {.r = g->at,
                                .v = ks3_add(cm_tmulv(&g->R_w, g->v_w), swing),
                                .w = spin,
                                .a = ks3_add(cm_tmulv(&g->R, p), whirl),
                                .e = alpha};
    section_follow(g->Omega, &m); // and once more differentiated
    const kane_scalar3 turn   = ks3_scale(m.sigma, g->Omega);
    const kane_scalar3 along  = ks3(m.sigma, ks_constant(0.0), ks_constant(0.0));
    const kane_scalar3 r_rate = ks3_sub(m.v, ks3_add(along, ks3_cross(turn, m.r)));
    const kane_scalar a       = ks_sub(m.a.x, ks3_cross(turn, m.v).x);
    const kane_scalar stretch =
        ks_add(ks_mul(m.sigma, ks3_cross_left(g->Omega_s, m.r).x), ks3_cross(g->Omega, r_rate).x);
    m.sigma_dot = ks_mul(ks_sub(a, ks_mul(m.sigma, stretch)), m.share);
    return m;
}

// A panel of flexible track under the wheels: axes R = R_x(phi), middle e, velocity, angular velocity; section axes.
typedef struct panel_pose {
    cm R;
    kane_scalar3 r, v, w;
} panel_pose;

// d(v^)/d(sigma), d(w^)/d(sigma) of section_on_panel at constant v, w.
typedef struct panel_carry {
    kane_scalar3 v, w;
} panel_carry;

// Q rests on the panel, whose pose is one against the section. The wheel's motion against the panel, carried along by
// a section that has the panel's axes: from there Q's formulas are those of rigid track. With c = r - e,
//   delta = r' - e' - phi' x c,             r' = v - sigma (e_x + Omega x r), rates of components
//   v^ = sigma (R e_x + Omega^ x c) + delta   w^ = w - sigma Omega - phi' + sigma Omega^     Omega^ = R Omega
// and a^, e^ by differentiation without e'', phi'', whose gaps' accelerations are those of an opposite motion of the
// wheel. sigma does not depend on the panel, which has no motion along the line.
KANE_INLINE panel_carry section_on_panel(const panel_pose *p, const guided_pose *g, section_motion *m)
{
    const kane_scalar3 c     = ks3_sub(m->r, p->r);
    const kane_scalar3 Omega = cm_mulv(&p->R, g->Omega), Omega_s = cm_mulv(&p->R, ks3_constant(g->Omega_s));
    const kane_scalar3 go     = ks3_add(ks3_constant(kv3_unit(0)), ks3_cross(g->Omega, m->r)),
                       go_hat = ks3_add(p->R.x, ks3_cross(Omega, c));
    const kane_scalar3 turn = ks3_scale(m->sigma, g->Omega), turn_hat = ks3_scale(m->sigma, Omega);
    const kane_scalar square = ks_mul(m->sigma, m->sigma);

    const kane_scalar3 r_rate = ks3_sub(m->v, ks3_scale(m->sigma, go)), c_rate = ks3_sub(r_rate, p->v);
    const kane_scalar3 delta   = ks3_sub(c_rate, ks3_cross(p->w, c));
    const kane_scalar3 r_accel = ks3_sub(
        ks3_sub(ks3_sub(m->a, ks3_scale(m->sigma_dot, go)), ks3_scale(square, ks3_cross_left(g->Omega_s, m->r))),
        ks3_cross(turn, ks3_add(r_rate, m->v)));
    const kane_scalar3 spin = ks3_sub(m->w, turn);
    const kane_scalar3 spin_rate =
        ks3_sub(ks3_sub(ks3_sub(m->e, ks3_cross(turn, m->w)), ks3_scale(m->sigma_dot, g->Omega)),
                ks3_scale(square, ks3_constant(g->Omega_s)));

    m->r = c;
    m->v = ks3_add(ks3_scale(m->sigma, go_hat), delta);
    m->w = ks3_add(ks3_sub(spin, p->w), turn_hat);
    m->a = ks3_add(ks3_add(ks3_add(ks3_scale(m->sigma_dot, go_hat), ks3_scale(square, ks3_cross(Omega_s, c))),
                           ks3_cross(turn_hat, ks3_add(delta, m->v))),
                   ks3_sub(r_accel, ks3_cross(p->w, ks3_add(c_rate, delta))));
    m->e =
        ks3_add(ks3_add(ks3_add(ks3_scale(m->sigma_dot, Omega), ks3_scale(square, Omega_s)), ks3_cross(turn_hat, m->w)),
                ks3_sub(spin_rate, ks3_cross(p->w, spin)));
    return (panel_carry){ks3_sub(go_hat, go), ks3_sub(Omega, g->Omega)};
}

// The motion of the point and of the axle (section axes) as seen from Q: places, rates, second derivatives.
typedef struct guided_path {
    kane_scalar3 centre, centre_rate, centre_accel, axle, axle_rate, axle_accel;
} guided_path;

KANE_INLINE kane_scalar3 guided_along(const section_motion *m, const guided_pose *g)
{
    return ks3(ks_mul(m->sigma, g->length), ks_constant(0.0), ks_constant(0.0));
}

KANE_INLINE guided_path guided_rates(const section_motion *m, const guided_pose *g)
{
    const kane_scalar3 omega = ks3_scale(m->sigma, g->K), spin = cm_tmulv(&g->Q, m->w), e = cm_tmulv(&g->Q, g->axle);
    const kane_scalar3 c = cm_tmulv(&g->Q, ks3_sub(m->r, g->origin)), v = cm_tmulv(&g->Q, m->v);
    return (guided_path){.centre      = c,
                         .centre_rate = ks3_sub(ks3_sub(v, guided_along(m, g)), ks3_cross(omega, c)),
                         .axle        = e,
                         .axle_rate   = ks3_cross(ks3_sub(spin, omega), e)};
}

// ... and second derivatives, from places and rates.
KANE_INLINE void guided_accelerations(const section_motion *m, const guided_pose *g, guided_path *path)
{
    const kane_scalar3 omega = ks3_scale(m->sigma, g->K), spin = cm_tmulv(&g->Q, m->w), c = path->centre;
    const kane_scalar3 epsilon = ks3_add(ks3_scale(m->sigma_dot, g->K), ks3_scale(ks_mul(m->sigma, m->sigma), g->K_s));
    const kane_scalar3 a       = cm_tmulv(&g->Q, m->a);
    const kane_scalar3 fall    = ks3_add(ks3_cross(omega, guided_along(m, g)), ks3_cross(epsilon, c));
    const kane_scalar3 swing   = ks3_cross(omega, ks3_add(ks3_cross(omega, c), ks3_by(2.0, path->centre_rate)));
    path->centre_accel         = ks3_sub(ks3_sub(a, fall), swing);

    const kane_scalar3 turn      = ks3_sub(spin, omega);
    const kane_scalar3 turn_rate = ks3_sub(ks3_sub(cm_tmulv(&g->Q, m->e), epsilon), ks3_cross(omega, spin));
    path->axle_accel             = ks3_add(ks3_cross(turn_rate, path->axle), ks3_cross(turn, path->axle_rate));
}

// A force and a torque.
typedef struct wrench_scalars {
    kane_scalar3 force, torque;
} wrench_scalars;

// A rail that twists pushes along the line a little, too, and so does one whose profile changes: at the point that the
// section goes along with.
//   along  d(gap)/d(place along the line) by the profile [1]
//   carry  of flexible track; NULL: rigid
KANE_INLINE wrench_scalars guided_direction(const guided_pose *g, kane_scalar share, kane_scalar3 centre,
                                            kane_scalar3 arm, kane_scalar3 direction, kane_scalar3 turn,
                                            kane_scalar along, const panel_carry *carry)
{
    const kane_scalar3 across = cm_mulv(&g->Q, direction), around = cm_mulv(&g->Q, turn);
    kane_scalar twist = ks_sub(ks3_dot(g->K, ks3_add(ks3_cross(centre, direction), turn)), along);
    if (carry)
        twist = ks_sub(ks_sub(twist, ks3_dot(across, carry->v)), ks3_dot(around, carry->w));
    const kane_scalar3 force = ks3_sub(across, ks3(ks_mul(twist, share), ks_constant(0.0), ks_constant(0.0)));
    const kane_scalar3 about = ks3_add(around, ks3_cross(arm, force));
    return (wrench_scalars){cm_mulv(&g->R, force), cm_mulv(&g->R, about)};
}

// Reaction on the panel of a wrench at the wheelset's mass centre, frame axes: about the panel's middle, section axes.
//   above  mass centre from the middle, section axes
KANE_INLINE wrench_scalars guided_reaction(const guided_pose *g, kane_scalar3 above, const wrench_scalars *w)
{
    const kane_scalar3 force = cm_tmulv(&g->R, w->force);
    return (wrench_scalars){ks3_neg(force), ks3_neg(ks3_add(cm_tmulv(&g->R, w->torque), ks3_cross(above, force)))};
}

#endif
