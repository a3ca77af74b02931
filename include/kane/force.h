// SPDX-License-Identifier: MIT
// Force laws: what acts between two points. A law sees how the two points move relative to each other and, if it says
// so, how they move over the ground; it sees no track frame, so that it is the same in any of them. libkane's own laws
// are written through this header, and so are those of its users.

#ifndef KANE_FORCE_H
#define KANE_FORCE_H

#include <kane/base.h>
#include <kane/input.h>
#include <kane/math.h>

KANE_C_BEGIN

// A point of a body and the axes fixed to it, in axes at rest.
typedef struct kane_marker {
    kane_vec3 position; // [m]
    kane_mat3 R;        // marker axes to axes at rest
    kane_vec3 velocity; // [m/s]
    kane_vec3 omega;    // angular velocity [rad/s]
} kane_marker;

// The surface of an uneven road over the plane of a point on it, which has x along the line and y to its left. A
// function of its arguments alone, with two continuous derivatives.
typedef struct kane_road {
    // height z [m], dz/ds, dz/dy [1], d2z/ds2, d2z/dsdy, d2z/dy2 [1/m]; NULL: it is even
    void (*surface)(const void *data, double s, double y, double out[6]);
    const void *data;
    double s, y; // of the point [m]; of a mirrored element y, too, is that of the unmirrored road
} kane_road;

// Motion of both points over the ground, in the axes of A: a mechanism's own, or those whose origin is where the line
// begins (z vertical, x the direction that headings count from); the same in all formulations. Of a wheelset, which its
// axle boxes hold, they are axes and angular velocity of the boxes, without the spin. While static loads are found, the
// vehicle is at rest at the origin of A. Of a law whose b rolls, a is the road: it moves as the body or the given frame
// does that it is on, and rests where it is the road of a line, although its axes go along with a track frame.
typedef struct kane_absolute {
    kane_marker a, b;
    int mirrored;   // 1: the mirror image, left and right exchanged at the plane y = 0 of A (a mirrored element)
    kane_road road; // of laws whose b rolls: at a
    // 1: the point is on no body, so that no derivative by its motion is needed
    int a_is_fixed, b_is_fixed;
} kane_absolute;

// Motion of marker b relative to marker a, in the axes of a, counted from the static position: all four are zero in a
// vehicle that rests on straight level track.
typedef struct kane_relative {
    kane_vec3 d;                   // displacement [m]
    kane_vec3 v;                   // its rate as seen in a [m/s]
    kane_vec3 phi;                 // rotation vector [rad]
    kane_vec3 w;                   // relative angular velocity [rad/s]
    kane_vec3 d0;                  // static position of b in the axes of a [m]; position = d0 + d
    double t;                      // time [s]
    const double *state;           // the law's own states; NULL: it has none
    const double *input;           // its inputs; NULL: all have the values that the law gave them (kane_law_input)
    const kane_absolute *absolute; // NULL unless the law requests it
} kane_relative;

// The most states that one law can have.
enum { KANE_LAW_STATES = 6 };

// A state of a law: a number with a memory, such as what the damper behind a spring has given way. In the static
// position all states are zero and stay so.
typedef struct kane_law_state {
    const char *name, *unit, *help; // e.g. "damper", "m", "elongation of the damper"; must outlive models
    double size;                    // how much of it matters as much as 1 m of a coordinate (tolerances); 0: 1
    int memory; // 1: where nothing moves it stays whatever it is (dry friction), so that equilibrium cannot tell it; 2: the
                // same at standstill alone, as of a tyre, which forgets as it rolls
} kane_law_state;

// A number that a law knows beside what it exerts, such as the slip of a tyre: a channel ELEMENT.NAME.
enum { KANE_LAW_QUANTITIES = 12 };

typedef struct kane_law_quantity {
    const char *name, *unit, *help; // must outlive models
} kane_law_quantity;

// An input of a law: a number that may be changed from outside during a simulation, such as the force of an
// actuator or a factor of a damper. A definition gives it a name (kane_input_definition). It is constant between two
// changes.
enum { KANE_LAW_INPUTS = 4 };

typedef struct kane_law_input {
    const char *name, *unit, *help; // must outlive models
    double value;                   // until the input is set; static loads are found with it
} kane_law_input;

// What depends on one state, and what its own rate depends on, in the axes of a.
typedef struct kane_law_state_derivative {
    kane_vec3 force, torque;                    // d(force, torque)/d(state)
    kane_vec3 rate_d, rate_v, rate_phi, rate_w; // d(rate of this state)/d(d, v, phi, w)
    double rate_state[KANE_LAW_STATES];         // d(rate of this state)/d(states)
} kane_law_state_derivative;

// What depends on the absolute motion of one point: d(force, torque)/d(position, turn, velocity, omega), rows in the
// axes of a, columns in those of A; and rows d(rate of a state)/d(...). turn: a small rotation of the point's axes.
typedef struct kane_law_point_derivative {
    kane_mat3 force_position, force_turn, force_velocity, force_omega;
    kane_mat3 torque_position, torque_turn, torque_velocity, torque_omega;
    kane_vec3 rate_position[KANE_LAW_STATES], rate_turn[KANE_LAW_STATES];
    kane_vec3 rate_velocity[KANE_LAW_STATES], rate_omega[KANE_LAW_STATES];
} kane_law_point_derivative;

typedef struct kane_law_absolute_derivative {
    kane_law_point_derivative a, b;
} kane_law_absolute_derivative;

// d(force, torque)/d(d, v, phi, w) in the axes of a. Laws write only what is not zero.
typedef struct kane_law_derivative {
    kane_mat3 force_d, force_v, force_phi, force_w;
    kane_mat3 torque_d, torque_v, torque_phi, torque_w;
    kane_law_absolute_derivative *absolute;           // by absolute motion, relative motion held; NULL as above
    kane_law_state_derivative state[KANE_LAW_STATES]; // of those that the law has
} kane_law_derivative;

// In which directions (of a's axes) a law can carry a static load that libkane finds.
typedef enum kane_preload_kind {
    KANE_PRELOAD_NONE, // it cannot
    KANE_PRELOAD_LINE, // along the line from a to b
    KANE_PRELOAD_AXES  // along those axes of a for which preload_axes says 1
} kane_preload_kind;

// A force law is a constant table of functions. Its parameters are a struct that `schema` describes (first member:
// kane_block); what the other functions receive as `law` is what `prepare` makes of it.
typedef struct kane_law {
    const char *name; // as typed in "law": ...
    const char *help;
    const kane_schema *schema; // NULL: no parameters
    kane_preload_kind preload;

    // Checks the parameters and makes of them what the other functions need, from `memory`, which lasts as long as the
    // model (parameters, texts and rows of numbers in them may not). Returns NULL with errors filled. NULL: the others
    // receive a copy of the parameters.
    void *(*prepare)(const void *parameters, kane_arena *memory, kane_errors *errors);

    // 1 if eval reads the relative rotation (phi, w). NULL: it does.
    int (*turns)(const void *law);

    // 1 if eval, rates or energy look at the absolute motion of the points. NULL: they do not, and are not given it.
    int (*absolute)(const void *law);

    // 1: absolute motion shows it how spinning bodies themselves turn, axle and all (angular velocity; axes and points
    // stay those of the axle boxes), and it acts on the axle itself as with "on_axle". NULL: it does not.
    int (*spins)(const void *law);

    // Names its states; returns how many. NULL: none.
    int (*states)(const void *law, kane_law_state info[KANE_LAW_STATES]);

    // Which axes can carry a static load, each 0 or 1 (KANE_PRELOAD_LINE: all or none). NULL: all three.
    kane_vec3 (*preload_axes)(const void *law);

    // Takes over the static load: after it, eval returns `load` [N] (on b, in the axes of a) at the static position d0
    // [m], at rest. May be called several times. Returns 0, or not 0 with errors filled. A law without preload needs it
    // only to learn d0, or to refuse it; its load is zero. NULL: nothing to learn.
    int (*settle)(void *law, kane_vec3 d0, kane_vec3 load, kane_errors *errors);

    // Force and torque on b at b's point, in the axes of a; a gets the opposite at the same point of space. on_b comes
    // in as zero. Returns 0, positive: not possible with this step, negative: fatal. A function of its arguments alone.
    int (*eval)(const void *law, const kane_relative *r, kane_wrench *on_b);

    // Rates of its states [1/s]; rates come in as zero. Returns as eval does. A function of its arguments alone.
    int (*rates)(const void *law, const kane_relative *r, double *rates);

    // Exact derivative of eval and rates by everything that they look at but time; out comes in as zero. NULL: libkane
    // takes differences.
    void (*derive)(const void *law, const kane_relative *r, kane_law_derivative *out);

    // Energy stored [J], zero in the static position. NULL: stores nothing.
    double (*energy)(const void *law, const kane_relative *r);

    // Names its quantities; returns how many. observe: their values, of whatever eval reads. NULL: none.
    int (*quantities)(const void *law, kane_law_quantity info[KANE_LAW_QUANTITIES]);
    void (*observe)(const void *law, const kane_relative *r, double *values);

    // b is a wheel that rolls on what a is, which may move: the law reads its spin and exerts torque about its axle,
    // also where b is a body that spins, and "track" at a is the road under the wheel. Returns the radius on which it
    // rolls freely in the static position [m], after settle; axle: its direction to the left, axes of a. NULL: b is no
    // such wheel.
    double (*rolls)(const void *law, kane_vec3 *axle);
    // Names its inputs; returns how many. NULL: none.
    int (*inputs)(const void *law, kane_law_input info[KANE_LAW_INPUTS]);
} kane_law;

// Memory for `prepare`: count pieces of size bytes, zero; NULL if there is none.
KANE_API void *kane_law_memory(kane_arena *memory, size_t count, size_t size);

// For `turns` of laws that do not look at rotations: 0. Of those that always do: 1.
KANE_API int kane_law_never_turns(const void *law);
KANE_API int kane_law_always_turns(const void *law);

// For `absolute` of laws that always look at absolute motion: 1.
KANE_API int kane_law_is_absolute(const void *law);

// libkane's own laws (kane/laws.h), NULL-terminated.
KANE_API const kane_law *const *kane_laws(void);

KANE_C_END

#endif
