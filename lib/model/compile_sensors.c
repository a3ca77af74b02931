// SPDX-License-Identifier: MIT
// Accelerometers: on which bodies, at which points.

#include "model/compile.h"

static const double off_axle = 1e-6; // how far from an axle counts as on it [m]

static int check_place(kane_compiler *c, const kane_sensor_definition *d, const kane_body *body, kane_vec3 point)
{
    if (body->kind != KANE_BODY_SPINNING || hypot(point.x, point.z) <= off_axle)
        return 1;
    kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, "at", -1),
                          "a sensor on the wheelset '%s' must be on its axle: [%g, ..., %g]", body->name,
                          body->position.x, body->position.z);
    return 0;
}

static int check_name(kane_compiler *c, const kane_sensor_definition *d, int index)
{
    const kane_names before = {c->vehicle->sensors, index, sizeof *c->vehicle->sensors};
    const char *other       = NULL;
    const int holder        = kane_names_find(c->holders, d->block.name);
    if (holder >= 0)
        other = holder < c->vehicle->body_count ? "there is a body" : "there is a frame";
    else if (kane_names_find(before, d->block.name) >= 0)
        other = "there is another sensor";
    if (other)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, NULL, -1),
                              "%s called '%s'; channels would have the same name", other, d->block.name);
    return !other;
}

void kane_compile_sensors(kane_compiler *c)
{
    kane_model *model   = c->model;
    model->sensor_count = c->vehicle->sensor_count;
    for (int i = 0; i < model->sensor_count; i++) {
        const kane_sensor_definition *d = &c->vehicle->sensors[i];
        const int body                  = kane_names_resolve(kane_compile_body_names(c), "body", d->on,
                                                             kane_block_place(&d->block, "on", -1), c->errors);
        if (body < 0 || !check_name(c, d, i))
            continue;
        const kane_vec3 point = kv3_sub(d->at, model->bodies[body].position);
        if (check_place(c, d, &model->bodies[body], point))
            model->sensors[i] = (kane_sensor){kane_compile_text(c, d->block.name), body, point};
    }
}
