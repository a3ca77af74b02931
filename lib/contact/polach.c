// SPDX-License-Identifier: MIT
// Polach's law with spin.
//
// With psi = k phi (spin seen in the direction of rolling), syc = xi_y + psi a where that is larger than xi_y, otherwise
// xi_y, and s^2 = xi_x^2 + syc^2:
//   eps = G pi ab S/(4 mu N),   S^2 = (C11 xi_x)^2 + (C22 syc)^2
//   T_x = -F xi_x/s,   F = (2/pi) mu N (kA eps/(1 + (kA eps)^2) + atan(kS eps))
//   T_y = -F xi_y/s + (9/16) a mu N Ks Kf psi/s
//   Ks = 1 + 6.3 (1 - exp(-a/b)),   epsM = (8/3) b sqrt(ab) G C23 |syc|/(Ks mu N)
//   Kf = epsM (d^3/3 - d^2/2 + 1/6) - (1/3) (1 - d^2)^3/2,   d = (eps^2 - 1)/(eps^2 + 1)
//      = (2/3) c^2 (epsM (3 - 4 c) - 4 eps^3 c),             c = 1/(1 + eps^2)
// Kf is negative; for small pure spin the force is Kalker's. All is homogeneous of the first degree in creepages and mu N.

#include "contact/law.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// A number that knows its derivatives by xi_x, xi_y, psi.
typedef struct jet {
    double v, d[3];
} jet;

// f(x) where f has the value and the slope given.
static jet chain(double value, double slope, const jet *x)
{
    return (jet){value, {slope * x->d[0], slope * x->d[1], slope * x->d[2]}};
}

static jet product(const jet *x, const jet *y)
{
    return (jet){x->v * y->v,
                 {x->d[0] * y->v + x->v * y->d[0], x->d[1] * y->v + x->v * y->d[1], x->d[2] * y->v + x->v * y->d[2]}};
}

static jet sum(double p, const jet *x, double q, const jet *y)
{
    return (jet){p * x->v + q * y->v,
                 {p * x->d[0] + q * y->d[0], p * x->d[1] + q * y->d[1], p * x->d[2] + q * y->d[2]}};
}

// What does not change with the creepages.
typedef struct constants {
    double bound, scale; // mu N; eps = scale S
    double spin, moment; // (9/16) a mu N Ks; epsM = moment |syc|
} constants;

static constants prepare(const law_input *in)
{
    const double a = in->a, b = in->b, Ks = 1.0 + 6.3 * (1.0 - exp(-a / b));
    return (constants){.bound  = in->bound,
                       .scale  = 0.25 * pi * in->G * a * b / in->bound,
                       .spin   = 9.0 / 16.0 * a * in->bound * Ks,
                       .moment = 8.0 / 3.0 * b * sqrt(a * b) * in->G * in->C.C23 / (Ks * in->bound)};
}

// The larger of xi_y and xi_y + psi a, and whether it is the second.
static double lateral(const law_input *in, double psi, int *turning)
{
    const double with = in->xi_y + psi * in->a;
    *turning          = fabs(with) > fabs(in->xi_y);
    return *turning ? with : in->xi_y;
}

// F over mu N, and its slope by eps.
static double adhesion(const kane_polach *p, double eps, double *slope)
{
    const double A = p->kA * eps, S = p->kS * eps, c = 1.0 / (1.0 + A * A);
    *slope = 2.0 / pi * (p->kA * c * (2.0 * c - 1.0) + p->kS / (1.0 + S * S));
    return 2.0 / pi * (A * c + atan(S));
}

static void fill_slopes(const kane_polach *p, const law_input *in, const constants *q, double psi, law_slopes *d)
{
    int turning;
    const double syc = lateral(in, psi, &turning), s_v = sqrt(in->xi_x * in->xi_x + syc * syc);
    const jet x = {in->xi_x, {1.0, 0.0, 0.0}}, y = {in->xi_y, {0.0, 1.0, 0.0}}, w = {psi, {0.0, 0.0, 1.0}};
    const double sign = syc < 0.0 ? -1.0 : 1.0, C11 = in->C.C11, C22 = in->C.C22;
    const jet side = {fabs(syc), {0.0, sign, turning ? sign * in->a : 0.0}};
    const jet s    = {s_v, {x.v / s_v, syc / s_v, turning ? syc / s_v * in->a : 0.0}};

    const double S = sqrt(C11 * C11 * x.v * x.v + C22 * C22 * syc * syc), by = q->scale / S;
    const double by_side = by * C22 * C22 * side.v;
    const jet eps        = {q->scale * S, {by * C11 * C11 * x.v, by_side * side.d[1], by_side * side.d[2]}};
    double slope;
    const double F      = adhesion(p, eps.v, &slope);
    const jet force     = chain(q->bound * F, q->bound * slope, &eps);
    const jet inverse   = chain(1.0 / s.v, -1.0 / (s.v * s.v), &s);
    const jet per_creep = product(&force, &inverse);
    const jet T_x = product(&per_creep, &x), T_y = product(&per_creep, &y);

    // Kf, its slopes by eps and epsM
    const double e = eps.v, c = 1.0 / (1.0 + e * e), eM = q->moment * side.v, dc = -2.0 * e * c * c;
    const double inner = eM * (3.0 - 4.0 * c) - 4.0 * e * e * e * c, by_M = 2.0 / 3.0 * c * c * (3.0 - 4.0 * c);
    const double by_e =
        2.0 / 3.0 * (2.0 * c * dc * inner + c * c * (-4.0 * dc * eM - 12.0 * e * e * c - 4.0 * e * e * e * dc));
    const jet from_e = chain(2.0 / 3.0 * c * c * inner, by_e, &eps), from_M = chain(0.0, by_M * q->moment, &side);
    const jet Kf = sum(1.0, &from_e, 1.0, &from_M), share = product(&w, &inverse), turned = product(&Kf, &share);
    const jet lateral_force = sum(-1.0, &T_y, q->spin, &turned);

    d->xi_x = (kane_creep_force){-T_x.d[0], lateral_force.d[0], 0.0};
    d->xi_y = (kane_creep_force){-T_x.d[1], lateral_force.d[1], 0.0};
    d->phi  = (kane_creep_force){-in->k * T_x.d[2], in->k * lateral_force.d[2], 0.0};
    d->k    = (kane_creep_force){-in->phi * T_x.d[2], in->phi * lateral_force.d[2], 0.0};

    // Euler: what is homogeneous is the sum of its arguments times its slopes
    const double rest_x = -T_x.v + T_x.d[0] * x.v + T_x.d[1] * y.v + T_x.d[2] * psi;
    const double rest_y =
        lateral_force.v - lateral_force.d[0] * x.v - lateral_force.d[1] * y.v - lateral_force.d[2] * psi;
    d->bound = (kane_creep_force){rest_x / q->bound, rest_y / q->bound, 0.0};
}

kane_creep_force kane_law_polach(const kane_polach *p, const law_input *in, law_slopes *d)
{
    int turning;
    const double psi = in->k * in->phi, syc = lateral(in, psi, &turning);
    const double s = sqrt(in->xi_x * in->xi_x + syc * syc);
    if (d)
        *d = (law_slopes){0};
    // no friction: below 1e-60 N, where eps^3 could leave the range of numbers, it is none
    if (!(in->bound > 1e-60))
        return (kane_creep_force){0.0, 0.0, 0.0};
    const constants q = prepare(in);
    if (!(s > 0.0)) { // at rest: the slopes are those of the linear part, which has no direction of its own
        if (d) {
            const double each = -q.bound * 2.0 / pi * (p->kA + p->kS) * q.scale;
            d->xi_x.T_x       = each * in->C.C11;
            d->xi_y.T_y       = each * in->C.C22;
            d->phi.T_y        = -in->k * 2.0 / 3.0 * q.spin * q.moment;
        }
        return (kane_creep_force){0.0, 0.0, 0.0};
    }
    const double x = in->C.C11 * in->xi_x, y = in->C.C22 * syc, eps = q.scale * sqrt(x * x + y * y);
    const double c = 1.0 / (1.0 + eps * eps), epsM = q.moment * fabs(syc);
    const double Kf = 2.0 / 3.0 * c * c * (epsM * (3.0 - 4.0 * c) - 4.0 * eps * eps * eps * c);
    double slope;
    const double F = q.bound * adhesion(p, eps, &slope), per_s = 1.0 / s;
    if (d)
        fill_slopes(p, in, &q, psi, d);
    return (kane_creep_force){-F * in->xi_x * per_s, (-F * in->xi_y + q.spin * Kf * psi) * per_s, 0.0};
}
