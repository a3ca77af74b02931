// SPDX-License-Identifier: MIT
// The derivative of a force law by all that it sees of the motion, relative and absolute, and by its states: its own, or by
// central differences.

#include "agem/element.h"

#include "tree/gradient.h"

#include <stddef.h>
#include <string.h>

// What a law gives: the wrench on b, axes of a, and the rates of its states.
typedef struct answer {
    kane_wrench on_b;
    double rate[KANE_LAW_STATES];
} answer;

static kane_status ask(const kane_element *element, kane_element_motion *m, answer *out)
{
    m->relative.absolute     = element->absolute ? &m->absolute : NULL;
    const kane_status status = kane_element_eval(element, m, &out->on_b);
    return status == KANE_OK && element->state_count > 0 ? kane_element_rates(element, m, out->rate) : status;
}

// Answers on both sides become slopes, left in the first.
static void slope_of(const kane_element *element, answer side[2], double step)
{
    const double scale  = 0.5 / step;
    side[0].on_b.force  = kv3_scale(scale, kv3_sub(side[1].on_b.force, side[0].on_b.force));
    side[0].on_b.torque = kv3_scale(scale, kv3_sub(side[1].on_b.torque, side[0].on_b.torque));
    for (int i = 0; i < element->state_count; i++)
        side[0].rate[i] = scale * (side[1].rate[i] - side[0].rate[i]);
}

// Column k of d(force, torque)/d(d, phi, v, w).
static void put_motion_slope(const kane_element *element, int k, const answer *slope, kane_law_derivative *out)
{
    kane_mat3 *const block[KANE_MOTIONS][2] = {{&out->force_d, &out->torque_d},
                                               {&out->force_phi, &out->torque_phi},
                                               {&out->force_v, &out->torque_v},
                                               {&out->force_w, &out->torque_w}};
    km3_set_column(block[k / 3][0], k % 3, slope->on_b.force);
    km3_set_column(block[k / 3][1], k % 3, slope->on_b.torque);
    for (int i = 0; i < element->state_count; i++) {
        kane_law_state_derivative *state = &out->state[i];
        kane_vec3 *const row[]           = {&state->rate_d, &state->rate_phi, &state->rate_v, &state->rate_w};
        *row[k / 3]                      = kv3_add_scaled(*row[k / 3], slope->rate[i], kv3_unit(k % 3));
    }
}

static kane_status difference_motion(const kane_element *element, const kane_element_motion *motion,
                                     kane_law_derivative *out)
{
    static const double step[KANE_MOTIONS] = {1e-7, 1e-7, 1e-6, 1e-6}; // m, rad, m/s, rad/s
    for (int k = 0; k < 3 * KANE_MOTIONS; k++) {
        answer side[2];
        for (int up = 0; up < 2; up++) {
            kane_element_motion m          = *motion;
            kane_vec3 *moved[KANE_MOTIONS] = {&m.relative.d, &m.relative.phi, &m.relative.v, &m.relative.w};
            const double h                 = up ? step[k / 3] : -step[k / 3];
            *moved[k / 3]                  = kv3_add_scaled(*moved[k / 3], h, kv3_unit(k % 3));
            const kane_status status       = ask(element, &m, &side[up]);
            if (status != KANE_OK)
                return status;
        }
        slope_of(element, side, step[k / 3]);
        put_motion_slope(element, k, &side[0], out);
    }
    return KANE_OK;
}

// Column k of d(force, torque)/d(position, turn, velocity, omega) of a point.
static void put_point_slope(const kane_element *element, int k, const answer *slope, kane_law_point_derivative *out)
{
    kane_mat3 *const block[KANE_MOTIONS][2] = {{&out->force_position, &out->torque_position},
                                               {&out->force_turn, &out->torque_turn},
                                               {&out->force_velocity, &out->torque_velocity},
                                               {&out->force_omega, &out->torque_omega}};
    kane_vec3 *const row[KANE_MOTIONS]      = {out->rate_position, out->rate_turn, out->rate_velocity, out->rate_omega};
    km3_set_column(block[k / 3][0], k % 3, slope->on_b.force);
    km3_set_column(block[k / 3][1], k % 3, slope->on_b.torque);
    for (int i = 0; i < element->state_count; i++)
        row[k / 3][i] = kv3_add_scaled(row[k / 3][i], slope->rate[i], kv3_unit(k % 3));
}

// Turns the axes of a point about an axis of A.
static kane_mat3 turned(kane_mat3 R, int axis, double angle)
{
    const double s = sin(angle), c = cos(angle);
    const kane_mat3 one  = km3_identity();
    const kane_mat3 turn = axis == 0   ? km3_turn_x(one, s, c)
                           : axis == 1 ? km3_turn_y(one, s, c)
                                       : km3_turn_z(one, s, c);
    return km3_mul(turn, R);
}

// Moves a point a little; k as above. Returns by how much, which is a little off where positions are large.
static double move_point(kane_marker *m, int k, double h)
{
    kane_vec3 *const moved[KANE_MOTIONS] = {&m->position, NULL, &m->velocity, &m->omega};
    if (k / 3 == KANE_TURNS) {
        m->R = turned(m->R, k % 3, h);
        return h;
    }
    const kane_vec3 before = *moved[k / 3];
    *moved[k / 3]          = kv3_add_scaled(before, h, kv3_unit(k % 3));
    return kv3_get(kv3_sub(*moved[k / 3], before), k % 3);
}

// By the absolute motion of one end, the relative motion held. A point 100 km from the origin is known to 1e-11 m.
static kane_status difference_end(const kane_element *element, const kane_element_motion *motion, int end,
                                  kane_law_point_derivative *out)
{
    const kane_vec3 at              = end ? motion->absolute.b.position : motion->absolute.a.position;
    const double step[KANE_MOTIONS] = {1e-6 * fmax(1.0, 1e-3 * kv3_norm(at)), 1e-7, 1e-6, 1e-6}; // m, rad, m/s, rad/s
    for (int k = 0; k < 3 * KANE_MOTIONS; k++) {
        answer side[2];
        double by[2];
        for (int up = 0; up < 2; up++) {
            kane_element_motion m = *motion;
            by[up]                = move_point(end ? &m.absolute.b : &m.absolute.a, k, up ? step[k / 3] : -step[k / 3]);
            const kane_status status = ask(element, &m, &side[up]);
            if (status != KANE_OK)
                return status;
        }
        slope_of(element, side, 0.5 * (by[1] - by[0]));
        put_point_slope(element, k, &side[0], out);
    }
    return KANE_OK;
}

// A point that the track carries along depends on no body.
static kane_status difference_absolute(const kane_element *element, const kane_element_motion *motion,
                                       kane_law_absolute_derivative *out)
{
    kane_status status = KANE_OK;
    if (element->absolute && element->a.body >= 0)
        status = difference_end(element, motion, 0, &out->a);
    if (status == KANE_OK && element->absolute && element->b.body >= 0)
        status = difference_end(element, motion, 1, &out->b);
    return status;
}

static kane_status difference_states(const kane_element *element, const kane_element_motion *motion,
                                     kane_law_derivative *out)
{
    for (int k = 0; k < element->state_count; k++) {
        const double step = 1e-7 * (element->states[k].size > 0.0 ? element->states[k].size : 1.0);
        double state[KANE_LAW_STATES];
        answer side[2];
        for (int up = 0; up < 2; up++) {
            kane_element_motion m = *motion;
            memcpy(state, motion->relative.state, (size_t)element->state_count * sizeof *state);
            state[k] += up ? step : -step;
            m.relative.state         = state;
            const kane_status status = ask(element, &m, &side[up]);
            if (status != KANE_OK)
                return status;
        }
        slope_of(element, side, step);
        out->state[k].force  = side[0].on_b.force;
        out->state[k].torque = side[0].on_b.torque;
        for (int i = 0; i < element->state_count; i++)
            out->state[i].rate_state[k] = side[0].rate[i];
    }
    return KANE_OK;
}

// The law's derivative, its own or, where it brings none, by central differences.
kane_status kane_element_derive_law(const kane_element *element, const kane_element_motion *m, kane_law_derivative *out)
{
    kane_law_absolute_derivative *absolute = out->absolute;
    memset(out, 0, offsetof(kane_law_derivative, state) + (size_t)element->state_count * sizeof *out->state);
    out->absolute = element->absolute ? absolute : NULL;
    if (element->absolute)
        *out->absolute = (kane_law_absolute_derivative){0};
    if (element->law->derive) {
        element->law->derive(element->data, &m->relative, out);
        return KANE_OK;
    }
    kane_status status = difference_motion(element, m, out);
    if (status == KANE_OK)
        status = difference_absolute(element, m, out->absolute);
    return status == KANE_OK ? difference_states(element, m, out) : status;
}
