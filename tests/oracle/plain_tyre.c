// SPDX-License-Identifier: MIT

#include "plain_tyre.h"

#include <math.h>

static double sgn(double x)
{
    return x < 0 ? -1 : 1;
}

static double cap(double E)
{
    return E > 1 ? 1 : E;
}

plain_tyre_forces plain_tyre(double kappa, double alpha, double gamma, double Fz, int combined)
{
    const double R0 = 0.344, Fz0 = 4850 * 0.81, df = (Fz - Fz0) / Fz0, pi = acos(-1.0);
    plain_tyre_forces f;

    // longitudinal
    const double Shx = 0.0012297 + 0.0004318 * df, Svx = Fz * (-8.8098e-6 + 1.862e-5 * df);
    const double kx = kappa + Shx, Cx = 1.6411, mux = 1.1739 - 0.16395 * df;
    const double Ex = cap((0.46403 + 0.25022 * df + 0.067842 * df * df) * (1 + 3.7604e-5 * sgn(kx)));
    const double Kx = Fz * (22.303 + 0.48896 * df) * exp(0.21253 * df), Bx = Kx / (Cx * mux * Fz);
    const double Fx0 = mux * Fz * sin(Cx * atan(Bx * kx - Ex * (Bx * kx - atan(Bx * kx)))) + Svx;

    // lateral
    const double Cy = 1.3507, muy = (1.0489 - 0.18033 * df) * (1 + 2.8821 * gamma * gamma);
    const double Shy = 0.0026747 + 8.9094e-5 * df + 0.031415 * gamma;
    const double Svy = Fz * (0.037318 - 0.010049 * df + (-0.32931 - 0.69553 * df) * gamma);
    const double ay  = alpha + Shy;
    const double Ey  = cap((-0.0074722 - 0.0063208 * df) * (1 - (-9.9935 - 760.14 * gamma) * sgn(ay)));
    const double Ky  = -21.92 * Fz0 * sin(2 * atan(Fz / (2.0012 * Fz0))) * (1 + 0.024778 * fabs(gamma));
    const double By  = Ky / (Cy * muy * Fz);
    const double Fy0 = muy * Fz * sin(Cy * atan(By * ay - Ey * (By * ay - atan(By * ay)))) + Svy;

    // together
    double Gx = 1, Gy = 1, Svyk = 0, mix = 0;
    if (combined) {
        const double Bxa = 12.35 * cos(atan(-10.77 * kappa)), Byk = 6.461 * cos(atan(4.196 * (alpha + 0.015)));
        Gx   = cos(1.092 * atan(Bxa * (alpha + 0.007))) / cos(1.092 * atan(Bxa * 0.007));
        Gy   = cos(1.081 * atan(Byk * (kappa + 0.009))) / cos(1.081 * atan(Byk * 0.009));
        Svyk = muy * Fz * (0.053 - 0.073 * df + 0.517 * gamma) * cos(atan(35.44 * alpha)) *
               sin(1.9 * atan(-10.71 * kappa));
        mix = Kx / Ky * kappa;
    }
    f.Fx = Fx0 * Gx;
    f.Fy = Fy0 * Gy + Svyk;

    // about the normal
    const double Sht = 0.0047326 + 0.0026687 * df + (0.11998 + 0.059083 * df) * gamma, Shf = Shy + Svy / Ky;
    const double at0 = alpha + Sht, ar0 = alpha + Shf;
    const double at = sgn(at0) * atan(hypot(tan(at0), mix)), ar = sgn(ar0) * atan(hypot(tan(ar0), mix));
    const double Bt = (10.904 - 1.8412 * df - 0.52041 * df * df) * (1 + 0.039211 * gamma + 0.41511 * fabs(gamma));
    const double Ct = 1.2136;
    const double Dt = Fz * (0.093509 - 0.0092183 * df) * (1 - 0.057061 * gamma + 0.73954 * gamma * gamma) * R0 / Fz0;
    const double Et = cap((-1.5697 + 0.33394 * df) * (1 + (0.26711 - 3.594 * gamma) * 2 / pi * atan(Bt * Ct * at)));
    const double t  = Dt * cos(Ct * atan(Bt * at - Et * (Bt * at - atan(Bt * at)))) * cos(alpha);
    const double Dr = Fz * (-0.0067783 + 0.0052254 * df + (-0.18175 + 0.029952 * df) * gamma) * R0;
    f.Mz            = -t * (f.Fy - Svyk) + Dr * cos(atan(8.9846 * ar)) * cos(alpha);

    f.sigma_kappa = Fz * (2.3657 + 1.4112 * df) * exp(-0.56626 * df) * R0 / Fz0;
    f.sigma_alpha = 2.1439 * R0 * 0.81 * sin(2 * atan(Fz / (1.9829 * Fz0))) * (1 + 0.024778 * fabs(gamma));
    return f;
}
