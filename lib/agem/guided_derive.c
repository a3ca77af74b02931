// SPDX-License-Identifier: MIT
// Derivatives of what guided wheels get from their rails.
//
// Differentiated are  Theta u' = f + C(N, x)  and  bias(x) + push(x) . V_dot = 0:  while N and V_dot stay, a state x changes
// C and the gaps' accelerations (columns, by differences of the geometry of one wheelset); N follows, so that the gaps
// stay (kane_guided_pass). Where height and roll follow from the rails, a state also moves the body by more than itself.

#include "agem/guided.h"

#include "agem/reduce.h"

#include <string.h>

// Steps of coordinates [m, rad] and speeds [m/s, rad/s]: small against the depth over which contact is smooth (2e-5 m).
static const double coordinate_step = 1e-7, speed_step = 1e-5;

// One wheelset in a state close to the one of the last evaluation.
typedef struct neighbour {
    kane_body_state b;
    kane_wheels_state w;
    double rates[KANE_COORDINATES];
} neighbour;

// Changes state c of the body by h.
static kane_status move(const kane_model *model, const kane_work *work, const kane_wheels *wheels, int c, double h,
                        neighbour *n)
{
    const kane_body *body       = &model->bodies[wheels->body];
    const kane_transport *T     = &work->transport[body->frame];
    const kane_transport *track = &work->transport[body->level_frame];
    const kane_body_state *here = &work->body[wheels->body];
    double q[KANE_COORDINATES], u[6];
    memcpy(q, here->q, sizeof q);
    kane_reduce_speeds(body, here, u);
    *(c < KANE_COORDINATES ? &q[c] : &u[c - KANE_COORDINATES]) += h;

    n->b = *here;
    n->w = work->wheels[body->wheels];
    if (body->follows && c >= KANE_COORDINATES) // it stands where it does here
        kane_guided_speed(body, T, track, q, u, &n->b, &n->w);
    else if (body->follows)
        kane_guided_follow(model, work, wheels, q, u, &n->b, &n->w);
    else
        kane_body_move(body, T, track, q, u, &n->b);
    kane_wheels_observe_body(model, work, wheels, &n->b, &n->w);
    kane_rates_from_velocity(n->b.q, n->b.v, n->b.w, n->rates);
    return kane_guided_touch(model, work, wheels, &n->b, &n->w);
}

// What the rails do there while the normal forces stay as they are.
static kane_wrench wrench_at(const kane_wheels *wheels, const neighbour *n, const double N[2])
{
    return kw_add(kane_guided_wrench(wheels, &n->w, KANE_LEFT, N[KANE_LEFT]),
                  kane_guided_wrench(wheels, &n->w, KANE_RIGHT, N[KANE_RIGHT]));
}

static double bias_at(const neighbour *n, int i, const kane_body_state *here)
{
    const kane_guidance *g = &n->w.guidance;
    return g->bias[i] + kv3_dot(g->push[i].force, here->a) + kv3_dot(g->push[i].torque, here->e);
}

static kane_vec3 slope(kane_vec3 up, kane_vec3 down, double per_step)
{
    return kv3_scale(per_step, kv3_sub(up, down));
}

// How the body moves from one neighbour to the other.
static void fill_motion(const kane_body_state *here, const neighbour *down, const neighbour *up, double per_step,
                        kane_guided_column *column)
{
    const double yaw            = per_step * (up->b.q[KANE_YAW] - down->b.q[KANE_YAW]);
    const double roll           = per_step * (up->b.q[KANE_ROLL] - down->b.q[KANE_ROLL]);
    const double pitch          = per_step * (up->b.q[KANE_PITCH] - down->b.q[KANE_PITCH]);
    const kane_vec3 turn        = kv3_add_scaled(kv3_scale(yaw, here->turn[0]), roll, here->turn[1]);
    column->motion[KANE_MOVES]  = slope(up->b.r, down->b.r, per_step);
    column->motion[KANE_TURNS]  = kv3_add_scaled(turn, pitch, here->turn[2]);
    column->motion[KANE_SPEEDS] = slope(up->b.v, down->b.v, per_step);
    column->motion[KANE_SPINS]  = slope(up->b.w, down->b.w, per_step);
    for (int c = 0; c < KANE_COORDINATES; c++)
        column->rates[c] = per_step * (up->rates[c] - down->rates[c]);
}

kane_status kane_guided_derive(const kane_model *model, kane_work *work, const kane_wheels *wheels,
                               kane_guided_column columns[KANE_BODY_STATES])
{
    const kane_body *body       = &model->bodies[wheels->body];
    const kane_body_state *here = &work->body[wheels->body];
    const double *N             = work->wheels[body->wheels].guidance.N;

    kane_status status = kane_guided_linearise(wheels, &work->wheels[body->wheels]);

    memset(columns, 0, KANE_BODY_STATES * sizeof *columns);
    if (status != KANE_OK)
        return status;
    for (int c = 0; c < KANE_COORDINATES + body->u_count; c++) {
        const double h = c < KANE_COORDINATES ? coordinate_step : speed_step, per_step = 0.5 / h;
        neighbour down, up;
        if (c == KANE_PITCH || (body->follows && (c == KANE_Z || c == KANE_ROLL))) // nothing depends on these
            continue;
        status = move(model, work, wheels, c, -h, &down);
        if (status == KANE_OK)
            status = move(model, work, wheels, c, h, &up);
        if (status != KANE_OK)
            return status;
        const kane_wrench w0 = wrench_at(wheels, &down, N), w1 = wrench_at(wheels, &up, N);
        columns[c].wrench = (kane_wrench){slope(w1.force, w0.force, per_step), slope(w1.torque, w0.torque, per_step)};
        for (int i = 0; i < 2; i++)
            columns[c].bias[i] = per_step * (bias_at(&up, i, here) - bias_at(&down, i, here));
        fill_motion(here, &down, &up, per_step, &columns[c]);
    }
    return KANE_OK;
}
