// SPDX-License-Identifier: MIT
// Pictures that grow panel by panel.

#include "base/number.h"
#include "results/plot.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// A panel while it is filled.
struct kane_figure_panel {
    kane_plot_panel is;
    int room;
    kane_plot_curve *curves;
    kane_plot_map map;
    kane_plot_bars bars;
};

kane_figure kane_figure_begin(void)
{
    return (kane_figure){.arena = kane_arena_create()};
}

const char *kane_figure_text(kane_figure *f, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)kane_vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return f->arena ? kane_arena_text(f->arena, text) : NULL;
}

double *kane_figure_values(kane_figure *f, size_t count)
{
    return f->arena ? kane_arena_doubles(f->arena, count) : NULL;
}

const char **kane_figure_texts(kane_figure *f, int count)
{
    return f->arena ? kane_arena_alloc(f->arena, (size_t)count, sizeof(char *)) : NULL;
}

int kane_figure_add(kane_figure *f, const char *title, const char *x_label, const char *y_label)
{
    struct kane_figure_panel *panels =
        kane_arena_grow(f->arena, f->panels, f->plot.panel_count, &f->room, sizeof *panels);
    if (!panels)
        return -1;
    f->panels = panels;
    panels[f->plot.panel_count] =
        (struct kane_figure_panel){.is = {.title = title, .x_label = x_label, .y_label = y_label}};
    return f->plot.panel_count++;
}

void kane_figure_curve(kane_figure *f, int panel, kane_plot_curve curve)
{
    struct kane_figure_panel *p = panel < 0 ? NULL : &f->panels[panel];
    kane_plot_curve *curves =
        p ? kane_arena_grow(f->arena, p->curves, p->is.curve_count, &p->room, sizeof *curves) : NULL;
    if (!curves)
        return;
    p->curves                   = curves;
    curves[p->is.curve_count++] = curve;
}

void kane_figure_marked(kane_figure *f, int panel, kane_plot_curve curve)
{
    kane_figure_curve(f, panel, curve);
    curve.label = NULL;
    curve.style = KANE_POINTS;
    kane_figure_curve(f, panel, curve);
}

void kane_figure_map(kane_figure *f, int panel, kane_plot_map map)
{
    if (panel < 0)
        return;
    f->panels[panel].map = map;
}

void kane_figure_bars(kane_figure *f, int panel, kane_plot_bars bars)
{
    if (panel >= 0)
        f->panels[panel].bars = bars;
}

void kane_figure_scale(kane_figure *f, int panel, kane_plot_scale x, kane_plot_scale y)
{
    if (panel < 0)
        return;
    f->panels[panel].is.x_scale = x;
    f->panels[panel].is.y_scale = y;
}

// The panels as a plot has them.
static kane_plot_panel *list_panels(kane_figure *f)
{
    kane_plot_panel *all = kane_arena_alloc(f->arena, (size_t)f->plot.panel_count, sizeof *all);
    for (int i = 0; all && i < f->plot.panel_count; i++) {
        struct kane_figure_panel *p = &f->panels[i];
        all[i]                      = p->is;
        all[i].curves               = p->curves;
        all[i].map                  = p->map.values ? &p->map : NULL;
        all[i].bars                 = p->bars.values ? &p->bars : NULL;
    }
    return all;
}

kane_plot_panel *kane_figure_panel(kane_figure *f, int panel)
{
    return panel < 0 ? NULL : &f->panels[panel].is;
}

kane_status kane_figure_draw(kane_figure *f, const char *file, kane_errors *errors)
{
    f->plot.panels = f->arena ? list_panels(f) : NULL;
    if (!f->arena || kane_arena_failed(f->arena))
        return kane_no_memory(errors);
    return kane_plot_draw(&f->plot, file, errors);
}

void kane_figure_drop(kane_figure *f)
{
    kane_arena_free(f->arena);
    *f = (kane_figure){.arena = NULL};
}
