// SPDX-License-Identifier: MIT
// Whole documents.

#include "base/document.h"

#include "base/json.h"

#include <stdio.h>
#include <string.h>

typedef struct head {
    kane_block block;
    const char *kane;
    const char *schema;
    const kane_node *patterns;
} head;

static const kane_key head_keys[] = {
    KANE_KEY(head, kane, TEXT, REQUIRED, NULL, NULL, ANY, NULL, "kind and version of the document"),
    KANE_KEY_NAMED(head, schema, "$schema", TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
                   "JSON schema for editors; not read by libkane"),
    KANE_KEY(head, patterns, RAW, OPTIONAL, NULL, NULL, ANY, NULL,
             "objects by name, for other objects that are \"like\" them"),
};

const kane_schema kane_document_head =
    KANE_SCHEMA(head, "document", head_keys, "What every document may say of itself.");

kane_node *kane_document_load(kane_arena *arena, const char *file, kane_errors *errors)
{
    const int before = errors->count;
    kane_node *root  = kane_json_read(arena, file, errors);
    if (root)
        root->fault_count = errors->count - before;
    return root;
}

kane_node *kane_document_complete(kane_arena *arena, kane_node *root, const char *const *settings, kane_errors *errors)
{
    const int before = errors->count;
    for (int i = 0; settings && settings[i]; i++)
        if (kane_json_assign(arena, root, settings[i], errors) == KANE_NO_MEMORY)
            return NULL;
    if (kane_inherit(arena, root, errors) == KANE_NO_MEMORY)
        return NULL;
    root->fault_count += errors->count - before;
    return root;
}

kane_node *kane_document_open(kane_arena *arena, const char *file, const char *const *settings, kane_errors *errors)
{
    kane_node *root = kane_document_load(arena, file, errors);
    return root ? kane_document_complete(arena, root, settings, errors) : NULL;
}

kane_node *kane_document_parse(kane_arena *arena, const char *name, const char *text, size_t length,
                               const char *const *settings, kane_errors *errors)
{
    const int before = errors->count;
    kane_node *root  = kane_json_parse(arena, name, text, length, errors);
    if (!root)
        return NULL;
    root->fault_count = errors->count - before;
    return kane_document_complete(arena, root, settings, errors);
}

// --- "kane": "vehicle 1" ---

static const kane_format *find_format(kane_formats formats, const char *kind, size_t length)
{
    for (int i = 0; i < formats.count; i++)
        if (strlen(formats.formats[i].kind) == length && memcmp(formats.formats[i].kind, kind, length) == 0)
            return &formats.formats[i];
    return NULL;
}

static int format_version(const char *text)
{
    int version = 0;
    for (const char *p = text; *p; p++) {
        if (*p < '0' || *p > '9' || version > 99999)
            return -1;
        version = 10 * version + (*p - '0');
    }
    return *text && *text != '0' ? version : -1;
}

static void report_kind(kane_reader *reader, const kane_node *node, kane_formats formats, const kane_format *wanted)
{
    char buffer[400], word[64];
    kane_text text         = kane_text_start(sizeof buffer, buffer);
    const size_t length    = strcspn(node->text, " ");
    const kane_format *is  = find_format(formats, node->text, length);
    const kane_names kinds = {formats.formats, formats.count, sizeof formats.formats[0]};
    if (is && is != wanted) {
        kane_text_add(&text, "this is a %s file, expected a %s file", is->kind, wanted->kind);
    } else {
        kane_text_quote(&text, '\'', node->text);
        kane_text_add(&text, " is no kind and version of a document, expected \"%s %d\"", wanted->kind, wanted->newest);
        (void)snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), node->text);
        if (!is)
            kane_names_hint(&text, kinds, word);
    }
    kane_reader_report(reader, node->place, "%s", buffer);
}

// The version of a document of the wanted kind; 0 if it is another one, which has been reported.
static int check_head(kane_reader *reader, const kane_node *root, kane_formats formats, const kane_format *wanted)
{
    const kane_node *node = kane_node_find(root, "kane");
    if (!node) {
        kane_reader_report(reader, root->place, "the document does not say what it is, expected \"kane\": \"%s %d\"",
                           wanted->kind, wanted->newest);
        return 0;
    }
    if (node->kind != KANE_NODE_TEXT) {
        kane_reader_wrong_kind(reader, node, "a text that says what the document is and in which version");
        return 0;
    }
    const size_t length = strlen(wanted->kind);
    const int is_wanted = strncmp(node->text, wanted->kind, length) == 0 && node->text[length] == ' ';
    const int version   = is_wanted ? format_version(node->text + length + 1) : -1;
    if (version < 0) {
        report_kind(reader, node, formats, wanted);
        return 0;
    }
    if (version < wanted->oldest || version > wanted->newest) {
        if (wanted->oldest == wanted->newest)
            kane_reader_report(reader, node->place, "version %d of %s files is not known; known: %d", version,
                               wanted->kind, wanted->newest);
        else
            kane_reader_report(reader, node->place, "version %d of %s files is not known; known: %d to %d", version,
                               wanted->kind, wanted->oldest, wanted->newest);
        return 0;
    }
    return version;
}

void *kane_document_read(kane_reader *reader, const kane_node *root, kane_formats formats, const char *kind,
                         int *version)
{
    const kane_format *wanted = find_format(formats, kind, strlen(kind));
    if (root->kind != KANE_NODE_OBJECT) {
        kane_reader_wrong_kind(reader, root, "an object { }");
        return NULL;
    }
    const int found = check_head(reader, root, formats, wanted);
    if (found == 0)
        return NULL;
    if (version)
        *version = found;

    head h     = {0};
    void *made = kane_arena_alloc(reader->arena, 1, wanted->schema->size);
    if (!made) {
        kane_reader_no_memory(reader, root->place);
        return NULL;
    }
    const kane_schema *const schemas[] = {wanted->schema, &kane_document_head};
    void *const structs[]              = {made, &h};
    const kane_status status           = kane_reader_fill(reader, root, schemas, structs, 2);
    return status == KANE_OK && root->fault_count == 0 ? made : NULL;
}
