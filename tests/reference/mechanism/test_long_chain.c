// SPDX-License-Identifier: MIT
// IFToMM library of computational benchmarks, A02, with many loops: bars of 1 kg and 1 m. What a loop has to do with
// its neighbours alone must not cost more because there are hundreds of others: with dense matrices this test would
// take minutes.
//
// As long as all rockers are parallel they move as one pendulum: (N + 1) rockers turn, N couplers are carried,
//
//   ((N + 1)/3 + N) theta'' = -((N + 1)/2 + N) g cos(theta)

#include "models.h"

#include "agem/work.h"
#include "tree/loops_work.h"

enum { LOOPS = 300, BODIES = 2 * LOOPS + 1 };

static const double angle = 1.1, gravity = 9.81;

// x and z of the drawing; hinges about y.
static const kane_mat3 axes = {{1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.0, -1.0, 0.0}};

typedef struct chain {
    char name[BODIES][16], tip[LOOPS][16];
    kane_body_definition bodies[BODIES];
    kane_joint_definition joints[BODIES];
    kane_constraint_definition constraints[LOOPS];
    kane_start_definition start;
} chain;

static kane_vec3 foot_of(int rocker)
{
    return kv3(rocker, 0.0, 0.0);
}

static kane_vec3 tip_of(int rocker)
{
    return kv3(rocker + cos(angle), 0.0, sin(angle));
}

static void add_bar(chain *c, int body, const char *parent, kane_vec3 from, kane_vec3 to)
{
    const double J  = 1.0 / 12.0;
    c->joints[body] = (kane_joint_definition){.block  = {c->name[body], NULL},
                                              .kind   = KANE_JOINT_REVOLUTE,
                                              .parent = parent,
                                              .from   = {.at = from, .axes = axes},
                                              .to     = {.at = from, .axes = axes}};
    c->bodies[body] = (kane_body_definition){.block    = {c->name[body], NULL},
                                             .mass     = 1.0,
                                             .inertia  = {J, J, J},
                                             .position = kv3_scale(0.5, kv3_add(from, to)),
                                             .dof      = KANE_ALL_DOF,
                                             .joint    = &c->joints[body]};
}

// Rocker i is body 2 i, the coupler on it body 2 i + 1.
static kane_model *build(int loops, kane_constraint_form form, kane_constraint_kind tips)
{
    const int bodies = 2 * loops + 1;
    chain *c         = calloc(1, sizeof *c);
    CHECK_ERRORS e   = {0};
    for (int i = 0; i < bodies; i++)
        (void)snprintf(c->name[i], sizeof c->name[i], "%s %d", i % 2 ? "coupler" : "rocker", i / 2);
    for (int i = 0; i <= loops; i++) {
        add_bar(c, 2 * i, NULL, foot_of(i), tip_of(i));
        if (i < loops)
            add_bar(c, 2 * i + 1, c->name[2 * i], tip_of(i), tip_of(i + 1));
    }
    for (int k = 0; k < loops; k++) { // a file may list them in any order
        const int i              = 7 * k % loops;
        const kane_attachment at = {.at = tip_of(i + 1), .axes = axes};
        (void)snprintf(c->tip[i], sizeof c->tip[i], "tip %d", i + 1);
        c->constraints[k] = (kane_constraint_definition){.block   = {c->tip[i], NULL},
                                                         .kind    = tips,
                                                         .between = {c->name[2 * i + 1], c->name[2 * i + 2]},
                                                         .at      = {at, at}};
    }
    c->start           = (kane_start_definition){.rate = {-2.0}, .held_q = 1u, .held_rate = 1u};
    c->bodies[0].start = &c->start;

    const kane_vehicle_definition definition = {.name             = "chain",
                                                .gravity          = gravity,
                                                .body_count       = bodies,
                                                .bodies           = c->bodies,
                                                .constraint_count = loops,
                                                .constraints      = c->constraints};
    const kane_drive_definition drive        = kane_drive_definition_default();
    kane_model_options options               = kane_model_options_default();
    options.form                             = form;
    kane_model *model                        = kane_model_create(&definition, NULL, &drive, &options, &e);
    assert_non_null(model);
    free(c);
    return model;
}

// Every rocker, and every coupler against it, whatever the state.
static void check_motion(const kane_model *model, const kane_work *work, double rate, double acceleration)
{
    for (int i = 0; i < kane_model_body_count(model); i++) {
        double q, v, a;
        const double sign = i % 2 ? -1.0 : 1.0;
        assert_int_equal(kane_get_joint(model, work, i, &q, &v, &a), 1);
        check_near(v, sign * rate, 1e-11);
        check_near(a, sign * acceleration, 1e-9);
    }
}

// The closures' equations out of the plane say what the loop has said; forces in the plane are determined, others are
// not.
static void check_reactions(const kane_model *model, const kane_work *work, kane_constraint_kind tips)
{
    assert_int_equal(kane_model_redundant_count(model), LOOPS);
    for (int i = 0; i < LOOPS; i++) {
        double force[6];
        const int count = kane_get_constraint(model, work, i, force);
        for (int k = 0; k < count; k++)
            assert_int_equal(isnan(force[k]) != 0, k >= 2);
    }
    for (int i = 0; i < BODIES; i++) {
        const kane_wrench w = kane_get_joint_reaction(model, work, i);
        assert_true(isfinite(w.force.x) && isfinite(w.force.y) && isfinite(w.torque.z));
        assert_true(isnan(w.force.z));
        if (tips == KANE_CONSTRAINT_REVOLUTE) // a force across the plane turns a bar about one axis only
            assert_true(isnan(w.torque.x) && isnan(w.torque.y));
    }
}

// theta'' of n loops
static double acceleration_of(double n)
{
    return -((n + 1.0) / 2.0 + n) / ((n + 1.0) / 3.0 + n) * gravity * cos(angle);
}

static void check_chain(kane_constraint_kind tips)
{
    const double turned = 1e-4, wanted = acceleration_of(LOOPS);
    CHECK_ERRORS errors            = {0};
    CHECK_OWNED(kane_model) *model = build(LOOPS, KANE_FORM_MULTIPLIERS, tips);
    CHECK_OWNED(kane_work) *work   = kane_work_create(model, &errors);
    const int count                = kane_model_state_count(model);
    double *y = calloc((size_t)count, sizeof *y), *ydot = calloc((size_t)count, sizeof *ydot), value, rate;
    assert_non_null(work);
    assert_int_equal(kane_initial_state(model, work, y, &errors), KANE_OK);
    assert_int_equal(kane_eval(model, work, 0.0, y, ydot), KANE_OK);
    kane_observe(model, work);
    check_motion(model, work, -2.0, wanted);
    check_reactions(model, work, tips);

    for (int i = 0; i < count; i++) // everything off by a little, and back
        y[i] += turned * sin(7.0 * i);
    assert_int_equal(kane_project(model, work, 0.0, y), KANE_OK);
    assert_int_equal(kane_eval(model, work, 0.0, y, ydot), KANE_OK);
    kane_get_drift(model, work, &value, &rate);
    check_near(value, 0.0, 1e-12);
    check_near(rate, 0.0, 1e-11);

    free(y);
    free(ydot);
}

CHECK_TEST(test_ball_joints)
{
    check_chain(KANE_CONSTRAINT_SPHERICAL);
}

CHECK_TEST(test_hinges)
{
    check_chain(KANE_CONSTRAINT_REVOLUTE);
}

// What the blocks of a chain in the form of coefficients take: products of a factorisation, and numbers that are kept.
typedef struct block_cost {
    double products, size;
} block_cost;

static block_cost find_cost(int loops)
{
    CHECK_ERRORS errors            = {0};
    CHECK_OWNED(kane_model) *model = build(loops, KANE_FORM_COEFFICIENTS, KANE_CONSTRAINT_SPHERICAL);
    CHECK_OWNED(kane_work) *work   = kane_work_create(model, &errors);
    CHECK_MEMORY double *y         = calloc((size_t)kane_model_state_count(model), sizeof *y);
    CHECK_MEMORY double *ydot      = calloc((size_t)kane_model_state_count(model), sizeof *ydot);
    block_cost cost                = {0.0, 0.0};
    assert_non_null(work);
    assert_int_equal(kane_initial_state(model, work, y, &errors), KANE_OK);
    assert_int_equal(kane_eval(model, work, 0.0, y, ydot), KANE_OK);
    kane_observe(model, work);
    check_motion(model, work, -2.0, acceleration_of(loops));
    assert_int_equal(model->cluster_count, 1);
    for (int k = 0; k < work->cluster[0]->block_count; k++) {
        cost.products += kane_envelope_products(&work->cluster[0]->blocks[k].P);
        cost.size += work->cluster[0]->blocks[k].P.size;
    }
    return cost;
}

// A loop is two rows whose unknowns reach no further than the next loop's, in whatever order the constraints are
// listed.
CHECK_TEST(coefficients_of_a_chain_cost_loop_by_loop)
{
    for (int loops = 25; loops <= 100; loops *= 2) {
        const block_cost cost = find_cost(loops);
        check_figure(cost.products, "%d loops: products", loops);
        check_figure(cost.size, "%d loops: numbers", loops);
        check_below(cost.products / loops, 20.0);
        check_below(cost.size / loops, 20.0);
    }
}

CHECK_MAIN(NULL, NULL)
