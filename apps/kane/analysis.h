// SPDX-License-Identifier: MIT
// What the analyses of steady motion share (equilibrium, modes, critical): the run file, where and how fast, and a
// parameter that takes one value after another.

#ifndef KANE_APPS_ANALYSIS_H
#define KANE_APPS_ANALYSIS_H

#include <kane/equations.h>
#include <kane/critical.h>
#include <kane/sweep.h>

#include "app.h"
#include "base/json.h"
#include "launch.h"

// === --over as all commands read it (kane/sweep.h): axes of studies, and a parameter that takes one number after
// another.

typedef struct app_axes {
    int count;
    kane_axis *axes[APP_TEXTS_MOST];
} app_axes;

// All of them, or 0 with what is wrong with each; to be freed in any case.
int app_axes_read(const app_texts *texts, app_axes *all, kane_errors *errors);
void app_axes_free(app_axes *all);

enum { APP_OVER_PATH = 512, APP_OVER_UNIT = 64 };

typedef struct app_over {
    char path[APP_OVER_PATH];
    char unit[APP_OVER_UNIT]; // of all values; "": typed without
    int count;
    double *value; // [count]; of app_over_free
} app_over;

// Returns 0 with an error. A range whose N could have been meant as a step is reported on standard error.
int app_over_read(const char *text, app_over *over, kane_errors *errors);
void app_over_free(app_over *over);

// What was typed.
typedef struct app_analysis_choice {
    const char *file; // run file
    app_texts settings, omit;
    const char *speed, *radius, *cant; // NULL: not given
    const char *over;                  // PATH=A:B:N, PATH=A:B:step=S or PATH=V,V,...; NULL: not given
} app_analysis_choice;

// Of commands whose arguments have an app_analysis_choice `choice`.
extern const app_option app_analysis_options[];

// A quantity of a further option, "108 km/h" for a unit of "m/s"; text NULL: it was not given. 0 with an error.
int app_analysis_take(const char *text, const char *option, const char *unit, double *value, kane_errors *errors);

typedef struct app_analysis {
    const app_analysis_choice *choice;
    kane_run *run; // as app_analysis_set left it
    kane_steady_definition where;
    double radius, cant; // as they were typed [m]
    app_over over;       // one value (0, of no path) without --over
    int read;            // index of the value that the run was read with; -1: with none
} app_analysis;

// Reads what was typed, which must outlive it, and the run file. 0 with errors; then there is nothing to close.
int app_analysis_open(const app_analysis_choice *choice, app_analysis *analysis, kane_errors *errors);
void app_analysis_close(app_analysis *analysis);

// Run and place for one value: fills `run` (read anew where the value is one of its files) and `where`. 0 with errors.
int app_analysis_set(app_analysis *analysis, int index, kane_errors *errors);

// The same, and the vehicle in equilibrium there. NULL with errors.
kane_steady *app_analysis_steady(app_analysis *analysis, int index, kane_errors *errors);

// Of a mechanism: which coordinates go on in its steady motion and how fast, and which rates of the start are not part
// of it; a line each on standard output, behind `before` if there is any.
void app_analysis_print_rates(FILE *out, const kane_steady *steady, const char *before);

// Whether there are some that go on: it is a steady motion, no equilibrium.
int app_analysis_goes_on(const kane_steady *steady);

// The same as "rates" in JSON; nothing of a vehicle.
void app_analysis_write_rates(kane_writer *w, const kane_steady *steady);

// Whether the equilibrium is stable, or why that cannot be said. Leaves the work of the steady motion without what was
// observed.
typedef struct app_stability {
    kane_modes *growing; // NULL: it is not known
    char why[512];       // then: why
} app_stability;

// 0 with errors: no memory. To be freed by kane_modes_free.
int app_analysis_stability(kane_steady *steady, app_stability *stability, kane_errors *errors);

// A line about modes that grow, behind `before`; nothing of a stable equilibrium.
void app_analysis_print_stability(FILE *out, const char *before, kane_steady *steady, const app_stability *stability);

// The vehicle and, on a track, "speed", "curvature", "superelevation".
void app_analysis_write_place(kane_writer *w, const app_analysis *analysis);

// "stable", and the modes that grow.
void app_analysis_write_stability(kane_writer *w, const app_stability *stability);

// "Manchester benchmark vehicle 1, run coach-curve", for pictures.
void app_analysis_name(const app_analysis *analysis, size_t size, char *name);

// "40 m/s, radius 300 m, cant 0.1 m, without *:torque.rotation.*" of the present place and omissions; of a mechanism
// the omissions alone.
void app_analysis_title(const app_analysis *analysis, size_t size, char *title);

// === Critical speeds and limit cycles over parameters: of the run, and of the place and the search themselves.

// What each case begins with.
typedef struct critical_map {
    kane_critical_study study;
    const app_analysis_choice *choice; // radius and cant as they were typed
    double radius, cant;               // their values [m]
} critical_map;

// through: cycles that are carried along the run's line instead of critical speeds.
exit_code critical_map_carry_out(critical_map *map, int through, const sweep_options *sweep, plan_options *plan,
                                 kane_errors *errors);

// === Equations of motion at one moment as tables and pictures (equations_report.c).

// What has been evaluated: kane_equations_eval at a moment of a run.
typedef struct equations_view {
    const kane_run_definition *run;
    const kane_model *model;
    const kane_equations *equations;
    kane_work *work; // evaluated there; patterns leave it at another place
    double time;
    const double *state;
} equations_view;

// Writes to a file, in the format that its ending says:
//   text, CSV, HDF5   tables "rods" (number, name, mass [kg], bodies), "rod forces" (body, rods that act on it) and
//                     "rod inertia" (bodies by bodies, lower triangle: rods in each block of the mass matrix)
//   picture           pattern of the mass matrix Theta, log10 |Theta_ij|/sqrt(Theta_ii Theta_jj); with rods also of the
//                     model whose rods have no mass, at the start of the run; of the equations with constraints and
//                     rails; of what the integrator factors
// The tables are those of Y. Pan et al., Multibody System Dynamics 40 (2017), tables 9, 2 and 3; the pictures its
// figures 4 and 5, and figures 8 and 9 of the publication of the FEVE 3000. 0 with errors; a model without rods has no
// tables.
int equations_write_report(const equations_view *view, kane_table_format format, const char *file, kane_errors *errors);

// A panel of Theta [speeds squared]. 0: memory is short.
int equations_draw_mass_matrix(kane_figure *figure, const equations_view *view, const char *title, const double *Theta);

// Panels with their entries and those of their factors: [Theta, Phi'; Phi, 0] if there are rows; that with creep forces
// at the end of a step of `semi_implicit`, of other methods 1 - h J. *most grows to the rows of the largest; one with
// more entries than a map is left out, with a line on standard error. 0 with errors.
int equations_draw_factored(kane_figure *figure, const equations_view *view, int *most, kane_errors *errors);

#endif
