// SPDX-License-Identifier: MIT
// Normal forces of guided wheels: two gaps phi_i = 0 of each wheelset, differentiated twice (docs/guided.md).
//
// The acceleration of the body enters linearly:  phi'' = bias + push . (a', eps'),  and a normal force N is N push: what
// gives no work on any motion that keeps the gap. Creep forces depend on N, and so
//   bias + push . Theta^-1 (f + sum N_j push_j + sum T_j(N_j)) = 0
// is solved for the normal forces of both wheels by iteration.

#include "agem/guided.h"

#include "contact/grip.h"

static double work_of(kane_wrench w, kane_wrench motion)
{
    return kv3_dot(w.force, motion.force) + kv3_dot(w.torque, motion.torque);
}

static kane_wrench add_scaled(kane_wrench a, double s, kane_wrench b)
{
    return (kane_wrench){kv3_add_scaled(a.force, s, b.force), kv3_add_scaled(a.torque, s, b.torque)};
}

// A wrench at the mass centre, frame axes, as one about a wheel's centre, rail axes.
static kane_wrench to_wheel(const kane_transport *T, const kane_wheels_state *w, kane_side side, kane_wrench on_body)
{
    const kane_vec3 force  = km3_tmulv(w->R_s, km3_mulv(T->R, on_body.force));
    const kane_vec3 torque = kv3_sub(km3_tmulv(w->R_s, km3_mulv(T->R, on_body.torque)), kv3_cross(w->arm[side], force));
    return (kane_wrench){km3_tmulv(w->R_rail[side], force), km3_tmulv(w->R_rail[side], torque)};
}

// A wheel on its rail, and what a unit of each of its tangential forces is at the body's mass centre, frame axes.
typedef struct rolling {
    kane_grip grip;
    int count;
    kane_wrench unit[KANE_GRIP_FORCES];
} rolling;

static kane_status prepare(const kane_wheels *wheels, const kane_transport *T, const kane_wheels_state *w,
                           kane_side side, rolling *r)
{
    const kane_status status =
        kane_grip_prepare(wheels->contact, side, &w->guidance.touch[side], &w->motion[side], &r->grip);
    if (status != KANE_OK)
        return status;
    const kane_mat3 to_frame = km3_tmul(T->R, w->R_s), R = km3_mul(to_frame, w->R_rail[side]);
    const kane_vec3 arm = km3_mulv(to_frame, w->arm[side]);
    r->count            = kane_grip_count(&r->grip);
    for (int k = 0; k < r->count; k++) {
        const kane_wrench unit = kane_grip_unit(&r->grip, k);
        r->unit[k].force       = km3_mulv(R, unit.force);
        r->unit[k].torque      = kv3_add(km3_mulv(R, unit.torque), kv3_cross(arm, r->unit[k].force));
    }
    return KANE_OK;
}

static kane_wrench sum_of(const rolling *r, const double *force)
{
    kane_wrench sum = {kv3_zero(), kv3_zero()};
    for (int k = 0; k < r->count; k++)
        sum = add_scaled(sum, force[k], r->unit[k]);
    return sum;
}

kane_status kane_guided_wrench(const kane_wheels *wheels, const kane_transport *T, const kane_wheels_state *w,
                               kane_side side, double N, kane_wrench *out)
{
    rolling r;
    double force[KANE_GRIP_FORCES];
    kane_status status = prepare(wheels, T, w, side, &r);
    if (status == KANE_OK)
        status = kane_grip_eval(&r.grip, N, force);
    if (status == KANE_OK)
        *out = add_scaled(sum_of(&r, force), N, w->guidance.push[side]);
    return status;
}

// The two equations for the normal forces, ready to be iterated:
//   base_i + sum over wheels j of (normal_ij N_j + sum over forces k of by_ijk T_jk(N_j)) = 0
typedef struct equations {
    rolling wheel[2];
    double base[2], normal[2][2], by[2][2][KANE_GRIP_FORCES];
    double force[2][KANE_GRIP_FORCES], slope[2][KANE_GRIP_FORCES]; // T and dT/dN at N
} equations;

static kane_status set_up(const kane_body *body, const kane_wheels *wheels, const kane_transport *T, kane_body_state *b,
                          const kane_wheels_state *w, equations *q)
{
    const kane_guidance *g = &w->guidance;
    double u_dot[6];
    kane_body_solve(body, b, u_dot); // without the rails
    for (int j = 0; j < 2; j++) {
        const kane_status status = prepare(wheels, T, w, j, &q->wheel[j]);
        if (status != KANE_OK)
            return status;
        q->base[j] = g->bias[j] + work_of(g->push[j], (kane_wrench){b->a, b->e});
        for (int i = 0; i < 2; i++) {
            q->normal[i][j] = work_of(g->answer[i], g->push[j]);
            for (int k = 0; k < q->wheel[j].count; k++)
                q->by[i][j][k] = work_of(g->answer[i], q->wheel[j].unit[k]);
        }
    }
    return KANE_OK;
}

// Forces under N, and their slope by a difference.
static kane_status look_around(const rolling *r, double N, double force[KANE_GRIP_FORCES],
                               double slope[KANE_GRIP_FORCES])
{
    const double h = 1e-5 * fmax(N, 1.0);
    double up[KANE_GRIP_FORCES];
    kane_status status = kane_grip_eval(&r->grip, N, force);
    if (status == KANE_OK)
        status = kane_grip_eval(&r->grip, N + h, up);
    for (int k = 0; k < r->count; k++)
        slope[k] = (up[k] - force[k]) / h;
    return status;
}

// Takes the forces of wheel j at another N; their slope becomes that of the way there, if it is long enough to tell.
static kane_status go(equations *q, int j, double from, double to)
{
    const int tells = fabs(to - from) > 1e-6 * fabs(to);
    double there[KANE_GRIP_FORCES];
    const kane_status status = kane_grip_eval(&q->wheel[j].grip, to, there);
    for (int k = 0; k < q->wheel[j].count; k++) {
        if (tells)
            q->slope[j][k] = (there[k] - q->force[j][k]) / (to - from);
        q->force[j][k] = there[k];
    }
    return status;
}

// d(acceleration of gap i)/d(N_j), inverted; 0 if it has no inverse.
static int linearise(const equations *q, double inverse[2][2])
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            inverse[i][j] = q->normal[i][j];
            for (int k = 0; k < q->wheel[j].count; k++)
                inverse[i][j] += q->by[i][j][k] * q->slope[j][k];
        }
    return kane_guided_invert(inverse);
}

// What the gaps would accelerate.
static double residual(const equations *q, int i, const double N[2])
{
    double sum = q->base[i];
    for (int j = 0; j < 2; j++) {
        sum += q->normal[i][j] * N[j];
        for (int k = 0; k < q->wheel[j].count; k++)
            sum += q->by[i][j][k] * q->force[j][k];
    }
    return sum;
}

// Normal forces of a wheelset under the generalised forces of its body. They start from the static ones, so that the result
// depends on nothing else. Newton's method with the slopes of creep forces along the way gone.
static kane_status solve(const kane_wheels *wheels, equations *q, kane_guidance *g)
{
    double inverse[2][2];
    const double enough = 1e-13 * (fabs(wheels->load[0]) + fabs(wheels->load[1]));
    kane_status status  = KANE_OK;
    for (int j = 0; j < 2 && status == KANE_OK; j++) {
        g->N[j] = wheels->load[j];
        status  = look_around(&q->wheel[j], g->N[j], q->force[j], q->slope[j]);
    }
    for (int iteration = 0; iteration < 60 && status == KANE_OK; iteration++) {
        const double missing[2] = {residual(q, 0, g->N), residual(q, 1, g->N)};
        double size             = 0.0;
        if (!linearise(q, inverse))
            return KANE_RETRY;
        for (int j = 0; j < 2 && status == KANE_OK; j++) {
            const double step = inverse[j][0] * missing[0] + inverse[j][1] * missing[1];
            size += fabs(step);
            status = isfinite(step) ? go(q, j, g->N[j], g->N[j] - step) : KANE_RETRY;
            g->N[j] -= step;
        }
        if (!(size > enough) && iteration >= 1)
            return status;
    }
    return status == KANE_OK ? KANE_RETRY : status;
}

// Hands the forces on to the body, and to whoever asks for the contact.
static void apply(const equations *q, const kane_transport *T, kane_body_state *b, kane_wheels_state *w)
{
    const kane_guidance *g = &w->guidance;
    for (int side = 0; side < 2; side++) {
        const rolling *r            = &q->wheel[side];
        kane_contact_result *result = &w->result[side];
        const kane_wrench on_body   = add_scaled(sum_of(r, q->force[side]), g->N[side], g->push[side]);
        kane_grip_report(&r->grip, g->N[side], q->force[side], &result->patch[0]);
        result->patch_count = g->N[side] > 0.0;
        result->on_wheel    = to_wheel(T, w, side, on_body);
        b->free             = kw_add(b->free, on_body);
        b->applied.force    = kv3_add(b->applied.force, km3_mulv(T->R, on_body.force));
        b->applied.torque   = kv3_add(b->applied.torque, km3_mulv(T->R, on_body.torque));
    }
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
        equations q;
        status = set_up(body, wheels, T, b, &work->wheels[i], &q);
        if (status != KANE_OK)
            return kane_work_fail(work, status, body->name, "the creep law of its wheels cannot be evaluated");
        status = solve(wheels, &q, &work->wheels[i].guidance);
        if (status != KANE_OK)
            return kane_work_fail(work, status, body->name, "no normal forces keep its wheels on the rails");
        apply(&q, T, b, &work->wheels[i]);
    }
    return KANE_OK;
}

kane_status kane_guided_linearise(const kane_model *model, kane_work *work, const kane_wheels *wheels)
{
    const kane_body *body   = &model->bodies[wheels->body];
    const kane_transport *T = &work->transport[body->frame];
    kane_wheels_state *w    = &work->wheels[body->wheels];
    kane_guidance *g        = &w->guidance;
    double slope[2][KANE_GRIP_FORCES], force[KANE_GRIP_FORCES];
    for (int j = 0; j < 2; j++) {
        rolling r;
        kane_status status = prepare(wheels, T, w, j, &r);
        if (status == KANE_OK)
            status = look_around(&r, g->N[j], force, slope[j]);
        if (status != KANE_OK)
            return status;
        g->gain[j] = kw_add(g->push[j], sum_of(&r, slope[j]));
        for (int i = 0; i < 2; i++)
            g->inverse[i][j] = work_of(g->answer[i], g->gain[j]);
    }
    return kane_guided_invert(g->inverse) ? KANE_OK : KANE_RETRY;
}

kane_wrench kane_guided_pass(const kane_guidance *g, kane_wrench wrench, const double bias[2])
{
    const double missing[2] = {bias[0] + work_of(g->answer[0], wrench), bias[1] + work_of(g->answer[1], wrench)};
    for (int i = 0; i < 2; i++)
        wrench = add_scaled(wrench, -(g->inverse[i][0] * missing[0] + g->inverse[i][1] * missing[1]), g->gain[i]);
    return wrench;
}
