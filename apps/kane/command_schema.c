// SPDX-License-Identifier: MIT
// kane schema: what a file of a kind may hold, as JSON schema for editors or as a reference page.

#include "app.h"
#include "launch.h"

#include "base/arena.h"
#include "base/schema.h"
#include "flexible/model.h"
#include "run/run_file.h"
#include "track/track_file.h"
#include "vehicles/vehicle_file.h"

#include <string.h>

typedef struct arguments {
    const char *kind;
    int reference;
} arguments;

static const app_option options[] = {
    {"reference", 'r', NULL, 0, "a reference page in Markdown instead of a JSON schema", APP_FLAG(reference)},
    {0},
};

// Formats that have a schema are their readers' own.
static const kane_format *find_format(const char *kind)
{
    const kane_formats all[] = {kane_vehicle_formats, kane_track_formats, kane_flexible_formats, kane_run_formats};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < all[i].count; k++)
            if (all[i].formats[k].schema && strcmp(all[i].formats[k].kind, kind) == 0)
                return &all[i].formats[k];
    return NULL;
}

int command_schema(int argc, char **argv)
{
    static const app_command command =
        APP_COMMAND(options, "vehicle|train|mechanism|track|flexible|run|study",
                    "kind of file (vehicle, train, mechanism, track, flexible, run, study)", kind, 0, NULL,
                    "Writes the JSON schema of a kind of file to standard output, made from the table by which it is "
                    "read; name it in \"$schema\" and editors complete and check what you type.");
    arguments a = {0};
    app_parse(&command, argc, argv, &a);

    kane_arena *arena         = kane_arena_create();
    const int is_study        = arena && strcmp(a.kind, "study") == 0;
    const kane_format *format = is_study ? study_file_format(arena, study_omit_options) : find_format(a.kind);
    if (!format && !is_study) {
        kane_arena_free(arena);
        (void)fprintf(
            stderr,
            "kane schema: there is no kind of file '%s'; known: vehicle, train, mechanism, track, flexible, run, "
            "study\n",
            a.kind);
        return EXIT_USAGE;
    }
    const kane_options *choices = arena && format ? kane_vehicle_choices(arena, NULL, NULL, NULL) : NULL;
    const int has_choices =
        strcmp(a.kind, "track") != 0 && strcmp(a.kind, "run") != 0 && strcmp(a.kind, "flexible") != 0 && !is_study;
    const kane_grammar grammar = {format, choices, has_choices ? KANE_VEHICLE_CHOICES : 0};
    kane_status status         = KANE_NO_MEMORY;
    if (choices)
        status = a.reference ? kane_schema_write_reference(&grammar, stdout) : kane_schema_write(&grammar, stdout);
    kane_arena_free(arena);
    return app_exit_code(status);
}
