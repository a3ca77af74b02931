// SPDX-License-Identifier: MIT
// Pictures of a study of rods: errors over the step and over the masses, in logarithms.

#include "study/figure.h"
#include "study/rods.h"

#include <math.h>

enum { PANEL_HEIGHT = 340 };

// The step or factor that a picture is of where it shows the other one: the masses as they are, or the heaviest; the longest step.
static int greatest_of(int count, const double *values, double rather)
{
    int chosen = 0;
    for (int i = 0; i < count; i++)
        if (values[chosen] != rather && (values[i] == rather || values[i] > values[chosen]))
            chosen = i;
    return chosen;
}

static int choose_factor(const rods_report *r)
{
    return greatest_of(r->factor_count, r->factors, 1.0);
}

static int longest_step(const rods_report *r)
{
    return greatest_of(r->step_count, r->steps, (double)NAN);
}

static double error_at(const rods_report *r, int factor, int step, int method)
{
    const rods_values *v = rods_at(r, factor, step);
    return v ? v->method[method].greatest : (double)NAN;
}

// A curve and its points; over: 0 the step, with all else fixed, 1 the factor.
static void add_curve(kane_figure *f, int panel, const rods_report *r, int over, int method, int e)
{
    const int factor = choose_factor(r), step = longest_step(r);
    const int count    = over ? r->factor_count : r->step_count;
    const double order = rods_order(r, factor, method);
    double *x = kane_figure_values(f, (size_t)count), *y = kane_figure_values(f, (size_t)count);
    for (int i = 0; x && y && i < count; i++) {
        x[i] = over ? r->factors[i] : r->steps[i];
        y[i] = over ? error_at(r, i, step, method) : error_at(r, factor, i, method);
    }
    const char *label = over || !isfinite(order)
                            ? kane_extrapolation_names[e]
                            : kane_figure_text(f, "%s: slope %.2f", kane_extrapolation_names[e], order);
    kane_figure_marked(f, panel, (kane_plot_curve){.label = label, .count = count, .x = x, .y = y, .colour = e});
}

static int draw(const rods_report *r, int over, const char *name)
{
    kane_figure f = kane_figure_begin();
    for (int inertia = KANE_RODS_PARTITION; inertia <= KANE_RODS_ALL; inertia++) {
        const char *kind  = kane_rod_inertia_names[inertia];
        const char *title = over ? kane_figure_text(&f, "%s, steps of %g s", kind, r->steps[longest_step(r)])
                                 : kane_figure_text(&f, "%s, %g times the masses", kind, r->factors[choose_factor(r)]);
        const int panel   = kane_figure_add(&f, title, over ? "masses of the rods over theirs [1]" : "step [s]",
                                            "greatest error of accelerations [m/s^2]");
        for (int e = 0; e < KANE_ROD_EXTRAPOLATIONS; e++)
            add_curve(&f, panel, r, over, rods_number((kane_rod_inertia)inertia, (kane_extrapolation)e), e);
        kane_figure_scale(&f, panel, KANE_PLOT_LOG, KANE_PLOT_LOG);
    }
    f.plot.height = 60 + f.plot.panel_count * PANEL_HEIGHT;
    return kane_figure_end(&f, &r->study, name);
}

int rods_draw(const rods_report *r)
{
    return (r->step_count < 2 || draw(r, 0, "errors")) && (r->factor_count < 2 || draw(r, 1, "masses"));
}
