// SPDX-License-Identifier: MIT
// The seven imaginary terms of one free body in a moving frame.

#ifndef KANE_AGEM_IMAGINARY_H
#define KANE_AGEM_IMAGINARY_H

#include <kane/model.h>

#include "agem/work.h"
#include "agem/gradient.h"

typedef enum kane_selection { KANE_INCLUDED, KANE_OMITTED } kane_selection;

// force at the mass centre:  -m a_o   -m w x (w x r)   -m e x r   -2 m w x v
// torque:                             -w x (J w)       -J e       -((tr J E - 2 J) w) x w_rel
//   f      transportation of the body's frame (a_o [m/s^2], omega [rad/s], epsilon [rad/s^2])
//   m, J   mass [kg]; inertia about the mass centre, frame axes [kg m^2]
//   r, v   position and velocity of the mass centre relative to the frame [m], [m/s]
//   w_rel  angular velocity of the body relative to the frame [rad/s]
//   out    force [N] and torque [N m] of each term, frame axes
// (46) of the source for one free body; docs/theory.md, section 2.
void kane_imaginary_eval(const kane_transport *f, double m, const kane_inertia *J, kane_vec3 r, kane_vec3 v,
                         kane_vec3 w_rel, kane_imaginary *out);

// Sum of those terms of a body that are kept, or that are omitted: wrench at its mass centre, frame axes.
kane_wrench kane_imaginary_sum(const kane_body *body, const kane_imaginary *terms, kane_selection share);

// All terms of a body as they act if they are not omitted; zero of one whose inertia is that of absolute motion.
void kane_imaginary_get(const kane_model *model, const kane_work *work, int body, kane_imaginary *terms);

// Adds to g, the derivative of a wrench by relative motion (frame axes), those of the imaginary terms of one body that
// are kept.
void kane_imaginary_derive(const kane_body *body, const kane_transport *T, const kane_body_state *b, kane_gradient *g);

#endif
