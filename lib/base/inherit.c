// SPDX-License-Identifier: MIT
// "like": what an object takes from a pattern.

#include "base/json.h"

#include "base/arena.h"
#include "base/scan.h"

#include <string.h>

enum { NOT_DONE, BEING_DONE, DONE };

typedef struct inheritance {
    kane_arena *arena;
    kane_node *patterns; // NULL: the document has none
    kane_errors *errors;
    int is_broken;      // "patterns" is no object, which has been reported
    int limit;          // values that may still be copied
    kane_status status; // the first thing that went wrong
} inheritance;

// The text of "like" of an object, NULL if it has none. (In a map a thing may be called "like"; it is an object.)
static const kane_node *like_of(const kane_node *object)
{
    const kane_node *like = kane_node_find(object, "like");
    return like && like->kind == KANE_NODE_TEXT ? like : NULL;
}

static int is_called(const kane_node *child, const char *key)
{
    return child->kind != KANE_NODE_OBJECT && strcmp(child->key, key) == 0;
}

// A note and the name of a pattern belong to the object in which they stand.
static int is_own(const kane_node *child)
{
    return is_called(child, "like") || is_called(child, "note");
}

kane_node *kane_inherit_copy(kane_arena *arena, const kane_node *node, int depth, int *limit)
{
    if (depth > KANE_DEPTH_MOST || --*limit < 0)
        return NULL;
    kane_node *copy = kane_arena_alloc(arena, 1, sizeof *copy);
    kane_memory_mark(copy, KANE_MEMORY_TYPED);
    if (!copy)
        return NULL;
    *copy       = *node;
    copy->depth = depth;
    copy->count = 0;
    copy->child = copy->last = copy->next = copy->parent = NULL;
    for (const kane_node *c = node->child; c; c = c->next) {
        if (is_called(c, "note"))
            continue;
        kane_node *below = kane_inherit_copy(arena, c, depth + 1, limit);
        if (!below)
            return NULL;
        kane_node_append(copy, below);
    }
    return copy;
}

static void report_error(inheritance *in, kane_status status, const kane_node *node, const char *text)
{
    kane_errors_add_input(in->errors, status, node->place, "%s", text);
    in->status = status;
}

// Adds the keys of a pattern that an object lacks; objects in both are merged. Errors of size or depth are placed at
// `like`.
static void merge_pattern(inheritance *in, kane_node *to, const kane_node *from, const kane_node *like)
{
    for (const kane_node *c = from->child; c && in->status != KANE_NO_MEMORY; c = c->next) {
        if (is_own(c))
            continue;
        kane_node *own = kane_node_find(to, c->key);
        if (own && own->kind == KANE_NODE_OBJECT && c->kind == KANE_NODE_OBJECT) {
            merge_pattern(in, own, c, like);
        } else if (!own) {
            kane_node *copy = kane_inherit_copy(in->arena, c, to->depth + 1, &in->limit);
            if (copy) {
                kane_node_append(to, copy);
                continue;
            }
            if (kane_arena_failed(in->arena))
                report_error(in, KANE_NO_MEMORY, like, "out of memory");
            else
                report_error(in, KANE_BAD_INPUT, like, "what is inherited here is too deep or too large");
            return;
        }
    }
}

static void expand_patterns(inheritance *in, kane_node *node);

static void expand_pattern(inheritance *in, kane_node *pattern)
{
    if (pattern->state == DONE)
        return;
    pattern->state = BEING_DONE;
    if (pattern->kind == KANE_NODE_OBJECT) {
        expand_patterns(in, pattern);
    } else if (!is_own(pattern)) {
        char buffer[160];
        kane_text text = kane_text_start(sizeof buffer, buffer);
        kane_text_add(&text, "found ");
        kane_node_describe(&text, pattern);
        kane_text_add(&text, ", a pattern is an object");
        report_error(in, KANE_BAD_INPUT, pattern, buffer);
    }
    pattern->state = DONE;
}

static void inherit_patterns(inheritance *in, kane_node *object, const kane_node *like)
{
    if (in->is_broken) {
        object->is_incomplete = 1;
        return;
    }
    const kane_names known = in->patterns ? kane_node_keys(in->arena, in->patterns) : (kane_names){0};
    if (in->patterns && !known.first) {
        report_error(in, KANE_NO_MEMORY, like, "out of memory");
        return;
    }
    const int index = kane_names_resolve(known, "pattern", like->text, like->place, in->errors);
    if (index < 0) {
        in->status            = KANE_BAD_INPUT;
        object->is_incomplete = 1;
        return;
    }
    kane_node *pattern = kane_node_at(in->patterns, index);
    if (pattern->state == BEING_DONE) {
        report_error(in, KANE_BAD_INPUT, like, "this pattern is like itself, directly or through others");
        object->is_incomplete = 1;
        return;
    }
    expand_pattern(in, pattern);
    object->is_incomplete = pattern->is_incomplete || pattern->kind != KANE_NODE_OBJECT;
    if (pattern->kind == KANE_NODE_OBJECT)
        merge_pattern(in, object, pattern, like);
}

// Expands a value and all values in it, the deepest first.
static void expand_patterns(inheritance *in, kane_node *node)
{
    if (in->status == KANE_NO_MEMORY)
        return;
    for (kane_node *c = node->child; c; c = c->next) {
        if (c != in->patterns)
            expand_patterns(in, c);
        for (kane_node *p = c == in->patterns ? c->child : NULL; p; p = p->next)
            expand_pattern(in, p);
    }
    const kane_node *like = like_of(node), *wrong = kane_node_find(node, "like");
    if (like)
        inherit_patterns(in, node, like);
    else if (wrong && wrong->kind != KANE_NODE_OBJECT)
        node->is_incomplete = 1; // the reader says what is wrong with it
}

kane_status kane_inherit(kane_arena *arena, kane_node *root, kane_errors *errors)
{
    inheritance in = {.arena = arena, .errors = errors, .limit = KANE_INHERIT_MOST};
    in.patterns    = kane_node_find(root, "patterns");
    if (in.patterns && in.patterns->kind != KANE_NODE_OBJECT) {
        report_error(&in, KANE_BAD_INPUT, in.patterns, "expected an object of patterns, each with its name");
        in.is_broken = 1;
        in.patterns  = NULL;
    }
    expand_patterns(&in, root);
    return in.status;
}

// Value of a key that an object inherits: searched in its pattern, that pattern's patterns, and those of its parents.
// `steps` [1] ends the search of circular patterns.
static const kane_node *find_inherited(const kane_node *root, const kane_node *object, const char *key, int *steps)
{
    if (--*steps < 0)
        return NULL;
    const kane_node *like     = like_of(object);
    const kane_node *patterns = kane_node_find(root, "patterns");
    const kane_node *pattern  = like && patterns ? kane_node_find(patterns, like->text) : NULL;
    const kane_node *parent   = object->parent;
    const kane_node *found    = NULL;

    if (pattern) {
        found = kane_node_find(pattern, key);
        found = found ? found : find_inherited(root, pattern, key, steps);
    }
    if (!found && parent && parent->kind == KANE_NODE_OBJECT) {
        const kane_node *same = find_inherited(root, parent, object->key, steps);
        if (same) {
            found = kane_node_find(same, key);
            found = found ? found : find_inherited(root, same, key, steps);
        }
    }
    return found;
}

const kane_node *kane_inherit_find(const kane_node *root, const kane_node *object, const char *key)
{
    int steps = 1000;
    return find_inherited(root, object, key, &steps);
}
