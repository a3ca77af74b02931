// SPDX-License-Identifier: MIT
// kane fmu: a run as a co-simulation unit of FMI 2.0: modelDescription.xml, the binary that all units share, and as resources the
// run's files, each with its hash.

#define _XOPEN_SOURCE 700 // realpath

#include "app.h"
#include "fmu_archive.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/writer.h"
#include "run/inputs.h"

#include <argp.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct arguments {
    const char *file, *output, *binary;
    app_texts channels, settings, omit, parameters;
} arguments;

static const struct argp_option options[] = {
    {"binary", 'b', "FILE", 0, "kane_fmu2.so, where it is not beside the program", 0},
    {"channels", 'c', "PATTERN", 0,
     "channels that become outputs (default: those that the run records); may be given many times", 0},
    {"omit", 'x', "BODY:KIND.TERM.AXIS", 0, "leave out an imaginary term, as in \"kane run\"", 0},
    {"output", 'o', "FILE", 0, "the unit: FILE.fmu", 0},
    {"parameter", 'p', "PATH=VALUE", 0,
     "a number of the run, in SI units, that can be set before the unit is initialized, and what it is otherwise; may be "
     "given many times",
     0},
    {"set", 's', "PATH=VALUE", 0, "change a value for good, as in \"kane run\"", 0},
    {0},
};

// PATH=VALUE with a plain number.
static const char *take_parameter(const char *text, struct argp_state *state)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        argp_error(state, "--parameter %s: PATH=VALUE is asked for, such as vehicle.bodies.body.mass=32000", text);
    (void)app_take_number(equals + 1, state);
    return text;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'b': a->binary = value; break;
    case 'c': app_collect(&a->channels, value, state); break;
    case 'o':
        if (strlen(value) < 5 || strcmp(value + strlen(value) - 4, ".fmu") != 0)
            argp_error(state, "--output %s: units are files that end in .fmu", value);
        a->output = value;
        break;
    case 'p': app_collect(&a->parameters, take_parameter(value, state), state); break;
    case 's': app_collect(&a->settings, value, state); break;
    case 'x': app_collect(&a->omit, value, state); break;
    case ARGP_KEY_END:
        if (!a->output && a->file)
            argp_error(state, "which unit? --output FILE.fmu");
        return app_take_file(key, value, state, "run file", &a->file);
    default: return app_take_file(key, value, state, "run file", &a->file);
    }
    return 0;
}

// What a unit is made of.
typedef struct parts {
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation;
    kane_channels *channels;
    const kane_channel_info **outputs; // channels that are numbers at the start
    int output_count;
    kane_inputs *inputs;
    kane_arena *arena;
    char identifier[64]; // of the model, by rules of C
    char binary[4096];   // file
    char root[PATH_MAX]; // folder that holds all files of the run, with its slash
    char *facts;         // resources/kane.json
    size_t facts_size;
    char guid[KANE_HASH_SIZE];
} parts;

static void close_parts(parts *p)
{
    free(p->facts);
    kane_arena_free(p->arena);
    kane_inputs_free(p->inputs);
    kane_channels_free(p->channels);
    kane_simulation_free(p->simulation);
    kane_model_free(p->model);
    kane_run_free(p->run);
}

// --- what goes into it ---

// Settings and parameters together: the run is checked with all of them.
static int open_run(const arguments *a, parts *p, kane_errors *errors)
{
    const char *all[2 * APP_TEXTS_MOST + 1];
    int count = 0;
    for (int i = 0; i < a->settings.count; i++)
        all[count++] = a->settings.texts[i];
    for (int i = 0; i < a->parameters.count; i++)
        all[count++] = a->parameters.texts[i];
    all[count]                 = NULL;
    const kane_run_options how = {.settings = all, .omit = a->omit.texts};
    p->run                     = kane_run_read(a->file, &how, errors);
    p->model                   = p->run ? kane_run_create_model(p->run, errors) : NULL;
    p->simulation              = p->model ? kane_run_create_simulation(p->run, p->model, errors) : NULL;
    if (!p->simulation)
        return 0;
    const kane_output_definition *o = &kane_run_get_definition(p->run)->output;
    p->channels                     = a->channels.count
                                          ? kane_channels_create(p->simulation, a->channels.count, a->channels.texts, NULL, errors)
                                          : kane_channels_create(p->simulation, o->pattern_count, o->patterns, o->places, errors);
    p->inputs                       = p->channels ? kane_inputs_take(kane_run_get_definition(p->run), errors) : NULL;
    return p->inputs != NULL;
}

// Reactions that nothing determines are not a number, ever: they are left out, and named.
static int choose_outputs(parts *p, kane_errors *errors)
{
    const int count = kane_channels_count(p->channels);
    double *values  = kane_arena_doubles(p->arena, (size_t)count);
    p->outputs      = kane_arena_alloc(p->arena, (size_t)count, sizeof *p->outputs);
    if (!values || !p->outputs) {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        return 0;
    }
    if (kane_channels_read(p->channels, p->simulation, values) != KANE_OK) {
        kane_work_fault(p->model, kane_simulation_work(p->simulation), errors);
        return 0;
    }
    for (int i = 0; i < count; i++)
        if (isfinite(values[i]))
            p->outputs[p->output_count++] = kane_channels_info(p->channels, i);
        else
            (void)fprintf(stderr, "left out: %s is not determined\n", kane_channels_info(p->channels, i)->name);
    return 1;
}

// The name of the run file as one of C.
static void name_model(const char *file, size_t size, char *name)
{
    const char *from = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    size_t length = strcspn(from, "."), k = 0;
    if (isdigit((unsigned char)*from))
        name[k++] = '_';
    for (size_t i = 0; i < length && k + 1 < size; i++)
        name[k++] = isalnum((unsigned char)from[i]) ? from[i] : '_';
    name[k] = '\0';
}

// kane_fmu2.so: installed beside the library, or where it was built.
static int find_binary(const arguments *a, parts *p, kane_errors *errors)
{
    static const char *const places[] = {"../lib", "../lib/x86_64-linux-gnu", "../lib64", ("../" KANE_LIBRARY_FOLDER),
                                         ".."};
    char program[3072];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (a->binary)
        (void)snprintf(p->binary, sizeof p->binary, "%s", a->binary);
    if (length > 0) {
        program[length]        = '\0';
        *strrchr(program, '/') = '\0';
    }
    for (size_t i = 0; i < sizeof places / sizeof *places && !p->binary[0] && length > 0; i++) {
        (void)snprintf(p->binary, sizeof p->binary, "%s/%s/kane_fmu2.so", program, places[i]);
        if (access(p->binary, R_OK) != 0)
            p->binary[0] = '\0';
    }
    if (p->binary[0] && access(p->binary, R_OK) == 0)
        return 1;
    kane_errors_add(errors, KANE_NO_FILE, "%s is not here: the binary that units share; --binary says where it is",
                    a->binary ? a->binary : "kane_fmu2.so");
    return 0;
}

// The folder that holds all files, so that they find each other as they did: the longest beginning that they share.
static int find_root(parts *p, kane_errors *errors)
{
    char full[PATH_MAX];
    for (int i = 0; i < kane_inputs_count(p->inputs); i++) {
        if (!realpath(kane_inputs_file(p->inputs, i), full)) {
            kane_errors_add_input(errors, KANE_NO_FILE,
                                  (kane_place){.file = kane_inputs_file(p->inputs, i), .path = ""},
                                  "the file cannot be found any more");
            return 0;
        }
        if (i == 0)
            (void)snprintf(p->root, sizeof p->root, "%s", full);
        size_t same = 0;
        while (p->root[same] && p->root[same] == full[same])
            same++;
        while (same > 0 && p->root[same - 1] != '/')
            same--;
        p->root[same] = '\0';
    }
    return 1;
}

// A file's name from there; NULL without memory. Names that lead elsewhere by links keep what they are found by.
static const char *inside(parts *p, const char *file)
{
    char full[PATH_MAX];
    return realpath(file, full) ? kane_arena_text(p->arena, full + strlen(p->root)) : NULL;
}

static void write_texts(kane_writer *w, const char *key, const app_texts *texts)
{
    kane_writer_row(w, key);
    for (int i = 0; i < texts->count; i++)
        kane_writer_text(w, NULL, texts->texts[i]);
    kane_writer_close(w);
}

static void write_parameters(kane_writer *w, const arguments *a)
{
    kane_writer_open(w, "parameters", '[');
    for (int i = 0; i < a->parameters.count; i++) {
        const char *equals = strchr(a->parameters.texts[i], '=');
        char path[1024];
        (void)snprintf(path, sizeof path, "%.*s", (int)(equals - a->parameters.texts[i]), a->parameters.texts[i]);
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "path", path);
        kane_writer_number(w, "start", strtod(equals + 1, NULL));
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static void write_lists(kane_writer *w, const arguments *a, parts *p)
{
    kane_writer_text(w, "run", inside(p, kane_inputs_file(p->inputs, 0)));
    write_texts(w, "settings", &a->settings);
    write_texts(w, "omit", &a->omit);
    write_parameters(w, a);
    kane_writer_row(w, "outputs");
    for (int i = 0; i < p->output_count; i++)
        kane_writer_text(w, NULL, p->outputs[i]->name);
    kane_writer_close(w);
    kane_writer_open(w, "files", '[');
    for (int i = 0; i < kane_inputs_count(p->inputs); i++) {
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "file", inside(p, kane_inputs_file(p->inputs, i)));
        kane_writer_text(w, "xxh128", kane_inputs_hash(p->inputs, i));
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

// resources/kane.json; its GUID is the hash of all the rest.
static int write_facts(const arguments *a, parts *p, kane_errors *errors)
{
    for (int round = 0; round < 2; round++) {
        free(p->facts);
        p->facts  = NULL;
        FILE *out = open_memstream(&p->facts, &p->facts_size);
        if (!out)
            break;
        kane_writer w = kane_writer_start(out);
        kane_writer_document(&w, "fmu 1");
        kane_writer_text(&w, "guid", p->guid);
        write_lists(&w, a, p);
        kane_writer_close(&w);
        const int good = kane_writer_end(&w) == KANE_OK;
        if (fclose(out) != 0 || !good)
            break;
        if (round == 1)
            return 1;
        kane_hash_bytes(p->facts, p->facts_size, p->guid);
    }
    kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    return 0;
}

// --- modelDescription.xml ---

static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&': (void)fputs("&amp;", out); break;
        case '<': (void)fputs("&lt;", out); break;
        case '>': (void)fputs("&gt;", out); break;
        case '"': (void)fputs("&quot;", out); break;
        default: (void)fputc(*text, out);
        }
}

static void put_attribute(FILE *out, const char *name, const char *value)
{
    (void)fprintf(out, " %s=\"", name);
    put_escaped(out, value);
    (void)fputc('"', out);
}

static int is_pure(const char *unit)
{
    return strcmp(unit, "1") == 0 || unit[0] == '\0';
}

// Each unit once.
static void describe_units(FILE *out, const parts *p)
{
    int open = 0;
    for (int i = 0; i < p->output_count; i++) {
        const char *unit = p->outputs[i]->unit;
        int known        = is_pure(unit);
        for (int k = 0; k < i && !known; k++)
            known = strcmp(p->outputs[k]->unit, unit) == 0;
        if (known)
            continue;
        (void)fputs(open ? "" : "  <UnitDefinitions>\n", out);
        open = 1;
        (void)fputs("    <Unit", out);
        put_attribute(out, "name", unit);
        (void)fputs("/>\n", out);
    }
    (void)fputs(open ? "  </UnitDefinitions>\n" : "", out);
}

static void describe_parameter(FILE *out, const char *text, int reference)
{
    const char *equals = strchr(text, '=');
    char path[1024];
    (void)snprintf(path, sizeof path, "%.*s", (int)(equals - text), text);
    (void)fputs("    <ScalarVariable", out);
    put_attribute(out, "name", path);
    (void)fprintf(out, " valueReference=\"%d\" causality=\"parameter\" variability=\"fixed\" initial=\"exact\"",
                  reference);
    put_attribute(out, "description", "setting of the run, in SI units");
    (void)fprintf(out, ">\n      <Real start=\"%.17g\"/>\n    </ScalarVariable>\n", strtod(equals + 1, NULL));
}

// Time is independent, all other channels are outputs.
static int is_time(const kane_channel_info *channel)
{
    return strcmp(channel->name, "time") == 0;
}

static void describe_output(FILE *out, const kane_channel_info *channel, int reference)
{
    (void)fputs("    <ScalarVariable", out);
    put_attribute(out, "name", channel->name);
    (void)fprintf(out, " valueReference=\"%d\" causality=\"%s\" variability=\"continuous\"", reference,
                  is_time(channel) ? "independent" : "output");
    put_attribute(out, "description", channel->description);
    (void)fputs(">\n      <Real", out);
    if (!is_pure(channel->unit))
        put_attribute(out, "unit", channel->unit);
    (void)fputs("/>\n    </ScalarVariable>\n", out);
}

// Outputs count from 1 behind the parameters.
static void describe_list(FILE *out, const char *name, const parts *p, int before)
{
    int open = 0;
    for (int i = 0; i < p->output_count; i++) {
        if (is_time(p->outputs[i]))
            continue;
        if (open++ == 0)
            (void)fprintf(out, "    <%s>\n", name);
        (void)fprintf(out, "      <Unknown index=\"%d\"/>\n", before + i + 1);
    }
    if (open)
        (void)fprintf(out, "    </%s>\n", name);
}

static void describe(FILE *out, const arguments *a, const parts *p)
{
    const kane_run_definition *d = kane_run_get_definition(p->run);
    const int parameters = a->parameters.count, outputs = p->output_count;
    (void)fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\"", out);
    put_attribute(out, "modelName", d->vehicle->name);
    put_attribute(out, "guid", p->guid);
    put_attribute(out, "generationTool", "libkane");
    put_attribute(out, "version", kane_version());
    (void)fputs(" variableNamingConvention=\"flat\" numberOfEventIndicators=\"0\">\n  <CoSimulation", out);
    put_attribute(out, "modelIdentifier", p->identifier);
    (void)fputs(" canHandleVariableCommunicationStepSize=\"true\" canNotUseMemoryManagementFunctions=\"true\" "
                "canGetAndSetFMUstate=\"true\"/>\n",
                out);
    describe_units(out, p);
    (void)fputs(
        "  <LogCategories>\n    <Category name=\"logStatusError\"/>\n    <Category name=\"logStatusDiscard\"/>\n"
        "  </LogCategories>\n",
        out);
    (void)fputs("  <DefaultExperiment startTime=\"0\"", out);
    if (d->conditions.time > 0.0)
        (void)fprintf(out, " stopTime=\"%.17g\"", d->conditions.time);
    (void)fprintf(out, " tolerance=\"%.17g\" stepSize=\"%.17g\"/>\n  <ModelVariables>\n", d->settings.relative,
                  d->output.every);
    for (int i = 0; i < parameters; i++)
        describe_parameter(out, a->parameters.texts[i], i);
    for (int i = 0; i < outputs; i++)
        describe_output(out, p->outputs[i], parameters + i);
    (void)fputs("  </ModelVariables>\n  <ModelStructure>\n", out);
    describe_list(out, "Outputs", p, parameters);
    describe_list(out, "InitialUnknowns", p, parameters);
    (void)fputs("  </ModelStructure>\n</fmiModelDescription>\n", out);
}

// --- the archive ---

static int add_description(fmu_archive *archive, const arguments *a, const parts *p, kane_errors *errors)
{
    char *text  = NULL;
    size_t size = 0;
    FILE *out   = open_memstream(&text, &size);
    if (out)
        describe(out, a, p);
    const int good =
        out && fclose(out) == 0 && text && fmu_archive_add(archive, "modelDescription.xml", text, size, errors);
    if (!good && errors->count == 0)
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    free(text);
    return good;
}

static int add_resources(fmu_archive *archive, parts *p, kane_errors *errors)
{
    char name[PATH_MAX + 16];
    int good = fmu_archive_add(archive, "resources/kane.json", p->facts, p->facts_size, errors);
    for (int i = 0; i < kane_inputs_count(p->inputs) && good; i++) {
        const char *file = kane_inputs_file(p->inputs, i), *of = inside(p, file);
        int again = 0; // a file that is named twice
        for (int k = 0; k < i && of && !again; k++)
            again = strcmp(kane_inputs_file(p->inputs, k), file) == 0;
        (void)snprintf(name, sizeof name, "resources/%s", of ? of : "");
        good = of && (again || fmu_archive_add_file(archive, name, file, errors));
    }
    return good;
}

static int write_archive(const arguments *a, parts *p, kane_errors *errors)
{
    char name[256];
    (void)snprintf(name, sizeof name, "binaries/linux64/%s.so", p->identifier);
    fmu_archive *archive = fmu_archive_create(a->output, errors);
    const int good       = archive && add_description(archive, a, p, errors) &&
                     fmu_archive_add_file(archive, name, p->binary, errors) && add_resources(archive, p, errors);
    return fmu_archive_close(archive, good, errors);
}

int command_fmu(int argc, char **argv)
{
    const struct argp argp = {
        options,
        parse,
        "RUN.json",
        "Writes a run as a functional mock-up unit of FMI 2.0 for co-simulation, Linux on x86-64: its channels are "
        "outputs, numbers that are chosen are parameters, its files are resources. Programs that import "
        "units step it by the run's own integrator. docs/fmu.md says what it can do.",
        NULL,
        NULL,
        NULL};
    arguments a        = {0};
    kane_errors errors = {0};
    parts p            = {.run = NULL};
    app_parse(&argp, argc, argv, &a);
    p.arena = kane_arena_create();
    name_model(a.file, sizeof p.identifier, p.identifier);
    const int good = p.arena && open_run(&a, &p, &errors) && choose_outputs(&p, &errors) &&
                     find_binary(&a, &p, &errors) && find_root(&p, &errors) && write_facts(&a, &p, &errors) &&
                     write_archive(&a, &p, &errors);
    const int outputs = good ? p.output_count : 0;
    if (good)
        (void)printf("%s: %d %s, %d %s\n", a.output, outputs, app_plural(outputs, (app_noun){"output", "outputs"}),
                     a.parameters.count, app_plural(a.parameters.count, (app_noun){"parameter", "parameters"}));
    close_parts(&p);
    return good ? EXIT_DONE : app_fail(&errors);
}
