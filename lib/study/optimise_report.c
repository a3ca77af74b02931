// SPDX-License-Identifier: MIT
// Tables, texts and pictures of searches for the best transition.

#include "study/optimise.h"

#include "base/number.h"
#include "track/shape.h"

#include <math.h>
#include <stdio.h>

// --- convergence.csv ---

enum { START, EVALUATION, STATE, SUM, LEAST, CRITERIA };

// The unit of the sum: that of the only criterion, if its weight is 1.
static const char *sum_unit(const optimisation *o)
{
    const kane_measures *m = &o->study.measures;
    return o->criteria == 1 && m->weight[0] == 1.0 && m->units[0] ? m->units[0] : "";
}

// Whether the measures of an evaluation hold all limits, as far as its search wants it.
static int holds_limits(const optimisation *o, int first)
{
    for (int i = 0; i < o->asked->limit_count; i++)
        for (int k = 0; k < o->conditions.count; k++)
            if (!(limit_margin(&o->limits[i],
                               kane_plan_case(o->plan, first + k)->values[o->unknowns + 1 + o->limits[i].measure]) >=
                  -OPTIMISATION_SLACK))
                return 0;
    return 1;
}

// Every evaluation of every search: start, evaluation, state, sum, least so far; then the measures, over all
// conditions, the unknowns and, of several conditions, the sum under each.
static kane_table tabulate_evaluations(const optimisation *o)
{
    const int criteria = o->study.measures.count;
    int rows           = 0;
    for (int i = 0; i < o->asked->starts; i++)
        rows += o->starts[i].found.evaluations;
    const int conditions = o->conditions.count > 1 ? o->conditions.count : 0;
    kane_table t         = kane_table_begin(o->study.arena, CRITERIA + criteria + o->unknowns + conditions, rows);
    t.has_nan            = 1;
    kane_table_add_names(&t, CRITERIA, (const char *const[]){"start", "evaluation", "state", "sum", "least so far"},
                         (const char *const[]){"1", "1", "", "", ""});
    for (int k = 0; k < criteria; k++)
        kane_table_add_columns(
            &t, 1,
            &(kane_table_column){.name      = o->study.measures.text[k],
                                 .unit      = o->study.measures.units[k] ? o->study.measures.units[k] : "",
                                 .is_quoted = 1});
    for (int k = 0; k < o->unknowns; k++)
        kane_table_add_columns(&t, 1, &(kane_table_column){.name = kane_table_text(&t, "c%d", k + 1), .unit = "1"});
    for (int k = 0; k < conditions; k++)
        kane_table_add_columns(
            &t, 1, &(kane_table_column){.name = kane_table_text(&t, "condition %d", k + 1), .unit = sum_unit(o)});
    for (int i = 0; i < o->asked->starts; i++) {
        double least = HUGE_VAL;
        for (int n = 0; n < o->starts[i].found.evaluations; n++) {
            const int first    = case_of(o, i, n);
            const double value = optimisation_value(o, first, 0);
            if (value < least && holds_limits(o, first))
                least = value;
            kane_table_add(&t, CRITERIA,
                           (const kane_cell[]){kane_cell_count(i + 1), kane_cell_count(n + 1),
                                               kane_cell_word(isnan(value) ? "failed" : "done"),
                                               kane_cell_number(value), kane_cell_number(least)});
            for (int k = 0; k < criteria; k++)
                kane_table_put(&t, kane_cell_number(optimisation_value(o, first, 1 + k)));
            for (int k = 0; k < o->unknowns; k++)
                kane_table_put(&t, kane_cell_number(kane_plan_case(o->plan, first)->values[k]));
            for (int k = 0; k < conditions; k++)
                kane_table_put(&t, kane_cell_number(kane_plan_case(o->plan, first + k)->values[o->unknowns]));
        }
    }
    return t;
}

// --- the front of two criteria ---

// Sum and second measure of the best shape of a point; 0: no search has found one.
static int front_point(const optimisation *o, int point, double value[2], const start **best)
{
    const int search = optimisation_best_of(o, point);
    const int first =
        search >= 0 && isfinite(o->starts[search].found.value) ? optimisation_best_case(o, &o->starts[search]) : -1;
    value[0] = value[1] = (double)NAN;
    *best               = NULL;
    if (first < 0)
        return 0;
    *best    = &o->starts[search];
    value[0] = optimisation_value(o, first, 0);
    value[1] = optimisation_value(o, first, 1 + o->second);
    return 1;
}

// Whether another point is better in one and not worse in the other.
static int is_dominated(const optimisation *o, int point)
{
    const start *best;
    double own[2], other[2];
    (void)front_point(o, point, own, &best);
    for (int p = 0; p < o->points; p++)
        if (p != point && front_point(o, p, other, &best) && other[0] <= own[0] && other[1] <= own[1] &&
            (other[0] < own[0] || other[1] < own[1]))
            return 1;
    return 0;
}

// Largest relative excess of the searches of a point over its best one.
static double front_agreement(const optimisation *o, int point)
{
    const int search = optimisation_best_of(o, point);
    double excess    = 0.0;
    for (int i = point * o->asked->starts; search >= 0 && i < (point + 1) * o->asked->starts; i++) {
        const double best = o->starts[search].found.value, own = o->starts[i].found.value;
        if (o->starts[i].status == KANE_OK && isfinite(own) && best != 0.0)
            excess = fmax(excess, (own - best) / fabs(best));
    }
    return excess;
}

// Point, state, limit of the second measure, both values, excess of other starts, unknowns.
static kane_table tabulate_front(const optimisation *o)
{
    const char *const units[] = {
        "1", "", o->study.measures.units[o->second], sum_unit(o), o->study.measures.units[o->second], "1"};
    kane_table t = kane_table_begin(o->study.arena, 6 + o->unknowns, o->points);
    t.has_nan    = 1;
    kane_table_add_names(&t, 6, (const char *const[]){"point", "state", "limit", "sum", "second", "starts differ"},
                         units);
    for (int k = 0; k < o->unknowns; k++)
        kane_table_add_columns(&t, 1, &(kane_table_column){.name = kane_table_text(&t, "c%d", k + 1), .unit = "1"});
    for (int p = 0; p < o->points; p++) {
        const start *best;
        double value[2];
        const int is_found = front_point(o, p, value, &best);
        kane_table_add(&t, 6,
                       (const kane_cell[]){kane_cell_count(p + 1),
                                           kane_cell_word(!is_found            ? "not found"
                                                          : is_dominated(o, p) ? "dominated"
                                                                               : "front"),
                                           kane_cell_number(o->epsilon[p]), kane_cell_number(value[0]),
                                           kane_cell_number(value[1]), kane_cell_number(front_agreement(o, p))});
        for (int k = 0; k < o->unknowns; k++)
            kane_table_put(&t, kane_cell_number(best ? best->best[k] : (double)NAN));
    }
    return t;
}

static void print_front(const optimisation *o, FILE *out)
{
    (void)fprintf(out, "\nfront of the sum and %s\npoint       state             sum          second\n", o->is.pareto);
    for (int p = 0; p < o->points; p++) {
        const start *best;
        double value[2];
        const int is_found = front_point(o, p, value, &best);
        (void)kane_fprintf(out, "%5d %11s %15.8g %15.8g\n", p + 1,
                           !is_found            ? "not found"
                           : is_dominated(o, p) ? "dominated"
                                                : "front",
                           value[0], value[1]);
    }
}

static void write_front(const optimisation *o, kane_writer *w)
{
    kane_writer_text(w, "second", o->is.pareto);
    kane_writer_open(w, "front", '[');
    for (int p = 0; p < o->points; p++) {
        const start *best;
        double value[2];
        const int is_found = front_point(o, p, value, &best);
        kane_writer_open(w, NULL, '{');
        kane_writer_switch(w, "found", is_found);
        if (is_found) {
            const shape s       = optimisation_shape(o->asked, best->best);
            const char *section = shape_section(o->study.arena, &s, &o->conditions.track.section[0]);
            kane_write_numbers(w, "values", 2, value);
            kane_writer_switch(w, "dominated", is_dominated(o, p));
            kane_writer_json(w, "section", section ? section : "null");
        }
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

// Second measure over the sum; dominated points are left out.
static int draw_front(const optimisation *o)
{
    kane_figure f = kane_figure_begin();
    double *x = kane_figure_values(&f, 2 * (size_t)o->points), *y = x ? x + o->points : NULL;
    const char *unit = o->study.measures.units[o->second];
    const int panel =
        kane_figure_add(&f, NULL,
                        kane_figure_text(&f, "%s%s%s%s", o->criteria == 1 ? o->study.measures.text[0] : "sum",
                                         sum_unit(o)[0] ? " [" : "", sum_unit(o), sum_unit(o)[0] ? "]" : ""),
                        kane_figure_text(&f, "%s [%s]", o->is.pareto, unit));
    int count    = 0;
    f.plot.title = "Front of two criteria";
    for (int p = 0; x && p < o->points; p++) {
        const start *best;
        double value[2];
        if (!front_point(o, p, value, &best) || is_dominated(o, p))
            continue;
        x[count]   = value[0];
        y[count++] = value[1];
    }
    kane_figure_curve(&f, panel, (kane_plot_curve){"", count, x, y, KANE_SOLID, 0});
    kane_figure_curve(&f, panel, (kane_plot_curve){"", count, x, y, KANE_POINTS, 0});
    return kane_figure_end(&f, &o->study, "pareto");
}

// --- optimise.txt ---

// Largest difference between the shape that a search has found and the best one: of f, which grows from 0 to 1.
static double distance_from_best(const optimisation *o, const start *s)
{
    enum { SAMPLES = 1000 };
    const shape own = optimisation_shape(o->asked, s->best);
    double most     = 0.0;
    for (int i = 0; i <= SAMPLES; i++) {
        const double x = (double)i / SAMPLES;
        most           = fmax(most, fabs(shape_value(&own, x) - shape_value(o->best_shape, x)));
    }
    return most;
}

// How far the searches agree: those that have a value, and how far they are from the best one at most.
typedef struct agreement {
    int count;                // searches with a value
    double criterion;         // their largest value less the best one, as part of the best one [1]
    double shape;             // largest difference of f [1]
    double length_difference; // of a free length [m]
} agreement;

static agreement find_agreement(const optimisation *o)
{
    agreement a       = {0};
    const double best = o->starts[o->best].found.value;
    for (int i = 0; i < o->asked->starts; i++) {
        const start *s = &o->starts[i];
        if (s->status != KANE_OK || !isfinite(s->found.value))
            continue;
        const double length = optimisation_shape(o->asked, s->best).length;
        a.count++;
        a.criterion         = fmax(a.criterion, best != 0.0 ? (s->found.value - best) / fabs(best) : s->found.value);
        a.shape             = fmax(a.shape, distance_from_best(o, s));
        a.length_difference = fmax(a.length_difference, fabs(length - o->best_shape->length));
    }
    return a;
}

static void print_agreement(const optimisation *o, FILE *out)
{
    const agreement a = find_agreement(o);
    if (a.count > 1)
        (void)kane_fprintf(out,
                           "\n%d of %d starts have found a shape; their criteria exceed the least one by %.2g %% at "
                           "most, their shapes differ from the best one by %.2g of 1 at most",
                           a.count, o->asked->starts, 100.0 * a.criterion, a.shape);
    if (a.count > 1 && o->best_shape->length > 0.0)
        (void)kane_fprintf(out, ", their lengths by %.2g m", a.length_difference);
    (void)fprintf(out, a.count > 1 ? "\n" : "\none start alone: whether another one finds the same is not known\n");
}

// Settings and sum of every condition at the best shape.
static void print_conditions(const optimisation *o, FILE *out)
{
    const int first  = optimisation_best_case(o, &o->starts[o->best]);
    const int common = kane_texts_count(o->study.common.settings);
    if (o->conditions.count == 1 || first < 0)
        return;
    (void)fprintf(out, "\n%s over the conditions; the best shape under each:\n",
                  o->conditions.is_worst ? "largest value" : "weighted mean");
    for (int k = 0; k < o->conditions.count; k++) {
        const shape_condition *c = &o->conditions.condition[k];
        (void)kane_fprintf(out, "%5d %15.8g ", k + 1, kane_plan_case(o->plan, first + k)->values[o->unknowns]);
        for (const char *const *setting = c->study.common.settings + common; *setting; setting++)
            (void)fprintf(out, " %s", *setting);
        (void)fputc('\n', out);
    }
}

// Every limit at the best shape: its tightest value over the conditions.
static void print_limits(const optimisation *o, FILE *out)
{
    const int first = optimisation_best_case(o, &o->starts[o->best]);
    for (int i = 0; i < o->asked->limit_count && first >= 0; i++) {
        const limit *l = &o->limits[i];
        double value   = (double)NAN;
        for (int k = 0; k < o->conditions.count; k++) {
            const double own = kane_plan_case(o->plan, first + k)->values[o->unknowns + 1 + l->measure];
            if (k == 0 || limit_margin(l, own) < limit_margin(l, value))
                value = own;
        }
        const double margin = limit_margin(l, value);
        (void)kane_fprintf(out, "limit %s: %.8g %s, ", l->text, value, o->study.measures.units[l->measure]);
        if (margin < 0.0)
            (void)kane_fprintf(out, "passed by %.1g of it\n", -margin);
        else
            (void)fprintf(out, margin <= 1e-4 ? "reached\n" : "not reached\n");
    }
}

static void print_unknowns(const optimisation *o, const double *values, FILE *out)
{
    for (int i = 0; i < o->unknowns; i++)
        (void)kane_fprintf(out, " %9.5f", values[i]);
    (void)fputc('\n', out);
}

// Whether this unknown of the best shape is at its bound.
static int is_at_bound(const optimisation *o, int unknown)
{
    return o->asked->bound - fabs(o->starts[o->best].best[unknown]) <= o->asked->tolerance;
}

static void write_text(FILE *out, const void *data)
{
    const optimisation *o = data;
    const start *best     = &o->starts[o->best];
    (void)fprintf(out, "start  evaluations       criterion  unknowns\n");
    for (int i = 0; i < o->asked->starts; i++) {
        const start *s = &o->starts[i];
        (void)kane_fprintf(out, "%5d%c %12d %15.8g ", i + 1, i == o->best ? '*' : ' ', s->found.evaluations,
                           s->found.value);
        print_unknowns(o, s->best, out);
        if (s->status == KANE_OK && !isfinite(s->found.value))
            (void)fprintf(out, "%36s  no shape holds all limits; began at\n%36s ", "", "");
        else if (s->status == KANE_OK)
            (void)kane_fprintf(out, "%36s  %s; its shape is %.2g from the best one at most; began at\n%36s ", "",
                               minimum_end_text(s->found.end), distance_from_best(o, s), "");
        else
            (void)fprintf(out, "%36s  the first run fails; began at\n%36s ", "", "");
        print_unknowns(o, s->first, out);
    }
    const double growth = kane_family_least_growth(&o->asked->family, best->best);
    print_agreement(o, out);
    print_conditions(o, out);
    print_limits(o, out);
    if (o->points > 1)
        print_front(o, out);
    for (int i = 0; i < o->unknowns; i++)
        if (is_at_bound(o, i))
            (void)kane_fprintf(out, "\nunknown %d of the best one lies at its bound, %g\n", i + 1, o->asked->bound);
    (void)fprintf(out, growth < 0.0 ? "\nthe curvature of the best one falls on its way\n"
                                    : "\nthe curvature of the best one grows all along\n");
    (void)fprintf(out, "section for a track file (section.json):\n%s\n\nfine check\n",
                  shape_section(o->study.arena, o->best_shape, &o->conditions.track.section[0]));
}

// --- section.json and result.json ---

static void write_section(FILE *out, const void *data)
{
    const optimisation *o = data;
    const char *text      = shape_section(o->study.arena, o->best_shape, &o->conditions.track.section[0]);
    (void)fprintf(out, "%s\n", text ? text : "");
}

static void write_search(const optimisation *o, int index, kane_writer *w)
{
    const start *s = &o->starts[index];
    kane_writer_open(w, NULL, '{');
    kane_write_numbers(w, "from", o->unknowns, s->first);
    if (s->status == KANE_OK) {
        kane_write_numbers(w, "to", o->unknowns, s->best);
        kane_writer_number(w, "criterion", s->found.value);
        kane_writer_number(w, "apart", distance_from_best(o, s)); // of its f from the best one, at most
        kane_writer_text(w, "end", minimum_end_text(s->found.end));
    } else {
        kane_writer_text(w, "end", "the first run fails");
    }
    kane_writer_count(w, "evaluations", s->found.evaluations);
    kane_writer_close(w);
}

// Index of the standard shape that is best on the fine check; -1: none has a value and holds all limits.
static int best_standard(const optimisation *o)
{
    const int column = comparison_columns(&o->check) - 1;
    int best         = -1;
    for (int i = 0; i + 1 < o->check.count; i++) {
        const double value = comparison_value(&o->check, i, column);
        if (!isnan(value) && !comparison_limit_passed(&o->check, i) &&
            (best < 0 || value < comparison_value(&o->check, best, column)))
            best = i;
    }
    return best;
}

static void write_fine(const optimisation *o, kane_writer *w)
{
    const int column = comparison_columns(&o->check) - 1, standard = best_standard(o);
    kane_writer_open(w, "fine_check", '{');
    kane_writer_number(w, "criterion", comparison_value(&o->check, o->check.count - 1, column));
    if (standard >= 0) {
        kane_writer_text(w, "best_standard_shape", o->check.shapes[standard].name);
        kane_writer_number(w, "its_criterion", comparison_value(&o->check, standard, column));
    }
    kane_writer_close(w);
}

// A number of the best shape under every condition.
static void write_values(const optimisation *o, int first, int number, kane_writer *w)
{
    kane_writer_row(w, "values");
    for (int k = 0; k < o->conditions.count; k++)
        kane_writer_number(w, NULL, kane_plan_case(o->plan, first + k)->values[o->unknowns + number]);
    kane_writer_close(w);
}

static void write_conditions(const optimisation *o, kane_writer *w)
{
    const agreement agreed = find_agreement(o);
    const int first        = optimisation_best_case(o, &o->starts[o->best]);
    kane_writer_open(w, "conditions", '[');
    for (int k = 0; k < o->conditions.count && first >= 0; k++) {
        const shape_condition *c = &o->conditions.condition[k];
        const char *const *own   = c->study.common.settings + kane_texts_count(o->study.common.settings);
        kane_writer_open(w, NULL, '{');
        kane_write_texts(w, "settings", kane_texts_count(own), own);
        kane_writer_number(w, "weight", c->weight);
        kane_writer_number(w, "criterion", kane_plan_case(o->plan, first + k)->values[o->unknowns]);
        kane_writer_close(w);
    }
    kane_writer_close(w);
    kane_writer_switch(w, "worst", o->conditions.is_worst);
    kane_writer_open(w, "limits", '[');
    for (int i = 0; i < o->asked->limit_count && first >= 0; i++) {
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "limit", o->limits[i].text);
        write_values(o, first, 1 + o->limits[i].measure, w);
        kane_writer_close(w);
    }
    kane_writer_close(w);
    kane_writer_open(w, "agreement", '{');
    kane_writer_count(w, "starts", agreed.count);
    kane_writer_number(w, "criterion", agreed.criterion);
    kane_writer_number(w, "shape", agreed.shape);
    if (o->best_shape->length > 0.0)
        kane_writer_number(w, "length", agreed.length_difference);
    kane_writer_close(w);
}

static void write_answer(const optimisation *o, kane_writer *w)
{
    const kane_optimisation *a = o->asked;
    const start *best          = &o->starts[o->best];
    if (o->best_shape->kind == KANE_BSPLINE) {
        kane_writer_count(w, "degree", o->best_shape->degree);
        kane_write_numbers(w, "knots", o->best_shape->knot_count, o->best_shape->knots);
    }
    kane_write_numbers(w, "coefficients", o->best_shape->coefficient_count, o->best_shape->coefficients);
    if (o->best_shape->length > 0.0)
        kane_writer_number(w, "length", o->best_shape->length);
    kane_writer_number(w, "criterion", best->found.value);
    kane_writer_count(w, "ends", a->family.ends);
    kane_write_numbers(w, "unknowns", o->unknowns, best->best);
    kane_writer_row(w, "at_bound"); // unknowns, counting from 1
    for (int i = 0; i < o->unknowns; i++)
        if (is_at_bound(o, i))
            kane_writer_count(w, NULL, i + 1);
    kane_writer_close(w);
    const double growth = kane_family_least_growth(&a->family, best->best);
    kane_writer_number(w, "least_growth", growth);
    kane_writer_switch(w, "monotone", growth >= 0.0);
}

static void write_result(kane_writer *w, const void *data)
{
    const optimisation *o      = data;
    const kane_optimisation *a = o->asked;
    kane_writer_text(w, "run", a->file);
    kane_writer_count(w, "section", o->check.sections.index[0]);
    kane_write_texts(w, "criteria", o->study.measures.count, o->study.measures.text);
    kane_writer_text(w, "algorithm", kane_algorithm_name(a->algorithm));
    write_answer(o, w);
    write_conditions(o, w);
    write_fine(o, w);
    if (o->points > 1)
        write_front(o, w);
    kane_writer_open(w, "starts", '[');
    for (int i = 0; i < a->starts; i++)
        write_search(o, i, w);
    kane_writer_close(w);
}

// --- pictures: the least value so far, and how far above it every evaluation was ---

static int draw_convergence(const optimisation *o, const kane_table *t)
{
    static const char below[] = "evaluation";
    const double bottom       = o->starts[o->best].found.value;
    const int is_plain        = !o->check.is_weighted;
    kane_figure f             = kane_figure_begin();
    double *x                 = kane_figure_values(&f, 3 * (size_t)t->rows + 1);
    double *least = x ? x + t->rows : NULL, *above = x ? least + t->rows : NULL;
    const char *label  = kane_figure_text(&f, is_plain ? "least so far [%s]" : "least sum so far%s",
                                         is_plain ? o->study.measures.units[0] : "");
    const int panels[] = {kane_figure_add(&f, NULL, below, label),
                          kane_figure_add(&f, NULL, below, "log10(value/least − 1)")};
    f.plot.title       = kane_figure_text(&f, "Search by %s: %s", kane_algorithm_name(o->asked->algorithm),
                                    is_plain ? o->study.measures.text[0] : "weighted sum of criteria");
    for (int row = 0; x && row < t->rows; row++) {
        const kane_cell *cells = kane_table_at(t, row, 0);
        const double value     = cells[STATE].text[0] == 'd' ? cells[SUM].number : (double)NAN,
                     so_far    = cells[LEAST].number;
        x[row]                 = cells[EVALUATION].number;
        least[row]             = isfinite(so_far) ? so_far : (double)NAN;
        above[row]             = value > bottom ? log10((value - bottom) / fabs(bottom)) : (double)NAN;
    }
    for (int i = 0, first = 0; x && i < o->asked->starts; first += o->starts[i++].found.evaluations) {
        const int count  = o->starts[i].found.evaluations;
        const char *name = kane_figure_text(&f, "start %d", i + 1);
        kane_figure_curve(&f, panels[0], (kane_plot_curve){name, count, x + first, least + first, KANE_SOLID, i});
        kane_figure_curve(&f, panels[1], (kane_plot_curve){name, count, x + first, above + first, KANE_POINTS, i});
    }
    return kane_figure_end(&f, &o->study, "convergence");
}

int optimisation_write(const optimisation *o)
{
    const int has_front               = o->points > 1;
    const kane_table front            = has_front ? tabulate_front(o) : (kane_table){0};
    const kane_table table            = tabulate_evaluations(o);
    const kane_study_output outputs[] = {{.name = "convergence.csv", .table = &table},
                                         {.name = "section.json", .text = write_section},
                                         {.name = "optimise.txt", .text = write_text},
                                         {.name = "result.json", .json = write_result, .kind = "transition 1"},
                                         {.name = "pareto.csv", .table = &front}};
    return kane_study_write(&o->study, has_front ? 5 : 4, outputs, o) && draw_convergence(o, &table) &&
           (!has_front || draw_front(o));
}
