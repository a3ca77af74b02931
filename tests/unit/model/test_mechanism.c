// SPDX-License-Identifier: MIT
// What joints become: links in topological order, their steps, seats, axes and inertias.

#include "unit/model/joined.h"

// One body on a joint to the frame.
static kane_model *hang(const kane_joint_definition *joint)
{
    const kane_body_definition body = joined_body("body", kv3(1.0, 2.0, 3.0), joint);
    return joined_model(&(kane_vehicle_definition){.name = "one", .body_count = 1, .bodies = &body});
}

static void check_steps(const kane_link *link, int count, const int *axes, int slides)
{
    assert_int_equal(link->kind, KANE_LINK_STEPS);
    assert_int_equal(link->step_count, count);
    assert_int_equal(link->slide_count, slides);
    assert_int_equal(link->q_count, count);
    assert_int_equal(link->v_count, count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(link->step[i].axis, axes[i]);
        assert_int_equal(link->step[i].mode, KANE_STEP_FREE);
        assert_int_equal(link->step[i].q, link->q + i);
        assert_int_equal(link->step[i].v, link->v + i);
    }
}

CHECK_TEST(every_kind_has_its_steps)
{
    static const struct {
        kane_joint_kind kind;
        unsigned dof;
        const char *rotation;
        int count, slides, axes[6];
    } kinds[] = {
        {KANE_JOINT_REVOLUTE, 0, NULL, 1, 0, {2}},
        {KANE_JOINT_PRISMATIC, 0, NULL, 1, 1, {2}},
        {KANE_JOINT_CYLINDRICAL, 0, NULL, 2, 1, {2, 2}},
        {KANE_JOINT_UNIVERSAL, 0, NULL, 2, 0, {0, 1}},
        {KANE_JOINT_PLANAR, 0, NULL, 3, 2, {0, 1, 2}},
        {KANE_JOINT_WELD, 0, NULL, 0, 0, {0}},
        {KANE_JOINT_FREE, KANE_DOF(KANE_Y) | KANE_DOF(KANE_YAW) | KANE_DOF(KANE_PITCH), "yxz", 3, 1, {1, 1, 2}},
        {KANE_JOINT_FREE, KANE_ALL_DOF & ~KANE_DOF(KANE_X), NULL, 5, 2, {1, 2, 2, 0, 1}},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        kane_joint_definition joint = joined_by(kinds[i].kind, NULL, kv3(1.0, 2.0, 2.5));
        joint.dof                   = kinds[i].dof;
        joint.rotation              = kinds[i].rotation;
        // a second body that moves, so that a weld is not all there is
        const kane_joint_definition hinge   = joined_by(KANE_JOINT_REVOLUTE, "body", kv3_zero());
        const kane_body_definition bodies[] = {joined_body("body", kv3(1.0, 2.0, 3.0), &joint),
                                               joined_body("second", kv3(1.0, 2.0, 4.0), &hinge)};
        CHECK_OWNED(kane_model) *model =
            joined_model(&(kane_vehicle_definition){.name = "two", .body_count = 2, .bodies = bodies});
        const kane_link *link = &model->tree.links[0];
        check_steps(link, kinds[i].count, kinds[i].axes, kinds[i].slides);
        assert_int_equal(kane_joint_coordinate_count(&joint), kinds[i].count);
        assert_int_equal(link->turned + link->body_turned, 0);
        check_vec3(link->seat, kv3(1.0, 2.0, 2.5), 0.0);
        check_vec3(link->c, kv3(0.0, 0.0, 0.5), 0.0);
        check_vec3(link->at, kv3_zero(), 0.0);
        assert_int_equal(kane_model_state_count(model), 2 * (kinds[i].count + 1));
    }
}

CHECK_TEST(a_ball_has_euler_parameters)
{
    const kane_joint_definition joint = joined_by(KANE_JOINT_SPHERICAL, NULL, kv3(1.0, 2.0, 2.5));
    CHECK_OWNED(kane_model) *model    = hang(&joint);
    const kane_link *link             = &model->tree.links[0];
    assert_int_equal(link->kind, KANE_LINK_BALL);
    assert_int_equal(link->q_count, 4);
    assert_int_equal(link->v_count, 3);
    check_near(model->start_q[0], 1.0, 0.0);
    assert_int_equal(kane_model_state_count(model), 7);
    assert_int_equal(kane_model_dof_count(model), 3);
}

CHECK_TEST(six_freedoms_are_a_body_about_its_mass_centre)
{
    kane_joint_definition joint    = joined_by(KANE_JOINT_FREE, NULL, kv3(1.5, 2.0, 2.5));
    joint.dof                      = KANE_ALL_DOF;
    joint.rotation                 = "yxz";
    joint.to.axes                  = joined_turned(0.1, 0.2, 0.3);
    CHECK_OWNED(kane_model) *model = hang(&joint);
    const kane_link *link          = &model->tree.links[0];
    assert_int_equal(link->kind, KANE_LINK_BODY);
    assert_int_equal(link->step_count, 6);
    static const int axes[] = {0, 1, 2, 1, 0, 2};
    for (int i = 0; i < 6; i++)
        assert_int_equal(link->step[i].axis, axes[i]);
    check_vec3(link->c, kv3_zero(), 0.0);
    check_vec3(link->at, km3_tmulv(joint.to.axes, kv3(0.5, 0.0, -0.5)), 1e-15);
    check_mat3(link->body_R, km3_transpose(joint.to.axes), 1e-15);
    assert_int_equal(link->body_turned, 1);
    assert_int_equal(link->turned, 0);

    // J about the mass centre in link axes, and its inverse
    const double *J = link->J, *I = link->J_inverse;
    const kane_mat3 full = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
    const kane_mat3 back = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    const kane_mat3 own  = {{0.3, 0.01, -0.02}, {0.01, 0.4, 0.03}, {-0.02, 0.03, 0.5}};
    check_mat3(full, km3_mul(km3_tmul(joint.to.axes, own), joint.to.axes), 1e-15);
    check_mat3(km3_mul(full, back), km3_identity(), 1e-15);
}

// Inertia about the joint: J_C + m (|c|^2 E - c c').
CHECK_TEST(inertia_is_about_the_joint)
{
    const kane_joint_definition joint = joined_by(KANE_JOINT_REVOLUTE, NULL, kv3(0.9, 1.8, 2.7));
    CHECK_OWNED(kane_model) *model    = hang(&joint);
    const kane_link *link             = &model->tree.links[0];
    check_vec3(link->c, kv3(0.1, 0.2, 0.3), 1e-15);
    const double expected[] = {0.3 + 2.0 * 0.13,  0.4 + 2.0 * 0.10,   0.5 + 2.0 * 0.05,
                               0.01 - 2.0 * 0.02, -0.02 - 2.0 * 0.03, 0.03 - 2.0 * 0.06};
    for (int i = 0; i < 6; i++)
        check_near(link->J[i], expected[i], 1e-15);
}

// Axes of the joint's markers: +z along the body's x, y or z renames the step and turns nothing; other directions turn.
CHECK_TEST(axes_are_the_bodys_own_where_they_can)
{
    const kane_mat3 y_axis      = {{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};  // z of the joint along y
    const kane_mat3 y_back      = {{1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.0, -1.0, 0.0}}; // along -y
    const kane_mat3 askew       = joined_turned(0.4, 0.5, 0.6);
    kane_joint_definition joint = joined_by(KANE_JOINT_CYLINDRICAL, NULL, kv3(1.0, 2.0, 2.5));

    joint.from.axes = joint.to.axes = y_axis;
    kane_model *model               = hang(&joint);
    check_steps(&model->tree.links[0], 2, (int[]){1, 1}, 1);
    assert_int_equal(model->tree.links[0].turned + model->tree.links[0].body_turned, 0);
    kane_model_free(model);

    // the same turned about the joint's own axis on the body: only the seat turns
    joint.to.axes = km3_turn_z(y_axis, sin(0.7), cos(0.7));
    model         = hang(&joint);
    check_steps(&model->tree.links[0], 2, (int[]){1, 1}, 1);
    assert_int_equal(model->tree.links[0].body_turned, 0);
    check_mat3(model->tree.links[0].seat_R, km3_turn_y(km3_identity(), sin(-0.7), cos(-0.7)), 1e-15);
    kane_model_free(model);

    // the sense matters
    joint.from.axes = joint.to.axes = y_back;
    model                           = hang(&joint);
    check_steps(&model->tree.links[0], 2, (int[]){2, 2}, 1);
    check_mat3(model->tree.links[0].seat_R, y_back, 0.0);
    check_mat3(model->tree.links[0].body_R, km3_transpose(y_back), 0.0);
    kane_model_free(model);

    // askew in the body, straight in the frame
    joint.from.axes = km3_identity();
    joint.to.axes   = askew;
    model           = hang(&joint);
    check_steps(&model->tree.links[0], 2, (int[]){2, 2}, 1);
    assert_int_equal(model->tree.links[0].turned, 0);
    check_mat3(model->tree.links[0].body_R, km3_transpose(askew), 1e-15);
    kane_model_free(model);
}

// Whatever axes a link has been given: its mass centre and body axes for given coordinates are those of
// A_from R(coordinates) A_to' about the joint.
CHECK_TEST(renamed_axes_change_nothing)
{
    static const kane_joint_kind kinds[] = {KANE_JOINT_REVOLUTE, KANE_JOINT_CYLINDRICAL, KANE_JOINT_UNIVERSAL,
                                            KANE_JOINT_PLANAR, KANE_JOINT_FREE};
    const kane_mat3 cyclic               = {{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}};
    const kane_mat3 axes[] = {km3_identity(), cyclic, km3_transpose(cyclic), joined_turned(0.5, -0.4, 0.9)};
    for (int n = 0; n < 5 * 16; n++) {
        kane_joint_definition joint = joined_by(kinds[n / 16], NULL, kv3(1.0, 2.0, 2.5));
        joint.from.axes             = axes[n / 4 % 4];
        joint.to.axes               = axes[n % 4];
        joint.to.at                 = kv3(0.8, 2.1, 2.6);
        joint.dof                   = joint.kind == KANE_JOINT_FREE ? 62 : 0;
        joint.rotation              = joint.kind == KANE_JOINT_FREE ? "xzy" : NULL;
        kane_start_definition start = {.q = {0.3, -0.4, 0.5, 0.6, -0.7}};
        for (int k = kane_joint_coordinate_count(&joint); k < KANE_JOINT_COORDINATES; k++)
            start.q[k] = 0.0;
        kane_body_definition body = joined_body("body", kv3(1.0, 2.0, 3.0), &joint);
        body.start                = &start;
        CHECK_OWNED(kane_model) *model =
            joined_model(&(kane_vehicle_definition){.name = "one", .body_count = 1, .bodies = &body});

        kane_mat3 R     = km3_identity();
        kane_vec3 d     = kv3_zero();
        const double *q = start.q;
        switch (joint.kind) {
        case KANE_JOINT_REVOLUTE: R = km3_turn_z(R, sin(q[0]), cos(q[0])); break;
        case KANE_JOINT_CYLINDRICAL:
            d = kv3(0.0, 0.0, q[0]);
            R = km3_turn_z(R, sin(q[1]), cos(q[1]));
            break;
        case KANE_JOINT_UNIVERSAL:
            R = km3_turn_x(R, sin(q[0]), cos(q[0]));
            R = km3_turn_y(R, sin(q[1]), cos(q[1]));
            break;
        case KANE_JOINT_PLANAR:
            d = kv3(q[0], q[1], 0.0);
            R = km3_turn_z(R, sin(q[2]), cos(q[2]));
            break;
        default: // all but x, turns about x, z, y
            d = kv3(0.0, q[0], q[1]);
            R = km3_turn_x(R, sin(q[2]), cos(q[2]));
            R = km3_turn_z(R, sin(q[3]), cos(q[3]));
            R = km3_turn_y(R, sin(q[4]), cos(q[4]));
            break;
        }
        const kane_mat3 body_R  = km3_mul(km3_mul(joint.from.axes, R), km3_transpose(joint.to.axes));
        const kane_vec3 joint_r = kv3_add(joint.from.at, km3_mulv(joint.from.axes, d));
        const kane_vec3 centre  = kv3_add(joint_r, km3_mulv(body_R, kv3_sub(body.position, joint.to.at)));

        kane_tree_work work;
        CHECK_OWNED(kane_arena) *arena = kane_arena_create();
        assert_true(kane_tree_work_create(&model->tree, arena, &work));
        for (int k = 0; k < model->tree.q_count; k++)
            work.q[k] = model->start_q[k];
        kane_tree_place(&model->tree, (kane_links){0, 1}, &work);
        const kane_link *link     = &model->tree.links[0];
        const kane_link_state *at = &work.link[0];
        check_vec3(kv3_add(at->r, km3_mulv(at->R, link->c)), centre, 1e-14);
        check_mat3(km3_mul(at->R, link->body_R), body_R, 1e-14);
    }
}

// Bodies in any order in the definition; parents come first, trees in one piece.
CHECK_TEST(order_is_that_of_the_tree)
{
    const kane_joint_definition on_a    = joined_by(KANE_JOINT_REVOLUTE, "a", kv3_zero());
    const kane_joint_definition on_b    = joined_by(KANE_JOINT_REVOLUTE, "b", kv3_zero());
    const kane_joint_definition on_f    = joined_by(KANE_JOINT_REVOLUTE, NULL, kv3_zero());
    const kane_body_definition bodies[] = {
        joined_body("c", kv3(3.0, 0.0, 0.0), &on_b), joined_body("alone", kv3(9.0, 0.0, 0.0), NULL),
        joined_body("b", kv3(2.0, 0.0, 0.0), &on_a), joined_body("other", kv3(8.0, 0.0, 0.0), &on_f),
        joined_body("a", kv3(1.0, 0.0, 0.0), NULL)};
    CHECK_OWNED(kane_model) *model =
        joined_model(&(kane_vehicle_definition){.name = "five", .body_count = 5, .bodies = bodies});
    static const char *const order[] = {"alone", "other", "a", "b", "c"};
    static const int parents[]       = {-1, -1, -1, 2, 3};
    assert_int_equal(model->tree.link_count, 5);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(model->tree.links[i].name, order[i]);
        assert_int_equal(model->tree.links[i].parent, parents[i]);
        assert_int_equal(model->bodies[model->link_body[i]].link, i);
    }
    static const int ends[] = {1, 2, 5};
    assert_int_equal(model->tree_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(model->trees[i].first, i > 0 ? ends[i - 1] : 0);
        assert_int_equal(model->trees[i].end, ends[i]);
    }

    // a is free in the frame: its coordinates as those of any body
    const kane_link *a = &model->tree.links[2];
    assert_int_equal(a->kind, KANE_LINK_BODY);
    assert_int_equal(a->coupled, 1);
    check_near(model->start_q[a->q], 1.0, 0.0);
    static const int axes[] = {0, 1, 2, 2, 0, 1};
    for (int i = 0; i < 6; i++)
        assert_int_equal(a->step[i].axis, axes[i]);

    // y: coordinates of all bodies in their order, then speeds
    static const int q[] = {0, 1, 7, 8, 9}, u[] = {15, 16, 22, 23, 24};
    for (int j = 0; j < 5; j++) {
        assert_int_equal(model->bodies[j].q, q[j]);
        assert_int_equal(model->bodies[j].u, u[j]);
    }
    assert_int_equal(model->bodies[1].is_free_body, 1);
    assert_int_equal(kane_model_state_count(model), 30);
}

// Freedoms that were removed are coordinates that stay.
CHECK_TEST(removed_freedoms_of_a_root_are_held)
{
    const kane_joint_definition hinge = joined_by(KANE_JOINT_REVOLUTE, "root", kv3_zero());
    kane_body_definition bodies[]     = {joined_body("root", kv3(1.0, 2.0, 3.0), NULL),
                                         joined_body("arm", kv3(1.0, 2.0, 4.0), &hinge)};
    bodies[0].dof                     = KANE_ALL_DOF & ~(KANE_DOF(KANE_X) | KANE_DOF(KANE_ROLL));
    CHECK_OWNED(kane_model) *model =
        joined_model(&(kane_vehicle_definition){.name = "two", .body_count = 2, .bodies = bodies});
    const kane_link *root = &model->tree.links[0];
    assert_int_equal(root->kind, KANE_LINK_STEPS);
    assert_int_equal(root->q_count, 6);
    assert_int_equal(root->v_count, 4);
    static const int axes[] = {0, 1, 2, 2, 0, 1}, v[] = {-1, 0, 1, 2, -1, 3};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(root->step[i].axis, axes[i]);
        assert_int_equal(root->step[i].mode, v[i] < 0 ? KANE_STEP_HELD : KANE_STEP_FREE);
        assert_int_equal(root->step[i].v, v[i]);
    }
    check_vec3(kv3(model->start_q[0], model->start_q[1], model->start_q[2]), kv3(1.0, 2.0, 3.0), 0.0);
}

// A motion over time takes a coordinate's freedom; free joints with motions are steps.
CHECK_TEST(motions_are_given_steps)
{
    const double rate[]            = {0.25, 2.0};
    kane_motion_definition motion  = {.coordinate = 4,
                                      .function = {.kind = KANE_FUNCTION_POLYNOMIAL, .count = 2, .coefficients = rate}};
    kane_joint_definition joint    = joined_by(KANE_JOINT_FREE, NULL, kv3_zero());
    joint.dof                      = KANE_ALL_DOF;
    joint.motion_count             = 1;
    joint.motions                  = &motion;
    CHECK_OWNED(kane_model) *model = hang(&joint);
    const kane_link *link          = &model->tree.links[0];
    assert_int_equal(link->kind, KANE_LINK_STEPS);
    assert_int_equal(link->v_count, 5);
    assert_int_equal(link->step[4].mode, KANE_STEP_GIVEN);
    assert_int_equal(link->step[4].v, -1);
    assert_int_equal(link->step[5].v, link->v + 4);
    check_near(model->start_q[4], 0.25, 0.0);
}

// Rates at the start: of steps themselves, of a ball in the body's axes, of a body about its joint point.
CHECK_TEST(starts_are_rates_of_coordinates)
{
    const kane_start_definition start = {.q = {0.0}, .rate = {1.0, 2.0, 3.0}};
    kane_joint_definition ball        = joined_by(KANE_JOINT_SPHERICAL, NULL, kv3_zero());
    ball.from.axes = ball.to.axes   = joined_turned(0.3, 0.2, 0.1);
    kane_body_definition body       = joined_body("body", kv3(1.0, 2.0, 3.0), &ball);
    body.start                      = &start;
    const kane_vehicle_definition d = {.name = "one", .body_count = 1, .bodies = &body};
    kane_model *model               = joined_model(&d);
    check_vec3(kv3(model->start_v[0], model->start_v[1], model->start_v[2]),
               km3_tmulv(ball.to.axes, kv3(1.0, 2.0, 3.0)), 1e-15);
    kane_model_free(model);

    // turning about a joint point below the mass centre moves it
    const kane_start_definition spin = {.rate = {0.5, 0.0, 0.0, 0.0, 2.0, 0.0}};
    kane_joint_definition six        = joined_by(KANE_JOINT_FREE, NULL, kv3(1.0, 2.0, 2.0));
    six.dof                          = KANE_ALL_DOF;
    body.joint                       = &six;
    body.start                       = &spin;
    model                            = joined_model(&d);
    check_vec3(kv3(model->start_v[0], model->start_v[1], model->start_v[2]), kv3(0.5, -2.0, 0.0), 1e-15);
    check_vec3(kv3(model->start_v[3], model->start_v[4], model->start_v[5]), kv3(2.0, 0.0, 0.0), 1e-15);
    kane_model_free(model);
}

// Markers given relative to each other, on other bodies and turned.
CHECK_TEST(markers_follow_their_chains)
{
    const kane_mat3 quarter                = km3_turn_z(km3_identity(), 1.0, 0.0);
    const kane_marker_definition markers[] = {
        {.block = {"third", NULL}, .on = "body", .relative = "second", .position = {1.0, 0.0, 0.0}, .axes = quarter},
        {.block = {"second", NULL}, .relative = "first", .position = {0.0, 2.0, 0.0}, .axes = quarter},
        {.block = {"first", NULL}, .on = "body", .position = {5.0, 0.0, 0.0}, .axes = quarter}};
    kane_joint_definition joint     = joined_by(KANE_JOINT_REVOLUTE, NULL, kv3_zero());
    const kane_body_definition body = joined_body("body", kv3(1.0, 2.0, 3.0), &joint);
    joint.to.marker                 = "third";
    joint.from.marker               = "second";
    CHECK_OWNED(kane_model) *model  = joined_model(&(kane_vehicle_definition){
         .name = "one", .body_count = 1, .bodies = &body, .marker_count = 3, .markers = markers});
    const kane_link *link           = &model->tree.links[0];
    // first at (5, 0, 0), x along y; second 2 along its y = -x: (3, 0, 0), x along -x; third 1 along that: (2, 0, 0)
    check_vec3(link->seat, kv3(3.0, 0.0, 0.0), 1e-15);
    check_vec3(link->c, kv3(-1.0, 2.0, 3.0), 1e-15);
    check_mat3(link->seat_R, km3_turn_z(km3_identity(), -1.0, 0.0), 1e-15); // 180 - 270 degrees
}

CHECK_MAIN(NULL, NULL)
