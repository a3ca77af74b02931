// SPDX-License-Identifier: MIT
// The gap of rigid contact, tabulated.

#include "contact/gap_table.h"

#include "base/machine.h"
#include "contact/gap_places.h"
#include "math/small.h"

#include <math.h>
#include <string.h>

// --- where the nodes are ---

// Steps between nodes, and how far the table reaches: E to both sides of the middle of the track [m], u to both sides
// of a level axle, T from 0 (yaw 20 mrad). Beyond there are nodes that splines need, of negative T too.
static const double steps[GAP_VARIABLES] = {1.25e-4, 3e-3, 1e-4}, reach[GAP_VARIABLES] = {12e-3, 15e-3, 4e-4};
enum { MARGIN = 2 };

// A zone counts in a cell where it is less than so much less deep than the deepest zone, at one of its corners [D].
static const double counted = 14.0;

// A zone so much less deep is not summed [D]: near cells in which it counts, splines do not notice.
static const double summed = 120.0;

// Of a zone places count that are less than so much less deep than its deepest [D].
static const double place_depth = 30.0;

// Places of integrals are so many times denser than those of a search.
static const double denser = 2.0;

// --- zones on the wheel ---

// A zone is so long that the wheel's direction changes by zone_angle in it [rad], and at most zone_length [m]: two
// places of it then have slopes so alike that the contact passes from one to the other over many cells.
static const double zone_angle = 0.35, zone_length = 50e-3;

// Directions are means over so much to both sides [m]; weights pass from one zone to the next within `blend` [m].
static const double smooth = 1.5e-3, blend = 3e-3;

static contact_locus locus_at(const wheel_table *wheel, const rail_table *rail, const double at[GAP_VARIABLES])
{
    const double u = at[GAP_U], uy = sqrt(1.0 - u * u);
    return (contact_locus){.wheel = wheel,
                           .rail  = {.from = rail},
                           .T     = at[GAP_T],
                           .c     = 1.0 / sqrt(1.0 + at[GAP_T]),
                           .uy    = uy,
                           .uz    = u,
                           .C     = uy * KANE_TILT_COS + u * KANE_TILT_SIN,
                           .S     = u * KANE_TILT_COS - uy * KANE_TILT_SIN,
                           .eta   = at[GAP_E]};
}

// A table while it is made.
typedef struct gap_draft {
    const wheel_table *wheel;
    const rail_table *rail;
    gap_table *head;
    double first[GAP_VARIABLES];
    int count[GAP_VARIABLES];
    wheel_places *places;                // the wheel's own, but denser
    double *weight[GAP_ZONES];           // of each zone at the places
    int from[GAP_ZONES], to[GAP_ZONES];  // places at which it is not zero, and ...
    int low[GAP_ZONES], high[GAP_ZONES]; // ... nodes of the wheel around them
    double *number;                      // [zones][nodes E][nodes u][functions][nodes T]
    uint16_t *near;                      // at each node the zones that count there, then in each cell
    int zone_count;
} gap_draft;

static void node_at(const gap_draft *d, const int node[GAP_VARIABLES], double at[GAP_VARIABLES])
{
    for (int k = 0; k < GAP_VARIABLES; k++)
        at[k] = d->first[k] + node[k] * steps[k];
}

static size_t node_index(const int count[GAP_VARIABLES], const int node[GAP_VARIABLES])
{
    return ((size_t)node[GAP_E] * (size_t)count[GAP_U] + (size_t)node[GAP_U]) * (size_t)count[GAP_T] +
           (size_t)node[GAP_T];
}

// The part of the wheel that touches at any node of the table, by the wheel's own nodes.
static void find_touched_part(const gap_draft *d, int *low, int *high)
{
    const int last = d->wheel->nodes.count - 1;
    double p[KANE_WHEEL_NODES];
    *low  = last;
    *high = 0;
    for (int i = 0; i < d->count[GAP_E]; i++)
        for (int corner = 0; corner < 4; corner++) {
            const int node[GAP_VARIABLES] = {i, corner & 1 ? d->count[GAP_U] - 1 : 0,
                                             corner & 2 ? d->count[GAP_T] - 1 : 0};
            double at[GAP_VARIABLES];
            node_at(d, node, at);
            const contact_locus g = locus_at(d->wheel, d->rail, at);
            kane_window_scan(&g, 0, last, p);
            const double least = window_largest(last + 1, p) - counted * KANE_GAP_DEPTH;
            for (int k = 0; k <= last; k++)
                if (p[k] > least) {
                    *low  = k < *low ? k : *low;
                    *high = k > *high ? k : *high;
                }
        }
}

// Direction of the wheel's profile, a mean around s [rad].
static double direction_at(const wheel_table *wheel, double s)
{
    enum { PARTS = 16 };
    double sum = 0.0;
    for (int i = 0; i <= PARTS; i++) {
        const double at = s + smooth * (2.0 * i / PARTS - 1.0);
        double x;
        const double *f = wheel_cell_at(wheel, fmin(fmax(at, wheel->first), wheel->last), &x)->f;
        sum += atan(f[1] + x * (2.0 * f[2] + 3.0 * x * f[3]));
    }
    return sum / (PARTS + 1);
}

// Edges of the zones between the places a and b of the wheel [m]: equal parts of the sum of its length over zone_length
// and its turn over zone_angle. edge[0] and edge[count] are a and b. Returns their number.
static int divide_wheel(const wheel_table *wheel, double a, double b, double edge[GAP_ZONES + 1])
{
    enum { PARTS = 500 };
    double sum[PARTS + 1], before = direction_at(wheel, a);
    const double part = (b - a) / PARTS;
    sum[0]            = 0.0;
    for (int i = 1; i <= PARTS; i++) {
        const double here = direction_at(wheel, a + i * part);
        sum[i]            = sum[i - 1] + part / zone_length + fabs(here - before) / zone_angle;
        before            = here;
    }
    const int count = (int)fmin(ceil(sum[PARTS]), GAP_ZONES);
    for (int k = 0, i = 0; k <= count; k++) {
        while (i < PARTS && sum[i] < k * sum[PARTS] / count)
            i++;
        edge[k] = a + i * part;
    }
    return count;
}

// From 0 to 1 around an edge, with two continuous derivatives.
static double step_over(double s, double edge)
{
    const double x = fmin(fmax((s - edge) / blend + 0.5, 0.0), 1.0);
    return x * x * x * (x * (6.0 * x - 15.0) + 10.0);
}

// Weights of the zones; the first and the last one have the wheel's ends.
static int cut_into_zones(gap_draft *d, kane_arena *arena)
{
    const wheel_nodes *nodes = &d->wheel->nodes;
    double edge[GAP_ZONES + 1];
    int low, high;
    find_touched_part(d, &low, &high);
    d->zone_count              = divide_wheel(d->wheel, nodes->s[low], nodes->s[high], edge);
    const wheel_places *places = d->places;
    for (int k = 0; k < d->zone_count; k++) {
        double *w = d->weight[k] = kane_arena_doubles(arena, (size_t)places->count);
        if (!w)
            return 0;
        d->from[k] = places->count;
        d->low[k]  = nodes->count;
        for (int i = 0; i < places->count; i++) {
            const double s = places->s[i];
            w[i] = (k == 0 ? 1.0 : step_over(s, edge[k])) - (k == d->zone_count - 1 ? 0.0 : step_over(s, edge[k + 1]));
            if (w[i] > 0.0) {
                d->from[k] = i < d->from[k] ? i : d->from[k];
                d->to[k]   = i + 1;
            }
        }
        for (int i = 0; i < nodes->count; i++)
            if (nodes->s[i] >= places->s[d->from[k]] - nodes->distance &&
                nodes->s[i] <= places->s[d->to[k] - 1] + nodes->distance) {
                d->low[k]  = i < d->low[k] ? i : d->low[k];
                d->high[k] = i;
            }
    }
    return 1;
}

// --- the functions at a node ---

// Overlaps of places and their distance over the oblique axis from the wheel's lowest point.
KANE_WIDE static void fill_overlaps(const contact_locus *g, const wheel_places *places, int from, int count,
                                    double *restrict p, double *restrict eta)
{
    const double *restrict s = places->s + from, *restrict f = places->f + from;
    const double *restrict shift = places->shift + from, *restrict steep = places->steep + from;
    const double *restrict sink = places->sink + from;
    const double T = g->T, c = g->c, C = g->C, S = g->S;
    const rail_table *rail = g->rail.from;
    for (int i = 0; i < count; i++) {
        const double q = T * steep[i], U = c * (s[i] - T * shift[i]);
        const double v = f[i] - T * sink[i] * (0.5 + q * (0.125 + q * 0.0625));
        eta[i]         = U * C + v * S;
        p[i]           = v * C - U * S;
    }
    for (int i = 0; i < count; i++) {
        double x;
        const rail_cell *r = rail_cell_at(rail, g->eta + eta[i], &x);
        p[i] += rail_height(r, x);
    }
}

// The functions of a zone at a place of the table.
//   p, eta  of the zone's places [to - from]
static void sum_zone(const gap_draft *d, int zone, const double *p, const double *eta, double f[GAP_FUNCTIONS])
{
    enum { SIDE_BY_SIDE = 32 };
    const int from = d->from[zone], count = d->to[zone] - from;
    const double *weight = d->weight[zone] + from, *s = d->places->s + from, *width = d->places->width + from;
    const double top = window_largest(count, p), least = top - place_depth * KANE_GAP_DEPTH;
    double sum = 0.0, sum_s = 0.0, sum_eta = 0.0, sum_eta2 = 0.0;
    for (int i = 0; i < count;) {
        double w[SIDE_BY_SIDE];
        const int n = count - i < SIDE_BY_SIDE ? count - i : SIDE_BY_SIDE;
        if (!(window_largest(n, p + i) > least)) {
            i += n;
            continue;
        }
        for (int k = 0; k < n; k++)
            w[k] = (p[i + k] - top) * (1.0 / KANE_GAP_DEPTH);
        kane_exp_block(n, w);
        for (int k = 0; k < n; k++, i++) {
            const double each = w[k] * weight[i] * width[i];
            sum += each;
            sum_s += each * s[i];
            sum_eta += each * eta[i];
            sum_eta2 += each * eta[i] * eta[i];
        }
    }
    const double mean = sum_eta / sum;
    f[GAP_Z]          = top + KANE_GAP_DEPTH * log(sum / KANE_GAP_LENGTH);
    f[GAP_S]          = sum_s / sum;
    f[GAP_ETA]        = mean;
    f[GAP_LOG_SPREAD] = log(fmax(sum_eta2 / sum - mean * mean, 1e-12));
}

// All zones at a node; those that count are marked.
//   p, eta  scratch [places]
static void fill_node(gap_draft *d, const int node[GAP_VARIABLES], double *p, double *eta)
{
    const int last = d->wheel->nodes.count - 1, T_count = d->count[GAP_T];
    const size_t index = node_index(d->count, node), all = (size_t)d->count[GAP_E] * (size_t)d->count[GAP_U];
    double at[GAP_VARIABLES], around[KANE_WHEEL_NODES], Z[GAP_ZONES], deepest = -HUGE_VAL;
    node_at(d, node, at);
    const contact_locus g = locus_at(d->wheel, d->rail, at);
    kane_window_scan(&g, 0, last, around);
    const double top = window_largest(last + 1, around);
    for (int k = 0; k < d->zone_count; k++) {
        const int from = d->from[k], count = d->to[k] - from;
        double f[GAP_FUNCTIONS] = {0.0};
        f[GAP_Z]                = window_largest(d->high[k] + 1 - d->low[k], around + d->low[k]);
        f[GAP_S]                = d->places->s[(from + d->to[k]) / 2];
        f[GAP_LOG_SPREAD]       = log(1e-7);
        if (f[GAP_Z] > top - summed * KANE_GAP_DEPTH) {
            fill_overlaps(&g, d->places, from, count, p, eta);
            sum_zone(d, k, p, eta, f);
        }
        Z[k]    = f[GAP_Z];
        deepest = fmax(deepest, Z[k]);
        double *to =
            d->number + ((size_t)k * all + index / (size_t)T_count) * (size_t)(GAP_FUNCTIONS * T_count) + node[GAP_T];
        for (int i = 0; i < GAP_FUNCTIONS; i++)
            to[i * T_count] = f[i];
    }
    unsigned near = 0;
    for (int k = 0; k < d->zone_count; k++)
        near |= Z[k] > deepest - counted * KANE_GAP_DEPTH ? 1u << k : 0u;
    d->near[index] = (uint16_t)near;
}

// --- splines ---

// Values at `count` nodes become the coefficients of the cubic B-spline through them, (c[i-1] + 4 c[i] + c[i+1])/6 =
// value[i], for `width` functions whose numbers stand side by side. At both ends the second difference of the
// coefficients is that of the values: the error falls by four from node to node.
static void fit_spline(double *value, int count, size_t stride, size_t width)
{
    const size_t last = (size_t)(count - 1) * stride;
    double pivot[512] = {0.0};
    for (size_t i = 0; i < width; i++) {
        double *a = value + i, *b = value + last + i;
        const double begin = a[0] - (a[0] - 2.0 * a[stride] + a[2 * stride]) / 6.0;
        b[0] -= (b[0] - 2.0 * b[-(ptrdiff_t)stride] + b[-2 * (ptrdiff_t)stride]) / 6.0;
        a[0] = begin;
    }
    for (int k = 1; k < count - 1; k++) {
        double *here = value + (size_t)k * stride, *before = here - stride;
        pivot[k] = 1.0 / (4.0 - pivot[k - 1]);
        for (size_t i = 0; i < width; i++)
            here[i] = pivot[k] * (6.0 * here[i] - before[i]);
    }
    for (int k = count - 2; k > 0; k--) {
        double *here = value + (size_t)k * stride, *next = here + stride;
        for (size_t i = 0; i < width; i++)
            here[i] -= pivot[k] * next[i];
    }
}

static void fit_zone(const gap_draft *d, double *number)
{
    const size_t T = (size_t)d->count[GAP_T], row = GAP_FUNCTIONS * T, sheet = row * (size_t)d->count[GAP_U];
    fit_spline(number, d->count[GAP_E], sheet, sheet);
    for (size_t i = 0; i < (size_t)d->count[GAP_E]; i++)
        fit_spline(number + i * sheet, d->count[GAP_U], row, row);
    for (size_t i = 0; i < (size_t)d->count[GAP_E] * (size_t)d->count[GAP_U] * GAP_FUNCTIONS; i++)
        fit_spline(number + i * T, d->count[GAP_T], 1, 1);
}

// From zones at nodes to zones in cells, those of their corners, in place.
static void mark_cells(gap_draft *d)
{
    for (int i = 0; i < d->count[GAP_E] - 1; i++)
        for (int j = 0; j < d->count[GAP_U] - 1; j++)
            for (int k = 0; k < d->count[GAP_T] - 1; k++) {
                unsigned near = 0;
                for (int corner = 0; corner < 8; corner++)
                    near |= d->near[node_index(d->count,
                                               (int[]){i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2)})];
                d->near[node_index(d->count, (int[]){i, j, k})] = (uint16_t)near;
            }
}

// The first and the last node over E whose coefficients a zone needs; 0 if it counts nowhere.
static int find_zone_range(const gap_draft *d, int zone, gap_zone *range)
{
    const int sheet = d->count[GAP_U] * d->count[GAP_T];
    range->first = range->end = 0;
    for (int i = 1; i < d->count[GAP_E] - 2; i++)
        for (int k = 0; k < sheet; k++)
            if (d->near[(size_t)i * (size_t)sheet + (size_t)k] >> zone & 1) {
                range->first = range->end ? range->first : i - 1;
                range->end   = i + 3;
            }
    return range->end > 0;
}

// --- the table ---

static size_t sheet_size(const int count[GAP_VARIABLES])
{
    return (size_t)(count[GAP_U] * GAP_FUNCTIONS * count[GAP_T]);
}

static size_t cell_count(const int count[GAP_VARIABLES])
{
    return (size_t)count[GAP_E] * (size_t)count[GAP_U] * (size_t)count[GAP_T];
}

// Bytes of a table of so many numbers.
static size_t table_size(size_t numbers, const int count[GAP_VARIABLES])
{
    return sizeof(gap_table) + numbers * sizeof(double) + cell_count(count) * sizeof(uint16_t);
}

size_t kane_gap_table_size(const gap_table *t)
{
    return table_size(t->size, t->count);
}

static gap_table *finish_table(gap_draft *d, const table_key *key)
{
    const size_t sheet = sheet_size(d->count);
    gap_zone zone[GAP_ZONES];
    size_t size = 0;
    for (int k = 0; k < d->zone_count; k++) {
        (void)find_zone_range(d, k, &zone[k]);
        zone[k].at = size;
        size += (size_t)(zone[k].end - zone[k].first) * sheet;
    }
    gap_table *t = kane_table_create(table_size(size, d->count), key);
    if (!t)
        return NULL;
    t->zone_count = d->zone_count;
    t->size       = size;
    for (int k = 0; k < GAP_VARIABLES; k++) {
        t->first[k] = d->first[k];
        t->step[k]  = steps[k];
        t->count[k] = d->count[k];
    }
    for (int k = 0; k < d->zone_count; k++) {
        double *number = d->number + (size_t)k * (size_t)d->count[GAP_E] * sheet;
        fit_zone(d, number);
        t->zone[k] = zone[k];
        memcpy(t->number + zone[k].at, number + (size_t)zone[k].first * sheet,
               (size_t)(zone[k].end - zone[k].first) * sheet * sizeof *number);
    }
    memcpy(t->number + size, d->near, cell_count(d->count) * sizeof *d->near);
    return t;
}

static gap_table *make_table(gap_draft *d, const table_key *key, kane_arena *arena)
{
    d->places       = kane_arena_alloc(arena, 1, sizeof *d->places);
    double *scratch = kane_arena_doubles(arena, 2 * (KANE_WHEEL_CELLS + 1));
    if (!d->places || !scratch)
        return NULL;
    kane_wheel_places_fill(d->wheel, denser, d->places, scratch);
    if (!cut_into_zones(d, arena))
        return NULL;
    const size_t cells = cell_count(d->count);
    d->number          = kane_arena_doubles(arena, (size_t)d->zone_count * cells * GAP_FUNCTIONS);
    d->near            = kane_arena_alloc(arena, cells, sizeof *d->near);
    double *p          = kane_arena_doubles(arena, 2 * KANE_WHEEL_PLACES);
    if (!d->number || !d->near || !p)
        return NULL;
    for (int i = 0; i < d->count[GAP_E]; i++)
        for (int j = 0; j < d->count[GAP_U]; j++)
            for (int k = 0; k < d->count[GAP_T]; k++)
                fill_node(d, (int[]){i, j, k}, p, p + KANE_WHEEL_PLACES);
    mark_cells(d);
    return finish_table(d, key);
}

gap_table *kane_gap_table_create(const wheel_table *wheel, const rail_table *rail, double middle, const table_key *key)
{
    gap_draft d           = {.wheel = wheel, .rail = rail};
    const double center[] = {middle, 0.0, 0.0};
    for (int k = 0; k < GAP_VARIABLES; k++) {
        // a wheelset in the middle of the track that is not yawed is in the middle of a cell
        const double from = (k == GAP_T ? 0.0 : -reach[k]) - 0.5 * steps[k];
        d.count[k]        = (int)lround((reach[k] - from) / steps[k] + 0.5) + 1 + 2 * MARGIN;
        d.first[k]        = center[k] + from - MARGIN * steps[k];
    }
    kane_arena *arena = kane_arena_create();
    gap_table *t      = arena ? make_table(&d, key, arena) : NULL;
    kane_arena_free(arena);
    return t;
}

// --- look-up ---

// Four numbers side by side (GCC, clang).
typedef double four __attribute__((vector_size(32), aligned(8)));

// Weights of the four coefficients around a place at the part x of a cell, and their derivatives. per_step: 1/step.
KANE_INLINE void fill_weights(double x, double per_step, int orders, double w[4][4])
{
    const double y = 1.0 - x, x2 = x * x, y2 = y * y, h = per_step, h2 = h * h, h3 = h2 * h;
    w[0][0] = (1.0 / 6.0) * y2 * y;
    w[0][1] = (1.0 / 6.0) * (4.0 - 3.0 * x2 * (2.0 - x));
    w[0][2] = (1.0 / 6.0) * (4.0 - 3.0 * y2 * (2.0 - y));
    w[0][3] = (1.0 / 6.0) * x2 * x;
    w[1][0] = -0.5 * h * y2;
    w[1][1] = h * x * (1.5 * x - 2.0);
    w[1][2] = -h * y * (1.5 * y - 2.0);
    w[1][3] = 0.5 * h * x2;
    w[2][0] = h2 * y;
    w[2][1] = h2 * (3.0 * x - 2.0);
    w[2][2] = h2 * (3.0 * y - 2.0);
    w[2][3] = h2 * x;
    if (orders < 3)
        return;
    w[3][0] = -h3;
    w[3][1] = 3.0 * h3;
    w[3][2] = -3.0 * h3;
    w[3][3] = h3;
}

KANE_INLINE double sum_of_four(const double w[4], const four *a)
{
    return (w[0] * (*a)[0] + w[1] * (*a)[1]) + (w[2] * (*a)[2] + w[3] * (*a)[3]);
}

KANE_INLINE void weigh_four(const double w[4], const four a[4], four *sum)
{
    *sum = (w[0] * a[0] + w[1] * a[1]) + (w[2] * a[2] + w[3] * a[3]);
}

// Rows of coefficients over T, weighted over E and u, with derivatives: at[i][j], i by E, j by u, i + j <= orders.
typedef struct weighed_rows {
    four at[4][4];
} weighed_rows;

// Those at one node over E, weighted over u: along[order][node].
KANE_INLINE void weigh_sheet(const double *number, size_t row, const double wu[4][4], int orders, int node,
                             four along[4][4])
{
    four r[4];
    memcpy(&r[0], number, sizeof r[0]);
    memcpy(&r[1], number + row, sizeof r[1]);
    memcpy(&r[2], number + 2 * row, sizeof r[2]);
    memcpy(&r[3], number + 3 * row, sizeof r[3]);
    weigh_four(wu[0], r, &along[0][node]);
    if (orders > 0)
        weigh_four(wu[1], r, &along[1][node]);
    if (orders > 1)
        weigh_four(wu[2], r, &along[2][node]);
    if (orders > 2)
        weigh_four(wu[3], r, &along[3][node]);
}

//   row, sheet  distance of numbers by u and by E
KANE_INLINE void weigh_rows(const double *number, size_t row, size_t sheet, const double wE[4][4],
                            const double wu[4][4], int orders, weighed_rows *d)
{
    four along[4][4];
    weigh_sheet(number, row, wu, orders, 0, along);
    weigh_sheet(number + sheet, row, wu, orders, 1, along);
    weigh_sheet(number + 2 * sheet, row, wu, orders, 2, along);
    weigh_sheet(number + 3 * sheet, row, wu, orders, 3, along);
    weigh_four(wE[0], along[0], &d->at[0][0]);
    if (orders > 0) {
        weigh_four(wE[1], along[0], &d->at[1][0]);
        weigh_four(wE[0], along[1], &d->at[0][1]);
    }
    if (orders > 1) {
        weigh_four(wE[2], along[0], &d->at[2][0]);
        weigh_four(wE[1], along[1], &d->at[1][1]);
        weigh_four(wE[0], along[2], &d->at[0][2]);
    }
    if (orders > 2) {
        weigh_four(wE[3], along[0], &d->at[3][0]);
        weigh_four(wE[2], along[1], &d->at[2][1]);
        weigh_four(wE[1], along[2], &d->at[1][2]);
        weigh_four(wE[0], along[3], &d->at[0][3]);
    }
}

// What a zone's splines say: Z with derivatives, and the other functions with first ones.
typedef struct zone_values {
    gap_surface z; // of Z and s
    double eta, eta_by[GAP_VARIABLES], log_spread, log_spread_by[GAP_VARIABLES];
} zone_values;

// Where a place lies between the nodes.
typedef struct gap_cell {
    int at[GAP_VARIABLES];
    double w[GAP_VARIABLES][4][4]; // by variable, order, coefficient
} gap_cell;

KANE_INLINE double sum_function(const double *number, size_t row, size_t sheet, const gap_cell *c, int orders,
                                double by[GAP_VARIABLES])
{
    const double(*w)[4] = c->w[GAP_T];
    weighed_rows d;
    weigh_rows(number, row, sheet, c->w[GAP_E], c->w[GAP_U], orders, &d);
    if (orders > 0) {
        by[GAP_E] = sum_of_four(w[0], &d.at[1][0]);
        by[GAP_U] = sum_of_four(w[0], &d.at[0][1]);
        by[GAP_T] = sum_of_four(w[1], &d.at[0][0]);
    }
    return sum_of_four(w[0], &d.at[0][0]);
}

// Z with its derivatives, of order 3 twice along the rate.
KANE_INLINE void sum_surface(const double *number, size_t row, size_t sheet, const gap_cell *c, int orders,
                             const double *rate, gap_surface *z)
{
    const double(*w)[4] = c->w[GAP_T];
    weighed_rows d;
    weigh_rows(number, row, sheet, c->w[GAP_E], c->w[GAP_U], orders, &d);
    z->Z                     = sum_of_four(w[0], &d.at[0][0]);
    z->by[GAP_E]             = sum_of_four(w[0], &d.at[1][0]);
    z->by[GAP_U]             = sum_of_four(w[0], &d.at[0][1]);
    z->by[GAP_T]             = sum_of_four(w[1], &d.at[0][0]);
    z->by_both[GAP_E][GAP_E] = sum_of_four(w[0], &d.at[2][0]);
    z->by_both[GAP_U][GAP_U] = sum_of_four(w[0], &d.at[0][2]);
    z->by_both[GAP_T][GAP_T] = sum_of_four(w[2], &d.at[0][0]);
    z->by_both[GAP_E][GAP_U] = z->by_both[GAP_U][GAP_E] = sum_of_four(w[0], &d.at[1][1]);
    z->by_both[GAP_E][GAP_T] = z->by_both[GAP_T][GAP_E] = sum_of_four(w[1], &d.at[1][0]);
    z->by_both[GAP_U][GAP_T] = z->by_both[GAP_T][GAP_U] = sum_of_four(w[1], &d.at[0][1]);
    if (orders < 3)
        return;
    const double E = rate[GAP_E], u = rate[GAP_U], T = rate[GAP_T];
    const double EEu = sum_of_four(w[0], &d.at[2][1]), EET = sum_of_four(w[1], &d.at[2][0]),
                 Euu = sum_of_four(w[0], &d.at[1][2]), EuT = sum_of_four(w[1], &d.at[1][1]),
                 ETT = sum_of_four(w[2], &d.at[1][0]), uuT = sum_of_four(w[1], &d.at[0][2]),
                 uTT  = sum_of_four(w[2], &d.at[0][1]);
    z->by_path[GAP_E] = E * (sum_of_four(w[0], &d.at[3][0]) * E + 2.0 * (EEu * u + EET * T)) +
                        u * (Euu * u + 2.0 * EuT * T) + ETT * T * T;
    z->by_path[GAP_U] = E * (EEu * E + 2.0 * (Euu * u + EuT * T)) +
                        u * (sum_of_four(w[0], &d.at[0][3]) * u + 2.0 * uuT * T) + uTT * T * T;
    z->by_path[GAP_T] = E * (EET * E + 2.0 * (EuT * u + ETT * T)) + u * (uuT * u + 2.0 * uTT * T) +
                        sum_of_four(w[3], &d.at[0][0]) * T * T;
}

// The functions of all zones that count around a place. Returns their number.
//   orders  of derivatives of Z: 2, or 3, then with first ones of all other functions
KANE_INLINE int sum_zones(const gap_table *t, const double at[GAP_VARIABLES], int orders, const double *rate,
                          zone_values zone[GAP_ZONES])
{
    gap_cell c;
    for (int k = 0; k < GAP_VARIABLES; k++) {
        const double x = (at[k] - t->first[k]) / t->step[k];
        if (!(x >= (k == GAP_T ? 1 : MARGIN) && x < t->count[k] - 1 - MARGIN))
            return 0;
        c.at[k] = (int)x;
        fill_weights(x - c.at[k], 1.0 / t->step[k], orders, c.w[k]);
    }
    const uint16_t *cells = (const uint16_t *)(t->number + t->size);
    const size_t T = (size_t)t->count[GAP_T], row = GAP_FUNCTIONS * T, sheet = (size_t)t->count[GAP_U] * row;
    int count = 0;
    for (unsigned k = 0, near = cells[node_index(t->count, c.at)]; near; k++, near >>= 1) {
        if (!(near & 1))
            continue;
        const double *number = t->number + t->zone[k].at + (size_t)(c.at[GAP_E] - 1 - t->zone[k].first) * sheet +
                               (size_t)(c.at[GAP_U] - 1) * row + (size_t)(c.at[GAP_T] - 1);
        zone_values *v = &zone[count++];
        sum_surface(number + GAP_Z * T, row, sheet, &c, orders, rate, &v->z);
        v->z.s        = sum_function(number + GAP_S * T, row, sheet, &c, orders - 2, v->z.s_by);
        v->eta        = sum_function(number + GAP_ETA * T, row, sheet, &c, orders - 2, v->eta_by);
        v->log_spread = sum_function(number + GAP_LOG_SPREAD * T, row, sheet, &c, orders - 2, v->log_spread_by);
    }
    return count;
}

// Shares of the zones exp(Z_k/D) of their sum.
KANE_INLINE void share_zones(int count, zone_values *zone, double share[GAP_ZONES], gap_surface *out)
{
    double top = zone[0].z.Z, sum = 0.0;
    for (int k = 1; k < count; k++)
        top = fmax(top, zone[k].z.Z);
    for (int k = 0; k < count; k++)
        sum += share[k] = count > 1 ? exp((zone[k].z.Z - top) * (1.0 / KANE_GAP_DEPTH)) : 1.0;
    for (int k = 0; k < count; k++)
        share[k] /= sum;
    out->Z = top + (count > 1 ? KANE_GAP_DEPTH * log(sum) : 0.0);
}

// Means over the zones, with  d<f> = <df> + cov(f, dZ)/D:
//   Z_i = <Z_i>,   Z_ij = <Z_ij> + cov(Z_i, Z_j)/D,   s = <s>,   spread = <spread> + var(eta)
KANE_INLINE void mix_zones(int count, const zone_values *zone, const double *share, gap_surface *out)
{
    const double per_D = 1.0 / KANE_GAP_DEPTH;
    double eta         = 0.0;
    out->s             = 0.0;
    for (int i = 0; i < GAP_VARIABLES; i++)
        out->by[i] = 0.0;
    for (int k = 0; k < count; k++) {
        out->s += share[k] * zone[k].z.s;
        eta += share[k] * zone[k].eta;
        for (int i = 0; i < GAP_VARIABLES; i++)
            out->by[i] += share[k] * zone[k].z.by[i];
    }
    out->spread = 0.0;
    memset(out->by_both, 0, sizeof out->by_both);
    for (int k = 0; k < count; k++) {
        const gap_surface *z = &zone[k].z;
        out->spread += share[k] * (exp(zone[k].log_spread) + (zone[k].eta - eta) * (zone[k].eta - eta));
        for (int i = 0; i < GAP_VARIABLES; i++)
            for (int j = 0; j < GAP_VARIABLES; j++)
                out->by_both[i][j] +=
                    share[k] * (z->by_both[i][j] + per_D * (z->by[i] - out->by[i]) * (z->by[j] - out->by[j]));
    }
}

// The derivatives of s and spread, and the third ones of Z along a path, ' its derivative while its rates stay:
//   Z''_i = <Z''_i> + (cov(Z'', Z_i) + 2 cov(Z', Z'_i))/D + <(Z' - <Z'>)^2 (Z_i - <Z_i>)>/D^2
KANE_INLINE void mix_slopes(int count, const zone_values *zone, const double *share, const double *rate,
                            gap_surface *out)
{
    const double per_D = 1.0 / KANE_GAP_DEPTH;
    double along = 0.0, eta = 0.0;
    for (int i = 0; i < GAP_VARIABLES; i++) {
        along += out->by[i] * rate[i];
        out->by_path[i] = out->s_by[i] = out->spread_by[i] = 0.0;
    }
    for (int k = 0; k < count; k++)
        eta += share[k] * zone[k].eta;
    for (int k = 0; k < count; k++) {
        const zone_values *v = &zone[k];
        const double w = share[k], off = v->eta - eta, spread = exp(v->log_spread);
        double z_t = -along, z_tt = 0.0, by_t[GAP_VARIABLES] = {0.0};
        for (int i = 0; i < GAP_VARIABLES; i++) {
            z_t += v->z.by[i] * rate[i];
            for (int j = 0; j < GAP_VARIABLES; j++)
                by_t[i] += v->z.by_both[i][j] * rate[j];
            z_tt += by_t[i] * rate[i];
        }
        for (int i = 0; i < GAP_VARIABLES; i++) {
            const double by = per_D * (v->z.by[i] - out->by[i]);
            out->by_path[i] += w * (v->z.by_path[i] + by * (z_tt + per_D * z_t * z_t) + 2.0 * per_D * z_t * by_t[i]);
            out->s_by[i] += w * (v->z.s_by[i] + by * v->z.s);
            out->spread_by[i] +=
                w * (spread * v->log_spread_by[i] + 2.0 * off * v->eta_by[i] + by * (spread + off * off));
        }
    }
}

// orders, rate: as sum_zones
KANE_INLINE int eval_table(const gap_table *t, const double at[GAP_VARIABLES], int orders, const double *rate,
                           gap_surface *out)
{
    zone_values zone[GAP_ZONES];
    double share[GAP_ZONES];
    const int count = sum_zones(t, at, orders, rate, zone);
    if (count == 0)
        return 0;
    share_zones(count, zone, share, out);
    mix_zones(count, zone, share, out);
    if (orders > 2)
        mix_slopes(count, zone, share, rate, out);
    return 1;
}

KANE_WIDE int kane_gap_table_eval(const gap_table *t, const double at[GAP_VARIABLES], gap_surface *out)
{
    return eval_table(t, at, 2, NULL, out);
}

KANE_WIDE int kane_gap_table_derive(const gap_table *t, const double at[GAP_VARIABLES],
                                    const double rate[GAP_VARIABLES], gap_surface *out)
{
    return eval_table(t, at, 3, rate, out);
}
