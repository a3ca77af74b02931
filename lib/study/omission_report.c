// SPDX-License-Identifier: MIT
// What an omission study has found: from the records of its plan to effects, ranks and verdicts, and all of it written down.

#include "study/omission.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { CONDITION_SIZE = 512 };

int kane_omission_is_whole(const char *term)
{
    const char *colon = strrchr(term, ':');
    return !colon || strpbrk(term, "*?") || strchr(colon, '['); // a name of a body may have brackets
}

// --- the table ---

static kane_omission_effect effect_of(const kane_omission_response *response, const double *own)
{
    const int channel = isnan(own[KANE_OMISSION_CHANNEL]) ? -1 : (int)own[KANE_OMISSION_CHANNEL];
    const int known   = channel >= 0 && channel < response->channel_count;
    return (kane_omission_effect){.difference = own[KANE_OMISSION_DIFFERENCE],
                                  .at         = own[KANE_OMISSION_AT],
                                  .rms        = own[KANE_OMISSION_RMS],
                                  .range      = own[KANE_OMISSION_RANGE],
                                  .channel    = known ? response->channels[channel] : ""};
}

static kane_stop stop_of(double value)
{
    return isnan(value) ? KANE_STOP_NONE : (kane_stop)value;
}

static void take_case(const kane_omission_report *report, const kane_case *record, int condition, int term)
{
    const kane_omission_setup *setup = &report->setup;
    kane_omission_case *at           = kane_omission_case_at(&report->table, condition, term);
    const double *v                  = record->values;
    at->is_known                     = record->state == KANE_CASE_DONE;
    at->why                          = kane_arena_text(setup->study.arena, record->why);
    for (int i = 0; i < 2; i++) {
        at->end[i]      = stop_of(v[KANE_OMISSION_STOP + i]);
        at->distance[i] = v[KANE_OMISSION_DISTANCE + i];
        at->omitted[i]  = v[KANE_OMISSION_LARGEST + i];
        at->impulse[i]  = v[KANE_OMISSION_IMPULSE + i];
    }
    at->is_zero        = v[KANE_OMISSION_ZERO] == 1.0;
    at->ends_otherwise = at->is_known && at->end[0] != at->end[1];
    for (int r = 0; r < setup->response_count; r++)
        *kane_omission_at(&report->table, condition, term, r) =
            effect_of(&setup->responses[r], &v[KANE_OMISSION_RESPONSES + KANE_OMISSION_PER_RESPONSE * r]);
}

static int take_table(kane_omission_report *report, const kane_plan *plan)
{
    const kane_omission_setup *setup = &report->setup;
    kane_omission_table *t           = &report->table;
    const int conditions             = (int)kane_grid_size(&setup->grid);
    const size_t cases               = (size_t)conditions * (size_t)setup->terms.count;
    const char **units = kane_arena_alloc(setup->study.arena, (size_t)setup->response_count, sizeof *units);
    *t = (kane_omission_table){conditions, setup->terms.count, setup->response_count, setup->terms.texts, NULL, NULL};
    t->at     = kane_arena_alloc(setup->study.arena, cases, sizeof *t->at);
    t->effect = kane_arena_alloc(setup->study.arena, cases * (size_t)setup->response_count, sizeof *t->effect);
    if (!units || !t->at || !t->effect)
        return 0;
    for (int c = 0; c < conditions; c++)
        for (int i = 0; i < t->terms; i++)
            take_case(report, kane_plan_case(plan, c * t->terms + i), c, i);
    for (int r = 0; r < t->responses; r++)
        units[r] = setup->responses[r].unit;
    kane_omission_scale(t, units, setup->asked->by_rms);
    return 1;
}

// --- what follows from it ---

static int say_conditions(kane_omission_report *report)
{
    const char **texts = kane_arena_alloc(report->setup.study.arena, (size_t)report->table.conditions, sizeof *texts);
    for (int c = 0; texts && c < report->table.conditions; c++) {
        char text[CONDITION_SIZE];
        kane_omission_say_condition(&report->setup.grid, c, sizeof text, text);
        texts[c] = kane_arena_text(report->setup.study.arena, text);
    }
    report->conditions = texts;
    return texts != NULL;
}

static int rank(kane_omission_report *report)
{
    const kane_omission_table *t = &report->table;
    report->order    = kane_arena_alloc(report->setup.study.arena, (size_t)t->responses + 1, sizeof *report->order);
    report->accuracy = kane_arena_doubles(report->setup.study.arena, (size_t)t->responses);
    for (int r = -1; report->order && report->accuracy && r < t->responses; r++) {
        int condition, where;
        int *order           = kane_arena_alloc(report->setup.study.arena, (size_t)t->terms, sizeof *order);
        report->order[r + 1] = order;
        if (!order || !kane_omission_rank(t, r, order))
            return 0;
        if (r >= 0)
            report->accuracy[r] = kane_omission_largest(t, KANE_OMISSION_ACCURACY, r, &condition, &where);
    }
    return report->order && report->accuracy;
}

static int judge(kane_omission_report *report)
{
    const kane_omission_setup *setup = &report->setup;
    report->verdicts = kane_arena_alloc(setup->study.arena, (size_t)report->table.terms, sizeof *report->verdicts);
    for (int i = 0; report->verdicts && i < report->table.terms; i++)
        if (!kane_omission_judge(&report->table, &setup->grid, i, setup->asked->threshold, setup->study.arena,
                                 &report->verdicts[i]))
            return 0;
    return report->verdicts != NULL;
}

int kane_omission_report_fill(kane_omission_report *report, const kane_plan *plan)
{
    return take_table(report, plan) && say_conditions(report) && rank(report) && judge(report) &&
           !kane_arena_failed(report->setup.study.arena);
}

// --- reading it ---

int kane_omission_report_terms(const kane_omission_report *report)
{
    return report->table.terms;
}

int kane_omission_report_responses(const kane_omission_report *report)
{
    return report->table.responses;
}

int kane_omission_report_conditions(const kane_omission_report *report)
{
    return report->table.conditions;
}

const char *kane_omission_report_term(const kane_omission_report *report, int term)
{
    return report->table.names[term];
}

const char *kane_omission_report_response(const kane_omission_report *report, int response)
{
    return report->setup.responses[response].pattern;
}

const char *kane_omission_report_condition(const kane_omission_report *report, int condition)
{
    return report->conditions[condition];
}

const kane_omission_effect *kane_omission_report_effect(const kane_omission_report *report, int condition, int term,
                                                        int response)
{
    return kane_omission_at(&report->table, condition, term, response);
}

const kane_omission_case *kane_omission_report_case(const kane_omission_report *report, int condition, int term)
{
    return kane_omission_case_at(&report->table, condition, term);
}

int kane_omission_report_rank(const kane_omission_report *report, int response, int rank)
{
    return report->order[response + 1][rank];
}

void kane_omission_report_largest(const kane_omission_report *report, int term, int *condition, int *response)
{
    (void)kane_omission_largest(&report->table, term, -1, condition, response);
}

const kane_omission_verdict *kane_omission_report_verdict(const kane_omission_report *report, int term)
{
    return &report->verdicts[term];
}

// --- the ranking as text ---

enum { PER_RESPONSE = 5 }; // strongest terms that are named for each response

static void say_effect(double relative, size_t size, char *text)
{
    if (isinf(relative))
        (void)snprintf(text, size, "ends otherwise");
    else if (relative < 0.0)
        (void)snprintf(text, size, "not known");
    else if (relative == 0.0)
        (void)snprintf(text, size, "0");
    else
        (void)snprintf(text, size, "%.3g %%", 100.0 * relative);
}

static int width_of_terms(const kane_omission_report *report)
{
    size_t width = strlen("term");
    for (int i = 1; i < report->table.terms; i++)
        width = strlen(report->table.names[i]) > width ? strlen(report->table.names[i]) : width;
    return (int)width;
}

static void print_head(const kane_omission_report *report, FILE *out)
{
    const kane_grid *grid = &report->setup.grid;
    (void)fprintf(out, "%s: what leaving out imaginary terms does (%d of them, %d %s)\n", report->setup.vehicle,
                  report->table.terms - 1, report->table.conditions,
                  report->table.conditions == 1 ? "condition" : "conditions");
    for (int a = 0; a < grid->axis_count; a++) {
        (void)fprintf(out, "  %s:", grid->axes[a]->path);
        for (int i = 0; i < grid->axes[a]->count; i++)
            (void)fprintf(out, " %s%s", grid->axes[a]->texts[i], i + 1 < grid->axes[a]->count ? "," : "");
        (void)fprintf(out, "%s%s\n", grid->axes[a]->unit[0] ? " " : "", grid->axes[a]->unit);
    }
    (void)fprintf(out,
                  "Effect: %s difference between the runs without and with the term, over the range that the\n"
                  "response of the complete run has under the same condition; a term may be neglected below %g %%.\n"
                  "Accuracy (what ten times tighter tolerances change; smaller effects are not resolved):\n",
                  report->setup.asked->by_rms ? "rms" : "largest", 100.0 * report->setup.asked->threshold);
    for (int r = 0; r < report->table.responses; r++) {
        char text[32];
        const int is_rough = report->accuracy[r] >= report->setup.asked->threshold;
        say_effect(report->accuracy[r], sizeof text, text);
        (void)fprintf(out, "  %-24s %s%s\n", report->setup.responses[r].pattern, text,
                      is_rough ? "  (not below the threshold: tighten integrator.rtol)" : "");
    }
}

static void print_term(const kane_omission_report *report, int term, int place, int width, FILE *out)
{
    char effect[32];
    int condition, where;
    say_effect(kane_omission_largest(&report->table, term, -1, &condition, &where), sizeof effect, effect);
    (void)fprintf(out, "%4d  %-*s  %14s", place, width, report->table.names[term], effect);
    if (condition >= 0) {
        const kane_omission_effect *e = kane_omission_at(&report->table, condition, term, where);
        (void)fprintf(out, report->setup.travels ? "  %s, %.3g %s at %.0f m, %s" : "  %s, %.3g %s at %.4g s, %s",
                      e->channel, e->difference, report->setup.responses[where].unit, e->at,
                      report->conditions[condition]);
    }
    (void)fprintf(out, "\n      %*s  %s\n", width, "", report->verdicts[term].words);
}

// Terms of one sort in order of their rank.
static void print_sort(const kane_omission_report *report, int whole, int most, FILE *out)
{
    const int width = width_of_terms(report);
    int place = 0, left = 0;
    for (int k = 0; k < report->table.terms - 1; k++) {
        const int term = report->order[0][k];
        if (kane_omission_is_whole(report->table.names[term]) != whole)
            continue;
        if (place == 0)
            (void)fprintf(out, "\n%s\n%4s  %-*s  %14s  on which channel, how much, where, under which condition\n",
                          whole ? "Whole terms" : "Terms", "", width, "term", "largest effect");
        if (place < most)
            print_term(report, term, ++place, width, out);
        else
            left++;
    }
    if (left > 0)
        (void)fprintf(out, "      and %d more in %s/ranking.txt\n", left, report->setup.study.directory);
}

static void print_responses(const kane_omission_report *report, FILE *out)
{
    (void)fprintf(out, "\nThe strongest terms by response\n");
    for (int r = 0; r < report->table.responses; r++) {
        (void)fprintf(out, "  %s:", report->setup.responses[r].pattern);
        for (int k = 0, shown = 0; k < report->table.terms - 1 && shown < PER_RESPONSE; k++) {
            const int term = report->order[r + 1][k];
            char effect[32];
            int condition, where;
            if (kane_omission_is_whole(report->table.names[term]) && report->setup.asked->all)
                continue;
            say_effect(kane_omission_largest(&report->table, term, r, &condition, &where), sizeof effect, effect);
            (void)fprintf(out, "%s %s (%s)", shown++ ? "," : "", report->table.names[term], effect);
        }
        (void)fprintf(out, "\n");
    }
}

static void print_counts(const kane_omission_report *report, FILE *out)
{
    int count[KANE_VERDICT_UNKNOWN + 1] = {0}, failed = 0;
    for (int i = 1; i < report->table.terms; i++) {
        count[report->verdicts[i].verdict]++;
        failed += report->verdicts[i].failed;
    }
    (void)fprintf(out, "\nOf %d %s %d may be neglected under all conditions, %d under some, %d under none",
                  report->table.terms - 1, report->table.terms == 2 ? "term" : "terms", count[KANE_VERDICT_ALWAYS],
                  count[KANE_VERDICT_WHEN], count[KANE_VERDICT_NEVER]);
    if (count[KANE_VERDICT_UNKNOWN] > 0)
        (void)fprintf(out, "; %d are not known", count[KANE_VERDICT_UNKNOWN]);
    (void)fprintf(out, ".\n");
    if (failed > 0)
        (void)fprintf(out, "%d cases failed; effects.csv has the reasons.\n", failed);
}

void kane_omission_report_print(const kane_omission_report *report, int most, FILE *out)
{
    const int count = most > 0 ? most : INT_MAX;
    print_head(report, out);
    print_sort(report, 0, count, out);
    print_sort(report, 1, count, out);
    print_responses(report, out);
    print_counts(report, out);
}

// --- tables ---

// A value of an axis; numbers in its unit. The head has that.
static kane_cell axis_cell(const kane_grid *grid, int condition, int a, char room[KANE_CELL_ROOM])
{
    const kane_axis *axis = grid->axes[a];
    int value[KANE_OMISSION_AXES_MOST];
    if (condition < 0) {
        kane_axis_label(axis, 1, KANE_CELL_ROOM, room);
        return kane_cell_text(room);
    }
    kane_grid_values(grid, condition, value);
    return isfinite(axis->numbers[value[a]]) ? kane_cell_number(axis->numbers[value[a]])
                                             : kane_cell_text(axis->texts[value[a]]);
}

static kane_cell head_cell(const kane_omission_report *report, const char *name, char room[KANE_CELL_ROOM])
{
    const char *along = report->setup.travels ? "distance" : "time", *unit = report->setup.travels ? "m" : "s";
    (void)snprintf(room, KANE_CELL_ROOM, name, along, unit);
    return kane_cell_word(room);
}

// A column of effects: its head, what it is, and where its number stands in an effect or in a case.
typedef struct effect_column {
    const char *head;
    enum {
        EFFECT,
        CASE,
        TERM,
        RESPONSE,
        UNIT,
        CHANNEL,
        END,
        END_OMITTING,
        REMARK,
        INDICES,
        END_OR_REASON = INDICES + 3
    } is;
    size_t at;
} effect_column;

static const effect_column csv_columns[] = {
    {"term", TERM, 0},
    {"response", RESPONSE, 0},
    {"unit", UNIT, 0},
    {"relative effect", EFFECT, offsetof(kane_omission_effect, relative)},
    {"largest difference", EFFECT, offsetof(kane_omission_effect, difference)},
    {"at %s [%s]", EFFECT, offsetof(kane_omission_effect, at)},
    {"rms difference", EFFECT, offsetof(kane_omission_effect, rms)},
    {"range of complete", EFFECT, offsetof(kane_omission_effect, range)},
    {"scale", EFFECT, offsetof(kane_omission_effect, scale)},
    {"channel", CHANNEL, 0},
    {"end complete", END, 0},
    {"end omitting", END_OMITTING, 0},
    {"%s complete [%s]", CASE, offsetof(kane_omission_case, distance[0])},
    {"%s omitting [%s]", CASE, offsetof(kane_omission_case, distance[1])},
    {"largest omitted force [N]", CASE, offsetof(kane_omission_case, omitted[KANE_FORCE])},
    {"largest omitted torque [N m]", CASE, offsetof(kane_omission_case, omitted[KANE_TORQUE])},
    {"largest omitted impulse of force [N s]", CASE, offsetof(kane_omission_case, impulse[KANE_FORCE])},
    {"largest omitted impulse of torque [N m s]", CASE, offsetof(kane_omission_case, impulse[KANE_TORQUE])},
    {"remark", REMARK, 0},
};

// Conditions, terms and responses are counted from 0 there.
static const effect_column json_columns[] = {
    {"condition", INDICES, 0},
    {"term", INDICES + 1, 0},
    {"response", INDICES + 2, 0},
    {"relative effect", EFFECT, offsetof(kane_omission_effect, relative)},
    {"largest difference", EFFECT, offsetof(kane_omission_effect, difference)},
    {"at %s [%s]", EFFECT, offsetof(kane_omission_effect, at)},
    {"rms difference", EFFECT, offsetof(kane_omission_effect, rms)},
    {"range of complete", EFFECT, offsetof(kane_omission_effect, range)},
    {"channel", CHANNEL, 0},
    {"end without the term", END_OR_REASON, 0},
};
enum { IN_CSV = sizeof csv_columns / sizeof *csv_columns, IN_JSON = sizeof json_columns / sizeof *json_columns };

// Rows are conditions, of each the terms, of each the responses.
static kane_cell effect_cell(const kane_omission_report *report, int row, const effect_column *column)
{
    const kane_omission_table *t  = &report->table;
    const int index[]             = {row / t->responses / t->terms, row / t->responses % t->terms, row % t->responses};
    const kane_omission_effect *e = kane_omission_at(t, index[0], index[1], index[2]);
    const kane_omission_case *at  = kane_omission_case_at(t, index[0], index[1]);
    double number                 = 0.0;
    switch (column->is) {
    case TERM: return kane_cell_text(index[1] == KANE_OMISSION_ACCURACY ? "accuracy" : t->names[index[1]]);
    case RESPONSE: return kane_cell_text(report->setup.responses[index[2]].pattern);
    case UNIT: return kane_cell_word(report->setup.responses[index[2]].unit);
    case CHANNEL: return kane_cell_text(e->channel);
    case END:
    case END_OMITTING: return kane_cell_word(at->is_known ? kane_stop_name(at->end[column->is - END]) : "");
    case REMARK: return kane_cell_text(at->why);
    case END_OR_REASON: return kane_cell_word(at->is_known ? kane_stop_name(at->end[1]) : at->why);
    case EFFECT:
    case CASE:
        memcpy(&number, (const char *)(column->is == EFFECT ? (const void *)e : (const void *)at) + column->at,
               sizeof number);
        return kane_cell_number(number);
    default: return kane_cell_count(index[column->is - INDICES]);
    }
}

static kane_cell effects_csv(const void *data, int row, int column, char room[KANE_CELL_ROOM])
{
    const kane_omission_report *report = data;
    const kane_grid *grid              = &report->setup.grid;
    const int own                      = column - grid->axis_count;
    if (own < 0)
        return axis_cell(grid, row < 0 ? -1 : row / report->table.responses / report->table.terms, column, room);
    return row < 0 ? head_cell(report, csv_columns[own].head, room) : effect_cell(report, row, &csv_columns[own]);
}

static kane_cell effects_json(const void *data, int row, int column, char room[KANE_CELL_ROOM])
{
    return row < 0 ? head_cell(data, json_columns[column].head, room) : effect_cell(data, row, &json_columns[column]);
}

// A line of ranking.csv: terms by their rank, of all responses first, then of each.
static kane_cell rank_cell(const void *data, int row, int column, char room[KANE_CELL_ROOM])
{
    static const char *const heads[] = {
        "response", "rank",       "term",      "largest relative effect",       "largest difference", "unit",
        "channel",  "at %s [%s]", "condition", "conditions that end otherwise", "may be neglected",   "verdict"};
    const kane_omission_report *report = data;
    const kane_omission_table *t       = &report->table;
    if (row < 0)
        return head_cell(report, heads[column], room);
    const int response = row / (t->terms - 1) - 1, rank = row % (t->terms - 1);
    const int term                 = report->order[response + 1][rank];
    const kane_omission_verdict *v = &report->verdicts[term];
    switch (column) {
    case 0: return kane_cell_text(response < 0 ? "all" : report->setup.responses[response].pattern);
    case 1: return kane_cell_count(rank + 1);
    case 2: return kane_cell_text(t->names[term]);
    case 9: return kane_cell_count(v->otherwise);
    case 10: return kane_cell_word(kane_verdict_name(v->verdict));
    case 11: return kane_cell_text(v->words);
    default: break;
    }
    int condition, where;
    (void)kane_omission_largest(t, term, response, &condition, &where);
    if (condition < 0)
        return kane_cell_word("");
    const kane_omission_effect *e = kane_omission_at(t, condition, term, where);
    switch (column) {
    case 3: return kane_cell_number(e->relative);
    case 4: return kane_cell_number(e->difference);
    case 5: return kane_cell_word(report->setup.responses[where].unit);
    case 6: return kane_cell_text(e->channel);
    case 7: return kane_cell_number(e->at);
    default: return kane_cell_text(report->conditions[condition]);
    }
}

// --- JSON ---

// A condition as the settings that make it: "speed": "10 m/s".
static void write_conditions(const kane_omission_report *report, kane_writer *w)
{
    const kane_grid *grid = &report->setup.grid;
    kane_writer_open(w, "conditions", '[');
    for (int c = 0; c < report->table.conditions; c++) {
        int value[KANE_OMISSION_AXES_MOST];
        kane_grid_values(grid, c, value);
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
    kane_writer_text(w, "kane", kind);
    kane_writer_text(w, "run", report->setup.asked->file);
    kane_writer_text(w, "vehicle", report->setup.vehicle);
    write_conditions(report, w);
    write_responses(report, w);
}

static void write_effects(kane_writer *w, const void *data)
{
    const kane_omission_report *report = data;
    const kane_omission_table *t       = &report->table;
    const kane_table table             = {
                    .rows = t->conditions * t->terms * t->responses, .columns = IN_JSON, .cell = effects_json, .data = report};
    write_head(report, "omission effects 1", w);
    kane_writer_open(w, "terms", '[');
    for (int i = 0; i < t->terms; i++)
        kane_writer_text(w, NULL, t->names[i]);
    kane_writer_close(w);
    kane_table_write_json(&table, w);
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
    const kane_grid *grid = &report->setup.grid;
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

static void write_ranking(kane_writer *w, const void *data)
{
    const kane_omission_report *report = data;
    write_head(report, "omission ranking 1", w);
    kane_writer_number(w, "threshold", report->setup.asked->threshold);
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
}

static void write_text(FILE *out, const void *report)
{
    kane_omission_report_print(report, 0, out);
}

kane_status kane_omission_write(const kane_omission_report *report, kane_errors *errors)
{
    const kane_omission_table *t = &report->table;
    const kane_table effects     = {.rows    = t->conditions * t->terms * t->responses,
                                    .columns = report->setup.grid.axis_count + IN_CSV,
                                    .cell    = effects_csv,
                                    .data    = report};
    const kane_table ranking     = {
            .rows = (t->responses + 1) * (t->terms - 1), .columns = 12, .cell = rank_cell, .data = report};
    const kane_study_output outputs[] = {{.name = "effects.csv", .table = &effects},
                                         {.name = "ranking.csv", .table = &ranking},
                                         {.name = "ranking.txt", .text = write_text},
                                         {.name = "effects.json", .json = write_effects},
                                         {.name = "ranking.json", .json = write_ranking}};
    return kane_study_write(&report->setup.study, 5, outputs, report, errors);
}
