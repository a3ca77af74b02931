// SPDX-License-Identifier: MIT
// The Jacobian of a whole wagon, wheels on rails included, is the derivative of its equations, in the transition and in
// the curve, in all formulations. What is left is of the contact's differences (kane_contact_derive).

#include "property/wagon/wagon.h"

#define CONES "vehicle.patterns.wheelset.profile=cone", "track.rail.profile=round"

CHECK_TEST(with_cones_it_is_the_derivative)
{
    const char *const moving[] = {CONES, NULL}, *const fixed[] = {CONES, "formulation=fixed", NULL};
    wagon_check_jacobian("wagon-transition", moving, 2e-5);
    wagon_check_jacobian("wagon-transition", fixed, 2e-5);
    wagon_check_jacobian("wagon-driven", moving, 2e-5);
    wagon_check_jacobian("wagon-driven", fixed, 2e-5);
}

CHECK_TEST(with_profiles_it_is_the_derivative)
{
    const char *const moving[] = {NULL}, *const fixed[] = {"formulation=fixed", NULL};
    wagon_check_jacobian("wagon-transition", moving, 5e-5);
    wagon_check_jacobian("wagon-transition", fixed, 5e-5);
}

// Whose inertia turns with their spin, all terms kept and some of them left out.
CHECK_TEST(with_uneven_wheelsets_it_is_the_derivative)
{
#define UNEVEN CONES, "vehicle.patterns.wheelset.inertia=[560, 150, 700]"
    const char *const moving[] = {UNEVEN, NULL}, *const fixed[] = {UNEVEN, "formulation=fixed", NULL};
    const char *const omitted[] = {UNEVEN, "omit=[\"leading:torque.gyroscopic.*\", \"body:force.gyroscopic.*\"]", NULL};
    wagon_check_jacobian("wagon-transition", moving, 2e-5);
    wagon_check_jacobian("wagon-transition", fixed, 2e-5);
    wagon_check_jacobian("wagon-transition", omitted, 2e-5);
    wagon_check_jacobian("wagon-driven", moving, 2e-5);
}

// Below 0.1 rad/s brakes fade, which is the only place where they depend on the spin. The column of v is of
// differences, and slow wheels are far from linear.
CHECK_TEST(with_fading_brakes_it_is_the_derivative)
{
    const char *const settings[] = {
        CONES, "start.speed=0.02",
        "drive={\"brake\":{\"kind\":\"brake\",\"on\":\"leading\",\"reaction\":\"body\",\"torque\":[\"100 N m\"]}}",
        NULL};
    wagon_check_jacobian("wagon-driven", settings, 1e-4);
}

CHECK_TEST(on_flexible_track_it_is_the_derivative)
{
    const char *const moving[] = {CONES, "track.flexibility={}", NULL};
    const char *const fixed[] = {CONES, "track.flexibility={}", "formulation=fixed", NULL}, *const rough[] = {CONES,
                                                                                                              NULL};
    wagon_check_jacobian("wagon-transition", moving, 2e-5);
    wagon_check_jacobian("wagon-transition", fixed, 2e-5);
    wagon_check_jacobian("wagon-driven", moving, 2e-5);
    wagon_check_jacobian("wagon-driven", fixed, 2e-5);
    wagon_check_jacobian("wagon-flexible", rough, 5e-5);
}

// Wheelsets in the frame of a distant body, whose rails are found elsewhere.
CHECK_TEST(in_shared_frames_it_is_the_derivative)
{
#define SHARED "vehicle.wheelsets.leading.frame=body", "vehicle.wheelsets.trailing.frame=body"
    static const char *const ways[] = {"elastic", "constraint", "table"};
    for (int i = 0; i < 3; i++) {
        char way[64];
        (void)snprintf(way, sizeof way, "vehicle.patterns.wheelset.contact.model=%s", ways[i]);
        const char *const settings[] = {SHARED, "track.cant_axis=inner_rail", way, NULL};
        wagon_check_jacobian("wagon-transition", settings, 5e-5);
        wagon_check_jacobian("wagon-driven", settings, 5e-5);
    }
    const char *const flexible[] = {CONES, SHARED, "track.flexibility={}", NULL};
    wagon_check_jacobian("wagon-transition", flexible, 2e-5);
}

// Guided wheelsets that come first in the definition, before a body that has no speeds.
CHECK_TEST(whatever_the_order_of_bodies_it_is_the_derivative)
{
    static const char *const ways[] = {"constraint", "table"};
    for (int i = 0; i < 2; i++) {
        char way[64];
        (void)snprintf(way, sizeof way, "vehicle.patterns.wheelset.contact.model=%s", ways[i]);
        CHECK_FREED(wagon) w               = wagon_with("wagon-transition", way, "vehicle.bodies.body.dof=[]");
        kane_vehicle_definition vehicle    = *w.definition.vehicle;
        const kane_body_definition order[] = {vehicle.bodies[LEADING], vehicle.bodies[BODY], vehicle.bodies[TRAILING]};
        vehicle.bodies                     = order;
        w.definition.vehicle               = &vehicle;
        wagon_start(&w);
        for (int k = 0; k < 4; k++) {
            (void)wagon_go(&w, 0.8 * k); // a wheel lifts at 2.9 s
            (void)run_check_jacobian(w.simulation, w.model, way, 5e-5);
        }
    }
}

CHECK_MAIN(NULL, NULL)
