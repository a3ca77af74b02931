// SPDX-License-Identifier: MIT
// kane study: chooses the study; kane study status: what a directory of a study holds.

#include "app.h"

#include "base/arena.h"
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

enum { CASES_SHOWN = 8 };

typedef struct arguments {
    const char *directory;
    int json;
} arguments;

static const app_option options[] = {
    {"json", 'j', NULL, 0, "as JSON", APP_FLAG(json)},
    {0},
};

// --- reasons ---

// A failed case, to be sorted by its reason.
typedef struct failure {
    const char *why;
    int index;
} failure;

static int compare(const void *a, const void *b)
{
    const failure *x = a, *y = b;
    const int order = strcmp(x->why, y->why);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

// All failed cases, those with the same reason together; to be freed with kane_release.
static failure *list_failures(const kane_plan *plan)
{
    const int cases = kane_plan_get_definition(plan)->case_count;
    failure *list   = kane_allocate((size_t)kane_plan_count(plan, KANE_CASE_FAILED), sizeof *list);
    int count       = 0;
    for (int i = 0; list && i < cases; i++) {
        const kane_case *c = kane_plan_case(plan, i);
        if (c->state == KANE_CASE_FAILED)
            list[count++] = (failure){c->why, i};
    }
    if (list)
        qsort(list, (size_t)count, sizeof *list, compare);
    return list;
}

// How many from here on have the same reason.
static int count_same(const failure *list, int left)
{
    int n = 1;
    while (n < left && strcmp(list[n].why, list[0].why) == 0)
        n++;
    return n;
}

// --- text ---

static void print_reason(const failure *list, int count)
{
    (void)printf("  %d %s: %s\n    ", count, app_plural(count, (app_noun){"case", "cases"}), list[0].why);
    for (int i = 0; i < count && i < CASES_SHOWN; i++)
        (void)printf("%s%d", i > 0 ? ", " : app_plural(count, (app_noun){"case ", "cases "}), list[i].index + 1);
    (void)printf("%s\n", count > CASES_SHOWN ? ", ..." : "");
}

static void print_journal(const kane_plan_journal *j)
{
    (void)printf("  %-28s %d done, %d failed", j->name, j->done, j->failed);
    if (j->ignored > 0)
        (void)printf(", %d %s ignored (torn, or of another plan)", j->ignored,
                     app_plural(j->ignored, (app_noun){"line", "lines"}));
    if (j->is_written)
        (void)printf("; process %ld on %s is at work since %s", j->process, j->host, j->when);
    (void)printf("\n");
}

static void print_text(const char *directory, const char *kind, const kane_plan *plan, const failure *list)
{
    const int cases = kane_plan_get_definition(plan)->case_count;
    const int done = kane_plan_count(plan, KANE_CASE_DONE), failed = kane_plan_count(plan, KANE_CASE_FAILED);
    (void)printf("%s: %s, %d %s: %d done, %d failed, %d open%s\n", directory, kind[0] ? kind : "a study", cases,
                 app_plural(cases, (app_noun){"case", "cases"}), done, failed, cases - done - failed,
                 kane_plan_is_complete(plan) ? "; complete" : "");
    for (int i = 0; i < kane_plan_journal_count(plan); i++)
        print_journal(kane_plan_get_journal(plan, i));
    if (failed > 0)
        (void)printf("failed:\n");
    for (int i = 0, n; i < failed; i += n) {
        n = count_same(list + i, failed - i);
        print_reason(list + i, n);
    }
}

// --- JSON ---

static void write_journals(kane_writer *w, const kane_plan *plan)
{
    kane_writer_open(w, "journals", '[');
    for (int i = 0; i < kane_plan_journal_count(plan); i++) {
        const kane_plan_journal *j = kane_plan_get_journal(plan, i);
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "file", j->name);
        kane_writer_count(w, "done", j->done);
        kane_writer_count(w, "failed", j->failed);
        kane_writer_count(w, "ignored", j->ignored);
        kane_writer_switch(w, "written", j->is_written);
        kane_writer_text(w, "begun", j->when);
        kane_writer_text(w, "host", j->host);
        kane_writer_count(w, "process", j->process);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static void write_failures(kane_writer *w, const failure *list, int count)
{
    kane_writer_open(w, "failures", '[');
    for (int i = 0, n; i < count; i += n) {
        n = count_same(list + i, count - i);
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "why", list[i].why);
        kane_writer_row(w, "cases");
        for (int k = 0; k < n; k++)
            kane_writer_count(w, NULL, list[i + k].index + 1);
        kane_writer_close(w);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static void print_json(const char *kind, const kane_plan *plan, const failure *list)
{
    kane_writer w = kane_writer_start(stdout);
    kane_writer_open(&w, NULL, '{');
    kane_writer_text(&w, "kind", kind);
    kane_writer_count(&w, "cases", kane_plan_get_definition(plan)->case_count);
    kane_writer_count(&w, "done", kane_plan_count(plan, KANE_CASE_DONE));
    kane_writer_count(&w, "failed", kane_plan_count(plan, KANE_CASE_FAILED));
    kane_writer_count(&w, "open", kane_plan_count(plan, KANE_CASE_OPEN));
    kane_writer_switch(&w, "complete", kane_plan_is_complete(plan));
    write_journals(&w, plan);
    write_failures(&w, list, kane_plan_count(plan, KANE_CASE_FAILED));
    kane_writer_close(&w);
    (void)kane_writer_end(&w); // main tells if standard output has failed
}

// --- the command ---

// What the content of the plan calls itself: "study" or, without that, "kind"; "" if nothing.
static const char *kind_of(kane_arena *arena, const kane_plan *plan, kane_errors *errors)
{
    const char *content   = kane_plan_get_definition(plan)->content;
    const kane_node *root = kane_json_parse(arena, "plan.json", content, strlen(content), errors);
    const kane_node *kind = root ? kane_node_find(root, "study") : NULL;
    if (root && !kind)
        kind = kane_node_find(root, "kind");
    return kind && kind->kind == KANE_NODE_TEXT ? kind->text : "";
}

static int study_status(int argc, char **argv)
{
    static const app_command command = APP_COMMAND(
        options, "DIR", "directory of a study", directory, 0, NULL,
        "Prints what the directory of a study (or of a sweep) holds: how many cases, how many are done, which "
        "have failed and why, which processes carry them out.");
    arguments a        = {.directory = NULL};
    kane_errors errors = {0};
    app_parse(&command, argc, argv, &a);

    kane_plan *plan   = kane_plan_inspect(a.directory, &errors);
    kane_arena *arena = plan ? kane_arena_create() : NULL;
    const char *kind  = arena ? kind_of(arena, plan, &errors) : "";
    failure *list     = arena ? list_failures(plan) : NULL;
    if (list && a.json)
        print_json(kind, plan, list);
    else if (list)
        print_text(a.directory, kind, plan, list);
    else if (plan)
        (void)kane_no_memory(&errors);
    kane_release(list);
    kane_arena_free(arena);
    kane_plan_close(plan);
    return errors.count > 0 ? app_fail(&errors) : EXIT_DONE;
}

// --- choosing ---

static const app_choice studies[] = {
    {"omit", "what does leaving out imaginary terms do, and when may it be done?", study_omit},
    {"transitions", "what do the shapes of transition curves do to a vehicle?", study_transitions},
    {"optimise", "which polynomial transition curve is best for a vehicle?", study_optimise},
    {"rods", "what do approximations of the inertia of removed rods cost, and what do they save?", study_rods},
    {"status", "what does the directory of a study hold, what has failed, which processes carry it out?", study_status},
};

int command_study(int argc, char **argv)
{
    static const app_choices among = {"study", "study", "STUDY", "Studies", studies, sizeof studies / sizeof *studies};
    return app_choose(&among, argc, argv);
}
