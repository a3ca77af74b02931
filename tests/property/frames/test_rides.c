// SPDX-License-Identifier: MIT
// A vehicle with a mechanism on it rides through a transition, over borders where attitude and angular velocity of the
// line's frames jump, described in track frames; and in other frames: beside the line, and moving against a track
// frame.

#include "property/mechanism/ride.h"

static const double sway[4] = {0.05, 0.2, 1.9, 0.3}, drift[] = {0.1, 0.3, -0.2}, turning[] = {0.6, 0.4};

typedef struct scene {
    rig r;
    kane_joint_definition joints[2];
    kane_motion_definition motions[2][4];
    kane_given_frame frames[2];
} scene;

static kane_function polynomial(int count, const double *coefficients)
{
    return (kane_function){.kind = KANE_FUNCTION_POLYNOMIAL, .count = count, .coefficients = coefficients};
}

// A deck that sways and drifts against the bogie's track frame, and a table that turns on it.
static void add_frames(scene *s)
{
    const kane_function wave = {.kind = KANE_FUNCTION_SINE, .count = 4, .coefficients = sway};
    const kane_vec3 deck = kv3(2.0, 0.3, 1.5), table = kv3(1.5, -0.2, 1.9);
    s->joints[0]     = (kane_joint_definition){.kind         = KANE_JOINT_FREE,
                                               .dof          = KANE_ALL_DOF,
                                               .from         = {.at = deck, .axes = rig_turned()},
                                               .to           = {.at = deck, .axes = rig_turned()},
                                               .motion_count = 4,
                                               .motions      = s->motions[0]};
    s->motions[0][0] = (kane_motion_definition){.coordinate = 0, .function = polynomial(3, drift)};
    s->motions[0][1] = (kane_motion_definition){.coordinate = 2, .function = wave};
    s->motions[0][2] = (kane_motion_definition){.coordinate = 3, .function = wave};
    s->motions[0][3] = (kane_motion_definition){.coordinate = 5, .function = polynomial(2, turning), .is_rate = 1};
    s->joints[1]     = (kane_joint_definition){.kind         = KANE_JOINT_REVOLUTE,
                                               .from         = {.at = table},
                                               .to           = {.at = table},
                                               .motion_count = 1,
                                               .motions      = s->motions[1]};
    s->motions[1][0] = (kane_motion_definition){.function = polynomial(2, turning), .is_rate = 1};
    s->frames[0]     = (kane_given_frame){.block = {"deck", NULL}, .relative = "bogie", .joint = &s->joints[0]};
    s->frames[1]     = (kane_given_frame){.block = {"table", NULL}, .relative = "deck", .joint = &s->joints[1]};
    s->r.vehicle.given_frames      = s->frames;
    s->r.vehicle.given_frame_count = 2;
}

enum { IN_TRACK_FRAMES, IN_FRAMES, ON_FRAMES };

static const kane_vec3 hub_joint = {1.7, 0.4, 1.8};

// On the vehicle: a hub that is free with an arm and a disc, a mass that is free by itself, springs from both to car
// and bogie, and a rod from the hub to the bogie.
static void build(scene *s, int otherwise)
{
    rig *r = &s->r;
    rig_begin_vehicle(r);
    const int hub = rig_body(r, "hub", 60.0, kv3(1.2, 0.1, 2.3));
    const int arm =
        rig_link(r, "arm", 12.0, kv3(1.9, 0.1, 2.2), "hub", KANE_JOINT_UNIVERSAL, kv3(1.5, 0.2, 2.2), rig_turned());
    const int disc =
        rig_link(r, "disc", 5.0, kv3(2.6, 0.5, 2.2), "arm", KANE_JOINT_REVOLUTE, kv3(2.6, 0.5, 2.2), rig_turned());
    const int mass = rig_body(r, "mass", 40.0, kv3(2.4, -0.6, 1.9));
    rig_bushing(r, "hub on car", "car", "hub", kv3(1.0, 0.1, 2.0), 3e4, 4e3, 60.0 * 9.81);
    rig_bushing(r, "mass on bogie", "bogie", "mass", kv3(2.4, -0.6, 1.6), 2e4, 3e3, 40.0 * 9.81);
    rig_start(r, hub, 1, 0.02, 0.3);
    rig_start(r, hub, 4, 0.1, -0.4);
    rig_start(r, arm, 0, 0.2, 1.1);
    rig_start(r, disc, 0, 0.3, 9.0);
    rig_start(r, mass, 3, 0.1, 0.4);
    kane_constraint_definition *rod =
        rig_close(r, "rod", KANE_CONSTRAINT_DISTANCE, "bogie", "hub", kv3(3.5, 0.2, 0.9), km3_identity());
    rod->at[1].at = kv3(1.6, 0.3, 2.5);
    if (!otherwise)
        return;
    add_frames(s);
    const double aside[2][2] = {{0.4, -0.6}, {-0.9, 0.3}};
    memcpy(r->bodies[RIG_CAR].frame_offset, aside[0], sizeof aside[0]);
    memcpy(r->bodies[RIG_BOGIE].frame_offset, aside[1], sizeof aside[1]);
    r->bodies[mass].frame = "deck";
    if (otherwise == IN_FRAMES)
        r->bodies[hub].frame = "table";
    else // by a joint with all freedoms, whose axes and point are others
        (void)rig_joint(r, hub, "table", KANE_JOINT_FREE, hub_joint, rig_turned());
}

// Its motion in the frames of another ride, in coordinates of the joint that it hangs by on its frame.
static void put_body(const ride *from, ride *to, const scene *in, int j)
{
    const kane_body *body           = &to->model->bodies[j];
    const kane_transport *T         = &to->work->transport[body->track_frame];
    const kane_body_state *b        = &from->work->body[j];
    const kane_vec3 r               = km3_tmulv(T->R, kv3_sub(b->r_w, T->r_o));
    const kane_vec3 v               = kv3_sub(kv3_sub(km3_tmulv(T->R, b->v_w), T->v_o), kv3_cross(T->omega, r));
    const kane_vec3 w               = kv3_sub(km3_tmulv(T->R, b->w_w), T->omega);
    const kane_joint_definition *by = in->r.bodies[j].joint;
    const kane_mat3 R = km3_tmul(T->R, b->R_w), A = by ? by->from.axes : km3_identity();
    const kane_vec3 arm   = by ? km3_mulv(R, kv3_sub(by->to.at, body->position)) : kv3_zero();
    const kane_vec3 drawn = by ? kv3_sub(by->from.at, to->model->frames[body->track_frame].drawn) : kv3_zero();
    const kane_vec3 at = km3_tmulv(A, kv3_sub(kv3_add(r, arm), drawn)), v_at = kv3_add(v, kv3_cross(w, arm));
    double q[KANE_JOINT_COORDINATES] = {at.x, at.y, at.z}, rate[KANE_JOINT_COORDINATES];
    kane_angles_from_matrix(km3_tmul(A, km3_mul(R, A)), q + 3);
    kane_rates_from_velocity(q, km3_tmulv(A, v_at), km3_tmulv(A, w), rate);
    if (!body->is_free_body)
        kane_put_joint(to->model, to->work, j, q, rate);
    else
        kane_put_relative(to->model, to->work, j, q, rate, to->y);
}

static void copy_world(const ride *from, ride *to, const scene *in)
{
    for (int i = 0; i < to->model->tree.link_count; i++) {
        const int j = to->model->link_body[i];
        double q[KANE_JOINT_COORDINATES], rate[KANE_JOINT_COORDINATES];
        if (to->model->tree.links[i].parent < 0) {
            put_body(from, to, in, j);
            continue;
        }
        (void)kane_get_joint(from->model, from->work, j, q, rate, NULL);
        kane_put_joint(to->model, to->work, j, q, rate);
    }
    kane_put_joints_end(to->model, to->work, to->y);
    for (int j = 0; j < to->model->body_count; j++)
        if (to->model->bodies[j].is_free_body)
            put_body(from, to, in, j);
    ride_see(to);
}

static void check_world(const ride *a, const ride *b, double place, double speed, const char *what)
{
    double far = 0.0, fast = 0.0;
    for (int j = 0; j < kane_model_body_count(a->model); j++) {
        const kane_body_state *one = &a->work->body[j], *other = &b->work->body[j];
        far  = fmax(far, ride_apart(one->r_w, other->r_w));
        far  = fmax(far, ride_apart(one->R_w.x, other->R_w.x) + ride_apart(one->R_w.y, other->R_w.y));
        fast = fmax(fast, ride_apart(one->v_w, other->v_w) + ride_apart(one->w_w, other->w_w));
    }
    if (!(far <= check_tolerance(place) && fast <= check_tolerance(speed)))
        fail_msg("%s: apart by %.3g in place, %.3g in speed", what, far, fast);
}

// From 2 m before the transition to where all frames are in it, and from in it into the curve.
static void ride_over_borders(int otherwise, kane_constraint_form form, int imaginary_as_forces, double start)
{
    static scene plain, other;
    kane_track *track = model_track(1.0, KANE_CLOTHOID); // about the inner rail
    ride a, b;
    build(&plain, IN_TRACK_FRAMES);
    build(&other, otherwise);
    ride_create(&a, &plain.r, track, (ride_options){.form = form, .start = start});
    ride_create(&b, &other.r, track,
                (ride_options){.form = form, .start = start, .imaginary_as_forces = imaginary_as_forces});
    copy_world(&a, &b, &other);
    check_world(&a, &b, 1e-12, 1e-11, "at the start");
    ride_go(&a, 0.6, 2e-4);
    ride_go(&b, 0.6, 2e-4);
    assert_true(kane_track_find(track, a.work->s) != kane_track_find(track, start));
    check_world(&a, &b, 2e-9, 2e-8, "behind the borders");
    ride_free(&a);
    ride_free(&b);
    kane_track_free(track);
}

CHECK_TEST(borders_do_not_show_in_other_frames)
{
    for (int form = 0; form < 2; form++)
        for (int imaginary_as_forces = 0; imaginary_as_forces < 2; imaginary_as_forces++) {
            ride_over_borders(IN_FRAMES, (kane_constraint_form)form, imaginary_as_forces, 14.0);
            ride_over_borders(IN_FRAMES, (kane_constraint_form)form, imaginary_as_forces, 54.0);
        }
    ride_over_borders(ON_FRAMES, KANE_FORM_COEFFICIENTS, 0, 14.0);
    ride_over_borders(ON_FRAMES, KANE_FORM_COEFFICIENTS, 1, 54.0);
}

CHECK_MAIN(NULL, NULL)
