// SPDX-License-Identifier: MIT
// The search for lobes: coarse nodes first, then the deepest places exactly.

#include "contact/search.h"

#include <math.h>

// A place is found when the next step is shorter than this [m]. With that step's corrections the place is then good to
// its second and p to its third order; that is less than 1e-14 m, but for peaks on corners of the wheel's curvature. Small
// differences need more.
static const double close_enough = 1e-7, close_for_differences = 1e-9;

// The place in [low, high] where p is largest (sign 1) or smallest (sign -1): Newton, kept inside by bisection. s, eta
// and p are those of the place itself, all else is of a place within `close`.
static overlap extremum(const silhouette *g, double sign, double low, double high, double start, double close)
{
    overlap o = overlap_at(g, start);
    for (int i = 0; i < 40; i++) {
        const double slope = sign * o.p1, curvature = sign * o.p2;
        if (slope > 0.0)
            low = o.s;
        else
            high = o.s;
        const double step = curvature < 0.0 ? -slope / curvature : 0.0;
        if (curvature < 0.0 && fabs(step) < close) {
            o.s += step;
            o.eta += o.eta1 * step;
            o.p += 0.5 * o.p1 * step;
            break;
        }
        double next = o.s + step;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (!(high - low > 1e-12))
            break;
        o = overlap_at(g, next);
    }
    return o;
}

// Whether extremum() found nothing inside and ran into an end.
static int ran_out(const overlap *o, double low, double high)
{
    return o->s - low < 1e-9 || high - o->s < 1e-9;
}

// Peak at a node that is higher than its neighbours, from the parabola through them. The nodes know yaw to the first
// order only: the peak may lie a little beyond a neighbour. If the overlap rises again there, Newton may have gone after
// that: then the peak is looked for on either side of the node. *top: the parabola's.
static overlap peak_near(const silhouette *g, int node, double before, double here, double after, double *top)
{
    const double s = g->wheel->nodes.s[node], h = g->wheel->nodes.distance, bend = 2.0 * here - before - after;
    const double low = fmax(s - 1.5 * h, g->wheel->first), high = fmin(s + 1.5 * h, g->wheel->last);
    const double start = bend > 0.0 ? 0.5 * (after - before) / bend : 0.0;
    *top               = here + 0.25 * (after - before) * start;
    overlap peak       = extremum(g, 1.0, low, high, s + h * start, close_enough);
    if (ran_out(&peak, low, high)) {
        const overlap left = extremum(g, 1.0, low, s, s - 0.5 * h, close_enough);
        peak               = ran_out(&left, low, s) ? extremum(g, 1.0, s, high, s + 0.5 * h, close_enough) : left;
    }
    return peak;
}

// How far a lobe rises over the higher one of its valleys, or over nothing.
static double rise(const lobe *l)
{
    return l->peak.p - fmax(0.0, fmax(l->left_p, l->right_p));
}

// Takes away the lobe that rises least, since such ones come and go; its deeper valley becomes that of its neighbours.
static void drop_least(lobes *found)
{
    int k = 0;
    for (int i = 1; i < found->count; i++)
        if (rise(&found->at[i]) < rise(&found->at[k]))
            k = i;
    const lobe gone       = found->at[k];
    const int left_deeper = gone.left_p < gone.right_p;
    const double valley   = left_deeper ? gone.left : gone.right;
    const double valley_p = left_deeper ? gone.left_p : gone.right_p;
    if (k > 0) {
        found->at[k - 1].right   = valley;
        found->at[k - 1].right_p = valley_p;
    }
    if (k < found->count - 1) {
        found->at[k + 1].left   = valley;
        found->at[k + 1].left_p = valley_p;
    }
    for (int i = k; i < found->count - 1; i++)
        found->at[i] = found->at[i + 1];
    found->count--;
}

// The lowest of the nodes first to last.
static int lowest(const double *p, int first, int last)
{
    int low = first;
    for (int i = first + 1; i <= last; i++)
        low = p[i] < p[low] ? i : low;
    return low;
}

// Appends the lobes between two coarse nodes. Their valleys are the lowest nodes; beyond the first and the last lobe the
// overlap falls toward the ends of the range.
static void search_range(const silhouette *g, int first, int last, lobes *found)
{
    const double *s = g->wheel->nodes.s + first;
    double *p       = found->nodes + first;
    const int end   = last - first;
    int before      = -1; // node of the last lobe

    kane_window_scan(g, first, last, p);
    for (int i = 0; i < end;) {
        const int low = i;
        while (i < end && p[i + 1] > p[i])
            i++;
        const int node = i;
        while (i < end && !(p[i + 1] > p[i]))
            i++;
        if (node == low || node == end || window_depth(p, end + 1, node) <= 0.0)
            continue;
        double top;
        const overlap peak = peak_near(g, first + node, p[node - 1], p[node], p[node + 1], &top);
        if (!(peak.p > 0.0))
            continue;
        const int valley = before < 0 ? 0 : lowest(p, before, node);
        if (before >= 0) {
            found->at[found->count - 1].right   = s[valley];
            found->at[found->count - 1].right_p = p[valley];
        }
        found->at[found->count++] = (lobe){.peak    = peak,
                                           .left    = s[valley],
                                           .right   = s[end],
                                           .left_p  = p[valley],
                                           .right_p = p[end],
                                           .node    = first + node,
                                           .above   = peak.p - top};
        before                    = i;
        if (found->count == KANE_LOBES_SEEN)
            drop_least(found);
    }
}

// Valleys that do not lie lower than the level of the lobes beside them are found exactly.
static void refine_valleys(const silhouette *g, double reach, double close, lobes *found)
{
    for (int i = 0; i + 1 < found->count; i++) {
        lobe *a = &found->at[i], *b = &found->at[i + 1];
        if (a->right != b->left || a->right_p <= KANE_LEVEL * fmin(a->peak.p, b->peak.p))
            continue;
        const double low  = fmax(a->peak.s, a->right - reach);
        const double high = fmin(b->peak.s, a->right + reach);
        const overlap v   = extremum(g, -1.0, low, high, fmin(fmax(a->right, low), high), close);
        a->right = b->left = v.s;
        a->right_p = b->left_p = v.p;
    }
}

static void search_window(const silhouette *g, const window *w, lobes *found)
{
    found->count = 0;
    found->p     = found->nodes;
    for (int k = 0; k < w->count; k++)
        search_range(g, w->first[k], w->last[k], found);
    while (found->count > KANE_LOBES_MAX)
        drop_least(found);
}

void kane_lobes_search(const silhouette *g, const window_table *windows, lobes *found)
{
    const window *w = kane_window_at(windows, g);
    search_window(g, w, found);
    for (int i = 0; i < found->count && w != &windows->all; i++)
        if (found->at[i].peak.p > KANE_WINDOW_DEPTH) {
            w = &windows->all;
            search_window(g, w, found);
        }
    refine_valleys(g, g->wheel->nodes.distance, close_enough, found);
}

void kane_lobes_follow(const silhouette *g, const lobes *before, lobes *after)
{
    after->p     = before->p;
    after->count = 0;
    for (int i = 0; i < before->count; i++) {
        lobe l = before->at[i];
        l.peak = extremum(g, 1.0, l.left, l.right, l.peak.s, close_for_differences);
        if (l.peak.p > 0.0)
            after->at[after->count++] = l;
    }
    refine_valleys(g, g->wheel->nodes.distance, close_for_differences, after);
}
