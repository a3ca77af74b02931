// SPDX-License-Identifier: MIT
// Profiles of a wheel and a rail as contact reads them.

#include "contact/profile_tables.h"
#include "base/arena.h"

#include <math.h>

// --- wheel ---

// Splines on this grid follow S1002 to 5e-7 m where its root meets the flank, elsewhere to 1e-12 m.
static const double cell_width = 1e-4;

// The search evaluates the overlap every millimetre; the deepest points are then found exactly. Measured wheels have
// shorter waves.
static const double node_width = 1e-3, measured_width = 5e-4;

// Distance of places on the tread, and the least one [m]. A contact is a bell curve exp(p/D) (rigid_contact.c) of
// sqrt(D r) = .5 mm (standard deviation) across the normal of a rail corner of r = 13 mm on a straight flank. Along the
// axle it is narrower, by some sqrt(1 + R'^2), and the sum over places is the less exact the more p'' leaps where arcs
// of a profile meet. Places .55 mm/(1 + R'^2)^.8 apart, .1 mm on a flange of 70 degrees, leave errors of the gap below
// .1 um (unit.contact.gap_integral).
static const double place_distance = 5.5e-4, least_distance = 5e-5;

// The density of places is smoothed over so much to both sides [m]: sums over equal steps of u, du = density ds, are
// exact for functions that are smooth over u.
static const double place_blend = 2e-3;

static double slope_at(const form *f, const form_range *range, double s)
{
    const curve_point p = kane_form_wheel_at(f, range, s);
    return -p.z_t / p.y_t;
}

// scratch [3 nodes]
static void fill_splines(wheel_table *t, const form *f, const form_range *range, double *scratch)
{
    const double circle = kane_form_wheel_at(f, range, 0.0).z;
    const int nodes     = t->cell_count + 1;
    double *value = scratch, *slope = value + nodes, *rest = slope + nodes;

    for (int i = 0; i < nodes; i++)
        value[i] = circle - kane_form_wheel_at(f, range, t->first + i * t->cell).z;
    kane_grid_slopes(nodes, t->cell, value, slope_at(f, range, t->first), slope_at(f, range, t->last), slope, rest);
    for (int i = 0; i < t->cell_count; i++)
        kane_grid_cubic(t->cell, value[i], slope[i], value[i + 1], slope[i + 1], t->cells[i].f);
}

// g = R R'^n and its derivative at x in a cell, n = 2 or 4.
static void eval_radius_power(const wheel_table *t, const wheel_cell *c, double x, int n, double *g, double *g_s)
{
    const double *f = c->f;
    const double R  = t->radius + f[0] + x * (f[1] + x * (f[2] + x * f[3]));
    const double R1 = f[1] + x * (2.0 * f[2] + 3.0 * x * f[3]), R2 = 2.0 * f[2] + 6.0 * x * f[3];
    const double p = n == 2 ? R1 : R1 * R1 * R1;
    *g             = R * p * R1;
    *g_s           = p * (R1 * R1 + n * R * R2);
}

// The integral over a cell as a polynomial in x, from a cubic for g; q[0] is the integral up to the cell.
// Returns the integral up to the next cell.
static double integrate_power(const wheel_table *t, const wheel_cell *c, int n, double before, double q[5])
{
    const double h = t->cell;
    double g0, d0, g1, d1, g[4];
    eval_radius_power(t, c, 0.0, n, &g0, &d0);
    eval_radius_power(t, c, h, n, &g1, &d1);
    kane_grid_cubic(h, g0, d0, g1, d1, g);
    q[0] = before;
    for (int k = 0; k < 4; k++)
        q[k + 1] = g[k] / (k + 1);
    return q[0] + h * (q[1] + h * (q[2] + h * (q[3] + h * q[4])));
}

static void fill_integrals(wheel_table *t)
{
    const double h = t->cell;
    double area = 0.0, two = 0.0, four = 0.0;
    for (int i = 0; i < t->cell_count; i++) {
        wheel_cell *c = &t->cells[i];
        c->area       = area;
        area += h * (c->f[0] + h * (c->f[1] / 2.0 + h * (c->f[2] / 3.0 + h * c->f[3] / 4.0)));
        two  = integrate_power(t, c, 2, two, c->two);
        four = integrate_power(t, c, 4, four, c->four);
    }
}

// scratch [2 cells]
static void fill_wheel_curvature(wheel_table *t, double *scratch)
{
    double *curvature = scratch, *most = curvature + t->cell_count;
    for (int i = 0; i < t->cell_count; i++)
        curvature[i] = kane_grid_curvature(t->cell, t->cells[i].f);
    kane_grid_spread(t->cell_count, (int)ceil(KANE_CURVATURE_REACH * t->per_cell), curvature, most);
    for (int i = 0; i < t->cell_count; i++)
        t->cells[i].curvature = most[i];
}

static void fill_nodes(wheel_table *t, double width)
{
    wheel_nodes *n = &t->nodes;
    n->distance    = width;
    n->count       = (int)lround((t->last - t->first) / n->distance) + 1;
    for (int i = 0; i < n->count; i++) {
        double x            = 0.0;
        n->s[i]             = t->first + i * n->distance;
        const wheel_cell *c = wheel_cell_at(t, n->s[i], &x);
        n->f[i]             = c->f[0] + x * (c->f[1] + x * (c->f[2] + x * c->f[3]));
        const double R = t->radius + n->f[i], R1 = c->f[1] + x * (2.0 * c->f[2] + 3.0 * x * c->f[3]);
        n->shift[i] = R * R1;
        n->sink[i]  = 0.5 * R * R1 * R1;
    }
}

// out[i]: the mean of in[i - reach] ... in[i + reach], which beyond the ends are as there.
static void average_places(int count, int reach, const double *in, double *out)
{
    for (int i = 0; i < count; i++) {
        double sum = 0.0;
        for (int k = i - reach; k <= i + reach; k++)
            sum += in[k < 0 ? 0 : k < count ? k : count - 1];
        out[i] = sum / (2 * reach + 1);
    }
}

static void fill_place(const wheel_table *t, wheel_places *n, int i, double s, double width)
{
    double x;
    const wheel_cell *c = wheel_cell_at(t, s, &x);
    const double R1     = c->f[1] + x * (2.0 * c->f[2] + 3.0 * x * c->f[3]);
    n->s[i]             = s;
    n->width[i]         = width;
    n->f[i]             = c->f[0] + x * (c->f[1] + x * (c->f[2] + x * c->f[3]));
    n->shift[i]         = (t->radius + n->f[i]) * R1;
    n->steep[i]         = R1 * R1;
    n->sink[i]          = n->shift[i] * R1;
}

// The density at the ends of the cells is the largest that the profile wants around, smoothed, and linear between them.
void kane_wheel_places_fill(const wheel_table *t, double denser, wheel_places *n, double *scratch)
{
    const double h  = t->cell;
    const int cells = t->cell_count, reach = (int)lround(0.5 * place_blend * t->per_cell);
    double *want = scratch, *density = want + cells + 1, all = 0.0;
    for (int i = 0; i <= cells; i++) {
        double x;
        const double *f = wheel_cell_at(t, t->first + i * h, &x)->f, R1 = f[1] + x * (2.0 * f[2] + 3.0 * x * f[3]);
        want[i] = fmin(pow(1.0 + R1 * R1, 0.8) / place_distance, 1.0 / least_distance);
    }
    kane_grid_spread(cells + 1, 2 * reach, want, density);
    average_places(cells + 1, reach, density, want);
    average_places(cells + 1, reach, want, density);
    for (int i = 0; i < cells; i++)
        all += 0.5 * h * (density[i] + density[i + 1]);
    // steps of u, in the middle of each a place:  u = d x + d' x^2/2  in a cell whose density is d + d' x
    n->count          = (int)fmin(ceil(denser * all), KANE_WHEEL_PLACES);
    const double step = all / n->count;
    double u          = 0.0;
    for (int i = 0, k = 0; i < cells; i++) {
        const double d = density[i], d1 = (density[i + 1] - d) / h, end = u + h * (d + 0.5 * h * d1);
        for (; k < n->count && (k + 0.5) * step <= end; k++) {
            const double more = (k + 0.5) * step - u, root = sqrt(d * d + 2.0 * more * d1);
            fill_place(t, n, k, t->first + i * h + 2.0 * more / (d + root), step / root);
        }
        u = end;
    }
    for (int i = 0, k = 0; i < t->nodes.count; i++) {
        while (k < n->count && n->s[k] < t->nodes.s[i])
            k++;
        n->from[i] = k;
    }
}

int kane_wheel_table_init(wheel_table *t, const form *f, double radius, kane_arena *arena)
{
    double *scratch = kane_arena_doubles(arena, 3 * (KANE_WHEEL_CELLS + 1));
    if (!scratch)
        return 0;
    const form_range range = kane_form_wheel_range(f);
    t->radius              = radius;
    t->first               = range.first;
    t->last                = range.last;
    t->cell                = cell_width;
    t->per_cell            = 1.0 / cell_width;
    t->cell_count          = (int)lround((t->last - t->first) / t->cell);
    t->end                 = t->cell_count - 1e-9;
    fill_splines(t, f, &range, scratch);
    fill_integrals(t);
    fill_wheel_curvature(t, scratch);
    fill_nodes(t, f->profile.shape == KANE_SHAPE_POINTS ? measured_width : node_width);
    kane_wheel_places_fill(t, 1.0, &t->places, scratch);
    return 1;
}

// --- rail ---

// The table reaches so far to both sides [m].
static const double half_width = 0.08;

// Beyond these slopes of the upright shape it is continued straight: on the field side no wheel reaches, and the
// oblique axes would not see it as a graph; on the gauge side the flank is straight.
static const double field_slope = -0.84, gauge_slope = 20.0;

// The same for points and pieces, over the oblique axes (38 degrees, and 3 degrees beyond the vertical), and the step
// with which the places are looked for [m].
static const double field_oblique = -2.0, gauge_oblique = 2.5, stride = 2e-5;

// The distance from a round head's origin to the gauge point: that of 60E1 inclined 1:40, so that a wheelset stands on
// both in the same place [m].
static const double round_gauge_side = 0.04303;

// The head as drawn, and how it is turned and shifted to lie in the rail axes.
typedef struct head {
    const form *form;
    double field, gauge; // parameters where the straight continuations begin [m]
    double sin_, cos_;   // of the inclination
    double top;          // parameter of the highest point of the inclined profile ...
    double top_y, top_z; // ... and its place, before it becomes the origin [m]
} head;

// Root t in [low, high] of the falling function f(t), by bisection.
typedef double falling(const head *d, double t, double wanted);
static double bisect_falling(falling *f, const head *d, double wanted, double low, double high)
{
    for (int i = 0; i < 100 && high - low > 1e-17; i++) {
        const double middle = 0.5 * (low + high);
        if (f(d, middle, wanted) > 0.0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static double slope_residual(const head *d, double t, double wanted)
{
    const curve_point p = kane_form_at(d->form, t);
    return p.z_t - wanted * p.y_t;
}

// Point of the head at parameter t in rail axes [m]: turned by the inclination, continued by its tangents beyond the
// ends.
static curve_point point_in_rail_axes(const head *d, double t)
{
    const double inside = t > d->field ? d->field : t < d->gauge ? d->gauge : t, beyond = t - inside;
    const curve_point p = kane_form_at(d->form, inside);
    const double y = p.y + beyond * p.y_t, z = p.z + beyond * p.z_t;
    return (curve_point){.y   = y * d->cos_ - z * d->sin_ - d->top_y,
                         .z   = y * d->sin_ + z * d->cos_ - d->top_z,
                         .y_t = p.y_t * d->cos_ - p.z_t * d->sin_,
                         .z_t = p.y_t * d->sin_ + p.z_t * d->cos_};
}

// The same in oblique axes (eta, zeta).
static curve_point point_in_oblique_axes(const head *d, double t)
{
    const curve_point p = point_in_rail_axes(d, t);
    return (curve_point){.y   = p.y * KANE_TILT_COS + p.z * KANE_TILT_SIN,
                         .z   = -p.y * KANE_TILT_SIN + p.z * KANE_TILT_COS,
                         .y_t = p.y_t * KANE_TILT_COS + p.z_t * KANE_TILT_SIN,
                         .z_t = -p.y_t * KANE_TILT_SIN + p.z_t * KANE_TILT_COS};
}

static double eta_residual(const head *d, double t, double wanted)
{
    return wanted - point_in_oblique_axes(d, t).y;
}

static double depth_residual(const head *d, double t, double depth)
{
    return -depth - point_in_rail_axes(d, t).z;
}

static double inclined_slope_residual(const head *d, double t, double wanted)
{
    return point_in_rail_axes(d, t).z_t - wanted;
}

// A shape has its highest point where its slope is -inclination: the rail leans to the inside.
static void limit_shape(head *d, double inclination)
{
    const double steep = gauge_slope / sqrt(1.0 + gauge_slope * gauge_slope);
    d->gauge           = d->form->profile.shape == KANE_SHAPE_ROUND ? -steep * d->form->profile.radius : d->form->first;
    d->field           = bisect_falling(slope_residual, d, field_slope, 0.0, d->form->last);
    d->top             = bisect_falling(slope_residual, d, -inclination, d->gauge, d->field);
}

// Points and pieces: the highest place, and from there as far to both sides as the head is a graph over the oblique
// axis.
static void limit_drawn(head *d)
{
    const double first = d->form->first, last = d->form->last;
    double highest = -HUGE_VAL, gauge, field;
    d->gauge       = first;
    d->field       = last;
    for (double t = first; t <= last; t += stride) {
        const double z = point_in_rail_axes(d, t).z;
        d->top         = z > highest ? t : d->top;
        highest        = fmax(z, highest);
    }
    d->top = bisect_falling(inclined_slope_residual, d, 0.0, fmax(d->top - stride, first), fmin(d->top + stride, last));
    for (gauge = d->top; gauge - stride >= first; gauge -= stride) {
        const curve_point p = point_in_oblique_axes(d, gauge - stride);
        if (!(p.y_t > 0.0 && p.z_t < gauge_oblique * p.y_t))
            break;
    }
    for (field = d->top; field + stride <= last; field += stride) {
        const curve_point p = point_in_oblique_axes(d, field + stride);
        if (!(p.y_t > 0.0 && p.z_t > field_oblique * p.y_t))
            break;
    }
    d->gauge = gauge;
    d->field = field;
}

static head place_head(const form *f, double inclination)
{
    const double slope = f->profile.inclined ? 0.0 : inclination;
    head d = {.form = f, .sin_ = slope / sqrt(1.0 + slope * slope), .cos_ = 1.0 / sqrt(1.0 + slope * slope)};

    if (kane_form_is_drawn(f))
        limit_drawn(&d);
    else
        limit_shape(&d, slope);
    const curve_point top = kane_form_at(f, d.top);
    d.top_y               = top.y * d.cos_ - top.z * d.sin_;
    d.top_z               = top.y * d.sin_ + top.z * d.cos_;
    return d;
}

// bend [cells]: scratch
static void fill_rail_curvature(rail_table *t, double *curvature)
{
    for (int i = 0; i < KANE_RAIL_CELLS; i++)
        curvature[i] = kane_grid_curvature(t->cell, t->cells[i].z);
    kane_grid_spread(KANE_RAIL_CELLS, (int)ceil(KANE_CURVATURE_REACH * t->per_cell), curvature, t->curvature);
}

// Outermost cell i: it leaves its inner end as the cell beside it does, but never bends up.
static void continue_outwards(int i, double h, const double *value, const double *slope, double c[4])
{
    const int inner = i == 0 ? 1 : i, further = i == 0 ? 2 : i - 1;
    const double curvature = fmin((slope[inner] - slope[further]) / (inner - further) / h, 0.0), s = i == 0 ? -h : 0.0;
    c[0] = value[inner] + s * (slope[inner] + s * curvature / 2.0);
    c[1] = slope[inner] + s * curvature;
    c[2] = curvature / 2.0;
    c[3] = 0.0;
}

rail_origin kane_rail_top(const form *f, double inclination)
{
    const head d = place_head(f, inclination);
    return (rail_origin){d.top_y, d.top_z};
}

// Heights of a slice over the nodes: of its heads, as a wheel from above sees them. They are the least ones over the
// drawing that nowhere fall faster to the outside or to the inside than a single head is followed: what a flank that
// overhangs over the oblique axis leaves free is filled by a straight line.
static void fill_slice(const head *one, const rail_table *t, int nodes, double *value)
{
    const form *f    = one->form;
    head all         = *one; // of the drawing, not of its highest head alone
    const head *d    = &all;
    all.gauge        = f->first;
    all.field        = f->last;
    const double low = -1.0; // [m], below all drawings
    for (int i = 0; i < nodes; i++)
        value[i] = low;
    curve_point a = point_in_oblique_axes(d, f->first);
    for (double s = f->first; s < f->last; s += stride) {
        const double end    = fmin(s + stride, f->last);
        const curve_point b = point_in_oblique_axes(d, end);
        const double from = (fmin(a.y, b.y) - t->first) * t->per_cell, to = (fmax(a.y, b.y) - t->first) * t->per_cell;
        for (int i = (int)fmax(ceil(from), 0.0); i < nodes && i <= to && a.y != b.y; i++) {
            const double eta    = t->first + i * t->cell;
            const curve_point p = point_in_oblique_axes(d, s + (end - s) * (eta - a.y) /
                                                                   (b.y - a.y)); // near enough for one step of Newton's
            const double slope  = fmin(fmax(p.y_t != 0.0 ? p.z_t / p.y_t : 0.0, field_oblique), gauge_oblique);
            value[i]            = fmax(value[i], p.z + slope * (eta - p.y));
        }
        a = b;
    }
    for (int i = 1; i < nodes; i++)
        value[i] = fmax(value[i], value[i - 1] + field_oblique * t->cell);
    for (int i = nodes - 2; i >= 0; i--)
        value[i] = fmax(value[i], value[i + 1] - gauge_oblique * t->cell);
}

// Cells from the heights at their ends, and the slopes at the ends of all.
static void fill_cells(rail_table *t, const double *value, double first_end, double last_end, double *slope,
                       double *scratch)
{
    double area = 0.0;
    kane_grid_slopes(KANE_RAIL_CELLS + 1, t->cell, value, first_end, last_end, slope, scratch);
    for (int i = 0; i < KANE_RAIL_CELLS; i++) {
        rail_cell *c   = &t->cells[i];
        const double h = t->cell;
        kane_grid_cubic(h, value[i], slope[i], value[i + 1], slope[i + 1], c->z);
        if (i == 0 || i == KANE_RAIL_CELLS - 1) // these go on beyond the table: wide wheels reach there
            continue_outwards(i, h, value, slope, c->z);
        c->area = area;
        area += h * (c->z[0] + h * (c->z[1] / 2.0 + h * (c->z[2] / 3.0 + h * c->z[3] / 4.0)));
    }
    fill_rail_curvature(t, scratch);
}

int kane_rail_table_init(rail_table *t, const form *f, double inclination, double gauge_height,
                         const rail_origin *origin, kane_arena *arena)
{
    enum { NODES = KANE_RAIL_CELLS + 1 };
    double *value = kane_arena_doubles(arena, 3 * NODES);
    if (!value)
        return 0;
    double *slope = value + NODES, *scratch = slope + NODES;
    head d = place_head(f, inclination);
    if (origin) {
        d.top_y = origin->y;
        d.top_z = origin->z;
    }
    double first_end = 0.0, last_end = 0.0;

    t->first    = -half_width;
    t->cell     = 2.0 * half_width / KANE_RAIL_CELLS;
    t->per_cell = KANE_RAIL_CELLS / (2.0 * half_width);
    if (f->profile.slice) {
        fill_slice(&d, t, NODES, value);
        first_end = (value[1] - value[0]) * t->per_cell;
        last_end  = (value[NODES - 1] - value[NODES - 2]) * t->per_cell;
    }
    for (int i = 0; i <= KANE_RAIL_CELLS && !f->profile.slice; i++) {
        const curve_point p = point_in_oblique_axes(
            &d, bisect_falling(eta_residual, &d, t->first + i * t->cell, d.gauge - 1.0, d.field + 1.0));
        value[i] = p.z;
        if (i == 0)
            first_end = p.z_t / p.y_t;
        last_end = p.z_t / p.y_t;
    }
    fill_cells(t, value, first_end, last_end, slope, scratch);
    t->depth      = kane_form_is_drawn(f) ? -point_in_rail_axes(&d, d.gauge).z : HUGE_VAL;
    t->gauge_side = round_gauge_side;
    if (f->profile.shape != KANE_SHAPE_ROUND)
        t->gauge_side =
            -point_in_rail_axes(&d, bisect_falling(depth_residual, &d, gauge_height, d.gauge - 0.03, d.top)).y;
    return 1;
}

// The largest of z + c x - k x^2/(2 R), between two places [m].
static double find_highest(double z, double c, double k, double R, double from, double to)
{
    const double x = fmin(fmax(c * R / k, from), to);
    return z + c * x - k * x * x / (2.0 * R);
}

int kane_rail_table_roll(rail_table *t, const rail_slice *slices, int count, int here, double R, kane_arena *arena)
{
    enum { NODES = KANE_RAIL_CELLS + 1 };
    static const double least =
        0.2; // a wheel on a face steeper than this is held off by the face, not by what lies ahead
    double *value = kane_arena_doubles(arena, 3 * NODES);
    if (!value)
        return 0;
    *t = *slices[here].rail;
    for (int i = 0; i < NODES; i++) {
        double x;
        const double eta   = t->first + i * t->cell;
        const rail_cell *c = rail_cell_at(slices[here].rail, eta, &x);
        const double k     = fmax(KANE_TILT_COS - rail_slope(c, x) * KANE_TILT_SIN, least);
        value[i]           = rail_height(c, x);
        for (int j = 0; j + 1 < count; j++) {
            double xb;
            const rail_cell *a = rail_cell_at(slices[j].rail, eta, &x), *b = rail_cell_at(slices[j + 1].rail, eta, &xb);
            const double from = slices[j].at - slices[here].at, to = slices[j + 1].at - slices[here].at;
            const double slope = (rail_height(b, xb) - rail_height(a, x)) / (to - from);
            value[i]           = fmax(value[i], find_highest(rail_height(a, x) - slope * from, slope, k, R, from, to));
        }
    }
    fill_cells(t, value, (value[1] - value[0]) * t->per_cell, (value[NODES - 1] - value[NODES - 2]) * t->per_cell,
               value + NODES, value + 2 * NODES);
    return 1;
}

// === Cubic splines on a uniform grid.

// Continuity of the second derivative at the inner nodes:  d[i-1] + 4 d[i] + d[i+1] = 3 (v[i+1] - v[i-1]) / h.
// Elimination from left to right, substitution back.
void kane_grid_slopes(int count, double h, const double *value, double first_slope, double last_slope, double *slope,
                      double *scratch)
{
    const int last = count - 1;
    slope[0]       = first_slope;
    scratch[0]     = 0.0;
    for (int i = 1; i < last; i++) {
        const double pivot = 1.0 / (4.0 - scratch[i - 1]);
        scratch[i]         = pivot;
        slope[i]           = pivot * (3.0 * (value[i + 1] - value[i - 1]) / h - slope[i - 1]);
    }
    slope[last] = last_slope;
    for (int i = last - 1; i > 0; i--)
        slope[i] -= scratch[i] * slope[i + 1];
}

void kane_grid_cubic(double h, double v0, double d0, double v1, double d1, double c[4])
{
    const double secant = (v1 - v0) / h;
    c[0]                = v0;
    c[1]                = d0;
    c[2]                = (3.0 * secant - 2.0 * d0 - d1) / h;
    c[3]                = (d0 + d1 - 2.0 * secant) / (h * h);
}

double kane_grid_curvature(double h, const double c[4])
{
    // the second derivative is linear, and so the slope changes by less than the largest of it times h
    const double curvature = fmax(fabs(2.0 * c[2]), fabs(2.0 * c[2] + 6.0 * h * c[3]));
    const double least     = fmax(0.0, fabs(c[1]) - curvature * h);
    return curvature / (1.0 + least * least);
}

void kane_grid_spread(int count, int reach, const double *curvature, double *out)
{
    for (int i = 0; i < count; i++) {
        const int first = i > reach ? i - reach : 0, end = i + reach < count ? i + reach + 1 : count;
        out[i] = 0.0;
        for (int k = first; k < end; k++)
            out[i] = curvature[k] > out[i] ? curvature[k] : out[i];
    }
}
