// SPDX-License-Identifier: MIT
// Joints and constraints as users see them: coordinates, rates, reactions.

#include "agem/joined.h"

#include <string.h>

// Second derivatives of x .. pitch: angular accelerations less what the turns' axes make by turning themselves.
static void get_accelerations(const kane_body_state *b, const double *q, const double *rate, double *out)
{
    const kane_vec3 yawing   = kv3(0.0, 0.0, rate[KANE_YAW]);
    const kane_vec3 rolling  = kv3_scale(rate[KANE_ROLL], b->turn[1]);
    const kane_vec3 pitching = kv3_scale(rate[KANE_PITCH], b->turn[2]);
    const kane_vec3 turned   = kv3_add(kv3_cross(yawing, rolling), kv3_cross(kv3_add(yawing, rolling), pitching));
    kane_rates_from_velocity(q, b->a, kv3_sub(b->e, turned), out);
}

// A body without a joint, relative to the frame that it is described in.
static void get_free(const kane_model *model, const kane_work *work, int body, double *coordinates, double *rates,
                     double *accelerations)
{
    double q[KANE_COORDINATES], rate[KANE_COORDINATES];
    kane_get_relative(model, work, body, q, rate);
    if (coordinates)
        memcpy(coordinates, q, sizeof q);
    if (rates)
        memcpy(rates, rate, sizeof rate);
    if (!accelerations)
        return;
    get_accelerations(&work->body[body], q, rate, accelerations);
    for (int k = 0; k < KANE_COORDINATES && model->bodies[body].frame != model->bodies[body].track_frame; k++)
        accelerations[k] = (double)NAN; // described in A: those of its track frame are not known
}

int kane_get_joint(const kane_model *model, const kane_work *work, int body, double *coordinates, double *rates,
                   double *accelerations)
{
    const int i = model->bodies[body].link;
    if (model->bodies[body].alone) {
        get_free(model, work, body, coordinates, rates, accelerations);
        return KANE_COORDINATES;
    }
    const kane_link *link = &model->tree.links[i];
    const kane_base *base = &work->base[link->frame];
    for (int k = 0; k < link->q_count && coordinates; k++)
        coordinates[k] = work->tree.q[link->q + k];
    if (rates)
        kane_tree_rates(&model->tree, i, base, &work->tree, rates);
    if (accelerations)
        kane_tree_accelerations(&model->tree, i, base, &work->tree, accelerations);
    return link->q_count;
}

kane_status kane_put_joint(const kane_model *model, kane_work *work, int body, const double *coordinates,
                           const double *rates)
{
    const int i = model->bodies[body].link;
    if (model->bodies[body].alone)
        return KANE_BAD_ARGUMENT;
    const kane_link *link = &model->tree.links[i];
    const kane_links one  = {i, i + 1};
    for (int k = 0; k < link->q_count; k++)
        work->tree.q[link->q + k] = coordinates[k];
    kane_tree_place(&model->tree, one, &work->tree);
    kane_tree_speeds(&model->tree, i, &work->base[link->frame], &work->tree, rates);
    kane_tree_move(&model->tree, one, work->base, &work->tree);
    return KANE_OK;
}

void kane_put_joints_end(const kane_model *model, const kane_work *work, double *y)
{
    kane_joined_put(model, work, y);
}

static void leave_out(kane_vec3 *a, unsigned bits)
{
    a->x = bits & 1u ? (double)NAN : a->x;
    a->y = bits & 2u ? (double)NAN : a->y;
    a->z = bits & 4u ? (double)NAN : a->z;
}

kane_wrench kane_get_joint_reaction(const kane_model *model, const kane_work *work, int body)
{
    const int i = model->bodies[body].link;
    if (i < 0)
        return (kane_wrench){kv3_zero(), kv3_zero()};
    kane_wrench w = kane_joined_in_joint(model, work, i, work->joint[i]);
    leave_out(&w.force, model->joint_undetermined[i]);
    leave_out(&w.torque, model->joint_undetermined[i] >> 3);
    return w;
}

int kane_get_constraint(const kane_model *model, const kane_work *work, int constraint, double multipliers[6])
{
    const int count = model->closures[constraint].row_count;
    for (int k = 0; k < count; k++)
        multipliers[k] = model->undetermined[constraint] >> k & 1u ? (double)NAN : work->multiplier[constraint][k];
    return count;
}

int kane_reaction_is_determined(const kane_model *model, kane_reaction r)
{
    if (r.kind == KANE_REACTION_CONSTRAINT)
        return !(model->undetermined[r.of] >> r.part & 1u);
    const int link = model->bodies[r.of].link;
    if (r.kind == KANE_REACTION_FREEDOM && model->bodies[r.of].freedoms & KANE_FREEDOM(r.part))
        return 1; // there is none: 0
    return link < 0 || !(model->joint_undetermined[link] >> (r.kind == KANE_REACTION_JOINT ? r.part : 6 + r.part) & 1u);
}

void kane_get_drift(const kane_model *model, const kane_work *work, double *value, double *rate)
{
    kane_joined_drift(model, work, value, rate);
}
