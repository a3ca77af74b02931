// SPDX-License-Identifier: MIT
// Forces on one spot of a rolling wheel.
//
// The wheel's material at the spot moves over the rail with  v_P = v + omega x p,  p on the undeformed wheel: wheel and
// rail are of one material and strained alike, so that the load does not change how far the wheel rolls in a turn.
// Tangential axes x (along the rail's surface), y = n x x; normal n. Creepages refer to
//   V = sqrt(m^2 + slow^2),   m = v_x - v_Px / 2,   the mean of running speed v_x and rolling speed v_x - v_Px,
//   xi_x = v_Px / V,   xi_y = v_P.y / V,   phi = omega . n / V,   k = m/V the direction of rolling.

#include "contact/creep.h"
#include "contact/friction.h"
#include "math/small.h"

#include <math.h>

static creepage creepage_eval(const creep_law *law, const contact_spot *s, kane_vec3 velocity, kane_vec3 omega)
{
    const kane_vec3 n = s->normal, x = s->along, y = kv3(n.y * x.z - n.z * x.y, n.z, -n.y);
    const kane_vec3 v = kv3_add(velocity, kv3_cross(omega, s->point));
    const double vx   = kv3_dot(v, x);
    const double m = kv3_dot(velocity, x) - 0.5 * vx, V = sqrt(m * m + law->laws.slow * law->laws.slow);
    return (creepage){.velocity = v,
                      .y        = y,
                      .vn       = kv3_dot(velocity, n) + kv3_dot(omega, s->turning),
                      .vx       = vx,
                      .vy       = kv3_dot(v, y),
                      .wn       = kv3_dot(omega, n),
                      .V        = V,
                      .k        = m / V};
}

kane_creep_force kane_creep_law_eval(const creep_law *law, const law_input *in, law_slopes *slopes)
{
    switch (law->laws.creep) {
    case KANE_CREEP_LINEAR: return kane_law_linear(in, slopes);
    case KANE_CREEP_FASTSIM: return kane_law_fastsim(&law->fastsim, in, slopes);
    case KANE_CREEP_POLACH: return kane_law_polach(&law->laws.polach, in, slopes);
    case KANE_CREEP_SHE:
    case KANE_CREEP_OWN: break;
    }
    return kane_law_she(in, slopes);
}

// Normal force and coefficient of friction, with their slopes by vn and by vx, vy.
typedef struct load {
    double N, by_n;            // [N], [N s/m]
    double friction, by_xy[2]; // [1], [s/m]
} load;

static load load_eval(const creep_law *law, const contact_spot *s, const side_motion *m, const creepage *c)
{
    double slope, by_xy[2];
    const double factor = kane_creep_dissipation(&law->laws, -c->vn, &slope);
    const double mu     = kane_creep_friction(&law->laws, m->side, m->friction_change, s->normal.y);
    const double fall   = kane_creep_fall(&law->laws, c->vx, c->vy, by_xy);
    return (load){s->N * factor, -s->N * slope, mu * fall, {mu * by_xy[0], mu * by_xy[1]}};
}

static law_input input_of(const creep_law *law, const contact_spot *s, const creepage *c, kane_kalker C, double bound)
{
    return (law_input){.a     = s->a,
                       .b     = s->b,
                       .G     = law->laws.shear_modulus,
                       .C     = C,
                       .xi_x  = c->vx / c->V,
                       .xi_y  = c->vy / c->V,
                       .phi   = c->wn / c->V,
                       .k     = c->k,
                       .bound = bound};
}

creep_basis kane_creep_prepare(const creep_law *law, const contact_spot *s, const side_motion *m)
{
    double slope, by_xy[2];
    creep_basis p = {.c = creepage_eval(law, s, m->velocity, m->omega)};
    p.factor      = kane_creep_dissipation(&law->laws, -p.c.vn, &slope);
    p.friction    = kane_creep_friction(&law->laws, m->side, m->friction_change, s->normal.y) *
                 kane_creep_fall(&law->laws, p.c.vx, p.c.vy, by_xy);
    if (s->a * s->b > 0.0)
        p.C = kane_kalker_lookup(&law->kalker, s->a, s->b);
    return p;
}

kane_status kane_creep_under(const creep_law *law, const contact_spot *s, const side_motion *m, const creep_basis *p,
                             kane_own_force *out)
{
    const double N = p->factor * s->N;
    if (law->laws.creep == KANE_CREEP_OWN)
        return kane_own_eval(law, s, m, &p->c, N, p->friction, out);
    *out = (kane_own_force){0};
    if (s->a * s->b > 0.0) {
        const law_input in       = input_of(law, s, &p->c, p->C, p->friction * N);
        const kane_creep_force f = kane_creep_law_eval(law, &in, NULL);
        *out                     = (kane_own_force){f.T_x, f.T_y, f.M_z, 0.0};
    }
    return KANE_OK;
}

void kane_creep_report(const contact_spot *s, const creepage *c, double N, const kane_own_force *f, kane_patch *patch)
{
    const double pi  = 3.14159265358979323846;
    patch->share     = s->share;
    patch->point     = s->point;
    patch->normal    = s->normal;
    patch->angle     = kane_small_angle(s->normal.y, s->normal.z);
    patch->wheel_y   = s->wheel_y;
    patch->rail_y    = s->rail_y;
    patch->radius    = s->radius;
    patch->approach  = s->approach;
    patch->N         = s->share * N;
    patch->a         = s->a;
    patch->b         = s->b;
    patch->pressure  = s->a * s->b > 0.0 ? 1.5 * N / (pi * s->a * s->b) : 0.0;
    patch->conformal = 0;
    patch->xi_x      = c->vx / c->V;
    patch->xi_y      = c->vy / c->V;
    patch->phi       = c->wn / c->V;
    patch->T_x       = s->share * f->T_x;
    patch->T_y       = s->share * f->T_y;
    patch->M_z       = s->share * f->M_z;
    patch->T_n       = s->share * f->T_n;
    patch->energy    = 0.4 * s->share * s->N * s->approach;
}

kane_wrench kane_creep_wrench(const contact_spot *s, const creepage *c, double N, const kane_own_force *f)
{
    const double normal        = s->share * (N + f->T_n);
    const kane_vec3 tangential = kv3_add_scaled(kv3_scale(s->share * f->T_y, c->y), s->share * f->T_x, s->along);
    const kane_vec3 spin       = kv3_add_scaled(kv3_cross(s->point, tangential), s->share * f->M_z, s->normal);
    return (kane_wrench){kv3_add_scaled(tangential, normal, s->normal), kv3_add_scaled(spin, normal, s->turning)};
}

kane_status kane_creep_eval(const creep_law *law, const contact_spot *s, const side_motion *m, kane_wrench *sum,
                            kane_patch *patch)
{
    const creep_basis p = kane_creep_prepare(law, s, m);
    const double N      = p.factor * s->N;
    kane_own_force f;
    const kane_status status = kane_creep_under(law, s, m, &p, &f);
    if (status != KANE_OK)
        return status;
    *sum = kw_add(*sum, kane_creep_wrench(s, &p.c, N, &f));
    if (patch)
        kane_creep_report(s, &p.c, N, &f, patch);
    return KANE_OK;
}

// --- derivatives ---

// Derivatives of normal force, tangential forces and moment by one of the local speeds.
typedef struct rates {
    double N, T_x, T_y, M;
} rates;

// Adds rates times the gradient of the local speed: `by_v` by velocity, and p x by_v (or by_w, where the speed is one of
// rotation) by angular velocity.
static void add_column(const contact_spot *s, const creepage *c, rates r, kane_vec3 by_v, kane_vec3 by_w,
                       double d[6][6])
{
    const kane_vec3 T = kv3_add_scaled(kv3_scale(r.T_x, s->along), r.T_y, c->y), f = kv3_add_scaled(T, r.N, s->normal);
    const kane_vec3 M = kv3_add_scaled(kv3_cross(s->point, T), r.M, s->normal), t = kv3_add_scaled(M, r.N, s->turning);
    const double row[6] = {f.x, f.y, f.z, t.x, t.y, t.z}, col[6] = {by_v.x, by_v.y, by_v.z, by_w.x, by_w.y, by_w.z};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            d[i][j] += s->share * row[i] * col[j];
}

// Derivatives of T_x, T_y, M_z, T_n (rows) by xi_x, xi_y, phi, N, friction, k (columns) at the load l.
static kane_status slopes_eval(const creep_law *law, const contact_spot *s, const side_motion *m, const creepage *c,
                               const load *l, double d[4][6])
{
    if (law->laws.creep == KANE_CREEP_OWN)
        return kane_own_derive(law, s, m, c, l->N, l->friction, d);
    if (!(s->a * s->b > 0.0))
        return KANE_OK;
    const law_input in = input_of(law, s, c, kane_kalker_lookup(&law->kalker, s->a, s->b), l->friction * l->N);
    law_slopes by;
    (void)kane_creep_law_eval(law, &in, &by);
    const kane_creep_force columns[6] = {by.xi_x, by.xi_y, by.phi, by.bound, by.bound, by.k};
    const double factors[6]           = {1.0, 1.0, 1.0, l->friction, l->N, 1.0};
    for (int j = 0; j < 6; j++) {
        d[0][j] = factors[j] * columns[j].T_x;
        d[1][j] = factors[j] * columns[j].T_y;
        d[2][j] = factors[j] * columns[j].M_z;
    }
    return KANE_OK;
}

// Rates of all forces when creepages, N, friction and direction change as `by` says.
static rates rates_of(double d[4][6], const double by[6])
{
    double r[4] = {0.0, 0.0, 0.0, by[3]};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 6; j++)
            r[i] += d[i][j] * by[j];
    return (rates){r[3], r[0], r[1], r[2]};
}

static kane_status derive(const creep_law *law, const contact_spot *s, const side_motion *m, double d[6][6])
{
    const creepage c  = creepage_eval(law, s, m->velocity, m->omega);
    const load l      = load_eval(law, s, m, &c);
    const kane_vec3 n = s->normal, p = s->point, x = s->along, none = kv3_zero();
    double t[4][6]           = {{0.0}};
    const kane_status status = slopes_eval(law, s, m, &c, &l, t);
    if (status != KANE_OK)
        return status;

    // by v_P along n, x, y; by omega along n; by m, on which V and k depend:  V' = k, k' = slow^2/V^3
    const double per = 1.0 / c.V, shrink = -c.k / (c.V * c.V),
                 turn    = law->laws.slow * law->laws.slow / (c.V * c.V * c.V);
    const double by_n[6] = {0.0, 0.0, 0.0, l.by_n, 0.0, 0.0};
    const double by_x[6] = {per, 0.0, 0.0, 0.0, l.by_xy[0], 0.0};
    const double by_y[6] = {0.0, per, 0.0, 0.0, l.by_xy[1], 0.0};
    const double by_w[6] = {0.0, 0.0, per, 0.0, 0.0, 0.0};
    const double by_m[6] = {shrink * c.vx, shrink * c.vy, shrink * c.wn, 0.0, 0.0, turn};

    const kane_vec3 px = kv3_cross(p, x);
    add_column(s, &c, rates_of(t, by_n), n, s->turning, d);
    add_column(s, &c, rates_of(t, by_x), x, px, d);
    add_column(s, &c, rates_of(t, by_y), c.y, kv3_cross(p, c.y), d);
    add_column(s, &c, rates_of(t, by_w), none, n, d);
    add_column(s, &c, rates_of(t, by_m), kv3_scale(0.5, x), kv3_scale(-0.5, px), d);
    return KANE_OK;
}

// The motion with one component of velocity (0 to 2) or angular velocity (3 to 5) changed.
static side_motion changed(const side_motion *m, int component, double by)
{
    side_motion moved   = *m;
    double *const at[6] = {&moved.velocity.x, &moved.velocity.y, &moved.velocity.z,
                           &moved.omega.x,    &moved.omega.y,    &moved.omega.z};
    *at[component] += by;
    return moved;
}

// Central differences for a law of one's own that may depend on anything. Steps are 1e-7 of the reference speed: small
// against the creepages over which forces grow (some 1e-3), large against rounding.
static kane_status derive_by_differences(const creep_law *law, const contact_spot *s, const side_motion *m,
                                         double d[6][6])
{
    const double V = creepage_eval(law, s, m->velocity, m->omega).V;
    for (int j = 0; j < 6; j++) {
        const double h       = 1e-7 * (j < 3 ? V : V / s->radius);
        const side_motion up = changed(m, j, h), down = changed(m, j, -h);
        kane_wrench a = {kv3_zero(), kv3_zero()}, b = a;
        kane_status status = kane_creep_eval(law, s, &up, &a, NULL);
        if (status == KANE_OK)
            status = kane_creep_eval(law, s, &down, &b, NULL);
        if (status != KANE_OK)
            return status;
        const kane_vec3 f = kv3_sub(a.force, b.force), t = kv3_sub(a.torque, b.torque);
        const double column[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
        for (int i = 0; i < 6; i++)
            d[i][j] += column[i] / (2.0 * h);
    }
    return KANE_OK;
}

kane_status kane_creep_derive(const creep_law *law, const contact_spot *s, const side_motion *m, double d[6][6])
{
    if (law->laws.creep == KANE_CREEP_OWN && !law->laws.own.derive)
        return derive_by_differences(law, s, m, d);
    return derive(law, s, m, d);
}
