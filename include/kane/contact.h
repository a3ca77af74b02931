// SPDX-License-Identifier: MIT
// Wheel and rail: where a wheel touches its rail, and what the rail does to it. Usable alone.
//
// A kane_contact is made once from profiles (kane/profile.h), radii, gauge and laws (kane/creep.h). Then, of one wheel,
//   elastic contact   motion -> forces, patches      kane_contact_eval, kane_contact_derive      docs/contact.md
//   rigid contact     path -> gap, what N pushes     kane_contact_gap                            docs/contact.md
//                     gap, motion, N -> creep force  kane_contact_creep
// and of a wheelset   shift, yaw -> height, roll     kane_wheelset_table_eval                    docs/contact.md
//                     the same afresh, under load    kane/geometry.h                             docs/contact.md
//
// Axes: x forward along the rail, y to the left, z up. "Rail axes" have their origin on the highest point of the
// (inclined) rail profile, x along the rail's own tangent there. Places and angles count to the outside on both sides.

#ifndef KANE_CONTACT_H
#define KANE_CONTACT_H

#include <kane/base.h>
#include <kane/creep.h>
#include <kane/math.h>
#include <kane/profile.h>
#include <kane/rail.h>

KANE_C_BEGIN

// Tables that contacts have made, for other contacts and models that need the same ones: what costs a tenth of a second
// the first time costs microseconds afterwards. They are found by all that they are made from (profiles point by point,
// radius, gauge, inclination, ...), compared in full, and hold the numbers that they would have if they were made anew,
// so results have the same bits with and without. Several threads may use one kane_tables at a time.
typedef struct kane_tables kane_tables;

// Keeps up to so many bytes; beyond that the tables that were not asked for the longest time are forgotten. A pair of
// wheel and rail takes some 0.9 MB, its patches 4.1 MB, its gap 3 MB, rigid contact functions 6.4 MB. NULL: no memory.
enum { KANE_TABLES_USUAL = 64 << 20 };
KANE_API kane_tables *kane_tables_create(size_t most);

// From now on tables that are not there yet are looked for in files of a folder first, and written there when they have
// been made. NULL: the user's folder, which KANE_CACHE names (docs/contact.md); an empty name, or one that is too long:
// none. Before others use the tables.
KANE_API void kane_tables_use_files(kane_tables *tables, const char *folder);

// The caller is done with them; contacts and models that have been made with them stay what they are. NULL is allowed.
KANE_API void kane_tables_free(kane_tables *tables);

// How many bytes are kept at this moment.
KANE_API size_t kane_tables_size(kane_tables *tables);

// How an evaluation finds where wheel and rail touch: from their profiles each time, or in tables that were made of the
// same search before (docs/contact.md).
typedef enum kane_contact_geometry { KANE_GEOMETRY_SEARCHED, KANE_GEOMETRY_TABULATED } kane_contact_geometry;

// One wheelset on one track: everything a contact needs to know before it starts. Of the arrays the left one comes
// first; NULL or 0 on the right means that it is as on the left.
typedef struct kane_contact_definition {
    const kane_profile *wheel[2]; // copied
    double radius[2];             // of the running circle [m]
    double flange_back; // distance between the flange backs [m]; the profile says where the circle is from there
    const kane_profile *rail[2];    // copied
    int shape_count;                // further profiles of the rails ...
    const kane_rail_shape *shapes;  // ... which motions name by their blend (at most KANE_RAIL_SHAPES_MAX); copied
    double inclination;             // of rails that are drawn upright, toward the track centre, tangent [1]
    double gauge;                   // distance between the gauge faces [m] ...
    double gauge_height;            // ... so much below the highest points of the inclined rails [m]
    kane_contact_laws laws;         // steel, friction, dissipation, creep (kane/creep.h)
    kane_contact_geometry geometry; // of elastic contact
    kane_contact_geometry gap;      // of kane_contact_gap; of rails with further profiles it is always searched
    kane_tables *tables;            // where tables are found and stored; NULL: a separate set
} kane_contact_definition;

// S1002 (r = .46 m, flange back 1.36 m) on 60E1 inclined 1:40, gauge 1.435 m at 14 mm; the laws' own
// defaults. The right side is as the left one.
KANE_API kane_contact_definition kane_contact_definition_default(void);

typedef struct kane_contact kane_contact; // immutable, may be shared between threads

// Prepares tables, unless definition->tables has them: takes some 20 ms, 0.3 s if contact is tabulated, 0.1 s if gaps
// are, twice that if the sides differ. A cone on a round rail is solved in closed form and needs 4 ms, all other pairs
// by their overlap.
// Returns NULL with errors filled: values that are not allowed (KANE_BAD_ARGUMENT), points of a file that are no
// profile (KANE_BAD_INPUT), no memory. Profiles may be freed afterwards.
KANE_API kane_contact *kane_contact_create(const kane_contact_definition *definition, kane_errors *errors);
KANE_API void kane_contact_free(kane_contact *contact);

// Distance from the track's centre line to the origin of the rail axes, and from the middle of the axle to the running
// circle [m]; both positive. The rails' distance is such that half the gauge is found on each side, measured at
// gauge_height; a round rail is where 60E1 inclined 1:40 would with 14 mm.
KANE_API double kane_contact_rail_distance(const kane_contact *contact, kane_side side);
KANE_API double kane_contact_wheel_distance(const kane_contact *contact, kane_side side);

// Play of a wheelset between the rails: by how much the gauge is wider than both flanges, measured gauge_height below
// the running circles [m]. Negative: the flanges do not go between the rails. Infinite without flanges.
KANE_API double kane_contact_play(const kane_contact *contact);

// How a wheel moves over its rail. The rail is at rest; all in rail axes, those of the rail's section beside the wheel.
// Of a rail that is the same all along the rest may be left out: turn is then zero, and the centre's x does not matter.
typedef struct kane_wheel_motion {
    kane_vec3 centre;       // centre of the running circle [m]; x: ahead of the section
    kane_vec3 axle;         // unit vector along the axle, to the left
    kane_vec3 velocity;     // of the centre [m/s]
    kane_vec3 omega;        // angular velocity of the wheel, spin included [rad/s]; rolling forward is +y
    double friction_change; // of the coefficient here, relative to the definition's: 0 as defined, -1 none [1]
    kane_vec3 turn;        // of the rail's section per metre of rail: its twist, how it bends down, to the left [rad/m]
    kane_rail_blend blend; // the rail's profile here
} kane_wheel_motion;

enum { KANE_PATCHES_MAX = 7 }; // all ranges of three penetrations, and one of a table

// One contact patch. Tangential axes: x along the rail, y to the left in the contact plane (x, y, normal:
// right-handed). Two patches that grow together or part are listed three times for a while: each alone and both as one,
// with shares that pass from the ones to the other. Forces, moment and energy are those of the share, all else is of
// the whole patch.
typedef struct kane_patch {
    double share;     // in (0, 1], 1 for a patch that is by itself
    kane_vec3 point;  // on the undeformed wheel, from its centre, rail axes [m]
    kane_vec3 normal; // unit vector out of the rail into the wheel
    double angle; // contact angle: of the tangent against the rail's y axis, positive where the outside is lower [rad]
    double wheel_y;  // place on the wheel: along the axle from the running circle, positive to the outside [m]
    double rail_y;   // place on the rail from its origin, positive to the outside [m]
    double radius;   // rolling radius: of the undeformed wheel at the point [m]
    double approach; // of distant points, along the normal [m]
    double N;        // normal force [N]
    double a, b;     // semi-axes of the ellipse: along and across the rail [m]
    double pressure; // of kane_contact_eval: in the middle of the ellipse; kane_contact_pressures: the largest [Pa]
    double area;     // likewise: of the ellipse; of the patch [m^2]
    int minor; // 1: carries less than a tenth of the wheel's normal force; its pressure is a rough one (docs/contact.md)
    int conformal;     // 1: wheel or rail turn so far over its width that the half-space is in doubt (docs/contact.md)
    double xi_x, xi_y; // creepages [1]
    double phi;        // spin creepage [1/m]
    double T_x, T_y;   // tangential force on the wheel [N]
    double M_z;        // spin moment on the wheel [N m]
    double T_n;        // further normal force, of a user-defined law; else 0 [N]
    double energy;     // stored in the elastic contact [J]
} kane_patch;

typedef struct kane_contact_result {
    kane_wrench on_wheel; // sum over all patches, torque about the wheel's centre, rail axes
    int patch_count;      // 0: the wheel does not touch
    kane_patch patch[KANE_PATCHES_MAX];
} kane_contact_result;

// Forces of a rail on a wheel. A function of its arguments alone, continuous in all of them (docs/contact.md says how
// well), finite for any finite motion; zero where wheel and rail do not touch or the profiles end. Returns KANE_OK, or
// KANE_RETRY and no forces for a motion that no vehicle reaches: an axle turned by more than 0.2 toward the rail or
// more than 0.4 upward, friction changed by less than -1, a value that is not finite; or what a user-defined law
// returns.
KANE_API kane_status kane_contact_eval(const kane_contact *contact, kane_side side, const kane_wheel_motion *motion,
                                       kane_contact_result *result);

// Puts the largest pressures and the areas of its patches into what kane_contact_eval has found for this motion: from
// strips along the rail, solved side by side on the half-space, which see what an ellipse cannot (docs/contact.md). For
// what is reported: it takes the time of some tens of evaluations, and forces do not depend on it. Cones on round rails
// and wheels that no force presses keep what they have.
KANE_API void kane_contact_pressures(const kane_contact *contact, kane_side side, const kane_wheel_motion *motion,
                                     kane_contact_result *result);

// Derivative of on_wheel (force, torque) with respect to displacement of the centre [m], rotation of the axle about the
// centre [rad], velocity [m/s] and angular velocity [rad/s] (three components each, rail axes): 6 rows, 12 columns. The
// rail's section moves with the wheel, so that the first column is zero, but where the rail's profile changes
// along it: there it is the difference over the next and the last 10 micrometres of rail. All are exact, but for
// corners and for a user-defined creep law, which is differenced by the pose, and by all else if it has no slopes
// (docs/contact.md says how exact). d is zero where kane_contact_eval gives no forces. Takes the time of three
// evaluations.
KANE_API kane_status kane_contact_derive(const kane_contact *contact, kane_side side, const kane_wheel_motion *motion,
                                         double d[6][12]);

// --- rigid contact: a wheel that touches its rail and presses on it with a force that others find ---

// How a wheel moves, as seen from the rail's section beside it, which moves with the wheel: rail axes. Rates are
// first and second derivatives of the components.
typedef struct kane_wheel_path {
    kane_vec3 centre, centre_rate, centre_accel; // of the running circle [m], [m/s], [m/s^2]; x does not matter
    kane_vec3 axle, axle_rate, axle_accel;       // unit vector to the left [1], [1/s], [1/s^2]
    kane_rail_blend blend;                       // the rail's profile there ...
    double along_rate, along_accel;              // ... and of the place along the rail [m/s], [m/s^2]
} kane_wheel_path;

// The gap between wheel and rail: a smooth function of the wheel's pose that is zero where they touch
// (docs/contact.md), the contact's phi_n. A normal force N is N (direction, twist)/|direction| on the wheel.
typedef struct kane_gap {
    double size;            // [m], positive: apart
    double rate;            // d(gap)/dt [m/s]
    double accel;           // d^2(gap)/dt^2 [m/s^2]
    kane_vec3 direction;    // d(gap)/d(displacement of the centre), x = 0 [1]
    kane_vec3 twist;        // d(gap)/d(rotation about the centre) [m/rad]
    double along;           // d(gap)/d(place along the rail) where its profile changes [1]
    kane_vec3 point;        // contact point on the wheel from its centre [m]
    kane_vec3 normal;       // unit vector out of the rail
    double A, B;            // half relative curvatures along and across the rail [1/m]
    double radius;          // of the wheel there [m]
    double wheel_y, rail_y; // places as in kane_patch [m]
} kane_gap;

// Returns KANE_RETRY where the wheel is not near its rail (20 mm) or turned as no vehicle turns it, and for values that
// are not finite.
KANE_API kane_status kane_contact_gap(const kane_contact *contact, kane_side side, const kane_wheel_path *path,
                                      kane_gap *contact_point);

// What a wheel that touches its rail gets from it under the normal force N [N] besides that force: tangential force and
// spin moment as a wrench about the wheel's centre, rail axes; none where N is not positive. patch gets all that is
// reported; NULL: not wanted. Returns KANE_OK, KANE_RETRY as kane_contact_eval and for an N that is not finite, or
// what a user-defined law returns.
KANE_API kane_status kane_contact_creep(const kane_contact *contact, kane_side side, const kane_gap *contact_point,
                                        const kane_wheel_motion *motion, double N, kane_wrench *creep,
                                        kane_patch *patch);

// --- rigid contact functions: position of a wheelset on both rails, as functions of lateral shift and yaw ---

typedef struct kane_wheelset_table kane_wheelset_table; // immutable, may be shared between threads

// How far the functions reach to both sides: lateral shift [m], yaw [rad].
#define KANE_WHEELSET_TABLE_SHIFT 0.010
#define KANE_WHEELSET_TABLE_YAW   0.030

// Tabulates the position of a wheelset that touches both rails (the gaps of kane_contact_gap are zero), on a grid of
// 0.05 mm and 2.5 mrad, denser where a flange takes over, joined by bicubic splines: twice continuously differentiable.
// The gaps are then closed to 2e-8 m, in the corner where the flange takes over to 2.5e-7 m. Takes some tenths of a
// second, unless the tables that the contact was made with have them. NULL with errors filled: no memory, or wheels and
// rails between which a wheelset cannot stand.
KANE_API kane_wheelset_table *kane_wheelset_table_create(const kane_contact *contact, kane_errors *errors);
KANE_API void kane_wheelset_table_free(kane_wheelset_table *table);

// A function of lateral shift y and yaw: value, derivatives by y and yaw, second derivatives by y y, y yaw, yaw yaw.
typedef struct kane_wheelset_function {
    double value, by_y, by_yaw, by_y_y, by_y_yaw, by_yaw_yaw;
} kane_wheelset_function;

// Track axes, the tops of the rails at height 0 and at their nominal distance; the wheelset's attitude is Rz(yaw)
// Rx(roll).
typedef struct kane_wheelset_values {
    kane_wheelset_function height;                   // of the middle of the axle [m]
    kane_wheelset_function roll;                     // [rad]
    kane_wheelset_function twist_height, twist_roll; // what they gain where the rails twist, per rad/m [m^2/rad], [m]
    kane_gap contact_point
        [2]; // of both wheels; no gap and no derivatives of it: direction and twist are those of the contact
             // point
} kane_wheelset_values;

// Returns KANE_RETRY beyond the table.
KANE_API kane_status kane_wheelset_table_eval(const kane_wheelset_table *table, double y, double yaw,
                                              kane_wheelset_values *stand);

// Height and roll alone, on rails that twist [rad/m].
KANE_API kane_status kane_wheelset_table_pose(const kane_wheelset_table *table, double y, double yaw, double twist,
                                              double *height, double *roll);

// --- the parts, for user-defined contacts ---

// Profiles as the contact sees them (splines on a grid of 0.1 mm), as heights over the running surface [m] at a
// distance y from the running circle (wheel) or from the origin of the rail axes (rail), positive to the outside.
// Wheels: z is the lowest fibre's height against the running circle, negative toward a flange. Beyond their ends both
// are continued straight. out[0..2]: height, slope, second derivative.
KANE_API void kane_contact_wheel_profile(const kane_contact *contact, kane_side side, double y, double out[3]);
KANE_API void kane_contact_rail_profile(const kane_contact *contact, kane_side side, double y, double out[3]);

// Hertz by elliptic integrals: half relative curvatures A (along), B (across) [1/m], contact modulus E* [Pa]
// (1/E* = sum of (1 - nu^2)/E of both bodies), normal force N [N].
typedef struct kane_hertz {
    double a, b;     // semi-axes along and across [m]
    double approach; // [m]
    double pressure; // at the centre [Pa]
} kane_hertz;
KANE_API kane_hertz kane_hertz_eval(double A, double B, double E_star, double N);

// Kalker's creep coefficients C11, C22, C23 = -C32, C33 for semi-axes a (along), b (across) and Poisson's ratio nu: his
// table, linear in the smaller ratio of the axes and quadratic in nu on 1/C; below a ratio of .1 his asymptotes.
typedef struct kane_kalker {
    double C11, C22, C23, C33;
} kane_kalker;
KANE_API kane_kalker kane_kalker_eval(double a, double b, double nu);

KANE_C_END

#endif
