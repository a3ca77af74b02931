// SPDX-License-Identifier: MIT
// An evaluation as a table for people: a line for each wheel, wheelset and accelerometer, then limits.

#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { QUANTITIES_MOST = 32 };

// One kind of thing that is evaluated.
typedef struct sheet {
    FILE *out;
    const kane_evaluation *evaluation;
    kane_assessed of;
    int quantity_count;
    const kane_quantity *quantities[QUANTITIES_MOST]; // that there are values of
} sheet;

// Forces are shown in kN.
static int is_force(const kane_quantity *quantity)
{
    return strcmp(quantity->unit, "N") == 0 && strncmp(quantity->name, "T_gamma", 7) != 0;
}

static double shown(const kane_quantity *quantity, double value)
{
    return is_force(quantity) ? 1e-3 * value : value;
}

static const char *unit_of(const kane_quantity *quantity)
{
    if (is_force(quantity))
        return "[kN]";
    if (strcmp(quantity->unit, "1") == 0)
        return "";
    return strcmp(quantity->unit, "N") == 0 ? "[N]" : "[m/s^2]";
}

static int width_of(const kane_quantity *quantity)
{
    const int length = (int)strlen(quantity->name);
    return length + 2 > 10 ? length + 2 : 10;
}

static const kane_assessment *find(const sheet *s, const char *name, const kane_quantity *quantity)
{
    for (int i = 0; i < kane_evaluation_count(s->evaluation); i++) {
        const kane_assessment *a = kane_evaluation_get(s->evaluation, i);
        if (a->quantity == quantity && (!name || strcmp(a->of, name) == 0))
            return a;
    }
    return NULL;
}

// The one that uses most of its limit, or is largest where there is none.
static const kane_assessment *worst(const sheet *s, const kane_quantity *quantity)
{
    const kane_assessment *most = NULL;
    for (int i = 0; i < kane_evaluation_count(s->evaluation); i++) {
        const kane_assessment *a = kane_evaluation_get(s->evaluation, i);
        if (a->quantity != quantity)
            continue;
        if (!most || (isfinite(a->used) ? a->used > most->used : fabs(a->value) > fabs(most->value)))
            most = a;
    }
    return most;
}

static void print_heading(const sheet *s)
{
    static const char *const kinds[] = {"wheels", "wheelsets", "accelerometers"};
    (void)fprintf(s->out, "\n%-24s", kinds[s->of]);
    for (int i = 0; i < s->quantity_count; i++)
        (void)fprintf(s->out, "%*s", width_of(s->quantities[i]), s->quantities[i]->name);
    (void)fprintf(s->out, "\n%-24s", "");
    for (int i = 0; i < s->quantity_count; i++)
        (void)fprintf(s->out, "%*s", width_of(s->quantities[i]), unit_of(s->quantities[i]));
    (void)fprintf(s->out, "\n");
}

// Four digits; small values with fewer, so that columns stay apart.
static void print_number(const sheet *s, int width, double value, char mark)
{
    const int is_small = fabs(value) < 1e-3 && value != 0.0;
    (void)fprintf(s->out, is_small ? "%*.1e%c" : "%*.4g%c", width - 1, value + 0.0, mark);
}

// "*" marks the worst of each quantity, "!" what exceeds its limit.
static void print_values(const sheet *s, const char *name)
{
    (void)fprintf(s->out, "  %-22s", name);
    for (int i = 0; i < s->quantity_count; i++) {
        const kane_quantity *quantity = s->quantities[i];
        const kane_assessment *a      = find(s, name, quantity);
        const int is_worst            = a && isfinite(a->limit) && a == worst(s, quantity);
        if (a)
            print_number(s, width_of(quantity), shown(quantity, a->value), a->used > 1.0 ? '!' : is_worst ? '*' : ' ');
        else
            (void)fprintf(s->out, "%*s ", width_of(quantity) - 1, "-");
    }
    (void)fprintf(s->out, "\n");
}

// A line of what belongs to the worst: 0 its limit, 1 how much of it is used [%], 2 where it is [m].
static void print_worst(const sheet *s, const char *title, int what)
{
    (void)fprintf(s->out, "  %-22s", title);
    for (int i = 0; i < s->quantity_count; i++) {
        const kane_quantity *quantity = s->quantities[i];
        const kane_assessment *a      = worst(s, quantity);
        const double values[3]        = {shown(quantity, a->limit), 100.0 * a->used, a->at};
        if (isfinite(values[what]))
            print_number(s, width_of(quantity), values[what], ' ');
        else
            (void)fprintf(s->out, "%*s ", width_of(quantity) - 1, "");
    }
    (void)fprintf(s->out, "\n");
}

static void print_sheet(sheet *s)
{
    s->quantity_count = 0;
    for (int i = 0; kane_quantity_get(i) && s->quantity_count < QUANTITIES_MOST; i++)
        if (kane_quantity_get(i)->of == s->of && find(s, NULL, kane_quantity_get(i)))
            s->quantities[s->quantity_count++] = kane_quantity_get(i);
    if (s->quantity_count == 0)
        return;
    print_heading(s);
    const char *last = "";
    for (int i = 0; i < kane_evaluation_count(s->evaluation); i++) {
        const kane_assessment *a = kane_evaluation_get(s->evaluation, i);
        if (a->quantity->of != s->of || strcmp(a->of, last) == 0)
            continue;
        last = a->of;
        print_values(s, a->of);
    }
    print_worst(s, "limit", 0);
    print_worst(s, "used [%]", 1);
    print_worst(s, "where [m]", 2);
}

static void print_conclusion(FILE *out, const kane_evaluation *evaluation)
{
    const int index          = kane_evaluation_worst(evaluation);
    const kane_assessment *a = kane_evaluation_get(evaluation, index);
    if (a)
        (void)fprintf(out, "\nnearest to its limit, or furthest beyond: %s of %s, %.3g %% of it%s\n", a->quantity->name,
                      a->of, 100.0 * a->used, a->used > 1.0 ? ": EXCEEDED" : "");
    if (kane_evaluation_note_count(evaluation) > 0)
        (void)fprintf(out, "\nremarks\n");
    for (int i = 0; i < kane_evaluation_note_count(evaluation); i++)
        (void)fprintf(out, "  %s\n", kane_evaluation_note(evaluation, i));
}

void evaluate_print(FILE *out, const void *report)
{
    const evaluate_report *r             = report;
    const kane_evaluated_section section = kane_evaluation_section(r->evaluation);
    (void)fprintf(out, "%s: %.6g m to %.6g m, up to %.4g km/h; limits of a %s; EN 14363, UIC 518, EN 12299\n", r->name,
                  section.from, section.to, 3.6 * section.speed, kane_vehicle_class_name(r->options->kind));
    if (r->options->section > 0.0)
        (void)fprintf(
            out,
            "estimated maxima from sections of %g m: mean + k deviations, k = 3 (safety), 2.2 or 0 (quasi-static)\n",
            r->options->section);
    sheet s = {.out = out, .evaluation = r->evaluation};
    for (int of = KANE_ASSESSED_WHEEL; of <= KANE_ASSESSED_SENSOR; of++) {
        s.of = (kane_assessed)of;
        print_sheet(&s);
    }
    print_conclusion(out, r->evaluation);
}
