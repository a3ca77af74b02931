// SPDX-License-Identifier: MIT
// JSON text to a tree of nodes. The scan has checked the text to be strict JSON and gives the place of every value:
// what is left are escapes in texts, keys, and which value holds which.

#include "base/json.h"

#include "base/arena.h"
#include "base/machine.h"
#include "base/number.h"
#include "base/scan.h"

#include <string.h>

// A text that has been scanned, on its way into nodes.
typedef struct builder {
    kane_arena *arena;
    const char *text;
    size_t length;
    const kane_mark *mark, *end; // of the next value; behind the last one
    kane_place place;            // file; line > 0 only if all values stand at this one place
    int fixed;                   // do they?
    kane_errors *errors;
} builder;

static kane_node_kind kind_of(char first)
{
    switch (first) {
    case '{': return KANE_NODE_OBJECT;
    case '[': return KANE_NODE_LIST;
    case '"': return KANE_NODE_TEXT;
    case 't': return KANE_NODE_TRUE;
    case 'f': return KANE_NODE_FALSE;
    case 'n': return KANE_NODE_NULL;
    default: return KANE_NODE_NUMBER;
    }
}

// --- text literals ---

static unsigned read_hex(const char *four)
{
    unsigned code = 0;
    for (int i = 0; i < 4; i++) {
        const char c = four[i];
        code         = 16 * code + (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return code;
}

// A character as UTF-8; returns its length [bytes].
static size_t write_utf8(unsigned code, char out[4])
{
    static const unsigned char heads[] = {0x00, 0xC0, 0xE0, 0xF0};
    const int more                     = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    for (int i = more; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)(heads[more] | code);
    return (size_t)more + 1;
}

// The escape at `from`, which the scan has passed; *length: of what it stands for. Returns how long it is itself.
static size_t decode_escape(const char *from, char out[4], size_t *length)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    if (from[1] != 'u') {
        out[0]  = meant[strchr(letters, from[1]) - letters];
        *length = 1;
        return 2;
    }
    const unsigned code = read_hex(from + 2);
    const int is_pair   = code >= 0xD800 && code <= 0xDFFF;
    *length = write_utf8(is_pair ? 0x10000 + ((code - 0xD800) << 10) + (read_hex(from + 8) - 0xDC00) : code, out);
    return is_pair ? 12 : 6;
}

// Text of a literal without its quotes; terminated and never longer than the literal. Returns its length.
static size_t decode_literal(const char *literal, size_t length, char *out)
{
    size_t n = 0;
    for (size_t i = 1; i + 1 < length;) {
        char bytes[4] = {literal[i]};
        size_t count = 1, taken = 1;
        if (literal[i] == '\\')
            taken = decode_escape(literal + i, bytes, &count);
        memcpy(out + n, bytes, count);
        n += count;
        i += taken;
    }
    out[n] = '\0';
    return n;
}

static const char *copy_literal(kane_arena *arena, const char *literal, size_t length)
{
    char *text = kane_arena_alloc(arena, length, 1);
    if (text)
        (void)decode_literal(literal, length, text);
    return text;
}

// --- nodes ---

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
static kane_node *make_one(builder *m, const kane_mark *mark, const char *key, const char *path, int depth)
{
    const char *from          = m->text + mark->offset;
    const kane_node_kind kind = kind_of(*from);
    const char *said          = kind == KANE_NODE_TEXT ? copy_literal(m->arena, from, mark->length) : from;
    const size_t length       = !said                      ? 0
                                : kind == KANE_NODE_TEXT   ? strlen(said)
                                : kind == KANE_NODE_NUMBER ? mark->length
                                                           : 0;

    kane_node *node = said ? new_node(m->arena, kind, key, said, length) : NULL;
    if (!node)
        return NULL;
    node->depth      = depth;
    node->place      = m->place;
    node->place.path = path;
    node->is_outside = m->fixed;
    if (kind == KANE_NODE_NUMBER)
        node->number = kane_number_value(from, length, 0);
    if (!m->fixed) {
        node->place.line   = mark->line;
        node->place.column = mark->column;
        node->key_line     = mark->key_line;
        node->key_column   = mark->key_column;
    }
    return node;
}

static void add_duplicate(builder *m, const kane_node *first, const kane_node *node)
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

// How many values the next marks are that a value holds itself.
static size_t count_children(const builder *m, const kane_mark *parent)
{
    size_t count = 0, behind = 0;
    for (const kane_mark *mark = m->mark; mark < m->end && mark->offset < parent->offset + parent->length; mark++)
        if (mark->offset >= behind) {
            count++;
            behind = mark->offset + mark->length;
        }
    return count;
}

// Returns 0 if memory is short.
static int create_table(const builder *m, const kane_mark *parent, key_table *table)
{
    size_t size = 1;
    *table      = (key_table){NULL, 0};
    if (m->text[parent->offset] != '{')
        return 1;
    const size_t count = count_children(m, parent);
    if (count <= KEYS_FEW)
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

static kane_node *make_node(builder *m, const char *key, const char *path, int depth);

// What a node holds. Returns 0 without memory.
static int make_children(builder *m, const kane_mark *parent, const char *path, int depth, const key_table *table,
                         kane_node *node)
{
    size_t at        = parent->offset + 1;
    const size_t end = parent->offset + parent->length - 1; // the closing bracket
    for (int index = 0;; index++) {
        const char *name = NULL;
        at += strspn(m->text + at, " \t\r\n,");
        if (at >= end)
            return 1;
        if (node->kind == KANE_NODE_OBJECT) {
            name = copy_literal(m->arena, m->text + at, kane_scan_literal(m->text + at, m->length - at));
            if (!name)
                return 0;
        }
        const char *below    = kane_path_join(m->arena, path, name, index);
        at                   = m->mark->offset + m->mark->length; // behind the child
        kane_node *child     = below ? make_node(m, name ? name : "", below, depth + 1) : NULL;
        const kane_node *old = child && name ? find_or_add(table, node, child) : NULL;
        if (!child)
            return 0;
        if (old)
            add_duplicate(m, old, child);
        else
            kane_node_append(node, child);
    }
}

// The next value as a node with all that it holds; NULL without memory.
static kane_node *make_node(builder *m, const char *key, const char *path, int depth)
{
    const kane_mark *mark = m->mark++;
    key_table table;
    kane_node *node = make_one(m, mark, key, path, depth);
    if (!node || (node->kind != KANE_NODE_OBJECT && node->kind != KANE_NODE_LIST))
        return node;
    if (!create_table(m, mark, &table))
        return NULL;
    const int made = make_children(m, mark, path, depth, &table, node);
    kane_release(table.slot);
    return made ? node : NULL;
}

static kane_node *no_memory(kane_errors *errors, kane_place place)
{
    kane_errors_add_input(errors, KANE_NO_MEMORY, place, "out of memory");
    return NULL;
}

// Scans a text. After KANE_OK the caller frees the marks; after KANE_BAD_INPUT the fault is filled.
static kane_status scan_text(const char *text, size_t length, kane_mark **marks, int *count, kane_fault *fault)
{
    *marks = kane_allocate(kane_scan_bound(text, length), sizeof **marks);
    if (!*marks)
        return KANE_NO_MEMORY;
    *count = kane_scan(text, length, *marks, fault);
    if (*count >= 0)
        return KANE_OK;
    kane_release(*marks);
    return KANE_BAD_INPUT;
}

// Nodes of a scanned text; frees the marks.
static kane_node *build_nodes(builder *m, kane_mark *marks, int count, const char *key, int depth)
{
    m->mark         = marks;
    m->end          = marks + count;
    kane_node *node = make_node(m, key, m->place.path, depth);
    kane_release(marks);
    return node ? node : no_memory(m->errors, m->place);
}

kane_node *kane_json_parse(kane_arena *arena, const char *name, const char *text, size_t length, kane_errors *errors)
{
    kane_place place = {.file = kane_arena_text(arena, name), .path = ""};
    kane_mark *marks;
    kane_fault fault;
    int count                = 0;
    const kane_status status = place.file ? scan_text(text, length, &marks, &count, &fault) : KANE_NO_MEMORY;
    if (status == KANE_NO_MEMORY)
        return no_memory(errors, (kane_place){.file = name, .path = ""});
    if (status != KANE_OK) {
        place.line   = fault.line;
        place.column = fault.column;
        kane_errors_add_input(errors, status, place, "%s", fault.text);
        return NULL;
    }
    builder m = {.arena = arena, .text = text, .length = length, .place = place, .errors = errors};
    return build_nodes(&m, marks, count, "", 0);
}

kane_status kane_json_value(kane_arena *arena, const char *text, kane_place place, const char *key, int depth,
                            kane_node **value, kane_errors *errors)
{
    const char first    = text[strspn(text, " \t\r\n")];
    const size_t length = strlen(text);
    kane_mark *marks;
    kane_fault fault;
    int count                = 0;
    const kane_status status = scan_text(text, length, &marks, &count, &fault);

    *value = NULL;
    if (status == KANE_OK) {
        builder m = {.arena = arena, .text = text, .length = length, .place = place, .fixed = 1, .errors = errors};
        *value    = build_nodes(&m, marks, count, key, depth);
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
    char *text = kane_allocate(length, 1);
    if (!text)
        return KANE_NO_MEMORY;
    const size_t needed =
        length > 1 && *literal == '"' ? decode_literal(literal, length, text) + 1 : SIZE_MAX; // no text
    if (needed <= size)
        memcpy(buffer, text, needed);
    kane_release(text);
    return needed <= size ? KANE_OK : KANE_BAD_ARGUMENT;
}
