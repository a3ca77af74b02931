// SPDX-License-Identifier: MIT
// A wheelset on its track, for the tests of the contact: from a wheelset's pose to the motion of one of its wheels.

#ifndef KANE_TESTS_CONTACT_RIG_H
#define KANE_TESTS_CONTACT_RIG_H

#include "check.h"

#include <kane/contact.h>

// Of the wheelset's centre: to the left and up from where the running circles stand level with the tops of the rails
// [m], rotated Rz(yaw) Rx(roll) [rad].
typedef struct rig_pose {
    double y, z, roll, yaw;
} rig_pose;

static inline kane_contact *rig_create(kane_contact_definition definition)
{
    kane_contact *contact = kane_contact_create(&definition, NULL);
    assert_non_null(contact);
    return contact;
}

// A cone 1:20, and a head of 300 mm; they are there for the whole test.
static inline const kane_profile *rig_cone(void)
{
    static kane_profile cone;
    cone = kane_profile_cone(0.05);
    return &cone;
}

static inline const kane_profile *rig_round(void)
{
    static kane_profile head;
    head = kane_profile_round(0.3);
    return &head;
}

static inline kane_contact_definition rig_cone_on_round(void)
{
    kane_contact_definition d = kane_contact_definition_default();
    d.wheel[0]                = rig_cone();
    d.rail[0]                 = rig_round();
    return d;
}

static inline double rig_outside(kane_side side)
{
    return side == KANE_LEFT ? 1.0 : -1.0;
}

// The wheelset moves along the track and spins about its axle.
static inline kane_wheel_motion rig_motion(const kane_contact *contact, double radius, kane_side side, rig_pose p,
                                           double speed, double spin)
{
    const double out = rig_outside(side), d = out * kane_contact_wheel_distance(contact, side);
    const kane_vec3 axle = kv3(-sin(p.yaw) * cos(p.roll), cos(p.yaw) * cos(p.roll), sin(p.roll));
    kane_wheel_motion m  = {.axle = axle, .velocity = kv3(speed, 0.0, 0.0), .omega = kv3_scale(spin, axle)};
    m.centre             = kv3_add(kv3(0.0, p.y, radius + p.z), kv3_scale(d, axle));
    m.centre.y -= out * kane_contact_rail_distance(contact, side);
    return m;
}

static inline kane_contact_result rig_eval(const kane_contact *contact, kane_side side, const kane_wheel_motion *m)
{
    kane_contact_result result;
    assert_int_equal(kane_contact_eval(contact, side, m, &result), KANE_OK);
    return result;
}

static inline double rig_normal(const kane_contact_result *r)
{
    double N = 0.0;
    for (int i = 0; i < r->patch_count; i++)
        N += r->patch[i].N;
    return N;
}

static inline double rig_normal_at(const kane_contact *contact, double radius, kane_side side, rig_pose p, double z)
{
    p.z                         = z;
    const kane_wheel_motion m   = rig_motion(contact, radius, side, p, 0.0, 0.0);
    const kane_contact_result r = rig_eval(contact, side, &m);
    return rig_normal(&r);
}

// The height of the wheelset at which the wheel on one side, let down from above, carries the normal force N at rest.
static inline double rig_height(const kane_contact *contact, double radius, kane_side side, rig_pose p, double N)
{
    double high = 0.04, low = high;
    while (low > -0.04 && rig_normal_at(contact, radius, side, p, low) < N) {
        high = low;
        low -= 2e-4;
    }
    for (int i = 0; i < 60; i++) {
        const double z = 0.5 * (low + high);
        if (rig_normal_at(contact, radius, side, p, z) > N)
            low = z;
        else
            high = z;
    }
    return 0.5 * (low + high);
}

// The wheelset at y and yaw with the normal force N on each side (found to the first order in roll, twice).
static inline rig_pose rig_place(const kane_contact *contact, double radius, double y, double yaw, double N)
{
    rig_pose p = {y, 0.0, 0.0, yaw};
    for (int i = 0; i < 2; i++) {
        const double left  = rig_height(contact, radius, KANE_LEFT, p, N),
                     right = rig_height(contact, radius, KANE_RIGHT, p, N);
        p.z                = 0.5 * (left + right);
        p.roll += 0.5 * (left - right) / kane_contact_wheel_distance(contact, KANE_LEFT);
    }
    return p;
}

// Random numbers in (low, high), the same in every run.
static inline double rig_random(unsigned long long *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(*seed >> 11) * (1.0 / 9007199254740992.0);
}

// S1002 on 60E1, for a group of tests.
static kane_contact *steel;

static inline int make_steel(void **state)
{
    (void)state;
    steel = rig_create(kane_contact_definition_default());
    return 0;
}

static inline int free_steel(void **state)
{
    (void)state;
    kane_contact_free(steel);
    return 0;
}

// --- a rail whose profile changes over 2 m ---

enum { RAIL_POINTS = 240 };

// 60E1 as it is drawn, and worn by `wear` at its gauge corner and a third of it on its top.
static inline kane_profile rail_worn(double wear, double y[RAIL_POINTS], double z[RAIL_POINTS])
{
    assert_int_equal(kane_profile_draw(kane_profile_60e1(), RAIL_POINTS, y, z), KANE_OK);
    for (int i = 0; i < RAIL_POINTS; i++) {
        const double t = (y[i] + 0.020) / 0.030;
        z[i] -= wear * (1.0 / 3.0 + 2.0 / 3.0 * 0.5 * (1.0 - tanh(2.0 * t)));
    }
    return (kane_profile){.kind      = KANE_PROFILE_RAIL,
                          .shape     = KANE_SHAPE_POINTS,
                          .name      = "worn",
                          .count     = RAIL_POINTS,
                          .y         = y,
                          .z         = z,
                          .smoothing = 2e-6};
}

static inline kane_contact *rail_create(const kane_profile *profile, int as_drawn)
{
    kane_contact_definition d   = kane_contact_definition_default();
    const kane_rail_shape shape = {.profile = profile, .as_drawn = as_drawn};
    d.shape_count               = 1;
    d.shapes                    = &shape;
    return rig_create(d);
}

// The change over 2 m by 10 t^3 - 15 t^4 + 6 t^5, as a track has it.
static inline kane_rail_blend rail_blend_at(double s)
{
    const double t = s / 2.0;
    return (kane_rail_blend){.from     = 0,
                             .to       = 1,
                             .share    = t * t * t * (10.0 + t * (-15.0 + 6.0 * t)),
                             .share_s  = 15.0 * t * t * (1.0 - t) * (1.0 - t),
                             .share_ss = 15.0 * t * (1.0 - t) * (1.0 - 2.0 * t)};
}

#endif
