// SPDX-License-Identifier: MIT
// Equilibrium: which states take part in the search, and what a large change of each is.
//
// Steady motion is rest but for what goes on for ever and changes nothing: the travel of the frames, spin angles of wheels,
// angles of shafts. A driven vehicle would find its own speed, which is not asked for: its guide stays where it is. States of
// dry friction have no equilibrium of their own. What rails or constraints say follows.

#include "simulate/equilibrium.h"

static const double WHEELSET  = 1e-3; // scales of coordinates: of wheelsets and panels [m], [rad]
static const double OTHERS    = 5e-3; // ... of other bodies
static const double ALONG     = 5e-2; // ... along the line, where little depends on them [m]
static const double SPEEDS    = 5e-2; // of speeds [m/s], [rad/s]
static const double TURNING   = 1e-3; // a joint that turns faster than this turns for ever, if nothing ... [rad/s]
static const double IMPARTIAL = 1e-7; // ... depends on it more than this [1/s^2]

static void hold(kane_search *s, int index)
{
    s->held[index] = 1;
}

// Index in y of the guide's speed along the line, -1: constraints have chosen others.
static int guide_speed(const kane_model *model, const kane_work *work)
{
    const kane_body *guide = &model->bodies[model->guide];
    if (guide->u_count > 0)
        return guide->u;
    const int speed = model->tree.links[guide->link].v;
    for (int c = 0; c < model->cluster_count; c++) {
        const kane_cluster *cluster = &model->clusters[c];
        const int *from = cluster->form == KANE_FORM_COEFFICIENTS ? kane_cluster_independent(cluster, work->cluster[c])
                                                                  : cluster->speeds;
        for (int k = 0; k < cluster->u_count; k++)
            if (from[k] == speed)
                return model->cluster_u[c] + k;
    }
    return -1;
}

static void hold_body(kane_search *s, const kane_body *body)
{
    const int spins = body->link >= 0 ? s->model->tree.links[body->link].spins : body->kind == KANE_BODY_SPINNING;
    if (spins)
        hold(s, body->q + KANE_PITCH);
    if (body->follows) {
        hold(s, body->q + KANE_Z);
        hold(s, body->q + KANE_ROLL);
    }
}

void kane_search_hold(kane_search *s)
{
    const kane_model *model = s->model;
    for (int i = 0; i < model->state_count; i++)
        s->held[i] = i < model->travel_count;
    for (int j = 0; j < model->body_count; j++)
        hold_body(s, &model->bodies[j]);
    for (int k = 0; k < model->remembering_count; k++) {
        const kane_element *element = &model->elements[model->remembering[k]];
        for (int i = 0; i < element->state_count; i++)
            s->held[element->state + i] = element->states[i].memory;
    }
    if (model->travel_count) {
        const int speed = guide_speed(model, s->work);
        hold(s, model->bodies[model->guide].q + KANE_X);
        if (speed >= 0)
            hold(s, speed);
    }
    for (int c = 0; c < model->cluster_count; c++)
        for (int i = 0; i < model->clusters[c].link_count; i++) {
            const kane_body *body = &model->bodies[model->link_body[model->clusters[c].links[i]]];
            for (int k = 0; k < body->q_count; k++)
                s->follows[body->q + k] = model->clusters[c].form == KANE_FORM_COEFFICIENTS;
        }
}

void kane_search_scale(kane_search *s)
{
    const kane_model *model = s->model;
    for (int i = 0; i < model->state_count; i++)
        s->scale[i] = i < model->u_begin ? OTHERS : SPEEDS;
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        const int runs        = body->wheels >= 0 || body->panel;
        for (int k = 0; k < body->q_count && runs; k++)
            s->scale[body->q + k] = WHEELSET;
        if (model->track && body->q_count == KANE_COORDINATES && !body->panel)
            s->scale[body->q + KANE_X] = ALONG;
    }
    for (int k = 0; k < model->remembering_count; k++) {
        const kane_element *element = &model->elements[model->remembering[k]];
        for (int i = 0; i < element->state_count; i++)
            s->scale[element->state + i] = OTHERS * (element->states[i].size > 0.0 ? element->states[i].size : 1.0);
    }
}

static double column_size(const kane_search *s, int column)
{
    const kane_pattern *pattern = kane_jacobian_pattern(s->jacobian);
    double most                 = 0.0;
    for (int k = pattern->column_start[column]; k < pattern->column_start[column + 1]; k++)
        most = fmax(most, fabs(s->values[k]));
    return most;
}

void kane_search_hold_turning(kane_search *s)
{
    const kane_model *model = s->model;
    for (int i = 0; i < model->tree.link_count; i++) {
        const kane_link *link = &model->tree.links[i];
        const int q           = model->bodies[model->link_body[i]].q;
        for (int k = link->slide_count; k < link->q_count && link->kind != KANE_LINK_BALL; k++)
            if (fabs(s->rate[q + k]) > TURNING && column_size(s, q + k) < IMPARTIAL)
                hold(s, q + k);
    }
}
