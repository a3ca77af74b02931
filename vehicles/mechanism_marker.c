// SPDX-License-Identifier: MIT
// Markers and axes from what was typed.

#include "base/text.h"
#include "vehicles/mechanism_file.h"

#include <math.h>
#include <string.h>

static const double least_angle = 1e-6; // between "axis" and "x_axis" [rad]

int kane_word_is_frame(const char *name)
{
    return strcmp(name, "ground") == 0 || strcmp(name, "track") == 0;
}

void kane_report_missing(kane_reader *reader, const kane_block *block, const char *key, const char *help)
{
    kane_reader_fault(reader, block, NULL, "'%s' is missing: %s", key, help);
}

kane_mat3 kane_turned(kane_vec3 turned)
{
    kane_mat3 axes = km3_turn_z(km3_identity(), sin(turned.x), cos(turned.x));
    axes           = km3_turn_x(axes, sin(turned.y), cos(turned.y));
    return km3_turn_y(axes, sin(turned.z), cos(turned.z));
}

// The shortest turn that leads z to the unit vector n: E + V + V V/(1 + n_z), V u = (z x n) x u.
// Where n points downwards 1 + n_z would be a small difference of great numbers; (1 + n_z)(1 - n_z) = n_x^2 + n_y^2.
static kane_mat3 shortest_turn(kane_vec3 n)
{
    const double across = n.x * n.x + n.y * n.y;
    if (n.z < 0.0 && across == 0.0) // every turn by half is as short as any other
        return (kane_mat3){kv3(1.0, 0.0, 0.0), kv3(0.0, -1.0, 0.0), kv3(0.0, 0.0, -1.0)};
    const double k = n.z < 0.0 ? (1.0 - n.z) / across : 1.0 / (1.0 + n.z);
    return (kane_mat3){kv3(1.0 - k * n.x * n.x, -k * n.x * n.y, -n.x), kv3(-k * n.x * n.y, 1.0 - k * n.y * n.y, -n.y),
                       n};
}

// A direction as a unit vector, whatever the size of its numbers; zero if it has none.
static kane_vec3 unit_vector(kane_vec3 a)
{
    const double most = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
    if (!(most > 0.0))
        return kv3_zero();
    const kane_vec3 b = kv3(a.x / most, a.y / most, a.z / most);
    return kv3_scale(1.0 / kv3_norm(b), b);
}

kane_mat3 kane_axes_build(kane_reader *reader, const kane_block *block, const kane_axes_input *in)
{
    const kane_mat3 none = {kv3_zero(), kv3_zero(), kv3_zero()};
    const int axis = kane_block_has(block, "axis"), x_axis = kane_block_has(block, "x_axis");
    if (kane_block_has(block, "orientation")) {
        if (axis || x_axis)
            kane_reader_fault(reader, block, "orientation", "says the axes a second time: \"axis\" has said them");
        return kane_turned(in->turned);
    }
    if (x_axis && !axis)
        kane_reader_fault(reader, block, "x_axis", "is only used with \"axis\"");
    if (!axis)
        return none;
    const kane_vec3 z = unit_vector(in->axis);
    if (kv3_norm(z) == 0.0) {
        kane_reader_fault(reader, block, "axis", "[0, 0, 0] has no direction");
        return none;
    }
    if (!x_axis)
        return shortest_turn(z);
    const kane_vec3 across = kv3_cross(z, unit_vector(in->x_axis));
    const double size      = kv3_norm(across);
    if (!(size > least_angle)) {
        kane_reader_fault(reader, block, "x_axis", "must point in another direction than \"axis\"");
        return none;
    }
    const kane_vec3 y = kv3_scale(1.0 / size, across);
    return (kane_mat3){kv3_cross(y, z), y, z};
}

void kane_marker_build(kane_marker_list *list, const kane_marker_input *in)
{
    const char *on = in->on && kane_word_is_frame(in->on) ? NULL : in->on;
    list->markers[list->count++] =
        (kane_marker_definition){.block    = in->block,
                                 .on       = on,
                                 .relative = in->relative_to,
                                 .position = in->at,
                                 .axes     = kane_axes_build(list->reader, &in->block, &in->axes)};
    list->typed = list->count;
}

void kane_markers_check(const kane_marker_list *list)
{
    for (int i = 0; i < list->typed; i++) {
        const kane_marker_definition *m = &list->markers[i];
        if (m->relative)
            (void)kane_markers_resolve(list, m->relative, kane_block_place(&m->block, "relative_to", -1));
    }
}

int kane_markers_resolve(const kane_marker_list *list, const char *name, kane_place place)
{
    const kane_names names = {list->markers, list->typed, sizeof *list->markers};
    return kane_names_resolve(names, "marker", name, place, list->reader->errors);
}

const char *kane_markers_body(const kane_marker_list *list, const char *name)
{
    const kane_names names = {list->markers, list->count, sizeof *list->markers};
    const int index        = kane_names_find(names, name);
    return index >= 0 ? list->markers[index].on : NULL;
}

// === Frames with a given motion, from what was typed.

void kane_frame_build(kane_reader *reader, const kane_frame_input *in, kane_given_frame *frame)
{
    const kane_attachment at     = {.at = in->at, .axes = kane_axes_build(reader, &in->block, &in->axes)};
    kane_joint_definition *joint = kane_arena_alloc(reader->arena, 1, sizeof *joint);
    const int is_free            = in->type == KANE_JOINT_FREE;
    *frame                       = (kane_given_frame){.block = in->block, .relative = in->relative_to, .joint = joint};
    if (!joint) {
        kane_reader_no_memory(reader, kane_block_place(&in->block, NULL, -1));
        return;
    }
    *joint = (kane_joint_definition){.block    = in->block,
                                     .kind     = (kane_joint_kind)in->type,
                                     .from     = at,
                                     .to       = at,
                                     .dof      = is_free ? (unsigned)KANE_ALL_DOF : 0u,
                                     .rotation = in->rotation};
    if (kane_word_is_frame(in->block.name))
        kane_reader_fault(reader, &in->block, NULL,
                          "no frame can be called \"%s\": that is the frame of the other side", in->block.name);
    if (!is_free && kane_block_has(&in->block, "rotation_order"))
        kane_reader_fault(reader, &in->block, "rotation_order", "only a free frame turns about three axes");
    if (in->type != KANE_JOINT_SPHERICAL) // which will be refused
        kane_motions_build(reader, &in->motion, &in->block, joint);
}
