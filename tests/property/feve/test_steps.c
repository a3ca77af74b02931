// SPDX-License-Identifier: MIT
// The FEVE 3000 by steps of fixed cost: linearly implicit Euler and two-step BDF against BDF at tight tolerances.

#include "property/feve/feve.h"

// A curve that wheels take on their treads. Where a flange comes near its rail, imex needs a Jacobian in each step of 1
// ms.
#define TREAD ONE_SIDED, GENTLE_BY("4000"), "vehicle.bodies.car.start={\"y\": 0.001}"

enum { ROWS = 14 };
static const double every = 0.2;

// Lateral places [m] and normal forces of both wheels [N] of each axle, at even times; the largest gap [m], how far
// contact planes lean at most.
typedef struct record {
    double place[ROWS][FEVE_AXLES], N[ROWS][FEVE_AXLES][2], gap, steepest;
} record;

static void read_row(const wagon *w, record *r, int row)
{
    const kane_work *work = kane_simulation_work(w->simulation);
    for (int k = 0; k < FEVE_AXLES; k++) {
        const int body = feve_axle(w, k), wheels = w->model->bodies[body].wheels;
        double q[6], rates[6];
        kane_get_relative(w->model, work, body, q, rates);
        r->place[row][k] = q[KANE_Y];
        for (int side = 0; side < 2; side++) {
            r->N[row][k][side] = work->wheels[wheels].guidance.N[side];
            r->gap             = fmax(r->gap, fabs(work->wheels[wheels].guidance.gap[side]));
            r->steepest        = fmax(r->steepest, fabs(work->wheels[wheels].guidance.contact_point[side].normal.y));
        }
    }
}

static record carry_out(const char *const *settings)
{
    CHECK_FREED(wagon) w = wagon_read("feve-curve", settings);
    record r             = {.gap = 0.0};
    wagon_start(&w);
    for (int i = 0; i < ROWS; i++) {
        assert_true(wagon_go(&w, every * (i + 1)));
        read_row(&w, &r, i);
    }
    return r;
}

// Largest differences.
static void compare(const record *a, const record *b, double *place, double *N)
{
    *place = *N = 0.0;
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < FEVE_AXLES; k++) {
            *place = fmax(*place, fabs(a->place[i][k] - b->place[i][k]));
            for (int side = 0; side < 2; side++)
                *N = fmax(*N, fabs(a->N[i][k][side] / b->N[i][k][side] - 1.0));
        }
}

// Of three steps, each half as long as the one before.
static void errors_of(const char *method, const record *reference, double place[3], double N[3], double gap[3])
{
    static const char *const steps[] = {"integrator.step=2e-3", "integrator.step=1e-3", "integrator.step=0.5e-3"};
    for (int i = 0; i < 3; i++) {
        const char *const settings[] = {method, steps[i], TREAD, NULL};
        const record r               = carry_out(settings);
        compare(&r, reference, &place[i], &N[i]);
        gap[i]               = r.gap;
        const char *const by = method + strlen("integrator.method="), *const step =
                                                                          steps[i] + strlen("integrator.step=");
        check_figure(place[i], "%s, %s: places", by, step);
        check_figure(N[i], "%s, %s: forces", by, step);
        check_figure(gap[i], "%s, %s: gaps", by, step);
        if (getenv("KANE_SHOW"))
            print_message("%s, %s: places within %.3g mm, normal forces within %.3g %%, gaps of %.2g m\n", method,
                          steps[i], 1e3 * place[i], 1e2 * N[i], gap[i]);
    }
}

// At 1 ms lateral places are within .2 mm and normal forces within 1 %.
static void falls_in_proportion(const double place[3], const double N[3])
{
    check_near(place[0] / place[1], 2.0, 0.3);
    check_near(place[1] / place[2], 2.0, 0.2);
    check_near(place[1], 0.0, 2e-4);
    check_near(N[1], 0.0, 0.01);
}

CHECK_TEST(errors_fall_with_the_order)
{
    static const char *const exact[] = {TIGHT, TREAD, NULL};
    const record reference           = carry_out(exact);
    double place[3], N[3], gap[3];
    errors_of("integrator.method=imex", &reference, place, N, gap);
    falls_in_proportion(place, N);
    check_near(gap[0], 0.0, 1e-14);
    errors_of("integrator.method=semi_implicit", &reference, place, N, gap);
    falls_in_proportion(place, N);
    check_near(gap[1], 0.0,
               1e-8); // nobody projects: gaps are closed where the speeds lead to, but for terms of second order
    check_near(gap[0] / gap[1], 4.0, 0.2);
    errors_of("integrator.method=bdf2", &reference, place, N, gap);
    check_near(place[1] / place[2], 4.0, 0.5);
    check_near(place[0], 0.0, 2e-4);
    check_near(N[0], 0.0, 0.01);
    check_near(gap[0], 0.0, 1e-8);
}

// The curve of the scenario, in which flanges meet their rails: within a step of 1 ms a contact goes from tread to
// flange. What stops the wheelset there is found for the whole step.
CHECK_TEST(flanges_meet_their_rails_within_a_step)
{
    static const char *const how[2][4] = {{"integrator.method=semi_implicit", "integrator.step=1e-3", NULL}, {NULL}};
    record r[2];
    double place, N;
    for (int i = 0; i < 2; i++)
        r[i] = carry_out(how[i]);
    compare(&r[0], &r[1], &place, &N);
    if (getenv("KANE_SHOW"))
        print_message("flanges: places within %.3g mm\n", 1e3 * place);
    check_near(place, 0.0, 1e-4);
    assert_true(r[0].steepest > 0.5 && r[1].steepest > 0.5); // on flanges
}

// Alone, without a simulation: the same motion where no event cuts its steps.

CHECK_TEST(a_stepper_does_the_same)
{
    static const char *const settings[] = {"integrator.method=imex",
                                           "integrator.step=1e-3",
                                           ONE_SIDED,
                                           "track.sections=[{\"straight\":300}]",
                                           "vehicle.bodies.car.start={\"y\": 0.001}",
                                           NULL};
    CHECK_FREED(wagon) w                = wagon_read("feve-curve", settings);
    CHECK_ERRORS errors                 = {0};
    wagon_start(&w);
    CHECK_OWNED(kane_stepper) *stepper = kane_stepper_create(w.model, &w.definition.settings, &errors);
    CHECK_MEMORY double *y             = calloc((size_t)kane_model_state_count(w.model), sizeof *y);
    assert_int_equal(kane_stepper_start(stepper, y, &errors), KANE_OK);
    memcpy(y, kane_simulation_state(w.simulation), (size_t)kane_model_state_count(w.model) * sizeof *y);
    for (int i = 0; i < 500; i++)
        assert_int_equal(kane_stepper_step(stepper, 1e-3 * i, 1e-3, y), KANE_OK);
    assert_true(wagon_go(&w, 0.5));
    for (int i = 0; i < kane_model_state_count(w.model); i++)
        check_near(y[i], kane_simulation_state(w.simulation)[i], 1e-8 * (1.0 + fabs(y[i])));
}

CHECK_MAIN(NULL, NULL)
