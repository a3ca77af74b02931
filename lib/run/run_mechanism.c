// SPDX-License-Identifier: MIT
// Runs of a mechanism: no track, no speed along it; an end in time.

#include "run/run_file.h"

// Error for a key that only a vehicle on a track has.
static void refuse_key(kane_reader *reader, const kane_block *block, const char *key, const char *why)
{
    if (kane_block_has(block, key))
        kane_reader_fault(reader, block, key, "a mechanism %s", why);
}

void kane_run_mechanism(kane_reader *reader, const kane_run_file *file, kane_run_definition *run)
{
    static const struct {
        const char *key, *why;
    } rows[] = {
        {"track", "stands on no track; what runs on one is a vehicle"},
        {"start", "stands on no track; its bodies say where they \"start\""},
        {"speed", "does not run along a track"},
        {"speed_table", "does not run along a track"},
        {"speed_limits", "does not run along a track"},
        {"follower", "has no track frame that could follow it"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        refuse_key(reader, &file->block, rows[i].key, rows[i].why);
    refuse_key(reader, &file->until.block, "distance", "does not run along a track: give an end in time");
    refuse_key(reader, &file->until.block, "lift", "has no wheels");
    if (!kane_block_has(&file->until.block, "time"))
        kane_reader_fault(reader, &file->block, "until",
                          "nothing ends the run of a mechanism: give \"until\": { \"time\": ... }");
    run->drive = kane_drive_definition_default();
    if (kane_block_has(&file->block, "drive"))
        kane_run_actuators(reader, file, run);
}

void kane_run_check_frames(const kane_run_definition *run, const kane_run_file *file, kane_errors *errors)
{
    static const char why[] = "the mechanism has no moving frame (no \"frames\"), and so no imaginary forces";
    if (run->vehicle->given_frame_count > 0)
        return;
    if (kane_block_has(&file->block, "formulation"))
        (void)kane_block_fault(errors, &file->block, "formulation",
                               "the mechanism has no moving frame (no \"frames\"): both formulations are the same");
    if (kane_block_has(&file->block, "imaginary_as_forces"))
        (void)kane_block_fault(errors, &file->block, "imaginary_as_forces", "%s", why);
    for (int i = 0; i < run->model.omission_count; i++)
        kane_errors_add_input(errors, KANE_BAD_INPUT, run->model.omissions[i].place, "%s", why);
}
