// SPDX-License-Identifier: MIT
// Where on a wheel's profile contact can be at all, for each range of poses: so that most of the profile need not be
// looked at. Never changes a result.

#ifndef KANE_CONTACT_WINDOW_H
#define KANE_CONTACT_WINDOW_H

#include "contact/silhouette.h"

#include <stdint.h>

enum { KANE_WINDOW_Y = 64, KANE_WINDOW_ROLL = 12, KANE_WINDOW_YAW = 3, KANE_WINDOW_PARTS = 3 };

// Ranges of coarse nodes of the wheel, first and last.
typedef struct window {
    uint64_t marked[(KANE_WHEEL_NODES + 63) / 64]; // while the table is made: one bit for each node
    int count;
    unsigned short first[KANE_WINDOW_PARTS], last[KANE_WINDOW_PARTS];
} window;

// The windows hold for overlaps of up to this depth [m].
#define KANE_WINDOW_DEPTH 1.8e-4

typedef struct window_table {
    double y; // the lowest y of the wheel's centre [m]
    window all;
    window at[KANE_WINDOW_YAW][KANE_WINDOW_ROLL][KANE_WINDOW_Y];
} window_table;

// y: of the wheel's centre when the wheelset stands in the middle of the track.
void kane_window_table_init(window_table *table, const wheel_table *wheel, const rail_table *rail, double y);

// The window of a pose; the whole wheel for unusual poses.
const window *kane_window_at(const window_table *table, const silhouette *g);

// Overlap at the coarse nodes first to last, p[i] at node first + i; of first order in T only, for looking around.
void kane_window_scan(const silhouette *g, int first, int last, double *restrict p);

// How deep the overlap can be between node i and its neighbours: a quarter of the largest second difference around more
// than at the node. That is twice what a parabola has, enough where a profile's curvature jumps.
static inline double window_depth(const double *p, int count, int i)
{
    const int first = i > 2 ? i - 1 : 1, last = i < count - 3 ? i + 1 : count - 2;
    double bend = 0.0;
    for (int k = first; k <= last; k++) {
        const double here = 2.0 * p[k] - p[k - 1] - p[k + 1];
        bend              = here > bend ? here : bend;
    }
    return p[i] + 0.25 * bend;
}

// The largest overlap: four at a time, none of which waits for the others.
static inline double window_largest(int count, const double *p)
{
    double most[4] = {p[0], p[0], p[0], p[0]};
    int i          = 0;
    for (; i + 4 <= count; i += 4)
        for (int k = 0; k < 4; k++)
            most[k] = p[i + k] > most[k] ? p[i + k] : most[k];
    for (; i < count; i++)
        most[0] = p[i] > most[0] ? p[i] : most[0];
    const double a = most[0] > most[1] ? most[0] : most[1], b = most[2] > most[3] ? most[2] : most[3];
    return a > b ? a : b;
}

#endif
