// SPDX-License-Identifier: MIT
// Small mechanisms from C, for the tests of how they are compiled.

#ifndef KANE_TESTS_JOINED_H
#define KANE_TESTS_JOINED_H

#include "models.h"

#include "model/model.h"

// A rigid body on a joint, by name.
static inline kane_body_definition joined_body(const char *name, kane_vec3 position, const kane_joint_definition *joint)
{
    return (kane_body_definition){.block    = {name, NULL},
                                  .mass     = 2.0,
                                  .inertia  = {0.3, 0.4, 0.5, 0.01, -0.02, 0.03},
                                  .position = position,
                                  .dof      = KANE_ALL_DOF,
                                  .joint    = joint};
}

static inline kane_joint_definition joined_by(kane_joint_kind kind, const char *parent, kane_vec3 at)
{
    return (kane_joint_definition){.kind = kind, .parent = parent, .from = {.at = at}, .to = {.at = at}};
}

// Rz Rx Ry.
static inline kane_mat3 joined_turned(double z, double x, double y)
{
    kane_mat3 R = km3_turn_z(km3_identity(), sin(z), cos(z));
    R           = km3_turn_x(R, sin(x), cos(x));
    return km3_turn_y(R, sin(y), cos(y));
}

// NULL with errors filled.
static inline kane_model *joined_try(const kane_vehicle_definition *d, kane_errors *errors)
{
    const kane_drive_definition drive = kane_drive_definition_default();
    const kane_model_options options  = kane_model_options_default();
    return kane_model_create(d, NULL, &drive, &options, errors);
}

static inline kane_model *joined_model(const kane_vehicle_definition *d)
{
    kane_model *model = CHECK_GOOD(joined_try, d);
    assert_non_null(model);
    return model;
}

#endif
