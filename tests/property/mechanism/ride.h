// SPDX-License-Identifier: MIT
// A rig under way: model, work and state in one formulation, and a plain integrator of fixed steps that stops at
// borders of the track.

#ifndef KANE_TESTS_RIDE_H
#define KANE_TESTS_RIDE_H

#include "property/mechanism/rig.h"

#include "agem/bodies.h"

enum { RIDE_STATES = 160 };

typedef struct ride {
    kane_model *model;
    kane_work *work;
    double t;
    double y[RIDE_STATES], ydot[RIDE_STATES];
} ride;

typedef struct ride_options {
    kane_formulation formulation;
    int imaginary_as_forces;
    kane_constraint_form form;
    const char *omit; // NULL: nothing
    int driven;
    double start; // s at time 0 [m]
} ride_options;

static inline void ride_eval(ride *a)
{
    const kane_status status = kane_eval(a->model, a->work, a->t, a->y, a->ydot);
    if (status != KANE_OK) {
        CHECK_ERRORS errors = {0};
        kane_work_fault(a->model, a->work, &errors);
        check_no_errors(&errors);
    }
    assert_int_equal(status, KANE_OK);
}

// The same, with all that can be asked for.
static inline void ride_see(ride *a)
{
    ride_eval(a);
    kane_observe(a->model, a->work);
}

// track NULL: nothing moves but the mechanism itself.
static inline void ride_create(ride *a, const rig *r, const kane_track *track, ride_options o)
{
    const kane_speed_piece piece = {.acceleration = 1.2};
    const kane_omission omission = {.text = o.omit};
    kane_drive_definition drive  = kane_drive_definition_default();
    kane_model_options options   = kane_model_options_default();
    if (track) {
        drive.kind        = o.driven ? KANE_DRIVE_DRIVEN : KANE_DRIVE_PRESCRIBED;
        drive.start       = o.start;
        drive.speed       = 18.0;
        drive.piece_count = !o.driven;
        drive.pieces      = &piece;
    }
    drive.actuator_count        = r->actuator_count;
    drive.actuators             = r->actuators;
    options.formulation         = o.formulation;
    options.imaginary_as_forces = o.imaginary_as_forces;
    options.form                = o.form;
    options.omission_count      = o.omit != NULL;
    options.omissions           = &omission;
    *a                          = (ride){0};
    a->model                    = CHECK_GOOD(kane_model_create, &r->vehicle, track, &drive, &options);
    assert_true(kane_model_state_count(a->model) <= RIDE_STATES);
    a->work = CHECK_GOOD(kane_work_create, a->model);
    (void)CHECK_GOOD(kane_initial_state, a->model, a->work, a->y);
    ride_see(a);
}

static inline void ride_free(ride *a)
{
    kane_work_free(a->work);
    kane_model_free(a->model);
}

// One step of the classical Runge-Kutta method.
static inline void ride_step(ride *a, double h)
{
    static const double node[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    const int n    = a->model->state_count;
    const double t = a->t;
    double from[RIDE_STATES], sum[RIDE_STATES] = {0};
    memcpy(from, a->y, sizeof from);
    for (int k = 0; k < 4; k++) {
        a->t = t + node[k] * h;
        for (int i = 0; i < n && k > 0; i++)
            a->y[i] = from[i] + node[k] * h * a->ydot[i];
        ride_eval(a);
        for (int i = 0; i < n; i++)
            sum[i] += weight[k] / 6.0 * a->ydot[i];
    }
    for (int i = 0; i < n; i++)
        a->y[i] = from[i] + h * sum[i];
}

// Time at which frame f comes to the end of its piece of track, at a prescribed speed that grows.
static inline double ride_border(const ride *a, int f)
{
    const kane_model *m = a->model;
    if (m->frames[f].kind != KANE_FRAME_TRACK || m->travel_count)
        return HUGE_VAL;
    int piece = kane_track_find(m->track, 0.0);
    double s, v, acceleration;
    kane_model_travel(m, 0, a->t, &s, &v, &acceleration);
    const double here = s + m->frames[f].offset;
    double next       = HUGE_VAL;
    for (int i = piece; next == HUGE_VAL && here < kane_track_length(m->track); i++) {
        const double at = kane_track_piece_start(m->track, i + 1);
        if (at >= kane_track_length(m->track))
            break;
        if (at > here + 1e-9)
            next = at;
    }
    if (next == HUGE_VAL)
        return HUGE_VAL;
    const double way = next - here;
    return a->t + 2.0 * way / (v + sqrt(v * v + 2.0 * acceleration * way));
}

// What a simulation does after every step: other independent speeds where they serve better, projection of multipliers.
static inline void ride_steps(ride *a, double until, double h)
{
    const int count = (int)ceil((until - a->t) / h - 1e-9);
    const double t = a->t, step = count > 0 ? (until - t) / count : 0.0;
    for (int i = 0; i < count; i++) {
        ride_step(a, step);
        a->t = t + (i + 1) * step;
        (void)kane_choose(a->model, a->work, a->t, a->y);
        assert_int_equal(kane_project(a->model, a->work, a->t, a->y), KANE_OK);
    }
    a->t = until;
}

// Goes on to time `until` in steps of h at most; borders are passed where they come, of several frames at once, too.
static inline void ride_go(ride *a, double until, double h)
{
    while (a->t < until) {
        double border[RIG_MOST + 1], next = until;
        for (int f = 0; f < a->model->frame_count; f++) {
            border[f] = ride_border(a, f);
            next      = fmin(next, border[f]);
        }
        ride_steps(a, next, h);
        for (int f = 0; f < a->model->frame_count; f++)
            if (border[f] <= next + 1e-9)
                kane_work_cross_joint(a->model, a->work, f, a->t, a->y);
    }
    ride_see(a);
}

// A body of another ride by its name here.
static inline int ride_other(const ride *here, int j, const ride *there)
{
    return kane_model_find_body(there->model, kane_model_body_name(here->model, j));
}

// The root of a tree as the other ride has it, in the coordinates that this ride describes it by.
static inline void ride_copy_root(const ride *from, ride *to, int j)
{
    const kane_body *body = &to->model->bodies[j];
    const int k           = ride_other(to, j, from);
    double q[6], rate[6];
    kane_get_relative(from->model, from->work, k, q, rate);
    if (body->frame != body->track_frame) { // described in A
        const kane_transport *T  = &to->work->transport[body->track_frame];
        const kane_body_state *b = &from->work->body[k];
        const kane_mat3 turn =
            km3_tmul(from->work->transport[from->model->bodies[k].track_frame].R, b->R_w); // track frame from body
        const kane_vec3 r   = kv3(q[0], q[1], q[2]);
        const kane_vec3 r_A = kv3_add(T->r_o, km3_mulv(T->R, r));
        kane_vec3 v, w;
        kane_get_absolute(from->model, from->work, k, &v, &w, NULL, NULL);
        q[0] = r_A.x;
        q[1] = r_A.y;
        q[2] = r_A.z;
        kane_angles_from_matrix(km3_mul(T->R, turn), q + 3);
        kane_rates_from_velocity(q, km3_mulv(T->R, v), km3_mulv(T->R, w), rate);
    }
    kane_put_joint(to->model, to->work, j, q, rate);
}

// Gives a ride the motion of another one of the same vehicle, at the same time.
static inline void ride_copy(const ride *from, ride *to)
{
    to->t = from->t;
    memcpy(to->y, from->y, (size_t)to->model->travel_count * sizeof *to->y);
    kane_work_locate(to->model, to->work, to->t, to->y);
    (void)kane_eval(to->model, to->work, to->t, to->y, to->ydot); // frames as they are then
    for (int i = 0; i < to->model->tree.link_count; i++) {
        const int j = to->model->link_body[i];
        double q[KANE_JOINT_COORDINATES], rate[KANE_JOINT_COORDINATES];
        if (to->model->tree.links[i].parent < 0 && to->model->tree.links[i].q_count == 6) {
            ride_copy_root(from, to, j);
            continue;
        }
        (void)kane_get_joint(from->model, from->work, ride_other(to, j, from), q, rate, NULL);
        kane_put_joint(to->model, to->work, j, q, rate);
    }
    kane_put_joints_end(to->model, to->work, to->y);
    for (int j = 0; j < to->model->body_count; j++) {
        double q[6], rate[6];
        if (!to->model->bodies[j].is_free_body)
            continue;
        kane_get_relative(from->model, from->work, ride_other(to, j, from), q, rate);
        kane_put_relative(to->model, to->work, j, q, rate, to->y);
    }
    ride_see(to);
}

// Largest difference of what two rides mean: motion of every body, absolute and relative, and of every joint.
typedef struct ride_difference {
    double place, speed, acceleration;
} ride_difference;

static inline double ride_apart(kane_vec3 a, kane_vec3 b)
{
    return kv3_norm(kv3_sub(a, b));
}

// joints 0: bodies only
static inline ride_difference ride_compare_what(const ride *a, const ride *b, int joints)
{
    double s[2], speed[2], g[2];
    kane_get_travel(a->work, &s[0], &speed[0], &g[0]);
    kane_get_travel(b->work, &s[1], &speed[1], &g[1]);
    ride_difference d = {fabs(s[0] - s[1]), fabs(speed[0] - speed[1]), fabs(g[0] - g[1])};
    for (int j = 0; j < kane_model_body_count(a->model); j++) {
        kane_vec3 v[2], w[2], p[2], e[2];
        double q[2][6], r[2][6], c[2][KANE_JOINT_COORDINATES], rate[2][KANE_JOINT_COORDINATES];
        double second[2][KANE_JOINT_COORDINATES];
        const ride *both[2] = {a, b};
        int count           = 0;
        for (int i = 0; i < 2; i++) {
            const int k = kane_model_find_body(both[i]->model, kane_model_body_name(a->model, j));
            kane_get_absolute(both[i]->model, both[i]->work, k, &v[i], &w[i], &p[i], &e[i]);
            kane_get_relative(both[i]->model, both[i]->work, k, q[i], r[i]);
            count = kane_get_joint(both[i]->model, both[i]->work, k, c[i], rate[i], second[i]);
        }
        d.speed        = fmax(d.speed, fmax(ride_apart(v[0], v[1]), ride_apart(w[0], w[1])));
        d.acceleration = fmax(d.acceleration, fmax(ride_apart(p[0], p[1]), ride_apart(e[0], e[1])));
        for (int i = 0; i < 3; i++)
            d.place = fmax(d.place, fabs(q[0][i] - q[1][i]));
        for (int i = 3; i < 6; i++) // the same angle, however often it has been round
            d.place = fmax(d.place, fabs(sin(0.5 * (q[0][i] - q[1][i]))));
        for (int i = 0; i < count && joints && !a->model->bodies[j].is_free_body && count < 6; i++) {
            d.place        = fmax(d.place, fabs(c[0][i] - c[1][i]));
            d.speed        = fmax(d.speed, fabs(rate[0][i] - rate[1][i]));
            d.acceleration = fmax(d.acceleration, fabs(second[0][i] - second[1][i]));
        }
    }
    return d;
}

static inline ride_difference ride_compare(const ride *a, const ride *b)
{
    return ride_compare_what(a, b, 1);
}

static inline void ride_check_difference(ride_difference d, double place, double speed, double acceleration,
                                         const char *what)
{
    if (getenv("RIDE_SHOW"))
        print_message("%-40s %.2g %.2g %.2g\n", what, d.place, d.speed, d.acceleration);
    if (!(d.place <= check_tolerance(place) && d.speed <= check_tolerance(speed) &&
          d.acceleration <= check_tolerance(acceleration))) {
        print_error("%s: apart by %.3g in place, %.3g in speed, %.3g in acceleration; may be %.3g, %.3g, %.3g\n", what,
                    d.place, d.speed, d.acceleration, place, speed, acceleration);
        fail();
    }
}

static inline void ride_check_same(const ride *a, const ride *b, double place, double speed, double acceleration,
                                   const char *what)
{
    ride_check_difference(ride_compare(a, b), place, speed, acceleration, what);
}

// The same of bodies that hang by different joints.
static inline void ride_check_bodies(const ride *a, const ride *b, double place, double speed, double acceleration,
                                     const char *what)
{
    ride_check_difference(ride_compare_what(a, b, 0), place, speed, acceleration, what);
}

// A rig goes until a time in moving frames, with imaginary forces one by one, and in A: the same, in A as near as
// steps of h let them be.
static inline void ride_check_frames(const rig *r, const kane_track *track, ride_options o, double until, double h,
                                     double one_by_one_near, ride_difference in_A_near, const char *what)
{
    CHECK_END(ride_free) ride moving = {0}, imaginary_as_forces = {0}, fixed = {0};
    ride_options one_by_one = o, in_A = o;
    one_by_one.imaginary_as_forces = 1;
    in_A.formulation               = KANE_FIXED;
    ride_create(&moving, r, track, o);
    ride_create(&imaginary_as_forces, r, track, one_by_one);
    ride_create(&fixed, r, track, in_A);
    ride_go(&moving, until, h);
    ride_go(&imaginary_as_forces, until, h);
    ride_go(&fixed, until, h);
    ride_check_same(&moving, &imaginary_as_forces, 1e-13, 1e-12, one_by_one_near, what);
    ride_check_same(&moving, &fixed, in_A_near.place, in_A_near.speed, in_A_near.acceleration, what);
}

// A rig with constraints in moving frames by coefficients; by multipliers, with imaginary forces one by one, and in A:
// the same accelerations at first, and the same state after some time.
static inline void ride_check_forms(const rig *r, const kane_track *track, double until, double h, const char *name)
{
    ride moving, held, imaginary_as_forces, fixed, fixed_held;
    ride_create(&moving, r, track, (ride_options){.start = 35.0});
    ride_create(&held, r, track, (ride_options){.start = 35.0, .form = KANE_FORM_MULTIPLIERS});
    ride_create(&imaginary_as_forces, r, track, (ride_options){.start = 35.0, .imaginary_as_forces = 1});
    ride_create(&fixed, r, track, (ride_options){.start = 35.0, .formulation = KANE_FIXED});
    ride_create(&fixed_held, r, track,
                (ride_options){.start = 35.0, .formulation = KANE_FIXED, .form = KANE_FORM_MULTIPLIERS});
    ride *others[] = {&held, &imaginary_as_forces, &fixed, &fixed_held};
    for (int i = 0; i < 4; i++)
        ride_copy(&moving, others[i]);
    for (int i = 0; i < 4; i++)
        ride_check_same(&moving, others[i], 1e-13, 1e-12, 1e-10, name);
    ride_go(&moving, until, h);
    for (int i = 0; i < 4; i++) {
        ride_go(others[i], until, h);
        ride_check_same(&moving, others[i], 1e-10, 1e-9, 3e-8, name);
        ride_free(others[i]);
    }
    ride_free(&moving);
}

#endif
