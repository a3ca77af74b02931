// SPDX-License-Identifier: MIT Relations of coordinates: of joints by their speeds, of bodies with all six freedoms by
// what they and their parents do.

#include "motion.h"

// Links of the rig: 0 a body that is free in its frame, 1 a body that hangs on it by six freedoms about an own seat, 2
// one more on that with another order of turns, 3 a wheelset that spins, 4 a joint with a free, a given and a held
// step.
enum { FREE, HANGING, ELLIPTIC, SPINNING, STEPS };

static const int turns[][3] = {{2, 0, 1}, {0, 1, 2}, {2, 0, 2}, {2, 0, 1}};
static const int parents[]  = {-1, FREE, HANGING, -1};

static const double wave[] = {0.2, 0.4, 2.0, 0.3}, held = 0.35;
static const kane_line_function given = {.function = {.kind = KANE_FUNCTION_SINE, .count = 4, .coefficients = wave}};
static const double bend[]            = {0.1, -0.2, 0.5, 0.3};
static const kane_line_function cubic = {
    .function = {.kind = KANE_FUNCTION_POLYNOMIAL, .count = 4, .coefficients = bend}};

static void add_body(rig *r, uint64_t *seed, int link)
{
    kane_link *l   = &r->links[link];
    *l             = (kane_link){.parent = parents[link], .kind = KANE_LINK_BODY, .slide_count = 3, .step_count = 6};
    l->seat_R      = km3_identity();
    l->is_spinning = link == SPINNING;
    l->q = l->v = 6 * link;
    if (l->parent >= 0) {
        l->seat   = random_vector(seed, 0.5);
        l->seat_R = random_rotation(seed);
        l->at     = random_vector(seed, 0.5);
    }
    for (int i = 0; i < 6; i++)
        l->step[i] = (kane_step){.axis = i < 3 ? i : turns[link][i - 3], .q = l->q + i, .v = l->v + i};
    // angles beyond a right angle too: the second one about -2.6 of the last body but one
    r->link_swing[link][4] = random_swing(seed, link == ELLIPTIC ? -2.2 : link == HANGING ? 2.4 : 0.2, 0.4);
}

static void init(rig *r, uint64_t *seed)
{
    rig_init(r, seed, 5);
    for (int link = 0; link < STEPS; link++)
        add_body(r, seed, link);
    kane_link *l = &r->links[STEPS];
    *l = (kane_link){.parent = -1, .kind = KANE_LINK_STEPS, .slide_count = 1, .step_count = 3, .q = 30, .v = 30};
    l->step[0] = (kane_step){.axis = 2, .mode = KANE_STEP_FREE, .q = 30, .v = 30};
    l->step[1] = (kane_step){.axis = 2, .mode = KANE_STEP_GIVEN, .q = 31, .v = -1, .function = &given};
    l->step[2] = (kane_step){.axis = 1, .mode = KANE_STEP_HELD, .q = 32, .v = -1};
}

static motion parent_motion(const rig *r, int link)
{
    return parents[link] < 0 ? motion_rest(km3_identity(), kv3_zero()) : r->relative[parents[link]];
}

// From coordinates to the motion of a link; its axes leave the last turn out if it spins.
static motion body_motion(const rig *r, int link, double t)
{
    const kane_link *l = &r->links[link];
    motion m           = motion_in(parent_motion(r, link), motion_rest(l->seat_R, l->seat));
    kane_mat3 R        = m.R;
    for (int i = 0; i < 6; i++) {
        double q[3];
        swing_eval(&r->link_swing[link][i], t, q);
        R = m.R;
        m = motion_in(m, i < 3 ? motion_slide(l->step[i].axis, q) : motion_turn(l->step[i].axis, q));
    }
    m = motion_in(m, motion_rest(km3_identity(), kv3_neg(l->at)));
    if (l->is_spinning)
        m.R = R;
    return m;
}

static void move(rig *r, double t)
{
    double q[3];
    rig_move_frames(r, t);
    for (int link = 0; link < STEPS; link++) {
        rig_put(r, link, 0, body_motion(r, link, t));
        for (int i = 0; i < 6; i++) {
            swing_eval(&r->link_swing[link][i], t, q);
            r->q[6 * link + i] = q[0];
        }
    }
    swing_eval(&r->link_swing[STEPS][0], t, q);
    r->q[30] = q[0], r->v[30] = q[1], r->v_dot[30] = q[2];
    r->q[31]           = 1e3; // of no meaning
    r->q[32]           = held;
    r->states[STEPS].R = km3_identity();
}

// What a coordinate is, by itself.
static void coordinate(const rig *r, int link, int index, double t, double out[3])
{
    double f[4];
    if (link < STEPS || index == 0) {
        swing_eval(&r->link_swing[link][index], t, out);
        return;
    }
    kane_line_function_eval(&given, t, f);
    out[0] = index == 1 ? f[0] : held;
    out[1] = index == 1 ? f[1] : 0.0;
    out[2] = index == 1 ? f[2] : 0.0;
}

static const int count_of[] = {6, 6, 6, 6, 3};

// Every coordinate, alone: its value, rate and second derivative.
CHECK_TEST(test_coordinates)
{
    uint64_t seed = 21;
    rig r;
    init(&r, &seed);
    for (int absolute = 0; absolute < 2; absolute++) {
        for (int link = 0; link <= STEPS; link++) {
            for (int i = 0; i < count_of[link]; i++) {
                kane_constraint_row_set c = {.kind = KANE_CONSTRAINT_LINEAR, .term_count = 1, .offset = 0.3};
                kane_constraint_rows_values out;
                double q[3];
                c.term[0] = (kane_term){link, i, 2.0};
                kane_constraint_row_set_count(&c);
                r.absolute[0] = absolute;
                move(&r, 0.3);
                coordinate(&r, link, i, 0.3, q);
                rig_eval(&r, &c, 1, &out);
                check_near(out.value[0], 2.0 * q[0] - 0.3, 1e-14);
                check_near(out.rate[0], 2.0 * q[1], 1e-12);
                check_near(out.acceleration[0], 2.0 * q[2], 2e-11);
                rig_check_pushes(&r, &c, &seed);
                rig_check_derivatives(&r, &c, &seed);
                c.kind = KANE_CONSTRAINT_RATES;
                kane_constraint_row_set_count(&c);
                assert_int_equal(c.position_count, 0);
                rig_eval(&r, &c, 1, &out);
                check_near(out.rate[0], 2.0 * q[1] - 0.3, 1e-12);
                check_near(out.acceleration[0], 2.0 * q[2], 2e-11);
            }
        }
    }
}

static void random_terms(kane_constraint_row_set *c, uint64_t *seed)
{
    for (int i = 0; i < c->term_count; i++) {
        const int link = (int)(2.5 * (1.0 + random_number(seed)));
        const int at   = (int)(0.5 * count_of[link] * (1.0 + random_number(seed)));
        c->term[i]     = (kane_term){link, at, random_number(seed)};
    }
}

// Sums of many, and functions of one coordinate as another.
CHECK_TEST(test_relations)
{
    uint64_t seed = 22;
    rig r;
    print_message("seed %llu\n", (unsigned long long)seed);
    init(&r, &seed);
    for (int round = 0; round < 60; round++) {
        const int is_function     = round % 2;
        kane_constraint_row_set c = {.kind = is_function ? KANE_CONSTRAINT_FUNCTION : KANE_CONSTRAINT_LINEAR};
        c.term_count              = is_function ? 2 : KANE_TERMS_MOST;
        c.curve[0]                = &cubic;
        c.offset                  = 0.7;
        random_terms(&c, &seed);
        kane_constraint_row_set_count(&c);
        r.absolute[0] = round % 3 == 0;
        rig_check_in_time(&r, move, &c, 0.3);
        rig_check_pushes(&r, &c, &seed);
        rig_check_derivatives(&r, &c, &seed);
        if (is_function) {
            kane_constraint_rows_values out;
            double p[3], q[3], f[4];
            coordinate(&r, c.term[0].link, c.term[0].coordinate, 0.3, p);
            coordinate(&r, c.term[1].link, c.term[1].coordinate, 0.3, q);
            kane_line_function_eval(&cubic, q[0], f);
            rig_eval(&r, &c, 1, &out);
            check_near(out.value[0], p[0] - c.term[1].factor * f[0] - 0.7, 1e-13);
            check_near(out.rate[0], p[1] - c.term[1].factor * f[1] * q[1], 1e-11);
        }
    }
}

// Offset and factors as functions of time, in sums, functions and sums of rates.
CHECK_TEST(test_given)
{
    static const double offset[] = {0.3, -0.8, 0.6}, growing[] = {0.7, 0.9, -0.4, 0.2}, sway[] = {0.2, 0.5, 2.0, 0.3};
    static const kane_line_function over_time[3] = {
        {.function = {.kind = KANE_FUNCTION_POLYNOMIAL, .count = 3, .coefficients = offset}},
        {.function = {.kind = KANE_FUNCTION_POLYNOMIAL, .count = 4, .coefficients = growing}},
        {.function = {.kind = KANE_FUNCTION_SINE, .count = 4, .coefficients = sway}},
    };
    static const kane_constraint_kind kinds[3] = {KANE_CONSTRAINT_LINEAR, KANE_CONSTRAINT_FUNCTION,
                                                  KANE_CONSTRAINT_RATES};
    uint64_t seed                              = 24;
    rig r;
    init(&r, &seed);
    for (int round = 0; round < 60; round++) {
        kane_constraint_row_set c = {.kind = kinds[round % 3], .term_count = 2, .curve = {&cubic}}, now;
        kane_constraint_rows_values varied, fixed;
        double f[4];
        random_terms(&c, &seed);
        c.offset_given    = &over_time[0];
        c.factor_given[0] = c.kind == KANE_CONSTRAINT_FUNCTION ? NULL : &over_time[2];
        c.factor_given[1] = &over_time[1];
        kane_constraint_row_set_count(&c);
        r.absolute[0] = round % 2 == 0;
        rig_check_in_time(&r, move, &c, 0.3);
        rig_check_pushes(&r, &c, &seed);
        rig_check_derivatives(&r, &c, &seed);

        now = c; // the numbers that it has now
        kane_line_function_eval(c.offset_given, 0.3, f);
        now.offset       = f[0];
        now.offset_given = NULL;
        for (int i = 0; i < 2; i++) {
            if (c.factor_given[i]) {
                kane_line_function_eval(c.factor_given[i], 0.3, f);
                now.term[i].factor = f[0];
            }
            now.factor_given[i] = NULL;
        }
        move(&r, 0.3);
        rig_eval(&r, &c, 1, &varied);
        rig_eval(&r, &now, 1, &fixed);
        check_near(varied.value[0], fixed.value[0], 1e-14);
        if (c.kind == KANE_CONSTRAINT_RATES)
            check_near(varied.rate[0], fixed.rate[0], 1e-14);
        else
            assert_true(fabs(varied.rate[0] - fixed.rate[0]) > 1e-3);
        r.work.frozen = 1;
        rig_eval(&r, &c, 1, &varied);
        rig_eval(&r, &now, 1, &fixed);
        r.work.frozen = 0;
        check_near(varied.rate[0], fixed.rate[0], 1e-14);
        check_near(varied.acceleration[0], fixed.acceleration[0], 1e-13);
    }
}

// A wheelset's spin against the turn of what stands still: the multiplier drives the axle with its own size.
CHECK_TEST(test_axle)
{
    uint64_t seed = 23;
    rig r;
    init(&r, &seed);
    kane_constraint_row_set c = {.kind = KANE_CONSTRAINT_LINEAR, .term_count = 1};
    c.term[0]                 = (kane_term){SPINNING, 5, 1.0};
    kane_constraint_row_set_count(&c);
    for (int i = 0; i < 6; i++)
        r.link_swing[SPINNING][i] = (swing){.mean = i == 3 ? 0.3 : 0.0}; // yaw only
    move(&r, 0.0);
    r.states[SPINNING].w = kv3_scale(25.0, r.states[SPINNING].R.y);
    kane_constraint_rows_values out;
    rig_eval(&r, &c, 0, &out);
    check_near(out.rate[0], 25.0, 1e-13);
    assert_int_equal(out.direction_count, 1);
    assert_int_equal(out.push[0].link, SPINNING);
    check_vec3(out.push[0].push.force, kv3_zero(), 1e-15);
    check_vec3(out.push[0].push.torque, kv3(-sin(0.3), cos(0.3), 0.0), 1e-15);
}

CHECK_MAIN(NULL, NULL)
