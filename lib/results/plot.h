// SPDX-License-Identifier: MIT
// Pictures: axes and units, layout, curves and maps, scripts for gnuplot.

#ifndef KANE_RESULTS_PLOT_H
#define KANE_RESULTS_PLOT_H

#include <kane/base.h>
#include <kane/results.h>

#include "base/arena.h"
#include "base/number.h"

#include <stddef.h>
#include <stdio.h>

// === The range of an axis, its unit of ten, and where its ticks are.

// Everything that is drawn is divided by 10^ten first, so that labels are short and nothing overflows. On a logarithmic
// axis it is the decimal logarithm instead.
typedef struct kane_plot_axis {
    double low, high; // ends, divided
    int ten;          // 0 or a multiple of 3
    double step;      // between ticks, divided: 1, 2 or 5 times a power of ten; whole numbers of decades
    int digits;       // of the labels behind the point
    int is_log;
} kane_plot_axis;

enum { KANE_TICK_SIZE = 48 }; // buffer for the label of a tick

// An axis for values from `least` to `greatest` (both finite) with a margin at either end [part of the span] and about
// `ticks` ticks.
//
// Values whose span is below 1e-9 (of any SI unit) or below 1e-7 of the greatest magnitude are one constant and
// round-off: the axis then reaches a tenth of that magnitude to either side, or from -1 to 1 where the magnitude too is
// below 1e-9. So noise is drawn as the flat line it stands for; to see so little, draw it in a smaller unit
// or as a difference. What is drawn is never changed, only how far the axis zooms in.
kane_plot_axis kane_plot_axis_make(double least, double greatest, double margin, int ticks);

// The same for logarithms of values (both above zero): whole decades, or as far as the values go if that is more than
// one.
kane_plot_axis kane_plot_axis_make_log(double least, double greatest, int is_tight, int ticks);

// Takes another unit of ten, and about `ticks` ticks.
void kane_plot_axis_rescale(kane_plot_axis *axis, int ten, int ticks);

// value / 10^axis->ten, or log10(value): NaN where there is none
double kane_plot_axis_divide(const kane_plot_axis *axis, double value);

// Ticks are the multiples k of the step from *first to *last.
void kane_plot_axis_ticks(const kane_plot_axis *axis, long *first, long *last);

// Position of tick k, divided, and its label.
double kane_plot_axis_tick(const kane_plot_axis *axis, long k, char label[KANE_TICK_SIZE]);

// The unit of ten, e.g. "×10⁻³"; empty if it is one.
void kane_plot_axis_factor(const kane_plot_axis *axis, char text[KANE_NUMBER_SIZE]);

// === Labels of axes, "Q [N]": units as they are written by hand, with the SI prefix that makes their numbers short.

// The power of ten (0 or a multiple of 3) for numbers of a magnitude behind a label whose unit can have a prefix: kN
// from 1000 N on, mm below 0.1 m. `otherwise` if it cannot have that one.
int kane_plot_unit_ten(const char *label, double magnitude, int otherwise);

// The label of an axis that is divided by 10^ten: "Q [kN]", "a [m/s²]". What no prefix can say is left in `factor`,
// "×10⁻³", else that is empty.
void kane_plot_unit_label(const char *label, int ten, size_t size, char *text, char factor[KANE_NUMBER_SIZE]);

// 1: the label says 10^ten by a prefix.
int kane_plot_unit_has_prefix(const char *label, int ten);

// "×10⁻³"; empty if it is one.
void kane_plot_unit_factor(int ten, char text[KANE_NUMBER_SIZE]);

// === Pictures that grow: panels below each other, added one by one, with curves or a map in each.

// All that a picture needs lives in its arena; what cannot be had (no memory) is reported when it is drawn, and until
// then a panel is -1 and what is added to it is left out.
typedef struct kane_figure {
    kane_arena *arena;
    kane_plot plot; // its title and size may be set
    int room;
    struct kane_figure_panel *panels;
} kane_figure;

kane_figure kane_figure_begin(void);

// A text of the picture, so many zeros, and room for so many texts; NULL without memory.
const char *kane_figure_text(kane_figure *figure, const char *format, ...) KANE_PRINTF(2, 3);
double *kane_figure_values(kane_figure *figure, size_t count);
const char **kane_figure_texts(kane_figure *figure, int count);

// The number of a new panel. Its texts, and those of curves and maps, live until the picture is drawn.
int kane_figure_add(kane_figure *figure, const char *title, const char *x_label, const char *y_label);
void kane_figure_curve(kane_figure *figure, int panel, kane_plot_curve curve);
void kane_figure_map(kane_figure *figure, int panel, kane_plot_map map);
void kane_figure_bars(kane_figure *figure, int panel, kane_plot_bars bars);

// Scales of a panel's axes; linear if nothing is said.
void kane_figure_scale(kane_figure *figure, int panel, kane_plot_scale x, kane_plot_scale y);

// A curve and its points.
void kane_figure_marked(kane_figure *figure, int panel, kane_plot_curve curve);

// The panel itself, for what else it can have.
kane_plot_panel *kane_figure_panel(kane_figure *figure, int panel); // NULL of -1

// Draws it into a file. KANE_NO_MEMORY with an error if something was left out.
kane_status kane_figure_draw(kane_figure *figure, const char *file, kane_errors *errors);

void kane_figure_drop(kane_figure *figure);

// === What the axis of several channels is called.

// What two names end in: "left.Q" of "a.left.Q" and "b.left.Q"; "" if their last parts differ. Points into `a`.
const char *kane_plot_common_end(const char *a, const char *b);

// "Q [N]" of channels whose names have the end in common; "force [N]" if that is "".
void kane_plot_axis_label(const char *common, const char *unit, size_t size, char *label);

// === Leaves out points of a curve that cannot be seen.

enum { KANE_PLOT_GAP = -1 };

// Which points of a curve are drawn on an area of width x height pixels: their indices in their order, and
// KANE_PLOT_GAP where the line is interrupted because x or y is not finite.
//   lines     of those that follow each other within a column of pixels: the first, the lowest, the highest, the last
//   points    one of each pixel
//   selected  [curve->count], filled
// Returns how many; -1 if there is no memory.
int kane_plot_thin(const kane_plot_curve *curve, const kane_plot_axis *x, const kane_plot_axis *y, int width,
                   int height, int *selected);

// === Texts, numbers and places in a script for gnuplot.

typedef enum kane_picture_kind { KANE_SVG, KANE_PNG } kane_picture_kind;

typedef struct kane_plot_pen {
    FILE *out;
    kane_picture_kind kind;
    int width, height; // of the picture [pixels]
} kane_plot_pen;

// A text unchanged, in quotes; what XML cannot hold is replaced.
void kane_pen_text(const kane_plot_pen *s, const char *text);

// A number of 12 digits, with a point whatever the locale of the caller says.
void kane_pen_number(const kane_plot_pen *s, double value);

// A place [pixels from the upper left corner].
void kane_pen_place(const kane_plot_pen *s, int x, int y);

// A label, in smaller letters if it is longer than `room` pixels. how: alignment and the like; NULL or "": no label.
void kane_pen_label(const kane_plot_pen *s, const char *text, int x, int y, int room, const char *how);

// === Where everything of a picture is, in pixels from its upper left corner.

enum {
    KANE_PLOT_FONT   = 13, // size of letters [pixels]
    KANE_PLOT_LINE   = 19, // height of a line of text
    KANE_PLOT_SAMPLE = 30  // length of a piece of line in the key
};

// The key of a panel: entries in columns, to the right of the panel or below it.
typedef struct kane_plot_key {
    int count;          // curves with a label
    int shown;          // entries that have room; if not all, the last one says how many more there are
    int columns, width; // of a column
    int left, top;      // of the first entry
} kane_plot_key;

// A map beside its area.
typedef struct kane_plot_map_place {
    kane_plot_axis bar; // what colours mean; of decades the powers of ten
    int is_cut;         // decades: there is something below the lowest one
    int bar_width;      // with its texts; 0: no map
    int x_turned;       // texts below the columns stand upright
    int x_every;        // only every so many of them has room
    int y_every;
    int x_height; // of these texts
} kane_plot_map_place;

// Panels below each other have the same left edge, and the same right one unless their own scale makes them narrower.
typedef struct kane_plot_place {
    int top, bottom, left, right; // of the area in which curves are
    kane_plot_map_place map;
    int has_x_texts; // ticks and label of the horizontal axis are written: not where the panel below has the same
    kane_plot_axis x, y;
    kane_plot_key key;
} kane_plot_place;

typedef struct kane_plot_layout {
    int width, height, left, right;
    kane_plot_place *panels; // [plot->panel_count]
} kane_plot_layout;

// Fills a layout. KANE_BAD_ARGUMENT where so many panels do not fit into the picture.
kane_status kane_plot_layout_make(const kane_plot *plot, kane_plot_layout *layout, kane_errors *errors);
void kane_plot_layout_clear(kane_plot_layout *layout);

// About how wide a text is; its letters may have other widths in the reader's font [pixels].
int kane_plot_text_width(const char *text, int font);

// === Maps: tables as coloured cells, with a bar that says what the colours mean.

// Of the layout: axes and the bar's width; how wide the texts beside rows are in a picture of this width; what room
// there is for texts once the width of the area, then its height is known.
void kane_plot_map_measure(const kane_plot_map *map, int ticks, kane_plot_place *place);
int kane_plot_rows_left(int rows, const char *const *texts, int width);
void kane_plot_map_place_x(const kane_plot_map *map, int width, kane_plot_map_place *place);
void kane_plot_map_place_y(const kane_plot_map *map, kane_plot_place *place);

// Of the script: texts beside rows, every so many of which has room; ranges and texts of the cells; the cells and their
// bar.
void kane_plot_row_texts(const kane_plot_pen *s, int rows, const char *const *texts, int every,
                         const kane_plot_place *at);
void kane_plot_map_ticks(const kane_plot_pen *s, const kane_plot_layout *l, const kane_plot_map *map,
                         const kane_plot_place *at);
kane_status kane_plot_map_write(const kane_plot_pen *s, const kane_plot_layout *l, const kane_plot_map *map,
                                const kane_plot_place *at);

// The line on which a table [rows][columns] has a level, linear along the edges of squares of four neighbours; a square
// with a value that is not finite has none of it. Segments [4 x 2 (rows - 1) (columns - 1)]: column and row of their
// beginning and end, counted from the first one. Returns their number. (plot_contour.c)
int kane_plot_contour(int columns, int rows, const double *values, double level, double *segments);

// Colour of a value, 0xRRGGBB.
unsigned kane_plot_map_colour(const kane_plot_map *map, const kane_plot_map_place *place, double value);

// === A plot as a script for gnuplot.

// Writes the script with all data in it; gnuplot draws to its standard output.
kane_status kane_plot_script(const kane_plot *plot, kane_picture_kind kind, FILE *out, kane_errors *errors);

// === Runs gnuplot as a program, without a shell and without pipes.

// A file without a name, open for reading and writing, that vanishes when it is closed. -1 with an error.
int kane_gnuplot_file(kane_errors *errors);

// Runs gnuplot on a script and waits for it, at most `limit` seconds; what it draws goes into `picture`. Both are
// descriptors of files without names; the script is read from its beginning. `end` is in the last bytes of a picture
// that is whole. What gnuplot complains about becomes the text of the error.
kane_status kane_gnuplot_run(int script, int picture, const char *end, double limit, kane_errors *errors);

#endif
