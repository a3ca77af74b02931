// SPDX-License-Identifier: MIT
// Bodies pressed together on the half-space (plain_half_space.h).

#include "plain_half_space.h"

#include <math.h>
#include <stdlib.h>

// Elements that may press, row by row along y, of each row those from x = 0 on: pressures are the same at -x.
typedef struct grid {
    int nx, ny, n;           // elements in a row at most, rows, elements in all
    double area;             // of an element [m^2]
    const int *first;        // [ny + 1] of a row's elements
    const double *influence; // displacement by 1 Pa on an element that is i and j elements away: [ny][2 nx]
    const double *weight;    // 1 at x = 0, 2 elsewhere
} grid;

// Integral of 1/r over a square of side 2 a whose middle lies at x, y.
static double square_at(double x, double y, double a)
{
    const double xp = x + a, xm = x - a, yp = y + a, ym = y - a;
    return xp * log((yp + hypot(xp, yp)) / (ym + hypot(xp, ym))) +
           yp * log((xp + hypot(xp, yp)) / (xm + hypot(xm, yp))) +
           xm * log((ym + hypot(xm, ym)) / (yp + hypot(xm, yp))) +
           ym * log((xm + hypot(xm, ym)) / (xp + hypot(xp, ym)));
}

static void displace(const grid *g, const double *p, double *u)
{
    for (int j = 0; j < g->ny; j++)
        for (int e = g->first[j]; e < g->first[j + 1]; e++) {
            const int i = e - g->first[j];
            double sum  = 0.0;
            for (int jj = 0; jj < g->ny; jj++) {
                const double *row = g->influence + (size_t)abs(j - jj) * 2 * g->nx, *q = p + g->first[jj];
                const int length = g->first[jj + 1] - g->first[jj];
                for (int ii = 0; ii < length; ii++)
                    sum += (row[abs(i - ii)] + (ii > 0 ? row[i + ii] : 0.0)) * q[ii];
            }
            u[e] = sum;
        }
}

// Mean of what is given over the elements that are pressed, taken away from all.
static double subtract_mean(const grid *g, const double *p, double *what)
{
    double sum = 0.0, count = 0.0;
    for (int e = 0; e < g->n; e++)
        if (p[e] > 0.0) {
            sum += g->weight[e] * what[e];
            count += g->weight[e];
        }
    for (int e = 0; e < g->n; e++)
        what[e] -= sum / count;
    return sum / count;
}

static double product(const grid *g, const double *p, const double *a, const double *b)
{
    double sum = 0.0;
    for (int e = 0; e < g->n; e++)
        sum += p[e] > 0.0 ? g->weight[e] * a[e] * b[e] : 0.0;
    return sum;
}

static void scale_to(const grid *g, double N, double *p)
{
    double sum = 0.0;
    for (int e = 0; e < g->n; e++)
        sum += g->weight[e] * p[e] * g->area;
    for (int e = 0; e < g->n; e++)
        p[e] *= N / sum;
}

// One step; *before: the last residual's square, 0 to begin anew. Returns by how much force the pressure has changed.
static double step(const grid *g, const double *gap, double N, double *p, double *rest, double *way, double *along,
                   double *before, double *approach)
{
    double change = 0.0;
    displace(g, p, rest);
    for (int i = 0; i < g->n; i++)
        rest[i] += gap[i];
    *approach           = subtract_mean(g, p, rest);
    const double square = product(g, p, rest, rest), factor = *before > 0.0 ? square / *before : 0.0;
    for (int i = 0; i < g->n; i++)
        way[i] = p[i] > 0.0 ? rest[i] + factor * way[i] : 0.0;
    displace(g, way, along);
    (void)subtract_mean(g, p, along);
    const double length = product(g, p, rest, way) / product(g, p, along, way);
    *before             = square;
    for (int i = 0; i < g->n; i++) {
        if (p[i] > 0.0) {
            const double next = fmax(p[i] - length * way[i], 0.0);
            change += g->weight[i] * fabs(next - p[i]) * g->area;
            p[i] = next;
        } else if (rest[i] < 0.0) {
            p[i]    = -length * rest[i];
            *before = 0.0;
        }
    }
    scale_to(g, N, p);
    return change;
}

static int solve(const grid *g, const plain_gap *of, double N, double depth, double *memory, plain_contact *contact)
{
    double *gap = memory, *p = memory + g->n, *rest = memory + 2 * g->n, *way = memory + 3 * g->n,
           *along = memory + 4 * g->n, before = 0.0, change = N;
    for (int j = 0; j < g->ny; j++)
        for (int e = g->first[j]; e < g->first[j + 1]; e++) {
            const double x = (e - g->first[j]) * of->h;
            gap[e]         = depth - of->overlap[j] + of->A[j] * x * x;
            p[e]           = gap[e] < depth ? 1.0 : 0.0;
            way[e]         = 0.0;
        }
    scale_to(g, N, p);
    for (int i = 0; i < 300 && change > 1e-6 * N; i++)
        change = step(g, gap, N, p, rest, way, along, &before, &contact->approach);
    contact->pressure = contact->place = contact->area = 0.0;
    for (int j = 0; j < g->ny; j++) {
        double load = 0.0, most = 0.0;
        for (int e = g->first[j]; e < g->first[j + 1]; e++) {
            load += g->weight[e] * p[e] * g->area;
            most = fmax(most, p[e]);
            contact->area += p[e] > 0.0 ? g->weight[e] * g->area : 0.0;
        }
        contact->pressure = fmax(contact->pressure, most);
        contact->place += load / N * j * of->h;
        if (contact->load)
            contact->load[j] = load;
        if (contact->most)
            contact->most[j] = most;
    }
    return change <= 1e-6 * N;
}

// How many elements of a row may press, from x = 0 on: those that overlap when the bodies approach by .15 depth more.
static int row_length(const plain_gap *of, double depth, int j)
{
    const double over = of->overlap[j] + 0.15 * depth;
    return over > 0.0 ? (int)(sqrt(over / of->A[j]) / of->h) + 1 : 0;
}

int plain_half_space(const plain_gap *of, double N, plain_contact *contact)
{
    const int ny = of->count;
    double depth = 0.0;
    int *first = malloc((size_t)(ny + 1) * sizeof *first), nx = 1, good = 0;
    if (!first)
        return 0;
    for (int j = 0; j < ny; j++)
        depth = fmax(depth, of->overlap[j]);
    first[0] = 0;
    for (int j = 0; j < ny; j++) {
        const int length = row_length(of, depth, j);
        first[j + 1]     = first[j] + length;
        nx               = length > nx ? length : nx;
    }
    const int n        = first[ny];
    const size_t pairs = (size_t)ny * 2 * (size_t)nx;
    double *memory = malloc((pairs + (size_t)n * 6) * sizeof *memory), *weight = memory + pairs;
    if (memory && n > 0) {
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < 2 * nx; i++)
                memory[(size_t)j * 2 * nx + i] =
                    square_at(i * of->h, j * of->h, 0.5 * of->h) / (3.14159265358979323846 * of->E_star);
        for (int j = 0; j < ny; j++)
            for (int e = first[j]; e < first[j + 1]; e++)
                weight[e] = e == first[j] ? 1.0 : 2.0;
        const grid g = {nx, ny, n, of->h * of->h, first, memory, weight};
        good         = solve(&g, of, N, depth, weight + n, contact);
    }
    free(memory);
    free(first);
    return good;
}
