// SPDX-License-Identifier: MIT
// The overlap law (overlap.h).

#include "contact/overlap.h"

#include <math.h>

// Two penetrations are one contact when the valley between them has reached this part of the smaller peak [1].
static const double merged_ratio = 0.85;

// Rounding c of smooth_maximum():  c = rounding H (h_a h_b/H^2)^3 [1].
static const double rounding = 0.8;

// A valley inside a contact ceases to be an end of quadrature when it has risen by this part of the height from the
// level to the smaller peak [1].
static const double filled_ratio = 0.5;

// A valley above the level cuts its contact; below this height over the level, as part of the level, the cut fades
// smoothly to zero [1].
static const double cutting = 0.5;

// Gauss-Lobatto with eight points: the inner six in (-1, 1), their weights and that of the ends.
static const double lobatto_x[KANE_ROW] = {-.871740148509606615, -.591700181433142302, -.209299217902478869,
                                           .209299217902478869,  .591700181433142302,  .871740148509606615};
static const double lobatto_w[KANE_ROW] = {.210704227143506040, .341122692483504365, .412458794658703882,
                                           .412458794658703882, .341122692483504365, .210704227143506040};
static const double lobatto_end         = 1.0 / 28.0;

// The iteration for an end stops at |p - l| <= close_enough (p_max - l); a series of third order gives the rest [1].
static const double close_enough = 1e-3;

static const double third = 1.0 / 3.0;

// Depth [m] by which a valley with p = level + q cuts its contact:  q smooth_step(q/(cutting level)).  Equal to q for
// q >= cutting level; zero with slope zero at q = 0.
KANE_INLINE kane_scalar cut_depth(kane_scalar q, kane_scalar level)
{
    return ks_mul(q, kane_smooth_step(ks_div(q, ks_scale(cutting, level))));
}

// Integrals over the part of the overlap above the level, q = p - level:
//   J = integral of q d(eta),   M = integral of q eta d(eta),   S = integral of q slope d(eta)
typedef struct region {
    double area;                 // J [m^2]
    double weight, moment, rise; // J, M, S by quadrature
    double cut; // part of the area that lies below the ends, where these are valleys above the level [m^2]
} region;

// Integral of V - radius over U along the contact_locus, up to a constant (equal for all points of one contact_locus).
// With F, Q2, Q4 the integrals of f, R R'^2, R R'^4 and q = T R'^2, by parts,
//   c (F + T Q2/2 + T^2 Q4/24 - T^2 R^2 R'^3 (1/3 + q/10 + 3 q^2/56) - T v R R')
KANE_INLINE kane_scalar wheel_integral(const wheel_table *wheel, kane_scalar s, kane_scalar R1, kane_scalar RR1,
                                       kane_scalar T, kane_scalar c, kane_scalar v)
{
    double x;
    const wheel_cell *w = wheel_cell_at(wheel, ks_value(s), &x);
    const double *f = w->f, *a = w->two, *b = w->four;
    const kane_scalar F  = ks_chain(s, w->area + x * (f[0] + x * (0.5 * f[1] + x * (third * f[2] + x * (0.25 * f[3])))),
                                    f[0] + x * (f[1] + x * (f[2] + x * f[3])));
    const kane_scalar Q2 = ks_chain(s, a[0] + x * (a[1] + x * (a[2] + x * (a[3] + x * a[4]))),
                                    a[1] + x * (2.0 * a[2] + x * (3.0 * a[3] + x * (4.0 * a[4]))));
    const kane_scalar Q4 = ks_chain(s, b[0] + x * (b[1] + x * (b[2] + x * (b[3] + x * b[4]))),
                                    b[1] + x * (2.0 * b[2] + x * (3.0 * b[3] + x * (4.0 * b[4]))));
    const kane_scalar q = ks_mul(ks_mul(T, R1), R1), k = ks_mul(ks_mul(ks_mul(T, RR1), RR1), R1);
    const kane_scalar row  = ks_shift(ks_mul(q, ks_shift(ks_scale(3.0 / 56.0, q), 0.1)), third);
    const kane_scalar area = ks_add(ks_sub(ks_scale(0.5, Q2), ks_mul(v, RR1)), ks_scale(1.0 / 24.0, ks_mul(T, Q4)));
    return ks_mul(c, ks_add(F, ks_mul(T, ks_sub(area, ks_mul(k, row)))));
}

static double wheel_area(const contact_locus *g, const overlap *o)
{
    return ks_value(wheel_integral(g->wheel, ks_constant(o->s), ks_constant(o->R1), ks_constant(o->RR1),
                                   ks_constant(g->T), ks_constant(g->c), ks_constant(o->v)));
}

// Integral of the rail's zeta over eta from its first cell.
static double rail_integral(const rail_mean *rail, double eta)
{
    double x;
    rail_cell room;
    const rail_cell *r = rail_mean_cell_at(rail, eta, &x, &room);
    const double *z    = r->z;
    return r->area + x * (z[0] + x * (0.5 * z[1] + x * (third * z[2] + x * (0.25 * z[3]))));
}

// Area between rail and wheel above the level, from a to b: what lies between each curve and its chord (which does not
// depend on the axes), and the trapezium between the chords.
static double area_between(const contact_locus *g, double level, const overlap *a, const overlap *b)
{
    const double width = b->eta - a->eta;
    const double rail =
        rail_integral(&g->rail, b->eta) - rail_integral(&g->rail, a->eta) - 0.5 * (a->rail + b->rail) * width;
    const double wheel = wheel_area(g, b) - wheel_area(g, a) - 0.5 * (a->v + b->v) * (b->U - a->U);
    return rail + wheel + (0.5 * (a->p + b->p) - level) * width;
}

// One end of a region: where p falls to the level, or a valley that does not lie lower than the level.
typedef struct region_end {
    overlap at;             // at the end, or near it
    double s;               // the end itself [m]
    double q;               // p - level there, 0 but for valleys [m]
    double area;            // of what lies between `at` and the end [m^2]
    double side;            // -1: left of its peak, 1: right
    double inside, outside; // bracket during the iteration: places above and below the level [m]
    int found;
} region_end;

// First guess of the place s [m] at which p falls to the level: root of the parabola through three coarse nodes. For a
// peak narrower than the nodes' distance: root of the peak's own parabola,  s = s_peak +- (2 (p_peak -
// level)/-p'')^1/2.
static double guess_end(const contact_locus *g, const penetrations *found, double level, const penetration *l,
                        double side, double bound)
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
    const double slope = 0.5 * (a + b), second = 0.5 * (b - a), q = here - wanted,
                 square = slope * slope + 4.0 * second * q;
    const double x      = square > 0.0 ? 2.0 * q / (slope + sqrt(square)) : q / b;
    return nodes->s[i - out] + side * x * nodes->distance;
}

static void start_end(const contact_locus *g, const penetrations *found, double level, const penetration *l,
                      double side, region_end *e)
{
    const double bound = side < 0.0 ? l->left : l->right, bound_p = side < 0.0 ? l->left_p : l->right_p;
    e->side    = side;
    e->inside  = l->peak.s;
    e->outside = bound;
    e->area    = 0.0;
    e->q       = 0.0;
    e->found   = bound_p > level;
    e->s       = e->found ? bound : guess_end(g, found, level, l, side, bound);
    if (e->found) {
        e->at = overlap_at(g, bound);
        e->q  = e->at.p - level;
    }
}

// One Newton step for p(s) = level, kept in [inside, outside] by bisection. Once |p - level| <= close, a series of
// third order gives the end and the area up to it, with q = p - level, d = -q/p' (1 + q p''/(2 p'^2)):
//   s_end = s + d,   area = +-eta' d (q + d p'/2 + d^2 p''/6)
// It is not used where p is nearly level, |q p''| >= 0.1 p'^2: there the series is not accurate.
static void step_end(const contact_locus *g, double level, double close, region_end *e)
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
        e->found = 1;
        return;
    }
    e->s += step;
}

// Both ends of the region from penetration a to penetration b, in one loop: the two iterations are independent, so that
// a processor overlaps them.
static void find_ends(const contact_locus *g, const penetrations *found, double level, const penetration *a,
                      const penetration *b, region_end *left, region_end *right)
{
    start_end(g, found, level, a, -1.0, left);
    start_end(g, found, level, b, 1.0, right);
    for (int i = 0; i < 60 && !(left->found && right->found); i++) {
        if (!left->found)
            step_end(g, level, close_enough * (a->peak.p - level), left);
        if (!right->found)
            step_end(g, level, close_enough * (b->peak.p - level), right);
    }
}

static double cut_depth_at(const region_end *e, double level)
{
    return ks_value(cut_depth(ks_constant(e->q), ks_constant(level)));
}

// One contact of neighbouring penetrations, first to last.
typedef struct group {
    const penetrations *all;
    const penetration *first, *last;
    double top; // where it is deepest, eta [m]
    double level;
} group;

// Adds `part` of J, M, S and the cut of the region from the left end of penetration a to the right end of penetration
// b, both at the level or at a valley above it. J by the integrals of the profiles, M and S by Gauss-Lobatto with eight
// points. Leaves both ends in *left and *right, for the derivatives.
static void add_region(const contact_locus *g, const group *of, const penetration *a, const penetration *b, double part,
                       region *r, region_end *left, region_end *right)
{
    const double level = of->level;
    find_ends(g, of->all, level, a, b, left, right);
    const double middle = 0.5 * (left->s + right->s), half = 0.5 * (right->s - left->s), scale = part * half;

    r->area += part * (area_between(g, level, &left->at, &right->at) + left->area + right->area);
    if (a == of->first)
        r->cut += part * cut_depth_at(left, level) * (of->top - left->at.eta);
    if (b == of->last)
        r->cut += part * cut_depth_at(right, level) * (right->at.eta - of->top);
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
    const double outer[2] = {lobatto_end * scale * left->q * left->at.eta1,
                             lobatto_end * scale * right->q * right->at.eta1};
    r->weight += outer[0] + outer[1];
    r->moment += outer[0] * left->at.eta + outer[1] * right->at.eta;
    r->rise += outer[0] * left->at.slope + outer[1] * right->at.slope;
}

// --- derivatives by the pose ---

// Derivatives of a penetration's peak and of the valleys on both sides, where these lie above zero; all others are not
// used.
typedef struct penetration_tangents {
    kane_tangents p, eta;
    kane_tangents s[2], valley[2]; // left and right: where the valley is, and p there
} penetration_tangents;

// A dual number of a value and its tangents; NULL: a constant.
KANE_INLINE kane_scalar with_tangents(double value, const kane_tangents *t)
{
    return t ? (kane_scalar){*t, value} : ks_constant(value);
}

// An extremum moves so that p' stays zero,  ds = -d(p')/p'',  which leaves p unchanged to first order. The last node of
// a range does not move.
static void find_valley_slopes(const contact_locus *g, double s, double p, kane_tangents *by_s, kane_tangents *by_p)
{
    *by_s = *by_p = kane_tangents_none();
    if (!(p > 0.0))
        return;
    const overlap_tangents o = overlap_tangents_at(g, s);
    *by_p                    = o.by_p;
    if (fabs(o.p1) < 1e-6 * o.p2)
        *by_s = kane_tangents_scale(-1.0 / o.p2, o.by_p1);
}

static void find_penetration_slopes(const contact_locus *g, const penetration *l, penetration_tangents *t)
{
    const overlap_tangents o = overlap_tangents_at(g, l->peak.s);
    t->p                     = o.by_p;
    t->eta                   = kane_tangents_sum(1.0, o.by_eta, -o.eta1 / o.p2, o.by_p1);
    find_valley_slopes(g, l->left, l->left_p, &t->s[0], &t->valley[0]);
    find_valley_slopes(g, l->right, l->right_p, &t->s[1], &t->valley[1]);
}

// One end of a region.
typedef struct end_slopes {
    overlap_tangents at;
    kane_tangents s, q;
    kane_tangents area; // of what this end contributes to the region's
} end_slopes;

// An end with p = l moves so that this still holds,  ds = (dl - dp)/p';  a valley moves as an extremum. The area
// between rail and wheel changes by what the wheel's outline sweeps: with its displacement d, q = p - l,
//   dJ = [q (d(eta) + eta' ds) - eta dl] - integral of (d_zeta d(eta) - d_eta d(zeta))
// and the integral is one of places at the ends: of eta and zeta for translations, r.r/2 for rolling, and that of v' dU
// - U' dv for a change of the outline itself,  W' - v U'  with the wheel's integral W. Being a series, W grows along s
// a little otherwise than by v dU; an end that moves along a narrow contact shows it.
static void find_end_slopes(const contact_locus *g, const region_end *e, kane_tangents by_level,
                            const kane_tangents *valley, end_slopes *t)
{
    const overlap_tangents o = t->at = overlap_tangents_at(g, e->s);
    const contact_locus_scalars all  = contact_locus_with_slopes(g);
    const kane_scalar s = ks_variable(e->s, BY_PLACE), R1 = ks_chain(s, o.w.R1, o.w.R2);
    const kane_scalar RR1 = ks_chain(s, o.w.RR1, o.w.R1 * o.w.R1 + o.w.R * o.w.R2);
    const kane_scalar v   = ks_chain2(s, all.ex, o.w.v, o.w.V1, o.v_ex),
                      W   = wheel_integral(g->wheel, s, R1, RR1, all.T, all.c, v);
    const double W_ex = kane_tangents_get(W.t, BY_EX), W_s = kane_tangents_get(W.t, BY_PLACE);

    const kane_tangents rest  = kane_tangents_sub(o.by_p, by_level);
    const int is_valley       = e->q != 0.0;
    t->s                      = is_valley ? *valley : kane_tangents_scale(-1.0 / o.p1, rest);
    t->q                      = is_valley ? kane_tangents_sum(1.0, rest, o.p1, t->s) : kane_tangents_none();
    const kane_tangents swept = pose_tangents(o.zeta, -o.eta, -0.5 * o.r2, W_ex - o.w.v * o.U_ex);
    t->area                   = kane_tangents_add(kane_tangents_sum(1.0, swept, -o.eta, by_level),
                                                  kane_tangents_sum(e->q, o.by_eta, e->q * o.eta1 + W_s - o.w.v * o.w.U1, t->s));
}

// Sums of quadrature, of dJ, dJ eta and dJ slope: what they are, and by the pose with the places where they are on the
// wheel, by all places together, and by each as far as it lies from the middle.
typedef struct moments {
    double sum[3], by_middle[3], by_half[3];
    kane_tangents by_pose[3];
} moments;

KANE_INLINE void add_place(const overlap_tangents *o, double q, kane_tangents by_level, double x, double weight,
                           moments *m)
{
    const kane_tangents by_q = kane_tangents_sub(o->by_p, by_level);
    const double dJ = weight * q * o->eta1, by_s = weight * (o->p1 * o->eta1 + q * o->eta2);
    const kane_tangents by_pose = kane_tangents_sum(weight * o->eta1, by_q, weight * q, o->by_eta1);
    const double factor[3] = {1.0, o->eta, o->slope}, by_eta[3] = {0.0, 1.0, o->curvature};
    for (int k = 0; k < 3; k++) {
        const double along = by_s * factor[k] + dJ * by_eta[k] * o->eta1;
        m->sum[k] += dJ * factor[k];
        m->by_middle[k] += along;
        m->by_half[k] += x * along;
        m->by_pose[k] =
            kane_tangents_add(m->by_pose[k], kane_tangents_sum(factor[k], by_pose, dJ * by_eta[k], o->by_eta));
    }
}

typedef struct region_tangents {
    kane_tangents area, weight, moment, rise, cut;
} region_tangents;

// What a region of the contact adds to it: its ends, and whether they are those of the contact; how much of it counts.
typedef struct region_part {
    const region_end *left, *right;
    int cuts_left, cuts_right;
    kane_scalar part;
    region gain; // what add_region() has added, of that part
} region_part;

// Derivatives of J, M and S by Gauss-Lobatto with eight points. An end counts if it is a valley; at the level q = 0.
static void sum_places(const contact_locus *g, kane_scalar level, const region_part *of, const end_slopes *left,
                       const end_slopes *right, region_tangents *sums_t)
{
    const double middle = 0.5 * (left->at.s + right->at.s), half = 0.5 * (right->at.s - left->at.s);
    moments m = {0};
    for (int i = 0; i < KANE_ROW; i++) {
        const overlap_tangents o = overlap_tangents_at(g, middle + half * lobatto_x[i]);
        if (o.p > level.v)
            add_place(&o, o.p - level.v, level.t, lobatto_x[i], lobatto_w[i], &m);
    }
    if (of->left->q != 0.0)
        add_place(&left->at, of->left->q, level.t, -1.0, lobatto_end, &m);
    if (of->right->q != 0.0)
        add_place(&right->at, of->right->q, level.t, 1.0, lobatto_end, &m);

    const kane_tangents by_middle = kane_tangents_sum(0.5, left->s, 0.5, right->s),
                        by_half   = kane_tangents_sum(-0.5, left->s, 0.5, right->s);
    kane_tangents *const sums[3]  = {&sums_t->weight, &sums_t->moment, &sums_t->rise};
    for (int k = 0; k < 3; k++) {
        const kane_tangents inside =
            kane_tangents_add(m.by_pose[k], kane_tangents_sum(m.by_middle[k], by_middle, m.by_half[k], by_half));
        *sums[k] = kane_tangents_sum(half, inside, m.sum[k], by_half);
    }
}

// Of q (eta - top), the area below an end that is a valley and cuts by q; left of the top its negative.
static kane_tangents cut_slopes(const end_slopes *e, double q, kane_scalar level, kane_scalar top)
{
    const kane_scalar cut      = cut_depth((kane_scalar){e->q, q}, level);
    const kane_tangents by_eta = kane_tangents_sum(1.0, e->at.by_eta, e->at.eta1, e->s);
    return kane_tangents_sum(e->at.eta - top.v, cut.t, cut.v, kane_tangents_sub(by_eta, top.t));
}

static void add_region_slopes(const contact_locus *g, kane_scalar level, kane_scalar top, const region_part *of,
                              const kane_tangents *left_valley, const kane_tangents *right_valley, region_tangents *r)
{
    end_slopes left, right;
    region_tangents sums_t;
    find_end_slopes(g, of->left, level.t, left_valley, &left);
    find_end_slopes(g, of->right, level.t, right_valley, &right);
    sum_places(g, level, of, &left, &right, &sums_t);
    sums_t.area = kane_tangents_sub(right.area, left.area);
    sums_t.cut  = kane_tangents_none();
    if (of->cuts_left)
        sums_t.cut = kane_tangents_sub(sums_t.cut, cut_slopes(&left, of->left->q, level, top));
    if (of->cuts_right)
        sums_t.cut = kane_tangents_add(sums_t.cut, cut_slopes(&right, of->right->q, level, top));

    const double part = of->part.v, per = 1.0 / part;
    const kane_tangents t = of->part.t;
    r->area               = kane_tangents_add(r->area, kane_tangents_sum(part, sums_t.area, per * of->gain.area, t));
    r->weight = kane_tangents_add(r->weight, kane_tangents_sum(part, sums_t.weight, per * of->gain.weight, t));
    r->moment = kane_tangents_add(r->moment, kane_tangents_sum(part, sums_t.moment, per * of->gain.moment, t));
    r->rise   = kane_tangents_add(r->rise, kane_tangents_sum(part, sums_t.rise, per * of->gain.rise, t));
    r->cut    = kane_tangents_add(r->cut, kane_tangents_sum(part, sums_t.cut, per * of->gain.cut, t));
}

// --- from penetrations to contacts: one formula for values and derivatives ---
//
// `slopes`: tangents of all penetrations; NULL: values only.

// What the law needs of a penetration [m].
typedef struct penetration_scalars {
    kane_scalar p, eta;      // of its peak
    kane_scalar left, right; // p in the valleys beside it
} penetration_scalars;

KANE_INLINE penetration_scalars penetration_with_slopes(const penetrations *found, const penetration_tangents *slopes,
                                                        int i)
{
    const penetration *l          = &found->at[i];
    const penetration_tangents *t = slopes ? &slopes[i] : NULL;
    return (penetration_scalars){
        with_tangents(l->peak.p, t ? &t->p : NULL), with_tangents(l->peak.eta, t ? &t->eta : NULL),
        with_tangents(l->left_p, t ? &t->valley[0] : NULL), with_tangents(l->right_p, t ? &t->valley[1] : NULL)};
}

KANE_INLINE kane_scalar smaller(kane_scalar a, kane_scalar b)
{
    return ks_value(a) < ks_value(b) ? a : b;
}

// Fill ratio in [0, 1] of the valley behind penetration i, with p_v there:
//   smooth_step((p_v - l)/(filled_ratio (min(p_i, p_i+1) - l))),   0 for p_v <= l and behind the last one of a contact.
// 0: the valley ends the quadrature; 1: the quadrature runs over it.
KANE_INLINE kane_scalar valley_fill_ratio(const penetrations *found, const penetration_tangents *slopes,
                                          kane_scalar level, int i, int last)
{
    if (!(i < last && found->at[i].right_p > ks_value(level)))
        return ks_constant(0.0);
    const penetration_scalars a = penetration_with_slopes(found, slopes, i),
                              b = penetration_with_slopes(found, slopes, i + 1);
    const kane_scalar height    = ks_sub(smaller(a.p, b.p), level);
    return kane_smooth_step(ks_div(ks_sub(a.right, level), ks_scale(filled_ratio, height)));
}

// Depth of a contact and where it is deepest.
typedef struct maximum {
    kane_scalar p, eta; // [m]
} maximum;

KANE_INLINE maximum maximum_of(const penetration_scalars *l)
{
    return (maximum){l->p, l->eta};
}

// Maximum of two peaks with the valley v between them, without a corner. With the heights over the valley h_a and h_b,
// their sum H and  c = rounding H (h_a h_b/H^2)^3:
//   p   = (p_a + p_b)/2 + r - c,   r = ((p_a - p_b)^2/4 + c^2)^1/2
//   eta = w eta_a + (1 - w) eta_b,   w = 1/2 + (p_a - p_b)/(4 r)
// At equal peaks p is that of both. Where one vanishes in the valley c = 0: p is exactly that of the other.
KANE_INLINE maximum smooth_maximum(maximum a, maximum b, kane_scalar v)
{
    const kane_scalar height_a = ks_sub(a.p, v), height_b = ks_sub(b.p, v);
    if (!(ks_value(height_a) > 0.0 && ks_value(height_b) > 0.0))
        return ks_value(a.p) > ks_value(b.p) ? a : b;
    const kane_scalar half = ks_scale(0.5, ks_sub(a.p, b.p)), sum = ks_add(height_a, height_b),
                      part  = ks_div(ks_mul(height_a, height_b), ks_square(sum));
    const kane_scalar round = ks_mul(ks_mul(ks_mul(ks_scale(rounding, sum), part), part), part);
    const kane_scalar root  = ks_hypot(half, round);
    const kane_scalar weight =
        ks_value(root) > 0.0 ? ks_shift(ks_div(ks_scale(0.5, half), root), 0.5) : ks_constant(0.5);
    return (maximum){ks_sub(ks_add(ks_scale(0.5, ks_add(a.p, b.p)), root), round),
                     ks_add(b.eta, ks_mul(weight, ks_sub(a.eta, b.eta)))};
}

// Maximum of the penetrations first to last, three at most. The two with the higher valley are joined first: that
// valley vanishes first.
KANE_INLINE maximum joint_maximum(const penetrations *found, const penetration_tangents *slopes, int first, int last)
{
    const penetration_scalars a = penetration_with_slopes(found, slopes, first);
    if (first == last)
        return maximum_of(&a);
    const penetration_scalars b = penetration_with_slopes(found, slopes, first + 1);
    if (first + 1 == last)
        return smooth_maximum(maximum_of(&a), maximum_of(&b), a.right);
    const penetration_scalars c = penetration_with_slopes(found, slopes, last);
    if (ks_value(b.right) < ks_value(a.right))
        return smooth_maximum(smooth_maximum(maximum_of(&a), maximum_of(&b), a.right), maximum_of(&c), b.right);
    return smooth_maximum(maximum_of(&a), smooth_maximum(maximum_of(&b), maximum_of(&c), b.right), a.right);
}

// Maximum on one side of a valley at v, the side of penetration l. Behind l another valley, at w, leads to penetration
// `behind` (NULL: none). While w > v that valley vanishes first: the depth then goes over to that of both,
//   p = p_l + smooth_step((w - v)/(filled_ratio (p_l - v))) (p_both - p_l)
KANE_INLINE maximum maximum_beside(const penetration_scalars *l, kane_scalar v, const penetration_scalars *behind,
                                   kane_scalar w)
{
    const maximum here = maximum_of(l);
    const kane_scalar part =
        behind ? kane_smooth_step(ks_div(ks_sub(w, v), ks_scale(filled_ratio, ks_sub(here.p, v)))) : ks_constant(0.0);
    if (!(ks_value(part) > 0.0))
        return here;
    const maximum both = smooth_maximum(here, maximum_of(behind), w);
    return (maximum){ks_add(here.p, ks_mul(part, ks_sub(both.p, here.p))), here.eta};
}

// Merge weight m in [0, 1] of penetrations i - 1 and i, with the valley v between them and the smaller depth d:
//   m = smooth_step((v/d - KANE_LEVEL)/(merged_ratio - KANE_LEVEL)),   0 if there is no common valley.
// Forces are (1 - m) (both apart) + m (joint).
KANE_INLINE kane_scalar merge_weight(const penetrations *found, const penetration_tangents *slopes, int i)
{
    const penetration *at = found->at;
    const int n           = found->count;
    if (at[i - 1].right != at[i].left)
        return ks_constant(0.0);
    const int leads_left             = i > 1 && at[i - 1].left == at[i - 2].right,
              leads_right            = i + 1 < n && at[i].right == at[i + 1].left;
    const penetration_scalars a      = penetration_with_slopes(found, slopes, i - 1),
                              b      = penetration_with_slopes(found, slopes, i);
    const penetration_scalars before = leads_left ? penetration_with_slopes(found, slopes, i - 2) : a,
                              behind = leads_right ? penetration_with_slopes(found, slopes, i + 1) : b;
    const kane_scalar v              = a.right;
    const maximum left               = maximum_beside(&a, v, leads_left ? &before : NULL, a.left);
    const maximum right              = maximum_beside(&b, v, leads_right ? &behind : NULL, b.right);
    const kane_scalar depth = ks_sub(ks_add(left.p, right.p), smooth_maximum(left, right, v).p); // of the smaller one
    return kane_smooth_step(ks_over(ks_shift(ks_div(v, depth), -KANE_LEVEL), merged_ratio - KANE_LEVEL));
}

// Integrals of a contact: sum over all ranges a..b of its penetrations, each with the weight
//   (1 - f_a-1) f_a ... f_b-1 (1 - f_b),   f_i: fill ratio of the valley behind penetration i
// A valley with 0 < f < 1 is thus an end in one part of the sum and inside a region in the other.
KANE_INLINE void add_regions(const contact_locus *g, const penetrations *found, const penetration_tangents *slopes,
                             int first, int last, kane_scalar top, kane_scalar level, region *r, region_tangents *t)
{
    const group of     = {found, &found->at[first], &found->at[last], ks_value(top), ks_value(level)};
    kane_scalar before = ks_constant(0.0);
    for (int a = first; a <= last; a++) {
        kane_scalar part = ks_shift(ks_neg(before), 1.0), behind;
        for (int b = a; ks_value(part) > 0.0 && found->at[a].peak.p > of.level; b++, part = ks_mul(part, behind)) {
            behind = valley_fill_ratio(found, slopes, level, b, last);
            if (!(ks_value(behind) < 1.0))
                continue;
            const kane_scalar weight = ks_mul(part, ks_shift(ks_neg(behind), 1.0));
            const region without     = *r;
            region_end left, right;
            add_region(g, &of, &found->at[a], &found->at[b], ks_value(weight), r, &left, &right);
            if (slopes) {
                const region gain = {.area   = r->area - without.area,
                                     .weight = r->weight - without.weight,
                                     .moment = r->moment - without.moment,
                                     .rise   = r->rise - without.rise,
                                     .cut    = r->cut - without.cut};
                add_region_slopes(g, level, top, &(region_part){&left, &right, a == first, b == last, weight, gain},
                                  &slopes[a].s[0], &slopes[b].s[1], t);
            }
        }
        before = valley_fill_ratio(found, slopes, level, a, last);
    }
}

// d^3/2 [m^3/2] for one half of a contact; d: depth over the level, less the cut of a valley above the level. Half a
// parabola of height d and curvature 2 B has the area (2/3) d^3/2 B^-1/2.
KANE_INLINE kane_scalar half_depth_power(kane_scalar depth, kane_scalar level, kane_scalar valley)
{
    const kane_scalar cut = cut_depth(ks_sub(valley, level), level);
    const kane_scalar d   = ks_value(valley) < ks_value(depth) ? ks_sub(ks_sub(depth, level), cut) : ks_constant(0.0);
    const double root     = sqrt(ks_value(d));
    return ks_chain(d, ks_value(d) * root, 1.5 * root);
}

// Patch of the penetrations first to last (overlap.h):  B from the area above the level,  N and semi-axes by Hertz with
// B/A. Returns 0 if no area is left above the level.
KANE_INLINE int eval_patch(const contact_locus *g, const penetrations *found, const penetration_tangents *slopes,
                           int first, int last, const hertz_table *hertz, double E_star, patch_scalars *spot)
{
    const maximum top       = joint_maximum(found, slopes, first, last);
    const kane_scalar depth = top.p, level = ks_scale(KANE_LEVEL, depth);
    region r          = {0};
    region_tangents t = {0};
    add_regions(g, found, slopes, first, last, top.eta, level, &r, &t);
    if (!(r.area > r.cut && r.weight > 0.0))
        return 0;
    const kane_scalar area   = with_tangents(r.area, slopes ? &t.area : NULL),
                      cut    = with_tangents(r.cut, slopes ? &t.cut : NULL),
                      weight = with_tangents(r.weight, slopes ? &t.weight : NULL),
                      moment = with_tangents(r.moment, slopes ? &t.moment : NULL),
                      rise   = with_tangents(r.rise, slopes ? &t.rise : NULL);

    // half a parabola of height d has the area (2/3) d^3/2 B^-1/2
    const kane_scalar left   = penetration_with_slopes(found, slopes, first).left,
                      right  = penetration_with_slopes(found, slopes, last).right;
    const kane_scalar halves = ks_add(half_depth_power(depth, level, left), half_depth_power(depth, level, right));
    const kane_scalar root   = ks_div(ks_scale(2.0 / 3.0, halves), ks_sub(area, cut));

    const kane_scalar slope = ks_div(rise, weight), cosine = ks_inverse(ks_sqrt(ks_shift(ks_square(slope), 1.0)));
    const kane_scalar A = kane_overlap_place(g, ks_div(moment, weight), slope, cosine, spot);
    const kane_scalar B = ks_mul(ks_mul(ks_mul(ks_square(root), cosine), cosine), cosine);

    const hertz_scalars shape = kane_hertz_scalars(hertz, ks_log(ks_div(B, A)));
    const double above        = 1.0 - KANE_LEVEL;
    spot->approach            = ks_mul(depth, cosine);
    spot->N                   = ks_over(ks_mul(ks_scale(E_star, shape.h), area), above * sqrt(above));
    const kane_scalar size    = ks_sqrt(ks_div(spot->approach, ks_add(A, B)));
    spot->a                   = ks_mul(shape.along, size);
    spot->b                   = ks_mul(shape.across, size);
    return 1;
}

// Patches of all ranges i..j of neighbouring penetrations whose share is positive, as values or with derivatives:
//   share = (1 - m_i) m_i+1 ... m_j (1 - m_j+1),   m_i: merge weight of penetrations i - 1 and i
// The shares that hold one penetration sum to 1. Returns the number of patches.
KANE_INLINE int find_patches(const contact_locus *g, const penetrations *found, const penetration_tangents *slopes,
                             const hertz_table *hertz, double E_star, contact_patch *values, patch_scalars *scalars)
{
    const int n                         = found->count;
    double m[KANE_PENETRATIONS_MAX + 1] = {0.0}; // m[i] links penetration i-1 to penetration i
    kane_tangents m_t[KANE_PENETRATIONS_MAX + 1];
    int count = 0;

    for (int i = 0; slopes && i <= KANE_PENETRATIONS_MAX; i++)
        m_t[i] = kane_tangents_none();
    for (int i = 1; i < n; i++) {
        const kane_scalar one = merge_weight(found, slopes, i);
        m[i]                  = ks_value(one);
        if (slopes)
            m_t[i] = one.t;
    }
    for (int i = 0; i < n; i++) {
        kane_scalar inside      = ks_constant(1.0);
        const kane_scalar apart = ks_shift(ks_neg(with_tangents(m[i], slopes ? &m_t[i] : NULL)), 1.0);
        for (int j = i; j < n && ks_value(inside) > 0.0; j++) {
            const kane_scalar on = j + 1 < n ? with_tangents(m[j + 1], slopes ? &m_t[j + 1] : NULL) : ks_constant(0.0);
            patch_scalars spot   = {.share             = ks_mul(ks_mul(apart, inside), ks_shift(ks_neg(on), 1.0)),
                                    .first_penetration = i,
                                    .last_penetration  = j};
            if (ks_value(spot.share) > 0.0 && eval_patch(g, found, slopes, i, j, hertz, E_star, &spot)) {
                if (slopes)
                    scalars[count++] = spot;
                else
                    values[count++] = patch_value(&spot);
            }
            inside = ks_mul(inside, on);
        }
    }
    return count;
}

int kane_overlap_patches(const contact_locus *g, const penetrations *found, const hertz_table *hertz, double E_star,
                         contact_patch spots[KANE_PATCHES_MAX])
{
    return find_patches(g, found, NULL, hertz, E_star, spots, NULL);
}

int kane_overlap_derive(const contact_locus *g, const penetrations *found, const hertz_table *hertz, double E_star,
                        patch_scalars spots[KANE_PATCHES_MAX])
{
    penetration_tangents slopes[KANE_PENETRATIONS_MAX];
    for (int i = 0; i < found->count; i++)
        find_penetration_slopes(g, &found->at[i], &slopes[i]);
    return find_patches(g, found, slopes, hertz, E_star, NULL, spots);
}
