// SPDX-License-Identifier: MIT
// A spring and a damper in series along a line: the damper's elongation is the state.

#include "force/series.h"

#include "force/line.h"

int kane_series_prepare(kane_series *s, kane_place at, kane_errors *errors)
{
    if (kane_curve_is_zero(&s->damper)) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, at, "needs \"damping\" of more than 0 behind the spring");
        return 1;
    }
    if (!kane_curve_grows(&s->damper)) {
        kane_errors_add_input(
            errors, KANE_BAD_INPUT, at,
            "the damper behind the spring needs a force that grows with speed everywhere, between its "
            "points and beyond them too, so that its speed follows from the force");
        return 1;
    }
    s->rest = kane_curve_find(&s->damper, 0.0);
    return 0;
}

int kane_series_states(const void *series, kane_law_state info[KANE_LAW_STATES])
{
    (void)series;
    info[0] = (kane_law_state){.name = "damper", .unit = "m", .help = "elongation of the damper behind the spring"};
    return 1;
}

int kane_series_settle(void *series, kane_vec3 d0, kane_vec3 load, kane_errors *errors)
{
    kane_series *s = series;
    (void)load;
    return kane_line_settle(&s->block, d0, &s->length, errors);
}

static double chain_tension(const kane_series *s, double length, double state)
{
    return s->stiffness * (length - s->length - state);
}

int kane_series_eval(const void *series, const kane_relative *r, kane_wrench *on_b)
{
    const kane_series *s = series;
    kane_line line;
    const int status = kane_line_observe(r, &line);
    if (status != 0)
        return status;
    const double tension = chain_tension(s, line.length, r->state[0]) + s->parallel * (line.length - s->length);
    on_b->force          = kv3_scale(-tension, line.n);
    return 0;
}

int kane_series_rates(const void *series, const kane_relative *r, double *rates)
{
    const kane_series *s = series;
    kane_line line;
    const int status = kane_line_observe(r, &line);
    if (status != 0)
        return status;
    rates[0] = kane_curve_find(&s->damper, chain_tension(s, line.length, r->state[0])) - s->rest;
    return 0;
}

void kane_series_derive(const void *series, const kane_relative *r, kane_law_derivative *out)
{
    const kane_series *s = series;
    kane_line line;
    if (kane_line_observe(r, &line) != 0)
        return;
    const double chain = chain_tension(s, line.length, r->state[0]);
    kane_line_derive(&line, r, chain + s->parallel * (line.length - s->length), s->stiffness + s->parallel, 0.0, out);
    // x' = V(T): dV/dT = 1/(slope of the damper there)
    const double yield          = s->stiffness / kane_curve_slope(&s->damper, kane_curve_find(&s->damper, chain));
    out->state[0].force         = kv3_scale(s->stiffness, line.n);
    out->state[0].rate_d        = kv3_scale(yield, line.n);
    out->state[0].rate_state[0] = -yield;
}

double kane_series_energy(const void *series, const kane_relative *r)
{
    const kane_series *s    = series;
    const double elongation = kv3_norm(kv3_add(r->d0, r->d)) - s->length;
    const double spring     = elongation - r->state[0];
    return 0.5 * s->stiffness * spring * spring + 0.5 * s->parallel * elongation * elongation;
}
