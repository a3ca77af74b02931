// SPDX-License-Identifier: MIT
// The tables of an omission study as CSV, and its ranking as text.

#include "study/omission_report.h"

#include "base/number.h"
#include "base/replace.h"

#include <math.h>
#include <string.h>

kane_status kane_omission_open(const kane_omission_report *report, const char *name, kane_replacement *file,
                               kane_errors *errors)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", report->setup.study->execution.directory, name);
    return kane_replacement_open(file, path, errors);
}

// --- CSV ---

// Quotes inside are doubled.
static void write_text(FILE *out, const char *text)
{
    (void)fputc('"', out);
    for (const char *p = text; *p; p++) {
        if (*p == '"')
            (void)fputc('"', out);
        (void)fputc(*p, out);
    }
    (void)fputc('"', out);
}

// The same double again when it is read; nothing for what is not known.
static void write_number(FILE *out, double value)
{
    char number[KANE_NUMBER_SIZE] = "";
    if (isfinite(value))
        kane_number_format(value, number);
    (void)fprintf(out, ",%s", number);
}

// Names of the axes with their units, then a comma.
static void write_axes(FILE *out, const kane_omission_grid *grid)
{
    for (int a = 0; a < grid->axis_count; a++) {
        char name[512];
        (void)snprintf(name, sizeof name, grid->axes[a]->unit[0] ? "%s [%s]" : "%s", grid->axes[a]->path,
                       grid->axes[a]->unit);
        write_text(out, name);
        (void)fputc(',', out);
    }
}

// Values of the axes under a condition; numbers in the unit of the axis.
static void write_condition(FILE *out, const kane_omission_grid *grid, int condition)
{
    int value[KANE_OMISSION_AXES_MOST];
    kane_omission_grid_values(grid, condition, value);
    for (int a = 0; a < grid->axis_count; a++) {
        const kane_axis *axis = grid->axes[a];
        char number[KANE_NUMBER_SIZE];
        kane_number_format(axis->numbers[value[a]], number);
        if (isfinite(axis->numbers[value[a]]))
            (void)fputs(number, out);
        else
            write_text(out, axis->texts[value[a]]);
        (void)fputc(',', out);
    }
}

// "" of a case that is not known
static const char *end_name(const kane_omission_case *at, int which)
{
    return at->is_known ? kane_stop_name(at->end[which]) : "";
}

static void write_case(FILE *out, const kane_omission_case *at)
{
    (void)fprintf(out, ",%s,%s", end_name(at, 0), end_name(at, 1));
    write_number(out, at->distance[0]);
    write_number(out, at->distance[1]);
    write_number(out, at->omitted[0]);
    write_number(out, at->omitted[1]);
    write_number(out, at->impulse[0]);
    write_number(out, at->impulse[1]);
    (void)fputc(',', out);
    write_text(out, at->why);
    (void)fputc('\n', out);
}

static void write_effects(const kane_omission_report *report, FILE *out)
{
    const kane_omission_table *t = &report->table;
    write_axes(out, &report->setup.grid);
    const char *const along = report->setup.travels ? "distance" : "time", *const unit =
                                                                               report->setup.travels ? "m" : "s";
    (void)fprintf(out,
                  "term,response,unit,relative effect,largest difference,at %s [%s],rms difference,range of complete,"
                  "scale,channel,end complete,end omitting,%s complete [%s],%s omitting [%s],"
                  "largest omitted force [N],largest omitted torque [N m],largest omitted impulse of force [N s],"
                  "largest omitted impulse of torque [N m s],remark\n",
                  along, unit, along, unit, along, unit);
    for (int c = 0; c < t->conditions; c++)
        for (int i = 0; i < t->terms; i++)
            for (int r = 0; r < t->responses; r++) {
                const kane_omission_effect *e = kane_omission_at(t, c, i, r);
                write_condition(out, &report->setup.grid, c);
                write_text(out, i == KANE_OMISSION_ACCURACY ? "accuracy" : t->names[i]);
                (void)fputc(',', out);
                write_text(out, report->setup.responses[r].pattern);
                (void)fprintf(out, ",%s", report->setup.responses[r].unit);
                write_number(out, e->relative);
                write_number(out, e->difference);
                write_number(out, e->at);
                write_number(out, e->rms);
                write_number(out, e->range);
                write_number(out, e->scale);
                (void)fputc(',', out);
                write_text(out, e->channel);
                write_case(out, kane_omission_case_at(t, c, i));
            }
}

// One line of the ranking: of all responses, or of one.
static void write_rank(const kane_omission_report *report, int response, int rank, FILE *out)
{
    const kane_omission_table *t = &report->table;
    const int term               = report->order[response + 1][rank];
    int condition, where;
    (void)kane_omission_largest(t, term, response, &condition, &where);
    write_text(out, response < 0 ? "all" : report->setup.responses[response].pattern);
    (void)fprintf(out, ",%d,", rank + 1);
    write_text(out, t->names[term]);
    if (condition < 0) {
        (void)fprintf(out, ",,,,,,");
    } else {
        const kane_omission_effect *e = kane_omission_at(t, condition, term, where);
        write_number(out, e->relative);
        write_number(out, e->difference);
        (void)fprintf(out, ",%s,", report->setup.responses[where].unit);
        write_text(out, e->channel);
        write_number(out, e->at);
        (void)fputc(',', out);
        write_text(out, report->conditions[condition]);
    }
    const kane_omission_verdict *v = &report->verdicts[term];
    (void)fprintf(out, ",%d,%s,", v->otherwise, kane_verdict_name(v->verdict));
    write_text(out, v->words);
    (void)fputc('\n', out);
}

static void write_ranking(const kane_omission_report *report, FILE *out)
{
    (void)fprintf(out,
                  "response,rank,term,largest relative effect,largest difference,unit,channel,at %s,condition,"
                  "conditions that end otherwise,may be neglected,verdict\n",
                  report->setup.travels ? "distance [m]" : "time [s]");
    for (int r = -1; r < report->table.responses; r++)
        for (int k = 0; k < report->table.terms - 1; k++)
            write_rank(report, r, k, out);
}

// --- all of them ---

static void write_all_text(const kane_omission_report *report, FILE *out)
{
    kane_omission_report_print(report, 0, out);
}

kane_status kane_omission_write(const kane_omission_report *report, kane_errors *errors)
{
    static const struct {
        const char *name;
        void (*write)(const kane_omission_report *report, FILE *out);
    } tables[] = {{"effects.csv", write_effects}, {"ranking.csv", write_ranking}, {"ranking.txt", write_all_text}};
    kane_status status = KANE_OK;
    for (size_t i = 0; status == KANE_OK && i < sizeof tables / sizeof *tables; i++) {
        kane_replacement file;
        status = kane_omission_open(report, tables[i].name, &file, errors);
        if (status != KANE_OK)
            break;
        tables[i].write(report, file.file);
        status = kane_replacement_close(&file, errors);
    }
    return status;
}
