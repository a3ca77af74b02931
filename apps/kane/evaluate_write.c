// SPDX-License-Identifier: MIT
// An evaluation for other programs: CSV and JSON, SI units, all digits.

#include "app.h"

#include "base/json.h"

// --- table ---

kane_table evaluate_tabulate(kane_arena *arena, const kane_evaluation *evaluation)
{
    static const char *const names[] = {"of", "quantity", "unit", "value",     "limit", "used",
                                        "at", "sections", "mean", "deviation", "factor"};
    kane_table t                     = kane_table_begin(arena, 11, kane_evaluation_count(evaluation));
    kane_table_add_names(&t, 11, names, NULL);
    for (int i = 0; i < kane_evaluation_count(evaluation); i++) {
        const kane_assessment *a = kane_evaluation_get(evaluation, i);
        kane_table_add(&t, 3,
                       (const kane_cell[]){kane_cell_word(a->of), kane_cell_word(a->quantity->name),
                                           kane_cell_word(a->quantity->unit)});
        kane_table_add_numbers(
            &t, 8, (const double[]){a->value, a->limit, a->used, a->at, a->sections, a->mean, a->deviation, a->factor});
    }
    return t;
}

// --- JSON ---

static void write_assessment(kane_writer *w, const kane_assessment *a)
{
    static const char *const kinds[] = {"wheel", "wheelset", "accelerometer"};
    kane_writer_open(w, NULL, '{');
    kane_writer_text(w, "kind", kinds[a->quantity->of]);
    kane_writer_text(w, "of", a->of);
    kane_writer_text(w, "quantity", a->quantity->name);
    kane_writer_text(w, "about", a->quantity->about);
    kane_writer_text(w, "unit", a->quantity->unit);
    kane_writer_number(w, "value", a->value + 0.0);
    kane_writer_number(w, "limit", a->limit);
    kane_writer_number(w, "used", a->used);
    kane_writer_number(w, "at", a->at);
    if (a->sections > 0) {
        kane_writer_count(w, "sections", a->sections);
        kane_writer_number(w, "mean", a->mean);
        kane_writer_number(w, "deviation", a->deviation);
        kane_writer_number(w, "factor", a->factor);
    }
    kane_writer_close(w);
}

void evaluate_write_json(kane_writer *w, const void *report)
{
    const evaluate_report *r             = report;
    const kane_evaluated_section section = kane_evaluation_section(r->evaluation);
    kane_writer_text(w, "kane", "evaluation 1");
    kane_writer_text(w, "library", kane_version());
    kane_writer_text(w, "results", r->name);
    kane_writer_text(w, "class", kane_vehicle_class_name(r->options->kind));
    kane_writer_number(w, "from", section.from);
    kane_writer_number(w, "to", section.to);
    kane_writer_number(w, "speed", section.speed);
    kane_writer_count(w, "rows", section.rows);
    if (r->options->section > 0.0)
        kane_writer_number(w, "section", r->options->section);
    kane_writer_open(w, "assessments", '[');
    for (int i = 0; i < kane_evaluation_count(r->evaluation); i++)
        write_assessment(w, kane_evaluation_get(r->evaluation, i));
    kane_writer_close(w);
    kane_writer_open(w, "remarks", '[');
    for (int i = 0; i < kane_evaluation_note_count(r->evaluation); i++)
        kane_writer_text(w, NULL, kane_evaluation_note(r->evaluation, i));
    kane_writer_close(w);
}
