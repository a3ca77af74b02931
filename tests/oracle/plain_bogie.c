// SPDX-License-Identifier: MIT

#include "plain_bogie.h"

#include <math.h>
#include <string.h>

enum { Y1, YAW1, Y2, YAW2, Y, YAW, ROLL, COORDINATES };

// Force of one wheel against creepages (lateral, longitudinal), ellipse G pi a b = 6.563 MN, mu N = 10 kN (Vermeulen
// and Johnson).
static void creep(double lateral, double along, double *F_y, double *F_x)
{
    const double phi = 0.54219, psi = 0.60252, G = 6.563e6, mu_N = 1e4;
    const double xi = hypot(lateral / phi, along / psi), u = G * xi / mu_N;
    const double F = u < 3.0 ? mu_N * (u - u * u / 3.0 + u * u * u / 27.0) : mu_N, part = xi > 1e-14 ? F / xi : G;
    *F_y = part * lateral / phi;
    *F_x = part * along / psi;
}

static double flange(double y)
{
    const double gap = 9.1e-3, stiffness = 14.6e6;
    return y > gap ? stiffness * (y - gap) : y < -gap ? stiffness * (y + gap) : 0.0;
}

const plain_bogie plain_bogie_straight = {.half_wheelbase = 1.074};

// Creepages of the wheel on the right: rolling radii differ with y; in a curve so do the ways of both wheels.
static const double a = 0.716, conicity = 0.05, r0 = 0.4572; // [m], [1], [m]

void plain_bogie_rates(const plain_bogie *bogie, double V, const double y[PLAIN_BOGIE_STATES],
                       double ydot[PLAIN_BOGIE_STATES])
{
    const double k1 = 1.823e6, k2 = 3.646e6, k3 = 3.646e6, k4 = 182.3e3, k5 = 333.3e3, k6 = 2.71e6, D1 = 20e3,
                 D2 = 29.2e3;
    const double b = bogie->half_wheelbase, d1 = 0.62, d2 = 0.68, h1 = 0.0762, h2 = 0.6584;
    const double turn = bogie->curvature * b, sag = 0.5 * turn * b; // of the line at a wheelset, seen from the frame
    const double *v = y + COORDINATES;
    const double A1 = 2.0 * k1 * (y[Y1] + sag - y[Y] - b * y[YAW] - h1 * y[ROLL]);
    const double A2 = 2.0 * k1 * (y[Y2] + sag - y[Y] + b * y[YAW] - h1 * y[ROLL]);
    const double A3 = 2.0 * k2 * d1 * d1 * (y[YAW1] + turn - y[YAW]);
    const double A4 = 2.0 * k2 * d1 * d1 * (y[YAW2] - turn - y[YAW]);
    const double A5 = 2.0 * D2 * (v[Y] - h2 * v[ROLL]) + 2.0 * k4 * (y[Y] - h2 * y[ROLL]), A6 = k6 * y[YAW];
    const double A7 = 2.0 * D1 * d2 * d2 * v[ROLL] + (2.0 * k5 * d2 * d2 + 4.0 * k3 * d1 * d1) * y[ROLL];
    double F_y[2], F_x[2];
    for (int i = 0; i < 2; i++) {
        const double *q = y + 2 * i, *u = v + 2 * i;
        creep(u[0] / V - q[1], a * u[1] / V + conicity * q[0] / r0 + a * bogie->curvature, &F_y[i], &F_x[i]);
    }
    memcpy(ydot, v, COORDINATES * sizeof *ydot);
    ydot += COORDINATES;
    ydot[Y1]   = (-A1 - 2.0 * F_y[0] - flange(y[Y1])) / 1022.0 + bogie->pull;
    ydot[YAW1] = (-A3 - 2.0 * a * F_x[0]) / 678.0;
    ydot[Y2]   = (-A2 - 2.0 * F_y[1] - flange(y[Y2])) / 1022.0 + bogie->pull;
    ydot[YAW2] = (-A4 - 2.0 * a * F_x[1]) / 678.0;
    ydot[Y]    = (A1 + A2 - A5) / 2918.0 + bogie->pull;
    ydot[YAW]  = (b * (A1 - A2) + A3 + A4 - A6) / 6780.0;
    ydot[ROLL] = (h1 * (A1 + A2) + h2 * A5 - A7) / 6780.0;
}

double plain_bogie_drag(double V, const double y[PLAIN_BOGIE_STATES])
{
    double sum = 0.0;
    for (int i = 0; i < 2; i++) {
        const double *q = y + 2 * i, *u = y + COORDINATES + 2 * i;
        double F_y, F_x;
        creep(u[0] / V - q[1], a * u[1] / V + conicity * q[0] / r0, &F_y, &F_x);
        sum += 2.0 * F_y * q[1];
    }
    return sum;
}

static void step(const plain_bogie *bogie, double V, double h, double y[PLAIN_BOGIE_STATES])
{
    static const double node[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double k[PLAIN_BOGIE_STATES] = {0.0}, at[PLAIN_BOGIE_STATES], sum[PLAIN_BOGIE_STATES] = {0.0};
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < PLAIN_BOGIE_STATES; i++)
            at[i] = y[i] + node[stage] * h * k[i];
        plain_bogie_rates(bogie, V, at, k);
        for (int i = 0; i < PLAIN_BOGIE_STATES; i++)
            sum[i] += weight[stage] / 6.0 * k[i];
    }
    for (int i = 0; i < PLAIN_BOGIE_STATES; i++)
        y[i] += h * sum[i];
}

plain_bogie_swing plain_bogie_run(const plain_bogie *bogie, double V, double time, double y[PLAIN_BOGIE_STATES])
{
    const double h        = 2e-4;
    const long steps      = lround(time / h);
    plain_bogie_swing out = {0.0, 0.0};
    double least = 1.0, most = -1.0, first = -1.0, last = -1.0;
    int crossings = -1;
    for (long i = 0; i < steps; i++) {
        const double before = y[Y1];
        step(bogie, V, h, y);
        if (i < 3 * steps / 4)
            continue;
        least = fmin(least, y[Y1]);
        most  = fmax(most, y[Y1]);
        if (before < 0.0 && y[Y1] >= 0.0) {
            last  = h * ((double)i + before / (before - y[Y1]));
            first = crossings < 0 ? last : first;
            crossings++;
        }
    }
    out.amplitude = 0.5 * (most - least);
    if (crossings > 0)
        out.frequency = crossings / (last - first);
    return out;
}
