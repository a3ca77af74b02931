// SPDX-License-Identifier: MIT
// Reading a run file with the vehicle and the track, or the mechanism, that it names.

#include <kane/vehicle.h>

#include "run/run_file.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "contact/contact.h"
#include "run/setup.h"

#include <string.h>

struct kane_run {
    kane_arena *arena;
    kane_run_definition definition;
    kane_vehicle *vehicle;
    kane_track *track;
    kane_tables *tables;               // a share of those that its models are made with
    const kane_node *root;             // of the run file
    const char *const *track_settings; // NULL-terminated
};

// Settings by document: those that begin with "vehicle." (or "train.", "mechanism.") or "track.", and the rest.
typedef struct sorted_settings {
    const char **run, **vehicle, **track; // NULL-terminated
} sorted_settings;

static const char *complete_path(kane_arena *arena, const char *setting, const char *vehicle)
{
    if (!strchr(setting, '='))
        return setting; // an error later
    const size_t size = (size_t)kane_parameter_setting(setting, vehicle, 0, NULL) + 1;
    char *text        = kane_arena_alloc(arena, size, 1);
    if (text)
        (void)kane_parameter_setting(setting, vehicle, size, text);
    return text;
}

// `vehicle` is what a part of the vehicle may leave out: "vehicle." or "mechanism.".
static int sort_settings(kane_arena *arena, const char *const *settings, const char *vehicle, sorted_settings *sorted)
{
    size_t count = 0, runs = 0, vehicles = 0, tracks = 0;
    while (settings && settings[count])
        count++;
    sorted->run     = kane_arena_alloc(arena, count + 1, sizeof *sorted->run);
    sorted->vehicle = kane_arena_alloc(arena, count + 1, sizeof *sorted->vehicle);
    sorted->track   = kane_arena_alloc(arena, count + 1, sizeof *sorted->track);
    if (!sorted->run || !sorted->vehicle || !sorted->track)
        return 0;
    for (size_t i = 0; i < count; i++) {
        const char *own = complete_path(arena, settings[i], vehicle);
        if (!own)
            return 0;
        if (strncmp(own, "vehicle.", 8) == 0 || strncmp(own, "train.", 6) == 0 || strncmp(own, "mechanism.", 10) == 0)
            sorted->vehicle[vehicles++] = own;
        else if (strncmp(own, "track.", 6) == 0)
            sorted->track[tracks++] = own;
        else
            sorted->run[runs++] = own;
    }
    return 1;
}

// Omissions that were asked for beside those of the file.
static void add_omissions(kane_run *run, const char *const *omit)
{
    kane_model_options *model = &run->definition.model;
    size_t count              = 0;
    while (omit && omit[count])
        count++;
    if (count == 0)
        return;
    kane_omission *all = kane_arena_alloc(run->arena, (size_t)model->omission_count + count, sizeof *all);
    if (!all)
        return;
    memcpy(all, model->omissions, (size_t)model->omission_count * sizeof *all);
    for (size_t i = 0; i < count; i++) {
        static const char option[] = "--omit ";
        char *place                = kane_arena_alloc(run->arena, sizeof option + strlen(omit[i]), 1);
        if (!place)
            return;
        memcpy(place, option, sizeof option - 1);
        memcpy(place + sizeof option - 1, omit[i], strlen(omit[i]) + 1);
        all[(size_t)model->omission_count + i] =
            (kane_omission){place + sizeof option - 1, {.file = place, .line = 0, .column = 0, .path = ""}};
    }
    model->omissions = all;
    model->omission_count += (int)count;
}

// A mechanism has no track: settings of the track are errors.
static void refuse_track_settings(const char *const *settings, kane_errors *errors)
{
    for (size_t i = 0; settings[i]; i++) {
        char place[400];
        kane_text text = kane_text_start(sizeof place, place);
        kane_text_add(&text, "--set %s", settings[i]);
        kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = place, .path = "track"},
                              "a mechanism stands on no track; what runs on one is a vehicle");
    }
}

// Keeps the settings, so that the manifest can say what was computed.
static void keep_settings(kane_run *run, const char *const *settings)
{
    size_t count = 0;
    while (settings && settings[count])
        count++;
    const char **kept = kane_arena_alloc(run->arena, count + 1, sizeof *kept);
    for (size_t i = 0; kept && i < count; i++)
        kept[i] = kane_arena_text(run->arena, settings[i]);
    run->definition.changes = kept;
}

// The file that a key names, relative to the run file; NULL with an error.
static const char *file_of(kane_run *run, const kane_run_file *in, const char *key, const char *name,
                           kane_errors *errors)
{
    if (name[0])
        return kane_file_beside(run->arena, run->definition.file, name);
    (void)kane_block_fault(errors, &in->block, key, "names no file; a name is relative to the run file");
    return NULL;
}

// Places of the run file are chainages; those of the drive count from the beginning of the line.
static void count_from_start(kane_run *run, double chainage)
{
    kane_drive_definition *drive = &run->definition.drive;
    drive->start -= chainage;
    if (drive->curve.point_count == 0 || drive->curve.over != KANE_SPEED_OVER_PLACE)
        return;
    double *at = kane_arena_alloc(run->arena, (size_t)drive->curve.point_count, sizeof *at);
    for (int i = 0; at && i < drive->curve.point_count; i++)
        at[i] = drive->curve.at[i] - chainage;
    drive->curve.at = at ? at : drive->curve.at; // the arena remembers that it failed
}

// Vehicle and track, or mechanism, that the file names; all errors of both.
static void read_parts(kane_run *run, const kane_run_file *in, const sorted_settings *settings,
                       const kane_run_options *options, kane_errors *errors)
{
    kane_run_definition *d       = &run->definition;
    const char *key              = in->mechanism ? "mechanism" : "vehicle";
    const char *name             = in->mechanism ? in->mechanism : in->vehicle;
    kane_vehicle_options vehicle = {.kind          = in->mechanism ? KANE_MECHANISM : KANE_VEHICLE,
                                    .variant       = in->variant,
                                    .variant_place = kane_block_place(&in->block, "variant", -1),
                                    .settings      = settings->vehicle,
                                    .laws          = options->laws,
                                    .rows          = options->rows,
                                    .joints        = options->joints};
    d->variant                   = in->variant;
    if (name)
        d->vehicle_file = file_of(run, in, key, name, errors);
    if (in->track)
        d->track_file = file_of(run, in, "track", in->track, errors);
    if ((name && !d->vehicle_file) || (in->track && !d->track_file))
        return;
    if (name)
        run->vehicle = kane_vehicle_read(d->vehicle_file, &vehicle, errors);
    run->track_settings = settings->track;
    if (in->track && !in->mechanism)
        run->track = kane_track_read(d->track_file, settings->track, errors);
    d->vehicle       = run->vehicle ? kane_vehicle_get_definition(run->vehicle) : NULL;
    d->vehicle_parts = run->vehicle ? kane_vehicle_get_parts(run->vehicle) : NULL;
    d->track         = run->track;
    if (d->vehicle && in->mechanism)
        kane_run_check_frames(d, in, errors);
    if (d->vehicle) {
        kane_run_check_joints(d, errors);
        kane_run_check_settings(in, options->is_comparison, d, errors);
    }
    if (d->track) // the file says chainages
        count_from_start(run, kane_track_get_definition(d->track)->start);
}

static void read_definition(kane_run *run, const char *file, const kane_run_options *options, kane_errors *errors)
{
    sorted_settings settings;
    run->definition.file = kane_arena_text(run->arena, file);
    kane_node *root      = run->definition.file ? kane_document_load(run->arena, file, errors) : NULL;
    const char *vehicle  = root && kane_node_find(root, "mechanism") ? "mechanism." : "vehicle.";
    if (!root || !sort_settings(run->arena, options->settings, vehicle, &settings))
        return;
    root = kane_document_complete(run->arena, root, settings.run, errors);
    if (!root)
        return;
    run->root               = root;
    kane_reader reader      = {.arena = run->arena, .errors = errors};
    const kane_run_file *in = kane_document_read(&reader, root, kane_run_formats, "run", NULL);
    if (!in)
        return;
    kane_run_build(&reader, in, &run->definition);
    run->tables                  = kane_tables_share(options->tables);
    run->definition.model.tables = run->tables;
    add_omissions(run, options->omit);
    if (in->mechanism)
        refuse_track_settings(settings.track, errors);
    keep_settings(run, options->settings);
    read_parts(run, in, &settings, options, errors);
}

kane_run *kane_run_read(const char *file, const kane_run_options *options, kane_errors *errors)
{
    kane_errors unreported         = {.limit = 1};
    kane_errors *kept              = errors ? errors : &unreported;
    const kane_run_options nothing = {0};
    const int before               = kept->count;
    kane_arena *arena              = kane_arena_create();
    kane_run *run                  = arena ? kane_arena_alloc(arena, 1, sizeof *run) : NULL;
    if (run) {
        run->arena = arena;
        read_definition(run, file, options ? options : &nothing, kept);
        if (kept->count == before && !kane_arena_failed(arena))
            return run;
    }
    if (kept->count == before)
        (void)kane_no_memory(kept);
    if (run)
        kane_run_free(run);
    else
        kane_arena_free(arena);
    return NULL;
}

void kane_run_free(kane_run *run)
{
    if (!run)
        return;
    kane_vehicle_free(run->vehicle);
    kane_track_free(run->track);
    kane_tables_free(run->tables);
    kane_arena_free(run->arena);
}

const kane_run_definition *kane_run_get_definition(const kane_run *run)
{
    return &run->definition;
}

// The document of the line is read once more: a track keeps no paths.
static int read_track_number(const kane_run *run, const char *path, kane_place place, double *value,
                             kane_errors *errors)
{
    kane_arena *arena = run->track ? kane_arena_create() : NULL;
    if (!run->track) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, place, "'%s': there is no track", path);
        return 0;
    }
    if (!arena)
        return kane_no_memory(errors) == KANE_OK;
    kane_node *root = kane_document_open(arena, run->definition.track_file, run->track_settings, errors);
    const int good  = root && kane_json_number(root, path, place, value, errors) == KANE_OK;
    kane_arena_free(arena);
    return good;
}

int kane_run_number(const kane_run *run, const char *path, const char *typed, double *value, kane_errors *errors)
{
    const kane_run_definition *d  = &run->definition;
    const kane_place place        = {.file = typed, .path = ""};
    const kane_node *vehicle      = d->vehicle->block.node;
    static const char *const of[] = {"vehicle.", "train.", "mechanism."};
    char full[600];
    (void)kane_parameter_setting(path, d->track ? "vehicle." : "mechanism.", sizeof full, full);
    while (vehicle && vehicle->parent)
        vehicle = vehicle->parent;
    if (strncmp(full, "track.", 6) == 0)
        return read_track_number(run, full + 6, place, value, errors);
    for (int i = 0; i < 3; i++)
        if (vehicle && strncmp(full, of[i], strlen(of[i])) == 0)
            return kane_json_number(vehicle, full + strlen(of[i]), place, value, errors) == KANE_OK;
    return kane_json_number(run->root, full, place, value, errors) == KANE_OK;
}

kane_model *kane_run_create_model(const kane_run *run, kane_errors *errors)
{
    const kane_run_definition *d = &run->definition;
    return kane_model_create(d->vehicle, d->track, &d->drive, &d->model, errors);
}

kane_simulation *kane_run_create_simulation(const kane_run *run, const kane_model *model, kane_errors *errors)
{
    return kane_simulation_create(model, &run->definition.settings, &run->definition.conditions, errors);
}
