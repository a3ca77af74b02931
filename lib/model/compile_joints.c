// SPDX-License-Identifier: MIT
// Joints as they were typed: what each body hangs by, and everything that can be wrong with it.

#include "model/compile.h"

#include <string.h>

static void refuse(kane_compiler *c, const kane_joint_definition *joint, const char *key, const char *what)
{
    kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&joint->block, key, -1), "%s", what);
}

// The parent of a body, -1: its frame; KANE_NOWHERE with an error.
static int find_parent(kane_compiler *c, int body, const kane_joint_definition *joint)
{
    const kane_place place = kane_block_place(&joint->block, "parent", -1);
    const int parent       = kane_compile_holder(c, joint->parent, place);
    if (kane_compile_held_frame(parent) >= 0) // its own: kane_compile_choose_frame has seen to that
        return -1;
    if (parent < 0)
        return parent;
    if (parent == body) {
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place, "'%s' hangs on itself", joint->parent);
        return KANE_NOWHERE;
    }
    if (c->vehicle->bodies[parent].kind == KANE_BODY_SPINNING) {
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                              "nothing can hang on '%s': it spins, and its axes do not; join this body to what carries "
                              "the axle, or make '%s' a rigid body",
                              joint->parent, joint->parent);
        return KANE_NOWHERE;
    }
    return parent;
}

static int is_permutation(const char *rotation)
{
    return strlen(rotation) == 3 && strchr(rotation, 'x') && strchr(rotation, 'y') && strchr(rotation, 'z');
}

static void check_freedoms(kane_compiler *c, const kane_joint_definition *joint)
{
    if (joint->kind == KANE_JOINT_FREE && joint->freedoms == 0)
        refuse(c, joint, "freedoms", "a free joint has at least one freedom; a joint without any is a \"weld\"");
    if (joint->freedoms & ~(unsigned)KANE_ALL_FREEDOMS)
        refuse(c, joint, "freedoms", "unknown freedoms; they are x, y, z, yaw, roll and pitch");
    if (joint->kind != KANE_JOINT_FREE && (joint->freedoms != 0 || joint->rotation))
        refuse(c, joint, joint->rotation ? "rotation" : "freedoms",
               "only a free joint has freedoms and a rotation order that can be chosen");
    if (joint->kind == KANE_JOINT_FREE && joint->rotation && !is_permutation(joint->rotation))
        kane_errors_add_input(
            c->errors, KANE_BAD_INPUT, kane_block_place(&joint->block, "rotation", -1),
            "'%s' is not an order of turns; it names each of the axes x, y and z once, such as \"zxy\" "
            "(yaw, roll, pitch)",
            joint->rotation);
}

static void check_motions(kane_compiler *c, const kane_joint_definition *joint)
{
    const int count = kane_joint_coordinate_count(joint);
    for (int i = 0; i < joint->motion_count; i++) {
        const kane_motion_definition *m = &joint->motions[i];
        if (joint->kind == KANE_JOINT_SPHERICAL)
            kane_errors_add_input(
                c->errors, KANE_BAD_INPUT, m->place,
                "Euler parameters cannot be prescribed one by one; use a free joint with three turns");
        else if (m->coordinate < 0 || m->coordinate >= count)
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, m->place,
                                  "coordinate %d of a %s joint cannot be prescribed: it has %d", m->coordinate,
                                  kane_joint_kind_name(joint->kind), count);
        for (int k = 0; k < i; k++)
            if (joint->motions[k].coordinate == m->coordinate)
                kane_errors_add_input(c->errors, KANE_BAD_INPUT, m->place, "this coordinate is prescribed twice");
    }
}

void kane_compile_check_joint(kane_compiler *c, const kane_joint_definition *joint)
{
    check_freedoms(c, joint);
    check_motions(c, joint);
}

static int is_prescribed(const kane_joint_definition *joint, int coordinate)
{
    for (int i = 0; joint && i < joint->motion_count; i++)
        if (joint->motions[i].coordinate == coordinate)
            return 1;
    return 0;
}

// Where a body starts: finite, only what it has, and nothing held that is prescribed.
static void check_start(kane_compiler *c, const kane_body_definition *d)
{
    const kane_joint_definition *joint = d->joint;
    const kane_start_definition *start = d->start;
    const kane_place place             = kane_block_place(&d->block, "start", -1);
    const int count                    = kane_joint_coordinate_count(joint);
    const int speeds                   = joint && joint->kind == KANE_JOINT_SPHERICAL ? 3 : count;
    for (int i = 0; i < KANE_JOINT_COORDINATES; i++) {
        const int has_q = i < count, has_rate = i < speeds;
        const double rate      = i < KANE_JOINT_SPEEDS ? start->rate[i] : 0.0;
        const unsigned held_q  = start->held_q & 1u << i;
        const unsigned held_qd = start->held_rate & 1u << i;
        if (!isfinite(start->q[i]) || !isfinite(rate))
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, place, "the start of '%s' is not finite", d->block.name);
        else if ((!has_q && (start->q[i] != 0.0 || held_q)) || (!has_rate && (rate != 0.0 || held_qd)))
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                                  "the start of '%s' names coordinate %d; it has %d coordinates and %d speeds",
                                  d->block.name, i, count, speeds);
        else if (is_prescribed(joint, i) && (start->q[i] != 0.0 || rate != 0.0 || held_q || held_qd))
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                                  "'%s' of '%s' is prescribed over time: it has no start of its own",
                                  kane_joint_coordinate_name(joint, i), d->block.name);
    }
}

// Without a joint: by its mass centre in its frame, axes parallel.
static void hang_free(kane_compiler *c, int body)
{
    const kane_vec3 at = c->vehicle->bodies[body].position;
    kane_hinge *hinge  = &c->hinges[body];
    hinge->parent      = -1;
    hinge->from        = (kane_drawn){-1, c->model->frames[c->model->bodies[body].track_frame].drawn, km3_identity()};
    hinge->to          = (kane_drawn){body, at, km3_identity()};
}

// Where it was typed by what the parent (0) or the body (1) is held.
static kane_place place_of_side(const kane_joint_definition *joint, int side)
{
    const kane_attachment *at = side == 0 ? &joint->from : &joint->to;
    const char *marker        = side == 0 ? "from" : "to";
    return kane_block_place(&joint->block, at->marker ? marker : "at", -1);
}

static int is_along_y(kane_vec3 axis)
{
    return fabs(axis.y) > 1.0 - 1e-9;
}

// A spinning body spins about its y axis: its joint must let it.
static void check_spin(kane_compiler *c, int body, const kane_joint_definition *joint)
{
    const kane_mat3 axes = c->hinges[body].to.axes;
    int is_free          = 0;
    switch (joint->kind) {
    case KANE_JOINT_REVOLUTE:
    case KANE_JOINT_CYLINDRICAL:
    case KANE_JOINT_PLANAR: is_free = is_along_y(axes.z); break;
    case KANE_JOINT_UNIVERSAL: is_free = is_along_y(axes.y); break;
    case KANE_JOINT_FREE: is_free = is_along_y(axes.y) && (joint->freedoms & KANE_FREEDOM(KANE_PITCH)); break;
    case KANE_JOINT_SPHERICAL: is_free = 1; break;
    default: break;
    }
    if (c->vehicle->bodies[body].kind == KANE_BODY_SPINNING && !is_free)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&joint->block, NULL, -1),
                              "'%s' spins about its y axis, but its %s joint does not let it",
                              c->vehicle->bodies[body].block.name, kane_joint_kind_name(joint->kind));
}

// A joint that begins at a marker on a frame holds its body in that frame.
static void check_seat(kane_compiler *c, int body, const kane_joint_definition *joint)
{
    const int frame = kane_compile_held_frame(c->hinges[body].from.body);
    if (frame >= 0 && frame != c->model->bodies[body].track_frame)
        kane_errors_add_input(
            c->errors, KANE_BAD_INPUT, place_of_side(joint, 0),
            "marker '%s' is on the frame '%s', in which '%s' is not described; name it as its \"frame\"",
            joint->from.marker, c->model->frames[frame].name, c->vehicle->bodies[body].block.name);
}

static void hang(kane_compiler *c, int body, const kane_joint_definition *joint)
{
    kane_hinge *hinge = &c->hinges[body];
    char what[96];
    kane_text text = kane_text_start(sizeof what, what);
    kane_text_add(&text, "the joint of '%s'", c->vehicle->bodies[body].block.name);

    hinge->joined = 1;
    if ((int)joint->kind < 0 || joint->kind >= KANE_JOINT_KINDS) {
        refuse(c, joint, "type", "there is no such kind of joint");
        return;
    }
    hinge->parent = find_parent(c, body, joint);
    kane_compile_check_joint(c, joint);
    if (hinge->parent != KANE_NOWHERE &&
        kane_compile_attachment(c, &joint->from, hinge->parent, what, place_of_side(joint, 0), &hinge->from))
        check_seat(c, body, joint);
    if (kane_compile_attachment(c, &joint->to, body, what, place_of_side(joint, 1), &hinge->to))
        check_spin(c, body, joint);
    if (hinge->parent >= 0)
        c->hinges[hinge->parent].joined = 1;
    if (c->model->guide == body)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&joint->block, NULL, -1),
                              "'%s' is the guide, which the frames go with: it must be free in its frame",
                              c->vehicle->bodies[body].block.name);
}

void kane_compile_joints(kane_compiler *c)
{
    c->hinges = kane_arena_alloc(c->model->arena, 2 * (size_t)c->vehicle->body_count, sizeof *c->hinges);
    if (!c->hinges)
        return;
    for (int j = 0; j < c->vehicle->body_count; j++) {
        const kane_body_definition *d = &c->vehicle->bodies[j];
        c->model->bodies[j].link      = -1;
        c->hinges[j].joint            = d->joint;
        if (d->joint)
            hang(c, j, d->joint);
        else
            hang_free(c, j);
        if (d->start && (!d->joint || (unsigned)d->joint->kind < KANE_JOINT_KINDS))
            check_start(c, d);
    }
}
