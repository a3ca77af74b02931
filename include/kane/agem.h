// SPDX-License-Identifier: MIT
// The equations of motion, generated automatically from a model: one pure function of (model, work, t, y).
//
//   y = (s, v of the guide's frame and its follower's b if the drive is `driven` (docs/theory.md, section 4) | coordinates of
//        every body | independent speeds u |
//        states of force laws)
//
// A body without a joint has the coordinates x, y, z, yaw, roll, pitch relative to the frame it is described in: its
// track frame in the moving formulation, A in the fixed one (there a body with removed freedoms stays in its track
// frame). Its speeds u are the components, in that frame's axes, of its relative velocity and angular velocity; of
// removed freedoms they are left out, and so are v_z and omega_x of a wheelset whose height and roll follow from the
// rails (KANE_CONTACT_TABLE); what y holds for its z and roll is not read.
//
// A body that is attached by a joint has the joint's coordinates, and as speeds
//   their rates,
//   spherical             the relative angular velocity, axes of the joint on the body (coordinates: Euler parameters),
//   with all six freedoms the velocity of its mass centre and its angular velocity relative to the frame, frame axes.
//
// Speeds of bodies that constraints join stand behind all others: with KANE_FORM_MULTIPLIERS all of them, with
// KANE_FORM_COEFFICIENTS as many as are independent. Which ones these are is part of the discrete state:
// kane_initial_state chooses them, and a simulation chooses others when they get poor. Coordinates that depend on
// others are solved for, beginning with those in y. docs/mechanisms.md has the equations.
//
// What y alone does not say, as the pieces of track that frames are on, is the discrete state (kane_discrete): y is
// understood by the work that it comes from, and by others that have been given its discrete state. (model, discrete,
// t, y) gives the same bits in any work.

#ifndef KANE_AGEM_H
#define KANE_AGEM_H

#include <kane/base.h>
#include <kane/math.h>
#include <kane/model.h>

KANE_C_BEGIN

typedef struct kane_work kane_work; // scratch of one thread

// NULL with errors filled if memory is short.
KANE_API kane_work *kane_work_create(const kane_model *model, kane_errors *errors);
KANE_API void kane_work_free(kane_work *work);

// State of a vehicle at rest in its static position on the line, all frames moving at the drive's start and speed,
// wheelsets rolling; of a mechanism its consistent start. Chooses the pieces of line and speed of every frame
// (kane_work_locate) and independent speeds; comes before anything else that is done with a work.
KANE_API kane_status kane_initial_state(const kane_model *model, kane_work *work, double *y, kane_errors *errors);

// Writes the motion of one body into a state: coordinates relative to its track frame (x, y, z, yaw, roll, pitch) and
// their rates, as kane_get_relative gives them, in both formulations. Needs the frames of the last kane_initial_state
// or kane_eval with the same work. Removed freedoms get their coordinates, and no speed. KANE_BAD_ARGUMENT for bodies
// that joints or constraints hold: kane_put_joint.
KANE_API kane_status kane_put_relative(const kane_model *model, const kane_work *work, int body,
                                       const double coordinates[6], const double rates[6], double *y);

// Chooses the pieces of track and of prescribed speed that frames use until the next call; frames from which wheelsets
// find their rails go by where the wheelsets are. What is integrated is smooth as long as the pieces stay (a simulation
// moves them on at every section joint and maps the state over).
KANE_API void kane_work_locate(const kane_model *model, kane_work *work, double t, const double *y);

// The discrete state: what y means beside its numbers, and all that a work carries from one evaluation to the next. It
// changes at events only. Of one model.
typedef struct kane_discrete {
    int speed_piece; // of the prescribed speed
    int steady;      // 1: frames do not accelerate, whatever the drive says: during the search for an equilibrium
    int frozen;      // 1: as kane_work_freeze has it
    int frame_count;
    int *piece; // of the track, under every frame; 0 of frames that are not on the track [frame_count]
    // what constraints that join bodies make dependent, one cluster of bodies after another (docs/mechanisms.md,
    // section 5); -1 and 0 with multipliers, and before kane_initial_state
    int row_count, tree_speed_count;
    int *row;           // rows of constraints in order of use, counted within their cluster [row_count]
    int *tree_speed;    // speeds, dependent ones first, then the independent ones, counted likewise [tree_speed_count]
    double *tree_scale; // root of the inertia of every speed at that choice; says how good it is [tree_speed_count]
    int input_count;
    double *input; // values of inputs (kane_input_definition) [input_count]
    // normal forces in creep forces: those of the evaluation, or given ones, as those of an earlier step are
    // (KANE_NORMAL_FORCES_LAGGED)
    int is_lagged;        // 1: given ones
    int creep_load_count; // two a wheelset, left, right
    double *creep_load;   // given normal forces [creep_load_count] [N]; 0 unless is_lagged
} kane_discrete;

// Room for the discrete state of a model. NULL with errors filled if memory is short.
KANE_API kane_discrete *kane_discrete_create(const kane_model *model, kane_errors *errors);
KANE_API void kane_discrete_free(kane_discrete *discrete); // NULL is allowed

// That of a work, and giving it to another one. kane_work_set_discrete: KANE_BAD_ARGUMENT, and nothing is done, if it
// cannot be one of this model.
KANE_API void kane_work_get_discrete(const kane_model *model, const kane_work *work, kane_discrete *discrete);
KANE_API kane_status kane_work_set_discrete(const kane_model *model, kane_work *work, const kane_discrete *discrete);

// Gives a work the discrete state of another one of the same model.
KANE_API void kane_work_copy(const kane_model *model, const kane_work *from, kane_work *to);

// The value of an input, and a new one; a work begins with those of the definition. KANE_BAD_ARGUMENT, and nothing is
// done, for a value that is not finite or an input that there is none of.
KANE_API double kane_work_get_input(const kane_work *work, int input);
KANE_API kane_status kane_work_set_input(const kane_model *model, kane_work *work, int input, double value);

// Moves one frame on to the next piece of the track and maps the state over: absolute motion is unchanged, relative
// motion jumps where the frame's attitude or angular velocity does. A removed freedom keeps the value that it has then,
// and no speed. Of an imaginary term that is omitted the impulse is omitted, too: there the absolute motion jumps.
KANE_API void kane_work_cross_joint(const kane_model *model, kane_work *work, int frame, double t, double *y);

// The same without mapping the state: then the absolute motion jumps instead. Wrong, to show what that does.
KANE_API void kane_work_skip_joint(const kane_model *model, kane_work *work, int frame);

// Moves on to the next piece of the prescribed speed.
KANE_API void kane_work_pass_speed(kane_work *work);

// dy/dt. Returns 0, positive if a smaller step may help, negative if not; kane_work_fault says what it was.
KANE_API kane_status kane_eval(const kane_model *model, kane_work *work, double t, const double *y, double *ydot);

// --- rods with mass ---

// Rods with mass, in the order of constraints: how many, and their names (NULL beyond the last one).
KANE_API int kane_model_rod_count(const kane_model *model);
KANE_API const char *kane_model_rod_name(const kane_model *model, int rod);

// The same as kane_eval, but with a part of the inertia of all rods with mass moved to the right-hand side of the
// equations: what `inertia` does not solve for acts with the accelerations `ahead` of the rods' two ends, absolute ones
// along the axes of A [m/s^2], first and second end of one rod after the other [2 * kane_model_rod_count]. They come
// from outside, as the evaluation remembers nothing: from earlier steps (docs/mechanisms.md, section 4). Of an end on a
// frame they are not read, nor of KANE_RODS_EXACT, where `ahead` may be NULL. Where they are what the ends do the
// result is that of kane_eval, up to round-off. Reactions and forces that are read afterwards belong to what has been
// solved.
KANE_API kane_status kane_eval_rods(const kane_model *model, kane_work *work, double t, const double *y,
                                    kane_rod_inertia inertia, const kane_vec3 *ahead, double *ydot);

// What the ends do after an evaluation, as `ahead` has it [2 * kane_model_rod_count].
KANE_API void kane_get_rod_accelerations(const kane_model *model, const kane_work *work, kane_vec3 *ends);

// 1: from here on time is frozen for prescribed motions of joints and for numbers of constraints that are functions
// of time: they have their values at t, and no rates. So equilibrium and small motions about it see them. Turns of
// joints that are prescribed at a constant rate go on, as those of a rotor. 0, as a work begins: they move.
KANE_API void kane_work_freeze(kane_work *work, int frozen);

// What went wrong in the last evaluation: fills an error with the name of the body, wheel or element, time and place.
KANE_API void kane_work_fault(const kane_model *model, const kane_work *work, kane_errors *errors);

// --- between the steps of a user-defined integrator (a simulation does it by itself) ---

// Brings a state back onto the constraints that are held by multipliers: guided wheels onto their rails
// (KANE_CONTACT_CONSTRAINT), joined bodies onto KANE_FORM_MULTIPLIERS. Does nothing to others. Needed after every step,
// or constraints drift.
KANE_API kane_status kane_project(const kane_model *model, kane_work *work, double t, double *y);

// Takes other independent speeds where those of the last kane_eval are close to a singular choice
// (KANE_FORM_COEFFICIENTS), and writes the state anew. Returns 1 if it did: then the integrator must start again from
// y.
KANE_API int kane_choose(const kane_model *model, kane_work *work, double t, double *y);

// Completes kane_eval, with the same work: motion of joined bodies and all reactions, which an integration does not
// need. Call it before anything that follows; a simulation's work (kane_simulation_work) has been completed.
KANE_API void kane_observe(const kane_model *model, kane_work *work);

// The same without reactions (and without energy, which needs them): for callers that need none or few of them.
KANE_API void kane_observe_motion(const kane_model *model, kane_work *work);

// --- chosen reactions: those alone, which costs less than all of them ---

typedef enum kane_reaction_kind {
    KANE_REACTION_CONSTRAINT, // multiplier `part` of constraint `of`, as kane_get_constraint has it
    KANE_REACTION_ROD,        // force along the rod with mass `of` on its first (part 0) or second side, as
                              // kane_get_rod_force has it
    KANE_REACTION_JOINT,      // of the joint of body `of`: force along x, y, z (part 0 to 2) or torque (3 to 5), as
                              // kane_get_joint_reaction has them
    KANE_REACTION_FREEDOM // of the removed freedom `part` (kane_coordinate) of body `of`, as kane_get_reaction has it
} kane_reaction_kind;

typedef struct kane_reaction {
    kane_reaction_kind kind;
    int of, part;
} kane_reaction;

// Whether rigid bodies determine it: not where redundant constraints share a load among each other and with joints.
// Those are not a number wherever they are asked for; what they do not reach is a number as ever.
// kane_reaction_name_redundant: the constraints that share it, such as "'pin' and 'strut'".
KANE_API int kane_reaction_is_determined(const kane_model *model, kane_reaction reaction);
KANE_API void kane_reaction_name_redundant(const kane_model *model, kane_reaction reaction, size_t size, char *names);

// A choice, of one thread. NULL with errors filled.
typedef struct kane_reactions kane_reactions;
KANE_API kane_reactions *kane_reactions_create(const kane_model *model, int count, const kane_reaction *chosen,
                                               kane_errors *errors);
KANE_API void kane_reactions_free(kane_reactions *reactions);

// Values of a choice after kane_eval with the same work: kane_observe is not needed, and not replaced. values [count]
KANE_API void kane_reactions_eval(const kane_reactions *reactions, const kane_model *model, kane_work *work,
                                  double *values);

// --- after kane_eval and kane_observe, with the same work: what the state means ---

// Travel of the guide's frame: s [m], v [m/s], a [m/s^2].
KANE_API void kane_get_travel(const kane_work *work, double *s, double *v, double *a);

// A body relative to its track frame, in both formulations: coordinates (x, y, z, yaw, roll, pitch) and their rates.
KANE_API void kane_get_relative(const kane_model *model, const kane_work *work, int body, double coordinates[6],
                                double rates[6]);

// Absolute motion of a body's mass centre as components in its track frame: velocity, angular velocity, acceleration
// and angular acceleration [m/s, rad/s, m/s^2, rad/s^2]. Any of them may be NULL. Of a panel of flexible track:
// relative to the section of the line under its wheelset, as its coordinates are.
KANE_API void kane_get_absolute(const kane_model *model, const kane_work *work, int body, kane_vec3 *velocity,
                                kane_vec3 *omega, kane_vec3 *acceleration, kane_vec3 *alpha);

// Imaginary force [N] or torque [N m] of one term on a body, in the axes of its frame, as it would act if nothing were
// omitted. Zero in the fixed formulation.
KANE_API kane_vec3 kane_get_imaginary(const kane_model *model, const kane_work *work, int body, kane_wrench_kind kind,
                                      kane_imaginary_term term);

// Principal axes of a body with its deformation, those of which its own undeformed ones become: to body axes; moments
// [3]: of inertia about its mass centre [kg m^2]. Where two moments are equal, axes across them mean nothing.
KANE_API kane_mat3 kane_get_principal_axes(const kane_model *model, const kane_work *work, int body, double moments[3]);

// Imaginary force of one term on mode k of a deformable body, by its coordinate (of unit modal mass [N/kg^1/2]), as it
// would act if nothing were omitted. Zero in the fixed formulation.
KANE_API double kane_get_modal_imaginary(const kane_model *model, const kane_work *work, int body, int k,
                                         kane_imaginary_term term);

// Impulse [N s] or [N m s] of one imaginary term on a body, as it would act if nothing were omitted: that of all
// section joints which its frame has passed since kane_work_locate, each in the axes behind it. Only where the frame's
// attitude or angular velocity jumps is it not zero, and only of translation (force) and rotation (force, torque). Zero
// in the fixed formulation.
KANE_API kane_vec3 kane_get_impulse(const kane_model *model, const kane_work *work, int body, kane_wrench_kind kind,
                                    kane_imaginary_term term);

// Size of the largest impulse that an omission has left out at one section joint since kane_work_locate [N s] or [N m
// s]; 0: none. Its term is written to `term` as typed, "body:torque.rotation.x".
KANE_API double kane_get_omitted_impulse(const kane_model *model, const kane_work *work, kane_wrench_kind kind,
                                         size_t size, char *term);

// Reaction of a removed freedom on the body, along x, y, z of its frame [N] or about the axis of the angle [N m]; 0 of
// those it has. Of the guide's x: traction (positive) or braking force.
KANE_API double kane_get_reaction(const kane_model *model, const kane_work *work, int body, kane_coordinate freedom);

// --- joined bodies (kane/mechanism.h) ---

// Coordinates of a body's joint in the order of kane_joint_coordinate_name (of a body without one: x .. pitch), their
// rates and second derivatives [m], [rad], per s and s^2; any of them may be NULL, else with room for
// KANE_JOINT_COORDINATES. Returns how many there are. Second derivatives of a body that nothing joins to others are not
// a number where it is described in A (KANE_FIXED on a track): kane_get_absolute has its accelerations.
KANE_API int kane_get_joint(const kane_model *model, const kane_work *work, int body, double *coordinates,
                            double *rates, double *accelerations);

// Writes them into a state: coordinates and rates of one body after another, parents before their children, after
// kane_initial_state or kane_eval; kane_put_joints_end then writes y, all joined bodies at once. Constraints are not
// looked at: with KANE_FORM_COEFFICIENTS y takes the independent speeds, and kane_eval finds what depends on them
// nearby. KANE_BAD_ARGUMENT for a body that nothing joins to others: kane_put_relative.
KANE_API kane_status kane_put_joint(const kane_model *model, kane_work *work, int body, const double *coordinates,
                                    const double *rates);
KANE_API void kane_put_joints_end(const kane_model *model, const kane_work *work, double *y);

// Wrench that a body's joint exerts on it, at the joint's point on the body, in the axes of the joint on the body [N],
// [N m]: reactions, and along its freedoms what motors in it and relations of its coordinates do. Zero without a joint;
// not a number along axes where redundant constraints leave it undetermined.
KANE_API kane_wrench kane_get_joint_reaction(const kane_model *model, const kane_work *work, int body);

// Multipliers of a constraint (counted as in the definition), one for each of its equations in the order of
// docs/mechanisms.md, section 4: force [N] or torque [N m] along what the equation holds, on the second side (reversed
// on the first). Not a number of those that redundant constraints leave undetermined. Returns how many there are.
KANE_API int kane_get_constraint(const kane_model *model, const kane_work *work, int constraint, double multipliers[6]);

// Forces of a rod on the bodies of its two sides along it [N], positive where it pushes them apart; after kane_observe.
// They differ by the rod's inertia and weight. Not a number where redundant constraints leave them undetermined. What
// it exerts across follows from its inertia alone.
KANE_API void kane_get_rod_force(const kane_model *model, const kane_work *work, int constraint, double force[2]);

// Imaginary force [N] or torque [N m] of one term on a rod with mass, at its mass centre in the axes of the first
// side's frame, as it would act if nothing were omitted: the forces and torques of a body that is a thin rod.
KANE_API kane_vec3 kane_get_rod_imaginary(const kane_model *model, const kane_work *work, int constraint,
                                          kane_wrench_kind kind, kane_imaginary_term term);

// How far constraints are from being met: largest value [m, rad] and rate [m/s, rad/s] of all equations.
KANE_API void kane_get_drift(const kane_model *model, const kane_work *work, double *value, double *rate);

// Force and torque of an element on its second body, in the axes of its law (as they are, also of a mirrored element),
// and relative motion; `absolute` is NULL.
KANE_API void kane_get_element(const kane_model *model, const kane_work *work, int element, kane_wrench *on_b,
                               kane_relative *relative);

// Contact of a wheel with its rail (kane/contact.h) and height of the running circle's lowest point over the rail [m].
KANE_API const kane_contact_result *kane_get_contact(const kane_model *model, const kane_work *work, int body,
                                                     kane_side side, double *lift);

// The same contact with the largest pressures and the areas of its patches (kane_contact_pressures), which an
// evaluation does not compute. Where rails guide the wheelset its one patch is Hertz' ellipse. 0 if the body has no
// wheels.
KANE_API int kane_get_contact_pressures(const kane_model *model, const kane_work *work, int body, kane_side side,
                                        kane_contact_result *result);

// Mechanical energy of absolute motion, and powers, at the moment of the evaluation:
//   d(kinetic + gravity)/dt = power_drive + power_elements + power_contact + power_omitted
// and what elements and contacts turn into heat is -(their power) - d(what they store)/dt.
typedef struct kane_energy {
    double kinetic;  // [J]
    double gravity;  // zero at the level of A's origin [J]
    double elements; // stored in elements [J]
    double contact;  // stored in contacts [J]
    double
        power_drive; // of actuators, of reactions of removed freedoms, of prescribed motions of joints, of points that
                     // track and given frames carry along, of constraints that move with time, and of what keeps axle
                     // boxes level in their track frame [W]
    double power_elements; // of the forces of elements [W]
    double power_contact;  // of the forces of rails on wheels [W]
    double power_omitted;  // that omitting imaginary terms adds: that of the omitted ones with opposite sign [W]
} kane_energy;

KANE_API void kane_get_energy(const kane_model *model, const kane_work *work, kane_energy *energy);

KANE_C_END

#endif
