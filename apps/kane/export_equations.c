// SPDX-License-Identifier: MIT
// kane export equations: what an evaluation of a run's model computes, as straight-line source.

#include "app.h"

#include <stdlib.h>
#include <string.h>

#ifdef KANE_HAVE_RECORD
#include "base/text.h"
#include "record/parameters.h"

typedef struct arguments {
    const char *file, *output, *name;
    kane_record_options what;
    int what_number, target, lanes, count; // of kane_record_whats, kane_emit_targets
    app_texts settings, parameters, only;
} arguments;

// A word, or a path.
static void take_symbol(const app_option *option, char *value, void *all, struct argp_state *state)
{
    arguments *a = all;
    (void)option;
    if (strchr(value, '='))
        argp_error(state, "--symbols %s: gravity, masses, or paths such as bodies.body.mass, with commas between them",
                   value);
    const unsigned named = strcmp(value, "gravity") == 0  ? KANE_SYMBOL_GRAVITY
                           : strcmp(value, "masses") == 0 ? KANE_SYMBOL_MASSES
                                                          : 0;
    a->what.symbols |= named;
    if (!named)
        app_collect(&a->parameters, value, state);
}

static const app_option options[] = {
    {"count", 'C', NULL, 0, "print how many operations there are, of which kind, and write nothing", APP_FLAG(count)},
    {"lanes", 'l', "N", 0, "of C: N states at once, 2, 4 or 8, in vectors of GCC and clang",
     APP_WHOLE(lanes, 1, 8, "number of states at once")},
    {"name", 'n', "NAME", 0, "of the function (default: that of the run file, and what it computes)", APP_TEXT(name)},
    {"only", 'O', "LIST", APP_LIST, "of what is computed only these outputs, such as M,delta", APP_TEXTS(only)},
    {"output", 'o', "FILE", 0, "to a file instead of standard output", APP_TEXT(output)},
    {"set", 's', "PATH=VALUE", APP_SETS, "change a value, as in \"kane run\"", APP_TEXTS(settings)},
    {"steps", 'i', "N", 0, "of Newton's method by which coordinates close loops (default 2)",
     APP_WHOLE(what.steps, 1, 20, "number of steps")},
    {"symbols", 'p', "LIST", APP_LIST,
     "what stays a parameter: gravity, masses, and any number of the files by its path, as in --set",
     APP_OWN(take_symbol)},
    {"to", 't', "LANGUAGE", 0, "c (default), python, octave, modelica", APP_WORD(target, 0, kane_emit_targets)},
    {"what", 'w', "WHAT", 0, "accelerations (default), rates, mass-matrix, residual, jacobian, coefficients, functions",
     APP_WORD(what_number, 0, kane_record_whats)},
    {0},
};

static void check_arguments(void *all, struct argp_state *state)
{
    const arguments *a = all;
    if (a->name && !kane_identifier_valid(a->name))
        argp_error(state, "--name %s: a letter with letters, digits and _ behind it is allowed", a->name);
    if (a->name && kane_identifier_reserved(a->name))
        argp_error(state, "--name %s: this is a word of C, Python, Octave or Modelica", a->name);
    if (a->lanes & (a->lanes - 1))
        argp_error(state, "--lanes %d: 1, 2, 4 or 8", a->lanes);
    if (a->lanes > 1 && a->target != (int)KANE_EMIT_C)
        argp_error(state, "--lanes is of C; a vector of states in %s needs none", kane_emit_targets[a->target]);
}

// The run file's name with what is computed, as a name of all four languages.
static void name_function(const arguments *a, size_t size, char *name)
{
    char file[96];
    kane_identifier_of_file(a->file, sizeof file, file);
    (void)snprintf(name, size, "%s_%s", file, kane_record_whats[a->what_number]);
    if (kane_identifier_reserved(name))
        (void)snprintf(name, size, "model_%s_%s", file, kane_record_whats[a->what_number]);
}

static void print_count(const kane_recording *r)
{
    (void)printf("operations %d\n", r->operations);
    for (int op = KANE_OP_ADD; op < KANE_OP_COUNT; op++)
        if (r->counts[op] && op != KANE_OP_RESULT)
            (void)printf("  %-10s %d\n", kane_op_name(op), r->counts[op]);
    (void)printf("calls %d\n", r->counts[KANE_OP_CALL]);
    (void)printf("conditions %d\n", r->tape.condition_count);
}

static int write_out(const arguments *a, const kane_recording *r, kane_errors *errors)
{
    char name[128];
    if (a->count) {
        print_count(r);
        return 1;
    }
    name_function(a, sizeof name, name);
    const char *base            = strrchr(a->file, '/') ? strrchr(a->file, '/') + 1 : a->file;
    const kane_emit_options how = {.function = a->name ? a->name : name, .origin = base, .lanes = a->lanes};
    FILE *file                  = app_open_table(a->output, errors);
    if (!file)
        return 0;
    if (r->counts[KANE_OP_CALL])
        (void)fprintf(stderr,
                      "%d calls are left in it, of what branches on its data without end; its head says "
                      "who is called, and by whom they are answered\n",
                      r->counts[KANE_OP_CALL]);
    kane_record_emit(r, (kane_emit_target)a->target, &how, file);
    return app_close_table(file, a->output, errors);
}

int export_equations(int argc, char **argv)
{
    static const app_command command = APP_COMMAND(
        options, "RUN.json", "run file", file, 0, check_arguments,
        "Records what an evaluation of a run's model computes, operation by operation, and writes it as one "
        "function of time, state and inputs in C, Python (numpy), Octave or Modelica. The line, rails and "
        "contact of wheels, which branch on their data without end, are left in it as calls of a function "
        "that is an argument.");
    arguments a        = {.what = kane_record_options_default(), .lanes = 1};
    kane_errors errors = {0};
    app_parse(&command, argc, argv, &a);
    a.what.what                     = (kane_record_what)a.what_number;
    const kane_record_source source = {.file = a.file, .settings = a.settings.texts, .parameters = a.parameters.texts};
    a.what.only                     = a.only.texts;
    kane_recording *r               = kane_record_run(&source, &a.what, &errors);
    const int good                  = r && write_out(&a, r, &errors);
    kane_record_free(r);
    return good ? EXIT_DONE : app_fail(&errors);
}
#else
int export_equations(int argc, char **argv)
{
    kane_errors errors = {0};
    (void)argc;
    (void)argv;
    kane_errors_add(&errors, KANE_BAD_ARGUMENT,
                    "this program was built without a C++ compiler, which recorded equations need");
    return app_fail(&errors);
}
#endif
