// SPDX-License-Identifier: MIT
// The tree of values of a JSON document.

#include "base/json.h"

#include <string.h>

kane_node *kane_node_find(const kane_node *object, const char *key)
{
    if (object->kind != KANE_NODE_OBJECT)
        return NULL;
    for (kane_node *c = object->child; c; c = c->next)
        if (strcmp(c->key, key) == 0)
            return c;
    return NULL;
}

const char *kane_node_text(const kane_node *object, const char *key, const char *otherwise)
{
    const kane_node *node = object ? kane_node_find(object, key) : NULL;
    return node && node->kind == KANE_NODE_TEXT ? node->text : otherwise;
}

kane_node *kane_node_at(const kane_node *parent, int index)
{
    kane_node *c = index >= 0 ? parent->child : NULL;
    while (c && index-- > 0)
        c = c->next;
    return c;
}

kane_place kane_node_key_place(const kane_node *node)
{
    kane_place place = node->place;
    if (node->key_line > 0) {
        place.line   = node->key_line;
        place.column = node->key_column;
    }
    return place;
}

void kane_node_append(kane_node *parent, kane_node *child)
{
    if (parent->last)
        parent->last->next = child;
    else
        parent->child = child;
    parent->last  = child;
    child->parent = parent;
    parent->count++;
}

void kane_node_replace(kane_node *old, kane_node *value)
{
    kane_node *parent = old->parent;
    kane_node **link  = &parent->child;
    while (*link != old)
        link = &(*link)->next;
    *link         = value;
    value->next   = old->next;
    value->parent = parent;
    if (parent->last == old)
        parent->last = value;
}

void kane_node_describe(kane_text *text, const kane_node *node)
{
    switch (node->kind) {
    case KANE_NODE_NULL: kane_text_add(text, "null"); break;
    case KANE_NODE_FALSE: kane_text_add(text, "false"); break;
    case KANE_NODE_TRUE: kane_text_add(text, "true"); break;
    case KANE_NODE_NUMBER: kane_text_add(text, "the number %s", node->text); break;
    case KANE_NODE_TEXT:
        kane_text_add(text, "the text ");
        kane_text_quote(text, '\'', node->text);
        break;
    case KANE_NODE_LIST: kane_text_add(text, node->count > 0 ? "a list" : "an empty list"); break;
    case KANE_NODE_OBJECT: kane_text_add(text, "an object"); break;
    }
}

kane_names kane_node_keys(kane_arena *arena, const kane_node *object)
{
    const int count    = object->kind == KANE_NODE_OBJECT ? object->count : 0;
    const char **names = kane_arena_alloc(arena, (size_t)count, sizeof *names);
    int i              = 0;
    for (const kane_node *c = names && count ? object->child : NULL; c; c = c->next)
        names[i++] = c->key;
    return (kane_names){names, i, sizeof *names};
}

const char *kane_node_word(const kane_node *node)
{
    const int is_word = node->kind == KANE_NODE_TEXT || (node->kind == KANE_NODE_NUMBER && node->is_outside);
    return is_word ? node->text : NULL;
}
