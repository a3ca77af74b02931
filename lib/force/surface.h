// SPDX-License-Identifier: MIT
// Dry friction: a layer that sticks, and a surface of it between two bodies: which motions rub, and under what limit.

#ifndef KANE_FORCE_SURFACE_H
#define KANE_FORCE_SURFACE_H

#include "force/press.h"

// --- friction that sticks ---
//
// An elastic layer that yields at a limit, in one, two or three directions alike.
//
// The layer's deflection z is kept as zeta = z/delta, what it may bear depends on the limit L(t) >= 0 of the moment:
//
//   l = L/L0,  r = |zeta|/e(l),  n = zeta/|zeta|        e = l for l >= 2 h, h + l^2/(4 h) below; psi = l/e
//   force that resists   f = L sigma(r) n + L (1 - sigma(r)) w/sqrt(1 + w.w),      w = damping v/L0
//   rate                 zeta' = (psi v - beta(r) max(0, n.v) n)/delta
//
// With r = rho + 2 (1 - rho) u: sigma = r and beta = 0 up to u = 0 (nothing creeps below rho times the limit), sigma =
// r - (1 - rho) u^2 up to u = 1 and 1 beyond (the force never exceeds the limit), beta = u^2 (3 - u)/2 up to u = 2 and
// 2 beyond (it slips at u = 1). The energy L0 delta zeta.zeta/2 grows by never more than f.v, whatever L does
// meanwhile: what is lost is, for n.v > 0, L n.v (sigma - r (1 - beta/psi)) and sigma >= r (1 - beta) as long as rho >=
// 1/2; for n.v < 0 it is L |n.v| (r - sigma). After P. Dupont, V. Hayward, B. Armstrong, F. Altpeter: Single state
// elastoplastic friction models. IEEE Transactions on Automatic Control 47 (2002) 787-792; there with a constant limit.

// r up to which nothing slips, and load l below which the layer is driven less, so that it comes to no harm without
// load.
#define KANE_STICK_HOLDS 0.9
#define KANE_STICK_LIGHT 0.02

typedef struct kane_stick {
    double nominal;      // L0: limit for which the displacement is meant [N]
    double displacement; // delta: deflection under it [m]
    double damping;      // while it sticks [N s/m]
} kane_stick;

// Force that resists [N] and rate of zeta [1/s].
typedef struct kane_stick_state {
    kane_scalar3 force, rate;
} kane_stick_state;

// What the deflection at r makes of the limit: sigma, sigma/r, and beta.
typedef struct kane_stick_yield {
    kane_scalar sigma, phi, beta;
} kane_stick_yield;

// beta(u) = u^2 (3 - u)/2 up to u = 2, and its slope.
KANE_INLINE double kane_stick_slips(double u, double *slope)
{
    *slope = u < 2.0 ? 1.5 * u * (2.0 - u) : 0.0;
    return u < 2.0 ? 0.5 * u * u * (3.0 - u) : 2.0;
}

KANE_INLINE kane_stick_yield kane_stick_yields(kane_scalar deflection)
{
    const double r = ks_value(deflection), rho = KANE_STICK_HOLDS, width = 2.0 * (1.0 - rho), u = (r - rho) / width;
    double slope;
    if (u <= 0.0)
        return (kane_stick_yield){deflection, ks_constant(1.0), ks_constant(0.0)};
    const double slips = kane_stick_slips(u, &slope);
    const double sigma = u < 1.0 ? r - (1.0 - rho) * u * u : 1.0, sigma_r = u < 1.0 ? 1.0 - u : 0.0, phi = sigma / r;
    return (kane_stick_yield){ks_chain(deflection, sigma, sigma_r), ks_chain(deflection, phi, (sigma_r - phi) / r),
                              ks_chain(deflection, slips, slope / width)};
}

// limit [N], v: velocity [m/s], zeta: state; zero in directions in which both v and zeta are
KANE_INLINE kane_stick_state kane_stick_eval(const kane_stick *s, kane_scalar limit, kane_scalar3 v, kane_scalar3 zeta)
{
    const double light = KANE_STICK_LIGHT;
    // l, e, psi
    const kane_scalar load   = ks_over(limit, s->nominal);
    const kane_scalar lifted = ks_shift(ks_over(ks_square(load), 4.0 * light), light);
    const kane_scalar e      = ks_value(load) >= 2.0 * light ? load : lifted;
    const kane_scalar psi    = ks_div(load, e);

    // r, n; without deflection there is no n
    const kane_scalar m      = ks3_norm(zeta);
    const int deflected      = ks_value(m) > 0.0;
    const kane_stick_yield y = kane_stick_yields(ks_div(m, e));

    kane_stick_state out;
    out.force = ks3_scale(ks_mul(ks_scale(s->nominal, psi), y.phi), zeta);
    if (s->damping > 0.0) {
        const kane_scalar3 w   = ks3_by(s->damping / s->nominal, v);
        const kane_scalar root = ks_sqrt(ks_shift(ks3_dot(w, w), 1.0));
        const kane_scalar soft = ks_mul(limit, ks_shift(ks_neg(y.sigma), 1.0));
        out.force              = ks3_add_scaled(out.force, soft, ks3_scale(ks_inverse(root), w));
    }
    out.rate = ks3_scale(psi, v);
    if (deflected && ks_value(y.beta) > 0.0) {
        const kane_scalar3 n = ks3_scale(ks_inverse(m), zeta);
        const kane_scalar p  = ks3_dot(n, v);
        if (ks_value(p) > 0.0)
            out.rate = ks3_add_scaled(out.rate, ks_mul(ks_neg(y.beta), p), n);
    }
    out.rate = ks3_by(1.0 / s->displacement, out.rate);
    return out;
}

// Energy in the layer [J].
static inline double kane_stick_energy(const kane_stick *s, kane_vec3 zeta)
{
    return 0.5 * s->nominal * s->displacement * kv3_dot(zeta, zeta);
}

// --- surfaces ---

// Keys of a kane_dry_friction that is a member of a law's struct.
#define KANE_DRY_FRICTION_KEYS(type, member)                                                                           \
    KANE_KEY_NAMED(type, member.model, "model", CHOICE, OPTIONAL, "stick", NULL, ANY, kane_friction_models,            \
                   "\"stick\" holds still below 90 % of the limit; \"smooth\" creeps there, and has no states"),       \
        KANE_KEY_NAMED(type, member.stick_displacement, "stick_displacement", NUMBER, OPTIONAL, "0.5 mm", "m",         \
                       POSITIVE, NULL, "elastic displacement under the limit, before it slips"),                       \
        KANE_KEY_NAMED(type, member.stick_damping, "stick_damping", NUMBER, OPTIONAL, "0 N s/m", "N s/m",              \
                       NOT_NEGATIVE, NULL, "while it sticks; friction and damping stay within the limit"),             \
        KANE_KEY_NAMED(type, member.slip_speed, "slip_speed", NUMBER, OPTIONAL, "1 mm/s", "m/s", POSITIVE, NULL,       \
                       "of the smooth model: at this speed it has 71 % of the limit"),                                 \
        KANE_KEY_NAMED(type, member.nominal_load, "nominal_load", NUMBER, OPTIONAL, NULL, "N", POSITIVE, NULL,         \
                       "normal force for which \"stick_displacement\" is meant; if it is left out, that at rest")

extern const char *const kane_friction_models[];

// 1 for each axis of a choice of "x", "y", "z", "xy", "xz", "yz", "xyz", 0 for the others.
kane_vec3 kane_direction_axes(int choice);

typedef struct kane_surface {
    kane_stick stick;
    double slip_speed; // > 0: smooth, without states [m/s]
    kane_vec3 along;   // velocity that rubs: along v + about w, component by component; 0: such motion does not rub
    kane_vec3 about;   // [m]
    int count;         // of its states
    int state[3];      // which of them is that of x, y, z; -1: none
} kane_surface;

// A surface that rubs along those axes of a for which `axes` says 1. Returns 0, or not 0 with errors filled.
int kane_surface_prepare(const kane_block *block, const kane_dry_friction *input, kane_vec3 axes, kane_errors *errors,
                         kane_surface *s);

// Takes over the limit for which the displacement of sticking is meant. Returns 0, or not 0 with errors filled where
// it is zero.
int kane_surface_set_limit(const kane_block *block, kane_surface *s, double limit, kane_errors *errors);

// Names its states; returns how many. names: of its three components.
int kane_surface_states(const kane_surface *s, const char *const names[3], kane_law_state *info);

// Its state, first: which of the law's states is its first; zero in directions that do not rub, and where states are
// not given.
KANE_INLINE kane_scalar kane_surface_component(const kane_surface *s, int i, const kane_formula_motion *m, int first)
{
    return s->state[i] >= 0 ? kane_formula_state(m, first + s->state[i]) : ks_constant(0.0);
}

KANE_INLINE kane_scalar3 kane_surface_state(const kane_surface *s, const kane_formula_motion *m, int first)
{
    return ks3(kane_surface_component(s, 0, m, first), kane_surface_component(s, 1, m, first),
               kane_surface_component(s, 2, m, first));
}

// Friction that resists the velocity v under a limit [N]; gives the rates of its states.
KANE_INLINE kane_scalar3 kane_surface_resist(const kane_surface *s, kane_scalar limit, kane_scalar3 v,
                                             const kane_formula_motion *m, int first, kane_formula_answer *out)
{
    if (s->slip_speed > 0.0) { // limit v/sqrt(v^2 + slip_speed^2)
        const kane_scalar root = ks_sqrt(ks_shift(ks3_dot(v, v), s->slip_speed * s->slip_speed));
        return ks3_scale(limit, ks3_scale(ks_inverse(root), v));
    }
    const kane_stick_state now = kane_stick_eval(&s->stick, limit, v, kane_surface_state(s, m, first));
    if (s->state[0] >= 0)
        kane_formula_rate(out, first + s->state[0], now.rate.x);
    if (s->state[1] >= 0)
        kane_formula_rate(out, first + s->state[1], now.rate.y);
    if (s->state[2] >= 0)
        kane_formula_rate(out, first + s->state[2], now.rate.z);
    return now.force;
}

// Adds its friction under a limit, and gives the rates of its states.
KANE_INLINE void kane_surface_rub(const kane_surface *s, kane_scalar limit, const kane_formula_motion *m, int first,
                                  kane_formula_answer *out)
{
    const int turns = s->about.z != 0.0;
    kane_scalar3 v  = ks3_mul(s->along, m->v);
    if (turns)
        v = ks3_add(v, ks3_mul(s->about, m->w));
    const kane_scalar3 force = kane_surface_resist(s, limit, v, m, first, out);
    out->force               = ks3_sub(out->force, ks3_mul(s->along, force));
    if (turns)
        out->torque = ks3_sub(out->torque, ks3_mul(s->about, force));
}

// Adds its friction in the tangential plane of a contact and under mu N, at the arm R n from b's point [m]. Of the
// layer's force only that in the plane acts, and what drives it is the motion in the plane, so that it gains no energy
// where n turns.
KANE_INLINE void kane_surface_rub_across(const kane_surface *s, double mu, const kane_press_contact *contact,
                                         double radius, const kane_formula_motion *m, kane_formula_answer *out)
{
    const kane_scalar3 n = contact->n, arm = ks3_by(radius, n);
    const kane_scalar3 v = radius > 0.0 ? ks3_add(m->v, ks3_cross(m->w, arm)) : m->v;
    const kane_scalar3 slides =
        kane_surface_resist(s, ks_scale(mu, contact->force), ks3_sub(v, ks3_scale(ks3_dot(n, v), n)), m, 0, out);
    const kane_scalar3 force = ks3_sub(ks3_scale(ks3_dot(n, slides), n), slides);
    out->force               = ks3_add(out->force, force);
    if (radius > 0.0)
        out->torque = ks3_add(out->torque, ks3_cross(arm, force));
}

double kane_surface_energy(const kane_surface *s, const kane_relative *r, int first);

#endif
