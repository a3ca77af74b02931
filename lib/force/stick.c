// SPDX-License-Identifier: MIT
// Dry friction that sticks (stick.h has the equations).

#include "force/stick.h"

// What depends on load and deflection alone, and its derivatives.
typedef struct layer {
    double load, psi, psi_load; // l, psi, dpsi/dl
    double e, e_load;           // e, de/dl
    double m, r;                // |zeta|, r
    kane_vec3 n;                // zero if zeta is
    double sigma, sigma_r, beta, beta_r;
    double phi, phi_r; // sigma/r
} layer;

static void yield(layer *y)
{
    const double rho = KANE_STICK_HOLDS, width = 2.0 * (1.0 - rho), u = (y->r - rho) / width;
    y->sigma   = y->r;
    y->sigma_r = y->phi = 1.0;
    y->phi_r = y->beta = y->beta_r = 0.0;
    if (u <= 0.0)
        return;
    y->sigma   = u < 1.0 ? y->r - (1.0 - rho) * u * u : 1.0;
    y->sigma_r = u < 1.0 ? 1.0 - u : 0.0;
    y->phi     = y->sigma / y->r;
    y->phi_r   = (y->sigma_r - y->phi) / y->r;
    y->beta    = u < 2.0 ? 0.5 * u * u * (3.0 - u) : 2.0;
    y->beta_r  = u < 2.0 ? 1.5 * u * (2.0 - u) / width : 0.0;
}

static layer observe(const kane_stick *s, double limit, kane_vec3 zeta)
{
    const double light = KANE_STICK_LIGHT;
    layer y;
    y.load   = limit / s->nominal;
    y.e      = y.load >= 2.0 * light ? y.load : light + y.load * y.load / (4.0 * light);
    y.e_load = y.load >= 2.0 * light ? 1.0 : y.load / (2.0 * light);
    y.psi    = y.load / y.e;
    // l e' = e, and nothing else, from 2 h on
    y.psi_load = y.load >= 2.0 * light ? 0.0 : (1.0 - y.psi * y.e_load) / y.e;
    y.m        = kv3_norm(zeta);
    y.r        = y.m / y.e;
    y.n        = y.m > 0.0 ? kv3_scale(1.0 / y.m, zeta) : kv3_zero();
    yield(&y);
    return y;
}

static void derive_force(const kane_stick *s, double limit, const layer *y, kane_vec3 zeta, kane_vec3 g, double root,
                         kane_stick_state *out)
{
    // dr = n.dzeta/e - r e'/e dl, and the elastic part is L0 psi phi zeta
    const double per_load = -y->r * y->e_load / y->e, soft = limit * (1.0 - y->sigma) * s->damping / s->nominal / root;
    const kane_mat3 nn = km3_outer(y->n, y->n), I = km3_identity();

    out->force_zeta  = km3_scale(s->nominal * y->psi, km3_add(km3_scale(y->phi, I), km3_scale(y->phi_r * y->r, nn)));
    out->force_zeta  = km3_sub(out->force_zeta, km3_scale(limit * y->sigma_r / y->e, km3_outer(g, y->n)));
    out->force_v     = km3_scale(soft, km3_sub(I, km3_outer(g, g)));
    out->force_limit = kv3_add_scaled(kv3_scale(y->psi_load * y->phi + y->psi * y->phi_r * per_load, zeta),
                                      1.0 - y->sigma - y->load * y->sigma_r * per_load, g);
}

static void derive_rate(const kane_stick *s, const layer *y, kane_vec3 v, double p, kane_stick_state *out)
{
    const double per_load = -y->r * y->e_load / y->e, per_delta = 1.0 / s->displacement;
    const kane_mat3 nn = km3_outer(y->n, y->n), I = km3_identity();

    out->rate_v     = km3_scale(y->psi * per_delta, I);
    out->rate_limit = kv3_scale(y->psi_load * per_delta / s->nominal, v);
    if (!(p > 0.0 && y->beta > 0.0))
        return;
    // d(beta p n) = n beta' p dr + n beta (n.dv) + n beta (v - p n).dzeta/m + beta p (1 - n n') dzeta/m
    const kane_vec3 across = kv3_add_scaled(v, -p, y->n);
    const kane_mat3 turn   = km3_add(km3_outer(y->n, across), km3_scale(p, km3_sub(I, nn)));
    out->rate_v            = km3_sub(out->rate_v, km3_scale(y->beta * per_delta, nn));
    out->rate_limit        = kv3_add_scaled(out->rate_limit, -y->beta_r * per_load * p * per_delta / s->nominal, y->n);
    out->rate_zeta =
        km3_scale(-per_delta, km3_add(km3_scale(y->beta_r * p / y->e, nn), km3_scale(y->beta / y->m, turn)));
}

void kane_stick_eval(const kane_stick *s, double limit, kane_vec3 v, kane_vec3 zeta, int derivatives,
                     kane_stick_state *out)
{
    const layer y     = observe(s, limit, zeta);
    const double p    = kv3_dot(y.n, v);
    const kane_vec3 w = kv3_scale(s->damping / s->nominal, v);
    const double root = sqrt(1.0 + kv3_dot(w, w));
    const kane_vec3 g = kv3_scale(1.0 / root, w);

    *out       = (kane_stick_state){0};
    out->force = kv3_add_scaled(kv3_scale(s->nominal * y.psi * y.phi, zeta), limit * (1.0 - y.sigma), g);
    out->rate = kv3_scale(1.0 / s->displacement, kv3_add_scaled(kv3_scale(y.psi, v), p > 0.0 ? -y.beta * p : 0.0, y.n));
    if (!derivatives)
        return;
    derive_force(s, limit, &y, zeta, g, root, out);
    derive_rate(s, &y, v, p, out);
}

double kane_stick_energy(const kane_stick *s, kane_vec3 zeta)
{
    return 0.5 * s->nominal * s->displacement * kv3_dot(zeta, zeta);
}
