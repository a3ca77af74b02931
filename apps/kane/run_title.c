// SPDX-License-Identifier: MIT
// Titles of pictures.

#include "app.h"

#include "base/json.h"
#include "base/text.h"

#include <string.h>

void app_file_stem(const char *file, size_t size, char *stem)
{
    const char *slash = strrchr(file, '/'), *begin = slash ? slash + 1 : file, *dot = strrchr(begin, '.');
    (void)snprintf(stem, size, "%.*s", (int)(dot && dot > begin ? dot - begin : (long)strlen(begin)), begin);
}

// Adds the stem of a file that the manifest names. 0 if it names none.
static int add_file(kane_text *title, const kane_node *input, const char *key, const char *before)
{
    const kane_node *entry = kane_node_find(input, key);
    const kane_node *file  = entry ? kane_node_find(entry, "file") : NULL;
    char stem[200];
    if (!file || file->kind != KANE_NODE_TEXT)
        return 0;
    app_file_stem(file->text, sizeof stem, stem);
    kane_text_add(title, "%s%s", before, stem);
    return 1;
}

// What ran, the run, its variant and what was changed.
static int add_input(kane_text *title, const kane_node *input)
{
    if (!add_file(title, input, "vehicle", "") && !add_file(title, input, "train", "") &&
        !add_file(title, input, "mechanism", ""))
        return 0;
    (void)add_file(title, input, "run", ", run ");
    const kane_node *variant = kane_node_find(input, "variant"), *changes = kane_node_find(input, "changes");
    if (variant && variant->kind == KANE_NODE_TEXT)
        kane_text_add(title, ", %s", variant->text);
    for (const kane_node *c = changes && changes->kind == KANE_NODE_LIST ? changes->child : NULL; c; c = c->next)
        if (c->kind == KANE_NODE_TEXT && strncmp(c->text, "output.", strlen("output.")) != 0)
            kane_text_add(title, ", %s", c->text);
    return 1;
}

int app_run_title(const kane_results *results, const char *otherwise, size_t size, char *title, kane_errors *errors)
{
    const char *manifest   = kane_results_manifest(results);
    kane_errors unreported = {.limit = 1};
    kane_arena *arena      = kane_arena_create();
    const kane_node *root =
        arena && manifest ? kane_json_parse(arena, "manifest", manifest, strlen(manifest), &unreported) : NULL;
    const kane_node *input = root ? kane_node_find(root, "input") : NULL;
    kane_text text         = kane_text_start(size, title);
    title[0]               = '\0';
    if (!input || !add_input(&text, input))
        (void)snprintf(title, size, "%s", otherwise);
    const int failed =
        !arena || kane_arena_failed(arena) || (unreported.count > 0 && unreported.last == KANE_NO_MEMORY);
    if (failed)
        (void)kane_no_memory(errors);
    kane_arena_free(arena);
    return !failed;
}
