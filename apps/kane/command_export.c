// SPDX-License-Identifier: MIT
// kane export: a run as something that others compile or read. Chooses what.

#include "app.h"
#include "exports.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *help;
    int (*run)(int argc, char **argv);
} exports[] = {
    {"c", "the compiled model and the code that evaluates it, as C without any library", export_c},
    {"equations", "its equations as straight-line C, Python, Octave or Modelica", export_equations},
};
enum { EXPORTS = sizeof exports / sizeof *exports };

static void print_help(FILE *to)
{
    (void)fprintf(to, "Usage: kane export WHAT [ARGUMENTS]\n\nWhat:\n");
    for (int i = 0; i < EXPORTS; i++)
        (void)fprintf(to, "  %-11s %s\n", exports[i].name, exports[i].help);
    (void)fprintf(to, "\n\"kane export WHAT --help\" explains it.\n");
}

int command_export(int argc, char **argv)
{
    const char *chosen = argc > 1 ? argv[1] : "";
    if (strcmp(chosen, "--help") == 0 || strcmp(chosen, "-?") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    for (int i = 0; i < EXPORTS; i++) {
        char name[64];
        if (strcmp(exports[i].name, chosen) != 0)
            continue;
        (void)snprintf(name, sizeof name, "kane export %s", chosen);
        argv[1] = name;
        return exports[i].run(argc - 1, argv + 1);
    }
    if (chosen[0])
        (void)fprintf(stderr, "kane export: '%s' cannot be exported\n\n", chosen);
    print_help(stderr);
    return EXIT_USAGE;
}
