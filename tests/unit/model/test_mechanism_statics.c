// SPDX-License-Identifier: MIT
// Joined bodies at rest: the loads of the elements are those of levers, and of virtual work where loops close.

#include "unit/model/joined.h"

static const double g = 9.81;

static const kane_spring spring   = {.stiffness = 1e5};
static const kane_bushing bushing = {.stiffness = {2e5, 3e5, 4e5}};
static const kane_mat3 along_y    = {{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}; // z of a joint along y

static kane_joint_definition hinge(const char *parent, kane_vec3 at)
{
    kane_joint_definition joint = joined_by(KANE_JOINT_REVOLUTE, parent, at);
    joint.from.axes = joint.to.axes = along_y;
    return joint;
}

static kane_element_definition element(const char *name, const kane_law *law, const void *parameters, const char *a,
                                       const char *b, kane_vec3 at_a, kane_vec3 at_b)
{
    return (kane_element_definition){
        .block = {name, NULL}, .law = law, .parameters = parameters, .between = {a, b}, .at = {at_a, at_b}};
}

// A bar of 1 m, hinged at one end, held up by a spring at the other.
CHECK_TEST(a_pendulum_on_a_spring)
{
    const kane_joint_definition joint = hinge(NULL, kv3_zero());
    const kane_body_definition bar    = joined_body("bar", kv3(0.5, 0.0, 0.0), &joint);
    kane_element_definition e =
        element("spring", &kane_law_spring, &spring, NULL, "bar", kv3(1.0, 0.0, -1.0), kv3(1.0, 0.0, 0.0));
    const kane_vehicle_definition d = {
        .name = "bar", .gravity = g, .body_count = 1, .bodies = &bar, .element_count = 1, .elements = &e};
    kane_model *model = joined_model(&d);
    check_vec3(kane_model_static_load(model, 0), kv3(0.0, 0.0, 2.0 * g * 0.5), 1e-12);
    kane_model_free(model);

    // by markers, and twice as far out
    const kane_marker_definition markers[] = {{.block = {"foot", NULL}, .position = {2.0, 0.0, -1.0}},
                                              {.block = {"head", NULL}, .on = "bar", .position = {2.0, 0.0, 0.0}}};
    kane_vehicle_definition with           = d;
    with.marker_count                      = 2;
    with.markers                           = markers;
    e.marker[0]                            = "foot";
    e.marker[1]                            = "head";
    model                                  = joined_model(&with);
    check_vec3(kane_model_static_load(model, 0), kv3(0.0, 0.0, 2.0 * g * 0.25), 1e-12);
    kane_model_free(model);

    // without a lever nothing carries the bar
    e.marker[0] = e.marker[1] = NULL;
    e.at[0]                   = kv3(0.0, 0.0, -1.0);
    e.at[1]                   = kv3_zero();
    CHECK_ERRORS errors       = {0};
    assert_null(joined_try(&d, &errors));
    assert_int_equal(errors.count, 1);
    assert_string_equal(kane_errors_get(&errors, 0)->text,
                        "'bar' cannot rest: 9.81 N m is left in the direction of angle that no element carries; check "
                        "masses, points and static loads of the elements at this body");
}

// A bogie frame on two bushings; a motor hinged to it, its nose on a spring to the frame.
CHECK_TEST(a_bogie_with_a_motor)
{
    const kane_joint_definition joint        = hinge("bogie", kv3(0.3, 0.0, 0.7));
    const kane_body_definition bodies[]      = {{.block    = {"motor", NULL},
                                                 .mass     = 500.0,
                                                 .inertia  = {50, 60, 70},
                                                 .position = {0.8, 0.0, 0.6},
                                                 .joint    = &joint},
                                                {.block    = {"bogie", NULL},
                                                 .mass     = 2000.0,
                                                 .inertia  = {500, 600, 700},
                                                 .position = {0.0, 0.0, 0.6},
                                                 .dof      = KANE_ALL_DOF}};
    const kane_element_definition elements[] = {
        element("front", &kane_law_bushing, &bushing, "track", "bogie", kv3(1.0, 0.0, 0.4), kv3(1.0, 0.0, 0.5)),
        element("rear", &kane_law_bushing, &bushing, "track", "bogie", kv3(-1.0, 0.0, 0.4), kv3(-1.0, 0.0, 0.5)),
        element("nose", &kane_law_spring, &spring, "motor", "bogie", kv3(1.3, 0.0, 0.6), kv3(1.3, 0.0, 0.9))};
    CHECK_OWNED(kane_model) *model = joined_model(&(kane_vehicle_definition){
        .name = "bogie", .gravity = g, .body_count = 2, .bodies = bodies, .element_count = 3, .elements = elements});
    // on the bogie: the nose hangs from it, so that it pulls it down; moments about the hinge 500 g 0.5 = F 1.0
    check_vec3(kane_model_static_load(model, 2), kv3(0.0, 0.0, -250.0 * g), 1e-9);
    check_vec3(kane_model_static_load(model, 0), kv3(0.0, 0.0, 1450.0 * g), 1e-8);
    check_vec3(kane_model_static_load(model, 1), kv3(0.0, 0.0, 1050.0 * g), 1e-8);
}

// Two parallel arms of 1 m guide an upright, which a spring carries: half the arms' weight comes upon it. The loop is
// closed by a constraint, whose force takes part.
CHECK_TEST(a_parallelogram)
{
    const kane_joint_definition lower = hinge(NULL, kv3_zero()), upper = hinge(NULL, kv3(0.0, 0.0, 1.0));
    const kane_joint_definition middle   = hinge("lower", kv3(1.0, 0.0, 0.0));
    const kane_body_definition bodies[]  = {joined_body("lower", kv3(0.5, 0.0, 0.0), &lower),
                                            joined_body("upper", kv3(0.5, 0.0, 1.0), &upper),
                                            joined_body("upright", kv3(1.0, 0.0, 0.5), &middle)};
    const kane_constraint_definition pin = {.block   = {"pin", NULL},
                                            .kind    = KANE_CONSTRAINT_SPHERICAL,
                                            .between = {"upper", "upright"},
                                            .at      = {{.at = {1.0, 0.0, 1.0}}, {.at = {1.0, 0.0, 1.0}}}};
    const kane_element_definition e =
        element("spring", &kane_law_spring, &spring, "track", "upright", kv3(1.7, 0.0, -2.0), kv3(1.7, 0.0, 0.3));
    CHECK_OWNED(kane_model) *model = joined_model(&(kane_vehicle_definition){.name             = "guide",
                                                                             .gravity          = g,
                                                                             .body_count       = 3,
                                                                             .bodies           = bodies,
                                                                             .element_count    = 1,
                                                                             .elements         = &e,
                                                                             .constraint_count = 1,
                                                                             .constraints      = &pin});
    check_vec3(kane_model_static_load(model, 0), kv3(0.0, 0.0, (2.0 + 0.5 * 2.0 + 0.5 * 2.0) * g), 1e-10);
}

// A gear: what holds one arm holds the other.
CHECK_TEST(a_gear_carries)
{
    const kane_joint_definition left = hinge(NULL, kv3_zero()), right = hinge(NULL, kv3(5.0, 0.0, 0.0));
    const kane_body_definition bodies[]   = {joined_body("left", kv3(0.5, 0.0, 0.0), &left),
                                             joined_body("right", kv3(4.5, 0.0, 0.0), &right)};
    const kane_term_definition terms[]    = {{"left", NULL, 1.0}, {"right", "angle", 3.0}};
    const kane_constraint_definition gear = {
        .block = {"gear", NULL}, .kind = KANE_CONSTRAINT_LINEAR, .term_count = 2, .terms = terms};
    const kane_element_definition e =
        element("spring", &kane_law_spring, &spring, "track", "left", kv3(1.0, 0.0, -1.0), kv3(1.0, 0.0, 0.0));
    CHECK_OWNED(kane_model) *model = joined_model(&(kane_vehicle_definition){.name             = "gear",
                                                                             .gravity          = g,
                                                                             .body_count       = 2,
                                                                             .bodies           = bodies,
                                                                             .element_count    = 1,
                                                                             .elements         = &e,
                                                                             .constraint_count = 1,
                                                                             .constraints      = &gear});
    // turning left by +1 (down at its end) turns right by -1/3, which moves its centre (at -0.5) down by 1/6:
    // F 1 = 2 g 0.5 + 2 g 0.5/3
    check_vec3(kane_model_static_load(model, 0), kv3(0.0, 0.0, 2.0 * g * 0.5 * (1.0 + 1.0 / 3.0)), 1e-10);
}

// Two bars in a row, the hinge between them locked by a relation of its own coordinate: one lever of both.
CHECK_TEST(a_locked_hinge_is_a_beam)
{
    const kane_joint_definition root = hinge(NULL, kv3_zero()), middle = hinge("first", kv3(1.0, 0.0, 0.0));
    const kane_body_definition bodies[]   = {joined_body("second", kv3(1.5, 0.0, 0.0), &middle),
                                             joined_body("first", kv3(0.5, 0.0, 0.0), &root)};
    const kane_term_definition angle      = {"second", NULL, 1.0};
    const kane_constraint_definition lock = {
        .block = {"lock", NULL}, .kind = KANE_CONSTRAINT_LINEAR, .term_count = 1, .terms = &angle};
    const kane_element_definition e =
        element("spring", &kane_law_spring, &spring, "track", "second", kv3(2.0, 0.0, -1.0), kv3(2.0, 0.0, 0.0));
    CHECK_OWNED(kane_model) *model = joined_model(&(kane_vehicle_definition){.name             = "beam",
                                                                             .gravity          = g,
                                                                             .body_count       = 2,
                                                                             .bodies           = bodies,
                                                                             .element_count    = 1,
                                                                             .elements         = &e,
                                                                             .constraint_count = 1,
                                                                             .constraints      = &lock});
    check_vec3(kane_model_static_load(model, 0), kv3(0.0, 0.0, 2.0 * g * (0.5 + 1.5) / 2.0), 1e-10);
}

CHECK_MAIN(NULL, NULL)
