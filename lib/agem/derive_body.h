// SPDX-License-Identifier: MIT
// Derivatives of what one body adds of its own: imaginary forces and nonlinear inertia.

#ifndef KANE_AGEM_DERIVE_BODY_H
#define KANE_AGEM_DERIVE_BODY_H

#include "agem/gradient.h"

// Adds to g, the derivative of a wrench by relative motion (frame axes), those of the imaginary terms of one body that are
// kept.
void kane_imaginary_derive(const kane_body *body, const kane_transport *T, const kane_body_state *b, kane_gradient *g);

// Adds to g, the derivative of the applied wrench by relative motion (frame axes), that of the imaginary terms that are
// kept and of the inertia terms, accelerations held.
void kane_body_derive(const kane_body *body, const kane_transport *T, const kane_body_state *b, kane_gradient *g);

// What comes on top of that for a body of which some turns are removed, straight to its accelerations. The axes e_i of the others
// turn with the angles before them, and so does what their rates leave of the acceleration (bias):
//   Theta u' = E' (T - J bias)     Theta = E' J E     eps' = E u' + bias
//   Theta d(u') = E' d(T - J eps')  [above, eps' held]  + dE' (T - J eps') - E' J (dE u' + d(bias))
void kane_body_derive_turns(const kane_body *body, const kane_body_state *b, double out[6][KANE_BODY_STATES]);

#endif
