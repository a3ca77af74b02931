// SPDX-License-Identifier: MIT
// Geometry of a wheelset on its rails: its position where it is shifted and turned, rigid or under load, where its
// contacts jump, and its equivalent conicity. docs/contact.md has conventions, formulas and sources. This is rigid
// contact with its jumps; the smooth one that guides vehicles is kane_contact_gap.

#ifndef KANE_GEOMETRY_H
#define KANE_GEOMETRY_H

#include <kane/base.h>
#include <kane/contact.h>

KANE_C_BEGIN

// One place where a wheel touches or nearly touches its rail, whichever way it was found.
typedef struct kane_contact_point {
    double rail_y;         // on the rail from its origin, positive to the outside [m]
    double wheel_y;        // along the axle from the running circle, positive to the outside [m]
    double lead;           // along the rail, ahead of the centre of the running circle [m]
    double angle;          // of the tangent against the rail's y axis, positive where the outside is lower [rad]
    double radius;         // rolling radius [m]
    double A, B;           // half the relative curvatures there: along and across the rail [1/m]
    double gap;            // between wheel and rail, along the normal [m]; 0 where they touch
    double N;              // normal force [N]; this and what follows: 0 for rigid bodies
    double approach, a, b; // as in kane_patch [m]
    double pressure, area; // by kane_contact_pressures [Pa], [m^2]
    int minor, conformal;  // as in kane_patch
} kane_contact_point;

// Position of a wheelset. Its middle is the middle of the axle; roll is positive where the left wheel is higher, yaw
// where the axle's left end points back; orientation Rz(yaw) Rx(roll).
typedef struct kane_wheelset_position {
    double y, yaw;            // as given: shift to the left [m], yaw [rad]
    double z;                 // of the middle, over where it is when both running circles are
                              // level with the tops of the rails [m]
    double roll;              // [rad]
    double radius_difference; // rolling radius of the left wheel less that of the right one [m]
    int count[2];             // places on the left and on the right
    kane_contact_point contact_point[2][KANE_PATCHES_MAX]; // the first one touches, or carries most
} kane_wheelset_position;

// Rigid wheels on rigid rails: height and roll at which both wheels just touch. Yaw is taken in full: the outline of
// the yawed wheel is exact (kane_contact_eval). A second place, if there is one, is the next one to touch, with its
// gap. At a jump both have gap 0. Returns KANE_OK; KANE_NOT_SOLVED if a wheel touches its rail only where its profile
// ends; KANE_BAD_ARGUMENT for |y| over 0.1 m, |yaw| over 0.1 or values that are not finite.
KANE_API kane_status kane_wheelset_position_rigid(const kane_contact *contact, double y, double yaw,
                                                  kane_wheelset_position *stand);

// The same with an axle that stays level: each wheel comes down by itself until it touches, as if its rail gave way. z
// is the mean of both heights, roll zero. So the reference values of EN 15302 are found.
KANE_API kane_status kane_wheelset_position_level(const kane_contact *contact, double y, double yaw,
                                                  kane_wheelset_position *stand);

// The elastic contact of the same wheelset at rest without friction, held sideways so that each wheel carries its
// vertical load [N] (left, right; positive). Places are patches, the one with the largest force first; the rolling
// radius of a side is the mean over its patches by their forces. KANE_NOT_SOLVED if there is no such height, else as
// above.
KANE_API kane_status kane_wheelset_position_elastic(const kane_contact *contact, double y, double yaw,
                                                    const double load[2], kane_wheelset_position *stand);

// The same where not the vertical load but the normal force of each wheel is given, that of all its patches together
// [N].
KANE_API kane_status kane_wheelset_position_pressed(const kane_contact *contact, double y, double yaw,
                                                    const double normal[2], kane_wheelset_position *stand);

// A wheelset that rolls along its rails.
typedef struct kane_wheelset_rolling {
    double omega;                 // about its axle [rad/s]
    kane_contact_result wheel[2]; // of left and right, with creep forces and friction
} kane_wheelset_rolling;

// Of a wheelset as kane_wheelset_position_elastic or kane_wheelset_position_pressed found it: moved along the
// track at a speed [m/s, positive] without changing its pose, it turns as fast as rails drive it, so that no torque
// about its axle is left (to 1e-9 of normal force times radius). Without friction it turns as fast as its running
// circles roll. KANE_NOT_SOLVED if it would have to turn backwards or twice as fast; KANE_BAD_ARGUMENT.
KANE_API kane_status kane_wheelset_position_roll(const kane_contact *contact, const kane_wheelset_position *stand,
                                                 double speed, kane_wheelset_rolling *rolling);

// A shift at which the rigid contact of one wheel leaps from one place to another.
typedef struct kane_jump {
    kane_side side;
    double y;                         // shift of the wheelset [m], to 1e-9
    kane_contact_point before, after; // on the sides of smaller and of larger y
} kane_jump;

// All jumps by more than `least` [m] along the wheel for shifts from `from` to `to` [m], in their order. Returns
// KANE_OK with *count, of which up to `most` are kept; else as kane_wheelset_position_rigid.
KANE_API kane_status kane_wheelset_position_jumps(const kane_contact *contact, double yaw, double from, double to,
                                                  double least, int most, kane_jump *jumps, int *count);

// --- equivalent conicity (EN 15302, UIC 519) ---

// Rolling radius difference against lateral shift, on a uniform grid, linear in between.
typedef struct kane_rolling kane_rolling; // immutable

// Whether roll of the wheelset is taken into account.
typedef enum kane_axle { KANE_AXLE_LEVEL, KANE_AXLE_ROLLS } kane_axle;

// Of a rigid wheelset without yaw (kane_wheelset_position_level, kane_wheelset_position_rigid), for shifts from -reach
// to reach [m] every `step` [m]. It ends earlier where a profile does. distance: between the contact points, e [m]; r0
// is the mean of both running circles. NULL with errors filled.
KANE_API kane_rolling *kane_rolling_create(const kane_contact *contact, kane_axle axle, double reach, double step,
                                           double distance, kane_errors *errors);

// Of any other source: count >= 3 differences [m] (left less right, shift to the left) from `first` on every `step`
// [m], r0 [m], e [m].
KANE_API kane_rolling *kane_rolling_create_table(int count, const double *difference, double first, double step,
                                                 double radius, double distance, kane_errors *errors);
KANE_API void kane_rolling_free(kane_rolling *rolling);

KANE_API double kane_rolling_first(const kane_rolling *rolling); // of the shifts it knows [m]
KANE_API double kane_rolling_last(const kane_rolling *rolling);

// The difference at a shift [m]; NaN outside of the grid.
KANE_API double kane_rolling_difference(const kane_rolling *rolling, double y);

// How the conicity is found.
typedef enum kane_conicity_method {
    KANE_CONICITY_INTEGRATION, // step by step along the track until the wave is full: y'' = -difference(y)/(e r0)
    KANE_CONICITY_QUADRATURE,  // y'^2/2 from the integral over y, then the wavelength from that of dy/y'
    KANE_CONICITY_REGRESSION,  // half the slope of the straight line nearest to the difference: no wavelength
    KANE_CONICITY_METHODS
} kane_conicity_method;

typedef enum kane_conicity_kind {
    KANE_CONICITY_WAVE,     // there is a wave of this amplitude
    KANE_CONICITY_NEGATIVE, // there is one if the difference is taken with the other sign: the wheelset is driven away
    KANE_CONICITY_NONE      // neither; no conicity
} kane_conicity_kind;

typedef struct kane_conicity {
    kane_conicity_kind kind;
    double conicity; // tan(gamma_e) = 2 pi^2 e r0 / wavelength^2 [1], less than zero if negative; NaN if there is none
    double wavelength; // [m]; NaN if there is none
    double low, high;  // between these the wheelset moves [m]; NaN if there is none
} kane_conicity;

// At an amplitude [m]: half of the way from one turning point to the other, wherever their middle is. A
// wave is preferred to being driven away; of several the one whose middle is nearest to the track's.
KANE_API kane_conicity kane_conicity_eval(const kane_rolling *rolling, kane_conicity_method way, double amplitude);

KANE_C_END

#endif
