// SPDX-License-Identifier: MIT
// Objects into structs. An object may be described by several schemas at once: those requested, and those that
// its variant keys choose.

#include "base/document.h"

#include "base/json.h"

#include <string.h>

enum { MESSAGE = sizeof((kane_error *)0)->text };

typedef struct part {
    const kane_schema *schema;
    char *base; // its struct
} part;

typedef struct object {
    const kane_node *node;  // NULL: it was not typed
    const kane_node *owner; // the nearest thing that was typed: the object itself, or what it is missing in
    const char *name;       // in a map, "" elsewhere
    part parts[KANE_PARTS_MOST];
    int count;
} object;

static void fill_object(kane_reader *reader, object *o);

const kane_options *kane_options_find(const kane_options *variants, int count, const kane_key *key)
{
    const char *wanted = key->detail ? (const char *)key->detail : key->name;
    for (int i = 0; i < count; i++)
        if (strcmp(variants[i].key, wanted) == 0)
            return &variants[i];
    return NULL;
}

static const kane_options *options_of(const kane_reader *reader, const kane_key *key)
{
    return kane_options_find(reader->variants, reader->variant_count, key);
}

static const kane_option *find_option(const kane_options *options, const char *name)
{
    for (int i = 0; options && i < options->count; i++)
        if (strcmp(options->options[i].name, name) == 0)
            return &options->options[i];
    return NULL;
}

// --- keys that are not given ---

// The default of a key as a node at the object's place; NULL if it has none (or without memory).
static kane_node *default_of(kane_reader *reader, const object *o, const kane_key *key)
{
    if (!key->otherwise || reader->no_memory)
        return NULL;
    kane_node *value = NULL;
    kane_place place = o->owner->place;
    place.path       = kane_path_join(reader->arena, place.path, key->name, -1);
    if (!place.path) {
        kane_reader_no_memory(reader, o->owner->place);
        return NULL;
    }
    const kane_status status =
        kane_json_value(reader->arena, key->otherwise, place, key->name, o->owner->depth + 1, &value, reader->errors);
    if (status == KANE_NO_MEMORY)
        reader->no_memory = 1;
    if (status != KANE_OK)
        reader->fault_count++;
    return value;
}

static void report_missing(kane_reader *reader, const object *o, const kane_key *key)
{
    char buffer[MESSAGE];
    kane_text text = kane_text_start(sizeof buffer, buffer);
    kane_text_add(&text, "'%s' is missing", key->name);
    if (key->help && key->unit && strcmp(key->unit, "1") != 0)
        kane_text_add(&text, ": %s [%s]", key->help, key->unit);
    else if (key->help)
        kane_text_add(&text, ": %s", key->help);
    kane_reader_report(reader, o->owner->place, "%s", buffer);
}

// --- values that hold objects ---

static void set_block(char *base, const char *name, const kane_node *node)
{
    kane_block *block = (kane_block *)(void *)base;
    block->name       = name;
    block->node       = node;
}

// Columns of results are called by it, which are groups of an HDF5 file: "/" would begin another one.
static void check_name(kane_reader *reader, const kane_node *node)
{
    if (node->key[0] == '\0')
        kane_reader_report(reader, kane_node_key_place(node), "a name must not be empty");
    else if (strchr(node->key, '/'))
        kane_reader_report(reader, kane_node_key_place(node), "a name must have no '/'");
    else
        kane_reader_check_text(reader, kane_node_key_place(node), "a name", node->key);
}

// The objects of a list or a map, each into a struct.
static void read_items(kane_reader *reader, const kane_schema *schema, const kane_node *node, kane_items *items)
{
    const int is_map = node->kind == KANE_NODE_OBJECT;
    char *at         = kane_arena_alloc(reader->arena, (size_t)node->count, schema->size);
    if (!at) {
        kane_reader_no_memory(reader, node->place);
        return;
    }
    items->items = at;
    for (const kane_node *c = node->child; c; c = c->next) {
        if (is_map && (kane_reader_is_note(c) || (c->kind == KANE_NODE_TEXT && strcmp(c->key, "like") == 0)))
            continue;
        object o = {.node = c, .owner = c, .name = is_map ? c->key : "", .parts = {{schema, at}}, .count = 1};
        if (is_map)
            check_name(reader, c);
        if (c->kind != KANE_NODE_OBJECT) {
            kane_reader_wrong_kind(reader, c, "an object { }");
            continue;
        }
        fill_object(reader, &o);
        at += schema->size;
        items->count++;
    }
}

static void read_member(kane_reader *reader, const kane_key *key, const kane_node *node, char *member)
{
    const kane_node_kind wanted = key->kind == KANE_KEY_LIST ? KANE_NODE_LIST : KANE_NODE_OBJECT;
    switch (key->kind) {
    case KANE_KEY_OBJECT:
    case KANE_KEY_LIST:
    case KANE_KEY_MAP:
        if (node->kind != wanted) {
            kane_reader_wrong_kind(reader, node,
                                   key->kind == KANE_KEY_OBJECT ? "an object { }"
                                   : key->kind == KANE_KEY_LIST ? "a list of objects [ { }, ... ]"
                                                                : "an object { \"name\": { }, ... }");
        } else if (key->kind == KANE_KEY_OBJECT) {
            object o = {.node = node, .owner = node, .name = "", .parts = {{key->detail, member}}, .count = 1};
            fill_object(reader, &o);
        } else {
            read_items(reader, key->detail, node, (kane_items *)(void *)member);
        }
        break;
    case KANE_KEY_VARIANT: break; // done before all others
    default: kane_reader_value(reader, key, node, member);
    }
}

// --- variants ---

// Adds the schema that the text of a variant key names. A wrong text is reported when the key itself is read.
static void choose_variant(kane_reader *reader, object *o, const kane_key *key, char *member)
{
    const kane_node *node  = o->node ? kane_node_find(o->node, key->name) : NULL;
    const kane_node *value = node ? node : default_of(reader, o, key);
    const kane_option *option =
        value && value->kind == KANE_NODE_TEXT ? find_option(options_of(reader, key), value->text) : NULL;
    if (!option)
        return;
    kane_variant *variant = (kane_variant *)(void *)member;
    *variant              = (kane_variant){.name = option->name, .tag = option->tag};
    if (!option->schema)
        return;
    if (o->count == KANE_PARTS_MOST) {
        kane_reader_report(reader, o->owner->place, "more than %d choices within each other", KANE_PARTS_MOST);
        return;
    }
    variant->value = kane_arena_alloc(reader->arena, 1, option->schema->size);
    if (variant->value)
        o->parts[o->count++] = (part){option->schema, variant->value};
    else
        kane_reader_no_memory(reader, o->owner->place);
}

static void report_variant(kane_reader *reader, const kane_key *key, const kane_node *node)
{
    const kane_options *options = options_of(reader, key);
    kane_names names            = {0};
    if (options)
        names = (kane_names){options->options, options->count, sizeof options->options[0]};

    char buffer[MESSAGE];
    kane_text text = kane_text_start(sizeof buffer, buffer);
    if (node->kind != KANE_NODE_TEXT) {
        kane_reader_wrong_kind(reader, node, "a text");
    } else if (kane_names_find(names, node->text) < 0) {
        kane_text_quote(&text, '\'', node->text);
        kane_text_add(&text, " is not known");
        kane_names_hint(&text, names, node->text);
        kane_reader_report(reader, node->place, "%s", buffer);
    }
}

// --- one object ---

// Should a choice have been made, and was not? Then that has been reported.
static int is_open(const object *o, const part *of, const kane_key *key)
{
    const kane_variant *variant = (const kane_variant *)(const void *)(of->base + key->offset);
    return !variant->name && (key->presence == KANE_REQUIRED || kane_node_find(o->node, key->name));
}

static const kane_key *find_key(const kane_schema *schema, const char *name)
{
    for (int k = 0; schema && k < schema->key_count; k++)
        if (strcmp(schema->keys[k].name, name) == 0)
            return &schema->keys[k];
    return NULL;
}

// An unknown key that belongs to a choice which was not made. Returns 0 if there is none.
static int report_elsewhere(kane_reader *reader, const object *o, const kane_node *child)
{
    for (int p = 0; p < o->count; p++)
        for (int k = 0; k < o->parts[p].schema->key_count; k++) {
            const kane_key *key         = &o->parts[p].schema->keys[k];
            const kane_options *options = key->kind == KANE_KEY_VARIANT ? options_of(reader, key) : NULL;
            for (int i = 0; options && i < options->count; i++) {
                if (!find_key(options->options[i].schema, child->key))
                    continue;
                if (!is_open(o, &o->parts[p], key))
                    kane_reader_report(reader, kane_node_key_place(child),
                                       "unknown key here, it belongs to \"%s\": \"%s\"", key->name,
                                       options->options[i].name);
                return 1;
            }
        }
    return 0;
}

// Offers all keys that the object may have: where a choice is open, those of all its options.
static void offer_keys(const kane_reader *reader, const object *o, kane_near *near)
{
    for (int p = 0; p < o->count; p++)
        for (int k = 0; k < o->parts[p].schema->key_count; k++) {
            const kane_key *key = &o->parts[p].schema->keys[k];
            kane_near_offer(near, key->name);
            if (key->kind != KANE_KEY_VARIANT || !is_open(o, &o->parts[p], key))
                continue;
            const kane_options *options = options_of(reader, key);
            for (int i = 0; options && i < options->count; i++)
                for (int j = 0; options->options[i].schema && j < options->options[i].schema->key_count; j++)
                    kane_near_offer(near, options->options[i].schema->keys[j].name);
        }
}

static int is_comment(const char *key)
{
    static const char *const starts[] = {"comment", "remark", "description", "//", "#", "_"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (strncmp(key, starts[i], strlen(starts[i])) == 0)
            return 1;
    return 0;
}

static int knows_key(const object *o, const char *name)
{
    int known = 0;
    for (int p = 0; p < o->count; p++)
        known = known || find_key(o->parts[p].schema, name);
    return known;
}

// A key that the object knows by another name. Returns 0 if it is none.
static int report_renamed(kane_reader *reader, const object *o, const kane_node *child)
{
    int next        = 0;
    const char *now = kane_names_renamed_key(child->key, &next);
    while (now && !knows_key(o, now))
        now = kane_names_renamed_key(child->key, &next);
    if (now)
        kane_reader_report(reader, kane_node_key_place(child), "is called '%s' now", now);
    return now != NULL;
}

static void report_unknown(kane_reader *reader, const object *o, const kane_node *child)
{
    const kane_place place = kane_node_key_place(child);
    kane_near near         = kane_near_start(child->key);
    offer_keys(reader, o, &near);
    if (near.best) {
        kane_reader_report(reader, place, "unknown key; did you mean '%s'?", near.best);
        return;
    }
    if (is_comment(child->key)) {
        kane_reader_report(reader, place, "unknown key; a comment is written as \"note\": \"...\"");
        return;
    }
    char buffer[MESSAGE];
    kane_text text = kane_text_start(sizeof buffer, buffer);
    int n          = 0;
    for (int p = 0; p < o->count; p++)
        for (int k = 0; k < o->parts[p].schema->key_count; k++)
            kane_text_add(&text, "%s%s", n++ ? ", " : "", o->parts[p].schema->keys[k].name);
    kane_reader_report(reader, place, "unknown key; known: %s", buffer);
}

// A key that was typed goes wherever a schema knows it.
static void read_child(kane_reader *reader, const object *o, const kane_node *child)
{
    int known = 0;
    for (int p = 0; p < o->count; p++) {
        const kane_key *key = find_key(o->parts[p].schema, child->key);
        known               = known || key;
        if (key && key->kind == KANE_KEY_VARIANT)
            report_variant(reader, key, child);
        else if (key)
            read_member(reader, key, child, o->parts[p].base + key->offset);
    }
    if (known || kane_reader_is_note(child))
        return;
    if (strcmp(child->key, "note") == 0)
        kane_reader_wrong_kind(reader, child, "a text or a list of texts");
    else if (strcmp(child->key, "like") == 0 && child->kind != KANE_NODE_TEXT)
        kane_reader_wrong_kind(reader, child, "the name of a pattern");
    else if (strcmp(child->key, "like") != 0 && !report_renamed(reader, o, child) &&
             !report_elsewhere(reader, o, child))
        report_unknown(reader, o, child);
}

// A key that was not typed: its default, or an error.
static void read_missing(kane_reader *reader, const object *o, const kane_key *key, char *member)
{
    const kane_node *value = default_of(reader, o, key);
    if (value && key->kind == KANE_KEY_VARIANT) {
        report_variant(reader, key, value);
    } else if (value) {
        read_member(reader, key, value, member);
    } else if (key->presence == KANE_REQUIRED && !key->otherwise && o->node) {
        if (!o->node->is_incomplete) // what it lacks was to come from a pattern, which has been reported
            report_missing(reader, o, key);
    } else if (key->kind == KANE_KEY_OBJECT) {
        object inner = {.owner = o->owner, .name = "", .parts = {{key->detail, member}}, .count = 1};
        fill_object(reader, &inner);
    }
}

static void fill_object(kane_reader *reader, object *o)
{
    for (int p = 0; p < o->count; p++) { // grows by what the variants choose
        const part of = o->parts[p];
        set_block(of.base, o->name, o->node);
        for (int k = 0; k < of.schema->key_count; k++)
            if (of.schema->keys[k].kind == KANE_KEY_VARIANT)
                choose_variant(reader, o, &of.schema->keys[k], of.base + of.schema->keys[k].offset);
    }
    for (int p = 0; p < o->count; p++)
        for (int k = 0; k < o->parts[p].schema->key_count; k++) {
            const kane_key *key = &o->parts[p].schema->keys[k];
            if (!o->node || !kane_node_find(o->node, key->name))
                read_missing(reader, o, key, o->parts[p].base + key->offset);
        }
    for (const kane_node *c = o->node ? o->node->child : NULL; c && !reader->no_memory; c = c->next)
        read_child(reader, o, c);
}

kane_status kane_reader_fill(kane_reader *reader, const kane_node *node, const kane_schema *const *schemas,
                             void *const *structs, int count)
{
    const int before = reader->fault_count;
    object o         = {.node = node, .owner = node, .name = ""};
    for (; o.count < count && o.count < KANE_PARTS_MOST; o.count++)
        o.parts[o.count] = (part){schemas[o.count], structs[o.count]};
    if (node->kind == KANE_NODE_OBJECT)
        fill_object(reader, &o);
    else
        kane_reader_wrong_kind(reader, node, "an object { }");
    return reader->no_memory ? KANE_NO_MEMORY : reader->fault_count > before ? KANE_BAD_INPUT : KANE_OK;
}

void *kane_reader_make(kane_reader *reader, const kane_node *node, const kane_schema *schema)
{
    void *made = kane_arena_alloc(reader->arena, 1, schema->size);
    if (!made) {
        kane_reader_no_memory(reader, node->place);
        return NULL;
    }
    return kane_reader_fill(reader, node, &schema, &made, 1) == KANE_OK ? made : NULL;
}
