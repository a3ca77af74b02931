// SPDX-License-Identifier: MIT
// A contact as it is prepared: everything its evaluations read. The header for rooms above.

#ifndef KANE_CONTACT_CONTACT_H
#define KANE_CONTACT_CONTACT_H

#include "contact/cone.h"
#include "contact/creep.h"
#include "contact/overlap.h"
#include "contact/pressure.h"
#include "contact/rigid_contact.h"
#include "contact/tables.h"

// How the normal contact is found.
typedef enum contact_method { CONTACT_OVERLAP, CONTACT_CONE } contact_method;

// The wheel and the rail of one side, as a left one.
typedef struct contact_pair {
    contact_method method;
    double wheel_distance; // from the middle of the axle to the running circle [m]
    double rail_distance;  // from the middle of the track to the rail's origin [m]
    cone_pair cone;
    wheel_table wheel;
    rail_table rail;
    window_table windows;
} contact_pair;

// Further profiles of both rails, in the axes of their own ones.
typedef struct contact_shapes {
    int count;
    const rail_table *rail[2][KANE_RAIL_SHAPES_MAX]; // tables as tables.h has them
    window_table whole;                              // for any profile: all of the wheel
} contact_shapes;

struct kane_contact {
    kane_contact_definition definition; // without its profiles
    double E_star;                      // contact modulus [Pa]
    creep_law creep;
    kane_tables *tables;         // where its tables are kept; NULL: nowhere
    const hertz_table *hertz;    // a table as tables.h has them, and so are
    const strip_kernels *strips; //
    const contact_pair *pair[2]; // left, right; the same one if both sides are alike
    contact_shapes *shapes;      // NULL: the rails are the same all along
};

// The shapes of a definition whose pairs have been made; NULL with an error.
contact_shapes *kane_contact_shapes_create(const kane_contact_definition *definition, const contact_pair *const pair[2],
                                           kane_errors *errors);
void kane_contact_shapes_free(contact_shapes *shapes);

// The rail that a wheel has under it: one of the tables, or a mean of two.
rail_mean kane_contact_rail_here(const kane_contact *contact, kane_side side, const kane_rail_blend *blend);

// How that rail climbs along zeta at eta, per metre of rail: value and derivative by eta. 0, 0 where it does not change.
void kane_contact_climb(const kane_contact *contact, kane_side side, const kane_rail_blend *blend, double eta,
                        double climb[2]);

// kane_contact_derive with a section that stays where it is when the wheel goes on, as on a panel of track that moves back:
// the first column is that of a place farther along the rail.
kane_status kane_contact_derive_apart(const kane_contact *contact, kane_side side, const kane_wheel_motion *motion,
                                      double d[6][12]);

#endif
