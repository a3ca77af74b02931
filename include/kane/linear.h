// SPDX-License-Identifier: MIT
// Small motions about an equilibrium: x' = A x from the exact Jacobian, and its modes with frequencies, damping, shapes
// and names. docs/analyses.md shows what they are good for.

#ifndef KANE_LINEAR_H
#define KANE_LINEAR_H

#include <kane/agem.h>
#include <kane/base.h>
#include <kane/model.h>

KANE_C_BEGIN

// --- x' = A x ---

typedef struct kane_linear kane_linear; // immutable

// Why an element of y is not in x. Nothing is lost by it: eigenvalues of what is left out are zero, or none at all.
typedef enum kane_left_out {
    KANE_LEFT_LOCKED,    // it never moves: a removed freedom
    KANE_LEFT_UNCOUPLED, // nothing depends on it: a spin angle, a place along the line, a coordinate that others decide
    KANE_LEFT_STUCK      // dry friction that sticks: its force is proportional to displacements, as of a spring
} kane_left_out;

// Linearises about an equilibrium y at time t, e.g. that of a kane_steady. The model must outlive it; the work must
// read y (kane/agem.h) and does so afterwards, evaluated. NULL with errors filled.
KANE_API kane_linear *kane_linear_create(const kane_model *model, kane_work *work, double t, const double *y,
                                         kane_errors *errors);
KANE_API void kane_linear_free(kane_linear *linear);

// Length of x, and A by columns [count x count].
KANE_API int kane_linear_count(const kane_linear *linear);
KANE_API const double *kane_linear_matrix(const kane_linear *linear);

// Which element of y an element of x is the deviation of; -1: it is a combination of several, which constraints held by
// multipliers leave free (joined bodies, wheels with contact as a constraint).
KANE_API int kane_linear_state(const kane_linear *linear, int i);

// Elements of y that are left out.
KANE_API int kane_linear_left_out_count(const kane_linear *linear);
KANE_API int kane_linear_left_out(const kane_linear *linear, int i, kane_left_out *why);

// --- modes ---

typedef enum kane_modes_kind {
    KANE_MODES_COMPLETE,
    // As if nothing depended on velocities: undamped frequencies of springs, masses and contacts. States of force laws
    // follow as they do at rest. Forces of creepage depend on yaw, too: that part stays.
    KANE_MODES_UNDAMPED
} kane_modes_kind;

typedef enum kane_mode_kind {
    KANE_MODE_OSCILLATES, // represents the pair of eigenvalues re +- i im
    KANE_MODE_CREEPS,     // real eigenvalue: decays or grows without oscillation
    KANE_MODE_INDIFFERENT // zero eigenvalue, but for round-off
} kane_mode_kind;

typedef struct kane_mode {
    kane_mode_kind kind;
    double re, im;    // eigenvalue, im >= 0 [1/s]
    double frequency; // im/(2 pi) [Hz]
    double natural;   // |eigenvalue|/(2 pi) [Hz]
    double damping;   // ratio -re/|eigenvalue|; 0 of an indifferent mode
    double accuracy;  // how far rounding may have moved the eigenvalue [1/s]
    const char *name; // which bodies move how, e.g. "car body bounce"
} kane_mode;

typedef struct kane_modes kane_modes; // immutable

// All modes, in the order of frequency, then of damping; they outlive the linear model and what it was made of. NULL
// with errors filled.
KANE_API kane_modes *kane_modes_create(const kane_linear *linear, kane_modes_kind kind, kane_errors *errors);
KANE_API void kane_modes_free(kane_modes *modes);
KANE_API int kane_modes_count(const kane_modes *modes);
KANE_API const kane_mode *kane_modes_get(const kane_modes *modes, int mode);

// 1: it grows, by more than the accuracy of its eigenvalue.
KANE_API int kane_mode_grows(const kane_mode *mode);

// The highest frequency of all modes, those included that were not asked for [Hz].
KANE_API double kane_modes_highest(const kane_modes *modes);

// Modes that grow about an equilibrium y at time t, mostly none: then eigenvalues alone are found, which costs a tenth
// of all modes. vehicle: number from 0 on of the vehicle that every body is of [kane_model_body_count]: each vehicle of
// a train by itself, while the others stay where they are; NULL: all together. Model and work as for
// kane_linear_create. NULL with errors filled.
KANE_API kane_modes *kane_modes_create_growing(const kane_model *model, kane_work *work, double t, const double *y,
                                               const int *vehicle, kane_errors *errors);

// States of dry friction that sticks in them, as springs: how it damps larger motions they do not know.
KANE_API int kane_modes_sticking(const kane_modes *modes);

// Displacement of a body in a mode: x, y, z of its mass centre and small turns yaw, roll, pitch about z, x, y of its
// track frame, as re + i im (at phase p of the oscillation: re cos p - im sin p). Scaled so that the greatest of all,
// where a turn counts as its radius of gyration times the turn, is 1 m, at phase 0. Bodies count as in
// kane_model_body_name.
KANE_API void kane_modes_shape(const kane_modes *modes, int mode, int body, double re[KANE_COORDINATES],
                               double im[KANE_COORDINATES]);

// Part of the mode's kinetic energy in a freedom of a body, on average over a period; all of them are 1.
KANE_API double kane_modes_share(const kane_modes *modes, int mode, int body, kane_coordinate freedom);

// Deviation of y that the mode begins with (re) and a quarter of a period before (im), in the scale of the shape
// [state count]: y + a re decays as the mode does. Of an undamped mode: displacements and their rates.
KANE_API void kane_modes_state(const kane_modes *modes, int mode, double *re, double *im);

// How alike two shapes are, of the same vehicle at two speeds for instance: modal assurance criterion by kinetic
// energy, 0 .. 1.
KANE_API double kane_modes_likeness(const kane_modes *a, int mode_a, const kane_modes *b, int mode_b);

KANE_C_END

#endif
