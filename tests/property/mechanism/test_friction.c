// SPDX-License-Identifier: MIT
// Bodies that rest on dry friction stay there in a simulation, for an hour, and those that slip lose what friction
// takes.

#include "mechanisms.h"

#define SLOPE 0.1 // of the incline [rad]

// x goes down by SLOPE.
static kane_mat3 incline(void)
{
    return km3_turn_y(km3_identity(), sin(SLOPE), cos(SLOPE));
}

// A block of 1000 kg that slides down an incline along x and stands on its friction.
static kane_friction build(mechanism *m, double coefficient)
{
    const kane_mat3 axes = incline();
    mechanism_begin(m, 9.81);
    const int block = mechanism_add(m, "block", 1000.0, kv3(50, 50, 50), kv3(0, 0, 0.3));
    (void)mechanism_hang(m, block, KANE_JOINT_PRISMATIC, NULL, kv3(0, 0, 0.3), (kane_mat3){axes.y, axes.z, axes.x});
    return (kane_friction){
        .directions = 0,
        .force      = coefficient * 9810.0 * cos(SLOPE),
        .friction   = {.stick_displacement = 0.5e-3, .stick_damping = 2e4},
    };
}

static void lay(mechanism *m, const kane_friction *friction)
{
    kane_element_definition *e =
        mechanism_element(m, "base", &kane_law_friction, friction, NULL, kv3_zero(), "block", kv3_zero());
    e->axes = incline();
}

static double place(mechanism *m, double t)
{
    return mechanism_coordinate(m, mechanism_go(m, t), 0, 0);
}

CHECK_TEST(a_block_rests_for_an_hour)
{
    CHECK_END(mechanism_close_all) mechanism m = {0};
    kane_statistics statistics;
    const kane_friction friction = build(&m, 0.2);
    lay(&m, &friction);
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    const kane_settings settings = kane_settings_default();
    mechanism_run(&m, &settings);
    const double settled = place(&m, 30.0);
    mechanism_check_jacobian(&m, 1e-6);
    const double later = place(&m, 3600.0);
    kane_simulation_statistics(m.simulation, &statistics);
    // the weight's share of tan 0.1/0.2 = half of the limit, as the layer is stiff
    check_relative(settled, 0.5e-3 * tan(SLOPE) / 0.2, 1e-4);
    check_near(later, settled, 1e-9);
    assert_true(statistics.steps < 2000);
}

// On the block a smaller one swings on a spring without damping, with a tenth of the limit.
CHECK_TEST(it_rests_though_it_is_shaken)
{
    CHECK_END(mechanism_close_all) mechanism m = {0};
    const kane_spring spring                   = {.stiffness = 4e3};
    const kane_friction friction               = build(&m, 0.4);
    const kane_mat3 axes                       = incline();
    const int rider                            = mechanism_add(&m, "rider", 100.0, kv3(5, 5, 5), kv3(0, 0, 1.0));
    (void)mechanism_hang(&m, rider, KANE_JOINT_PRISMATIC, "block", kv3(0, 0, 1.0), (kane_mat3){axes.y, axes.z, axes.x});
    lay(&m, &friction);
    (void)mechanism_element(&m, "spring", &kane_law_spring, &spring, "block",
                            kv3_add_scaled(kv3(0, 0, 1), -5.0, axes.x), "rider", kv3(0, 0, 1.0));
    m.starts[rider].q[0]   = 0.1 + 981.0 * sin(SLOPE) / 4e3;
    m.starts[rider].held_q = 1u;
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    const kane_settings settings = mechanism_settings(1e-8);
    mechanism_run(&m, &settings);
    // how far it has slipped: its place less what the layer gives way
    const int last = kane_model_state_count(m.model) - 1;
    double least = 1.0, most = -1.0, slipped = 0.0;
    for (int k = 0; k < 20; k++) {
        const double x = place(&m, 10.0 + 0.07 * k);
        least          = fmin(least, x);
        most           = fmax(most, x);
        slipped        = x - 0.5e-3 * kane_simulation_state(m.simulation)[last];
    }
    check_near(slipped, 0.0, 1e-9);
    check_relative(0.5 * (least + most), 0.5e-3 * 1.1 * tan(SLOPE) / 0.4, 0.1);
    assert_true(most - least > 0.15 * 0.5e-3); // 0.1 m on 4 kN/m are a tenth of the limit, both ways
    slipped = place(&m, 3600.0) - 0.5e-3 * kane_simulation_state(m.simulation)[last];
    check_near(slipped, 0.0, 1e-9);
}

// Pushed down the incline at 2 m/s it is braked by friction less weight, and stops where its energy is gone.
CHECK_TEST(a_block_stops_where_its_energy_is_gone)
{
    CHECK_END(mechanism_close_all) mechanism m = {0};
    const kane_friction friction               = build(&m, 0.2);
    lay(&m, &friction);
    m.starts[0].rate[0]   = 2.0;
    m.starts[0].held_rate = 1u;
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    const kane_settings settings = mechanism_settings(1e-9);
    mechanism_run(&m, &settings);
    const double brake = 0.2 * 9.81 * cos(SLOPE) - 9.81 * sin(SLOPE), at_once = 2.0 - 0.5 * brake;
    (void)mechanism_go(&m, 0.5);
    check_near(mechanism_rate(&m, kane_simulation_work(m.simulation), 0, 0), at_once, 1e-5);
    mechanism_check_jacobian(&m, 2e-5); // where it slips second derivatives have a corner
    // it builds up the layer of 0.5 mm first, of which some comes back
    check_near(place(&m, 10.0), 4.0 / (2.0 * brake), 0.5e-3);
    check_near(mechanism_rate(&m, kane_simulation_work(m.simulation), 0, 0), 0.0, 1e-6);
}

// A free block whose weight is found to lie on its friction: pushed aslant it slides straight, v^2/(2 mu g) far.
CHECK_TEST(weight_makes_the_limit)
{
    CHECK_END(mechanism_close_all) mechanism m = {0};
    const kane_friction friction               = {.directions  = 3,
                                                  .coefficient = 0.3,
                                                  .stiffness   = 1e8,
                                                  .onset       = 1e-4,
                                                  .dissipation = 0.5,
                                                  .friction    = {.stick_displacement = 0.5e-3, .stick_damping = 2e4}};
    const double way                           = 1.0 / (2.0 * 0.3 * 9.81);
    double q[KANE_COORDINATES], rates[KANE_COORDINATES];
    mechanism_begin(&m, 9.81);
    (void)mechanism_add(&m, "block", 1000.0, kv3(50, 60, 70), kv3(0, 0, 0.3));
    kane_element_definition *base =
        mechanism_element(&m, "base", &kane_law_friction, &friction, NULL, kv3(0, 0, 0.3), "block", kv3(0, 0, 0.3));
    base->preload                = KANE_PRELOAD_SOLVED;
    m.starts[0].rate[0]          = 0.6;
    m.starts[0].rate[1]          = -0.8;
    m.starts[0].held_rate        = 3u;
    const kane_settings settings = mechanism_settings(1e-9);
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    mechanism_run(&m, &settings);
    (void)mechanism_go(&m, 0.2);
    mechanism_check_jacobian(&m, 1e-5);
    kane_get_relative(m.model, mechanism_go(&m, 5.0), 0, q, rates);
    check_near(q[KANE_X], 0.6 * way, 1e-3);
    check_near(q[KANE_Y], -0.8 * way, 1e-3);
    check_near(q[KANE_X] / q[KANE_Y], -0.75, 1e-6);
    check_near(q[KANE_Z], 0.3, 1e-9);
    check_near(rates[KANE_X], 0.0, 1e-6);
}

// A mass let fall by 20 mm on a leaf spring: its energy only goes, and it comes to rest where the leaves hold it.
CHECK_TEST(a_leaf_spring_only_takes_energy)
{
    CHECK_END(mechanism_close_all) mechanism m = {0};
    const kane_leaf_spring spring              = {.stiffness   = 1e5,
                                                  .onset       = 1e-3,
                                                  .coefficient = 0.1,
                                                  .friction    = {.stick_displacement = 0.5e-3, .stick_damping = 5e3}};
    mechanism_begin(&m, 9.81);
    const int mass = mechanism_add(&m, "mass", 1000.0, kv3(50, 60, 70), kv3(0, 0, 1));
    (void)mechanism_hang(&m, mass, KANE_JOINT_PRISMATIC, NULL, kv3(0, 0, 1), km3_identity());
    kane_element_definition *e =
        mechanism_element(&m, "spring", &kane_law_leaf_spring, &spring, NULL, kv3(0, 0, 1), "mass", kv3(0, 0, 1));
    e->load               = kv3(0, 0, 9810.0);
    m.starts[mass].q[0]   = 0.02;
    m.starts[mass].held_q = 1u;
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    const kane_settings settings = mechanism_settings(1e-9);
    mechanism_run(&m, &settings);
    double before = mechanism_energy(&m, mechanism_go(&m, 0.0)), first = before;
    for (int i = 1; i <= 500; i++) {
        const double now = mechanism_energy(&m, mechanism_go(&m, 0.01 * i));
        assert_true(now <= before + 1e-6);
        before = now;
    }
    // of the 20 J of 20 mm on 100 kN/m little is left: the mass lies within 10 mm of the middle
    check_near(first - before, 20.0, 0.5);
    check_below(fabs(mechanism_coordinate(&m, kane_simulation_work(m.simulation), mass, 0)), 0.01);
    check_near(mechanism_rate(&m, kane_simulation_work(m.simulation), mass, 0), 0.0, 1e-6);
}

CHECK_MAIN(NULL, NULL)
