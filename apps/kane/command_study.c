// SPDX-License-Identifier: MIT
// kane study: chooses the study.

#include "studies.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *help;
    int (*run)(int argc, char **argv);
} studies[] = {
    {"omit", "what does leaving out imaginary terms do, and when may it be done?", study_omit},
    {"transitions", "what do the shapes of transition curves do to a vehicle?", study_transitions},
    {"optimise", "which polynomial transition curve is best for a vehicle?", study_optimise},
    {"status", "what does the directory of a study hold, what has failed, who is at work on it?", study_status},
};
enum { STUDIES = sizeof studies / sizeof *studies };

static void print_help(FILE *to)
{
    (void)fprintf(to, "Usage: kane study STUDY [ARGUMENTS]\n\nStudies:\n");
    for (int i = 0; i < STUDIES; i++)
        (void)fprintf(to, "  %-11s %s\n", studies[i].name, studies[i].help);
    (void)fprintf(to, "\n\"kane study STUDY --help\" explains a study.\n");
}

int command_study(int argc, char **argv)
{
    const char *chosen = argc > 1 ? argv[1] : "";
    if (strcmp(chosen, "--help") == 0 || strcmp(chosen, "-?") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    for (int i = 0; i < STUDIES; i++) {
        char name[64];
        if (strcmp(studies[i].name, chosen) != 0)
            continue;
        (void)snprintf(name, sizeof name, "kane study %s", chosen);
        argv[1] = name;
        return studies[i].run(argc - 1, argv + 1);
    }
    if (chosen[0])
        (void)fprintf(stderr, "kane study: there is no study '%s'\n\n", chosen);
    print_help(stderr);
    return EXIT_USAGE;
}
