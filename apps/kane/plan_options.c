// SPDX-License-Identifier: MIT
// Options, progress and final status of studies that have a plan.

#include "launch.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORKERS_MOST = 4096, SHARDS_MOST = 1000000, FAILURES_MOST = 5, BAR = 30, GROUP_OF_ALL = 9 };

// --- options ---

static void take_shard(const app_option *option, char *text, void *plan, struct argp_state *state)
{
    plan_options *o = plan;
    (void)option;
    char *slash, *end = NULL;
    const long i = strtol(text, &slash, 10);
    const long n = *slash == '/' ? strtol(slash + 1, &end, 10) : 0;
    if (slash == text || !end || end == slash + 1 || *end || n < 1 || n > SHARDS_MOST || i < 1 || i > n)
        argp_error(state, "'%s' is not a shard such as 1/4, 2/4, 3/4 or 4/4", text);
    o->shard  = (int)i;
    o->shards = (int)n;
}

static void take_output(const app_option *option, char *name, void *plan, struct argp_state *state)
{
    plan_options *o = plan;
    (void)option;
    if (kane_table_format_of(name) != KANE_TABLE_FORMATS)
        app_collect(&o->files, name, state);
    else if (o->directory && strcmp(o->directory, name) != 0)
        argp_error(state, "-o %s and -o %s: a study has one directory", o->directory, name);
    else
        o->directory = name;
}

// Together with the processes that were started beside this one.
static void find_worker_pool(plan_options *o)
{
    kane_errors errors = {0};
    if (app_worker_pool_find(o->workers, o->shard, o->shards, &o->worker_pool, &errors) != KANE_OK)
        exit(app_fail(&errors));
}

static void check_plan(void *plan, struct argp_state *state)
{
    plan_options *o = plan;
    if (!o->is_directory_optional && !o->dry_run && (!o->directory || !o->directory[0]))
        argp_error(state, "a study needs a directory: -o DIR");
    o->common = (kane_run_options){.settings = o->settings.texts, .omit = o->omit.texts};
}

typedef plan_options arguments;

static const app_option common_options[] = {
    {"set", 's', "PATH=VALUE", APP_SETS,
     "change a value of the run, vehicle.PATH, mechanism.PATH or track.PATH, in all runs", APP_TEXTS(settings)},
    {"output", 'o', "DIR|FILE", APP_ADDS,
     "directory for plan, journal, tables and pictures; a study that it holds goes on. Besides, files for the tables, "
     "as their names end, .csv, .json, .h5 or .txt, and for the first picture, .svg or .png",
     APP_OWN(take_output)},
    {"workers", 'j', "N", 0, "cases at a time (default: one for each processor; of an MPI job, one for each rank)",
     APP_WHOLE(workers, 1, WORKERS_MOST, "number of workers")},
    {"threads", 'J', NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, APP_OWN(NULL)}, // what it was called before
    {"shard", 'S', "I/N", 0, "carry out only the I-th of N parts of the cases", APP_OWN(take_shard)},
    {"quiet", 'q', NULL, 0, "no progress", APP_FLAG(is_quiet)},
    {"retry-failed", 'R', NULL, 0, "carry out once more the cases that have failed", APP_FLAG(retry_failed)},
    {0},
};

void plan_options_parse(const app_option *options, app_part shared, void (*check)(void *own, struct argp_state *state),
                        const char *doc, int argc, char **argv, void *own)
{
    const app_command command = {.parts      = {{options, 0, 0}, shared, {common_options, 0, GROUP_OF_ALL}},
                                 .operands   = "RUN.json",
                                 .doc        = doc,
                                 .operand    = "run file",
                                 .at         = offsetof(plan_options, file),
                                 .check      = check,
                                 .check_more = check_plan,
                                 .enter      = study_file_enter};
    app_parse(&command, argc, argv, own);
    find_worker_pool(own);
}

// --- progress ---

// "35 s", "12 min", "3 h 20 min"
static void format_time(double seconds, size_t size, char *text)
{
    if (!isfinite(seconds))
        (void)snprintf(text, size, "?");
    else if (seconds < 99.5)
        (void)snprintf(text, size, "%.0f s", seconds);
    else if (seconds < 5940.0)
        (void)snprintf(text, size, "%.0f min", seconds / 60.0);
    else
        (void)snprintf(text, size, "%d h %02d min", (int)(seconds / 3600.0), (int)(fmod(seconds, 3600.0) / 60.0));
}

static void format_line(const kane_plan_progress *p, size_t size, char *text)
{
    char failed[32] = "", left[48] = "", time[32];
    format_time(p->left, sizeof time, time);
    if (p->failed > 0)
        (void)snprintf(failed, sizeof failed, ", %d failed", p->failed);
    if (isfinite(p->left) && p->done + p->failed < p->count)
        (void)snprintf(left, sizeof left, ", %s left", time);
    (void)snprintf(text, size, "%d of %d cases%s%s", p->done + p->failed, p->count, failed, left);
}

static void draw_bar(const kane_plan_progress *p, const char *line)
{
    char bar[BAR + 1];
    const int filled = (int)((double)BAR * (p->done + p->failed) / p->count);
    for (int i = 0; i < BAR; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[BAR] = '\0';
    (void)fprintf(stderr, "\r[%s] %-45s", bar, line);
    (void)fflush(stderr);
}

// The first reasons as they come, "case 12: ...", each once in a row; all of them are printed by `kane study status`.
static void print_failure(plan_options *o, const char *failure)
{
    const char *colon = failure ? strchr(failure, ':') : NULL;
    if (!colon || o->failures >= FAILURES_MOST || strncmp(colon, o->failure, sizeof o->failure - 1) == 0)
        return;
    (void)snprintf(o->failure, sizeof o->failure, "%s", colon);
    app_progress_end();
    (void)fprintf(stderr, "failed: %s\n", failure);
    if (++o->failures == FAILURES_MOST)
        (void)fprintf(stderr, "further reasons are not shown here; \"kane study status\" has all\n");
}

// Without a terminal, a line every half minute.
static int progress(const kane_plan_progress *p, void *data)
{
    plan_options *o = data;
    char line[128];
    o->is_at_work = 1;
    if (o->is_quiet)
        return app_is_interrupted();
    print_failure(o, p->failure);
    format_line(p, sizeof line, line);
    if (isatty(STDERR_FILENO)) {
        draw_bar(p, line);
    } else if (p->elapsed - o->told >= 30.0) {
        (void)fprintf(stderr, "%s\n", line);
        o->told = p->elapsed;
    }
    return app_is_interrupted();
}

// --- beginning and end ---

kane_plan_execution plan_options_begin(plan_options *o)
{
    app_catch_interrupt();
    (void)signal(SIGXFSZ, SIG_IGN); // a file at its limit is an error of the write
    return (kane_plan_execution){.directory    = o->directory,
                                 .files        = o->files.count > 0 ? o->files.texts : NULL,
                                 .cases        = o->dry_run ? stdout : NULL,
                                 .retry_failed = o->retry_failed,
                                 .workers      = o->workers,
                                 .shard        = o->shard,
                                 .shards       = o->shards,
                                 .worker_pool  = o->worker_pool,
                                 .progress     = progress,
                                 .data         = o};
}

// What the directory holds now. Returns the number of failed cases.
static int tell(const plan_options *o, const kane_plan *plan, kane_status status)
{
    const int open   = kane_plan_count(plan, KANE_CASE_OPEN);
    const int failed = kane_plan_count(plan, KANE_CASE_FAILED);
    const int count  = open + failed + kane_plan_count(plan, KANE_CASE_DONE);
    if (status == KANE_INTERRUPTED && open > 0)
        (void)fprintf(stderr, "interrupted: %d of %d cases are recorded; the same command goes on\n", count - open,
                      count);
    else if (open > 0 && o->shards > 1 && status == KANE_OK)
        (void)fprintf(stderr, "shard %d/%d is done; %d of %d cases in all, tables come with the last one\n", o->shard,
                      o->shards, count - open, count);
    else if (open > 0 && o->is_at_work)
        (void)fprintf(stderr, "%d of %d cases are recorded; the same command goes on\n", count - open, count);
    if (failed > 0)
        (void)fprintf(stderr, "%d of %d cases failed; \"kane study status %s\" says why\n", failed, count,
                      o->directory);
    return failed;
}

// Prints a text file of the directory.
static void print_file(const plan_options *o, const char *name)
{
    char file[4096];
    (void)snprintf(file, sizeof file, "%s/%s", o->directory, name);
    FILE *in = fopen(file, "r");
    for (int c; in && (c = fgetc(in)) != EOF;)
        (void)putchar(c);
    if (in)
        (void)fclose(in);
}

exit_code plan_options_end(const plan_options *o, kane_status status, int complete, const char *const *texts,
                           const char *what, kane_errors *errors)
{
    kane_errors unread    = {.limit = 1};
    const int is_follower = o->worker_pool && o->worker_pool->is_follower;
    if (!o->is_quiet && !is_follower)
        app_progress_end();
    app_print_errors(errors);
    kane_errors_free(errors);
    if (o->dry_run)
        return app_exit_code(status);
    kane_plan *plan  = is_follower ? NULL : kane_plan_inspect(o->directory, &unread);
    const int failed = plan ? tell(o, plan, status) : 0;
    kane_plan_close(plan);
    if (status == KANE_OK && unread.count > 0) // failed cases would go unnoticed
        return app_fail(&unread);
    for (; complete && *texts; texts++)
        print_file(o, *texts);
    if (complete && what)
        (void)fprintf(stderr, "%s in %s\n", what, o->directory);
    if (status != KANE_OK)
        return app_exit_code(status);
    return failed > 0 ? EXIT_FAILED_CASES : EXIT_DONE;
}
