// SPDX-License-Identifier: MIT
// A program that links libkane: reads a run file with its vehicle and track, integrates, and looks at the car body once a second.
//
//   run_vehicle [RUN.json]        data/runs/wagon-transition.json if it is left out

#include "print_errors.h"

#include <kane/kane.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    kane_errors errors = {0};
    kane_run *run      = kane_run_read(argc > 1 ? argv[1] : "data/runs/wagon-transition.json", NULL, &errors);

    const kane_run_definition *d = run ? kane_run_get_definition(run) : NULL;
    kane_model *model            = run ? kane_model_create(d->vehicle, d->track, &d->drive, &d->model, &errors) : NULL;
    kane_simulation *s           = model ? kane_simulation_create(model, &d->settings, &d->conditions, &errors) : NULL;
    for (int t = 1; s && t <= 10 && kane_simulation_advance(s, t, &errors) == KANE_OK; t++) {
        double q[KANE_COORDINATES], rate[KANE_COORDINATES];
        kane_get_relative(model, kane_simulation_work(s), 0, q, rate);
        (void)printf("%2d s: %6.2f mm to the left, roll %6.3f mrad\n", t, 1e3 * q[KANE_Y], 1e3 * q[KANE_ROLL]);
    }
    kane_simulation_free(s);
    kane_model_free(model);
    kane_run_free(run);
    return print_errors(&errors) > 0;
}
