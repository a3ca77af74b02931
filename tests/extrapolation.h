// SPDX-License-Identifier: MIT
// An integrator of order eight for tests whose motion swings fast and undamped: Gragg's midpoint rule with 2, 4, 6, 8
// substeps, extrapolated to none (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.9).

#ifndef KANE_TESTS_EXTRAPOLATION_H
#define KANE_TESTS_EXTRAPOLATION_H

#include "check.h"

#include <string.h>

enum { EXTRAPOLATION_ROWS = 4, EXTRAPOLATION_MOST = 64 };

typedef void (*extrapolation_rhs)(void *user, double t, const double *y, double *ydot);

// y(t + H) of the modified midpoint rule with n substeps.
static inline void extrapolation_midpoint(extrapolation_rhs rhs, void *user, int size, double t, double H, int n,
                                          const double *y, double *out)
{
    double before[EXTRAPOLATION_MOST], now[EXTRAPOLATION_MOST], rate[EXTRAPOLATION_MOST];
    const double h = H / n;
    rhs(user, t, y, rate);
    for (int i = 0; i < size; i++) {
        before[i] = y[i];
        now[i]    = y[i] + h * rate[i];
    }
    for (int k = 1; k <= n; k++) {
        rhs(user, t + k * h, now, rate);
        for (int i = 0; i < size; i++) {
            const double next = before[i] + 2.0 * h * rate[i];
            out[i]            = 0.25 * (before[i] + 2.0 * now[i] + next);
            before[i]         = now[i];
            now[i]            = next;
        }
    }
}

static inline void extrapolation_step(extrapolation_rhs rhs, void *user, int size, double t, double H, double *y)
{
    static const int substeps[EXTRAPOLATION_ROWS] = {2, 4, 6, 8};
    double T[EXTRAPOLATION_ROWS][EXTRAPOLATION_MOST];
    assert_true(size <= EXTRAPOLATION_MOST);
    for (int j = 0; j < EXTRAPOLATION_ROWS; j++) {
        extrapolation_midpoint(rhs, user, size, t, H, substeps[j], y, T[j]);
        for (int k = j; k > 0; k--) {
            const double ratio = (double)substeps[j] / substeps[k - 1];
            for (int i = 0; i < size; i++)
                T[k - 1][i] = T[k][i] + (T[k][i] - T[k - 1][i]) / (ratio * ratio - 1.0);
        }
    }
    memcpy(y, T[0], (size_t)size * sizeof *y);
}

#endif
