// SPDX-License-Identifier: MIT
// Laws with dry friction in a vehicle: the same in all formulations, and the Jacobian is the derivative.

#include "property/agem/in_place.h"

static const kane_dry_friction stick = {.stick_displacement = 0.01, .stick_damping = 400.0};

static const kane_centre_plate plate    = {.radius         = 0.2,
                                           .coefficient    = 0.2,
                                           .stiffness      = 1e6,
                                           .onset          = 0.01,
                                           .dissipation    = 0.3,
                                           .rocking_angle  = 0.02,
                                           .ring_stiffness = 1e6,
                                           .ring_clearance = 0.01,
                                           .friction       = {.stick_displacement = 0.01, .stick_damping = 400.0}};
static const kane_leaf_spring leaf      = {.stiffness              = 6e5,
                                           .onset                  = 0.01,
                                           .coefficient            = 0.1,
                                           .longitudinal_stiffness = 1e6,
                                           .lateral_stiffness      = 4e5,
                                           .lateral_damping        = 1e3,
                                           .friction               = {.stick_displacement = 0.01, .stick_damping = 400.0}};
static const kane_link_suspension links = {.stiffness                 = 5e5,
                                           .onset                     = 0.01,
                                           .longitudinal_length       = 0.3,
                                           .lateral_length            = 0.6,
                                           .longitudinal_coefficient  = 0.05,
                                           .lateral_coefficient       = 0.03,
                                           .vertical_coefficient      = 0.1,
                                           .longitudinal_displacement = 0.01,
                                           .vertical_displacement     = 0.01,
                                           .lateral_displacement      = 0.02,
                                           .stick_damping             = 100.0};
static const kane_side_bearer bearer    = {.bearing_load = 9e3,
                                           .stiffness    = 3e5,
                                           .onset        = 0.01,
                                           .coefficient  = 0.3,
                                           .dissipation  = 0.2,
                                           .friction     = {.stick_displacement = 0.01, .stick_damping = 400.0}};
static const kane_drawgear gear         = {.tension            = {.stiffness = 1e6, .friction = 0.3},
                                           .compression        = {.stiffness = 2e6, .friction = 0.5},
                                           .slack              = 0.01,
                                           .onset              = 0.005,
                                           .damping            = 2e3,
                                           .stick_displacement = 0.01,
                                           .nominal_force      = 5e3};

// The elements of the twin, with laws that rub: between bodies, to the track, turned and mirrored.
static void build_rubbing(parts *p, kane_friction friction[2])
{
    friction[0] = (kane_friction){.directions = 4, .force = 3e3, .friction = stick};
    friction[1] = (kane_friction){
        .directions = 3, .coefficient = 0.25, .stiffness = 4e5, .onset = 0.01, .dissipation = 0.2, .friction = stick};
    const struct {
        const kane_law *law;
        const void *parameters;
        double load;
    } rubbing[ELEMENTS] = {
        {&kane_law_centre_plate, &plate, 30e3},     {&kane_law_leaf_spring, &leaf, 20e3},
        {&kane_law_link_suspension, &links, -15e3}, {&kane_law_drawgear, &gear, 0.0},
        {&kane_law_friction, &friction[1], 12e3},   {&kane_law_side_bearer, &bearer, 0.0},
        {&kane_law_friction, &friction[0], 0.0},    {&kane_law_leaf_spring, &leaf, -20e3},
        {&kane_law_centre_plate, &plate, -30e3},    {&kane_law_link_suspension, &links, 15e3},
    };
    build(p);
    for (int i = 0; i < ELEMENTS; i++) {
        p->elements[i].law        = rubbing[i].law;
        p->elements[i].parameters = rubbing[i].parameters;
        p->elements[i].load       = kv3(0.0, 0.0, rubbing[i].load);
    }
}

CHECK_TEST(friction_is_the_same_in_all_frames)
{
    parts p;
    kane_friction friction[2];
    build_rubbing(&p, friction);
    check_frames_in_place(&p, 1.0);
}

CHECK_TEST(its_jacobian_is_the_derivative)
{
    parts p;
    kane_friction friction[2];
    build_rubbing(&p, friction);
    check_jacobian_in_place(&p, 1.0, 3e-6);
}

CHECK_MAIN(NULL, NULL)
