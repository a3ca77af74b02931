// SPDX-License-Identifier: MIT
// Reading a vehicle, mechanism or train file: its laws, its variant and settings, its contents.

#include "vehicles/train_file.h"

struct kane_vehicle {
    kane_arena *arena;
    kane_vehicle_definition *definition;
    const char *const *parts; // files of a train's vehicles
};

const kane_options *kane_vehicle_choices(kane_arena *arena, const kane_law *const *laws,
                                         const kane_rows_kind *const *rows, const kane_joint_formula *const *joints)
{
    const kane_law *const *lists[2] = {kane_laws(), laws};
    size_t count                    = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; lists[k] && lists[k][i]; i++)
            count++;
    for (int i = 0; rows && rows[i]; i++)
        count++;
    for (int i = 0; joints && joints[i]; i++)
        count++;
    kane_options *options = kane_arena_alloc(arena, KANE_VEHICLE_CHOICES, sizeof *options);
    kane_option *option   = kane_arena_alloc(arena, count, sizeof *option);
    if (!options || !option)
        return NULL;
    options[0] = (kane_options){.key = "law", .options = option};
    for (int k = 0; k < 2; k++)
        for (int i = 0; lists[k] && lists[k][i]; i++)
            option[options[0].count++] = (kane_option){lists[k][i]->name, lists[k][i]->schema, lists[k][i]};
    option += options[0].count;
    options[1] = (kane_options){.key = "rows", .options = option};
    for (int i = 0; rows && rows[i]; i++)
        option[options[1].count++] = (kane_option){rows[i]->name, rows[i]->schema, rows[i]};
    option += options[1].count;
    options[2] = (kane_options){.key = "formula", .options = option};
    for (int i = 0; joints && joints[i]; i++)
        option[options[2].count++] = (kane_option){joints[i]->name, joints[i]->schema, joints[i]};
    return options;
}

kane_vehicle_definition *kane_vehicle_load(kane_arena *arena, kane_node *root, const kane_vehicle_request *request,
                                           kane_errors *errors)
{
    const char *kind   = kane_vehicle_formats.formats[request->kind].kind;
    kane_reader reader = {
        .arena = arena, .errors = errors, .variants = request->choices, .variant_count = KANE_VEHICLE_CHOICES};
    if (kane_vehicle_change(&reader, root, kind, request) == KANE_NO_MEMORY)
        return NULL;
    const kane_vehicle_file *in         = kane_document_read(&reader, root, kane_vehicle_formats, kind, NULL);
    kane_vehicle_definition *definition = in ? kane_vehicle_build(&reader, in, request->kind) : NULL;
    return kane_reader_status(&reader) == KANE_OK ? definition : NULL;
}

// Settings as they come from outside; NULL where memory is short.
static const kane_setting *settings_of(kane_arena *arena, const char *const *texts, int *count)
{
    *count = 0;
    while (texts && texts[*count])
        ++*count;
    kane_setting *settings = kane_arena_alloc(arena, (size_t)*count, sizeof *settings);
    for (int i = 0; i < *count && settings; i++)
        settings[i] = (kane_setting){texts[i], texts[i]};
    return settings;
}

static void read_vehicle(kane_vehicle *vehicle, const char *file, const kane_vehicle_options *options,
                         kane_errors *errors)
{
    kane_arena *arena            = vehicle->arena;
    kane_vehicle_request request = {.file          = file,
                                    .kind          = options->kind,
                                    .variant       = options->variant,
                                    .variant_place = options->variant_place,
                                    .choices =
                                        kane_vehicle_choices(arena, options->laws, options->rows, options->joints)};
    request.settings             = settings_of(arena, options->settings, &request.setting_count);
    kane_node *root              = request.choices && request.settings ? kane_document_load(arena, file, errors) : NULL;
    if (!root)
        return;
    if (options->kind == KANE_VEHICLE && kane_vehicle_is(root, "train"))
        vehicle->definition = kane_train_read(arena, root, &request, &vehicle->parts, errors);
    else
        vehicle->definition = kane_vehicle_load(arena, root, &request, errors);
}

kane_vehicle *kane_vehicle_read(const char *file, const kane_vehicle_options *options, kane_errors *errors)
{
    kane_errors unreported             = {.limit = 1};
    kane_errors *kept                  = errors ? errors : &unreported;
    const kane_vehicle_options nothing = {0};
    const int before                   = kept->count;
    kane_arena *arena                  = kane_arena_create();
    kane_vehicle *vehicle              = arena ? kane_arena_alloc(arena, 1, sizeof *vehicle) : NULL;
    if (vehicle) {
        vehicle->arena = arena;
        read_vehicle(vehicle, file, options ? options : &nothing, kept);
        if (vehicle->definition && kept->count == before)
            return vehicle;
    }
    if (!arena || (kane_arena_failed(arena) && kept->count == before))
        (void)kane_no_memory(kept);
    kane_arena_free(arena);
    return NULL;
}

void kane_vehicle_free(kane_vehicle *vehicle)
{
    if (vehicle)
        kane_arena_free(vehicle->arena);
}

const kane_vehicle_definition *kane_vehicle_get_definition(const kane_vehicle *vehicle)
{
    return vehicle->definition;
}

const char *const *kane_vehicle_get_parts(const kane_vehicle *vehicle)
{
    return vehicle->parts;
}
