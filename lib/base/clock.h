// SPDX-License-Identifier: MIT
// How long something takes.

#ifndef KANE_BASE_CLOCK_H
#define KANE_BASE_CLOCK_H

double kane_clock(void);             // [s] since some moment; never goes back
double kane_clock_processor(void);   // [s] of processors that this process has had
double kane_clock(void);             // [s] since some moment; never goes back
void kane_clock_wait(double moment); // until then; an interruption may end it before

#endif
