// SPDX-License-Identifier: MIT
// Bodies pressed together on the half-space (plain_half_space.h).

#include "plain_half_space.h"

#include <math.h>
#include <stdlib.h>

// Elements: i along x, j along y.
typedef struct grid {
    int nx, ny, n;
    double area;
    const double *influence; // displacement by 1 Pa on an element that is i and j elements away
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
        for (int i = 0; i < g->nx; i++) {
            double sum = 0.0;
            for (int jj = 0; jj < g->ny; jj++)
                for (int ii = 0; ii < g->nx; ii++)
                    sum += g->influence[abs(j - jj) * g->nx + abs(i - ii)] * p[jj * g->nx + ii];
            u[j * g->nx + i] = sum;
        }
}

// Mean of what is given over the elements that are pressed, taken away from all.
static double subtract_mean(const grid *g, const double *p, double *what)
{
    double sum = 0.0;
    int count  = 0;
    for (int i = 0; i < g->n; i++)
        if (p[i] > 0.0) {
            sum += what[i];
            count++;
        }
    for (int i = 0; i < g->n; i++)
        what[i] -= sum / count;
    return sum / count;
}

static double product(const grid *g, const double *p, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < g->n; i++)
        sum += p[i] > 0.0 ? a[i] * b[i] : 0.0;
    return sum;
}

static void scale_to(const grid *g, double N, double *p)
{
    double sum = 0.0;
    for (int i = 0; i < g->n; i++)
        sum += p[i] * g->area;
    for (int i = 0; i < g->n; i++)
        p[i] *= N / sum;
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
            change += fabs(next - p[i]) * g->area;
            p[i] = next;
        } else if (rest[i] < 0.0) {
            p[i]    = -length * rest[i];
            *before = 0.0;
        }
    }
    scale_to(g, N, p);
    return change;
}

static int solve(const grid *g, const plain_gap *of, double N, double *memory, plain_contact *contact)
{
    double *gap = memory, *p = memory + g->n, *rest = memory + 2 * g->n, *way = memory + 3 * g->n,
           *along = memory + 4 * g->n, depth = 0.0, before = 0.0, change = N;
    for (int j = 0; j < g->ny; j++)
        depth = fmax(depth, of->overlap[j]);
    for (int k = 0; k < g->n; k++) {
        const double x = (k % g->nx - g->nx / 2) * of->h;
        gap[k]         = depth - of->overlap[k / g->nx] + of->A * x * x;
        p[k]           = gap[k] < depth ? 1.0 : 0.0;
        way[k]         = 0.0;
    }
    scale_to(g, N, p);
    for (int i = 0; i < 200 && change > 1e-6 * N; i++)
        change = step(g, gap, N, p, rest, way, along, &before, &contact->approach);
    contact->pressure = contact->place = 0.0;
    for (int k = 0; k < g->n; k++) {
        contact->pressure = fmax(contact->pressure, p[k]);
        contact->place += p[k] * g->area / N * (k / g->nx) * of->h;
    }
    return change <= 1e-6 * N;
}

int plain_half_space(const plain_gap *of, double N, double reach, plain_contact *contact)
{
    const int nx = 2 * (int)ceil(reach / of->h) + 1, n = nx * of->count;
    double *memory = malloc((size_t)n * 6 * sizeof *memory);
    if (!memory)
        return 0;
    for (int k = 0; k < n; k++)
        memory[k] = square_at(k % nx * of->h, k / nx * of->h, 0.5 * of->h) / (3.14159265358979323846 * of->E_star);
    const grid g   = {nx, of->count, n, of->h * of->h, memory};
    const int good = solve(&g, of, N, memory + n, contact);
    free(memory);
    return good;
}
