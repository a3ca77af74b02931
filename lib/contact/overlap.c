// SPDX-License-Identifier: MIT
// The overlap law (overlap.h).

#include "contact/overlap.h"

#include <math.h>

// Lobes are one contact when the valley between them has risen to this part of the smaller one.
static const double joined = 0.85;

// How far depths of two lobes must differ for the smaller one not to count.
static const double rounding = 0.8;

// A valley inside of a contact is no end of quadrature any more when it has risen so far from the level to the smaller peak.
static const double filled = 0.5;

// Gauss-Lobatto with eight points: the inner six in (-1, 1), their weights and that of the ends.
static const double lobatto_x[KANE_ROW] = {-.871740148509606615, -.591700181433142302, -.209299217902478869,
                                           .209299217902478869,  .591700181433142302,  .871740148509606615};
static const double lobatto_w[KANE_ROW] = {.210704227143506040, .341122692483504365, .412458794658703882,
                                           .412458794658703882, .341122692483504365, .210704227143506040};
static const double lobatto_end         = 1.0 / 28.0;

// An end is looked for until p - l is less than this part of p_max - l; the rest is a series of third order. Where a trail
// begins that is not enough.
static const double close_enough = 1e-3, close_for_differences = 1e-7;

static const double third = 1.0 / 3.0;

// What a contact is computed from.
typedef struct region {
    double area;                 // J [m^2]
    double weight, moment, rise; // J, M, S by quadrature
    double cut; // part of the area that lies below the ends, where these are valleys above the level [m^2]
} region;

// Integral of V - radius over U along the silhouette, up to a constant (equal for all points of one silhouette). With
// F, Q2, Q4 the integrals of f, R R'^2, R R'^4 and q = T R'^2, by parts,
//   c (F + T Q2/2 + T^2 Q4/24 - T^2 R^2 R'^3 (1/3 + q/10 + 3 q^2/56) - T v R R')
static double wheel_integral(const silhouette *g, const overlap *o)
{
    double x;
    const wheel_cell *w = wheel_cell_at(g->wheel, o->s, &x);
    const double *f = w->f, *a = w->two, *b = w->four;
    const double F  = w->area + x * (f[0] + x * (0.5 * f[1] + x * (third * f[2] + x * (0.25 * f[3]))));
    const double Q2 = a[0] + x * (a[1] + x * (a[2] + x * (a[3] + x * a[4])));
    const double Q4 = b[0] + x * (b[1] + x * (b[2] + x * (b[3] + x * b[4])));
    const double T = g->T, q = T * o->R1 * o->R1, k = T * o->RR1 * o->RR1 * o->R1;
    return g->c *
           (F + T * (0.5 * Q2 - o->v * o->RR1 + T * Q4 * (1.0 / 24.0) - k * (third + q * (0.1 + q * (3.0 / 56.0)))));
}

// Integral of the rail's zeta over eta from its first cell.
static double rail_integral(const rail_table *rail, double eta)
{
    double x;
    const rail_cell *r = rail_cell_at(rail, eta, &x);
    const double *z    = r->z;
    return r->area + x * (z[0] + x * (0.5 * z[1] + x * (third * z[2] + x * (0.25 * z[3]))));
}

// Area between rail and wheel above the level, from a to b: what lies between each curve and its chord (which does not
// depend on the axes), and the trapezium between the chords.
static double area_between(const silhouette *g, double level, const overlap *a, const overlap *b)
{
    const double width = b->eta - a->eta;
    const double rail =
        rail_integral(g->rail, b->eta) - rail_integral(g->rail, a->eta) - 0.5 * (a->rail + b->rail) * width;
    const double wheel = wheel_integral(g, b) - wheel_integral(g, a) - 0.5 * (a->v + b->v) * (b->U - a->U);
    return rail + wheel + (0.5 * (a->p + b->p) - level) * width;
}

// One end of a region: where p falls to the level, or a valley that does not lie lower than the level.
typedef struct region_end {
    overlap at;             // at the end, or near it
    double s;               // the end itself [m]
    double q;               // p - level there [m]
    double area;            // of what lies between `at` and the end [m^2]
    double side;            // -1: left of its peak, 1: right
    double inside, outside; // while it is looked for: places above and below the level [m]
    int found;
} region_end;

// Where p falls to the level, from the coarse nodes: by the parabola through three of them; for a peak narrower than their
// distance by its own.
static double guess_end(const silhouette *g, const lobes *found, double level, const lobe *l, double side, double bound)
{
    const wheel_nodes *nodes = &g->wheel->nodes;
    const double wanted      = level - l->above;
    const int out            = side > 0.0 ? 1 : -1;
    int i                    = l->node;
    while (found->p[i] > wanted && (bound - nodes->s[i]) * side > 0.0)
        i += out;
    if (i == l->node)
        return l->peak.s + side * sqrt(2.0 * (l->peak.p - level) / fmax(-l->peak.p2, 1e-3));

    // from the last node above the level: it falls first by a, then by b
    const double here = found->p[i - out], a = found->p[i - 2 * out] - here, b = here - found->p[i];
    const double slope = 0.5 * (a + b), bend = 0.5 * (b - a), q = here - wanted,
                 square = slope * slope + 4.0 * bend * q;
    const double x      = square > 0.0 ? 2.0 * q / (slope + sqrt(square)) : q / b;
    return nodes->s[i - out] + side * x * nodes->distance;
}

static void start_end(const silhouette *g, const lobes *found, double level, const lobe *l, double side, region_end *e)
{
    const double bound = side < 0.0 ? l->left : l->right, bound_p = side < 0.0 ? l->left_p : l->right_p;
    e->side    = side;
    e->inside  = l->peak.s;
    e->outside = bound;
    e->area    = 0.0;
    e->found   = bound_p > level;
    e->s       = e->found ? bound : guess_end(g, found, level, l, side, bound);
    if (e->found) {
        e->at = overlap_at(g, bound);
        e->q  = e->at.p - level;
    }
}

// Newton, kept between inside and outside by bisection. From a place that is close the rest is a series of third order,
// unless the overlap is a shoulder there, nearly level.
static void step_end(const silhouette *g, double level, double close, region_end *e)
{
    if (!((e->s - e->inside) * e->side > 0.0 && (e->outside - e->s) * e->side > 0.0))
        e->s = 0.5 * (e->inside + e->outside);
    e->at          = overlap_at(g, e->s);
    const double q = e->at.p - level, p1 = e->at.p1, p2 = e->at.p2, step = -q / p1;
    if (q > 0.0)
        e->inside = e->s;
    else
        e->outside = e->s;
    if (fabs(q) <= close && p1 * e->side < 0.0 && fabs(step * p2) < 0.1 * fabs(p1)) {
        const double d = step * (1.0 - 0.5 * step * p2 / p1);
        e->area        = e->side * e->at.eta1 * d * (q + d * (p1 / 2.0 + d * p2 / 6.0));
        e->s += d;
        e->q     = 0.0;
        e->found = 1;
        return;
    }
    e->s += step;
}

// Both ends of the region from lobe a to lobe b; side by side, since the two do not wait for each other.
static void find_ends(const silhouette *g, const lobes *found, double level, const lobe *a, const lobe *b,
                      const overlap_ends *near, region_end *left, region_end *right)
{
    start_end(g, found, level, a, -1.0, left);
    start_end(g, found, level, b, 1.0, right);
    const double close = near ? close_for_differences : close_enough;
    if (near && near->left < near->right) {
        left->s  = left->found ? left->s : near->left;
        right->s = right->found ? right->s : near->right;
    }
    for (int i = 0; i < 60 && !(left->found && right->found); i++) {
        if (!left->found)
            step_end(g, level, close * (a->peak.p - level), left);
        if (!right->found)
            step_end(g, level, close * (b->peak.p - level), right);
    }
}

// The contact of neighbouring lobes, first to last.
typedef struct group {
    const lobes *all;
    const lobe *first, *last;
    double top; // where it is deepest, eta [m]
    double level;
    overlap_ends (*ends)[KANE_LOBES_MAX]; // by lobes from the first: of regions, or NULL
} group;

// Adds `part` of what lies above the level from the left end of lobe a to the right end of lobe b, with no end in between.
static void add_region(const silhouette *g, const group *of, const lobe *a, const lobe *b, double part, region *r)
{
    const double level = of->level;
    overlap_ends *ends = of->ends ? &of->ends[a - of->first][b - of->first] : NULL;
    region_end left, right;
    find_ends(g, of->all, level, a, b, ends, &left, &right);
    if (ends)
        *ends = (overlap_ends){left.s, right.s};
    const double middle = 0.5 * (left.s + right.s), half = 0.5 * (right.s - left.s), scale = part * half;

    r->area += part * (area_between(g, level, &left.at, &right.at) + left.area + right.area);
    if (a == of->first)
        r->cut += part * left.q * (of->top - left.at.eta);
    if (b == of->last)
        r->cut += part * right.q * (right.at.eta - of->top);
    double s[KANE_ROW];
    overlap_row o;
    for (int i = 0; i < KANE_ROW; i++)
        s[i] = middle + half * lobatto_x[i];
    overlap_row_at(g, s, &o);
    for (int i = 0; i < KANE_ROW; i++) {
        const double q  = o.p[i] - level;
        const double dJ = lobatto_w[i] * scale * (q > 0.0 ? q : 0.0) * o.eta1[i];
        r->weight += dJ;
        r->moment += dJ * o.eta[i];
        r->rise += dJ * o.slope[i];
    }
    const double outer[2] = {lobatto_end * scale * left.q * left.at.eta1,
                             lobatto_end * scale * right.q * right.at.eta1};
    r->weight += outer[0] + outer[1];
    r->moment += outer[0] * left.at.eta + outer[1] * right.at.eta;
    r->rise += outer[0] * left.at.slope + outer[1] * right.at.slope;
}

// Everything that follows from where the contact is: eta on the rail, slope in oblique axes.
// Returns A, half of the wheel's curvature along the rail [1/m], that of its parallel circle turned by the yaw.
static double place_spot(const silhouette *g, double eta, double slope, double cosine, contact_spot *spot)
{
    double x, xs;
    const rail_cell *r = rail_cell_at(g->rail, eta, &x);
    const double zeta  = rail_height(r, x);
    const double y = eta * KANE_TILT_COS - zeta * KANE_TILT_SIN, z = eta * KANE_TILT_SIN + zeta * KANE_TILT_COS;

    // the wheel there: its silhouette has the direction of the contact, dV/dU = R'/(c sqrt(1 - T R'^2)) = m
    const double dy = y - g->y, dz = z - g->z, U = dy * g->uy + dz * g->uz;
    const double m = (g->S - slope * g->C) / (g->C + slope * g->S), root = sqrt(1.0 + g->ex * g->ex * m * m);
    const double R1 = g->c * m / root, s = U / g->c + g->T * (dy * g->uz - dz * g->uy) * root * R1;

    // the point is on the wheel as it was before it was pressed
    const wheel_cell *w = wheel_cell_at(g->wheel, s, &xs);
    const double R = g->wheel->radius + w->f[0] + xs * (w->f[1] + xs * (w->f[2] + xs * w->f[3])), V = R / root;
    spot->point = kv3(g->ex * (s + R * R1), U * g->uy + V * g->uz, U * g->uz - V * g->uy);
    spot->normal =
        kv3(0.0, -cosine * (slope * KANE_TILT_COS + KANE_TILT_SIN), cosine * (KANE_TILT_COS - slope * KANE_TILT_SIN));
    spot->radius          = R;
    spot->wheel_y         = s;
    spot->rail_y          = y;
    const double meridian = 1.0 + R1 * R1;
    return 0.5 * (1.0 - g->ex * g->ex * meridian) / (R * sqrt(meridian));
}

// 0 for x <= 0, 1 for x >= 1, smooth in between; 0 for what is not a number.
static double smooth_step(double x)
{
    if (!(x > 0.0))
        return 0.0;
    return x < 1.0 ? x * x * (3.0 - 2.0 * x) : 1.0;
}

static double smaller_peak(const lobe *a, const lobe *b)
{
    return a->peak.p < b->peak.p ? a->peak.p : b->peak.p;
}

// How much the valley between the lobes a and b, neighbours in one contact, has filled.
static double fill(double level, const lobe *a, const lobe *b)
{
    if (!(a->right_p > level))
        return 0.0;
    return smooth_step((a->right_p - level) / (filled * (smaller_peak(a, b) - level)));
}

// All that lies above the level, region by region. A region reaches over valleys; one that has filled in part is an end
// for the rest of the region.
static void add_regions(const silhouette *g, const group *of, region *r)
{
    double before = 0.0;
    for (const lobe *a = of->first; a <= of->last; a++) {
        double part = 1.0 - before, behind;
        for (const lobe *b = a; part > 0.0 && a->peak.p > of->level; b++, part *= behind) {
            behind = b < of->last ? fill(of->level, b, b + 1) : 0.0;
            if (behind < 1.0)
                add_region(g, of, a, b, part * (1.0 - behind), r);
        }
        before = a < of->last ? fill(of->level, a, a + 1) : 0.0;
    }
}

// How deep it is, and where.
typedef struct summit {
    double p, eta; // [m]
} summit;

static summit summit_of(const lobe *l)
{
    return (summit){l->peak.p, l->peak.eta};
}

// The deeper one of two with the valley v between them, but a little less deep where they are equal, and in between them,
// so that there is no corner; exactly the deeper one where the other vanishes in the valley.
static summit deeper(summit a, summit b, double v)
{
    const double over_a = a.p - v, over_b = b.p - v;
    if (!(over_a > 0.0 && over_b > 0.0))
        return a.p > b.p ? a : b;
    const double half = 0.5 * (a.p - b.p), sum = over_a + over_b, part = over_a * over_b / (sum * sum);
    const double round = rounding * sum * part * part * part, root = sqrt(half * half + round * round);
    const double weight = root > 0.0 ? 0.5 + 0.5 * half / root : 0.5;
    return (summit){0.5 * (a.p + b.p) + root - round, b.eta + weight * (a.eta - b.eta)};
}

// Of the lobes first to last as one: over the highest valleys first, as they vanish first.
static summit joint_summit(const lobe *first, const lobe *last)
{
    if (first == last)
        return summit_of(first);
    const lobe *low = first;
    for (const lobe *l = first + 1; l < last; l++)
        low = l->right_p < low->right_p ? l : low;
    return deeper(joint_summit(first, low), joint_summit(low + 1, last), low->right_p);
}

// The contact of the lobes first to last; ends: of its regions, or NULL. Returns 0 if nothing of it is left.
static int make_spot(const silhouette *g, const lobes *found, const lobe *first, const lobe *last,
                     overlap_ends (*ends)[KANE_LOBES_MAX], const hertz_table *hertz, double E_star, contact_spot *spot)
{
    const summit top   = joint_summit(first, last);
    const double depth = top.p, level = KANE_LEVEL * depth;
    region r = {0};
    add_regions(g, &(group){found, first, last, top.eta, level, ends}, &r);
    if (!(r.area > r.cut && r.weight > 0.0))
        return 0;

    // half a parabola of height d has the area (2/3) d^3/2 B^-1/2
    const double natural = depth - level;
    const double left    = fmin(natural, fmax(0.0, depth - first->left_p));
    const double right   = fmin(natural, fmax(0.0, depth - last->right_p));
    const double root    = 2.0 / 3.0 * (left * sqrt(left) + right * sqrt(right)) / (r.area - r.cut);

    const double slope = r.rise / r.weight, cosine = 1.0 / sqrt(1.0 + slope * slope);
    const double A = place_spot(g, r.moment / r.weight, slope, cosine, spot);
    const double B = root * root * cosine * cosine * cosine;

    const hertz_shape shape = kane_hertz_shape(hertz, log(B / A));
    const double above      = 1.0 - KANE_LEVEL;
    spot->approach          = depth * cosine;
    spot->N                 = E_star * shape.h * r.area / (above * sqrt(above));
    const double size       = sqrt(spot->approach / (A + B));
    spot->a                 = shape.along * size;
    spot->b                 = shape.across * size;
    return 1;
}

// What is beside a valley at v, on the side of lobe l. Behind it another valley, at w, leads to lobe `behind`: while that
// valley is the higher one it vanishes first, and then both are one lobe.
static summit beside(const lobe *l, double v, const lobe *behind, double w)
{
    const summit here = summit_of(l);
    const double part = behind ? smooth_step((w - v) / (filled * (here.p - v))) : 0.0;
    if (!(part > 0.0))
        return here;
    return (summit){here.p + part * (deeper(here, summit_of(behind), w).p - here.p), here.eta};
}

// How much lobe i and the one before it are one contact.
static double link(const lobes *found, int i)
{
    const lobe *a = &found->at[i - 1], *b = &found->at[i];
    if (a->right != b->left)
        return 0.0;
    const double v       = a->right_p;
    const summit left    = beside(a, v, i > 1 && a->left == a[-1].right ? a - 1 : NULL, a->left_p);
    const summit right   = beside(b, v, i + 1 < found->count && b->right == b[1].left ? b + 1 : NULL, b->right_p);
    const double smaller = left.p + right.p - deeper(left, right, v).p;
    return smooth_step((v / smaller - KANE_LEVEL) / (joined - KANE_LEVEL));
}

int kane_overlap_spots(const silhouette *g, const lobes *found, overlap_trail *trail, const hertz_table *hertz,
                       double E_star, contact_spot spots[KANE_PATCHES_MAX])
{
    const int n                  = found->count;
    double m[KANE_LOBES_MAX + 1] = {0.0}; // m[i] links lobe i-1 to lobe i
    int count                    = 0;

    for (int i = 1; i < n; i++)
        m[i] = link(found, i);
    for (int i = 0; i < n; i++) {
        double inside = 1.0;
        for (int j = i; j < n && inside > 0.0; j++) {
            const double share                  = (1.0 - m[i]) * inside * (1.0 - (j + 1 < n ? m[j + 1] : 0.0));
            overlap_ends(*ends)[KANE_LOBES_MAX] = trail ? trail->at[i][j] : NULL;
            if (share > 0.0 && make_spot(g, found, &found->at[i], &found->at[j], ends, hertz, E_star, &spots[count]))
                spots[count++].share = share;
            inside *= j + 1 < n ? m[j + 1] : 0.0;
        }
    }
    return count;
}
