// SPDX-License-Identifier: MIT
// The rear corner of a car: a knuckle on five rods with a spring, its chassis at rest. Hard points of Project Chrono's
// sedan (Sedan_MultiLink); start accelerations with massless rods by a program of another author's, eight digits.

#include "mechanisms.h"

enum { RODS = 5 };

typedef struct hard_points {
    const char *name;
    kane_vec3 on_chassis, on_knuckle; // from the axle's centre [m]
    double mass;                      // [kg]
} hard_points;

static const hard_points rods[RODS] = {
    {"upper front", {0.060, 0.397, 0.082}, {0.056, 0.714, 0.151}, 2.0},
    {"upper rear", {-0.157, 0.358, 0.062}, {0.056, 0.714, 0.151}, 2.0},
    {"trailing", {0.723, 0.449, -0.072}, {0.0, 0.714, -0.156}, 4.0},
    {"toe", {-0.257, 0.170, -0.116}, {-0.144, 0.712, -0.056}, 1.0},
    {"lateral", {0.036, 0.188, -0.133}, {0.029, 0.692, -0.093}, 3.0},
};

static const kane_vec3 spring[2] = {{0.181, 0.491, 0.310}, {0.02, 0.70, -0.12}};

static void build(mechanism *m, double masses)
{
    static kane_spring law;
    mechanism_begin(m, 9.81);
    (void)mechanism_add(m, "knuckle", 38.0, kv3(1.0, 1.5, 1.0), kv3(0.0, 0.76, 0.0));
    for (int i = 0; i < RODS; i++) {
        kane_constraint_definition *d =
            mechanism_close_at(m, rods[i].name, KANE_CONSTRAINT_ROD, NULL, rods[i].on_chassis, "knuckle",
                               rods[i].on_knuckle, km3_identity());
        d->mass    = masses * rods[i].mass;
        d->centre  = 0.5;
        d->inertia = -1.0;
    }
    law = (kane_spring){.stiffness = 4e4, .free_length = kv3_norm(kv3_sub(spring[1], spring[0]))};
    (void)mechanism_element(m, "spring", &kane_law_spring, &law, NULL, spring[0], "knuckle", spring[1]);
}

CHECK_TEST(start_accelerations_are_those_of_the_other_program)
{
    static const double a[3] = {0.82882004, 1.19856846, -9.48936617};  // x, y, z
    static const double e[3] = {-5.10508937, -2.41029271, 0.38691320}; // roll, pitch, yaw
    for (int form = 0; form < 2; form++) {
        CHECK_END(mechanism_close_all) mechanism m = {0};
        kane_vec3 p, alpha;
        build(&m, 0.0);
        mechanism_open(&m, (kane_constraint_form)form);
        kane_get_absolute(m.model, m.work, 0, NULL, NULL, &p, &alpha);
        check_vec3(p, kv3(a[0], a[1], a[2]), 1e-8);
        check_vec3(alpha, kv3(e[0], e[1], e[2]), 1e-8);
    }
}

CHECK_MAIN(NULL, NULL)
