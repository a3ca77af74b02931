// SPDX-License-Identifier: MIT
// Plans: opening, records, closing.

#include "plan/plan.h"

#include "base/file.h"
#include "base/number.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NAME_MOST = 4095 }; // of a directory, as long as any path may be

// --- records ---

kane_case *kane_plan_new_case(kane_plan *plan)
{
    kane_case *c = kane_arena_alloc(plan->arena, 1, sizeof *c);
    if (c)
        c->values = kane_arena_alloc(plan->arena, (size_t)plan->value_count, sizeof *c->values);
    if (!c || !c->values)
        return NULL;
    kane_case_clear(c, plan->value_count);
    return c;
}

void kane_case_clear(kane_case *c, int value_count)
{
    c->state  = KANE_CASE_OPEN;
    c->why[0] = '\0';
    for (int i = 0; i < value_count; i++)
        c->values[i] = (double)NAN;
}

static int is_same(const kane_case *a, const kane_case *b, int value_count)
{
    for (int i = 0; i < value_count; i++)
        if (!(isnan(a->values[i]) && isnan(b->values[i])) && memcmp(&a->values[i], &b->values[i], sizeof(double)) != 0)
            return 0;
    return 1;
}

static void copy_case(kane_case *to, const kane_case *from, int value_count)
{
    to->state = from->state;
    memcpy(to->values, from->values, (size_t)value_count * sizeof *to->values);
    memcpy(to->why, from->why, sizeof to->why);
}

// Merges a result: a done case replaces failures; of two failures the one with the first reason in the alphabet is
// kept, so that the order of journals does not matter. Two done results that differ are an error.
static kane_status add_case(kane_plan *plan, int index, const kane_case *found, const char *where, kane_errors *errors)
{
    kane_case *known = plan->cases[index];
    if (known && known->state == KANE_CASE_DONE && found->state == KANE_CASE_DONE &&
        !is_same(known, found, plan->value_count)) {
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "%s: case %d has other values than in another line: computed by different programs or on "
                        "different machines; remove one of the journals",
                        where, index + 1);
        return KANE_BAD_INPUT;
    }
    if (known &&
        (known->state == KANE_CASE_DONE || (found->state == KANE_CASE_FAILED && strcmp(known->why, found->why) <= 0)))
        return KANE_OK;
    if (!known && !(known = kane_plan_new_case(plan)))
        return kane_no_memory(errors);
    plan->failed -= known->state == KANE_CASE_FAILED;
    copy_case(known, found, plan->value_count);
    plan->cases[index] = known;
    plan->done += known->state == KANE_CASE_DONE;
    plan->failed += known->state == KANE_CASE_FAILED;
    return KANE_OK;
}

// --- the journals of a directory: records of all processes ---

typedef struct reading {
    kane_plan *plan;
    kane_plan_journal *about;
    kane_errors *errors;
} reading;

static kane_status read_line(const kane_journal *journal, int number, const char *text, size_t length, void *data)
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
    case KANE_LINE_UNREAD: return kane_no_memory(r->errors);
    case KANE_LINE_BEGIN:
        about->process = writing.process;
        memcpy(about->when, writing.when, sizeof about->when);
        memcpy(about->host, writing.host, sizeof about->host);
        about->recent = 0;
        return KANE_OK;
    case KANE_LINE_CASE: break;
    }
    about->done += plan->read->state == KANE_CASE_DONE;
    about->failed += plan->read->state == KANE_CASE_FAILED;
    about->recent++;
    (void)snprintf(where, sizeof where, "%s:%d", journal->name, number);
    return add_case(plan, index, plan->read, where, r->errors);
}

// Room for what is known of one more journal; NULL without memory.
static kane_plan_journal *add_journal(kane_plan *plan, const char *name)
{
    kane_plan_journal *journals =
        kane_arena_grow(plan->arena, plan->journals, plan->journal_count, &plan->journal_room, sizeof *journals);
    if (!journals)
        return NULL;
    plan->journals       = journals;
    kane_plan_journal *j = &plan->journals[plan->journal_count];
    *j                   = (kane_plan_journal){.name = kane_arena_text(plan->arena, name)};
    plan->journal_count += j->name != NULL;
    return j->name ? j : NULL;
}

static kane_status read_one(kane_plan *plan, kane_journal *journal, kane_errors *errors)
{
    const char *slash = strrchr(journal->name, '/');
    reading r         = {plan, add_journal(plan, slash + 1), errors};
    if (!r.about)
        return kane_no_memory(errors);
    return kane_journal_read(journal, read_line, &r, errors);
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

kane_status kane_plan_read(kane_plan *plan, int with_own, kane_errors *errors)
{
    struct dirent **names;
    const int count    = scandir(plan->how.directory, &names, is_journal, compare_names);
    kane_status status = KANE_OK;
    if (count < 0) {
        kane_errors_add(errors, KANE_NO_FILE, "the directory %s cannot be read: %s", plan->how.directory,
                        kane_system_text(errno));
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

// From the beginning of the last process to the last line that it has written [s].
static double time_written(const kane_plan *plan, const kane_plan_journal *j)
{
    char name[KANE_JOURNAL_NAME];
    struct stat is;
    (void)snprintf(name, sizeof name, "%s/%s", plan->how.directory, j->name);
    const double begun = kane_claim_time(j->when);
    return begun >= 0.0 && stat(name, &is) == 0 ? fmax((double)is.st_mtime - begun, 0.0) : (double)NAN;
}

static void find_writers(kane_plan *plan)
{
    for (int i = 0; i < plan->journal_count; i++) {
        plan->journals[i].is_written = is_written(plan, &plan->journals[i]);
        plan->journals[i].seconds    = time_written(plan, &plan->journals[i]);
    }
}

int kane_plan_journal_count(const kane_plan *plan)
{
    return plan->journal_count;
}

const kane_plan_journal *kane_plan_get_journal(const kane_plan *plan, int index)
{
    return &plan->journals[index];
}

// --- opening ---

static kane_status open_files(kane_plan *plan, const char *content, kane_errors *errors)
{
    const kane_plan_execution *how = &plan->how;
    kane_journal *own              = &plan->journal;
    if (how->shards > 1)
        (void)snprintf(own->name, sizeof own->name, "%s/journal-%d-of-%d.jsonl", how->directory, how->shard,
                       how->shards);
    else
        (void)snprintf(own->name, sizeof own->name, "%s/journal.jsonl", how->directory);
    kane_status status = kane_directory_make(how->directory, errors);
    if (status == KANE_OK)
        status = kane_plan_file_ensure(plan, content, errors);
    if (status == KANE_OK)
        status = kane_journal_open(own, errors);
    if (status == KANE_OK)
        status = kane_plan_read(plan, 1, errors);
    return status;
}

static kane_status check_arguments(const kane_plan_definition *d, const kane_plan_execution *how, kane_errors *errors)
{
    if (d->case_count < 1 || d->value_count < 0 || !d->content)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a plan has a content and at least one case");
    else if (how->shards < 0 || (how->shards > 0 && (how->shard < 1 || how->shard > how->shards)))
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "there is no shard %d of %d; they are counted from 1", how->shard,
                        how->shards);
    else if (!how->directory || !how->directory[0])
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a plan needs a directory");
    else if (strlen(how->directory) > NAME_MOST)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "the name of the directory has %zu characters, more than %d",
                        strlen(how->directory), (int)NAME_MOST);
    else
        return KANE_OK;
    return KANE_BAD_ARGUMENT;
}

// Room for all cases that the definition has.
static int allocate_cases(kane_plan *plan)
{
    plan->case_count  = plan->definition.case_count;
    plan->value_count = plan->definition.value_count;
    plan->cases       = kane_arena_alloc(plan->arena, (size_t)plan->case_count, sizeof(kane_case *));
    plan->open        = kane_plan_new_case(plan);
    plan->read        = kane_plan_new_case(plan);
    return !kane_arena_failed(plan->arena);
}

// A plan with a directory and nothing else; NULL without memory.
static kane_plan *create_plan(const kane_plan_execution *how)
{
    kane_arena *arena = kane_arena_create();
    kane_plan *plan   = arena ? kane_arena_alloc(arena, 1, sizeof *plan) : NULL;
    if (plan) {
        plan->arena         = arena;
        plan->how           = *how;
        plan->how.directory = kane_arena_text(arena, how->directory);
        plan->is_follower   = how->worker_pool && how->worker_pool->is_follower;
        plan->journal.file  = -1;
    }
    if (plan && plan->how.directory)
        return plan;
    kane_arena_free(arena);
    return NULL;
}

static kane_status define_plan(kane_plan *plan, const kane_plan_definition *d, kane_errors *errors)
{
    plan->definition = *d;
    return allocate_cases(plan) ? KANE_OK : kane_no_memory(errors);
}

static kane_status open_plan(kane_plan *plan, const kane_plan_definition *d, kane_errors *errors)
{
    const kane_status status = define_plan(plan, d, errors);
    if (status != KANE_OK)
        return status;
    return plan->is_follower ? kane_plan_file_ensure(plan, d->content, errors) : open_files(plan, d->content, errors);
}

kane_plan *kane_plan_open(const kane_plan_definition *d, const kane_plan_execution *how, kane_errors *errors)
{
    kane_errors unreported = {.limit = 1};
    kane_errors *kept      = errors ? errors : &unreported;
    if (check_arguments(d, how, kept) != KANE_OK)
        return NULL;
    kane_plan *plan          = create_plan(how);
    const kane_status status = plan ? open_plan(plan, d, kept) : kane_no_memory(kept);
    if (status == KANE_OK)
        return plan;
    kane_plan_close(plan);
    return NULL;
}

// The plan of a directory, which is compared with a definition if there is one.
static kane_plan *look_at_plan(const kane_plan_definition *d, const char *directory, kane_errors *kept)
{
    const kane_plan_execution how = {.directory = directory};
    kane_plan *plan               = create_plan(&how);
    kane_status status            = plan ? KANE_OK : kane_no_memory(kept);
    if (status == KANE_OK)
        status = d ? define_plan(plan, d, kept) : kane_plan_file_load(plan, kept);
    if (status == KANE_OK && !d && !allocate_cases(plan))
        status = kane_no_memory(kept);
    if (status == KANE_OK && d)
        status = kane_plan_file_ensure(plan, d->content, kept);
    if (status == KANE_OK)
        status = kane_plan_read(plan, 1, kept);
    if (status == KANE_OK) {
        find_writers(plan);
        return plan;
    }
    kane_plan_close(plan);
    return NULL;
}

kane_plan *kane_plan_inspect(const char *directory, kane_errors *errors)
{
    kane_errors unreported = {.limit = 1};
    return look_at_plan(NULL, directory, errors ? errors : &unreported);
}

kane_plan *kane_plan_find(const kane_plan_definition *d, const char *directory, kane_errors *errors)
{
    char name[NAME_MOST + 16];
    const int length = directory ? snprintf(name, sizeof name, "%s/plan.json", directory) : -1;
    return length > 0 && length < (int)sizeof name && access(name, F_OK) == 0 ? look_at_plan(d, directory, errors)
                                                                              : NULL;
}

void kane_plan_close(kane_plan *plan)
{
    if (!plan)
        return;
    kane_journal_close(&plan->journal);
    kane_arena_free(plan->arena);
}

// --- recording ---

// A failure always has a reason.
static kane_case with_reason(const kane_case *result)
{
    kane_case c = *result;
    if (c.state == KANE_CASE_FAILED && !c.why[0])
        (void)snprintf(c.why, sizeof c.why, "no reason was given");
    return c;
}

// A record passes through its line: what is in memory is what will be read from the journal.
kane_status kane_plan_record(kane_plan *plan, int index, const kane_case *result, kane_errors *errors)
{
    kane_errors unreported = {.limit = 1};
    kane_errors *kept      = errors ? errors : &unreported;
    kane_claimant none;
    size_t length;
    int number;
    if (plan->is_follower)
        return KANE_OK;
    const kane_case *known = index >= 0 && index < plan->case_count ? plan->cases[index] : NULL;
    if (index < 0 || index >= plan->case_count ||
        (known && !(plan->how.retry_failed && known->state == KANE_CASE_FAILED))) {
        kane_errors_add(kept, KANE_BAD_ARGUMENT, "case %d is none of this plan's open cases", index + 1);
        return KANE_BAD_ARGUMENT;
    }
    kane_status status = plan->is_begun ? KANE_OK : kane_journal_begin(&plan->journal, kept);
    char *line         = NULL;
    if (status == KANE_OK) {
        const kane_case c = with_reason(result);
        plan->is_begun    = 1;
        line              = kane_line_of_case(plan->journal.key, index, &c, plan->value_count, &length);
        status            = line ? kane_journal_add(&plan->journal, line, length, kept) : kane_no_memory(kept);
    }
    if (status == KANE_OK && kane_line_read(plan->journal.key, line, length - 1, plan->case_count, plan->value_count,
                                            &number, plan->read, &none) != KANE_LINE_CASE)
        status = kane_no_memory(kept);
    free(line);
    return status == KANE_OK ? add_case(plan, index, plan->read, plan->journal.name, kept) : status;
}

// --- what is known ---

const kane_plan_definition *kane_plan_get_definition(const kane_plan *plan)
{
    return &plan->definition;
}

const kane_case *kane_plan_case(const kane_plan *plan, int index)
{
    return plan->cases[index] ? plan->cases[index] : plan->open;
}

int kane_plan_count(const kane_plan *plan, kane_case_state state)
{
    if (plan->is_follower)
        return 0;
    switch (state) {
    case KANE_CASE_DONE: return plan->done;
    case KANE_CASE_FAILED: return plan->failed;
    case KANE_CASE_OPEN: break;
    }
    return plan->case_count - plan->done - plan->failed;
}

int kane_plan_is_complete(const kane_plan *plan)
{
    return !plan->is_follower && kane_plan_count(plan, KANE_CASE_OPEN) == 0;
}
