// SPDX-License-Identifier: MIT
// The gap of a wheel and its derivatives: what of it is the same for all profiles (rigid_contact.c, gap_curve.c) and for a cone
// on a round rail (cone.c). The places of a wheel that count for its gap, and the contact that they make together.

#ifndef KANE_CONTACT_GAP_PLACES_H
#define KANE_CONTACT_GAP_PLACES_H

#include "contact/moving.h"
#include "contact/search.h"

#define KANE_GAP_DEPTH 2e-5 // D [m]

// So many places are summed side by side, and so many of them at once at most.
enum { BLOCK = 16, LANES = 4 };

static inline double gap_total(const double x[BLOCK])
{
    double t = 0.0;
    for (int i = 0; i < BLOCK; i++)
        t += x[i];
    return t;
}

// Ranges of places, from `first` to before `end`: around nodes that are less than 20 D = KANE_WINDOW_BELOW less deep than
// the deepest, from the node before them to the one behind them. All others weigh less than exp(-20).
typedef struct gap_ranges {
    double top; // overlap of the deepest node [m]
    int count;
    int first[KANE_WHEEL_NODES], end[KANE_WHEEL_NODES];
} gap_ranges;

// Overlaps p at the nodes of a window, each at its place; the largest.
static inline double gap_scan(const silhouette *g, const window *w, double p[KANE_WHEEL_NODES])
{
    double top = -HUGE_VAL;
    for (int k = 0; k < w->count; k++) {
        const int first = w->first[k];
        kane_window_scan(g, first, w->last[k], p + first);
        top = fmax(top, window_largest(w->last[k] + 1 - first, p + first));
    }
    return top;
}

// Whether the overlap at node i is deeper than `least`, or a narrow peak beside it is.
static inline int gap_node_counts(const double *p, int count, int i, double least)
{
    return p[i] >= least ||
           (i > 0 && i < count - 1 && p[i] > p[i - 1] && p[i] >= p[i + 1] && window_depth(p, count, i) >= least);
}

// 0 where the wheel is farther from its rail than 20 mm, and does not touch it in the sense of a constraint.
static inline int gap_ranges_find(const silhouette *g, const window_table *windows, gap_ranges *near)
{
    const wheel_places *places = &g->wheel->places;
    const window *w            = kane_window_at(windows, WINDOW_GAP, g);
    double p[KANE_WHEEL_NODES];
    near->top   = gap_scan(g, w, p);
    near->count = 0;
    if (!(fabs(near->top) < KANE_WINDOW_TOUCH)) {
        w         = &windows->all;
        near->top = gap_scan(g, w, p);
    }
    if (!(near->top > -0.02))
        return 0;
    const double least = near->top - KANE_WINDOW_BELOW;
    for (int k = 0; k < w->count; k++) {
        const double *at = p + w->first[k];
        const int node = w->first[k], count = w->last[k] + 1 - node, end = g->wheel->nodes.count - 1;
        for (int i = 0; i < count; i++) {
            if (!gap_node_counts(at, count, i, least))
                continue;
            const int before = near->count ? near->end[near->count - 1] : -1;
            const int first  = places->from[node + i > 0 ? node + i - 1 : 0];
            while (i < count && gap_node_counts(at, count, i, least))
                i++;
            near->count += first > before;
            const int r = near->count - 1, last = places->from[node + i < end ? node + i : end];
            near->first[r] = first > before ? first : near->first[r];
            near->end[r]   = near->first[r] + (last - near->first[r] + LANES - 1) / LANES * LANES;
            near->end[r]   = near->end[r] < places->count ? near->end[r] : places->count;
        }
    }
    return 1;
}

// Means over the places: of the place on the wheel, of the rail's slope, of the place over the rail's oblique axis and its
// square.
typedef struct gap_mean {
    kane_scalar s, slope, eta, eta2;
} gap_mean;

// The wheel's outline and the rail at the mean place; names as in silhouette.h.
typedef struct gap_outline {
    kane_scalar ex, uy, uz, U, v, R, R1, RR1, eta, rail;
    double radius;
} gap_outline;

// Where and how they touch, whatever the load.
typedef struct gap_spot {
    kane_scalar3 point, normal;
    kane_scalar A, B, radius, wheel_y, rail_y;
} gap_spot;

static inline gap_outline gap_outline_constant(const silhouette *g, double s)
{
    double x;
    const overlap o     = overlap_at(g, s);
    const wheel_cell *w = wheel_cell_at(g->wheel, s, &x);
    const double R      = g->wheel->radius + w->f[0] + x * (w->f[1] + x * (w->f[2] + x * w->f[3]));
    return (gap_outline){ks_constant(g->ex), ks_constant(g->uy),  ks_constant(g->uz), ks_constant(o.U),
                         ks_constant(o.v),   ks_constant(R),      ks_constant(o.R1),  ks_constant(o.RR1),
                         ks_constant(o.eta), ks_constant(o.rail), g->wheel->radius};
}

// The contact point at the mean place, its normal by the mean slope; B from how far the places spread: for a parabola of
// curvature k their variance is D/k.
KANE_INLINE gap_spot gap_spot_of(const gap_outline *o, const gap_mean *m)
{
    const kane_scalar slope = m->slope, spread = ks_sub(m->eta2, ks_mul(m->eta, m->eta));
    const kane_scalar V        = ks_shift(o->v, o->radius);
    const kane_scalar cosine   = ks_inverse(ks_sqrt(ks_shift(ks_mul(slope, slope), 1.0))),
                      meridian = ks_shift(ks_mul(o->R1, o->R1), 1.0);
    const double B             = 0.5 * KANE_GAP_DEPTH / ks_value(spread);
    const kane_scalar spared   = ks_chain(spread, B, -B / ks_value(spread));
    return (gap_spot){.point   = ks3(ks_mul(o->ex, ks_add(m->s, o->RR1)), ks_add(ks_mul(o->U, o->uy), ks_mul(V, o->uz)),
                                     ks_sub(ks_mul(o->U, o->uz), ks_mul(V, o->uy))),
                      .normal  = ks3(ks_constant(0.0),
                                     ks_mul(ks_neg(cosine), ks_shift(ks_scale(KANE_TILT_COS, slope), KANE_TILT_SIN)),
                                     ks_mul(cosine, ks_shift(ks_neg(ks_scale(KANE_TILT_SIN, slope)), KANE_TILT_COS))),
                      .A       = ks_div(ks_scale(0.5, ks_shift(ks_neg(ks_mul(ks_mul(o->ex, o->ex), meridian)), 1.0)),
                                        ks_mul(o->R, ks_sqrt(meridian))),
                      .B       = ks_mul(ks_mul(ks_mul(spared, cosine), cosine), cosine),
                      .radius  = o->R,
                      .wheel_y = m->s,
                      .rail_y  = ks_sub(ks_scale(KANE_TILT_COS, o->eta), ks_scale(KANE_TILT_SIN, o->rail))};
}

enum { GAP_DIRECTIONS = 4 }; // BY_ETA, BY_ZETA, BY_ROLL, BY_EX of side.h

// The gap around a pose, as far as the derivatives of its second derivative along a path need it; side axes.
typedef struct gap_curve {
    double sign; // of y in side axes
    double by[GAP_DIRECTIONS];
    double by_both[GAP_DIRECTIONS][GAP_DIRECTIONS];
    double by_path[GAP_DIRECTIONS]; // third derivatives, twice along the path's rates
    gap_spot spot;                  // with slopes in these directions
} gap_curve;

KANE_INLINE void gap_spot_take(const gap_spot *at, gap_place *place)
{
    place->point   = ks3_value(at->point);
    place->normal  = ks3_value(at->normal);
    place->A       = ks_value(at->A);
    place->B       = ks_value(at->B);
    place->radius  = ks_value(at->radius);
    place->wheel_y = ks_value(at->wheel_y);
    place->rail_y  = ks_value(at->rail_y);
}

#endif
