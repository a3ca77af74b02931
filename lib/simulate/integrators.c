// SPDX-License-Identifier: MIT
// Which integrators there are.

#include "simulate/integrators.h"

static const kane_integrator *const integrators[] = {
    [KANE_BDF]           = &kane_integrator_bdf,
    [KANE_ADAMS]         = &kane_integrator_adams,
    [KANE_RK4]           = &kane_integrator_rk4,
    [KANE_IMEX]          = &kane_integrator_imex,
    [KANE_BDF2]          = &kane_integrator_bdf2,
    [KANE_SEMI_IMPLICIT] = &kane_integrator_semi_implicit,
    [KANE_BDF_ALPHA]     = &kane_integrator_bdf_alpha,
};

const char *const kane_method_names[] = {[KANE_BDF]           = "bdf",
                                         [KANE_ADAMS]         = "adams",
                                         [KANE_RK4]           = "rk4",
                                         [KANE_IMEX]          = "imex",
                                         [KANE_BDF2]          = "bdf2",
                                         [KANE_SEMI_IMPLICIT] = "semi_implicit",
                                         [KANE_BDF_ALPHA]     = "bdf_alpha",
                                         NULL};

const char *const kane_extrapolation_names[] = {[KANE_EXTRAPOLATION_POINT]     = "constant",
                                                [KANE_EXTRAPOLATION_LINEAR]    = "linear",
                                                [KANE_EXTRAPOLATION_QUADRATIC] = "quadratic",
                                                NULL};

const char *const kane_normal_forces_names[] = {
    [KANE_NORMAL_FORCES_COUPLED] = "coupled", [KANE_NORMAL_FORCES_LAGGED] = "lagged", NULL};

const kane_integrator *kane_method_integrator(kane_method method)
{
    return integrators[method];
}

int kane_method_orders(kane_method method)
{
    return integrators[method]->orders;
}

const kane_integrator *kane_settings_integrator(const kane_settings *settings)
{
    return settings->integrator ? settings->integrator : kane_method_integrator(settings->method);
}
