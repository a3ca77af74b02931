// SPDX-License-Identifier: MIT
// Rows of deformable bodies in the Jacobian. Their groups of links are seen with accelerations held, all speeds of points among the
// rows; here rows of points go to the modes, and the accelerations follow:  d(v_dot) = Theta^-1 d(f - Theta v_dot).

#ifndef KANE_AGEM_DERIVE_TIES_H
#define KANE_AGEM_DERIVE_TIES_H

#include "agem/work.h"
#include "tree/derive.h"
#include "tree/loops_derive.h"

// A group of links in which there are deformable bodies.
typedef struct kane_tied_group kane_tied_group;

typedef struct kane_tied {
    int group_count;
    kane_tied_group *groups;
    kane_derived_group *rows; // of every group: what kane_tied_derive makes
} kane_tied;

// NULL if memory is short.
kane_tied *kane_tied_create(const kane_model *model, const kane_derive_map *map, kane_arena *arena);

// The sweep that has been made.
typedef struct kane_tied_sweep {
    const kane_derive_map *map;
    const double *map_values;
    const kane_derive_work *work;
    kane_link_tangent *tangent; // scratch [link_count]
} kane_tied_sweep;

// Accelerations of all such groups by the states of the tree; of groups in clusters d(f - Theta v_dot) alone, the rest is found
// there.
void kane_tied_derive(const kane_model *model, kane_tied *tied, const kane_work *work, const kane_tied_sweep *sweep);

// Takes what the inertia of deformed bodies needs beyond that of rigid ones from what acts on their carriers, about the links' origins,
// frame axes: the rest knows rigid bodies alone.
void kane_tied_take(const kane_model *model, const kane_work *work, kane_wrench *acting);

#endif
