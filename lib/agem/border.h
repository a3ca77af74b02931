// SPDX-License-Identifier: MIT
// What a frame does all at once where it passes a border of the track, and the impulses of the imaginary terms that come of it
// (docs/theory.md, section 5).

#ifndef KANE_AGEM_BORDER_H
#define KANE_AGEM_BORDER_H

#include "agem/imaginary.h"

// By the formulas of both pieces, R and r_o in the same axes.
kane_frame_jump kane_jump_of(const kane_transport *before, const kane_transport *after);

// What a jump does to a body: impulses of its imaginary terms, and the same integrated once more, which displaces it.
kane_imaginary kane_jump_strike(const kane_frame_jump *jump, const kane_body *body, const kane_body_state *b);
kane_imaginary kane_jump_displace(const kane_frame_jump *jump, const kane_body *body, const kane_body_state *b);

// Takes down the impulses of a body, and which of them are left out.
void kane_border_record(const kane_model *model, kane_work *work, int body, const kane_imaginary *impulse);

#endif
