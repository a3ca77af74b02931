// SPDX-License-Identifier: MIT
// Frames beside the line, and frames that move against track frames or against A: how they move, and that the
// accelerations of a vehicle are the same whatever frames it is described in.

#include "property/agem/jacobian.h"
#include "property/frames/composed.h"

// --- frames by functions of time ---

static const double swing[4] = {0.1, 0.3, 2.1, 0.4}, along[] = {0.2, -0.3, 0.1}, turning[] = {0.5, -0.2};
static const double shore_x[] = {35.0, 20.0, -0.3}, shore_y[4] = {0.2, 0.5, 1.1, 0.3};

enum { SHORE = 1, BOOM, SWING, BED, FRAMES = 4 }; // frame 0 is the guide's

typedef struct frames {
    kane_joint_definition joints[FRAMES];
    kane_motion_definition motions[FRAMES][4];
    kane_given_frame given[FRAMES];
} frames;

static kane_function polynomial(int count, const double *coefficients)
{
    return (kane_function){.kind = KANE_FUNCTION_POLYNOMIAL, .count = count, .coefficients = coefficients};
}

static kane_function sine(const double c[4])
{
    return (kane_function){.kind = KANE_FUNCTION_SINE, .count = 4, .coefficients = c};
}

// A shore that goes past in A, about as fast as the vehicle; a swing on the track frame of `body`, a boom on the swing,
// and a bed that lies still on that track frame.
static void build_frames(frames *f, const char *body)
{
    *f                         = (frames){.joints = {{.kind = KANE_JOINT_FREE, .dof = KANE_ALL_DOF, .motion_count = 3},
                                                     {.kind = KANE_JOINT_REVOLUTE, .motion_count = 1},
                                                     {.kind = KANE_JOINT_FREE, .dof = KANE_ALL_DOF, .motion_count = 4},
                                                     {.kind = KANE_JOINT_WELD}}};
    const kane_vec3 at[FRAMES] = {{0.0, 0.2, 0.6}, {1.1, 0.3, 1.2}, {1.0, 0.5, 0.9}, {1.3, -0.2, 0.1}};
    for (int i = 0; i < FRAMES; i++) {
        f->joints[i].from.at = f->joints[i].to.at = at[i];
        f->joints[i].motions                      = f->motions[i];
    }
    f->motions[0][0] = (kane_motion_definition){.coordinate = 0, .function = polynomial(3, shore_x)};
    f->motions[0][1] = (kane_motion_definition){.coordinate = 1, .function = sine(shore_y)};
    f->motions[0][2] = (kane_motion_definition){.coordinate = 3, .function = polynomial(2, turning), .is_rate = 1};
    f->motions[1][0] = (kane_motion_definition){.function = polynomial(2, turning), .is_rate = 1};
    f->motions[2][0] = (kane_motion_definition){.coordinate = 1, .function = sine(swing)};
    f->motions[2][1] = (kane_motion_definition){.coordinate = 3, .function = polynomial(3, along)};
    f->motions[2][2] = (kane_motion_definition){.coordinate = 4, .function = sine(swing)};
    f->motions[2][3] = (kane_motion_definition){.coordinate = 5, .function = polynomial(3, along)};
    f->given[0]      = (kane_given_frame){.block = {"shore", NULL}, .joint = &f->joints[0]};
    f->given[1]      = (kane_given_frame){.block = {"boom", NULL}, .relative = "swing", .joint = &f->joints[1]};
    f->given[2]      = (kane_given_frame){.block = {"swing", NULL}, .relative = body, .joint = &f->joints[2]};
    f->given[3]      = (kane_given_frame){.block = {"bed", NULL}, .relative = body, .joint = &f->joints[3]};
}

static void put_aside(kane_body_definition *body, double y, double z)
{
    body->frame_offset[0] = y;
    body->frame_offset[1] = z;
}

// The same vehicle in other frames: all of the line's beside it, one body in a frame on a frame of those.
static void describe_otherwise(parts *p, frames *f)
{
    build_frames(f, "frame");
    put_aside(&p->bodies[0], 0.3, -0.2);
    put_aside(&p->bodies[1], -0.7, 0.4);
    put_aside(&p->bodies[2], 1.5, 0.9);
    put_aside(&p->bodies[3], -0.1, 0.2);
    put_aside(&p->bodies[5], 0.4, 2.0);
    p->bodies[4].frame           = "boom";
    p->vehicle.given_frames      = f->given;
    p->vehicle.given_frame_count = FRAMES;
    p->elements[6].between[0]    = "bed"; // what "track" was to the box
}

// Another vehicle: what moves with frames is held by them, by removed freedoms and by elements.
static void hold_by_frames(parts *p, frames *f)
{
    describe_otherwise(p, f);
    put_aside(&p->bodies[2], 0.0, 0.0);
    put_aside(&p->bodies[5], 0.0, 0.0);
    p->bodies[2].frame        = "shore";
    p->bodies[5].frame        = "swing";
    p->elements[6].between[0] = "swing"; // to the box, which is on the boom
    p->elements[9].between[1] = "boom";
}

// --- how they move ---

static const kane_track *line; // for motions by hand
static double line_start, line_speed, line_growth, line_ahead;
static kane_vec3 line_beside;
static int line_piece;

static composed_pose on_line(double t)
{
    kane_track_frame g;
    const double s = line_start + line_speed * t + 0.5 * line_growth * t * t + line_ahead;
    kane_track_eval(line, line_piece, s, &g);
    const kane_vec3 origin = kv3_add(kane_track_anchor(line, line_piece), g.origin);
    return (composed_pose){g.R, kv3_add(origin, km3_mulv(g.R, line_beside))};
}

static double integral_of_turning(double t)
{
    return turning[0] * t + 0.5 * turning[1] * t * t;
}

static double along_at(double t)
{
    return along[0] + along[1] * t + along[2] * t * t;
}

static double swing_at(double t)
{
    return swing[0] + swing[1] * sin(swing[2] * t + swing[3]);
}

// Drawn at (1, .5, .9); the frame that it goes along with at (3, -.7, .4).
static composed_pose on_swing(double t)
{
    const kane_mat3 R =
        km3_mul(composed_turn(2, along_at(t)), km3_mul(composed_turn(0, swing_at(t)), composed_turn(1, along_at(t))));
    const composed_pose own = {R, kv3(1.0 - 3.0, 0.5 + 0.7 + swing_at(t), 0.9 - 0.4)};
    return composed_on(on_line(t), own);
}

static composed_pose on_boom(double t)
{
    return composed_on(on_swing(t), (composed_pose){composed_turn(2, integral_of_turning(t)), kv3(0.1, -0.2, 0.3)});
}

static composed_pose on_shore(double t)
{
    const double x = shore_x[0] + shore_x[1] * t + shore_x[2] * t * t;
    const double y = shore_y[0] + shore_y[1] * sin(shore_y[2] * t + shore_y[3]);
    return (composed_pose){composed_turn(2, integral_of_turning(t)), kv3(x, 0.2 + y, 0.6)};
}

// From the world of an evaluation to A.
static kane_transport in_A(const twin *t, int f, int world_travels)
{
    kane_transport T = t->work->transport[f];
    if (world_travels) {
        const kane_mat3 R0 = t->work->track_frame[0].R;
        T.r_o              = kane_work_in_A(t->model, t->work, T.r_o);
        T.R                = km3_mul(R0, T.R);
    }
    return T;
}

// Prescribed: twin.h begins at 35 m with 22 m/s and -.8 m/s^2; the body "frame" is 3 m ahead of the guide.
CHECK_TEST(frames_move_as_they_are_composed_by_hand)
{
    parts p;
    frames f;
    build(&p);
    describe_otherwise(&p, &f);
    CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_BLOSS);
    line                           = track;
    line_start                     = 35.0;
    line_speed                     = 22.0;
    line_growth                    = -0.8;
    for (int formulation = 0; formulation < 2; formulation++)
        for (int i = 1; i < 5; i++) {
            const double time         = 0.2 * i;
            CHECK_END(destroy) twin t = {0};
            create(&t, &p, track, (kane_formulation)formulation, 0, 0);
            scatter(&t, 1, time);
            const int moving         = formulation == KANE_MOVING;
            const kane_transport own = in_A(&t, t.model->bodies[1].track_frame, moving);
            line_ahead               = 3.0;
            line_beside              = kv3(0.0, -0.7, 0.4);
            line_piece               = t.work->piece[t.model->bodies[1].track_frame];
            composed_check(&own, on_line, time, "beside the line");
            const kane_transport shore = in_A(&t, SHORE, moving), boom = in_A(&t, BOOM, moving),
                                 carried = in_A(&t, SWING, moving);
            composed_check(&shore, on_shore, time, "shore");
            composed_check(&carried, on_swing, time, "swing");
            composed_check(&boom, on_boom, time, "boom");
        }
}

// --- what is the same ---

// The motion of one twin in the frames of another.
static void copy_motion(const twin *from, twin *to, double time)
{
    memcpy(to->y, from->y, (size_t)from->model->travel_count * sizeof *to->y);
    kane_work_locate(to->model, to->work, time, to->y);
    kane_frames_eval(to->model, to->work, time, to->y);
    for (int j = 0; j < from->model->body_count; j++) {
        const kane_body_state *b = &from->work->body[j];
        const kane_body *body    = &to->model->bodies[j];
        const kane_transport *T  = &to->work->transport[body->track_frame];
        const kane_mat3 facing   = km3_mul(from->work->transport[from->model->bodies[j].frame].R, b->R);
        const kane_vec3 r        = km3_tmulv(T->R, kv3_sub(b->r_w, T->r_o));
        kane_relative_motion m   = {.q = {r.x, r.y, r.z}};
        kane_angles_from_matrix(km3_tmul(T->R, facing), &m.q[KANE_YAW]);
        m.v = kv3_sub(kv3_sub(km3_tmulv(T->R, b->v_w), T->v_o), kv3_cross(T->omega, r));
        m.w = kv3_sub(km3_tmulv(T->R, b->w_w), T->omega);
        kane_relative_put(to->model, to->work, j, &m, to->y);
    }
    memcpy(to->y + to->model->u_end, from->y + from->model->u_end,
           (size_t)(from->model->state_count - from->model->u_end) * sizeof *to->y);
    assert_int_equal(kane_eval(to->model, to->work, time, to->y, to->ydot), KANE_OK);
}

// Absolute accelerations, axes of the world: those of a moving world, that is of frame 0 at the instant.
static void accelerations(const twin *t, int j, kane_vec3 *p, kane_vec3 *alpha)
{
    const kane_mat3 R = t->work->transport[t->model->bodies[j].track_frame].R;
    kane_get_absolute(t->model, t->work, j, NULL, NULL, p, alpha);
    *p     = km3_mulv(R, *p);
    *alpha = km3_mulv(R, *alpha);
    if (t->model->formulation == KANE_FIXED) {
        *p     = km3_tmulv(t->work->track_frame[0].R, *p);
        *alpha = km3_tmulv(t->work->track_frame[0].R, *alpha);
    }
}

static void compare(const twin *a, const twin *b, double tolerance)
{
    for (int j = 0; j < a->model->body_count; j++) {
        kane_vec3 p[2], e[2];
        accelerations(a, j, &p[0], &e[0]);
        accelerations(b, j, &p[1], &e[1]);
        check_vec3(p[1], p[0], tolerance * (1.0 + kv3_norm(p[0])));
        check_vec3(e[1], e[0], tolerance * (1.0 + kv3_norm(e[0])));
    }
    if (a->model->travel_count)
        check_near(b->ydot[1], a->ydot[1], tolerance);
}

CHECK_TEST(accelerations_do_not_depend_on_frames)
{
    parts plain, other;
    frames f;
    build(&plain);
    build(&other);
    describe_otherwise(&other, &f);
    for (int driven = 0; driven < 2; driven++) {
        CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_SINE);
        for (int way = 0; way < 3; way++) {
            CHECK_END(destroy) twin a = {0}, b = {0};
            create(&a, &plain, track, way == 2 ? KANE_FIXED : KANE_MOVING, 0, driven);
            create(&b, &other, track, way == 2 ? KANE_FIXED : KANE_MOVING, way == 1, driven);
            for (uint64_t seed = 1; seed < 10; seed++) {
                const double time = 0.08 * (double)seed;
                scatter(&a, seed, time);
                copy_motion(&a, &b, time);
                compare(&a, &b, 1e-9);
            }
        }
    }
}

// What frames hold moves the same in moving frames, with imaginary terms one by one, and in A.
CHECK_TEST(what_frames_hold_moves_the_same_in_all_formulations)
{
    parts p;
    frames f;
    build(&p);
    hold_by_frames(&p, &f);
    for (int driven = 0; driven < 2; driven++) {
        CHECK_OWNED(kane_track) *track = model_track(-1.0, KANE_COSINE);
        CHECK_END(destroy) twin moving = {0}, imaginary_as_forces = {0}, fixed = {0};
        create(&moving, &p, track, KANE_MOVING, 0, driven);
        create(&imaginary_as_forces, &p, track, KANE_MOVING, 1, driven);
        create(&fixed, &p, track, KANE_FIXED, 0, driven);
        for (uint64_t seed = 1; seed < 10; seed++) {
            const double time = 0.08 * (double)seed;
            scatter(&moving, seed, time);
            scatter(&imaginary_as_forces, seed, time);
            scatter(&fixed, seed, time);
            compare(&moving, &imaginary_as_forces, 1e-10);
            compare(&moving, &fixed, 1e-9);
        }
    }
}

CHECK_TEST(the_jacobian_is_the_derivative)
{
    CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_BLOSS);
    for (int held = 0; held < 2; held++)
        for (int variant = 0; variant < 6; variant++) {
            parts p;
            frames f;
            CHECK_END(destroy) twin t = {0};
            build(&p);
            (held ? hold_by_frames : describe_otherwise)(&p, &f);
            create(&t, &p, track, variant % 3 == 2 ? KANE_FIXED : KANE_MOVING, variant % 3 == 1, variant / 3);
            for (uint64_t seed = 1; seed < 4; seed++) {
                scatter(&t, seed, 0.1 * (double)seed);
                check_jacobian(&t, 0.1 * (double)seed, 1e-6);
            }
        }
}

CHECK_MAIN(NULL, NULL)
