// SPDX-License-Identifier: MIT
// What must not matter: the order in which bodies and constraints are listed, how often the same is evaluated, and which
// hand is the left one.

#include "property/mechanism/constrained.h"

// Everything at once: a tree on the car, a loop on the bogie that a rod ties to the car, and cranks with a relation.
static void build(rig *r)
{
    constrained_build(r, KANE_CONSTRAINT_FUNCTION, CONSTRAINED_BY_BOGIE);
    const int arm =
        rig_link(r, "arm", 200.0, kv3(1.3, 0.2, 0.6), "car", KANE_JOINT_SPHERICAL, kv3(1.2, 0.4, 1.1), rig_turned());
    const int tail =
        rig_link(r, "tail", 80.0, kv3(1.5, 0.0, 0.3), "arm", KANE_JOINT_UNIVERSAL, kv3(1.4, 0.1, 0.4), km3_identity());
    const int rod = rig_body(r, "rod", 60.0, kv3(2.4, 0.3, 0.8));
    rig_start(r, arm, 0, 0.9, 0.3);
    rig_start(r, arm, 2, 0.3, -0.4);
    rig_start(r, tail, 1, 0.2, 0.6);
    rig_start(r, rod, 2, 0.02, 0.3);
    r->bodies[rod].frame = "bogie";
    (void)rig_close(r, "rod on bogie", KANE_CONSTRAINT_UNIVERSAL, "bogie", "rod", kv3(2.9, 0.4, 0.9), rig_turned());
    (void)rig_close(r, "rod on arm", KANE_CONSTRAINT_SPHERICAL, "tail", "rod", kv3(1.8, 0.2, 0.5), rig_turned());
    rig_bushing(r, "arm held", "car", "arm", kv3(1.1, 0.1, 0.8), 3e4, 6e3, 200.0 * 9.81);
}

// Bodies, constraints and elements in another order; joints and starts stay where they are.
static void shuffle(rig *r, uint64_t seed)
{
    for (int k = 0; k < 3; k++) {
        const int count = k == 0   ? r->vehicle.body_count
                          : k == 1 ? r->vehicle.constraint_count
                                   : r->vehicle.element_count;
        for (int i = count - 1; i > 0; i--) {
            const int j = (int)((random_number(&seed) + 1.0) / 2.0 * (i + 1)) % (i + 1);
            if (k == 0) {
                const kane_body_definition body = r->bodies[i];
                r->bodies[i]                    = r->bodies[j];
                r->bodies[j]                    = body;
            } else if (k == 1) {
                const kane_constraint_definition constraint = r->constraints[i];
                r->constraints[i]                           = r->constraints[j];
                r->constraints[j]                           = constraint;
            } else {
                const kane_element_definition element = r->elements[i];
                r->elements[i]                        = r->elements[j];
                r->elements[j]                        = element;
            }
        }
    }
}

static void renumbering_changes_nothing(void **state)
{
    (void)state;
    static rig r, other;
    kane_track *track = model_track(1.0, KANE_SINE);
    build(&r);
    for (int variant = 0; variant < 12; variant++) {
        const ride_options options = {.start       = 30.0,
                                      .formulation = variant & 1 ? KANE_FIXED : KANE_MOVING,
                                      .form        = variant & 2 ? KANE_FORM_MULTIPLIERS : KANE_FORM_COEFFICIENTS,
                                      .separate    = variant == 4,
                                      .driven      = variant > 7};
        ride a, b;
        ride_create(&a, &r, track, options);
        ride_go(&a, 0.5, 1e-3);
        for (uint64_t seed = 1; seed < 4; seed++) {
            build(&other);
            shuffle(&other, 977 * seed);
            ride_create(&b, &other, track, options);
            ride_copy(&a, &b);
            char what[64];
            (void)snprintf(what, sizeof what, "variant %d, order %d", variant, (int)seed);
            ride_check_same(&a, &b, 1e-13, 1e-12, 1e-10, what);
            ride_free(&b);
        }
        ride_free(&a);
    }
    kane_track_free(track);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(renumbering_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
