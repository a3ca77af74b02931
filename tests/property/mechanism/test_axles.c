// SPDX-License-Identifier: MIT
// Bodies on an axle whose axes leave its spin out move as bodies that hang by ordinary hinges on one that turns with
// its axes.
//
// The axle is a rigid body once: its pitch and the angles of what hangs on it grow, each against the other, and nothing
// knows of a spin. An angle of what hangs on it is then that against axes which do not spin, less the pitch.

#include "property/mechanism/mixed.h"

enum { SPEED = 12 }; // of the axle [rad/s]

// What the axle is, and how what hangs on it begins so that both begin alike.
typedef enum axle { SPINS, TURNS } axle;

static void begin_on_axle(rig *r, axle kind, int body, int coordinate, double angle, double rate, double direction)
{
    rig_start(r, body, coordinate, angle, rate - (kind == TURNS ? direction * SPEED : 0.0));
}

// The axle is held by its boxes alone: two on hinges, one of them the other way round and free to slide.
static void add_axle(rig *r, axle kind, kane_joint_kind joint)
{
    static const kane_vec3 left_at = {4.0, 0.8, 0.5}, right_at = {4.0, -0.6, 0.5}, at = {4.0, 0.1, 0.5};
    const int in_frame = joint == KANE_JOINT_WELD; // stands for none
    const int rotor    = in_frame ? rig_body(r, "rotor", 300.0, at)
                                  : rig_link(r, "rotor", 300.0, at, "bogie", joint, at,
                                          joint == KANE_JOINT_REVOLUTE ? mixed_axle : km3_identity());
    mixed_spin(r, rotor);
    r->bodies[rotor].kind = kind == SPINS ? KANE_BODY_SPINNING : KANE_BODY_RIGID;
    rig_start(r, rotor, joint == KANE_JOINT_REVOLUTE ? 0 : KANE_PITCH, 0.0, SPEED);
    const int left =
        rig_link(r, "left box", 60.0, kv3(4.1, 0.7, 0.55), "rotor", KANE_JOINT_REVOLUTE, left_at, mixed_axle);
    const int right = rig_link(r, "right box", 70.0, kv3(3.8, -0.6, 0.4), "rotor", KANE_JOINT_CYLINDRICAL, right_at,
                               mixed_axle_right);
    const int arm =
        rig_link(r, "arm", 50.0, kv3(3.6, 0.9, 0.7), "left box", KANE_JOINT_REVOLUTE, kv3(3.8, 0.8, 0.6), rig_turned());
    rig_bushing(r, "left box held", "bogie", "left box", kv3(3.9, 0.7, 0.3), 9e4, 3e4, 200.0 * 9.81);
    rig_bushing(r, "right box held", "bogie", "right box", kv3(4.2, -0.5, 0.5), 8e4, 4e4, 230.0 * 9.81);
    rig_bushing(r, "arm held", "left box", "arm", kv3(3.5, 0.9, 0.7), 2e4, 1e3, 50.0 * 9.81);
    begin_on_axle(r, kind, left, 0, 0.05, -0.4, 1.0);
    rig_start(r, right, 0, 0.02, 0.3);
    begin_on_axle(r, kind, right, 1, -0.04, 0.5, -1.0);
    rig_start(r, arm, 0, 0.1, 0.3);
}

// A motor with a shaft that is geared to the axle: against an axle that turns with its axes the motor's angle is what
// the gear wheels see.
static void add_motor(rig *r, axle kind, int is_free)
{
    const kane_vec3 shaft = kv3(4.5, 0.3, 0.6);
    const int motor =
        rig_link(r, "housing", 200.0, kv3(4.4, 0.2, 0.6), "rotor", KANE_JOINT_REVOLUTE, kv3(4.0, 0.3, 0.5), mixed_axle);
    const int i       = r->vehicle.constraint_count;
    const int turning = rig_link(r, "shaft", 60.0, shaft, "housing", KANE_JOINT_REVOLUTE, shaft, mixed_axle);
    rig_bushing(r, "nose", "bogie", "housing", kv3(4.8, 0.2, 0.7), 9e4, 3e3, 200.0 * 9.81);
    begin_on_axle(r, kind, motor, 0, 0.0, 0.2, 1.0);
    rig_start(r, turning, 0, 0.0, -3.0 * (SPEED - 0.2));
    r->starts[motor].held_rate = 1;
    r->starts[motor - 4].held_rate |= is_free ? 63u : 1u; // the axle; of the start only the shaft's rate follows
    r->starts[motor].held_q          = 1;
    kane_constraint_definition *gear = rig_constraint(r, "gear", KANE_CONSTRAINT_LINEAR);
    r->terms[i][0]                   = (kane_term_definition){.body = "shaft", .factor = 1.0};
    r->terms[i][1]                   = (kane_term_definition){.body = "housing", .factor = -3.0};
    r->terms[i + 1][0] = (kane_term_definition){.body = "rotor", .coordinate = is_free ? "pitch" : NULL, .factor = 3.0};
    gear->term_count   = kind == SPINS ? 3 : 2;
    gear->terms        = r->terms[i];
    mixed_motor(r, "shaft", NULL);
}

static void check_same(const ride *a, const ride *b, double place, double speed, double acceleration, const char *what)
{
    ride_difference d = {0.0, 0.0, 0.0};
    for (int j = 0; j < kane_model_body_count(a->model); j++) {
        kane_vec3 v[2], w[2], p[2], e[2];
        double q[2][6], rates[6];
        const ride *both[2] = {a, b};
        for (int i = 0; i < 2; i++) {
            kane_get_absolute(both[i]->model, both[i]->work, j, &v[i], &w[i], &p[i], &e[i]);
            kane_get_relative(both[i]->model, both[i]->work, j, q[i], rates);
        }
        d.speed        = fmax(d.speed, fmax(ride_apart(v[0], v[1]), ride_apart(w[0], w[1])));
        d.acceleration = fmax(d.acceleration, fmax(ride_apart(p[0], p[1]), ride_apart(e[0], e[1])));
        for (int k = 0; k < 6; k++)
            d.place = fmax(d.place, k < 3 ? fabs(q[0][k] - q[1][k]) : fabs(sin(0.5 * (q[0][k] - q[1][k]))));
    }
    ride_check_difference(d, place, speed, acceleration, what);
}

static void compare_axles(int uneven)
{
    static const kane_joint_kind joints[] = {KANE_JOINT_FREE, KANE_JOINT_REVOLUTE, KANE_JOINT_WELD};
    CHECK_OWNED(kane_track) *track        = model_track(1.0, KANE_BLOSS);
    for (int i = 0; i < 6; i++)
        for (int way = 0; way < (uneven ? 3 : 6); way++) {
            static rig r[2];
            ride rides[2];
            char name[64];
            (void)snprintf(name, sizeof name, "%s %d, way %d", uneven ? "uneven axle" : "axle", i, way);
            for (int k = 0; k < 2; k++) {
                rig_begin_vehicle(&r[k]);
                add_axle(&r[k], k == 0 ? SPINS : TURNS, joints[i % 3]);
                for (int j = 0; j < r[k].vehicle.body_count && uneven; j++)
                    if (strcmp(r[k].bodies[j].block.name, "rotor") == 0)
                        mixed_uneven(&r[k], j);
                if (i >= 3)
                    add_motor(&r[k], k == 0 ? SPINS : TURNS, joints[i % 3] != KANE_JOINT_REVOLUTE);
                ride_create(&rides[k], &r[k], track,
                            (ride_options){.start               = 35.0,
                                           .formulation         = way % 3 == 2 ? KANE_FIXED : KANE_MOVING,
                                           .imaginary_as_forces = way % 3 == 1,
                                           .form = way / 3 ? KANE_FORM_MULTIPLIERS : KANE_FORM_COEFFICIENTS});
            }
            check_same(&rides[0], &rides[1], 1e-12, 1e-11, 1e-9, name);
            for (int k = 0; k < 2; k++)
                ride_go(&rides[k], 1.6, 5e-4);
            check_same(&rides[0], &rides[1], 1e-9, 1e-8, 1e-6, name);
            for (int k = 0; k < 2; k++)
                ride_free(&rides[k]);
        }
}

CHECK_TEST(an_axle_that_spins_is_a_body_that_turns)
{
    compare_axles(0);
}

// Its inertia turns with its spin, as that of the body that turns does by itself.
CHECK_TEST(an_uneven_axle_is_a_body_that_turns_too)
{
    compare_axles(1);
}

CHECK_MAIN(NULL, NULL)
