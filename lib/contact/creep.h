// SPDX-License-Identifier: MIT
// Forces on one spot of a rolling wheel: dissipation, creepages, friction, creep law.

#ifndef KANE_CONTACT_CREEP_H
#define KANE_CONTACT_CREEP_H

#include "contact/fastsim.h"
#include "contact/kalker.h"
#include "contact/spot.h"

// All laws, prepared.
typedef struct creep_law {
    kane_contact_laws laws;
    kalker_table kalker;
    fastsim_table fastsim; // of KANE_CREEP_FASTSIM alone
} creep_law;

// For laws that are allowed.
void kane_creep_init(creep_law *law, const kane_contact_laws *laws);

// Adds to errors which of the laws' values are not allowed, and returns how many.
int kane_creep_check(const kane_contact_laws *laws, kane_errors *errors);

// Tangential forces by the law, not one's own.
kane_creep_force kane_creep_law_eval(const creep_law *law, const law_input *in, law_slopes *slopes);

// Forces on the wheel, torque about its centre, added to sum, and, unless patch is NULL, everything that is reported (in
// side axes). The status is KANE_OK or that of a law of one's own.
kane_status kane_creep_eval(const creep_law *law, const contact_spot *spot, const side_motion *motion, kane_wrench *sum,
                            kane_patch *patch);

// Adds the derivative of the wrench (6 rows: force, torque) with respect to velocity and angular velocity (6 columns).
kane_status kane_creep_derive(const creep_law *law, const contact_spot *spot, const side_motion *motion,
                              double d[6][6]);

// How the wheel moves over the rail at the spot.
typedef struct creepage {
    kane_vec3 velocity;    // v_P [m/s]
    kane_vec3 y;           // tangential axis across
    double vn, vx, vy, wn; // v_P along n, x and y [m/s]; omega along n [rad/s]
    double V, k;           // reference speed [m/s], direction of rolling [1]
} creepage;

// What the forces on a spot depend on besides its normal force and the size of its ellipse.
typedef struct creep_basis {
    creepage c;
    kane_kalker C;   // for the ratio of its axes
    double factor;   // normal force over the elastic one
    double friction; // coefficient
} creep_basis;

creep_basis kane_creep_prepare(const creep_law *law, const contact_spot *spot, const side_motion *motion);

// Forces of the whole spot, whose N, a, b may have become others in proportion.
kane_status kane_creep_under(const creep_law *law, const contact_spot *spot, const side_motion *motion,
                             const creep_basis *basis, kane_own_force *out);

// The wrench of these forces, torque about the wheel's centre, with the normal force N, of the share that counts.
kane_wrench kane_creep_wrench(const contact_spot *spot, const creepage *c, double N, const kane_own_force *f);

// What is reported of a patch, in side axes.
void kane_creep_report(const contact_spot *spot, const creepage *c, double N, const kane_own_force *f,
                       kane_patch *patch);

// --- between the files of this law ---

// Calls a law of one's own, in rail axes; all else in side axes.
kane_status kane_own_eval(const creep_law *law, const contact_spot *spot, const side_motion *motion, const creepage *c,
                          double N, double friction, kane_own_force *out);

// Its own derivative, which it must have.
kane_status kane_own_derive(const creep_law *law, const contact_spot *spot, const side_motion *motion,
                            const creepage *c, double N, double friction, double d[4][6]);

#endif
