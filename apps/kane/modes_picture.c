// SPDX-License-Identifier: MIT
// Pictures of modes: eigenvalues in the complex plane, and a mode's shape.

#include "modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- the complex plane ---

// Curves: oscillating, creeping and unstable modes; and the axis between stable and unstable.
enum { SORTS = 3 };

int modes_draw_plane(kane_figure *f, const void *report, kane_errors *errors)
{
    static const char *const labels[SORTS] = {"oscillates", "creeps", "unstable"};
    const modes_report *r                  = report;
    const kane_modes *modes                = r->found->modes;
    const int count                        = kane_modes_count(modes);
    double *memory                         = kane_figure_values(f, 2 * SORTS * (size_t)count + 4);
    const int panel = kane_figure_add(f, NULL, "real part of the eigenvalue [1/s]", "frequency [Hz]");
    (void)errors;
    for (int sort = 0; memory && sort < SORTS; sort++) {
        double *x = memory + 2L * sort * count, *y = x + count;
        int n = 0;
        for (int i = 0; i < count; i++) {
            const kane_mode *m = kane_modes_get(modes, i);
            const int own      = m->re > 0.0 && m->kind != KANE_MODE_INDIFFERENT ? 2 : m->kind != KANE_MODE_OSCILLATES;
            if (own != sort || !modes_is_shown(r->arguments, m))
                continue;
            x[n]   = m->re;
            y[n++] = m->frequency;
        }
        if (n > 0)
            kane_figure_curve(f, panel, (kane_plot_curve){labels[sort], n, x, y, KANE_POINTS, sort});
    }
    if (memory) {
        double *axis = memory + 2L * SORTS * count;
        axis[3]      = r->arguments->highest;
        kane_figure_curve(f, panel, (kane_plot_curve){NULL, 2, axis, axis + 2, KANE_FAINT, 0});
    }
    f->plot.height = 560;
    return 1;
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

static void draw_view(const modes_figure *f, int view, pencil pencils[CURVES], kane_figure *figure, int panel)
{
    static const char *const labels[CURVES]     = {"at rest", "bodies", "nodes", "wheels", "springs, dampers, rods"};
    static const kane_line_style styles[CURVES] = {[REST] = KANE_FAINT, [NODES] = KANE_POINTS};
    static const int colours[CURVES]            = {[ELEMENTS] = 2, [WHEELS] = 6};
    for (int i = 0; i < f->stroke_count; i++) {
        const modes_stroke *s = &f->strokes[i];
        put_stroke(&pencils[curve_of(s->kind)], f, s, 1, view);
        if (s->kind == MODES_BODY || s->kind == MODES_WHEEL)
            put_stroke(&pencils[REST], f, s, 0, view);
    }
    for (int k = 0; k < CURVES; k++)
        kane_figure_curve(figure, panel,
                          (kane_plot_curve){view == PLAN && pencils[k].count > 0 ? labels[k] : NULL, pencils[k].count,
                                            pencils[k].x, pencils[k].y, styles[k], colours[k]});
}

void modes_figure_draw(const modes_figure *f, kane_figure *figure)
{
    static const char *const titles[VIEWS]   = {"side view", "end view", "plan view"},
                             *const x[VIEWS] = {"x [m]", "y [m]", "x [m]"},
                             *const y[VIEWS] = {"z [m]", "z [m]", "y [m]"};
    // each stroke has a gap behind it, a spring its turns
    const size_t points = (size_t)f->point_count + (size_t)f->stroke_count * (2 * TURNS + 2);
    double *next        = kane_figure_values(figure, VIEWS * CURVES * 2 * points + 1);
    for (int view = 0; next && view < VIEWS; view++) {
        pencil pencils[CURVES];
        const int panel     = kane_figure_add(figure, titles[view], x[view], y[view]);
        kane_plot_panel *is = kane_figure_panel(figure, panel);
        if (!is)
            return;
        is->same_scale = 2;
        is->beside     = view == END;
        for (int k = 0; k < CURVES; k++, next += 2 * points)
            pencils[k] = (pencil){.x = next, .y = next + points};
        draw_view(f, view, pencils, figure, panel);
    }
    figure->plot.width = 1400;
}

int modes_draw_shape(kane_figure *f, const void *report, kane_errors *errors)
{
    const modes_report *r = report;
    const int count = kane_modes_count(r->found->modes), shape = r->arguments->shape;
    modes_figure figure;
    if (shape > count) {
        kane_errors_add(errors, KANE_BAD_INPUT, "there is no mode %d; modes are 1 to %d", shape, count);
        return 0;
    }
    const kane_mode *m = kane_modes_get(r->found->modes, shape - 1);
    f->plot.title      = kane_figure_text(f, "%s: mode %d, %s, %.4g Hz, damping %.3g %%", r->title, shape, m->name,
                                          m->frequency, 100.0 * m->damping);
    if (!modes_figure_make(r->found, shape - 1, &figure, errors))
        return 0;
    modes_figure_draw(&figure, f);
    modes_figure_free(&figure);
    return 1;
}
