// SPDX-License-Identifier: MIT
// A vehicle with every kind of freedom and element, described in one formulation or another.

#ifndef KANE_TESTS_TWIN_H
#define KANE_TESTS_TWIN_H

#include "models.h"
#include "stateful.h"

#include "agem/bodies.h"

static const double ramp_at[] = {-0.02, -0.01, 0.0, 0.015, 0.03}, ramp_force[] = {-900.0, -300.0, 0.0, 250.0, 1200.0};

enum { ELEMENTS = 10 };

// Six bodies: the guide, one with products of inertia, two with removed freedoms, one that spins, one that shares a
// frame
typedef struct parts {
    kane_body_definition bodies[6];
    kane_bushing soft, stiff;
    kane_spring spring;
    kane_damper damper;
    kane_bump_stop stop;
    double clearance[2];
    kane_element_definition elements[ELEMENTS];
    kane_vehicle_definition vehicle;
    double hook; // lateral place of the force at the coupling [m]
} parts;

static inline void build(parts *p)
{
    *p                                  = (parts){.clearance = {0.002, 0.003}, .hook = 0.2};
    const kane_body_definition bodies[] = {
        {.block    = {"car", NULL},
         .mass     = 9000.0,
         .inertia  = {9e3, 7e4, 7.2e4, 0, 0, 0},
         .position = {0.0, 0.0, 1.6},
         .dof      = 63},
        {.block    = {"frame", NULL},
         .mass     = 1500.0,
         .inertia  = {900, 1500, 2100, 60, -40, 30},
         .position = {3.0, 0.1, 0.7},
         .dof      = 63},
        {.block    = {"beam", NULL},
         .mass     = 300.0,
         .inertia  = {40, 50, 80, 0, 0, 5},
         .position = {-3.0, -0.2, 0.6},
         .dof      = KANE_DOF(KANE_Y) | KANE_DOF(KANE_Z) | KANE_DOF(KANE_ROLL)},
        {.block    = {"axle", NULL},
         .kind     = KANE_BODY_SPINNING,
         .mass     = 1200.0,
         .inertia  = {700, 90, 700},
         .position = {4.0, 0.0, 0.46},
         .dof      = 63},
        {.block    = {"box", NULL},
         .mass     = 200.0,
         .inertia  = {30, 20, 35},
         .position = {1.0, 0.5, 1.0},
         .dof      = 63,
         .frame    = "frame"},
        {.block    = {"arm", NULL},
         .mass     = 100.0,
         .inertia  = {10, 20, 25, 3, -2, 4},
         .position = {-1.0, 0.4, 1.0},
         .dof      = KANE_DOF(KANE_X) | KANE_DOF(KANE_Z) | KANE_DOF(KANE_YAW) | KANE_DOF(KANE_PITCH)},
    };
    memcpy(p->bodies, bodies, sizeof bodies);
    p->soft  = (kane_bushing){.stiffness            = {2e5, 3e5, 4e5},
                              .damping              = {2e3, 3e3, 1e3},
                              .rotational_stiffness = {1e4, 2e4, 3e4},
                              .rotational_damping   = {100, 200, 300}};
    p->stiff = (kane_bushing){.stiffness = {2e6, 1e6, 1.5e6}, .damping = {2e3, 3e3, 1e3}};
    p->stiff.spring[1] =
        (kane_characteristic){.at = {ramp_at, 5}, .force = {ramp_force, 5}, .interpolation = KANE_SPLINE};
    p->spring = (kane_spring){.stiffness = 1e5, .damping = 2e3};
    p->damper = (kane_damper){.damping = 4e3};
    p->stop   = (kane_bump_stop){
          .direction = 1, .clearance = {p->clearance, 2}, .stiffness = 1e6, .onset = 0.001, .dissipation = 0.3};
    const kane_mat3 turned                   = kane_matrix_from_angles(0.3, -0.2, 0.1);
    const kane_element_definition elements[] = {
        {.block      = {"a", NULL},
         .law        = &kane_law_bushing,
         .parameters = &p->soft,
         .between    = {"car", "frame"},
         .at         = {{3, 0.5, 0.9}, {3, 0.5, 0.9}},
         .axes       = km3_identity()},
        {.block      = {"b", NULL},
         .law        = &kane_law_bushing,
         .parameters = &p->soft,
         .between    = {"axle", "frame"},
         .at         = {{4, 0.5, 0.46}, {4, 0.5, 0.6}},
         .axes       = turned},
        {.block      = {"c", NULL},
         .law        = &kane_law_bushing,
         .parameters = &p->stiff,
         .between    = {"frame", "axle"},
         .at         = {{4, 1.0, 0.5}, {4, 1.0, 0.46}},
         .axes       = turned,
         .mirrored   = 1},
        {.block      = {"d", NULL},
         .law        = &kane_law_spring,
         .parameters = &p->spring,
         .between    = {"beam", "car"},
         .at         = {{-3, -0.2, 0.6}, {-3, 0.3, 1.1}},
         .axes       = km3_identity()},
        {.block      = {"e", NULL},
         .law        = &kane_law_damper,
         .parameters = &p->damper,
         .between    = {"car", "axle"},
         .at         = {{4.2, 0.7, 1.1}, {4, 0.7, 0.5}},
         .axes       = turned,
         .mirrored   = 1},
        {.block      = {"f", NULL},
         .law        = &kane_law_bump_stop,
         .parameters = &p->stop,
         .between    = {"car", "frame"},
         .at         = {{3, 0, 0.9}, {3, 0, 0.9}},
         .axes       = km3_identity()},
        {.block      = {"g", NULL},
         .law        = &kane_law_bushing,
         .parameters = &p->soft,
         .between    = {"track", "box"},
         .at         = {{1, 0.5, 0.2}, {1, 0.5, 0.9}},
         .axes       = turned},
        {.block      = {"h", NULL},
         .law        = &kane_law_bushing,
         .parameters = &p->soft,
         .between    = {"arm", "car"},
         .at         = {{-1, 0.4, 1.2}, {-1, 0.4, 1.2}},
         .axes       = turned,
         .mirrored   = 1},
        {.block    = {"i", NULL},
         .law      = &stateful_law,
         .between  = {"frame", "axle"},
         .at       = {{4, 0.5, 0.7}, {4, 0.4, 0.5}},
         .axes     = turned,
         .mirrored = 1},
        {.block   = {"j", NULL},
         .law     = &stateful_law,
         .between = {"beam", "track"},
         .at      = {{-3, 0.1, 0.6}, {-3, -0.1, 0.2}},
         .axes    = turned},
    };
    memcpy(p->elements, elements, sizeof elements);
    for (int i = 0; i < ELEMENTS; i++)
        p->elements[i].preload = KANE_PRELOAD_GIVEN;
    p->vehicle = (kane_vehicle_definition){.name          = "parts",
                                           .guide         = "car",
                                           .gravity       = 9.81,
                                           .body_count    = 6,
                                           .bodies        = p->bodies,
                                           .element_count = ELEMENTS,
                                           .elements      = p->elements};
}

typedef struct twin {
    kane_track *track;
    kane_model *model;
    kane_work *work;
    double y[128], ydot[128];
    double states; // how large those of laws are
} twin;

static inline void create(twin *t, const parts *p, kane_track *track, kane_formulation formulation,
                          int imaginary_as_forces, int driven)
{
    const kane_speed_piece piece = {.acceleration = -0.8};
    const double time[] = {0.0, 10.0}, torque[] = {500.0, 900.0}, force[] = {-700.0, 2000.0};
    const kane_actuator_definition actuators[] = {
        {.block       = {"drive", NULL},
         .kind        = KANE_ACTUATOR_TORQUE,
         .on          = "axle",
         .reaction    = "frame",
         .point_count = 2,
         .time        = time,
         .value       = torque},
        {.block       = {"brake", NULL},
         .kind        = KANE_ACTUATOR_BRAKE,
         .on          = "axle",
         .reaction    = "car",
         .point_count = 2,
         .time        = time,
         .value       = torque},
        {.block       = {"hook", NULL},
         .kind        = KANE_ACTUATOR_FORCE,
         .on          = "frame",
         .at          = {5.0, p->hook, 1.0},
         .point_count = 2,
         .time        = time,
         .value       = force},
    };
    const double gust = 1500.0, twist = -800.0, side = p->hook < 0.0 ? -1.0 : 1.0; // of mirror images
    const kane_input_definition inputs[] = {
        {.block     = {"gust", NULL},
         .kind      = KANE_INPUT_FORCE,
         .on        = "car",
         .at        = {1.0, 0.4 * side, 2.5},
         .direction = {0.3, side, -0.2},
         .value     = &gust},
        {.block     = {"twist", NULL},
         .kind      = KANE_INPUT_TORQUE,
         .on        = "frame",
         .reaction  = "car",
         .direction = {side, -0.4, 0.7 * side},
         .value     = &twist},
    };
    CHECK_ERRORS errors         = {0};
    kane_drive_definition drive = kane_drive_definition_default();
    kane_model_options options  = kane_model_options_default();
    drive.kind                  = driven ? KANE_DRIVE_DRIVEN : KANE_DRIVE_PRESCRIBED;
    drive.start                 = 35.0;
    drive.speed                 = 22.0;
    drive.piece_count           = 1;
    drive.pieces                = &piece;
    drive.actuator_count        = 3;
    drive.actuators             = actuators;
    drive.input_count           = 2;
    drive.inputs                = inputs;
    options.formulation         = formulation;
    options.imaginary_as_forces = imaginary_as_forces;
    t->track                    = track;
    t->states                   = 1.0;
    t->model                    = CHECK_GOOD(kane_model_create, &p->vehicle, track, &drive, &options);
    t->work                     = CHECK_GOOD(kane_work_create, t->model);
    assert_int_equal(kane_initial_state(t->model, t->work, t->y, &errors), KANE_OK);
}

static inline void destroy(twin *t)
{
    kane_work_free(t->work);
    kane_model_free(t->model);
}

// The same random motion relative to the track, and the same travel.
static inline void scatter(twin *t, uint64_t seed, double time)
{
    kane_relative_motion m;
    if (t->model->travel_count) {
        t->y[0] = 38.0;
        t->y[1] = 21.0;
    }
    kane_work_locate(t->model, t->work, time, t->y);
    kane_frames_eval(t->model, t->work, time, t->y);
    for (int j = 0; j < t->model->body_count; j++) {
        const kane_body *body = &t->model->bodies[j];
        const double at[3]    = {body->origin.x, body->origin.y, body->origin.z};
        for (int i = 0; i < 6; i++) {
            const double x = random_number(&seed), limit = i < 3 ? 0.006 : 0.02;
            const int is_free = (body->dof >> i) & 1;
            m.q[i]            = (i < 3 ? at[i] : 0.0) + (is_free ? limit * x : 0.0);
        }
        if (j == t->model->guide && t->model->travel_count == 0)
            m.q[0] = 0.0;
        double rates[6];
        for (int i = 0; i < 6; i++)
            rates[i] = ((body->dof >> i) & 1) ? (i < 3 ? 0.3 : 0.4) * random_number(&seed) : 0.0 * random_number(&seed);
        if (body->kind == KANE_BODY_SPINNING)
            rates[5] += 45.0;
        // v and w that go with the rates
        const kane_mat3 yawed  = kane_matrix_from_angles(m.q[3], 0.0, 0.0),
                        rolled = kane_matrix_from_angles(m.q[3], m.q[4], 0.0);
        m.v                    = kv3(rates[0], rates[1], rates[2]);
        m.w = kv3_add(kv3_add(kv3(0, 0, rates[3]), kv3_scale(rates[4], yawed.x)), kv3_scale(rates[5], rolled.y));
        kane_relative_put(t->model, t->work, j, &m, t->y);
    }
    for (int i = t->model->u_end; i < t->model->state_count; i++)
        t->y[i] = t->states * random_number(&seed);
    assert_int_equal(kane_eval(t->model, t->work, time, t->y, t->ydot), KANE_OK);
}

#endif
