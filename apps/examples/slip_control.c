// SPDX-License-Identifier: MIT
// Slip control outside of libkane: a motor drives a wheelset through a gear whose teeth give way, over wet leaves. Every 5 ms the controller
// compares how fast the wheels turn with how fast the wagon goes; where they slip it takes torque away, else it gives it back.
//
//   slip_control [RUN.json]        data/runs/motor-wagon-slip.json if it is left out

#include "print_errors.h"

#include <kane/kane.h>

#include <math.h>
#include <stdio.h>

static const double h = 5e-3, radius = 0.46; // [s], [m]
static const double most_slip = 0.02;        // of the speed
static const double fall = 4.0, rise = 0.5;  // of the motor's level [1/s]

typedef enum output { SPEED, WHEEL, TOOTH, DISTANCE, OUTPUTS } output;

static void drive(kane_model *model, const kane_run_definition *d, int controls, kane_errors *errors)
{
    static const char *const names[OUTPUTS] = {"speed", "leading.rate.pitch", "gear.tooth_force", "distance"};
    kane_simulation *s                      = kane_simulation_create(model, &d->settings, &d->conditions, errors);
    kane_channels *channels                 = s ? kane_channels_create(s, OUTPUTS, names, NULL, errors) : NULL;
    const int motor                         = kane_model_find_input(model, "motor", errors);
    int at[OUTPUTS];
    double out[OUTPUTS] = {0.0}, level = 0.0, worst = 0.0, tooth = 0.0;
    for (int i = 0; i < OUTPUTS && channels; i++)
        at[i] = kane_channels_find(channels, names[i]);
    kane_status status = channels && errors->count == 0 ? KANE_OK : KANE_BAD_ARGUMENT;
    while (status == KANE_OK && kane_simulation_stop(s) == KANE_STOP_NONE) {
        status            = kane_channels_read(channels, s, out);
        const double slip = radius * out[at[WHEEL]] / out[at[SPEED]] - 1.0;
        worst             = fmax(worst, slip);
        tooth             = fmax(tooth, fabs(out[at[TOOTH]]));
        level += controls && slip > most_slip ? -fall * h : rise * h;
        level = fmin(fmax(level, 0.0), 1.0);
        if (status == KANE_OK)
            status = kane_simulation_set_input(s, motor, level);
        if (status == KANE_OK)
            status = kane_simulation_step(s, h, errors);
    }
    if (status == KANE_OK)
        (void)printf("%s control: slip up to %5.1f %%, teeth carry up to %4.1f kN, %.2f m, %.2f m/s\n",
                     controls ? "with" : "without", 100.0 * worst, 1e-3 * tooth, out[at[DISTANCE]], out[at[SPEED]]);
    kane_channels_free(channels);
    kane_simulation_free(s);
}

int main(int argc, char **argv)
{
    kane_errors errors = {0};
    kane_run *run      = kane_run_read(argc > 1 ? argv[1] : "data/runs/motor-wagon-slip.json", NULL, &errors);

    const kane_run_definition *d = run ? kane_run_get_definition(run) : NULL;
    kane_model *model            = run ? kane_model_create(d->vehicle, d->track, &d->drive, &d->model, &errors) : NULL;
    for (int controls = 0; controls < 2 && model && errors.count == 0; controls++)
        drive(model, d, controls, &errors);
    kane_model_free(model);
    kane_run_free(run);
    return print_errors(&errors) > 0;
}
