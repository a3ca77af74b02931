// SPDX-License-Identifier: MIT
// Modes as a table and as JSON.

#include "modes.h"

#include "base/json.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// What moves by less than this part of the mode's largest displacement is no row; phases below are rounding [rad].
static const double AT_REST = 5e-4, PHASE_KEPT = 1e-4;

static const char *const kinds[] = {"oscillates", "creeps", "indifferent"};

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

// Amplitudes in m and rad for 1 m at the largest, phases.
static void add_shape(kane_table *t, const modes_found *found, int mode)
{
    const kane_model *model = kane_steady_model(found->steady);
    for (int j = 0; j < kane_model_body_count(model); j++) {
        double re[KANE_COORDINATES], im[KANE_COORDINATES];
        kane_modes_shape(found->modes, mode, j, re, im);
        for (int c = 0; c < KANE_COORDINATES; c++) {
            const double size = hypot(re[c], im[c]), phase = atan2(im[c], re[c]);
            if (size > AT_REST)
                kane_table_add(t, 6,
                               (const kane_cell[]){kane_cell_count(mode + 1),
                                                   kane_cell_word(kane_model_body_name(model, j)),
                                                   kane_cell_word(kane_coordinate_name((kane_coordinate)c)),
                                                   kane_cell_number(size), kane_cell_word(c < KANE_YAW ? "m" : "rad"),
                                                   kane_cell_number(fabs(phase) < PHASE_KEPT ? 0.0 : phase)});
        }
    }
}

int modes_tabulate(const modes_report *r, kane_arena *arena, kane_table tables[MODES_TABLES])
{
    const kane_modes *modes = r->found->modes;
    const int digits        = r->arguments->digits;
    kane_table *t = &tables[0], *shapes = &tables[1];
    *t            = kane_table_begin(arena, 8, kane_modes_count(modes));
    *shapes       = kane_table_begin(arena, 6, kane_modes_count(modes));
    t->title      = "modes";
    t->about      = "";
    shapes->title = "shapes";
    shapes->about = "shapes: amplitudes for 1 m of the largest displacement";
    kane_table_add_columns(
        t, 8,
        (const kane_table_column[]){{.name = "mode", .unit = "1", .text = {.head = "mode"}},
                                    {.name = "re", .unit = "1/s", .text = {.digits = digits}},
                                    {.name = "im", .unit = "1/s", .text = {.digits = digits}},
                                    {.name = "frequency", .unit = "Hz", .text = {.head = "f [Hz]", .digits = digits}},
                                    {.name = "natural_frequency", .unit = "Hz", .text = {.is_hidden = 1}},
                                    {.name = "damping", .unit = "1", .text = {"damping [%]", 100.0, .digits = digits}},
                                    {.name = "kind", .unit = "", .text = {.width = -11}},
                                    {.name = "name", .unit = "", .text = {.width = -1}}});
    kane_table_add_columns(shapes, 6,
                           (const kane_table_column[]){
                               {.name = "mode", .unit = "1", .text = {.head = "mode"}},
                               {.name = "body", .unit = "", .text = {.width = -20}},
                               {.name = "coordinate", .unit = "", .text = {.width = -10}},
                               {.name = "amplitude", .unit = "", .text = {.digits = digits}},
                               {.name = "unit", .unit = "", .text = {.gap = 1, .width = -4}},
                               {.name = "phase", .unit = "rad", .text = {"phase [deg]", 180.0 / pi, .digits = 4}}});
    for (int i = 0; i < kane_modes_count(modes); i++) {
        const kane_mode *m = kane_modes_get(modes, i);
        if (!modes_is_shown(r->arguments, m))
            continue;
        kane_table_add(t, 8,
                       (const kane_cell[]){kane_cell_count(i + 1), kane_cell_number(m->re), kane_cell_number(m->im),
                                           kane_cell_number(m->frequency), kane_cell_number(m->natural),
                                           kane_cell_number(m->damping), kane_cell_word(kinds[m->kind]),
                                           kane_cell_text(m->name)});
        if (r->arguments->shapes)
            add_shape(shapes, r->found, i);
    }
    return r->arguments->shapes ? 2 : 1;
}

void modes_print_notes(FILE *out, const void *report)
{
    const modes_report *r    = report;
    const modes_arguments *a = r->arguments;
    const modes_found *found = r->found;
    const int growing = count_growing(found->modes), hidden = count_hidden(a, found->modes);
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
        double re[KANE_COORDINATES], im[KANE_COORDINATES], energy[KANE_COORDINATES];
        kane_modes_shape(found->modes, mode, j, re, im);
        for (int c = 0; c < KANE_COORDINATES; c++)
            energy[c] = kane_modes_share(found->modes, mode, j, (kane_coordinate)c);
        kane_writer_open(w, kane_model_body_name(model, j), '{');
        kane_write_numbers(w, "re", KANE_COORDINATES, re);
        kane_write_numbers(w, "im", KANE_COORDINATES, im);
        kane_write_numbers(w, "energy", KANE_COORDINATES, energy);
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
    const modes_report *r = report;
    kane_writer_text(w, "run", kane_run_get_definition(r->analysis->run)->file);
    app_analysis_write_place(w, r->analysis);
    app_analysis_write_rates(w, r->found->steady);
    kane_writer_switch(w, "undamped", r->arguments->kind == KANE_MODES_UNDAMPED);
    kane_writer_open(w, "modes", '[');
    for (int i = 0; i < kane_modes_count(r->found->modes); i++)
        if (modes_is_shown(r->arguments, kane_modes_get(r->found->modes, i)))
            write_mode(w, r->found, i);
    kane_writer_close(w);
}
