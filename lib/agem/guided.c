// SPDX-License-Identifier: MIT
// Normal forces of guided wheels: two gaps phi_i = 0 of each wheelset, differentiated twice (docs/guided.md).
//
// The acceleration of the body enters linearly:  phi'' = bias + push . (a', eps'),  and a normal force N is N push: what
// gives no work on any motion that keeps the gap. Creep forces depend on N, and so
//   bias + push . Theta^-1 (f + sum N_j push_j + sum T_j(N_j)) = 0
// is solved for the normal forces of both wheels by iteration.

#include "agem/guided.h"

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

// The other way round.
static kane_wrench to_wheel(const kane_transport *T, const kane_wheels_state *w, kane_side side, kane_wrench on_body)
{
    const kane_vec3 force  = km3_tmulv(w->R_s, km3_mulv(T->R, on_body.force));
    const kane_vec3 torque = kv3_sub(km3_tmulv(w->R_s, km3_mulv(T->R, on_body.torque)), kv3_cross(w->arm[side], force));
    return (kane_wrench){km3_tmulv(w->R_rail[side], force), km3_tmulv(w->R_rail[side], torque)};
}

// Tangential forces of one wheel under N, at the mass centre, frame axes; not finite if its law fails.
static kane_wrench creep(const kane_wheels *wheels, const kane_transport *T, const kane_wheels_state *w, kane_side side,
                         double N)
{
    kane_wrench on_wheel;
    if (kane_contact_roll(wheels->contact, side, &w->guidance.touch[side], &w->motion[side], N, &on_wheel, NULL) !=
        KANE_OK)
        on_wheel.force.x = (double)NAN;
    return to_body(T, w, side, on_wheel);
}

kane_wrench kane_guided_wrench(const kane_wheels *wheels, const kane_transport *T, const kane_wheels_state *w,
                               kane_side side, double N)
{
    return add_scaled(creep(wheels, T, w, side, N), N, w->guidance.push[side]);
}

// d(acceleration of gap i)/d(N_j), inverted, with creep forces as they are near the normal forces N, where they are `at`.
static int linearise(const kane_wheels *wheels, const kane_transport *T, kane_wheels_state *w, const double N[2],
                     const kane_wrench at[2])
{
    kane_guidance *g = &w->guidance;
    for (int j = 0; j < 2; j++) {
        const double h       = 1e-4 * fmax(N[j], 1.0);
        const kane_wrench up = creep(wheels, T, w, j, N[j] + h);
        g->gain[j]           = add_scaled(g->push[j], 1.0 / h, add_scaled(up, -1.0, at[j]));
        for (int i = 0; i < 2; i++)
            g->inverse[i][j] = work_of(g->answer[i], g->gain[j]);
    }
    return kane_guided_invert(g->inverse);
}

// What the gaps would accelerate with these normal and creep forces; base: without them.
static void residual(const kane_guidance *g, const double base[2], const double N[2], const kane_wrench at[2],
                     double out[2])
{
    kane_wrench sum = {kv3_zero(), kv3_zero()};
    for (int j = 0; j < 2; j++)
        sum = kw_add(sum, add_scaled(at[j], N[j], g->push[j]));
    for (int i = 0; i < 2; i++)
        out[i] = base[i] + work_of(g->answer[i], sum);
}

// Normal forces of a wheelset under the generalised forces of its body. They start from the static ones, so that the result
// depends on nothing else. Two linearisations suffice, but where a law without a limit makes friction as large as what it
// depends on.
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
        const kane_wrench at[2] = {creep(wheels, T, w, KANE_LEFT, g->N[0]), creep(wheels, T, w, KANE_RIGHT, g->N[1])};
        if ((iteration < 2 || iteration % 10 == 0) && !linearise(wheels, T, w, g->N, at))
            return KANE_RETRY;
        double size = 0.0;
        residual(g, base, g->N, at, missing);
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
static kane_status apply(const kane_wheels *wheels, const kane_transport *T, kane_body_state *b, kane_wheels_state *w)
{
    const kane_guidance *g = &w->guidance;
    for (int side = 0; side < 2; side++) {
        const kane_gap *touch       = &g->touch[side];
        kane_contact_result *result = &w->result[side];
        kane_wrench on_wheel;
        const kane_status status =
            kane_contact_roll(wheels->contact, side, touch, &w->motion[side], g->N[side], &on_wheel, &result->patch[0]);
        if (status != KANE_OK)
            return status;
        const kane_wrench on_body = add_scaled(to_body(T, w, side, on_wheel), g->N[side], g->push[side]);
        result->patch_count       = g->N[side] > 0.0;
        result->on_wheel          = add_scaled(on_wheel, g->N[side], to_wheel(T, w, side, g->push[side]));
        b->free                   = kw_add(b->free, on_body);
        b->applied.force          = kv3_add(b->applied.force, km3_mulv(T->R, on_body.force));
        b->applied.torque         = kv3_add(b->applied.torque, km3_mulv(T->R, on_body.torque));
    }
    return KANE_OK;
}

kane_status kane_guided_lose(kane_work *work, kane_status status, const kane_wheels *wheels, const kane_body *body)
{
    return kane_work_fail(
        work, status, body->name,
        wheels->way == KANE_CONTACT_TABLES
            ? "it is off the tables of contact: shifted by more than 10 mm, or turned by more than 30 mrad"
            : "a wheel of it is far from any place on its rail");
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
            return kane_guided_lose(work, status, wheels, body);
        const double *gap = work->wheels[i].guidance.gap;
        if (body->follows && !(fabs(gap[0]) + fabs(gap[1]) <= KANE_GAP_LEFT))
            return kane_work_fail(work, KANE_RETRY, body->name, "no height and roll put its wheels on the rails");
        status = solve(body, wheels, T, b, &work->wheels[i]);
        if (status != KANE_OK)
            return kane_work_fail(work, status, body->name, "no normal forces keep its wheels on the rails");
        status = apply(wheels, T, b, &work->wheels[i]);
        if (status != KANE_OK)
            return kane_work_fail(work, status, body->name, "the creep law of its wheels cannot be evaluated");
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
