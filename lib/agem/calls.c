// SPDX-License-Identifier: MIT
// Parts of an evaluation as functions of numbers alone.

#include "agem/bodies.h"

#include "agem/element.h"
#include "agem/wheels.h"

#include <stdio.h>
#include <string.h>

typedef struct place {
    kane_call_kind kind;
    int index, side;
} place;

// without states and inputs of laws
static const int inputs[KANE_CALL_KINDS] = {2, 2, 1, 1, 16, 16}, outputs[KANE_CALL_KINDS] = {3, 6, 25, 8, 6, 6};

int kane_model_call_count(const kane_model *model)
{
    return kane_call_number(model, KANE_CALL_LAW, model->element_count, 0);
}

// kane_call_number the other way round.
static place decode_call_number(const kane_model *model, int call)
{
    const int frames = call - 2, wheels = frames - model->frame_count;
    if (call < 2)
        return (place){call == 0 ? KANE_CALL_TRAVEL : KANE_CALL_ROAD, 0, 0};
    if (wheels < 0)
        return (place){KANE_CALL_LINE, frames, 0};
    if (wheels >= 4 * model->wheels_count)
        return (place){KANE_CALL_LAW, wheels - 4 * model->wheels_count, 0};
    return (place){wheels % 4 < 2 ? KANE_CALL_RAIL : KANE_CALL_CONTACT, wheels / 4, wheels % 2};
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
    static const char *const kinds[] = {"travel",  "surface of the road", "line at the frame of",
                                        "rail of", "contact of",          "law of"};
    const place p                    = decode_call_number(model, call);
    kane_call_info info              = {.kind = p.kind, .inputs = inputs[p.kind], .outputs = outputs[p.kind]};
    const int has_side               = p.kind == KANE_CALL_RAIL || p.kind == KANE_CALL_CONTACT;
    const char *side                 = !has_side ? "" : p.side ? ", right" : ", left";
    const char *who                  = p.kind == KANE_CALL_LINE  ? frame_owner(model, p.index)
                                       : p.kind == KANE_CALL_LAW ? model->elements[p.index].name
                                       : has_side                ? model->bodies[model->wheels[p.index].body].name
                                                                 : NULL;
    if (p.kind == KANE_CALL_LAW) {
        info.inputs += model->elements[p.index].state_count + model->elements[p.index].input_count;
        info.outputs += model->elements[p.index].state_count;
    }
    if (who)
        (void)snprintf(info.name, sizeof info.name, "%s '%.60s'%s", kinds[p.kind], who, side);
    else
        (void)snprintf(info.name, sizeof info.name, "%s", kinds[p.kind]);
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

static int call_contact(const kane_model *model, int i, kane_side side, const double *in, double *out)
{
    const kane_wheels *wheels = &model->wheels[i];
    kane_wheel_motion motion  = {.friction_change = 0.0};
    kane_contact_result result;
    kane_vec3 *const parts[] = {&motion.centre, &motion.axle, &motion.velocity, &motion.omega, &motion.turn};
    for (int k = 0; k < 5; k++)
        *parts[k] = kv3(in[3 * k], in[3 * k + 1], in[3 * k + 2]);
    kane_wheels_rail_at(model, side, in[15], &motion);
    if (kane_contact_eval(wheels->contact, side, &motion, &result) != KANE_OK)
        return 0;
    memcpy(out, &result.on_wheel.force, 3 * sizeof *out);
    memcpy(out + 3, &result.on_wheel.torque, 3 * sizeof *out);
    return 1;
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
    memset(out, 0, (size_t)outputs[p.kind] * sizeof *out);
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
        return model->wheels[p.index].contact_model == KANE_CONTACT_ELASTIC &&
               call_contact(model, p.index, (kane_side)p.side, in, out);
    }
    return 1;
}
