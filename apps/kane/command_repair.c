// SPDX-License-Identifier: MIT
// kane repair: closes what a killed run has left.

#include "app.h"

#include <kane/results.h>

typedef struct arguments {
    const char *directory;
    int quiet;
} arguments;

static const app_option options[] = {
    {"quiet", 'q', NULL, 0, "say nothing of what was done", APP_FLAG(quiet)},
    {0},
};

int command_repair(int argc, char **argv)
{
    static const app_command command = APP_COMMAND(
        options, "DIR", "directory", directory, 0, NULL,
        "Makes the results that a killed run has left in its directory as if it had ended there: a closed and"
        " compressed HDF5 file that every program opens, CSV of whole lines, \"killed\" as the state. What is"
        " whole is unchanged.");
    arguments a        = {0};
    kane_errors errors = {0};
    kane_repair done;
    app_parse(&command, argc, argv, &a);

    app_delay_signals(1); // it ends with whole files, and leaves none besides
    const kane_status status = kane_results_repair(a.directory, &done, &errors);
    app_delay_signals(0);
    if (status != KANE_OK)
        return app_fail(&errors);
    if (!a.quiet)
        (void)printf("%s: %d %s%s\n", a.directory, done.rows, app_plural(done.rows, (app_noun){"row", "rows"}),
                     done.is_changed ? ", repaired" : ", nothing to repair");
    return EXIT_DONE;
}
