// SPDX-License-Identifier: MIT
// Integrators: a table of functions for each. A simulation (kane/simulate.h) asks its integrator for one step after
// another and does everything else itself: events, section joints of the track, choices of independent speeds, output.
// To use a user-defined method, fill a table and put it into the settings:
//
//   static const kane_integrator midpoint = {.name = "midpoint", .fixed_step = 1, .create = ..., .step = ..., ...};
//   kane_settings settings = kane_settings_default();
//   settings.integrator    = &midpoint;
//   settings.step          = 1e-4;
//
// An integrator sees a system of ordinary differential equations and knows nothing of what they mean. What it computes
// must depend on nothing but the calls since its last restart, so that runs repeat to the last bit; it allocates in
// `create` only.

#ifndef KANE_INTEGRATOR_H
#define KANE_INTEGRATOR_H

#include <kane/base.h>
#include <kane/pattern.h>
#include <kane/simulate.h>

KANE_C_BEGIN

// dy/dt = f(t, y), or f(t, y, x) with numbers x that are solved for there and may be extrapolated from earlier steps
// instead (accelerations of the ends of rods). All functions get `data` as their last argument. They return KANE_OK;
// KANE_RETRY where a shorter step may help (nothing in the results can be used then); a negative status where the
// integration cannot continue.
typedef struct kane_system {
    int size;                // numbers in y: states of the model, and integrals beside them
    int root_count;          // functions of (t, y) whose changes of sign are events
    int projected;           // 1: after every step the state has to be projected
    int drifts;              // 1: multipliers hold constraints, which steps that close the gaps of rails leave open
    int on_rails;            // 1: wheels run on rails, where contact is stiff and no motion is quite smooth
    int coordinates, speeds; // y[coordinates .. speeds) are coordinates ...
    int speeds_end; // ... and y[speeds .. speeds_end) speeds: what swings swings between them. All 0: not known
    const kane_pattern *pattern; // of the Jacobian [size * size]; it holds the whole diagonal
    void *data;

    // ydot [size]
    kane_status (*rates)(double t, const double *y, double *ydot, void *data);

    // The same with x, numbers that an integrator may extrapolate (0: there are none).
    //   ahead  [ahead_count] used in place of x; NULL: x is solved for
    //   found  [ahead_count] gets x; NULL: it is not needed
    int ahead_count;
    int unused; // in place of padding, whose bytes are anything: exported models are compared byte by byte
    kane_status (*rates_ahead)(double t, const double *y, const double *ahead, double *ydot, double *found, void *data);

    // The Jacobian d(ydot)/dy: values of all entries of the pattern [pattern->count]
    kane_status (*slopes)(double t, const double *y, double *values, void *data);

    // One over the tolerance of every number: an error is small enough if the root of the mean of (error * weight)^2 is
    // below one. weights [size]
    kane_status (*weigh)(double t, const double *y, double *weights, void *data);

    // values [root_count]
    kane_status (*roots)(double t, const double *y, double *values, void *data);

    // Rates with which a step of h [s] from (t, y) ends in y + h ydot, implicit in creep and in what rails do, explicit
    // elsewhere. fresh: 0: what wheelsets answer to forces may be as it was in the call before. NULL: the model has no
    // such form.
    kane_status (*relax)(double t, double h, int fresh, const double *y, double *ydot, void *data);

    // Moves y onto the constraints that the equations do not keep by themselves.
    kane_status (*project)(double t, double *y, void *data);
} kane_system;

// Where a step has ended.
typedef enum kane_step_end {
    KANE_STEP_TAKEN,  // where the integrator has chosen
    KANE_STEP_LATEST, // at the latest time that was allowed
    KANE_STEP_ROOT    // at a root
} kane_step_end;

struct kane_integrator {
    const char *name;   // as errors and manifests have it: "bdf"
    const char *help;   // what it is, a few words
    int fixed_step;     // 1: its steps are as long as settings.step says; it reads neither order nor tolerances
    int keeps_jacobian; // 1: it has a fixed step and reads settings.jacobian_every
    int orders;         // the highest settings.order; 0: it has one order only
    int serves[3];      // orders that serve where none is chosen: wheels in elastic contact, guided wheels, no wheels
    int extrapolates;   // 1: it extrapolates where system.ahead_count says so; else settings.rods must be exact
    int relaxes;        // 1: it needs system.relax; models without it are refused
    int projects;       // 1: it projects after its steps where the system says so; else such models are refused
    int multistep; // 1: it uses earlier steps. Then it integrates y less what changed inputs add to its rates, so that these
        // do not jump; another one is restarted where an input has changed
    int finds_roots; // 1: it ends its steps at roots; 0: the simulation looks for them in every step and finds them on what
                     // `interpolate` says. A root is an event: the simulation restarts the integrator there

    // Whether it can work with these settings; adds an error for each that is not possible. NULL: with all of them.
    void (*check)(const kane_settings *settings, kane_errors *errors);

    // NULL if memory is short. The system outlives what is created; the settings may not.
    void *(*create)(const kane_system *system, const kane_settings *settings);
    void (*free)(void *self); // NULL is never passed

    // Begins at (t, y), and forgets what was before. y [size]
    kane_status (*restart)(void *self, double t, const double *y);

    // Forgets also what a restart may keep, such as the order of pivots: from the next restart on all that it computes
    // follows from the calls since then. NULL: restarts do.
    void (*forget)(void *self);

    // One step from where the last one ended, not beyond `latest`; `goal` is when the next event is known to come,
    // which is no earlier. Fills t, y [size] and how it ended, and at a root what has changed its sign: roots
    // [root_count], 1 upwards, -1 downwards, 0 not (NULL unless it finds roots). KANE_OK, or a negative status if it
    // gives up: then t, y are its last state, and `message` says why.
    kane_status (*step)(void *self, double goal, double latest, double *t, double *y, kane_step_end *end, int *roots);

    // y [size] at a time within the last step; of an integrator that does not find roots with an error that is of the
    // order of that of a step.
    void (*interpolate)(void *self, double t, double *y);

    // Of one that extrapolates: the numbers that it takes at a time within the last step [system.ahead_count], 0: they
    // are solved for there.
    int (*extrapolate)(const void *self, double t, double *ahead);
    // Of a multistep integrator: rates of y at the end of the last step, as it uses them in the next step [size]. 0: it
    // has taken none since its restart.
    int (*rates)(void *self, double *ydot);

    // How long it would like its next step to be [s]; 0: it does not know yet. NULL: it never does.
    double (*wish)(const void *self);

    // Adds what it has counted since the last restart to the sums of `statistics`, and puts down last_step and
    // last_order if it has taken a step since then. The simulation looks after restarts and errors.
    void (*count)(const void *self, kane_statistics *statistics);

    // Estimated error of the last step, and the weights that it was tested with: error, weight [size]. 0: there is
    // none. NULL: it estimates none.
    int (*estimate)(const void *self, double *error, double *weight);

    // Its final message, "" if there is none.
    const char *(*message)(const void *self);
};

// --- what methods make of a mode ---

// The rate with which a method lets a mode exp((re + i im) t) grow in steps of one length [1/s]: less than re where it
// damps it. highest: the highest frequency of all that swings, by which bdf_alpha chooses its formula [Hz]; order: of
// methods that have several.
KANE_API double kane_method_growth(kane_method method, int order, double step, double highest, double re, double im);

// The longest step up to which a method lets it grow or decay by re to half of that; 0: none does [s].
KANE_API double kane_method_step(kane_method method, int order, double highest, double re, double im);

// The table of one of libkane's own methods.
KANE_API const kane_integrator *kane_method_integrator(kane_method method);

// The integrator that settings choose.
KANE_API const kane_integrator *kane_settings_integrator(const kane_settings *settings);

KANE_C_END

#endif
