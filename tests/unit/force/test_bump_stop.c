// SPDX-License-Identifier: MIT
// Bump stops by points: the lateral stop of the Manchester benchmark coach (S. Iwnicki, Vehicle System Dynamics 30
// (1998) 295-313; 25 mm free, then N at mm), upright, and with unequal gaps.

#include "unit/force/law.h"

// From rest [mm], and what was published [N]; the compression counts from the gap's end.
static const double published[][2] = {{25, 0},     {30, 600},   {35, 1760},  {40, 3730},  {45, 6870},
                                      {50, 11580}, {55, 17170}, {60, 29200}, {65, 230000}};
enum { POINTS = sizeof published / sizeof *published };

typedef struct stop {
    double compression[POINTS], force[POINTS], gap[2];
    kane_bump_stop in;
} stop;

static bench make(stop *s, int direction, double minus, double plus)
{
    *s = (stop){.gap = {minus, plus}};
    for (int i = 0; i < POINTS; i++) {
        s->compression[i] = 1e-3 * (published[i][0] - published[0][0]);
        s->force[i]       = published[i][1];
    }
    s->in = (kane_bump_stop){.direction      = direction,
                             .clearance      = {s->gap, minus == plus ? 1 : 2},
                             .characteristic = {.at = {s->compression, POINTS}, .force = {s->force, POINTS}},
                             .onset          = 1e-3};
    return bench_create(&kane_law_bump_stop, &s->in, kv3_zero(), kv3_zero());
}

static double push(const bench *p, int direction, double d)
{
    return kv3_get(pushed(p, kv3_scale(d, kv3_unit(direction)), kv3_zero()).force, direction);
}

CHECK_TEST(the_published_points_come_back_on_both_sides)
{
    stop s;
    for (int direction = 1; direction < 3; direction++) { // lateral and vertical
        CHECK_FREED(bench) p = make(&s, direction, 0.025, 0.025);
        for (int i = 0; i < POINTS; i++) {
            check_near(push(&p, direction, 1e-3 * published[i][0]), -published[i][1], 1e-6);
            check_near(push(&p, direction, -1e-3 * published[i][0]), published[i][1], 1e-6);
        }
        check_near(push(&p, direction, 0.02499), 0.0, 0.0);
        check_near(push(&p, direction, 0.0475), -0.5 * (6870.0 + 11580.0), 1e-6); // halfway between points
        check_near(push(&p, direction, 0.066), -230000.0 - 0.2 * 200800.0, 1e-5); // straight on beyond the last
        // nothing across
        check_vec3(pushed(&p, kv3_scale(0.06, kv3_unit(0)), kv3_zero()).force, kv3_zero(), 0.0);
        check_rest(&p, kv3_zero());
    }
}

CHECK_TEST(unequal_gaps_shift_the_points)
{
    stop s;
    bench p = make(&s, 1, 0.010, 0.040); // towards minus, towards plus
    for (int i = 0; i < POINTS; i++) {
        check_near(push(&p, 1, 1e-3 * published[i][0] + 0.015), -published[i][1], 1e-6);
        check_near(push(&p, 1, -1e-3 * published[i][0] + 0.015), published[i][1], 1e-6);
    }
    bench_free(&p);
}

CHECK_TEST(its_energy_is_the_area_under_the_points)
{
    stop s;
    bench p    = make(&s, 1, 0.025, 0.025);
    double sum = 0.0;
    for (int i = 1; i < POINTS; i++) {
        sum += 0.5e-3 * (published[i][0] - published[i - 1][0]) * (published[i][1] + published[i - 1][1]);
        for (int side = -1; side <= 1; side += 2) {
            const posture m = {.d = kv3(0.0, side * 1e-3 * published[i][0], 0.0)};
            check_near(bench_energy(&p, &m), sum, 1e-9);
        }
    }
    check_below(fabs(check_loss(&p, 51, 0.06, 0.0, 0.5)), 0.5);
    bench_free(&p);
    s.in.dissipation = 2.0;
    p                = bench_create(&kane_law_bump_stop, &s.in, kv3_zero(), kv3_zero());
    assert_true(check_loss(&p, 52, 0.06, 0.0, 0.5) > 100.0);
    bench_free(&p);
}

CHECK_MAIN(NULL, NULL)
