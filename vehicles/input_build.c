// SPDX-License-Identifier: MIT
// The keys of inputs, and the definitions that they stand for.

#include "vehicles/mechanism_file.h"

#include <string.h>

static const char *const kinds[] = {"torque", "brake", "force", "joint", "element", NULL}; // as kane_input_kind

static const kane_key keys[] = {
    KANE_KEY(kane_input_entry, kind, CHOICE, REQUIRED, NULL, NULL, ANY, kinds,
             "torque on a body, brake torque against the spin of a wheelset, force on a body, force or torque along a "
             "coordinate of a body's joint, or a number of an element's law"),
    KANE_KEY(kane_input_entry, on, TEXT, REQUIRED, NULL, NULL, ANY, NULL, "body, or element, that it acts on"),
    KANE_KEY(
        kane_input_entry, direction, VECTOR, OPTIONAL, NULL, "1", ANY, NULL,
        "of a force or torque, in the axes of the body's track frame (of a mechanism: of its frame); if it is left out, a "
        "force acts along the track, a torque about the axle of a wheelset"),
    KANE_KEY(kane_input_entry, at, VECTOR, OPTIONAL, NULL, "m", ANY, NULL,
             "of a force: its point at rest; the mass centre if it is left out"),
    KANE_KEY(kane_input_entry, reaction, TEXT, OPTIONAL, NULL, NULL, ANY, NULL, "body that takes the opposite torque"),
    KANE_KEY(kane_input_entry, coordinate, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "of a joint: one of its coordinates; may be left out where it has only one"),
    KANE_KEY(
        kane_input_entry, parameter, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
        "of an element: the number that is set, such as \"force\" of an actuator or \"factor\" of a damper; may be "
        "left out where its law has only one"),
    KANE_KEY(kane_input_entry, value, NUMBER, OPTIONAL, NULL, "1", ANY, NULL,
             "that it begins with, in SI units; 0 if it is left out, of an element what its law says"),
};

const kane_schema kane_input_schema = KANE_SCHEMA(
    kane_input_entry, "input", keys,
    "A number that a program sets while the simulation goes on; in between it stays. Its channel is input.NAME.");

// Which kinds a key belongs to.
static const struct {
    const char *key;
    unsigned kinds;
} uses[] = {
    {"direction", 1u << KANE_INPUT_TORQUE | 1u << KANE_INPUT_FORCE},
    {"at", 1u << KANE_INPUT_FORCE},
    {"reaction", 1u << KANE_INPUT_TORQUE | 1u << KANE_INPUT_BRAKE},
    {"coordinate", 1u << KANE_INPUT_JOINT},
    {"parameter", 1u << KANE_INPUT_ELEMENT},
};

static void check_keys(kane_reader *reader, const kane_input_entry *in)
{
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (kane_block_has(&in->block, uses[i].key) && !(uses[i].kinds & 1u << in->kind))
            kane_reader_fault(reader, &in->block, uses[i].key, "does not belong to a %s",
                              in->kind == KANE_INPUT_ELEMENT ? "number of an element" : kinds[in->kind]);
    if (in->reaction && strcmp(in->on, in->reaction) == 0)
        kane_reader_fault(reader, &in->block, "reaction",
                          "'%s' cannot take the reaction to its own torque; leave it out, or name another body",
                          in->reaction);
    if (kane_block_has(&in->block, "direction") && !(kv3_norm(in->direction) > 0.0))
        kane_reader_fault(reader, &in->block, "direction", "[0, 0, 0] is no direction");
}

kane_input_definition *kane_inputs_define(kane_reader *reader, const kane_items *entries)
{
    const kane_input_entry *in = entries->items;
    kane_input_definition *out = kane_arena_alloc(reader->arena, (size_t)entries->count, sizeof *out);
    for (int i = 0; i < entries->count && out; i++) {
        check_keys(reader, &in[i]);
        out[i] = (kane_input_definition){.block      = in[i].block,
                                         .kind       = (kane_input_kind)in[i].kind,
                                         .on         = in[i].on,
                                         .reaction   = in[i].reaction,
                                         .coordinate = in[i].coordinate,
                                         .parameter  = in[i].parameter,
                                         .at         = in[i].at,
                                         .at_centre  = !kane_block_has(&in[i].block, "at"),
                                         .direction  = in[i].direction,
                                         .value      = kane_block_has(&in[i].block, "value") ? &in[i].value : NULL};
    }
    return out;
}
