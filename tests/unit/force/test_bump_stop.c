// SPDX-License-Identifier: MIT
// Bump stops by points: the lateral stop of the Manchester benchmark coach (S. Iwnicki, Vehicle System Dynamics 30
// (1998) 295-313; 25 mm free, then N at mm), upright, and with unequal gaps; pins in their bushes and horn guides.

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

// --- round gaps, friction ---

static const double play[] = {0.5e-3};

// A pin of 10 mm radius along y in a bush with 0.5 mm clearance, steel on steel.
static const kane_bump_stop pin = {
    .direction   = 4,
    .clearance   = {play, 1},
    .hertz       = 1e10,
    .dissipation = 0.5,
    .radius      = 0.01,
    .coefficient = 0.2,
    .friction = {.model = KANE_FRICTION_STICK, .stick_displacement = 1e-4, .slip_speed = 1e-3, .nominal_load = 1000.0}};

CHECK_TEST(a_pin_is_pressed_where_its_eccentricity_points)
{
    kane_bump_stop smooth = pin;
    smooth.friction.model = KANE_FRICTION_SMOOTH;
    CHECK_FREED(bench) b  = bench_create(&kane_law_bump_stop, &smooth, kv3_zero(), kv3_zero());
    assert_int_equal(b.count, 0);
    check_rest(&b, kv3_zero());
    check_vec3(pushed(&b, kv3(0.29e-3, 5.0, 0.4e-3), kv3(1, 1, 1)).force, kv3_zero(), 0.0); // in the gap
    // 0.1 mm beyond it, along (0.6, 0, 0.8)
    const kane_vec3 e = kv3(0.36e-3, 0.0, 0.48e-3), n = kv3(0.6, 0.0, 0.8);
    const double N = 1e10 * pow(1e-4, 1.5);
    check_vec3(pushed(&b, e, kv3_zero()).force, kv3_scale(-N, n), 1e-9 * N);
    check_vec3(pushed(&b, e, kv3_scale(0.1, n)).force, kv3_scale(-1.05 * N, n), 1e-9 * N);
    assert_true(kv3_dot(pushed(&b, e, kv3_scale(-1e3, n)).force, n) < 0.0); // never pulls
    // it turns at 40 rad/s: 0.4 m/s where it touches, at n R; the surface moves along w x n = (0.8, 0, -0.6)
    const double F      = 0.2 * N * 0.4 / sqrt(0.4 * 0.4 + 1e-6);
    const kane_wrench w = at(&b, e, kv3_zero(), kv3_zero(), kv3(0, 40.0, 0));
    check_vec3(w.force, kv3_add(kv3_scale(-N, n), kv3_scale(-F, kv3(0.8, 0, -0.6))), 1e-9 * N);
    check_vec3(w.torque, kv3(0, -F * 0.01, 0), 1e-11 * N);
    // it rolls in its bush: its centre moves back as fast as the surface turns
    const kane_wrench rolls = at(&b, e, kv3(-0.32, 0, 0.24), kv3_zero(), kv3(0, 40.0, 0));
    check_vec3(rolls.force, kv3_scale(-N, n), 1e-9 * N);
    const posture pressed = {.d = e};
    check_relative(bench_energy(&b, &pressed), 0.4 * 1e10 * pow(1e-4, 2.5), 1e-12);
}

// Nothing makes energy and derivatives are exact in every kind of gap, also where n turns under a layer that sticks.
CHECK_TEST(no_gap_makes_energy)
{
    for (int direction = 0; direction < 7; direction++)
        for (int model = 0; model < 2; model++) {
            kane_bump_stop in      = pin;
            in.direction           = direction;
            in.radius              = direction < 3 ? 0.0 : 0.01;
            in.hertz               = model ? 1e8 : 0.0; // soft, that differences see no corners
            in.stiffness           = model ? 0.0 : 1e7;
            in.onset               = 5e-4;
            in.friction.model      = model;
            in.friction.slip_speed = 0.3;
            CHECK_FREED(bench) b   = bench_create(&kane_law_bump_stop, &in, kv3_zero(), kv3_zero());
            assert_int_equal(b.count, model ? 0 : direction < 3 ? 2 : 3);
            assert_int_equal(kane_law_bump_stop.turns(b.data), direction > 2);
            bench_check_all(&b, (uint64_t)(60 + direction), 2e-3, 0.1, 1e3, 1e4);
        }
}

static void slide_up(const void *data, double t, posture *p)
{
    p->d = kv3(*(const double *)data, 0.0, 0.01 * t);
    p->v = kv3(0.0, 0.0, 0.01);
}

// A horn guide with 2 mm play: pressed 1 mm into its liner of 10 MN/m, it holds 0.3 N along z, and no more.
CHECK_TEST(a_horn_guide_sticks_up_to_its_coefficient)
{
    const double gap[] = {2e-3}, place = -3e-3;
    const kane_bump_stop in = {.clearance   = {gap, 1},
                               .stiffness   = 1e7,
                               .onset       = 1e-4,
                               .coefficient = 0.3,
                               .friction    = {.stick_displacement = 1e-3, .nominal_load = 9500.0}};
    CHECK_FREED(bench) b    = bench_create(&kane_law_bump_stop, &in, kv3_zero(), kv3_zero());
    // half the elastic displacement: half the limit; it does not creep there
    posture p = bench_move(&b, slide_up, &place, 0.0, 0.05, 100, (posture){0});
    check_vec3(bench_eval(&b, &p).force, kv3(9500.0, 0.0, -0.5 * 0.3 * 9500.0), 1e-6);
    p = bench_move(&b, slide_up, &place, 0.05, 1.0, 20000, p);
    check_vec3(bench_eval(&b, &p).force, kv3(9500.0, 0.0, -0.3 * 9500.0), 1e-3); // slips
    p.d.x = 0.0;                                                                 // in the gap
    check_vec3(bench_eval(&b, &p).force, kv3_zero(), 0.0);
}

CHECK_TEST(gaps_that_make_no_sense_are_refused)
{
    const double two[] = {1e-3, 2e-3};
    kane_bump_stop in  = pin;
    in.clearance       = (kane_numbers){two, 2};
    expect_error(&kane_law_bump_stop, &in, "has 2 numbers; needs one, for all directions");
    in           = pin;
    in.stiffness = 1e6;
    expect_error(&kane_law_bump_stop, &in, "is instead of \"stiffness\" and \"characteristic\": leave one of them out");
    in           = pin;
    in.direction = 0;
    expect_error(&kane_law_bump_stop, &in, "has no effect without a round gap and a \"coefficient\" of friction");
    in                       = pin;
    in.friction.nominal_load = 0.0;
    in.block.name            = "pin";
    expect_error(&kane_law_bump_stop, &in,
                 "'pin' has no friction at rest: how stiff it sticks needs \"nominal_load\", and a coefficient");
}

CHECK_MAIN(NULL, NULL)
