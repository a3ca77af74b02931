// SPDX-License-Identifier: MIT
// How rails see a wheelset that they guide: its gaps, with first and second derivatives in time.
//
// A wheel is seen from its rail's section Q (rails.h), which goes along with it: with the section's speed sigma along the
// line and the turn K of Q's axes per metre,
//   omega_Q = sigma K,   epsilon_Q = sigma' K + sigma^2 K',   and Q's origin moves along Q's x axis.
// Where rigid contact functions guide it, the wheelset as a whole is seen from Q between both rails (guided_tables.c).

#include "agem/guided_see.h"

#include "tree/respond.h"

// The section's plane holds a point of the body:  (v - sigma e_x - sigma Omega x r).x = 0
void kane_section_follow(kane_vec3 Omega, kane_section_motion *m)
{
    m->share = 1.0 / (1.0 + kv3_cross(Omega, m->r).x);
    m->sigma = m->v.x * m->share;
}

// Motion of the section whose plane holds the point at `arm` from the mass centre.
static kane_section_motion move(const kane_work *work, const kane_body *body, const kane_body_state *b,
                                const kane_wheels_state *w, kane_side side, kane_vec3 arm, kane_vec3 Omega_s)
{
    const kane_section *section = &w->section[side];
    const kane_mat3 R           = w->guidance.R[side];
    const kane_transport *T     = &work->transport[body->frame];
    const kane_vec3 o           = T->omega;
    const kane_vec3 p           = kv3_add(kv3_add(T->a_o, kv3_cross(T->epsilon, b->r)),
                                          kv3_cross(o, kv3_add_scaled(kv3_cross(o, b->r), 2.0, b->v)));
    const kane_vec3 alpha       = km3_tmulv(R, kv3_add(T->epsilon, kv3_cross(o, b->w))),
                    spin        = km3_tmulv(w->R_s[side], b->w_w);
    const kane_vec3 swing = kv3_cross(spin, arm), whirl = kv3_add(kv3_cross(alpha, arm), kv3_cross(spin, swing));
    kane_section_motion m = {.r = section->r,
                             .v = kv3_add(km3_tmulv(w->R_s[side], b->v_w), swing),
                             .w = spin,
                             .a = kv3_add(km3_tmulv(R, p), whirl),
                             .e = alpha};
    kane_section_follow(section->Omega, &m); // and once more differentiated
    const kane_vec3 turn   = kv3_scale(m.sigma, section->Omega);
    const kane_vec3 r_rate = kv3_sub(m.v, kv3_add(kv3(m.sigma, 0.0, 0.0), kv3_cross(turn, m.r)));
    const double a         = m.a.x - kv3_cross(turn, m.v).x;
    const double stretch   = m.sigma * kv3_cross(Omega_s, m.r).x + kv3_cross(section->Omega, r_rate).x;
    m.sigma_dot            = (a - m.sigma * stretch) * m.share;
    return m;
}

kane_wheel_path kane_guided_rates(const kane_section_motion *m, const kane_rail_view *q, kane_vec3 axle)
{
    const kane_mat3 R     = q->R;
    const kane_vec3 omega = kv3_scale(m->sigma, q->K), spin = km3_tmulv(R, m->w), e = km3_tmulv(R, axle);
    const kane_vec3 along = kv3(m->sigma * q->length, 0.0, 0.0);
    const kane_vec3 c = km3_tmulv(R, kv3_sub(m->r, q->origin)), v = km3_tmulv(R, m->v);
    return (kane_wheel_path){.centre      = c,
                             .centre_rate = kv3_sub(kv3_sub(v, along), kv3_cross(omega, c)),
                             .axle        = e,
                             .axle_rate   = kv3_cross(kv3_sub(spin, omega), e)};
}

void kane_guided_bends(const kane_section_motion *m, const kane_rail_view *q, kane_wheel_path *path)
{
    const kane_mat3 R     = q->R;
    const kane_vec3 omega = kv3_scale(m->sigma, q->K), spin = km3_tmulv(R, m->w), c = path->centre;
    const kane_vec3 epsilon = kv3_add_scaled(kv3_scale(m->sigma_dot, q->K), m->sigma * m->sigma, q->K_s);
    const kane_vec3 along   = kv3(m->sigma * q->length, 0.0, 0.0);
    const kane_vec3 a       = km3_tmulv(R, m->a);
    const kane_vec3 fall    = kv3_add(kv3_cross(omega, along), kv3_cross(epsilon, c));
    const kane_vec3 swing   = kv3_cross(omega, kv3_add_scaled(kv3_cross(omega, c), 2.0, path->centre_rate));
    path->centre_bend       = kv3_sub(kv3_sub(a, fall), swing);

    const kane_vec3 turn      = kv3_sub(spin, omega);
    const kane_vec3 turn_rate = kv3_sub(kv3_sub(km3_tmulv(R, m->e), epsilon), kv3_cross(omega, spin));
    path->axle_bend           = kv3_add(kv3_cross(turn_rate, path->axle), kv3_cross(turn, path->axle_rate));
}

// A rail that twists pushes along the line a little, too: at the point that the section goes along with.
kane_wrench kane_guided_push(kane_mat3 R, const kane_section_motion *m, const kane_rail_view *q, kane_vec3 centre,
                             kane_vec3 arm, kane_vec3 push, kane_vec3 turn)
{
    const double twist    = kv3_dot(q->K, kv3_add(kv3_cross(centre, push), turn)) * m->share;
    const kane_vec3 force = kv3_sub(km3_mulv(q->R, push), kv3(twist, 0.0, 0.0));
    const kane_vec3 about = kv3_add(km3_mulv(q->R, turn), kv3_cross(arm, force));
    return (kane_wrench){km3_mulv(R, force), km3_mulv(R, about)};
}

// A wheel on its rail: the gap between them.
static kane_status touch_rail(const kane_work *work, const kane_body *body, const kane_body_state *b,
                              const kane_wheels *wheels, kane_side side, kane_wheels_state *w)
{
    kane_guidance *g            = &w->guidance;
    const kane_rail_view *q     = &w->rail[side];
    const kane_vec3 arm         = w->arm[side];
    const kane_section_motion m = move(work, body, b, w, side, arm, work->track_frame[wheels->frame].Omega_s);
    kane_wheel_path path        = kane_guided_rates(&m, q, km3_tmulv(w->R_s[side], b->axle));
    kane_gap *touch             = &g->touch[side];
    kane_guided_bends(&m, q, &path);
    const kane_status status = kane_contact_gap(wheels->contact, side, &path, touch);
    if (status != KANE_OK)
        return status;
    const double unit = 1.0 / kv3_norm(touch->push); // one newton along the normal
    g->push[side]     = kane_guided_push(g->R[side], &m, q, path.centre, arm, kv3_scale(unit, touch->push),
                                         kv3_scale(unit, touch->twist));
    g->gap[side]      = touch->size * unit;
    g->rate[side]     = touch->rate * unit;
    g->bias[side]     = touch->bend * unit;
    return KANE_OK;
}

kane_status kane_guided_touch(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                              const kane_body_state *b, kane_wheels_state *w)
{
    const kane_body *body = &model->bodies[wheels->body];
    kane_guidance *g      = &w->guidance;
    kane_status status    = KANE_OK;
    for (int side = 0; side < 2; side++)
        g->R[side] = km3_tmul(work->transport[body->frame].R, w->R_s[side]);
    if (wheels->way == KANE_CONTACT_TABLES) {
        const kane_vec3 Omega_s     = work->track_frame[wheels->frame].Omega_s;
        const kane_section_motion m = move(work, body, b, w, KANE_LEFT, kv3_zero(), Omega_s);
        status                      = kane_tables_touch(&m, km3_tmulv(w->R_s[KANE_LEFT], b->axle), w);
    } else {
        for (int side = 0; side < 2 && status == KANE_OK; side++)
            status = touch_rail(work, body, b, wheels, side, w);
    }
    for (int i = 0; i < 2 && status == KANE_OK; i++)
        g->answer[i] = kane_link_respond(&model->tree.links[body->link], &work->tree.link[body->link], g->push[i]);
    return status;
}
