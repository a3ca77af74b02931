// SPDX-License-Identifier: MIT
// One vehicle on one track has the same accelerations whatever frames it is described in, and its Jacobian is the
// derivative of its equations.

#include "models.h"

#include "agem/relative.h"
#include "simulate/jacobian.h"

static const double ramp_at[] = {-0.02, -0.01, 0.0, 0.015, 0.03}, ramp_force[] = {-900.0, -300.0, 0.0, 250.0, 1200.0};

// Six bodies: the guide, one with products of inertia, two with removed freedoms, one that spins, one that shares a frame
typedef struct parts {
    kane_body_definition bodies[6];
    kane_bushing soft, stiff;
    kane_spring spring;
    kane_damper damper;
    kane_bump_stop stop;
    double clearance[2];
    kane_element_definition elements[8];
    kane_vehicle_definition vehicle;
} parts;

static void build(parts *p)
{
    *p                                  = (parts){.clearance = {0.002, 0.003}};
    const kane_body_definition bodies[] = {
        {.block    = {"car", NULL},
         .mass     = 9000.0,
         .inertia  = {9e3, 7e4, 7.2e4, 0, 0, 0},
         .position = {0.0, 0.0, 1.6},
         .freedoms = 63},
        {.block    = {"frame", NULL},
         .mass     = 1500.0,
         .inertia  = {900, 1500, 2100, 60, -40, 30},
         .position = {3.0, 0.1, 0.7},
         .freedoms = 63},
        {.block    = {"beam", NULL},
         .mass     = 300.0,
         .inertia  = {40, 50, 80, 0, 0, 5},
         .position = {-3.0, -0.2, 0.6},
         .freedoms = KANE_FREEDOM(KANE_Y) | KANE_FREEDOM(KANE_Z) | KANE_FREEDOM(KANE_ROLL)},
        {.block    = {"axle", NULL},
         .kind     = KANE_BODY_SPINNING,
         .mass     = 1200.0,
         .inertia  = {700, 90, 700},
         .position = {4.0, 0.0, 0.46},
         .freedoms = 63},
        {.block    = {"box", NULL},
         .mass     = 200.0,
         .inertia  = {30, 20, 35},
         .position = {1.0, 0.5, 1.0},
         .freedoms = 63,
         .frame    = "frame"},
        {.block    = {"arm", NULL},
         .mass     = 100.0,
         .inertia  = {10, 20, 25},
         .position = {-1.0, 0.4, 1.0},
         .freedoms = KANE_FREEDOM(KANE_X) | KANE_FREEDOM(KANE_Z) | KANE_FREEDOM(KANE_YAW) | KANE_FREEDOM(KANE_PITCH)},
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
    };
    memcpy(p->elements, elements, sizeof elements);
    for (int i = 0; i < 8; i++)
        p->elements[i].preload = KANE_PRELOAD_GIVEN;
    p->vehicle = (kane_vehicle_definition){.name          = "parts",
                                           .guide         = "car",
                                           .gravity       = 9.81,
                                           .body_count    = 6,
                                           .bodies        = p->bodies,
                                           .element_count = 8,
                                           .elements      = p->elements};
}

typedef struct twin {
    kane_track *track;
    kane_model *model;
    kane_work *work;
    double y[128], ydot[128];
} twin;

static void create(twin *t, const parts *p, kane_track *track, kane_formulation formulation, int separate, int driven)
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
         .at          = {5.0, 0.2, 1.0},
         .point_count = 2,
         .time        = time,
         .value       = force},
    };
    kane_errors errors          = {0};
    kane_drive_definition drive = kane_drive_definition_default();
    kane_model_options options  = kane_model_options_default();
    drive.kind                  = driven ? KANE_DRIVE_DRIVEN : KANE_DRIVE_PRESCRIBED;
    drive.start                 = 35.0;
    drive.speed                 = 22.0;
    drive.piece_count           = 1;
    drive.pieces                = &piece;
    drive.actuator_count        = 3;
    drive.actuators             = actuators;
    options.formulation         = formulation;
    options.separate            = separate;
    t->track                    = track;
    t->model                    = kane_model_create(&p->vehicle, track, &drive, &options, &errors);
    check_no_errors(&errors);
    t->work = kane_work_create(t->model, &errors);
    check_no_errors(&errors);
    assert_int_equal(kane_initial_state(t->model, t->work, t->y, &errors), KANE_OK);
}

static void destroy(twin *t)
{
    kane_work_free(t->work);
    kane_model_free(t->model);
}

// The same random motion relative to the track, and the same travel.
static void scatter(twin *t, uint64_t seed, double time)
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
            const int is_free = (body->freedoms >> i) & 1;
            m.q[i]            = (i < 3 ? at[i] : 0.0) + (is_free ? limit * x : 0.0);
        }
        if (j == t->model->guide && t->model->travel_count == 0)
            m.q[0] = 0.0;
        double rates[6];
        for (int i = 0; i < 6; i++)
            rates[i] =
                ((body->freedoms >> i) & 1) ? (i < 3 ? 0.3 : 0.4) * random_number(&seed) : 0.0 * random_number(&seed);
        if (body->kind == KANE_BODY_SPINNING)
            rates[5] += 45.0;
        // v and w that go with the rates
        const kane_mat3 yawed  = kane_matrix_from_angles(m.q[3], 0.0, 0.0),
                        rolled = kane_matrix_from_angles(m.q[3], m.q[4], 0.0);
        m.v                    = kv3(rates[0], rates[1], rates[2]);
        m.w = kv3_add(kv3_add(kv3(0, 0, rates[3]), kv3_scale(rates[4], yawed.x)), kv3_scale(rates[5], rolled.y));
        kane_relative_put(t->model, t->work, j, &m, t->y);
    }
    assert_int_equal(kane_eval(t->model, t->work, time, t->y, t->ydot), KANE_OK);
}

static void compare(const twin *a, const twin *b, double tolerance)
{
    for (int j = 0; j < a->model->body_count; j++) {
        kane_vec3 v[2], w[2], p[2], e[2];
        double q[2][6], r[2][6];
        kane_get_absolute(a->model, a->work, j, &v[0], &w[0], &p[0], &e[0]);
        kane_get_absolute(b->model, b->work, j, &v[1], &w[1], &p[1], &e[1]);
        kane_get_relative(a->model, a->work, j, q[0], r[0]);
        kane_get_relative(b->model, b->work, j, q[1], r[1]);
        check_vec3(v[0], v[1], 1e-12);
        check_vec3(w[0], w[1], 1e-12);
        check_vec3(p[0], p[1], tolerance);
        check_vec3(e[0], e[1], tolerance);
        for (int i = 0; i < 6; i++) {
            check_near(q[0][i], q[1][i], 1e-12);
            check_near(r[0][i], r[1][i], 1e-11);
        }
    }
}

// Newton and Euler for the free body: what applied forces leave over is the reaction of removed freedoms, and that does
// no work on those that are left.
static void check_reactions(twin *t)
{
    kane_constrain_eval(t->model, t->work);
    for (int j = 0; j < t->model->body_count; j++) {
        const kane_body *body    = &t->model->bodies[j];
        const kane_body_state *b = &t->work->body[j];
        const kane_mat3 R        = t->work->transport[body->frame].R;
        const kane_mat3 P        = km3_mul(R, km3_mul(b->R, body->turned ? body->principal : km3_identity()));
        kane_vec3 omega, p, alpha;
        kane_get_absolute(t->model, t->work, j, NULL, &omega, &p, &alpha);
        const kane_mat3 track  = t->work->transport[body->track_frame].R;
        const kane_vec3 w      = km3_mulv(track, omega);
        const kane_vec3 Jw     = km3_mulv(P, kv3_mul(body->J, km3_tmulv(P, w)));
        const kane_vec3 Ja     = km3_mulv(P, kv3_mul(body->J, km3_tmulv(P, km3_mulv(track, alpha))));
        const kane_vec3 force  = kv3_sub(kv3_scale(body->mass, km3_mulv(track, p)), b->applied.force);
        const kane_vec3 torque = kv3_sub(kv3_add(Ja, kv3_cross(w, Jw)), b->applied.torque);
        const double size      = 1e-9 * (1.0 + kv3_norm(b->applied.force) + kv3_norm(b->applied.torque));
        check_vec3(km3_mulv(R, b->reaction.force), force, size);
        check_vec3(km3_mulv(R, b->reaction.torque), torque, size);
        for (int i = 0; i < 3; i++) {
            if ((body->freedoms >> i) & 1)
                check_near(kv3_get(b->reaction.force, i), 0.0, size);
            if ((body->freedoms >> (3 + i)) & 1)
                check_near(kv3_dot(b->turn[i], b->reaction.torque), 0.0, size);
        }
    }
}

static void same_accelerations(int driven)
{
    parts p;
    build(&p);
    for (int shape = KANE_CLOTHOID; shape <= KANE_WIENER; shape++) {
        kane_track *track = model_track(shape % 2 ? 1.0 : -1.0, (kane_transition_shape)shape);
        twin moving, separate, fixed;
        create(&moving, &p, track, KANE_MOVING, 0, driven);
        create(&separate, &p, track, KANE_MOVING, 1, driven);
        create(&fixed, &p, track, KANE_FIXED, 0, driven);
        for (uint64_t seed = 1; seed < 20; seed++) {
            const double time = 0.04 * (double)seed;
            scatter(&moving, seed, time);
            scatter(&separate, seed, time);
            scatter(&fixed, seed, time);
            compare(&moving, &separate, 1e-11);
            compare(&moving, &fixed, 1e-9);
            check_reactions(&moving);
            check_reactions(&separate);
            check_reactions(&fixed);
        }
        destroy(&moving);
        destroy(&separate);
        destroy(&fixed);
        kane_track_free(track);
    }
}

static void prescribed_motion_is_the_same_in_all_frames(void **state)
{
    (void)state;
    same_accelerations(0);
}

static void driven_motion_is_the_same_in_all_frames(void **state)
{
    (void)state;
    same_accelerations(1);
}

// Largest |J - differences| of a row over the largest |J| of that row.
static void check_jacobian(twin *t, double time, double tolerance)
{
    static double values[20000], up[128], down[128], y[128];
    const int n                 = t->model->state_count;
    kane_jacobian *jacobian     = kane_jacobian_create(t->model, n);
    const kane_pattern *pattern = kane_jacobian_pattern(jacobian);
    assert_true(pattern->count < 20000);
    assert_int_equal(kane_jacobian_eval(jacobian, t->model, t->work, time, t->y, t->ydot, values), KANE_OK);
    double row_size[128] = {0};
    for (int c = 0; c < n; c++)
        for (int k = pattern->column_start[c]; k < pattern->column_start[c + 1]; k++)
            row_size[pattern->row[k]] = fmax(row_size[pattern->row[k]], fabs(values[k]));
    for (int c = 0; c < n; c++) {
        const double h = c < t->model->travel_count ? 1e-3 : 1e-6;
        memcpy(y, t->y, sizeof y);
        y[c] = t->y[c] + h;
        assert_int_equal(kane_eval(t->model, t->work, time, y, up), KANE_OK);
        y[c] = t->y[c] - h;
        assert_int_equal(kane_eval(t->model, t->work, time, y, down), KANE_OK);
        for (int row = 0; row < n; row++) {
            const int k             = kane_pattern_find(pattern, row, c);
            const double here       = k >= 0 ? values[k] : 0.0;
            const double expected   = (up[row] - down[row]) / (2.0 * h);
            const double difference = fabs(here - expected);
            if (difference > check_tolerance(tolerance) * (row_size[row] + 1.0)) {
                char a[64], b[64];
                kane_state_name(t->model, row, sizeof a, a);
                kane_state_name(t->model, c, sizeof b, b);
                print_error("d(%s)/d(%s): %.10g, differences give %.10g (row %.3g)\n", a, b, here, expected,
                            row_size[row]);
                fail();
            }
        }
    }
    kane_jacobian_free(jacobian);
}

static void jacobian_is_the_derivative(void **state)
{
    (void)state;
    parts p;
    build(&p);
    kane_track *track = model_track(1.0, KANE_BLOSS);
    for (int variant = 0; variant < 6; variant++) {
        twin t;
        create(&t, &p, track, variant % 3 == 2 ? KANE_FIXED : KANE_MOVING, variant % 3 == 1, variant / 3);
        for (uint64_t seed = 1; seed < 6; seed++) {
            scatter(&t, seed, 0.1 * (double)seed);
            check_jacobian(&t, 0.1 * (double)seed, 3e-7);
        }
        destroy(&t);
    }
    kane_track_free(track);
}

// The order in which bodies and elements are listed means nothing.
static void renumbering_changes_nothing(void **state)
{
    parts p, q;
    (void)state;
    build(&p);
    build(&q);
    for (int i = 0; i < 6; i++)
        q.bodies[i] = p.bodies[5 - i];
    for (int i = 0; i < 8; i++)
        q.elements[i] = p.elements[7 - i];
    kane_track *track = model_track(1.0, KANE_SINE);
    twin a, b;
    create(&a, &p, track, KANE_MOVING, 0, 0);
    create(&b, &q, track, KANE_MOVING, 0, 0);
    scatter(&a, 3, 0.2);
    kane_work_locate(b.model, b.work, 0.2, b.y);
    kane_frames_eval(b.model, b.work, 0.2, b.y);
    for (int j = 0; j < 6; j++) {
        kane_relative_motion m;
        kane_relative_get(a.model, a.work, j, &m);
        kane_relative_put(b.model, b.work, 5 - j, &m, b.y);
    }
    assert_int_equal(kane_eval(b.model, b.work, 0.2, b.y, b.ydot), KANE_OK);
    for (int j = 0; j < 6; j++) {
        check_vec3(a.work->body[j].a, b.work->body[5 - j].a, 1e-11);
        check_vec3(a.work->body[j].e, b.work->body[5 - j].e, 1e-11);
    }
    destroy(&a);
    destroy(&b);
    kane_track_free(track);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prescribed_motion_is_the_same_in_all_frames),
        cmocka_unit_test(driven_motion_is_the_same_in_all_frames),
        cmocka_unit_test(jacobian_is_the_derivative),
        cmocka_unit_test(renumbering_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
