// SPDX-License-Identifier: MIT
// Units: what they are made of, their instances, values, steps and events.

#include "unit.h"

#include "base/json.h"
#include "base/machine.h"
#include "base/number.h"
#include "base/text.h"
#include "run/setup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1024 };

// To which steps may lead [s]: simulations know no event beyond it.
static const double latest_time = 1e12;

const char *const unit_category_names[] = {"logStatusError", "logStatusDiscard", "logStatusWarning", "logEvents"};

// --- messages ---

void unit_tell(const unit *u, unit_status status, unit_category category, const char *text)
{
    if (category != UNIT_LOG_EVENT || u->logs_events)
        u->log(u, status, unit_category_names[category], text);
}

unit_status unit_fail(const unit *u, kane_errors *errors)
{
    char line[TEXT];
    for (int i = 0; i < errors->kept; i++) {
        (void)kane_error_format(kane_errors_get(errors, i), sizeof line, line);
        unit_tell(u, UNIT_ERROR, UNIT_LOG_ERROR, line);
    }
    if (errors->count == 0)
        unit_tell(u, UNIT_ERROR, UNIT_LOG_ERROR, kane_status_text(KANE_NO_MEMORY));
    kane_errors_free(errors);
    return UNIT_ERROR;
}

unit_status unit_refuse(const unit *u, const char *text)
{
    unit_tell(u, UNIT_ERROR, UNIT_LOG_ERROR, text);
    return UNIT_ERROR;
}

unit_status unit_lack(const unit *u)
{
    return unit_refuse(u, "this unit does not have that; modelDescription.xml says what it has");
}

unit_status unit_take_none(const unit *u, size_t count)
{
    return count == 0 ? UNIT_OK : unit_refuse(u, "all variables of this unit are real (Float64)");
}

// What cannot be evaluated there, but may be closer by.
static unit_status discard(const unit *u, kane_errors *errors)
{
    char line[TEXT];
    for (int i = 0; i < errors->kept; i++) {
        (void)kane_error_format(kane_errors_get(errors, i), sizeof line, line);
        unit_tell(u, UNIT_DISCARD, UNIT_LOG_DISCARD, line);
    }
    kane_errors_free(errors);
    return UNIT_DISCARD;
}

static unit_status answer(const unit *u, kane_status status, kane_errors *errors)
{
    return status == KANE_OK ? UNIT_OK : status > 0 ? discard(u, errors) : unit_fail(u, errors);
}

// --- the order of calls ---

int unit_may(const unit *u, unit_call call)
{
    char text[TEXT];
    if (!u)
        return 0;
    const int in_exchange = u->kind == UNIT_EXCHANGE;
    if (unit_call_is_allowed(call, in_exchange, u->phase))
        return 1;
    if (unit_call_exists(call, in_exchange))
        (void)snprintf(text, sizeof text, "%s is not allowed %s", unit_call_name(call), unit_phase_name(u->phase));
    else
        (void)snprintf(text, sizeof text,
                       "%s: this unit does not have that in %s; modelDescription.xml says what it has",
                       unit_call_name(call), in_exchange ? "model exchange" : "co-simulation");
    (void)unit_refuse(u, text);
    return 0;
}

int unit_is_given(const unit *u, const void *argument, const char *name)
{
    char text[TEXT];
    if (argument)
        return 1;
    (void)snprintf(text, sizeof text, "the argument '%s' is NULL", name);
    (void)unit_refuse(u, text);
    return 0;
}

unit_status unit_conclude(unit *u, unit_status status)
{
    if (u && status == UNIT_ERROR)
        u->phase = UNIT_FAILED;
    return u ? status : UNIT_ERROR;
}

// --- what is logged ---

unit_status unit_listen(unit *u, int on, size_t count, const char *const *categories)
{
    char text[TEXT];
    int events = count == 0 ? on : u->logs_events;
    if (count > 0 && !unit_is_given(u, categories, "categories"))
        return UNIT_ERROR;
    for (size_t i = 0; i < count; i++) {
        int k = 0;
        if (!unit_is_given(u, categories[i], "categories[]"))
            return UNIT_ERROR;
        while (k < UNIT_CATEGORIES && strcmp(categories[i], unit_category_names[k]) != 0)
            k++;
        if (k == UNIT_CATEGORIES) {
            (void)snprintf(text, sizeof text,
                           "there is no category '%s': logStatusError, logStatusDiscard, logStatusWarning, logEvents",
                           categories[i]);
            return unit_refuse(u, text);
        }
        events = k == UNIT_LOG_EVENT ? on : events;
    }
    u->logs_events = events;
    return UNIT_OK;
}

// --- resources ---

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// The folder that a URI names: file:///tmp/x, file:/tmp/x, file://localhost/tmp/x, with %20 for what URIs do not have;
// or a path.
static int folder_of(const char *uri, size_t size, char *folder)
{
    const int is_uri = strncmp(uri, "file:", 5) == 0;
    size_t length    = 0;
    if (is_uri) {
        uri += 5;
        if (strncmp(uri, "//", 2) == 0)
            uri = strchr(uri + 2, '/');
        if (!uri)
            return 0;
    }
    for (; *uri && length + 1 < size; uri++) {
        const int is_code = is_uri && uri[0] == '%' && hex(uri[1]) >= 0 && hex(uri[2]) >= 0;
        folder[length++]  = is_code ? (char)(16 * hex(uri[1]) + hex(uri[2])) : *uri;
        uri += is_code ? 2 : 0;
    }
    while (length > 1 && folder[length - 1] == '/')
        length--;
    folder[length] = '\0';
    return *uri == '\0' && length > 0;
}

static const char *beside(unit *u, const char *file)
{
    const size_t room = strlen(u->folder) + strlen(file) + 2;
    char *path        = kane_arena_alloc(u->arena, room, 1);
    if (path)
        (void)snprintf(path, room, "%s/%s", u->folder, file);
    return path;
}

static const char *text_of(const kane_node *root, const char *key)
{
    const kane_node *node = kane_node_find(root, key);
    const char *word      = node ? kane_node_word(node) : NULL;
    return word ? word : "";
}

static double number_of(const kane_node *root, const char *key)
{
    const kane_node *node = kane_node_find(root, key);
    return node && node->kind == KANE_NODE_NUMBER ? node->number : 0.0;
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

// Whether a name leads out of the folder in which it is searched.
static int leads_outside(const char *name)
{
    for (const char *at = name; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL)
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0'))
            return 1;
    return name[0] == '/' || name[0] == '\0';
}

// All files of the run still say what they said when the unit was written.
static void check_files(unit *u, const kane_node *root, kane_errors *errors)
{
    const kane_node *files = kane_node_find(root, "files");
    for (int i = 0; files && i < files->count; i++) {
        char hash[KANE_HASH_SIZE];
        const kane_node *file = kane_node_at(files, i);
        const char *name      = beside(u, text_of(file, "file"));
        if (name && leads_outside(text_of(file, "file")))
            kane_errors_add_input(errors, KANE_BAD_INPUT, file->place, "'%s' is no file of the unit",
                                  text_of(file, "file"));
        else if (name && kane_hash_file(name, hash) != 0)
            kane_errors_add_input(errors, KANE_NO_FILE, (kane_place){.file = name, .path = ""},
                                  "a file of the unit cannot be read");
        else if (name && strcmp(hash, text_of(file, "xxh128")) != 0)
            kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = name, .path = ""},
                                  "the file is not what it was when the unit was written");
    }
}

// A list of names, each with the value that it starts with.
static void read_starts(unit *u, const kane_node *list, const char *key, int count, const char ***names, double **start,
                        double **now)
{
    *names = kane_arena_alloc(u->arena, (size_t)count, sizeof **names);
    *start = kane_arena_doubles(u->arena, (size_t)count);
    *now   = kane_arena_doubles(u->arena, (size_t)count);
    for (int i = 0; !kane_arena_failed(u->arena) && i < count; i++) {
        const kane_node *one = kane_node_at(list, i);
        (*names)[i]          = kane_arena_text(u->arena, text_of(one, key));
        (*start)[i] = (*now)[i] = number_of(one, "start");
    }
}

static void read_lists(unit *u, const kane_node *root)
{
    u->setting_count   = count_of(root, "settings");
    u->omit_count      = count_of(root, "omit");
    u->parameter_count = count_of(root, "parameters");
    u->input_count     = count_of(root, "inputs");
    u->output_count    = count_of(root, "outputs");
    u->state_count     = (int)number_of(root, "states");
    u->indicator_count = (int)number_of(root, "indicators");
    u->settings        = texts_of(u, root, "settings", u->parameter_count + 1);
    u->omit            = texts_of(u, root, "omit", 0);
    u->outputs         = texts_of(u, root, "outputs", 0);
    read_starts(u, kane_node_find(root, "parameters"), "path", u->parameter_count, &u->paths, &u->start,
                &u->parameters);
    read_starts(u, kane_node_find(root, "inputs"), "name", u->input_count, &u->inputs, &u->input_start, &u->input);
    u->input_place = kane_arena_alloc(u->arena, (size_t)u->input_count, sizeof *u->input_place);
    u->place       = kane_arena_alloc(u->arena, (size_t)u->output_count, sizeof *u->place);
    u->rates       = kane_arena_doubles(u->arena, (size_t)u->state_count);
    u->nominals    = kane_arena_doubles(u->arena, (size_t)u->state_count);
    u->indicators  = kane_arena_doubles(u->arena, (size_t)u->indicator_count);
}

static int read_resources(unit *u, const char *uri, const char *guid, kane_errors *errors)
{
    char folder[4096];
    if (!uri || !folder_of(uri, sizeof folder, folder)) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "'%s' names no folder of resources", uri ? uri : "");
        return 0;
    }
    u->folder        = kane_arena_text(u->arena, folder);
    const char *name = u->folder ? beside(u, "kane.json") : NULL;
    kane_node *root  = name ? kane_json_read(u->arena, name, errors) : NULL;
    if (!root || errors->count > 0)
        return 0;
    if (strcmp(text_of(root, "kane"), "fmu 2") != 0)
        kane_errors_add_input(errors, KANE_BAD_INPUT, root->place,
                              "this is not what a unit is made of (\"kane\": \"fmu 2\")");
    else if (strcmp(text_of(root, "guid"), guid ? guid : "") != 0)
        kane_errors_add_input(errors, KANE_BAD_INPUT, root->place, "the unit has the GUID %s, %s was asked for",
                              text_of(root, "guid"), guid ? guid : "none");
    else
        check_files(u, root, errors);
    if (errors->count > 0)
        return 0;
    (void)snprintf(u->guid, sizeof u->guid, "%s", text_of(root, "guid"));
    u->run_file = beside(u, text_of(root, "run"));
    read_lists(u, root);
    return !kane_arena_failed(u->arena);
}

// --- simulation ---

void unit_forget(unit *u)
{
    u->knows_values = u->knows_rates = u->knows_indicators = u->knows_slopes = 0;
}

void unit_drop_simulation(unit *u)
{
    free(u->values);
    free(u->slopes);
    kane_channels_free(u->channels);
    kane_simulation_free(u->simulation);
    kane_model_free(u->model);
    kane_run_free(u->run);
    u->values     = NULL;
    u->slopes     = NULL;
    u->channels   = NULL;
    u->simulation = NULL;
    u->model      = NULL;
    u->run        = NULL;
    unit_forget(u);
}

// No file that the run names lies outside of the unit.
static void check_inside(const unit *u, const kane_run *run, kane_errors *errors)
{
    kane_inputs *inputs = kane_inputs_take(kane_run_get_definition(run), errors);
    const size_t length = strlen(u->folder);
    for (int i = 0; inputs && i < kane_inputs_count(inputs); i++) {
        const char *file = kane_inputs_file(inputs, i);
        if (strncmp(file, u->folder, length) != 0 || file[length] != '/')
            kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = u->run_file, .path = ""},
                                  "the run names '%s', which is no file of the unit", file);
    }
    kane_inputs_free(inputs);
}

// PATH=VALUE, with a point whatever the locale of the host says. NULL without memory.
static const char *write_setting(kane_arena *arena, const char *path, double value)
{
    char number[KANE_NUMBER_SIZE];
    const size_t room = strlen(path) + sizeof number + 1;
    char *setting     = kane_arena_alloc(arena, room, 1);
    kane_number_format(value, number);
    if (setting)
        (void)snprintf(setting, room, "%s=%s", path, number);
    return setting;
}

// Settings with the values of parameters; the reader of the run copies them.
static kane_run *read_run(unit *u, kane_errors *errors)
{
    int count           = u->setting_count;
    kane_arena *scratch = kane_arena_create();
    for (int i = 0; scratch && i < u->parameter_count; i++)
        u->settings[count++] = write_setting(scratch, u->paths[i], u->parameters[i]);
    if (scratch && u->tolerance > 0.0)
        u->settings[count++] = write_setting(scratch, "integrator.rtol", u->tolerance);
    u->settings[count]         = NULL;
    const kane_run_options how = {.settings = u->settings, .omit = u->omit};
    kane_run *run = scratch && !kane_arena_failed(scratch) ? kane_run_read(u->run_file, &how, errors) : NULL;
    kane_arena_free(scratch);
    if (run)
        check_inside(u, run, errors);
    return run;
}

// The run's own end does not end it: who steps it decides.
static kane_simulation *create_simulation(const unit *u, kane_errors *errors)
{
    const kane_run_definition *d = kane_run_get_definition(u->run);
    kane_conditions conditions   = d->conditions;
    kane_settings settings       = d->settings;
    conditions.time = conditions.distance = 0.0;
    if (u->kind == UNIT_EXCHANGE) {
        settings.integrator   = kane_outside_integrator();
        settings.rods.inertia = KANE_RODS_EXACT; // earlier steps are not known
    }
    return kane_simulation_create(u->model, &settings, &conditions, errors);
}

// Where outputs and inputs stand among channels and in the model; whether the model is of the size that is described.
static int find_variables(unit *u, kane_errors *errors)
{
    const int count = u->channels ? kane_channels_count(u->channels) : 0;
    for (int i = 0; i < u->output_count; i++) {
        u->place[i] = u->channels ? kane_channels_find(u->channels, u->outputs[i]) : -1;
        if (u->place[i] < 0)
            return 0;
    }
    for (int i = 0; i < u->input_count; i++) {
        u->input_place[i] = kane_model_find_input(u->model, u->inputs[i], errors);
        if (u->input_place[i] < 0)
            return 0;
    }
    if (kane_outside_size(u->simulation) != u->state_count ||
        kane_outside_indicator_count(u->simulation) != u->indicator_count) {
        kane_errors_add(
            errors, KANE_BAD_INPUT,
            "with these parameters the model has %d states and %d event indicators, the unit is described with %d "
            "and %d",
            kane_outside_size(u->simulation), kane_outside_indicator_count(u->simulation), u->state_count,
            u->indicator_count);
        return 0;
    }
    u->values = calloc((size_t)count + 1, sizeof *u->values);
    u->slopes = calloc((size_t)kane_outside_pattern(u->simulation)->count + 1, sizeof *u->slopes);
    return u->values && u->slopes;
}

// How it starts, where that may surprise.
static void tell_start(const unit *u)
{
    const char *why = "";
    char text[TEXT];
    if (kane_simulation_began(u->simulation, &why) != KANE_START_UNBALANCED)
        return;
    (void)snprintf(text, sizeof text, "it starts in its static position, for there is no equilibrium: %s", why);
    unit_tell(u, UNIT_WARNING, UNIT_LOG_WARNING, text);
}

unit_status unit_prepare(unit *u)
{
    kane_errors errors = {0};
    if (u->simulation)
        return UNIT_OK;
    u->run        = read_run(u, &errors);
    u->model      = u->run && errors.count == 0 ? kane_run_create_model(u->run, &errors) : NULL;
    u->simulation = u->model ? create_simulation(u, &errors) : NULL;
    u->channels   = u->simulation && u->output_count > 0
                        ? kane_channels_create(u->simulation, u->output_count, u->outputs, NULL, &errors)
                        : NULL;
    if (u->simulation && (u->output_count == 0 || u->channels) && find_variables(u, &errors)) {
        for (int i = 0; i < u->input_count; i++)
            (void)kane_simulation_set_input(u->simulation, u->input_place[i], u->input[i]);
        kane_outside_nominals(u->simulation, u->nominals);
        tell_start(u);
        return UNIT_OK;
    }
    const unit_status status = unit_fail(u, &errors);
    unit_drop_simulation(u);
    return status;
}

// --- instances ---

unit *unit_create(const unit_wish *wish)
{
    kane_errors errors = {0};
    kane_arena *arena  = kane_arena_create();
    unit *u            = arena ? kane_arena_alloc(arena, 1, sizeof *u) : NULL;
    if (!u) {
        kane_arena_free(arena);
        return NULL;
    }
    u->arena       = arena;
    u->kind        = wish->kind;
    u->name        = kane_arena_text(arena, wish->name ? wish->name : "");
    u->log         = wish->log;
    u->front       = wish->front;
    u->logs_events = wish->logs;
    if (read_resources(u, wish->resources, wish->guid, &errors))
        return u;
    (void)unit_fail(u, &errors);
    kane_arena_free(arena);
    return NULL;
}

void unit_free(unit *u)
{
    if (!u)
        return;
    unit_drop_simulation(u);
    kane_arena_free(u->arena);
}

unit_status unit_set_up(unit *u, int has_tolerance, double tolerance, double start)
{
    if (start != 0.0)
        return unit_refuse(u, "a run begins at time 0: the start time must be 0");
    if (has_tolerance && !(tolerance > 0.0 && isfinite(tolerance)))
        return unit_refuse(u, "the tolerance must be positive");
    if (u->tolerance != (has_tolerance ? tolerance : 0.0))
        unit_drop_simulation(u); // it is made anew with it
    u->tolerance = has_tolerance ? tolerance : 0.0;
    return UNIT_OK;
}

unit_status unit_enter_initialization(unit *u)
{
    u->phase = UNIT_INITIALIZING;
    return UNIT_OK;
}

unit_status unit_exit_initialization(unit *u)
{
    const unit_status status = unit_prepare(u);
    if (status == UNIT_OK)
        u->phase = u->kind == UNIT_STEPS ? UNIT_STEPPING : UNIT_EVENT;
    return status;
}

unit_status unit_terminate(unit *u)
{
    u->phase = UNIT_TERMINATED;
    return UNIT_OK;
}

unit_status unit_reset(unit *u)
{
    unit_drop_simulation(u);
    for (int i = 0; i < u->parameter_count; i++)
        u->parameters[i] = u->start[i];
    for (int i = 0; i < u->input_count; i++)
        u->input[i] = u->input_start[i];
    u->tolerance = 0.0;
    u->phase     = UNIT_INSTANTIATED;
    return UNIT_OK;
}

// --- values ---

unit_group unit_find(const unit *u, unsigned reference, int *place)
{
    const int counts[] = {u->parameter_count, u->input_count,    1, u->output_count, u->state_count,
                          u->state_count,     u->indicator_count};
    unsigned rest      = reference;
    int group          = UNIT_PARAMETER;
    while (group < UNIT_NOTHING && rest >= (unsigned)counts[group])
        rest -= (unsigned)counts[group++];
    *place = (int)rest;
    return (unit_group)group;
}

// Finds the values of a group at the present time, unless they are known.
static unit_status know_group(unit *u, unit_group group)
{
    int *const flags[UNIT_NOTHING] = {[UNIT_OUTPUT]    = u->channels ? &u->knows_values : NULL,
                                      [UNIT_RATE]      = &u->knows_rates,
                                      [UNIT_INDICATOR] = &u->knows_indicators};
    kane_errors errors             = {0};
    if (!flags[group] || *flags[group])
        return UNIT_OK;
    const kane_status status = group == UNIT_OUTPUT ? kane_channels_read(u->channels, u->simulation, u->values)
                               : group == UNIT_RATE ? kane_outside_rates(u->simulation, u->rates, &errors)
                                                    : kane_outside_indicators(u->simulation, u->indicators, &errors);
    if (status != KANE_OK && group == UNIT_OUTPUT)
        kane_work_fault(u->model, kane_simulation_work(u->simulation), &errors);
    *flags[group] = status == KANE_OK;
    return answer(u, status, &errors);
}

double unit_time(const unit *u)
{
    return u->simulation ? kane_simulation_time(u->simulation) : 0.0;
}

// What is asked for is a value of the simulation: it is made where that is still due.
unit_status unit_have_simulation(unit *u)
{
    if (!u->simulation && u->phase > UNIT_INITIALIZING)
        return unit_refuse(u, "the unit is not simulated: an earlier call has failed");
    return unit_prepare(u);
}

static unit_status get_one(unit *u, unit_group group, int place, double *value)
{
    unit_status status = UNIT_OK;
    if (group == UNIT_NOTHING)
        return unit_refuse(u, "there is no variable of this value reference");
    if (group >= UNIT_OUTPUT && u->phase == UNIT_INSTANTIATED)
        return unit_refuse(u, "outputs and states are known from initialization on");
    if (group >= UNIT_OUTPUT)
        status = unit_have_simulation(u);
    if (status == UNIT_OK)
        status = know_group(u, group);
    if (status != UNIT_OK)
        return status;
    switch (group) {
    case UNIT_PARAMETER: *value = u->parameters[place]; break;
    case UNIT_INPUT: *value = u->input[place]; break;
    case UNIT_TIME: *value = unit_time(u); break;
    case UNIT_OUTPUT: *value = u->values[u->place[place]]; break;
    case UNIT_STATE: *value = kane_simulation_state(u->simulation)[place]; break;
    case UNIT_RATE: *value = u->rates[place]; break;
    case UNIT_INDICATOR: *value = u->indicators[place]; break;
    case UNIT_NOTHING: break;
    }
    return UNIT_OK;
}

unit_status unit_get(unit *u, size_t count, const unsigned *references, double *values)
{
    unit_status status = UNIT_OK;
    if (count > 0 && !(unit_is_given(u, references, "vr") && unit_is_given(u, values, "value")))
        return UNIT_ERROR;
    for (size_t i = 0; i < count && status == UNIT_OK; i++) {
        int place              = 0;
        const unit_group group = unit_find(u, references[i], &place);
        status                 = get_one(u, group, place, &values[i]);
    }
    return status;
}

static unit_status set_parameter(unit *u, int place, double value)
{
    if (u->phase > UNIT_INITIALIZING)
        return unit_refuse(u, "parameters are fixed once initialization has ended");
    if (u->parameters[place] != value)
        unit_drop_simulation(u); // it is made anew with them
    u->parameters[place] = value;
    return UNIT_OK;
}

static unit_status set_input(unit *u, int place, double value)
{
    if (u->simulation && kane_simulation_set_input(u->simulation, u->input_place[place], value) != KANE_OK)
        return unit_refuse(u, "an input cannot be set");
    u->input[place] = value;
    unit_forget(u);
    return UNIT_OK;
}

// States can be set one by one where they can be set together.
static unit_status set_state(unit *u, int place, double value)
{
    if (u->phase != UNIT_CONTINUOUS)
        return unit_refuse(u, "states are set in continuous-time mode");
    double *y = malloc((size_t)u->state_count * sizeof *y);
    if (!y)
        return unit_refuse(u, kane_status_text(KANE_NO_MEMORY));
    memcpy(y, kane_simulation_state(u->simulation), (size_t)u->state_count * sizeof *y);
    y[place]                 = value;
    const unit_status status = unit_set_states(u, (size_t)u->state_count, y);
    free(y);
    return status;
}

unit_status unit_set(unit *u, size_t count, const unsigned *references, const double *values)
{
    unit_status status = UNIT_OK;
    if (count > 0 && !(unit_is_given(u, references, "vr") && unit_is_given(u, values, "value")))
        return UNIT_ERROR;
    for (size_t i = 0; i < count && status == UNIT_OK; i++) {
        int place              = 0;
        const unit_group group = unit_find(u, references[i], &place);
        if (group != UNIT_PARAMETER && group != UNIT_INPUT && group != UNIT_STATE)
            status = unit_refuse(u, "what is set is neither a parameter nor an input nor a state");
        else if (!isfinite(values[i]))
            status = unit_refuse(u, "what is set is not finite");
        else
            status = group == UNIT_PARAMETER ? set_parameter(u, place, values[i])
                     : group == UNIT_INPUT   ? set_input(u, place, values[i])
                                             : set_state(u, place, values[i]);
    }
    return status;
}

// --- co-simulation ---

int unit_has_ended(const unit *u)
{
    return u->simulation && kane_simulation_stop(u->simulation) != KANE_STOP_NONE;
}

static void tell_end(const unit *u)
{
    char text[TEXT], time[KANE_NUMBER_SIZE];
    kane_number_round(unit_time(u), 6, time);
    (void)snprintf(text, sizeof text, "the run ends at %s s: %s %s", time,
                   kane_stop_name(kane_simulation_stop(u->simulation)), kane_simulation_stop_subject(u->simulation));
    unit_tell(u, UNIT_DISCARD, UNIT_LOG_DISCARD, text);
}

static unit_status refuse_step(const unit *u, double now, double time, double step)
{
    char text[TEXT], stands[KANE_NUMBER_SIZE], from[KANE_NUMBER_SIZE], by[KANE_NUMBER_SIZE];
    kane_number_format(now, stands);
    kane_number_format(time, from);
    kane_number_format(step, by);
    (void)snprintf(text, sizeof text, "the unit stands at %s s; a step of %s s from %s s cannot be", stands, by, from);
    return unit_refuse(u, text);
}

unit_status unit_step(unit *u, double time, double step, int *has_ended)
{
    kane_errors errors = {0};
    *has_ended         = 0;
    const double now = unit_time(u), small = 1e-9 * fmax(1.0, fabs(now)), goal = fmax(now, time + step);
    if (!(step >= 0.0) || !(fabs(time - now) <= small) || !(goal <= latest_time))
        return refuse_step(u, now, time, step);
    unit_forget(u);
    // where inputs may change the integrator ends its steps with those of the unit
    const kane_status status = u->input_count > 0 && goal > now
                                   ? kane_simulation_step(u->simulation, goal - now, &errors)
                                   : kane_simulation_advance(u->simulation, goal, &errors);
    if (status != KANE_OK)
        return unit_fail(u, &errors);
    *has_ended = unit_has_ended(u);
    if (*has_ended)
        tell_end(u);
    return UNIT_OK;
}

// --- model exchange ---

// Whether there is room for as many numbers as there are, once the simulation is there.
static unit_status of_size(unit *u, size_t count, int expected, const double *numbers)
{
    char text[TEXT];
    if (count == (size_t)expected)
        return expected == 0 || unit_is_given(u, numbers, "numbers") ? unit_have_simulation(u) : UNIT_ERROR;
    (void)snprintf(text, sizeof text, "there are %d of them, not %zu", expected, count);
    return unit_refuse(u, text);
}

unit_status unit_enter_event(unit *u)
{
    u->phase = UNIT_EVENT;
    return UNIT_OK;
}

unit_status unit_enter_continuous(unit *u)
{
    u->phase = UNIT_CONTINUOUS;
    return UNIT_OK;
}

unit_status unit_do_event(unit *u, unit_event *event)
{
    kane_errors errors = {0};
    char text[TEXT], time[KANE_NUMBER_SIZE];
    *event = (unit_event){0};
    unit_forget(u);
    const kane_status status = kane_outside_event(u->simulation, &event->has_jumped, &errors);
    if (status != KANE_OK)
        return unit_fail(u, &errors);
    event->ends     = unit_has_ended(u);
    event->next     = kane_outside_next(u->simulation);
    event->has_next = !event->ends && event->next < HUGE_VAL;
    if (event->ends)
        tell_end(u);
    kane_number_round(unit_time(u), 9, time);
    (void)snprintf(text, sizeof text, "event at %s s%s", time, event->has_jumped ? ": the state has jumped" : "");
    unit_tell(u, UNIT_OK, UNIT_LOG_EVENT, text);
    return UNIT_OK;
}

unit_status unit_complete(unit *u, int *is_due)
{
    kane_errors errors = {0};
    *is_due            = 0;
    return answer(u, kane_outside_complete(u->simulation, is_due, &errors), &errors);
}

unit_status unit_set_time(unit *u, double time)
{
    if (!(time >= 0.0))
        return unit_refuse(u, "a run begins at time 0: there is no time before it");
    unit_forget(u);
    return kane_outside_put(u->simulation, time, NULL) == KANE_OK ? UNIT_OK : unit_refuse(u, "the time is not finite");
}

unit_status unit_set_states(unit *u, size_t count, const double *states)
{
    if (of_size(u, count, u->state_count, states) != UNIT_OK)
        return UNIT_ERROR;
    unit_forget(u);
    return kane_outside_put(u->simulation, unit_time(u), states) == KANE_OK ? UNIT_OK
                                                                            : unit_refuse(u, "a state is not finite");
}

// All values of a group.
static unit_status get_group(unit *u, unit_group group, size_t count, int expected, double *values)
{
    unit_status status = of_size(u, count, expected, values);
    for (size_t i = 0; i < count && status == UNIT_OK; i++)
        status = get_one(u, group, (int)i, &values[i]);
    return status;
}

unit_status unit_get_states(unit *u, size_t count, double *states)
{
    return get_group(u, UNIT_STATE, count, u->state_count, states);
}

unit_status unit_get_rates(unit *u, size_t count, double *rates)
{
    return get_group(u, UNIT_RATE, count, u->state_count, rates);
}

unit_status unit_get_indicators(unit *u, size_t count, double *indicators)
{
    return get_group(u, UNIT_INDICATOR, count, u->indicator_count, indicators);
}

unit_status unit_get_nominals(unit *u, size_t count, double *nominals)
{
    if (of_size(u, count, u->state_count, nominals) != UNIT_OK)
        return UNIT_ERROR;
    if (count > 0)
        memcpy(nominals, u->nominals, count * sizeof *nominals);
    return UNIT_OK;
}
