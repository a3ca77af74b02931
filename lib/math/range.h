// SPDX-License-Identifier: MIT
// A basis of what a matrix can reach.

#ifndef KANE_MATH_RANGE_H
#define KANE_MATH_RANGE_H

// An orthonormal basis of the columns of A [rows x columns], by columns, destroyed: fills basis [rows x rank], by columns, and
// returns the rank. What is left of a column below `small` is none. Columns that are unit vectors stay as they are.
int kane_range_basis(int rows, int columns, double *A, double small, double *basis);

#endif
