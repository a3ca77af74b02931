// SPDX-License-Identifier: MIT
// A vehicle set aside: springs are not strained, and wheels are not pressed into their rails.

#include "study/shift.h"

#include "agem/work.h"
#include "base/arena.h"
#include "model/model.h"

#include <kane/geometry.h>

#include <string.h>

// What a body's coordinates relative to its track frame change by.
typedef struct change {
    double q[KANE_COORDINATES];
} change;

// The middle of a wheelset's axle is its mass centre, near enough for a difference.
static kane_status change_wheelset(const kane_wheels *wheels, const double q[KANE_COORDINATES], double shift,
                                   change *by)
{
    kane_stand here, there;
    kane_status status = kane_stand_rigid(wheels->contact, q[KANE_Y], q[KANE_YAW], &here);
    if (status == KANE_OK)
        status = kane_stand_rigid(wheels->contact, q[KANE_Y] + shift, q[KANE_YAW], &there);
    if (status == KANE_OK) {
        by->q[KANE_Z]    = there.z - here.z;
        by->q[KANE_ROLL] = there.roll - here.roll;
    }
    return status;
}

static kane_status find_change(const kane_model *model, const kane_work *work, int j, double shift, change *by,
                               kane_errors *errors)
{
    double q[6], rates[6];
    const kane_body *body = &model->bodies[j];
    *by                   = (change){{0.0}};
    if (body->panel)
        return KANE_OK;
    by->q[KANE_Y] = shift;
    if (body->wheels < 0)
        return KANE_OK;
    kane_get_relative(model, work, j, q, rates);
    if (change_wheelset(&model->wheels[body->wheels], q, shift, by) == KANE_OK)
        return KANE_OK;
    kane_errors_add(errors, KANE_BAD_INPUT, "'%s' does not stand on its rails when it is set aside by %g m", body->name,
                    shift);
    return KANE_BAD_INPUT;
}

static void put_alone(const kane_model *model, const kane_work *work, int j, const change *by, double *y)
{
    double q[6], rates[6];
    kane_get_relative(model, work, j, q, rates);
    for (int c = 0; c < KANE_COORDINATES; c++)
        if (model->bodies[j].freedoms & KANE_FREEDOM(c))
            q[c] += by->q[c];
    (void)kane_put_relative(model, work, j, q, rates, y);
}

// Bodies that hang on a frame; those on a body go with it. Coordinates of their joint are named as those of a free body.
static void put_joined(const kane_model *model, kane_work *work, int link, const change *by)
{
    const int j           = model->link_body[link];
    const kane_body *body = &model->bodies[j];
    double q[KANE_JOINT_COORDINATES], rates[KANE_JOINT_COORDINATES];
    const int count = kane_get_joint(model, work, j, q, rates, NULL);
    for (int i = 0; i < count && model->tree.links[link].parent < 0; i++)
        for (int c = 0; c < KANE_COORDINATES; c++)
            if (body->coordinate[i] && strcmp(body->coordinate[i], kane_coordinate_name((kane_coordinate)c)) == 0)
                q[i] += by->q[c];
    (void)kane_put_joint(model, work, j, q, rates);
}

kane_status kane_shift_vehicle(const kane_model *model, kane_work *work, double shift, double *y, kane_errors *errors)
{
    double *ydot       = kane_allocate((size_t)model->state_count, sizeof *ydot);
    change *by         = kane_allocate((size_t)model->body_count, sizeof *by);
    kane_status status = ydot && by ? kane_eval(model, work, 0.0, y, ydot) : KANE_NO_MEMORY;
    if (status == KANE_NO_MEMORY)
        kane_errors_add(errors, status, "%s", kane_status_text(status));
    else if (status != KANE_OK)
        kane_work_fault(model, work, errors);
    if (status == KANE_OK)
        kane_observe(model, work);
    for (int j = 0; j < model->body_count && status == KANE_OK; j++)
        status = find_change(model, work, j, shift, &by[j], errors);
    if (status == KANE_OK) {
        for (int j = 0; j < model->body_count; j++)
            if (model->bodies[j].link < 0 && !model->bodies[j].panel)
                put_alone(model, work, j, &by[j], y);
        for (int i = 0; i < model->tree.link_count; i++)
            put_joined(model, work, i, &by[model->link_body[i]]);
        if (model->tree.link_count > 0)
            kane_put_joints_end(model, work, y);
    }
    kane_release(ydot);
    kane_release(by);
    return status;
}
