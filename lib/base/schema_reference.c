// SPDX-License-Identifier: MIT
// The reference page of a document in Markdown: a table for each kind of object.

#include "base/schema.h"

#include <string.h>

typedef struct page {
    FILE *file;
    const kane_grammar *grammar;
    const kane_schema_entry *list;
} page;

static const char *const range_texts[] = {[KANE_ANY]          = "",
                                          [KANE_POSITIVE]     = ", > 0",
                                          [KANE_NOT_NEGATIVE] = ", >= 0",
                                          [KANE_FRACTION]     = ", 0 .. 1",
                                          [KANE_OR_INFINITE]  = ", or \"inf\""};

// Text of a cell: a bar would end it.
static void write_cell(FILE *file, const char *text)
{
    for (const char *p = text ? text : ""; *p; p++) {
        if (*p == '|')
            (void)fputc('\\', file);
        (void)fputc(*p == '\n' ? ' ' : *p, file);
    }
}

// A link to the section of a schema, as GitHub and others make anchors of headings.
static void write_link(const page *p, const kane_schema *schema)
{
    const char *name = kane_schema_list_find(p->list, schema)->name;
    (void)fprintf(p->file, "[%s](#", name);
    for (const char *c = name; *c; c++)
        if (*c == ' ')
            (void)fputc('-', p->file);
        else if (*c == '-' || *c == '_' || (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') ||
                 (unsigned char)*c > 0x7F)
            (void)fputc(*c, p->file);
        else if (*c >= 'A' && *c <= 'Z')
            (void)fputc(*c - 'A' + 'a', p->file);
    (void)fputc(')', p->file);
}

static void write_quantity(const page *p, const kane_key *key, const char *what)
{
    const int has_unit = key->unit && strcmp(key->unit, "1") != 0;
    (void)fprintf(p->file, "%s%s%s%s%s", what, has_unit ? " [" : "", has_unit ? key->unit : "", has_unit ? "]" : "",
                  range_texts[key->range]);
}

static void write_choices(const page *p, kane_names names)
{
    for (int i = 0; i < names.count; i++)
        (void)fprintf(p->file, "%s`\"%s\"`", i > 0 ? ", " : "", kane_names_get(names, i));
}

// The options of a variant; those with keys of their own have a section.
static void write_options(const page *p, const kane_key *key)
{
    const kane_options *options = kane_options_find(p->grammar->variants, p->grammar->variant_count, key);
    if (!options || options->count == 0) // what a program brings
        (void)fputs("text", p->file);
    for (int i = 0; options && i < options->count; i++) {
        const kane_option *option = &options->options[i];
        (void)fprintf(p->file, "%s`\"%s\"`", i > 0 ? ", " : "", option->name);
        if (option->schema) {
            (void)fputs(": ", p->file);
            write_link(p, option->schema);
        }
    }
}

static void write_value(const page *p, const kane_key *key)
{
    kane_names names = {.first = key->detail, .stride = sizeof(const char *)};
    switch (key->kind) {
    case KANE_KEY_NUMBER: write_quantity(p, key, "number"); break;
    case KANE_KEY_VECTOR: write_quantity(p, key, "list of 3 numbers"); break;
    case KANE_KEY_NUMBERS: write_quantity(p, key, key->detail ? "number or list of numbers" : "list of numbers"); break;
    case KANE_KEY_COUNT: write_quantity(p, key, "whole number"); break;
    case KANE_KEY_TEXT: (void)fputs("text", p->file); break;
    case KANE_KEY_TEXTS: (void)fputs("list of texts", p->file); break;
    case KANE_KEY_CHOICE:
        while (((const char *const *)key->detail)[names.count])
            names.count++;
        write_choices(p, names);
        break;
    case KANE_KEY_SWITCH: (void)fputs("`true` or `false`", p->file); break;
    case KANE_KEY_OBJECT: write_link(p, key->detail); break;
    case KANE_KEY_LIST:
        (void)fputs("list of ", p->file);
        write_link(p, key->detail);
        break;
    case KANE_KEY_MAP:
        (void)fputs("by name: ", p->file);
        write_link(p, key->detail);
        break;
    case KANE_KEY_VARIANT: write_options(p, key); break;
    case KANE_KEY_RAW: (void)fputs("as described", p->file); break;
    }
}

// A default as one would type it; what an object is filled with stands in its own section.
static void write_default(const page *p, const kane_key *key)
{
    const int is_word   = kane_schema_default_is_text(key);
    const int is_object = key->kind == KANE_KEY_OBJECT && strcmp(key->otherwise, "{}") == 0;
    if (is_object) {
        (void)fputs("its own", p->file);
        return;
    }
    (void)fputs(is_word ? "`\"" : "`", p->file);
    write_cell(p->file, key->otherwise);
    (void)fputs(is_word ? "\"`" : "`", p->file);
}

static void write_row(const page *p, const kane_key *key)
{
    (void)fprintf(p->file, "| `%s` | ", key->name);
    write_value(p, key);
    (void)fputs(" | ", p->file);
    if (key->otherwise)
        write_default(p, key);
    else if (key->presence == KANE_REQUIRED)
        (void)fputs("*required*", p->file);
    (void)fputs(" | ", p->file);
    write_cell(p->file, key->help);
    (void)fputs(" |\n", p->file);
}

static void write_section(const page *p, const kane_schema_entry *entry)
{
    (void)fprintf(p->file, "\n## %s\n\n%s\n", entry->name, entry->schema->help ? entry->schema->help : "");
    if (entry->choice_of)
        (void)fprintf(p->file, "\nIts keys stand beside `%s`.\n", entry->choice_of);
    if (entry->schema->key_count == 0)
        return;
    (void)fputs("\n| key | value | default | meaning |\n|---|---|---|---|\n", p->file);
    for (int k = 0; entry == p->list && k < kane_document_head.key_count; k++)
        write_row(p, &kane_document_head.keys[k]);
    for (int k = 0; k < entry->schema->key_count; k++)
        write_row(p, &entry->schema->keys[k]);
}

static void write_head(const page *p)
{
    const kane_format *is = p->grammar->format;
    (void)fprintf(p->file,
                  "# Reference: %s files\n\n<!-- Made by \"kane schema --reference %s\" from the tables by which files "
                  "are read. -->\n\n",
                  is->kind, is->kind);
    (void)fprintf(
        p->file,
        "A %s file is a JSON object that begins with `\"kane\": \"%s %d\"`; [formats.md](formats.md) says what all "
        "files have in common. Each section below is one kind of object.\n\n",
        is->kind, is->kind, is->newest);
    (void)fputs(
        "- A number is in the unit in brackets; a text with a unit, such as `\"25 mm\"`, is welcome instead.\n"
        "- What has neither a default nor *required* may be left out.\n"
        "- Every object may have a `\"note\"` (a text or a list of texts) for people, and may be `\"like\"` one of "
        "the `\"patterns\"`, from which it takes the keys that it has not.\n",
        p->file);
}

kane_status kane_schema_write_reference(const kane_grammar *grammar, FILE *file)
{
    kane_arena *arena = kane_arena_create();
    page p            = {.file = file, .grammar = grammar};
    p.list            = arena ? kane_schema_list(arena, grammar) : NULL;
    if (p.list) {
        write_head(&p);
        for (const kane_schema_entry *e = p.list; e; e = e->next)
            write_section(&p, e);
    }
    const kane_status status = !p.list ? KANE_NO_MEMORY : fflush(file) != 0 || ferror(file) ? KANE_NO_FILE : KANE_OK;
    kane_arena_free(arena);
    return status;
}
