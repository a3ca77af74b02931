// SPDX-License-Identifier: MIT
// What acts on the modes of deformable bodies: stiffness, damping and what holds them at rest.

#ifndef KANE_AGEM_DEFORMABLE_H
#define KANE_AGEM_DEFORMABLE_H

#include "agem/work.h"
#include "tree/tie.h"

// The imaginary terms of deformation `i` beyond those of the rigid body: on its carrier, about the origin of its link, frame axes;
// and on the modes, mode[term][mode], which last until the next call. 0: there are none.
int kane_modes_imaginary(const kane_model *model, const kane_work *work, int i, kane_imaginary *terms,
                         double *mode[KANE_IMAGINARY_TERMS]);

// The same forces for one more m/s^2 of the frame along the track: those on the modes go where the next kane_tree_respond finds
// them; returns the wrench on the carrier.
kane_wrench kane_modes_gain(const kane_model *model, kane_work *work, int i);

// How the sum of those that are kept changes with the states of a batch, as kane_tie_need_changes has it; in
// derive_deformable.c.
void kane_modes_imaginary_changes(const kane_model *model, const kane_work *work, int i,
                                  const kane_tie_changes *changes, kane_wrench_changes *wrench,
                                  double (*mode)[KANE_CHANGES]);

// Accelerations of points on which nothing hangs, and of modes, which an evaluation leaves out.
void kane_modes_show(const kane_model *model, kane_work *work);

// Forces on all modes, along their speeds in the tree.
void kane_modes_push(const kane_model *model, kane_work *work);

// Adds their energy, and what damping takes.
void kane_modes_add_energy(const kane_model *model, const kane_work *work, kane_energy *energy);

// Power that a mode takes beyond that of its own forces: what its points' joints give.
double kane_mode_power(const kane_model *model, const kane_work *work, const kane_link *mode);

#endif
