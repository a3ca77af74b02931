// SPDX-License-Identifier: MIT
// The Jacobian that the integrator uses is the derivative of the equations.

#include "property/agem/jacobian.h"

#include "grounded.h"

// In all formulations; with a law's own derivatives, or with those that libkane takes by differences.
static void check_all(const parts *p, double tolerance)
{
    CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_BLOSS);
    for (int variant = 0; variant < 6; variant++) {
        CHECK_END(destroy) twin t = {0};
        create(&t, p, track, variant % 3 == 2 ? KANE_FIXED : KANE_MOVING, variant % 3 == 1, variant / 3);
        for (uint64_t seed = 1; seed < 6; seed++) {
            scatter(&t, seed, 0.1 * (double)seed);
            check_jacobian(&t, 0.1 * (double)seed, tolerance);
        }
    }
}

CHECK_TEST(jacobian_is_the_derivative)
{
    parts p;
    build(&p);
    check_all(&p, 3e-7);
}

// It turns with its spin, which then moves nothing and is felt all the same.
CHECK_TEST(an_uneven_axle_has_its_derivative_too)
{
    static const double inertia[6] = {660.0, 90.0, 740.0, 0.0, 20.0, 0.0};
    parts p;
    build(&p);
    for (int i = 0; i < 6; i++)
        p.bodies[3].inertia[i] = inertia[i];
    check_all(&p, 3e-7);
}

CHECK_TEST(laws_without_derivatives_are_differenced)
{
    parts p;
    kane_law laws[ELEMENTS];
    build(&p);
    for (int i = 0; i < ELEMENTS; i++) {
        laws[i]           = *p.elements[i].law;
        laws[i].derive    = NULL;
        p.elements[i].law = &laws[i];
    }
    check_all(&p, 3e-6);
}

// Between plain bodies, axle boxes, bodies with removed freedoms and the track, mirrored or not.
CHECK_TEST(laws_that_look_at_absolute_motion_have_their_derivative)
{
    static const int at[] = {0, 1, 2, 6, 8, 9};
    parts p;
    build(&p);
    for (int differenced = 0; differenced < 2; differenced++) {
        for (size_t i = 0; i < sizeof at / sizeof *at; i++)
            p.elements[at[i]].law = differenced ? &grounded_law_differenced : &grounded_law;
        check_all(&p, 1e-6);
    }
}

CHECK_MAIN(NULL, NULL)
