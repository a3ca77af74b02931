// SPDX-License-Identifier: MIT
// How the axle boxes of a spinning body follow it: they hold the axle, stay level in the track frame, and pass no torque
// about the axle.
//
//   w_box = w_frame + P (w - w_frame),   P = 1 - axle level',   T = P' T_boxes

#ifndef KANE_AGEM_BOXES_H
#define KANE_AGEM_BOXES_H

#include "agem/work.h"

// Linear maps of small changes: rotation of the boxes = P phi; of level = level_turn (rotation of the boxes); of w_box =
// P w + spin_turn (rotation of the boxes). For a body that does not spin: P = 1, the others 0.
typedef struct kane_boxes {
    int spinning;
    kane_mat3 P, level_turn, spin_turn;
} kane_boxes;

static inline kane_boxes kane_boxes_of(const kane_body *body, const kane_body_state *b)
{
    if (body->kind != KANE_BODY_SPINNING)
        return (kane_boxes){0, km3_identity(), km3_zero(), km3_zero()};

    // level = left/(left.axle); left turns with the yaw of the boxes alone, the axle with all of them
    const kane_vec3 forward = b->R_w.x;
    const double cosine     = 1.0 / kv3_norm(b->level);
    const kane_vec3 left    = kv3_scale(cosine, b->level);
    const kane_vec3 up      = kv3_cross(forward, left);
    const kane_mat3 turned  = km3_outer(forward, up);                        // -d(left)
    const kane_mat3 tilted  = km3_outer(b->level, kv3_cross(b->axle, left)); // level d(left.axle)
    const kane_mat3 level   = km3_scale(-1.0 / cosine, km3_add(turned, tilted));

    // w_box = w - axle (level.w_rel), w_rel = w - w_frame
    const double spin     = kv3_dot(b->level, kv3_sub(b->w_w, b->w_box));
    const kane_vec3 w_rel = kv3_sub(b->w_w, b->w_frame);
    const kane_mat3 slows = km3_outer(b->axle, km3_tmulv(level, w_rel));
    return (kane_boxes){.spinning   = 1,
                        .P          = km3_sub(km3_identity(), km3_outer(b->axle, b->level)),
                        .level_turn = level,
                        .spin_turn  = km3_sub(km3_scale(spin, km3_skew(b->axle)), slows)};
}

#endif
