// SPDX-License-Identifier: MIT
// The rig with one constraint of any kind, constant or with numbers that are functions of time.

#ifndef KANE_TESTS_CONSTRAINED_H
#define KANE_TESTS_CONSTRAINED_H

#include "property/mechanism/ride.h"

static const double constrained_bow[] = {0.0, 0.5, 0.1, 0.05}, constrained_wave[] = {0.0, 0.05, 3.0, 0.0};

// What holds an arm: the bogie in whose frame it is, the bogie while the arm has a frame of its own, the arm's own
// frame. Then the same while the constraint's numbers move.
enum {
    CONSTRAINED_BY_BOGIE,
    CONSTRAINED_ACROSS_FRAMES,
    CONSTRAINED_BY_FRAME,
    CONSTRAINED_MOVING,
    CONSTRAINED_PLACES = 2 * CONSTRAINED_MOVING
};

// mean, amplitude, angular frequency, phase of what is given over time, as kane_given_number
static const double constrained_given[KANE_GIVEN_NUMBERS][4] = {
    {0.01, 0.03, 5.0, 0.2},  {-0.01, 0.02, 6.0, 0.4}, {0.0, 0.04, 4.0, 1.0}, {0.02, 0.05, 7.0, 2.6},
    {-0.03, 0.06, 5.0, 0.3}, {0.01, 0.04, 6.0, 0.1},  {0.6, 0.05, 5.0, 0.3}, {0.1, 0.08, 4.0, -0.5},
    {1.6, 0.3, 3.0, 0.7},    {0.02, 0.05, 5.0, 0.9},
};

static inline kane_function constrained_sine(kane_given_number number)
{
    return (kane_function){.kind = KANE_FUNCTION_SINE, .count = 4, .coefficients = constrained_given[number]};
}

// Value at time t of what is given; 0 of what is not.
static inline double constrained_value(const kane_constraint_definition *c, kane_given_number number, double t)
{
    const double *f = constrained_given[number];
    for (int i = 0; i < c->given_count; i++)
        if (c->given[i].number == number)
            return f[0] + f[1] * sin(f[2] * t + f[3]);
    return 0.0;
}

static inline void constrained_give(rig *r, kane_constraint_definition *c, kane_given_number number)
{
    c->given = r->given;
    r->given[c->given_count++] =
        (kane_given_definition){.number = number, .term = 1, .function = constrained_sine(number)};
}

// All numbers that it has.
static inline void constrained_move(rig *r, kane_constraint_definition *c)
{
    if (c->term_count > 0) {
        constrained_give(r, c, KANE_GIVEN_OFFSET);
        constrained_give(r, c, KANE_GIVEN_FACTOR);
        c->offset             = 0.0;
        r->terms[0][1].factor = 0.0;
        return;
    }
    for (int i = KANE_GIVEN_X; i <= KANE_GIVEN_PITCH; i++)
        constrained_give(r, c, (kane_given_number)i);
    if (c->kind == KANE_CONSTRAINT_DISTANCE)
        constrained_give(r, c, KANE_GIVEN_LENGTH);
    if (c->kind == KANE_CONSTRAINT_CURVE)
        constrained_give(r, c, KANE_GIVEN_ALONG);
}

// Two cranks on the bogie whose angles are related.
static inline void constrained_relation(rig *r, kane_constraint_kind kind)
{
    const kane_mat3 across = {{0, 0, -1}, {1, 0, 0}, {0, -1, 0}}; // z to the right
    const int a =
        rig_link(r, "crank", 120.0, kv3(3.2, 0.5, 0.5), "bogie", KANE_JOINT_REVOLUTE, kv3(3.2, 0.4, 0.9), across);
    const int b =
        rig_link(r, "wheel", 90.0, kv3(4.6, 0.3, 0.7), "bogie", KANE_JOINT_REVOLUTE, kv3(4.6, 0.2, 0.8), rig_turned());
    rig_start(r, a, 0, 0.2, 0.8);
    rig_start(r, b, 0, 0.1, -0.5);
    kane_constraint_definition *c = rig_relate(r, "relation", kind, "crank", 1.0, "wheel", 1.7);
    if (kind == KANE_CONSTRAINT_FUNCTION)
        c->function[0] = (kane_function){.kind = KANE_FUNCTION_POLYNOMIAL, .count = 4, .coefficients = constrained_bow};
    if (kind == KANE_CONSTRAINT_LINEAR)
        c->offset = 0.05;
    if (kind == KANE_CONSTRAINT_RATES)
        c->offset = 0.3;
}

// An arm that is free but for springs and the constraint.
static inline void constrained_arm(rig *r, kane_constraint_kind kind, int where)
{
    const char *by       = where == CONSTRAINED_BY_FRAME ? NULL : "bogie";
    const kane_vec3 at   = kv3(3.3, 0.4, 0.9);
    const kane_mat3 axle = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}; // z to the left
    const int arm        = rig_body(r, "arm", 200.0, kv3(3.3, 0.2, 0.8));
    if (where == CONSTRAINED_BY_BOGIE)
        r->bodies[arm].frame = "bogie";
    for (int k = 0; k < 6; k++)
        rig_start(r, arm, k, 0.01 * (k - 2), 0.2 - 0.1 * k);
    rig_bushing(r, "arm held", by ? by : "track", "arm", kv3(3.1, 0.1, 0.8), 3e4, 6e3, 200.0 * 9.81);
    kane_constraint_definition *c = rig_close(r, "closure", kind, by, "arm", at, rig_turned());
    c->function[0] = (kane_function){.kind = KANE_FUNCTION_POLYNOMIAL, .count = 4, .coefficients = constrained_bow};
    c->function[1] = (kane_function){.kind = KANE_FUNCTION_SINE, .count = 4, .coefficients = constrained_wave};
    if (kind == KANE_CONSTRAINT_DISTANCE || kind == KANE_CONSTRAINT_ROD)
        c->at[1].at = kv3(3.4, -0.1, 1.2);
    c->mass    = 60.0;
    c->centre  = 0.3;
    c->inertia = 4.0;
    if (kind == KANE_CONSTRAINT_KNIFE || kind == KANE_CONSTRAINT_ROLLING)
        c->at[0].axes = c->at[1].axes = km3_identity();
    if (kind == KANE_CONSTRAINT_ROLLING) {
        c->radius     = 0.4;
        c->at[1].at   = kv3(3.3, 0.4, 1.3);
        c->at[1].axes = axle;
    }
}

// User-defined rows: a rope from a point of the carrier over one of the arm to one of the car, which is pulled in and
// let out; and the arm's point moves along the carrier's y as time and the arm's turning say.
static const double constrained_pull[3] = {0.04, 3.0, 0.4}, constrained_slip[3] = {0.2, 2.0, 0.3};
static const kane_vec3 constrained_ends[3] = {{3.3, 0.4, 0.9}, {3.4, -0.1, 1.2}, {0.8, 0.3, 2.0}};

static inline void constrained_rope(const void *data, const kane_rows_input *in, kane_number *phi)
{
    const kane_number3 arm = in->marker[0].position, car = in->marker[1].position;
    const kane_vec3 *at      = constrained_ends;
    const double drawn       = kv3_norm(kv3_sub(at[1], at[0])) + kv3_norm(kv3_sub(at[2], at[1]));
    const double *pull       = data;
    const kane_number pulled = kn_scale(pull[0], kn_sin(kn_shift(kn_scale(pull[1], in->time), pull[2])));
    phi[0]                   = kn_sub(kn_add(kn3_norm(arm), kn3_norm(kn3_sub(car, arm))), kn_shift(pulled, drawn));
}

static inline void constrained_slide(const void *data, const kane_rows_input *in, kane_number *psi)
{
    const kane_rows_marker *arm = &in->marker[0];
    (void)data;
    psi[0] = kn_add(arm->velocity.y, kn_scale(constrained_slip[2], arm->turning.z));
    psi[0] = kn_sub(psi[0], kn_scale(constrained_slip[0], kn_cos(kn_scale(constrained_slip[1], in->time))));
}

static const kane_schema constrained_pull_schema = {.name = "pull", .size = sizeof constrained_pull};
static const kane_rows_kind constrained_own      = {.name      = "rope and slide",
                                                    .schema    = &constrained_pull_schema,
                                                    .markers   = 3,
                                                    .positions = 1,
                                                    .rates     = 1,
                                                    .position  = constrained_rope,
                                                    .rate      = constrained_slide};

static inline void constrained_set_own(rig *r, kane_constraint_definition *c, const char *by)
{
    const char *const bodies[3] = {by, "arm", "car"};
    for (int i = 0; i < 3; i++)
        r->sides[i] = (kane_side_definition){.body = bodies[i], .at = {.at = constrained_ends[i]}};
    r->sides[0].at.axes = rig_turned();
    c->own              = &constrained_own;
    c->parameters       = constrained_pull;
    c->side_count       = 3;
    c->sides            = r->sides;
}

// Returns 0 where this kind has no such place.
static inline int constrained_build(rig *r, kane_constraint_kind kind, int where)
{
    const int relation =
        kind == KANE_CONSTRAINT_LINEAR || kind == KANE_CONSTRAINT_FUNCTION || kind == KANE_CONSTRAINT_RATES;
    if (relation && where % CONSTRAINED_MOVING != CONSTRAINED_BY_BOGIE)
        return 0;
    if ((kind == KANE_CONSTRAINT_USER || kind == KANE_CONSTRAINT_ROD) &&
        where >= CONSTRAINED_MOVING) // a rod has no such numbers
        return 0;
    rig_begin_vehicle(r);
    if (relation)
        constrained_relation(r, kind);
    else
        constrained_arm(r, kind, where % CONSTRAINED_MOVING);
    if (kind == KANE_CONSTRAINT_USER)
        constrained_set_own(r, &r->constraints[0], where == CONSTRAINED_BY_FRAME ? NULL : "bogie");
    if (where >= CONSTRAINED_MOVING)
        constrained_move(r, &r->constraints[0]);
    return 1;
}

#endif
