// SPDX-License-Identifier: MIT
// Pictures of studies: panels below each other, added one by one, with curves or a map in each.

#ifndef KANE_STUDY_FIGURE_H
#define KANE_STUDY_FIGURE_H

#include "study/study.h"

// All that a picture needs lives in its arena; what cannot be had (no memory) is told when it is drawn, and until then a panel
// is -1 and what is added to it is left out.
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
const char *kane_figure_axis(kane_figure *figure, const kane_axis *axis, int has_unit); // kane_axis_label

// The number of a new panel. Its texts, and those of curves and maps, live until the picture is drawn.
int kane_figure_add(kane_figure *figure, const char *title, const char *x_label, const char *y_label);
void kane_figure_curve(kane_figure *figure, int panel, kane_plot_curve curve);
void kane_figure_map(kane_figure *figure, int panel, kane_plot_map map);

// Scales of a panel's axes; linear if nothing is said.
void kane_figure_scale(kane_figure *figure, int panel, kane_plot_scale x, kane_plot_scale y);

// A curve and its points.
void kane_figure_marked(kane_figure *figure, int panel, kane_plot_curve curve);

// Draws DIR/NAME.svg and .png, nothing if there is no panel; in any case the picture is freed. 0 with an error.
int kane_figure_end(kane_figure *figure, const kane_study *study, const char *name);

void kane_figure_drop(kane_figure *figure); // frees it instead

#endif
