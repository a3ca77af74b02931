// SPDX-License-Identifier: MIT
// Bodies as links: motion, inertia, and accelerations (docs/mechanisms.md, sections 1 to 3).
//
// A *link* is a body with the joint to its parent, in topological order (parents first). Its axes and origin are those
// of the joint on the body; of a body with all six freedoms the origin is the mass centre. All vectors of an evaluation
// are components in the axes of the tree's frame, each link about its own origin.
//
// Speeds v ("tree speeds"): rates of the joints' coordinates; of a ball joint the relative angular velocity in the
// link's axes; of a body with all six freedoms its own velocity and angular velocity relative to the frame, frame axes.
// With these, inertia does not couple bodies across such a joint (docs/theory.md, section 3).

#ifndef KANE_TREE_TREE_H
#define KANE_TREE_TREE_H

#include <kane/joint.h>
#include <kane/math.h>
#include <kane/mechanism.h>
#include <kane/transport.h>

#include "base/arena.h"
#include "math/spline.h"

// === Functions of one variable with three derivatives: motions over time, relations of coordinates, curves.

typedef struct kane_line_function {
    kane_function function; // with arrays of its own
    kane_cubic *spline;     // of a table
    int is_integral;        // 1: what is evaluated is the integral of `function` (a sine or table), 0 where x is 0
    double *area;           // of a table's integral: from the first point to every one
} kane_line_function;

// A copy that lives in the arena, ready to be evaluated; NULL with errors at `place`, or where memory is short.
const kane_line_function *kane_line_function_create(const kane_function *function, kane_place place, kane_arena *arena,
                                                    kane_errors *errors);

// The same for the integral of the function from 0 to x, in closed form. A user-defined function has none: an error.
const kane_line_function *kane_line_function_create_integral(const kane_function *function, kane_place place,
                                                             kane_arena *arena, kane_errors *errors);
// Whether its first derivative is constant by its kind and numbers.
int kane_line_function_is_even(const kane_line_function *curve);

// Value and first three derivatives.
void kane_line_function_eval(const kane_line_function *curve, double x, double out[4]);

typedef enum kane_link_kind {
    // six freedoms, of which one that is alone may lack translations; speeds: velocity of the mass centre, angular
    // velocity, relative to the frame
    KANE_LINK_BODY,
    KANE_LINK_STEPS,   // up to three slides along the joint's axes on the parent, then up to three turns, moving axes
    KANE_LINK_FORMULA, // a user-defined formula of up to six coordinates; its steps only name them
    KANE_LINK_BALL     // Euler parameters; speeds: relative angular velocity, link axes
} kane_link_kind;

typedef enum kane_step_mode {
    KANE_STEP_FREE, // has a coordinate and a speed
    KANE_STEP_HELD, // has a coordinate that does not change, no speed
    KANE_STEP_GIVEN // coordinate is a function of time; it has a place among q, no speed
} kane_step_mode;

// One elementary freedom of a joint.
typedef struct kane_step {
    int axis; // 0 x, 1 y, 2 z
    kane_step_mode mode;
    int q, v;                           // index of its coordinate and speed; v -1: none
    const kane_line_function *function; // of time, of a given one
    int endless;                        // 1: a given turn at constant rate; it continues where time is frozen
    double armature; // inertia that its speed alone accelerates, beyond that of the bodies [kg], [kg m^2]
} kane_step;

// The part of a link in a flexible body, see kane_flex.
typedef enum kane_flex_role {
    KANE_FLEX_NONE,
    KANE_FLEX_FRAME,
    KANE_FLEX_NODE, // its coordinates and speeds follow from those of the modes
    KANE_FLEX_MODE  // a slide of its own: one common coordinate
} kane_flex_role;

// Immutable. Link axes: those of the joint on this body.
typedef struct kane_link {
    const char *name; // of the body
    int parent;       // link; -1: the frame
    int frame;        // index of the tree's frame
    kane_link_kind kind;
    int hinge;                   // 1: kane_link_is_hinge, whose evaluation needs no loop
    int slide_count, step_count; // steps: slides first, then turns; of a KANE_LINK_BODY three and six
    kane_step step[6];
    const kane_joint_formula *formula; // of KANE_LINK_FORMULA
    const void *formula_data;
    kane_vec3 seat;      // joint point from the parent's origin, parent's link axes (or in the frame) [m]
    kane_mat3 seat_R;    // axes of the joint on the parent to the parent's link axes (or frame axes)
    int turned;          // 0: seat_R is the identity
    kane_vec3 at;        // KANE_LINK_BODY: joint point from the mass centre, link axes [m]; else zero
    kane_vec3 c;         // mass centre from the origin, link axes [m]; of a KANE_LINK_BODY zero
    double mass;         // [kg]
    double J[6];         // inertia about the origin, link axes: xx yy zz xy xz yz [kg m^2]
    double J_inverse[6]; // of J
    kane_mat3 body_R;    // body axes to link axes
    int body_turned;     // 0: they are the same
    kane_mat3 joint_R;   // axes of the joint on the body, as they were given, to link axes
    int is_spinning;     // 1: its last turn (pitch) is about y, a principal axis; its axes leave that turn out
    int uneven;   // 1: of those that spin: moments of inertia about x and z differ, so that inertia turns in its axes
    int on_axle;  // 1, -1: its parent spins, and its first turn is about the axle (y, -y): that coordinate is
                  // relative to axes that do not spin, its speed relative to the link, which does; 0: neither
    int coupled;  // 1: it has children that are not KANE_LINK_BODY
    int in_frame; // 1: its coordinates are x, y, z, yaw, roll, pitch of its body in the frame
    int is_free_body; // 1: KANE_LINK_BODY by yaw, roll, pitch about its mass centre in the frame's axes; nothing is
                      // coupled to it: solved in closed form, its inertia about the frame's axes is not filled
    unsigned held;    // KANE_LINK_BODY that is alone: bits of speeds that are removed, always zero
    int q, q_count;   // coordinates (of a ball four, else step_count)
    int v, v_count;   // speeds
    kane_flex_role role;
    int flex; // index of the flexible body that it has a part in
    int idle; // 1: nothing is attached to this member: evaluations leave it out, like mode links (kane_tree_move_idle)
} kane_link;

// Free bodies, hinges, single rail groups and others have closed forms within the steps of an evaluation. 0: the
// general formulas are used instead, which tests compare with these (CMake: KANE_FAST_PATHS).
#ifndef KANE_FAST_PATHS
#define KANE_FAST_PATHS 1
#endif

// Whether speed k of a KANE_LINK_BODY is removed.
static inline int kane_link_holds(const kane_link *link, int k)
{
    return (int)(link->held >> k & 1u);
}

// A vector of a free body without its removed translations.
static inline kane_vec3 kane_link_mask(const kane_link *link, kane_vec3 a)
{
    return link->held ? kv3(kane_link_holds(link, 0) ? 0.0 : a.x, kane_link_holds(link, 1) ? 0.0 : a.y,
                            kane_link_holds(link, 2) ? 0.0 : a.z)
                      : a;
}

// Whether the joint of a link transmits no force or torque to its parent.
static inline int kane_link_is_free(const kane_link *link)
{
    return link->kind == KANE_LINK_BODY && link->held == 0;
}

// Whether the mass centre of a link is elsewhere than its origin.
static inline int kane_link_has_arm(const kane_link *link)
{
    return link->kind != KANE_LINK_BODY;
}

// Whether coordinates of a link are steps, whose rates are its speeds.
static inline int kane_link_has_steps(const kane_link *link)
{
    return link->kind == KANE_LINK_STEPS || link->kind == KANE_LINK_FORMULA;
}

// The coordinate that the axes of a link that spins leave out.
static inline int kane_link_spin(const kane_link *link)
{
    return link->q_count - 1;
}

// Axes in which the inertia of a link is constant: its own, or, where it is uneven, those that spin. R: its own [to
// frame axes]
static inline kane_mat3 kane_link_inertia_axes(const kane_link *link, const double *q, kane_mat3 R)
{
    if (!link->uneven)
        return R;
    const double spin = q[link->q + kane_link_spin(link)];
    return km3_turn_y(R, sin(spin), cos(spin));
}

// Whether a coordinate moves a link and all beyond: not a prescribed one, nor the spin that its axes leave out.
static inline int kane_link_moves_by(const kane_link *link, int coordinate)
{
    if (link->is_spinning && coordinate == kane_link_spin(link))
        return 0;
    return !kane_link_has_steps(link) || link->step[coordinate].mode != KANE_STEP_GIVEN;
}

// Armature of speed k of a link.
static inline double kane_link_armature(const kane_link *link, int k)
{
    for (int i = 0; i < link->step_count && link->kind == KANE_LINK_STEPS; i++)
        if (link->step[i].v == link->v + k)
            return link->step[i].armature;
    return 0.0;
}

// Whether speed k of a link is one of sliding.
static inline int kane_link_slides(const kane_link *link, int k)
{
    for (int i = 0; i < link->slide_count; i++)
        if (link->step[i].v == link->v + k)
            return 1;
    return 0;
}

// Whether three turns have lost a direction at these coordinates: the middle one is a right angle, or nearly.
static inline int kane_link_is_locked(const kane_link *link, const double *q)
{
    const int middle = link->slide_count + 1;
    return link->kind != KANE_LINK_FORMULA && link->step_count == link->slide_count + 3 &&
           fabs(cos(q[link->q + middle])) < 1e-3;
}

// Whether a link is a hinge: one turn with a speed, not on an axle and not spinning. Most links are.
static inline int kane_link_is_hinge(const kane_link *link)
{
    return link->kind == KANE_LINK_STEPS && link->step_count == 1 && link->slide_count == 0 && link->v_count == 1 &&
           !link->is_spinning && !link->on_axle;
}

// A deformable body. Bodies attached to one carrier (*members*: points of the deformable body, with or without mass,
// joints of six steps) move by common coordinates (*modes*: consecutive links of one slide on a frame at rest):
//
//   z = G q,   z' = G q'        z: coordinates of the members, q: of the modes
//
// The modes' speeds are independent, those of the members are not; the articulated pass takes the modes out of the
// carrier's inertia at once, all members together. Immutable.
typedef struct kane_flex {
    const char *name;
    int carrier;
    int count;        // of modes
    int mode;         // link of the first one
    int q, v;         // its coordinate and speed in the tree
    int member_count; //
    int *members;     // links, ascending
    int *place;       // of a link among the members, -1: none [link_count]
    const double *G;  // of every member, by rows [member_count * 6 * count]
    const double *M;  // inertia that the modes have themselves [count * count]
    double *factor;   // of M, L L'
    int *first;       // of every row of it: where it begins
    int is_decoupled; // 1: members have no inertia and no children: the carrier's acceleration does not move the modes
    // inertia beyond that (flex_inertia.h), axes of the carrier, about its origin; momentum NULL: none
    const kane_vec3 *momentum, *turning;               // C_i, c0_i [count]
    const kane_vec3 *gyration;                         // g_ji, at j count + i [count * count]
    const double (*inertia)[6];                        // J1_i [count]
    const double (*second)[6];                         // J2_ij [count * count]; NULL: none
    const kane_vec3 *momentum_second, *turning_second; // sum m Z_ij, sum m x x Z_ij [count * count]; NULL: none, both
} kane_flex;

typedef struct kane_tree {
    int link_count;
    kane_link *links;
    int q_count, v_count;
    int flex_count;
    kane_flex *flexes;
} kane_tree;

// Motion of a frame as the base of its trees, frame axes: absolute, with gravity as an upward acceleration; or at rest,
// if the imaginary forces are separate wrenches.
typedef struct kane_moving_frame {
    kane_vec3 v, w;  // velocity of the origin, angular velocity [m/s], [rad/s]
    kane_vec3 a, al; // acceleration less that of gravity, angular acceleration [m/s^2], [rad/s^2]
} kane_moving_frame;

// Inertia of a link, or of it and all beyond, about the link's origin: wrench (n, f) = (J al + H a, H' al + M a).
typedef struct kane_spatial {
    double J[6]; // symmetric: xx yy zz xy xz yz
    double M[6]; // the same
    kane_mat3 H;
} kane_spatial;

// One link on its way through an evaluation, frame axes. "with v_dot = 0": what remains of accelerations then.
typedef struct kane_link_state {
    // kane_tree_place
    kane_mat3 R;   // link axes to frame axes
    kane_vec3 r;   // origin from that of the frame [m]
    kane_vec3 rho; // origin from that of the parent [m]
    // kane_tree_move; absolute, or relative to the frame, as the base is
    kane_vec3 v, w;  // of the origin [m/s]; [rad/s]
    kane_vec3 a, al; // with v_dot = 0 [m/s^2], [rad/s^2]
    kane_spatial I;  // rigid; kane_tree_solve: articulated
    kane_vec3 n, f;  // wrench needed with v_dot = 0, less what acts [N m], [N]; kane_tree_solve: articulated
    // kane_tree_solve, kane_tree_accelerate
    kane_vec3 da, dal; // accelerations beyond those
} kane_link_state;

// One speed of a link that is not KANE_LINK_BODY: v and w of the link grow by (l, e) times it.
typedef struct kane_axis_state {
    kane_vec3 e, l; // one of them is zero, but for joints by formula
    // kane_tree_solve, about the link's origin, and at the parent's
    kane_vec3 U_n, U_f, D_n, D_f; // articulated inertia times axis; the same divided by `along`
    double along;                 // its part along the axis, and armature
    double u;                     // acceleration while the parent has none
} kane_axis_state;

// One flexible body on its way through an evaluation. After kane_tree_inward: L of the modes' inertia, and L^-1 of the
// rest.
typedef struct kane_flex_work {
    double *M;            // inertia of the modes, all members [count * count]
    int *first;           // of its factor
    kane_vec3 *C_n, *C_f; // wrench on the carrier, about its origin, by the acceleration of a mode [count]
    double *b;            // what accelerates the modes while the carrier does not [count]
    double *x;            // scratch [count]
    double *xy;           // coordinates and speeds of the modes in turn [2 count]
    double *along;        // scratch: inertia of a member along its six steps, by the modes [6 count]
    // kane_tree_move, of inertia beyond that of the rigid body and the modes' own
    double *need;         // what the modes need with v_dot = 0 [count]
    kane_vec3 *K_n, *K_f; // wrench on the carrier by the acceleration of a mode, frame axes [count]
    // kane_tree_theta: inertia of the modes with all that they carry, and wrench on the carrier by their accelerations
    double *W;            // [count * count], the lower half
    kane_vec3 *W_n, *W_f; // [count]
    void *scalars;        // scratch for numbers that know their changes (change.h) [4 count]
} kane_flex_work;

typedef struct kane_tree_work {
    double t;
    int frozen;            // 1: functions of time have values, but zero rates
    double *q, *v, *v_dot; // [q_count], [v_count], [v_count]
    double *drive;         // force or torque of a motor in the joint, along every speed [v_count]
    kane_link_state *link; // [link_count]
    kane_axis_state *axis; // [v_count]
    kane_vec3 *given_axis; // of coordinates that are given over time, as links were placed [q_count]
    kane_flex_work *flex;  // [flex_count]
    kane_spatial *whole;   // where there are flexible bodies: scratch [link_count]
} kane_tree_work;

// Value and derivatives of a function of time, now.
static inline void kane_tree_given(const kane_tree_work *work, const kane_line_function *line_function, double f[4])
{
    kane_line_function_eval(line_function, work->t, f);
    if (work->frozen)
        f[1] = f[2] = f[3] = 0.0;
}

static inline void kane_step_given(const kane_tree_work *work, const kane_step *step, double f[4])
{
    if (step->endless)
        kane_line_function_eval(step->function, work->t, f);
    else
        kane_tree_given(work, step->function, f);
}

// A number that is constant, or given over time.
static inline double kane_tree_number(const kane_tree_work *work, double constant, const kane_line_function *given)
{
    double f[4] = {constant};
    if (given)
        kane_line_function_eval(given, work->t, f);
    return f[0];
}

// A run of links; trees are runs of their own.
typedef struct kane_links {
    int first, end;
} kane_links;

// Inputs of constraints: motion of links, and their frames.
typedef struct kane_eval_context {
    const kane_tree *tree;
    kane_tree_work *work;
    const kane_transport *frames;   // [number of frames]
    const kane_moving_frame *bases; // [number of frames]
} kane_eval_context;

// Arrays of a work; 0 if memory is short.
int kane_tree_work_create(const kane_tree *tree, kane_arena *arena, kane_tree_work *work);

// --- steps of an evaluation, each over a run of links; work->t, q (and v) are read ---

// Where every link is: R, r, rho and the axes of its speeds.
void kane_tree_place(const kane_tree *tree, kane_links links, kane_tree_work *work);

// The same, how it moves, and the wrench that this needs.
void kane_tree_move(const kane_tree *tree, kane_links links, const kane_moving_frame *frames, kane_tree_work *work);

// kane_tree_move of links that kane_tree_place has placed.
void kane_tree_run(const kane_tree *tree, kane_links links, const kane_moving_frame *frames, kane_tree_work *work);

// The links of a flexible body that kane_tree_move leaves out.
void kane_tree_move_idle(const kane_tree *tree, const kane_flex *flex, const kane_moving_frame *frames,
                         kane_tree_work *work);

// A wrench at the mass centre of a link as one about its origin, frame axes.
static inline kane_wrench kane_link_about_origin(const kane_link *link, const kane_link_state *s, kane_wrench w)
{
    const kane_vec3 arm = km3_mulv(s->R, link->c);
    return (kane_wrench){w.force, kv3_add(w.torque, kv3_cross(arm, w.force))};
}

// Acceleration of a link's mass centre from that of its origin at w = 0:  a + al x R c,  and al; frame axes.
static inline kane_wrench kane_link_at_centre(const kane_link *link, const kane_link_state *s, kane_wrench a)
{
    const kane_vec3 arm = km3_mulv(s->R, link->c);
    return (kane_wrench){kv3_add(a.force, kv3_cross(a.torque, arm)), a.torque};
}

// Adds a wrench that acts on a link: force, torque about its origin, frame axes.
static inline void kane_tree_apply_wrench(kane_tree_work *work, int link, kane_vec3 force, kane_vec3 torque)
{
    kane_link_state *s = &work->link[link];
    s->f               = kv3_sub(s->f, force);
    s->n               = kv3_sub(s->n, torque);
}

// v_dot, and da, dal of every link: articulated bodies (docs/mechanisms.md, section 3). Needs kane_tree_move and all
// wrenches (kane_tree_apply_wrench). Overwrites I, n, f. Returns the link whose inertia is singular, or -1.
int kane_tree_solve(const kane_tree *tree, kane_links links, kane_tree_work *work);

// The same in two steps: inward, with the accelerations of bodies with all six freedoms; outward. In between further
// wrenches may be applied to a link by kane_tree_apply_inward; no link from there to that body has a part in a flexible
// body.
int kane_tree_inward(const kane_tree *tree, kane_links links, kane_tree_work *work);
void kane_tree_apply_inward(const kane_tree *tree, kane_tree_work *work, int link, kane_vec3 force, kane_vec3 torque);
void kane_tree_outward(const kane_tree *tree, kane_links links, kane_tree_work *work);

// Adds the generalised forces of a wrench on a link, about its origin, along all speeds that move it; likewise the
// coefficients of a rate whose direction is this wrench.
// For interface nodes of flexible bodies the generalised forces are those of the modes. Speeds of the carriers of a
// body with all six freedoms do not move it.
//   row    by speeds of the tree, or place[speed]; speeds of a link are contiguous
//   above  a link on the way whose speeds, and those of its carriers, are left out; -1: none
void kane_tree_spread_wrench(const kane_tree *tree, const int *place, const kane_tree_work *work, int link, int above,
                             kane_wrench w, double *row);

// v_dot given instead: da, dal of every link.
void kane_tree_accelerate(const kane_tree *tree, kane_links links, kane_tree_work *work);

// Theta and f of Theta v_dot = f (41) for links in ascending order; place[v]: row of a speed. Interface nodes of
// flexible bodies have no speeds here: their inertia is that of the modes, which are among the links with their
// carrier. Theta is symmetric; its entries are those of the constant pattern: every speed with all on its way to the
// frame, or to a body with all six freedoms. kane_tree_theta_places returns their number, and lists them (NULL: not
// wanted); two speeds of one link occur twice, and the later entry counts. I, n, f are not changed.
//   inertia [tree's link_count]  kane_tree_inertia, and further inertia about the links' origins; overwritten
//   load [tree's link_count]     further wrenches, about the links' origins; overwritten
typedef struct kane_theta_place {
    int row, column;
} kane_theta_place;

int kane_tree_theta_places(const kane_tree *tree, int link_count, const int *links, const int *place,
                           kane_theta_place *out);
void kane_tree_inertia(const kane_tree *tree, int link_count, const int *links, const kane_tree_work *work,
                       kane_spatial *inertia);
void kane_tree_theta(const kane_tree *tree, int link_count, const int *links, const kane_tree_work *work,
                     kane_spatial *inertia, double *entries);

// Composite inertia, each link with all beyond its joint: the first step of kane_tree_theta.
void kane_tree_composite(const kane_tree *tree, int link_count, const int *links, const kane_tree_work *work,
                         kane_spatial *inertia);

// The same after kane_tree_solve, which has overwritten I. Scratch is work->whole.
void kane_tree_theta_rigid(const kane_tree *tree, int link_count, const int *links, const kane_tree_work *work,
                           double *entries);
void kane_tree_forces(const kane_tree *tree, int link_count, const int *links, const int *place,
                      const kane_tree_work *work, kane_wrench *load, double *f);

// Wrench of every link's joint on it (torque about the link's origin, frame axes), from da, dal, and the applied
// wrenches acting[link] (torque about the link's origin). Needs accelerations less gravity (kane_moving_frame).
void kane_tree_transmit(const kane_tree *tree, kane_links links, const kane_tree_work *work, const kane_wrench *acting,
                        kane_wrench *joint);

// Wrench that the motion of a link needs, with da, dal (torque about its origin, frame axes). kane_tree_at_parent: a
// wrench about its origin as one about that of its parent,  torque + rho x force.
kane_wrench kane_tree_needed(const kane_tree *tree, int link, const kane_tree_work *work);
static inline kane_wrench kane_tree_at_parent(int link, const kane_tree_work *work, kane_wrench wrench)
{
    return (kane_wrench){wrench.force, kv3_add(wrench.torque, kv3_cross(work->link[link].rho, wrench.force))};
}

// Rates of all coordinates of a link from its speeds (and its parent's motion). base: of its frame.
void kane_tree_rates(const kane_tree *tree, int link, const kane_moving_frame *base, const kane_tree_work *work,
                     double *q_dot);

// Links on whose speeds these rates depend, the link itself first, then its carriers; path NULL: counted only. Returns
// how many.
int kane_tree_rate_path(const kane_tree *tree, int link, int *path);

// Small displacements: motion at speeds dv for a unit of time, frames at rest, no prescribed motion. Parents come
// before their children. kane_tree_spread gives a link the velocity of this motion and the rates dq of its coordinates;
// kane_tree_shift moves the coordinates; Euler parameters keep their length. kane_tree_shift_joint moves those of a
// joint whose rates depend on its own speeds only; links are not changed.
void kane_tree_spread(const kane_tree *tree, int link, double *dv, kane_tree_work *work, double *dq);
void kane_tree_shift(const kane_tree *tree, int link, double *dv, kane_tree_work *work);
void kane_tree_shift_joint(const kane_link *link, const double *dv, kane_tree_work *work);

// Speeds of a link from the rates of its coordinates; of its parents they must be known and moved.
void kane_tree_speeds(const kane_tree *tree, int link, const kane_moving_frame *base, kane_tree_work *work,
                      const double *q_dot);

// Second derivatives of a link's coordinates from da, dal and v_dot (as multibody programs with joint rates as speeds
// have them). base: of its frame.
void kane_tree_accelerations(const kane_tree *tree, int link, const kane_moving_frame *base, const kane_tree_work *work,
                             double *q_ddot);

// --- responses: changes of the accelerations of a solved tree by wrenches ---

// Accelerations of a body with all freedoms under a wrench at its origin, frame axes, with its articulated inertia.
// Needs kane_tree_inward if links are coupled to it.
kane_wrench kane_link_respond(const kane_link *link, const kane_link_state *s, kane_wrench wrench);

// Changes v_dot of all speeds of `links` under wrenches (torque about the links' origins, frame axes). Needs
// kane_tree_solve.
//   applied, response [link_count]  wrenches, overwritten; scratch: da, dal of links as force, torque
void kane_tree_respond(const kane_tree *tree, kane_links links, const kane_tree_work *work, kane_wrench *applied,
                       kane_wrench *response, double *v_dot);

// === User-defined joints (kane/joint.h): pose, and motion by coordinates and speeds (docs/mechanisms.md, section 2).

// Motion of a link relative to its joint on the parent, in the axes of that; or its change with one state.
typedef struct kane_pose_motion {
    kane_mat3 R;     // axes of the joint on the link
    kane_vec3 p;     // origin of the link [m]
    kane_vec3 v, w;  // velocity of it, angular velocity
    kane_vec3 a, al; // second derivative of p, angular acceleration
    kane_vec3 l[KANE_JOINT_FORMULA_COORDINATES], e[KANE_JOINT_FORMULA_COORDINATES]; // v, w for a unit of each rate
} kane_pose_motion;

// All of it with v_dot = 0, turned into the axes A.
void kane_pose_move(const kane_link *link, const kane_tree_work *work, kane_mat3 A, kane_pose_motion *out);

// The same with v_dot, and its change with one coordinate (step), or with the speed of it; R of the change is left out.
void kane_pose_change(const kane_link *link, const kane_tree_work *work, kane_mat3 A, int step, int of_speed,
                      kane_pose_motion *out, kane_pose_motion *change);

#endif
