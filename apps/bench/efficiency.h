// SPDX-License-Identifier: MIT
// One right-hand side, u_dot, built in several ways: what the source of docs/theory.md says of numerical efficiency in
// its section 5, measured (docs/performance.md). Numbers such as (46) are the source's. Indices as there: j a body, r
// and p (rho and pi) speeds, m an axis; the prime of what is relative to a body's frame is left out.

#ifndef KANE_APPS_EFFICIENCY_H
#define KANE_APPS_EFFICIENCY_H

#include <kane/kane.h>

enum {
    EFF_BODIES_MOST  = 200,
    EFF_SPEEDS_MOST  = 6 * EFF_BODIES_MOST,
    EFF_ENTRIES_MOST = 3 * EFF_BODIES_MOST * EFF_BODIES_MOST, // of (47), in a chain
    EFF_STATES_MOST  = 12 * EFF_BODIES_MOST
};

// GUIDED: a train of coaches (car body, 2 bogies, 4 wheelsets) and wagons (car body, 2 wheelsets) in turn, each body in
// a
//   track frame of its own in a transition curve, speeding up. x of car bodies and pitch of bogies are removed; height and roll
//   of a wheelset follow from lateral shift and yaw. A coach has 31 freedoms, a wagon 13. Three bodies are a wagon.
// FREE: the same train, whose wheelsets have all six freedoms, as on elastic contact: 39 and 17. CHAIN: hinges about x
// and y in turn, all in the frame of the first body, whose own hinge moves as prescribed: n - 1 freedoms;
//   j of them move body j.
// Of external forces there is the weight alone.
typedef enum eff_structure { EFF_GUIDED, EFF_FREE, EFF_CHAIN, EFF_STRUCTURES } eff_structure;

// How a part of the equations is formed.
typedef enum eff_form {
    EFF_PRODUCTS,  // (42), (43), (46) with arrays v_jrm, omega_jrm of all bodies and speeds, every product
    EFF_CHECKED,   // the same, but a factor is tested first, and not multiplied if it is zero
    EFF_KNOWN,     // the same with arrays of those speeds only that move the body, which are known beforehand
    EFF_TRANSPOSE, // forces on free bodies times the whole transposed array v_jrm, omega_jrm
    EFF_REDUCED,   // forces on free bodies, reduced by the coefficients that are not zero: (47), (60)
    EFF_FORMS
} eff_form;

// A way to u_dot: forms of the matrix Theta (42), of the inertia forces in f (43), and of external and imaginary ones.
typedef struct eff_way {
    const char *name;
    eff_form matrix, inertia, others;
} eff_way;

enum { EFF_WAYS = 6 };
extern const eff_way eff_ways[EFF_WAYS];

typedef struct eff_body {
    double mass;        // [kg]
    kane_vec3 own;      // principal moments of inertia, body axes [kg m^2]
    int frame;          // its number
    int low, count;     // speeds low .. low + count - 1 move it
    kane_vec3 r;        // place of the mass centre in the frame [m]
    kane_mat3 J;        // inertia, frame axes
    kane_vec3 v, omega; // (36), (37) [m/s], [rad/s]
    kane_vec3 weight;   // external force, frame axes [N]
} eff_body;

// Velocities of the free bodies by the independent speeds (47), in rows of what is not zero:
//   V_s = sum_r A_sr u_r + C_s,   s = 6 j + m;   m: x, y, z of v_j, then of omega_j
typedef struct eff_map {
    int start[EFF_SPEEDS_MOST + 1]; // row s: entries start[s] .. start[s + 1] - 1
    int r[EFF_ENTRIES_MOST];        // their speeds, ascending
    int copied[EFF_SPEEDS_MOST];    // 1: V_s is an independent speed itself, its only A is 1
    double A[EFF_ENTRIES_MOST], A_dot[EFF_ENTRIES_MOST];
    double C[EFF_SPEEDS_MOST], C_dot[EFF_SPEEDS_MOST];
    double bias[EFF_SPEEDS_MOST]; // A_dot u + C_dot, so that V_dot = A u_dot + bias
} eff_map;

// v_jrm (m: 0..2) and omega_jrm (3..5) with their derivatives: of each body six rows of as many speeds as have a place.
typedef struct eff_arrays {
    int low[EFF_BODIES_MOST], count[EFF_BODIES_MOST]; // which these are: low .. low + count - 1
    size_t begin[EFF_BODIES_MOST];                    // of body j in P and dot
    double P[EFF_BODIES_MOST * 6 * EFF_SPEEDS_MOST], dot[EFF_BODIES_MOST * 6 * EFF_SPEEDS_MOST];
} eff_arrays;

// A frame's place on the track at time 0.
typedef struct eff_travel {
    const kane_track *track;
    double at; // [m]
} eff_travel;

typedef struct eff_system {
    eff_structure structure;
    int n, l; // bodies, speeds
    eff_body body[EFF_BODIES_MOST];
    eff_travel travel[EFF_BODIES_MOST]; // of frames
    kane_transport T[EFF_BODIES_MOST];  // likewise
    eff_map map;
    eff_arrays full, known;    // with places for all speeds; for those that move the body
    double q[EFF_SPEEDS_MOST]; // coordinates: x, y, z, yaw, roll, pitch of each body; CHAIN: the angle of each hinge
    double u[EFF_SPEEDS_MOST], u_dot[EFF_SPEEDS_MOST], f[EFF_SPEEDS_MOST];
    double theta[EFF_SPEEDS_MOST * EFF_SPEEDS_MOST]; // [l][l], the lower triangle
    int first[EFF_SPEEDS_MOST];                      // the first speed that theta couples with each
    double scratch[3][EFF_SPEEDS_MOST];
    // the same for libkane, its state and another one close by
    kane_track *track;
    kane_model *model;
    kane_work *work;
    double y[2][EFF_STATES_MOST], y_dot[EFF_STATES_MOST];
} eff_system;

// In a random state. NULL with errors filled if it cannot be made.
eff_system *eff_create(eff_structure structure, int bodies, unsigned seed, kane_errors *errors);
void eff_free(eff_system *s);

// What all ways need: frames, places, inertia in frame axes, coefficients of (47) with their derivatives, velocities.
void eff_move(eff_system *s);

// The arrays of a form, (54) and (55); after eff_move.
void eff_fill(eff_system *s, eff_form form);

// Generalised external and imaginary forces F + F** alone, into s->f; after eff_fill.
void eff_forces(eff_system *s, eff_form form);

// u_dot, from q and u on.
void eff_eval(eff_system *s, const eff_way *way);

// The same by kane_eval, in state 0 or 1; and what it found in terms of this system: q, u, and u_dot apart.
void eff_kane(eff_system *s, int state);
void eff_kane_get(eff_system *s, double *u_dot);

#endif
