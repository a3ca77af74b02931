// SPDX-License-Identifier: MIT
// Where everything of a picture is, in pixels from its upper left corner.

#include "results/plot.h"

#include "base/arena.h"

#include <math.h>
#include <string.h>

enum {
    LINE         = KANE_PLOT_LINE,
    GAP          = 8,  // between things
    SMALLEST     = 40, // height of an area
    WIDTH        = 900,
    PANEL_HEIGHT = 360,
    HIGHEST      = 8000, // picture that grows with its keys
    TALLEST      = 900,  // sum of the areas of panels of one scale
    TICK_X       = 70,   // pixels between ticks, at least
    TICK_Y       = 30,
    TICK_OWN     = 36 // of one scale both ways
};

static const double MARGIN  = 0.05; // above and below the curves
static const double NOTHING = 1e-9; // what is smaller is drawn as nothing (plot.h)

int kane_plot_text_width(const char *text, int font)
{
    int letters = 0;
    for (const char *c = text ? text : ""; *c; c++)
        letters += ((unsigned char)*c & 0xC0) != 0x80; // what begins a character of UTF-8
    return (int)ceil(0.6 * font * letters);
}

// --- axes ---

typedef struct range {
    double least, greatest;
} range;

static void extend_range(range *r, double value)
{
    r->least    = fmin(r->least, value);
    r->greatest = fmax(r->greatest, value);
}

// Whether an axis cannot show a value: not finite, or not positive on a logarithmic axis.
static int is_nowhere(kane_plot_scale scale, double value)
{
    return !isfinite(value) || (scale == KANE_PLOT_LOG && !(value > 0.0));
}

static void widen_by(range *x, range *y, const kane_plot_panel *panel)
{
    const kane_plot_bars *bars = panel->bars;
    for (int i = 0; bars && i < bars->count; i++)
        if (isfinite(bars->values[i])) {
            const double error = isfinite(bars->errors[i]) ? bars->errors[i] : 0.0;
            extend_range(x, 0.0);
            extend_range(x, bars->values[i] - error);
            extend_range(x, bars->values[i] + error);
        }
    for (int c = 0; c < panel->curve_count; c++) {
        const kane_plot_curve *curve = &panel->curves[c];
        for (int i = 0; i < curve->count; i++)
            if (!is_nowhere(panel->x_scale, curve->x[i]) && !is_nowhere(panel->y_scale, curve->y[i])) {
                extend_range(x, curve->x[i]);
                extend_range(y, curve->y[i]);
            }
    }
}

// Panels in one scale are at least this part as wide and as high as the widest, whatever is in them.
static const double THINNEST = 0.08;

static double widest_span(const kane_plot *plot)
{
    double widest = 0.0;
    for (int p = 0; p < plot->panel_count; p++) {
        range x = {(double)INFINITY, -(double)INFINITY}, y = x;
        if (plot->panels[p].same_scale != 2)
            continue;
        widen_by(&x, &y, &plot->panels[p]);
        widest = fmax(widest, fmax(x.greatest - x.least, y.greatest - y.least));
    }
    return widest;
}

static void set_least_width(range *r, double span)
{
    const double more = 0.5 * (span - (r->greatest - r->least));
    if (more > 0.0 && r->least <= r->greatest)
        *r = (range){r->least - more, r->greatest + more};
}

// In the unit that its label can be given. A margin of 0 is that of a horizontal axis.
static kane_plot_axis axis_of(range r, kane_plot_scale scale, const char *label, double margin, int ticks)
{
    const int empty = !(r.least <= r.greatest);
    if (scale == KANE_PLOT_LOG)
        return kane_plot_axis_make_log(empty ? 1.0 : r.least, empty ? 10.0 : r.greatest, margin == 0.0, ticks);
    kane_plot_axis axis = kane_plot_axis_make(empty ? -1.0 : r.least, empty ? 1.0 : r.greatest, margin, ticks);
    if (!empty) {
        const double most = fmax(fabs(r.least), fabs(r.greatest));
        kane_plot_axis_rescale(&axis, most < NOTHING ? 0 : kane_plot_unit_ten(label, most, axis.ten), ticks);
    }
    return axis;
}

static int is_same(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

// One horizontal axis for this panel and the one below where both have the same label.
static int shares_x(const kane_plot *plot, int p)
{
    const kane_plot_panel *a = &plot->panels[p], *b = a + 1;
    return p + 1 < plot->panel_count && !a->map && !b->map && !a->bars && !b->bars && !a->beside && !b->beside &&
           a->same_scale == b->same_scale && a->same_scale != 2 && a->x_scale == b->x_scale &&
           is_same(a->x_label, b->x_label);
}

// --- edges ---

static int widest_tick(const kane_plot_axis *axis)
{
    char label[KANE_TICK_SIZE];
    long first, last;
    int widest = 0;
    kane_plot_axis_ticks(axis, &first, &last);
    for (long k = first; k <= last; k++) {
        (void)kane_plot_axis_tick(axis, k, label);
        const int width = kane_plot_text_width(label, KANE_PLOT_FONT);
        widest          = width > widest ? width : widest;
    }
    return widest;
}

static void size_key(const kane_plot_panel *panel, kane_plot_key *key)
{
    for (int c = 0; c < panel->curve_count; c++) {
        const char *label = panel->curves[c].label;
        if (!label || !label[0])
            continue;
        const int width = KANE_PLOT_SAMPLE + 3 * GAP + kane_plot_text_width(label, KANE_PLOT_FONT);
        key->width      = width > key->width ? width : key->width;
        key->count++;
    }
}

// Keys are to the right if the widest of them leaves most of the width to the curves, and the longest is no higher than
// its panel; else they are below. The bar of a map is always to its right.
static int is_key_right(const kane_plot *plot, const kane_plot_layout *l, int *width)
{
    const int room = (int)(0.75 * l->height / plot->panel_count) - 2 * LINE;
    int bar        = 0;
    *width         = 0;
    for (int p = 0; p < plot->panel_count; p++)
        bar = l->panels[p].map.bar_width > bar ? l->panels[p].map.bar_width : bar;
    for (int p = 0; p < plot->panel_count; p++) {
        const kane_plot_key *key = &l->panels[p].key;
        if (plot->panels[p].same_scale == 2) {
            *width = bar;
            return 0;
        }
        *width = key->width > *width ? key->width : *width;
        if (key->count * LINE > room || *width > (int)(0.3 * l->width)) {
            *width = bar;
            return 0;
        }
    }
    *width = *width > bar ? *width : bar;
    return 1;
}

// A picture whose height was not asked for grows with its keys; in others a key has a third of its panel's part.
static void place_keys_below(const kane_plot *plot, kane_plot_layout *l)
{
    const int most_rows = (int)(0.35 * l->height / plot->panel_count / LINE);
    for (int p = 0; p < plot->panel_count; p++) {
        kane_plot_key *key = &l->panels[p].key;
        if (key->count == 0)
            continue;
        const int room   = l->right - l->left;
        const int widest = key->count > 8 ? room / 2 : room; // of many entries long ones are shortened
        key->width       = key->width < widest ? key->width : widest;
        key->columns     = room / key->width < key->count ? room / key->width : key->count;
        key->left        = l->left;
        const int rows   = (key->count + key->columns - 1) / key->columns;
        const int extra  = (rows - 2) * LINE; // two rows have room
        if (!plot->height && extra > 0 && l->height + extra <= HIGHEST) {
            l->height += extra;
            key->shown = key->count;
            continue;
        }
        const int most = key->columns * (most_rows > 0 ? most_rows : 1);
        key->shown     = key->count < most ? key->count : most;
    }
}

static void place_keys_right(const kane_plot *plot, kane_plot_layout *l)
{
    for (int p = 0; p < plot->panel_count; p++) {
        kane_plot_key *key = &l->panels[p].key;
        key->shown         = key->count;
        key->columns       = key->count ? 1 : 0;
        key->left          = l->right + 2 * GAP;
    }
}

// --- the panels from the top down ---

// Everything of a panel but its area.
static int height_above(const kane_plot_panel *panel)
{
    return panel->title && panel->title[0] ? 2 * LINE + GAP / 2 : LINE + GAP / 2; // one line is for the unit of ten
}

static int key_rows(const kane_plot_key *key)
{
    return key->columns ? (key->shown + key->columns - 1) / key->columns : 0;
}

static int height_below(const kane_plot_place *place, const char *label, int key_right)
{
    const int rows  = key_right ? 0 : key_rows(&place->key);
    const int ticks = place->map.bar_width ? place->map.x_height : LINE;
    const int texts = place->has_x_texts ? ticks + (label && label[0] ? LINE + GAP / 2 : 0) + GAP / 2 : 0;
    return texts + rows * LINE + (rows ? GAP : 0);
}

static double span_of(const kane_plot_axis *axis)
{
    return axis->high - axis->low;
}

// Height that a panel's own scale gives it; 0 if it takes a part of what is left.
static int own_height(const kane_plot_layout *l, const kane_plot_panel *panel, const kane_plot_place *place)
{
    const double ten = pow(10.0, place->y.ten - place->x.ten), own = span_of(&place->y) / span_of(&place->x) * ten;
    return panel->same_scale ? (int)fmax(SMALLEST, fmin((place->right - place->left) * own, l->height)) : 0;
}

// Number of panels side by side from the p-th on.
static int row_size(const kane_plot *plot, int p)
{
    int size = 1;
    while (p + size < plot->panel_count && plot->panels[p + size].beside)
        size++;
    return size;
}

// Left and right edges: of panels of one scale as wide as the fullest row of them lets all be.
static void place_across(const kane_plot *plot, kane_plot_layout *l)
{
    const int gutter = l->left + GAP; // before a panel that stands beside another
    double scale = (double)INFINITY, spans = 0.0;
    for (int p = 0; p < plot->panel_count; p++) {
        l->panels[p].left  = l->left;
        l->panels[p].right = l->right;
    }
    for (int p = 0, row = 1; p < plot->panel_count; p += row) {
        double across = 0.0, up = 0.0;
        row = row_size(plot, p);
        for (int k = p; k < p + row && plot->panels[k].same_scale == 2; k++) {
            across += span_of(&l->panels[k].x);
            up = fmax(up, span_of(&l->panels[k].y));
        }
        spans += up;
        scale = across > 0.0 ? fmin(scale, (l->right - l->left - (row - 1) * gutter) / across) : scale;
    }
    if (!isfinite(scale))
        return;
    scale = fmin(scale, TALLEST / spans);
    for (int p = 0; p < plot->panel_count; p++) {
        kane_plot_place *place = &l->panels[p];
        if (plot->panels[p].same_scale != 2)
            continue;
        if (plot->panels[p].beside && p > 0)
            place->left = place[-1].right + gutter;
        place->right = place->left + (int)(scale * span_of(&place->x));
        kane_plot_axis_rescale(&place->x, 0, (int)(scale * span_of(&place->x) / TICK_OWN));
        kane_plot_axis_rescale(&place->y, 0, (int)(scale * span_of(&place->y) / TICK_OWN));
    }
}

// Heights of a row of panels: what is above its areas, the areas (0: a part of what is left), what is below.
typedef struct row {
    int above, area, below;
} row;

static row measure_row(const kane_plot *plot, const kane_plot_layout *l, int p, int count, int key_right)
{
    row r = {0, 0, 0};
    for (int k = p; k < p + count; k++) {
        const int above = height_above(&plot->panels[k]), own = own_height(l, &plot->panels[k], &l->panels[k]);
        const int below = height_below(&l->panels[k], plot->panels[k].x_label, key_right);
        r.above         = above > r.above ? above : r.above;
        r.area          = own > r.area ? own : r.area;
        r.below         = below > r.below ? below : r.below;
    }
    return r;
}

static kane_status no_room(const kane_plot *plot, const kane_plot_layout *l, kane_errors *errors)
{
    kane_errors_add(errors, KANE_BAD_ARGUMENT, "%d panels do not fit into a picture of %d x %d pixels",
                    plot->panel_count, l->width, l->height);
    return KANE_BAD_ARGUMENT;
}

static kane_status stack_rows(const kane_plot *plot, kane_plot_layout *l, int key_right, kane_errors *errors)
{
    const int above = plot->title && plot->title[0] ? LINE + GAP : 0;
    int taken = above + GAP, sharing = 0;
    for (int p = 0, count = 1; p < plot->panel_count; p += count) {
        count       = row_size(plot, p);
        const row r = measure_row(plot, l, p, count, key_right);
        taken += r.above + r.area + r.below;
        sharing += r.area == 0;
    }
    if (!sharing && !plot->height && plot->panels[0].same_scale == 2)
        l->height = taken;
    const int area = (l->height - taken) / (sharing ? sharing : 1);
    if (sharing ? area < SMALLEST : area < 0)
        return no_room(plot, l, errors);
    for (int p = 0, count = 1, y = above; p < plot->panel_count; p += count) {
        count       = row_size(plot, p);
        const row r = measure_row(plot, l, p, count, key_right);
        for (int k = p; k < p + count; k++) {
            kane_plot_place *place = &l->panels[k];
            const int own          = own_height(l, &plot->panels[k], place);
            if (place->right - place->left < SMALLEST)
                return no_room(plot, l, errors);
            place->bottom  = y + r.above + (r.area ? r.area : area);
            place->top     = place->bottom - (own ? own : area);
            place->key.top = key_right ? place->top : place->bottom + r.below - key_rows(&place->key) * LINE;
        }
        y += r.above + (r.area ? r.area : area) + r.below;
    }
    return KANE_OK;
}

// Axes and sizes of keys: they come first since they do not depend on the positions of panels, but for the number of
// ticks.
static void measure_axes(const kane_plot *plot, kane_plot_layout *l)
{
    const int ticks_x = (int)(0.75 * l->width / TICK_X), ticks_y = (int)(0.75 * l->height / plot->panel_count / TICK_Y);
    const range nothing = {(double)INFINITY, -(double)INFINITY};
    const double thin   = THINNEST * widest_span(plot);
    range shared        = nothing;
    for (int p = 0, first = 0; p < plot->panel_count; p++) {
        kane_plot_place *place       = &l->panels[p];
        const kane_plot_panel *panel = &plot->panels[p];
        range x = nothing, y = nothing;
        widen_by(&x, &y, panel);
        const int is_own = panel->same_scale == 2; // in one unit both ways
        if (is_own) {
            set_least_width(&x, thin);
            set_least_width(&y, thin);
        }
        place->y           = axis_of(y, panel->y_scale, is_own ? NULL : panel->y_label, MARGIN, ticks_y);
        place->has_x_texts = !shares_x(plot, p);
        shared             = (range){fmin(shared.least, x.least), fmax(shared.greatest, x.greatest)};
        size_key(&plot->panels[p], &place->key);
        if (panel->map)
            kane_plot_map_measure(panel->map, ticks_y, place);
        else if (panel->bars)
            place->y = (kane_plot_axis){.low = 0.0, .high = panel->bars->count, .step = 1.0};
        if (!place->has_x_texts)
            continue;
        for (; first <= p; first++)
            if (!plot->panels[first].map)
                l->panels[first].x =
                    axis_of(shared, panel->x_scale, is_own ? NULL : panel->x_label, is_own ? MARGIN : 0.0, ticks_x);
        if (is_own) {
            kane_plot_axis_rescale(&place->x, 0, ticks_x);
            kane_plot_axis_rescale(&place->y, 0, ticks_y);
        }
        shared = nothing;
    }
}

kane_status kane_plot_layout_make(const kane_plot *plot, kane_plot_layout *l, kane_errors *errors)
{
    int key_width, widest = 0;
    l->width  = plot->width ? plot->width : WIDTH;
    l->height = plot->height ? plot->height : PANEL_HEIGHT * plot->panel_count;
    l->panels = kane_allocate((size_t)plot->panel_count, sizeof *l->panels);
    if (!l->panels)
        return kane_no_memory(errors);
    measure_axes(plot, l);
    for (int p = 0; p < plot->panel_count; p++) {
        const kane_plot_map *map   = plot->panels[p].map;
        const kane_plot_bars *bars = plot->panels[p].bars;
        const int width            = map    ? kane_plot_rows_left(map->rows, map->y_texts, l->width)
                                     : bars ? kane_plot_rows_left(bars->count, bars->texts, l->width)
                                            : widest_tick(&l->panels[p].y);
        widest                     = width > widest ? width : widest;
    }
    const int key_right = is_key_right(plot, l, &key_width);
    l->left             = GAP + LINE + GAP + widest + 2 * GAP;
    l->right            = l->width - 3 * GAP - key_width;
    if (l->right - l->left < SMALLEST)
        return no_room(plot, l, errors);
    place_across(plot, l);
    for (int p = 0; p < plot->panel_count; p++)
        if (plot->panels[p].map)
            kane_plot_map_place_x(plot->panels[p].map, l->right - l->left, &l->panels[p].map);
    if (key_right)
        place_keys_right(plot, l);
    else
        place_keys_below(plot, l);
    const kane_status status = stack_rows(plot, l, key_right, errors);
    for (int p = 0; p < plot->panel_count; p++)
        if (plot->panels[p].map)
            kane_plot_map_place_y(plot->panels[p].map, &l->panels[p]);
    return status;
}

void kane_plot_layout_clear(kane_plot_layout *l)
{
    kane_release(l->panels);
    l->panels = NULL;
}
