// SPDX-License-Identifier: MIT
// What changes a vehicle, mechanism or train before it is read: its variant, and settings.

#include "vehicles/vehicle_file.h"

#include "base/json.h"

#include <string.h>

int kane_vehicle_is(const kane_node *root, const char *kind)
{
    const kane_node *kane = kane_node_find(root, "kane");
    const size_t length   = strlen(kind);
    return kane && kane->kind == KANE_NODE_TEXT && strncmp(kane->text, kind, length) == 0 && kane->text[length] == ' ';
}

// A variant is a list of texts "PATH=VALUE"; all variants are checked, also those not selected.
static void check_variant(kane_reader *reader, const kane_node *variant)
{
    if (variant->kind != KANE_NODE_LIST)
        kane_reader_wrong_kind(reader, variant, "a list of settings such as [\"bodies.body.mass=9 t\"]");
    for (const kane_node *text = variant->kind == KANE_NODE_LIST ? variant->child : NULL; text; text = text->next)
        if (text->kind != KANE_NODE_TEXT)
            kane_reader_wrong_kind(reader, text, "a text \"PATH=VALUE\" such as \"bodies.body.mass=9 t\"");
}

// Applies the assignments of a list to the document.
static kane_status apply_settings(kane_arena *arena, kane_node *root, const kane_node *list, kane_errors *errors)
{
    kane_status status    = KANE_OK;
    const kane_node *text = list && list->kind == KANE_NODE_LIST ? list->child : NULL;
    for (; text && status != KANE_NO_MEMORY; text = text->next)
        if (text->kind == KANE_NODE_TEXT)
            status = kane_json_assign_from(arena, root, text, errors);
    return status == KANE_NO_MEMORY ? status : KANE_OK;
}

// Applies the selected variant.
static kane_status apply_variant(kane_arena *arena, kane_node *root, const kane_node *variants,
                                 const kane_vehicle_request *request, kane_errors *errors)
{
    const kane_names names = variants ? kane_node_keys(arena, variants) : (kane_names){NULL, 0, sizeof(char *)};
    const int index        = kane_names_resolve(names, "variant", request->variant, request->variant_place, errors);
    return index >= 0 ? apply_settings(arena, root, kane_node_at(variants, index), errors) : KANE_OK;
}

// Settings from outside: those of variants, or all others.
static kane_status apply_typed(kane_reader *reader, kane_node *root, const kane_vehicle_request *request,
                               int of_variants)
{
    kane_status status = KANE_OK;
    for (int i = 0; i < request->setting_count && status != KANE_NO_MEMORY; i++)
        if (kane_json_assigns(reader->arena, root, request->settings[i].text, "variants") == of_variants)
            status = kane_json_assign_part(reader->arena, root, request->settings[i].text, request->settings[i].typed,
                                           reader->errors);
    return status == KANE_NO_MEMORY ? status : KANE_OK;
}

static kane_status apply_all(kane_reader *reader, kane_node *root, const char *kind, const kane_node *variants,
                             const kane_vehicle_request *request)
{
    const int is_object = variants && variants->kind == KANE_NODE_OBJECT;
    kane_status status  = KANE_OK;
    if (kane_vehicle_is(root, kind)) {
        if (request->variant && (is_object || !variants))
            status = apply_variant(reader->arena, root, variants, request, reader->errors);
        if (status == KANE_OK)
            status = apply_settings(reader->arena, root, request->changes, reader->errors);
    }
    if (status != KANE_NO_MEMORY)
        status = apply_typed(reader, root, request, 0);
    return status == KANE_NO_MEMORY ? status : kane_inherit(reader->arena, root, reader->errors);
}

kane_status kane_vehicle_change(kane_reader *reader, kane_node *root, const char *kind,
                                const kane_vehicle_request *request)
{
    const int before          = reader->errors->count;
    kane_status status        = apply_typed(reader, root, request, 1); // before one of them is chosen
    const kane_node *variants = kane_node_find(root, "variants");
    const int is_object       = variants && variants->kind == KANE_NODE_OBJECT;
    if (variants && !is_object)
        kane_reader_wrong_kind(reader, variants, "an object { \"name\": [\"PATH=VALUE\", ...], ... }");
    for (const kane_node *v = is_object ? variants->child : NULL; v; v = v->next)
        if (!kane_reader_is_note(v))
            check_variant(reader, v);
    if (status != KANE_NO_MEMORY)
        status = apply_all(reader, root, kind, variants, request);
    root->fault_count += reader->errors->count - before;
    return status == KANE_NO_MEMORY ? status : KANE_OK;
}
