// SPDX-License-Identifier: MIT
// The bogie of C. Kaas-Petersen (Chaos in a railway bogie, Acta Mechanica 61, 1986, 89-107) in plain equations.

#ifndef PLAIN_BOGIE_H
#define PLAIN_BOGIE_H

enum { PLAIN_BOGIE_STATES = 14 };

// y: lateral displacement and yaw of the leading and of the trailing wheelset, displacement, yaw and roll of the frame,
// then their rates. V: speed [m/s].
void plain_bogie_rates(double V, const double y[PLAIN_BOGIE_STATES], double ydot[PLAIN_BOGIE_STATES]);

typedef struct plain_bogie_swing {
    double amplitude; // of the leading wheelset across, in the last quarter of the time [m]
    double frequency; // [Hz]; 0: no two crossings of the middle
} plain_bogie_swing;

// Goes on from y for so long by the classical Runge-Kutta method.
plain_bogie_swing plain_bogie_run(double V, double time, double y[PLAIN_BOGIE_STATES]);

#endif
