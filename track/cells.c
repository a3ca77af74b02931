// SPDX-License-Identifier: MIT
// Prepares the polynomials for the position along a piece.

#include "track/line_function.h"

#include "base/number.h"
#include "math/small.h"
#include "math/spline.h"
#include "track/piece.h"
#include "track/line.h"

#include <stdlib.h>
#include <string.h>

enum { N = KANE_CELL_NODES };

// The polynomial's derivative differs from the tangent by no more than this, its abscissa by no more than this part of
// the section's length.
static const double tangent_tolerance = 3e-15, abscissa_tolerance = 2e-15;

// Cells are not halved below this [m]: nothing on a track is so short, and rounding ends it where a table is rough.
static const double shortest = 0.05;

// Coefficients of powers in the Legendre polynomials up to degree N: power[j][k] of z^k in P_j.
static void legendre_powers(double power[N + 1][N + 1])
{
    memset(power, 0, sizeof(double[N + 1][N + 1]));
    power[0][0] = 1.0;
    power[1][1] = 1.0;
    for (int j = 1; j < N; j++)
        for (int k = 0; k <= j + 1; k++)
            power[j + 1][k] = ((k > 0 ? (2 * j + 1) * power[j][k - 1] : 0.0) - j * power[j - 1][k]) / (j + 1);
}

// The interpolant is sum a_j P_j, a_j = (2j + 1)/2 sum_i w_i P_j(z_i) f_i.
void kane_cell_rule_init(kane_cell_rule *rule)
{
    double w[N];

    kane_gauss_legendre(N, rule->node, w);
    legendre_powers(rule->power);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double P = 0.0;
            for (int k = j; k >= 0; k--)
                P = P * rule->node[i] + rule->power[j][k];
            rule->project[j][i] = 0.5 * (2 * j + 1) * w[i] * P;
        }
}

// Unit tangent (x, y, z) and abscissa at l.
static void tangent_at(const kane_piece *p, double l, const kane_table_row *row, double out[4])
{
    kane_line line;
    const double abscissa = kane_line_function_abscissa(&p->line_function, l);

    kane_line_eval(p, l, abscissa, row, &line);
    out[0] = cos(line.psi[0]) * line.cos_beta;
    out[1] = sin(line.psi[0]) * line.cos_beta;
    out[2] = line.w[0];
    out[3] = abscissa;
}

// Coefficients a[j] of Legendre's P_j in the interpolant of one column of values. Only what differs from one of the
// values is projected, which rounds less.
static void project_on_legendre(const kane_cell_rule *rule, double values[N][4], int column, double a[N + 2])
{
    const double middle = values[N / 2][column];

    memset(a, 0, (N + 2) * sizeof *a);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            a[j] += rule->project[j][i] * (values[i][column] - middle);
    a[0] += middle;
}

// Legendre coefficients of the integral, times half: that of P_j is (P_{j+1} - P_{j-1})/(2j + 1).
static void integrate_legendre(const double a[N + 2], double half, double b[N + 1])
{
    b[0] = 0.0;
    for (int j = 1; j <= N; j++)
        b[j] = half * (a[j - 1] / (2 * j - 1) - a[j + 1] / (2 * j + 3));
}

// One column of a cell, from coefficients of P_j to those of powers.
static void set_column(const kane_cell_rule *rule, const double a[N + 1], int column, kane_cell *cell)
{
    for (int k = 0; k <= N; k++) {
        cell->c[k][column] = 0.0;
        for (int j = N; j >= k; j--)
            cell->c[k][column] += a[j] * rule->power[j][k];
    }
}

// Cell i of n equal ones between two edges; its position begins with zero.
static void fit_cell(const kane_piece *p, const kane_cell_rule *rule, double from, double to, int i, int n,
                     kane_cell *cell)
{
    const double a = from + (to - from) * i / n, b = from + (to - from) * (i + 1) / n, half = 0.5 * (b - a);
    double values[N][4], a_j[N + 2], b_j[N + 1], at_a[4];

    cell->middle = 0.5 * (a + b);
    cell->scale  = 1.0 / half;
    cell->end    = b;
    cell->row    = kane_line_function_row(&p->line_function, cell->middle);
    for (int k = 0; k < N; k++)
        tangent_at(p, cell->middle + half * rule->node[k], cell->row, values[k]);
    for (int column = 0; column < 3; column++) {
        project_on_legendre(rule, values, column, a_j);
        integrate_legendre(a_j, half, b_j);
        set_column(rule, b_j, column, cell);
    }
    project_on_legendre(rule, values, 3, a_j);
    set_column(rule, a_j, 3, cell);

    kane_cell_eval(cell, a, at_a);
    for (int j = 0; j < 3; j++)
        cell->c[0][j] -= at_a[j];
}

// Is the cell exact enough, seen at points between its nodes?
static int is_exact(const kane_piece *p, const kane_cell *cell)
{
    for (int i = 0; i <= N; i++) {
        const double z = cos(KANE_PI * i / N), l = cell->middle + z / cell->scale;
        double expected[4], got[4], slope[3];

        tangent_at(p, l, cell->row, expected);
        kane_cell_eval(cell, l, got);
        for (int j = 0; j < 3; j++) {
            slope[j] = 0.0;
            for (int k = KANE_CELL_DEGREE; k >= 1; k--)
                slope[j] = slope[j] * z + k * cell->c[k][j];
            if (!(fabs(slope[j] * cell->scale - expected[j]) <= tangent_tolerance))
                return 0;
        }
        if (!(fabs(got[3] - expected[3]) <= abscissa_tolerance * p->line_function.length))
            return 0;
    }
    return 1;
}

// In how many equal cells a .. b must be divided, a power of two.
static int count_cells(const kane_piece *p, const kane_cell_rule *rule, double a, double b)
{
    int n = 1;
    for (; b - a > n * shortest; n *= 2) {
        int good = 1;
        for (int i = 0; i < n && good; i++) {
            kane_cell cell;
            fit_cell(p, rule, a, b, i, n, &cell);
            good = is_exact(p, &cell);
        }
        if (good)
            break;
    }
    return n;
}

// Places that are edges of cells in any case, so that cells are smooth inside and numbers small on the piece itself:
// its ends, those of its range, and the points of its table, first .. last. Returns how many there are.
static int find_edges(const kane_piece *p, const kane_table_row *first, const kane_table_row *last, double *edge)
{
    int count = 0, kept = 1;

    edge[count++] = p->low;
    edge[count++] = p->offset;
    edge[count++] = p->offset + p->length;
    edge[count++] = p->high;
    for (const kane_table_row *row = first; row != last; row++)
        edge[count++] = row[1].at;
    qsort(edge, (size_t)count, sizeof *edge, kane_compare_numbers);
    for (int i = 1; i < count; i++)
        if (edge[i] > edge[kept - 1] + KANE_SAME)
            edge[kept++] = edge[i];
    return kept;
}

// The list that finds a cell: the one at the beginning of each of `count` equal parts of low .. high, and of high.
static void fill_buckets(kane_piece *p, const kane_cell *cells, int count, int *bucket)
{
    int cell = 0;
    for (int i = 0; i <= count; i++) {
        while (cell < count - 1 && p->low + (p->high - p->low) * i / count >= cells[cell].end)
            cell++;
        bucket[i] = cell;
    }
    p->buckets = count / (p->high - p->low);
    p->bucket  = bucket;
}

// Joins cells whose positions all begin with zero, so that the start point of the piece is the origin: `here`, where a
// cell begins, starts with the way back to there.
static void join_cells(const kane_piece *p, kane_cell *cells, int count)
{
    kane_sum here[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    double way[4], from[4];

    for (int i = 0; cells[i].end <= p->offset; i++) {
        kane_cell_eval(&cells[i], cells[i].end, way);
        for (int j = 0; j < 3; j++)
            kane_sum_add(&here[j], -way[j]);
    }
    for (int i = 0; i < count; i++) {
        kane_cell_eval(&cells[i], cells[i].end, way);
        for (int j = 0; j < 3; j++) {
            cells[i].c[0][j] += kane_sum_get(&here[j]);
            kane_sum_add(&here[j], way[j]);
        }
    }

    // what is left where an edge of cells lies very close to the start point, but not on it
    kane_cell_eval(kane_piece_cell(p, p->offset), p->offset, from);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < 3; j++)
            cells[i].c[0][j] -= from[j];
}

kane_vec3 kane_piece_prepare(kane_piece *p, const kane_cell_rule *rule, kane_arena *memory, kane_arena *scratch)
{
    const kane_table_row *first = kane_line_function_row(&p->line_function, p->low),
                         *last  = kane_line_function_row(&p->line_function, p->high);
    const size_t room           = 4 + (first ? (size_t)(last - first) : 0);
    double *edge                = kane_arena_alloc(scratch, room, sizeof *edge);
    int *parts                  = kane_arena_alloc(scratch, room, sizeof *parts);
    int count                   = 0;
    if (!edge || !parts)
        return kv3_zero();

    const int edges = find_edges(p, first, last, edge);
    for (int i = 0; i + 1 < edges; i++)
        count += parts[i] = count_cells(p, rule, edge[i], edge[i + 1]);
    kane_cell *cells = kane_arena_alloc(memory, (size_t)count, sizeof *cells);
    int *bucket      = kane_arena_alloc(memory, (size_t)count + 1, sizeof *bucket);
    if (!cells || !bucket)
        return kv3_zero();

    kane_cell *next = cells;
    for (int i = 0; i + 1 < edges; i++)
        for (int k = 0; k < parts[i]; k++)
            fit_cell(p, rule, edge[i], edge[i + 1], k, parts[i], next++);
    p->cells = cells;
    fill_buckets(p, cells, count, bucket);
    join_cells(p, cells, count);
    cells[count - 1].end = HUGE_VAL;

    double end[4];
    kane_cell_eval(kane_piece_cell(p, p->offset + p->length), p->offset + p->length, end);
    return kv3(end[0], end[1], end[2]);
}
