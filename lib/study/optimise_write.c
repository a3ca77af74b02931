// SPDX-License-Identifier: MIT
// What an optimisation has found, as files.

#include "study/optimise.h"

#include "base/number.h"
#include "base/replace.h"
#include "base/writer.h"
#include "track/shape.h"

#include <math.h>
#include <stdio.h>

static kane_status begin(const optimisation *o, const char *name, kane_replacement *r, kane_errors *errors)
{
    char file[4096];
    (void)snprintf(file, sizeof file, "%s/%s", o->asked->execution.directory, name);
    return kane_replacement_open(r, file, errors);
}

// --- convergence.csv ---

static void print_number(FILE *out, double value)
{
    char number[KANE_NUMBER_SIZE];
    kane_number_format(value, number);
    (void)fprintf(out, ",%s", number);
}

static void print_head(const optimisation *o, FILE *out)
{
    (void)fprintf(out, "start,evaluation,state,sum,least so far");
    for (int i = 0; i < o->wanted.count; i++)
        (void)fprintf(out, ",\"%s\"", o->wanted.text[i]);
    for (int i = 0; i < o->unknowns; i++)
        (void)fprintf(out, ",c%d", i + 1);
    (void)fprintf(out, "\n1,1,,,");
    for (int i = 0; i < o->wanted.count; i++)
        (void)fprintf(out, ",%s", o->check.units[i]);
    for (int i = 0; i < o->unknowns; i++)
        (void)fprintf(out, ",1");
    (void)fputc('\n', out);
}

static void print_search(const optimisation *o, int index, FILE *out)
{
    const int n  = o->unknowns;
    double least = HUGE_VAL;
    for (int k = 0; k < o->starts[index].found.evaluations; k++) {
        const kane_case *c = kane_plan_case(o->plan, optimisation_case(o, index, k));
        (void)fprintf(out, "%d,%d,%s", index + 1, k + 1, c->state == KANE_CASE_DONE ? "done" : "failed");
        if (c->state == KANE_CASE_DONE)
            least = fmin(least, c->values[n]);
        print_number(out, c->values[n]);
        print_number(out, least);
        for (int i = 0; i < o->wanted.count; i++)
            print_number(out, c->values[n + 1 + i]);
        for (int i = 0; i < n; i++)
            print_number(out, c->values[i]);
        (void)fputc('\n', out);
    }
}

static kane_status write_convergence(const optimisation *o, kane_errors *errors)
{
    kane_replacement r;
    const kane_status status = begin(o, "convergence.csv", &r, errors);
    if (status != KANE_OK)
        return status;
    print_head(o, r.file);
    for (int i = 0; i < o->asked->starts; i++)
        print_search(o, i, r.file);
    return kane_replacement_close(&r, errors);
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

static kane_status write_text(const optimisation *o, kane_errors *errors)
{
    const start *best = &o->starts[o->best];
    kane_replacement r;
    const kane_status status = begin(o, "optimise.txt", &r, errors);
    if (status != KANE_OK)
        return status;
    (void)fprintf(r.file, "start  evaluations       criterion  unknowns\n");
    for (int i = 0; i < o->asked->starts; i++) {
        const start *s = &o->starts[i];
        (void)fprintf(r.file, "%5d%c %12d %15.8g ", i + 1, i == o->best ? '*' : ' ', s->found.evaluations,
                      s->found.value);
        print_unknowns(o, s->best, r.file);
        if (s->status == KANE_OK)
            (void)fprintf(r.file, "%36s  %s; its shape is %.2g from the best one at most; began at\n%36s ", "",
                          minimum_end_text(s->found.end), apart(o, s), "");
        else
            (void)fprintf(r.file, "%36s  the first run fails; began at\n%36s ", "", "");
        print_unknowns(o, s->first, r.file);
    }
    const double growth = kane_family_least_growth(&o->asked->family, best->best);
    for (int i = 0; i < o->unknowns; i++)
        if (is_at_bound(o, i))
            (void)fprintf(r.file, "\nunknown %d of the best one lies at its bound, %g\n", i + 1, o->asked->bound);
    (void)fprintf(r.file, growth < 0.0 ? "\nthe curvature of the best one falls on its way\n"
                                       : "\nthe curvature of the best one grows all along\n");
    (void)fprintf(r.file, "section for a track file (section.json):\n%s\n\nfine check\n",
                  shape_section(o->arena, o->best_shape, &o->section.section[0]));
    return kane_replacement_close(&r, errors);
}

// --- section.json and result.json ---

static kane_status write_section(const optimisation *o, kane_errors *errors)
{
    kane_replacement r;
    const char *text         = shape_section(o->arena, o->best_shape, &o->section.section[0]);
    const kane_status status = begin(o, "section.json", &r, errors);
    if (status != KANE_OK)
        return status;
    (void)fprintf(r.file, "%s\n", text ? text : "");
    return kane_replacement_close(&r, errors);
}

static void write_numbers(kane_writer *w, const char *key, int count, const double *values)
{
    kane_writer_row(w, key);
    for (int i = 0; i < count; i++)
        kane_writer_number(w, NULL, values[i]);
    kane_writer_close(w);
}

static void write_search(const optimisation *o, int index, kane_writer *w)
{
    const start *s = &o->starts[index];
    kane_writer_open(w, NULL, '{');
    write_numbers(w, "from", o->unknowns, s->first);
    if (s->status == KANE_OK) {
        write_numbers(w, "to", o->unknowns, s->best);
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
    write_numbers(w, "coefficients", o->best_shape->coefficient_count, o->best_shape->coefficients);
    kane_writer_number(w, "criterion", best->found.value);
    kane_writer_count(w, "ends", a->family.ends);
    write_numbers(w, "unknowns", o->unknowns, best->best);
    kane_writer_row(w, "at_bound"); // unknowns, counting from 1
    for (int i = 0; i < o->unknowns; i++)
        if (is_at_bound(o, i))
            kane_writer_count(w, NULL, i + 1);
    kane_writer_close(w);
    const double growth = kane_family_least_growth(&a->family, best->best);
    kane_writer_number(w, "least_growth", growth);
    kane_writer_switch(w, "monotone", growth >= 0.0);
}

static kane_status write_result(const optimisation *o, kane_errors *errors)
{
    const kane_optimisation *a = o->asked;
    kane_replacement r;
    const kane_status status = begin(o, "result.json", &r, errors);
    if (status != KANE_OK)
        return status;
    kane_writer w = kane_writer_start(r.file);
    kane_writer_document(&w, "transition 1");
    kane_writer_text(&w, "run", a->file);
    kane_writer_count(&w, "section", o->section.index[0]);
    kane_writer_row(&w, "criteria");
    for (int i = 0; i < o->wanted.count; i++)
        kane_writer_text(&w, NULL, o->wanted.text[i]);
    kane_writer_close(&w);
    kane_writer_text(&w, "algorithm", kane_algorithm_name(a->algorithm));
    write_answer(o, &w);
    write_fine(o, &w);
    kane_writer_open(&w, "starts", '[');
    for (int i = 0; i < a->starts; i++)
        write_search(o, i, &w);
    kane_writer_close(&w);
    kane_writer_close(&w);
    (void)kane_writer_end(&w); // what could not be written is known to the file, and told at its end
    return kane_replacement_close(&r, errors);
}

kane_status optimisation_write(const optimisation *o, kane_errors *errors)
{
    kane_status status = write_convergence(o, errors);
    if (status == KANE_OK)
        status = write_section(o, errors);
    if (status == KANE_OK)
        status = write_text(o, errors);
    return status == KANE_OK ? write_result(o, errors) : status;
}
