// SPDX-License-Identifier: MIT
// Which run rows are of, and what became of it.

#include "results/results.h"

#include "base/file.h"
#include "base/json.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// Parses a manifest into the arena; *root NULL: it is no JSON object. KANE_NO_MEMORY with an error.
static kane_status parse_manifest(kane_arena *arena, const char *manifest, const kane_node **root, kane_errors *errors)
{
    kane_errors why = {.limit = 1};
    *root           = kane_json_parse(arena, "manifest", manifest, strlen(manifest), &why);
    if (kane_arena_failed(arena) || (why.count > 0 && kane_errors_get(&why, 0)->status == KANE_NO_MEMORY))
        return kane_no_memory(errors);
    if (why.count > 0)
        *root = NULL;
    return KANE_OK;
}

// --- keys ---

int kane_origin_is_key(const char *text, size_t length)
{
    size_t i = 0;
    while (i < length && text[i] && strchr("0123456789abcdef", text[i]))
        i++;
    return i == length && length == KANE_KEY_LENGTH;
}

kane_status kane_origin_key(const char *manifest, char key[KANE_KEY_SIZE], kane_errors *errors)
{
    const kane_node *root = NULL;
    kane_arena *arena     = manifest ? kane_arena_create() : NULL;
    key[0]                = '\0';
    if (!manifest)
        return KANE_OK;
    if (!arena)
        return kane_no_memory(errors);
    const kane_status status = parse_manifest(arena, manifest, &root, errors);
    const char *found        = root ? kane_node_text(root, "key", NULL) : NULL;
    if (found && kane_origin_is_key(found, strlen(found)))
        memcpy(key, found, KANE_KEY_SIZE);
    kane_arena_free(arena);
    return status;
}

// --- manifests ---

kane_status kane_origin_check_link(const char *file, kane_errors *errors)
{
    const kane_place place = {.file = file, .path = ""};
    struct stat about;
    if (lstat(file, &about) != 0 || !S_ISLNK(about.st_mode))
        return KANE_OK;
    kane_errors_add_input(errors, KANE_BAD_INPUT, place,
                          "is a link, which is not followed here: put the file in its place, or name what it leads to");
    return KANE_BAD_INPUT;
}

static int is_named_by_a_run(const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *name  = slash ? slash + 1 : file;
    return strcmp(name, "results.csv") == 0 || strcmp(name, "results.h5") == 0;
}

// manifest.json beside rows that a run wrote, or that have a key without a manifest. NULL: none. KANE_NO_FILE with an
// error if it cannot be read.
static kane_status read_beside(const kane_results *results, char **manifest, kane_errors *errors)
{
    struct stat about;
    *manifest = NULL;
    if (!is_named_by_a_run(results->file) && (results->manifest || !results->key[0]))
        return KANE_OK;
    const char *beside = kane_file_beside(results->arena, results->file, "manifest.json");
    if (!beside)
        return kane_no_memory(errors);
    if (stat(beside, &about) != 0)
        return KANE_OK;
    if (kane_origin_check_link(beside, errors) != KANE_OK)
        return KANE_BAD_INPUT;
    *manifest = kane_file_read(results->arena, beside, NULL, errors);
    return *manifest ? KANE_OK : KANE_NO_FILE;
}

static kane_status compare_keys(const kane_results *results, const char *manifest, const char *where,
                                kane_errors *errors)
{
    char key[KANE_KEY_SIZE];
    const kane_status status = kane_origin_key(manifest, key, errors);
    if (status != KANE_OK || strcmp(key, results->key) == 0)
        return status;
    const kane_place place = {.file = results->file, .path = ""};
    kane_errors_add_input(
        errors, KANE_BAD_INPUT, place,
        "these rows are of run %s, the manifest %s is of run %s: bring both together, or run it again",
        results->key[0] ? results->key : "(not known)", where, key[0] ? key : "(not known)");
    return KANE_BAD_INPUT;
}

static kane_status report_no_manifest(const kane_results *results, kane_errors *errors)
{
    const kane_place place = {.file = results->file, .path = ""};
    const char *key        = results->key;
    kane_errors_add_input(errors, KANE_BAD_INPUT, place,
                          "these rows are of run %s, whose manifest is not with them: put its manifest.json beside "
                          "them, or run it again",
                          key[0] ? key : "(not known)");
    return KANE_BAD_INPUT;
}

kane_status kane_origin_tie(kane_results *results, int of_directory, kane_errors *errors)
{
    char *beside;
    kane_status status = KANE_OK;
    if (results->manifest)
        status = compare_keys(results, results->manifest, "in their file", errors);
    if (status == KANE_OK)
        status = read_beside(results, &beside, errors);
    if (status == KANE_OK && beside)
        status = compare_keys(results, beside, "beside them", errors);
    if (status == KANE_OK && !results->manifest)
        results->manifest = beside;
    if (status == KANE_OK && !results->manifest && (results->key[0] || of_directory))
        status = report_no_manifest(results, errors);
    return status;
}

// --- state of the run ---

int kane_origin_format(const kane_node *manifest, size_t size, char *text)
{
    const char *state = kane_node_text(manifest, "state", NULL), *end = kane_node_text(manifest, "end", NULL);
    if (manifest->kind != KANE_NODE_OBJECT || (state && strcmp(state, "done") == 0))
        return 0;
    if (!state || strcmp(state, "running") == 0)
        (void)snprintf(text, size, "the run had not ended when these rows were written: it goes on, or was killed");
    else
        (void)snprintf(text, size, "the run did not come to its end: %s%s%s", state, end ? ", " : "", end ? end : "");
    return 1;
}

int kane_results_format(const kane_results *results, size_t size, char *text)
{
    const kane_node *root = NULL;
    if (!results->manifest)
        return 0;
    kane_arena *arena = kane_arena_create();
    int said          = 1;
    if (!arena || parse_manifest(arena, results->manifest, &root, NULL) != KANE_OK)
        (void)snprintf(text, size, "there is no memory to find out whether the run came to its end");
    else if (!root)
        (void)snprintf(text, size, "the manifest of these results cannot be read");
    else
        said = kane_origin_format(root, size, text);
    kane_arena_free(arena);
    return said;
}
