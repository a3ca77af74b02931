// SPDX-License-Identifier: MIT
// The bifurcation diagram: amplitude over speed, both sweeps, linear critical speed.

#include "base/number.h"
#include "stability/critical.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CURVES_MOST = 16 };

// Size of arrow heads, in parts of what the axes span.
static const double head_length = 0.014, head_width = 0.016;

// Between neighbours, in parts of the height, from which on they are not on one branch.
static const double leap = 0.3;

typedef struct diagram {
    const search *search;
    int wheelset;         // -1: the one that swings most at each point
    double width, height; // what the axes span [m/s], [mm]
    kane_plot_curve curves[CURVES_MOST];
    double lines[CURVES_MOST][2][2]; // of straight ones: x of both ends, y of both ends
    int curve_count;
} diagram;

static const kane_critical_swing *swing_of(const diagram *d, const kane_critical_point *p)
{
    return &p->swing[d->wheelset < 0 ? p->largest : d->wheelset];
}

static void add_line(diagram *d, const char *label, const double x[2], const double y[2], kane_line_style style,
                     int colour)
{
    double(*line)[2] = d->lines[d->curve_count];
    for (int i = 0; i < 2; i++) {
        line[0][i] = x[i];
        line[1][i] = y[i];
    }
    d->curves[d->curve_count++] = (kane_plot_curve){label, 2, line[0], line[1], style, colour};
}

// An upright arrow at a speed, from one amplitude to another one: motion does not stay between them.
static void add_arrow(diagram *d, double speed, double from, double to, int colour)
{
    const double sign = to > from ? 1.0 : -1.0;
    if (!(fabs(to - from) > 2.0 * head_width * d->height))
        return;
    add_line(d, NULL, (double[]){speed, speed}, (double[]){from, to}, KANE_DASHED, colour);
    for (int side = -1; side <= 1; side += 2)
        add_line(d, NULL, (double[]){speed, speed + side * 0.5 * head_length * d->width},
                 (double[]){to, to - sign * 2.0 * head_width * d->height}, KANE_SOLID, colour);
}

// Points of one sweep: settled and at rest a line with dots, what did not settle from least to most.
typedef struct line {
    double *x, *y;
    int count;
} line;

static void add_point(line *l, double x, double y)
{
    l->x[l->count]   = x;
    l->y[l->count++] = y;
}

// Height of a point in the picture [mm]; not a number where nothing is drawn.
static double height_of(const diagram *d, const kane_critical_point *p)
{
    if (p->motion == KANE_MOTION_DIED)
        return 0.0;
    return point_lives(p) ? 1e3 * swing_of(d, p)->amplitude : (double)NAN;
}

// Line through the points of a branch, broken between rest and cycles, and where the amplitude jumps by more than
// `leap`.
static void trace_branch(const diagram *d, const branch *b, line *l)
{
    for (int i = 0; i < b->count; i++) {
        const kane_critical_point *p = &b->points[i];
        const double y               = height_of(d, p);
        if (i > 0 && (point_lives(p) != point_lives(&b->points[i - 1]) ||
                      fabs(y - height_of(d, &b->points[i - 1])) > leap * d->height))
            add_point(l, (double)NAN, (double)NAN);
        add_point(l, p->speed, y);
    }
}

// Bars of what did not settle.
static void trace_unsettled(const diagram *d, const branch *b, line *l)
{
    for (int i = 0; i < b->count; i++) {
        const kane_critical_point *p = &b->points[i];
        if (!point_lives(p) || p->motion == KANE_MOTION_SETTLED)
            continue;
        add_point(l, p->speed, 1e3 * swing_of(d, p)->least);
        add_point(l, p->speed, 1e3 * swing_of(d, p)->most);
        add_point(l, NAN, NAN);
    }
}

// Arrow at the speed where the sweep changes to the other branch, between rest and the amplitude there.
static void add_jump(diagram *d, const branch *b, double speed, int colour, int down)
{
    for (int i = 0; i < b->count; i++)
        if (b->points[i].speed == speed && point_lives(&b->points[i])) {
            const double amplitude = 1e3 * swing_of(d, &b->points[i])->amplitude;
            add_arrow(d, speed, down ? amplitude : 0.0, down ? 0.0 : amplitude, colour);
        }
}

static void find_axis_spans(diagram *d)
{
    const search *s = d->search;
    d->width        = s->study->to - s->study->from;
    for (int i = 0; i < kane_critical_report_count(s->report); i++) {
        const kane_critical_point *p = kane_critical_report_point(s->report, i);
        if (point_lives(p))
            d->height = fmax(d->height, 1e3 * swing_of(d, p)->most);
    }
}

// Curves of one sweep: line, dots, bars.
static void add_sweep(diagram *d, kane_sweep sweep, line lines[2])
{
    static const char *const labels[] = {"down: each speed from the cycle of the faster one",
                                         "up: each speed from rest, or the cycle of the slower one"};
    const branch *b                   = &d->search->report->branch[sweep];
    trace_branch(d, b, &lines[0]);
    trace_unsettled(d, b, &lines[1]);
    d->curves[d->curve_count++] = (kane_plot_curve){
        labels[sweep], lines[0].count, lines[0].x, lines[0].y, sweep == KANE_SWEEP_DOWN ? KANE_SOLID : KANE_DASHED,
        sweep};
    d->curves[d->curve_count++] = (kane_plot_curve){NULL, lines[0].count, lines[0].x, lines[0].y, KANE_POINTS, sweep};
    d->curves[d->curve_count++] = (kane_plot_curve){NULL, lines[1].count, lines[1].x, lines[1].y, KANE_SOLID, sweep};
}

static kane_status draw_diagram(const diagram *d, kane_errors *errors)
{
    static const char *const ends[] = {"svg", "png"};
    const search *s                 = d->search;
    char title[512], y_label[160], file[4096];
    const double curvature = s->study->curvature;
    const char *run = s->study->run->file, *slash = run ? strrchr(run, '/') : NULL;
    run        = slash ? slash + 1 : run;
    int length = snprintf(title, sizeof title, "%s%s%.*s: limit cycles", s->study->run->vehicle->name,
                          run ? ", run " : "", run ? (int)strcspn(run, ".") : 0, run ? run : "");
    if (curvature != 0.0 && length > 0 && length < (int)sizeof title)
        (void)kane_snprintf(title + length, sizeof title - (size_t)length, ", radius %g m, cant %g m", 1.0 / curvature,
                            s->study->superelevation);
    (void)snprintf(y_label, sizeof y_label, "lateral amplitude, %s [mm]",
                   d->wheelset < 0 ? "largest of all wheelsets" : s->report->wheelset[d->wheelset]);
    const kane_plot_panel panel = {
        .x_label = "speed [m/s]", .y_label = y_label, .curve_count = d->curve_count, .curves = d->curves};
    const kane_plot plot = {.title = title, .height = 480, .panel_count = 1, .panels = &panel};
    kane_status status   = KANE_OK;
    for (int i = 0; i < 2 && status == KANE_OK; i++) {
        (void)snprintf(file, sizeof file, "%s/critical.%s", s->study->directory, ends[i]);
        status = kane_plot_draw(&plot, file, errors);
    }
    return status;
}

kane_status draw_points(const search *s, kane_errors *errors)
{
    const kane_critical_result *r = &s->report->result;
    const branch *b               = s->report->branch;
    diagram d         = {.search = s, .wheelset = kane_critical_report_find_wheelset(s->report, s->study->wheelset)};
    const size_t most = 3 * (size_t)(b[0].count + b[1].count) + 1;
    double *room      = kane_allocate(8 * most, sizeof *room);
    if (!room)
        return kane_no_memory(errors);
    find_axis_spans(&d);
    for (int i = 0; i < KANE_SWEEPS; i++) {
        double *own   = room + 4 * most * (size_t)i;
        line lines[2] = {{own, own + most, 0}, {own + 2 * most, own + 3 * most, 0}};
        add_sweep(&d, (kane_sweep)i, lines);
    }
    add_jump(&d, &b[KANE_SWEEP_DOWN], isfinite(r->none) ? r->nonlinear : (double)NAN, KANE_SWEEP_DOWN, 1);
    add_jump(&d, &b[KANE_SWEEP_UP], isfinite(r->rest) ? r->jump : (double)NAN, KANE_SWEEP_UP, 0);
    if (isfinite(r->linear))
        add_line(&d, "linear critical speed", (double[]){r->linear, r->linear}, (double[]){0.0, fmax(d.height, 1.0)},
                 KANE_SOLID, 2);
    const kane_status status = draw_diagram(&d, errors);
    kane_release(room);
    return status;
}
