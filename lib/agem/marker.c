// SPDX-License-Identifier: MIT
// Markers on bodies: relative rotation, accelerations, and derivatives by the motion of the body.

#include "agem/element.h"

#include "math/small.h"

// phi of R = exp([phi x]).
kane_vec3 kane_rotation_vector(kane_mat3 R)
{
    // 2 sin(angle) axis = (R32 - R23, R13 - R31, R21 - R12)
    const kane_vec3 a = kv3(0.5 * (R.y.z - R.z.y), 0.5 * (R.z.x - R.x.z), 0.5 * (R.x.y - R.y.x));
    const double sine = kv3_norm(a), cosine = 0.5 * (km3_trace(R) - 1.0);
    const double scale = sine > 1e-8 ? kane_small_angle(sine, cosine) / sine : 1.0 + sine * sine / 6.0;
    return kv3_scale(scale, a);
}

// Axes on a spinning body do not spin: with the point on the axle its acceleration is the same.
kane_vec3 kane_marker_acceleration(const kane_model *model, const kane_work *work, const kane_fixed_marker *at)
{
    const kane_mat3 R   = work->transport[model->bodies[at->body].track_frame].R;
    const kane_vec3 arm = km3_mulv(work->body[at->body].R_w, at->point);
    kane_vec3 w, a, alpha;
    kane_get_absolute(model, work, at->body, NULL, &w, &a, &alpha);
    w = km3_mulv(R, w);
    return kv3_add(km3_mulv(R, a), kv3_add(kv3_cross(km3_mulv(R, alpha), arm), kv3_cross(w, kv3_cross(w, arm))));
}

// Derivatives of level = left/(left.axle) and of w_box = w - axle (level.(w - w_frame)) by rotations of the boxes; left
// turns with their yaw only.
kane_boxes kane_boxes_of(const kane_body *body, const kane_body_state *b)
{
    if (body->kind != KANE_BODY_SPINNING)
        return kane_boxes_none(b);

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
                        .w          = b->w_box,
                        .P          = km3_sub(km3_identity(), km3_outer(b->axle, b->level)),
                        .level_turn = level,
                        .spin_turn  = km3_sub(km3_scale(spin, km3_skew(b->axle)), slows)};
}

// Changes of a marker by changes r, phi, v, w of the body, Phi and W those of its boxes (kane_boxes):
//   position r + Phi x arm,   velocity v + W x arm + w_box x (Phi x arm)
void kane_marker_gradient(const kane_boxes *boxes, kane_vec3 arm, kane_mat3 G[KANE_MOTIONS])
{
    const kane_mat3 reach = kg_skew_times(boxes->w, km3_skew(arm));
    kg_sub(&G[KANE_SPINS], kg_times_skew(G[KANE_SPEEDS], arm));
    kg_sub(&G[KANE_TURNS], kg_times_skew(G[KANE_MOVES], arm));
    kg_sub(&G[KANE_TURNS], km3_mul(G[KANE_SPEEDS], reach));
    if (boxes->spinning) {
        kg_add(&G[KANE_TURNS], km3_mul(G[KANE_SPINS], boxes->spin_turn));
        G[KANE_TURNS] = km3_mul(G[KANE_TURNS], boxes->P);
        G[KANE_SPINS] = km3_mul(G[KANE_SPINS], boxes->P);
    }
}
