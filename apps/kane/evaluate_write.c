// SPDX-License-Identifier: MIT
// An evaluation for other programs: CSV and JSON, SI units, all digits.

#include "app.h"

#include "base/json.h"

// --- table ---

kane_table evaluate_tabulate(kane_arena *arena, const kane_evaluation *evaluation)
{
    static const char *const names[] = {"of",       "quantity", "unit",      "value",  "limit", "used", "at",
                                        "sections", "mean",     "deviation", "factor", "kind",  "about"};
    static const char *const kinds[] = {"wheel", "wheelset", "accelerometer"};
    kane_table t                     = kane_table_begin(arena, 13, kane_evaluation_count(evaluation));
    kane_table_add_names(&t, 13, names, NULL);
    for (int i = 0; i < kane_evaluation_count(evaluation); i++) {
        const kane_assessment *a = kane_evaluation_get(evaluation, i);
        kane_table_add(&t, 3,
                       (const kane_cell[]){kane_cell_word(a->of), kane_cell_word(a->quantity->name),
                                           kane_cell_word(a->quantity->unit)});
        kane_table_add_numbers(
            &t, 8, (const double[]){a->value, a->limit, a->used, a->at, a->sections, a->mean, a->deviation, a->factor});
        kane_table_add(&t, 2,
                       (const kane_cell[]){kane_cell_word(kinds[a->quantity->of]), kane_cell_word(a->quantity->about)});
    }
    return t;
}

void evaluate_write_section(kane_writer *w, const void *report)
{
    const evaluate_report *r             = report;
    const kane_evaluated_section section = kane_evaluation_section(r->evaluation);
    kane_writer_text(w, "results", r->name);
    kane_writer_text(w, "class", kane_vehicle_class_name(r->options->kind));
    kane_writer_number(w, "from", section.from);
    kane_writer_number(w, "to", section.to);
    kane_writer_number(w, "speed", section.speed);
    kane_writer_count(w, "row_count", section.rows);
    if (r->options->section > 0.0)
        kane_writer_number(w, "section", r->options->section);
    kane_writer_open(w, "remarks", '[');
    for (int i = 0; i < kane_evaluation_note_count(r->evaluation); i++)
        kane_writer_text(w, NULL, kane_evaluation_note(r->evaluation, i));
    kane_writer_close(w);
}
