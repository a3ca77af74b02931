// SPDX-License-Identifier: MIT
// What an optimisation has found, as files and as a picture.

#include "study/figure.h"
#include "study/optimise.h"

#include "track/shape.h"

#include <math.h>
#include <stdio.h>

// --- convergence.csv ---

enum { START, EVALUATION, STATE, SUM, LEAST, CRITERIA };

// Every evaluation of every search: start, evaluation, state, sum, least so far; then the criteria, then the unknowns.
static kane_table tabulate(const optimisation *o)
{
    const int criteria = o->wanted.count;
    int rows           = 0;
    for (int i = 0; i < o->asked->starts; i++)
        rows += o->starts[i].found.evaluations;
    kane_table t = kane_table_begin(o->study.arena, CRITERIA + criteria + o->unknowns, rows, 1);
    t.has_nan    = 1;
    kane_table_words(&t, CRITERIA, (const char *const[]){"start", "evaluation", "state", "sum", "least so far"});
    for (int k = 0; k < criteria; k++)
        kane_table_put(&t, kane_cell_text(o->wanted.text[k]));
    for (int k = 0; k < o->unknowns; k++)
        kane_table_put(&t, kane_cell_word(kane_table_text(&t, "c%d", k + 1)));
    kane_table_words(&t, CRITERIA, (const char *const[]){"1", "1", "", "", ""});
    kane_table_words(&t, criteria, o->wanted.units);
    for (int k = 0; k < o->unknowns; k++)
        kane_table_put(&t, kane_cell_word("1"));
    for (int i = 0; i < o->asked->starts; i++) {
        double least = HUGE_VAL;
        for (int n = 0; n < o->starts[i].found.evaluations; n++) {
            const kane_case *c  = kane_plan_case(o->plan, optimisation_case(o, i, n));
            const double *value = c->values + o->unknowns; // sum, criteria
            if (c->state == KANE_CASE_DONE)
                least = fmin(least, value[0]);
            kane_table_add(&t, CRITERIA,
                           (const kane_cell[]){kane_cell_count(i + 1), kane_cell_count(n + 1),
                                               kane_cell_word(c->state == KANE_CASE_DONE ? "done" : "failed"),
                                               kane_cell_number(value[0]), kane_cell_number(least)});
            for (int k = 0; k < criteria; k++)
                kane_table_put(&t, kane_cell_number(value[1 + k]));
            for (int k = 0; k < o->unknowns; k++)
                kane_table_put(&t, kane_cell_number(c->values[k]));
        }
    }
    return t;
}

// --- optimise.txt ---

// Largest difference between the shape that a search has found and the best one: of f, which goes from 0 to 1.
static double apart(const optimisation *o, const start *s)
{
    enum { SAMPLES = 1000 };
    double own[KANE_POLYNOMIAL_MAX], most = 0.0;
    const int count    = kane_family_coefficients(&o->asked->family, s->best, own);
    const double *best = o->best_shape->coefficients;
    for (int i = 0; i <= SAMPLES; i++) {
        const double x = (double)i / SAMPLES;
        most = fmax(most, fabs(kane_shape_polynomial(own, count, x).f[0] - kane_shape_polynomial(best, count, x).f[0]));
    }
    return most;
}

static void print_unknowns(const optimisation *o, const double *values, FILE *out)
{
    for (int i = 0; i < o->unknowns; i++)
        (void)fprintf(out, " %9.5f", values[i]);
    (void)fputc('\n', out);
}

// Does the best one end where it was held?
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
        (void)fprintf(out, "%5d%c %12d %15.8g ", i + 1, i == o->best ? '*' : ' ', s->found.evaluations, s->found.value);
        print_unknowns(o, s->best, out);
        if (s->status == KANE_OK)
            (void)fprintf(out, "%36s  %s; its shape is %.2g from the best one at most; began at\n%36s ", "",
                          minimum_end_text(s->found.end), apart(o, s), "");
        else
            (void)fprintf(out, "%36s  the first run fails; began at\n%36s ", "", "");
        print_unknowns(o, s->first, out);
    }
    const double growth = kane_family_least_growth(&o->asked->family, best->best);
    for (int i = 0; i < o->unknowns; i++)
        if (is_at_bound(o, i))
            (void)fprintf(out, "\nunknown %d of the best one lies at its bound, %g\n", i + 1, o->asked->bound);
    (void)fprintf(out, growth < 0.0 ? "\nthe curvature of the best one falls on its way\n"
                                    : "\nthe curvature of the best one grows all along\n");
    (void)fprintf(out, "section for a track file (section.json):\n%s\n\nfine check\n",
                  shape_section(o->study.arena, o->best_shape, &o->check.sections.section[0]));
}

// --- section.json and result.json ---

static void write_section(FILE *out, const void *data)
{
    const optimisation *o = data;
    const char *text      = shape_section(o->study.arena, o->best_shape, &o->check.sections.section[0]);
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
        kane_writer_number(w, "apart", apart(o, s)); // of its f from the best one, at most
        kane_writer_text(w, "end", minimum_end_text(s->found.end));
    } else {
        kane_writer_text(w, "end", "the first run fails");
    }
    kane_writer_count(w, "evaluations", s->found.evaluations);
    kane_writer_close(w);
}

// The standard shape that comes next to the optimised one on the fine check, -1: all failed.
static int best_standard(const optimisation *o)
{
    const int column = comparison_columns(&o->check) - 1;
    int best         = -1;
    for (int i = 0; i + 1 < o->check.count; i++) {
        const double value = comparison_value(&o->check, i, column);
        if (!isnan(value) && (best < 0 || value < comparison_value(&o->check, best, column)))
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

static void write_answer(const optimisation *o, kane_writer *w)
{
    const kane_optimisation *a = o->asked;
    const start *best          = &o->starts[o->best];
    kane_write_numbers(w, "coefficients", o->best_shape->coefficient_count, o->best_shape->coefficients);
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
    kane_write_texts(w, "criteria", o->wanted.count, o->wanted.text);
    kane_writer_text(w, "algorithm", kane_algorithm_name(a->algorithm));
    write_answer(o, w);
    write_fine(o, w);
    kane_writer_open(w, "starts", '[');
    for (int i = 0; i < a->starts; i++)
        write_search(o, i, w);
    kane_writer_close(w);
}

// --- pictures: the least value so far, and how far above it every evaluation was ---

static int draw(const optimisation *o, const kane_table *t)
{
    static const char below[] = "evaluation";
    const double bottom       = o->starts[o->best].found.value;
    const int is_plain        = !o->check.is_weighted;
    kane_figure f             = kane_figure_begin();
    double *x                 = kane_figure_values(&f, 3 * (size_t)t->rows + 1);
    double *least = x ? x + t->rows : NULL, *above = x ? least + t->rows : NULL;
    const char *label =
        kane_figure_text(&f, is_plain ? "least so far [%s]" : "least sum so far%s", is_plain ? o->wanted.units[0] : "");
    const int panels[] = {kane_figure_add(&f, NULL, below, label),
                          kane_figure_add(&f, NULL, below, "log10(value/least − 1)")};
    f.plot.title       = kane_figure_text(&f, "Search by %s: %s", kane_algorithm_name(o->asked->algorithm),
                                    is_plain ? o->wanted.text[0] : "weighted sum of criteria");
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
    const kane_table table            = tabulate(o);
    const kane_study_output outputs[] = {{.name = "convergence.csv", .table = &table},
                                         {.name = "section.json", .text = write_section},
                                         {.name = "optimise.txt", .text = write_text},
                                         {.name = "result.json", .json = write_result, .kind = "transition 1"}};
    return kane_study_write(&o->study, 4, outputs, o) && draw(o, &table);
}
