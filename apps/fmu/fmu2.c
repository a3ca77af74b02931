// SPDX-License-Identifier: MIT
// The binary of every FMU that `kane fmu` writes: a run, read from its resources, as a co-simulation unit of FMI 2.0. The unit is
// stepped by the run's integrator; its outputs are channels, its parameters settings of the run.

#include "fmi2.h"

#include <kane/kane.h>

#include "base/hash.h"
#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FMI2_DECLARE(result, name, arguments) FMI2_EXPORT result name arguments;
FMI2_FUNCTIONS(FMI2_DECLARE)

enum { TEXT = 1024 };

typedef enum phase { INSTANTIATED, INITIALIZING, STEPPING, TERMINATED } phase;

// An instance. Value references: parameters first, then outputs.
typedef struct unit {
    kane_arena *arena;
    char *name;
    fmi2CallbackFunctions calls;
    int is_logging;
    phase phase;
    // resources/kane.json
    const char *run_file;
    int setting_count, omit_count, parameter_count, output_count;
    const char *
        *settings;      // of the run: those that it was written with, parameters, tolerance [setting_count + ... + 2]
    const char **omit;  // NULL-terminated
    const char **paths; // of parameters [parameter_count]
    double *start, *parameters; // [parameter_count]
    const char **outputs;       // names of channels [output_count]
    double tolerance;           // 0: the run's own
    // what is simulated; NULL before it is asked for
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation;
    kane_channels *channels;
    int *place;     // of every output among the channels [output_count]
    double *values; // of channels [..]
    int is_read;    // 1: at the present time
} unit;

// --- messages ---

static void tell(const unit *u, fmi2Status status, const char *text)
{
    const char *category = status == fmi2Discard   ? "logStatusDiscard"
                           : status == fmi2Warning ? "logStatusWarning"
                                                   : "logStatusError";
    if (u->calls.logger)
        u->calls.logger(u->calls.componentEnvironment, u->name, status, category, "%s", text);
}

// All errors, each with its place; an error of the unit.
static fmi2Status fail(const unit *u, const kane_errors *errors)
{
    char line[TEXT];
    for (int i = 0; i < errors->count && i < KANE_ERRORS_KEPT; i++) {
        (void)kane_error_format(&errors->kept[i], sizeof line, line);
        tell(u, fmi2Error, line);
    }
    if (errors->count == 0)
        tell(u, fmi2Error, kane_status_text(KANE_NO_MEMORY));
    return fmi2Error;
}

static fmi2Status refuse(const unit *u, const char *text)
{
    tell(u, fmi2Error, text);
    return fmi2Error;
}

// --- resources ---

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// The folder that a URI names: file:///tmp/x, file:/tmp/x, file://localhost/tmp/x, with %20 for what URIs do not have; or a path.
static int folder_of(const char *uri, size_t size, char *folder)
{
    size_t length = 0;
    if (strncmp(uri, "file:", 5) == 0) {
        uri += 5;
        if (strncmp(uri, "//", 2) == 0)
            uri = strchr(uri + 2, '/');
        if (!uri)
            return 0;
    }
    for (; *uri && length + 1 < size; uri++) {
        const int is_code = uri[0] == '%' && hex(uri[1]) >= 0 && hex(uri[2]) >= 0;
        folder[length++]  = is_code ? (char)(16 * hex(uri[1]) + hex(uri[2])) : *uri;
        uri += is_code ? 2 : 0;
    }
    while (length > 1 && folder[length - 1] == '/')
        length--;
    folder[length] = '\0';
    return *uri == '\0' && length > 0;
}

static const char *beside(unit *u, const char *folder, const char *file)
{
    const size_t room = strlen(folder) + strlen(file) + 2;
    char *path        = kane_arena_alloc(u->arena, room, 1);
    if (path)
        (void)snprintf(path, room, "%s/%s", folder, file);
    return path;
}

static const char *text_of(const kane_node *root, const char *key)
{
    const kane_node *node = kane_node_find(root, key);
    const char *word      = node ? kane_node_word(node) : NULL;
    return word ? word : "";
}

static int count_of(const kane_node *root, const char *key)
{
    const kane_node *node = kane_node_find(root, key);
    return node ? node->count : 0;
}

// Texts of a list, NULL-terminated, with room for some more.
static const char **texts_of(unit *u, const kane_node *root, const char *key, int more)
{
    const int count    = count_of(root, key);
    const char **texts = kane_arena_alloc(u->arena, (size_t)(count + more + 1), sizeof *texts);
    for (int i = 0; texts && i < count; i++) {
        const char *word = kane_node_word(kane_node_at(kane_node_find(root, key), i));
        texts[i]         = kane_arena_text(u->arena, word ? word : "");
    }
    return texts;
}

// All files of the run still say what they said when the unit was written.
static void check_files(unit *u, const kane_node *root, const char *folder, kane_errors *errors)
{
    const kane_node *files = kane_node_find(root, "files");
    for (int i = 0; files && i < files->count; i++) {
        char hash[KANE_HASH_SIZE];
        const kane_node *file = kane_node_at(files, i);
        const char *name      = beside(u, folder, text_of(file, "file"));
        if (name && kane_hash_file(name, hash) != 0)
            kane_errors_add_input(errors, KANE_NO_FILE, (kane_place){.file = name, .path = ""},
                                  "a file of the unit cannot be read");
        else if (name && strcmp(hash, text_of(file, "xxh128")) != 0)
            kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = name, .path = ""},
                                  "the file is not what it was when the unit was written");
    }
}

static void read_lists(unit *u, const kane_node *root)
{
    u->setting_count   = count_of(root, "settings");
    u->omit_count      = count_of(root, "omit");
    u->parameter_count = count_of(root, "parameters");
    u->output_count    = count_of(root, "outputs");
    u->settings        = texts_of(u, root, "settings", u->parameter_count + 1);
    u->omit            = texts_of(u, root, "omit", 0);
    u->outputs         = texts_of(u, root, "outputs", 0);
    u->paths           = kane_arena_alloc(u->arena, (size_t)u->parameter_count, sizeof *u->paths);
    u->start           = kane_arena_doubles(u->arena, (size_t)u->parameter_count);
    u->parameters      = kane_arena_doubles(u->arena, (size_t)u->parameter_count);
    u->place           = kane_arena_alloc(u->arena, (size_t)u->output_count, sizeof *u->place);
    for (int i = 0; u->paths && u->start && u->parameters && i < u->parameter_count; i++) {
        const kane_node *p    = kane_node_at(kane_node_find(root, "parameters"), i);
        const kane_node *from = kane_node_find(p, "start");
        u->paths[i]           = kane_arena_text(u->arena, text_of(p, "path"));
        u->start[i] = u->parameters[i] = from ? from->number : 0.0;
    }
}

static int read_resources(unit *u, const char *uri, const char *guid, kane_errors *errors)
{
    char folder[4096];
    if (!uri || !folder_of(uri, sizeof folder, folder)) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "'%s' names no folder of resources", uri ? uri : "");
        return 0;
    }
    const char *name = beside(u, folder, "kane.json");
    kane_node *root  = name ? kane_json_read(u->arena, name, errors) : NULL;
    if (!root || errors->count > 0)
        return 0;
    if (strcmp(text_of(root, "kane"), "fmu 1") != 0)
        kane_errors_add_input(errors, KANE_BAD_INPUT, root->place,
                              "this is not what a unit is made of (\"kane\": \"fmu 1\")");
    else if (strcmp(text_of(root, "guid"), guid ? guid : "") != 0)
        kane_errors_add_input(errors, KANE_BAD_INPUT, root->place, "the unit has the GUID %s, %s was asked for",
                              text_of(root, "guid"), guid ? guid : "none");
    else
        check_files(u, root, folder, errors);
    if (errors->count > 0)
        return 0;
    u->run_file = beside(u, folder, text_of(root, "run"));
    read_lists(u, root);
    return !kane_arena_failed(u->arena);
}

// --- simulation ---

static void drop_simulation(unit *u)
{
    free(u->values);
    kane_channels_free(u->channels);
    kane_simulation_free(u->simulation);
    kane_model_free(u->model);
    kane_run_free(u->run);
    u->values     = NULL;
    u->channels   = NULL;
    u->simulation = NULL;
    u->model      = NULL;
    u->run        = NULL;
    u->is_read    = 0;
}

// Settings with the values of parameters; they are copied by who reads the run.
static kane_run *read_run(unit *u, kane_errors *errors)
{
    int count           = u->setting_count;
    kane_arena *scratch = kane_arena_create();
    for (int i = 0; scratch && i < u->parameter_count; i++) {
        const size_t room = strlen(u->paths[i]) + 32;
        char *setting     = kane_arena_alloc(scratch, room, 1);
        if (setting)
            (void)snprintf(setting, room, "%s=%.17g", u->paths[i], u->parameters[i]);
        u->settings[count++] = setting;
    }
    char tolerance[64];
    (void)snprintf(tolerance, sizeof tolerance, "integrator.rtol=%.17g", u->tolerance);
    if (u->tolerance > 0.0)
        u->settings[count++] = tolerance;
    u->settings[count]         = NULL;
    const kane_run_options how = {.settings = u->settings, .omit = u->omit};
    kane_run *run = scratch && !kane_arena_failed(scratch) ? kane_run_read(u->run_file, &how, errors) : NULL;
    kane_arena_free(scratch);
    return run;
}

// Where every output stands among the channels.
static int find_outputs(unit *u)
{
    const int count = kane_channels_count(u->channels);
    for (int i = 0; i < u->output_count; i++) {
        u->place[i] = -1;
        for (int k = 0; k < count && u->place[i] < 0; k++)
            if (strcmp(kane_channels_info(u->channels, k)->name, u->outputs[i]) == 0)
                u->place[i] = k;
        if (u->place[i] < 0)
            return 0;
    }
    u->values = calloc((size_t)count + 1, sizeof *u->values);
    return u->values != NULL;
}

// Makes the simulation at its start, unless it is there. The run's own end does not end it: who steps it decides.
static fmi2Status prepare(unit *u)
{
    kane_errors errors = {0};
    if (u->simulation)
        return fmi2OK;
    u->run = read_run(u, &errors);
    if (u->run) {
        const kane_run_definition *d = kane_run_get_definition(u->run);
        kane_conditions conditions   = d->conditions;
        conditions.time = conditions.distance = 0.0;
        u->model                              = kane_run_create_model(u->run, &errors);
        u->simulation = u->model ? kane_simulation_create(u->model, &d->settings, &conditions, &errors) : NULL;
        u->channels   = u->simulation && u->output_count > 0
                            ? kane_channels_create(u->simulation, u->output_count, u->outputs, NULL, &errors)
                            : NULL;
    }
    if (u->simulation && (u->output_count == 0 || (u->channels && find_outputs(u))))
        return fmi2OK;
    const fmi2Status status = fail(u, &errors);
    drop_simulation(u);
    return status;
}

// --- functions of the standard: instances ---

const char *fmi2GetTypesPlatform(void)
{
    return "default";
}

const char *fmi2GetVersion(void)
{
    return "2.0";
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[])
{
    (void)count;
    (void)categories;
    ((unit *)c)->is_logging = on;
    return fmi2OK;
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean logging)
{
    kane_errors errors = {0};
    kane_arena *arena  = kane_arena_create();
    unit *u            = arena ? kane_arena_alloc(arena, 1, sizeof *u) : NULL;
    (void)visible;
    if (!u) {
        kane_arena_free(arena);
        return NULL;
    }
    u->arena      = arena;
    u->name       = kane_arena_text(arena, name ? name : "");
    u->calls      = functions ? *functions : (fmi2CallbackFunctions){NULL, NULL, NULL, NULL, NULL};
    u->is_logging = logging;
    if (type != fmi2CoSimulation)
        kane_errors_add(&errors, KANE_BAD_ARGUMENT, "this unit is for co-simulation, not for model exchange");
    if (errors.count == 0 && read_resources(u, resources, guid, &errors))
        return u;
    (void)fail(u, &errors);
    kane_arena_free(arena);
    return NULL;
}

void fmi2FreeInstance(fmi2Component c)
{
    unit *u = c;
    if (!u)
        return;
    drop_simulation(u);
    kane_arena_free(u->arena);
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean has_stop, fmi2Real stop)
{
    unit *u = c;
    (void)has_stop;
    (void)stop;
    if (u->phase != INSTANTIATED)
        return refuse(u, "the experiment is set up before initialization");
    if (start != 0.0)
        return refuse(u, "a run begins at time 0: the start time must be 0");
    if (has_tolerance && !(tolerance > 0.0))
        return refuse(u, "the tolerance must be positive");
    u->tolerance = has_tolerance ? tolerance : 0.0;
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
    unit *u = c;
    if (u->phase != INSTANTIATED)
        return refuse(u, "initialization comes after instantiation or reset");
    u->phase = INITIALIZING;
    return fmi2OK;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    unit *u = c;
    if (u->phase != INITIALIZING)
        return refuse(u, "there is no initialization to leave");
    const fmi2Status status = prepare(u);
    if (status == fmi2OK)
        u->phase = STEPPING;
    return status;
}

fmi2Status fmi2Terminate(fmi2Component c)
{
    ((unit *)c)->phase = TERMINATED;
    return fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component c)
{
    unit *u = c;
    drop_simulation(u);
    for (int i = 0; i < u->parameter_count; i++)
        u->parameters[i] = u->start[i];
    u->tolerance = 0.0;
    u->phase     = INSTANTIATED;
    return fmi2OK;
}

// --- values ---

static int read_channels(unit *u)
{
    kane_errors errors = {0};
    if (u->is_read || !u->channels)
        return 1;
    if (kane_channels_read(u->channels, u->simulation, u->values) != KANE_OK) {
        kane_work_fault(u->model, kane_simulation_work(u->simulation), &errors);
        (void)fail(u, &errors);
        return 0;
    }
    u->is_read = 1;
    return 1;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Real value[])
{
    unit *u               = c;
    const unsigned inputs = (unsigned)u->parameter_count, all = inputs + (unsigned)u->output_count;
    for (size_t i = 0; i < count; i++) {
        if (vr[i] >= all)
            return refuse(u, "there is no variable of this value reference");
        if (vr[i] < inputs) {
            value[i] = u->parameters[vr[i]];
            continue;
        }
        if (u->phase == INSTANTIATED)
            return refuse(u, "outputs are known from initialization on");
        if (prepare(u) != fmi2OK || !read_channels(u))
            return fmi2Error;
        value[i] = u->values[u->place[vr[i] - inputs]];
    }
    return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2Real value[])
{
    unit *u = c;
    if (count > 0 && u->phase > INITIALIZING)
        return refuse(u, "parameters are fixed once initialization has ended");
    for (size_t i = 0; i < count; i++) {
        if (vr[i] >= (unsigned)u->parameter_count)
            return refuse(u, "what is set is no parameter");
        if (!isfinite(value[i]))
            return refuse(u, "a parameter is not finite");
        u->parameters[vr[i]] = value[i];
    }
    if (count > 0)
        drop_simulation(u); // it is made anew with them
    return fmi2OK;
}

// There are only real variables.
static fmi2Status none(fmi2Component c, size_t count)
{
    return count == 0 ? fmi2OK : refuse(c, "all variables of this unit are real");
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Integer value[])
{
    (void)vr;
    (void)value;
    return none(c, count);
}

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Boolean value[])
{
    (void)vr;
    (void)value;
    return none(c, count);
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2String value[])
{
    (void)vr;
    (void)value;
    return none(c, count);
}

fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2Integer value[])
{
    (void)vr;
    (void)value;
    return none(c, count);
}

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2Boolean value[])
{
    (void)vr;
    (void)value;
    return none(c, count);
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2String value[])
{
    (void)vr;
    (void)value;
    return none(c, count);
}

// --- states ---

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    unit *u            = c;
    kane_errors errors = {0};
    if (u->phase != STEPPING)
        return refuse(u, "there is a state between initialization and the end");
    kane_state *found = kane_simulation_get_state(u->simulation, &errors);
    if (!found)
        return fail(u, &errors);
    kane_state_free(*state);
    *state = found;
    return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state)
{
    unit *u            = c;
    kane_errors errors = {0};
    if (u->phase != STEPPING || !state)
        return refuse(u, "there is a state between initialization and the end");
    u->is_read = 0;
    return kane_simulation_resume(u->simulation, state, &errors) == KANE_OK ? fmi2OK : fail(u, &errors);
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    (void)c;
    kane_state_free(*state);
    *state = NULL;
    return fmi2OK;
}

// What modelDescription.xml says that this unit cannot.
static fmi2Status unable(fmi2Component c)
{
    return refuse(c, "this unit does not have that; modelDescription.xml says what it has");
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    (void)state;
    (void)size;
    return unable(c);
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
    (void)state;
    (void)bytes;
    (void)size;
    return unable(c);
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state)
{
    (void)bytes;
    (void)size;
    (void)state;
    return unable(c);
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[], size_t unknowns,
                                        const fmi2ValueReference known[], size_t knowns, const fmi2Real d_known[],
                                        fmi2Real d_unknown[])
{
    (void)unknown;
    (void)unknowns;
    (void)known;
    (void)knowns;
    (void)d_known;
    (void)d_unknown;
    return unable(c);
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t count,
                                       const fmi2Integer order[], const fmi2Real value[])
{
    (void)vr;
    (void)order;
    (void)value;
    return count == 0 ? fmi2OK : unable(c);
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t count,
                                        const fmi2Integer order[], fmi2Real value[])
{
    (void)vr;
    (void)order;
    (void)value;
    return count == 0 ? fmi2OK : unable(c);
}

// --- steps ---

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real step, fmi2Boolean no_state_before)
{
    unit *u            = c;
    kane_errors errors = {0};
    char text[TEXT];
    (void)no_state_before;
    if (u->phase != STEPPING)
        return refuse(u, "steps come between initialization and the end");
    const double now = kane_simulation_time(u->simulation), small = 1e-9 * fmax(1.0, fabs(now));
    if (!(step >= 0.0) || fabs(time - now) > small) {
        (void)snprintf(text, sizeof text, "the unit stands at %.17g s; a step of %g s from %.17g s cannot be", now,
                       step, time);
        return refuse(u, text);
    }
    u->is_read = 0;
    if (kane_simulation_advance(u->simulation, fmax(now, time + step), &errors) != KANE_OK)
        return fail(u, &errors);
    const kane_stop stop = kane_simulation_stop(u->simulation);
    if (stop == KANE_STOP_NONE)
        return fmi2OK;
    (void)snprintf(text, sizeof text, "the run ends at %g s: %s %s", kane_simulation_time(u->simulation),
                   kane_stop_name(stop), kane_simulation_stop_subject(u->simulation));
    tell(u, fmi2Discard, text);
    return fmi2Discard;
}

fmi2Status fmi2CancelStep(fmi2Component c)
{
    return unable(c);
}

static fmi2Status unknown_kind(fmi2Component c)
{
    return refuse(c, "steps are never pending: only the last time and whether it has ended can be asked for");
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value)
{
    (void)value;
    (void)kind;
    return unknown_kind(c);
}

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)
{
    unit *u = c;
    if (kind != fmi2LastSuccessfulTime || !u->simulation)
        return unknown_kind(c);
    *value = kane_simulation_time(u->simulation);
    return fmi2OK;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value)
{
    (void)value;
    (void)kind;
    return unknown_kind(c);
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value)
{
    unit *u = c;
    if (kind != fmi2Terminated || !u->simulation)
        return unknown_kind(c);
    *value = kane_simulation_stop(u->simulation) != KANE_STOP_NONE;
    return fmi2OK;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String *value)
{
    (void)value;
    (void)kind;
    return unknown_kind(c);
}
