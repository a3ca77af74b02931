// SPDX-License-Identifier: MIT
// FASTSIM (J. J. Kalker, A fast algorithm for the simplified theory of rolling contact, Veh. Syst. Dyn. 11 (1982)
// 1-13).
//
// Tractions p build up from the leading edge (x against the direction of rolling) as the material is strained,
//   dp_x/d(-x) = -(xi_x/L1 - phi y/L3),   dp_y/d(-x) = -(xi_y/L2 + phi x/L3),
// and are shortened to the bound g wherever they exceed it: g = (2 mu N/(pi ab)) (1 - r^2) or (3 mu N/(2 pi ab)) sqrt(1
// - r^2). Flexibilities: L1 = 8 a/(3 G C11), L2 = 8 a/(3 G C22), L3 = pi a sqrt(a/b)/(4 G C23).
//
// Strips are as long as the mean square over their width, L3 is corrected for the grid, and the bound is scaled to mu N
// over all elements: so the limits of small creepages and of full slip are exact on any grid. The slip of spin between
// two elements counts where material adheres (its integral is then exact), that in the element where it slips, since it
// gives traction its direction; between by the factor s with which traction was shortened in the element before.
// Without this traction lags half an element behind the slip, several per cent of mu N on 10 x 10. Loops over strips
// are innermost and have no branches.

#include "contact/creep_laws.h"

#include "base/number.h"

#include <math.h>

// The flexibilities become one, w = min(1, f/3) on the way, with the size of the creepages
//   f^2 = (G c^2/mu N)^2 ((C11 xi_x)^2 + (C22 xi_y)^2 + (C23 c phi)^2),   c^2 = ab
// and the one  Lx = (xi_x^2 + xi_y^2 + (r phi)^2)/(xi_x^2/L1 + xi_y^2/L2 + (r phi)^2/L3),   r = 3 pi a/32.
KANE_INLINE void blend(const law_scalars *in, kane_scalar L[3])
{
    const kane_scalar c = ks_sqrt(ks_mul(in->a, in->b)), scale = ks_div(ks_scale(in->G, ks_square(c)), in->bound);
    const kane_scalar x2 = ks_square(in->xi_x), y2 = ks_square(in->xi_y),
                      r2 = ks_square(ks_mul(ks_scale(3.0 * KANE_PI / 32.0, in->a), in->phi));
    const kane_scalar f2 =
        ks_add(ks_add(ks_square(ks_mul(in->C.C11, in->xi_x)), ks_square(ks_mul(in->C.C22, in->xi_y))),
               ks_square(ks_mul(in->C.C23, ks_mul(c, in->phi))));
    const kane_scalar above = ks_add(ks_add(x2, y2), r2);
    const kane_scalar below =
        ks_add(ks_add(ks_mul(ks_inverse(L[0]), x2), ks_mul(ks_inverse(L[1]), y2)), ks_mul(ks_inverse(L[2]), r2));
    if (!(ks_value(f2) > 0.0 && ks_value(below) > 0.0))
        return;
    const kane_scalar size = ks_mul(scale, ks_sqrt(f2)), one = ks_div(above, below);
    const kane_scalar w = ks_value(size) < 3.0 ? ks_over(size, 3.0) : ks_constant(1.0);
    for (int k = 0; k < 3; k++)
        L[k] = ks_add(ks_mul(w, ks_sub(one, L[k])), L[k]);
}

// Growth of the tractions over a semi-axis a: along, across, and by spin over the distance a [Pa].
KANE_INLINE void growth_of(const fastsim_table *t, const law_scalars *in, kane_scalar v[3])
{
    const double G          = in->G;
    const kane_scalar eight = ks_constant(8.0), root = ks_sqrt(ks_div(in->a, in->b));
    kane_scalar L[3] = {ks_div(eight, ks_scale(3.0 * G, in->C.C11)), ks_div(eight, ks_scale(3.0 * G, in->C.C22)),
                        ks_div(ks_scale(KANE_PI, root), ks_scale(t->spin, ks_scale(4.0 * G, in->C.C23)))}; // over a
    if (t->settings.flexibility == KANE_FLEXIBILITY_BLENDED)
        blend(in, L);
    v[0] = ks_div(in->xi_x, L[0]);
    v[1] = ks_div(in->xi_y, L[1]);
    v[2] = ks_div(ks_mul(in->a, in->phi), L[2]);
}

// Tractions per strip and their sums, in units of mu N/(ab); shape = b/a.
static kane_creep_force integrate_tractions(const fastsim_table *t, const double v[3], double shape)
{
    double x[KANE_FASTSIM_MOST], y[KANE_FASTSIM_MOST], grow_x[KANE_FASTSIM_MOST], grow_y[KANE_FASTSIM_MOST],
        turn[KANE_FASTSIM_MOST], sum_x[KANE_FASTSIM_MOST], sum_y[KANE_FASTSIM_MOST], sum_m[KANE_FASTSIM_MOST];
    const int strips = t->settings.strips, steps = t->settings.steps;
    for (int j = 0; j < strips; j++) {
        grow_x[j] = (v[0] - v[2] * shape * t->across[j]) * t->step[j];
        grow_y[j] = v[1] * t->step[j];
        turn[j]   = v[2] * t->half[j] * t->step[j];
        // the first step is half a one, from the edge to the middle of an element
        x[j]     = -0.5 * grow_x[j];
        y[j]     = -0.5 * (grow_y[j] + turn[j] * t->edge);
        sum_x[j] = sum_y[j] = sum_m[j] = 0.0;
    }
    const double back = 1.0 / steps; // from the middle of an element to that of the one before, half way
    for (int i = 0; i < steps; i++) {
        const double rising = t->rising[i], at = t->at[i], next = i + 1 < steps ? t->at[i + 1] : 0.0;
        for (int j = 0; j < strips; j++) {
            const double u = (x[j] * x[j] + y[j] * y[j]) * (t->inverse[j] * rising), s = 1.0 / sqrt(u > 1.0 ? u : 1.0);
            const double px = s * x[j], py = s * y[j];
            sum_x[j] += px;
            sum_y[j] += py;
            sum_m[j] += at * py;
            x[j] = px - grow_x[j];
            y[j] = py - (grow_y[j] + turn[j] * (next + s * back));
        }
    }
    kane_creep_force total = {0.0, 0.0, 0.0};
    for (int j = 0; j < strips; j++) {
        const double area = t->step[j] * 2.0 / strips;
        total.T_x += area * sum_x[j];
        total.T_y += area * sum_y[j];
        total.M_z += area * (t->half[j] * sum_m[j] - shape * t->across[j] * sum_x[j]);
    }
    return total;
}

void kane_fastsim_init(fastsim_table *t, const kane_fastsim *settings)
{
    const int strips = settings->strips, steps = settings->steps, parabolic = settings->bound == KANE_BOUND_PARABOLIC;
    double total = 0.0;
    t->settings  = *settings;
    t->edge      = 1.0 - 0.5 / steps;
    for (int j = 0; j < strips; j++) {
        t->across[j] = -1.0 + (2.0 * j + 1.0) / strips;
        t->half[j]   = sqrt(1.0 - t->across[j] * t->across[j] - 1.0 / (3.0 * strips * strips));
        t->step[j]   = 2.0 * t->half[j] / steps;
    }
    for (int i = 0; i < steps; i++) {
        t->at[i] = 1.0 - (2.0 * i + 1.0) / steps;
    }
    for (int j = 0; j < strips; j++)
        for (int i = 0; i < steps; i++) {
            const double rest = 1.0 - t->at[i] * t->at[i];
            total += t->step[j] * 2.0 / strips * (parabolic ? t->half[j] * t->half[j] * rest : t->half[j] * sqrt(rest));
        }
    for (int j = 0; j < strips; j++) {
        const double g = (parabolic ? t->half[j] * t->half[j] : t->half[j]) / total;
        t->inverse[j]  = 1.0 / (g * g);
    }
    for (int i = 0; i < steps; i++) {
        const double rest = 1.0 - t->at[i] * t->at[i];
        t->rising[i]      = 1.0 / (parabolic ? rest * rest : rest);
    }
    const double small[3] = {0.0, 0.0, 1e-12};
    t->spin               = -0.25 * KANE_PI * small[2] / integrate_tractions(t, small, 1.0).T_y;
}

// The same for one strip, with the derivatives by v and, in the last place, by shape: exact, but for elements just at
// the bound.
enum { BY_SHAPE = 3, FASTSIM_SLOPES };
static void march_slopes(const fastsim_table *t, int j, const double v[3], double shape,
                         kane_creep_force d[FASTSIM_SLOPES])
{
    const double h = t->step[j], across = shape * t->across[j], half = t->half[j], area = h * 2.0 / t->settings.strips;
    double x = 0.0, y = 0.0, dx[FASTSIM_SLOPES] = {0.0}, dy[FASTSIM_SLOPES] = {0.0}, s = 1.0,
           ds[FASTSIM_SLOPES] = {0.0};
    for (int i = 0; i < t->settings.steps; i++) {
        const double now = i ? h : 0.5 * h, back = i ? half / t->settings.steps : 0.0;
        const double spin = i ? half * t->at[i] + s * back : half * t->edge;
        x -= (v[0] - v[2] * across) * now;
        y -= (v[1] + v[2] * spin) * now;
        dx[0] -= now;
        dx[2] += across * now;
        dx[BY_SHAPE] += v[2] * t->across[j] * now;
        dy[1] -= now;
        dy[2] -= spin * now;
        for (int k = 0; k < FASTSIM_SLOPES; k++) {
            dy[k] -= v[2] * ds[k] * back * now;
            ds[k] = 0.0;
        }
        const double r2 = x * x + y * y, u = r2 * (t->inverse[j] * t->rising[i]);
        s = 1.0;
        if (u > 1.0) {
            s = 1.0 / sqrt(u);
            for (int k = 0; k < FASTSIM_SLOPES; k++) {
                const double radial = (x * dx[k] + y * dy[k]) / r2;
                ds[k]               = -s * radial;
                dx[k]               = s * (dx[k] - radial * x);
                dy[k]               = s * (dy[k] - radial * y);
            }
            x *= s;
            y *= s;
        }
        for (int k = 0; k < FASTSIM_SLOPES; k++) {
            d[k].T_x += area * dx[k];
            d[k].T_y += area * dy[k];
            d[k].M_z += area * (half * t->at[i] * dy[k] - across * dx[k]);
        }
        d[BY_SHAPE].M_z -= area * t->across[j] * x;
    }
}

// One of the sums over v and shape, from its value and its slopes.
KANE_INLINE kane_scalar chain4(const kane_scalar v[3], kane_scalar shape, double f, const double by[FASTSIM_SLOPES])
{
    const kane_scalar sum =
        ks_add(ks_chain2(v[0], v[1], 0.0, by[0], by[1]), ks_chain2(v[2], shape, 0.0, by[2], by[BY_SHAPE]));
    return ks_shift(sum, f);
}

// Rolling forward; derives: whether slopes are wanted.
KANE_INLINE law_force forward(const fastsim_table *t, const law_scalars *in, int derives)
{
    const kane_scalar unit  = ks_div(in->bound, ks_mul(in->a, in->b)); // of traction [Pa]
    const kane_scalar shape = ks_inverse(ks_div(in->a, in->b));
    kane_scalar v[3];
    growth_of(t, in, v);
    for (int k = 0; k < 3; k++)
        v[k] = ks_div(v[k], unit);
    const double at[3]                 = {ks_value(v[0]), ks_value(v[1]), ks_value(v[2])};
    const kane_creep_force f           = integrate_tractions(t, at, ks_value(shape));
    kane_creep_force d[FASTSIM_SLOPES] = {{0}};
    for (int j = 0; derives && j < t->settings.strips; j++)
        march_slopes(t, j, at, ks_value(shape), d);
    const double by_x[FASTSIM_SLOPES] = {d[0].T_x, d[1].T_x, d[2].T_x, d[BY_SHAPE].T_x},
                 by_y[FASTSIM_SLOPES] = {d[0].T_y, d[1].T_y, d[2].T_y, d[BY_SHAPE].T_y},
                 by_m[FASTSIM_SLOPES] = {d[0].M_z, d[1].M_z, d[2].M_z, d[BY_SHAPE].M_z};
    return (law_force){ks_mul(in->bound, chain4(v, shape, f.T_x, by_x)),
                       ks_mul(in->bound, chain4(v, shape, f.T_y, by_y)),
                       ks_mul(ks_mul(in->bound, in->a), chain4(v, shape, f.M_z, by_m))};
}

// Rolling back is the mirror image, in a plane across the rail, of rolling forward.
KANE_INLINE law_force backward(const fastsim_table *t, const law_scalars *in, int derives)
{
    law_scalars image = *in;
    image.xi_x        = ks_neg(in->xi_x);
    image.phi         = ks_neg(in->phi);
    const law_force f = forward(t, &image, derives);
    return (law_force){ks_neg(f.T_x), f.T_y, ks_neg(f.M_z)};
}

KANE_INLINE kane_scalar mix(kane_scalar w, kane_scalar p, kane_scalar q)
{
    return ks_add(ks_mul(w, p), ks_mul(ks_shift(ks_neg(w), 1.0), q));
}

// Near standstill, where |m| < 5 slow, one passes smoothly into the other.
KANE_INLINE law_force fastsim(const fastsim_table *t, const law_scalars *in, int derives)
{
    const kane_scalar r = ks_over(in->k, 0.98);
    if (!(ks_value(in->bound) > 1e-60)) // as without friction
        return law_no_force();
    if (ks_value(r) >= 1.0)
        return forward(t, in, derives);
    if (ks_value(r) <= -1.0)
        return backward(t, in, derives);
    const kane_scalar w = ks_shift(ks_mul(r, ks_shift(ks_scale(-0.25, ks_square(r)), 0.75)), 0.5);
    const law_force f = forward(t, in, derives), b = backward(t, in, derives);
    return (law_force){mix(w, f.T_x, b.T_x), mix(w, f.T_y, b.T_y), mix(w, f.M_z, b.M_z)};
}

kane_creep_force kane_fastsim_eval(const fastsim_table *t, const law_input *in)
{
    const law_scalars s = law_without_slopes(in);
    return law_values(fastsim(t, &s, 0));
}

void kane_fastsim_derive(const fastsim_table *t, const law_scalars *in, law_force *out)
{
    *out = fastsim(t, in, 1);
}
