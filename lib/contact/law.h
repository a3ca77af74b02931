// SPDX-License-Identifier: MIT
// Tangential laws as the evaluation uses them: with prepared constants, for rolling forward and back, and their slopes.

#ifndef KANE_CONTACT_LAW_H
#define KANE_CONTACT_LAW_H

#include <kane/contact.h>

#include <stddef.h>

// Of a whole patch.
typedef struct law_input {
    double a, b;       // semi-axes [m], positive
    double G;          // shear modulus [Pa]
    kane_kalker C;     // for a, b
    double xi_x, xi_y; // creepages [1]
    double phi;        // spin creepage [1/m]
    double k;          // direction of rolling, -1 to 1
    double bound;      // mu N [N]
} law_input;

// Derivatives of the forces by each member of the input that a motion can change.
typedef struct law_slopes {
    kane_creep_force xi_x, xi_y, phi, k, bound;
} law_slopes;

// slopes may be NULL.
kane_creep_force kane_law_linear(const law_input *in, law_slopes *slopes);
kane_creep_force kane_law_she(const law_input *in, law_slopes *slopes);
kane_creep_force kane_law_polach(const kane_polach *settings, const law_input *in, law_slopes *slopes);

#endif
