// SPDX-License-Identifier: MIT
// A surface with dry friction between two bodies.

#include "force/surface.h"

const char *const kane_friction_models[] = {"stick", "smooth", NULL};

int kane_surface_prepare(const kane_block *block, const kane_dry_friction *input, kane_vec3 axes, kane_errors *errors,
                         kane_surface *s)
{
    const int smooth = input->model == KANE_FRICTION_SMOOTH;
    *s = (kane_surface){.stick      = {.displacement = input->stick_displacement, .damping = input->stick_damping},
                        .along      = km3_diag(axes.x, axes.y, axes.z),
                        .slip_speed = smooth ? input->slip_speed : 0.0};
    for (int i = 0; i < 3 && !smooth; i++)
        if (kv3_get(axes, i) != 0.0)
            s->component[s->count++] = i;
    if (smooth ? input->slip_speed > 0.0 : input->stick_displacement > 0.0)
        return 0;
    kane_errors_add_input(errors, KANE_BAD_INPUT, kane_block_place(block, NULL, -1), "\"%s\" must be positive",
                          smooth ? "slip_speed" : "stick_displacement");
    return 1;
}

int kane_surface_settle(const kane_block *block, kane_surface *s, double limit, kane_errors *errors)
{
    s->stick.nominal = limit;
    if (limit > 0.0 || s->slip_speed > 0.0)
        return 0;
    kane_errors_add_input(errors, KANE_BAD_INPUT, kane_block_place(block, NULL, -1),
                          "'%s' has no friction at rest: how stiff it sticks needs \"nominal_load\", and a coefficient",
                          block->name ? block->name : "");
    return 1;
}

int kane_surface_states(const kane_surface *s, const char *const names[3], kane_law_state *info)
{
    for (int i = 0; i < s->count; i++)
        info[i] = (kane_law_state){.name   = names[s->component[i]],
                                   .unit   = "1",
                                   .help   = "elastic displacement over that under the limit",
                                   .size   = 1.0 / s->stick.displacement,
                                   .memory = 1};
    return s->count;
}

static kane_vec3 velocity(const kane_surface *s, const kane_relative *r)
{
    return kv3_add(km3_mulv(s->along, r->v), km3_mulv(s->about, r->w));
}

static kane_vec3 state(const kane_surface *s, const kane_relative *r, int first)
{
    kane_vec3 zeta = kv3_zero();
    for (int i = 0; i < s->count && r->state; i++)
        zeta = kv3_add_scaled(zeta, r->state[first + i], kv3_unit(s->component[i]));
    return zeta;
}

// limit v/sqrt(v^2 + slip_speed^2)
static void slide(const kane_surface *s, double limit, kane_vec3 v, kane_stick_state *out)
{
    const double root = sqrt(kv3_dot(v, v) + s->slip_speed * s->slip_speed);
    *out              = (kane_stick_state){.force_limit = kv3_scale(1.0 / root, v)};
    out->force        = kv3_scale(limit, out->force_limit);
    out->force_v      = km3_scale(limit / root, km3_sub(km3_identity(), km3_outer(out->force_limit, out->force_limit)));
}

static void observe(const kane_surface *s, double limit, const kane_relative *r, int first, int derivatives,
                    kane_stick_state *out)
{
    if (s->slip_speed > 0.0)
        slide(s, limit, velocity(s, r), out);
    else
        kane_stick_eval(&s->stick, limit, velocity(s, r), state(s, r, first), derivatives, out);
}

void kane_surface_eval(const kane_surface *s, double limit, const kane_relative *r, int first, kane_wrench *on_b)
{
    kane_stick_state now;
    observe(s, limit, r, first, 0, &now);
    on_b->force  = kv3_sub(on_b->force, km3_tmulv(s->along, now.force));
    on_b->torque = kv3_sub(on_b->torque, km3_tmulv(s->about, now.force));
}

void kane_surface_rates(const kane_surface *s, double limit, const kane_relative *r, int first, double *rates)
{
    kane_stick_state now;
    observe(s, limit, r, first, 0, &now);
    for (int i = 0; i < s->count; i++)
        rates[first + i] = kv3_get(now.rate, s->component[i]);
}

// A -= f g'
static void subtract_outer(kane_mat3 *A, kane_vec3 f, kane_vec3 g)
{
    *A = km3_sub(*A, km3_outer(f, g));
}

// Of the force that is `map`' times the friction, with its sign.
static void derive_part(const kane_surface *s, const kane_mat3 *map, const kane_stick_state *now,
                        const kane_normal *limit, kane_mat3 *d, kane_mat3 *v, kane_mat3 *phi, kane_mat3 *w)
{
    const kane_vec3 by_limit = km3_tmulv(*map, now->force_limit);
    const kane_mat3 by_v     = km3_tmul(*map, now->force_v);
    subtract_outer(d, by_limit, limit->d);
    subtract_outer(v, by_limit, limit->v);
    subtract_outer(phi, by_limit, limit->phi);
    subtract_outer(w, by_limit, limit->w);
    *v = km3_sub(*v, km3_mul(by_v, s->along));
    *w = km3_sub(*w, km3_mul(by_v, s->about));
}

static void derive_state(const kane_surface *s, int i, const kane_stick_state *now, const kane_normal *limit, int first,
                         kane_law_state_derivative *out)
{
    const int component      = s->component[i];
    const kane_vec3 unit     = kv3_unit(component);
    const kane_vec3 column   = km3_mulv(now->force_zeta, unit);
    const kane_vec3 row      = km3_tmulv(now->rate_v, unit);
    const kane_vec3 by_state = km3_tmulv(now->rate_zeta, unit);
    const double by_limit    = kv3_get(now->rate_limit, component);

    out->force    = kv3_neg(km3_tmulv(s->along, column));
    out->torque   = kv3_neg(km3_tmulv(s->about, column));
    out->rate_d   = kv3_scale(by_limit, limit->d);
    out->rate_phi = kv3_scale(by_limit, limit->phi);
    out->rate_v   = kv3_add_scaled(km3_tmulv(s->along, row), by_limit, limit->v);
    out->rate_w   = kv3_add_scaled(km3_tmulv(s->about, row), by_limit, limit->w);
    for (int j = 0; j < s->count; j++)
        out->rate_state[first + j] = kv3_get(by_state, s->component[j]);
}

void kane_surface_derive(const kane_surface *s, const kane_normal *limit, const kane_relative *r, int first,
                         kane_law_derivative *out)
{
    kane_stick_state now;
    observe(s, limit->force, r, first, 1, &now);
    derive_part(s, &s->along, &now, limit, &out->force_d, &out->force_v, &out->force_phi, &out->force_w);
    derive_part(s, &s->about, &now, limit, &out->torque_d, &out->torque_v, &out->torque_phi, &out->torque_w);
    for (int i = 0; i < s->count; i++)
        derive_state(s, i, &now, limit, first, &out->state[first + i]);
}

double kane_surface_energy(const kane_surface *s, const kane_relative *r, int first)
{
    return s->slip_speed > 0.0 ? 0.0 : kane_stick_energy(&s->stick, state(s, r, first));
}
