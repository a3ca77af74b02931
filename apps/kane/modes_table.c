// SPDX-License-Identifier: MIT
// Modes as a table and as JSON.

#include "modes.h"

#include "base/json.h"
#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// A body whose largest displacement is below this part of the mode's is not printed.
static const double AT_REST = 5e-4;

static const double DEGREES_KEPT = 100.0; // phases are printed to one over this [deg]

static const char *const kinds[] = {"oscillates", "creeps", "indifferent"};

void modes_format(const modes_arguments *a, double value, char text[MODES_NUMBER])
{
    if (a->digits == 0)
        kane_number_format(value + 0.0, text);
    else
        kane_number_round(value + 0.0, a->digits, text);
}

static void print_left_out(FILE *out, const modes_found *found, kane_left_out reason, const char *heading)
{
    const kane_model *model = kane_steady_model(found->steady);
    const int count         = kane_linear_left_out_count(found->linear);
    int those               = 0;
    kane_left_out why;
    for (int i = 0; i < count; i++) {
        (void)kane_linear_left_out(found->linear, i, &why);
        those += why == reason;
    }
    if (those == 0)
        return;
    (void)fprintf(out, "\n%s:", heading);
    for (int i = 0, printed = 0; i < count; i++) {
        char name[128];
        const int state = kane_linear_left_out(found->linear, i, &why);
        if (why != reason)
            continue;
        kane_state_name(model, state, sizeof name, name);
        (void)fprintf(out, "%s %s", printed++ ? "," : "", name);
    }
    (void)fprintf(out, "\n");
}

// Amplitudes in m and rad for 1 m at the largest, phases in degrees.
static void print_shape(FILE *out, const modes_arguments *a, const modes_found *found, int mode)
{
    const kane_model *model = kane_steady_model(found->steady);
    for (int j = 0; j < kane_model_body_count(model); j++) {
        double re[KANE_COORDINATES], im[KANE_COORDINATES], largest = 0.0;
        kane_modes_shape(found->modes, mode, j, re, im);
        for (int c = 0; c < KANE_COORDINATES; c++)
            largest = fmax(largest, hypot(re[c], im[c]));
        if (!(largest > AT_REST))
            continue;
        (void)fprintf(out, "      %-20s", kane_model_body_name(model, j));
        for (int c = 0; c < KANE_COORDINATES; c++) {
            char text[MODES_NUMBER], angle[MODES_NUMBER];
            const double size = hypot(re[c], im[c]);
            if (!(size > AT_REST))
                continue;
            modes_format(a, size, text);
            kane_number_round(round(DEGREES_KEPT * 180.0 / pi * atan2(im[c], re[c])) / DEGREES_KEPT + 0.0, 4, angle);
            (void)fprintf(out, "  %s %s (%s deg)", kane_coordinate_name((kane_coordinate)c), text, angle);
        }
        (void)fprintf(out, "\n");
    }
}

static int count_hidden(const modes_arguments *a, const kane_modes *modes)
{
    int hidden = 0;
    for (int i = 0; i < kane_modes_count(modes); i++)
        hidden += !modes_is_shown(a, kane_modes_get(modes, i));
    return hidden;
}

// Modes that grow, shown or not.
static int count_growing(const kane_modes *modes)
{
    int growing = 0;
    for (int i = 0; i < kane_modes_count(modes); i++)
        growing += kane_mode_grows(kane_modes_get(modes, i));
    return growing;
}

kane_table modes_tabulate(const modes_report *r)
{
    const kane_modes *modes = r->found->modes;
    kane_table t            = kane_table_begin(kane_arena_create(), 8, kane_modes_count(modes));
    kane_table_add_names(
        &t, 8, (const char *const[]){"mode", "re", "im", "frequency", "natural_frequency", "damping", "kind", "name"},
        (const char *const[]){"1", "1/s", "1/s", "Hz", "Hz", "1", "", ""});
    for (int i = 0; i < kane_modes_count(modes); i++) {
        const kane_mode *m = kane_modes_get(modes, i);
        if (modes_is_shown(r->arguments, m))
            kane_table_add(&t, 8,
                           (const kane_cell[]){kane_cell_count(i + 1), kane_cell_number(m->re), kane_cell_number(m->im),
                                               kane_cell_number(m->frequency), kane_cell_number(m->natural),
                                               kane_cell_number(m->damping), kane_cell_word(kinds[m->kind]),
                                               kane_cell_text(m->name)});
    }
    return t;
}

void modes_print(FILE *out, const void *report)
{
    const modes_report *r    = report;
    const modes_arguments *a = r->arguments;
    const modes_found *found = r->found;
    const int growing        = count_growing(found->modes);
    const int hidden = count_hidden(a, found->modes), wide = a->digits == 0 ? 25 : a->digits + 8;
    (void)fprintf(out, "%s\n\n%4s %*s %*s %*s %*s  %s\n", r->title, "mode", wide, "re [1/s]", wide, "im [1/s]", wide,
                  "f [Hz]", wide, "damping [%]", "name");
    for (int i = 0; i < kane_modes_count(found->modes); i++) {
        const kane_mode *m = kane_modes_get(found->modes, i);
        char numbers[4][MODES_NUMBER];
        if (!modes_is_shown(a, m))
            continue;
        modes_format(a, m->re, numbers[0]);
        modes_format(a, m->im, numbers[1]);
        modes_format(a, m->frequency, numbers[2]);
        modes_format(a, 100.0 * m->damping, numbers[3]);
        (void)fprintf(out, "%4d %*s %*s %*s %*s  %s%s\n", i + 1, wide, numbers[0], wide, numbers[1], wide, numbers[2],
                      wide, m->kind == KANE_MODE_OSCILLATES ? numbers[3] : "-",
                      m->kind == KANE_MODE_INDIFFERENT ? "indifferent: " : "", m->name);
        if (a->shapes)
            print_shape(out, a, found, i);
    }
    app_analysis_print_rates(out, found->steady, "\n");
    if (growing > 0)
        (void)fprintf(out, "\n%d %s: the %s is not stable\n", growing,
                      app_plural(growing, (app_noun){"mode grows", "modes grow"}),
                      app_analysis_goes_on(found->steady) ? "steady motion" : "equilibrium");
    if (hidden > 0)
        (void)fprintf(out, "\n%d %s of more than %g Hz not shown (--all, --highest)\n", hidden,
                      app_plural(hidden, (app_noun){"mode", "modes"}), a->highest);
    if (kane_steady_is_refined(found->steady))
        (void)fprintf(
            out, "\nFASTSIM on %d x %d elements, on which slopes of creep forces converge, instead of the run's grid\n",
            KANE_FASTSIM_MOST, KANE_FASTSIM_MOST);
    print_left_out(out, found, KANE_LEFT_UNCOUPLED, "Nothing depends on");
    print_left_out(out, found, KANE_LEFT_STUCK, "Friction that sticks, as springs");
}

// --- JSON ---

static void write_shape(kane_writer *w, const modes_found *found, int mode)
{
    const kane_model *model = kane_steady_model(found->steady);
    kane_writer_open(w, "shape", '{');
    for (int j = 0; j < kane_model_body_count(model); j++) {
        double parts[2][KANE_COORDINATES];
        kane_modes_shape(found->modes, mode, j, parts[0], parts[1]);
        kane_writer_open(w, kane_model_body_name(model, j), '{');
        for (int part = 0; part < 2; part++) {
            kane_writer_row(w, part ? "im" : "re");
            for (int c = 0; c < KANE_COORDINATES; c++)
                kane_writer_number(w, NULL, parts[part][c]);
            kane_writer_close(w);
        }
        kane_writer_row(w, "energy");
        for (int c = 0; c < KANE_COORDINATES; c++)
            kane_writer_number(w, NULL, kane_modes_share(found->modes, mode, j, (kane_coordinate)c));
        kane_writer_close(w);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static void write_mode(kane_writer *w, const modes_found *found, int i)
{
    const kane_mode *m = kane_modes_get(found->modes, i);
    kane_writer_open(w, NULL, '{');
    kane_writer_count(w, "mode", i + 1);
    kane_writer_text(w, "name", m->name);
    kane_writer_text(w, "kind", kinds[m->kind]);
    kane_writer_number(w, "re", m->re);
    kane_writer_number(w, "im", m->im);
    kane_writer_number(w, "frequency", m->frequency);
    kane_writer_number(w, "natural_frequency", m->natural);
    kane_writer_number(w, "damping", m->damping);
    write_shape(w, found, i);
    kane_writer_close(w);
}

void modes_write_json(kane_writer *w, const void *report)
{
    const modes_report *r          = report;
    const app_analysis *analysis   = r->analysis;
    const kane_run_definition *run = kane_run_get_definition(analysis->run);
    kane_writer_text(w, "run", run->file);
    kane_writer_text(w, "vehicle", run->vehicle->name);
    if (run->track) {
        kane_writer_number(w, "speed", analysis->where.speed);
        kane_writer_number(w, "curvature", analysis->where.curvature);
        kane_writer_number(w, "superelevation", analysis->where.superelevation);
    }
    app_analysis_write_rates(w, r->found->steady);
    kane_writer_switch(w, "undamped", r->arguments->kind == KANE_MODES_UNDAMPED);
    kane_writer_open(w, "modes", '[');
    for (int i = 0; i < kane_modes_count(r->found->modes); i++)
        if (modes_is_shown(r->arguments, kane_modes_get(r->found->modes, i)))
            write_mode(w, r->found, i);
    kane_writer_close(w);
}
