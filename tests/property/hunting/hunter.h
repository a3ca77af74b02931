// SPDX-License-Identifier: MIT
// The wagon with weaker lateral dampers: its limit cycles, from flange to flange, reach down to 19.1 m/s, though the
// equilibrium is stable up to 22.7 m/s.

#ifndef KANE_TESTS_HUNTER_H
#define KANE_TESTS_HUNTER_H

#include "property/wagon/wagon.h"

#include "stability/cycle.h"

#define HUNTER "vehicle.patterns.axlebox.damping=[\"20 kN s/m\", \"5 kN s/m\", \"20 kN s/m\"]"

typedef struct hunter {
    wagon wagon;
    kane_critical_study study;
} hunter;

static inline hunter hunter_read(const char *further)
{
    hunter h               = {.wagon = wagon_read("wagon-transition", (const char *const[]){HUNTER, further, NULL})};
    h.study                = kane_critical_study_default();
    h.study.run            = kane_run_get_definition(h.wagon.run);
    h.study.rules.drifting = 60.0;
    return h;
}

static inline kane_cycle *hunter_create(const hunter *h, double speed)
{
    return CHECK_GOOD(kane_cycle_create, &h->study, speed);
}

static inline void hunter_start(kane_cycle *cycle, const kane_beginning *begin)
{
    (void)CHECK_GOOD(kane_cycle_start, cycle, begin);
}

// What becomes of it; swing of both wheelsets.
static inline kane_critical_point hunter_run(kane_cycle *cycle, kane_critical_swing swing[2])
{
    kane_critical_point point;
    (void)CHECK_GOOD(kane_cycle_run, cycle, &point, swing, NULL, NULL);
    return point;
}

// Both sweeps from 18 to 24 m/s, with less patience than usual.
static inline kane_critical_study hunter_study(const hunter *h)
{
    kane_critical_study study = h->study;
    study.from                = 18.0;
    study.to                  = 24.0;
    study.step                = 2.0;
    study.rules.cycles        = 4;
    study.rules.tolerance     = 2e-3;
    study.rules.drifting      = 30.0;
    study.rules.patience      = 30.0;
    study.resolution          = 1.0;
    return study;
}

static inline kane_critical_report *hunter_find(const kane_critical_study *study)
{
    kane_critical_report *report = CHECK_GOOD(kane_critical_find, study);
    assert_non_null(report);
    return report;
}

#endif
