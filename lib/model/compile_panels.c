// SPDX-License-Identifier: MIT
// Panels of flexible track: one under each wheelset, a body of the model behind those of the vehicle.

#include "model/compile.h"

#include <stdio.h>
#include <string.h>

// "leading.track"; no body of the vehicle may be called so.
static const char *name_panel(kane_compiler *c, const char *wheelset)
{
    char name[256];
    (void)snprintf(name, sizeof name, "%.240s.track", wheelset);
    const int taken = kane_names_find(kane_compile_body_names(c), name);
    if (taken >= 0)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&c->vehicle->bodies[taken].block, NULL, -1),
                              "on flexible track '%s' is what moves under '%s'; no body can be called so", name,
                              wheelset);
    return kane_compile_text(c, name);
}

// A panel is a link that slides and rolls against its section, with inertia in these directions alone.
static void hang(kane_compiler *c, int body)
{
    kane_model *model                          = c->model;
    model->bodies[body].link                   = model->tree.link_count;
    model->link_body[model->tree.link_count++] = body;
    c->hinges[body] =
        (kane_hinge){.parent = -1, .from = {-1, kv3_zero(), km3_identity()}, .to = {body, kv3_zero(), km3_identity()}};
}

void kane_compile_panels(kane_compiler *c)
{
    kane_model *model = c->model;
    if (!model->track || !kane_track_get_definition(model->track)->is_flexible)
        return;
    const kane_flexibility_definition *d = &kane_track_get_definition(model->track)->flexibility;
    model->section                       = model->frame_count++;
    model->frames[model->section] = (kane_frame){.kind = KANE_FRAME_SECTION, .carrier = -1, .wheels = -1, .link = -1};
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_body *wheelset = &model->bodies[model->wheels[i].body];
        kane_panel *panel         = &model->panels[model->panel_count++];
        kane_body *body           = &model->bodies[model->body_count];

        panel->wheels = i;
        memcpy(panel->inertia, d->inertia, sizeof panel->inertia);
        memcpy(panel->stiffness, d->stiffness, sizeof panel->stiffness);
        memcpy(panel->damping, d->damping, sizeof panel->damping);
        *body = (kane_body){.name        = name_panel(c, wheelset->name),
                            .kind        = KANE_BODY_RIGID,
                            .panel       = panel,
                            .principal   = km3_identity(),
                            .frame       = model->wheels[i].frame,
                            .track_frame = model->wheels[i].frame,
                            .level_frame = model->wheels[i].frame,
                            .wheels      = -1,
                            .alone       = 1};
        kane_compile_freedoms(body, KANE_FREEDOM(KANE_Y) | KANE_FREEDOM(KANE_Z) | KANE_FREEDOM(KANE_ROLL));
        hang(c, model->body_count);
        model->wheels[i].panel = model->body_count++;
    }
}

// What the wheels press on the track at rest: there the springs' displacements are zero, so that everything stands where
// it stands on rigid track. Statics asks the rails for a vertical force and a moment, not for a lateral force: what little
// wheels turned by an eccentric load exert there is gone when they have found their equilibrium.
void kane_compile_panel_loads(kane_compiler *c)
{
    const kane_model *model = c->model;
    const double speed      = model->speed > 1.0 ? model->speed : 1.0;
    for (int i = 0; i < model->panel_count; i++) {
        kane_panel *panel         = &model->panels[i];
        const kane_wheels *wheels = &model->wheels[panel->wheels];
        kane_wrench on_wheels;
        double load[2];
        if (kane_wheels_press(wheels, speed, wheels->height, wheels->roll, wheels->spin, &on_wheels, load) != KANE_OK)
            continue; // reported when the wheelset found no rest
        panel->load[1] = -on_wheels.force.z;
        panel->load[2] = -on_wheels.torque.x;
    }
}
