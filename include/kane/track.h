// SPDX-License-Identifier: MIT
// The track: where its frame is at a distance s along the centre line, and how it turns.
//
// x points forward along the line, y to the left, z up, normal to the track plane. The line's natural parameter s is
// its arc length; heading psi is positive to the left, grade beta positive uphill, and the roll theta of the track
// plane about the tangent is negative where a left-hand curve is canted. R(s) = Rz(psi) Ry(-beta) Rx(theta).

#ifndef KANE_TRACK_H
#define KANE_TRACK_H

#include <kane/base.h>
#include <kane/math.h>
#include <kane/profile.h>
#include <kane/rail.h>
#include <kane/transport.h>

KANE_C_BEGIN

typedef struct kane_track kane_track; // immutable, may be shared between threads

typedef enum kane_transition_shape {
    KANE_CLOTHOID,   // x
    KANE_PARABOLA_3, // y = x^3/(6 R X) in Cartesian form, X such that the arc length is the section's; cant: x
    KANE_COSINE,     // (1 - cos(pi x))/2
    KANE_SINE,       // x - sin(2 pi x)/(2 pi)
    KANE_BLOSS,      // 3 x^2 - 2 x^3
    KANE_HELMERT,    // 2 x^2 | 1 - 2 (1 - x)^2
    KANE_WIENER,     // 35 x^4 - 84 x^5 + 70 x^6 - 20 x^7, turning about an axis `height` above the rails
    KANE_POLYNOMIAL, // sum coefficients[i] x^i, f(0) = 0 and f(1) = 1
    KANE_BSPLINE     // sum coefficients[i] B_i(x): B-splines of a degree with knots within 0 .. 1
} kane_transition_shape;

typedef enum kane_cant_axis { KANE_CANT_INNER_RAIL, KANE_CANT_CENTRE_LINE } kane_cant_axis;

// How the angular velocity of the frame is formed from the line (docs/theory.md, section 1).
typedef enum kane_transportation {
    KANE_TRANSPORTATION_EXACT,
    KANE_TRANSPORTATION_SMALL_ANGLE // the source's (69)-(75): omega_t = d(gamma)/dt, gamma = superelevation/2b
} kane_transportation;

// Coefficients of a polynomial and of a B-spline, and the highest degree of the latter.
enum { KANE_POLYNOMIAL_MAX = 16, KANE_SPLINE_MAX = 64, KANE_SPLINE_DEGREE_MAX = 11 };

typedef enum kane_section_kind { KANE_STRAIGHT, KANE_CURVE, KANE_TRANSITION, KANE_TABLE } kane_section_kind;

// How far the line is from the points of the file that it was read from: the largest and the rms difference.
typedef struct kane_difference {
    double largest, rms; // in units of the quantity
    double at;           // chainage of the largest one [m]
} kane_difference;

typedef struct kane_smoothing_report {
    const char *file;                                 // NULL: the line is not from a file
    int point_count;                                  //
    double wavelength;                                // of which half is left; 0: through the points [m]
    kane_difference curvature, superelevation, grade; // [1/m], [m], [1]
    kane_difference position; // of points in the plane: from the place that the line has there [m]
    kane_difference length;   // and of their chainage, if there is one, from the length along the line [m]
} kane_smoothing_report;

// One section of the line. Curvature (heading per metre) and cant of a transition run from where the section before
// ended to the values given here. Curvature may jump from one section to the next, cant may not.
typedef struct kane_section_definition {
    kane_section_kind kind;
    double length;               // arc length of the centre line [m]
    double curvature;            // at its end, positive in a left-hand curve [1/m]; of a curve: all along; straight: 0
    double superelevation;       // at its end, height of the right rail over the left one [m]; all along but in ramps
    kane_transition_shape shape; // of a transition, for curvature and cant alike
    double height;               // Wiener Bogen: height of its axis of rotation over the rails [m]
    double rounding;       // clothoid: its ends are rounded over this length each, inside of it [m]; 0: they are kinks
    int small_angle;       // Wiener Bogen: 1: its curvature takes cant/2b for the angle itself, as IFC 4.3 does
    int coefficient_count; // polynomial: powers; B-spline: knot_count + degree + 1
    double coefficients[KANE_SPLINE_MAX]; // [1]; of a B-spline the first is 0, the last 1
    int degree;                           // B-spline
    int knot_count;                       // within 0 .. 1; at either end there are degree + 1 more
    double knots[KANE_SPLINE_MAX];        // ascending [1]
    int point_count;                      // table: measured points, at least 4, each array of this length
    const double *at;                     //   distance from the beginning of the section [m], from 0 to length
                                          //   the first values are those with which the section before ended
    const double *table_curvature;        //   [1/m]
    const double *table_superelevation;   //   [m]
    const double *table_grade;            //   tangent of the angle uphill, its last one holds behind the table [1];
                                          //   NULL: the track's own grade
    kane_smoothing_report smoothed;       //   what was done to it when it was read
    kane_place place;                     // where it was typed
} kane_section_definition;

// A change of grade: tangent of the angle uphill from `at` on, rounded by a vertical arc of this radius centred at
// `at`.
typedef struct kane_grade_definition {
    double at;       // [m]
    double grade;    // from here on [1]
    double rounding; // radius of the vertical arc (angle linear in s) [m]; 0: a kink
    kane_place place;
} kane_grade_definition;

// What an irregularity w moves, and what it is measured by.
typedef enum kane_irregularity_kind {
    KANE_LATERAL,       // both rails to the left; mean of both
    KANE_VERTICAL,      // both rails up; mean of both
    KANE_CROSS_LEVEL,   // left rail up by half of it, right rail down; height of the left rail over the right one
    KANE_GAUGE,         // left rail to the left by half of it, right rail to the right; widening
    KANE_LEFT_LATERAL,  // left rail alone, to the left
    KANE_LEFT_VERTICAL, // left rail alone, up
    KANE_RIGHT_LATERAL, // right rail alone, to the left
    KANE_RIGHT_VERTICAL // right rail alone, up
} kane_irregularity_kind;
enum { KANE_IRREGULARITY_KINDS = KANE_RIGHT_VERTICAL + 1 };

// amplitude sin(2 pi s/wavelength + phase), s the chainage
typedef struct kane_irregularity_definition {
    kane_irregularity_kind kind;
    double amplitude;  // [m]
    double wavelength; // [m]
    double phase;      // [rad]
    kane_place place;
} kane_irregularity_definition;

// Power spectral density over the wave number O [rad/m], one-sided: the variance is its integral over O > 0,
//   S(O) = A Oc^2 O^2/((O^2 + Or^2)(O^2 + Oc^2)(O^2 + Os^2))   [m^2/(rad/m)]
// the form of ORE B176 and, with Or = 0, of the FRA (docs/formats.md).
typedef struct kane_spectrum {
    double A;          // [m^2 rad/m]
    double Oc, Or, Os; // [rad/m]
} kane_spectrum;

typedef enum kane_spectrum_standard {
    KANE_ORE_LOW,
    KANE_ORE_HIGH,
    KANE_FRA_1, // line class 1, the roughest
    KANE_FRA_2,
    KANE_FRA_3,
    KANE_FRA_4,
    KANE_FRA_5,
    KANE_FRA_6
} kane_spectrum_standard;

// The spectrum of a standard for lateral, vertical, cross level (as a height, not as an angle) or gauge; A = 0 for the
// other kinds, which no standard has.
KANE_API kane_spectrum kane_spectrum_of(kane_spectrum_standard standard, kane_irregularity_kind kind);

// S(O) at O > 0.
KANE_API double kane_spectrum_density(const kane_spectrum *spectrum, double O);

// A random irregularity: a sum of sines with amplitudes from the spectrum and with wave numbers and phases from the
// seed. Two spectra of one kind are independent of each other also if their seeds are the same, and so are two kinds.
typedef struct kane_spectrum_definition {
    kane_irregularity_kind kind;
    kane_spectrum spectrum;
    double shortest, longest; // wavelengths [m]
    int wave_count;           // sines
    int seed;
    kane_place place;
} kane_spectrum_definition;

// A measured irregularity: a spline through points, which must cover the line. Behind its ends it runs out level.
typedef struct kane_record_definition {
    kane_irregularity_kind kind;
    int point_count;     // at least 4
    const double *at;    // chainage, ascending [m]
    const double *value; // [m]
    kane_place place;
    double shortest, longest; // what a filter has kept of it when it was read; 0: no filter [m]
    double shorter, longer;   // the largest of what was taken off beyond these wavelengths [m]
    double first, last;       // chainage of its ends, in the definition that a track keeps, which has no points [m]
} kane_record_definition;

// x counts from the place of the defect, L is its length, h its height.
typedef enum kane_defect_shape {
    KANE_DEFECT_COSINE, // h (1 + cos(2 pi x/L))/2 for |x| < L/2, its ends rounded over L/50
    KANE_DEFECT_RAMP,   // from 0 to h between -L/2 and L/2 by 10 t^3 - 15 t^4 + 6 t^5; stays there
    KANE_DEFECT_CUSP,   // h exp(-|x|/L), a dipped joint, its tip rounded with the radius L/20 of x
    KANE_DEFECT_JOG     // h/2 (1 + u/sqrt(1 + u^2)), u = 2 x/L; stays there
} kane_defect_shape;

typedef struct kane_defect_definition {
    kane_irregularity_kind kind;
    kane_defect_shape shape;
    double at;     // chainage of its middle [m]
    double length; // [m]
    double height; // [m]
    kane_place place;
} kane_defect_definition;

typedef enum kane_rails { KANE_LEFT_RAIL, KANE_RIGHT_RAIL, KANE_BOTH_RAILS } kane_rails;

// Another coefficient of friction between two places.
typedef struct kane_friction_change {
    double from, to; // chainage [m]
    kane_rails rails;
    double friction; // there [1]
    double over;     // length of the transition around either end, by 10 t^3 - 15 t^4 + 6 t^5 [m]
    kane_place place;
} kane_friction_change;

// Another profile of a rail: behind `from` + `over` it has this one, before `from` that of the change before, or its
// own; between them heights go over from the one to the other by 10 t^3 - 15 t^4 + 6 t^5.
typedef struct kane_profile_change {
    double from, over; // chainage [m], [m]
    kane_rails rails;
    int profile;  // 0: the rail's own, k: shapes[k - 1]
    int straight; // 0: by 10 t^3 - 15 t^4 + 6 t^5; 1: by t, from slice to slice of a rail that is known between its ends
    kane_place place;
} kane_profile_change;

// A check rail (guard rail): a rail beside the running rail, on its inside, whose face guides the backs of the flanges
// that run in the flangeway between both. At its ends it opens by flares, by 10 t^3 - 15 t^4 + 6 t^5 of their length
// (docs/contact.md).
typedef struct kane_check_rail {
    double from, to;  // chainage of its ends [m]
    double flare;     // length of either flare, within these ends [m]
    kane_rails rails; // the running rail beside which it is
    double flangeway; // distance of its face from the gauge face of that rail's own profile [m]
    double opening;   // the same at its ends [m]
    double height;    // of its top over that of the running rail [m]
    double
        stiffness; // lateral, k: its force is k c^2/(2 s) over the penetration c up to the onset s, k (c - s/2) beyond [N/m]
    double onset;    // s [m]
    double damping;  // lateral, sets in with the stiffness and never makes it pull [N s/m]
    double friction; // coefficient, of the flange's back on its face [1]
    kane_place place;
} kane_check_rail;

// How far from a wheel's section its flange may touch a check rail; there is at least twice as much between two of them
// [m].
#define KANE_CHECK_RAIL_REACH 0.5

// How the track gives way: under each wheelset a panel of it travels along, on springs and dampers to the ground
// (docs/formats.md). Three numbers each: lateral, vertical, and roll about the middle of the running surface.
typedef struct kane_flexibility_definition {
    double inertia[3];   // of what moves with the wheels [kg], [kg], [kg m^2]
    double stiffness[3]; // [N/m], [N/m], [N m/rad]
    double damping[3];   // [N s/m], [N s/m], [N m s/rad]
    kane_place place;
} kane_flexibility_definition;

typedef struct kane_track_definition {
    double gauge;                // between the gauge faces [m] ...
    double gauge_height;         // ... so much below the highest points of the rails [m]
    double running_distance;     // 2b, between the rails' running points; carries the superelevation [m]
    const kane_profile *rail[2]; // left, right; NULL on the right: as on the left; copied
    double inclination;          // of rails that are drawn upright, toward the track centre, tangent [1]
    double friction;             // [1]
    kane_cant_axis cant_axis;    //
    double start;                // chainage of the first section's beginning [m]
    double heading;              // psi there [rad]
    double grade;                // tangent of the angle uphill there [1]
    double superelevation;       // of the first section's beginning; the right rail over the left one [m]
    double curvature;            // at the first section's beginning [1/m]
    int section_count;           //
    const kane_section_definition *sections;
    int grade_count;
    const kane_grade_definition *grades;
    int irregularity_count;
    const kane_irregularity_definition *irregularities; // all these are added up
    int spectrum_count;
    const kane_spectrum_definition *spectra;
    int record_count;
    const kane_record_definition *records;
    int defect_count;
    const kane_defect_definition *defects;
    double fade_in_from;   // irregularities are zero up to here [m] ...
    double fade_in_length; // ... and reach their full size over this length [m]; 0: no fade-in, full size everywhere
    int friction_change_count;
    const kane_friction_change *friction_changes; // changes of `friction`
    int shape_count;
    const kane_rail_shape *shapes; // further profiles of the rails, for elastic contact; copied
    int profile_change_count;
    const kane_profile_change *profile_changes; // where rails have them
    int check_rail_count;
    const kane_check_rail *check_rails; // for elastic contact
    kane_transportation transportation;
    int is_flexible;                         // 1: the track gives way under wheelsets ...
    kane_flexibility_definition flexibility; // ... like this; all values positive, dampings may be 0
    int is_road; // 1: a road: no rails, and `running_distance` is that of two wheel tracks, which carry cant and evenness
    const char *name;
    kane_place place;
} kane_track_definition;

// The usual values: gauge 1.435, 2b = 1.5, 60E1 inclined 1:40, friction .3, cant about the inner rail, level, straight,
// rigid (and where is_flexible is set, a ballasted main line: docs/formats.md).
KANE_API kane_track_definition kane_track_definition_default(void);

// Builds a track. Returns NULL with errors filled: numbers that are not finite, lengths that are not positive, jumps of
// cant, a parabola that neither starts nor ends straight, coefficients whose sum is not one, tables out of order,
// vertical arcs that overlap, ... (docs/formats.md has the list). All faults of the values come together; what only the
// built line shows comes when these are good.
KANE_API kane_track *kane_track_create(const kane_track_definition *definition, kane_errors *errors);

// Reads a track from a file (docs/formats.md). settings: "PATH=VALUE", NULL-terminated; NULL: none. Returns NULL with
// all errors of the file.
KANE_API kane_track *kane_track_read(const char *file, const char *const *settings, kane_errors *errors);

KANE_API void kane_track_free(kane_track *track);

// What the line was made of, all but the arrays of sections, grades and irregularities: they are NULL and their counts
// 0, of records kinds, files and filters are left, with their number of points. The rails' profiles belong to the
// track.
KANE_API const kane_track_definition *kane_track_get_definition(const kane_track *track);

// s counts from the beginning of the line, which is at chainage definition.start: kilometre 100 costs no digits.
KANE_API double kane_track_length(const kane_track *track); // last s [m]

// A section of the line as it was built: from where to where, between which curvatures and cants.
typedef struct kane_track_section {
    kane_section_kind kind;
    kane_transition_shape shape;    // of a transition
    double start, length;           // s of its beginning [m], [m]
    double curvature[2];            // at its beginning and its end [1/m]
    double superelevation[2];       // likewise [m]
    kane_smoothing_report smoothed; // of a table from a file
} kane_track_section;

// Sections count from 0, as those of a track file do.
KANE_API int kane_track_section_count(const kane_track *track);
KANE_API kane_track_section kane_track_get_section(const kane_track *track, int section);

// A *piece* is an interval on which the line is given by one smooth formula; sections are cut into pieces wherever
// curvature, cant or grade has a kink. Pieces count from 0. The first and the last one extend beyond the track's ends:
// a straight or a curve for 1000 m, then straight on.
KANE_API int kane_track_piece_count(const kane_track *track);
KANE_API double kane_track_piece_start(const kane_track *track, int piece); // its first s [m]; piece = count: the end

// The piece that holds s; at a section joint the one that begins there.
KANE_API int kane_track_find(const kane_track *track, double s);

// A frame at rest at one point of the line, and how it turns per metre.
typedef struct kane_track_frame {
    kane_mat3 R;       // frame axes to the axes of A
    kane_vec3 origin;  // on the centre line, from the start point of the piece, axes of A [m]
    kane_vec3 Omega;   // Darboux vector, frame axes [rad/m]
    kane_vec3 Omega_s; // its derivative d(Omega)/ds as components in the frame [rad/m^2]
    double twist_ss;   // second derivative of the twist Omega.x [rad/m^3]
} kane_track_frame;

// Frame at s by the formula of `piece` (0 .. count - 1), also a little beyond its ends (between restarts of an
// integrator the piece is kept, so that what is integrated is smooth): 10 m, but no more than a quarter of a
// transition's length beyond the transition. Where the formula ends the line goes straight on. Reads only the track.
KANE_API void kane_track_eval(const kane_track *track, int piece, double s, kane_track_frame *frame);

// Start point of a piece in A [m]. Add it to kane_track_frame.origin for the absolute position; differences of two
// positions keep more digits when the start points are subtracted first.
KANE_API kane_vec3 kane_track_anchor(const kane_track *track, int piece);

// What a drawing of the line wants: the plain quantities behind a frame (always the exact ones).
typedef struct kane_track_state {
    double curvature;             // psi' [1/m]
    double superelevation;        // right rail over left one [m]
    double grade;                 // tangent of beta [1]
    double psi, beta, theta;      // heading, grade, roll [rad]
    double psi_s[3];              // psi', psi'', psi''' [rad/m, ...]
    double beta_s[3], theta_s[3]; // likewise
    double superelevation_s[4];   // first to fourth derivative of the superelevation [1], [1/m], [1/m^2], [1/m^3]
    double kappa;                 // curvature of the space curve, |t'| [1/m]
    double tau;                   // its torsion [1/m]; 0 where kappa is 0
    double chi;                   // angle about t from the principal normal to y [rad]; 0 where kappa is 0
} kane_track_state;

KANE_API void kane_track_describe(const kane_track *track, int piece, double s, kane_track_state *state);

// Displacement of a rail from its ideal place, in the axes of the track frame, and its exact derivatives, the first two
// of them continuous in s. Sums of sines are met within 1e-6 of their amplitude, the other kinds as docs/formats.md
// says.
typedef struct kane_rail_offset {
    double y, z;         // to the left, up [m]
    double y_s, z_s;     // d/ds [1]
    double y_ss, z_ss;   // d2/ds2 [1/m]
    double y_sss, z_sss; // d3/ds3 [1/m^2]
} kane_rail_offset;

// 0 if the rails are where the line says; then there is no need to ask for offsets.
KANE_API int kane_track_is_irregular(const kane_track *track);

// 1: rails have sines, spectra or records, not single defects only.
KANE_API int kane_track_is_rough(const kane_track *track);
KANE_API void kane_track_rail(const kane_track *track, kane_side side, double s, kane_rail_offset *offset);

// Computes now, for the whole line, the table of sines and spectra that otherwise grows by 64 steps (16 m for waves of
// 3 m) where it is first read: for programs in which no call may take a millisecond. kane_stepper_create does so. Other
// threads may read the track meanwhile.
KANE_API void kane_track_tabulate(const kane_track *track);

// The surface of a road, as uneven as its two wheel tracks are: its height z over the track plane at s and, y to the
// left of the line, across; between the wheel tracks and beyond them z is linear in y. Of a railway it is the surface
// that both rails span. out: z [m], dz/ds, dz/dy [1], d2z/ds2, d2z/dsdy, d2z/dy2 [1/m].
KANE_API void kane_track_surface(const kane_track *track, double s, double y, double out[6]);

// How much of a kind there is in the displacements of the rails [m].
KANE_API double kane_irregularity_measure(kane_irregularity_kind kind, const kane_rail_offset *left,
                                          const kane_rail_offset *right);

// The spectrum of a kind that the track's spectra stand for, at a wave number O [rad/m], without fade-in
// [m^2/(rad/m)]. What sines, records and defects add is not in it.
KANE_API double kane_track_spectrum(const kane_track *track, kane_irregularity_kind kind, double O);

// Coefficient of friction between wheel and a rail at s [1]: twice continuously differentiable. Without changes it is
// the track's own everywhere, and there is no need to ask.
KANE_API int kane_track_friction_changes(const kane_track *track);
KANE_API double kane_track_friction(const kane_track *track, kane_side side, double s);

// The profile of a rail at s, for kane_wheel_motion.blend. Without changes it is the rail's own everywhere, and there
// is no need to ask.
KANE_API int kane_track_profile_changes(const kane_track *track);
KANE_API int kane_track_profile_has_kinks(const kane_track *track); // 1: from slice to slice it goes over straight
KANE_API void kane_track_profile(const kane_track *track, kane_side side, double s, kane_rail_blend *blend);

// The check rail beside a rail within KANE_CHECK_RAIL_REACH of s, with its ends as s in place of chainages [m]; NULL:
// there is none. Without check rails there is no need to ask.
KANE_API int kane_track_has_check_rails(const kane_track *track);
KANE_API const kane_check_rail *kane_track_check_rail(const kane_track *track, kane_side side, double s);

// Width of the flangeway of such a rail at s, and its derivatives by s: [m], [1], [1/m]. Beyond its ends it is the
// opening.
KANE_API void kane_check_rail_width(const kane_check_rail *rail, double s, double out[3]);

// How far a frame at s may move ahead in one step without passing over something of the rails unseen: up to the
// next single defect, change of friction or profile or flare of a check rail and a quarter of its length into it; a
// quarter of the shortest wave; from point to point of a record [m]. HUGE_VAL if nothing is ahead.
KANE_API double kane_track_ahead(const kane_track *track, double s);

// Transportation at speed v = ds/dt [m/s] and acceleration a = dv/dt [m/s^2]; R and r_o are left as they are:
//   v_o = (v, 0, 0)   a_o = (a, v^2 Omega_z, -v^2 Omega_y)   omega = v Omega   epsilon = a Omega + v^2 Omega'
static inline void kane_track_transport(const kane_track_frame *f, double v, double a, kane_transport *transport)
{
    const double v2    = v * v;
    transport->v_o     = kv3(v, 0.0, 0.0);
    transport->a_o     = kv3(a, v2 * f->Omega.z, -v2 * f->Omega.y);
    transport->omega   = kv3_scale(v, f->Omega);
    transport->epsilon = kv3_add_scaled(kv3_scale(a, f->Omega), v2, f->Omega_s);
}

KANE_C_END

#endif
