// SPDX-License-Identifier: MIT
// "side bearer": pressed by a given load, or behind a gap.

#include "unit/force/law_bench.h"

static const kane_dry_friction stick = {.stick_displacement = 0.5e-3, .stick_damping = 1e3};

// Away from rest at a constant velocity.
static void straight(const void *data, double t, posture *p)
{
    p->v = *(const kane_vec3 *)data;
    p->d = kv3_scale(t, p->v);
}

// 20 kN on 1 MN/m.
CHECK_TEST(a_side_bearer_is_pressed)
{
    const kane_side_bearer in = {.bearing_load = 20e3,
                                 .stiffness    = 1e6,
                                 .onset        = 1e-3,
                                 .coefficient  = 0.3,
                                 .dissipation  = 0.2,
                                 .friction     = stick};
    CHECK_FREED(bench) b      = bench_create(&kane_law_side_bearer, &in, kv3_zero(), kv3_zero());
    posture p                 = {0};
    check_vec3(bench_eval(&b, &p).force, kv3(0, 0, 20e3), 1e-6);
    p.d.z = -5e-3;
    check_vec3(bench_eval(&b, &p).force, kv3(0, 0, 25e3), 1e-6);
    const kane_vec3 v = {0.3, 0.4, 0};
    p                 = bench_move(&b, straight, &v, 0.0, 0.1, 20000, (posture){0});
    check_vec3(bench_eval(&b, &p).force, kv3(-3600, -4800, 20e3), 1e-2);
    bench_check_all(&b, 3, 0.02, 0.1, 2e4, 1e3);
}

CHECK_TEST(a_side_bearer_has_a_gap)
{
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

CHECK_TEST(a_spline_that_falls_is_refused)
{
    const double at[] = {0.0, 0.01, 0.011, 0.02}, force[] = {0.0, 1e3, 50e3, 51e3};
    kane_side_bearer in = {.coefficient = 0.3, .onset = 1e-3, .friction = stick};
    in.characteristic   = (kane_characteristic){.at = {at, 4}, .force = {force, 4}, .interpolation = KANE_SPLINE};
    bench_expect_error(&kane_law_side_bearer, &in, 0.0,
                       "its spline falls between points that grow; take more points, or straight lines");
}

CHECK_MAIN(NULL, NULL)
