// SPDX-License-Identifier: MIT
// The formulas of bdf_alpha.c, for it and for who looks at them.

#ifndef KANE_SIMULATE_BDF_ALPHA_H
#define KANE_SIMULATE_BDF_ALPHA_H

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

#endif
