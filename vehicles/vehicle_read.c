// SPDX-License-Identifier: MIT
// Reading a vehicle file: its variant, its settings, its laws.

#include "vehicles/vehicle_file.h"

#include "base/json.h"

struct kane_vehicle {
    kane_arena *arena;
    kane_vehicle_definition *definition;
};

const kane_options *kane_vehicle_laws(kane_arena *arena, const kane_law *const *more)
{
    const kane_law *const *lists[2] = {kane_laws(), more};
    size_t count                    = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; lists[k] && lists[k][i]; i++)
            count++;
    kane_options *options = kane_arena_alloc(arena, 1, sizeof *options);
    kane_option *option   = kane_arena_alloc(arena, count, sizeof *option);
    if (!options || !option)
        return NULL;
    *options = (kane_options){.key = "law", .options = option};
    for (int k = 0; k < 2; k++)
        for (int i = 0; lists[k] && lists[k][i]; i++)
            option[options->count++] = (kane_option){lists[k][i]->name, lists[k][i]->schema, lists[k][i]};
    return options;
}

static int count_settings(const char *const *settings)
{
    int count = 0;
    while (settings && settings[count])
        count++;
    return count;
}

// The list of settings that a variant stands for; NULL with an error if there is none of that name.
static const kane_node *find_variant(kane_arena *arena, const char *file, const kane_vehicle_options *options,
                                     kane_errors *errors)
{
    const int before          = errors->count;
    const kane_node *root     = kane_json_read(arena, file, errors);
    const kane_node *variants = root ? kane_node_find(root, "variants") : NULL;
    const kane_node *variant  = variants ? kane_node_find(variants, options->variant) : NULL;
    if (errors->count > before)
        return NULL;
    if (!variant) {
        const kane_names none  = {NULL, 0, sizeof(char *)};
        const kane_names known = variants ? kane_node_keys(arena, variants) : none;
        (void)kane_names_resolve(known, "variant", options->variant, options->variant_place, errors);
        return NULL;
    }
    for (const kane_node *text = variant->child; text; text = text->next)
        if (text->kind != KANE_NODE_TEXT)
            kane_errors_add_input(errors, KANE_BAD_INPUT, text->place,
                                  "must be a text \"PATH=VALUE\", such as \"bodies.body.mass=9 t\"");
    if (variant->kind != KANE_NODE_LIST)
        kane_errors_add_input(errors, KANE_BAD_INPUT, variant->place,
                              "a variant is a list of settings such as [\"bodies.body.mass=9 t\"]");
    return errors->count > before ? NULL : variant;
}

// Settings of the variant, then those that were given. NULL if there is an error.
static const char *const *all_settings(kane_arena *arena, const char *file, const kane_vehicle_options *options,
                                       kane_errors *errors)
{
    const int given          = count_settings(options->settings);
    const kane_node *variant = options->variant ? find_variant(arena, file, options, errors) : NULL;
    if (options->variant && !variant)
        return NULL;
    const int of_variant   = variant ? variant->count : 0;
    const char **settings  = kane_arena_alloc(arena, (size_t)(of_variant + given + 1), sizeof *settings);
    const kane_node *child = variant ? variant->child : NULL;
    for (int i = 0; settings && child; i++, child = child->next)
        settings[i] = child->text;
    for (int i = 0; settings && i < given; i++)
        settings[of_variant + i] = options->settings[i];
    if (!settings)
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    return settings;
}

static kane_vehicle_definition *read(kane_arena *arena, const char *file, const kane_vehicle_options *options,
                                     kane_errors *errors)
{
    const char *const *settings = all_settings(arena, file, options, errors);
    const kane_options *laws    = kane_vehicle_laws(arena, options->laws);
    kane_node *root             = settings && laws ? kane_document_open(arena, file, settings, errors) : NULL;
    if (!root)
        return NULL;
    kane_reader reader                  = {.arena = arena, .errors = errors, .variants = laws, .variant_count = 1};
    const kane_vehicle_file *in         = kane_document_read(&reader, root, kane_vehicle_formats, "vehicle", NULL);
    kane_vehicle_definition *definition = in ? kane_vehicle_build(&reader, in) : NULL;
    return kane_reader_status(&reader) == KANE_OK ? definition : NULL;
}

kane_vehicle *kane_vehicle_read(const char *file, const kane_vehicle_options *options, kane_errors *errors)
{
    kane_errors nobody                 = {0};
    kane_errors *kept                  = errors ? errors : &nobody;
    const kane_vehicle_options nothing = {0};
    const int before                   = kept->count;
    kane_arena *arena                  = kane_arena_create();
    kane_vehicle *vehicle              = arena ? kane_arena_alloc(arena, 1, sizeof *vehicle) : NULL;
    if (vehicle) {
        vehicle->arena      = arena;
        vehicle->definition = read(arena, file, options ? options : &nothing, kept);
        if (vehicle->definition && kept->count == before)
            return vehicle;
    }
    if (!arena || (kane_arena_failed(arena) && kept->count == before))
        kane_errors_add(kept, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
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
