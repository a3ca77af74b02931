// SPDX-License-Identifier: MIT
// What kane modes prints and draws.

#ifndef KANE_APPS_MODES_H
#define KANE_APPS_MODES_H

#include "analysis.h"

typedef struct modes_arguments {
    app_analysis_choice choice;
    kane_modes_kind kind;
    int all, shapes;
    int digits;     // significant; negative: all
    double highest; // natural frequency of what is shown [Hz]
    int shape;      // number of the mode to draw; 0: none
    app_outputs outputs;
    const char *view, *page; // --view and the page that it is made of; NULL: none, that of kane
} modes_arguments;

// Modes of one vehicle at one place.
typedef struct modes_found {
    kane_steady *steady; // NULL once it is closed
    kane_linear *linear;
    kane_modes *modes;
} modes_found;

// 0 with errors; then there is nothing to close.
int modes_find(app_analysis *analysis, int index, kane_modes_kind kind, modes_found *found, kane_errors *errors);
void modes_close(modes_found *found);

// Whether a mode is among those that are asked for.
int modes_is_shown(const modes_arguments *arguments, const kane_mode *mode);

// What is written of them, for kane_table_report.
typedef struct modes_report {
    const modes_arguments *arguments;
    const app_analysis *analysis;
    const modes_found *found;
    const char *title;
} modes_report;

// modes_table.c: the modes as tables (returns how many: shapes only where asked for), what text says below them, JSON.
enum { MODES_TABLES = 2 };
int modes_tabulate(const modes_report *report, kane_arena *arena, kane_table tables[MODES_TABLES]);
void modes_print_notes(FILE *out, const void *report);
void modes_write_json(kane_writer *w, const void *report);

// modes_picture.c: eigenvalues in the complex plane; one mode's shape in three views. 0 with errors.
int modes_draw_plane(kane_figure *figure, const void *report, kane_errors *errors);
int modes_draw_shape(kane_figure *figure, const void *report, kane_errors *errors);

// modes_locus.c: kane modes --over.
int modes_locus(const modes_arguments *arguments, app_analysis *analysis, kane_errors *errors);

// === Vehicles as figures of lines, for pictures of shapes: bodies as boxes, deformable ones by their beams or nodes,
// wheels as discs on axles, elements as springs or rods.

typedef enum modes_stroke_kind { MODES_BODY, MODES_NODE, MODES_WHEEL, MODES_ROD, MODES_SPRING } modes_stroke_kind;

// Points of one line, of a spring its two ends.
typedef struct modes_stroke {
    modes_stroke_kind kind;
    int begin, count;
} modes_stroke;

typedef struct modes_figure {
    int point_count, stroke_count;
    kane_vec3 *at[2]; // [point_count] at rest, displaced: vehicle axes [m]
    modes_stroke *strokes;
    double height; // of all of it [m]
} modes_figure;

// Every body as large as the points of its elements reach, displaced at phase 0 of a mode by part of the vehicle's
// height. 0 with errors.
int modes_figure_make(const modes_found *found, int mode, modes_figure *figure, kane_errors *errors);

// A deformable body alone in one of its modes, which looks like something.
int modes_figure_make_alone(const kane_deformable *shape, int mode, modes_figure *figure, kane_errors *errors);

void modes_figure_free(modes_figure *figure);

// Three views of it (modes_picture.c).
void modes_figure_draw(const modes_figure *shape, kane_figure *figure);

#endif
