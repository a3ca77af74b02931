// SPDX-License-Identifier: MIT
// What acts on the modes of deformable bodies: stiffness, damping and what holds them at rest.

#ifndef KANE_AGEM_DEFORMABLE_H
#define KANE_AGEM_DEFORMABLE_H

#include "agem/work.h"

// Forces on all modes, along their speeds in the tree.
void kane_modes_push(const kane_model *model, kane_work *work);

// Adds their energy, and what damping takes.
void kane_modes_add_energy(const kane_model *model, const kane_work *work, kane_energy *energy);

// Power that a mode takes beyond that of its own forces: what its points' joints give.
double kane_mode_power(const kane_model *model, const kane_work *work, const kane_link *mode);

#endif
