// SPDX-License-Identifier: MIT
// Parts of an evaluation as functions of numbers alone.

#include "agem/bodies.h"

#include "agem/element.h"
#include "agem/rail_constraint.h"
#include "agem/wheels.h"
#include "contact/contact.h"
#include "contact/gap_places.h"

#include <stdio.h>
#include <string.h>

enum { DIRECTIONS = 6 }; // of slopes in one pass

// Contact models.
enum {
    ELASTIC    = 1 << KANE_CONTACT_ELASTIC,
    CONSTRAINT = 1 << KANE_CONTACT_CONSTRAINT,
    TABLE      = 1 << KANE_CONTACT_TABLE,
    ANY        = ELASTIC | CONSTRAINT | TABLE
};

// A call of a model.
typedef struct model_call {
    const kane_model *model;
    kane_work *work;
    int number;
    kane_call_kind kind;
    int index;
    kane_side side;
    int inputs, outputs; // numbers
} model_call;

// All functions: 1, or 0 where there is no result, or the model has no such call.
static int eval_call(const model_call *c, const double *in, double *out);

static int call_travel(const model_call *c, const double *in, double *out)
{
    const kane_model *model = c->model;
    if (model->travel_count == 1) {
        out[0] = in[1];
        model->travel.eval(model->travel.data, in[0], in[1], &out[1], &out[2]);
    } else if (model->piece_count) {
        kane_model_travel(model, c->work->speed_piece, in[0], &out[0], &out[1], &out[2]);
    }
    return 1;
}

static int call_road(const model_call *c, const double *in, double *out)
{
    if (c->model->track)
        kane_track_surface(c->model->track, in[0], in[1], out);
    return c->model->track != NULL;
}

static int call_line(const model_call *c, const double *in, double *out)
{
    const kane_track *track = c->model->track;
    const kane_work *work   = c->work;
    const int f             = c->index;
    kane_track_frame frame;
    if (c->model->frames[f].kind != KANE_FRAME_TRACK)
        return 0;
    kane_track_eval(track, work->piece[f], in[0], &frame);
    const kane_vec3 start = kane_track_anchor(track, work->piece[f]);
    memcpy(out, &frame.R, 9 * sizeof *out);
    memcpy(out + 9, &frame.origin, 3 * sizeof *out);
    memcpy(out + 12, &frame.Omega, 3 * sizeof *out);
    memcpy(out + 15, &frame.Omega_s, 3 * sizeof *out);
    out[18] = frame.twist_ss;
    memcpy(out + 19, &work->anchor[f], 3 * sizeof *out);
    memcpy(out + 22, &start, 3 * sizeof *out);
    return 1;
}

static int call_rail(const model_call *c, const double *in, double *out)
{
    kane_rail_offset o = {0};
    if (kane_track_is_irregular(c->model->track))
        kane_track_rail(c->model->track, c->side, in[0], &o);
    const double numbers[8] = {o.y, o.z, o.y_s, o.z_s, o.y_ss, o.z_ss, o.y_sss, o.z_sss};
    memcpy(out, numbers, sizeof numbers);
    return 1;
}

// The contact of the wheels of a call.
static const kane_contact *contact_of(const model_call *c)
{
    return c->model->wheels[c->index].contact;
}

// Motion of a wheel over its rail at s: in [16].
static kane_wheel_motion read_motion(const model_call *c, const double *in)
{
    kane_wheel_motion motion = {.friction_change = 0.0};
    kane_vec3 *const parts[] = {&motion.centre, &motion.axle, &motion.velocity, &motion.omega, &motion.turn};
    for (int k = 0; k < 5; k++)
        *parts[k] = kv3(in[3 * k], in[3 * k + 1], in[3 * k + 2]);
    kane_wheels_rail_at(c->model, c->side, in[15], &motion);
    return motion;
}

static int call_contact(const model_call *c, const double *in, double *out)
{
    const kane_wheel_motion motion = read_motion(c, in);
    kane_contact_result result;
    if (kane_contact_eval(contact_of(c), c->side, &motion, &result) != KANE_OK)
        return 0;
    memcpy(out, &result.on_wheel.force, 3 * sizeof *out);
    memcpy(out + 3, &result.on_wheel.torque, 3 * sizeof *out);
    return 1;
}

// Path of a wheel over its rail: in [21].
static kane_wheel_path read_path(const model_call *c, const double *in)
{
    kane_wheel_motion rail   = {.friction_change = 0.0};
    kane_wheel_path path     = {.along_rate = in[19], .along_accel = in[20]};
    kane_vec3 *const parts[] = {&path.centre, &path.centre_rate, &path.centre_accel,
                                &path.axle,   &path.axle_rate,   &path.axle_accel};
    for (int k = 0; k < 6; k++)
        *parts[k] = kv3(in[3 * k], in[3 * k + 1], in[3 * k + 2]);
    kane_wheels_rail_at(c->model, c->side, in[18], &rail);
    path.blend = rail.blend;
    return path;
}

static int call_gap(const model_call *c, const double *in, double *out)
{
    const kane_wheel_path path = read_path(c, in);
    kane_gap gap;
    if (kane_contact_gap(contact_of(c), c->side, &path, &gap) != KANE_OK)
        return 0;
    memcpy(out, &gap, sizeof gap);
    return 1;
}

// A contact point: in [12].
static kane_gap read_contact_point(const double *in)
{
    return (kane_gap){.point   = kv3(in[0], in[1], in[2]),
                      .normal  = kv3(in[3], in[4], in[5]),
                      .along   = in[6],
                      .A       = in[7],
                      .B       = in[8],
                      .radius  = in[9],
                      .wheel_y = in[10],
                      .rail_y  = in[11]};
}

static int call_creep(const model_call *c, const double *in, double *out)
{
    const kane_gap point           = read_contact_point(in);
    const kane_wheel_motion motion = read_motion(c, in + 12);
    rigid_contact rolling;
    kane_user_force f, slope;
    if (kane_rigid_prepare(contact_of(c), c->side, &point, &motion, &rolling) != KANE_OK ||
        kane_rigid_forces(&rolling, in[28], &f) != KANE_OK || kane_rigid_slope(&rolling, in[28], &slope) != KANE_OK)
        return 0;
    const double numbers[8] = {f.T_x, f.T_y, f.M_z, f.T_n, slope.T_x, slope.T_y, slope.M_z, slope.T_n};
    memcpy(out, numbers, sizeof numbers);
    return 1;
}

// The parts of a wheelset's state that a check rail reads.
static void set_check_rail_state(const model_call *c, const double *in, kane_wheels_state *w)
{
    w->motion[c->side]      = read_motion(c, in);
    w->s_at[c->side]        = in[15];
    w->rail[c->side].length = in[16];
}

static int call_check_rail(const model_call *c, const double *in, double *out)
{
    kane_wheels_state w;
    set_check_rail_state(c, in, &w);
    kane_check_rail_eval(c->model, &c->model->wheels[c->index], c->side, &w);
    memcpy(out, &w.check[c->side].on_wheel.force, 3 * sizeof *out);
    memcpy(out + 3, &w.check[c->side].on_wheel.torque, 3 * sizeof *out);
    return 1;
}

static int call_table(const model_call *c, const double *in, double *out)
{
    kane_wheelset_values v;
    if (kane_wheelset_table_eval(c->model->wheels[c->index].guide, in[0], in[1], &v) != KANE_OK)
        return 0;
    const kane_wheelset_function *const functions[] = {&v.height, &v.roll, &v.twist_height, &v.twist_roll};
    for (int k = 0; k < 4; k++)
        memcpy(out + 6 * k, functions[k], sizeof *functions[k]);
    for (int side = 0; side < 2; side++) {
        const kane_gap *p = &v.contact_point[side];
        const double of[] = {p->point.x, p->point.y, p->point.z, p->normal.x, p->normal.y, p->normal.z,
                             p->A,       p->B,       p->radius,  p->wheel_y,  p->rail_y};
        memcpy(out + 24 + 11 * side, of, sizeof of);
    }
    return 1;
}

static void read_law_motion(const kane_element *element, const double *in, kane_element_motion *motion)
{
    kane_relative *r         = &motion->relative;
    kane_vec3 *const parts[] = {&r->d, &r->v, &r->phi, &r->w, &r->d0};
    for (int k = 0; k < 5; k++)
        *parts[k] = kv3(in[3 * k], in[3 * k + 1], in[3 * k + 2]);
    r->t     = in[15];
    r->state = element->state_count > 0 ? in + 16 : NULL;
    r->input = element->input_count > 0 ? in + 16 + element->state_count : NULL;
}

static int call_law(const model_call *c, const double *in, double *out)
{
    const kane_element *element = &c->model->elements[c->index];
    kane_element_motion motion  = {.absolute = {.mirrored = 0}};
    kane_wrench on_b;
    if (element->absolute)
        return 0;
    read_law_motion(element, in, &motion);
    if (kane_element_eval(element, &motion, &on_b) != KANE_OK ||
        (element->state_count > 0 && kane_element_rates(element, &motion, out + 6) != KANE_OK))
        return 0;
    memcpy(out, &on_b.force, 3 * sizeof *out);
    memcpy(out + 3, &on_b.torque, 3 * sizeof *out);
    return 1;
}

// === Derivatives of calls: d[i * inputs + k] = d(out[i])/d(in[k]).

// Number k of the inputs as a variable, if it is among the six from `first` on.
static kane_scalar seed_input(const double *in, int k, int first)
{
    return k >= first && k < first + DIRECTIONS ? ks_variable(in[k], k - first) : ks_constant(in[k]);
}

static kane_scalar3 seed_vector(const double *in, int k, int first)
{
    return ks3(seed_input(in, k, first), seed_input(in, k + 1, first), seed_input(in, k + 2, first));
}

// A number of the rail at s: its value and its derivative there.
static kane_scalar follow_rail(kane_scalar s, double value, double value_s)
{
    return ks_chain(s, value, value_s);
}

// Tangents of one output into the columns from `first` on.
static void put_row(kane_scalar out, int row, int inputs, int first, double *d)
{
    for (int j = 0; j < DIRECTIONS && first + j < inputs; j++)
        d[row * inputs + first + j] = kane_tangents_get(out.t, j);
}

static void put_vector(kane_scalar3 out, int row, int inputs, int first, double *d)
{
    for (int k = 0; k < 3; k++)
        put_row(ks3_get(out, k), row + k, inputs, first, d);
}

// Column k by central differences of the call itself.
static int difference_column(const model_call *c, const double *in, int k, double step, double *d)
{
    double at[KANE_CALL_INPUTS], out[2][KANE_CALL_OUTPUTS];
    memcpy(at, in, (size_t)c->inputs * sizeof *at);
    for (int i = 0; i < 2; i++) {
        at[k] = in[k] + (i ? step : -step);
        if (!eval_call(c, at, out[i]))
            return 0;
    }
    for (int i = 0; i < c->outputs; i++)
        d[i * c->inputs + k] = 0.5 / step * (out[1][i] - out[0][i]);
    return 1;
}

// Speed and acceleration as functions of time and place are known by value alone: differences. A place is a place.
static int derive_travel(const model_call *c, const double *in, double *d)
{
    const int good = difference_column(c, in, 0, 1e-4, d);
    if (good && c->model->travel_count == 1)
        return difference_column(c, in, 1, 1e-4, d);
    d[1] = d[3] = d[5] = 0.0;
    if (good && c->model->piece_count) {
        double out[3];
        (void)eval_call(c, in, out);
        d[0] = out[1];
        d[2] = out[2];
    }
    return good;
}

// The height and its two slopes exactly, second derivatives by differences.
static int derive_road(const model_call *c, const double *in, double *d)
{
    double z[6];
    if (!difference_column(c, in, 0, 1e-4, d) || !difference_column(c, in, 1, 1e-4, d) || !eval_call(c, in, z))
        return 0;
    const double exact[6] = {z[1], z[2], z[3], z[4], z[4], z[5]};
    memcpy(d, exact, sizeof exact);
    return 1;
}

// R' = R Omega~, origin' = R.x, Omega' is a result itself; its derivative and that of the twist by differences. Start
// points of pieces stay.
static int derive_line(const model_call *c, const double *in, double *d)
{
    double out[KANE_CALL_OUTPUTS];
    if (!difference_column(c, in, 0, 1e-3, d) || !eval_call(c, in, out))
        return 0;
    const kane_mat3 R        = {kv3(out[0], out[1], out[2]), kv3(out[3], out[4], out[5]), kv3(out[6], out[7], out[8])};
    const kane_vec3 Omega    = kv3(out[12], out[13], out[14]);
    const kane_vec3 exact[5] = {km3_mulv(R, kv3_cross(Omega, kv3_unit(0))), km3_mulv(R, kv3_cross(Omega, kv3_unit(1))),
                                km3_mulv(R, kv3_cross(Omega, kv3_unit(2))), R.x, kv3(out[15], out[16], out[17])};
    memcpy(d, exact, sizeof exact);
    memset(d + 19, 0, 6 * sizeof *d);
    return 1;
}

static int derive_rail(const model_call *c, const double *in, double *d)
{
    const kane_vec3 fourth = kane_rail_fourth_derivative(c->model, c->side, in[0]);
    double out[8];
    (void)call_rail(c, in, out);
    memcpy(d, out + 2, 6 * sizeof *d);
    d[6] = fourth.y;
    d[7] = fourth.z;
    return 1;
}

// By the axle, of whose change only that across it occurs: T.(w x e) = g.(e x ...), g = T x e.
static void put_axle_columns(const double by_rotation[3], kane_vec3 axle, double *row)
{
    const kane_vec3 g = kv3_cross(kv3(by_rotation[0], by_rotation[1], by_rotation[2]), axle);
    row[0]            = g.x;
    row[1]            = g.y;
    row[2]            = g.z;
}

static int derive_contact(const model_call *c, const double *in, double *d)
{
    const kane_contact *contact    = contact_of(c);
    const kane_side side           = c->side;
    const kane_wheel_motion motion = read_motion(c, in);
    const double friction_s        = kane_rail_friction_change(c->model, side, in[15]);
    double by_motion[6][12], along[6][12], by_rail[6][4];
    if (kane_contact_derive_apart(contact, side, &motion, by_motion) != KANE_OK ||
        kane_contact_derive(contact, side, &motion, along) != KANE_OK ||
        kane_contact_derive_rail(contact, side, &motion, by_rail) != KANE_OK)
        return 0;
    for (int i = 0; i < 6; i++) {
        double *row = d + 16 * i;
        memcpy(row, by_motion[i], 3 * sizeof *row);
        put_axle_columns(by_motion[i] + 3, motion.axle, row + 3);
        memcpy(row + 6, by_motion[i] + 6, 6 * sizeof *row);
        memcpy(row + 12, by_rail[i], 3 * sizeof *row);
        row[15] = along[i][0] + by_rail[i][3] * friction_s;
    }
    return 1;
}

// A wheel's path with slopes by the six inputs from `first` on.
static path_scalars seed_path(const kane_rail_blend *blend, double share_sss, const double *in, int first)
{
    const kane_scalar s = seed_input(in, 18, first), sigma = seed_input(in, 19, first), a = seed_input(in, 20, first);
    const kane_scalar share_s = follow_rail(s, blend->share_s, blend->share_ss), square = ks_mul(sigma, sigma);
    return (path_scalars){.centre       = seed_vector(in, 0, first),
                          .centre_rate  = seed_vector(in, 3, first),
                          .centre_accel = seed_vector(in, 6, first),
                          .axle         = seed_vector(in, 9, first),
                          .axle_rate    = seed_vector(in, 12, first),
                          .axle_accel   = seed_vector(in, 15, first),
                          .share        = follow_rail(s, blend->share, blend->share_s),
                          .share_s      = share_s,
                          .share_rate   = ks_mul(share_s, sigma),
                          .share_accel =
                              ks_add(ks_mul(follow_rail(s, blend->share_ss, share_sss), square), ks_mul(share_s, a))};
}

// The gap changes by direction . d(centre) + (twist x axle) . d(axle) + along d(s).
static kane_scalar gap_of(const gap_scalars *gap, const path_scalars *path, kane_scalar s)
{
    const kane_vec3 by_centre = ks3_value(gap->direction),
                    by_axle   = kv3_cross(ks3_value(gap->twist), ks3_value(path->axle));
    return ks_add(ks_add(ks3_along(path->centre, by_centre), ks3_along(path->axle, by_axle)),
                  ks_scale(ks_value(gap->along), s));
}

static int derive_gap(const model_call *c, const double *in, double *d)
{
    const kane_wheel_path path = read_path(c, in);
    const double share_sss     = kane_rail_share_third_derivative(c->model, c->side, in[18]);
    const kane_vec3 polar      = kv3(1.0, side_sign(c->side), 1.0);
    gap_curve around;
    if (kane_gap_curve(contact_of(c), c->side, &path, &around) != KANE_OK)
        return 0;
    for (int first = 0; first < 21; first += DIRECTIONS) {
        const path_scalars seeded = seed_path(&path.blend, share_sss, in, first);
        gap_scalars gap;
        kane_gap_follow(&around, &seeded, &gap);
        put_row(gap_of(&gap, &seeded, seed_input(in, 18, first)), 0, 21, first, d);
        put_row(gap.rate, 1, 21, first, d);
        put_row(gap.accel, 2, 21, first, d);
        put_vector(gap.direction, 3, 21, first, d);
        put_vector(gap.twist, 6, 21, first, d);
        put_row(gap.along, 9, 21, first, d);
        put_vector(ks3_mul(polar, gap.spot.point), 10, 21, first, d);
        put_vector(ks3_mul(polar, gap.spot.normal), 13, 21, first, d);
        const kane_scalar others[5] = {gap.spot.A, gap.spot.B, gap.spot.radius, gap.spot.wheel_y, gap.spot.rail_y};
        for (int k = 0; k < 5; k++)
            put_row(others[k], 16 + k, 21, first, d);
    }
    return 1;
}

// Motion and s of a call with slopes: those at `at` among its inputs.
static motion_scalars seed_motion(const kane_wheel_motion *motion, double friction_s, const double *in, int at,
                                  int first)
{
    return (motion_scalars){.centre   = seed_vector(in, at, first),
                            .axle     = seed_vector(in, at + 3, first),
                            .velocity = seed_vector(in, at + 6, first),
                            .omega    = seed_vector(in, at + 9, first),
                            .turn     = seed_vector(in, at + 12, first),
                            .friction_change =
                                follow_rail(seed_input(in, at + 15, first), motion->friction_change, friction_s)};
}

// Of the slopes by N there are none: Newton's method multiplies them by a residual that is round-off.
static int derive_creep(const model_call *c, const double *in, double *d)
{
    const kane_wheel_motion motion = read_motion(c, in + 12);
    const double friction_s        = kane_rail_friction_change(c->model, c->side, in[27]);
    const kane_vec3 polar          = kv3(1.0, side_sign(c->side), 1.0);
    double out[8];
    memset(d, 0, (size_t)(8 * 29) * sizeof *d);
    if (!call_creep(c, in, out))
        return 0;
    for (int first = 0; first < 28; first += DIRECTIONS) {
        const gap_point point       = {.point   = ks3_mul(polar, seed_vector(in, 0, first)),
                                       .normal  = ks3_mul(polar, seed_vector(in, 3, first)),
                                       .climb   = ks_neg(seed_input(in, 6, first)),
                                       .A       = seed_input(in, 7, first),
                                       .B       = seed_input(in, 8, first),
                                       .radius  = seed_input(in, 9, first),
                                       .wheel_y = seed_input(in, 10, first),
                                       .rail_y  = seed_input(in, 11, first)};
        const motion_scalars seeded = seed_motion(&motion, friction_s, in, 12, first);
        kane_scalar f[4];
        if (kane_rigid_derive_forces(contact_of(c), c->side, &point, &seeded, in[28], f) != KANE_OK)
            return 0;
        for (int k = 0; k < 4; k++)
            put_row(f[k], k, 29, first, d);
    }
    for (int k = 0; k < 4; k++)
        d[29 * k + 28] = out[4 + k];
    return 1;
}

// By the length of the rail's way by differences.
static int derive_check_rail(const model_call *c, const double *in, double *d)
{
    const kane_model *model   = c->model;
    const kane_wheels *wheels = &model->wheels[c->index];
    const kane_side side      = c->side;
    kane_wheels_state w;
    set_check_rail_state(c, in, &w);
    kane_check_rail_eval(model, wheels, side, &w);
    for (int first = 0; first < 16; first += DIRECTIONS) {
        const motion_scalars seeded = seed_motion(&w.motion[side], 0.0, in, 0, first);
        const kane_scalar s         = seed_input(in, 15, first);
        kane_scalar3 on_wheel[2];
        kane_check_rail_follow(model, wheels, side, &w, &seeded, &s, on_wheel);
        put_vector(on_wheel[0], 0, 17, first, d);
        put_vector(on_wheel[1], 3, 17, first, d);
    }
    return difference_column(c, in, 16, 1e-5, d);
}

static int derive_table(const model_call *c, const double *in, double *d)
{
    wheelset_scalars w;
    if (kane_wheelset_table_follow(c->model->wheels[c->index].guide, ks_variable(in[0], 0), ks_variable(in[1], 1),
                                   &w) != KANE_OK)
        return 0;
    for (int f = 0; f < TABLE_FUNCTIONS; f++) {
        const table_scalars *F  = &w.function[f];
        const kane_scalar of[6] = {F->value, F->by_y, F->by_yaw, F->by_y_y, F->by_y_yaw, F->by_yaw_yaw};
        for (int k = 0; k < 6; k++)
            put_row(of[k], 6 * f + k, 2, 0, d);
    }
    for (int side = 0; side < 2; side++) {
        const gap_point *spot       = &w.spot[side];
        const kane_scalar others[5] = {spot->A, spot->B, spot->radius, spot->wheel_y, spot->rail_y};
        put_vector(w.point[side], 24 + 11 * side, 2, 0, d);
        put_vector(w.normal[side], 27 + 11 * side, 2, 0, d);
        for (int k = 0; k < 5; k++)
            put_row(others[k], 30 + 11 * side + k, 2, 0, d);
    }
    return 1;
}

// Columns of a block of a law's derivative.
static void put_block(kane_mat3 force, kane_mat3 torque, int inputs, int first, double *d)
{
    const kane_vec3 columns[2][3] = {{force.x, force.y, force.z}, {torque.x, torque.y, torque.z}};
    for (int half = 0; half < 2; half++)
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++)
                d[(3 * half + i) * inputs + first + k] = kv3_get(columns[half][k], i);
}

static void put_state(const kane_law_state_derivative *state, int k, int count, int inputs, double *d)
{
    const kane_vec3 rows[]  = {state->rate_d, state->rate_v, state->rate_phi, state->rate_w};
    const kane_vec3 parts[] = {state->force, state->torque};
    for (int i = 0; i < 12; i++)
        d[(6 + k) * inputs + i] = kv3_get(rows[i / 3], i % 3);
    for (int i = 0; i < count; i++)
        d[(6 + k) * inputs + 16 + i] = state->rate_state[i];
    for (int i = 0; i < 6; i++)
        d[i * inputs + 16 + k] = kv3_get(parts[i / 3], i % 3);
}

// By relative motion and states as the law has it, by all else - static position, time, inputs - by differences.
static int derive_law(const model_call *c, const double *in, double *d)
{
    const kane_element *element = &c->model->elements[c->index];
    const int states = element->state_count, inputs = c->inputs;
    kane_element_motion motion = {.absolute = {.mirrored = 0}};
    kane_law_derivative by     = {.absolute = NULL};
    read_law_motion(element, in, &motion);
    for (int k = 12; k < inputs; k++)
        if ((k < 16 || k >= 16 + states) && !difference_column(c, in, k, 1e-6, d))
            return 0;
    if (kane_element_derive_law(element, &motion, &by) != KANE_OK)
        return 0;
    put_block(by.force_d, by.torque_d, inputs, 0, d);
    put_block(by.force_v, by.torque_v, inputs, 3, d);
    put_block(by.force_phi, by.torque_phi, inputs, 6, d);
    put_block(by.force_w, by.torque_w, inputs, 9, d);
    for (int k = 0; k < states; k++)
        put_state(&by.state[k], k, states, inputs, d);
    return 1;
}

// === Numbers of calls.

// By kind: what it is called, and numbers in and out, without states and inputs of laws.
static const struct {
    const char *name;
    int inputs, outputs;
    int (*eval)(const model_call *c, const double *in, double *out);
    int (*derive)(const model_call *c, const double *in, double *d);
    unsigned models; // of contact that have it
} kinds[KANE_CALL_KINDS] = {
    [KANE_CALL_TRAVEL]     = {"travel", 2, 3, call_travel, derive_travel, ANY},
    [KANE_CALL_ROAD]       = {"surface of the road", 2, 6, call_road, derive_road, ANY},
    [KANE_CALL_LINE]       = {"line at the frame of", 1, 25, call_line, derive_line, ANY},
    [KANE_CALL_RAIL]       = {"rail of", 1, 8, call_rail, derive_rail, ANY},
    [KANE_CALL_CONTACT]    = {"contact of", 16, 6, call_contact, derive_contact, ELASTIC},
    [KANE_CALL_GAP]        = {"gap of", 21, 21, call_gap, derive_gap, CONSTRAINT},
    [KANE_CALL_CREEP]      = {"creep forces of", 29, 8, call_creep, derive_creep, CONSTRAINT | TABLE},
    [KANE_CALL_CHECK_RAIL] = {"check rail of", 17, 6, call_check_rail, derive_check_rail, ANY},
    [KANE_CALL_TABLE]      = {"table of", 2, 46, call_table, derive_table, TABLE},
    [KANE_CALL_LAW]        = {"law of", 16, 6, call_law, derive_law, ANY},
};
_Static_assert(16 + KANE_LAW_STATES + KANE_LAW_INPUTS <= KANE_CALL_INPUTS, "inputs of a law");
_Static_assert(sizeof(kane_gap) == 21 * sizeof(double), "a gap is what its call gives");

static int is_of_wheels(kane_call_kind kind)
{
    return kind >= KANE_CALL_RAIL && kind <= KANE_CALL_TABLE;
}

static int eval_call(const model_call *c, const double *in, double *out)
{
    memset(out, 0, (size_t)c->outputs * sizeof *out);
    if (is_of_wheels(c->kind) && !(kinds[c->kind].models & 1u << c->model->wheels[c->index].contact_model))
        return 0;
    return kinds[c->kind].eval(c, in, out);
}

int kane_model_call_count(const kane_model *model)
{
    return kane_call_number(model, KANE_CALL_LAW, model->element_count, 0);
}

// kane_call_number the other way round.
static model_call find_call(const kane_model *model, int number)
{
    const int frames = number - 2, wheels = frames - model->frame_count, of_wheels = wheels % KANE_CALLS_OF_WHEELS;
    const int laws = wheels - KANE_CALLS_OF_WHEELS * model->wheels_count;
    model_call c   = {.model = model, .number = number};
    if (number < 2) {
        c.kind = number == 0 ? KANE_CALL_TRAVEL : KANE_CALL_ROAD;
    } else if (wheels < 0) {
        c.kind  = KANE_CALL_LINE;
        c.index = frames;
    } else if (laws >= 0) {
        c.kind  = KANE_CALL_LAW;
        c.index = laws;
    } else {
        c.kind  = (kane_call_kind)(KANE_CALL_RAIL + of_wheels / 2);
        c.index = wheels / KANE_CALLS_OF_WHEELS;
        c.side  = (kane_side)(of_wheels % 2);
    }
    const kane_element *law = c.kind == KANE_CALL_LAW ? &model->elements[c.index] : NULL;
    c.inputs                = kinds[c.kind].inputs + (law ? law->state_count + law->input_count : 0);
    c.outputs               = kinds[c.kind].outputs + (law ? law->state_count : 0);
    return c;
}

// Which outputs of a call depend on which inputs at all; a derivative that is always zero needs no operation.
int kane_call_depends(const kane_model *model, int call, int output, int input)
{
    // of a gap: only rate and acceleration depend on rates, only the acceleration on accelerations
    static const signed char order[21] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 1, 2};
    switch (find_call(model, call).kind) {
    case KANE_CALL_CREEP: return output < 4;
    case KANE_CALL_LINE: return output < 19;
    case KANE_CALL_GAP:
        return input != 0 && input != 3 && input != 6 && order[input] <= (output == 1 || output == 2 ? output : 0);
    default: return 1;
    }
}

// The first body whose frame it is.
static const char *frame_owner(const kane_model *model, int f)
{
    for (int i = 0; i < model->body_count; i++)
        if (model->bodies[i].track_frame == f || model->bodies[i].frame == f)
            return model->bodies[i].name;
    return model->frames[f].name ? model->frames[f].name : "";
}

kane_call_info kane_model_call(const kane_model *model, int call)
{
    const int count = kane_model_call_count(model);
    if (call >= count) {
        kane_call_info of = kane_model_call(model, call - count), derivatives = of;
        derivatives.outputs = of.outputs * of.inputs;
        (void)snprintf(derivatives.name, sizeof derivatives.name, "derivatives of %.80s", of.name);
        return derivatives;
    }
    const model_call c  = find_call(model, call);
    kane_call_info info = {.kind = c.kind, .inputs = c.inputs, .outputs = c.outputs};
    const char *side    = !is_of_wheels(c.kind) || c.kind == KANE_CALL_TABLE ? "" : c.side ? ", right" : ", left";
    const char *who     = c.kind == KANE_CALL_LINE  ? frame_owner(model, c.index)
                          : c.kind == KANE_CALL_LAW ? model->elements[c.index].name
                          : is_of_wheels(c.kind)    ? model->bodies[model->wheels[c.index].body].name
                                                    : NULL;
    if (who)
        (void)snprintf(info.name, sizeof info.name, "%s '%.60s'%s", kinds[c.kind].name, who, side);
    else
        (void)snprintf(info.name, sizeof info.name, "%s", kinds[c.kind].name);
    return info;
}

int kane_call(void *caller, int call, const double *in, double *out)
{
    const kane_caller *from = caller;
    const int count         = kane_model_call_count(from->model);
    double values[KANE_CALL_OUTPUTS];
    if (call < 0 || call >= 2 * count)
        return 0;
    model_call c = find_call(from->model, call % count);
    c.work       = from->work;
    if (call < count)
        return eval_call(&c, in, out);
    return eval_call(&c, in, values) && kinds[c.kind].derive(&c, in, out); // no values: it is none of this model's
}
