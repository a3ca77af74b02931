// SPDX-License-Identifier: MIT
// Groups of links that inertia couples, and the directions in which their states move them.
//
// Everything about a group is about one point, where the origin of its root is at the moment. A *direction* is a
// change of one of the group's own states: of the pose of its root, of a speed, of a coordinate of a joint. With the
// twist s of a coordinate j, whose links then turn and shift by s, and V, A of what carries it:
//
//   dV_i = s x V_i + psi,   dA_i = s x A_i + chi + psi x V_i + ...,   psi = V x s,   chi = A x s + V x psi
//
// and with s that of a speed  dV_i = s,  dA_i = chi + s x V_i + ...,  chi = V_before x s + V_after x s: dots are what
// accelerations change. So forces of inertia turn along, and beyond that they change by I chi + 2B eta: eta is the
// angular part of psi, or of s, and 2B the Coriolis operator of derive_group.c.

#ifndef KANE_TREE_DERIVE_GROUP_H
#define KANE_TREE_DERIVE_GROUP_H

#include "tree/derive.h"
#include "tree/spatial.h"

enum { KANE_LANES = 8 }; // directions at a time
// Numbers that a direction moves links by (derive_group.c); the first of them are those of its turns.
enum { KANE_PARTS = 12, KANE_PARTS_TURNS = 6 };

// Directions of a root with six freedoms, three each; those of its joints follow.
enum { KANE_ROOT_SHIFTS = 0, KANE_ROOT_VELOCITIES = 3, KANE_ROOT_TURNS = 6, KANE_ROOT_SPINS = 9, KANE_ROOT_ALL = 12 };

// Velocity field of a rigid body: angular velocity, velocity at the group's point; or anything like it.
typedef struct kane_twist {
    kane_vec3 e, l;
} kane_twist;

// a + s b
static inline kane_twist ktw_add_scaled(kane_twist a, double s, kane_twist b)
{
    return (kane_twist){kv3_add_scaled(a.e, s, b.e), kv3_add_scaled(a.l, s, b.l)};
}

// a x b = (a.e x b.e, a.e x b.l + a.l x b.e): rate of b carried along by a.
static inline kane_twist ktw_cross(kane_twist a, kane_twist b)
{
    return (kane_twist){kv3_cross(a.e, b.e), kv3_add(kv3_cross(a.e, b.l), kv3_cross(a.l, b.e))};
}

// Rate of a wrench carried along by a: force a.e x F, torque a.e x T + a.l x F.
static inline kane_wrench ktw_carry(kane_twist a, kane_wrench w)
{
    return (kane_wrench){kv3_cross(a.e, w.force), kv3_add(kv3_cross(a.e, w.torque), kv3_cross(a.l, w.force))};
}

typedef enum kane_direction_kind {
    KANE_DIRECTION_SHIFT,      // of the root, along an axis of the frame; speeds stay
    KANE_DIRECTION_TURN,       // about its origin
    KANE_DIRECTION_VELOCITY,   // speeds of the root
    KANE_DIRECTION_SPIN,       //
    KANE_DIRECTION_COORDINATE, // of a joint
    KANE_DIRECTION_RATE        // speed of a joint
} kane_direction_kind;

// Which direction it is. Immutable.
typedef struct kane_direction_name {
    kane_direction_kind kind;
    int link;  //
    int index; // axis of the frame; step of a joint; component of Euler parameters or of a ball's speed
    int state; // coordinate, or q_count + speed; -1: pose of the root
    int slot;  // where it enters: before which axis of the group's links
} kane_direction_name;

// 1: links beyond turn and shift with it (a coordinate or pose); 0: they only get faster (a speed).
static inline int kane_direction_turns(kane_direction_kind kind)
{
    return kind == KANE_DIRECTION_SHIFT || kind == KANE_DIRECTION_TURN || kind == KANE_DIRECTION_COORDINATE;
}

typedef struct kane_direction {
    kane_twist s, psi, chi;
    kane_vec3 eta;
    kane_wrench g; // wrench on the carrier of the joint
} kane_direction;

// One speed of a joint in the sweeps: torque or angular part, then force or linear part.
typedef struct kane_sweep_axis {
    double s[6], over[6]; // twist; the same over its articulated inertia
    double U[6], D[6];    // inertia along it; the same over that along itself
    double n[3];          // what Coriolis forces accelerate, by eta
    double w[KANE_PARTS]; // the same of all forces, by the parts of a direction, where there are forces
} kane_sweep_axis;

// What a group's accelerations depend on in another one, or in itself.
typedef struct kane_reach {
    int group;
    int first;   // its first direction among the local ones
    int *column; // of the coordinates that carry its root, if that is free [carried_count]
} kane_reach;

// Directions of one block, and what forces put into it: entries of the group.
typedef struct kane_block_of {
    int reach;        // whose directions
    int first, count; // among those
    int entry, entry_count;
} kane_block_of;

typedef struct kane_wrench_entry {
    int pair; // the wrench on its row by the motion of its column
    int lane;
    int sign; // 1, or -1: has been counted already
} kane_wrench_entry;

struct kane_group {
    int root;
    int link_count;
    int *links;       // ascending
    int held;         // 1: rows are those of f - Theta v_dot with v_dot held; 0: of v_dot
    int is_free_body; // 1: a KANE_LINK_BODY and nothing else
    int free;         // 1: the root is a KANE_LINK_BODY
    int uneven;       // 1: one whose inertia turns with its spin: a direction behind those of its pose and speeds
    int row_count, column_count;
    int *rows, *columns; //
    size_t at;           // first of its values
    int axis_count;
    int *first_axis;     // of every link, then axis_count [link_count + 1]
    int *up;             // place of the parent in the group, -1: none [link_count]
    int direction_count; // its own
    int direction;       // the first among those of the tree
    int reach_count;     // itself first
    kane_reach *reach;   //
    int local_count;     // directions of all groups that it reaches
    int direct;          // 1: local directions are the columns
    int is_sought;    // 1: rows need its directions; 0: it is a free body, as is all that depends on it (closed form)
    int copied_count; // columns that are local directions; the others are coordinates that only carry roots along
    int *copied;      // which ones [copied_count]
    int side_by_side; // how many of the first ones are one after the other
    int carried_count, *carried; // coordinates that move the pose of its root, if that is free
    int carried_at;              // the first of them among those of all groups
    int pair_count;              // wrenches on its links
    int *pairs;                  //
    int block_count;             //
    kane_block_of *blocks;
    kane_wrench_entry *entries;
};

struct kane_derive_map {
    const kane_tree *tree;
    int group_count;
    kane_group *groups;
    int *group_of;      // [link_count]
    int *place_of;      // in its group [link_count]
    int *enter, *leave; // of every link in a depth-first walk through the tree: kane_derive_above
    int direction_count;
    kane_direction_name *names;
    int *carrier;      // 1: a root is attached to the link, or the link is one [link_count]
    int *direction_of; // every state, -1: none, it moves roots or nothing [q_count + v_count]
    int *link_of;      // that it belongs to
    int pair_count;
    kane_link_pair *pairs;
    size_t value_count;
    int any_formula; // 1: there are joints by formula
    int most_axes, most_links, most_locals, most_rows, carried_count;
};

// 1: link b is a or beyond it.
static inline int kane_derive_above(const kane_derive_map *map, int a, int b)
{
    return map->enter[a] <= map->enter[b] && map->enter[b] < map->leave[a];
}

// A link, about its group's point.
typedef struct kane_field {
    kane_vec3 r;         // origin from that point
    kane_twist V, A;     // velocity, acceleration (full)
    kane_mat3 N_n, N_f;  // torque and force of Coriolis forces by eta, articulated, behind all its axes
    kane_wrench carried; // of its joint on it
    kane_spatial I;      // composite, about its own origin (rows that are held)
} kane_field;

// Eight directions on their way through a link: [component][lane].
typedef struct kane_lanes {
    double p[6][KANE_LANES];            // wrench
    double y[6][KANE_LANES];            // acceleration
    double eta[KANE_PARTS][KANE_LANES]; // three rows; where there are forces, the parts of the directions
    int has_wrench;                     // 1: there is a p
    int enters;                         // 1: directions enter at its joint
    int rests; // 1: on the way down it moves with nothing: v_dot is held, and no direction moves it
    const double (*now)[KANE_LANES];   // acceleration as far as it has come: y, or p when that is done with
    const double (*turns)[KANE_LANES]; // its eta, or that of what carries it
} kane_lanes;

// A coordinate j of a joint by formula bends the axes s of its speeds: they change by  s_j x s + b.  Then the wrench W
// of the joint adds -b.W to the generalised forces along them.
typedef struct kane_axis_change {
    kane_twist b[KANE_JOINT_FORMULA_COORDINATES]; // by axis of the link
    double u[KANE_JOINT_FORMULA_COORDINATES];     // what that accelerates, all outer axes free
} kane_axis_change;

// Wrench of all forces on a link and the links beyond, by the parts of a direction: torque, force.
typedef struct kane_force_change {
    double W[6][KANE_PARTS];
} kane_force_change;

struct kane_derive_work {
    kane_field *field;               // [link_count]
    kane_twist *twist;               // of coordinates that carry roots along, about the origin of their link [q_count]
    kane_twist *pose;                // the same about the origins of the roots [carried_count]
    kane_direction *directions;      // [direction_count]
    kane_axis_change *axis_change;   // of coordinates of joints by formula [direction_count]
    kane_sweep_axis *axes;           // [most_axes]
    unsigned char *entered;          // lanes that enter at a slot [most_axes + most_links]
    double (*u)[KANE_LANES];         // [most_axes]
    kane_lanes *lanes;               // [most_links]
    kane_force_change *force_change; // [most_links]
    double *local;                   // [most_rows * most_locals]
    kane_vec3 *spun; // how what acts on a link that is uneven changes as its inertia turns: torque [link_count]
    kane_spatial_inverse root; // of a root with six freedoms: its articulated inertia
};

// Twists of those coordinates that carry roots along, about their link's origin and about those of the roots:
// displacement of it, and rotation, for a unit of the coordinate.
void kane_coordinate_twists(const kane_derive_map *map, const kane_tree_work *work, kane_derive_work *scratch);

// One of them about the origin of a root that it carries.
static inline kane_twist kane_root_twist(const kane_derive_map *map, const kane_derive_work *scratch,
                                         const kane_tree_work *work, int root, int coordinate)
{
    kane_twist s = scratch->twist[coordinate];
    s.l          = kv3_add(s.l, kv3_cross(s.e, kv3_sub(work->link[root].r, work->link[map->link_of[coordinate]].r)));
    return s;
}

// Direction of a pose s (rotation, shift, about its origin) of a root with six freedoms. Needs the root's field.
void kane_group_pose(const kane_moving_frame *base, const kane_field *root, kane_twist s, kane_direction *d);

// Fields of its links, and its directions.
void kane_group_move(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                     const kane_tree_work *work, const kane_moving_frame *base);

// Articulated inertia and Coriolis operators of its links, and the wrench g of its directions on the carriers of
// joints. Where v_dot is held: those of composite bodies.
void kane_group_weigh(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                      const kane_tree_work *work, const kane_wrench *acting, const kane_gradient *gradients);

// Torque that an uneven link needs for a unit of its spin angle [N m], frame axes.
kane_vec3 kane_link_spin_effort(const kane_link *link, const kane_tree_work *work, int i,
                                const kane_derive_work *scratch);

// How many parts of a direction change forces on its links: KANE_PARTS where forces depend on motion, KANE_PARTS_TURNS
// where they only act, as they do not turn along; 0: no forces.
int kane_group_parts(const kane_group *group, const kane_wrench *acting);
void kane_direction_parts(const kane_direction *d, kane_direction_kind kind, double out[KANE_PARTS]);

// W of its links and w of its axes (derive_group.c): forces between links of the group.
void kane_group_force(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                      const kane_tree_work *work, const kane_wrench *acting, const kane_gradient *gradients, int parts);

// Blocks of directions with their entries; 0 if memory is short.
int kane_group_list_blocks(const kane_derive_map *map, int group, kane_arena *arena);

// How a link moves in a direction: displacement of its origin, rotation, velocity, angular velocity.
void kane_direction_motion(const kane_direction *d, kane_direction_kind kind, const kane_field *f,
                           const kane_link_state *s, kane_vec3 out[KANE_MOTIONS]);

// The sweep of a free body whose v_dot follows, in closed form.
void kane_free_body_derive(const kane_derive_map *map, const kane_group *group, const kane_derive_work *scratch,
                           const kane_tree_work *work, const kane_moving_frame *bases, const kane_wrench *acting,
                           const kane_gradient *gradients, double *local, int stride);

// Derivatives of its rows by all directions that it reaches: local [row_count * stride]. Needs kane_group_weigh.
void kane_group_sweep(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                      const kane_tree_work *work, const kane_gradient *gradients, int parts, double *local, int stride);

#endif
