// SPDX-License-Identifier: MIT
// Studies of removed rods: what do approximations of their inertia cost in accuracy, and what do they save?
//
// A run is integrated with steps of fixed length (rk4) by the exact form and by every approximation (kane/simulate.h,
// kane_rod_settings) side by side, for every step and with the masses of all rods times every factor, and at the end of
// every step their accelerations are compared. docs/studies.md shows one. After Y. Pan, A. Callejo, J. L. Bueno, R. A.
// Wehage and J. Garcia de Jalon, Efficient and accurate modeling of rigid rods, Multibody System Dynamics 40 (2017),
// tables 4 to 6.

#ifndef KANE_RODS_H
#define KANE_RODS_H

#include <kane/base.h>
#include <kane/plan.h>
#include <kane/run.h>

KANE_C_BEGIN

enum { KANE_ROD_STEPS_MOST = 32, KANE_ROD_FACTORS_MOST = 32, KANE_ROD_EXTRAPOLATIONS = 3 };

typedef struct kane_rod_study {
    const char *file;               // run file; of its integrator nothing is read
    const kane_run_options *common; // what every run has; NULL: nothing
    int step_count;                 // 0: 1e-4, 2e-4, 5e-4 and 1e-3 s
    const double *steps;            // [s]
    int factor_count;               // 0: 0, .5, 1, 2 and 3 times the masses that they have
    const double *factors;          // [1]
    double time;                    // how long [s]; 0: as the run says
    int keep; // 1: every case is carried out once more by each method, and its rows stay in case-N-METHOD/results.*
    kane_plan_execution execution;
} kane_rod_study;

// Carries out the cases and, when all have ended, writes rods.csv, rods.json, rods.txt and pictures. *complete says
// whether that was so. An approximation that diverges is a result: its line says when.
KANE_API kane_status kane_study_rods(const kane_rod_study *study, int *complete, kane_errors *errors);

// Eigenvalues lambda of (inertia that is solved for)^-1 (inertia that is extrapolated), along the motions that
// constraints let free, at a state: least and greatest. The feedback of an extrapolation from step to step is stable
// for
//   point -1 < lambda < 1      linear -1 < lambda < 1/3      quadratic -1/2 < lambda < 1/7
// KANE_OK, or what keeps the state from being evaluated.
KANE_API kane_status kane_rods_feedback(const kane_model *model, kane_work *work, double t, const double *y,
                                        kane_rod_inertia inertia, double lambda[2]);

// Between which lambda an extrapolation is stable.
KANE_API void kane_rods_stable(kane_extrapolation extrapolation, double bound[2]);

KANE_C_END

#endif
