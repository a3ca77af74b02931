// SPDX-License-Identifier: MIT
// Options of evaluations, and an evaluation as a table for people: a line for each wheel, wheelset and accelerometer, then
// limits.

#include "app.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

typedef kane_evaluation_options arguments;

const app_option evaluate_standard_options[] = {
    {"class", 'k', "KIND", 0, "coach (default), locomotive, bogie-wagon or two-axle-wagon: whose limits count",
     APP_CLASS(kind)},
    {"from", 0, "M", 0, "only rows from this distance travelled on [m]", APP_NUMBER(from)},
    {"to", 0, "M", 0, "only rows up to this distance travelled [m]", APP_NUMBER(to)},
    {"section", 0, "M", 0,
     "sections of this length [m] one by one, and the estimate of the maximum that EN 14363 makes of them (of reports "
     "default: as zone and speed have it)",
     APP_POSITIVE(section, "section", "m")},
    {"running-distance", 0, "M", 0, "of the rails, for cant deficiency [m] (default: 1.5)",
     APP_POSITIVE(running_distance, "running distance", "m")},
    {"static-load", 0, "N", 0, "vertical load of every wheel at rest [N] (default: as the run says)",
     APP_POSITIVE(static_load, "static load", "N")},
    {"bogie-mass", 0, "KG", 0,
     "of a bogie with its wheelsets [kg]: limits for accelerometers on frames of bogies (default: there are none)",
     APP_POSITIVE(bogie_mass, "mass of a bogie", "kg")},
    {"axle-box-limit", 0, "ACC", 0,
     "of lateral accelerations on axle boxes and wheelsets [m/s^2]; that of their instability is half of it (default: there is none)",
     APP_POSITIVE(axle_box_limit, "axle box limit", "m/s^2")},
    {0},
};

static const char *const kinds[] = {"wheels", "wheelsets", "accelerometers"};

// Forces are shown in kN.
static int is_force(const kane_quantity *quantity)
{
    return strcmp(quantity->unit, "N") == 0 && strncmp(quantity->name, "T_gamma", 7) != 0;
}

// What is assessed of a thing (NULL: of anything) in a quantity; NULL: it is not.
static const kane_assessment *find_assessment(const kane_evaluation *e, const char *name, const kane_quantity *quantity)
{
    for (int i = 0; i < kane_evaluation_count(e); i++) {
        const kane_assessment *a = kane_evaluation_get(e, i);
        if (a->quantity == quantity && (!name || strcmp(a->of, name) == 0))
            return a;
    }
    return NULL;
}

// The one that uses most of its limit, or is largest where there is none.
static const kane_assessment *find_worst(const kane_evaluation *e, const kane_quantity *quantity)
{
    const kane_assessment *most = NULL;
    for (int i = 0; i < kane_evaluation_count(e); i++) {
        const kane_assessment *a = kane_evaluation_get(e, i);
        if (a->quantity != quantity)
            continue;
        if (!most || (isfinite(a->used) ? a->used > most->used : fabs(a->value) > fabs(most->value)))
            most = a;
    }
    return most;
}

// Four digits; small values with fewer, so that columns stay apart. What is not finite is no text.
static void put_number(kane_table *t, double value, char mark)
{
    const int is_small = fabs(value) < 1e-3 && value != 0.0;
    char text[32]      = "";
    if (isfinite(value))
        (void)kane_snprintf(text, sizeof text, is_small ? "%.1e%c" : "%.4g%c", value + 0.0, mark);
    kane_table_put(t, kane_cell_word(kane_table_text(t, "%s", text)));
}

// A row for a thing, "*" behind the worst of each quantity, "!" behind what exceeds its limit; of the worst (`of` NULL)
// 0: its limit, 1: how much of it is used [%], 2: where it is [m].
static void put_row(kane_table *t, const kane_evaluation *e, kane_assessed kind, const char *title, const char *of,
                    int what)
{
    kane_table_put(t, kane_cell_word(title));
    for (int i = 0; kane_quantity_get(i); i++) {
        const kane_quantity *quantity = kane_quantity_get(i);
        const kane_assessment *worst  = quantity->of == kind ? find_worst(e, quantity) : NULL;
        const kane_assessment *a      = of ? find_assessment(e, of, quantity) : worst;
        const double factor           = is_force(quantity) ? 1e-3 : 1.0;
        if (!worst)
            continue;
        if (!a)
            kane_table_put(t, kane_cell_word("- "));
        else if (of)
            put_number(t, factor * a->value, a->used > 1.0 ? '!' : isfinite(a->limit) && a == worst ? '*' : ' ');
        else
            put_number(t, (const double[]){factor * a->limit, 100.0 * a->used, a->at}[what], ' ');
    }
}

kane_table evaluate_tabulate_kind(kane_arena *arena, const kane_evaluation *e, kane_assessed kind)
{
    kane_table t     = kane_table_begin(arena, 16, 16);
    const char *last = "";
    kane_table_add_columns(&t, 1, &(kane_table_column){.name = kinds[kind], .text = {.width = -24}});
    for (int i = 0; kane_quantity_get(i); i++) {
        const kane_quantity *q = kane_quantity_get(i);
        const char *unit       = is_force(q) ? "kN" : strcmp(q->unit, "1") == 0 ? "" : q->unit;
        if (q->of == kind && find_assessment(e, NULL, q))
            kane_table_add_columns(
                &t, 1,
                &(kane_table_column){
                    .name = kane_table_text(&t, "%s%s%s%s ", q->name, unit[0] ? " [" : "", unit, unit[0] ? "]" : ""),
                    .text = {.none = " "}});
    }
    for (int i = 0; i < kane_evaluation_count(e); i++) {
        const kane_assessment *a = kane_evaluation_get(e, i);
        if (a->quantity->of != kind || strcmp(a->of, last) == 0)
            continue;
        last = a->of;
        put_row(&t, e, kind, a->of, a->of, 0);
    }
    for (int what = 0; what < 3 && t.column_count > 1; what++)
        put_row(&t, e, kind, (const char *const[]){"limit", "used [%]", "where [m]"}[what], NULL, what);
    return t;
}

void evaluate_print_conclusion(FILE *out, const void *report)
{
    const kane_evaluation *evaluation = ((const evaluate_report *)report)->evaluation;
    const int index                   = kane_evaluation_worst(evaluation);
    const kane_assessment *a          = kane_evaluation_get(evaluation, index);
    if (a)
        (void)fprintf(out, "\nnearest to its limit, or furthest beyond: %s of %s, %.3g %% of it%s\n", a->quantity->name,
                      a->of, 100.0 * a->used, a->used > 1.0 ? ": EXCEEDED" : "");
    if (kane_evaluation_note_count(evaluation) > 0)
        (void)fprintf(out, "\nremarks\n");
    for (int i = 0; i < kane_evaluation_note_count(evaluation); i++)
        (void)fprintf(out, "  %s\n", kane_evaluation_note(evaluation, i));
}

void evaluate_print_section(FILE *out, const void *report)
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
}
