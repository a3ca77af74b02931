// SPDX-License-Identifier: MIT
// Derivatives of the accelerations, put together from those of elements, contacts and bodies.

#ifndef KANE_AGEM_DERIVE_H
#define KANE_AGEM_DERIVE_H

#include "agem/guided.h"

// Derivatives after one kane_eval. Arrays by pair of the model (row body, column body) or by body.
typedef struct kane_derivative {
    double (*accelerations)[6][KANE_BODY_STATES];   // by pair: d(u_dot of the row body)/d(q, u of the column body)
    double (*coordinates)[6][KANE_BODY_STATES];     // by body: d(q_dot)/d(q, u)
    double (*travel)[6];                            // by body: d(u_dot)/d(a of the frames)
    kane_gradient *wrench;                          // by pair: scratch
    kane_guided_column (*guided)[KANE_BODY_STATES]; // by wheelset: scratch of guided ones
    struct kane_joined_derivative *joined;          // of joined bodies; NULL: there are none
    double *joined_values;                          // its entries
    kane_state_gradient *states;                    // by element with states: scratch
    struct kane_state_entries *state_entries;       // of elements' states; NULL: there are none
} kane_derivative;

// Index in y of the state of a body that stands alone: coordinates, then speeds.
static inline int kane_derive_state_index(const kane_body *body, int local)
{
    return local < KANE_COORDINATES ? body->q + local : body->u + local - KANE_COORDINATES;
}

// Nothing depends on the spin angle of a symmetric body, nor on coordinates that a panel of track has not.
static inline int kane_derive_matters(const kane_body *body, int local)
{
    if (body->follows && (local == KANE_Z || local == KANE_ROLL)) // the rails say
        return 0;
    if (body->panel && local < KANE_COORDINATES && !(body->freedoms & KANE_FREEDOM(local)))
        return 0;
    return !(body->kind == KANE_BODY_SPINNING && local == KANE_PITCH);
}

// Fills all blocks for the state of the last kane_eval; the travel s, v, a of the frames is held.
kane_status kane_derive(const kane_model *model, kane_work *work, kane_derivative *out);

// --- pieces for joined bodies ---

// The axes that the motion of a body refers to, in the world: of its frame, or of the section that a panel lies in.
kane_mat3 kane_derive_axes(const kane_work *work, const kane_body *body);

// Change of the wrench at the mass centre of the row of pair p, axes of the row's frame, by every state of the column, a body
// that stands alone. g: derivatives by the column's motion, world axes; guided: as in kane_derivative.
void kane_derive_columns(const kane_model *model, const kane_work *work, int p, const kane_gradient *g,
                         kane_guided_column (*guided)[KANE_BODY_STATES], kane_wrench columns[KANE_BODY_STATES]);

// The same without a row: of six quantities whose derivatives by the column's motion stand in the rows of g.
void kane_derive_quantities(const kane_model *model, const kane_work *work, int column, const kane_gradient *g,
                            kane_guided_column (*guided)[KANE_BODY_STATES], kane_wrench columns[KANE_BODY_STATES]);

// Wrench of inertia at the mass centre of a body for one more m/s^2 of its frame along the track, frame axes: imaginary forces
// -m e_x, -m Omega x r, torque -J Omega, those that are kept.
kane_wrench kane_derive_inertial(const kane_model *model, const kane_work *work, int body);

// What the speeds of a body that stands alone make of a wrench at its mass centre, frame axes.
void kane_derive_respond(const kane_model *model, const kane_work *work, int body, kane_wrench wrench, double u_dot[6]);

#endif
