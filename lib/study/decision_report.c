// SPDX-License-Identifier: MIT
// What an omission study of conclusions has found: losses, accuracies and verdicts; tables, text and picture.

#include "study/decision.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 1024, VALUES_RESOLVED = 2, VALUES_OF_INTERACTION = 4, ROW_HEIGHT = 22 };

static const double SHOWN_IMPULSE = 1.0; // [N s], [N m s]

const char *kane_decides_name(kane_decides verdict)
{
    static const char *const names[] = {"decides", "does not change the conclusion", "not resolved", "zero throughout",
                                        "not known"};
    return names[verdict];
}

// --- records ---

typedef struct records {
    kane_omission_setup *of;
    const kane_plan *plan;
    size_t size;
} records;

static const kane_case *case_of(const records *r, int condition, int term)
{
    const int variant = term == KANE_OMISSION_COMPLETE ? r->of->is.terms : term;
    return kane_plan_case(r->plan, condition * (r->of->is.terms + 1) + variant);
}

static const kane_decision_record *record_of(const records *r, int condition, int term, int conclusion)
{
    return (const kane_decision_record *)(const void *)(case_of(r, condition, term)->values +
                                                        (size_t)conclusion * r->size);
}

// Words of a conclusion in a case, "" if there are none; of a failed case its reason.
static const char *words_of(const records *r, int condition, int term, int conclusion)
{
    const kane_case *c = case_of(r, condition, term);
    const char *line   = c->why;
    if (c->state == KANE_CASE_FAILED)
        return kane_arena_text(r->of->study.arena, line);
    for (int i = 0; i < conclusion && line[0]; i++)
        line += strcspn(line, "\n") + (line[strcspn(line, "\n")] != '\0');
    return kane_arena_text_part(r->of->study.arena, line, strcspn(line, "\n"));
}

static const char *format_number(const kane_decision *d, double value, size_t size, char *text)
{
    (void)kane_snprintf(text, size, isfinite(value) ? "%.4g%s%s" : "-", value,
                        d->unit[0] && strcmp(d->unit, "1") ? " " : "", strcmp(d->unit, "1") ? d->unit : "");
    return text;
}

// --- verdicts ---

// Effect below which a result counts as the same: a part of the result, or of what counts as nothing in its unit.
static double threshold_of(const records *r, const kane_decision *d)
{
    return r->of->asked->threshold * fmax(fabs(d->complete), kane_omission_nothing(d->unit));
}

// NaN: one of them is not known, which fmax would pass over.
static double largest_known(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : fmax(a, b);
}

// Infinite speeds are the same: none up to the fastest one that was looked at.
static double difference_of(double a, double b)
{
    return a == b ? 0.0 : fabs(a - b);
}

// NaN where a part of it is not known: then no effect is resolved.
static double accuracy_of(const records *r, int condition, int term, int conclusion)
{
    const kane_decision_record *complete = record_of(r, condition, KANE_OMISSION_COMPLETE, conclusion);
    const kane_decision_record *fine     = record_of(r, condition, KANE_OMISSION_ACCURACY, conclusion);
    const kane_decision_record *own      = record_of(r, condition, term, conclusion);
    return largest_known(difference_of(fine->judged, complete->judged),
                         largest_known(complete->accuracy, own->accuracy));
}

// Verdict on an effect: beyond the threshold, and beyond twice the accuracy.
static kane_decides judge_size(const records *r, const kane_decision *d)
{
    const double threshold = threshold_of(r, d), resolved = VALUES_RESOLVED * d->accuracy;
    if (!isfinite(d->accuracy))
        return KANE_DECIDES_UNRESOLVED;
    if (isinf(d->loss))
        return KANE_DECIDES;
    if (d->loss > threshold)
        return d->loss > resolved ? KANE_DECIDES : KANE_DECIDES_UNRESOLVED;
    return resolved > threshold && d->loss + resolved > threshold ? KANE_DECIDES_UNRESOLVED : KANE_DECIDES_NOT;
}

// Where only one of both models has a critical speed the loss is at least its distance from the fastest speed at which
// the other one was looked at; NaN: both have one, or none.
static double bound_of(const kane_decision_record *complete, const kane_decision_record *own)
{
    if (isinf(complete->judged) && isfinite(own->judged))
        return fmax(complete->fastest - own->judged, 0.0);
    if (isfinite(complete->judged) && isinf(own->judged))
        return fmax(own->fastest - complete->judged, 0.0);
    return (double)NAN;
}

// fastest: speed up to which the complete model has no critical one, if it has none.
static kane_decides judge_bound(const records *r, const kane_decision *d, double fastest)
{
    const double complete = isinf(d->complete) ? fastest : d->complete;
    const int is_beyond   = d->bound > r->of->asked->threshold * complete && d->bound > VALUES_RESOLVED * d->accuracy;
    return is_beyond && isfinite(d->accuracy) ? KANE_DECIDES : KANE_DECIDES_UNRESOLVED;
}

// Is a limit kept with the term and exceeded without it, or the other way round?
static kane_decides judge_limit(const kane_decision *d)
{
    const double resolved = VALUES_RESOLVED * d->accuracy;
    if (fabs(d->complete - 1.0) <= resolved || fabs(d->omitted - 1.0) <= resolved || !isfinite(d->accuracy))
        return KANE_DECIDES_UNRESOLVED;
    return (d->complete > 1.0) != (d->omitted > 1.0) ? KANE_DECIDES : KANE_DECIDES_NOT;
}

static double interaction_of(const records *r, const kane_decision *d, int condition, int term, int conclusion)
{
    const int *pair = r->of->pairs ? r->of->pairs + 2 * term : NULL;
    if (!pair || pair[0] < 0)
        return (double)NAN;
    const double sum = record_of(r, condition, term, conclusion)->judged -
                       record_of(r, condition, pair[0], conclusion)->judged -
                       record_of(r, condition, pair[1], conclusion)->judged +
                       record_of(r, condition, KANE_OMISSION_COMPLETE, conclusion)->judged;
    return isfinite(sum) && fabs(sum) > VALUES_OF_INTERACTION * d->accuracy ? sum : (double)NAN;
}

// What is concluded with the term and without it.
static const char *say_conclusion(const records *r, const kane_decision *d, int condition, int term, int conclusion)
{
    const kane_conclusion *is = &r->of->conclusions[conclusion];
    const char *complete      = words_of(r, condition, KANE_OMISSION_COMPLETE, conclusion);
    const char *omitted       = words_of(r, condition, term, conclusion);
    char text[WORDS], value[64], judged[64];
    if (d->verdict == KANE_DECIDES_UNKNOWN)
        return isnan(d->complete) ? complete : omitted;
    kane_text t = kane_text_start(sizeof text, text);
    if (isnan(d->omitted))
        kane_text_add(&t, "without it: %s", omitted);
    else if (kane_conclusion_is_optimum(is))
        kane_text_add(&t, "its optimum has %s by its own model and %s by the complete one",
                      format_number(d, record_of(r, condition, term, conclusion)->value, sizeof value, value),
                      format_number(d, d->omitted, sizeof judged, judged));
    else if (kane_conclusion_is_limit(is))
        kane_text_add(&t, "%s (%s), without it %s (%s)", d->complete > 1.0 ? "exceeded" : "kept", complete,
                      d->omitted > 1.0 ? "exceeded" : "kept", omitted);
    else if (strcmp(complete, omitted) != 0)
        kane_text_add(&t, "%s; without it %s", complete, omitted);
    else
        kane_text_add(&t, "%s", complete);
    if (isfinite(d->bound))
        kane_text_add(&t, "; loss at least %s", format_number(d, d->bound, sizeof value, value));
    return kane_arena_text(r->of->study.arena, text);
}

static kane_decision decide_under(const records *r, int condition, int term, int conclusion)
{
    const kane_decision_record *complete = record_of(r, condition, KANE_OMISSION_COMPLETE, conclusion);
    const kane_decision_record *own      = record_of(r, condition, term, conclusion);
    const kane_conclusion *is            = &r->of->conclusions[conclusion];
    char text[512];
    kane_omission_say_condition(&r->of->grid, condition, sizeof text, text);
    kane_decision d = {.conclusion  = is->text,
                       .condition   = kane_arena_text(r->of->study.arena, text),
                       .term        = r->of->is.term[term],
                       .unit        = is->unit,
                       .complete    = complete->judged,
                       .omitted     = own->judged,
                       .accuracy    = accuracy_of(r, condition, term, conclusion),
                       .closed      = own->closed,
                       .interaction = (double)NAN};
    d.loss          = kane_conclusion_is_optimum(is) ? d.omitted - d.complete : difference_of(d.omitted, d.complete);
    d.bound         = is->kind->is_speed ? bound_of(complete, own) : (double)NAN;
    if (isfinite(d.bound))
        d.loss = (double)NAN;
    d.interaction = interaction_of(r, &d, condition, term, conclusion);
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        d.impulse[kind] = fmax(0.0, own->impulse[kind]);
    if (isnan(d.complete) || case_of(r, condition, term)->state == KANE_CASE_FAILED)
        d.verdict = KANE_DECIDES_UNKNOWN;
    else if (isnan(d.omitted)) // without the term there is no such result
        d.verdict = KANE_DECIDES;
    else if (own->is_zero == 1.0 && d.loss == 0.0)
        d.verdict = KANE_DECIDES_ZERO;
    else if (isfinite(d.bound))
        d.verdict = judge_bound(r, &d, complete->fastest);
    else
        d.verdict = kane_conclusion_is_limit(is) ? judge_limit(&d) : judge_size(r, &d);
    d.words = say_conclusion(r, &d, condition, term, conclusion);
    return d;
}

// --- orders ---

typedef struct placed {
    double value;
    int condition;
} placed;

static int compare_placed(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    const int order = (x->value > y->value) - (x->value < y->value);
    return order ? order : x->condition - y->condition;
}

// Conditions by their values, those without one last.
static void place_conditions(const records *r, int term, int conclusion, placed *order)
{
    for (int k = 0; k < r->of->is.conditions; k++) {
        const double value = record_of(r, k, term, conclusion)->judged;
        order[k]           = (placed){isnan(value) ? (double)INFINITY : value, k};
    }
    qsort(order, (size_t)r->of->is.conditions, sizeof *order, compare_placed);
}

static void add_order(const records *r, kane_text *t, const placed *order)
{
    char text[512];
    for (int k = 0; k < r->of->is.conditions; k++) {
        kane_omission_say_condition(&r->of->grid, order[k].condition, sizeof text, text);
        kane_text_add(t, "%s%s", k > 0 ? " < " : "", text);
    }
}

// Of two conditions that the order of the omitting model exchanges, the largest distance that they have by the complete
// one; 0: it exchanges none.
static double largest_exchange(const records *r, const placed *omitted, int conclusion)
{
    double most = 0.0;
    for (int k = 0; k < r->of->is.conditions; k++)
        for (int i = k + 1; i < r->of->is.conditions; i++) {
            const double before = record_of(r, omitted[k].condition, KANE_OMISSION_COMPLETE, conclusion)->judged;
            const double behind = record_of(r, omitted[i].condition, KANE_OMISSION_COMPLETE, conclusion)->judged;
            most                = fmax(most, before - behind);
        }
    return most;
}

// An order of all conditions. A change counts where the complete model has two of them that are exchanged further apart
// than twice the accuracy.
static kane_decision decide_order(const records *r, int term, int conclusion)
{
    const int count           = r->of->is.conditions;
    const kane_conclusion *is = &r->of->conclusions[conclusion];
    placed *complete          = kane_arena_alloc(r->of->study.arena, (size_t)count, sizeof *complete);
    placed *omitted           = kane_arena_alloc(r->of->study.arena, (size_t)count, sizeof *omitted);
    kane_decision d           = {.conclusion  = is->text,
                                 .condition   = "all",
                                 .term        = r->of->is.term[term],
                                 .unit        = is->unit,
                                 .closed      = (double)NAN,
                                 .interaction = (double)NAN,
                                 .bound       = (double)NAN,
                                 .words       = ""};
    char text[WORDS];
    kane_text t = kane_text_start(sizeof text, text);
    int is_zero = 1;
    if (!complete || !omitted)
        return d;
    place_conditions(r, KANE_OMISSION_COMPLETE, conclusion, complete);
    place_conditions(r, term, conclusion, omitted);
    for (int k = 0; k < count; k++) {
        const kane_decision_record *own = record_of(r, k, term, conclusion);
        d.accuracy = largest_known(d.accuracy, accuracy_of(r, k, KANE_OMISSION_COMPLETE, conclusion));
        is_zero &= own->is_zero == 1.0;
        for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
            d.impulse[kind] = fmax(d.impulse[kind], own->impulse[kind]);
    }
    const double most = largest_exchange(r, omitted, conclusion);
    d.complete        = complete[0].value;
    d.omitted         = record_of(r, omitted[0].condition, KANE_OMISSION_COMPLETE, conclusion)->judged;
    d.loss            = d.omitted - d.complete;
    d.verdict         = !isfinite(d.complete)                 ? KANE_DECIDES_UNKNOWN
                        : is_zero                             ? KANE_DECIDES_ZERO
                        : most == 0.0                         ? KANE_DECIDES_NOT
                        : most > VALUES_RESOLVED * d.accuracy ? KANE_DECIDES
                                                              : KANE_DECIDES_UNRESOLVED;
    add_order(r, &t, complete);
    if (most > 0.0) {
        kane_text_add(&t, "; without it ");
        add_order(r, &t, omitted);
    }
    d.words = kane_arena_text(r->of->study.arena, text);
    return d;
}

// --- all of them ---

static int compare_losses(const void *a, const void *b)
{
    const kane_decision *x = a, *y = b;
    const double p = isnan(x->loss) ? (double)INFINITY : x->loss, q = isnan(y->loss) ? (double)INFINITY : y->loss;
    const int order = (p < q) - (p > q), name = strcmp(x->term, y->term);
    return order ? order : name ? name : strcmp(x->condition, y->condition);
}

static int fill_report(kane_omission_setup *o, const kane_plan *plan)
{
    const records r  = {o, plan, kane_decision_size(o)};
    const size_t all = (size_t)o->asked->conclusion_count * (size_t)o->is.conditions * (size_t)o->is.terms;
    kane_decision *d = kane_arena_alloc(o->study.arena, all + 1, sizeof *d);
    int count        = 0;
    for (int i = 0; d && i < o->asked->conclusion_count; i++) {
        const int first = count, of_all = kane_conclusion_is_of_all(&o->conclusions[i]);
        for (int k = 0; k < (of_all ? 1 : o->is.conditions); k++)
            for (int term = KANE_OMISSION_ACCURACY + 1; term < o->is.terms; term++)
                d[count++] = of_all ? decide_order(&r, term, i) : decide_under(&r, k, term, i);
        qsort(d + first, (size_t)(count - first), sizeof *d, compare_losses);
        if (kane_conclusion_is_optimum(&o->conclusions[i]))
            o->conclusions[i].record = record_of(&r, 0, KANE_OMISSION_COMPLETE, i);
    }
    o->decided.count     = count;
    o->decided.decisions = d;
    return !kane_arena_failed(o->study.arena) || kane_study_no_memory(&o->study);
}

// --- text ---

// Impulses of rounding are left to the tables.
static void print_impulse(const kane_decision *d, FILE *out)
{
    if (d->impulse[KANE_FORCE] > SHOWN_IMPULSE || d->impulse[KANE_TORQUE] > SHOWN_IMPULSE)
        (void)kane_fprintf(out, "; at kinks of the line it has impulses up to %.3g %s",
                           d->impulse[KANE_FORCE] > SHOWN_IMPULSE ? d->impulse[KANE_FORCE] : d->impulse[KANE_TORQUE],
                           d->impulse[KANE_FORCE] > SHOWN_IMPULSE ? "N s" : "N m s");
}

static void print_decision(const kane_omission_setup *o, const kane_decision *d, int width, FILE *out)
{
    char complete[64], omitted[64], loss[64], accuracy[64];
    (void)fprintf(out, "  %-*s  %16s  %16s  %16s", width, d->term,
                  format_number(d, d->complete, sizeof complete, complete),
                  format_number(d, d->omitted, sizeof omitted, omitted), format_number(d, d->loss, sizeof loss, loss));
    if (d->complete != 0.0 && isfinite(d->loss))
        (void)kane_fprintf(out, " %8.3g %%", 100.0 * d->loss / fabs(d->complete));
    else
        (void)fprintf(out, " %10s", "");
    (void)fprintf(out, "  %16s  %s", format_number(d, d->accuracy, sizeof accuracy, accuracy),
                  kane_decides_name(d->verdict));
    if (isfinite(d->closed))
        (void)kane_fprintf(out, "; closed form %.4g", d->closed);
    if (isfinite(d->interaction))
        (void)kane_fprintf(out, "; interaction %.3g", d->interaction);
    print_impulse(d, out);
    if (o->is.conditions > 1)
        (void)fprintf(out, "; %s", d->condition);
    (void)fprintf(out, "\n");
    if (d->words[0])
        (void)fprintf(out, "  %*s  %s\n", width, "", d->words);
}

// Standard shapes by the complete model, the best one first of all.
static void print_standards(const kane_conclusion *is, FILE *out)
{
    (void)fprintf(out, "  standard shapes by the complete model:");
    for (int i = 0; is->record && shape_names[i]; i++)
        (void)kane_fprintf(out, "%s %s %.4g", i > 0 ? "," : "", shape_names[i],
                           is->record->more[KANE_FAMILY_UNKNOWNS_MOST + i]);
    (void)fprintf(out, " %s\n", is->unit);
}

static void write_text(FILE *out, const void *data)
{
    const kane_omission_setup *o  = data;
    int count[KANE_DECIDES_COUNT] = {0};
    size_t width                  = strlen("left out");
    for (int i = 1; i < o->is.terms; i++)
        width = strlen(o->is.term[i]) > width ? strlen(o->is.term[i]) : width;
    (void)fprintf(out, "%s: which imaginary terms decide (%d of them, %d %s)\n", o->vehicle, o->is.terms - 1,
                  o->is.conditions, o->is.conditions == 1 ? "condition" : "conditions");
    (void)kane_fprintf(
        out,
        "Loss: what it costs to believe the model without the term. It decides above %.3g %% of the result, if\n"
        "that is more than twice the accuracy of the conclusion.\n",
        100.0 * o->asked->threshold);
    for (int i = 0, k = 0; i < o->asked->conclusion_count; i++) {
        const kane_conclusion *is = &o->conclusions[i];
        (void)fprintf(out, "\n%s\n  %-*s  %16s  %16s  %16s %10s  %16s  verdict\n", is->text, (int)width, "left out",
                      "complete", "without it", "loss", "", "accuracy");
        for (; k < o->decided.count && o->decided.decisions[k].conclusion == is->text; k++) {
            count[o->decided.decisions[k].verdict]++;
            print_decision(o, &o->decided.decisions[k], (int)width, out);
        }
        if (kane_conclusion_is_optimum(is))
            print_standards(is, out);
    }
    (void)fprintf(out,
                  "\nOf %d omissions %d decide, %d do not change the conclusion, %d are not resolved, %d are zero "
                  "throughout",
                  o->decided.count, count[KANE_DECIDES], count[KANE_DECIDES_NOT], count[KANE_DECIDES_UNRESOLVED],
                  count[KANE_DECIDES_ZERO]);
    if (count[KANE_DECIDES_UNKNOWN] > 0)
        (void)fprintf(out, ", %d are not known", count[KANE_DECIDES_UNKNOWN]);
    (void)fprintf(out, ".\n");
}

// --- tables ---

static kane_cell number_cell(double value)
{
    return kane_cell_number(isfinite(value) ? value : (double)NAN);
}

static kane_table tabulate_decisions(const kane_omission_setup *o)
{
    static const char *const names[] = {"conclusion",        "condition",   "left out",    "unit",
                                        "complete",          "omitted",     "loss",        "relative loss",
                                        "accuracy",          "closed form", "interaction", "impulse of force",
                                        "impulse of torque", "verdict",     "words"};
    static const char *const units[] = {"", "", "", "", "", "", "", "1", "", "", "", "N s", "N m s", "", ""};
    enum { COLUMNS = sizeof names / sizeof *names };
    kane_table t = kane_table_begin(o->study.arena, COLUMNS, o->decided.count);
    kane_table_add_names(&t, COLUMNS, names, units);
    for (const kane_decision *d = o->decided.decisions; d < o->decided.decisions + o->decided.count; d++)
        kane_table_add(&t, COLUMNS,
                       (const kane_cell[]){
                           kane_cell_text(d->conclusion), kane_cell_text(d->condition), kane_cell_text(d->term),
                           kane_cell_word(d->unit), number_cell(d->complete), number_cell(d->omitted),
                           number_cell(d->loss), number_cell(d->loss / fabs(d->complete)),
                           kane_cell_number(d->accuracy), kane_cell_number(d->closed), kane_cell_number(d->interaction),
                           kane_cell_number(d->impulse[KANE_FORCE]), kane_cell_number(d->impulse[KANE_TORQUE]),
                           kane_cell_word(kane_decides_name(d->verdict)), kane_cell_text(d->words)});
    return t;
}

typedef struct document {
    const kane_omission_setup *of;
    const kane_table *table;
} document;

static void write_json(kane_writer *w, const void *data)
{
    const document *d = data;
    kane_writer_text(w, "run", d->of->study.file);
    kane_writer_text(w, "vehicle", d->of->vehicle);
    kane_writer_number(w, "threshold", d->of->asked->threshold);
    kane_table_write_json(d->table, w);
}

static void write_document_text(FILE *out, const void *data)
{
    write_text(out, ((const document *)data)->of);
}

// --- picture: bars of loss with accuracy ---

// "body:torque.rotation.z, speed 20 m/s"
static const char *label_of(const kane_omission_setup *o, kane_figure *f, const kane_decision *d)
{
    return o->is.conditions > 1 && strcmp(d->condition, "all") != 0
               ? kane_figure_text(f, "%s, %s", d->term, d->condition)
               : d->term;
}

static int draw_losses(const kane_omission_setup *o)
{
    enum { BARS_MOST = 30 };
    kane_figure f = kane_figure_begin();
    f.plot.height = 60;
    for (int i = 0, k = 0; i < o->asked->conclusion_count; i++) {
        const kane_conclusion *is = &o->conclusions[i];
        const int first           = k;
        while (k < o->decided.count && o->decided.decisions[k].conclusion == is->text)
            k++;
        const int count    = k - first < BARS_MOST ? k - first : BARS_MOST;
        double *values     = kane_figure_values(&f, 2 * (size_t)count);
        const char **texts = kane_figure_texts(&f, count);
        for (int b = 0; values && texts && b < count; b++) {
            const kane_decision *d = &o->decided.decisions[first + count - 1 - b];
            texts[b]               = label_of(o, &f, d);
            values[b]              = d->loss;
            values[count + b]      = VALUES_RESOLVED * d->accuracy;
        }
        if (values && texts)
            kane_figure_bars(&f,
                             kane_figure_add(&f, is->text,
                                             kane_figure_text(&f, "loss [%s]", is->unit[0] ? is->unit : "1"),
                                             "left out"),
                             (kane_plot_bars){count, texts, values, values + count});
        f.plot.height += 90 + ROW_HEIGHT * (count > 2 ? count : 2);
    }
    f.plot.title = kane_figure_text(&f, "%s: what it costs to leave out imaginary terms", o->vehicle);
    return kane_figure_end(&f, &o->study, "decisions");
}

static int write_report(const kane_omission_setup *o)
{
    const kane_table t                = tabulate_decisions(o);
    const document d                  = {o, &t};
    const kane_study_output outputs[] = {
        {.name = "decisions.csv", .table = &t},
        {.name = "decisions.txt", .text = write_document_text},
        {.name = "decisions.json", .json = write_json, .kind = "omission decisions 1"}};
    return kane_study_write(&o->study, 3, outputs, &d) && draw_losses(o);
}

// --- the study ---

static void describe_decisions(kane_writer *w, const void *self)
{
    kane_omission_describe_cases(w, self);
    kane_decision_describe(w, self);
}

static int write_decisions(void *self, const kane_plan *plan)
{
    return fill_report(self, plan) && write_report(self);
}

kane_status kane_study_decisions(const kane_omission_study *asked, kane_decision_report **report, kane_errors *errors)
{
    static const kane_study_kind kind = {.name     = "decisions",
                                         .prepare  = kane_omission_prepare,
                                         .describe = describe_decisions,
                                         .work     = kane_decision_work,
                                         .finish   = write_decisions,
                                         .end      = kane_omission_end};
    kane_status status;
    kane_omission_setup *o = kane_omission_carry_out(&kind, kane_decision_choose, asked, &status, errors);
    *report                = o ? &o->decided : NULL;
    return status;
}

void kane_decision_report_free(kane_decision_report *report)
{
    if (report)
        kane_omission_report_free(&((kane_omission_setup *)report->own)->is);
}
