// SPDX-License-Identifier: MIT
// What the rows of a constraint are while they are found: with their changes, or without (change.h).

#ifndef KANE_TREE_ROWS_WRITE_H
#define KANE_TREE_ROWS_WRITE_H

#include "tree/rows_sides.h"

// A force and a torque about the origin of a link or frame.
typedef struct rows_load {
    kane_scalar3 force, torque;
} rows_load;

typedef struct rows {
    kane_scalar value[KANE_ROWS_MOST], rate[KANE_ROWS_MOST], acceleration[KANE_ROWS_MOST];
    int push_count, frame_push_count, entry_count;
    struct {
        int row, link;
        kane_scalar3 force, torque;
    } push[KANE_PUSHES_MOST];
    struct {
        int row, frame;
        kane_vec3 force, torque;
    } frame_push[KANE_ROWS_MOST * (KANE_SIDES_MOST - 1 + KANE_TERMS_MOST)];
    struct {
        int row, v;
        kane_scalar value;
    } entry[KANE_ENTRIES_MOST];
    rows_load load[2];
    kane_vec3 along[2], end[2];
} rows;

// A force and a torque about the origin of the link or frame, axes of the frame.
static inline void rows_push(rows *out, int row, const kane_side_marker *side, kane_scalar3 force, kane_scalar3 torque)
{
    if (side->link < 0) {
        const int i               = out->frame_push_count++;
        out->frame_push[i].row    = row;
        out->frame_push[i].frame  = side->frame;
        out->frame_push[i].force  = ks3_value(force);
        out->frame_push[i].torque = ks3_value(torque);
        return;
    }
    const int i         = out->push_count++;
    out->push[i].row    = row;
    out->push[i].link   = side->link;
    out->push[i].force  = force;
    out->push[i].torque = torque;
}

// Whatever depends on relative motion alone pushes both sides in the second marker's origin: the second by a force and
// a moment, the first by the opposite. All in the axes of the first's frame; on_one, on_two: torques about the links'
// origins.
static inline void rows_push_pair(rows *out, int row, const kane_side_marker *one, const kane_side_marker *two,
                                  const marker_pair *meet, kane_scalar3 force, kane_scalar3 on_one, kane_scalar3 on_two)
{
    rows_push(out, row, one, ks3_neg(force), ks3_neg(on_one));
    if (meet->apart) {
        const kane_mat3 R_12 = km3_transpose(meet->R_21);
        force                = ks3_turn(R_12, force);
        on_two               = ks3_turn(R_12, on_two);
    }
    rows_push(out, row, two, force, on_two);
}

// The same for a force g and a moment m in the axes of the first.
static inline void rows_push_both(rows *out, int row, const kane_side_marker *one, const kane_side_marker *two,
                                  const marker_pair *meet, kane_scalar3 g, kane_scalar3 m)
{
    const kane_scalar3 force = cm_mulv(&meet->first.E, g), moment = cm_mulv(&meet->first.E, m);
    rows_push_pair(out, row, one, two, meet, force, ks3_add(moment, ks3_cross(meet->arm[0], force)),
                   ks3_add(moment, ks3_cross(meet->arm[1], force)));
}

// g . (rate of x) + m . W, with its derivative in time.
static inline jet rows_rate(const marker_pair *meet, jet3 g, jet3 m)
{
    return jet_add(jet3_dot(g, meet->rate), jet3_dot(m, meet->W));
}

// A row whose rate is  g . (rate of x) + m . W:  for the value Phi(x, axes), g is its derivative by x and m that by
// small turns of the second side.
static inline void rows_put(rows *out, int row, const kane_closure *closure, const marker_pair *meet, kane_scalar value,
                            jet3 g, jet3 m)
{
    const jet rate         = rows_rate(meet, g, m);
    out->value[row]        = value;
    out->rate[row]         = rate.v;
    out->acceleration[row] = rate.d;
    rows_push_both(out, row, &closure->side[0], &closure->side[1], meet, g.v, m.v);
}

#endif
