// SPDX-License-Identifier: MIT
// Forces on one spot of a rolling wheel.
//
// The wheel's material at the spot moves over the rail with  v_P = v + omega x p,  p on the undeformed wheel: wheel and
// rail are of one material and strained alike, so that the load does not change how far the wheel rolls in a turn.
// Tangential axes x (along the rail), y = n x x; normal n. Creepages refer to
//   V = sqrt(m^2 + slow^2),   m = v_x - v_Px / 2,   the mean of running speed v_x and rolling speed v_x - v_Px,
//   xi_x = v_Px / V,   xi_y = v_P.y / V,   phi = omega . n / V.
// Linear forces on the wheel (Kalker), k = m/V the direction of rolling, since spin pushes to the other side when the
// wheel rolls back:
//   F_x = -G a b C11 xi_x,   F_y = -G (a b C22 xi_y + k (ab)^3/2 C23 phi),   M = -G (-k (ab)^3/2 C23 xi_y + (ab)^2 C33 phi)
// all three saturated by the same factor.

#include "contact/creep.h"

#include <math.h>

// 1 + x, and for x near -1 smoothly to zero: no adhesion. Parabola between -1 - w and -1 + w; at rest exactly 1.
static double dissipation_factor(double x, double *slope)
{
    const double w = 0.5, y = 1.0 + x;
    if (y >= w) {
        *slope = 1.0;
        return y;
    }
    if (y <= -w) {
        *slope = 0.0;
        return 0.0;
    }
    *slope = 0.5 * (y + w) / w;
    return 0.25 * (y + w) * (y + w) / w;
}

// How the wheel moves over the rail at the spot.
typedef struct creepage {
    kane_vec3 y;           // tangential axis across
    double vn, vx, vy, wn; // v_P along n, x and y [m/s]; omega along n [rad/s]
    double V, k;           // reference speed [m/s], direction of rolling [1]
} creepage;

static creepage creepage_eval(const creep_law *law, const contact_spot *s, kane_vec3 velocity, kane_vec3 omega)
{
    const kane_vec3 n = s->normal, y = kv3(0.0, n.z, -n.y);
    const kane_vec3 v = kv3_add(velocity, kv3_cross(omega, s->point));
    const double m = velocity.x - 0.5 * v.x, V = sqrt(m * m + law->slow * law->slow);
    return (creepage){
        .y = y, .vn = kv3_dot(v, n), .vx = v.x, .vy = kv3_dot(v, y), .wn = kv3_dot(omega, n), .V = V, .k = m / V};
}

// Forces per creepage.
typedef struct stiffness {
    double x, y, couple, spin; // G ab C11, G ab C22, G (ab)^3/2 C23 [N, N, N m]; G (ab)^2 C33 [N m^2]
} stiffness;

static stiffness stiffness_eval(const creep_law *law, const contact_spot *s)
{
    const kane_kalker C = kane_kalker_lookup(&law->kalker, s->a, s->b);
    const double ab = s->a * s->b, G = law->shear_modulus * ab, root = sqrt(ab);
    return (stiffness){G * C.C11, G * C.C22, G * root * C.C23, G * ab * C.C33};
}

// Forces and moment of one spot, of its share only.
typedef struct local_forces {
    double N, x, y, moment; // [N], [N m]
} local_forces;

static local_forces forces_eval(const creep_law *law, const contact_spot *s, const creepage *c)
{
    const stiffness g = stiffness_eval(law, s);
    double unused;
    const double N    = s->N * dissipation_factor(-law->dissipation * c->vn, &unused);
    const double xi_x = c->vx / c->V, xi_y = c->vy / c->V, phi = c->wn / c->V;
    const double x = -g.x * xi_x, y = -(g.y * xi_y + c->k * g.couple * phi),
                 moment = c->k * g.couple * xi_y - g.spin * phi;
    const double factor = s->share * kane_saturation(sqrt(x * x + y * y), law->friction * N);
    return (local_forces){s->share * N, factor * x, factor * y, factor * moment};
}

static void report(const contact_spot *s, const creepage *c, const local_forces *f, kane_patch *patch)
{
    const double pi = 3.14159265358979323846;
    patch->share    = s->share;
    patch->point    = s->point;
    patch->normal   = s->normal;
    patch->angle    = atan2(s->normal.y, s->normal.z);
    patch->wheel_y  = s->wheel_y;
    patch->rail_y   = s->rail_y;
    patch->radius   = s->radius;
    patch->approach = s->approach;
    patch->N        = f->N;
    patch->a        = s->a;
    patch->b        = s->b;
    patch->pressure = s->a * s->b > 0.0 ? 1.5 * f->N / (s->share * pi * s->a * s->b) : 0.0;
    patch->xi_x     = c->vx / c->V;
    patch->xi_y     = c->vy / c->V;
    patch->phi      = c->wn / c->V;
    patch->T_x      = f->x;
    patch->T_y      = f->y;
    patch->M_z      = f->moment;
    patch->energy   = 0.4 * s->share * s->N * s->approach;
}

kane_wrench kane_creep_eval(const creep_law *law, const contact_spot *s, kane_vec3 velocity, kane_vec3 omega,
                            kane_patch *patch)
{
    const creepage c       = creepage_eval(law, s, velocity, omega);
    const local_forces f   = forces_eval(law, s, &c);
    const kane_vec3 across = kv3_scale(f.y, c.y),
                    force  = kv3_add_scaled(kv3_add(across, kv3(f.x, 0.0, 0.0)), f.N, s->normal);
    if (patch)
        report(s, &c, &f, patch);
    return (kane_wrench){force, kv3_add_scaled(kv3_cross(s->point, force), f.moment, s->normal)};
}

// Derivatives of normal force, tangential forces and moment by one of the local speeds.
typedef struct rates {
    double N, T_x, T_y, M;
} rates;

// Adds rates times the gradient of the local speed: `by_v` by velocity, and p x by_v (or by_w, where the speed is one of
// rotation) by angular velocity.
static void add_column(const contact_spot *s, const creepage *c, rates r, kane_vec3 by_v, kane_vec3 by_w,
                       double d[6][6])
{
    const kane_vec3 f   = kv3_add(kv3_scale(r.N, s->normal), kv3_add_scaled(kv3(r.T_x, 0.0, 0.0), r.T_y, c->y));
    const kane_vec3 t   = kv3_add_scaled(kv3_cross(s->point, f), r.M, s->normal);
    const double row[6] = {f.x, f.y, f.z, t.x, t.y, t.z}, col[6] = {by_v.x, by_v.y, by_v.z, by_w.x, by_w.y, by_w.z};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            d[i][j] += row[i] * col[j];
}

// Rates of the saturated forces when the linear ones and N have the rates given.
static rates saturate(const creep_law *law, double share, const rates *linear, double N, rates d)
{
    const double mu_N = law->friction * N, F = sqrt(linear->T_x * linear->T_x + linear->T_y * linear->T_y);
    const double dF     = F > 0.0 ? (linear->T_x * d.T_x + linear->T_y * d.T_y) / F : 0.0;
    const double factor = share * kane_saturation(F, mu_N);
    double d_factor     = 0.0;
    if (F < 3.0 * mu_N) {
        const double u = F / mu_N;
        d_factor       = share * (2.0 / 27.0 * u - 1.0 / 3.0) * (dF / mu_N - u * d.N / N);
    } else if (F > 0.0) {
        d_factor = share * (law->friction * d.N - mu_N * dF / F) / F;
    }
    return (rates){share * d.N, factor * d.T_x + d_factor * linear->T_x, factor * d.T_y + d_factor * linear->T_y,
                   factor * d.M + d_factor * linear->M};
}

void kane_creep_derive(const creep_law *law, const contact_spot *s, kane_vec3 velocity, kane_vec3 omega, double d[6][6])
{
    const creepage c  = creepage_eval(law, s, velocity, omega);
    const stiffness g = stiffness_eval(law, s);
    const kane_vec3 n = s->normal, p = s->point, x = kv3(1.0, 0.0, 0.0), none = kv3_zero();

    double slope;
    const double N    = s->N * dissipation_factor(-law->dissipation * c.vn, &slope);
    const double xi_x = c.vx / c.V, xi_y = c.vy / c.V, phi = c.wn / c.V;
    const rates linear = {N, -g.x * xi_x, -(g.y * xi_y + c.k * g.couple * phi), c.k * g.couple * xi_y - g.spin * phi};

    // by v_P along n, x, y; by omega along n; by m, on which V and k depend:  V' = k, k' = slow^2/V^3
    const double turn = law->slow * law->slow / (c.V * c.V * c.V), shrink = -c.k / c.V;
    const rates by_n = {-s->N * law->dissipation * slope, 0.0, 0.0, 0.0};
    const rates by_x = {0.0, -g.x / c.V, 0.0, 0.0};
    const rates by_y = {0.0, 0.0, -g.y / c.V, c.k * g.couple / c.V};
    const rates by_w = {0.0, 0.0, -c.k * g.couple / c.V, -g.spin / c.V};
    const rates by_m = {0.0, shrink * linear.T_x, shrink * linear.T_y - turn * g.couple * phi,
                        shrink * linear.M + turn * g.couple * xi_y};

    const kane_vec3 px = kv3_cross(p, x);
    add_column(s, &c, saturate(law, s->share, &linear, N, by_n), n, kv3_cross(p, n), d);
    add_column(s, &c, saturate(law, s->share, &linear, N, by_x), x, px, d);
    add_column(s, &c, saturate(law, s->share, &linear, N, by_y), c.y, kv3_cross(p, c.y), d);
    add_column(s, &c, saturate(law, s->share, &linear, N, by_w), none, n, d);
    add_column(s, &c, saturate(law, s->share, &linear, N, by_m), kv3_scale(0.5, x), kv3_scale(-0.5, px), d);
}
