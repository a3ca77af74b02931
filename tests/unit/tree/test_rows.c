// SPDX-License-Identifier: MIT
// Constraints between two markers: values, rates, accelerations, pushes and their exact changes, for every kind, in one
// frame and between two that turn, with absolute and relative motion.

#include "motion.h"

static const double bend[] = {0.1, -0.2, 0.5, 0.3}, wave[] = {0.2, 0.4, 2.0, 0.3};
static const kane_line_function curve_y = {
    .function = {.kind = KANE_FUNCTION_POLYNOMIAL, .count = 4, .coefficients = bend}};
static const kane_line_function curve_z = {.function = {.kind = KANE_FUNCTION_SINE, .count = 4, .coefficients = wave}};

static const kane_constraint_kind kinds[] = {
    KANE_CONSTRAINT_SPHERICAL, KANE_CONSTRAINT_REVOLUTE, KANE_CONSTRAINT_CYLINDRICAL, KANE_CONSTRAINT_PRISMATIC,
    KANE_CONSTRAINT_UNIVERSAL, KANE_CONSTRAINT_PLANAR,   KANE_CONSTRAINT_WELD,        KANE_CONSTRAINT_DISTANCE,
    KANE_CONSTRAINT_CURVE,     KANE_CONSTRAINT_KNIFE,    KANE_CONSTRAINT_ROLLING,
};
enum { KINDS = sizeof kinds / sizeof *kinds, PLACES = 14 };

// Who is held to whom: links, their frames, and what the bases are; and for axle boxes the frames in which these stay
// level, 1 and 2.
static const struct {
    int link[2], frame[2], absolute[2], level[2];
} places[PLACES] = {
    {{0, 1}, {0, 0}, {0, 0}, {0, 0}},  {{0, 1}, {0, 0}, {1, 1}, {0, 0}},  {{-1, 1}, {0, 0}, {1, 1}, {0, 0}},
    {{0, -1}, {1, 1}, {0, 1}, {0, 0}}, {{0, 1}, {0, 1}, {0, 0}, {0, 0}},  {{0, 1}, {0, 1}, {1, 1}, {0, 0}},
    {{0, 1}, {1, 0}, {1, 0}, {0, 0}},  {{-1, 1}, {0, 1}, {1, 1}, {0, 0}}, {{0, 1}, {0, 0}, {0, 0}, {1, 0}},
    {{0, 1}, {0, 0}, {1, 1}, {0, 2}},  {{0, 1}, {0, 0}, {0, 1}, {2, 1}},  {{-1, 1}, {0, 1}, {1, 1}, {0, 1}},
    {{0, 1}, {0, 1}, {0, 0}, {1, 1}},  {{0, 1}, {1, 0}, {1, 0}, {1, 1}},
};

static kane_constraint_row_set random_closure(kane_constraint_kind kind, uint64_t *seed)
{
    kane_constraint_row_set c = {
        .name = "c", .kind = kind, .length = 0.8, .radius = 0.45, .curve = {&curve_y, &curve_z}};
    for (int i = 0; i < 2; i++)
        c.side[i] = rig_side(i, random_vector(seed, 0.5), random_rotation(seed));
    kane_constraint_row_set_count(&c);
    return c;
}

static void place(rig *r, kane_constraint_row_set *c, int which)
{
    for (int i = 0; i < 2; i++) {
        c->side[i].link        = places[which].link[i];
        c->side[i].frame       = places[which].frame[i];
        c->side[i].on_box      = places[which].level[i] > 0;
        c->side[i].level_frame = places[which].level[i] - 1;
        r->links[i].frame      = places[which].frame[i];
        r->links[i].body_R     = km3_identity();
        r->links[i].c          = kv3(0.1, 0.3, -0.2);
        r->absolute[i]         = places[which].absolute[i];
    }
}

typedef void (*checker)(rig *r, const kane_constraint_row_set *c, uint64_t *seed);

static void for_every_kind_and_place(checker check, uint64_t seed)
{
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int k = 0; k < KINDS; k++) {
        for (int p = 0; p < PLACES; p++) {
            rig r;
            kane_constraint_row_set c = random_closure(kinds[k], &seed);
            rig_init(&r, &seed, 2);
            place(&r, &c, p);
            rig_move(&r, 0.3);
            check(&r, &c, &seed);
        }
    }
}

// --- what is given over time ---

// Sines: of the marker's six numbers, a length and a place along a curve.
static double given_numbers[8][4];
static kane_line_function given_courses[8];
static kane_marker_motion given_motion;

static void random_courses(uint64_t *seed)
{
    for (int i = 0; i < 8; i++) {
        const swing s           = random_swing(seed, i == 6 ? 0.9 : 0.2, i == 6 ? 0.3 : 0.4);
        const double numbers[4] = {s.mean, s.size, s.frequency, s.phase};
        memcpy(given_numbers[i], numbers, sizeof numbers);
        given_courses[i] = (kane_line_function){
            .function = {.kind = KANE_FUNCTION_SINE, .count = 4, .coefficients = given_numbers[i]}};
        if (i < 6)
            given_motion.line_function[i] = &given_courses[i];
    }
}

static void give(kane_constraint_row_set *c, uint64_t *seed)
{
    random_courses(seed);
    c->motion       = &given_motion;
    c->length_given = c->kind == KANE_CONSTRAINT_DISTANCE ? &given_courses[6] : NULL;
    c->along        = c->kind == KANE_CONSTRAINT_CURVE ? &given_courses[7] : NULL;
    kane_constraint_row_set_count(c);
    assert_true(kane_constraint_row_set_is_rheonomic(c));
    assert_int_equal(c->row_count, c->kind == KANE_CONSTRAINT_CURVE ? 3 : c->row_count);
}

// All of it once more, for constraints whose numbers are functions of time.
CHECK_TEST(test_given)
{
    uint64_t seed = 16;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int k = 0; k < KINDS; k++) {
        for (int p = 0; p < PLACES; p++) {
            rig r;
            kane_constraint_row_set c = random_closure(kinds[k], &seed);
            rig_init(&r, &seed, 2);
            give(&c, &seed);
            place(&r, &c, p);
            rig_move(&r, 0.3);
            rig_check_in_time(&r, rig_move, &c, 0.3);
            rig_check_pushes(&r, &c, &seed);
            rig_check_derivatives(&r, &c, &seed);
        }
    }
}

// The marker of the first link as the test's own algebra moves it, as an origin of link 2.
static void move_carried(rig *r, const kane_constraint_row_set *c, double t)
{
    static const int turns[3] = {2, 0, 1};
    swing s[6];
    rig_move(r, t);
    for (int i = 0; i < 6; i++)
        s[i] = (swing){given_numbers[i][0], given_numbers[i][1], given_numbers[i][2], given_numbers[i][3]};
    const motion seat = motion_rest(c->side[0].axes, c->side[0].point);
    rig_put(r, 2, 0, motion_in(r->relative[0], motion_in(seat, motion_swing(s, turns, t))));
}

// A marker that moves on its link is one that is fixed to a link which moves so.
CHECK_TEST(test_moving_marker)
{
    uint64_t seed = 17;
    for (int k = 0; k < KINDS; k++) {
        rig r;
        kane_constraint_row_set c = random_closure(kinds[k], &seed);
        kane_constraint_rows_values moving, carried;
        rig_init(&r, &seed, 3);
        random_courses(&seed);
        move_carried(&r, &c, 0.7);
        c.motion = &given_motion;
        rig_eval(&r, &c, 0, &moving);
        c.motion  = NULL;
        c.side[0] = rig_side(2, kv3_zero(), km3_identity());
        rig_eval(&r, &c, 0, &carried);
        for (int i = 0; i < c.row_count; i++) {
            check_near(moving.value[i], i < c.position_count ? carried.value[i] : moving.value[i], 1e-14);
            check_near(moving.rate[i], carried.rate[i], 1e-13);
            check_near(moving.acceleration[i], carried.acceleration[i], 1e-12);
        }
        for (int i = 0; i < moving.direction_count; i++) { // force and moment on the second are the same
            assert_int_equal(moving.push[i].row, carried.push[i].row);
            check_vec3(moving.push[i].push.force, carried.push[i].push.force, 1e-13);
            if (moving.push[i].link == 1)
                check_vec3(moving.push[i].push.torque, carried.push[i].push.torque, 1e-13);
        }
    }
}

// An axle box is a link that moves as the body without its last turn; level there is the frame of the links. Its torque
// about the axle acts on that frame.
CHECK_TEST(test_axle_box)
{
    static const kane_vec3 centre = {0.0, 0.3, 0.0};
    uint64_t seed                 = 19;
    for (int k = 0; k < KINDS; k++)
        for (int is_absolute = 0; is_absolute < 2; is_absolute++) {
            rig r;
            kane_constraint_row_set c = random_closure(kinds[k], &seed);
            kane_constraint_rows_values boxed, carried;
            swing level[6];
            rig_init(&r, &seed, 3);
            r.absolute[0]     = is_absolute;
            r.links[0].body_R = km3_identity();
            r.links[0].c      = centre;
            memcpy(level, r.link_swing[0], sizeof level);
            level[5] = (swing){0.0, 0.0, 0.0, 0.0};
            rig_move(&r, 0.7);
            rig_put(&r, 2, 0, motion_in(motion_swing(level, rig_turns, 0.7), motion_rest(km3_identity(), centre)));
            c.side[0].on_box = 1;
            rig_eval(&r, &c, 0, &boxed);
            c.side[0].on_box = 0;
            c.side[0].link   = 2;
            rig_eval(&r, &c, 0, &carried);
            for (int i = 0; i < c.row_count; i++) {
                check_near(boxed.value[i], i < c.position_count ? carried.value[i] : boxed.value[i], 1e-14);
                check_near(boxed.rate[i], carried.rate[i], 1e-13);
                check_near(boxed.acceleration[i], carried.acceleration[i], 1e-12);
            }
            assert_int_equal(boxed.frame_direction_count, c.row_count);
            for (int i = 0; i < boxed.direction_count; i++) {
                const kane_wrench w = boxed.push[i].push, on_box = carried.push[i].push;
                const kane_vec3 axle = r.states[0].R.y, arm = km3_mulv(r.states[0].R, centre);
                check_vec3(w.force, on_box.force, 1e-13);
                if (boxed.push[i].link == 1) {
                    check_vec3(w.torque, on_box.torque, 1e-13);
                    continue;
                }
                const kane_vec3 about = kv3_sub(w.torque, kv3_cross(arm, w.force));
                const kane_vec3 held  = boxed.frame_direction[boxed.push[i].row].push.torque;
                check_near(kv3_dot(about, axle), 0.0, 1e-14);
                check_vec3(kv3_add(about, held), on_box.torque, 1e-13);
                check_near(held.z, 0.0, 1e-15); // about a level axis
            }
        }
}

// The value of a rod is measured from the length at the time, a point on a curve from the place there; frozen, both
// have values and no rates of their own.
CHECK_TEST(test_given_values)
{
    uint64_t seed                     = 18;
    const kane_constraint_kind two[2] = {KANE_CONSTRAINT_DISTANCE, KANE_CONSTRAINT_CURVE};
    for (int k = 0; k < 2; k++) {
        rig r;
        kane_constraint_row_set c = random_closure(two[k], &seed), constant;
        kane_constraint_rows_values given, fixed;
        double f[4];
        rig_init(&r, &seed, 2);
        give(&c, &seed);
        c.motion = NULL;
        rig_move(&r, 0.4);
        rig_eval(&r, &c, 0, &given);
        constant = c;
        kane_line_function_eval(c.kind == KANE_CONSTRAINT_DISTANCE ? c.length_given : c.along, 0.4, f);
        if (c.kind == KANE_CONSTRAINT_DISTANCE) {
            constant.length       = f[0];
            constant.length_given = NULL;
            rig_eval(&r, &constant, 0, &fixed);
            const double size = sqrt(1.0 + 2.0 * fixed.value[0] / f[0]); // |x|/L
            check_near(given.value[0], fixed.value[0], 1e-15);
            check_near(given.rate[0] - fixed.rate[0], -0.5 * f[1] * (size * size + 1.0), 1e-13);
        } else {
            const motion *a = &r.relative[0], *b = &r.relative[1]; // both in one frame
            const kane_mat3 E = km3_mul(a->R, c.side[0].axes);
            const kane_vec3 p = kv3_add(a->r, km3_mulv(a->R, c.side[0].point));
            const kane_vec3 q = kv3_add(b->r, km3_mulv(b->R, c.side[1].point));
            check_near(given.value[2], kv3_dot(E.x, kv3_sub(q, p)) - f[0], 1e-14);
        }
        r.work.frozen = 1;
        rig_eval(&r, &c, 0, &given);
        if (c.kind == KANE_CONSTRAINT_DISTANCE)
            check_near(given.rate[0], fixed.rate[0], 1e-15);
    }
}

static void check_in_time(rig *r, const kane_constraint_row_set *c, uint64_t *seed)
{
    (void)seed;
    rig_check_in_time(r, rig_move, c, 0.3);
}

// Values, rates and accelerations belong together along any motion.
CHECK_TEST(test_in_time)
{
    for_every_kind_and_place(check_in_time, 11);
}

// A multiplier pushes as the rows change with velocities.
CHECK_TEST(test_pushes)
{
    for_every_kind_and_place(rig_check_pushes, 12);
}

// Exact changes.
CHECK_TEST(test_derivatives)
{
    for_every_kind_and_place(rig_check_derivatives, 13);
}

static int count_values_off(const kane_constraint_rows_values *out, const kane_constraint_row_set *c)
{
    int count = 0;
    for (int i = 0; i < c->position_count; i++)
        count += fabs(out->value[i]) > 1e-12;
    return count;
}

// How a joint's marker moves on the other one where its constraint is kept: every freedom that it leaves, by name.
CHECK_TEST(test_freedoms_left)
{
    static const struct {
        kane_constraint_kind kind;
        int slides,
            turns; // bits of axes that are free, one at a time, about the second's (universal: x first's, y second's)
        int rows;
    } left[] = {
        {KANE_CONSTRAINT_SPHERICAL, 0, 7, 3},   {KANE_CONSTRAINT_REVOLUTE, 0, 4, 5},
        {KANE_CONSTRAINT_CYLINDRICAL, 4, 4, 4}, {KANE_CONSTRAINT_PRISMATIC, 4, 0, 5},
        {KANE_CONSTRAINT_PLANAR, 3, 4, 3},      {KANE_CONSTRAINT_WELD, 0, 0, 6},
        {KANE_CONSTRAINT_UNIVERSAL, 0, 3, 4},
    };
    uint64_t seed = 14;
    for (size_t k = 0; k < sizeof left / sizeof *left; k++) {
        for (int axis = 0; axis < 6; axis++) {
            rig r;
            kane_constraint_row_set c = random_closure(left[k].kind, &seed);
            kane_constraint_rows_values out;
            rig_init(&r, &seed, 2);
            rig_move(&r, 0.1);
            const double q[3] = {0.7, 0.0, 0.0};
            const motion by   = axis < 3 ? motion_slide(axis, q) : motion_turn(axis - 3, q);
            // the second's marker where the first's is, moved by one freedom
            const motion at = motion_in(r.relative[0], motion_in(motion_rest(c.side[0].axes, c.side[0].point), by));
            r.states[1].R   = km3_mul(at.R, km3_transpose(c.side[1].axes));
            r.states[1].r   = kv3_sub(at.r, km3_mulv(r.states[1].R, c.side[1].point));
            rig_eval(&r, &c, 0, &out);
            const int free = axis < 3 ? (left[k].slides >> axis) & 1 : (left[k].turns >> (axis - 3)) & 1;
            assert_int_equal(c.row_count, left[k].rows);
            assert_int_equal(c.position_count, left[k].rows);
            if (free)
                assert_int_equal(count_values_off(&out, &c), 0);
            else
                assert_true(count_values_off(&out, &c) > 0);
        }
    }
}

static rig standing_rig(int links)
{
    rig r;
    uint64_t seed = 15;
    rig_init(&r, &seed, links);
    rig_move_frames(&r, 0.0);
    return r;
}

// rig holds pointers into itself
static void settle(rig *r)
{
    r->tree.links = r->links;
    r->work.q = r->q, r->work.v = r->v, r->work.v_dot = r->v_dot, r->work.link = r->states;
}

// A rod: its value is how much longer it is, to first order, and its multiplier pulls along it with its own size.
CHECK_TEST(test_rod)
{
    rig r = standing_rig(2);
    settle(&r);
    kane_constraint_row_set c = {.kind = KANE_CONSTRAINT_DISTANCE, .length = 2.0};
    c.side[0]                 = rig_side(0, kv3(0.0, 0.0, 0.5), km3_identity());
    c.side[1]                 = rig_side(1, kv3_zero(), km3_identity());
    kane_constraint_row_set_count(&c);
    rig_put(&r, 0, 0, motion_rest(km3_identity(), kv3(1.0, 0.0, 0.0)));
    rig_put(&r, 1, 0, motion_rest(km3_identity(), kv3(3.0, 0.0, 0.5)));
    kane_constraint_rows_values out;
    rig_eval(&r, &c, 0, &out);
    check_near(out.value[0], 0.0, 1e-15);
    assert_int_equal(out.direction_count, 2);
    check_vec3(out.push[0].push.force, kv3(-1.0, 0.0, 0.0), 1e-15);
    check_vec3(out.push[0].push.torque, kv3(0.0, -0.5, 0.0), 1e-15);
    check_vec3(out.push[1].push.force, kv3(1.0, 0.0, 0.0), 1e-15);
    r.states[1].r.x += 1e-4;
    rig_eval(&r, &c, 0, &out);
    check_near(out.value[0], 1e-4, 1e-8);
    c.length = 0.0; // no rod: what is undefined is not finite
    rig_eval(&r, &c, 0, &out);
    assert_false(isfinite(out.value[0]));
}

// A point on y = x^2/2 in a frame that turns with w at distance x from the axis, moving along with x' = u:
// y' = x u, so that rows vanish; y'' = u^2 + x x''.
CHECK_TEST(test_curve)
{
    static const double half[]        = {0.0, 0.0, 0.5};
    const kane_line_function parabola = {
        .function = {.kind = KANE_FUNCTION_POLYNOMIAL, .count = 3, .coefficients = half}};
    const double x = 0.7, u = 1.3, x2 = -0.4;
    rig r = standing_rig(2);
    settle(&r);
    kane_constraint_row_set c = {.kind = KANE_CONSTRAINT_CURVE, .curve = {&parabola, NULL}};
    c.side[0]                 = rig_side(-1, kv3_zero(), km3_identity());
    c.side[1]                 = rig_side(1, kv3_zero(), km3_identity());
    kane_constraint_row_set_count(&c);
    motion m = motion_rest(km3_identity(), kv3(x, 0.5 * x * x, 0.0));
    m.v      = kv3(u, x * u, 0.0);
    m.a      = kv3(x2, u * u + x * x2, 0.0);
    for (int absolute = 0; absolute < 2; absolute++) {
        r.absolute[0] = absolute;
        rig_move_frames(&r, 0.2);
        rig_put(&r, 1, 0, m);
        kane_constraint_rows_values out;
        rig_eval(&r, &c, 0, &out);
        for (int i = 0; i < 2; i++) {
            check_near(out.value[i], 0.0, 1e-15);
            check_near(out.rate[i], 0.0, 1e-13);
            check_near(out.acceleration[i], 0.0, 1e-12);
        }
    }
}

// A blade along x in heading psi: its sideways velocity, and none of the one ahead.
CHECK_TEST(test_knife)
{
    const double psi = 0.6, ahead = 3.0, aside = 0.2, turning = 0.8;
    rig r = standing_rig(2);
    settle(&r);
    kane_constraint_row_set c = {.kind = KANE_CONSTRAINT_KNIFE};
    c.side[0]                 = rig_side(-1, kv3(5.0, 1.0, 0.0), km3_identity());
    c.side[1]                 = rig_side(1, kv3(0.4, 0.0, 0.0), km3_identity());
    kane_constraint_row_set_count(&c);
    motion m      = motion_turn(2, (double[3]){psi, turning, 0.0});
    m.v           = km3_mulv(m.R, kv3(ahead, aside, 0.1));
    r.absolute[0] = 1;
    rig_move_frames(&r, 0.2);
    rig_put(&r, 1, 0, m);
    kane_constraint_rows_values out;
    rig_eval(&r, &c, 0, &out);
    assert_int_equal(c.row_count, 1);
    assert_int_equal(c.position_count, 0);
    check_near(out.rate[0], aside + 0.4 * turning, 1e-13);
    // a = 0: the blade turns away from its velocity, and its point towards the middle: along x only
    check_near(out.acceleration[0], -turning * ahead, 1e-12);
}

// A disc that leans by `lean` and rolls in a circle: its centre at height r cos(lean), the velocity of the centre from
// the spin about its axle and from the turn of the lean's plane; the lowest point is at rest.
CHECK_TEST(test_rolling)
{
    const double radius = 0.35, lean = 0.4, psi = 0.9, spin = 4.0, precession = 0.7, leaning = 0.3;
    rig r = standing_rig(2);
    settle(&r);
    kane_constraint_row_set c = {.kind = KANE_CONSTRAINT_ROLLING, .radius = radius};
    const kane_mat3 z_is_y    = {kv3(0.0, 0.0, 1.0), kv3(1.0, 0.0, 0.0),
                                 kv3(0.0, 1.0, 0.0)}; // marker z along the link's y
    c.side[0]                 = rig_side(-1, kv3_zero(), km3_identity());
    c.side[1]                 = rig_side(1, kv3_zero(), z_is_y);
    kane_constraint_row_set_count(&c);
    motion m = motion_turn(2, (double[3]){psi, precession, 0.0});
    m        = motion_in(m, motion_turn(0, (double[3]){lean, leaning, 0.0}));
    m        = motion_in(m, motion_turn(1, (double[3]){0.3, spin, 0.0}));
    m.r      = kv3(2.0, 3.0, radius * cos(lean));
    // from the centre down in the disc's plane: to the left, as a positive roll moves the top to the right
    const kane_mat3 heading = motion_turn(2, (double[3]){psi, 0.0, 0.0}).R;
    const kane_vec3 arm     = km3_mulv(heading, kv3(0.0, radius * sin(lean), -radius * cos(lean)));
    check_near(kv3_dot(arm, m.R.y), 0.0, 1e-15);
    m.v           = kv3_neg(kv3_cross(m.w, arm));
    r.absolute[0] = 1;
    rig_move_frames(&r, 0.2);
    rig_put(&r, 1, 0, m);
    kane_constraint_rows_values out;
    rig_eval(&r, &c, 0, &out);
    check_near(out.value[0], 0.0, 1e-14);
    for (int i = 0; i < 3; i++)
        check_near(out.rate[i], 0.0, 1e-12);
    check_near(m.v.z, -radius * sin(lean) * leaning, 1e-14); // height falls as it leans over

    // upright and straight: v = r spin, and a disc that does not spin slides
    m   = motion_turn(1, (double[3]){1.0, spin, 0.0});
    m.r = kv3(0.0, 0.0, radius);
    m.v = kv3(radius * spin, 0.0, 0.0);
    rig_put(&r, 1, 0, m);
    rig_eval(&r, &c, 0, &out);
    check_near(out.rate[1], 0.0, 1e-12);
    r.states[1].w = kv3_sub(r.states[1].w, m.w);
    rig_eval(&r, &c, 0, &out);
    check_near(out.rate[1], radius * spin, 1e-12);

    // a disc that lies flat has no lowest point
    m     = motion_turn(0, (double[3]){acos(-1.0) / 2.0, 0.0, 0.0});
    m.R.y = kv3(0.0, 0.0, 1.0);
    rig_put(&r, 1, 0, m);
    rig_eval(&r, &c, 0, &out);
    assert_false(isfinite(out.rate[1]));
}

// Rates of rows that are not integrable, in any position: the velocity of a material point as the first sees it is the
// rate of a spherical joint there.
CHECK_TEST(test_velocities)
{
    uint64_t seed = 16;
    rig r;
    rig_init(&r, &seed, 2);
    kane_constraint_row_set disc = random_closure(KANE_CONSTRAINT_ROLLING, &seed), knife = disc, point = disc;
    knife.kind = KANE_CONSTRAINT_KNIFE;
    point.kind = KANE_CONSTRAINT_SPHERICAL;
    kane_constraint_row_set_count(&knife);
    kane_constraint_row_set_count(&point);
    rig_move(&r, 0.4);

    kane_constraint_rows_values rolls, cuts, moves;
    const kane_mat3 first  = km3_mul(r.states[0].R, disc.side[0].axes),
                    second = km3_mul(r.states[1].R, disc.side[1].axes);
    rig_eval(&r, &knife, 0, &cuts);
    rig_eval(&r, &point, 0, &moves);
    const kane_vec3 along = km3_tmulv(first, second.y);
    check_near(cuts.rate[0], kv3_dot(along, kv3(moves.rate[0], moves.rate[1], moves.rate[2])), 1e-13);

    // the lowest point: against the first's z within the disc
    const kane_vec3 up   = kv3_add_scaled(first.z, -kv3_dot(first.z, second.z), second.z);
    const kane_vec3 down = kv3_scale(-disc.radius / kv3_norm(up), up);
    point.side[1].point  = kv3_add(point.side[1].point, km3_tmulv(r.states[1].R, down));
    rig_eval(&r, &disc, 0, &rolls);
    rig_eval(&r, &point, 0, &moves);
    check_near(rolls.value[0], moves.value[2], 1e-14);
    check_near(rolls.rate[0], moves.rate[2], 1e-13);
    check_near(rolls.rate[1], moves.rate[0], 1e-13);
    check_near(rolls.rate[2], moves.rate[1], 1e-13);
}

CHECK_MAIN(NULL, NULL)
