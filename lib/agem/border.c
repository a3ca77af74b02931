// SPDX-License-Identifier: MIT
// A frame passes a border of the track (docs/theory.md, section 5).
//
// With everything kept the absolute motion stays. Where the frame's velocity jumps by [v_o] and its angular velocity by [w],
// this is what the imaginary terms do, a_o and epsilon having impulses there:
//   m [v'] = -m [v_o] - m [w] x r        J [w'] = -J [w]
// A term that is omitted is omitted here, too: its impulse is taken back. So is the displacement where the frame's attitude
// jumps, in which epsilon counts twice integrated:  m [r] = -m turn x r,  J [rotation] = -J turn.

#include "agem/border.h"

#include "agem/joined.h"
#include "agem/relative.h"

#include <stdio.h>
#include <string.h>

// What attitudes [rad] and angular velocities, relative to their size, differ by without a jump: round-off of the formulas of
// two pieces of the line.
static const double round_off = 1e-10;

kane_frame_jump kane_jump_of(const kane_transport *before, const kane_transport *after)
{
    const kane_mat3 D     = km3_tmul(after->R, before->R);
    const kane_vec3 omega = km3_mulv(D, before->omega);
    kane_frame_jump jump  = {
         .turn  = kv3_scale(0.5, kv3(D.z.y - D.y.z, D.x.z - D.z.x, D.y.x - D.x.y)), // R+ = R- D', and D' = 1 + turn x
         .v_o   = kv3_sub(after->v_o, km3_mulv(D, before->v_o)),
         .omega = kv3_sub(after->omega, omega),
    };
    if (kv3_norm(jump.turn) <= round_off)
        jump.turn = jump.v_o = kv3_zero();
    if (kv3_norm(jump.omega) <= round_off * (kv3_norm(after->omega) + kv3_norm(omega)))
        jump.omega = kv3_zero();
    jump.any = kv3_norm(jump.turn) + kv3_norm(jump.omega) > 0.0;
    return jump;
}

// Integrals of the terms while the frame turns by `turn` and gains v_o and omega in no time, to first order of the turn. Then
// omega is a pulse and epsilon its derivative, so that epsilon also meets what moves meanwhile:
//   -m int(epsilon x r) = -m [w] x r + m turn x v          -int(J epsilon) = -J [w] + int(J' w),   J' = w' x J - J w' x
kane_imaginary kane_jump_strike(const kane_frame_jump *jump, const kane_body *body, const kane_body_state *b)
{
    const kane_vec3 turn       = jump->turn;
    const kane_inertia J       = kane_body_inertia(body, b);
    const kane_transport gains = {.a_o = jump->v_o, .epsilon = jump->omega}, turns = {.omega = turn};
    const kane_vec3 J_dot_turn =
        kv3_sub(kv3_cross(b->w, kane_inertia_mul(&J, turn)), kane_inertia_mul(&J, kv3_cross(b->w, turn)));
    kane_imaginary impulse, other;
    kane_imaginary_eval(&gains, body->mass, &J, b->r, kv3_zero(), kv3_zero(), &impulse);
    kane_imaginary_eval(&turns, body->mass, &J, b->r, b->v, b->w, &other);
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        impulse.term[kind][KANE_GYROSCOPIC] = other.term[kind][KANE_GYROSCOPIC];
    kane_vec3 *force  = &impulse.term[KANE_FORCE][KANE_ROTATION];
    kane_vec3 *torque = &impulse.term[KANE_TORQUE][KANE_ROTATION];
    *force            = kv3_add_scaled(*force, body->mass, kv3_cross(turn, b->v));
    *torque           = kv3_add(*torque, J_dot_turn);
    return impulse;
}

kane_imaginary kane_jump_displace(const kane_frame_jump *jump, const kane_body *body, const kane_body_state *b)
{
    const kane_transport turns = {.epsilon = jump->turn};
    const kane_inertia J       = kane_body_inertia(body, b);
    kane_imaginary moment;
    kane_imaginary_eval(&turns, body->mass, &J, b->r, kv3_zero(), kv3_zero(), &moment);
    return moment;
}

// --- what is taken down ---

void kane_border_begin(const kane_model *model, kane_work *work)
{
    memset(work->impulse, 0, (size_t)model->body_count * sizeof *work->impulse);
    memset(work->lost, 0, sizeof work->lost);
}

void kane_border_record(const kane_model *model, kane_work *work, int j, const kane_imaginary *impulse)
{
    const kane_body *body = &model->bodies[j];
    if (body->absolute) // has no imaginary terms
        return;
    work->omitted[j] = kane_imaginary_sum(body, impulse, KANE_SHARE_OMITTED);
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        for (int term = 0; term < KANE_IMAGINARY_TERMS; term++) {
            kane_vec3 *sum = &work->impulse[j].term[kind][term];
            *sum           = kv3_add(*sum, impulse->term[kind][term]);
            for (int axis = 0; axis < 3; axis++) {
                const double size = fabs(kv3_get(impulse->term[kind][term], axis));
                if (kv3_get(body->keep[kind][term], axis) == 0.0 && size > work->lost[kind].size)
                    work->lost[kind] = (kane_lost_impulse){size, j, term, axis};
            }
        }
}

kane_vec3 kane_get_impulse(const kane_model *model, const kane_work *work, int j, kane_wrench_kind kind,
                           kane_imaginary_term term)
{
    (void)model;
    return work->impulse[j].term[kind][term];
}

double kane_get_omitted_impulse(const kane_model *model, const kane_work *work, kane_wrench_kind kind, size_t size,
                                char *term)
{
    const kane_lost_impulse *lost = &work->lost[kind];
    (void)snprintf(term, size, "%s", "");
    if (lost->size > 0.0)
        (void)snprintf(term, size, "%s:%s.%s.%s", model->bodies[lost->body].name, kane_wrench_kind_name(kind),
                       kane_imaginary_term_name((kane_imaginary_term)lost->term), kane_axis_name(lost->axis));
    return lost->size;
}

static kane_vec3 absolute_velocity(const kane_transport *T, const kane_body_state *b)
{
    return kv3_add(kv3_add(T->v_o, b->v), kv3_cross(T->omega, b->r));
}

// Bodies that are described in a frame, or in one that it carries, and pass borders with it; panels of track know only their
// section.
static int passes(const kane_model *model, int j, int frame)
{
    return model->frames[model->bodies[j].frame].carrier == frame && !model->bodies[j].panel;
}

static int is_complete(const kane_wrench *omitted)
{
    return kv3_norm(omitted->force) + kv3_norm(omitted->torque) == 0.0;
}

// An impulse that is left out works like one of the opposite sign: its work is that along the mean of the velocities before and
// behind it.
static double work_left_out(const kane_model *model, kane_work *work, int frame, const double *y)
{
    double sum = 0.0;
    int any    = 0;
    for (int j = 0; j < model->body_count; j++)
        any = any || (passes(model, j, frame) && !is_complete(&work->omitted[j]));
    if (!any)
        return 0.0;
    (void)kane_joined_move(model, work, y);
    for (int i = 0; i < model->tree.link_count; i++)
        kane_joined_show(model, work, i);
    for (int j = 0; j < model->body_count; j++) {
        const kane_body_state *b = &work->body[j];
        const kane_transport *T  = &work->transport[model->bodies[j].frame];
        if (!passes(model, j, frame))
            continue;
        const kane_vec3 v = kv3_add(work->approach[j][0], absolute_velocity(T, b));
        const kane_vec3 w = kv3_add(work->approach[j][1], kv3_add(T->omega, b->w));
        sum -= 0.5 * (kv3_dot(work->omitted[j].force, v) + kv3_dot(work->omitted[j].torque, w));
    }
    return sum;
}

// --- a border ---

void kane_work_skip_border(const kane_model *model, kane_work *work, int frame)
{
    work->piece[frame]++;
    kane_work_anchor(model, work);
}

// Where a frame is and how it moves as the present pieces say, in axes at rest: those of A, from the start point of piece
// `from` of the line, which is near; in the fixed formulation the world's.
static kane_transport frame_at_rest(const kane_model *model, const kane_work *work, int f, int from)
{
    const kane_track_frame *g = &work->track_frame[0];
    kane_transport T          = work->transport[f];
    if (model->formulation != KANE_MOVING)
        return T;
    const kane_vec3 start =
        kv3_sub(kane_track_anchor(model->track, work->piece[0]), kane_track_anchor(model->track, from));
    T.r_o = kv3_add(kv3_add(start, g->origin), km3_mulv(g->R, T.r_o));
    T.R   = km3_mul(g->R, T.R);
    return T;
}

// The absolute motion stays, the frame changes. Where a frame passes with its wheelset it is not quite at the border, and
// the two formulas put it at different places there, too.
void kane_work_pass_border(const kane_model *model, kane_work *work, int frame, double t, double *y)
{
    const int piece = work->piece[0];
    kane_frames_eval(model, work, t, y);
    (void)kane_joined_move(model, work, y);
    for (int i = 0; i < model->tree.link_count; i++)
        kane_joined_show(model, work, i);
    for (int f = 0; f < model->frame_count; f++)
        if (model->frames[f].carrier == frame)
            work->crossing[f].before = frame_at_rest(model, work, f, piece);

    kane_work_skip_border(model, work, frame);
    kane_frames_eval(model, work, t, y);
    for (int f = 0; f < model->frame_count; f++) {
        kane_crossing *crossing = &work->crossing[f];
        if (model->frames[f].carrier != frame)
            continue;
        crossing->after = frame_at_rest(model, work, f, piece);
        crossing->jump  = kane_jump_of(&crossing->before, &crossing->after);
    }
    for (int j = 0; j < model->body_count; j++) {
        const kane_body_state *b      = &work->body[j];
        const kane_crossing *crossing = &work->crossing[model->bodies[j].frame];
        work->omitted[j]              = (kane_wrench){kv3_zero(), kv3_zero()};
        if (!passes(model, j, frame))
            continue;
        const kane_mat3 D    = km3_tmul(crossing->after.R, crossing->before.R);
        work->approach[j][0] = km3_mulv(D, absolute_velocity(&crossing->before, b));
        work->approach[j][1] = km3_mulv(D, kv3_add(crossing->before.omega, b->w));
    }
    kane_joined_pass_border(model, work, frame, y);
    work->omitted_work = work_left_out(model, work, frame, y);
}
