// SPDX-License-Identifier: MIT
// Two elastic bodies pressed together whose gap is any function of one coordinate and a parabola over the other, solved
// on the half-space by elements of constant pressure: plain code of the tests' own that shares nothing with libkane.
//
//   u = 1/(pi E*) integral of p/r dA,   u + gap = approach where p > 0,   p >= 0,   integral of p dA = N
//
// by the conjugate gradients of I. A. Polonsky and L. M. Keer (Wear 231 (1999) 206-219).

#ifndef PLAIN_HALF_SPACE_H
#define PLAIN_HALF_SPACE_H

// The gap of the bodies as they touch is depth - overlap[j] + A[j] x^2 at y = j h and every x [m]; depth: the largest
// overlap.
typedef struct plain_gap {
    int count;             // places along y
    const double *overlap; // [m]
    const double *A;       // half the curvature along x [1/m]
    double h;              // element, along x and y alike [m]
    double E_star;         // contact modulus [Pa]
} plain_gap;

typedef struct plain_contact {
    double pressure; // largest [Pa]
    double place;    // mean place along y, by pressure [m]
    double approach; // [m]
    double area;     // of elements that press [m^2]
    double *load;    // [count] what each y carries [N]; NULL: not wanted
    double *most;    // [count] its largest pressure [Pa]; NULL: not wanted
} plain_contact;

// Pressed by N [N]. Returns 0 without memory or if it does not converge.
int plain_half_space(const plain_gap *gap, double N, plain_contact *contact);

#endif
