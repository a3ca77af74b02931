// SPDX-License-Identifier: MIT
// How a search came to its end: the least value so far, and how far above it every evaluation was.

#include "study/optimise.h"

#include <math.h>
#include <stdio.h>

enum { TEXT = 256 };

typedef struct trace {
    double *at, *least, *above;
    char label[48];
} trace;

// Room and values of one search; 0 without memory.
static int follow(const optimisation *o, int index, double bottom, trace *t)
{
    const int count = o->starts[index].found.evaluations;
    double least    = (double)NAN;
    t->at           = kane_arena_doubles(o->arena, (size_t)count + 1);
    t->least        = kane_arena_doubles(o->arena, (size_t)count + 1);
    t->above        = kane_arena_doubles(o->arena, (size_t)count + 1);
    if (!t->at || !t->least || !t->above)
        return 0;
    for (int k = 0; k < count; k++) {
        const kane_case *c = kane_plan_case(o->plan, optimisation_case(o, index, k));
        const double value = c->state == KANE_CASE_DONE ? c->values[o->unknowns] : (double)NAN;
        least              = fmin(least, value);
        t->at[k]           = k + 1;
        t->least[k]        = least;
        t->above[k]        = value > bottom ? log10((value - bottom) / fabs(bottom)) : (double)NAN;
    }
    (void)snprintf(t->label, sizeof t->label, "start %d", index + 1);
    return 1;
}

static kane_status draw(const optimisation *o, const kane_plot *plot, kane_errors *errors)
{
    static const char *const ends[] = {"svg", "png"};
    kane_status status              = KANE_OK;
    for (int i = 0; i < 2 && status == KANE_OK; i++) {
        char file[4096];
        (void)snprintf(file, sizeof file, "%s/convergence.%s", o->asked->execution.directory, ends[i]);
        status = kane_plot_draw(plot, file, errors);
    }
    return status;
}

kane_status optimisation_draw(const optimisation *o, kane_errors *errors)
{
    const int starts        = o->asked->starts;
    const double bottom     = o->starts[o->best].found.value;
    const int is_plain      = !o->check.is_weighted;
    kane_plot_curve *curves = kane_arena_alloc(o->arena, 2 * (size_t)starts, sizeof *curves);
    trace *traces           = kane_arena_alloc(o->arena, (size_t)starts, sizeof *traces);
    char label[TEXT], title[TEXT];
    if (!curves || !traces) {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        return KANE_NO_MEMORY;
    }
    for (int i = 0; i < starts; i++) {
        trace *t        = &traces[i];
        const int count = o->starts[i].found.evaluations;
        if (!follow(o, i, bottom, t)) {
            kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
            return KANE_NO_MEMORY;
        }
        curves[i]          = (kane_plot_curve){t->label, count, t->at, t->least, KANE_SOLID, i};
        curves[starts + i] = (kane_plot_curve){t->label, count, t->at, t->above, KANE_POINTS, i};
    }
    (void)snprintf(label, sizeof label, is_plain ? "least so far [%s]" : "least sum so far%s",
                   is_plain ? o->check.units[0] : "");
    (void)snprintf(title, sizeof title, "Search by %s: %s", kane_algorithm_name(o->asked->algorithm),
                   is_plain ? o->wanted.text[0] : "weighted sum of criteria");
    const kane_plot_panel panels[] = {
        {.x_label = "evaluation", .y_label = label, .curve_count = starts, .curves = curves},
        {.x_label     = "evaluation",
         .y_label     = "log10(value/least − 1)",
         .curve_count = starts,
         .curves      = &curves[starts]},
    };
    const kane_plot plot = {.title = title, .panel_count = 2, .panels = panels};
    return draw(o, &plot, errors);
}
