// SPDX-License-Identifier: MIT
// Contact patches for the tests of creep laws.

#ifndef KANE_TESTS_CONTACT_PATCH_H
#define KANE_TESTS_CONTACT_PATCH_H

#include "unit/contact/rig.h"

// The published test of FASTSIM: a = 8, b = 4 mm, 82 kN.
static inline kane_creep_input published(void)
{
    return (kane_creep_input){.N             = 82e3,
                              .a             = 8e-3,
                              .b             = 4e-3,
                              .xi_y          = -6.25e-4,
                              .phi           = 0.625,
                              .friction      = 0.3,
                              .shear_modulus = 82e9,
                              .poisson       = 0.28};
}

static inline kane_creep_input random_input(unsigned long long *seed)
{
    kane_creep_input in = published();
    in.a                = rig_random(seed, 1e-3, 9e-3);
    in.b                = rig_random(seed, 1e-3, 9e-3);
    in.N                = rig_random(seed, 1e3, 1.5e5);
    in.xi_x             = rig_random(seed, -4e-3, 4e-3);
    in.xi_y             = rig_random(seed, -4e-3, 4e-3);
    in.phi              = rig_random(seed, -1.0, 1.0);
    return in;
}

#endif
