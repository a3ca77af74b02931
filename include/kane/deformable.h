// SPDX-License-Identifier: MIT
// Bodies that deform: how they do, as the equations need it (docs/mechanisms.md). Finite elements, beams or a formula
// of the user's own come down to these numbers.
//
// A deformable body is its frame, which moves as a rigid body would, and n coordinates q, its modes. All numbers are in
// its body axes and about its undeformed mass centre. Displacement and small rotation of a point are u = S q, phi = Psi
// q; sums are over its masses m at b = x + S q.

#ifndef KANE_DEFORMABLE_H
#define KANE_DEFORMABLE_H

#include <kane/base.h>
#include <kane/math.h>

KANE_C_BEGIN

// A point that joints, elements, sensors and constraints can hold; it turns by yaw, roll and pitch, in that order.
typedef struct kane_deformable_point {
    const char *name;
    kane_vec3 at;          // undeformed [m]
    const double *S, *Psi; // by rows [3 * mode_count]: x, y, z; about x, y, z
} kane_deformable_point;

// What can be read from the modes, a section load or a stress: a channel "BODY.NAME", sum by_i q_i.
typedef struct kane_deformable_gauge {
    const char *name, *unit, *description;
    const double *by; // [mode_count]
} kane_deformable_gauge;

// How it looks, for pictures: nodes, and lines between them. 0 nodes: unknown.
typedef struct kane_deformable_figure {
    int node_count;
    const kane_vec3 *nodes;  // undeformed, body axes [m], ...
    kane_vec3 centre;        // ... and where its mass centre is among them
    const kane_vec3 *shapes; // displacement of node k by mode i at k mode_count + i
    int line_count;          // 0: nodes stand for themselves
    const int (*lines)[2];   // nodes at both ends
} kane_deformable_figure;

typedef struct kane_deformable {
    int mode_count;          // 1 or more
    const double *mass;      // M, symmetric, positive definite [mode_count^2]
    const double *stiffness; // K, symmetric [mode_count^2]
    const double *damping;   // [mode_count^2]; NULL: none
    // how modes and the motion of the frame feel each other; NULL: not at all
    const kane_vec3 *momentum;  // sum m S_i [mode_count]
    const kane_vec3 *turning;   // sum m x x S_i [mode_count]
    const kane_vec3 *gyration;  // sum m S_j x S_i, at j mode_count + i [mode_count^2]
    const double (*inertia)[6]; // J1_i = dJ/dq_i at q = 0: xx yy zz xy xz yz [mode_count]
    const double (*second)[6];  // J2_ij = 1/2 d2J/dq_i dq_j, symmetric [mode_count^2]
    // stiffening by loads: what stretches and bends also shortens, b = x + S q + 1/2 sum Z_ij q_i q_j; then `second` is
    // with sum m (x.Z_ij E - (x Z_ij' + Z_ij x')/2). Points move by S and Psi alone; NULL: none
    const kane_vec3 *momentum_second; // sum m Z_ij, symmetric [mode_count^2]
    const kane_vec3 *turning_second;  // sum m x x Z_ij, symmetric [mode_count^2]
    const char *const *files;         // that it comes from, for manifests, NULL-terminated; NULL: none
    int point_count;                  // 1 or more
    const kane_deformable_point *points;
    int gauge_count;
    const kane_deformable_gauge *gauges;
    kane_deformable_figure figure;
} kane_deformable;

KANE_C_END

#endif
