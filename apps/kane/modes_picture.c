// SPDX-License-Identifier: MIT
// Pictures of modes: eigenvalues in the complex plane, and a mode's shape.

#include "modes.h"

#include "modes_boxes.h"

#include <stdlib.h>
#include <string.h>

// --- the complex plane ---

// Curves: oscillating, creeping and unstable modes.
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
    kane_plot_curve curves[SORTS];
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

// The views: axes to the right and upwards.
static const struct {
    int right, up;
    const char *x_label, *y_label;
} views[] = {{0, 2, "x [m]", "z [m], from the right"},
             {0, 1, "x [m]", "y [m], from above"},
             {1, 2, "y [m], to the left is right", "z [m], from the front"}};
enum { VIEWS = 3 };

// All bodies as boxes, at rest and displaced, in one curve each; gaps between them.
typedef struct drawing {
    double *x[2][VIEWS], *y[2][VIEWS];
    kane_plot_curve curves[VIEWS][2];
    kane_plot_panel panels[VIEWS];
} drawing;

static void fill_curve(const modes_boxes *boxes, int view, int displaced, double *x, double *y)
{
    int n = 0;
    for (int j = 0; j < boxes->count; j++) {
        for (int i = 0; i < MODES_OUTLINE; i++) {
            const kane_vec3 p = boxes->box[j].outline[displaced][i];
            const double sign = view == 2 ? -1.0 : 1.0; // who looks along the track sees y to the left
            x[n]              = sign * kv3_get(p, views[view].right);
            y[n++]            = kv3_get(p, views[view].up);
        }
        x[n]   = (double)NAN;
        y[n++] = (double)NAN;
    }
}

static void make_panel(const modes_boxes *boxes, drawing *d, int view)
{
    static const char *const labels[2] = {"at rest", "displaced"};
    for (int displaced = 0; displaced < 2; displaced++) {
        fill_curve(boxes, view, displaced, d->x[displaced][view], d->y[displaced][view]);
        d->curves[view][displaced] = (kane_plot_curve){.label  = view == 0 ? labels[displaced] : NULL,
                                                       .count  = boxes->count * (MODES_OUTLINE + 1),
                                                       .x      = d->x[displaced][view],
                                                       .y      = d->y[displaced][view],
                                                       .style  = displaced ? KANE_SOLID : KANE_DASHED,
                                                       .colour = displaced};
    }
    d->panels[view] = (kane_plot_panel){.x_label     = views[view].x_label,
                                        .y_label     = views[view].y_label,
                                        .curve_count = 2,
                                        .curves      = d->curves[view],
                                        .same_scale  = 1};
}

static int draw_boxes(const modes_arguments *a, const char *title, const modes_boxes *boxes, kane_errors *errors)
{
    const size_t points = (size_t)boxes->count * (MODES_OUTLINE + 1);
    double *memory      = calloc(4 * VIEWS * points + 1, sizeof *memory);
    drawing d;
    if (!memory) {
        kane_errors_add(errors, KANE_NO_MEMORY, "out of memory");
        return 0;
    }
    for (int displaced = 0; displaced < 2; displaced++)
        for (int view = 0; view < VIEWS; view++) {
            d.x[displaced][view] = memory + (size_t)(4 * view + 2 * displaced) * points;
            d.y[displaced][view] = d.x[displaced][view] + points;
        }
    for (int view = 0; view < VIEWS; view++)
        make_panel(boxes, &d, view);
    const kane_plot plot     = {.title = title, .panel_count = VIEWS, .panels = d.panels};
    const kane_status status = kane_plot_draw(&plot, a->picture, errors);
    free(memory);
    return status == KANE_OK;
}

int modes_draw_shape(const modes_arguments *a, const char *title, const modes_found *found, kane_errors *errors)
{
    char text[700];
    const int count = kane_modes_count(found->modes);
    modes_boxes boxes;
    if (a->shape > count) {
        kane_errors_add(errors, KANE_BAD_INPUT, "there is no mode %d; modes are 1 to %d", a->shape, count);
        return 0;
    }
    const kane_mode *m = kane_modes_get(found->modes, a->shape - 1);
    (void)snprintf(text, sizeof text, "%s\nmode %d: %s, %.4g Hz, %.3g %%", title, a->shape, m->name, m->frequency,
                   100.0 * m->damping);
    if (!modes_boxes_make(found, a->shape - 1, &boxes, errors))
        return 0;
    const int good = draw_boxes(a, text, &boxes, errors);
    modes_boxes_free(&boxes);
    return good;
}
