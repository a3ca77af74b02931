// SPDX-License-Identifier: MIT
// kane repair: closes what a killed run has left.

#include "app.h"

#include <kane/results.h>

#include <argp.h>
#include <stdio.h>

typedef struct arguments {
    const char *directory;
    int quiet;
} arguments;

static const struct argp_option options[] = {
    {"quiet", 'q', NULL, 0, "say nothing of what was done", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    if (key == 'q') {
        a->quiet = 1;
        return 0;
    }
    return app_take_file(key, value, state, "directory", &a->directory);
}

int command_repair(int argc, char **argv)
{
    const struct argp argp = {options,
                              parse,
                              "DIR",
                              "Makes the results that a killed run has left in its directory as if it had ended there: "
                              "a closed and compressed HDF5 file that every program opens, CSV of whole lines, "
                              "\"killed\" as the state. What is whole is unchanged.",
                              NULL,
                              NULL,
                              NULL};
    arguments a            = {0};
    kane_errors errors     = {0};
    kane_repair done;
    app_parse(&argp, argc, argv, &a);

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
