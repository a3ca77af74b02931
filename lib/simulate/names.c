// SPDX-License-Identifier: MIT
// Names of the elements of a state, for messages and tables.

#include "simulate/equilibrium.h"

#include "base/arena.h"
#include "model/model.h"

#include <stdio.h>
#include <string.h>

// Name of the speed u of a body: "v.x", "omega.z", or "rate.yaw" where turns are removed.
static void speed_name(const kane_body *body, int u, size_t size, char *name)
{
    const kane_freedom_map *map = &body->map;
    if (body->is_tabulated)
        (void)snprintf(name, size, "%s.%s.%s", body->name, u < body->u_turns ? "v" : "omega",
                       kane_axis_name(body->component[u] % 3));
    else if (u < map->translation_count)
        (void)snprintf(name, size, "%s.v.%s", body->name, kane_axis_name(map->translation[u]));
    else if (map->rotation_count == 3)
        (void)snprintf(name, size, "%s.omega.%s", body->name, kane_axis_name(u - map->translation_count));
    else
        (void)snprintf(name, size, "%s.rate.%s", body->name,
                       kane_coordinate_name((kane_coordinate)(KANE_YAW + map->rotation[u - map->translation_count])));
}

// Of a joined body: the rate of a coordinate, or a component of a velocity; on an axle that spins the angular velocity
// against it.
static void joint_speed_name(const kane_model *model, const kane_body *body, int u, size_t size, char *name)
{
    const kane_link *link = &model->tree.links[body->link];
    if (kane_link_has_steps(link))
        for (int k = 0; k < link->step_count; k++)
            if (link->step[k].v == link->v + u)
                (void)snprintf(name, size, "%s.%s.%s", body->name,
                               link->on_axle && k == link->slide_count ? "omega" : "rate", body->coordinate[k]);
    if (!kane_link_has_steps(link))
        (void)snprintf(name, size, "%s.%s.%s", body->name, kane_link_slides(link, u) ? "v" : "omega",
                       kane_axis_name(u % 3));
}

void kane_speed_name(const kane_model *model, int speed, size_t size, char *name)
{
    for (int i = 0; i < model->tree.link_count; i++) {
        const kane_link *link = &model->tree.links[i];
        const kane_body *body = &model->bodies[model->link_body[i]];
        const int k           = speed - link->v;
        if (k < 0 || k >= link->v_count || link->role == KANE_FLEX_NODE)
            continue;
        if (!body->is_free_body)
            joint_speed_name(model, body, k, size, name);
        for (int u = 0; u < body->u_count && body->is_free_body; u++)
            if (body->component[u] == k)
                speed_name(body, u, size, name);
    }
}

void kane_state_name(const kane_model *model, int index, size_t size, char *name)
{
    static const char *const travel[] = {"travel.s", "travel.v", "travel.b"};
    static const char *const work[]   = {"work.drive", "work.elements", "work.contact", "work.omitted"};
    if (index < model->travel_count) {
        (void)snprintf(name, size, "%s", travel[index]);
        return;
    }
    if (index >= model->state_count) {
        (void)snprintf(name, size, "%s", work[index - model->state_count]);
        return;
    }
    for (int i = 0; i < model->stateful_count; i++) {
        const kane_element *element = &model->elements[model->stateful[i]];
        if (index >= element->state && index < element->state + element->state_count)
            (void)snprintf(name, size, "%s.state.%s", element->name, element->states[index - element->state].name);
    }
    for (int c = 0; c < model->cluster_count; c++)
        if (index >= model->cluster_u[c] && index < model->cluster_u[c] + model->clusters[c].u_count)
            (void)snprintf(name, size, "%s.u.%d", model->clusters[c].closures[0]->name, index - model->cluster_u[c]);
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        if (!body->is_free_body && index >= body->q && index < body->q + body->q_count)
            (void)snprintf(name, size, "%s.%s", body->name, body->coordinate[index - body->q]);
        else if (!body->is_free_body && index >= body->u && index < body->u + body->u_count)
            joint_speed_name(model, body, index - body->u, size, name);
        else if (!body->is_free_body)
            continue;
        else if (index >= body->q && index < body->q + KANE_COORDINATES)
            (void)snprintf(name, size, "%s.%s", body->name, kane_coordinate_name((kane_coordinate)(index - body->q)));
        else if (index >= body->u && index < body->u + body->u_count)
            speed_name(body, index - body->u, size, name);
    }
}

// Unit of a state of a free body: coordinates or speeds.
static const char *free_body_unit(const kane_body *body, int index)
{
    if (index >= body->q && index < body->q + KANE_COORDINATES)
        return index - body->q < KANE_YAW ? "m" : "rad";
    return index - body->u < body->u_turns ? "m/s" : "rad/s";
}

// Of one that joints or constraints hold; modes have coordinates of unit modal mass, balls Euler parameters.
static const char *joined_body_unit(const kane_link *link, const kane_body *body, int index)
{
    const int is_ball = link->kind == KANE_LINK_BALL, is_mode = body->part == KANE_PART_MODE;
    if (index >= body->q && index < body->q + body->q_count)
        return is_ball || is_mode ? "1" : index - body->q < link->slide_count ? "m" : "rad";
    return is_mode ? "1/s" : kane_link_slides(link, body->component[index - body->u]) ? "m/s" : "rad/s";
}

const char *kane_state_unit(const kane_model *model, int index)
{
    static const char *const travel[] = {"m", "m/s", "m/s^2"};
    if (index < model->travel_count)
        return travel[index];
    if (index >= model->state_count)
        return "J";
    for (int i = 0; i < model->stateful_count; i++) {
        const kane_element *element = &model->elements[model->stateful[i]];
        const char *unit            = index >= element->state && index < element->state + element->state_count
                                          ? element->states[index - element->state].unit
                                          : NULL;
        if (unit)
            return unit;
    }
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        const int q_count     = body->is_free_body ? KANE_COORDINATES : body->q_count;
        if ((index >= body->q && index < body->q + q_count) || (index >= body->u && index < body->u + body->u_count))
            return body->is_free_body ? free_body_unit(body, index)
                                      : joined_body_unit(&model->tree.links[body->link], body, index);
    }
    return "";
}

enum { NAME = 160 };

static void list_names(const kane_model *model, char *names)
{
    for (int i = 0; i < model->state_count; i++)
        kane_state_name(model, i, NAME, names + (size_t)i * NAME);
}

int kane_copy_states(const kane_model *from, const double *y_from, const kane_model *to, double *y_to)
{
    char *names = kane_allocate((size_t)(to->state_count + from->state_count), NAME);
    char *other = names ? names + (size_t)to->state_count * NAME : NULL;
    if (!names)
        return 0;
    list_names(to, names);
    list_names(from, other);
    for (int i = 0, k = 0; i < to->state_count; i++) {
        int j = k;
        while (j < from->state_count && strcmp(names + (size_t)i * NAME, other + (size_t)j * NAME) != 0)
            j++;
        if (j < from->state_count && i >= to->travel_count) {
            y_to[i] = y_from[j];
            k       = j + 1;
        }
    }
    kane_release(names);
    return 1;
}
