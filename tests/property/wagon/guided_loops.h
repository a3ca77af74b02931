// SPDX-License-Identifier: MIT
// Wagons whose guided wheelsets are in loops, and the derivative of what they do.

#ifndef KANE_TESTS_GUIDED_LOOPS_H
#define KANE_TESTS_GUIDED_LOOPS_H

#include "property/wagon/wagon.h"

#include <stdlib.h>

// The yoke carries the axle-box elements and the axle.
#define YOKE                                                                                                           \
    "vehicle.patterns.wheelset.contact.model=constraint",                                                              \
        "vehicle.bodies.yoke={\"mass\": 300, \"inertia\": [150, 40, 180], \"at\": [4.5, 0, 0.5]}",                     \
        "vehicle.wheelsets.leading.joint={\"type\": \"revolute\", \"axis\": [0, 1, 0], \"parent\": \"yoke\", "         \
        "\"at\": [4.5, 0, 0.46]}",                                                                                     \
        "vehicle.elements.leading axlebox.between=[\"body\", \"yoke\"]"
#define LINK(y)                                                                                                        \
    "{\"type\": \"distance\", \"between\": [\"body\", \"yoke\"], \"at\": [3, " y ", 0.75], \"to\": [4.5, " y ", 0.75]}"
#define LINKS "vehicle.constraints={\"left\": " LINK("1") ", \"right\": " LINK("-1") "}"
#define SPRING(side, y, k)                                                                                             \
    "vehicle.elements.link " side "={\"law\": \"traction rod\", \"between\": [\"body\", \"yoke\"], \"at\": [3, " y     \
    ", 0.75], \"to\": [4.5, " y ", 0.75], \"stiffness\": " k ", \"damping\": 1e5}"
#define SPRINGS(k) SPRING("left", "1", k), SPRING("right", "-1", k)

// On the axle itself: without mass, as rods of 40 kg, and as bodies like these.
#define GUIDED "vehicle.patterns.wheelset.contact.model=constraint"
#define AXLE_LINK(type, y, mass)                                                                                       \
    "{\"type\": \"" type "\", \"between\": [\"body\", \"leading\"], \"at\": [3, " y ", 0.46], \"to\": [4.5, " y        \
    ", 0.46]" mass "}"
#define AXLE_LINKS(type, mass)                                                                                         \
    "vehicle.constraints={\"left\": " AXLE_LINK(type, "0.9", mass) ", \"right\": " AXLE_LINK(type, "-0.9", mass) "}"
#define ARM(side, y)                                                                                                   \
    "vehicle.bodies.arm " side "={\"mass\": 40, \"inertia\": [0.5, 7.5, 7.5], \"at\": [3.75, " y ", 0.46], "           \
    "\"joint\": {\"type\": \"spherical\", \"parent\": \"body\", \"at\": [3, " y ", 0.46]}}"
#define PIN(side, y)                                                                                                   \
    "{\"type\": \"spherical\", \"between\": [\"arm " side "\", \"leading\"], \"at\": [4.5, " y ", 0.46]}"
#define ARMS                                                                                                           \
    ARM("left", "0.9"), ARM("right", "-0.9"),                                                                          \
        "vehicle.constraints={\"left\": " PIN("left", "0.9") ", \"right\": " PIN("right", "-0.9") "}"

// On its axle boxes, above the axle; on a light body on the axle that a relation keeps level; by springs.
#define BOX_LINK(on, y)                                                                                                \
    "{\"type\": \"distance\", \"between\": [\"body\", \"" on "\"], \"at\": [3, " y ", 0.75], \"to\": [4.5, " y         \
    ", 0.75]}"
#define BOX_LINKS                                                                                                      \
    "vehicle.constraints={\"left\": " BOX_LINK("leading", "1") ", \"right\": " BOX_LINK("leading", "-1") "}"
#define LIGHT_BOX                                                                                                      \
    "vehicle.bodies.box={\"mass\": 1e-3, \"inertia\": [1e-4, 1e-4, 1e-4], \"at\": [4.5, 0, 0.46], \"joint\": "         \
    "{\"type\": \"revolute\", \"axis\": [0, 1, 0], \"parent\": \"leading\", \"at\": [4.5, 0, 0.46]}}",                 \
        "vehicle.constraints={\"left\": " BOX_LINK("box", "1") ", \"right\": " BOX_LINK(                               \
            "box", "-1") ", \"level\": {\"type\": \"linear\", \"terms\": [{\"body\": \"box\"}]}}"
#define BOX_SPRING(side, y, k)                                                                                         \
    "vehicle.elements.link " side "={\"law\": \"traction rod\", \"between\": [\"body\", \"leading\"], \"at\": [3, " y  \
    ", 0.75], \"to\": [4.5, " y ", 0.75], \"stiffness\": " k ", \"damping\": 1e5}"
#define BOX_SPRINGS(k) BOX_SPRING("left", "1", k), BOX_SPRING("right", "-1", k)

#define TABLES "vehicle.patterns.wheelset.contact.model=table"

#define COEFFICIENTS "run.form=coefficients"
#define MULTIPLIERS  "run.form=multipliers"
#define FAST                                                                                                                                  \
    "track.sections=[{\"straight\":20},{\"transition\":40,\"shape\":\"bloss\",\"to\":{\"radius\":600,\"cant\":\"100 mm\"}},{\"curve\":300}]", \
        "start.at=12"

enum { STATES = 128 };

// Rates by one state: central differences.
static inline void largest_difference(const wagon *w, kane_work *work, double t, const double *y, int state, double h,
                                      double *out)
{
    double moved[STATES], up[STATES];
    memcpy(moved, y, sizeof moved);
    moved[state] = y[state] + h;
    assert_int_equal(kane_eval(w->model, work, t, moved, up), KANE_OK);
    moved[state] = y[state] - h;
    assert_int_equal(kane_eval(w->model, work, t, moved, out), KANE_OK);
    for (int i = 0; i < kane_model_state_count(w->model); i++)
        out[i] = (up[i] - out[i]) / (2.0 * h);
}

// Second derivatives of gaps have corners where a place of the wheel goes from one cell of the rail's spline to the
// next: of steps that are thirds of each other the difference counts that is nearest, extrapolated or not.
static inline void check_derivative(const wagon *w, kane_work *work, double t, const double *y, double tolerance)
{
    enum { STEPS = 6 };
    const int n                          = kane_model_state_count(w->model);
    CHECK_OWNED(kane_jacobian) *jacobian = kane_jacobian_create(w->model, n);
    const kane_pattern *pattern          = kane_jacobian_pattern(jacobian);
    double *values      = calloc((size_t)pattern->count, sizeof *values), ydot[STATES], d[STEPS][STATES],
           size[STATES] = {0.0};
    assert_int_equal(kane_jacobian_eval(jacobian, w->model, work, t, y, ydot, values), KANE_OK);
    for (int k = 0; k < pattern->count; k++)
        size[pattern->row[k]] = fmax(size[pattern->row[k]], fabs(values[k]));
    for (int c = 0; c < n; c++) {
        for (int i = 0; i < STEPS; i++)
            largest_difference(w, work, t, y, c, (c < w->model->travel_count ? 3e-3 : 3e-6) / pow(3.0, i), d[i]);
        for (int row = 0; row < n; row++) {
            const int k       = kane_pattern_find(pattern, row, c);
            const double here = k >= 0 ? values[k] : 0.0;
            double nearest    = HUGE_VAL;
            for (int i = 0; i < STEPS; i++) {
                const double extrapolated = i ? d[i][row] + (d[i][row] - d[i - 1][row]) / 8.0 : d[i][row];
                nearest                   = fmin(nearest, fmin(fabs(here - d[i][row]), fabs(here - extrapolated)));
            }
            check_figure(nearest / (size[row] + 1.0), "of the row");
            check_near(nearest / (size[row] + 1.0), 0.0, tolerance);
        }
    }
    free(values);
}

#endif
