// SPDX-License-Identifier: MIT
// What constraints join: clusters and runs, starts that hold, and constraints that contradict or repeat each other.

#include "allocation.h"

#include "unit/model/joined.h"

// A four-bar: crank 1 m, coupler 2 m, rocker 1.5 m, ground 2 m along x; drawn straight, its bars beside each other.
typedef struct four_bar {
    kane_joint_definition joint[3];
    kane_start_definition start[3];
    kane_body_definition bodies[4];
    kane_constraint_definition constraints[3];
    kane_vehicle_definition d;
} four_bar;

// z of the joint along y of the drawing
static const kane_mat3 along_y = {{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};

static kane_attachment hinge_at(double x)
{
    return (kane_attachment){.at = {x, 0.0, 0.0}, .axes = along_y};
}

// The same with hinges about -y, and their axes turned: then links have axes of their own.
static void turn_back(four_bar *m)
{
    const kane_mat3 along_back = {{1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.0, -1.0, 0.0}};
    for (int i = 0; i < 3; i++) {
        m->joint[i].from.axes = m->joint[i].to.axes = km3_turn_z(along_back, sin(0.7 + i), cos(0.7 + i));
        m->start[i].q[0] *= -1.0;
        m->start[i].rate[0] *= -1.0;
    }
}

static void begin(four_bar *m)
{
    *m = (four_bar){0};
    for (int i = 0; i < 3; i++)
        m->joint[i] = (kane_joint_definition){.kind = KANE_JOINT_REVOLUTE};
    m->joint[0].from = m->joint[0].to = hinge_at(0.0);
    m->joint[1].parent                = "crank";
    m->joint[1].from = m->joint[1].to = hinge_at(1.0);
    m->joint[2].from = m->joint[2].to = hinge_at(2.0);
    m->bodies[0]                      = joined_body("crank", kv3(0.5, 0.0, 0.0), &m->joint[0]);
    m->bodies[1]                      = joined_body("alone", kv3(9.0, 0.0, 0.0), NULL);
    m->bodies[2]                      = joined_body("coupler", kv3(2.0, 0.0, 0.0), &m->joint[1]);
    m->bodies[3]                      = joined_body("rocker", kv3(2.75, 0.0, 0.0), &m->joint[2]);
    m->constraints[0]                 = (kane_constraint_definition){.block   = {"pin", NULL},
                                                                     .kind    = KANE_CONSTRAINT_SPHERICAL,
                                                                     .between = {"coupler", "rocker"},
                                                                     .at      = {hinge_at(3.0), hinge_at(3.5)}};
    m->bodies[0].start                = &m->start[0];
    m->bodies[2].start                = &m->start[1];
    m->bodies[3].start                = &m->start[2];
    m->start[0].q[0]                  = -1.5707963267948966; // crank upright
    m->start[0].held_q                = 1;
    m->start[0].rate[0]               = 2.0;
    m->start[0].held_rate             = 1;
    m->start[1].q[0]                  = 1.2; // roughly
    m->start[2].q[0]                  = -1.2;
    m->d                              = (kane_vehicle_definition){
                                     .name = "four-bar", .body_count = 4, .bodies = m->bodies, .constraint_count = 1, .constraints = m->constraints};
}

CHECK_TEST(a_loop_is_a_cluster)
{
    four_bar m;
    begin(&m);
    CHECK_OWNED(kane_model) *model = joined_model(&m.d);
    const kane_cluster *cluster    = &model->clusters[0];
    assert_int_equal(model->cluster_count, 1);
    assert_int_equal(model->tree_count, 1); // of the one that stands alone
    assert_int_equal(cluster->link_count, 3);
    assert_int_equal(cluster->v_count, 3);
    assert_int_equal(cluster->rank, 2); // of three rows: the one along the hinges says nothing
    assert_int_equal(cluster->u_count, 1);
    assert_int_equal(kane_model_dof_count(model), 7);
    assert_int_equal(kane_model_state_count(model), 3 + 6 + 7);
    assert_int_equal(model->bodies[1].u, 9);
    assert_int_equal(model->cluster_u[0], 15);
    assert_int_equal(model->bodies[0].u, 15);
    assert_int_equal(model->bodies[0].u_count, 0);
}

// The closed position by geometry: B = (0, 1), C on the circles about B (2 m) and about (2, 0) (1.5 m).
CHECK_TEST(the_start_is_closed)
{
    four_bar m;
    for (double sense = 1.0; sense > -2.0; sense -= 2.0) {
        begin(&m);
        if (sense < 0.0)
            turn_back(&m);
        CHECK_OWNED(kane_model) *model = joined_model(&m.d);
        double q[3], v[3];
        for (int i = 0; i < 3; i++) {
            static const int body[] = {0, 2, 3};
            const kane_link *link   = &model->tree.links[model->bodies[body[i]].link];
            assert_int_equal(link->body_turned, sense < 0.0);
            q[i] = sense * model->start_q[link->q];
            v[i] = sense * model->start_v[link->v];
        }
        check_near(q[0], -1.5707963267948966, 0.0);
        check_near(v[0], 2.0, 0.0);
        // turns about y: x along (cos, -sin) in (x, z)
        const double crank = q[0], coupler = q[0] + q[1], rocker = q[2];
        check_near(cos(crank) + 2.0 * cos(coupler), 2.0 + 1.5 * cos(rocker), 1e-12);
        check_near(-sin(crank) - 2.0 * sin(coupler), -1.5 * sin(rocker), 1e-12);
        const double w_coupler = v[0] + v[1];
        check_near(-sin(crank) * v[0] - 2.0 * sin(coupler) * w_coupler, -1.5 * sin(rocker) * v[2], 1e-12);
        check_near(-cos(crank) * v[0] - 2.0 * cos(coupler) * w_coupler, -1.5 * cos(rocker) * v[2], 1e-12);
    }
}

CHECK_TEST(redundant_constraints_are_named)
{
    four_bar m;
    begin(&m);
    m.constraints[1]               = m.constraints[0];
    m.constraints[1].block         = (kane_block){"second pin", NULL};
    m.d.constraint_count           = 2;
    CHECK_OWNED(kane_model) *model = joined_model(&m.d);
    assert_int_equal(model->clusters[0].rank, 2);
    assert_int_equal(kane_model_redundant_count(model), 2); // the row along the hinges, and one of the two pins
    assert_string_equal(kane_model_redundant_name(model, 0), "pin");
    assert_string_equal(kane_model_redundant_name(model, 1), "second pin");
    assert_null(kane_model_redundant_name(model, 2));
}

static void expect(const four_bar *m, const char *beginning)
{
    CHECK_ERRORS errors = {0};
    kane_model *model   = joined_try(&m->d, &errors);
    assert_null(model);
    for (int i = 0; i < errors.count; i++)
        if (strncmp(kane_errors_get(&errors, i)->text, beginning, strlen(beginning)) != 0)
            print_error("%s\n", kane_errors_get(&errors, i)->text);
    assert_int_equal(errors.count, 1);
    assert_int_equal(strncmp(kane_errors_get(&errors, 0)->text, beginning, strlen(beginning)), 0);
}

CHECK_TEST(loops_that_cannot_close)
{
    four_bar m;
    begin(&m); // a rod too short to reach
    m.constraints[1]     = (kane_constraint_definition){.block   = {"rod", NULL},
                                                        .kind    = KANE_CONSTRAINT_DISTANCE,
                                                        .between = {NULL, "crank"},
                                                        .at      = {hinge_at(-5.0), hinge_at(1.0)},
                                                        .length  = 1.0};
    m.d.constraint_count = 2;
    expect(&m, "no position and no speeds near the start satisfy 'rod': ");

    begin(&m); // a coordinate that is held where the loop does not close
    m.start[2].held_q = 1;
    m.start[2].q[0]   = 1.2;
    expect(&m, "no position and no speeds near the start satisfy 'pin': ");

    begin(&m); // two gears of different ratio
    const kane_term_definition a[] = {{"crank", NULL, 1.0}, {"rocker", NULL, 1.0}};
    const kane_term_definition b[] = {{"crank", NULL, 1.0}, {"rocker", NULL, 1.0}};
    m.constraints[0]               = (kane_constraint_definition){
                      .block = {"gear", NULL}, .kind = KANE_CONSTRAINT_LINEAR, .term_count = 2, .terms = a};
    m.constraints[1] = (kane_constraint_definition){
        .block = {"other gear", NULL}, .kind = KANE_CONSTRAINT_LINEAR, .term_count = 2, .terms = b, .offset = 0.5};
    m.d.constraint_count = 2;
    expect(&m, "no position and no speeds near the start satisfy 'gear' and 'other gear' together: 0.25 is left open");
}

CHECK_TEST(closed_forms_must_be_ones)
{
    four_bar m;
    begin(&m);
    m.constraints[0].kind   = KANE_CONSTRAINT_SPHERICAL;
    m.constraints[0].closed = KANE_CLOSED_FOUR_BAR;
    kane_model_free(joined_model(&m.d));
    m.constraints[0].closed = KANE_CLOSED_SLIDER_CRANK;
    expect(&m, "the loop of 'pin' ");
}

// A cluster of two trees beside a tree of its own; a lone body in a relation becomes a link.
CHECK_TEST(relations_join_trees)
{
    four_bar m;
    begin(&m);
    const kane_term_definition terms[] = {{"crank", NULL, 1.0}, {"alone", "x", 0.5}};
    m.constraints[0]                   = (kane_constraint_definition){
                          .block = {"rack", NULL}, .kind = KANE_CONSTRAINT_LINEAR, .term_count = 2, .terms = terms, .offset = 4.5};
    m.start[0]                     = (kane_start_definition){0};
    CHECK_OWNED(kane_model) *model = joined_model(&m.d);
    assert_int_equal(model->cluster_count, 1);
    assert_int_equal(model->clusters[0].link_count, 3); // crank and coupler, alone
    assert_int_equal(model->clusters[0].u_count, 7);
    assert_int_equal(model->tree_count, 1); // rocker
    assert_int_equal(kane_model_dof_count(model), 8);
}

CHECK_TEST(wherever_memory_runs_out_nothing_is_lost)
{
    const kane_drive_definition drive = kane_drive_definition_default();
    const kane_model_options options  = kane_model_options_default();
    four_bar m;
    int k = 1;
    begin(&m);
    m.constraints[1]       = m.constraints[0];
    m.constraints[1].block = (kane_block){"second pin", NULL};
    m.d.constraint_count   = 2;
    for (;; k++) {
        CHECK_ERRORS errors = {0};
        allocation_fail_at(k);
        kane_model *model = kane_model_create(&m.d, NULL, &drive, &options, &errors);
        const int failed  = allocation_stop();
        if (!model) // a step of the assembly that had no memory may be taken by another one
            assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_NO_MEMORY);
        kane_model_free(model);
        if (!failed)
            break;
    }
    assert_true(k > 10);
}

CHECK_MAIN(NULL, NULL)
