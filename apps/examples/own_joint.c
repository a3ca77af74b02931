// SPDX-License-Identifier: MIT
// A program that links libkane: a joint of its own, written as one formula.
//
//     ||
//     ||            A nut of mass m runs down an upright spindle without friction. Its thread has a lead of L metres for a
//    =##= nut       radian, so that it turns as it falls:
//     ||
//     ||              z = L a         (m L^2 + J) a'' = -m g L
//
// It prints angle, height and energy against the formula on the right, which libkane does not know.

#include "print_errors.h"

#include <kane/kane.h>

#include <math.h>
#include <stdio.h>

// --- the joint ---

typedef struct screw {
    kane_block block; // always first
    double lead;      // L [m/rad]
} screw;

static const kane_key keys[] = {
    KANE_KEY(screw, lead, NUMBER, REQUIRED, NULL, "m", ANY, NULL, "how far it travels for a radian"),
};
static const kane_schema schema = KANE_SCHEMA(screw, "screw", keys, "A screw along the joint's z axis.");

// The pose of the nut against the spindle.
static void screw_pose(const void *data, const kane_number *q, kane_joint_pose *pose)
{
    const screw *s   = data;
    pose->position.z = kn_scale(s->lead, q[0]);
    kane_joint_turn(pose, 2, q[0]);
}

static const kane_joint_formula screw_joint = {
    .name             = "screw",
    .help             = "A screw along z.",
    .schema           = &schema,
    .coordinate_count = 1,
    .coordinate       = {"angle"},
    .pose             = screw_pose,
};

// --- the mechanism ---

static const double mass = 2.0, inertia = 0.03, gravity = 9.81;
static const screw thread = {.lead = 0.05};

static kane_model *build(kane_errors *errors)
{
    const kane_joint_definition joint = {
        .block = {.name = "nut"}, .kind = KANE_JOINT_USER, .own = &screw_joint, .parameters = &thread};
    const kane_body_definition nut           = {.block   = {.name = "nut"},
                                                .mass    = mass,
                                                .inertia = {inertia, inertia, inertia},
                                                .dof     = KANE_ALL_DOF,
                                                .joint   = &joint};
    const kane_vehicle_definition definition = {.name = "spindle", .gravity = gravity, .body_count = 1, .bodies = &nut};
    const kane_drive_definition drive        = kane_drive_definition_default(); // of vehicles
    const kane_model_options options         = kane_model_options_default();
    return kane_model_create(&definition, NULL, &drive, &options, errors);
}

// Runs for 2 s and prints; *worst: how far the angle is from the formula [rad].
static kane_status run(const kane_model *model, kane_simulation *simulation, double *worst, kane_errors *errors)
{
    const double L = thread.lead, turning = -mass * gravity * L / (mass * L * L + inertia);
    kane_status status = KANE_OK;
    (void)printf("%8s %12s %12s %14s\n", "t [s]", "angle [rad]", "z [m]", "energy [J]");
    for (int i = 0; i <= 10 && status == KANE_OK; i++) {
        double angle[KANE_JOINT_COORDINATES];
        kane_energy energy;
        const double t = 0.2 * i;
        status         = kane_simulation_advance(simulation, t, errors);
        (void)kane_get_joint(model, kane_simulation_work(simulation), 0, angle, NULL, NULL);
        kane_get_energy(model, kane_simulation_work(simulation), &energy);
        (void)printf("%8.1f %12.6f %12.6f %14.9f\n", t, angle[0], L * angle[0], energy.kinetic + energy.gravity);
        *worst = fmax(*worst, fabs(angle[0] - 0.5 * turning * t * t));
    }
    return status;
}

int main(void)
{
    const kane_conditions until = {.time = 2.0};
    kane_settings settings      = kane_settings_default();
    kane_errors errors          = {0};
    double worst                = 0.0;
    settings.order              = 5;
    settings.relative           = 1e-11;
    settings.position = settings.angle = settings.speed = settings.turning = 1e-12;

    kane_model *model           = build(&errors);
    kane_simulation *simulation = model ? kane_simulation_create(model, &settings, &until, &errors) : NULL;
    const int good              = simulation && run(model, simulation, &worst, &errors) == KANE_OK;
    kane_simulation_free(simulation);
    kane_model_free(model);
    (void)print_errors(&errors);
    if (!good)
        return 1;
    (void)printf("the angle is off by %.1e rad\n", worst);
    return worst < 1e-8 ? 0 : 1;
}
