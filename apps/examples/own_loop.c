// SPDX-License-Identifier: MIT
// A program that links libkane: closed forms of its own, for a six-bar whose second loop has none in
// libkane (Stephenson's third kind).
//
//   crank O1 A, coupler A B P, rocker O2 B; rod P Q, output O3 Q
//
// The crank's angle gives those of coupler and rocker, and crank's and coupler's together those of rod and output: in
// either loop two circles meet.
//
//   own_loop [-n]             -n: by Newton's method instead
//
// It prints angles along a turn of the crank; the energy must not change.

#include "print_errors.h"

#include <kane/kane.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- the closed form ---

// Points of the drawing, in its plane y = 0: hinges of the crank, of the coupler on it, of the first of two links on
// the last one, between these two, and of the second link on the ground [m].
typedef struct dyad {
    kane_block block; // always first
    kane_vec3 crank, coupler, link, pin, ground;
} dyad;

static const kane_key keys[] = {
    KANE_KEY(dyad, crank, VECTOR, REQUIRED, NULL, "m", ANY, NULL, "hinge of the crank on the ground"),
    KANE_KEY(dyad, coupler, VECTOR, OPTIONAL, NULL, "m", ANY, NULL, "of a six-bar: hinge of the coupler on the crank"),
    KANE_KEY(dyad, link, VECTOR, REQUIRED, NULL, "m", ANY, NULL, "hinge of the first link"),
    KANE_KEY(dyad, pin, VECTOR, REQUIRED, NULL, "m", ANY, NULL, "between the first and the second link"),
    KANE_KEY(dyad, ground, VECTOR, REQUIRED, NULL, "m", ANY, NULL, "hinge of the second link on the ground"),
};
static const kane_schema schema = KANE_SCHEMA(dyad, "dyad", keys, "Two links that close a loop in the plane y = 0.");

// R(angle) (to - from), positive from x to z; the third component is not used.
static kane_number3 turn_about_y(kane_number angle, kane_vec3 from, kane_vec3 to)
{
    const kane_number s = kn_sin(angle), c = kn_cos(angle);
    const kane_vec3 way = kv3_sub(to, from);
    return (kane_number3){.x = kn_sub(kn_scale(way.x, c), kn_scale(way.z, s)),
                          .y = kn_constant(0.0),
                          .z = kn_add(kn_scale(way.x, s), kn_scale(way.z, c))};
}

static double drawn_angle(kane_vec3 from, kane_vec3 to)
{
    return atan2(to.z - from.z, to.x - from.x);
}

// Angles v of both links, of the first relative to the last known one, whose hinge P for it is at `at` and which is
// turned by `angle`. Law of cosines: with D from P to the ground and links of lengths a, b,
// cos = (a^2 + D^2 - b^2)/(2 a D).
static void close_dyad(const dyad *d, kane_number3 at, kane_number angle, kane_number *v)
{
    const double a = kv3_norm(kv3_sub(d->pin, d->link)), b = kv3_norm(kv3_sub(d->pin, d->ground));
    const kane_vec3 drawn    = kv3_cross(kv3_sub(d->pin, d->link), kv3_sub(d->ground, d->link));
    const kane_number3 D     = kn3_sub(kn3_constant(d->ground), at);
    const kane_number D2     = kn_add(kn_square(D.x), kn_square(D.z)),
                      cosine = kn_div(kn_shift(D2, a * a - b * b), kn_scale(2.0 * a, kn_sqrt(D2)));
    const kane_number first  = kn_add(kn_atan2(D.z, D.x), kn_scale(drawn.y < 0.0 ? -1.0 : 1.0, kn_acos(cosine)));
    const kane_number second =
        kn_atan2(kn_sub(kn_scale(a, kn_sin(first)), D.z), kn_sub(kn_scale(a, kn_cos(first)), D.x));
    v[0] = kane_rows_nearest_turn(kn_shift(kn_sub(first, angle), -drawn_angle(d->link, d->pin)), v[0]);
    v[1] = kane_rows_nearest_turn(kn_shift(second, -drawn_angle(d->ground, d->pin)), v[1]);
}

// v: coupler, rocker; u: crank
static void close_four_bar(const void *data, kane_number time, const kane_number *u, kane_number *v)
{
    const dyad *d = data;
    (void)time;
    close_dyad(d, kn3_add(kn3_constant(d->crank), turn_about_y(u[0], d->crank, d->link)), u[0], v);
}

// v: rod, output; u: crank, coupler
static void close_six_bar(const void *data, kane_number time, const kane_number *u, kane_number *v)
{
    const dyad *d           = data;
    const kane_number angle = kn_add(u[0], u[1]);
    const kane_number3 tip  = kn3_add(kn3_constant(d->crank), turn_about_y(u[0], d->crank, d->coupler));
    (void)time;
    close_dyad(d, kn3_add(tip, turn_about_y(angle, d->coupler, d->link)), angle, v);
}

static const kane_rows_kind four_bar_kind = {.name        = "four-bar",
                                             .help        = "A crank, a coupler and a rocker.",
                                             .schema      = &schema,
                                             .coordinates = 3,
                                             .positions   = 2,
                                             .dependents  = 2,
                                             .closed      = close_four_bar};
static const kane_rows_kind six_bar_kind  = {.name        = "six-bar",
                                             .help        = "A rod on the coupler and what it drives.",
                                             .schema      = &schema,
                                             .coordinates = 4,
                                             .positions   = 2,
                                             .dependents  = 2,
                                             .closed      = close_six_bar};

// --- the mechanism ---

enum { CRANK, COUPLER, ROCKER, ROD, OUTPUT, BODIES };

static const char *const names[BODIES]  = {"crank", "coupler", "rocker", "rod", "output"};
static const char *const parent[BODIES] = {NULL, "crank", NULL, "coupler", NULL};
static const kane_vec3 O1 = {0.0, 0.0, 0.0}, O2 = {0.9, 0.0, 0.0}, O3 = {1.4, 0.0, 0.1}, A = {0.0, 0.0, 0.3},
                       B = {0.7, 0.0, 0.6}, P = {0.4, 0.0, 0.8}, Q = {1.1, 0.0, 0.8};

// closed  KANE_CLOSED_USER: by the closed forms above; KANE_CLOSED_NONE: by Newton's method
static kane_model *build_loop(kane_closed_form closed, kane_errors *errors)
{
    const kane_mat3 axes      = {{1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.0, -1.0, 0.0}}; // turns from x to z
    const kane_vec3 hinges[]  = {O1, A, O2, P, O3};
    const kane_vec3 centres[] = {
        {0.0, 0.0, 0.15}, {0.4, 0.0, 0.5}, {0.8, 0.0, 0.3}, {0.75, 0.0, 0.8}, {1.25, 0.0, 0.45}};
    kane_joint_definition joints[BODIES];
    kane_start_definition starts[BODIES] = {{.rate = {6.0}, .held_q = 1u, .held_rate = 1u}};
    kane_body_definition bodies[BODIES];
    for (int i = 0; i < BODIES; i++) {
        joints[i] = (kane_joint_definition){.block  = {.name = names[i]},
                                            .kind   = KANE_JOINT_REVOLUTE,
                                            .parent = parent[i],
                                            .from   = {.at = hinges[i], .axes = axes},
                                            .to     = {.at = hinges[i], .axes = axes}};
        bodies[i] = (kane_body_definition){.block    = {.name = names[i]},
                                           .mass     = 1.0,
                                           .inertia  = {0.02, 0.02, 0.02},
                                           .position = centres[i],
                                           .dof      = KANE_ALL_DOF,
                                           .joint    = &joints[i],
                                           .start    = &starts[i]};
    }
    const dyad first                      = {.crank = O1, .link = A, .pin = B, .ground = O2};
    const dyad next                       = {.crank = O1, .coupler = A, .link = P, .pin = Q, .ground = O3};
    const kane_term_definition of_first[] = {{"coupler", NULL, 1.0}, {"rocker", NULL, 1.0}, {"crank", NULL, 1.0}};
    const kane_term_definition of_next[]  = {
         {"rod", NULL, 1.0}, {"output", NULL, 1.0}, {"crank", NULL, 1.0}, {"coupler", NULL, 1.0}};
    const kane_constraint_definition pins[]  = {{.block      = {.name = "B"},
                                                 .kind       = KANE_CONSTRAINT_SPHERICAL,
                                                 .between    = {"coupler", "rocker"},
                                                 .at         = {{.at = B, .axes = axes}, {.at = B, .axes = axes}},
                                                 .closed     = closed,
                                                 .own        = &four_bar_kind,
                                                 .parameters = &first,
                                                 .term_count = 3,
                                                 .terms      = of_first},
                                                {.block      = {.name = "Q"},
                                                 .kind       = KANE_CONSTRAINT_SPHERICAL,
                                                 .between    = {"rod", "output"},
                                                 .at         = {{.at = Q, .axes = axes}, {.at = Q, .axes = axes}},
                                                 .closed     = closed,
                                                 .own        = &six_bar_kind,
                                                 .parameters = &next,
                                                 .term_count = 4,
                                                 .terms      = of_next}};
    const kane_vehicle_definition definition = {.name             = "six-bar",
                                                .gravity          = 9.81,
                                                .body_count       = BODIES,
                                                .bodies           = bodies,
                                                .constraint_count = 2,
                                                .constraints      = pins};
    const kane_drive_definition drive        = kane_drive_definition_default(); // of vehicles
    const kane_model_options options         = kane_model_options_default();
    return kane_model_create(&definition, NULL, &drive, &options, errors);
}

// --- the run ---

// Runs for 1 s and prints; *change: of energy [J].
static kane_status integrate_loop(const kane_model *model, kane_simulation *simulation, double *change,
                                  kane_errors *errors)
{
    kane_status status = KANE_OK;
    kane_energy start, now;
    kane_get_energy(model, kane_simulation_work(simulation), &start);
    *change = 0.0;
    (void)printf("%8s %12s %12s %12s\n", "t [s]", "crank [rad]", "rocker [rad]", "output [rad]");
    for (int i = 0; i <= 20 && status == KANE_OK; i++) {
        double crank[KANE_JOINT_COORDINATES], rocker[KANE_JOINT_COORDINATES], output[KANE_JOINT_COORDINATES];
        status                = kane_simulation_advance(simulation, 0.05 * i, errors);
        const kane_work *work = kane_simulation_work(simulation);
        (void)kane_get_joint(model, work, CRANK, crank, NULL, NULL);
        (void)kane_get_joint(model, work, ROCKER, rocker, NULL, NULL);
        (void)kane_get_joint(model, work, OUTPUT, output, NULL, NULL);
        kane_get_energy(model, work, &now);
        (void)printf("%8.2f %12.6f %12.6f %12.6f\n", kane_simulation_time(simulation), crank[0], rocker[0], output[0]);
        *change = fmax(*change, fabs(now.kinetic + now.gravity - start.kinetic - start.gravity));
    }
    return status;
}

int main(int argc, char **argv)
{
    const int by_newton         = argc == 2 && strcmp(argv[1], "-n") == 0;
    const kane_conditions until = {.time = 1.0};
    kane_settings settings      = kane_settings_default();
    kane_errors errors          = {0};
    double change               = 0.0;
    if (argc > 2 || (argc == 2 && !by_newton)) {
        (void)fprintf(stderr, "usage: own_loop [-n]\n");
        return 2;
    }
    settings.order    = 5; // nothing here is as stiff as wheels on rails
    settings.relative = 1e-11;
    settings.position = settings.angle = settings.speed = settings.turning = 1e-12;

    kane_model *model           = build_loop(by_newton ? KANE_CLOSED_NONE : KANE_CLOSED_USER, &errors);
    kane_simulation *simulation = model ? kane_simulation_create(model, &settings, &until, &errors) : NULL;
    const int good              = simulation && integrate_loop(model, simulation, &change, &errors) == KANE_OK;
    kane_simulation_free(simulation);
    kane_model_free(model);
    (void)print_errors(&errors);
    if (!good)
        return 1;
    (void)printf("the energy changes by %.1e J\n", change);
    return change < 1e-6 ? 0 : 1;
}
