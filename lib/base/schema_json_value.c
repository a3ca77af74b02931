// SPDX-License-Identifier: MIT
// JSON schema of the value of one key.

#include "base/schema_json.h"

#include <string.h>

#define NUMBER "([0-9]+(\\.[0-9]+)?|\\.[0-9]+)([eE][+-]?[0-9]+)?"
#define REST   "( *[:/] *" NUMBER ")?( *([^0-9,. ].*|1/.*))?$"

static const char *const quantities[] = {[KANE_ANY]          = "_quantity",
                                         [KANE_POSITIVE]     = "_positive",
                                         [KANE_NOT_NEGATIVE] = "_not_negative",
                                         [KANE_FRACTION]     = "_fraction"};

// Names of definitions stand in references, where only letters, digits and _ are safe. Those of basic definitions begin
// with _, so that no schema's name is like them.
void kane_schema_definition_name(kane_text *text, const char *name)
{
    for (const char *p = name; *p; p++) {
        const int safe = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9');
        kane_text_add(text, "%c", safe ? *p : '_');
    }
}

// { "$ref": "#..." }
static void write_reference(kane_schema_writer *s, const char *key, const char *to)
{
    kane_writer_open(&s->w, key, '{');
    kane_writer_text(&s->w, "$ref", to);
    kane_writer_close(&s->w);
}

void kane_schema_write_basic(kane_schema_writer *s, const char *key, const char *name)
{
    char buffer[96];
    kane_text text = kane_text_start(sizeof buffer, buffer);
    kane_text_add(&text, "#/definitions/%s", name);
    write_reference(s, key, buffer);
}

// A reference to the definition of an object; the document itself is the root.
static void write_object(kane_schema_writer *s, const char *key, const kane_schema *schema)
{
    const kane_schema_entry *entry = kane_schema_list_find(s->list, schema);
    char buffer[192];
    kane_text text = kane_text_start(sizeof buffer, buffer);
    kane_text_add(&text, entry == s->list ? "#" : "#/definitions/");
    if (entry != s->list)
        kane_schema_definition_name(&text, entry->name);
    write_reference(s, key, buffer);
}

static void write_range(kane_writer *w, kane_range range)
{
    if (range == KANE_POSITIVE)
        kane_writer_count(w, "exclusiveMinimum", 0);
    if (range == KANE_NOT_NEGATIVE || range == KANE_FRACTION)
        kane_writer_count(w, "minimum", 0);
    if (range == KANE_FRACTION)
        kane_writer_count(w, "maximum", 1);
}

static void write_type(kane_writer *w, const char *type)
{
    kane_writer_text(w, "type", type);
}

static void write_names(kane_writer *w, kane_names names)
{
    kane_writer_row(w, "enum");
    for (int i = 0; i < names.count; i++)
        kane_writer_text(w, NULL, kane_names_get(names, i));
    kane_writer_close(w);
}

const kane_options *kane_schema_options(const kane_schema_writer *s, const kane_key *key)
{
    return kane_options_find(s->grammar->variants, s->grammar->variant_count, key);
}

// An object whose keys are names; "note" and "like" may also be what they are everywhere.
static void write_map(kane_schema_writer *s, const kane_key *key)
{
    static const char *const reserved[][2] = {{"note", "_note"}, {"like", "_like"}};
    kane_writer *w                         = &s->w;
    write_type(w, "object");
    kane_writer_open(w, "properties", '{');
    for (int i = 0; i < 2; i++) {
        kane_writer_open(w, reserved[i][0], '{');
        kane_writer_open(w, "anyOf", '[');
        kane_schema_write_basic(s, NULL, reserved[i][1]);
        write_object(s, NULL, key->detail);
        kane_writer_close(w);
        kane_writer_close(w);
    }
    kane_writer_close(w);
    kane_writer_json(w, "propertyNames", "{ \"minLength\": 1, \"pattern\": \"^[^/\\\\u0000-\\\\u001f\\\\u007f]*$\" }");
    write_object(s, "additionalProperties", key->detail);
}

static void write_numbers(kane_schema_writer *s, const kane_key *key)
{
    write_type(&s->w, "array");
    kane_schema_write_basic(s, "items", quantities[key->range]);
}

static void write_numbers_or_one(kane_schema_writer *s, const kane_key *key)
{
    kane_writer *w = &s->w;
    kane_writer_open(w, "anyOf", '[');
    kane_schema_write_basic(s, NULL, quantities[key->range]);
    kane_writer_open(w, NULL, '{');
    write_numbers(s, key);
    kane_writer_close(w);
    kane_writer_close(w);
}

static void write_kind(kane_schema_writer *s, const kane_key *key)
{
    kane_writer *w              = &s->w;
    const kane_options *options = NULL;
    kane_names names            = {.first = key->detail, .stride = sizeof(const char *)};
    switch (key->kind) {
    case KANE_KEY_NUMBER:
        kane_writer_open(w, "allOf", '[');
        kane_schema_write_basic(s, NULL, quantities[key->range]);
        kane_writer_close(w);
        break;
    case KANE_KEY_VECTOR:
        kane_writer_count(w, "minItems", 3);
        kane_writer_count(w, "maxItems", 3);
        write_numbers(s, key);
        break;
    case KANE_KEY_NUMBERS:
        if (key->detail)
            write_numbers_or_one(s, key);
        else
            write_numbers(s, key);
        break;
    case KANE_KEY_COUNT:
        write_type(w, "integer");
        write_range(w, key->range);
        break;
    case KANE_KEY_TEXT: write_type(w, "string"); break;
    case KANE_KEY_TEXTS:
        write_type(w, "array");
        kane_writer_json(w, "items", "{ \"type\": \"string\" }");
        break;
    case KANE_KEY_CHOICE:
        while (((const char *const *)key->detail)[names.count])
            names.count++;
        write_names(w, names);
        break;
    case KANE_KEY_SWITCH: write_type(w, "boolean"); break;
    case KANE_KEY_OBJECT:
        kane_writer_open(w, "allOf", '[');
        write_object(s, NULL, key->detail);
        kane_writer_close(w);
        break;
    case KANE_KEY_LIST:
        write_type(w, "array");
        write_object(s, "items", key->detail);
        break;
    case KANE_KEY_MAP: write_map(s, key); break;
    case KANE_KEY_VARIANT:
        options = kane_schema_options(s, key);
        if (!options || options->count == 0) // what a program brings
            write_type(w, "string");
        else
            write_names(w, (kane_names){options->options, options->count, sizeof options->options[0]});
        break;
    case KANE_KEY_RAW: break;
    }
}

void kane_schema_write_key(kane_schema_writer *s, const kane_key *key)
{
    char buffer[512];
    kane_text text = kane_text_start(sizeof buffer, buffer);
    kane_text_add(&text, "%s", key->help ? key->help : "");
    if (key->unit && strcmp(key->unit, "1") != 0)
        kane_text_add(&text, " [%s]", key->unit);
    kane_writer_open(&s->w, key->name, '{');
    kane_writer_text(&s->w, "description", buffer);
    write_kind(s, key);
    if (key->otherwise && kane_schema_default_is_text(key))
        kane_writer_text(&s->w, "default", key->otherwise);
    else if (key->otherwise)
        kane_writer_json(&s->w, "default", key->otherwise);
    kane_writer_close(&s->w);
}

// A number, or text that begins with one.
static void write_quantity(kane_schema_writer *s, kane_range range)
{
    kane_writer *w = &s->w;
    kane_writer_open(w, quantities[range], '{');
    kane_writer_open(w, "anyOf", '[');
    kane_writer_open(w, NULL, '{');
    write_type(w, "number");
    write_range(w, range);
    kane_writer_close(w);
    kane_writer_open(w, NULL, '{');
    write_type(w, "string");
    kane_writer_text(w, "pattern", range == KANE_ANY ? "^ *[+-]?" NUMBER REST : "^ *[+]?" NUMBER REST);
    kane_writer_close(w);
    kane_writer_close(w);
    kane_writer_close(w);
}

void kane_schema_write_basics(kane_schema_writer *s)
{
    for (int range = KANE_ANY; range <= KANE_FRACTION; range++)
        write_quantity(s, (kane_range)range);
    kane_writer_json(&s->w, "_note",
                     "{ \"description\": \"for people; not read\", \"anyOf\": [ { \"type\": \"string\" }, "
                     "{ \"type\": \"array\", \"items\": { \"type\": \"string\" } } ] }");
    kane_writer_json(&s->w, "_like",
                     "{ \"description\": \"pattern from which the missing keys are taken\", \"type\": \"string\" }");
}
