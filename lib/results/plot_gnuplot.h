// SPDX-License-Identifier: MIT
// Runs gnuplot as a program, without a shell and without pipes.

#ifndef KANE_RESULTS_PLOT_GNUPLOT_H
#define KANE_RESULTS_PLOT_GNUPLOT_H

#include <kane/base.h>

// A file without a name, open for reading and writing, that vanishes when it is closed. -1 with an error.
int kane_gnuplot_file(kane_errors *errors);

// Runs gnuplot on a script and waits for it, at most `limit` seconds; what it draws goes into `picture`. Both are
// descriptors of files without names; the script is read from its beginning. What gnuplot complains about becomes the
// text of the error.
kane_status kane_gnuplot_run(int script, int picture, double limit, kane_errors *errors);

#endif
