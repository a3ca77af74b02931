// SPDX-License-Identifier: MIT
// Joints of the definition: the joint of each body, and all its errors; trees and links.

#include "model/compile.h"

#include <string.h>

static void add_joint_error(kane_compiler *c, const kane_joint_definition *joint, const char *key, const char *what)
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
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place, "'%s' is attached to itself", joint->parent);
        return KANE_NOWHERE;
    }
    return parent;
}

static int is_permutation(const char *rotation)
{
    return strlen(rotation) == 3 && strchr(rotation, 'x') && strchr(rotation, 'y') && strchr(rotation, 'z');
}

static void check_dof(kane_compiler *c, const kane_joint_definition *joint)
{
    if (joint->kind == KANE_JOINT_FREE && joint->dof == 0)
        add_joint_error(c, joint, "dof", "a free joint has at least one freedom; a joint without any is a \"weld\"");
    if (joint->dof & ~(unsigned)KANE_ALL_DOF)
        add_joint_error(c, joint, "dof", "unknown freedoms; they are x, y, z, yaw, roll and pitch");
    if (joint->kind != KANE_JOINT_FREE && (joint->dof != 0 || joint->rotation))
        add_joint_error(c, joint, joint->rotation ? "rotation_order" : "dof",
                        "only a free joint has freedoms and a rotation order that can be chosen");
    if (joint->kind == KANE_JOINT_FREE && joint->rotation && !is_permutation(joint->rotation))
        kane_errors_add_input(
            c->errors, KANE_BAD_INPUT, kane_block_place(&joint->block, "rotation_order", -1),
            "'%s' is not an order of turns; it names each of the axes x, y and z once, such as \"zxy\" "
            "(yaw, roll, pitch)",
            joint->rotation);
}

static int is_angle(const char *coordinate)
{
    return strcmp(kane_coordinate_unit(coordinate), "rad") == 0;
}

// The error in the table of a user-defined joint; NULL: none.
static const char *check_formula(const kane_joint_formula *own)
{
    if (!own || !own->pose)
        return "there is no formula of its pose";
    if (own->coordinate_count < 1 || own->coordinate_count > KANE_JOINT_FORMULA_COORDINATES)
        return "a joint has one to six coordinates";
    for (int i = 0; i < own->coordinate_count; i++) {
        const char *name = own->coordinate[i];
        if (!name || !kane_coordinate_unit(name))
            return "its coordinates are named x, y, z, travel, yaw, roll, pitch or angle";
        if (i > 0 && !is_angle(name) && is_angle(own->coordinate[i - 1]))
            return "lengths (x, y, z, travel) stand before angles";
        for (int k = 0; k < i; k++)
            if (strcmp(name, own->coordinate[k]) == 0)
                return "two of its coordinates have the same name";
    }
    return NULL;
}

static void check_own(kane_compiler *c, const kane_joint_definition *joint)
{
    const char *wrong = joint->kind == KANE_JOINT_USER ? check_formula(joint->own) : NULL;
    if (wrong)
        kane_errors_add_input(c->errors, KANE_BAD_ARGUMENT, kane_block_place(&joint->block, "formula", -1),
                              "user-defined joint '%s': %s", joint->own && joint->own->name ? joint->own->name : "",
                              wrong);
    else if (joint->kind != KANE_JOINT_USER && joint->own)
        add_joint_error(c, joint, "formula", "only a joint of type \"user\" has a formula");
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
    check_dof(c, joint);
    check_own(c, joint);
    check_motions(c, joint);
}

// Prescribed motion of a coordinate; NULL: none.
static const kane_motion_definition *find_motion(const kane_joint_definition *joint, int coordinate)
{
    for (int i = 0; joint && i < joint->motion_count; i++)
        if (joint->motions[i].coordinate == coordinate)
            return &joint->motions[i];
    return NULL;
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
        else if (find_motion(joint, i) && (start->q[i] != 0.0 || rate != 0.0 || held_q || held_qd))
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                                  "'%s' of '%s' is prescribed over time: it has no start of its own",
                                  kane_joint_coordinate_name(joint, i), d->block.name);
    }
}

// Whether the inertia of a spinning body about its axle is not symmetric.
static int is_uneven(const kane_body_definition *d)
{
    return d->kind == KANE_BODY_SPINNING && (d->inertia[0] != d->inertia[2] || d->inertia[4] != 0.0);
}

// A body without a joint: in its frame, at its mass centre, axes parallel.
static void place_root(kane_compiler *c, int body)
{
    const kane_vec3 at = c->vehicle->bodies[body].position;
    kane_hinge *hinge  = &c->hinges[body];
    hinge->parent      = -1;
    hinge->from        = (kane_drawn){-1, c->model->frames[c->model->bodies[body].track_frame].drawn, km3_identity()};
    hinge->to          = (kane_drawn){body, at, km3_identity()};
    hinge->joined |= is_uneven(&c->vehicle->bodies[body]); // no closed form
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
    case KANE_JOINT_FREE: is_free = is_along_y(axes.y) && (joint->dof & KANE_DOF(KANE_PITCH)); break;
    case KANE_JOINT_SPHERICAL: is_free = 1; break;
    default: break;
    }
    if (c->vehicle->bodies[body].kind == KANE_BODY_SPINNING && !is_free)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&joint->block, NULL, -1),
                              "'%s' spins about its y axis, but its %s joint does not let it",
                              c->vehicle->bodies[body].block.name, kane_joint_kind_name(joint->kind));
}

// === Which elementary freedoms a joint has.

// A freedom by its axis among those of the joint, in the order of its coordinates.
typedef struct freedom {
    int axis;
    int is_turn;
} freedom;

static int list_free(const kane_joint_definition *joint, freedom list[6])
{
    const char *order = joint->rotation ? joint->rotation : "zxy";
    const int bit[3]  = {KANE_ROLL, KANE_PITCH, KANE_YAW}; // of a turn about x, y, z
    int count         = 0;
    for (int axis = 0; axis < 3; axis++)
        if (joint->dof & KANE_DOF(axis))
            list[count++] = (freedom){axis, 0};
    for (int i = 0; i < 3; i++)
        if (joint->dof & KANE_DOF(bit[order[i] - 'x']))
            list[count++] = (freedom){order[i] - 'x', 1};
    return count;
}

// A body without a joint: x, y, z, then yaw, roll, pitch; removed freedoms are held.
static const freedom of_body[6] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {0, 1}, {1, 1}};

static int list_dof(const kane_joint_definition *joint, freedom list[6])
{
    static const struct {
        int count;
        freedom list[3];
    } lists[KANE_JOINT_KINDS] = {
        [KANE_JOINT_REVOLUTE]    = {1, {{2, 1}}},
        [KANE_JOINT_PRISMATIC]   = {1, {{2, 0}}},
        [KANE_JOINT_CYLINDRICAL] = {2, {{2, 0}, {2, 1}}},
        [KANE_JOINT_UNIVERSAL]   = {2, {{0, 1}, {1, 1}}},
        [KANE_JOINT_PLANAR]      = {3, {{0, 0}, {1, 0}, {2, 1}}},
    };
    if (joint && joint->kind == KANE_JOINT_FREE)
        return list_free(joint, list);
    if (joint && joint->kind == KANE_JOINT_USER) {
        for (int i = 0; i < joint->own->coordinate_count; i++)
            list[i] = (freedom){.is_turn = is_angle(joint->own->coordinate[i])};
        return joint->own->coordinate_count;
    }
    const int count       = joint ? lists[joint->kind].count : 6;
    const freedom *source = joint ? lists[joint->kind].list : of_body;
    for (int i = 0; i < count; i++)
        list[i] = source[i];
    return count;
}

// The joint of a body on a spinning one must first turn about the axle, at a point of the axle: only such a joint does
// not depend on the spin angle (docs/mechanisms.md, section 10).
static void check_axle(kane_compiler *c, int body, const kane_joint_definition *joint)
{
    const kane_hinge *hinge            = &c->hinges[body];
    const kane_body_definition *parent = &c->vehicle->bodies[hinge->parent];
    const kane_vec3 arm                = kv3_sub(hinge->from.at, parent->position);
    const int is_known                 = !joint->rotation || is_permutation(joint->rotation);
    double off                         = hypot(arm.x, arm.z) / (1.0 + kv3_norm(arm));
    freedom list[6];
    int turn = 0, count = 0;
    if (parent->kind != KANE_BODY_SPINNING)
        return;
    if (is_known && joint->kind != KANE_JOINT_SPHERICAL && joint->kind != KANE_JOINT_USER)
        count = list_dof(joint, list);
    while (turn < count && !list[turn].is_turn)
        turn++;
    for (int i = 0; i <= turn && i < count; i++) {
        const kane_vec3 axis = km3_column(hinge->from.axes, list[i].axis);
        off                  = fmax(off, hypot(axis.x, axis.z));
    }
    if (turn < count && !find_motion(joint, turn) && off <= 1e-12)
        return;
    kane_errors_add_input(
        c->errors, KANE_BAD_INPUT, kane_block_place(&joint->block, NULL, -1),
        "'%s' spins, and its axes do not: a body attached to it must first turn about its axle, as an axle box on its "
        "bearing; give this joint the axis [0, 1, 0] (\"revolute\") and a point on the axle",
        parent->block.name);
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

static void compile_joint(kane_compiler *c, int body, const kane_joint_definition *joint)
{
    kane_hinge *hinge = &c->hinges[body];
    char what[96];
    kane_text text = kane_text_start(sizeof what, what);
    kane_text_add(&text, "the joint of '%s'", c->vehicle->bodies[body].block.name);

    hinge->joined = 1;
    if ((int)joint->kind < 0 || joint->kind >= KANE_JOINT_KINDS) {
        add_joint_error(c, joint, "type", "there is no such kind of joint");
        return;
    }
    hinge->parent = find_parent(c, body, joint);
    kane_compile_check_joint(c, joint);
    if (hinge->parent != KANE_NOWHERE &&
        kane_compile_attachment(c, &joint->from, hinge->parent, what, place_of_side(joint, 0), &hinge->from)) {
        check_seat(c, body, joint);
        if (hinge->parent >= 0)
            check_axle(c, body, joint);
    }
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
            compile_joint(c, j, d->joint);
        else
            place_root(c, j);
        if (d->start && (!d->joint || (unsigned)d->joint->kind < KANE_JOINT_KINDS))
            check_start(c, d);
    }
}

// === Trees: the order of bodies, parents first and every tree in one piece, and the frame that each one shares.

// A body and all beyond it, in the order of the definition.
static void add_subtree(kane_compiler *c, int body, int root)
{
    kane_model *model        = c->model;
    const int link           = model->tree.link_count++;
    model->link_body[link]   = body;
    model->bodies[body].link = link;
    if (body != root) {
        kane_body *b         = &model->bodies[body];
        const kane_body *top = &model->bodies[root];
        b->frame             = top->frame;
        b->track_frame       = top->track_frame;
        b->level_frame       = top->track_frame;
        b->origin            = kv3_sub(b->position, c->model->frames[top->track_frame].drawn);
    }
    for (int j = 0; j < c->vehicle->body_count; j++)
        if (c->hinges[j].parent == body)
            add_subtree(c, j, root);
}

int kane_compile_root(const kane_compiler *c, int body)
{
    int steps = 0; // parents may form a circle
    while (c->hinges[body].parent >= 0 && steps++ < c->vehicle->body_count)
        body = c->hinges[body].parent;
    return body;
}

// Modes of the deformable bodies of a tree stand before it: what follows from them comes later.
static void add_modes(kane_compiler *c, int root)
{
    for (int k = c->part_first; k < c->vehicle->body_count; k++)
        if (c->model->bodies[k].part == KANE_PART_MODE && kane_compile_root(c, c->model->bodies[k].part_of) == root)
            add_subtree(c, k, k);
}

// A joined body is described in the frame of its parent.
static void check_frame(kane_compiler *c, int body, int own_frame)
{
    const kane_body_definition *d = &c->vehicle->bodies[body];
    const kane_body *b            = &c->model->bodies[body];
    const char *key               = d->frame                                                 ? "frame"
                                    : d->frame_offset[0] != 0.0 || d->frame_offset[1] != 0.0 ? "frame_offset"
                                                                                             : NULL;
    if (key && c->hinges[body].parent >= 0 && b->link >= 0 && b->track_frame != own_frame)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, key, -1),
                              "'%s' is attached to '%s' and shares its frame; leave \"%s\" out", d->block.name,
                              c->vehicle->bodies[c->hinges[body].parent].block.name, key);
}

// Bodies whose parents form a circle, as text: 'a' on 'b' on 'a'.
static void report_circle(kane_compiler *c, int body)
{
    // from anywhere on the way into the circle first get onto it
    int first = body;
    for (int i = 0; i < c->vehicle->body_count; i++)
        first = c->hinges[first].parent;
    int smallest = first;
    for (int at = c->hinges[first].parent; at != first; at = c->hinges[at].parent)
        smallest = at < smallest ? at : smallest;
    if (body != smallest) // once is enough
        return;
    char chain[320];
    kane_text text = kane_text_start(sizeof chain, chain);
    int at         = body;
    do {
        kane_text_add(&text, "'%s' on ", c->vehicle->bodies[at].block.name);
        at = c->hinges[at].parent;
    } while (at != body);
    kane_text_add(&text, "'%s'", c->vehicle->bodies[body].block.name);
    kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&c->hinges[body].joint->block, "parent", -1),
                          "joints form a closed circle: %s; open it and close the loop by a constraint", chain);
}

void kane_compile_trees(kane_compiler *c)
{
    kane_model *model      = c->model;
    const size_t count     = (size_t)c->vehicle->body_count;
    model->tree.link_count = 0;
    model->link_body       = kane_arena_alloc(model->arena, 2 * count, sizeof *model->link_body); // and panels of track
    model->tree.links      = kane_arena_alloc(model->arena, 2 * count, sizeof *model->tree.links);
    int *own_frame         = kane_arena_alloc(model->arena, count, sizeof *own_frame);
    if (!model->link_body || !model->tree.links || !own_frame || !c->hinges)
        return;
    int unknown = 0;
    for (int j = 0; j < c->vehicle->body_count; j++) {
        own_frame[j] = model->bodies[j].track_frame;
        unknown |= c->hinges[j].parent == KANE_NOWHERE;
    }
    for (int j = 0; j < c->vehicle->body_count; j++) {
        model->bodies[j].is_free_body = !c->hinges[j].joined;
        model->joined_count += c->hinges[j].joined;
        if (c->hinges[j].parent != -1 || model->bodies[j].part == KANE_PART_MODE)
            continue;
        add_modes(c, j);
        add_subtree(c, j, j);
    }
    for (int j = 0; j < c->vehicle->body_count; j++) {
        check_frame(c, j, own_frame[j]);
        if (c->hinges[j].joined && model->bodies[j].link < 0 && !unknown)
            report_circle(c, j);
    }
}

// === Links: from joints in the drawing to steps, seats and inertias.
//
// Coordinates of a joint do not depend on its axes, if both sides are turned together by Q. So Q is chosen such that
// the link's axes are the body's own, if the joint's axes then are x, y or z; if not, such that the seat is not turned.
// Identity matrices need no multiplication.

// --- kind and steps ---

// Whether body j is the body itself or one of its carriers.
static int is_attached_below(const kane_compiler *c, int body, int j)
{
    while (body >= 0 && body != j)
        body = c->hinges[body].parent;
    return body >= 0;
}

// Whether a constraint joins body j or a body beyond it with another body of the same tree: a loop through its joint.
static int is_in_loop(const kane_compiler *c, int j)
{
    for (int i = 0; i < c->vehicle->constraint_count; i++) {
        const kane_constraint_definition *d = &c->vehicle->constraints[i];
        const int own = d->kind == KANE_CONSTRAINT_USER, count = own ? d->side_count : 2;
        int above = 0, below = 0;
        for (int k = 0; k < count; k++) {
            const char *name = own ? d->sides[k].body : d->between[k];
            const int body   = name ? kane_model_find_body(c->model, name) : -1;
            if (body < 0 || kane_compile_root(c, body) != kane_compile_root(c, j))
                continue;
            below |= is_attached_below(c, body, j);
            above |= !is_attached_below(c, body, j);
        }
        if (above && below)
            return 1;
    }
    return 0;
}

// A body with all six freedoms: its own speeds couple no inertia across the joint (docs/theory.md, section 3). In a
// loop through that joint coordinate rates are better: rows then do not depend on the motion of the body that carries
// the loop (docs/mechanisms.md, section 5).
static int has_own_speeds(const kane_compiler *c, int j, const kane_joint_definition *joint)
{
    const int all      = joint->kind == KANE_JOINT_FREE && joint->dof == KANE_ALL_DOF && joint->motion_count == 0;
    const int is_plain = c->model->bodies[j].wheels < 0 && c->vehicle->bodies[j].kind != KANE_BODY_SPINNING;
    return all && !(is_plain && c->hinges[j].parent >= 0 && is_in_loop(c, j));
}

// Kind of a link: parts of deformable bodies have steps; spherical and user-defined joints their own kind.
static kane_link_kind choose_kind(const kane_compiler *c, int j)
{
    const kane_joint_definition *joint = c->hinges[j].joint;
    const kane_body *body              = &c->model->bodies[j];
    if (body->part != KANE_PART_NONE)
        return KANE_LINK_STEPS;
    if (!joint)
        return body->dof == KANE_ALL_DOF || (body->is_free_body && body->map.rotation_count == 3) ? KANE_LINK_BODY
                                                                                                  : KANE_LINK_STEPS;
    if (joint->kind == KANE_JOINT_SPHERICAL)
        return KANE_LINK_BALL;
    if (joint->kind == KANE_JOINT_USER)
        return KANE_LINK_FORMULA;
    return has_own_speeds(c, j, joint) ? KANE_LINK_BODY : KANE_LINK_STEPS;
}

// +1 .. +3 if `a` is the unit vector of x, y or z; 0 if not. Exactly, but for round-off.
static int unit_axis(kane_vec3 a)
{
    for (int i = 0; i < 3; i++)
        if (kv3_norm(kv3_sub(a, kv3_unit(i))) <= 1e-14)
            return i + 1;
    return 0;
}

// Whether all freedoms are along x, y or z when the joint's axes are these columns.
static int is_along(kane_mat3 axes, int count, const freedom *list)
{
    for (int i = 0; i < count; i++)
        if (!unit_axis(km3_column(axes, list[i].axis)))
            return 0;
    return 1;
}

// The identity itself where it is so but for round-off.
static kane_mat3 snap_to_identity(kane_mat3 A)
{
    const kane_mat3 d = km3_sub(A, km3_identity());
    return kv3_norm(d.x) + kv3_norm(d.y) + kv3_norm(d.z) <= 1e-14 ? km3_identity() : A;
}

// Whether A differs from the identity.
static int is_turned(kane_mat3 A)
{
    const kane_mat3 d = km3_sub(A, km3_identity());
    return kv3_norm(d.x) + kv3_norm(d.y) + kv3_norm(d.z) > 0.0;
}

// Link axes in the body and seat axes in the parent link: from A_to, A_from (joint axes in them) to A_to Q, A_from Q.
// Freedoms are then along Q' e.
static void choose_axes(kane_link *link, kane_mat3 from, kane_mat3 to, int count, freedom *list, kane_mat3 *link_axes)
{
    const int by_steps = link->kind == KANE_LINK_STEPS;
    kane_mat3 Q        = km3_identity();
    if (by_steps && is_along(to, count, list))
        Q = km3_transpose(to);
    else if (by_steps && is_along(from, count, list))
        Q = km3_transpose(from);
    *link_axes   = snap_to_identity(km3_mul(to, Q));
    link->seat_R = snap_to_identity(km3_mul(from, Q));
    for (int i = 0; i < count && is_turned(Q); i++)
        list[i].axis = unit_axis(km3_column(km3_transpose(Q), list[i].axis)) - 1;
    link->turned      = is_turned(link->seat_R);
    link->body_R      = km3_transpose(*link_axes);
    link->body_turned = is_turned(*link_axes);
    link->joint_R     = km3_tmul(*link_axes, to);
}

// Steps of a link with coordinates and speeds: free, prescribed (motion) or held (removed). A spherical joint has four
// coordinates and three speeds.
static void set_steps(kane_compiler *c, kane_link *link, const kane_joint_definition *joint, const kane_body *body,
                      int count, const freedom *list)
{
    link->q_count = link->step_count = count;
    link->v_count                    = 0;
    for (int i = 0; i < count; i++) {
        const kane_motion_definition *motion = find_motion(joint, i);
        kane_step *step                      = &link->step[i];
        *step = (kane_step){.axis = list[i].axis, .mode = KANE_STEP_FREE, .q = link->q + i, .v = -1};
        link->slide_count += !list[i].is_turn;
        if (motion) {
            step->mode     = KANE_STEP_GIVEN;
            step->function = (motion->is_rate ? kane_line_function_create_integral : kane_line_function_create)(
                &motion->function, motion->place, c->model->arena, c->errors);
            step->endless = list[i].is_turn && step->function && kane_line_function_is_even(step->function);
        } else if (!joint && !(body->dof & KANE_DOF(i))) {
            step->mode = KANE_STEP_HELD;
        }
        if (link->kind == KANE_LINK_BODY) // has all speeds, whether they can grow or not
            step->v = link->v + link->v_count++;
        else if (step->mode == KANE_STEP_FREE)
            step->v = link->v + link->v_count++;
        if (link->kind == KANE_LINK_BODY && step->mode == KANE_STEP_HELD)
            link->held |= 1u << i;
    }
    if (link->kind == KANE_LINK_BALL) {
        link->q_count = 4;
        link->v_count = 3;
    }
}

// --- inertia ---

// Symmetric matrix of six numbers, xx yy zz xy xz yz.
static kane_mat3 tensor_of(const double J[6])
{
    return (kane_mat3){{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
}

// Six numbers of the symmetric part of A.
static void store_tensor(kane_mat3 A, double J[6])
{
    J[0] = A.x.x;
    J[1] = A.y.y;
    J[2] = A.z.z;
    J[3] = 0.5 * (A.x.y + A.y.x);
    J[4] = 0.5 * (A.x.z + A.z.x);
    J[5] = 0.5 * (A.y.z + A.z.y);
}

// About the link's origin, link axes: R J_C R' + m (|c|^2 E - c c').
static void set_inertia(kane_link *link, const kane_body_definition *d)
{
    const kane_mat3 own = tensor_of(d->inertia);
    const kane_mat3 J_C = link->body_turned ? km3_mul(km3_mul(link->body_R, own), km3_transpose(link->body_R)) : own;
    const double square = kv3_dot(link->c, link->c);
    const kane_mat3 S   = km3_sub(km3_diag(square, square, square), km3_outer(link->c, link->c));
    const kane_mat3 J   = km3_add(J_C, km3_scale(d->mass, S));
    link->mass          = d->mass;
    store_tensor(J, link->J);
    if (link->kind == KANE_LINK_BODY) {
        const kane_mat3 inverse = {km3_solve(J, kv3_unit(0)), km3_solve(J, kv3_unit(1)), km3_solve(J, kv3_unit(2))};
        store_tensor(inverse, link->J_inverse);
    }
}

// --- a link ---

// Origin and axes of a parent link or frame, in the drawing.
typedef struct seat {
    kane_mat3 axes;
    kane_vec3 origin;
} seat;

static seat seat_on(const kane_hinge *parent)
{
    return (seat){parent->link_axes, parent->link_origin};
}

static seat seat_in(const kane_frame *frame)
{
    return (seat){km3_identity(), frame->drawn};
}

// Axes, seat and steps of a link. body: NULL where there is a joint.
static void attach_link(kane_compiler *c, kane_hinge *hinge, seat on, const kane_body *body, kane_link *link)
{
    freedom list[6];
    const int count = list_dof(hinge->joint, list);
    if (link->kind == KANE_LINK_FORMULA) {
        link->formula      = hinge->joint->own;
        link->formula_data = kane_compile_parameters(c, hinge->joint->own->schema, hinge->joint->own->prepare,
                                                     &hinge->joint->block, hinge->joint->parameters);
    }
    choose_axes(link, km3_tmul(on.axes, hinge->from.axes), hinge->to.axes, count, list, &hinge->link_axes);
    link->seat = km3_tmulv(on.axes, kv3_sub(hinge->from.at, on.origin));
    set_steps(c, link, hinge->joint, body, count, list);
}

// Inertia of panels of track: along their freedoms y, z and roll only.
static const kane_body_definition panel_of_track;
static const int panel_step[3] = {KANE_Y, KANE_Z, KANE_ROLL};

static int is_in_frame(const kane_link *link)
{
    return link->parent < 0 && link->step_count == KANE_COORDINATES && !link->turned && !link->body_turned &&
           link->step[KANE_YAW].axis == 2 && link->step[KANE_ROLL].axis == 0 && link->step[KANE_PITCH].axis == 1 &&
           kv3_norm(link->seat) + kv3_norm(link->at) + kv3_norm(link->c) == 0.0;
}

// Whether the last turn of a spinning body is about its axle, y, at a point of the axle.
static int can_leave_spin_out(const kane_link *link)
{
    const int last = link->step_count - 1;
    return link->kind != KANE_LINK_BALL && last >= link->slide_count && link->step[last].axis == 1 &&
           link->step[last].mode == KANE_STEP_FREE && !link->body_turned &&
           hypot(link->c.x, link->c.z) <= 1e-12 * (1.0 + kv3_norm(link->c));
}

static void build_link(kane_compiler *c, int index)
{
    kane_model *model             = c->model;
    const int j                   = model->link_body[index];
    const kane_body *body         = &model->bodies[j];
    const kane_body_definition *d = body->panel ? &panel_of_track : &c->vehicle->bodies[j];
    const int in_section          = kane_body_is_in_section(body);
    const kane_frame *drawn       = &model->frames[in_section ? model->section : body->track_frame];
    kane_hinge *hinge             = &c->hinges[j];
    kane_link *link               = &model->tree.links[index];

    *link        = (kane_link){.name = body->name, .q = model->tree.q_count};
    link->frame  = in_section ? model->section : body->frame;
    link->parent = hinge->parent >= 0 ? model->bodies[hinge->parent].link : -1;
    link->v      = model->tree.v_count;
    link->kind   = choose_kind(c, j);
    attach_link(c, hinge, link->parent >= 0 ? seat_on(&c->hinges[hinge->parent]) : seat_in(drawn), body, link);
    hinge->link_origin = link->kind == KANE_LINK_BODY ? d->position : hinge->to.at;
    link->at           = km3_tmulv(hinge->link_axes, kv3_sub(hinge->to.at, hinge->link_origin));
    link->c            = km3_tmulv(hinge->link_axes, kv3_sub(d->position, hinge->link_origin));
    set_inertia(link, d);
    link->is_spinning = d->kind == KANE_BODY_SPINNING && !hinge->keeps_spin && can_leave_spin_out(link);
    link->uneven      = link->is_spinning && is_uneven(d);
    link->coupled     = link->uneven; // solved by an inertia that turns
    if (link->parent >= 0 && model->tree.links[link->parent].is_spinning && link->kind == KANE_LINK_STEPS)
        link->on_axle = km3_column(link->seat_R, link->step[link->slide_count].axis).y < 0.0 ? -1 : 1;
    link->hinge = KANE_FAST_PATHS && kane_link_is_hinge(link);
    if (body->wheels >= 0 && !link->is_spinning && link->kind != KANE_LINK_BODY)
        kane_errors_add_input(
            c->errors, KANE_BAD_INPUT, kane_block_place(hinge->joint ? &hinge->joint->block : &d->block, NULL, -1),
            "'%s' has wheels: the last freedom of its joint must be the turn about its axle, [0, 1, 0], at a "
            "point on the axle",
            body->name);
    model->tree.q_count += link->q_count;
    model->tree.v_count += link->v_count;
    link->in_frame = is_in_frame(link);
    // speeds that are removed have no place in general inertia
    link->is_free_body = body->is_free_body && link->kind == KANE_LINK_BODY && (KANE_FAST_PATHS || link->held);
    for (int k = 0; k < 3 && body->panel; k++)
        link->step[panel_step[k]].armature = body->panel->inertia[k];
    if (link->parent >= 0 && link->kind != KANE_LINK_BODY)
        model->tree.links[link->parent].coupled = 1;
}

void kane_compile_links(kane_compiler *c)
{
    kane_model *model = c->model;
    for (int i = 0; i < model->tree.link_count; i++)
        build_link(c, i);
}

void kane_compile_frame_link(kane_compiler *c, int base, int frame)
{
    kane_tree *tree          = &c->model->carried;
    const kane_frame *frames = c->model->frames;
    kane_hinge *hinge        = &c->frame_hinges[frame - 1];
    kane_link *link          = &tree->links[frames[frame].link];
    const int parent         = frames[base].link;

    *link = (kane_link){.name   = frames[frame].name,
                        .parent = parent,
                        .frame  = parent >= 0 ? tree->links[parent].frame : base,
                        .kind   = hinge->joint->kind == KANE_JOINT_USER ? KANE_LINK_FORMULA : KANE_LINK_STEPS,
                        .q      = tree->q_count};
    attach_link(c, hinge, parent >= 0 ? seat_on(&c->frame_hinges[base - 1]) : seat_in(&frames[base]), NULL, link);
    hinge->link_origin = hinge->to.at;
    for (int k = 0; k < link->step_count; k++)
        if (link->step[k].mode == KANE_STEP_FREE) // nothing says how it moves: it does not
            link->step[k] =
                (kane_step){.axis = link->step[k].axis, .mode = KANE_STEP_HELD, .q = link->step[k].q, .v = -1};
    link->v_count = 0;
    tree->q_count += link->q_count;
}
