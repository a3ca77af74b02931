// SPDX-License-Identifier: MIT
// Where a wheel and a rail overlap: the deepest places ("lobes") of the overlap p(s) along the wheel's profile, and windows
// on the profile in which they can be at all.

#ifndef KANE_CONTACT_SEARCH_H
#define KANE_CONTACT_SEARCH_H

#include "contact/silhouette.h"

#include <stdint.h>

// Where on a wheel's profile contact can be at all, for each range of poses: so that most of the profile need not be
// looked at. Never changes a result.

enum { KANE_WINDOW_Y = 64, KANE_WINDOW_ROLL = 12, KANE_WINDOW_YAW = 3, KANE_WINDOW_PARTS = 3 };

// What is looked for: lobes of elastic contact, the places that count for the gap of rigid bodies that touch (gap_places.h).
typedef enum window_kind { WINDOW_LOBES, WINDOW_GAP, WINDOW_KINDS } window_kind;

// Ranges of coarse nodes of the wheel, first and last.
typedef struct window {
    uint64_t marked[(KANE_WHEEL_NODES + 63) / 64]; // while the table is made: one bit for each node
    int count;
    unsigned short first[KANE_WINDOW_PARTS], last[KANE_WINDOW_PARTS];
} window;

// Windows of lobes hold for overlaps of up to this depth, windows of gaps for overlaps of this size at most, of both signs, and for
// places that are so much less deep than the deepest [m].
#define KANE_WINDOW_DEPTH 1.8e-4
#define KANE_WINDOW_TOUCH 5e-5
#define KANE_WINDOW_BELOW 4e-4

typedef struct window_table {
    double y; // the lowest y of the wheel's centre [m]
    window all;
    window at[WINDOW_KINDS][KANE_WINDOW_YAW][KANE_WINDOW_ROLL][KANE_WINDOW_Y];
} window_table;

// y: of the wheel's centre when the wheelset stands in the middle of the track.
void kane_window_table_init(window_table *table, const wheel_table *wheel, const rail_table *rail, double y);

// The window of a pose; the whole wheel for unusual poses.
const window *kane_window_at(const window_table *table, window_kind kind, const silhouette *g);

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

// Where a wheel and a rail overlap: the deepest places ("lobes") of the overlap p(s) along the wheel's profile.

// So many lobes are kept, and so many looked at before.
enum { KANE_LOBES_MAX = 3, KANE_LOBES_SEEN = 8 };

// Contact reaches from a lobe's peak down to this part of its depth (overlap.h says why).
#define KANE_LEVEL 0.35

// `left` and `right` are the valleys toward the neighbouring lobes, or any places with lower p than the levels of the
// lobes on both sides.
typedef struct lobe {
    overlap peak;
    double left, right;     // s [m]
    double left_p, right_p; // p there [m]
    int node;               // the coarse node nearest to the peak
    double above;           // p of the peak less that of the parabola through this node and its neighbours [m]
} lobe;

typedef struct lobes {
    int count;
    lobe at[KANE_LOBES_SEEN];   // by s; beyond KANE_LOBES_MAX they are for the search itself
    double p[KANE_WHEEL_NODES]; // at the coarse nodes from the first valley to the last, of first order in T [m]
} lobes;

// All lobes with p > 0, of more than KANE_LOBES_MAX those that rise most over the valleys beside them. Depends on the arguments alone.
void kane_lobes_search(const silhouette *g, const window_table *windows, lobes *found);

#endif
