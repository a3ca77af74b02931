// SPDX-License-Identifier: MIT
// A vehicle set aside from its equilibrium; wheels are not pressed into their rails, nor lifted from them.

#include "stability/cycle.h"

#include "base/arena.h"
#include "model/model.h"

#include <kane/geometry.h>
#include <kane/linear.h>

#include <math.h>
#include <string.h>

// A mode in which wheelsets move less to the side than this, over its greatest displacement, is one of the car body on
// its springs: to bring wheels to their flanges it would have to sway by decimetres.
static const double least_part = 0.3;

// --- the direction of y ---

// Free bodies, and those attached to a frame; bodies attached to them move along.
static void fill_whole(const kane_model *model, double *dy)
{
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        if (body->panel)
            continue;
        if (body->is_free_body)
            dy[body->q + KANE_Y] = 1.0;
        else if (model->tree.links[body->link].parent < 0)
            for (int i = 0; i < body->q_count; i++)
                if (body->coordinate[i] && strcmp(body->coordinate[i], kane_coordinate_name(KANE_Y)) == 0)
                    dy[body->q + i] = 1.0;
    }
}

// Lateral amplitude of the wheelset that swings most in a mode.
static double swing_of(const kane_model *model, const kane_modes *modes, int mode)
{
    double most = 0.0, re[KANE_COORDINATES], im[KANE_COORDINATES];
    for (int i = 0; i < model->wheels_count; i++) {
        kane_modes_shape(modes, mode, model->wheels[i].body, re, im);
        most = fmax(most, hypot(re[KANE_Y], im[KANE_Y]));
    }
    return most;
}

static int choose_mode(const kane_model *model, const kane_modes *modes)
{
    int chosen = -1;
    for (int i = 0; i < kane_modes_count(modes); i++) {
        const kane_mode *mode = kane_modes_get(modes, i);
        if (mode->kind == KANE_MODE_OSCILLATES && swing_of(model, modes, i) > least_part &&
            (chosen < 0 || mode->re > kane_modes_get(modes, chosen)->re))
            chosen = i;
    }
    return chosen;
}

static kane_status fill_mode(kane_steady *steady, double *dy, double *im, kane_errors *errors)
{
    const kane_model *model = kane_steady_model(steady);
    kane_linear *linear = kane_linear_create(model, kane_steady_work(steady), 0.0, kane_steady_state(steady), errors);
    kane_modes *modes   = linear ? kane_modes_create(linear, KANE_MODES_COMPLETE, errors) : NULL;
    const int mode      = modes ? choose_mode(model, modes) : -1;
    if (mode >= 0) {
        const double swing = swing_of(model, modes, mode);
        kane_modes_state(modes, mode, dy, im);
        for (int i = 0; i < model->state_count; i++)
            dy[i] /= swing;
    } else if (modes) {
        kane_errors_add(errors, KANE_BAD_INPUT, "'%s' has no mode in which wheelsets swing to the side", model->name);
    }
    kane_modes_free(modes);
    kane_linear_free(linear);
    return mode >= 0 ? KANE_OK : KANE_BAD_INPUT;
}

// --- on the rails ---

// Height and roll of a wheelset at the y and yaw of q: those of q0 plus the difference of its poses on rigid rails. The
// middle of the axle is taken for the mass centre, exact enough for a difference.
static kane_status solve_rigid_pose(const kane_wheels *wheels, const double *q0, double *q)
{
    kane_wheelset_position here, there;
    kane_status status = kane_wheelset_position_rigid(wheels->contact, q0[KANE_Y], q0[KANE_YAW], &here);
    if (status == KANE_OK)
        status = kane_wheelset_position_rigid(wheels->contact, q[KANE_Y], q[KANE_YAW], &there);
    if (status == KANE_OK) {
        q[KANE_Z]    = q0[KANE_Z] + (there.z - here.z);
        q[KANE_ROLL] = q0[KANE_ROLL] + (there.roll - here.roll);
    }
    return status;
}

// y += amount dy; wheelsets get height and roll on rigid rails. before [states]: scratch.
static kane_status scale_to_amplitude(const kane_model *model, double amount, const double *dy, double *y,
                                      double *before, kane_errors *errors)
{
    memcpy(before, y, (size_t)model->state_count * sizeof *y);
    for (int i = 0; i < model->state_count; i++)
        y[i] += amount * dy[i];
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_body *body = &model->bodies[model->wheels[i].body];
        if (!body->is_free_body || solve_rigid_pose(&model->wheels[i], before + body->q, y + body->q) == KANE_OK)
            continue;
        kane_errors_add(errors, KANE_BAD_INPUT, "'%s' does not stand on its rails when it is set aside by %g m",
                        body->name, amount);
        return KANE_BAD_INPUT;
    }
    return KANE_OK;
}

kane_status kane_set_perturbed(kane_steady *steady, kane_perturbation way, double amount, double *y,
                               kane_errors *errors)
{
    const kane_model *model = kane_steady_model(steady);
    const size_t states     = (size_t)model->state_count;
    double *room            = kane_allocate(2 * states, sizeof *room);
    kane_status status      = KANE_OK;
    if (!room)
        return kane_no_memory(errors);
    if (way == KANE_PERTURB_WHOLE)
        fill_whole(model, room);
    else
        status = fill_mode(steady, room, room + states, errors);
    if (status == KANE_OK)
        status = scale_to_amplitude(model, amount, room, y, room + states, errors);
    kane_release(room);
    return status;
}
