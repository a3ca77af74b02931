// SPDX-License-Identifier: MIT
// Constraints as rows: value that must vanish, rate, second derivative, and directions (wrenches of a unit multiplier).
//
// Row i of a constraint, Phi_i(q, t) = 0, has the rate  sum_sides direction . V + ...  with V = (velocity of the
// origin, angular velocity) of the side's link, frame axes; a multiplier lambda pushes with the wrench lambda
// direction. Rows of coordinates have coefficients of speeds besides. Rows that are not integrable have no value.
//
//   LINEAR    sum factor coordinate - offset
//   FUNCTION  coordinate[0] - factor[1] f(coordinate[1]) - offset; factor[0] is not read
//   RATES     sum factor rate - offset
//
// Rheonomic constraints: lengths, offsets, factors and the place of a marker on its carrier may be functions of time.
// Then the rate has a part Phi_t, and the second derivative Phi_tt + 2 Phi_tq q' (docs/mechanisms.md, section 4).
//
// Euler parameters of a ball joint cannot be in a relation. Rows of axes that are parallel hold as well where they are
// opposite.
//
// Axle boxes: markers on a body that spins (about its y axis, through its mass centre) do not spin with it. Their axes
// hold the axle e and stay level in a frame of angular velocity W and upward axis u. The constraint that keeps them
// level transmits their torque T about the axle to that frame. Elements have the same (docs/theory.md, section 6):
//
//   level = (e - c u)/(1 - c^2),   c = u.e      spin = level.(w - W)      w_box = w - spin e
//   torque on the body  T - (e.T) level         on the frame  (e.T) level
//
// Only a disc that rolls about the axle, and points of the axle where these are all that a row reads, are on the body.

#ifndef KANE_TREE_ROWS_H
#define KANE_TREE_ROWS_H

#include "tree/changes.h"
#include "tree/tree.h"

enum {
    KANE_ROWS_MOST         = KANE_ROWS,
    KANE_TERMS_MOST        = KANE_ROWS_COORDINATES,
    KANE_SIDES_MOST        = KANE_ROWS_MARKERS,
    KANE_LINKS_MOST        = KANE_SIDES_MOST + KANE_TERMS_MOST,                            // of one constraint
    KANE_LINKS_READ        = KANE_SIDES_MOST + 3 * KANE_TERMS_MOST,                        // whose motion it reads
    KANE_DIRECTIONS_MOST   = 2 * KANE_ROWS_MOST * (KANE_SIDES_MOST - 1 + KANE_TERMS_MOST), // of its rows, on links
    KANE_FRAME_PUSHES_MOST = KANE_DIRECTIONS_MOST,                                         // and on frames
    KANE_ENTRIES_MOST      = 2 * KANE_ROWS_MOST * KANE_TERMS_MOST
};

// Motion of a marker on its carrier over time: x, y, z [m] along the axes that it has without, then yaw, roll, pitch
// [rad] about moving axes; NULL: zero.
typedef struct kane_marker_motion {
    const kane_line_function *line_function[6];
} kane_marker_motion;

// One side of a constraint: a marker on a link, on its axle box, or on a frame. A link has the frame of its tree.
typedef struct kane_side_marker {
    int link;        // -1: the frame
    int frame;       //
    kane_vec3 point; // from the link's origin, link axes; from the mass centre, box axes; or in the frame [m]
    kane_mat3 axes;  // marker axes to link axes, to box axes, or to frame axes
    int on_box;      // 1: on the axle box of a body that spins
    int level_frame; // of a box: the frame in which it stays level
} kane_side_marker;

// A coordinate of a link in a relation.
typedef struct kane_term {
    int link;
    int coordinate; // 0 .. q_count - 1
    double factor;
} kane_term;

// A user-defined closed form: the first kind->dependents terms follow from the others.
typedef struct kane_closed_formula {
    const kane_rows_kind *kind;
    const void *data;
    int term_count;
    kane_term term[KANE_TERMS_MOST];
} kane_closed_formula;

// Inertia of a rod on the accelerations of its ends; all zero: it has no mass.
//   m_11 = m (1 - g)^2 + J/L^2    m_22 = m g^2 + J/L^2    m_12 = m g (1 - g) - J/L^2
typedef struct kane_rod {
    int imaginary_as_forces;      // 1: bases leave imaginary forces out; those that are kept act besides
    kane_imaginary keep;          // 1 or 0 by axis: imaginary terms that are kept
    double mass;                  // m [kg]
    double centre;                // g, of the length, from the first side
    double inertia;               // J about its mass centre, square to it [kg m^2]
    double first, second, shared; // m_11, m_22, m_12 [kg]
} kane_rod;

// A constraint, compiled. Immutable.
typedef struct kane_constraint_row_set {
    const char *name;
    kane_constraint_kind kind;
    int side_count; // 2, of relations 0; of a USER constraint the others are relative to the first
    kane_side_marker side[KANE_SIDES_MOST];
    const kane_rows_kind *own;          // of an OWN
    const void *own_data;               //
    double length;                      // of a rod [m]
    kane_rod rod;                       // of a rod
    double radius;                      // of a disc [m]
    const kane_line_function *curve[2]; //
    int term_count;
    kane_term term[KANE_TERMS_MOST];
    double offset;
    // over time: instead of constants; NULL: constant
    const kane_line_function *length_given, *offset_given, *factor_given[KANE_TERMS_MOST];
    const kane_line_function *along;  // of a CURVE: x of the second's origin; NULL: it is free
    const kane_marker_motion *motion; // of the first side's marker on its carrier; NULL: it is fixed there
    kane_closed_form closed;
    kane_closed_formula *formula; // of KANE_CLOSED_USER
    int row_count;                // rows of rates
    int position_count;           // the first of them, which have values too
} kane_constraint_row_set;

// A coefficient of one speed in a row.
typedef struct kane_speed_entry {
    int row;
    int v; // speed
    double value;
} kane_speed_entry;

// Values of the rows of one constraint. direction: wrenches of a unit multiplier, row by row of side 0, 1, or term by
// term of the carrier and the link, frames left out; torque about the link's origin, in the axes of that link's frame.
// A row may have two directions on one link.
typedef struct kane_constraint_rows_values {
    double value[KANE_ROWS_MOST];        // Phi [m], [rad], [1]
    double rate[KANE_ROWS_MOST];         // d(Phi)/dt
    double acceleration[KANE_ROWS_MOST]; // d^2(Phi)/dt^2 for the accelerations that the links have
    int direction_count;                 //
    struct {
        int row, link;
        kane_wrench wrench;
    } direction[KANE_DIRECTIONS_MOST];
    int frame_direction_count; // the same on frames
    struct {
        int row, frame;
        kane_wrench wrench;
    } frame_direction[KANE_FRAME_PUSHES_MOST];
    int entry_count;
    kane_speed_entry entry[KANE_ENTRIES_MOST];
    kane_wrench load[2]; // of a rod with mass: wrenches on its sides, axes and origins as of `direction`
    kane_vec3 along[2];  // from its first end to the second, of length 1, in the same axes
    kane_vec3 end[2];    // accelerations of its ends, less that of gravity, likewise [m/s^2]
} kane_constraint_rows_values;

// Rows and positions: how many (kane_constraint_row_set.row_count, position_count), by kind and what is given; and
// sides, unless of an OWN.
void kane_constraint_row_set_count(kane_constraint_row_set *closure);

// Whether a side of it is on an axle box.
static inline int kane_constraint_row_set_has_box(const kane_constraint_row_set *closure)
{
    int any = 0;
    for (int side = 0; side < closure->side_count; side++)
        any |= closure->side[side].on_box;
    return any;
}

// Whether its rows depend on time explicitly.
int kane_constraint_row_set_is_rheonomic(const kane_constraint_row_set *closure);

// All values for the motion in work. frames: transportation of the frames; bases: what kane_tree_move had (relative or
// absolute). Accelerations: those with v_dot = 0 (beyond == 0), or with da, dal (beyond == 1). Not finite where the
// constraint is undefined (a rod of no length, a disc that lies flat).
void kane_constraint_row_set_eval(const kane_eval_context *e, const kane_constraint_row_set *closure, int beyond,
                                  kane_constraint_rows_values *out);

// A part of these for the motion in work, with v_dot = 0: values, for links that have been placed; values, directions
// and entries, likewise; then, for links that are where they were and have been moved, rates, accelerations and what
// belongs to a rod with mass.
typedef enum kane_rows_part { KANE_ROWS_VALUES, KANE_ROWS_COEFFICIENTS, KANE_ROWS_MOTION } kane_rows_part;
void kane_constraint_row_set_eval_part(const kane_eval_context *e, const kane_constraint_row_set *closure,
                                       kane_rows_part part, kane_constraint_rows_values *out);

// Changes of one constraint's rows with the states of a batch: values, rates, accelerations (with da, dal); of what its
// multipliers push each link with, all rows together, and of entries times the multipliers of their rows; and of loads.
typedef struct kane_constraint_row_set_changes {
    double value[KANE_ROWS_MOST][KANE_CHANGES], rate[KANE_ROWS_MOST][KANE_CHANGES];
    double acceleration[KANE_ROWS_MOST][KANE_CHANGES];
    int reaction_count; // links
    struct {
        int link;
        kane_wrench_changes wrench;
    } reaction[KANE_LINKS_READ];
    int entry_count;
    struct {
        int v; // speed
        double force[KANE_CHANGES];
    } entry[KANE_ENTRIES_MOST];
    kane_wrench_changes load[2]; // of a rod with mass
} kane_constraint_row_set_changes;

// What moves in a batch of `count` states. Frames, bases, time and v_dot stay as they are: v_dot comes in through
// pushes and entries alone.
typedef struct kane_row_changes {
    int count;                        // at most KANE_CHANGES
    const kane_link_changes *link;    // [link_count]: those of links that the constraint reads
    const double (*dq)[KANE_CHANGES]; // of the coordinates of the tree [q_count]
    const double (*dv)[KANE_CHANGES]; // of its speeds [v_count]
    const double *multiplier;         // of every row
} kane_row_changes;

// Imaginary terms of a rod with mass, omitted or not, as those of a body: at its mass centre, in the axes of the first
// side's frame.
void kane_rod_imaginary(const kane_eval_context *e, const kane_constraint_row_set *closure, kane_imaginary *out);

// Accelerations of the ends of a rod with mass, with da and dal, less that of gravity, each in the axes of its frame
// [m/s^2].
void kane_rod_ends(const kane_eval_context *e, const kane_constraint_row_set *closure, kane_vec3 end[2]);

// Changes `load`, which is that of the accelerations in `end`, to extrapolated accelerations `known` of the ends for a
// part of the rod's inertia. Ends on frames are exact.
void kane_rod_set_extrapolated(const kane_constraint_row_set *closure, const kane_tree_work *work,
                               const kane_transport *frames, kane_rod_inertia inertia, const kane_vec3 known[2],
                               const kane_vec3 end[2], kane_wrench load[2]);

// Wrenches on the sides by accelerations of the frames, kept terms: gain has those of each frame's origin and its
// angular one (force, torque). And, of separate terms, the omitted ones. Axes and origins as of `load`.
void kane_rod_gain(const kane_eval_context *e, const kane_constraint_row_set *closure, const kane_wrench gain[2],
                   kane_wrench load[2]);
void kane_rod_omitted(const kane_eval_context *e, const kane_constraint_row_set *closure, kane_wrench load[2]);

// A jump of the frame of one side (docs/theory.md, section 5), frame axes. kane_rod_apply_impulse gives the wrenches of
// the jump on both sides: impulses, or displacements times mass; of a side that keeps its absolute motion only the
// omitted terms.
typedef struct kane_rod_jump {
    kane_vec3 v_o, omega, turn; // of the frame: velocity of the origin, angular velocity, small rotation
    int is_displacement;        // 1: of the rotation itself
    int is_carried;             // 1: it keeps its absolute motion
} kane_rod_jump;

void kane_rod_apply_impulse(const kane_eval_context *e, const kane_constraint_row_set *closure,
                            const kane_rod_jump jump[2], kane_wrench load[2]);

// Scratch of kane_constraint_row_set_derive: too large for the stack of a small thread. NULL without memory.
typedef struct kane_constraint_row_set_room kane_constraint_row_set_room;

kane_constraint_row_set_room *kane_constraint_row_set_room_create(kane_arena *arena);

// Changes of a constraint with the states of a batch; valid until the room is used again.
// kane_constraint_row_set_derive_load: only `load`, of a rod with mass.
const kane_constraint_row_set_changes *kane_constraint_row_set_derive(const kane_eval_context *e,
                                                                      const kane_constraint_row_set *closure,
                                                                      const kane_row_changes *changes,
                                                                      kane_constraint_row_set_room *room);
const kane_constraint_row_set_changes *kane_constraint_row_set_derive_load(const kane_eval_context *e,
                                                                           const kane_constraint_row_set *closure,
                                                                           const kane_row_changes *changes,
                                                                           kane_constraint_row_set_room *room);

// === Dependent coordinates in closed form (docs/mechanisms.md): of a planar loop of three joints, of a gear, and by a
// user's formula.
//
// A loop of three joints and the hinge that closes it has one freedom: where one coordinate is known, the other two
// follow from a triangle. Cut the loop at the hinge. The link between the two unknown joints is taken to stand still;
// then each of them moves one of the hinge's two points by itself: on a circle about its pivot, or along a line. The
// hinge closes where both curves meet.

enum { KANE_CLOSED_STEPS = KANE_TERMS_MOST };

// A joint's step in the loop.
typedef struct kane_closed_step {
    int link;
    int side;     // of the constraint: whose point it moves; of a gear or formula: its term
    int order;    // steps on the way from the frame
    int is_slide; //
    int axis;     // on the joint's axes
    int q, v;     // coordinate and speed; v -1: it is given over time
} kane_closed_step;

typedef struct kane_closed {
    int recognised; // 0: Newton's method
    const kane_constraint_row_set *closure;
    int step_count;
    kane_closed_step step[KANE_CLOSED_STEPS];
} kane_closed;

// Recognises the loop that closure->closed names. NULL, or the reason why it is none (a sentence without a subject,
// such as "has four joints instead of three").
const char *kane_closed_recognise(const kane_tree *tree, const kane_constraint_row_set *closure, kane_closed *out);

// Solves for the coordinates of those two steps (one of a gear; of a formula any dependent ones) whose speed has
// unknown[v] = 1, and clears these; all others stay. Links have been placed; they must be placed again. On the branch
// that is nearest. 0 if the loop cannot close, or if another number of its steps is unknown.
int kane_closed_solve(const kane_closed *closed, int *unknown, kane_tree_work *work);

// Dependent coordinates of a formula at those in work->q, q [kind->dependents].
void kane_closed_formula_eval(const kane_closed *closed, const kane_tree_work *work, double *q);

#endif
