// SPDX-License-Identifier: MIT
// Pictures of modes: eigenvalues in the complex plane, and a mode's shape.

#include "modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- the complex plane ---

// Curves: oscillating, creeping and unstable modes; and the axis between stable and unstable.
enum { SORTS = 3 };

int modes_draw_plane(const modes_arguments *a, const char *title, const kane_modes *modes, kane_errors *errors)
{
    static const char *const labels[SORTS] = {"oscillates", "creeps", "unstable"};
    const size_t count                     = (size_t)kane_modes_count(modes);
    double *memory                         = calloc(2 * SORTS * count + 1, sizeof *memory);
    if (!memory) {
        kane_errors_add(errors, KANE_NO_MEMORY, "out of memory");
        return 0;
    }
    kane_plot_curve curves[SORTS + 1];
    const double axis_x[2] = {0.0, 0.0}, axis_y[2] = {0.0, a->highest};
    int used = 0;
    for (int sort = 0; sort < SORTS; sort++) {
        double *x = memory + (size_t)(2 * sort) * count, *y = x + count;
        int n = 0;
        for (int i = 0; i < (int)count; i++) {
            const kane_mode *m = kane_modes_get(modes, i);
            const int own      = m->re > 0.0 && m->kind != KANE_MODE_INDIFFERENT ? 2 : m->kind != KANE_MODE_OSCILLATES;
            if (own != sort || !modes_is_shown(a, m))
                continue;
            x[n]   = m->re;
            y[n++] = m->frequency;
        }
        if (n > 0)
            curves[used++] = (kane_plot_curve){
                .label = labels[sort], .count = n, .x = x, .y = y, .style = KANE_POINTS, .colour = sort};
    }
    curves[used++]              = (kane_plot_curve){.count = 2, .x = axis_x, .y = axis_y, .style = KANE_FAINT};
    const kane_plot_panel panel = {.x_label     = "real part of the eigenvalue [1/s]",
                                   .y_label     = "frequency [Hz]",
                                   .curve_count = used,
                                   .curves      = curves};
    const kane_plot plot        = {.title = title, .height = 560, .panel_count = 1, .panels = &panel};
    const kane_status status    = kane_plot_draw(&plot, a->picture, errors);
    free(memory);
    return status == KANE_OK;
}

// --- shapes ---

// Three views in boxes of their own, at one scale: from the right; beside it from the front; below from above.
enum { VIEWS = 3, SIDE = 0, END = 1, PLAN = 2 };

// Of each view one curve for all at rest, and one for each kind of line displaced.
enum { KINDS = 4, CURVES = KINDS + 1, REST = 0, BODIES = 1, NODES = 2, WHEELS = 3, ELEMENTS = 4 };

enum { TURNS = 4 }; // of a spring

static const double COIL = 0.035; // half the width of a spring, of the vehicle's height

static int curve_of(modes_stroke_kind kind)
{
    return kind == MODES_BODY ? BODIES : kind == MODES_NODE ? NODES : kind == MODES_WHEEL ? WHEELS : ELEMENTS;
}

static void project(kane_vec3 p, int view, double *x, double *y)
{
    *x = view == END ? p.y : p.x;
    *y = view == PLAN ? p.y : p.z;
}

// Lines of one curve with gaps between.
typedef struct pencil {
    double *x, *y;
    int count;
} pencil;

static void put(pencil *p, double x, double y)
{
    p->x[p->count]   = x;
    p->y[p->count++] = y;
}

// A zigzag from end to end; of a spring that is seen along its axis a point.
static void put_spring(pencil *p, const double a[2], const double b[2], double width)
{
    const double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy);
    width = fmin(width, 0.3 * length);
    put(p, a[0], a[1]);
    for (int i = 1; i < 2 * TURNS && length > 0.0; i++) {
        const double part = (double)i / (2 * TURNS), side = i & 1 ? width : -width;
        put(p, a[0] + part * dx - side * dy / length, a[1] + part * dy + side * dx / length);
    }
    put(p, b[0], b[1]);
}

static void put_stroke(pencil *p, const modes_figure *f, const modes_stroke *s, int displaced, int view)
{
    const kane_vec3 *at = f->at[displaced] + s->begin;
    double ends[2][2];
    for (int i = 0; i < s->count; i++) {
        double *end = ends[i & 1];
        project(at[i], view, &end[0], &end[1]);
        if (s->kind != MODES_SPRING)
            put(p, end[0], end[1]);
    }
    if (s->kind == MODES_SPRING)
        put_spring(p, ends[0], ends[1], COIL * f->height);
    put(p, (double)NAN, (double)NAN);
}

static void draw_view(const modes_figure *f, int view, pencil pencils[CURVES], kane_plot_curve curves[CURVES])
{
    static const char *const labels[CURVES] = {"at rest", "bodies", "nodes", "wheels", "springs, dampers, rods"};
    for (int i = 0; i < f->stroke_count; i++) {
        const modes_stroke *s = &f->strokes[i];
        put_stroke(&pencils[curve_of(s->kind)], f, s, 1, view);
        if (s->kind == MODES_BODY || s->kind == MODES_WHEEL)
            put_stroke(&pencils[REST], f, s, 0, view);
    }
    for (int k = 0; k < CURVES; k++)
        curves[k] = (kane_plot_curve){.label  = view == PLAN && pencils[k].count > 0 ? labels[k] : NULL,
                                      .count  = pencils[k].count,
                                      .x      = pencils[k].x,
                                      .y      = pencils[k].y,
                                      .style  = k == REST    ? KANE_FAINT
                                                : k == NODES ? KANE_POINTS
                                                             : KANE_SOLID,
                                      .colour = k == ELEMENTS ? 2
                                                : k == WHEELS ? 6
                                                              : 0};
}

int modes_figure_draw(const modes_figure *f, const char *title, const char *picture, kane_errors *errors)
{
    // each stroke has a gap behind it, a spring its turns
    const size_t points = (size_t)f->point_count + (size_t)f->stroke_count * (2 * TURNS + 2);
    double *memory = calloc(VIEWS * CURVES * 2 * points + 1, sizeof *memory), *next = memory;
    kane_plot_curve curves[VIEWS][CURVES];
    if (!memory) {
        kane_errors_add(errors, KANE_NO_MEMORY, "out of memory");
        return 0;
    }
    for (int view = 0; view < VIEWS; view++) {
        pencil pencils[CURVES];
        for (int k = 0; k < CURVES; k++, next += 2 * points)
            pencils[k] = (pencil){.x = next, .y = next + points};
        draw_view(f, view, pencils, curves[view]);
    }
    kane_plot_panel panels[VIEWS] = {{.title = "side view", .x_label = "x [m]", .y_label = "z [m]"},
                                     {.title = "end view", .x_label = "y [m]", .y_label = "z [m]", .beside = 1},
                                     {.title = "plan view", .x_label = "x [m]", .y_label = "y [m]"}};
    for (int view = 0; view < VIEWS; view++) {
        panels[view].curve_count = CURVES;
        panels[view].curves      = curves[view];
        panels[view].same_scale  = 2;
    }
    const kane_plot plot     = {.title = title, .width = 1400, .panel_count = VIEWS, .panels = panels};
    const kane_status status = kane_plot_draw(&plot, picture, errors);
    free(memory);
    return status == KANE_OK;
}

int modes_draw_shape(const modes_arguments *a, const char *title, const modes_found *found, kane_errors *errors)
{
    char text[900];
    const int count = kane_modes_count(found->modes);
    modes_figure figure;
    if (a->shape > count) {
        kane_errors_add(errors, KANE_BAD_INPUT, "there is no mode %d; modes are 1 to %d", a->shape, count);
        return 0;
    }
    const kane_mode *m = kane_modes_get(found->modes, a->shape - 1);
    (void)snprintf(text, sizeof text, "%s: mode %d, %s, %.4g Hz, damping %.3g %%", title, a->shape, m->name,
                   m->frequency, 100.0 * m->damping);
    if (!modes_figure_make(found, a->shape - 1, &figure, errors))
        return 0;
    const int good = modes_figure_draw(&figure, text, a->picture, errors);
    modes_figure_free(&figure);
    return good;
}
