// SPDX-License-Identifier: MIT
// Reading a vehicle or mechanism file: its variant, its settings, its laws.

#include "vehicles/vehicle_file.h"

#include "base/json.h"

#include <string.h>

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

// A variant is a list of texts "PATH=VALUE"; all of them are looked at, also those that nobody asks for.
static void check_variant(kane_reader *reader, const kane_node *variant)
{
    if (variant->kind != KANE_NODE_LIST)
        kane_reader_wrong_kind(reader, variant, "a list of settings such as [\"bodies.body.mass=9 t\"]");
    for (const kane_node *text = variant->kind == KANE_NODE_LIST ? variant->child : NULL; text; text = text->next)
        if (text->kind != KANE_NODE_TEXT)
            kane_reader_wrong_kind(reader, text, "a text \"PATH=VALUE\" such as \"bodies.body.mass=9 t\"");
}

// Changes the document by the settings of a variant, as if they had been given before all others.
static kane_status apply(kane_arena *arena, kane_node *root, const kane_node *variants,
                         const kane_vehicle_options *options, kane_errors *errors)
{
    const kane_names names   = variants ? kane_node_keys(arena, variants) : (kane_names){NULL, 0, sizeof(char *)};
    const int index          = kane_names_resolve(names, "variant", options->variant, options->variant_place, errors);
    const kane_node *variant = index >= 0 ? kane_node_at(variants, index) : NULL;
    kane_status status       = KANE_OK;
    for (const kane_node *text = variant ? variant->child : NULL; text && status != KANE_NO_MEMORY; text = text->next)
        if (text->kind == KANE_NODE_TEXT)
            status = kane_json_assign_from(arena, root, text, errors);
    return status;
}

static const char *kind_text(kane_vehicle_kind kind)
{
    return kane_vehicle_formats.formats[kind].kind;
}

static kane_status choose_variant(kane_reader *reader, kane_node *root, const kane_vehicle_options *options)
{
    const int before          = reader->errors->count;
    const kane_node *variants = kane_node_find(root, "variants");
    const int is_object       = variants && variants->kind == KANE_NODE_OBJECT;
    kane_status status        = KANE_OK;
    if (variants && !is_object)
        kane_reader_wrong_kind(reader, variants, "an object { \"name\": [\"PATH=VALUE\", ...], ... }");
    for (const kane_node *v = is_object ? variants->child : NULL; v; v = v->next)
        if (!kane_reader_is_note(v))
            check_variant(reader, v);
    const kane_node *kane = kane_node_find(root, "kane");
    const char *kind      = kind_text(options->kind);
    const size_t length   = strlen(kind);
    const int is_it =
        kane && kane->kind == KANE_NODE_TEXT && strncmp(kane->text, kind, length) == 0 && kane->text[length] == ' ';
    if (options->variant && is_it && (is_object || !variants))
        status = apply(reader->arena, root, variants, options, reader->errors);
    root->fault_count += reader->errors->count - before;
    return status;
}

static kane_vehicle_definition *read(kane_arena *arena, const char *file, const kane_vehicle_options *options,
                                     kane_errors *errors)
{
    const kane_options *laws = kane_vehicle_laws(arena, options->laws);
    kane_node *root          = laws ? kane_document_load(arena, file, errors) : NULL;
    kane_reader reader       = {.arena = arena, .errors = errors, .variants = laws, .variant_count = 1};
    if (!root || choose_variant(&reader, root, options) == KANE_NO_MEMORY ||
        !kane_document_complete(arena, root, options->settings, errors))
        return NULL;
    const kane_vehicle_file *in =
        kane_document_read(&reader, root, kane_vehicle_formats, kind_text(options->kind), NULL);
    kane_vehicle_definition *definition = in ? kane_vehicle_build(&reader, in, options->kind) : NULL;
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
