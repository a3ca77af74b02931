// SPDX-License-Identifier: MIT
// "drawgear": slack, branches of loading and unloading, what a cycle eats.

#include "unit/force/law_bench.h"

// Tension 10 MN/m with a third of friction, compression 20 MN/m with a half, 20 mm of slack.
static const kane_drawgear gear = {.tension            = {.stiffness = 10e6, .friction = 1.0 / 3.0},
                                   .compression        = {.stiffness = 20e6, .friction = 0.5},
                                   .slack              = 0.02,
                                   .onset              = 1e-3,
                                   .stick_displacement = 1e-3,
                                   .nominal_force      = 100e3};

// To data[0] and back to data[1], at 0.1 m/s.
static void there_and_back(const void *data, double t, posture *p)
{
    const double *turn = data, way = 0.1 * t, reach = fabs(turn[0]), sign = turn[0] < 0.0 ? -1.0 : 1.0;
    const int back = way > reach;
    p->d.x         = sign * (back ? 2.0 * reach - way : way);
    p->v.x         = back ? -0.1 * sign : 0.1 * sign;
}

static double tension_at(const bench *b, posture p)
{
    p.v = kv3_zero();
    return -bench_eval(b, &p).force.x;
}

CHECK_TEST(it_loads_and_unloads_by_two_branches)
{
    CHECK_FREED(bench) b = bench_create(&kane_law_drawgear, &gear, kv3(1.0, 0, 0), kv3_zero());
    // pulled by 40 mm, 30 of them behind the slack: 10 MN/m (30 - 0.5) mm = 295 kN, and a third more
    double turn = 0.04;
    posture p   = bench_move(&b, there_and_back, &turn, 0.0, 0.4, 40000, (posture){0});
    check_relative(tension_at(&b, p), 4.0 / 3.0 * 295e3, 3e-4); // where the limit grows the layer lags a little
    // back to 30 mm: 195 kN less a third
    p = bench_move(&b, there_and_back, &turn, 0.4 + 1e-9, 0.5, 10000, p);
    check_relative(tension_at(&b, p), 2.0 / 3.0 * 195e3, 3e-4);
    p = bench_move(&b, there_and_back, &turn, 0.5, 0.75, 25000, p); // in the slack
    check_near(p.d.x, 0.005, 1e-12);
    check_near(tension_at(&b, p), 0.0, 1e-9);
    // pushed by 30 mm: 20 MN/m (20 - 0.5) mm = 390 kN, and a half more
    turn = -0.03;
    p    = bench_move(&b, there_and_back, &turn, 0.0, 0.3, 40000, (posture){0});
    check_relative(tension_at(&b, p), -1.5 * 390e3, 3e-4);
    p = bench_move(&b, there_and_back, &turn, 0.3 + 1e-9, 0.4, 10000, p);
    check_relative(tension_at(&b, p), -0.5 * 190e3, 3e-4);
}

// A cycle of tension eats 2 f/(1 + f) of what went in: a half for a third of friction.
CHECK_TEST(a_cycle_eats_what_the_branches_enclose)
{
    kane_drawgear soft      = gear;
    soft.stick_displacement = 1e-4;
    CHECK_FREED(bench) b    = bench_create(&kane_law_drawgear, &soft, kv3(1.0, 0, 0), kv3_zero());
    const double turn       = 0.06;
    double in = 0.0, out = 0.0;
    posture p = {0};
    for (int i = 0; i < 12000; i++) {
        const double t    = 1e-4 * i;
        p                 = bench_move(&b, there_and_back, &turn, t, t + 1e-4, 20, p);
        const double work = -0.1 * 1e-4 * (i < 6000 ? 1.0 : -1.0) * bench_eval(&b, &p).force.x;
        *(work > 0.0 ? &in : &out) += work;
    }
    check_relative(-out / in, 0.5, 0.02);
    check_relative(in, 4.0 / 3.0 * 0.5 * 10e6 * 0.0495 * 0.0495, 0.02);
}

CHECK_TEST(it_carries_nothing_and_never_makes_energy)
{
    kane_drawgear damped = gear;
    damped.damping       = 5e3;
    bench b              = bench_create(&kane_law_drawgear, &damped, kv3(0.8, 0.1, -0.05), kv3_zero());
    const posture rest   = {0};
    check_vec3(bench_eval(&b, &rest).force, kv3_zero(), 0.0);
    check_near(bench_energy(&b, &rest), 0.0, 0.0);
    // in the slack there is the damper alone
    const posture inside = {.d = {0.004, 0, 0}, .v = {0.5, 0, 0}};
    const double along   = 0.804 / sqrt(0.804 * 0.804 + 0.0125);
    check_relative(bench_eval(&b, &inside).force.x, -5e3 * 0.5 * along * along, 1e-12);
    bench_check_all(&b, 7, 0.03, 0.1, 1e5, 1e3);
    bench_free(&b);
    const double at[] = {0.0, 0.01, 0.05}, force[] = {0.0, 2e5, 4e5};
    damped.slack                  = 0.0;
    damped.tension.characteristic = (kane_characteristic){.at = {at, 3}, .force = {force, 3}};
    b                             = bench_create(&kane_law_drawgear, &damped, kv3(0, 0.8, 0), kv3_zero());
    const posture pulled          = {.d = {0, 0.03, 0}};
    check_vec3(bench_eval(&b, &pulled).force, kv3(0, -3e5, 0), 1e-6);
    bench_check_all(&b, 8, 0.03, 0.1, 1e5, 1e3);
    bench_free(&b);
}

CHECK_TEST(what_makes_no_sense_is_refused)
{
    kane_drawgear bad = {.nominal_force = 1e5, .stick_displacement = 1e-3, .onset = 1e-3};
    bad.block.name    = "coupler";
    const double at[] = {0.001, 0.01}, from_zero[] = {0.0, 0.01}, force[] = {0.0, 2e5};
    bench_expect_error(&kane_law_drawgear, &bad, 0.0,
                       "'coupler' needs a stiffness and an onset that are positive, or a characteristic");
    bad.tension.characteristic = (kane_characteristic){.at = {at, 2}, .force = {force, 2}};
    bench_expect_error(&kane_law_drawgear, &bad, 0.0, "begins at 0.001 m with 0 N; must begin at 0 with 0");
    bad.compression.stiffness = 1e6;
    bench_expect_error(&kane_law_drawgear, &bad, 0.0, "begins at 0.001 m with 0 N; must begin at 0 with 0");
    bad.tension.characteristic.at.values = from_zero;
    bench_expect_error(&kane_law_drawgear, &bad, 0.0,
                       "both points of 'coupler' are the same, so that its line has no direction; give that of "
                       "the second body in \"to\", or a coupler of a train a \"length\"");
    bad.nominal_force = 0.0;
    bench_expect_error(&kane_law_drawgear, &bad, 0.0, "\"nominal_force\" and \"stick_displacement\" must be positive");
}

CHECK_MAIN(NULL, NULL)
