// SPDX-License-Identifier: MIT
// Two sides of a constraint: place and motion of the second relative to the first, on which rows depend.

#ifndef KANE_TREE_ROWS_SIDES_H
#define KANE_TREE_ROWS_SIDES_H

#include "tree/change.h"
#include "tree/rows.h"

// Inputs of a constraint, and their changes if these are needed (change.h).
typedef struct row_scene {
    const kane_tree *tree;
    const kane_tree_work *work;
    const kane_transport *frames;
    const kane_moving_frame *bases;
    int beyond;                                    // 1: accelerations hold da, dal
    WITH_CHANGE(int count;)                        // states whose changes are wanted
    WITH_CHANGE(const kane_link_changes *changes;) // by them [link_count]
    WITH_CHANGE(const double (*dq)[KANE_CHANGES];) // [q_count]
    WITH_CHANGE(const double (*dv)[KANE_CHANGES];) // [v_count]
} row_scene;

// A marker that moves with its link or frame.
typedef struct side_motion {
    kane_scalar3 r;       // origin of the link
    kane_scalar3 p, v, a; // marker: position, velocity, acceleration
    kane_scalar3 w, al;   // angular velocity and acceleration
    cm E;                 // marker axes
} side_motion;

// Axle box of a body that spins (rows.h), axes of the link's frame.
typedef struct side_box {
    cm R;               // its axes: x level, y along the axle
    kane_scalar3 level; // spin = level.(w - W)
    kane_scalar3 arm;   // mass centre from the link's origin
    kane_mat3 frame_R;  // axes of the frame in which it stays level
} side_box;

// Motion of the second marker relative to the first, in the axes of the first.
typedef struct marker_pair {
    jet3 x, rate; // position of the second's origin from the first's, and d(x)/dt; each with its derivative in time
    jet3 W;       // angular velocity, and d(W)/dt
    jet3 axis[3]; // axes of the second
    // to push with, in the axes of the first's frame
    side_motion first;
    kane_scalar3 arm[2]; // second marker's origin from the origins of the two links, or the centres of their boxes
    int apart;           // 1: the second link belongs to another frame
    kane_mat3 R_21;      // axes of the second's frame to those of the first's; only if they are apart
    int boxed;           // bits of sides on axle boxes
    side_box box[2];     // of these, each in its own frame
} marker_pair;

// The box of a side; NULL: it is on none.
static inline const side_box *marker_box(const marker_pair *m, int side)
{
    return m->boxed >> side & 1 ? &m->box[side] : NULL;
}

static inline kane_scalar3 link_turned(const row_scene *scene, int link, kane_vec3 on_link)
{
    return ks3_turned(&scene->changes[link].turn, km3_mulv(scene->work->link[link].R, on_link));
}

// What is fixed on a link, on its box (NULL: it is not on it), or on the frame if link is -1, in the axes of the frame.
static inline kane_scalar3 side_turned(const row_scene *scene, const kane_side_marker *side, const side_box *box,
                                       kane_vec3 a)
{
    return side->link < 0 ? ks3_constant(a)
           : box          ? cm_mulv(&box->R, ks3_constant(a))
                          : link_turned(scene, side->link, a);
}

static inline cm side_axes(const row_scene *scene, const kane_side_marker *side, const side_box *box, kane_mat3 A)
{
    return (cm){side_turned(scene, side, box, A.x), side_turned(scene, side, box, A.y),
                side_turned(scene, side, box, A.z)};
}

// Motion W, A of the frame in which a box stays level, as link states of the side's frame have motion, and its upward
// axis. With D as in side_make_absolute:
//   W = R omega_level - Dw      A = R epsilon_level - Dal - Dw x (W - w_base)
static inline kane_vec3 box_frame(const row_scene *scene, const kane_side_marker *side, side_box *box, kane_vec3 *W,
                                  kane_vec3 *A)
{
    const kane_moving_frame *b = &scene->bases[side->frame];
    const kane_transport *f = &scene->frames[side->frame], *level = &scene->frames[side->level_frame];
    const kane_vec3 Dw = kv3_sub(f->omega, b->w), Dal = kv3_sub(f->epsilon, b->al);
    box->frame_R = side->frame == side->level_frame ? km3_identity() : km3_tmul(f->R, level->R);
    *W           = kv3_sub(km3_mulv(box->frame_R, level->omega), Dw);
    *A           = kv3_sub(kv3_sub(km3_mulv(box->frame_R, level->epsilon), Dal), kv3_cross(Dw, kv3_sub(*W, b->w)));
    return box->frame_R.z;
}

// From the motion of a link that spins to that of its box, about the mass centre (rows.h). Derivatives of the spin in
// the frame of W, where u is at rest: with w' = w - W
//   e_dot = w' x e     w'_dot = al - A - W x w'      spin = (e.w' - c u.w')/(1 - c^2)
//   w_box = w - spin e      al_box = al - spin_dot e - spin w x e
static __attribute__((noinline)) side_motion side_on_box(const row_scene *scene, const kane_side_marker *side,
                                                         side_motion motion, side_box *box)
{
    side_motion *s        = &motion;
    const kane_link *link = &scene->tree->links[side->link];
    kane_vec3 W, A;
    const kane_vec3 up       = box_frame(scene, side, box, &W, &A);
    const kane_scalar3 u     = ks3_constant(up);
    const kane_scalar3 e     = link_turned(scene, side->link, link->body_R.y);
    const kane_scalar3 w     = ks3_sub(s->w, ks3_constant(W));
    const kane_scalar3 w_dot = ks3_sub(ks3_sub(s->al, ks3_constant(A)), ks3_cross(ks3_constant(W), w));
    const jet c              = {ks3_dot(u, e), ks3_dot(u, ks3_cross(w, e))};
    const jet e_w = {ks3_dot(e, w), ks3_dot(e, w_dot)}, u_w = {ks3_dot(u, w), ks3_dot(u, w_dot)};
    const jet over          = jet_inverse(jet_add_scaled(jet_given(1.0, 0.0), -1.0, jet_mul(c, c)));
    const jet spin          = jet_mul(over, jet_add_scaled(e_w, -1.0, jet_mul(c, u_w)));
    const kane_scalar3 x    = ks3_scale(ks_sqrt(over.v), ks3_cross(e, u)); // |e x u|^2 = 1 - c^2
    const kane_scalar3 arm  = link_turned(scene, side->link, link->c);
    const kane_scalar3 turn = ks3_cross(s->w, arm);

    box->R     = (cm){x, e, ks3_cross(x, e)};
    box->level = ks3_scale(over.v, ks3_sub(e, ks3_scale(c.v, u)));
    box->arm   = arm;
    s->r       = ks3_add(s->r, arm);
    s->v       = ks3_add(s->v, turn);
    s->a       = ks3_add(s->a, ks3_add(ks3_cross(s->al, arm), ks3_cross(s->w, turn)));
    s->al      = ks3_sub(s->al, ks3_add(ks3_scale(spin.d, e), ks3_scale(spin.v, ks3_cross(s->w, e))));
    s->w       = ks3_sub(s->w, ks3_scale(spin.v, e));
    return motion;
}

// The link's own motion, the frame's if link is -1; the marker is not known yet.
static inline side_motion side_carrier(const row_scene *scene, const kane_side_marker *side)
{
    if (side->link < 0) {
        const kane_moving_frame *b = &scene->bases[side->frame];
        return (side_motion){.r  = ks3_constant(kv3_zero()),
                             .v  = ks3_constant(b->v),
                             .a  = ks3_constant(b->a),
                             .w  = ks3_constant(b->w),
                             .al = ks3_constant(b->al)};
    }
    const kane_link_state *s = &scene->work->link[side->link];
    kane_vec3 a = s->a, al = s->al;
    if (scene->beyond) {
        a  = kv3_add(a, s->da);
        al = kv3_add(al, s->dal);
    }
    WITH_CHANGE(const kane_link_changes *t = &scene->changes[side->link];)
    return (side_motion){.r  = with_change3(s->r, &t->shift),
                         .v  = with_change3(s->v, &t->v),
                         .a  = with_change3(a, &t->a),
                         .w  = with_change3(s->w, &t->w),
                         .al = with_change3(al, &t->al)};
}

// From motion of link states, which depends on the base of the tree, to absolute motion, in the axes of the side's
// frame. With v' and w' relative to the frame, and D the frame's true motion less that of the base:
//   v += Dv + Dw x r                                       w  += Dw
//   a += Da + Dal x r + w x (w x r) [true less base] + 2 Dw x v'     al += Dal + Dw x w'
// For an absolute base the difference is gravity.
static inline void side_make_absolute(const kane_transport *f, const kane_moving_frame *b, side_motion *s)
{
    const kane_scalar3 Dw = ks3_constant(kv3_sub(f->omega, b->w)), Dv = ks3_constant(kv3_sub(f->v_o, b->v));
    const kane_scalar3 Da = ks3_constant(kv3_sub(f->a_o, b->a)), Dal = ks3_constant(kv3_sub(f->epsilon, b->al));
    const kane_scalar3 w = ks3_constant(f->omega), wb = ks3_constant(b->w),
                       two   = ks3_constant(kv3_scale(2.0, ks3_value(Dw)));
    const kane_scalar3 v_rel = ks3_sub(ks3_sub(s->v, ks3_constant(b->v)), ks3_cross(wb, s->r));
    const kane_scalar3 w_rel = ks3_sub(s->w, wb);
    const kane_scalar3 turns = ks3_sub(ks3_cross(w, ks3_cross(w, s->r)), ks3_cross(wb, ks3_cross(wb, s->r)));

    s->a  = ks3_add(ks3_add(s->a, ks3_add(Da, ks3_cross(Dal, s->r))), ks3_add(turns, ks3_cross(two, v_rel)));
    s->al = ks3_add(s->al, ks3_add(Dal, ks3_cross(Dw, w_rel)));
    s->v  = ks3_add(s->v, ks3_add(Dv, ks3_cross(Dw, s->r)));
    s->w  = ks3_add(s->w, Dw);
}

// From the motion of both links to that of the boxes of sides on these; absolute, where there are two frames.
static inline void marker_pair_set_carriers(const row_scene *scene, const kane_side_marker *one,
                                            const kane_side_marker *two, marker_pair *m, side_motion *a, side_motion *b)
{
    m->boxed = one->on_box | two->on_box << 1;
    if (m->boxed & 1)
        *a = side_on_box(scene, one, *a, &m->box[0]);
    if (m->boxed & 2)
        *b = side_on_box(scene, two, *b, &m->box[1]);
    m->apart = one->frame != two->frame;
    if (m->apart) {
        side_make_absolute(&scene->frames[one->frame], &scene->bases[one->frame], a);
        side_make_absolute(&scene->frames[two->frame], &scene->bases[two->frame], b);
    }
}

// Motion of a marker on its carrier, over time: in the axes that it has on the carrier without.
typedef struct side_given {
    kane_vec3 x, x_d, x_dd; // place, and derivatives in time
    kane_mat3 T;            // its axes
    kane_vec3 w, al;        // their angular velocity and acceleration
} side_given;

// Yaw, roll, pitch about moving axes, one after the other: what turns with w turns a next axis e by w x e.
static inline side_given side_give(const row_scene *scene, const kane_marker_motion *motion)
{
    static const int turns[3] = {2, 0, 1};
    double f[6][4]            = {{0.0}};
    for (int i = 0; i < 6; i++)
        if (motion->line_function[i])
            kane_tree_given(scene->work, motion->line_function[i], f[i]);
    side_given g = {.x    = kv3(f[0][0], f[1][0], f[2][0]),
                    .x_d  = kv3(f[0][1], f[1][1], f[2][1]),
                    .x_dd = kv3(f[0][2], f[1][2], f[2][2]),
                    .T    = km3_identity()};
    for (int i = 0; i < 3; i++) {
        const double *q = f[3 + i], s = sin(q[0]), c = cos(q[0]);
        const kane_vec3 e    = turns[i] == 0 ? g.T.x : turns[i] == 1 ? g.T.y : g.T.z;
        const kane_vec3 turn = kv3_scale(q[1], e);
        g.al                 = kv3_add(kv3_add_scaled(g.al, q[2], e), kv3_cross(g.w, turn));
        g.w                  = kv3_add(g.w, turn);
        g.T = turns[i] == 0 ? km3_turn_x(g.T, s, c) : turns[i] == 1 ? km3_turn_y(g.T, s, c) : km3_turn_z(g.T, s, c);
    }
    return g;
}

// From the link to a marker that moves on it: c its place on the link, c' and c'' relative to the link
//   v += w x c + c'        a += al x c + w x (w x c) + 2 w x c' + c''
//   w += w_g               al += al_g + w x w_g
static inline void side_reach_moving(const row_scene *scene, const kane_side_marker *side, const side_box *box,
                                     const kane_marker_motion *motion, side_motion *s)
{
    const side_given g         = side_give(scene, motion);
    const kane_scalar3 arm     = side_turned(scene, side, box, kv3_add(side->point, km3_mulv(side->axes, g.x)));
    const kane_scalar3 moves   = side_turned(scene, side, box, km3_mulv(side->axes, g.x_d));
    const kane_scalar3 grows   = side_turned(scene, side, box, km3_mulv(side->axes, g.x_dd));
    const kane_scalar3 turns   = side_turned(scene, side, box, km3_mulv(side->axes, g.w));
    const kane_scalar3 turning = side_turned(scene, side, box, km3_mulv(side->axes, g.al));
    const kane_scalar3 turn    = ks3_cross(s->w, arm);
    const kane_scalar3 about   = ks3_add(turn, ks3_add(moves, moves));

    s->p  = ks3_add(s->r, arm);
    s->v  = ks3_add(s->v, ks3_add(turn, moves));
    s->a  = ks3_add(s->a, ks3_add(ks3_add(ks3_cross(s->al, arm), ks3_cross(s->w, about)), grows));
    s->al = ks3_add(s->al, ks3_add(turning, ks3_cross(s->w, turns)));
    s->w  = ks3_add(s->w, turns);
    s->E  = side_axes(scene, side, box, km3_mul(side->axes, g.T));
}

// From the link to its marker: to its origin, and its axes.
static inline void side_reach_point(const row_scene *scene, const kane_side_marker *side, const side_box *box,
                                    side_motion *s)
{
    const kane_scalar3 arm  = side_turned(scene, side, box, side->point);
    const kane_scalar3 turn = ks3_cross(s->w, arm);

    s->p = ks3_add(s->r, arm);
    s->v = ks3_add(s->v, turn);
    s->a = ks3_add(s->a, ks3_add(ks3_cross(s->al, arm), ks3_cross(s->w, turn)));
}

static inline void side_reach(const row_scene *scene, const kane_side_marker *side, const side_box *box, side_motion *s)
{
    side_reach_point(scene, side, box, s);
    s->E = side_axes(scene, side, box, side->axes);
}

// The second side in the axes of the first's frame, counted from its origin.
static inline void side_carry_over(const kane_transport *first, const kane_transport *second, marker_pair *m,
                                   side_motion *s)
{
    const kane_mat3 R = m->R_21 = km3_tmul(first->R, second->R);
    const kane_scalar3 origin   = ks3_constant(km3_tmulv(first->R, kv3_sub(second->r_o, first->r_o)));
    *s                          = (side_motion){.r  = ks3_add(origin, ks3_turn(R, s->r)),
                                                .p  = ks3_add(origin, ks3_turn(R, s->p)),
                                                .v  = ks3_turn(R, s->v),
                                                .a  = ks3_turn(R, s->a),
                                                .w  = ks3_turn(R, s->w),
                                                .al = ks3_turn(R, s->al),
                                                .E  = {ks3_turn(R, s->E.x), ks3_turn(R, s->E.y), ks3_turn(R, s->E.z)}};
}

// Relative motion does not depend on the observer: sides of one frame are compared in it, absolute or relative; gravity
// in the accelerations of an absolute base cancels, because points of the frame have it too. Sides of two frames are
// made absolute.
//   d = p2 - p1,   v = v2 - v1 - w1 x d,   a = a2 - a1 - al1 x d - w1 x (w1 x d) - 2 w1 x v
//   W = w2 - w1,   W_dot = al2 - al1 - w1 x W
// motion: of the first's marker; NULL: it is fixed. wanted: how they turn, and which axes of the second; without it W
// and axes are not written.
enum { SEE_X = 1, SEE_Y = 2, SEE_Z = 4, SEE_TURNING = 8, SEE_ALL = 15 };

static inline void marker_pair_see(const row_scene *scene, const kane_side_marker *one, const kane_side_marker *two,
                                   const kane_marker_motion *motion, unsigned wanted, marker_pair *m)
{
    side_motion a = side_carrier(scene, one), b = side_carrier(scene, two);
    marker_pair_set_carriers(scene, one, two, m, &a, &b);
    if (motion)
        side_reach_moving(scene, one, marker_box(m, 0), motion, &a);
    else
        side_reach(scene, one, marker_box(m, 0), &a);
    side_reach(scene, two, marker_box(m, 1), &b);
    if (m->apart)
        side_carry_over(&scene->frames[one->frame], &scene->frames[two->frame], m, &b);

    const kane_scalar3 d = ks3_sub(b.p, a.p), wd = ks3_cross(a.w, d), v = ks3_sub(ks3_sub(b.v, a.v), wd);
    const kane_scalar3 turns = ks3_add(ks3_cross(a.al, d), ks3_cross(a.w, ks3_add(wd, ks3_add(v, v))));
    m->x                     = (jet3){cm_tmulv(&a.E, d), cm_tmulv(&a.E, v)};
    m->rate                  = (jet3){m->x.d, cm_tmulv(&a.E, ks3_sub(ks3_sub(b.a, a.a), turns))};
    if (wanted) {
        const kane_scalar3 W = ks3_sub(b.w, a.w);
        m->W = (jet3){cm_tmulv(&a.E, W), cm_tmulv(&a.E, ks3_sub(ks3_sub(b.al, a.al), ks3_cross(a.w, W)))};
    }
    for (int i = 0; i < 3; i++) {
        if (!(wanted & 1u << i))
            continue;
        const kane_scalar3 e = cm_tmulv(&a.E, cm_column(&b.E, i));
        m->axis[i]           = (jet3){e, ks3_cross(m->W.v, e)};
    }
    m->first  = a;
    m->arm[0] = ks3_sub(b.p, a.r);
    m->arm[1] = ks3_sub(b.p, b.r);
}

// === Rows of a constraint during evaluation: with their changes, or without (change.h).

// A force and a torque about the origin of a link or frame.
typedef struct rows_load {
    kane_scalar3 force, torque;
} rows_load;

typedef struct rows {
    kane_scalar value[KANE_ROWS_MOST], rate[KANE_ROWS_MOST], acceleration[KANE_ROWS_MOST];
    int direction_count, frame_direction_count, entry_count;
    struct {
        int row, link;
        kane_scalar3 force, torque;
    } direction[KANE_DIRECTIONS_MOST];
    struct {
        int row, frame;
        kane_vec3 force, torque;
    } frame_direction[KANE_FRAME_PUSHES_MOST];
    struct {
        int row, v;
        kane_scalar value;
    } entry[KANE_ENTRIES_MOST];
    rows_load load[2];
    kane_vec3 along[2], end[2];
    // direction of all rows of a pair of markers, times their multipliers, axes of the first (rows_direct)
    WITH_CHANGE(kane_scalar3 g, m; const double *multiplier;)
} rows;

#ifdef KANE_TREE_CHANGES
enum { ROWS_ALL = -1 }; // in place of a row: all of them, multiplied already

// Adds a force and a torque about the origin of the link, axes of its frame, times the row's multiplier.
static inline void rows_add_direction(rows *out, int row, const kane_side_marker *side, kane_scalar3 force,
                                      kane_scalar3 torque)
{
    const double by = row == ROWS_ALL ? 1.0 : out->multiplier[row];
    int i           = 0;
    if (side->link < 0)
        return;
    while (i < out->direction_count && out->direction[i].link != side->link)
        i++;
    force  = ks3_by(by, force);
    torque = ks3_by(by, torque);
    if (i == out->direction_count)
        out->direction[out->direction_count++].link = side->link;
    else
        force = ks3_add(out->direction[i].force, force), torque = ks3_add(out->direction[i].torque, torque);
    out->direction[i].force  = force;
    out->direction[i].torque = torque;
}
#else
// A force and a torque about the origin of the link or frame, axes of the frame.
static inline void rows_add_direction(rows *out, int row, const kane_side_marker *side, kane_scalar3 force,
                                      kane_scalar3 torque)
{
    if (side->link < 0) {
        const int i                    = out->frame_direction_count++;
        out->frame_direction[i].row    = row;
        out->frame_direction[i].frame  = side->frame;
        out->frame_direction[i].force  = ks3_value(force);
        out->frame_direction[i].torque = ks3_value(torque);
        return;
    }
    const int i              = out->direction_count++;
    out->direction[i].row    = row;
    out->direction[i].link   = side->link;
    out->direction[i].force  = force;
    out->direction[i].torque = torque;
}
#endif

// A force and a torque T about the centre of a box: (e.T) level acts on the frame of W. Returns what is left for the
// body, about its link's origin:  T - (e.T) level + arm x force
static __attribute__((noinline)) kane_scalar3 rows_add_direction_box(rows *out, int row, const kane_side_marker *side,
                                                                     const side_box *box, kane_scalar3 force,
                                                                     kane_scalar3 torque)
{
    const kane_side_marker frame = {.link = -1, .frame = side->level_frame};
    const kane_scalar3 held      = ks3_scale(ks3_dot(box->R.y, torque), box->level);
    rows_add_direction(out, row, &frame, ks3_constant(kv3_zero()), ks3_turn(km3_transpose(box->frame_R), held));
    return ks3_add(ks3_sub(torque, held), ks3_cross(box->arm, force));
}

// Direction of a row of relative motion: a force and a moment on the second side in the second marker's origin, their
// opposites on the first. All in the axes of the first's frame.
//   on_one, on_two  torques about the links' origins, or the centres of their boxes
static inline void rows_add_direction_pair(rows *out, int row, const kane_side_marker *one, const kane_side_marker *two,
                                           const marker_pair *meet, kane_scalar3 force, kane_scalar3 on_one,
                                           kane_scalar3 on_two)
{
    kane_scalar3 against = ks3_neg(on_one);
    if (meet->boxed & 1)
        against = rows_add_direction_box(out, row, one, &meet->box[0], ks3_neg(force), against);
    rows_add_direction(out, row, one, ks3_neg(force), against);
    if (meet->apart) {
        const kane_mat3 R_12 = km3_transpose(meet->R_21);
        force                = ks3_turn(R_12, force);
        on_two               = ks3_turn(R_12, on_two);
    }
    if (meet->boxed & 2)
        on_two = rows_add_direction_box(out, row, two, &meet->box[1], force, on_two);
    rows_add_direction(out, row, two, force, on_two);
}

// The same for a force g and a moment m in the axes of the first.
static inline void rows_add_direction_both(rows *out, int row, const kane_side_marker *one, const kane_side_marker *two,
                                           const marker_pair *meet, kane_scalar3 g, kane_scalar3 m)
{
    const kane_scalar3 force = cm_mulv(&meet->first.E, g), moment = cm_mulv(&meet->first.E, m);
    rows_add_direction_pair(out, row, one, two, meet, force, ks3_add(moment, ks3_cross(meet->arm[0], force)),
                            ks3_add(moment, ks3_cross(meet->arm[1], force)));
}

// Direction of one row of a pair of markers, g and m as above. With changes they are added up, times the multipliers,
// and pushed once (put_closure).
static inline void rows_direct(rows *out, int row, const kane_constraint_row_set *closure, const marker_pair *meet,
                               kane_scalar3 g, kane_scalar3 m)
{
#ifdef KANE_TREE_CHANGES
    (void)closure, (void)meet;
    out->g = ks3_add(out->g, ks3_by(out->multiplier[row], g));
    out->m = ks3_add(out->m, ks3_by(out->multiplier[row], m));
#else
    rows_add_direction_both(out, row, &closure->side[0], &closure->side[1], meet, g, m);
#endif
}

// g . (rate of x) + m . W, with its derivative in time.
static inline jet rows_rate(const marker_pair *meet, jet3 g, jet3 m)
{
    return jet_add(jet3_dot(g, meet->rate), jet3_dot(m, meet->W));
}

// A row whose rate is  g . (rate of x) + m . W:  for the value Phi(x, axes), g is its derivative by x and m that by
// small turns of the second side.
static inline void rows_put(rows *out, int row, const kane_constraint_row_set *closure, const marker_pair *meet,
                            kane_scalar value, jet3 g, jet3 m)
{
    const jet rate         = rows_rate(meet, g, m);
    out->value[row]        = value;
    out->rate[row]         = rate.v;
    out->acceleration[row] = rate.d;
    rows_direct(out, row, closure, meet, g.v, m.v);
}

#endif
