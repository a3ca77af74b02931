// SPDX-License-Identifier: MIT
// Pictures of modes: eigenvalues in the complex plane, and a mode's shape.

#include "modes.h"

#include "modes_boxes.h"

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
    curves[used++] = (kane_plot_curve){.count = 2, .x = axis_x, .y = axis_y, .style = KANE_DASHED, .colour = SORTS};
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

// Three views as on a drawing, at one scale: from the right; to the right of that from behind; below from above.
enum { VIEWS = 3, SIDE = 0, BACK = 1, TOP = 2 };

static const double MARGIN = 1.0; // between views [m]

// Of what is drawn at most, and room around it [pixels].
enum { WIDEST = 1000, HIGHEST = 900, BESIDE = 200, ABOVE_AND_BELOW = 160 };

// All bodies as boxes, at rest and displaced, in one curve each; gaps between them.
typedef struct drawing {
    double *x[2], *y[2];
    int count;
    double offset[VIEWS]; // of the view behind, to the right; of the view from above, downwards
    double ratio;         // of the height of all of it to its width
} drawing;

static void project(kane_vec3 p, int view, double offset, double *x, double *y)
{
    *x = view == BACK ? offset - p.y : p.x;
    *y = view == TOP ? offset + p.y : p.z;
}

static void add_view(const modes_boxes *boxes, int view, int displaced, drawing *d)
{
    double *x = d->x[displaced], *y = d->y[displaced];
    for (int j = 0; j < boxes->count; j++) {
        for (int i = 0; i < MODES_OUTLINE; i++, d->count++)
            project(boxes->box[j].outline[displaced][i], view, d->offset[view], &x[d->count], &y[d->count]);
        x[d->count]   = (double)NAN;
        y[d->count++] = (double)NAN;
    }
}

// Where the views are so that they do not meet.
static void arrange(const modes_boxes *boxes, drawing *d)
{
    kane_vec3 low = kv3(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = kv3_neg(low);
    for (int j = 0; j < boxes->count; j++)
        for (int k = 0; k < 2 * MODES_OUTLINE; k++) {
            const kane_vec3 p = boxes->box[j].outline[k / MODES_OUTLINE][k % MODES_OUTLINE];
            low               = kv3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
            high              = kv3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
        }
    d->offset[BACK] = high.x + MARGIN + high.y;
    d->offset[TOP]  = low.z - MARGIN - high.y;
    d->ratio        = (high.z - d->offset[TOP] - low.y) / (d->offset[BACK] - low.y - low.x);
}

static int draw_boxes(const modes_arguments *a, const char *title, const modes_boxes *boxes, kane_errors *errors)
{
    static const char *const labels[2] = {"at rest", "displaced"};
    const size_t points                = (size_t)(boxes->count * VIEWS) * (MODES_OUTLINE + 1);
    double *memory                     = calloc(4 * points + 1, sizeof *memory);
    kane_plot_curve curves[2];
    if (!memory) {
        kane_errors_add(errors, KANE_NO_MEMORY, "out of memory");
        return 0;
    }
    drawing d = {.x = {memory, memory + points}, .y = {memory + 2 * points, memory + 3 * points}};
    arrange(boxes, &d);
    for (int displaced = 0; displaced < 2; displaced++) {
        d.count = 0;
        for (int view = 0; view < VIEWS; view++)
            add_view(boxes, view, displaced, &d);
        curves[displaced] = (kane_plot_curve){.label  = labels[displaced],
                                              .count  = d.count,
                                              .x      = d.x[displaced],
                                              .y      = d.y[displaced],
                                              .style  = displaced ? KANE_SOLID : KANE_DASHED,
                                              .colour = displaced};
    }
    const kane_plot_panel panel = {.x_label     = "from the right, x [m]; beside it from behind",
                                   .y_label     = "z [m]; below: from above",
                                   .curve_count = 2,
                                   .curves      = curves,
                                   .same_scale  = 1};
    const double wide           = fmin(WIDEST, HIGHEST / d.ratio);
    const kane_plot plot        = {.title       = title,
                                   .width       = BESIDE + (int)wide,
                                   .height      = ABOVE_AND_BELOW + (int)(wide * d.ratio),
                                   .panel_count = 1,
                                   .panels      = &panel};
    const kane_status status    = kane_plot_draw(&plot, a->picture, errors);
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
    (void)snprintf(text, sizeof text, "%s: mode %d, %s, %.4g Hz, damping %.3g %%", title, a->shape, m->name,
                   m->frequency, 100.0 * m->damping);
    if (!modes_boxes_make(found, a->shape - 1, &boxes, errors))
        return 0;
    const int good = draw_boxes(a, text, &boxes, errors);
    modes_boxes_free(&boxes);
    return good;
}
