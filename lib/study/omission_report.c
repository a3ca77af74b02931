// SPDX-License-Identifier: MIT
// What an omission study has found: from the records of its plan to effects, ranks and verdicts.

#include "study/omission_report.h"

#include "base/arena.h"

#include <math.h>
#include <string.h>

enum { CONDITION_SIZE = 512 };

int kane_omission_is_whole(const char *term)
{
    const char *colon = strrchr(term, ':');
    return strpbrk(term, "*?[") != NULL || !colon;
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
    at->why                          = kane_arena_text(setup->arena, record->why);
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
    const int conditions             = kane_omission_grid_size(&setup->grid);
    const size_t cases               = (size_t)conditions * (size_t)setup->terms.count;
    const char **units               = kane_arena_alloc(setup->arena, (size_t)setup->response_count, sizeof *units);
    *t = (kane_omission_table){conditions, setup->terms.count, setup->response_count, setup->terms.texts, NULL, NULL};
    t->at     = kane_arena_alloc(setup->arena, cases, sizeof *t->at);
    t->effect = kane_arena_alloc(setup->arena, cases * (size_t)setup->response_count, sizeof *t->effect);
    if (!units || !t->at || !t->effect)
        return 0;
    for (int c = 0; c < conditions; c++)
        for (int i = 0; i < t->terms; i++)
            take_case(report, kane_plan_case(plan, c * t->terms + i), c, i);
    for (int r = 0; r < t->responses; r++)
        units[r] = setup->responses[r].unit;
    kane_omission_scale(t, units, setup->study->by_rms);
    return 1;
}

// --- what follows from it ---

static int say_conditions(kane_omission_report *report)
{
    const char **texts = kane_arena_alloc(report->setup.arena, (size_t)report->table.conditions, sizeof *texts);
    for (int c = 0; texts && c < report->table.conditions; c++) {
        char text[CONDITION_SIZE];
        kane_omission_say_condition(&report->setup.grid, c, sizeof text, text);
        texts[c] = kane_arena_text(report->setup.arena, text);
    }
    report->conditions = texts;
    return texts != NULL;
}

static int rank(kane_omission_report *report)
{
    const kane_omission_table *t = &report->table;
    report->order    = kane_arena_alloc(report->setup.arena, (size_t)t->responses + 1, sizeof *report->order);
    report->accuracy = kane_arena_doubles(report->setup.arena, (size_t)t->responses);
    for (int r = -1; report->order && report->accuracy && r < t->responses; r++) {
        int condition, where;
        int *order           = kane_arena_alloc(report->setup.arena, (size_t)t->terms, sizeof *order);
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
    report->verdicts = kane_arena_alloc(setup->arena, (size_t)report->table.terms, sizeof *report->verdicts);
    for (int i = 0; report->verdicts && i < report->table.terms; i++)
        if (!kane_omission_judge(&report->table, &setup->grid, i, setup->study->threshold, setup->arena,
                                 &report->verdicts[i]))
            return 0;
    return report->verdicts != NULL;
}

int kane_omission_report_fill(kane_omission_report *report, const kane_plan *plan)
{
    return take_table(report, plan) && say_conditions(report) && rank(report) && judge(report) &&
           !kane_arena_failed(report->setup.arena);
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
