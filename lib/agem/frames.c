// SPDX-License-Identifier: MIT
// Transportation: place and motion of every frame (docs/theory.md, sections 1 and 4).

#include "agem/work.h"

// The world of an evaluation: axes at rest. Moving formulation: those that coincide with frame 0 at the instant, so
// that numbers stay small; fixed formulation and mechanisms: A.
static int world_travels(const kane_model *model)
{
    return model->formulation == KANE_MOVING && model->frames[0].kind == KANE_FRAME_TRACK;
}

// Whether the origin is beside the line.
static int is_beside(const kane_frame *frame)
{
    return frame->beside.y != 0.0 || frame->beside.z != 0.0;
}

// Attitude and place in the world, g the frame on the line and 0 the first one:
//   moving  R = R_0' R_g,  r_o = R_0' (anchor + origin_g - origin_0)        fixed  R = R_g,  r_o = anchor + origin_g
// and + R d for a frame at d beside the line.
static void place_track_frame(const kane_model *model, kane_work *work, int f)
{
    const kane_track_frame *g = &work->track_frame[f];
    kane_transport *T         = &work->transport[f];

    if (world_travels(model)) {
        const kane_track_frame *g0 = &work->track_frame[0];
        T->R                       = km3_tmul(g0->R, g->R);
        T->r_o                     = km3_tmulv(g0->R, kv3_add(work->anchor[f], kv3_sub(g->origin, g0->origin)));
    } else {
        T->R   = g->R;
        T->r_o = kv3_add(work->anchor[f], g->origin);
    }
    if (is_beside(&model->frames[f]))
        T->r_o = kv3_add(T->r_o, km3_mulv(T->R, model->frames[f].beside));
}

// Origin of a travelling world in A [m].
static kane_vec3 world_origin(const kane_model *model, const kane_work *work)
{
    return kv3_add(kane_track_anchor(model->track, work->piece[0]), work->track_frame[0].origin);
}

// Place of a frame known in A, in the world:  r_o <- R_0' (r_o - origin of the world),   R <- R_0' R.
static void place_in_A(const kane_model *model, const kane_work *work, kane_transport *T)
{
    if (!world_travels(model))
        return;
    T->r_o = km3_tmulv(work->track_frame[0].R, kv3_sub(T->r_o, world_origin(model, work)));
    T->R   = km3_tmul(work->track_frame[0].R, T->R);
}

// A frame at rest in A, or moved against it by a user function.
static void move_against_A(const kane_model *model, const kane_work *work, int f, double t, kane_transport *T)
{
    *T = kane_transport_rest();
    if (model->frames[f].motion)
        model->frames[f].motion(model->frames[f].data, t, T);
    place_in_A(model, work, T);
}

// Acceleration of the frames of a driven vehicle: they follow the guide (docs/theory.md, section 4). With x its
// distance ahead of its frame, l the follower's rate and the state b, which takes the steady acceleration,
//   a = b + 2 l^2 x + 2 l dx/dt     b' = l^3 x
//   r, v  of the guide, in the frame that describes it. x is its first freedom, which is never removed.
static void set_frame_accel(const kane_model *model, kane_work *work, kane_vec3 r, kane_vec3 v)
{
    const kane_body *guide  = &model->bodies[model->guide];
    const kane_transport *T = &work->transport[0];
    double x = r.x, x_dot = v.x;

    if (guide->frame != guide->track_frame) { // described in A
        const kane_vec3 relative = km3_tmulv(T->R, kv3_sub(r, T->r_o));
        const kane_vec3 omega    = kv3_scale(work->v, work->track_frame[0].Omega);
        const kane_vec3 arm      = kv3_add(relative, model->frames[0].beside);
        x                        = relative.x;
        x_dot                    = kv3_dot(T->R.x, v) - work->v - kv3_cross(omega, arm).x;
    }
    const double rate = model->follow_rate;
    work->a           = work->b + 2.0 * rate * (rate * x + x_dot);
    work->b_dot       = rate * rate * rate * x;
}

// Origin at d beside the line (docs/mechanisms.md, frames):
//   v_o += omega x d,   a_o += epsilon x d + omega x (omega x d)
static void step_aside(kane_vec3 beside, kane_transport *T)
{
    const kane_vec3 v = kv3_cross(T->omega, beside);
    T->v_o            = kv3_add(T->v_o, v);
    T->a_o            = kv3_add(T->a_o, kv3_add(kv3_cross(T->epsilon, beside), kv3_cross(T->omega, v)));
}

// v_o, a_o, omega, epsilon of track frames (kane_track_transport), then of given frames relative to known ones.
static void set_frame_motions(const kane_model *model, kane_work *work)
{
    for (int f = 0; f < model->frame_count; f++) {
        if (model->frames[f].kind != KANE_FRAME_TRACK)
            continue;
        kane_track_transport(&work->track_frame[f], work->v, work->a, &work->transport[f]);
        if (is_beside(&model->frames[f]))
            step_aside(model->frames[f].beside, &work->transport[f]);
    }
    if (model->carried.link_count > 0)
        kane_carried_move(model, work->t, work->transport, &work->carried);
}

// Given frames at another time t, track frames as in the last evaluation.
void kane_frames_given(const kane_model *model, kane_work *work, double t, kane_transport *frames)
{
    for (int f = 0; f < model->frame_count; f++) {
        frames[f] = work->transport[f];
        if (model->frames[f].motion)
            move_against_A(model, work, f, t, &frames[f]);
    }
    kane_carried_move(model, t, frames, &work->carried);
}

// Derivatives of a_o and epsilon by the acceleration a along the line, frame axes:  e_x + Omega x arm,   Omega,
// arm from the line to the frame's origin [m].
kane_wrench kane_frame_gain(const kane_model *model, const kane_work *work, int f)
{
    const int carrier = model->frames[f].carrier;
    if (carrier < 0)
        return (kane_wrench){kv3_zero(), kv3_zero()};
    const kane_transport *T = &work->transport[carrier];
    const kane_vec3 Omega = work->track_frame[carrier].Omega, beside = model->frames[carrier].beside;
    if (carrier == f)
        return (kane_wrench){kv3_add(kv3_unit(0), kv3_cross(Omega, beside)), Omega};
    const kane_vec3 arm = kv3_add(beside, km3_tmulv(T->R, kv3_sub(work->transport[f].r_o, T->r_o)));
    const kane_mat3 R   = km3_tmul(T->R, work->transport[f].R);
    return (kane_wrench){km3_tmulv(R, kv3_add(kv3_unit(0), kv3_cross(Omega, arm))), km3_tmulv(R, Omega)};
}

// Whether the guide's speeds belong to a cluster: its velocity is known only after the cluster is solved.
static int reference_body_comes_late(const kane_model *model)
{
    return kane_model_is_driven(model) && model->bodies[model->guide].u_count == 0;
}

// The follower of such a guide, after its cluster is solved. Returns 1 if the frames' motion has changed.
int kane_frames_follow(const kane_model *model, kane_work *work)
{
    if (!reference_body_comes_late(model) || work->steady)
        return 0;
    const kane_link *link = &model->tree.links[model->bodies[model->guide].link];
    const double *q = work->tree.q + link->q, *v = work->tree.v + link->v;
    const kane_vec3 r = kv3(q[KANE_X], q[KANE_Y], q[KANE_Z]);
    const int is_body = link->kind == KANE_LINK_BODY;
    set_frame_accel(model, work, r, kv3(v[0], is_body ? v[1] : 0.0, is_body ? v[2] : 0.0));
    set_frame_motions(model, work);
    return 1;
}

// s, v, a of the travel, then place and motion of all frames, and gravity in world axes. Geometry first: the follower
// needs the place of its frame, and all frames need the follower.
void kane_frames_eval(const kane_model *model, kane_work *work, double t, const double *y)
{
    work->t = t;
    work->s = work->v = work->a = work->b = work->b_dot = 0.0;
    if (kane_model_is_driven(model)) {
        work->s = y[0];
        work->v = y[1];
        work->b = y[2];
    } else if (model->travel_count) {
        work->s = y[0];
        model->travel.eval(model->travel.data, t, work->s, &work->v, &work->a);
    } else if (model->piece_count) {
        kane_model_travel(model, work->speed_piece, t, &work->s, &work->v, &work->a);
    }

    // geometry first: the follower needs it, and all frames need the follower
    for (int f = 0; f < model->frame_count; f++) {
        const kane_frame *frame = &model->frames[f];
        if (frame->kind == KANE_FRAME_TRACK) {
            kane_track_eval(model->track, work->piece[f], work->s + frame->offset, &work->track_frame[f]);
            place_track_frame(model, work, f);
        } else if (frame->link < 0 && frame->kind != KANE_FRAME_SECTION) {
            move_against_A(model, work, f, t, &work->transport[f]);
        }
    }
    if (work->steady) {
        work->a = 0.0;
    } else if (kane_model_is_driven(model) && !reference_body_comes_late(model)) {
        const kane_body *guide = &model->bodies[model->guide];
        const double *r = y + guide->q, *v = y + guide->u;
        const int is_whole = guide->frame != guide->track_frame; // only what has all freedoms is described in A
        set_frame_accel(model, work, kv3(r[0], r[1], r[2]), kv3(v[0], is_whole ? v[1] : 0.0, is_whole ? v[2] : 0.0));
    }
    set_frame_motions(model, work);

    const kane_vec3 down = kv3(0.0, 0.0, -model->gravity);
    work->gravity        = world_travels(model) ? km3_tmulv(work->track_frame[0].R, down) : down;
}

// Arc length beyond the end of the frame's piece [m], of the wheelset for its rail frame.
double kane_work_beyond(const kane_model *model, const kane_work *work, int f)
{
    const kane_frame *frame = &model->frames[f];
    const double s          = frame->wheels >= 0 ? work->wheels[frame->wheels].s : work->s + frame->offset;
    return s - kane_track_piece_start(model->track, work->piece[f] + 1);
}

// Pieces of track and speed at s + offset of every frame.
void kane_work_locate_frames(const kane_model *model, kane_work *work, double t, const double *y)
{
    work->speed_piece = 0;
    double s          = 0.0, v, a;
    if (model->travel_count) {
        s = y[0];
    } else if (model->piece_count) {
        work->speed_piece = kane_model_speed_piece(model, t);
        kane_model_travel(model, work->speed_piece, t, &s, &v, &a);
    }
    for (int f = 0; f < model->frame_count; f++)
        if (model->frames[f].kind == KANE_FRAME_TRACK)
            work->piece[f] = kane_track_find(model->track, s + model->frames[f].offset);
    kane_work_anchor(model, work);
    kane_section_joint_begin(model, work);
}

// A wheelset may be on the other side of a section joint than its frame: its rail frame gets the wheelset's piece.
void kane_work_locate(const kane_model *model, kane_work *work, double t, const double *y)
{
    kane_work_locate_frames(model, work, t, y);
    if (model->wheels_count == 0 || kane_motion_eval(model, work, t, y) != KANE_OK) // kane_eval will say what is wrong
        return;
    for (int i = 0; i < model->wheels_count; i++)
        work->piece[model->wheels[i].frame] = kane_track_find(model->track, work->wheels[i].s);
    kane_work_anchor(model, work);
}

// Start points of the frames' pieces; in a travelling world relative to that of frame 0, so that numbers stay small.
void kane_work_anchor(const kane_model *model, kane_work *work)
{
    for (int f = 0; f < model->frame_count; f++) {
        if (model->frames[f].kind != KANE_FRAME_TRACK)
            continue;
        work->anchor[f] = kane_track_anchor(model->track, work->piece[f]);
        if (world_travels(model))
            work->anchor[f] = kv3_sub(work->anchor[f], kane_track_anchor(model->track, work->piece[0]));
    }
}

void kane_work_pass_speed(kane_work *work)
{
    work->speed_piece++;
}

// Attitude and origin of the world in A.
kane_transport kane_work_world(const kane_model *model, const kane_work *work)
{
    kane_transport T = kane_transport_rest();
    if (world_travels(model)) {
        T.R   = work->track_frame[0].R;
        T.r_o = world_origin(model, work);
    }
    return T;
}

// A point of the world in A [m].
kane_vec3 kane_work_in_A(const kane_model *model, const kane_work *work, kane_vec3 r_w)
{
    const kane_transport T = kane_work_world(model, work);
    return kv3_add(T.r_o, km3_mulv(T.R, r_w));
}
