// SPDX-License-Identifier: MIT
// Links that constraints couple: their accelerations by coefficients of independent speeds or by multipliers,
// consistent states, and reactions (docs/mechanisms.md).
//
// A *cluster* is a set of whole trees that constraints join. Rows are all rows of its constraints; redundant ones are
// left out. In the form of coefficients (47), (48)  v = A u + C,  u: independent speeds, a choice among v that can
// change; the coordinates that belong to dependent speeds are solved for in every evaluation, starting from those in
// the state. Interface nodes of flexible bodies have no speeds here: forces on them act along the modes that they
// follow.

#ifndef KANE_TREE_LOOPS_H
#define KANE_TREE_LOOPS_H

#include "tree/rows.h"

// Point masses that rods are on a link, about its origin, in its axes.
typedef struct kane_rod_points {
    int link;
    double mass;
    kane_vec3 moment; // first moment of mass
    double J[6];
} kane_rod_points;

// Rods of one coupling, by m_12: sums of it, of it times the arms of their ends, and of it times both arms.
typedef struct kane_coupling_sums {
    double mass;
    kane_vec3 first, second;
    kane_mat3 both;
} kane_coupling_sums;

// Rods with mass between the same two links (loops_rods.c).
typedef struct kane_rod_coupling {
    int link[2], frame[2];
    kane_coupling_sums sum;  // in the axes of the two links
    int apex;                // that of their constraints
    int second, first, both; // speeds that move the second link but not the apex, the first one likewise, and the apex
    int *path;               // these, one after the other
    int *
        entry; // of Theta: every speed of the second with those of the first and of the apex, of the first with the apex
    int *twice; // of every speed of the second: an entry with itself that counts twice, -1: none [second]
} kane_rod_coupling;

// A link that moves a side of a constraint, and where its speeds stand in the constraint's rows.
typedef struct kane_path_link {
    int link, slot;
} kane_path_link;

// Which functions of time enter the rows of a cluster.
typedef enum kane_cluster_drive {
    KANE_DRIVE_NONE,  // nothing
    KANE_DRIVE_STEPS, // prescribed coordinates of joints
    KANE_DRIVE_ANY    // any: numbers of constraints, frames in relative motion, ..
} kane_cluster_drive;

// Immutable.
typedef struct kane_cluster {
    int link_count;
    int *links;                               // ascending
    int closure_count;                        //
    const kane_constraint_row_set **closures; //
    int v_count;                              // tree speeds of its links, but for those of members
    int *speeds;                              // their indices, ascending [v_count]
    int *place;                               // of every speed of the tree among them, -1: not in it [tree's v_count]
    int *is_mode;                             // 1: speed of a deformable body's mode [v_count]
    int *link_of_speed;                       // that each moves first, of a mode the deformable body [v_count]
    int row_count, position_count;            // of all constraints
    int *row_begin;                           // first row of every constraint [closure_count + 1]
    int *apex; // of every constraint: the last link that carries all of its sides, whose motion does not change
               // its rows; -1: none [closure_count]
    // of constraints that see their sides alone, in a cluster that is jointed: from every side to the apex or the
    // frame; of others none
    int *path_begin;           // of every side [2 * closure_count + 1]
    kane_path_link *path;      //
    int *is_position;          // 1: row has a value, 0: it is of speeds only [row_count]
    kane_constraint_form form; //
    kane_cluster_drive drive;  //
    int jointed;               // 1: no coordinate of its links depends on speeds of what carries them
    // what is not zero for good. Coefficients of local speeds in rows, the same in all rows of a constraint: what moves
    // its sides; entries of Theta (kane_tree_theta)
    int *coefficient_begin;           // of every row [row_count + 1]
    int *coefficient_speed;           // ascending in a row [coefficient_begin[row_count]]
    int theta_count;                  // behind those of the tree, theta_of_tree, those that rods alone couple
    int theta_of_tree;                //
    kane_theta_place *theta_place;    // [theta_count]
    int *theta_counts;                // 0: the two speeds have another entry, which counts [theta_count]
    int *theta_row_begin, *theta_row; // entries that count of every local speed [v_count + 1], [..]
    int *theta_diagonal;              // entry of every local speed with itself [v_count]
    int rod_count;                    // of rods with mass
    int *rods;                        // which constraints they are [rod_count]
    int points_count;                 //
    kane_rod_points *points;          // [points_count]
    int coupling_count;               //
    kane_rod_coupling *coupling;      // [rod_count]
    // found by the assembly
    int rank, position_rank; // rows that are not redundant, and those of them that have values
    int *kept;               // 1: row is kept [row_count]
    double *row_scale;       // size of every row, for a speed of unit kinetic energy [row_count]
    // what redundant rows leave undetermined (loops_rank.c): multipliers of rows [row_count]; of the joints of its
    // links, by bits, 0 to 2 force, 3 to 5 torque in the axes of the joint on the body, 6 to 8 force, 9 to 11 torque
    // about the mass centre in those of the frame [link_count]
    int *undetermined;
    unsigned *link_undetermined;
    // a matrix of multipliers at the start, from which all works take their pivots, so that what they compute does not
    // depend on what they have computed before; NULL: not known yet, or singular there
    double *pivots;
    int u_count; // independent speeds: v_count - rank (coefficients), v_count (multipliers)
} kane_cluster;

typedef struct kane_cluster_work kane_cluster_work; // scratch of one thread

// Result of a search for a consistent state.
typedef struct kane_assembly {
    int solved;              // 1: all constraints hold
    int no_memory;           // 1: not done, memory is short
    double left;             // largest value that is left, if they do not
    const char *conflict[4]; // names of the constraints that contradict each other, or cannot close
    int conflict_count;
} kane_assembly;

// Fills all of a cluster but form from its links and closures (and what the assembly finds). 0 if memory is short.
int kane_cluster_prepare(const kane_tree *tree, kane_cluster *cluster, kane_arena *arena);

// Room for a cluster; rank, kept and u_count may still be unknown. NULL if memory is short.
kane_cluster_work *kane_cluster_work_create(const kane_eval_context *e, const kane_cluster *cluster, kane_arena *arena);

// Frees the factors of multipliers, which are not in the arena. NULL is allowed.
void kane_cluster_work_free(kane_cluster_work *scratch);

// Moves coordinates and speeds in work->q, work->v onto the constraints (docs/mechanisms.md, section 8).
//   held_q [tree's q_count], held_v [v_count]  1: does not change
// Leaves rank and kept: redundant rows repeat others. Several configurations near the start count, so that a start in a
// singular position gives no wrong rank.
void kane_cluster_assemble(kane_cluster *cluster, kane_cluster_work *scratch, const int *held_q, const int *held_v,
                           kane_assembly *assembly);

// Chooses independent speeds anew for the state in work (form of coefficients); returns 1 if they are others than
// before.
int kane_cluster_partition(kane_cluster_work *scratch);

// The choice: rows in order of use [row_count]; local speeds, dependent ones first [v_count]; the scales of speeds that
// its quality is measured in [v_count]. Where there is none yet, and with multipliers, rows and speeds are -1 and
// scales 0.
void kane_cluster_get_partition(const kane_cluster_work *scratch, int *row, int *column, double *scale);
void kane_cluster_set_partition(kane_cluster_work *scratch, const int *row, const int *column, const double *scale);

// Keeps the matrix of its equations, or of its projection in the form of coefficients, at the state of the last
// kane_cluster_solve and kane_cluster_find_theta for pivots. 0 if memory is short.
int kane_cluster_keep_pivots(kane_cluster *cluster, kane_cluster_work *scratch, kane_arena *arena);

// Tree speeds that are independent at present, in the order of u [u_count].
const int *kane_cluster_independent(const kane_cluster_work *scratch);

// Independent speeds u from v, and v (with coordinates) from u. Both leave the state in work consistent. 0 if no
// dependent coordinates are found.
void kane_cluster_get_speeds(const kane_cluster_work *scratch, double *u);
int kane_cluster_solve_position(kane_cluster_work *scratch, const double *u);

// The same in two steps: all coordinates and speeds, which do not depend on accelerations of the bases; then the motion
// of links.
int kane_cluster_solve_speeds(kane_cluster_work *scratch, const double *u);
int kane_cluster_solve_motion(kane_cluster_work *scratch);

// Whether the state in work is close to a singular position: rows are dependent there that are independent elsewhere.
int kane_cluster_is_singular(kane_cluster_work *scratch);

// Quality of the present choice at the last state of kane_cluster_solve_speeds: 1 good .. 0 singular. It is the
// reciprocal of the largest entry of A in kinetic scales (docs/mechanisms.md, section 5): the gain of an exchange of
// two speeds. Positions that are singular for every choice do not count. Below KANE_PARTITION_POOR the caller selects
// other speeds. Costs one solution for every redundant row.
#define KANE_PARTITION_POOR 0.1
double kane_cluster_quality(kane_cluster_work *scratch);

// Accelerations: v_dot of all speeds, da and dal of all links.
//   needs  kane_cluster_solve_position, then forces on the links (kane_tree_apply_wrench)
//   u_dot  of the independent speeds [u_count]
// Returns 0 if the equations are singular.
int kane_cluster_solve(kane_cluster_work *scratch, double *u_dot);

// Theta of the last kane_cluster_solve, which the form of coefficients does not need itself: for multipliers,
// responses, equations and pivots.
void kane_cluster_find_theta(kane_cluster_work *scratch);

// For the following kane_cluster_solve: extrapolated rod inertia (docs/mechanisms.md, section 4).
//   inertia  the part of all rods' inertia that is not in Theta; KANE_RODS_EXACT (initial value): none
//   known    accelerations of the ends of one rod, less gravity, axes of their frames [m/s^2]; NULL: unchanged
// All other functions of the cluster require KANE_RODS_EXACT.
void kane_cluster_set_extrapolated(kane_cluster_work *scratch, kane_rod_inertia inertia, int rod,
                                   const kane_vec3 known[2]);

// 1: the last factorisation failed because memory was short.
int kane_cluster_lacks_memory(const kane_cluster_work *scratch);

// Changes of speeds by impulses on its links (torques about their origins), rods with mass and rows included. Needs
// kane_cluster_solve_motion. Kept in scratch until kane_cluster_impulse_response writes them to work->v_dot. 0 if the
// equations are singular.
int kane_cluster_apply_impulse(kane_cluster_work *scratch, const kane_wrench *impulse);
void kane_cluster_impulse_response(const kane_cluster_work *scratch);

// Response to wrenches on its links (about their origins, frame axes) with its loops closed: v_dot of the tree's
// speeds, and accelerations of links. Needs kane_cluster_solve; or kane_cluster_prepare_response (0: singular) with
// is_struck 1.
int kane_cluster_prepare_response(kane_cluster_work *scratch);
void kane_cluster_find_response(kane_cluster_work *scratch, int is_struck, const kane_wrench *applied,
                                kane_wrench *response, double *v_dot);

// Adds such wrenches and their response to the last solution.
void kane_cluster_add_response(kane_cluster_work *scratch, const kane_wrench *applied, double *u_dot);

// Generalised forces of a wrench on a link (about its origin) along the independent speeds: row, by speeds of the tree.
void kane_cluster_spread(kane_cluster_work *scratch, int link, kane_wrench w, double *row);

// Moves coordinates by v_dot of the tree's speeds, as if they were displacements.
void kane_cluster_displace(kane_cluster_work *scratch, const double *v_dot);

// As kane_cluster_respond, and all its accelerations by local speeds [v_count].
void kane_cluster_respond_all(kane_cluster_work *scratch, const double *df, const double *dacceleration, double *du_dot,
                              double *v_dot);

// Multipliers of all rows after kane_cluster_solve and kane_cluster_find_theta, zero of redundant ones [row_count].
const double *kane_cluster_multipliers(kane_cluster_work *scratch);

// The same of a few rows (docs/mechanisms.md, section 7): each is released by an auxiliary speed, its own rate. The
// multiplier is the missing generalised force along the dependent speeds P_d^-1 e of that motion: few where few links
// move with the row.
void kane_cluster_release(kane_cluster_work *scratch, int count, const int *rows, double *lambda);

// Values of one of its constraints at the last solution: directions of its rows.
const kane_constraint_rows_values *kane_cluster_values(const kane_cluster_work *scratch, int closure);

// --- for readers of the equations, after kane_cluster_find_theta (loops_show.c); local speeds, matrices by rows ---

// Theta [v_count^2] and f [v_count]; A of v = A u + C [v_count * u_count], known after kane_cluster_solve_position,
// too; G of v_dot = A u_dot + G.
void kane_cluster_get_equations(const kane_cluster_work *scratch, double *Theta, double *f);
void kane_cluster_get_coefficients(const kane_cluster_work *scratch, double *A);
void kane_cluster_get_bias(const kane_cluster_work *scratch, double *G);

// The rows in use, `rank` of them; of one: its coefficients, written into Phi [v_count], its rate, and its second
// derivative at v_dot = 0.
int kane_cluster_get_rows(const kane_cluster_work *scratch, int *row);
void kane_cluster_get_row(const kane_cluster_work *scratch, int row, double *Phi, double *rate, double *bias);

// Moves q, then v, back onto the constraints by the smallest change in kinetic energy, in both forms.
int kane_cluster_project(kane_cluster_work *scratch);

// Largest value and rate of all rows, at the state in work.
void kane_cluster_drift(kane_cluster_work *scratch, double *value, double *rate);

#endif
