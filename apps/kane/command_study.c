// SPDX-License-Identifier: MIT
// kane study: chooses the study; kane study status: what a directory of a study holds.

#include "app.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    const char *directory;
    app_outputs outputs;
} arguments;

static const app_option options[] = {
    {APP_JSON(outputs)},
    APP_TABLE_OPTION("", outputs),
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

// --- tables ---

// What of a study is reported.
typedef struct study_report {
    const char *directory, *kind;
    const kane_plan *plan;
} study_report;

static void print_counts(FILE *out, const void *data)
{
    const study_report *r = data;
    const int cases       = kane_plan_get_definition(r->plan)->case_count;
    (void)fprintf(out, "%s: %s, %d %s: %d done, %d failed, %d open%s\n", r->directory, r->kind[0] ? r->kind : "a study",
                  cases, app_plural(cases, (app_noun){"case", "cases"}), kane_plan_count(r->plan, KANE_CASE_DONE),
                  kane_plan_count(r->plan, KANE_CASE_FAILED), kane_plan_count(r->plan, KANE_CASE_OPEN),
                  kane_plan_is_complete(r->plan) ? "; complete" : "");
}

// Of a journal that is written the process that does; ignored are lines that are torn, or of another plan.
static kane_table tabulate_journals(kane_arena *arena, const kane_plan *plan)
{
    kane_table t = kane_table_begin(arena, 7, kane_plan_journal_count(plan));
    t.title      = "journals";
    kane_table_add_columns(&t, 7,
                           (const kane_table_column[]){{.name = "journal", .text = {.gap = 2, .width = -1}},
                                                       {.name = "done"},
                                                       {.name = "failed"},
                                                       {.name = "ignored"},
                                                       {.name = "process"},
                                                       {.name = "host", .text = {.width = -1}},
                                                       {.name = "since", .text = {.width = -1}}});
    for (int i = 0; i < kane_plan_journal_count(plan); i++) {
        const kane_plan_journal *j = kane_plan_get_journal(plan, i);
        kane_table_add(&t, 7,
                       (const kane_cell[]){kane_cell_word(j->name), kane_cell_count(j->done),
                                           kane_cell_count(j->failed), kane_cell_count(j->ignored),
                                           kane_cell_word(j->is_written ? kane_table_text(&t, "%ld", j->process) : ""),
                                           kane_cell_word(j->is_written ? j->host : ""),
                                           kane_cell_word(j->is_written ? j->when : "")});
    }
    return t;
}

// "2, 8, 11"; all of them live as long as the arena.
static const char *list_cases(kane_arena *arena, const failure *list, int count)
{
    enum { LETTERS = 12 };
    const size_t size = (size_t)count * LETTERS + 1;
    char *text        = kane_arena_alloc(arena, size, 1);
    kane_text cases   = kane_text_start(text ? size : 0, text);
    for (int i = 0; text && i < count; i++)
        kane_text_add(&cases, "%s%d", i > 0 ? ", " : "", list[i].index + 1);
    return text ? text : "";
}

// A row for each reason; text shows the first of its cases.
static kane_table tabulate_failures(kane_arena *arena, const failure *list, int count)
{
    kane_table t = kane_table_begin(arena, 4, 8);
    t.title      = "failures";
    kane_table_add_columns(&t, 4,
                           (const kane_table_column[]){{.name = "number", .text = {.gap = 2}},
                                                       {.name = "first", .text = {.head = "first case"}},
                                                       {.name = "cases", .text = {.is_hidden = 1}},
                                                       {.name = "why", .text = {.width = -1}}});
    for (int i = 0, n; i < count; i += n) {
        n = count_same(list + i, count - i);
        kane_table_add(&t, 4,
                       (const kane_cell[]){kane_cell_count(n), kane_cell_count(list[i].index + 1),
                                           kane_cell_word(list_cases(arena, list + i, n)),
                                           kane_cell_word(list[i].why)});
    }
    return t;
}

static void write_counts(kane_writer *w, const void *data)
{
    const study_report *r = data;
    kane_writer_text(w, "study", r->kind);
    kane_writer_count(w, "cases", kane_plan_get_definition(r->plan)->case_count);
    kane_writer_count(w, "done", kane_plan_count(r->plan, KANE_CASE_DONE));
    kane_writer_count(w, "failed", kane_plan_count(r->plan, KANE_CASE_FAILED));
    kane_writer_count(w, "open", kane_plan_count(r->plan, KANE_CASE_OPEN));
    kane_writer_switch(w, "complete", kane_plan_is_complete(r->plan));
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

static void report_study(const arguments *a, const study_report *r, kane_arena *arena, const failure *list,
                         kane_errors *errors)
{
    const int failed               = kane_plan_count(r->plan, KANE_CASE_FAILED);
    const kane_table tables[]      = {tabulate_journals(arena, r->plan), tabulate_failures(arena, list, failed)};
    const kane_table_report report = {
        .table_count = 2, .tables = tables, .above = print_counts, .json_above = write_counts, .data = r};
    (void)app_write_report(&a->outputs, KANE_TABLE_TEXT, &report, errors);
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
    if (list)
        report_study(&a, &(study_report){a.directory, kind, plan}, arena, list, &errors);
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
