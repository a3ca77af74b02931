// SPDX-License-Identifier: MIT
// JSON schema of the value of one key.

#include "base/schema.h"

#include "base/document.h"
#include "base/unit.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

// Numbers as text: any, and those that are not zero.
#define NUMBER   "([0-9]+(\\.[0-9]+)?|\\.[0-9]+)([eE][+-]?[0-9]+)?"
#define POSITIVE "([0-9]*[1-9][0-9]*(\\.[0-9]+)?|[0-9]*\\.[0-9]*[1-9][0-9]*)([eE][+-]?[0-9]+)?"
#define RATIO    "( *[:/] *" POSITIVE ")"
// What lies between 0 and 1 as mostly typed: without a unit or in per cent. Otherwise anything.
#define FRACTION "(0+(\\.[0-9]+)?|\\.[0-9]+|0*1(\\.0+)?)"
#define EXPONENT "([0-9]+(\\.[0-9]+)?|\\.[0-9]+)[eE][+-]?[0-9]+"
#define PER_CENT "(0*[0-9]{1,2}(\\.[0-9]+)?|\\.[0-9]+|0*100(\\.0+)?)"

static const char *const quantities[] = {[KANE_ANY]          = "_quantity",
                                         [KANE_POSITIVE]     = "_positive",
                                         [KANE_NOT_NEGATIVE] = "_not_negative",
                                         [KANE_FRACTION]     = "_fraction",
                                         [KANE_OR_INFINITE]  = "_or_infinite"};

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

// largest: of the size of a number.
static void write_range(kane_writer *w, kane_range range, double largest)
{
    if (range == KANE_ANY || range == KANE_OR_INFINITE)
        kane_writer_number(w, "minimum", -largest);
    if (range == KANE_POSITIVE)
        kane_writer_count(w, "exclusiveMinimum", 0);
    if (range == KANE_NOT_NEGATIVE || range == KANE_FRACTION)
        kane_writer_count(w, "minimum", 0);
    kane_writer_number(w, "maximum", range == KANE_FRACTION ? 1.0 : largest);
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

// Adds the name of the definition of a unit: N m/rad is _in_N_m_per_rad.
static void add_unit_name(kane_text *text, const char *unit)
{
    kane_text_add(text, "_in_");
    for (const char *p = unit; *p; p++)
        if (*p == '/')
            kane_text_add(text, "_per_");
        else if (*p != '^')
            kane_text_add(text, "%c", *p == ' ' ? '_' : *p);
}

// Of a quantity: its range, and its unit.
static void write_quantity_of(kane_schema_writer *s, const char *where, const kane_key *key)
{
    char buffer[64];
    kane_text text = kane_text_start(sizeof buffer, buffer);
    add_unit_name(&text, key->unit ? key->unit : "1");
    if (where)
        kane_writer_open(&s->w, where, '{');
    kane_writer_open(&s->w, "allOf", '[');
    kane_schema_write_basic(s, NULL, quantities[key->range]);
    kane_schema_write_basic(s, NULL, buffer);
    kane_writer_close(&s->w);
    if (where)
        kane_writer_close(&s->w);
}

static void write_numbers(kane_schema_writer *s, const kane_key *key)
{
    write_type(&s->w, "array");
    write_quantity_of(s, "items", key);
}

static void write_numbers_or_one(kane_schema_writer *s, const kane_key *key)
{
    kane_writer *w = &s->w;
    kane_writer_open(w, "anyOf", '[');
    kane_writer_open(w, NULL, '{');
    write_quantity_of(s, NULL, key);
    kane_writer_close(w);
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
    case KANE_KEY_NUMBER: write_quantity_of(s, NULL, key); break;
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
        write_range(w, key->range, INT_MAX);
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

// A text in the arena for a pattern; its buffer is empty if there is no memory.
static kane_text start_pattern(kane_schema_writer *s)
{
    enum { LONGEST = 1 << 15 };
    char *buffer = kane_arena_alloc(s->arena, LONGEST, 1);
    return buffer ? kane_text_start(LONGEST, buffer) : kane_text_start(sizeof s->nothing, s->nothing);
}

// A number, or text: number, perhaps a ratio, perhaps a unit.
static void write_quantity(kane_schema_writer *s, kane_range range)
{
    static const char *const numbers[] = {[KANE_ANY]          = "[+-]?" NUMBER RATIO "?",
                                          [KANE_POSITIVE]     = "[+]?" POSITIVE RATIO "?",
                                          [KANE_NOT_NEGATIVE] = "[+]?" NUMBER RATIO "?",
                                          [KANE_FRACTION]     = "[+]?" NUMBER RATIO,
                                          [KANE_OR_INFINITE]  = "[+-]?" NUMBER RATIO "?"};
    kane_writer *w                     = &s->w;
    kane_text pattern                  = start_pattern(s);
    kane_text_add(&pattern, "^ *(%s( *", numbers[range]);
    kane_unit_pattern(&pattern);
    kane_text_add(&pattern, ")?%s) *$",
                  range == KANE_FRACTION ? "|[+]?(" FRACTION "|" PER_CENT " *%|" EXPONENT "( *[^ ].*)?|" NUMBER
                                           "( *(permille|\xE2\x80\xB0|\\(.*)| +1.*))"
                  : range == KANE_OR_INFINITE ? "|[+-]?inf"
                                              : "");
    kane_writer_open(w, quantities[range], '{');
    kane_writer_open(w, "anyOf", '[');
    kane_writer_open(w, NULL, '{');
    write_type(w, "number");
    write_range(w, range, KANE_READER_LARGEST);
    kane_writer_close(w);
    kane_writer_open(w, NULL, '{');
    write_type(w, "string");
    kane_writer_text(w, "pattern", pattern.at);
    kane_writer_close(w);
    kane_writer_close(w);
    kane_writer_close(w);
}

// --- units ---

// What a text measures, as far as people type such units (kane_unit_measure_pattern).
static void write_measure(kane_schema_writer *s, int measure)
{
    const int is_pure = strcmp(kane_unit_measure_noun(measure), "a pure number") == 0;
    kane_text pattern = start_pattern(s);
    char name[32];
    (void)snprintf(name, sizeof name, "_measure_%d", measure);
    kane_text_add(&pattern, "^ *[+-]?(%s" NUMBER RATIO "? *", is_pure ? NUMBER RATIO "|" : "");
    kane_unit_measure_pattern(&pattern, measure);
    kane_text_add(&pattern, ") *$");
    kane_writer_open(&s->w, name, '{');
    kane_writer_text(&s->w, "description", kane_unit_measure_noun(measure));
    write_type(&s->w, "string");
    kane_writer_text(&s->w, "pattern", pattern.at);
    kane_writer_close(&s->w);
}

static void write_unit(kane_schema_writer *s, const char *name, const char *unit)
{
    kane_unit expected;
    char unused[64];
    kane_text nowhere = kane_text_start(sizeof unused, unused);
    kane_writer_open(&s->w, name, '{');
    kane_writer_open(&s->w, "not", '{');
    kane_writer_open(&s->w, "anyOf", '[');
    for (int i = 0; kane_unit_parse(unit, &expected, &nowhere) && i < kane_unit_measures(); i++) {
        char measure[32];
        (void)snprintf(measure, sizeof measure, "_measure_%d", i);
        if (!kane_unit_measure_fits(i, &expected))
            kane_schema_write_basic(s, NULL, measure);
    }
    for (int i = 0; i < 3; i++)
        kane_writer_close(&s->w);
}

static int has_unit(const kane_key *key)
{
    return key->kind == KANE_KEY_NUMBER || key->kind == KANE_KEY_VECTOR || key->kind == KANE_KEY_NUMBERS;
}

// Each unit of the document's keys once.
static void write_units(kane_schema_writer *s)
{
    enum { MOST = 100, NAME = 64 };
    char(*names)[NAME] = kane_arena_alloc(s->arena, MOST, sizeof *names);
    int count          = 0;
    for (int i = 0; i < kane_unit_measures(); i++)
        write_measure(s, i);
    for (const kane_schema_entry *e = s->list; names && e; e = e->next)
        for (int k = 0; k < e->schema->key_count; k++) {
            const kane_key *key = &e->schema->keys[k];
            int i               = 0;
            if (!has_unit(key) || count == MOST)
                continue;
            kane_text text = kane_text_start(NAME, names[count]);
            add_unit_name(&text, key->unit ? key->unit : "1");
            while (strcmp(names[i], names[count]) != 0)
                i++;
            if (i < count)
                continue;
            write_unit(s, names[count++], key->unit ? key->unit : "1");
        }
}

void kane_schema_write_basics(kane_schema_writer *s)
{
    for (int range = KANE_ANY; range <= KANE_OR_INFINITE; range++)
        write_quantity(s, (kane_range)range);
    write_units(s);
    kane_writer_json(&s->w, "_note",
                     "{ \"description\": \"for people; not read\", \"anyOf\": [ { \"type\": \"string\" }, "
                     "{ \"type\": \"array\", \"items\": { \"type\": \"string\" } } ] }");
    kane_writer_json(&s->w, "_like",
                     "{ \"description\": \"pattern from which the missing keys are taken\", \"type\": \"string\" }");
}

// --- patterns ---

// Whether the same is allowed as value.
static int same_values(const kane_key *a, const kane_key *b)
{
    const char *of_a = a->unit ? a->unit : "1", *of_b = b->unit ? b->unit : "1";
    return a->kind == b->kind && a->range == b->range && a->detail == b->detail && strcmp(of_a, of_b) == 0;
}

static int is_object(const kane_key *key)
{
    return key->kind == KANE_KEY_OBJECT || key->kind == KANE_KEY_LIST || key->kind == KANE_KEY_MAP ||
           key->kind == KANE_KEY_VARIANT || key->kind == KANE_KEY_RAW;
}

// Number `wanted` among all keys of a name in the document's tables, each kind of value once; NULL: there are not so
// many.
static const kane_key *find_key(const kane_schema_writer *s, const char *name, int wanted)
{
    enum { MOST = 64 };
    const kane_key *found[MOST];
    int count = 0;
    for (const kane_schema_entry *e = s->list; e; e = e->next)
        for (int k = 0; k < e->schema->key_count && count < MOST; k++) {
            const kane_key *key = &e->schema->keys[k];
            int is_new          = strcmp(key->name, name) == 0;
            for (int i = 0; i < count && is_new; i++)
                is_new = !same_values(found[i], key);
            if (is_new)
                found[count++] = key;
        }
    return wanted < count ? found[wanted] : NULL;
}

// Whether no table before has a key of the name of key k of this one.
static int is_first(const kane_schema_writer *s, const kane_schema_entry *of, int k)
{
    for (const kane_schema_entry *e = s->list; e; e = e->next)
        for (int i = 0; i < e->schema->key_count; i++)
            if (e == of && i == k)
                return 1;
            else if (strcmp(e->schema->keys[i].name, of->schema->keys[k].name) == 0)
                return 0;
    return 0;
}

static void write_pattern_key(kane_schema_writer *s, const char *name)
{
    for (int i = 0; find_key(s, name, i); i++)
        if (is_object(find_key(s, name, i)))
            return;
    kane_writer_open(&s->w, name, '{');
    kane_writer_open(&s->w, "anyOf", '[');
    for (int i = 0; find_key(s, name, i); i++) {
        kane_writer_open(&s->w, NULL, '{');
        write_kind(s, find_key(s, name, i));
        kane_writer_close(&s->w);
    }
    kane_writer_close(&s->w);
    kane_writer_close(&s->w);
}

void kane_schema_write_pattern(kane_schema_writer *s)
{
    kane_writer_open(&s->w, "_pattern", '{');
    write_type(&s->w, "object");
    kane_writer_open(&s->w, "properties", '{');
    for (const kane_schema_entry *e = s->list; e; e = e->next)
        for (int k = 0; k < e->schema->key_count; k++)
            if (is_first(s, e, k))
                write_pattern_key(s, e->schema->keys[k].name);
    kane_writer_close(&s->w);
    kane_writer_close(&s->w);
}
