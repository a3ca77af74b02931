// SPDX-License-Identifier: MIT
// The page that is drawn of results when no channels are asked for.

#ifndef KANE_APPS_PLOT_PAGE_H
#define KANE_APPS_PLOT_PAGE_H

#include <kane/results.h>

enum { PLOT_PAGE_PANELS = 6, PLOT_PAGE_CURVES = 8 };

// Columns of one panel.
typedef struct plot_page_panel {
    int count, left_out; // columns, and those of the same kind that have no room
    int columns[PLOT_PAGE_CURVES];
} plot_page_panel;

typedef struct plot_page {
    int count;
    plot_page_panel panels[PLOT_PAGE_PANELS];
} plot_page;

// Of a vehicle: lateral displacements of bodies, guiding forces, wheel forces, accelerations of its sensors (of bodies without
// wheels where it has none). Of anything else: coordinates of joints, positions, forces of elements, reactions, energies. Columns that never
// change are left out.
void plot_page_choose(const kane_results *results, plot_page *page);

#endif
