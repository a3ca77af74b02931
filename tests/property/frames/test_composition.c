// SPDX-License-Identifier: MIT
// Frames on frames move as products of turns and shifts say that are composed by hand, and their velocities and
// accelerations are the derivatives of those.

#include "mechanisms.h"
#include "property/frames/composed.h"

#include "agem/work.h"

// --- functions of time by hand ---

static const double along[] = {0.1, 0.5, -0.2}, swing[4] = {0.2, 0.6, 1.3, 0.4}, heave[4] = {0.3, -0.4, 2.1, 0.7};
static const double turning[] = {0.4, 0.3}, faster[] = {0.8, -0.1}, slow[4] = {0.05, 0.3, 1e-7, 0.9};
static const double knots[3] = {0.0, 1.0, 2.0}, roll_at[3] = {0.3, -0.2, 0.4}, rate_at[3] = {0.5, 0.9, -0.3};

static double polynomial(int n, const double *c, double t)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += c[i] * pow(t, i);
    return sum;
}

static double sine(const double c[4], double t)
{
    return c[0] + c[1] * sin(c[2] * t + c[3]);
}

// The natural cubic spline through three points at 0, 1, 2: y'' is a hat of height M = 3/2 (y0 - 2 y1 + y2); beyond its
// ends a line.
static double spline(const double y[3], double t)
{
    const double M      = 1.5 * (y[0] - 2.0 * y[1] + y[2]);
    const double before = y[1] - y[0] - M / 6.0, after = y[2] - y[1] + M / 6.0; // slopes at the ends
    if (t < 0.0)
        return y[0] + before * t;
    if (t > 2.0)
        return y[2] + after * (t - 2.0);
    return t < 1.0 ? y[0] + before * t + M * t * t * t / 6.0
                   : y[2] - after * (2.0 - t) + M * (2.0 - t) * (2.0 - t) * (2.0 - t) / 6.0;
}

typedef double (*rate)(double t);

static double heave_rate(double t)
{
    return sine(heave, t);
}

static double turning_rate(double t)
{
    return polynomial(2, turning, t);
}

static double pitch_rate(double t)
{
    return spline(rate_at, t);
}

static double faster_rate(double t)
{
    return polynomial(2, faster, t);
}

static double slow_rate(double t)
{
    return sine(slow, t);
}

// Simpson's rule from 0, from knot to knot.
static double integral(rate f, double t)
{
    const double sign = t < 0.0 ? -1.0 : 1.0, end = fabs(t), h = 1.0 / 1024.0;
    double sum = 0.0;
    for (int i = 0; i * h < end; i++) {
        const double a = i * h, b = fmin(end, a + h);
        sum += (b - a) / 6.0 * (f(sign * a) + 4.0 * f(sign * 0.5 * (a + b)) + f(sign * b));
    }
    return sign * sum;
}

// --- the same frames by hand ---

static const kane_vec3 ship_at = {1.0, 2.0, 0.5}, table_at = {2.0, 1.0, 1.0}, boom_at = {2.5, 1.2, 1.5},
                       hook_at = {3.0, 0.5, 2.0}, buoy_at = {-4.0, 1.0, 0.2};
static const kane_vec3 table_axis = {1.0, -1.0, 2.0};

static kane_mat3 askew(void)
{
    return km3_mul(composed_turn(2, 0.7), km3_mul(composed_turn(0, -0.4), composed_turn(1, 0.9)));
}

// Axes whose z is the turntable's axis.
static kane_mat3 about_table_axis(void)
{
    const kane_vec3 z = kv3_scale(1.0 / sqrt(6.0), table_axis), y = kv3_scale(1.0 / sqrt(2.0), kv3(1.0, 1.0, 0.0));
    return (kane_mat3){kv3_cross(y, z), y, z};
}

// A turn that is counted along these axes.
static kane_mat3 seen(kane_mat3 axes, kane_mat3 turn)
{
    return km3_mul(axes, km3_mul(turn, km3_transpose(axes)));
}

// x, y, z along the askew axes, then y, z, x turns about moving ones.
static composed_pose ship(double t)
{
    const kane_vec3 slid = kv3(polynomial(3, along, t), sine(swing, t), integral(heave_rate, t));
    const kane_mat3 R =
        km3_mul(composed_turn(1, integral(pitch_rate, t)),
                km3_mul(composed_turn(2, integral(turning_rate, t)), composed_turn(0, spline(roll_at, t))));
    return (composed_pose){seen(askew(), R), kv3_add(ship_at, km3_mulv(askew(), slid))};
}

static composed_pose table(double t)
{
    const composed_pose own = {composed_turn_about(table_axis, integral(faster_rate, t)), kv3_sub(table_at, ship_at)};
    return composed_on(ship(t), own);
}

// Travel along y and a turn about it.
static composed_pose boom(double t)
{
    const double travel     = sine(swing, t);
    const composed_pose own = {composed_turn(1, integral(slow_rate, t)),
                               kv3_add(kv3_sub(boom_at, table_at), kv3(0.0, travel, 0.0))};
    return composed_on(table(t), own);
}

// Turns about askew x, then y.
static composed_pose hook(double t)
{
    const kane_mat3 R = km3_mul(composed_turn(0, sine(swing, t)), composed_turn(1, polynomial(3, along, t)));
    return composed_on(boom(t), (composed_pose){seen(askew(), R), kv3_sub(hook_at, boom_at)});
}

// A frame of the user's own, and x, y and a turn about z on it.
static composed_pose raft(double t)
{
    return (composed_pose){composed_turn(2, 0.2 * t * t), kv3(sin(t), 0.3 * t * t, 0.0)};
}

static composed_pose buoy(double t)
{
    const composed_pose own = {composed_turn(2, sine(swing, t)),
                               kv3_add(buoy_at, kv3(polynomial(3, along, t), spline(roll_at, t), 0.0))};
    return composed_on(raft(t), own);
}

static void move_raft(const void *data, double t, kane_transport *T)
{
    (void)data;
    *T         = kane_transport_rest();
    T->R       = composed_turn(2, 0.2 * t * t);
    T->r_o     = kv3(sin(t), 0.3 * t * t, 0.0);
    T->v_o     = km3_tmulv(T->R, kv3(cos(t), 0.6 * t, 0.0));
    T->a_o     = km3_tmulv(T->R, kv3(-sin(t), 0.6, 0.0));
    T->omega   = kv3(0.0, 0.0, 0.4 * t);
    T->epsilon = kv3(0.0, 0.0, 0.4);
}

// --- and as a mechanism has them ---

enum { HOOK, BOOM, TABLE, SHIP, BUOY, RAFT, FRAMES };

static kane_function table_of(const double y[3])
{
    return (kane_function){.kind = KANE_FUNCTION_TABLE, .count = 3, .x = knots, .y = y};
}

// Frames that others need come last.
static void build(mechanism *m)
{
    mechanism_begin(m, 9.81);
    const kane_mat3 none = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    (void)mechanism_frame(m, "hook", "boom", KANE_JOINT_UNIVERSAL, hook_at, askew());
    mechanism_frame_move(m, HOOK, 0, mechanism_sine(swing), 0);
    mechanism_frame_move(m, HOOK, 1, mechanism_polynomial(3, along), 0);
    (void)mechanism_frame(m, "boom", "table", KANE_JOINT_CYLINDRICAL, boom_at, axes_about(1));
    mechanism_frame_move(m, BOOM, 1, mechanism_sine(slow), 1);
    mechanism_frame_move(m, BOOM, 0, mechanism_sine(swing), 0);
    (void)mechanism_frame(m, "table", "ship", KANE_JOINT_REVOLUTE, table_at, about_table_axis());
    mechanism_frame_move(m, TABLE, 0, mechanism_polynomial(2, faster), 1);
    (void)mechanism_frame(m, "ship", NULL, KANE_JOINT_FREE, ship_at, askew());
    m->frame_joints[SHIP].rotation = "yzx"; // pitch, yaw, roll
    mechanism_frame_move(m, SHIP, 0, mechanism_polynomial(3, along), 0);
    mechanism_frame_move(m, SHIP, 1, mechanism_sine(swing), 0);
    mechanism_frame_move(m, SHIP, 2, mechanism_sine(heave), 1);
    mechanism_frame_move(m, SHIP, 3, table_of(rate_at), 1);
    mechanism_frame_move(m, SHIP, 4, mechanism_polynomial(2, turning), 1);
    mechanism_frame_move(m, SHIP, 5, table_of(roll_at), 0);
    (void)mechanism_frame(m, "buoy", "raft", KANE_JOINT_PLANAR, buoy_at, none);
    mechanism_frame_move(m, BUOY, 0, mechanism_polynomial(3, along), 0);
    mechanism_frame_move(m, BUOY, 1, table_of(roll_at), 0);
    mechanism_frame_move(m, BUOY, 2, mechanism_sine(swing), 0);
    m->frames[m->vehicle.given_frame_count++] = (kane_given_frame){.block = {"raft", NULL}, .motion = move_raft};
    const int load                            = mechanism_add(m, "load", 3.0, kv3(0.2, 0.3, 0.4), kv3(3.3, 0.4, 1.0));
    m->bodies[load].frame                     = "hook";
}

CHECK_TEST(frames_on_frames_move_as_they_are_composed_by_hand)
{
    static const composed_motion by_hand[FRAMES] = {hook, boom, table, ship, buoy, raft};
    static const double times[]                  = {0.4, 0.7, 1.6, 3.1};
    CHECK_END(mechanism_close_all) mechanism m   = {0};
    build(&m);
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        mechanism_eval(&m, times[i]);
        for (int f = 0; f < FRAMES; f++)
            composed_check(&m.work->transport[1 + f], by_hand[f], times[i], m.frames[f].block.name);
    }
}

// A body begins where it is drawn: in its frame, wherever that is at the start.
CHECK_TEST(a_body_begins_as_it_is_drawn_in_its_frame)
{
    CHECK_END(mechanism_close_all) mechanism m = {0};
    build(&m);
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    const composed_pose at = hook(0.0);
    check_vec3(m.work->body[0].r, kv3_sub(m.bodies[0].position, hook_at), 1e-15);
    check_vec3(m.work->body[0].r_w, kv3_add(at.r, km3_mulv(at.R, kv3_sub(m.bodies[0].position, hook_at))), 1e-12);
    check_mat3(m.work->body[0].R_w, at.R, 1e-12);
}

CHECK_MAIN(NULL, NULL)
