// SPDX-License-Identifier: MIT
// Strips along the rail (contact.h).

#include "contact/contact.h"
#include "base/number.h"
#include "math/dense.h"

#include <math.h>

// Where along a strip its curvature is compared, in half-lengths.
static const double beta = 0.7;

// --- kernels ---

// h(r). Far away by Gauss and Chebyshev's rule of the second kind; near by x = beta + r sinh z, with places that lie
// denser toward both ends, where sqrt(1 - x^2) has its root.
static double line_load_beside(double r)
{
    double sum = 0.0;
    if (r >= 1.0) {
        const int n = 24;
        for (int i = 1; i <= n; i++) {
            const double angle = KANE_PI * i / (n + 1), sine = sin(angle);
            sum += KANE_PI / (n + 1) * sine * sine / hypot(cos(angle) - beta, r);
        }
        return sum;
    }
    const int n      = 24; // to round-off
    const double low = -asinh((1.0 + beta) / r), high = asinh((1.0 - beta) / r);
    for (int i = 0; i < n; i++) {
        const double angle = KANE_PI * (i + 0.5) / n, z = low + (high - low) * 0.5 * (1.0 - cos(angle));
        const double x = beta + r * sinh(z), square = 1.0 - x * x;
        sum += square > 0.0 ? sqrt(square) * (high - low) * 0.5 * KANE_PI / n * sin(angle) : 0.0;
    }
    return sum;
}

// g and (g - h)/beta^2 at r.
static void kernels_at(double r, double *g, double *d)
{
    *g = kane_line_load_middle(r);
    *d = (*g - line_load_beside(r)) / (beta * beta);
}

// The cubic with values f[0], f[1] and slopes d[0], d[1] over a cell of this width.
static void set_cubic(double width, const double f[2], const double d[2], double c[4])
{
    const double mean = (f[1] - f[0]) / width;
    c[0]              = f[0];
    c[1]              = d[0];
    c[2]              = (3.0 * mean - 2.0 * d[0] - d[1]) / width;
    c[3]              = (d[0] + d[1] - 2.0 * mean) / (width * width);
}

// Below the first cell  g = 2 (ln(4/r) - 1)  and h grows by -2 sqrt(1 - beta^2) ln r; both integrals by parts.
static void start_values(double r, double h, double *G, double *D)
{
    *G = 2.0 * r * log(4.0 / r);
    *D = (*G - r * (h + 2.0 * sqrt(1.0 - beta * beta))) / (beta * beta);
}

void kane_strip_kernels_init(strip_kernels *k)
{
    static const double gauss_x[3] = {-0.774596669241483377, 0.0, 0.774596669241483377},
                        gauss_w[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    double r                       = ldexp(1.0, KANE_STRIP_FIRST), G[2], D[2], g[2], d[2];
    k->h                           = line_load_beside(r);
    start_values(r, k->h, &G[0], &D[0]);
    kernels_at(r, &g[0], &d[0]);
    for (int i = 0; i < KANE_STRIP_CELLS; i++) {
        const double width = ldexp(0.125, KANE_STRIP_FIRST + i / 8);
        kernels_at(r + width, &g[1], &d[1]);
        G[1] = G[0];
        D[1] = D[0];
        for (int j = 0; j < 3; j++) {
            double gj, dj;
            kernels_at(r + 0.5 * width * (1.0 + gauss_x[j]), &gj, &dj);
            G[1] += width * gauss_w[j] * gj;
            D[1] += width * gauss_w[j] * dj;
        }
        k->cell[i].from = r;
        set_cubic(width, G, g, k->cell[i].G);
        set_cubic(width, D, d, k->cell[i].D);
        r += width;
        G[0] = G[1];
        D[0] = D[1];
        g[0] = g[1];
        d[0] = d[1];
    }
    k->G = G[0];
    k->D = D[0];
}

// G and D, odd functions; beyond the last cell  g = pi/(2 r),  (g - h)/beta^2 = pi/(4 r^3).
static double eval_kernel(const strip_kernels *k, int is_D, double at)
{
    const double r = fabs(at), sign = at < 0.0 ? -1.0 : 1.0;
    int octave;
    const int part = (int)(16.0 * frexp(r, &octave)) - 8, i = 8 * (octave - 1 - KANE_STRIP_FIRST) + part;
    if (!(r > 0.0))
        return 0.0;
    if (i < 0) {
        const double h = k->h - 2.0 * sqrt(1.0 - beta * beta) * log(r / k->cell[0].from);
        double G, D;
        start_values(r, h, &G, &D);
        return sign * (is_D ? D : G);
    }
    if (i >= KANE_STRIP_CELLS) {
        const double end = ldexp(1.0, KANE_STRIP_FIRST + KANE_STRIP_OCTAVES);
        return sign * (is_D ? k->D + 0.125 * KANE_PI * (1.0 / (end * end) - 1.0 / (r * r))
                            : k->G + 0.5 * KANE_PI * log(r / end));
    }
    const double *c = is_D ? k->cell[i].D : k->cell[i].G, x = r - k->cell[i].from;
    return sign * (c[0] + x * (c[1] + x * (c[2] + x * c[3])));
}

// Difference of G or D over a strip of width w at the distance d, for the half-length a.
static double kernel_over(const strip_kernels *k, int is_D, double d, double w, double a)
{
    const double per = 1.0 / a;
    return eval_kernel(k, is_D, (d + 0.5 * w) * per) - eval_kernel(k, is_D, (d - 0.5 * w) * per);
}

// --- the mesh ---

enum { STRIPS = 24, STRIPS_EACH = 10, STRIPS_MOST = 36, SAMPLES = 96 };

// So far apart the overlap is sampled, and differences for its curvature reach to both sides [m].
static const double sample = 0.5e-3, curvature_reach = 1e-3;

typedef struct strips {
    int count, parts;
    int part[STRIPS_MOST];                 // which interval it belongs to
    double s[STRIPS_MOST];                 // on the wheel [m]
    double t[STRIPS_MOST], w[STRIPS_MOST]; // place and width along the rail's surface [m]
    double q[STRIPS_MOST];                 // overlap along the normal [m]
    double A[STRIPS_MOST];                 // half the curvature along the rail [1/m]
    double p[STRIPS_MOST], a[STRIPS_MOST]; // pressure in the middle [Pa], half-length [m]
    double slope[STRIPS_MOST];             // of the rail in oblique axes
    double eta[STRIPS_MOST];               // [m]
} strips;

// A part of the profile on which wheel and rail overlap.
typedef struct interval {
    double from, to;         // [m]
    int cells;               // between samples
    double sum[SAMPLES + 1]; // integral of the density of strips, from `from` on
} interval;

// Where the overlap that begins at a penetration's peak ends on one side, or the profile does.
static double find_edge(const contact_locus *g, const overlap *peak, double side)
{
    const double end = side < 0.0 ? g->wheel->first : g->wheel->last;
    double h = fmin(sample, 0.25 * sqrt(2.0 * peak->p / fmax(-peak->p2, 1e-3))), s = peak->s, p = peak->p;
    while ((end - s) * side > 0.0) {
        const double next = (end - s) * side > h ? s + side * h : end, there = overlap_at(g, next).p;
        if (!(there > 0.0))
            return s + (next - s) * p / (p - there);
        s = next;
        p = there;
        h = fmin(sample, 1.5 * h);
    }
    return end;
}

// Density of strips:  sqrt(max(B, 0) + 2 p_max/W^2),  B half the curvature of the gap. Strips are dense on crowns and
// wide on shoulders.
static double strip_density(const contact_locus *g, double s, double least)
{
    const double in = fmax(s - curvature_reach, g->wheel->first), out = fmin(s + curvature_reach, g->wheel->last),
                 mid = 0.5 * (in + out), h = 0.5 * (out - in);
    const double B = -0.5 * (overlap_at(g, in).p - 2.0 * overlap_at(g, mid).p + overlap_at(g, out).p) / (h * h);
    return sqrt(fmax(B, 0.0) + least);
}

static int find_intervals(const contact_locus *g, const penetrations *found, interval parts[KANE_PENETRATIONS_MAX])
{
    int count   = 0;
    double most = 0.0, width = 0.0;
    for (int i = 0; i < found->count; i++) {
        const overlap *peak = &found->at[i].peak;
        most                = fmax(most, peak->p);
        if (count > 0 && peak->s <= parts[count - 1].to)
            continue;
        parts[count].from = find_edge(g, peak, -1.0);
        parts[count].to   = find_edge(g, peak, 1.0);
        width += parts[count].to - parts[count].from;
        count++;
    }
    const double least = 2.0 * most / (width * width);
    for (int k = 0; k < count; k++) {
        interval *v    = &parts[k];
        v->cells       = (int)fmin(fmax(ceil((v->to - v->from) / sample), 8.0), SAMPLES);
        const double h = (v->to - v->from) / v->cells;
        double before  = strip_density(g, v->from, least);
        v->sum[0]      = 0.0;
        for (int i = 1; i <= v->cells; i++) {
            const double here = strip_density(g, v->from + i * h, least);
            v->sum[i]         = v->sum[i - 1] + 0.5 * h * (before + here);
            before            = here;
        }
    }
    return count;
}

// Adds the strip from s - d/2 to s + d/2.
static void add_strip(const contact_locus *g, int part, double s, double d, strips *of)
{
    const overlap o  = overlap_at(g, s);
    const outline l  = outline_at(g, s);
    const double run = sqrt(1.0 + o.slope * o.slope), meridian = 1.0 + o.R1 * o.R1;
    const double A = (1.0 - g->ex * g->ex * meridian) / (2.0 * l.R * sqrt(meridian));
    const int i    = of->count;
    if (!(o.eta1 > 0.0 && A > 0.0)) // the outline of a yawed wheel is folded there
        return;
    of->part[i]  = part;
    of->s[i]     = s;
    of->w[i]     = d * o.eta1 * run;
    of->q[i]     = o.p / run;
    of->A[i]     = A;
    of->slope[i] = o.slope;
    of->eta[i]   = o.eta;
    of->p[i]     = 0.0;
    of->t[i]     = 0.0;
    if (i > 0) {
        const double mean = 0.5 * (of->slope[i - 1] + o.slope);
        of->t[i]          = of->t[i - 1] + (o.eta - of->eta[i - 1]) * sqrt(1.0 + mean * mean);
    }
    of->count++;
}

// Not inlined: samples leave the stack before equations are solved.
__attribute__((noinline)) static void mesh_strips(const contact_locus *g, const penetrations *found, strips *of)
{
    interval parts[KANE_PENETRATIONS_MAX];
    double all = 0.0;
    of->count  = 0;
    of->parts  = find_intervals(g, found, parts);
    for (int k = 0; k < of->parts; k++)
        all += parts[k].sum[parts[k].cells];
    for (int k = 0; k < of->parts; k++) {
        const interval *v = &parts[k];
        const double h = (v->to - v->from) / v->cells, own = v->sum[v->cells];
        const int left = STRIPS_MOST - of->count - STRIPS_EACH * (of->parts - 1 - k);
        int n = (int)ceil(STRIPS * own / all), cell = 0;
        n             = n < STRIPS_EACH ? STRIPS_EACH : n;
        n             = n > left ? left : n;
        double before = v->from;
        for (int i = 1; i <= n; i++) {
            const double sum = own * i / n;
            while (cell < v->cells - 1 && v->sum[cell + 1] < sum)
                cell++;
            const double part = (sum - v->sum[cell]) / (v->sum[cell + 1] - v->sum[cell]);
            const double s    = i < n ? v->from + h * (cell + part) : v->to;
            add_strip(g, k, 0.5 * (before + s), s - before, of);
            before = s;
        }
    }
}

// --- pressures and half-lengths ---

enum { ROUNDS = 3, PASSES = 8 };

// Begins with the strips above the level of the overlap law, with the half-lengths of a penetrating wheel.
static void start_strips(strips *of, int is_active[STRIPS_MOST])
{
    double most[KANE_PENETRATIONS_MAX] = {0.0};
    for (int i = 0; i < of->count; i++)
        most[of->part[i]] = fmax(most[of->part[i]], of->q[i]);
    for (int i = 0; i < of->count; i++) {
        const double q = most[of->part[i]], over = of->q[i] - KANE_LEVEL * q;
        is_active[i] = over > 0.0;
        of->a[i]     = sqrt(0.9 * fmax(over, 0.03 * q) / of->A[i]);
    }
}

// Pressures for given half-lengths: active strips are solved for; those that pull are taken out, and when none is left,
// those that would still overlap are put in. K [count * count] by columns of the strips that press.
static void solve_pressures(const strip_kernels *k, double E_star, strips *of, int is_active[STRIPS_MOST],
                            double K[STRIPS_MOST * STRIPS_MOST], double M[STRIPS_MOST * STRIPS_MOST])
{
    const int n                 = of->count;
    int has_column[STRIPS_MOST] = {0}, index[STRIPS_MOST], pivot[STRIPS_MOST];
    double b[STRIPS_MOST];
    for (int pass = 0; pass < PASSES; pass++) {
        int m = 0, changed = 0;
        for (int j = 0; j < n; j++) {
            of->p[j] = 0.0;
            if (is_active[j])
                index[m++] = j;
            if (is_active[j] && !has_column[j])
                for (int i = 0; i < n; i++)
                    K[j * n + i] =
                        of->a[j] / (KANE_PI * E_star) * kernel_over(k, 0, of->t[i] - of->t[j], of->w[j], of->a[j]);
            has_column[j] |= is_active[j];
        }
        for (int x = 0; x < m; x++) {
            b[x] = of->q[index[x]];
            for (int y = 0; y < m; y++)
                M[x * m + y] = K[index[y] * n + index[x]];
        }
        if (m == 0 || !kane_lu_factor(m, M, pivot))
            return;
        kane_lu_solve(m, M, pivot, 1, b);
        for (int x = 0; x < m; x++) {
            of->p[index[x]]     = fmax(b[x], 0.0);
            is_active[index[x]] = b[x] > 0.0;
            changed |= !(b[x] > 0.0);
        }
        for (int i = 0; i < n && !changed; i++) {
            double u = 0.0;
            for (int x = 0; x < m && !is_active[i]; x++)
                u += K[index[x] * n + i] * b[x];
            is_active[i] = is_active[i] || u < of->q[i] * (1.0 - 1e-9);
        }
        int now = 0;
        for (int i = 0; i < n; i++)
            now += is_active[i];
        if (!changed && now == m)
            return;
    }
}

// Half-lengths for given pressures. a^2 goes to the wanted u/A by a power of the quotient: it then converges for all
// ratios of axes.
static void stretch_strips(const strip_kernels *k, double E_star, strips *of)
{
    double u[STRIPS_MOST];
    for (int i = 0; i < of->count; i++) {
        u[i] = 0.0;
        for (int j = 0; j < of->count && of->p[i] > 0.0; j++) {
            const double a = sqrt(0.5 * (of->a[i] * of->a[i] + of->a[j] * of->a[j]));
            if (of->p[j] > 0.0)
                u[i] += of->p[j] * of->a[j] / (KANE_PI * E_star) * kernel_over(k, 1, of->t[i] - of->t[j], of->w[j], a);
        }
    }
    for (int i = 0; i < of->count; i++)
        of->a[i] *= of->p[i] > 0.0 ? pow(fmax(u[i], 0.0) / (of->A[i] * of->a[i] * of->a[i]), 0.7) : 0.7;
}

// --- what is reported ---

static double sum_loads(const strips *of)
{
    double sum = 0.0;
    for (int i = 0; i < of->count; i++)
        sum += 0.5 * KANE_PI * of->p[i] * of->a[i] * of->w[i];
    return sum;
}

// The top of the parabola through strip i and its neighbours, where these lie lower.
static double peak_at(const strips *of, int i)
{
    const int has_both = i > 0 && i < of->count - 1 && of->part[i - 1] == of->part[i] && of->part[i + 1] == of->part[i];
    if (!has_both)
        return of->p[i];
    const double left = of->t[i - 1] - of->t[i], right = of->t[i + 1] - of->t[i];
    const double fall_left = of->p[i - 1] - of->p[i], fall_right = of->p[i + 1] - of->p[i];
    if (fall_left > 0.0 || fall_right > 0.0)
        return of->p[i];
    const double second = (fall_right / right - fall_left / left) / (right - left);
    const double slope  = fall_left / left - second * left;
    return second < 0.0 ? of->p[i] - 0.25 * slope * slope / second : of->p[i];
}

int kane_strip_pressures(const contact_locus *g, const penetrations *found, const strip_kernels *kernels, double E_star,
                         double N, int count, const contact_patch *spots, patch_pressure *out)
{
    strips of;
    int is_active[STRIPS_MOST];
    double K[STRIPS_MOST * STRIPS_MOST], M[STRIPS_MOST * STRIPS_MOST];
    mesh_strips(g, found, &of);
    start_strips(&of, is_active);
    for (int round = 0; round < ROUNDS; round++) {
        solve_pressures(kernels, E_star, &of, is_active, K, M);
        const double sum = sum_loads(&of);
        if (!(sum > 0.0))
            return 0;
        stretch_strips(kernels, E_star, &of);
    }
    const double scale = cbrt(N / sum_loads(&of)); // p ~ N^1/3, lengths likewise
    for (int k = 0; k < count; k++) {
        const double from = found->at[spots[k].first_penetration].left, to = found->at[spots[k].last_penetration].right;
        out[k] = (patch_pressure){0.0, 0.0};
        for (int i = 0; i < of.count; i++) {
            if ((spots[k].first_penetration > 0 && of.s[i] < from) ||
                (spots[k].last_penetration + 1 < found->count && of.s[i] > to))
                continue;
            const double length = fmin(of.a[i], of.p[i] / (E_star * of.A[i]));
            out[k].pressure     = fmax(out[k].pressure, scale * peak_at(&of, i));
            out[k].area += 2.0 * scale * scale * of.w[i] * length;
        }
    }
    return 1;
}
