// SPDX-License-Identifier: MIT
// Solutions of the elastic half-space: Hertz' ellipse, and Kalker's creep coefficients.

#include "contact/half_space.h"
#include "base/number.h"
#include "contact/profile_tables.h"

#include <math.h>

// --- Hertz ---

// Complete elliptic integrals of modulus k by the arithmetic-geometric mean, in a form that keeps its digits at k = 0:
// K, and s with E = K (1 - s), k^2 - s (Abramowitz & Stegun 17.6).
typedef struct elliptic {
    double K, s, rest;
} elliptic;

// k2 = k^2, g = sqrt(1 - k^2)
static elliptic elliptic_eval(double k2, double g)
{
    double a = 1.0, b = g, weight = 0.5, tail = 0.0;
    for (int i = 0; i < 40; i++) {
        const double c = 0.5 * (a - b), mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
        weight *= 2.0;
        tail += weight * c * c;
        if (c < 1e-17 * a)
            break;
    }
    return (elliptic){.K = 0.5 * KANE_PI / a, .s = 0.5 * k2 + tail, .rest = 0.5 * k2 - tail};
}

// Of an ellipse with axes ratio b/a = exp(-t), t >= 0:  B/A = (E/g^2 - K)/(K - E) = (k^2 - s)/(g^2 s).
static double curvature_ratio(double t, elliptic *e)
{
    const double g = exp(-t), k2 = -expm1(-2.0 * t);
    *e = elliptic_eval(k2, g);
    return e->rest / (g * g * e->s);
}

hertz_numbers kane_hertz_numbers(double x)
{
    const double wanted = exp(fabs(x));
    elliptic e;

    // b/a lies between A/B and 1
    double low = 0.0, high = fabs(x) + 1e-3;
    for (int i = 0; i < 100 && high - low > 1e-15 * high; i++) {
        const double t = 0.5 * (low + high);
        if (curvature_ratio(t, &e) > wanted)
            high = t;
        else
            low = t;
    }
    const double t = x == 0.0 ? 0.0 : 0.5 * (low + high), g = exp(-t);
    e = elliptic_eval(-expm1(-2.0 * t), g);

    const double major = cbrt(2.0 * e.K * (1.0 - e.s) / (KANE_PI * g * g)), minor = major * g;
    return (hertz_numbers){
        .m = x >= 0.0 ? major : minor, .n = x >= 0.0 ? minor : major, .r = 2.0 * e.K / (KANE_PI * major)};
}

double kane_line_load_middle(double r)
{
    const double root = sqrt(1.0 + r * r);
    const elliptic e  = elliptic_eval(1.0 / (root * root), r / root);
    return 2.0 * root * e.K * e.s;
}

kane_hertz kane_hertz_eval(double A, double B, double E_star, double N)
{
    const hertz_numbers numbers = kane_hertz_numbers(log(B / A));
    const double c              = cbrt(3.0 * N / (4.0 * E_star * (A + B)));
    const double a = numbers.m * c, b = numbers.n * c;
    return (kane_hertz){.a        = a,
                        .b        = b,
                        .approach = numbers.r * c * c * (A + B),
                        .pressure = N > 0.0 ? 1.5 * N / (KANE_PI * a * b) : 0.0};
}

static const double table_end = 14.0;

static hertz_shape exact_shape(double x)
{
    const hertz_numbers numbers = kane_hertz_numbers(x);
    const double root           = 1.0 / sqrt(numbers.r);
    return (hertz_shape){
        .h = sqrt(1.0 / (1.0 + exp(-x))) * root * root * root, .along = numbers.m * root, .across = numbers.n * root};
}

void kane_hertz_table_init(hertz_table *table)
{
    const double width = 2.0 * table_end / KANE_HERTZ_CELLS;
    double h[KANE_HERTZ_CELLS + 1], along[KANE_HERTZ_CELLS + 1], across[KANE_HERTZ_CELLS + 1];
    double dh[KANE_HERTZ_CELLS + 1], dalong[KANE_HERTZ_CELLS + 1], dacross[KANE_HERTZ_CELLS + 1];
    double scratch[KANE_HERTZ_CELLS + 1];
    hertz_shape slope[2];

    for (int i = 0; i <= KANE_HERTZ_CELLS; i++) {
        const hertz_shape s = exact_shape(-table_end + i * width);
        h[i]                = s.h;
        along[i]            = s.along;
        across[i]           = s.across;
    }
    for (int end = 0; end < 2; end++) {
        const double d = 1e-4, x = end ? table_end : -table_end;
        const hertz_shape up = exact_shape(x + d), down = exact_shape(x - d);
        slope[end] = (hertz_shape){(up.h - down.h) / (2.0 * d), (up.along - down.along) / (2.0 * d),
                                   (up.across - down.across) / (2.0 * d)};
    }
    kane_grid_slopes(KANE_HERTZ_CELLS + 1, width, h, slope[0].h, slope[1].h, dh, scratch);
    kane_grid_slopes(KANE_HERTZ_CELLS + 1, width, along, slope[0].along, slope[1].along, dalong, scratch);
    kane_grid_slopes(KANE_HERTZ_CELLS + 1, width, across, slope[0].across, slope[1].across, dacross, scratch);
    for (int i = 0; i < KANE_HERTZ_CELLS; i++) {
        kane_grid_cubic(width, h[i], dh[i], h[i + 1], dh[i + 1], table->cells[i].h);
        kane_grid_cubic(width, along[i], dalong[i], along[i + 1], dalong[i + 1], table->cells[i].along);
        kane_grid_cubic(width, across[i], dacross[i], across[i + 1], dacross[i + 1], table->cells[i].across);
    }
}

// The cell of x and the place *y in it.
static const hertz_cell *cell_of(const hertz_table *table, double x, double *y)
{
    const double width = 2.0 * table_end / KANE_HERTZ_CELLS;
    double t           = (x + table_end) / width;
    t                  = t > 0.0 ? t : 0.0;
    t                  = t < KANE_HERTZ_CELLS ? t : KANE_HERTZ_CELLS;
    int i              = (int)t;
    i                  = i < KANE_HERTZ_CELLS ? i : KANE_HERTZ_CELLS - 1;
    *y                 = (t - i) * width;
    return &table->cells[i];
}

static double eval_cubic(const double c[4], double x)
{
    return c[0] + x * (c[1] + x * (c[2] + x * c[3]));
}

static double cubic_slope(const double c[4], double x)
{
    return c[1] + x * (2.0 * c[2] + x * (3.0 * c[3]));
}

hertz_shape kane_hertz_shape(const hertz_table *table, double x)
{
    double y;
    const hertz_cell *c = cell_of(table, x, &y);
    return (hertz_shape){eval_cubic(c->h, y), eval_cubic(c->along, y), eval_cubic(c->across, y)};
}

hertz_shape kane_hertz_slope(const hertz_table *table, double x)
{
    double y;
    const hertz_cell *c = cell_of(table, x, &y);
    if (!(fabs(x) < table_end))
        return (hertz_shape){0.0, 0.0, 0.0};
    return (hertz_shape){cubic_slope(c->h, y), cubic_slope(c->along, y), cubic_slope(c->across, y)};
}

// --- Kalker ---
//
// J. J. Kalker, Three-Dimensional Elastic Bodies in Rolling Contact, 1990.

// For Poisson's ratio 0, 1/4, 1/2.
typedef struct published {
    double C11[3], C22[3], C23[3], C33[3];
} published;

// clang-format off
static const published table_a_below_b[KANE_KALKER_ROWS] = { // a/b = .1, .2, ..., 1
    {{2.51, 3.31, 4.85}, {2.51, 2.52, 2.53}, { .334, .473, .731}, {6.42, 8.28, 11.7}},
    {{2.59, 3.37, 4.81}, {2.59, 2.63, 2.66}, { .483, .603, .809}, {3.46, 4.27, 5.66}},
    {{2.68, 3.44, 4.80}, {2.68, 2.75, 2.81}, { .607, .715, .889}, {2.49, 2.96, 3.72}},
    {{2.78, 3.53, 4.82}, {2.78, 2.88, 2.98}, { .720, .823, .977}, {2.02, 2.32, 2.77}},
    {{2.88, 3.62, 4.83}, {2.88, 3.01, 3.14}, { .827, .929, 1.07}, {1.74, 1.93, 2.22}},
    {{2.98, 3.72, 4.91}, {2.98, 3.14, 3.31}, { .930, 1.03, 1.18}, {1.56, 1.68, 1.86}},
    {{3.09, 3.81, 4.97}, {3.09, 3.28, 3.48}, {1.03, 1.14, 1.29}, {1.43, 1.50, 1.60}},
    {{3.19, 3.91, 5.05}, {3.19, 3.41, 3.65}, {1.13, 1.25, 1.40}, {1.34, 1.37, 1.42}},
    {{3.29, 4.01, 5.12}, {3.29, 3.54, 3.82}, {1.23, 1.36, 1.51}, {1.27, 1.27, 1.27}},
    {{3.40, 4.12, 5.20}, {3.40, 3.67, 3.98}, {1.33, 1.47, 1.63}, {1.21, 1.19, 1.16}},
};
static const published table_a_above_b[KANE_KALKER_ROWS] = { // b/a = .1, .2, ..., 1
    {{10.7, 11.7, 12.9}, {10.7, 12.8, 16.0}, {12.2, 14.6, 18.0}, { .795, .526, .228}},
    {{6.96, 7.78, 8.82}, {6.96, 8.14, 9.79}, {5.72, 6.63, 7.89}, { .828, .601, .341}},
    {{5.57, 6.34, 7.34}, {5.57, 6.40, 7.51}, {3.79, 4.32, 5.01}, { .868, .674, .446}},
    {{4.84, 5.57, 6.57}, {4.84, 5.48, 6.31}, {2.88, 3.24, 3.70}, { .912, .747, .549}},
    {{4.37, 5.10, 6.11}, {4.37, 4.90, 5.56}, {2.35, 2.62, 2.96}, { .958, .819, .650}},
    {{4.06, 4.78, 5.80}, {4.06, 4.50, 5.04}, {2.01, 2.23, 2.50}, {1.01, .892, .751}},
    {{3.82, 4.54, 5.58}, {3.82, 4.21, 4.67}, {1.76, 1.95, 2.18}, {1.05, .965, .852}},
    {{3.65, 4.36, 5.42}, {3.65, 3.99, 4.39}, {1.58, 1.75, 1.94}, {1.10, 1.04, .954}},
    {{3.51, 4.22, 5.30}, {3.51, 3.81, 4.16}, {1.44, 1.59, 1.77}, {1.16, 1.11, 1.06}},
    {{3.40, 4.12, 5.20}, {3.40, 3.67, 3.98}, {1.33, 1.47, 1.63}, {1.21, 1.19, 1.16}},
};
// clang-format on

// Quadratic in nu on 1/C, which is nearly straight.
static double at_poisson(const double C[3], double nu)
{
    const double w0 = 8.0 * (nu - 0.25) * (nu - 0.5), w1 = -16.0 * nu * (nu - 0.5), w2 = 8.0 * nu * (nu - 0.25);
    return 1.0 / (w0 / C[0] + w1 / C[1] + w2 / C[2]);
}

// Slender ellipses, a << b: along the rail short. g = a/b.
//   C11 = pi^2/(4 (1 - nu)),   C22 = pi^2/4,   C23 = pi sqrt(g)/(3 (1 - nu)) (1 + nu (ln(16/g) - 5)),
//   C33 = pi^2/(16 (1 - nu) g)
KANE_INLINE kalker_scalars asymptote_a_below_b(kane_scalar g, double nu)
{
    const kane_scalar L = ks_log(ks_div(ks_constant(16.0), g));
    return (kalker_scalars){.C11 = ks_constant(KANE_PI * KANE_PI / (4.0 * (1.0 - nu))),
                            .C22 = ks_constant(KANE_PI * KANE_PI / 4.0),
                            .C23 = ks_mul(ks_over(ks_scale(KANE_PI, ks_sqrt(g)), 3.0 * (1.0 - nu)),
                                          ks_shift(ks_scale(nu, ks_shift(L, -5.0)), 1.0)),
                            .C33 = ks_div(ks_constant(KANE_PI * KANE_PI), ks_scale(16.0 * (1.0 - nu), g))};
}

// Slender ellipses, a >> b: along the rail long. g = b/a. With d = 3 - ln 4, L = ln(16/g^2), D = (1 - nu) L + 2 nu,
// S = (1 - nu) L - 2 + 4 nu:
//   C11 = 2 pi/((L - 2 nu) g) (1 + d/(L - 2 nu)),   C22 = 2 pi/g (1 + (1 - nu) d/D)/D,   C23 = 2 pi/(3 g sqrt(g) S),
//   C33 = pi/4 (1 - nu (L - 2)/S)
KANE_INLINE kalker_scalars asymptote_a_above_b(kane_scalar g, double nu)
{
    const double d      = 3.0 - log(4.0);
    const kane_scalar L = ks_log(ks_div(ks_constant(16.0), ks_square(g))), less = ks_shift(L, -(2.0 * nu));
    const kane_scalar D      = ks_shift(ks_scale(1.0 - nu, L), 2.0 * nu),
                      S      = ks_shift(ks_shift(ks_scale(1.0 - nu, L), -2.0), 4.0 * nu);
    const kane_scalar two_pi = ks_constant(2.0 * KANE_PI);
    return (kalker_scalars){
        .C11 = ks_mul(ks_div(two_pi, ks_mul(less, g)), ks_shift(ks_div(ks_constant(d), less), 1.0)),
        .C22 = ks_div(ks_mul(ks_div(two_pi, g), ks_shift(ks_div(ks_constant((1.0 - nu) * d), D), 1.0)), D),
        .C23 = ks_div(two_pi, ks_mul(ks_mul(ks_scale(3.0, g), ks_sqrt(g)), S)),
        .C33 = ks_scale(0.25 * KANE_PI, ks_shift(ks_neg(ks_div(ks_scale(nu, ks_shift(L, -2.0)), S)), 1.0))};
}

KANE_INLINE kalker_scalars asymptote(int a_above_b, kane_scalar g, double nu)
{
    return a_above_b ? asymptote_a_above_b(g, nu) : asymptote_a_below_b(g, nu);
}

static kane_kalker values_of(kalker_scalars C)
{
    return (kane_kalker){ks_value(C.C11), ks_value(C.C22), ks_value(C.C23), ks_value(C.C33)};
}

void kane_kalker_table_init(kalker_table *t, double nu)
{
    t->poisson = nu;
    t->spin    = 1.0;
    for (int side = 0; side < 2; side++) {
        const published *p = side ? table_a_above_b : table_a_below_b;
        kane_kalker at[KANE_KALKER_ROWS];
        for (int i = 0; i < KANE_KALKER_ROWS; i++)
            at[i] = (kane_kalker){at_poisson(p[i].C11, nu), at_poisson(p[i].C22, nu), at_poisson(p[i].C23, nu),
                                  at_poisson(p[i].C33, nu)};
        for (int i = 0; i < KANE_KALKER_ROWS - 1; i++)
            t->rows[side][i] = (kalker_row){at[i],
                                            {at[i + 1].C11 - at[i].C11, at[i + 1].C22 - at[i].C22,
                                             at[i + 1].C23 - at[i].C23, at[i + 1].C33 - at[i].C33}};
        const kane_kalker a = values_of(asymptote(side, ks_constant(0.1), nu)), r = at[0];
        t->excess[side] =
            (kane_kalker){r.C11 / a.C11 - 1.0, r.C22 / a.C22 - 1.0, r.C23 / a.C23 - 1.0, r.C33 / a.C33 - 1.0};
    }
}

void kane_kalker_table_omit_spin(kalker_table *t)
{
    t->spin = 0.0;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < KANE_KALKER_ROWS - 1; i++) {
            kalker_row *row = &t->rows[side][i];
            row->at.C23 = row->at.C33 = row->rise.C23 = row->rise.C33 = 0.0;
        }
}

KANE_INLINE kalker_scalars slender(const kalker_table *t, int side, kane_scalar g)
{
    const kane_scalar fade = ks_value(g) > 0.0 ? ks_scale(10.0, g) : ks_constant(0.0);
    const kane_kalker e    = t->excess[side];
    const kalker_scalars c = asymptote(side, ks_value(g) > 1e-9 ? g : ks_constant(1e-9), t->poisson);
    return (kalker_scalars){ks_mul(c.C11, ks_shift(ks_scale(e.C11, fade), 1.0)),
                            ks_mul(c.C22, ks_shift(ks_scale(e.C22, fade), 1.0)),
                            ks_mul(ks_scale(t->spin, c.C23), ks_shift(ks_scale(e.C23, fade), 1.0)),
                            ks_mul(ks_scale(t->spin, c.C33), ks_shift(ks_scale(e.C33, fade), 1.0))};
}

kane_kalker kane_kalker_slender(const kalker_table *t, int side, double g)
{
    return values_of(slender(t, side, ks_constant(g)));
}

kane_kalker kane_kalker_slender_slope(const kalker_table *t, int side, double g)
{
    const kalker_scalars C = slender(t, side, ks_variable(g, 0));
    return (kane_kalker){kane_tangents_get(C.C11.t, 0), kane_tangents_get(C.C22.t, 0), kane_tangents_get(C.C23.t, 0),
                         kane_tangents_get(C.C33.t, 0)};
}

kane_kalker kane_kalker_eval(double a, double b, double nu)
{
    kalker_table table;
    kane_kalker_table_init(&table, nu);
    return kane_kalker_lookup(&table, a, b);
}
