// SPDX-License-Identifier: MIT
// The tables of an omission study as JSON.

#include "study/omission_report.h"

#include "base/replace.h"
#include "base/writer.h"

#include <math.h>

static void write_names(kane_writer *w, const char *key, const char *const *names, int count)
{
    kane_writer_open(w, key, '[');
    for (int i = 0; i < count; i++)
        kane_writer_text(w, NULL, names[i]);
    kane_writer_close(w);
}

// A condition as the settings that make it: "speed": "10 m/s".
static void write_conditions(const kane_omission_report *report, kane_writer *w)
{
    const kane_omission_grid *grid = &report->setup.grid;
    kane_writer_open(w, "conditions", '[');
    for (int c = 0; c < report->table.conditions; c++) {
        int value[KANE_OMISSION_AXES_MOST];
        kane_omission_grid_values(grid, c, value);
        kane_writer_open(w, NULL, '{');
        for (int a = 0; a < grid->axis_count; a++)
            kane_writer_text(w, grid->axes[a]->path, grid->axes[a]->texts[value[a]]);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static void write_responses(const kane_omission_report *report, kane_writer *w)
{
    kane_writer_open(w, "responses", '[');
    for (int r = 0; r < report->table.responses; r++) {
        const kane_omission_response *response = &report->setup.responses[r];
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "response", response->pattern);
        kane_writer_text(w, "unit", response->unit);
        kane_writer_number(w, "accuracy", report->accuracy[r]);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static void write_head(const kane_omission_report *report, const char *kind, kane_writer *w)
{
    kane_writer_open(w, NULL, '{');
    kane_writer_text(w, "kane", kind);
    kane_writer_text(w, "run", report->setup.study->file);
    kane_writer_text(w, "vehicle", report->setup.vehicle);
    write_conditions(report, w);
    write_responses(report, w);
}

// A row: condition, term, response (counted from 0), then numbers.
static void write_effect(const kane_omission_report *report, int c, int i, int r, kane_writer *w)
{
    const kane_omission_effect *e = kane_omission_at(&report->table, c, i, r);
    const kane_omission_case *at  = kane_omission_case_at(&report->table, c, i);
    kane_writer_row(w, NULL);
    kane_writer_count(w, NULL, c);
    kane_writer_count(w, NULL, i);
    kane_writer_count(w, NULL, r);
    kane_writer_number(w, NULL, e->relative);
    kane_writer_number(w, NULL, e->difference);
    kane_writer_number(w, NULL, e->at);
    kane_writer_number(w, NULL, e->rms);
    kane_writer_number(w, NULL, e->range);
    kane_writer_text(w, NULL, e->channel);
    kane_writer_text(w, NULL, at->is_known ? kane_stop_name(at->end[1]) : at->why);
    kane_writer_close(w);
}

static void write_effects(const kane_omission_report *report, kane_writer *w)
{
    const char *const at        = report->setup.travels ? "at distance [m]" : "at time [s]";
    const char *const columns[] = {
        "condition", "term",           "response",          "relative effect", "largest difference",
        at,          "rms difference", "range of complete", "channel",         "end without the term"};
    const kane_omission_table *t = &report->table;
    write_head(report, "omission effects 1", w);
    write_names(w, "terms", t->names, t->terms);
    write_names(w, "columns", columns, (int)(sizeof columns / sizeof *columns));
    kane_writer_open(w, "rows", '[');
    for (int c = 0; c < t->conditions; c++)
        for (int i = 0; i < t->terms; i++)
            for (int r = 0; r < t->responses; r++)
                write_effect(report, c, i, r, w);
    kane_writer_close(w);
    kane_writer_close(w);
}

static void write_largest(const kane_omission_report *report, int term, kane_writer *w)
{
    int condition, where;
    (void)kane_omission_largest(&report->table, term, -1, &condition, &where);
    if (condition < 0)
        return;
    const kane_omission_effect *e = kane_omission_at(&report->table, condition, term, where);
    kane_writer_open(w, "largest", '{');
    kane_writer_number(w, "relative", e->relative);
    kane_writer_number(w, "difference", e->difference);
    kane_writer_text(w, "unit", report->setup.responses[where].unit);
    kane_writer_text(w, "channel", e->channel);
    kane_writer_number(w, "at", e->at);
    kane_writer_text(w, "condition", report->conditions[condition]);
    kane_writer_close(w);
}

static void write_by_response(const kane_omission_report *report, int term, kane_writer *w)
{
    kane_writer_open(w, "by_response", '{');
    for (int r = 0; r < report->table.responses; r++) {
        int condition, where;
        (void)kane_omission_largest(&report->table, term, r, &condition, &where);
        if (condition >= 0)
            kane_writer_number(w, report->setup.responses[r].pattern,
                               kane_omission_at(&report->table, condition, term, r)->relative);
    }
    kane_writer_close(w);
}

// Of every axis the values under which a term may be neglected whatever the others are.
static void write_values(const kane_omission_report *report, const kane_omission_verdict *v, kane_writer *w)
{
    const kane_omission_grid *grid = &report->setup.grid;
    kane_writer_open(w, "negligible_values", '{');
    for (int a = 0; a < grid->axis_count; a++) {
        kane_writer_open(w, grid->axes[a]->path, '[');
        for (int i = 0; i < grid->axes[a]->count; i++)
            if (v->values[a] >> i & 1)
                kane_writer_text(w, NULL, grid->axes[a]->texts[i]);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static void write_ranking(const kane_omission_report *report, kane_writer *w)
{
    write_head(report, "omission ranking 1", w);
    kane_writer_number(w, "threshold", report->setup.study->threshold);
    kane_writer_open(w, "terms", '[');
    for (int k = 0; k < report->table.terms - 1; k++) {
        const int term                 = report->order[0][k];
        const kane_omission_verdict *v = &report->verdicts[term];
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "term", report->table.names[term]);
        kane_writer_count(w, "rank", k + 1);
        write_largest(report, term, w);
        write_by_response(report, term, w);
        kane_writer_text(w, "may_be_neglected", kane_verdict_name(v->verdict));
        kane_writer_text(w, "verdict", v->words);
        kane_writer_count(w, "negligible_conditions", v->negligible);
        kane_writer_count(w, "ends_otherwise", v->otherwise);
        kane_writer_count(w, "failed", v->failed);
        kane_writer_number(w, "impulse_of_force", v->impulse[KANE_FORCE]);
        kane_writer_number(w, "impulse_of_torque", v->impulse[KANE_TORQUE]);
        write_values(report, v, w);
        kane_writer_close(w);
    }
    kane_writer_close(w);
    kane_writer_close(w);
}

kane_status kane_omission_write_json(const kane_omission_report *report, kane_errors *errors)
{
    static const struct {
        const char *name;
        void (*write)(const kane_omission_report *report, kane_writer *w);
    } tables[]         = {{"effects.json", write_effects}, {"ranking.json", write_ranking}};
    kane_status status = KANE_OK;
    for (int i = 0; status == KANE_OK && i < 2; i++) {
        kane_replacement file;
        status = kane_omission_open(report, tables[i].name, &file, errors);
        if (status != KANE_OK)
            break;
        kane_writer w = kane_writer_start(file.file);
        tables[i].write(report, &w);
        (void)kane_writer_end(&w); // what could not be written is known when the file is closed
        status = kane_replacement_close(&file, errors);
    }
    return status;
}
