// SPDX-License-Identifier: MIT
// libkane's integrators, a file each.

#ifndef KANE_SIMULATE_INTEGRATORS_H
#define KANE_SIMULATE_INTEGRATORS_H

#include <kane/integrator.h>

extern const kane_integrator kane_integrator_bdf, kane_integrator_adams; // cvode.c
extern const kane_integrator kane_integrator_rk4;                        // rk4.c
extern const kane_integrator kane_integrator_imex, kane_integrator_bdf2; // implicit.c
extern const kane_integrator kane_integrator_semi_implicit;              // semi_implicit.c
extern const kane_integrator kane_integrator_bdf_alpha;                  // bdf_alpha.c
extern const kane_integrator kane_integrator_still;                      // still.c: of models without states

// Of imex and bdf2: the rates have jumped by so much since the last step [size]; what has been is bent as if it had had
// the new ones.
void kane_implicit_bend(void *self, const double *jump);

#endif
