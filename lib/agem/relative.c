// SPDX-License-Identifier: MIT
// Motion of a body relative to its track frame, and the way back into a state.
//
// The attitude of a spinning body leaves out its spin. If its frame changes, the difference of the two frames' levels,
// a small turn about the axle, is added to the spin angle (pitch).

#include "agem/bodies.h"

// The spin angle that a spinning body's axes leave out.
static double spin_of(const kane_model *model, const kane_work *work, int j)
{
    if (model->bodies[j].is_free_body)
        return work->body[j].q[KANE_PITCH];
    const kane_link *link = &model->tree.links[model->bodies[j].link];
    return link->is_spinning ? work->tree.q[link->q + kane_link_spin(link)] : 0.0;
}

// In its track frame the motion is the state's own. Described in A:
//   r = R' (r_w - r_o),   v = R' v_w - v_o - omega x r,   w = R' w_w - omega
void kane_relative_get(const kane_model *model, const kane_work *work, int j, kane_relative_motion *motion)
{
    const kane_body *body    = &model->bodies[j];
    const kane_body_state *b = &work->body[j];
    if (body->frame == body->track_frame) {
        motion->q[KANE_X] = b->r.x;
        motion->q[KANE_Y] = b->r.y;
        motion->q[KANE_Z] = b->r.z;
        for (int i = KANE_YAW; i <= KANE_PITCH; i++)
            motion->q[i] = b->q[i];
        motion->v = b->v;
        motion->w = b->w;
        return;
    }

    // described in A
    const kane_transport *T = &work->transport[body->track_frame];
    const kane_vec3 r       = km3_tmulv(T->R, kv3_sub(b->r_w, T->r_o));
    motion->q[KANE_X]       = r.x;
    motion->q[KANE_Y]       = r.y;
    motion->q[KANE_Z]       = r.z;
    kane_angles_from_matrix(km3_tmul(T->R, b->R), &motion->q[KANE_YAW]);
    if (body->kind == KANE_BODY_SPINNING)
        motion->q[KANE_PITCH] += spin_of(model, work, j);
    motion->v = kv3_sub(kv3_sub(km3_tmulv(T->R, b->v_w), T->v_o), kv3_cross(T->omega, r));
    motion->w = kv3_sub(km3_tmulv(T->R, b->w_w), T->omega);
}

// Speeds u of the freedoms that are left from the velocity of the free body.
static void select_speeds(const kane_body *body, const kane_relative_motion *m, double *u)
{
    const kane_freedom_map *map = &body->map;
    const double V[6]           = {m->v.x, m->v.y, m->v.z, m->w.x, m->w.y, m->w.z};
    for (int i = 0; body->is_tabulated && i < body->u_count; i++)
        u[i] = V[body->component[i]];
    if (body->is_tabulated)
        return;
    for (int i = 0; i < map->translation_count; i++)
        *u++ = kv3_get(m->v, map->translation[i]);
    if (map->rotation_count == 3) {
        u[0] = m->w.x;
        u[1] = m->w.y;
        u[2] = m->w.z;
    } else if (map->rotation_count > 0) {
        double rates[KANE_COORDINATES];
        kane_rates_from_velocity(m->q, m->v, m->w, rates);
        for (int i = 0; i < map->rotation_count; i++)
            u[i] = rates[KANE_YAW + map->rotation[i]];
    }
}

// From frame 1 to frame 2, D = R_2' R_1, o = R_2' (r_o1 - r_o2):
//   r_2 = D r_1 + o                                           R_2' = D R_1'
//   v_2 = D (v_o1 + v_1 + omega_1 x r_1) - v_o2 - omega_2 x r_2     w_2 = D (omega_1 + w_1) - omega_2
void kane_relative_change(const kane_body *body, const kane_transport *from, const kane_transport *to,
                          kane_relative_motion *m)
{
    const kane_mat3 D       = km3_tmul(to->R, from->R);
    const double spin_angle = body->kind == KANE_BODY_SPINNING ? m->q[KANE_PITCH] : 0.0;
    const kane_mat3 R       = kane_matrix_from_angles(m->q[KANE_YAW], m->q[KANE_ROLL], m->q[KANE_PITCH] - spin_angle);
    const kane_vec3 before  = kv3(m->q[KANE_X], m->q[KANE_Y], m->q[KANE_Z]);
    const kane_vec3 r       = kv3_add(km3_mulv(D, before), km3_tmulv(to->R, kv3_sub(from->r_o, to->r_o)));
    const kane_vec3 v       = kv3_add(kv3_add(from->v_o, m->v), kv3_cross(from->omega, before));
    kane_angles_from_matrix(km3_mul(D, R), &m->q[KANE_YAW]);
    m->q[KANE_PITCH] += spin_angle;
    m->q[KANE_X] = r.x;
    m->q[KANE_Y] = r.y;
    m->q[KANE_Z] = r.z;
    m->v         = kv3_sub(kv3_sub(km3_mulv(D, v), to->v_o), kv3_cross(to->omega, r));
    m->w         = kv3_sub(km3_mulv(D, kv3_add(from->omega, m->w)), to->omega);
}

// From the track frame to A, if the body is described there.
void kane_relative_describe(const kane_model *model, const kane_work *work, int j, kane_relative_motion *m)
{
    const kane_transport rest = kane_transport_rest(); // what is not described in its track frame is described in A
    const kane_body *body     = &model->bodies[j];
    if (body->frame != body->track_frame)
        kane_relative_change(body, &work->transport[body->track_frame], &rest, m);
}

void kane_relative_put(const kane_model *model, const kane_work *work, int j, const kane_relative_motion *motion,
                       double *y)
{
    const kane_body *body  = &model->bodies[j];
    kane_relative_motion m = *motion;
    kane_relative_describe(model, work, j, &m);
    for (int i = 0; i < KANE_COORDINATES; i++)
        y[body->q + i] = m.q[i];
    select_speeds(body, &m, y + body->u);
}

void kane_get_relative(const kane_model *model, const kane_work *work, int body, double coordinates[6], double rates[6])
{
    kane_relative_motion m;
    kane_relative_get(model, work, body, &m);
    for (int i = 0; i < KANE_COORDINATES; i++)
        coordinates[i] = m.q[i];
    kane_rates_from_velocity(m.q, m.v, m.w, rates);
}

// w = yaw' z + roll' x1 + pitch' y2
kane_status kane_put_relative(const kane_model *model, const kane_work *work, int body, const double coordinates[6],
                              const double rates[6], double *y)
{
    if (!model->bodies[body].is_free_body) // has other coordinates, or shares its speeds
        return KANE_BAD_ARGUMENT;
    const kane_mat3 R      = kane_matrix_from_angles(coordinates[KANE_YAW], coordinates[KANE_ROLL], 0.0);
    kane_relative_motion m = {.v = {rates[KANE_X], rates[KANE_Y], rates[KANE_Z]}};
    for (int i = 0; i < KANE_COORDINATES; i++)
        m.q[i] = coordinates[i];
    // w = yaw' z + roll' x1 + pitch' y2
    m.w = kv3_add_scaled(kv3(0.0, 0.0, rates[KANE_YAW]), rates[KANE_ROLL], R.x);
    m.w = kv3_add_scaled(m.w, rates[KANE_PITCH], R.y);
    kane_relative_put(model, work, body, &m, y);
    return KANE_OK;
}

// p = a' + a_o + epsilon x r + omega x (omega x r + 2 v),   alpha = e' + epsilon + omega x w  (docs/theory.md, section
// 2), in axes of the track frame.
void kane_get_absolute(const kane_model *model, const kane_work *work, int j, kane_vec3 *velocity, kane_vec3 *omega,
                       kane_vec3 *acceleration, kane_vec3 *alpha)
{
    const kane_transport rest = kane_transport_rest(); // panels and modes know only their section
    const kane_body *body     = &model->bodies[j];
    const kane_body_state *b  = &work->body[j];
    const int in_section      = kane_body_is_in_section(body);
    const kane_transport *T   = in_section ? &rest : &work->transport[body->frame];
    const kane_mat3 R         = in_section ? rest.R : work->transport[body->track_frame].R;
    const kane_vec3 w = T->omega, e = T->epsilon;
    const kane_vec3 coriolis = kv3_cross(w, kv3_add_scaled(kv3_cross(w, b->r), 2.0, b->v));
    const kane_vec3 p        = kv3_add(kv3_add(b->a, T->a_o), kv3_add(kv3_cross(e, b->r), coriolis));
    const kane_vec3 turning  = kv3_add(kv3_add(b->e, e), kv3_cross(w, b->w));

    if (velocity)
        *velocity = km3_tmulv(R, b->v_w);
    if (omega)
        *omega = km3_tmulv(R, b->w_w);
    if (acceleration)
        *acceleration = km3_tmulv(R, km3_mulv(T->R, p));
    if (alpha)
        *alpha = km3_tmulv(R, km3_mulv(T->R, turning));
}
