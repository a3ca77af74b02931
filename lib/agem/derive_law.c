// SPDX-License-Identifier: MIT
// The derivative of a force law by the relative motion that it sees and by its states: its own, or by central differences.

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
    m->relative.a            = &m->a;
    m->relative.b            = &m->b;
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
    memset(out, 0, offsetof(kane_law_derivative, state) + (size_t)element->state_count * sizeof *out->state);
    if (element->law->derive) {
        element->law->derive(element->data, &m->relative, out);
        return KANE_OK;
    }
    const kane_status status = difference_motion(element, m, out);
    return status == KANE_OK ? difference_states(element, m, out) : status;
}
