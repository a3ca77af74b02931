// SPDX-License-Identifier: MIT
// As much of JSON schema (draft-07) as libkane writes, to test the schemas with: does a document obey one?

#ifndef KANE_TESTS_VALIDATOR_H
#define KANE_TESTS_VALIDATOR_H

#include "base/json.h"

#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

static int validator_obeys(const kane_node *root, const kane_node *schema, const kane_node *value);

// A keyword that the schema may use; anything else is a mistake of the one who writes it.
static inline int validator_knows(const char *keyword)
{
    static const char *const known[] = {"$schema",       "title",     "description", "default",  "definitions",
                                        "$ref",          "type",      "enum",        "const",    "properties",
                                        "required",      "items",     "minItems",    "maxItems", "additionalProperties",
                                        "propertyNames", "minLength", "minimum",     "maximum",  "exclusiveMinimum",
                                        "pattern",       "anyOf",     "allOf",       "not",      "if",
                                        "then"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i], keyword) == 0)
            return 1;
    return 0;
}

static inline const kane_node *validator_resolve(const kane_node *root, const char *reference)
{
    static const char definitions[] = "#/definitions/";
    if (strcmp(reference, "#") == 0)
        return root;
    if (strncmp(reference, definitions, sizeof definitions - 1) != 0)
        return NULL;
    return kane_node_find(kane_node_find(root, "definitions"), reference + sizeof definitions - 1);
}

static inline int validator_is(const kane_node *value, const char *type)
{
    switch (value->kind) {
    case KANE_NODE_NULL: return strcmp(type, "null") == 0;
    case KANE_NODE_FALSE:
    case KANE_NODE_TRUE: return strcmp(type, "boolean") == 0;
    case KANE_NODE_NUMBER:
        return strcmp(type, "number") == 0 || (strcmp(type, "integer") == 0 && value->number == floor(value->number));
    case KANE_NODE_TEXT: return strcmp(type, "string") == 0;
    case KANE_NODE_LIST: return strcmp(type, "array") == 0;
    case KANE_NODE_OBJECT: return strcmp(type, "object") == 0;
    }
    return 0;
}

// Patterns of units are long: each is compiled once, and stays as long as the program.
static inline int validator_matches(const char *pattern, const char *text)
{
    enum { MOST = 200 };
    static struct {
        char *pattern;
        regex_t regex;
    } known[MOST];
    int i = 0;
    while (i < MOST && known[i].pattern && strcmp(known[i].pattern, pattern) != 0)
        i++;
    if (i == MOST)
        abort();
    if (!known[i].pattern) {
        known[i].pattern = strdup(pattern);
        if (!known[i].pattern || regcomp(&known[i].regex, pattern, REG_EXTENDED | REG_NOSUB) != 0)
            abort();
    }
    return regexec(&known[i].regex, text, 0, NULL, 0) == 0;
}

static inline int validator_has_all(const kane_node *keys, const kane_node *object)
{
    for (const kane_node *k = keys->child; k; k = k->next)
        if (object->kind == KANE_NODE_OBJECT && !kane_node_find(object, k->text))
            return 0;
    return 1;
}

static inline int validator_count(const kane_node *root, const kane_node *schemas, const kane_node *value)
{
    int n = 0;
    for (const kane_node *s = schemas->child; s; s = s->next)
        n += validator_obeys(root, s, value);
    return n;
}

static inline int validator_is_among(const kane_node *texts, const kane_node *value)
{
    for (const kane_node *t = texts->child; t; t = t->next)
        if (value->kind == KANE_NODE_TEXT && strcmp(t->text, value->text) == 0)
            return 1;
    return 0;
}

// "properties", "additionalProperties" and "propertyNames" together
static inline int validator_object(const kane_node *root, const kane_node *schema, const kane_node *object)
{
    const kane_node *properties = kane_node_find(schema, "properties");
    const kane_node *others     = kane_node_find(schema, "additionalProperties");
    const kane_node *names      = kane_node_find(schema, "propertyNames");
    for (const kane_node *c = object->child; c; c = c->next) {
        const kane_node *own = properties ? kane_node_find(properties, c->key) : NULL;
        const kane_node *by  = own ? own : others;
        if (by && !validator_obeys(root, by, c))
            return 0;
        if (names && strlen(c->key) < (size_t)kane_node_find(names, "minLength")->number)
            return 0;
    }
    return 1;
}

static inline int validator_keyword(const kane_node *root, const kane_node *schema, const kane_node *k,
                                    const kane_node *value)
{
    const int is_number = value->kind == KANE_NODE_NUMBER, is_list = value->kind == KANE_NODE_LIST;
    if (!validator_knows(k->key))
        return 0;
    if (strcmp(k->key, "$ref") == 0) {
        const kane_node *to = validator_resolve(root, k->text);
        return to && validator_obeys(root, to, value);
    }
    if (strcmp(k->key, "type") == 0)
        return validator_is(value, k->text);
    if (strcmp(k->key, "enum") == 0)
        return validator_is_among(k, value);
    if (strcmp(k->key, "const") == 0)
        return value->kind == KANE_NODE_TEXT && strcmp(k->text, value->text) == 0;
    if (strcmp(k->key, "required") == 0)
        return validator_has_all(k, value);
    if (strcmp(k->key, "minimum") == 0)
        return !is_number || value->number >= k->number;
    if (strcmp(k->key, "maximum") == 0)
        return !is_number || value->number <= k->number;
    if (strcmp(k->key, "exclusiveMinimum") == 0)
        return !is_number || value->number > k->number;
    if (strcmp(k->key, "minItems") == 0)
        return !is_list || value->count >= k->number;
    if (strcmp(k->key, "maxItems") == 0)
        return !is_list || value->count <= k->number;
    if (strcmp(k->key, "pattern") == 0)
        return value->kind != KANE_NODE_TEXT || validator_matches(k->text, value->text);
    if (strcmp(k->key, "anyOf") == 0)
        return validator_count(root, k, value) > 0;
    if (strcmp(k->key, "allOf") == 0)
        return validator_count(root, k, value) == k->count;
    if (strcmp(k->key, "not") == 0)
        return !validator_obeys(root, k, value);
    if (strcmp(k->key, "if") == 0)
        return !validator_obeys(root, k, value) || validator_obeys(root, kane_node_find(schema, "then"), value);
    if (strcmp(k->key, "items") == 0)
        for (const kane_node *c = is_list ? value->child : NULL; c; c = c->next)
            if (!validator_obeys(root, k, c))
                return 0;
    return 1;
}

// Does a value obey a schema? root is the whole schema, for its definitions.
static int validator_obeys(const kane_node *root, const kane_node *schema, const kane_node *value)
{
    if (schema->kind == KANE_NODE_TRUE || schema->kind == KANE_NODE_FALSE)
        return schema->kind == KANE_NODE_TRUE;
    for (const kane_node *k = schema->child; k; k = k->next)
        if (!validator_keyword(root, schema, k, value))
            return 0;
    return value->kind != KANE_NODE_OBJECT || validator_object(root, schema, value);
}

#endif
