// SPDX-License-Identifier: MIT
// Maps: tables as coloured cells, with a bar that says what the colours mean.

#ifndef KANE_RESULTS_PLOT_MAP_H
#define KANE_RESULTS_PLOT_MAP_H

#include "results/plot_layout.h"
#include "results/plot_pen.h"

// Of the layout: axes and the bar's width; how wide the texts beside the rows are; what room there is for texts once the
// width of the area, then its height is known.
void kane_plot_map_measure(const kane_plot_map *map, int ticks, kane_plot_place *place);
int kane_plot_map_left(const kane_plot_map *map, int width);
void kane_plot_map_place_x(const kane_plot_map *map, int width, kane_plot_map_place *place);
void kane_plot_map_place_y(const kane_plot_map *map, kane_plot_place *place);

// Of the script: ranges and texts of the cells; the cells and their bar.
void kane_plot_map_ticks(const kane_plot_pen *s, const kane_plot_layout *l, const kane_plot_map *map,
                         const kane_plot_place *at);
kane_status kane_plot_map_write(const kane_plot_pen *s, const kane_plot_layout *l, const kane_plot_map *map,
                                const kane_plot_place *at);

// Colour of a value, 0xRRGGBB.
unsigned kane_plot_map_colour(const kane_plot_map *map, const kane_plot_map_place *place, double value);

#endif
