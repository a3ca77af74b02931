// SPDX-License-Identifier: MIT
// Where a wheel and a rail overlap: the deepest places ("lobes") of the overlap p(s) along the wheel's profile.

#ifndef KANE_CONTACT_SEARCH_H
#define KANE_CONTACT_SEARCH_H

#include "contact/silhouette.h"
#include "contact/window.h"

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
    lobe at[KANE_LOBES_SEEN];       // by s; beyond KANE_LOBES_MAX they are for the search itself
    const double *p;                // at the coarse nodes from the first valley to the last, of first order in T [m]
    double nodes[KANE_WHEEL_NODES]; // these, unless the lobes are those of another pose, followed
} lobes;

// All lobes with p > 0, of more than KANE_LOBES_MAX those that rise most over the valleys beside them. Depends on the arguments alone.
void kane_lobes_search(const silhouette *g, const window_table *windows, lobes *found);

// The same lobes after a displacement of the wheel that is small against their depth. `before` must outlive `after`.
void kane_lobes_follow(const silhouette *g, const lobes *before, lobes *after);

#endif
