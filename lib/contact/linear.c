// SPDX-License-Identifier: MIT
// Kalker's linear theory, alone and saturated.
//
//   T_x = -G ab C11 xi_x,   T_y = -G (ab C22 xi_y + k (ab)^3/2 C23 phi),   M = -G (-k (ab)^3/2 C23 xi_y + (ab)^2 C33 phi)
// with the direction of rolling k, since spin pushes to the other side when the wheel rolls back.

#include "contact/law.h"

#include <math.h>

// Forces by unit creepages.
typedef struct stiffness {
    double x, y, couple, spin;
} stiffness;

static inline stiffness stiffness_of(const law_input *in)
{
    const double ab = in->a * in->b, Gab = in->G * ab;
    return (stiffness){Gab * in->C.C11, Gab * in->C.C22, in->k * (Gab * sqrt(ab) * in->C.C23), Gab * ab * in->C.C33};
}

static inline kane_creep_force linear(const law_input *in, const stiffness *s)
{
    return (kane_creep_force){-s->x * in->xi_x, -(s->y * in->xi_y + s->couple * in->phi),
                              s->couple * in->xi_y - s->spin * in->phi};
}

static void linear_slopes(const law_input *in, law_slopes *d)
{
    const stiffness s = stiffness_of(in);
    const double ab = in->a * in->b, couple = in->G * ab * sqrt(ab) * in->C.C23;
    d->xi_x  = (kane_creep_force){-s.x, 0.0, 0.0};
    d->xi_y  = (kane_creep_force){0.0, -s.y, s.couple};
    d->phi   = (kane_creep_force){0.0, -s.couple, -s.spin};
    d->k     = (kane_creep_force){0.0, -couple * in->phi, couple * in->xi_y};
    d->bound = (kane_creep_force){0.0, 0.0, 0.0};
}

kane_creep_force kane_law_linear(const law_input *in, law_slopes *d)
{
    const stiffness s = stiffness_of(in);
    if (d)
        linear_slopes(in, d);
    return linear(in, &s);
}

// Z. Y. Shen, J. K. Hedrick, J. A. Elkins, A comparison of alternative creep force models for rail vehicle dynamic
// analysis, Veh. Syst. Dyn. 12 (1983) 79-83.
double kane_saturation(double F, double mu_N)
{
    if (F < 3.0 * mu_N) {
        const double u = F / mu_N;
        return 1.0 - u / 3.0 + u * u / 27.0;
    }
    return F > 0.0 ? mu_N / F : 1.0;
}

// Slope of factor * linear, where the linear force F and the factor have the slopes d and by_F; here along one direction.
static kane_creep_force saturated(double factor, double by_F, const kane_creep_force *linear, double F,
                                  kane_creep_force d)
{
    const double dF     = F > 0.0 ? (linear->T_x * d.T_x + linear->T_y * d.T_y) / F : 0.0;
    const double change = by_F * dF;
    return (kane_creep_force){factor * d.T_x + change * linear->T_x, factor * d.T_y + change * linear->T_y,
                              factor * d.M_z + change * linear->M_z};
}

static kane_creep_force times(double factor, const kane_creep_force *f)
{
    return (kane_creep_force){factor * f->T_x, factor * f->T_y, factor * f->M_z};
}

static void she_slopes(const law_input *in, const kane_creep_force *force, double F, double factor, law_slopes *d)
{
    const double bound = in->bound;
    double by_F = 0.0, by_bound = 0.0;
    linear_slopes(in, d);
    if (F < 3.0 * bound) {
        const double u = F / bound, slope = 2.0 / 27.0 * u - 1.0 / 3.0;
        by_F     = slope / bound;
        by_bound = -slope * u / bound;
    } else if (F > 0.0) {
        by_F     = -bound / (F * F);
        by_bound = 1.0 / F;
    }
    d->xi_x  = saturated(factor, by_F, force, F, d->xi_x);
    d->xi_y  = saturated(factor, by_F, force, F, d->xi_y);
    d->phi   = saturated(factor, by_F, force, F, d->phi);
    d->k     = saturated(factor, by_F, force, F, d->k);
    d->bound = times(by_bound, force);
}

kane_creep_force kane_law_she(const law_input *in, law_slopes *d)
{
    const stiffness s            = stiffness_of(in);
    const kane_creep_force force = linear(in, &s);
    const double F = sqrt(force.T_x * force.T_x + force.T_y * force.T_y), factor = kane_saturation(F, in->bound);
    if (d)
        she_slopes(in, &force, F, factor, d);
    return times(factor, &force);
}
