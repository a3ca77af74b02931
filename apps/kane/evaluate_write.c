// SPDX-License-Identifier: MIT
// An evaluation for other programs: CSV and JSON, SI units, all digits.

#include "app.h"

#include "base/json.h"
#include "base/number.h"
#include "results/csv.h"

#include <math.h>
#include <string.h>

// --- CSV ---

static void print_field(FILE *out, const char *text)
{
    kane_csv_write(out, text, 0);
    (void)fputc(',', out);
}

// What there is none of is an empty field.
static void print_number(FILE *out, double value, char end)
{
    char text[KANE_NUMBER_SIZE] = "";
    if (isfinite(value))
        kane_number_format(value + 0.0, text);
    (void)fprintf(out, "%s%c", text, end);
}

int evaluate_write_csv(const kane_evaluation *evaluation, const char *file, kane_errors *errors)
{
    FILE *out = app_open_table(file, errors);
    if (!out)
        return 0;
    (void)fprintf(out, "of,quantity,unit,value,limit,used,at,sections,mean,deviation,factor\n");
    for (int i = 0; i < kane_evaluation_count(evaluation); i++) {
        const kane_assessment *a = kane_evaluation_get(evaluation, i);
        print_field(out, a->of);
        print_field(out, a->quantity->name);
        print_field(out, a->quantity->unit);
        print_number(out, a->value, ',');
        print_number(out, a->limit, ',');
        print_number(out, a->used, ',');
        print_number(out, a->at, ',');
        print_number(out, a->sections, ',');
        print_number(out, a->mean, ',');
        print_number(out, a->deviation, ',');
        print_number(out, a->factor, '\n');
    }
    return app_close_table(out, file, errors);
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

int evaluate_write_json(const kane_evaluation *evaluation, const char *name, const kane_evaluation_options *options,
                        const char *file, kane_errors *errors)
{
    const kane_evaluated_section section = kane_evaluation_section(evaluation);
    FILE *out                            = app_open_table(file, errors);
    if (!out)
        return 0;
    kane_writer w = kane_writer_start(out);
    kane_writer_open(&w, NULL, '{');
    kane_writer_text(&w, "kane", "evaluation 1");
    kane_writer_text(&w, "library", kane_version());
    kane_writer_text(&w, "results", name);
    kane_writer_text(&w, "class", kane_vehicle_class_name(options->kind));
    kane_writer_number(&w, "from", section.from);
    kane_writer_number(&w, "to", section.to);
    kane_writer_number(&w, "speed", section.speed);
    kane_writer_count(&w, "rows", section.rows);
    if (options->section > 0.0)
        kane_writer_number(&w, "section", options->section);
    kane_writer_open(&w, "assessments", '[');
    for (int i = 0; i < kane_evaluation_count(evaluation); i++)
        write_assessment(&w, kane_evaluation_get(evaluation, i));
    kane_writer_close(&w);
    kane_writer_open(&w, "remarks", '[');
    for (int i = 0; i < kane_evaluation_note_count(evaluation); i++)
        kane_writer_text(&w, NULL, kane_evaluation_note(evaluation, i));
    kane_writer_close(&w);
    kane_writer_close(&w);
    (void)kane_writer_end(&w);
    return app_close_table(out, file, errors);
}
