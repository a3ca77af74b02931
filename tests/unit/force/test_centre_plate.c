// SPDX-License-Identifier: MIT
// "centre plate" and "side bearer": what they carry, how they rock, what holds them and what turns them.

#include "unit/force/law_bench.h"

static const kane_dry_friction stick = {.stick_displacement = 0.5e-3, .stick_damping = 1e3};

// 300 kN on a plate of 0.15 m radius, 1 GN/m.
static const kane_centre_plate plate = {
    .radius = 0.15, .coefficient = 0.2, .stiffness = 1e9, .onset = 1e-5, .friction = {.stick_displacement = 0.5e-3}};

static void straight(const void *data, double t, posture *p)
{
    const kane_vec3 *v = data;
    p->v               = v[0];
    p->w               = v[1];
    p->d               = kv3_scale(t, v[0]);
    p->phi             = kv3_scale(t, v[1]);
}

static void it_carries_slides_and_turns(void **state)
{
    (void)state;
    bench b            = bench_create(&kane_law_centre_plate, &plate, kv3_zero(), kv3(0, 0, 300e3));
    const posture rest = {0};
    check_vec3(bench_eval(&b, &rest).force, kv3(0, 0, 300e3), 1e-6);
    const kane_vec3 slide[] = {{0.06, -0.08, 0}, {0, 0, 0}}, turn[] = {{0, 0, 0}, {0, 0, 0.2}};
    posture p = bench_move(&b, straight, slide, 0.0, 0.1, 20000, (posture){0});
    check_vec3(bench_eval(&b, &p).force, kv3(-36e3, 48e3, 300e3), 0.1);
    check_vec3(bench_eval(&b, &p).torque, kv3_zero(), 0.1);
    p = bench_move(&b, straight, turn, 0.0, 0.5, 20000, (posture){0});
    check_vec3(bench_eval(&b, &p).torque, kv3(0, 0, -2.0 / 3.0 * 0.2 * 300e3 * 0.15), 0.01);
    // both at once share the limit: 0.03 m/s each, one of them at 2/3 of the radius
    const kane_vec3 both[] = {{0.03, 0, 0}, {0, 0, 0.3}};
    p                      = bench_move(&b, straight, both, 0.0, 0.5, 20000, (posture){0});
    check_near(bench_eval(&b, &p).force.x, -60e3 / sqrt(2.0), 0.1);
    check_near(bench_eval(&b, &p).torque.z, -6e3 / sqrt(2.0), 0.1);
    bench_free(&b);
}

static void it_rocks_until_the_edge_carries(void **state)
{
    (void)state;
    bench b         = bench_create(&kane_law_centre_plate, &plate, kv3_zero(), kv3(0, 0, 300e3));
    const double k0 = 1e9 * 0.15 * 0.15 / 4.0; // of an elastic layer
    posture p       = {.phi = {1e-6, 0, 0}};
    check_relative(bench_eval(&b, &p).torque.x, -k0 * 1e-6, 1e-4);
    p.phi = kv3(0, 0.08, 0);                                    // 10 times the angle of 8 mrad
    p.d.z = 0.15 * (sqrt(0.08 * 0.08 + 0.008 * 0.008) - 0.008); // as high as it then stands
    check_vec3(bench_eval(&b, &p).force, kv3(0, 0, 300e3), 1e-3);
    check_relative(bench_eval(&b, &p).torque.y, -300e3 * 0.15 * 10.0 / sqrt(101.0), 1e-9);
    p.d.z = 0.1; // lifted
    check_vec3(bench_eval(&b, &p).torque, kv3_zero(), 0.0);
    bench_free(&b);
}

static void its_ring_holds_it(void **state)
{
    (void)state;
    kane_centre_plate ringed = plate;
    ringed.ring_stiffness    = 1e8;
    ringed.ring_clearance    = 3e-3;
    ringed.stiffness         = 1e8;
    ringed.dissipation       = 0.5;
    ringed.rocking_angle     = 0.01;
    bench b                  = bench_create(&kane_law_centre_plate, &ringed, kv3_zero(), kv3(0, 0, 300e3));
    const posture in = {.d = {0, 2.9e-3, 0}}, out = {.d = {2.4e-3, -3.2e-3, 0}};
    check_vec3(bench_eval(&b, &in).force, kv3(0, 0, 300e3), 1e-6);
    // 1 mm beyond the clearance, half the onset less
    check_vec3(bench_eval(&b, &out).force, kv3(-0.6 * 99500.0, 0.8 * 99500.0, 300e3), 1e-3);
    bench_check_all(&b, 1, 4e-3, 0.02, 3e5, 1e3);
    bench_free(&b);
    b = bench_create(&kane_law_centre_plate, &ringed, kv3_zero(), kv3(0, 0, -300e3));
    bench_check_all(&b, 2, 4e-3, 0.02, 3e5, 1e3);
    bench_free(&b);
    ringed.block.name = "pivot";
    bench_expect_error(
        &kane_law_centre_plate, &ringed, 0.0,
        "'pivot' has no friction at rest: how stiff it sticks needs \"nominal_load\", and a coefficient");
    ringed.friction.model      = KANE_FRICTION_SMOOTH;
    ringed.friction.slip_speed = 1e-3;
    ringed.rocking_angle       = 0.0;
    bench_expect_error(&kane_law_centre_plate, &ringed, 0.0,
                       "'pivot' carries nothing at rest: how stiff it rocks needs \"rocking_angle\"");
}

// 20 kN on 1 MN/m.
static void a_side_bearer_is_pressed(void **state)
{
    (void)state;
    const kane_side_bearer in = {.bearing_load = 20e3,
                                 .stiffness    = 1e6,
                                 .onset        = 1e-3,
                                 .coefficient  = 0.3,
                                 .dissipation  = 0.2,
                                 .friction     = stick};
    bench b                   = bench_create(&kane_law_side_bearer, &in, kv3_zero(), kv3_zero());
    posture p                 = {0};
    check_vec3(bench_eval(&b, &p).force, kv3(0, 0, 20e3), 1e-6);
    p.d.z = -5e-3;
    check_vec3(bench_eval(&b, &p).force, kv3(0, 0, 25e3), 1e-6);
    const kane_vec3 v[] = {{0.3, 0.4, 0}, {0, 0, 0}};
    p                   = bench_move(&b, straight, v, 0.0, 0.1, 20000, (posture){0});
    check_vec3(bench_eval(&b, &p).force, kv3(-3600, -4800, 20e3), 1e-2);
    bench_check_all(&b, 3, 0.02, 0.1, 2e4, 1e3);
    bench_free(&b);
}

static void a_side_bearer_has_a_gap(void **state)
{
    (void)state;
    const double at[] = {0.0, 0.01}, force[] = {0.0, 50e3};
    kane_side_bearer in = {.direction = 1, .clearance = 8e-3, .coefficient = 0.3, .onset = 1e-3, .friction = stick};
    in.characteristic   = (kane_characteristic){.at = {at, 2}, .force = {force, 2}};
    bench_expect_error(&kane_law_side_bearer, &in, 0.0,
                       "'' has no friction at rest: how stiff it sticks needs \"nominal_load\", and a coefficient");
    in.friction.nominal_load = 20e3;
    bench b                  = bench_create(&kane_law_side_bearer, &in, kv3_zero(), kv3_zero());
    posture p                = {.d = {0, 0, 7.9e-3}, .v = {1, 1, 1}, .state = {0.3, 0.2}};
    check_vec3(bench_eval(&b, &p).force, kv3_zero(), 0.0);
    p = (posture){.d = {0, 0, 10e-3}};
    check_vec3(bench_eval(&b, &p).force, kv3(0, 0, -10e3), 1e-6); // b is above and pushes down
    bench_check_all(&b, 4, 0.02, 0.1, 2e4, 1e3);
    bench_free(&b);
    in.bearing_load = 1e3;
    bench_expect_error(&kane_law_side_bearer, &in, 0.0,
                       "a bearer that is pressed by 1000 N has no clearance; leave one of them out");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_carries_slides_and_turns), cmocka_unit_test(it_rocks_until_the_edge_carries),
        cmocka_unit_test(its_ring_holds_it),           cmocka_unit_test(a_side_bearer_is_pressed),
        cmocka_unit_test(a_side_bearer_has_a_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
