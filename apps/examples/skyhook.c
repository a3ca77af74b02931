// SPDX-License-Identifier: MIT
// A controller outside of libkane: a car body is damped as if by dampers that hang from the sky. Every millisecond it reads how fast the
// car moves over its four actuators, and sets their forces. Ends with the rms of the vertical acceleration, with and without.
//
//   skyhook [RUN.json]        data/runs/coach-skyhook.json if it is left out

#include "print_errors.h"

#include <kane/kane.h>

#include <math.h>
#include <stdio.h>

static const double h = 1e-3, sky = 20e3; // [s], [N s/m] of each actuator

typedef enum output { HEIGHT_RATE, ROLL_RATE, PITCH_RATE, ACCELERATION, OUTPUTS } output;

// Where the actuators hold the car: ahead of its mass centre and to the left of it [m].
static const struct {
    const char *name;
    double x, y;
} actuators[] = {{"leading left", 9.5, 1.0},
                 {"leading right", 9.5, -1.0},
                 {"trailing left", -9.5, 1.0},
                 {"trailing right", -9.5, -1.0}};

// Root of the mean of squares [m/s^2] over the run; negative with errors.
static double drive(kane_model *model, const kane_run_definition *d, double c, kane_errors *errors)
{
    static const char *const names[OUTPUTS] = {"car.rate.z", "car.rate.roll", "car.rate.pitch", "car.acceleration.z"};
    kane_simulation *s                      = kane_simulation_create(model, &d->settings, &d->conditions, errors);
    kane_channels *channels                 = s ? kane_channels_create(s, OUTPUTS, names, NULL, errors) : NULL;
    int at[OUTPUTS], input[4], steps = 0; // names are searched once
    double out[OUTPUTS], sum = 0.0;
    for (int i = 0; i < OUTPUTS && channels; i++)
        at[i] = kane_channels_find(channels, names[i]);
    for (int i = 0; i < 4; i++)
        input[i] = kane_model_find_input(model, actuators[i].name, errors);
    kane_status status = channels && errors->count == 0 ? KANE_OK : KANE_BAD_ARGUMENT;
    while (status == KANE_OK && kane_simulation_stop(s) == KANE_STOP_NONE) {
        status = kane_channels_read(channels, s, out);
        for (int i = 0; i < 4 && status == KANE_OK; i++) {
            const double v =
                out[at[HEIGHT_RATE]] + actuators[i].y * out[at[ROLL_RATE]] - actuators[i].x * out[at[PITCH_RATE]];
            status = kane_simulation_set_input(s, input[i], -c * v);
        }
        if (status == KANE_OK)
            status = kane_simulation_step(s, h, errors);
        sum += out[at[ACCELERATION]] * out[at[ACCELERATION]];
        steps++;
    }
    kane_channels_free(channels);
    kane_simulation_free(s);
    return status == KANE_OK ? sqrt(sum / steps) : -1.0;
}

int main(int argc, char **argv)
{
    kane_errors errors = {0};
    kane_run *run      = kane_run_read(argc > 1 ? argv[1] : "data/runs/coach-skyhook.json", NULL, &errors);

    const kane_run_definition *d = run ? kane_run_get_definition(run) : NULL;
    kane_model *model            = run ? kane_model_create(d->vehicle, d->track, &d->drive, &d->model, &errors) : NULL;
    for (int on = 0; on < 2 && model && errors.count == 0; on++)
        (void)printf("%s skyhook: %.4f m/s^2\n", on ? "with" : "without", drive(model, d, on ? sky : 0.0, &errors));
    kane_model_free(model);
    kane_run_free(run);
    return print_errors(&errors) > 0;
}
