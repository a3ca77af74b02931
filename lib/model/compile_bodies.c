// SPDX-License-Identifier: MIT
// Bodies: their inertia, and which freedoms each one has.

#include "model/compile.h"

#include "math/dense.h"

#include <string.h>

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
        if (kane_principal_axes(a, J) != 0) {
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, place, "has no principal axes: it is not finite");
            return;
        }
        body->principal.x = kv3(a[0], a[1], a[2]);
        body->principal.y = kv3(a[3], a[4], a[5]);
        body->principal.z = kv3_cross(body->principal.x, body->principal.y);
    }
    body->J = kv3(J[0], J[1], J[2]);

    const double sum = J[0] + J[1] + J[2], small = 1e-9 * fabs(sum);
    // what is attached by a joint may have its inertia from other bodies, what cannot turn needs none
    const int may_be_zero = d->joint || !(d->dof & (KANE_DOF(KANE_YAW) | KANE_DOF(KANE_ROLL) | KANE_DOF(KANE_PITCH)));
    int is_possible       = 1;
    for (int i = 0; i < 3; i++) {
        if (may_be_zero ? J[i] >= -small : J[i] > 0.0)
            continue;
        is_possible = 0;
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place, "a principal moment of inertia is %g; must %s", J[i],
                              may_be_zero ? "not be negative" : "be positive");
    }
    for (int i = 0; i < 3 && is_possible && !d->impossible_inertia; i++) {
        if (J[i] <= sum - J[i] + small)
            continue;
        is_possible = 0;
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                              "no body has these moments of inertia: %g is larger than the sum of the other two (%g)",
                              J[i], sum - J[i]);
    }
    if (body->kind == KANE_BODY_SPINNING && (in[3] != 0.0 || in[5] != 0.0))
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                              "the y axis of a spinning body must be a principal axis: no products of inertia with y");
}

// Freedoms of a body, the map V = A u (docs/theory.md, section 3), and the places of its speeds.
void kane_compile_dof(kane_body *body, unsigned dof)
{
    kane_freedom_map *map = &body->map;
    *map                  = (kane_freedom_map){0};
    body->dof             = dof;
    for (int i = 0; i < 3; i++) {
        if (dof & KANE_DOF(KANE_X + i))
            map->translation[map->translation_count++] = i;
        if (dof & KANE_DOF(KANE_YAW + i))
            map->rotation[map->rotation_count++] = i;
    }
    body->u_count = map->translation_count + map->rotation_count;
    body->u_turns = map->translation_count;
    for (int i = 0; i < body->u_count && map->rotation_count == 3; i++)
        body->component[i] = i < map->translation_count ? map->translation[i] : 3 + i - map->translation_count;
}

static const kane_start_definition *copy_start(kane_compiler *c, const kane_start_definition *start)
{
    kane_start_definition *copy = start ? kane_arena_alloc(c->model->arena, 1, sizeof *copy) : NULL;
    if (copy)
        *copy = *start;
    return copy;
}

// Whether the start of a body differs from rest in the drawn position.
static int has_start_offset(const kane_start_definition *start)
{
    int any = 0;
    for (int k = 0; start && k < KANE_JOINT_COORDINATES; k++)
        any |= start->q[k] != 0.0 || (k < KANE_JOINT_SPEEDS && start->rate[k] != 0.0);
    return any;
}

// Names, masses, inertia, freedoms and frames of all bodies.
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
        model->departs |= has_start_offset(d->start);
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
        kane_compile_dof(body, d->joint ? (unsigned)KANE_ALL_DOF : d->dof & KANE_ALL_DOF);
        if (body->kind == KANE_BODY_SPINNING && !(body->dof & KANE_DOF(KANE_PITCH)))
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, "dof", -1),
                                  "a spinning body needs the freedom \"pitch\": it is its spin");
        kane_compile_choose_frame(c, j);
    }
}
