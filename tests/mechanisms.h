// SPDX-License-Identifier: MIT
// Mechanisms for tests, built piece by piece through the public interface: bodies, joints, constraints, elements; then
// a model, one evaluation, a run.
//
// Everything is drawn where all coordinates of the joints are zero.

#ifndef KANE_TESTS_MECHANISMS_H
#define KANE_TESTS_MECHANISMS_H

#include "models.h"
#include "runs.h"

enum {
    MECHANISM_BODIES      = 64,
    MECHANISM_CONSTRAINTS = 16,
    MECHANISM_ELEMENTS    = 8,
    MECHANISM_TERMS       = 4,
    MECHANISM_FRAMES      = 6
};

typedef struct mechanism {
    kane_vehicle_definition vehicle;
    kane_body_definition bodies[MECHANISM_BODIES];
    kane_joint_definition joints[MECHANISM_BODIES];
    kane_start_definition starts[MECHANISM_BODIES];
    kane_constraint_definition constraints[MECHANISM_CONSTRAINTS];
    kane_term_definition terms[MECHANISM_CONSTRAINTS][MECHANISM_TERMS];
    kane_element_definition elements[MECHANISM_ELEMENTS];
    kane_given_frame frames[MECHANISM_FRAMES];
    kane_joint_definition frame_joints[MECHANISM_FRAMES];
    kane_motion_definition frame_motions[MECHANISM_FRAMES][KANE_COORDINATES];
    kane_model_options options; // of mechanism_open
    // mechanism_open
    kane_model *model;
    kane_work *work;
    double *y, *ydot;
    // mechanism_run
    kane_simulation *simulation;
} mechanism;

// --- building ---

static inline void mechanism_begin(mechanism *m, double gravity)
{
    *m         = (mechanism){0};
    m->options = kane_model_options_default();
    m->vehicle = (kane_vehicle_definition){.name         = "mechanism",
                                           .gravity      = gravity,
                                           .bodies       = m->bodies,
                                           .constraints  = m->constraints,
                                           .elements     = m->elements,
                                           .given_frames = m->frames};
}

// Axes whose z is the given axis of the drawing (0 x, 1 y, 2 z), the other two after it in turn.
static inline kane_mat3 axes_about(int axis)
{
    return (kane_mat3){kv3_unit((axis + 1) % 3), kv3_unit((axis + 2) % 3), kv3_unit(axis)};
}

// A plane drawing stands upright in the x-z plane: weight acts along its -y, and turns from its x to its y are
// positive.
static inline kane_vec3 planar(double x, double y)
{
    return kv3(x, 0.0, y);
}

static inline kane_mat3 planar_axes(void)
{
    return (kane_mat3){{1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.0, -1.0, 0.0}};
}

// A body of moments of inertia J about its mass centre, which is at `position`; free in its frame. Returns its index.
static inline int mechanism_add(mechanism *m, const char *name, double mass, kane_vec3 J, kane_vec3 position)
{
    const int i                = m->vehicle.body_count++;
    kane_body_definition *body = &m->bodies[i];
    assert_true(i < MECHANISM_BODIES);
    *body = (kane_body_definition){.block    = {name, NULL},
                                   .mass     = mass,
                                   .inertia  = {J.x, J.y, J.z},
                                   .position = position,
                                   .dof      = KANE_ALL_DOF,
                                   .start    = &m->starts[i]};
    return i;
}

// Hangs it by a joint whose markers coincide in the drawing. parent NULL: the frame.
static inline kane_joint_definition *mechanism_hang(mechanism *m, int body, kane_joint_kind kind, const char *parent,
                                                    kane_vec3 at, kane_mat3 axes)
{
    kane_joint_definition *joint = &m->joints[body];
    *joint                       = (kane_joint_definition){.block  = {m->bodies[body].block.name, NULL},
                                                           .kind   = kind,
                                                           .parent = parent,
                                                           .from   = {.at = at, .axes = axes},
                                                           .to     = {.at = at, .axes = axes}};
    m->bodies[body].joint        = joint;
    return joint;
}

// A bar between two points of a planar drawing, turning about the first one; moment of inertia J about its mass centre.
static inline int mechanism_bar(mechanism *m, const char *name, const char *parent, double mass, double J,
                                kane_vec3 from, kane_vec3 to)
{
    const kane_vec3 middle = kv3_scale(0.5, kv3_add(from, to));
    const int body         = mechanism_add(m, name, mass, kv3(J, J, J), middle);
    (void)mechanism_hang(m, body, KANE_JOINT_REVOLUTE, parent, from, planar_axes());
    return body;
}

// Between two bodies (NULL: the frame), at one point of the drawing.
static inline kane_constraint_definition *mechanism_close(mechanism *m, const char *name, kane_constraint_kind kind,
                                                          const char *first, const char *second, kane_vec3 at,
                                                          kane_mat3 axes)
{
    kane_constraint_definition *d = &m->constraints[m->vehicle.constraint_count++];
    assert_true(m->vehicle.constraint_count <= MECHANISM_CONSTRAINTS);
    *d = (kane_constraint_definition){.block   = {name, NULL},
                                      .kind    = kind,
                                      .between = {first, second},
                                      .at      = {{.at = at, .axes = axes}, {.at = at, .axes = axes}}};
    return d;
}

// The same with a point of the drawing for either side.
static inline kane_constraint_definition *mechanism_close_at(mechanism *m, const char *name, kane_constraint_kind kind,
                                                             const char *first, kane_vec3 on_first, const char *second,
                                                             kane_vec3 on_second, kane_mat3 axes)
{
    kane_constraint_definition *d = mechanism_close(m, name, kind, first, second, on_first, axes);
    d->at[1].at                   = on_second;
    return d;
}

// factor1 coordinate1 + factor2 coordinate2 = offset
static inline kane_constraint_definition *mechanism_relate(mechanism *m, const char *name, const char *body1,
                                                           double factor1, const char *body2, double factor2,
                                                           double offset)
{
    const int i                   = m->vehicle.constraint_count++;
    kane_constraint_definition *d = &m->constraints[i];
    assert_true(i < MECHANISM_CONSTRAINTS);
    m->terms[i][0] = (kane_term_definition){body1, NULL, factor1};
    m->terms[i][1] = (kane_term_definition){body2, NULL, factor2};
    *d             = (kane_constraint_definition){
                    .block = {name, NULL}, .kind = KANE_CONSTRAINT_LINEAR, .term_count = 2, .terms = m->terms[i], .offset = offset};
    return d;
}

static inline kane_element_definition *mechanism_element(mechanism *m, const char *name, const kane_law *law,
                                                         const void *parameters, const char *a, kane_vec3 on_a,
                                                         const char *b, kane_vec3 on_b)
{
    kane_element_definition *e = &m->elements[m->vehicle.element_count++];
    assert_true(m->vehicle.element_count <= MECHANISM_ELEMENTS);
    *e = (kane_element_definition){.block      = {name, NULL},
                                   .law        = law,
                                   .parameters = parameters,
                                   .between    = {a, b},
                                   .at         = {on_a, on_b},
                                   .axes       = km3_identity(),
                                   .preload    = KANE_PRELOAD_GIVEN};
    return e;
}

// --- frames with a given motion ---

// Moves against `relative` (NULL: A) as a body by this joint would; drawn at `at`. Returns its number.
static inline int mechanism_frame(mechanism *m, const char *name, const char *relative, kane_joint_kind kind,
                                  kane_vec3 at, kane_mat3 axes)
{
    const int i                  = m->vehicle.given_frame_count++;
    kane_joint_definition *joint = &m->frame_joints[i];
    assert_true(i < MECHANISM_FRAMES);
    *joint       = (kane_joint_definition){.kind    = kind,
                                           .from    = {.at = at, .axes = axes},
                                           .to      = {.at = at, .axes = axes},
                                           .dof     = kind == KANE_JOINT_FREE ? (unsigned)KANE_ALL_DOF : 0u,
                                           .motions = m->frame_motions[i]};
    m->frames[i] = (kane_given_frame){.block = {name, NULL}, .relative = relative, .joint = joint};
    return i;
}

// One of its coordinates, or its rate, is a function of time.
static inline void mechanism_frame_move(mechanism *m, int frame, int coordinate, kane_function function, int is_rate)
{
    kane_joint_definition *joint = &m->frame_joints[frame];
    assert_true(joint->motion_count < KANE_COORDINATES);
    m->frame_motions[frame][joint->motion_count++] =
        (kane_motion_definition){.coordinate = coordinate, .function = function, .is_rate = is_rate};
}

static inline kane_function mechanism_polynomial(int count, const double *coefficients)
{
    return (kane_function){.kind = KANE_FUNCTION_POLYNOMIAL, .count = count, .coefficients = coefficients};
}

// mean, amplitude, angular frequency, phase
static inline kane_function mechanism_sine(const double coefficients[4])
{
    return (kane_function){.kind = KANE_FUNCTION_SINE, .count = 4, .coefficients = coefficients};
}

// --- a four-bar ---

// Lengths of its bars [m]; the crank is the shortest and turns all the way round.
#define FOUR_BAR_CRANK   0.3
#define FOUR_BAR_COUPLER 0.8
#define FOUR_BAR_ROCKER  0.6
#define FOUR_BAR_GROUND  0.9

// Where circles of radii r1 and r2 about a and b of a planar drawing meet, on the left of the way from a to b.
static inline kane_vec3 circles_meet(kane_vec3 a, double r1, kane_vec3 b, double r2)
{
    const kane_vec3 way = kv3_sub(b, a);
    const double d = kv3_norm(way), along = (d * d + r1 * r1 - r2 * r2) / (2.0 * d), up = sqrt(r1 * r1 - along * along);
    const kane_vec3 e = kv3_scale(1.0 / d, way);
    return kv3_add_scaled(kv3_add_scaled(a, along, e), up, kv3(-e.z, 0.0, e.x));
}

// Bodies 0 crank, drawn upright, which starts at 6 rad/s, 1 coupler, 2 rocker.
static inline kane_constraint_definition *mechanism_four_bar(mechanism *m)
{
    const kane_vec3 tip = planar(0.0, FOUR_BAR_CRANK), pivot = planar(FOUR_BAR_GROUND, 0.0);
    const kane_vec3 pin = circles_meet(tip, FOUR_BAR_COUPLER, pivot, FOUR_BAR_ROCKER);
    mechanism_begin(m, 9.81);
    (void)mechanism_bar(m, "crank", NULL, 2.0, 0.02, kv3_zero(), tip);
    (void)mechanism_bar(m, "coupler", "crank", 1.0, 0.05, tip, pin);
    (void)mechanism_bar(m, "rocker", NULL, 1.5, 0.04, pivot, pin);
    m->starts[0].rate[0]   = 6.0;
    m->starts[0].held_rate = m->starts[0].held_q = 1u;
    return mechanism_close(m, "pin", KANE_CONSTRAINT_SPHERICAL, "coupler", "rocker", pin, planar_axes());
}

// --- using ---

static inline kane_model *mechanism_compile(const mechanism *m, kane_constraint_form form, kane_errors *errors)
{
    const kane_drive_definition drive = kane_drive_definition_default();
    kane_model_options options        = m->options;
    options.form                      = form;
    return kane_model_create(&m->vehicle, NULL, &drive, &options, errors);
}

static inline void mechanism_eval(mechanism *m, double t)
{
    assert_int_equal(kane_eval(m->model, m->work, t, m->y, m->ydot), KANE_OK);
    kane_observe(m->model, m->work);
}

// Compiles it and evaluates its start.
static inline void mechanism_open(mechanism *m, kane_constraint_form form)
{
    CHECK_ERRORS errors = {0};
    m->model            = CHECK_GOOD(mechanism_compile, m, form);
    assert_non_null(m->model);
    m->work = kane_work_create(m->model, &errors);
    m->y    = calloc((size_t)kane_model_state_count(m->model), sizeof *m->y);
    m->ydot = calloc((size_t)kane_model_state_count(m->model), sizeof *m->ydot);
    (void)kane_initial_state(m->model, m->work, m->y, &errors);
    check_no_errors(&errors);
    mechanism_eval(m, 0.0);
}

// Tolerances for comparisons with what others have computed.
static inline kane_settings mechanism_settings(double tolerance)
{
    kane_settings settings = kane_settings_default();
    settings.order         = 5;
    settings.relative      = tolerance;
    settings.position = settings.angle = settings.speed = settings.turning = tolerance;
    return settings;
}

// A simulation of an open mechanism from its start.
static inline void mechanism_run(mechanism *m, const kane_settings *settings)
{
    const kane_conditions until = {.time = 1e6};
    m->simulation               = CHECK_GOOD(kane_simulation_create, m->model, settings, &until);
    assert_non_null(m->simulation);
}

// On to a time; returns the work there.
static inline const kane_work *mechanism_go(mechanism *m, double t)
{
    assert_true(run_go(m->simulation, t));
    return kane_simulation_work(m->simulation);
}

// The integrator's Jacobian where it stands, against differences.
static inline void mechanism_check_jacobian(mechanism *m, double tolerance)
{
    (void)run_check_jacobian(m->simulation, m->model, m->vehicle.name, tolerance);
}

static inline void mechanism_close_all(mechanism *m)
{
    kane_simulation_free(m->simulation);
    kane_work_free(m->work);
    kane_model_free(m->model);
    free(m->y);
    free(m->ydot);
    m->simulation = NULL;
    m->work       = NULL;
    m->model      = NULL;
    m->y = m->ydot = NULL;
}

// --- what a state means ---

// Place of a point of a body that is at `drawn` in the drawing, relative to its frame.
static inline kane_vec3 mechanism_point(const mechanism *m, const kane_work *work, int body, kane_vec3 drawn)
{
    double q[KANE_COORDINATES], rates[KANE_COORDINATES];
    kane_get_relative(m->model, work, body, q, rates);
    const kane_mat3 Rz  = km3_turn_z(km3_identity(), sin(q[KANE_YAW]), cos(q[KANE_YAW]));
    const kane_mat3 Rzx = km3_turn_x(Rz, sin(q[KANE_ROLL]), cos(q[KANE_ROLL]));
    const kane_mat3 R   = km3_turn_y(Rzx, sin(q[KANE_PITCH]), cos(q[KANE_PITCH]));
    const kane_vec3 arm = km3_mulv(R, kv3_sub(drawn, m->bodies[body].position));
    return kv3_add(kv3(q[KANE_X], q[KANE_Y], q[KANE_Z]), arm);
}

static inline double mechanism_energy(const mechanism *m, const kane_work *work)
{
    kane_energy energy;
    kane_get_energy(m->model, work, &energy);
    return energy.kinetic + energy.gravity + energy.elements;
}

// One coordinate of a body's joint.
static inline double mechanism_coordinate(const mechanism *m, const kane_work *work, int body, int coordinate)
{
    double q[KANE_JOINT_COORDINATES];
    (void)kane_get_joint(m->model, work, body, q, NULL, NULL);
    return q[coordinate];
}

static inline double mechanism_rate(const mechanism *m, const kane_work *work, int body, int coordinate)
{
    double rate[KANE_JOINT_COORDINATES];
    (void)kane_get_joint(m->model, work, body, NULL, rate, NULL);
    return rate[coordinate];
}

#endif
