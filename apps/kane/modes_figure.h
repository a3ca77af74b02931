// SPDX-License-Identifier: MIT
// Vehicles as figures of lines, for pictures of shapes: bodies as boxes, deformable ones by their beams or nodes, wheels as discs on
// axles, elements as springs or rods.

#ifndef KANE_APPS_MODES_FIGURE_H
#define KANE_APPS_MODES_FIGURE_H

#include "modes.h"

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

// Every body as large as the points of its elements reach, displaced at phase 0 of a mode by part of the vehicle's height.
// 0 with errors.
int modes_figure_make(const modes_found *found, int mode, modes_figure *figure, kane_errors *errors);

// A deformable body alone in one of its modes, which looks like something.
int modes_figure_make_alone(const kane_deformable *shape, int mode, modes_figure *figure, kane_errors *errors);

void modes_figure_free(modes_figure *figure);

// Three views of it (modes_picture.c).
int modes_figure_draw(const modes_figure *figure, const char *title, const char *picture, kane_errors *errors);

#endif
