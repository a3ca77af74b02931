// SPDX-License-Identifier: MIT
// Integrators, their tolerances, and formulas that several have.

#ifndef KANE_SIMULATE_INTEGRATORS_H
#define KANE_SIMULATE_INTEGRATORS_H

#include <kane/integrator.h>
#include <kane/simulate.h>

// === How coarse tolerances may be: beyond, wheels lift that never did.

// What tolerances must resolve.
typedef enum kane_scale {
    KANE_SCALE_CONTACT, // wheels in elastic contact
    KANE_SCALE_RAILS,   // wheels that rails guide
    KANE_SCALE_BODIES   // no wheels
} kane_scale;

kane_scale kane_scale_of_vehicle(const kane_vehicle_definition *vehicle);
kane_scale kane_scale_of_model(const kane_model *model);

// Order and tolerances whose keys are not in the block of a run file become the usual ones; absolute ones finer by the
// factor by which an rtol in the block is finer. A coarser one leaves them: wheel forces depend on them.
void kane_settings_complete(kane_settings *settings, kane_settings usual, const kane_block *typed);

// Checks the five tolerances. typed: block of a run file whose keys rtol, position, ... may have been typed, then only
// these are checked, and errors have their places; NULL: all, without places. Returns how many are wrong.
int kane_tolerances_check(const kane_settings *settings, kane_scale scale, const kane_block *typed,
                          kane_errors *errors);

// === The formulas of bdf_alpha.c, also used by its tests.

enum { KANE_BDF_ALPHA_MOST = 4 }; // the highest order

// A formula in Nordsieck's form: from z_j = h^j y^(j)/j!, j = 0 .. order, a step predicts p = z by Taylor, solves
// h f(t + h, p_0 + l_0 d) = p_1 + d for d and corrects z = p + l d. Its error is `error` times d.
typedef struct kane_bdf_alpha_formula {
    int order;
    double l[KANE_BDF_ALPHA_MOST + 1];
    double error;
} kane_bdf_alpha_formula;

// What is left after one step of that which is fast, rho_inf, in a step of `swing` radians of the fastest oscillation.
double kane_bdf_alpha_radius(double swing);

// Order 2: the generalised-alpha formula with that rho_inf [0, 1]; 3 and 4: BDF, whatever it is.
kane_bdf_alpha_formula kane_bdf_alpha_make(int order, double radius);

// Swing of a step up to which orders 3 and 4 are stable for oscillations with a damping ratio of .02 or more.
double kane_bdf_alpha_narrow(void);

// === libkane's integrators, a file each.

extern const kane_integrator kane_integrator_bdf, kane_integrator_adams; // cvode.c
extern const kane_integrator kane_integrator_rk4;                        // rk4.c
extern const kane_integrator kane_integrator_imex, kane_integrator_bdf2; // implicit.c
extern const kane_integrator kane_integrator_semi_implicit;              // semi_implicit.c
extern const kane_integrator kane_integrator_bdf_alpha;                  // bdf_alpha.c
extern const kane_integrator kane_integrator_still;                      // still.c: of models without states

// Of imex and bdf2: the rates have jumped by so much since the last step [size]; earlier values are corrected as if
// they had had the new ones.
void kane_implicit_add_rate_jump(void *self, const double *jump);

#endif
