// SPDX-License-Identifier: MIT
// The page: its text, and the data of runs where its mark stands.

#include <kane/view.h>

#include <kane/results.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "view/encode.h"
#include "view/scene.h"
#include "view/study.h"

#include <stdlib.h>
#include <string.h>

typedef struct page {
    kane_arena *arena;
    const kane_view_settings *settings;
    kane_encoder encoder;
    kane_writer json;
    kane_view_report report;
    const kane_study_table *study; // NULL: runs alone
} page;

// --- channels ---

static int is_axis(const char *name)
{
    return strcmp(name, "time") == 0 || strcmp(name, "distance") == 0;
}

static int is_chosen(const kane_view_settings *settings, const char *name)
{
    for (int i = 0; i < settings->pattern_count; i++)
        if (kane_name_matches(settings->patterns[i], name))
            return 1;
    return settings->pattern_count == 0 || is_axis(name);
}

// A pattern without a match is an error, which names the nearest name.
static int check_patterns(const kane_view_settings *settings, const kane_results *results, const char *name,
                          kane_errors *errors)
{
    int good = 1;
    for (int i = 0; i < settings->pattern_count; i++) {
        kane_near near = kane_near_start(settings->patterns[i]);
        int found      = 0;
        for (int k = 0; k < kane_results_column_count(results) && !found; k++) {
            found = kane_name_matches(settings->patterns[i], kane_results_column(results, k)->name);
            kane_near_offer(&near, kane_results_column(results, k)->name);
        }
        if (!found)
            kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = name, .path = ""},
                                  "no channel is called '%s'%s%s%s", settings->patterns[i],
                                  near.best ? "; did you mean '" : "", near.best ? near.best : "",
                                  near.best ? "'?" : "");
        good = good && found;
    }
    return good;
}

// What a channel is: as a part that other runs have, too. -1 without memory.
static int share_channel(page *p, const kane_column *column)
{
    kane_encoder_part part;
    if (!kane_encoder_part_begin(&p->encoder, &part))
        return -1;
    kane_writer_open(p->encoder.json, NULL, '{');
    kane_writer_text(p->encoder.json, "name", column->name);
    kane_writer_text(p->encoder.json, "unit", column->unit);
    kane_writer_text(p->encoder.json, "description", column->description ? column->description : "");
    kane_writer_close(p->encoder.json);
    return kane_encoder_part_end(&p->encoder, &part);
}

static kane_status write_channels(page *p, const kane_results *results, kane_errors *errors)
{
    kane_writer_open(&p->json, "channels", '[');
    for (int i = 0; i < kane_results_column_count(results); i++) {
        const kane_column *column = kane_results_column(results, i);
        if (!is_chosen(p->settings, column->name))
            continue;
        const int number = share_channel(p, column);
        if (number < 0)
            return kane_no_memory(errors);
        kane_writer_open(&p->json, NULL, '{');
        kane_writer_count(&p->json, "shared", number);
        kane_encoder_row(&p->encoder, "values", is_axis(column->name) ? KANE_ENCODE_DOUBLE : KANE_ENCODE_SINGLE,
                         kane_results_row_count(results), 1, kane_results_values(results, i));
        kane_writer_close(&p->json);
        p->report.channels++;
        p->report.samples += kane_results_row_count(results);
    }
    kane_writer_close(&p->json);
    return KANE_OK;
}

// --- runs ---

// missing: why there is nothing in 3-D, "" if there is
static kane_status write_run(page *p, const char *name, size_t size, char *missing, kane_errors *errors)
{
    kane_results *results = kane_results_open(name, errors);
    if (!results)
        return kane_errors_status(errors, 0);
    kane_errors unreported = {.limit = 1};
    kane_status status     = KANE_OK;
    char origin_text[256]  = "";
    const char *manifest   = kane_results_manifest(results);
    const kane_node *root =
        manifest ? kane_json_parse(p->arena, "manifest", manifest, strlen(manifest), &unreported) : NULL;
    const kane_node *known = unreported.count == 0 ? root : NULL;
    if (unreported.count > 0 && unreported.last == KANE_NO_MEMORY) {
        status = kane_no_memory(errors);
    } else if (kane_results_row_count(results) == 0) {
        status = KANE_BAD_INPUT;
        kane_errors_add_input(errors, status, (kane_place){.file = name, .path = ""}, "there are no rows to show");
    } else if (!check_patterns(p->settings, results, name, errors)) {
        status = KANE_BAD_INPUT;
    } else {
        kane_writer_open(&p->json, NULL, '{');
        kane_writer_text(&p->json, "name", name);
        (void)kane_results_format(results, sizeof origin_text, origin_text);
        kane_writer_text(&p->json, "told", origin_text);
        kane_writer_json(&p->json, "manifest", known ? manifest : "null");
        kane_writer_count(&p->json, "rows", kane_results_row_count(results));
        status = write_channels(p, results, errors);
        if (status == KANE_OK)
            status = kane_scene_write(&p->encoder, results, name, known, size, missing, errors);
        kane_writer_close(&p->json);
    }
    kane_results_free(results);
    return status;
}

typedef struct runs_shown {
    int count;
    const char *const *results;
} runs_shown;

// Blocks of numbers go to the page at once, what describes them is gathered and follows.
static kane_status write_runs(page *p, const void *what, kane_errors *errors)
{
    const runs_shown *runs = what;
    kane_status status     = KANE_OK;
    for (int i = 0; i < runs->count && status == KANE_OK; i++)
        status = write_run(p, runs->results[i], sizeof p->report.missing[i], p->report.missing[i], errors);
    return status;
}

// JSON within HTML: a "<" could begin the end of the element.
static void write_json(FILE *file, const char *json)
{
    (void)fputs("<script type=\"application/json\" id=\"runs\">", file);
    for (; *json; json++)
        if (*json == '<')
            (void)fputs("\\u003c", file);
        else
            (void)fputc(*json, file);
    (void)fputs("</script>\n", file);
}

// What a page is made of; part writes it, "runs" and all, into p->json and p->pack.
typedef kane_status page_part(page *p, const void *what, kane_errors *errors);

static kane_status write_data(page *p, page_part *part, const void *what, kane_errors *errors)
{
    char *text     = NULL;
    size_t size    = 0;
    FILE *gathered = open_memstream(&text, &size);
    if (!gathered)
        return kane_no_memory(errors);
    p->json          = kane_writer_start(gathered);
    p->encoder.json  = &p->json;
    p->encoder.arena = p->arena;
    kane_writer_document(&p->json, "view 1");
    kane_writer_text(&p->json, "title", p->settings->title ? p->settings->title : "");
    kane_writer_open(&p->json, "runs", '[');
    kane_status status = part(p, what, errors);
    if (status == KANE_OK) {
        kane_writer_close(&p->json);
        kane_encoder_write_shared(&p->encoder);
        if (p->study)
            kane_study_table_write(p->study, &p->encoder);
        kane_writer_close(&p->json);
        const int good = kane_writer_end(&p->json) == KANE_OK && !kane_arena_failed(p->arena);
        status         = good ? KANE_OK : kane_no_memory(errors);
    }
    if ((fclose(gathered) != 0 || !text) && status == KANE_OK)
        status = kane_no_memory(errors);
    if (status == KANE_OK)
        write_json(p->encoder.page, text);
    free(text);
    return status;
}

// --- the page ---

__attribute__((noinline)) static kane_status write_page(page *p, page_part *part, const void *what, const char *file,
                                                        kane_errors *errors)
{
    kane_replacement fresh;
    char *text = kane_file_read(p->arena, p->settings->page, NULL, errors);
    if (!text)
        return kane_errors_status(errors, 0);
    const char *mark = strstr(text, KANE_VIEW_MARK);
    if (!mark) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = p->settings->page, .path = ""},
                              "is no page for runs: it has no %s", KANE_VIEW_MARK);
        return KANE_BAD_INPUT;
    }
    kane_status status = kane_replacement_open(&fresh, file, errors);
    if (status != KANE_OK)
        return status;
    p->encoder.page = fresh.file;
    (void)fwrite(text, 1, (size_t)(mark - text), fresh.file);
    status = write_data(p, part, what, errors);
    if (status != KANE_OK) {
        kane_replacement_drop(&fresh);
        return status;
    }
    (void)fputs(mark + strlen(KANE_VIEW_MARK), fresh.file);
    p->report.bytes = ftell(fresh.file);
    return kane_replacement_close(&fresh, errors);
}

static kane_status make_page(const kane_view_settings *settings, page_part *part, const void *what, const char *file,
                             kane_view_report *report, kane_errors *errors)
{
    kane_errors unheard = {.limit = 1};
    page p              = {.arena = kane_arena_create(), .settings = settings};
    if (!p.arena)
        return kane_no_memory(errors);
    const kane_status status = write_page(&p, part, what, file, errors ? errors : &unheard);
    kane_arena_free(p.arena);
    if (report)
        *report = p.report;
    return status;
}

kane_status kane_view_write(int run_count, const char *const *results, const kane_view_settings *settings,
                            const char *file, kane_view_report *report, kane_errors *errors)
{
    if (run_count < 1 || run_count > KANE_VIEW_RUNS_MOST) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a page shows 1 to %d runs, not %d", (int)KANE_VIEW_RUNS_MOST,
                        run_count);
        return KANE_BAD_ARGUMENT;
    }
    const runs_shown what = {run_count, results};
    return make_page(settings, write_runs, &what, file, report, errors);
}

// --- modes ---

static kane_status write_modes(page *p, const void *what, kane_errors *errors)
{
    const kane_view_modes *m = what;
    kane_writer_open(&p->json, NULL, '{');
    kane_writer_text(&p->json, "name", m->run->file ? m->run->file : "");
    kane_writer_text(&p->json, "told", "");
    kane_writer_json(&p->json, "manifest", "null");
    kane_writer_count(&p->json, "rows", 0);
    kane_writer_open(&p->json, "channels", '[');
    kane_writer_close(&p->json);
    const kane_status status =
        kane_scene_write_modes(&p->encoder, m->run, kane_steady_model(m->steady), kane_steady_work(m->steady), m->modes,
                               m->count, m->shown, errors);
    kane_writer_close(&p->json);
    return status;
}

kane_status kane_view_write_modes(const kane_view_modes *modes, const kane_view_settings *settings, const char *file,
                                  kane_view_report *report, kane_errors *errors)
{
    for (int i = 0; i < modes->count; i++)
        if (modes->shown[i] < 0 || modes->shown[i] >= kane_modes_count(modes->modes)) {
            kane_errors_add(errors, KANE_BAD_ARGUMENT, "there is no mode %d", modes->shown[i] + 1);
            return KANE_BAD_ARGUMENT;
        }
    return make_page(settings, write_modes, modes, file, report, errors);
}

// --- studies ---

// Recorded runs; if some cannot be shown in 3-D the first reason is reported.
static kane_status write_kept(page *p, const void *what, kane_errors *errors)
{
    const kane_view_settings *settings = p->settings;
    const char *directory              = what;
    p->study = kane_study_table_read(p->arena, directory, settings->case_count, settings->cases, errors);
    if (!p->study)
        return kane_errors_status(errors, 0);
    kane_status status = KANE_OK;
    for (int i = 0; i < p->study->run_count && status == KANE_OK; i++) {
        char missing[sizeof p->report.missing[0]] = "";
        status                                    = write_run(p, p->study->runs[i], sizeof missing, missing, errors);
        if (!p->report.missing[0][0] && kane_study_has_manifests(p->study))
            memcpy(p->report.missing[0], missing, sizeof missing);
        p->report.runs++;
    }
    p->report.cases = p->study->row_count;
    return status;
}

kane_status kane_view_write_study(const char *directory, const kane_view_settings *settings, const char *file,
                                  kane_view_report *report, kane_errors *errors)
{
    return make_page(settings, write_kept, directory, file, report, errors);
}
