// SPDX-License-Identifier: MIT
// kane export: something that others compile or read. kane export c: the compiled model of a run as tables, and the
// code that evaluates it, without any library.

#include "app.h"

#include "base/text.h"
#include "export/export.h"

#include <string.h>

typedef struct arguments {
    const char *file, *output, *name, *kernels;
    app_texts channels, settings, omit;
    int stepper;
} arguments;

static const app_option options[] = {
    {"channels", 'c', "A,B,...", APP_LIST, "channels that become outputs (default: those that the run records)",
     APP_TEXTS(channels)},
    {"kernels", 'k', "DIR", 0, "sources of libkane, where they are not beside the program", APP_TEXT(kernels)},
    {"name", 'n', "NAME", 0, "what names in C begin with (default: that of the run file)", APP_TEXT(name)},
    APP_OMIT_OPTION(omit),
    {"output", 'o', "DIR", 0, "directory for the files", APP_TEXT(output)},
    {"set", 's', "PATH=VALUE", APP_SETS, "change a value, as in \"kane run\"", APP_TEXTS(settings)},
    {"stepper", 't', NULL, 0,
     "the run's integrator (semi_implicit, imex, bdf2) in steps of fixed cost, in place of the equations",
     APP_FLAG(stepper)},
    {0},
};

static void check_arguments(void *all, struct argp_state *state)
{
    const arguments *a = all;
    if (a->name && !kane_export_c_allows(a->name))
        argp_error(state,
                   "--name %s: a letter with letters, digits and _ behind it is allowed, but no word of C, its headers "
                   "or the files that are written",
                   a->name);
    if (!a->output)
        argp_error(state, "where to? --output DIR");
}

// The name of the run file as one of C that is free.
static void name_model(const char *file, size_t size, char *name)
{
    static const char prefix[] = "model_";
    kane_identifier_of_file(file, size - sizeof prefix - 2, name);
    if (kane_export_c_allows(name))
        return;
    memmove(name + sizeof prefix - 1, name, strlen(name) + 1);
    memcpy(name, prefix, sizeof prefix - 1);
    if (!kane_export_c_allows(name)) // "size_t": what ends so belongs to POSIX
        memcpy(name + strlen(name), "_m", sizeof "_m");
}

int export_c(int argc, char **argv)
{
    static const app_command command = APP_COMMAND(
        options, "RUN.json --output DIR", "run file", file, 0, check_arguments,
        "Writes the compiled model of a run as constant tables, the functions of libkane that evaluate it, a "
        "header, a makefile and an example that integrates it. What is written needs a C compiler and its "
        "mathematical library, and gives the same bits as libkane.");
    arguments a        = {.file = NULL};
    kane_errors errors = {0};
    char kernels[4200] = "", symbols[4200] = "", name[64];
    app_parse(&command, argc, argv, &a);
    name_model(a.file, sizeof name, name);
    if (!a.kernels && !app_find_shared("kernels", sizeof kernels, kernels)) {
        kane_errors_add(
            &errors, KANE_NO_FILE,
            "the sources that exported models are made of are not in share/kane/kernels beside the program; "
            "--kernels says where they are");
        return app_fail(&errors);
    }
    const kane_export_c_options how = {.directory = a.output,
                                       .name      = a.name ? a.name : name,
                                       .kernels   = a.kernels ? a.kernels : kernels,
                                       .symbols =
                                           app_find_library("kane.symbols", sizeof symbols, symbols) ? symbols : NULL,
                                       .settings      = a.settings.texts,
                                       .omit          = a.omit.texts,
                                       .pattern_count = a.channels.count,
                                       .patterns      = a.channels.texts,
                                       .stepper       = a.stepper};
    if (kane_export_c(a.file, &how, &errors) != KANE_OK)
        return app_fail(&errors);
    (void)printf("%s\n", a.output);
    return EXIT_DONE;
}

// --- what to export ---

static const app_choice exports[] = {
    {"c", "the compiled model and the code that evaluates it, as C without any library", export_c},
    {"equations", "its equations as straight-line C, Python, Octave or Modelica", export_equations},
};

int command_export(int argc, char **argv)
{
    static const app_choices among = {"export",  "export", "EXPORT",
                                      "Exports", exports,  sizeof exports / sizeof *exports};
    return app_choose(&among, argc, argv);
}
