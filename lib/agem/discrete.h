// SPDX-License-Identifier: MIT
// Discrete states in an arena.

#ifndef KANE_AGEM_DISCRETE_H
#define KANE_AGEM_DISCRETE_H

#include "agem/work.h"

// Room for the discrete state of a model. 0 if memory is short.
int kane_discrete_fill(const kane_model *model, kane_arena *arena, kane_discrete *discrete);

#endif
