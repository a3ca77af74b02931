// SPDX-License-Identifier: MIT
// The drive: prescribed speed in pieces, by a curve or by a function; actuators; and the removed longitudinal freedom.

#include "model/compile.h"

#include "math/spline.h"
#include "model/model.h"

kane_drive_definition kane_drive_definition_default(void)
{
    return (kane_drive_definition){.kind = KANE_DRIVE_PRESCRIBED, .place = {"", 0, 0, ""}, .follow_rate = 10.0};
}

// Speed and distance at the beginning of every piece:  v + a dt,   d + dt (v + a dt/2).
static void set_speed_segments(kane_compiler *c)
{
    kane_model *model  = c->model;
    model->pieces[0]   = (kane_speed_state){.speed = model->speed};
    model->piece_count = 1;
    for (int i = 0; i < c->drive->piece_count; i++) {
        const kane_speed_piece *d = &c->drive->pieces[i];
        const double after        = i > 0 ? c->drive->pieces[i - 1].time : 0.0;
        if (i == 0 ? d->time != 0.0 : !(d->time > after)) {
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, d->place, "begins at %g s; %s", d->time,
                                  i == 0 ? "the first piece begins at 0" : "must be after the piece before");
            return;
        }
        if (i > 0) {
            const kane_speed_state *p  = &model->pieces[i - 1];
            const double dt            = d->time - p->time;
            model->pieces[i].time      = d->time;
            const double speed         = p->speed + dt * p->acceleration;
            model->pieces[i].speed     = fabs(speed) > 1e-12 * (1.0 + p->speed) ? speed : 0.0; // braked to a halt
            model->pieces[i].travelled = p->travelled + dt * (p->speed + 0.5 * p->acceleration * dt);
        }
        model->pieces[i].acceleration = d->acceleration;
        model->piece_count            = i + 1;
    }
}

// v = sqrt(2 c(s)),   a = v dv/ds = dc/ds,   c: spline of v^2/2 over place.
static void speed_over_place(const void *data, double t, double s, double *v, double *a)
{
    const kane_speed_spline *spline = data;
    double out[4];
    (void)t;
    kane_spline_eval(spline->point_count, spline->at, spline->cubic, s, out);
    *v = sqrt(2.0 * out[0]);
    *a = out[1];
}

// Least value of a cubic over its interval of length h.
static double least_of(const kane_cubic *cubic, double h)
{
    const double *c = cubic->c, square = c[2] * c[2] - 3.0 * c[3] * c[1];
    double out[4], least;
    kane_cubic_eval(cubic, h, out);
    least = fmin(c[0], out[0]);
    if (square >= 0.0) { // where the slope is zero and grows: of both forms the one that loses no digits
        const double root = sqrt(square), t = c[2] > 0.0 ? -c[1] / (c[2] + root) : (root - c[2]) / (3.0 * c[3]);
        if (t > 0.0 && t < h) {
            kane_cubic_eval(cubic, t, out);
            least = fmin(least, out[0]);
        }
    }
    return least;
}

static int check_points(kane_compiler *c, const kane_speed_curve *d)
{
    const int over_time = d->over == KANE_SPEED_OVER_TIME;
    if (over_time && d->at[0] != 0.0) {
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, d->place, "begins at %g s; must begin at 0", d->at[0]);
        return 0;
    }
    for (int i = 0; i < d->point_count; i++) {
        if (i > 0 && !(d->at[i] > d->at[i - 1])) {
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, d->place, "%g %s is not after %g %s: %s must grow",
                                  d->at[i], over_time ? "s" : "m", d->at[i - 1], over_time ? "s" : "m",
                                  over_time ? "times" : "places");
            return 0;
        }
        if (!(over_time ? d->speed[i] >= 0.0 : d->speed[i] > 0.0)) {
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, d->place, "a speed is %g m/s; must %s", d->speed[i],
                                  over_time
                                      ? "not be negative"
                                      : "be positive: over a place, a vehicle that stands there would not get on");
            return 0;
        }
    }
    return 1;
}

// Whether it stays above zero between all points; if not, says where.
static int check_curve(kane_compiler *c, const kane_speed_spline *spline)
{
    const kane_speed_curve *d = &c->drive->curve;
    const int over_time       = d->over == KANE_SPEED_OVER_TIME;
    for (int i = 0; i + 1 < spline->point_count; i++) {
        const double least = least_of(&spline->cubic[i], spline->at[i + 1] - spline->at[i]);
        if (over_time ? least >= -1e-9 : least > 0.0)
            continue;
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, d->place,
                              "between %g and %g %s the smooth curve through the points falls below zero: more points "
                              "there, or lines between them, keep it above",
                              d->at[i], d->at[i + 1], over_time ? "s" : "m");
        return 0;
    }
    return 1;
}

// Spline of v over time, or of v^2/2 over place, with zero slope at its ends.
static void prescribe_curve(kane_compiler *c)
{
    kane_model *model         = c->model;
    const kane_speed_curve *d = &c->drive->curve;
    const size_t count        = (size_t)d->point_count;
    const int over_time = d->over == KANE_SPEED_OVER_TIME, last = d->point_count - 1;
    kane_speed_spline *spline = kane_arena_alloc(model->arena, 1, sizeof *spline);
    double *at                = kane_arena_alloc(model->arena, count, sizeof *at);
    double *value             = kane_arena_alloc(model->arena, count, sizeof *value);
    double *travelled         = kane_arena_alloc(model->arena, count, sizeof *travelled);
    kane_cubic *cubic         = kane_arena_alloc(model->arena, count, sizeof *cubic);
    if (!spline || !at || !value || !travelled || !cubic)
        return;
    if (d->point_count < 2) {
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, d->place, "a curve of speed needs at least two points");
        return;
    }
    if (!check_points(c, d))
        return;
    for (int i = 0; i <= last; i++) {
        at[i]    = d->at[i];
        value[i] = over_time ? d->speed[i] : 0.5 * d->speed[i] * d->speed[i];
    }
    kane_spline_fit(d->point_count, at, value, KANE_SPLINE_LEVEL, cubic);
    *spline = (kane_speed_spline){d->point_count, at, cubic, over_time ? travelled : NULL};
    if (!check_curve(c, spline))
        return;
    if (!over_time) {
        model->travel = (kane_speed_function){speed_over_place, spline};
        return;
    }
    for (int i = 0; i < last; i++)
        travelled[i + 1] = travelled[i] + kane_cubic_integral(&cubic[i], at[i + 1] - at[i]);
    model->spline      = spline; // the first piece; behind its end the speed stays
    model->pieces[0]   = (kane_speed_state){.speed = value[0]};
    model->pieces[1]   = (kane_speed_state){at[last], travelled[last], value[last], 0.0};
    model->piece_count = 2;
}

// The speed of a curve or function at the start must be that of the drive.
static void check_speed(kane_compiler *c)
{
    const kane_model *model = c->model;
    const double v          = kane_model_speed(model, 0, 0.0, &model->start);
    if (!(fabs(v - model->speed) <= 1e-6 * (1.0 + fabs(v))))
        kane_errors_add_input(
            c->errors, KANE_BAD_INPUT, c->drive->curve.point_count > 0 ? c->drive->curve.place : c->drive->place,
            "the prescribed speed begins with %.9g m/s, but the start says %.9g m/s", v, model->speed);
}

static void copy_points(kane_compiler *c, const kane_actuator_definition *d, kane_actuator *actuator)
{
    const size_t count = (size_t)d->point_count;
    double *time       = kane_arena_alloc(c->model->arena, count, sizeof *time);
    double *value      = kane_arena_alloc(c->model->arena, count, sizeof *value);
    if (!time || !value)
        return;
    for (int i = 0; i < d->point_count; i++) {
        time[i]  = d->time[i];
        value[i] = d->value[i];
        if (i > 0 && !(time[i] > time[i - 1]))
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, "time", i),
                                  "%g s is not after %g s: times must grow", time[i], time[i - 1]);
    }
    actuator->point_count = d->point_count;
    actuator->time        = time;
    actuator->value       = value;
}

static void compile_actuator(kane_compiler *c, const kane_actuator_definition *d)
{
    kane_model *model       = c->model;
    kane_actuator *actuator = &model->actuators[model->actuator_count++];
    const kane_names names  = kane_compile_body_names(c);

    actuator->name     = kane_compile_text(c, d->block.name);
    actuator->kind     = d->kind;
    actuator->on       = kane_names_resolve(names, "body", d->on, kane_block_place(&d->block, "on", -1), c->errors);
    actuator->reaction = -1;
    if (d->reaction)
        actuator->reaction =
            kane_names_resolve(names, "body", d->reaction, kane_block_place(&d->block, "reaction", -1), c->errors);
    actuator->input = d->input ? kane_compile_find_input(c, d->input, kane_block_place(&d->block, "input", -1)) : -1;
    if (d->point_count < 1 && !d->input) {
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, NULL, -1),
                              "needs at least one point of time and value");
        return;
    }
    copy_points(c, d, actuator);
    if (actuator->on < 0)
        return;
    actuator->at = kane_compile_point(c->model, actuator->on, d->at);
    if (d->at_centre)
        actuator->at.point = kv3_zero();
    if (d->kind == KANE_ACTUATOR_JOINT)
        actuator->coordinate = kane_compile_coordinate(c, &c->vehicle->bodies[actuator->on], d->coordinate,
                                                       kane_block_place(&d->block, "coordinate", -1));
    const double size     = kv3_norm(d->direction);
    actuator->directed    = size > 0.0 && (d->kind == KANE_ACTUATOR_TORQUE || d->kind == KANE_ACTUATOR_FORCE);
    actuator->direction   = actuator->directed ? kv3_scale(1.0 / size, d->direction) : kv3_zero();
    const int is_spinning = !actuator->directed && (d->kind == KANE_ACTUATOR_TORQUE || d->kind == KANE_ACTUATOR_BRAKE);
    if (is_spinning && c->vehicle->bodies[actuator->on].kind != KANE_BODY_SPINNING)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, "on", -1),
                              "'%s' does not spin: torques and brakes act on wheelsets%s", d->on,
                              d->input && d->kind == KANE_ACTUATOR_TORQUE ? ", or need a \"direction\"" : "");
}

// All frames must stand on the track at the start.
void kane_compile_place(kane_compiler *c)
{
    const kane_model *model = c->model;
    if (model->guide < 0 || model->frames[0].kind != KANE_FRAME_TRACK)
        return;
    const double chainage = kane_track_get_definition(model->track)->start, length = kane_track_length(model->track);
    double first = 0.0, last = 0.0;
    for (int f = 0; f < model->frame_count; f++) {
        if (model->frames[f].kind != KANE_FRAME_TRACK)
            continue;
        first = fmin(first, model->frames[f].offset);
        last  = fmax(last, model->frames[f].offset);
    }
    if (!(model->start + first >= 0.0 && model->start + last <= length))
        kane_errors_add_input(
            c->errors, KANE_BAD_INPUT, c->drive->place,
            "the vehicle does not stand on the track: it reaches from %g m to %g m, the track from %g m "
            "to %g m",
            chainage + model->start + first, chainage + model->start + last, chainage, chainage + length);
}

void kane_compile_drive(kane_compiler *c)
{
    kane_model *model  = c->model;
    model->drive       = c->drive->kind;
    model->start       = c->drive->start;
    model->speed       = c->drive->speed;
    model->follow_rate = c->drive->follow_rate;
    if (!(model->speed >= 0.0))
        kane_errors_add(c->errors, KANE_BAD_INPUT, "the speed at the start is %g m/s; must not be negative",
                        model->speed);

    for (int i = 0; i < c->drive->actuator_count; i++)
        compile_actuator(c, &c->drive->actuators[i]);
    if (model->guide < 0 || model->frames[0].kind != KANE_FRAME_TRACK)
        return;
    kane_body *guide = &model->bodies[model->guide];
    if (model->drive == KANE_DRIVE_PRESCRIBED) {
        model->travel = c->drive->function;
        if (c->drive->curve.point_count > 0)
            prescribe_curve(c);
        else if (!model->travel.eval)
            set_speed_segments(c);
        model->travel_count = model->travel.eval ? 1 : 0;
        if (model->travel.eval || model->piece_count > 0)
            check_speed(c);
        kane_compile_dof(guide, guide->dof & ~KANE_DOF(KANE_X));
    } else {
        model->travel_count = 3;
        if (!(guide->dof & KANE_DOF(KANE_X)))
            kane_errors_add_input(c->errors, KANE_BAD_INPUT,
                                  kane_block_place(&c->vehicle->bodies[model->guide].block, "dof", -1),
                                  "the guide of a driven vehicle needs the freedom \"x\"");
        if (!(model->follow_rate > 0.0))
            kane_errors_add(c->errors, KANE_BAD_INPUT, "frames follow their guide at a positive rate, not at %g 1/s",
                            model->follow_rate);
    }
}
