// SPDX-License-Identifier: MIT
// A program that links libkane: a constraint of its own, written as one formula.
//
//        eye
//      ---o---            A rope runs from a bob that swings through an eye to a weight that hangs there, and a winch lets
//        /|               it out and pulls it in:
//       / |
//      /  # weight          |bob - eye| + depth of the weight = L(t),    L(t) = L + a sin(w t)
//     O
//    bob                  libkane takes rate, acceleration, what the rope's tension pulls, and the Jacobian from that line.
//
//   own_rows [-m]         -m: held by a multiplier instead of coefficients
//
// It prints where bob and weight are and the tension; the energy must change by the work of the winch.

#include "print_errors.h"

#include <kane/kane.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- the rows ---

typedef struct rope {
    kane_block block; // always first
    double length;    // L [m]
    double amplitude; // a [m]
    double frequency; // w [rad/s]
} rope;

static const kane_key keys[] = {
    KANE_KEY(rope, length, NUMBER, REQUIRED, NULL, "m", POSITIVE, NULL, "of the rope, from the bob to the weight"),
    KANE_KEY(rope, amplitude, NUMBER, OPTIONAL, "0", "m", ANY, NULL, "of what the winch lets out and pulls in"),
    KANE_KEY(rope, frequency, NUMBER, OPTIONAL, "0", "rad/s", ANY, NULL, "of the winch"),
};
static const kane_schema schema = KANE_SCHEMA(rope, "rope", keys, "A rope through an eye, on a winch.");

// What must vanish [m]. The first marker is the eye; it sees the bob. The coordinate is the weight's depth below the eye.
static void rope_row(const void *data, const kane_rows_input *in, kane_number *phi)
{
    const rope *r           = data;
    const kane_number bob   = kn3_norm(in->marker[0].position);
    const kane_number winch = kn_scale(r->amplitude, kn_sin(kn_scale(r->frequency, in->time)));
    phi[0]                  = kn_sub(kn_add(bob, in->coordinate[0].value), kn_shift(winch, r->length));
}

static const kane_rows_kind rope_kind = {
    .name        = "rope",
    .help        = "A rope from a point through an eye to what a coordinate measures.",
    .schema      = &schema,
    .markers     = 2,
    .coordinates = 1,
    .positions   = 1,
    .position    = rope_row,
};

// --- the mechanism ---

enum { BOB, WEIGHT, BODIES };

static const kane_vec3 eye = {0.0, 0.0, 0.0}, bob_at = {0.6, 0.0, -0.8}, weight_at = {0.0, 0.0, -1.5};
static const rope parameters = {.length = 2.5, .amplitude = 0.2, .frequency = 4.0};

static kane_model *build(kane_constraint_form form, kane_errors *errors)
{
    const kane_mat3 down                       = {{1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, -1.0}}; // its z axis
    const kane_joint_definition joints[BODIES] = {{.block = {.name = "bob"},
                                                   .kind  = KANE_JOINT_FREE,
                                                   .from  = {.at = bob_at},
                                                   .to    = {.at = bob_at},
                                                   .dof   = KANE_DOF(KANE_X) | KANE_DOF(KANE_Z)},
                                                  {.block = {.name = "weight"},
                                                   .kind  = KANE_JOINT_PRISMATIC,
                                                   .from  = {.at = eye, .axes = down},
                                                   .to    = {.at = weight_at, .axes = down}}};
    const kane_start_definition starts[BODIES] = {{.q = {0.0, 0.0}}, {.q = {1.5}}}; // travel: depth below the eye
    const kane_body_definition bodies[BODIES]  = {{.block    = {.name = "bob"},
                                                   .mass     = 2.0,
                                                   .inertia  = {0.01, 0.01, 0.01},
                                                   .position = bob_at,
                                                   .dof      = KANE_ALL_DOF,
                                                   .joint    = &joints[BOB],
                                                   .start    = &starts[BOB]},
                                                  {.block    = {.name = "weight"},
                                                   .mass     = 3.0,
                                                   .inertia  = {0.01, 0.01, 0.01},
                                                   .position = weight_at,
                                                   .dof      = KANE_ALL_DOF,
                                                   .joint    = &joints[WEIGHT],
                                                   .start    = &starts[WEIGHT]}};
    const kane_side_definition sides[2] = {{.body = NULL, .at = {.at = eye}}, {.body = "bob", .at = {.at = bob_at}}};
    const kane_term_definition depth    = {.body = "weight", .factor = 1.0};
    const kane_constraint_definition constraint = {.block      = {.name = "rope"},
                                                   .kind       = KANE_CONSTRAINT_USER,
                                                   .own        = &rope_kind,
                                                   .parameters = &parameters,
                                                   .side_count = 2,
                                                   .sides      = sides,
                                                   .term_count = 1,
                                                   .terms      = &depth};
    const kane_vehicle_definition definition    = {.name             = "rope",
                                                   .gravity          = 9.81,
                                                   .body_count       = BODIES,
                                                   .bodies           = bodies,
                                                   .constraint_count = 1,
                                                   .constraints      = &constraint};

    const kane_drive_definition drive = kane_drive_definition_default(); // of vehicles
    kane_model_options options        = kane_model_options_default();
    options.form                      = form;
    return kane_model_create(&definition, NULL, &drive, &options, errors);
}

// --- the run ---

static double energy_of(const kane_model *model, const kane_work *work)
{
    kane_energy energy;
    kane_get_energy(model, work, &energy);
    return energy.kinetic + energy.gravity;
}

// Runs for 2 s and prints; *missing: energy that is not the winch's work, *drift: how far the rope is from its length.
static kane_status run(const kane_model *model, kane_simulation *simulation, double *missing, double *drift,
                       kane_errors *errors)
{
    const double before = energy_of(model, kane_simulation_work(simulation));
    kane_status status  = KANE_OK;
    *missing = *drift = 0.0;
    (void)printf("%8s %12s %12s %12s %12s %14s\n", "t [s]", "x [m]", "z [m]", "depth [m]", "tension [N]", "winch [J]");
    for (int i = 0; i <= 20 && status == KANE_OK; i++) {
        double bob[KANE_JOINT_COORDINATES], depth[KANE_JOINT_COORDINATES], force[6], value, speed;
        status                = kane_simulation_advance(simulation, 0.1 * i, errors);
        const kane_work *work = kane_simulation_work(simulation);
        const double winch    = kane_simulation_state(simulation)[kane_model_state_count(model)]; // work of drives [J]
        (void)kane_get_joint(model, work, BOB, bob, NULL, NULL);
        (void)kane_get_joint(model, work, WEIGHT, depth, NULL, NULL);
        (void)kane_get_constraint(model, work, 0, force);
        kane_get_drift(model, work, &value, &speed);
        (void)printf("%8.1f %12.6f %12.6f %12.6f %12.6f %14.6f\n", kane_simulation_time(simulation), bob_at.x + bob[0],
                     bob_at.z + bob[1], depth[0], -force[0], winch);
        *missing = fmax(*missing, fabs(energy_of(model, work) - before - winch));
        *drift   = fmax(*drift, value);
    }
    return status;
}

int main(int argc, char **argv)
{
    const int holds             = argc == 2 && strcmp(argv[1], "-m") == 0;
    const kane_conditions until = {.time = 2.0};
    kane_settings settings      = kane_settings_default();
    kane_errors errors          = {0};
    double missing = 0.0, drift = 0.0;
    if (argc > 2 || (argc == 2 && !holds)) {
        (void)fprintf(stderr, "usage: own_rows [-m]\n");
        return 2;
    }
    settings.order    = 5; // nothing here is as stiff as wheels on rails
    settings.relative = 1e-11;
    settings.position = settings.angle = settings.speed = settings.turning = 1e-12;
    settings.energy                                                        = 1;

    kane_model *model           = build(holds ? KANE_FORM_MULTIPLIERS : KANE_FORM_COEFFICIENTS, &errors);
    kane_simulation *simulation = model ? kane_simulation_create(model, &settings, &until, &errors) : NULL;
    const int good              = simulation && run(model, simulation, &missing, &drift, &errors) == KANE_OK;
    kane_simulation_free(simulation);
    kane_model_free(model);
    (void)print_errors(&errors);
    if (!good)
        return 1;
    (void)printf("%.1e J are not the winch's work, the rope is off by %.1e m\n", missing, drift);
    return missing < 1e-6 && drift < 1e-9 ? 0 : 1;
}
