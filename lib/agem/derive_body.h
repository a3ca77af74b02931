// SPDX-License-Identifier: MIT
// Derivatives of what one body adds of its own: imaginary forces and nonlinear inertia.

#ifndef KANE_AGEM_DERIVE_BODY_H
#define KANE_AGEM_DERIVE_BODY_H

#include "agem/gradient.h"

// Adds to g, the derivative of a wrench by relative motion (frame axes), those of the imaginary terms of one body that are
// kept.
void kane_imaginary_derive(const kane_body *body, const kane_transport *T, const kane_body_state *b, kane_gradient *g);

#endif
