// SPDX-License-Identifier: MIT
#include "plain_polach.h"

#include <math.h>

void plain_polach(const plain_polach_patch *p, double *F_x, double *F_y)
{
    const double pi = 3.14159265358979323846, Q = p->mu_N;
    const double s_yc = fabs(p->s_y + p->s_spin * p->a) > fabs(p->s_y) ? p->s_y + p->s_spin * p->a : p->s_y;
    const double s_c  = sqrt(p->s_x * p->s_x + s_yc * s_yc);
    *F_x = *F_y = 0.0;
    if (s_c == 0.0)
        return;
    // translation: gradient of the tangential stress
    const double c       = sqrt(pow(p->c11 * p->s_x / s_c, 2) + pow(p->c22 * s_yc / s_c, 2));
    const double epsilon = 0.25 * p->G * pi * p->a * p->b * c * s_c / Q, adhesion = p->kA * epsilon;
    const double F = -2.0 * Q / pi * (adhesion / (1.0 + adhesion * adhesion) + atan(p->kS * epsilon));
    // spin: its own gradient
    const double K_S       = 1.0 + 6.3 * (1.0 - exp(-p->a / p->b));
    const double epsilon_M = 8.0 / 3.0 * p->G * p->b * sqrt(p->a * p->b) * p->c23 * fabs(s_yc) / (K_S * Q);
    const double delta     = (epsilon_M * epsilon_M - 1.0) / (epsilon_M * epsilon_M + 1.0);
    const double K_M       = epsilon_M * (delta * delta * delta / 3.0 - delta * delta / 2.0 + 1.0 / 6.0) -
                       sqrt(pow(1.0 - delta * delta, 3)) / 3.0;
    *F_x = F * p->s_x / s_c;
    *F_y = F * p->s_y / s_c + 9.0 / 16.0 * p->a * Q * K_S * K_M * p->s_spin / s_c;
}
