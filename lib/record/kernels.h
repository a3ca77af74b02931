// SPDX-License-Identifier: MIT
// Kernels that record (C++), as C calls them. Numbers are the bits of kane_recorded: a double that is constant, or a
// node.
//
// A stop (kane_tape_stop) leaves them by longjmp; they hold nothing that would have to be given back.

#ifndef KANE_RECORD_KERNELS_H
#define KANE_RECORD_KERNELS_H

#include <stdint.h>

#include "record/tape.h"

#ifdef __cplusplus
extern "C" {
#endif

// Before anything else: the work that is evaluated, and who answers calls with numbers: a kane_caller. model: the model
// that is evaluated, whose drive is called from here on.
void kane_kernels_begin(void *model, void *work, void *caller);

// The steps of kane_eval: up to what accelerates, and accelerations. model, work: as C made them.
void kane_kernels_load(const void *model, void *work, uint64_t t, const void *y);
void kane_kernels_accelerate(const void *model, void *work, void *ydot);

// kane_equations_eval; of a kane_equations.
void kane_kernels_equations(void *equations, void *work, uint64_t t, const void *y);

// Whether a force law by this name has been compiled to record.
int kane_kernels_have_law(const char *name);

// In C: whether a law is libkane's own, so that its formula is that of the kernel by its name.
int kane_record_has_law(const void *law);

// A node as bits, and the node of bits (constants get one).
uint64_t kane_kernels_box(int node);
int kane_kernels_unbox(uint64_t bits);

#ifdef __cplusplus
}
#endif

#endif
