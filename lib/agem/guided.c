// SPDX-License-Identifier: MIT
// Contact as a constraint: two gaps phi_i = 0 of each wheelset, differentiated twice (docs/contact.md).
//
// A wheel is seen from its rail's section Q, which goes along with the wheelset: with the section's speed sigma along the
// line and the turn K of the rail's axes per metre,
//   omega_Q = sigma K,   epsilon_Q = sigma' K + sigma^2 K',   and Q's origin moves along Q's x axis.
// The gap's derivatives follow from the relative motion (kane_contact_touch). The acceleration of the body enters
// linearly:  phi'' = bias + push . (a', eps'),  and a normal force N is N push: what gives no work on any motion that
// keeps the gap. Creep forces depend on N, and so
//   bias + push . Theta^-1 (f + sum N_j push_j + sum T_j(N_j)) = 0
// is solved for the normal forces of both wheels by iteration.

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

static double work_of(kane_wrench w, kane_wrench motion)
{
    return kv3_dot(w.force, motion.force) + kv3_dot(w.torque, motion.torque);
}

static kane_wrench add_scaled(kane_wrench a, double s, kane_wrench b)
{
    return (kane_wrench){kv3_add_scaled(a.force, s, b.force), kv3_add_scaled(a.torque, s, b.torque)};
}

// A wrench about a wheel's centre, rail axes, as one at the mass centre, frame axes.
static kane_wrench to_body(const kane_transport *T, const kane_wheels_state *w, kane_side side, kane_wrench on_wheel)
{
    const kane_vec3 force  = km3_mulv(w->R_rail[side], on_wheel.force);
    const kane_vec3 torque = kv3_add(km3_mulv(w->R_rail[side], on_wheel.torque), kv3_cross(w->arm[side], force));
    return (kane_wrench){km3_tmulv(T->R, km3_mulv(w->R_s, force)), km3_tmulv(T->R, km3_mulv(w->R_s, torque))};
}

// Absolute motion of the body in section axes, accelerations without those relative to its frame.
typedef struct section_motion {
    kane_vec3 v, w, a, e;
    kane_vec3 Omega_s;              // of the line [rad/m^2]
    double sigma, sigma_dot, share; // speed of the section; its derivative without relative accelerations, and by a'_x
} section_motion;

static section_motion move(const kane_model *model, const kane_work *work, const kane_body *body,
                           const kane_body_state *b, const kane_wheels_state *w)
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
    (void)model;

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

// How a rail's axes turn per metre of the line, as components in them, and how fast its origin moves along them per metre.
typedef struct rail_turn {
    kane_vec3 K, K_s;
    double length;
} rail_turn;

static rail_turn turn_of(const section_motion *m, const kane_wheels_state *w, kane_side side)
{
    const kane_rail_offset *o = &w->offset[side];
    const kane_mat3 R         = w->R_rail[side];
    const kane_vec3 p = w->rail[side], slope = kv3(0.0, o->y_s, o->z_s);
    const kane_vec3 t = kv3_add(kv3_add(kv3(1.0, 0.0, 0.0), slope), kv3_cross(w->Omega, p));
    const kane_vec3 t_s =
        kv3_add(kv3_add(kv3(0.0, o->y_ss, o->z_ss), kv3_cross(m->Omega_s, p)), kv3_cross(w->Omega, slope));
    const double length = kv3_norm(t);
    const kane_vec3 x_s = kv3_scale(1.0 / length, kv3_add_scaled(t_s, -kv3_dot(R.x, t_s), R.x));
    const double left = kv3_dot(x_s, R.y), up = kv3_dot(x_s, R.z);
    const kane_vec3 own = kv3(-R.x.y * up / sqrt(1.0 - R.x.y * R.x.y), -up, left), line = km3_tmulv(R, w->Omega);
    // what the rail's own curvature changes along it is left out: it meets lengths of millimetres
    return (rail_turn){
        .K = kv3_add(line, own), .K_s = kv3_sub(km3_tmulv(R, m->Omega_s), kv3_cross(own, line)), .length = length};
}

static kane_status touch_wheel(const kane_wheels *wheels, const kane_transport *T, const section_motion *m,
                               kane_wheels_state *w, kane_side side)
{
    kane_guidance *g     = &w->guidance;
    const kane_mat3 R    = w->R_rail[side];
    const kane_vec3 arm  = w->arm[side];
    const rail_turn rail = turn_of(m, w, side);
    const kane_vec3 spin = w->motion[side].omega, c = w->motion[side].centre, e = w->motion[side].axle;
    const kane_vec3 omega   = kv3_scale(m->sigma, rail.K);
    const kane_vec3 epsilon = kv3_add_scaled(kv3_scale(m->sigma_dot, rail.K), m->sigma * m->sigma, rail.K_s);
    const kane_vec3 along   = kv3(m->sigma * rail.length, 0.0, 0.0);

    const kane_vec3 whirl      = kv3_cross(m->w, kv3_cross(m->w, arm));
    const kane_vec3 a          = km3_tmulv(R, kv3_add(kv3_add(m->a, kv3_cross(m->e, arm)), whirl));
    const kane_vec3 c_rate     = kv3_sub(kv3_sub(w->motion[side].velocity, along), kv3_cross(omega, c));
    const kane_vec3 fall       = kv3_add(kv3_cross(omega, along), kv3_cross(epsilon, c));
    const kane_vec3 swing      = kv3_cross(omega, kv3_add_scaled(kv3_cross(omega, c), 2.0, c_rate));
    const kane_vec3 turn       = kv3_sub(spin, omega);
    const kane_vec3 turn_rate  = kv3_sub(kv3_sub(km3_tmulv(R, m->e), epsilon), kv3_cross(omega, spin));
    const kane_vec3 e_rate     = kv3_cross(turn, e);
    const kane_wheel_path path = {.centre      = c,
                                  .centre_rate = c_rate,
                                  .centre_bend = kv3_sub(kv3_sub(a, fall), swing),
                                  .axle        = e,
                                  .axle_rate   = e_rate,
                                  .axle_bend   = kv3_add(kv3_cross(turn_rate, e), kv3_cross(turn, e_rate))};
    kane_touch *touch          = &g->touch[side];
    const kane_status status   = kane_contact_touch(wheels->contact, side, &path, touch);
    if (status != KANE_OK)
        return status;

    // unit of force: one newton along the normal. A rail that twists pushes forward a little, too
    const double unit  = 1.0 / kv3_norm(touch->push);
    const double twist = kv3_dot(rail.K, kv3_add(kv3_cross(c, touch->push), touch->twist)) * m->share;
    kane_wrench push = to_body(T, w, side, (kane_wrench){kv3_scale(unit, touch->push), kv3_scale(unit, touch->twist)});
    push.force       = kv3_add_scaled(push.force, -twist * unit, km3_tmulv(T->R, w->R_s.x));
    g->push[side]    = push;
    g->rate[side]    = touch->gap_rate * unit;
    g->bias[side]    = touch->gap_bend * unit;
    return KANE_OK;
}

kane_status kane_guided_touch(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                              const kane_body_state *b, kane_wheels_state *w)
{
    const kane_body *body   = &model->bodies[wheels->body];
    const kane_transport *T = &work->transport[body->frame];
    const section_motion m  = move(model, work, body, b, w);
    kane_status status      = touch_wheel(wheels, T, &m, w, KANE_LEFT);
    if (status == KANE_OK)
        status = touch_wheel(wheels, T, &m, w, KANE_RIGHT);
    for (int i = 0; i < 2 && status == KANE_OK; i++)
        w->guidance.answer[i] = accelerate(body, b, w->guidance.push[i]);
    return status;
}

// Inverse of a matrix of order two; 0 if it has none.
static int invert(double m[2][2])
{
    const double a = m[0][0], b = m[0][1], c = m[1][0], d = m[1][1], determinant = a * d - b * c;
    if (!(fabs(determinant) > 1e-12 * (fabs(a * d) + fabs(b * c))))
        return 0;
    m[0][0] = d / determinant;
    m[0][1] = -b / determinant;
    m[1][0] = -c / determinant;
    m[1][1] = a / determinant;
    return 1;
}

// Tangential forces of one wheel under N, at the mass centre, frame axes.
static kane_wrench creep(const kane_wheels *wheels, const kane_transport *T, const kane_wheels_state *w, kane_side side,
                         double N, kane_patch *patch)
{
    return to_body(T, w, side,
                   kane_contact_roll(wheels->contact, side, &w->guidance.touch[side], &w->motion[side], N, patch));
}

kane_wrench kane_guided_wrench(const kane_wheels *wheels, const kane_transport *T, const kane_wheels_state *w,
                               kane_side side, double N)
{
    return add_scaled(creep(wheels, T, w, side, N, NULL), N, w->guidance.push[side]);
}

// d(acceleration of gap i)/d(N_j), inverted, with creep forces as they are near the normal forces N.
static int linearise(const kane_wheels *wheels, const kane_transport *T, kane_wheels_state *w, const double N[2])
{
    kane_guidance *g = &w->guidance;
    for (int j = 0; j < 2; j++) {
        const double h       = 1e-4 * fmax(N[j], 1.0);
        const kane_wrench up = creep(wheels, T, w, j, N[j] + h, NULL), at = creep(wheels, T, w, j, N[j], NULL);
        g->gain[j] = add_scaled(g->push[j], 1.0 / h, add_scaled(up, -1.0, at));
        for (int i = 0; i < 2; i++)
            g->inverse[i][j] = work_of(g->answer[i], g->gain[j]);
    }
    return invert(g->inverse);
}

// What the gaps would accelerate with these normal forces; base: without them.
static void residual(const kane_wheels *wheels, const kane_transport *T, const kane_wheels_state *w,
                     const double base[2], const double N[2], double out[2])
{
    const kane_guidance *g = &w->guidance;
    kane_wrench sum        = {kv3_zero(), kv3_zero()};
    for (int j = 0; j < 2; j++)
        sum = kw_add(sum, kane_guided_wrench(wheels, T, w, j, N[j]));
    for (int i = 0; i < 2; i++)
        out[i] = base[i] + work_of(g->answer[i], sum);
}

// Normal forces of a wheelset under the generalised forces of its body, starting from the static ones: the result
// depends on nothing else.
static kane_status solve(const kane_body *body, const kane_wheels *wheels, const kane_transport *T, kane_body_state *b,
                         kane_wheels_state *w)
{
    kane_guidance *g = &w->guidance;
    double base[2], missing[2], u_dot[6];
    kane_body_solve(body, b, u_dot); // without the rails
    for (int i = 0; i < 2; i++) {
        base[i] = g->bias[i] + work_of(g->push[i], (kane_wrench){b->a, b->e});
        g->N[i] = wheels->load[i];
    }
    const double enough = 1e-13 * (fabs(wheels->load[0]) + fabs(wheels->load[1]));
    for (int iteration = 0; iteration < 60; iteration++) {
        if (iteration < 2 && !linearise(wheels, T, w, g->N))
            return KANE_RETRY;
        double size = 0.0;
        residual(wheels, T, w, base, g->N, missing);
        for (int i = 0; i < 2; i++) {
            const double step = g->inverse[i][0] * missing[0] + g->inverse[i][1] * missing[1];
            g->N[i] -= step;
            size += fabs(step);
        }
        if (!(size > enough) && iteration >= 1)
            return size == size ? KANE_OK : KANE_RETRY;
    }
    return KANE_RETRY;
}

// Hands the forces on to the body, and to whoever asks for the contact.
static void apply(const kane_wheels *wheels, const kane_transport *T, kane_body_state *b, kane_wheels_state *w)
{
    const kane_guidance *g = &w->guidance;
    for (int side = 0; side < 2; side++) {
        kane_contact_result *result = &w->result[side];
        kane_wrench on_body =
            add_scaled(creep(wheels, T, w, side, g->N[side], &result->patch[0]), g->N[side], g->push[side]);
        const double unit   = g->N[side] / kv3_norm(g->touch[side].push);
        result->patch_count = g->N[side] > 0.0;
        result->on_wheel =
            kane_contact_roll(wheels->contact, side, &g->touch[side], &w->motion[side], g->N[side], NULL);
        result->on_wheel = add_scaled(result->on_wheel, unit, (kane_wrench){g->touch[side].push, g->touch[side].twist});
        b->free          = kw_add(b->free, on_body);
        b->applied.force = kv3_add(b->applied.force, km3_mulv(T->R, on_body.force));
        b->applied.torque = kv3_add(b->applied.torque, km3_mulv(T->R, on_body.torque));
    }
}

kane_status kane_guided_eval(const kane_model *model, kane_work *work)
{
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_wheels *wheels = &model->wheels[i];
        if (wheels->way == KANE_CONTACT_ELASTIC)
            continue;
        const kane_body *body   = &model->bodies[wheels->body];
        const kane_transport *T = &work->transport[body->frame];
        kane_body_state *b      = &work->body[wheels->body];
        kane_status status      = kane_guided_touch(model, work, wheels, b, &work->wheels[i]);
        if (status != KANE_OK)
            return kane_work_fail(work, status, body->name, "a wheel of it is far from any place on its rail");
        status = solve(body, wheels, T, b, &work->wheels[i]);
        if (status != KANE_OK)
            return kane_work_fail(work, status, body->name, "no normal forces keep its wheels on the rails");
        apply(wheels, T, b, &work->wheels[i]);
    }
    return KANE_OK;
}

kane_wrench kane_guided_pass(const kane_guidance *g, kane_wrench wrench, const double bias[2])
{
    const double missing[2] = {bias[0] + work_of(g->answer[0], wrench), bias[1] + work_of(g->answer[1], wrench)};
    for (int i = 0; i < 2; i++)
        wrench = add_scaled(wrench, -(g->inverse[i][0] * missing[0] + g->inverse[i][1] * missing[1]), g->gain[i]);
    return wrench;
}
