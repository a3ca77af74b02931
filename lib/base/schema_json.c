// SPDX-License-Identifier: MIT
// JSON schema (draft-07) from schemas.
//
// An object with a variant key becomes: its own keys, and for every choice
//   { "if": { "law" is "spring" }, "then": { own keys and those of the spring, no others } }
// because "additionalProperties": false sees only the keys that stand beside it.

#include "base/schema.h"

#include <string.h>

// An object under description.
typedef struct object {
    const kane_schema *parts[KANE_PARTS_MOST]; // schemas that hold for it
    int count;
    int shown;                               // of them were described further out
    const kane_key *chosen[KANE_PARTS_MOST]; // variant keys whose choice is known
    int chosen_count;
    int is_document;
} object;

// Keys that a document has besides those of its schema.
static void write_head(kane_schema_writer *s)
{
    kane_writer *w        = &s->w;
    const kane_format *is = s->grammar->format;
    kane_writer_open(w, "kane", '{');
    kane_writer_text(w, "description", kane_document_head.keys[0].help);
    kane_writer_row(w, "enum");
    for (int version = is->oldest; version <= is->newest; version++) {
        char buffer[96];
        kane_text text = kane_text_start(sizeof buffer, buffer);
        kane_text_add(&text, "%s %d", is->kind, version);
        kane_writer_text(w, NULL, buffer);
    }
    kane_writer_close(w);
    kane_writer_close(w);
    kane_writer_json(w, "$schema", "{ \"type\": \"string\" }");
    kane_writer_json(w, "patterns",
                     "{ \"type\": \"object\", \"additionalProperties\": { \"$ref\": \"#/definitions/_pattern\" } }");
}

static void write_properties(kane_schema_writer *s, const object *o)
{
    kane_writer_open(&s->w, "properties", '{');
    if (o->is_document && o->shown == 0)
        write_head(s);
    for (int k = 0; o->is_document && o->shown > 0 && k < kane_document_head.key_count; k++)
        kane_writer_switch(&s->w, kane_document_head.keys[k].name, 1);
    for (int p = 0; p < o->count; p++)
        for (int k = 0; k < o->parts[p]->key_count; k++)
            if (p < o->shown)
                kane_writer_switch(&s->w, o->parts[p]->keys[k].name, 1);
            else
                kane_schema_write_key(s, &o->parts[p]->keys[k]);
    if (o->shown > 0) {
        kane_writer_switch(&s->w, "note", 1);
        kane_writer_switch(&s->w, "like", 1);
    } else {
        kane_schema_write_basic(s, "note", "_note");
        kane_schema_write_basic(s, "like", "_like");
    }
    kane_writer_close(&s->w);
}

static int is_required(const kane_key *key)
{
    return key->presence == KANE_REQUIRED && !key->otherwise;
}

// { "required": [ key ] }
static void write_has(kane_writer *w, const char *key)
{
    kane_writer_open(w, NULL, '{');
    kane_writer_row(w, "required");
    kane_writer_text(w, NULL, key);
    kane_writer_close(w);
    kane_writer_close(w);
}

// What is required, unless a pattern may give it: "if" there is no "like", "then" it is required.
static void write_required(kane_schema_writer *s, const object *o)
{
    kane_writer *w = &s->w;
    int any        = 0;
    for (int p = o->shown; p < o->count; p++)
        for (int k = 0; k < o->parts[p]->key_count; k++) {
            const kane_key *key = &o->parts[p]->keys[k];
            if (!is_required(key))
                continue;
            if (!any++) {
                kane_writer_json(w, "if", "{ \"not\": { \"required\": [\"like\"] } }");
                kane_writer_open(w, "then", '{');
                kane_writer_row(w, "required");
            }
            kane_writer_text(w, NULL, key->name);
        }
    for (int i = 0; any && i < 2; i++)
        kane_writer_close(w);
    if (o->is_document && o->shown == 0)
        kane_writer_json(w, "required", "[\"kane\"]");
}

// The next variant key whose choice is not known, NULL if there is none.
static const kane_key *next_variant(const object *o)
{
    for (int p = 0; p < o->count; p++)
        for (int k = 0; k < o->parts[p]->key_count; k++) {
            const kane_key *key = &o->parts[p]->keys[k];
            int known           = key->kind != KANE_KEY_VARIANT;
            for (int i = 0; i < o->chosen_count; i++)
                known = known || o->chosen[i] == key;
            if (!known)
                return key;
        }
    return NULL;
}

static void write_object(kane_schema_writer *s, const object *o);

// The condition that a choice was made; name NULL: that none was, neither here nor (perhaps) in a pattern.
static void write_condition(kane_writer *w, const kane_key *key, const char *name)
{
    const int is_default = !name || (key->otherwise && strcmp(key->otherwise, name) == 0);
    kane_writer_open(w, "if", '{');
    kane_writer_open(w, "anyOf", '[');
    if (name) {
        kane_writer_open(w, NULL, '{');
        kane_writer_open(w, "properties", '{');
        kane_writer_open(w, key->name, '{');
        kane_writer_text(w, "const", name);
        kane_writer_close(w);
        kane_writer_close(w);
        kane_writer_row(w, "required");
        kane_writer_text(w, NULL, key->name);
        kane_writer_close(w);
        kane_writer_close(w);
    }
    if (is_default) {
        kane_writer_open(w, NULL, '{');
        kane_writer_open(w, "not", '{');
        kane_writer_open(w, "anyOf", '[');
        write_has(w, key->name);
        write_has(w, "like");
        kane_writer_close(w);
        kane_writer_close(w);
        kane_writer_close(w);
    }
    kane_writer_close(w);
    kane_writer_close(w);
}

// What holds if a variant key names this option (NULL: none).
static void write_choice(kane_schema_writer *s, const object *o, const kane_key *key, const kane_option *option)
{
    object inner = *o;
    inner.shown  = o->count;
    if (inner.chosen_count == KANE_PARTS_MOST || inner.count == KANE_PARTS_MOST)
        return;
    inner.chosen[inner.chosen_count++] = key;
    if (option && option->schema)
        inner.parts[inner.count++] = option->schema;
    kane_writer_open(&s->w, NULL, '{');
    write_condition(&s->w, key, option ? option->name : NULL);
    kane_writer_open(&s->w, "then", '{');
    if (option && option->schema)
        kane_writer_text(&s->w, "description", option->schema->help);
    write_object(s, &inner);
    kane_writer_close(&s->w);
    kane_writer_close(&s->w);
}

// The keywords of an object (its brackets are the caller's).
static void write_object(kane_schema_writer *s, const object *o)
{
    const kane_key *key = next_variant(o);
    kane_writer_text(&s->w, "type", "object");
    write_properties(s, o);
    write_required(s, o);
    if (!key) {
        kane_writer_switch(&s->w, "additionalProperties", 0);
        return;
    }
    const kane_options *options = kane_schema_options(s, key);
    if (options && options->count == 0) // what a program brings has keys of its own
        return;
    kane_writer_open(&s->w, "allOf", '[');
    for (int i = 0; options && i < options->count; i++)
        write_choice(s, o, key, &options->options[i]);
    if (!is_required(key) && !key->otherwise)
        write_choice(s, o, key, NULL);
    kane_writer_close(&s->w);
}

static void write_definitions(kane_schema_writer *s)
{
    kane_writer *w = &s->w;
    kane_writer_open(w, "definitions", '{');
    kane_schema_write_basics(s);
    kane_schema_write_pattern(s);
    for (const kane_schema_entry *e = s->list->next; e; e = e->next) {
        const object o = {.parts = {e->schema}, .count = 1};
        char buffer[160];
        kane_text text = kane_text_start(sizeof buffer, buffer);
        kane_schema_definition_name(&text, e->name);
        if (!e->is_object)
            continue;
        kane_writer_open(w, buffer, '{');
        kane_writer_text(w, "description", e->schema->help);
        write_object(s, &o);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

kane_status kane_schema_write(const kane_grammar *grammar, FILE *file)
{
    kane_arena *arena    = kane_arena_create();
    kane_schema_writer s = {.w = kane_writer_start(file), .grammar = grammar, .arena = arena};
    kane_status status   = KANE_NO_MEMORY;
    s.list               = arena ? kane_schema_list(arena, grammar) : NULL;
    if (s.list) {
        const object document = {.parts = {grammar->format->schema}, .count = 1, .is_document = 1};
        kane_writer_open(&s.w, NULL, '{');
        kane_writer_text(&s.w, "$schema", "http://json-schema.org/draft-07/schema#");
        kane_writer_text(&s.w, "title", grammar->format->kind);
        kane_writer_text(&s.w, "description", grammar->format->schema->help);
        write_object(&s, &document);
        write_definitions(&s);
        kane_writer_close(&s.w);
        status = kane_writer_end(&s.w);
        if (kane_arena_failed(arena))
            status = KANE_NO_MEMORY;
    }
    kane_arena_free(arena);
    return status;
}
