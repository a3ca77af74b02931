// SPDX-License-Identifier: MIT
// What a page holds, read back by means of the test's own.

#ifndef KANE_TESTS_PAGE_DATA_H
#define KANE_TESTS_PAGE_DATA_H

#include "folder.h"

#include "base/arena.h"
#include "base/json.h"

// What a page says once and refers to as {"shared": k}, of the page that was read last.
static const kane_node *page_shared;

typedef struct page_data {
    kane_arena *arena;
    const char *text; // of the whole page
    kane_node *root;  // of its JSON
} page_data;

static inline page_data page_read(const char *file)
{
    static const char begin[] = "<script type=\"application/json\" id=\"runs\">";
    CHECK_ERRORS errors       = {0};
    page_data page            = {.arena = kane_arena_create()};
    page.text                 = kane_arena_text(page.arena, content(file));
    const char *json          = strstr(page.text, begin);
    assert_non_null(json);
    json += strlen(begin);
    const char *end = strstr(json, "</script>");
    assert_non_null(end);
    char *copy = kane_arena_text_part(page.arena, json, (size_t)(end - json));
    page.root  = kane_json_parse(page.arena, file, copy, strlen(copy), &errors);
    assert_non_null(page.root);
    assert_int_equal(errors.count, 0);
    page_shared = kane_node_find(page.root, "shared");
    return page;
}

// What a node refers to; NULL: nothing.
static inline const kane_node *page_reference(const kane_node *node)
{
    const kane_node *which = node && node->kind == KANE_NODE_OBJECT ? kane_node_find(node, "shared") : NULL;
    return which && which->kind == KANE_NODE_NUMBER ? kane_node_at(page_shared, (int)which->number) : NULL;
}

// The value at a path of keys and numbers in lists, "runs.0.scene.bodies"; NULL: there is none.
static inline const kane_node *page_at(const kane_node *node, const char *path)
{
    char step[64];
    while (node && *path) {
        const size_t length = strcspn(path, ".");
        (void)snprintf(step, sizeof step, "%.*s", (int)length, path);
        const kane_node *shared = page_reference(node);
        const kane_node *own    = node->kind == KANE_NODE_OBJECT ? kane_node_find(node, step) : NULL;
        node                    = own ? own : shared ? shared : node;
        if (!own)
            node = node->kind == KANE_NODE_LIST ? kane_node_at(node, atoi(step)) : kane_node_find(node, step);
        path += length + (path[length] == '.');
    }
    // all that is there stands elsewhere
    return node && node->count == 1 && page_reference(node) ? page_reference(node) : node;
}

static inline void page_data_free(page_data *page)
{
    kane_arena_free(page->arena);
}

static inline double page_number(const kane_node *node, const char *path)
{
    const kane_node *found = page_at(node, path);
    if (!found || found->kind != KANE_NODE_NUMBER)
        fail_msg("no number at %s", path);
    return found->number;
}

// The object of a list whose "name" that is.
static inline const kane_node *page_named(const kane_node *list, const char *name)
{
    for (const kane_node *one = list->child; one; one = one->next)
        if (strcmp(page_at(one, "name")->text, name) == 0)
            return one;
    fail_msg("nothing is called %s", name);
    return NULL;
}

static inline int sextet(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at             = strchr(digits, c);
    assert_true(c != '\0' && at);
    return (int)(at - digits);
}

// All values of a packed row; to be freed. count may be NULL.
static inline double *page_row(const page_data *page, const kane_node *packed, int *count)
{
    const int n = (int)page_number(packed, "count");
    double *row = calloc((size_t)n + 1, sizeof *row);
    assert_non_null(row);
    if (count)
        *count = n;
    if (page_at(packed, "constant")) {
        for (int i = 0; i < n; i++)
            row[i] = page_number(packed, "constant");
        return row;
    }
    char id[64];
    (void)snprintf(id, sizeof id, "id=\"block-%d\">", (int)page_number(packed, "block"));
    const char *text = strstr(page->text, id);
    assert_non_null(text);
    text += strlen(id);
    const int is_single = strcmp(page_at(packed, "type")->text, "f32") == 0;
    const size_t size   = is_single ? 4 : 8;
    const double offset = page_number(packed, "offset");
    unsigned char *all  = calloc(size * (size_t)n + 3, 1);
    assert_non_null(all);
    size_t length = 0;
    for (; *text != '<'; text += 4) {
        const int pad       = (text[2] == '=') + (text[3] == '=');
        const unsigned bits = (unsigned)sextet(text[0]) << 18 | (unsigned)sextet(text[1]) << 12 |
                              (pad > 1 ? 0U : (unsigned)sextet(text[2]) << 6) |
                              (pad > 0 ? 0U : (unsigned)sextet(text[3]));
        for (int k = 0; k < 3 - pad; k++)
            all[length++] = (unsigned char)(bits >> (16 - 8 * k));
        assert_true(pad == 0 || text[4] == '<');
    }
    assert_int_equal(length, size * (size_t)n);
    for (int i = 0; i < n; i++) {
        float single;
        if (is_single) {
            memcpy(&single, all + size * (size_t)i, sizeof single);
            row[i] = offset + (double)single;
        } else {
            memcpy(&row[i], all + size * (size_t)i, sizeof row[i]);
        }
    }
    free(all);
    return row;
}

#endif
