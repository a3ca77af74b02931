// SPDX-License-Identifier: MIT
// Derivatives of what guided wheels get from their rails.
//
// Differentiated are  Theta u' = f + C(N, x)  and  bias(x) + push(x) . V_dot = 0:  while N and V_dot stay, a state x changes
// C and the gaps' accelerations (columns, by differences of the geometry of one wheelset); N follows, so that the gaps
// stay (kane_guided_pass).

#include "agem/guided.h"

#include "agem/reduce.h"

#include <string.h>

// Steps of coordinates [m, rad] and speeds [m/s, rad/s]: small against the depth over which contact is smooth (2e-5 m).
static const double coordinate_step = 1e-7, speed_step = 1e-5;

static kane_status look(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                        const kane_wheels_state *w, const kane_body_state *b, kane_guided_column *out)
{
    kane_wheels_state there   = *w;
    const kane_body *body     = &model->bodies[wheels->body];
    const kane_body_state *at = &work->body[wheels->body];
    kane_wheels_observe_body(model, work, wheels, b, &there);
    const kane_status status = kane_guided_touch(model, work, wheels, b, &there);
    if (status != KANE_OK)
        return status;
    const kane_guidance *g = &there.guidance;
    out->wrench            = (kane_wrench){kv3_zero(), kv3_zero()};
    for (int i = 0; i < 2; i++) {
        out->wrench =
            kw_add(out->wrench, kane_guided_wrench(wheels, &work->transport[body->frame], &there, i, g->N[i]));
        out->bias[i] = g->bias[i] + kv3_dot(g->push[i].force, at->a) + kv3_dot(g->push[i].torque, at->e);
    }
    return KANE_OK;
}

kane_status kane_guided_derive(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                               const kane_wheels_state *w, kane_guided_column columns[KANE_BODY_STATES])
{
    const kane_body *body       = &model->bodies[wheels->body];
    const kane_transport *T     = &work->transport[body->frame];
    const kane_transport *track = &work->transport[body->track_frame];
    double q[KANE_COORDINATES], u[6];

    memset(columns, 0, KANE_BODY_STATES * sizeof *columns);
    for (int c = 0; c < KANE_COORDINATES + body->u_count; c++) {
        const double h = c < KANE_COORDINATES ? coordinate_step : speed_step;
        kane_guided_column side[2];
        if (c == KANE_PITCH) // nothing depends on the spin angle
            continue;
        for (int up = 0; up < 2; up++) {
            kane_body_state b = work->body[wheels->body];
            memcpy(q, b.q, sizeof q);
            kane_reduce_speeds(body, &b, u);
            *(c < KANE_COORDINATES ? &q[c] : &u[c - KANE_COORDINATES]) += up ? h : -h;
            kane_body_move(body, T, track, q, u, &b);
            const kane_status status = look(model, work, wheels, w, &b, &side[up]);
            if (status != KANE_OK)
                return status;
        }
        const double per_step    = 0.5 / h;
        columns[c].wrench.force  = kv3_scale(per_step, kv3_sub(side[1].wrench.force, side[0].wrench.force));
        columns[c].wrench.torque = kv3_scale(per_step, kv3_sub(side[1].wrench.torque, side[0].wrench.torque));
        for (int i = 0; i < 2; i++)
            columns[c].bias[i] = per_step * (side[1].bias[i] - side[0].bias[i]);
    }
    return KANE_OK;
}
