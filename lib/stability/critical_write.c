// SPDX-License-Identifier: MIT
// Results of a study of limit cycles as files: a table that is written anew after every point, and a summary.

#include "stability/critical.h"

#include "base/file.h"
#include "base/json.h"
#include "base/number.h"
#include "results/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static kane_status open_study_file(const search *s, const char *name, kane_replacement *r, kane_errors *errors)
{
    char file[4096];
    (void)snprintf(file, sizeof file, "%s/%s", s->study->directory, name);
    return kane_replacement_open(r, file, errors);
}

static void add_branch_rows(const search *s, const branch *b, kane_table *t)
{
    for (int i = 0; i < b->count; i++)
        for (int w = 0; w < s->report->wheelset_count; w++) {
            const kane_critical_point *p   = &b->points[i];
            const kane_critical_swing *own = &p->swing[w];
            kane_table_add(t, 3,
                           (const kane_cell[]){kane_cell_number(p->speed), kane_cell_word(kane_sweep_name(p->sweep)),
                                               kane_cell_text(s->report->wheelset[w])});
            kane_table_add_numbers(
                t, 6,
                (const double[]){own->amplitude, own->least, own->most, own->level, own->farthest, own->frequency});
            kane_table_add(t, 4,
                           (const kane_cell[]){kane_cell_count(p->cycles), kane_cell_number(p->time),
                                               kane_cell_word(kane_motion_name(p->motion)),
                                               kane_cell_word(kane_check_name(p->check))});
        }
}

kane_status write_points(const search *s, kane_errors *errors)
{
    static const char *const names[] = {"speed",    "sweep",     "wheelset", "amplitude", "least",  "most",     "level",
                                        "farthest", "frequency", "cycles",   "time",      "motion", "fresh run"};
    static const char *const units[] = {"m/s", "", "", "m", "m", "m", "m", "m", "Hz", "1", "s", "", ""};
    enum { COLUMNS = sizeof names / sizeof *names };
    kane_replacement f;
    kane_table t = kane_table_begin(kane_arena_create(), COLUMNS, 0);
    t.has_nan    = 1;
    kane_table_add_names(&t, COLUMNS, names, units);
    for (int i = 0; i < KANE_SWEEPS; i++)
        add_branch_rows(s, &s->report->branch[i], &t);
    kane_status status =
        t.arena && !kane_arena_failed(t.arena) ? open_study_file(s, "points.csv", &f, errors) : kane_no_memory(errors);
    if (status == KANE_OK) {
        kane_table_write_csv(&t, f.file);
        status = kane_replacement_close(&f, errors);
    }
    kane_arena_free(t.arena);
    return status;
}

static void write_study_settings(const search *s, kane_writer *w)
{
    const kane_critical_study *study = s->study;
    kane_writer_number(w, "curvature", study->curvature);
    kane_writer_number(w, "superelevation", study->superelevation);
    kane_writer_number(w, "from", study->from);
    kane_writer_number(w, "to", study->to);
    kane_writer_number(w, "step", study->step);
    kane_writer_number(w, "resolution", study->resolution);
    kane_writer_number(w, "disturbance", study->disturbance);
    kane_writer_open(w, "rules", '{');
    kane_writer_number(w, "tolerance", study->rules.tolerance);
    kane_writer_number(w, "quiet", study->rules.quiet);
    kane_writer_count(w, "cycles", study->rules.cycles);
    kane_writer_number(w, "sample", study->rules.sample);
    kane_writer_number(w, "patience", study->rules.patience);
    kane_writer_number(w, "drifting", study->rules.drifting);
    kane_writer_close(w);
}

static void write_point(const search *s, const kane_critical_point *p, kane_writer *w)
{
    kane_writer_open(w, NULL, '{');
    kane_writer_number(w, "speed", p->speed);
    kane_writer_text(w, "sweep", kane_sweep_name(p->sweep));
    kane_writer_text(w, "motion", kane_motion_name(p->motion));
    kane_writer_text(w, "fresh run", kane_check_name(p->check));
    kane_writer_number(w, "time", p->time);
    kane_writer_count(w, "cycles", p->cycles);
    if (p->subject[0])
        kane_writer_text(w, "subject", p->subject);
    kane_writer_open(w, "wheelsets", '{');
    for (int i = 0; i < s->report->wheelset_count; i++) {
        const kane_critical_swing *own = &p->swing[i];
        kane_writer_open(w, s->report->wheelset[i], '{');
        kane_writer_number(w, "amplitude", own->amplitude);
        kane_writer_number(w, "least", own->least);
        kane_writer_number(w, "most", own->most);
        kane_writer_number(w, "level", own->level);
        kane_writer_number(w, "farthest", own->farthest);
        kane_writer_number(w, "frequency", own->frequency);
        kane_writer_close(w);
    }
    kane_writer_close(w);
    kane_writer_close(w);
}

kane_status write_result(const search *s, kane_errors *errors)
{
    const kane_critical_report *report = s->report;
    const kane_critical_result *r      = &report->result;
    kane_replacement f;
    const kane_status status = open_study_file(s, "critical.json", &f, errors);
    if (status != KANE_OK)
        return status;
    kane_writer w = kane_writer_start(f.file);
    kane_writer_document(&w, "critical 1");
    kane_writer_text(&w, "run", s->study->run->file);
    kane_writer_text(&w, "vehicle", s->study->run->vehicle->name);
    kane_writer_text(&w, "state", s->ended ? "ended" : "done");
    write_study_settings(s, &w);
    kane_writer_number(&w, "linear", r->linear);
    kane_writer_number(&w, "linear_frequency", r->linear_frequency);
    kane_writer_text(&w, "linear_mode", r->linear_mode);
    kane_writer_number(&w, "nonlinear", r->nonlinear);
    kane_writer_number(&w, "none", r->none);
    kane_writer_number(&w, "jump", r->jump);
    kane_writer_number(&w, "rest", r->rest);
    kane_writer_count(&w, "unconfirmed", r->unconfirmed);
    kane_writer_count(&w, "derailed", r->derailed);
    kane_writer_count(&w, "unsettled", r->unsettled);
    kane_writer_number(&w, "farthest", r->farthest);
    kane_writer_number(&w, "peak_to_peak", r->peak_to_peak);
    kane_writer_open(&w, "points", '[');
    for (int i = 0; i < kane_critical_report_count(report); i++)
        write_point(s, kane_critical_report_point(report, i), &w);
    kane_writer_close(&w);
    kane_writer_close(&w);
    (void)kane_writer_end(&w); // what could not be written is known to the file, and told at its end
    return kane_replacement_close(&f, errors);
}
