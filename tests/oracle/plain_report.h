// SPDX-License-Identifier: MIT
// What a report makes of a run, from nothing but rows of distance, curvature, cant, speed and forces: plain code of the
// tests' own.

#ifndef PLAIN_REPORT_H
#define PLAIN_REPORT_H

typedef struct plain_rows {
    int n;
    const double *s, *k, *u, *v; // distance [m], curvature to the left [1/m], right rail over left one [m], speed [m/s]
} plain_rows;

typedef struct plain_stretch {
    int zone, hand;    // 0 tangent, 1: 600 m and more, 2: to 400 m, 3: to 250 m; 1 left, -1 right
    int first, last;   // rows
    double deficiency; // [m]
} plain_stretch;

// Sections one behind the other; returns their number, at most `most`.
int plain_stretches(const plain_rows *rows, plain_stretch *out, int most);

// Percentile between the two rows beside it.
double plain_percentile(int n, const double *x, double percent);

// Means over 2 m that begin every 0.5 m; returns their number.
int plain_means(int n, const double *s, const double *x, double *out);

// The t that holds so much of Student's distribution between -t and t, by adding up its density.
double plain_student(double part, int dof);

// Mean + k s.
double plain_estimate(int n, const double *y, double k);

// Line through the points, read at x0 with its margin.
double plain_prediction(int n, const double *x, const double *y, double x0, double part);

#endif
