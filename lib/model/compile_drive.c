// SPDX-License-Identifier: MIT
// The drive: pieces of prescribed speed, actuators, and who gives up the longitudinal freedom.

#include "model/compile.h"

kane_drive_definition kane_drive_definition_default(void)
{
    return (kane_drive_definition){.kind = KANE_DRIVE_PRESCRIBED, .place = {"", 0, 0, ""}, .follow_rate = 10.0};
}

// Speed and distance at the beginning of every piece.
static void prescribe(kane_compiler *c)
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

static void actuate(kane_compiler *c, const kane_actuator_definition *d)
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
    if (d->point_count < 1) {
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, NULL, -1),
                              "needs at least one point of time and value");
        return;
    }
    copy_points(c, d, actuator);
    if (actuator->on < 0)
        return;
    if (!d->at_centre)
        actuator->point = kv3_sub(d->at, c->vehicle->bodies[actuator->on].position);
    if (d->kind == KANE_ACTUATOR_JOINT)
        actuator->coordinate = kane_compile_coordinate(c, &c->vehicle->bodies[actuator->on], d->coordinate,
                                                       kane_block_place(&d->block, "coordinate", -1));
    const int spins = d->kind == KANE_ACTUATOR_TORQUE || d->kind == KANE_ACTUATOR_BRAKE;
    if (spins && c->vehicle->bodies[actuator->on].kind != KANE_BODY_SPINNING)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, "on", -1),
                              "'%s' does not spin: torques and brakes act on wheelsets", d->on);
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
        actuate(c, &c->drive->actuators[i]);
    if (model->guide < 0 || model->frames[0].kind != KANE_FRAME_TRACK)
        return;
    kane_body *guide = &model->bodies[model->guide];
    if (model->drive == KANE_DRIVE_PRESCRIBED) {
        prescribe(c);
        kane_compile_freedoms(guide, guide->freedoms & ~KANE_FREEDOM(KANE_X));
    } else {
        model->travel_count = 3;
        if (!(guide->freedoms & KANE_FREEDOM(KANE_X)))
            kane_errors_add_input(c->errors, KANE_BAD_INPUT,
                                  kane_block_place(&c->vehicle->bodies[model->guide].block, "freedoms", -1),
                                  "the guide of a driven vehicle needs the freedom \"x\"");
        if (!(model->follow_rate > 0.0))
            kane_errors_add(c->errors, KANE_BAD_INPUT, "frames follow their guide at a positive rate, not at %g 1/s",
                            model->follow_rate);
    }
}
