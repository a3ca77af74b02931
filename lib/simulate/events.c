// SPDX-License-Identifier: MIT
// Events: section joints of the track, segments of the prescribed speed, corners of actuators, and conditions that end
// a simulation.
//
// A wheelset crosses a section joint at its own position, with the frame of its rails: the time is a root. With a
// prescribed speed the times of all other frames are known beforehand; those of a driven vehicle are roots, too.

#include "simulate/simulation.h"

#include "agem/wheels.h"

#include <stdio.h>

static int is_prescribed(const kane_model *model)
{
    return model->travel_count == 0 && model->piece_count > 0;
}

static int is_now(const kane_simulation *s, double t)
{
    return t <= s->t + 1e-12 * (1.0 + fabs(s->t));
}

// Distance covered by the guide's frame when frame f is at the end of its section [m].
static double section_end_distance(const kane_simulation *s, int f)
{
    const kane_model *model = s->model;
    return kane_track_piece_start(model->track, s->work->piece[f] + 1) - model->frames[f].offset - model->start;
}

static double speed_segment_end(const kane_simulation *s)
{
    const int next = s->work->speed_piece + 1;
    return next < s->model->piece_count ? s->model->pieces[next].time : HUGE_VAL;
}

// Time at which the speed of the present segment is zero, t_0 - v_0/a, a < 0 [s]; infinite if the segment ends before.
static double standstill_time(const kane_simulation *s)
{
    const kane_speed_state *p = &s->model->pieces[s->work->speed_piece];
    const double t            = p->acceleration < 0.0 ? p->time - p->speed / p->acceleration : HUGE_VAL;
    return t < speed_segment_end(s) - 1e-12 * (1.0 + fabs(t)) ? t : HUGE_VAL;
}

// 1: speed is zero in the present segment of speed and all later ones.
static int is_at_rest_forever(const kane_simulation *s)
{
    for (int i = s->work->speed_piece; i < s->model->piece_count; i++)
        if (s->model->pieces[i].speed > 0.0 || s->model->pieces[i].acceleration > 0.0)
            return 0;
    return 1;
}

// Earliest known event of travel [s]: end of a speed segment, standstill, distance, section joints of frames without
// wheels.
static double next_travel_event(const kane_simulation *s)
{
    const kane_model *model = s->model;
    double next             = fmin(speed_segment_end(s), standstill_time(s));
    if (s->conditions.distance > 0.0)
        next = fmin(next, kane_model_time_of(model, s->work->speed_piece, s->conditions.distance));
    for (int f = 0; f < model->frame_count; f++)
        if (kane_frame_passes_alone(&model->frames[f]))
            next = fmin(next, kane_model_time_of(model, s->work->speed_piece, section_end_distance(s, f)));
    return next;
}

// Next corner of a torque or force over time [s], later than now.
static double next_actuator_event(const kane_simulation *s)
{
    double next = HUGE_VAL;
    for (int i = 0; i < s->model->actuator_count; i++) {
        const kane_actuator *actuator = &s->model->actuators[i];
        for (int k = 0; k < actuator->point_count; k++)
            if (!is_now(s, actuator->time[k]))
                next = fmin(next, actuator->time[k]);
    }
    return next;
}

// 1: a wheelset, or a frame of a driven vehicle, is at the end of its section, within 1 nm: roots are exact to
// round-off.
static int is_at_section_joint(const kane_simulation *s, int f)
{
    const kane_frame *frame = &s->model->frames[f];
    if (frame->kind != KANE_FRAME_TRACK || (kane_frame_passes_alone(frame) && s->model->travel_count == 0))
        return 0;
    return kane_work_beyond(s->model, s->work, f) >= -1e-9;
}

static int any_at_section_joint(kane_simulation *s)
{
    int any = 0;
    if (s->model->wheels_count == 0 && s->model->travel_count == 0)
        return 0;
    (void)kane_motion_eval(s->model, s->work, s->t, s->y);
    s->evaluated = KANE_KNOWS_MOTION;
    for (int f = 0; f < s->model->frame_count; f++)
        any = any || is_at_section_joint(s, f);
    return any;
}

void kane_events_plan(kane_simulation *s)
{
    const kane_model *model = s->model;
    double next             = s->conditions.time > 0.0 ? s->conditions.time : KANE_NO_EVENT;
    if (is_prescribed(model))
        next = fmin(next, next_travel_event(s));
    s->next_event = fmin(next, next_actuator_event(s));
    s->arrived    = (s->next_event < KANE_NO_EVENT && is_now(s, s->next_event)) || any_at_section_joint(s);
}

// Time for a distance d at speed v and acceleration a [s]:  2 d/(v + (v^2 + 2 a d)^1/2); infinite if d is never
// covered.
static double travel_time(double way, double speed, double acceleration)
{
    const double square = speed * speed + 2.0 * acceleration * way;
    return square > 0.0 ? 2.0 * way / (speed + sqrt(square)) : HUGE_VAL;
}

double kane_events_reach(const kane_simulation *s)
{
    const kane_model *model = s->model;
    double at, speed, acceleration = 0.0, way = HUGE_VAL;
    if (model->travel_count) {
        at    = s->y[0];
        speed = fmax(kane_model_speed(model, s->work->speed_piece, s->t, s->y), 0.0);
    } else if (is_prescribed(model)) {
        kane_model_travel(model, s->work->speed_piece, s->t, &at, &speed, &acceleration);
    } else {
        return HUGE_VAL;
    }
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_frame *frame = &model->frames[model->wheels[i].frame];
        way                     = fmin(way, kane_track_ahead(model->track, at + frame->offset));
    }
    return way < HUGE_VAL ? travel_time(way, speed, acceleration) : HUGE_VAL;
}

static void stop_run(kane_simulation *s, kane_stop why, const char *subject)
{
    s->stop = why;
    (void)snprintf(s->stop_subject, sizeof s->stop_subject, "%s", subject);
}

// Stops with the kind of derailment: a wheel below its rail has dropped, one above it with contact climbs, one without
// has lifted.
static void stop_derailed(kane_simulation *s, int i, kane_side side)
{
    const kane_wheels *wheels = &s->model->wheels[i];
    double *y                 = s->y;
    (void)kane_eval(s->model, s->work, s->t, y, s->ydot);
    const int touches = s->work->wheels[i].result[side].patch_count > 0;
    const int above   = kane_wheels_lift(wheels, &s->work->wheels[i], side) > 0.0;
    char subject[96];
    (void)snprintf(subject, sizeof subject, "%.80s.%s", s->model->bodies[wheels->body].name,
                   side == KANE_LEFT ? "left" : "right");
    if (kane_wheels_are_guided(wheels)) // contact as a constraint: the rail would have to pull it down
        stop_run(s, KANE_STOP_WHEEL_LIFT, subject);
    else
        stop_run(s, !above ? KANE_STOP_WHEEL_DROP : touches ? KANE_STOP_FLANGE_CLIMB : KANE_STOP_WHEEL_LIFT, subject);
}

// Name of the wheelset or body whose track frame it is; of an element on the track, its body.
static const char *frame_owner_name(const kane_model *model, int f)
{
    if (model->frames[f].wheels >= 0)
        return model->bodies[model->wheels[model->frames[f].wheels].body].name;
    for (int j = 0; j < model->body_count; j++)
        if (model->bodies[j].track_frame == f)
            return model->bodies[j].name;
    for (int e = 0; e < model->element_count; e++)
        if (model->elements[e].a.body < 0 && model->elements[e].a.frame == f)
            return model->bodies[model->elements[e].b.body].name;
    return "";
}

// Work at a section joint from the energies before and after it:
//   elements  -= change of the energy in elements
//   omitted   += work of omitted impulses
//   drive     += change of kinetic and potential energy, less both: work of frames, and of a guide without longitudinal freedom
static void add_joint_work(kane_simulation *s, const kane_energy *before, const kane_energy *after)
{
    double *work          = s->y + s->model->state_count;
    const double elements = before->elements - after->elements;
    const double gain     = after->kinetic + after->gravity - before->kinetic - before->gravity;
    work[0] += gain - elements - s->work->omitted_work;
    work[1] += elements;
    work[3] += s->work->omitted_work;
}

// Moves a frame to its next section: states are mapped to the new frame (remap), or kept. Stops at the end of the
// track.
static void cross_section_joint(kane_simulation *s, int f)
{
    const kane_model *model = s->model;
    double *y               = s->y;
    if (s->work->piece[f] + 1 >= kane_track_piece_count(model->track)) {
        stop_run(s, KANE_STOP_END_OF_TRACK, frame_owner_name(model, f));
        return;
    }
    if (!s->settings.remap) {
        kane_work_skip_joint(model, s->work, f);
        return;
    }
    kane_energy before, after;
    if (s->settings.energy) {
        (void)kane_eval(model, s->work, s->t, y, s->ydot);
        kane_observe(model, s->work);
        kane_get_energy(model, s->work, &before);
    }
    kane_work_cross_joint(model, s->work, f, s->t, y);
    if (s->settings.energy) {
        (void)kane_eval(model, s->work, s->t, y, s->ydot);
        kane_observe(model, s->work);
        kane_get_energy(model, s->work, &after);
        add_joint_work(s, &before, &after);
    }
}

static void handle_travel(kane_simulation *s)
{
    const kane_model *model = s->model;
    for (int f = 0; f < model->frame_count && s->stop == KANE_STOP_NONE; f++)
        if (kane_frame_passes_alone(&model->frames[f]) &&
            is_now(s, kane_model_time_of(model, s->work->speed_piece, section_end_distance(s, f))))
            cross_section_joint(s, f);
    if (s->stop != KANE_STOP_NONE)
        return;
    if (s->conditions.distance > 0.0 &&
        is_now(s, kane_model_time_of(model, s->work->speed_piece, s->conditions.distance))) {
        stop_run(s, KANE_STOP_DISTANCE, "");
    } else if (is_now(s, standstill_time(s))) {
        stop_run(s, KANE_STOP_STANDSTILL, "");
    } else if (is_now(s, speed_segment_end(s))) {
        kane_work_pass_speed(s->work);
        if (is_at_rest_forever(s))
            stop_run(s, KANE_STOP_STANDSTILL, "");
    }
}

static void handle_roots(kane_simulation *s)
{
    const kane_model *model = s->model;
    const int *at           = s->roots;
    for (int i = 0; i < model->wheels_count; i++) {
        for (int side = 0; side < 2; side++)
            if (*at++ > 0 && s->stop == KANE_STOP_NONE)
                stop_derailed(s, i, side);
        at++; // section joints: handled by is_at_section_joint
    }
    if (!model->travel_count || s->stop != KANE_STOP_NONE)
        return;
    at += model->frame_count;
    if (*at++ < 0 && s->moving)
        stop_run(s, KANE_STOP_STANDSTILL, "");
    if (*at++ < 0)
        stop_run(s, KANE_STOP_ROLL_BACK, "");
    if (*at++ > 0)
        stop_run(s, KANE_STOP_DISTANCE, "");
}

void kane_events_handle(kane_simulation *s)
{
    if (s->conditions.time > 0.0 && is_now(s, s->conditions.time)) {
        stop_run(s, KANE_STOP_TIME, "");
        return;
    }
    if (is_prescribed(s->model))
        handle_travel(s);
    if (any_at_section_joint(s)) // crossing does not change positions: is_at_section_joint stays valid
        for (int f = 0; f < s->model->frame_count && s->stop == KANE_STOP_NONE; f++)
            if (is_at_section_joint(s, f))
                cross_section_joint(s, f);
    if (s->at_root && s->stop == KANE_STOP_NONE)
        handle_roots(s);
}
