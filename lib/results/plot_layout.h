// SPDX-License-Identifier: MIT
// Where everything of a picture is, in pixels from its upper left corner.

#ifndef KANE_RESULTS_PLOT_LAYOUT_H
#define KANE_RESULTS_PLOT_LAYOUT_H

#include <kane/results.h>

#include "results/plot_axis.h"

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

#endif
