// SPDX-License-Identifier: MIT
// Modes of a finite element model: those that are found, those that static loads add, and the sums over all masses.

#ifndef KANE_FLEXIBLE_MODES_H
#define KANE_FLEXIBLE_MODES_H

#include "flexible/model.h"
#include "math/sparse.h"

enum { KANE_RIGID_MODES = 6, KANE_MODES_REPORTED = -1030 };

// Modes of unit modal mass, and what memory they have.
typedef struct kane_found_modes {
    kane_arena *arena;
    int count;
    double *w, *phi; // omega^2 [count], by rows [count * n]
} kane_found_modes;

// Frequency of omega^2 [Hz]
double kane_modes_frequency(double w);

// The modes that a file asks for, of the body free (excluded: its six rigid modes) or held (excluded: loads), m fresh
// or to be overwritten.
// Returns 0, a number of math/dense.h or math/sparse.h, or KANE_MODES_REPORTED; likewise below.
int kane_modes_find(kane_reader *reader, const kane_modes_input *in, const kane_mesh *mesh,
                    const kane_excluded_motions *excluded, kane_found_modes *m);

// Modes of the body that moves in `count` ways alone, independent ones [count * n]: m then has these, of unit modal
// mass and orthogonal to each other. `basis` may be m's own.
int kane_modes_combine(const kane_mesh *mesh, int count, const double *basis, kane_found_modes *m);

// The six rigid motions of a body, of unit mass and orthogonal to each other [6 * n]; work [n].
void kane_modes_make_rigid(const kane_mesh *mesh, kane_vec3 centre, double *modes, double *work);

// Attachment modes: adds to m, free modes, what forces and torques at all interfaces do to the body whose inertia
// balances them. Modes of both together are made of them, orthogonal to rigid motion: m then has these alone.
int kane_modes_attach(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *mesh,
                      const kane_excluded_motions *rigid, kane_found_modes *m);

// Craig-Bampton: the loads that hold a body at all its interfaces, or at one (-1: all; memory: the arena's), and what
// adds to m, modes of the body held by them, the motions that the interfaces can do. As above.
int kane_modes_hold(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *mesh, int interface,
                    kane_arena *arena, kane_excluded_motions *held);
int kane_modes_release(const kane_mesh *mesh, const kane_excluded_motions *rigid, const kane_excluded_motions *held,
                       kane_found_modes *m);

// Axes fixed to an interface: m then has the modes of the body held there alone, as well as its own motions and rigid
// ones make them.
int kane_modes_fix(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *mesh, kane_found_modes *m);

// Index of an interface that a key names; -1 with an error.
int kane_modes_interface(kane_reader *reader, const kane_flexible_file *file, const char *key, const char *name);

// What the inertia of a body does to its stiffness, as sums of second order, all for modes i, j at i count + j
// [count^2].
typedef struct kane_stiffening {
    kane_vec3 *momentum, *turning; // set
    double (*second)[6];           // added to
} kane_stiffening;

// Adds it for modes m, as kane_modes_find.
int kane_modes_stiffen(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *mesh, kane_vec3 centre,
                       const kane_found_modes *m, kane_stiffening *out);

// Fills data->shape's gauges; adds to the reader's errors what is wrong with them.
void kane_gauges_fill(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *mesh, const double *phi,
                      kane_flexible_data *data);

// Mass, mass centre and inertia.
void kane_sums_rigid(const kane_mesh *mesh, kane_flexible_data *data);

// The most by which the modal mass of modes differs from E. work [n]
double kane_sums_mass_left(const kane_mesh *mesh, const double *phi, int count, double *work);

// Shares the mass among the nodes, as the diagonal of M does: no share is negative. [node_count]
void kane_sums_share(const kane_mesh *mesh, double mass, double *share);

// Takes from a mode what round-off has left in it of rigid motion.
void kane_sums_clean(const kane_mesh *mesh, const kane_flexible_data *data, double *phi);

// Principal moments w and axes of inertia (by columns) of the undeformed body. 0: two moments are equal, within 1e-3 of
// the greatest, so that the axes mean nothing.
int kane_sums_distinct_moments(const kane_flexible_data *data, double w[3], kane_mat3 *axes);

// Adds to modes in mean axes a rotation of the body each, after which they leave products of inertia in those axes as
// they are, to first order. Returns 0 without memory.
int kane_sums_add_rotations(const kane_mesh *mesh, kane_mass_sums masses, const kane_flexible_data *data,
                            const double w[3], kane_mat3 axes, int count, double *phi);

// What modes and the motion of the frame have to do with each other; as in kane_deformable.
typedef struct kane_modal_sums {
    kane_vec3 *momentum, *turning, *gyration;
    double (*inertia)[6], (*second)[6];
} kane_modal_sums;

// Fills sums that are zero, and what is left of momentum and turning in `data`. Returns 0 without memory.
int kane_sums_of_modes(const kane_mesh *mesh, kane_mass_sums masses, const double *phi, int count,
                       kane_flexible_data *data, kane_modal_sums *s);

// === How a point moves that is held by nodes around it.

typedef struct kane_patch {
    kane_vec3 at;
    int *node; // [count]; one alone: the point is rigidly joined to it
    int count;
    kane_vec3 middle; // of its nodes
    kane_mat3 spread; // sum of |r|^2 E - r r', r from the middle
} kane_patch;

// 0 with an error if no motion can be told from its nodes.
int kane_patch_make(kane_patch *patch, kane_reader *reader, const kane_mesh *mesh, const kane_interface_input *in);

// Displacement and rotation of the point: those of the rigid motion that fits its nodes best (least squares).
void kane_patch_move(const kane_patch *patch, const kane_mesh *mesh, const double *motion, kane_vec3 *u,
                     kane_vec3 *turn);

// Adds to `forces` on all unknowns what a force and a torque at the point are on its nodes: they do the same work.
void kane_patch_wrench(const kane_patch *patch, const kane_mesh *mesh, kane_vec3 force, kane_vec3 torque,
                       double *forces);

#endif
