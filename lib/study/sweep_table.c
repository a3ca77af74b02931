// SPDX-License-Identifier: MIT
// The table of a sweep: its cells, sweep.csv and sweep.json.

#include "base/replace.h"
#include "base/number.h"
#include "study/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Columns that are no axis and no measure, in two places.
enum { CASE, BEFORE_AXES };
enum { STATE, END, TIME, DISTANCE, STEPS, BETWEEN };

int kane_sweep_column_count(const kane_sweep_study *s)
{
    return BEFORE_AXES + s->is.axis_count + BETWEEN + s->is.measure_count + 1;
}

static void with_unit(const char *name, const char *unit, size_t size, char *text)
{
    (void)snprintf(text, size, unit[0] ? "%s [%s]" : "%s", name, unit);
}

void kane_sweep_head(const kane_sweep_study *s, int column, size_t size, char *text)
{
    static const char *const between[] = {"state", "end", "time [s]", "distance [m]", "steps"};
    const int axis = column - BEFORE_AXES, fixed = axis - s->is.axis_count, measure = fixed - BETWEEN;
    if (axis < 0)
        (void)snprintf(text, size, "case");
    else if (fixed < 0)
        with_unit(s->columns[axis].path, kane_axis_is_numeric(&s->columns[axis]) ? s->columns[axis].unit : "", size,
                  text);
    else if (measure < 0)
        (void)snprintf(text, size, "%s", between[fixed]);
    else if (measure < s->is.measure_count)
        with_unit(s->is.measures[measure], s->units[measure], size, text);
    else
        (void)snprintf(text, size, "remark");
}

static void number_cell(double value, int digits, size_t size, char *text)
{
    char number[KANE_NUMBER_SIZE] = "";
    if (isfinite(value) && digits > 0) {
        kane_number_round(value, digits, number);
        value = kane_number_value(number, strlen(number), 0);
    }
    if (isfinite(value))
        kane_number_format(value + 0.0, number);
    (void)snprintf(text, size, "%s", number);
}

int kane_sweep_is_derailed(const kane_sweep_study *s, int index)
{
    const double stop = s->records[index].values[s->is.measure_count + KANE_SWEEP_STOP];
    return isfinite(stop) && kane_stop_is_derailment((kane_stop)lround(stop));
}

static const char *state_of(const kane_sweep_study *s, int index)
{
    if (s->records[index].state != KANE_CASE_DONE)
        return "failed";
    return kane_sweep_is_derailed(s, index) ? "derailed" : "done";
}

static const char *end_of(const kane_sweep_study *s, int index)
{
    const double stop = s->records[index].values[s->is.measure_count + KANE_SWEEP_STOP];
    return isfinite(stop) ? kane_stop_name((kane_stop)lround(stop)) : "";
}

// Numbers with a unit in the head stand without it.
static void axis_cell(const kane_axis *column, int index, int digits, size_t size, char *text)
{
    if (kane_axis_is_numeric(column))
        number_cell(column->numbers[index], digits, size, text);
    else
        (void)snprintf(text, size, "%s", column->texts[index]);
}

void kane_sweep_cell(const kane_sweep_study *s, int index, int column, int digits, size_t size, char *text)
{
    static const int extra[] = {[TIME] = KANE_SWEEP_TIME, [DISTANCE] = KANE_SWEEP_DISTANCE, [STEPS] = KANE_SWEEP_STEPS};
    const int axis = column - BEFORE_AXES, fixed = axis - s->is.axis_count, measure = fixed - BETWEEN;
    const kane_sweep_record *r = &s->records[index];
    if (axis < 0)
        (void)snprintf(text, size, "%d", index + 1);
    else if (fixed < 0)
        axis_cell(&s->columns[axis], index, digits, size, text);
    else if (fixed == STATE || fixed == END)
        (void)snprintf(text, size, "%s", fixed == STATE ? state_of(s, index) : end_of(s, index));
    else if (measure < 0)
        number_cell(r->values[s->is.measure_count + extra[fixed]], digits, size, text);
    else if (measure < s->is.measure_count)
        number_cell(r->values[measure], digits, size, text);
    else
        (void)snprintf(text, size, "%s", r->why);
}

// --- files ---

enum { CELL = 1200 };

// A field as RFC 4180 has it.
static void write_field(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        (void)fputs(text, out);
        return;
    }
    (void)fputc('"', out);
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            (void)fputc('"', out);
        (void)fputc(*c, out);
    }
    (void)fputc('"', out);
}

static void write_csv(FILE *out, const kane_sweep_study *s)
{
    char text[CELL];
    const int columns = kane_sweep_column_count(s);
    for (int i = -1; i < s->case_count; i++)
        for (int c = 0; c < columns; c++) {
            if (i < 0)
                kane_sweep_head(s, c, sizeof text, text);
            else
                kane_sweep_cell(s, i, c, 0, sizeof text, text);
            write_field(out, text);
            (void)fputc(c + 1 < columns ? ',' : '\n', out);
        }
}

static void write_case(kane_writer *w, const kane_sweep_study *s, int index)
{
    const kane_sweep_record *r = &s->records[index];
    const double *extra        = r->values + s->is.measure_count;
    kane_writer_open(w, NULL, '{');
    kane_writer_count(w, "case", index + 1);
    kane_writer_row(w, "settings");
    for (int a = 0; a < s->is.axis_count; a++) {
        char text[CELL];
        (void)kane_sweep_setting(s, index, a, sizeof text, text);
        kane_writer_text(w, NULL, text);
    }
    kane_writer_close(w);
    kane_writer_text(w, "state", state_of(s, index));
    kane_writer_text(w, "end", end_of(s, index));
    kane_writer_number(w, "time", extra[KANE_SWEEP_TIME]);
    kane_writer_number(w, "distance", extra[KANE_SWEEP_DISTANCE]);
    kane_writer_number(w, "steps", extra[KANE_SWEEP_STEPS]);
    kane_writer_row(w, "values");
    for (int m = 0; m < s->is.measure_count; m++)
        kane_writer_number(w, NULL, r->values[m]);
    kane_writer_close(w);
    if (r->why[0])
        kane_writer_text(w, "remark", r->why);
    kane_writer_close(w);
}

static void write_json(FILE *out, const kane_sweep_study *s)
{
    kane_writer w = kane_writer_start(out);
    kane_writer_document(&w, "sweep 1");
    kane_sweep_write_definition(&w, s);
    kane_writer_row(&w, "units");
    for (int m = 0; m < s->is.measure_count; m++)
        kane_writer_text(&w, NULL, s->units[m]);
    kane_writer_close(&w);
    kane_writer_open(&w, "cases", '[');
    for (int i = 0; i < s->case_count; i++)
        write_case(&w, s, i);
    kane_writer_close(&w);
    kane_writer_close(&w);
    (void)kane_writer_end(&w); // what cannot be written the file itself remembers
}

static kane_status write_file(const kane_sweep_study *s, const char *name,
                              void (*write)(FILE *, const kane_sweep_study *), kane_errors *errors)
{
    char file[4096];
    kane_replacement r;
    (void)snprintf(file, sizeof file, "%s/%s", s->directory, name);
    const kane_status status = kane_replacement_open(&r, file, errors);
    if (status != KANE_OK)
        return status;
    write(r.file, s);
    return kane_replacement_close(&r, errors);
}

kane_status kane_sweep_write(const kane_sweep_study *s, kane_errors *errors)
{
    const kane_status status = write_file(s, "sweep.csv", write_csv, errors);
    return status == KANE_OK ? write_file(s, "sweep.json", write_json, errors) : status;
}
