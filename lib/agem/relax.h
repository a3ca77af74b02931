// SPDX-License-Identifier: MIT
// Creep forces at the end of a step, where all else acts as it does at its beginning: what a step of fixed cost needs that is
// implicit in creep alone (docs/analyses.md).

#ifndef KANE_AGEM_RELAX_H
#define KANE_AGEM_RELAX_H

#include "agem/work.h"

typedef struct kane_relaxation kane_relaxation; // scratch of one thread

// What keeps a model from it, for users; NULL: nothing does.
const char *kane_relaxation_obstacle(const kane_model *model);

// NULL if memory is short.
kane_relaxation *kane_relaxation_create(const kane_model *model, kane_arena *arena);

// Rates with which a step of h [s] from (t, y) ends in y + h ydot: accelerations where the speeds lead to, under the creep forces of the
// speeds at the end, of which the rails allow those alone that open no gaps; rates of coordinates as these speeds have them, and such that
// gaps are closed there but for terms of second order. The work has the motion at (t, y) (kane_motion_eval) and is left at the place to
// which the speeds lead. fresh: 0: what wheelsets answer to forces
// may be as it was in the call before. KANE_RETRY where the rails have no answer.
kane_status kane_relax(kane_relaxation *relaxation, const kane_model *model, kane_work *work, double t, double h,
                       int fresh, const double *y, double *ydot);

#endif
