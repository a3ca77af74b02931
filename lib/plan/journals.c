// SPDX-License-Identifier: MIT
// The journals of a directory: what all who work on a plan have recorded.

#include "plan/plan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct reading {
    kane_plan *plan;
    kane_plan_journal *about;
    kane_errors *errors;
} reading;

static kane_status visit(const kane_journal *journal, int number, const char *text, size_t length, void *data)
{
    const reading *r         = data;
    kane_plan *plan          = r->plan;
    kane_plan_journal *about = r->about;
    char where[KANE_JOURNAL_NAME + 32];
    kane_claimant writing;
    int index;
    const kane_line_kind kind =
        kane_line_read(journal->key, text, length, plan->case_count, plan->value_count, &index, plan->read, &writing);
    switch (kind) {
    case KANE_LINE_TORN: about->ignored++; return KANE_OK;
    case KANE_LINE_BEGIN:
        about->process = writing.process;
        memcpy(about->when, writing.when, sizeof about->when);
        memcpy(about->host, writing.host, sizeof about->host);
        return KANE_OK;
    case KANE_LINE_CASE: break;
    }
    about->done += plan->read->state == KANE_CASE_DONE;
    about->failed += plan->read->state == KANE_CASE_FAILED;
    (void)snprintf(where, sizeof where, "%s:%d", journal->name, number);
    return kane_plan_keep(plan, index, plan->read, where, r->errors);
}

// Room for what is known of one more journal; NULL without memory.
static kane_plan_journal *add(kane_plan *plan, const char *name)
{
    if (plan->journal_count == plan->journal_room) {
        const int room          = plan->journal_room ? 2 * plan->journal_room : 8;
        kane_plan_journal *more = kane_arena_alloc(plan->arena, (size_t)room, sizeof *more);
        if (!more)
            return NULL;
        if (plan->journal_count > 0)
            memcpy(more, plan->journals, (size_t)plan->journal_count * sizeof *more);
        plan->journals     = more;
        plan->journal_room = room;
    }
    kane_plan_journal *j = &plan->journals[plan->journal_count];
    *j                   = (kane_plan_journal){.name = kane_arena_text(plan->arena, name)};
    plan->journal_count += j->name != NULL;
    return j->name ? j : NULL;
}

static kane_status read_one(kane_plan *plan, kane_journal *journal, kane_errors *errors)
{
    const char *slash = strrchr(journal->name, '/');
    reading r         = {plan, add(plan, slash + 1), errors};
    if (!r.about) {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        return KANE_NO_MEMORY;
    }
    return kane_journal_read(journal, visit, &r, errors);
}

static int is_journal(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return strncmp(entry->d_name, "journal", 7) == 0 && length > 6 && strcmp(entry->d_name + length - 6, ".jsonl") == 0;
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

// The own journal is read through the descriptor that holds its lock: closing a second one would give up the lock.
static kane_status read_named(kane_plan *plan, const char *name, int with_own, kane_errors *errors)
{
    kane_journal other = {.file = -1, .key = plan->journal.key};
    (void)snprintf(other.name, sizeof other.name, "%s/%s", plan->how.directory, name);
    if (strcmp(other.name, plan->journal.name) != 0)
        return read_one(plan, &other, errors);
    return with_own ? read_one(plan, &plan->journal, errors) : KANE_OK;
}

static kane_status read_all(kane_plan *plan, int with_own, kane_errors *errors)
{
    struct dirent **names;
    const int count    = scandir(plan->how.directory, &names, is_journal, compare_names);
    kane_status status = KANE_OK;
    if (count < 0) {
        kane_errors_add(errors, KANE_NO_FILE, "the directory %s cannot be read: %s", plan->how.directory,
                        strerror(errno));
        return KANE_NO_FILE;
    }
    plan->journal_count = 0;
    for (int i = 0; i < count; i++) {
        if (status == KANE_OK)
            status = read_named(plan, names[i]->d_name, with_own, errors);
        free(names[i]);
    }
    free(names);
    return status;
}

kane_status kane_plan_read_journals(kane_plan *plan, kane_errors *errors)
{
    return read_all(plan, 1, errors);
}

kane_status kane_plan_read_others(kane_plan *plan, kane_errors *errors)
{
    return read_all(plan, 0, errors);
}

// --- looking ---

// A lock that would stand in the way of another writer belongs to the one there is.
static int is_written(const kane_plan *plan, const kane_plan_journal *j)
{
    char name[KANE_JOURNAL_NAME];
    long process;
    (void)snprintf(name, sizeof name, "%s/%s", plan->how.directory, j->name);
    const int file  = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const int is_so = file >= 0 && kane_claim_is_taken(file, &process);
    if (file >= 0)
        (void)close(file);
    return is_so;
}

void kane_plan_find_writers(kane_plan *plan)
{
    for (int i = 0; i < plan->journal_count; i++)
        plan->journals[i].is_written = is_written(plan, &plan->journals[i]);
}

int kane_plan_journal_count(const kane_plan *plan)
{
    return plan->journal_count;
}

const kane_plan_journal *kane_plan_get_journal(const kane_plan *plan, int index)
{
    return &plan->journals[index];
}
