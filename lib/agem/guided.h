// SPDX-License-Identifier: MIT
// Wheels that their rails guide as constraints: the gaps stay zero, normal forces are multipliers.

#ifndef KANE_AGEM_GUIDED_H
#define KANE_AGEM_GUIDED_H

#include "agem/gradient.h"
#include "agem/wheels.h"

// A gap that iterations cannot make smaller than this is open [m].
#define KANE_GAP_LEFT 1e-10

// Inverse of the matrix of both gaps, in place; 0 if it has none.
static inline int kane_guided_invert(double m[2][2])
{
    const double a = m[0][0], b = m[0][1], c = m[1][0], d = m[1][1], determinant = a * d - b * c;
    if (!(fabs(determinant) > 1e-12 * (fabs(a * d) + fabs(b * c))))
        return 0;
    m[0][0] = d / determinant;
    m[0][1] = -b / determinant;
    m[1][0] = -c / determinant;
    m[1][1] = a / determinant;
    return 1;
}

// Where the wheels of a body touch, how a normal force pushes it, and what its gaps do. Needs kane_wheels_observe_body.
kane_status kane_guided_touch(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                              const kane_body_state *b, kane_wheels_state *w);

// Motion of a wheelset whose height and roll follow from the rails, from its coordinates q (z and roll are not read) and
// independent speeds u. w is scratch.
void kane_guided_follow(const kane_model *model, const kane_work *work, const kane_wheels *wheels, const double *q,
                        const double *u, kane_body_state *b, kane_wheels_state *w);

// The same where it stands already as w says, with other speeds; q holds z and roll.
void kane_guided_speed(const kane_body *body, const kane_transport *T, const kane_transport *track, const double *q,
                       const double *u, kane_body_state *b, const kane_wheels_state *w);

// Reports that kane_guided_touch found no contact of a body.
kane_status kane_guided_lose(kane_work *work, kane_status status, const kane_wheels *wheels, const kane_body *body);

// Normal and creep forces of all guided wheels, added to the bodies' applied wrenches and generalised forces. Needs
// everything else that acts.
kane_status kane_guided_eval(const kane_model *model, kane_work *work);

// Moves guided wheelsets onto their rails again: gaps and their rates become zero by the smallest displacements in the
// sense of the kinetic energy. y is changed.
kane_status kane_guided_project(const kane_model *model, kane_work *work, double t, double *y);

// Wrench of one wheel on its body under the normal force N: normal and creep forces, frame axes. Needs kane_guided_touch.
kane_wrench kane_guided_wrench(const kane_wheels *wheels, const kane_wheels_state *w, kane_side side, double N);

// --- derivatives ---

// How normal and creep forces of a wheelset answer: gain and inverse of its guidance, where the last evaluation left it.
kane_status kane_guided_linearise(const kane_wheels *wheels, kane_wheels_state *w);

// What the rails make of a wrench on a guided body besides (frame axes), and of a change of what its gaps accelerate.
kane_wrench kane_guided_pass(const kane_guidance *g, kane_wrench wrench, const double bias[2]);

// By one state of the body: the change of the rails' wrench while the normal forces stay, and of what the gaps
// accelerate.
typedef struct kane_guided_column {
    kane_wrench wrench; // frame axes
    double bias[2];
    kane_vec3 motion[KANE_MOTIONS]; // of a body that follows: displacement, rotation, velocity, angular velocity
    double rates[KANE_COORDINATES]; // and the rates of its coordinates
} kane_guided_column;

// Fills the columns of all states (six coordinates, then the speeds) by differences, and what kane_guided_pass needs.
kane_status kane_guided_derive(const kane_model *model, kane_work *work, const kane_wheels *wheels,
                               kane_guided_column columns[KANE_BODY_STATES]);

#endif
