// SPDX-License-Identifier: MIT
// The search for penetrations: windows on the profile first, then coarse nodes, then the deepest places exactly.

#include "contact/search.h"

#include "base/machine.h"

#include <math.h>
#include <string.h>

// --- windows, made once from many poses ---

// The poses covered: y from 16 mm inside to 16 mm outside of the middle, roll to 24 mrad, yaw to 40 mrad.
static const double y_step = 0.5e-3, roll_step = 4e-3, roll_first = -24e-3;
static const double yaw_edges[KANE_WINDOW_YAW + 1] = {0.0, 10e-3, 20e-3, 40e-3};

// For penetrations the wheel is lowered at sampled poses until it is KANE_WINDOW_DEPTH deep, since steep faces then
// gain less overlap than flat ones. A place that is this much too high at all sampled poses around matters at none in
// between [m]: what it can gain from one sample to the next, y_step/4 apart, while wheel and rail differ in slope by up
// to 3. For gaps it touches, every other sample is enough, and the margin counts six times: axes are oblique, it may
// stand KANE_WINDOW_CONTACT higher or lower, and worn flanges are steeper (five times are enough for that of
// unit.contact.sides, four are not).
static const double margin = 9e-5;
enum { Y_SAMPLES = 4 };

// Nodes that one loop evaluates.
enum { BLOCK = 64 };

// Overlap p [count] at `count` nodes from the first, yaw to first order:
//   U = s - T shift,   v = f - T sink,   p = h(eta + U cC + v S) + v C - U cS - zeta
// h: the rail's height, blended with a second rail by `share`. Three loops (outline, cells, rail) that compilers
// vectorise.
KANE_WIDE static void scan_block(const contact_locus *g, int first, int count, double *restrict p)
{
    const wheel_nodes *n   = &g->wheel->nodes;
    const rail_table *rail = g->rail.from, *to = g->rail.to;
    const double T = g->T, S = g->S, C = g->C, cC = g->c * C, cS = g->c * S, zeta = g->zeta;
    const double eta = g->eta - rail->first, per_cell = rail->per_cell, width = rail->cell;
    const double *restrict s = n->s + first, *restrict f = n->f + first;
    const double *restrict shift = n->shift + first, *restrict sink = n->sink + first;
    double x[BLOCK];
    int cell[BLOCK];

    for (int i = 0; i < count; i++) {
        const double U = s[i] - T * shift[i], v = f[i] - T * sink[i];
        x[i] = eta + U * cC + v * S;
        p[i] = v * C - U * cS - zeta;
    }
    for (int i = 0; i < count; i++) {
        int k   = (int)(x[i] * per_cell);
        k       = k > 0 ? k : 0;
        k       = k < KANE_RAIL_CELLS - 1 ? k : KANE_RAIL_CELLS - 1;
        cell[i] = k;
        x[i] -= k * width;
    }
    if (!to) {
        for (int i = 0; i < count; i++)
            p[i] += rail_height(&rail->cells[cell[i]], x[i]);
        return;
    }
    const double w = g->rail.share, v = 1.0 - w;
    for (int i = 0; i < count; i++) {
        const double *a = rail->cells[cell[i]].z, *b = to->cells[cell[i]].z;
        const rail_cell mean = {
            .z = {v * a[0] + w * b[0], v * a[1] + w * b[1], v * a[2] + w * b[2], v * a[3] + w * b[3]}};
        p[i] += rail_height(&mean, x[i]);
    }
}

void kane_window_scan(const contact_locus *g, int first, int last, double *restrict p)
{
    for (int i = first; i <= last; i += BLOCK)
        scan_block(g, i, last - i + 1 < BLOCK ? last - i + 1 : BLOCK, p + (i - first));
}

// Height of a wheel that is lowered to a given depth, sample after sample.
typedef struct descent {
    window_kind kind;
    double depth;     // so deep
    double least;     // nodes matter that are deeper than this, then
    double z, before; // heights of the centre at the last sample and the one before it
} descent;

// Height of the wheel's centre at which the largest overlap is d->depth, to 1e-5 m, and the overlaps p at the nodes
// there. Starts from the extrapolation of the last two samples.
static void lower_wheel(const wheel_table *wheel, const rail_table *rail, double y, kane_vec3 axle, descent *d,
                        double *p)
{
    double z = 2.0 * d->z - d->before;
    for (int i = 0; i < 20; i++) {
        const wheel_pose pose = {y, z, axle};
        const contact_locus g = contact_locus_init(wheel, rail, &pose);
        kane_window_scan(&g, 0, wheel->nodes.count - 1, p);
        const double deepest = window_largest(wheel->nodes.count, p);
        if (fabs(deepest - d->depth) < 1e-5)
            break;
        z += deepest - d->depth;
    }
    d->before = d->z;
    d->z      = z;
}

// window_depth() of all nodes: p plus a quarter of the largest second difference of the node and its
// neighbours, if positive.
static void find_depths(int count, const double *restrict p, double *restrict depth)
{
    double second[KANE_WHEEL_NODES] = {0.0};
    for (int i = 1; i < count - 1; i++) {
        const double here = 2.0 * p[i] - p[i - 1] - p[i + 1];
        second[i]         = here > 0.0 ? here : 0.0;
    }
    depth[0]         = p[0] + 0.25 * second[1];
    depth[count - 1] = p[count - 1] + 0.25 * second[count - 2];
    for (int i = 1; i < count - 1; i++) {
        const double side = second[i - 1] > second[i + 1] ? second[i - 1] : second[i + 1];
        depth[i]          = p[i] + 0.25 * (side > second[i] ? side : second[i]);
    }
}

// Marks the nodes with depth > d->least at one pose in all windows that contain it.
static void mark_relevant_nodes(window_table *t, const descent *d, int count, const double *p, int yaw, int roll,
                                int sample)
{
    uint64_t marked[(KANE_WHEEL_NODES + 63) / 64] = {0};
    double depth[KANE_WHEEL_NODES];
    find_depths(count, p, depth);
    for (int first = 0; first < count; first += 64) {
        uint64_t bits = 0;
        for (int i = first; i < count && i < first + 64; i++)
            bits |= (uint64_t)(depth[i] > d->least) << (i - first);
        marked[first / 64] = bits;
    }
    for (int a = yaw - 1; a <= yaw; a++)
        for (int b = roll - 1; b <= roll; b++)
            for (int c = (sample + Y_SAMPLES - 1) / Y_SAMPLES - 1; c <= sample / Y_SAMPLES; c++)
                if (a >= 0 && a < KANE_WINDOW_YAW && b >= 0 && b < KANE_WINDOW_ROLL && c >= 0 && c < KANE_WINDOW_Y)
                    for (size_t k = 0; k < sizeof marked / sizeof *marked; k++)
                        t->at[d->kind][a][b][c].marked[k] |= marked[k];
}

// Ranges of the marked nodes, each with two neighbours on both sides; at most KANE_WINDOW_PARTS.
static void collect_ranges(int count, window *w)
{
    w->count = 0;
    for (int i = 0; i < count; i++) {
        if (!(w->marked[i / 64] >> (i % 64) & 1))
            continue;
        const int first = i > 2 ? i - 2 : 0, last = i < count - 2 ? i + 2 : count - 1;
        if (w->count == 0 || (first > w->last[w->count - 1] + 2 && w->count < KANE_WINDOW_PARTS)) {
            w->first[w->count] = (unsigned short)first;
            w->count++;
        }
        w->last[w->count - 1] = (unsigned short)last;
    }
}

void kane_window_table_init(window_table *t, const wheel_table *wheel, const rail_table *rail, double y)
{
    double p[KANE_WHEEL_NODES];
    const int count = wheel->nodes.count;

    t->y   = y - 0.5 * KANE_WINDOW_Y * y_step;
    t->all = (window){.count = 1, .first = {0}, .last = {(unsigned short)(count - 1)}};
    memset(t->at, 0, sizeof t->at);
    for (int a = 0; a <= KANE_WINDOW_YAW; a++)
        for (int b = 0; b <= KANE_WINDOW_ROLL; b++) {
            const double roll = roll_first + b * roll_step, yaw = yaw_edges[a];
            const kane_vec3 axle = side_axle(yaw, roll);
            const double z       = wheel->radius;
            descent kinds[]      = {{WINDOW_PENETRATIONS, KANE_WINDOW_DEPTH, -margin, z, z},
                                    {WINDOW_GAP, 0.0, -KANE_WINDOW_BELOW - 6.0 * margin, z, z}};
            for (int k = 0; k <= KANE_WINDOW_Y * Y_SAMPLES; k++)
                for (int i = 0; i < (k % 2 ? WINDOW_GAP : WINDOW_KINDS); i++) {
                    lower_wheel(wheel, rail, t->y + k * y_step / Y_SAMPLES, axle, &kinds[i], p);
                    mark_relevant_nodes(t, &kinds[i], count, p, a, b, k);
                }
        }
    for (int kind = 0; kind < WINDOW_KINDS; kind++)
        for (int a = 0; a < KANE_WINDOW_YAW; a++)
            for (int b = 0; b < KANE_WINDOW_ROLL; b++)
                for (int c = 0; c < KANE_WINDOW_Y; c++)
                    collect_ranges(count, &t->at[kind][a][b][c]);
}

const window *kane_window_at(const window_table *t, window_kind kind, const contact_locus *g)
{
    const double y = (g->y - t->y) / y_step, roll = (g->uz - roll_first) / roll_step;
    if (!(y >= 0.0 && y < KANE_WINDOW_Y && roll >= 0.0 && roll < KANE_WINDOW_ROLL))
        return &t->all;
    for (int a = 0; a < KANE_WINDOW_YAW; a++)
        if (g->T <= yaw_edges[a + 1] * yaw_edges[a + 1])
            return &t->at[kind][a][(int)roll][(int)y];
    return &t->all;
}

// --- penetrations ---

// A place is found when the next step is shorter than this [m]. With that step's corrections the place is then good to
// its second and p to its third order; that is less than 1e-14 m, but for peaks on corners of the wheel's curvature.
static const double close_enough = 1e-7;

// Between two nodes a slope may reverse where its mean is less than this part of what it has more beside: a parabola's
// is about 1/6 when it begins to.
static const double reversal_ratio = 0.5;

// Peaks between nodes rise less than this over both of them [m].
static const double peak_rise = 5e-5;

// Maximum (sign 1) or minimum (sign -1) of p in [low, high]: Newton's method for p' = 0, kept inside by bisection. s,
// eta and p are those of the extremum, all other members those of a place within `close_enough`.
static overlap find_extremum(const contact_locus *g, double sign, double low, double high, double start)
{
    overlap o = overlap_at(g, start);
    for (int i = 0; i < 40; i++) {
        const double slope = sign * o.p1, curvature = sign * o.p2;
        if (slope > 0.0)
            low = o.s;
        else
            high = o.s;
        const double step = curvature < 0.0 ? -slope / curvature : 0.0;
        if (curvature < 0.0 && fabs(step) < close_enough) {
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

// Whether find_extremum() found nothing inside and ran into an end.
static int ran_out(const overlap *o, double low, double high)
{
    return o->s - low < 1e-9 || high - o->s < 1e-9;
}

// Peak at a node that is higher than its neighbours, from the parabola through them. The nodes know yaw to the first
// order only: the peak may lie a little beyond a neighbour. If the overlap rises again there, Newton may have gone
// after that: then both sides of the node are searched. *top: p of the parabola's peak.
static overlap peak_near(const contact_locus *g, int node, double before, double here, double after, double *top)
{
    const double s = g->wheel->nodes.s[node], h = g->wheel->nodes.distance, second = 2.0 * here - before - after;
    const double low = fmax(s - 1.5 * h, g->wheel->first), high = fmin(s + 1.5 * h, g->wheel->last);
    const double start = second > 0.0 ? 0.5 * (after - before) / second : 0.0;
    *top               = here + 0.25 * (after - before) * start;
    overlap peak       = find_extremum(g, 1.0, low, high, s + h * start);
    if (ran_out(&peak, low, high)) {
        const overlap left = find_extremum(g, 1.0, low, s, s - 0.5 * h);
        peak               = ran_out(&left, low, s) ? find_extremum(g, 1.0, s, high, s + 0.5 * h) : left;
    }
    return peak;
}

// Height of a peak over the higher one of its valleys, or over zero [m].
static double penetration_height(const penetration *l)
{
    return l->peak.p - fmax(0.0, fmax(l->left_p, l->right_p));
}

// Removes the penetration of least height, since such ones appear and vanish with small motions. Its neighbours get its
// deeper valley.
static void drop_least(penetrations *found)
{
    int k = 0;
    for (int i = 1; i < found->count; i++)
        if (penetration_height(&found->at[i]) < penetration_height(&found->at[k]))
            k = i;
    const penetration gone = found->at[k];
    const int left_deeper  = gone.left_p < gone.right_p;
    const double valley    = left_deeper ? gone.left : gone.right;
    const double valley_p  = left_deeper ? gone.left_p : gone.right_p;
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
static int find_lowest_node(const double *p, int first, int last)
{
    int low = first;
    for (int i = first + 1; i <= last; i++)
        low = p[i] < p[low] ? i : low;
    return low;
}

// State of a search over coarse nodes.
typedef struct scanned {
    const double *s, *p; // of the nodes
    int first, end;      // number of the first node on the whole wheel, and of the last one in this range
    int before;          // node from which on the valley behind the last penetration is looked for; -1: there is none
    double done;         // all peaks up to here have been seen [m]
    penetrations *found;
} scanned;

// Appends a penetration. valley: the one before it, if it is between nodes; NULL: the lowest node is the valley.
static void append_penetration(scanned *at, const overlap *peak, int node, double above, const overlap *valley)
{
    penetrations *found = at->found;
    const int low       = valley || at->before < 0 ? 0 : find_lowest_node(at->p, at->before, node);
    const double s = valley ? valley->s : at->s[low], p = valley ? valley->p : at->p[low];
    if (at->before >= 0) {
        found->at[found->count - 1].right   = s;
        found->at[found->count - 1].right_p = p;
    }
    found->at[found->count++] = (penetration){.peak    = *peak,
                                              .left    = s,
                                              .right   = at->s[at->end],
                                              .left_p  = p,
                                              .right_p = at->p[at->end],
                                              .node    = at->first + node,
                                              .above   = above};
    at->before                = node;
    at->done                  = peak->s;
    if (found->count == KANE_PENETRATIONS_SEEN)
        drop_least(found);
}

// On a flank on which p rises (sign 1) or falls (sign -1): a place at which it does the opposite. Searched at twelve
// parts, then around the one of least slope. Returns 0 if there is none.
static int find_reverse(const contact_locus *g, double sign, double from, double to, overlap *reverse)
{
    enum { PARTS = 12 };
    const double part = (to - from) / PARTS;
    double least      = HUGE_VAL, low, high;
    *reverse          = overlap_at(g, from);
    for (int i = 1; i < PARTS; i++) {
        const overlap o = overlap_at(g, from + i * part);
        if (sign * o.p1 < least) {
            least    = sign * o.p1;
            *reverse = o;
        }
    }
    for (low = reverse->s - part, high = reverse->s + part;
         least > 0.0 && high - low > 1e-9 && least < fabs(reverse->p2) * (high - low);) {
        if (sign * reverse->p2 < 0.0)
            low = reverse->s;
        else
            high = reverse->s;
        *reverse = overlap_at(g, 0.5 * (low + high));
        least    = sign * reverse->p1;
    }
    return !(least > 0.0);
}

// A peak with its valley between the nodes k - 1 and k + 2, beside which the overlap only rises or only falls.
static int find_hidden(const contact_locus *g, double sign, const scanned *at, int k, overlap *peak, overlap *valley)
{
    const double from = fmax(at->s[k - 1], at->done), to = at->s[k + 2];
    overlap turn;
    if (!(from < to && find_reverse(g, sign, from, to, &turn)))
        return 0;
    const double begin = sign > 0.0 ? from : turn.s, end = sign > 0.0 ? turn.s : to;
    const double first = sign > 0.0 ? turn.s : from, last = sign > 0.0 ? to : turn.s;
    *peak   = find_extremum(g, 1.0, begin, end, 0.5 * (begin + end));
    *valley = find_extremum(g, -1.0, first, last, 0.5 * (first + last));
    return !ran_out(peak, begin, end) && !ran_out(valley, first, last) && peak->p > 0.0;
}

// Penetrations narrower than the distance of nodes, from the node first to the node last, along which the overlap rises
// or falls: they show as a slope that lets up and grows again. On the way up a penetration has its valley behind it:
// *valley gets the last. Returns how many there are.
static int search_flank(const contact_locus *g, double sign, int first, int last, scanned *at, overlap *valley)
{
    const double *nodes = at->p;
    int count           = 0;
    if (sign > 0.0) { // what matters is near the top
        int low = last;
        while (low > first && nodes[low] > -peak_rise)
            low--;
        first = low;
    } else {
        int high = first;
        while (high < last && nodes[high] > -peak_rise)
            high++;
        last = high;
    }
    for (int k = first + 1; k + 1 < last; k++) {
        const double *p    = nodes + k;
        const double slope = sign * (p[1] - p[0]), before = sign * (p[0] - p[-1]), after = sign * (p[2] - p[1]);
        if (!(slope < before && slope <= after && slope < reversal_ratio * (fmax(before, after) - slope)) ||
            (window_depth(at->p, at->end + 1, k) <= 0.0 && window_depth(at->p, at->end + 1, k + 1) <= 0.0))
            continue;
        overlap peak, behind;
        if (!find_hidden(g, sign, at, k, &peak, &behind))
            continue;
        const int node = peak.s < 0.5 * (at->s[k] + at->s[k + 1]) ? k : k + 1;
        append_penetration(at, &peak, node, 0.0, sign < 0.0 ? &behind : count > 0 ? valley : NULL);
        *valley  = behind;
        at->done = fmax(peak.s, behind.s);
        count++;
    }
    return count;
}

// Appends the penetrations between two coarse nodes. Valleys are the lowest nodes between peaks; before the first and
// behind the last peak the overlap falls toward the ends of the range.
static void search_range(const contact_locus *g, int first, int last, penetrations *found)
{
    scanned at    = {.s      = g->wheel->nodes.s + first,
                     .p      = found->p + first,
                     .first  = first,
                     .end    = last - first,
                     .before = -1,
                     .done   = -HUGE_VAL,
                     .found  = found};
    const int end = at.end;
    double *p     = found->p + first;

    kane_window_scan(g, first, last, p);
    for (int i = 0; i < end;) {
        const int low = i;
        while (i < end && p[i + 1] > p[i])
            i++;
        const int node = i;
        while (i < end && !(p[i + 1] > p[i]))
            i++;
        overlap valley;
        const int up = search_flank(g, 1.0, low, node, &at, &valley);
        if (node != low && node != end && window_depth(p, end + 1, node) > 0.0) {
            double top;
            const overlap peak = peak_near(g, first + node, p[node - 1], p[node], p[node + 1], &top);
            if (peak.p > 0.0)
                append_penetration(&at, &peak, node, peak.p - top, up > 0 ? &valley : NULL);
        }
        (void)search_flank(g, -1.0, node, i, &at, &valley);
        if (at.before > low) // a penetration of this rise and fall: behind it
            at.before = i;
    }
}

// Valleys above the level of the smaller penetration next to them are found exactly.
static void refine_valleys(const contact_locus *g, penetrations *found)
{
    const double reach = g->wheel->nodes.distance;
    for (int i = 0; i + 1 < found->count; i++) {
        penetration *a = &found->at[i], *b = &found->at[i + 1];
        if (a->right != b->left || a->right_p <= KANE_LEVEL * fmin(a->peak.p, b->peak.p))
            continue;
        const double low  = fmax(a->peak.s, a->right - reach);
        const double high = fmin(b->peak.s, a->right + reach);
        const overlap v   = find_extremum(g, -1.0, low, high, fmin(fmax(a->right, low), high));
        a->right = b->left = v.s;
        a->right_p = b->left_p = v.p;
    }
}

static void search_window(const contact_locus *g, const window *w, penetrations *found)
{
    found->count = 0;
    for (int k = 0; k < w->count; k++)
        search_range(g, w->first[k], w->last[k], found);
    while (found->count > KANE_PENETRATIONS_MAX)
        drop_least(found);
}

void kane_penetrations_search(const contact_locus *g, const window_table *windows, penetrations *found)
{
    const window *w = kane_window_at(windows, WINDOW_PENETRATIONS, g);
    search_window(g, w, found);
    for (int i = 0; i < found->count && w != &windows->all; i++)
        if (found->at[i].peak.p > KANE_WINDOW_DEPTH) {
            w = &windows->all;
            search_window(g, w, found);
        }
    refine_valleys(g, found);
}
