// SPDX-License-Identifier: MIT
// What an omission study has found: from the records of its plan to effects, ranks and verdicts, and all of it written
// down.

#include "base/number.h"
#include "study/omission.h"

#include <kane/integrator.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// --- from the records ---

static void unpack_case(kane_omission_setup *o, const kane_case *known, int condition, int term)
{
    const kane_omission_record *record = (const kane_omission_record *)(const void *)known->values;
    kane_omission_case *run            = kane_omission_report_case(&o->is, condition, term);
    *run                               = (kane_omission_case){.is_known = known->state == KANE_CASE_DONE,
                                                              .why      = kane_arena_text(o->study.arena, known->why),
                                                              .is_zero  = record->is_zero == 1.0};
    for (int i = 0; i < 2; i++) {
        run->end[i]      = isnan(record->end[i]) ? KANE_STOP_NONE : (kane_stop)record->end[i];
        run->distance[i] = record->distance[i];
        run->omitted[i]  = record->omitted[i];
        run->impulse[i]  = record->impulse[i];
    }
    for (int i = 0; i < KANE_OMISSION_GROUPS; i++)
        run->group[i] = record->group[i];
    run->ends_otherwise = run->is_known && run->end[0] != run->end[1];
    run->is_empty       = run->is_known && !run->ends_otherwise && record->is_empty == 1.0;
    for (int r = 0; r < o->is.responses; r++) {
        const kane_omission_difference *d = &record->response[r];
        run->is_empty                     = run->is_empty && d->difference == 0.0;
        const kane_omission_channels *of  = &o->channels[kane_omission_run_of(o, condition) * o->is.responses + r];
        const int has_channel             = d->channel >= 0.0 && d->channel < of->count;

        *kane_omission_report_effect(&o->is, condition, term, r) =
            (kane_omission_effect){.difference = d->difference,
                                   .at         = d->at,
                                   .rms        = d->rms,
                                   .range      = d->range,
                                   .closed     = d->closed,
                                   .channel    = has_channel ? of->names[(int)d->channel] : ""};
    }
}

int kane_omission_report_fill(kane_omission_setup *o, const kane_plan *plan)
{
    kane_omission_report *is        = &o->is;
    kane_arena *arena               = o->study.arena;
    const size_t cases              = (size_t)o->study.case_count;
    const char **conditions         = kane_arena_alloc(arena, (size_t)is->conditions, sizeof *conditions);
    kane_omission_verdict *verdicts = kane_arena_alloc(arena, (size_t)is->terms, sizeof *verdicts);
    const int **ranks               = kane_arena_alloc(arena, (size_t)is->responses + 1, sizeof *ranks);
    is->run                         = kane_arena_alloc(arena, cases, sizeof *is->run);
    is->effect                      = kane_arena_alloc(arena, cases * (size_t)is->responses, sizeof *is->effect);
    int good                        = !kane_arena_failed(arena);
    for (int i = 0; good && i < o->study.case_count; i++)
        unpack_case(o, kane_plan_case(plan, i), i / is->terms, i % is->terms);
    if (good)
        kane_omission_scale(is, o->asked->by_rms);
    for (int c = 0; good && c < is->conditions; c++) {
        char text[512];
        kane_omission_say_condition(&o->grid, c, sizeof text, text);
        conditions[c] = kane_arena_text(arena, text);
    }
    for (int r = 0; good && r <= is->responses; r++) {
        int *order = kane_arena_alloc(arena, (size_t)is->terms, sizeof *order);
        good       = order && kane_omission_rank(is, r - 1, order);
        ranks[r]   = order;
    }
    for (int i = 0; good && i < is->terms; i++)
        good = kane_omission_judge(is, &o->grid, i, o->asked->threshold, arena, &verdicts[i]);
    is->condition = conditions;
    is->verdict   = verdicts;
    is->rank      = ranks;
    return good && (!kane_arena_failed(arena) || kane_study_no_memory(&o->study));
}

// --- the ranking as text ---

enum { PER_RESPONSE = 5 }; // strongest terms that are named for each response

// The largest effect of a term on a response, in words.
static const char *format_effect(const kane_omission_report *is, int term, int response, size_t size, char *text)
{
    int condition, where;
    const double relative = kane_omission_report_largest(is, term, response, &condition, &where);
    if (isinf(relative) || relative < 0.0)
        (void)snprintf(text, size, isinf(relative) ? "ends otherwise" : "not known");
    else
        (void)kane_snprintf(text, size, relative == 0.0 ? "0" : "%.3g %%", 100.0 * relative);
    return text;
}

// What to type for an accuracy of half the threshold: rtol alone changes little where the run file has absolute
// tolerances.
static void print_advice(const kane_omission_setup *o, double accuracy, FILE *out)
{
    const kane_settings *is      = &o->settings;
    const double factor          = pow(10.0, -ceil(log10(2.0 * accuracy / o->asked->threshold)));
    const kane_integrator *takes = is->integrator ? is->integrator : kane_method_integrator(is->method);
    if (takes->fixed_step)
        (void)kane_fprintf(out, "  Shorten the steps, for instance by --set \"integrator.step=%g s\"\n",
                           0.5 * is->step);
    else
        (void)kane_fprintf(
            out,
            "  Tighten all tolerances by one factor; integrator.rtol does so where the others are not typed. One of %g:\n"
            "  --set integrator.rtol=%g --set \"integrator.atol_position=%g m\" --set \"integrator.atol_angle=%g rad\"\n"
            "  --set \"integrator.atol_velocity=%g m/s\" --set \"integrator.atol_angular_velocity=%g rad/s\"\n",
            1.0 / factor, fmax(factor * is->relative, 1e-14), factor * is->position, factor * is->angle,
            factor * is->speed, factor * is->turning);
}

static void print_head(const kane_omission_setup *o, FILE *out)
{
    const kane_omission_report *is = &o->is;
    const double threshold         = o->asked->threshold;
    (void)fprintf(out, "%s: what leaving out imaginary terms does (%d of them, %d %s)\n", o->vehicle, is->terms - 1,
                  is->conditions, is->conditions == 1 ? "condition" : "conditions");
    for (int a = 0; a < o->grid.axis_count; a++) {
        const kane_axis *axis = o->grid.axes[a];
        (void)fprintf(out, "  %s:", axis->path);
        for (int i = 0; i < axis->count; i++)
            (void)fprintf(out, " %s%s", axis->texts[i], i + 1 < axis->count ? "," : "");
        (void)fprintf(out, "%s%s\n", axis->unit[0] ? " " : "", axis->unit);
    }
    (void)kane_fprintf(
        out,
        "Effect: %s difference between the runs without and with the term, over the range that the\n"
        "response of the complete run has under the same condition; a term may be neglected below %g %%.\n"
        "Accuracy (what ten times tighter tolerances change; larger effects of less than twice that are not resolved):\n",
        o->asked->by_rms ? "rms" : "largest", 100.0 * threshold);
    double worst = 0.0;
    for (int r = 0; r < is->responses; r++) {
        char text[32];
        int condition, where;
        const double least = kane_omission_report_largest(is, KANE_OMISSION_ACCURACY, r, &condition, &where);
        worst              = fmax(worst, least);
        (void)fprintf(out, "  %-24s %s%s\n", is->response[r],
                      format_effect(is, KANE_OMISSION_ACCURACY, r, sizeof text, text),
                      least >= threshold ? "  (not below the threshold)" : "");
    }
    if (worst >= threshold)
        print_advice(o, isfinite(worst) ? worst : 10.0 * threshold, out);
}

static void print_term(const kane_omission_setup *o, int term, int place, int width, FILE *out)
{
    const kane_omission_report *is = &o->is;
    char effect[32];
    int condition, where;
    (void)fprintf(out, "%4d  %-*s  %14s", place, width, is->term[term],
                  format_effect(is, term, -1, sizeof effect, effect));
    (void)kane_omission_report_largest(is, term, -1, &condition, &where);
    if (condition >= 0) {
        const kane_omission_effect *e = kane_omission_report_effect(is, condition, term, where);
        (void)kane_fprintf(out, o->travels ? "  %s, %.3g %s at %.0f m, %s" : "  %s, %.3g %s at %.4g s, %s", e->channel,
                           e->difference, is->unit[where], e->at, is->condition[condition]);
        if (isfinite(e->closed))
            (void)kane_fprintf(out, "; closed form %.3g %s", e->closed, is->unit[where]);
    }
    (void)fprintf(out, "\n      %*s  %s\n", width, "", is->verdict[term].words);
}

// Terms of one sort in order of their rank.
static void print_sort(const kane_omission_setup *o, int whole, int most, FILE *out)
{
    const kane_omission_report *is = &o->is;
    size_t width                   = strlen("term");
    int place = 0, left = 0;
    for (int i = 1; i < is->terms; i++)
        width = strlen(is->term[i]) > width ? strlen(is->term[i]) : width;
    for (int k = 0; k < is->terms - 1; k++) {
        const int term = is->rank[0][k];
        if (kane_omission_is_whole(is->term[term]) != whole)
            continue;
        if (place == 0)
            (void)fprintf(out, "\n%s\n%4s  %-*s  %14s  on which channel, how much, where, under which condition\n",
                          whole ? "Whole terms" : "Terms", "", (int)width, "term", "largest effect");
        if (place < most)
            print_term(o, term, ++place, (int)width, out);
        else
            left++;
    }
    if (left > 0)
        (void)fprintf(out, "      and %d more in %s/ranking.txt\n", left, o->study.directory);
}

static void print_responses(const kane_omission_setup *o, FILE *out)
{
    const kane_omission_report *is = &o->is;
    (void)fprintf(out, "\nThe strongest terms by response\n");
    for (int r = 0; r < is->responses; r++) {
        (void)fprintf(out, "  %s:", is->response[r]);
        for (int k = 0, shown = 0; k < is->terms - 1 && shown < PER_RESPONSE; k++) {
            const int term = is->rank[r + 1][k];
            char effect[32];
            if (!o->asked->all || !kane_omission_is_whole(is->term[term]))
                (void)fprintf(out, "%s %s (%s)", shown++ ? "," : "", is->term[term],
                              format_effect(is, term, r, sizeof effect, effect));
        }
        (void)fprintf(out, "\n");
    }
}

static void print_counts(const kane_omission_report *is, FILE *out)
{
    int count[KANE_VERDICTS] = {0}, failed = 0;
    for (int i = 1; i < is->terms; i++) {
        count[is->verdict[i].verdict]++;
        failed += is->verdict[i].failed;
    }
    (void)fprintf(out, "\nOf %d %s %d may be neglected under all conditions, %d under some, %d under none",
                  is->terms - 1, is->terms == 2 ? "term" : "terms", count[KANE_VERDICT_ALWAYS],
                  count[KANE_VERDICT_WHEN], count[KANE_VERDICT_NEVER]);
    if (count[KANE_VERDICT_UNRESOLVED] > 0)
        (void)fprintf(out, "; %d are not resolved", count[KANE_VERDICT_UNRESOLVED]);
    if (count[KANE_VERDICT_ZERO] > 0)
        (void)fprintf(out, "; %d are zero throughout, no statement", count[KANE_VERDICT_ZERO]);
    if (count[KANE_VERDICT_UNKNOWN] > 0)
        (void)fprintf(out, "; %d are not known", count[KANE_VERDICT_UNKNOWN]);
    (void)fprintf(out, ".\n");
    if (failed > 0)
        (void)fprintf(out, "%d cases failed; effects.csv has the reasons.\n", failed);
}

void kane_omission_report_print(const kane_omission_report *report, int most, FILE *out)
{
    const kane_omission_setup *o = report->own;
    const int count              = most > 0 ? most : INT_MAX;
    print_head(o, out);
    print_sort(o, 0, count, out);
    print_sort(o, 1, count, out);
    print_responses(o, out);
    kane_omission_print_rules(o, out);
    print_counts(report, out);
}

// --- tables ---

// "distance complete [m]", of a mechanism "time complete [s]"; "at distance [m]"
static void add_progress_column(const kane_omission_setup *o, kane_table *t, const char *before, const char *behind)
{
    const char *name = kane_table_text(t, "%s%s%s", before, o->travels ? "distance" : "time", behind);
    kane_table_add_names(t, 1, &name, (const char *const[]){o->travels ? "m" : "s"});
    t->is_joined = 1;
}

// What an effect says at the threshold.
static const char *judge_effect(const kane_omission_setup *o, int condition, int term, int response)
{
    static const char *const words[] = {"negligible", "not resolved", "counts"};
    const kane_omission_case *run    = kane_omission_report_case(&o->is, condition, term);
    if (!run->is_known || term == KANE_OMISSION_ACCURACY)
        return "";
    return run->ends_otherwise
               ? "ends otherwise"
               : words[kane_omission_judge_effect(&o->is, condition, term, response, o->asked->threshold)];
}

// Everything, a row for every condition, term and response.
static kane_table tabulate_effects(const kane_omission_setup *o)
{
    static const char *const before[] = {"term",       "response", "unit", "relative effect", "largest difference",
                                         "closed form"};
    static const char *const middle[] = {"rms difference", "range of complete", "scale",
                                         "channel",        "end complete",      "end omitting"};
    static const char *const behind[] = {"largest omitted force",
                                         "largest omitted torque",
                                         "largest omitted impulse of force",
                                         "largest omitted impulse of torque",
                                         "load group",
                                         "share group",
                                         "spring group",
                                         "verdict",
                                         "remark"};
    static const char *const units[]  = {"N", "N m", "N s", "N m s", "1", "1", "1", "", ""};
    const kane_omission_report *is    = &o->is;
    kane_table t = kane_table_begin(o->study.arena, o->grid.axis_count + 24, o->study.case_count * is->responses);
    for (int a = 0; a < o->grid.axis_count; a++) {
        const kane_axis *axis = o->grid.axes[a];
        kane_table_add_columns(&t, 1, &(kane_table_column){.name = axis->path, .unit = axis->unit, .is_quoted = 1});
    }
    kane_table_add_names(&t, 6, before, NULL);
    add_progress_column(o, &t, "at ", "");
    kane_table_add_names(&t, 6, middle, NULL);
    add_progress_column(o, &t, "", " complete");
    add_progress_column(o, &t, "", " omitting");
    kane_table_add_names(&t, 9, behind, units);
    for (int row = 0; row < o->study.case_count * is->responses; row++) {
        const int i = row / is->responses, r = row % is->responses, term = i % is->terms;
        const kane_omission_effect *e = &is->effect[row];
        const kane_omission_case *run = &is->run[i];
        int value[KANE_OMISSION_AXES_MOST];
        kane_grid_values(&o->grid, i / is->terms, value);
        for (int a = 0; a < o->grid.axis_count; a++)
            kane_table_put(&t, kane_axis_cell(o->grid.axes[a], value[a]));
        kane_table_add(&t, 24,
                       (const kane_cell[]){kane_cell_text(term == KANE_OMISSION_ACCURACY ? "accuracy" : is->term[term]),
                                           kane_cell_text(is->response[r]),
                                           kane_cell_word(is->unit[r]),
                                           kane_cell_number(e->relative),
                                           kane_cell_number(e->difference),
                                           kane_cell_number(e->closed),
                                           kane_cell_number(e->at),
                                           kane_cell_number(e->rms),
                                           kane_cell_number(e->range),
                                           kane_cell_number(e->scale),
                                           kane_cell_text(e->channel),
                                           kane_cell_word(run->is_known ? kane_stop_name(run->end[0]) : ""),
                                           kane_cell_word(run->is_known ? kane_stop_name(run->end[1]) : ""),
                                           kane_cell_number(run->distance[0]),
                                           kane_cell_number(run->distance[1]),
                                           kane_cell_number(run->omitted[KANE_FORCE]),
                                           kane_cell_number(run->omitted[KANE_TORQUE]),
                                           kane_cell_number(run->impulse[KANE_FORCE]),
                                           kane_cell_number(run->impulse[KANE_TORQUE]),
                                           kane_cell_number(run->group[KANE_GROUP_LOAD]),
                                           kane_cell_number(run->group[KANE_GROUP_SHARE]),
                                           kane_cell_number(run->group[KANE_GROUP_SPRING]),
                                           kane_cell_word(judge_effect(o, i / is->terms, term, r)),
                                           kane_cell_text(run->why)});
    }
    return t;
}

// Terms by their rank, of all responses first, then of each.
static kane_table tabulate_ranks(const kane_omission_setup *o)
{
    static const char *const before[] = {"response",           "rank",        "term", "largest relative effect",
                                         "largest difference", "closed form", "unit", "channel"};
    static const char *const behind[] = {"condition", "conditions that end otherwise", "may be neglected", "verdict"};
    static const kane_omission_effect nothing = {NAN, NAN, NAN, NAN, NAN, NAN, "", NAN};
    const kane_omission_report *is            = &o->is;
    const int rows                            = (is->responses + 1) * (is->terms - 1);
    kane_table t                              = kane_table_begin(o->study.arena, 13, rows);
    kane_table_add_names(&t, 8, before, NULL);
    add_progress_column(o, &t, "at ", "");
    kane_table_add_names(&t, 4, behind, NULL);
    for (int row = 0; row < rows; row++) {
        const int r = row / (is->terms - 1) - 1, rank = row % (is->terms - 1), term = is->rank[r + 1][rank];
        const kane_omission_verdict *v = &is->verdict[term];
        int condition, where;
        (void)kane_omission_report_largest(is, term, r, &condition, &where);
        const int is_known            = condition >= 0;
        const kane_omission_effect *e = is_known ? kane_omission_report_effect(is, condition, term, where) : &nothing;
        kane_table_add(
            &t, 13,
            (const kane_cell[]){
                kane_cell_text(r < 0 ? "all" : is->response[r]), kane_cell_count(rank + 1),
                kane_cell_text(is->term[term]), kane_cell_number(e->relative), kane_cell_number(e->difference),
                kane_cell_number(e->closed), kane_cell_word(is_known ? is->unit[where] : ""),
                is_known ? kane_cell_text(e->channel) : kane_cell_word(""), kane_cell_number(e->at),
                is_known ? kane_cell_text(is->condition[condition]) : kane_cell_word(""), kane_cell_count(v->otherwise),
                kane_cell_word(kane_verdict_name(v->verdict)), kane_cell_text(v->words)});
    }
    return t;
}

// --- files ---

typedef struct tables {
    const kane_omission_setup *setup;
    kane_table effects, ranks, rules;
} tables;

// What both documents begin with; a condition as the settings that make it: "speed": "10 m/s".
static void write_head(const kane_omission_setup *o, kane_writer *w)
{
    kane_writer_text(w, "run", o->study.file);
    kane_writer_text(w, "vehicle", o->vehicle);
    kane_writer_open(w, "conditions", '[');
    for (int c = 0; c < o->is.conditions; c++) {
        int value[KANE_OMISSION_AXES_MOST];
        kane_grid_values(&o->grid, c, value);
        kane_writer_open(w, NULL, '{');
        for (int a = 0; a < o->grid.axis_count; a++)
            kane_writer_text(w, o->grid.axes[a]->path, o->grid.axes[a]->texts[value[a]]);
        kane_writer_close(w);
    }
    kane_writer_close(w);
    kane_writer_open(w, "responses", '[');
    for (int r = 0; r < o->is.responses; r++) {
        int condition, where;
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "response", o->is.response[r]);
        kane_writer_text(w, "unit", o->is.unit[r]);
        kane_writer_number(w, "accuracy",
                           kane_omission_report_largest(&o->is, KANE_OMISSION_ACCURACY, r, &condition, &where));
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static void write_effects(kane_writer *w, const void *data)
{
    const tables *t = data;
    write_head(t->setup, w);
    kane_table_write_json(&t->effects, w);
}

// The table, and of every term by its rank under what it may be neglected.
static void write_ranking(kane_writer *w, const void *data)
{
    const tables *t              = data;
    const kane_omission_setup *o = t->setup;
    write_head(o, w);
    kane_writer_number(w, "threshold", o->asked->threshold);
    kane_table_write_json(&t->ranks, w);
    kane_writer_open(w, "terms", '[');
    for (int k = 0; k < o->is.terms - 1; k++) {
        const int term                 = o->is.rank[0][k];
        const kane_omission_verdict *v = &o->is.verdict[term];
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "term", o->is.term[term]);
        kane_writer_count(w, "negligible_conditions", v->negligible);
        kane_writer_count(w, "ends_otherwise", v->otherwise);
        kane_writer_count(w, "unresolved", v->unresolved);
        kane_writer_count(w, "zero", v->zero);
        kane_writer_count(w, "failed", v->failed);
        kane_writer_number(w, "impulse_of_force", v->impulse[KANE_FORCE]);
        kane_writer_number(w, "impulse_of_torque", v->impulse[KANE_TORQUE]);
        kane_writer_open(w, "negligible_values", '{'); // whatever those of the other axes are
        for (int a = 0; a < o->grid.axis_count; a++) {
            kane_writer_open(w, o->grid.axes[a]->path, '[');
            for (int i = 0; i < o->grid.axes[a]->count; i++)
                if (v->values[a] >> i & 1)
                    kane_writer_text(w, NULL, o->grid.axes[a]->texts[i]);
            kane_writer_close(w);
        }
        kane_writer_close(w);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static void write_text(FILE *out, const void *data)
{
    kane_omission_report_print(&((const tables *)data)->setup->is, 0, out);
}

int kane_omission_write(const kane_omission_setup *o)
{
    const int has_rules               = kane_omission_has_rules(o);
    const tables t                    = {o, tabulate_effects(o), tabulate_ranks(o),
                      has_rules ? kane_omission_tabulate_rules(o) : (kane_table){0}};
    const kane_study_output outputs[] = {{.name = "effects.csv", .table = &t.effects},
                                         {.name = "ranking.csv", .table = &t.ranks},
                                         {.name = "ranking.txt", .text = write_text},
                                         {.name = "effects.json", .json = write_effects, .kind = "omission effects 4"},
                                         {.name = "ranking.json", .json = write_ranking, .kind = "omission ranking 3"},
                                         {.name = "rules.csv", .table = &t.rules}};
    return kane_study_write(&o->study, has_rules ? 6 : 5, outputs, &t);
}
