// SPDX-License-Identifier: MIT
// plan.json: content of a study's directory. It is written once, in one step; later processes compare their plan with
// it.

#include "plan/plan.h"

#include "base/file.h"
#include "base/json.h"
#include "base/machine.h"
#include "base/number.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char FORMAT[] = "plan 2"; // of what a plan says; 2: all studies say it in the same way
static const char ADVICE[] = "use another directory, or remove this one";

// --- the text ---

// What plan.json of this plan says, in the plan's arena; NULL without memory.
static const char *compose_plan_text(const kane_plan *plan)
{
    char *text  = NULL;
    size_t size = 0;
    FILE *out   = open_memstream(&text, &size);
    if (!out)
        return NULL;
    kane_writer w = kane_writer_start(out);
    kane_writer_document(&w, FORMAT);
    kane_writer_count(&w, "cases", plan->case_count);
    kane_writer_count(&w, "values", plan->value_count);
    kane_writer_json(&w, "content", plan->definition.content);
    kane_writer_close(&w);
    const kane_status status = kane_writer_end(&w);
    const char *copy         = NULL;
    if (fclose(out) == 0 && status == KANE_OK && text)
        copy = kane_arena_text(plan->arena, text);
    free(text);
    return copy;
}

// --- reading ---

static int is_object(const kane_node *node)
{
    return node && node->kind == KANE_NODE_OBJECT;
}

// Is there a whole number from `least` on?
static int is_count(const kane_node *root, const char *key, int least)
{
    const kane_node *node = kane_node_find(root, key);
    return node && node->kind == KANE_NODE_NUMBER && node->number >= least && node->number <= INT_MAX &&
           node->number == floor(node->number);
}

// The tree of a plan.json that has all that every plan has; NULL with an error.
static kane_node *read_file(kane_arena *arena, const char *name, kane_errors *errors)
{
    const int before = errors->count;
    kane_node *root  = kane_json_read(arena, name, errors);
    if (!root || errors->count > before)
        return NULL;
    const kane_node *version = kane_node_find(root, "kane");
    const char *format       = version ? kane_node_text(root, "kane", "") : "";
    if (strcmp(format, FORMAT) != 0) {
        kane_errors_add_input(
            errors, KANE_BAD_INPUT, version ? version->place : root->place,
            strncmp(format, "plan ", 5) == 0
                ? "this is a plan in the format of another version of kane (%s, expected %s), which cannot "
                  "be gone on with; %s"
                : "this is no plan that can be gone on with (%s, expected \"kane\": \"%s\"); %s",
            format[0] ? format : "of no kind", FORMAT, ADVICE);
        return NULL;
    }
    const int is_whole = is_count(root, "cases", 1) && is_count(root, "values", 0) &&
                         kane_node_text(root, "library", "")[0] && kane_node_text(root, "commit", "")[0] &&
                         is_object(kane_node_find(root, "content"));
    if (is_whole)
        return root;
    kane_errors_add_input(
        errors, KANE_BAD_INPUT, root->place,
        "the plan does not say what every plan says (library, commit, cases, values, content), so that "
        "it was changed by hand; %s",
        ADVICE);
    return NULL;
}

// Of the journals: the same for the same plan, whatever spaces and line ends its text has.
static uint64_t key_of(const kane_node *node, uint64_t key)
{
    const char kind = (char)('0' + (int)node->kind);
    key             = kane_hash_text(&kind, 1, key);
    key             = kane_hash_text(node->key, strlen(node->key) + 1, key);
    key             = kane_hash_text(node->text, strlen(node->text) + 1, key);
    for (const kane_node *child = node->child; child; child = child->next)
        key = key_of(child, key);
    return kane_hash_text("", 1, key); // here it ends
}

// --- comparing ---

// Where two trees differ first. One of the two is NULL if the other has no counterpart; both are NULL if they are the
// same.
typedef struct difference {
    const kane_node *is, *asked;
    const kane_node *parent; // in the plan's own tree
} difference;

static int is_absent(const kane_node *child, const kane_node *other_parent)
{
    return other_parent->kind == KANE_NODE_OBJECT && !kane_node_find(other_parent, child->key);
}

static difference find_difference(const kane_node *is, const kane_node *asked)
{
    difference found = {NULL, NULL, is};
    if (is->kind != asked->kind || strcmp(is->text, asked->text) != 0)
        return (difference){is, asked, is};
    const kane_node *x = is->child, *y = asked->child;
    for (; x && y; x = x->next, y = y->next) {
        if (strcmp(x->key, y->key) != 0)
            return is_absent(x, asked) ? (difference){x, NULL, is} : (difference){NULL, y, is};
        found = find_difference(x, y);
        if (found.is || found.asked)
            return found;
    }
    return (difference){x, y, is};
}

static kane_status report_difference(const kane_node *is, const kane_node *asked, kane_errors *errors)
{
    const difference d = find_difference(is, asked);
    char buffer[300];
    kane_text text = kane_text_start(sizeof buffer, buffer);
    if (!d.is && !d.asked)
        return KANE_OK;
    if (!d.is) {
        if (d.asked->key[0])
            kane_text_add(&text, "'%s': ", d.asked->key);
        kane_node_describe(&text, d.asked);
        kane_text_add(&text, " is asked for, which the plan of this directory does not have");
    } else if (!d.asked) {
        kane_text_add(&text, "the plan of this directory has ");
        kane_node_describe(&text, d.is);
        kane_text_add(&text, ", which is not asked for");
    } else {
        kane_text_add(&text, "the plan of this directory has ");
        kane_node_describe(&text, d.is);
        kane_text_add(&text, ", asked for is ");
        kane_node_describe(&text, d.asked);
    }
    kane_errors_add_input(errors, KANE_BAD_INPUT, d.is ? d.is->place : d.parent->place, "%s; %s", buffer, ADVICE);
    return KANE_BAD_INPUT;
}

static kane_status compare_plans(kane_plan *plan, const char *name, const kane_node *asked, kane_errors *errors)
{
    const kane_node *is = read_file(plan->arena, name, errors);
    if (!is)
        return KANE_BAD_INPUT;
    if (strcmp(kane_node_text(is, "library", ""), kane_version()) != 0 ||
        strcmp(kane_node_text(is, "commit", ""), kane_commit()) != 0) {
        kane_errors_add_input(
            errors, KANE_BAD_INPUT, kane_node_find(is, "library")->place,
            "the plan of this directory was begun by kane %s (commit %s), this is kane %s (commit %s), "
            "whose results may differ: go on with that one, %s",
            kane_node_text(is, "library", ""), kane_node_text(is, "commit", ""), kane_version(), kane_commit(), ADVICE);
        return KANE_BAD_INPUT;
    }
    const kane_status status =
        report_difference(kane_node_find(is, "content"), kane_node_find(asked, "content"), errors);
    return status == KANE_OK ? report_difference(is, asked, errors) : status;
}

// --- content ---

// Text of the content in a plan.json, where it is the last key.
static const char *cut_content(kane_arena *arena, const char *text)
{
    static const char key[] = "\"content\":";
    const char *begin = strstr(text, key), *end = strrchr(text, '}');
    if (!begin || !end)
        return NULL;
    begin += sizeof key - 1;
    begin += strspn(begin, " \n");
    while (end > begin && end[-1] != '}')
        end--;
    return kane_arena_text_part(arena, begin, (size_t)(end - begin));
}

kane_status kane_plan_file_load(kane_plan *plan, kane_errors *errors)
{
    char name[KANE_JOURNAL_NAME];
    size_t length;
    (void)snprintf(name, sizeof name, "%s/plan.json", plan->how.directory);
    if (access(name, F_OK) != 0) {
        kane_errors_add(errors, KANE_NO_FILE, "%s: there is no plan.json, so that no study has been begun there",
                        plan->how.directory);
        return KANE_NO_FILE;
    }
    const kane_node *root = read_file(plan->arena, name, errors);
    const char *text      = root ? kane_file_read(plan->arena, name, &length, errors) : NULL;
    if (!text)
        return KANE_BAD_INPUT;
    plan->definition  = (kane_plan_definition){.content     = cut_content(plan->arena, text),
                                               .case_count  = (int)kane_node_find(root, "cases")->number,
                                               .value_count = (int)kane_node_find(root, "values")->number};
    plan->journal.key = key_of(root, 0);
    return plan->definition.content ? KANE_OK : kane_no_memory(errors);
}

// --- writing ---

static int ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

// What may lie in a directory before a plan begins: what another process is just writing, logs, hidden files.
static int is_harmless(const char *name)
{
    return name[0] == '.' || strncmp(name, "plan.json", 9) == 0 || ends_with(name, ".log") || ends_with(name, ".out") ||
           ends_with(name, ".err") || ends_with(name, ".txt") || ends_with(name, ".sh");
}

// Something in a directory that a study might write over: its name, quoted, or "" if there is nothing.
static kane_status find_other(const char *directory, size_t size, char *name, kane_errors *errors)
{
    kane_text text = kane_text_start(size, name);
    DIR *d         = opendir(directory);
    if (!d) {
        kane_errors_add(errors, KANE_NO_FILE, "the directory %s cannot be read: %s", directory,
                        kane_system_text(errno));
        return KANE_NO_FILE;
    }
    for (struct dirent *entry; !name[0] && (entry = readdir(d)) != NULL;)
        if (!is_harmless(entry->d_name))
            kane_text_quote(&text, 0, entry->d_name);
    (void)closedir(d);
    return KANE_OK;
}

// Tables of a study overwrite no other files: a directory with other things is not taken. KANE_RETRY if
// another process has begun the plan meanwhile.
static kane_status write_new(const char *directory, const char *name, const char *text, kane_errors *errors)
{
    kane_replacement r;
    char other[64];
    kane_status status = find_other(directory, sizeof other, other, errors);
    if (status == KANE_OK && access(name, F_OK) == 0)
        return KANE_RETRY;
    if (status == KANE_OK && other[0]) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT,
                        "the directory %s has no plan.json but other files (%s), which might be written over: name a "
                        "new or an empty directory",
                        directory, other);
        status = KANE_BAD_ARGUMENT;
    }
    if (status == KANE_OK)
        status = kane_replacement_open(&r, name, errors);
    if (status != KANE_OK)
        return status;
    (void)fputs(text, r.file);
    return kane_replacement_close_first(&r, errors);
}

// Content without white space around it.
static const char *trim_content(kane_arena *arena, const char *content)
{
    content += strspn(content, " \t\r\n");
    size_t length = strlen(content);
    while (length > 0 && strchr(" \t\r\n", content[length - 1]))
        length--;
    return kane_arena_text_part(arena, content, length);
}

static kane_status check_content(kane_plan *plan, const char *content, kane_errors *errors)
{
    const int before      = errors->count;
    const kane_node *root = kane_json_parse(plan->arena, "content of a plan", content, strlen(content), errors);
    if (is_object(root) && errors->count == before)
        return KANE_OK;
    kane_errors_add(errors, KANE_BAD_ARGUMENT, "the content of a plan is a JSON object");
    return KANE_BAD_ARGUMENT;
}

kane_status kane_plan_file_ensure(kane_plan *plan, const char *content, kane_errors *errors)
{
    char name[KANE_JOURNAL_NAME];
    kane_status status = check_content(plan, content, errors);
    if (status != KANE_OK)
        return status;
    plan->definition.content = trim_content(plan->arena, content);
    const char *text         = plan->definition.content ? compose_plan_text(plan) : NULL;
    if (!text)
        return kane_no_memory(errors);
    (void)snprintf(name, sizeof name, "%s/plan.json", plan->how.directory);
    const kane_node *mine = kane_json_parse(plan->arena, name, text, strlen(text), errors);
    if (!mine)
        return KANE_BAD_ARGUMENT;
    plan->journal.key = key_of(mine, 0);
    if (plan->is_follower)
        return KANE_OK;
    status = KANE_RETRY;
    if (access(name, F_OK) != 0)
        status = write_new(plan->how.directory, name, text, errors);
    return status == KANE_RETRY ? compare_plans(plan, name, mine, errors) : status;
}
