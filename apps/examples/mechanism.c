// SPDX-License-Identifier: MIT
// A program that links libkane: builds a mechanism in C, a four-bar that swings under its weight, and runs it.
//
//          coupler
//         o-------o          Three bodies hang by hinges: crank and rocker on the ground, the coupler on the crank. What
//   crank |        \ rocker  closes the loop is a constraint: the coupler's end is the rocker's. libkane takes one angle as
//         o         o        independent and finds the others, or holds the loop by multipliers (-m).
//
//   mechanism [-m]
//
// It prints the crank's angle, the force in the pin that closes the loop, and the force of the crank's bearing on the
// ground; energy and the constraint must hold.

#include "print_errors.h"

#include <kane/kane.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// Everything is drawn in one position, in which all angles are zero: crank upright, in the x-z plane. Turns are about y.
static const kane_vec3 bearing = {0.0, 0.0, 0.0}, tip = {0.0, 0.0, 0.3}, pin = {0.8, 0.0, 0.5}, foot = {0.9, 0.0, 0.0};
static const kane_mat3 about_y = {{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}; // its z axis is the hinges'

enum { CRANK, COUPLER, ROCKER, BODIES };

// A bar between two points, which is attached by a hinge at the first one.
static void add_bar(kane_body_definition *body, kane_joint_definition *joint, const char *name, const char *parent,
                    kane_vec3 from, kane_vec3 to, double mass)
{
    const double length = kv3_norm(kv3_sub(to, from)), J = mass * length * length / 12.0;
    *joint = (kane_joint_definition){.block  = {.name = name},
                                     .kind   = KANE_JOINT_REVOLUTE,
                                     .parent = parent,
                                     .from   = {.at = from, .axes = about_y},
                                     .to     = {.at = from, .axes = about_y}};
    *body  = (kane_body_definition){.block    = {.name = name},
                                    .mass     = mass,
                                    .inertia  = {J, J, J},
                                    .position = kv3_scale(0.5, kv3_add(from, to)),
                                    .dof      = KANE_ALL_DOF,
                                    .joint    = joint};
}

static kane_model *build(kane_constraint_form form, kane_errors *errors)
{
    kane_joint_definition joints[BODIES];
    kane_body_definition bodies[BODIES];
    add_bar(&bodies[CRANK], &joints[CRANK], "crank", NULL, bearing, tip, 2.0);
    add_bar(&bodies[COUPLER], &joints[COUPLER], "coupler", "crank", tip, pin, 1.0);
    add_bar(&bodies[ROCKER], &joints[ROCKER], "rocker", NULL, foot, pin, 1.5);

    // the crank starts at 2 rad/s, and the rates of the others follow
    const kane_start_definition start = {.rate = {2.0}, .held_q = 1, .held_rate = 1};
    bodies[CRANK].start               = &start;

    const kane_constraint_definition loop    = {.block   = {.name = "pin"},
                                                .kind    = KANE_CONSTRAINT_SPHERICAL,
                                                .between = {"coupler", "rocker"},
                                                .at      = {{.at = pin}, {.at = pin}}};
    const kane_vehicle_definition definition = {.name             = "four-bar",
                                                .gravity          = 9.81,
                                                .body_count       = BODIES,
                                                .bodies           = bodies,
                                                .constraint_count = 1,
                                                .constraints      = &loop};

    const kane_drive_definition drive = kane_drive_definition_default(); // of vehicles
    kane_model_options options        = kane_model_options_default();
    options.form                      = form;
    return kane_model_create(&definition, NULL, &drive, &options, errors);
}

static double energy_of(const kane_model *model, const kane_work *work)
{
    kane_energy energy;
    kane_get_energy(model, work, &energy);
    return energy.kinetic + energy.gravity;
}

// Runs for 2 s and prints; *energy: how much it changes, *drift: how far the loop is open.
static kane_status run(const kane_model *model, kane_simulation *simulation, double *energy, double *drift,
                       kane_errors *errors)
{
    const double before = energy_of(model, kane_simulation_work(simulation));
    kane_status status  = KANE_OK;
    *energy = *drift = 0.0;
    (void)printf("%8s %12s %12s %12s %12s\n", "t [s]", "angle [rad]", "rate [rad/s]", "pin [N]", "bearing [N]");
    for (int i = 0; i <= 20 && status == KANE_OK; i++) {
        double angle, rate, force[6], value, speed;
        status                    = kane_simulation_advance(simulation, 0.1 * i, errors);
        const kane_work *work     = kane_simulation_work(simulation);
        const kane_wrench support = kane_get_joint_reaction(model, work, CRANK);
        (void)kane_get_joint(model, work, CRANK, &angle, &rate, NULL);
        (void)kane_get_constraint(model, work, 0, force);
        kane_get_drift(model, work, &value, &speed);
        (void)printf("%8.1f %12.6f %12.6f %12.6f %12.6f\n", kane_simulation_time(simulation), angle, rate,
                     kv3_norm(kv3(force[0], force[1], force[2])), kv3_norm(support.force));
        *energy = fmax(*energy, fabs(energy_of(model, work) - before));
        *drift  = fmax(*drift, value);
    }
    return status;
}

int main(int argc, char **argv)
{
    const int holds             = argc == 2 && strcmp(argv[1], "-m") == 0;
    const kane_conditions until = {.time = 2.0};
    kane_settings settings      = kane_settings_default();
    kane_errors errors          = {0};
    double energy = 0.0, drift = 0.0;
    if (argc > 2 || (argc == 2 && !holds)) {
        (void)fprintf(stderr, "usage: mechanism [-m]\n");
        return 2;
    }
    settings.order    = 5; // nothing here is as stiff as wheels on rails
    settings.relative = 1e-10;
    settings.position = settings.angle = settings.speed = settings.turning = 1e-11;

    kane_model *model           = build(holds ? KANE_FORM_MULTIPLIERS : KANE_FORM_COEFFICIENTS, &errors);
    kane_simulation *simulation = model ? kane_simulation_create(model, &settings, &until, &errors) : NULL;
    const int good              = simulation && run(model, simulation, &energy, &drift, &errors) == KANE_OK;
    kane_simulation_free(simulation);
    kane_model_free(model);
    (void)print_errors(&errors);
    if (!good)
        return 1;
    (void)printf("energy changes by %.1e J, the loop is open by %.1e m\n", energy, drift);
    return energy < 1e-6 && drift < 1e-9 ? 0 : 1;
}
