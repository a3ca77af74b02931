// SPDX-License-Identifier: MIT
// FASTSIM (J. J. Kalker, A fast algorithm for the simplified theory of rolling contact, Veh. Syst. Dyn. 11 (1982) 1-13).
//
// Tractions p build up from the leading edge (x against the direction of rolling) as the material is strained,
//   dp_x/d(-x) = -(xi_x/L1 - phi y/L3),   dp_y/d(-x) = -(xi_y/L2 + phi x/L3),
// and are shortened to the bound g wherever they exceed it: g = (2 mu N/(pi ab)) (1 - r^2) or (3 mu N/(2 pi ab))
// sqrt(1 - r^2). Flexibilities: L1 = 8 a/(3 G C11), L2 = 8 a/(3 G C22), L3 = pi a sqrt(a/b)/(4 G C23).
//
// Strips are as long as the mean square over their width, L3 is corrected for the grid, and the bound is scaled to mu N over
// all elements: so the limits of small creepages and of full slip are exact on any grid. The slip of spin between two
// elements counts where material adheres (its integral is then exact), that in the element where it slips, since it gives
// traction its direction; between by the factor s with which traction was shortened in the element before. Without this
// traction lags half an element behind the slip, several per cent of mu N on 10 x 10. Loops over strips are innermost and
// have no branches.

#include "contact/fastsim.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// Growth of the tractions over a semi-axis a: along, across, and by spin over the distance a. With their derivatives by
// xi_x, xi_y, phi.
typedef struct growth {
    double v[3], d[3][3];
} growth;

// The flexibilities become one, w = min(1, f/3) on the way, with the size of the creepages
//   f^2 = (G c^2/mu N)^2 ((C11 xi_x)^2 + (C22 xi_y)^2 + (C23 c phi)^2),   c^2 = ab
// and the one  Lx = (xi_x^2 + xi_y^2 + (r phi)^2)/(xi_x^2/L1 + xi_y^2/L2 + (r phi)^2/L3),   r = 3 pi a/32.
static void blend(const law_input *in, double L[3], double dL[3][3])
{
    const double c = sqrt(in->a * in->b), scale = in->G * c * c / in->bound, r = 3.0 * pi * in->a / 32.0;
    const double xi[3] = {in->xi_x, in->xi_y, in->phi};
    const double C[3] = {scale * in->C.C11, scale * in->C.C22, scale * in->C.C23 * c}, weight[3] = {1.0, 1.0, r * r};
    double f2 = 0.0, above = 0.0, below = 0.0;
    for (int k = 0; k < 3; k++) {
        f2 += C[k] * C[k] * xi[k] * xi[k];
        above += weight[k] * xi[k] * xi[k];
        below += weight[k] * xi[k] * xi[k] / L[k];
    }
    if (!(f2 > 0.0 && below > 0.0))
        return;
    const double f = sqrt(f2), w = f < 3.0 ? f / 3.0 : 1.0, one = above / below;
    for (int j = 0; j < 3; j++) {
        const double dw   = f < 3.0 ? C[j] * C[j] * xi[j] / (3.0 * f) : 0.0;
        const double done = 2.0 * weight[j] * xi[j] * (1.0 - one / L[j]) / below;
        for (int k = 0; k < 3; k++)
            dL[k][j] = dw * (one - L[k]) + w * done;
    }
    for (int k = 0; k < 3; k++)
        L[k] += w * (one - L[k]);
}

static growth growth_eval(const fastsim_table *t, const law_input *in)
{
    const double G = in->G, xi[3] = {in->xi_x, in->xi_y, in->phi}, size[3] = {1.0, 1.0, in->a};
    double dL[3][3] = {{0.0}};
    double L[3]     = {8.0 / (3.0 * G * in->C.C11), 8.0 / (3.0 * G * in->C.C22),
                       pi * sqrt(in->a / in->b) / (4.0 * G * in->C.C23 * t->spin)}; // over a
    growth g;
    if (t->settings.flexibility == KANE_FLEXIBILITY_BLENDED)
        blend(in, L, dL);
    for (int k = 0; k < 3; k++) {
        g.v[k] = size[k] * xi[k] / L[k];
        for (int j = 0; j < 3; j++)
            g.d[k][j] = size[k] * ((j == k) - xi[k] / L[k] * dL[k][j]) / L[k];
    }
    return g;
}

// Tractions per strip and their sums, in units of mu N/(ab); shape = b/a.
static kane_creep_force march(const fastsim_table *t, const double v[3], double shape)
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
    t->spin               = -0.25 * pi * small[2] / march(t, small, 1.0).T_y;
}

// The same for one strip, with the derivatives by v: exact, but for elements just at the bound.
static void march_slopes(const fastsim_table *t, int j, const double v[3], double shape, kane_creep_force d[3])
{
    const double h = t->step[j], across = shape * t->across[j], half = t->half[j], area = h * 2.0 / t->settings.strips;
    double x = 0.0, y = 0.0, dx[3] = {0.0}, dy[3] = {0.0}, s = 1.0, ds[3] = {0.0};
    for (int i = 0; i < t->settings.steps; i++) {
        const double now = i ? h : 0.5 * h, back = i ? half / t->settings.steps : 0.0;
        const double spin = i ? half * t->at[i] + s * back : half * t->edge;
        x -= (v[0] - v[2] * across) * now;
        y -= (v[1] + v[2] * spin) * now;
        dx[0] -= now;
        dx[2] += across * now;
        dy[1] -= now;
        dy[2] -= spin * now;
        for (int k = 0; k < 3; k++) {
            dy[k] -= v[2] * ds[k] * back * now;
            ds[k] = 0.0;
        }
        const double r2 = x * x + y * y, u = r2 * (t->inverse[j] * t->rising[i]);
        s = 1.0;
        if (u > 1.0) {
            s = 1.0 / sqrt(u);
            for (int k = 0; k < 3; k++) {
                const double radial = (x * dx[k] + y * dy[k]) / r2;
                ds[k]               = -s * radial;
                dx[k]               = s * (dx[k] - radial * x);
                dy[k]               = s * (dy[k] - radial * y);
            }
            x *= s;
            y *= s;
        }
        for (int k = 0; k < 3; k++) {
            d[k].T_x += area * dx[k];
            d[k].T_y += area * dy[k];
            d[k].M_z += area * (half * t->at[i] * dy[k] - across * dx[k]);
        }
    }
}

static kane_creep_force combine(const double c[3], const kane_creep_force f[3])
{
    return (kane_creep_force){c[0] * f[0].T_x + c[1] * f[1].T_x + c[2] * f[2].T_x,
                              c[0] * f[0].T_y + c[1] * f[1].T_y + c[2] * f[2].T_y,
                              c[0] * f[0].M_z + c[1] * f[1].M_z + c[2] * f[2].M_z};
}

// Rolling forward.
static kane_creep_force roll(const fastsim_table *t, const law_input *in, law_slopes *d)
{
    const double unit = in->bound / (in->a * in->b), shape = in->b / in->a; // of traction [Pa]
    const growth g                    = growth_eval(t, in);
    const double v[3]                 = {g.v[0] / unit, g.v[1] / unit, g.v[2] / unit};
    const kane_creep_force f          = march(t, v, shape);
    const kane_creep_force in_newtons = {in->bound * f.T_x, in->bound * f.T_y, in->bound * in->a * f.M_z};
    if (!d)
        return in_newtons;
    kane_creep_force by_v[3] = {{0}}, by_xi[3];
    const double ab          = in->a * in->b;
    for (int j = 0; j < t->settings.strips; j++)
        march_slopes(t, j, v, shape, by_v);
    for (int k = 0; k < 3; k++)
        by_v[k] = (kane_creep_force){ab * by_v[k].T_x, ab * by_v[k].T_y, ab * in->a * by_v[k].M_z};
    for (int k = 0; k < 3; k++) {
        const double c[3] = {g.d[0][k], g.d[1][k], g.d[2][k]};
        by_xi[k]          = combine(c, by_v);
    }
    d->xi_x = by_xi[0];
    d->xi_y = by_xi[1];
    d->phi  = by_xi[2];

    // homogeneous of the first degree in creepages and bound (Euler)
    const double xi[3]          = {in->xi_x, in->xi_y, in->phi};
    const kane_creep_force part = combine(xi, by_xi);
    d->bound = (kane_creep_force){(in_newtons.T_x - part.T_x) / in->bound, (in_newtons.T_y - part.T_y) / in->bound,
                                  (in_newtons.M_z - part.M_z) / in->bound};
    return in_newtons;
}

static kane_creep_force mirrored(kane_creep_force f)
{
    return (kane_creep_force){-f.T_x, f.T_y, -f.M_z};
}

// Rolling back is the mirror image, in a plane across the rail, of rolling forward.
static kane_creep_force roll_back(const fastsim_table *t, const law_input *in, law_slopes *d)
{
    law_input image          = *in;
    image.xi_x               = -in->xi_x;
    image.phi                = -in->phi;
    const kane_creep_force f = mirrored(roll(t, &image, d));
    if (d) {
        d->xi_x  = (kane_creep_force){d->xi_x.T_x, -d->xi_x.T_y, d->xi_x.M_z};
        d->phi   = (kane_creep_force){d->phi.T_x, -d->phi.T_y, d->phi.M_z};
        d->xi_y  = mirrored(d->xi_y);
        d->bound = mirrored(d->bound);
    }
    return f;
}

static kane_creep_force mix(double w, kane_creep_force p, kane_creep_force q)
{
    return (kane_creep_force){w * p.T_x + (1.0 - w) * q.T_x, w * p.T_y + (1.0 - w) * q.T_y,
                              w * p.M_z + (1.0 - w) * q.M_z};
}

// Near standstill, where |m| < 5 slow, one passes smoothly into the other.
kane_creep_force kane_law_fastsim(const fastsim_table *t, const law_input *in, law_slopes *d)
{
    const double full = 0.98, r = in->k / full;
    if (d)
        *d = (law_slopes){0};
    if (!(in->bound > 1e-60)) // as without friction
        return (kane_creep_force){0.0, 0.0, 0.0};
    if (r >= 1.0)
        return roll(t, in, d);
    if (r <= -1.0)
        return roll_back(t, in, d);
    law_slopes on = {0}, back = {0};
    const double w           = 0.5 + r * (0.75 - 0.25 * r * r);
    const kane_creep_force f = roll(t, in, d ? &on : NULL), b = roll_back(t, in, d ? &back : NULL);
    if (d) {
        const double slope = 0.75 * (1.0 - r * r) / full;
        d->xi_x            = mix(w, on.xi_x, back.xi_x);
        d->xi_y            = mix(w, on.xi_y, back.xi_y);
        d->phi             = mix(w, on.phi, back.phi);
        d->bound           = mix(w, on.bound, back.bound);
        d->k = (kane_creep_force){slope * (f.T_x - b.T_x), slope * (f.T_y - b.T_y), slope * (f.M_z - b.M_z)};
    }
    return mix(w, f, b);
}
