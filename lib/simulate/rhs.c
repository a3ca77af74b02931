// SPDX-License-Identifier: MIT
// What the integrator calls: right-hand side, Jacobian, error weights, roots, projection.

#include "simulate/simulation.h"

#include "agem/rail_constraint.h"
#include "agem/wheels.h"

// KANE_RETRY for a state that cannot be evaluated: a shorter step may succeed. Success clears the fault of the work.
static kane_status retry_status(kane_simulation *s, kane_status status)
{
    if (status == KANE_OK)
        s->work->fault.status = KANE_OK;
    return status > 0 || status == KANE_NOT_FINITE ? KANE_RETRY : status;
}

const kane_vec3 *kane_simulation_set_rod_ends(kane_simulation *s, const double *ahead)
{
    for (int i = 0; i < s->system.ahead_count / 3; i++, ahead += 3)
        s->ends[i] = kv3(ahead[0], ahead[1], ahead[2]);
    return s->ends;
}

static void get_rod_accelerations(kane_simulation *s, double *found)
{
    kane_get_rod_accelerations(s->model, s->work, s->ends);
    for (int i = 0; i < s->system.ahead_count / 3; i++) {
        *found++ = s->ends[i].x;
        *found++ = s->ends[i].y;
        *found++ = s->ends[i].z;
    }
}

// Rates of the integrals of work [W], if settings.energy.
static void get_powers(kane_simulation *s, double *rates)
{
    const int count = s->model->state_count;
    kane_energy energy;
    if (!s->settings.energy)
        return;
    kane_observe(s->model, s->work);
    kane_get_energy(s->model, s->work, &energy);
    rates[count]     = energy.power_drive;
    rates[count + 1] = energy.power_elements;
    rates[count + 2] = energy.power_contact;
    rates[count + 3] = energy.power_omitted;
}

// ahead, found: accelerations of the ends of rods (kane_eval_rods), three numbers an end; NULL: exact; not returned.
static kane_status eval_rates_ahead(double t, const double *y, const double *ahead, double *rates, double *found,
                                    void *data)
{
    kane_simulation *s       = data;
    const kane_model *model  = s->model;
    const kane_status status = ahead ? kane_eval_rods(model, s->work, t, y, s->settings.rods.inertia,
                                                      kane_simulation_set_rod_ends(s, ahead), rates)
                                     : kane_eval(model, s->work, t, y, rates);
    s->evaluated             = KANE_KNOWS_NOTHING;
    if (status == KANE_OK && found)
        get_rod_accelerations(s, found);
    if (status == KANE_OK)
        get_powers(s, rates);
    return retry_status(s, status);
}

static kane_status eval_rates(double t, const double *y, double *rates, void *data)
{
    return eval_rates_ahead(t, y, NULL, rates, NULL, data);
}

static kane_status eval_slopes(double t, const double *y, double *values, void *data)
{
    kane_simulation *s = data;
    s->evaluated       = KANE_KNOWS_NOTHING;
    return retry_status(s, kane_jacobian_eval(s->jacobian, s->model, s->work, t, y, s->ydot, values));
}

static kane_status take_creep_step(double t, double h, int fresh, const double *y, double *rates, void *data)
{
    kane_simulation *s = data;
    kane_status status = kane_motion_eval(s->model, s->work, t, y);
    if (status == KANE_OK)
        status = kane_creep_step(s->relaxation, s->model, s->work, t, h, fresh, y, rates);
    s->evaluated = KANE_KNOWS_NOTHING;
    if (status == KANE_OK)
        get_powers(s, rates);
    return retry_status(s, status);
}

// Errors count against deviations from the static position and rolling: a relative tolerance must not act on a height
// or on a distance travelled. What a body's y-coordinates deviate from:
static double reference_value(const kane_model *model, const kane_body *body, int local, double speed)
{
    const kane_vec3 origin = body->origin;
    if (local < 6) {
        const double at[6] = {origin.x, origin.y, origin.z, 0.0, 0.0, 0.0};
        if (body->wheels >= 0 && local == KANE_Z)
            return kane_model_wheel_height(model, body);
        if (body->wheels >= 0 && local == KANE_ROLL)
            return model->wheels[body->wheels].roll;
        return at[local];
    }
    const int y_axis = body->u_turns + (body->is_tabulated ? 0 : 1);
    return body->wheels >= 0 && local - 6 == y_axis ? model->wheels[body->wheels].spin * speed : 0.0;
}

static void weigh_body(const kane_simulation *s, const kane_body *body, double speed, const double *y, double *w)
{
    const kane_settings *set = &s->settings;
    const int in_A           = s->model->frames[body->frame].kind == KANE_FRAME_REST && s->model->track;
    for (int local = 0; local < 6 + body->u_count; local++) {
        const int i        = local < 6 ? body->q + local : body->u + local - 6;
        const int is_angle = local < 6 ? local >= KANE_YAW : local - 6 >= body->u_turns;
        const double absolute =
            local < 6 ? (is_angle ? set->angle : set->position) : (is_angle ? set->turning : set->speed);
        // in A a coordinate has no reference: absolute tolerance only
        const double deviation = in_A ? 0.0 : fabs(y[i] - reference_value(s->model, body, local, speed));
        w[i]                   = 1.0 / (set->relative * deviation + absolute);
    }
    if (body->is_tabulated) // nothing depends on what follows from the rails either
        w[body->q + KANE_Z] = w[body->q + KANE_ROLL] = 1e-20;
    if (body->kind == KANE_BODY_SPINNING)
        w[body->q + KANE_PITCH] = 1e-20; // nothing depends on the spin angle: it takes no part in the error test
}

// Absolute tolerance of a coordinate or speed of a mode: such that neither what it moves nor what it turns is off by
// more than that of other bodies is.
static double mode_tolerance(const kane_simulation *s, int link, double shift, double turn)
{
    const kane_tree *tree = &s->model->tree;
    const int flex = tree->links[link].flex, mode = link - tree->flexes[flex].mode;
    const kane_deformation *own = &s->model->deformations[flex];
    return fmin(shift / own->shift[mode], turn / own->turn[mode]);
}

// Of speed k of a link.
static double speed_tolerance(const kane_simulation *s, int link, int k)
{
    const kane_settings *set = &s->settings;
    const kane_link *own     = &s->model->tree.links[link];
    if (own->role == KANE_FLEX_MODE)
        return mode_tolerance(s, link, set->speed, set->turning);
    return kane_link_slides(own, k) ? set->speed : set->turning;
}

// Joined bodies: coordinates of joints have no reference value; the relative tolerance is of their magnitude.
//   w = 1/(rtol |y| + atol)
static void weigh_link(const kane_simulation *s, const kane_body *body, const double *y, double *w)
{
    const kane_settings *set = &s->settings;
    const kane_link *link    = &s->model->tree.links[body->link];
    const int slides         = link->kind == KANE_LINK_BALL ? 0 : link->slide_count;
    const int in_A           = s->model->frames[link->frame].kind == KANE_FRAME_REST && s->model->track;
    const int is_root        = link->parent < 0 && link->q_count == KANE_COORDINATES && !link->turned;
    for (int k = 0; k < body->q_count; k++) {
        double size = link->kind == KANE_LINK_BALL ? 1.0 : fabs(y[body->q + k]);
        if (is_root) // a static height or a place on the line is no deviation
            size = in_A ? 0.0 : fabs(y[body->q + k] - s->model->start_q[link->q + k]);
        const double absolute = link->role == KANE_FLEX_MODE ? mode_tolerance(s, body->link, set->position, set->angle)
                                : k < slides                 ? set->position
                                                             : set->angle;
        w[body->q + k]        = 1.0 / (set->relative * size + absolute);
    }
    for (int k = 0; k < body->u_count; k++)
        w[body->u + k] =
            1.0 / (set->relative * fabs(y[body->u + k]) + speed_tolerance(s, body->link, body->component[k]));
    if (body->is_tabulated)
        w[body->q + KANE_Z] = w[body->q + KANE_ROLL] = 1e-20;
    if (link->is_spinning && !link->uneven)
        w[body->q + kane_link_spin(link)] = 1e-20;
}

// Independent speeds of bodies that constraints join.
static void weigh_cluster(const kane_simulation *s, int cluster, const double *y, double *w)
{
    const kane_tree *tree = &s->model->tree;
    const kane_cluster *c = &s->model->clusters[cluster];
    const int *speeds     = kane_cluster_independent(s->work->cluster[cluster]);
    for (int k = 0; k < c->u_count; k++) {
        const int i = s->model->cluster_u[cluster] + k, local = c->place[speeds[k]];
        int link = c->link_of_speed[local];
        if (c->is_mode[local]) {
            const kane_flex *flex = &tree->flexes[tree->links[link].flex];
            link                  = flex->mode + speeds[k] - flex->v;
        }
        w[i] = 1.0 / (s->settings.relative * fabs(y[i]) + speed_tolerance(s, link, speeds[k] - tree->links[link].v));
    }
}

// States of elements are small, and zero at rest.
static void weigh_element(const kane_simulation *s, const kane_element *element, const double *y, double *w)
{
    for (int k = 0; k < element->state_count; k++) {
        const int i       = element->state + k;
        const double size = element->states[k].size > 0.0 ? element->states[k].size : 1.0;
        w[i]              = 1.0 / (s->settings.relative * fabs(y[i]) + s->settings.position * size);
    }
}

static kane_status eval_weights(double t, const double *y, double *w, void *data)
{
    const kane_simulation *s = data;
    const kane_model *model  = s->model;
    const double speed       = kane_model_speed(model, s->work->speed_piece, t, y);

    if (model->travel_count)
        w[0] = 1.0 / s->settings.position;
    if (kane_model_is_driven(model)) {
        w[1] = 1.0 / s->settings.speed;
        w[2] = 1.0 / (s->settings.speed * model->follow_rate);
    }
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        if (!body->is_free_body)
            weigh_link(s, body, y, w);
        else
            weigh_body(s, body, speed, y, w);
    }
    for (int c = 0; c < model->cluster_count; c++)
        weigh_cluster(s, c, y, w);
    for (int e = 0; e < model->stateful_count; e++)
        weigh_element(s, &model->elements[model->stateful[e]], y, w);
    for (int i = model->state_count; i < s->size; i++)
        w[i] = 1e-20;
    return KANE_OK;
}

static kane_status project_state(double t, double *y, void *data)
{
    kane_simulation *s = data;
    s->evaluated       = KANE_KNOWS_NOTHING;
    return retry_status(s, kane_project(s->model, s->work, t, y));
}

// Roots: every wheel so far above or below its rail, a guided one where its normal force vanishes; the next section
// joint of every wheelset; where s is a state also that of frames without wheels, standstill, rolling back and the
// distance.
int kane_simulation_root_count(const kane_simulation *s)
{
    return 3 * s->model->wheels_count + (s->model->travel_count ? s->model->frame_count + 3 : 0);
}

static double wheel_root(const kane_simulation *s, int i, int side)
{
    const kane_wheels *wheels  = &s->model->wheels[i];
    const kane_wheels_state *w = &s->work->wheels[i];
    if (!kane_wheels_are_guided(wheels))
        return fabs(kane_wheels_lift(wheels, w, side)) - s->conditions.lift;
    return wheels->two_sided ? -wheels->load[side] : -w->guidance.N[side];
}

// A wheelset is close to a section joint when it is less than this away [m].
static const double near_section_joint = 1e-3;

// Whether no wheel is near a root in the last evaluation, which was at this very time: since then Newton's method has
// moved the state by no more than a small part of the tolerances, which changes no sign and spares an evaluation a
// step.
static int wheels_are_far_from_roots(const kane_simulation *s, double t)
{
    const kane_model *model = s->model;
    if (s->work->t != t || s->evaluated == KANE_KNOWS_MOTION || s->work->fault.status != KANE_OK)
        return 0;
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_wheels *wheels = &model->wheels[i];
        if (!(fabs(kane_work_beyond(model, s->work, wheels->frame)) > near_section_joint))
            return 0;
        for (int side = 0; side < 2; side++) {
            const double near = kane_wheels_are_guided(wheels) ? 0.1 * wheels->load[side] : 0.5 * s->conditions.lift;
            if (!(wheel_root(s, i, side) < -near))
                return 0;
        }
    }
    return 1;
}

static kane_status observe_wheels(kane_simulation *s, double t, const double *y)
{
    const kane_model *model = s->model;
    if (model->wheels_count == 0 || wheels_are_far_from_roots(s, t))
        return KANE_OK;
    s->evaluated = KANE_KNOWS_NOTHING;
    if (kane_model_is_guided(model))
        return kane_eval(model, s->work, t, y, s->ydot);
    return kane_motion_eval(model, s->work, t, y);
}

static kane_status eval_roots(double t, const double *y, double *g, void *data)
{
    kane_simulation *s       = data;
    const kane_model *model  = s->model;
    const kane_status status = observe_wheels(s, t, y);
    if (status != KANE_OK)
        return retry_status(s, status);
    for (int i = 0; i < model->wheels_count; i++) {
        for (int side = 0; side < 2; side++)
            *g++ = wheel_root(s, i, side);
        *g++ = kane_work_beyond(model, s->work, model->wheels[i].frame);
    }
    if (!model->travel_count)
        return KANE_OK;
    for (int f = 0; f < model->frame_count; f++) {
        const kane_frame *frame = &model->frames[f];
        *g++                    = kane_frame_passes_alone(frame)
                                      ? y[0] + frame->offset - kane_track_piece_start(model->track, s->work->piece[f] + 1)
                                      : -1.0;
    }
    const double v = kane_model_speed(model, s->work->speed_piece, t, y);
    *g++           = kane_model_is_driven(model) ? v : 1.0;
    *g++           = v + KANE_ROLLING_BACK;
    *g++           = s->conditions.distance > 0.0 ? y[0] - model->start - s->conditions.distance : -1.0;
    return KANE_OK;
}

kane_system kane_simulation_system(kane_simulation *s)
{
    return (kane_system){
        .size        = s->size,
        .root_count  = kane_simulation_root_count(s),
        .projected   = kane_model_is_projected(s->model),
        .drifts      = kane_model_is_held(s->model),
        .on_rails    = s->model->wheels_count > 0,
        .coordinates = s->model->travel_count,
        .speeds      = s->model->u_begin,
        .speeds_end  = s->model->u_end,
        .pattern     = kane_jacobian_pattern(s->jacobian),
        .data        = s,
        .rates       = eval_rates,
        .ahead_count = s->settings.rods.inertia == KANE_RODS_EXACT ? 0 : 6 * kane_model_rod_count(s->model),
        .rates_ahead = eval_rates_ahead,
        .slopes      = eval_slopes,
        .weigh       = eval_weights,
        .roots       = eval_roots,
        .project     = project_state,
        .relax       = s->relaxation ? take_creep_step : NULL,
    };
}
