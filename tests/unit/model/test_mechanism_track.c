// SPDX-License-Identifier: MIT
// Joined bodies on a track: whose frame they share, in both formulations, and how their wheels find the rails.

#include "unit/model/joined.h"

// A body with an arm below it, on one wheelset that is joined to it by all six freedoms.
typedef struct vehicle {
    kane_joint_definition arm, axle;
    kane_wheels_definition wheels;
    kane_body_definition bodies[3];
    kane_element_definition bushing;
    kane_vehicle_definition d;
    kane_drive_definition drive;
    kane_model_options options;
    kane_track *track;
} vehicle;

static const kane_bushing stiff = {.stiffness = {1e6, 1e6, 1e6}};

static void begin(vehicle *m)
{
    *m           = (vehicle){.wheels = kane_wheels_definition_default(), .drive = kane_drive_definition_default()};
    m->options   = kane_model_options_default();
    m->track     = model_track(1.0, KANE_CLOTHOID);
    m->arm       = joined_by(KANE_JOINT_SPHERICAL, "body", kv3(7.0, 0.0, 1.0));
    m->axle      = joined_by(KANE_JOINT_FREE, "body", kv3(7.0, 0.0, 0.6));
    m->axle.dof  = KANE_ALL_DOF;
    m->bodies[0] = (kane_body_definition){
        .block = {"arm", NULL}, .mass = 50.0, .inertia = {3, 4, 5}, .position = {7.0, 0.0, 0.5}, .joint = &m->arm};
    m->bodies[1]   = (kane_body_definition){.block    = {"wheelset", NULL},
                                            .kind     = KANE_BODY_SPINNING,
                                            .mass     = 1200.0,
                                            .inertia  = {800, 100, 800},
                                            .position = {7.0, 0.0, 0.46},
                                            .wheels   = &m->wheels,
                                            .joint    = &m->axle};
    m->bodies[2]   = (kane_body_definition){.block    = {"body", NULL},
                                            .mass     = 8000.0,
                                            .inertia  = {5000, 6000, 7000},
                                            .position = {7.0, 0.0, 1.5},
                                            .dof      = KANE_ALL_DOF};
    m->bushing     = (kane_element_definition){.block      = {"bushing", NULL},
                                               .law        = &kane_law_bushing,
                                               .parameters = &stiff,
                                               .between    = {"wheelset", "body"},
                                               .at         = {{7.0, 0.0, 0.46}, {7.0, 0.0, 0.46}}};
    m->d           = (kane_vehicle_definition){.block         = {"v", NULL},
                                               .name          = "vehicle",
                                               .guide         = "body",
                                               .gravity       = 9.81,
                                               .body_count    = 3,
                                               .bodies        = m->bodies,
                                               .element_count = 1,
                                               .elements      = &m->bushing};
    m->drive.start = 20.0;
    m->drive.speed = 15.0;
}

static kane_model *create(const vehicle *m)
{
    return CHECK_GOOD(kane_model_create, &m->d, m->track, &m->drive, &m->options);
}

static void drive_freely(vehicle *m)
{
    static const double time[] = {0.0}, value[] = {0.0};
    static const kane_actuator_definition nothing = {
        .block = {"motor", NULL}, .on = "wheelset", .point_count = 1, .time = time, .value = value};
    m->drive.kind           = KANE_DRIVE_DRIVEN;
    m->drive.actuator_count = 1;
    m->drive.actuators      = &nothing;
}

CHECK_TEST(trees_share_the_frame_of_their_root)
{
    vehicle m;
    for (int fixed = 0; fixed < 2; fixed++)
        for (int driven = 0; driven < 2; driven++) {
            begin(&m);
            m.options.formulation = fixed ? KANE_FIXED : KANE_MOVING;
            if (driven)
                drive_freely(&m);
            kane_model *model  = create(&m);
            const int in_A     = fixed && driven; // the guide of a prescribed drive has lost its x: it stays
            const kane_link *a = &model->tree.links[0];
            assert_string_equal(a->name, "body");
            assert_int_equal(a->kind, driven ? KANE_LINK_BODY : KANE_LINK_STEPS);
            assert_int_equal(a->v_count, driven ? 6 : 5);
            for (int i = 0; i < 3; i++) {
                const kane_body *body = &model->bodies[model->link_body[i]];
                const kane_link *link = &model->tree.links[i];
                assert_int_equal(body->track_frame, 0);
                assert_int_equal(body->frame, link->frame);
                assert_int_equal(model->frames[body->frame].kind, in_A ? KANE_FRAME_REST : KANE_FRAME_TRACK);
                assert_int_equal(body->absolute, fixed);
            }
            // relative to the guide's frame, whatever it is described in
            check_vec3(kv3(model->start_q[0], model->start_q[1], model->start_q[2]), kv3(0.0, 0.0, 1.5), 0.0);
            assert_int_equal(model->trees[0].end, 3);
            assert_int_equal(kane_model_dof_count(model), a->v_count + 6 + 3);
            kane_model_free(model);
            kane_track_free(m.track);
        }
}

// The wheelset stands on the rails where its wheels let it down, and rolls.
CHECK_TEST(joined_wheelsets_start_on_the_rails)
{
    vehicle m;
    kane_tree_work work;
    begin(&m); // all but the wheelset stands to the left, so that it rolls a little
    m.arm.from.at.y = m.arm.to.at.y = m.axle.from.at.y = m.axle.to.at.y = 0.1;
    m.bodies[0].position.y = m.bodies[2].position.y = m.bushing.at[0].y = m.bushing.at[1].y = 0.1;
    kane_model *model                                                                       = create(&m);
    kane_arena *arena                                                                       = kane_arena_create();
    double load[2];
    assert_true(kane_tree_work_create(&model->tree, arena, &work));
    memcpy(work.q, model->start_q, (size_t)model->tree.q_count * sizeof *work.q);
    kane_tree_place(&model->tree, (kane_links){0, 3}, &work);
    const int link            = model->bodies[1].link;
    const kane_wheels *wheels = &model->wheels[model->bodies[1].wheels];
    assert_int_equal(model->tree.links[link].is_spinning, 1);
    check_vec3(work.link[link].r, kv3(0.0, 0.0, wheels->height), 1e-15);
    assert_true(fabs(wheels->height - 0.46) > 1e-6 && fabs(wheels->roll) > 1e-7);
    check_vec3(work.link[link].R.y, kv3(0.0, cos(wheels->roll), sin(wheels->roll)), 1e-15);
    const double *v = model->start_v + model->tree.links[link].v;
    check_vec3(kv3(v[3], v[4], v[5]), kv3_scale(wheels->spin * 15.0, work.link[link].R.y), 1e-12);
    // the arm hangs in its ball joint: its weight comes through the body
    const kane_vec3 weight = km3_tmulv(work.link[link].R, kv3(0.0, 0.0, 8050.0 * 9.81));
    check_vec3(kane_model_static_load(model, 0), weight, 1e-7);
    assert_int_equal(kane_model_wheel_load(model, 1, load), KANE_OK);
    assert_true(load[0] > load[1] + 1000.0);
    check_near(load[0] + load[1], 9250.0 * 9.81, 1e-6);
    kane_arena_free(arena);
    kane_model_free(model);
    kane_track_free(m.track);
}

static void expect(const vehicle *m, const char *text)
{
    CHECK_ERRORS errors = {0};
    kane_model *model   = kane_model_create(&m->d, m->track, &m->drive, &m->options, &errors);
    assert_null(model);
    for (int i = 0; i < errors.count; i++)
        if (strcmp(kane_errors_get(&errors, i)->text, text) != 0)
            print_error("%s\n", kane_errors_get(&errors, i)->text);
    assert_int_equal(errors.count, 1);
    assert_string_equal(kane_errors_get(&errors, 0)->text, text);
    kane_track_free(m->track);
}

// The arm hangs on the axle, its hinge at a point of this.
static void hang_on_axle(vehicle *m, kane_joint_kind kind, kane_vec3 at)
{
    static const kane_mat3 left = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}; // z to the left
    m->arm                      = joined_by(kind, "wheelset", at);
    m->arm.from.axes = m->arm.to.axes = left;
}

// What hangs on an axle goes down with it, and its weight comes to the rails beside the springs.
CHECK_TEST(bodies_on_axles_weigh_on_the_rails)
{
    vehicle m;
    kane_tree_work work;
    begin(&m); // to the left, so that the wheelset rolls a little
    hang_on_axle(&m, KANE_JOINT_REVOLUTE, kv3(7.0, 0.3, 0.46));
    m.bodies[0].position.y = 0.3;
    m.bodies[1].joint      = NULL;
    m.bodies[1].dof        = KANE_ALL_DOF;
    kane_model *model      = create(&m);
    kane_arena *arena      = kane_arena_create();
    double load[2];
    assert_true(kane_tree_work_create(&model->tree, arena, &work));
    memcpy(work.q, model->start_q, (size_t)model->tree.q_count * sizeof *work.q);
    kane_tree_place(&model->tree, (kane_links){0, 3}, &work);
    const kane_link_state *axle = &work.link[model->bodies[1].link], *arm = &work.link[model->bodies[0].link];
    const kane_wheels *wheels = &model->wheels[0];
    assert_int_equal(model->tree.links[model->bodies[0].link].on_axle, 1);
    assert_true(fabs(wheels->roll) > 1e-9);
    check_vec3(kv3_sub(arm->r, axle->r), kv3_scale(0.3, axle->R.y), 1e-15);
    check_near(axle->r.z, wheels->height, 1e-15);
    check_near(kane_model_static_load(model, 0).z, 8000.0 * 9.81, 1e-6);
    assert_int_equal(kane_model_wheel_load(model, 1, load), KANE_OK);
    check_near(load[0] + load[1], 9250.0 * 9.81, 1e-6);
    check_near(load[0] - load[1], 2.0 * 50.0 * 9.81 * 0.3 / 1.5, 1.0); // about the running circles, 1.5 m apart
    // at the start it does not turn while the axle does, and so its speed is that of the axle, reversed
    const double *v = model->start_v;
    check_near(v[model->tree.links[model->bodies[0].link].v], -wheels->spin * 15.0, 1e-9);
    kane_arena_free(arena);
    kane_model_free(model);
    kane_track_free(m.track);
}

CHECK_TEST(what_cannot_hang_on_an_axle)
{
    static const char message[] =
        "'wheelset' spins, and its axes do not: what hangs on it must first turn about its axle, as an axle "
        "box on its bearing; give this joint the axis [0, 1, 0] (\"revolute\") and a point on the axle";
    static const kane_motion_definition turned = {.coordinate = 0, .function = {.kind = KANE_FUNCTION_POLYNOMIAL}};
    vehicle m;
    begin(&m);
    hang_on_axle(&m, KANE_JOINT_REVOLUTE, kv3(7.0, 0.3, 0.47));
    expect(&m, message);
    begin(&m);
    m.arm = joined_by(KANE_JOINT_REVOLUTE, "wheelset", kv3(7.0, 0.3, 0.46));
    expect(&m, message);
    begin(&m);
    hang_on_axle(&m, KANE_JOINT_PLANAR, kv3(7.0, 0.3, 0.46));
    expect(&m, message);
    begin(&m);
    hang_on_axle(&m, KANE_JOINT_WELD, kv3(7.0, 0.3, 0.46));
    expect(&m, message);
    begin(&m);
    hang_on_axle(&m, KANE_JOINT_REVOLUTE, kv3(7.0, 0.3, 0.46));
    m.arm.motion_count = 1;
    m.arm.motions      = &turned;
    expect(&m, message);
}

CHECK_TEST(what_wheels_cannot_do_on_a_joint)
{
    vehicle m;
    begin(&m);
    m.axle = joined_by(KANE_JOINT_SPHERICAL, "body", kv3(7.0, 0.0, 0.46));
    expect(
        &m,
        "'wheelset' has wheels: the last freedom of what it hangs by must be the turn about its axle, [0, 1, 0], at a "
        "point on the axle");
    begin(&m);
    m.bodies[2].joint = &m.axle;
    m.axle.parent     = NULL;
    m.bodies[1].joint = NULL;
    m.bodies[1].dof   = KANE_ALL_DOF;
    expect(&m, "'body' is the guide, which the frames go with: it must be free in its frame");
}

CHECK_MAIN(NULL, NULL)
