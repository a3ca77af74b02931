// SPDX-License-Identifier: MIT
// Actuators: drives, brakes, forces.

#include "run/run_file.h"

#include <string.h>

// What each kind takes besides "on", "time": whether its values are torques or forces.
static const struct {
    const char *name;
    int torque, force;
} kinds[] = {{"torque", 1, 0}, {"brake", 1, 0}, {"force", 0, 1}, {"joint", 1, 1}}; // as kane_actuator_kind

// "force" or "torque": the key of its values.
static const char *key_of_values(const kane_actuator_input *in)
{
    return kinds[in->kind].force && !(kinds[in->kind].torque && kane_block_has(&in->block, "torque")) ? "force"
                                                                                                      : "torque";
}

static void check_use(kane_reader *reader, const kane_actuator_input *in)
{
    const kane_block *block = &in->block;
    const int is_joint = in->kind == KANE_ACTUATOR_JOINT, is_force = in->kind == KANE_ACTUATOR_FORCE;
    const char *unused = kinds[in->kind].torque ? "force" : "torque";
    if (is_joint && kane_block_has(block, "force") && kane_block_has(block, "torque"))
        kane_reader_fault(reader, block, "force", "there is a torque already: a coordinate slides or turns");
    else if (!is_joint && kane_block_has(block, unused))
        kane_reader_fault(reader, block, unused, "does not belong to a %s", kinds[in->kind].name);
    if (!is_force && !is_joint && in->reaction && strcmp(in->on, in->reaction) == 0)
        kane_reader_fault(reader, block, "reaction",
                          "'%s' cannot take the reaction to its own torque; leave it out, or name another body",
                          in->reaction);
    if (is_force && in->reaction)
        kane_reader_fault(reader, block, "reaction", "a force comes from outside: it has none");
    if (is_joint && in->reaction)
        kane_reader_fault(reader, block, "reaction", "the body to which '%s' is attached takes the reaction", in->on);
    if (is_joint && kane_block_has(block, "at"))
        kane_reader_fault(reader, block, "at", "does not belong to a joint: it acts along its coordinate");
    if (!is_joint && in->coordinate)
        kane_reader_fault(reader, block, "coordinate", "does not belong to a %s", kinds[in->kind].name);
}

static void fill_actuator(kane_reader *reader, const kane_actuator_input *in, kane_actuator_definition *d)
{
    const char *key           = key_of_values(in);
    const kane_numbers values = strcmp(key, "force") == 0 ? in->force : in->torque;
    *d                        = (kane_actuator_definition){.block       = in->block,
                                                           .kind        = (kane_actuator_kind)in->kind,
                                                           .on          = in->on,
                                                           .coordinate  = in->coordinate,
                                                           .reaction    = in->reaction,
                                                           .at          = in->at,
                                                           .at_centre   = !kane_block_has(&in->block, "at"),
                                                           .point_count = values.count,
                                                           .time        = in->time.values,
                                                           .value       = values.values};
    check_use(reader, in);
    if (values.count < 1 || values.count != in->time.count)
        kane_reader_fault(reader, &in->block, NULL, "has %d times and %d values of \"%s\"; needs as many of both",
                          in->time.count, values.count, key);
}

void kane_run_actuators(kane_reader *reader, const kane_run_file *file, kane_run_definition *run)
{
    const kane_actuator_input *in       = file->drive.items;
    const int count                     = file->drive.count;
    kane_actuator_definition *actuators = kane_arena_alloc(reader->arena, (size_t)count, sizeof *actuators);
    if (!actuators) {
        kane_reader_no_memory(reader, kane_block_place(&file->block, NULL, -1));
        return;
    }
    for (int i = 0; i < count; i++)
        fill_actuator(reader, &in[i], &actuators[i]);
    run->drive.kind           = KANE_DRIVE_DRIVEN;
    run->drive.actuators      = actuators;
    run->drive.actuator_count = count;
    run->drive.follow_rate    = file->follower.rate;
}

// Coordinates that slide take forces, those that turn torques. Bodies and coordinates that there are none of are
// reported by the model.
void kane_run_check_joints(const kane_run_definition *run, kane_errors *errors)
{
    static const char *const slides[] = {"x", "y", "z", "travel"};
    for (int i = 0; i < run->drive.actuator_count; i++) {
        const kane_actuator_definition *a  = &run->drive.actuators[i];
        const kane_joint_definition *joint = NULL;
        for (int j = 0; j < run->vehicle->body_count; j++)
            if (strcmp(run->vehicle->bodies[j].block.name, a->on) == 0)
                joint = run->vehicle->bodies[j].joint;
        const char *name = a->coordinate;
        if (!name && joint && kane_joint_coordinate_count(joint) == 1)
            name = kane_joint_coordinate_name(joint, 0);
        if (a->kind != KANE_ACTUATOR_JOINT || !name)
            continue;
        int is_slide = 0;
        for (int k = 0; k < 4; k++)
            is_slide |= strcmp(name, slides[k]) == 0;
        const char *wrong = is_slide ? "torque" : "force";
        if (kane_block_has(&a->block, wrong))
            (void)kane_block_fault(errors, &a->block, wrong, "'%s' of '%s' %s: it takes a \"%s\"", name, a->on,
                                   is_slide ? "slides" : "turns", is_slide ? "force" : "torque");
    }
}
