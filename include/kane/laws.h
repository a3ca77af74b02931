// SPDX-License-Identifier: MIT
// libkane's own force laws and their parameters. A vehicle file has the same names; in C fill a struct, leave out what
// is zero, and point a kane_element_definition to it.

#ifndef KANE_LAWS_H
#define KANE_LAWS_H

#include <kane/base.h>
#include <kane/force.h>

KANE_C_BEGIN

typedef enum kane_interpolation { KANE_LINEAR, KANE_SPLINE } kane_interpolation;

// Where displacements are counted from: the static position (the static load comes on top of the curve), or the place
// where the spring is free (the static load decides where on the curve the vehicle rests).
typedef enum kane_reference { KANE_FROM_STATIC, KANE_FROM_FREE } kane_reference;

// A force over a displacement, or over a speed, through points; no points: not given.
typedef struct kane_characteristic {
    kane_block block;
    kane_numbers at;    // ascending: [m], [rad], [m/s], [rad/s]
    kane_numbers force; // that resists: [N], [N m]
    int interpolation;  // kane_interpolation; beyond the ends it goes straight on
    int from;           // kane_reference; of springs along x, y, z
} kane_characteristic;

// Along the line between two points; tension pulls them together.
typedef struct kane_spring {
    kane_block block;
    double stiffness;                   // [N/m]
    kane_characteristic characteristic; // instead of the stiffness: tension over elongation
    double damping;                     // [N s/m]
    double free_length;                 // length without tension [m]; 0: the static load is solved for or given
} kane_spring;

typedef struct kane_damper {
    kane_block block;
    double damping;                     // [N s/m]
    kane_characteristic characteristic; // instead of the damping: force over the rate of the length
} kane_damper;

// A cylinder or spindle along the line: inputs are the force that pushes its ends apart and the elongation that it is
// set to. It carries no static load.
typedef struct kane_actuator_law {
    kane_block block;
    double stiffness; // against the elongation that it is set to [N/m]
    double damping;   // [N s/m]
} kane_actuator_law;

// A spring and a damper in series along the line, such as a hydraulic damper in rubber mountings. It carries no static
// load.
typedef struct kane_maxwell {
    kane_block block;
    double stiffness; // of the spring in front of the damper; must be positive [N/m]
    double damping;   // [N s/m]
    kane_characteristic
        characteristic;        // instead of the damping: force over speed, growing everywhere or level at its ends
    double parallel_stiffness; // of a spring beside both [N/m]
} kane_maxwell;

// The same with a damper that blows off: damping up to blow_off, blow_off_damping beyond it.
typedef struct kane_yaw_damper {
    kane_block block;
    double stiffness;        // of mountings and oil in series; must be positive [N/m]
    double damping;          // [N s/m]
    double blow_off;         // force [N]; 0: it never blows off
    double blow_off_damping; // [N s/m]
    double rounding;         // half the width of the rounded corner in speeds over the speed of blow-off, 0 .. 1
    kane_characteristic characteristic; // instead of all but the stiffness: force over speed, as above
} kane_yaw_damper;

typedef enum kane_rod_arrangement { KANE_ROD_PARALLEL, KANE_ROD_SERIES } kane_rod_arrangement;

// A rod in bushes along the line. Without free play the tension is k e + c e'; behind free play as a bump stop's, whose
// damping sets in with the stiffness and never pulls.
typedef struct kane_traction_rod {
    kane_block block;
    double stiffness; // k; must be positive [N/m]
    double damping;   // c [N s/m]
    int arrangement;  // kane_rod_arrangement
    double slack;     // free play from rest each way; parallel only [m]
    double onset;     // length over which the stiffness sets in behind it; must be positive [m]
} kane_traction_rod;

// Springs and dampers along and about the axes of body a, at the point on b. Rotations are meant to be small.
typedef struct kane_bushing {
    kane_block block;
    kane_vec3 stiffness;            // [N/m]
    kane_vec3 damping;              // [N s/m]
    kane_vec3 rotational_stiffness; // [N m/rad]
    kane_vec3 rotational_damping;   // [N m s/rad]
    kane_characteristic spring[6];  // instead of a stiffness: along x, y, z, about x, y, z
    kane_characteristic damper[6];  // instead of a damping
    // in series with the damper; where it is 0 the damper is parallel to the spring
    kane_vec3 series_stiffness;            // [N/m]
    kane_vec3 rotational_series_stiffness; // [N m/rad]
} kane_bushing;

// Torque about x of body a against relative roll.
typedef struct kane_anti_roll_bar {
    kane_block block;
    double stiffness; // [N m/rad]
    double damping;   // [N m s/rad]
} kane_anti_roll_bar;

// A bag of air that carries b along z of body a, a reservoir behind an orifice, and the bag's resistance to shear and
// tilt. Volumes are those at rest. The static load says the pressure.
typedef struct kane_air_spring {
    kane_block block;
    double area;              // effective, at rest: load over gauge pressure; must be positive [m^2]
    double area_change;       // its growth per compression [m]
    double bag_volume;        // must be positive [m^3]
    double reservoir_volume;  // [m^3]; 0: none
    double orifice;           // loss of pressure per flow; must be positive if there is a reservoir [Pa s/m^3]
    double orifice_quadratic; // loss of pressure per flow squared [Pa s^2/m^6]
    double exponent;          // polytropic: 1 slow, 1.4 fast; must be positive
    double atmosphere;        // [Pa]
    double shear_stiffness;   // along x and y [N/m]
    double shear_damping;     // along x and y [N s/m]
    double tilting_stiffness; // about x and y [N m/rad]
} kane_air_spring;

// Two spur gears about the y of the law's axes, whose teeth give way along the line of action: docs/elements.md.
typedef struct kane_gear {
    kane_block block;
    double stiffness;        // of the mesh; must be positive [N/m]
    double damping;          // [N s/m]
    kane_numbers base_radii; // of a and b [m] ...
    kane_numbers teeth;      // ... or numbers of teeth of a and b
    double pressure_angle;   // with teeth, at the distance as drawn [rad]
    double backlash;         // along the line of action, from flank to flank [m]; 0: teeth never part
    double onset;            // with backlash: length over which stiffness and damping set in; must be positive [m]
} kane_gear;

// A torque between a and b about the y of the law's axes, times the input "level".
typedef struct kane_motor {
    kane_block block;
    kane_numbers torque; // on b: one, or at `speed` [N m]
    kane_numbers speed;  // of b against a, ascending [rad/s]
    int against;         // 1: resists the motion; speeds are sizes
    double level;        // of the input until it is set
} kane_motor;

// Dry friction: laws with a surface that rubs (docs/elements.md).
typedef enum kane_friction_model { KANE_FRICTION_STICK, KANE_FRICTION_SMOOTH } kane_friction_model;

typedef struct kane_dry_friction {
    int model;                 // kane_friction_model
    double stick_displacement; // elastic, under the limit; must be positive [m]
    double stick_damping;      // while it sticks [N s/m]
    double slip_speed;         // of the smooth model, where it has 71 % of the limit; must be positive [m/s]
    double nominal_load;       // normal force for which stick_displacement is meant; 0: that at rest [N]
} kane_dry_friction;

// A gap along an axis of body a, or round in a plane or in space, and a stop behind it; with friction a horn guide, a
// pin in its bush, a ball in its socket. Without characteristic the force over the compression c is k c^2/(2 s) up to
// the onset s, k (c - s/2) beyond, or K c^1.5.
typedef struct kane_bump_stop {
    kane_block block;
    int direction;                      // 0, 1, 2: x, y, z; round 3, 4, 5: xy, xz, yz; 6: xyz
    kane_numbers clearance;             // free travel from rest all ways, or towards minus and towards plus [m]
    double stiffness;                   // k [N/m]
    kane_characteristic characteristic; // force over compression
    double hertz;                       // K [N/m^1.5]
    double onset;                       // length over which the stiffness sets in [m]; must be positive
    double dissipation;                 // h: force times 1 + h (speed of compression) [s/m]
    double radius;                      // of a round b, at which friction has its torque [m]
    double coefficient;                 // friction over the stop's force; 0: none
    kane_dry_friction friction;         // of which nominal_load must be positive, unless it is smooth
} kane_bump_stop;

// Along an axis of body a or in a plane; the limit is given or follows from the normal force.
typedef struct kane_friction {
    kane_block block;
    int directions;     // 0, 1, 2: x, y, z; 3, 4, 5: xy, xz, yz
    double force;       // limit [N]
    double coefficient; // instead: limit over the normal force
    int normal;         // 0: the axis that is not in the plane; 1, 2, 3: x, y, z
    double stiffness;   // normal force per compression [N/m]
    double onset;       // compression over which the stiffness sets in; must be positive [m]
    double dissipation; // h: normal force times 1 + h (speed of compression) [s/m]
    kane_dry_friction friction;
} kane_friction;

// Draft gear, buffers and coupler in one, along the line between two vehicles: elastic in both directions behind the
// slack, with friction in proportion.
typedef struct kane_draft {
    kane_block block;
    double stiffness;                   // [N/m]
    kane_characteristic characteristic; // instead: force over travel, both from 0
    double friction; // share of the elastic force: (1 + friction) of it loading, (1 - friction) unloading
} kane_draft;

typedef struct kane_drawgear {
    kane_block block;
    kane_draft tension, compression;
    double slack;              // free travel in all, half of it each way from rest [m]
    double onset;              // travel over which a stiffness sets in; must be positive [m]
    double damping;            // beside it, in the slack too [N s/m]
    double stick_displacement; // over which loading changes to unloading under nominal_force; must be positive [m]
    double nominal_force;      // friction force for which that is meant; must be positive [N]
} kane_drawgear;

// Freight wagon's leaf spring: vertical with friction in proportion to the load, linear in the other directions.
typedef struct kane_leaf_spring {
    kane_block block;
    double stiffness;                   // vertical [N/m]
    kane_characteristic characteristic; // instead: force over compression, both from 0
    double onset;                       // compression over which the stiffness sets in; must be positive [m]
    double coefficient;                 // friction over load
    double longitudinal_stiffness, lateral_stiffness; // [N/m]
    double longitudinal_damping, lateral_damping;     // [N s/m]
    kane_dry_friction friction;
} kane_leaf_spring;

// Links that a body hangs from, holding a leaf spring: pendulums with friction in their joints.
typedef struct kane_link_suspension {
    kane_block block;
    double stiffness;                           // vertical [N/m]
    kane_characteristic characteristic;         // instead: force over compression, both from 0
    double onset;                               // must be positive [m]
    double longitudinal_length, lateral_length; // of the pendulum: load over stiffness [m]
    double longitudinal_coefficient, lateral_coefficient, vertical_coefficient;    // friction over load
    double longitudinal_displacement, lateral_displacement, vertical_displacement; // elastic; must be positive [m]
    double stick_damping;                                                          // [N s/m]
    double nominal_load; // for which the displacements are meant; 0: that at rest [N]
} kane_link_suspension;

// A flat round plate under load that turns, rocks and slides, with or without a ring around it.
typedef struct kane_centre_plate {
    kane_block block;
    double radius;        // [m]
    double coefficient;   // friction over load
    double stiffness;     // vertical [N/m]
    double onset;         // must be positive [m]
    double dissipation;   // [s/m]
    double rocking_angle; // tilt at which the load has moved by 71 % of the radius; 0: of an elastic layer [rad]
    double ring_stiffness, ring_clearance; // [N/m], [m]; stiffness 0: no ring
    kane_dry_friction friction;
} kane_centre_plate;

// A sliding bearer beside the centre plate: pressed by a given load, or behind a gap.
typedef struct kane_side_bearer {
    kane_block block;
    int direction;                      // 0: pushes b up, 1: down
    double bearing_load;                // at rest [N]
    double clearance;                   // instead: gap at rest [m]
    double stiffness;                   // vertical [N/m]
    kane_characteristic characteristic; // instead: force over compression, both from 0
    double onset;                       // must be positive [m]
    double dissipation;                 // [s/m]
    double coefficient;                 // friction over load
    kane_dry_friction friction;
} kane_side_bearer;

// Which slip weakens which force: KANE_SLIP_FILE: as USE_MODE says, combined without it.
enum kane_tyre_slip { KANE_SLIP_FILE, KANE_SLIP_COMBINED, KANE_SLIP_PURE };

// A tyre between a road and a wheel. a's point is on the road, b's is the wheel's centre.
typedef struct kane_tyre {
    kane_block block;
    const char
        *file; // properties after PAC2002 (.tir); relative to the file that names it, in C to where the program runs
    int side;  // 0: left, 1: right
    int slip;  // enum kane_tyre_slip
    kane_vec3 axle; // at rest, to the left, law axes; not zero
} kane_tyre;

KANE_API extern const kane_law kane_law_tyre;

KANE_API extern const kane_law kane_law_friction;
KANE_API extern const kane_law kane_law_drawgear;
KANE_API extern const kane_law kane_law_leaf_spring;
KANE_API extern const kane_law kane_law_link_suspension;
KANE_API extern const kane_law kane_law_centre_plate;
KANE_API extern const kane_law kane_law_side_bearer;

KANE_API extern const kane_law kane_law_actuator;
KANE_API extern const kane_law kane_law_gear;
KANE_API extern const kane_law kane_law_motor;
KANE_API extern const kane_law kane_law_spring;
KANE_API extern const kane_law kane_law_damper;
KANE_API extern const kane_law kane_law_maxwell;
KANE_API extern const kane_law kane_law_yaw_damper;
KANE_API extern const kane_law kane_law_traction_rod;
KANE_API extern const kane_law kane_law_bushing;
KANE_API extern const kane_law kane_law_anti_roll_bar;
KANE_API extern const kane_law kane_law_air_spring;
KANE_API extern const kane_law kane_law_bump_stop;

KANE_C_END

#endif
