// SPDX-License-Identifier: MIT
// Tangential laws of a whole patch, prepared, for rolling forward and back. Each is one formula in dual numbers
// (kane/scalar.h), compiled for its value and for its slopes.

#ifndef KANE_CONTACT_CREEP_LAWS_H
#define KANE_CONTACT_CREEP_LAWS_H

#include "contact/half_space.h"

#include <kane/contact.h>
#include <kane/scalar.h>

typedef struct law_input {
    double a, b;       // semi-axes [m], positive
    double G;          // shear modulus [Pa]
    kane_kalker C;     // for a, b
    double xi_x, xi_y; // creepages [1]
    double phi;        // spin creepage [1/m]
    double k;          // direction of rolling, -1 to 1
    double bound;      // mu N [N]
} law_input;

// The same with slopes.
typedef struct law_scalars {
    kane_scalar a, b, xi_x, xi_y, phi, k, bound;
    double G;
    kalker_scalars C;
} law_scalars;

typedef struct law_force {
    kane_scalar T_x, T_y, M_z;
} law_force;

// FASTSIM, prepared for one grid: the ellipse is cut into strips along the rail, each of them into equal steps. All for
// the unit circle and mu N = 1.
typedef struct fastsim_table {
    kane_fastsim settings;
    double edge;                       // middle of the first half step, from the edge to the middle of an element
    double spin;                       // small spin's lateral force over what the grid would make of it
    double across[KANE_FASTSIM_MOST];  // of the middle of a strip
    double half[KANE_FASTSIM_MOST];    // root mean square of half the length over the width of a strip
    double step[KANE_FASTSIM_MOST];    // length of a step in a strip
    double inverse[KANE_FASTSIM_MOST]; // 1/(bound)^2 of a strip ...
    double rising[KANE_FASTSIM_MOST];  // ... times 1/(bound)^2 of a step: separates for both shapes
    double at[KANE_FASTSIM_MOST]; // of the middle of a step, in halves of a strip from its middle, leading one first
} fastsim_table;

// For settings that are allowed.
void kane_fastsim_init(fastsim_table *table, const kane_fastsim *settings);

kane_creep_force kane_fastsim_eval(const fastsim_table *table, const law_input *in);
void kane_fastsim_derive(const fastsim_table *table, const law_scalars *in, law_force *out);

// All laws, prepared.
typedef struct creep_law {
    kane_contact_laws laws;
    kalker_table kalker;
    fastsim_table fastsim; // of KANE_CREEP_FASTSIM alone
} creep_law;

// Adds to errors, which may be NULL, which of the laws' values are not allowed, and returns how many.
int kane_creep_check(const kane_contact_laws *laws, kane_errors *errors);

// For laws that are allowed.
void kane_creep_init(creep_law *law, const kane_contact_laws *laws);

// Tangential forces by the law, which is not the user's own.
kane_creep_force kane_creep_law_eval(const creep_law *law, const law_input *in);
void kane_creep_law_derive(const creep_law *law, const law_scalars *in, law_force *out);

// Adds an error and counts it in *wrong, unless the value of an argument of a contact is allowed.
void kane_contact_check(kane_errors *errors, int *wrong, int allowed, const char *name, double value,
                        const char *condition);

// --- between the files of these laws ---

KANE_INLINE law_scalars law_without_slopes(const law_input *in)
{
    return (law_scalars){.a     = ks_constant(in->a),
                         .b     = ks_constant(in->b),
                         .xi_x  = ks_constant(in->xi_x),
                         .xi_y  = ks_constant(in->xi_y),
                         .phi   = ks_constant(in->phi),
                         .k     = ks_constant(in->k),
                         .bound = ks_constant(in->bound),
                         .G     = in->G,
                         .C     = kane_kalker_constant(in->C)};
}

KANE_INLINE kane_creep_force law_values(law_force f)
{
    return (kane_creep_force){ks_value(f.T_x), ks_value(f.T_y), ks_value(f.M_z)};
}

KANE_INLINE law_force law_no_force(void)
{
    return (law_force){ks_constant(0.0), ks_constant(0.0), ks_constant(0.0)};
}

#endif
