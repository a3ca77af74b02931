// SPDX-License-Identifier: MIT
// All joints and constraints that properties are tried on, one after another; and rates of what is seen along a run.

#ifndef KANE_TESTS_CASES_H
#define KANE_TESTS_CASES_H

#include "property/mechanism/constrained.h"
#include "property/mechanism/deformed.h"
#include "property/mechanism/jointed.h"
#include "property/mechanism/mixed.h"

enum {
    CASES_SIMPLE = JOINTED_CASES + KANE_CONSTRAINT_KINDS * CONSTRAINED_PLACES, // one joint or constraint
    CASES_RIGID  = CASES_SIMPLE + MIXED_CASES,
    CASES_TREES  = CASES_RIGID + DEFORMED_CASES,
    CASES        = CASES_TREES + DEFORMED_LOOPS
};

typedef struct test_case {
    rig rig;
    char name[64];
    int is_constrained;
    kane_constraint_kind kind;
    int where;
} test_case;

// Returns 0 where there is none of this number.
static inline int case_build(test_case *c, int i)
{
    if (i < JOINTED_CASES) {
        c->is_constrained = 0;
        jointed_case(&c->rig, i, c->name);
        return 1;
    }
    if (i >= CASES_TREES) {
        c->is_constrained = 1;
        deformed_loop(&c->rig, i - CASES_TREES, c->name);
        return 1;
    }
    if (i >= CASES_RIGID) {
        c->is_constrained = 0;
        deformed_case(&c->rig, i - CASES_RIGID, c->name);
        return 1;
    }
    c->is_constrained = 1;
    if (i >= CASES_SIMPLE) {
        mixed_build(&c->rig, i - CASES_SIMPLE, c->name);
        return 1;
    }
    c->kind  = (kane_constraint_kind)((i - JOINTED_CASES) / CONSTRAINED_PLACES);
    c->where = (i - JOINTED_CASES) % CONSTRAINED_PLACES;
    (void)snprintf(c->name, sizeof c->name, "%s, place %d", kane_constraint_kind_name(c->kind), c->where);
    return constrained_build(&c->rig, c->kind, c->where);
}

// The ways in which a case is evaluated; of one without constraints the forms are the same.
enum { CASE_WAYS = 6 };

static inline ride_options case_way(int way)
{
    return (ride_options){.start               = 40.0,
                          .formulation         = way % 3 == 2 ? KANE_FIXED : KANE_MOVING,
                          .imaginary_as_forces = way % 3 == 1,
                          .form                = way / 3 ? KANE_FORM_MULTIPLIERS : KANE_FORM_COEFFICIENTS};
}

static inline int case_ways(const test_case *c)
{
    return c->is_constrained ? CASE_WAYS : 3;
}

// --- rates along a run ---

// Reads what is to be differentiated; returns how many values.
typedef int (*case_reader)(const ride *a, double *values);

enum { CASE_VALUES = 400 };

static inline void case_at(const ride *a, double h, case_reader read, double *values)
{
    ride b = *a;
    ride_eval(&b);
    ride_step(&b, h);
    b.t = a->t + h;
    ride_see(&b);
    (void)read(&b, values);
}

// Rates of all values by differences of fourth order over a step h; ends with the evaluation that it began with.
static inline int case_rates(ride *a, double h, case_reader read, double *values, double *rates)
{
    static const double node[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0, -8.0, 8.0, -1.0};
    double there[CASE_VALUES];
    const int count = read(a, values);
    assert_true(count <= CASE_VALUES);
    for (int i = 0; i < count; i++)
        rates[i] = 0.0;
    for (int k = 0; k < 4; k++) {
        case_at(a, node[k] * h, read, there);
        for (int i = 0; i < count; i++)
            rates[i] += weight[k] * there[i] / (12.0 * h);
    }
    ride_see(a);
    return count;
}

// What holds in every case, in all ways, after some time on a line that curves, climbs and is canted.
typedef void (*ride_check)(ride *a, const test_case *c, int way);

static inline void check_every_ride(int cases, double seconds, ride_check check)
{
    CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_SINE);
    for (int i = 0; i < cases; i++) {
        static test_case c;
        if (!case_build(&c, i))
            continue;
        for (int way = 0; way < case_ways(&c); way++) {
            CHECK_END(ride_free) ride a = {0};
            ride_create(&a, &c.rig, track, case_way(way));
            ride_go(&a, seconds, 1e-3);
            check(&a, &c, way);
        }
    }
}

#endif
