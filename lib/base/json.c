// SPDX-License-Identifier: MIT
// JSON text to a tree of nodes: the scan says where values stand, cJSON what they are. cJSON itself keeps no places and
// is too kind (text after the end, 01, line breaks in texts), so that it sees only what the scan has passed.

#include "base/json.h"

#include "base/hash.h"
#include "base/number.h"
#include "base/path.h"
#include "base/record.h"
#include "base/scan.h"

#include <string.h>

#include <cjson/cJSON.h>

// From cJSON's tree to ours.
typedef struct mirror {
    kane_arena *arena;
    const char *text;
    const kane_mark *mark; // of the next value
    kane_place place;      // file; line > 0 only if all values stand at this one place
    int fixed;             // do they?
    kane_errors *errors;
} mirror;

static kane_node_kind kind_of(const cJSON *item)
{
    if (cJSON_IsObject(item))
        return KANE_NODE_OBJECT;
    if (cJSON_IsArray(item))
        return KANE_NODE_LIST;
    if (cJSON_IsString(item))
        return KANE_NODE_TEXT;
    if (cJSON_IsNumber(item))
        return KANE_NODE_NUMBER;
    if (cJSON_IsTrue(item))
        return KANE_NODE_TRUE;
    return cJSON_IsFalse(item) ? KANE_NODE_FALSE : KANE_NODE_NULL;
}

static kane_node *new_node(kane_arena *arena, kane_node_kind kind, const char *key, const char *text, size_t length)
{
    kane_node *node = kane_arena_alloc(arena, 1, sizeof *node);
    kane_memory_mark(node, KANE_MEMORY_TYPED);
    if (!node)
        return NULL;
    node->kind = kind;
    node->key  = kane_arena_text(arena, key);
    node->text = kane_arena_text_part(arena, text, length);
    return node->key && node->text ? node : NULL;
}

// A node without its children.
static kane_node *make_one(mirror *m, const cJSON *item, const char *key, const char *path, int depth)
{
    const kane_mark *mark     = m->mark++;
    const kane_node_kind kind = kind_of(item);
    const char *text          = kind == KANE_NODE_TEXT ? item->valuestring : m->text + mark->offset;
    const size_t length       = kind == KANE_NODE_TEXT ? strlen(text) : kind == KANE_NODE_NUMBER ? mark->length : 0;

    kane_node *node = new_node(m->arena, kind, key, text, length);
    if (!node)
        return NULL;
    node->depth      = depth;
    node->place      = m->place;
    node->place.path = path;
    node->is_outside = m->fixed;
    if (kind == KANE_NODE_NUMBER)
        node->number = kane_number_value(text, length, 0);
    if (!m->fixed) {
        node->place.line   = mark->line;
        node->place.column = mark->column;
        node->key_line     = mark->key_line;
        node->key_column   = mark->key_column;
    }
    return node;
}

static void add_duplicate(mirror *m, const kane_node *first, const kane_node *node)
{
    if (m->fixed)
        kane_errors_add_input(m->errors, KANE_BAD_INPUT, node->place, "duplicate key");
    else
        kane_errors_add_input(m->errors, KANE_BAD_INPUT, kane_node_key_place(node),
                              "duplicate key, first given in line %d, column %d", first->key_line, first->key_column);
}

// Keys of an object with many of them: open addressing. Of few keys there is no table.
typedef struct key_table {
    const kane_node **slot; // NULL: no table
    size_t mask;
} key_table;

enum { KEYS_FEW = 16 };

// Returns 0 if memory is short.
static int create_table(const cJSON *object, key_table *table)
{
    size_t count = 0, size = 1;
    *table = (key_table){NULL, 0};
    for (const cJSON *c = object->child; c; c = c->next)
        count++;
    if (!cJSON_IsObject(object) || count <= KEYS_FEW)
        return 1;
    while (size < 2 * count)
        size *= 2;
    table->slot = kane_allocate(size, sizeof *table->slot);
    table->mask = size - 1;
    return table->slot != NULL;
}

// The child that has the key of this one already, or NULL: then it is known from now on.
static const kane_node *find_or_add(const key_table *table, const kane_node *object, const kane_node *child)
{
    if (!table->slot)
        return kane_node_find(object, child->key);
    size_t i = (size_t)kane_hash_text(child->key, strlen(child->key), 0) & table->mask;
    for (; table->slot[i]; i = (i + 1) & table->mask)
        if (strcmp(table->slot[i]->key, child->key) == 0)
            return table->slot[i];
    table->slot[i] = child;
    return NULL;
}

static kane_node *make(mirror *m, const cJSON *item, const char *key, const char *path, int depth);

// What a node holds. Returns 0 without memory.
static int make_children(mirror *m, const cJSON *item, const char *path, int depth, const key_table *table,
                         kane_node *node)
{
    int index = 0;
    for (const cJSON *c = item->child; c; c = c->next, index++) {
        const char *name     = node->kind == KANE_NODE_OBJECT ? c->string : NULL;
        const char *below    = kane_path_join(m->arena, path, name, index);
        kane_node *child     = below ? make(m, c, name ? name : "", below, depth + 1) : NULL;
        const kane_node *old = child && name ? find_or_add(table, node, child) : NULL;
        if (!child)
            return 0;
        if (old)
            add_duplicate(m, old, child);
        else
            kane_node_append(node, child);
    }
    return 1;
}

// A node with all that it holds; NULL without memory.
static kane_node *make(mirror *m, const cJSON *item, const char *key, const char *path, int depth)
{
    key_table table;
    kane_node *node = make_one(m, item, key, path, depth);
    if (!node || !create_table(item, &table))
        return NULL;
    const int made = make_children(m, item, path, depth, &table, node);
    kane_release(table.slot);
    return made ? node : NULL;
}

static kane_node *no_memory(kane_errors *errors, kane_place place)
{
    kane_errors_add_input(errors, KANE_NO_MEMORY, place, "out of memory");
    return NULL;
}

// Scans a text. After KANE_OK the marks are the caller's to release; after KANE_BAD_INPUT the fault is filled.
static kane_status scan(const char *text, size_t length, kane_mark **marks, kane_fault *fault)
{
    *marks = kane_allocate(kane_scan_bound(text, length), sizeof **marks);
    if (!*marks)
        return KANE_NO_MEMORY;
    if (kane_scan(text, length, *marks, fault) >= 0)
        return KANE_OK;
    kane_release(*marks);
    return KANE_BAD_INPUT;
}

// Text that has been scanned, into nodes; releases the marks.
static kane_node *build(mirror *m, size_t length, kane_mark *marks, const char *key, int depth)
{
    m->mark         = marks;
    cJSON *tree     = cJSON_ParseWithLengthOpts(m->text, length, NULL, 0);
    kane_node *node = tree ? make(m, tree, key, m->place.path, depth) : NULL;
    cJSON_Delete(tree);
    kane_release(marks);
    return node ? node : no_memory(m->errors, m->place);
}

kane_node *kane_json_parse(kane_arena *arena, const char *name, const char *text, size_t length, kane_errors *errors)
{
    kane_place place = {.file = kane_arena_text(arena, name), .path = ""};
    kane_mark *marks;
    kane_fault fault;
    const kane_status status = place.file ? scan(text, length, &marks, &fault) : KANE_NO_MEMORY;
    if (status == KANE_NO_MEMORY)
        return no_memory(errors, (kane_place){.file = name, .path = ""});
    if (status != KANE_OK) {
        place.line   = fault.line;
        place.column = fault.column;
        kane_errors_add_input(errors, status, place, "%s", fault.text);
        return NULL;
    }
    mirror m = {.arena = arena, .text = text, .place = place, .errors = errors};
    return build(&m, length, marks, "", 0);
}

kane_status kane_json_value(kane_arena *arena, const char *text, kane_place place, const char *key, int depth,
                            kane_node **value, kane_errors *errors)
{
    const char first    = text[strspn(text, " \t\r\n")];
    const size_t length = strlen(text);
    kane_mark *marks;
    kane_fault fault;
    const kane_status status = scan(text, length, &marks, &fault);

    *value = NULL;
    if (status == KANE_OK) {
        mirror m = {.arena = arena, .text = text, .place = place, .fixed = 1, .errors = errors};
        *value   = build(&m, length, marks, key, depth);
        return *value ? KANE_OK : KANE_NO_MEMORY;
    }
    if (status == KANE_BAD_INPUT && (first == '{' || first == '[' || first == '"')) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, place, "%s", fault.text);
        return KANE_BAD_INPUT;
    }
    kane_node *node = status == KANE_BAD_INPUT ? new_node(arena, KANE_NODE_TEXT, key, text, length) : NULL;
    if (!node) {
        (void)no_memory(errors, place);
        return KANE_NO_MEMORY;
    }
    node->place      = place;
    node->depth      = depth;
    node->is_outside = 1;
    *value           = node;
    return KANE_OK;
}

kane_status kane_json_literal(const char *literal, size_t length, size_t size, char *buffer)
{
    cJSON *item = cJSON_ParseWithLengthOpts(literal, length, NULL, 0);
    if (!item)
        return KANE_NO_MEMORY;
    const char *text    = cJSON_GetStringValue(item); // NULL of null, a number or a list
    const size_t needed = text ? strlen(text) + 1 : SIZE_MAX;
    if (needed <= size)
        memcpy(buffer, text, needed);
    cJSON_Delete(item);
    return needed <= size ? KANE_OK : KANE_BAD_ARGUMENT;
}
