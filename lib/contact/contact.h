// SPDX-License-Identifier: MIT
// A contact as prepared: everything its evaluations read. The header for rooms above.

#ifndef KANE_CONTACT_CONTACT_H
#define KANE_CONTACT_CONTACT_H

#include <kane/contact.h>

#include "base/arena.h"
#include "contact/creep.h"
#include "contact/elastic_table.h"

// === Tables that contacts share: blocks of memory, immutable once filled, that the last owner frees; and the store
// that keeps some of them under all that they were made from.

// What a table was made from, as bytes that are compared in full. Numbers go in as they are stored: 0 and -0 are two, a
// NaN is like itself.
typedef struct table_key {
    unsigned char *bytes; // [size]
    size_t size, room;
    int failed; // 1: no memory
} table_key;

void kane_key_add(table_key *key, const void *bytes, size_t size);
void kane_key_add_profile(table_key *key, const kane_profile *profile);
void kane_key_free(table_key *key);

// A table of the store with this key, which gets one more owner; NULL if there is none. tables NULL: none.
void *kane_table_find(kane_tables *tables, const table_key *key);

// Memory for a table, all zero, with one owner; NULL if there is none. Its key is copied.
void *kane_table_create(size_t size, const table_key *key);

// A filled table goes into the store, which becomes an owner of it too, unless there is an equal one, or no room for so
// large a one. tables NULL: nothing happens.
void kane_table_keep(kane_tables *tables, void *table);

// Fills a table that has just been created from a file of the store. 0: there is none; the table is zero as it was.
int kane_table_load(kane_tables *tables, void *table);

// Writes a filled table, which has no addresses in it, to a file of the store, if it has a folder.
void kane_table_save(kane_tables *tables, const void *table);

// The key that a table was created with; valid as long as the table.
table_key kane_table_key(const void *table);

// An owner is done with it. NULL is allowed.
void kane_table_release(const void *table);

// Adds an owner of the store, which it releases by kane_tables_free. NULL is allowed.
kane_tables *kane_tables_share(kane_tables *tables);

// === Largest pressures and areas of the patches of a wheel: strips along the rail, side by side over the profile. For
// what is reported, never for an evaluation; no force depends on it.
//
// A strip carries p sqrt(1 - x^2/a^2) on its width w. Where the strips press, the half-space gives way by what the
// undeformed bodies overlap in the middle of the strip,
//   sum over j of p_j a_j/(pi E*) [G((t_i - t_j + w_j/2)/a_j) - G((t_i - t_j - w_j/2)/a_j)] = q_i,   p_i >= 0
// and the half-length a_i is such that it gives way less by the parabola of the wheel's curvature A_i at x = beta a_i:
//   sum over j of p_j a_j/(pi E*) [D(.../a) - D(.../a)] = A_i a_i^2,   a^2 = (a_i^2 + a_j^2)/2,   beta = .7
// with, for a line that carries sqrt(1 - x^2) from -1 to 1, seen from the distance r beside it,
//   g(r) = integral of sqrt(1 - x^2)/sqrt(x^2 + r^2) dx,     h(r) = integral of sqrt(1 - x^2)/sqrt((x - beta)^2 + r^2) dx
//   G = integral of g from 0 to r,   D = integral of (g - h)/beta^2.

// G and D as cubics, eight in an octave of r.
enum { KANE_STRIP_FIRST = -8, KANE_STRIP_OCTAVES = 15, KANE_STRIP_CELLS = 8 * KANE_STRIP_OCTAVES };

typedef struct strip_cell {
    double from, G[4], D[4]; // powers of r - from
} strip_cell;

typedef struct strip_kernels {
    strip_cell cell[KANE_STRIP_CELLS];
    double h;    // at the first cell's beginning
    double G, D; // at the last one's end
} strip_kernels;

void kane_strip_kernels_init(strip_kernels *kernels);

// Pressure and area of a patch.
typedef struct patch_pressure {
    double pressure; // largest [Pa]
    double area;     // [m^2]
} patch_pressure;

// Of `count` patches of these penetrations that carry N [N] together. A spot gets the largest of the strips over its
// own penetrations. Returns 0 where no strip presses.
int kane_strip_pressures(const contact_locus *g, const penetrations *found, const strip_kernels *kernels, double E_star,
                         double N, int count, const contact_patch *spots, patch_pressure *out);

// === Wheel and rail as rigid bodies that touch (docs/contact.md): where a wheelset has both gaps closed, and the
// forces on a wheel that rolls under whatever normal force others find.

// Position of a wheelset, for a lateral shift and a yaw: height z of the middle of the axle over the tops of the rails
// and roll at which both gaps, always searched, are closed; they come in as a guess. KANE_RETRY where a wheel leaves
// its rail, KANE_NOT_SOLVED.
kane_status kane_rigid_position(const kane_contact *contact, double y, double yaw, double *z, double *roll,
                                kane_gap gap[2]);

// A wheel that touches its rail and rolls, under whatever normal force others find: what does not depend on that force
// is prepared once.
typedef struct rigid_contact {
    const kane_contact *contact;
    const kane_gap *gap; // what it was prepared from
    double sign;         // of y in side axes
    side_motion motion;
    contact_patch spot;   // without a load
    double root_per_N;    // cube of it: approach^(3/2) over the normal force [m^1.5/N]
    double along, across; // semi-axes over the root of the approach [m^0.5]
    creep_basis basis;
} rigid_contact;

// KANE_RETRY for a motion that no vehicle reaches.
kane_status kane_rigid_prepare(const kane_contact *contact, kane_side side, const kane_gap *gap,
                               const kane_wheel_motion *motion, rigid_contact *wheel);

// Forces in side axes under N [N]; KANE_RETRY for an N that is not finite, or what a user-defined law returns.
kane_status kane_rigid_forces(const rigid_contact *wheel, double N, kane_user_force *out);

// The slope of these forces by N, exact but for a user-defined law without slopes; zero where N is not positive.
kane_status kane_rigid_slope(const rigid_contact *wheel, double N, kane_user_force *slope);

// Their wrench about the wheel's centre, rail axes, without the normal force itself. N: only what dissipates counts of
// it.
kane_wrench kane_rigid_wrench(const rigid_contact *wheel, double N, const kane_user_force *f);

// What is reported of the contact under N. Returns the number of patches: 1, or 0 if nothing presses.
int kane_rigid_report(const rigid_contact *wheel, double N, const kane_user_force *f, kane_patch *patch);

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

// The gap of a pair over the pose (gap_table.h).
typedef struct gap_table gap_table;

// Further profiles of both rails, in the axes of their own ones.
typedef struct contact_shapes {
    int count;
    const rail_table *rail[2][KANE_RAIL_SHAPES_MAX]; // tables as contact.h has them
    window_table whole;                              // for any profile: all of the wheel
} contact_shapes;

struct kane_contact {
    kane_contact_definition definition; // without its profiles
    double E_star;                      // contact modulus [Pa]
    creep_law creep;
    kane_tables *tables;           // where its tables are kept; NULL: nowhere
    const hertz_table *hertz;      // a table as contact.h has them, and so are
    const strip_kernels *strips;   //
    const contact_pair *pair[2];   // left, right; the same one if both sides are alike
    const elastic_table *table[2]; // of the pairs; NULL: contact is searched
    const gap_table *gap[2];       // of the pairs; NULL: gaps are searched
    contact_shapes *shapes;        // NULL: the rails are the same all along
};

// The shapes of a definition whose pairs have been made; NULL with an error.
contact_shapes *kane_contact_shapes_create(const kane_contact_definition *definition, const contact_pair *const pair[2],
                                           kane_errors *errors);
void kane_contact_shapes_free(contact_shapes *shapes);

// A wheel on what the rail is like under it: one of the tables, or a mean of two.
typedef struct contact_place {
    const contact_pair *pair;
    rail_mean rail;
    const window_table *windows;
    const elastic_table *table; // NULL: none for this rail
    contact_method method;
} contact_place;

int kane_contact_knows_blend(const kane_contact *contact, const kane_rail_blend *blend);
contact_place kane_contact_place_at(const kane_contact *contact, kane_side side, const kane_rail_blend *blend);

// How that rail climbs along zeta at eta, per metre of rail: value and derivative by eta. 0, 0 where it does not
// change.
void kane_contact_climb(const kane_contact *contact, kane_side side, const kane_rail_blend *blend, double eta,
                        double climb[2]);

// kane_contact_derive with a section that stays where it is when the wheel goes on, as on a panel of track that moves
// back: the first column is that of a place farther along the rail.
kane_status kane_contact_derive_apart(const kane_contact *contact, kane_side side, const kane_wheel_motion *motion,
                                      double d[6][12]);

// Derivative of on_wheel by the turn of the rail [rad/m] (3 components) and by the relative change of its friction.
kane_status kane_contact_derive_rail(const kane_contact *contact, kane_side side, const kane_wheel_motion *motion,
                                     double d[6][4]);

#endif
