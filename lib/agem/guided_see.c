// SPDX-License-Identifier: MIT
// How rails see a wheelset that they guide: its gaps, with first and second derivatives in time.
//
// A wheel is seen from its rail's section Q, which goes along with the wheelset: with the section's speed sigma along the
// line and the turn K of Q's axes per metre,
//   omega_Q = sigma K,   epsilon_Q = sigma' K + sigma^2 K',   and Q's origin moves along Q's x axis.
// Where rigid contact functions guide it, the wheelset as a whole is seen from Q between both rails.

#include "agem/guided.h"

#include "agem/reduce.h"

// Relative accelerations that a wrench brings about.
static kane_wrench accelerate(const kane_body *body, const kane_body_state *b, kane_wrench wrench)
{
    double u_dot[6];
    kane_body_state c = *b;
    c.bias            = kv3_zero();
    kane_body_respond(body, b, wrench, u_dot);
    kane_reduce_accelerations(body, u_dot, &c);
    return (kane_wrench){c.a, c.e};
}

// Absolute motion of the body in section axes, accelerations without those relative to its frame.
typedef struct section_motion {
    kane_vec3 v, w, a, e;
    kane_vec3 Omega_s;              // of the line [rad/m^2]
    double sigma, sigma_dot, share; // speed of the section; its derivative without relative accelerations, and by a'_x
} section_motion;

static section_motion move(const kane_work *work, const kane_body *body, const kane_body_state *b,
                           const kane_wheels_state *w)
{
    const kane_transport *T = &work->transport[body->frame];
    const kane_vec3 o       = T->omega;
    const kane_vec3 p       = kv3_add(kv3_add(T->a_o, kv3_cross(T->epsilon, b->r)),
                                      kv3_cross(o, kv3_add_scaled(kv3_cross(o, b->r), 2.0, b->v)));
    const kane_vec3 alpha   = kv3_add(T->epsilon, kv3_cross(o, b->w));
    section_motion m        = {.v       = km3_tmulv(w->R_s, b->v_w),
                               .w       = km3_tmulv(w->R_s, b->w_w),
                               .a       = km3_tmulv(w->R_s, km3_mulv(T->R, p)),
                               .e       = km3_tmulv(w->R_s, km3_mulv(T->R, alpha)),
                               .Omega_s = work->track_frame[body->track_frame].Omega_s};

    // the section's plane holds the mass centre:  (v - sigma e_x - sigma Omega x r).x = 0, and once more differentiated
    m.share                = 1.0 / (1.0 + kv3_cross(w->Omega, w->r).x);
    m.sigma                = m.v.x * m.share;
    const kane_vec3 turn   = kv3_scale(m.sigma, w->Omega);
    const kane_vec3 r_rate = kv3_sub(m.v, kv3_add(kv3(m.sigma, 0.0, 0.0), kv3_cross(turn, w->r)));
    const double a         = m.a.x - kv3_cross(turn, m.v).x;
    const double stretch   = m.sigma * kv3_cross(m.Omega_s, w->r).x + kv3_cross(w->Omega, r_rate).x;
    m.sigma_dot            = (a - m.sigma * stretch) * m.share;
    return m;
}

// Place and attitude of Q in the section, and how they change along the line.
typedef struct view {
    kane_vec3 origin; // section axes [m]
    kane_mat3 R;      // Q's axes to section axes
    kane_vec3 K, K_s; // turn of Q per metre and its derivative, Q's axes [rad/m], [rad/m^2]
    double length;    // of the way of the origin per metre of the line [1]
} view;

// What Q follows, section axes: its origin p, and a vector `left` across, with derivatives by s without the turn of the
// section.
typedef struct guide_line {
    kane_vec3 p, p_s, p_ss, p_sss;
    kane_vec3 left, left_s, left_ss;
} guide_line;

// Change of Q's own turn along the line: own.x = y'.z, own.y = -x'.z, own.z = x'.y for the axes x, y, z of Q, and
// left.z = 0, all differentiated once more. bend: part of x'' that is not due to the turn, Q's axes.
static kane_vec3 turn_change(const guide_line *g, kane_mat3 R, kane_vec3 own, kane_vec3 bend)
{
    const double across = kv3_dot(g->left, R.y), ahead = kv3_dot(g->left, R.x);
    const double pitch = own.x * own.z - bend.z, yaw = bend.y - own.x * own.y;
    const double twist = kv3_dot(g->left_ss, R.z) +
                         2.0 * (own.y * kv3_dot(g->left_s, R.x) - own.x * kv3_dot(g->left_s, R.y)) +
                         (pitch + own.x * own.z) * ahead;
    return kv3(twist / across + own.y * own.z, pitch, yaw);
}

// Q with its x axis along the way of its origin and its y axis in the plane of x and `left`. Of the line's own bend the
// third derivative does not count.
static view look_along(const section_motion *m, kane_vec3 Omega, const guide_line *g)
{
    const kane_vec3 t   = kv3_add(kv3_add(kv3(1.0, 0.0, 0.0), g->p_s), kv3_cross(Omega, g->p));
    const kane_vec3 t_s = kv3_add(kv3_add(g->p_ss, kv3_cross(m->Omega_s, g->p)), kv3_cross(Omega, g->p_s));
    const kane_vec3 t_ss =
        kv3_add(kv3_add_scaled(g->p_sss, 2.0, kv3_cross(m->Omega_s, g->p_s)), kv3_cross(Omega, g->p_ss));
    const double length = kv3_norm(t), per_length = 1.0 / length;
    kane_mat3 R;
    R.x               = kv3_scale(per_length, t);
    const kane_vec3 y = kv3_add_scaled(g->left, -kv3_dot(R.x, g->left), R.x);
    R.y               = kv3_scale(1.0 / kv3_norm(y), y);
    R.z               = kv3_cross(R.x, R.y);

    const double stretch = kv3_dot(R.x, t_s); // of the length
    const kane_vec3 x_s  = km3_tmulv(R, kv3_scale(per_length, kv3_add_scaled(t_s, -stretch, R.x)));
    const kane_vec3 x_ss = kv3_scale(per_length, kv3_add_scaled(km3_tmulv(R, t_ss), -2.0 * stretch, x_s));
    const double twist   = (kv3_dot(g->left_s, R.z) - x_s.z * kv3_dot(R.x, g->left)) / kv3_dot(g->left, R.y);
    const kane_vec3 own = kv3(twist, -x_s.z, x_s.y), line = km3_tmulv(R, Omega);
    const kane_vec3 change = kv3_sub(km3_tmulv(R, m->Omega_s), kv3_cross(own, line));
    return (view){.origin = g->p,
                  .R      = R,
                  .K      = kv3_add(line, own),
                  .K_s    = kv3_add(turn_change(g, R, own, x_ss), change),
                  .length = length};
}

static view from_rail(const section_motion *m, const kane_wheels_state *w, kane_side side)
{
    const kane_rail_offset *o = &w->offset[side];
    const guide_line g        = {.p     = w->rail[side],
                                 .p_s   = kv3(0.0, o->y_s, o->z_s),
                                 .p_ss  = kv3(0.0, o->y_ss, o->z_ss),
                                 .p_sss = kv3(0.0, o->y_sss, o->z_sss),
                                 .left  = kv3_unit(1)};
    return look_along(m, w->Omega, &g);
}

static view from_middle(const section_motion *m, const kane_wheels_state *w)
{
    const kane_rail_offset *l = &w->offset[KANE_LEFT], *r = &w->offset[KANE_RIGHT];
    const guide_line g = {.p       = kv3_scale(0.5, kv3_add(w->rail[KANE_LEFT], w->rail[KANE_RIGHT])),
                          .p_s     = kv3(0.0, 0.5 * (l->y_s + r->y_s), 0.5 * (l->z_s + r->z_s)),
                          .p_ss    = kv3(0.0, 0.5 * (l->y_ss + r->y_ss), 0.5 * (l->z_ss + r->z_ss)),
                          .p_sss   = kv3(0.0, 0.5 * (l->y_sss + r->y_sss), 0.5 * (l->z_sss + r->z_sss)),
                          .left    = kv3_sub(w->rail[KANE_LEFT], w->rail[KANE_RIGHT]),
                          .left_s  = kv3(0.0, l->y_s - r->y_s, l->z_s - r->z_s),
                          .left_ss = kv3(0.0, l->y_ss - r->y_ss, l->z_ss - r->z_ss)};
    return look_along(m, w->Omega, &g);
}

// The motion of a point at `arm` from the mass centre (section axes) and of the axle as seen from Q.
static kane_wheel_path see(const section_motion *m, const view *q, const kane_wheels_state *w, kane_vec3 axle,
                           kane_vec3 arm)
{
    const kane_mat3 R     = q->R;
    const kane_vec3 omega = kv3_scale(m->sigma, q->K), spin = km3_tmulv(R, m->w), e = km3_tmulv(R, axle);
    const kane_vec3 epsilon = kv3_add_scaled(kv3_scale(m->sigma_dot, q->K), m->sigma * m->sigma, q->K_s);
    const kane_vec3 along   = kv3(m->sigma * q->length, 0.0, 0.0);

    const kane_vec3 c      = km3_tmulv(R, kv3_sub(kv3_add(w->r, arm), q->origin));
    const kane_vec3 v      = km3_tmulv(R, kv3_add(m->v, kv3_cross(m->w, arm)));
    const kane_vec3 whirl  = kv3_cross(m->w, kv3_cross(m->w, arm));
    const kane_vec3 a      = km3_tmulv(R, kv3_add(kv3_add(m->a, kv3_cross(m->e, arm)), whirl));
    const kane_vec3 c_rate = kv3_sub(kv3_sub(v, along), kv3_cross(omega, c));
    const kane_vec3 fall   = kv3_add(kv3_cross(omega, along), kv3_cross(epsilon, c));
    const kane_vec3 swing  = kv3_cross(omega, kv3_add_scaled(kv3_cross(omega, c), 2.0, c_rate));

    const kane_vec3 turn      = kv3_sub(spin, omega);
    const kane_vec3 turn_rate = kv3_sub(kv3_sub(km3_tmulv(R, m->e), epsilon), kv3_cross(omega, spin));
    const kane_vec3 e_rate    = kv3_cross(turn, e);
    return (kane_wheel_path){.centre      = c,
                             .centre_rate = c_rate,
                             .centre_bend = kv3_sub(kv3_sub(a, fall), swing),
                             .axle        = e,
                             .axle_rate   = e_rate,
                             .axle_bend   = kv3_add(kv3_cross(turn_rate, e), kv3_cross(turn, e_rate))};
}

// What pushes the body when the gap is held: the gap's gradient at a point `arm` from the mass centre, Q's axes, as a wrench
// at the mass centre, frame axes. A rail that twists pushes along the line a little, too.
static kane_wrench push_of(const kane_transport *T, const section_motion *m, const view *q, const kane_wheels_state *w,
                           const kane_wheel_path *path, kane_vec3 arm, kane_vec3 push, kane_vec3 turn)
{
    const double twist     = kv3_dot(q->K, kv3_add(kv3_cross(path->centre, push), turn)) * m->share;
    const kane_vec3 force  = kv3_sub(km3_mulv(q->R, push), kv3(twist, 0.0, 0.0));
    const kane_vec3 torque = kv3_add(km3_mulv(q->R, turn), kv3_cross(arm, km3_mulv(q->R, push)));
    return (kane_wrench){km3_tmulv(T->R, km3_mulv(w->R_s, force)), km3_tmulv(T->R, km3_mulv(w->R_s, torque))};
}

// Each wheel on its rail: the gaps between them.
static kane_status touch_rails(const kane_wheels *wheels, const kane_transport *T, const section_motion *m,
                               kane_vec3 axle, kane_wheels_state *w)
{
    kane_guidance *g = &w->guidance;
    for (int side = 0; side < 2; side++) {
        const kane_vec3 arm        = w->arm[side];
        const view q               = from_rail(m, w, side);
        const kane_wheel_path path = see(m, &q, w, axle, arm);
        kane_gap *touch            = &g->touch[side];
        const kane_status status   = kane_contact_gap(wheels->contact, side, &path, touch);
        if (status != KANE_OK)
            return status;
        const double unit = 1.0 / kv3_norm(touch->push); // one newton along the normal
        g->push[side] = push_of(T, m, &q, w, &path, arm, kv3_scale(unit, touch->push), kv3_scale(unit, touch->twist));
        g->gap[side]  = touch->size * unit;
        g->rate[side] = touch->rate * unit;
        g->bias[side] = touch->bend * unit;
    }
    return KANE_OK;
}

// Lateral shift, yaw and roll of the wheelset as seen from between the rails, with their derivatives in time.
typedef struct attitude {
    double yaw, yaw_rate, yaw_bend, roll, roll_rate, roll_bend;
    kane_vec3 about_yaw, about_roll; // d(yaw), d(roll) by a rotation
} attitude;

// e = cos(roll) n + sin(roll) z,  n = (-sin(yaw), cos(yaw), 0),  dn/d(yaw) = f
static attitude attitude_of(const kane_wheel_path *path)
{
    const kane_vec3 e   = path->axle;
    const double across = sqrt(e.x * e.x + e.y * e.y), tangent = e.z / across;
    const kane_vec3 n = kv3(e.x / across, e.y / across, 0.0), f = kv3(-n.y, n.x, 0.0);
    const double roll_rate = path->axle_rate.z / across, yaw_rate = kv3_dot(f, path->axle_rate) / across;
    return (attitude){.yaw        = atan2(-e.x, e.y),
                      .yaw_rate   = yaw_rate,
                      .yaw_bend   = kv3_dot(f, path->axle_bend) / across + 2.0 * tangent * roll_rate * yaw_rate,
                      .roll       = atan2(e.z, across),
                      .roll_rate  = roll_rate,
                      .roll_bend  = path->axle_bend.z / across + tangent * roll_rate * roll_rate,
                      .about_yaw  = kv3(-tangent * n.x, -tangent * n.y, 1.0),
                      .about_roll = kv3(n.y, -n.x, 0.0)};
}

// value - F(y, yaw) = 0 with derivatives in time and gradient
typedef struct relation {
    double gap, rate, bend;
    kane_vec3 push, turn;
} relation;

static relation relate(const kane_guide_function *F, const kane_wheel_path *path, const attitude *a, double value,
                       double rate, double bend, kane_vec3 push, kane_vec3 turn)
{
    const double y_rate = path->centre_rate.y, w = a->yaw_rate;
    const double curve = F->by_y_y * y_rate * y_rate + 2.0 * F->by_y_yaw * y_rate * w + F->by_yaw_yaw * w * w;
    return (relation){.gap  = value - F->value,
                      .rate = rate - F->by_y * y_rate - F->by_yaw * w,
                      .bend = bend - F->by_y * path->centre_bend.y - F->by_yaw * a->yaw_bend - curve,
                      .push = kv3_add_scaled(push, -F->by_y, kv3_unit(1)),
                      .turn = kv3_add_scaled(turn, -F->by_yaw, a->about_yaw)};
}

// The wheelset between both rails: height and roll are functions of shift and yaw. A normal force of 1 N on one wheel
// pushes with its vertical part on the height, and with its moment about the roll's axis on the roll.
static kane_status touch_functions(const kane_wheels *wheels, const kane_transport *T, const section_motion *m,
                                   kane_vec3 axle, kane_wheels_state *w)
{
    kane_guidance *g           = &w->guidance;
    const view q               = from_middle(m, w);
    const kane_wheel_path path = see(m, &q, w, axle, kv3_zero());
    const attitude a           = attitude_of(&path);
    kane_guide_stand stand;
    const kane_status status = kane_guide_eval(wheels->guide, path.centre.y, a.yaw, &stand);
    if (status != KANE_OK)
        return status;

    const relation height = relate(&stand.height, &path, &a, path.centre.z, path.centre_rate.z, path.centre_bend.z,
                                   kv3_unit(2), kv3_zero());
    const relation roll   = relate(&stand.roll, &path, &a, a.roll, a.roll_rate, a.roll_bend, kv3_zero(), a.about_roll);
    for (int side = 0; side < 2; side++) {
        const double outside = side == KANE_LEFT ? 1.0 : -1.0;
        const kane_vec3 point =
            kv3_add_scaled(stand.touch[side].point, outside * wheels->wheel_distance[side], path.axle);
        const double up      = stand.touch[side].push.z,
                     tilt    = kv3_dot(kv3_cross(point, stand.touch[side].push), a.about_roll);
        const kane_vec3 push = kv3_add(kv3_scale(up, height.push), kv3_scale(tilt, roll.push));
        const kane_vec3 turn = kv3_add(kv3_scale(up, height.turn), kv3_scale(tilt, roll.turn));
        g->touch[side]       = stand.touch[side];
        g->push[side]        = push_of(T, m, &q, w, &path, kv3_zero(), push, turn);
        g->gap[side]         = up * height.gap + tilt * roll.gap;
        g->rate[side]        = up * height.rate + tilt * roll.rate;
        g->bias[side]        = up * height.bend + tilt * roll.bend;
    }
    return KANE_OK;
}

kane_status kane_guided_touch(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                              const kane_body_state *b, kane_wheels_state *w)
{
    const kane_body *body    = &model->bodies[wheels->body];
    const kane_transport *T  = &work->transport[body->frame];
    const section_motion m   = move(work, body, b, w);
    const kane_vec3 axle     = km3_tmulv(w->R_s, b->axle);
    const kane_status status = wheels->way == KANE_CONTACT_TABLES ? touch_functions(wheels, T, &m, axle, w)
                                                                  : touch_rails(wheels, T, &m, axle, w);
    for (int i = 0; i < 2 && status == KANE_OK; i++)
        w->guidance.answer[i] = accelerate(body, b, w->guidance.push[i]);
    return status;
}
