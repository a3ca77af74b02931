// SPDX-License-Identifier: MIT
// How rails see a wheelset that they guide: its gaps, with first and second derivatives in time.
//
// A wheel is seen from its rail's section Q, which goes along with the wheelset: with the section's speed sigma along the
// line and the turn K of Q's axes per metre,
//   omega_Q = sigma K,   epsilon_Q = sigma' K + sigma^2 K',   and Q's origin moves along Q's x axis.
// Where rigid contact functions guide it, the wheelset as a whole is seen from Q between both rails (guided_tables.c).

#include "agem/guided_see.h"

// The section's plane holds the mass centre:  (v - sigma e_x - sigma Omega x r).x = 0
void kane_section_follow(kane_vec3 Omega, kane_section_motion *m)
{
    m->share = 1.0 / (1.0 + kv3_cross(Omega, m->r).x);
    m->sigma = m->v.x * m->share;
}

static kane_section_motion move(const kane_work *work, const kane_body *body, const kane_body_state *b,
                                kane_vec3 Omega_s, const kane_wheels_state *w)
{
    const kane_mat3 R       = w->guidance.R;
    const kane_transport *T = &work->transport[body->frame];
    const kane_vec3 o       = T->omega;
    const kane_vec3 p       = kv3_add(kv3_add(T->a_o, kv3_cross(T->epsilon, b->r)),
                                      kv3_cross(o, kv3_add_scaled(kv3_cross(o, b->r), 2.0, b->v)));
    const kane_vec3 alpha   = kv3_add(T->epsilon, kv3_cross(o, b->w));
    kane_section_motion m   = {.r = w->r,
                               .v = km3_tmulv(w->R_s, b->v_w),
                               .w = km3_tmulv(w->R_s, b->w_w),
                               .a = km3_tmulv(R, p),
                               .e = km3_tmulv(R, alpha)};
    kane_section_follow(w->Omega, &m); // and once more differentiated
    const kane_vec3 turn   = kv3_scale(m.sigma, w->Omega);
    const kane_vec3 r_rate = kv3_sub(m.v, kv3_add(kv3(m.sigma, 0.0, 0.0), kv3_cross(turn, w->r)));
    const double a         = m.a.x - kv3_cross(turn, m.v).x;
    const double stretch   = m.sigma * kv3_cross(Omega_s, w->r).x + kv3_cross(w->Omega, r_rate).x;
    m.sigma_dot            = (a - m.sigma * stretch) * m.share;
    return m;
}

// Change of Q's own turn along the line: own.x = y'.z, own.y = -x'.z, own.z = x'.y for the axes x, y, z of Q, and
// left.z = 0, all differentiated once more. bend: part of x'' that is not due to the turn, Q's axes.
static kane_vec3 turn_change(const kane_guide_line *g, kane_mat3 R, kane_vec3 own, kane_vec3 bend)
{
    const double across = kv3_dot(g->left, R.y), ahead = kv3_dot(g->left, R.x);
    const double pitch = own.x * own.z - bend.z, yaw = bend.y - own.x * own.y;
    const double twist = kv3_dot(g->left_ss, R.z) +
                         2.0 * (own.y * kv3_dot(g->left_s, R.x) - own.x * kv3_dot(g->left_s, R.y)) +
                         (pitch + own.x * own.z) * ahead;
    return kv3(twist / across + own.y * own.z, pitch, yaw);
}

kane_mat3 kane_guided_axes(kane_vec3 Omega, const kane_guide_line *g, double *length)
{
    const kane_vec3 t = kv3_add(kv3_add(kv3(1.0, 0.0, 0.0), g->p_s), kv3_cross(Omega, g->p));
    kane_mat3 R;
    *length           = kv3_norm(t);
    R.x               = kv3_scale(1.0 / *length, t);
    const kane_vec3 y = kv3_add_scaled(g->left, -kv3_dot(R.x, g->left), R.x);
    R.y               = kv3_scale(1.0 / kv3_norm(y), y);
    R.z               = kv3_cross(R.x, R.y);
    return R;
}

kane_rail_view kane_guided_look(kane_vec3 Omega, kane_vec3 Omega_s, const kane_guide_line *g)
{
    double length;
    const kane_mat3 R       = kane_guided_axes(Omega, g, &length);
    const double per_length = 1.0 / length;
    const kane_vec3 t_s     = kv3_add(kv3_add(g->p_ss, kv3_cross(Omega_s, g->p)), kv3_cross(Omega, g->p_s));
    const kane_vec3 t_ss =
        kv3_add(kv3_add_scaled(g->p_sss, 2.0, kv3_cross(Omega_s, g->p_s)), kv3_cross(Omega, g->p_ss));

    const double stretch = kv3_dot(R.x, t_s); // of the length
    const kane_vec3 x_s  = km3_tmulv(R, kv3_scale(per_length, kv3_add_scaled(t_s, -stretch, R.x)));
    const kane_vec3 x_ss = kv3_scale(per_length, kv3_add_scaled(km3_tmulv(R, t_ss), -2.0 * stretch, x_s));
    const double twist   = (kv3_dot(g->left_s, R.z) - x_s.z * kv3_dot(R.x, g->left)) / kv3_dot(g->left, R.y);
    const kane_vec3 own = kv3(twist, -x_s.z, x_s.y), line = km3_tmulv(R, Omega);
    const kane_vec3 change = kv3_sub(km3_tmulv(R, Omega_s), kv3_cross(own, line));
    return (kane_rail_view){.origin = g->p,
                            .R      = R,
                            .K      = kv3_add(line, own),
                            .K_s    = kv3_add(turn_change(g, R, own, x_ss), change),
                            .length = length};
}

static kane_rail_view from_rail(const kane_wheels_state *w, kane_vec3 Omega_s, kane_side side)
{
    const kane_rail_offset *o  = &w->offset[side];
    const kane_guide_line line = {.p     = w->rail[side],
                                  .p_s   = kv3(0.0, o->y_s, o->z_s),
                                  .p_ss  = kv3(0.0, o->y_ss, o->z_ss),
                                  .p_sss = kv3(0.0, o->y_sss, o->z_sss),
                                  .left  = kv3_unit(1)};
    return kane_guided_look(w->Omega, Omega_s, &line);
}

kane_wheel_path kane_guided_rates(const kane_section_motion *m, const kane_rail_view *q, kane_vec3 axle, kane_vec3 arm)
{
    const kane_mat3 R     = q->R;
    const kane_vec3 omega = kv3_scale(m->sigma, q->K), spin = km3_tmulv(R, m->w), e = km3_tmulv(R, axle);
    const kane_vec3 along = kv3(m->sigma * q->length, 0.0, 0.0);
    const kane_vec3 c     = km3_tmulv(R, kv3_sub(kv3_add(m->r, arm), q->origin));
    const kane_vec3 v     = km3_tmulv(R, kv3_add(m->v, kv3_cross(m->w, arm)));
    return (kane_wheel_path){.centre      = c,
                             .centre_rate = kv3_sub(kv3_sub(v, along), kv3_cross(omega, c)),
                             .axle        = e,
                             .axle_rate   = kv3_cross(kv3_sub(spin, omega), e)};
}

void kane_guided_bends(const kane_section_motion *m, const kane_rail_view *q, kane_vec3 arm, kane_wheel_path *path)
{
    const kane_mat3 R     = q->R;
    const kane_vec3 omega = kv3_scale(m->sigma, q->K), spin = km3_tmulv(R, m->w), c = path->centre;
    const kane_vec3 epsilon = kv3_add_scaled(kv3_scale(m->sigma_dot, q->K), m->sigma * m->sigma, q->K_s);
    const kane_vec3 along   = kv3(m->sigma * q->length, 0.0, 0.0);
    const kane_vec3 whirl   = kv3_cross(m->w, kv3_cross(m->w, arm));
    const kane_vec3 a       = km3_tmulv(R, kv3_add(kv3_add(m->a, kv3_cross(m->e, arm)), whirl));
    const kane_vec3 fall    = kv3_add(kv3_cross(omega, along), kv3_cross(epsilon, c));
    const kane_vec3 swing   = kv3_cross(omega, kv3_add_scaled(kv3_cross(omega, c), 2.0, path->centre_rate));
    path->centre_bend       = kv3_sub(kv3_sub(a, fall), swing);

    const kane_vec3 turn      = kv3_sub(spin, omega);
    const kane_vec3 turn_rate = kv3_sub(kv3_sub(km3_tmulv(R, m->e), epsilon), kv3_cross(omega, spin));
    path->axle_bend           = kv3_add(kv3_cross(turn_rate, path->axle), kv3_cross(turn, path->axle_rate));
}

// A rail that twists pushes along the line a little, too.
kane_wrench kane_guided_push(kane_mat3 R, const kane_section_motion *m, const kane_rail_view *q, kane_vec3 centre,
                             kane_vec3 arm, kane_vec3 push, kane_vec3 turn)
{
    const double twist    = kv3_dot(q->K, kv3_add(kv3_cross(centre, push), turn)) * m->share;
    const kane_vec3 force = km3_mulv(q->R, push);
    const kane_vec3 about = kv3_add(km3_mulv(q->R, turn), kv3_cross(arm, force));
    return (kane_wrench){km3_mulv(R, kv3(force.x - twist, force.y, force.z)), km3_mulv(R, about)};
}

// Each wheel on its rail: the gaps between them.
static kane_status touch_rails(const kane_wheels *wheels, kane_vec3 Omega_s, const kane_section_motion *m,
                               kane_vec3 axle, kane_wheels_state *w)
{
    kane_guidance *g = &w->guidance;
    for (int side = 0; side < 2; side++) {
        const kane_vec3 arm    = w->arm[side];
        const kane_rail_view q = from_rail(w, Omega_s, side);
        kane_wheel_path path   = kane_guided_rates(m, &q, axle, arm);
        kane_gap *touch        = &g->touch[side];
        kane_guided_bends(m, &q, arm, &path);
        const kane_status status = kane_contact_gap(wheels->contact, side, &path, touch);
        if (status != KANE_OK)
            return status;
        const double unit = 1.0 / kv3_norm(touch->push); // one newton along the normal
        g->push[side]     = kane_guided_push(g->R, m, &q, path.centre, arm, kv3_scale(unit, touch->push),
                                             kv3_scale(unit, touch->twist));
        g->gap[side]      = touch->size * unit;
        g->rate[side]     = touch->rate * unit;
        g->bias[side]     = touch->bend * unit;
    }
    return KANE_OK;
}

kane_status kane_guided_touch(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                              const kane_body_state *b, kane_wheels_state *w)
{
    const kane_body *body = &model->bodies[wheels->body];
    kane_guidance *g      = &w->guidance;
    g->R                  = km3_tmul(work->transport[body->frame].R, w->R_s);
    const kane_vec3 axle = km3_tmulv(w->R_s, b->axle), Omega_s = work->track_frame[wheels->frame].Omega_s;
    const kane_section_motion m = move(work, body, b, Omega_s, w);
    const kane_status status =
        wheels->way == KANE_CONTACT_TABLES ? kane_tables_touch(&m, axle, w) : touch_rails(wheels, Omega_s, &m, axle, w);
    const kane_inertia J = kane_body_inertia(body, b);
    for (int i = 0; i < 2 && status == KANE_OK; i++) // all six freedoms are there
        g->answer[i] =
            (kane_wrench){kv3_scale(1.0 / body->mass, g->push[i].force), kane_inertia_solve_for(&J, g->push[i].torque)};
    return status;
}
