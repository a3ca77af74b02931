// SPDX-License-Identifier: MIT
// kane: runs railway vehicles from JSON files. Chooses the command.

#include "launch.h"

#include <signal.h>
#include <string.h>

typedef struct command {
    const char *name, *help;
    int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
    {"run", "carry out a run file and record its results", command_run},
    {"check", "validate files; report freedoms, static loads, sparsity, Jacobian, channels", command_check},
    {"track", "tabulate and draw a line and how frames turn on it", command_track},
    {"plot", "draw channels of a result file", command_plot},
    {"view", "a page of runs for a browser: curves, and the vehicle on its track", command_view},
    {"report", "a page of runs after EN 14363: test zones, sections, limits, regression, comfort", command_report},
    {"evaluate", "forces, accelerations, comfort and wear of a run by the standards; spectra", command_evaluate},
    {"repair", "close the results of a run that was killed", command_repair},
    {"cache", "list or clear the tables that are kept between runs", command_cache},
    {"study", "compare runs: what does leaving out an imaginary term do?", command_study},
    {"sweep", "carry out a run over values of its parameters", command_sweep},
    {"contact", "tabulate and draw how a wheelset touches its rails", command_contact},
    {"conicity", "equivalent conicity of a wheelset on its rails", command_conicity},
    {"flexible", "what the model of a flexible body comes down to", command_flexible},
    {"critical", "limit cycles over speed, nonlinear and linear critical speed", command_critical},
    {"equilibrium", "where a vehicle rests at constant speed, straight or in a curve", command_equilibrium},
    {"modes", "eigenvalues, damping and shapes of modes; root loci", command_modes},
    {"equations", "the equations of motion at one moment as matrices, in JSON", command_equations},
    {"sensitivity", "how channels of a run change with numbers of its files", command_sensitivity},
    {"identify", "which inertial parameters a motion determines, and in which combinations", command_identify},
    {"fmu", "write a run as a unit of FMI 2.0 or 3.0", command_fmu},
    {"export", "write a run, or its equations, as source that needs no library", command_export},
    {"bench", "measure the speed of the equations and of whole runs", command_bench},
    {"schema", "write the JSON schema or the reference of a file format", command_schema},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *to)
{
    (void)fprintf(to, "Usage: kane COMMAND [ARGUMENTS]\n\n"
                      "Equations of motion of railway vehicles by Kane's method in moving frames.\n\nCommands:\n");
    for (int i = 0; i < COMMANDS; i++)
        (void)fprintf(to, "  %-11s %s\n", commands[i].name, commands[i].help);
    (void)fprintf(to, "\n\"kane COMMAND --help\" explains a command. Exit codes: 0 done, 2 usage, 3 bad input,\n"
                      "4 integration failed, 5 derailed, or a limit is exceeded, 6 file error, 7 other, 8 cases of a\n"
                      "study failed, 130 interrupted.\n");
}

static const command *find(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static int offer_commands(void)
{
    for (int i = 0; i < COMMANDS; i++)
        app_offer(commands[i].name, commands[i].help);
    app_offer("--help", "list the commands");
    app_offer("--version", "the library's version and commit");
    return EXIT_DONE;
}

// What stands in the buffer of standard output is written only now: then a full disk is reported, too.
static int finish(int code)
{
    const int failed = ferror(stdout) || fflush(stdout) != 0;
    app_end_by_broken_pipe();
    if (!failed || code != EXIT_DONE)
        return code;
    (void)fprintf(stderr, "error: standard output: cannot be written\n");
    return EXIT_FILE;
}

int main(int argc, char **argv)
{
    argp_err_exit_status = EXIT_USAGE;
    (void)signal(SIGXFSZ, SIG_IGN); // a file at its limit is an error of the write, told as any other
    app_clean_on_signals();
    if (argc < 2 && app_begun_word())
        return finish(offer_commands());
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return finish(EXIT_DONE);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        (void)printf("kane %s (%s)\n", kane_version(), kane_commit());
        return finish(EXIT_DONE);
    }
    const command *chosen = find(argv[1]);
    if (!chosen) {
        (void)fprintf(stderr, "kane: there is no command '%s'\n\n", argv[1]);
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (chosen->run == command_study || chosen->run == command_sweep)
        app_hush();
    char name[32];
    (void)snprintf(name, sizeof name, "kane %s", chosen->name);
    argv[1] = name;
    return finish(chosen->run(argc - 1, argv + 1));
}
