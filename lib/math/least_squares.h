// SPDX-License-Identifier: MIT
// Linear equations that may have too few or too many unknowns.

#ifndef KANE_MATH_LEAST_SQUARES_H
#define KANE_MATH_LEAST_SQUARES_H

// x of A x = b with the least |A x - b| and, among those, the least |x|: A by columns, rows x columns (destroyed); x holds b
// on entry and has room for the larger of rows and columns. Columns of which, beside those before them, less is left than `small` of
// the longest are taken to depend on them. Returns 0, -1 without memory, or another number if something is not finite.
int kane_least_squares(int rows, int columns, double *A, double *x, double small);

#endif
