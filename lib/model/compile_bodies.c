// SPDX-License-Identifier: MIT
// Frames and bodies: which frame each body is described in, which freedoms it has, its inertia.

#include "model/compile.h"

#include "math/eigen.h"

#include <string.h>

void kane_compile_frames(kane_compiler *c)
{
    kane_model *model = c->model;
    model->name       = kane_compile_text(c, c->vehicle->name);
    model->gravity    = c->vehicle->gravity;
    model->guide      = -1;

    if (c->vehicle->guide)
        model->guide = kane_names_resolve(kane_compile_body_names(c), "body", c->vehicle->guide,
                                          kane_block_place(&c->vehicle->block, "guide", -1), c->errors);
    else if (model->track)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&c->vehicle->block, NULL, -1),
                              "a vehicle on a track needs a \"guide\": the body that the track frames go with");

    // frame 0 is the guide's, or A where there is no track
    const int on_track = model->track && model->guide >= 0;
    model->frames[0]   = (kane_frame){.kind = on_track ? KANE_FRAME_TRACK : KANE_FRAME_REST, .wheels = -1};
    model->frame_count = 1;
    for (int i = 0; i < c->vehicle->given_frame_count; i++) {
        kane_given_frame given              = c->vehicle->given_frames[i];
        given.name                          = kane_compile_text(c, given.name);
        model->frames[model->frame_count++] = (kane_frame){.kind = KANE_FRAME_GIVEN, .given = given, .wheels = -1};
    }
}

static int find_given_frame(const kane_model *model, const char *name)
{
    for (int f = 0; f < model->frame_count; f++)
        if (model->frames[f].kind == KANE_FRAME_GIVEN && strcmp(model->frames[f].given.name, name) == 0)
            return f;
    return -1;
}

// Whose track frame a body uses: follows "frame" from body to body. Returns the owner, or -1 with an error.
static int frame_owner(kane_compiler *c, int j)
{
    int owner = j;
    for (int steps = 0; c->vehicle->bodies[owner].frame; steps++) {
        const kane_body_definition *d = &c->vehicle->bodies[owner];
        const kane_place place        = kane_block_place(&d->block, "frame", -1);
        const int next                = kane_names_find(kane_compile_body_names(c), d->frame);
        if (next == owner)
            break;
        if (next < 0) {
            (void)kane_names_resolve(kane_compile_body_names(c), "body or given frame", d->frame, place, c->errors);
            return -1;
        }
        if (steps > c->vehicle->body_count) {
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                                  "'%s' and others share frames in a circle; one of them needs its own", d->frame);
            return -1;
        }
        owner = next;
    }
    return owner;
}

// The frame of this offset; frames at the same place are one.
static int track_frame(kane_compiler *c, double offset)
{
    kane_model *model = c->model;
    for (int f = 0; f < model->frame_count; f++)
        if (model->frames[f].kind == KANE_FRAME_TRACK && model->frames[f].offset == offset)
            return f;
    model->frames[model->frame_count] = (kane_frame){.kind = KANE_FRAME_TRACK, .offset = offset, .wheels = -1};
    return model->frame_count++;
}

// Chooses the frame of a body and its place in it.
static void choose_frame(kane_compiler *c, int j)
{
    kane_model *model             = c->model;
    const kane_body_definition *d = &c->vehicle->bodies[j];
    kane_body *body               = &model->bodies[j];
    const int given               = d->frame ? find_given_frame(model, d->frame) : -1;

    body->position = body->origin = d->position;
    body->track_frame             = 0;
    if (given >= 0) {
        body->track_frame = given;
    } else if (model->frames[0].kind == KANE_FRAME_TRACK) {
        const int owner = frame_owner(c, j);
        if (owner < 0)
            return;
        const double x = c->vehicle->bodies[owner].position.x, guide = c->vehicle->bodies[model->guide].position.x;
        body->origin.x -= x;
        body->track_frame = track_frame(c, x - guide);
    } else if (d->frame) {
        (void)frame_owner(c, j);
    }
    body->frame = body->level_frame = body->track_frame;
}

// Wheels find their rails from a frame at their own place on the line: that of their body, unless the body shares one
// farther away or the frame serves other wheels already.
void kane_compile_rail_frame(kane_compiler *c, int wheels)
{
    kane_model *model   = c->model;
    kane_body *body     = &model->bodies[model->wheels[wheels].body];
    const double offset = body->position.x - c->vehicle->bodies[model->guide].position.x;
    int f               = body->track_frame;
    if (model->frames[f].offset != offset || model->frames[f].wheels >= 0) {
        f                = model->frame_count++;
        model->frames[f] = (kane_frame){.kind = KANE_FRAME_TRACK, .offset = offset};
    }
    model->frames[f].wheels     = wheels;
    model->wheels[wheels].frame = body->level_frame = f;
}

// Principal axes and moments of inertia; refuses what no body can have.
static void set_inertia(kane_compiler *c, const kane_body_definition *d, kane_body *body)
{
    const double *in       = d->inertia;
    const kane_place place = kane_block_place(&d->block, "inertia", -1);
    double a[9]            = {in[0], in[3], in[4], in[3], in[1], in[5], in[4], in[5], in[2]};
    double J[3]            = {in[0], in[1], in[2]};

    body->principal = km3_identity();
    body->turned    = in[3] != 0.0 || in[4] != 0.0 || in[5] != 0.0;
    if (body->turned) {
        const int status = kane_eigen_solve_symmetric(3, a, J);
        if (status == KANE_EIGEN_NO_MEMORY)
            kane_errors_add(c->errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        else if (status != 0)
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, place, "has no principal axes: it is not finite");
        if (status != 0)
            return;
        body->principal.x = kv3(a[0], a[1], a[2]);
        body->principal.y = kv3(a[3], a[4], a[5]);
        body->principal.z = kv3_cross(body->principal.x, body->principal.y);
    }
    body->J = kv3(J[0], J[1], J[2]);

    const double sum = J[0] + J[1] + J[2], small = 1e-9 * fabs(sum);
    const double least = d->joint ? -small : 0.0; // what hangs on a joint may have its inertia from others
    int is_possible    = 1;
    for (int i = 0; i < 3; i++) {
        if (d->joint ? J[i] >= least : J[i] > least)
            continue;
        is_possible = 0;
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place, "a principal moment of inertia is %g; must %s", J[i],
                              d->joint ? "not be negative" : "be positive");
    }
    for (int i = 0; i < 3 && is_possible; i++) {
        if (J[i] <= sum - J[i] + small)
            continue;
        is_possible = 0;
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                              "no body has these moments of inertia: %g is larger than the sum of the other two (%g)",
                              J[i], sum - J[i]);
    }
    if (body->kind == KANE_BODY_SPINNING && (body->turned || J[0] != J[2]))
        kane_errors_add_input(
            c->errors, KANE_BAD_INPUT, place,
            "a spinning body must be symmetric about its y axis: Ixx = Izz and no products of inertia");
}

void kane_compile_freedoms(kane_body *body, unsigned freedoms)
{
    kane_freedom_map *map = &body->map;
    *map                  = (kane_freedom_map){0};
    body->freedoms        = freedoms;
    for (int i = 0; i < 3; i++) {
        if (freedoms & KANE_FREEDOM(KANE_X + i))
            map->translation[map->translation_count++] = i;
        if (freedoms & KANE_FREEDOM(KANE_YAW + i))
            map->rotation[map->rotation_count++] = i;
    }
    body->u_count = map->translation_count + map->rotation_count;
    body->u_turns = map->translation_count;
}

static const kane_start_definition *copy_start(kane_compiler *c, const kane_start_definition *start)
{
    kane_start_definition *copy = start ? kane_arena_alloc(c->model->arena, 1, sizeof *copy) : NULL;
    if (copy)
        *copy = *start;
    return copy;
}

// Whether a body is told to start elsewhere than at rest as it is drawn.
static int departs(const kane_start_definition *start)
{
    int any = 0;
    for (int k = 0; start && k < KANE_JOINT_COORDINATES; k++)
        any |= start->q[k] != 0.0 || (k < KANE_JOINT_SPEEDS && start->rate[k] != 0.0);
    return any;
}

void kane_compile_bodies(kane_compiler *c)
{
    kane_model *model = c->model;
    model->body_count = c->vehicle->body_count;
    if (model->body_count == 0)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&c->vehicle->block, NULL, -1),
                              "there is no body");

    for (int j = 0; j < model->body_count; j++) {
        const kane_body_definition *d = &c->vehicle->bodies[j];
        kane_body *body               = &model->bodies[j];

        body->name   = kane_compile_text(c, d->block.name);
        body->kind   = d->kind;
        body->mass   = d->mass;
        body->wheels = body->link = -1;
        body->start               = copy_start(c, d->start);
        model->departs |= departs(d->start);
        if (!(d->joint ? d->mass >= 0.0 : d->mass > 0.0) || !isfinite(d->mass))
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, "mass", -1),
                                  "the mass of '%s' is %g kg; must %s", d->block.name, d->mass,
                                  d->joint ? "not be negative" : "be positive");
        if (strcmp(d->block.name, "track") == 0)
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, NULL, -1),
                                  "no body can be called \"track\": elements mean the track by it");
        for (int i = 0; i < j; i++)
            if (strcmp(c->vehicle->bodies[i].block.name, d->block.name) == 0)
                kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, NULL, -1),
                                      "there are two bodies called '%s'", d->block.name);
        set_inertia(c, d, body);
        kane_compile_freedoms(body, d->joint ? (unsigned)KANE_ALL_FREEDOMS : d->freedoms & KANE_ALL_FREEDOMS);
        if (body->kind == KANE_BODY_SPINNING && !(body->freedoms & KANE_FREEDOM(KANE_PITCH)))
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, "freedoms", -1),
                                  "a spinning body needs the freedom \"pitch\": it is its spin");
        choose_frame(c, j);
    }
}
