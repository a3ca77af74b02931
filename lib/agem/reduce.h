// SPDX-License-Identifier: MIT
// The map between the speeds of a free body and the independent ones (docs/theory.md, section 3).

#ifndef KANE_AGEM_REDUCE_H
#define KANE_AGEM_REDUCE_H

#include "agem/work.h"

// V = A u: fills v, w and bias (the part of V_dot that is there without u_dot) from the independent speeds. Needs the
// axes of the turns.
void kane_reduce_expand(const kane_body *body, const double *u, kane_body_state *b);

// The speeds u back from v, w and rates.
void kane_reduce_speeds(const kane_body *body, const kane_body_state *b, double *u);

// f = A' F: generalised forces of the independent speeds from a wrench at the mass centre, frame axes.
void kane_reduce_force(const kane_body *body, kane_wrench free, const kane_body_state *b, double *f);

// V_dot = A u_dot + bias: fills a, e.
void kane_reduce_accelerations(const kane_body *body, const double *u_dot, kane_body_state *b);

#endif
