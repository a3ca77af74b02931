// SPDX-License-Identifier: MIT
// All schemas that a document is made of.

#include "base/schema.h"

#include "base/scan.h"

#include <stdio.h>
#include <string.h>

const kane_schema_entry *kane_schema_list_find(const kane_schema_entry *list, const kane_schema *schema)
{
    while (list && list->schema != schema)
        list = list->next;
    return list;
}

static int count_named(const kane_schema_entry *list, const char *name)
{
    int n = 0;
    for (; list; list = list->next)
        n += strcmp(list->schema->name, name) == 0;
    return n;
}

static kane_schema_entry *last_of(kane_schema_entry *list)
{
    while (list->next)
        list = list->next;
    return list;
}

// Adds a schema unless it is there. choice_of NULL: it describes an object of its own.
static int add_schema(kane_arena *arena, kane_schema_entry *list, const kane_schema *schema, const char *choice_of)
{
    kane_schema_entry *entry = last_of(list);
    for (kane_schema_entry *e = list; e; e = e->next)
        if (e->schema == schema) {
            e->is_object = e->is_object || !choice_of;
            e->choice_of = e->choice_of ? e->choice_of : choice_of;
            return 1;
        }
    const int same   = count_named(list, schema->name);
    const char *name = schema->name;
    if (same > 0) {
        char *numbered = kane_arena_alloc(arena, strlen(name) + 16, 1);
        if (!numbered)
            return 0;
        (void)snprintf(numbered, strlen(name) + 16, "%s %d", name, same + 1);
        name = numbered;
    }
    entry->next = kane_arena_alloc(arena, 1, sizeof *entry);
    if (!entry->next)
        return 0;
    *entry->next = (kane_schema_entry){schema, name, choice_of, !choice_of, NULL};
    return 1;
}

// Adds what a key mentions.
static int add_mentioned(kane_arena *arena, kane_schema_entry *list, const kane_grammar *g, const kane_key *key)
{
    if (key->kind == KANE_KEY_OBJECT || key->kind == KANE_KEY_LIST || key->kind == KANE_KEY_MAP)
        return !key->detail || add_schema(arena, list, key->detail, NULL);
    const kane_options *options =
        key->kind == KANE_KEY_VARIANT ? kane_options_find(g->variants, g->variant_count, key) : NULL;
    for (int i = 0; options && i < options->count; i++)
        if (options->options[i].schema && !add_schema(arena, list, options->options[i].schema, key->name))
            return 0;
    return 1;
}

const kane_schema_entry *kane_schema_list(kane_arena *arena, const kane_grammar *grammar)
{
    kane_schema_entry *list = kane_arena_alloc(arena, 1, sizeof *list);
    if (!list)
        return NULL;
    *list = (kane_schema_entry){grammar->format->schema, grammar->format->schema->name, NULL, 1, NULL};
    for (const kane_schema_entry *e = list; e; e = e->next)
        for (int k = 0; k < e->schema->key_count; k++)
            if (!add_mentioned(arena, list, grammar, &e->schema->keys[k]))
                return NULL;
    return list;
}

int kane_schema_default_is_text(const kane_key *key)
{
    kane_mark marks[64];
    kane_fault fault;
    const size_t length = strlen(key->otherwise);
    if (key->otherwise[0] == '"')
        return 0;
    if (key->kind == KANE_KEY_TEXT || key->kind == KANE_KEY_CHOICE || key->kind == KANE_KEY_VARIANT)
        return 1; // a word may look like a number: 60E1
    return kane_scan_bound(key->otherwise, length) > 64 || kane_scan(key->otherwise, length, marks, &fault) < 0;
}
