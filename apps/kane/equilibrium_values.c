// SPDX-License-Identifier: MIT
// The quantities of an equilibrium that the program prints.

#include "equilibrium.h"

#include "agem/work.h"

#include <stdlib.h>

int equilibrium_has_wheels(const equilibrium_values *v, int body)
{
    return body < v->vehicle->body_count && v->vehicle->bodies[body].wheels != NULL;
}

// Coordinates in equilibrium less those of the static position; a wheel's spin angle is not printed.
static int get_displacements(equilibrium_values *v, kane_errors *errors)
{
    const size_t states = (size_t)kane_model_state_count(v->model);
    kane_work *rest     = kane_work_create(v->model, errors);
    double *y           = calloc(states, sizeof *y);
    double *ydot        = calloc(states, sizeof *ydot);
    int good            = rest && y && ydot;
    if (rest && !good)
        (void)kane_no_memory(errors);
    good = good && kane_initial_state(v->model, rest, y, errors) == KANE_OK;
    if (good && kane_eval(v->model, rest, 0.0, y, ydot) != KANE_OK) {
        kane_work_fault(v->model, rest, errors);
        good = 0;
    }
    if (good)
        kane_observe(v->model, rest);
    for (int j = 0; j < v->body_count && good; j++) {
        double at[6], from[6], rates[6];
        kane_get_relative(v->model, v->work, j, at, rates);
        kane_get_relative(v->model, rest, j, from, rates);
        for (int c = 0; c < 6; c++)
            v->displacement[j][c] = at[c] - from[c];
        if (equilibrium_has_wheels(v, j))
            v->displacement[j][KANE_PITCH] = 0.0;
    }
    free(ydot);
    free(y);
    kane_work_free(rest);
    return good;
}

// Force of a rail in its section's axes; in the world's it is added to the balance.
static void get_wheel(equilibrium_values *v, int body, int side)
{
    const kane_wheels_state *w = &v->work->wheels[v->model->bodies[body].wheels];
    kane_contact_result pressed;
    const kane_contact_result *c = &pressed;
    (void)kane_get_contact_pressures(v->model, v->work, body, (kane_side)side, &pressed);
    const kane_vec3 force  = km3_mulv(w->rail[side].R, c->on_wheel.force);
    equilibrium_wheel *out = &v->wheel[body][side];
    double load[2]         = {0.0, 0.0};
    (void)kane_model_wheel_load(v->model, body, load);
    *out =
        (equilibrium_wheel){.Q = force.z, .Y = -force.y, .T = force.x, .load = load[side], .patches = c->patch_count};
    (void)kane_get_contact(v->model, v->work, body, (kane_side)side, &out->lift);
    double most = 0.0;
    for (int p = 0; p < c->patch_count; p++) {
        if (!(c->patch[p].N > most))
            continue;
        most          = c->patch[p].N;
        out->angle    = c->patch[p].angle;
        out->pressure = c->patch[p].pressure;
    }
    v->balance.rails = kv3_add(v->balance.rails, km3_mulv(w->R_s[side], force));
}

static void add_body(equilibrium_values *v, int j)
{
    const kane_body_definition *body = &v->vehicle->bodies[j];
    const kane_mat3 R                = v->work->transport[v->model->bodies[j].track_frame].R;
    kane_vec3 a, held;
    kane_get_absolute(v->model, v->work, j, NULL, NULL, &a, NULL);
    const kane_vec3 wanted = kv3_sub(v->work->gravity, km3_mulv(R, a));
    held.x                 = kane_get_reaction(v->model, v->work, j, KANE_X);
    held.y                 = kane_get_reaction(v->model, v->work, j, KANE_Y);
    held.z                 = kane_get_reaction(v->model, v->work, j, KANE_Z);
    v->balance.body        = kv3_add_scaled(v->balance.body, body->mass, wanted);
    v->balance.held        = kv3_add(v->balance.held, km3_mulv(R, held));
    v->balance.mass += body->mass;
}

int equilibrium_values_get(const app_analysis *analysis, kane_steady *steady, equilibrium_values *v,
                           kane_errors *errors)
{
    const kane_vehicle_definition *vehicle = kane_run_get_definition(analysis->run)->vehicle;
    *v                                     = (equilibrium_values){.vehicle = vehicle,
                                                                  .model   = kane_steady_model(steady),
                                                                  .work    = kane_steady_work(steady),
                                                                  .found   = kane_steady_equilibrium(steady)};
    v->body_count                          = kane_model_body_count(v->model);
    v->displacement                        = calloc((size_t)v->body_count, sizeof *v->displacement);
    v->wheel                               = calloc((size_t)v->body_count, sizeof *v->wheel);
    if (!v->displacement || !v->wheel) {
        (void)kane_no_memory(errors);
        equilibrium_values_clear(v);
        return 0;
    }
    for (int j = 0; j < vehicle->body_count; j++) {
        add_body(v, j);
        for (int side = 0; side < 2 && equilibrium_has_wheels(v, j); side++)
            get_wheel(v, j, side);
    }
    for (int i = 0; i < v->model->element_count; i++)
        v->balance.elements += v->model->elements[i].a.body < 0 || v->model->elements[i].b.body < 0;
    if (get_displacements(v, errors))
        return 1;
    equilibrium_values_clear(v);
    return 0;
}

void equilibrium_values_clear(equilibrium_values *v)
{
    free(v->displacement);
    free(v->wheel);
    *v = (equilibrium_values){.body_count = 0};
}
