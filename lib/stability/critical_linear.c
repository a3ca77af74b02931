// SPDX-License-Identifier: MIT
// The linear critical speed: the slowest one from which an eigenvalue of the vehicle in equilibrium lies to the right.

#include "stability/critical.h"

#include <kane/linear.h>
#include <kane/steady.h>

#include <math.h>
#include <stdio.h>

static const double close_enough = 1e-6;  // of the speed, over the step of the sweep
static const double fastest      = 150.0; // of the search by default [m/s]

double search_fastest(const kane_critical_study *study)
{
    return study->to == 0.0 ? fastest : study->to;
}

// The mode that grows fastest, or decays slowest.
typedef struct worst {
    double growth, frequency; // [1/s], [Hz]
    char name[256];
} worst;

static void select_worst_mode(worst *w, const kane_modes *modes)
{
    w->growth = -(double)INFINITY;
    for (int i = 0; i < kane_modes_count(modes); i++) {
        const kane_mode *mode = kane_modes_get(modes, i);
        if (mode->kind == KANE_MODE_INDIFFERENT || !(mode->re > w->growth))
            continue;
        w->growth    = mode->re > 0.0 && !kane_mode_grows(mode) ? 0.0 : mode->re; // without rounding
        w->frequency = mode->frequency;
        (void)snprintf(w->name, sizeof w->name, "%s", mode->name);
    }
}

// 0 with errors.
static int find_worst(const kane_critical_study *study, double speed, worst *w, kane_errors *errors)
{
    const kane_steady_definition where = {speed, study->curvature, study->superelevation, 1};
    kane_steady *steady                = kane_steady_create(study->run, &where, errors);
    kane_linear *linear = steady ? kane_linear_create(kane_steady_model(steady), kane_steady_work(steady), 0.0,
                                                      kane_steady_state(steady), errors)
                                 : NULL;
    kane_modes *modes   = linear ? kane_modes_create(linear, KANE_MODES_COMPLETE, errors) : NULL;
    if (modes)
        select_worst_mode(w, modes);
    const int found = modes != NULL;
    kane_modes_free(modes);
    kane_linear_free(linear);
    kane_steady_free(steady);
    return found;
}

static void store_linear_result(search *s, double speed, const worst *w)
{
    kane_critical_result *r = &s->report->result;
    r->linear               = speed;
    r->linear_frequency     = w->frequency;
    (void)snprintf(r->linear_mode, sizeof r->linear_mode, "%s", w->name);
}

// Bisection between a stable and an unstable speed; stores every unstable one. 0 with errors.
static int bisect_linear_speed(search *s, double stable, double unstable, kane_errors *errors)
{
    worst w;
    while (unstable - stable > close_enough * s->study->step) {
        const double middle = 0.5 * (stable + unstable);
        if (!find_worst(s->study, middle, &w, errors))
            return 0;
        if (w.growth > 0.0) {
            unstable = middle;
            store_linear_result(s, middle, &w);
        } else {
            stable = middle;
        }
    }
    return 1;
}

void find_linear(search *s)
{
    const kane_critical_study *study = s->study;
    const double to                  = search_fastest(study);
    kane_errors errors               = {0};
    double before                    = study->from;
    worst w;
    for (int i = 0; !search_has_ended(s); i++) {
        const double speed = fmin(study->from + i * study->step, to);
        if (!find_worst(study, speed, &w, &errors)) {
            search_fail(s, &errors);
            break;
        }
        if (w.growth > 0.0) {
            store_linear_result(s, speed, &w);
            if (speed > study->from && !bisect_linear_speed(s, before, speed, &errors))
                search_fail(s, &errors);
            break;
        }
        if (speed >= to)
            break;
        before = speed;
    }
    kane_errors_free(&errors);
}
