// SPDX-License-Identifier: MIT
// A body that hangs on elements with turned axes rests where it is drawn, and the elements carry its weight.

#include "models.h"

#include "agem/bodies.h"

enum { MOST = 4 };

static const double mass = 120.0, g = 9.81;

typedef struct stand {
    kane_element_definition elements[MOST];
    kane_model *model;
    kane_work *work;
    double y[64], ydot[64];
} stand;

static const kane_bushing bushing = {.stiffness = {2e5, 3e5, 4e5}, .rotational_stiffness = {1e4, 2e4, 3e4}};
static const kane_spring spring   = {.stiffness = 1e5};

static kane_element_definition hang(const char *name, const kane_law *law, const void *parameters, kane_vec3 a,
                                    kane_vec3 b, kane_mat3 axes, int mirrored)
{
    return (kane_element_definition){.block      = {name, NULL},
                                     .law        = law,
                                     .parameters = parameters,
                                     .between    = {"track", "body"},
                                     .at         = {a, b},
                                     .axes       = axes,
                                     .mirrored   = mirrored};
}

// Puts a body with its mass centre 1 m above the ground on the elements, and evaluates it at rest.
static void put_up(stand *s, int count)
{
    const kane_body_definition body       = {.block    = {"body", NULL},
                                             .mass     = mass,
                                             .inertia  = {20, 30, 40},
                                             .position = {0.0, 0.0, 1.0},
                                             .dof      = KANE_ALL_DOF};
    const kane_vehicle_definition vehicle = {.name          = "stand",
                                             .gravity       = g,
                                             .body_count    = 1,
                                             .bodies        = &body,
                                             .element_count = count,
                                             .elements      = s->elements};
    const kane_drive_definition drive     = kane_drive_definition_default();
    const kane_model_options options      = kane_model_options_default();
    CHECK_ERRORS errors                   = {0};
    s->model                              = CHECK_GOOD(kane_model_create, &vehicle, NULL, &drive, &options);
    s->work                               = kane_work_create(s->model, &errors);
    assert_int_equal(kane_initial_state(s->model, s->work, s->y, &errors), KANE_OK);
    assert_int_equal(kane_eval(s->model, s->work, 0.0, s->y, s->ydot), KANE_OK);
    check_no_errors(&errors);
    for (int i = 0; i < kane_model_state_count(s->model); i++)
        check_near(s->ydot[i], 0.0, 1e-11);
}

static void take_down(stand *s)
{
    kane_work_free(s->work);
    kane_model_free(s->model);
}

// Force on the body by all elements, vehicle axes; and no relative motion in any of them.
static kane_vec3 carried(const stand *s, int count)
{
    kane_vec3 sum = kv3_zero();
    for (int e = 0; e < count; e++) {
        kane_wrench on_b;
        kane_relative r;
        kane_get_element(s->model, s->work, e, &on_b, &r);
        check_vec3(r.d, kv3_zero(), 1e-14);
        check_vec3(r.phi, kv3_zero(), 1e-14);
        check_vec3(on_b.force, kane_model_static_load(s->model, e), 1e-11);
        sum = kv3_add(sum, km3_mulv(s->elements[e].axes, on_b.force));
    }
    return sum;
}

CHECK_TEST(turned_axes_carry_the_weight_by_components)
{
    const kane_mat3 axes = kane_matrix_from_angles(0.4, -0.3, 0.2);
    const kane_vec3 a = {0.0, 0.0, 0.2}, b = {0.0, 0.0, 0.7};
    stand s = {.elements = {hang("one", &kane_law_bushing, &bushing, a, b, axes, 0)}};
    put_up(&s, 1);
    check_vec3(kane_model_static_load(s.model, 0), km3_tmulv(axes, kv3(0.0, 0.0, mass * g)), 1e-10);
    check_vec3(carried(&s, 1), kv3(0.0, 0.0, mass * g), 1e-10);

    kane_wrench on_b;
    kane_relative r;
    kane_get_element(s.model, s.work, 0, &on_b, &r);
    check_vec3(r.d0, km3_tmulv(axes, kv3_sub(b, a)), 1e-15);
    take_down(&s);
}

static kane_vec3 mirror(kane_vec3 a)
{
    return kv3(a.x, -a.y, a.z);
}

// Left and right, the right one as the mirror image of the left: so are their loads.
CHECK_TEST(a_mirrored_pair_shares_the_weight)
{
    const kane_mat3 left = kane_matrix_from_angles(0.4, -0.3, 0.2), right = kane_matrix_from_angles(-0.4, 0.3, 0.2);
    stand s = {
        .elements = {hang("left", &kane_law_bushing, &bushing, kv3(0.0, 0.8, 0.5), kv3(0.0, 0.9, 0.7), left, 0),
                     hang("right", &kane_law_bushing, &bushing, kv3(0.0, -0.8, 0.5), kv3(0.0, -0.9, 0.7), right, 1)}};
    kane_wrench on_b[2];
    kane_relative r[2];
    put_up(&s, 2);
    check_vec3(carried(&s, 2), kv3(0.0, 0.0, mass * g), 1e-10);
    for (int e = 0; e < 2; e++)
        kane_get_element(s.model, s.work, e, &on_b[e], &r[e]);
    check_vec3(r[0].d0, mirror(r[1].d0), 1e-15);
    check_vec3(on_b[0].force, mirror(on_b[1].force), 1e-9);
    check_near(kv3_dot(kv3_unit(2), km3_mulv(left, on_b[0].force)), 0.5 * mass * g, 1e-9);
    take_down(&s);
}

// Four inclined springs with a bushing that carries what they cannot: each spring pulls along its line.
CHECK_TEST(springs_carry_along_their_lines)
{
    const kane_mat3 axes = km3_identity();
    stand s              = {.elements = {hang("a", &kane_law_spring, &spring, kv3(1, 1, 2), kv3(0.5, 0.5, 1), axes, 0),
                                         hang("b", &kane_law_spring, &spring, kv3(1, -1, 2), kv3(0.5, -0.5, 1), axes, 0),
                                         hang("c", &kane_law_spring, &spring, kv3(-1, 1, 2), kv3(-0.5, 0.5, 1), axes, 0),
                                         hang("d", &kane_law_spring, &spring, kv3(-1, -1, 2), kv3(-0.5, -0.5, 1), axes, 0)}};
    put_up(&s, 4);
    check_vec3(carried(&s, 4), kv3(0.0, 0.0, mass * g), 1e-10);
    for (int e = 0; e < 4; e++) { // a quarter of the weight each, along (1, 1, 2)/sqrt(6)
        const kane_vec3 load = kane_model_static_load(s.model, e);
        check_near(load.z, 0.25 * mass * g, 1e-10);
        check_near(fabs(load.x), 0.125 * mass * g, 1e-10);
        check_near(kv3_norm(load), 0.25 * mass * g * sqrt(6.0) / 2.0, 1e-10);
    }
    take_down(&s);
}

// Free to move in the plane only, pushed at a point beside its mass centre: what is removed takes weight and moments.
CHECK_TEST(removed_freedoms_take_what_is_left)
{
    const kane_vec3 push = {10.0, 20.0, 30.0}, at = {0.1, 0.2, 1.3}, arm = {0.1, 0.2, 0.3};
    const kane_element_definition element = {.block      = {"push", NULL},
                                             .law        = &kane_law_bushing,
                                             .parameters = &bushing,
                                             .between    = {"track", "body"},
                                             .at         = {at, at},
                                             .axes       = km3_identity(),
                                             .preload    = KANE_PRELOAD_GIVEN,
                                             .load       = push};
    const kane_body_definition body       = {.block    = {"body", NULL},
                                             .mass     = mass,
                                             .inertia  = {20, 30, 40},
                                             .position = {0.0, 0.0, 1.0},
                                             .dof      = KANE_DOF(KANE_X)};
    const kane_vehicle_definition vehicle = {
        .name = "stand", .gravity = g, .body_count = 1, .bodies = &body, .element_count = 1, .elements = &element};
    const kane_drive_definition drive = kane_drive_definition_default();
    const kane_model_options options  = kane_model_options_default();
    CHECK_ERRORS errors               = {0};
    double y[16], ydot[16];
    kane_model *model = kane_model_create(&vehicle, NULL, &drive, &options, &errors);
    if (!model) // along x it cannot rest, and says so
        assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "'body' cannot rest: 10 N"));
    kane_model_free(model);

    // held in x too, everything is taken
    const kane_body_definition held = {
        .block = {"body", NULL}, .mass = mass, .inertia = {20, 30, 40}, .position = {0.0, 0.0, 1.0}, .dof = 0};
    kane_vehicle_definition fixed = vehicle;
    fixed.bodies                  = &held;
    kane_errors_free(&errors);
    model = kane_model_create(&fixed, NULL, &drive, &options, &errors);
    check_no_errors(&errors);
    kane_work *work = kane_work_create(model, &errors);
    assert_int_equal(kane_initial_state(model, work, y, &errors), KANE_OK);
    assert_int_equal(kane_eval(model, work, 0.0, y, ydot), KANE_OK);
    kane_observe(model, work);
    const kane_vec3 moment = kv3_cross(arm, push);
    check_near(kane_get_reaction(model, work, 0, KANE_X), -push.x, 1e-12);
    check_near(kane_get_reaction(model, work, 0, KANE_Y), -push.y, 1e-12);
    check_near(kane_get_reaction(model, work, 0, KANE_Z), mass * g - push.z, 1e-9);
    check_near(kane_get_reaction(model, work, 0, KANE_YAW), -moment.z, 1e-12);
    check_near(kane_get_reaction(model, work, 0, KANE_ROLL), -moment.x, 1e-12);
    check_near(kane_get_reaction(model, work, 0, KANE_PITCH), -moment.y, 1e-12);
    kane_work_free(work);
    kane_model_free(model);
}

CHECK_MAIN(NULL, NULL)
