// SPDX-License-Identifier: MIT
// The arrays of a tree's evaluation.

#include "tree/flex.h"

#include <kane/mechanism.h>

#include <string.h>

int kane_tree_work_create(const kane_tree *tree, kane_arena *arena, kane_tree_work *work)
{
    const size_t links = (size_t)tree->link_count, v = (size_t)tree->v_count;
    *work            = (kane_tree_work){0};
    work->q          = kane_arena_alloc(arena, (size_t)tree->q_count, sizeof *work->q);
    work->v          = kane_arena_alloc(arena, v, sizeof *work->v);
    work->v_dot      = kane_arena_alloc(arena, v, sizeof *work->v_dot);
    work->drive      = kane_arena_alloc(arena, v, sizeof *work->drive);
    work->link       = kane_arena_alloc(arena, links, sizeof *work->link);
    work->axis       = kane_arena_alloc(arena, v, sizeof *work->axis);
    work->given_axis = kane_arena_alloc(arena, (size_t)tree->q_count, sizeof *work->given_axis);
    work->flex       = kane_arena_alloc(arena, (size_t)tree->flex_count, sizeof *work->flex);
    work->whole      = kane_arena_alloc(arena, tree->flex_count > 0 ? links : 0, sizeof *work->whole);
    for (int k = 0; k < tree->flex_count && work->flex; k++)
        kane_flex_work_create(&tree->flexes[k], arena, &work->flex[k]);
    return !kane_arena_failed(arena);
}

// === Names of joints, of their coordinates and of constraints as they are typed and written.

const char *kane_joint_kind_name(kane_joint_kind kind)
{
    static const char *const names[KANE_JOINT_KINDS] = {
        "revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "free", "weld", "user"};
    return names[kind];
}

const char *kane_constraint_kind_name(kane_constraint_kind kind)
{
    static const char *const names[KANE_CONSTRAINT_KINDS] = {
        "linear", "function", "spherical", "revolute", "cylindrical", "prismatic", "universal", "planar",
        "weld",   "distance", "curve",     "rates",    "knife",       "rolling",   "rod",       "user"};
    return names[kind];
}

const char *kane_given_number_name(kane_given_number number)
{
    static const char *const names[KANE_GIVEN_NUMBERS] = {"x",     "y",      "z",      "yaw",    "roll",
                                                          "pitch", "length", "offset", "factor", "along"};
    return names[number];
}

const char *kane_coordinate_unit(const char *name)
{
    static const char *const lengths[] = {"x", "y", "z", "travel"};
    static const char *const angles[]  = {"yaw", "roll", "pitch", "angle"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(name, lengths[i]) == 0)
            return "m";
        if (strcmp(name, angles[i]) == 0)
            return "rad";
    }
    return NULL;
}

// x, y, z, then turns about z, x, y: the bits of kane_joint_definition.dof in their order.
static const char *const free_names[] = {"x", "y", "z", "yaw", "roll", "pitch"};

static int list_free(const kane_joint_definition *joint, const char *name[KANE_JOINT_COORDINATES])
{
    static const char axes[] = "zxy";
    const char *order        = joint && joint->rotation ? joint->rotation : axes;
    const unsigned dof       = joint ? joint->dof : 63;
    int count                = 0;
    for (int i = 0; i < 3; i++)
        if (dof & 1u << i)
            name[count++] = free_names[i];
    for (const char *turn = order; *turn && turn < order + 3; turn++) {
        const char *at = strchr(axes, *turn);
        if (at && dof & 8u << (at - axes))
            name[count++] = free_names[3 + (at - axes)];
    }
    return count;
}

static int list_coordinate_names(const kane_joint_definition *joint, const char *name[KANE_JOINT_COORDINATES])
{
    static const struct {
        int count;
        const char *name[4];
    } lists[KANE_JOINT_KINDS] = {
        [KANE_JOINT_REVOLUTE]    = {1, {"angle"}},
        [KANE_JOINT_PRISMATIC]   = {1, {"travel"}},
        [KANE_JOINT_CYLINDRICAL] = {2, {"travel", "angle"}},
        [KANE_JOINT_UNIVERSAL]   = {2, {"roll", "pitch"}},
        [KANE_JOINT_SPHERICAL]   = {4, {"e0", "e1", "e2", "e3"}},
        [KANE_JOINT_PLANAR]      = {3, {"x", "y", "angle"}},
    };
    if (!joint || joint->kind == KANE_JOINT_FREE)
        return list_free(joint, name);
    if (joint->kind == KANE_JOINT_USER) {
        const int count = joint->own ? joint->own->coordinate_count : 0;
        for (int i = 0; i < count; i++)
            name[i] = joint->own->coordinate[i];
        return count;
    }
    for (int i = 0; i < lists[joint->kind].count; i++)
        name[i] = lists[joint->kind].name[i];
    return lists[joint->kind].count;
}

int kane_joint_coordinate_count(const kane_joint_definition *joint)
{
    const char *name[KANE_JOINT_COORDINATES];
    return list_coordinate_names(joint, name);
}

const char *kane_joint_coordinate_name(const kane_joint_definition *joint, int coordinate)
{
    const char *name[KANE_JOINT_COORDINATES];
    return coordinate >= 0 && coordinate < list_coordinate_names(joint, name) ? name[coordinate] : NULL;
}
