// SPDX-License-Identifier: MIT
// kane fmu: a run as a unit of FMI 2.0 or 3.0: modelDescription.xml, the binary that all units share, and as resources
// the run's files, each with its hash.

#include "app.h"
#include "fmu.h"

#include <kane/outside.h>

#include "apps/fmu/fmi2.h"
#include "apps/fmu/fmi3.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/machine.h"
#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"
#include "model/model.h"
#include "run/setup.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// NAME=VALUE as it was typed, taken apart.
typedef struct parameter {
    char *path;    // in full where a short name was typed
    char *setting; // "PATH=VALUE", with the value as it was typed
    char unit[48]; // SI; "": not known
    double value;  // in SI units
} parameter;

typedef struct arguments {
    const char *file, *output, *binary;
    int version; // of FMI
    app_texts channels, settings, omit, parameters;
    parameter parameter[APP_TEXTS_MOST];
} arguments;

// Names SI units that have these powers: "kg m^2/s"; "" of a pure number.
static void name_unit(const kane_unit *unit, size_t size, char *name)
{
    static const char *const bases[] = {"kg", "m", "rad", "s"};
    const double power[]             = {unit->power[KANE_KILOGRAM], unit->power[KANE_METRE], unit->power[KANE_RADIAN],
                                        unit->power[KANE_SECOND]};
    size_t at                        = 0;
    name[0]                          = '\0';
    for (int i = 0; i < 4 && at < size; i++)
        if (power[i] == 1.0)
            at += (size_t)snprintf(name + at, size - at, "%s%s", at ? " " : "", bases[i]);
        else if (power[i] != 0.0)
            at += (size_t)snprintf(name + at, size - at, "%s%s^%g", at ? " " : "", bases[i], power[i]);
}

// PATH=VALUE: a number, with a unit or in SI units.
static void take_parameter(const app_option *option, char *text, void *all, struct argp_state *state)
{
    arguments *a = all;
    parameter *p = &a->parameter[a->parameters.count];
    (void)option;
    app_collect(&a->parameters, text, state);
    char reason[160], name[512];
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || (size_t)(equals - text) >= sizeof name)
        argp_error(state, "--parameter %s: PATH=VALUE is asked for, such as vehicle.bodies.body.mass=32000", text);
    (void)snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    const kane_parameter *known = kane_parameter_find(name);
    const char *number          = equals + 1 + strspn(equals + 1, " ");
    const size_t length         = kane_number_length(number);
    const char *behind          = number + length + strspn(number + length, " ");
    kane_text fault             = kane_text_start(sizeof reason, reason);
    kane_unit unit;
    if (length == 0 || length > KANE_NUMBER_LENGTH)
        argp_error(state, "--parameter %s: '%s' is not a number", text, number);
    if (!kane_unit_parse(behind, &unit, &fault))
        argp_error(state, "--parameter %s: %s", text, reason);
    const char *path  = known ? known->path : name;
    const size_t room = strlen(path) + strlen(equals) + 1;
    p->setting        = calloc(room, 1);
    p->path           = strdup(path);
    p->value          = kane_number_value(number, length, unit.ten) * unit.up / unit.down;
    if (p->setting)
        (void)snprintf(p->setting, room, "%s%s", path, equals);
    if (*behind)
        name_unit(&unit, sizeof p->unit, p->unit);
    else if (known)
        (void)snprintf(p->unit, sizeof p->unit, "%s", known->unit);
    if (!p->path || !p->setting || !isfinite(p->value))
        argp_error(state, "--parameter %s: the number is too large", text);
}

static const app_option options[] = {
    {"binary", 'b', "FILE", 0, "kane_fmu.so, where it is not beside the program", APP_TEXT(binary)},
    {"channels", 'c', "A,B,...", APP_LIST, "channels that become outputs (default: those that the run records)",
     APP_TEXTS(channels)},
    {"fmi", 'f', "VERSION", 0, "of the standard: 2 (default) or 3", APP_WHOLE(version, 2, 3, "version of FMI")},
    APP_OMIT_OPTION(omit),
    {"output", 'o', "FILE", 0, "the unit: FILE.fmu", APP_TEXT(output)},
    {"parameter", 'p', "PATH=VALUE", APP_SETS,
     "a number of the run that can be set before the unit is initialized, and what it is otherwise: \"speed=54 km/h\", "
     "\"bodies.body.mass=32 t\"",
     APP_OWN(take_parameter)},
    {"set", 's', "PATH=VALUE", APP_SETS, "change a value for good, as in \"kane run\"", APP_TEXTS(settings)},
    {0},
};

static void check_arguments(void *all, struct argp_state *state)
{
    const char *output = ((const arguments *)all)->output;
    if (!output)
        argp_error(state, "which unit? --output FILE.fmu");
    else if (strlen(output) < 5 || strcmp(output + strlen(output) - 4, ".fmu") != 0)
        argp_error(state, "--output %s: units are files that end in .fmu", output);
}

// What a unit is made of.
typedef struct parts {
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation; // integrated from outside
    kane_channels *channels;
    const kane_channel_info **outputs; // channels that are numbers at the start, but for the time and inputs
    char *follows_state;               // of each output: inputs do not change it at once
    int output_count;
    kane_inputs *inputs;
    kane_arena *arena;
    char identifier[64]; // of the model, by rules of C
    char binary[4096];   // file
    fmu_resources resources;
    char *facts; // resources/kane.json
    size_t facts_size;
    char guid[KANE_HASH_SIZE];
    fmu_description description;
} parts;

static void close_parts(parts *p)
{
    free(p->facts);
    fmu_resources_free(&p->resources);
    kane_arena_free(p->arena);
    kane_inputs_free(p->inputs);
    kane_channels_free(p->channels);
    kane_simulation_free(p->simulation);
    kane_model_free(p->model);
    kane_run_free(p->run);
}

// --- what goes into it ---

// As model exchange has it; that the integrator of the run can do it is seen, too.
static kane_simulation *create_simulation(const parts *p, kane_errors *errors)
{
    const kane_run_definition *d = kane_run_get_definition(p->run);
    kane_settings settings       = d->settings;
    kane_simulation *own         = kane_simulation_create(p->model, &settings, &d->conditions, errors);
    settings.integrator          = kane_outside_integrator();
    settings.rods.inertia        = KANE_RODS_EXACT;
    settings.normal_forces       = KANE_NORMAL_FORCES_COUPLED;
    kane_simulation *simulation  = own ? kane_simulation_create(p->model, &settings, &d->conditions, errors) : NULL;
    kane_simulation_free(own);
    return simulation;
}

// Settings and parameters together: the run is checked with all of them.
static int open_run(const arguments *a, parts *p, kane_errors *errors)
{
    const char *all[2 * APP_TEXTS_MOST + 1];
    int count = 0;
    for (int i = 0; i < a->settings.count; i++)
        all[count++] = a->settings.texts[i];
    for (int i = 0; i < a->parameters.count; i++)
        all[count++] = a->parameter[i].setting;
    all[count]                 = NULL;
    const kane_run_options how = {.settings = all, .omit = a->omit.texts};
    p->run                     = kane_run_read(a->file, &how, errors);
    p->model                   = p->run ? kane_run_create_model(p->run, errors) : NULL;
    p->simulation              = p->model ? create_simulation(p, errors) : NULL;
    if (!p->simulation)
        return 0;
    const kane_output_definition *o = &kane_run_get_definition(p->run)->output;
    p->channels                     = a->channels.count
                                          ? kane_channels_create(p->simulation, a->channels.count, a->channels.texts, NULL, errors)
                                          : kane_channels_create(p->simulation, o->pattern_count, o->patterns, o->places, errors);
    p->inputs                       = p->channels ? kane_inputs_take(kane_run_get_definition(p->run), errors) : NULL;
    return p->inputs != NULL;
}

// Parameters by their whole path; the files of the run.
static int take_resources(arguments *a, parts *p, kane_errors *errors)
{
    const kane_run_definition *d = kane_run_get_definition(p->run);
    for (int i = 0; i < a->parameters.count; i++) {
        char full[1024];
        parameter *one = &a->parameter[i];
        (void)kane_parameter_setting(one->path, d->track ? "vehicle." : "mechanism.", sizeof full, full);
        char *path = strdup(full);
        if (path) {
            free(one->path);
            one->path = path;
        }
    }
    return fmu_resources_take(&p->resources, p->arena, d, p->inputs, errors);
}

// Reactions that nothing determines are not a number, ever: they are left out, and named.
static int choose_outputs(parts *p, kane_errors *errors)
{
    const int count  = kane_channels_count(p->channels);
    double *values   = kane_arena_doubles(p->arena, (size_t)count);
    p->outputs       = kane_arena_alloc(p->arena, (size_t)count, sizeof *p->outputs);
    p->follows_state = kane_arena_alloc(p->arena, (size_t)count, 1);
    if (!values || !p->outputs || !p->follows_state)
        return kane_no_memory(errors) == KANE_OK;
    if (kane_channels_read(p->channels, p->simulation, values) != KANE_OK) {
        kane_work_fault(p->model, kane_simulation_work(p->simulation), errors);
        return 0;
    }
    for (int i = 0; i < count; i++) {
        if (strcmp(kane_channels_info(p->channels, i)->name, "time") == 0 ||
            strncmp(kane_channels_info(p->channels, i)->name, "input.", 6) == 0)
            continue;
        if (isfinite(values[i])) {
            p->follows_state[p->output_count] = (char)kane_channels_follow_state(p->channels, p->model, i);
            p->outputs[p->output_count++]     = kane_channels_info(p->channels, i);
        } else
            (void)fprintf(stderr, "left out: %s is not determined\n", kane_channels_info(p->channels, i)->name);
    }
    return 1;
}

// kane_fmu.so: installed beside the library, or where it was built.
static int find_binary(const arguments *a, parts *p, kane_errors *errors)
{
    if (a->binary)
        (void)snprintf(p->binary, sizeof p->binary, "%s", a->binary);
    if (a->binary ? access(p->binary, R_OK) == 0 : app_find_library("kane_fmu.so", sizeof p->binary, p->binary))
        return 1;
    kane_errors_add(errors, KANE_NO_FILE, "%s is not here: the binary that units share; --binary says where it is",
                    a->binary ? a->binary : "kane_fmu.so");
    return 0;
}

static void write_parameters(kane_writer *w, const arguments *a)
{
    kane_writer_open(w, "parameters", '[');
    for (int i = 0; i < a->parameters.count; i++) {
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "path", a->parameter[i].path);
        kane_writer_number(w, "start", a->parameter[i].value);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static void write_inputs(kane_writer *w, const parts *p)
{
    kane_writer_open(w, "inputs", '[');
    for (int i = 0; i < kane_model_input_count(p->model); i++) {
        const kane_input_info info = kane_model_input_info(p->model, i);
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "name", info.name);
        kane_writer_number(w, "start", info.start);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static void write_lists(kane_writer *w, const arguments *a, parts *p)
{
    kane_writer_text(w, "run", p->resources.list[0].name);
    kane_write_texts(w, "settings", a->settings.count, a->settings.texts);
    kane_write_texts(w, "omit", a->omit.count, a->omit.texts);
    write_parameters(w, a);
    write_inputs(w, p);
    kane_writer_count(w, "states", kane_outside_size(p->simulation));
    kane_writer_count(w, "indicators", kane_outside_indicator_count(p->simulation));
    kane_writer_row(w, "outputs");
    for (int i = 0; i < p->output_count; i++)
        kane_writer_text(w, NULL, p->outputs[i]->name);
    kane_writer_close(w);
    kane_writer_open(w, "files", '[');
    for (int i = 0; i < p->resources.count; i++) {
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "file", p->resources.list[i].name);
        kane_writer_text(w, "xxh128", p->resources.list[i].hash);
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
        kane_writer_document(&w, "fmu 2");
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
    return kane_no_memory(errors) == KANE_OK;
}

// --- modelDescription.xml ---

static const char *name_of(parts *p, const char *before, const char *name, const char *behind)
{
    const size_t room = strlen(before) + strlen(name) + strlen(behind) + 1;
    char *text        = kane_arena_alloc(p->arena, room, 1);
    if (text)
        (void)snprintf(text, room, "%s%s%s", before, name, behind);
    return text;
}

static fmu_variable *name_parameters(const arguments *a, parts *p, fmu_variable *v)
{
    for (int i = 0; i < a->parameters.count; i++, v++)
        *v = (fmu_variable){.name        = a->parameter[i].path,
                            .unit        = a->parameter[i].unit,
                            .description = "setting of the run, in SI units",
                            .start       = a->parameter[i].value};
    for (int i = 0; i < kane_model_input_count(p->model); i++, v++) {
        const kane_input_info info = kane_model_input_info(p->model, i);
        *v                         = (fmu_variable){.name        = name_of(p, "input.", info.name, ""),
                                                    .unit        = info.unit,
                                                    .description = info.help,
                                                    .start       = info.start};
    }
    *v++ = (fmu_variable){.name = "time", .unit = "s", .description = "time since the start"};
    return v;
}

static fmu_variable *name_outputs(const parts *p, fmu_variable *v)
{
    for (int i = 0; i < p->output_count; i++, v++)
        *v = (fmu_variable){.name          = p->outputs[i]->name,
                            .unit          = p->outputs[i]->unit,
                            .description   = p->outputs[i]->description,
                            .follows_state = p->follows_state[i]};
    return v;
}

// The unit of a rate; "" if that of the state is not known.
static void name_rate_unit(const char *unit, size_t size, char *name)
{
    char reason[160];
    kane_text fault = kane_text_start(sizeof reason, reason);
    kane_unit rate;
    name[0] = '\0';
    if (unit[0] == '\0' || !kane_unit_parse(unit, &rate, &fault))
        return;
    rate.power[KANE_SECOND] -= 1.0;
    name_unit(&rate, size, name);
}

// States, their rates, and event indicators.
static void name_states(parts *p, fmu_variable *v)
{
    char name[256], per_second[48];
    const int size   = kane_outside_size(p->simulation);
    double *nominals = kane_arena_doubles(p->arena, (size_t)size);
    if (!nominals)
        return;
    kane_outside_nominals(p->simulation, nominals);
    for (int i = 0; i < size; i++) {
        const char *unit = kane_state_unit(p->model, i);
        kane_state_name(p->model, i, sizeof name, name);
        name_rate_unit(unit, sizeof per_second, per_second);
        v[i]        = (fmu_variable){.name        = name_of(p, "state.", name, ""),
                                     .unit        = unit,
                                     .description = "number of the state",
                                     .nominal     = nominals[i]};
        v[size + i] = (fmu_variable){.name        = name_of(p, "der(state.", name, ")"),
                                     .unit        = name_of(p, per_second, "", ""),
                                     .description = "its rate"};
    }
    for (int i = 0; i < kane_outside_indicator_count(p->simulation); i++) {
        kane_outside_indicator_name(p->simulation, i, sizeof name, name);
        v[2 * size + i] =
            (fmu_variable){.name = name_of(p, "event.", name, ""), .unit = "", .description = "event indicator"};
    }
}

// When the run ends [s]: at its time, or where it has covered its distance by the prescribed speed; a driven vehicle,
// whose speed is not known, by that of the start. 0: nothing says so.
static double find_stop(const kane_run_definition *d, const kane_model *model)
{
    const double distance = d->conditions.distance;
    if (d->conditions.time > 0.0 || distance <= 0.0)
        return d->conditions.time;
    for (int i = 0; i < model->piece_count && model->travel_count == 0; i++) {
        const double time = kane_model_time_of(model, i, distance);
        if (time <= (i + 1 < model->piece_count ? model->pieces[i + 1].time : 1e9))
            return time;
    }
    return model->speed > 0.0 ? distance / model->speed : 0.0;
}

// Everything but the GUID.
static int describe(const arguments *a, parts *p, kane_errors *errors)
{
    const kane_run_definition *d = kane_run_get_definition(p->run);
    fmu_description *into        = &p->description;
    const int size               = kane_outside_size(p->simulation);
    *into                        = (fmu_description){.version      = a->version,
                                                     .model        = d->vehicle->name,
                                                     .identifier   = p->identifier,
                                                     .guid         = p->guid,
                                                     .tool_version = kane_version(),
                                                     .stop         = find_stop(d, p->model),
                                                     .tolerance    = d->settings.relative,
                                                     .every        = d->output.every,
                                                     .count = {a->parameters.count, kane_model_input_count(p->model), 1, p->output_count, size,
                                                               size, kane_outside_indicator_count(p->simulation)},
                                                     .jacobian      = kane_outside_pattern(p->simulation),
                                                     .jacobian_size = kane_model_state_count(p->model)};
    into->variables              = kane_arena_alloc(p->arena, (size_t)fmu_count_all(into), sizeof *into->variables);
    if (into->variables)
        name_states(p, name_outputs(p, name_parameters(a, p, into->variables)));
    if (kane_arena_failed(p->arena))
        return kane_no_memory(errors) == KANE_OK;
    const char *twin = fmu_find_twin(into);
    if (twin)
        kane_errors_add(errors, KANE_BAD_INPUT, "two variables of the unit would be called '%s': leave one of them out",
                        twin);
    return !twin;
}

// --- the archive ---

static int add_description(fmu_archive *archive, const parts *p, kane_errors *errors)
{
    char *text  = NULL;
    size_t size = 0;
    FILE *out   = open_memstream(&text, &size);
    if (out)
        fmu_describe(out, &p->description);
    const int good =
        out && fclose(out) == 0 && text && fmu_archive_add(archive, "modelDescription.xml", text, size, errors);
    if (!good && errors->count == 0)
        (void)kane_no_memory(errors);
    free(text);
    return good;
}

static int add_resources(fmu_archive *archive, parts *p, kane_errors *errors)
{
    int good = fmu_archive_add(archive, "resources/kane.json", p->facts, p->facts_size, errors);
    for (int i = 0; i < p->resources.count && good; i++) {
        const fmu_resource *r = &p->resources.list[i];
        const char *name      = name_of(p, "resources/", r->name, "");
        good                  = name && (r->bytes ? fmu_archive_add(archive, name, r->bytes, r->size, errors)
                                                  : fmu_archive_add_file(archive, name, r->file, errors));
    }
    return good;
}

static int write_archive(const arguments *a, parts *p, kane_errors *errors)
{
    char name[256];
    (void)snprintf(name, sizeof name, "binaries/%s/%s.so", a->version == 2 ? KANE_FMU_PLATFORM_2 : KANE_FMU_PLATFORM_3,
                   p->identifier);
    fmu_archive *archive = fmu_archive_create(a->output, errors);
    const int good       = archive && add_description(archive, p, errors) &&
                     fmu_archive_add_file(archive, name, p->binary, errors) && add_resources(archive, p, errors);
    return fmu_archive_close(archive, good, errors);
}

int command_fmu(int argc, char **argv)
{
    static const app_command command = APP_COMMAND(
        options, "RUN.json", "run file", file, 0, check_arguments,
        "Writes a run as a functional mock-up unit of FMI 2.0 or 3.0, for Linux on the kind of machine that "
        "writes it: its channels are outputs, its inputs inputs, numbers that are chosen are parameters, its "
        "files are resources. Programs that import units step it by the run's own integrator (co-simulation) "
        "or integrate it by theirs (model exchange). docs/fmu.md says what it can do.");
    arguments a        = {.version = 2};
    kane_errors errors = {0};
    parts p            = {.run = NULL};
    app_parse(&command, argc, argv, &a);
    p.arena = kane_arena_create();
    kane_identifier_of_file(a.file, sizeof p.identifier, p.identifier);
    const int good = p.arena && open_run(&a, &p, &errors) && choose_outputs(&p, &errors) &&
                     find_binary(&a, &p, &errors) && take_resources(&a, &p, &errors) && describe(&a, &p, &errors) &&
                     write_facts(&a, &p, &errors) && write_archive(&a, &p, &errors);
    const int outputs = good ? p.output_count : 0;
    if (good)
        (void)printf("%s: %d %s, %d %s, %d %s\n", a.output, outputs,
                     app_plural(outputs, (app_noun){"output", "outputs"}), p.description.count[FMU_INPUT],
                     app_plural(p.description.count[FMU_INPUT], (app_noun){"input", "inputs"}), a.parameters.count,
                     app_plural(a.parameters.count, (app_noun){"parameter", "parameters"}));
    close_parts(&p);
    for (int i = 0; i < a.parameters.count; i++) {
        free(a.parameter[i].path);
        free(a.parameter[i].setting);
    }
    return good ? EXIT_DONE : app_fail(&errors);
}
