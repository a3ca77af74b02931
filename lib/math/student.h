// SPDX-License-Identifier: MIT
// Student's distribution.

#ifndef KANE_MATH_STUDENT_H
#define KANE_MATH_STUDENT_H

// Part of the distribution with n > 0 degrees of freedom that lies between -t and t, t >= 0.
double kane_student_between(double t, double n);

// The t for which this is `part`, 0 <= part < 1.
double kane_student_quantile(double part, double n);

#endif
