// SPDX-License-Identifier: MIT
// The FEVE 3000, whose whole tree hangs on its car and whose eight wheels are guided together, as tests use it.

#ifndef KANE_TESTS_FEVE_H
#define KANE_TESTS_FEVE_H

#include "property/wagon/wagon.h"

enum { FEVE_AXLES = 4 };

// A wide curve, in which no flange is reached, 1 mm beside the middle at the start.
#define GENTLE_BY(radius)                                                                                              \
    "track.sections=[{\"straight\":40},{\"transition\":60,\"shape\":\"bloss\",\"to\":{\"radius\":" radius "}},"        \
    "{\"curve\":60},{\"transition\":60,\"shape\":\"bloss\"},{\"straight\":100}]"
#define ONE_SIDED "vehicle.patterns.wheelset.contact.bilateral=false"
#define GENTLE    ONE_SIDED, GENTLE_BY("2500"), "vehicle.bodies.car.start={\"y\": 0.001}"

// The same locomotive as its front wheelset carries it: that one in a track frame of its own, boxes, frame, slider and
// car on it. What follows one another in a joint follows in the opposite order, by bodies without mass.
#define CARRIED                                                                                                        \
    "vehicle.reference_body=wheelset 1", "start.at=25.9797",                                                           \
        "vehicle.wheelsets.wheelset 1={\"like\": \"wheelset\", \"at\": 5.8425}",                                       \
        "vehicle.bodies.boxes 1.joint={\"like\": \"bearing\", \"parent\": \"wheelset 1\", \"at\": [5.8425, 0, 0.5]}",  \
        "vehicle.bodies.front frame.joint={\"type\": \"prismatic\", \"axis\": [0, 0, 1], \"parent\": \"roll 1\", "     \
        "\"at\": [5.8425, 0, 0.5]}",                                                                                   \
        "vehicle.bodies.front slider.joint={\"type\": \"prismatic\", \"axis\": [0, 0, 1], \"parent\": \"tilt\", "      \
        "\"at\": [4.75, 0, 0.46026]}",                                                                                 \
        "vehicle.bodies.car.joint={\"type\": \"revolute\", \"axis\": [0, 0, 1], \"parent\": \"front slider\", "        \
        "\"at\": [4.75, 0, 0.59026]}",                                                                                 \
        "vehicle.bodies.roll 1={\"mass\": 0, \"inertia\": [0, 0, 0], \"at\": [5.8425, 0, 0.5], \"joint\": "            \
        "{\"type\": \"revolute\", \"axis\": [1, 0, 0], \"parent\": \"boxes 1\", \"at\": [5.8425, 0, 0.5]}}",           \
        "vehicle.bodies.tilt={\"mass\": 0, \"inertia\": [0, 0, 0], \"at\": [4.75, 0, 0.46026], \"joint\": "            \
        "{\"type\": \"universal\", \"parent\": \"front frame\", \"at\": [4.75, 0, 0.46026]}}"

static inline int feve_axle(const wagon *w, int i)
{
    static const char *const names[FEVE_AXLES] = {"wheelset 1", "wheelset 2", "wheelset 3", "wheelset 4"};
    return kane_model_find_body(w->model, names[i]);
}

#endif
