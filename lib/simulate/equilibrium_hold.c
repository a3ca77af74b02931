// SPDX-License-Identifier: MIT
// Equilibrium: which states are held in the search, and scales of states.
//
// In steady motion all rates vanish but those of coordinates on which nothing depends: travel of the frames, spin
// angles of wheels, angles of shafts, distance and angle of a rolling body. These are held. The guide of a driven
// vehicle is held along the line with its speed: else the search would find another speed. States of dry friction have
// no equilibrium and are held. Coordinates that depend on rails or constraints follow.

#include "simulate/equilibrium.h"

static const double WHEELSET  = 1e-3; // scales of coordinates: of wheelsets and panels [m], [rad]
static const double OTHERS    = 5e-3; // ... of other bodies
static const double MECHANISM = 5e-2; // ... where there are no wheels [m], [rad]
static const double ALONG     = 5e-2; // ... along the line, where little depends on them [m]
static const double SPEEDS    = 0.5;  // of speeds [m/s], [rad/s]
static const double TURNING   = 1e-3; // a coordinate with a faster rate is unbounded, if nothing ... [m/s], [rad/s]
static const double IMPARTIAL = 1e-7; // ... depends on it more than this [1/s^2]

static void hold_state(kane_search *s, int index)
{
    s->held[index] = 1;
}

// Index in y of the guide's speed along the line, -1: it is a dependent speed.
static int guide_speed_index(const kane_model *model, const kane_work *work)
{
    const kane_body *guide = &model->bodies[model->guide];
    if (guide->u_count > 0)
        return guide->u;
    const int speed = model->tree.links[guide->link].v;
    for (int c = 0; c < model->cluster_count; c++) {
        const int *from = kane_cluster_independent(work->cluster[c]);
        for (int k = 0; k < model->clusters[c].u_count; k++)
            if (from[k] == speed)
                return model->cluster_u[c] + k;
    }
    return -1;
}

// Component of V = (v, omega) that speed i of a body is; -1: the rate of an angle.
static int speed_component(const kane_body *body, int i)
{
    const kane_freedom_map *map = &body->map;
    if (body->is_tabulated)
        return body->component[i];
    if (i < map->translation_count)
        return map->translation[i];
    return map->rotation_count == 3 ? 3 + i - map->translation_count : -1;
}

// Spin angles; height and roll of a wheelset on tables, which depend on y and yaw. Gaps of rail constraints:
// assign_gap_rows.
static void hold_tabulated_states(kane_search *s, const kane_body *body)
{
    const kane_link *link = &s->model->tree.links[body->link];
    if (link->is_spinning || (body->is_free_body && body->kind == KANE_BODY_SPINNING))
        hold_state(s, body->q + kane_link_spin(link));
    if (!body->is_tabulated)
        return;
    hold_state(s, body->q + KANE_Z);
    hold_state(s, body->q + KANE_ROLL);
}

// A wheelset or a panel of track, with its own speeds.
static void hold_all_states(kane_search *s, const kane_body *body)
{
    for (int k = 0; k < body->q_count && body->u_count > 0; k++)
        hold_state(s, body->q + k);
    for (int k = 0; k < body->u_count; k++)
        hold_state(s, body->u + k);
}

// 1: a state of an element has no equilibrium: dry friction (memory 1), or a tyre at standstill (memory 2, J_ii = 0).
static int has_no_equilibrium(const kane_search *s, int index, int memory)
{
    const kane_pattern *p = kane_jacobian_pattern(s->jacobian);
    return memory == 1 || (memory == 2 && fabs(s->values[kane_pattern_find(p, index, index)]) < TURNING);
}

void kane_search_hold(kane_search *s, kane_search_wheels wheels)
{
    const kane_model *model = s->model;
    for (int i = 0; i < model->state_count; i++)
        s->held[i] = i < model->travel_count || s->unbounded[i];
    for (int j = 0; j < model->body_count; j++) {
        hold_tabulated_states(s, &model->bodies[j]);
        if (wheels == KANE_WHEELS_HELD && (model->bodies[j].wheels >= 0 || model->bodies[j].panel))
            hold_all_states(s, &model->bodies[j]);
    }
    for (int k = 0; k < model->stateful_count; k++) {
        const kane_element *element = &model->elements[model->stateful[k]];
        for (int i = 0; i < element->state_count; i++)
            s->held[element->state + i] = has_no_equilibrium(s, element->state + i, element->states[i].memory);
    }
    if (kane_model_is_driven(model)) {
        const int speed = guide_speed_index(model, s->work);
        hold_state(s, model->bodies[model->guide].q + KANE_X);
        if (speed >= 0)
            hold_state(s, speed);
    }
    for (int c = 0; c < model->cluster_count; c++)
        for (int i = 0; i < model->clusters[c].link_count; i++) {
            const kane_body *body = &model->bodies[model->link_body[model->clusters[c].links[i]]];
            for (int k = 0; k < body->q_count; k++)
                s->follows[body->q + k] = model->clusters[c].form == KANE_FORM_COEFFICIENTS;
        }
}

// out [6] = V - (0, (omega . axle) axle), V = (v, omega) [6]: without the spin about a unit vector.
static void remove_spin(const double *V, kane_vec3 axle, double *out)
{
    const double spin = V[3] * axle.x + V[4] * axle.y + V[5] * axle.z;
    for (int k = 0; k < 6; k++)
        out[k] = V[k] - (k < 3 ? 0.0 : spin * kv3_get(axle, k - 3));
}

// 1: one of its coordinates is unbounded: its speeds belong to steady motion.
static int has_unbounded_coordinate(const kane_search *s, const kane_body *body)
{
    int any = 0;
    for (int k = 0; k < body->q_count; k++)
        any |= s->unbounded[body->q + k];
    return any;
}

// speed of a free body: (v, omega) without spin; of one that is described in A, v - R v_o of its track frame.
static void find_body_rest_speeds(kane_search *s, const kane_body *body, const kane_body_state *b)
{
    const kane_transport *T = &s->work->transport[body->track_frame];
    const int in_A          = body->frame != body->track_frame && !body->panel;
    const kane_vec3 v       = in_A ? kv3_sub(b->v, km3_mulv(T->R, T->v_o)) : b->v;
    const double V[6]       = {v.x, v.y, v.z, b->w.x, b->w.y, b->w.z};
    double left[6];
    remove_spin(V, body->kind == KANE_BODY_SPINNING ? b->R.y : kv3_zero(), left);
    for (int i = 0; i < body->u_count; i++)
        s->speed[body->u + i] = speed_component(body, i) < 0 ? s->y[body->u + i] : left[speed_component(body, i)];
}

static int is_mate(const kane_search *s, int index)
{
    for (int m = 0; m < s->mate_count; m++)
        if (s->mates[m].angle == index)
            return 1;
    return 0;
}

// Angular velocity of a link about its axle [rad/s]: v of its spin coordinate, or omega . e_y.
static double link_spin_speed(const kane_search *s, int i)
{
    const kane_link *link = &s->model->tree.links[i];
    const double *v       = s->work->tree.v;
    const kane_vec3 axle  = s->work->tree.link[i].R.y;
    if (link->kind == KANE_LINK_STEPS)
        return v[link->step[kane_link_spin(link)].v];
    return kv3_dot(kv3(v[link->v + 3], v[link->v + 4], v[link->v + 5]), axle);
}

// tree_speed of a link: rates of its bounded coordinates.
static void find_link_rest_speeds(kane_search *s, const kane_link *link, const kane_body *body,
                                  const kane_link_state *at)
{
    const double *v = s->work->tree.v + link->v;
    double *left    = s->tree_speed + link->v;
    if (body->part == KANE_PART_POINT)
        return;
    if (link->kind == KANE_LINK_BODY)
        remove_spin(v, link->is_spinning ? at->R.y : kv3_zero(), left);
    for (int k = 0; k < link->v_count && link->kind == KANE_LINK_BALL; k++)
        left[k] = v[k];
    for (int k = 0; k < link->step_count && kane_link_has_steps(link); k++)
        if (link->step[k].v >= 0)
            left[link->step[k].v - link->v] =
                s->held[body->q + k] || is_mate(s, body->q + k) ? 0.0 : v[link->step[k].v - link->v];
    if (link->on_axle) // its angular velocity is relative to the axle: constant orientation means omega_rel = -spin
        left[link->step[link->slide_count].v - link->v] += link->on_axle * link_spin_speed(s, link->parent);
    for (int k = 0; k < body->u_count; k++)
        s->speed[body->u + k] = left[body->component[k]];
}

// speed = 0 for a body with an unbounded coordinate, which rolls or flies on: none of its speeds vanishes.
static void clear_rest_speeds(kane_search *s, const kane_body *body)
{
    const kane_link *link = &s->model->tree.links[body->link];
    for (int k = 0; k < link->v_count && !body->is_free_body; k++)
        s->tree_speed[link->v + k] = 0.0;
    for (int k = 0; k < body->u_count; k++)
        s->speed[body->u + k] = 0.0;
}

void kane_search_find_rest_speeds(kane_search *s)
{
    const kane_model *model = s->model;
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        if (body->q_count == KANE_COORDINATES && has_unbounded_coordinate(s, body))
            clear_rest_speeds(s, body);
        else if (!body->is_free_body)
            find_link_rest_speeds(s, &model->tree.links[body->link], body, &s->work->tree.link[body->link]);
        else
            find_body_rest_speeds(s, body, &s->work->body[j]);
    }
    for (int c = 0; c < model->cluster_count; c++) {
        const int *from = kane_cluster_independent(s->work->cluster[c]);
        for (int k = 0; k < model->clusters[c].u_count; k++)
            s->speed[model->cluster_u[c] + k] = s->tree_speed[from[k]];
    }
}

void kane_search_scale(kane_search *s)
{
    const kane_model *model = s->model;
    const double others     = model->track ? OTHERS : MECHANISM;
    for (int i = 0; i < model->state_count; i++)
        s->scale[i] = i < model->u_begin ? others : SPEEDS;
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        const int runs        = body->wheels >= 0 || body->panel;
        for (int k = 0; k < body->q_count && runs; k++)
            s->scale[body->q + k] = WHEELSET;
        if (model->track && body->q_count == KANE_COORDINATES && !body->panel)
            s->scale[body->q + KANE_X] = ALONG;
    }
    for (int k = 0; k < model->stateful_count; k++) {
        const kane_element *element = &model->elements[model->stateful[k]];
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

// The held spin angle of a cluster that the link belongs to; -1: none, or the link is in no cluster of coefficients.
static int find_held_spin(const kane_search *s, int link)
{
    const kane_model *model = s->model;
    for (int c = 0; c < model->cluster_count; c++) {
        const kane_cluster *cluster = &model->clusters[c];
        int is_in = 0, spin = -1;
        for (int i = 0; i < cluster->link_count; i++) {
            is_in |= cluster->links[i] == link;
            if (model->tree.links[cluster->links[i]].is_spinning && spin < 0)
                spin = model->bodies[model->link_body[cluster->links[i]]].q +
                       kane_link_spin(&model->tree.links[cluster->links[i]]);
        }
        if (is_in && spin >= 0 && cluster->form == KANE_FORM_COEFFICIENTS && fabs(s->rate[spin]) > TURNING)
            return spin;
    }
    return -1;
}

// Whether coordinate k of a body is an angle of its joint: of a shaft.
static int is_shaft(const kane_body *body, const kane_link *link, int k)
{
    return !body->is_free_body && kane_link_has_steps(link) && k >= link->slide_count;
}

// 1: coordinate k of a body can be unbounded: angles of joints and coordinates of free bodies. Not modal coordinates,
// coordinates of wheelsets, which rails guide, or Euler parameters.
static int may_be_unbounded(const kane_search *s, const kane_body *body, int k)
{
    const kane_link *link = &s->model->tree.links[body->link];
    if (is_shaft(body, link, k))
        return link->role != KANE_FLEX_NODE;
    return !body->panel && body->part == KANE_PART_NONE && body->wheels < 0 &&
           (body->is_free_body || (link->role == KANE_FLEX_NONE && link->kind != KANE_LINK_BALL));
}

// 1: no constraint acts on coordinate i: column i of the projection P is that of the unit matrix.
static int is_unconstrained(const kane_search *s, const double *P, int i)
{
    const int n = s->model->state_count;
    int same    = 1;
    for (int row = 0; row < s->model->u_begin; row++)
        same = same && fabs(P[(size_t)i * (size_t)n + (size_t)row] - (row == i ? 1.0 : 0.0)) < IMPARTIAL;
    return same;
}

// P = d(projected y)/dy. NULL without memory, or where y cannot be evaluated.
static const double *find_projection(kane_search *s)
{
    const size_t n = (size_t)s->model->state_count;
    double *P      = kane_arena_doubles(s->arena, n * n);
    if (!P || kane_eval(s->model, s->work, 0.0, s->y, s->trial_rate) != KANE_OK)
        return NULL;
    for (size_t i = 0; i < n; i++)
        P[i * n + i] = 1.0;
    return kane_jacobian_project(s->jacobian, P) == KANE_OK ? P : NULL;
}

kane_status kane_search_find_turning(kane_search *s)
{
    const kane_model *model = s->model;
    const double *P         = NULL;
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        const kane_link *link = &model->tree.links[body->link];
        for (int k = 0; k < body->q_count; k++) {
            const int i = body->q + k;
            if (!(fabs(s->rate[i]) > TURNING) || s->held[i] || !may_be_unbounded(s, body, k))
                continue;
            const int impartial = column_size(s, i) < IMPARTIAL;
            if (is_shaft(body, link, k)) {
                const int spin  = impartial ? -1 : find_held_spin(s, body->link);
                s->unbounded[i] = impartial;
                if (spin >= 0)
                    s->mates[s->mate_count++] = (kane_search_mate){i, spin, s->rate[i] / s->rate[spin]};
            } else if (impartial && !model->track) {
                P = P ? P : find_projection(s);
                if (!P)
                    return KANE_NO_MEMORY;
                s->unbounded[i] = is_unconstrained(s, P, i);
                s->has_unbounded |= s->unbounded[i];
            }
        }
    }
    return KANE_OK;
}

// Rows of mates: their rates against that of the spin.
void kane_search_mate_rates(const kane_search *s, double *rate)
{
    for (int m = 0; m < s->mate_count; m++)
        rate[s->mates[m].angle] -= s->mates[m].ratio * rate[s->mates[m].spin];
}

void kane_search_mate_rows(kane_search *s)
{
    const kane_pattern *p = kane_jacobian_pattern(s->jacobian);
    for (int m = 0; m < s->mate_count; m++)
        for (int j = 0; j < p->size; j++) {
            const int to = kane_pattern_find(p, s->mates[m].angle, j), from = kane_pattern_find(p, s->mates[m].spin, j);
            if (to >= 0 && from >= 0)
                s->values[to] -= s->mates[m].ratio * s->values[from];
        }
}
