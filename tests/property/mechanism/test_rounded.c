// SPDX-License-Identifier: MIT
// At the kinks of a linear ramp frames jump, and with them the imaginary terms have impulses. Joined bodies there, with
// terms or without, are what they are on ever shorter roundings of the kinks, where frames jump nowhere.

#include "property/mechanism/constrained.h"
#include "property/mechanism/jointed.h"
#include "rounded.h"

static kane_track *line(kane_cant_axis axis, double rounding)
{
    const rounded_ramp ramp     = {20.0, 40.0, 200.0, 1.0 / 300.0, 0.1, rounding};
    kane_track_definition usual = kane_track_definition_default();
    usual.grade                 = 0.01;
    return rounded_track(&usual, &ramp, axis);
}

// The frames go with a body of its own at the height of the rails, where a frame that pitches does not move it along:
// removed freedoms keep the value that they have then, which on a rounding they do not.
static void lead(rig *r)
{
    (void)rig_body(r, "pilot", 10.0, kv3_zero());
    rig_bushing(r, "pilot held", "track", "pilot", kv3_zero(), 1e5, 1e4, 98.1);
    r->vehicle.guide = "pilot";
}

// Where attitudes jump, dampers would have impulses of their own.
static void undamp(rig *r)
{
    for (int e = 0; e < r->vehicle.element_count; e++)
        r->bushings[e].damping = r->bushings[e].rotational_damping = kv3_zero();
}

// As drawn, at rest in the frames.
static void calm(rig *r, kane_joint_kind kind)
{
    memset(r->starts, 0, sizeof r->starts);
    if (kind == KANE_JOINT_SPHERICAL)
        r->starts[RIG_BOGIE + 1].q[0] = 1.0;
}

// From 55 m on, so that all frames pass the end of the ramp at 60 m, until the suspension has answered.
static void go(ride *a, const rig *r, const kane_track *track, const char *omit, kane_constraint_form form)
{
    ride_create(a, r, track, (ride_options){.start = 55.0, .omit = omit, .form = form});
    ride_go(a, 0.42, 2e-3);
}

static void show(const char *name, const char *omit, ride_difference a, ride_difference b)
{
    if (getenv("RIDE_SHOW"))
        print_message("%-40s %-26s place %.2g of %.2g, speed %.2g of %.2g\n", name, omit ? omit : "", a.place, b.place,
                      a.speed, b.speed);
}

// Of two roundings the one that is half as long is at most 0.6 times as far from the kink, but for what is `left` in
// place and ten times that in speed: round-off and the integrator, or second orders.
static void check_converges(const rig *r, kane_cant_axis axis, const char *omit, kane_constraint_form form, double left,
                            const char *name)
{
    static const double rounding[] = {0.0, 0.1, 0.2};
    ride rides[3];
    for (int i = 0; i < 3; i++) {
        CHECK_OWNED(kane_track) *track = line(axis, rounding[i]);
        go(&rides[i], r, track, omit, form);
    }
    const ride_difference near = ride_compare(&rides[0], &rides[1]), far = ride_compare(&rides[0], &rides[2]);
    show(name, omit, near, far);
    if (!(near.place <= 0.6 * far.place + left && near.speed <= 0.6 * far.speed + 10.0 * left))
        fail_msg("%s without %s: a rounding of 0.1 m is %.3g and %.3g apart, one of 0.2 m %.3g and %.3g", name,
                 omit ? omit : "nothing", near.place, near.speed, far.place, far.speed);
    for (int i = 0; i < 3; i++)
        ride_free(&rides[i]);
}

// Where the attitude jumps and a term is omitted, bodies move against each other at once: right to first order of the
// jump. What is left is small against what the omission does.
static void check_first_order(const rig *r, const char *omit, const char *name)
{
    CHECK_OWNED(kane_track) *kinked = line(KANE_CANT_INNER_RAIL, 0.0), *rounded = line(KANE_CANT_INNER_RAIL, 0.1);
    CHECK_END(ride_free) ride whole = {0}, omitted = {0}, short_rounding = {0};
    go(&whole, r, kinked, NULL, KANE_FORM_COEFFICIENTS);
    go(&omitted, r, kinked, omit, KANE_FORM_COEFFICIENTS);
    go(&short_rounding, r, rounded, omit, KANE_FORM_COEFFICIENTS);
    const ride_difference left = ride_compare(&omitted, &short_rounding), effect = ride_compare(&omitted, &whole);
    show(name, omit, left, effect);
    if (!(left.place <= 0.1 * effect.place + 4e-4 && left.speed <= 0.1 * effect.speed + 1e-3))
        fail_msg("%s without %s: a rounding of 0.1 m is %.3g and %.3g apart, the omission does %.3g and %.3g", name,
                 omit, left.place, left.speed, effect.place, effect.speed);
}

static const double round_off = 1e-7;

static const char *const omissions[] = {"arm:torque.rotation.*",
                                        "arm:torque.rotation.x",
                                        "arm:force.rotation.*",
                                        "arm:force.translation.*",
                                        "bogie:torque.rotation.*",
                                        "*:force.rotation.y",
                                        "car:*.*.*"};
enum { OMISSIONS = sizeof omissions / sizeof *omissions };

// What hangs on its frame is displaced where the frame's attitude jumps: to first order of the jump, whatever its rates
// are.
enum { ON_FRAME = 2 };

CHECK_TEST(joints_at_a_kink_are_those_on_a_short_rounding)
{
    for (int i = 0; i < JOINTED_CASES; i++) {
        static rig r;
        char name[64];
        jointed_case(&r, i, name);
        lead(&r);
        check_converges(&r, KANE_CANT_CENTRE_LINE, NULL, KANE_FORM_COEFFICIENTS, round_off, name);
        check_converges(&r, KANE_CANT_CENTRE_LINE, omissions[i % OMISSIONS], KANE_FORM_COEFFICIENTS, round_off, name);
        undamp(&r);
        check_converges(&r, KANE_CANT_INNER_RAIL, NULL, KANE_FORM_COEFFICIENTS,
                        i / 2 % JOINTED_PARENTS == ON_FRAME ? 6e-4 : round_off, name);
        calm(&r, r.joints[RIG_BOGIE + 1].kind);
        check_first_order(&r, omissions[(i / 3) % OMISSIONS], name);
    }
}

// A body alone in its frame that cannot turn about all axes: its products of inertia couple what it can with what it
// cannot.
CHECK_TEST(removed_freedoms_at_a_kink_are_those_on_a_short_rounding)
{
    static const unsigned removed[] = {KANE_DOF(KANE_PITCH), KANE_DOF(KANE_YAW) | KANE_DOF(KANE_PITCH),
                                       KANE_DOF(KANE_Y) | KANE_DOF(KANE_ROLL), KANE_DOF(KANE_Z)};
    static const char *const omit[] = {NULL, "bogie:torque.rotation.*", "bogie:force.rotation.*"};
    for (size_t i = 0; i < sizeof removed / sizeof *removed; i++)
        for (size_t k = 0; k < sizeof omit / sizeof *omit; k++) {
            static rig r;
            char name[32];
            (void)snprintf(name, sizeof name, "removed freedoms %u", removed[i]);
            rig_begin_vehicle(&r);
            r.bodies[RIG_BOGIE].dof &= ~removed[i];
            for (int c = 0; c < KANE_COORDINATES; c++)
                if (removed[i] & KANE_DOF(c))
                    rig_start(&r, RIG_BOGIE, c, 0.0, 0.0);
            lead(&r);
            check_converges(&r, KANE_CANT_CENTRE_LINE, omit[k], KANE_FORM_COEFFICIENTS, round_off, name);
        }
}

CHECK_TEST(constraints_at_a_kink_are_those_on_a_short_rounding)
{
    for (int i = 0; i < CONSTRAINED_PLACES * KANE_CONSTRAINT_KINDS; i++) {
        const kane_constraint_kind kind = (kane_constraint_kind)(i % KANE_CONSTRAINT_KINDS);
        const int where                 = i / KANE_CONSTRAINT_KINDS;
        const kane_constraint_form form = i % 2 ? KANE_FORM_MULTIPLIERS : KANE_FORM_COEFFICIENTS;
        static rig r;
        char name[64];
        if (!constrained_build(&r, kind, where))
            continue;
        lead(&r);
        (void)snprintf(name, sizeof name, "%s, place %d", kane_constraint_kind_name(kind), where);
        check_converges(&r, KANE_CANT_CENTRE_LINE, NULL, form, round_off, name);
        for (int k = i % 2; k < OMISSIONS; k += 3)
            if (omissions[k][0] != 'a' || strcmp(r.bodies[RIG_BOGIE + 1].block.name, "arm") == 0)
                check_converges(&r, KANE_CANT_CENTRE_LINE, omissions[k], form, round_off, name);
    }
}

CHECK_MAIN(NULL, NULL)
