// SPDX-License-Identifier: MIT
// A check of the tables themselves: for tests of new tables, and for user-defined laws.

#include "base/schema.h"

#include "base/document.h"
#include "base/json.h"
#include "base/unit.h"

#include <string.h>

typedef struct check {
    kane_arena *arena;
    const kane_grammar *grammar;
    kane_errors *errors;
    const kane_schema *schema; // being checked
    int fault_count;
    int no_memory;
} check;

static void add_fault(check *c, const kane_key *key, const char *text)
{
    c->fault_count++;
    kane_errors_add(c->errors, KANE_BAD_ARGUMENT, "schema '%s', key '%s': %s", c->schema->name,
                    key && key->name ? key->name : "", text);
}

// Bytes of the member that a key fills.
static size_t member_size(const kane_key *key)
{
    switch (key->kind) {
    case KANE_KEY_NUMBER: return sizeof(double);
    case KANE_KEY_VECTOR: return sizeof(kane_vec3);
    case KANE_KEY_NUMBERS: return sizeof(kane_numbers);
    case KANE_KEY_COUNT:
    case KANE_KEY_CHOICE:
    case KANE_KEY_SWITCH: return sizeof(int);
    case KANE_KEY_TEXT: return sizeof(const char *);
    case KANE_KEY_TEXTS: return sizeof(kane_texts);
    case KANE_KEY_OBJECT: return key->detail ? ((const kane_schema *)key->detail)->size : 0;
    case KANE_KEY_LIST:
    case KANE_KEY_MAP: return sizeof(kane_items);
    case KANE_KEY_VARIANT: return sizeof(kane_variant);
    case KANE_KEY_RAW: return sizeof(const kane_node *);
    }
    return 0;
}

static void check_unit(check *c, const kane_key *key)
{
    char reason[160];
    kane_text text = kane_text_start(sizeof reason, reason);
    kane_unit unit;
    if (!key->unit)
        return;
    if (!kane_unit_parse(key->unit, &unit, &text))
        add_fault(c, key, reason);
    else if (unit.up != unit.down || unit.ten != 0)
        add_fault(c, key, "its unit is no SI unit");
}

// Reads the default as a user's text would be.
static void check_default(check *c, const kane_key *key)
{
    const int before          = c->errors->count;
    const kane_place place    = {.file = c->schema->name, .path = key->name};
    const kane_options *among = kane_options_find(c->grammar->variants, c->grammar->variant_count, key);
    kane_reader reader        = {.arena = c->arena, .errors = c->errors};
    kane_node *value          = NULL;
    if (!key->otherwise)
        return;
    if (kane_json_value(c->arena, key->otherwise, place, key->name, 0, &value, c->errors) == KANE_NO_MEMORY) {
        c->no_memory = 1;
        return;
    }
    if (value && key->kind == KANE_KEY_VARIANT) {
        const kane_names names = {among ? among->options : NULL, among ? among->count : 0, sizeof(kane_option)};
        if (kane_names_find(names, key->otherwise) < 0)
            add_fault(c, key, "its default is none of its choices");
    } else if (value && key->kind != KANE_KEY_OBJECT && key->kind != KANE_KEY_LIST && key->kind != KANE_KEY_MAP) {
        void *member = kane_arena_alloc(c->arena, 1, member_size(key));
        if (member)
            kane_reader_value(&reader, key, value, member);
    }
    if (c->errors->count > before)
        c->fault_count++;
}

static void check_names(check *c, int k)
{
    const kane_key *keys = c->schema->keys;
    if (strcmp(keys[k].name, "note") == 0 || strcmp(keys[k].name, "like") == 0)
        add_fault(c, &keys[k], "this name belongs to every object");
    for (int i = 0; i < k; i++)
        if (strcmp(keys[i].name, keys[k].name) == 0)
            add_fault(c, &keys[k], "stands in the table twice");
}

// The keys of a choice stand beside those of the object that chooses.
static void check_choices(check *c, const kane_key *key)
{
    const kane_options *among = kane_options_find(c->grammar->variants, c->grammar->variant_count, key);
    if (!among) { // of one that only programs bring choices for there may be none
        add_fault(c, key, "has no choices");
        return;
    }
    for (int i = 0; i < among->count; i++)
        for (int k = 0; among->options[i].schema && k < among->options[i].schema->key_count; k++)
            for (int j = 0; j < c->schema->key_count; j++)
                if (strcmp(c->schema->keys[j].name, among->options[i].schema->keys[k].name) == 0)
                    add_fault(c, &c->schema->keys[j], "one of its choices has a key of that name too");
}

static void check_key(check *c, int k)
{
    const kane_key *key  = &c->schema->keys[k];
    const int has_detail = key->kind == KANE_KEY_CHOICE || key->kind == KANE_KEY_OBJECT || key->kind == KANE_KEY_LIST ||
                           key->kind == KANE_KEY_MAP;
    if (!key->name || !key->name[0] || !key->help) {
        add_fault(c, key, "has no name or no help");
        return;
    }
    check_names(c, k);
    if (has_detail && !key->detail) {
        add_fault(c, key, "has no detail");
        return;
    }
    if (key->offset < sizeof(kane_block) || key->offset + member_size(key) > c->schema->size)
        add_fault(c, key, "does not lie in its struct, after a kane_block");
    if (key->presence == KANE_REQUIRED && key->otherwise)
        add_fault(c, key, "is required and has a default");
    if (key->kind == KANE_KEY_VARIANT)
        check_choices(c, key);
    check_unit(c, key);
    check_default(c, key);
}

kane_status kane_schema_check(const kane_grammar *grammar, kane_errors *errors)
{
    kane_arena *arena = kane_arena_create();
    check c           = {.arena = arena, .grammar = grammar, .errors = errors};

    const kane_schema_entry *list = arena ? kane_schema_list(arena, grammar) : NULL;
    for (const kane_schema_entry *e = list; e; e = e->next) {
        c.schema = e->schema;
        for (int k = 0; k < e->schema->key_count; k++)
            check_key(&c, k);
    }
    c.no_memory = c.no_memory || !arena || kane_arena_failed(arena);
    if (c.no_memory)
        (void)kane_no_memory(errors);
    kane_arena_free(arena);
    return c.no_memory ? KANE_NO_MEMORY : c.fault_count > 0 ? KANE_BAD_ARGUMENT : KANE_OK;
}
