// SPDX-License-Identifier: MIT
// What the rows of a constraint are while they are found: with their changes, or without (change.h).

#ifndef KANE_TREE_ROWS_WRITE_H
#define KANE_TREE_ROWS_WRITE_H

#include "tree/rows_sides.h"

typedef struct rows {
    cs value[KANE_ROWS_MOST], rate[KANE_ROWS_MOST], acceleration[KANE_ROWS_MOST];
    int push_count, entry_count;
    struct {
        int row, link;
        cv force, torque;
    } push[KANE_PUSHES_MOST];
    struct {
        int row, v;
        cs value;
    } entry[KANE_TERMS_MOST];
} rows;

// A force and a torque about the link's origin, axes of the link's frame.
static inline void rows_push(rows *out, int row, int link, cv force, cv torque)
{
    if (link < 0)
        return;
    const int i         = out->push_count++;
    out->push[i].row    = row;
    out->push[i].link   = link;
    out->push[i].force  = force;
    out->push[i].torque = torque;
}

// Whatever depends on relative motion alone pushes both sides in the second marker's origin: the second by a force and
// a moment, the first by the opposite. All in the axes of the first's frame; on_one, on_two: torques about the links'
// origins.
static inline void rows_push_pair(rows *out, int row, const kane_side_marker sides[2], const meeting *meet, cv force,
                                  cv on_one, cv on_two)
{
    rows_push(out, row, sides[0].link, cv_neg(force), cv_neg(on_one));
    if (meet->apart) {
        const kane_mat3 R_12 = km3_transpose(meet->R_21);
        force                = cv_turn(R_12, force);
        on_two               = cv_turn(R_12, on_two);
    }
    rows_push(out, row, sides[1].link, force, on_two);
}

// The same for a force g and a moment m in the axes of the first.
static inline void rows_push_both(rows *out, int row, const kane_side_marker sides[2], const meeting *meet, cv g, cv m)
{
    const cv force = cm_mulv(&meet->first.E, g), moment = cm_mulv(&meet->first.E, m);
    rows_push_pair(out, row, sides, meet, force, cv_add(moment, cv_cross(meet->arm[0], force)),
                   cv_add(moment, cv_cross(meet->arm[1], force)));
}

// g . (rate of x) + m . W, with its derivative in time.
static inline ms rows_rate(const meeting *meet, mv g, mv m)
{
    return ms_add(mv_dot(g, meet->rate), mv_dot(m, meet->W));
}

// A row whose rate is  g . (rate of x) + m . W:  for the value Phi(x, axes), g is its derivative by x and m that by
// small turns of the second side.
static inline void rows_put(rows *out, int row, const kane_closure *closure, const meeting *meet, cs value, mv g, mv m)
{
    const ms rate          = rows_rate(meet, g, m);
    out->value[row]        = value;
    out->rate[row]         = rate.v;
    out->acceleration[row] = rate.d;
    rows_push_both(out, row, closure->side, meet, g.v, m.v);
}

#endif
