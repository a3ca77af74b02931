// SPDX-License-Identifier: MIT
// Parts of an evaluation as functions of numbers alone.

#include "agem/bodies.h"

#include "agem/element.h"
#include "agem/wheels.h"
#include "contact/contact.h"

#include <stdio.h>
#include <string.h>

typedef struct place {
    kane_call_kind kind;
    int index, side;
} place;

// By kind: what it is called, and numbers in and out, without states and inputs of laws.
static const struct {
    const char *name;
    int inputs, outputs;
} kinds[KANE_CALL_KINDS] = {
    [KANE_CALL_TRAVEL]     = {"travel", 2, 3},
    [KANE_CALL_ROAD]       = {"surface of the road", 2, 6},
    [KANE_CALL_LINE]       = {"line at the frame of", 1, 25},
    [KANE_CALL_RAIL]       = {"rail of", 1, 8},
    [KANE_CALL_CONTACT]    = {"contact of", 16, 6},
    [KANE_CALL_GAP]        = {"gap of", 21, 21},
    [KANE_CALL_CREEP]      = {"creep forces of", 29, 8},
    [KANE_CALL_CHECK_RAIL] = {"check rail of", 17, 6},
    [KANE_CALL_TABLE]      = {"table of", 2, 46},
    [KANE_CALL_LAW]        = {"law of", 16, 6},
};
_Static_assert(16 + KANE_LAW_STATES + KANE_LAW_INPUTS <= KANE_CALL_INPUTS, "inputs of a law");
_Static_assert(sizeof(kane_gap) == 21 * sizeof(double), "a gap is what its call gives");

int kane_model_call_count(const kane_model *model)
{
    return kane_call_number(model, KANE_CALL_LAW, model->element_count, 0);
}

// kane_call_number the other way round.
static place decode_call_number(const kane_model *model, int call)
{
    const int frames = call - 2, wheels = frames - model->frame_count, of_wheels = wheels % KANE_CALLS_OF_WHEELS;
    if (call < 2)
        return (place){call == 0 ? KANE_CALL_TRAVEL : KANE_CALL_ROAD, 0, 0};
    if (wheels < 0)
        return (place){KANE_CALL_LINE, frames, 0};
    if (wheels >= KANE_CALLS_OF_WHEELS * model->wheels_count)
        return (place){KANE_CALL_LAW, wheels - KANE_CALLS_OF_WHEELS * model->wheels_count, 0};
    return (place){(kane_call_kind)(KANE_CALL_RAIL + of_wheels / 2), wheels / KANE_CALLS_OF_WHEELS, of_wheels % 2};
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
    const place p       = decode_call_number(model, call);
    kane_call_info info = {.kind = p.kind, .inputs = kinds[p.kind].inputs, .outputs = kinds[p.kind].outputs};
    const int of_wheels = p.kind >= KANE_CALL_RAIL && p.kind <= KANE_CALL_TABLE;
    const char *side    = !of_wheels || p.kind == KANE_CALL_TABLE ? "" : p.side ? ", right" : ", left";
    const char *who     = p.kind == KANE_CALL_LINE  ? frame_owner(model, p.index)
                          : p.kind == KANE_CALL_LAW ? model->elements[p.index].name
                          : of_wheels               ? model->bodies[model->wheels[p.index].body].name
                                                    : NULL;
    if (p.kind == KANE_CALL_LAW) {
        info.inputs += model->elements[p.index].state_count + model->elements[p.index].input_count;
        info.outputs += model->elements[p.index].state_count;
    }
    if (who)
        (void)snprintf(info.name, sizeof info.name, "%s '%.60s'%s", kinds[p.kind].name, who, side);
    else
        (void)snprintf(info.name, sizeof info.name, "%s", kinds[p.kind].name);
    return info;
}

static void call_travel(const kane_model *model, const kane_work *work, const double *in, double *out)
{
    if (model->travel_count == 1) {
        out[0] = in[1];
        model->travel.eval(model->travel.data, in[0], in[1], &out[1], &out[2]);
    } else if (model->piece_count) {
        kane_model_travel(model, work->speed_piece, in[0], &out[0], &out[1], &out[2]);
    }
}

static void call_line(const kane_model *model, const kane_work *work, int f, double s, double *out)
{
    kane_track_frame frame;
    kane_track_eval(model->track, work->piece[f], s, &frame);
    const kane_vec3 start = kane_track_anchor(model->track, work->piece[f]);
    memcpy(out, &frame.R, 9 * sizeof *out);
    memcpy(out + 9, &frame.origin, 3 * sizeof *out);
    memcpy(out + 12, &frame.Omega, 3 * sizeof *out);
    memcpy(out + 15, &frame.Omega_s, 3 * sizeof *out);
    out[18] = frame.twist_ss;
    memcpy(out + 19, &work->anchor[f], 3 * sizeof *out);
    memcpy(out + 22, &start, 3 * sizeof *out);
}

static void call_rail(const kane_model *model, kane_side side, double s, double *out)
{
    kane_rail_offset o = {0};
    if (kane_track_is_irregular(model->track))
        kane_track_rail(model->track, side, s, &o);
    const double numbers[8] = {o.y, o.z, o.y_s, o.z_s, o.y_ss, o.z_ss, o.y_sss, o.z_sss};
    memcpy(out, numbers, sizeof numbers);
}

// Motion of a wheel over its rail at s: in [16].
static kane_wheel_motion read_motion(const kane_model *model, kane_side side, const double *in)
{
    kane_wheel_motion motion = {.friction_change = 0.0};
    kane_vec3 *const parts[] = {&motion.centre, &motion.axle, &motion.velocity, &motion.omega, &motion.turn};
    for (int k = 0; k < 5; k++)
        *parts[k] = kv3(in[3 * k], in[3 * k + 1], in[3 * k + 2]);
    kane_wheels_rail_at(model, side, in[15], &motion);
    return motion;
}

static int call_contact(const kane_model *model, int i, kane_side side, const double *in, double *out)
{
    const kane_wheel_motion motion = read_motion(model, side, in);
    kane_contact_result result;
    if (kane_contact_eval(model->wheels[i].contact, side, &motion, &result) != KANE_OK)
        return 0;
    memcpy(out, &result.on_wheel.force, 3 * sizeof *out);
    memcpy(out + 3, &result.on_wheel.torque, 3 * sizeof *out);
    return 1;
}

// Path of a wheel over its rail: in [21].
static kane_wheel_path read_path(const kane_model *model, kane_side side, const double *in)
{
    kane_wheel_motion rail   = {.friction_change = 0.0};
    kane_wheel_path path     = {.along_rate = in[19], .along_accel = in[20]};
    kane_vec3 *const parts[] = {&path.centre, &path.centre_rate, &path.centre_accel,
                                &path.axle,   &path.axle_rate,   &path.axle_accel};
    for (int k = 0; k < 6; k++)
        *parts[k] = kv3(in[3 * k], in[3 * k + 1], in[3 * k + 2]);
    kane_wheels_rail_at(model, side, in[18], &rail);
    path.blend = rail.blend;
    return path;
}

static int call_gap(const kane_model *model, int i, kane_side side, const double *in, double *out)
{
    const kane_wheel_path path = read_path(model, side, in);
    kane_gap gap;
    if (kane_contact_gap(model->wheels[i].contact, side, &path, &gap) != KANE_OK)
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

static int call_creep(const kane_model *model, int i, kane_side side, const double *in, double *out)
{
    const kane_gap point           = read_contact_point(in);
    const kane_wheel_motion motion = read_motion(model, side, in + 12);
    rigid_contact rolling;
    kane_user_force f, slope;
    if (kane_rigid_prepare(model->wheels[i].contact, side, &point, &motion, &rolling) != KANE_OK ||
        kane_rigid_forces(&rolling, in[28], &f) != KANE_OK || kane_rigid_slope(&rolling, in[28], &slope) != KANE_OK)
        return 0;
    const double numbers[8] = {f.T_x, f.T_y, f.M_z, f.T_n, slope.T_x, slope.T_y, slope.M_z, slope.T_n};
    memcpy(out, numbers, sizeof numbers);
    return 1;
}

// The parts of a wheelset's state that a check rail reads.
static void set_check_rail_state(const kane_model *model, kane_side side, const double *in, kane_wheels_state *w)
{
    w->motion[side]      = read_motion(model, side, in);
    w->s_at[side]        = in[15];
    w->rail[side].length = in[16];
}

static void call_check_rail(const kane_model *model, int i, kane_side side, const double *in, double *out)
{
    kane_wheels_state w;
    set_check_rail_state(model, side, in, &w);
    kane_check_rail_eval(model, &model->wheels[i], side, &w);
    memcpy(out, &w.check[side].on_wheel.force, 3 * sizeof *out);
    memcpy(out + 3, &w.check[side].on_wheel.torque, 3 * sizeof *out);
}

static int call_table(const kane_model *model, int i, const double *in, double *out)
{
    kane_wheelset_values v;
    if (kane_wheelset_table_eval(model->wheels[i].guide, in[0], in[1], &v) != KANE_OK)
        return 0;
    const kane_wheelset_function *const functions[] = {&v.height, &v.roll, &v.twist_height, &v.twist_roll};
    for (int k = 0; k < 4; k++)
        memcpy(out + 6 * k, functions[k], sizeof *functions[k]);
    for (int side = 0; side < 2; side++) {
        const kane_gap *p = &v.contact_point[side];
        const double of[] = {p->point.x,  p->point.y, p->point.z, p->normal.x, p->normal.y, p->normal.z,
                             p->A,        p->B,       p->radius,  p->wheel_y,  p->rail_y};
        memcpy(out + 24 + 11 * side, of, sizeof of);
    }
    return 1;
}

// A wheelset's calls that are not those of its rail; 0 also for those that it has no use for.
static int call_wheels(const kane_model *model, place p, const double *in, double *out)
{
    const kane_wheels *wheels = &model->wheels[p.index];
    const kane_side side      = (kane_side)p.side;
    switch (p.kind) {
    case KANE_CALL_CONTACT:
        return wheels->contact_model == KANE_CONTACT_ELASTIC && call_contact(model, p.index, side, in, out);
    case KANE_CALL_GAP:
        return wheels->contact_model == KANE_CONTACT_CONSTRAINT && call_gap(model, p.index, side, in, out);
    case KANE_CALL_CREEP:
        return wheels->contact_model != KANE_CONTACT_ELASTIC && call_creep(model, p.index, side, in, out);
    case KANE_CALL_TABLE: return wheels->guide && call_table(model, p.index, in, out);
    case KANE_CALL_CHECK_RAIL: call_check_rail(model, p.index, side, in, out); return 1;
    default: return 0;
    }
}

static int call_law(const kane_element *element, const double *in, double *out)
{
    kane_element_motion motion = {.absolute = {.mirrored = 0}};
    kane_relative *r           = &motion.relative;
    kane_vec3 *const parts[]   = {&r->d, &r->v, &r->phi, &r->w, &r->d0};
    kane_wrench on_b;
    for (int k = 0; k < 5; k++)
        *parts[k] = kv3(in[3 * k], in[3 * k + 1], in[3 * k + 2]);
    r->t     = in[15];
    r->state = element->state_count > 0 ? in + 16 : NULL;
    r->input = element->input_count > 0 ? in + 16 + element->state_count : NULL;
    if (kane_element_eval(element, &motion, &on_b) != KANE_OK ||
        (element->state_count > 0 && kane_element_rates(element, &motion, out + 6) != KANE_OK))
        return 0;
    memcpy(out, &on_b.force, 3 * sizeof *out);
    memcpy(out + 3, &on_b.torque, 3 * sizeof *out);
    return 1;
}

int kane_call(void *caller, int call, const double *in, double *out)
{
    const kane_caller *c    = caller;
    const kane_model *model = c->model;
    if (call < 0 || call >= kane_model_call_count(model))
        return 0;
    const place p = decode_call_number(model, call);
    memset(out, 0, (size_t)kinds[p.kind].outputs * sizeof *out);
    if (p.kind == KANE_CALL_TRAVEL) {
        call_travel(model, c->work, in, out);
    } else if (p.kind == KANE_CALL_LAW) {
        return !model->elements[p.index].absolute && call_law(&model->elements[p.index], in, out);
    } else if (!model->track) {
        return 0;
    } else if (p.kind == KANE_CALL_ROAD) {
        kane_track_surface(model->track, in[0], in[1], out);
    } else if (p.kind == KANE_CALL_LINE) {
        if (model->frames[p.index].kind != KANE_FRAME_TRACK)
            return 0;
        call_line(model, c->work, p.index, in[0], out);
    } else if (p.kind == KANE_CALL_RAIL) {
        call_rail(model, (kane_side)p.side, in[0], out);
    } else {
        return call_wheels(model, p, in, out);
    }
    return 1;
}
