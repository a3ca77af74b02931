// SPDX-License-Identifier: MIT
// The sparse Jacobian of dy/dt, exact but for two columns: a pattern that never changes, filled from local derivatives.
// It is what implicit integrators, equilibria, small motions and `kane check` use.
//
//   kane_jacobian *jacobian     = kane_jacobian_create(model, kane_model_state_count(model));
//   const kane_pattern *pattern = kane_jacobian_pattern(jacobian);
//   double *values              = calloc((size_t)pattern->count, sizeof *values);
//   if (kane_jacobian_eval(jacobian, model, work, t, y, ydot, values) == KANE_OK)
//       for (int column = 0; column < pattern->size; column++)
//           for (int k = pattern->column_start[column]; k < pattern->column_start[column + 1]; k++)
//               use(pattern->row[k], column, values[k]); // d(ydot[row])/d(y[column])

#ifndef KANE_JACOBIAN_H
#define KANE_JACOBIAN_H

#include <kane/base.h>
#include <kane/agem.h>
#include <kane/pattern.h>

KANE_C_BEGIN

typedef struct kane_jacobian kane_jacobian; // scratch of one thread, for one model

// size: numbers in y, which may be more than the model has states (kane_model_state_count): rows and columns of what is
// integrated beside them hold nothing but their diagonal, which is zero. The model must outlive the result. NULL if
// memory is short.
KANE_API kane_jacobian *kane_jacobian_create(const kane_model *model, int size);
KANE_API void kane_jacobian_free(kane_jacobian *jacobian); // NULL is allowed

// Its entries: rows ascending in every column, the whole diagonal among them. Valid as long as the Jacobian.
KANE_API const kane_pattern *kane_jacobian_pattern(const kane_jacobian *jacobian);

// Evaluates dy/dt and its derivatives at (t, y) in the discrete state that the work has. y, ydot [states of the model];
// values [pattern->count], d(ydot[row])/d(y[column]) in the order of the pattern, in the units of y and seconds.
// Columns of the travel s and v, where they are states, are central differences (1 mm, 1e-7 m/s); all others are
// derivatives. In a work whose frames do not accelerate (an equilibrium's) columns of s and v stay zero. At kinks of
// force laws and contact values are those of one side. Returns what kane_eval returns, with kane_work_fault, and leaves
// the work at another place than (t, y).
KANE_API kane_status kane_jacobian_eval(kane_jacobian *jacobian, const kane_model *model, kane_work *work, double t,
                                        const double *y, double *ydot, double *values);

// Writes into P [states of the model, squared, by columns] how a consistent state is projected onto constraints of
// joined bodies: d(projected y)/dy, where it is not that of states that stay as they are. After kane_jacobian_eval and
// another kane_eval at the same y.
KANE_API kane_status kane_jacobian_project(const kane_jacobian *jacobian, double *P);

// How the gaps of wheelsets that hang by joints and that rails guide change with the coordinates in y, after
// kane_jacobian_eval: [2 gaps of every such wheelset * states], 0 of all other states.
KANE_API void kane_jacobian_gaps(const kane_jacobian *jacobian, double *gaps);

KANE_C_END

#endif
