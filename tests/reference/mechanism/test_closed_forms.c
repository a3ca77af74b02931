// SPDX-License-Identifier: MIT
// Dependent coordinates in closed form against Newton's method, along runs of the four kinds of loops that have one;
// and both against the triangle or ratio that the loop is.

#include "mechanisms.h"

typedef struct sample {
    void (*build)(mechanism *m, kane_closed_form closed);
    kane_closed_form closed;
    // what the loop leaves open, from its coordinates
    double (*left)(const mechanism *m, const kane_work *work);
} sample;

static const double crank = FOUR_BAR_CRANK, coupler = FOUR_BAR_COUPLER, rocker = FOUR_BAR_ROCKER;
static const double ground = FOUR_BAR_GROUND, offset = 0.05;

// Drawn with the crank upright, which turns at 6 rad/s.
static kane_vec3 begin(mechanism *m)
{
    mechanism_begin(m, 9.81);
    (void)mechanism_bar(m, "crank", NULL, 2.0, 0.02, kv3_zero(), planar(0.0, crank));
    m->starts[0].rate[0]   = 6.0;
    m->starts[0].held_rate = m->starts[0].held_q = 1u;
    return planar(0.0, crank);
}

static void build_four_bar(mechanism *m, kane_closed_form closed)
{
    mechanism_four_bar(m)->closed = closed;
}

// The distance of the crank's tip from that of the rocker is the coupler's length.
static double left_four_bar(const mechanism *m, const kane_work *work)
{
    const kane_vec3 drawn = circles_meet(planar(0.0, crank), coupler, planar(ground, 0.0), rocker);
    const double a        = atan2(1.0, 0.0) + mechanism_coordinate(m, work, 0, 0);
    const double b        = atan2(drawn.z, drawn.x - ground) + mechanism_coordinate(m, work, 2, 0);
    return hypot(ground + rocker * cos(b) - crank * cos(a), rocker * sin(b) - crank * sin(a)) - coupler;
}

static void build_slider_crank(mechanism *m, kane_closed_form closed)
{
    const kane_vec3 tip = begin(m), pin = planar(sqrt(coupler * coupler - (crank - offset) * (crank - offset)), offset);
    (void)mechanism_bar(m, "rod", "crank", 1.0, 0.05, tip, pin);
    const int slider = mechanism_add(m, "slider", 3.0, kv3(0.1, 0.1, 0.1), pin);
    (void)mechanism_hang(m, slider, KANE_JOINT_PRISMATIC, NULL, pin, axes_about(0));
    mechanism_close(m, "pin", KANE_CONSTRAINT_SPHERICAL, "rod", "slider", pin, planar_axes())->closed = closed;
}

static double left_slider_crank(const mechanism *m, const kane_work *work)
{
    const double a     = atan2(1.0, 0.0) + mechanism_coordinate(m, work, 0, 0);
    const double drawn = sqrt(coupler * coupler - (crank - offset) * (crank - offset));
    const double up    = crank * sin(a) - offset;
    return drawn + mechanism_coordinate(m, work, 2, 0) - crank * cos(a) - sqrt(coupler * coupler - up * up);
}

// A piston in a cylinder that swings about a point of the ground; its rod's end is the crank's tip.
static void build_cylinder(mechanism *m, kane_closed_form closed)
{
    const kane_vec3 tip = begin(m), pivot = planar(ground, 0.0), way = kv3_sub(tip, pivot);
    const kane_vec3 along = kv3_scale(1.0 / kv3_norm(way), way), across = kv3(0.0, 1.0, 0.0);
    const kane_mat3 axes = {across, kv3_cross(along, across), along};
    (void)mechanism_bar(m, "cylinder", NULL, 2.0, 0.05, pivot, kv3_add_scaled(pivot, 0.5, way));
    const int piston = mechanism_add(m, "piston", 1.0, kv3(0.02, 0.02, 0.02), kv3_add_scaled(pivot, 0.7, way));
    (void)mechanism_hang(m, piston, KANE_JOINT_PRISMATIC, "cylinder", kv3_add_scaled(pivot, 0.7, way), axes);
    mechanism_close(m, "pin", KANE_CONSTRAINT_SPHERICAL, "crank", "piston", tip, planar_axes())->closed = closed;
}

static double left_cylinder(const mechanism *m, const kane_work *work)
{
    const double a = atan2(1.0, 0.0) + mechanism_coordinate(m, work, 0, 0);
    return hypot(ground - crank * cos(a), crank * sin(a)) - hypot(ground, crank) - mechanism_coordinate(m, work, 2, 0);
}

// A wheel of half the size drives backwards; its mass centre is off the axle.
static void build_gear(mechanism *m, kane_closed_form closed)
{
    (void)begin(m);
    (void)mechanism_bar(m, "wheel", NULL, 1.0, 0.01, planar(1.0, 0.0), planar(1.1, 0.0));
    mechanism_relate(m, "gear", "crank", 2.0, "wheel", 1.0, 0.3)->closed = closed;
}

static double left_gear(const mechanism *m, const kane_work *work)
{
    return 2.0 * mechanism_coordinate(m, work, 0, 0) + mechanism_coordinate(m, work, 1, 0) - 0.3;
}

static const sample samples[] = {
    {build_four_bar, KANE_CLOSED_FOUR_BAR, left_four_bar},
    {build_slider_crank, KANE_CLOSED_SLIDER_CRANK, left_slider_crank},
    {build_cylinder, KANE_CLOSED_FOUR_BAR_SLIDER, left_cylinder},
    {build_gear, KANE_CLOSED_TRANSMISSION, left_gear},
};

static void get(const mechanism *m, const kane_work *work, int body, double *q, double *rate, double *acceleration)
{
    assert_int_equal(kane_get_joint(m->model, work, body, q, rate, acceleration), 1);
}

// The same state in b as in a gives the same coordinates and accelerations.
static void check_evaluation(const mechanism *a, const kane_work *work, mechanism *b)
{
    double qa, ra, aa, qb, rb, ab;
    for (int j = 0; j < a->vehicle.body_count; j++) {
        get(a, work, j, &qa, &ra, &aa);
        kane_put_joint(b->model, b->work, j, &qa, &ra);
    }
    kane_put_joints_end(b->model, b->work, b->y);
    mechanism_eval(b, 0.0);
    for (int j = 0; j < a->vehicle.body_count; j++) {
        get(a, work, j, &qa, &ra, &aa);
        get(b, b->work, j, &qb, &rb, &ab);
        check_near(qa, qb, 1e-12);
        check_near(ra, rb, 1e-10);
        check_near(aa, ab, 1e-10 * fmax(1.0, fabs(aa)));
    }
}

// Two runs differ by what integration errs.
static void check_run(const mechanism *a, const kane_work *work_a, const mechanism *b, const kane_work *work_b)
{
    for (int j = 0; j < a->vehicle.body_count; j++) {
        check_near(mechanism_coordinate(a, work_a, j, 0), mechanism_coordinate(b, work_b, j, 0), 1e-8);
        check_near(mechanism_rate(a, work_a, j, 0), mechanism_rate(b, work_b, j, 0), 1e-7);
    }
}

CHECK_TEST(test_runs)
{
    const kane_settings settings = mechanism_settings(1e-12);
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        CHECK_END(mechanism_close_all) mechanism newton = {0}, closed = {0};
        samples[i].build(&newton, KANE_CLOSED_NONE);
        samples[i].build(&closed, samples[i].closed);
        mechanism_open(&newton, KANE_FORM_COEFFICIENTS);
        mechanism_open(&closed, KANE_FORM_COEFFICIENTS);
        mechanism_run(&newton, &settings);
        mechanism_run(&closed, &settings);
        for (int k = 1; k <= 30; k++) {
            const kane_work *by_newton = mechanism_go(&newton, 0.1 * k), *by_form = mechanism_go(&closed, 0.1 * k);
            check_near(samples[i].left(&newton, by_newton), 0.0, 1e-13);
            check_near(samples[i].left(&closed, by_form), 0.0, 1e-13);
            check_run(&newton, by_newton, &closed, by_form);
            check_evaluation(&newton, by_newton, &closed);
        }
    }
}

// A loop of another shape has another closed form.
CHECK_TEST(test_shapes)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        for (size_t k = 0; k < sizeof samples / sizeof *samples; k++) {
            CHECK_ERRORS errors = {0};
            mechanism m;
            samples[i].build(&m, samples[k].closed);
            CHECK_OWNED(kane_model) *model = mechanism_compile(&m, KANE_FORM_COEFFICIENTS, &errors);
            assert_int_equal(errors.count, i == k ? 0 : 1);
            assert_int_equal(model != NULL, i == k);
        }
}

CHECK_MAIN(NULL, NULL)
