// SPDX-License-Identifier: MIT
// "centre plate": what it carries, how it rocks, what holds it and what turns it.

#include "unit/force/law_bench.h"

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

CHECK_TEST(it_carries_slides_and_turns)
{
    CHECK_FREED(bench) b = bench_create(&kane_law_centre_plate, &plate, kv3_zero(), kv3(0, 0, 300e3));
    const posture rest   = {0};
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
}

CHECK_TEST(it_rocks_until_the_edge_carries)
{
    CHECK_FREED(bench) b = bench_create(&kane_law_centre_plate, &plate, kv3_zero(), kv3(0, 0, 300e3));
    const double k0      = 1e9 * 0.15 * 0.15 / 4.0; // of an elastic layer
    posture p            = {.phi = {1e-6, 0, 0}};
    check_relative(bench_eval(&b, &p).torque.x, -k0 * 1e-6, 1e-4);
    p.phi = kv3(0, 0.08, 0);                                    // 10 times the angle of 8 mrad
    p.d.z = 0.15 * (sqrt(0.08 * 0.08 + 0.008 * 0.008) - 0.008); // as high as it then stands
    check_vec3(bench_eval(&b, &p).force, kv3(0, 0, 300e3), 1e-3);
    check_relative(bench_eval(&b, &p).torque.y, -300e3 * 0.15 * 10.0 / sqrt(101.0), 1e-9);
    p.d.z = 0.1; // lifted
    check_vec3(bench_eval(&b, &p).torque, kv3_zero(), 0.0);
}

CHECK_TEST(its_ring_holds_it)
{
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

CHECK_MAIN(NULL, NULL)
