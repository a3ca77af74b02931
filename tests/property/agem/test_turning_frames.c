// SPDX-License-Identifier: MIT
// Bodies described in frames that turn and move in any way: what is true in A must come out.

#include "models.h"

#include "agem/bodies.h"

// A frame that tumbles: R = Rz(a) Ry(b) Rx(c) with a, b, c and the origin polynomials and sines of time.
static void tumble(const void *data, double t, kane_transport *T)
{
    const double size = *(const double *)data;
    const double a = 0.4 * t + 0.3 * sin(1.7 * t), a1 = 0.4 + 0.51 * cos(1.7 * t), a2 = -0.867 * sin(1.7 * t);
    const double b = 0.5 * sin(0.9 * t), b1 = 0.45 * cos(0.9 * t), b2 = -0.405 * sin(0.9 * t);
    const double c = 0.1 * t * t, c1 = 0.2 * t, c2 = 0.2;

    const kane_mat3 Rx = km3_turn_x(km3_identity(), sin(size * c), cos(size * c));
    const kane_mat3 Ry = km3_turn_y(km3_identity(), sin(size * b), cos(size * b));
    const kane_mat3 Rz = km3_turn_z(km3_identity(), sin(size * a), cos(size * a));
    T->R               = km3_mul(Rz, km3_mul(Ry, Rx));

    // axes of the turns as seen in the frame; they move against it with the turns that come after them
    const kane_vec3 x = kv3(1, 0, 0), y = km3_tmulv(Rx, kv3(0, 1, 0)), z = km3_tmulv(km3_mul(Ry, Rx), kv3(0, 0, 1));
    const kane_vec3 wx = kv3_scale(size * c1, x), wy = kv3_scale(size * b1, y), wz = kv3_scale(size * a1, z);
    T->omega   = kv3_add(wx, kv3_add(wy, wz));
    T->epsilon = kv3_add(kv3_scale(size * c2, x), kv3_add(kv3_scale(size * b2, y), kv3_scale(size * a2, z)));
    T->epsilon = kv3_sub(T->epsilon, kv3_add(kv3_cross(wx, wy), kv3_cross(kv3_add(wx, wy), wz)));

    T->r_o = kv3(size * sin(t), 0.3 * size * t * t, size * cos(2.0 * t));
    T->v_o = km3_tmulv(T->R, kv3(size * cos(t), 0.6 * size * t, -2.0 * size * sin(2.0 * t)));
    T->a_o = km3_tmulv(T->R, kv3(-size * sin(t), 0.6 * size, -4.0 * size * cos(2.0 * t)));
}

// A frame that turns steadily about the vertical.
static void spin(const void *data, double t, kane_transport *T)
{
    const double w = *(const double *)data;
    *T             = kane_transport_rest();
    T->R           = km3_turn_z(km3_identity(), sin(w * t), cos(w * t));
    T->omega       = kv3(0, 0, w);
}

typedef struct world {
    kane_body_definition body;
    kane_bushing bushing;
    kane_element_definition element;
    kane_given_frame frame;
    kane_vehicle_definition vehicle;
    kane_model *model;
    kane_simulation *simulation;
    double y[12];
} world;

// One body in a given frame, tied to the frame's origin by an isotropic spring of stiffness k.
static void build(world *w, void (*motion)(const void *, double, kane_transport *), const double *data, double k)
{
    const double inertia[6] = {2.0, 3.0, 4.0, 0.3, -0.2, 0.1};
    *w                      = (world){.frame = {.block = {"moving", NULL}, .motion = motion, .data = data}};
    w->body = (kane_body_definition){.block = {"body", NULL}, .mass = 5.0, .dof = 63, .frame = "moving"};
    memcpy(w->body.inertia, inertia, sizeof inertia);
    w->bushing = (kane_bushing){.stiffness = {k, k, k}};
    w->element = (kane_element_definition){.block      = {"spring", NULL},
                                           .law        = &kane_law_bushing,
                                           .parameters = &w->bushing,
                                           .between    = {"track", "body"},
                                           .axes       = km3_identity(),
                                           .preload    = KANE_PRELOAD_GIVEN};
    w->vehicle = (kane_vehicle_definition){.name              = "one body",
                                           .body_count        = 1,
                                           .bodies            = &w->body,
                                           .element_count     = k > 0.0,
                                           .elements          = &w->element,
                                           .given_frame_count = 1,
                                           .given_frames      = &w->frame};

    const kane_drive_definition drive = kane_drive_definition_default();
    kane_model_options options        = kane_model_options_default();
    kane_settings settings            = kane_settings_default();
    const kane_conditions until       = {.time = 100.0};
    settings.order                    = 5;
    settings.relative                 = 1e-11;
    settings.position = settings.angle = settings.speed = settings.turning = 1e-12;
    options.imaginary_as_forces                                            = 1;
    w->model      = CHECK_GOOD(kane_model_create, &w->vehicle, NULL, &drive, &options);
    w->simulation = CHECK_GOOD(kane_simulation_create, w->model, &settings, &until);
}

// Starts with a motion in A: position, velocity, attitude (yaw, roll, pitch), angular velocity, axes of A.
static void start(world *w, kane_vec3 r, kane_vec3 v, const double angles[3], kane_vec3 omega)
{
    kane_transport T;
    CHECK_ERRORS errors = {0};
    w->frame.motion(w->frame.data, 0.0, &T);
    const kane_vec3 relative = km3_tmulv(T.R, kv3_sub(r, T.r_o));
    const kane_mat3 R        = km3_tmul(T.R, kane_matrix_from_angles(angles[0], angles[1], angles[2]));
    const kane_vec3 v_rel    = kv3_sub(kv3_sub(km3_tmulv(T.R, v), T.v_o), kv3_cross(T.omega, relative));
    const kane_vec3 w_rel    = kv3_sub(km3_tmulv(T.R, omega), T.omega);
    const double y[6]        = {relative.x, relative.y, relative.z};
    memcpy(w->y, y, sizeof y);
    kane_angles_from_matrix(R, &w->y[3]);
    const double u[6] = {v_rel.x, v_rel.y, v_rel.z, w_rel.x, w_rel.y, w_rel.z};
    memcpy(&w->y[6], u, sizeof u);
    assert_int_equal(kane_simulation_start_from(w->simulation, 0.0, w->y, &errors), KANE_OK);
}

static void destroy(world *w)
{
    kane_simulation_free(w->simulation);
    kane_model_free(w->model);
}

static const kane_body_state *go(world *w, double t)
{
    CHECK_ERRORS errors = {0};
    assert_int_equal(kane_simulation_advance(w->simulation, t, &errors), KANE_OK);
    return &kane_simulation_work(w->simulation)->body[0];
}

CHECK_TEST(a_body_at_rest_stays_at_rest_in_any_turning_frame)
{
    const double size = 1.0, angles[3] = {0.3, -0.2, 0.5};
    const kane_vec3 at         = kv3(0.7, -1.1, 0.4);
    const kane_mat3 facing     = kane_matrix_from_angles(0.3, -0.2, 0.5);
    CHECK_END(destroy) world w = {0};
    build(&w, tumble, &size, 0.0);
    start(&w, at, kv3_zero(), angles, kv3_zero());
    for (int i = 1; i <= 8; i++) {
        const kane_body_state *b = go(&w, 0.5 * i);
        check_vec3(b->r_w, at, 1e-8);
        check_vec3(b->v_w, kv3_zero(), 1e-8);
        check_mat3(b->R_w, facing, 1e-8);
        check_vec3(b->w_w, kv3_zero(), 1e-8);
    }
}

CHECK_TEST(a_thrown_body_flies_straight_and_keeps_its_angular_momentum)
{
    const double size = 1.0, angles[3] = {0.3, -0.2, 0.5};
    const kane_vec3 at = kv3(0.7, -1.1, 0.4), v = kv3(1.5, -0.4, 2.0), spins = kv3(0.8, -1.9, 1.1);
    CHECK_END(destroy) world w = {0};
    build(&w, tumble, &size, 0.0);
    start(&w, at, v, angles, spins);
    kane_vec3 momentum = kv3_zero();
    for (int i = 0; i <= 8; i++) {
        const kane_body_state *b = go(&w, 0.5 * i);
        const kane_body *body    = &w.model->bodies[0];
        const kane_mat3 P        = km3_mul(b->R_w, body->principal);
        const kane_vec3 L        = km3_mulv(P, kv3_mul(body->J, km3_tmulv(P, b->w_w)));
        if (i == 0)
            momentum = L;
        check_vec3(b->r_w, kv3_add_scaled(at, 0.5 * i, v), 3e-8);
        check_vec3(b->v_w, v, 3e-8);
        check_vec3(L, momentum, 3e-8);
    }
}

// Foucault: a mass on an isotropic spring swings in a plane that is at rest in A, so that it turns by -w t in the
// frame.
CHECK_TEST(foucaults_pendulum_turns_against_the_frame)
{
    const double turning = 0.35, k = 80.0, n = sqrt(k / 5.0), none[3] = {0, 0, 0};
    CHECK_END(destroy) world w = {0};
    build(&w, spin, &turning, k);
    start(&w, kv3(0.2, 0, 0), kv3_zero(), none, kv3_zero());
    for (int i = 1; i <= 10; i++) {
        const double t = 0.7 * i, swing = 0.2 * cos(n * t);
        const kane_body_state *b = go(&w, t);
        check_vec3(b->r_w, kv3(swing, 0, 0), 1e-8);
        check_vec3(b->r, kv3(swing * cos(turning * t), -swing * sin(turning * t), 0.0), 1e-8);
    }
}

// Coriolis: a mass that moves outwards at constant speed in A drifts against the turning of the frame; over a short
// time by the well-known w v t^2.
CHECK_TEST(coriolis_drives_a_mass_sideways)
{
    const double turning = 0.5, speed = 2.0, none[3] = {0, 0, 0};
    CHECK_END(destroy) world w = {0};
    build(&w, spin, &turning, 0.0);
    start(&w, kv3_zero(), kv3(speed, 0, 0), none, kv3_zero());
    const kane_body_state *b = go(&w, 0.01);
    check_relative(b->r.y, -turning * speed * 0.01 * 0.01, 1e-4);
    b = go(&w, 3.0);
    check_near(b->r.x, speed * 3.0 * cos(1.5), 1e-8);
    check_near(b->r.y, -speed * 3.0 * sin(1.5), 1e-8);
    // the term itself: -2 m w x v
    const kane_vec3 force =
        kane_get_imaginary(w.model, kane_simulation_work(w.simulation), 0, KANE_FORCE, KANE_GYROSCOPIC);
    check_vec3(force, kv3_scale(-2.0 * 5.0, kv3_cross(kv3(0, 0, turning), b->v)), 1e-12);
}

CHECK_MAIN(NULL, NULL)
