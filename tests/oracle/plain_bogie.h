// SPDX-License-Identifier: MIT
// The bogie of C. Kaas-Petersen (Chaos in a railway bogie, Acta Mechanica 61, 1986, 89-107) in plain equations.

#ifndef PLAIN_BOGIE_H
#define PLAIN_BOGIE_H

enum { PLAIN_BOGIE_STATES = 14 };

// The line that it is on, and what may differ.
typedef struct plain_bogie {
    double half_wheelbase; // [m]
    double curvature;      // positive to the left [1/m]
    double pull;           // across, on all masses, positive to the left [m/s^2]
} plain_bogie;

extern const plain_bogie plain_bogie_straight;

// y: lateral displacement and yaw of the leading and of the trailing wheelset, displacement, yaw and roll of the frame,
// then their rates; each relative to the line where it is. V: speed [m/s].
void plain_bogie_rates(const plain_bogie *bogie, double V, const double y[PLAIN_BOGIE_STATES],
                       double ydot[PLAIN_BOGIE_STATES]);

// Sum of the creep forces along the line, negative against the travel [N]: the lateral ones of yawed wheelsets.
double plain_bogie_drag(double V, const double y[PLAIN_BOGIE_STATES]);

typedef struct plain_bogie_swing {
    double amplitude; // of the leading wheelset across, half peak to peak, in the last quarter of the time [m]
    double frequency; // [Hz]; 0: no two crossings of the middle
} plain_bogie_swing;

// Goes on from y for so long by the classical Runge-Kutta method.
plain_bogie_swing plain_bogie_run(const plain_bogie *bogie, double V, double time, double y[PLAIN_BOGIE_STATES]);

#endif
