// SPDX-License-Identifier: MIT
// Inertial parameters: how they enter the equations of motion, and which of them a motion determines.
//
// Ten numbers describe the inertia of a rigid body: its mass m, three static moments m c and six moments of inertia
// about a point O of it: that of its joint, of a body without a joint its mass centre as drawn. All equations of motion
// are linear in them,
//
//   Y(t, y, u_dot) pi = generalised forces of all that is not inertia of these bodies
//
// and Y, the regressor, follows from (41). In body axes, with absolute acceleration a of O less gravity g, angular
// velocity w and angular acceleration e, and partial velocities v_j of O and w_j of the body by the speed u_j,
//
//   force of inertia   F = m (a - g) + e x (m c) + w x (w x m c)
//   torque about O     T = (m c) x (a - g) + J e + w x J w
//   row j              sum over bodies v_j.F + w_j.T
//
// Of most mechanisms only combinations of parameters follow from any motion: the base parameters (Gautier and
// Khalil, Direct calculation of minimum set of inertial parameters of serial robots, 1990; here numerically, by columns
// of Y at many states that depend on others). docs/mechanisms.md, "Base parameters".

#ifndef KANE_REGRESSOR_H
#define KANE_REGRESSOR_H

#include <kane/agem.h>
#include <kane/base.h>

KANE_C_BEGIN

enum { KANE_BODY_PARAMETERS = 10 }; // J_xx, J_yy, J_zz, J_xy, J_xz, J_yz of the matrix J; m c_x, m c_y, m c_z; m

typedef struct kane_regressor kane_regressor; // scratch of one thread, for one model

// Of all rigid bodies with mass. The model must outlive it. NULL with errors filled: constraints are held by
// multipliers, rails guide wheels by constraints (tables may), no rigid body has mass, or memory is short.
KANE_API kane_regressor *kane_regressor_create(const kane_model *model, kane_errors *errors);
KANE_API void kane_regressor_free(kane_regressor *regressor); // NULL is allowed

// Rows: independent speeds, in the order of y. Columns: parameters, body by body.
KANE_API int kane_regressor_rows(const kane_regressor *regressor);
KANE_API int kane_regressor_columns(const kane_regressor *regressor);

// Name of a column, "crank.J_zz", with its unit and the value that the model has.
KANE_API void kane_regressor_name(const kane_regressor *regressor, int column, size_t size, char *name);
KANE_API const char *kane_regressor_unit(const kane_regressor *regressor, int column);
KANE_API double kane_regressor_value(const kane_regressor *regressor, int column);

// What a parameter is compared in: the power of its body's radius of gyration that its unit has [m, m^2; 1 of a mass].
KANE_API double kane_regressor_scale(const kane_regressor *regressor, int column);

// Y at (t, y) with the accelerations that the model has there, and u_more [rows] more of its independent speeds (NULL:
// none): by rows [rows * columns], in N and N m (W for a unit speed) per unit of the parameter. Partial velocities are
// differences of motion alone, exact to roundings since velocities are linear in speeds. Returns what kane_eval
// returns, with kane_work_fault, and leaves the work at another state.
KANE_API kane_status kane_regressor_eval(kane_regressor *regressor, kane_work *work, double t, const double *y,
                                         const double *u_more, double *Y);

// === Base parameters

typedef struct kane_base_parameters {
    int rank;            // independent columns: base parameters
    int *order;          // columns of Y: the independent ones first, then those that depend on them [columns]
    double *combination; // column order[rank + j] = sum over i of combination[j * rank + i] column order[i]
    double *value;       // [rank] sum over all parameters of the model's value times the factor of column order[i]
    double *deviation;   // [rank] its standard deviation when every row has an independent error of deviation 1
    void *memory;
} kane_base_parameters;

// From many rows, one state after another (row_count of them, by rows). A column of which less than `small` of its own
// length is left beside the chosen ones before it depends on them (0: 1e-8); parameters are compared in
// kane_regressor_scale. NULL with errors filled without memory, without rows, or with numbers that are not finite.
KANE_API kane_base_parameters *kane_base_parameters_create(const kane_regressor *regressor, int row_count,
                                                           const double *Y, double small, kane_errors *errors);
KANE_API void kane_base_parameters_free(kane_base_parameters *base); // NULL is allowed

KANE_C_END

#endif
