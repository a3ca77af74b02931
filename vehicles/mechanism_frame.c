// SPDX-License-Identifier: MIT
// Frames with a given motion, from what was typed.

#include "vehicles/mechanism_file.h"

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
                                     .freedoms = is_free ? (unsigned)KANE_ALL_FREEDOMS : 0u,
                                     .rotation = in->rotation};
    if (kane_word_is_frame(in->block.name))
        kane_reader_report(reader, kane_block_place(&in->block, NULL, -1),
                           "no frame can be called \"%s\": that is the frame of the other side", in->block.name);
    if (!is_free && kane_block_has(&in->block, "rotation"))
        kane_reader_report(reader, kane_block_place(&in->block, "rotation", -1),
                           "only a free frame turns about three axes");
    if (in->type != KANE_JOINT_SPHERICAL) // which will be refused
        kane_motions_build(reader, &in->motion, &in->block, joint);
}
